"""Runs the real clients of other servers, unchanged, against `eigentree serve`.

Usage: check_serve.py PROGRAM

Needs nltk and openapi-spec-validator, and stanza's client if stanza is installed. Trains two small models
in the service and asks for trees, heads, tags and tokens as people do. Exits with 1 if an answer is not as expected.
"""

import json
import os
import re
import signal
import subprocess
import sys
import types
import urllib.parse
import urllib.request


def train(url, family, **options):
    """Trains a model on the sample, within the service."""
    body = json.dumps({"family": family, "sample": True, "name": family, "options": options}).encode()
    with urllib.request.urlopen(url + "/api/v1/train", body) as answer:
        job = json.load(answer)["job"]
    with urllib.request.urlopen(f"{url}/api/v1/jobs/{job}/events") as events:
        states = [json.loads(line[6:])["state"] for line in events if line.startswith(b"data: ")]
    assert states[-1] == "done", states


def serve(program):
    """Starts the service on any port; returns it with its address."""
    service = subprocess.Popen(
        [program, "serve", "--port", "0", "--log", "off"], stderr=subprocess.PIPE, text=True
    )
    for line in service.stderr:
        if found := re.search(r"listening on (http://\S+)", line):
            return service, found[1]
    sys.exit("the service did not start")


def check_nltk(url):
    from nltk.parse.corenlp import CoreNLPDependencyParser, CoreNLPParser
    from nltk.tree import Tree

    parser = CoreNLPParser(url)
    tree = next(parser.raw_parse("the dog saw a cat ."))
    assert isinstance(tree, Tree) and tree.label() == "ROOT", tree
    assert tree.leaves() == "the dog saw a cat .".split(), tree
    trees = [next(trees) for trees in parser.parse_sents(["the dog barks .".split(), "a cat sleeps .".split()])]
    assert [tree.leaves()[1] for tree in trees] == ["dog", "cat"], trees
    assert len(list(parser.parse_text("the dog barks . a cat sleeps ."))) >= 1
    assert list(parser.tokenize("The dog barks.")) == ["The", "dog", "barks", "."]
    tagged = CoreNLPParser(url, tagtype="pos").tag("the dog barks .".split())
    assert [word for word, _ in tagged] == "the dog barks .".split() and tagged[1][1] == "NN", tagged
    assert CoreNLPParser(url, tagtype="ner").tag(["dogs"]) == [("dogs", "O")]
    (graph,) = CoreNLPDependencyParser(url).raw_parse("the dog saw a cat .")
    assert len(graph.nodes) == 7 and graph.root["address"] is not None, graph
    assert len(list(graph.triples())) == 5
    (graph,) = CoreNLPDependencyParser(url).parse("the dog barks .".split())
    assert graph.to_conll(4).count("\n") == 4
    print("nltk: trees, heads, tags, tokens")


def check_stanza(url):
    """stanza's own client. The package as a whole imports torch, which its client does not need."""
    import importlib.util

    found = importlib.util.find_spec("stanza")
    if found is None:
        print("SKIPPED: stanza's client, since stanza is not installed")
        return
    for name in ("stanza", "stanza.server"):
        package = types.ModuleType(name)
        package.__path__ = [os.path.join(found.submodule_search_locations[0], *name.split(".")[1:])]
        sys.modules[name] = package
    from stanza.server.client import CoreNLPClient, StartServer

    annotators = ["tokenize", "ssplit", "pos", "depparse", "parse"]
    client = CoreNLPClient(StartServer.DONT_START, endpoint=url, annotators=annotators, output_format="json")
    answer = client.annotate("the dog saw a cat .")
    (sentence,) = answer["sentences"]
    assert len(sentence["tokens"]) == 6 and sentence["parse"].startswith("(ROOT"), answer
    assert client.annotate("the dog .", output_format="conll").startswith("1\tthe\t")
    assert client.is_alive()
    print("stanza's client: json, conll")


def check_udpipe(url):
    """The requests of UDPipe's documentation. There is no client for its service on PyPI."""
    with urllib.request.urlopen(url + "/models") as answer:
        models = json.load(answer)
    assert "tokenizer" in models["models"][models["default_model"]], models
    form = urllib.parse.urlencode(
        {"data": "The dog barks.\n\nA cat sleeps.", "tokenizer": "", "tagger": "", "parser": ""}
    ).encode()
    with urllib.request.urlopen(url + "/process", form) as answer:
        result = json.load(answer)["result"]
    assert result.count("\troot\t") == 2, result
    print("udpipe: models, process")


def check_description(url):
    from openapi_spec_validator import validate

    with urllib.request.urlopen(url + "/api/v1/openapi.json") as answer:
        description = json.load(answer)
    validate(description)
    print(f"openapi: {len(description['paths'])} addresses")


def main():
    (program,) = sys.argv[1:]
    service, url = serve(program)
    try:
        train(url, "pipeline", trees=500, quality="fast")
        train(url, "lpcfg", trees=500, quality="fast")
        check_nltk(url)
        check_stanza(url)
        check_udpipe(url)
        check_description(url)
    finally:
        service.send_signal(signal.SIGTERM)
    assert service.wait(60) == 0, "a stopped service exits with 0"


if __name__ == "__main__":
    main()
