//! What is read from the dependency and entity data is written back byte for byte.

use eigentree_corpus::format::bio::{BioReader, BioWriter, Scheme, lenient_entities};
use eigentree_corpus::format::conllu::{ConlluReader, ConlluWriter, TokenId};
use eigentree_corpus::format::conllx::{ConllxReader, ConllxWriter};
use eigentree_corpus::format::plain_text::{PlainTextReader, PlainTextWriter, TokenStyle};

use crate::data_files::{data_directory, files_below, unpacked};

#[test]
fn conllu_files_are_written_back_byte_for_byte() {
    let Some(directory) = data_directory("dependency") else { return };
    let files = files_below(&directory, ".conllu");
    assert!(!files.is_empty());
    let (mut words, mut ranges, mut empties) = (0, 0, 0);
    for path in &files {
        let bytes = unpacked(path);
        let mut writer = ConlluWriter::new(Vec::with_capacity(bytes.len()));
        for sentence in ConlluReader::new(&bytes[..], path.display().to_string()) {
            let sentence = sentence.unwrap();
            for token in sentence.tokens() {
                match token.id() {
                    TokenId::Word(_) => words += 1,
                    TokenId::Range { .. } => ranges += 1,
                    TokenId::Empty { .. } => empties += 1,
                }
                assert!(token.enhanced().all(|arc| arc.is_some()), "{}: {}", path.display(), token.deps());
            }
            writer.write(&sentence).unwrap();
        }
        assert!(writer.into_inner().unwrap() == bytes, "{} differs", path.display());
    }
    eprintln!("{} files, {words} words, {ranges} ranges, {empties} empty nodes", files.len());
    assert!(words > 0 && ranges > 0 && empties > 0);
}

#[test]
fn conllx_files_are_written_back_byte_for_byte() {
    let Some(directory) = data_directory("dependency") else { return };
    for path in files_below(&directory, ".conllu") {
        let bytes = unpacked(&path);
        let name = path.display().to_string();
        let mut converted = ConllxWriter::new(Vec::new());
        let mut words: Vec<String> = Vec::new();
        for sentence in ConlluReader::new(&bytes[..], &name) {
            let sentence = sentence.unwrap();
            words.extend(sentence.words().map(|word| word.form().to_owned()));
            converted.write(&sentence).unwrap();
        }
        let converted = converted.into_inner().unwrap();
        let mut again = ConllxWriter::new(Vec::new());
        let mut read = 0;
        for sentence in ConllxReader::new(&converted[..], &name) {
            let sentence = sentence.unwrap();
            for word in sentence.words() {
                assert_eq!(word.form(), words[read]);
                read += 1;
            }
            again.write(&sentence).unwrap();
        }
        assert_eq!(read, words.len());
        assert!(again.into_inner().unwrap() == converted, "{name} differs");
    }
}

#[test]
fn entity_files_are_written_back_in_every_scheme() {
    let Some(directory) = data_directory("ner") else { return };
    let files = files_below(&directory, ".bio");
    assert!(!files.is_empty());
    let mut total = 0;
    for path in files {
        let bytes = unpacked(&path);
        let mut writer = BioWriter::new(Vec::new());
        for sentence in BioReader::new(&bytes[..], path.display().to_string()) {
            let sentence = sentence.unwrap();
            let entities = Scheme::Iob2.entities(sentence.tags()).unwrap();
            assert_eq!(lenient_entities(sentence.tags()), entities);
            total += entities.len();
            let mut tagged = sentence.clone();
            for scheme in [Scheme::Iob1, Scheme::Bioes, Scheme::Iob2] {
                tagged = tagged.with_tags(&scheme.tags(&entities, sentence.len()).unwrap()).unwrap();
                assert_eq!(scheme.entities(tagged.tags()).unwrap(), entities);
            }
            assert_eq!(tagged, sentence);
            writer.write(&sentence).unwrap();
        }
        assert!(writer.into_inner().unwrap() == bytes, "{} differs", path.display());
    }
    // The sum of the entities that the description of the data counts.
    assert_eq!(total, 40_598);
}

#[test]
fn treebank_words_survive_plain_text() {
    let Some(directory) = data_directory("dependency") else { return };
    let mut sentences = 0;
    for path in files_below(&directory, "dev.conllu") {
        let bytes = unpacked(&path);
        for sentence in ConlluReader::new(&bytes[..], path.display().to_string()) {
            let sentence = sentence.unwrap();
            let expected: Vec<(&str, Option<&str>)> = sentence
                .words()
                .map(|word| (word.form(), Some(word.xpos()).filter(|&xpos| xpos != "_")))
                .collect();
            let blanks = |text: &str| text.contains(|character: char| character.is_ascii_whitespace());
            if expected.iter().any(|(word, tag)| blanks(word) || tag.is_some_and(blanks)) {
                continue;
            }
            let mut writer = PlainTextWriter::new(Vec::new());
            writer.write_tagged(expected.iter().copied()).unwrap();
            writer.write_words(expected.iter().map(|&(word, _)| word)).unwrap();
            let text = writer.into_inner().unwrap();
            let tagged = PlainTextReader::new(&text[..], "-", TokenStyle::Tagged).next().unwrap().unwrap();
            assert!(tagged.words().zip(tagged.tags()).eq(expected.iter().copied()));
            let words = PlainTextReader::new(&text[..], "-", TokenStyle::Words).nth(1).unwrap().unwrap();
            assert!(words.words().eq(expected.iter().map(|&(word, _)| word)));
            sentences += 1;
        }
    }
    eprintln!("{sentences} sentences");
    assert!(sentences > 0);
}
