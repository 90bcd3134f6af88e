//! Distributions that back off to less specific contexts.

use hashbrown::HashMap;

use super::config::{Discount, LowerOrder};

type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// A context: two numbers whose meaning is up to the caller.
pub(super) type Key = (u32, u32);

/// `p(event | contexts)` for a chain of contexts, the most specific first. With counts `c`, their sum `n`, the number
/// `t` of different events in a context, and the probability `p'` given by the next context,
///
/// ```text
/// p(e) = (c(e) - d + (θ + d t) p'(e)) / (n + θ)
/// ```
///
/// The last context of a chain is not discounted unless the caller provides a `p'` for it.
#[derive(Debug)]
pub(super) struct Backoff {
    discount: Discount,
    lower: LowerOrder,
    counts: Map<(Key, u32), f64>,
    contexts: Map<Key, Context>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Context {
    total: f64,
    types: f64,
}

impl Backoff {
    pub(super) fn new(discount: Discount, lower: LowerOrder) -> Self {
        let state = foldhash::fast::FixedState::with_seed(1);
        Self { discount, lower, counts: Map::with_hasher(state.clone()), contexts: Map::with_hasher(state) }
    }

    /// Counts an event in all contexts of a chain.
    pub(super) fn observe(&mut self, chain: impl IntoIterator<Item = Key>, event: u32, count: f64) {
        let mut count = count;
        for key in chain {
            let seen = self.counts.entry((key, event)).or_insert(0.0);
            let context = self.contexts.entry(key).or_default();
            let is_new = *seen == 0.0;
            *seen += count;
            context.total += count;
            context.types += f64::from(u8::from(is_new));
            count = match self.lower {
                LowerOrder::Counts => count,
                LowerOrder::Types if is_new => 1.0,
                LowerOrder::Types => return,
            };
        }
    }

    /// The probability of an event, with no back-off beyond the last context.
    pub(super) fn probability(&self, chain: impl DoubleEndedIterator<Item = Key>, event: u32) -> f64 {
        let mut below = None;
        for key in chain.rev() {
            let Some(context) = self.contexts.get(&key) else { continue };
            let count = self.counts.get(&(key, event)).copied().unwrap_or(0.0);
            below = Some(match below {
                None => count / context.total,
                Some(p) => self.interpolate(*context, count, p),
            });
        }
        below.unwrap_or(0.0)
    }

    /// The probability of an event in the single context `key`, backing off to `base`.
    pub(super) fn probability_over(&self, key: Key, event: u32, base: f64) -> f64 {
        let Some(context) = self.contexts.get(&key) else { return base };
        let count = self.counts.get(&(key, event)).copied().unwrap_or(0.0);
        self.interpolate(*context, count, base)
    }

    fn interpolate(&self, context: Context, count: f64, lower: f64) -> f64 {
        self.discount.interpolate(count, context.total, context.types, lower)
    }
}
