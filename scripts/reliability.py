#!/usr/bin/env python3
"""How honest the confidences of constituents are: expected calibration error and a reliability plot.

    eigentree parse MODEL GOLD --tags predicted --confidence -o PARSED
    scripts/reliability.py GOLD PARSED [--svg PLOT]

Constituents are all nodes of the parses but the top and the tags. One is right if the gold tree has its label over the
same words. Confidences fall into ten bins of equal width; the error is the mean distance between confidence and share
of right constituents in a bin, weighted by the size of the bin. Needs only Python.
"""

import argparse
import json
import re
from collections import Counter
from pathlib import Path

BINS = 10
TOKEN = re.compile(r"\(|\)|[^\s()]+")


def constituents(line):
    """The nodes of a tree in pre-order: label, start, end, whether it is the tag of a word."""
    nodes, open_nodes, words, expects_label = [], [], 0, False
    for token in TOKEN.findall(line):
        if token == "(":
            if expects_label:
                nodes.append(["", words, words, False])
                open_nodes.append(len(nodes) - 1)
            expects_label = True
        elif token == ")":
            nodes[open_nodes.pop()][2] = words
        elif expects_label:
            nodes.append([token, words, words, False])
            open_nodes.append(len(nodes) - 1)
            expects_label = False
        else:
            nodes[open_nodes[-1]][3] = True
            words += 1
    return [tuple(node) for node in nodes]


def judged(gold, parsed, marginals):
    """Confidence and truth of every constituent."""
    for gold_line, parsed_line, answer in zip(gold, parsed, marginals, strict=True):
        right = Counter(node[:3] for node in constituents(gold_line) if not node[3])
        found = {(span["label"], span["start"], span["end"]): span["confidence"] for span in json.loads(answer)["spans"]}
        for label, start, end, is_tag in constituents(parsed_line)[1:]:
            if not is_tag and (label, start, end) in found:
                hit = right[label, start, end] > 0
                right[label, start, end] -= hit
                yield found[label, start, end], hit


def plot(bins):
    """The bins as SVG."""
    size, margin = 360, 40
    at = lambda share: margin + share * size
    marks = [
        f'<circle cx="{at(mean):.1f}" cy="{at(1 - right):.1f}" r="{2 + 14 * (count / sum(b[0] for b in bins)) ** 0.5:.1f}"'
        f' fill="#336699" fill-opacity="0.7"><title>{count}: {mean:.3f}, {right:.3f}</title></circle>'
        for count, mean, right in bins
    ]
    ticks = [
        f'<text x="{at(t / 5):.0f}" y="{at(1) + 16:.0f}" text-anchor="middle">{t / 5}</text>'
        f'<text x="{at(0) - 6:.0f}" y="{at(1 - t / 5) + 4:.0f}" text-anchor="end">{t / 5}</text>'
        for t in range(6)
    ]
    whole = size + 2 * margin
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {whole}" font-family="sans-serif" font-size="11">'
        f'<rect x="{at(0)}" y="{at(0)}" width="{size}" height="{size}" fill="none" stroke="#888"/>'
        f'<line x1="{at(0)}" y1="{at(1)}" x2="{at(1)}" y2="{at(0)}" stroke="#888" stroke-dasharray="4"/>'
        f'{"".join(ticks)}{"".join(marks)}'
        f'<text x="{at(0.5)}" y="{whole - 6}" text-anchor="middle">confidence</text>'
        f'<text x="12" y="{at(0.5)}" text-anchor="middle" transform="rotate(-90 12 {at(0.5)})">right</text></svg>\n'
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold", type=Path)
    parser.add_argument("parsed", type=Path)
    parser.add_argument("--svg", type=Path, help="file for a plot: one disc per bin, its area the size of the bin")
    arguments = parser.parse_args()
    beside = arguments.parsed.with_name(arguments.parsed.name + ".marginals.jsonl")
    lines = [[line for line in path.open(encoding="utf-8") if line.strip()] for path in (arguments.gold, arguments.parsed, beside)]
    pairs = list(judged(*lines))
    bins, error = [], 0.0
    for number in range(BINS):
        own = [pair for pair in pairs if min(int(pair[0] * BINS), BINS - 1) == number]
        if own:
            mean, right = (sum(values) / len(own) for values in zip(*own, strict=True))
            bins.append((len(own), mean, right))
            error += len(own) / len(pairs) * abs(mean - right)
            print(f"{number / BINS:.1f}  {len(own):6}  confidence {mean:.3f}  right {right:.3f}")
    print(f"constituents {len(pairs)}, expected calibration error {error:.4f}")
    if arguments.svg:
        arguments.svg.write_text(plot(bins), encoding="utf-8")


if __name__ == "__main__":
    main()
