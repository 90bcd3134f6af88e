//! What an outcome is counted and looked up by.

use corpus::dependency::Direction;

use super::lexemes::Lexeme;

/// A context: level, direction and state in one number, tag of the head, word of the head, tag of the modifier.
pub(super) type Context = [u32; 4];

/// The levels of places, and of the words beside an arc.
pub(super) const PLACE_LEVELS: [Level; 2] = [Level::PlaceFine, Level::PlaceCoarse];
pub(super) const NEIGHBOUR_LEVELS: [Level; 2] = [Level::NeighboursFine, Level::NeighboursCoarse];

/// The levels of `P_C` with a head, from fine to coarse.
pub(super) const CLUSTER_LEVELS: [Level; 3] =
    [Level::ClusterFine, Level::ClusterBranch, Level::ClusterCoarse];

/// The outcomes of a context: their total count, and the number of different ones.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(in super::super) struct Seen {
    pub(in super::super) total: u32,
    pub(in super::super) different: u32,
}

/// Stands for the head where it does not matter or is the root.
pub(super) const NONE: u32 = u32::MAX;
const ROOT: u32 = u32::MAX - 1;

/// What of a context is known, and of what outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Level {
    TagFine = 0,
    TagCoarse = 1,
    WordFine = 2,
    WordCoarse = 3,
    WordAlone = 4,
    PlaceFine = 5,
    PlaceCoarse = 6,
    TagCluster = 7,
    ClusterFine = 8,
    ClusterBranch = 9,
    ClusterCoarse = 10,
    ClusterAlone = 11,
    NeighboursFine = 12,
    NeighboursCoarse = 13,
}

/// The context of a modifier with this tag, or of STOP.
pub(super) fn context(
    level: Level,
    direction: Direction,
    state: usize,
    head: Option<Lexeme>,
    tag: u32,
) -> Context {
    let place = (level as u32 * 2 + direction as u32) * 4 + state as u32;
    let (head_tag, head_word) = head.map_or((ROOT, ROOT), |head| (head.tag, head.word));
    let (cluster, branch) = head.map_or((ROOT, ROOT), |head| (head.cluster, head.branch));
    match level {
        Level::TagFine => [place, head_tag, head_word, NONE],
        Level::TagCoarse => [place, head_tag, NONE, NONE],
        Level::WordFine => [place, head_tag, head_word, tag],
        Level::WordCoarse => [place, head_tag, NONE, tag],
        Level::WordAlone => [Level::WordAlone as u32 * 8, NONE, NONE, tag],
        Level::PlaceFine | Level::NeighboursFine => [place, head_tag, NONE, tag],
        Level::PlaceCoarse | Level::NeighboursCoarse => [place, NONE, NONE, tag],
        Level::TagCluster => [place, head_tag, cluster, NONE],
        Level::ClusterFine => [place, head_tag, cluster, tag],
        Level::ClusterBranch => [place, head_tag, branch, tag],
        Level::ClusterCoarse => [place, head_tag, NONE, tag],
        Level::ClusterAlone => [Level::ClusterAlone as u32 * 8, NONE, NONE, tag],
    }
}
