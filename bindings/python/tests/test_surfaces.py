"""The command line, the service and this package give the same annotation, on texts that nobody would write, too.

`EIGENTREE_PROGRAM` names the program; without it there is nothing to compare with.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import signal
import subprocess
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

import eigentree as et

PROGRAM = os.environ.get("EIGENTREE_PROGRAM", "")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="EIGENTREE_PROGRAM does not name the program")

PIECES = ["Dogs bark.", "the old man", " ", "\n", "\n\n", "\t", ".", "...", "http://a.b/c?d=1", "don't", "«猫»", "שלום", "e\u0301", "\u200b"]


def strange(seed: int) -> str:
    """Words of the models among characters of all kinds."""
    chance = random.Random(seed)
    parts = []
    for _ in range(chance.randrange(1, 25)):
        if chance.random() < 0.7:
            parts.append(chance.choice(PIECES))
            continue
        character = chr(chance.choice([chance.randrange(0x20, 0x250), chance.randrange(0x370, 0x3000), chance.randrange(0x1F300, 0x1F700)]))
        # Control characters end lines in some formats; the readers' own tests have them.
        parts.append(character if unicodedata.category(character)[0] != "C" else "x")
    return "".join(parts)


def words(conllu: str) -> list[list[str]]:
    """Form, lemma, tags, head and relation of every word."""
    rows = [line.split("\t") for line in conllu.split("\n") if re.match(r"\d+\t", line)]
    return [row[1:5] + row[6:8] for row in rows]


@pytest.fixture(scope="module")
def service(pipeline: et.Pipeline, grammar: et.Parser) -> Iterator[str]:
    command = [PROGRAM, "serve", f"pipeline={pipeline.path}", f"grammar={grammar.path}", "--port", "0", "--log", "off"]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert running.stderr is not None
    found = re.search(r"listening on http://(\S+)", running.stderr.readline())
    assert found is not None
    try:
        yield found[1]
    finally:
        running.send_signal(signal.SIGTERM)
        running.wait(60)


def served(address: str, **request: object) -> str:
    connection = http.client.HTTPConnection(address, timeout=60)
    connection.request("POST", "/api/v1/annotate", json.dumps(request))
    answer = json.loads(connection.getresponse().read())
    connection.close()
    output: str = answer["output"]
    return output


def told(*arguments: str | Path | None, text: str) -> str:
    command = [PROGRAM, *map(str, arguments), "--quiet"]
    ran = subprocess.run(command, input=text.encode(), capture_output=True, timeout=60, check=True)
    return ran.stdout.decode()


def test_pipelines(pipeline: et.Pipeline, service: str) -> None:
    for seed in range(100):
        text = strange(seed)
        here = words(pipeline(text).to_conllu())
        assert words(served(service, text=text, model="pipeline", format="conllu")) == here, repr(text)
        # An empty input is an error on the command line.
        if seed % 5 == 0 and here:
            assert words(told("tag", pipeline.path, "-", text=text)) == here, repr(text)


def test_grammars(grammar: et.Parser, service: str, text: list[str]) -> None:
    chance = random.Random(1)
    # Not `-LRB-`: text is read with the brackets that such words stand for, tokens are taken as they are.
    for sentence in text[:30]:
        tokens = sentence.split()
        chance.shuffle(tokens)
        tokens[0] = chance.choice(["(", ")", "猫", "x/y", tokens[0]])
        here = [str(part.tree) for part in grammar.annotate_tokens([tokens])]
        assert served(service, tokens=[tokens], model="grammar", format="ptb").split("\n")[: len(here)] == here
        assert told("parse", grammar.path, "-", text=" ".join(tokens) + "\n").splitlines() == here
