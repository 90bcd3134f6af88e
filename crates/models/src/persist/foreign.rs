//! Recognition of files that are not containers, so that the error can say what was given instead.

use super::error::LoadError;
use super::header::MAGIC;

/// Checks that `bytes` begin like a container. The error says what they look like instead.
pub(super) fn check_magic(bytes: &[u8]) -> Result<(), LoadError> {
    if bytes.starts_with(&MAGIC) {
        Ok(())
    } else if bytes.is_empty() {
        Err(LoadError::empty())
    } else if MAGIC.starts_with(bytes) {
        Err(LoadError::truncated(super::header::HEADER_LEN as u64, bytes.len() as u64))
    } else if is_mangled(bytes) {
        Err(LoadError::mangled())
    } else {
        Err(LoadError::foreign(guess(bytes)))
    }
}

/// The magic bytes after a transfer in text mode: line ends rewritten, the high bit cleared, or the file re-encoded as
/// UTF-8 (from Latin-1, or with replacement characters).
fn is_mangled(bytes: &[u8]) -> bool {
    let rest = match bytes {
        [0x89 | 0x09, rest @ ..] | [0xc2, 0x89, rest @ ..] | [0xef, 0xbf, 0xbd, rest @ ..] => rest,
        _ => return false,
    };
    rest.starts_with(&MAGIC[1..4])
}

/// A readable name of the format that begins like this.
fn guess(bytes: &[u8]) -> Option<&'static str> {
    const STARTS: [(&[u8], &str); 14] = [
        (b"\x1f\x8b", "a gzip file: decompress it first"),
        (b"\x28\xb5\x2f\xfd", "a zstd file: decompress it first"),
        (b"BZh", "a bzip2 file: decompress it first"),
        (b"\xfd7zXZ\0", "an xz file: decompress it first"),
        (b"PK\x03\x04", "a zip archive, such as a PyTorch or spaCy file: extract it first"),
        (b"PAR1", "a Parquet table"),
        (b"\x93NUMPY", "a NumPy array"),
        (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
        (b"\x89PNG", "a PNG picture"),
        (b"%PDF", "a PDF document"),
        (b"\x7fELF", "a program"),
        (b"\xac\xed\0\x05", "a serialised Java object, such as a Berkeley or Stanford grammar"),
        (b"GGUF", "a GGUF model"),
        (b"version https://git-lfs", "a Git LFS pointer: fetch the real file with `git lfs pull`"),
    ];
    if let Some((_, name)) = STARTS.iter().find(|(start, _)| bytes.starts_with(start)) {
        return Some(name);
    }
    if bytes.len() > 262 && &bytes[257..262] == b"ustar" {
        return Some("a tar archive: extract it first");
    }
    // safetensors: the length of a JSON header, then that header.
    if bytes.len() > 9 && bytes[8] == b'{' && bytes[6..8] == [0, 0] {
        return Some("a safetensors file");
    }
    text(bytes)
}

fn text(bytes: &[u8]) -> Option<&'static str> {
    let mut start = &bytes[..bytes.len().min(4096)];
    if let Err(error) = std::str::from_utf8(start) {
        // The cut may have split the last character.
        if error.error_len().is_some() {
            return None;
        }
        start = &start[..error.valid_up_to()];
    }
    if start.is_empty() || start.iter().any(|&byte| byte < b' ' && !b"\t\n\r\x0c".contains(&byte)) {
        return None;
    }
    let first = start.iter().copied().find(|byte| !byte.is_ascii_whitespace());
    Some(match first {
        Some(b'(') => "text, perhaps a treebank: give the model that was trained on it",
        Some(b'{' | b'[') => "JSON text",
        Some(b'<') => "XML or HTML text; a download may have saved an error page",
        _ => "text",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(bytes: &[u8]) -> String {
        check_magic(bytes).unwrap_err().to_string()
    }

    #[test]
    fn foreign_files_are_named() {
        for (bytes, word) in [
            (&b"\x1f\x8b\x08\0\0\0\0\0\0\x03"[..], "gzip"),
            (b"PK\x03\x04\x14\0", "zip archive"),
            (b"\x28\xb5\x2f\xfd\x04", "zstd"),
            (b"\x40\0\0\0\0\0\0\0{\"a\":{}}", "safetensors"),
            (b"( (S (NP (DT The) (NN dog)) (VP (VBZ barks))) )\n", "treebank"),
            ("1\tD\u{e9}j\u{e0}\tvu\n".as_bytes(), "text"),
            (b"<!DOCTYPE html>", "error page"),
            (b"version https://git-lfs.github.com/spec/v1\n", "git lfs pull"),
        ] {
            let error = check_magic(bytes).unwrap_err();
            assert!(error.is_foreign(), "{error:?}");
            assert!(error.to_string().contains(word), "{error}");
        }
        assert!(message(b"\0\x01\x02\x03\x04").starts_with("not an Eigentree model"));
        assert!(message(b"").contains("empty"));
    }

    #[test]
    fn text_cut_inside_a_character_is_still_text() {
        let mut text = "a".repeat(4095).into_bytes();
        text.extend("é".bytes());
        assert!(message(&text).contains("text"));
    }

    #[test]
    fn transfers_in_text_mode_are_named() {
        let unix = b"\x89EIG\n\x1a\n\x01";
        let dos = b"\x89EIG\r\r\n\x1a\r\n";
        let ascii = b"\x09EIG\r\n\x1a\n";
        let latin = b"\xc2\x89EIG\r\n\x1a\n";
        let replaced = b"\xef\xbf\xbdEIG\r\n\x1a\n";
        for bytes in [&unix[..], dos, ascii, latin, replaced] {
            let error = check_magic(bytes).unwrap_err();
            assert!(error.is_damaged(), "{error:?}");
            assert!(error.to_string().contains("binary"), "{error}");
        }
    }

    #[test]
    fn a_beginning_of_the_magic_is_a_truncated_file() {
        for length in 1..MAGIC.len() {
            assert!(check_magic(&MAGIC[..length]).unwrap_err().is_truncated());
        }
    }
}
