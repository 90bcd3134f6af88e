#!/usr/bin/env python3
"""Trains UDPipe 1 and Eigentree on the same treebanks and scores both with their own tags.

    pip install ufal.udpipe
    scripts/compare_udpipe.py DATA TREEBANK... [--eigentree PROGRAM] [--split dev|test] [--work FOLDER]

DATA holds one folder per treebank with train, dev and test as CoNLL-U, packed or not. UDPipe's tagger and parser are
trained with their default settings; its tokenizer is not trained, since both programs get the words of the treebank.
Eigentree trains its whole pipeline, tokenizer included. Models that are already in --work are not trained again; their
times come from the first run. Times are processor seconds, annotation runs on one thread. The table is Markdown; each
cell has UDPipe before Eigentree.
"""

import argparse
import gzip
import json
import resource
import subprocess
import sys
from pathlib import Path

FIGURES = ["upos", "xpos", "ufeats", "lemmas", "uas", "las", "mlas", "blex"]


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


def train_udpipe(train, model):
    """Trains UDPipe and returns the processor seconds."""
    import ufal.udpipe as udpipe

    times = Path(f"{model}.json")
    if model.exists() and times.exists():
        return json.loads(times.read_text())["train_cpu"]
    sentences, error = udpipe_sentences(train), udpipe.ProcessingError()
    start = cpu(resource.RUSAGE_SELF)
    default, none = udpipe.Trainer.DEFAULT, udpipe.Trainer.NONE
    trained = udpipe.Trainer.train("morphodita_parsito", sentences, udpipe.Sentences(), none, default, default, error)
    if error.occurred():
        sys.exit(error.message)
    seconds = cpu(resource.RUSAGE_SELF) - start
    model.write_bytes(trained if isinstance(trained, bytes) else trained.encode("utf-8", "surrogateescape"))
    times.write_text(json.dumps({"train_cpu": seconds}))
    return seconds


def run_udpipe(model, gold, output):
    """Annotates the words of a treebank; returns words per second."""
    import ufal.udpipe as udpipe

    loaded = udpipe.Model.load(str(model))
    if loaded is None:
        sys.exit(f"cannot load {model}")
    sentences = udpipe_sentences(gold)
    writer, error = udpipe.OutputFormat.newConlluOutputFormat(), udpipe.ProcessingError()
    start, words, text = cpu(resource.RUSAGE_SELF), 0, []
    for sentence in sentences:
        words += len(sentence.words) - 1
        for number in range(1, len(sentence.words)):
            word = sentence.words[number]
            word.lemma, word.upostag, word.xpostag, word.feats = "_", "_", "_", ""
        sentence.unlinkAllWords()
        default = udpipe.Pipeline.DEFAULT
        if not (loaded.tag(sentence, default, error) and loaded.parse(sentence, default, error)):
            sys.exit(error.message)
        text.append(writer.writeSentence(sentence))
    seconds = cpu(resource.RUSAGE_SELF) - start
    output.write_text("".join(text), encoding="utf-8")
    return words / seconds


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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("treebanks", nargs="+")
    parser.add_argument("--eigentree", default="eigentree")
    parser.add_argument("--split", default="dev", choices=["dev", "test"])
    parser.add_argument("--work", type=Path, default=Path("udpipe-comparison"))
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    print("| treebank | " + " | ".join(FIGURES) + " | training, s | words/s |")
    print("|---|" + "---|" * (len(FIGURES) + 2))
    for name in options.treebanks:
        folder = options.data / name
        train, gold = (unpacked(folder, split, options.work) for split in ("train", options.split))
        base = options.work / folder.name
        model = Path(f"{base}.udpipe")
        seconds = [train_udpipe(train, model)]
        rates = [run_udpipe(model, gold, Path(f"{base}-udpipe.conllu"))]
        words = Path(f"{base}-words.conllu")
        without_annotation(gold, words)
        own = Path(f"{base}.eig")
        seconds.append(run(options.eigentree, "train", "pipeline", train, "-o", own, "--threads", 1)[0])
        count = sum(line.split("\t")[0].isdigit() for line in words.read_text(encoding="utf-8").splitlines())
        spent, _ = run(options.eigentree, "tag", own, words, "-o", f"{base}-eigentree.conllu", "--threads", 1)
        rates.append(count / spent)
        scores = []
        for program in ("udpipe", "eigentree"):
            _, report = run(options.eigentree, "eval", gold, f"{base}-{program}.conllu", "--report", "json")
            scores.append(json.loads(report)["attachment"])
        cells = [" / ".join(f"{score[figure]:.2f}" for score in scores) for figure in FIGURES]
        cells += [" / ".join(f"{value:.0f}" for value in values) for values in (seconds, rates)]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
