//! Trees to learn from, in the form that the parser should produce.
//!
//! Beside a small treebank, trees of other languages teach what its few sentences do not show. Treebanks of Universal
//! Dependencies share parts of speech, features and the universal part of relations. Words are left out (D. Zeman and P. Resnik
//! 2008; R. McDonald, S. Petrov and K. Hall, Multi-source transfer of delexicalized dependency parsers, EMNLP 2011): with
//! them, Afrikaans beside Dutch and French beside Portuguese were worse in trials, Wolof beside French was the same, and Naija
//! beside English, which share many words, was better. The parser's own sentences are repeated, so that they are not drowned.

use corpus::dependency::projectivize::projectivize;
use corpus::dependency::pseudo_projective::pseudo_projectivize;
use corpus::dependency::{DependencyTree, RootRule, TreeError};
use corpus::format::conllu::Sentence;
use corpus::ids::LabelId;
use corpus::vocab::{Vocab, VocabBuilder};

use super::config::{MstConfig, Order, Structure};
use crate::arcs::Word;
use models::learn::{LearnError, Progress};

/// From this share of sentences with crossing arcs on, labels record what was lifted.
const SOME_CROSSING: f64 = 0.04;
/// From this share on, all trees are searched. The bound is higher in first order, where only single arcs hold a tree
/// together.
const fn many_crossing(order: Order) -> f64 {
    match order {
        Order::First => 0.25,
        Order::Siblings | Order::Second => 0.15,
    }
}
/// Own sentences are repeated until they have this share of the words of other languages,
const OWN_SHARE: f64 = 0.5;
/// but not more often than this.
const MOST_REPEATS: usize = 10;

/// A training sentence.
#[derive(Clone)]
pub(super) struct Example<'s> {
    pub(super) words: Vec<Word<'s>>,
    pub(super) heads: Vec<u32>,
    pub(super) labels: Vec<LabelId>,
}

impl<'s> Example<'s> {
    fn new(sentence: &'s Sentence, tree: &DependencyTree) -> Self {
        Self {
            words: Word::of_sentence(sentence),
            heads: tree.heads().iter().map(|head| head.number() as u32).collect(),
            labels: tree.labels().unwrap_or_default().to_vec(),
        }
    }

    /// What treebanks of other languages share with ours.
    fn without_words(mut self) -> Self {
        for word in &mut self.words {
            *word = Word { upos: word.upos, feats: word.feats, ..NO_WORD };
        }
        self
    }
}

/// All of them, their labels, and the kind of trees.
pub(super) struct Examples<'s> {
    pub(super) examples: Vec<Example<'s>>,
    pub(super) labels: Vocab<LabelId>,
    pub(super) structure: Structure,
}

impl<'s> Examples<'s> {
    /// Reads the trees of a treebank, and those of other languages without their words.
    pub(super) fn read(
        own: &'s [Sentence],
        source: &'s [Sentence],
        config: &MstConfig,
        progress: &mut Progress<'_>,
    ) -> Result<Self, LearnError> {
        let mut vocab = VocabBuilder::new();
        let own = trees(own, "", progress, |sentence| {
            DependencyTree::labelled_from_sentence(sentence, RootRule::Single, &mut vocab)
        })?;
        let crossing = own.iter().filter(|(_, tree)| !tree.is_projective()).count();
        progress.figure("sentences", own.len() as f64);
        progress.figure("sentences with crossing arcs", crossing as f64);
        let structure =
            config.structure.unwrap_or_else(|| by_share(crossing as f64 / own.len() as f64, config.order));
        let mut examples = Vec::with_capacity(own.len());
        for (sentence, tree) in own {
            let tree = match structure {
                Structure::NonProjective => tree,
                Structure::Projective => projectivize(&tree).tree,
                Structure::PseudoProjective => {
                    let lifted = pseudo_projectivize(&tree, &mut vocab);
                    lifted.map_err(|error| LearnError::bad_data(error.to_string()))?.tree
                }
            };
            examples.push(Example::new(sentence, &tree));
        }
        if !source.is_empty() {
            let others = trees(source, " of the other language", progress, |sentence| {
                let tree = DependencyTree::from_sentence(sentence, RootRule::Single)?;
                tree.with_labels(sentence.words().map(|word| vocab.intern(word.universal_deprel())).collect())
            })?;
            progress.figure("sentences of other languages", others.len() as f64);
            let others = others.into_iter().map(|(sentence, tree)| match structure {
                Structure::NonProjective => Example::new(sentence, &tree).without_words(),
                // How another language lifts arcs is not worth labels of its own.
                Structure::Projective | Structure::PseudoProjective => {
                    Example::new(sentence, &projectivize(&tree).tree).without_words()
                }
            });
            let others: Vec<Example<'s>> = others.collect();
            let words =
                |examples: &[Example<'_>]| examples.iter().map(|one| one.words.len()).sum::<usize>() as f64;
            let repeats = (OWN_SHARE * words(&others) / words(&examples)).round() as usize;
            let own = examples.len();
            for _ in 1..repeats.clamp(1, MOST_REPEATS) {
                examples.extend_from_within(..own);
            }
            examples.extend(others);
        }
        Ok(Self { examples, labels: vocab.freeze(), structure })
    }
}

/// The sentences whose heads form a tree, with it. `whose` follows the word in messages.
fn trees<'s>(
    sentences: &'s [Sentence],
    whose: &str,
    progress: &mut Progress<'_>,
    mut read: impl FnMut(&Sentence) -> Result<DependencyTree, TreeError>,
) -> Result<Vec<(&'s Sentence, DependencyTree)>, LearnError> {
    let found: Vec<_> =
        sentences.iter().filter_map(|sentence| Some((sentence, read(sentence).ok()?))).collect();
    if found.is_empty() {
        return Err(LearnError::bad_data(format!(
            "no sentence{whose} has a head for every word and one root; give a treebank in CoNLL-U"
        )));
    }
    let left_out = sentences.len() - found.len();
    if left_out > 0 {
        progress.note(format_args!(
            "left out {left_out} of {} sentences{whose} whose heads do not form a tree with one root",
            sentences.len()
        ));
    }
    Ok(found)
}

/// The kind of trees for a treebank with this share of crossing arcs.
fn by_share(share: f64, order: Order) -> Structure {
    if share >= many_crossing(order) {
        Structure::NonProjective
    } else if share >= SOME_CROSSING {
        Structure::PseudoProjective
    } else {
        Structure::Projective
    }
}

/// A word of which nothing is known.
const NO_WORD: Word<'static> = Word { form: "_", upos: "_", xpos: "_", feats: "_", lemma: "_" };

#[cfg(test)]
mod tests {
    use corpus::format::conllu::ConlluReader;
    use models::learn::Silent;

    use super::*;

    fn sentences(text: &str) -> Vec<Sentence> {
        ConlluReader::new(text.as_bytes(), "made up").map(Result::unwrap).collect()
    }

    const OWN: &str = "1\tHunde\tHund\tNOUN\tNN\tNumber=Plur\t2\tnsubj\t_\t_\n\
                       2\tbellen\tbellen\tVERB\tVVFIN\t_\t0\troot\t_\t_\n\n";
    const OTHER: &str = "1\tDogs\tdog\tNOUN\tNNS\tNumber=Plur\t2\tnsubj:outer\t_\t_\n\
                         2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n\
                         3\tloudly\tloudly\tADV\tRB\t_\t2\tadvmod\t_\t_\n\n";

    #[test]
    fn other_languages_keep_what_treebanks_share() {
        let (own, source) = (sentences(OWN), sentences(OTHER));
        let mut silent = Silent;
        let read =
            Examples::read(&own, &source, &MstConfig::default(), &mut Progress::new(&mut silent)).unwrap();
        let [first, second] = &read.examples[..] else { panic!("{}", read.examples.len()) };
        assert_eq!(first.words, Word::of_sentence(&own[0]));
        assert_eq!(second.words[0], Word { upos: "NOUN", feats: "Number=Plur", ..NO_WORD });
        assert_eq!(second.heads, [2, 0, 2]);
        let labels: Vec<&str> = second.labels.iter().map(|&label| read.labels.text(label)).collect();
        assert_eq!(labels, ["nsubj", "root", "advmod"]);
    }

    #[test]
    fn own_sentences_are_repeated_beside_many_others() {
        let own = sentences(OWN);
        let mut silent = Silent;
        for (others, repeats) in [(0, 1), (2, 2), (8, 6), (60, MOST_REPEATS)] {
            let source = sentences(&OTHER.repeat(others));
            let config = MstConfig::default();
            let read = Examples::read(&own, &source, &config, &mut Progress::new(&mut silent)).unwrap();
            assert_eq!(read.examples.len(), repeats + others);
        }
    }

    #[test]
    fn crossing_arcs_of_other_languages_do_not_choose_the_decoder() {
        let crossing = "1\ta\ta\tNOUN\t_\t_\t3\tnsubj\t_\t_\n2\tb\tb\tNOUN\t_\t_\t4\tobj\t_\t_\n\
                        3\tc\tc\tVERB\t_\t_\t0\troot\t_\t_\n4\td\td\tVERB\t_\t_\t3\tccomp\t_\t_\n\n";
        let (own, source) = (sentences(OWN), sentences(crossing));
        let structure = |own: &[Sentence], source: &[Sentence]| {
            let mut silent = Silent;
            Examples::read(own, source, &MstConfig::default(), &mut Progress::new(&mut silent))
                .unwrap()
                .structure
        };
        assert_eq!(structure(&own, &source), Structure::Projective);
        assert_eq!(structure(&source, &own), Structure::NonProjective);
    }

    #[test]
    fn a_source_without_trees_is_refused() {
        let (own, source) = (sentences(OWN), sentences("1\tDogs\t_\t_\t_\t_\t_\t_\t_\t_\n\n"));
        let mut silent = Silent;
        let read = Examples::read(&own, &source, &MstConfig::default(), &mut Progress::new(&mut silent));
        assert!(read.err().unwrap().to_string().contains("no sentence of the other language"));
    }

    #[test]
    fn sentences_that_are_left_out_leave_no_label() {
        let broken = OTHER.replace("\t2\tadvmod", "\t3\tcycle");
        let (own, source) = (sentences(OWN), sentences(&format!("{OTHER}{broken}")));
        let mut silent = Silent;
        let read =
            Examples::read(&own, &source, &MstConfig::default(), &mut Progress::new(&mut silent)).unwrap();
        assert_eq!((read.examples.len(), read.labels.len()), (2, 3));
    }
}
