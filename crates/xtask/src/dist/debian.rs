//! Debian packages: an `ar` archive of a version, an archive with the control file, and one with the files.

use std::io::Write;

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::contents::{Kind, Packed};
use super::{VERSION, ar, tar};

/// Debian's name for the architecture of this machine.
pub(super) fn architecture() -> Result<&'static str> {
    match std::env::consts::ARCH {
        "x86_64" => Ok("amd64"),
        "aarch64" => Ok("arm64"),
        "riscv64" => Ok("riscv64"),
        other => bail!("the Debian name of the architecture {other} is not known here"),
    }
}

/// Packs the files for the prefix `/usr`.
pub(super) fn package(files: &[Packed]) -> Result<Vec<u8>> {
    let program =
        files.iter().find(|file| file.kind == Kind::Program).context("there is no program to package")?;
    let files: Vec<Packed> = files.iter().map(by_debian_policy).collect::<Result<_>>()?;
    let size: usize = files.iter().map(|file| file.bytes.len().div_ceil(1024)).sum();
    let control = format!(
        "Package: eigentree\nVersion: {VERSION}\nArchitecture: {}\nMaintainer: {}\nInstalled-Size: {size}\n\
         Depends: {}\nSection: science\nPriority: optional\nHomepage: {}\n\
         Description: {}\n The program eigentree trains parsers, taggers, word clusters and models of sequences,\n \
         applies them to text, and scores the results.\n",
        architecture()?,
        "The Eigentree authors <eigentree@users.noreply.github.com>",
        depends(&program.bytes)?,
        env!("CARGO_PKG_REPOSITORY"),
        env!("CARGO_PKG_DESCRIPTION"),
    );
    let control = Packed { place: "control".into(), bytes: control.into_bytes(), kind: Kind::Data };
    Ok(ar::archive(&[
        ("debian-binary", b"2.0\n"),
        ("control.tar.gz", &tar::gzipped(&[control], "./")?),
        ("data.tar.gz", &tar::gzipped(&files, "./usr/")?),
    ]))
}

/// Debian policy requires compressed manual pages and changelog, and the licence in a file named `copyright`.
fn by_debian_policy(file: &Packed) -> Result<Packed> {
    let (place, packed) = match file.place.as_str() {
        "share/doc/eigentree/CHANGELOG.md" => ("share/doc/eigentree/changelog.gz".to_owned(), true),
        "share/doc/eigentree/LICENSE-MIT" => ("share/doc/eigentree/copyright".to_owned(), false),
        place if place.starts_with("share/man/") => (format!("{place}.gz"), true),
        "share/zsh/site-functions/_eigentree" => {
            ("share/zsh/vendor-completions/_eigentree".to_owned(), false)
        }
        place => (place.to_owned(), false),
    };
    let bytes = if packed {
        let mut packer = GzEncoder::new(Vec::new(), Compression::best());
        packer.write_all(&file.bytes)?;
        packer.finish()?
    } else {
        file.bytes.clone()
    };
    Ok(Packed { place, bytes, kind: file.kind })
}

/// The libraries that the program depends on. A glibc older than the newest symbol version in the program cannot load
/// it.
fn depends(program: &[u8]) -> Result<String> {
    let newest = program
        .windows(8)
        .enumerate()
        .filter(|(_, window)| window == b"GLIBC_2.")
        .filter_map(|(at, _)| {
            let digits: Vec<u8> = program[at + 8..].iter().copied().take_while(u8::is_ascii_digit).collect();
            String::from_utf8(digits).ok()?.parse::<u32>().ok()
        })
        .max()
        .context("the program names no version of glibc")?;
    let gcc = program.windows(13).any(|window| window == b"libgcc_s.so.1");
    Ok(format!("libc6 (>= 2.{newest}){}", if gcc { ", libgcc-s1" } else { "" }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_symbol_decides_which_library_is_needed() {
        assert_eq!(depends(b"..GLIBC_2.17\0GLIBC_2.34\0GLIBC_2.2.5\0").unwrap(), "libc6 (>= 2.34)");
        assert_eq!(depends(b"libgcc_s.so.1\0GLIBC_2.4").unwrap(), "libc6 (>= 2.4), libgcc-s1");
        assert!(depends(b"static").is_err());
    }

    #[test]
    fn files_go_where_debian_wants_them() {
        let file = Packed { place: "share/man/man1/a.1".into(), bytes: b"page".to_vec(), kind: Kind::Data };
        let moved = by_debian_policy(&file).unwrap();
        assert_eq!(moved.place, "share/man/man1/a.1.gz");
        assert_eq!(&moved.bytes[..2], [0x1f, 0x8b]);
    }
}
