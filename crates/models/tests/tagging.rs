//! Taggers, tokenisers and pipelines as wholes: what they learn, that files keep them, that text comes back.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test fails where its helpers do, and tells what it left out"
)]

use corpus::compression::decompress;
use corpus::dependency::{DependencyTree, Head, RootRule};
use corpus::format::brown_paths::BrownPath;
use corpus::format::conllu::{Columns, ConlluReader, Sentence, TokenId};
use corpus::format::raw_text::{Opening, Piece, RawTextReader};
use eigentree_models::learn::{Learner, Silent};
use eigentree_models::mst::{LONGEST, MstConfig, MstLearner, Quality};
use eigentree_models::persist::{Container, ContainerWriter};
use eigentree_models::pipeline::{Pipeline, PipelineScratch};
use eigentree_models::representations::ClusterPaths;
use eigentree_models::tagger::{
    ColumnKind, Objective, Resources, TaggedSentence, Tagger, TaggerConfig, TaggerData, TaggerLearner,
};
use eigentree_models::tokenizer::{TokenScratch, Tokenizer, TokenizerData, TokenizerLearner};
use std::path::{Path, PathBuf};

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
    for objective in [Objective::Likelihood, Objective::Perceptron] {
        let tagger = tagger(TaggerConfig { objective, ..TaggerConfig::default() });
        assert_eq!(labels(&tagger, "they light the walk .", 0), "PRON VERB DET NOUN PUNCT", "{objective:?}");
        assert_eq!(labels(&tagger, "the light and they walk Name1000 .", 1), "DT NN CC PRP VBP NNP .");
        // Never seen, but in the clusters of words that were.
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
    let tagger = tagger(TaggerConfig::default());
    let words: Vec<&str> = "the cat light they walk".split(' ').collect();
    let mut scratch = tagger.scratch();
    let (tagging, confidences) = tagger.tag_with_confidence(&words, &mut scratch);
    let best: Vec<&str> = tagging.labels(0).collect();
    let list = tagger.tag_best(&words, 0, 50, &mut scratch);
    assert_eq!(list[0].0, best);
    assert!(list.windows(2).all(|pair| pair[0].1 >= pair[1].1));
    let total: f64 = list.iter().map(|(_, log_probability)| log_probability.exp()).sum();
    assert!(total <= 1.001, "{total}");
    // What the list says of a word is never more than its confidence.
    for (at, &confidence) in confidences[0].iter().enumerate() {
        let agreeing = list.iter().filter(|(labels, _)| labels[at] == best[at]);
        let sum: f64 = agreeing.map(|(_, log_probability)| log_probability.exp()).sum();
        assert!(sum <= f64::from(confidence) + 1e-3 && confidence <= 1.0 + 1e-4, "{sum} {confidence}");
    }
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
    // What was never seen together is still a sequence of whole entities.
    for words in ["New", "York New Mr", "Mr New York Mr Smith1 New"] {
        let found = labels(&tagger, words, 0);
        assert!(corpus::format::bio::Scheme::Bioes.entities(found.split(' ')).is_ok(), "{words}: {found}");
    }
}

fn saved(tagger: &Tagger) -> Vec<u8> {
    let mut writer = ContainerWriter::new(&tagger.metadata());
    tagger.save(&mut writer);
    let mut bytes = Vec::new();
    writer.write_to(&mut bytes).unwrap();
    bytes
}

#[test]
fn files_keep_taggers_and_learning_is_the_same_every_time() {
    let one = saved(&tagger(TaggerConfig::default()));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let other = pool.install(|| saved(&tagger(TaggerConfig::default())));
    assert_eq!(one, other);
    assert_ne!(one, saved(&tagger(TaggerConfig { seed: 2, ..TaggerConfig::default() })));
    let loaded = Tagger::load(&Container::from_bytes(one.clone()).unwrap()).unwrap();
    assert_eq!(saved(&loaded), one);
    assert_eq!(labels(&loaded, "they light the cat", 0), "PRON VERB DET NOUN");
}

/// A small treebank with multiword tokens, a clitic, an abbreviation and two paragraphs.
const TREEBANK: &str = "\
# newpar
# text = I don't see Dr. Smith's dog.
1\tI\t_\t_\t_\t_\t0\troot\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\t_\t_\t_\t_\t1\tdep\t_\t_
3\tn't\t_\t_\t_\t_\t1\tdep\t_\t_
4\tsee\t_\t_\t_\t_\t1\tdep\t_\t_
5\tDr.\t_\t_\t_\t_\t1\tdep\t_\t_
6-7\tSmith's\t_\t_\t_\t_\t_\t_\t_\t_
6\tSmith\t_\t_\t_\t_\t1\tdep\t_\t_
7\t's\t_\t_\t_\t_\t1\tdep\t_\t_
8\tdog\t_\t_\t_\t_\t1\tdep\t_\tSpaceAfter=No
9\t.\t_\t_\t_\t_\t1\tdep\t_\t_

# text = We saw it.
1\tWe\t_\t_\t_\t_\t0\troot\t_\t_
2\tsaw\t_\t_\t_\t_\t1\tdep\t_\t_
3\tit\t_\t_\t_\t_\t1\tdep\t_\tSpaceAfter=No
4\t.\t_\t_\t_\t_\t1\tdep\t_\t_

";

fn treebank() -> Vec<Sentence> {
    let text = TREEBANK.repeat(30);
    ConlluReader::new(text.as_bytes(), "-").collect::<Result<_, _>>().unwrap()
}

fn pipeline() -> Pipeline {
    let tokenizer = TokenizerLearner::default()
        .learn(&TokenizerData::from_sentences(&treebank()), &mut Silent)
        .unwrap()
        .model;
    let config = MstConfig { bits: 14, ..MstConfig::quality(Quality::Fast) };
    let parser = MstLearner { config, clusters: None }.learn(&treebank(), &mut Silent).unwrap().model;
    let tagger = Some(tagger(TaggerConfig::default()));
    Pipeline { tokenizer, tagger, entities: None, parser: Some(parser), grammar: None }
}

#[test]
fn raw_text_becomes_words_with_their_places() {
    let pipeline = pipeline();
    let text = "We don't see Dr. Smith's\nlight. I saw it.";
    let piece = Piece { text: text.to_owned(), first_char: 100, opening: Opening::Paragraph };
    let sentences = pipeline.annotate(&piece, &mut PipelineScratch::default(), |_| {}).unwrap();
    assert_eq!(sentences.len(), 2);
    let words: Vec<&str> = sentences[0].words().map(|word| word.form()).collect();
    assert_eq!(words, ["We", "do", "n't", "see", "Dr.", "Smith", "'s", "light", "."]);
    assert_eq!(sentences[0].text_comment(), Some("We don't see Dr. Smith's light."));
    check_places(&sentences, text, 100);
    for sentence in &sentences {
        assert!(DependencyTree::from_sentence(sentence, RootRule::Single).is_ok());
    }
    assert_eq!(pipeline.metadata().notes["stages"], "tokenizer,tagger,parser");
    let mut writer = ContainerWriter::new(&pipeline.metadata());
    pipeline.save(&mut writer);
    let mut bytes = Vec::new();
    writer.write_to(&mut bytes).unwrap();
    let loaded = Pipeline::load(&Container::from_bytes(bytes).unwrap()).unwrap();
    assert_eq!(loaded.annotate(&piece, &mut PipelineScratch::default(), |_| {}).unwrap(), sentences);
}

#[test]
fn a_sentence_without_end_is_parsed_in_parts_that_make_one_tree() {
    let pipeline = pipeline();
    let mut sentence = Sentence::new();
    for word in ["We", "saw", "it"].into_iter().cycle().take(10_000) {
        sentence.push_word(Columns { form: word, ..Columns::default() }).unwrap();
    }
    pipeline
        .annotate_sentences(std::slice::from_mut(&mut sentence), &mut PipelineScratch::default(), |_| {})
        .unwrap();
    DependencyTree::from_sentence(&sentence, RootRule::Single).unwrap();
    let joints = sentence.words().filter(|word| word.head() == sentence_root(&sentence)).count();
    assert!(joints >= 10_000_usize.div_ceil(LONGEST) - 1, "{joints}");
}

/// The word that depends on nothing, as a head.
fn sentence_root(sentence: &Sentence) -> Option<Head> {
    let root = sentence.words().position(|word| word.head() == Some(Head::ROOT))?;
    Head::word(root)
}

/// That the tokens stand in the text where they say.
fn check_places(sentences: &[Sentence], text: &str, first: usize) {
    let chars: Vec<char> = text.chars().collect();
    let mut end = first;
    for sentence in sentences {
        let mut covered = 0;
        for token in sentence.tokens() {
            match token.id() {
                TokenId::Range { last, .. } => covered = last,
                TokenId::Word(number) if number <= covered => continue,
                _ => {}
            }
            let place = |key| token.misc_value(key).unwrap().parse::<usize>().unwrap();
            let (start, stop) = (place("start_char"), place("end_char"));
            assert!(chars[end - first..start - first].iter().all(|c| c.is_whitespace()));
            assert_eq!(chars[start - first..stop - first].iter().collect::<String>(), token.form());
            assert_eq!(!token.space_after(), chars.get(stop - first).is_some_and(|c| !c.is_whitespace()));
            end = stop;
        }
    }
    assert!(chars[end - first..].iter().all(|c| c.is_whitespace()));
}

#[test]
fn a_line_of_ten_million_bytes_and_odd_texts_come_back_whole() {
    let pipeline = pipeline();
    let mut scratch = PipelineScratch::default();
    for text in [
        "",
        " \n ",
        "\u{feff}\u{200b}",
        "a\u{301}\u{1f469}\u{200d}\u{1f4bb}!",
        "...",
        "\t\u{a0}x\u{3000}y",
        "。」？ok",
    ] {
        let piece = Piece { text: text.to_owned(), ..Piece::default() };
        check_places(&pipeline.annotate(&piece, &mut scratch, |_| {}).unwrap(), text, 0);
    }
    let line = "We see it. ".repeat(910_000);
    let mut tokens = 0;
    for piece in RawTextReader::new(line.as_bytes(), "-") {
        let piece = piece.unwrap();
        // Tagging ten million bytes would take this test too long: the tokens are what matters.
        tokens += Tokenizer::rules()
            .split(&piece.text, &mut TokenScratch::default())
            .iter()
            .map(Vec::len)
            .sum::<usize>();
    }
    assert_eq!(tokens, 4 * 910_000);
}

fn data_folder() -> Option<PathBuf> {
    let near = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("EIGENTREE_DATA").map_or_else(near, PathBuf::from).join("dependency");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED: there is no folder {}", folder.display());
    None
}

/// All texts of all treebanks by rules, and those of the test parts through a learnt tokeniser too, which takes longer.
#[test]
fn offsets_reproduce_every_text() {
    let Some(folder) = data_folder() else { return };
    let learnt = pipeline().tokenizer;
    let mut folders: Vec<PathBuf> = [folder.clone(), folder.join("nc")]
        .iter()
        .filter_map(|folder| std::fs::read_dir(folder).ok())
        .flat_map(|entries| entries.map(|entry| entry.unwrap().path()))
        .collect();
    folders.sort();
    let mut texts = 0;
    for part in ["train", "dev", "test"] {
        let tokenizers = match part {
            "test" => vec![Tokenizer::rules(), learnt.clone()],
            _ => vec![Tokenizer::rules()],
        };
        for path in folders
            .iter()
            .flat_map(|folder| ["", ".gz"].map(|end| folder.join(format!("{part}.conllu{end}"))))
        {
            texts += check_texts(&path, &tokenizers);
        }
    }
    assert!(texts > 50_000, "only {texts} texts");
}

fn check_texts(path: &Path, tokenizers: &[Tokenizer]) -> usize {
    let Ok(file) = std::fs::File::open(path) else { return 0 };
    let mut scratch = TokenScratch::default();
    let mut texts = 0;
    for sentence in ConlluReader::new(decompress(file).unwrap(), path.display().to_string()) {
        let sentence = sentence.unwrap();
        let Some(text) = sentence.text_comment() else { continue };
        texts += 1;
        for tokenizer in tokenizers {
            let mut end = 0;
            for token in tokenizer.split(text, &mut scratch).into_iter().flatten() {
                assert!(text[end..token.start].trim().is_empty() && token.start < token.end);
                let own = &text[token.start..token.end];
                assert_eq!(own.trim(), own);
                end = token.end;
            }
            assert!(text[end..].trim().is_empty(), "{text}");
        }
    }
    texts
}
