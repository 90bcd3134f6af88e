//! Files through annotators: one or many, into one output or a folder, in every format.

use std::path::Path;
use std::time::Duration;

use corpus::compression::decompress;
use corpus::format::conllu::{Column, ConlluReader, Sentence};
use dependency::mst::{MstConfig, MstLearner, Quality};
use eigentree::Model;
use eigentree::annotation::{Annotator, Document, DocumentFile, FORMATS, StreamConfig, annotate_files};
use eigentree::config::Confidences;
use eigentree::conversion::Target;
use eigentree::files::Output;
use eigentree::pipeline::Pipeline;
use eigentree::reading::{BadItems, Format};
use eigentree::streaming::Report;
use eigentree::tagging::column_data;
use models::learn::{Learner, Observer, Silent};
use tagging::tagger::{Resources, TaggerLearner};
use tagging::tokenizer::{TokenizerData, TokenizerLearner};

use crate::pipeline::{data_folder, pipeline, tagger, treebank};
use crate::ud_rules::{Tags, faults};

const TEXT: &str = "We don't see Dr. Smith's\nlight. I saw it.\n\n\n We saw it\u{f0000}.\n";

fn config(format: Target) -> StreamConfig<'static> {
    StreamConfig {
        stage: "annotate",
        format: Some(format),
        input: None,
        bad_items: BadItems::Refuse,
        clock: &|| Duration::ZERO,
    }
}

fn run(
    annotator: &Annotator<'_>,
    files: &[DocumentFile],
    output: Option<&Path>,
    config: &StreamConfig<'_>,
    observer: &mut dyn Observer,
) -> Report {
    let mut shared = output.map(|path| Output::create(path).unwrap());
    let report = annotate_files(annotator, files, shared.as_mut(), config, observer).unwrap();
    if let Some(shared) = shared {
        shared.finish().unwrap();
    }
    report
}

fn file(folder: &Path, name: &str, text: &str) -> DocumentFile {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    DocumentFile { path, output: None }
}

#[test]
fn a_stream_writes_what_a_document_is() {
    let model = Model::from(pipeline());
    let folder = tempfile::tempdir().unwrap();
    let one = [file(folder.path(), "one.txt", TEXT)];
    let out = folder.path().join("out");
    for annotator in [
        model.annotator().unwrap(),
        model.annotator().unwrap().with_confidences(Confidences::Compute).with_nbest(2),
    ] {
        let document = annotator.annotate(TEXT).unwrap();
        let rename = |text: String| {
            let text = text
                .replace("# newdoc\n", "# newdoc id = one\n")
                .replace("\"# newdoc\"", "\"# newdoc id = one\"");
            (1..4).fold(text, |text, n| {
                text.replace(&format!("# sent_id = {n}"), &format!("# sent_id = one-{n}"))
                    .replace(&format!("\"id\":\"{n}\""), &format!("\"id\":\"one-{n}\""))
                    .replace(&format!("\n{n}\t"), &format!("\none-{n}\t"))
            })
        };
        let written = |format: Target| {
            let report = run(&annotator, &one, Some(&out), &config(format), &mut Silent);
            assert_eq!(report.counts.words as usize, document.words().count());
            std::fs::read_to_string(&out).unwrap()
        };
        assert_eq!(written(Target::Conllu), rename_conllu(&document, &rename));
        assert_eq!(written(Target::Tsv), rename(document.to_tsv()));
        assert_eq!(written(Target::Spans), rename(document.to_spans()));
        let lines: Vec<String> =
            document.sentences().iter().map(|sentence| rename(sentence.to_json().to_string())).collect();
        assert_eq!(written(Target::Jsonl).lines().collect::<Vec<_>>(), lines);
        let whole: serde_json::Value = serde_json::from_str(&written(Target::Json)).unwrap();
        assert_eq!(whole["name"], "one");
        let again = Document::from_json(&whole).unwrap();
        assert_eq!(again.to_conllu(), rename_conllu(&document, &rename));
    }
}

/// CoNLL-U has words whose lines begin with numbers, so only comments are renamed.
fn rename_conllu(document: &Document, rename: &dyn Fn(String) -> String) -> String {
    let text = document.to_conllu();
    let line =
        |line: &str| if line.starts_with('#') { rename(format!("{line}\n")) } else { format!("{line}\n") };
    text.lines().map(line).collect()
}

#[test]
fn several_files_go_into_one_output_or_a_folder() {
    let model = Model::from(pipeline());
    let annotator = model.annotator().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut files = vec![
        file(folder.path(), "a.txt", TEXT),
        file(folder.path(), "b c.txt", ""),
        file(
            folder.path(),
            "d.conllu",
            "# sent_id = x\n# text = We saw\n1\tWe\t_\t_\t_\t_\t_\t_\t_\t_\n2\tsaw\t_\t_\t_\t_\t_\t_\t_\t_\n\n",
        ),
    ];
    let out = folder.path().join("out");
    run(&annotator, &files, Some(&out), &config(Target::Conllu), &mut Silent);
    let all = std::fs::read_to_string(&out).unwrap();
    let newdocs: Vec<&str> = all.lines().filter(|line| line.starts_with("# newdoc")).collect();
    assert_eq!(newdocs, ["# newdoc id = a", "# newdoc id = d"]);
    assert_eq!(faults(&all, Tags::Any), Vec::<String>::new());
    run(&annotator, &files, Some(&out), &config(Target::Json), &mut Silent);
    let json: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&out).unwrap()).unwrap();
    let counts: Vec<usize> = json["documents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["sentences"].as_array().unwrap().len())
        .collect();
    assert_eq!(counts, [3, 0, 1]);

    for file in &mut files {
        file.output = Some(folder.path().join("new/deep").join(file.path.file_name().unwrap()));
    }
    for format in FORMATS.into_iter().filter(|format| *format != Target::Bio) {
        run(&annotator, &files, None, &config(format), &mut Silent);
        for file in &files {
            let text = std::fs::read_to_string(file.output.as_ref().unwrap()).unwrap();
            match format {
                Target::Json => assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{text}"),
                Target::Tsv | Target::Spans => assert!(text.starts_with("sentence\t"), "{text}"),
                _ => {}
            }
        }
    }
}

#[test]
fn the_observer_is_told_of_words_and_bytes() {
    #[derive(Default)]
    struct Told {
        total: Option<u64>,
        bytes: u64,
        words: u64,
    }
    impl Observer for Told {
        fn stage_of_bytes(&mut self, _: &str, total: Option<u64>) {
            self.total = total;
        }
        fn advance(&mut self, units: u64) {
            self.bytes += units;
        }
        fn count(&mut self, things: &str, number: u64) {
            assert_eq!(things, "word");
            self.words += number;
        }
    }
    let model = Model::from(pipeline());
    let folder = tempfile::tempdir().unwrap();
    let text = TEXT.repeat(50);
    let files = [file(folder.path(), "a.txt", &text), file(folder.path(), "b.txt", &text)];
    let out = folder.path().join("out");
    let mut told = Told::default();
    let report = run(&model.annotator().unwrap(), &files, Some(&out), &config(Target::Conllu), &mut told);
    assert_eq!(told.total, Some(2 * text.len() as u64));
    assert_eq!(told.bytes, 2 * text.len() as u64);
    assert_eq!(told.words, report.counts.words);
}

#[test]
fn taggers_keep_columns_and_write_entities_as_the_input_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let words = file(folder.path(), "a.words", "the dog .\nthey walk\n");
    let out = folder.path().join("out");
    let tagger = Model::from(tagger());
    let annotator = tagger.annotator().unwrap();
    let unset = StreamConfig { format: None, ..config(Target::Conllu) };
    run(&annotator, std::slice::from_ref(&words), Some(&out), &unset, &mut Silent);
    let text = std::fs::read_to_string(&out).unwrap();
    assert!(text.starts_with("1\tthe\t_\tDET\t"), "no comments are added to given words: {text}");
    let bad =
        StreamConfig { format: Some(Target::Ptb), input: Some(Format::Words), ..config(Target::Conllu) };
    let mut output = Output::create(&out).unwrap();
    let error = annotate_files(&annotator, &[words], Some(&mut output), &bad, &mut Silent).unwrap_err();
    assert!(error.to_string().contains("conllu, json, jsonl, tsv, spans, bio"), "{error}");
}

/// A pipeline for a treebank, from its first sentences.
fn learnt(sentences: &[Sentence]) -> Pipeline {
    let tokens = TokenizerData::from_sentences(sentences);
    let config = MstConfig { bits: 16, ..MstConfig::quality(Quality::Fast) };
    let columns = column_data(sentences, &[Column::Upos], Resources::default());
    Pipeline {
        tokenizer: TokenizerLearner::default().learn(&tokens, &mut Silent).unwrap().model,
        tagger: Some(TaggerLearner::default().learn(&columns, &mut Silent).unwrap().model),
        parser: Some(
            MstLearner { config, ..Default::default() }.learn(sentences, &mut Silent).unwrap().model,
        ),
        ..pipeline()
    }
}

#[test]
fn what_a_pipeline_writes_obeys_the_rules_of_universal_dependencies() {
    assert_eq!(treebank().len(), 120);
    let model = Model::from(pipeline());
    let text = model.annotator().unwrap().annotate(TEXT).unwrap().to_conllu();
    assert_eq!(faults(&text, Tags::Any), Vec::<String>::new());
    let Some(folder) = data_folder() else { return };
    for name in ["en_ewt", "af_afribooms", "fr_sequoia", "ug_udt"] {
        let read = |part: &str| -> Option<Vec<Sentence>> {
            let path = ["", ".gz"].map(|end| folder.join(name).join(format!("{part}.conllu{end}")));
            let file = path.iter().find_map(|path| std::fs::File::open(path).ok())?;
            ConlluReader::new(decompress(file).ok()?, name).take(400).collect::<Result<_, _>>().ok()
        };
        let (Some(train), Some(dev)) = (read("train"), read("dev")) else {
            eprintln!("SKIPPED: no treebank {name}");
            continue;
        };
        let model = Model::from(learnt(&train));
        let annotator = model.annotator().unwrap();
        let text: String =
            dev.iter().filter_map(Sentence::text_comment).flat_map(|text| [text, "\n"]).collect();
        let raw = annotator.annotate(&text).unwrap();
        assert!(raw.words().count() > 1000, "{name}");
        let given = annotator.annotate_sentences(dev).unwrap();
        let own = |document: &Document| faults(&document.to_conllu(), Tags::Universal);
        assert_eq!(own(&raw), Vec::<String>::new(), "{name}");
        // What treebanks say themselves is left alone, such as attributes of words in multiword tokens.
        let of_trees = |fault: &String| {
            ["root", "cycle", "relation", "part of speech"].iter().any(|word| fault.contains(word))
        };
        let given: Vec<String> = own(&given).into_iter().filter(of_trees).collect();
        assert_eq!(given, Vec::<String>::new(), "{name}");
    }
}
