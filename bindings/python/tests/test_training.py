"""Training, evaluation, comparison; data in many forms."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import eigentree as et
from eigentree import _native


def test_the_same_bytes_as_the_program(folder: Path, trees: Path, grammar: et.Parser) -> None:
    other = folder / "other.eig"
    _native.call(["train", "lpcfg", "--quality=fast", f"--output={other}", str(trees)], threads=2)
    assert grammar.path is not None
    assert other.read_bytes() == Path(grammar.path).read_bytes()


def test_trees_from_paths_strings_lists_and_objects(trees: Path) -> None:
    lines = trees.read_text().splitlines()
    wanted = et.train.pcfg(trees).checksum
    assert et.train.pcfg(str(trees)).checksum == wanted
    assert et.train.pcfg([trees]).checksum == wanted
    assert et.train.pcfg(trees.read_text()).checksum == wanted
    assert et.train.pcfg(lines).checksum == wanted
    assert et.train.pcfg([et.Tree(line) for line in lines]).checksum == wanted
    assert et.train.pcfg(et.Tree(line) for line in lines).checksum == wanted


def test_sentences_from_strings_documents_and_pairs(tmp_path: Path, conllu: str) -> None:
    path = tmp_path / "train.conllu"
    path.write_text(conllu)
    wanted = et.train.mst(path, quality="fast").checksum
    assert et.train.mst(conllu, quality="fast").checksum == wanted
    document = et.Document.from_conllu(conllu)
    assert et.train.mst(document, quality="fast").checksum == wanted
    assert et.train.mst([document], quality="fast").checksum == wanted
    assert et.train.mst(list(document), quality="fast").checksum == wanted
    pairs = [[(word.form, word.upos) for word in sentence] for sentence in document]
    tagger = et.train.tagger(pairs)
    assert [word.upos for word in tagger("Dogs bark .").words] == ["NOUN", "VERB", "PUNCT"]


def test_another_language_is_learnt_from(conllu: str) -> None:
    alone = et.train.mst(conllu, quality="fast")
    helped = et.train.mst(conllu, source=[conllu, conllu], quality="fast")
    assert helped.checksum != alone.checksum
    assert helped.report is not None and helped.report["figures"]["sentences_of_other_languages"] == 2 * conllu.count("\n\n")


def test_tables(conllu: str) -> None:
    document = et.Document.from_conllu(conllu)
    rows = [
        {"sentence": number, "form": word.form, "lemma": word.lemma, "upos": word.upos, "xpos": word.xpos,
         "head": word.head, "deprel": word.deprel}
        for number, sentence in enumerate(document)
        for word in sentence
    ]  # fmt: skip
    pandas = pytest.importorskip("pandas")
    pyarrow = pytest.importorskip("pyarrow")
    checksums = {
        et.train.mst(table, quality="fast").checksum for table in (pandas.DataFrame(rows), pyarrow.Table.from_pylist(rows))
    }
    assert len(checksums) == 1


def test_entities() -> None:
    sentences = [
        [("Anna", "B-PER"), ("lives", "O"), ("in", "O"), ("Berlin", "B-LOC"), (".", "O")],
        [("She", "O"), ("met", "O"), ("John", "B-PER"), ("Smith", "I-PER"), (".", "O")],
    ] * 40
    tagger = et.train.ner(sentences)
    entities = tagger("Anna lives in Berlin .\nShe met John Smith .").entities
    assert [(entity.label, entity.text) for entity in entities] == [
        ("PER", "Anna"), ("LOC", "Berlin"), ("PER", "John Smith"),
    ]  # fmt: skip
    assert [word.form for word in entities[2].words] == ["John", "Smith"]
    assert (entities[2].start_char, entities[2].end_char) == (31, 41)
    assert entities[2].confidence is not None and 0.5 < entities[2].confidence <= 1


def test_clusters_and_vectors(tmp_path: Path, text: list[str]) -> None:
    clusters, vectors = et.train.cluster(text, clusters=10, min_count=1, output=tmp_path / "c.eig")
    assert clusters.n_clusters == 10 and "dog" in clusters and len(clusters) == len(clusters.words)
    assert set(clusters["dog"]) <= {"0", "1"}
    assert clusters.get("dog", length=2) == clusters["dog"][:2] and clusters.get("zebra") is None
    assert dict(clusters.features("dog"))["path4"] == clusters["dog"][:4]
    assert clusters.counts.sum() == sum(len(line.split()) for line in text)
    with pytest.raises(ValueError, match="read-only"):
        clusters.counts[0] = 1
    with pytest.raises(KeyError):
        clusters["zebra"]
    assert vectors is not None and vectors.words[: len(clusters)] == clusters.words
    with pytest.raises(ValueError, match="read-only"):
        vectors.matrix[0, 0] = 1
    for name in ("v.txt", "v.bin", "v.npy"):
        vectors.save(tmp_path / name)
        assert et.Vectors.load(tmp_path / name) == vectors
    assert len(vectors.nearest("dog", 3)) == 3
    assert clusters.below(clusters["dog"])[0][3].count("dog") == 1
    exchange, none = et.train.cluster(text, clusters=10, min_count=1, method="exchange")
    assert none is None and exchange.n_clusters == 10


def test_clusters_and_vectors_are_features(conllu: str, text: list[str]) -> None:
    clusters, vectors = et.train.cluster(text, clusters=10, min_count=1)
    plain = et.train.tagger(conllu).nbytes
    assert et.train.tagger(conllu, clusters=clusters).nbytes > plain
    tagger = et.train.tagger(conllu, vectors=vectors)
    names = [name for name in tagger.arrays() if name.endswith("vectors")]
    view = tagger.array(names[0])
    assert vectors is not None and view.shape == vectors.matrix.shape
    assert not view.flags.writeable and not view.flags.owndata
    del tagger
    assert abs(float(view.std()) - 1) < 0.1


def test_sequences() -> None:
    model = et.train.automaton(["a b a b", "a b", "b a b a b"] * 30, rank=2)
    predicted = model.predict(["a"], 1)
    assert predicted[0][0] == "b" and predicted[0][1] > 0.5
    assert model.log_probability(["a", "b"]) > model.log_probability(["b", "b"])


def test_evaluation_and_comparison(tmp_path: Path, trees: Path, grammar: et.Parser, text: list[str]) -> None:
    gold = trees.read_text().splitlines()[:50]
    predicted = [str(grammar(line)[0].tree) for line in text[:50]]
    report = et.evaluate(gold, predicted, kind="trees")
    assert 50 < report["brackets"]["f1"] <= 100 and "F1" in str(report)
    assert report.rows()[0]["measure"] == "brackets"
    assert et.evaluate(gold, gold, kind="trees")["brackets"]["f1"] == 100
    compared = et.compare.lpcfg(trees, dev=trees, learners=["pcfg", "spectral"], states=[4], em_steps="2")
    assert len(compared.rows()) >= 2
    pandas = pytest.importorskip("pandas")
    assert isinstance(compared.to_pandas(), pandas.DataFrame) and len(compared.to_pandas()) == len(compared.rows())


def test_models_are_pickled_as_path_and_checksum(tmp_path: Path, grammar: et.Parser, trees: Path) -> None:
    data = pickle.dumps(grammar)
    assert len(data) < 500 and pickle.loads(data) == grammar
    copy = grammar.save(tmp_path / "copy.eig")
    assert type(copy) is et.Parser and copy == grammar
    data = pickle.dumps(copy)
    et.train.pcfg(trees, output=tmp_path / "copy.eig")
    with pytest.raises(et.ModelError, match="has changed since"):
        pickle.loads(data)
    (tmp_path / "copy.eig").unlink()
    with pytest.raises(FileNotFoundError):
        pickle.loads(data)
    # A model that was never saved is pickled whole.
    loose = et.train.pcfg(trees)
    assert loose.path is None
    again = pickle.loads(pickle.dumps(loose))
    assert again == loose and str(again("the dog barked .")[0].tree) == str(loose("the dog barked .")[0].tree)


def test_reports_tell_stages_and_scores(trees: Path) -> None:
    model = et.train.lpcfg(trees, dev=trees, quality="fast")
    assert model.report is not None
    assert model.report["dev"]["brackets"]["f1"] > 50 and model.report["stages"]
    assert model.metadata["family"] == model.family == "lpcfg"


def test_progress_is_told_and_its_exceptions_stop_the_work(trees: Path) -> None:
    heard: list[tuple[str, int, int | None, str | None]] = []
    et.train.lpcfg(trees, quality="fast", progress=lambda *event: heard.append(event))
    assert len({stage for stage, *_ in heard}) > 2
    assert all(total is None or done <= total for _, done, total, _ in heard)

    def complain(*event: object) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        et.train.lpcfg(trees, quality="best", progress=complain)


INTERRUPTED = """
import os, signal, threading, time, sys
import eigentree as et
threading.Timer({delay}, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
start = time.monotonic()
try:
    {work}
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - start)
"""


@pytest.mark.parametrize("work", ["train", "annotate", "pipe"])
def test_control_c_stops_within_a_second(tmp_path: Path, trees: Path, pipeline: et.Pipeline, work: str) -> None:
    output = tmp_path / "never.eig"
    lines = {
        "train": f"et.train.lpcfg({str(trees)!r}, learner='em', states=32, em_steps=10000, output={str(output)!r})",
        "annotate": f"et.load({str(pipeline.path)!r})('Dogs bark. ' * 4_000_000)",
        "pipe": f"list(et.load({str(pipeline.path)!r}).pipe(('Dogs bark.' for _ in iter(int, 1)), threads=2))",
    }
    code = INTERRUPTED.format(delay=1.0, work=lines[work])
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert ran.stdout.startswith("interrupted"), ran.stdout + ran.stderr
    assert float(ran.stdout.split()[1]) < 10
    assert not list(tmp_path.iterdir()), "no unfinished file stays"


def test_models_work_after_fork_and_in_threads(pipeline: et.Pipeline) -> None:
    wanted = pipeline("Dogs bark.")
    list(pipeline.pipe(["Dogs bark."] * 100, threads=2))
    child = os.fork()
    if child == 0:
        fine = pipeline("Dogs bark.") == wanted and len(list(pipeline.pipe(["Dogs bark."] * 100, threads=2))) == 100
        os._exit(0 if fine else 1)
    start = time.monotonic()
    while time.monotonic() - start < 60:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.01)
    else:
        os.kill(child, signal.SIGKILL)
        pytest.fail("the child hangs")
    assert os.waitstatus_to_exitcode(status) == 0
    found = []
    threads = [threading.Thread(target=lambda: found.append(pipeline("Dogs bark."))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [wanted] * 8

