//! Groups the words of a synthetic text into clusters.
#![allow(clippy::print_stdout, reason = "it shows what it found")]

use std::error::Error;

use eigentree::clustering::write_paths;
use eigentree::config::ClusterConfig;
use eigentree::data::Tree;
use eigentree::learn::Silent;
use eigentree::sampling::sample_english;
use eigentree::training::ClustersJob;

fn main() -> Result<(), Box<dyn Error>> {
    let trees = sample_english(500, 1);
    let line = |tree: &Tree| tree.words().collect::<Vec<_>>().join(" ");
    let text = trees.iter().map(line).collect::<Vec<_>>().join("\n");

    let job = ClustersJob::new(ClusterConfig { clusters: 8, ..ClusterConfig::default() });
    let counted = job.count(text.as_bytes(), "the sample")?;
    let found = job.learn(counted, None, &mut Silent)?;
    let mut paths = Vec::new();
    write_paths(&found.trained.model, &mut paths)?;
    println!("{}", String::from_utf8(paths)?);
    println!("mutual information: {:.3} nats", found.mutual_information);
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
