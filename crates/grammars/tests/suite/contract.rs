//! The contract of every learner and model: the same bytes from the same data, models that survive a round trip through
//! a file, errors instead of panics for bad data and bad files.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::treebanks::{learn, learn_with, load, save, tagged, treebank, trees, untagged};
use corpus::tree::binarize::{Direction, Horizontal};
use corpus::tree::heads::HeadRules;
use corpus::tree::normal_form::NormalForm;
use corpus::tree::{Tree, TreeBuilder};
use eigentree_grammars::grammar::{RuleSmoothing, SiblingSmoothing};
use eigentree_grammars::lexicon::Observation;
use eigentree_grammars::pcfg::{
    Decoding, Outcome, Parser, ParserConfig, Pcfg, PcfgConfig, PcfgLearner, Scratch,
};
use models::learn::{Learner, Observer, Silent};
use models::persist::{Container, ContainerWriter, LoadError, Metadata, ModelFile};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

const TREEBANK: [&str; 4] = [
    "(ROOT (S (NP (DT the) (NN dog)) (VP (VB saw) (NP (PRP him)) (ADVP (RB again))) (. .)))",
    "(ROOT (S (NP (PRP she)) (VP (VB ran)) (. .)))",
    "(ROOT (NP (DT the) (JJ old) (JJ old) (NN dog)))",
    "(ROOT (UH oh))",
];

fn forms() -> Vec<NormalForm> {
    let form = NormalForm::default;
    vec![
        NormalForm { horizontal: Horizontal::Order(0), ..form() },
        form(),
        NormalForm { vertical: 2, ..form() },
        NormalForm { direction: Direction::Right, ..form() },
        NormalForm { direction: Direction::HeadOutward(HeadRules::english()), vertical: 2, ..form() },
    ]
}

#[test]
fn models_are_shared_by_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Pcfg>();
    shared::<Parser<'_>>();
}

#[test]
fn bad_data_is_an_error() {
    let learner = PcfgLearner::default();
    let error = learner.learn(&[], &mut Silent).unwrap_err();
    assert!(error.is_bad_data(), "{error}");
    // Trees that no reader produces but a program can build: words next to phrases, words without tags, labels without
    // words.
    let build = |steps: &[&str]| {
        let mut builder = TreeBuilder::new();
        for step in steps {
            match step.strip_prefix('(') {
                Some(label) => builder.open(label),
                None if *step == ")" => builder.close(),
                None => builder.word(step),
            }
        }
        builder.finish().unwrap()
    };
    for steps in [
        &["(ROOT", "(S", "word", "(NN", "x", ")", ")", ")"][..],
        &["(ROOT", "(S", "(NN", "x", ")", "word", "word", ")", ")"],
        &["(ROOT", "(S", "word", "word", ")", ")"],
        &["(ROOT", "word", "word", "word", ")"],
        &["word"],
        &["(S", ")"],
        &["(S", "(NN", "x", ")", "(NP", ")", ")"],
    ] {
        let mut treebank = trees(&TREEBANK);
        treebank.push(build(steps));
        let error = learner.learn(&treebank, &mut Silent).expect_err(&format!("{steps:?} was learnt from"));
        assert!(error.is_bad_data(), "{steps:?}: {error}");
    }
}

/// Cancels after a number of calls.
struct Impatient {
    stages: Vec<String>,
    limit: usize,
}

impl Observer for Impatient {
    fn stage(&mut self, name: &str, _total: Option<u64>) {
        self.stages.push(name.to_owned());
    }

    fn cancelled(&self) -> bool {
        self.stages.len() >= self.limit
    }
}

#[test]
fn an_observer_stops_the_learner_at_every_stage() {
    let treebank = trees(&TREEBANK);
    let mut patient = Impatient { stages: Vec::new(), limit: usize::MAX };
    let learned = PcfgLearner::default().learn(&treebank, &mut patient).unwrap();
    assert_eq!(learned.report.figure("trees"), Some(4.0));
    assert_eq!(learned.report.figure("words"), Some(14.0));
    assert_eq!(learned.report.stages[0].work, 4);
    for limit in 0..patient.stages.len() {
        let mut observer = Impatient { stages: Vec::new(), limit };
        let error = PcfgLearner::default().learn(&treebank, &mut observer).unwrap_err();
        assert!(error.is_cancelled(), "after {limit} stages: {error}");
    }
}

#[test]
fn the_same_data_gives_the_same_bytes() {
    for form in forms() {
        let once = save(&learn(&trees(&TREEBANK), form.clone()));
        assert_eq!(once, save(&learn(&trees(&TREEBANK), form.clone())));
        assert_eq!(once, save(&load(once.clone())), "saving what was loaded");
        let rule_smoothing = RuleSmoothing::Siblings(SiblingSmoothing::default());
        let config = PcfgConfig { normal_form: form, rule_smoothing, ..PcfgConfig::default() };
        let smoothed = learn_with(&trees(&TREEBANK), config);
        let loaded = load(save(&smoothed));
        assert!(smoothed.rule_counts().contains(&0.0), "no rule was made");
        assert_eq!(save(&smoothed), save(&loaded), "saving smoothed rules that were loaded");
        assert_eq!(smoothed.weights(), loaded.weights());
    }
}

/// On real data: files are equal, and a loaded model parses like the learnt one.
#[test]
fn a_file_holds_the_whole_model() {
    let (Some(train), Some(dev)) = (treebank("gum/train.ptb"), treebank("gum/dev.ptb")) else { return };
    let train = &train[..3000];
    let model = learn(train, NormalForm::default());
    let bytes = save(&model);
    assert!(bytes == save(&learn(train, NormalForm::default())), "learning twice gives other bytes");
    let loaded = load(bytes);
    let mut scratch = Scratch::default();
    let short: Vec<&Tree> = dev.iter().filter(|tree| tree.word_count() <= 30).take(200).collect();
    assert_eq!(short.len(), 200);
    for (number, tree) in short.into_iter().enumerate() {
        let without_tags = (number % 4 == 0).then(|| untagged(tree));
        for sentence in [Some(tagged(tree)), without_tags].into_iter().flatten() {
            let one = Parser::new(&model, ParserConfig::default()).parse(&sentence, &mut scratch).unwrap();
            let other = Parser::new(&loaded, ParserConfig::default()).parse(&sentence, &mut scratch).unwrap();
            assert_eq!(one, other);
        }
    }
}

/// Whatever the normal form, output has the labels of the treebank.
#[test]
fn normal_forms_are_undone() {
    let (Some(train), Some(dev)) = (treebank("gum/train.ptb"), treebank("gum/dev.ptb")) else { return };
    let train = &train[..1500];
    let labels = |trees: &[Tree]| -> std::collections::BTreeSet<String> {
        let nodes = trees.iter().flat_map(|tree| tree.nodes().filter(|node| !node.is_word()));
        nodes.map(|node| node.label().to_owned()).collect()
    };
    let mut known = labels(train);
    known.insert(corpus::tree::FALLBACK_LABEL.to_owned());
    for (number, form) in forms().into_iter().enumerate() {
        let model = learn(train, form);
        let parser = Parser::new(&model, ParserConfig::default());
        let mut scratch = Scratch::default();
        let mut parsed = 0;
        for gold in dev.iter().filter(|tree| tree.word_count() <= 20).take(40) {
            for sentence in [tagged(gold), untagged(gold)] {
                let parse = parser.parse(&sentence, &mut scratch).unwrap();
                parsed += usize::from(parse.outcome == Outcome::Parsed);
                assert_eq!(parse.tree.root().label(), "ROOT");
                assert!(parse.tree.words().eq(gold.words()));
                let fine = parse.tree.nodes().filter(|node| !node.is_word() && !node.is_preterminal());
                for node in fine {
                    assert!(
                        known.contains(node.label()),
                        "form {number}: {} in {}",
                        node.label(),
                        parse.tree
                    );
                }
            }
        }
        assert!(parsed > 65, "form {number}: only {parsed} of 80 were parsed");
    }
}

/// The sections of a model file, open to modification.
#[derive(Clone)]
struct Sections {
    form: Value,
    phrases: Vec<String>,
    preterminals: Vec<String>,
    rules: Vec<u32>,
    rule_counts: Vec<f64>,
    rule_expectations: Vec<f64>,
    root_counts: Vec<f64>,
    config: Value,
    words: Vec<String>,
    signatures: Vec<String>,
    /// Starts, columns, counts.
    seen: [Vec<u32>; 3],
    rare: [Vec<u32>; 3],
    /// The models of contexts of tags and of chains.
    contexts: [ContextSections; 3],
}

/// The sections of a context model.
#[derive(Clone)]
struct ContextSections {
    step: Value,
    names: Vec<u32>,
    starts: Vec<u32>,
    labels: Vec<u16>,
    weights: Vec<u8>,
}

/// The scopes of the context models.
const CONTEXTS: [&str; 3] = ["tag_context", "chain_context", "boundary_context"];

impl Sections {
    fn small() -> Self {
        let container =
            Container::from_bytes(save(&learn(&trees(&TREEBANK), NormalForm::default()))).unwrap();
        let strings = |name: &str| -> Vec<String> {
            container.strings(name).unwrap().iter().map(str::to_owned).collect()
        };
        let table = |name: &str| {
            let table = container.scope(name);
            ["starts", "columns", "counts"].map(|part| table.array(part).unwrap().into_vec())
        };
        let context = |context: &Container| ContextSections {
            step: context.json("step").unwrap(),
            names: context.array("names").unwrap().into_vec(),
            starts: context.array("starts").unwrap().into_vec(),
            labels: context.array("labels").unwrap().into_vec(),
            weights: context.array("weights").unwrap().into_vec(),
        };
        let rule_counts: Vec<f64> = container.array("rule_counts").unwrap().into_vec();
        Self {
            form: container.json("form").unwrap(),
            phrases: strings("phrases"),
            preterminals: strings("preterminals"),
            rules: container.tensor("rules", &[rule_counts.len(), 3]).unwrap().into_vec(),
            rule_counts,
            rule_expectations: container.array("rule_expectations").unwrap().into_vec(),
            root_counts: container.array("root_counts").unwrap().into_vec(),
            config: container.json("lexicon/config").unwrap(),
            words: strings("lexicon/words"),
            signatures: strings("lexicon/signatures"),
            seen: table("lexicon/seen"),
            rare: table("lexicon/rare"),
            contexts: CONTEXTS.map(|name| context(&container.scope("lexicon").scope(name))),
        }
    }

    /// Writes the modified sections with valid checksums, so that only the family can object, and loads them.
    fn load(&self) -> Result<Pcfg, LoadError> {
        let mut writer = ContainerWriter::new(&Metadata::new(Pcfg::FAMILY, Pcfg::FORMAT));
        writer.json("form", &self.form);
        writer.strings("phrases", &self.phrases);
        writer.strings("preterminals", &self.preterminals);
        writer.tensor("rules", &[self.rules.len() / 3, 3], &self.rules[..]);
        writer.array("rule_counts", &self.rule_counts[..]);
        writer.array("rule_expectations", &self.rule_expectations[..]);
        writer.array("root_counts", &self.root_counts[..]);
        writer.scope("lexicon", |writer| {
            writer.json("config", &self.config);
            writer.strings("words", &self.words);
            writer.strings("signatures", &self.signatures);
            for (name, table) in [("seen", &self.seen), ("rare", &self.rare)] {
                writer.scope(name, |writer| {
                    for (part, numbers) in ["starts", "columns", "counts"].iter().zip(table) {
                        writer.array(part, &numbers[..]);
                    }
                });
            }
            for (name, context) in CONTEXTS.iter().zip(&self.contexts) {
                writer.scope(name, |writer| {
                    writer.json("step", &context.step);
                    writer.array("names", &context.names[..]);
                    writer.array("starts", &context.starts[..]);
                    writer.array("labels", &context.labels[..]);
                    writer.array("weights", &context.weights[..]);
                });
            }
        });
        let mut bytes = Vec::new();
        writer.write_to(&mut bytes).unwrap();
        Pcfg::from_bytes(bytes)
    }
}

/// Parses a few sentences in all ways; each must get a tree with its words.
fn exercise(model: &Pcfg) {
    let mut scratch = Scratch::default();
    for text in ["she saw the old dog again .", "oh", "the new dog ran ran ran ran"] {
        let words: Vec<&str> = text.split(' ').collect();
        let sentence: Vec<Observation<'_>> = words.iter().map(|&word| Observation::Word(word)).collect();
        let tags = vec![Observation::Tagged("dog", "NN"); 5];
        for decoding in [Decoding::Viterbi, Decoding::MaxRuleSum, Decoding::MaxRuleProduct] {
            let parser =
                Parser::new(model, ParserConfig { decoding, coarse_from: 0, ..ParserConfig::default() });
            let parse = parser.parse(&sentence, &mut scratch).unwrap();
            assert!(parse.tree.words().eq(words.iter().copied()), "{}", parse.tree);
            assert_eq!(parser.parse(&tags, &mut scratch).unwrap().tree.word_count(), 5);
        }
        let parser = Parser::new(model, ParserConfig { max_words: 4, ..ParserConfig::default() });
        assert!(!parser.parse_best(&sentence, 4, &mut scratch).is_empty());
    }
}

#[test]
fn unchanged_sections_make_the_same_model() {
    let model = Sections::small().load().unwrap();
    assert!(save(&model) == save(&learn(&trees(&TREEBANK), NormalForm::default())));
    exercise(&model);
}

#[test]
fn sections_that_do_not_fit_are_refused() {
    type Change = (&'static str, fn(&mut Sections));
    let changes: [Change; 30] = [
        ("a rule with a missing symbol", |s| s.rules[1] = 1000),
        ("a rule with the largest symbol", |s| s.rules[2] = u32::MAX),
        ("a rule with a missing parent", |s| s.rules[0] = u32::MAX),
        ("a preterminal as a parent", |s| s.rules[0] = s.phrases.len() as u32),
        ("a rule twice", |s| s.rules.copy_within(0..3, 3)),
        ("too few rules", |s| s.rules.truncate(3)),
        ("too few rule counts", |s| s.rule_counts.truncate(1)),
        ("too many rule counts", |s| s.rule_counts.push(1.0)),
        ("a negative rule count", |s| s.rule_counts[0] = -1.0),
        ("a rule count that is not a number", |s| s.rule_counts[0] = f64::NAN),
        ("an infinite rule count", |s| s.rule_counts[0] = f64::INFINITY),
        ("too few expectations", |s| s.rule_expectations.truncate(1)),
        ("too many expectations", |s| s.rule_expectations.push(1.0)),
        ("a negative expectation", |s| s.rule_expectations[0] = -1.0),
        ("an expectation that is not a number", |s| s.rule_expectations[0] = f64::NAN),
        ("too few root counts", |s| s.root_counts.truncate(1)),
        ("a negative root count", |s| s.root_counts[0] = -0.5),
        ("a root count that is not a number", |s| s.root_counts[0] = f64::NAN),
        ("a phrase twice", |s| s.phrases[1] = s.phrases[0].clone()),
        ("a preterminal twice", |s| s.preterminals[1] = s.preterminals[0].clone()),
        ("a word twice", |s| s.words[1] = s.words[0].clone()),
        ("a missing preterminal", |s| drop(s.preterminals.pop())),
        ("a missing word", |s| drop(s.words.pop())),
        ("a missing signature", |s| drop(s.signatures.pop())),
        ("a word under a missing preterminal", |s| s.seen[1][0] = 99),
        ("a signature with a missing tag", |s| s.rare[1][0] = 99),
        ("rows that run backwards", |s| s.seen[0].swap(1, 2)),
        ("rows beyond the table", |s| *s.seen[0].last_mut().unwrap() += 1),
        ("counts without columns", |s| s.rare[2].push(1)),
        ("an invalid form", |s| s.form = json!({"top": 3})),
    ];
    for (what, change) in changes {
        let mut sections = Sections::small();
        change(&mut sections);
        match catch_unwind(AssertUnwindSafe(|| sections.load())) {
            Ok(Err(error)) => assert!(error.is_invalid(), "{what}: {error}"),
            Ok(Ok(_)) => panic!("{what} was accepted"),
            Err(_) => panic!("{what} made loading panic"),
        }
    }
}

/// Counts belong to rules by position. A file with its rules in a different order holds the same grammar or is refused.
#[test]
fn rules_in_another_order_keep_their_counts() {
    let sections = Sections::small();
    let model = sections.load().unwrap();
    let mut reversed = sections.clone();
    reversed.rules = sections.rules.chunks(3).rev().flatten().copied().collect();
    reversed.rule_counts.reverse();
    reversed.rule_expectations.reverse();
    assert_ne!(
        reversed.rule_counts, sections.rule_counts,
        "the counts are all the same, which shows nothing"
    );
    if let Ok(other) = reversed.load() {
        assert_eq!(other.rules().rules(), model.rules().rules());
        assert_eq!(other.rule_counts(), model.rule_counts());
        assert_eq!(other.rule_expectations(), model.rule_expectations());
    }
}

/// Odd but consistent sections: loading succeeds or is refused, and a loaded model parses.
#[test]
fn odd_sections_never_panic() {
    type Change = (&'static str, fn(&mut Sections));
    let changes: [Change; 17] = [
        ("no expectations", |s| s.rule_expectations.fill(0.0)),
        ("huge expectations", |s| s.rule_expectations.fill(f64::MAX)),
        ("tiny expectations", |s| s.rule_expectations[0] = f64::MIN_POSITIVE),
        ("no counts", |s| s.rule_counts.fill(0.0)),
        ("no roots", |s| s.root_counts.fill(0.0)),
        ("huge counts", |s| s.rule_counts.fill(f64::MAX)),
        ("tiny counts", |s| s.rule_counts[0] = f64::MIN_POSITIVE),
        ("words never seen", |s| s.seen[2].fill(0)),
        ("saturated counts", |s| s.seen[2].fill(u32::MAX)),
        ("labels of marks", |s| s.phrases[0] = "|".to_owned()),
        ("an intermediate root", |s| s.phrases[0] = "@S".to_owned()),
        ("labels that are empty", |s| s.phrases[0] = String::new()),
        ("preterminals of marks", |s| s.preterminals[0] = "^~|@".to_owned()),
        ("a vertical order without annotations", |s| s.form["vertical"] = json!(u32::MAX)),
        ("no top", |s| s.form["top"] = json!(null)),
        ("weights of zero", |s| {
            for name in ["signature_weight", "chain_weight", "back_off_weight", "cut_off"] {
                s.config[name] = json!(0.0);
            }
        }),
        ("negative weights", |s| {
            for name in ["signature_weight", "chain_weight", "back_off_weight", "cut_off"] {
                s.config[name] = json!(-1.0);
            }
        }),
    ];
    for (what, change) in changes {
        let mut sections = Sections::small();
        change(&mut sections);
        let result = catch_unwind(AssertUnwindSafe(|| {
            sections.load().is_ok_and(|model| {
                exercise(&model);
                true
            })
        }));
        assert!(result.is_ok(), "{what} made it panic");
    }
}

/// Thousands of small random changes: each file is refused or gives a model that parses.
#[test]
fn random_changes_never_panic() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let original = Sections::small();
    let mut accepted = 0;
    let rounds = 2000;
    for round in 0..rounds {
        let mut sections = original.clone();
        for _ in 0..rng.random_range(1..4) {
            disturb(&mut sections, &mut rng);
        }
        let result = catch_unwind(AssertUnwindSafe(|| {
            sections.load().is_ok_and(|model| {
                exercise(&model);
                true
            })
        }));
        match result {
            Ok(made) => accepted += usize::from(made),
            Err(_) => panic!("round {round} panicked"),
        }
    }
    eprintln!("{accepted} of {rounds} disturbed files were models");
    assert!(accepted > rounds / 20 && accepted < rounds * 19 / 20);
}

fn disturb(sections: &mut Sections, rng: &mut ChaCha8Rng) {
    const LABELS: [&str; 8] = ["", "|", "@VP~X", "A|B|C", "^", "NN", "a\\", "FALLBACK"];
    let section = rng.random_range(0..13);
    match section {
        0 if rng.random() => change_count(&mut sections.rule_counts, rng),
        0 => change_count(&mut sections.rule_expectations, rng),
        1 => change_count(&mut sections.root_counts, rng),
        2 | 3 => change_number(&mut sections.rules, rng),
        4..=6 => change_number(&mut sections.seen[section - 4], rng),
        7..=9 => change_number(&mut sections.rare[section - 7], rng),
        _ => {
            let strings = match section {
                10 => &mut sections.phrases,
                11 => &mut sections.preterminals,
                _ => &mut sections.signatures,
            };
            let at = rng.random_range(0..strings.len());
            strings[at] = LABELS[rng.random_range(0..LABELS.len())].to_owned();
        }
    }
}

fn change_count(counts: &mut [f64], rng: &mut ChaCha8Rng) {
    let at = rng.random_range(0..counts.len());
    counts[at] = [0.0, 1e-300, 1e-10, 7.0, 1e30, f64::MAX, -1.0, f64::NAN][rng.random_range(0..8)];
}

fn change_number(numbers: &mut [u32], rng: &mut ChaCha8Rng) {
    let at = rng.random_range(0..numbers.len());
    numbers[at] = match rng.random_range(0..4) {
        0 => numbers[rng.random_range(0..numbers.len())],
        1 => numbers[at].wrapping_add(1),
        2 => numbers[at].wrapping_sub(1),
        _ => rng.random_range(0..20),
    };
}

#[test]
fn other_families_and_later_formats_are_refused() {
    let model = learn(&trees(&TREEBANK), NormalForm::default());
    let written = |metadata: &Metadata| {
        let mut writer = ContainerWriter::new(metadata);
        model.save(&mut writer);
        let mut bytes = Vec::new();
        writer.write_to(&mut bytes).unwrap();
        Pcfg::from_bytes(bytes)
    };
    assert!(written(&Metadata::new(Pcfg::FAMILY, Pcfg::FORMAT)).is_ok());
    assert!(written(&Metadata::new("tagger", 1)).unwrap_err().is_wrong_family());
    assert!(written(&Metadata::new(Pcfg::FAMILY, 1000)).unwrap_err().is_newer());
    let mut empty = Vec::new();
    ContainerWriter::new(&Metadata::new(Pcfg::FAMILY, Pcfg::FORMAT)).write_to(&mut empty).unwrap();
    let error = Pcfg::from_bytes(empty).unwrap_err();
    assert!(error.is_missing_section(), "{error}");
}
