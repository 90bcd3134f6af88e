//! Whose tags the parsers see, and a treebank with the tags of a tagger.
//!
//! Cohen et al. (2013) parse tags of a tagger that was learnt from the training trees; the grammars are learnt from the
//! tags of the trees.

use corpus::tree::{Tree, TreeBuilder, Visit};
use eigentree::Error;
use eigentree::parsing::TagUse;
use models::learn::Learner;
use models::quality::Quality;
use rayon::prelude::*;
use serde::{Serialize, Serializer};
use tagging::tagger::{ColumnKind, TaggedSentence, Tagger, TaggerConfig, TaggerData, TaggerLearner};

use crate::meter::{Cost, Stopwatch, total};

/// Whose tags the parsers see.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TagSource {
    /// Those of the trees.
    Given,
    /// The parser's own.
    Predicted,
    /// Those of a tagger, as in the paper.
    Tagger,
}

impl TagSource {
    /// The name in options and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Predicted => "predicted",
            Self::Tagger => "tagger",
        }
    }

    /// What a parser saw, in words.
    pub(super) fn seen(self) -> &'static str {
        match self {
            Self::Given => "with given tags",
            Self::Predicted => "from words",
            Self::Tagger => "with a tagger's tags",
        }
    }

    /// What a parser does with the tags of the trees that it is shown.
    pub(super) fn tag_use(self) -> TagUse {
        match self {
            Self::Given | Self::Tagger => TagUse::Given,
            Self::Predicted => TagUse::Predicted,
        }
    }
}

impl Serialize for TagSource {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A tagger and what it took.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TaggerFigures {
    /// Learning.
    #[serde(flatten)]
    pub training: Cost,
    /// Words of the development set with the right tag, in per cent.
    pub dev: f64,
    /// The same of the test set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<f64>,
}

/// Trees to be parsed: as they are, and with the tags of a tagger if these are wanted.
#[derive(Debug)]
pub(super) struct Sentences<'t> {
    pub(super) gold: &'t [Tree],
    tagged: Option<Vec<Tree>>,
}

impl<'t> Sentences<'t> {
    pub(super) fn new(gold: &'t [Tree], tagger: Option<&Tagger>) -> Self {
        let retag = |tagger: &Tagger| {
            gold.par_iter()
                .map_init(|| tagger.scratch(), |scratch, tree| retagged(tree, tagger, scratch))
                .collect()
        };
        Self { gold, tagged: tagger.map(retag) }
    }

    /// The trees whose tags and words the parsers see.
    pub(super) fn shown(&self, tags: TagSource) -> &[Tree] {
        match tags {
            TagSource::Given | TagSource::Predicted => self.gold,
            TagSource::Tagger => self.tagged.as_deref().unwrap_or(self.gold),
        }
    }

    /// Words with the right tag, in per cent.
    pub(super) fn accuracy(&self) -> f64 {
        let pairs = self.gold.iter().zip(self.shown(TagSource::Tagger));
        let (mut right, mut words) = (0_usize, 0_usize);
        for (gold, tagged) in pairs {
            words += gold.word_count();
            right += gold.tags().zip(tagged.tags()).filter(|(gold, tagged)| gold == tagged).count();
        }
        100.0 * right as f64 / words.max(1) as f64
    }
}

/// Learns a tagger, without networks, from the words and tags of trees.
pub(super) fn learn_tagger(
    trees: &[Tree],
    seed: u64,
    watch: &mut Stopwatch<'_>,
) -> Result<(Tagger, Cost), Error> {
    let sentence = |tree: &Tree| TaggedSentence {
        words: tree.words().map(str::to_owned).collect(),
        labels: vec![tree.tags().map(str::to_owned).collect()],
    };
    let data = TaggerData {
        columns: vec![("xpos".to_owned(), ColumnKind::Plain)],
        sentences: trees.iter().filter(|tree| tree.word_count() > 0).map(sentence).collect(),
        ..TaggerData::default()
    };
    let config = TaggerConfig { seed, ..TaggerConfig::quality(Quality::Fast) };
    let tagger = TaggerLearner { config }.learn(&data, watch)?.model;
    watch.pause();
    Ok((tagger, total(watch.stages())))
}

/// The tree with the tagger's tags above its words.
fn retagged(tree: &Tree, tagger: &Tagger, scratch: &mut tagging::tagger::Scratch) -> Tree {
    let words: Vec<&str> = tree.words().collect();
    let tagging = tagger.tag(&words, scratch);
    let mut tags = tagging.labels(0);
    let mut builder = TreeBuilder::like(tree);
    for visit in tree.walk() {
        match visit {
            Visit::Open(node) if node.is_preterminal() => builder.open(tags.next().unwrap_or(node.label())),
            Visit::Open(node) => builder.open(node.label()),
            Visit::Word(node) => builder.word(node.text()),
            Visit::Close(_) => builder.close(),
        }
    }
    builder.finish().unwrap_or_else(|| tree.clone())
}

#[cfg(test)]
mod tests {
    use models::learn::Silent;

    use super::*;
    use crate::meter::NoMeter;

    #[test]
    fn a_tagger_replaces_tags_and_nothing_else() {
        let texts = ["(S (D the) (N dog))", "(S (D a) (N cat))"].repeat(4);
        let train: Vec<Tree> = texts.iter().map(|text| text.parse().unwrap()).collect();
        let mut silent = Silent;
        let (tagger, _) = learn_tagger(&train, 1, &mut Stopwatch::new("x", &mut silent, &NoMeter)).unwrap();
        let gold: Vec<Tree> = vec!["(S (X (D the)) (Y (V cat)))".parse().unwrap()];
        let sentences = Sentences::new(&gold, Some(&tagger));
        assert_eq!(sentences.shown(TagSource::Tagger)[0].to_string(), "(S (X (D the)) (Y (N cat)))");
        assert_eq!(sentences.shown(TagSource::Given)[0], gold[0]);
        assert_eq!(sentences.accuracy(), 50.0);
    }
}
