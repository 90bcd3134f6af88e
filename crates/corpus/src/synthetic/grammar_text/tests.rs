//! The text format: meaning and errors.

use super::parse;
use crate::error::Position;
use crate::synthetic::{Capitalization, Expansions, GrammarProblem, LatentGrammar};

/// Rules and words as text, `A[x] -> B C 0.5`.
fn listing(grammar: &LatentGrammar) -> Vec<String> {
    let mut lines = Vec::new();
    for state in grammar.states() {
        let name = grammar.name(state);
        match grammar.expansions(state) {
            Expansions::Phrase(rules) => lines.extend(rules.iter().map(|rule| {
                let children: Vec<&str> = rule.children.iter().map(|&child| grammar.name(child)).collect();
                format!("{name} -> {} {:.3}", children.join(" "), rule.probability)
            })),
            Expansions::Tag(words) => {
                let word = |(word, p): &(_, f64)| format!("{name} => {} {p:.3}", grammar.words().text(*word));
                lines.extend(words.iter().map(word));
            }
        }
    }
    lines.sort();
    lines
}

/// The problem and its position.
fn complaint(text: &str) -> (GrammarProblem, Option<(u64, u64)>) {
    let error = parse(text).unwrap_err();
    let place = |position: Position| (position.line, position.column.unwrap());
    (error.problem, error.position.map(place))
}

#[test]
fn variables_agree_and_share_weight() {
    let grammar = parse(
        "%root S  # comment\n%var n = sg:2 pl\nS -> NP[$n] VP[$n]\nNP[$n] -> N[$n]\nVP[sg] -> V\nVP[pl] -> V V\n\
         N[$n] => sheep\nV => eat\n",
    )
    .unwrap();
    assert_eq!(
        listing(&grammar),
        [
            "NP[pl] -> N[pl] 1.000",
            "NP[sg] -> N[sg] 1.000",
            "N[pl] => sheep 1.000",
            "N[sg] => sheep 1.000",
            "S -> NP[pl] VP[pl] 0.333",
            "S -> NP[sg] VP[sg] 0.667",
            "V => eat 1.000",
            "VP[pl] -> V V 1.000",
            "VP[sg] -> V 1.000",
        ]
    );
    assert_eq!(grammar.capitalization(), Capitalization::AsWritten);
}

#[test]
fn fragments_multiply_out_and_vanish() {
    let grammar = parse(
        "%root NP\n%var x = *\nNP -> 3 &mod[a] N\n   | 1 N\n&mod[$x] -> 1 () | 1 J[$x] &more\n&more -> 3 () | 1 K=and\n\
         N => n\nJ[a] => j\n",
    )
    .unwrap();
    assert_eq!(
        listing(&grammar),
        [
            "J[a] => j 1.000",
            "K[=and] => and 1.000",
            "N => n 1.000",
            "NP -> J[a] K[=and] N 0.094",
            "NP -> J[a] N 0.281",
            "NP -> N 0.625",
        ]
    );
}

#[test]
fn word_lists_have_columns_weights_and_tails() {
    let grammar =
        parse("%root S\nS -> VB[x] VBP[x] VBZ[x]\nVB+VBP/VBZ[x] ~> see/sees *0.5 go/goes:4 a\\/b/c\\:d\n")
            .unwrap();
    let lines = listing(&grammar);
    // Weights 1/2, 0.5 · 4 / 3 and 0.5 / 4.
    let total = 0.5 + 2.0 / 3.0 + 0.125;
    for (tag, forms) in
        [("VB", ["see", "go", "a/b"]), ("VBP", ["see", "go", "a/b"]), ("VBZ", ["sees", "goes", "c:d"])]
    {
        for (form, weight) in forms.iter().zip([0.5, 2.0 / 3.0, 0.125]) {
            let line = format!("{tag}[x] => {form} {:.3}", weight / total);
            assert!(lines.contains(&line), "{line} in {lines:?}");
        }
    }
}

#[test]
fn statements_of_one_category_add_up() {
    let grammar = parse("%root A[x]\n%var v = x y\nA[$v] -> 1 B\nA[x] -> 3 B B\nB => b\n").unwrap();
    assert_eq!(listing(&grammar), ["A[x] -> B 0.250", "A[x] -> B B 0.750", "B => b 1.000"]);
}

#[test]
fn errors_name_the_place() {
    let undefined = complaint("%root S\nS -> NP\n  | VP\nNP => a\n");
    assert_eq!(undefined, (GrammarProblem::Undefined { symbol: "VP".into() }, Some((3, 5))));

    let unreachable = complaint("%root S\nS => a\n\nNP[sg] => b\n");
    assert_eq!(unreachable, (GrammarProblem::Unreachable { symbol: "NP[sg]".into() }, Some((4, 1))));

    let weight = complaint("%root S\nS -> 2 A | -1 B\nA => a\nB => b\n");
    assert_eq!(weight, (GrammarProblem::Weight { text: "-1".into() }, Some((2, 12))));
    let zero = complaint("%root S\nS => a:0\n");
    assert_eq!(zero, (GrammarProblem::Weight { text: "0".into() }, Some((2, 6))));
    assert!(matches!(complaint("%root S\nS -> 1e999 A\nA => a\n").0, GrammarProblem::Weight { .. }));

    let variable = complaint("%root S\nS -> A[$n]\nA[sg] => a\n");
    assert_eq!(variable, (GrammarProblem::UnknownVariable { name: "n".into() }, Some((2, 6))));

    let repeated = complaint("%root S\nS => a b a\n");
    assert_eq!(repeated, (GrammarProblem::DuplicateWord { word: "a".into() }, Some((2, 10))));

    let columns = complaint("%root S\nS -> A B\nA/B => x/y z\n");
    let problem = GrammarProblem::Columns { entry: "z".into(), expected: 2, found: 1 };
    assert_eq!(columns, (problem, Some((3, 12))));

    let cycle = complaint("%root S\nS -> &a\n&a -> B &a\nB => b\n");
    assert_eq!(cycle, (GrammarProblem::FragmentLoop { name: "&a".into() }, Some((3, 9))));

    let mixed = complaint("%root S\nS -> A[x] A[y]\nA[x] => a\nA[y] -> B\nB => b\n");
    assert_eq!(mixed, (GrammarProblem::Mixed { label: "A".into() }, Some((2, 11))));

    assert_eq!(complaint("# nothing\n"), (GrammarProblem::NoRoot, None));
}

#[test]
fn endless_recursion_is_refused() {
    let (problem, place) = complaint("%root S\nS -> NP\nNP -> 1 N | 1 NP PP\nPP -> P NP\nN => n\nP => p\n");
    // NP yields 1/2 NP and 1/2 PP, PP yields one NP: the radius is exactly 1.
    assert!(matches!(problem, GrammarProblem::NonTerminating { growth, .. } if growth >= 1.0), "{problem:?}");
    assert!(place.is_some());
    assert!(parse("%root S\nS -> NP\nNP -> 1.1 N | 1 NP PP\nPP -> P NP\nN => n\nP => p\n").is_ok());
    assert!(matches!(complaint("%root S\nS -> S\n").0, GrammarProblem::NonTerminating { .. }));
}

#[test]
fn bad_syntax_is_refused_with_its_place() {
    for (text, place) in [
        ("  S => a\n", (1, 3)),
        ("%root S\nS\n", (2, 1)),
        ("%root S\nS > a\n", (2, 3)),
        ("%root S\nS ->\n", (2, 3)),
        ("%root S\nS -> A |\n", (2, 6)),
        ("%root S\nS -> 3\n", (2, 6)),
        ("%root S\nS -> A ()\n", (2, 8)),
        ("%root S\nS -> NP[sg\n", (2, 6)),
        ("%root S\nS -> NP[sg,]\n", (2, 6)),
        ("%root S\nS =>\n", (2, 3)),
        ("%root S\nS => a:x\n", (2, 6)),
        ("%root S\nS => /a\n", (2, 6)),
        ("%root S\nS -> A=\n", (2, 6)),
        ("%root S\n&f => a\n", (2, 1)),
        ("%root S T\nS => a\n", (1, 7)),
        ("%rot S\n", (1, 1)),
        ("%var n sg\n", (1, 8)),
        ("%capitalize no\n", (1, 13)),
        ("%root S\n%var v = *\nS -> A[$v]\nA[x] => a\n", (3, 6)),
        ("%root S\nS -> &f\n&f -> ()\n", (2, 6)),
    ] {
        let (problem, found) = complaint(text);
        assert!(matches!(problem, GrammarProblem::Syntax { .. }), "{text:?}: {problem:?}");
        assert_eq!(found, Some(place), "{text:?}: {problem:?}");
    }
}

#[test]
fn too_many_rules_are_refused() {
    let variables: String = ('a'..='g').map(|name| format!("%var {name} = 1 2 3 4 5 6 7 8 9 0\n")).collect();
    let text = format!("%root S\n{variables}S -> X[$a,$b,$c,$d,$e,$f,$g]\n");
    assert!(matches!(complaint(&text).0, GrammarProblem::TooLarge { .. }));
    // Fragments that double forty times, with and without children.
    for last in ["A", "()"] {
        let doubling: String = (0..40).map(|i| format!("&f{i} -> &f{} &f{}\n", i + 1, i + 1)).collect();
        let text = format!("%root S\nS -> A &f0\n{doubling}&f40 -> {last}\nA => a\n");
        assert!(matches!(complaint(&text).0, GrammarProblem::TooLarge { .. }), "{last}");
    }
}

proptest::proptest! {
    #[test]
    fn prop_no_text_panics(text in "([%&$A-Cab|:=~>\\-\\[\\],.#*\\\\0-9]| |\n|%root |%var |-> |=> |~> )*") {
        let _ = parse(&text);
    }
}
