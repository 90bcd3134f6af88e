"""scikit-learn: estimators on the solvers and models of the library.

They take texts, sequences and tagged sentences as lists, work in pipelines and grid searches, and can be cloned and
pickled. `TruncatedSVD` takes matrices, as scikit-learn's class of that name.
"""

from ._clusters import BrownClusters, SpectralClusters
from ._sequences import SpectralSequenceModel
from ._svd import TruncatedSVD
from ._tagger import LatentVariableTagger

__all__ = ["BrownClusters", "LatentVariableTagger", "SpectralClusters", "SpectralSequenceModel", "TruncatedSVD"]
