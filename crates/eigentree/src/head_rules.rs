//! Head rules by name: the built-in ones, or a table in a file.

use std::io;
use std::path::Path;

use corpus::tree::heads::HeadRules;

use crate::Error;
use crate::files::Input;

/// The name of the table for English in Penn labels.
pub const ENGLISH: &str = "english";

/// The name of the rules for any label set, which choose the child whose label is most similar to that of its parent.
pub const SIMILARITY: &str = "similarity";

/// The head rules called `name`: [`ENGLISH`], [`SIMILARITY`], or a file with a table. A file with such a name can be
/// given as `./english`.
///
/// A line of a table reads `LABEL : clause ; clause`, as in `NP : right-any NN NNS ; left NP`; see
/// [`corpus::tree::heads`]. Labels without a line are decided by similarity.
pub fn head_rules(name: &Path) -> Result<HeadRules, Error> {
    if name == Path::new(ENGLISH) {
        return Ok(HeadRules::english());
    }
    if name == Path::new(SIMILARITY) {
        return Ok(HeadRules::by_similarity());
    }
    let input = Input::open(name).map_err(|error| match error.is_not_found() {
        true => Error::Data(format!("{error}; or use the head rules `{ENGLISH}` or `{SIMILARITY}`")),
        false => error.into(),
    })?;
    let shown = input.name().to_owned();
    let text = io::read_to_string(input)
        .map_err(|error| Error::Data(format!("cannot read head rules from {shown}: {error}")))?;
    HeadRules::parse(&text).map_err(|error| Error::Data(format!("{shown}: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_files_give_rules() {
        assert_eq!(head_rules(Path::new("english")).unwrap(), HeadRules::english());
        assert_eq!(head_rules(Path::new("similarity")).unwrap(), HeadRules::by_similarity());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("heads.txt");
        std::fs::write(&path, "# mine\nNP : right NN\n").unwrap();
        assert_eq!(head_rules(&path).unwrap(), HeadRules::parse("NP : right NN").unwrap());
    }

    #[test]
    fn mistakes_are_told_with_the_file_and_the_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("heads.txt");
        std::fs::write(&path, "NP : right NN\nVP : up VB\n").unwrap();
        let told = head_rules(&path).unwrap_err().to_string();
        assert!(told.contains("heads.txt: head rules, line 2: `up`"), "{told}");
        let told = head_rules(&folder.path().join("englisch")).unwrap_err().to_string();
        assert!(told.contains("no such file") && told.contains("`english` or `similarity`"), "{told}");
    }
}
