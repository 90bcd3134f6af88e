//! The files of the page, embedded in the program.

use std::path::Path;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// One file of the page.
pub(crate) struct Asset {
    /// Its path below `/`.
    name: &'static str,
    media_type: &'static str,
    content: &'static [u8],
}

macro_rules! assets {
    ($($name:literal: $media_type:literal,)*) => {
        &[$(Asset {
            name: $name,
            media_type: $media_type,
            content: include_bytes!(concat!("../assets/", $name)),
        },)*]
    };
}

/// All files of `assets/`. The first is the page itself.
const ASSETS: &[Asset] = assets! {
    "index.html": "text/html; charset=utf-8",
    "analysis.js": "text/javascript; charset=utf-8",
    "app.js": "text/javascript; charset=utf-8",
    "arc-drawing.js": "text/javascript; charset=utf-8",
    "automata-view.js": "text/javascript; charset=utf-8",
    "automaton-graph.js": "text/javascript; charset=utf-8",
    "cluster-tree.js": "text/javascript; charset=utf-8",
    "clusters-view.js": "text/javascript; charset=utf-8",
    "dom.js": "text/javascript; charset=utf-8",
    "drawing.js": "text/javascript; charset=utf-8",
    "drawings.css": "text/css; charset=utf-8",
    "engine-http.js": "text/javascript; charset=utf-8",
    "engine.js": "text/javascript; charset=utf-8",
    "examples.js": "text/javascript; charset=utf-8",
    "exports.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
    "inside-view.js": "text/javascript; charset=utf-8",
    "latex.js": "text/javascript; charset=utf-8",
    "messages.js": "text/javascript; charset=utf-8",
    "parse-view.js": "text/javascript; charset=utf-8",
    "phrases.js": "text/javascript; charset=utf-8",
    "recipes.js": "text/javascript; charset=utf-8",
    "sentence-view.js": "text/javascript; charset=utf-8",
    "spectrum-plot.js": "text/javascript; charset=utf-8",
    "state.js": "text/javascript; charset=utf-8",
    "states-view.js": "text/javascript; charset=utf-8",
    "style.css": "text/css; charset=utf-8",
    "token.js": "text/javascript; charset=utf-8",
    "tooltip.js": "text/javascript; charset=utf-8",
    "train-view.js": "text/javascript; charset=utf-8",
    "tree-drawing.js": "text/javascript; charset=utf-8",
    "viewport.js": "text/javascript; charset=utf-8",
};

/// Nothing but the page's own files may run or load, and no other page may frame it.
pub(crate) const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
     style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; \
     manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The file with this path; the page itself for the empty path.
pub(crate) fn find(path: &str) -> Option<&'static Asset> {
    let path = path.trim_start_matches('/');
    if path.is_empty() { ASSETS.first() } else { ASSETS.iter().find(|asset| asset.name == path) }
}

impl Asset {
    /// The file, or the word that the copy of the client is current. `folder` replaces the embedded content.
    pub(crate) fn answer(&self, request: &HeaderMap, folder: Option<&Path>) -> Response {
        // The name comes from the table, not from the request.
        let edited = folder.and_then(|folder| std::fs::read(folder.join(self.name)).ok());
        let content = edited.as_deref().unwrap_or(self.content);
        let tag = format!("\"{:08x}-{:x}\"", crc32fast::hash(content), content.len());
        let current = request
            .get_all(header::IF_NONE_MATCH)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .any(|known| known.trim().trim_start_matches("W/") == tag);
        let mut response = if current {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            match edited {
                Some(content) => Body::from(content).into_response(),
                None => Body::from(self.content).into_response(),
            }
        };
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.media_type));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(CONTENT_SECURITY_POLICY));
        if let Ok(tag) = HeaderValue::try_from(tag) {
            headers.insert(header::ETAG, tag);
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::PathBuf;

    use super::*;

    fn files_below(folder: PathBuf, prefix: &str, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
            if entry.path().is_dir() {
                files_below(entry.path(), &format!("{name}/"), found);
            } else {
                found.insert(name);
            }
        }
    }

    #[test]
    fn the_table_lists_exactly_the_files_of_the_folder() {
        let mut found = BTreeSet::new();
        files_below(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets"), "", &mut found);
        let listed: BTreeSet<String> = ASSETS.iter().map(|asset| asset.name.to_owned()).collect();
        assert_eq!(listed, found);
    }

    #[test]
    fn only_listed_names_are_found() {
        assert!(find("/").is_some_and(|asset| asset.name == "index.html"));
        for name in ["/../Cargo.toml", "/index.html/..", "/..%2fCargo.toml", "/INDEX.html", "//etc/passwd"] {
            assert!(find(name).is_none(), "{name}");
        }
    }
}
