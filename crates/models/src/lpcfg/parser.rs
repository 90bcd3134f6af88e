//! Parsing a sentence: pruning by the grammar, posteriors of all members, decoding.

use corpus::ids::Id;
use corpus::rare_words::SentencePosition;

use super::config::{Decoding, ParserConfig};
use super::decode;
use super::inference::LatentChart;
use super::model::{Lpcfg, Refined};
use super::parameters::Parameters;
use super::profiles::ClassId;
use crate::chart::Forest;
use crate::lexicon::Observation;
use crate::pcfg::{self, Outcome, Parse};

/// Memory for parsing; one a thread, kept between sentences.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) pcfg: pcfg::Scratch,
    pub(super) forest: Forest,
    pub(super) chart: LatentChart,
    /// Sums of logarithms of posteriors over the members, or of posteriors.
    pub(super) rules: Vec<f32>,
    pub(super) items: Vec<f32>,
    pub(super) best: Vec<f32>,
    known: Vec<Option<usize>>,
    /// Sentences whose Z came out negative under some member.
    pub negative: u64,
}

/// A decoder for a model. It is cheap to make and can be shared by threads.
#[derive(Clone, Debug)]
pub struct Parser<'m> {
    model: &'m Lpcfg,
    config: ParserConfig,
    base: pcfg::Parser<'m>,
}

impl<'m> Parser<'m> {
    /// Parses with `model`.
    pub fn new(model: &'m Lpcfg, config: ParserConfig) -> Self {
        let base = pcfg::Parser::new(model.grammar(), config.base.clone());
        Self { model, config, base }
    }

    /// The best tree. Every sentence of at least one word gets one; no words, no tree.
    pub fn parse(&self, sentence: &[Observation<'_>], scratch: &mut Scratch) -> Option<Parse> {
        let refined = &self.model.grammars[0];
        if !self.base.forest(sentence, self.config.edge_threshold, &mut scratch.pcfg, &mut scratch.forest) {
            return self.base.parse(sentence, &mut scratch.pcfg);
        }
        let count = self.posteriors(refined, sentence, scratch);
        if count == 0 {
            return self.base.parse(sentence, &mut scratch.pcfg);
        }
        let tree = decode::best_tree(refined, sentence, self.config.decoding, scratch)?;
        Some(Parse {
            tree: refined.grammar.restore(tree),
            log_probability: scratch.chart.log_partition(),
            outcome: Outcome::Parsed,
        })
    }

    /// Adds up the posteriors of all members; returns how many had any.
    fn posteriors(&self, refined: &Refined, sentence: &[Observation<'_>], scratch: &mut Scratch) -> usize {
        let Scratch { pcfg, forest, chart, rules, items, known, .. } = scratch;
        rules.clear();
        rules.resize(forest.all_splits().len(), 0.0);
        items.clear();
        items.resize(forest.items().len(), 0.0);
        let lexicon = refined.grammar.lexicon();
        known.clear();
        known.extend(sentence.iter().enumerate().map(|(position, observed)| {
            let word = text(observed);
            let id = lexicon.words().get(word).or_else(|| match SentencePosition::of(position) {
                SentencePosition::First => lexicon.words().get(&word.to_lowercase()),
                SentencePosition::Later => None,
            });
            id.map(|id| id.index())
        }));
        let phrases = refined.grammar.symbols().phrases();
        let (mut count, mut negative) = (0, false);
        for member in &refined.members {
            let words = pcfg.words();
            let mut classes = Classes::new(member, sentence);
            let ran = chart.run(member, forest, words, |at, vector| {
                let item = forest.items()[at];
                let position = item.start as usize;
                let tag = item.symbol as usize - phrases;
                let value = words.value(forest.emissions()[at] as usize);
                let class = classes.get(position, known[position].is_none());
                let profile = member.profiles.get(known[position], class, tag);
                vector.iter_mut().zip(profile).for_each(|(out, profile)| *out = value * profile);
                words.exponent(position)
            });
            if !ran {
                continue;
            }
            count += 1;
            negative |= chart.is_negative();
            let add = |sum: &mut f32, posterior: f32| match self.config.decoding {
                Decoding::RuleSum => *sum += posterior.abs(),
                Decoding::RuleProduct => *sum += posterior.abs().max(FLOOR).ln(),
            };
            rules.iter_mut().zip(&chart.rules).for_each(|(sum, &posterior)| add(sum, posterior));
            items.iter_mut().zip(&chart.items).for_each(|(sum, &posterior)| add(sum, posterior));
        }
        scratch.negative += u64::from(negative);
        count
    }
}

/// No posterior counts for less than this in a product: one member alone must not forbid a tree.
const FLOOR: f32 = 1e-9;

fn text<'s>(observed: &Observation<'s>) -> &'s str {
    match *observed {
        Observation::Word(word) | Observation::Tagged(word, _) => word,
        Observation::Tag(_) => "",
    }
}

/// The classes of a sentence's words, each asked for once.
struct Classes<'s, 'w> {
    member: &'s Parameters<f32>,
    sentence: &'s [Observation<'w>],
    found: Option<(usize, Option<ClassId>)>,
}

impl<'s, 'w> Classes<'s, 'w> {
    fn new(member: &'s Parameters<f32>, sentence: &'s [Observation<'w>]) -> Self {
        Self { member, sentence, found: None }
    }

    /// The class of a word. Known words need theirs for preterminals they were not seen with.
    fn get(&mut self, position: usize, _unknown: bool) -> Option<ClassId> {
        match self.found {
            Some((at, class)) if at == position => class,
            _ => {
                let word = text(&self.sentence[position]);
                let class = self.member.profiles.class(word, SentencePosition::of(position));
                self.found = Some((position, class));
                class
            }
        }
    }
}
