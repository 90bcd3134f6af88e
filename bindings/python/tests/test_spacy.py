"""spaCy: the component and the tokenizer, found by their entry points."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import eigentree as et

spacy = pytest.importorskip("spacy")

TEXT = "The old man saw a dog in the park. Dogs bark.\n\nAnna lives in Berlin."


@pytest.fixture(scope="module")
def entities(folder: Path) -> et.Tagger:
    """A recogniser of one kind of place."""
    names = ["Berlin", "Paris", "Rome", "Oslo", "Bonn"]
    rows = [[("Anna", "O"), ("lives", "O"), ("in", "O"), (name, "B-LOC"), (".", "O")] for name in names * 6]
    return et.train.ner(rows, output=folder / "entities.eig")


def blank(model: et.Model, *, tokenizer: bool = False, language: str = "en") -> Any:
    config = {"nlp": {"tokenizer": {"@tokenizers": "eigentree.Tokenizer.v1", "model": str(model.path)}}} if tokenizer else {}
    nlp = spacy.blank(language, config=config)
    nlp.add_pipe("eigentree", config={"model": str(model.path)})
    return nlp


@pytest.mark.parametrize("tokenizer", [False, True])
def test_a_pipeline_annotates_a_doc(pipeline: et.Pipeline, tokenizer: bool) -> None:
    doc = blank(pipeline, tokenizer=tokenizer)(TEXT)
    assert doc.text == TEXT
    document = pipeline(TEXT)
    tokens = [token for token in doc if not token.is_space]
    words = document.words
    assert [token.text for token in tokens] == [word.form for word in words]
    assert [token.pos_ for token in tokens] == [word.upos for word in words]
    assert [token.tag_ for token in tokens] == [word.xpos for word in words]
    assert [token.lemma_ for token in tokens] == [word.lemma for word in words]
    assert [token.dep_ for token in tokens] == [word.deprel for word in words]
    assert [token.idx for token in tokens] == [word.start_char for word in words]
    for token, word in zip(tokens, words):
        head = word.sentence[word.head - 1] if word.head else word
        assert token.head.idx == head.start_char
    assert [sent.text.strip() for sent in doc.sents] == [sentence.text for sentence in document]
    for name in ("TAG", "POS", "LEMMA", "MORPH", "HEAD", "DEP", "SENT_START"):
        assert doc.has_annotation(name), name


def test_white_space_is_kept(pipeline: et.Pipeline) -> None:
    nlp = blank(pipeline, tokenizer=True)
    for text in ["", " ", "\n", "  Dogs  bark. \n\n She gave him\tthe red book.  ", "Dogs bark.\nDogs bark.\n"]:
        doc = nlp(text)
        assert doc.text == text
        assert all(token.is_space or not token.text.isspace() for token in doc)
        roots = [next(word.form for word in sentence if word.head == 0) for sentence in pipeline(text)]
        # White space alone is a sentence for spaCy.
        assert [sent.root.text for sent in doc.sents if sent.text.strip()] == roots
    # Sentences that the document has already stay as they are.
    doc = spacy.blank("en").make_doc("Dogs bark Dogs bark")
    for token in doc:
        token.is_sent_start = token.i in (0, 2)
    assert [len(sent) for sent in nlp.get_pipe("eigentree")(doc).sents] == [2, 2]


def test_morphology_and_multiword_tokens(folder: Path) -> None:
    rows = [
        "# text = Il parle du chat.", "1\tIl\til\tPRON\t_\tGender=Masc|Person=3\t2\tnsubj\t_\t_",
        "2\tparle\tparler\tVERB\t_\tMood=Ind\t0\troot\t_\t_", "3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_",
        "3\tde\tde\tADP\t_\t_\t5\tcase\t_\t_", "4\tle\tle\tDET\t_\tDefinite=Def\t5\tdet\t_\t_",
        "5\tchat\tchat\tNOUN\t_\tGender=Masc\t2\tobl\t_\tSpaceAfter=No", "6\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_",
    ]  # fmt: skip
    model = et.train.pipeline(("\n".join(rows) + "\n\n") * 20, parser="fast", folds=2, output=folder / "french.eig")
    for tokenizer in (False, True):
        doc = blank(model, tokenizer=tokenizer, language="fr")("Il parle du chat.")
        assert [token.text for token in doc] == ["Il", "parle", "du", "chat", "."]
        assert [token.dep_ for token in doc] == ["nsubj", "root", "case", "obl", "punct"]
        assert [token.head.text for token in doc] == ["parle", "parle", "chat", "parle", "parle"]
        assert doc[0].morph.to_dict() == {"Gender": "Masc", "Person": "3"}


def test_constituents(grammar: et.Parser, pipeline: et.Pipeline) -> None:
    nlp = blank(grammar)
    doc = nlp("the dog saw a cat .\na dog barked .")
    assert [str(tree) for tree in doc._.constituents] == [str(s.tree) for s in grammar("the dog saw a cat .\na dog barked .")]
    assert [token.tag_ for token in doc if not token.is_space] == [tag for tree in doc._.constituents for tag in tree.tags]
    assert len(list(doc.sents)) == 2 and not doc.has_annotation("DEP")
    again = spacy.tokens.Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert again._.constituents == doc._.constituents
    off = spacy.blank("en")
    off.add_pipe("eigentree", config={"model": str(grammar.path), "constituents": False})
    assert off("a dog barked .")._.constituents == []
    assert blank(pipeline)("Dogs bark.")._.constituents == []


def test_entities_and_other_components(pipeline: et.Pipeline, entities: et.Tagger) -> None:
    nlp = blank(pipeline)
    nlp.add_pipe("eigentree", name="names", config={"model": str(entities.path)})
    doc = nlp("Anna lives in Berlin. Anna lives in Oslo.")
    assert [(ent.text, ent.label_) for ent in doc.ents] == [("Berlin", "LOC"), ("Oslo", "LOC")]
    # The second model left what the first one wrote.
    assert [token.dep_ for token in doc if token.pos_ == "PUNCT"] == ["punct", "punct"]
    assert len(list(doc.sents)) == 2


def test_displacy_draws_it(pipeline: et.Pipeline, entities: et.Tagger) -> None:
    nlp = blank(pipeline)
    nlp.add_pipe("eigentree", name="names", config={"model": str(entities.path)})
    doc = nlp("Anna lives in Berlin.")
    arcs = spacy.displacy.render(doc, style="dep", jupyter=False, options={"collapse_punct": False})
    assert arcs.count('class="displacy-arrow"') == len(doc) - 1 and "nsubj" in arcs
    assert "LOC" in spacy.displacy.render(doc, style="ent", jupyter=False)


def test_parsers_read_the_tags_of_other_components(conllu: str, folder: Path, pipeline: et.Pipeline) -> None:
    parser = et.train.mst(conllu, quality="fast", output=folder / "parser.eig")
    tagger = et.train.tagger(conllu, output=folder / "tagger.eig")
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("eigentree", name="tags", config={"model": str(tagger.path)})
    nlp.add_pipe("eigentree", name="heads", config={"model": str(parser.path)})
    doc = nlp("Dogs bark. She gave him the red book.")
    wanted = parser.annotate_document(tagger.annotate_tokens([["Dogs", "bark", "."], "She gave him the red book .".split()]))
    assert [token.dep_ for token in doc] == [word.deprel for word in wanted.words]
    assert [token.pos_ for token in doc] == [word.upos for word in wanted.words]


def test_pipelines_are_saved_with_their_models(tmp_path: Path, pipeline: et.Pipeline) -> None:
    copy = pipeline.save(tmp_path / "copy.eig")
    nlp = blank(copy, tokenizer=True)
    wanted = nlp(TEXT).to_json()
    nlp.to_disk(tmp_path / "saved")
    data = nlp.to_bytes()
    (tmp_path / "copy.eig").unlink()
    assert spacy.load(tmp_path / "saved")(TEXT).to_json() == wanted
    other = spacy.blank("en", config={"nlp": {"tokenizer": {"@tokenizers": "eigentree.Tokenizer.v1"}}})
    other.add_pipe("eigentree")
    assert other.from_bytes(data)(TEXT).to_json() == wanted


def test_streams_of_several_processes(pipeline: et.Pipeline) -> None:
    nlp = blank(pipeline)
    texts = [TEXT, "Dogs bark.", ""] * 4
    wanted = [nlp(text).to_json() for text in texts]
    assert [doc.to_json() for doc in nlp.pipe(texts)] == wanted
    assert [doc.to_json() for doc in nlp.pipe(texts, n_process=2, batch_size=3)] == wanted


def test_what_is_no_model(tmp_path: Path, text: list[str]) -> None:
    nlp = spacy.blank("en")
    component = nlp.add_pipe("eigentree", config={"model": str(tmp_path / "gone.eig")})
    # spaCy looks for this attribute in an order that differs from run to run, and takes no error but AttributeError.
    assert component.model is None
    with pytest.raises(et.MissingFileError, match="no such file"):
        nlp("Dogs bark.")
    with pytest.raises(et.ModelError, match="there is no model"):
        spacy.blank("en").add_pipe("eigentree")(spacy.blank("en").make_doc("Dogs bark."))
    clusters, _ = et.train.cluster(text, clusters=5, min_count=1, output=tmp_path / "clusters.eig")
    with pytest.raises(et.ModelError, match="annotates no text"):
        spacy.blank("en").add_pipe("eigentree", config={"model": str(clusters.path)})
