//! Models as `inspect` shows them: typed values, their JSON, and requests that a model cannot answer.

use std::num::NonZeroUsize;

use eigentree::Model;
use eigentree::config::{HeadAutomataConfig, LpcfgConfig, PcfgConfig, Quality};
use eigentree::data::{ConlluReader, Sentence};
use eigentree::files::open_model;
use eigentree::inspection::{
    ClusterSelection, Contents, FileDescription, InspectionError, Request, Topic, automaton_graphs,
};
use eigentree::learn::Silent;
use eigentree::sampling::sample_english;
use eigentree::training::{HeadAutomataJob, Job, LpcfgJob, PcfgJob};

fn pcfg() -> Model {
    PcfgJob::new(PcfgConfig::default()).run(&sample_english(200, 1), None, &mut Silent).unwrap().model.into()
}

#[test]
fn shares_of_all_rules_sum_to_one() {
    let model = pcfg();
    let contents = model.inspect(&Request::default().symbol("NP").symbol("NN").top(usize::MAX)).unwrap();
    let Contents::Grammar(grammar) = &contents else { panic!("{contents:?}") };
    assert_eq!(grammar.member, None);
    assert_eq!(grammar.symbols.len(), 2);
    for list in grammar.symbols.iter().flat_map(|symbol| &symbol.expansions) {
        assert_eq!(list.count, list.top.len());
        assert!(list.top.is_sorted_by(|one, other| one.share >= other.share), "{list:?}");
        // The rest of the words' probability belongs to unknown words.
        let sum: f64 = list.top.iter().map(|expansion| expansion.share).sum();
        assert!((sum - 1.0).abs() < 1e-5, "{sum}: {list:?}");
    }
    let json = contents.to_json();
    assert_eq!(json["symbols"]["NN"]["words"]["count"], grammar.symbols[1].expansions[0].count);
    assert!(json["figures"]["binary rules"].as_u64().is_some_and(|rules| rules > 10), "{json}");
}

#[test]
fn members_have_states() {
    let job = LpcfgJob::new(LpcfgConfig::quality(Quality::Fast));
    let trained = job.run(&sample_english(300, 1), None, &mut Silent).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.eig");
    let bytes = trained.save_to(&path).unwrap();
    let file = FileDescription::of(&open_model(&path).unwrap());
    assert!(file.has_model() && file.bytes as u64 == bytes, "{file:?}");
    assert_eq!(file.to_json()["family"], "lpcfg");
    assert_eq!(file.to_json()["sections"].as_array().unwrap().len(), file.sections.len());

    let model = Model::open(&path).unwrap();
    let overview = model.inspect(&Request::default().top(3)).unwrap();
    assert_eq!(overview.to_json()["latent"].as_array().unwrap().len(), 3);
    let contents = model.inspect(&Request::default().symbol("NP")).unwrap();
    let Contents::Grammar(grammar) = &contents else { panic!("{contents:?}") };
    assert_eq!((grammar.member, grammar.symbols[0].latent.len()), (Some(1), 1));
    assert!(contents.to_json()["symbols"]["NP"]["latent"][0]["states"].as_u64().unwrap() > 1);
    let Model::Lpcfg(lpcfg) = &model else { panic!("{}", model.description()) };
    let members = lpcfg.members();
    let next = Request::default().member(NonZeroUsize::new(members + 1).unwrap());
    assert_eq!(model.inspect(&next), Err(InspectionError::NoMember { asked: members + 1, members }));
}

#[test]
fn requests_that_do_not_apply_are_refused() {
    let model = pcfg();
    let refused = |request: Request| model.inspect(&request).unwrap_err();
    assert_eq!(refused(Request::default().word("the")), InspectionError::NotApplicable(Topic::Clusters));
    assert_eq!(
        refused(Request::default().member(NonZeroUsize::MIN)),
        InspectionError::NotApplicable(Topic::Members)
    );
    let unknown = refused(Request::default().symbol("np")).to_string();
    assert!(unknown.contains("unknown symbol `np`") && unknown.contains("case-sensitive"), "{unknown}");
}

#[test]
fn clusters_around_a_word_begin_with_its_own() {
    use eigentree::clustering::{GatherConfig, gather, learn};
    use eigentree::config::ClusterConfig;
    use eigentree::corpus::cooccurrence::CountConfig;
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("a.txt");
    std::fs::write(&text, "the dog barks\na dog sleeps\nthe cat sleeps\na cat barks\n".repeat(5)).unwrap();
    let config = ClusterConfig { clusters: 3, ..ClusterConfig::default() };
    let count = CountConfig { distance: config.distance(), ..CountConfig::default() };
    let counting = GatherConfig { count, ..GatherConfig::default() };
    let gathered = gather(&[&text], &counting, &mut Silent).unwrap();
    let model = Model::from(learn(gathered.counted, &config, &mut Silent).unwrap().model);
    let Contents::Clusters(shown) = model.inspect(&Request::default().word("dog").prefix(1)).unwrap() else {
        panic!("{}", model.description())
    };
    let [cut, around] = &shown.shown[..] else { panic!("{shown:?}") };
    assert_eq!(cut.selection, ClusterSelection::Cut { prefix: 1 });
    let words = |groups: &[eigentree::inspection::ClusterGroup]| -> usize {
        groups.iter().map(|group| group.words).sum()
    };
    assert_eq!(words(&cut.clusters), words(&around.clusters), "both show the whole tree");
    assert!(around.clusters[0].top.contains(&"dog".to_owned()), "{around:?}");
    let own = around.clusters[0].path.clone();
    let Contents::Clusters(below) = model.inspect(&Request::default().cluster(&own)).unwrap() else {
        panic!("{}", model.description())
    };
    assert_eq!(below.shown[0].clusters[..], around.clusters[..1]);
    assert_eq!(shown.to_json()["shown"][1]["known"], true);
    assert_eq!(
        model.inspect(&Request::default().cluster("2")),
        Err(InspectionError::NoCluster("2".to_owned()))
    );
}

#[test]
fn head_automata_have_spectra_and_graphs() {
    let text = include_str!("../../examples/data/small.conllu");
    let sentences: Vec<Sentence> =
        ConlluReader::new(text.as_bytes(), "small.conllu").collect::<Result<_, _>>().unwrap();
    let job = HeadAutomataJob::new(HeadAutomataConfig::default());
    let automata = job.run(&sentences, None, &mut Silent).unwrap().model;
    let Contents::HeadAutomata(listed) = Model::from(automata.clone()).inspect(&Request::default()).unwrap()
    else {
        panic!("not of its own family")
    };
    let verb = listed
        .automata
        .iter()
        .find(|automaton| automaton.symbol.starts_with("VERB"))
        .expect("there are verbs");
    let request = Request::default().symbol(&verb.symbol);
    let graphs = automaton_graphs(&automata, &request, &sentences).unwrap();
    assert!(!graphs.is_empty());
    for graph in &graphs {
        assert!(graph.dot.starts_with("digraph") && graph.svg.contains("<svg"), "{graph:?}");
        assert!(graph.file_stem().starts_with("VERB"), "{}", graph.file_stem());
    }
    let model = Model::from(automata);
    let Contents::HeadAutomata(shown) = model.inspect(&request).unwrap() else {
        panic!("{}", model.description())
    };
    assert_eq!(shown.automata.len(), 2);
    assert!(shown.to_json()["automata"][0]["singular_values"].is_array());
    assert!(model.inspect(&Request::default().symbol("verb")).is_err());
}
