"""Other libraries: scikit-learn, scipy, NLTK, conllu, pandas, polars, pyarrow."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import eigentree as et


def test_the_truncated_svd_is_an_estimator() -> None:
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    from eigentree.sklearn import TruncatedSVD

    results = checks.check_estimator(TruncatedSVD(n_components=1), on_fail=None)
    assert [result["check_name"] for result in results if result["status"] == "failed"] == []
    assert sum(result["status"] == "passed" for result in results) > 30


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_the_truncated_svd_agrees_with_a_dense_one(kind: str) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    from eigentree.sklearn import TruncatedSVD

    chance = np.random.default_rng(1)
    matrix = sparse.random(300, 200, 0.05, format="csr", random_state=chance, dtype=kind)
    svd = TruncatedSVD(20, tol=1e-5)
    found = svd.fit_transform(matrix)
    wanted = np.linalg.svd(matrix.toarray().astype("float64"), compute_uv=False)[:20]
    assert found.dtype == kind and np.allclose(svd.singular_values_, wanted, rtol=1e-4)
    assert np.allclose(svd.transform(matrix), found, atol=1e-3)
    again = pickle.loads(pickle.dumps(svd))
    assert np.array_equal(again.components_, svd.components_)
    assert 0 < svd.explained_variance_ratio_.sum() < 1


def test_trees_of_nltk(trees: Path) -> None:
    nltk = pytest.importorskip("nltk")
    from eigentree.nltk import EigentreeParser, from_nltk, to_nltk

    lines = trees.read_text().splitlines()
    for line in lines[:50]:
        assert str(from_nltk(to_nltk(et.Tree(line)))) == line
    theirs = [nltk.Tree.fromstring(line) for line in lines]
    assert et.train.pcfg(theirs).checksum == et.train.pcfg(trees).checksum
    parser = EigentreeParser(et.train.pcfg(trees), n=3)
    found = list(parser.parse("the dog saw a cat .".split()))
    assert 1 <= len(found) <= 3 and found[0].leaves() == "the dog saw a cat .".split()
    assert sum(tree.prob() for tree in found) == pytest.approx(1)
    assert [tree.prob() for tree in found] == sorted((tree.prob() for tree in found), reverse=True)
    assert list(parser.parse([])) == []


def test_conllu_reads_what_we_write(pipeline: et.Pipeline) -> None:
    conllu = pytest.importorskip("conllu")
    document = pipeline("The old man saw a dog in the park. Dogs bark.")
    theirs = conllu.parse(document.to_conllu())
    assert [token["form"] for sentence in theirs for token in sentence] == [word.form for word in document.words]
    again = et.Document.from_conllu("".join(sentence.serialize() for sentence in theirs))
    assert [word.head for word in again.words] == [word.head for word in document.words]


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_tables_round_trip(conllu: str, library: str) -> None:
    pytest.importorskip(library)
    document = et.Document.from_conllu(conllu)
    table = {"pandas": document.to_pandas, "polars": document.to_polars, "pyarrow": document.to_arrow}[library]()
    assert len(table) == len(document.words)
    assert et.train.mst(table, quality="fast").checksum == et.train.mst(conllu, quality="fast").checksum
