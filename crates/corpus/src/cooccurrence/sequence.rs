//! The text as ids, in the chunks in which it was read.

use rayon::prelude::*;

use super::bucket::Piece;

/// Ids of one chunk, in the numbering of a table.
pub(super) struct Ids {
    pub(super) owner: Owner,
    pub(super) ids: Box<[u32]>,
}

/// The table that numbered the ids.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Owner {
    /// The table of this thread.
    Worker(usize),
    /// The common table of all threads.
    Shared,
}

/// Renumbers all pieces: `names[w]` for those of thread `w`, `shared` for the others. Break marks stay.
pub(super) fn rename(pieces: &mut [Ids], names: &[Vec<u32>], shared: &[u32]) {
    pieces.par_iter_mut().for_each(|piece| {
        let names = match piece.owner {
            Owner::Worker(worker) => &names[worker],
            Owner::Shared => shared,
        };
        for id in &mut piece.ids {
            // Only break marks are beyond the names.
            *id = names.get(*id as usize).copied().unwrap_or(*id);
        }
    });
}

/// Cuts off the last `count` ids of the text.
pub(super) fn split_tail(pieces: &mut Vec<Ids>, count: usize) -> Vec<u32> {
    let mut tail = Vec::new();
    while tail.len() < count
        && let Some(last) = pieces.pop()
    {
        let keep = last.ids.len().saturating_sub(count - tail.len());
        tail.splice(0..0, last.ids[keep..].iter().copied());
        if keep > 0 {
            pieces.push(Ids { owner: last.owner, ids: last.ids[..keep].into() });
        }
    }
    tail
}

/// The pieces, each with the `distance` ids that follow it; `tail` follows the last one.
pub(super) fn with_ahead<'a>(pieces: &'a [Ids], tail: &[u32], distance: usize) -> Vec<Piece<'a>> {
    let mut ahead: Vec<u32> = tail.iter().take(distance).copied().collect();
    let mut result: Vec<Piece<'a>> = pieces
        .iter()
        .rev()
        .map(|piece| {
            let next = piece.ids.iter().chain(&ahead).take(distance).copied().collect();
            Piece { ids: &piece.ids, ahead: std::mem::replace(&mut ahead, next) }
        })
        .collect();
    result.reverse();
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_and_what_is_ahead_span_pieces() {
        let text: Vec<u32> = (0..20).collect();
        let cut = || -> Vec<Ids> {
            [0..7, 7..7, 7..8, 8..9, 9..20]
                .into_iter()
                .map(|range| Ids { owner: Owner::Shared, ids: text[range].into() })
                .collect()
        };
        for count in [0, 1, 11, 12, 15, 30] {
            let mut pieces = cut();
            let tail = split_tail(&mut pieces, count);
            assert_eq!(tail, text[20usize.saturating_sub(count)..]);
            let mut at = 0;
            for piece in with_ahead(&pieces, &tail, 3) {
                assert_eq!(piece.ids, &text[at..at + piece.ids.len()]);
                at += piece.ids.len();
                assert_eq!(piece.ahead, text[at..].iter().take(3).copied().collect::<Vec<_>>());
            }
            assert_eq!(at, 20usize.saturating_sub(count));
        }
    }
}
