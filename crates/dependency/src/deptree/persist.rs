//! Model file sections of a latent tree model.
//!
//! | section | content |
//! |---|---|
//! | `form` | the kind of symbols, the dimension |
//! | `conditioning` | condition numbers of `Σ_L`, `Σ_R`, `E_L`, `E_R`; number of heads with children on both sides |
//! | `least` | the smallest singular value of these four matrices; missing in files of older versions |
//! | `symbols` | the symbols as strings; the empty one is for unknown words |
//! | `start`, `end`, `left`, `right`, `product` | `c₁`, `c∞`, `E_L`, `E_R`, `D` |
//! | `duals` | `y_x` of every symbol |

use serde::{Deserialize, Serialize};

use super::model::Operators;
use super::{Conditioning, Deptree, Observations, Observe};
use models::persist::{Container, ContainerWriter, LoadError, Metadata, ModelFile};

#[derive(Serialize, Deserialize)]
struct Form {
    observe: Observe,
    dimension: usize,
}

impl ModelFile for Deptree {
    const FAMILY: &'static str = "deptree";
    const FORMAT: u32 = 1;
    const DESCRIPTION: &'static str = "latent dependency trees";

    fn metadata(&self) -> Metadata {
        Metadata::new(Self::FAMILY, Self::FORMAT)
            .with_note("dimension", self.dimension)
            .with_note("symbols", self.observations.len())
    }

    fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        let k = self.dimension;
        writer.json("form", &Form { observe: self.observations.observe(), dimension: k });
        let Conditioning { sigma_left, sigma_right, step_left, step_right, triples, least } =
            self.conditioning;
        writer.array("conditioning", vec![sigma_left, sigma_right, step_left, step_right, triples]);
        writer.array("least", vec![least]);
        writer.vocab("symbols", self.observations.symbols());
        writer.array("start", &self.operators.start[..]);
        writer.array("end", &self.operators.end[..]);
        writer.tensor("left", &[k, k], &self.operators.steps[0][..]);
        writer.tensor("right", &[k, k], &self.operators.steps[1][..]);
        writer.tensor("product", &[k, k, k], &self.operators.product[..]);
        writer.tensor("duals", &[self.observations.len(), k], &self.duals[..]);
    }

    fn load_sections(container: &Container) -> Result<Self, LoadError> {
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
        let duals = container.finite("duals", &[observations.len(), k])?.into_vec();
        let operators = Operators {
            start: container.finite("start", &[k])?.into_vec(),
            end: container.finite("end", &[k])?.into_vec(),
            steps: [
                container.finite("left", &[k, k])?.into_vec(),
                container.finite("right", &[k, k])?.into_vec(),
            ],
            product: container.finite("product", &[k, k, k])?.into_vec(),
        };
        let told = container.tensor::<f64>("conditioning", &[5])?;
        let [sigma_left, sigma_right, step_left, step_right, triples] = told.as_ref() else {
            return Err(LoadError::invalid("conditioning", "expected five values"));
        };
        let least = match container.contains("least") {
            true => container.tensor::<f64>("least", &[1])?.first().copied().unwrap_or(f64::NAN),
            false => f64::NAN,
        };
        let conditioning = Conditioning {
            least,
            sigma_left: *sigma_left,
            sigma_right: *sigma_right,
            step_left: *step_left,
            step_right: *step_right,
            triples: *triples,
        };
        Ok(Self { observations, dimension: k, operators, duals, conditioning })
    }
}
