//! The running text of a treebank, to score a pipeline from raw text.

use corpus::format::conllu::{Sentence, TokenId};

/// The paragraphs of a treebank: the forms of its tokens, with spaces except after `SpaceAfter=No`. A paragraph begins
/// at `# newdoc` and `# newpar`.
pub fn paragraphs(sentences: &[Sentence]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for sentence in sentences {
        let begins = |comment: &str| {
            let comment = comment.trim_start_matches('#').trim_start();
            comment.starts_with("newdoc") || comment.starts_with("newpar")
        };
        if all.is_empty() || sentence.comments().any(begins) {
            all.push(String::new());
        }
        let Some(text) = all.last_mut() else { continue };
        // The last word of the open multiword token.
        let mut covered = 0;
        for token in sentence.tokens() {
            match token.id() {
                TokenId::Empty { .. } => continue,
                TokenId::Word(number) if number <= covered => continue,
                TokenId::Word(_) => {}
                TokenId::Range { last, .. } => covered = last,
            }
            text.push_str(token.form());
            if token.space_after() {
                text.push(' ');
            }
        }
    }
    all.retain(|text| !text.trim().is_empty());
    all
}

#[cfg(test)]
mod tests {
    use corpus::format::conllu::ConlluReader;

    use super::*;

    #[test]
    fn ranges_spaces_and_paragraphs_are_those_of_the_text() {
        let line = |id: &str, form: &str, misc: &str| format!("{id}\t{form}\t_\t_\t_\t_\t_\t_\t_\t{misc}\n");
        let first = line("1-2", "don't", "_") + &line("1", "do", "_") + &line("2", "n't", "_");
        let text = first
            + &line("3", "go", "SpaceAfter=No")
            + &line("3.1", "there", "_")
            + &line("4", "!", "_")
            + "\n"
            + &line("1", "Why", "SpaceAfter=No")
            + &line("2", "?", "_")
            + "\n# newpar\n"
            + &line("1", "So", "_")
            + "\n";
        let sentences: Vec<Sentence> =
            ConlluReader::new(text.as_bytes(), "-").collect::<Result<_, _>>().expect("it is CoNLL-U");
        assert_eq!(paragraphs(&sentences), ["don't go! Why? ", "So "]);
    }
}
