"""Comparisons of learners, with the options of `eigentree compare`.

Written by generate.py from the options of the program: do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from . import _commands
from ._data import Data
from .progress import Progress
from .report import Report

__all__ = ["clusters", "dependency", "deptree", "head_automata", "lpcfg", "recovery", "sequence", "tagging"]


def lpcfg(
    trees: Data,
    *,
    dev: Data,
    test: Data | None = None,
    plots: Data | None = None,
    skip_bad: bool = False,
    learners: Literal["pcfg", "smoothed-pcfg", "markov", "em", "em-unsmoothed", "spectral", "no-smoothing", "no-scaling", "no-shrinkage", "signs-kept", "sum", "sum-signs-kept", "rule-features", "paper-features", "cluster", "cluster-em"] | Sequence[Literal["pcfg", "smoothed-pcfg", "markov", "em", "em-unsmoothed", "spectral", "no-smoothing", "no-scaling", "no-shrinkage", "signs-kept", "sum", "sum-signs-kept", "rule-features", "paper-features", "cluster", "cluster-em"]] | None = None,
    paper: bool = False,
    states: int | Sequence[int] | None = None,
    em_steps: str | float | None = None,
    cluster_steps: int | None = None,
    tags: Literal["given", "predicted", "both", "tagger"] | None = None,
    smoothing: str | float | None = None,
    tune: bool = False,
    strip: Literal["keep", "remove"] | None = None,
    horizontal: int | None = None,
    vertical: int | None = None,
    binarize: Literal["left", "right", "head"] | None = None,
    head_rules: Data | None = None,
    rule_smoothing: Literal["none", "siblings"] | None = None,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress = None,
) -> Report:
    """Compare grammars with latent states: PCFGs, EM at several numbers of steps, the spectral learner and its
    variants.

    Reproduces the tables of Cohen et al. (2013) on any treebank: F1 for several numbers of states, EM at
    several checkpoints, the effect of smoothing, scaling, features and the treatment of negative values, time
    per stage, and memory. Work that learners share is done and timed once.

    Args:
        trees: Training trees in Penn brackets
        threads: Number of threads; 0 means one per core
        progress: True shows a bar; a function is called with stage, units done, total, note
        dev: Development trees to score; they also choose the number of EM steps
        test: Test trees, scored with the settings that were best on the development set
        plots: Folder for SVG plots; created if missing
        skip_bad: Skip trees that cannot be read, and report them
        learners: Learners to compare, separated by commas [default: all but em-unsmoothed]
        paper: Exactly the learners and the parser of Cohen et al. (2013), and their tables with the
            paper's numbers beside ours
        states: Maximum number of states per symbol; one or more numbers separated by commas [default:
            8,16,32; 8,16,24,32 with paper]
        em_steps: EM steps after which to score: 10,20,30, or 30/10 for every tenth of 30 steps [default:
            50/10; 100/10 with paper]
        cluster_steps: EM steps after clustering [default: 10]
        tags: Source of the tags when parsing [default: predicted; tagger with paper]
        smoothing: Back-off constants for rules, words and rare-word classes, for all learners with
            smoothing [default: from the recipe]
        tune: Choose the smoothing constants on a tenth of the training trees, for each number of states
        strip: What to do with function tags (NP-SBJ) and empty elements [default: remove]
        horizontal: Number of siblings that nodes created by binarisation remember [default: 1]
        vertical: Vertical order: 1 for plain labels, 2 for labels annotated with their parent, and so on
            [default: 1]
        binarize: Direction of binarisation [default: left]
        head_rules: Head rules: `english`, `similarity` for any label set, or a file with a table
            [default: english]
        rule_smoothing: Treatment of rules that do not occur in the treebank [default: none for pcfg,
            siblings for lpcfg]
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "dev": dev, "test": test, "plots": plots, "skip_bad": skip_bad, "learners": learners,
        "paper": paper, "states": states, "em_steps": em_steps,
        "cluster_steps": cluster_steps, "tags": tags, "smoothing": smoothing, "tune": tune,
        "strip": strip, "horizontal": horizontal, "vertical": vertical, "binarize": binarize,
        "head_rules": head_rules, "rule_smoothing": rule_smoothing, "seed": seed,
    }
    return _commands.compare("lpcfg", trees, "trees", options, threads, progress)


def clusters(
    texts: Data,
    *,
    held_out: Data | None = None,
    plots: Data | None = None,
    paper: bool = False,
    methods: Literal["spectral+exchange", "spectral", "exchange", "brown"] | Sequence[Literal["spectral+exchange", "spectral", "exchange", "brown"]] | None = None,
    vocab: int | Sequence[int] | None = None,
    clusters: int | Sequence[int] | None = None,
    unknown: str | float | None = None,
    boundaries: Literal["lines", "none"] | None = None,
    lossy: bool = False,
    context: str | float | Sequence[str | float] | None = None,
    kappa: float | Sequence[float] | None = None,
    rank: int | Sequence[int] | None = None,
    transform: str | float | None = None,
    ward: Literal["plain", "weighted"] | None = None,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress = None,
) -> Report:
    """Compare word clustering algorithms: mutual information, held-out perplexity, time per stage.

    Reproduces Tables 2 and 3 of Stratos et al. (2014) on any text, for several numbers of clusters and
    vocabulary sizes.

    Args:
        texts: Text files, plain or compressed
        threads: Number of threads; 0 means one per core
        progress: True shows a bar; a function is called with stage, units done, total, note
        held_out: Held-out text for the perplexity [default: the last tenth of the lines, which is not
            used for learning]
        plots: Folder for SVG plots; created if missing
        paper: Exactly the method of Stratos et al. (2014) beside Brown's, and their tables with the
            paper's numbers beside ours
        methods: Clustering algorithms, separated by commas [default:
            brown,spectral,exchange,spectral+exchange]
        vocab: Vocabulary sizes, separated by commas [default: 10000]
        clusters: Numbers of clusters, separated by commas [default: 50,100,200]
        unknown: Name of the class of all other words [default: <unk>]
        boundaries: Where a sequence of words ends [default: lines]
        lossy: Replace bytes that are not valid UTF-8 instead of stopping with an error
        context: Contexts that describe a word, separated by commas: rK for the K words after it, lrK for
            K words on each side [default: lr2]
        kappa: Pseudo-counts added where counts are scaled, separated by commas; every combination with
            context is compared for the method `spectral`, the first with all methods [default: 200]
        rank: Numbers of singular vectors, separated by commas; every combination with context and kappa
            is compared for the method `spectral` [default: one per cluster]
        transform: Transform applied to counts before scaling: none, sqrt, or a power between 0 and 1
            [default: none]
        ward: Weight of each word in the method `spectral` [default: plain]
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "held_out": held_out, "plots": plots, "paper": paper, "methods": methods,
        "vocab": vocab, "clusters": clusters, "unknown": unknown, "boundaries": boundaries,
        "lossy": lossy, "context": context, "kappa": kappa, "rank": rank,
        "transform": transform, "ward": ward, "seed": seed,
    }
    return _commands.compare("clusters", texts, "text", options, threads, progress)


def dependency(
    folders: Data,
    *,
    on: Literal["dev", "test"] | None = None,
    orders: Literal["first", "siblings", "second"] | Sequence[Literal["first", "siblings", "second"]] | None = None,
    plots: Data | None = None,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress = None,
) -> Report:
    """Compare treatments of crossing arcs on dependency treebanks: accuracy and time.

    A treebank is a folder with train, dev and test files in CoNLL-U, plain or compressed. For each treebank
    the command trains a projective, a pseudo-projective and a non-projective parser. One table relates their
    accuracy to the share of sentences with crossing arcs.

    Args:
        folders: Treebank folders
        threads: Number of threads; 0 means one per core
        progress: True shows a bar; a function is called with stage, units done, total, note
        on: The part to parse and score [default: dev]
        orders: Parser orders, separated by commas [default: first,second; first,siblings with paper,
            where there is one]
        plots: Folder for SVG plots; created if missing
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "on": on, "orders": orders, "plots": plots, "seed": seed,
    }
    return _commands.compare("dependency", folders, "file", options, threads, progress)


def deptree(
    folders: Data,
    *,
    on: Literal["dev", "test"] | Sequence[Literal["dev", "test"]] | None = None,
    orders: Literal["first", "siblings", "second"] | Sequence[Literal["first", "siblings", "second"]] | None = None,
    plots: Data | None = None,
    networks: int | None = None,
    nbest: int | None = None,
    states: int | None = None,
    exact_states: bool = False,
    em_states: int | None = None,
    weights: Literal["log-linear", "perceptron"] | None = None,
    vectors: Data | None = None,
    punctuation: Literal["keep", "remove"] | None = None,
    tags: Literal["given", "jackknifed"] | None = None,
    paper: bool = False,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress = None,
) -> Report:
    """Compare ways of choosing among the n-best trees of a dependency parser.

    Reproduces Table 1 of Dhillon et al. (2012) on your own treebanks, given as folders with train, dev and
    test files in CoNLL-U. It compares first- and second-order parsers alone, re-ranked by parser scores and
    tag triples, and re-ranked with spectral or EM latent trees as well.

    Args:
        folders: Treebank folders
        threads: Number of threads; 0 means one per core
        progress: True shows a bar; a function is called with stage, units done, total, note
        on: The parts to parse and score, separated by commas [default: dev]
        orders: Parser orders, separated by commas [default: first,second; first,siblings with paper,
            where there is one]
        plots: Folder for SVG plots; created if missing
        networks: Number of networks of the parsers; the paper's have none [default: 0]
        nbest: Number of trees per list [default: 50]
        states: Number of hidden states [default: 10]
        exact_states: Exactly states hidden states; otherwise held-out trees may choose fewer
        em_states: Number of hidden states of both kinds of EM [default: states, and 60 from the spectral
            start]
        weights: Learner of the weights of the re-ranker [default: log-linear]
        vectors: Vectors of words for the spectral learner, such as those that `cluster vectors` writes
            for a larger text
        punctuation: Punctuation of the treebanks [default: keep; remove with paper]
        tags: Whose tags parsers and re-rankers see [default: given; jackknifed with paper]
        paper: Only the spectral learner and the re-ranker of Dhillon et al. (2012), and their table with
            the paper's numbers beside ours
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "on": on, "orders": orders, "plots": plots, "networks": networks, "nbest": nbest,
        "states": states, "exact_states": exact_states, "em_states": em_states,
        "weights": weights, "vectors": vectors, "punctuation": punctuation, "tags": tags,
        "paper": paper, "seed": seed,
    }
    return _commands.compare("deptree", folders, "file", options, threads, progress)


def head_automata(
    treebank: Data,
    *,
    dev: Data,
    test: Data | None = None,
    skip_bad: bool = False,
    plots: Data | None = None,
    paper: bool = False,
    alphabet: Literal["product", "features", "upos", "xpos", "words"] | None = None,
    restarts: int | None = None,
    states: int | Sequence[int] | None = None,
    em_steps: int | Sequence[int] | None = None,
    tags_alone: bool = False,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress = None,
) -> Report:
    """Compare learners of head automata: accuracy by number of states, training times.

    Reproduces Figures 1 and 2 and Table 1 of Luque et al. (2012) on any treebank in CoNLL-U: the spectral
    method and EM on tags, the deterministic baselines, and words combined with tags.

    Args:
        treebank: Training trees in CoNLL-U
        threads: Number of threads; 0 means one per core
        progress: True shows a bar; a function is called with stage, units done, total, note
        dev: Development trees, used to choose among the settings of each learner
        test: Test trees, scored with the best settings of each learner
        skip_bad: Skip sentences that cannot be read, and report them
        plots: Folder for SVG plots; created if missing
        paper: Exactly the learners of Luque et al. (2012), and their table with the paper's numbers
            beside ours
        alphabet: Symbols of the automata [default: product; xpos with paper]
        restarts: Number of random starts of EM [default: 1; 10 with paper]
        states: Numbers of hidden states, separated by commas [default: 2,4,6,8,10,12; 2 to 15 with paper]
        em_steps: Numbers of EM steps, separated by commas [default: 5,10,25,100]
        tags_alone: Compare models of tags only, without words
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "dev": dev, "test": test, "skip_bad": skip_bad, "plots": plots, "paper": paper,
        "alphabet": alphabet, "restarts": restarts, "states": states, "em_steps": em_steps,
        "tags_alone": tags_alone, "seed": seed,
    }
    return _commands.compare("head-automata", treebank, "sentences", options, threads, progress)


def recovery(
    grammar: Data,
    *,
    plots: Data | None = None,
    sizes: int | Sequence[int] | None = None,
    repeats: int | None = None,
    states: int | None = None,
    restarts: int | None = None,
    em_steps: int | None = None,
    max_words: int | None = None,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress = None,
) -> Report:
    """Compare learners by how well they recover a known grammar with latent states.

    Draws samples of growing size from the grammar and measures how far the probabilities of new trees are
    from the true ones: for the spectral learner and for EM with several starts, both without smoothing. The
    spectral learner is consistent (Cohen et al. 2012, theorem 3) if it has the hidden states of the grammar;
    EM finds local optima.

    Args:
        grammar: `cycle`, `english`, or a file with a grammar (see `sample --show-grammar`)
        threads: Number of threads; 0 means one per core
        progress: True shows a bar; a function is called with stage, units done, total, note
        plots: Folder for SVG plots; created if missing
        sizes: Sizes of the samples in trees, separated by commas [default: 300,1000,3000,10000,30000]
        repeats: Number of samples of each size [default: 3]
        states: Number of hidden states per symbol [default: those of the grammar, at most 16]
        restarts: Number of random starts of EM [default: 5]
        em_steps: Number of EM steps [default: 300]
        max_words: Draw sentences with more words again. The sample then no longer follows the grammar:
            the default is no limit in practice [default: 100000]
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "plots": plots, "sizes": sizes, "repeats": repeats, "states": states,
        "restarts": restarts, "em_steps": em_steps, "max_words": max_words, "seed": seed,
    }
    return _commands.compare("recovery", grammar, "file", options, threads, progress)


def sequence(
    sequences: Data,
    *,
    held_out: Data | None = None,
    input: Literal["detect", "pautomac", "tokens"] | None = None,
    plots: Data | None = None,
    ranks: int | Sequence[int] | None = None,
    em_steps: int | Sequence[int] | None = None,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress = None,
) -> Report:
    """Compare sequence learners: held-out perplexity and time by number of states.

    Compares n-grams, spectral automata, and automata learnt by EM at several numbers of steps, as in Figures
    1 and 2 of Luque et al. (2012).

    Args:
        sequences: Sequences: one per line with tokens separated by spaces, or a PAutomaC or SPiCe file
        threads: Number of threads; 0 means one per core
        progress: True shows a bar; a function is called with stage, units done, total, note
        held_out: Held-out sequences to score [default: a tenth of the input, which is not used for
            learning]
        input: Format of the sequences [default: detect]
        plots: Folder for SVG plots; created if missing
        ranks: Numbers of states, separated by commas [default: 1,2,4,8,16,32]
        em_steps: EM steps after which to score, separated by commas [default: 10,50]
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "held_out": held_out, "input": input, "plots": plots, "ranks": ranks,
        "em_steps": em_steps, "seed": seed,
    }
    return _commands.compare("sequence", sequences, "text", options, threads, progress)


def tagging(
    folders: Data,
    *,
    text: Data,
    plots: Data | None = None,
    on: Literal["dev", "test"] | None = None,
    columns: str | float | Sequence[str | float] | None = None,
    methods: Literal["spectral+exchange", "spectral", "exchange", "brown"] | Sequence[Literal["spectral+exchange", "spectral", "exchange", "brown"]] | None = None,
    vocab: int | Sequence[int] | None = None,
    contexts: str | float | Sequence[str | float] | None = None,
    kappa: float | Sequence[float] | None = None,
    clusters: int | Sequence[int] | None = None,
    objective: Literal["likelihood", "perceptron", "greedy"] | None = None,
    paper: bool = False,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress = None,
) -> Report:
    """Compare word clusters by what they add to taggers: tag accuracy, entity F1, and the gain with its
    interval.

    Reproduces Table 1 of Stratos et al. (2014) on your own data. A corpus is a folder with train, dev and
    test files, in CoNLL-U for tags or in two columns (.bio) for entities. The command trains taggers without
    clusters, and with the clusters of each method, vocabulary size, context, κ and number of clusters.

    Args:
        folders: Corpus folders
        threads: Number of threads; 0 means one per core
        progress: True shows a bar; a function is called with stage, units done, total, note
        text: Texts to learn the clusters from, plain or compressed; may be repeated
        plots: Folder for SVG plots; created if missing
        on: The part to score [default: dev]
        columns: CoNLL-U columns to learn, separated by commas [default: upos,xpos]
        methods: Clustering algorithms, separated by commas [default:
            brown,spectral,exchange,spectral+exchange]
        vocab: Vocabulary sizes, separated by commas [default: 10000]
        contexts: Contexts of the spectral methods, separated by commas [default: lr2]
        kappa: Pseudo-counts of the spectral methods, separated by commas; every combination with contexts
            is compared [default: 200]
        clusters: Numbers of clusters, separated by commas [default: 1000]
        objective: Training objective of the taggers [default: likelihood; greedy with paper]
        paper: Exactly the clusters of Stratos et al. (2014) beside Brown's, the greedy perceptron, and
            their tables with the paper's numbers beside ours
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "text": text, "plots": plots, "on": on, "columns": columns, "methods": methods,
        "vocab": vocab, "contexts": contexts, "kappa": kappa, "clusters": clusters,
        "objective": objective, "paper": paper, "seed": seed,
    }
    return _commands.compare("tagging", folders, "file", options, threads, progress)
