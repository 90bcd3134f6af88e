//! Models with latent states survive a round trip through a file, and inconsistent files are refused.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use corpus::format::brown_paths::BrownPath;
use corpus::synthetic::{english, sample_treebank};
use corpus::tree::Tree;
use corpus::tree::binarize::Direction;
use corpus::tree::normal_form::NormalForm;
use eigentree_grammars::lexicon::Observation;
use eigentree_grammars::lpcfg::{
    Companion, Lpcfg, LpcfgConfig, LpcfgLearner, Method, Parser, ParserConfig, Precision, Scratch,
    SpectralConfig,
};
use eigentree_grammars::spans::{NetworkConfig, SpanConfig};
use models::learn::{Learner, Silent};
use models::persist::{Container, ContainerWriter, Kind, LoadError, ModelFile};
use models::representations::ClusterPaths;
use serde_json::{Value, json};

fn network() -> NetworkConfig {
    NetworkConfig {
        members: 1,
        embedded: 6,
        hidden: 5,
        part: 4,
        bits: 8,
        label_bits: 6,
        epochs: 2,
        ..NetworkConfig::default()
    }
}

/// A spectral and a clustered member, and a companion in another normal form.
fn config() -> LpcfgConfig {
    let spectral = |seed| SpectralConfig {
        states: 4,
        nodes_per_state: 5.0,
        dropout: 0.1,
        seed,
        ..SpectralConfig::default()
    };
    let other = NormalForm { direction: Direction::Right, ..NormalForm::default() };
    LpcfgConfig {
        members: vec![Method::Spectral(spectral(1)), Method::Cluster { spectral: spectral(2), steps: 1 }],
        companions: vec![Companion { normal_form: other, members: vec![Method::Spectral(spectral(3))] }],
        spans: Some(SpanConfig { epochs: 2, max_bits: 12, network: network(), ..SpanConfig::default() }),
        ..LpcfgConfig::default()
    }
}

fn treebank(trees: usize, seed: u64) -> Vec<Tree> {
    sample_treebank(english(), trees, seed).unwrap()
}

fn learn() -> Lpcfg {
    LpcfgLearner { config: config() }.learn(&treebank(150, 1), &mut Silent).unwrap().model
}

fn save(model: &Lpcfg) -> Vec<u8> {
    model.to_bytes().unwrap()
}

fn load(bytes: &[u8]) -> Result<Lpcfg, LoadError> {
    Lpcfg::load(&Container::from_slice(bytes)?)
}

#[test]
fn what_was_loaded_parses_as_what_was_learnt() {
    let model = learn();
    assert_eq!((model.members(), model.normal_forms()), (3, 2));
    let bytes = save(&model);
    assert!(bytes == save(&learn()), "learning twice gives other bytes");
    let loaded = load(&bytes).unwrap();
    assert!(bytes == save(&loaded), "saving what was loaded gives other bytes");
    assert_eq!(
        (loaded.members(), loaded.states(), loaded.tensor_size()),
        (3, model.states(), model.tensor_size())
    );
    let (mut scratch, mut other) = (Scratch::default(), Scratch::default());
    let (one, two) =
        (Parser::new(&model, ParserConfig::default()), Parser::new(&loaded, ParserConfig::default()));
    for tree in treebank(40, 2) {
        let words: Vec<Observation<'_>> = tree.words().map(Observation::Word).collect();
        let tagged: Vec<Observation<'_>> =
            tree.words().zip(tree.tags()).map(|(word, tag)| Observation::Tagged(word, tag)).collect();
        for sentence in [words, tagged] {
            let best = one.parse_best(&sentence, 3, &mut scratch);
            assert_eq!(best, two.parse_best(&sentence, 3, &mut other));
            assert!(best[0].tree.words().eq(tree.words()));
            assert_eq!(one.parse(&sentence, &mut scratch), two.parse(&sentence, &mut other));
        }
    }
    assert_eq!(scratch.negative, other.negative);
}

#[test]
fn files_that_were_cut_or_changed_are_refused() {
    let bytes = save(&learn());
    for part in 0..40 {
        assert!(load(&bytes[..bytes.len() * part / 40]).is_err(), "{part} parts of 40");
    }
    let mut changed = bytes.clone();
    for step in 0..200 {
        let at = bytes.len() * step / 200 + step % 7;
        changed[at] ^= 1 << (step % 8);
        assert!(load(&changed).is_err(), "a changed bit of byte {at}");
        changed[at] = bytes[at];
    }
    assert!(load(&changed).is_ok());
}

#[test]
fn other_families_and_later_versions_are_refused() {
    let model = learn();
    let load_as = |change: fn(&mut models::persist::Metadata)| {
        let mut metadata = model.metadata();
        change(&mut metadata);
        let mut writer = ContainerWriter::new(&metadata);
        model.save(&mut writer);
        let mut bytes = Vec::new();
        writer.write_to(&mut bytes).unwrap();
        load(&bytes).map(|_| ())
    };
    load_as(|_| {}).unwrap();
    assert!(load_as(|metadata| metadata.family = "pcfg".to_owned()).unwrap_err().is_wrong_family());
    assert!(load_as(|metadata| metadata.family_format += 1).unwrap_err().is_newer());
}

/// The content of a section, open to modification.
enum Contents {
    Json(Value),
    Strings(Vec<String>),
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    I16(Vec<i16>),
    F32(Vec<f32>),
    F64(Vec<f64>),
}

/// The same file with section `name` changed and valid checksums, so that only the family can object. A one-dimensional
/// section may change its length.
fn forge(bytes: &[u8], name: &str, change: impl Fn(&mut Contents)) -> Result<Lpcfg, LoadError> {
    let container = Container::from_slice(bytes).unwrap();
    let mut writer = ContainerWriter::new(container.metadata());
    let mut found = false;
    for section in container.sections().filter(|section| section.name() != "metadata") {
        let full = section.name();
        if full.ends_with(".ends") {
            continue;
        }
        let plain = full.strip_suffix(".text").unwrap_or(full);
        let mut contents = match section.kind() {
            Kind::Json => Contents::Json(container.json(full).unwrap()),
            Kind::Text => {
                Contents::Strings(container.strings(plain).unwrap().iter().map(str::to_owned).collect())
            }
            Kind::U8 => Contents::U8(container.array(full).unwrap().into_vec()),
            Kind::U16 => Contents::U16(container.array(full).unwrap().into_vec()),
            Kind::U32 => Contents::U32(container.array(full).unwrap().into_vec()),
            Kind::I16 => Contents::I16(container.array(full).unwrap().into_vec()),
            Kind::F32 => Contents::F32(container.array(full).unwrap().into_vec()),
            Kind::F64 => Contents::F64(container.array(full).unwrap().into_vec()),
            kind => panic!("a section of the kind {kind}"),
        };
        if plain == name {
            found = true;
            change(&mut contents);
        }
        let shape = |length: usize| match section.shape() {
            [_] => vec![length],
            shape => shape.to_vec(),
        };
        match contents {
            Contents::Json(value) => writer.json(full, &value),
            Contents::Strings(strings) => writer.strings(plain, &strings),
            Contents::U8(numbers) => writer.tensor(full, &shape(numbers.len()), numbers),
            Contents::U16(numbers) => writer.tensor(full, &shape(numbers.len()), numbers),
            Contents::U32(numbers) => writer.tensor(full, &shape(numbers.len()), numbers),
            Contents::I16(numbers) => writer.tensor(full, &shape(numbers.len()), numbers),
            Contents::F32(numbers) => writer.tensor(full, &shape(numbers.len()), numbers),
            Contents::F64(numbers) => writer.tensor(full, &shape(numbers.len()), numbers),
        }
    }
    assert!(found, "there is no section {name}");
    let mut forged = Vec::new();
    writer.write_to(&mut forged).unwrap();
    load(&forged)
}

/// Drops the last element.
fn truncate<T>(values: &mut Vec<T>) {
    values.truncate(values.len().saturating_sub(1));
}

fn numbers(contents: &mut Contents) -> &mut Vec<u32> {
    match contents {
        Contents::U32(numbers) => numbers,
        _ => panic!("no section of u32"),
    }
}

fn json_of(contents: &mut Contents) -> &mut Value {
    match contents {
        Contents::Json(value) => value,
        _ => panic!("no JSON"),
    }
}

fn weights(contents: &mut Contents) -> &mut Vec<f32> {
    match contents {
        Contents::F32(numbers) => numbers,
        _ => panic!("no section of f32"),
    }
}

#[test]
fn sections_that_do_not_fit_are_refused() {
    let bytes = save(&learn());
    assert!(save(&forge(&bytes, "form", |_| {}).unwrap()) == bytes);
    type Change = (&'static str, &'static str, fn(&mut Contents));
    let last = |contents: &mut Contents| *numbers(contents).last_mut().unwrap() += 1;
    let changes: Vec<Change> = vec![
        ("no grammar", "form", |c| *c = Contents::Json(json!({ "members": [] }))),
        ("a grammar without members", "form", |c| *c = Contents::Json(json!({ "members": [2, 0] }))),
        ("a missing member", "form", |c| *c = Contents::Json(json!({ "members": [3, 1] }))),
        ("a missing grammar", "form", |c| *c = Contents::Json(json!({ "members": [2, 1, 1] }))),
        ("very many members", "form", |c| *c = Contents::Json(json!({ "members": [u64::MAX] }))),
        ("an invalid form", "form", |c| *c = Contents::Json(json!([1]))),
        ("a grammar with other counts", "grammar0/root_counts", |c| match c {
            Contents::F64(counts) => counts[0] = -1.0,
            _ => panic!("no counts"),
        }),
        ("no state", "grammar0/member0/dims", |c| numbers(c)[0] = 0),
        ("another number of states", "grammar0/member0/dims", |c| numbers(c)[0] += 1),
        ("very many states", "grammar0/member0/dims", |c| numbers(c)[0] = u32::MAX),
        ("many states everywhere", "grammar0/member0/dims", |c| numbers(c).fill(1024)),
        ("too few symbols", "grammar0/member0/dims", |c| truncate(numbers(c))),
        ("too many symbols", "grammar1/member0/dims", |c| numbers(c).push(1)),
        ("too few numbers", "grammar0/member1/tensors", |c| truncate(weights(c))),
        ("too many numbers", "grammar0/member1/tensors", |c| weights(c).push(0.0)),
        ("a value that is not a number", "grammar0/member1/tensors", |c| weights(c)[7] = f32::NAN),
        ("an infinite number", "grammar0/member0/tensors", |c| weights(c)[0] = f32::INFINITY),
        ("roots that run backwards", "grammar0/member0/root_offsets", |c| {
            *numbers(c).last_mut().unwrap() = 0;
        }),
        ("roots that start late", "grammar0/member0/root_offsets", |c| numbers(c)[0] = 1),
        ("a root beyond the end", "grammar0/member0/root_offsets", last),
        ("too few roots", "grammar0/member0/root_offsets", |c| truncate(numbers(c))),
        ("a root without end", "grammar0/member0/roots", |c| truncate(weights(c))),
        ("a root that is not finite", "grammar0/member0/roots", |c| weights(c)[0] = f32::NEG_INFINITY),
        ("a class twice", "grammar0/member0/profiles/classes", |c| match c {
            Contents::Strings(strings) => strings[1] = strings[0].clone(),
            _ => panic!("no strings"),
        }),
        ("a missing class", "grammar0/member0/profiles/classes", |c| match c {
            Contents::Strings(strings) => drop(strings.pop()),
            _ => panic!("no strings"),
        }),
        ("a missing preterminal", "grammar0/member0/profiles/by_word/tags", |c| numbers(c)[0] = 10_000),
        ("the largest preterminal", "grammar0/member0/profiles/by_class/tags", |c| numbers(c)[0] = u32::MAX),
        ("too few pairs", "grammar0/member0/profiles/by_word/tags", |c| truncate(numbers(c))),
        ("pairs out of order", "grammar0/member0/profiles/by_class/tags", |c| numbers(c).reverse()),
        ("rows beyond the pairs", "grammar0/member0/profiles/by_word/starts", last),
        ("rows that start late", "grammar0/member0/profiles/by_word/starts", |c| numbers(c)[0] = 1),
        ("too few rows", "grammar0/member0/profiles/by_word/starts", |c| truncate(numbers(c))),
        ("rows that run backwards", "grammar1/member0/profiles/by_class/starts", |c| {
            numbers(c)[1] = u32::MAX;
        }),
        ("too few profiles", "grammar0/member0/profiles/values", |c| truncate(weights(c))),
        ("a profile that is not a number", "grammar0/member0/profiles/values", |c| weights(c)[3] = f32::NAN),
        ("too few means", "grammar0/member0/summary/inside", |c| weights(c).truncate(1)),
        ("a mean that is not a number", "grammar0/member0/summary/outside", |c| weights(c)[0] = f32::NAN),
        ("means of states", "grammar0/member1/summary/outside", |c| weights(c).push(1.0)),
        ("an error that is not a number", "grammar0/member0/summary/noise", |c| weights(c)[0] = f32::NAN),
        ("a negative singular value", "grammar0/member0/summary/singular_values", |c| weights(c)[0] = -1.0),
        ("too few singular values", "grammar0/member0/summary/singular_values", |c| weights(c).truncate(1)),
        ("a spectrum too many", "grammar0/member0/summary/lengths", last),
        ("very many singular values", "grammar0/member0/summary/lengths", |c| numbers(c).fill(u32::MAX)),
        ("a rank beyond its spectrum", "grammar0/member0/summary/ranks", |c| numbers(c).fill(1000)),
        ("features of another version", "spans/form", |c| json_of(c)["templates"] = json!(2)),
        ("a boundary that is none", "grammar0/lexicon/boundary_context/labels", |c| match c {
            Contents::U16(labels) => labels[0] = 6,
            _ => panic!("no labels"),
        }),
        ("a threshold of 0", "spans/form", |c| json_of(c)["least_posterior"] = json!(0.0)),
        ("a step of 0", "spans/form", |c| json_of(c)["step"] = json!(0.0)),
        ("no weights of the grammar", "spans/form", |c| json_of(c)["grammar"] = json!(null)),
        ("an infinite weight", "spans/form", |c| json_of(c)["grammar"]["rule"] = json!(1e300)),
        ("a weight too few", "spans/weights", |c| match c {
            Contents::I16(weights) => drop(weights.pop()),
            _ => panic!("no weights"),
        }),
        ("hardly any weights", "spans/weights", |c| match c {
            Contents::I16(weights) => weights.truncate(2),
            _ => panic!("no weights"),
        }),
        ("spectra without ranks", "grammar0/member0/summary/ranks", |c| numbers(c).fill(0)),
    ];
    for (what, name, change) in changes {
        match catch_unwind(AssertUnwindSafe(|| forge(&bytes, name, change))) {
            Ok(Err(error)) => {
                assert!(error.is_invalid() || error.is_missing_section(), "{what}: {error}");
            }
            Ok(Ok(_)) => panic!("{what} was accepted"),
            Err(_) => panic!("{what} made loading panic"),
        }
    }
}

/// Clusters of the words of the sample, by their last letter.
fn clusters() -> ClusterPaths {
    let words =
        treebank(150, 1).iter().flat_map(|tree| tree.words().map(str::to_owned)).collect::<BTreeSet<_>>();
    let bits = |word: &str| format!("{:05b}", word.bytes().last().unwrap_or(0) % 32);
    ClusterPaths::new(words.into_iter().map(|word| BrownPath { bits: bits(&word), word, count: 1 }))
}

#[test]
fn clusters_are_part_of_the_model_and_the_span_model_needs_them() {
    let mut config = config();
    config.companions.clear();
    let plain = LpcfgLearner { config: config.clone() }.learn(&treebank(150, 1), &mut Silent).unwrap().model;
    config.grammar.clusters = Some(Arc::new(clusters()));
    let model = LpcfgLearner { config }.learn(&treebank(150, 1), &mut Silent).unwrap().model;
    let bytes = save(&model);
    let loaded = load(&bytes).unwrap();
    assert!(bytes == save(&loaded), "saving what was loaded gives other bytes");
    assert!(bytes.len() > save(&plain).len());
    let (mut one, mut other) = (Scratch::default(), Scratch::default());
    let [learnt, read] = [&model, &loaded].map(|model| Parser::new(model, ParserConfig::default()));
    for tree in treebank(40, 9) {
        let sentence: Vec<Observation<'_>> = tree.words().map(Observation::Word).collect();
        assert_eq!(learnt.parse(&sentence, &mut one), read.parse(&sentence, &mut other));
    }
    type Change = fn(&mut Contents);
    let refused: [(&str, &str, Change); 4] = [
        ("features without clusters", "spans/form", |c| json_of(c)["templates"] = json!(1)),
        ("features of a later version", "spans/form", |c| json_of(c)["templates"] = json!(3)),
        ("a path that is none", "grammar0/lexicon/clusters/paths", |c| match c {
            Contents::Strings(paths) => "2".clone_into(&mut paths[0]),
            _ => panic!("no paths"),
        }),
        ("a path too few", "grammar0/lexicon/clusters/paths", |c| match c {
            Contents::Strings(paths) => drop(paths.pop()),
            _ => panic!("no paths"),
        }),
    ];
    for (what, name, change) in refused {
        match forge(&bytes, name, change) {
            Err(error) => assert!(error.is_invalid(), "{what}: {error}"),
            Ok(_) => panic!("{what} was accepted"),
        }
    }
}

/// Files of earlier versions have no span model, and the grammars alone choose.
#[test]
fn without_its_sections_there_is_no_span_model() {
    let model = learn();
    assert!(model.spans().is_some());
    let alone = load(&save(&model.clone().without_spans())).unwrap();
    assert!(alone.spans().is_none());
    let plain = LpcfgLearner { config: LpcfgConfig { spans: None, ..config() } };
    let plain = plain.learn(&treebank(150, 1), &mut Silent).unwrap().model;
    assert!(save(&alone) == save(&plain), "the span model changes the grammars");
}

/// Rounded tensors take half the room and lose nothing in a file; a sketch is made again from them.
#[test]
fn rounded_models_with_sketches_parse_as_they_were_learnt() {
    let rounded = LpcfgConfig { precision: Precision::Half, sketch: Some(2), ..config() };
    let model = LpcfgLearner { config: rounded }.learn(&treebank(150, 1), &mut Silent).unwrap().model;
    let bytes = save(&model);
    let whole = save(&learn());
    let tensors = 4 * model.tensor_size();
    assert!(bytes.len() + tensors / 2 < whole.len() + 4096, "{} and {}", bytes.len(), whole.len());
    let loaded = load(&bytes).unwrap();
    assert!(bytes == save(&loaded), "saving what was loaded gives other bytes");
    let (mut scratch, mut other) = (Scratch::default(), Scratch::default());
    let (one, two) =
        (Parser::new(&model, ParserConfig::default()), Parser::new(&loaded, ParserConfig::default()));
    for tree in treebank(40, 2) {
        let words: Vec<Observation<'_>> = tree.words().map(Observation::Word).collect();
        assert_eq!(one.parse_best(&words, 3, &mut scratch), two.parse_best(&words, 3, &mut other));
    }
    let not_a_number = forge(&bytes, "grammar0/member0/halves", |contents| match contents {
        Contents::U16(halves) => halves[0] = 0x7fc0,
        _ => panic!("no section of u16"),
    });
    assert!(not_a_number.is_err());
}

/// Lists are ranked by the probability of a tree, so all trees together have the confidence of each label.
#[test]
fn confidences_are_sums_over_the_trees_of_the_list() {
    let model = learn();
    let parser = Parser::new(&model, ParserConfig::default());
    let mut scratch = Scratch::default();
    let mut compared = 0;
    for tree in treebank(60, 4) {
        let words: Vec<Observation<'_>> = tree.words().map(Observation::Word).collect();
        let (list, marginals) = parser.parse_with_marginals(&words, 400, &mut scratch);
        let marginals = marginals.unwrap();
        assert!(list.windows(2).all(|pair| pair[0].log_probability >= pair[1].log_probability));
        let total: f64 = list.iter().map(|parse| parse.log_probability.exp()).sum();
        if list.len() == 400 || (total - 1.0).abs() > 1e-4 {
            continue;
        }
        for marginal in marginals.spans().iter().filter(|marginal| marginal.end > marginal.start + 1) {
            let has = |parse: &&eigentree_grammars::pcfg::Parse| {
                parse.tree.nodes().any(|node| {
                    node.label() == marginal.label && node.span() == (marginal.start..marginal.end)
                })
            };
            let sum: f64 = list.iter().filter(has).map(|parse| parse.log_probability.exp()).sum();
            assert!((sum - f64::from(marginal.confidence)).abs() < 1e-3, "{marginal:?}: {sum}");
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared} labels");
}

/// Finite but meaningless values may give bad trees, but never a panic.
#[test]
fn senseless_numbers_make_trees_all_the_same() {
    let bytes = save(&learn());
    let values: [fn(usize) -> f32; 4] =
        [|_| 0.0, |_| f32::MAX, |at| if at % 2 == 0 { f32::MIN } else { f32::MAX }, |at| -(at as f32)];
    for value in values {
        for name in ["grammar0/member0/tensors", "grammar0/member0/roots", "grammar0/member0/profiles/values"]
        {
            let model = forge(&bytes, name, |contents| {
                weights(contents).iter_mut().enumerate().for_each(|(at, number)| *number = value(at));
            });
            let model = model.unwrap();
            let parser = Parser::new(&model, ParserConfig::default());
            let mut scratch = Scratch::default();
            for tree in treebank(10, 3) {
                let words: Vec<Observation<'_>> = tree.words().map(Observation::Word).collect();
                let (best, _) = parser.parse_with_marginals(&words, 2, &mut scratch);
                assert!(best[0].tree.words().eq(tree.words()), "{name}");
                assert!(parser.parse(&words, &mut scratch).is_some());
            }
        }
    }
}
