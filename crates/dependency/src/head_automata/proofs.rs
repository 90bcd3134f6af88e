//! Proofs: recovery of known automata, and inference checked against enumeration of all trees.

use corpus::dependency::{DependencyTree, Direction, Head, RootRule};
use corpus::format::brown_paths::BrownPath;
use corpus::format::conllu::{Columns, Sentence};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::config::{
    Alphabet, EmConfig, Geometry, HeadAutomataConfig, LexicalConfig, LexicalWeights, Memory, SpectralConfig,
    TagModel,
};
use super::deterministic::Deterministic;
use super::labels::Labels;
use super::model::{HeadAutomata, Parts};
use super::operators::LatentAutomaton;
use super::parser::{Decider, Objective, Parser, ParserConfig, Precision, Scratch};
use super::sequences::ModifierCounts;
use super::symbols::Symbols;
use super::{HeadAutomataLearner, attachment};
use crate::arcs::Word;
use crate::arcs::enumerate::{Crossing, all_trees};
use models::learn::{Learner, Progress, Silent};
use models::persist::ModelFile;
use models::representations::ClusterPaths;
use sequences::automaton::SequenceCounts;

/// A sentence of words `w0`, `w1`, … with tags `t0`, `t1`, ….
fn sentence(tags: &[usize], heads: Option<&[Head]>) -> Sentence {
    let mut sentence = Sentence::new();
    for (at, tag) in tags.iter().enumerate() {
        let upos = match tag {
            0 => "PUNCT".to_owned(),
            1 => "CCONJ".to_owned(),
            tag => format!("t{tag}"),
        };
        let form = format!("w{}", (at * 7 + tag) % 5);
        let head = heads.map(|heads| heads[at]);
        let columns = Columns { form: &form, upos: &upos, head, deprel: "dep", ..Columns::default() };
        sentence.push_word(columns).unwrap();
    }
    sentence
}

/// Clusters of some of the words; the others have signatures.
fn clusters() -> ClusterPaths {
    let path =
        |(word, bits): (&str, &str)| BrownPath { bits: bits.to_owned(), word: word.to_owned(), count: 1 };
    ClusterPaths::new([("w0", "0000000"), ("w1", "0000001"), ("w3", "1")].map(path))
}

fn random_tags(words: usize, symbols: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    (0..words).map(|_| rng.random_range(0..symbols)).collect()
}

/// Random projective trees over random tags.
fn treebank(sentences: usize, symbols: usize, rng: &mut ChaCha8Rng) -> Vec<Sentence> {
    let trees: Vec<Vec<Vec<Head>>> =
        (1..=6).map(|words| all_trees(words, RootRule::Single, Crossing::Forbidden)).collect();
    let mut bank: Vec<Sentence> = (0..sentences)
        .map(|_| {
            let words = rng.random_range(1..=6);
            let of_length = &trees[words - 1];
            let tags = random_tags(words, symbols, rng);
            sentence(&tags, Some(&of_length[rng.random_range(0..of_length.len())]))
        })
        .collect();
    // All symbols in order, so that a symbol's id is its number.
    let all: Vec<usize> = (0..symbols).collect();
    let chain: Vec<Head> = (0..symbols).map(|number| Head::from_number(number).unwrap()).collect();
    bank.insert(0, sentence(&all, Some(&chain)));
    bank
}

fn symbols(count: usize) -> Symbols {
    let all: Vec<usize> = (0..count).collect();
    Symbols::of_sentences(&[sentence(&all, None)], Alphabet::Upos, 1).unwrap()
}

fn labels(count: usize) -> Labels {
    Labels::learn(count, std::iter::empty())
}

/// Random operators, possibly negative.
fn random_latent(states: usize, symbols: usize, rng: &mut ChaCha8Rng) -> LatentAutomaton {
    let mut draw =
        |count: usize, low: f64| (0..count).map(|_| rng.random_range(low..0.6)).collect::<Vec<f64>>();
    LatentAutomaton {
        initial: draw(states, 0.1),
        terminal: draw(states, 0.1),
        spectrum: Vec::new(),
        symbols: (0..symbols as u32).filter(|symbol| symbol % 5 != 4).collect(),
        operators: draw((0..symbols).filter(|symbol| symbol % 5 != 4).count() * states * states, -0.1),
    }
}

fn learn(bank: &[Sentence], tags: TagModel, lexical: Option<LexicalConfig>) -> HeadAutomata {
    let config =
        HeadAutomataConfig { alphabet: Alphabet::Upos, tags, lexical, ..HeadAutomataConfig::default() };
    HeadAutomataLearner { config }.learn(bank, &mut Silent).unwrap().model
}

const DOUBLE: ParserConfig =
    ParserConfig { objective: Objective::LogMarginals, floor: 1e-6, precision: Precision::Double };

/// Compares the sum over trees and all marginals with enumeration.
fn check_against_enumeration(model: &HeadAutomata, symbols: usize, rng: &mut ChaCha8Rng) {
    let parser = Parser::new(model, DOUBLE);
    let single = Parser::new(model, ParserConfig::default());
    let mut scratch = Scratch::default();
    for words in 1..=6 {
        let trees = all_trees(words, RootRule::Single, Crossing::Forbidden);
        for _ in 0..4 {
            let sentence = sentence(&random_tags(words, symbols, rng), None);
            let mut sum = 0.0;
            let mut arcs = vec![0.0; (words + 1) * words];
            for heads in &trees {
                let tree = DependencyTree::new(heads.clone(), RootRule::Single).unwrap();
                let value = model.tree_score(&Word::of_sentence(&sentence), &tree).unwrap().value();
                sum += value;
                heads.iter().enumerate().for_each(|(word, head)| arcs[head.number() * words + word] += value);
            }
            let found = parser.marginals(&Word::of_sentence(&sentence), &mut scratch);
            assert_eq!(found.decider == Decider::Whole, sum > 0.0, "{words} words: {sum}");
            if sum <= 0.0 {
                continue;
            }
            assert!(
                (found.log_partition - sum.ln()).abs() < 1e-9,
                "{words} words: {} {}",
                found.log_partition,
                sum.ln()
            );
            let rounded = single.marginals(&Word::of_sentence(&sentence), &mut scratch);
            if rounded.decider == Decider::Whole {
                let largest = found.values.iter().fold(1.0_f64, |top, value| top.max(value.abs()));
                for (rounded, found) in rounded.values.iter().zip(&found.values) {
                    assert!((rounded - found).abs() < 1e-3 * largest, "{rounded} for {found}");
                }
            }
            for (found, arc) in found.values.iter().zip(&arcs) {
                assert!(
                    (found - arc / sum).abs() < 1e-9 * (1.0 + (arc / sum).abs()),
                    "{found} for {}",
                    arc / sum
                );
            }
        }
    }
}

#[test]
fn inference_equals_enumeration_of_all_projective_trees() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let size = 5;
    for states in [1, 2, 5, 9, 16] {
        let deterministic = Deterministic::learn(
            &symbols(size),
            &ModifierCounts::new(
                vec![SequenceCounts::of(size, [[0, 1]]).unwrap(); 2 * size],
                vec![1.0; size],
            )
            .unwrap(),
            Memory::First,
            0.5,
        );
        let latent = (0..2 * size).map(|_| random_latent(states, size, &mut rng)).collect();
        let parts = Parts { deterministic, latent, latent_weight: 1.0, deterministic_weight: 0.2 };
        let model = HeadAutomata::new(symbols(size), labels(size), parts, None, vec![2.0; size]);
        check_against_enumeration(&model, size, &mut rng);
    }
}

#[test]
fn inference_with_words_equals_enumeration() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let bank = treebank(200, 5, &mut rng);
    for (memory, geometry, clusters) in [
        (Memory::Nothing, Geometry::Ignore, None),
        (Memory::First, Geometry::Use, None),
        (Memory::FirstCoordinationPunctuation, Geometry::Use, Some(clusters())),
    ] {
        let lexical = LexicalConfig {
            memory,
            geometry,
            clusters,
            weights: LexicalWeights { tags: 0.4, words: 0.7, places: 1.1, clusters: 0.3, neighbours: 0.6 },
            ..LexicalConfig::default()
        };
        let spectral =
            TagModel::Spectral(SpectralConfig { states: 3, mixture: 1.0, ..SpectralConfig::default() });
        for tags in [TagModel::None, TagModel::Deterministic(Memory::First), spectral] {
            check_against_enumeration(&learn(&bank, tags, Some(lexical.clone())), 5, &mut rng);
        }
    }
}

#[test]
fn the_most_probable_tree_is_that_of_enumeration() {
    let mut rng = ChaCha8Rng::seed_from_u64(14);
    let bank = treebank(200, 5, &mut rng);
    let words_of = |memory| LexicalConfig {
        memory,
        geometry: Geometry::Use,
        weights: LexicalWeights { tags: 0.4, words: 0.7, places: 1.1, clusters: 0.3, neighbours: 0.6 },
        ..LexicalConfig::default()
    };
    let (nothing, first) = (Memory::Nothing, Memory::First);
    let mut models = vec![
        learn(&bank, TagModel::Deterministic(nothing), None),
        learn(&bank, TagModel::Deterministic(first), None),
        learn(&bank, TagModel::Deterministic(first), Some(words_of(nothing))),
    ];
    models.extend(
        [nothing, first, Memory::FirstCoordinationPunctuation]
            .map(|memory| learn(&bank, TagModel::None, Some(words_of(memory)))),
    );
    let config = ParserConfig { objective: Objective::Probability, ..ParserConfig::default() };
    let (mut scratch, mut other) = (Scratch::default(), 0);
    for model in &models {
        assert!(model.is_deterministic());
        let parser = Parser::new(model, config);
        for words in 1..=6 {
            let trees = all_trees(words, RootRule::Single, Crossing::Forbidden);
            for _ in 0..4 {
                let sentence = sentence(&random_tags(words, 5, &mut rng), None);
                let seen = Word::of_sentence(&sentence);
                let score = |heads: &[Head]| {
                    let tree = DependencyTree::new(heads.to_vec(), RootRule::Single).unwrap();
                    model.tree_score(&seen, &tree).unwrap().log
                };
                let best = trees.iter().map(|heads| score(heads)).fold(f64::NEG_INFINITY, f64::max);
                let parse = &parser.parse_best(&seen, 1, &mut scratch)[0];
                assert!(
                    (score(&parse.heads) - best).abs() < 1e-9,
                    "{words} words: {} for {best}",
                    parse.score
                );
                assert_eq!(parse.score, score(&parse.heads));
                let usual = Parser::new(model, DOUBLE).parse(&seen, &mut scratch);
                other += usize::from(usual.heads != parse.heads);
            }
        }
    }
    assert!(other > 10, "marginals choose other trees in {other} sentences only");
    // Hidden states: no such search, and the usual tree.
    let hidden = learn(&bank, TagModel::Em(EmConfig { states: 2, ..EmConfig::default() }), None);
    let sentence = sentence(&[0, 1, 2, 3], None);
    let seen = Word::of_sentence(&sentence);
    assert!(!hidden.is_deterministic());
    let found = Parser::new(&hidden, config).parse(&seen, &mut scratch);
    assert_eq!(found, Parser::new(&hidden, ParserConfig::default()).parse(&seen, &mut scratch));
}

#[test]
fn marginals_of_a_word_sum_to_one() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let bank = treebank(300, 6, &mut rng);
    for (tags, sizes) in [
        (TagModel::Deterministic(Memory::Nothing), vec![1, 2, 9, 40]),
        (
            TagModel::Spectral(SpectralConfig { states: 3, mixture: 0.3, ..SpectralConfig::default() }),
            vec![1, 2, 9, 40],
        ),
        (TagModel::Em(EmConfig { states: 4, ..EmConfig::default() }), vec![300]),
    ] {
        let model = learn(&bank, tags, None);
        let parser = Parser::new(&model, DOUBLE);
        let mut scratch = Scratch::default();
        for words in sizes {
            let sentence = sentence(&random_tags(words, 6, &mut rng), None);
            let marginals = parser.marginals(&Word::of_sentence(&sentence), &mut scratch);
            assert!(marginals.log_partition.is_finite());
            for word in 0..words {
                let sum: f64 = (0..=words).map(|head| marginals.get(head, word)).sum();
                assert!((sum - 1.0).abs() < 1e-6, "{words} words: {sum}");
            }
        }
    }
}

#[test]
fn long_and_unlikely_sentences_keep_in_range() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let bank = treebank(300, 6, &mut rng);
    let lexical = Some(LexicalConfig { weights: LexicalWeights::all(2.0), ..LexicalConfig::default() });
    for lexical in [None, lexical] {
        let mut model = learn(&bank, TagModel::Deterministic(Memory::First), lexical);
        // Scales that are off by ten orders of magnitude per word.
        for factor in [1.0, 1e10, 1e-20] {
            model.scales.iter_mut().for_each(|scale| *scale *= factor);
            let parser = Parser::new(&model, ParserConfig::default());
            let mut scratch = Scratch::default();
            for tags in [vec![5; 120], random_tags(300, 6, &mut rng)] {
                let parse = parser.parse(&Word::of_sentence(&sentence(&tags, None)), &mut scratch);
                assert_eq!((parse.decider, parse.floored), (Decider::Whole, 0));
                assert!(DependencyTree::new(parse.heads, RootRule::Single).unwrap().is_projective());
            }
        }
    }
}

#[test]
fn sentences_beyond_the_limit_are_parsed_in_pieces() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let model = learn(&treebank(200, 6, &mut rng), TagModel::Deterministic(Memory::First), None);
    let parser = Parser::new(&model, ParserConfig::default());
    let long = sentence(&random_tags(super::MAX_WORDS + 7, 6, &mut rng), None);
    let words = Word::of_sentence(&long);
    let parse = parser.parse(&words, &mut Scratch::default());
    assert_eq!((parse.decider, parse.heads.len()), (Decider::Pieces, words.len()));
    assert!(DependencyTree::new(parse.heads.clone(), RootRule::Single).unwrap().is_projective());
    let best = parser.parse_best(&words, 3, &mut Scratch::default());
    assert_eq!((best.len(), &best[0].heads), (1, &parse.heads));
    assert!(parser.parse_best(&[], 3, &mut Scratch::default()).is_empty());
    let few = parser.parse_best(&words[..5], 3, &mut Scratch::default());
    assert_eq!(few.len(), 3);
    assert_eq!(few[0].heads, parser.parse(&words[..5], &mut Scratch::default()).heads);
    assert!(few[0].score >= few[1].score && few[1].score >= few[2].score);
}

/// Automata of sequences of at most two symbols, with two hidden states in between: four states in total, with moments
/// in closed form.
fn short_automaton(symbols: usize, rng: &mut ChaCha8Rng) -> LatentAutomaton {
    let simplex = |size: usize, total: f64, rng: &mut ChaCha8Rng| -> Vec<f64> {
        let draws: Vec<f64> = (0..size).map(|_| rng.random_range(0.05..1.0)).collect();
        let sum: f64 = draws.iter().sum();
        draws.iter().map(|draw| total * draw / sum).collect()
    };
    let stop = rng.random_range(0.2..0.6);
    let first = simplex(2 * symbols, 1.0 - stop, rng);
    let stops = [rng.random_range(0.2..0.8), rng.random_range(0.2..0.8)];
    let second = stops.map(|stop| simplex(symbols, 1.0 - stop, rng));
    let mut operators = vec![0.0; symbols * 16];
    for symbol in 0..symbols {
        let operator = &mut operators[symbol * 16..][..16];
        for hidden in 0..2 {
            operator[(1 + hidden) * 4] = first[2 * symbol + hidden];
            operator[3 * 4 + 1 + hidden] = second[hidden][symbol];
        }
    }
    LatentAutomaton {
        initial: vec![1.0, 0.0, 0.0, 0.0],
        terminal: vec![stop, stops[0], stops[1], 1.0],
        spectrum: Vec::new(),
        symbols: (0..symbols as u32).collect(),
        operators,
    }
}

#[test]
fn population_moments_give_the_automata_back() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let size = 6;
    let truth: Vec<LatentAutomaton> = (0..2 * size).map(|_| short_automaton(size, &mut rng)).collect();
    let root: Vec<f64> = (0..size).map(|symbol| (symbol + 1) as f64).collect();
    let model = |latent: Vec<LatentAutomaton>| {
        let mut deterministic = Deterministic::indifferent(size);
        deterministic.root.copy_from_slice(&root);
        let parts = Parts { deterministic, latent, latent_weight: 1.0, deterministic_weight: 0.0 };
        HeadAutomata::new(symbols(size), labels(size), parts, None, vec![10.0; size])
    };
    let known = model(truth);
    let mut strings = vec![Vec::new()];
    for first in 0..size as u32 {
        strings.push(vec![first]);
        strings.extend((0..size as u32).map(|second| vec![first, second]));
    }
    let automata = (0..2 * size).map(|automaton| {
        let weighted = strings.iter().map(|string| {
            let numbers: Vec<usize> = string.iter().map(|&symbol| symbol as usize).collect();
            (string.clone(), known.operators.value(automaton, &numbers))
        });
        SequenceCounts::new(size, weighted).unwrap()
    });
    let counts = ModifierCounts::new(automata.collect(), root.clone()).unwrap();
    let mut silent = Silent;
    let config = SpectralConfig {
        states: 4,
        mixture: 0.0,
        min_sequences: 0.0,
        shrinkage: 0.0,
        ..SpectralConfig::default()
    };
    let latent = super::spectral::learn(&counts, &config, &mut Progress::new(&mut silent)).unwrap();
    let learnt = model(latent);
    strings.extend([vec![0, 1, 2], vec![3, 3, 3, 3]]);
    for automaton in 0..2 * size {
        for string in &strings {
            let numbers: Vec<usize> = string.iter().map(|&symbol| symbol as usize).collect();
            let (known, learnt) =
                (known.operators.value(automaton, &numbers), learnt.operators.value(automaton, &numbers));
            assert!((known - learnt).abs() < 1e-8, "{string:?}: {learnt} for {known}");
        }
    }
    let mut scratch = Scratch::default();
    for words in [1, 2, 5, 12] {
        let sentence = sentence(&random_tags(words, size, &mut rng), None);
        let of = |model: &HeadAutomata, scratch: &mut Scratch| {
            Parser::new(model, DOUBLE).marginals(&Word::of_sentence(&sentence), scratch)
        };
        let (known, learnt) = (of(&known, &mut scratch), of(&learnt, &mut scratch));
        assert!((known.log_partition - learnt.log_partition).abs() < 1e-8);
        for (known, learnt) in known.values.iter().zip(&learnt.values) {
            assert!((known - learnt).abs() < 1e-8);
        }
    }
}

#[test]
fn one_hidden_state_is_det() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let bank = treebank(200, 4, &mut rng);
    let em = learn(&bank, TagModel::Em(EmConfig { states: 1, mixture: 0.0, ..EmConfig::default() }), None);
    let counts = counts_of(&bank, &em);
    let det = Deterministic::learn(&em.symbols, &counts, Memory::Nothing, 0.0);
    for automaton in 0..8 {
        for string in [&[][..], &[0], &[1, 2], &[3, 3, 0]] {
            let (em, det) = (em.operators.value(automaton, string), det.probability(automaton, string));
            assert!((em - det).abs() < 1e-9, "{string:?}: {em} for {det}");
        }
    }
}

fn counts_of(bank: &[Sentence], model: &HeadAutomata) -> ModifierCounts {
    let trees: Vec<(Vec<_>, DependencyTree)> = bank
        .iter()
        .map(|sentence| {
            let mut encoded = Vec::new();
            model.symbols.encode(&Word::of_sentence(sentence), &mut encoded);
            (encoded, DependencyTree::from_sentence(sentence, RootRule::Single).unwrap())
        })
        .collect();
    let trees = trees.iter().map(|(symbols, tree)| (&symbols[..], tree));
    ModifierCounts::of_trees(model.symbols.len(), trees).unwrap().0
}

#[test]
fn the_likelihood_of_em_never_falls() {
    let mut rng = ChaCha8Rng::seed_from_u64(10);
    let bank = treebank(300, 5, &mut rng);
    let mut last = f64::NEG_INFINITY;
    for steps in [1, 2, 3, 5, 10, 40] {
        let em = TagModel::Em(EmConfig { states: 3, steps, mixture: 0.0, ..EmConfig::default() });
        let model = learn(&bank, em, None);
        let counts = counts_of(&bank, &model);
        let mut sum = 0.0;
        for automaton in 0..10 {
            for (sequence, count) in counts.automaton(automaton).iter() {
                let numbers: Vec<usize> = sequence.iter().map(|&symbol| symbol as usize).collect();
                sum += count * model.operators.value(automaton, &numbers).ln();
            }
        }
        assert!(sum >= last - 1e-9, "after {steps} steps {sum}, before {last}");
        last = sum;
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let bank = treebank(300, 6, &mut rng);
    for tags in [TagModel::Spectral(SpectralConfig::default()), TagModel::Em(EmConfig::default())] {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let model = learn(&bank, tags.clone(), Some(LexicalConfig::default()));
                let share = attachment(&model, ParserConfig::default(), &bank);
                (model.parts, share)
            })
        };
        assert_eq!(run(1), run(3));
    }
}

#[test]
fn models_come_back_from_their_files() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let bank = treebank(200, 6, &mut rng);
    let all =
        LexicalConfig { geometry: Geometry::Use, clusters: Some(clusters()), ..LexicalConfig::default() };
    for lexical in [None, Some(LexicalConfig::default()), Some(all)] {
        let model = learn(&bank, TagModel::Spectral(SpectralConfig::default()), lexical);
        let file = model.to_bytes().unwrap();
        let read = HeadAutomata::from_bytes(file.clone()).unwrap();
        assert_eq!(read.parts, model.parts);
        let mut scratch = Scratch::default();
        for sentence in &bank {
            let parse = |model: &HeadAutomata, scratch: &mut Scratch| {
                Parser::new(model, ParserConfig::default()).parse(&Word::of_sentence(sentence), scratch)
            };
            assert_eq!(parse(&read, &mut scratch), parse(&model, &mut scratch));
        }
        let again = read.to_bytes().unwrap();
        assert!(again == file, "a model that was read is written as it was");
    }
}

#[test]
fn sequences_of_all_directions_are_counted() {
    let tree = [2, 0, 2, 3].map(|number| Head::from_number(number).unwrap());
    let bank = [sentence(&[2, 3, 4, 2], Some(&tree))];
    let model = learn(&bank, TagModel::Deterministic(Memory::First), None);
    let counts = counts_of(&bank, &model);
    assert_eq!(counts.of(1, Direction::Left).collect::<Vec<_>>(), [(&[0][..], 1.0)]);
    assert_eq!(counts.of(1, Direction::Right).collect::<Vec<_>>(), [(&[2][..], 1.0)]);
    assert_eq!(counts.of(2, Direction::Right).collect::<Vec<_>>(), [(&[0][..], 1.0)]);
    assert_eq!(counts.of(0, Direction::Left).collect::<Vec<_>>(), [(&[][..], 2.0)]);
    assert_eq!((counts.root(), counts.total()), (&[0.0, 1.0, 0.0][..], 8.0));
}
