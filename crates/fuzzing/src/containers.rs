//! Opens any bytes as a model file, behind right checksums.

use models::persist::Container;

const HEADER: usize = 64;

/// Writes the checksums that a file must have over those that it has, and the beginning by which it is known. Where a length
/// or an offset leads out of the file, that stays as it is.
pub fn mend(file: &mut Vec<u8>) {
    file.resize(file.len().max(HEADER), 0);
    file[..8].copy_from_slice(&models::persist::MAGIC);
    file[8..12].copy_from_slice(&models::persist::FORMAT_VERSION.to_le_bytes());
    file[36..60].fill(0);
    let u64_at =
        |file: &[u8], at: usize| file.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
    let place = |offset: u64, length: u64| -> Option<std::ops::Range<usize>> {
        Some(usize::try_from(offset).ok()?..usize::try_from(offset.checked_add(length)?).ok()?)
    };
    let table = u64_at(file, 24).and_then(|length| place(HEADER as u64, length));
    let table = table.filter(|table| table.end <= file.len());
    if let Some(table) = table {
        let mut at = table.start;
        while at + 24 <= table.end {
            let sizes = (u64_at(file, at), u64_at(file, at + 8));
            let section = if let (Some(offset), Some(length)) = sizes { place(offset, length) } else { None };
            if let Some(bytes) = section.and_then(|section| file.get(section)) {
                let crc = crc32fast::hash(bytes);
                file[at + 16..at + 20].copy_from_slice(&crc.to_le_bytes());
            }
            let name = usize::from(u16::from_le_bytes([file[at + 22], file[at + 23]]));
            at += 24 + 8 * usize::from(file[at + 21]) + name.next_multiple_of(8);
        }
        let crc = crc32fast::hash(&file[table]);
        file[32..36].copy_from_slice(&crc.to_le_bytes());
    }
    let crc = crc32fast::hash(&file[..60]);
    file[60..HEADER].copy_from_slice(&crc.to_le_bytes());
}

/// Opens a file and reads each of its sections as everything that a section can be; returns whether it could be opened.
pub fn read(file: Vec<u8>) -> bool {
    let Ok(container) = Container::from_bytes(file) else { return false };
    let sections: Vec<(String, Vec<usize>)> =
        container.sections().map(|section| (section.name().to_owned(), section.shape().to_vec())).collect();
    for (name, shape) in &sections {
        let _ = container.array::<u8>(name);
        let _ = container.array::<u16>(name);
        let _ = container.array::<u32>(name);
        let _ = container.array::<u64>(name);
        let _ = container.array::<i16>(name);
        let _ = container.array::<f32>(name);
        let _ = container.tensor::<f64>(name, shape);
        let _ = container.strings(name).map(|strings| strings.iter().map(str::len).sum::<usize>());
        let _ = container.json::<serde_json::Value>(name);
    }
    true
}

/// Opens the bytes as they are, and once more with right checksums; returns whether they could be opened then.
pub fn attempt(bytes: &[u8]) -> bool {
    read(bytes.to_vec());
    let mut mended = bytes.to_vec();
    mend(&mut mended);
    read(mended)
}
