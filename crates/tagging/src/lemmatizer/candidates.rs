//! The scripts considered for a form: those seen with its ending, and the most frequent ones.

use corpus::ids::{Id, WordId};
use corpus::vocab::{Vocab, VocabBuilder};

use models::persist::{Container, ContainerWriter, LoadError, rows_fit};

/// Lengths of the endings, the longest first.
const LENGTHS: [usize; 2] = [2, 1];

/// Endings of forms with the numbers of the scripts seen with them, and the most frequent scripts. The empty ending is
/// for forms whose ending was not seen.
#[derive(Clone, Debug)]
pub(super) struct Candidates {
    endings: Vocab<WordId>,
    /// `starts[e]..starts[e + 1]` are the scripts of ending `e`, ascending.
    starts: Vec<u32>,
    scripts: Vec<u16>,
}

/// Number of scripts that every form may take.
const GENERAL: usize = 16;

fn ending(lower: &[char], length: usize, text: &mut String) {
    text.clear();
    text.extend(&lower[lower.len().saturating_sub(length)..]);
}

impl Candidates {
    /// Collects the candidates of forms, given in lower case with their scripts. The scripts are numbered from the most
    /// frequent one on.
    pub(super) fn of<'f>(forms: impl Iterator<Item = (&'f [char], u16)>, scripts: usize) -> Self {
        let mut endings: VocabBuilder<WordId> = VocabBuilder::new();
        let mut pairs: Vec<(u32, u16)> = Vec::new();
        endings.intern("");
        let mut text = String::new();
        for (lower, script) in forms {
            for length in LENGTHS {
                ending(lower, length, &mut text);
                pairs.push((endings.intern(&text).index() as u32, script));
            }
        }
        let general =
            |ending: usize| (0..scripts.min(GENERAL)).map(move |script| (ending as u32, script as u16));
        pairs.extend((0..endings.len()).flat_map(general));
        pairs.sort_unstable();
        pairs.dedup();
        let endings = endings.freeze();
        let mut starts = vec![0; endings.len() + 1];
        for (at, pair) in pairs.iter().enumerate() {
            starts[pair.0 as usize + 1] = at as u32 + 1;
        }
        Self { endings, starts, scripts: pairs.into_iter().map(|pair| pair.1).collect() }
    }

    /// The candidates of a form, given in lower case.
    pub(super) fn of_form(&self, lower: &[char]) -> &[u16] {
        let mut text = String::new();
        let mut lengths = LENGTHS.into_iter().chain([0]);
        let number = lengths.find_map(|length| {
            ending(lower, length, &mut text);
            self.endings.get(&text)
        });
        number.map_or(&[], |number| {
            let row = number.index();
            &self.scripts[self.starts[row] as usize..self.starts[row + 1] as usize]
        })
    }

    pub(super) fn save<'a>(&'a self, writer: &mut ContainerWriter<'a>) {
        writer.vocab("endings", &self.endings);
        writer.array("starts", &self.starts[..]);
        writer.array("scripts", &self.scripts[..]);
    }

    pub(super) fn load(container: &Container, scripts: usize) -> Result<Self, LoadError> {
        let endings: Vocab<WordId> = container.vocab("endings")?;
        let starts: Vec<u32> = container.array("starts")?.into_vec();
        let numbers: Vec<u16> = container.array("scripts")?.into_vec();
        let sound = rows_fit(&starts, endings.len(), numbers.len())
            && numbers.iter().all(|&number| usize::from(number) < scripts);
        if !sound {
            return Err(LoadError::invalid("scripts", "the endings and scripts do not match"));
        }
        Ok(Self { endings, starts, scripts: numbers })
    }
}
