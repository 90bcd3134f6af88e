"""How documents show themselves in notebooks."""

from __future__ import annotations

import html

from ._native import Document, Sentence

__all__ = ["document_html", "sentence_html"]

# Sentences of a document that are drawn; the others are told by number.
_DRAWN = 5

_MARK = "background:#dbe9f6;border-radius:4px;padding:1px 4px"
_LABEL = "font-size:70%;color:#2467a8;margin-left:4px"


def document_html(document: Document) -> str:
    """The sentences with their entities, and drawings of the first ones."""
    drawn = [sentence_html(sentence) for sentence in document[:_DRAWN]]
    left = len(document) - len(drawn)
    if left > 0:
        drawn.append(f"<p><small>and {left} more sentences</small></p>")
    return "\n".join(drawn) or "<p><small>an empty document</small></p>"


def sentence_html(sentence: Sentence) -> str:
    """The sentence with its entities and its tree."""
    drawing = sentence.to_svg()
    inner = f'<div style="overflow-x:auto">{drawing}</div>' if drawing else ""
    return f"<div><p>{_marked(sentence)}</p>{inner}</div>"


def _marked(sentence: Sentence) -> str:
    """The text of a sentence with entities marked."""
    text = sentence.document.text
    start, end = sentence.start_char, sentence.end_char
    if start is None or end is None:
        return html.escape(sentence.text)
    parts, at = [], start
    for entity in sentence.entities:
        if entity.start_char is None or entity.end_char is None:
            continue
        name, label = html.escape(text[entity.start_char : entity.end_char]), html.escape(entity.label)
        parts.append(html.escape(text[at : entity.start_char]))
        parts.append(f'<mark style="{_MARK}">{name}<span style="{_LABEL}">{label}</span></mark>')
        at = entity.end_char
    return "".join([*parts, html.escape(text[at:end])])
