"""Training: one function per family, with the options of `eigentree train` and `eigentree cluster`.

Written by generate.py from the options of the program: do not edit.
"""

from ._dependency import deptree, head_automata, mst, reranker
from ._grammars import lpcfg, pcfg
from ._sequences import automaton, hmm
from ._tagging import ner, pipeline, tagger
from ._words import cluster

__all__ = ["automaton", "cluster", "deptree", "head_automata", "hmm", "lpcfg", "mst", "ner", "pcfg", "pipeline", "reranker", "tagger"]
