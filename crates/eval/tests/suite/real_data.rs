//! Whole treebanks scored against themselves under various conventions.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use corpus::compression::decompress;
use corpus::format::conllu::{ConlluReader, Sentence};
use eigentree_eval::alignment::score_aligned;
use eigentree_eval::attachment;
use eigentree_eval::brackets::{BracketConfig, score_readers};

/// The decompressed file, or a visible note that it is missing.
fn data(path: &str) -> Option<Vec<u8>> {
    let root = match std::env::var_os("EIGENTREE_DATA") {
        Some(root) => PathBuf::from(root),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
    };
    let path = [root.join(path), root.join(format!("{path}.gz"))].into_iter().find(|path| path.is_file());
    let Some(path) = path else {
        eprintln!("SKIPPED: no {} (set EIGENTREE_DATA to run this test)", root.display());
        return None;
    };
    let mut bytes = Vec::new();
    let file = File::open(path).expect("data file opens");
    decompress(file).expect("data file unpacks").read_to_end(&mut bytes).expect("data file unpacks");
    Some(bytes)
}

#[test]
fn stripped_trees_equal_the_raw_ones() {
    // The raw files have function tags, indices and empty elements, none of which counts.
    for name in ["gum/dev", "craft/dev"] {
        let (folder, split) = name.split_once('/').unwrap();
        let clean = data(&format!("constituency/{folder}/{split}.ptb"));
        let raw = data(&format!("constituency/{folder}/raw/{split}.ptb"));
        let (Some(clean), Some(raw)) = (clean, raw) else { return };
        let scores =
            score_readers((&raw[..], "raw"), (&clean[..], "clean"), &BracketConfig::collins()).unwrap();
        let summary = scores.summary();
        assert!(summary.sentences > 1_000);
        assert_eq!((summary.brackets.f1(), summary.exact, summary.crossing), (1.0, 1.0, 0.0), "{name}");
        assert_eq!(summary.tags, 1.0);
    }
}

#[test]
fn alignment_agrees_with_the_plain_score_on_real_multiword_tokens() {
    let Some(gold) = data("dependency/pt_bosque/dev.conllu") else { return };
    let gold: Vec<Sentence> = ConlluReader::new(&gold[..], "gold").collect::<Result<_, _>>().unwrap();
    // A prediction that attaches every word headed by the next word to the previous word.
    let mut predicted = gold.clone();
    for sentence in &mut predicted {
        for index in 1..sentence.len() {
            let next = corpus::dependency::Head::word(index + 1);
            if sentence.word(index).unwrap().head() == next {
                sentence.set_head(index, corpus::dependency::Head::word(index - 1)).unwrap();
            }
        }
    }
    let config = attachment::AttachmentConfig::default();
    let plain =
        attachment::score_sentences(gold.iter().cloned().map(Ok), predicted.iter().cloned().map(Ok), &config)
            .unwrap();
    let aligned = score_aligned(&gold, &predicted, &config).unwrap();
    assert_eq!(aligned.attachment, plain);
    assert_eq!((aligned.tokens.f1(), aligned.sentences.f1()), (1.0, 1.0));
    let uas = plain.total().uas.f1();
    assert!(uas > 0.5 && uas < 0.9, "{uas}");
}
