//! Model file sections of a re-ranker.
//!
//! | section | content |
//! |---|---|
//! | `form` | the set of features |
//! | `real`, `spread` | the weights of the real-valued features, and their divisors |
//! | `sparse` | the weights of hashed features |
//! | `deptree/…` | the latent tree model, if one is used |

use serde::{Deserialize, Serialize};

use super::features::{BUCKETS, REAL};
use super::model::Weights;
use super::{FeatureSet, Reranker};
use crate::deptree::{Children, Deptree};
use models::persist::{Container, ContainerWriter, LoadError, Metadata, ModelFile};

#[derive(Serialize, Deserialize)]
struct Form {
    features: FeatureSet,
}

impl ModelFile for Reranker {
    const FAMILY: &'static str = "reranker";
    const FORMAT: u32 = 2;
    const DESCRIPTION: &'static str = "a choice among trees";

    fn metadata(&self) -> Metadata {
        // Older versions do not know numbers of children.
        let counted = self.deptree.as_ref().is_some_and(|model| model.children() == Children::Counted);
        Metadata::new(Self::FAMILY, if counted { Self::FORMAT } else { 1 })
    }

    fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        let Weights { spread, real, sparse } = &self.weights;
        writer.json("form", &Form { features: self.set });
        writer.array("real", &real[..]);
        writer.array("spread", &spread[..]);
        writer.array("sparse", &sparse[..]);
        if let Some(deptree) = &self.deptree {
            writer.scope("deptree", |writer| deptree.save(writer));
        }
    }

    fn load_sections(container: &Container) -> Result<Self, LoadError> {
        let Form { features } = container.json("form")?;
        let numbers = |name: &str| -> Result<[f64; REAL], LoadError> {
            let numbers = container.tensor::<f64>(name, &[REAL])?;
            numbers
                .as_ref()
                .try_into()
                .map_err(|_| LoadError::invalid(name, "its length is not the number of features"))
        };
        let (real, spread) = (numbers("real")?, numbers("spread")?);
        let sparse = container.tensor::<f64>("sparse", &[BUCKETS])?.into_vec();
        let positive = spread.iter().all(|spread| *spread > 0.0);
        if !positive || !real.iter().all(|weight| weight.is_finite()) || !sparse.iter().all(|w| w.is_finite())
        {
            return Err(LoadError::invalid("form", "a weight is not finite, or a spread not positive"));
        }
        let deptree = match features.has_latent() {
            true => Some(Deptree::load_sections(&container.scope("deptree"))?),
            false => None,
        };
        Ok(Self { set: features, deptree, weights: Weights { spread, real, sparse } })
    }
}
