//! The sections of a pipeline: each stage under its name, with its own metadata.

use super::model::Pipeline;
use dependency::mst::Mst;
use grammars::lpcfg::Lpcfg;
use models::persist::{Container, ContainerWriter, LoadError, Metadata};
use tagging::tagger::Tagger;
use tagging::tokenizer::Tokenizer;

/// The name of this family in a model file.
pub const FAMILY: &str = "pipeline";
/// The version of the sections.
const FORMAT: u32 = 1;

impl Pipeline {
    /// The metadata of a model file of this family.
    pub fn metadata(&self) -> Metadata {
        let stages = [
            Some("tokenizer"),
            self.tagger.as_ref().map(|_| "tagger"),
            self.entities.as_ref().map(|_| "entities"),
            self.parser.as_ref().map(|_| "parser"),
            self.grammar.as_ref().map(|_| "grammar"),
        ];
        Metadata::new(FAMILY, FORMAT)
            .with_note("stages", stages.into_iter().flatten().collect::<Vec<_>>().join(","))
    }

    /// Writes the sections.
    pub fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        writer.scope("tokenizer", |writer| {
            writer.metadata(&self.tokenizer.metadata());
            self.tokenizer.save(writer);
        });
        for (name, stage) in [("tagger", &self.tagger), ("entities", &self.entities)] {
            if let Some(tagger) = stage {
                writer.scope(name, |writer| {
                    writer.metadata(&tagger.metadata());
                    tagger.save(writer);
                });
            }
        }
        if let Some(parser) = &self.parser {
            writer.scope("parser", |writer| {
                writer.metadata(&Mst::metadata());
                parser.save(writer);
            });
        }
        if let Some(grammar) = &self.grammar {
            writer.scope("grammar", |writer| {
                writer.metadata(&Lpcfg::metadata());
                grammar.save(writer);
            });
        }
    }

    /// Reads the sections.
    pub fn load(container: &Container) -> Result<Self, LoadError> {
        container.metadata().expect_family(FAMILY, FORMAT)?;
        let scope = |name: &str| Some(container.scope(name)).filter(|scope| scope.contains("metadata"));
        let tagger = |name: &str| scope(name).map(|scope| Tagger::load(&scope)).transpose();
        Ok(Self {
            tokenizer: Tokenizer::load(&container.scope("tokenizer"))?,
            tagger: tagger("tagger")?,
            entities: tagger("entities")?,
            parser: scope("parser").map(|scope| Mst::load(&scope)).transpose()?,
            grammar: scope("grammar").map(|scope| Lpcfg::load(&scope)).transpose()?.map(Box::new),
        })
    }
}
