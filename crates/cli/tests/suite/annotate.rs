//! Files and folders through annotators, as a user runs them: formats, streams, summaries, resuming.

use std::fs;

use serde_json::Value;

use crate::place::Place;

/// A folder with a pipeline and some texts.
fn place() -> Place {
    let place = Place::new();
    let treebank: String = (0..60)
        .map(|n| {
            let (noun, verb) = (["dog", "cat", "house"][n % 3], ["sees", "hears"][n % 2]);
            format!(
                "# text = The {noun} {verb} Anna.\n1\tThe\t_\tDET\tDT\t_\t2\tdet\t_\t_\n\
                 2\t{noun}\t_\tNOUN\tNN\tNumber=Sing\t3\tnsubj\t_\t_\n3\t{verb}\t_\tVERB\tVBZ\t_\t0\troot\t_\t_\n\
                 4\tAnna\t_\tPROPN\tNNP\t_\t3\tobj\t_\tSpaceAfter=No\n5\t.\t_\tPUNCT\t.\t_\t3\tpunct\t_\t_\n\n"
            )
        })
        .collect();
    let entities =
        "The\tO\ndog\tO\nsees\tO\nAnna\tB-PER\n.\tO\n\nThe\tO\nhouse\tO\nhears\tO\nthe\tO\ncat\tO\n.\tO\n\n"
            .repeat(20);
    place.put("train.conllu", treebank).put("train.bio", entities);
    place.run("train pipeline train.conllu --entities train.bio --parser fast -o en.eig --quiet").succeeds();
    fs::create_dir_all(place.path("texts/deep")).unwrap();
    place.put("texts/one.txt", "The dog sees Anna. The cat hears Anna.\n\nThe house sees Anna.\n");
    place.put("texts/deep/two.txt", "The cat sees Anna.\n").put("texts/empty.txt", "");
    place
}

#[test]
fn data_and_summary_never_share_a_stream() {
    let place = place();
    let ran = place.run("tag en.eig texts/one.txt --json --quiet").succeeds();
    assert!(
        ran.stdout()
            .starts_with("# newdoc id = one\n# newpar\n# sent_id = one-1\n# text = The dog sees Anna.\n")
    );
    assert!(!ran.stdout().contains('{'), "{}", ran.stdout());
    let summary: Value = serde_json::from_str(ran.stderr().trim()).unwrap();
    assert_eq!((summary["sentences"].as_u64(), summary["words"].as_u64()), (Some(3), Some(15)));
    let ran = place.run("tag en.eig texts/one.txt --json --quiet -o out.conllu").succeeds();
    assert_eq!((ran.stdout().lines().count(), ran.stderr().as_str()), (1, ""));
    let ran = place.run("tag en.eig texts/one.txt --summary sum.json --quiet").succeeds();
    assert!(!ran.stdout().contains('{') && ran.stderr().is_empty());
    assert_eq!(serde_json::from_str::<Value>(&place.get("sum.json")).unwrap()["words"], 15);
    let ran = place.run("convert train.conllu --to words --json --quiet").succeeds();
    assert_eq!(ran.stdout().lines().count(), 60);
}

#[test]
fn transforms_of_dependencies_have_inverses_or_leave_words_out() {
    let place = place();
    place.put("of.conllu", "1\tof\t_\tADP\t_\t_\t2\tcase\t_\t_\n2\tit\t_\tPRON\t_\t_\t0\troot\t_\t_\n3\t.\t_\tPUNCT\t_\t_\t2\tpunct\t_\t_\n\n");
    place.run("convert of.conllu --function-heads -o function.conllu").succeeds();
    assert!(place.get("function.conllu").contains("\t1\tcase@below\t"));
    place.run("convert function.conllu --content-heads -o same.conllu").succeeds();
    assert_eq!(place.get("same.conllu"), place.get("of.conllu"));
    place.run("convert function.conllu --function-heads").fails(1, "has been converted already");
    let shorter = place.run("convert of.conllu --no-punct").succeeds().stdout();
    assert_eq!(shorter.lines().filter(|line| !line.is_empty()).count(), 2);
    place.put("text.words", "of it\n");
    place.run("convert text.words --no-punct").fails(2, "--no-punct applies only to dependencies");
}

#[test]
fn every_annotator_writes_every_format() {
    let place = place();
    place.run("train tagger train.conllu -o tags.eig --quiet").succeeds();
    place.run("train mst train.conllu --quality fast -o mst.eig --quiet").succeeds();
    place.run("convert train.conllu --to words -o train.words").succeeds();
    for command in [
        "tag en.eig texts/one.txt",
        "parse en.eig texts/one.txt",
        "tag tags.eig train.words",
        "parse mst.eig train.conllu",
    ] {
        let run = |format: &str| {
            place.run(&format!("{command} --format {format} --confidence")).succeeds().stdout()
        };
        let conllu = run("conllu");
        let words = conllu.lines().filter(|line| line.contains('\t')).count();
        assert!(conllu.contains("onfidence="), "{conllu}");
        let json: Value = serde_json::from_str(&run("json")).unwrap();
        let sentences = json["sentences"].as_array().unwrap();
        let lines: Vec<Value> =
            run("jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(&lines, sentences, "{command}");
        for format in ["json", "jsonl"] {
            place.put("own.json", run(format));
            assert_eq!(place.run("convert own.json --to conllu").succeeds().stdout(), conllu, "{command}");
        }
        let of_json: usize = lines.iter().map(|one| one["words"].as_array().unwrap().len()).sum();
        assert_eq!(of_json, words);
        assert!(lines[0]["words"][0]["confidence"].as_f64().is_some(), "{}", lines[0]);
        assert_eq!(run("tsv").lines().count(), words + 1, "{command}");
        assert!(run("spans").starts_with("sentence\tkind\tlabel\t"));
    }
    let spans = place.run("tag en.eig texts/one.txt --format spans --confidence").stdout();
    assert!(spans.contains("one-1\tentity\tPER\t4\t4\t13\t17\tAnna\t"), "{spans}");
    // What an earlier annotation was sure of, and its entities, do not stay.
    place.put("sure.conllu", place.run("tag en.eig texts/one.txt --confidence").succeeds().stdout());
    let again = place.run("tag en.eig sure.conllu").succeeds().stdout();
    assert!(again.contains("NER=B-PER") && !again.contains("onfidence="), "{again}");
    place.put("other.conllu", again.replace("start_char=0|", "NER=B-LOC|NER_confidence=0.5|start_char=0|"));
    assert_eq!(place.run("tag en.eig other.conllu").succeeds().stdout(), again);
    let best = place.run("parse en.eig texts/one.txt --nbest 3").succeeds().stdout();
    assert!(best.matches("# parse = 2").count() == 3 && best.contains("# score = "), "{best}");
    place.run("tag en.eig texts/one.txt --format ptb").fails(2, "possible values");
}

#[test]
fn folders_are_annotated_and_resumed() {
    let place = place();
    place.run("parse en.eig texts -o out/ --quiet").succeeds();
    let one = place.get("out/one.conllu");
    assert!(one.starts_with("# newdoc id = one\n"), "{one}");
    assert!(place.get("out/deep/two.conllu").contains("# sent_id = two-1\n"));
    assert_eq!(place.get("out/empty.conllu"), "");
    // What is there stays; what is missing is made.
    place.put("out/one.conllu", "kept");
    fs::remove_file(place.path("out/deep/two.conllu")).unwrap();
    let ran = place.run("parse en.eig texts -o out --resume --json").succeeds();
    assert!(ran.stderr().contains("2 files annotated already"), "{}", ran.stderr());
    assert_eq!((ran.json()["files"].as_u64(), ran.json()["left_out"].as_u64()), (Some(1), Some(2)));
    assert_eq!(place.get("out/one.conllu"), "kept");
    assert!(place.get("out/deep/two.conllu").contains("# sent_id = two-1\n"));
    // Several files into one output have one document each.
    let all = place.run("tag en.eig texts/one.txt texts/deep").succeeds().stdout();
    assert_eq!(all.matches("# newdoc id = ").count(), 2, "{all}");
    for (arguments, told) in [
        ("tag en.eig texts --resume", "-o FOLDER/"),
        ("tag en.eig texts -", "cannot be one of several"),
        ("tag en.eig - -o out/", "no name"),
        ("parse en.eig texts train.conllu", "different formats"),
    ] {
        place.run(arguments).fails(2, told);
    }
    place.run("tag en.eig texts/none.txt").fails(1, "none.txt");
}

#[test]
fn no_output_of_a_folder_replaces_an_input_or_the_model() {
    let place = Place::new();
    place.put("train.conllu", crate::place::treebank(20));
    fs::create_dir_all(place.path("in/sub")).unwrap();
    place.run("train tagger train.conllu -o in/m.conllu --quiet").succeeds();
    let words = "1\tthe\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
    place.put("b.conllu", words).put("in/sub/b.conllu", words).put("m.conllu", words);
    let model = fs::read(place.path("in/m.conllu")).unwrap();
    for arguments in [
        // A file onto itself, onto one whose own output goes elsewhere, and onto the model.
        "tag in/m.conllu in/sub -o in/sub",
        "tag in/m.conllu b.conllu in -o in/sub",
        "tag in/m.conllu m.conllu -o in",
    ] {
        place.run(arguments).fails(2, "would replace the input");
        assert_eq!(place.get("in/sub/b.conllu"), words, "{arguments}");
        assert!(fs::read(place.path("in/m.conllu")).unwrap() == model, "{arguments}");
    }
}

#[cfg(unix)]
#[test]
fn links_in_cycles_pipes_and_devices_in_a_folder_do_not_stop_the_rest() {
    use std::os::unix::fs::symlink;
    let place = Place::new();
    place.put("train.conllu", crate::place::treebank(20));
    place.run("train tagger train.conllu -o m.eig --quiet").succeeds();
    fs::create_dir_all(place.path("in/sub")).unwrap();
    place.put("in/a.words", "the dog\n").put("in/sub/b.words", "a cat\n");
    symlink(place.path("in"), place.path("in/sub/up")).unwrap();
    symlink("/dev/zero", place.path("in/zero.words")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(place.path("in/pipe.words")).status().unwrap();
    assert!(made.success());
    let mut command = place.command("tag m.eig in -o out/ --json");
    let ran = command.timeout(std::time::Duration::from_secs(60)).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let summary: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(summary["files"], 2);
    assert_eq!(fs::read_dir(place.path("out")).unwrap().count(), 2);
    assert_eq!(fs::read_dir(place.path("out/sub")).unwrap().count(), 1);
}

#[test]
fn inputs_people_have_are_read_or_named() {
    let place = place();
    place.put("a.txt.xz", b"\xfd7zXZ\0\0\x04more").put("a.bz2", b"BZh91AY&SYmore");
    place.run("tag en.eig a.txt.xz").fails(1, "compressed with xz");
    place.run("tag en.eig a.bz2").fails(1, "compressed with bzip2");
    let utf16: Vec<u8> = "\u{feff}The dog".encode_utf16().flat_map(u16::to_le_bytes).collect();
    place.put("wide.txt", utf16);
    place.run("tag en.eig wide.txt").fails(1, "UTF-16");
    place.put("four.txt", "-DOCSTART- -X- O O\n\nAnna NNP I-NP I-PER\nsees VBZ I-VP O\n\n".repeat(20));
    place.run("train ner four.txt -o ner.eig --quiet").succeeds();
    let tagged = place.run("tag ner.eig four.txt").succeeds().stdout();
    assert!(tagged.starts_with("Anna\tB-PER\nsees\tO\n\n"), "{tagged}");
    let slashed =
        place.run_with("convert - --from slashed --to tagged", "The/DT dog/NN ./.\n").succeeds().stdout();
    assert_eq!(slashed, "The_DT dog_NN ._.\n");
    place.put("plus.conllup", "# global.columns = ID FORM UPOS\n1\tThe\tDET\n2\tdog\tNOUN\n\n");
    assert!(place.run("tag en.eig plus.conllup").succeeds().stdout().contains("2\tdog\t_\tNOUN\tNN\t"));
    for arguments in
        ["cluster train.conllu", "count train.conllu -o c.eigc", "train automaton train.conllu -o a.eig"]
    {
        place.run(arguments).fails(1, "--to words");
    }
    let text = place.run("convert train.conllu --to text").succeeds().stdout();
    assert!(
        text.starts_with("The dog sees Anna. The cat hears Anna. ") && text.lines().count() == 1,
        "{text}"
    );
    place.sample("trees.ptb", 5, 1);
    let heads = place.run("convert trees.ptb --to conllu").succeeds().stdout();
    assert!(heads.contains("\tnsubj\t") && heads.contains("\tpunct\t"), "{heads}");
    let table = place.run("convert trees.ptb --to spans").succeeds().stdout();
    assert!(table.contains("\tphrase\tNP\t"), "{table}");
}
