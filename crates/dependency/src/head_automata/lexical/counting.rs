//! Learning: contexts and their outcomes are counted.

use corpus::dependency::{DependencyTree, Direction, Head, ModifierSequences};
use corpus::format::conllu::Sentence;

use super::super::config::{Geometry, LexicalConfig};
use super::super::geometry::Landscape;
use super::contexts::{CLUSTER_LEVELS, Context, Level, NEIGHBOUR_LEVELS, PLACE_LEVELS, context};
use super::lexemes::{Lexeme, vocabularies};
use super::{Lexical, Map, Seen, VerbTags};
use crate::arcs::Word;

impl Lexical {
    /// Learns from sentences with projective trees; others are left out.
    pub(in super::super) fn learn<'t>(
        sentences: impl Iterator<Item = (&'t Sentence, &'t DependencyTree)> + Clone,
        config: &LexicalConfig,
    ) -> Self {
        let (words, tags) = vocabularies(sentences.clone().map(|(sentence, _)| sentence), config.min_count);
        let mut model = Self {
            memory: config.memory,
            geometry: config.geometry,
            diversity: config.diversity,
            verb_tags: VerbTags::default(),
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

    fn count(&mut self, head: Option<Lexeme>, direction: Direction, state: usize, modifier: Option<Lexeme>) {
        let tag = modifier.map_or(self.stop(), |modifier| modifier.tag);
        let clusters = self.clusters.is_some();
        let levels = [Level::TagFine, Level::TagCluster, Level::TagCoarse];
        for level in levels.into_iter().filter(|level| *level != Level::TagCluster || clusters) {
            self.count_one(context(level, direction, state, head, tag), tag);
        }
        if let Some(modifier) = modifier {
            for level in [Level::WordFine, Level::WordCoarse, Level::WordAlone] {
                self.count_one(context(level, direction, state, head, tag), modifier.word);
            }
            if clusters {
                for level in CLUSTER_LEVELS.into_iter().chain([Level::ClusterAlone]) {
                    self.count_one(context(level, direction, 0, head, tag), modifier.cluster);
                }
            }
        }
    }

    /// Counts the place of an arc, and the words beside it.
    fn count_place(&mut self, head: Lexeme, direction: Direction, tag: u32, [between, beside]: [u32; 2]) {
        if self.geometry == Geometry::Use {
            for (levels, outcome) in [(PLACE_LEVELS, between), (NEIGHBOUR_LEVELS, beside)] {
                for level in levels {
                    self.count_one(context(level, direction, 0, Some(head), tag), outcome);
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
}
