//! Counting of a text: read, intern, rank, bucket.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel, sync_channel};
use std::thread;

use super::bucket::{MOST_TOKENS, count_pairs};
use super::chunks::{CHUNK_BYTES, Chunk, Chunker};
use super::ranking::Ranking;
use super::sequence::{Ids, Owner, rename, split_tail, with_ahead};
use super::type_table::{BREAK, PADDING, Refused, TypeTable};
use super::{Boundaries, CountConfig, CountError, CountedPart, CountedText, Edges, PairCounts, TextCounts};
use crate::error::{Position, ReadError, SyntaxError};
use crate::ids::{Id, WordId};
use crate::vocab::VocabBuilder;

/// Bytes read before checking whether the ids fill a block.
const ROUND_BYTES: u64 = 1 << 28;

/// Counts texts one after another, on all threads of the rayon pool. The result does not depend on the number of
/// threads.
///
/// The calling thread reads and decompresses, the others intern. With a single thread the caller does both.
pub struct TextCounter {
    config: CountConfig,
    workers: Vec<TypeTable>,
    /// Ids of the current block.
    pieces: Vec<Ids>,
    /// Number of these ids.
    held: usize,
    /// Counts of the previous blocks.
    earlier: Option<Earlier>,
    bytes: u64,
}

/// The first words of the text; the last ones are still among the ids.
type First = Vec<String>;

/// Counts of whole blocks, over ids common to all threads.
struct Earlier {
    vocab: VocabBuilder<WordId>,
    pairs: Vec<PairCounts>,
    first: First,
}

/// Result of scanning a chunk.
struct Scanned {
    index: usize,
    worker: usize,
    result: Result<Box<[u32]>, CountError>,
}

impl TextCounter {
    /// Creates a counter.
    pub fn new(config: CountConfig) -> Result<Self, CountError> {
        if config.distance == 0 {
            return Err(CountError::Distance(0));
        }
        if let Some(limit) = &config.vocab {
            limit.check()?;
        }
        let workers = (0..rayon::current_num_threads()).map(|_| TypeTable::new()).collect();
        Ok(Self { config, workers, pieces: Vec::new(), held: 0, earlier: None, bytes: 0 })
    }

    /// Reads `source` to its end. Errors refer to it as `name`.
    pub fn read(&mut self, source: impl Read, name: &str) -> Result<(), CountError> {
        self.read_watched(source, name, &mut |_| ControlFlow::Continue(()))
    }

    /// The same with an observer: `watch` is called often with the number of bytes read since the last call, and can
    /// stop the work.
    pub fn read_watched(
        &mut self,
        source: impl Read,
        name: &str,
        watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<(), CountError> {
        let mut chunker = Chunker::new(source);
        let mut last = false;
        while !last {
            let (scanned, done) = self.round(&mut chunker, name, watch)?;
            last = done;
            let mut pieces = Vec::with_capacity(scanned.len());
            for Scanned { worker, result, .. } in scanned {
                pieces.push(Ids { owner: Owner::Worker(worker), ids: result? });
            }
            self.held += pieces.iter().map(|piece| piece.ids.len()).sum::<usize>();
            self.pieces.append(&mut pieces);
            // The next round must fit as well.
            let block = self.config.block_tokens.min(MOST_TOKENS - 2 * ROUND_BYTES as usize);
            if self.held > block {
                self.end_block()?;
            }
        }
        if self.config.boundaries == Boundaries::Lines {
            self.held += 1;
            self.pieces.push(Ids { owner: Owner::Shared, ids: [BREAK].into() });
        }
        Ok(())
    }

    /// Number of tokens read so far.
    pub fn tokens(&self) -> u64 {
        self.workers.iter().flat_map(TypeTable::counts).sum()
    }

    /// Number of bytes of text read so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Reads and scans until the source ends or a round is full. Returns the chunks in order, and whether the source
    /// ended.
    fn round(
        &mut self,
        chunker: &mut Chunker<impl Read>,
        name: &str,
        watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<(Vec<Scanned>, bool), CountError> {
        let mut read = |chunk: &mut Chunk| -> Result<u64, CountError> {
            let line = chunker.line();
            chunker.next(chunk).map_err(|error| {
                let line = if line == 1 { 0 } else { line - 1 };
                ReadError::Io { source_name: name.to_owned(), line, error }
            })?;
            let bytes = (chunk.padded.len() - PADDING) as u64;
            if watch(bytes).is_break() {
                return Err(CountError::Cancelled);
            }
            Ok(bytes)
        };
        let config = &self.config;
        let mut chunk = Chunk::default();
        let mut bytes = read(&mut chunk)?;
        let mut scanned = Vec::new();
        // A single chunk is not worth starting a thread.
        if self.workers.len() == 1 || chunk.last {
            let mut ids = Vec::new();
            loop {
                let result = scan(&mut self.workers[0], &chunk, config, name, &mut ids);
                let failed = result.is_err();
                scanned.push(Scanned { index: scanned.len(), worker: 0, result });
                if chunk.last || failed || bytes >= ROUND_BYTES {
                    break;
                }
                bytes += read(&mut chunk)?;
            }
            self.bytes += bytes;
            return Ok((scanned, chunk.last));
        }
        let failed = AtomicBool::new(false);
        let (full, chunks) = sync_channel::<(usize, Chunk)>(self.workers.len() * 2);
        let (empty, emptied) = channel::<Chunk>();
        let chunks = Mutex::new(chunks);
        let mut last = false;
        let workers = &mut self.workers;
        let outcome = thread::scope(|scope| {
            // Where the system allows fewer threads, fewer work.
            let handles: Vec<_> = workers
                .iter_mut()
                .enumerate()
                .filter_map(|(worker, table)| {
                    let (chunks, empty, failed) = (&chunks, empty.clone(), &failed);
                    let started = thread::Builder::new().spawn_scoped(scope, move || {
                        let mut ids = Vec::new();
                        let mut scanned = Vec::new();
                        while let Some((index, chunk)) = take(chunks) {
                            let result = scan(table, &chunk, config, name, &mut ids);
                            if result.is_err() {
                                failed.store(true, Ordering::Relaxed);
                            }
                            scanned.push(Scanned { index, worker, result });
                            // The reader may have finished and need no more buffers.
                            drop(empty.send(chunk));
                        }
                        scanned
                    });
                    started.ok()
                })
                .collect();
            if handles.is_empty() {
                let error = io::Error::other("no thread can be started");
                return Err(ReadError::Io { source_name: name.to_owned(), line: 0, error }.into());
            }
            let mut index = 0;
            let mut outcome = Ok(());
            loop {
                last = chunk.last;
                if full.send((index, chunk)).is_err() {
                    break;
                }
                index += 1;
                if last || bytes >= ROUND_BYTES || failed.load(Ordering::Relaxed) {
                    break;
                }
                chunk = emptied.try_recv().unwrap_or_default();
                match read(&mut chunk) {
                    Ok(more) => bytes += more,
                    Err(error) => {
                        outcome = Err(error);
                        break;
                    }
                }
            }
            drop(full);
            for handle in handles {
                match handle.join() {
                    Ok(part) => scanned.extend(part),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            outcome
        });
        // Chunks are taken in order, so all chunks before a bad one were scanned: the first error does not depend on
        // the number of threads.
        scanned.sort_unstable_by_key(|scanned| scanned.index);
        if scanned.iter().all(|scanned| scanned.result.is_ok()) {
            outcome?;
        }
        self.bytes += bytes;
        Ok((scanned, last))
    }

    /// Counts the pairs so far over all types, and drops their ids.
    fn end_block(&mut self) -> Result<(), CountError> {
        let distance = self.config.distance;
        let mut earlier = self.earlier.take().unwrap_or_else(|| Earlier {
            vocab: VocabBuilder::new(),
            pairs: vec![PairCounts::empty(0); distance],
            first: self.first_words(),
        });
        let names = agree(&self.workers, &mut earlier.vocab)?;
        let same: Vec<u32> = (0..earlier.vocab.len() as u32).collect();
        rename(&mut self.pieces, &names, &same);
        // The right neighbours of these tokens are still to come.
        let tail = split_tail(&mut self.pieces, distance);
        let pairs = count_pairs(&with_ahead(&self.pieces, &tail, distance), same.len(), distance);
        earlier.pairs = earlier.pairs.iter().zip(&pairs).map(|(one, other)| one.sum(other)).collect();
        self.held = tail.len();
        self.pieces = vec![Ids { owner: Owner::Shared, ids: tail.into() }];
        self.earlier = Some(earlier);
        Ok(())
    }

    /// Returns the counts of all that was read, with the words at either end, so that the counts of the text before it or
    /// after it can be joined.
    pub fn finish_part(self) -> Result<CountedPart, CountError> {
        let edges = match (self.config.boundaries, &self.earlier) {
            (Boundaries::Lines, _) => Edges::default(),
            (Boundaries::None, None) => Edges { first: self.first_words(), last: self.last_words() },
            (Boundaries::None, Some(earlier)) => {
                Edges { first: earlier.first.clone(), last: self.last_words() }
            }
        };
        Ok(CountedPart { counted: self.finish()?, edges })
    }

    /// The first words that are held, as many as the distance of pairs.
    fn first_words(&self) -> First {
        let ids = self.pieces.iter().flat_map(|piece| piece.ids.iter().map(|&id| (piece.owner, id)));
        self.texts(ids)
    }

    /// The last words that are held, as many as the distance of pairs.
    fn last_words(&self) -> Vec<String> {
        let ids =
            self.pieces.iter().rev().flat_map(|piece| piece.ids.iter().rev().map(|&id| (piece.owner, id)));
        let mut words = self.texts(ids);
        words.reverse();
        words
    }

    fn texts(&self, ids: impl Iterator<Item = (Owner, u32)>) -> Vec<String> {
        let words = ids.filter(|&(_, id)| id != BREAK).take(self.config.distance);
        words.map(|(owner, id)| self.text(owner, id).to_owned()).collect()
    }

    fn text(&self, owner: Owner, id: u32) -> &str {
        match (owner, &self.earlier) {
            (Owner::Worker(worker), _) => self.workers[worker].text(id as usize),
            (Owner::Shared, Some(earlier)) => {
                WordId::new(id as usize).map_or("", |id| earlier.vocab.text(id))
            }
            // Only break marks are shared before the first block ends.
            (Owner::Shared, None) => "",
        }
    }

    /// Returns the counts of all that was read.
    pub fn finish(mut self) -> Result<CountedText, CountError> {
        let boundaries = self.config.boundaries;
        let limit = self.config.vocab.clone();
        if let Some(mut earlier) = self.earlier.take() {
            let mut pieces = std::mem::take(&mut self.pieces);
            let names = agree(&self.workers, &mut earlier.vocab)?;
            let words = total(&self.workers, &names, earlier.vocab.len());
            let same: Vec<u32> = (0..words.len() as u32).collect();
            rename(&mut pieces, &names, &same);
            let distance = self.config.distance;
            let rest = count_pairs(&with_ahead(&pieces, &[], distance), words.len(), distance);
            drop(pieces);
            let pairs = earlier.pairs.iter().zip(&rest).map(|(one, other)| one.sum(other)).collect();
            let counts = TextCounts { vocab: earlier.vocab.freeze(), words, pairs };
            let (counts, unknown) = match &limit {
                Some(limit) => counts.restricted(limit)?,
                None => (counts.ranked(), None),
            };
            return Ok(CountedText { counts, boundaries, unknown });
        }
        let (ranking, names) = if let [only] = &self.workers[..] {
            let ranking = Ranking::new(only.counts(), |id| only.text(id), limit.as_ref(), None)?;
            let names = vec![ranking.names.clone()];
            (ranking, names)
        } else {
            let mut vocab = VocabBuilder::<WordId>::new();
            let mut names = agree(&self.workers, &mut vocab)?;
            let words = total(&self.workers, &names, vocab.len());
            let text = |word: usize| WordId::new(word).map_or("", |id| vocab.text(id));
            let ranking = Ranking::new(&words, text, limit.as_ref(), None)?;
            for name in names.iter_mut().flatten() {
                *name = ranking.names[*name as usize];
            }
            (ranking, names)
        };
        self.workers.clear();
        let mut pieces = self.pieces;
        rename(&mut pieces, &names, &[]);
        let distance = self.config.distance;
        let pairs = count_pairs(&with_ahead(&pieces, &[], distance), ranking.words.len(), distance);
        let Ranking { vocab, words, unknown, .. } = ranking;
        Ok(CountedText { counts: TextCounts { vocab, words, pairs }, boundaries, unknown })
    }
}

/// The next chunk, if any.
fn take(chunks: &Mutex<Receiver<(usize, Chunk)>>) -> Option<(usize, Chunk)> {
    // A thread that panicked while holding the lock leaves the channel intact.
    let chunks = chunks.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    chunks.recv().ok()
}

/// The ids of a chunk; `ids` is a buffer.
fn scan(
    table: &mut TypeTable,
    chunk: &Chunk,
    config: &CountConfig,
    name: &str,
    ids: &mut Vec<u32>,
) -> Result<Box<[u32]>, CountError> {
    ids.clear();
    ids.reserve(CHUNK_BYTES / 4);
    match table.scan(&chunk.padded, config.boundaries, config.encoding, ids) {
        Ok(()) => Ok(ids.as_slice().into()),
        Err(Refused::TooMany) => Err(CountError::TooManyTypes),
        Err(Refused::NotText { at }) => Err(not_text(chunk, at, name).into()),
    }
}

/// The error for an invalid token at byte `at`.
fn not_text(chunk: &Chunk, at: usize, name: &str) -> ReadError {
    let rest = &chunk.padded[at..];
    let valid = std::str::from_utf8(rest).map_or_else(|error| error.valid_up_to(), str::len);
    let bad = at + valid;
    let start = memchr::memrchr(b'\n', &chunk.padded[..bad]).map(|feed| feed + 1);
    let line = chunk.line + memchr::memchr_iter(b'\n', &chunk.padded[..bad]).count() as u64;
    // A line that began in the previous chunk has no column here.
    let column = start
        .or((chunk.line == 1).then_some(0))
        .map(|start| String::from_utf8_lossy(&chunk.padded[start..bad]).chars().count() as u64 + 1);
    let byte = chunk.padded.get(bad).copied().unwrap_or_default();
    ReadError::Syntax(SyntaxError {
        source_name: name.to_owned(),
        position: Position { line, column },
        expected: "text in UTF-8".to_owned(),
        found: format!("the byte 0x{byte:02x}, which is not valid UTF-8"),
    })
}

/// One numbering of the types of all threads: per thread, the number of each of its types in `vocab`.
fn agree(workers: &[TypeTable], vocab: &mut VocabBuilder<WordId>) -> Result<Vec<Vec<u32>>, CountError> {
    let types: usize = workers.iter().map(TypeTable::len).sum();
    if vocab.len() + types >= BREAK as usize {
        return Err(CountError::TooManyTypes);
    }
    Ok(workers
        .iter()
        .map(|table| (0..table.len()).map(|id| vocab.intern(table.text(id)).index() as u32).collect())
        .collect())
}

/// The sum of the counts of all threads.
fn total(workers: &[TypeTable], names: &[Vec<u32>], words: usize) -> Vec<u64> {
    let mut total = vec![0; words];
    for (table, names) in workers.iter().zip(names) {
        for (&count, &name) in table.counts().iter().zip(names) {
            total[name as usize] += count;
        }
    }
    total
}
