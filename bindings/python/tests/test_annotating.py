"""Documents, sentences, words."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import time
from collections.abc import Iterator

import pytest

import eigentree as et

TEXT = "The old man saw a dog in the park. Dogs bark."


def test_a_pipeline_annotates_raw_text(pipeline: et.Pipeline) -> None:
    document = pipeline(TEXT)
    assert document.text == TEXT
    assert [sentence.text for sentence in document] == ["The old man saw a dog in the park.", "Dogs bark."]
    word = document.sentences[0].words[2]
    assert (word.form, word.upos, word.head, word.deprel) == ("man", "NOUN", 4, "obj")
    assert TEXT[word.start_char : word.end_char] == "man"
    assert word.confidence is not None and 0 < word.confidence <= 1
    assert word.sentence == document[0] and word.sentence.document == document
    for word in document.words:
        assert TEXT[word.start_char : word.end_char] == word.form


def test_sequences_behave_like_lists(pipeline: et.Pipeline) -> None:
    document = pipeline(TEXT)
    assert len(document) == 2 and document[-1] == document[1] == list(document)[1]
    assert document[:1] == [document[0]]
    sentence = document[0]
    assert [word.form for word in sentence[1:3]] == ["old", "man"]
    assert sentence[-1].form == "." and len(sentence) == len(sentence.words)
    with pytest.raises(IndexError, match="no sentence 2"):
        document[2]
    with pytest.raises(TypeError):
        document["a"]  # type: ignore[call-overload]


def test_documents_are_pickled_copied_compared(pipeline: et.Pipeline) -> None:
    document = pipeline(TEXT)
    again = pickle.loads(pickle.dumps(document))
    assert again == document and hash(again) == hash(document) and again is not document
    assert copy.copy(document) is document and copy.deepcopy(document) is document
    word = pickle.loads(pickle.dumps(document[1][0]))
    assert word == document[1][0] and word != document[1][1]
    assert pickle.loads(pickle.dumps(document[1])) == document[1]
    assert document != pipeline("Dogs bark.")
    # An unpickled document has no model, and says so where it needs one.
    assert again[0][0].confidence is None
    with pytest.raises(et.DataError, match="annotate its text again"):
        again[0].nbest(2)


def test_conllu_and_dictionaries_round_trip(pipeline: et.Pipeline) -> None:
    document = pipeline(TEXT)
    assert et.Document.from_conllu(document.to_conllu()).to_conllu() == document.to_conllu()
    assert et.Document.from_json(document.to_json()) == document
    record = document.to_dict()
    assert record["text"] == TEXT
    assert [word["form"] for word in record["sentences"][1]["words"]] == ["Dogs", "bark", "."]
    assert document[1].to_dict() == record["sentences"][1]
    assert document[0].to_conllu() + document[1].to_conllu() == document.to_conllu()


def test_a_grammar_gives_trees_lists_and_confidences(grammar: et.Parser) -> None:
    document = grammar("the dog saw a cat .\na dog barked .")
    tree = document[0].tree
    assert tree is not None and tree.words == ["the", "dog", "saw", "a", "cat", "."]
    best = document[0].nbest(5)
    assert len(best) == 5
    assert [one.score for one in best] == sorted((one.score for one in best), reverse=True)
    assert len({str(one.tree) for one in best}) == 5
    spans = document[0].spans_with_confidence()
    assert [span[:3] for span in spans] == tree.spans()
    assert all(0 <= confidence <= 1.0001 for *_, confidence in spans if confidence is not None)
    assert spans[0][3] is not None
    with_all = grammar("the dog saw a cat .", confidence=True, nbest=3)
    assert [str(one.tree) for one in with_all[0].nbest(3)] == [str(one.tree) for one in best[:3]]
    assert with_all[0].spans_with_confidence() == spans


def test_tokens_are_annotated_as_given(pipeline: et.Pipeline) -> None:
    document = pipeline.annotate_tokens([["Dogs", "bark", "."], ["she", "gave", "him", "the", "book", "."]])
    assert [len(sentence) for sentence in document] == [3, 6]
    assert document[0][0].upos == "NOUN"
    again = pipeline.annotate_document(document)
    assert [word.upos for word in again.words] == [word.upos for word in document.words]


def test_texts_are_divided_without_annotation(pipeline: et.Pipeline, grammar: et.Parser) -> None:
    divided, annotated = pipeline.tokenize(TEXT), pipeline(TEXT)
    assert [word.form for word in divided.words] == [word.form for word in annotated.words]
    assert [word.start_char for word in divided.words] == [word.start_char for word in annotated.words]
    assert [sentence.text for sentence in divided] == [sentence.text for sentence in annotated]
    assert divided[0][0].upos is None and divided.text == TEXT
    assert [len(sentence) for sentence in grammar.tokenize("the dog saw a cat .\na dog")] == [6, 2]
    assert (grammar.has_grammar, pipeline.has_grammar, pipeline.finds_entities) == (True, False, False)


def test_models_tell_what_they_contain(grammar: et.Parser, pipeline: et.Pipeline) -> None:
    assert "NP" in grammar.inspect("NP", top=3)["symbols"]
    states = grammar.active_states(["the", "dog", "barked", "."])
    assert states["nodes"][0]["last"] == 4
    with pytest.raises(et.OptionError, match="unknown symbol"):
        grammar.inspect("NOTHING")
    with pytest.raises(et.ModelError, match="grammar with latent states"):
        pipeline.active_states(["dogs"])


def test_samples_have_hidden_states() -> None:
    shown, hidden = et.sample(count=20, seed=3), et.sample(count=20, seed=3, keep_states=True)
    assert [tree.words for tree in shown] == [tree.words for tree in hidden]
    assert any("[" in label for label, _, _ in hidden[0].spans())
    assert not any("[" in label for label, _, _ in shown[0].spans())
    assert shown != et.sample(count=20, seed=4)


def test_streams_keep_order_and_equal_single_calls(pipeline: et.Pipeline) -> None:
    texts = [f"Dogs bark. The old man saw a dog {number} times." for number in range(300)]
    single = [pipeline(text) for text in texts]
    for threads in (1, 2):
        assert list(pipeline.pipe(texts, threads=threads)) == single
    assert list(pipeline.pipe(iter(texts[:3]))) == single[:3]
    assert list(pipeline.pipe([])) == []


def test_streams_take_what_comes_and_stop_where_asked(pipeline: et.Pipeline) -> None:
    taken = []

    def endless() -> Iterator[str]:
        while True:
            taken.append(1)
            yield "Dogs bark."

    stream = pipeline.pipe(endless())
    for _ in range(10):
        next(stream)
    assert len(taken) < 200

    def broken() -> Iterator[str]:
        yield "Dogs bark."
        raise RuntimeError("the source is gone")

    stream = pipeline.pipe(broken())
    assert next(stream).text == "Dogs bark."
    with pytest.raises(RuntimeError, match="the source is gone"):
        next(stream)
    assert list(stream) == []


def test_rounds_run_in_the_background(pipeline: et.Pipeline) -> None:
    texts = [f"Dogs bark. The old man saw a dog {number} times." for number in range(300)]
    single = [pipeline(text) for text in texts]

    def broken() -> Iterator[str]:
        yield from texts[:150]
        raise RuntimeError("the source is gone")

    found = []
    with pytest.raises(RuntimeError, match="the source is gone"):
        for document in pipeline.pipe(broken(), threads=2):
            found.append(document)
            time.sleep(0.001)
    assert found == single[:150]

    given_up = pipeline.pipe(texts, threads=2)
    for _ in range(50):
        next(given_up)
    del given_up

    # A process may be forked at any moment of the work in the background; it must not wait for threads that it does not have.
    for _ in range(20):
        given_up = pipeline.pipe(texts, threads=2)
        next(given_up)
        del given_up
        stream = pipeline.pipe(texts, threads=2)
        assert [next(stream) for _ in range(50)] == single[:50]
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            os._exit(0 if list(stream) == single[50:] else 1)
        assert list(stream) == single[50:]
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_trees_are_values() -> None:
    tree = et.Tree("(S (NP (DT the) (NN dog)) (VP (VBZ barks)))")
    assert tree.label == "S" and [child.label for child in tree] == ["NP", "VP"]
    assert tree[0][0][0] == "the" and tree[-1] == et.Tree("(VP (VBZ barks))")
    assert pickle.loads(pickle.dumps(tree)) == tree and eval(repr(tree), {"Tree": et.Tree}) == tree
    assert tree.tags == ["DT", "NN", "VBZ"]
    assert "dog" in tree.draw() and tree._repr_svg_().startswith("<svg")
    with pytest.raises(et.DataError):
        et.Tree("(S (NP")
    with pytest.raises(IndexError):
        tree[2]


def test_notebooks_show_trees_arcs_and_entities(pipeline: et.Pipeline, grammar: et.Parser) -> None:
    document = pipeline(TEXT)
    shown = document._repr_html_()
    assert shown.count("<svg") == 2 and "nsubj" in pipeline("She gave him the red book.")._repr_html_()
    assert "man" in (document[0].draw() or "")
    assert (grammar("a dog barked .")[0].to_svg() or "").count("<text") > 5
    marked = et.Document.from_conllu("1\tAnna<b>\t_\t_\t_\t_\t_\t_\t_\tNER=B-PER\n\n")
    assert marked[0].to_svg() is None
    assert "<mark" in marked._repr_html_() and "<b>" not in marked._repr_html_()
    assert "empty" in pipeline("")._repr_html_()
