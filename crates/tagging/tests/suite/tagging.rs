//! Whole taggers: what they learn, and that files preserve them.

use corpus::format::brown_paths::BrownPath;
use eigentree_tagging::tagger::{
    ColumnKind, Objective, Resources, TaggedSentence, Tagger, TaggerConfig, TaggerData, TaggerLearner,
};
use models::learn::{Learner, Silent};
use models::persist::ModelFile;
use models::representations::ClusterPaths;

/// Sentences whose tags depend on neighbours: `light` is a noun after a determiner and a verb after a pronoun.
fn sentences() -> Vec<TaggedSentence> {
    let mut all = Vec::new();
    for n in 0..240 {
        let noun = ["light", "dog", "house", "walk"][n % 4];
        let verb = ["light", "walk", "see", "bark"][n / 4 % 4];
        let (noun, verb) = match n % 3 {
            0 => (format!("thing{n}"), format!("move{n}")),
            _ => (noun.to_owned(), verb.to_owned()),
        };
        let (words, tags, more) = match n % 2 {
            0 => (
                format!("the {noun} and they {verb} Name{n} ."),
                "DET NOUN CCONJ PRON VERB PROPN PUNCT",
                "DT NN CC PRP VBP NNP .",
            ),
            _ => (format!("they {verb} the {noun} ."), "PRON VERB DET NOUN PUNCT", "PRP VBP DT NN ."),
        };
        let split = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<String>>();
        all.push(TaggedSentence { words: split(&words), labels: vec![split(tags), split(more)] });
    }
    all
}

fn data() -> TaggerData {
    TaggerData {
        columns: vec![("upos".to_owned(), ColumnKind::Plain), ("xpos".to_owned(), ColumnKind::Plain)],
        sentences: sentences(),
        resources: Resources {
            clusters: Some(ClusterPaths::new(
                [("dog", "0010"), ("cat", "0010"), ("see", "11"), ("hear", "11")]
                    .map(|(word, bits)| BrownPath { bits: bits.to_owned(), word: word.to_owned(), count: 1 }),
            )),
            ..Resources::default()
        },
    }
}

fn tagger(config: TaggerConfig) -> Tagger {
    TaggerLearner { config }.learn(&data(), &mut Silent).unwrap().model
}

fn labels(tagger: &Tagger, words: &str, column: usize) -> String {
    let words: Vec<&str> = words.split(' ').collect();
    tagger.tag(&words, &mut tagger.scratch()).labels(column).collect::<Vec<_>>().join(" ")
}

#[test]
fn context_endings_and_clusters_tell_labels() {
    for objective in [Objective::Likelihood, Objective::Perceptron, Objective::Greedy] {
        let tagger = tagger(TaggerConfig { objective, ..TaggerConfig::default() });
        assert_eq!(labels(&tagger, "they light the walk .", 0), "PRON VERB DET NOUN PUNCT", "{objective:?}");
        assert_eq!(labels(&tagger, "the light and they walk Name1000 .", 1), "DT NN CC PRP VBP NNP .");
        // Unseen, but in the clusters of seen words.
        assert_eq!(
            labels(&tagger, "the cat and they hear Name9 .", 0),
            "DET NOUN CCONJ PRON VERB PROPN PUNCT"
        );
        assert_eq!(labels(&tagger, "", 0).split(' ').count(), 1);
        let none: [&str; 0] = [];
        assert_eq!(tagger.tag(&none, &mut tagger.scratch()).labels(0).len(), 0);
    }
}

#[test]
fn confidences_and_lists_agree_with_the_best_labels() {
    // With networks confidences would be lowered, as they are too high.
    let tagger = tagger(TaggerConfig { network: None, ..TaggerConfig::default() });
    let words: Vec<&str> = "the cat light they walk".split(' ').collect();
    let mut scratch = tagger.scratch();
    let (tagging, confidences) = tagger.tag_with_confidence(&words, &mut scratch);
    let best: Vec<&str> = tagging.labels(0).collect();
    let list = tagger.tag_best(&words, 0, 50, &mut scratch);
    assert_eq!(list[0].0, best);
    assert!(list.windows(2).all(|pair| pair[0].1 >= pair[1].1));
    let total: f64 = list.iter().map(|(_, log_probability)| log_probability.exp()).sum();
    assert!(total <= 1.001, "{total}");
    // The total probability of a word's label in the list never exceeds its confidence.
    for (at, &confidence) in confidences[0].iter().enumerate() {
        let agreeing = list.iter().filter(|(labels, _)| labels[at] == best[at]);
        let sum: f64 = agreeing.map(|(_, log_probability)| log_probability.exp()).sum();
        assert!(sum <= f64::from(confidence) + 1e-3 && confidence <= 1.0 + 1e-4, "{sum} {confidence}");
    }
}

/// A tagger that is sure of itself meets text in which every fourth verb is called something else.
#[test]
fn calibrated_confidences_tell_how_often_labels_are_right() {
    let mut tagger = tagger(TaggerConfig::default());
    let mut held_out = sentences();
    let verbs = held_out.iter_mut().flat_map(|sentence| &mut sentence.labels[0]);
    for (_, label) in verbs.filter(|label| *label == "VERB").enumerate().filter(|(number, _)| number % 4 == 0)
    {
        "AUX".clone_into(label);
    }
    let confidence = |tagger: &Tagger| -> (Vec<String>, f64) {
        let mut scratch = tagger.scratch();
        let (mut labels, mut sum) = (Vec::new(), 0.0);
        for sentence in &held_out {
            let (tagging, confidences) = tagger.tag_with_confidence(&sentence.words, &mut scratch);
            labels.extend(tagging.labels(0).map(str::to_owned));
            sum += confidences[0].iter().map(|&confidence| f64::from(confidence)).sum::<f64>();
        }
        let words = labels.len() as f64;
        (labels, sum / words)
    };
    let before = confidence(&tagger);
    tagger.calibrate(&held_out);
    let after = confidence(&tagger);
    assert_eq!(before.0, after.0, "labels stay as they are");
    let gold = held_out.iter().flat_map(|sentence| &sentence.labels[0]);
    let right =
        gold.zip(&after.0).filter(|(gold, found)| gold == found).count() as f64 / after.0.len() as f64;
    assert!((after.1 - right).abs() < 0.005, "{} against {right}; before {}", after.1, before.1);
    assert!((before.1 - right).abs() > 0.01, "{} against {right}", before.1);
    let loaded = Tagger::from_bytes(saved(&tagger)).unwrap();
    assert_eq!(confidence(&loaded), after);
}

#[test]
fn entities_begin_and_end() {
    let split = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<String>>();
    let sentences: Vec<TaggedSentence> = (0..60)
        .map(|n| TaggedSentence {
            words: match n % 2 {
                0 => split(&format!("we saw New York and Mr Smith{n} there")),
                _ => split(&format!("we saw Mr Smith{n} and New York there")),
            },
            labels: match n % 2 {
                0 => vec![split("O O B-LOC E-LOC O B-PER E-PER O")],
                _ => vec![split("O O B-PER E-PER O B-LOC E-LOC O")],
            },
        })
        .collect();
    let data = TaggerData {
        columns: vec![("entities".to_owned(), ColumnKind::Spans)],
        sentences,
        ..TaggerData::default()
    };
    let tagger = TaggerLearner { config: TaggerConfig::entities() }.learn(&data, &mut Silent).unwrap().model;
    assert_eq!(labels(&tagger, "we saw Mr Jones and New York there", 0), "O O B-PER E-PER O B-LOC E-LOC O");
    // Unseen combinations still give a sequence of whole entities.
    for words in ["New", "York New Mr", "Mr New York Mr Smith1 New"] {
        let found = labels(&tagger, words, 0);
        assert!(corpus::format::bio::Scheme::Bioes.entities(found.split(' ')).is_ok(), "{words}: {found}");
    }
}

fn saved(tagger: &Tagger) -> Vec<u8> {
    tagger.to_bytes().unwrap()
}

#[test]
fn files_keep_taggers_and_learning_is_the_same_every_time() {
    let one = saved(&tagger(TaggerConfig::default()));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let other = pool.install(|| saved(&tagger(TaggerConfig::default())));
    assert_eq!(one, other);
    assert_ne!(one, saved(&tagger(TaggerConfig { seed: 2, ..TaggerConfig::default() })));
    let loaded = Tagger::from_bytes(one.clone()).unwrap();
    assert_eq!(saved(&loaded), one);
    assert_eq!(labels(&loaded, "they light the cat", 0), "PRON VERB DET NOUN");
}

/// Addresses are a class of their own, whatever letters they end in.
#[test]
fn addresses_are_known_as_such() {
    let mut data = data();
    for n in 0..20 {
        let words = ["they", "walk", &format!("http://example{n}.org/{n}"), "."].map(str::to_owned).to_vec();
        let labels = ["PRON VERB X PUNCT", "PRP VBP ADD ."];
        let labels = labels.map(|tags| tags.split(' ').map(str::to_owned).collect()).to_vec();
        data.sentences.push(TaggedSentence { words, labels });
    }
    let tagger = TaggerLearner::default().learn(&data, &mut Silent).unwrap().model;
    for address in ["https://name.net/moves", "www.house.com", "http://thing1/see"] {
        assert_eq!(labels(&tagger, &format!("they walk {address} ."), 0), "PRON VERB X PUNCT", "{address}");
    }
}

/// A word of the treebank is told by its dictionary entry, even if it occurs there once.
#[test]
fn words_seen_once_are_known() {
    let mut data = data();
    let names = ["zork", "blim", "quax", "frob", "dwee", "plif", "snar", "gump"];
    let sentence = |verb: &str| TaggedSentence {
        words: format!("they {verb} the dog .").split(' ').map(str::to_owned).collect(),
        labels: ["PRON AUX DET NOUN PUNCT", "PRP MD DT NN ."]
            .map(|tags| tags.split(' ').map(str::to_owned).collect())
            .to_vec(),
    };
    for name in names {
        data.sentences.extend([sentence(name), sentence(name)]);
    }
    data.sentences.push(sentence("wimble"));
    let tagger = TaggerLearner::default().learn(&data, &mut Silent).unwrap().model;
    assert_eq!(labels(&tagger, "they wimble the house .", 0), "PRON AUX DET NOUN PUNCT");
}
