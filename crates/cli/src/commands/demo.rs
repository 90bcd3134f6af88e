//! `demo`: train, parse and score, and suggest what to do next.

use std::fmt::Write as _;
use std::io::Write;

use eigentree::corpus::drawing::{draw, side_by_side};
use eigentree::demo::{self, Demo, DemoResult};
use eigentree::eval::report::{BracketReport, Report, Table};
use eigentree::files::Output;
use serde_json::{Value, json};

use crate::args::DemoArgs;
use crate::session::Session;

/// Longest sentence to draw, so that two drawings fit side by side.
const DRAWN_WORDS: usize = 9;
/// Columns between two drawings.
const GAP: usize = 4;

pub(super) fn run(args: &DemoArgs, session: &mut Session) -> anyhow::Result<()> {
    let demo = demo::run(&args.config(session.seed), &mut session.progress)?;
    session.progress.end_stage();
    let mut text = table(&demo).to_text();
    for &at in demo.telling_sentences(DRAWN_WORDS).iter().take(args.drawings) {
        put_drawings(&mut text, &demo, at, args.width);
    }
    put_conclusion(&mut text, &demo);
    #[cfg(feature = "compare")]
    put_recovery(&mut text, session)?;
    let mut output = Output::stdout();
    output.write_all(text.as_bytes()).map_err(|error| output.error(error))?;
    output.finish()?;
    session.fields(json!({
        "train": demo.train,
        "test": demo.test.len(),
        "results": demo.results.iter().map(record).collect::<Vec<_>>(),
        "oracle": record(&demo.oracle),
    }));
    Ok(())
}

fn record(result: &DemoResult) -> Value {
    let report = Report { brackets: Some(BracketReport::from(&result.scores)), ..Report::default() };
    let mut record = report.to_json_value();
    record["name"] = json!(result.name);
    record["rules"] = json!(result.rules);
    record["states"] = json!(result.states);
    if let Some((horizontal, vertical)) = result.orders {
        (record["horizontal"], record["vertical"]) = (json!(horizontal), json!(vertical));
    }
    record
}

fn table(demo: &Demo) -> Table {
    let row = |result: &DemoResult| {
        let summary = result.scores.summary();
        let percent = |share: f64| format!("{:.2}", 100.0 * share);
        vec![
            result.name.to_owned(),
            result.rules.to_string(),
            result.states.to_string(),
            percent(summary.brackets.precision()),
            percent(summary.brackets.recall()),
            percent(summary.brackets.f1()),
            percent(summary.exact),
            percent(summary.tags),
        ]
    };
    let header = ["grammar", "rules", "states", "precision", "recall", "F1", "exact", "tags"];
    let rows = demo.results.iter().chain([&demo.oracle]).map(row).collect();
    Table { header: header.map(str::to_owned).to_vec(), rows }
}

/// The gold tree and the tree of each kind of grammar.
fn put_drawings(text: &mut String, demo: &Demo, at: usize, width: usize) {
    let gold = &demo.test[at];
    let words: Vec<&str> = gold.words().collect();
    let _ = writeln!(text, "\n“{}”", words.join(" "));
    let mut drawing = titled("gold", &draw(gold, width));
    for result in [demo.results.first(), demo.results.last()].into_iter().flatten() {
        let (Some(parse), record) = (&result.parses[at], &result.scores.sentences[at]) else { continue };
        let verdict = if record.is_exact() { "as gold" } else { "not as gold" };
        let next = titled(&format!("{}: {verdict}", result.name), &draw(&parse.tree, width));
        drawing = if record.is_exact() {
            // Do not draw the same tree again.
            format!("{drawing}{}: as gold\n", result.name)
        } else {
            let beside = side_by_side(&drawing, &next, GAP);
            let fits = beside.lines().all(|line| line.chars().count() <= width);
            if fits { beside } else { drawing + &next }
        };
    }
    text.push_str(&drawing);
}

fn titled(title: &str, drawing: &str) -> String {
    format!("{title}\n{drawing}")
}

fn put_conclusion(text: &mut String, demo: &Demo) {
    let f1 = |result: Option<&DemoResult>| {
        result.map_or(0.0, |result| 100.0 * result.scores.summary().brackets.f1())
    };
    let _ = write!(
        text,
        "
What happened: {} trees were drawn from an embedded grammar of English with hidden states (number, verb frames, …).
{} of them taught four grammars, which then parsed the words of the other {}; the table compares their brackets with the truth.
A plain treebank grammar reaches F1 {:.1}; letting labels remember their siblings and parents brings {:.1}.
The rest hides in states that the labels do not show. The last grammar learnt such states by a spectral method, and reaches {:.1}.
The embedded grammar itself, which knows its states, reaches {:.1}: the rest is ambiguity that no parser can resolve.
Next: `eigentree sample english -n 5000 -o t.ptb`, `eigentree train lpcfg t.ptb -o t.eig`, `eigentree parse --help`.
",
        demo.train + demo.test.len(),
        demo.train,
        demo.test.len(),
        f1(demo.results.first()),
        f1(demo.results.iter().rev().nth(1)),
        f1(demo.results.last()),
        f1(Some(&demo.oracle)),
    );
}

/// Why a spectral method: its error on samples of two sizes from a known grammar, beside that of EM from two starts.
#[cfg(feature = "compare")]
fn put_recovery(text: &mut String, session: &mut Session) -> anyhow::Result<()> {
    use compare::NoMeter;
    use compare::recovery::{Config, Point, Role, compare};
    use eigentree::sampling::with_grammar;

    let sizes = [300, 3000];
    let config = Config {
        sizes: sizes.to_vec(),
        repeats: 1,
        restarts: 2,
        test_trees: 200,
        seed: session.seed,
        ..Config::default()
    };
    let progress = &mut session.progress;
    let report = with_grammar("cycle".as_ref(), |grammar| compare(grammar, &config, progress, &NoMeter))?;
    session.progress.end_stage();
    let rows = [("one state", Role::OneState, 0), ("spectral", Role::Spectral, 0)]
        .into_iter()
        .chain([("EM, one start", Role::Em, 0), ("EM, another", Role::Em, 1)]);
    let cells = rows.map(|(name, role, start)| {
        let error = |trees: usize| {
            let of_role = |point: &&Point| point.learner == role && point.trees == trees;
            let point = report.points.iter().filter(of_role).nth(start);
            point.map_or_else(String::new, |point| format!("{:.2}", point.error))
        };
        std::iter::once(name.to_owned()).chain(sizes.map(error)).collect()
    });
    let header = ["error of log p", "300 trees", "3000 trees"].map(str::to_owned).to_vec();
    let table = Table { header, rows: cells.collect() };
    let _ = write!(
        text,
        "
Why a spectral method: a known grammar with eight states, learnt from samples of it. With more trees the spectral estimate comes nearer to the
truth, while EM ends where its start leads it. `eigentree compare recovery --plots plots` draws this for larger samples.
{}",
        table.to_text()
    );
    Ok(())
}
