//! Learning and scoring.

use corpus::dependency::{DependencyTree, RootRule};
use corpus::format::conllu::Sentence;
use dependency::mst::{MstConfig, MstLearner, Order, Parser, Structure};
use eigentree::Error;
use eigentree::dependency_parsing::{parse_sentences, score_sentences};
use eigentree::parsing::Confidences;
use eval::report::AttachmentReport;
use models::learn::{Learner, Observer};

use super::report::{Outcome, Row};
use crate::folders::TreebankSplit;
use crate::meter::{Meter, Stopwatch, total};

/// A way to parse.
#[derive(Clone, Debug)]
pub struct Setup {
    /// How it is learnt.
    pub config: MstConfig,
    /// The trees it makes, in words.
    pub name: String,
}

impl Setup {
    /// The recipe with these trees.
    pub fn new(config: &MstConfig, structure: Structure) -> Self {
        let order = match config.order {
            Order::First => "1st order",
            Order::Siblings => "2nd order (siblings)",
            Order::Second => "2nd order",
        };
        let trees = match structure {
            Structure::Projective => "projective",
            Structure::PseudoProjective => "pseudo-projective",
            Structure::NonProjective => "non-projective",
        };
        let config = MstConfig { structure: Some(structure), ..config.clone() };
        Self { config, name: format!("{order} {trees}") }
    }
}

/// Learns and parses one treebank in every way.
pub fn compare_treebank(
    treebank: &TreebankSplit,
    setups: &[Setup],
    observer: &mut dyn Observer,
    meter: &dyn Meter,
) -> Result<Row, Error> {
    let crossing = |sentence: &&Sentence| {
        DependencyTree::from_sentence(sentence, RootRule::Any).is_ok_and(|tree| !tree.is_projective())
    };
    let share = treebank.train.iter().filter(crossing).count() as f64 / treebank.train.len().max(1) as f64;
    let mut outcomes = Vec::with_capacity(setups.len());
    for setup in setups {
        let title = format!("{} {}", treebank.name, setup.name);
        let mut watch = Stopwatch::new(title, observer, meter);
        let learner = MstLearner { config: setup.config.clone(), ..Default::default() };
        let model = learner.learn(&treebank.train, &mut watch)?.model;
        watch.pause();
        let parser = Parser::new(&model);
        let (parses, parsing, _) = watch.aside("parse", treebank.test.len(), |observer| {
            parse_sentences(&parser, &treebank.test, Confidences::Skip, observer)
        });
        let report =
            AttachmentReport::from(&score_sentences(&parser, &treebank.test, &treebank.test, &parses?)?);
        let training = total(watch.stages());
        outcomes.push(Outcome { uas: report.uas, las: report.las, training, parsing });
    }
    let words = |sentences: &[Sentence]| sentences.iter().map(Sentence::len).sum::<usize>();
    Ok(Row {
        treebank: treebank.name.clone(),
        sentences: treebank.train.len(),
        words: words(&treebank.train),
        parsed_words: words(&treebank.test),
        crossing: 100.0 * share,
        outcomes,
    })
}
