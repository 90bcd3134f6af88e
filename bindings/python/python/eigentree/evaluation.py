"""Evaluation, with the options of `eigentree eval`.

Written by generate.py from the options of the program: do not edit.
"""

from __future__ import annotations

from typing import Any, Literal

from . import _commands
from ._data import Data
from .progress import Progress
from .report import Report

__all__ = ["evaluate"]


def evaluate(
    gold: Data,
    predicted: Data,
    *,
    kind: Literal["trees", "sentences", "entities", "text", "file"] = "sentences",
    compare: Data | None = None,
    skip_bad: bool = False,
    max_words: int | None = None,
    keep_punct: bool = False,
    punct_tags: str | float | None = None,
    params: Data | None = None,
    unlabelled: bool = False,
    keep_functions: bool = False,
    allow_mismatch: bool = False,
    no_punct: bool = False,
    subtypes: bool = False,
    align: bool = False,
    tags: Literal["upos", "xpos"] | None = None,
    prefix: int | None = None,
    one_sequence: bool = False,
    errors: bool = False,
    html: Data | None = None,
    sentences: Data | None = None,
    train: Data | None = None,
    worst: int | None = None,
    resamples: int | None = None,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress = None,
) -> Report:
    """Score predicted trees, dependencies or entities against gold ones, and word clusters against tags or text.

    Trees are scored by the conventions of EVALB (COLLINS.prm), dependencies by those of the CoNLL 2018 shared
    task, entities by those of conlleval. Both files must contain the same sentences in the same order. The
    format is inferred from the names and contents of the files. Brown paths or a cluster model are scored by
    V-measure and many-to-one accuracy if the gold file has tags, and by the mutual information of adjacent
    clusters if it is plain text.

    Args:
        gold: Gold annotation: a file, or data in memory
        predicted: Predicted annotation
        kind: What data in memory is; files tell it by their names and contents
        threads: Number of threads; 0 means one per core
        progress: True shows a bar; a function is called with stage, units done, total, note
        compare: A second prediction, to test whether it is better than the first
        skip_bad: Skip what cannot be read: a bad gold sentence together with its prediction; a bad
            prediction counts as wrong
        max_words: Longest sentence of the second table, in words including punctuation [default: 40]
        keep_punct: Score punctuation like other words
        punct_tags: Punctuation tags, separated by spaces [default: , : `` '' .]
        params: Read the scoring conventions from an EVALB parameter file
        unlabelled: Compare spans without labels
        keep_functions: Compare full labels, including function tags
        allow_mismatch: Count a sentence with different words as a failure instead of stopping with an
            error
        no_punct: Exclude punctuation from UAS and LAS
        subtypes: Compare full relations such as nsubj:pass instead of universal ones
        align: Allow tokens and sentences that differ from the gold file: compare what covers the same
            text
        tags: Column of gold tags for clusters [default: upos, or xpos for words without upos]
        prefix: Cut cluster paths after this many bits [default: whole paths]
        one_sequence: Treat a gold file without tags as one sequence: lines are not boundaries
        errors: Also report errors: by relation, tag, label and length, confusions, and the worst
            sentences
        html: Write the errors as an HTML page, with the worst sentences drawn side by side
        sentences: Write one line per sentence with its scores, separated by tabs
        train: Training data, to tell known from unknown words and entities
        worst: Number of worst sentences to show [default: 20]
        resamples: Number of bootstrap samples [default: 10000]
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "compare": compare, "skip_bad": skip_bad, "max_words": max_words,
        "keep_punct": keep_punct, "punct_tags": punct_tags, "params": params,
        "unlabelled": unlabelled, "keep_functions": keep_functions,
        "allow_mismatch": allow_mismatch, "no_punct": no_punct, "subtypes": subtypes,
        "align": align, "tags": tags, "prefix": prefix, "one_sequence": one_sequence,
        "errors": errors, "html": html, "sentences": sentences, "train": train, "worst": worst,
        "resamples": resamples, "seed": seed,
    }
    return _commands.evaluate(gold, predicted, kind, options, threads, progress)
