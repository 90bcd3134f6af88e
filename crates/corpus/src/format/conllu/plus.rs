//! The columns of CoNLL-U Plus. See <https://universaldependencies.org/ext-format.html>.

use super::Column;

/// The columns of a file, in its order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PlusColumns {
    columns: Vec<Result<Column, String>>,
}

impl PlusColumns {
    /// The columns that the first line of a file names, `# global.columns = ID FORM …`. None if they are those of CoNLL-U
    /// in their order: then the line is a comment like others, and the file is written back as it was.
    pub(super) fn of_line(line: &str) -> Option<Self> {
        let (key, names) = line.strip_prefix('#')?.split_once('=')?;
        if key.trim() != "global.columns" {
            return None;
        }
        let known = |name: &str| Column::ALL.into_iter().find(|column| column.name() == name);
        let columns = names.split_whitespace().map(|name| known(name).ok_or_else(|| name.to_owned()));
        let columns: Vec<Result<Column, String>> = columns.collect();
        (!columns.iter().map(|column| column.as_ref().ok().copied()).eq(Column::ALL.map(Some)))
            .then_some(Self { columns })
    }

    /// A line of the file with the ten columns of CoNLL-U in their order. A column that the file does not have is `_`, or the
    /// next number for ID. Values of other columns go to MISC as `NAME=value`, unless they say that there is none. A line with
    /// another number of columns is left as it is, for the reader to refuse.
    pub(super) fn rearranged(&self, line: &str, words: usize) -> String {
        let values: Vec<&str> = line.split('\t').collect();
        if values.len() != self.columns.len() {
            return line.to_owned();
        }
        let mut row: [String; Column::COUNT] = std::array::from_fn(|_| "_".to_owned());
        row[Column::Id as usize] = (words + 1).to_string();
        let mut others = Vec::new();
        for (column, value) in self.columns.iter().zip(values) {
            match column {
                Ok(column) => row[*column as usize] = value.to_owned(),
                Err(_) if matches!(value, "_" | "*" | "") => {}
                Err(name) => others.push(format!("{name}={}", value.replace('|', "/"))),
            }
        }
        let misc = &mut row[Column::Misc as usize];
        let given = (misc != "_").then(|| misc.clone());
        if !others.is_empty() {
            *misc = given.into_iter().chain(others).collect::<Vec<_>>().join("|");
        }
        row.join("\t")
    }
}

#[cfg(test)]
mod tests {
    use crate::format::conllu::{ConlluReader, Sentence};

    #[test]
    fn named_columns_take_their_places() {
        let text = "# global.columns = FORM UPOS PARSEME:MWE MISC\n# text = Go!\nGo\tVERB\t1:LVC\tSpaceAfter=No\n\
                    !\tPUNCT\t*\t_\n\nGo\tVERB\t_\t_\n\n";
        let sentences: Vec<Sentence> =
            ConlluReader::new(text.as_bytes(), "-").collect::<Result<_, _>>().unwrap();
        assert_eq!(sentences.len(), 2);
        assert_eq!(sentences[0].comments().collect::<Vec<_>>(), ["# text = Go!"]);
        let word = sentences[0].word(0).unwrap();
        assert_eq!(
            (word.form(), word.upos(), word.misc()),
            ("Go", "VERB", "SpaceAfter=No|PARSEME:MWE=1:LVC")
        );
        assert_eq!(sentences[0].word(1).unwrap().misc(), "_");
        let bad = "# global.columns = ID FORM\n1\ta\n2\n\n";
        assert!(ConlluReader::new(bad.as_bytes(), "-").next().unwrap().is_err());
    }
}
