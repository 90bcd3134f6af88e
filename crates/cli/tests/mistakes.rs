//! Mistakes that are easily made, and what the program says.

mod common;

use common::Place;

#[test]
fn no_input_is_replaced_by_an_output() {
    let place = Place::new();
    place.sample("train.ptb", 100, 1);
    place.run("train pcfg train.ptb -o m.eig").succeeds();
    let before = (place.get("train.ptb"), std::fs::read(place.path("m.eig")).unwrap());
    for arguments in [
        "train pcfg train.ptb -o train.ptb",
        "train pcfg train.ptb -o ./train.ptb",
        "train pcfg m.eig --dev train.ptb -o train.ptb",
        "parse m.eig train.ptb -o m.eig",
        "parse m.eig train.ptb -o train.ptb",
        "eval train.ptb train.ptb -o train.ptb",
        "sample train.ptb -o train.ptb",
    ] {
        place.run(arguments).fails(2, "would replace the input");
    }
    assert_eq!((place.get("train.ptb"), std::fs::read(place.path("m.eig")).unwrap()), before);
    // A conversion may take the place of what it converts.
    place.run("convert train.ptb --root none -o train.ptb").succeeds();
    assert!(!place.get("train.ptb").contains("ROOT"));
}

#[test]
fn transforms_of_trees_are_refused_for_other_formats() {
    let place = Place::new();
    place.put("a.words", "time flies\n");
    for option in ["--strip", "--root none", "--binarize left", "--pretty"] {
        place
            .run(&format!("convert a.words {option}"))
            .fails(2, "is for trees, and a.words is in the format words");
    }
}
