"""spaCy: a component that annotates a `Doc`, and a tokenizer that divides raw text.

    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("eigentree", config={"model": "en.eig"})
    doc = nlp("The old man saw a dog in the park.")
    doc._.constituents                                     # phrase-structure trees, if the model has a grammar

spaCy finds both by their entry points, `eigentree` and `eigentree.Tokenizer.v1`; nothing has to be imported.
"""

# Without `from __future__ import annotations`: spaCy reads the types of factories when it checks configurations.

import tempfile
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from spacy.attrs import DEP, HEAD, LEMMA, MORPH, POS, TAG  # type: ignore[import-not-found, unused-ignore]
from spacy.language import Language
from spacy.parts_of_speech import IDS as PARTS_OF_SPEECH  # type: ignore[import-not-found, unused-ignore]
from spacy.tokens import Doc, Span
from spacy.util import filter_spans, registry
from spacy.vocab import Vocab

from . import _native
from ._native import Annotator, Document, Sentence
from .exceptions import MissingFileError, ModelError

__all__ = ["EigentreeComponent", "EigentreeTokenizer"]

_FILE = "model.eig"
_TREES = "eigentree.constituents"
_WORDS = "eigentree.words"

Parts = dict[tuple[int, int], list[str]]
"""The words of tokens that consist of several, by the characters of the token."""


class _Modelled:
    """Something that needs a model that annotates.

    A missing file is an error when the model is first used and not before: a pipeline that `nlp.to_disk` wrote brings its
    own copy, but is made from a configuration that still names the old file.
    """

    def __init__(self, model: str | Path | Annotator | None) -> None:
        self._model: Annotator | None = None
        self._missing: Exception = ModelError('there is no model; give one, such as config={"model": "en.eig"}')
        if isinstance(model, Annotator):
            self._model = model
        elif model is not None:
            try:
                self._model = _annotator(model)
            except MissingFileError as error:
                self._missing = error

    @property
    def model(self) -> Annotator | None:
        """The model; none while its file is missing. spaCy asks every component for it, so asking is no error."""
        return self._model

    def _loaded(self) -> Annotator:
        if self._model is None:
            raise self._missing
        return self._model

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Writes the model into a folder."""
        Path(path).mkdir(parents=True, exist_ok=True)
        self._loaded().save(Path(path) / _FILE)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> Any:
        """Reads the model from a folder."""
        self._model = _annotator(Path(path) / _FILE)
        return self

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """The model as bytes."""
        with tempfile.TemporaryDirectory() as folder:
            self._loaded().save(Path(folder) / _FILE)
            return (Path(folder) / _FILE).read_bytes()

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> Any:
        """Reads the model from bytes."""
        self._model = _checked(_native.model_from_bytes(data))
        return self


def _annotator(path: str | Path) -> Annotator:
    return _checked(_native.load(path))


def _checked(model: Any) -> Annotator:
    if not isinstance(model, Annotator):
        raise ModelError(f"{model.description} annotates no text; give a pipeline, a tagger or a parser")
    return model


class EigentreeTokenizer(_Modelled):
    """Divides raw text into tokens and sentences. White space that is not a single space becomes tokens, as in spaCy.

    A token that stands for several words, such as French `du`, stays one token; the component knows its words.
    """

    def __init__(self, vocab: Vocab, model: str | Path | Annotator | None) -> None:
        super().__init__(model)
        self.vocab = vocab

    def __call__(self, text: str) -> Doc:
        document = self._loaded().tokenize(text)
        words: list[str] = []
        spaces: list[bool] = []
        starts: list[bool | int | None] = []
        at = 0
        for start, end, first in _surface(document):
            _add_blank(document.text[at:start], words, spaces, starts)
            words.append(document.text[start:end])
            spaces.append(False)
            starts.append(1 if first else -1)
            at = end
        _add_blank(document.text[at:], words, spaces, starts)
        if starts:
            # White space before the first sentence belongs to it.
            starts = [1, *(-1 if blank.isspace() else start for blank, start in zip(words[1:], starts[1:]))]
            first_word = next((place for place, word in enumerate(words) if not word.isspace()), 0)
            if first_word:
                starts[first_word] = -1
        doc = Doc(self.vocab, words=words, spaces=spaces, sent_starts=starts or None)
        parts = _parts(document)
        if parts:
            doc.user_data[_WORDS] = [[start, end, forms] for (start, end), forms in parts.items()]
        return doc

    def pipe(self, texts: Iterable[str], **_: Any) -> Iterator[Doc]:
        """Divides many texts."""
        return map(self, texts)


class EigentreeComponent(_Modelled):
    """Annotates a `Doc` with whatever the model knows: tags, lemmas, morphology, heads and relations, entities, sentence
    starts, constituents.

    Sentences are those that the `Doc` has. If it has none, a pipeline finds them; other models take each line for a
    sentence. What the `Doc` has and the model does not write stays, and a parser without a tagger reads its tags.
    """

    def __init__(self, model: str | Path | Annotator | None, *, constituents: bool = True) -> None:
        super().__init__(model)
        self.constituents = constituents

    def __call__(self, doc: Doc) -> Doc:
        if not len(doc):
            return doc
        model = self._loaded()
        groups, parts = _sentences(doc, model)
        if not groups:
            return doc
        trees = self.constituents and model.has_grammar
        text = "".join(_conllu(doc, group, parts) for group in groups)
        document = model.annotate_document(Document.from_conllu(text), phrases=trees)
        places = [_places(doc, group, parts) for group in groups]
        _write_tokens(doc, document, groups, places)
        if model.finds_entities:
            _write_entities(doc, document, places)
        if trees:
            doc.user_data[_TREES] = [str(sentence.tree) for sentence in document]
        return doc


def _surface(document: Document) -> Iterator[tuple[int, int, bool]]:
    """The tokens of a document: first character, character after the last, whether it begins a sentence."""
    for sentence in document:
        last = -1
        for word in sentence:
            # The words of one token have its place.
            if word.start_char is not None and word.end_char is not None and word.start_char > last:
                yield word.start_char, word.end_char, last < 0
                last = word.start_char


def _add_blank(gap: str, words: list[str], spaces: list[bool], starts: list[bool | int | None]) -> None:
    """White space between two tokens: a space after the first of them, and a token for the rest."""
    if gap.startswith(" ") and words:
        spaces[-1] = True
        gap = gap[1:]
    if gap:
        followed = len(gap) > 1 and gap.endswith(" ")
        words.append(gap[:-1] if followed else gap)
        spaces.append(followed)
        starts.append(-1)


def _parts(document: Document) -> Parts:
    found = {}
    for sentence in document:
        for _, start, end in sentence.multiword_tokens:
            first = sentence[start]
            if first.start_char is not None and first.end_char is not None:
                found[first.start_char, first.end_char] = [word.form for word in sentence[start:end]]
    return found


def _sentences(doc: Doc, model: Annotator) -> tuple[list[list[int]], Parts]:
    """The tokens of each sentence, without white space, and the words of those that consist of several."""
    parts: Parts = {(start, end): forms for start, end, forms in doc.user_data.get(_WORDS, [])}
    if doc.has_annotation("SENT_START"):
        begins = {token.i for token in doc if token.is_sent_start}
    elif model.reads_raw_text:
        shift = int(doc.text.startswith("\ufeff"))
        document = model.tokenize(doc.text)
        ends = [token.idx + len(token) - 1 for token in doc]
        starts = [sentence.start_char + shift for sentence in document if sentence.start_char is not None]
        begins = {bisect_left(ends, start) for start in starts}
        parts = {(start + shift, end + shift): forms for (start, end), forms in _parts(document).items()}
    else:
        begins = {token.i + 1 for token in doc if token.is_space and "\n" in token.text}
    groups: list[list[int]] = []
    group: list[int] = []
    for token in doc:
        if token.i in begins and group:
            groups.append(group)
            group = []
        if not token.is_space:
            group.append(token.i)
    return [*groups, group] if group else groups, parts


def _conllu(doc: Doc, group: list[int], parts: Parts) -> str:
    """A sentence with the annotation that the tokens have."""
    rows = []
    number = 0
    for place in group:
        token = doc[place]
        misc = "_" if token.whitespace_ or (place + 1 < len(doc) and doc[place + 1].is_space) else "SpaceAfter=No"
        form = " ".join(token.text.split()) or "_"
        words = parts.get((token.idx, token.idx + len(token)))
        if words is None:
            number += 1
            morph = str(token.morph) or "_"
            cells = [token.lemma_ or "_", token.pos_ or "_", token.tag_ or "_", morph, "_", "_", "_", misc]
            rows.append(f"{number}\t{form}\t" + "\t".join(" ".join(cell.split()) or "_" for cell in cells))
        else:
            rows.append(f"{number + 1}-{number + len(words)}\t{form}" + "\t_" * 7 + f"\t{misc}")
            rows += [f"{number + at}\t{word}" + "\t_" * 8 for at, word in enumerate(words, 1)]
            number += len(words)
    return "\n".join(rows) + "\n\n"


def _places(doc: Doc, group: list[int], parts: Parts) -> list[int]:
    """The token of each word of a sentence."""
    return [
        place
        for place in group
        for _ in parts.get((doc[place].idx, doc[place].idx + len(doc[place])), ["one word"])
    ]


def _write_tokens(doc: Doc, document: Document, groups: list[list[int]], places: list[list[int]]) -> None:
    attributes = [TAG, POS, LEMMA, MORPH, HEAD, DEP]
    table: Any = doc.to_array(attributes)
    add, morphology = doc.vocab.strings.add, doc.vocab.morphology
    parsed = False
    for sentence, tokens in zip(document, places):
        for word, place in _heads_of_tokens(sentence, tokens):
            row = table[place]
            if word.xpos or word.upos:
                row[0] = add(word.xpos or word.upos or "")
            if word.upos in PARTS_OF_SPEECH:
                row[1] = PARTS_OF_SPEECH[word.upos]
            if word.lemma is not None:
                row[2] = add(word.lemma)
            if word.feats or word.upos:
                row[3] = morphology.add("|".join(f"{name}={value}" for name, value in word.feats.items()))
            if word.head is not None and word.deprel is not None:
                parsed = True
                head = tokens[word.head - 1] if word.head else place
                row[4] = np.int64(head - place).astype(np.uint64)
                row[5] = add(word.deprel)
    _write_blanks(doc, table, add)
    if parsed:
        doc.from_array(attributes, table)
        return
    doc.from_array(attributes[:4], table[:, :4])
    if not doc.has_annotation("DEP"):
        begins = {group[0] for group in groups[1:]} | {0}
        for token in doc:
            token.is_sent_start = token.i in begins


def _heads_of_tokens(sentence: Sentence, tokens: list[int]) -> Iterator[tuple[Any, int]]:
    """Tokens with the word that stands for them: the only one, or the one whose head is in another token."""
    done = -1
    for word, place in zip(sentence, tokens):
        if place == done:
            continue
        own = [other for other, at in zip(sentence, tokens) if at == place] if tokens.count(place) > 1 else [word]
        outside = (other for other in own if not other.head or tokens[other.head - 1] != place)
        yield next(outside, word), place
        done = place


def _write_blanks(doc: Doc, table: Any, add: Callable[[str], int]) -> None:
    """White space hangs on the token before it, as in spaCy; at the beginning on the first word."""
    first = next((token.i for token in doc if not token.is_space), 0)
    for token in doc:
        if token.is_space:
            head = token.i - 1 if token.i > first else first
            row = [add("_SP"), PARTS_OF_SPEECH["SPACE"], token.orth, doc.vocab.morphology.add("")]
            table[token.i] = [*row, np.int64(head - token.i).astype(np.uint64), add("dep")]


def _write_entities(doc: Doc, document: Document, places: list[list[int]]) -> None:
    spans = [
        Span(doc, tokens[entity.start], tokens[entity.end - 1] + 1, label=entity.label)
        for sentence, tokens in zip(document, places)
        for entity in sentence.entities
    ]
    doc.set_ents(filter_spans(spans))


def _constituents(doc: Doc) -> list[_native.Tree]:
    return [_native.Tree(tree) for tree in doc.user_data.get(_TREES, [])]


if not Doc.has_extension("constituents"):
    Doc.set_extension("constituents", getter=_constituents)


@Language.factory(
    "eigentree",
    assigns=[
        "token.tag", "token.pos", "token.lemma", "token.morph", "token.head", "token.dep", "token.is_sent_start",
        "doc.sents", "doc.ents", "token.ent_iob", "token.ent_type", "doc._.constituents",
    ],
    default_config={"model": None, "constituents": True},
)  # fmt: skip
def make_component(nlp: Language, name: str, model: str | Path | None, constituents: bool) -> EigentreeComponent:
    """The factory behind `nlp.add_pipe("eigentree")`."""
    return EigentreeComponent(model, constituents=constituents)


@registry.tokenizers("eigentree.Tokenizer.v1")  # type: ignore[untyped-decorator, unused-ignore]
def make_tokenizer(model: str | Path | None = None) -> Callable[[Language], EigentreeTokenizer]:
    """The tokenizer of a configuration: `@tokenizers = "eigentree.Tokenizer.v1"`, `model = "en.eig"`."""

    def make(nlp: Language) -> EigentreeTokenizer:
        return EigentreeTokenizer(nlp.vocab, model)

    return make
