//! Decomposes a matrix file and prints one JSON object: CPU time, singular values, residuals.
//!
//! ```text
//! cargo run --release -p eigentree-linalg --example svd_of_file -- MATRIX.csr RANK
//!     [precision=f32|f64] [threads=1] [tolerance=…] [block=…] [dimension=…] [seed=…]
//! ```
//!
//! The CPU time covers the decomposition, from the matrix in memory to the triplets, including the construction of the
//! transpose that the operator needs.

#![allow(clippy::print_stdout, reason = "an example reports to its user")]

mod matrix_file;

use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::time::Instant;

use linalg::{CsrMatrix, Scalar, SparseOperator, SvdConfig, truncated_svd};
use rayon::ThreadPool;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, rank, options @ ..] = arguments.as_slice() else {
        return Err("usage: svd_of_file MATRIX.csr RANK [key=value …]".into());
    };
    let mut config = SvdConfig::with_rank(rank.parse()?);
    let (mut threads, mut precision) = (1, "f32");
    for option in options {
        match option.split_once('=') {
            Some(("precision", value)) => precision = value,
            Some(("threads", value)) => threads = value.parse()?,
            Some(("tolerance", value)) => config.tolerance = value.parse()?,
            Some(("block", value)) => config.block = Some(value.parse()?),
            Some(("dimension", value)) => config.max_dimension = Some(value.parse()?),
            Some(("seed", value)) => config.seed = value.parse()?,
            _ => return Err(format!("unknown option {option}").into()),
        }
    }
    let matrix = matrix_file::read(BufReader::new(File::open(path)?))?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    match precision {
        "f32" => run(&pool, matrix, &config),
        "f64" => run(&pool, matrix.cast::<f64>()?, &config),
        other => Err(format!("unknown precision {other}").into()),
    }
}

fn run<T: Scalar>(pool: &ThreadPool, matrix: CsrMatrix<T>, config: &SvdConfig) -> Result<(), Box<dyn Error>> {
    let (start, cpu) = (Instant::now(), cpu_seconds()?);
    let operator = SparseOperator::new(matrix);
    let prepared = cpu_seconds()?;
    let svd = pool.install(|| truncated_svd(&operator, config))?;
    let (wall, cpu, transpose) = (start.elapsed().as_secs_f64(), cpu_seconds()? - cpu, prepared - cpu);
    let sigma: Vec<f64> = svd.s.iter().map(|value| value.to_f64()).collect();
    println!(
        "{}",
        serde_json::json!({
            "cpu_seconds": cpu,
            "wall_seconds": wall,
            "transpose_cpu_seconds": transpose,
            "products": svd.products,
            "restarts": svd.restarts,
            "converged": svd.converged,
            "largest_residual": svd.residuals.iter().copied().fold(0.0, f64::max),
            "sigma": sigma,
            "residuals": svd.residuals,
        })
    );
    Ok(())
}

/// User and system time of this process; the kernel counts in hundredths of a second.
fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    // The command name in parentheses may contain spaces; the fields after it do not.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |field: usize| -> Result<f64, Box<dyn Error>> {
        Ok(fields.get(field).ok_or("unexpected /proc/self/stat")?.parse()?)
    };
    Ok((ticks(11)? + ticks(12)?) / 100.0)
}
