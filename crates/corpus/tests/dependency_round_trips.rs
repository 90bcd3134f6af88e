//! What is read from the dependency and entity data is written back byte for byte.

mod data_files;

use data_files::{data_directory, files_below, unpacked};
use eigentree_corpus::format::conllu::{ConlluReader, ConlluWriter, TokenId};

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
