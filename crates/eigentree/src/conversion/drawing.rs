//! The formats of drawings: trees, dependency arcs, hierarchies of clusters.

use std::path::Path;

use crate::files::extension;

/// A format for drawing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Drawing {
    /// One SVG picture.
    Svg,
    /// A page that contains it.
    Html,
    /// Box characters and spaces.
    Terminal,
}

impl Drawing {
    /// All of them.
    pub const ALL: [Drawing; 3] = [Drawing::Svg, Drawing::Html, Drawing::Terminal];

    /// Its short name, as used in options.
    pub fn name(self) -> &'static str {
        match self {
            Drawing::Svg => "svg",
            Drawing::Html => "html",
            Drawing::Terminal => "drawing",
        }
    }

    /// The format in one line, for lists of options.
    pub fn description(self) -> &'static str {
        match self {
            Drawing::Svg => "One SVG document with all trees",
            Drawing::Html => "A page with that document",
            Drawing::Terminal => "Trees or dependency arcs drawn with box characters, for the terminal",
        }
    }

    /// The ending of file names, without a dot.
    pub fn extension(self) -> &'static str {
        match self {
            Drawing::Svg => "svg",
            Drawing::Html => "html",
            Drawing::Terminal => "drawing.txt",
        }
    }

    /// The format that the extension of an output names, before that of a compressed file.
    ///
    /// ```
    /// use eigentree::conversion::Drawing;
    /// assert_eq!(Drawing::of_path("trees.svg.gz".as_ref()), Some(Drawing::Svg));
    /// assert_eq!(Drawing::of_path("trees.ptb".as_ref()), None);
    /// ```
    pub fn of_path(path: &Path) -> Option<Self> {
        match extension(path)?.as_str() {
            "svg" => Some(Drawing::Svg),
            "html" | "htm" => Some(Drawing::Html),
            _ => None,
        }
    }
}

/// A page that shows an SVG picture.
pub(crate) fn page(title: &str, svg: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n</head>\n<body>\n\
         {svg}</body>\n</html>\n"
    )
}
