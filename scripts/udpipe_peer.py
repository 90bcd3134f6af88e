"""UDPipe 1 as the other program of a comparison: reading, training, loading. Needs `pip install ufal.udpipe`."""

import gzip
import json
import resource
import subprocess
import sys
from pathlib import Path


def cpu(who=resource.RUSAGE_SELF):
    """Processor seconds so far, of this process or of its children."""
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def run(program, *arguments):
    """Runs a command; returns its processor seconds and standard output."""
    start = cpu(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return cpu(resource.RUSAGE_CHILDREN) - start, done.stdout


def unpacked(folder, split, work):
    """The path of a split as plain CoNLL-U."""
    plain = folder / f"{split}.conllu"
    if plain.exists():
        return plain
    target = work / f"{folder.name}-{split}.conllu"
    if not target.exists():
        target.write_bytes(gzip.open(folder / f"{split}.conllu.gz").read())
    return target


def sentences(path):
    """The sentences of a treebank, one after the other."""
    import ufal.udpipe as udpipe

    reader = udpipe.InputFormat.newConlluInputFormat()
    reader.setText(path.read_text(encoding="utf-8"))
    error, sentence = udpipe.ProcessingError(), udpipe.Sentence()
    while reader.nextSentence(sentence, error):
        yield sentence
        sentence = udpipe.Sentence()
    if error.occurred():
        sys.exit(f"{path}: {error.message}")


def train(model, treebank, *, tokenizer="none", tagger="none", parser="none"):
    """Trains a model unless it is there; returns the processor seconds that it took. An empty string stands for default settings."""
    import ufal.udpipe as udpipe

    times = Path(f"{model}.json")
    if not (model.exists() and times.exists()):
        trees, error = udpipe.Sentences(), udpipe.ProcessingError()
        for sentence in sentences(treebank):
            trees.append(sentence)
        start = cpu()
        trained = udpipe.Trainer.train("morphodita_parsito", trees, udpipe.Sentences(), tokenizer, tagger, parser, error)
        if error.occurred():
            sys.exit(f"{model}: {error.message}")
        seconds = cpu() - start
        model.write_bytes(trained if isinstance(trained, bytes) else trained.encode("utf-8", "surrogateescape"))
        times.write_text(json.dumps({"train_cpu": seconds}))
    return json.loads(times.read_text())["train_cpu"]


def load(model):
    import ufal.udpipe as udpipe

    return udpipe.Model.load(str(model)) or sys.exit(f"cannot load {model}")
