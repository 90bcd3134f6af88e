//! All trees of a short sentence, by enumeration: slow and simple, a reference for testing the faster searches.

use corpus::dependency::{DependencyTree, Head, RootRule};

/// Whether arcs may cross.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Crossing {
    /// All trees.
    Allowed,
    /// Projective trees only, the arc from the root included.
    Forbidden,
}

/// The heads of every tree over `words` words. Their number grows like `wordsʷᵒʳᵈˢ⁻¹`: two million for eight words.
///
/// ```
/// use corpus::dependency::RootRule;
/// use eigentree_dependency::arcs::enumerate::{Crossing, all_trees};
/// assert_eq!(all_trees(3, RootRule::Single, Crossing::Allowed).len(), 9);
/// assert_eq!(all_trees(3, RootRule::Single, Crossing::Forbidden).len(), 7);
/// ```
pub fn all_trees(words: usize, roots: RootRule, crossing: Crossing) -> Vec<Vec<Head>> {
    let mut trees = Vec::new();
    let mut numbers = vec![0; words];
    loop {
        let heads: Vec<Head> = numbers.iter().filter_map(|&number| Head::from_number(number)).collect();
        if let Ok(tree) = DependencyTree::new(heads, roots)
            && (crossing == Crossing::Allowed || tree.is_projective())
        {
            trees.push(tree.heads().to_vec());
        }
        // The next number in base `words + 1`.
        let Some(place) = numbers.iter().position(|&number| number < words) else {
            return trees;
        };
        numbers[..place].fill(0);
        numbers[place] += 1;
    }
}
