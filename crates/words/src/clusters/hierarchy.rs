//! Clusters of words, and the order in which they merge.

use corpus::ids::Id;

use super::ClusterId;

/// Words in clusters, and a binary tree over the clusters.
///
/// The nodes of a tree are numbered: first its leaves, then its merges in the order in which they were made. Each merge
/// names the child of bit 0 and that of bit 1. Below a cluster there may be a tree over its words, for methods that
/// produce one.
///
/// ```
/// use corpus::ids::Id;
/// use eigentree_words::clusters::{ClusterId, Hierarchy};
/// let clusters = [0, 1, 2, 1].map(|index| ClusterId::new(index).unwrap());
/// // Clusters 2 and 1 become node 3, which merges with cluster 0 into the root.
/// let hierarchy = Hierarchy::new(clusters.to_vec(), vec![[2, 1], [0, 3]]).unwrap();
/// assert_eq!(hierarchy.cluster_paths(), ["0", "11", "10"]);
/// assert_eq!(hierarchy.word_path(3), "11");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hierarchy {
    assignment: Vec<ClusterId>,
    merges: Vec<[u32; 2]>,
    inner: Vec<[u32; 2]>,
    /// The parent of each node of the tree over clusters, with the bit that leads to the node; `None` for the root.
    parents: Vec<Option<(u32, bool)>>,
    /// The same for the trees over words; empty if there are none.
    inner_parents: Vec<Option<(u32, bool)>>,
}

impl Hierarchy {
    /// Builds a hierarchy from the clusters of the words and the merges over the clusters, one fewer than clusters.
    /// `None` if the merges do not form a tree, a cluster is not a leaf of it, or a cluster has no word.
    pub fn new(assignment: Vec<ClusterId>, merges: Vec<[u32; 2]>) -> Option<Self> {
        let clusters = if assignment.is_empty() { 0 } else { merges.len() + 1 };
        let mut used = vec![false; clusters];
        for cluster in &assignment {
            *used.get_mut(cluster.index())? = true;
        }
        let parents = parents(clusters, &merges)?;
        let whole = used.into_iter().all(|used| used);
        whole.then_some(Self { assignment, merges, inner: Vec::new(), parents, inner_parents: Vec::new() })
    }

    /// Adds trees over the words of each cluster: as many merges as words minus clusters, none across clusters. `None`
    /// otherwise.
    pub fn with_inner_merges(mut self, inner: Vec<[u32; 2]>) -> Option<Self> {
        if inner.len() + self.clusters() != self.words() {
            return None;
        }
        let parents = parents(self.words(), &inner)?;
        let mut clusters = self.assignment.clone();
        for &[zero, one] in &inner {
            let cluster = clusters[zero as usize];
            if cluster != clusters[one as usize] {
                return None;
            }
            clusters.push(cluster);
        }
        self.inner = inner;
        self.inner_parents = parents;
        Some(self)
    }

    /// The number of words.
    pub fn words(&self) -> usize {
        self.assignment.len()
    }

    /// The number of clusters.
    pub fn clusters(&self) -> usize {
        if self.assignment.is_empty() { 0 } else { self.merges.len() + 1 }
    }

    /// The cluster of each word.
    pub fn assignment(&self) -> &[ClusterId] {
        &self.assignment
    }

    /// The merges over clusters.
    pub fn merges(&self) -> &[[u32; 2]] {
        &self.merges
    }

    /// The merges over words inside clusters; empty if there are no such trees.
    pub fn inner_merges(&self) -> &[[u32; 2]] {
        &self.inner
    }

    /// The words of each cluster, ascending.
    pub fn members(&self) -> Vec<Vec<u32>> {
        let mut members = vec![Vec::new(); self.clusters()];
        for (word, cluster) in self.assignment.iter().enumerate() {
            members[cluster.index()].push(word as u32);
        }
        members
    }

    /// The bits on the path from the root to each cluster.
    pub fn cluster_paths(&self) -> Vec<String> {
        (0..self.clusters()).map(|cluster| climb(&self.parents, cluster)).collect()
    }

    /// The bits on the path from the root to a cluster.
    pub fn cluster_path(&self, cluster: ClusterId) -> String {
        climb(&self.parents, cluster.index())
    }

    /// The bits on the path from the root to a word: those of its cluster and, if there are trees inside clusters,
    /// those inside it.
    pub fn word_path(&self, word: usize) -> String {
        let mut path = climb(&self.parents, self.assignment[word].index());
        if !self.inner_parents.is_empty() {
            path.push_str(&climb(&self.inner_parents, word));
        }
        path
    }

    /// The clusters at the point where there were `clusters` of them: for each cluster the number of the larger one
    /// that contains it. Numbers follow the first cluster of each.
    pub fn cut(&self, clusters: usize) -> Vec<ClusterId> {
        let leaves = self.clusters();
        let made = leaves.saturating_sub(clusters.max(1));
        let root_of = |leaf: usize| {
            let mut node = leaf;
            while let Some((parent, _)) = self.parents[node]
                && (parent as usize) < leaves + made
            {
                node = parent as usize;
            }
            node
        };
        let mut names = vec![None; leaves + made];
        let mut next = 0;
        let name = |leaf: usize| {
            let index = *names[root_of(leaf)].get_or_insert_with(|| {
                next += 1;
                next - 1
            });
            ClusterId::new(index).expect("fewer than there are clusters")
        };
        (0..leaves).map(name).collect()
    }
}

/// The parent of each node, if each node except the last has exactly one and children come before parents. With fewer
/// merges than a tree needs, several nodes have no parent.
fn parents(leaves: usize, merges: &[[u32; 2]]) -> Option<Vec<Option<(u32, bool)>>> {
    let mut parents = vec![None; leaves + merges.len()];
    for (at, merge) in merges.iter().enumerate() {
        let parent = leaves + at;
        for (&child, bit) in merge.iter().zip([false, true]) {
            let known = (child as usize) < parent;
            let place = parents.get_mut(child as usize).filter(|place| known && place.is_none())?;
            *place = Some((u32::try_from(parent).ok()?, bit));
        }
    }
    Some(parents)
}

fn climb(parents: &[Option<(u32, bool)>], mut node: usize) -> String {
    let mut bits = Vec::new();
    while let Some((parent, bit)) = parents[node] {
        bits.push(if bit { '1' } else { '0' });
        node = parent as usize;
    }
    bits.into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(indices: &[usize]) -> Vec<ClusterId> {
        indices.iter().map(|&index| ClusterId::new(index).unwrap()).collect()
    }

    #[test]
    fn trees_inside_clusters_lengthen_paths() {
        let hierarchy = Hierarchy::new(ids(&[0, 1, 0, 0]), vec![[1, 0]]).unwrap();
        assert_eq!(hierarchy.word_path(3), "1");
        let hierarchy = hierarchy.with_inner_merges(vec![[2, 0], [4, 3]]).unwrap();
        let paths: Vec<_> = (0..4).map(|word| hierarchy.word_path(word)).collect();
        assert_eq!(paths, ["101", "0", "100", "11"]);
    }

    #[test]
    fn only_trees_are_taken() {
        assert!(Hierarchy::new(ids(&[0, 1, 2]), vec![[0, 1], [0, 2]]).is_none());
        assert!(Hierarchy::new(ids(&[0, 1, 2]), vec![[0, 4], [1, 2]]).is_none());
        assert!(Hierarchy::new(ids(&[0, 1, 3]), vec![[0, 1], [2, 3]]).is_none());
        assert!(Hierarchy::new(ids(&[0, 1, 1]), vec![[0, 1], [2, 3]]).is_none());
        assert!(
            Hierarchy::new(ids(&[0, 1, 0]), vec![[0, 1]]).unwrap().with_inner_merges(vec![[0, 1]]).is_none()
        );
        assert_eq!(Hierarchy::new(Vec::new(), Vec::new()).unwrap().clusters(), 0);
    }

    #[test]
    fn cuts_are_nested() {
        let hierarchy = Hierarchy::new(ids(&[0, 1, 2, 3]), vec![[3, 1], [0, 2], [4, 5]]).unwrap();
        assert_eq!(hierarchy.cut(9), ids(&[0, 1, 2, 3]));
        assert_eq!(hierarchy.cut(3), ids(&[0, 1, 2, 1]));
        assert_eq!(hierarchy.cut(2), ids(&[0, 1, 0, 1]));
        assert_eq!(hierarchy.cut(0), ids(&[0, 0, 0, 0]));
    }
}
