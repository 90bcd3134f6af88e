//! Expansion of statements into a grammar: categories are created as derivations from the root need them.

use hashbrown::HashMap;

use super::statement::{Alternative, Body, Definition, Feature, Kind, Pattern, Statements, Values};
use crate::error::Position;
use crate::ids::Id;
use crate::synthetic::builder::GrammarBuilder;
use crate::synthetic::error::{GrammarError, GrammarProblem};
use crate::synthetic::lpcfg::{LatentGrammar, StateId};

/// Maximum number of rules and expansion steps; more than this is a mistake in the grammar.
const MAX_RULES: usize = 200_000;

/// Maximum number of children of a rule after expansion.
const MAX_CHILDREN: usize = 200;

/// Maximum nesting of fragments; deeper nesting means that a fragment contains itself.
const MAX_NESTING: u32 = 64;

type Bindings = Vec<(String, String)>;

/// A sequence of categories and fragments, each with its position in the text, and a weight.
type Weighted = (Vec<(Instance, Position)>, f64);

/// A category or fragment without variables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Instance {
    kind: Kind,
    label: String,
    features: Vec<String>,
    literal: Option<String>,
}

impl Instance {
    fn name(&self) -> String {
        let sign = if self.kind == Kind::Fragment { "&" } else { "" };
        match self.features.is_empty() {
            true => format!("{sign}{}", self.label),
            false => format!("{sign}{}[{}]", self.label, self.features.join(",")),
        }
    }

    /// The name of the hidden state in the grammar.
    fn state_name(&self) -> String {
        match &self.literal {
            Some(word) => format!("={word}"),
            None => self.features.join(","),
        }
    }
}

struct Expander<'s> {
    variables: &'s HashMap<String, Values>,
    definitions: &'s [Definition],
    by_name: HashMap<(Kind, &'s str, usize), Vec<usize>>,
    /// Whether some derivation has used the definition.
    used: Vec<bool>,
    builder: GrammarBuilder,
    /// By state id: the instance, and where it was first needed.
    wanted: Vec<(Instance, Position)>,
    /// Number of rules so far, including the steps towards them.
    rules: usize,
}

/// A partially expanded sequence of categories.
struct Partial {
    done: Vec<(Instance, Position)>,
    /// Remaining items, last one first, with their nesting of fragments.
    pending: Vec<(Instance, Position, u32)>,
    weight: f64,
}

/// Builds the grammar.
pub(super) fn expand(statements: Statements) -> Result<LatentGrammar, GrammarError> {
    let mut by_name: HashMap<(Kind, &str, usize), Vec<usize>> = HashMap::new();
    for (index, definition) in statements.definitions.iter().enumerate() {
        let left = &definition.left;
        by_name.entry((left.kind, &left.label, left.features.len())).or_default().push(index);
    }
    let mut expander = Expander {
        variables: &statements.variables,
        definitions: &statements.definitions,
        by_name,
        used: vec![false; statements.definitions.len()],
        builder: GrammarBuilder::new(),
        wanted: Vec::new(),
        rules: 0,
    };
    expander.check_variables(&statements.roots)?;
    for root in &statements.roots {
        for (children, weight) in expander.spell_out(root, &Vec::new())? {
            let [(instance, position)] = &children[..] else {
                let problem = GrammarProblem::Syntax {
                    expected: "one category as root".into(),
                    found: "several or none".into(),
                };
                return Err(problem.at(Some(root.position)));
            };
            let state = expander.want(instance, *position);
            expander.builder.root(state, weight, Some(*position))?;
        }
    }
    let mut next = 0;
    while let Some((instance, position)) = expander.wanted.get(next).cloned() {
        let state = StateId::new(next).expect("the builder has given this id before");
        expander.define(state, &instance, position)?;
        next += 1;
    }
    if expander.wanted.is_empty() {
        return Err(GrammarProblem::NoRoot.at(None));
    }
    expander.check_used()?;
    expander.builder.build(statements.capitalization)
}

impl<'s> Expander<'s> {
    /// The state of a category. A new state is queued for definition.
    fn want(&mut self, instance: &Instance, position: Position) -> StateId {
        let state = self.builder.state(&instance.label, &instance.state_name(), Some(position));
        if state.index() == self.wanted.len() {
            self.wanted.push((instance.clone(), position));
        }
        state
    }

    /// Adds the rules or words of a state.
    fn define(
        &mut self,
        state: StateId,
        instance: &Instance,
        position: Position,
    ) -> Result<(), GrammarError> {
        if let Some(word) = &instance.literal {
            return self.builder.word(state, word, 1.0, Some(position));
        }
        for (index, bindings) in self.matching(instance, position)? {
            let definition = &self.definitions[index];
            match &definition.body {
                Body::Words(words) => {
                    for (word, weight) in words {
                        self.builder.word(state, word, *weight, Some(definition.left.position))?;
                    }
                }
                Body::Rules(alternatives) => {
                    for alternative in alternatives {
                        for (children, weight) in self.spell_out(alternative, &bindings)? {
                            let children: Vec<StateId> = children
                                .iter()
                                .map(|(child, position)| self.want(child, *position))
                                .collect();
                            self.builder.rule(state, &children, weight, Some(alternative.position))?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The definitions whose left side matches, with the values of their variables. They are marked as used.
    fn matching(
        &mut self,
        instance: &Instance,
        position: Position,
    ) -> Result<Vec<(usize, Bindings)>, GrammarError> {
        let key = (instance.kind, instance.label.as_str(), instance.features.len());
        let candidates = self.by_name.get(&key).map_or(&[][..], Vec::as_slice);
        let mut found = Vec::new();
        for &index in candidates {
            if let Some(bindings) = self.bind(&self.definitions[index].left, instance) {
                found.push((index, bindings));
                self.used[index] = true;
            }
        }
        if found.is_empty() {
            return Err(GrammarProblem::Undefined { symbol: instance.name() }.at(Some(position)));
        }
        Ok(found)
    }

    fn bind(&self, left: &Pattern, instance: &Instance) -> Option<Bindings> {
        let mut bindings: Bindings = Vec::new();
        for (feature, value) in left.features.iter().zip(&instance.features) {
            match feature {
                Feature::Value(wanted) if wanted == value => {}
                Feature::Value(_) => return None,
                Feature::Variable(name) => {
                    let values = self.variables.get(name)?;
                    let bound = bindings.iter().find(|(seen, _)| seen == name);
                    if !values.admit(value) || bound.is_some_and(|(_, seen)| seen != value) {
                        return None;
                    }
                    bindings.push((name.clone(), value.clone()));
                }
            }
        }
        Some(bindings)
    }

    /// Expands an alternative over its free variables and its fragments.
    fn spell_out(
        &mut self,
        alternative: &Alternative,
        bindings: &Bindings,
    ) -> Result<Vec<Weighted>, GrammarError> {
        let mut agenda: Vec<Partial> = Vec::new();
        for (items, weight) in self.instances(alternative, bindings)? {
            let pending =
                items.into_iter().rev().map(|(instance, position)| (instance, position, 0)).collect();
            agenda.push(Partial { done: Vec::new(), pending, weight: alternative.weight * weight });
        }
        let mut results = Vec::new();
        while let Some(mut partial) = agenda.pop() {
            self.rules += 1;
            if self.rules > MAX_RULES || partial.done.len() + partial.pending.len() > MAX_CHILDREN {
                return Err(GrammarProblem::TooLarge { limit: MAX_RULES }.at(Some(alternative.position)));
            }
            let fragment = loop {
                match partial.pending.pop() {
                    None => break None,
                    Some((instance, position, nesting)) if instance.kind == Kind::Fragment => {
                        break Some((instance, position, nesting));
                    }
                    Some((instance, position, _)) => partial.done.push((instance, position)),
                }
            };
            let Some((fragment, position, nesting)) = fragment else {
                results.push((partial.done, partial.weight));
                continue;
            };
            if nesting >= MAX_NESTING {
                return Err(GrammarProblem::FragmentLoop { name: fragment.name() }.at(Some(position)));
            }
            for (items, share) in self.fragment_bodies(&fragment, position)? {
                let mut pending = partial.pending.clone();
                pending.extend(items.into_iter().rev().map(|(instance, at)| (instance, at, nesting + 1)));
                agenda.push(Partial { done: partial.done.clone(), pending, weight: partial.weight * share });
            }
        }
        // The agenda is a stack, so the last alternative is finished first.
        results.reverse();
        Ok(results)
    }

    /// The alternatives of a fragment with shares that sum to 1.
    fn fragment_bodies(
        &mut self,
        fragment: &Instance,
        position: Position,
    ) -> Result<Vec<Weighted>, GrammarError> {
        let mut bodies = Vec::new();
        for (index, bindings) in self.matching(fragment, position)? {
            let Body::Rules(alternatives) = &self.definitions[index].body else { continue };
            for alternative in alternatives {
                for (items, weight) in self.instances(alternative, &bindings)? {
                    bodies.push((items, alternative.weight * weight));
                }
            }
        }
        let total: f64 = bodies.iter().map(|(_, weight)| weight).sum();
        bodies.iter_mut().for_each(|(_, weight)| *weight /= total);
        Ok(bodies)
    }

    /// The items of an alternative for every choice of values of its free variables, with shares that sum to 1.
    fn instances(
        &self,
        alternative: &Alternative,
        bindings: &Bindings,
    ) -> Result<Vec<Weighted>, GrammarError> {
        let mut choices: Vec<(Bindings, f64)> = vec![(bindings.clone(), 1.0)];
        for name in variables_of(&alternative.items) {
            if bindings.iter().any(|(bound, _)| bound == name) {
                continue;
            }
            let Some(Values::Listed(values)) = self.variables.get(name) else {
                let (expected, found) =
                    ("a variable with listed values, or one bound on the left", format!("${name}"));
                let problem = GrammarProblem::Syntax { expected: expected.into(), found };
                return Err(problem.at(Some(alternative.position)));
            };
            if choices.len().saturating_mul(values.len()) > MAX_RULES {
                return Err(GrammarProblem::TooLarge { limit: MAX_RULES }.at(Some(alternative.position)));
            }
            let mut longer = Vec::new();
            for (choice, share) in &choices {
                for (value, weight) in values {
                    let mut choice = choice.clone();
                    choice.push((name.to_owned(), value.clone()));
                    longer.push((choice, share * weight));
                }
            }
            choices = longer;
        }
        let fill = |(choice, share): (Bindings, f64)| {
            let items = alternative.items.iter().map(|item| (item.fill(&choice), item.position)).collect();
            (items, share)
        };
        Ok(choices.into_iter().map(fill).collect())
    }

    fn check_variables(&self, roots: &[Alternative]) -> Result<(), GrammarError> {
        let in_rules = self.definitions.iter().filter_map(|definition| match &definition.body {
            Body::Rules(alternatives) => Some(alternatives),
            Body::Words(_) => None,
        });
        let items = in_rules.flatten().chain(roots).flat_map(|alternative| &alternative.items);
        for pattern in items.chain(self.definitions.iter().map(|definition| &definition.left)) {
            for name in variables_of(std::slice::from_ref(pattern)) {
                if !self.variables.contains_key(name) {
                    let problem = GrammarProblem::UnknownVariable { name: name.to_owned() };
                    return Err(problem.at(Some(pattern.position)));
                }
            }
        }
        Ok(())
    }

    /// Checks that every statement takes part in some derivation.
    fn check_used(&self) -> Result<(), GrammarError> {
        for definitions in self.definitions.chunk_by(|a, b| a.statement == b.statement) {
            let first = &definitions[0];
            let same =
                self.definitions.iter().zip(&self.used).filter(|(d, _)| d.statement == first.statement);
            if !same.into_iter().any(|(_, &used)| used) {
                let symbol = first.left.display();
                return Err(GrammarProblem::Unreachable { symbol }.at(Some(first.left.position)));
            }
        }
        Ok(())
    }
}

fn variables_of(items: &[Pattern]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for feature in items.iter().flat_map(|item| &item.features) {
        match feature {
            Feature::Variable(name) if !names.contains(&name.as_str()) => names.push(name),
            _ => {}
        }
    }
    names
}

impl Pattern {
    /// The instance under the bindings, which bind all variables of the pattern.
    fn fill(&self, bindings: &Bindings) -> Instance {
        let value = |feature: &Feature| match feature {
            Feature::Value(value) => value.clone(),
            Feature::Variable(name) => {
                let bound = bindings.iter().find(|(bound, _)| bound == name);
                bound.map(|(_, value)| value.clone()).unwrap_or_default()
            }
        };
        Instance {
            kind: self.kind,
            label: self.label.clone(),
            features: self.features.iter().map(value).collect(),
            literal: self.literal.clone(),
        }
    }

    fn display(&self) -> String {
        let value = |feature: &Feature| match feature {
            Feature::Value(value) => value.clone(),
            Feature::Variable(name) => format!("${name}"),
        };
        let features = self.features.iter().map(value).collect();
        Instance { kind: self.kind, label: self.label.clone(), features, literal: None }.name()
    }
}
