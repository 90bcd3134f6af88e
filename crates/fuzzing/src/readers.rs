//! Reads bytes as each of the formats that users bring.

use std::io::Read;

use corpus::compression::decompress;
use corpus::format::bio::BioReader;
use corpus::format::brown_paths::BrownPathsReader;
use corpus::format::conllu::{ConlluReader, ConlluWriter, Sentence};
use corpus::format::conllx::ConllxReader;
use corpus::format::numbered_sequences::NumberedSequences;
use corpus::format::penn::PennReader;
use corpus::format::raw_text::RawTextReader;
use corpus::format::word_vectors::{read_binary, read_text};

/// A reader of one format.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Name of the format.
    pub name: &'static str,
    /// Reads everything that the bytes hold.
    pub read: fn(&[u8]),
    /// A valid example, to start from.
    pub example: &'static str,
}

/// Longest output of decompression that is read, so that a bomb only costs time.
const UNPACKED: u64 = 1 << 20;

/// All readers.
pub const TARGETS: [Target; 10] = [
    Target {
        name: "penn",
        read: penn,
        example: "(ROOT (S (NP-SBJ-1 (DT The) (NN dog)) (VP (VBZ barks)) (. .)))\n",
    },
    Target { name: "conllu", read: conllu, example: crate::TREEBANK },
    Target {
        name: "conllx",
        read: |bytes| drain(ConllxReader::new(bytes, "-")),
        example: "1\tThe\tthe\tD\tDT\t_\t2\tdet\t_\t_\n2\tdog\tdog\tN\tNN\t_\t0\troot\t_\t_\n\n",
    },
    Target {
        name: "bio",
        read: |bytes| drain(BioReader::new(bytes, "-")),
        example: "-DOCSTART- -X- O O\n\nAnna NNP B-NP B-PER\nsleeps VBZ B-VP O\n\n",
    },
    Target {
        name: "raw text",
        read: |bytes| drain(RawTextReader::new(bytes, "-")),
        example: "Anna sleeps.\n\nShe dreams of http://example.com/ .\n",
    },
    Target {
        name: "paths",
        read: |bytes| drain(BrownPathsReader::new(bytes, "-")),
        example: "0101\tdog\t12\n011\tcat\t3\n",
    },
    Target { name: "numbers", read: numbers, example: "2 4\n3 0 3 1\n0\n" },
    Target {
        name: "text vectors",
        read: |bytes| drop(read_text(bytes, "-")),
        example: "2 3\ndog 0.5 1 -2e-3\ncat 1 2 3\n",
    },
    Target {
        name: "binary vectors",
        read: |bytes| drop(read_binary(bytes, "-")),
        example: "1 1\ndog \0\0\u{0}\u{40}\n",
    },
    Target { name: "compressed", read: compressed, example: "\u{1f}" },
];

fn drain<T, E>(items: impl Iterator<Item = Result<T, E>>) {
    // A reader may report one error per item and go on; it must come to an end.
    items.for_each(drop);
}

fn penn(bytes: &[u8]) {
    for tree in PennReader::new(bytes, "-").flatten() {
        let text = tree.to_string();
        let again: Vec<_> = PennReader::new(text.as_bytes(), "-").flatten().collect();
        assert_eq!(again, [tree], "what is written is read as it was");
    }
}

fn conllu(bytes: &[u8]) {
    for sentence in ConlluReader::new(bytes, "-").flatten() {
        let mut text = Vec::new();
        ConlluWriter::new(&mut text).write(&sentence).expect("memory can be written");
        let again: Vec<Sentence> = ConlluReader::new(&text[..], "-").flatten().collect();
        assert_eq!(again, [sentence], "what is written is read as it was");
    }
}

fn numbers(bytes: &[u8]) {
    if let Ok(read) = NumberedSequences::read(bytes, "-") {
        let symbols: usize = read.sequences.iter().map(Vec::len).sum();
        assert!(read.alphabet <= symbols + (1 << 16), "{} symbols in {} bytes", read.alphabet, bytes.len());
    }
}

fn compressed(bytes: &[u8]) {
    if let Ok(unpacked) = decompress(bytes) {
        let _ = unpacked.take(UNPACKED).read_to_end(&mut Vec::new());
    }
}
