//! The interface of all jobs.

use models::learn::Observer;
use models::persist::ModelFile;

use super::{DevScores, Trained};
use crate::{Error, Model};

/// The complete configuration of a training run. The same job on the same data gives the same model.
pub trait Job {
    /// Training data.
    type Data: ?Sized;
    /// Development data, for calibration and scores.
    type Dev: ?Sized;
    /// The model of the family.
    type Model: ModelFile + Into<Model>;

    /// Learns the model: tunes, learns, and calibrates on `dev` if the family has something to calibrate. Scores nothing.
    fn learn(
        &self,
        data: &Self::Data,
        dev: Option<&Self::Dev>,
        observer: &mut dyn Observer,
    ) -> Result<Trained<Self::Model>, Error>;

    /// Scores a model on development data. Families that only choose by it have no scores.
    fn score(
        &self,
        model: &Self::Model,
        dev: &Self::Dev,
        observer: &mut dyn Observer,
    ) -> Result<DevScores, Error>;

    /// Learns the model and scores it if there is development data.
    ///
    /// A program that trains for hours calls [`learn`](Self::learn), saves the model, and only then calls
    /// [`score`](Self::score).
    fn run(
        &self,
        data: &Self::Data,
        dev: Option<&Self::Dev>,
        observer: &mut dyn Observer,
    ) -> Result<Trained<Self::Model>, Error> {
        let mut trained = self.learn(data, dev, observer)?;
        if let Some(dev) = dev {
            trained.dev = Some(self.score(&trained.model, dev, observer)?);
        }
        Ok(trained)
    }
}
