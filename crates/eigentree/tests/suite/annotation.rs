//! Annotators of every family: documents with words, entities, offsets and confidences, and their renderings.

use corpus::dependency::{DependencyTree, RootRule};
use corpus::format::conllu::{ConlluReader, Sentence};
use corpus::tree::Tree;
use dependency::head_automata::{HeadAutomataConfig, HeadAutomataLearner};
use eigentree::Model;
use eigentree::annotation::{Annotator, Document, PhraseTrees};
use eigentree::config::Confidences;
use grammars::lpcfg::{LpcfgConfig, LpcfgLearner, Quality};
use grammars::pcfg::{PcfgConfig, PcfgLearner};
use models::learn::{Learner, Silent};
use tagging::tagger::{
    ColumnKind, Resources, TaggedSentence, Tagger, TaggerConfig, TaggerData, TaggerLearner,
};

use crate::pipeline::{pipeline, tagger, treebank};

const TEXT: &str = "We don't see Dr. Smith's\nlight. I saw it.\n\n\nAnn Lee saw Bonn.\n";

/// A tagger that finds people and places.
fn entity_tagger() -> Tagger {
    let split = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<String>>();
    let sentences = (0..120).map(|n| match n % 2 {
        0 => ("Ann Lee saw Bonn .", "B-PER E-PER O S-LOC O"),
        _ => ("We saw Bob .", "O O S-PER O"),
    });
    let sentence =
        |(words, tags): (&str, &str)| TaggedSentence { words: split(words), labels: vec![split(tags)] };
    let data = TaggerData {
        columns: vec![("entities".to_owned(), ColumnKind::Spans)],
        sentences: sentences.map(sentence).collect(),
        resources: Resources::default(),
    };
    TaggerLearner { config: TaggerConfig::entities() }.learn(&data, &mut Silent).unwrap().model
}

fn trees() -> Vec<Tree> {
    let trees = [
        "(S (NP (PRP We)) (VP (VBD saw) (NP (PRP it))) (. .))",
        "(S (NP (NNP Ann) (NNP Lee)) (VP (VBD saw) (NP (NNP Bonn))) (. .))",
    ];
    let trees: Vec<Tree> = trees.iter().map(|tree| tree.parse().unwrap()).collect();
    (0..20).flat_map(|_| trees.clone()).collect()
}

fn full_model() -> Model {
    let config = LpcfgConfig::quality(Quality::Fast);
    let grammar = LpcfgLearner { config }.learn(&trees(), &mut Silent).unwrap().model;
    let mut pipeline = pipeline();
    pipeline.entities = Some(entity_tagger());
    pipeline.grammar = Some(Box::new(grammar));
    Model::from(pipeline)
}

fn all(annotator: Annotator<'_>) -> Annotator<'_> {
    annotator.with_confidences(Confidences::Compute).with_nbest(3).with_phrases(PhraseTrees::Build)
}

/// The characters `start..end` of a text.
fn slice(text: &str, chars: std::ops::Range<usize>) -> String {
    text.chars().skip(chars.start).take(chars.end - chars.start).collect()
}

#[test]
fn a_pipeline_makes_a_document_of_raw_text() {
    let model = full_model();
    let document = all(model.annotator().unwrap()).annotate(TEXT).unwrap();
    assert_eq!(document.text(), TEXT);
    assert_eq!(document.sentences().len(), 3);
    let first = &document.sentences()[0];
    assert_eq!((first.id(), first.text().as_str()), (Some("1"), "We don't see Dr. Smith's light."));
    assert_eq!(first.multiword_tokens().collect::<Vec<_>>(), [("don't", 1..3), ("Smith's", 5..7)]);
    for sentence in document.sentences() {
        DependencyTree::from_sentence(sentence.sentence(), RootRule::Single).unwrap();
        for (number, word) in (1..).zip(sentence.words()) {
            assert_eq!(word.id(), number);
            let own = slice(TEXT, word.chars().unwrap());
            assert!(own == word.form() || first.multiword_tokens().any(|(form, _)| form == own), "{own}");
            assert!(word.upos().is_some() && word.deprel().is_some() && word.lemma().is_none());
            assert!(word.confidence().is_some_and(|confidence| (0.0..=1.0).contains(&confidence)));
            assert!(word.confidences().any(|(column, _)| column == "upos"));
        }
        assert_eq!(sentence.phrases().unwrap().tree().word_count(), sentence.len());
        assert!(sentence.phrases().unwrap().spans().all(|span| span.confidence.is_some()));
        let scores: Vec<f64> = sentence.nbest().iter().map(|alternative| alternative.score).collect();
        assert!(scores.len() > 1 && scores.is_sorted_by(|one, other| one >= other), "{scores:?}");
        assert_eq!(sentence.nbest()[0].sentence, *sentence.sentence());
    }
    let entities = document.sentences()[2].entities();
    let told: Vec<_> =
        entities.iter().map(|entity| (entity.label(), entity.text(), entity.words())).collect();
    assert_eq!(told, [("PER", "Ann Lee", 0..2), ("LOC", "Bonn", 3..4)]);
    for entity in &entities {
        assert_eq!(slice(TEXT, entity.chars().unwrap()), entity.text());
        assert!(entity.confidence().is_some_and(|confidence| confidence > 0.5));
    }
    let comments: Vec<&str> = first.sentence().comments().collect();
    assert_eq!(comments[..3], ["# newdoc", "# newpar", "# sent_id = 1"]);
}

#[test]
fn what_is_not_asked_for_is_not_there() {
    let model = full_model();
    let document = model.annotator().unwrap().annotate(TEXT).unwrap();
    for sentence in document.sentences() {
        assert!(
            sentence.nbest().is_empty() && sentence.phrases().is_none() && sentence.confidence().is_none()
        );
    }
    let detailed = all(model.annotator().unwrap()).annotate(TEXT).unwrap();
    let heads = |document: &Document| document.words().map(|word| word.head()).collect::<Vec<_>>();
    assert_eq!(heads(&document), heads(&detailed));
}

/// Every model that annotates, with raw text or lines of tokens.
fn models() -> Vec<Model> {
    let automata = HeadAutomataLearner { config: HeadAutomataConfig::default() };
    let mst = pipeline().parser.unwrap();
    vec![
        full_model(),
        Model::from(tagger()),
        Model::from(entity_tagger()),
        Model::from(mst),
        Model::from(automata.learn(&treebank(), &mut Silent).unwrap().model),
        Model::from(
            PcfgLearner { config: PcfgConfig::default() }.learn(&trees(), &mut Silent).unwrap().model,
        ),
    ]
}

#[test]
fn documents_of_all_families_come_back_from_their_renderings() {
    for model in models() {
        for annotator in [model.annotator().unwrap(), all(model.annotator().unwrap())] {
            let document = annotator.annotate("We saw it .\nAnn Lee saw Bonn .\n").unwrap();
            let document = document.with_name("a name");
            assert_eq!(document.name(), Some("a name"));
            assert!(document.words().count() == 9, "{}", document.to_conllu());
            for word in document.words() {
                assert_eq!(slice(document.text(), word.chars().unwrap()), word.form());
            }
            let json = document.to_json();
            let text = json.to_string();
            assert_eq!(document.to_json_text(), text);
            let again = Document::from_json(&serde_json::from_str(&text).unwrap()).unwrap();
            assert!(again == document, "{}", model.description());
            // CoNLL-U rounds scores and has no confidences of phrases; all else is the same.
            let again = Document::from_conllu(&document.to_conllu()).unwrap();
            assert_eq!(again.to_conllu(), document.to_conllu());
            assert_eq!(again.to_tsv(), document.to_tsv(), "{}", model.description());
            assert_eq!(again.sentences().len(), document.sentences().len());
            for (own, other) in again.sentences().iter().zip(document.sentences()) {
                assert_eq!(own.nbest().len(), other.nbest().len());
                assert_eq!(own.entities(), other.entities());
            }
        }
    }
}

#[test]
fn words_and_sentences_can_be_given() {
    let model = full_model();
    let annotator = model.annotator().unwrap();
    let document = annotator
        .annotate_tokens(&[vec!["Ann", "Lee", "saw", "Bonn", "."], vec!["We", "saw", "it"]])
        .unwrap();
    assert_eq!(document.text(), "Ann Lee saw Bonn .\nWe saw it");
    assert_eq!(
        document.entities().map(|entity| entity.text().to_owned()).collect::<Vec<_>>(),
        ["Ann Lee", "Bonn"]
    );
    assert_eq!(document.sentences()[1].chars(), Some(19..28));
    let none: [Vec<&str>; 0] = [];
    assert_eq!(annotator.annotate_tokens(&none).unwrap(), Document::default());
    assert!(annotator.annotate_tokens(&[["a\tb"]]).is_err());
    let given = annotator.annotate_sentences(treebank()).unwrap();
    assert_eq!(given.sentences().len(), treebank().len());
    let first = given.sentences()[0].sentence();
    assert_eq!(first.text_comment(), Some("I don't see Dr. Smith's dog."));
    assert!(given.text().starts_with("I don't see Dr. Smith's dog. We saw it."));
}

/// All that CoNLL-U can hold.
const RICH: &str = "\
# newdoc id = d1
# newpar
# sent_id = s1
# text = a bc _!
# odd comment
0.1\te\t_\tX\t_\t_\t_\t_\t0:root\t_
1-2\tabc\t_\t_\t_\tTypo=Yes\t_\t_\t_\tSpaceAfter=No|x
1\ta\tA\tX\ty\tCase=Nom|Number[psor]=Sing\t2\tdep:x\t2:dep\tb=2|a=1
2\tbc\t_\t_\t_\tZ=1|A=2\t0\troot\t0.1:dep\tFlag|NER=B-PER
2.1\tf\tg\t_\t_\tA=B\t_\t_\t2:dep\tM=1
3\t_\t_\tX\t_\t_\t2\tdep\t_\tSpaceAfter=No
4\t!\t!\tPUNCT\t_\t_\t2\tpunct\t_\t_

";

#[test]
fn json_loses_nothing_of_conllu() {
    for text in [RICH.to_owned(), RICH.replace('\n', "\r\n")] {
        let document = Document::from_conllu(&text).unwrap();
        assert_eq!(document.to_conllu(), text);
        let again = Document::from_json(&document.to_json()).unwrap();
        assert!(again == document);
        assert_eq!(again.to_conllu(), text);
    }
    let document = Document::from_conllu(RICH).unwrap();
    assert_eq!(document.name(), Some("d1"));
    let record = &document.to_json()["sentences"][0];
    assert_eq!(record["id"], "s1");
    assert_eq!(record["words"][0]["feats"]["Number[psor]"], "Sing");
    assert_eq!(record["words"][0]["misc"]["a"], "1");
    assert_eq!(record["tokens"][0]["first"], 1);
    assert_eq!(record["empty_nodes"][1]["id"], "2.1");
    assert_eq!(record["entities"][0]["label"], "PER");
    let underscore = document.words().nth(2).unwrap();
    assert_eq!((underscore.form(), underscore.lemma()), ("_", Some("_")));
}

#[test]
fn every_treebank_comes_back_from_json() {
    let Some(folder) = crate::pipeline::data_folder() else { return };
    let mut sentences = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        for name in ["dev.conllu", "dev.conllu.gz"] {
            let path = entry.as_ref().unwrap().path().join(name);
            let Ok(file) = std::fs::File::open(&path) else { continue };
            let reader = ConlluReader::new(corpus::compression::decompress(file).unwrap(), "-");
            let some: Vec<Sentence> = reader.take(200).collect::<Result<_, _>>().unwrap();
            let mut text = Vec::new();
            let mut writer = corpus::format::conllu::ConlluWriter::new(&mut text);
            some.iter().for_each(|sentence| writer.write(sentence).unwrap());
            let text = String::from_utf8(text).unwrap();
            let document = Document::from_conllu(&text).unwrap();
            assert_eq!(document.to_conllu(), text, "{}", path.display());
            assert!(Document::from_json(&document.to_json()).unwrap() == document, "{}", path.display());
            for (sentence, given) in document.sentences().iter().zip(&some) {
                assert_eq!(sentence.sentence(), given);
            }
            sentences += some.len();
        }
    }
    assert!(sentences > 3_000, "only {sentences} sentences");
}

#[test]
fn models_that_annotate_nothing_are_refused_and_annotators_are_shared() {
    fn check<T: Send + Sync>(_: &T) {}
    let model = Model::from(tagger());
    check(&model.annotator().unwrap());
    let bad = serde_json::json!({ "sentences": [{ "words": [{ "lemma": "x" }] }] });
    let error = Document::from_json(&bad).unwrap_err().to_string();
    assert!(error.contains("sentence 1") && error.contains("form"), "{error}");
    let wide = "1\ta\t_\t_\t_\t_\t_\t_\t_\tstart_char=99999999999999|end_char=99999999999999\n\n";
    assert_eq!(Document::from_conllu(wide).unwrap().text(), "a", "offsets that no text has are not believed");
}
