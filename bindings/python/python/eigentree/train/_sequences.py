"""Training of sequence models, with the options of the program.

Written by generate.py from the options of the program: do not edit.
"""

from __future__ import annotations

from typing import Any, Literal

from .. import _commands
from .._data import Data, StrPath
from .._native import SequenceModel
from ..progress import Progress

__all__ = ["automaton", "hmm"]


def automaton(
    sequences: Data,
    *,
    output: StrPath | None = None,
    dev: Data | None = None,
    input: Literal["detect", "pautomac", "tokens"] | None = None,
    min_count: int | None = None,
    vocab: int | None = None,
    learner: Literal["spectral", "em", "spectral-em", "all", "reduced", "ngram"] | None = None,
    rank: str | float | None = None,
    max_rank: int | None = None,
    basis: Literal["marked", "substrings", "prefixes", "suffixes", "strings"] | None = None,
    length: int | None = None,
    features: int | None = None,
    scaling: Literal["cca", "none"] | None = None,
    order: int | None = None,
    em_steps: int | None = None,
    prior: float | None = None,
    restarts: int | None = None,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress = None,
) -> SequenceModel:
    """Train an automaton over sequences: the probability of every next symbol, and of the end.

    The spectral learner decomposes the counts of substrings before and after each position and reads the
    operators of the automaton off the result (Luque et al. 2012; Balle et al. 2014). Alternatively, EM learns
    probabilities. Either model is mixed with a smoothed n-gram model, so that every sequence has a positive
    probability. The number of states and the weights are chosen by the likelihood of held-out sequences.

    Args:
        sequences: Sequences: one per line with tokens separated by spaces, or a PAutomaC or SPiCe file
        output: File for the model; without it, the model stays in memory until it is saved
        threads: Number of threads; 0 means one per core
        progress: True shows a bar; a function is called with stage, units done, total, note
        dev: Held-out sequences for choosing the settings [default: a tenth of the input, which is
            included in the final training]
        input: Format of the sequences [default: detect]
        min_count: Tokens with fewer occurrences are replaced by one symbol [default: 1]
        vocab: The most frequent tokens that are kept apart; the others are replaced by one symbol. Memory
            and time grow with them [default: 4000]
        learner: Learner combined with n-grams [default: spectral for `automaton`, reduced for `hmm`]
        rank: Number of states; `auto` chooses by held-out likelihood, `spectrum` by the singular values
            [default: auto]
        max_rank: Maximum number of states for `auto` and `spectrum` [default: 60]
        basis: Prefixes and suffixes to decompose [default: marked]
        length: Maximum length of prefixes and suffixes [default: 4]
        features: Number of prefixes and of suffixes, the most frequent ones; 0 means all [default: 2000]
        scaling: Scaling before the decomposition [default: cca]
        order: Maximum length of n-grams; the order is chosen by held-out likelihood [default: 6]
        em_steps: Maximum number of EM steps [default: 150]
        prior: Pseudo-count that EM adds to every outcome, as in variational Bayes; 0 means maximum
            likelihood [default: 0.02]
        restarts: Number of EM runs, of which the best is kept [default: 1]
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "dev": dev, "input": input, "min_count": min_count, "vocab": vocab, "learner": learner,
        "rank": rank, "max_rank": max_rank, "basis": basis, "length": length,
        "features": features, "scaling": scaling, "order": order, "em_steps": em_steps,
        "prior": prior, "restarts": restarts, "seed": seed,
    }
    model: SequenceModel = _commands.train("automaton", sequences, "text", output, options, threads, progress)
    return model


def hmm(
    sequences: Data,
    *,
    output: StrPath | None = None,
    dev: Data | None = None,
    input: Literal["detect", "pautomac", "tokens"] | None = None,
    min_count: int | None = None,
    vocab: int | None = None,
    learner: Literal["spectral", "em", "spectral-em", "all", "reduced", "ngram"] | None = None,
    rank: str | float | None = None,
    max_rank: int | None = None,
    basis: Literal["marked", "substrings", "prefixes", "suffixes", "strings"] | None = None,
    length: int | None = None,
    features: int | None = None,
    scaling: Literal["cca", "none"] | None = None,
    order: int | None = None,
    em_steps: int | None = None,
    prior: float | None = None,
    restarts: int | None = None,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress = None,
) -> SequenceModel:
    """Train a hidden Markov model of sequences in its fully reduced form.

    Args:
        sequences: Sequences: one per line with tokens separated by spaces, or a PAutomaC or SPiCe file
        output: File for the model; without it, the model stays in memory until it is saved
        threads: Number of threads; 0 means one per core
        progress: True shows a bar; a function is called with stage, units done, total, note
        dev: Held-out sequences for choosing the settings [default: a tenth of the input, which is
            included in the final training]
        input: Format of the sequences [default: detect]
        min_count: Tokens with fewer occurrences are replaced by one symbol [default: 1]
        vocab: The most frequent tokens that are kept apart; the others are replaced by one symbol. Memory
            and time grow with them [default: 4000]
        learner: Learner combined with n-grams [default: spectral for `automaton`, reduced for `hmm`]
        rank: Number of states; `auto` chooses by held-out likelihood, `spectrum` by the singular values
            [default: auto]
        max_rank: Maximum number of states for `auto` and `spectrum` [default: 60]
        basis: Prefixes and suffixes to decompose [default: marked]
        length: Maximum length of prefixes and suffixes [default: 4]
        features: Number of prefixes and of suffixes, the most frequent ones; 0 means all [default: 2000]
        scaling: Scaling before the decomposition [default: cca]
        order: Maximum length of n-grams; the order is chosen by held-out likelihood [default: 6]
        em_steps: Maximum number of EM steps [default: 150]
        prior: Pseudo-count that EM adds to every outcome, as in variational Bayes; 0 means maximum
            likelihood [default: 0.02]
        restarts: Number of EM runs, of which the best is kept [default: 1]
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "dev": dev, "input": input, "min_count": min_count, "vocab": vocab, "learner": learner,
        "rank": rank, "max_rank": max_rank, "basis": basis, "length": length,
        "features": features, "scaling": scaling, "order": order, "em_steps": em_steps,
        "prior": prior, "restarts": restarts, "seed": seed,
    }
    model: SequenceModel = _commands.train("hmm", sequences, "text", output, options, threads, progress)
    return model
