//! Archives in the POSIX format ustar, without dates and owners, so that the same files give the same bytes.

use std::collections::BTreeSet;
use std::io::Write;

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::contents::{Kind, Packed};

/// Files and headers fill whole blocks.
const BLOCK: usize = 512;
/// Longest name that fits into a header without a prefix.
const NAME_BYTES: usize = 100;
/// 2026-11-17, the day of the first release, in seconds since 1970. Some programs reject files dated 1970.
const DATE: u64 = 1_794_873_600;

/// A gzipped archive of files, each with `prefix` before its path, and of the folders they need.
pub(super) fn gzipped(files: &[Packed], prefix: &str) -> Result<Vec<u8>> {
    let mut archive = GzEncoder::new(Vec::new(), Compression::best());
    for folder in folders(files, prefix) {
        archive.write_all(&header(&folder, 0, 0o755, b'5')?)?;
    }
    for file in files {
        let mode = match file.kind {
            Kind::Program => 0o755,
            Kind::Data => 0o644,
        };
        archive.write_all(&header(&format!("{prefix}{}", file.place), file.bytes.len(), mode, b'0')?)?;
        archive.write_all(&file.bytes)?;
        archive.write_all(&vec![0; file.bytes.len().next_multiple_of(BLOCK) - file.bytes.len()])?;
    }
    // Two empty blocks end an archive.
    archive.write_all(&[0; 2 * BLOCK])?;
    archive.finish().context("cannot compress an archive")
}

/// The folders above all files, outer ones first, each with a final `/`.
fn folders(files: &[Packed], prefix: &str) -> BTreeSet<String> {
    let places = files.iter().map(|file| format!("{prefix}{}", file.place));
    places
        .flat_map(|place| place.match_indices('/').map(|(at, _)| place[..=at].to_owned()).collect::<Vec<_>>())
        .collect()
}

fn header(name: &str, size: usize, mode: u32, kind: u8) -> Result<[u8; BLOCK]> {
    if name.len() > NAME_BYTES {
        bail!("the name {name} is too long for an archive");
    }
    let mut block = [0; BLOCK];
    let mut put = |at: usize, text: &[u8]| block[at..at + text.len()].copy_from_slice(text);
    put(0, name.as_bytes());
    put(100, format!("{mode:07o}").as_bytes());
    put(108, b"0000000");
    put(116, b"0000000");
    put(124, format!("{size:011o}").as_bytes());
    put(136, format!("{DATE:011o}").as_bytes());
    // The checksum of the header is computed with spaces in its own field.
    put(148, b"        ");
    put(156, &[kind]);
    put(257, b"ustar\x0000");
    put(265, b"root");
    put(297, b"root");
    let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Ok(block)
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn an_archive_has_folders_files_and_sums() {
        let file = |place: &str, bytes: &[u8]| Packed {
            place: place.into(),
            bytes: bytes.into(),
            kind: Kind::Program,
        };
        let packed = gzipped(&[file("bin/a", b"text"), file("share/b/c", &[7; 600])], "x/").unwrap();
        let mut archive = Vec::new();
        GzDecoder::new(&packed[..]).read_to_end(&mut archive).unwrap();
        let mut names = Vec::new();
        let mut at = 0;
        while archive[at] != 0 {
            let header = &archive[at..at + BLOCK];
            let text = |range: std::ops::Range<usize>| {
                String::from_utf8(header[range].to_vec()).unwrap().trim_end_matches(['\0', ' ']).to_owned()
            };
            let number = |range| u32::from_str_radix(&text(range), 8).unwrap();
            let own = number(148..156);
            let sum: u32 = header
                .iter()
                .enumerate()
                .map(|(i, &byte)| if (148..156).contains(&i) { 32 } else { u32::from(byte) })
                .sum();
            assert_eq!(own, sum);
            names.push(format!("{} {:o}", text(0..100), number(100..108)));
            at += BLOCK + (number(124..136) as usize).next_multiple_of(BLOCK);
        }
        assert_eq!(
            names,
            ["x/ 755", "x/bin/ 755", "x/share/ 755", "x/share/b/ 755", "x/bin/a 755", "x/share/b/c 755"]
        );
        assert_eq!(archive.len(), at + 2 * BLOCK);
        assert!(gzipped(&[file(&"long/".repeat(30), b"")], "").is_err());
    }
}
