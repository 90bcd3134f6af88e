//! Model file sections of a lexicon.

use std::sync::Arc;

use super::boundaries::BOUNDARIES;
use super::model::{Lexicon, Parts, tags_of};
use super::sparse_counts::SparseCounts;
use models::log_linear::SparseWeights;
use models::persist::{Container, ContainerWriter, LoadError, rows_fit};
use models::representations::ClusterPaths;

impl Lexicon {
    /// Writes the counts; everything else is derived again on loading.
    pub fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        writer.json("config", &self.config);
        writer.vocab("words", &self.words);
        writer.vocab("signatures", &self.signatures);
        writer.scope("seen", |writer| self.seen.save(writer));
        writer.scope("rare", |writer| self.rare.save(writer));
        writer.scope("tag_context", |writer| self.tag_context.save(writer));
        writer.scope("chain_context", |writer| self.chain_context.save(writer));
        writer.scope("boundary_context", |writer| self.boundary_context.save(writer));
        if let Some(clusters) = &self.clusters {
            writer.scope("clusters", |writer| clusters.save(writer));
        }
    }

    /// Reads what [`save`](Self::save) wrote; `labels` are the labels of the preterminals.
    pub fn load(container: &Container, labels: &[&str]) -> Result<Self, LoadError> {
        let words = container.vocab("words")?;
        let signatures = container.vocab("signatures")?;
        let tags = tags_of(labels).0.len();
        let parts = Parts {
            config: container.json("config")?,
            seen: SparseCounts::load(&container.scope("seen"), words.len(), labels.len())?,
            rare: SparseCounts::load(&container.scope("rare"), signatures.len(), tags)?,
            tag_context: SparseWeights::load(&container.scope("tag_context"), tags)?,
            chain_context: SparseWeights::load(&container.scope("chain_context"), labels.len())?,
            boundary_context: load_boundaries(&container.scope("boundary_context"))?,
            clusters: load_clusters(&container.scope("clusters"))?,
            words,
            signatures,
        };
        Ok(Lexicon::from_parts(parts, labels))
    }
}

/// Beginnings and endings of phrases; older files have none, and leave all cells of a chart open.
fn load_boundaries(container: &Container) -> Result<SparseWeights, LoadError> {
    match container.contains("starts") {
        true => SparseWeights::load(container, BOUNDARIES),
        false => Ok(SparseWeights { starts: vec![0], ..SparseWeights::default() }),
    }
}

/// Clusters of words, if the file has any.
fn load_clusters(container: &Container) -> Result<Option<Arc<ClusterPaths>>, LoadError> {
    match container.contains("paths.text") {
        true => Ok(Some(Arc::new(ClusterPaths::load(container)?))),
        false => Ok(None),
    }
}

impl SparseCounts {
    fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        writer.array("starts", &self.starts[..]);
        writer.array("columns", &self.columns[..]);
        writer.array("counts", &self.counts[..]);
    }

    fn load(container: &Container, rows: usize, columns: usize) -> Result<Self, LoadError> {
        let table = Self {
            starts: container.array("starts")?.into_vec(),
            columns: container.array("columns")?.into_vec(),
            counts: container.array("counts")?.into_vec(),
        };
        let sound = rows_fit(&table.starts, rows, table.columns.len())
            && table.counts.len() == table.columns.len()
            && table.columns.iter().all(|&column| (column as usize) < columns);
        if sound {
            Ok(table)
        } else {
            Err(LoadError::invalid("counts", "the rows or columns of a table do not match the vocabulary"))
        }
    }
}
