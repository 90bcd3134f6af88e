#!/usr/bin/env python3
"""Compares the truncated SVD of eigentree-linalg with SciPy and scikit-learn on one large sparse matrix.

    python3 scripts/bench_svd.py [--quick] [--rank 200] [--large-rank 1000]

Installs numpy, scipy and scikit-learn into target/bench/venv, builds the matrix from text/en.txt.zst in
$EIGENTREE_DATA (by default ../shared/data next to the repository), runs every solver on one thread in its own process
and prints Markdown tables. CPU seconds are user plus system time of the decomposition alone, with the matrix in memory;
for eigentree they include the transposition that the operator needs once.

Rows of the matrix are the 50,000 most frequent word types and one symbol for all others; columns are the same types at
each of the positions -2, -1, +1, +2 within the sentence. With counts B, word counts u, column sums v:
Omega = diag(u + 100)^-1/2 B diag(v + 100)^-1/2, plain counts (Stratos et al. 2014).

The reference values come from SciPy's ARPACK in double precision to machine precision, and for the large rank from
eigentree in double precision with tolerance 1e-8; the two are compared where both exist.
"""

import argparse
import json
import os
import pathlib
import platform
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BENCH = ROOT / "target" / "bench"
MATRIX = BENCH / "omega.csr"
ONE_THREAD = {
    name: "1"
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "RAYON_NUM_THREADS")
}

# Runs in the virtual environment: one solver, one JSON object.
WORKER = r"""
import json, sys, time
import numpy as np, scipy.sparse as sparse
solver, precision, tolerance, rank, path = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
with open(path, "rb") as file:
    nrows, ncols, nnz = (int(size) for size in np.fromfile(file, "<u8", 3))
    indptr = np.fromfile(file, "<u8", nrows + 1).astype(np.int32)
    indices = np.fromfile(file, "<u4", nnz).astype(np.int32)
    values = np.fromfile(file, "<f4", nnz).astype(precision)
matrix = sparse.csr_matrix((values, indices, indptr), shape=(nrows, ncols))
start = time.process_time()
if solver == "randomized_svd":
    from sklearn.utils.extmath import randomized_svd
    u, s, vt = randomized_svd(matrix, rank, n_iter=int(tolerance), random_state=0)
else:
    from scipy.sparse.linalg import svds
    u, s, vt = svds(matrix, k=rank, solver=solver, tol=tolerance, rng=0)
seconds = time.process_time() - start
order = np.argsort(-s)
u, s, vt = u[:, order], s[order], vt[order]
residual = max(
    np.linalg.norm(matrix @ vt.T - u * s, axis=0).max(), np.linalg.norm(matrix.T @ u - vt.T * s, axis=0).max()
) / s[0]
print(json.dumps({"cpu_seconds": seconds, "sigma": s.astype(float).tolist(), "largest_residual": float(residual)}))
"""


def run(command, **options):
    print("$", " ".join(map(str, command[:2])), "…" if len(command) > 2 else "", file=sys.stderr)
    return subprocess.run([str(part) for part in command], check=True, cwd=ROOT, **options)


def prepare():
    BENCH.mkdir(parents=True, exist_ok=True)
    python = BENCH / "venv" / "bin" / "python"
    if not python.exists():
        run([sys.executable, "-m", "venv", BENCH / "venv"])
    run([python, "-m", "pip", "install", "--quiet", "numpy", "scipy>=1.15", "scikit-learn"])
    run(["cargo", "build", "--quiet", "--release", "-p", "eigentree-linalg", "--examples"])
    if not MATRIX.exists():
        data = pathlib.Path(os.environ.get("EIGENTREE_DATA", ROOT.parent / "shared" / "data"))
        run([ROOT / "target/release/examples/svd_omega", data / "text" / "en.txt.zst", MATRIX])
    return python


def ours(rank, **options):
    command = [ROOT / "target/release/examples/svd_of_file", MATRIX, rank, "threads=1"]
    command += [f"{key}={value}" for key, value in options.items()]
    return json.loads(run(command, capture_output=True, text=True).stdout)


def theirs(python, solver, precision, tolerance, rank, limit):
    command = [python, "-c", WORKER, solver, precision, tolerance, rank, MATRIX]
    try:
        done = run(command, capture_output=True, text=True, env={**os.environ, **ONE_THREAD}, timeout=limit)
    except subprocess.TimeoutExpired:
        return {"failure": f"stopped after {limit} s"}
    except subprocess.CalledProcessError as error:
        return {"failure": (error.stderr.strip().splitlines() or ["failed"])[-1][:80]}
    return json.loads(done.stdout)


def error(sigma, reference):
    return max(abs(a - b) / b for a, b in zip(sigma, reference))


def row(name, result, reference):
    if "failure" in result:
        return f"| {name} | – | {result['failure']} | |"
    values = error(result["sigma"], reference)
    return f"| {name} | {result['cpu_seconds']:.1f} | {values:.1e} | {result['largest_residual']:.1e} |"


def machine():
    model, flags = "unknown processor", []
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        key, _, value = line.partition(":")
        if key.strip() == "model name":
            model = value.strip()
        if key.strip() == "flags":
            flags = [name for name in ("avx2", "fma", "avx512f") if name in value.split()]
    return f"{model}, {os.cpu_count()} cores, {', '.join(flags)}; {platform.system()}; load {os.getloadavg()[0]:.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rank", type=int, default=200)
    parser.add_argument("--large-rank", type=int, default=1000)
    parser.add_argument("--limit", type=int, default=600, help="time limit of each other solver, in wall-clock seconds")
    parser.add_argument("--quick", action="store_true", help="only eigentree and SciPy's fastest solver")
    options = parser.parse_args()
    python = prepare()
    print(f"{machine()}\n", flush=True)

    rank = options.rank
    reference = theirs(python, "arpack", "float64", 0, rank, 4 * options.limit)
    if "failure" in reference:
        sys.exit(f"the reference failed: {reference['failure']}")
    truth = reference["sigma"]
    table = [
        ("eigentree, f32", ours(rank)),
        ("eigentree, f32, tolerance 2e-5", ours(rank, tolerance=2e-5)),
        ("scipy svds arpack, f32", theirs(python, "arpack", "float32", 0, rank, options.limit)),
    ]
    if not options.quick:
        table += [
            ("eigentree, f64", ours(rank, precision="f64")),
            ("scipy svds arpack, f32, tol 1e-2", theirs(python, "arpack", "float32", 1e-2, rank, options.limit)),
            ("scipy svds arpack, f64 (reference)", reference),
            ("scipy svds propack, f32", theirs(python, "propack", "float32", 1e-4, rank, options.limit)),
            ("scipy svds lobpcg, f32", theirs(python, "lobpcg", "float32", 1e-3, rank, options.limit)),
            ("scikit-learn randomized_svd, f32, 4 iterations", theirs(python, "randomized_svd", "float32", 4, rank, options.limit)),
            ("scikit-learn randomized_svd, f32, 7 iterations", theirs(python, "randomized_svd", "float32", 7, rank, options.limit)),
        ]
    print(f"Rank {rank}: σ_1 = {truth[0]:.4f}, σ_{rank} = {truth[-1]:.4f}\n")
    print("| solver | CPU s | largest relative error of σ | largest residual / σ_1 |\n|---|---|---|---|")
    for name, result in table:
        print(row(name, result, truth))
    good = [r["cpu_seconds"] for name, r in table if "scipy" in name and "failure" not in r and error(r["sigma"], truth) <= 1e-4]
    print(f"\nCPU time against the best of svds with an error of at most 1e-4: {table[0][1]['cpu_seconds'] / min(good):.2f}\n", flush=True)

    if options.large_rank:
        rank = options.large_rank
        precise = ours(rank, precision="f64", tolerance=1e-8)
        print(f"Rank {rank}: σ_{rank} = {precise['sigma'][-1]:.4f}; the reference (f64, tolerance 1e-8, {precise['cpu_seconds']:.0f} s)")
        print(f"differs from ARPACK's by {error(precise['sigma'], truth):.1e} in the first {len(truth)} values\n")
        print("| solver | CPU s | largest relative error of σ | largest residual / σ_1 |\n|---|---|---|---|")
        print(row("eigentree, f32", ours(rank), precise["sigma"]))


if __name__ == "__main__":
    main()
