//! Annotated documents: one type behind every surface.
//!
//! [`Model::annotator`](crate::Model::annotator) makes an [`Annotator`] of every model that annotates: pipelines, taggers,
//! dependency parsers, head automata and grammars. It turns raw text, tokens or sentences into a [`Document`], which owns its
//! text and its sentences:
//!
//! - An [`AnnotatedSentence`] is a lossless sentence of CoNLL-U, its place in the text, a tree of phrases if a grammar built one,
//!   and the n-best list if one was asked for.
//! - [`Word`] and [`Entity`] are views of it with typed columns, character offsets and confidences. Offsets count characters of
//!   the text from 0, and ends are exclusive.
//! - [`Document::to_conllu`], [`Document::to_json`], [`Document::to_tsv`], [`Document::to_spans`], [`Document::to_svg`] and
//!   [`Document::to_drawing`] render it.
//!   [`Document::from_conllu`] and [`Document::from_json`] read it back; JSON loses nothing.
//!
//! ```
//! use eigentree::annotation::Document;
//! use eigentree::config::Confidences;
//! use eigentree::learn::Silent;
//! use eigentree::training::{Job, PcfgJob};
//!
//! let trees = ["(S (NP (DT the) (NN dog)) (VP (VBZ barks)))", "(S (NP (NN time)) (VP (VBZ flies)))"];
//! let trees = trees.map(|tree| tree.parse()).into_iter().collect::<Result<Vec<_>, _>>()?;
//! let model = PcfgJob::default().run(&trees, None, &mut Silent)?.into_model();
//!
//! let annotator = model.annotator()?.with_confidences(Confidences::Compute);
//! let document = annotator.annotate("the dog barks\ntime flies")?;
//! let sentence = &document.sentences()[0];
//! let words: Vec<_> = sentence.words().map(|word| (word.form(), word.xpos())).collect();
//! assert_eq!(words, [("the", Some("DT")), ("dog", Some("NN")), ("barks", Some("VBZ"))]);
//! assert_eq!(sentence.phrases().unwrap().tree().to_string(), "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))");
//! assert_eq!(document.sentences()[1].chars(), Some(14..24));
//! assert_eq!(Document::from_json(&document.to_json())?, document);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Files of any size go through [`annotate_files`], which writes the same records in bounded memory, and those of grammars
//! through [`parsing`](crate::parsing).

mod annotator;
mod conllu;
mod document;
mod document_sink;
mod entity;
mod from_json;
mod items;
mod json;
mod pictures;
mod places;
mod reader;
mod rendering;
mod sentence;
mod stream;
mod tables;
mod word;

pub use annotator::{Annotator, AnnotatorMemory, PhraseTrees};
pub use document::Document;
pub(crate) use document::begins_paragraph;
pub use entity::Entity;
pub(crate) use items::{annotated_item, sentence_of, write_tags};
pub(crate) use places::{last_space_after, surface};
pub use rendering::FORMATS;
pub(crate) use rendering::{complete_numbered, header, write as write_sentence};
pub use sentence::{Alternative, AnnotatedSentence, PhraseSpan, PhraseTree};
pub use stream::{DocumentFile, StreamConfig, annotate_files};
pub use word::Word;
