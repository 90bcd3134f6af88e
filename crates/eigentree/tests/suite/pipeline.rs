//! Whole pipelines: raw text becomes words with offsets, and the text can be reconstructed.

use std::path::{Path, PathBuf};

use corpus::compression::decompress;
use corpus::dependency::{DependencyTree, Head, RootRule};
use corpus::format::conllu::{Columns, ConlluReader, Sentence, TokenId};
use corpus::format::raw_text::{Opening, Piece, RawTextReader};
use dependency::mst::{MAX_WORDS, MstConfig, MstLearner, Quality};
use eigentree::pipeline::{Pipeline, Scratch};
use models::learn::{Learner, Silent};
use models::persist::ModelFile;
use tagging::tagger::{
    ColumnKind, Resources, TaggedSentence, Tagger, TaggerConfig, TaggerData, TaggerLearner,
};
use tagging::tokenizer::{self, Features, Tokenizer, TokenizerConfig, TokenizerData, TokenizerLearner};

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

# text = They like the light.
1\tThey\t_\t_\t_\t_\t0\troot\t_\t_
2\tlike\t_\t_\t_\t_\t1\tdep\t_\t_
3\tthe\t_\t_\t_\t_\t1\tdep\t_\t_
4\tlight\t_\t_\t_\t_\t1\tdep\t_\tSpaceAfter=No
5\t.\t_\t_\t_\t_\t1\tdep\t_\t_

# text = You see me.
1\tYou\t_\t_\t_\t_\t0\troot\t_\t_
2\tsee\t_\t_\t_\t_\t1\tdep\t_\t_
3\tme\t_\t_\t_\t_\t1\tdep\t_\tSpaceAfter=No
4\t.\t_\t_\t_\t_\t1\tdep\t_\t_

";

pub(crate) fn treebank() -> Vec<Sentence> {
    let text = TREEBANK.repeat(30);
    ConlluReader::new(text.as_bytes(), "-").collect::<Result<_, _>>().unwrap()
}

/// A tagger of sentences that alternate between two patterns.
pub(crate) fn tagger() -> Tagger {
    let split = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<String>>();
    let sentence =
        |words: &str, tags: &str| TaggedSentence { words: split(words), labels: vec![split(tags)] };
    let sentences = (0..120).map(|n| match n % 2 {
        0 => sentence("the dog and they walk .", "DET NOUN CCONJ PRON VERB PUNCT"),
        _ => sentence("they see the house .", "PRON VERB DET NOUN PUNCT"),
    });
    let data = TaggerData {
        columns: vec![("upos".to_owned(), ColumnKind::Plain)],
        sentences: sentences.collect(),
        resources: Resources::default(),
    };
    TaggerLearner { config: TaggerConfig::default() }.learn(&data, &mut Silent).unwrap().model
}

pub(crate) fn pipeline() -> Pipeline {
    let tokenizer = TokenizerLearner::default()
        .learn(&TokenizerData::from_sentences(&treebank()), &mut Silent)
        .unwrap()
        .model;
    let config = MstConfig { bits: 14, ..MstConfig::quality(Quality::Fast) };
    let parser = MstLearner { config, ..Default::default() }.learn(&treebank(), &mut Silent).unwrap().model;
    let tagger = Some(tagger());
    Pipeline { tokenizer, tagger, entities: None, parser: Some(parser), grammar: None }
}

#[test]
fn raw_text_becomes_words_with_their_places() {
    let pipeline = pipeline();
    let text = "We don't see Dr. Smith's\nlight. I saw it.";
    let piece = Piece { text: text.to_owned(), first_char: 100, opening: Opening::Paragraph };
    let sentences = pipeline.annotate(&piece, &mut Scratch::default(), |_| {}).unwrap();
    assert_eq!(sentences.len(), 2);
    let words: Vec<&str> = sentences[0].words().map(|word| word.form()).collect();
    assert_eq!(words, ["We", "do", "n't", "see", "Dr.", "Smith", "'s", "light", "."]);
    assert_eq!(sentences[0].text_comment(), Some("We don't see Dr. Smith's light."));
    check_places(&sentences, text, 100);
    for sentence in &sentences {
        assert!(DependencyTree::from_sentence(sentence, RootRule::Single).is_ok());
    }
    assert_eq!(pipeline.metadata().notes["stages"], "tokenizer,tagger,parser");
    let bytes = pipeline.to_bytes().unwrap();
    let loaded = Pipeline::from_bytes(bytes).unwrap();
    assert_eq!(loaded.annotate(&piece, &mut Scratch::default(), |_| {}).unwrap(), sentences);
}

/// Files before format 4 do not say which features their weights are of.
#[test]
fn older_tokenizers_keep_their_features() {
    let mut older = serde_json::to_value(TokenizerConfig::default()).unwrap();
    older.as_object_mut().unwrap().remove("features").unwrap();
    let config: TokenizerConfig = serde_json::from_value(older).unwrap();
    assert_eq!(config.features, Features::Characters);
    let learn = |config: TokenizerConfig| {
        let data = TokenizerData::from_sentences(&treebank());
        TokenizerLearner { config }.learn(&data, &mut Silent).unwrap().model
    };
    let text = "We don't see Dr. Smith's\nlight. I saw it.";
    for (config, other) in
        [(config.clone(), TokenizerConfig::default()), (TokenizerConfig::default(), config)]
    {
        let (one, other) = (learn(config), learn(other).to_bytes().unwrap());
        let bytes = one.to_bytes().unwrap();
        let loaded = Tokenizer::from_bytes(bytes.clone()).unwrap();
        let split = |tokenizer: &Tokenizer| tokenizer.split(text, &mut tokenizer::Scratch::default());
        assert_eq!(split(&loaded), split(&one));
        assert_ne!(bytes, other, "the two kinds of features have different weights");
    }
}

#[test]
fn a_sentence_without_end_is_parsed_in_parts_that_make_one_tree() {
    let pipeline = pipeline();
    let mut sentence = Sentence::new();
    for word in ["We", "saw", "it"].into_iter().cycle().take(10_000) {
        sentence.push_word(Columns { form: word, ..Columns::default() }).unwrap();
    }
    pipeline
        .annotate_sentences(std::slice::from_mut(&mut sentence), &mut Scratch::default(), |_| {})
        .unwrap();
    DependencyTree::from_sentence(&sentence, RootRule::Single).unwrap();
    let joints = sentence.words().filter(|word| word.head() == sentence_root(&sentence)).count();
    assert!(joints >= 10_000_usize.div_ceil(MAX_WORDS) - 1, "{joints}");
}

/// The root word of a sentence, as a head.
fn sentence_root(sentence: &Sentence) -> Option<Head> {
    let root = sentence.words().position(|word| word.head() == Some(Head::ROOT))?;
    Head::word(root)
}

/// Checks that the tokens are at their offsets in the text.
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
    let mut scratch = Scratch::default();
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
        // Tagging ten million bytes would take too long here; only the tokens matter.
        tokens += Tokenizer::rules()
            .split(&piece.text, &mut tokenizer::Scratch::default())
            .iter()
            .map(Vec::len)
            .sum::<usize>();
    }
    assert_eq!(tokens, 4 * 910_000);
}

pub(crate) fn data_folder() -> Option<PathBuf> {
    let near = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("EIGENTREE_DATA").map_or_else(near, PathBuf::from).join("dependency");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("SKIPPED: there is no folder {}", folder.display());
    None
}

/// All texts of all treebanks by rules, and those of the test sets also with a learnt tokenizer, which takes longer.
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
    let mut scratch = tokenizer::Scratch::default();
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
