//! The most probable tree of automata without hidden states.
//!
//! The state of such an automaton is known from the modifiers: whether there was one, and the class of the last. Eisner and
//! Satta's (1999) half-constituents, as in [`inside_outside`](super::inside_outside), then carry the best logarithm of each
//! class instead of a vector. With hidden states the same maximum would have to sum over paths of states within a tree and
//! maximise over trees, which is intractable (Luque et al. 2012, section 4).

use corpus::dependency::{Direction, Head};

use super::deterministic::{FIRST, REST};
use super::factors::{FactorTable, MAX_CLASSES};
use super::operators::Operators;

/// A half-constituent and what it was made of.
#[derive(Clone, Copy, Debug)]
struct Item {
    log: f64,
    /// The end of the closed item below an open one, the last modifier of a closed one.
    from: u32,
    /// The class of the last modifier of the closed item below an open one or at a stop; [`NONE`] if there is no modifier.
    class: u8,
}

const NONE: u8 = MAX_CLASSES as u8;
const NOTHING: Item = Item { log: f64::NEG_INFINITY, from: 0, class: NONE };

impl Item {
    fn improve(&mut self, log: f64, from: usize, class: u8) {
        if log > self.log {
            *self = Item { log, from: from as u32, class };
        }
    }
}

/// Scratch memory, reused between sentences. Rows are by direction, then by head, then by end.
#[derive(Clone, Default, Debug)]
pub(super) struct Chart {
    open: Vec<Item>,
    closed: Vec<[Item; MAX_CLASSES]>,
    stopped: Vec<Item>,
}

/// A sentence encoded for automata without hidden states.
#[derive(Clone, Copy)]
pub(super) struct Sentence<'s> {
    pub(super) operators: &'s Operators,
    pub(super) symbols: &'s [u32],
    pub(super) factors: &'s FactorTable,
}

impl Sentence<'_> {
    fn words(&self) -> usize {
        self.symbols.len()
    }

    fn automaton(&self, direction: Direction, head: usize) -> usize {
        2 * self.symbols[head] as usize + direction as usize
    }

    /// Of an arc, after modifiers of this class.
    fn arc(&self, direction: Direction, head: usize, modifier: usize, class: u8) -> f64 {
        let (words, symbols) = (self.words(), self.operators.symbols);
        let pair = self.automaton(direction, head) * symbols + self.symbols[modifier] as usize;
        let factors = self.factors.arcs[(direction as usize * words + head) * words + modifier];
        (self.operators.emit[pair][state(class)] * factors[place(class)]).ln()
    }

    /// Of the end of a sequence whose last modifier has this class.
    fn stop(&self, direction: Direction, head: usize, class: u8) -> f64 {
        let width = self.operators.width;
        let terminal =
            self.operators.terminal[self.automaton(direction, head) * width + width - 2 + state(class)];
        let factors = self.factors.stops[direction as usize * self.words() + head];
        (terminal * factors[place(class)]).ln()
    }

    fn root(&self, word: usize) -> f64 {
        (self.operators.root[self.symbols[word] as usize] * self.factors.roots[word]).ln()
    }
}

fn state(class: u8) -> usize {
    if class == NONE { FIRST } else { REST }
}

/// Where tables of factors have a class: no modifier comes first.
fn place(class: u8) -> usize {
    if class == NONE { 0 } else { usize::from(class) + 1 }
}

/// The words from `from` towards `to`, in the direction, without `to`.
fn walk(direction: Direction, from: usize, to: usize) -> impl Iterator<Item = usize> {
    let steps = from.abs_diff(to);
    (0..steps).map(move |step| match direction {
        Direction::Right => from + step,
        Direction::Left => from - step,
    })
}

/// The next word in a direction, which must exist.
fn after(direction: Direction, word: usize) -> usize {
    match direction {
        Direction::Right => word + 1,
        Direction::Left => word - 1,
    }
}

fn other(direction: Direction) -> Direction {
    match direction {
        Direction::Left => Direction::Right,
        Direction::Right => Direction::Left,
    }
}

impl Chart {
    /// Writes the heads of the most probable tree and returns the logarithm of its probability; `None` if every tree is
    /// impossible.
    pub(super) fn decode(&mut self, sentence: Sentence<'_>, heads: &mut Vec<Head>) -> Option<f64> {
        let words = sentence.words();
        self.open.clear();
        self.open.resize(2 * words * words, NOTHING);
        self.closed.clear();
        self.closed.resize(2 * words * words, [NOTHING; MAX_CLASSES]);
        self.stopped.clear();
        self.stopped.resize(2 * words * words, NOTHING);
        for direction in Direction::BOTH {
            for head in 0..words {
                let log = sentence.stop(direction, head, NONE);
                self.stopped[at(words, direction, head, head)].improve(log, head, NONE);
            }
        }
        for length in 1..words {
            for left in 0..words - length {
                let right = left + length;
                self.open(sentence, Direction::Right, left, right);
                self.open(sentence, Direction::Left, right, left);
                self.close(sentence, Direction::Right, left, right);
                self.close(sentence, Direction::Left, right, left);
            }
        }
        let mut best = NOTHING;
        for word in 0..words {
            let left = self.stopped[at(words, Direction::Left, word, 0)].log;
            let right = self.stopped[at(words, Direction::Right, word, words - 1)].log;
            best.improve(sentence.root(word) + left + right, word, NONE);
        }
        (best.log > f64::NEG_INFINITY).then(|| {
            self.trace(words, best.from as usize, heads);
            best.log
        })
    }

    fn open(&mut self, sentence: Sentence<'_>, direction: Direction, head: usize, modifier: usize) {
        let words = sentence.words();
        // The side of the modifier that faces the head.
        let facing = |end: usize| at(words, other(direction), modifier, end);
        let mut best = NOTHING;
        let first = sentence.arc(direction, head, modifier, NONE);
        best.improve(first + self.stopped[facing(after(direction, head))].log, head, NONE);
        let rest = [0, 1, 2].map(|class| sentence.arc(direction, head, modifier, class));
        for end in walk(direction, after(direction, head), modifier) {
            let faced = self.stopped[facing(after(direction, end))].log;
            let closed = &self.closed[at(words, direction, head, end)];
            for ((class, item), arc) in (0_u8..).zip(closed).zip(rest) {
                best.improve(item.log + arc + faced, end, class);
            }
        }
        self.open[at(words, direction, head, modifier)] = best;
    }

    fn close(&mut self, sentence: Sentence<'_>, direction: Direction, head: usize, end: usize) {
        let words = sentence.words();
        let mut best = [NOTHING; MAX_CLASSES];
        for modifier in walk(direction, after(direction, head), end).chain([end]) {
            let log = self.open[at(words, direction, head, modifier)].log
                + self.stopped[at(words, direction, modifier, end)].log;
            let class = sentence.factors.classes[modifier];
            best[usize::from(class)].improve(log, modifier, class);
        }
        let mut stopped = NOTHING;
        for (class, item) in (0_u8..).zip(&best) {
            stopped.improve(item.log + sentence.stop(direction, head, class), end, class);
        }
        self.closed[at(words, direction, head, end)] = best;
        self.stopped[at(words, direction, head, end)] = stopped;
    }

    /// Follows the items of the best tree back to its arcs.
    fn trace(&self, words: usize, root: usize, heads: &mut Vec<Head>) {
        heads.clear();
        heads.resize(words, Head::ROOT);
        let mut waiting = vec![(Direction::Left, root, 0), (Direction::Right, root, words - 1)];
        while let Some((direction, head, end)) = waiting.pop() {
            let (mut end, mut class) = (end, self.stopped[at(words, direction, head, end)].class);
            while class != NONE {
                let modifier = self.closed[at(words, direction, head, end)][usize::from(class)].from as usize;
                heads[modifier] = Head::word(head).unwrap_or(Head::ROOT);
                waiting.push((direction, modifier, end));
                let below = self.open[at(words, direction, head, modifier)];
                (end, class) = (below.from as usize, below.class);
                waiting.push((other(direction), modifier, after(direction, end)));
            }
        }
    }
}

fn at(words: usize, direction: Direction, head: usize, end: usize) -> usize {
    (direction as usize * words + head) * words + end
}
