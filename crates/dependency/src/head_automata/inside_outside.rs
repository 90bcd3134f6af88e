//! Inside–outside over vectors on half-constituents (Luque et al. 2012, section 4.1, after Eisner and Satta 1999).
//!
//! A *closed* half-constituent of head `h` in direction `d` extends to word `e`: `θ^C_{h,e}` is the vector of the
//! automaton of `(h, d)` after all modifiers up to there. An *open* one ends with the modifier `m`, whose own side away
//! from the head is still missing. With `c_{h,e} = α∞·θ^C_{h,e}`, the scalar that remains once the automaton has
//! stopped, and k running over the words from the head up to the one before `m`, k′ being the word after k as seen from
//! the head:
//!
//! ```text
//! θ^C_{h,h} = α₁                       θ^C_{h,e} = Σ_m θ^I_{h,m} c_{m,e}
//! θ^I_{h,m} = A_m Σ_k θ^C_{h,k} c_{m,k′}
//! Z         = Σ_r P(r | root) c^L_{r,1} c^R_{r,N}
//! ```
//!
//! Equation 20 of the paper applies the operator inside the sum, and its index runs one too far. As the bracketed
//! factors are scalars, the sum comes first here and the operator is applied once per open item, which reduces O(n²N³)
//! to O(nN³ + n²N²). Outside vectors are the derivatives of `log Z`; `φ^I·θ^I` is then the marginal of the arc. Nothing
//! assumes that values are positive. With `γ_{h,e}` the derivative with respect to `c_{h,e}`, and heads g and words j
//! beyond the item, seen from its head or from its end:
//!
//! ```text
//! γ_{m,e}   = Σ_g (A_mᵀ φ^I_{g,m})·θ^C_{g,j} + Σ_g φ^C_{g,e}·θ^I_{g,m}
//!             (j next to e: arcs whose modifier is m; items that m closes)
//! φ^C_{h,e} = γ_{h,e} α∞ + Σ_m (A_mᵀ φ^I_{h,m}) c_{m,j}
//! φ^I_{h,m} = Σ_e φ^C_{h,e} c_{m,e}
//! ```
//!
//! All of these are sums over contiguous cells, which is why most tables are stored twice, by head and by end. Nothing
//! is accumulated in memory, and no table has to be cleared.
//!
//! Every tree emits every word once. One factor per word ([`Scales`]) therefore cancels, and keeps values in range.

use corpus::dependency::Direction;

use super::factors::Factors;
use super::operators::{NO_BLOCK, Operators};
use super::pack::{LANES, Pack, Plain};
use super::real::Real;
use super::sums::{
    add, cells, cells_mut, dot, load, paired, paired_class, products, store, vectors, weighted,
    weighted_class, zero,
};

/// One table per direction.
type Sides<T> = [Vec<T>; 2];

/// Scratch memory, reused between sentences. Rows are by head and then by end, `_by_end` the other way round.
#[derive(Clone, Default, Debug)]
pub(super) struct Tables<T> {
    open: Sides<T>,
    open_by_end: Sides<T>,
    closed: Sides<T>,
    closed_by_end: Sides<T>,
    stopped: Sides<T>,
    stopped_by_end: Sides<T>,
    /// Derivatives of open items below the operator, for each class of previous modifiers.
    open_slope: Sides<T>,
    open_slope_by_end: Sides<T>,
    closed_slope: Sides<T>,
    closed_slope_by_end: Sides<T>,
    /// Contribution of an arc to a first modifier to the derivative of the scalar between head and modifier.
    first_slope: Sides<T>,
}

/// A sentence encoded for one set of automata.
#[derive(Clone, Copy)]
pub(super) struct Input<'s, T> {
    pub(super) operators: &'s Operators<T>,
    /// α₁ of all automata: with hidden states or without.
    pub(super) initial: &'s [T],
    pub(super) symbols: &'s [u32],
    /// One factor per word.
    pub(super) scales: &'s [f64],
}

/// Result of inference.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Outcome {
    /// Z is positive; marginals are written.
    Positive(f64),
    /// Z is zero, negative or not a number.
    Hopeless(f64),
    /// Values left the range in which they are precise; multiplying every scale by this should prevent it.
    Rescale(f64),
}

/// Runs both passes and writes the marginals, `[head number · words + modifier]`.
pub(super) fn run<T: Real, const S: usize, F: Factors<S>>(
    input: Input<'_, T>,
    factors: &F,
    tables: &mut Tables<T>,
    marginals: &mut Vec<f64>,
) -> Outcome {
    match input.operators.width / LANES {
        1 => run_width::<T, 1, S, F>(input, factors, tables, marginals),
        2 => run_width::<T, 2, S, F>(input, factors, tables, marginals),
        _ => run_width::<T, 3, S, F>(input, factors, tables, marginals),
    }
}

/// Uses AVX packs for types that have them; otherwise double precision does the work. Fewer versions of the passes
/// compile faster.
fn run_width<T: Real, const V: usize, const S: usize, F: Factors<S>>(
    input: Input<'_, T>,
    factors: &F,
    tables: &mut Tables<T>,
    marginals: &mut Vec<f64>,
) -> Outcome {
    #[cfg(target_arch = "x86_64")]
    if T::HAS_PACKS {
        return if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            // SAFETY: AVX2 and FMA were detected just above.
            unsafe { run_avx2::<T, V, S, F>(input, factors, tables, marginals) }
        } else {
            Outcome::Hopeless(f64::NAN)
        };
    }
    run_with::<T, Plain<T>, V, S, F>(input, factors, tables, marginals)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_avx2<T: Real, const V: usize, const S: usize, F: Factors<S>>(
    input: Input<'_, T>,
    factors: &F,
    tables: &mut Tables<T>,
    marginals: &mut Vec<f64>,
) -> Outcome {
    run_with::<T, T::Quick, V, S, F>(input, factors, tables, marginals)
}

#[inline(always)]
fn run_with<T: Real, P: Pack<T>, const V: usize, const S: usize, F: Factors<S>>(
    input: Input<'_, T>,
    factors: &F,
    tables: &mut Tables<T>,
    marginals: &mut Vec<f64>,
) -> Outcome {
    let words = input.symbols.len();
    let mut pass = Pass::<T, P, V, S, F> { input, factors, words, tables, largest: P::splat(T::default()) };
    pass.start();
    let mut in_range = 0;
    let mut largest = 0.0;
    for length in 1..words {
        pass.largest = P::splat(T::default());
        for i in 0..words - length {
            let j = i + length;
            pass.open(Direction::Right, i, j);
            pass.open(Direction::Left, j, i);
            pass.close(Direction::Right, i, j);
            pass.close(Direction::Left, j, i);
        }
        let top = pass.largest.store().iter().fold(0.0, |top: f64, entry| top.max(entry.double()));
        // NaN does not show in the maximum; it is detected in the final sum.
        if top > T::LARGE || top < T::SMALL {
            return match in_range {
                0 if top == 0.0 => Outcome::Hopeless(0.0),
                0 if top.is_finite() => Outcome::Rescale(top.powf(-1.0 / length as f64)),
                0 => Outcome::Rescale(T::LARGE.recip()),
                _ if top == 0.0 && largest > T::SMALL.sqrt() => Outcome::Hopeless(0.0),
                _ => Outcome::Rescale(largest.powf(-1.0 / in_range as f64)),
            };
        }
        (in_range, largest) = (length, top);
    }
    let z = pass.partition();
    if !(z > 0.0 && z.is_finite()) {
        return Outcome::Hopeless(z);
    }
    marginals.clear();
    marginals.resize((words + 1) * words, 0.0);
    for (word, marginal) in marginals.iter_mut().take(words).enumerate() {
        *marginal = pass.root_parts(word).iter().product::<f64>() / z;
    }
    for length in (1..words).rev() {
        for i in 0..words - length {
            let j = i + length;
            pass.close_backwards(Direction::Right, i, j, z);
            pass.close_backwards(Direction::Left, j, i, z);
            marginals[(i + 1) * words + j] = pass.open_backwards(Direction::Right, i, j);
            marginals[(j + 1) * words + i] = pass.open_backwards(Direction::Left, j, i);
        }
    }
    Outcome::Positive(z)
}

struct Pass<'s, T, P, const V: usize, const S: usize, F> {
    input: Input<'s, T>,
    factors: &'s F,
    words: usize,
    tables: &'s mut Tables<T>,
    /// The largest absolute values of closed items.
    largest: P,
}

fn other(direction: Direction) -> Direction {
    match direction {
        Direction::Left => Direction::Right,
        Direction::Right => Direction::Left,
    }
}

/// The words `k` strictly between a head and the modifier of an open item, and the words `k′`.
#[inline(always)]
fn between(
    direction: Direction,
    head: usize,
    modifier: usize,
) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
    match direction {
        Direction::Right => (head + 1..modifier, head + 2..modifier + 1),
        Direction::Left => (modifier + 1..head, modifier..head - 1),
    }
}

/// The words that may be the last modifier of a closed item.
#[inline(always)]
fn last_modifiers(direction: Direction, head: usize, end: usize) -> std::ops::Range<usize> {
    match direction {
        Direction::Right => head + 1..end + 1,
        Direction::Left => end..head,
    }
}

/// The words from `word` on, away from the head.
#[inline(always)]
fn onwards(direction: Direction, word: usize, words: usize) -> std::ops::Range<usize> {
    match direction {
        Direction::Right => word..words,
        Direction::Left => 0..word + 1,
    }
}

/// The possible heads of a word in a direction.
#[inline(always)]
fn heads_of(direction: Direction, word: usize, words: usize) -> std::ops::Range<usize> {
    match direction {
        Direction::Right => 0..word,
        Direction::Left => word + 1..words,
    }
}

/// The next word in a direction, if any.
#[inline(always)]
fn next(direction: Direction, word: usize, words: usize) -> Option<usize> {
    match direction {
        Direction::Right => Some(word + 1).filter(|&next| next < words),
        Direction::Left => word.checked_sub(1),
    }
}

/// The word next to the head.
#[inline(always)]
fn beside(direction: Direction, head: usize) -> usize {
    match direction {
        Direction::Right => head + 1,
        Direction::Left => head - 1,
    }
}

impl<T: Real, P: Pack<T>, const V: usize, const S: usize, F: Factors<S>> Pass<'_, T, P, V, S, F> {
    #[inline(always)]
    fn automaton(&self, direction: Direction, head: usize) -> usize {
        2 * self.input.symbols[head] as usize + direction as usize
    }

    #[inline(always)]
    fn initial(&self, direction: Direction, head: usize) -> [P; V] {
        load(&vectors::<T, V>(self.input.initial)[self.automaton(direction, head)])
    }

    #[inline(always)]
    fn terminal(&self, direction: Direction, head: usize) -> [P; V] {
        load(&vectors::<T, V>(&self.input.operators.terminal)[self.automaton(direction, head)])
    }

    /// Allocates memory and stops the automata without modifiers.
    fn start(&mut self) {
        let pairs = self.words * self.words;
        let (vector, cell) = (pairs * V * LANES, pairs * V * LANES * S);
        let tables = &mut *self.tables;
        for (table, size) in [
            (&mut tables.open, vector),
            (&mut tables.open_by_end, vector),
            (&mut tables.closed, cell),
            (&mut tables.closed_by_end, cell),
            (&mut tables.open_slope, cell),
            (&mut tables.open_slope_by_end, cell),
            (&mut tables.closed_slope, cell),
            (&mut tables.closed_slope_by_end, cell),
            (&mut tables.stopped, pairs),
            (&mut tables.stopped_by_end, pairs),
            (&mut tables.first_slope, pairs),
        ] {
            for side in table {
                if side.len() < size {
                    side.resize(size, T::default());
                }
            }
        }
        for direction in Direction::BOTH {
            for head in 0..self.words {
                let stop = T::new(self.factors.stop(direction, head).0);
                let value = stop * dot(&self.initial(direction, head), &self.terminal(direction, head));
                self.tables.stopped[direction as usize][head * self.words + head] = value;
                self.tables.stopped_by_end[direction as usize][head * self.words + head] = value;
            }
        }
    }

    /// The columns of the matrix of hidden states, if any; the emissions of DET+F; the scale.
    #[inline(always)]
    fn operator(&self, automaton: usize, modifier: usize) -> (&[[[T; LANES]; V]], [T; 2], T) {
        let operators = self.input.operators;
        let pair = automaton * operators.symbols + self.input.symbols[modifier] as usize;
        let (block, size) = (operators.block_of[pair], operators.columns());
        let columns = if block == NO_BLOCK {
            &[]
        } else {
            &vectors::<T, V>(&operators.blocks)[block as usize * size..][..size]
        };
        (columns, operators.emit[pair], T::new(self.input.scales[modifier]))
    }

    /// `A_m v`, scaled.
    #[inline(always)]
    fn apply(&self, automaton: usize, modifier: usize, vector: &[P; V]) -> [P; V] {
        let (columns, [first, rest], scale) = self.operator(automaton, modifier);
        let numbers: [[T; LANES]; V] = store(vector);
        let [.., of_first, of_rest] = numbers[V - 1];
        let mut result = zero::<T, P, V>();
        for (eight, numbers) in columns.as_chunks::<LANES>().0.iter().zip(&numbers) {
            for lane in 0..LANES {
                add(&mut result, &load(&eight[lane]), numbers[lane] * scale);
            }
        }
        let emitted = scale * (first * of_first + rest * of_rest);
        result[V - 1] = P::load(&T::LAST).times_plus(P::splat(emitted), result[V - 1]);
        result
    }

    /// `A_mᵀ v`, scaled.
    #[inline(always)]
    fn apply_transposed(&self, automaton: usize, modifier: usize, vector: &[P; V]) -> [P; V] {
        let (columns, [first, rest], scale) = self.operator(automaton, modifier);
        let mut result = zero::<T, P, V>();
        for (eight, result) in columns.as_chunks::<LANES>().0.iter().zip(&mut result) {
            let mut sums = [P::splat(T::default()); LANES];
            for lane in 0..LANES {
                sums[lane] = products(&load(&eight[lane]), vector);
            }
            *result = P::totals(sums).times_plus(P::splat(scale), *result);
        }
        let [.., last] = vector[V - 1].store();
        let tail = P::load(&T::LAST_BUT_ONE).times_plus(P::splat(scale * first * last), result[V - 1]);
        result[V - 1] = P::load(&T::LAST).times_plus(P::splat(scale * rest * last), tail);
        result
    }

    #[inline(always)]
    fn open(&mut self, direction: Direction, head: usize, modifier: usize) {
        let (n, side) = (self.words, direction as usize);
        let (ks, nexts) = between(direction, head, modifier);
        let stopped = &self.tables.stopped[other(direction) as usize][modifier * n..][..n];
        let (first, rest) = self.factors.arc(direction, head, modifier);
        let row = &cells::<T, V, S>(&self.tables.closed[side])[head * n..][..n];
        let sums = weighted::<T, P, V, S>(&row[ks], &stopped[nexts]);
        let mut vector = zero::<T, P, V>();
        let first = T::new(first) * stopped[beside(direction, head)];
        add(&mut vector, &self.initial(direction, head), first);
        for (sum, factor) in sums.iter().zip(rest) {
            add(&mut vector, sum, T::new(factor));
        }
        let result = [store(&self.apply(self.automaton(direction, head), modifier, &vector))];
        cells_mut::<T, V, 1>(&mut self.tables.open[side])[head * n + modifier] = result;
        cells_mut::<T, V, 1>(&mut self.tables.open_by_end[side])[modifier * n + head] = result;
    }

    #[inline(always)]
    fn close(&mut self, direction: Direction, head: usize, end: usize) {
        let (n, side) = (self.words, direction as usize);
        let range = last_modifiers(direction, head, end);
        let stopped = &self.tables.stopped_by_end[side][end * n..][range.clone()];
        let open = &cells::<T, V, 1>(&self.tables.open[side])[head * n..][range.clone()];
        let mut sums = [zero::<T, P, V>(); S];
        if S == 1 {
            sums[0] = weighted_class(open, 0, stopped);
        } else {
            for (modifier, (cell, &number)) in range.zip(open.iter().zip(stopped)) {
                add(&mut sums[self.factors.class(modifier)], &load(&cell[0]), number);
            }
        }
        let (_, stops) = self.factors.stop(direction, head);
        let terminal = self.terminal(direction, head);
        let mut value = T::default();
        for (sum, stop) in sums.iter().zip(stops) {
            value += T::new(stop) * dot(sum, &terminal);
            self.largest = sum.iter().fold(self.largest, |largest, &pack| largest.larger(pack));
        }
        let cell = sums.map(|sum| store(&sum));
        cells_mut::<T, V, S>(&mut self.tables.closed[side])[head * n + end] = cell;
        cells_mut::<T, V, S>(&mut self.tables.closed_by_end[side])[end * n + head] = cell;
        self.tables.stopped[side][head * n + end] = value;
        self.tables.stopped_by_end[side][end * n + head] = value;
    }

    /// `P(r | root)`, scaled, and the two scalars it is multiplied with.
    #[inline(always)]
    fn root_parts(&self, word: usize) -> [f64; 3] {
        let n = self.words;
        let symbol = self.input.symbols[word] as usize;
        let weight =
            self.input.operators.root[symbol].double() * self.factors.root(word) * self.input.scales[word];
        let left = self.tables.stopped[Direction::Left as usize][word * n];
        let right = self.tables.stopped[Direction::Right as usize][word * n + n - 1];
        [weight, left.double(), right.double()]
    }

    fn partition(&self) -> f64 {
        (0..self.words).map(|word| self.root_parts(word).iter().product::<f64>()).sum()
    }

    /// The derivative of `log Z` with respect to the scalar of a closed item, `γ` above.
    #[inline(always)]
    fn stopped_slope(&self, direction: Direction, head: usize, end: usize, z: f64) -> T {
        let (n, side, far) = (self.words, direction as usize, other(direction) as usize);
        let tables = &*self.tables;
        let heads = heads_of(direction, head, n);
        let as_last: P = paired_class(
            &cells::<T, V, S>(&tables.closed_slope_by_end[side])[end * n..][heads.clone()],
            self.factors.class(head),
            &cells::<T, V, 1>(&tables.open_by_end[side])[head * n..][heads],
        );
        let Some(beyond) = next(direction, end, n) else {
            let [weight, left, right] = self.root_parts(head);
            let rest = if direction == Direction::Left { right } else { left };
            return as_last.total() + T::new(weight * rest / z);
        };
        let heads = heads_of(other(direction), beyond, n);
        let as_inner: P = paired(
            &cells::<T, V, S>(&tables.open_slope_by_end[far])[head * n..][heads.clone()],
            &cells::<T, V, S>(&tables.closed_by_end[far])[beyond * n..][heads],
        );
        as_last.plus(as_inner).total() + tables.first_slope[far][beyond * n + head]
    }

    #[inline(always)]
    fn close_backwards(&mut self, direction: Direction, head: usize, end: usize, z: f64) {
        let (n, side, far) = (self.words, direction as usize, other(direction) as usize);
        let slope = self.stopped_slope(direction, head, end, z);
        let mut slopes = [zero::<T, P, V>(); S];
        if let Some(beyond) = next(direction, end, n) {
            let modifiers = onwards(direction, beyond, n);
            slopes = weighted(
                &cells::<T, V, S>(&self.tables.open_slope[side])[head * n..][modifiers.clone()],
                &self.tables.stopped_by_end[far][beyond * n..][modifiers],
            );
        }
        let (_, stops) = self.factors.stop(direction, head);
        let terminal = self.terminal(direction, head);
        for (sum, stop) in slopes.iter_mut().zip(stops) {
            add(sum, &terminal, slope * T::new(stop));
        }
        let cell = slopes.map(|slope| store(&slope));
        cells_mut::<T, V, S>(&mut self.tables.closed_slope[side])[head * n + end] = cell;
        cells_mut::<T, V, S>(&mut self.tables.closed_slope_by_end[side])[end * n + head] = cell;
    }

    /// Returns the marginal of the arc.
    #[inline(always)]
    fn open_backwards(&mut self, direction: Direction, head: usize, modifier: usize) -> f64 {
        let (n, side) = (self.words, direction as usize);
        let ends = onwards(direction, modifier, n);
        let slope: [P; V] = weighted_class(
            &cells::<T, V, S>(&self.tables.closed_slope[side])[head * n..][ends.clone()],
            self.factors.class(modifier),
            &self.tables.stopped[side][modifier * n..][ends],
        );
        let open = load(&cells::<T, V, 1>(&self.tables.open[side])[head * n + modifier][0]);
        let marginal = dot(&slope, &open);
        let slope = self.apply_transposed(self.automaton(direction, head), modifier, &slope);
        let (first, rest) = self.factors.arc(direction, head, modifier);
        let first = T::new(first) * dot(&slope, &self.initial(direction, head));
        let mut slopes = [zero::<T, P, V>(); S];
        for (sum, factor) in slopes.iter_mut().zip(rest) {
            add(sum, &slope, T::new(factor));
        }
        let cell = slopes.map(|slope| store(&slope));
        self.tables.first_slope[side][head * n + modifier] = first;
        cells_mut::<T, V, S>(&mut self.tables.open_slope[side])[head * n + modifier] = cell;
        cells_mut::<T, V, S>(&mut self.tables.open_slope_by_end[side])[modifier * n + head] = cell;
        marginal.double()
    }
}
