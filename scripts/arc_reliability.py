#!/usr/bin/env python3
"""How honest the confidences of arcs and tags are: expected calibration error of head with label, or of a column of tags.

    eigentree parse MODEL GOLD --confidence -o PARSED
    scripts/arc_reliability.py GOLD PARSED [--of heads|upos|xpos|feats] [--without N]

Both files are CoNLL-U; PARSED has `Confidence` in MISC, or `upos_confidence` and the like if a tagger wrote it. A word is right if
its head and its whole label are those of GOLD, or its tag.
Confidences fall into ten bins of equal width; the error is the mean distance between confidence and share of right words in a
bin, weighted by the size of the bin. --without leaves out every N-th sentence from the first on: calibration uses at most 400,
of the 2,001 of English-EWT every sixth. Needs only Python.
"""

import argparse
import re
from pathlib import Path

BINS = 10
# The name of each confidence in MISC, and the columns that it is about.
KINDS = {
    "heads": ("Confidence", slice(6, 8)),
    "upos": ("upos_confidence", slice(3, 4)),
    "xpos": ("xpos_confidence", slice(4, 5)),
    "feats": ("feats_confidence", slice(5, 6)),
}


def sentences(path):
    """The words of each sentence, as columns."""
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        rows = [line.split("\t") for line in block.splitlines() if line and line[0] != "#"]
        words = [row for row in rows if row[0].isdigit()]
        if words:
            yield words


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold", type=Path)
    parser.add_argument("parsed", type=Path)
    parser.add_argument("--of", choices=KINDS, default="heads")
    parser.add_argument("--without", type=int)
    args = parser.parse_args()
    name, columns = KINDS[args.of]
    confidence_of = re.compile(rf"(?:^|\|){name}=([0-9.eE+-]+)")
    gold, parsed = list(sentences(args.gold)), list(sentences(args.parsed))
    if len(gold) != len(parsed):
        parser.error(f"{len(gold)} sentences against {len(parsed)}")
    bins = [[0, 0.0, 0] for _ in range(BINS)]
    pairs = [pair for number, pair in enumerate(zip(gold, parsed)) if not args.without or number % args.without]
    for right, found in ((one, other) for words in pairs for one, other in zip(*words)):
        confidence = float(confidence_of.search(found[9])[1])
        place = bins[min(BINS - 1, int(confidence * BINS))]
        place[0] += 1
        place[1] += confidence
        place[2] += right[columns] == found[columns]
    words = sum(count for count, _, _ in bins)
    print("| confidence | words | mean confidence | right |\n|---|---|---|---|")
    for number, (count, confidence, right) in enumerate(bins):
        if count:
            shares = f"{confidence / count:.3f} | {right / count:.3f}"
            print(f"| {number / BINS:.1f} to {(number + 1) / BINS:.1f} | {count} | {shares} |")
    error = sum(abs(confidence - right) for _, confidence, right in bins) / words
    print(f"expected calibration error {100 * error:.2f} % over {words} words")


if __name__ == "__main__":
    main()
