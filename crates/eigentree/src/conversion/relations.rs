//! Relations of Universal Dependencies for the dependencies that head rules give.
//!
//! They are approximate: head rules make function words heads (`will` of `will go`, `of` of `of gold`), where Universal Dependencies
//! takes the content word. What hangs on such a head the other way round has no relation there and stays `dep`. Elsewhere the
//! labels of the phrase, of the child and of the head child decide, with function tags such as `-SBJ` where the treebank has them.

use corpus::tree::NodeRef;
use corpus::tree::strip::category;

/// A child that is not the head of its phrase.
pub(super) struct Modifier<'t> {
    /// The phrase.
    pub(super) parent: NodeRef<'t>,
    /// Its children, in order.
    pub(super) siblings: &'t [NodeRef<'t>],
    /// The place of the head child.
    pub(super) head: usize,
    /// The place of the modifier.
    pub(super) place: usize,
}

impl<'t> Modifier<'t> {
    fn node(&self) -> NodeRef<'t> {
        self.siblings[self.place]
    }

    fn has_function(&self, wanted: &[&str]) -> bool {
        let label = self.node().label();
        !label.starts_with('-') && label.split(['-', '=']).skip(1).any(|part| wanted.contains(&part))
    }

    fn follows(&self) -> bool {
        self.place > self.head
    }

    /// Whether a conjunction stands between the modifier and the head.
    fn is_across_conjunction(&self) -> bool {
        let between = self.place.min(self.head) + 1..self.place.max(self.head);
        self.siblings[between].iter().any(|sibling| is_conjunction(*sibling))
    }

    /// The relation to the head of the phrase.
    pub(super) fn relation(&self) -> &'static str {
        let (child, parent) = (category(self.node().label()), category(self.parent.label()));
        let head = category(self.siblings[self.head].label());
        let coordinated = self.siblings.iter().any(|sibling| is_conjunction(*sibling));
        let nominal = matches!(parent, "NP" | "NX" | "NAC" | "WHNP" | "QP" | "NML");
        let clause = matches!(child, "S" | "SBAR" | "SINV" | "SQ" | "SBARQ");
        match child {
            "," | "." | ":" | "``" | "''" | "-LRB-" | "-RRB-" | "HYPH" | "NFP" | "\"" => "punct",
            "CC" | "CONJP" => "cc",
            _ if (self.is_across_conjunction() || coordinated && self.follows()) && similar(child, head) => {
                "conj"
            }
            _ if self.has_function(&["SBJ"]) && clause => "csubj",
            _ if self.has_function(&["SBJ"]) => "nsubj",
            _ if self.has_function(&["VOC"]) => "vocative",
            "DT" | "PDT" | "WDT" => "det",
            "PRP$" | "WP$" => "nmod:poss",
            "POS" => "case",
            "CD" | "QP" => "nummod",
            "JJ" | "JJR" | "JJS" | "ADJP" if nominal => "amod",
            "ADJP" if parent == "VP" => "xcomp",
            "RB" | "RBR" | "RBS" | "WRB" | "ADVP" | "WHADVP" => "advmod",
            "EX" => "expl",
            "UH" | "INTJ" => "discourse",
            "RP" | "PRT" => "compound:prt",
            "MD" => "aux",
            "TO" => "mark",
            "IN" if parent == "SBAR" => "mark",
            "IN" => "case",
            "PP" | "WHPP" => {
                if nominal {
                    "nmod"
                } else {
                    "obl"
                }
            }
            "PRN" => "parataxis",
            "VP" if nominal => "acl",
            _ if clause => self.clausal(child, parent, nominal),
            _ if is_nominal(child) => self.nominal(child, parent, nominal),
            _ => "dep",
        }
    }

    /// The relation of a clause.
    fn clausal(&self, child: &str, parent: &str, nominal: bool) -> &'static str {
        let begins =
            |wanted: &[&str]| self.node().children().any(|below| wanted.contains(&category(below.label())));
        if nominal {
            return if child == "SBAR" && begins(&["WHNP", "WHADVP", "WHPP"]) { "acl:relcl" } else { "acl" };
        }
        if self.has_function(&["ADV", "PRP", "TMP", "LOC", "MNR"]) || !self.follows() {
            return "advcl";
        }
        match (parent, child) {
            ("VP", "S") if !begins(&["NP", "SBAR"]) => "xcomp",
            ("VP", _) => "ccomp",
            // The conjunction is the head here, and the clause hangs on it.
            ("SBAR", _) => "dep",
            _ => "parataxis",
        }
    }

    /// The relation of a noun or noun phrase.
    fn nominal(&self, child: &str, parent: &str, nominal: bool) -> &'static str {
        let later = self.siblings[self.place + 1..].iter();
        match parent {
            _ if nominal && child.starts_with("NN") => "compound",
            _ if nominal && self.follows() => "appos",
            _ if nominal && self.node().children().any(|below| category(below.label()) == "POS") => {
                "nmod:poss"
            }
            _ if nominal => "nmod",
            _ if self.has_function(&["TMP"]) => "obl:tmod",
            _ if self.has_function(&["ADV", "LOC", "EXT", "MNR", "DIR"]) => "obl",
            _ if self.has_function(&["PRD"]) => "xcomp",
            "VP" if self.follows() => {
                let another = later.into_iter().any(|sibling| category(sibling.label()) == "NP");
                if another { "iobj" } else { "obj" }
            }
            "S" | "SINV" | "SQ" if !self.follows() || parent != "S" => "nsubj",
            _ => "dep",
        }
    }
}

fn is_conjunction(node: NodeRef<'_>) -> bool {
    matches!(category(node.label()), "CC" | "CONJP")
}

fn is_nominal(label: &str) -> bool {
    matches!(
        label,
        "NP" | "NX" | "NML" | "NAC" | "WHNP" | "NN" | "NNS" | "NNP" | "NNPS" | "PRP" | "WP" | "FW"
    )
}

/// Whether two labels may be conjuncts: the same, or tags of one kind.
fn similar(one: &str, other: &str) -> bool {
    let kind = |label: &str| label.get(..2).unwrap_or(label).to_owned();
    one == other || kind(one) == kind(other) || (is_nominal(one) && is_nominal(other))
}
