//! `train mst`, `parse` of CoNLL-U, `eval`, `compare dependency`: the program from outside.

use crate::place::Place;

/// Sentences `the NOUN VERB [the NOUN] .`, with a multiword token, an empty node and columns that must survive.
fn treebank(sentences: usize) -> String {
    let (nouns, verbs) = (["dog", "cat", "poem", "city"], ["saw", "left", "read"]);
    let mut text = String::new();
    for number in 0..sentences {
        let (noun, verb) = (nouns[number % 4], verbs[number / 4 % 3]);
        text.push_str(&format!("# sent_id = s{number}\n# text = …\n"));
        text.push_str("1-2\tthe-noun\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n");
        text.push_str("1\tthe\tthe\tDET\tDT\t_\t2\tdet\t_\tGloss=x\n");
        text.push_str(&format!("2\t{noun}\t{noun}\tNOUN\tNN\tNumber=Sing\t3\tnsubj\t3:nsubj\t_\n"));
        text.push_str(&format!("3\t{verb}\t{verb}\tVERB\tVBD\tTense=Past\t0\troot\t_\t_\n"));
        text.push_str("3.1\tit\tit\tPRON\t_\t_\t_\t_\t3:obj\t_\n");
        if number % 2 == 0 {
            text.push_str("4\tthe\tthe\tDET\tDT\t_\t5\tdet\t_\t_\n");
            text.push_str(&format!("5\t{noun}\t{noun}\tNOUN\tNN\tNumber=Sing\t3\tobj\t_\t_\n"));
            text.push_str("6\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_\n\n");
        } else {
            text.push_str("4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_\n\n");
        }
    }
    text
}

/// The lines without HEAD and DEPREL.
fn without_trees(text: &str) -> Vec<String> {
    let is_empty_node = |line: &&str| line.split('\t').next().is_some_and(|id| id.contains('.'));
    text.lines()
        .filter(|line| !line.contains('\t') || !is_empty_node(line))
        .map(|line| {
            let mut columns: Vec<&str> = line.split('\t').collect();
            if columns.len() == 10 {
                (columns[6], columns[7], columns[8]) = ("", "", "");
            }
            columns.join("\t")
        })
        .collect()
}

#[test]
fn a_parser_is_trained_parses_and_is_scored() {
    let place = Place::new();
    place.put("train.conllu", treebank(60));
    place.put("dev.conllu", treebank(24));
    for quality in ["fast", "balanced"] {
        let command = format!("train mst train.conllu --dev dev.conllu -o m.eig --quality {quality} --json");
        let trained = place.run(&command).succeeds().json();
        assert!(trained["dev"]["attachment"]["las"].as_f64().unwrap() > 99.0, "{trained}");
        for field in ["seconds", "cpu_seconds", "peak_rss_mb"] {
            assert!(trained[field].as_f64().unwrap() > 0.0);
        }
        // Trees that are there already must not help.
        let blank: String = treebank(24)
            .lines()
            .map(|line| {
                let mut columns: Vec<&str> = line.split('\t').collect();
                if columns.len() == 10 {
                    (columns[6], columns[7]) = ("_", "_");
                }
                columns.join("\t") + "\n"
            })
            .collect();
        place.put("blank.conllu", &blank);
        place.run("parse m.eig blank.conllu -o out.conllu").succeeds();
        let parsed = place.get("out.conllu");
        assert_eq!(without_trees(&parsed), without_trees(&treebank(24)), "other columns survive");
        // The enhanced graph belonged to another tree.
        assert!(!parsed.contains("3:nsubj\t") && !parsed.contains("3.1\t"), "{parsed}");
        let scores = place.run("eval dev.conllu out.conllu --json").succeeds().json();
        assert!(scores["attachment"]["uas"].as_f64().unwrap() > 99.0);
        place.run("parse m.eig blank.conllu -o again.conllu --threads 3").succeeds();
        assert_eq!(place.get("again.conllu"), parsed, "in order, whatever the number of threads");
    }
}

/// The own treebank shows no object; the other language has objects, in other words.
#[test]
fn another_language_teaches_what_the_own_treebank_does_not_show() {
    let place = Place::new();
    let blocks = |keep: fn(usize) -> bool| -> String {
        let text = treebank(48);
        let sentences = text.split_inclusive("\n\n").enumerate();
        sentences.filter(|(number, _)| keep(*number)).map(|(_, sentence)| sentence).collect()
    };
    place.put("own.conllu", blocks(|number| number % 2 == 1));
    place.put("objects.conllu", blocks(|number| number % 2 == 0));
    let foreign = ["the", "dog", "cat", "poem", "city", "saw", "left", "read"]
        .iter()
        .fold(treebank(48), |text, word| text.replace(&format!("\t{word}\t"), &format!("\tx{word}y\t")));
    place.put("foreign.conllu", foreign.replace("\tobj\t", "\tobj:direct\t"));
    let las = |options: &str| {
        let options = format!("{options} --dev objects.conllu --quality fast -o m.eig --json");
        let trained = place.run(&format!("train mst own.conllu {options}")).succeeds().json();
        trained["dev"]["attachment"]["las"].as_f64().unwrap()
    };
    let (alone, helped) = (las(""), las("--source foreign.conllu"));
    assert!(alone < 85.0 && helped > 99.0, "{alone} {helped}");
    place.run("train mst own.conllu --source m.eig -o m.eig").fails(2, "m.eig");
    place.run("train mst own.conllu --source absent.conllu -o n.eig").fails(1, "absent.conllu");
    place.put("text.conllu", crate::place::treebank(40));
    place.run("train pipeline text.conllu --source foreign.conllu --parser fast -o p.eig").succeeds();
    place
        .run("train pipeline text.conllu --source foreign.conllu --parser none -o q.eig")
        .fails(2, "--source");
}

#[test]
fn lists_and_confidences_stand_in_the_file() {
    let place = Place::new();
    place.put("train.conllu", treebank(40));
    place.run("train mst train.conllu -o m.eig --quality fast --epochs 2").succeeds();
    place.put("in.conllu", treebank(3));
    place.run("parse m.eig in.conllu --nbest 4 --marginals -o out.conllu").succeeds();
    let text = place.get("out.conllu");
    let numbers: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("# parse = ")).collect();
    assert_eq!(numbers, ["1", "2", "3", "4"].repeat(3));
    let scores: Vec<f64> =
        text.lines().filter_map(|line| line.strip_prefix("# score = ")?.parse().ok()).collect();
    assert_eq!(scores.len(), numbers.len(), "{text}");
    assert!(scores.chunks(4).all(|list| list.windows(2).all(|pair| pair[0] >= pair[1])), "{scores:?}");
    assert!(text.contains("Gloss=x|Confidence=0.") || text.contains("Gloss=x|Confidence=1."), "{text}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let place = Place::new();
    place.put("train.conllu", treebank(8));
    place.run("train mst train.conllu -o m.eig --quality fast --epochs 1").succeeds();
    place.run("parse m.eig train.conllu --format ptb").fails(2, "--format conllu");
    place.run("parse m.eig train.conllu --input words").fails(2, "CoNLL-U");
    place.run("train mst train.conllu -o n.eig --decoder sideways").fails(2, "nonprojective");
    place.put("tree.ptb", "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))\n");
    place.run("train mst tree.ptb -o n.eig").fails(1, "conllu");
    place.run("train pcfg tree.ptb -o g.eig").succeeds();
    let words = place.run("parse g.eig tree.ptb --format conllu").succeeds().stdout();
    assert!(words.contains("# constituency = (") && words.starts_with("# sent_id = 1\n# text = "), "{words}");
}

#[test]
fn treebanks_are_compared_in_one_table() {
    let place = Place::new();
    std::fs::create_dir(place.path("tiny")).unwrap();
    place.put("tiny/train.conllu", treebank(24));
    place.put("tiny/dev.conllu", treebank(8));
    let ran = place.run("compare dependency tiny --json").succeeds();
    let json = ran.json();
    assert_eq!(json["treebanks"][0]["outcomes"].as_array().unwrap().len(), 6, "{json}");
    for way in ["1st order non-projective", "2nd order non-projective"] {
        assert!(ran.stdout().contains(way), "{}", ran.stdout());
    }
    place.run("compare dependency missing").fails(1, "no train.conllu");
}
