"""Training of dependency parsers and models of dependency trees, with the options of the program.

Written by generate.py from the options of the program: do not edit.
"""

from __future__ import annotations

from typing import Any, Literal

from .. import _commands
from .._data import Data, StrPath
from .._native import Model, Parser
from ..progress import Progress

__all__ = ["deptree", "head_automata", "mst", "reranker"]


def mst(
    treebank: Data,
    *,
    output: StrPath | None = None,
    skip_bad: bool = False,
    dev: Data | None = None,
    source: Data | None = None,
    quality: Literal["fast", "balanced", "best"] | None = None,
    order: Literal["first", "siblings", "second"] | None = None,
    decoder: Literal["auto", "projective", "pseudo-projective", "nonprojective"] | None = None,
    epochs: int | None = None,
    shuffles: int | None = None,
    networks: int | None = None,
    choose_among: int | None = None,
    clusters: Data | None = None,
    vectors: Data | None = None,
    lemmas: bool = False,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress = None,
) -> Parser:
    """Train a dependency parser on a treebank in CoNLL-U.

    Features of words, tags and morphology are hashed, so there is no dictionary. Updates are large-margin,
    averaged over all steps. The parser relies on the tags of its input: train it on tags of the same quality
    as those it will see. Development trees also calibrate its confidences.

    Args:
        treebank: Training trees in CoNLL-U
        output: File for the model; without it, the model stays in memory until it is saved
        threads: Number of threads; 0 means one per core
        progress: True shows a bar; a function is called with stage, units done, total, note
        skip_bad: Skip sentences that cannot be read, and report them
        dev: Development trees to score after training
        source: Treebank of another language, best a related one, to learn from as well: its tags,
            features and universal relations, not its words. May be given several times
        quality: Training effort [default: balanced]
        order: Factorisation order of the scores [default: from the quality level]
        decoder: Which trees the parser may produce [default: auto]
        epochs: Passes over the training data [default: from the quality level]
        shuffles: Parsers learnt from differently shuffled sentences, whose weights are averaged [default:
            from the quality level]
        networks: Networks that score arcs and labels beside the weights of features; 0 is fastest
            [default: from the quality level]
        choose_among: Number of best trees among which the labels choose; 1 parses fastest [default: from
            the quality level]
        clusters: Word clusters for features, as written by `cluster`
        vectors: Word vectors for features instead of clusters, as written by `cluster vectors`
        lemmas: Also use the LEMMA column for features
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "skip_bad": skip_bad, "dev": dev, "source": source, "quality": quality, "order": order,
        "decoder": decoder, "epochs": epochs, "shuffles": shuffles, "networks": networks,
        "choose_among": choose_among, "clusters": clusters, "vectors": vectors,
        "lemmas": lemmas, "seed": seed,
    }
    model: Parser = _commands.train("mst", treebank, "sentences", output, options, threads, progress)
    return model


def head_automata(
    treebank: Data,
    *,
    output: StrPath | None = None,
    skip_bad: bool = False,
    dev: Data | None = None,
    learner: Literal["spectral", "em", "spectral+em", "det", "det+f", "lex", "lex+f", "lex+fcp"] | None = None,
    words: Literal["lex", "lex+f", "lex+fcp"] | None = None,
    distance: bool = False,
    clusters: Data | None = None,
    weight: float | None = None,
    alphabet: Literal["product", "features", "upos", "xpos", "words"] | None = None,
    paper: bool = False,
    states: int | None = None,
    em_steps: int | None = None,
    restarts: int | None = None,
    sequences_per_state: float | None = None,
    pseudo_count: float | None = None,
    shrinkage: float | None = None,
    min_sequences: float | None = None,
    basis: int | None = None,
    basis_size: int | None = None,
    kappa: float | None = None,
    mixture: float | None = None,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress = None,
) -> Parser:
    """Train head automata on a dependency treebank in CoNLL-U.

    For every part of speech and direction, an automaton generates the modifiers of a head from the nearest
    outwards (Luque et al. 2012). The hidden states come from a spectral decomposition of counts or from EM. A
    model of words can be combined with the model of tags. The parser relies on the tags of its input.

    Args:
        treebank: Training trees in CoNLL-U
        output: File for the model; without it, the model stays in memory until it is saved
        threads: Number of threads; 0 means one per core
        progress: True shows a bar; a function is called with stage, units done, total, note
        skip_bad: Skip sentences that cannot be read, and report them
        dev: Development trees to score after training
        learner: Learner of the automata [default: spectral]
        words: Model of words to combine with the model of tags [default: none]
        distance: With words: also model arc length, the verbs and punctuation below the arc, and the tags
            of the words beside it
        clusters: With words: clusters of words from plain text, as written by `cluster`, by which words
            that are alike share what was seen
        weight: Weight of the model of words, for all its factors [default: by factor, the best on the
            development set, else 1]
        alphabet: Symbols of the automata [default: product; xpos with paper]
        paper: Exactly the method of Luque et al. (2012), without our extensions; the report names all
            constants
        states: Number of hidden states per automaton [default: 10; 8 for em; with paper 9, and 15 for em]
        em_steps: Number of EM steps [default: 25; 15 for spectral+em]
        restarts: Number of random starts of EM; the most probable automaton is kept [default: 1; 10 with
            paper]
        sequences_per_state: With spectral+em: minimum number of modifier sequences per hidden state
            [default: 20]
        pseudo_count: With spectral+em: prior count of every outcome of a state, as in variational Bayes
            [default: 0]
        shrinkage: With spectral: damping of directions of the states that chance explains, in multiples
            of the estimated sampling error [default: 1; 0 with paper]
        min_sequences: With spectral: minimum number of modifier sequences of a head with hidden states;
            others use det+f [default: 1]
        basis: With spectral: length of the longest sequences of modifiers by which states are told apart
            [default: 1]
        basis_size: With spectral: maximum number of such sequences before and after a position, the most
            frequent ones [default: all]
        kappa: Smoothing of the relative frequencies of det and det+f [default: 0.5; 0 with paper]
        mixture: Weight of DET+F mixed with the hidden states [default: 0.2; 0.1 for em and spectral+em]
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "skip_bad": skip_bad, "dev": dev, "learner": learner, "words": words,
        "distance": distance, "clusters": clusters, "weight": weight, "alphabet": alphabet,
        "paper": paper, "states": states, "em_steps": em_steps, "restarts": restarts,
        "sequences_per_state": sequences_per_state, "pseudo_count": pseudo_count,
        "shrinkage": shrinkage, "min_sequences": min_sequences, "basis": basis,
        "basis_size": basis_size, "kappa": kappa, "mixture": mixture, "seed": seed,
    }
    model: Parser = _commands.train("head-automata", treebank, "sentences", output, options, threads, progress)
    return model


def deptree(
    treebank: Data,
    *,
    output: StrPath | None = None,
    skip_bad: bool = False,
    dev: Data | None = None,
    learner: Literal["spectral", "em", "spectral+em"] | None = None,
    states: int | None = None,
    exact_states: bool = False,
    paper: bool = False,
    embed: Literal["trees", "sentences"] | None = None,
    vectors: Data | None = None,
    triples: Literal["siblings", "both"] | None = None,
    observe: Literal["words", "tags", "both"] | None = None,
    min_count: int | None = None,
    shrinkage: float | None = None,
    kappa: float | None = None,
    em_steps: int | None = None,
    children: Literal["given", "counted"] | None = None,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress = None,
) -> Model:
    """Train a latent dependency tree model on a treebank in CoNLL-U.

    Every word of a tree has a hidden state that depends on the state of its head. The model gives the
    probability of the words of any tree (Dhillon et al. 2012). It does not parse by itself: `score` reports
    how probable trees are, and `train reranker` uses that to choose among the trees of a parser.

    Args:
        treebank: Training trees in CoNLL-U
        output: File for the model; without it, the model stays in memory until it is saved
        threads: Number of threads; 0 means one per core
        progress: True shows a bar; a function is called with stage, units done, total, note
        skip_bad: Skip sentences that cannot be read, and report them
        dev: Development trees to score after training
        learner: Learner of the hidden states [default: spectral; spectral+em for re-rankers]
        states: Number of hidden states; the maximum if held-out trees choose [default: 10, also with
            paper; 60 for spectral+em]
        exact_states: Exactly states hidden states: held-out trees choose only the regularisation
        paper: Exactly the method of Dhillon et al. (2012), without our extensions; the report names all
            constants
        embed: Neighbours by which words are embedded [default: trees]
        vectors: Vectors of words instead of an embedding, such as those that `cluster vectors` writes for
            a larger text
        triples: Triples of words that the operators are estimated from [default: siblings]
        observe: Observations: what is visible of each word [default: both]
        min_count: Words with fewer occurrences are represented by their tag [default: 20; 2 for
            spectral+em]
        shrinkage: Regularisation of small singular values, as a fraction of the largest one [default:
            chosen on held-out trees, together with a number of states up to states]
        kappa: Pseudo-count added to counts when words are embedded [default: 20]
        em_steps: Number of EM steps [default: 30; 20 for spectral+em]
        children: Numbers of children of words; the learner must be em or spectral+em to count them
            [default: given; counted for spectral+em]
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "skip_bad": skip_bad, "dev": dev, "learner": learner, "states": states,
        "exact_states": exact_states, "paper": paper, "embed": embed, "vectors": vectors,
        "triples": triples, "observe": observe, "min_count": min_count,
        "shrinkage": shrinkage, "kappa": kappa, "em_steps": em_steps, "children": children,
        "seed": seed,
    }
    model: Model = _commands.train("deptree", treebank, "sentences", output, options, threads, progress)
    return model


def reranker(
    treebank: Data,
    *,
    output: StrPath | None = None,
    skip_bad: bool = False,
    quality: Literal["fast", "balanced", "best"] | None = None,
    folds: int | None = None,
    nbest: int | None = None,
    features: Literal["tags", "latent", "both"] | None = None,
    weights: Literal["log-linear", "perceptron"] | None = None,
    epochs: int | None = None,
    tune_states: bool = False,
    learner: Literal["spectral", "em", "spectral+em"] | None = None,
    states: int | None = None,
    exact_states: bool = False,
    paper: bool = False,
    embed: Literal["trees", "sentences"] | None = None,
    vectors: Data | None = None,
    triples: Literal["siblings", "both"] | None = None,
    observe: Literal["words", "tags", "both"] | None = None,
    min_count: int | None = None,
    shrinkage: float | None = None,
    kappa: float | None = None,
    em_steps: int | None = None,
    children: Literal["given", "counted"] | None = None,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress = None,
) -> Model:
    """Train a reranker that chooses among the n-best trees of a dependency parser.

    The treebank is cut into parts, and each part is parsed by a parser trained on the others. A model then
    learns which tree of each list is best from the parser score, tag triples, and the probability under a
    latent tree model (Dhillon et al. 2012). Use it on lists from a parser of the same quality.

    Args:
        treebank: Training trees in CoNLL-U
        output: File for the model; without it, the model stays in memory until it is saved
        threads: Number of threads; 0 means one per core
        progress: True shows a bar; a function is called with stage, units done, total, note
        skip_bad: Skip sentences that cannot be read, and report them
        quality: Quality level of the parser whose lists will be re-ranked [default: fast]
        folds: Number of parts of the treebank [default: 3]
        nbest: Number of trees per list [default: 50]
        features: Features besides the parser score [default: both]
        weights: Learner of the weights [default: log-linear; perceptron with paper]
        epochs: Passes over the lists [default: 10]
        tune_states: Choose the number of hidden states by re-ranking held-out lists: a sixth, a third,
            two thirds or all of states
        learner: Learner of the hidden states [default: spectral; spectral+em for re-rankers]
        states: Number of hidden states; the maximum if held-out trees choose [default: 10, also with
            paper; 60 for spectral+em]
        exact_states: Exactly states hidden states: held-out trees choose only the regularisation
        paper: Exactly the method of Dhillon et al. (2012), without our extensions; the report names all
            constants
        embed: Neighbours by which words are embedded [default: trees]
        vectors: Vectors of words instead of an embedding, such as those that `cluster vectors` writes for
            a larger text
        triples: Triples of words that the operators are estimated from [default: siblings]
        observe: Observations: what is visible of each word [default: both]
        min_count: Words with fewer occurrences are represented by their tag [default: 20; 2 for
            spectral+em]
        shrinkage: Regularisation of small singular values, as a fraction of the largest one [default:
            chosen on held-out trees, together with a number of states up to states]
        kappa: Pseudo-count added to counts when words are embedded [default: 20]
        em_steps: Number of EM steps [default: 30; 20 for spectral+em]
        children: Numbers of children of words; the learner must be em or spectral+em to count them
            [default: given; counted for spectral+em]
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "skip_bad": skip_bad, "quality": quality, "folds": folds, "nbest": nbest,
        "features": features, "weights": weights, "epochs": epochs,
        "tune_states": tune_states, "learner": learner, "states": states,
        "exact_states": exact_states, "paper": paper, "embed": embed, "vectors": vectors,
        "triples": triples, "observe": observe, "min_count": min_count,
        "shrinkage": shrinkage, "kappa": kappa, "em_steps": em_steps, "children": children,
        "seed": seed,
    }
    model: Model = _commands.train("reranker", treebank, "sentences", output, options, threads, progress)
    return model
