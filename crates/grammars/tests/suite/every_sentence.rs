//! Every sentence gets a tree with its words and tags in order, and the tree says whether it is a parse.

use std::sync::LazyLock;

use crate::treebanks::{learn, trees};
use corpus::rare_words::SentencePosition;
use corpus::tree::binarize::{Direction, Horizontal};
use corpus::tree::heads::HeadRules;
use corpus::tree::markov::Annotated;
use corpus::tree::normal_form::NormalForm;
use corpus::tree::{FALLBACK_LABEL, Tree};
use eigentree_grammars::lexicon::Observation;
use eigentree_grammars::pcfg::{Decoding, Outcome, Parse, Parser, ParserConfig, Pcfg, Pruning, Scratch};
use proptest::prelude::*;

/// Labels and words with every mark in them, chains, flat nodes, and roots that are single tags.
const TREEBANK: [&str; 8] = [
    "(ROOT (S (NP (DT the) (NN dog)) (VP (VB saw) (NP (PRP him)) (ADVP (RB again))) (. .)))",
    "(ROOT (S (NP (PRP she)) (VP (VB ran)) (. .)))",
    "(ROOT (NP (DT the) (JJ old) (JJ old) (NN dog)))",
    "(ROOT (S (VP (VB go))))",
    "(ROOT (UH oh))",
    "(ROOT (X|Y (A@B ^) (C~D^E \\) (F\\G |)))",
    "(ROOT (S (NP (NN @x)) (VP (VB -LRB-) (X|Y (A@B a) (A@B b)) (PP (IN of) (NP (NN ~))))))",
    "(ROOT (FRAG (NP (NN dog)) (: :) (NP (NN cat)) (: :) (S (VP (VB go)))))",
];

static MODELS: LazyLock<Vec<Pcfg>> = LazyLock::new(|| {
    let form = NormalForm::default;
    let forms = [
        NormalForm { horizontal: Horizontal::Order(0), ..form() },
        form(),
        NormalForm { direction: Direction::Right, vertical: 2, ..form() },
        NormalForm {
            direction: Direction::HeadOutward(HeadRules::english()),
            vertical: 3,
            annotated: Annotated::PhrasesAndTags,
            horizontal: Horizontal::Unlimited,
        },
    ];
    let treebank = trees(&TREEBANK);
    let without_top: Vec<Tree> =
        TREEBANK.iter().map(|text| text[6..text.len() - 1].parse().unwrap()).collect();
    let mut models: Vec<Pcfg> = forms.iter().map(|form| learn(&treebank, form.clone())).collect();
    models.push(learn(&without_top, form()));
    models
});

#[derive(Clone, Debug)]
enum Given {
    Word(String),
    Tagged(String, String),
    Tag(String),
}

impl Given {
    fn observation(&self) -> Observation<'_> {
        match self {
            Given::Word(word) => Observation::Word(word),
            Given::Tagged(word, tag) => Observation::Tagged(word, tag),
            Given::Tag(tag) => Observation::Tag(tag),
        }
    }

    /// The word that the tree shows.
    fn word(&self) -> &str {
        match self {
            Given::Word(word) | Given::Tagged(word, _) | Given::Tag(word) => word,
        }
    }

    fn tag(&self) -> Option<&str> {
        match self {
            Given::Word(_) => None,
            Given::Tagged(_, tag) | Given::Tag(tag) => Some(tag),
        }
    }
}

/// Text from the treebank, made of marks, or arbitrary. The fallback label is excluded because it would make trees
/// ambiguous.
fn text() -> impl Strategy<Value = String> {
    let known = [
        "the", "dog", "saw", "him", "again", ".", "she", "ran", "old", "go", "oh", "DT", "NN", "VB", "PRP",
        "RB", "JJ", "UH", "A@B", "C~D^E", "F\\G", "NP", "S", "ROOT", "NP|NN", "@VP", "-LRB-", "", ":",
    ];
    let any = any::<String>();
    prop_oneof![
        6 => prop::sample::select(known.to_vec()).prop_map(str::to_owned),
        2 => "[|@^~\\\\()A b]{0,5}",
        1 => any,
        1 => prop::sample::select(&["naïve", "犬", "走る", "كلب", "🐕‍🦺", "e\u{301}", "\u{0}", "ẞ"][..]).prop_map(str::to_owned),
    ]
    .prop_filter("not the label of fallbacks", |text| text != FALLBACK_LABEL)
}

fn given() -> impl Strategy<Value = Given> {
    prop_oneof![
        2 => text().prop_map(Given::Word),
        2 => (text(), text()).prop_map(|(word, tag)| Given::Tagged(word, tag)),
        1 => text().prop_map(Given::Tag),
    ]
}

fn config() -> impl Strategy<Value = ParserConfig> {
    let decoding =
        prop::sample::select(&[Decoding::Viterbi, Decoding::MaxRuleSum, Decoding::MaxRuleProduct][..]);
    let pruning = prop::sample::select(vec![
        Pruning::default(),
        Pruning::None,
        Pruning::Posterior(0.5),
        Pruning::Posterior(2.0),
        Pruning::Posterior(f32::NAN),
        Pruning::Posterior(-1.0),
    ]);
    (decoding, pruning, 0..8_usize, prop::sample::select(&[5_usize, 600][..])).prop_map(
        |(decoding, pruning, coarse_from, max_words)| ParserConfig {
            decoding,
            pruning,
            coarse_from,
            max_words,
        },
    )
}

fn check(parse: &Parse, sentence: &[Given]) {
    let tree = &parse.tree;
    let words: Vec<&str> = tree.words().collect();
    assert_eq!(words, sentence.iter().map(Given::word).collect::<Vec<_>>(), "{tree}");
    for (tag, given) in tree.tags().zip(sentence) {
        if let Some(expected) = given.tag() {
            assert_eq!(tag, expected, "{tree}");
        }
    }
    let is_marked = tree.nodes().any(|node| !node.is_word() && node.label() == FALLBACK_LABEL);
    assert_eq!(is_marked, parse.outcome == Outcome::Fallback, "{tree}");
    match parse.outcome {
        Outcome::Parsed => assert!(parse.log_probability.is_finite(), "{tree}"),
        Outcome::Fallback => assert_eq!(parse.log_probability, f64::NEG_INFINITY, "{tree}"),
    }
    // Phrases have labels of the treebank, without traces of any transform.
    let known = ["ROOT", "S", "NP", "VP", "ADVP", "X|Y", "PP", "FRAG", FALLBACK_LABEL];
    for node in tree.nodes().filter(|node| !node.is_word() && !node.is_preterminal()) {
        assert!(known.contains(&node.label()), "{} in {tree}", node.label());
    }
    let tags = ["DT", "NN", "VB", "PRP", "RB", "JJ", ".", "UH", "A@B", "C~D^E", "F\\G", "IN", ":"];
    for (tag, given) in tree.tags().zip(sentence) {
        assert!(given.tag().is_some() || tags.contains(&tag), "{tag} in {tree}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn one_tree_with_all_words(
        sentence in prop::collection::vec(given(), 1..12),
        config in config(),
        model in 0..5_usize,
        k in 0..6_usize,
    ) {
        let observed: Vec<Observation<'_>> = sentence.iter().map(Given::observation).collect();
        let parser = Parser::new(&MODELS[model], config.clone());
        let mut scratch = Scratch::default();
        let parse = parser.parse(&observed, &mut scratch).unwrap();
        check(&parse, &sentence);
        // Scratch memory that was used before must not matter.
        parser.parse(&[Observation::Word("go"); 7], &mut scratch).unwrap();
        prop_assert_eq!(&parser.parse(&observed, &mut scratch).unwrap(), &parse);

        let list = parser.parse_best(&observed, k, &mut scratch);
        prop_assert!(list.len() <= k && list.is_empty() == (k == 0));
        prop_assert_eq!(&list, &parser.parse_best(&observed, k, &mut Scratch::default()));
        for (rank, parse) in list.iter().enumerate() {
            check(parse, &sentence);
            prop_assert!(list[..rank].iter().all(|other| other.tree != parse.tree));
            prop_assert!(rank == 0 || list[rank - 1].log_probability >= parse.log_probability);
        }
        if sentence.len() > config.max_words {
            prop_assert_eq!(parse.outcome, Outcome::Fallback);
        }
    }
}

#[test]
fn no_words_no_tree() {
    let parser = Parser::new(&MODELS[0], ParserConfig::default());
    assert_eq!(parser.parse(&[], &mut Scratch::default()), None);
    assert!(parser.parse_best(&[], 3, &mut Scratch::default()).is_empty());
}

/// A given tag restricts the parse to the chains that end in it, and these chains survive.
#[test]
fn given_tags_keep_their_chains() {
    for (number, model) in MODELS[..4].iter().enumerate() {
        for text in
            ["(ROOT (S (NP (PRP she)) (VP (VB ran)) (. .)))", "(ROOT (S (VP (VB go))))", "(ROOT (UH oh))"]
        {
            let tree: Tree = text.parse().unwrap();
            let parse =
                crate::treebanks::parse(model, ParserConfig::default(), &crate::treebanks::tagged(&tree));
            assert_eq!(parse.tree.to_string(), text, "model {number}");
        }
    }
}

/// Tags that contain marks are known like any others: only the chains that end in them remain.
#[test]
fn given_tags_with_marks_are_known() {
    let gold: Tree = TREEBANK[5].parse().unwrap();
    for (number, model) in MODELS[..2].iter().enumerate() {
        for tag in gold.tags() {
            for observed in [Observation::Tag(tag), Observation::Tagged("new", tag)] {
                let mut emissions = Vec::new();
                model.lexicon().emissions(observed, SentencePosition::Later, &mut emissions);
                assert_eq!(emissions.len(), 1, "model {number}: {observed:?}");
            }
        }
        let parse = crate::treebanks::parse(model, ParserConfig::default(), &crate::treebanks::tagged(&gold));
        assert_eq!(parse.tree, gold, "model {number}");
    }
}

/// Sentences beyond the length limit get tags of the treebank, as the treebank writes them.
#[test]
fn flat_fallbacks_have_tags_of_the_treebank() {
    let config = ParserConfig { max_words: 2, ..ParserConfig::default() };
    for model in MODELS.iter() {
        let parse = crate::treebanks::parse(model, config.clone(), &["a", "b", "|"].map(Observation::Word));
        assert_eq!(parse.outcome, Outcome::Fallback);
        assert_eq!(parse.tree.tags().collect::<Vec<_>>(), ["A@B", "A@B", "F\\G"], "{}", parse.tree);
    }
}
