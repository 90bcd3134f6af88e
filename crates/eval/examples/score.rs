//! Scores a prediction and writes the report as JSON, for comparison with other implementations.
//!
//! ```text
//! cargo run --release -p eigentree-eval --example score -- brackets gold.ptb predicted.ptb
//! cargo run --release -p eigentree-eval --example score -- attachment gold.conllu predicted.conllu
//! cargo run --release -p eigentree-eval --example score -- aligned gold.conllu predicted.conllu
//! cargo run --release -p eigentree-eval --example score -- entities gold.bio predicted.bio
//! ```

use std::error::Error;
use std::fs::File;
use std::io::{Write, stdout};

use corpus::format::conllu::ConlluReader;
use eigentree_eval::alignment::score_aligned;
use eigentree_eval::report::Report;
use eigentree_eval::{attachment, brackets, entities};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kind, gold, predicted] = arguments.as_slice() else {
        return Err("usage: score brackets|attachment|aligned|entities GOLD PREDICTED".into());
    };
    let left = (File::open(gold)?, gold.as_str());
    let right = (File::open(predicted)?, predicted.as_str());
    let mut report = Report::default();
    match kind.as_str() {
        "brackets" => {
            let scores = brackets::score_readers(left, right, &brackets::BracketConfig::collins())?;
            report.brackets = Some((&scores).into());
        }
        "attachment" => {
            let scores = attachment::score_readers(left, right, &attachment::AttachmentConfig::default())?;
            report.attachment = Some((&scores).into());
        }
        "aligned" => {
            let gold: Vec<_> = ConlluReader::new(left.0, left.1).collect::<Result<_, _>>()?;
            let predicted: Vec<_> = ConlluReader::new(right.0, right.1).collect::<Result<_, _>>()?;
            report.attachment = Some((&score_aligned(&gold, &predicted, &Default::default())?).into());
        }
        "entities" => report.entities = Some((&entities::score_readers(left, right)?).into()),
        other => return Err(format!("there is nothing to score called `{other}`").into()),
    }
    Ok(writeln!(stdout(), "{}", report.to_json())?)
}
