//! One simulation after the other.

use corpus::format::conllu::{Column, Sentence};
use dependency::arcs::Word;
use dependency::mst::{Mst, MstConfig, MstLearner, Parser};
use eigentree::Error;
use eigentree::dependency_parsing::{parse_sentences, score_sentences};
use eigentree::parsing::Confidences;
use eigentree::selection::{Candidate, SelectConfig, Strategy, candidate, choose};
use eigentree::tagging::column_data;
use eval::report::AttachmentReport;
use models::learn::{Learner, Observer, Silent};
use rayon::prelude::*;
use tagging::tagger::{Resources, Tagger, TaggerConfig, TaggerLearner};

use super::config::Config;
use super::report::{Curve, Step};
use crate::folders::TreebankSplit;

/// Simulates annotation of a treebank with every strategy, several times.
pub fn simulate(
    treebank: &TreebankSplit,
    config: &Config,
    observer: &mut dyn Observer,
) -> Result<Vec<Curve>, Error> {
    let runs = config.repeats * config.strategies.len() * config.rounds;
    observer.stage(&treebank.name, Some(runs as u64));
    let mut curves = Vec::new();
    for repeat in 0..config.repeats {
        for &strategy in &config.strategies {
            let seed = config.seed.wrapping_add(repeat as u64);
            let steps = annotate(treebank, strategy, seed, config, observer)?;
            let name = strategy.name().to_owned();
            curves.push(Curve { treebank: treebank.name.clone(), strategy: name, repeat: repeat + 1, steps });
        }
    }
    Ok(curves)
}

/// Annotates a treebank round by round.
fn annotate(
    treebank: &TreebankSplit,
    strategy: Strategy,
    seed: u64,
    config: &Config,
    observer: &mut dyn Observer,
) -> Result<Vec<Step>, Error> {
    let all = &treebank.train;
    let plain: Vec<Candidate> = all.iter().map(|sentence| candidate(sentence, &[])).collect();
    let limits = SelectConfig {
        count: usize::MAX,
        min_words: 1,
        max_words: usize::MAX,
        seed,
        ..SelectConfig::default()
    };
    let first = SelectConfig { words: config.first, strategy: Strategy::Random, ..limits };
    let mut annotated = choose(&plain, &first);
    let words = |numbers: &[usize]| numbers.iter().map(|&number| all[number].len()).sum::<usize>();
    let mut steps = Vec::new();
    for round in 0..config.rounds {
        let sentences: Vec<Sentence> = annotated.iter().map(|&number| all[number].clone()).collect();
        let models = Models::learn(&sentences, seed, config)?;
        steps.push(Step {
            words: words(&annotated),
            sentences: annotated.len(),
            las: models.las(&treebank.test)?,
        });
        observer.advance(1);
        if observer.cancelled() {
            return Err(Error::Cancelled);
        }
        let wanted = config.first as f64 * config.growth.powi(round as i32 + 1);
        let buy = (wanted as usize).saturating_sub(words(&annotated));
        let pool: Vec<usize> = (0..all.len()).filter(|number| !annotated.contains(number)).collect();
        if round + 1 == config.rounds || pool.is_empty() {
            break;
        }
        let candidates: Vec<Candidate> = match strategy {
            Strategy::Random => pool.iter().map(|&number| plain[number].clone()).collect(),
            Strategy::Diverse | Strategy::Uncertain => {
                pool.par_iter().with_min_len(16).map(|&number| models.doubts(&all[number])).collect()
            }
        };
        // Another random choice in each round.
        let seed = seed.wrapping_mul(1_000_003).wrapping_add(round as u64);
        let picked = choose(&candidates, &SelectConfig { words: buy, strategy, seed, ..limits });
        annotated.extend(picked.into_iter().map(|index| pool[index]));
    }
    Ok(steps)
}

/// What annotated sentences teach.
struct Models {
    tagger: Tagger,
    parser: Mst,
}

impl Models {
    fn learn(sentences: &[Sentence], seed: u64, config: &Config) -> Result<Self, Error> {
        let data = column_data(sentences, &[Column::Upos], Resources::default());
        let tagger =
            TaggerLearner { config: TaggerConfig { seed, network: None, ..TaggerConfig::default() } };
        let parser = MstLearner { config: MstConfig { seed, ..config.parser.clone() }, ..Default::default() };
        let unmarked: Vec<Sentence> = sentences.iter().map(only_tags).collect();
        Ok(Self {
            tagger: tagger.learn(&data, &mut Silent)?.model,
            parser: parser.learn(&unmarked, &mut Silent)?.model,
        })
    }

    /// The sentence with tags of the tagger, and how sure they are.
    fn tagged(&self, sentence: &Sentence) -> (Sentence, Vec<f32>) {
        let words: Vec<&str> = sentence.words().map(|word| word.form()).collect();
        let (tagging, mut confidences) = self.tagger.tag_with_confidence(&words, &mut self.tagger.scratch());
        let mut tagged = only_tags(sentence);
        for (index, tag) in tagging.labels(0).enumerate() {
            // Tags come from CoNLL-U, so they can be written there.
            let _ = tagged.set_upos(index, tag);
        }
        (tagged, confidences.swap_remove(0))
    }

    fn doubts(&self, sentence: &Sentence) -> Candidate {
        let (tagged, tags) = self.tagged(sentence);
        let parser = Parser::new(&self.parser);
        let words = Word::of_sentence(&tagged);
        let parse = parser.parse_best(&words, 1, Confidences::Compute, &mut Default::default());
        let arcs = parse.into_iter().next().map(|parse| parse.confidences).unwrap_or_default();
        let both: Vec<f32> = arcs.iter().zip(&tags).map(|(arc, tag)| arc * tag).collect();
        candidate(sentence, &both)
    }

    /// LAS with own tags.
    fn las(&self, test: &[Sentence]) -> Result<f64, Error> {
        let tagged: Vec<Sentence> =
            test.par_iter().with_min_len(16).map(|sentence| self.tagged(sentence).0).collect();
        let parser = Parser::new(&self.parser);
        let parses = parse_sentences(&parser, &tagged, Confidences::Skip, &mut Silent)?;
        Ok(AttachmentReport::from(&score_sentences(&parser, test, &tagged, &parses)?).las)
    }
}

/// The sentence without the columns that a tagger of UPOS does not give.
fn only_tags(sentence: &Sentence) -> Sentence {
    let mut plain = sentence.clone();
    for index in 0..sentence.len() {
        // `_` is valid in every column.
        let _ = plain.set_xpos(index, "_");
        let _ = plain.set_column(index, Column::Feats, "_");
        let _ = plain.set_column(index, Column::Lemma, "_");
    }
    plain
}
