//! Cost of checking a whole model when it is opened: a mapped file of 256 MB, compared with the checksum alone.
//!
//! ```text
//! cargo run --release -p eigentree-models --example container_bench
//! ```

#![allow(clippy::print_stdout, reason = "an example shows what it finds")]

use eigentree_models::persist::{Container, ContainerWriter, Metadata};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<f32> = (0..64 << 20).map(|i| i as f32).collect();
    let metadata = Metadata::new("large", 1);
    let mut writer = ContainerWriter::new(&metadata);
    writer.array("numbers", &numbers);
    let mut file = tempfile::tempfile()?;
    let length = writer.write_to(&mut file)? as f64;
    for _ in 0..3 {
        let start = std::time::Instant::now();
        // SAFETY: the file has no name, so nobody else can change it.
        let map = unsafe { memmap2::Mmap::map(&file) }?;
        let container = Container::from_mmap(map)?;
        let mapped = start.elapsed().as_secs_f64();
        let start = std::time::Instant::now();
        let crc = crc32fast::hash(bytemuck::cast_slice(&numbers));
        let memory = start.elapsed().as_secs_f64();
        println!(
            "opened {:.0} MB in {:.1} ms ({:.1} GB/s from the page cache); the checksum alone {:.1} GB/s ({crc:08x}, {} sections)",
            length / 1e6,
            mapped * 1e3,
            length / mapped / 1e9,
            length / memory / 1e9,
            container.sections().count(),
        );
    }
    Ok(())
}
