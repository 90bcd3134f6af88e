//! Processors, learning, files.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::super::examples::Example;
use super::super::inference::Scores;
use super::super::tests::random_examples;
use super::layers::NetworkConfig;
use super::model::{Networks, Scratch};
use super::training::NetworkTraining;
use models::persist::{Container, ContainerWriter, Metadata};

/// A network that is quickly learnt.
pub(super) fn small() -> NetworkConfig {
    NetworkConfig {
        members: 1,
        embedded: 5,
        hidden: 4,
        part: 6,
        bits: 7,
        label_bits: 5,
        dropout: 0.0,
        form_dropout: 0.0,
        ..NetworkConfig::default()
    }
}

fn examples() -> Vec<Example> {
    random_examples(&mut ChaCha8Rng::seed_from_u64(4), 6)
}

/// A network after this many passes over the examples, and the loss of each pass.
fn learnt(examples: &[Example], passes: u64, seed: u64) -> (Networks, Vec<f64>) {
    let words: usize = examples.iter().map(|example| example.lattice.words).sum();
    let mut training = NetworkTraining::new(small(), passes * words as u64, seed);
    let losses = (0..passes).map(|_| examples.iter().map(|example| training.learn(example)).sum());
    let losses = losses.collect();
    (Networks::new(vec![training.finish()], 0.3), losses)
}

#[test]
fn it_learns() {
    let losses = learnt(&examples(), 900, 3).1;
    let [first, last] = [&losses[..90], &losses[810..]].map(|losses| losses.iter().sum::<f64>());
    assert!(last < 0.3 * first, "{first} and then {last}");
}

#[test]
fn scores_do_not_depend_on_the_processor() {
    let examples = examples();
    let networks = learnt(&examples, 30, 3).0;
    let mut scratch = Scratch::default();
    for Example { view, lattice, .. } in &examples {
        let zeros =
            Scores { nodes: vec![0.0; lattice.nodes.len()], branches: vec![0.0; lattice.branches.len()] };
        let (mut one, mut other) = (zeros.clone(), zeros);
        networks.add(view, lattice, &mut scratch, &mut one);
        networks.add_portably(view, lattice, &mut scratch, &mut other);
        assert_eq!((&one.nodes, &one.branches), (&other.nodes, &other.branches));
        assert!(one.nodes.iter().any(|&score| score != 0.0));
    }
}

#[test]
fn files_keep_networks_and_other_sizes_are_refused() {
    let networks = learnt(&examples(), 30, 3).0;
    let container = |networks: &Networks| {
        let mut writer = ContainerWriter::new(&Metadata::new("test", 1));
        networks.save(&mut writer);
        let mut bytes = Vec::new();
        writer.write_to(&mut bytes).unwrap();
        Container::from_bytes(bytes).unwrap()
    };
    assert_eq!(Networks::load(&container(&networks)).unwrap(), Some(networks.clone()));
    let changes: [fn(&mut Networks); 5] = [
        |networks| networks.members[0].shape.hidden = 3,
        |networks| networks.members[0].shape.part = 0,
        |networks| networks.members[0].shape.label_bits = 6,
        |networks| networks.members[0].weights.places[7] = f32::NAN,
        |networks| *networks = networks.clone().with_weight(-1.0),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut forged = networks.clone();
        change(&mut forged);
        assert!(Networks::load(&container(&forged)).is_err(), "change {number}");
    }
    assert_eq!(Networks::load(&container(&Networks::new(Vec::new(), 1.0))).unwrap(), None);
}
