"""Truncated singular value decomposition."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import scipy.sparse  # type: ignore[import-untyped, unused-ignore]
from sklearn.base import (  # type: ignore[import-untyped, unused-ignore]
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.exceptions import ConvergenceWarning  # type: ignore[import-untyped, unused-ignore]
from sklearn.utils.validation import check_is_fitted, validate_data  # type: ignore[import-untyped, unused-ignore]

from .. import _native
from ._shared import seed_of, threads_of

__all__ = ["TruncatedSVD"]


class TruncatedSVD(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc, unused-ignore]
    """Leading singular vectors of a matrix, with the interface of scikit-learn's class of that name.

    The solver is block Lanczos with restarts. It stops when the residual of every triplet is below `tol` times the
    largest singular value, so the error is known; `residuals_` has it.

    Args:
        n_components: Number of singular vectors
        tol: Largest residual, relative to the largest singular value
        random_state: Seed; None means 0, so that results repeat
        max_restarts: Restarts of the basis before the solver gives up and warns
        n_jobs: Number of threads; None means 1, -1 one per core
    """

    def __init__(
        self,
        n_components: int = 2,
        *,
        tol: float = 1e-3,
        random_state: Any = None,
        max_restarts: int = 20,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.tol = tol
        self.random_state = random_state
        self.max_restarts = max_restarts
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> TruncatedSVD:
        """Finds the singular vectors of X."""
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Finds the singular vectors of X, and returns its rows projected on them."""
        X = validate_data(self, X, accept_sparse=["csr", "csc"], dtype=[np.float64, np.float32], ensure_min_features=2)
        if not 1 <= self.n_components <= min(X.shape):
            raise ValueError(f"n_components={self.n_components} must be between 1 and {min(X.shape)}")
        rows = scipy.sparse.csr_matrix(X)
        if not rows.has_canonical_format:
            rows = rows.copy()
            rows.sum_duplicates()
        found = _native.truncated_svd(
            rows.shape,
            rows.indptr.astype(np.int64, copy=False),
            rows.indices.astype(np.int32, copy=False),
            rows.data,
            self.n_components,
            tolerance=self.tol,
            exact=False,
            seed=seed_of(self.random_state),
            max_restarts=self.max_restarts,
            threads=threads_of(self.n_jobs),
        )
        if not found["converged"]:
            warnings.warn("not converged: raise max_restarts or tol", ConvergenceWarning, stacklevel=2)
        missing = self.n_components - len(found["s"])
        # A matrix of smaller rank has fewer triplets; the others are zero.
        self.singular_values_ = np.pad(found["s"], (0, missing))
        self.components_ = np.pad(found["v"].T, ((0, missing), (0, 0)))
        self.residuals_ = np.pad(found["residuals"], (0, missing))
        transformed = np.pad(found["u"] * found["s"], ((0, 0), (0, missing)))
        self.explained_variance_ = np.var(transformed, axis=0)
        if scipy.sparse.issparse(X):
            mean = np.asarray(X.mean(axis=0)).ravel()
            total = float(np.asarray(X.multiply(X).mean(axis=0)).ravel().sum() - (mean**2).sum())
        else:
            total = float(np.var(X, axis=0).sum())
        self.explained_variance_ratio_ = self.explained_variance_ / total if total > 0 else self.explained_variance_
        return transformed

    def transform(self, X: Any) -> Any:
        """The rows of X projected on the singular vectors."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse=["csr", "csc"], dtype=[np.float64, np.float32], reset=False)
        return np.asarray(X @ self.components_.T)

    def inverse_transform(self, X: Any) -> Any:
        """Rows from their projections."""
        check_is_fitted(self)
        return np.asarray(X) @ self.components_

    @property
    def _n_features_out(self) -> int:
        return int(self.components_.shape[0])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
