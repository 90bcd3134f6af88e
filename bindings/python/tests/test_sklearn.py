"""scikit-learn: estimators of texts, sequences and tags."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eigentree as et

pytest.importorskip("sklearn")
from sklearn.base import clone  # type: ignore[import-untyped, unused-ignore]  # noqa: E402
from sklearn.exceptions import NotFittedError  # type: ignore[import-untyped, unused-ignore]  # noqa: E402
from sklearn.feature_extraction.text import CountVectorizer  # type: ignore[import-untyped, unused-ignore]  # noqa: E402
from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped, unused-ignore]  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score  # type: ignore[import-untyped, unused-ignore]  # noqa: E402
from sklearn.pipeline import make_pipeline  # type: ignore[import-untyped, unused-ignore]  # noqa: E402
from sklearn.utils import estimator_checks  # type: ignore[import-untyped, unused-ignore]  # noqa: E402

from eigentree.sklearn import (  # noqa: E402
    BrownClusters,
    LatentVariableTagger,
    SpectralClusters,
    SpectralSequenceModel,
    TruncatedSVD,
)

ESTIMATORS = [SpectralClusters(5, min_count=1), BrownClusters(5, min_count=1), SpectralSequenceModel(), LatentVariableTagger()]


@pytest.fixture(scope="module")
def tagged(trees: Path) -> tuple[list[list[str]], list[list[str]]]:
    found = [et.Tree(line) for line in trees.read_text().splitlines()[:200]]
    return [tree.words for tree in found], [tree.tags for tree in found]


# Those of scikit-learn's checks that bring no matrix as data. `check_estimator` runs none of them for estimators of texts.
CHECKS = [
    "check_estimator_cloneable",
    "check_estimator_tags_renamed",
    "check_valid_tag_types",
    "check_estimator_repr",
    "check_no_attributes_set_in_init",
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_mixin_order",
    "check_parameters_default_constructible",
    "check_get_params_invariance",
    "check_set_params",
]


def test_the_truncated_svd_passes_all_checks() -> None:
    results = estimator_checks.check_estimator(TruncatedSVD(n_components=1), on_fail=None)
    assert [one["check_name"] for one in results if one["status"] == "failed"] == []
    assert sum(one["status"] == "passed" for one in results) > 40


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda item: type(item).__name__)
@pytest.mark.parametrize("check", CHECKS)
def test_estimators_of_texts_pass_the_checks_that_apply(estimator: Any, check: str) -> None:
    getattr(estimator_checks, check)(type(estimator).__name__, clone(estimator))


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda item: type(item).__name__)
def test_estimators_of_texts_keep_the_rules_of_fitting(estimator: Any) -> None:
    """What the other checks ask for, on data that fits."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", estimator_checks.SkipTestWarning)
        assert [one["status"] for one in estimator_checks.check_estimator(estimator)] == ["passed"]
    X = [["the", "dog", "barks"], ["a", "cat", "sleeps"], ["the", "cat", "barks"], ["a", "dog", "sleeps"]] * 10
    y = [["D", "N", "V"]] * len(X)
    before = [list(words) for words in X]
    twin = clone(estimator)
    method = next(getattr(twin, name) for name in ("transform", "predict") if hasattr(twin, name))
    with pytest.raises(NotFittedError):
        method(X)
    parameters = twin.get_params()
    assert twin.fit(X, y) is twin and twin.get_params() == parameters and X == before
    first = method(X)
    assert (len(first) if isinstance(first, list) else first.shape[0]) == len(X)
    twin.fit(X, y)
    again = method(X)
    assert first == again if isinstance(first, list) else np.array_equal(_dense(first), _dense(again))


def _dense(found: Any) -> Any:
    return found.toarray() if hasattr(found, "toarray") else found


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda item: type(item).__name__)
def test_estimators_are_cloned_and_refuse_what_they_cannot_learn_from(estimator: Any) -> None:
    twin = clone(estimator)
    assert twin is not estimator and twin.get_params() == estimator.get_params()
    for wrong in ("one text", 3, [3], [], [["two words"]], [[""]]):
        with pytest.raises(ValueError):
            twin.fit(wrong, [["A"]])


def test_clusters_describe_texts(text: list[str]) -> None:
    spectral = SpectralClusters(20, min_count=1, n_components=8)
    vectors = spectral.fit_transform(text)
    assert vectors.shape == (len(text), 8) and np.isfinite(vectors).all()
    assert list(spectral.get_feature_names_out())[:2] == ["vector0", "vector1"]
    assert np.array_equal(pickle.loads(pickle.dumps(spectral)).transform(text), vectors)
    assert np.array_equal(clone(spectral).fit_transform([line.split() for line in text]), vectors)
    assert spectral.transform(["unknownword"]).tolist() == [[0.0] * 8]
    for estimator in (SpectralClusters(20, min_count=1, output="counts"), BrownClusters(20, min_count=1)):
        counts = estimator.fit_transform(text)
        names = estimator.get_feature_names_out()
        assert counts.shape == (len(text), len(names)) and counts[0].sum() == 4 * len(text[0].split())
        paths = estimator.set_params(output="paths").transform(text[:3])
        assert paths == [[estimator.clusters_[word] for word in line.split()] for line in text[:3]]
        assert estimator.paths(["unknownword"]) == [""]
    with pytest.raises(ValueError, match="no vectors"):
        estimator.vectors(["dog"])


def test_clusters_in_a_pipeline_and_a_search(text: list[str]) -> None:
    labels = [int("saw" in line or "cat" in line) for line in text]
    model = make_pipeline(BrownClusters(30, min_count=1), LogisticRegression(max_iter=500))
    assert cross_val_score(model, text, labels, cv=3).mean() > max(np.mean(labels), 1 - np.mean(labels)) - 0.05
    search = GridSearchCV(
        make_pipeline(SpectralClusters(10, min_count=1), LogisticRegression()), {"spectralclusters__n_components": [2, 5]}, cv=2
    ).fit(text, labels)
    assert search.best_params_["spectralclusters__n_components"] in (2, 5)
    paths = make_pipeline(BrownClusters(10, min_count=1, output="paths"), CountVectorizer(analyzer=lambda bits: bits))
    assert paths.fit_transform(text).shape[0] == len(text)


def test_sequence_models() -> None:
    chance = np.random.default_rng(1)
    # A symbol repeats or not depending on a hidden state.
    sequences = [[int(symbol) for symbol in np.cumsum(chance.random(12) < 0.2) % 2] for _ in range(200)]
    model = SpectralSequenceModel(n_states=3).fit(sequences)
    scores = model.score_samples(sequences[:5])
    assert scores.shape == (5,) and (scores < 0).all()
    assert model.score(sequences) > SpectralSequenceModel(learner="ngram", order=1).fit(sequences).score(sequences)
    assert model.predict([[0, 0], [1, 1, 1]]) == [0, 1]
    assert pickle.loads(pickle.dumps(model)).score(sequences) == model.score(sequences)
    search = GridSearchCV(SpectralSequenceModel(), {"n_states": [1, 3]}, cv=3).fit(sequences)
    assert search.best_params_["n_states"] in (1, 3)
    assert model.fit(["a b a", "a b"] * 10).predict(["a"]) == ["b"]


def test_taggers(tagged: tuple[list[list[str]], list[list[str]]]) -> None:
    X, y = tagged
    tagger = LatentVariableTagger(n_clusters=10, passes=4)
    assert tagger.fit(X[:150], y[:150]).score(X[150:], y[150:]) > 0.9
    assert pickle.loads(pickle.dumps(tagger)).predict(X[:3]) == tagger.predict(X[:3])
    assert tagger.predict([[], X[0], []])[1] == tagger.predict([X[0]])[0]
    search = GridSearchCV(LatentVariableTagger(n_clusters=0), {"passes": [1, 4]}, cv=2).fit(X, y)
    assert search.best_score_ > 0.8
    numbers = LatentVariableTagger(n_clusters=0).fit([["a", "b"]] * 5, [[0, 1]] * 5)
    assert numbers.predict([["a", "b"]]) == [[0, 1]]
    with pytest.raises(ValueError, match="2 words, but 1 tags"):
        tagger.fit([["a", "b"]], [["A"]])
