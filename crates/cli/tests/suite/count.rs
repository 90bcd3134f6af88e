//! `count` and `merge`.

use crate::place::{Place, texts};

const ONE: &str = "the dog sees the cat\nthe cat sleeps\n";
const TWO: &str = "a dog sleeps\n\nthe cat sees a bird";

#[test]
fn parts_add_up_to_the_whole_byte_by_byte() {
    let place = Place::new();
    place.put("one.txt", ONE).put("two.txt", TWO);
    place.put("two.txt.zst", zstd::encode_all(TWO.as_bytes(), 3).unwrap());
    let ran = place.run("count one.txt two.txt -o whole.eigc --json").succeeds();
    let json = ran.json();
    assert_eq!(json["tokens"], 16);
    assert_eq!(json["types"], 7);
    assert_eq!(json["distance"], 2);
    assert_eq!(json["bytes"], ONE.len() + TWO.len());
    for field in ["seconds", "cpu_seconds", "peak_rss_mb", "memory_estimate_mb"] {
        assert!(json[field].is_number(), "{field}");
    }
    assert!(json["stages"]["read"].is_number() && json["stages"]["pairs"].is_number());
    assert!(ran.stderr().contains("of memory"), "{}", ran.stderr());
    let whole = std::fs::read(place.path("whole.eigc")).unwrap();
    let same = |name: &str| assert!(std::fs::read(place.path(name)).unwrap() == whole, "{name}");

    place.run("count one.txt -o one.eigc").succeeds();
    place.run_with("count - -o two.eigc", zstd::encode_all(TWO.as_bytes(), 3).unwrap()).succeeds();
    place.run("merge two.eigc one.eigc -o sum.eigc").succeeds();
    same("sum.eigc");
    for threads in [1, 2, 5] {
        place.run(&format!("count one.txt two.txt.zst --threads {threads} -o again.eigc")).succeeds();
        same("again.eigc");
    }
    place.run("count one.txt two.txt --one-sequence -o chain.eigc").succeeds();
    assert!(std::fs::read(place.path("chain.eigc")).unwrap() != whole);
    place.run("merge chain.eigc one.eigc -o bad.eigc").fails(1, "count both texts with the same boundaries");

    place.run("count one.txt two.txt --vocab 3 -o limited.eigc").succeeds();
    let json = place.run("merge one.eigc two.eigc --vocab 3 -o sum.eigc --json --quiet").succeeds().json();
    assert_eq!(json["types"], 4);
    assert_eq!(json["unknown"], "<unk>");
    let limited = std::fs::read(place.path("limited.eigc")).unwrap();
    assert!(std::fs::read(place.path("sum.eigc")).unwrap() == limited);
    place.run("merge limited.eigc one.eigc -o bad.eigc").fails(1, "without a vocabulary limit");
    assert!(!place.names().contains(&"bad.eigc".to_owned()));
}

#[test]
fn mistakes_are_told_and_leave_no_file() {
    let place = Place::new();
    place
        .put("a.txt", ONE)
        .put("bad.txt", b"good line\nb\xe4d line\n")
        .put("c.txt", "<unk> <unk> a a b\n")
        .put("junk.bin", "no counts");
    place.run("count a.txt -o a.eigc").succeeds();
    let names = place.names();
    place.run("count none.txt -o x.eigc").fails(1, "there is no such file");
    place.run("count bad.txt -o x.eigc").fails(1, "bad.txt:2:2: expected text in UTF-8");
    place.run("count c.txt --vocab 2 -o x.eigc").fails(1, "has a word `<unk>` of its own");
    place.run("count a.eigc -o x.eigc").fails(1, "to add up count files use `merge`");
    place.run("merge junk.bin -o x.eigc").fails(1, "create one from texts with");
    place.run("count a.txt -o a.txt").fails(2, "would replace the input");
    place.run("count - - -o x.eigc").fails(2, "can be read once only");
    place.run("count a.txt --vocab 0 -o x.eigc").fails(2, "--vocab");
    place.run("count a.txt --distance 0 -o x.eigc").fails(2, "--distance");
    place.run("count a.txt --vocab 3 --unknown= -o x.eigc").fails(2, "must be one word");
    place.run("count a.txt --one-sequence --boundaries none -o x.eigc").fails(2, "--one-sequence");
    place.run("count a.txt").fails(2, "--output");
    place.run("merge a.txt -o x.eigc").fails(1, "is not a count file");
    assert_eq!(place.names(), names);
    place.run("count bad.txt --lossy -o lossy.eigc").succeeds();
    place.run("count c.txt --vocab 2 --unknown OTHER -o c.eigc").succeeds();
    place.run("count a.txt --min-count 2 -o m.eigc --json").succeeds();
    place.put("empty.txt", "");
    let ran = place.run("count empty.txt -o e.eigc").succeeds();
    assert!(ran.stderr().contains("no words"), "{}", ran.stderr());
    place.run("merge e.eigc a.eigc -o same.eigc").succeeds();
    assert!(std::fs::read(place.path("same.eigc")).unwrap() == std::fs::read(place.path("a.eigc")).unwrap());
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_told_beforehand_bounds_what_is_used() {
    let Some(folder) = texts() else { return };
    // What the program takes before it has read anything.
    const PROGRAM_MB: f64 = 12.0;
    let place = Place::new();
    let text = folder.join("en_small.txt");
    for options in ["--distance 1 --threads 1", "--threads 2", "--vocab 10000 --threads 2"] {
        let json = place
            .run(&format!("count {} -o c.eigc --json --quiet {options}", text.display()))
            .succeeds()
            .json();
        let told = json["memory_estimate_mb"].as_f64().unwrap() + PROGRAM_MB;
        let used = json["peak_rss_mb"].as_f64().unwrap();
        eprintln!("{options}: told {told:.0} MB, used {used:.0} MB");
        assert!(used <= told && told <= 2.2 * used, "{options}: told {told:.0} MB, used {used:.0} MB");
    }
}
