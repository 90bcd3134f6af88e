//! Model file sections of an L-PCFG.
//!
//! ```text
//! form                          number of members of each grammar
//! grammar0/…                    the first grammar, a whole PCFG with its metadata
//! grammar0/member0/dims         states of each symbol
//! grammar0/member0/tensors      the tensors of the rules, one after the other, or
//! grammar0/member0/halves       the upper 16 bits of their numbers, if the lower ones are 0
//! grammar0/member0/root_offsets, roots
//! grammar0/member0/profiles/…   what words say about states
//! grammar0/member0/summary/…    means and singular values, for inspection of the states
//! spans/…                       the span model, if there is one
//! ```
//!
//! The starts of tensors and profiles follow from the numbers of states and are not stored, so nothing can contradict
//! them. All other lengths, indices and values are checked, so that a model that loads can parse any sentence.

use serde::{Deserialize, Serialize};

use super::estimate::parts;
use super::model::{Lpcfg, Refined};
use super::parameters::{Parameters, row_length};
use super::profiles::{PairTable, Profiles};
use super::state_summary::{Spectrum, StateSummary};
use crate::pcfg::Pcfg;
use crate::spans::SpanModel;
use models::persist::{Container, ContainerWriter, LoadError, ModelFile, rows_fit};

/// Maximum number of states of a symbol. The charts of a long sentence index their values with 32 bits.
const MAX_STATES: u32 = 1024;

/// The part of the model that is not an array.
#[derive(Serialize, Deserialize)]
struct Form {
    /// For each grammar, the number of its members.
    members: Vec<usize>,
    /// For each grammar, the number of states of its sketch. Missing in older files.
    #[serde(default)]
    sketches: Vec<Option<u32>>,
}

fn grammar_name(number: usize) -> String {
    format!("grammar{number}")
}

fn member_name(number: usize) -> String {
    format!("member{number}")
}

impl ModelFile for Lpcfg {
    const FAMILY: &'static str = "lpcfg";
    const FORMAT: u32 = 1;
    const DESCRIPTION: &'static str = "a grammar with latent states";

    fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        let members = self.grammars.iter().map(|refined| refined.members.len()).collect();
        let sketches = self.grammars.iter().map(|refined| Some(refined.sketch.as_ref()?.states)).collect();
        writer.json("form", &Form { members, sketches });
        for (number, refined) in self.grammars.iter().enumerate() {
            let name = grammar_name(number);
            writer.model(&name, &refined.grammar);
            writer.scope(&name, |writer| {
                for (number, member) in refined.members.iter().enumerate() {
                    writer.scope(&member_name(number), |writer| member.save(writer));
                }
            });
        }
        if let Some(spans) = &self.spans {
            writer.scope("spans", |writer| spans.save(writer));
        }
    }

    fn load_sections(container: &Container) -> Result<Self, LoadError> {
        let form: Form = container.json("form")?;
        if form.members.is_empty() || form.members.contains(&0) {
            return Err(LoadError::invalid("form", "no grammar, or a grammar without members"));
        }
        let mut grammars: Vec<Refined> = Vec::new();
        for (number, &count) in form.members.iter().enumerate() {
            let grammar: Pcfg = container.model(&grammar_name(number))?;
            let scope = container.scope(&grammar_name(number));
            let mut members = Vec::new();
            for number in 0..count {
                members.push(Parameters::load(&scope.scope(&member_name(number)), &grammar)?);
            }
            let first = grammars.first().map(|first| &first.grammar);
            let sketch = form.sketches.get(number).copied().flatten();
            if sketch.is_some_and(|states| !(1..=MAX_STATES).contains(&states)) {
                return Err(LoadError::invalid("form", "a sketch has no state or too many"));
            }
            let refined = Refined::new(grammar, members, sketch, first);
            grammars.push(refined);
        }
        let spans = SpanModel::load(&container.scope("spans"), grammars[0].grammar.lexicon())?;
        Ok(Self { grammars, spans })
    }
}

impl Parameters<f32> {
    fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        writer.array("dims", &self.dims[..]);
        // The upper halves say everything about rounded numbers.
        match self.tensors.iter().all(|value| value.to_bits() & 0xffff == 0) {
            true => {
                let halves = self.tensors.iter().map(|value| (value.to_bits() >> 16) as u16);
                writer.array("halves", halves.collect::<Vec<u16>>());
            }
            false => writer.array("tensors", &self.tensors[..]),
        }
        writer.array("root_offsets", &self.root_offsets[..]);
        writer.array("roots", &self.roots[..]);
        writer.scope("profiles", |writer| self.profiles.save(writer));
        writer.scope("summary", |writer| self.summary.save(writer));
    }

    fn load(container: &Container, grammar: &Pcfg) -> Result<Self, LoadError> {
        let dims: Vec<u32> = container.tensor("dims", &[grammar.symbols().len()])?.into_vec();
        if !dims.iter().all(|dim| (1..=MAX_STATES).contains(dim)) {
            return Err(LoadError::invalid(
                "dims",
                format!("a symbol has no state or more than {MAX_STATES}"),
            ));
        }
        let offsets = tensor_offsets(grammar, &dims).ok_or_else(|| {
            LoadError::invalid("dims", "too many states: the tensors exceed the address space")
        })?;
        let end = offsets.last().map_or(0, |&end| end as usize);
        let tensors: Vec<f32> = if container.contains("halves") {
            let halves: Vec<u16> = container.tensor("halves", &[end])?.into_vec();
            whole(&halves)?
        } else {
            container.finite("tensors", &[end])?.into_vec()
        };
        let root_offsets: Vec<u32> = container.tensor("root_offsets", &[dims.len() + 1])?.into_vec();
        let fits = |(pair, &dim): (&[u32], &u32)| {
            pair[1].checked_sub(pair[0]).is_some_and(|length| length == 0 || length == dim)
        };
        if root_offsets.first() != Some(&0) || !root_offsets.windows(2).zip(&dims).all(fits) {
            return Err(LoadError::invalid(
                "root_offsets",
                "a root vector and its symbol have different numbers of states",
            ));
        }
        let roots =
            container.finite("roots", &[root_offsets.last().map_or(0, |&end| end as usize)])?.into_vec();
        let tags = &dims[grammar.symbols().phrases()..];
        let words = grammar.lexicon().words().len();
        let profiles = Profiles::load(&container.scope("profiles"), tags, words)?;
        let summary = StateSummary::load(&container.scope("summary"), &dims)?;
        Ok(Self { dims, offsets, tensors, root_offsets, roots, profiles, summary })
    }
}

/// The numbers with these upper halves.
fn whole(halves: &[u16]) -> Result<Vec<f32>, LoadError> {
    let numbers: Vec<f32> = halves.iter().map(|&half| f32::from_bits(u32::from(half) << 16)).collect();
    match numbers.iter().all(|number| number.is_finite()) {
        true => Ok(numbers),
        false => Err(LoadError::invalid("halves", "a number is infinite or no number")),
    }
}

/// The start of each rule's tensor and the end of the last; `None` if they exceed the address space.
fn tensor_offsets(grammar: &Pcfg, dims: &[u32]) -> Option<Vec<u64>> {
    let rules = grammar.rules().rules();
    let mut offsets = Vec::with_capacity(rules.len() + 1);
    let mut end = 0_usize;
    offsets.push(0);
    for &rule in rules {
        // At most 2³⁰ each, as no symbol has more than `MAX_STATES`.
        let [a, b, c] = parts(rule).map(|symbol| dims[symbol] as usize);
        end = end.checked_add(a * row_length(b, c))?;
        offsets.push(end as u64);
    }
    Some(offsets)
}

impl Profiles<f32> {
    fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        writer.vocab("classes", &self.classes);
        writer.scope("by_class", |writer| self.by_class.save(writer));
        writer.scope("by_word", |writer| self.by_word.save(writer));
        writer.array("values", &self.values[..]);
    }

    /// `dims` are the numbers of states of the preterminals.
    fn load(container: &Container, dims: &[u32], words: usize) -> Result<Self, LoadError> {
        let classes: corpus::vocab::Vocab<super::profiles::ClassId> = container.vocab("classes")?;
        let too_long = || LoadError::invalid("values", "the number of values exceeds 32 bits");
        // The vectors of preterminals come first, then those of classes, then those of words.
        let mut by_tag = vec![0];
        let mut end = 0_u32;
        for &dim in dims {
            end = end.checked_add(dim).ok_or_else(too_long)?;
            by_tag.push(end);
        }
        let mut table = |name: &str, keys: usize| -> Result<PairTable, LoadError> {
            let mut table = PairTable::load(&container.scope(name), keys, dims.len())?;
            for &tag in &table.tags {
                table.offsets.push(end);
                end = end.checked_add(dims[tag as usize]).ok_or_else(too_long)?;
            }
            Ok(table)
        };
        let by_class = table("by_class", classes.len())?;
        let by_word = table("by_word", words)?;
        let values = container.finite("values", &[end as usize])?.into_vec();
        Ok(Self { classes, by_word, by_class, by_tag, values })
    }
}

impl StateSummary {
    fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        writer.array("inside", &self.inside[..]);
        writer.array("outside", &self.outside[..]);
        let column = |number: fn(&Spectrum) -> u32| -> Vec<u32> {
            self.spectra.iter().map(|spectrum| spectrum.as_ref().map_or(0, number)).collect()
        };
        writer.array("ranks", column(|spectrum| spectrum.rank));
        writer.array("lengths", column(|spectrum| spectrum.singular_values.len() as u32));
        let spectra = self.spectra.iter();
        writer.array("noise", spectra.map(|s| s.as_ref().map_or(0.0, |s| s.noise)).collect::<Vec<f32>>());
        let values = self.spectra.iter().flatten().flat_map(|spectrum| &spectrum.singular_values);
        writer.array("singular_values", values.copied().collect::<Vec<f32>>());
    }

    fn load(container: &Container, dims: &[u32]) -> Result<Self, LoadError> {
        let numbers = dims.iter().map(|&dim| dim as usize).sum();
        let inside = container.finite("inside", &[numbers])?.into_vec();
        let outside = match container.section("outside")?.shape() {
            [0] => Vec::new(),
            _ => container.finite("outside", &[numbers])?.into_vec(),
        };
        let ranks: Vec<u32> = container.tensor("ranks", &[dims.len()])?.into_vec();
        let lengths: Vec<u32> = container.tensor("lengths", &[dims.len()])?.into_vec();
        let noise = container.finite("noise", &[dims.len()])?.into_vec();
        let too_long = || LoadError::invalid("lengths", "the total number of singular values is too large");
        let end = lengths.iter().try_fold(0_usize, |end, &length| end.checked_add(length as usize));
        let values = container.finite("singular_values", &[end.ok_or_else(too_long)?])?.into_vec();
        if !noise.iter().chain(&values).all(|&value| value >= 0.0) {
            return Err(LoadError::invalid("singular_values", "a singular value or its error is negative"));
        }
        let mut values = &values[..];
        let mut spectra = Vec::with_capacity(dims.len());
        for ((&rank, &length), &noise) in ranks.iter().zip(&lengths).zip(&noise) {
            if rank > length || (rank == 0) != (length == 0) {
                return Err(LoadError::invalid(
                    "ranks",
                    "the rank is zero or exceeds the number of singular values",
                ));
            }
            let (own, rest) = values.split_at(length as usize);
            values = rest;
            spectra.push((length > 0).then(|| Spectrum { singular_values: own.to_vec(), rank, noise }));
        }
        Ok(Self { inside, outside, spectra })
    }
}

impl PairTable {
    fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        writer.array("starts", &self.starts[..]);
        writer.array("tags", &self.tags[..]);
    }

    /// Reads the table without its offsets.
    fn load(container: &Container, keys: usize, tags: usize) -> Result<Self, LoadError> {
        let table = Self {
            starts: container.tensor("starts", &[keys + 1])?.into_vec(),
            tags: container.array("tags")?.into_vec(),
            offsets: Vec::new(),
        };
        let row_fits = |row: &[u32]| {
            let within = |&tag: &u32| (tag as usize) < tags;
            let row = &table.tags[row[0] as usize..row[1] as usize];
            row.iter().all(within) && row.is_sorted_by(|one, other| one < other)
        };
        if rows_fit(&table.starts, keys, table.tags.len()) && table.starts.windows(2).all(row_fits) {
            Ok(table)
        } else {
            Err(LoadError::invalid(
                "tags",
                "the pairs of key and preterminal are out of range or out of order",
            ))
        }
    }
}
