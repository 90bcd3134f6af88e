//! Sentences that are parsed again and again with other tensors.

use corpus::tree::Tree;

use super::config::Decoding;
use super::decode;
use super::model::Refined;
use super::parameters::Parameters;
use super::parser::{FLOOR, Parser, Scratch};
use super::words::{Classes, WordVectors, find_known};
use crate::chart::{Forest, Item};
use crate::lexicon::Observation;

/// The forest of a sentence with the vectors of its words: all that decoding with other tensors needs.
#[derive(Clone, Debug)]
pub(super) struct HeldOutForest {
    forest: Forest,
    /// The vectors of the preterminals, one after another, with the end of each and its exponent.
    vectors: Vec<f32>,
    ends: Vec<(usize, i32)>,
}

impl HeldOutForest {
    /// All items.
    pub(super) fn items(&self) -> &[Item] {
        self.forest.items()
    }

    /// The best tree by tensors with the same states or fewer, as it would stand in the treebank; `None` if there is none.
    pub(super) fn best_tree(
        &self,
        refined: &Refined,
        parameters: &Parameters<f32>,
        sentence: &[Observation<'_>],
        decoding: Decoding,
        scratch: &mut Scratch,
    ) -> Option<Tree> {
        let ran = scratch.chart.run(parameters, &self.forest, |at, vector| {
            let start = at.checked_sub(1).map_or(0, |before| self.ends[before].0);
            let (end, exponent) = self.ends[at];
            vector.iter_mut().zip(&self.vectors[start..end]).for_each(|(out, value)| *out = *value);
            exponent
        });
        if !ran {
            return None;
        }
        let Scratch { chart, rules, items, .. } = scratch;
        let log = |posteriors: &[f32], out: &mut Vec<f32>| {
            out.clear();
            out.extend(posteriors.iter().map(|posterior| posterior.abs().max(FLOOR).ln()));
        };
        log(&chart.rules, rules);
        log(&chart.items, items);
        scratch.extra.clear();
        scratch.forest.clone_from(&self.forest);
        decode::best_tree(refined, sentence, decoding, scratch).map(|tree| refined.grammar.restore(tree))
    }
}

impl Parser<'_> {
    /// The forest of the first grammar, with the vectors of its first member; `None` if there is none.
    pub(super) fn held_out_forest(
        &self,
        sentence: &[Observation<'_>],
        scratch: &mut Scratch,
    ) -> Option<HeldOutForest> {
        if sentence.len() > self.config.base.max_words {
            return None;
        }
        self.pruners[0].prune(sentence, &mut scratch.pcfg, &mut scratch.forest)?;
        let refined = &self.model.grammars[0];
        let (lexicon, member) = (refined.grammar.lexicon(), refined.members.first()?);
        let Scratch { pcfg, forest, known, .. } = scratch;
        find_known(lexicon, sentence, known);
        let phrases = refined.grammar.symbols().phrases();
        let classes = Classes::new(member, sentence);
        let mut words = WordVectors { member, words: pcfg.words(), known, phrases, classes };
        let (mut vectors, mut ends) = (Vec::new(), Vec::new());
        for (at, item) in forest.items()[..forest.preterminals()].iter().enumerate() {
            let start = vectors.len();
            vectors.resize(start + member.dim(item.symbol as usize), 0.0);
            let exponent = words.write(forest, at, &mut vectors[start..]);
            ends.push((vectors.len(), exponent));
        }
        Some(HeldOutForest { forest: forest.clone(), vectors, ends })
    }
}
