//! No bytes make a reader panic or loop, and what is written is read back.

use eigentree_corpus::compression::decompress;
use eigentree_corpus::dependency::projectivize::projectivize;
use eigentree_corpus::dependency::pseudo_projective::{PseudoLabels, pseudo_projectivize};
use eigentree_corpus::dependency::{DependencyTree, Head, ModifierSequences, RootRule};
use eigentree_corpus::format::bio::{BioReader, BioSentence, BioWriter, Scheme, lenient_entities};
use eigentree_corpus::format::conllu::{Columns, ConlluReader, ConlluWriter, Sentence, TokenId};
use eigentree_corpus::format::conllx::{ConllxReader, ConllxWriter};
use eigentree_corpus::format::plain_text::{BlankLines, PlainTextReader, PlainTextWriter, TokenStyle};
use eigentree_corpus::ids::LabelId;
use eigentree_corpus::vocab::VocabBuilder;
use proptest::prelude::*;

/// Typical lines, to be corrupted.
const REAL: &[u8] = "# sent_id = weblog-1\n# text = Vámonos al mar, can't\n\
    1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\t_\n\
    1\tVamos\tir\tVERB\t_\tMood=Imp|Number=Plur\t0\troot\t0:root\t_\n\
    2\tnos\tnosotros\tPRON\t_\tCase=Acc\t1\tobj\t1:obj\t_\n\
    3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_\n\
    3\ta\ta\tADP\t_\t_\t5\tcase\t5:case\t_\n\
    4\tel\tel\tDET\t_\t_\t5\tdet\t5:det\t_\n\
    5\tmar\tmar\tNOUN\t_\t_\t1\tobl\t1:obl:a\tSpaceAfter=No\n\
    5.1\tcan't\tcan\tAUX\tMD\t_\t_\t_\t1:aux\tCopyOf=1\n\
    6\t,\t,\tPUNCT\t,\t_\t1\tpunct\t5.1:punct\t_\n\n\
    1\tNew York\tNew York\tPROPN\tNNP\t_\t0\troot\t_\t_\n\n\
    New York\tB-LOC\nsleeps\tO\n\nDogs_NNS bark__ a\\_b_X\n\n"
    .as_bytes();

/// Reads `bytes` in every format; a reader may return at most one item per line, and what it returns can be written.
fn read_everything(bytes: &[u8]) {
    let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let mut count = 0;
    for sentence in ConlluReader::new(bytes, "u") {
        count += 1;
        let Ok(sentence) = sentence else { continue };
        let mut writer = ConlluWriter::new(Vec::new());
        writer.write(&sentence).expect("what was read can be written");
        let written = writer.into_inner().expect("a vector takes everything");
        let again = ConlluReader::new(&written[..], "u").next().expect("a sentence").expect("it is sound");
        assert_eq!(again, sentence);
        if let Ok(tree) = DependencyTree::from_sentence(&sentence, RootRule::Any) {
            assert!(projectivize(&tree).tree.is_projective());
        }
    }
    assert!(count <= lines);
    for sentence in ConllxReader::new(bytes, "x").flatten() {
        let mut writer = ConllxWriter::new(Vec::new());
        writer.write(&sentence).expect("what was read can be written");
        let written = writer.into_inner().expect("a vector takes everything");
        assert_eq!(
            ConllxReader::new(&written[..], "x").next().expect("a sentence").expect("sound"),
            sentence
        );
    }
    for sentence in BioReader::new(bytes, "b").flatten() {
        lenient_entities(sentence.tags());
        for scheme in [Scheme::Iob1, Scheme::Iob2, Scheme::Bioes] {
            let _ = scheme.entities(sentence.tags());
        }
        let mut writer = BioWriter::new(Vec::new());
        writer.write(&sentence).expect("what was read can be written");
        let written = writer.into_inner().expect("a vector takes everything");
        assert_eq!(BioReader::new(&written[..], "b").next().expect("a sentence").expect("sound"), sentence);
    }
    for style in [TokenStyle::Words, TokenStyle::Tagged] {
        let reader = PlainTextReader::new(bytes, "p", style).blank_lines(BlankLines::Keep);
        assert!(reader.count() <= lines);
    }
    if let Ok(mut reader) = decompress(bytes) {
        let _ = std::io::copy(&mut reader, &mut std::io::sink());
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut encoder = flate2::read::GzEncoder::new(bytes, flate2::Compression::default());
    std::io::copy(&mut encoder, &mut packed).expect("memory takes everything");
    packed
}

/// Bytes that matter to some format are more likely than others.
fn byte() -> impl Strategy<Value = u8> {
    prop_oneof![
        4 => prop::sample::select(&b"\t\n\r_-.#|:=0123456789 \\BIOES"[..]),
        1 => any::<u8>(),
    ]
}

/// Text for a column: not empty, without the characters that end it.
fn field() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-z_=|%:\\\\ -]{1,6}",
        1 => "\\PC{1,8}",
    ]
}

fn columns() -> impl Strategy<Value = [String; 8]> {
    proptest::array::uniform8(field())
}

#[derive(Clone, Debug)]
enum Line {
    Word,
    RangeOver(u32),
    Empty,
}

/// A valid sentence: words with ranges and empty nodes between them, heads anywhere in the sentence.
fn sentence() -> impl Strategy<Value = Sentence> {
    let line = prop_oneof![
        5 => Just(Line::Word),
        1 => (1u32..4).prop_map(Line::RangeOver),
        1 => Just(Line::Empty),
    ];
    let rows = prop::collection::vec((line, columns(), any::<prop::sample::Index>(), any::<bool>()), 1..12);
    (prop::collection::vec("#[^\r\n]{0,12}", 0..3), rows).prop_map(|(comments, mut rows)| {
        // A sentence has at least one word, and a range is followed by one.
        if let Some(last) = rows.last_mut() {
            last.0 = Line::Word;
        }
        let words = rows.iter().filter(|row| matches!(row.0, Line::Word)).count() as u32;
        let mut sentence = Sentence::new();
        for comment in &comments {
            sentence.push_comment(comment).expect("a sound comment");
        }
        let (mut next, mut range_end, mut empties) = (1, 0, 0);
        for (line, fields, head, has_head) in &rows {
            let [form, lemma, upos, xpos, feats, deprel, deps, misc] = fields.each_ref().map(String::as_str);
            let mut columns = Columns { form, lemma, upos, xpos, feats, head: None, deprel, deps, misc };
            let id = match *line {
                Line::Word => {
                    empties = 0;
                    next += 1;
                    columns.head = Head::from_number(head.index(words as usize + 1)).filter(|_| *has_head);
                    TokenId::Word(next - 1)
                }
                Line::RangeOver(length) => {
                    if next <= range_end {
                        continue;
                    }
                    range_end = (next + length - 1).min(words);
                    TokenId::Range { first: next, last: range_end }
                }
                Line::Empty => {
                    empties += 1;
                    TokenId::Empty { after: next - 1, index: empties }
                }
            };
            sentence.push_token(id, columns).expect("a sound token");
        }
        sentence
    })
}

/// Any tree: each word depends on the root or on a word drawn before it in a random order.
fn tree() -> impl Strategy<Value = DependencyTree> {
    (1usize..24)
        .prop_flat_map(|words| {
            let order = Just((0..words).collect::<Vec<usize>>()).prop_shuffle();
            (order, prop::collection::vec(any::<prop::sample::Index>(), words))
        })
        .prop_map(|(order, choices)| {
            let mut heads = vec![Head::ROOT; order.len()];
            for (rank, choice) in choices.iter().enumerate().skip(1) {
                heads[order[rank]] = Head::word(order[choice.index(rank)]).expect("a small index");
            }
            DependencyTree::new(heads, RootRule::Single).expect("drawn as a tree")
        })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn prop_arbitrary_bytes_are_survived(bytes in prop::collection::vec(byte(), 0..200)) {
        read_everything(&bytes);
    }

    #[test]
    fn prop_spoilt_archives_are_survived(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        keep in any::<prop::sample::Index>(),
    ) {
        for mut packed in [gzip(REAL), zstd::encode_all(REAL, 3).unwrap()] {
            for &(place, byte) in &edits {
                let place = place.index(packed.len());
                packed[place] = byte;
            }
            packed.truncate(1 + keep.index(packed.len()));
            if let Ok(mut reader) = decompress(&packed[..]) {
                let _ = std::io::copy(&mut reader, &mut std::io::sink());
            }
            // A reader on top must end as well, with or without an error.
            if let Ok(reader) = decompress(&packed[..]) {
                prop_assert!(ConlluReader::new(reader, "u").count() <= packed.len() + 1);
            }
        }
    }

    #[test]
    fn prop_spoilt_lines_are_survived(
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..4, prop::collection::vec(byte(), 0..4)), 1..6),
    ) {
        let mut bytes = REAL.to_vec();
        for (place, removed, inserted) in edits {
            let start = place.index(bytes.len());
            let end = (start + removed).min(bytes.len());
            bytes.splice(start..end, inserted);
            if bytes.is_empty() {
                break;
            }
        }
        read_everything(&bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn prop_written_sentences_are_read_back(sentences in prop::collection::vec(sentence(), 1..4)) {
        let mut writer = ConlluWriter::new(Vec::new());
        for sentence in &sentences {
            writer.write(sentence).unwrap();
        }
        let bytes = writer.into_inner().unwrap();
        let read: Vec<Sentence> = ConlluReader::new(&bytes[..], "u").map(Result::unwrap).collect();
        prop_assert_eq!(&read, &sentences);
        for (read, written) in read.iter().zip(&sentences) {
            prop_assert!(read.words().map(|word| word.head()).eq(written.words().map(|word| word.head())));
            prop_assert!(read.tokens().map(|token| token.id()).eq(written.tokens().map(|token| token.id())));
        }
    }

    #[test]
    fn prop_written_tags_are_read_back(rows in prop::collection::vec((field(), "O|[BIES]-[A-Za-z-]{1,4}"), 1..10)) {
        let mut sentence = BioSentence::new();
        for (token, tag) in &rows {
            sentence.push(token, tag).unwrap();
        }
        let mut writer = BioWriter::new(Vec::new());
        writer.write(&sentence).unwrap();
        let bytes = writer.into_inner().unwrap();
        prop_assert_eq!(BioReader::new(&bytes[..], "b").next().unwrap().unwrap(), sentence);
    }

    #[test]
    fn prop_written_plain_text_is_read_back(
        tokens in prop::collection::vec(("[a_\\\\/é]{1,5}", prop::option::of("[A_\\\\]{1,4}")), 1..8),
    ) {
        let expected: Vec<(&str, Option<&str>)> = tokens
            .iter()
            .map(|(word, tag)| (word.as_str(), tag.as_deref().filter(|&tag| tag != "_")))
            .collect();
        let mut writer = PlainTextWriter::new(Vec::new());
        writer.write_tagged(expected.iter().copied()).unwrap();
        let bytes = writer.into_inner().unwrap();
        let sentence = PlainTextReader::new(&bytes[..], "p", TokenStyle::Tagged).next().unwrap().unwrap();
        prop_assert_eq!(sentence.words().zip(sentence.tags()).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn prop_any_tree_becomes_projective_and_linear(tree in tree(), labels in prop::collection::vec(0usize..3, 24)) {
        let result = projectivize(&tree);
        prop_assert!(result.tree.is_projective());
        prop_assert_eq!(result.lifted.is_empty(), tree.is_projective());
        for arc in &result.lifted {
            // A lifted word now depends on an ancestor of its old head.
            let mut at = Some(arc.original);
            while let Some(head) = at.filter(|&head| Some(head) != result.tree.head(arc.modifier)) {
                at = head.index().and_then(|index| tree.head(index));
            }
            prop_assert!(at.is_some());
        }
        let sequences = ModifierSequences::of_tree(&result.tree).unwrap();
        prop_assert_eq!(sequences.arrange().unwrap().tree, result.tree.clone());

        let mut vocab = VocabBuilder::<LabelId>::new();
        let labels = labels[..tree.len()].iter().map(|label| vocab.intern(&label.to_string())).collect();
        let labelled = tree.with_labels(labels).unwrap();
        let encoded = pseudo_projectivize(&labelled, &mut vocab).unwrap();
        prop_assert_eq!(encoded.tree.heads(), result.tree.heads());
        let decoded = PseudoLabels::of_vocab(&vocab.freeze()).unwrap().deprojectivize(&encoded.tree).unwrap();
        prop_assert_eq!(decoded.labels(), labelled.labels());
        prop_assert!(DependencyTree::new(decoded.heads().to_vec(), RootRule::Single).is_ok());
    }
}
