//! Lexicalised deterministic automata: LEX, LEX+F and LEX+FCP.
//!
//! A modifier `a` with tag `t_a` and word `w_a` has the probability (Luque et al. 2012, section 5.2)
//!
//! ```text
//! P(a | h, d, σ) = P_A(t_a | h, d, σ) · P_B(w_a | t_a, h, d, σ)
//! ```
//!
//! where `P_A` (STOP is one of its outcomes) backs off from `{w_h, t_h, d, σ}` to `{t_h, d, σ}`, and `P_B` from `{t_a,
//! w_h, t_h, d, σ}` to `{t_a, t_h, d, σ}` to `{t_a}`. As in Collins (1999) a level seen `c` times with `u` different
//! outcomes gets the share `c / (c + 5u)` of the mass that the levels above left. Below the last level is the uniform
//! distribution, so that nothing is impossible. Rare and unknown words are treated as one word. A conditioning word
//! always comes with its tag, as words with several tags would otherwise mix.
//!
//! Three more factors go beyond the paper. With clusters of words, `P_A` also backs off to `{c_h, t_h, d, σ}`, and the cluster
//! of a modifier is compared with what is usual for its tag:
//!
//! ```text
//! P_C(c_a | t_a, c_h, t_h, d) / P_C(c_a | t_a)
//! ```
//!
//! where `P_C` backs off from the cluster `c_h` of the head to its branch of the hierarchy, to its tag, to nothing. Where
//! positions count, the [place](super::geometry) of an arc and the coarse tags of the words beyond its two ends have
//! probabilities given `{t_a, t_h, d}`, which back off to `{t_a, d}`. Each factor has an exponent of its own.

use corpus::dependency::{DependencyTree, Direction, Head, ModifierSequences};
use corpus::format::conllu::Sentence;
use corpus::ids::{Id, TagId, WordId};
use corpus::vocab::{Vocab, VocabBuilder};
use hashbrown::HashMap;

use super::config::{Geometry, LexicalConfig, LexicalWeights, Memory};
use super::factors::{FactorTable, MAX_CLASSES};
use super::geometry::{Landscape, OUTCOMES};
use super::symbols::{part_of_speech, write_product};
use super::word_places::places_in;
use crate::arcs::Word;
use models::representations::ClusterPaths;

/// A context: level, direction and state in one number, tag of the head, word of the head, tag of the modifier.
type Context = [u32; 4];
type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// Probability of a cluster that was never seen with a tag.
const UNSEEN_CLUSTER: f64 = 1e-3;

/// The levels of places, and of the words beside an arc.
const PLACE_LEVELS: [Level; 2] = [Level::PlaceFine, Level::PlaceCoarse];
const NEIGHBOUR_LEVELS: [Level; 2] = [Level::NeighboursFine, Level::NeighboursCoarse];

/// The levels of `P_C` with a head, from fine to coarse.
const CLUSTER_LEVELS: [Level; 3] = [Level::ClusterFine, Level::ClusterBranch, Level::ClusterCoarse];

/// The outcomes of a context: their total count, and the number of different ones.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct Seen {
    pub(super) total: u32,
    pub(super) different: u32,
}

/// Stands for the head where it does not matter or is the root.
const NONE: u32 = u32::MAX;
const ROOT: u32 = u32::MAX - 1;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    TagFine = 0,
    TagCoarse = 1,
    WordFine = 2,
    WordCoarse = 3,
    WordAlone = 4,
    PlaceFine = 5,
    PlaceCoarse = 6,
    TagCluster = 7,
    ClusterFine = 8,
    ClusterBranch = 9,
    ClusterCoarse = 10,
    ClusterAlone = 11,
    NeighboursFine = 12,
    NeighboursCoarse = 13,
}

/// A word as lexical models see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lexeme {
    pub(super) word: u32,
    pub(super) tag: u32,
    /// Its cluster, and the branch of the hierarchy that this is on.
    pub(super) cluster: u32,
    pub(super) branch: u32,
    /// Class as the previous modifier: 0 other, 1 coordination, 2 punctuation.
    pub(super) class: u8,
    /// The first tag with the same universal part of speech.
    pub(super) coarse: u32,
    /// 1 for verbs.
    pub(super) verb: u8,
}

/// A lexicalised model.
#[derive(Clone, Debug)]
pub struct Lexical {
    pub(super) memory: Memory,
    pub(super) geometry: Geometry,
    pub(super) diversity: f64,
    pub(super) words: Vocab<WordId>,
    pub(super) tags: Vocab<TagId>,
    pub(super) clusters: Option<ClusterPaths>,
    pub(super) contexts: Map<Context, u32>,
    pub(super) seen: Vec<Seen>,
    /// By context and outcome.
    pub(super) events: Map<(u32, u32), u32>,
}

impl Lexical {
    /// Learns from sentences with projective trees; others are left out.
    pub(super) fn learn<'t>(
        sentences: impl Iterator<Item = (&'t Sentence, &'t DependencyTree)> + Clone,
        config: &LexicalConfig,
    ) -> Self {
        let (words, tags) = vocabularies(sentences.clone().map(|(sentence, _)| sentence), config.min_count);
        let mut model = Self {
            memory: config.memory,
            geometry: config.geometry,
            diversity: config.diversity,
            words,
            tags,
            clusters: config.clusters.clone(),
            contexts: Map::default(),
            seen: Vec::new(),
            events: Map::default(),
        };
        let (mut lexemes, mut landscape) = (Vec::new(), Landscape::default());
        for (sentence, tree) in sentences {
            let Ok(sequences) = ModifierSequences::of_tree(tree) else { continue };
            model.encode(&Word::of_sentence(sentence), &mut lexemes);
            landscape.reset(&lexemes);
            for &modifier in sequences.get(Head::ROOT, Direction::Right) {
                model.count(None, Direction::Right, 0, Some(lexemes[modifier as usize]));
            }
            for (at, &lexeme) in lexemes.iter().enumerate() {
                let Some(head) = Head::word(at) else { continue };
                for direction in Direction::BOTH {
                    let mut state = 0;
                    for &place in sequences.get(head, direction) {
                        let modifier = lexemes[place as usize];
                        let between = landscape.between(at, place as usize);
                        let beside = model.neighbours(&lexemes, at, place as usize);
                        model.count_place(lexeme, direction, modifier.tag, [between, beside]);
                        model.count(Some(lexeme), direction, state, Some(modifier));
                        state = model.state_after(modifier);
                    }
                    model.count(Some(lexeme), direction, state, None);
                }
            }
        }
        model
    }

    /// The number of classes of previous modifiers that it distinguishes.
    pub(super) fn classes(&self) -> usize {
        match self.memory {
            Memory::Nothing | Memory::First => 1,
            Memory::FirstCoordinationPunctuation => MAX_CLASSES,
        }
    }

    /// The memory of the automata.
    pub fn memory(&self) -> Memory {
        self.memory
    }

    /// The numbers of contexts and of events counted.
    pub fn size(&self) -> (usize, usize) {
        (self.contexts.len(), self.events.len())
    }

    /// The state of the automaton after a modifier; before any it is 0.
    fn state_after(&self, modifier: Lexeme) -> usize {
        match self.memory {
            Memory::Nothing => 0,
            Memory::First => 1,
            Memory::FirstCoordinationPunctuation => 1 + usize::from(modifier.class),
        }
    }

    /// The words of a sentence.
    pub(super) fn encode(&self, words: &[Word<'_>], lexemes: &mut Vec<Lexeme>) {
        lexemes.clear();
        let mut text = String::new();
        for &token in words {
            write_form(token, &mut text);
            let word = self.words.get(&text).map_or(self.words.len(), Id::index) as u32;
            text.clear();
            write_product(token, &mut text);
            let tag = self.tags.get(&text).or_else(|| self.tag_of_class(token));
            let tag = tag.map_or(self.tags.len(), Id::index) as u32;
            let class = match part_of_speech(token) {
                "CCONJ" | "CC" => 1,
                "PUNCT" | "," | "." | ":" | "``" | "''" => 2,
                _ => 0,
            };
            let verb = u8::from(matches!(part_of_speech(token), "VERB" | "AUX"));
            let [cluster, branch] =
                self.clusters.as_ref().map_or([0; 2], |paths| places_in(paths, token.form));
            let coarse = self.tag_of_class(token).map_or(tag, |tag| tag.index() as u32);
            lexemes.push(Lexeme { word, tag, coarse, cluster, branch, class, verb });
        }
    }

    /// For an unknown pair of tags, the first (and so a frequent) pair with the same universal tag.
    fn tag_of_class(&self, token: Word<'_>) -> Option<TagId> {
        let same = |name: &str| name.split('/').next() == Some(token.upos);
        self.tags.iter().find(|(_, name)| same(name)).map(|(tag, _)| tag)
    }

    /// The id of the outcome STOP, after the tags and the unknown tag.
    fn stop(&self) -> u32 {
        self.tags.len() as u32 + 1
    }

    fn context(level: Level, direction: Direction, state: usize, head: Option<Lexeme>, tag: u32) -> Context {
        let place = (level as u32 * 2 + direction as u32) * 4 + state as u32;
        let (head_tag, head_word) = head.map_or((ROOT, ROOT), |head| (head.tag, head.word));
        let (cluster, branch) = head.map_or((ROOT, ROOT), |head| (head.cluster, head.branch));
        match level {
            Level::TagFine => [place, head_tag, head_word, NONE],
            Level::TagCoarse => [place, head_tag, NONE, NONE],
            Level::WordFine => [place, head_tag, head_word, tag],
            Level::WordCoarse => [place, head_tag, NONE, tag],
            Level::WordAlone => [Level::WordAlone as u32 * 8, NONE, NONE, tag],
            Level::PlaceFine | Level::NeighboursFine => [place, head_tag, NONE, tag],
            Level::PlaceCoarse | Level::NeighboursCoarse => [place, NONE, NONE, tag],
            Level::TagCluster => [place, head_tag, cluster, NONE],
            Level::ClusterFine => [place, head_tag, cluster, tag],
            Level::ClusterBranch => [place, head_tag, branch, tag],
            Level::ClusterCoarse => [place, head_tag, NONE, tag],
            Level::ClusterAlone => [Level::ClusterAlone as u32 * 8, NONE, NONE, tag],
        }
    }

    fn count(&mut self, head: Option<Lexeme>, direction: Direction, state: usize, modifier: Option<Lexeme>) {
        let tag = modifier.map_or(self.stop(), |modifier| modifier.tag);
        let clusters = self.clusters.is_some();
        let levels = [Level::TagFine, Level::TagCluster, Level::TagCoarse];
        for level in levels.into_iter().filter(|level| *level != Level::TagCluster || clusters) {
            self.count_one(Self::context(level, direction, state, head, tag), tag);
        }
        if let Some(modifier) = modifier {
            for level in [Level::WordFine, Level::WordCoarse, Level::WordAlone] {
                self.count_one(Self::context(level, direction, state, head, tag), modifier.word);
            }
            if clusters {
                for level in CLUSTER_LEVELS.into_iter().chain([Level::ClusterAlone]) {
                    self.count_one(Self::context(level, direction, 0, head, tag), modifier.cluster);
                }
            }
        }
    }

    /// Counts the place of an arc, and the words beside it.
    fn count_place(&mut self, head: Lexeme, direction: Direction, tag: u32, [between, beside]: [u32; 2]) {
        if self.geometry == Geometry::Use {
            for (levels, outcome) in [(PLACE_LEVELS, between), (NEIGHBOUR_LEVELS, beside)] {
                for level in levels {
                    self.count_one(Self::context(level, direction, 0, Some(head), tag), outcome);
                }
            }
        }
    }

    fn count_one(&mut self, context: Context, outcome: u32) {
        let next = self.seen.len() as u32;
        let id = *self.contexts.entry(context).or_insert(next);
        if id == next {
            self.seen.push(Seen::default());
        }
        let seen = &mut self.seen[id as usize];
        let event = self.events.entry((id, outcome)).or_insert(0);
        seen.total += 1;
        seen.different += u32::from(*event == 0);
        *event += 1;
    }

    /// `(c(context, outcome) + κu · below) / (c(context) + κu)`.
    fn back_off(&self, context: Option<u32>, outcome: u32, below: f64) -> f64 {
        let Some(id) = context else { return below };
        let seen = self.seen[id as usize];
        let weight = self.diversity * f64::from(seen.different);
        let count = self.events.get(&(id, outcome)).map_or(0.0, |&count| f64::from(count));
        (count + weight * below) / (f64::from(seen.total) + weight)
    }

    fn find(
        &self,
        level: Level,
        direction: Direction,
        state: usize,
        head: Option<Lexeme>,
        tag: u32,
    ) -> Option<u32> {
        self.contexts.get(&Self::context(level, direction, state, head, tag)).copied()
    }

    /// `P_A` of a tag or of STOP.
    fn tag_probability(&self, contexts: [Option<u32>; 3], tag: u32) -> f64 {
        let uniform = 1.0 / (self.tags.len() + 2) as f64;
        contexts.iter().rev().fold(uniform, |below, &context| self.back_off(context, tag, below))
    }

    /// `P_C` of the cluster of a modifier, in units of its probability given only the tag; one without clusters.
    fn cluster_ratio(&self, direction: Direction, head: Option<Lexeme>, modifier: Lexeme) -> f64 {
        if self.clusters.is_none() {
            return 1.0;
        }
        let find = |level: Level| self.find(level, direction, 0, head, modifier.tag);
        let alone = self.back_off(find(Level::ClusterAlone), modifier.cluster, UNSEEN_CLUSTER);
        let fold = |below: f64, level: Level| self.back_off(find(level), modifier.cluster, below);
        CLUSTER_LEVELS.into_iter().rev().fold(alone, fold) / alone
    }

    /// `P_B` of a word. `alone` is its probability given only its tag.
    fn word_probability(
        &self,
        (direction, state): (Direction, usize),
        head: Option<Lexeme>,
        modifier: Lexeme,
        alone: f64,
    ) -> f64 {
        let fine = self.find(Level::WordFine, direction, state, head, modifier.tag);
        let coarse = self.find(Level::WordCoarse, direction, state, head, modifier.tag);
        self.back_off(fine, modifier.word, self.back_off(coarse, modifier.word, alone))
    }

    fn tag_contexts(&self, direction: Direction, state: usize, head: Option<Lexeme>) -> [Option<u32>; 3] {
        [Level::TagFine, Level::TagCluster, Level::TagCoarse]
            .map(|level| self.find(level, direction, state, head, NONE))
    }

    /// `P_B` given only the tag.
    fn alone(&self, lexeme: Lexeme) -> f64 {
        let uniform = 1.0 / (self.words.len() + 1) as f64;
        let context = self.find(Level::WordAlone, Direction::Left, 0, None, lexeme.tag);
        self.back_off(context, lexeme.word, uniform)
    }

    /// `P_A` and `P_B` of a modifier, or those of STOP.
    fn probabilities(
        &self,
        direction: Direction,
        state: usize,
        head: Option<Lexeme>,
        modifier: Option<Lexeme>,
    ) -> [f64; 2] {
        let contexts = self.tag_contexts(direction, state, head);
        match modifier {
            None => [self.tag_probability(contexts, self.stop()), 1.0],
            Some(modifier) => {
                let alone = self.alone(modifier);
                let word = self.word_probability((direction, state), head, modifier, alone);
                [self.tag_probability(contexts, modifier.tag), word]
            }
        }
    }

    /// The weighted logarithm of the probability of a root.
    pub(super) fn log_root(&self, root: Lexeme, weights: LexicalWeights) -> f64 {
        let [tag, word] = self.probabilities(Direction::Right, 0, None, Some(root));
        let cluster = self.cluster_ratio(Direction::Right, None, root);
        weights.tags * tag.ln() + weights.words * word.ln() + weights.clusters * cluster.ln()
    }

    /// The probabilities of the place of an arc and of the words beside it; ones if positions do not count.
    fn place_probabilities(
        &self,
        landscape: &Landscape,
        lexemes: &[Lexeme],
        head: usize,
        modifier: usize,
    ) -> [f64; 2] {
        if self.geometry == Geometry::Ignore {
            return [1.0; 2];
        }
        let direction = if modifier < head { Direction::Left } else { Direction::Right };
        let probability = |levels: [Level; 2], outcome: u32, outcomes: f64| {
            let find =
                |level: Level| self.find(level, direction, 0, Some(lexemes[head]), lexemes[modifier].tag);
            let fold = |below: f64, level: Level| self.back_off(find(level), outcome, below);
            levels.into_iter().rev().fold(1.0 / outcomes, fold)
        };
        let between = landscape.between(head, modifier);
        let beside = self.neighbours(lexemes, head, modifier);
        let pairs = ((self.tags.len() + 2) as f64).powi(2);
        [
            probability(PLACE_LEVELS, between, f64::from(OUTCOMES)),
            probability(NEIGHBOUR_LEVELS, beside, pairs),
        ]
    }

    /// The coarse tags of the words beyond the two ends of an arc, first that behind the head, as one number.
    fn neighbours(&self, lexemes: &[Lexeme], head: usize, modifier: usize) -> u32 {
        // Files are not trusted to have few tags.
        let sides = (self.tags.len() as u32).wrapping_add(2);
        let coarse = |word: Option<usize>| {
            word.and_then(|word| lexemes.get(word)).map_or(sides.wrapping_sub(1), |lexeme| lexeme.coarse)
        };
        let (before, after) =
            (|word: usize| coarse(word.checked_sub(1)), |word: usize| coarse(Some(word + 1)));
        match modifier < head {
            true => after(head).wrapping_mul(sides).wrapping_add(before(modifier)),
            false => before(head).wrapping_mul(sides).wrapping_add(after(modifier)),
        }
    }

    /// The weighted logarithm of the probability of all modifiers of one head on one side.
    pub(super) fn log_sequence(
        &self,
        direction: Direction,
        lexemes: &[Lexeme],
        head: usize,
        modifiers: &[u32],
        weights: LexicalWeights,
    ) -> f64 {
        let mut landscape = Landscape::default();
        landscape.reset(lexemes);
        let (mut state, mut log) = (0, 0.0);
        for &place in modifiers {
            let modifier = lexemes[place as usize];
            let [tag, word] = self.probabilities(direction, state, Some(lexemes[head]), Some(modifier));
            let [between, beside] = self.place_probabilities(&landscape, lexemes, head, place as usize);
            let cluster = self.cluster_ratio(direction, Some(lexemes[head]), modifier);
            log += weights.tags * tag.ln() + weights.words * word.ln() + weights.places * between.ln();
            log += weights.clusters * cluster.ln() + weights.neighbours * beside.ln();
            state = self.state_after(modifier);
        }
        let [stop, _] = self.probabilities(direction, state, Some(lexemes[head]), None);
        log + weights.tags * stop.ln()
    }

    /// Computes the factors of a sentence, each raised to the power of its weight. The factor `p(w_a | t_a)`, the main part
    /// of `P_B`, is the same in all trees; it is left out because it cancels and would only push values out of range.
    /// Returns the logarithm of what was left out.
    pub(super) fn fill(&self, lexemes: &[Lexeme], weights: LexicalWeights, table: &mut FactorTable) -> f64 {
        let words = lexemes.len();
        table.reset(words);
        let alone: Vec<f64> = lexemes.iter().map(|&lexeme| self.alone(lexeme)).collect();
        let mut landscape = Landscape::default();
        landscape.reset(lexemes);
        for (word, &lexeme) in lexemes.iter().enumerate() {
            table.classes[word] = lexeme.class;
            let [tag, own] = self.probabilities(Direction::Right, 0, None, Some(lexeme));
            let cluster = self.cluster_ratio(Direction::Right, None, lexeme);
            table.roots[word] = tag.powf(weights.tags)
                * (own / alone[word]).powf(weights.words)
                * cluster.powf(weights.clusters);
        }
        // One state, two states (first and later modifiers) or four; unused entries repeat the last.
        let states = match self.memory {
            Memory::Nothing => 1,
            Memory::First => 2,
            Memory::FirstCoordinationPunctuation => MAX_CLASSES + 1,
        };
        let mut places = Vec::new();
        for direction in Direction::BOTH {
            for (head, &lexeme) in lexemes.iter().enumerate() {
                let place = direction as usize * words + head;
                let side = match direction {
                    Direction::Left => 0..head,
                    Direction::Right => head + 1..words,
                };
                places.clear();
                places.resize(words, 1.0);
                for modifier in side.clone() {
                    let [between, beside] = self.place_probabilities(&landscape, lexemes, head, modifier);
                    let cluster = self.cluster_ratio(direction, Some(lexeme), lexemes[modifier]);
                    places[modifier] = between.powf(weights.places)
                        * beside.powf(weights.neighbours)
                        * cluster.powf(weights.clusters);
                }
                for state in 0..=MAX_CLASSES {
                    if state >= states {
                        table.stops[place][state] = table.stops[place][states - 1];
                        continue;
                    }
                    let contexts = self.tag_contexts(direction, state, Some(lexeme));
                    table.stops[place][state] =
                        self.tag_probability(contexts, self.stop()).powf(weights.tags);
                    for modifier in side.clone() {
                        let at = lexemes[modifier];
                        let tag = self.tag_probability(contexts, at.tag);
                        let word =
                            self.word_probability((direction, state), Some(lexeme), at, alone[modifier]);
                        table.arcs[place * words + modifier][state] = tag.powf(weights.tags)
                            * (word / alone[modifier]).powf(weights.words)
                            * places[modifier];
                    }
                }
                if states <= MAX_CLASSES {
                    for arc in &mut table.arcs[place * words..][..words] {
                        let last = arc[states - 1];
                        arc[states..].fill(last);
                    }
                }
            }
        }
        weights.words * alone.iter().map(|p| p.ln()).sum::<f64>()
    }
}

fn write_form(token: Word<'_>, text: &mut String) {
    text.clear();
    text.extend(token.form.chars().flat_map(char::to_lowercase));
}

fn vocabularies<'t>(
    sentences: impl Iterator<Item = &'t Sentence>,
    min_count: usize,
) -> (Vocab<WordId>, Vocab<TagId>) {
    let (mut words, mut tags) = (VocabBuilder::<WordId>::new(), VocabBuilder::new());
    let mut counts = Vec::new();
    let mut text = String::new();
    for token in sentences.flat_map(Word::of_sentence) {
        write_form(token, &mut text);
        let word = words.intern(&text).index();
        counts.resize(words.len(), 0usize);
        counts[word] += 1;
        text.clear();
        write_product(token, &mut text);
        tags.intern(&text);
    }
    let words = words.freeze();
    let frequent = words.iter().filter(|(word, _)| counts[word.index()] >= min_count).map(|(_, text)| text);
    (frequent.collect(), tags.freeze())
}
