//! The file format shared by the examples: a sparse matrix of `f32`, little-endian throughout.
//!
//! ```text
//! u64 nrows, ncols, nnz;  u64 indptr[nrows + 1];  u32 indices[nnz];  f32 values[nnz]
//! ```

use std::io::{Read, Write};

use linalg::CsrMatrix;

/// Writes a matrix.
#[allow(dead_code, reason = "each example uses one direction")]
pub(crate) fn write(matrix: &CsrMatrix<f32>, mut out: impl Write) -> std::io::Result<()> {
    for size in [matrix.nrows(), matrix.ncols(), matrix.nnz()] {
        out.write_all(&(size as u64).to_le_bytes())?;
    }
    for &pointer in matrix.indptr() {
        out.write_all(&(pointer as u64).to_le_bytes())?;
    }
    for &index in matrix.indices() {
        out.write_all(&index.to_le_bytes())?;
    }
    for &value in matrix.values() {
        out.write_all(&value.to_le_bytes())?;
    }
    out.flush()
}

/// Reads a matrix.
#[allow(dead_code, reason = "each example uses one direction")]
pub(crate) fn read(mut input: impl Read) -> Result<CsrMatrix<f32>, Box<dyn std::error::Error>> {
    let mut header = [0; 24];
    input.read_exact(&mut header)?;
    let size = |at: usize| {
        header[at..at + 8].iter().rev().fold(0_usize, |sum, &byte| (sum << 8) | usize::from(byte))
    };
    let (nrows, ncols, nnz) = (size(0), size(8), size(16));
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    if bytes.len() != 8 * (nrows + 1) + 8 * nnz {
        return Err("the matrix file is truncated or too long".into());
    }
    let (pointers, rest) = bytes.split_at(8 * (nrows + 1));
    let (indices, values) = rest.split_at(4 * nnz);
    let four = |bytes: &[u8]| [bytes[0], bytes[1], bytes[2], bytes[3]];
    let indptr = pointers
        .chunks_exact(8)
        .map(|bytes| bytes.iter().rev().fold(0_usize, |sum, &byte| (sum << 8) | usize::from(byte)))
        .collect();
    let indices = indices.chunks_exact(4).map(|bytes| u32::from_le_bytes(four(bytes))).collect();
    let values = values.chunks_exact(4).map(|bytes| f32::from_le_bytes(four(bytes))).collect();
    Ok(CsrMatrix::from_raw_parts(nrows, ncols, indptr, indices, values)?)
}
