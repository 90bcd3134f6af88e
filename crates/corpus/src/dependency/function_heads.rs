//! Function words as heads, for treebanks in which content words are (Universal Dependencies), and back.
//!
//! A content word with adpositions, subordinators, auxiliaries or copulas below it hangs from the nearest of them, each of these
//! from the next one further away, and the furthest takes the place of the content word in the tree:
//!
//! ```text
//! that → will → eat          instead of          eat → that, eat → will
//! ```
//!
//! Dependents of the content word beyond a function word hang from the furthest such function word on their side, so that
//! projective trees stay projective. Labels record what happened: a word below its function word with relation `r` is
//! `r@below`, a word with relation `r` that was moved is `r@moved`. With these [`content_heads`] is the exact inverse; on
//! predicted trees, whose labels may contradict each other, it gives a tree as well.

use super::{DependencyTree, Head, RootRule, TreeError};
use crate::format::conllu::{Sentence, SentenceError};

/// Relations, without subtypes, whose words become heads.
const FUNCTIONS: [&str; 4] = ["aux", "case", "cop", "mark"];
/// Marks a word below a function word that has this relation to it.
const BELOW: &str = "@below";
/// Marks a word that hung from a content word.
const MOVED: &str = "@moved";

/// Why the heads of a sentence cannot be changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FunctionHeadError {
    /// Its heads are no tree.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// A relation has a mark already.
    #[error(
        "the relation {relation:?} ends in a mark of function heads; the sentence has been converted already"
    )]
    Marked {
        /// The relation.
        relation: String,
    },
    /// A relation cannot be written.
    #[error(transparent)]
    Write(#[from] SentenceError),
}

/// The sentence with function words as heads.
///
/// ```
/// use eigentree_corpus::dependency::function_heads::{content_heads, function_heads};
/// use eigentree_corpus::format::conllu::ConlluReader;
/// let text = "1\tto\t_\tADP\t_\t_\t2\tcase\t_\t_\n2\tRome\t_\tPROPN\t_\t_\t0\troot\t_\t_\n\n";
/// let sentence = ConlluReader::new(text.as_bytes(), "-").next().expect("there is one")?;
/// let changed = function_heads(&sentence)?;
/// let rome = changed.word(1).expect("two words");
/// assert_eq!((rome.head().map(|head| head.number()), rome.deprel()), (Some(1), "case@below"));
/// assert_eq!(content_heads(&changed)?, sentence);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn function_heads(sentence: &Sentence) -> Result<Sentence, FunctionHeadError> {
    let original = Nodes::of(sentence)?;
    if let Some(relation) = original.relations.iter().find(|r| r.ends_with(BELOW) || r.ends_with(MOVED)) {
        return Err(FunctionHeadError::Marked { relation: relation.clone() });
    }
    let chains = original.chains();
    let mut nodes = original.clone();
    for (word, &head) in original.heads.iter().enumerate() {
        if head.is_some_and(|head| chains[head].contains(&word)) {
            continue;
        }
        // What stands for the word in the tree hangs from the content word or from a function word before that.
        let top = chains[word].first().copied().unwrap_or(word);
        let beyond = head.and_then(|head| furthest_between(&chains[head], head, word));
        nodes.heads[top] = beyond.or(head);
        nodes.relations[top] = original.relations[word].clone();
        if beyond.is_some() {
            nodes.relations[top].push_str(MOVED);
        }
        let below = chains[word].iter().skip(1).chain([&word]);
        for (&above, &below) in chains[word].iter().zip(below) {
            nodes.heads[below] = Some(above);
            nodes.relations[below] = format!("{}{BELOW}", original.relations[above]);
        }
    }
    nodes.write(sentence)
}

/// The first of the function words of `content`, furthest first, that lies between it and `word`.
fn furthest_between(chain: &[usize], content: usize, word: usize) -> Option<usize> {
    let between = |&function: &usize| {
        (function < content) == (word < content) && function.abs_diff(content) < word.abs_diff(content)
    };
    chain.iter().copied().find(between)
}

/// The sentence with content words as heads: the inverse of [`function_heads`].
pub fn content_heads(sentence: &Sentence) -> Result<Sentence, FunctionHeadError> {
    let mut nodes = Nodes::of(sentence)?;
    let words = nodes.heads.len();
    // The word below each function word: the first that says so.
    let mut next = vec![None; words];
    for word in 0..words {
        if let (Some(head), true) = (nodes.heads[word], nodes.relations[word].ends_with(BELOW)) {
            next[head].get_or_insert(word);
        }
    }
    let original = nodes.clone();
    let is_next = |word: usize| original.heads[word].is_some_and(|head| next[head] == Some(word));
    let mut content_of = vec![None; words];
    for top in (0..words).filter(|&word| next[word].is_some() && !is_next(word)) {
        let chain: Vec<usize> = std::iter::successors(Some(top), |&word| next[word]).collect();
        let Some((&content, functions)) = chain.split_last() else { continue };
        nodes.heads[content] = original.heads[top];
        nodes.relations[content] = original.relations[top].clone();
        for (&function, &below) in functions.iter().zip(&chain[1..]) {
            content_of[function] = Some(content);
            nodes.heads[function] = Some(content);
            nodes.relations[function] = unmarked(&original.relations[below]).to_owned();
        }
    }
    for word in 0..words {
        let moved = nodes.relations[word].ends_with(MOVED);
        if let (true, Some(content)) = (moved, nodes.heads[word].and_then(|head| content_of[head])) {
            nodes.heads[word] = Some(content);
        }
        nodes.relations[word] = unmarked(&nodes.relations[word]).to_owned();
    }
    nodes.write(sentence)
}

/// A relation without marks.
fn unmarked(relation: &str) -> &str {
    let mut plain = relation;
    while let Some(rest) = plain.strip_suffix(BELOW).or_else(|| plain.strip_suffix(MOVED)) {
        plain = rest;
    }
    plain
}

/// Heads and relations of words; the root has no head.
#[derive(Clone)]
struct Nodes {
    heads: Vec<Option<usize>>,
    relations: Vec<String>,
}

impl Nodes {
    fn of(sentence: &Sentence) -> Result<Self, TreeError> {
        let tree = DependencyTree::from_sentence(sentence, RootRule::Any)?;
        let heads = tree.heads().iter().map(|head| head.index()).collect();
        Ok(Self { heads, relations: sentence.words().map(|word| word.deprel().to_owned()).collect() })
    }

    fn is_function(&self, word: usize) -> bool {
        let relation = self.relations[word].split(':').next().unwrap_or_default();
        FUNCTIONS.contains(&relation)
    }

    /// The function words of each word, furthest first. One that has function words of its own is not among them.
    fn chains(&self) -> Vec<Vec<usize>> {
        let mut chains = vec![Vec::new(); self.heads.len()];
        for (word, head) in self.heads.iter().enumerate().filter(|&(word, _)| self.is_function(word)) {
            if let Some(head) = *head {
                chains[head].push(word);
            }
        }
        let plain: Vec<bool> = chains.iter().map(Vec::is_empty).collect();
        for (content, chain) in chains.iter_mut().enumerate() {
            chain.retain(|&word| plain[word]);
            chain.sort_by_key(|&word| std::cmp::Reverse((word.abs_diff(content), word)));
        }
        chains
    }

    /// The sentence with these heads and relations.
    fn write(&self, sentence: &Sentence) -> Result<Sentence, FunctionHeadError> {
        let mut changed = sentence.clone();
        for (word, (head, relation)) in self.heads.iter().zip(&self.relations).enumerate() {
            changed.set_head(word, Some(head.and_then(Head::word).unwrap_or(Head::ROOT)))?;
            changed.set_deprel(word, relation)?;
        }
        Ok(changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::conllu::ConlluReader;

    fn sentence(words: &[(&str, usize, &str)]) -> Sentence {
        let line = |(at, (form, head, relation)): (usize, &(&str, usize, &str))| {
            format!("{}\t{form}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_\n", at + 1)
        };
        let text: String = words.iter().enumerate().map(line).collect();
        ConlluReader::new(format!("{text}\n").as_bytes(), "-").next().unwrap().unwrap()
    }

    fn told(sentence: &Sentence) -> Vec<(usize, &str)> {
        sentence.words().map(|word| (word.head().unwrap().number(), word.deprel())).collect()
    }

    #[test]
    fn the_furthest_function_word_is_on_top_and_takes_what_lies_beyond_it() {
        let words = [
            ("yesterday", 5, "advmod"),
            ("that", 5, "mark"),
            ("he", 5, "nsubj"),
            ("would", 5, "aux"),
            ("eat", 0, "root"),
            ("with", 7, "case"),
            ("us", 5, "obl"),
        ];
        let gold = sentence(&words);
        let changed = function_heads(&gold).unwrap();
        let expected = [
            (2, "advmod@moved"),
            (0, "root"),
            (4, "nsubj@moved"),
            (2, "mark@below"),
            (4, "aux@below"),
            (5, "obl"),
            (6, "case@below"),
        ];
        assert_eq!(told(&changed), expected);
        assert_eq!(content_heads(&changed).unwrap(), gold);
        assert!(matches!(function_heads(&changed), Err(FunctionHeadError::Marked { .. })));
    }

    #[test]
    fn a_function_word_with_function_words_of_its_own_stays() {
        let gold = sentence(&[("from", 2, "case"), ("under", 3, "case"), ("it", 0, "root")]);
        let changed = function_heads(&gold).unwrap();
        assert_eq!(told(&changed), [(3, "case"), (1, "case@below"), (0, "root")]);
        assert_eq!(content_heads(&changed).unwrap(), gold);
    }

    #[test]
    fn contradicting_labels_give_a_tree() {
        // Two words claim to be below the same one, and one is moved from nowhere.
        let odd = sentence(&[
            ("a", 0, "root"),
            ("b", 1, "case@below"),
            ("c", 1, "mark@below"),
            ("d", 2, "x@moved"),
        ]);
        let plain = content_heads(&odd).unwrap();
        assert_eq!(told(&plain), [(2, "case"), (0, "root"), (1, "mark"), (2, "x")]);
        assert!(DependencyTree::from_sentence(&plain, RootRule::Single).is_ok());
    }
}
