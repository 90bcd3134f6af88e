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
//! | `valences` | probabilities of numbers of children, if the model has them; such files have format 2 |
//! | `further_left`, `further_right` | `E_L` and `E_R` of children that are not the nearest, if the model has them |

use serde::{Deserialize, Serialize};

use super::model::{Operators, Product};
use super::valences::{VALENCES, Valences};
use super::{Conditioning, Deptree, Observations, Observe};
use models::persist::{Container, ContainerWriter, LoadError, Metadata, ModelFile};

/// The sections of the steps to further children.
const FURTHER: [&str; 2] = ["further_left", "further_right"];

#[derive(Serialize, Deserialize)]
struct Form {
    observe: Observe,
    dimension: usize,
}

impl ModelFile for Deptree {
    const FAMILY: &'static str = "deptree";
    const FORMAT: u32 = 2;
    const DESCRIPTION: &'static str = "latent dependency trees";

    fn metadata(&self) -> Metadata {
        // Without valences, older versions can read the file.
        let format = if self.valences.is_some() { Self::FORMAT } else { 1 };
        Metadata::new(Self::FAMILY, format)
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
        writer.tensor("product", &[k, k, k], self.operators.product.entries(k));
        writer.tensor("duals", &[self.observations.len(), k], &self.duals[..]);
        if let Some(valences) = &self.valences {
            writer.tensor("valences", &[2, VALENCES, k], valences.table());
        }
        for (step, name) in self.operators.steps.iter().skip(2).zip(FURTHER) {
            writer.tensor(name, &[k, k], &step[..]);
        }
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
            steps: {
                let further = FURTHER.into_iter().filter(|name| container.contains(name));
                let names = ["left", "right"].into_iter().chain(further);
                let steps: Vec<Vec<f64>> = names
                    .map(|name| Ok(container.finite(name, &[k, k])?.into_vec()))
                    .collect::<Result<_, LoadError>>()?;
                if steps.len() == 3 {
                    return Err(LoadError::invalid(
                        "form",
                        "one of the steps to further children is missing",
                    ));
                }
                steps
            },
            product: Product::new(container.finite("product", &[k, k, k])?.into_vec(), k),
        };
        let valences = match container.contains("valences") {
            false => None,
            true if operators.product == Product::Diagonal => {
                let table = container.finite("valences", &[2, VALENCES, k])?.into_vec();
                Some(Valences::from_table(k, table))
            }
            true => {
                return Err(LoadError::invalid("valences", "they need a model in the basis of the states"));
            }
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
        Ok(Self { observations, dimension: k, operators, duals, valences, conditioning })
    }
}
