//! Model file sections of a latent tree model.
//!
//! | section | content |
//! |---|---|
//! | `form` | the kind of symbols, the dimension |
//! | `conditioning` | condition numbers of `Σ_L`, `Σ_R`, `E_L`, `E_R`; number of heads with children on both sides |
//! | `symbols` | the symbols as strings; the empty one is for unknown words |
//! | `start`, `end`, `left`, `right`, `product` | `c₁`, `c∞`, `E_L`, `E_R`, `D` |
//! | `duals` | `y_x` of every symbol |

use serde::{Deserialize, Serialize};

use super::model::Operators;
use super::{Conditioning, Deptree, Observations, Observe};
use models::persist::{Container, ContainerWriter, LoadError, Metadata};

/// The name of this family in a model file.
pub const FAMILY: &str = "deptree";
/// The version of the sections.
const FORMAT: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Form {
    observe: Observe,
    dimension: usize,
}

impl Deptree {
    /// The metadata of a model file of this family.
    pub fn metadata(&self) -> Metadata {
        Metadata::new(FAMILY, FORMAT)
            .with_note("dimension", self.dimension)
            .with_note("symbols", self.observations.len())
    }

    /// Writes the sections.
    pub fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        let k = self.dimension;
        writer.json("form", &Form { observe: self.observations.observe(), dimension: k });
        let Conditioning { sigma_left, sigma_right, step_left, step_right, triples } = self.conditioning;
        writer.array("conditioning", vec![sigma_left, sigma_right, step_left, step_right, triples]);
        writer.strings("symbols", self.observations.symbols().iter().map(|(_, symbol)| symbol));
        writer.array("start", &self.operators.start[..]);
        writer.array("end", &self.operators.end[..]);
        writer.tensor("left", &[k, k], &self.operators.steps[0][..]);
        writer.tensor("right", &[k, k], &self.operators.steps[1][..]);
        writer.tensor("product", &[k, k, k], &self.operators.product[..]);
        writer.tensor("duals", &[self.observations.len(), k], &self.duals[..]);
    }

    /// Reads a model of this family.
    pub fn load(container: &Container) -> Result<Self, LoadError> {
        container.metadata().expect_family(FAMILY, FORMAT)?;
        Self::load_sections(container)
    }

    /// Reads the sections, which may be part of a file of another family.
    pub(crate) fn load_sections(container: &Container) -> Result<Self, LoadError> {
        let form: Form = container.json("form")?;
        let k = form.dimension;
        // A tensor of a larger dimension does not fit into memory, whatever the file says.
        if k == 0 || k > 4096 {
            return Err(LoadError::invalid(
                "form",
                format!("the dimension is {k}; it must be between 1 and 4096"),
            ));
        }
        let observations = Observations::from_parts(form.observe, container.vocab("symbols")?)
            .ok_or_else(|| LoadError::invalid("symbols", "the symbol for unknown words is missing"))?;
        let duals = container.tensor::<f64>("duals", &[observations.len(), k])?.into_vec();
        let operators = Operators {
            start: container.tensor("start", &[k])?.into_vec(),
            end: container.tensor("end", &[k])?.into_vec(),
            steps: [
                container.tensor("left", &[k, k])?.into_vec(),
                container.tensor("right", &[k, k])?.into_vec(),
            ],
            product: container.tensor("product", &[k, k, k])?.into_vec(),
        };
        let all = [&operators.start, &operators.end, &operators.product, &duals];
        let finite = |numbers: &Vec<f64>| numbers.iter().all(|number| number.is_finite());
        if !all.into_iter().chain(&operators.steps).all(finite) {
            return Err(LoadError::invalid("product", "a value is not finite"));
        }
        let told = container.tensor::<f64>("conditioning", &[5])?;
        let [sigma_left, sigma_right, step_left, step_right, triples] = told.as_ref() else {
            return Err(LoadError::invalid("conditioning", "expected five values"));
        };
        let conditioning = Conditioning {
            sigma_left: *sigma_left,
            sigma_right: *sigma_right,
            step_left: *step_left,
            step_right: *step_right,
            triples: *triples,
        };
        Ok(Self { observations, dimension: k, operators, duals, conditioning })
    }
}
