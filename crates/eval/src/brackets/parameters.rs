//! EVALB's parameter files (`.prm`).
//!
//! One `KEYWORD value` per line; `#` starts a comment. `DEBUG` and `MAX_ERROR` are accepted and ignored. `QUOTE_LABEL`
//! is not needed, since punctuation is dropped by the gold tag.

use super::config::{BracketConfig, Labelling};
use crate::error::EvalError;

impl BracketConfig {
    /// Reads the conventions from a parameter file. Settings that it does not mention are as in EVALB: nothing is
    /// dropped, labels are compared, the cut-off is 40.
    ///
    /// ```
    /// use eigentree_eval::brackets::BracketConfig;
    /// let config = BracketConfig::from_parameters("# my tags\nDELETE_LABEL TOP\nDELETE_LABEL $,\nCUTOFF_LEN 10\n")?;
    /// assert_eq!((config.delete_labels, config.cutoff), (vec!["TOP".to_owned(), "$,".to_owned()], Some(10)));
    /// # Ok::<(), eigentree_eval::error::EvalError>(())
    /// ```
    pub fn from_parameters(text: &str) -> Result<Self, EvalError> {
        let mut config = Self {
            delete_labels: Vec::new(),
            delete_labels_for_length: Vec::new(),
            equal_labels: Vec::new(),
            ..Self::without_deletion()
        };
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let refuse = |reason: &str| EvalError::Setting {
                setting: format!("`{line}` in line {} of the parameter file", index + 1),
                reason: reason.to_owned(),
            };
            let mut fields = line.split_whitespace();
            let keyword = fields.next().unwrap_or_default();
            let values: Vec<&str> = fields.collect();
            match (keyword, values.as_slice()) {
                ("DEBUG" | "MAX_ERROR" | "QUOTE_LABEL", [_]) => {}
                ("CUTOFF_LEN", [value]) => {
                    config.cutoff = Some(value.parse().map_err(|_| refuse("a number of words is needed"))?);
                }
                ("LABELED", ["0"]) => config.labelling = Labelling::Unlabelled,
                ("LABELED", ["1"]) => config.labelling = Labelling::Labelled,
                ("LABELED", _) => return Err(refuse("it must be 0 or 1")),
                ("DELETE_LABEL", [label]) => config.delete_labels.push((*label).to_owned()),
                ("DELETE_LABEL_FOR_LENGTH", [label]) => {
                    config.delete_labels_for_length.push((*label).to_owned())
                }
                ("EQ_LABEL", [one, other]) => {
                    config.equal_labels.push(((*one).to_owned(), (*other).to_owned()))
                }
                ("EQ_WORD", [one, other]) => {
                    config.equal_words.push(((*one).to_owned(), (*other).to_owned()))
                }
                ("EQ_LABEL" | "EQ_WORD", _) => return Err(refuse("two values are needed")),
                (
                    "DEBUG"
                    | "MAX_ERROR"
                    | "QUOTE_LABEL"
                    | "CUTOFF_LEN"
                    | "DELETE_LABEL"
                    | "DELETE_LABEL_FOR_LENGTH",
                    _,
                ) => {
                    return Err(refuse("one value is needed"));
                }
                _ => return Err(refuse("EVALB has no such keyword")),
            }
        }
        Ok(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_lines_are_named() {
        for (text, message) in [
            ("DEBUG 0\nDELETE TOP", "line 2 of the parameter file: EVALB has no such keyword"),
            ("EQ_LABEL ADVP", "line 1 of the parameter file: two values are needed"),
            ("CUTOFF_LEN forty", "a number of words is needed"),
        ] {
            let error = BracketConfig::from_parameters(text).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn the_collins_file_is_the_default_but_for_the_names_of_the_top() {
        let file = "DEBUG 0\nMAX_ERROR 10\nCUTOFF_LEN 40\nLABELED 1\nDELETE_LABEL TOP\nDELETE_LABEL -NONE-\n\
                    DELETE_LABEL ,\nDELETE_LABEL :\nDELETE_LABEL ``\nDELETE_LABEL ''\nDELETE_LABEL .\n\
                    DELETE_LABEL_FOR_LENGTH -NONE-\nEQ_LABEL ADVP PRT\n";
        let mut config = BracketConfig::from_parameters(file).unwrap();
        config.delete_labels.splice(1..1, ["ROOT", "S1", "VROOT", ""].map(str::to_owned));
        assert_eq!(config, BracketConfig::collins());
    }
}
