//! Model file sections of a PCFG.

use corpus::ids::Id;
use serde::{Deserialize, Serialize};

use super::model::Pcfg;
use crate::grammar::{BinaryRule, RuleTable, SmoothedRules, SymbolId, SymbolKind, SymbolTable};
use crate::lexicon::Lexicon;
use models::persist::{Container, ContainerWriter, LoadError, ModelFile};

/// The part of the model that is not an array.
#[derive(Serialize, Deserialize)]
struct Form {
    top: Option<String>,
    vertical: usize,
}

impl ModelFile for Pcfg {
    const FAMILY: &'static str = "pcfg";
    // The version of the sections below. 1: symbols, rules as counts and as smoothed counts, roots as counts, lexicon.
    const FORMAT: u32 = 1;
    const DESCRIPTION: &'static str = "a grammar";

    fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        writer.json("form", &Form { top: self.top.clone(), vertical: self.vertical });
        writer.strings("phrases", self.symbols.labels(SymbolKind::Phrase));
        writer.strings("preterminals", self.symbols.labels(SymbolKind::Preterminal));
        let rules = self.table.rules().iter();
        let flat: Vec<u32> = rules
            .flat_map(|rule| [rule.parent, rule.left, rule.right].map(|symbol| symbol.index() as u32))
            .collect();
        writer.tensor("rules", &[self.table.len(), 3], flat);
        writer.array("rule_counts", &self.rule_counts[..]);
        writer.array("rule_expectations", &self.rule_expectations[..]);
        writer.array("root_counts", &self.root_counts[..]);
        writer.scope("lexicon", |writer| self.lexicon.save(writer));
    }

    fn load_sections(container: &Container) -> Result<Self, LoadError> {
        let form: Form = container.json("form")?;
        let symbols = SymbolTable::new(container.vocab("phrases")?, container.vocab("preterminals")?);
        let rule_counts: Vec<f64> = container.array("rule_counts")?.into_vec();
        let rule_expectations: Vec<f64> = container.array("rule_expectations")?.into_vec();
        let root_counts: Vec<f64> = container.array("root_counts")?.into_vec();
        let flat = container.tensor::<u32>("rules", &[rule_counts.len(), 3])?;
        let symbol = |&raw: &u32| SymbolId::new(raw as usize).filter(|id| id.index() < symbols.len());
        let rules: Option<Vec<BinaryRule>> = flat
            .chunks_exact(3)
            .map(|rule| {
                let parent = symbol(&rule[0]).filter(|&id| symbols.kind(id) == SymbolKind::Phrase)?;
                Some(BinaryRule { parent, left: symbol(&rule[1])?, right: symbol(&rule[2])? })
            })
            .collect();
        let rules = rules.ok_or_else(|| LoadError::invalid("rules", "a rule refers to an unknown symbol"))?;
        let table = RuleTable::new(rules.clone(), symbols.len());
        if table.rules() != rules {
            return Err(LoadError::invalid("rules", "rules are duplicated or out of order"));
        }
        let finite = |counts: &[f64]| counts.iter().all(|count| count.is_finite() && *count >= 0.0);
        if table.len() != rule_counts.len() || root_counts.len() != symbols.len() {
            return Err(LoadError::invalid("root_counts", "too many or too few counts"));
        }
        if rule_expectations.len() != rule_counts.len() {
            return Err(LoadError::invalid("rule_expectations", "too many or too few expected counts"));
        }
        if !finite(&rule_counts) || !finite(&rule_expectations) || !finite(&root_counts) {
            return Err(LoadError::invalid("rule_counts", "a count is negative or not a number"));
        }
        let labels: Vec<&str> = symbols.labels(SymbolKind::Preterminal).collect();
        let lexicon = Lexicon::load(&container.scope("lexicon"), &labels)?;
        let rules = SmoothedRules { table, counts: rule_counts, expected: rule_expectations };
        Ok(Self::from_counts(symbols, rules, root_counts, lexicon, form.top, form.vertical))
    }
}
