//! Sentences without some of their words, such as punctuation.

use super::{DependencyTree, Head, RootRule};
use crate::format::conllu::{Columns, Sentence, SentenceError, Token};

/// Whether a word is punctuation by its universal tag or its relation, as where attachment is scored without punctuation.
pub fn is_punctuation(word: Token<'_>) -> bool {
    word.upos() == "PUNCT" || word.universal_deprel() == "punct"
}

/// The sentence with the words that are kept. What hangs from a word that is left out hangs from the next word above that is
/// kept; below a root that is left out, the first word becomes the root and the others hang from it. Multiword tokens, empty
/// nodes, enhanced dependencies and the comment with the text are left out. Heads that are no tree are left out as well.
///
/// ```
/// use eigentree_corpus::dependency::{is_punctuation, without_words};
/// use eigentree_corpus::format::conllu::ConlluReader;
/// let text = "1\t-\t_\tPUNCT\t_\t_\t0\troot\t_\t_\n2\tgo\t_\tVERB\t_\t_\t1\tdep\t_\t_\n\n";
/// let sentence = ConlluReader::new(text.as_bytes(), "-").next().expect("there is one")?;
/// let shorter = without_words(&sentence, |word| !is_punctuation(word))?;
/// let word = shorter.word(0).expect("one word");
/// assert_eq!((shorter.len(), word.form(), word.head().map(|head| head.number())), (1, "go", Some(0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn without_words(
    sentence: &Sentence,
    mut keep: impl FnMut(Token<'_>) -> bool,
) -> Result<Sentence, SentenceError> {
    let kept: Vec<bool> = sentence.words().map(&mut keep).collect();
    let tree = DependencyTree::from_sentence(sentence, RootRule::Any).ok();
    // The next word above that is kept; `None` for the root of the tree.
    let above = |tree: &DependencyTree, word: usize| {
        let next = |&at: &usize| tree.head(at).and_then(|head| head.index());
        std::iter::successors(next(&word), next).find(|&at| kept[at])
    };
    let numbers: Vec<usize> = kept
        .iter()
        .scan(0, |count, &kept| {
            *count += usize::from(kept);
            Some(*count)
        })
        .collect();
    let mut shorter = Sentence::new();
    shorter.set_line_ending(sentence.line_ending());
    for comment in sentence.comments().filter(|comment| !is_text(comment)) {
        shorter.push_comment(comment)?;
    }
    let mut root = None;
    for (at, word) in sentence.words().enumerate().filter(|&(at, _)| kept[at]) {
        let head = tree.as_ref().map(|tree| match (above(tree, at), root) {
            (Some(head), _) => head,
            // Roots of their own stay roots; words below a root that is left out share one.
            (None, None) => {
                root = Some(at);
                usize::MAX
            }
            (None, Some(_)) if tree.head(at).is_some_and(|head| head.is_root()) => usize::MAX,
            (None, Some(root)) => root,
        });
        let head =
            head.map(|head| numbers.get(head).and_then(|&n| Head::from_number(n)).unwrap_or(Head::ROOT));
        let deprel = match head {
            Some(head) if head.is_root() => "root",
            _ => word.deprel(),
        };
        let columns = Columns {
            form: word.form(),
            lemma: word.lemma(),
            upos: word.upos(),
            xpos: word.xpos(),
            feats: word.feats(),
            head,
            deprel,
            deps: "_",
            misc: word.misc(),
        };
        shorter.push_word(columns)?;
    }
    Ok(shorter)
}

/// Whether a comment is the text of the sentence.
fn is_text(comment: &str) -> bool {
    let key = comment.trim_start_matches('#').split('=').next().unwrap_or_default();
    key.trim() == "text"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::conllu::ConlluReader;

    #[test]
    fn what_hangs_from_a_lost_word_hangs_from_the_next_above() {
        let line =
            |n: usize, upos: &str, head: usize| format!("{n}\tw{n}\t_\t{upos}\t_\t_\t{head}\tdep\t_\t_\n");
        let lines =
            [line(1, "A", 2), line(2, "PUNCT", 3), line(3, "A", 0), line(4, "PUNCT", 3), line(5, "A", 4)];
        let text = format!("# sent_id = s\n# text = w1\n{}\n", lines.concat());
        let sentence = ConlluReader::new(text.as_bytes(), "-").next().unwrap().unwrap();
        let shorter = without_words(&sentence, |word| !is_punctuation(word)).unwrap();
        let told: Vec<(String, usize)> =
            shorter.words().map(|word| (word.form().to_owned(), word.head().unwrap().number())).collect();
        let expected = [("w1", 2), ("w3", 0), ("w5", 2)].map(|(form, head)| (form.to_owned(), head));
        assert_eq!(told, expected);
        assert_eq!((shorter.sent_id(), shorter.text_comment()), (Some("s"), None));
        assert_eq!(without_words(&sentence, |_| false).unwrap().len(), 0);
    }
}
