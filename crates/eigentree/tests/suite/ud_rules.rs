//! The rules of Universal Dependencies for files, levels 1 and 2: those of the official validator that need no lists of a
//! language.

use std::collections::HashSet;

/// The universal parts of speech.
const UPOS: [&str; 17] = [
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT",
    "SCONJ", "SYM", "VERB", "X",
];

/// Which columns a file must fill.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tags {
    Universal,
    /// Any, as in the treebanks of tests.
    Any,
}

/// What is wrong with a file, one line each.
pub(crate) fn faults(file: &str, tags: Tags) -> Vec<String> {
    let mut faults = Vec::new();
    let mut ids = HashSet::new();
    if !file.is_empty() && !file.ends_with("\n\n") {
        faults.push("the last sentence has no empty line after it".to_owned());
    }
    let mut previous_glued = false;
    for block in file.split("\n\n").filter(|block| !block.is_empty()) {
        let mut own = Vec::new();
        check_sentence(block, tags, &mut ids, &mut own);
        let opens = block.lines().any(|line| line.starts_with("# newpar") || line.starts_with("# newdoc"));
        if opens && previous_glued {
            own.push("SpaceAfter=No before a new paragraph or document".to_owned());
        }
        previous_glued = block.lines().last().is_some_and(|line| line.contains("SpaceAfter=No"));
        let name = block.lines().find(|line| line.starts_with("# sent_id")).unwrap_or("?").to_owned();
        faults.extend(own.into_iter().map(|fault| format!("{name}: {fault}")));
    }
    faults
}

fn check_sentence(block: &str, tags: Tags, ids: &mut HashSet<String>, faults: &mut Vec<String>) {
    let (comments, lines): (Vec<&str>, Vec<&str>) = block.lines().partition(|line| line.starts_with('#'));
    let value = |key: &str| -> Vec<&str> {
        let prefix = format!("# {key} = ");
        comments.iter().filter_map(|comment| comment.strip_prefix(prefix.as_str())).collect()
    };
    match value("sent_id")[..] {
        [id] if id.contains(char::is_whitespace) || id.contains('/') => faults.push(format!("the id {id:?}")),
        [id] if !ids.insert(id.to_owned()) => faults.push(format!("the id {id} occurs twice")),
        [_] => {}
        _ => faults.push("not exactly one sent_id".to_owned()),
    }
    let rows: Vec<Vec<&str>> = lines.iter().map(|line| line.split('\t').collect()).collect();
    if rows
        .iter()
        .any(|row| row.len() != 10 || row.iter().any(|cell| cell.is_empty() || cell.trim() != *cell))
    {
        faults.push("a line without ten filled columns".to_owned());
        return;
    }
    for row in &rows {
        let unspaced = row.iter().enumerate().filter(|(column, _)| !matches!(column, 1 | 2 | 9));
        if unspaced.into_iter().any(|(_, cell)| cell.contains(char::is_whitespace)) {
            faults.push(format!("white space in a column of {:?}", row[1]));
        }
    }
    let words: Vec<&Vec<&str>> = rows.iter().filter(|row| !row[0].contains(['-', '.'])).collect();
    if words.iter().enumerate().any(|(at, row)| row[0] != (at + 1).to_string()) {
        faults.push("ids are not 1, 2, 3".to_owned());
    }
    check_text(&rows, &value("text"), faults);
    for row in &rows {
        check_row(row, tags, faults);
    }
    check_tree(&words, faults);
}

/// The text must be the tokens with the spaces that MISC tells.
fn check_text(rows: &[Vec<&str>], texts: &[&str], faults: &mut Vec<String>) {
    let [text] = texts else {
        faults.push("not exactly one text".to_owned());
        return;
    };
    if text.trim_end() != *text {
        faults.push("white space after the text".to_owned());
    }
    let (mut rest, mut covered) = (*text, 0);
    for row in rows.iter().filter(|row| !row[0].contains('.')) {
        let glued = row[9].split('|').any(|part| part == "SpaceAfter=No");
        if let Some((_, last)) = row[0].split_once('-') {
            covered = last.parse().unwrap_or(0);
        } else if row[0].parse::<usize>().unwrap_or(0) <= covered {
            if glued {
                faults.push("SpaceAfter=No inside a multiword token".to_owned());
            }
            continue;
        }
        let Some(after) = rest.strip_prefix(row[1]) else {
            faults.push(format!("the text goes on with {rest:?}, not with {:?}", row[1]));
            return;
        };
        let spaced = after.starts_with(' ');
        if !after.is_empty() && spaced == glued {
            faults.push(format!("SpaceAfter of {:?} contradicts the text", row[1]));
        }
        rest = after.trim_start();
    }
    if !rest.is_empty() {
        faults.push(format!("the text has {rest:?} after its tokens"));
    }
}

fn check_row(row: &[&str], tags: Tags, faults: &mut Vec<String>) {
    if row[0].contains('-') {
        if row[2..9].iter().any(|cell| *cell != "_") {
            faults.push(format!("columns of the multiword token {:?}", row[1]));
        }
        return;
    }
    if tags == Tags::Universal && !UPOS.contains(&row[3]) {
        faults.push(format!("the part of speech {:?}", row[3]));
    }
    let features: Vec<&str> = if row[5] == "_" { Vec::new() } else { row[5].split('|').collect() };
    let names: Vec<String> =
        features.iter().map(|feature| feature.split('=').next().unwrap_or("").to_lowercase()).collect();
    let formed = |feature: &&str| {
        feature.split_once('=').is_some_and(|(name, values)| {
            name.starts_with(|c: char| c.is_ascii_uppercase())
                && values
                    .split(',')
                    .all(|value| value.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit()))
        })
    };
    if !features.iter().all(formed) || !names.is_sorted_by(|one, other| one < other) {
        faults.push(format!("the features {:?}", row[5]));
    }
    let relation = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_lowercase());
    if !row[7].split(':').all(relation) {
        faults.push(format!("the relation {:?}", row[7]));
    }
    if row[8] != "_" {
        faults.push("an enhanced graph that nobody made".to_owned());
    }
    if row[9] != "_" && row[9].split('|').any(str::is_empty) {
        faults.push(format!("empty attributes in {:?}", row[9]));
    }
}

/// One root, which alone has the relation `root`; no cycles.
fn check_tree(words: &[&Vec<&str>], faults: &mut Vec<String>) {
    let heads: Vec<Option<usize>> = words.iter().map(|row| row[6].parse().ok()).collect();
    let Some(heads) = heads.into_iter().collect::<Option<Vec<usize>>>() else {
        faults.push("a word without a head".to_owned());
        return;
    };
    if heads.iter().filter(|&&head| head == 0).count() != 1 {
        faults.push("not exactly one root".to_owned());
    }
    for (row, &head) in words.iter().zip(&heads) {
        if (head == 0) != (row[7] == "root") {
            faults.push(format!("the relation {:?} to head {head}", row[7]));
        }
    }
    for start in 1..=heads.len() {
        let (mut at, mut steps) = (start, 0);
        while at != 0 && steps <= heads.len() {
            at = heads.get(at - 1).copied().unwrap_or(0);
            steps += 1;
        }
        if at != 0 {
            faults.push(format!("a cycle above word {start}"));
            return;
        }
    }
}

#[test]
fn every_rule_can_fail() {
    let good = "# sent_id = 1\n# text = Hi you!\n1\tHi\t_\tINTJ\t_\tCase=Nom|Number=Sing\t0\troot\t_\t_\n\
                2\tyou\t_\tPRON\t_\t_\t1\tvocative\t_\tSpaceAfter=No\n3\t!\t_\tPUNCT\t_\t_\t1\tpunct\t_\t_\n\n";
    assert_eq!(faults(good, Tags::Universal), Vec::<String>::new());
    for (from, to) in [
        ("# sent_id = 1\n", ""),
        ("sent_id = 1", "sent_id = a b"),
        ("# text = Hi you!\n", ""),
        ("Hi you!\n", "Hi you !\n"),
        ("Hi you!\n", "Hi you! \n"),
        ("Hi you!\n", "Hi you!!\n"),
        ("\tINTJ\t", "\tUH\t"),
        ("Case=Nom|Number=Sing", "Number=Sing|Case=Nom"),
        ("Case=Nom|Number=Sing", "case=Nom"),
        ("0\troot", "0\tdep"),
        ("1\tvocative", "1\troot"),
        ("1\tvocative", "0\troot"),
        ("1\tvocative", "3\tvocative"),
        ("1\tvocative", "1\tVOC"),
        ("1\tvocative\t_", "1\tvocative\t1:x"),
        ("SpaceAfter=No", "SpaceAfter=No|"),
        ("2\tyou", "3\tyou"),
        ("3\t!", "3\t! "),
    ] {
        let mut bad = good.replacen(from, to, 1);
        if (from, to) == ("1\tvocative", "3\tvocative") {
            bad = bad.replace("1\tpunct", "2\tpunct");
        }
        assert_ne!(bad, good, "{from}");
        assert!(!faults(&bad, Tags::Universal).is_empty(), "{from:?} -> {to:?}");
    }
    assert!(!faults(&[good, good].concat(), Tags::Universal).is_empty(), "ids are unique");
}
