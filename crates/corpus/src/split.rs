//! Splits of a corpus: by seed, by list, and into folds for jackknifing.
//!
//! Parts are lists of item numbers in ascending order, so a part keeps the order of the corpus. The same seed gives the
//! same parts on every machine.

use hashbrown::HashMap;
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Purpose of a part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// Training.
    Train,
    /// Development: choosing settings.
    Dev,
    /// Testing: reporting results.
    Test,
}

/// A corpus in three parts, as ascending item numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Split {
    /// Training items.
    pub train: Vec<usize>,
    /// Development items.
    pub dev: Vec<usize>,
    /// Test items.
    pub test: Vec<usize>,
}

/// Sizes of the held-out parts; the rest is for training.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SplitConfig {
    /// Share of development items, from 0 to 1.
    pub dev_share: f64,
    /// Share of test items, from 0 to 1.
    pub test_share: f64,
    /// Random seed.
    pub seed: u64,
}

impl Default for SplitConfig {
    fn default() -> Self {
        Self { dev_share: 0.1, test_share: 0.1, seed: 1 }
    }
}

/// Why a corpus could not be split.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SplitError {
    /// The shares are not between 0 and 1, or exceed 1 together.
    #[error(
        "the shares {dev_share} for dev and {test_share} for test must lie between 0 and 1, together at most 1"
    )]
    Shares {
        /// Share for dev.
        dev_share: f64,
        /// Share for test.
        test_share: f64,
    },
    /// No list assigns an item.
    #[error("item {item} belongs to {group:?}, which no list assigns to a part")]
    Unassigned {
        /// Item number, counted from 0.
        item: usize,
        /// Its group.
        group: String,
    },
    /// Two lists assign the same group.
    #[error("{group:?} is assigned to both {first:?} and {second:?}")]
    AssignedTwice {
        /// The group.
        group: String,
        /// First part.
        first: Part,
        /// Second part.
        second: Part,
    },
    /// There must be at least two folds, and no more than items.
    #[error("cannot divide {items} items into {folds} folds; use at least 2 folds and at most one per item")]
    Folds {
        /// Number of items.
        items: usize,
        /// Number of folds.
        folds: usize,
    },
}

/// Splits at random by seed. The sizes are the shares of `items`, rounded to the nearest integer.
///
/// ```
/// use eigentree_corpus::split::{SplitConfig, split_by_seed};
/// let split = split_by_seed(100, &SplitConfig::default())?;
/// assert_eq!((split.train.len(), split.dev.len(), split.test.len()), (80, 10, 10));
/// # Ok::<(), eigentree_corpus::split::SplitError>(())
/// ```
pub fn split_by_seed(items: usize, config: &SplitConfig) -> Result<Split, SplitError> {
    let &SplitConfig { dev_share, test_share, seed } = config;
    let sound = |share: f64| (0.0..=1.0).contains(&share);
    // The tolerance admits shares such as 0.7 and 0.3, whose sum may exceed 1 by rounding.
    if !sound(dev_share) || !sound(test_share) || dev_share + test_share > 1.0 + 1e-9 {
        return Err(SplitError::Shares { dev_share, test_share });
    }
    let size = |share: f64| (share * items as f64).round() as usize;
    let dev = size(dev_share).min(items);
    let test = size(test_share).min(items - dev);
    let order = shuffled(items, seed);
    let mut split = Split {
        dev: order[..dev].to_vec(),
        test: order[dev..dev + test].to_vec(),
        train: order[dev + test..].to_vec(),
    };
    split.dev.sort_unstable();
    split.test.sort_unstable();
    split.train.sort_unstable();
    Ok(split)
}

/// Splits by list: `groups` names the group of each item, such as its document, and `assignment` the part of each
/// group. Groups stay whole, which keeps sentences of one document out of different parts.
///
/// ```
/// use eigentree_corpus::split::{Part, split_by_list};
/// let split = split_by_list(["a", "a", "b"], [("a", Part::Train), ("b", Part::Test)])?;
/// assert_eq!(split.train, [0, 1]);
/// # Ok::<(), eigentree_corpus::split::SplitError>(())
/// ```
pub fn split_by_list<'a>(
    groups: impl IntoIterator<Item = &'a str>,
    assignment: impl IntoIterator<Item = (&'a str, Part)>,
) -> Result<Split, SplitError> {
    let mut parts: HashMap<&str, Part> = HashMap::new();
    for (group, second) in assignment {
        if let Some(first) = parts.insert(group, second).filter(|&first| first != second) {
            return Err(SplitError::AssignedTwice { group: group.to_owned(), first, second });
        }
    }
    let mut split = Split::default();
    for (item, group) in groups.into_iter().enumerate() {
        match parts.get(group) {
            Some(Part::Train) => split.train.push(item),
            Some(Part::Dev) => split.dev.push(item),
            Some(Part::Test) => split.test.push(item),
            None => return Err(SplitError::Unassigned { item, group: group.to_owned() }),
        }
    }
    Ok(split)
}

/// How items are distributed to folds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldOrder {
    /// Contiguous runs of items: documents mostly stay whole.
    Contiguous,
    /// At random with this seed: folds are alike.
    Shuffled(u64),
}

/// One fold. Both lists are ascending.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fold {
    /// Items to learn from.
    pub rest: Vec<usize>,
    /// Items to annotate with the model learnt from the rest.
    pub held_out: Vec<usize>,
}

/// Divides `items` into `folds` folds whose sizes differ by at most one. Every item is held out exactly once.
///
/// For jackknifing: a model learnt from the `rest` of each fold annotates the `held_out` part, so that the training
/// data of a later stage has realistic errors.
pub fn folds(items: usize, folds: usize, order: FoldOrder) -> Result<Vec<Fold>, SplitError> {
    if folds < 2 || folds > items {
        return Err(SplitError::Folds { items, folds });
    }
    let dealt = match order {
        FoldOrder::Contiguous => (0..items).collect(),
        FoldOrder::Shuffled(seed) => shuffled(items, seed),
    };
    let mut fold_of = vec![0usize; items];
    let (size, larger) = (items / folds, items % folds);
    let mut next = 0;
    for fold in 0..folds {
        let end = next + size + usize::from(fold < larger);
        for &item in &dealt[next..end] {
            fold_of[item] = fold;
        }
        next = end;
    }
    let divide = |fold| {
        let (held_out, rest) = (0..items).partition(|&item| fold_of[item] == fold);
        Fold { rest, held_out }
    };
    Ok((0..folds).map(divide).collect())
}

fn shuffled(items: usize, seed: u64) -> Vec<usize> {
    // Implemented here because the shuffle of a library may change between versions and differ between word sizes,
    // while a published seed must keep its meaning. The bias of the multiplication is below 2⁻³² for any corpus of less
    // than 2³² items.
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut order: Vec<usize> = (0..items).collect();
    for last in (1..items).rev() {
        let choice = (u128::from(random.next_u64()) * (last as u128 + 1)) >> 64;
        order.swap(last, choice as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_everything_once_and_follow_the_seed() {
        let config = SplitConfig { dev_share: 0.15, test_share: 0.25, seed: 7 };
        for items in [0, 1, 2, 3, 10, 1001] {
            let split = split_by_seed(items, &config).unwrap();
            let mut all = [&split.train[..], &split.dev, &split.test].concat();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..items));
            assert_eq!(split, split_by_seed(items, &config).unwrap());
        }
        let other = SplitConfig { seed: 8, ..config };
        assert_ne!(split_by_seed(1001, &config).unwrap(), split_by_seed(1001, &other).unwrap());
    }

    #[test]
    fn a_seed_means_the_same_for_ever() {
        // Published splits are identified by their seed, so these must not change with a new random generator.
        let split = split_by_seed(12, &SplitConfig { dev_share: 0.25, test_share: 0.25, seed: 1 }).unwrap();
        assert_eq!((split.dev, split.test), (vec![6, 8, 9], vec![3, 7, 10]));
    }

    #[test]
    fn impossible_shares_are_refused() {
        for (dev_share, test_share) in [(0.6, 0.5), (-0.1, 0.5), (f64::NAN, 0.1), (0.1, f64::INFINITY)] {
            let config = SplitConfig { dev_share, test_share, seed: 1 };
            assert!(matches!(split_by_seed(10, &config), Err(SplitError::Shares { .. })));
        }
        let halves = SplitConfig { dev_share: 0.5, test_share: 0.5, seed: 1 };
        let split = split_by_seed(3, &halves).unwrap();
        assert_eq!((split.train.len(), split.dev.len(), split.test.len()), (0, 2, 1));
    }

    #[test]
    fn lists_must_settle_every_item_once() {
        let list = [("a", Part::Train), ("b", Part::Dev), ("b", Part::Dev)];
        assert_eq!(split_by_list(["b", "a", "b"], list).unwrap().dev, [0, 2]);
        assert!(matches!(split_by_list(["c"], list), Err(SplitError::Unassigned { item: 0, .. })));
        let twice = [("a", Part::Train), ("a", Part::Test)];
        assert!(matches!(split_by_list(["a"], twice), Err(SplitError::AssignedTwice { .. })));
    }

    #[test]
    fn every_item_is_held_out_once() {
        for order in [FoldOrder::Contiguous, FoldOrder::Shuffled(3)] {
            let folds = folds(23, 5, order).unwrap();
            let sizes: Vec<usize> = folds.iter().map(|fold| fold.held_out.len()).collect();
            assert_eq!(sizes, [5, 5, 5, 4, 4]);
            let mut held_out: Vec<usize> = folds.iter().flat_map(|fold| fold.held_out.clone()).collect();
            held_out.sort_unstable();
            assert!(held_out.into_iter().eq(0..23));
            for fold in &folds {
                assert_eq!(fold.rest.len() + fold.held_out.len(), 23);
                assert!(fold.rest.iter().all(|item| !fold.held_out.contains(item)));
                assert!(fold.rest.is_sorted() && fold.held_out.is_sorted());
            }
        }
        assert!(folds(3, 1, FoldOrder::Contiguous).is_err());
        assert!(folds(3, 4, FoldOrder::Contiguous).is_err());
        assert_ne!(folds(23, 5, FoldOrder::Shuffled(3)), folds(23, 5, FoldOrder::Contiguous));
    }
}
