"""Sends very many short texts through `Pipeline.pipe` of the Python package, and watches its memory.

Usage: soak_pipe.py MODEL TEXT COUNT

MODEL is a pipeline, TEXT has one text per line; they come again and again until there were COUNT. On one thread. Prints resident
memory and processor time after every 100,000 texts. Every 997th document must be that of the first time.
"""

import itertools
import os
import sys
import time

import eigentree

STEP = 100_000
COMPARED = 997


def resident_mb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def main():
    model, text, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with open(text) as file:
        texts = [line.strip() for line in file if line.strip()]
    first, compared, differing = {}, 0, 0
    stream = itertools.islice(itertools.cycle(texts), count)
    for number, document in enumerate(eigentree.load(model).pipe(stream, threads=1)):
        if number < len(texts):
            first[number] = document.to_conllu()
        elif number % COMPARED == 0:
            compared += 1
            differing += document.to_conllu() != first[number % len(texts)]
        if (number + 1) % STEP == 0 or number + 1 == count:
            print(f"{number + 1} texts: {resident_mb():.1f} MB, {time.process_time():.0f} s, {compared} compared, "
                  f"{differing} differ", flush=True)
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
