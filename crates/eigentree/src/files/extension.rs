//! What a file name says about the content.

use std::path::Path;

/// The extension in lower case, before that of a compressed file: `ptb` for `dev.PTB.gz`.
pub(crate) fn extension(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
    name.rsplit_once('.').map(|(_, extension)| extension.to_owned())
}
