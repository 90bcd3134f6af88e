"""Training: one function per family, with the options of `eigentree train` and `eigentree cluster`.

Written by generate.py from the options of the program: do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from . import _commands
from ._data import Data, StrPath
from ._native import Clusters, Model, Parser, Pipeline, SequenceModel, Tagger
from .progress import Progress
from .vectors import Vectors

__all__ = ["automaton", "cluster", "deptree", "head_automata", "hmm", "lpcfg", "mst", "ner", "pcfg", "pipeline", "reranker", "tagger"]


def lpcfg(
    trees: Data,
    *,
    output: StrPath | None = None,
    dev: Data | None = None,
    skip_bad: bool = False,
    strip: Literal["keep", "remove"] | None = None,
    quality: Literal["fast", "balanced", "best"] | None = None,
    paper: bool = False,
    learner: Literal["spectral", "cluster", "em", "pcfg", "markov"] | None = None,
    states: int | None = None,
    members: int | None = None,
    em_steps: int | None = None,
    features: Literal["rules", "paper", "rich"] | None = None,
    scaling: Literal["on", "off"] | None = None,
    shrinkage: Literal["on", "off"] | None = None,
    kappa: float | None = None,
    nodes_per_state: float | None = None,
    min_singular_ratio: float | None = None,
    tolerance: float | None = None,
    nu: float | None = None,
    nu_below: float | None = None,
    spans: Literal["on", "off"] | None = None,
    smoothing: str | float | None = None,
    tune: bool = False,
    horizontal: int | None = None,
    vertical: int | None = None,
    binarize: Literal["left", "right", "head"] | None = None,
    head_rules: Data | None = None,
    rule_smoothing: Literal["none", "siblings"] | None = None,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress = None,
) -> Parser:
    """Train a grammar with latent states on constituency trees.

    Each symbol of the treebank grammar is refined by hidden states, learnt from the inside and outside
    context of its nodes. quality selects a complete recipe; the options below it change parts of the recipe.

    Args:
        trees: Training trees in Penn brackets
        output: File for the model; without it, the model stays in memory until it is saved
        threads: Number of threads; 0 means one per core
        progress: True shows a bar; a function is called with stage, units done, total, note
        dev: Development trees to score after training; they do not influence the model
        skip_bad: Skip trees that cannot be read, and report them
        strip: What to do with function tags (NP-SBJ) and empty elements [default: remove]
        quality: Training recipe [default: balanced]
        paper: Exactly the method of Cohen et al. (2013), without our extensions; the report names all
            constants
        learner: Learner of the latent states [default: from the recipe]
        states: Maximum number of states per symbol [default: from the recipe]
        members: Number of models in the ensemble; above 1, each leaves out different features [default:
            from the recipe]
        em_steps: Number of EM steps [default: 40 for em, 10 for cluster]
        features: Features that describe a node [default: from the recipe]
        scaling: Scale down frequent features [default: from the recipe]
        shrinkage: Shrink directions that may be due to chance [default: from the recipe]
        kappa: κ, added to the count of every feature when features are scaled [default: 5]
        nodes_per_state: Minimum number of nodes per state of a symbol; 0 gives every symbol all states
            [default: 30; 0 with paper]
        min_singular_ratio: Drop directions whose singular value is below this share of the largest
            [default: 0.01; 0 with paper]
        tolerance: Accuracy of the singular vectors [default: 0.01; 0.001 with paper]
        nu: With paper: ν, the share of its own estimate that a rare word keeps [default: 0.5]
        nu_below: With paper: words seen less often than this with a tag are rare [default: 10]
        spans: Let a span model choose among the trees that the grammar finds plausible [default: from the
            recipe]
        smoothing: Back-off constants for rules, words and rare-word classes, such as 10,10,10; one number
            for all three, or `none` [default: from the recipe]. With paper one number, C of the rules
        tune: Choose the smoothing constants on a tenth of the training trees, then train on all trees
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
        "dev": dev, "skip_bad": skip_bad, "strip": strip, "quality": quality, "paper": paper,
        "learner": learner, "states": states, "members": members, "em_steps": em_steps,
        "features": features, "scaling": scaling, "shrinkage": shrinkage, "kappa": kappa,
        "nodes_per_state": nodes_per_state, "min_singular_ratio": min_singular_ratio,
        "tolerance": tolerance, "nu": nu, "nu_below": nu_below, "spans": spans,
        "smoothing": smoothing, "tune": tune, "horizontal": horizontal, "vertical": vertical,
        "binarize": binarize, "head_rules": head_rules, "rule_smoothing": rule_smoothing,
        "seed": seed,
    }
    model: Parser = _commands.train("lpcfg", trees, "trees", output, options, threads, progress)
    return model


def pcfg(
    trees: Data,
    *,
    output: StrPath | None = None,
    dev: Data | None = None,
    skip_bad: bool = False,
    strip: Literal["keep", "remove"] | None = None,
    tags: Literal["given", "predicted"] | None = None,
    horizontal: int | None = None,
    vertical: int | None = None,
    binarize: Literal["left", "right", "head"] | None = None,
    head_rules: Data | None = None,
    rule_smoothing: Literal["none", "siblings"] | None = None,
    markov: bool = False,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress = None,
) -> Parser:
    """Train a probabilistic context-free grammar on constituency trees.

    Trees are binarised. Nodes created by binarisation remember their nearest siblings, and labels may
    remember their parents. Rule probabilities are relative frequencies. Unknown words get their tags from
    their form.

    Args:
        trees: Training trees in Penn brackets
        output: File for the model; without it, the model stays in memory until it is saved
        threads: Number of threads; 0 means one per core
        progress: True shows a bar; a function is called with stage, units done, total, note
        dev: Development trees to score after training; they do not influence the model
        skip_bad: Skip trees that cannot be read, and report them
        strip: What to do with function tags (NP-SBJ) and empty elements [default: remove]
        tags: Source of the tags when parsing the development trees [default: predicted]
        horizontal: Number of siblings that nodes created by binarisation remember [default: 1]
        vertical: Vertical order: 1 for plain labels, 2 for labels annotated with their parent, and so on
            [default: 1]
        binarize: Direction of binarisation [default: left]
        head_rules: Head rules: `english`, `similarity` for any label set, or a file with a table
            [default: english]
        rule_smoothing: Treatment of rules that do not occur in the treebank [default: none for pcfg,
            siblings for lpcfg]
        markov: Same as vertical 2 horizontal 1
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "dev": dev, "skip_bad": skip_bad, "strip": strip, "tags": tags,
        "horizontal": horizontal, "vertical": vertical, "binarize": binarize,
        "head_rules": head_rules, "rule_smoothing": rule_smoothing, "markov": markov,
        "seed": seed,
    }
    model: Parser = _commands.train("pcfg", trees, "trees", output, options, threads, progress)
    return model


def mst(
    treebank: Data,
    *,
    output: StrPath | None = None,
    skip_bad: bool = False,
    dev: Data | None = None,
    quality: Literal["fast", "balanced", "best"] | None = None,
    order: Literal["first", "second"] | None = None,
    decoder: Literal["auto", "projective", "pseudo-projective", "nonprojective"] | None = None,
    epochs: int | None = None,
    shuffles: int | None = None,
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
        quality: Training effort [default: balanced]
        order: Factorisation order of the scores [default: from the quality level]
        decoder: Which trees the parser may produce [default: auto]
        epochs: Passes over the training data [default: from the quality level]
        shuffles: Parsers learnt from differently shuffled sentences, whose weights are averaged [default:
            from the quality level]
        choose_among: Number of best trees among which the labels choose; 1 parses fastest [default: from
            the quality level]
        clusters: Word clusters for features, as written by `cluster`
        vectors: Word vectors for features instead of clusters, as written by `cluster vectors`
        lemmas: Also use the LEMMA column for features
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "skip_bad": skip_bad, "dev": dev, "quality": quality, "order": order,
        "decoder": decoder, "epochs": epochs, "shuffles": shuffles,
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
    weight: float | None = None,
    alphabet: Literal["product", "upos", "xpos", "words"] | None = None,
    paper: bool = False,
    states: int | None = None,
    em_steps: int | None = None,
    restarts: int | None = None,
    sequences_per_state: float | None = None,
    pseudo_count: float | None = None,
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
        distance: With words: also model arc length and the verbs and punctuation below the arc
        weight: Weight of the model of words [default: the best on the development set, else 1]
        alphabet: Symbols of the automata [default: product; xpos with paper]
        paper: Exactly the method of Luque et al. (2012), without our extensions; the report names all
            constants
        states: Number of hidden states per automaton [default: 6; 8 for em, 10 for spectral+em]
        em_steps: Number of EM steps [default: 25; 15 for spectral+em]
        restarts: Number of random starts of EM; the most probable automaton is kept [default: 1; 10 with
            paper]
        sequences_per_state: With spectral+em: minimum number of modifier sequences per hidden state
            [default: 20]
        pseudo_count: With spectral+em: prior count of every outcome of a state, as in variational Bayes
            [default: 0]
        kappa: Smoothing of the relative frequencies of det and det+f [default: 0.5; 0 with paper]
        mixture: Weight of DET+F mixed with the hidden states [default: 0.2; 0.1 for em and spectral+em]
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "skip_bad": skip_bad, "dev": dev, "learner": learner, "words": words,
        "distance": distance, "weight": weight, "alphabet": alphabet, "paper": paper,
        "states": states, "em_steps": em_steps, "restarts": restarts,
        "sequences_per_state": sequences_per_state, "pseudo_count": pseudo_count,
        "kappa": kappa, "mixture": mixture, "seed": seed,
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
    observe: Literal["words", "tags", "both"] | None = None,
    min_count: int | None = None,
    shrinkage: float | None = None,
    kappa: float | None = None,
    em_steps: int | None = None,
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
        learner: Learner of the hidden states [default: spectral]
        states: Number of hidden states; the maximum if held-out trees choose [default: 10; 30 for
            spectral+em]
        exact_states: Exactly states hidden states: held-out trees choose only the regularisation
        paper: Exactly the method of Dhillon et al. (2012), without our extensions; the report names all
            constants
        embed: Neighbours by which words are embedded [default: trees]
        observe: Observations: what is visible of each word [default: both]
        min_count: Words with fewer occurrences are represented by their tag [default: 20]
        shrinkage: Regularisation of small singular values, as a fraction of the largest one [default:
            chosen on held-out trees, together with a number of states up to states]
        kappa: Pseudo-count added to counts when words are embedded [default: 20]
        em_steps: Number of EM steps [default: 30; 20 for spectral+em]
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "skip_bad": skip_bad, "dev": dev, "learner": learner, "states": states,
        "exact_states": exact_states, "paper": paper, "embed": embed, "observe": observe,
        "min_count": min_count, "shrinkage": shrinkage, "kappa": kappa, "em_steps": em_steps,
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
    learner: Literal["spectral", "em", "spectral+em"] | None = None,
    states: int | None = None,
    exact_states: bool = False,
    paper: bool = False,
    embed: Literal["trees", "sentences"] | None = None,
    observe: Literal["words", "tags", "both"] | None = None,
    min_count: int | None = None,
    shrinkage: float | None = None,
    kappa: float | None = None,
    em_steps: int | None = None,
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
        weights: Learner of the weights [default: log-linear]
        epochs: Passes over the lists [default: 10]
        learner: Learner of the hidden states [default: spectral]
        states: Number of hidden states; the maximum if held-out trees choose [default: 10; 30 for
            spectral+em]
        exact_states: Exactly states hidden states: held-out trees choose only the regularisation
        paper: Exactly the method of Dhillon et al. (2012), without our extensions; the report names all
            constants
        embed: Neighbours by which words are embedded [default: trees]
        observe: Observations: what is visible of each word [default: both]
        min_count: Words with fewer occurrences are represented by their tag [default: 20]
        shrinkage: Regularisation of small singular values, as a fraction of the largest one [default:
            chosen on held-out trees, together with a number of states up to states]
        kappa: Pseudo-count added to counts when words are embedded [default: 20]
        em_steps: Number of EM steps [default: 30; 20 for spectral+em]
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "skip_bad": skip_bad, "quality": quality, "folds": folds, "nbest": nbest,
        "features": features, "weights": weights, "epochs": epochs, "learner": learner,
        "states": states, "exact_states": exact_states, "paper": paper, "embed": embed,
        "observe": observe, "min_count": min_count, "shrinkage": shrinkage, "kappa": kappa,
        "em_steps": em_steps, "seed": seed,
    }
    model: Model = _commands.train("reranker", treebank, "sentences", output, options, threads, progress)
    return model


def tagger(
    treebank: Data,
    *,
    output: StrPath | None = None,
    columns: str | float | Sequence[str | float] | None = None,
    lexicon: Data | None = None,
    dev: Data | None = None,
    clusters: Data | None = None,
    vectors: Data | None = None,
    skip_bad: bool = False,
    objective: Literal["likelihood", "perceptron"] | None = None,
    passes: int | None = None,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress = None,
) -> Tagger:
    """Train a tagger for parts of speech, morphology or other columns of a CoNLL-U treebank, or for the tags of
    phrase-structure trees.

    A linear-chain model over neighbouring words, suffixes, shapes and dictionary entries; with clusters also
    over cluster paths. All columns go into one model and share its features.

    Args:
        treebank: Training treebanks in CoNLL-U or Penn brackets
        output: File for the model; without it, the model stays in memory until it is saved
        threads: Number of threads; 0 means one per core
        progress: True shows a bar; a function is called with stage, units done, total, note
        columns: Columns to learn, separated by commas: upos, xpos, feats, deprel, lemma, misc [default:
            those of upos,xpos,feats,lemma that the treebank fills; for Penn trees their tags, as xpos]
        lexicon: Words with their lemmas, for words that the treebank does not have: form, lemma, UPOS and
            optionally FEATS, separated by tabs
        dev: Development sentences to score after training; they do not influence the model
        clusters: Word clusters for features, as written by `cluster`
        vectors: Word vectors for features, as written by `cluster vectors`: word2vec text, .bin, or .npy
            with the words in a second file ending in .words
        skip_bad: Skip sentences that cannot be read, and report them
        objective: Training objective [default: likelihood]
        passes: Passes over the sentences [default: 10]
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "columns": columns, "lexicon": lexicon, "dev": dev, "clusters": clusters,
        "vectors": vectors, "skip_bad": skip_bad, "objective": objective, "passes": passes,
        "seed": seed,
    }
    model: Tagger = _commands.train("tagger", treebank, "labels", output, options, threads, progress)
    return model


def ner(
    sentences: Data,
    *,
    output: StrPath | None = None,
    gazetteer: Data | None = None,
    dev: Data | None = None,
    clusters: Data | None = None,
    vectors: Data | None = None,
    skip_bad: bool = False,
    objective: Literal["likelihood", "perceptron"] | None = None,
    passes: int | None = None,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress = None,
) -> Tagger:
    """Train a named-entity recogniser on two-column files, `token<TAB>tag`.

    Reads the schemes IOB1, IOB2 and BIOES; the model uses BIOES. The features are those of Ratinov and Roth
    (2009): neighbouring words, shapes and affixes, the previous tag, word clusters, gazetteers.

    Args:
        sentences: Two-column training files
        output: File for the model; without it, the model stays in memory until it is saved
        threads: Number of threads; 0 means one per core
        progress: True shows a bar; a function is called with stage, units done, total, note
        gazetteer: Gazetteer, one name per line; may be given up to 31 times
        dev: Development sentences to score after training; they do not influence the model
        clusters: Word clusters for features, as written by `cluster`
        vectors: Word vectors for features, as written by `cluster vectors`: word2vec text, .bin, or .npy
            with the words in a second file ending in .words
        skip_bad: Skip sentences that cannot be read, and report them
        objective: Training objective [default: likelihood]
        passes: Passes over the sentences [default: 10]
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "gazetteer": gazetteer, "dev": dev, "clusters": clusters, "vectors": vectors,
        "skip_bad": skip_bad, "objective": objective, "passes": passes, "seed": seed,
    }
    model: Tagger = _commands.train("ner", sentences, "entities", output, options, threads, progress)
    return model


def pipeline(
    treebank: Data,
    *,
    output: StrPath | None = None,
    text: Data | None = None,
    entities: Data | None = None,
    columns: str | float | Sequence[str | float] | None = None,
    lexicon: Data | None = None,
    parser: Literal["none", "fast", "balanced", "best"] | None = None,
    grammar: Data | None = None,
    folds: int | None = None,
    dev: Data | None = None,
    clusters: Data | None = None,
    vectors: Data | None = None,
    skip_bad: bool = False,
    objective: Literal["likelihood", "perceptron"] | None = None,
    passes: int | None = None,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress = None,
) -> Pipeline:
    """Train a pipeline from raw text to trees: tokenizer, tagger, dependency parser and, on request, named
    entities.

    All parts go into one model. With text, word clusters are learnt from text first and help the tagger, the
    parser and the entity recogniser. The parser learns from predicted tags, so that it sees errors like those
    of the tagger on new text: the treebank is cut into folds parts, and each is tagged by a tagger trained on
    the others.

    Args:
        treebank: Training treebanks in CoNLL-U with `# text` comments
        output: File for the model; without it, the model stays in memory until it is saved
        threads: Number of threads; 0 means one per core
        progress: True shows a bar; a function is called with stage, units done, total, note
        text: Tokenised text to learn word clusters from
        entities: Two-column files to learn named entities from
        columns: Columns of the tagger, separated by commas; columns that are empty in the treebank are
            left out [default: upos,xpos,feats,lemma]
        lexicon: Words with their lemmas, for words that the treebank does not have: form, lemma, UPOS and
            optionally FEATS, separated by tabs
        parser: Training effort of the parser [default: balanced, if the treebank has trees]
        grammar: Grammar with latent states written by `train lpcfg`, for phrase-structure trees (`parse
            format ptb`)
        folds: Number of parts for predicting the tags that the parser learns from; 1 uses the gold tags
            [default: 4]
        dev: Development sentences to score after training; they do not influence the model
        clusters: Word clusters for features, as written by `cluster`
        vectors: Word vectors for features, as written by `cluster vectors`: word2vec text, .bin, or .npy
            with the words in a second file ending in .words
        skip_bad: Skip sentences that cannot be read, and report them
        objective: Training objective [default: likelihood]
        passes: Passes over the sentences [default: 10]
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "text": text, "entities": entities, "columns": columns, "lexicon": lexicon,
        "parser": parser, "grammar": grammar, "folds": folds, "dev": dev, "clusters": clusters,
        "vectors": vectors, "skip_bad": skip_bad, "objective": objective, "passes": passes,
        "seed": seed,
    }
    model: Pipeline = _commands.train("pipeline", treebank, "sentences", output, options, threads, progress)
    return model


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
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "clusters": clusters, "method": method, "paper": paper,
        "counts": counts, "work": work, "vectors": vectors, "tree": tree, "picture": picture,
        "picture_depth": picture_depth, "picture_words": picture_words, "vocab": vocab,
        "min_count": min_count, "unknown": unknown, "boundaries": boundaries, "lossy": lossy,
        "context": context, "kappa": kappa, "transform": transform, "rank": rank, "ward": ward,
        "seed": seed,
    }
    options["paths"] = paths
    found: tuple[Clusters, Vectors | None] = _commands.cluster(texts, output, options, threads, progress)
    return found
