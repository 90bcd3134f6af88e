//! The lexicon on a real treebank: consistent probabilities, and sensible tags for new words.

use std::collections::HashMap;

use crate::treebanks::{learn, load, save, treebank};
use corpus::rare_words::SentencePosition;
use corpus::tree::normal_form::NormalForm;
use eigentree_grammars::lexicon::{Emission, Lexicon, Observation, SentenceEmissions};

/// `p(s)` of a preterminal.
fn prior(lexicon: &Lexicon, tokens: f64, emission: &Emission) -> f64 {
    lexicon.preterminal_count(emission.preterminal) / tokens
}

/// `Σ_s p(w | s) p(s) = p(w)` for every word type, with `p(w)` from the treebank; likewise `Σ p(w | s) p(s) = p(w, t)`
/// over the chains that end in `t`, for each tag that the word was seen with.
#[test]
fn emissions_add_up_to_words() {
    let Some(train) = treebank("gum/train.ptb") else { return };
    let model = learn(&train, NormalForm::default());
    let lexicon = model.lexicon();
    let mut words: HashMap<&str, f64> = HashMap::new();
    let mut pairs: HashMap<(&str, &str), f64> = HashMap::new();
    for tree in &train {
        for (word, tag) in tree.words().zip(tree.tags()) {
            *words.entry(word).or_default() += 1.0;
            *pairs.entry((word, tag)).or_default() += 1.0;
        }
    }
    let tokens: f64 = words.values().sum();
    assert_eq!(lexicon.words().len(), words.len());
    let mass = |observed| {
        let mut emissions = Vec::new();
        lexicon.emissions(observed, SentencePosition::Later, &mut emissions);
        assert!(!emissions.is_empty(), "{observed:?} has no preterminal");
        assert!(emissions.iter().all(|e| e.probability.is_finite() && e.probability > 0.0), "{observed:?}");
        emissions.iter().map(|e| f64::from(e.probability) * prior(lexicon, tokens, e)).sum::<f64>()
    };
    for (&word, &count) in &words {
        let share = mass(Observation::Word(word)) / (count / tokens);
        // Very improbable preterminals are dropped, so a little mass is missing; none is ever added.
        assert!(share < 1.0 + 1e-5 && share > 0.995, "{word}: {share} of its probability");
    }
    for (&(word, tag), &count) in &pairs {
        let share = mass(Observation::Tagged(word, tag)) / (count / tokens);
        assert!((share - 1.0).abs() < 1e-5, "{word}/{tag}: {share} of its probability");
    }
    // A new word is less probable than any word of the treebank, alone or with a tag.
    assert!(mass(Observation::Word("Zxqvian")) < 1.0 / tokens);
    assert!(mass(Observation::Tagged("Zxqvian", "NN")) < 1.0 / tokens);
    // A tag alone has probability 1 under the chains that end in it: the mass is that of the tag.
    let nouns = pairs.iter().filter(|((_, tag), _)| *tag == "NN").map(|(_, count)| count).sum::<f64>();
    assert!((mass(Observation::Tag("NN")) - nouns / tokens).abs() < 1e-6);
}

/// Words that are not in the training set: their suffixes and shapes predict the tag in most cases.
#[test]
fn unknown_words_get_sensible_tags() {
    let (Some(train), Some(dev)) = (treebank("gum/train.ptb"), treebank("gum/dev.ptb")) else { return };
    let model = learn(&train, NormalForm::default());
    let lexicon = model.lexicon();
    let tokens: f64 = train.iter().map(|tree| tree.word_count() as f64).sum();
    let likeliest = |word: &str, position: SentencePosition| {
        let mut emissions = Vec::new();
        lexicon.emissions(Observation::Word(word), position, &mut emissions);
        let mut tags: HashMap<&str, f64> = HashMap::new();
        for emission in &emissions {
            let tag = lexicon.tags().text(lexicon.tag_of(emission.preterminal));
            *tags.entry(tag).or_default() +=
                f64::from(emission.probability) * prior(lexicon, tokens, emission);
        }
        tags.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(a.0))).unwrap().0.to_owned()
    };
    for (word, tag) in [
        ("blorfing", "VBG"),
        ("unglamorously", "RB"),
        ("Kvistgaard", "NNP"),
        ("zmblings", "NNS"),
        ("1,234,567", "CD"),
        ("blorfization", "NN"),
        ("re-blorfed", "VBN"),
    ] {
        assert_eq!(likeliest(word, SentencePosition::Later), tag, "{word}");
    }
    let (mut known, mut unknown) = ((0, 0), (0, 0));
    for tree in &dev {
        for (position, (word, tag)) in tree.words().zip(tree.tags()).enumerate() {
            let position = SentencePosition::of(position);
            let is_known = lexicon.words().get(word).is_some();
            let counter = if is_known { &mut known } else { &mut unknown };
            counter.0 += usize::from(likeliest(word, position) == tag);
            counter.1 += 1;
        }
    }
    eprintln!("likeliest tags without context: {known:?} of known words right, {unknown:?} of new ones");
    assert!(known.0 * 100 > known.1 * 88, "{known:?}");
    assert!(unknown.0 * 100 > unknown.1 * 60, "{unknown:?}");
}

/// The tag with the largest share of `p(w | s) p(s)`.
fn best_tag<'l>(lexicon: &'l Lexicon, emissions: &[Emission]) -> &'l str {
    let mut shares: HashMap<&str, f64> = HashMap::new();
    for emission in emissions {
        let tag = lexicon.tags().text(lexicon.tag_of(emission.preterminal));
        *shares.entry(tag).or_default() += prior(lexicon, 1.0, emission) * f64::from(emission.probability);
    }
    shares.into_iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(a.0))).unwrap().0
}

/// In a sentence the neighbouring words inform the tag. Each word keeps its probability, and a saved lexicon gives the
/// same results.
#[test]
fn neighbours_tell_tags() {
    let (Some(train), Some(dev)) = (treebank("gum/train.ptb"), treebank("gum/dev.ptb")) else { return };
    let model = learn(&train, NormalForm::default());
    let loaded = load(save(&model));
    let lexicon = model.lexicon();
    let tokens: f64 = train.iter().map(|tree| tree.word_count() as f64).sum();
    let (mut known, mut unknown) = ((0, 0), (0, 0));
    let (mut emissions, mut again) = (SentenceEmissions::default(), SentenceEmissions::default());
    let mut alone = Vec::new();
    for tree in &dev {
        let sentence: Vec<_> = tree.words().map(Observation::Word).collect();
        lexicon.emissions_of_sentence(&sentence, &mut emissions);
        loaded.lexicon().emissions_of_sentence(&sentence, &mut again);
        assert_eq!(emissions.words(), sentence.len());
        for (at, (word, tag)) in tree.words().zip(tree.tags()).enumerate() {
            let here = emissions.word(at);
            assert_eq!(here, again.word(at), "{word}, after saving and loading");
            assert!(
                !here.is_empty() && here.iter().all(|e| e.probability.is_finite() && e.probability > 0.0)
            );
            let mass = |all: &[Emission]| {
                all.iter().map(|e| f64::from(e.probability) * prior(lexicon, tokens, e)).sum::<f64>()
            };
            alone.clear();
            lexicon.emissions(sentence[at], SentencePosition::of(at), &mut alone);
            let share = mass(here) / mass(&alone);
            assert!(share > 0.98 && share < 1.02, "{word}: {share} of its probability");
            let counter = if lexicon.words().get(word).is_some() { &mut known } else { &mut unknown };
            counter.0 += usize::from(best_tag(lexicon, here) == tag);
            counter.1 += 1;
        }
    }
    eprintln!("likeliest tags in context: {known:?} of known words right, {unknown:?} of new ones");
    assert!(known.0 * 100 > known.1 * 95, "{known:?}");
    assert!(unknown.0 * 100 > unknown.1 * 80, "{unknown:?}");
}

/// A given tag restricts its word and informs the neighbouring words.
#[test]
fn tags_given_for_some_words() {
    let Some(train) = treebank("gum/train.ptb") else { return };
    let model = learn(&train, NormalForm::default());
    let lexicon = model.lexicon();
    let emit = |sentence: &[Observation<'_>]| {
        let mut out = SentenceEmissions::default();
        lexicon.emissions_of_sentence(sentence, &mut out);
        out
    };
    use Observation::{Tag, Tagged, Word};
    let (noun, verb) = (
        emit(&[Word("They"), Tagged("plan", "NN"), Word("works")]),
        emit(&[Word("They"), Tagged("plan", "VBP"), Word("works")]),
    );
    let tags = |word: &[Emission]| -> Vec<&str> {
        word.iter().map(|e| lexicon.tags().text(lexicon.tag_of(e.preterminal))).collect()
    };
    assert!(
        tags(noun.word(1)).iter().all(|&tag| tag == "NN")
            && tags(verb.word(1)).iter().all(|&tag| tag == "VBP")
    );
    assert!(tags(noun.word(2)).contains(&"VBZ") && tags(noun.word(2)).contains(&"NNS"));
    assert_ne!(noun.word(2), verb.word(2), "the neighbour of a tagged word sees the tag");
    // The treebank decides which reading of `works` is more likely; after a noun it is a verb more often.
    let share = |word: &[Emission], tag: &str| {
        let mass = |e: &&Emission| prior(lexicon, 1.0, e) * f64::from(e.probability);
        let of_tag = |e: &&Emission| lexicon.tags().text(lexicon.tag_of(e.preterminal)) == tag;
        word.iter().filter(of_tag).map(|e| mass(&e)).sum::<f64>() / word.iter().map(|e| mass(&e)).sum::<f64>()
    };
    let (after_noun, after_verb) = (share(noun.word(2), "VBZ"), share(verb.word(2), "VBZ"));
    eprintln!("`works` is a verb: {after_noun} after a noun, {after_verb} after a verb");
    assert!(after_noun > 1.5 * after_verb, "{after_noun} {after_verb}");
    // Tags without words, and unknown tags, among words.
    let mixed =
        emit(&[Tag("DT"), Tagged("plan", "NO-SUCH-TAG"), Word("works"), Tag("NO-SUCH-TAG"), Word("")]);
    assert!(mixed.iter().all(|word| !word.is_empty()));
    assert!(tags(mixed.word(0)).iter().all(|&tag| tag == "DT"));
    assert_eq!(mixed.iter().count(), 5);
}
