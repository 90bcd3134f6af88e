//! Bounds of the work with large alphabets.
//!
//! A prediction of an automaton with *n* states over *k* symbols takes *n k* multiplications, since negative values must
//! be found before the others are normalised. Choosing among ranks on *e* held-out events takes *e k* Σ *n*: with the
//! words of a language for symbols, hours. Where that exceeds [`SequenceConfig::work`], the ladder of ranks gets coarser
//! first, and then every *s*-th held-out sequence is taken.

use models::learn::{LearnError, Progress};

use super::config::{Method, RankChoice, SequenceConfig};
use crate::automaton::SequenceCounts;

/// How many automata of the largest size are in memory at once, as measured with 300 and 1,000 symbols and up to 480 states: models,
/// what they are made of, and the counts of a step of EM.
fn copies(method: Method) -> f64 {
    match method {
        Method::Ngram => 0.0,
        Method::Spectral | Method::ReducedHmm => 2.1,
        Method::Em => 5.5,
        Method::SpectralEm => 7.0,
        Method::All => 9.0,
    }
}

/// The numbers of states that are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ladder {
    /// All up to 10, then in steps of a tenth.
    Fine,
    /// Steps of a half.
    Coarse,
}

impl Ladder {
    /// Rising numbers, the last of which is `most`.
    pub(super) fn ranks(self, most: usize) -> Vec<usize> {
        let (first, next): (usize, fn(usize) -> usize) = match self {
            Ladder::Fine => (1, |rank| rank + 1 + rank / 10),
            Ladder::Coarse => (4, |rank| rank + 1 + rank / 2),
        };
        let mut ranks: Vec<usize> = std::iter::successors(Some(first), |&rank| Some(next(rank)))
            .take_while(|&rank| rank < most)
            .collect();
        ranks.push(most);
        ranks
    }
}

/// What the choice of the number of states may cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    pub(super) ladder: Ladder,
    /// Every how many held-out sequences one is taken.
    every: usize,
    /// Multiplications of the choice.
    work: f64,
    states: usize,
    /// How many automata are in memory at once.
    copies: f64,
    automata: Automata,
}

/// Whether an automaton is learnt at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Automata {
    None,
    Some,
}

impl Budget {
    pub(super) fn new(config: &SequenceConfig, train: &SequenceCounts, aside: &SequenceCounts) -> Self {
        let most = config.rank.most().get();
        // A decomposition has no more states than there are prefixes.
        let states = match (config.method, config.basis.limit) {
            (Method::Spectral, Some(limit)) => most.min(limit),
            _ => most,
        };
        let automata = if config.method == Method::Ngram { Automata::None } else { Automata::Some };
        let events: usize = aside.iter().map(|(sequence, _)| sequence.len() + 1).sum();
        let work = |ladder: Ladder| {
            let states: usize = match config.rank {
                RankChoice::HeldOut(_) => ladder.ranks(most).iter().sum(),
                RankChoice::Fixed(_) | RankChoice::Spectrum(_) => most,
            };
            events as f64 * train.alphabet() as f64 * states as f64
        };
        let ladder = if work(Ladder::Fine) > config.work { Ladder::Coarse } else { Ladder::Fine };
        let every = (work(ladder) / config.work).ceil().max(1.0);
        Self {
            ladder,
            every: every as usize,
            work: work(ladder) / every,
            states,
            copies: copies(config.method),
            automata,
        }
    }

    /// Says beforehand what large alphabets will take.
    pub(super) fn tell(&self, train: &SequenceCounts, progress: &mut Progress<'_>) {
        /// Worth telling: a few seconds, or so many bytes.
        const LONG: f64 = 3e9;
        const LARGE: f64 = 5e7;
        /// What a core of today does in a second, roughly.
        const PER_SECOND: f64 = 1e9;
        let bytes = 8.0 * train.alphabet() as f64 * (self.states as f64).powi(2);
        if self.automata == Automata::Some {
            progress.memory((self.copies * bytes) as u64, "fewer states or symbols need less");
        }
        if self.automata == Automata::None || (self.work < LONG && bytes < LARGE) {
            return;
        }
        let part = match self.every {
            1 => String::new(),
            every => format!(" on one of {every} held-out sequences"),
        };
        progress.note(format_args!(
            "{} symbols, {:.0} occurrences: automata of up to {} states take {:.0} MB; choosing among {} numbers of \
             states{part} takes roughly {:.0} s of processor time. Fewer symbols (a limit of the vocabulary, a minimum \
             count) or a fixed number of states make it faster",
            train.alphabet(),
            train.symbols(),
            self.states,
            bytes / 1e6,
            self.ladder.ranks(self.states).len(),
            (self.work / PER_SECOND).max(1.0),
        ));
    }

    /// The held-out sequences that serve to choose.
    pub(super) fn thinned(&self, aside: SequenceCounts) -> Result<SequenceCounts, LearnError> {
        if self.every == 1 {
            return Ok(aside);
        }
        // Sequences are sorted, so every so many of them are a fair part.
        SequenceCounts::new(aside.alphabet(), aside.iter().step_by(self.every))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spectral::Rank;

    #[test]
    fn large_alphabets_get_fewer_ranks_and_fewer_sequences() {
        let config =
            SequenceConfig { rank: RankChoice::HeldOut(Rank::new(60).unwrap()), ..SequenceConfig::default() };
        let aside = |alphabet: usize| {
            SequenceCounts::of(alphabet, (0..4000).map(|index| vec![index % alphabet as u32; 9])).unwrap()
        };
        let small = aside(50);
        let budget = Budget::new(&config, &small, &small);
        assert_eq!((budget.ladder, budget.every), (Ladder::Fine, 1));
        assert_eq!(budget.thinned(small.clone()).unwrap(), small);
        let large = aside(100_000);
        let budget = Budget::new(&config, &large, &large);
        assert_eq!(budget.ladder, Ladder::Coarse);
        assert!(budget.every > 1 && budget.work <= config.work);
        let thinned = budget.thinned(large.clone()).unwrap();
        assert!(!thinned.is_empty() && thinned.len() <= large.len() / budget.every + 1);
        assert_eq!(Ladder::Coarse.ranks(60), [4, 7, 11, 17, 26, 40, 60]);
        assert_eq!(Ladder::Fine.ranks(3), [1, 2, 3]);
    }
}
