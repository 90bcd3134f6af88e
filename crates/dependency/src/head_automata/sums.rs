//! The sums that dominate inside–outside: over contiguous cells, each with `S` vectors of `V` packs.
//!
//! Several sums run in parallel to hide the latency of the additions.

use super::pack::{LANES, Pack};

/// Number of parallel sums where a cell is a single vector; with more, short rows take longer.
const CHAINS: usize = 2;

/// A vector in memory.
pub(super) type Stored<T, const V: usize> = [[T; LANES]; V];

/// A cell of a chart: one vector per class of last modifiers.
pub(super) type Cell<T, const V: usize, const S: usize> = [Stored<T, V>; S];

/// The vectors of a table.
#[inline(always)]
pub(super) fn vectors<T, const V: usize>(table: &[T]) -> &[Stored<T, V>] {
    table.as_chunks::<LANES>().0.as_chunks::<V>().0
}

/// The cells of a table.
#[inline(always)]
pub(super) fn cells<T, const V: usize, const S: usize>(table: &[T]) -> &[Cell<T, V, S>] {
    vectors(table).as_chunks::<S>().0
}

/// The cells of a table, mutable.
#[inline(always)]
pub(super) fn cells_mut<T, const V: usize, const S: usize>(table: &mut [T]) -> &mut [Cell<T, V, S>] {
    table.as_chunks_mut::<LANES>().0.as_chunks_mut::<V>().0.as_chunks_mut::<S>().0
}

#[inline(always)]
pub(super) fn load<T: Default, P: Pack<T>, const V: usize>(vector: &Stored<T, V>) -> [P; V] {
    let mut packs = zero::<T, P, V>();
    for at in 0..V {
        packs[at] = P::load(&vector[at]);
    }
    packs
}

#[inline(always)]
pub(super) fn store<T: Copy + Default, P: Pack<T>, const V: usize>(vector: &[P; V]) -> Stored<T, V> {
    let mut numbers = [[T::default(); LANES]; V];
    for at in 0..V {
        numbers[at] = vector[at].store();
    }
    numbers
}

#[inline(always)]
pub(super) fn zero<T: Default, P: Pack<T>, const V: usize>() -> [P; V] {
    [P::splat(T::default()); V]
}

/// `sum += factor · vector`
#[inline(always)]
pub(super) fn add<T, P: Pack<T>, const V: usize>(sum: &mut [P; V], vector: &[P; V], factor: T) {
    let factor = P::splat(factor);
    for at in 0..V {
        sum[at] = vector[at].times_plus(factor, sum[at]);
    }
}

/// `sum += a b`, elementwise.
#[inline(always)]
fn multiply_into<T, P: Pack<T>, const V: usize>(sum: &mut [P; V], a: &[P; V], b: &[P; V]) {
    for at in 0..V {
        sum[at] = a[at].times_plus(b[at], sum[at]);
    }
}

/// The packs of a vector added up.
#[inline(always)]
fn fold<T, P: Pack<T>, const V: usize>(vector: &[P; V]) -> P {
    let mut sum = vector[0];
    for pack in &vector[1..] {
        sum = sum.plus(*pack);
    }
    sum
}

/// The elementwise products of two vectors, added up to one pack.
#[inline(always)]
pub(super) fn products<T: Default, P: Pack<T>, const V: usize>(a: &[P; V], b: &[P; V]) -> P {
    let mut sum = zero::<T, P, V>();
    multiply_into(&mut sum, a, b);
    fold(&sum)
}

/// `a·b`
#[inline(always)]
pub(super) fn dot<T: Default, P: Pack<T>, const V: usize>(a: &[P; V], b: &[P; V]) -> T {
    products(a, b).total()
}

/// Several steps in parallel, and the remainder one by one.
#[inline(always)]
fn in_chains<A, B, T: Default, P: Pack<T>, const V: usize>(
    first: &[A],
    second: &[B],
    step: impl Fn(&mut [P; V], &A, &B),
) -> [P; V] {
    let length = first.len().min(second.len());
    let (first, first_rest) = first[..length].as_chunks::<CHAINS>();
    let (second, second_rest) = second[..length].as_chunks::<CHAINS>();
    let mut sums = [zero::<T, P, V>(); CHAINS];
    for (first, second) in first.iter().zip(second) {
        for chain in 0..CHAINS {
            step(&mut sums[chain], &first[chain], &second[chain]);
        }
    }
    for (first, second) in first_rest.iter().zip(second_rest) {
        step(&mut sums[0], first, second);
    }
    let mut sum = sums[0];
    for at in 0..V {
        sum[at] = sum[at].plus(sums[1][at]);
    }
    sum
}

/// `Σ_i numbers_i cells_i`
#[inline(always)]
pub(super) fn weighted<T: Copy + Default, P: Pack<T>, const V: usize, const S: usize>(
    cells: &[Cell<T, V, S>],
    numbers: &[T],
) -> [[P; V]; S] {
    if S == 1 {
        let sum = weighted_class(cells, 0, numbers);
        return [sum; S];
    }
    let mut sums = [zero::<T, P, V>(); S];
    for (cell, &number) in cells.iter().zip(numbers) {
        for class in 0..S {
            add(&mut sums[class], &load(&cell[class]), number);
        }
    }
    sums
}

/// `Σ_i numbers_i cells_i`, of one class.
#[inline(always)]
pub(super) fn weighted_class<T: Copy + Default, P: Pack<T>, const V: usize, const S: usize>(
    cells: &[Cell<T, V, S>],
    class: usize,
    numbers: &[T],
) -> [P; V] {
    in_chains(cells, numbers, |sum, cell, number| add(sum, &load(&cell[class]), *number))
}

/// `Σ_i a_i·b_i`, as a pack whose values remain to be added up.
#[inline(always)]
pub(super) fn paired<T: Default, P: Pack<T>, const V: usize, const S: usize>(
    a: &[Cell<T, V, S>],
    b: &[Cell<T, V, S>],
) -> P {
    fold(&in_chains(a, b, |sum, a, b| {
        for class in 0..S {
            multiply_into(sum, &load::<T, P, V>(&a[class]), &load(&b[class]));
        }
    }))
}

/// `Σ_i a_i·b_i` with one class of `a`, as a pack whose values remain to be added up.
#[inline(always)]
pub(super) fn paired_class<T: Default, P: Pack<T>, const V: usize, const S: usize>(
    a: &[Cell<T, V, S>],
    class: usize,
    b: &[Cell<T, V, 1>],
) -> P {
    fold(&in_chains(a, b, |sum, a, b| multiply_into(sum, &load::<T, P, V>(&a[class]), &load(&b[0]))))
}

#[cfg(test)]
mod tests {
    use super::super::pack::Plain;
    use super::*;

    #[test]
    fn sums_are_what_they_are_written_as_whatever_their_length() {
        type P = Plain<f64>;
        for length in 0..13 {
            let table: Vec<f64> = (0..length * 24).map(|at| f64::from(at as u32 % 17) - 8.0).collect();
            let numbers: Vec<f64> = (0..length).map(|at| f64::from(at as u32) - 2.5).collect();
            let mut expected = [0.0; 24];
            for (row, number) in table.chunks(24).zip(&numbers) {
                expected.iter_mut().zip(row).for_each(|(sum, entry)| *sum += number * entry);
            }
            let squares: f64 = table.iter().map(|entry| entry * entry).sum();
            let (classes, whole) = (cells::<f64, 1, 3>(&table), cells::<f64, 3, 1>(&table));
            let sums = weighted::<f64, P, 1, 3>(classes, &numbers).map(|sum| store(&sum)[0]);
            assert_eq!(sums.as_flattened(), expected);
            assert_eq!(weighted_class::<f64, P, 1, 3>(classes, 1, &numbers)[0].store(), expected[8..16]);
            let sum = store(&weighted::<f64, P, 3, 1>(whole, &numbers)[0]);
            assert_eq!(sum.as_flattened(), expected);
            assert_eq!(paired::<f64, P, 1, 3>(classes, classes).total(), squares);
            assert_eq!(paired_class::<f64, P, 3, 1>(whole, 0, whole).total(), squares);
            if let Some([first]) = whole.first() {
                let first = load::<f64, P, 3>(first);
                assert_eq!(dot(&first, &first), table[..24].iter().map(|entry| entry * entry).sum::<f64>());
            }
        }
    }
}
