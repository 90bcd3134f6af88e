//! Jobs: what they give, what they tell, and that they stop when asked to.

use std::fmt;

use corpus::format::conllu::{Column, ConlluReader, Sentence};
use corpus::synthetic::{english, sample_treebank};
use dependency::mst::MstConfig;
use eigentree::Model;
use eigentree::training::{Job, MstJob, PcfgJob, PipelineData, PipelineJob, PipelineParser};
use grammars::pcfg::PcfgConfig;
use models::learn::{Observer, Silent};
use models::persist::ModelFile;

fn treebank() -> Vec<Sentence> {
    let text = include_str!("../../examples/data/small.conllu");
    ConlluReader::new(text.as_bytes(), "small.conllu").collect::<Result<_, _>>().unwrap()
}

fn small_mst() -> MstJob {
    let mut job = MstJob::default();
    (job.config.bits, job.config.epochs) = (14, 2);
    job
}

/// Remembers what it is told, and may ask for an end.
#[derive(Default)]
struct Listener {
    stages: Vec<String>,
    notes: Vec<String>,
    cancel_in: Option<&'static str>,
}

impl Observer for Listener {
    fn stage(&mut self, name: &str, _total: Option<u64>) {
        self.stages.push(name.to_owned());
    }
    fn note(&mut self, text: fmt::Arguments<'_>) {
        self.notes.push(text.to_string());
    }
    fn cancelled(&self) -> bool {
        self.cancel_in.is_some_and(|stage| self.stages.iter().any(|heard| heard == stage))
    }
}

#[test]
fn a_trained_model_is_saved_and_opened_as_one_of_any_family() {
    let sentences = treebank();
    let trained = small_mst().run(&sentences, Some(&sentences), &mut Silent).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("en.eig");
    let bytes = trained.save_to(&path).unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().len(), bytes);
    let Model::Mst(opened) = Model::open(&path).unwrap() else { panic!("it is of another family") };
    assert_eq!(opened.to_bytes().unwrap(), trained.model.to_bytes().unwrap());

    let summary = trained.summary();
    assert!(summary["figures"].as_object().is_some_and(|figures| !figures.is_empty()));
    let las = trained.dev.as_ref().unwrap().attachment().unwrap().las;
    assert!(las > 80.0, "{las}");
    assert_eq!(summary["dev"]["attachment"]["las"], las);
    assert!(matches!(trained.into_model(), Model::Mst(_)));
}

#[test]
fn the_same_job_gives_the_same_bytes_and_development_data_calibrates() {
    let sentences = treebank();
    let bytes = |dev| small_mst().learn(&sentences, dev, &mut Silent).unwrap().model.to_bytes().unwrap();
    assert_eq!(bytes(None), bytes(None));
    assert_ne!(bytes(None), bytes(Some(&sentences[..])));
}

#[test]
fn a_job_stops_when_it_is_asked_to() {
    let trees = sample_treebank(english(), 100, 1).unwrap();
    for stage in ["prepare", "parse dev from words"] {
        let mut listener = Listener { cancel_in: Some(stage), ..Listener::default() };
        let job = PcfgJob::new(PcfgConfig::default());
        let error = job.run(&trees, Some(&trees), &mut listener).unwrap_err();
        assert!(error.is_cancelled(), "{stage}: {error}");
        assert_eq!(listener.stages.last().map(String::as_str), Some(stage));
    }
}

#[test]
fn a_pipeline_leaves_out_what_the_treebank_lacks_and_says_so() {
    let mut sentences = treebank();
    let mut job = PipelineJob::default();
    (job.columns, job.folds) = (vec![Column::Upos, Column::Feats], 1);
    job.parser = match job.parser {
        PipelineParser::IfTrees(config) => PipelineParser::IfTrees(small_mst_config(config)),
        other => panic!("{other:?} is not the default"),
    };
    let data = PipelineData { sentences: sentences.clone(), ..PipelineData::default() };
    let mut listener = Listener::default();
    let trained = job.run(&data, Some(&sentences), &mut listener).unwrap();
    assert_eq!(listener.notes, ["the column FEATS is empty in the treebank; skipping it"]);
    assert_eq!(trained.metadata.notes["stages"], "tokenizer,tagger,parser");
    let names: Vec<&str> = trained.dev.unwrap().scores.iter().map(|score| score.name).collect();
    assert_eq!(names, ["dev", "dev_trees", "dev_text"]);

    for sentence in &mut sentences {
        *sentence = without_heads(sentence);
    }
    let data = PipelineData { sentences, ..PipelineData::default() };
    let mut listener = Listener::default();
    let trained = job.run(&data, None, &mut listener).unwrap();
    assert_eq!(listener.notes.last().unwrap(), "the treebank has no trees, so the pipeline gets no parser");
    assert!(trained.model.parser.is_none());
}

/// Scores of a pipeline compare what it writes with the treebank, whose tags nobody gave it.
#[test]
fn the_tags_that_a_pipeline_is_scored_by_are_its_own() {
    let sentences = treebank();
    let mut job = PipelineJob::default();
    (job.columns, job.folds) = (vec![Column::Upos], 1);
    job.parser = PipelineParser::Always(small_mst_config(MstConfig::default()));
    let data = PipelineData { sentences: sentences.clone(), ..PipelineData::default() };
    let mut dev = sentences.clone();
    for sentence in &mut dev {
        for index in 0..sentence.len() {
            sentence.set_upos(index, "OTHER").unwrap();
        }
    }
    let words: usize = dev.iter().map(Sentence::len).sum();
    let trained = job.run(&data, Some(&dev), &mut Silent).unwrap();
    let summary = trained.summary();
    for part in ["dev_trees", "dev_text"] {
        let scores = &summary[part]["attachment"];
        assert_eq!(scores["upos"], 0.0, "{part} {scores}");
        assert_eq!(scores["all_tags"], 0.0, "{part} {scores}");
        assert_eq!(scores["mlas"], 0.0, "{part} {scores}");
        assert_eq!(scores["words"], words, "{part} {scores}");
    }
    let trained = job.run(&data, Some(&sentences), &mut Silent).unwrap();
    let summary = trained.summary();
    let upos = |scores: &serde_json::Value| scores["upos"].as_f64().unwrap();
    assert!(upos(&summary["dev"]) > 50.0);
    assert!((upos(&summary["dev_trees"]["attachment"]) - upos(&summary["dev"])).abs() < 1e-9);
}

fn small_mst_config(config: MstConfig) -> MstConfig {
    MstConfig { bits: 14, epochs: 1, ..config }
}

fn without_heads(sentence: &Sentence) -> Sentence {
    let mut text = Vec::new();
    let mut writer = corpus::format::conllu::ConlluWriter::new(&mut text);
    writer.write(sentence).unwrap();
    drop(writer);
    let line = |line: &str| {
        let mut fields: Vec<&str> = line.split('\t').collect();
        if fields.len() == 10 {
            (fields[6], fields[7]) = ("_", "_");
        }
        fields.join("\t") + "\n"
    };
    let text: String = String::from_utf8(text).unwrap().lines().map(line).collect();
    ConlluReader::new((text + "\n").as_bytes(), "-").next().unwrap().unwrap()
}
