//! Builds the matrix of the SVD benchmark from a text and writes it to a file.
//!
//! Ω = diag(u + κ)^-1/2 B diag(v + κ)^-1/2 (Stratos et al. 2014), where `B[w, (p, c)]` counts how often word c occurs
//! at position p ∈ {−2, −1, +1, +2} of word w within a sentence (a line), u and v are the row and column sums of single
//! positions, and all words outside the most frequent types count as one further type.
//!
//! ```text
//! cargo run --release -p eigentree-linalg --example svd_omega -- TEXT[.zst] OUT.csr [TYPES=50000] [KAPPA=100]
//! ```

#![allow(clippy::print_stdout, reason = "an example reports to its user")]

mod matrix_file;

use std::collections::HashMap;
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Read};

use linalg::CsrMatrix;

const POSITIONS: [isize; 4] = [-2, -1, 1, 2];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [text, out, rest @ ..] = arguments.as_slice() else {
        return Err("usage: svd_omega TEXT[.zst] OUT.csr [TYPES] [KAPPA]".into());
    };
    let types = rest.first().map_or(Ok(50_000), |value| value.parse())?;
    let kappa: f64 = rest.get(1).map_or(Ok(100.0), |value| value.parse())?;
    let text = read_text(text)?;
    let sentences = intern(&text, types);
    let tokens: usize = sentences.iter().map(Vec::len).sum();
    let matrix = omega(&sentences, types + 1, kappa)?;
    matrix_file::write(&matrix, BufWriter::new(File::create(out)?))?;
    println!(
        "{} tokens, {} sentences, {}×{}, {} nonzeros",
        tokens,
        sentences.len(),
        matrix.nrows(),
        matrix.ncols(),
        matrix.nnz()
    );
    Ok(())
}

fn read_text(path: &str) -> Result<String, Box<dyn Error>> {
    let file = File::open(path)?;
    let mut text = String::new();
    if path.ends_with(".zst") {
        zstd::Decoder::new(file)?.read_to_string(&mut text)?;
    } else {
        { file }.read_to_string(&mut text)?;
    }
    Ok(text)
}

/// Sentences as frequency ranks of their words; words outside the `types` most frequent get the id `types`.
fn intern(text: &str, types: usize) -> Vec<Vec<u32>> {
    let mut counts: HashMap<&str, u64> = HashMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word).or_default() += 1;
    }
    let mut ranked: Vec<(&str, u64)> = counts.into_iter().collect();
    ranked.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let ids: HashMap<&str, u32> =
        ranked.iter().take(types).zip(0..).map(|(&(word, _), id)| (word, id)).collect();
    text.lines()
        .map(|line| {
            line.split_whitespace().map(|word| ids.get(word).copied().unwrap_or(types as u32)).collect()
        })
        .collect()
}

/// Counts word by word, over the positions of its occurrences, in one array of contexts.
fn omega(sentences: &[Vec<u32>], types: usize, kappa: f64) -> Result<CsrMatrix<f32>, Box<dyn Error>> {
    let mut occurrences: Vec<Vec<(u32, u32)>> = vec![Vec::new(); types];
    for (number, sentence) in sentences.iter().enumerate() {
        for (place, &word) in sentence.iter().enumerate() {
            occurrences[word as usize].push((number as u32, place as u32));
        }
    }
    let columns = POSITIONS.len() * types;
    let mut counts = vec![0_u32; columns];
    let mut column_sums = vec![0.0_f64; columns];
    let (mut indptr, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for places in &occurrences {
        let start = indices.len();
        for &(number, place) in places {
            let sentence = &sentences[number as usize];
            for (position, offset) in POSITIONS.iter().enumerate() {
                let neighbour = (place as usize).checked_add_signed(*offset).and_then(|at| sentence.get(at));
                if let Some(&context) = neighbour {
                    let column = position * types + context as usize;
                    if counts[column] == 0 {
                        indices.push(column as u32);
                    }
                    counts[column] += 1;
                }
            }
        }
        indices[start..].sort_unstable();
        for &column in &indices[start..] {
            let count = std::mem::take(&mut counts[column as usize]);
            column_sums[column as usize] += f64::from(count);
            values.push(count as f32);
        }
        indptr.push(indices.len());
    }
    let inverse_root = |sum: f64| (1.0 / (sum + kappa).sqrt()) as f32;
    let rows: Vec<f32> = occurrences.iter().map(|places| inverse_root(places.len() as f64)).collect();
    let contexts: Vec<f32> = column_sums.iter().map(|&sum| inverse_root(sum)).collect();
    let mut matrix = CsrMatrix::from_raw_parts(types, columns, indptr, indices, values)?;
    matrix.scale_rows(&rows)?;
    matrix.scale_columns(&contexts)?;
    Ok(matrix)
}
