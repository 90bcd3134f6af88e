"""Truncated SVD of a word-context matrix: ours beside scikit-learn's two solvers and scipy's, in one run, at equal error.

    OPENBLAS_NUM_THREADS=1 python examples/svd_benchmark.py TEXT [WORDS] [RANK]

Rows are the most frequent words, columns the same words at the positions -2, -1, +1, +2; counts are scaled by the roots
of the sums of rows and columns plus 100. The error is the largest relative error of a singular value, against scipy's
ARPACK in double precision. Each solver runs with settings from coarse to fine; for each bound the table has the
cheapest run whose error is below it, in CPU seconds, and how many times as long as ours it took.
"""

from __future__ import annotations

import resource
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse  # type: ignore[import-untyped, unused-ignore]
import scipy.sparse.linalg  # type: ignore[import-untyped, unused-ignore]
import sklearn.decomposition  # type: ignore[import-untyped, unused-ignore]

from eigentree.sklearn import TruncatedSVD

BOUNDS = (3e-2, 3e-3, 3e-5, 3e-6)
POSITIONS = (-2, -1, 1, 2)


def matrix_of(path: str, words: int) -> Any:
    """Scaled counts of neighbours."""
    lines = [line.split() for line in open(path, encoding="utf-8")]
    counts = Counter(word for line in lines for word in line)
    rows = {word: row for row, (word, _) in enumerate(counts.most_common(words))}
    width = max(map(abs, POSITIONS))
    apart = [-1] * width
    ids = np.array([number for line in lines for number in [*(rows.get(word, -1) for word in line), *apart]])
    left, right = [], []
    for number, position in enumerate(POSITIONS):
        one, two = (ids[: -abs(position)], ids[abs(position) :])[:: 1 if position > 0 else -1]
        known = (one >= 0) & (two >= 0)
        left.append(one[known])
        right.append(two[known] + number * len(rows))
    pairs = np.concatenate(left), np.concatenate(right)
    shape = len(rows), len(POSITIONS) * len(rows)
    raw = scipy.sparse.coo_matrix((np.ones(len(pairs[0]), np.float32), pairs), shape).tocsr()
    scale = [scipy.sparse.diags(1 / np.sqrt(np.asarray(raw.sum(axis)).ravel() + 100)) for axis in (1, 0)]
    return (scale[0] @ raw @ scale[1]).tocsr().astype(np.float32)


def seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def solvers(matrix: Any, rank: int) -> dict[str, list[tuple[str, Callable[[], Any]]]]:
    """For each solver its settings, and what computes singular values with them."""
    theirs = sklearn.decomposition.TruncatedSVD

    def ours(tol: float) -> Any:
        return TruncatedSVD(rank, tol=tol).fit(matrix).singular_values_

    def randomized(steps: int) -> Any:
        return theirs(rank, n_iter=steps, random_state=0).fit(matrix).singular_values_

    def arpack(tol: float) -> Any:
        return theirs(rank, algorithm="arpack", tol=tol, random_state=0).fit(matrix).singular_values_

    def svds(tol: float) -> Any:
        return scipy.sparse.linalg.svds(matrix, rank, tol=tol)[1]

    def settings(run: Callable[[Any], Any], name: str, values: list[Any]) -> list[tuple[str, Callable[[], Any]]]:
        return [(f"{name} {value:g}", partial(run, value)) for value in values]

    return {
        "eigentree": settings(ours, "tol", [1e-2, 1e-3, 1e-4]),
        "scikit-learn arpack": settings(arpack, "tol", [1e-1, 0]),
        "scipy svds": settings(svds, "tol", [1e-1, 0]),
        "scikit-learn randomized": settings(randomized, "n_iter", [5, 20]),
    }


def main() -> None:
    words, rank = (int(value) for value in (*sys.argv[2:], "10000", "100")[:2])
    matrix = matrix_of(sys.argv[1], words)
    print(f"{matrix.shape[0]} x {matrix.shape[1]}, {matrix.nnz} entries, rank {rank}; CPU seconds", flush=True)
    exact = np.sort(scipy.sparse.linalg.svds(matrix.astype(np.float64), rank, return_singular_vectors=False))[::-1]
    runs: dict[str, list[tuple[float, float, str]]] = {}
    for solver, settings in solvers(matrix, rank).items():
        for name, run in settings:
            start = seconds()
            found = run()
            used = seconds() - start
            error = float(np.max(np.abs(np.sort(found)[::-1] / exact - 1)))
            runs.setdefault(solver, []).append((used, error, name))
            print(f"{solver + ', ' + name:<36} {used:7.2f}   error {error:.1e}", flush=True)
    print("\n| error at most | " + " | ".join(runs) + " |\n|" + "---|" * (len(runs) + 1))
    for bound in BOUNDS:
        best = {name: min((run for run in found if run[1] <= bound), default=None) for name, found in runs.items()}
        own = best["eigentree"]
        cells = [
            "not reached" if run is None else f"{run[0]:.2f} s" + ("" if run is own or own is None else f" (×{run[0] / own[0]:.1f})")
            for run in best.values()
        ]
        print(f"| {bound:g} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
