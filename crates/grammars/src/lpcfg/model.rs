//! The model: grammars, each with one or more sets of latent parameters.

use corpus::ids::Id;
use corpus::tree::marks;

use super::parameters::Parameters;
use super::sketch::Sketch;
use crate::pcfg::Pcfg;
use crate::spans::SpanModel;

/// A treebank grammar with its latent refinements.
///
/// The grammar holds symbols, rules and words, and prunes; each member adds tensors to its rules.
#[derive(Clone, Debug)]
pub(crate) struct Refined {
    pub(super) grammar: Pcfg,
    pub(super) members: Vec<Parameters<f32>>,
    /// The first member with few states, which prunes for the others, if there is one.
    pub(super) sketch: Option<Sketch>,
    /// For each symbol, the one of the first grammar with the same label, if both come from the treebank.
    pub(super) counterparts: Vec<Option<u32>>,
}

impl Refined {
    /// A grammar next to `first`; `None` for the first itself.
    pub(super) fn new(
        grammar: Pcfg,
        members: Vec<Parameters<f32>>,
        sketch_states: Option<u32>,
        first: Option<&Pcfg>,
    ) -> Self {
        let counterparts = match first {
            None => Vec::new(),
            Some(first) => {
                let symbols = grammar.symbols();
                let counterpart = |symbol| {
                    let label = symbols.label(symbol);
                    let own = !marks::is_intermediate(label);
                    let other = first.symbols().get(symbols.kind(symbol), marks::base(label));
                    other.filter(|_| own).map(|other| other.index() as u32)
                };
                symbols.iter().map(counterpart).collect()
            }
        };
        let sketch = sketch_states.map(|states| Sketch::new(&members[0], &grammar, states));
        Self { grammar, members, sketch, counterparts }
    }
}

/// A latent-variable PCFG: one model, or several whose posteriors are multiplied.
///
/// Members with the same normal form share one [`Pcfg`]. The first grammar is the one whose trees are built.
#[derive(Clone, Debug)]
pub struct Lpcfg {
    pub(super) grammars: Vec<Refined>,
    /// Chooses among the trees that the grammars find plausible, if there is one.
    pub(super) spans: Option<SpanModel>,
}

impl Lpcfg {
    /// The grammar whose trees are built.
    pub fn grammar(&self) -> &Pcfg {
        &self.grammars[0].grammar
    }

    /// The number of models.
    pub fn members(&self) -> usize {
        self.grammars.iter().map(|refined| refined.members.len()).sum()
    }

    /// The maximum number of states of a symbol in any model.
    pub fn states(&self) -> usize {
        let members = self.grammars.iter().flat_map(|refined| &refined.members);
        members.flat_map(|member| &member.dims).max().map_or(0, |&most| most as usize)
    }

    /// The span model that chooses among the trees of the grammars, if there is one.
    pub fn spans(&self) -> Option<&SpanModel> {
        self.spans.as_ref()
    }

    /// The same grammars without their span model.
    pub fn without_spans(self) -> Self {
        Self { spans: None, ..self }
    }

    /// The number of grammars with different normal forms.
    pub fn normal_forms(&self) -> usize {
        self.grammars.len()
    }

    /// The least magnitude of a member's parameters that are not 0; `None` if there is no such member or parameter.
    pub fn least_parameter(&self, member: usize) -> Option<f64> {
        let parameters = self.grammars.iter().flat_map(|refined| &refined.members).nth(member)?;
        let all = parameters.tensors.iter().chain(&parameters.roots).chain(&parameters.profiles.values);
        let least = all.map(|value| value.abs()).filter(|&value| value > 0.0).fold(f32::INFINITY, f32::min);
        least.is_finite().then_some(f64::from(least))
    }

    /// The total number of parameters in the tensors of all models.
    pub fn tensor_size(&self) -> usize {
        self.grammars.iter().flat_map(|refined| &refined.members).map(|member| member.tensors.len()).sum()
    }
}
