//! Confidences as colours and line styles.
//!
//! Four classes, by colours that most eyes tell apart (Okabe and Ito 2008) and, for prints in grey, by dashes as well.

/// How sure a model is, as drawings show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Certainty {
    /// At least 0.95.
    Sure,
    /// At least 0.8.
    Likely,
    /// At least 0.5.
    Doubtful,
    /// Below.
    Guess,
}

impl Certainty {
    pub(super) const ALL: [Certainty; 4] =
        [Certainty::Sure, Certainty::Likely, Certainty::Doubtful, Certainty::Guess];

    pub(super) fn of(confidence: f64) -> Self {
        match confidence {
            c if c >= 0.95 => Certainty::Sure,
            c if c >= 0.8 => Certainty::Likely,
            c if c >= 0.5 => Certainty::Doubtful,
            _ => Certainty::Guess,
        }
    }

    /// Its class in the style sheet.
    pub(super) fn class(self) -> &'static str {
        match self {
            Certainty::Sure => "c3",
            Certainty::Likely => "c2",
            Certainty::Doubtful => "c1",
            Certainty::Guess => "c0",
        }
    }

    /// What the legend says.
    pub(super) fn legend(self) -> &'static str {
        match self {
            Certainty::Sure => "≥ 0.95",
            Certainty::Likely => "≥ 0.80",
            Certainty::Doubtful => "≥ 0.50",
            Certainty::Guess => "< 0.50",
        }
    }
}

/// Rules for lines and texts of these classes, and of arcs that differ from another analysis.
pub(super) const STYLE: &str = ".tree path.c3{stroke:#33414e}.tree path.c2{stroke:#0072b2}\
.tree path.c1{stroke:#b85200;stroke-width:1.8;stroke-dasharray:7 3}\
.tree path.c0{stroke:#a3307a;stroke-width:2.2;stroke-dasharray:2 3}\
.tree path.wrong{stroke:#c43b00;stroke-width:2.2}.tree path.other{stroke:#0072b2;stroke-width:1.8;stroke-dasharray:6 3}\
.tree path.head{stroke-dasharray:none;stroke-width:1;fill:#8a97a3}.tree path.head.c3{fill:#33414e}\
.tree path.head.c2,.tree path.head.other{fill:#0072b2}.tree path.head.c1{fill:#b85200}\
.tree path.head.c0{fill:#a3307a}.tree path.head.wrong{fill:#c43b00}\
.tree text.c3{fill:#33414e}.tree text.c2{fill:#0072b2}.tree text.c1{fill:#b85200}\
.tree text.c0{fill:#a3307a;font-weight:bold}.tree text.wrong{fill:#c43b00;font-weight:bold}\
.tree text.other{fill:#0072b2;font-weight:bold}";
