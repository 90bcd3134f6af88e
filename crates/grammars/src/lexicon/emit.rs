//! Emission lookup.

use corpus::ids::{Id, TagId, WordId};
use corpus::rare_words::{SentencePosition, signature};
use corpus::tree::marks;

use super::context::{Sentence, Template};
use super::model::{LEVELS, Lexicon};
use super::observation::{Emission, Observation, SentenceEmissions, Work};
use crate::grammar::SymbolId;

/// A word's position in its sentence.
type Place<'s> = (Sentence<'s>, usize);

impl Lexicon {
    /// Appends to `out` the preterminals that can produce the observation at `position`, at least one. The neighbouring
    /// words are unknown here; [`emissions_of_sentence`](Self::emissions_of_sentence) uses them.
    pub fn emissions(&self, observed: Observation<'_>, position: SentencePosition, out: &mut Vec<Emission>) {
        self.emit(observed, position, None, &mut Work::default(), out);
    }

    /// Finds the preterminals that can produce each word of a sentence, at least one per word.
    ///
    /// The neighbours of a word also inform its preterminal; see the [module](super).
    pub fn emissions_of_sentence(&self, sentence: &[Observation<'_>], out: &mut SentenceEmissions) {
        let SentenceEmissions { all, ends, facts, work } = out;
        all.clear();
        ends.clear();
        facts.clear();
        facts.extend(sentence.iter().map(|&observed| match observed {
            Observation::Word(word) => self.facts(word),
            Observation::Tagged(word, tag) => match self.known_tag(tag) {
                Some(tag) => self.facts(word).with_tag(tag),
                None => self.facts(word),
            },
            Observation::Tag(tag) => match self.known_tag(tag) {
                Some(tag) => self.facts("").with_tag(tag),
                None => self.facts(""),
            },
        }));
        let words = Sentence::new(facts);
        for (at, &observed) in sentence.iter().enumerate() {
            self.emit(observed, SentencePosition::of(at), Some((words, at)), work, all);
            ends.push(all.len());
        }
    }

    fn emit(
        &self,
        observed: Observation<'_>,
        position: SentencePosition,
        place: Option<Place<'_>>,
        work: &mut Work,
        out: &mut Vec<Emission>,
    ) {
        match observed {
            Observation::Word(word) => self.word_emissions(word, position, place, work, out),
            Observation::Tagged(word, tag) => match self.known_tag(tag) {
                Some(tag) => self.tagged_emissions(word, tag, position, place, work, out),
                None => self.word_emissions(word, position, place, work, out),
            },
            Observation::Tag(tag) => match self.known_tag(tag) {
                // p(t | s) is 1 for the chains that end in t.
                Some(tag) => out.extend(self.chains[tag.index()].iter().filter_map(|&chain| {
                    Some(Emission { preterminal: SymbolId::new(chain)?, probability: 1.0 })
                })),
                // An unknown tag alone carries no information: every preterminal may emit it, like any rare word.
                None => self.word_emissions("", position, None, work, out),
            },
        }
    }

    /// The tag with this name; labels are stored without marks.
    fn known_tag(&self, tag: &str) -> Option<TagId> {
        self.tags.get(&marks::protect_label(tag))
    }

    /// The word as it occurs in the treebank; sentence-initially the lower-case form also matches.
    fn known(&self, word: &str, position: SentencePosition) -> Option<WordId> {
        self.words.get(word).or_else(|| match position {
            SentencePosition::First => self.words.get(&word.to_lowercase()),
            SentencePosition::Later => None,
        })
    }

    fn tagged_emissions(
        &self,
        word: &str,
        tag: TagId,
        position: SentencePosition,
        place: Option<Place<'_>>,
        work: &mut Work,
        out: &mut Vec<Emission>,
    ) {
        let known = self.known(word, position);
        let counts: f64 = known.map_or(0.0, |word| {
            self.seen.row(word.index()).filter(|&(chain, _)| self.tag_of[chain] == tag).map(|(_, n)| n).sum()
        });
        // p(w, t) is the same for all chains; its estimate matters only for the probability of the whole sentence.
        let joint = if counts > 0.0 { counts } else { self.new_word_mass } / self.tokens.max(1.0);
        self.chain_shares(known, tag.index(), counts, place, work);
        self.push_chains(tag.index(), joint, 0.0, &work.chain_shares, out);
    }

    fn word_emissions(
        &self,
        word: &str,
        position: SentencePosition,
        place: Option<Place<'_>>,
        work: &mut Work,
        out: &mut Vec<Emission>,
    ) {
        let known = self.known(word, position);
        work.counts.clear();
        work.counts.resize(self.tags.len(), 0.0);
        let mut total = 0.0;
        if let Some(word) = known {
            for (preterminal, count) in self.seen.row(word.index()) {
                work.counts[self.tag_of[preterminal].index()] += count;
                total += count;
            }
        }
        let beta = if total >= self.config.closed_count as f64 { 0.0 } else { self.config.signature_weight };
        let mut shares = std::mem::take(&mut work.shares);
        shares.clear();
        if beta > 0.0 {
            self.tags_by_signature(word, position, &mut shares);
        }
        shares.resize(self.tags.len(), 0.0);
        for (share, &count) in shares.iter_mut().zip(&work.counts) {
            *share = (count + beta * *share) / (total + beta);
        }
        let mut least = self.config.cut_off * shares.iter().copied().fold(0.0, f64::max);
        if let Some(place) = place {
            self.tags_in_context(place, least, &mut shares, work);
            least = self.config.context.cut_off * shares.iter().copied().fold(0.0, f64::max);
        }
        let word_mass =
            if total > 0.0 { total / self.tokens } else { self.new_word_mass / self.tokens.max(1.0) };
        for (tag, &share) in shares.iter().enumerate() {
            if share > least {
                self.chain_shares(known, tag, work.counts[tag], place, work);
                self.push_chains(tag, share * word_mass, least * word_mass, &work.chain_shares, out);
            }
        }
        work.shares = shares;
    }

    /// Turns `p(t | w)` into `p(t | w, x, i)` for the tags above `least`; the other tags get 0.
    fn tags_in_context(&self, (sentence, at): Place<'_>, least: f64, shares: &mut [f64], work: &mut Work) {
        if self.tag_context.is_empty() || shares.iter().filter(|&&share| share > least).count() < 2 {
            return;
        }
        let Work { sums, lookup, .. } = work;
        sums.clear();
        sums.resize(shares.len(), 0);
        sentence.add_scores(at, Template::Tag, &self.tag_context, lookup, sums);
        let config = &self.config.context;
        let step = self.tag_context.step() * config.tag_power;
        for (tag, share) in shares.iter_mut().enumerate() {
            *share = if *share > least {
                let prior = (self.tag_counts[tag] / self.tokens).ln();
                config.word_power * share.ln()
                    + step * f64::from(sums[tag])
                    + (1.0 - config.word_power - config.tag_power) * prior
            } else {
                f64::NEG_INFINITY
            };
        }
        to_shares(shares);
    }

    /// Fills `work.chain_shares` with `p(s | t, w, x, i)` for the chains of the tag. `count` is the count of the word
    /// with the tag.
    fn chain_shares(
        &self,
        known: Option<WordId>,
        tag: usize,
        count: f64,
        place: Option<Place<'_>>,
        work: &mut Work,
    ) {
        let chains = &self.chains[tag];
        let shares = &mut work.chain_shares;
        shares.clear();
        shares.resize(chains.len(), 0.0);
        if let Some(word) = known.filter(|_| count > 0.0) {
            for (preterminal, count) in self.seen.row(word.index()) {
                if let Ok(at) = chains.binary_search(&preterminal) {
                    shares[at] = count;
                }
            }
        }
        let gamma = self.config.chain_weight;
        let prior = |chain: usize| self.preterminal_counts[chain] / self.tag_counts[tag].max(1.0);
        for (share, &chain) in shares.iter_mut().zip(chains) {
            // Without a weight of their own, the chains of the tag count where the word was not seen with it.
            *share = match count + gamma {
                sum if sum > 0.0 => (*share + gamma * prior(chain)) / sum,
                _ => prior(chain),
            };
        }
        let (Some((sentence, at)), true) = (place, chains.len() > 1 && !self.chain_context.is_empty()) else {
            return;
        };
        work.chain_sums.resize(self.tag_of.len(), 0);
        chains.iter().for_each(|&chain| work.chain_sums[chain] = 0);
        sentence.add_scores(
            at,
            Template::Chain(tag),
            &self.chain_context,
            &mut work.lookup,
            &mut work.chain_sums,
        );
        let config = &self.config.context;
        let step = self.chain_context.step() * config.chain_power;
        for (share, &chain) in shares.iter_mut().zip(chains) {
            *share = config.chain_word_power * share.ln()
                + step * f64::from(work.chain_sums[chain])
                + (1.0 - config.chain_word_power - config.chain_power) * prior(chain).ln();
        }
        to_shares(shares);
    }

    /// Applies Bayes' rule: from `p(w, t)` and `p(s | t, w)` to `p(w | s)`, for the chains whose `p(w, s)` exceeds
    /// `least`.
    fn push_chains(&self, tag: usize, joint: f64, least: f64, shares: &[f64], out: &mut Vec<Emission>) {
        for (&chain, share) in self.chains[tag].iter().zip(shares) {
            let prior = self.preterminal_counts[chain] / self.tokens.max(1.0);
            let joint = joint * share;
            if let (Some(preterminal), true) = (SymbolId::new(chain), prior > 0.0 && joint > least) {
                out.push(Emission { preterminal, probability: (joint / prior) as f32 });
            }
        }
    }

    /// `p(t | sig(w))`, backed off from the longest ending to the shape to all rare words.
    fn tags_by_signature(&self, word: &str, position: SentencePosition, shares: &mut Vec<f64>) {
        let rare_total: f64 = self.rare_tags.iter().sum();
        shares.extend(self.rare_tags.iter().map(|count| count / rare_total.max(1.0)));
        for (detail, level) in LEVELS.iter().rev() {
            let key = (*level).to_owned() + &signature(word, position, *detail);
            let Some(id) = self.signatures.get(&key) else { break };
            let total: f64 = self.rare.row(id.index()).map(|(_, count)| count).sum();
            let weight = self.config.back_off_weight;
            shares.iter_mut().for_each(|share| *share *= weight / (total + weight));
            self.rare.row(id.index()).for_each(|(tag, count)| shares[tag] += count / (total + weight));
        }
    }
}

/// Turns logarithms into shares of 1. Anything without a finite logarithm, such as an impossible event, gets 0.
fn to_shares(logs: &mut [f64]) {
    let best = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut total = 0.0;
    for log in logs.iter_mut() {
        *log = if log.is_finite() { (*log - best).exp() } else { 0.0 };
        total += *log;
    }
    if total > 0.0 {
        logs.iter_mut().for_each(|share| *share /= total);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{LexiconConfig, LexiconCounts};
    use super::*;

    fn lexicon() -> Lexicon {
        lexicon_of(LexiconConfig::default())
    }

    fn lexicon_of(config: LexiconConfig) -> Lexicon {
        let mut counts = LexiconCounts::default();
        let symbol = |index| SymbolId::new(index).unwrap();
        for (word, preterminal, times) in [
            ("dog", 0, 6),
            ("dog", 1, 2),
            ("walks", 2, 3),
            ("walking", 2, 1),
            ("running", 2, 1),
            ("the", 3, 60),
        ] {
            for _ in 0..times {
                counts.add(word, symbol(preterminal), SentencePosition::Later);
            }
        }
        Lexicon::new(&counts, &["NN", "NP|NN", "VB", "DT"], config, None)
    }

    fn emissions(observed: Observation<'_>) -> Vec<(usize, f32)> {
        let mut out = Vec::new();
        lexicon().emissions(observed, SentencePosition::Later, &mut out);
        out.iter().map(|emission| (emission.preterminal.index(), emission.probability)).collect()
    }

    #[test]
    fn joint_probabilities_of_words_and_preterminals_sum_to_the_word() {
        let lexicon = lexicon();
        for (word, count) in [("dog", 8.0), ("walks", 3.0), ("the", 60.0)] {
            let joint: f64 = emissions(Observation::Word(word))
                .iter()
                .map(|&(s, p)| f64::from(p) * lexicon.preterminal_counts[s] / lexicon.tokens)
                .sum();
            assert!((joint - count / lexicon.tokens).abs() < 1e-6, "{word}: {joint}");
        }
    }

    #[test]
    fn a_plain_lexicon_has_relative_frequencies() {
        let lexicon = lexicon_of(LexiconConfig::plain());
        let emissions = |observed| {
            let mut out = Vec::new();
            lexicon.emissions(observed, SentencePosition::Later, &mut out);
            out.iter()
                .map(|emission| (emission.preterminal.index(), emission.probability))
                .collect::<Vec<_>>()
        };
        // Six of six NN, two of two NP|NN, three of five VB.
        assert_eq!(emissions(Observation::Word("dog")), [(0, 1.0), (1, 1.0)]);
        assert_eq!(emissions(Observation::Word("walks")), [(2, 0.6)]);
        // A new word has the tags of its signature, and a word that is new with its tag the chains of the tag.
        assert!(emissions(Observation::Word("jumping")).iter().all(|&(_, p)| p > 0.0 && p.is_finite()));
        let tagged = emissions(Observation::Tagged("walks", "NN"));
        assert_eq!(tagged.len(), 2);
        assert!((tagged[0].1 - tagged[1].1).abs() < 1e-9, "{tagged:?}");
    }

    #[test]
    fn frequent_words_keep_their_tags_and_endings_decide_for_new_ones() {
        assert_eq!(emissions(Observation::Word("the")).len(), 1);
        let new = emissions(Observation::Word("jumping"));
        let best = new.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        assert_eq!(best.0, 2);
    }

    #[test]
    fn given_tags_restrict_to_their_chains() {
        let tagged =
            |word, tag| emissions(Observation::Tagged(word, tag)).iter().map(|&(s, _)| s).collect::<Vec<_>>();
        assert_eq!(tagged("dog", "NN"), [0, 1]);
        assert_eq!(tagged("unheard", "DT"), [3]);
        assert_eq!(emissions(Observation::Tag("NN")), [(0, 1.0), (1, 1.0)]);
        assert!(!tagged("dog", "NO-SUCH-TAG").is_empty());
        assert!(!emissions(Observation::Tag("NO-SUCH-TAG")).is_empty());
    }
}
