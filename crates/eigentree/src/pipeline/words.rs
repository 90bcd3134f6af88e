//! Words of raw text, without any annotation.

use corpus::format::raw_text::RawTextReader;

use super::{Pipeline, Scratch};
use crate::Error;

impl Pipeline {
    /// The words of each sentence of a text, as the tokeniser divides it.
    pub fn words_of(&self, text: &str) -> Result<Vec<Vec<String>>, Error> {
        let mut scratch = Scratch::default();
        let mut sentences = Vec::new();
        for piece in RawTextReader::new(text.as_bytes(), "text") {
            let found =
                self.tokenize(&piece?, &mut scratch).map_err(|error| Error::Data(error.to_string()))?;
            let forms =
                found.iter().map(|sentence| sentence.words().map(|word| word.form().to_owned()).collect());
            sentences.extend(forms);
        }
        Ok(sentences)
    }
}
