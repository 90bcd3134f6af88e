//! Sequence models: positive probabilities, choices by held-out likelihood, files.

use corpus::synthetic::Automaton as Pnfa;
use eigentree_sequences::automaton::{EmConfig, Estimator, SequenceCounts};
use eigentree_sequences::sequence::{
    Alphabet, Method, RankChoice, Reader, SequenceConfig, SequenceLearner, SequenceModel, split,
};
use models::learn::Silent;
use models::persist::{Container, LoadError, ModelFile};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use spectral::Rank;

const METHODS: [Method; 6] =
    [Method::Ngram, Method::Spectral, Method::ReducedHmm, Method::Em, Method::SpectralEm, Method::All];

fn sampled(seed: u64, strings: usize) -> (Pnfa, SequenceCounts) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let pnfa = Pnfa::random(3, 4, &mut rng);
    let all =
        (0..strings).map(|_| pnfa.sample(&mut rng).iter().map(|&symbol| symbol as u32).collect::<Vec<u32>>());
    let counts = SequenceCounts::of(4, all).unwrap();
    (pnfa, counts)
}

fn learn(counts: &SequenceCounts, method: Method) -> SequenceModel {
    let em = EmConfig { steps: 30, least_gain: 0.0, estimator: Estimator::Variational { pseudo_count: 0.1 } };
    let rank = RankChoice::HeldOut(Rank::new(8).unwrap());
    let config = SequenceConfig { method, rank, em, ..SequenceConfig::default() };
    SequenceLearner { config }.learn(counts, None, &mut Silent).unwrap().model
}

fn perplexity(log_probability: f64, counts: &SequenceCounts) -> f64 {
    (-log_probability / counts.events()).exp()
}

#[test]
fn every_learner_comes_near_the_truth() {
    let (pnfa, counts) = sampled(1, 6000);
    let mut rng = ChaCha8Rng::seed_from_u64(99);
    let fresh =
        (0..4000).map(|_| pnfa.sample(&mut rng).iter().map(|&symbol| symbol as u32).collect::<Vec<u32>>());
    let test = SequenceCounts::of(4, fresh).unwrap();
    let wide = |sequence: &[u32]| sequence.iter().map(|&symbol| symbol as usize).collect::<Vec<_>>();
    let truth = perplexity(
        test.iter().map(|(sequence, weight)| weight * pnfa.probability(&wide(sequence)).ln()).sum(),
        &test,
    );
    for method in METHODS {
        let found = perplexity(learn(&counts, method).score(&test).0, &test);
        assert!(found > 0.98 * truth && found < 1.03 * truth, "{method:?}: {found} {truth}");
    }
}

#[test]
fn predictions_are_positive_and_sum_to_one_after_anything() {
    let (_, counts) = sampled(2, 300);
    for method in METHODS {
        let model = learn(&counts, method);
        let mut reader = Reader::new(&model);
        // Symbols that never occur in the data, in a much longer sequence.
        for symbol in [3, 3, 3, 3, 0, 0, 0, 1, 2, 3].into_iter().cycle().take(500) {
            let distribution = reader.distribution();
            assert!((distribution.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{method:?}");
            assert!(distribution.iter().all(|&probability| probability > 0.0), "{method:?}");
            reader.advance(symbol);
        }
    }
}

#[test]
fn long_sequences_have_a_probability_and_foreign_symbols_none() {
    let (_, counts) = sampled(3, 500);
    let model = learn(&counts, Method::Spectral);
    let long: Vec<u32> = (0..20_000).map(|i| i % 4).collect();
    let log = model.log_probability(&long);
    assert!(log.is_finite() && log < -1e4);
    assert_eq!(model.log_probability(&[0, 4]), f64::NEG_INFINITY);
    assert_eq!(model.log_probability(&[0, 5]), f64::NEG_INFINITY);
}

#[test]
fn samples_have_the_frequencies_that_the_model_says() {
    let (_, counts) = sampled(4, 2000);
    let model = learn(&counts, Method::Spectral);
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let draws = 20_000;
    let drawn: Vec<Vec<u32>> = (0..draws).map(|_| model.sample(1000, &mut rng)).collect();
    for sequence in [vec![], vec![0], vec![1], vec![2]] {
        let p = model.log_probability(&sequence).exp();
        let share = drawn.iter().filter(|drawn| **drawn == sequence).count() as f64 / f64::from(draws);
        assert!(
            (share - p).abs() < 5.0 * (p * (1.0 - p) / f64::from(draws)).sqrt(),
            "{sequence:?} {share} {p}"
        );
    }
}

#[test]
fn threads_and_order_change_nothing() {
    let (_, counts) = sampled(6, 3000);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| learn(&counts, Method::All))
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn held_out_sequences_are_a_part_of_the_data() {
    let (_, counts) = sampled(7, 3000);
    let (rest, aside) = split(&counts, 0.1, 1).unwrap();
    assert_eq!(rest.merged(&aside).unwrap(), counts);
    assert!((200.0..400.0).contains(&aside.total()));
    assert!(split(&counts, 0.0, 1).unwrap_err().is_bad_config());
    assert!(split(&SequenceCounts::of(1, [[0]]).unwrap(), 0.1, 1).unwrap_err().is_bad_data());
}

#[test]
fn given_sequences_to_choose_by_are_used_for_nothing_else() {
    let (_, counts) = sampled(8, 2000);
    let (train, dev) = split(&counts, 0.2, 3).unwrap();
    let config = SequenceConfig { method: Method::Spectral, ..SequenceConfig::default() };
    let learned = SequenceLearner { config }.learn(&train, Some(&dev), &mut Silent).unwrap();
    // The reported perplexity is that of the model.
    let found = perplexity(learned.model.score(&dev).0, &dev);
    let told = learned.report.figure("held-out perplexity").unwrap();
    assert!((found - told).abs() < 1e-3 * told, "{found} {told}");
}

fn save(model: &SequenceModel) -> Vec<u8> {
    model.to_bytes().unwrap()
}

fn load(bytes: &[u8]) -> Result<SequenceModel, LoadError> {
    SequenceModel::load(&Container::from_slice(bytes)?)
}

#[test]
fn what_was_loaded_is_what_was_saved() {
    let (_, counts) = sampled(9, 500);
    let model = learn(&counts, Method::All);
    assert_eq!(load(&save(&model)).unwrap(), model);
    let words = Alphabet::Words(["a", "b", "c"].into_iter().collect());
    let named = model.clone().with_alphabet(words).unwrap();
    let again = load(&save(&named)).unwrap();
    assert_eq!(again, named);
    assert_eq!((again.alphabet().symbol("b"), again.alphabet().symbol("new")), (Some(1), Some(3)));
    assert!(model.with_alphabet(Alphabet::Numbers(5)).is_none());
}

#[test]
fn damaged_files_are_refused() {
    let (_, counts) = sampled(10, 200);
    let bytes = save(&learn(&counts, Method::Spectral));
    for cut in [10, bytes.len() / 3, bytes.len() - 1] {
        assert!(load(&bytes[..cut]).is_err());
    }
    let mut changed = bytes.clone();
    let middle = changed.len() / 2;
    changed[middle] ^= 0x40;
    assert!(load(&changed).is_err());
}
