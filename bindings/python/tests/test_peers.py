"""Other libraries: scikit-learn, scipy, NLTK, conllu, pandas, polars, pyarrow."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import eigentree as et


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


@pytest.mark.parametrize("name", ["vectors.txt", "vectors.bin"])
def test_gensim_reads_our_vectors(tmp_path: Path, text: list[str], name: str) -> None:
    models = pytest.importorskip("gensim.models")
    _, vectors = et.train.cluster(text, clusters=10, min_count=1, rank=8)
    assert vectors is not None
    vectors.save(tmp_path / name)
    theirs = models.KeyedVectors.load_word2vec_format(str(tmp_path / name), binary=name.endswith(".bin"))
    assert list(theirs.index_to_key) == vectors.words and np.array_equal(theirs.vectors, vectors.matrix)
    nearest = [word for word, _ in vectors.nearest("dog", 3)]
    assert nearest == [word for word, _ in theirs.most_similar("dog", topn=3)]
    theirs.save_word2vec_format(str(tmp_path / ("again" + name)), binary=name.endswith(".bin"))
    again = et.Vectors.load(tmp_path / ("again" + name))
    assert again.words == vectors.words and np.allclose(again.matrix, vectors.matrix, atol=1e-5)
