//! The sections of a pipeline: each stage under its name, with its own metadata.

use super::model::Pipeline;
use models::persist::{Container, ContainerWriter, LoadError, Metadata, ModelFile};

impl ModelFile for Pipeline {
    const FAMILY: &'static str = "pipeline";
    const FORMAT: u32 = 1;
    const DESCRIPTION: &'static str = "a pipeline";

    fn metadata(&self) -> Metadata {
        let stages = [
            Some("tokenizer"),
            self.tagger.as_ref().map(|_| "tagger"),
            self.entities.as_ref().map(|_| "entities"),
            self.parser.as_ref().map(|_| "parser"),
            self.grammar.as_ref().map(|_| "grammar"),
        ];
        Metadata::new(Self::FAMILY, Self::FORMAT)
            .with_note("stages", stages.into_iter().flatten().collect::<Vec<_>>().join(","))
    }

    fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        writer.model("tokenizer", &self.tokenizer);
        for (name, stage) in [("tagger", &self.tagger), ("entities", &self.entities)] {
            if let Some(tagger) = stage {
                writer.model(name, tagger);
            }
        }
        if let Some(parser) = &self.parser {
            writer.model("parser", parser);
        }
        if let Some(grammar) = &self.grammar {
            writer.model("grammar", grammar.as_ref());
        }
    }

    fn load_sections(container: &Container) -> Result<Self, LoadError> {
        Ok(Self {
            tokenizer: container.model("tokenizer")?,
            tagger: container.optional_model("tagger")?,
            entities: container.optional_model("entities")?,
            parser: container.optional_model("parser")?,
            grammar: container.optional_model("grammar")?.map(Box::new),
        })
    }
}
