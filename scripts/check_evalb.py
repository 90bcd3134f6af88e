#!/usr/bin/env python3
"""Bracket scores by a second, independent implementation of EVALB's COLLINS conventions.

It follows the definition literally and slowly, needs only Python, and shares no code with the crate.

    scripts/check_evalb.py score GOLD PREDICTED             print the scores
    scripts/check_evalb.py compare GOLD PREDICTED REPORT    check the JSON of `eigentree eval --json` against them
    scripts/check_evalb.py evalb GOLD PREDICTED             check this script against EVALB itself, count by count
    scripts/check_evalb.py perturb GOLD SEED > PREDICTED    write a wrong but plausible prediction

By default punctuation is dropped from both trees by the gold tags, and a sentence without a tree counts with its gold
brackets, as in `eigentree eval`. With --own-tags and --skip-missing both follow EVALB itself. `evalb` downloads the
source of EVALB with pip (it is part of an AllenNLP release) and compiles it in target/.
"""

import argparse
import json
import random
import re
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

TOP = {"TOP", "ROOT", "S1", "VROOT", "", "FALLBACK"}
PUNCTUATION = {",", ":", "``", "''", "."}
EMPTY = "-NONE-"
TOLERANCE = 1e-9


def read_trees(path):
    """Yields each top-level bracket as (label, [children]), a preterminal as (tag, word); () for an empty bracket."""
    with open(path, encoding="utf-8") as lines:
        tokens = re.findall(r"[()]|[^\s()]+", lines.read())
    stack, last = [], None
    for token in tokens:
        if token == "(":
            stack.append(["", []])
        elif token == ")":
            label, children = stack.pop()
            if len(children) == 1 and isinstance(children[0], str):
                node = (label, children[0])
            elif children:
                node = (label, children)
            else:
                node = None
            if stack:
                if node is not None:
                    stack[-1][1].append(node)
            else:
                yield node
        elif last == "(":
            stack[-1][0] = token
        else:
            stack[-1][1].append(token)
        last = token
    if stack:
        sys.exit(f"{path}: unclosed bracket at the end of the file")


def leaves(tree):
    """(tag, word) of all leaves except empty elements."""
    tag, below = tree
    if isinstance(below, str):
        return [] if tag == EMPTY else [(tag, below)]
    return [leaf for child in below for leaf in leaves(child)]


def brackets(tree, kept):
    """The multiset of (start, end, label) over the words for which kept[i] is true."""
    found = Counter()

    def walk(node, first):
        label, below = node
        if isinstance(below, str):
            return first if label == EMPTY else first + 1
        last = first
        for child in below:
            last = walk(child, last)
        start, end = sum(kept[:first]), sum(kept[:last])
        if not label.startswith("-"):
            label = re.split("[-=]", label, maxsplit=1)[0]
        if start < end and label not in TOP | PUNCTUATION | {EMPTY}:
            found[start, end, "ADVP" if label == "PRT" else label] += 1
        return last

    walk(tree, 0)
    return found


def is_fallback(tree):
    label, below = tree
    return label == "FALLBACK" or (not isinstance(below, str) and len(below) == 1 and below[0][0] == "FALLBACK")


def crosses(one, other):
    (a, b, _), (c, d, _) = one, other
    return a < c < b < d or c < a < d < b


def score_sentence(gold, predicted, number, options):
    """A dictionary of counts, or None for a sentence with nothing to score."""
    gold_leaves = leaves(gold)
    kept = [tag not in PUNCTUATION | TOP for tag, _ in gold_leaves]
    counts = Counter(sentences=1, failures=int(predicted is None or is_fallback(predicted)))
    counts["length"] = len(gold_leaves)
    if not any(kept) or (predicted is None and options.skip_missing):
        counts["skipped"] = 1
        return counts
    wanted = brackets(gold, kept)
    counts["words"] = sum(kept)
    counts["gold"] = sum(wanted.values())
    if predicted is None:
        return counts
    predicted_leaves = leaves(predicted)
    own = [tag not in PUNCTUATION | TOP for tag, _ in predicted_leaves] if options.own_tags else kept
    left = [leaf for leaf, keep in zip(gold_leaves, kept) if keep]
    right = [leaf for leaf, keep in zip(predicted_leaves, own) if keep]
    same_length = options.own_tags or len(gold_leaves) == len(predicted_leaves)
    if not same_length or [word for _, word in left] != [word for _, word in right]:
        if options.own_tags:
            return Counter(sentences=1, skipped=1, length=len(gold_leaves))
        sys.exit(f"sentence {number}: the words of the gold and the predicted tree differ")
    given = brackets(predicted, own)
    counts["trees"] = 1
    counts["predicted"] = sum(given.values())
    counts["matched"] = sum((wanted & given).values())
    counts["exact"] = int(wanted == given)
    counts["crossing"] = sum(n for b, n in given.items() if any(crosses(b, g) for g in wanted))
    counts["no_crossing"] = int(counts["crossing"] == 0)
    counts["tags"] = sum(one == other for (one, _), (other, _) in zip(left, right))
    return counts


def figures(records):
    total = Counter()
    for record in records:
        total.update(record)

    def percent(part, whole):
        return 100.0 * total[part] / total[whole] if total[whole] else 0.0

    total["valid"] = total["sentences"] - total["skipped"]
    both = total["gold"] + total["predicted"]
    return {
        "precision": percent("matched", "predicted"),
        "recall": percent("matched", "gold"),
        "f1": 200.0 * total["matched"] / both if both else 0.0,
        "exact": percent("exact", "valid"),
        "tags": percent("tags", "words"),
        "crossing": percent("crossing", "trees") / 100.0,
        "no_crossing": percent("no_crossing", "trees"),
        "failures": total["failures"],
        "sentences": total["sentences"],
        "skipped": total["skipped"],
        "matched": total["matched"],
        "gold": total["gold"],
        "predicted": total["predicted"],
        "words": total["words"],
    }


def score(options):
    gold, predicted = list(read_trees(options.gold)), list(read_trees(options.predicted))
    if len(gold) != len(predicted):
        sys.exit(f"{options.gold} has {len(gold)} trees, but {options.predicted} has {len(predicted)}")
    records = [score_sentence(g, p, i, options) for i, (g, p) in enumerate(zip(gold, predicted), 1)]
    result = figures(records)
    result["up_to"] = {"length": options.cutoff, **figures(r for r in records if r["length"] <= options.cutoff)}
    return result


def compare(options):
    expected = score(options)
    with open(options.report, encoding="utf-8") as file:
        found = json.load(file)["brackets"]
    wrong = []
    for scope, want, have in [("", expected, found), ("up_to.", expected["up_to"], found["up_to"])]:
        for name, value in want.items():
            if name != "up_to" and abs(value - have[name]) > TOLERANCE:
                wrong.append(f"{scope}{name}: {have[name]} in the report, {value} here")
    print("\n".join(wrong) if wrong else f"equal: F1 {expected['f1']:.6f}, {expected['sentences']} sentences")
    return 1 if wrong else 0


def build_evalb():
    """Builds EVALB with larger limits, and COLLINS.prm with ROOT and FALLBACK as further deleted labels."""
    folder = Path(__file__).resolve().parent.parent / "target" / "evalb"
    binary, parameters = folder / "evalb", folder / "collins.prm"
    if binary.exists() and parameters.exists():
        return binary, parameters
    folder.mkdir(parents=True, exist_ok=True)
    fetch = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder)]
    subprocess.run([*fetch, "allennlp==0.9.0"], check=True)
    with zipfile.ZipFile(next(folder.glob("allennlp-0.9.0*.whl"))) as wheel:
        source = wheel.read("allennlp/tools/EVALB/evalb.c").decode("latin-1")
        settings = wheel.read("allennlp/tools/EVALB/COLLINS.prm").decode("latin-1")
    for limit in ("MAX_SENT_LEN", "MAX_WORD_IN_SENT", "MAX_BRACKET_IN_SENT", "MAX_WORD_LEN"):
        source = re.sub(rf"(#define\s+{limit})\s+\d+", r"\1 3000", source)
    source = re.sub(r"\b5000\b", "200000", source)
    source = source.replace("match_j[200]", "match_j[3000]").replace("my_buf[1000]", "my_buf[200000]")
    (folder / "evalb.c").write_text(source, encoding="latin-1")
    parameters.write_text(settings + "\nDELETE_LABEL ROOT\nDELETE_LABEL FALLBACK\n", encoding="latin-1")
    subprocess.run(["cc", "-std=gnu89", "-w", "-O1", "-o", str(binary), str(folder / "evalb.c")], check=True)
    return binary, parameters


def check_against_evalb(options):
    """Compares counts per sentence, which EVALB prints as integers, so the comparison is exact."""
    binary, parameters = build_evalb()
    run = [str(binary), "-p", str(parameters), "-e", "1000000", options.gold, options.predicted]
    output = subprocess.run(run, check=True, capture_output=True).stdout.decode("utf-8", "replace")
    options.own_tags = options.skip_missing = True
    pairs = zip(read_trees(options.gold), read_trees(options.predicted))
    wrong, valid, total = [], 0, Counter()
    lines = output.split("=== Summary")[0].splitlines()
    rows = [line.split() for line in lines if re.match(r"\s*\d+\s+\d+\s+[012]\s", line)]
    for number, ((gold, predicted), row) in enumerate(zip(pairs, rows), 1):
        record = score_sentence(gold, predicted, number, options)
        if row[2] != "0":
            same = record["skipped"] == 1
        else:
            valid += 1
            names = ("matched", "gold", "predicted", "crossing", "words", "tags")
            theirs = dict(zip(names, map(int, row[5:11])), length=int(row[1]))
            total.update(theirs)
            same = not record["skipped"] and all(record[name] == value for name, value in theirs.items())
        if not same:
            wrong.append(f"sentence {number}: EVALB has {' '.join(row)}, this script {dict(record)}")
    print("\n".join(wrong) if wrong else f"equal on {len(rows)} sentences, {valid} of them valid: {dict(total)}")
    return 1 if wrong or not rows else 0


def perturb(options):
    """Relabels, removes, adds, duplicates and re-attaches phrases, changes tags, and omits some trees."""
    rng = random.Random(options.seed)
    labels = ["NP", "VP", "S", "PP", "ADVP", "PRT", "X", "NP-SBJ", "S=2"]

    def change(node):
        label, below = node
        if isinstance(below, str):
            is_plain = label not in PUNCTUATION and label.isalpha()
            if is_plain and rng.random() < 0.04:
                label = rng.choice(["NN", "JJ", "VB"])
            elif not options.keep_punctuation and rng.random() < 0.01:
                label = rng.choice(["NN", ",", "."])
            return [(label, below)]
        children = [new for child in below for new in change(child)]
        for at in range(len(children) - 1):
            # Move a constituent into its left or right neighbour.
            here, there = children[at], children[at + 1]
            if here and there and rng.random() < 0.05:
                if not isinstance(there[1], str) and len(there[1]) > 1 and rng.random() < 0.5:
                    # Move only its first child, so that brackets cross.
                    inside = here[1] if not isinstance(here[1], str) else [here]
                    children[at], children[at + 1] = ("X", inside + there[1][:1]), (there[0], there[1][1:])
                elif not isinstance(here[1], str):
                    children[at], children[at + 1] = (here[0], here[1] + [there]), None
                elif not isinstance(there[1], str):
                    children[at], children[at + 1] = None, (there[0], [here] + there[1])
        children = [child for child in children if child]
        if len(children) > 2 and rng.random() < 0.05:
            at = rng.randrange(len(children) - 1)
            children[at : at + 2] = [(rng.choice(labels), children[at : at + 2])]
        dice = rng.random()
        if label not in TOP:
            if dice < 0.05:
                return children
            if dice < 0.10:
                label = rng.choice(labels)
            elif dice < 0.12:
                return [(label, [(label, children)])]
        return [(label, children)]

    def write(node):
        label, below = node
        return f"({label} {below})" if isinstance(below, str) else f"({label} {' '.join(map(write, below))})"

    for label, below in read_trees(options.gold):
        dice = rng.random()
        if options.keep_punctuation or dice > 0.01:
            changed = change((label, below))
            tree = changed[0] if len(changed) == 1 else ("ROOT", changed)
            if not options.keep_punctuation and dice > 0.99 and not isinstance(tree[1], str):
                tree = ("ROOT", [("FALLBACK", tree[1])])
            print(write(tree))
        else:
            print("(())")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("score", "compare"):
        command = commands.add_parser(name)
        command.add_argument("gold")
        command.add_argument("predicted")
        if name == "compare":
            command.add_argument("report")
        command.add_argument("--cutoff", type=int, default=40)
        command.add_argument("--own-tags", action="store_true", help="drop punctuation by each tree's own tags")
        command.add_argument("--skip-missing", action="store_true", help="leave out sentences without a tree")
    command = commands.add_parser("evalb")
    command.add_argument("gold")
    command.add_argument("predicted")
    command = commands.add_parser("perturb")
    command.add_argument("gold")
    command.add_argument("seed", type=int)
    command.add_argument("--keep-punctuation", action="store_true", help="no wrong punctuation tags, no missing trees")
    options = parser.parse_args()
    sys.setrecursionlimit(100_000)
    if options.command == "score":
        print(json.dumps(score(options), indent=2))
        return 0
    return {"compare": compare, "evalb": check_against_evalb, "perturb": perturb}[options.command](options)


if __name__ == "__main__":
    sys.exit(main())
