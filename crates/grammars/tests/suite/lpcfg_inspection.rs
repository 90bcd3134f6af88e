//! Where the hidden states of a treebank are known, inspection must show them.

use corpus::synthetic::{grammar_text, sample_treebank};
use eigentree_grammars::grammar::SymbolKind;
use eigentree_grammars::lpcfg::{
    Direction, Inspection, Latent, LatentState, Lpcfg, LpcfgConfig, LpcfgLearner, Method, Poles,
    SmoothingConfig, SpectralConfig, Typical,
};
use eigentree_grammars::pcfg::PcfgConfig;
use models::learn::{Learner, Silent};
use models::persist::ModelFile;

/// Subjects and objects differ in their rules and in their nouns.
const GRAMMAR: &str = "\
%root S
S -> NP[subject] VP
VP -> VBD NP[object]
NP[subject] -> 4 PRP$ NN[person] | 1 DT NN[person]
NP[object] -> 1 CD NNS | 1 DT NN[thing]
VBD => saw found
PRP$ => my your
DT => the a
CD => two three
NNS => boxes keys
NN[person] => teacher:3 friend:1
NN[thing] => stone:1 book:1
";

fn learn(method: Method) -> Lpcfg {
    let trees = sample_treebank(&grammar_text::parse(GRAMMAR).unwrap(), 1500, 3).unwrap();
    let config = LpcfgConfig {
        grammar: PcfgConfig::default(),
        members: vec![method],
        smoothing: SmoothingConfig::none(),
        ..LpcfgConfig::default()
    };
    LpcfgLearner { config }.learn(&trees, &mut Silent).unwrap().model
}

fn spectral() -> SpectralConfig {
    SpectralConfig { states: 2, ..SpectralConfig::default() }
}

fn states<'a, 'm>(inspection: &'a Inspection<'m>) -> &'a [LatentState<'m>] {
    match &inspection.latent {
        Latent::States(states) => states,
        Latent::Directions(_) => panic!("directions instead of states"),
    }
}

fn find<'a, 'm>(events: &'a [Typical<'m>], name: &str) -> &'a Typical<'m> {
    events
        .iter()
        .find(|x| x.event.to_string() == name)
        .unwrap_or_else(|| panic!("{name} is not in {events:?}"))
}

/// The state with this most typical context.
fn below<'a, 'm>(inspection: &'a Inspection<'m>, context: &str) -> &'a LatentState<'m> {
    let mut states = states(inspection).iter();
    let found = states.find(|state| state.contexts[0].event.to_string() == context);
    found.unwrap_or_else(|| panic!("no state stands below {context}: {inspection:?}"))
}

#[test]
fn clusters_are_the_hidden_states() {
    for steps in [0, 3] {
        let model = learn(Method::Cluster { spectral: spectral(), steps });
        let phrases = model.inspect(0, SymbolKind::Phrase, "NP", 5).unwrap();
        assert_eq!((phrases.symbol.nodes, phrases.symbol.states), (3000.0, 2));
        let (subject, object) = (below(&phrases, "S → NP* VP"), below(&phrases, "VP → VBD NP*"));
        for (state, rule, probability, lift) in
            [(subject, "PRP$ NN", 0.8, 2.0), (object, "CD NNS", 0.5, 2.0), (object, "DT NN", 0.5, 0.5 / 0.35)]
        {
            assert!((state.share - 0.5).abs() < 0.01, "{steps}: {state:?}");
            let found = find(&state.expansions, rule);
            assert!((found.probability - probability).abs() < 0.05, "{steps}: {found:?}");
            assert!((found.lift - lift).abs() < 0.15, "{steps}: {found:?}");
            assert!(state.contexts[0].probability > 0.98, "{steps}: {state:?}");
        }
        assert_eq!(subject.expansions[0].event.to_string(), "PRP$ NN");
        assert_eq!(object.expansions[0].event.to_string(), "CD NNS");

        let nouns = model.inspect(0, SymbolKind::Preterminal, "NN", 2).unwrap();
        let mut words: Vec<Vec<String>> = states(&nouns)
            .iter()
            .map(|state| state.expansions.iter().map(|x| x.event.to_string()).collect())
            .collect();
        words.iter_mut().for_each(|words| words.sort());
        words.sort();
        assert_eq!(words, [["book", "stone"], ["friend", "teacher"]], "{steps}: {nouns:?}");
    }
}

/// Shares and probabilities, summed over states, equal those of the treebank.
#[test]
fn states_are_distributions() {
    let em = Method::Em { states: 3, steps: 4, seed: 5 };
    for method in [Method::Cluster { spectral: spectral(), steps: 0 }, em] {
        let model = learn(method);
        for (kind, label) in [
            (SymbolKind::Phrase, "NP"),
            (SymbolKind::Phrase, "S"),
            (SymbolKind::Preterminal, "NN"),
            (SymbolKind::Preterminal, "DT"),
        ] {
            let inspection = model.inspect(0, kind, label, usize::MAX).unwrap();
            let states = states(&inspection);
            let shares: f64 = states.iter().map(|state| state.share).sum();
            assert!((shares - 1.0).abs() < 1e-5, "{label}: {shares}");
            for list in [|state: &LatentState<'_>| state.expansions.clone(), |state| state.contexts.clone()]
                as [for<'a, 'm> fn(&'a LatentState<'m>) -> Vec<Typical<'m>>; 2]
            {
                for state in states.iter().filter(|state| state.share > 1e-6) {
                    let total: f64 = list(state).iter().map(|x| x.probability).sum();
                    assert!((total - 1.0).abs() < 1e-9, "{label}: {total}");
                }
                for event in list(&states[0]) {
                    let of_state = |state: &LatentState<'_>| {
                        let events = list(state);
                        let found = events.iter().find(|x| x.event == event.event);
                        state.share * found.map_or(0.0, |x| x.probability)
                    };
                    let mixed: f64 = states.iter().map(of_state).sum();
                    let truth = event.count / inspection.symbol.nodes;
                    assert!((mixed - truth).abs() < 1e-3, "{label} {}: {mixed} {truth}", event.event);
                }
            }
        }
        let root = model.inspect(0, SymbolKind::Phrase, "S", 9).unwrap();
        assert!(states(&root)[0].contexts.iter().all(|x| x.event.to_string() == "root of the tree"));
    }
}

#[test]
fn a_direction_tells_the_hidden_states_apart() {
    let model = learn(Method::Spectral(spectral()));
    let inspection = model.inspect(0, SymbolKind::Phrase, "NP", 2).unwrap();
    let Latent::Directions(directions) = &inspection.latent else { panic!("no directions") };
    assert_eq!(directions.len(), 2);
    let spectrum = inspection.symbol.spectrum.unwrap();
    assert_eq!(directions[1].singular_value, Some(spectrum.last()));
    assert!(spectrum.ratio() > 0.1 && spectrum.supported_rank() >= 2, "{spectrum:?}");
    // Both views agree on the two ends, whatever the sign.
    let Direction { expansions, contexts, .. } = &directions[1];
    let first = |poles: &Poles<'_>| [&poles.positive, &poles.negative].map(|pole| pole[0].event.to_string());
    let (mut rules, mut above) = (first(expansions), first(contexts));
    if above[0] != "S → NP* VP" {
        rules.reverse();
        above.reverse();
    }
    assert_eq!(above, ["S → NP* VP", "VP → VBD NP*"]);
    assert_eq!(rules, ["PRP$ NN", "CD NNS"]);
}

#[test]
fn what_is_not_there_is_none_and_files_keep_what_is() {
    let model = learn(Method::Cluster { spectral: spectral(), steps: 1 });
    assert!(model.inspect(1, SymbolKind::Phrase, "NP", 5).is_none());
    assert!(model.inspect(0, SymbolKind::Preterminal, "NP", 5).is_none());
    assert!(model.overview(1).is_empty() && model.grammar_of(1).is_none());
    let overview = model.overview(0);
    assert_eq!(overview.len(), model.grammar_of(0).unwrap().symbols().len());
    assert_eq!((overview[0].label, overview[0].nodes), ("NP", 3000.0));
    assert!(overview.is_sorted_by(|one, other| one.nodes >= other.nodes));

    let bytes = model.to_bytes().unwrap();
    let loaded = Lpcfg::from_bytes(bytes).unwrap();
    assert_eq!(loaded.overview(0), overview);
    for symbol in &overview {
        let of = |model| Lpcfg::inspect(model, 0, symbol.kind, symbol.label, 4);
        assert_eq!(of(&loaded), of(&model));
    }
}
