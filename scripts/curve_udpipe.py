#!/usr/bin/env python3
"""Learning curves of Eigentree's and UDPipe 1's dependency parsers: attachment on development sets, given tags.

    pip install ufal.udpipe
    scripts/curve_udpipe.py DATA TREEBANK... [--sizes 30,100,300] [--eigentree PROGRAM] [--svg PLOT] [--work FOLDER]

DATA holds one folder per treebank with train and dev as CoNLL-U, packed or not. Both parsers learn from the first N
sentences with default settings and parse the development set with its tags. A size beyond the treebank is left out. Times
are processor seconds of one thread. Parsers of UDPipe that are already in --work are not trained again; their times come
from the first run. The table is Markdown.
"""

import argparse
import json
import math
import sys
from pathlib import Path

from udpipe_peer import load, run, sentences, train, unpacked

PROGRAMS = {"UDPipe 1": "#d55e00", "Eigentree": "#0072b2"}


def first(treebank, size, path):
    """Writes the first sentences of a treebank; says whether it has as many."""
    blocks = treebank.read_text(encoding="utf-8").strip().split("\n\n")
    path.write_text("\n\n".join(blocks[:size]) + "\n\n", encoding="utf-8")
    return len(blocks) >= size


def with_udpipe(base, part, gold):
    """Learns and parses; returns the path of the parse and the seconds of learning."""
    import ufal.udpipe as udpipe

    seconds = train(Path(f"{base}.udpipe-parser"), part, parser="")
    model, writer = load(f"{base}.udpipe-parser"), udpipe.OutputFormat.newConlluOutputFormat()
    error, parsed = udpipe.ProcessingError(), Path(f"{base}-udpipe.conllu")
    with parsed.open("w", encoding="utf-8") as target:
        for sentence in sentences(gold):
            if not model.parse(sentence, "", error):
                sys.exit(error.message)
            target.write(writer.writeSentence(sentence))
    return parsed, seconds


def with_eigentree(program, base, part, gold):
    parsed = Path(f"{base}-eigentree.conllu")
    seconds, _ = run(program, "train", "mst", part, "-o", f"{base}.eig", "--threads", 1)
    run(program, "parse", f"{base}.eig", gold, "-o", parsed, "--threads", 1)
    return parsed, seconds


def panel(name, curves, left):
    """The curves of one treebank as SVG; `curves` maps programs to pairs of size and LAS."""
    width, height = 190, 200
    points = [point for curve in curves.values() for point in curve]
    low, high = (bound(size for size, _ in points) for bound in (min, max))
    floor, ceiling = 10 * math.floor(min(las for _, las in points) / 10), 10 * math.ceil(max(las for _, las in points) / 10)
    x = lambda size: left + width * (math.log(size / low) / math.log(high / low) if high > low else 0.5)
    y = lambda las: 40 + height * (ceiling - las) / (ceiling - floor)
    marks = [f'<text class="title" x="{left + width / 2}" y="24" text-anchor="middle">{name}</text>']
    for las in range(floor, ceiling + 1, 10):
        marks.append(f'<line class="grid" x1="{left}" x2="{left + width}" y1="{y(las):.1f}" y2="{y(las):.1f}"/>')
        marks.append(f'<text x="{left - 6}" y="{y(las) + 4:.1f}" text-anchor="end">{las}</text>')
    for size in sorted({size for size, _ in points}):
        marks.append(f'<text x="{x(size):.1f}" y="{height + 58}" text-anchor="middle">{size}</text>')
    for program, curve in curves.items():
        path = " ".join(f"{x(size):.1f},{y(las):.1f}" for size, las in curve)
        colour = PROGRAMS[program]
        marks.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        marks += [
            f'<circle cx="{x(size):.1f}" cy="{y(las):.1f}" r="3.5" fill="{colour}"><title>{program}, {size} sentences: {las:.2f}</title></circle>'
            for size, las in curve
        ]
    return "".join(marks)


def plot(figures):
    """One panel per treebank."""
    step, whole = 240, 240 * len(figures) + 20
    panels = [panel(name, curves, 46 + step * at) for at, (name, curves) in enumerate(figures.items())]
    key = "".join(
        f'<circle cx="{46 + 110 * at}" cy="290" r="4" fill="{colour}"/><text x="{56 + 110 * at}" y="294">{program}</text>'
        for at, (program, colour) in enumerate(PROGRAMS.items())
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} 306" font-family="Helvetica Neue,Arial,sans-serif"'
        ' font-size="12" fill="#1b2733"><style>.title{font-weight:bold}.grid{stroke:#e3e8ec}</style>'
        f'<rect width="{whole}" height="306" fill="#fff"/>{"".join(panels)}{key}'
        f'<text x="{whole / 2}" y="294" text-anchor="middle">training sentences; LAS on the development set, given tags</text></svg>\n'
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("treebanks", nargs="+")
    parser.add_argument("--sizes", default="30,100,300", type=lambda text: [int(size) for size in text.split(",")])
    parser.add_argument("--eigentree", default="eigentree")
    parser.add_argument("--svg", type=Path, help="file for a plot, one panel per treebank")
    parser.add_argument("--work", type=Path, default=Path("udpipe-curves"))
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    figures = {}
    print("| treebank | sentences | UDPipe 1, UAS / LAS | Eigentree, UAS / LAS | UDPipe 1, s | Eigentree, s |\n|---|---|---|---|---|---|")
    for name in args.treebanks:
        folder = args.data / name
        treebank, gold = (unpacked(folder, split, args.work) for split in ("train", "dev"))
        curves = figures.setdefault(folder.name, {program: [] for program in PROGRAMS})
        for size in args.sizes:
            base = args.work / f"{folder.name}-{size}"
            part = Path(f"{base}.conllu")
            if not first(treebank, size, part):
                continue
            scores, times = [], []
            answers = [with_udpipe(base, part, gold), with_eigentree(args.eigentree, base, part, gold)]
            for program, (parsed, seconds) in zip(PROGRAMS, answers):
                _, report = run(args.eigentree, "eval", gold, parsed, "--report", "json")
                found = json.loads(report)["attachment"]
                curves[program].append((size, found["las"]))
                scores.append(f"{found['uas']:.2f} / {found['las']:.2f}")
                times.append(f"{seconds:.1f}")
            print(f"| {folder.name} | {size} | {' | '.join(scores + times)} |", flush=True)
    if args.svg:
        args.svg.write_text(plot(figures), encoding="utf-8")


if __name__ == "__main__":
    main()
