//! Inside–outside over vectors on half-constituents (Luque et al. 2012, section 4.1, after Eisner and Satta 1999).
//!
//! A *closed* half-constituent of head `h` in direction `d` reaches to word `e`: `θ^C_{h,e}` is the vector of the automaton of `(h, d)` after all modifiers up to
//! there. An *open* one ends with the modifier `m`, whose own side away from the head is not there yet. With `c_{h,e} = α∞·θ^C_{h,e}`, the number that remains once the
//! automaton has stopped, and k running over the words from the head up to the one before `m`, k′ being the word after k as seen from the head:
//!
//! ```text
//! θ^C_{h,h} = α₁                       θ^C_{h,e} = Σ_m θ^I_{h,m} c_{m,e}
//! θ^I_{h,m} = A_m Σ_k θ^C_{h,k} c_{m,k′}
//! Z         = Σ_r P(r | root) c^L_{r,1} c^R_{r,N}
//! ```
//!
//! The paper's equation 20 applies the operator inside the sum, and its index runs one too far. As the bracketed factors are numbers, the sum comes first here and the operator once
//! per open item, which makes O(nN³ + n²N²) of O(n²N³). Outside vectors are the derivatives of `log Z`, found by running the same sums backwards;
//! `φ^I·θ^I` is then the marginal of the arc. Nothing assumes that numbers are positive.
//!
//! Every tree emits every word once. A factor for each word ([`Scales`]) therefore cancels, and keeps numbers in range.

use corpus::dependency::Direction;

use super::factors::Factors;
use super::operators::{NO_BLOCK, Operators};

/// Vectors are worked on in pieces of this many numbers.
const LANES: usize = 4;

/// Memory, to be used again for the next sentence. Pairs are by direction; rows are by head and then by end, `_by_end` the other way round.
#[derive(Clone, Default, Debug)]
pub(super) struct Tables {
    open: [Vec<f64>; 2],
    closed: [Vec<f64>; 2],
    stopped: [Vec<f64>; 2],
    stopped_by_end: [Vec<f64>; 2],
    open_slope: [Vec<f64>; 2],
    closed_slope: [Vec<f64>; 2],
    stopped_slope: [Vec<f64>; 2],
    stopped_by_end_slope: [Vec<f64>; 2],
}

/// A sentence in terms of one set of automata.
#[derive(Clone, Copy)]
pub(super) struct Input<'s> {
    pub(super) operators: &'s Operators,
    /// α₁ of all automata: with hidden states or without.
    pub(super) initial: &'s [f64],
    pub(super) symbols: &'s [u32],
    /// A factor for each word.
    pub(super) scales: &'s [f64],
}

/// What came out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Outcome {
    /// Z is positive; marginals are written.
    Positive(f64),
    /// Z is zero, negative or not a number.
    Hopeless(f64),
    /// Numbers left the range that they have a precise meaning in; with every scale multiplied by this they should not.
    Rescale(f64),
}

/// Numbers of a chart should keep within these bounds, of which the product of two is still a number.
const SMALL: f64 = 1e-130;
const LARGE: f64 = 1e130;

/// Runs both passes and writes the marginals, `[head number · words + modifier]`.
pub(super) fn run<const S: usize, F: Factors<S>>(
    input: Input<'_>,
    factors: &F,
    tables: &mut Tables,
    marginals: &mut Vec<f64>,
) -> Outcome {
    match input.operators.width {
        4 => run_width::<4, S, F>(input, factors, tables, marginals),
        8 => run_width::<8, S, F>(input, factors, tables, marginals),
        12 => run_width::<12, S, F>(input, factors, tables, marginals),
        16 => run_width::<16, S, F>(input, factors, tables, marginals),
        _ => run_width::<20, S, F>(input, factors, tables, marginals),
    }
}

fn run_width<const W: usize, const S: usize, F: Factors<S>>(
    input: Input<'_>,
    factors: &F,
    tables: &mut Tables,
    marginals: &mut Vec<f64>,
) -> Outcome {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the processor has AVX2 and FMA, as was just asked.
        return unsafe { run_avx2::<W, S, F>(input, factors, tables, marginals) };
    }
    run_with::<false, W, S, F>(input, factors, tables, marginals)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_avx2<const W: usize, const S: usize, F: Factors<S>>(
    input: Input<'_>,
    factors: &F,
    tables: &mut Tables,
    marginals: &mut Vec<f64>,
) -> Outcome {
    run_with::<true, W, S, F>(input, factors, tables, marginals)
}

#[inline(always)]
fn run_with<const FUSED: bool, const W: usize, const S: usize, F: Factors<S>>(
    input: Input<'_>,
    factors: &F,
    tables: &mut Tables,
    marginals: &mut Vec<f64>,
) -> Outcome {
    let words = input.symbols.len();
    let mut pass = Pass::<FUSED, W, S, F> { input, factors, words, tables };
    pass.reset();
    let mut in_range = 0;
    let mut largest = 0.0;
    for length in 1..words {
        let mut top = 0.0_f64;
        for i in 0..words - length {
            let j = i + length;
            pass.open(Direction::Right, i, j);
            pass.open(Direction::Left, j, i);
            top = top.max(pass.close(Direction::Right, i, j)).max(pass.close(Direction::Left, j, i));
        }
        // Not a number counts as too large.
        if top > LARGE || top.is_nan() || top < SMALL {
            return match in_range {
                0 if top == 0.0 => Outcome::Hopeless(0.0),
                0 if top.is_finite() => Outcome::Rescale(top.powf(-1.0 / length as f64)),
                0 => Outcome::Rescale(LARGE.recip()),
                _ if top == 0.0 && largest > SMALL.sqrt() => Outcome::Hopeless(0.0),
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
    pass.start_backwards(z, marginals);
    for length in (1..words).rev() {
        for i in 0..words - length {
            let j = i + length;
            pass.close_backwards(Direction::Right, i, j);
            pass.close_backwards(Direction::Left, j, i);
            marginals[(i + 1) * words + j] = pass.open_backwards(Direction::Right, i, j);
            marginals[(j + 1) * words + i] = pass.open_backwards(Direction::Left, j, i);
        }
    }
    Outcome::Positive(z)
}

struct Pass<'s, const FUSED: bool, const W: usize, const S: usize, F> {
    input: Input<'s>,
    factors: &'s F,
    words: usize,
    tables: &'s mut Tables,
}

fn other(direction: Direction) -> Direction {
    match direction {
        Direction::Left => Direction::Right,
        Direction::Right => Direction::Left,
    }
}

/// `a b + c`, in one step where the processor has one.
#[inline(always)]
fn multiply_add<const FUSED: bool>(a: f64, b: f64, c: f64) -> f64 {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

#[inline(always)]
fn dot<const FUSED: bool, const W: usize>(a: &[f64; W], b: &[f64; W]) -> f64 {
    let mut lanes = [0.0; LANES];
    for (a, b) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            lanes[lane] = multiply_add::<FUSED>(a[lane], b[lane], lanes[lane]);
        }
    }
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
}

#[inline(always)]
fn add<const FUSED: bool, const W: usize>(sum: &mut [f64; W], vector: &[f64; W], factor: f64) {
    for (sum, entry) in sum.iter_mut().zip(vector) {
        *sum = multiply_add::<FUSED>(*entry, factor, *sum);
    }
}

/// The vectors of a table.
#[inline(always)]
fn cells<const W: usize>(table: &[f64]) -> &[[f64; W]] {
    table.as_chunks::<W>().0
}

#[inline(always)]
fn cells_mut<const W: usize>(table: &mut [f64]) -> &mut [[f64; W]] {
    table.as_chunks_mut::<W>().0
}

/// The words `k` between a head and an open item's modifier, without either, and the words `k′`.
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

/// The word beside the head.
#[inline(always)]
fn beside(direction: Direction, head: usize) -> usize {
    match direction {
        Direction::Right => head + 1,
        Direction::Left => head - 1,
    }
}

impl<const FUSED: bool, const W: usize, const S: usize, F: Factors<S>> Pass<'_, FUSED, W, S, F> {
    #[inline(always)]
    fn automaton(&self, direction: Direction, head: usize) -> usize {
        2 * self.input.symbols[head] as usize + direction as usize
    }

    #[inline(always)]
    fn initial(&self, direction: Direction, head: usize) -> &[f64; W] {
        &cells::<W>(self.input.initial)[self.automaton(direction, head)]
    }

    #[inline(always)]
    fn terminal(&self, direction: Direction, head: usize) -> &[f64; W] {
        &cells::<W>(&self.input.operators.terminal)[self.automaton(direction, head)]
    }

    #[inline(always)]
    fn reset(&mut self) {
        let pairs = self.words * self.words;
        let tables = &mut *self.tables;
        let resize = |table: &mut Vec<f64>, size: usize| {
            table.clear();
            table.resize(size, 0.0);
        };
        for table in tables.open.iter_mut().chain(&mut tables.open_slope) {
            resize(table, pairs * W);
        }
        for table in tables.closed.iter_mut().chain(&mut tables.closed_slope) {
            resize(table, pairs * W * S);
        }
        let stopped = tables.stopped.iter_mut().chain(&mut tables.stopped_by_end);
        let slopes = tables.stopped_slope.iter_mut().chain(&mut tables.stopped_by_end_slope);
        for table in stopped.chain(slopes) {
            resize(table, pairs);
        }
        for direction in Direction::BOTH {
            for head in 0..self.words {
                let stop = self.factors.stop(direction, head).0;
                let value =
                    stop * dot::<FUSED, W>(self.initial(direction, head), self.terminal(direction, head));
                self.tables.stopped[direction as usize][head * self.words + head] = value;
                self.tables.stopped_by_end[direction as usize][head * self.words + head] = value;
            }
        }
    }

    /// `A_m v`, scaled.
    #[inline(always)]
    fn apply(&self, automaton: usize, modifier: usize, vector: &[f64; W]) -> [f64; W] {
        let operators = self.input.operators;
        let pair = automaton * operators.symbols + self.input.symbols[modifier] as usize;
        let scale = self.input.scales[modifier];
        let mut result = [0.0; W];
        let block = operators.block_of[pair];
        if block != NO_BLOCK {
            let columns = &cells::<W>(&operators.blocks)[block as usize * operators.states..];
            for (column, &entry) in columns[..operators.states].iter().zip(vector) {
                add::<FUSED, W>(&mut result, column, entry);
            }
            result.iter_mut().for_each(|entry| *entry *= scale);
        }
        let [first, rest] = operators.emit[pair];
        result[W - 1] = scale * (first * vector[W - 2] + rest * vector[W - 1]);
        result
    }

    /// `A_mᵀ v`, scaled.
    #[inline(always)]
    fn apply_transposed(&self, automaton: usize, modifier: usize, vector: &[f64; W]) -> [f64; W] {
        let operators = self.input.operators;
        let pair = automaton * operators.symbols + self.input.symbols[modifier] as usize;
        let scale = self.input.scales[modifier];
        let mut result = [0.0; W];
        let block = operators.block_of[pair];
        if block != NO_BLOCK {
            let columns = &cells::<W>(&operators.blocks)[block as usize * operators.states..];
            for (column, entry) in columns[..operators.states].iter().zip(&mut result) {
                *entry = scale * dot::<FUSED, W>(column, vector);
            }
        }
        let [first, rest] = operators.emit[pair];
        result[W - 2] = scale * first * vector[W - 1];
        result[W - 1] = scale * rest * vector[W - 1];
        result
    }

    #[inline(always)]
    fn open(&mut self, direction: Direction, head: usize, modifier: usize) {
        let n = self.words;
        let (ks, nexts) = between(direction, head, modifier);
        let stopped = &self.tables.stopped[other(direction) as usize][modifier * n..][..n];
        let (first, rest) = self.factors.arc(direction, head, modifier);
        let mut vector = [0.0; W];
        add::<FUSED, W>(&mut vector, self.initial(direction, head), first * stopped[beside(direction, head)]);
        let row = cells::<W>(&self.tables.closed[direction as usize][head * n * S * W..][..n * S * W]);
        let mut sums = [[0.0; W]; S];
        for (cell, &number) in row[ks.start * S..ks.end * S].chunks_exact(S).zip(&stopped[nexts]) {
            for class in 0..S {
                add::<FUSED, W>(&mut sums[class], &cell[class], number);
            }
        }
        for (sum, factor) in sums.iter().zip(rest) {
            add::<FUSED, W>(&mut vector, sum, factor);
        }
        let result = self.apply(self.automaton(direction, head), modifier, &vector);
        cells_mut::<W>(&mut self.tables.open[direction as usize])[head * n + modifier] = result;
    }

    /// Returns the largest number, without its sign.
    #[inline(always)]
    fn close(&mut self, direction: Direction, head: usize, end: usize) -> f64 {
        let n = self.words;
        let range = last_modifiers(direction, head, end);
        let stopped = &self.tables.stopped_by_end[direction as usize][end * n..][range.clone()];
        let open = &cells::<W>(&self.tables.open[direction as usize])[head * n..][range.clone()];
        let mut sums = [[0.0; W]; S];
        for (modifier, (cell, &number)) in range.zip(open.iter().zip(stopped)) {
            add::<FUSED, W>(&mut sums[self.factors.class(modifier)], cell, number);
        }
        let (_, stops) = self.factors.stop(direction, head);
        let terminal = self.terminal(direction, head);
        let mut value = 0.0;
        for (sum, stop) in sums.iter().zip(stops) {
            value += stop * dot::<FUSED, W>(sum, terminal);
        }
        let largest = sums
            .iter()
            .flatten()
            .fold(0.0, |top: f64, entry| if entry.abs() > top { entry.abs() } else { top });
        let cell =
            &mut cells_mut::<W>(&mut self.tables.closed[direction as usize])[(head * n + end) * S..][..S];
        cell.copy_from_slice(&sums);
        self.tables.stopped[direction as usize][head * n + end] = value;
        self.tables.stopped_by_end[direction as usize][end * n + head] = value;
        if value.is_nan() { f64::NAN } else { largest }
    }

    /// `P(r | root)`, scaled, and what it is multiplied by.
    #[inline(always)]
    fn root_parts(&self, word: usize) -> [f64; 3] {
        let n = self.words;
        let symbol = self.input.symbols[word] as usize;
        let weight = self.input.operators.root[symbol] * self.factors.root(word) * self.input.scales[word];
        let left = self.tables.stopped[Direction::Left as usize][word * n];
        let right = self.tables.stopped[Direction::Right as usize][word * n + n - 1];
        [weight, left, right]
    }

    fn partition(&self) -> f64 {
        (0..self.words).map(|word| self.root_parts(word).iter().product::<f64>()).sum()
    }

    fn start_backwards(&mut self, z: f64, marginals: &mut [f64]) {
        let n = self.words;
        for (word, marginal) in marginals.iter_mut().take(n).enumerate() {
            let [weight, left, right] = self.root_parts(word);
            self.tables.stopped_slope[Direction::Left as usize][word * n] += weight * right / z;
            self.tables.stopped_slope[Direction::Right as usize][word * n + n - 1] += weight * left / z;
            *marginal = weight * left * right / z;
        }
    }

    #[inline(always)]
    fn close_backwards(&mut self, direction: Direction, head: usize, end: usize) {
        let (n, side) = (self.words, direction as usize);
        let slope = self.tables.stopped_slope[side][head * n + end]
            + self.tables.stopped_by_end_slope[side][end * n + head];
        let (_, stops) = self.factors.stop(direction, head);
        let terminal = *self.terminal(direction, head);
        let mut slopes = [[0.0; W]; S];
        slopes.copy_from_slice(&cells::<W>(&self.tables.closed_slope[side])[(head * n + end) * S..][..S]);
        for (sum, stop) in slopes.iter_mut().zip(stops) {
            add::<FUSED, W>(sum, &terminal, slope * stop);
        }
        let range = last_modifiers(direction, head, end);
        let tables = &mut *self.tables;
        let stopped = &tables.stopped_by_end[side][end * n..][range.clone()];
        let stopped_slope = &mut tables.stopped_by_end_slope[side][end * n..][range.clone()];
        let open = &cells::<W>(&tables.open[side])[head * n..][range.clone()];
        let open_slope = &mut cells_mut::<W>(&mut tables.open_slope[side])[head * n..][range.clone()];
        for ((modifier, (number, number_slope)), (cell, cell_slope)) in
            range.zip(stopped.iter().zip(stopped_slope)).zip(open.iter().zip(open_slope))
        {
            let slope = &slopes[self.factors.class(modifier)];
            add::<FUSED, W>(cell_slope, slope, *number);
            *number_slope += dot::<FUSED, W>(slope, cell);
        }
    }

    /// Returns the marginal of the arc.
    #[inline(always)]
    fn open_backwards(&mut self, direction: Direction, head: usize, modifier: usize) -> f64 {
        let (n, side, far) = (self.words, direction as usize, other(direction) as usize);
        let slope = cells::<W>(&self.tables.open_slope[side])[head * n + modifier];
        let marginal = dot::<FUSED, W>(&slope, &cells::<W>(&self.tables.open[side])[head * n + modifier]);
        let slope = self.apply_transposed(self.automaton(direction, head), modifier, &slope);
        let (first, rest) = self.factors.arc(direction, head, modifier);
        let of_first = first * dot::<FUSED, W>(&slope, self.initial(direction, head));
        let mut slopes = [[0.0; W]; S];
        for (sum, factor) in slopes.iter_mut().zip(rest) {
            add::<FUSED, W>(sum, &slope, factor);
        }
        let tables = &mut *self.tables;
        let (ks, nexts) = between(direction, head, modifier);
        let stopped = &tables.stopped[far][modifier * n..][..n];
        let stopped_slope = &mut tables.stopped_slope[far][modifier * n..][..n];
        stopped_slope[beside(direction, head)] += of_first;
        let row = &cells::<W>(&tables.closed[side])[head * n * S..][ks.start * S..ks.end * S];
        let row_slope =
            &mut cells_mut::<W>(&mut tables.closed_slope[side])[head * n * S..][ks.start * S..ks.end * S];
        for ((cell, cell_slope), (number, number_slope)) in row
            .chunks_exact(S)
            .zip(row_slope.chunks_exact_mut(S))
            .zip(stopped[nexts.clone()].iter().zip(&mut stopped_slope[nexts]))
        {
            for class in 0..S {
                add::<FUSED, W>(&mut cell_slope[class], &slopes[class], *number);
                *number_slope += dot::<FUSED, W>(&slopes[class], &cell[class]);
            }
        }
        marginal
    }
}
