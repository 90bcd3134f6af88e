//! Every kind of model through `Model::parser`, and the errors of models that are something else.

use corpus::tree::Tree;
use dependency::head_automata::{HeadAutomataConfig, HeadAutomataLearner};
use dependency::mst::{MstConfig, MstLearner, Quality};
use eigentree::ParserScratch;
use eigentree::parsing::Confidences;
use eigentree::{Model, Parser};
use grammars::pcfg::{PcfgConfig, PcfgLearner};
use models::learn::{Learner, Silent};

use crate::pipeline::{pipeline, tagger, treebank};

fn grammar() -> Model {
    let trees = ["(S (NP (DT the) (NN dog)) (VP (VBZ barks)))", "(S (NP (NN time)) (VP (VBZ flies)))"];
    let trees: Vec<Tree> = trees.iter().map(|tree| tree.parse().unwrap()).collect();
    PcfgLearner { config: PcfgConfig::default() }.learn(&trees, &mut Silent).unwrap().model.into()
}

#[test]
fn a_grammar_builds_phrases_with_confidences_and_n_best_lists() {
    let model = grammar();
    let parser = model.parser().unwrap().with_confidences(Confidences::Compute);
    let parse = parser.parse("the time flies").unwrap();
    assert_eq!(parse.to_string(), "(S (NP (DT the) (NN time)) (VP (VBZ flies)))");
    assert_eq!(parse.words(), ["the", "time", "flies"]);
    assert!(parse.is_derived() && parse.score() < 0.0 && parse.heads().is_none());
    assert_eq!(parse.confidences().len(), 6);
    assert!(parse.confidence().is_some_and(|confidence| confidence > 0.5 && confidence <= 1.0));
    let tagged = parser.parse_tagged("the_DT time_NN flies_VBZ").unwrap();
    assert_eq!(tagged.to_string(), parse.to_string());
    assert!(!parser.parse_best("the time flies", 5).unwrap().is_empty());
    assert_eq!(parser.parse_text("time flies\n\nthe dog barks\n").unwrap().len(), 2);
    let mut scratch = ParserScratch::default();
    assert_eq!(parser.parse_with("the time flies", &mut scratch).unwrap().to_string(), parse.to_string());
    assert!(parser.parse("  ").unwrap_err().to_string().contains("no word"));
}

#[test]
fn dependency_parsers_give_heads() {
    let config = MstConfig { bits: 14, ..MstConfig::quality(Quality::Fast) };
    let mst = MstLearner { config, ..Default::default() }.learn(&treebank(), &mut Silent).unwrap().model;
    let learner = HeadAutomataLearner { config: HeadAutomataConfig::default() };
    let automata = learner.learn(&treebank(), &mut Silent).unwrap().model;
    for model in [Model::from(mst), Model::from(automata)] {
        let parser = model.parser().unwrap().with_confidences(Confidences::Compute);
        let parse = parser.parse("We saw it .").unwrap();
        let heads = parse.heads().unwrap();
        assert_eq!(heads.len(), 4);
        assert_eq!(heads.iter().filter(|&&head| head == 0).count(), 1, "{parse}");
        assert_eq!(parse.confidences().len(), 4);
        assert!(parse.tree().is_none() && parse.is_derived());
        assert!(parse.to_string().starts_with("1\tWe\t") && parse.to_string().ends_with("\n\n"), "{parse}");
        assert_eq!(parse.sentence().unwrap().word(0).unwrap().upos(), "_");
        assert_eq!(
            parser.parse_tagged("We_PRON saw_VERB").unwrap().sentence().unwrap().word(1).unwrap().upos(),
            "VERB"
        );
    }
}

#[test]
fn a_pipeline_parses_raw_text_as_it_annotates_it() {
    let pipeline = pipeline();
    let text = "We don't see it.";
    let piece = corpus::format::raw_text::Piece {
        text: text.to_owned(),
        first_char: 0,
        opening: corpus::format::raw_text::Opening::Paragraph,
    };
    let annotated = pipeline.annotate(&piece, &mut Default::default(), |_| {}).unwrap();
    let model = Model::from(pipeline);
    let parser = model.parser().unwrap();
    assert_eq!(parser.parse(text).unwrap().sentence(), annotated.first());
    let two = "We don't see Dr. Smith's light. I saw it.";
    assert_eq!(parser.parse_text(two).unwrap().len(), 2);
    assert!(parser.parse(two).unwrap_err().to_string().contains("2 sentences"));
    assert!(model.tagger().is_ok() && model.pipeline().is_ok());
}

#[test]
fn models_of_another_kind_are_refused_with_advice() {
    let model = Model::from(tagger());
    let error = model.parser().err().unwrap().to_string();
    assert!(error.contains("a tagger") && error.contains("train mst"), "{error}");
    assert!(model.tagger().is_ok());
    for error in [
        grammar().tagger().unwrap_err(),
        grammar().pipeline().unwrap_err(),
        grammar().clusters().unwrap_err(),
        grammar().sequences().unwrap_err(),
        grammar().latent_trees().unwrap_err(),
        grammar().reranker().unwrap_err(),
    ] {
        assert!(error.to_string().contains("a grammar"), "{error}");
    }
}

#[test]
fn parsers_can_be_shared_and_sent() {
    fn check<T: Send + Sync>() {}
    check::<Parser<'_>>();
}
