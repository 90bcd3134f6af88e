//! Learns a grammar by counting.

use corpus::format::penn::TOP_LABELS;
use corpus::tree::Tree;

use super::config::PcfgConfig;
use super::model::Pcfg;
use crate::grammar::TreebankCounts;
use models::learn::{LearnError, Learned, Learner, Observer, Progress};

/// Reads a grammar off a treebank: relative frequencies of rules, a smoothed lexicon.
#[derive(Clone, Debug, Default)]
pub struct PcfgLearner {
    /// Configuration.
    pub config: PcfgConfig,
}

impl Learner for PcfgLearner {
    type Data = [Tree];
    type Model = Pcfg;

    fn learn(&self, trees: &[Tree], observer: &mut dyn Observer) -> Result<Learned<Pcfg>, LearnError> {
        self.learn_beside(None, trees, observer)
    }
}

impl PcfgLearner {
    /// Learns a grammar. `other` is a grammar of the same trees in another normal form, whose lexicon is shared.
    pub(crate) fn learn_beside(
        &self,
        other: Option<&Pcfg>,
        trees: &[Tree],
        observer: &mut dyn Observer,
    ) -> Result<Learned<Pcfg>, LearnError> {
        if trees.is_empty() {
            return Err(LearnError::bad_data("the treebank has no trees"));
        }
        let mut progress = Progress::new(observer);
        progress.stage("count rules", Some(trees.len() as u64))?;
        let mut counts = TreebankCounts::default();
        for chunk in trees.chunks(1024) {
            for tree in chunk {
                let normal = self.config.normal_form.apply(tree.clone());
                counts.add(&normal).map_err(|problem| {
                    LearnError::bad_data(format!("{problem}, in the tree {tree}; give each word its own tag"))
                })?;
            }
            progress.advance(chunk.len() as u64)?;
        }
        progress.figure("trees", counts.trees() as f64);
        progress.figure("words", counts.words() as f64);
        progress.stage("lexicon", None)?;
        let lexicon = Pcfg::lexicon_of(&counts, &self.config, other);
        progress.stage("smooth rules", None)?;
        let top = top_label(trees);
        let model = Pcfg::new(&counts, lexicon, top, &self.config);
        progress.figure("symbols", model.symbols().len() as f64);
        progress.figure("binary rules", model.rules().len() as f64);
        let made = model.rule_counts().iter().filter(|&&count| count == 0.0).count();
        progress.figure("unseen rules", made as f64);
        progress.figure("word types", model.lexicon().words().len() as f64);
        Ok(progress.finish(model))
    }
}

/// The label that most trees have at the top, if it occurs only there; otherwise the empty label, which adds nothing on
/// output.
fn top_label(trees: &[Tree]) -> Option<String> {
    let most = TOP_LABELS
        .iter()
        .map(|&label| (trees.iter().filter(|tree| tree.root().label() == label).count(), label))
        .max_by_key(|&(count, _)| count)?;
    (most.0 * 2 > trees.len()).then(|| most.1.to_owned())
}
