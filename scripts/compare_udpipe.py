#!/usr/bin/env python3
"""Trains UDPipe 1 and Eigentree on the same treebanks and scores both from raw text and from given words.

    pip install ufal.udpipe
    scripts/compare_udpipe.py DATA TREEBANK... [--eigentree PROGRAM] [--split dev|test] [--work FOLDER]

DATA holds one folder per treebank with train, dev and test as CoNLL-U, packed or not. Tokenizer, tagger and parser of
both programs are trained with their default settings on the training part alone. Both annotate the words of the treebank
with their own tags, and its running text. UDPipe models that are already in --work are not trained again; their times
come from the first run. Times are processor seconds of one thread. Words per second are those from raw text to CoNLL-U
without loading the model: of Eigentree, what four more copies of the text take. The table is Markdown; each cell has UDPipe before Eigentree,
in bold where Eigentree is not ahead.
"""

import argparse
import json
import sys
from pathlib import Path

from udpipe_peer import cpu, load, run, sentences, train, unpacked

FIGURES = ["upos", "xpos", "ufeats", "lemmas", "uas", "las", "mlas", "blex"]
RAW_FIGURES = ["tokens", "sentences", "words"] + FIGURES


class UdPipe:
    """The two models of a treebank: tagger with parser, tokenizer."""

    def __init__(self, base, treebank):
        self.base = base
        self.seconds = train(self.model("model"), treebank, tagger="", parser="")
        self.seconds += train(self.model("tokenizer"), treebank, tokenizer="")

    def model(self, name):
        return Path(f"{self.base}.udpipe-{name}")

    def annotate(self, untagged, output):
        """Tags and parses sentences; returns the number of their words."""
        import ufal.udpipe as udpipe

        loaded, writer = load(self.model("model")), udpipe.OutputFormat.newConlluOutputFormat()
        error, words, text = udpipe.ProcessingError(), 0, []
        self.start = cpu()
        for sentence in untagged:
            words += len(sentence.words) - 1
            if not (loaded.tag(sentence, "", error) and loaded.parse(sentence, "", error)):
                sys.exit(error.message)
            text.append(writer.writeSentence(sentence))
        output.write_text("".join(text), encoding="utf-8")
        return words

    def on_words(self, words, output):
        """Annotates the words of a treebank."""
        self.annotate(sentences(words), output)

    def on_text(self, text, output):
        """Annotates raw text; returns words per second."""
        import ufal.udpipe as udpipe

        # The tokenizer does not keep its model alive.
        model = load(self.model("tokenizer"))
        tokenizer = model.newTokenizer("")
        tokenizer.setText(text.read_text(encoding="utf-8"))
        error = udpipe.ProcessingError()
        begin, split, sentence = cpu(), [], udpipe.Sentence()
        while tokenizer.nextSentence(sentence, error):
            split.append(sentence)
            sentence = udpipe.Sentence()
        if error.occurred():
            sys.exit(error.message)
        spent = cpu() - begin
        words = self.annotate(split, output)
        return words / (spent + cpu() - self.start)


def without_annotation(gold, path):
    """The words of a treebank and nothing else."""
    with path.open("w", encoding="utf-8") as target:
        for line in gold.read_text(encoding="utf-8").splitlines():
            fields = line.split("\t")
            if len(fields) == 10:
                line = "\t".join(fields[:2] + ["_"] * 7 + fields[9:])
            target.write(line + "\n")


def row(name, values):
    """A row of the table; values are pairs, and the better second number is what we are after."""
    cells = []
    for theirs, ours, decimals, ahead in values:
        cell = f"{theirs:.{decimals}f} / {ours:.{decimals}f}"
        cells.append(cell if ahead(round(theirs, decimals), round(ours, decimals)) else f"**{cell}**")
    return f"| {name} | " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("treebanks", nargs="+")
    parser.add_argument("--eigentree", default="eigentree")
    parser.add_argument("--split", default="dev", choices=["dev", "test"])
    parser.add_argument("--work", type=Path, default=Path("udpipe-comparison"))
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    higher = lambda theirs, ours: ours > theirs or ours == 100.0
    given, raw, cost = [], [], []
    for name in options.treebanks:
        folder = options.data / name
        treebank, gold = (unpacked(folder, split, options.work) for split in ("train", options.split))
        base = options.work / folder.name
        udpipe = UdPipe(base, treebank)
        words, text, own = (Path(f"{base}-{options.split}{end}") for end in ("-words.conllu", ".txt", ".eig"))
        without_annotation(gold, words)
        run(options.eigentree, "convert", gold, "--to", "text", "-o", text)
        results = {key: Path(f"{base}-{options.split}-{key}.conllu") for key in ("uw", "ut", "ew", "et")}
        udpipe.on_words(words, results["uw"])
        udpipe_rate = udpipe.on_text(text, results["ut"])
        seconds, _ = run(options.eigentree, "train", "pipeline", treebank, "-o", own, "--threads", 1)
        run(options.eigentree, "tag", own, words, "-o", results["ew"], "--threads", 1)
        once, _ = run(options.eigentree, "tag", own, text, "-o", results["et"], "--threads", 1)
        copies = Path(f"{base}-{options.split}-copies.txt")
        copies.write_text("\n\n".join([text.read_text(encoding="utf-8")] * 5), encoding="utf-8")
        spent, _ = run(options.eigentree, "tag", own, copies, "-o", f"{base}-copies.conllu", "--threads", 1)
        count = sum(line.split("\t")[0].isdigit() for line in results["et"].read_text(encoding="utf-8").splitlines())
        scores = {}
        for key, path in results.items():
            align = ["--align"] if key.endswith("t") else []
            _, report = run(options.eigentree, "eval", gold, path, "--report", "json", *align)
            scores[key] = json.loads(report)["attachment"]
            for part, counts in scores[key].get("segmentation", {}).items():
                scores[key][part] = counts["f1"]
        pairs = lambda one, two, figures: [(scores[one][f], scores[two][f], 2, higher) for f in figures]
        given.append(row(name, pairs("uw", "ew", FIGURES)))
        raw.append(row(name, pairs("ut", "et", RAW_FIGURES)))
        cost.append(row(name, [
            (udpipe.seconds, seconds, 1, lambda theirs, ours: ours * 5 <= theirs),
            (udpipe_rate, 4 * count / (spent - once), 0, lambda theirs, ours: ours >= theirs * 5),
        ]))
        print(f"{name}: done", file=sys.stderr)
    for title, figures, rows in (
        ("given words", FIGURES, given),
        ("raw text", RAW_FIGURES, raw),
        ("cost", ["training, s", "words/s"], cost),
    ):
        print(f"| {title} | " + " | ".join(figures) + " |\n|---|" + "---|" * len(figures))
        print("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
