//! Lemmas and joint morphology, from outside.

use eigentree_tagging::lemmatizer::{Lemmatizer, LemmatizerData, LemmatizerLearner, Lexicon};
use eigentree_tagging::tagger::{ColumnKind, Resources, TaggedSentence, Tagger, TaggerData, TaggerLearner};
use models::learn::{Learner, Silent};
use models::persist::ModelFile;

const WORDS: [(&str, &str, &str); 12] = [
    ("dogs", "NOUN", "dog"),
    ("cats", "NOUN", "cat"),
    ("Trees", "NOUN", "tree"),
    ("laughed", "VERB", "laugh"),
    ("walked", "VERB", "walk"),
    ("launched", "VERB", "launch"),
    ("Democrats", "PROPN", "Democrat"),
    ("London", "PROPN", "London"),
    ("Paris", "PROPN", "Paris"),
    ("is", "AUX", "be"),
    ("книги", "NOUN", "книга"),
    ("-", "PUNCT", "_"),
];

fn lemmatizer() -> Lemmatizer {
    let mut data = LemmatizerData::default();
    WORDS.iter().for_each(|(form, tag, lemma)| data.push(form, [*tag], lemma));
    LemmatizerLearner::default().learn(&data, &mut Silent).unwrap().model
}

fn lemma(lemmatizer: &Lemmatizer, form: &str, tag: &str) -> String {
    lemmatizer.lemma(form, [tag], &mut lemmatizer.scratch()).to_owned()
}

#[test]
fn unknown_words_get_lemmas_made_of_themselves() {
    let lemmatizer = lemmatizer();
    assert_eq!(lemma(&lemmatizer, "Birds", "NOUN"), "bird");
    assert_eq!(lemma(&lemmatizer, "talked", "VERB"), "talk");
    assert_eq!(lemma(&lemmatizer, "Boston", "PROPN"), "Boston");
    assert_eq!(lemma(&lemmatizer, "Dogs", "NOUN"), "dog");
    assert_eq!(lemma(&lemmatizer, "is", "AUX"), "be");
    assert_eq!(lemma(&lemmatizer, "-", "PUNCT"), "_");
    // Whatever the tag, a form without letters in common with a lemma never gets it.
    for form in ["xyz", "Dogs", "", "ßß", "語", "http://x.y", &"q".repeat(3000)] {
        for tag in ["NOUN", "VERB", "PROPN", "AUX", "NEW"] {
            let found = lemma(&lemmatizer, form, tag);
            assert!(!["Democrat", "be", "launch"].contains(&found.as_str()), "{form} {tag}: {found}");
        }
    }
}

#[test]
fn files_keep_lemmatizers_and_damage_is_refused() {
    let lemmatizer = lemmatizer();
    let bytes = lemmatizer.to_bytes().unwrap();
    let loaded = Lemmatizer::from_bytes(bytes.clone()).unwrap();
    assert_eq!(loaded.to_bytes().unwrap(), bytes);
    assert_eq!(lemma(&loaded, "Birds", "NOUN"), "bird");
    for place in (0..bytes.len()).step_by(bytes.len() / 200 + 1) {
        let mut broken = bytes.clone();
        broken[place] ^= 0x55;
        // Either refused, or the damage was in padding; never a crash.
        if let Ok(loaded) = Lemmatizer::from_bytes(broken) {
            lemma(&loaded, "Birds", "NOUN");
        }
    }
}

/// Case and number are told by different endings: `-ko` genitive, `-ak` plural.
fn morphology() -> TaggerData {
    let feats = ["Case=Nom|Number=Sing", "Case=Gen|Number=Sing", "Case=Nom|Number=Plur"];
    let sentence = |n: usize| {
        let stem = ["mendi", "etxe", "lagun", "bide", "hiri"][n % 5];
        let word = stem.to_owned() + ["", "ko", "ak"][n % 3];
        TaggedSentence {
            words: vec![word, "da".to_owned()],
            labels: vec![
                vec!["NOUN".to_owned(), "VERB".to_owned()],
                vec![feats[n % 3].to_owned(), "Mood=Ind".to_owned()],
                vec![stem.to_owned(), "izan".to_owned()],
            ],
        }
    };
    let column = |name: &str, kind| (name.to_owned(), kind);
    TaggerData {
        columns: vec![
            column("upos", ColumnKind::Plain),
            column("feats", ColumnKind::Plain),
            column("lemma", ColumnKind::Lemmas),
        ],
        sentences: (0..90).map(sentence).collect(),
        resources: Resources::default(),
    }
}

fn analysis(tagger: &Tagger, words: &[&str]) -> Vec<(String, String, String)> {
    let mut scratch = tagger.scratch();
    let tagging = tagger.tag(words, &mut scratch);
    let mut lemmas = Vec::new();
    tagger.lemmatize(words, &tagging, &mut scratch, |_, lemma| lemmas.push(lemma.to_owned()));
    let labels = tagging.labels(0).zip(tagging.labels(1)).zip(lemmas);
    labels.map(|((upos, feats), lemma)| (upos.to_owned(), feats.to_owned(), lemma)).collect()
}

#[test]
fn columns_agree_with_each_other() {
    let tagger = TaggerLearner::default().learn(&morphology(), &mut Silent).unwrap().model;
    let own = |upos: &str, feats: &str, lemma: &str| (upos.to_owned(), feats.to_owned(), lemma.to_owned());
    let found = analysis(&tagger, &["herriko", "da"]);
    assert_eq!(found, [own("NOUN", "Case=Gen|Number=Sing", "herri"), own("VERB", "Mood=Ind", "izan")]);
    let verb = |found: &(String, String, String)| found.0 == "VERB";
    for words in [["da", "da"], ["x", "etxeak"], ["mendi", "?"], ["ak", "ko"]] {
        for word in analysis(&tagger, &words) {
            assert_eq!(verb(&word), word.1 == "Mood=Ind", "{word:?}");
        }
    }
    let bytes = tagger.to_bytes().unwrap();
    let loaded = Tagger::from_bytes(bytes.clone()).unwrap();
    assert_eq!(loaded.to_bytes().unwrap(), bytes);
    assert_eq!(analysis(&loaded, &["herriko", "da"]), found);
}

#[test]
fn a_lexicon_tells_lemmas_that_the_treebank_does_not_have() {
    let mut data = morphology();
    let lexicon = Lexicon::parse("gizonak\tgizona\tNOUN\n").unwrap();
    data.resources.lexicon = Some(std::sync::Arc::new(lexicon));
    let tagger = TaggerLearner::default().learn(&data, &mut Silent).unwrap().model;
    assert_eq!(analysis(&tagger, &["gizonak", "da"])[0].2, "gizona");
    // Only lemmas: the tagger has no labels.
    data.columns.drain(..2);
    data.sentences.iter_mut().for_each(|sentence| drop(sentence.labels.drain(..2)));
    let tagger = TaggerLearner::default().learn(&data, &mut Silent).unwrap().model;
    let words = ["mendiko", "da"];
    let mut scratch = tagger.scratch();
    let tagging = tagger.tag(&words, &mut scratch);
    let mut lemmas = Vec::new();
    tagger.lemmatize(&words, &tagging, &mut scratch, |_, lemma| lemmas.push(lemma.to_owned()));
    assert_eq!(lemmas, ["mendi", "izan"]);
    assert!(Tagger::from_bytes(tagger.to_bytes().unwrap()).is_ok());
}

#[test]
fn lemmas_come_last() {
    let mut data = morphology();
    data.columns.swap(1, 2);
    assert!(TaggerLearner::default().learn(&data, &mut Silent).is_err());
}
