//! What a model can be asked for.

use crate::Model;

impl Model {
    /// What the model can be asked for, in words that are stable: `annotate`, `phrases`, `dependencies`, `tags`, `entities`,
    /// `confidences`, `nbest`, `states`, `automata`, `clusters`, `sequences`.
    pub fn abilities(&self) -> Vec<&'static str> {
        match self {
            Model::Pcfg(_) => vec!["annotate", "phrases", "tags", "confidences", "nbest"],
            Model::Lpcfg(_) => vec!["annotate", "phrases", "tags", "confidences", "nbest", "states"],
            Model::Mst(_) => vec!["annotate", "dependencies", "confidences", "nbest"],
            Model::HeadAutomata(_) => vec!["annotate", "dependencies", "confidences", "nbest", "automata"],
            Model::Tagger(tagger) => {
                use tagging::tagger::ColumnKind;
                let spans = tagger.columns().first().is_some_and(|column| column.kind() == ColumnKind::Spans);
                vec!["annotate", if spans { "entities" } else { "tags" }, "confidences", "nbest"]
            }
            Model::Pipeline(pipeline) => {
                let stages = [
                    ("tags", pipeline.tagger.is_some()),
                    ("entities", pipeline.entities.is_some()),
                    ("dependencies", pipeline.parser.is_some()),
                    ("phrases", pipeline.grammar.is_some()),
                    ("states", pipeline.grammar.is_some()),
                ];
                let own = stages.into_iter().filter(|(_, present)| *present).map(|(name, _)| name);
                ["annotate"].into_iter().chain(own).chain(["confidences", "nbest"]).collect()
            }
            Model::Clusters(_) => vec!["clusters"],
            Model::Sequence(_) => vec!["sequences"],
            Model::Deptree(_) | Model::Reranker(_) => Vec::new(),
        }
    }
}
