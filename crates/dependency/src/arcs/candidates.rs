//! The candidate arcs of a sentence.

/// The candidate heads of each word, ascending. Arcs are numbered by modifier, then by head.
///
/// ```
/// use eigentree_dependency::arcs::Candidates;
/// let mut candidates = Candidates::default();
/// candidates.push([2, 0]);
/// candidates.push([1]);
/// assert_eq!(candidates.of(1), [0, 2]);
/// assert_eq!(candidates.arc(2, 1), Some(1));
/// assert_eq!((candidates.words(), candidates.arcs()), (2, 3));
/// ```
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Candidates {
    ends: Vec<u32>,
    heads: Vec<u32>,
}

impl Candidates {
    /// Every arc over `words` words.
    pub fn all(words: usize) -> Self {
        let mut candidates = Self::default();
        for modifier in 1..=words as u32 {
            candidates.push((0..=words as u32).filter(|&head| head != modifier));
        }
        candidates
    }

    /// The id of the first arc of a word.
    #[inline]
    pub fn first_arc(&self, modifier: usize) -> usize {
        modifier.checked_sub(2).map_or(0, |before| self.ends[before] as usize)
    }

    /// The candidate heads of the word `modifier`, numbered from 1.
    #[inline]
    pub fn of(&self, modifier: usize) -> &[u32] {
        &self.heads[self.first_arc(modifier)..self.ends[modifier - 1] as usize]
    }

    /// The id of an arc, if it is a candidate.
    #[inline]
    pub fn arc(&self, head: usize, modifier: usize) -> Option<usize> {
        let place = self.of(modifier).iter().position(|&other| other as usize == head)?;
        Some(self.first_arc(modifier) + place)
    }

    /// The number of words.
    pub fn words(&self) -> usize {
        self.ends.len()
    }

    /// The number of arcs.
    pub fn arcs(&self) -> usize {
        self.heads.len()
    }

    /// Removes everything but keeps the memory.
    pub fn clear(&mut self) {
        self.ends.clear();
        self.heads.clear();
    }

    /// Adds the heads of the next word, in any order. They must differ.
    pub fn push(&mut self, heads: impl IntoIterator<Item = u32>) {
        let start = self.heads.len();
        self.heads.extend(heads);
        self.heads[start..].sort_unstable();
        self.ends.push(self.heads.len() as u32);
    }

    /// Adds more heads to the last word; they must differ from those it has.
    pub fn extend_last(&mut self, heads: impl IntoIterator<Item = u32>) {
        let Some(words) = self.ends.len().checked_sub(1) else { return };
        let start = self.first_arc(words + 1);
        self.heads.extend(heads);
        self.heads[start..].sort_unstable();
        self.ends[words] = self.heads.len() as u32;
    }

    /// Adds to every word the one before it, so that there is a tree.
    ///
    /// ```
    /// use eigentree_dependency::arcs::Candidates;
    /// let mut candidates = Candidates::default();
    /// candidates.push([2]);
    /// candidates.push([1]);
    /// candidates.add_words_before();
    /// assert_eq!((candidates.of(1), candidates.of(2)), (&[0, 2][..], &[1][..]));
    /// ```
    pub fn add_words_before(&mut self) {
        let old = std::mem::take(self);
        for modifier in 1..=old.words() {
            let before = modifier as u32 - 1;
            let heads = old.of(modifier);
            self.push(heads.iter().copied().chain((!heads.contains(&before)).then_some(before)));
        }
    }
}
