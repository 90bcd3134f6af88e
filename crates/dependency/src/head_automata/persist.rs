//! Model file sections of head automata.

use corpus::ids::Id;
use serde::{Deserialize, Serialize};

use super::config::{Alphabet, Geometry, LexicalWeights, Memory};
use super::deterministic::Deterministic;
use super::labels::Labels;
use super::lexical::{Lexical, Seen, VerbTags};
use super::model::{HeadAutomata, Parts};
use super::operators::{LatentAutomaton, MAX_STATES};
use super::symbols::{ClassId, SymbolId, Symbols};
use models::persist::{Container, ContainerWriter, LoadError, Metadata, ModelFile};
use models::representations::ClusterPaths;

/// The part of the model that is not an array.
#[derive(Serialize, Deserialize)]
struct Form {
    alphabet: String,
    default_symbol: u32,
    latent_weight: f64,
    deterministic_weight: f64,
    lexical_weight: Option<f64>,
    /// The exponents of tags, words and places, if they differ; files with them have format 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lexical_weights: Option<[f64; 3]>,
    /// The exponent of clusters, if there are any; files with them have format 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cluster_weight: Option<f64>,
    /// The exponent of the words beside an arc, if they count; files with it have format 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    neighbour_weight: Option<f64>,
}

#[derive(Serialize, Deserialize)]
struct LexicalForm {
    memory: String,
    geometry: bool,
    diversity: f64,
    /// Whether verbs without UPOS were recognised by XPOS; older files lack it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    xpos_verbs: bool,
}

const MEMORIES: [(Memory, &str); 3] = [
    (Memory::Nothing, "nothing"),
    (Memory::First, "first"),
    (Memory::FirstCoordinationPunctuation, "first-coordination-punctuation"),
];

impl ModelFile for HeadAutomata {
    const FAMILY: &'static str = "shag";
    // The version of the sections below. 1: symbols, DET+F, hidden states as sparse operators, counts of words.
    // 2: exponents of the factors of words. 3: clusters of words, words beside arcs, symbols with features.
    const FORMAT: u32 = 3;
    const DESCRIPTION: &'static str = "head automata";

    fn metadata(&self) -> Metadata {
        let new = self.cluster_weight().is_some()
            || self.neighbour_weight().is_some()
            || self.symbols.alphabet == Alphabet::Features;
        let format = match (new, self.different_weights()) {
            (true, _) => Self::FORMAT,
            (false, Some(_)) => 2,
            (false, None) => 1,
        };
        Metadata::new(Self::FAMILY, format)
    }

    fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        let (symbols, parts) = (&self.symbols, &self.parts);
        writer.json(
            "form",
            &Form {
                alphabet: symbols.alphabet.name().to_owned(),
                default_symbol: symbols.default.index() as u32,
                latent_weight: parts.latent_weight,
                deterministic_weight: parts.deterministic_weight,
                lexical_weight: self.lexical.as_ref().map(|(_, weights)| weights.words),
                lexical_weights: self.different_weights(),
                cluster_weight: self.cluster_weight(),
                neighbour_weight: self.neighbour_weight(),
            },
        );
        writer.vocab("symbols", &symbols.names);
        writer.vocab("classes", &symbols.classes);
        let class_of: Vec<u32> = symbols.class_of.iter().map(|class| class.index() as u32).collect();
        writer.array("class_of", class_of);
        let frequent: Vec<u32> = symbols.frequent.iter().map(|symbol| symbol.index() as u32).collect();
        writer.array("frequent", frequent);
        writer.vocab("labels", &self.labels.names);
        writer.array("labels_of_arcs", &self.labels.arcs[..]);
        writer.array("labels_alone", &self.labels.alone[..]);
        writer.array("scales", &self.scales[..]);
        let det = &parts.deterministic;
        writer.tensor("emit", &[det.emit.len(), 2], det.emit.as_flattened());
        writer.tensor("stop", &[det.stop.len(), 2], det.stop.as_flattened());
        writer.array("root", &det.root[..]);
        let latent = &parts.latent;
        let states: Vec<u32> = latent.iter().map(|automaton| automaton.initial.len() as u32).collect();
        writer.array("latent_states", states);
        let sizes: Vec<u32> = latent.iter().map(|automaton| automaton.symbols.len() as u32).collect();
        writer.array("latent_sizes", sizes);
        let flat = |part: fn(&LatentAutomaton) -> &Vec<f64>| -> Vec<f64> {
            latent.iter().flat_map(part).copied().collect()
        };
        writer.array("latent_initial", flat(|automaton| &automaton.initial));
        writer.array("latent_terminal", flat(|automaton| &automaton.terminal));
        writer.array("latent_operators", flat(|automaton| &automaton.operators));
        let spectra: Vec<u32> = latent.iter().map(|automaton| automaton.spectrum.len() as u32).collect();
        writer.array("latent_spectrum_sizes", spectra);
        writer.array("latent_spectra", flat(|automaton| &automaton.spectrum));
        let symbols: Vec<u32> = latent.iter().flat_map(|automaton| &automaton.symbols).copied().collect();
        writer.array("latent_symbols", symbols);
        if let Some((lexical, _)) = &self.lexical {
            writer.scope("lexical", |writer| save_lexical(lexical, writer));
        }
    }

    fn load_sections(container: &Container) -> Result<Self, LoadError> {
        let form: Form = container.json("form")?;
        let symbols = load_symbols(container, &form)?;
        let size = symbols.len();
        let weights = [form.latent_weight, form.deterministic_weight, form.lexical_weight.unwrap_or(1.0)];
        let exponents =
            form.lexical_weights.iter().flatten().chain(&form.cluster_weight).chain(&form.neighbour_weight);
        if weights.iter().chain(exponents).any(|weight| !weight.is_finite()) {
            return Err(LoadError::invalid("form", "a weight is not a number"));
        }
        let pairs = size
            .checked_mul(2 * size)
            .ok_or_else(|| LoadError::invalid("symbols", "there are too many symbols"))?;
        let emit = container.non_negative("emit", &[pairs, 2])?.into_vec();
        let stop = container.non_negative("stop", &[2 * size, 2])?.into_vec();
        let root = container.non_negative("root", &[size])?.into_vec();
        let scales = container.non_negative("scales", &[size])?.into_vec();
        let labels = Labels {
            names: container.vocab("labels")?,
            arcs: container.tensor("labels_of_arcs", &[pairs + 2 * size])?.into_vec(),
            alone: container.tensor("labels_alone", &[size])?.into_vec(),
        };
        let known = |label: &u32| (*label as usize) < labels.names.len();
        if !labels.alone.iter().all(known)
            || !labels.arcs.iter().all(|label| *label == u32::MAX || known(label))
        {
            return Err(LoadError::invalid("labels", "an arc refers to an unknown label"));
        }
        let deterministic = Deterministic {
            symbols: size,
            emit: emit.as_chunks::<2>().0.to_vec(),
            stop: stop.as_chunks::<2>().0.to_vec(),
            root,
        };
        let parts = Parts {
            deterministic,
            latent: load_latent(container, size)?,
            latent_weight: form.latent_weight,
            deterministic_weight: form.deterministic_weight,
        };
        let lexical = match form.lexical_weight {
            Some(weight) => {
                let [tags, words, places] = form.lexical_weights.unwrap_or([weight; 3]);
                let clusters = form.cluster_weight.unwrap_or(weight);
                let neighbours = form.neighbour_weight.unwrap_or(0.0);
                let weights = LexicalWeights { tags, words, places, clusters, neighbours };
                Some((load_lexical(&container.scope("lexical"))?, weights))
            }
            None => None,
        };
        Ok(Self::new(symbols, labels, parts, lexical, scales))
    }
}

impl HeadAutomata {
    /// The exponents of tags, words and places, if they are not all the same.
    fn different_weights(&self) -> Option<[f64; 3]> {
        let (_, weights) = self.lexical.as_ref()?;
        let exponents = [weights.tags, weights.words, weights.places];
        (exponents != [weights.words; 3]).then_some(exponents)
    }

    /// The exponent of clusters, if there are any.
    fn cluster_weight(&self) -> Option<f64> {
        let (lexical, weights) = self.lexical.as_ref()?;
        lexical.clusters.is_some().then_some(weights.clusters)
    }

    /// The exponent of the words beside an arc, if places count.
    fn neighbour_weight(&self) -> Option<f64> {
        let (lexical, weights) = self.lexical.as_ref()?;
        (lexical.geometry == Geometry::Use).then_some(weights.neighbours)
    }
}

fn load_symbols(container: &Container, form: &Form) -> Result<Symbols, LoadError> {
    let alphabet = Alphabet::NAMED.iter().find(|(_, name)| *name == form.alphabet);
    let alphabet = alphabet.ok_or_else(|| LoadError::invalid("form", "the alphabet is unknown"))?.0;
    let names = container.vocab("symbols")?;
    let classes = container.vocab("classes")?;
    let ids = |section: &str, count: usize, bound: usize| -> Result<Vec<u32>, LoadError> {
        let ids: Vec<u32> = container.tensor(section, &[count])?.into_vec();
        if ids.iter().all(|&id| (id as usize) < bound) {
            Ok(ids)
        } else {
            Err(LoadError::invalid(section, "an id is out of range"))
        }
    };
    let class_of = ids("class_of", names.len(), classes.len())?;
    let frequent = ids("frequent", classes.len(), names.len())?;
    let default = SymbolId::new(form.default_symbol as usize).filter(|symbol| symbol.index() < names.len());
    let default = default.ok_or_else(|| LoadError::invalid("form", "the default symbol does not exist"))?;
    let class_of = class_of.into_iter().filter_map(|class| ClassId::new(class as usize)).collect();
    let frequent = frequent.into_iter().filter_map(|symbol| SymbolId::new(symbol as usize)).collect();
    Ok(Symbols { alphabet, names, classes, class_of, frequent, default })
}

fn load_latent(container: &Container, symbols: usize) -> Result<Vec<LatentAutomaton>, LoadError> {
    let invalid = |what: &str| LoadError::invalid("latent_operators", what);
    let states = container.array::<u32>("latent_states")?;
    let sizes = container.array::<u32>("latent_sizes")?;
    let spectra = container.tensor::<u32>("latent_spectrum_sizes", &[states.len()])?;
    let [mut initial, mut terminal, mut operators, mut spectrum] = [
        container.array::<f64>("latent_initial")?.into_vec(),
        container.array::<f64>("latent_terminal")?.into_vec(),
        container.array::<f64>("latent_operators")?.into_vec(),
        container.array::<f64>("latent_spectra")?.into_vec(),
    ]
    .map(Vec::into_iter);
    let all_symbols = container.array::<u32>("latent_symbols")?;
    if (!states.is_empty() && states.len() != 2 * symbols) || sizes.len() != states.len() {
        return Err(invalid("expected two automata per symbol"));
    }
    let mut at = 0;
    let mut automata = Vec::with_capacity(states.len());
    for ((&states, &size), &values) in states.iter().zip(&sizes[..]).zip(&spectra[..]) {
        let (states, size) = (states as usize, size as usize);
        if states > MAX_STATES {
            return Err(invalid("an automaton has too many states"));
        }
        let own =
            all_symbols.get(at..at + size).ok_or_else(|| invalid("the list of symbols is too short"))?;
        if own.iter().any(|&symbol| symbol as usize >= symbols) {
            return Err(invalid("an automaton refers to an unknown symbol"));
        }
        at += size;
        let automaton = LatentAutomaton {
            initial: initial.by_ref().take(states).collect(),
            terminal: terminal.by_ref().take(states).collect(),
            operators: operators.by_ref().take(size * states * states).collect(),
            symbols: own.to_vec(),
            spectrum: spectrum.by_ref().take(values as usize).collect(),
        };
        let complete = automaton.initial.len() == states
            && automaton.terminal.len() == states
            && automaton.operators.len() == size * states * states
            && automaton.spectrum.len() == values as usize;
        let numbers = automaton.initial.iter().chain(&automaton.terminal).chain(&automaton.operators);
        if !complete || numbers.into_iter().any(|number| !number.is_finite()) {
            return Err(invalid("values are missing or not finite"));
        }
        automata.push(automaton);
    }
    if at != all_symbols.len() || initial.next().is_some() || operators.next().is_some() {
        return Err(invalid("there are more values than the automata need"));
    }
    Ok(automata)
}

fn save_lexical(lexical: &Lexical, writer: &mut ContainerWriter<'_>) {
    let memory =
        MEMORIES.iter().find(|(memory, _)| *memory == lexical.memory).map_or("first", |(_, name)| name);
    writer.json(
        "form",
        &LexicalForm {
            memory: memory.to_owned(),
            geometry: lexical.geometry == Geometry::Use,
            diversity: lexical.diversity,
            xpos_verbs: lexical.verb_tags == VerbTags::Any,
        },
    );
    writer.vocab("words", &lexical.words);
    writer.vocab("tags", &lexical.tags);
    if let Some(clusters) = &lexical.clusters {
        writer.scope("clusters", |writer| clusters.save(writer));
    }
    let mut contexts = vec![[0; 4]; lexical.contexts.len()];
    for (context, &id) in &lexical.contexts {
        contexts[id as usize] = *context;
    }
    writer.tensor("contexts", &[contexts.len(), 4], contexts.into_flattened());
    let mut events: Vec<[u32; 3]> =
        lexical.events.iter().map(|(&(context, outcome), &count)| [context, outcome, count]).collect();
    events.sort_unstable();
    writer.tensor("events", &[events.len(), 3], events.into_flattened());
}

fn load_lexical(container: &Container) -> Result<Lexical, LoadError> {
    let form: LexicalForm = container.json("form")?;
    let memory = MEMORIES.iter().find(|(_, name)| *name == form.memory);
    let memory = memory.ok_or_else(|| LoadError::invalid("form", "the kind of automaton is unknown"))?.0;
    if !(form.diversity.is_finite() && form.diversity > 0.0) {
        return Err(LoadError::invalid("form", "the constant of the back-off is not above zero"));
    }
    let rows = |section: &str, width: usize| -> Result<Vec<u32>, LoadError> {
        let rows = container.section(section)?.shape().first().copied().unwrap_or(0);
        Ok(container.tensor(section, &[rows, width])?.into_vec())
    };
    let contexts = rows("contexts", 4)?;
    let events = rows("events", 3)?;
    let mut lexical = Lexical {
        memory,
        geometry: if form.geometry { Geometry::Use } else { Geometry::Ignore },
        diversity: form.diversity,
        verb_tags: if form.xpos_verbs { VerbTags::Any } else { VerbTags::Universal },
        words: container.vocab("words")?,
        tags: container.vocab("tags")?,
        clusters: match container.contains("clusters/words.text") {
            true => Some(ClusterPaths::load(&container.scope("clusters"))?),
            false => None,
        },
        contexts: contexts.as_chunks::<4>().0.iter().zip(0..).map(|(context, id)| (*context, id)).collect(),
        seen: vec![Seen::default(); contexts.len() / 4],
        events: Default::default(),
    };
    for &[context, outcome, count] in events.as_chunks::<3>().0 {
        let seen = lexical.seen.get_mut(context as usize);
        let seen =
            seen.ok_or_else(|| LoadError::invalid("events", "an event refers to an unknown context"))?;
        let total = seen.total.checked_add(count).filter(|_| count > 0);
        seen.total = total.ok_or_else(|| LoadError::invalid("events", "a count is zero or too large"))?;
        seen.different += 1;
        if lexical.events.insert((context, outcome), count).is_some() {
            return Err(LoadError::invalid("events", "an event is duplicated"));
        }
    }
    if lexical.contexts.len() != lexical.seen.len() || lexical.seen.iter().any(|seen| seen.total == 0) {
        return Err(LoadError::invalid("contexts", "a context is duplicated or has no events"));
    }
    Ok(lexical)
}
