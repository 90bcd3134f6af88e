"""NLTK: trees to and from `nltk.Tree`, and parsers behind NLTK's interface."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from nltk.parse.api import ParserI  # type: ignore[import-untyped, unused-ignore]
from nltk.tree import ProbabilisticTree, Tree as NltkTree  # type: ignore[import-untyped, unused-ignore]

from ._native import Parser, Pipeline, Tree

__all__ = ["EigentreeParser", "from_nltk", "to_nltk"]


def to_nltk(tree: Tree) -> Any:
    """The same tree as `nltk.Tree`.

    >>> from eigentree import Tree
    >>> to_nltk(Tree("(S (NP (NNP Anna)) (VP (VBZ sings)))")).productions()[0]
    S -> NP VP
    """
    return NltkTree(tree.label, [child if isinstance(child, str) else to_nltk(child) for child in tree])


def from_nltk(tree: Any) -> Tree:
    """The same tree as `eigentree.Tree`. Round brackets in words become -LRB- and -RRB-, as treebanks write them.

    >>> import nltk
    >>> from_nltk(nltk.Tree.fromstring("(S (NP (NNP Anna)) (VP (VBZ sings)))")).words
    ['Anna', 'sings']
    """
    return Tree(_brackets(tree))


def _brackets(tree: Any) -> str:
    if isinstance(tree, str):
        return tree.replace("(", "-LRB-").replace(")", "-RRB-")
    return f"({tree.label()} {' '.join(_brackets(child) for child in tree)})"


class EigentreeParser(ParserI):  # type: ignore[misc, unused-ignore]
    """A constituency parser behind NLTK's interface: `parse(tokens)` gives trees with probabilities, best first."""

    def __init__(self, model: Parser | Pipeline, *, n: int = 1) -> None:
        self.model = model
        self.n = n

    def parse(self, sent: Sequence[str], *args: Any, **keywords: Any) -> Iterator[Any]:
        """The best trees of a sentence. Their probabilities are relative to each other: they sum to one."""
        import math

        tokens = list(sent)
        if not tokens:
            return
        sentence = self.model.annotate_tokens([tokens])[0]
        best = sentence.nbest(max(self.n, 2))[: self.n]
        trees = [(one.tree, one.score) for one in best if one.tree is not None]
        if not trees:
            raise ValueError("the model builds no phrase-structure trees; train one with et.train.lpcfg")
        top = max(score for _, score in trees)
        weights = [math.exp(score - top) if math.isfinite(score) else float(len(trees) == 1) for _, score in trees]
        total = sum(weights) or 1.0
        for (tree, _), weight in zip(trees, weights):
            plain = to_nltk(tree)
            yield ProbabilisticTree(plain.label(), list(plain), prob=weight / total)
