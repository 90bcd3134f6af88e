//! Who is compared.

use serde::{Serialize, Serializer};

/// A learner, or a variant of one. The order is that of the report.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Contestant {
    /// The treebank grammar by relative frequencies.
    Pcfg,
    /// The same with smoothed rules: the grammar that latent states refine.
    SmoothedPcfg,
    /// Labels with their parents, one sibling remembered.
    Markov,
    /// Expectation–maximisation from a random start, with smoothed steps.
    Em,
    /// The same without smoothing.
    EmUnsmoothed,
    /// Moments of projected nodes.
    Spectral,
    /// The same moments without smoothing.
    NoSmoothing,
    /// Features as they are, without scaling.
    NoScaling,
    /// Directions that chance explains count in full, as in the paper.
    NoShrinkage,
    /// Negative posteriors count as they come out.
    SignsKept,
    /// Trees by the sum of absolute posteriors, as in the paper, instead of by their product.
    Sum,
    /// The sum, with negative posteriors as they come out.
    SumSignsKept,
    /// The rule below a node and the rule above it as the only features.
    RuleFeatures,
    /// The features of the paper.
    PaperFeatures,
    /// Clusters of projected nodes, counted.
    Cluster,
    /// Some steps of expectation–maximisation from the clusters.
    ClusterEm,
}

use Contestant::{
    Cluster, ClusterEm, Em, EmUnsmoothed, Markov, NoScaling, NoShrinkage, NoSmoothing, PaperFeatures, Pcfg,
    RuleFeatures, SignsKept, SmoothedPcfg, Spectral, Sum, SumSignsKept,
};

impl Contestant {
    /// All of them.
    pub const ALL: [Self; 16] = [
        Pcfg,
        SmoothedPcfg,
        Markov,
        Em,
        EmUnsmoothed,
        Spectral,
        NoSmoothing,
        NoScaling,
        NoShrinkage,
        SignsKept,
        Sum,
        SumSignsKept,
        RuleFeatures,
        PaperFeatures,
        Cluster,
        ClusterEm,
    ];

    /// Those who take part unless told otherwise: all but the second kind of EM, which is slow.
    pub fn usual() -> Vec<Self> {
        Self::ALL.into_iter().filter(|&contestant| contestant != EmUnsmoothed).collect()
    }

    /// The name in options and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Pcfg => "pcfg",
            SmoothedPcfg => "smoothed-pcfg",
            Markov => "markov",
            Em => "em",
            EmUnsmoothed => "em-unsmoothed",
            Spectral => "spectral",
            NoSmoothing => "no-smoothing",
            NoScaling => "no-scaling",
            NoShrinkage => "no-shrinkage",
            SignsKept => "signs-kept",
            Sum => "sum",
            SumSignsKept => "sum-signs-kept",
            RuleFeatures => "rule-features",
            PaperFeatures => "paper-features",
            Cluster => "cluster",
            ClusterEm => "cluster-em",
        }
    }

    /// The name in tables.
    pub fn title(self) -> &'static str {
        match self {
            Pcfg => "PCFG",
            SmoothedPcfg => "PCFG, smoothed rules",
            Markov => "Markovised PCFG, v=2 h=1",
            Em => "EM",
            EmUnsmoothed => "EM, no smoothing",
            Spectral => "spectral",
            NoSmoothing => "spectral, no smoothing",
            NoScaling => "spectral, no scaling",
            NoShrinkage => "spectral, no shrinkage",
            SignsKept => "spectral, signs kept",
            Sum => "spectral, sum decoding",
            SumSignsKept => "spectral, sum decoding, signs kept",
            RuleFeatures => "spectral, rule features",
            PaperFeatures => "spectral, paper features",
            Cluster => "clusters",
            ClusterEm => "clusters, then EM",
        }
    }

    /// Whether it has latent states, and so takes part once for each number of them.
    pub fn is_latent(self) -> bool {
        !matches!(self, Pcfg | SmoothedPcfg | Markov)
    }

    /// Whom it is a variant of, if it is one. Apart from the way of summing, each lacks something and should be less accurate.
    pub fn variant_of(self) -> Option<Self> {
        match self {
            NoSmoothing | NoScaling | NoShrinkage | SignsKept | Sum | RuleFeatures | PaperFeatures => {
                Some(Spectral)
            }
            SumSignsKept => Some(Sum),
            EmUnsmoothed => Some(Em),
            Pcfg | SmoothedPcfg | Markov | Em | Spectral | Cluster | ClusterEm => None,
        }
    }
}

impl Serialize for Contestant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_the_order_is_that_of_the_list() {
        let mut names: Vec<&str> = Contestant::ALL.iter().map(|contestant| contestant.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Contestant::ALL.len());
        assert!(Contestant::ALL.is_sorted());
    }
}
