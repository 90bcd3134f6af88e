//! The files of the checkout, without build products.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Directories without sources. Hidden ones are skipped too, except those of the project itself.
const NOT_SOURCES: [&str; 3] = ["target", "node_modules", "__pycache__"];
const HIDDEN_SOURCES: [&str; 3] = [".cargo", ".ci", ".github"];

/// The root of the workspace.
pub(crate) struct Checkout {
    root: PathBuf,
}

/// A file of the checkout.
pub(crate) struct SourceFile {
    /// Path from the root, with `/` as separator.
    pub(crate) path: String,
    /// Size in bytes.
    pub(crate) bytes: u64,
    /// Contents, if the file is text.
    pub(crate) text: Option<String>,
}

impl Checkout {
    /// The checkout that this program was built from.
    pub(crate) fn here() -> Self {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
        Self { root: manifest.ancestors().nth(2).unwrap_or(manifest).to_path_buf() }
    }

    /// A copy of the checkout below `root`.
    pub(crate) fn copied(&self, root: PathBuf) -> Result<Self> {
        for file in self.files()? {
            let (from, to) = (self.root.join(&file.path), root.join(&file.path));
            if let Some(folder) = to.parent() {
                fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
            }
            fs::copy(&from, &to).with_context(|| format!("cannot copy {}", from.display()))?;
        }
        Ok(Self { root })
    }

    /// Root directory.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// All source files, sorted by path. A file named `.git`, which marks a linked work tree, is skipped.
    pub(crate) fn files(&self) -> Result<Vec<SourceFile>> {
        let mut pending = vec![self.root.clone()];
        let mut files = Vec::new();
        while let Some(directory) = pending.pop() {
            let shown = directory.display();
            for entry in fs::read_dir(&directory).with_context(|| format!("cannot list {shown}"))? {
                let entry = entry.with_context(|| format!("cannot list {shown}"))?;
                let name = entry.file_name().to_string_lossy().into_owned();
                let kind = entry.file_type()?;
                if kind.is_dir() {
                    let hidden = name.starts_with('.') && !HIDDEN_SOURCES.contains(&name.as_str());
                    if !hidden && !NOT_SOURCES.contains(&name.as_str()) {
                        pending.push(entry.path());
                    }
                } else if kind.is_file() && name != ".git" {
                    files.push(self.read(&entry.path())?);
                }
            }
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(files)
    }

    /// The documents that users and contributors read.
    pub(crate) fn documents(&self) -> Result<Vec<SourceFile>> {
        Ok(self.files()?.into_iter().filter(|file| file.path.ends_with(".md")).collect())
    }

    fn read(&self, path: &Path) -> Result<SourceFile> {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let inside = path.strip_prefix(&self.root).unwrap_or(path);
        Ok(SourceFile {
            path: inside.to_string_lossy().replace('\\', "/"),
            bytes: bytes.len() as u64,
            text: String::from_utf8(bytes).ok(),
        })
    }
}
