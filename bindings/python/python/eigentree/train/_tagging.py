"""Training of taggers and pipelines, with the options of the program.

Written by generate.py from the options of the program: do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from .. import _commands
from .._data import Data, StrPath
from .._native import Pipeline, Tagger
from ..progress import Progress

__all__ = ["ner", "pipeline", "tagger"]


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
    objective: Literal["likelihood", "perceptron", "greedy"] | None = None,
    passes: int | None = None,
    networks: int | None = None,
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
        dev: Development sentences to score after training; confidences of tags and heads are fitted to
            them, nothing else is
        clusters: Word clusters for features, as written by `cluster`
        vectors: Word vectors for features, as written by `cluster vectors`: word2vec text, .bin, or .npy
            with the words in a second file ending in .words
        skip_bad: Skip sentences that cannot be read, and report them
        objective: Training objective [default: likelihood]
        passes: Passes over the sentences [default: 10]
        networks: Networks that score labels beside the weights of features; 0 is fastest [default: 1 for
            tags, 0 for entities; in a pipeline by parser]
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "columns": columns, "lexicon": lexicon, "dev": dev, "clusters": clusters,
        "vectors": vectors, "skip_bad": skip_bad, "objective": objective, "passes": passes,
        "networks": networks, "seed": seed,
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
    objective: Literal["likelihood", "perceptron", "greedy"] | None = None,
    passes: int | None = None,
    networks: int | None = None,
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
        dev: Development sentences to score after training; confidences of tags and heads are fitted to
            them, nothing else is
        clusters: Word clusters for features, as written by `cluster`
        vectors: Word vectors for features, as written by `cluster vectors`: word2vec text, .bin, or .npy
            with the words in a second file ending in .words
        skip_bad: Skip sentences that cannot be read, and report them
        objective: Training objective [default: likelihood]
        passes: Passes over the sentences [default: 10]
        networks: Networks that score labels beside the weights of features; 0 is fastest [default: 1 for
            tags, 0 for entities; in a pipeline by parser]
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "gazetteer": gazetteer, "dev": dev, "clusters": clusters, "vectors": vectors,
        "skip_bad": skip_bad, "objective": objective, "passes": passes, "networks": networks,
        "seed": seed,
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
    source: Data | None = None,
    grammar: Data | None = None,
    folds: int | None = None,
    dev: Data | None = None,
    clusters: Data | None = None,
    vectors: Data | None = None,
    skip_bad: bool = False,
    objective: Literal["likelihood", "perceptron", "greedy"] | None = None,
    passes: int | None = None,
    networks: int | None = None,
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
        source: Treebank of another language for the parser to learn from as well: its tags, features and
            universal relations, not its words. May be given several times
        grammar: Grammar with latent states written by `train lpcfg`, for phrase-structure trees (`parse
            format ptb`)
        folds: Number of parts for predicting the tags that the parser learns from; 1 uses the gold tags
            [default: 4]
        dev: Development sentences to score after training; confidences of tags and heads are fitted to
            them, nothing else is
        clusters: Word clusters for features, as written by `cluster`
        vectors: Word vectors for features, as written by `cluster vectors`: word2vec text, .bin, or .npy
            with the words in a second file ending in .words
        skip_bad: Skip sentences that cannot be read, and report them
        objective: Training objective [default: likelihood]
        passes: Passes over the sentences [default: 10]
        networks: Networks that score labels beside the weights of features; 0 is fastest [default: 1 for
            tags, 0 for entities; in a pipeline by parser]
        seed: Random seed; the same seed always gives the same result [default: 1]
    """
    options: dict[str, Any] = {
        "text": text, "entities": entities, "columns": columns, "lexicon": lexicon,
        "parser": parser, "source": source, "grammar": grammar, "folds": folds, "dev": dev,
        "clusters": clusters, "vectors": vectors, "skip_bad": skip_bad,
        "objective": objective, "passes": passes, "networks": networks, "seed": seed,
    }
    model: Pipeline = _commands.train("pipeline", treebank, "sentences", output, options, threads, progress)
    return model
