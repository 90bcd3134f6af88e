"""Training of word clusters, with the options of the program.

Written by generate.py from the options of the program: do not edit.
"""

from __future__ import annotations

from typing import Any, Literal

from .. import _commands
from .._data import Data, StrPath
from .._native import Clusters
from ..progress import Progress
from ..vectors import Vectors

__all__ = ["cluster"]


def cluster(
    texts: Data,
    *,
    output: StrPath | None = None,
    paths: StrPath | None = None,
    clusters: int | None = None,
    method: Literal["spectral+exchange", "spectral", "exchange", "brown"] | None = None,
    paper: bool = False,
    counts: Data | None = None,
    work: Data | None = None,
    vectors: Data | None = None,
    tree: Data | None = None,
    picture: Data | None = None,
    picture_depth: int | None = None,
    picture_words: int | None = None,
    vocab: int | None = None,
    min_count: int | None = None,
    unknown: str | float | None = None,
    boundaries: Literal["lines", "none"] | None = None,
    lossy: bool = False,
    context: str | float | None = None,
    kappa: float | None = None,
    transform: str | float | None = None,
    rank: int | None = None,
    ward: Literal["plain", "weighted"] | None = None,
    hierarchy: Literal["bottom-up", "top-down"] | None = None,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress = None,
) -> tuple[Clusters, Vectors | None]:
    """Cluster words by their neighbours, and arrange the clusters in a tree.

    The input is tokenised text, one sentence per line with tokens separated by spaces, or count files written
    by `count` or `merge`. The output lists Brown paths, one word per line: the bit string of its cluster, the
    word, and its count. Quality is measured as the mutual information of adjacent clusters, in nats.

    Args:
        texts: Text files, plain or compressed, or count files
        output: File for the model; without it, the model stays in memory until it is saved
        paths: File for Brown paths
        threads: Number of threads; 0 means one per core
        progress: True shows a bar; a function is called with stage, units done, total, note
        clusters: Number of clusters [default: 1000]
        method: Clustering algorithm [default: spectral+exchange]
        paper: Exactly the method of Stratos et al. (2014), without our extensions; the report names all
            constants
        counts: Also save the counts; `cluster` accepts them instead of the text
        work: Keep counts and vectors in this folder, so that an interrupted run resumes from them
        vectors: Also write the word vectors of a spectral method: word2vec text, word2vec binary for
            names ending in .bin, or NumPy for names ending in .npy with the words in a second file ending
            in .words
        tree: Also write the tree with all words as JSON
        picture: Also draw the tree with the top words of each cluster, as SVG or, for names ending in
            .html, as a web page
        picture_depth: Draw the tree to this depth [default: as deep as it remains readable]
        picture_words: Number of words to draw per cluster [default: 10]
        vocab: Keep the N most frequent words, with ties broken by code point; all others form one class
            [default: 50000; for count files that already have such a class, all words]
        min_count: Keep words with at least N occurrences; all others form one class. 1 keeps every word
            [default: the limit of vocab]
        unknown: Name of the class of all other words [default: <unk>]
        boundaries: Where a sequence of words ends [default: lines]
        lossy: Replace bytes that are not valid UTF-8 instead of stopping with an error
        context: Context words that describe a word: rK for the K words after it, lrK for K words on each
            side [default: lr2]
        kappa: Pseudo-count added where counts are scaled; larger values dampen rare words [default: 200]
        transform: Transform applied to counts before scaling: none, sqrt, or a power between 0 and 1
            [default: none]
        rank: Number of singular vectors [default: the number of clusters; 100 for spectral+exchange]
        ward: Weight of each word when the vectors are clustered [default: plain; weighted for
            spectral+exchange]
        hierarchy: Whether clusters of the vectors are merged or divided [default: bottom-up]
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "clusters": clusters, "method": method, "paper": paper, "counts": counts, "work": work,
        "vectors": vectors, "tree": tree, "picture": picture, "picture_depth": picture_depth,
        "picture_words": picture_words, "vocab": vocab, "min_count": min_count,
        "unknown": unknown, "boundaries": boundaries, "lossy": lossy, "context": context,
        "kappa": kappa, "transform": transform, "rank": rank, "ward": ward,
        "hierarchy": hierarchy, "seed": seed,
    }
    options["paths"] = paths
    found: tuple[Clusters, Vectors | None] = _commands.cluster(texts, output, options, threads, progress)
    return found
