//! Counting compared with a simple reference, over threads, chunks, blocks and files.

use std::collections::BTreeMap;
use std::io::Read;

use eigentree_corpus::cooccurrence::{
    Boundaries, CountConfig, CountError, CountedText, Encoding, MemoryEstimate, TextCounter, TextSize,
    VocabLimit,
};
use eigentree_corpus::ids::Id;

use crate::data_files::{data_directory, unpacked};

/// Counts by word and by words and distance.
#[derive(PartialEq, Eq, Debug, Default)]
struct Plain {
    words: BTreeMap<String, u64>,
    pairs: BTreeMap<(usize, String, String), u64>,
}

fn plain(texts: &[&str], boundaries: Boundaries, distance: usize, rename: impl Fn(&str) -> String) -> Plain {
    let mut plain = Plain::default();
    let whole = texts.join("\n");
    let sequences: Vec<&str> = match boundaries {
        Boundaries::Lines => whole.lines().collect(),
        Boundaries::None => vec![&whole],
    };
    for sequence in sequences {
        let tokens: Vec<String> = sequence.split_ascii_whitespace().map(&rename).collect();
        for (at, token) in tokens.iter().enumerate() {
            *plain.words.entry(token.clone()).or_default() += 1;
            for d in 1..=distance {
                if let Some(right) = tokens.get(at + d) {
                    *plain.pairs.entry((d, token.clone(), right.clone())).or_default() += 1;
                }
            }
        }
    }
    plain
}

fn as_plain(counted: &CountedText) -> Plain {
    let counts = &counted.counts;
    let names: Vec<&str> = counts.vocab.iter().map(|(_, word)| word).collect();
    let mut plain = Plain::default();
    for (&name, &count) in names.iter().zip(&counts.words) {
        plain.words.insert(name.to_owned(), count);
    }
    for (d, pairs) in counts.pairs.iter().enumerate() {
        for (left, right, count) in pairs.iter() {
            let key = (d + 1, names[left as usize].to_owned(), names[right as usize].to_owned());
            plain.pairs.insert(key, count);
        }
    }
    plain
}

fn count(texts: &[&str], config: &CountConfig, threads: usize) -> Result<CountedText, CountError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut counter = TextCounter::new(config.clone())?;
        for text in texts {
            counter.read(text.as_bytes(), "test")?;
        }
        counter.finish()
    })
}

/// Text of a few megabytes, so that there are several chunks, with a distribution of words like that of language.
fn text(seed: u64, tokens: usize) -> String {
    let mut state = seed;
    let mut text = String::new();
    for _ in 0..tokens {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let uniform = ((state >> 40) as f64 + 1.0) / (1u64 << 24) as f64;
        let word = (uniform.powf(-0.8) as u64).min(5000);
        match state >> 33 & 15 {
            0 => text.push_str(" \n"),
            1 => text.push('\t'),
            _ => text.push(' '),
        }
        text.push_str(&format!(
            "w{word}ä{}",
            if word.is_multiple_of(7) { "_a_long_ending_of_words" } else { "" }
        ));
    }
    text
}

#[test]
fn counts_are_those_of_the_definition_however_they_are_made() {
    let texts = [text(1, 200_000), text(2, 5), text(3, 60_000)];
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    for boundaries in [Boundaries::Lines, Boundaries::None] {
        let expected = plain(&texts, boundaries, 3, str::to_owned);
        let config = CountConfig { distance: 3, boundaries, ..CountConfig::default() };
        let once = count(&texts, &config, 1).unwrap();
        assert_eq!(as_plain(&once), expected);
        for threads in [2, 3, 7] {
            assert_eq!(count(&texts, &config, threads).unwrap(), once, "{threads} threads");
        }
        for block_tokens in [1, 70_000, 200_000] {
            let config = CountConfig { block_tokens, ..config.clone() };
            assert_eq!(count(&texts, &config, 2).unwrap(), once, "blocks of {block_tokens}");
        }
    }
}

#[test]
fn words_are_ranked_and_the_rest_is_one_class() {
    let texts = [text(4, 100_000), text(5, 100_000)];
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let all = count(&texts, &CountConfig::default(), 2).unwrap();
    let ranked: Vec<(u64, &str)> =
        all.counts.vocab.iter().map(|(id, word)| (all.counts.words[id.index()], word)).collect();
    assert!(ranked.is_sorted_by(|one, other| one.0 > other.0 || (one.0 == other.0 && one.1 < other.1)));
    let limits = [
        VocabLimit::most_frequent(100),
        VocabLimit { min_count: 4, ..VocabLimit::default() },
        VocabLimit { size: Some(900), min_count: 30, unknown: "*".to_owned() },
        VocabLimit::most_frequent(1_000_000),
    ];
    for limit in limits {
        let keep: Vec<&str> = ranked
            .iter()
            .filter(|word| word.0 >= limit.min_count)
            .take(limit.size.unwrap_or(usize::MAX))
            .map(|word| word.1)
            .collect();
        let rename = |word: &str| if keep.contains(&word) { word } else { &limit.unknown }.to_owned();
        let config = CountConfig { vocab: Some(limit.clone()), distance: 2, ..CountConfig::default() };
        let counted = count(&texts, &config, 2).unwrap();
        assert_eq!(as_plain(&counted), plain(&texts, Boundaries::Lines, 2, rename));
        assert_eq!(counted.unknown.is_some(), keep.len() < ranked.len());
        assert!(counted.counts.words.is_sorted_by(|one, other| one >= other));
        let blocks = CountConfig { block_tokens: 50_000, ..config.clone() };
        assert_eq!(count(&texts, &blocks, 1).unwrap(), counted);
        let wide = count(&texts, &CountConfig { vocab: None, ..config }, 2).unwrap();
        assert_eq!(wide.restricted(&limit).unwrap(), counted);
        // Two steps give the same result.
        let coarse = VocabLimit { size: Some(50), ..limit };
        assert_eq!(counted.restricted(&coarse).unwrap(), wide.restricted(&coarse).unwrap());
    }
}

#[test]
fn counts_add_up_to_those_of_all_texts() {
    let texts = [text(6, 50_000), text(7, 20_000), text(8, 3)];
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let config = CountConfig { distance: 2, ..CountConfig::default() };
    let together = count(&texts, &config, 2).unwrap();
    let parts = || texts.iter().map(|text| count(&[text], &config, 2).unwrap());
    assert_eq!(CountedText::sum(parts().collect()).unwrap(), together);
    assert_eq!(CountedText::sum(parts().rev().collect()).unwrap(), together);
    assert!(matches!(CountedText::sum(Vec::new()), Err(CountError::Nothing)));
    let limited = CountConfig { vocab: Some(VocabLimit::most_frequent(20)), ..config.clone() };
    let one = count(&texts[..1], &limited, 1).unwrap();
    let double = CountedText::sum(vec![one.clone(), one.clone()]).unwrap();
    assert_eq!(double.counts.tokens(), 2 * one.counts.tokens());
    assert_eq!(double.unknown_name(), Some("<unk>"));
    let other = count(&texts[2..], &config, 1).unwrap();
    let error = one.plus(&other).unwrap_err();
    assert!(error.to_string().contains("count both texts without a vocabulary limit"), "{error}");
    let other =
        count(&texts[..1], &CountConfig { boundaries: Boundaries::None, ..limited.clone() }, 1).unwrap();
    assert!(matches!(one.plus(&other), Err(CountError::OtherBoundaries)));
    let other = count(&texts[..1], &CountConfig { distance: 1, ..limited }, 1).unwrap();
    assert!(matches!(one.plus(&other), Err(CountError::OtherDistance(2, 1))));
}

#[test]
fn the_class_of_other_words_takes_no_word_s_name() {
    let config = CountConfig { vocab: Some(VocabLimit::most_frequent(2)), ..CountConfig::default() };
    let error = count(&["<unk> <unk> a a b"], &config, 1).unwrap_err();
    assert!(matches!(&error, CountError::UnknownTaken(name) if name == "<unk>"), "{error}");
    // A rare word of that name is one of the other words.
    let counted = count(&["<unk> a a b b"], &config, 1).unwrap();
    assert_eq!(counted.counts.words, [2, 2, 1]);
    assert_eq!(counted.unknown_name(), Some("<unk>"));
    assert!(matches!(
        TextCounter::new(CountConfig { distance: 0, ..CountConfig::default() }),
        Err(CountError::Distance(0))
    ));
    assert_eq!(count(&[""], &config, 1).unwrap().counts.words, []);
}

#[test]
fn the_first_bad_byte_is_placed_whoever_reads_it() {
    let mut bytes = text(9, 300_000).into_bytes();
    let line = bytes.iter().take(1_500_000).filter(|&&byte| byte == b'\n').count() + 1;
    let start = bytes[..1_500_000].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
    let at = 1_500_000 + bytes[1_500_000..].iter().position(|&byte| byte == b'w').unwrap();
    assert!(!bytes[1_500_000..at].contains(&b'\n'), "the example was chosen so");
    bytes[at] = 0xff;
    let column = String::from_utf8_lossy(&bytes[start..at]).chars().count() + 1;
    let later = bytes.len() - 2;
    bytes[later] = 0xfe;
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let error = pool.install(|| {
            let mut counter = TextCounter::new(CountConfig::default()).unwrap();
            counter.read(&bytes[..], "bad.txt").unwrap_err()
        });
        let expected = format!(
            "bad.txt:{line}:{column}: expected text in UTF-8, found the byte 0xff, which is not valid UTF-8"
        );
        assert_eq!(error.to_string(), expected);
    }
    let config = CountConfig { encoding: Encoding::Lossy, ..CountConfig::default() };
    let mut counter = TextCounter::new(config).unwrap();
    counter.read(&bytes[..], "bad.txt").unwrap();
    let counted = counter.finish().unwrap();
    assert_eq!(counted.counts.tokens(), 300_000);
    assert!(counted.counts.vocab.iter().any(|(_, word)| word.starts_with('\u{fffd}')));
}

#[test]
fn a_source_that_fails_or_is_stopped_ends_the_work() {
    struct Failing(usize);
    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            self.0 = self.0.checked_sub(1).ok_or(std::io::ErrorKind::BrokenPipe)?;
            buffer.fill(b'\n');
            Ok(buffer.len())
        }
    }
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut counter = TextCounter::new(CountConfig::default()).unwrap();
            let error = counter.read(Failing(300), "pipe").unwrap_err();
            assert!(error.to_string().starts_with("cannot read pipe near line"), "{error}");
            let mut bytes = 0;
            let stopped = counter.read_watched(std::io::repeat(b' '), "endless", &mut |more| {
                bytes += more;
                if bytes > 5_000_000 {
                    std::ops::ControlFlow::Break(())
                } else {
                    std::ops::ControlFlow::Continue(())
                }
            });
            assert!(matches!(stopped, Err(CountError::Cancelled)));
        });
    }
}

#[test]
fn a_real_text_is_counted_as_defined() {
    let Some(directory) = data_directory("text") else { return };
    let bytes = unpacked(&directory.join("en_small.txt"));
    let whole = std::str::from_utf8(&bytes).unwrap();
    let config = CountConfig {
        boundaries: Boundaries::None,
        vocab: Some(VocabLimit::most_frequent(10_000)),
        ..CountConfig::default()
    };
    let counted = count(&[whole], &config, 2).unwrap();
    assert_eq!(counted.counts.words.len(), 10_001);
    let kept = &counted.counts.vocab;
    let rename = |word: &str| if kept.get(word).is_some() { word } else { "<unk>" }.to_owned();
    assert_eq!(as_plain(&counted), plain(&[whole], Boundaries::None, 1, rename));
    let size = TextSize::of_sample(&bytes[..1 << 20], bytes.len() as u64);
    assert!(size.tokens as f64 / counted.counts.tokens() as f64 > 0.9, "{size:?}");
    assert!(size.tokens as f64 / (counted.counts.tokens() as f64) < 1.3, "{size:?}");
    let estimate = MemoryEstimate::new(&size, &config, 2);
    assert!(estimate.bytes > 0);
}
