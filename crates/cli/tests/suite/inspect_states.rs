//! Latent states as `inspect` shows them.

use serde_json::Value;

use crate::place::Place;

fn trained(options: &str) -> Place {
    let place = Place::new();
    place.sample("train.ptb", 600, 1);
    place.run(&format!("train lpcfg train.ptb --states 3 {options} -o m.eig")).succeeds();
    place
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn states_of_clusters() {
    let place = trained("--learner cluster --em-steps 1");
    let shown = place.run("inspect m.eig --symbol NP --symbol NN --top 4 --json").succeeds();
    let json = shown.json();
    assert_eq!(json["member"], 1);
    for (symbol, kind, list) in [("NP", "phrase", "rules"), ("NN", "preterminal", "words")] {
        let latent = &json["symbols"][symbol]["latent"][0];
        assert_eq!((&latent["kind"], &latent["states"]), (&kind.into(), &3.into()), "{latent}");
        let spectrum = &latent["spectrum"];
        assert!(spectrum["singular_values"].as_array().unwrap().len() >= 3, "{spectrum}");
        assert!(number(&spectrum["ratio"]) > 0.0 && spectrum["support"].is_string(), "{spectrum}");
        let states = latent["latent_states"].as_array().unwrap();
        assert_eq!(states.len(), 3);
        let shares: f64 = states.iter().map(|state| number(&state["share"])).sum();
        assert!((shares - 1.0).abs() < 1e-4, "{shares}");
        for state in states {
            for list in [list, "contexts"] {
                let events = state[list].as_array().unwrap();
                assert!((1..=4).contains(&events.len()), "{state}");
                let probabilities = events.iter().map(|event| number(&event[1]));
                assert!(probabilities.sum::<f64>() <= 1.0 + 1e-9, "{state}");
            }
            let marked = format!("{symbol}*");
            let context = state["contexts"][0][0].as_str().unwrap();
            assert!(context.contains(&marked) || context == "root of the tree", "{context}");
        }
    }
    let text = shown.stdout();
    for part in ["3 latent states of the phrase NP (", "singular values: ", "% of the nodes", "NP* "] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("\nsections\n"), "{text}");

    let shown = place.run("inspect m.eig --top 5 --json").succeeds();
    let table = shown.json()["latent"].clone();
    assert_eq!(table.as_array().unwrap().len(), 5);
    assert!(number(&table[0]["nodes"]) >= number(&table[1]["nodes"]));
    assert!(shown.stdout().contains("σ_m/σ_1") && !shown.stdout().contains("\nsections\n"));
    let (content, layout) = (shown.stdout(), place.run("inspect m.eig --top 5 --layout").succeeds().stdout());
    assert!(layout.contains("\nsections\n") && content.lines().count() < layout.lines().count());
}

#[test]
fn directions_of_spectral_models_and_members() {
    let place = trained("--learner spectral --members 2");
    let of_member = |member: usize| {
        let shown = place.run(&format!("inspect m.eig --symbol NP --member {member} --json")).succeeds();
        assert!(shown.stdout().contains("3 directions of the phrase NP"), "{}", shown.stdout());
        assert_eq!(shown.json()["member"], member);
        shown.json()["symbols"]["NP"]["latent"][0].clone()
    };
    let (one, two) = (of_member(1), of_member(2));
    assert_ne!(one["directions"], two["directions"]);
    let last = &one["directions"][2];
    assert_eq!(last["singular_value"], one["spectrum"]["singular_values"][2]);
    for list in ["rules", "contexts"] {
        assert!(number(&last[list]["positive"][0][1]) > 0.0, "{last}");
        assert!(number(&last[list]["negative"][0][1]) < 0.0, "{last}");
        assert!(last[list]["positive"].as_array().unwrap().len() <= 6, "{last}");
    }
    place.run("inspect m.eig --member 3").fails(2, "there is no member 3; m.eig has 2 members");
    place.run("inspect m.eig --member 0").fails(2, "--member");
    place.run("inspect m.eig --symbol nope").fails(1, "unknown symbol `nope`");
    place.run("train pcfg train.ptb -o p.eig").succeeds();
    place.run("inspect p.eig --member 1").fails(2, "--member applies only to grammars with latent states");
}

#[test]
fn states_of_expectation_maximisation_have_no_spectrum() {
    let place = trained("--learner em --em-steps 2");
    let shown = place.run("inspect m.eig --symbol NP --json").succeeds();
    let latent = &shown.json()["symbols"]["NP"]["latent"][0];
    assert!(latent["spectrum"].is_null(), "{latent}");
    assert_eq!(latent["latent_states"].as_array().unwrap().len(), 3);
    assert!(place.run("inspect m.eig").succeeds().stdout().contains(" – "));
}
