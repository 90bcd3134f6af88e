"""What the package costs beside the library: calls, streams, threads, memory.

    python examples/benchmark.py MODEL TEXT

MODEL is a pipeline, TEXT raw text with empty lines between paragraphs. Times are CPU seconds of this process. The
command `tag` runs in the same process, so both sides are the same compiled code.
"""

from __future__ import annotations

import gc
import os
import resource
import sys
import tempfile
import threading
import time
from pathlib import Path

import eigentree as et
from eigentree import _native


def seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def megabytes() -> float:
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def calls(nlp: et.Pipeline) -> None:
    for text, times in (("", 20_000), ("Dogs bark.", 3_000)):
        start = seconds()
        for _ in range(times):
            nlp(text)
        print(f"a call with {text!r}: {(seconds() - start) / times * 1e6:.1f} us")


def streams(model: str, path: str, texts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(3):
            start = seconds()
            _native.call(["tag", model, path, "--input=text", f"--output={folder}/out.conllu"])
            command = seconds() - start
            start = seconds()
            with open(f"{folder}/pipe.conllu", "w", encoding="utf-8") as file:
                for document in et.load(model).pipe(texts):
                    file.write(document.to_conllu())
            pipe = seconds() - start
            print(f"command {command:.3f} s, pipe and to_conllu {pipe:.3f} s: {pipe / command:.2f}")


def threads(nlp: et.Pipeline, texts: list[str]) -> None:
    """Wall time tells how well two threads share a model only where nothing else runs; CPU time tells what sharing costs."""

    def work(part: list[str]) -> None:
        for text in part:
            nlp(text)

    for count in (1, 2):
        start, clock = seconds(), time.perf_counter()
        running = [threading.Thread(target=work, args=(texts[at::count],)) for at in range(count)]
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
        wall = time.perf_counter() - clock
        print(f"{count} Python threads: {wall:.2f} s, {seconds() - start:.2f} CPU s")


def memory(model: str, nlp: et.Pipeline, texts: list[str]) -> None:
    marks = []
    for number in range(1, 10_001):
        document = nlp(texts[number % len(texts)][:300])
        document.to_dict()
        if number in (2_000, 10_000):
            marks.append(f"{megabytes():.1f}")
    print(f"documents: {' MB after 2,000, '.join(marks)} MB after 10,000")
    marks = []
    for number in range(1, 1_001):
        et.load(model)
        if number in (200, 1_000):
            marks.append(f"{megabytes():.1f}")
    print(f"loads: {' MB after 200, '.join(marks)} MB after 1,000")


def main() -> None:
    model, path = sys.argv[1:]
    nlp: et.Pipeline = et.load(model)
    texts = [text for text in Path(path).read_text(encoding="utf-8").split("\n\n") if text.strip()]
    nlp("Dogs bark.")
    calls(nlp)
    streams(model, path, texts)
    threads(nlp, texts)
    memory(model, nlp, texts)


if __name__ == "__main__":
    main()
