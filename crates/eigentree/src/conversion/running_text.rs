//! The running text of a treebank.

use std::io::{self, Write};

use corpus::format::conllu::Sentence;

use crate::annotation::{begins_paragraph, last_space_after, surface};

/// Puts sentences back into running text: one paragraph per line, with an empty line between paragraphs and documents, and
/// between sentences the space that the treebank has there. Where sentences end is thus left for a tokenizer to find.
#[derive(Debug, Default)]
pub(super) struct RunningText {
    before: Before,
}

/// What stands before the next sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Before {
    /// Nothing: it is the first.
    #[default]
    Nothing,
    /// A sentence, followed by a space.
    Space,
    /// A sentence, followed by no space.
    NoSpace,
    /// A line of its own.
    Line,
}

impl RunningText {
    /// Writes a sentence of a treebank.
    pub(super) fn write(&mut self, sentence: &Sentence, out: &mut impl Write) -> io::Result<()> {
        let between = match (self.before, begins_paragraph(sentence)) {
            (Before::Nothing, _) => "",
            (Before::Line, true) => "\n",
            (_, true) => "\n\n",
            (Before::Space, false) => " ",
            (Before::NoSpace | Before::Line, false) => "",
        };
        out.write_all(between.as_bytes())?;
        let text = sentence.text_comment().map_or_else(|| surface(sentence), str::to_owned);
        self.before = if last_space_after(sentence) { Before::Space } else { Before::NoSpace };
        out.write_all(text.as_bytes())
    }

    /// Writes words of which no more is known, as one line.
    pub(super) fn write_line<'w>(
        &mut self,
        words: impl Iterator<Item = &'w str>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        self.before = Before::Line;
        writeln!(out, "{}", words.collect::<Vec<_>>().join(" "))
    }

    /// Ends the last line.
    pub(super) fn finish(self, out: &mut impl Write) -> io::Result<()> {
        match self.before {
            Before::Space | Before::NoSpace => writeln!(out),
            Before::Nothing | Before::Line => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use corpus::format::conllu::ConlluReader;

    use super::*;

    #[test]
    fn spaces_and_paragraphs_are_those_of_the_treebank() {
        let row = |form: &str, misc: &str| format!("{form}\t_\t_\t_\t_\t_\t_\t_\t{misc}\n");
        let text = [
            format!(
                "# newdoc\n# newpar\n1-2\t{}1\t{}2\t{}3\t{}\n",
                row("don't", "SpaceAfter=No"),
                row("do", "_"),
                row("n't", "_"),
                row("!", "SpaceAfter=No")
            ),
            format!(
                "# text = No  way.\n1\t{}2\t{}3\t{}\n",
                row("No", "_"),
                row("way", "SpaceAfter=No"),
                row(".", "_")
            ),
            format!("1\t{}\n# newpar\n1\t{}\n", row("Yes", "_"), row("End", "_")),
        ]
        .concat();
        let mut out = Vec::new();
        let mut running = RunningText::default();
        for sentence in ConlluReader::new(text.as_bytes(), "-") {
            running.write(&sentence.unwrap(), &mut out).unwrap();
        }
        running.finish(&mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "don't!No  way. Yes\n\nEnd\n");
    }
}
