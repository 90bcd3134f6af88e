//! Clusters the words of a text by several methods. Reports mutual information and CPU seconds per stage.
//!
//! `cargo run --release -p eigentree-words --example cluster_bench -- TEXT [--words 10000] [--clusters 100,400]
//! [--methods exchange,brown] [--passes 20] [--gain 5e-4] [--regroupings 1]`
//!
//! The methods `spectral`, `scaled` (the same with rows of `Û Σ̂`), `counted` (with words weighted by their counts),
//! `weighted` (with both) and `default` also take `[--context lr2] [--kappa 200,2000] [--power 0.5] [--rank 100]
//! [--tolerance 1e-2]`.
//!
//! Tokens are separated by white space. The most frequent types are kept (ties by code point); all others are one word.
//! The text is one sequence.

#![allow(clippy::print_stdout, reason = "the measurements are its output")]

use std::fs::File;
use std::time::Instant;

use corpus::cooccurrence::{Boundaries, CountConfig, TextCounter, VocabLimit};
use eigentree_words::clusters::{
    ClusterConfig, CountTransform, ExchangeConfig, Method, Rows, SpectralConfig, Ward, learn,
};
use models::learn::Observer;

/// CPU seconds of this process where the system reports them (Linux), wall-clock seconds otherwise.
fn seconds(origin: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/self/stat").ok();
    let ticks = told.as_deref().and_then(|text| {
        let fields: Vec<&str> = text.rsplit(") ").next()?.split(' ').collect();
        Some(fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?)
    });
    ticks.map_or_else(|| origin.elapsed().as_secs_f64(), |ticks| ticks * 0.01)
}

/// Records the time at which each stage begins.
struct Clock {
    origin: Instant,
    stages: Vec<(String, f64)>,
}

impl Observer for Clock {
    fn stage(&mut self, name: &str, _total: Option<u64>) {
        self.stages.push((name.to_owned(), seconds(self.origin)));
    }
}

fn main() {
    let origin = Instant::now();
    let args: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| args.iter().position(|arg| arg == name).map(|at| args[at + 1].clone());
    let size: usize = option("--words").map_or(10_000, |text| text.parse().expect("a number"));
    let clusters = option("--clusters").unwrap_or_else(|| "100,400".into());
    let methods = option("--methods").unwrap_or_else(|| "exchange".into());
    let passes: usize = option("--passes").map_or(20, |text| text.parse().expect("a number"));
    let regroupings: usize = option("--regroupings").map_or(1, |text| text.parse().expect("a number"));
    let least_gain: f64 = option("--gain").map_or(5e-4, |text| text.parse().expect("a number"));
    let context = option("--context").map(|text| text.parse().expect("a context"));
    let rank: Option<usize> = option("--rank").map(|text| text.parse().expect("a number"));
    let [power, tolerance] = ["--power", "--tolerance"]
        .map(|name| -> Option<f64> { option(name).map(|text| text.parse().expect("a number")) });
    let kappas: Vec<Option<f64>> = option("--kappa").map_or(vec![None], |text| {
        text.split(',').map(|text| Some(text.parse().expect("a number"))).collect()
    });
    let start = seconds(origin);
    let vocab = Some(VocabLimit::most_frequent(size));
    let distance = context.unwrap_or(SpectralConfig::paper().context).distance();
    let count = CountConfig { distance, boundaries: Boundaries::None, vocab, ..CountConfig::default() };
    let mut counter = TextCounter::new(count).expect("consistent options");
    let text =
        corpus::compression::decompress(File::open(&args[0]).expect("a file")).expect("a readable file");
    counter.read(text, &args[0]).expect("UTF-8");
    let counts = counter.finish().expect("counts").counts.pairs;
    println!(
        "count: {:.2} s CPU, {} words, {} pairs, {} different",
        seconds(origin) - start,
        counts[0].words(),
        counts[0].total(),
        counts[0].len()
    );
    for m in clusters.split(',').map(|text| text.parse::<usize>().expect("a number")) {
        for (name, &kappa) in
            methods.split(',').flat_map(|name| kappas.iter().map(move |kappa| (name, kappa)))
        {
            let method = match name {
                "exchange" => Method::Exchange,
                "brown" => Method::Brown,
                "spectral" | "weighted" | "scaled" | "counted" => Method::Spectral,
                "default" => Method::SpectralExchange,
                _ => panic!("unknown method {name}"),
            };
            let exchange = ExchangeConfig { passes, least_gain, regroupings };
            let mut spectral = SpectralConfig::of(method);
            if matches!(name, "weighted" | "scaled") {
                spectral.rows = Rows::Scaled;
            }
            if matches!(name, "weighted" | "counted") {
                spectral.ward = Ward::ByCount;
            }
            spectral.context = context.unwrap_or(spectral.context);
            spectral.kappa = kappa.unwrap_or(spectral.kappa);
            spectral.rank = rank.or(spectral.rank);
            spectral.tolerance = tolerance.unwrap_or(spectral.tolerance);
            spectral.transform = power.map_or(spectral.transform, CountTransform::Power);
            let kappa = spectral.kappa;
            let config = ClusterConfig { method, clusters: m, spectral: Some(spectral), exchange };
            let mut clock = Clock { origin, stages: vec![("start".into(), seconds(origin))] };
            let wall = Instant::now();
            let learned = learn(&counts, None, &config, &mut clock).expect("clusters");
            let wall = wall.elapsed().as_secs_f64();
            clock.stages.push(("end".into(), seconds(origin)));
            let stages: Vec<String> = clock.stages[1..]
                .windows(2)
                .map(|pair| format!("{} {:.2}", pair[0].0, pair[1].1 - pair[0].1))
                .collect();
            let figure = |name| learned.report.figure(name).unwrap_or(f64::NAN);
            let cpu = clock.stages[clock.stages.len() - 1].1 - clock.stages[0].1;
            println!(
                "{name:>10} m = {m:5} κ {kappa:5}: MI {:.4}  {cpu:7.2} s CPU {wall:7.2} s wall ({})  passes {} moves {} γ {:.2} σ {:.4}",
                figure("mutual information"),
                stages.join(", "),
                figure("passes"),
                figure("moves"),
                figure("searches per merge"),
                figure("smallest singular value"),
            );
        }
    }
}
