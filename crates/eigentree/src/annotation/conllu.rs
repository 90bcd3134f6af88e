//! Documents as CoNLL-U.
//!
//! A tree of phrases is the comment `# constituency = (ROOT …)`. With an n-best list the sentence is written once for each of
//! its annotations, with their ranks and scores as comments: `# parse` and `# score` for trees, `# rank` and
//! `# log_probability` for tags.

use corpus::error::ReadError;
use corpus::format::conllu::{ConlluReader, ConlluWriter, Sentence, SentenceError};
use corpus::tree::Tree;

use super::document::{Document, unmade};
use super::sentence::{Alternative, AnnotatedSentence, PhraseTree};
use crate::Error;

/// The key of the comment with a tree of phrases.
const TREE_KEY: &str = "constituency";
/// The keys of the comments with ranks and scores, of trees and of tags.
const RANK_KEYS: [(&str, &str); 2] = [("parse", "score"), ("rank", "log_probability")];

impl Document {
    /// The document as CoNLL-U.
    pub fn to_conllu(&self) -> String {
        let mut bytes = Vec::new();
        for sentence in self.sentences() {
            sentence.write_conllu(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Reads a document from CoNLL-U. Its text is rebuilt: from the offsets in MISC if all tokens have them, else from the
    /// tokens.
    pub fn from_conllu(text: &str) -> Result<Self, Error> {
        let mut sentences: Vec<AnnotatedSentence> = Vec::new();
        for sentence in ConlluReader::new(text.as_bytes(), "CoNLL-U") {
            let (sentence, tree, rank) = without_comments(sentence?)?;
            let alternative = rank.map(|(rank, score)| {
                (rank, Alternative { score, sentence: sentence.clone(), tree: tree.clone() })
            });
            match (alternative, sentences.last_mut()) {
                (Some((2.., alternative)), Some(best)) if !best.nbest().is_empty() => {
                    best.nbest_mut().push(alternative);
                }
                (alternative, _) => {
                    let phrases = tree.map(|tree| PhraseTree::new(tree, None, Vec::new()));
                    let nbest = alternative.into_iter().map(|(_, alternative)| alternative).collect();
                    let sentence = AnnotatedSentence::new(sentence).with_phrases(phrases).with_nbest(nbest);
                    sentences.push(sentence);
                }
            }
        }
        Ok(Self::from_sentences(sentences))
    }
}

impl AnnotatedSentence {
    /// Appends the sentence as CoNLL-U, with the empty line that ends it.
    pub(crate) fn write_conllu(&self, text: &mut Vec<u8>) {
        if self.is_empty() {
            return;
        }
        let tree = self.phrases().map(PhraseTree::tree);
        if self.nbest().is_empty() {
            write(self.sentence(), tree, None, text);
        }
        for (rank, alternative) in (1..).zip(self.nbest()) {
            write(&alternative.sentence, alternative.tree.as_ref(), Some((rank, alternative.score)), text);
        }
    }
}

fn write(sentence: &Sentence, tree: Option<&Tree>, rank: Option<(usize, f64)>, text: &mut Vec<u8>) {
    let commented = |sentence: &Sentence| -> Result<Sentence, SentenceError> {
        let mut copy = sentence.clone();
        if let Some(tree) = tree {
            copy.insert_comment(usize::MAX, &format!("# {TREE_KEY} = {tree}"))?;
        }
        if let Some((rank, score)) = rank {
            let built = tree.is_some() || sentence.words().any(|word| word.head().is_some());
            let (place, (rank_key, score_key)) =
                if built { (0, RANK_KEYS[0]) } else { (usize::MAX, RANK_KEYS[1]) };
            let score = if built { format!("{score:.6}") } else { format!("{score:.4}") };
            copy.insert_comment(place, &format!("# {rank_key} = {rank}"))?;
            copy.insert_comment(place.saturating_add(1), &format!("# {score_key} = {score}"))?;
        }
        Ok(copy)
    };
    let written = match (tree, rank) {
        (None, None) => ConlluWriter::new(text).write(sentence),
        _ => match commented(sentence) {
            Ok(copy) => ConlluWriter::new(text).write(&copy),
            Err(_) => ConlluWriter::new(text).write(sentence),
        },
    };
    // Writing to memory does not fail, and heads are checked as they are set.
    let _ = written;
}

/// A sentence without the comments that tell of trees and ranks, and what these tell.
type Parts = (Sentence, Option<Tree>, Option<(usize, f64)>);

fn without_comments(mut sentence: Sentence) -> Result<Parts, Error> {
    let tree = sentence.comment_value(TREE_KEY).map(str::parse::<Tree>).transpose();
    let tree = tree.map_err(|error: ReadError| {
        Error::Data(format!(
            "cannot read the tree of the sentence at line {}: {error}",
            sentence.first_line()
        ))
    })?;
    let rank = RANK_KEYS.iter().find_map(|(rank, score)| {
        let rank = sentence.comment_value(rank)?.parse().ok()?;
        Some((rank, sentence.comment_value(score)?.parse().ok()?))
    });
    let mut gone: Vec<&str> = tree.iter().map(|_| TREE_KEY).collect();
    if rank.is_some() {
        gone.extend(RANK_KEYS.iter().flat_map(|&(rank, score)| [rank, score]));
    }
    sentence.retain_comments(|comment| {
        let key = comment.trim_start_matches('#').split('=').next().unwrap_or_default().trim();
        !comment.contains('=') || !gone.contains(&key)
    });
    Ok((sentence, tree, rank))
}

/// A sentence of words, none of them empty.
pub(super) fn sentence_of_words<S: AsRef<str>>(
    words: impl IntoIterator<Item = S>,
) -> Result<Sentence, Error> {
    let mut sentence = Sentence::new();
    for word in words {
        let columns = corpus::format::conllu::Columns { form: word.as_ref(), ..Default::default() };
        sentence.push_word(columns).map_err(|error| unmade(&error))?;
    }
    Ok(sentence)
}
