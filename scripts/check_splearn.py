#!/usr/bin/env python3
"""Compares eigentree's spectral automata with scikit-splearn on PAutomaC problems; scores all of PAutomaC and SPiCe.

    python3 scripts/check_splearn.py splearn [--problems 1,3,6] [--rank 20] [--length 3]
    python3 scripts/check_splearn.py pautomac
    python3 scripts/check_splearn.py spice

Run it after `cargo build --release`, or name the program with --program. The data is in sequences/nc/pautomac and
sequences/spice of $EIGENTREE_DATA, by default ../shared/data next to the repository.

`splearn` installs scikit-splearn 1.2 (with numpy < 2) into target/bench/splearn and runs both programs on one thread, at
the same rank on the same basis: all substrings of up to --length symbols (scaled in eigentree, its default). Perplexity is
that of the competition. A test string to which scikit-splearn gives no positive value gets the smallest positive value that
it gives to any string, which favours it. CPU seconds are user plus system time of the whole process, including reading but
not the start of the interpreter. `pautomac` and `spice` use eigentree with its defaults. All print Markdown tables.
"""

import argparse
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = pathlib.Path(os.environ.get("EIGENTREE_DATA", ROOT.parent / "shared" / "data")) / "sequences"
VENV = ROOT / "target" / "bench" / "splearn"
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}

# Runs in the virtual environment: one problem, one JSON object.
WORKER = r"""
import json, math, sys, time, warnings
warnings.simplefilter("ignore")
train, test, solution, rank, length = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
from splearn.datasets.base import load_data_sample
from splearn.spectral import Spectral
begin = time.process_time()
sample = load_data_sample(adr=train)
learner = Spectral(rank=rank, lrows=length, lcolumns=length, version="factor", partial=True, sparse=True, mode_quiet=True)
learner.fit(sample.data)
learnt = time.process_time() - begin
found = [float(value) for value in learner.predict(load_data_sample(adr=test).data)]
true = [float(line) for line in open(solution).read().split()[1:]]
positive = [value for value in found if value > 0]
floor = min(positive)
q = [value if value > 0 else floor for value in found]
p_sum, q_sum = sum(true), sum(q)
cross = sum(p / p_sum * math.log2(value / q_sum) for p, value in zip(true, q))
print(json.dumps({"perplexity": 2 ** -cross, "nonpositive": len(found) - len(positive), "cpu_seconds": learnt}))
"""


def run(command, failing=None):
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | ONE_THREAD)
    if done.returncode and failing is not None:
        return failing
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def ours(program, folder, train, test, solution, options):
    model = folder / "model.eig"
    learnt = run([program, "train", "automaton", train, "-o", model, "--threads", "1", "--json", "--quiet", *options])
    scored = run([program, "score", model, test, "--solution", solution, "--totals", "--json", "--quiet"])
    return learnt, scored


def environment():
    python = VENV / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "numpy<2", "scikit-splearn==1.2"], check=True)
    return python


def problems(args, default):
    chosen = [int(number) for number in args.problems.split(",")] if args.problems else default
    folder = DATA / "nc" / "pautomac"
    for number in chosen:
        train = folder / f"{number}.pautomac.train.gz"
        if train.exists():
            yield number, train, folder / f"{number}.pautomac.test", folder / f"{number}.pautomac_solution.txt"


def splearn(args, folder):
    python = args.python or environment()
    print("| problem | optimum | splearn | eigentree | splearn, not positive | CPU s, splearn | eigentree | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    options = ["--learner", "spectral", "--rank", str(args.rank), "--basis", "substrings", "--length", str(args.length)]
    options += ["--features", "0"]
    for number, train, test, solution in problems(args, [1, 3, 6, 7, 9, 11, 12, 14, 15, 17, 20, 24]):
        plain = folder / "train"
        plain.write_bytes(gzip.open(train).read())
        theirs = run([python, "-c", WORKER, plain, test, solution, str(args.rank), str(args.length)])
        learnt, scored = ours(args.program, folder, plain, test, solution, options)
        score, mine = scored["pautomac"], learnt["cpu_seconds"]
        print(
            f"| {number} | {score['optimum']:.2f} | {theirs['perplexity']:.2f} | {score['perplexity']:.2f} "
            f"| {theirs['nonpositive'] / 10:.1f} % | {theirs['cpu_seconds']:.1f} | {mine:.1f} "
            f"| {theirs['cpu_seconds'] / mine:.1f} |",
            flush=True,
        )


def pautomac(args, folder):
    print("| problem | optimum | eigentree | above | states | weight | train CPU s | clipped predictions |")
    print("|---|---|---|---|---|---|---|---|")
    for number, train, test, solution in problems(args, list(range(1, 49))):
        learnt, scored = ours(args.program, folder, train, test, solution, args.options)
        score, figures = scored["pautomac"], learnt["figures"]
        of = {name.split("_of_")[0]: figure for name, figure in figures.items() if "_of_" in name}
        print(
            f"| {number} | {score['optimum']:.3f} | {score['perplexity']:.3f} | {score['percent_above']:.2f} % "
            f"| {of.get('states', '–')} | {of.get('weight', 0):.3f} "
            f"| {learnt['cpu_seconds']:.1f} | {100 * scored['clipped'] / max(scored['predictions'], 1):.1f} % |",
            flush=True,
        )


def spice(args, folder):
    print("| problem | NDCG@5 public | private | train CPU s |")
    print("|---|---|---|---|")
    chosen = [int(number) for number in args.problems.split(",")] if args.problems else range(16)
    for number in chosen:
        train = DATA / "spice" / f"{number}.spice.train.gz"
        if not train.exists():
            continue
        model = folder / "model.eig"
        learn = [args.program, "train", "automaton", train, "-o", model, "--threads", "1", "--json", "--quiet"]
        learnt = run([*learn, *args.options])
        cells = []
        for part in ("public", "private"):
            prefixes = DATA / "spice" / f"{number}.spice.prefix.{part}.gz"
            targets = DATA / "spice" / f"{number}.spice.target.{part}.gz"
            if prefixes.exists() and targets.exists():
                command = [args.program, "predict", model, prefixes, "--targets", targets, "--json", "--quiet"]
                command += ["-o", folder / "ranked"]
                # The public targets of problem 4 have one line more than the prefixes.
                gain = run(command, {"prediction": {"ndcg_at_5": None}})["prediction"]["ndcg_at_5"]
                cells.append("–" if gain is None else f"{gain:.4f}")
            else:
                cells.append("–")
        print(f"| {number} | {cells[0]} | {cells[1]} | {learnt['cpu_seconds']:.1f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["splearn", "pautomac", "spice"])
    parser.add_argument("--problems", default="")
    parser.add_argument("--rank", type=int, default=20)
    parser.add_argument("--length", type=int, default=3)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "target" / "release" / "eigentree")
    parser.add_argument("--python", type=pathlib.Path, help="an interpreter that already has scikit-splearn")
    parser.add_argument("options", nargs="*", help="options of `train automaton`, after --")
    args = parser.parse_intermixed_args()
    args.program = args.program.resolve()
    with tempfile.TemporaryDirectory() as folder:
        {"splearn": splearn, "pautomac": pautomac, "spice": spice}[args.what](args, pathlib.Path(folder))


if __name__ == "__main__":
    main()
