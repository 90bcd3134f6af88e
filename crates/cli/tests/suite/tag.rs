//! `train tagger`, `train ner`, `train pipeline` and `tag` as a user runs them.

use serde_json::Value;

use crate::place::Place;

/// A treebank of short sentences with text, tags and a multiword token.
fn treebank() -> String {
    let mut text = String::new();
    for n in 0..60 {
        let (noun, verb) = (["dog", "cat", "house"][n % 3], ["sees", "hears"][n % 2]);
        text.push_str(&format!(
            "# text = The {noun} {verb} Anna{n}'s toy.\n\
             1\tThe\t_\tDET\tDT\tDefinite=Def\t2\tdet\t_\t_\n\
             2\t{noun}\t_\tNOUN\tNN\tNumber=Sing\t3\tnsubj\t_\t_\n\
             3\t{verb}\t_\tVERB\tVBZ\tNumber=Sing\t0\troot\t_\t_\n\
             4-5\tAnna{n}'s\t_\t_\t_\t_\t_\t_\t_\t_\n\
             4\tAnna{n}\t_\tPROPN\tNNP\tNumber=Sing\t6\tnmod\t_\t_\n\
             5\t's\t_\tPART\tPOS\t_\t4\tcase\t_\t_\n\
             6\ttoy\t_\tNOUN\tNN\tNumber=Sing\t3\tobj\t_\tSpaceAfter=No\n\
             7\t.\t_\tPUNCT\t.\t_\t3\tpunct\t_\t_\n\n"
        ));
    }
    text
}

#[test]
fn columns_are_learnt_and_all_else_is_kept() {
    let place = Place::new();
    place.put("train.conllu", treebank());
    place
        .run("train tagger train.conllu --dev train.conllu --columns upos,xpos,feats -o m.eig --json")
        .succeeds();
    place.run("tag m.eig train.conllu -o out.conllu").succeeds();
    assert_eq!(place.get("out.conllu"), place.get("train.conllu"), "what was learnt is what was read");
    let ran = place.run("eval train.conllu out.conllu --json --quiet");
    let line = ran.stdout();
    let summary: Value = serde_json::from_str(line.lines().last().unwrap()).unwrap();
    assert_eq!(summary["tags"]["upos"], 100.0);

    let tagged = place
        .run_with("tag m.eig --input words --confidence", "The cat hears Anna1 .\n\nThe dog sees Anna2 .\n");
    let tagged = tagged.stdout();
    assert_eq!(tagged.matches("\tDET\tDT\tDefinite=Def\t").count(), 2, "{tagged}");
    assert!(tagged.contains("upos_confidence="), "{tagged}");
    let best = place.run_with("tag m.eig --input words --nbest 3", "The cat hears Anna1 .\n").stdout();
    assert_eq!(best.matches("# rank = ").count(), 3, "{best}");
    assert!(place.run("parse m.eig train.conllu").stderr().contains("use it with `tag`"));
}

#[test]
fn vectors_are_features_and_bad_ones_are_told() {
    let place = Place::new();
    place.put("train.conllu", treebank());
    let text: String =
        (0..60).map(|n| format!("The dog sees Anna{n} and the cat hears Otto{n} .\n")).collect();
    place.put("text.txt", &text);
    place.run("cluster text.txt --clusters 8 --vectors v.txt -o paths.txt").succeeds();
    place.run("cluster text.txt --clusters 8 --vectors v.npy -o paths.txt").succeeds();
    for vectors in ["v.txt", "v.npy"] {
        let train =
            format!("train tagger train.conllu --vectors {vectors} --clusters paths.txt -o {vectors}.eig");
        place.run(&train).succeeds();
        let tagged =
            place.run_with(&format!("tag {vectors}.eig --input words"), "The dog sees Otto7 .\n").stdout();
        assert!(tagged.contains("\tOtto7\t_\tPROPN\tNNP\t"), "{tagged}");
    }
    place.put("bad.txt", "dog 1 2\ncat 1\n");
    let told = place.run("train tagger train.conllu --vectors bad.txt -o bad.eig").stderr();
    assert!(told.contains("bad.txt") && told.contains('2') && told.contains("numbers"), "{told}");
}

#[test]
fn tags_of_trees_are_learnt_for_a_parser_of_tagged_words() {
    let place = Place::new();
    place.sample("train.ptb", 300, 1).sample("dev.ptb", 30, 2);
    let ran = place.run("train tagger train.ptb --dev dev.ptb -o tags.eig --json --quiet").succeeds();
    let accuracy = ran.json()["dev"]["xpos"].as_f64().unwrap();
    assert!(accuracy > 80.0, "{accuracy}");
    assert!(place.run("train tagger train.ptb --columns upos -o x.eig").stderr().contains("--columns"));
    place.run("tag tags.eig dev.ptb -o dev.conllu").succeeds();
    place.run("train pcfg train.ptb -o g.eig").succeeds();
    place.run("parse g.eig dev.conllu --input conllu --tags given -o parsed.ptb").succeeds();
    let score = place.run("eval dev.ptb parsed.ptb --json --quiet").json();
    assert!(score["brackets"]["f1"].as_f64().unwrap() > 50.0, "{score}");
}

#[test]
fn a_pipeline_with_a_grammar_makes_trees_of_phrases_too() {
    let place = Place::new();
    place.put("train.conllu", treebank()).sample("train.ptb", 300, 1);
    place.run("train lpcfg train.ptb --states 2 -o grammar.eig --quiet").succeeds();
    place.run("train pipeline train.conllu --parser fast --grammar grammar.eig -o en.eig --quiet").succeeds();
    place.put("raw.txt", "The dog sees Anna7's toy. The cat hears it.\n\nThe house sees Anna9's toy.\n");
    let trees = place.run("parse en.eig raw.txt --format ptb").succeeds().stdout();
    assert_eq!(trees.lines().count(), 3, "{trees}");
    assert!(trees.lines().all(|line| line.starts_with("(ROOT") || line.contains("FALLBACK")), "{trees}");
    assert!(trees.contains(" 's)") && trees.contains(" toy)"), "{trees}");
    // With the tags of the pipeline's tagger.
    let tagged = place.run("parse en.eig raw.txt --format ptb --tags given").succeeds().stdout();
    assert!(tagged.contains("(NNP Anna7)") && tagged.contains("(POS 's)"), "{tagged}");
    // Without a format it is what it was: CoNLL-U, with the time of the stages.
    let ran = place.run("parse en.eig raw.txt -o out.conllu --json --quiet").succeeds();
    assert!(place.get("out.conllu").contains("\tnsubj\t"));
    let times = &ran.json()["pipeline_seconds"];
    for stage in ["tokenise", "tag", "parse"] {
        assert!(times[stage].as_f64().is_some_and(|time| time > 0.0), "{times}");
    }
    place.run("train pipeline train.conllu --parser none -o plain.eig --quiet").succeeds();
    assert!(place.run("parse plain.eig raw.txt --format ptb").stderr().contains("--grammar"));
    assert!(
        place
            .run("train pipeline train.conllu --grammar plain.eig -o x.eig")
            .stderr()
            .contains("train lpcfg")
    );
}

#[test]
fn clusters_are_compared_by_what_taggers_make_of_them() {
    let place = Place::new();
    std::fs::create_dir(place.path("bank")).unwrap();
    std::fs::create_dir(place.path("names")).unwrap();
    place.put("bank/train.conllu", treebank()).put("bank/dev.conllu", treebank());
    let names: String =
        (0..40).map(|n| format!("Anna{n}\tB-PER\nlives\tO\nin\tO\nParis\tB-LOC\n.\tO\n\n")).collect();
    place.put("names/train.bio", &names).put("names/dev.bio", &names);
    let text: String =
        (0..60).map(|n| format!("The dog sees Anna{n} and the cat hears Otto{n} .\n")).collect();
    place.put("text.txt", &text);
    let ran = place
        .run("compare tagging bank names --text text.txt --clusters 8 --vocab 20,60 --contexts lr1,r1 --methods exchange,spectral --columns upos \
              --plots plots -o report.md --format markdown --json --quiet")
        .succeeds();
    let report = ran.json();
    assert_eq!(report["tasks"], serde_json::json!(["bank", "names"]));
    let runs = report["runs"].as_array().unwrap();
    // Without clusters; then for each vocabulary exchange, and spectral in two contexts.
    assert_eq!(runs.len(), 1 + 2 * 3);
    assert_eq!((&runs[0]["method"], &runs[0]["scores"][0]["gain"]), (&"none".into(), &Value::Null));
    for run in &runs[1..] {
        for (with, without) in
            run["scores"].as_array().unwrap().iter().zip(runs[0]["scores"].as_array().unwrap())
        {
            let gain = with["score"].as_f64().unwrap() - without["score"].as_f64().unwrap();
            assert!((with["gain"]["points"].as_f64().unwrap() - gain).abs() < 1e-9, "{run}");
        }
    }
    let table = place.get("report.md");
    assert!(table.contains("| spectral r1 ") && table.contains("| none "), "{table}");
    assert!(place.get("plots/names.svg").contains("<svg"));
    let report = place
        .run("compare tagging names --text text.txt --paper --clusters 4,8 --vocab 60 --kappa 1,20 --contexts lr1 --plots plots -o report.md \
              --format markdown --json --quiet")
        .succeeds()
        .json();
    let runs = report["runs"].as_array().unwrap();
    let found: Vec<(&Value, &Value, &Value)> =
        runs[1..].iter().map(|run| (&run["clusters"], &run["method"], &run["kappa"])).collect();
    let (brown, spectral): (Value, Value) = ("brown".into(), "spectral".into());
    let (four, eight, one, twenty): (Value, Value, Value, Value) =
        (4.into(), 8.into(), 1.0.into(), 20.0.into());
    let of = |m| [(m, &brown, &Value::Null), (m, &spectral, &one), (m, &spectral, &twenty)];
    assert_eq!(found, [of(&four), of(&eight)].concat());
    // What table 3 tells besides scores is told of the method that has it.
    for run in &runs[1..] {
        for figure in ["gamma", "svd", "ward"] {
            assert_eq!(run[figure].is_number(), run["method"] == "spectral", "{figure}: {run}");
        }
    }
    let table = place.get("report.md");
    for part in ["Table 1", "Table 3", "Figure 6 (b)", "92.68", " γ |", "12.64", "20.89"] {
        assert!(table.contains(part), "{part} is missing:\n{table}");
    }
    let published = report["published"].as_array().unwrap();
    assert!(
        published.iter().any(|figure| figure["place"] == "table 1" && figure["paper"] == 92.68),
        "{published:?}"
    );
    assert!(place.get("plots/names-kappa.svg").contains("<svg"));
    let missing = place.run("compare tagging . --text text.txt").stderr();
    assert!(missing.contains("train.conllu or train.bio"), "{missing}");
}

#[test]
fn entities_are_learnt_and_scored() {
    let place = Place::new();
    let text = "Anna\tB-PER\nSmith\tI-PER\nlives\tO\nin\tO\nParis\tB-LOC\n.\tO\n\n".repeat(20);
    place.put("train.bio", &text).put("cities.txt", "Paris\nNew York\n");
    place.run("train ner train.bio --gazetteer cities.txt --dev train.bio -o ner.eig").succeeds();
    place.run("tag ner.eig train.bio -o out.bio").succeeds();
    assert_eq!(place.get("out.bio"), text);
    // Two columns have no place for confidences, so they come as CoNLL-U.
    let sure = place.run("tag ner.eig train.bio --confidence").succeeds().stdout();
    assert!(sure.contains("NER=B-PER|NER_confidence="), "{sure}");
}

#[test]
fn raw_text_goes_through_a_pipeline_in_order() {
    let place = Place::new();
    place.put("train.conllu", treebank());
    place.run("train pipeline train.conllu -o en.eig --quiet").succeeds();
    let raw =
        "The dog sees Anna7's toy. The cat hears Anna3's toy.\n\nThe house sees Anna9's toy.\n".repeat(50);
    place.put("raw.txt", &raw);
    place.run("tag en.eig raw.txt -o one.conllu --threads 1").succeeds();
    place.run("tag en.eig raw.txt -o two.conllu --threads 3").succeeds();
    place.run("parse en.eig raw.txt -o three.conllu").succeeds();
    let out = place.get("one.conllu");
    assert_eq!(out, place.get("two.conllu"));
    assert_eq!(out, place.get("three.conllu"));
    assert_eq!(out.matches("# newpar").count(), 51);
    assert_eq!(out.matches("\tPART\tPOS\t").count(), 150, "{}", &out[..600]);
    // The last token stands where it says.
    let last = out.trim_end().lines().last().unwrap();
    let chars = raw.trim_end().chars().count();
    assert!(last.ends_with(&format!("start_char={}|end_char={chars}", chars - 1)), "{last}");

    place.put("bad.txt", b"good.\nb\xffd\n");
    let ran = place.run("tag en.eig bad.txt");
    assert!(ran.stderr().contains("bad.txt:2"), "{}", ran.stderr());
    place.put("none.txt", "\n\n");
    assert_eq!(place.run("tag en.eig none.txt").stdout(), "");
    assert!(
        place
            .run("train tagger train.conllu --columns head -o x.eig")
            .stderr()
            .contains("not a column that can be learnt")
    );
    assert!(
        place.run("train tagger train.conllu --columns lemma -o x.eig").stderr().contains("nothing to learn")
    );
}

#[test]
fn a_pipeline_parses_raw_text_and_given_words() {
    let place = Place::new();
    place.put("train.conllu", treebank());
    let ran = place.run("train pipeline train.conllu --dev train.conllu --folds 3 -o en.eig --json");
    let summary: Value = serde_json::from_str(ran.succeeds().stdout().lines().last().unwrap()).unwrap();
    assert_eq!(summary["dev"]["upos"], 100.0, "{summary}");
    assert_eq!(summary["dev_trees"]["attachment"]["las"], 100.0, "{summary}");

    // Words that are given keep their comments, ranges and MISC; tags and trees are those of the pipeline.
    let gold = place.get("train.conllu");
    let blanked: String = gold.lines().map(|line| format!("{}\n", blank(line))).collect();
    assert_ne!(blanked, gold);
    place.put("blank.conllu", &blanked);
    for command in ["tag", "parse"] {
        place.run(&format!("{command} en.eig blank.conllu -o out.conllu")).succeeds();
        assert_eq!(place.get("out.conllu"), gold, "{command}");
    }
    let words = place.run_with("parse en.eig - --input words", "The dog sees Anna5 's toy .\n").stdout();
    assert!(words.contains("3\tsees\t_\tVERB\tVBZ\tNumber=Sing\t0\troot"), "{words}");

    // Raw text: every sentence is a tree, and evaluation against the treebank finds no fault.
    let raw: String =
        gold.lines().filter_map(|line| line.strip_prefix("# text = ")).collect::<Vec<_>>().join(" ");
    place.put("raw.txt", raw);
    place.run("parse en.eig raw.txt -o raw.conllu").succeeds();
    let ran = place.run("eval train.conllu raw.conllu --align --json --quiet");
    let summary: Value = serde_json::from_str(ran.succeeds().stdout().lines().last().unwrap()).unwrap();
    assert!(summary.to_string().contains("100.0"), "{summary}");
    assert_eq!(place.get("raw.conllu").matches("\t0\troot\t").count(), 60);

    for (arguments, told) in [
        ("parse en.eig raw.txt --input tagged", "its own tagger"),
        ("parse en.eig raw.txt --format ptb", "writes annotated words only"),
    ] {
        place.run(arguments).fails(2, told);
    }
}

#[test]
fn a_pipeline_takes_what_the_treebank_has() {
    let place = Place::new();
    let flat: String = treebank().lines().map(|line| format!("{}\n", without_trees(line))).collect();
    let entities = "Anna1\tB-PER\nsees\tO\nAnna2\tB-PER\n.\tO\n\n".repeat(20);
    let text = "The dog sees Anna1 .\nThe cat hears Anna2 .\n".repeat(30);
    place.put("train.conllu", flat).put("train.bio", entities).put("text.txt", text);
    let ran =
        place.run("train pipeline train.conllu --text text.txt --entities train.bio -o en.eig").succeeds();
    let told = ran.stderr();
    assert!(told.contains("XPOS is empty") && told.contains("no trees"), "{told}");
    let out = place.run_with("tag en.eig", "The dog sees Anna1's toy.").stdout();
    assert!(out.contains("NER=B-PER") && out.contains("\tDET\t_\tDefinite=Def\t_\t_\t"), "{out}");
    place.run("train pipeline train.conllu --parser fast -o x.eig").fails(1, "no sentence has a head");
}

/// A row of CoNLL-U without tags and trees.
fn blank(line: &str) -> String {
    change(line, &[3, 4, 5, 6, 7])
}

/// A row without XPOS and without its place in a tree.
fn without_trees(line: &str) -> String {
    change(line, &[4, 6, 7])
}

fn change(line: &str, empty: &[usize]) -> String {
    if !line.contains('\t') {
        return line.to_owned();
    }
    let columns = line.split('\t').enumerate();
    let columns = columns.map(|(number, column)| if empty.contains(&number) { "_" } else { column });
    columns.collect::<Vec<_>>().join("\t")
}
