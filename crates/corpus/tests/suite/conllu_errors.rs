//! Every error in a CoNLL-U file is reported with its position, and reading continues after it.

use eigentree_corpus::dependency::{DependencyTree, Head, RootRule, TreeError};
use eigentree_corpus::error::ReadError;
use eigentree_corpus::format::conllu::{
    Columns, ConlluReader, ConlluWriter, ReadOutcome, Sentence, SentenceError, TokenId,
};
use eigentree_corpus::format::lines::LineEnding;

const GOOD: &str = "1\tgood\t_\t_\t_\t_\t0\troot\t_\t_\n\n";

/// The line `id form … head …` with `_` elsewhere.
fn row(id: &str, head: &str) -> String {
    format!("{id}\tä\t_\t_\t_\t_\t{head}\t_\t_\t_\n")
}

/// The message for `bad` between two valid sentences, both of which must be read.
fn message(bad: &str) -> String {
    let input = format!("{GOOD}{bad}\n{GOOD}");
    let items: Vec<_> = ConlluReader::new(input.as_bytes(), "f").collect();
    let [Ok(before), Err(error), Ok(after)] = &items[..] else { panic!("{bad:?}: {items:?}") };
    for sentence in [before, after] {
        assert!(sentence.words().map(|word| word.form()).eq(["good"]));
    }
    error.to_string()
}

#[test]
fn flaws_are_named_with_line_and_column() {
    let cases = [
        (
            row("1", "0").replace("_\t_\n", "_\n"),
            "3:18: expected ten columns separated by TAB, found 9 columns",
        ),
        (
            row("1", "0").replace('\n', "\t_\n"),
            "3:20: expected ten columns separated by TAB, found 11 columns",
        ),
        (
            "1 a _ _ _ _ 0 root _ _\n".to_owned(),
            "3:23: expected ten columns separated by TAB, found 1 column (spaces do not separate columns)",
        ),
        (
            "1\tä\t\t_\t_\t_\t0\t_\t_\t_\n".to_owned(),
            "3:5: expected a value in column LEMMA, or `_` if there is none, found an empty column",
        ),
        (row("x", "0"), "3:1: expected an id such as `7`, `7-8` or `7.1`, found \"x\""),
        (row("01", "0"), "3:1: expected an id such as `7`, `7-8` or `7.1`, found \"01\""),
        (
            row("2", "0"),
            "3:1: expected the word number 1, since words are numbered 1, 2, 3, …, found the id 2",
        ),
        (
            row("1", "0") + &row("1", "0"),
            "4:1: expected the word number 2, since words are numbered 1, 2, 3, …, found the id 1",
        ),
        (row("1", "0") + &row("1.2", "_"), "4:1: expected the empty node 1.1, found the id 1.2"),
        (
            row("1", "0") + &row("4-5", "_"),
            "4:1: expected a range that begins at the next word, 2, found the id 4-5",
        ),
        (
            row("1-3", "_") + &row("1", "0") + &row("2-3", "_"),
            "5:1: expected no range before word 4, since one is open up to word 3, found the id 2-3",
        ),
        (row("1", "-1"), "3:13: expected the number of a head, 0 or `_`, found \"-1\""),
        (row("1", "1.1"), "3:13: expected the number of a head, 0 or `_`, found \"1.1\""),
        (row("1-2", "0"), "3:15: expected the head `_`, since only words have heads, found \"0\""),
        (
            format!("# c\n{}{}", row("1", "2"), row("2", "3")),
            "5:13: expected a head from 0 to 2, the last word of the sentence, found the head 3",
        ),
        (
            row("1-2", "_") + &row("1", "0"),
            "3:1: expected a range up to word 1 at most, the last word of the sentence, found the range 1-2",
        ),
        (row("1", "0") + "# late\n", "4:1: expected comments before the first token only, found a comment"),
        ("# alone\n".to_owned(), "4: expected at least one word before the sentence ends, found none"),
        (row("0.1", "_"), "4: expected at least one word before the sentence ends, found none"),
        (
            row("1", "0") + &row("2", "1").replace('\n', "\r\n"),
            "4:20: expected a line ended by LF, as on the line before, found a line ended by CRLF",
        ),
    ];
    for (bad, expected) in cases {
        assert_eq!(message(&bad), format!("f:{expected}"), "{bad:?}");
    }
}

#[test]
fn a_line_of_blanks_separates_when_reading_goes_on() {
    let input = format!("{}   \n{GOOD}", row("1", "0"));
    let items: Vec<_> = ConlluReader::new(input.as_bytes(), "f").collect();
    assert_eq!(items.len(), 2);
    let message = items[0].as_ref().unwrap_err().to_string();
    assert_eq!(message, "f:2:1: expected an empty line or ten columns, found a line of white space");
    assert_eq!(items[1].as_ref().unwrap().word(0).unwrap().form(), "good");
}

#[test]
fn bytes_that_are_no_text_cost_one_sentence() {
    let mut input = GOOD.as_bytes().to_vec();
    input.extend_from_slice(b"1\t\xff\t_\t_\t_\t_\t0\t_\t_\t_\n2\t\xff\xfe\n\n");
    input.extend_from_slice(GOOD.as_bytes());
    let items: Vec<_> = ConlluReader::new(&input[..], "f").collect();
    assert_eq!(items.len(), 3);
    let error = items[1].as_ref().unwrap_err();
    assert_eq!(error.as_syntax().unwrap().position.to_string(), "3:3");
    assert!(items[2].is_ok());
}

#[test]
fn tolerated_endings_are_put_in_order() {
    let rewrite = |input: &str| {
        let mut writer = ConlluWriter::new(Vec::new());
        for sentence in ConlluReader::new(input.as_bytes(), "f") {
            writer.write(&sentence.unwrap()).unwrap();
        }
        String::from_utf8(writer.into_inner().unwrap()).unwrap()
    };
    assert_eq!(rewrite(&format!("\u{feff}\n\n{GOOD}\n\n{GOOD}")), format!("{GOOD}{GOOD}"));
    assert_eq!(rewrite(GOOD.trim_end()), GOOD);
    assert_eq!(rewrite(&GOOD[..GOOD.len() - 1]), GOOD);
    assert_eq!(rewrite(""), "");
    assert_eq!(rewrite("\n\n"), "");
    let crlf = GOOD.replace('\n', "\r\n");
    assert_eq!(rewrite(&crlf), crlf);
    let sentence = ConlluReader::new(crlf.as_bytes(), "f").next().unwrap().unwrap();
    assert_eq!((sentence.line_ending(), sentence.first_line()), (LineEnding::CrLf, 1));
}

#[test]
fn a_broken_source_ends_the_reading() {
    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::ConnectionReset.into())
        }
    }
    let source = std::io::Read::chain(GOOD.as_bytes(), Broken);
    let mut reader = ConlluReader::new(source, "f");
    assert!(reader.next().unwrap().is_ok());
    assert!(matches!(reader.next(), Some(Err(ReadError::Io { line: 2, .. }))));
    assert!(reader.next().is_none());
    assert_eq!(reader.read_into(&mut Sentence::new()).unwrap(), ReadOutcome::End);
}

#[test]
fn predictions_change_their_columns_only() {
    let input = "# sent_id = x\n# text = ab c\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n\
                 1\ta\tA\tNOUN\tNN\tF=1\t2\tdep\t2:dep\tM=1\n2\tb\tB\tVERB\tVB\t_\t0\troot\t0:root\t_\n\
                 2.1\te\t_\t_\t_\t_\t_\t_\t1:x\t_\n3\tc d\tC\t_\t_\t_\t_\t_\t_\t_\n\n";
    let mut sentence = ConlluReader::new(input.as_bytes(), "f").next().unwrap().unwrap();
    assert_eq!((sentence.sent_id(), sentence.text_comment()), (Some("x"), Some("ab c")));
    assert_eq!(sentence.tokens().len(), 5);
    assert!(!sentence.tokens().next().unwrap().space_after() && sentence.word(0).unwrap().space_after());
    assert_eq!(sentence.word(0).unwrap().feature("F"), Some("1"));
    assert_eq!(
        DependencyTree::from_sentence(&sentence, RootRule::Single),
        Err(TreeError::MissingHead { word: 3 })
    );
    sentence.set_head(2, Head::word(1)).unwrap();
    sentence.set_head(0, None).unwrap();
    sentence.set_deprel(2, "punct:längst").unwrap();
    sentence.set_upos(2, "X").unwrap();
    sentence.set_xpos(0, "NNPS").unwrap();
    sentence.set_misc(1, "P=0.5").unwrap();
    let expected = input
        .replace("3\tc d\tC\t_\t_\t_\t_\t_\t", "3\tc d\tC\tX\t_\t_\t2\tpunct:längst\t")
        .replace("\tNN\tF=1\t2\t", "\tNNPS\tF=1\t_\t")
        .replace("0:root\t_", "0:root\tP=0.5");
    let mut writer = ConlluWriter::new(Vec::new());
    writer.write(&sentence).unwrap();
    assert_eq!(String::from_utf8(writer.into_inner().unwrap()).unwrap(), expected);
    assert_eq!(sentence.word(2).unwrap().universal_deprel(), "punct");

    assert!(matches!(sentence.set_upos(0, ""), Err(SentenceError::Field { .. })));
    assert!(matches!(sentence.set_misc(0, "a\tb"), Err(SentenceError::Field { .. })));
    assert!(matches!(sentence.set_upos(3, "X"), Err(SentenceError::NoSuchWord { index: 3, words: 3 })));
    assert!(matches!(sentence.set_head(0, Head::word(3)), Err(SentenceError::HeadOutOfRange { .. })));
    let mut writer = ConlluWriter::new(Vec::new());
    writer.write(&sentence).unwrap();
    assert_eq!(writer.into_inner().unwrap(), expected.as_bytes(), "a refused change leaves no trace");
}

#[test]
fn unfinished_sentences_are_not_written() {
    let mut writer = ConlluWriter::new(Vec::new());
    let mut sentence = Sentence::new();
    assert!(writer.write(&sentence).is_err());
    sentence.push_token(TokenId::Range { first: 1, last: 2 }, Columns::default()).unwrap();
    sentence.push_word(Columns { form: "a", head: Head::word(1), ..Columns::default() }).unwrap();
    assert!(writer.write(&sentence).is_err());
    assert!(sentence.push_comment("# late").is_err());
    let gap = sentence.push_token(TokenId::Word(3), Columns::default());
    assert!(matches!(gap, Err(SentenceError::Id { id: TokenId::Word(3), .. })));
    sentence.push_word(Columns { form: "b", ..Columns::default() }).unwrap();
    writer.write(&sentence).unwrap();
    let written = writer.into_inner().unwrap();
    assert_eq!(ConlluReader::new(&written[..], "f").next().unwrap().unwrap(), sentence);
}
