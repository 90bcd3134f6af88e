//! Archives in the common format of `ar`, which Debian packages use.

/// Joins members under their names, which must have at most 16 bytes.
pub(super) fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = b"!<arch>\n".to_vec();
    for (name, bytes) in members {
        debug_assert!(name.len() <= 16);
        let header = format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, "100644", bytes.len());
        archive.extend_from_slice(header.as_bytes());
        archive.extend_from_slice(bytes);
        if bytes.len() % 2 == 1 {
            archive.push(b'\n');
        }
    }
    archive
}

#[cfg(test)]
mod tests {
    #[test]
    fn members_begin_at_even_bytes() {
        let archive = super::archive(&[("odd", b"abc"), ("even", b"de")]);
        assert_eq!(archive.len(), 8 + 60 + 4 + 60 + 2);
        assert_eq!(&archive[68..76], b"abc\neven");
    }
}
