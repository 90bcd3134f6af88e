"""Training of grammars, with the options of the program.

Written by generate.py from the options of the program: do not edit.
"""

from __future__ import annotations

from typing import Any, Literal

from .. import _commands
from .._data import Data, StrPath
from .._native import Parser
from ..progress import Progress

__all__ = ["lpcfg", "pcfg"]


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
    networks: int | None = None,
    smoothing: str | float | None = None,
    tune: bool = False,
    tune_states: bool = False,
    clusters: Data | None = None,
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
        networks: Networks of the span model beside the weights of its features; they help with large
            treebanks [default: 1 with quality best, else 0]
        smoothing: Back-off constants for rules, words and rare-word classes, such as 10,10,10; one number
            for all three, or `none` [default: from the recipe]. With paper one number, C of the rules
        tune: Choose the smoothing constants on a tenth of the training trees, then train on all trees
        tune_states: Choose the number of states of each symbol on a tenth of the training trees, at most
            states, then train on all trees
        clusters: Word clusters for rare and unknown words and for the features of spans, as written by
            `cluster`
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
        "networks": networks, "smoothing": smoothing, "tune": tune,
        "tune_states": tune_states, "clusters": clusters, "horizontal": horizontal,
        "vertical": vertical, "binarize": binarize, "head_rules": head_rules,
        "rule_smoothing": rule_smoothing, "seed": seed,
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
