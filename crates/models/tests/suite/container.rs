//! The model container: what is written is read back, and nothing else is ever accepted.
//!
//! The test code implements the byte layout independently, from `docs/reference/model-files.md`, so that it also
//! tests the document.

use std::io::{Read, Write};

use eigentree_models::persist::{
    ALIGNMENT, Container, ContainerWriter, FORMAT_VERSION, Kind, LoadError, MAGIC, Metadata, Storage,
    read_metadata,
};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const HEADER: usize = 64;

/// A container with every kind of section, empty ones, nested models, and padding of several lengths.
fn small() -> Vec<u8> {
    let metadata = Metadata::new("pipeline", 1).with_note("corpus", "gum").with_note("seed", 7);
    let mut writer = ContainerWriter::new(&metadata);
    writer.array("bytes", vec![1_u8, 2, 3]);
    writer.tensor("halves", &[2, 2], vec![1_u16, 2, 3, 4]);
    writer.array("signed", vec![-1_i32, i32::MIN]);
    writer.array("empty", Vec::<f64>::new());
    writer.scope("tagger", |writer| {
        writer.metadata(&Metadata::new("tagger", 3));
        writer.tensor("weights", &[1, 2, 2], vec![0.5_f32, f32::NAN, -0.0, f32::INFINITY]);
        writer.scope("lexicon", |writer| writer.strings("words", ["a", "", "déjà"]));
    });
    writer.array("wide", vec![u64::MAX, 1]);
    writer.array("doubles", vec![std::f64::consts::PI]);
    writer.array("ids", vec![7_u32; 17]);
    let mut bytes = Vec::new();
    let length = writer.write_to(&mut bytes).unwrap();
    assert_eq!(length, bytes.len() as u64);
    bytes
}

/// Calls every getter in every way, twice; only a panic is a failure here.
fn ask_everything(container: &Container) {
    for section in container.sections() {
        let name = section.name();
        let _ = container.array::<u8>(name).map(|storage| storage.len());
        let _ = container.array::<u16>(name).map(|storage| storage.len());
        let _ = container.array::<u32>(name).map(|storage| storage.len());
        let _ = container.array::<u64>(name).map(|storage| storage.len());
        let _ = container.array::<i32>(name).map(|storage| storage.len());
        let _ = container.tensor::<f32>(name, section.shape()).map(|storage| storage.len());
        let _ = container.tensor::<f64>(name, section.shape()).map(|storage| storage.len());
        let _ = container.json::<serde_json::Value>(name);
        if let Ok(table) = container.strings(name.trim_end_matches(".text")) {
            assert_eq!(table.iter().count(), table.len());
        }
        let (scope, _) = name.split_at(name.rfind('/').unwrap_or(0));
        let _ = container.scope(scope).metadata();
    }
}

/// Opens bytes that differ from a valid container, and reports whether they are accepted.
fn refused(bytes: &[u8]) -> Result<LoadError, String> {
    match Container::from_slice(bytes) {
        Ok(container) => Err(format!("accepted: {container:?}")),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            Ok(error)
        }
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

fn put(bytes: &mut [u8], at: usize, value: &[u8]) {
    bytes[at..at + value.len()].copy_from_slice(value);
}

fn table_len(bytes: &[u8]) -> usize {
    u64_at(bytes, 24) as usize
}

/// Recomputes the checksums of the header and the table, so that later checks are reached.
fn sign(bytes: &mut [u8]) {
    let end = (HEADER + table_len(bytes)).min(bytes.len());
    if end >= HEADER {
        let table = crc32fast::hash(&bytes[HEADER..end]);
        put(bytes, 32, &table.to_le_bytes());
    }
    sign_header(bytes);
}

fn sign_header(bytes: &mut [u8]) {
    let header = crc32fast::hash(&bytes[..60]);
    put(bytes, 60, &header.to_le_bytes());
}

/// The starts of the table's entries.
fn entries(bytes: &[u8]) -> Vec<usize> {
    let mut at = HEADER;
    let mut starts = Vec::new();
    for _ in 0..u32_at(bytes, 12) {
        starts.push(at);
        let name_len = usize::from(u16::from_le_bytes([bytes[at + 22], bytes[at + 23]]));
        at += 24 + 8 * usize::from(bytes[at + 21]) + name_len.next_multiple_of(8);
    }
    assert_eq!(at, HEADER + table_len(bytes));
    starts
}

#[test]
fn what_was_written_is_read() {
    let container = Container::from_bytes(small()).unwrap();
    assert_eq!(container.metadata().family, "pipeline");
    assert_eq!(container.metadata().notes["seed"], 7);
    assert_eq!(container.array::<u8>("bytes").unwrap()[..], [1, 2, 3]);
    assert_eq!(container.tensor::<u16>("halves", &[2, 2]).unwrap()[..], [1, 2, 3, 4]);
    assert_eq!(container.array::<i32>("signed").unwrap()[..], [-1, i32::MIN]);
    assert!(container.array::<f64>("empty").unwrap().is_empty());
    assert_eq!(container.array::<u64>("wide").unwrap()[..], [u64::MAX, 1]);
    assert_eq!(container.array::<f64>("doubles").unwrap()[..], [std::f64::consts::PI]);
    assert_eq!(container.array::<u32>("ids").unwrap()[..], [7; 17]);
    let tagger = container.scope("tagger");
    let weights: Vec<u32> =
        tagger.tensor::<f32>("weights", &[1, 2, 2]).unwrap().iter().map(|weight| weight.to_bits()).collect();
    assert_eq!(weights, [0.5, f32::NAN, -0.0, f32::INFINITY].map(f32::to_bits));
    let words = tagger.scope("lexicon").strings("words").unwrap();
    assert_eq!(words.iter().collect::<Vec<_>>(), ["a", "", "déjà"]);
}

#[test]
fn a_scope_has_the_metadata_of_its_model() {
    let container = Container::from_bytes(small()).unwrap();
    let tagger = container.scope("tagger");
    tagger.metadata().expect_family("tagger", 3).unwrap();
    assert_eq!(tagger.scope("lexicon").metadata(), tagger.metadata());
    assert_eq!(container.scope("tag").metadata().family, "pipeline");
    assert_eq!(container.scope("absent").scope("deep").metadata().family, "pipeline");
    assert_eq!(tagger.sections().count(), 4);
    assert_eq!(container.scope("tag").sections().count(), 0);
    assert!(tagger.contains("weights") && !container.contains("weights"));
    let error = container.scope("absent").array::<f32>("weights").unwrap_err();
    assert!(error.is_missing_section());
    assert_eq!(error.section(), Some("absent/weights"));
}

#[test]
fn wrong_expectations_are_named() {
    let container = Container::from_bytes(small()).unwrap();
    let error = container.array::<f32>("halves").unwrap_err();
    assert!(error.to_string().contains("contains u16 instead of f32"), "{error}");
    let error = container.tensor::<u16>("halves", &[4]).unwrap_err();
    assert!(error.to_string().contains("contains shape [2, 2] instead of shape [4]"), "{error}");
    assert!(container.array::<u8>("tagger/lexicon/words.text").unwrap_err().is_invalid());
    assert!(container.json::<u32>("metadata").unwrap_err().is_invalid());
    assert!(container.metadata().expect_family("tagger", 1).unwrap_err().is_wrong_family());
}

#[test]
fn the_same_content_gives_the_same_bytes() {
    assert_eq!(small(), small());
}

#[test]
fn a_mapped_file_is_viewed_in_place() {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&small()).unwrap();
    // SAFETY: the file has no name, so nobody else can change it.
    let map = unsafe { memmap2::Mmap::map(&file) }.unwrap();
    let addresses = map.as_ptr_range();
    let container = Container::from_mmap(map).unwrap();
    let weights: Storage<f32> = container.array("tagger/weights").unwrap();
    let copy = container.clone();
    drop(container);
    assert!(addresses.contains(&weights.as_ptr().cast()));
    assert_eq!(weights.as_ptr().addr() % ALIGNMENT, 0);
    assert_eq!(copy.array::<f32>("tagger/weights").unwrap().as_ptr(), weights.as_ptr());
    drop(copy);
    assert_eq!(weights[0], 0.5);
}

#[test]
fn any_address_will_do() {
    let bytes = small();
    for shift in 0..9 {
        let mut shifted = vec![0; shift];
        shifted.extend(&bytes);
        let container = Container::from_slice(&shifted[shift..]).unwrap();
        assert_eq!(container.array::<u64>("wide").unwrap()[0], u64::MAX);
    }
}

#[test]
fn metadata_is_read_without_the_rest() {
    let bytes = small();
    let entry = entries(&bytes)[0];
    let end = (u64_at(&bytes, entry) + u64_at(&bytes, entry + 8)) as usize;
    assert!(end < bytes.len());
    let (metadata, sections) = read_metadata(&bytes[..end]).unwrap();
    assert_eq!(metadata, *Container::from_slice(&bytes).unwrap().metadata());
    assert_eq!(sections[1].name(), "bytes");
    assert_eq!((sections[2].kind(), sections[2].shape()), (Kind::U16, &[2, 2][..]));
    for length in 0..end {
        assert!(read_metadata(&bytes[..length]).unwrap_err().is_truncated(), "{length}");
    }
    let mut flipped = bytes[..end].to_vec();
    for bit in 0..end * 8 {
        flipped[bit / 8] ^= 1 << (bit % 8);
        if let Ok((found, _)) = read_metadata(&flipped[..]) {
            // Padding, which is not checked here.
            assert_eq!(found, metadata, "bit {bit}");
        }
        flipped[bit / 8] ^= 1 << (bit % 8);
    }
}

#[test]
fn every_flipped_bit_is_noticed() {
    let mut bytes = small();
    assert!(bytes.len() * 8 > 10_000);
    for bit in 0..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let error = refused(&bytes).unwrap_or_else(|accepted| panic!("bit {bit}: {accepted}"));
        let expected =
            if bit < 8 * MAGIC.len() { error.is_damaged() || error.is_foreign() } else { error.is_damaged() };
        assert!(expected, "bit {bit}: {error:?}");
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    Container::from_bytes(bytes).unwrap();
}

#[test]
fn every_truncation_is_noticed() {
    let bytes = small();
    for length in 0..bytes.len() {
        let error = refused(&bytes[..length]).unwrap();
        assert!(error.is_truncated(), "{length}: {error:?}");
        assert!(Container::from_reader(&bytes[..length]).unwrap_err().is_truncated());
    }
    Container::from_reader(&bytes[..]).unwrap();
}

#[test]
fn appended_bytes_are_noticed() {
    let mut bytes = small();
    bytes.push(0);
    assert!(refused(&bytes).unwrap().is_damaged());
}

#[test]
fn a_future_version_asks_for_an_update() {
    let mut bytes = small();
    for version in [FORMAT_VERSION + 1, FORMAT_VERSION + 2, u32::MAX] {
        put(&mut bytes, 8, &version.to_le_bytes());
        sign(&mut bytes);
        let error = refused(&bytes).unwrap();
        assert!(error.is_newer());
        assert!(error.to_string().contains("update eigentree"), "{error}");
    }
}

#[test]
fn foreign_files_are_refused_before_they_are_read() {
    let endless = std::io::Cursor::new(b"(S (NP x))").chain(std::io::repeat(b' '));
    assert!(Container::from_reader(endless).unwrap_err().is_foreign());
}

/// Each field of each entry set to values that tempt a reader to overflow, read too far, or read something twice.
#[test]
fn signed_lies_about_lengths_are_refused() {
    let good = small();
    let numbers = [0, 1, 63, 64, 65, 1 << 31, 1 << 32, 1 << 62, 1 << 63, u64::MAX - 63, u64::MAX];
    let mut tried = 0;
    let mut check = |mut bytes: Vec<u8>, what: String| {
        sign(&mut bytes);
        if bytes != good {
            refused(&bytes).unwrap_or_else(|accepted| panic!("{what}: {accepted}"));
            let _ = read_metadata(&bytes[..]);
            tried += 1;
        }
    };
    for field in [16, 24] {
        for number in numbers {
            let mut bytes = good.clone();
            put(&mut bytes, field, &number.to_le_bytes());
            // The table may now end anywhere; only the header can be signed as it is.
            sign_header(&mut bytes);
            refused(&bytes).unwrap();
            let _ = read_metadata(&bytes[..]);
        }
    }
    for count in [0, 1, 5, 1000, u32::MAX] {
        let mut bytes = good.clone();
        put(&mut bytes, 12, &count.to_le_bytes());
        check(bytes, format!("{count} sections"));
    }
    for entry in entries(&good) {
        for (field, name) in [(0, "offset"), (8, "length"), (24, "dimension")] {
            let old = u64_at(&good, entry + field);
            for number in numbers.into_iter().chain([old.wrapping_add(64), old.wrapping_sub(64), old + 1]) {
                let mut bytes = good.clone();
                put(&mut bytes, entry + field, &number.to_le_bytes());
                check(bytes, format!("{name} {number} at {entry}"));
            }
        }
        for dimensions in [0, 3, 8, 9, 255] {
            let mut bytes = good.clone();
            bytes[entry + 21] = dimensions;
            if dimensions != good[entry + 21] {
                check(bytes, format!("{dimensions} dimensions at {entry}"));
            }
        }
        for name_len in [0_u16, 255, 256, u16::MAX] {
            let mut bytes = good.clone();
            put(&mut bytes, entry + 22, &name_len.to_le_bytes());
            check(bytes, format!("name of {name_len} bytes at {entry}"));
        }
    }
    assert!(tried > 500, "{tried}");
}

#[test]
fn overlapping_sections_are_refused() {
    let good = small();
    let entries = entries(&good);
    for &from in &entries {
        for &to in entries.iter().filter(|&&to| to != from) {
            let mut bytes = good.clone();
            let offset = good[from..from + 8].to_vec();
            put(&mut bytes, to, &offset);
            if bytes == good {
                // An empty section begins where the next one does.
                continue;
            }
            sign(&mut bytes);
            let error = refused(&bytes).unwrap();
            assert!(error.is_invalid(), "{error:?}");
        }
    }
}

#[test]
fn duplicated_names_are_refused() {
    let mut writer = ContainerWriter::new(&Metadata::new("test", 1));
    writer.array("one", vec![1_u8]);
    writer.array("two", vec![2_u8]);
    let mut bytes = Vec::new();
    writer.write_to(&mut bytes).unwrap();
    let second = entries(&bytes)[2];
    put(&mut bytes, second + 32, b"one");
    sign(&mut bytes);
    let error = refused(&bytes).unwrap();
    assert!(error.is_invalid() && error.to_string().contains("same name"), "{error}");
}

#[test]
fn signed_metadata_that_is_none_is_refused() {
    let good = small();
    let entry = entries(&good)[0];
    let start = u64_at(&good, entry) as usize;
    let end = start + u64_at(&good, entry + 8) as usize;
    for replacement in [&b"[1,2"[..], b"{\"family\":3}", b"null", b"\xff\xfe", b"[[[[[[[["] {
        let mut bytes = good.clone();
        bytes[start..end].fill(b' ');
        put(&mut bytes, start, replacement);
        if replacement.starts_with(b"[[") {
            bytes[start..end].fill(b'[');
        }
        let crc = crc32fast::hash(&bytes[start..end]);
        put(&mut bytes, entry + 16, &crc.to_le_bytes());
        sign(&mut bytes);
        let error = refused(&bytes).unwrap();
        assert_eq!(error.section(), Some("metadata"), "{error:?}");
    }
}

/// Edits that keep the checksums of header and table right: some are harmless, such as another name of a section; none may
/// panic, and none may change what a section holds.
#[test]
fn thousands_of_signed_edits_never_panic() {
    let good = small();
    let table = HEADER..HEADER + table_len(&good);
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut accepted = 0;
    for _ in 0..30_000 {
        let mut bytes = good.clone();
        for _ in 0..random.random_range(1..4) {
            let at = random.random_range(table.clone());
            bytes[at] =
                if random.random() { random.random() } else { bytes[at] ^ (1 << random.random_range(0..8)) };
        }
        sign(&mut bytes);
        let _ = read_metadata(&bytes[..]);
        if let Ok(container) = Container::from_slice(&bytes) {
            accepted += 1;
            ask_everything(&container);
            let original = Container::from_slice(&good).unwrap();
            let lengths =
                |container: &Container| container.sections().map(|s| s.byte_len()).collect::<Vec<_>>();
            assert_eq!(lengths(&container), lengths(&original));
        }
    }
    assert!(accepted > 0, "no edit got past the checks, so nothing behind them was tried");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn prop_edited_bytes_are_refused(edits in prop::collection::vec((any::<prop::sample::Index>(), 1_u8..), 1..20)) {
        let good = small();
        let mut bytes = good.clone();
        for (at, change) in edits {
            let at = at.index(bytes.len());
            bytes[at] ^= change;
        }
        prop_assume!(bytes != good);
        prop_assert!(refused(&bytes).is_ok());
    }

    #[test]
    fn prop_moved_bytes_are_refused(
        from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>(), length in 1_usize..200, cut in any::<bool>()
    ) {
        // A block copied elsewhere, or cut out with the rest moved up, as broken downloads and disks do.
        let good = small();
        let mut bytes = good.clone();
        let from = from.index(good.len());
        let block = &good[from..(from + length).min(good.len())];
        if cut {
            bytes.drain(from..from + block.len());
        } else {
            let to = to.index(good.len() - block.len() + 1);
            put(&mut bytes, to, block);
        }
        prop_assume!(bytes != good);
        prop_assert!(refused(&bytes).is_ok());
    }

    #[test]
    fn prop_noise_is_refused(noise in prop::collection::vec(any::<u8>(), 0..400), disguise in any::<bool>()) {
        let mut bytes = noise;
        if disguise && bytes.len() >= HEADER {
            put(&mut bytes, 0, &MAGIC);
            put(&mut bytes, 8, &FORMAT_VERSION.to_le_bytes());
            bytes[36..60].fill(0);
            let length = bytes.len() as u64;
            put(&mut bytes, 16, &length.to_le_bytes());
            put(&mut bytes, 24, &(length - HEADER as u64).to_le_bytes());
            sign(&mut bytes);
        }
        prop_assert!(refused(&bytes).is_ok());
        prop_assert!(read_metadata(&bytes[..]).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn prop_round_trip(
        tensors in prop::collection::btree_map("[a-z][a-zA-Z0-9_./-]{0,12}[a-z]", (0_usize..5, 0_usize..40, any::<u64>()), 0..12),
        strings in prop::collection::vec(any::<String>(), 0..20),
    ) {
        let tensors: Vec<_> = tensors.into_iter().filter(|(name, _)| !name.contains("//")).collect();
        let values = |rows: usize, columns: usize, seed: u64| -> Vec<f64> {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            (0..rows * columns).map(|_| f64::from_bits(random.random())).collect()
        };
        let mut writer = ContainerWriter::new(&Metadata::new("test", 1));
        for (name, (rows, columns, seed)) in &tensors {
            writer.scope("t", |writer| writer.tensor(name, &[*rows, *columns], values(*rows, *columns, *seed)));
        }
        writer.strings("strings", &strings);
        let mut bytes = Vec::new();
        writer.write_to(&mut bytes).unwrap();
        let container = Container::from_bytes(bytes).unwrap();
        for (name, (rows, columns, seed)) in &tensors {
            let read = container.scope("t").tensor::<f64>(name, &[*rows, *columns]).unwrap();
            let bits = |numbers: &[f64]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(&read), bits(&values(*rows, *columns, *seed)));
        }
        let read = container.strings("strings").unwrap();
        prop_assert_eq!(read.iter().collect::<Vec<_>>(), strings);
    }
}
