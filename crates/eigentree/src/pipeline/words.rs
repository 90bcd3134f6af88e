//! Words of raw text, without any annotation.

use corpus::format::raw_text::RawTextReader;

use super::{Pipeline, Scratch};
use crate::{Error, Model};

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

impl Model {
    /// The words of each sentence of a text: as the tokeniser of a pipeline divides it, otherwise by lines and spaces.
    pub fn words_of(&self, text: &str) -> Result<Vec<Vec<String>>, Error> {
        if let Model::Pipeline(pipeline) = self {
            return pipeline.words_of(text);
        }
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        Ok(lines.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect())
    }
}
