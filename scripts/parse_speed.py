#!/usr/bin/env python3
"""Parses the same tagged sentences with UDPipe 1 and with Eigentree in turn, and prints words per second of one thread.

    pip install ufal.udpipe
    scripts/parse_speed.py MODEL SENTENCES --train TREEBANK [--eigentree PROGRAM] [--rounds N] [--work FOLDER]

MODEL is a parser of Eigentree. A parser of UDPipe with its default sizes is trained on TREEBANK in one pass, which does not
change its speed, unless it is in --work already. Both read CoNLL-U, parse with the given tags and write CoNLL-U; times are
processor seconds, with loading the model for Eigentree and without for UDPipe.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

from udpipe_peer import cpu, load, sentences, train


def udpipe_speed(model, path):
    """Words per second of reading, parsing and writing."""
    import ufal.udpipe as udpipe

    writer, error, words = udpipe.OutputFormat.newConlluOutputFormat(), udpipe.ProcessingError(), 0
    start = cpu()
    for sentence in sentences(path):
        if not model.parse(sentence, "", error):
            sys.exit(error.message)
        writer.writeSentence(sentence)
        words += len(sentence.words) - 1
    return words / (cpu() - start)


def eigentree_speed(program, model, path, output):
    command = [program, "parse", model, path, "--threads", "1", "-o", output, "--json"]
    figures = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return figures["words"] / figures["cpu_seconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("sentences", type=Path)
    parser.add_argument("--train", type=Path, required=True)
    parser.add_argument("--eigentree", default="eigentree")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--work", type=Path, default=Path("."))
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    train(args.work / "speed.udpipe", args.train, parser="iterations=1")
    udpipe = load(args.work / "speed.udpipe")
    rounds = []
    for _ in range(args.rounds):
        theirs = udpipe_speed(udpipe, args.sentences)
        ours = eigentree_speed(args.eigentree, args.model, args.sentences, args.work / "parsed.conllu")
        rounds.append((theirs, ours, ours / theirs))
        print(f"UDPipe {theirs:,.0f} words/s, Eigentree {ours:,.0f} words/s, {ours / theirs:.1f} times", flush=True)
    middle = [sorted(column)[len(rounds) // 2] for column in zip(*rounds)]
    print("medians: UDPipe {:,.0f} words/s, Eigentree {:,.0f} words/s, {:.1f} times".format(*middle))


if __name__ == "__main__":
    main()
