"""Truncated SVD of a co-occurrence matrix: ours beside scikit-learn's two solvers and scipy's, in one run.

    OPENBLAS_NUM_THREADS=1 python examples/svd_benchmark.py TEXT [WORDS] [RANK]

The matrix counts which word follows which, scaled by the roots of the counts. The error is the largest relative error of
a singular value, against scipy's ARPACK at full precision.
"""

from __future__ import annotations

import resource
import sys
from collections import Counter
from typing import Any

import numpy as np
import scipy.sparse  # type: ignore[import-untyped, unused-ignore]
import scipy.sparse.linalg  # type: ignore[import-untyped, unused-ignore]
import sklearn.decomposition  # type: ignore[import-untyped, unused-ignore]

from eigentree.sklearn import TruncatedSVD


def matrix_of(path: str, words: int) -> Any:
    """Scaled counts of neighbours."""
    lines = [line.split() for line in open(path, encoding="utf-8")]
    counts = Counter(word for line in lines for word in line)
    rows = {word: row for row, (word, _) in enumerate(counts.most_common(words))}
    pairs = Counter(
        (rows[left], rows[right]) for line in lines for left, right in zip(line, line[1:]) if left in rows and right in rows
    )
    left, right = np.array(list(pairs)).T
    size = len(rows)
    raw = scipy.sparse.csr_matrix((np.array(list(pairs.values()), dtype=np.float32), (left, right)), (size, size))
    scale = [scipy.sparse.diags(1 / np.sqrt(np.asarray(raw.sum(axis)).ravel() + 10)) for axis in (1, 0)]
    return (scale[0] @ raw @ scale[1]).tocsr().astype(np.float32)


def seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main() -> None:
    words, rank = (int(value) for value in (*sys.argv[2:], "10000", "100")[:2])
    matrix = matrix_of(sys.argv[1], words)
    print(f"{matrix.shape[0]} x {matrix.shape[1]}, {matrix.nnz} entries, rank {rank}; CPU seconds")
    exact = np.sort(scipy.sparse.linalg.svds(matrix.astype(np.float64), rank, return_singular_vectors=False))[::-1]
    theirs = sklearn.decomposition.TruncatedSVD
    solvers: list[tuple[str, Any]] = [
        ("eigentree, tol 1e-2", TruncatedSVD(rank, tol=1e-2)),
        ("eigentree, tol 1e-3", TruncatedSVD(rank)),
        ("scikit-learn randomized, 5 iterations", theirs(rank, random_state=0)),
        ("scikit-learn randomized, 20 iterations", theirs(rank, random_state=0, n_iter=20)),
        ("scikit-learn arpack", theirs(rank, algorithm="arpack", random_state=0)),
    ]
    for name, solver in solvers:
        start = seconds()
        solver.fit(matrix)
        error = np.max(np.abs(np.sort(solver.singular_values_)[::-1] / exact - 1))
        print(f"{name:<40} {seconds() - start:7.2f}   error {error:.1e}")
    start = seconds()
    found = np.sort(scipy.sparse.linalg.svds(matrix, rank)[1])[::-1]
    print(f"{'scipy svds':<40} {seconds() - start:7.2f}   error {np.max(np.abs(found / exact - 1)):.1e}")


if __name__ == "__main__":
    main()
