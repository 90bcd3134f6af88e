//! Luque et al. (2012): unlabelled attachment of head automata on the Penn Treebank.

/// A model over tags at its best number of states.
pub(crate) struct Peak {
    /// By our name.
    pub(crate) learner: &'static str,
    /// The hidden states with which it is best.
    pub(crate) states: Option<usize>,
    /// Figure 1, section 5.1 and footnote 7: the development set.
    pub(crate) dev: f64,
    /// Table 1: the test set.
    pub(crate) test: f64,
    /// Footnote 7: the development set by the most probable tree.
    pub(crate) viterbi: Option<f64>,
}

/// The four models over tags.
pub(crate) const PEAKS: [Peak; 4] = [
    Peak { learner: "det", states: None, dev: 68.52, test: 69.45, viterbi: Some(62.65) },
    Peak { learner: "det+f", states: None, dev: 74.80, test: 75.91, viterbi: Some(72.72) },
    Peak { learner: "spectral", states: Some(9), dev: 79.75, test: 80.44, viterbi: None },
    Peak { learner: "em", states: Some(15), dev: 80.51, test: 81.68, viterbi: None },
];

/// Section 5.1: the training time of EM over that of the spectral method, at about the same accuracy.
pub(crate) const TIME_RATIO: f64 = 150.0;

/// Section 5.3 and figure 3: the head whose left modifiers are drawn, the hidden states of its automaton, the states of the
/// graph, and the merges that made it from ten clusters.
pub(crate) const GRAPH_HEAD: &str = "NN";
pub(crate) const GRAPH_HIDDEN: usize = 9;
pub(crate) const GRAPH_STATES: usize = 8;
pub(crate) const GRAPH_MERGES: usize = 2;

impl Peak {
    /// The figure of the development set, with the number of states.
    pub(crate) fn shown(&self) -> String {
        let states = self.states.map_or_else(String::new, |states| format!(" (n = {states})"));
        format!("{:.2}{states}", self.dev)
    }
}
