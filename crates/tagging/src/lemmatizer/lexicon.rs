//! External lists of words with their lemmas.

/// A word of a lexicon.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedWord {
    /// The form.
    pub form: String,
    /// Its lemma.
    pub lemma: String,
    /// Its part of speech.
    pub upos: String,
    /// Its features, or nothing if the lexicon does not tell them.
    pub feats: Option<String>,
}

/// Words with their lemmas from outside the treebank.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lexicon {
    /// The words.
    pub words: Vec<ListedWord>,
}

impl Lexicon {
    /// Reads lines of form, lemma, UPOS and optionally FEATS, separated by tabs. Empty lines are skipped. The error is
    /// the number of a line, counted from 1, with what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, (usize, &'static str)> {
        let mut words = Vec::new();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let fields: Vec<&str> = line.split('\t').collect();
            let (&[form, lemma, upos], feats) = match fields.split_first_chunk::<3>() {
                Some(parts) => parts,
                None => return Err((number + 1, "expected form, lemma and UPOS, separated by tabs")),
            };
            if [form, lemma, upos].iter().any(|field| field.is_empty() || field.trim() != *field) {
                return Err((number + 1, "the form, the lemma or the tag is empty or has spaces around it"));
            }
            let feats = match feats {
                [] => None,
                [feats] => Some((*feats).to_owned()).filter(|feats| !feats.is_empty()),
                _ => return Err((number + 1, "more than four fields: form, lemma, UPOS, FEATS")),
            };
            let [form, lemma, upos] = [form, lemma, upos].map(str::to_owned);
            words.push(ListedWord { form, lemma, upos, feats });
        }
        Ok(Self { words })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_three_or_four_fields() {
        let lexicon =
            Lexicon::parse("geese\tgoose\tNOUN\tNumber=Plur\n\nran\trun\tVERB\n").expect("it is well formed");
        assert_eq!(lexicon.words.len(), 2);
        assert_eq!(lexicon.words[0].feats.as_deref(), Some("Number=Plur"));
        assert_eq!((lexicon.words[1].lemma.as_str(), &lexicon.words[1].feats), ("run", &None));
        for (text, line) in [("a b NOUN", 1), ("a\tb\tX\nc\td\t", 2), ("a\tb\tX\t_\t_", 1), ("\ta\tX", 1)] {
            assert_eq!(Lexicon::parse(text).map_err(|error| error.0), Err(line), "{text}");
        }
    }
}
