//! What the labels of symbols encode: the phrase they belong to, their siblings and ancestors.

use corpus::ids::Id;
use corpus::tree::marks::{self, ANCESTOR, INTERMEDIATE, SIBLING};
use corpus::vocab::VocabBuilder;
use hashbrown::HashMap;

use crate::grammar::{BinaryRule, SymbolId, SymbolKind, SymbolTable};

corpus::define_ids! {
    /// A symbol without its ancestors, as it occurs in any phrase.
    Plain;
    /// The top label of a chain.
    Top;
    /// A kind of parent.
    Level;
    /// The ancestors recorded in a label.
    Lineage;
}

type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// The side of the rest on which the sister stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Side {
    Left,
    Right,
}

/// A rule as two steps: a sister is split off, then either more follow or one child is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Steps {
    pub(super) side: Side,
    pub(super) sister: Plain,
    /// The last child; `None` if more follow.
    pub(super) last: Option<Plain>,
}

/// A label split into parts: `@VP^S~NP` is an intermediate `VP` below `S` next to `NP`.
struct Parts<'s> {
    is_intermediate: bool,
    base: &'s str,
    bottom: &'s str,
    ancestors: &'s str,
    siblings: Vec<&'s str>,
}

impl<'s> Parts<'s> {
    fn of(label: &'s str) -> Self {
        let (head, siblings) = label.split_once(SIBLING).unwrap_or((label, ""));
        let (base, ancestors) = head.split_once(ANCESTOR).unwrap_or((head, ""));
        let is_intermediate = marks::is_intermediate(base);
        let bottom = marks::chain_bottom(base);
        Self {
            is_intermediate,
            base,
            bottom: if is_intermediate {
                bottom.strip_prefix(INTERMEDIATE).unwrap_or(bottom)
            } else {
                bottom
            },
            ancestors,
            siblings: if siblings.is_empty() { Vec::new() } else { siblings.split(SIBLING).collect() },
        }
    }

    /// The labels of increasingly general kinds of parents. They drop first the ancestors, then the siblings (the
    /// farthest first), then the top of the chain, then the position in the phrase, then the phrase.
    fn levels(&self, label: &str) -> Vec<String> {
        let mut levels = vec![label.to_owned()];
        for kept in (0..=self.siblings.len()).rev() {
            let mut level = self.base.to_owned();
            for sibling in &self.siblings[..kept] {
                level.push(SIBLING);
                level.push_str(sibling);
            }
            levels.push(level);
        }
        if !self.is_intermediate {
            levels.push(self.bottom.to_owned());
        }
        levels.dedup();
        // No label begins with these: a mark follows something or is escaped.
        levels.push(format!("{SIBLING}{}", self.bottom));
        levels.push(SIBLING.to_string());
        levels
    }
}

/// The parsed labels of a symbol table.
pub(super) struct Labels<'s> {
    symbols: &'s SymbolTable,
    parts: Vec<Parts<'s>>,
    /// The number of siblings that intermediate labels record.
    horizontal: usize,
    /// For each symbol, its plain form.
    plain: Vec<Plain>,
    /// For each plain symbol, its top label.
    tops: Vec<Top>,
    top_labels: VocabBuilder<Top>,
    /// For each phrase its kinds, the most specific first. The last two are its category and the kind of all phrases.
    levels: Vec<Vec<Level>>,
    /// For each phrase, the ancestors of its child phrases and of its child preterminals.
    lineages: Vec<[Lineage; 2]>,
    /// Symbols by plain form and ancestors.
    by_lineage: Map<(Plain, Lineage), SymbolId>,
    kinds: Vec<SymbolKind>,
}

impl<'s> Labels<'s> {
    pub(super) fn new(symbols: &'s SymbolTable) -> Self {
        let parts: Vec<Parts<'s>> = symbols.iter().map(|symbol| Parts::of(symbols.label(symbol))).collect();
        let kind = |symbol: SymbolId| symbols.kind(symbol);
        let depth = |of: SymbolKind| {
            let depths = symbols.iter().zip(&parts).filter(|(symbol, _)| kind(*symbol) == of);
            depths.map(|(_, parts)| ancestor_count(parts.ancestors)).max().unwrap_or(0)
        };
        let depths = [depth(SymbolKind::Phrase), depth(SymbolKind::Preterminal)];
        let mut plain_labels = [VocabBuilder::<Plain>::new(), VocabBuilder::new()];
        let mut top_labels = VocabBuilder::<Top>::new();
        let mut level_labels = VocabBuilder::<Level>::new();
        let mut lineage_labels = VocabBuilder::<Lineage>::new();
        // A phrase and a preterminal with the same label are different; preterminals are numbered after phrases.
        for (symbol, parts) in symbols.iter().zip(&parts) {
            plain_labels[kind_index(kind(symbol))].intern(parts.base);
        }
        let phrases = plain_labels[0].len();
        let mut kinds = vec![SymbolKind::Phrase; phrases];
        kinds.resize(phrases + plain_labels[1].len(), SymbolKind::Preterminal);
        let mut tops = vec![None; kinds.len()];
        let mut plain = Vec::with_capacity(parts.len());
        let mut levels = Vec::new();
        let mut lineages = Vec::new();
        let mut by_lineage = Map::with_hasher(foldhash::fast::FixedState::with_seed(1));
        for (symbol, parts) in symbols.iter().zip(&parts) {
            let kind = kind_index(kind(symbol));
            let id = plain_labels[kind].intern(parts.base).index() + kind * phrases;
            let id = Plain::new(id).expect("fewer plain symbols than symbols");
            plain.push(id);
            tops[id.index()] = Some(top_labels.intern(marks::chain_top(parts.base)));
            if parts.siblings.is_empty() {
                by_lineage.insert((id, lineage_labels.intern(parts.ancestors)), symbol);
            }
            if symbols.kind(symbol) == SymbolKind::Phrase {
                let labels = parts.levels(symbols.label(symbol));
                levels.push(labels.iter().map(|label| level_labels.intern(label)).collect());
                let below = if parts.ancestors.is_empty() {
                    parts.bottom.to_owned()
                } else {
                    format!("{}{ANCESTOR}{}", parts.bottom, parts.ancestors)
                };
                lineages.push(depths.map(|depth| lineage_labels.intern(nearest(&below, depth))));
            }
        }
        let tops = tops.into_iter().map(|top| top.expect("each plain symbol is that of a symbol")).collect();
        let horizontal = parts.iter().map(|parts| parts.siblings.len()).max().unwrap_or(0);
        Self { symbols, parts, horizontal, plain, tops, top_labels, levels, lineages, by_lineage, kinds }
    }

    /// The kinds of a parent, the most specific first.
    pub(super) fn levels(&self, parent: SymbolId) -> &[Level] {
        &self.levels[parent.index()]
    }

    /// The top label of a child.
    pub(super) fn top(&self, child: Plain) -> Top {
        self.tops[child.index()]
    }

    /// The symbol for `child` below `parent`.
    pub(super) fn child(&self, parent: SymbolId, child: Plain) -> Option<SymbolId> {
        let lineage = self.lineages[parent.index()][kind_index(self.kinds[child.index()])];
        self.by_lineage.get(&(child, lineage)).copied()
    }

    /// The intermediate symbol below `parent` after a sister with this top label was split off.
    pub(super) fn rest(&self, parent: SymbolId, sister: Top) -> Option<SymbolId> {
        let parts = &self.parts[parent.index()];
        let mut label = format!("{INTERMEDIATE}{}", parts.bottom);
        if !parts.ancestors.is_empty() {
            label.push(ANCESTOR);
            label.push_str(parts.ancestors);
        }
        let siblings = std::iter::once(self.top_labels.text(sister)).chain(parts.siblings.iter().copied());
        for sibling in siblings.take(self.horizontal) {
            label.push(SIBLING);
            label.push_str(sibling);
        }
        self.symbols.get(SymbolKind::Phrase, &label)
    }

    /// The steps of a rule. A rule with two children that are not intermediate symbols splits off the one on `side`.
    /// `None` for rules that no normal form produces.
    pub(super) fn steps(&self, rule: BinaryRule, side: Side) -> Option<Steps> {
        let is_rest = |symbol: SymbolId| self.parts[symbol.index()].is_intermediate;
        let plain = |symbol: SymbolId| self.plain[symbol.index()];
        let steps = match (is_rest(rule.left), is_rest(rule.right)) {
            (true, true) => return None,
            (true, false) => Steps { side: Side::Right, sister: plain(rule.right), last: None },
            (false, true) => Steps { side: Side::Left, sister: plain(rule.left), last: None },
            (false, false) => {
                let (sister, last) = match side {
                    Side::Left => (rule.left, rule.right),
                    Side::Right => (rule.right, rule.left),
                };
                Steps { side, sister: plain(sister), last: Some(plain(last)) }
            }
        };
        (self.rule(rule.parent, steps) == Some(rule)).then_some(steps)
    }

    /// The rule with these steps, if its symbols exist.
    pub(super) fn rule(&self, parent: SymbolId, steps: Steps) -> Option<BinaryRule> {
        let sister = self.child(parent, steps.sister)?;
        let rest = match steps.last {
            Some(last) => self.child(parent, last)?,
            None => self.rest(parent, self.top(steps.sister))?,
        };
        Some(match steps.side {
            Side::Left => BinaryRule { parent, left: sister, right: rest },
            Side::Right => BinaryRule { parent, left: rest, right: sister },
        })
    }

    /// The side on which most intermediate nodes have their sister.
    pub(super) fn usual_side(&self, rules: &[BinaryRule]) -> Side {
        let is_rest = |symbol: SymbolId| self.parts[symbol.index()].is_intermediate;
        let left = rules.iter().filter(|rule| is_rest(rule.right)).count();
        let right = rules.iter().filter(|rule| is_rest(rule.left)).count();
        if left > right { Side::Left } else { Side::Right }
    }
}

fn kind_index(kind: SymbolKind) -> usize {
    match kind {
        SymbolKind::Phrase => 0,
        SymbolKind::Preterminal => 1,
    }
}

fn ancestor_count(ancestors: &str) -> usize {
    if ancestors.is_empty() { 0 } else { ancestors.split(ANCESTOR).count() }
}

/// The first `count` of these ancestors.
fn nearest(ancestors: &str, count: usize) -> &str {
    if count == 0 {
        return "";
    }
    ancestors.match_indices(ANCESTOR).nth(count - 1).map_or(ancestors, |(end, _)| &ancestors[..end])
}
