#!/usr/bin/env python3
"""Trains UDPipe 1 and Eigentree on the same treebanks and scores both from raw text and from given words.

    pip install ufal.udpipe
    scripts/compare_udpipe.py DATA TREEBANK... [--eigentree PROGRAM] [--split dev|test] [--work FOLDER]

DATA holds one folder per treebank with train, dev and test as CoNLL-U, packed or not. Tokenizer, tagger and parser of
both programs are trained with their default settings on the training part alone. Both annotate the words of the treebank
with their own tags, and its running text. UDPipe models that are already in --work are not trained again; their times
come from the first run. Times are processor seconds of one thread. Words per second are those from raw text to CoNLL-U:
without loading the model for UDPipe, with it for Eigentree. The table is Markdown; each cell has UDPipe before Eigentree,
in bold where Eigentree is not ahead.
"""

import argparse
import gzip
import json
import resource
import subprocess
import sys
from pathlib import Path

FIGURES = ["upos", "xpos", "ufeats", "lemmas", "uas", "las", "mlas", "blex"]
RAW_FIGURES = ["tokens", "sentences", "words"] + FIGURES


def unpacked(folder, split, work):
    """The path of a split as plain CoNLL-U."""
    plain = folder / f"{split}.conllu"
    if plain.exists():
        return plain
    target = work / f"{folder.name}-{split}.conllu"
    if not target.exists():
        target.write_bytes(gzip.open(folder / f"{split}.conllu.gz").read())
    return target


def cpu(who):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def udpipe_sentences(path):
    import ufal.udpipe as udpipe

    reader = udpipe.InputFormat.newConlluInputFormat()
    reader.setText(path.read_text(encoding="utf-8"))
    sentences, error = udpipe.Sentences(), udpipe.ProcessingError()
    sentence = udpipe.Sentence()
    while reader.nextSentence(sentence, error):
        sentences.append(sentence)
        sentence = udpipe.Sentence()
    if error.occurred():
        sys.exit(f"{path}: {error.message}")
    return sentences


class UdPipe:
    """The two models of a treebank: tagger with parser, tokenizer."""

    def __init__(self, base, train):
        self.base = base
        default, none = "", "none"
        self.seconds = self.train("model", train, none, default, default)
        self.seconds += self.train("tokenizer", train, default, none, none)

    def train(self, name, train, tokenizer, tagger, parser):
        """Trains a model unless it is there; returns the processor seconds."""
        import ufal.udpipe as udpipe

        model, times = Path(f"{self.base}.udpipe-{name}"), Path(f"{self.base}.udpipe-{name}.json")
        if not (model.exists() and times.exists()):
            sentences, error = udpipe_sentences(train), udpipe.ProcessingError()
            start = cpu(resource.RUSAGE_SELF)
            trained = udpipe.Trainer.train(
                "morphodita_parsito", sentences, udpipe.Sentences(), tokenizer, tagger, parser, error
            )
            if error.occurred():
                sys.exit(f"{name}: {error.message}")
            seconds = cpu(resource.RUSAGE_SELF) - start
            model.write_bytes(trained if isinstance(trained, bytes) else trained.encode("utf-8", "surrogateescape"))
            times.write_text(json.dumps({"train_cpu": seconds}))
        return json.loads(times.read_text())["train_cpu"]

    def load(self, name):
        import ufal.udpipe as udpipe

        model = udpipe.Model.load(f"{self.base}.udpipe-{name}")
        return model or sys.exit(f"cannot load {self.base}.udpipe-{name}")

    def annotate(self, sentences, output):
        """Tags and parses sentences; returns the number of their words."""
        import ufal.udpipe as udpipe

        loaded, writer = self.load("model"), udpipe.OutputFormat.newConlluOutputFormat()
        error, words, text = udpipe.ProcessingError(), 0, []
        self.start = cpu(resource.RUSAGE_SELF)
        for sentence in sentences:
            words += len(sentence.words) - 1
            if not (loaded.tag(sentence, "", error) and loaded.parse(sentence, "", error)):
                sys.exit(error.message)
            text.append(writer.writeSentence(sentence))
        output.write_text("".join(text), encoding="utf-8")
        return words

    def on_words(self, words, output):
        """Annotates the words of a treebank."""
        self.annotate(udpipe_sentences(words), output)

    def on_text(self, text, output):
        """Annotates raw text; returns words per second."""
        import ufal.udpipe as udpipe

        # The tokenizer does not keep its model alive.
        model = self.load("tokenizer")
        tokenizer = model.newTokenizer("")
        tokenizer.setText(text.read_text(encoding="utf-8"))
        error = udpipe.ProcessingError()
        begin, sentences, sentence = cpu(resource.RUSAGE_SELF), [], udpipe.Sentence()
        while tokenizer.nextSentence(sentence, error):
            sentences.append(sentence)
            sentence = udpipe.Sentence()
        if error.occurred():
            sys.exit(error.message)
        spent = cpu(resource.RUSAGE_SELF) - begin
        words = self.annotate(sentences, output)
        return words / (spent + cpu(resource.RUSAGE_SELF) - self.start)


def run(program, *arguments):
    """Runs a command; returns its processor seconds and standard output."""
    start = cpu(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return cpu(resource.RUSAGE_CHILDREN) - start, done.stdout


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
        train, gold = (unpacked(folder, split, options.work) for split in ("train", options.split))
        base = options.work / folder.name
        udpipe = UdPipe(base, train)
        words, text, own = (Path(f"{base}-{options.split}{end}") for end in ("-words.conllu", ".txt", ".eig"))
        without_annotation(gold, words)
        run(options.eigentree, "convert", gold, "--to", "text", "-o", text)
        results = {key: Path(f"{base}-{options.split}-{key}.conllu") for key in ("uw", "ut", "ew", "et")}
        udpipe.on_words(words, results["uw"])
        udpipe_rate = udpipe.on_text(text, results["ut"])
        seconds, _ = run(options.eigentree, "train", "pipeline", train, "-o", own, "--threads", 1)
        run(options.eigentree, "tag", own, words, "-o", results["ew"], "--threads", 1)
        spent, _ = run(options.eigentree, "tag", own, text, "-o", results["et"], "--threads", 1)
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
            (udpipe_rate, count / spent, 0, lambda theirs, ours: ours >= theirs * 5),
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
