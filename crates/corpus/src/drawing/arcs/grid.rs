//! A field of characters with lines of box characters, and texts over them.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Directions in which a cell is connected.
pub(super) const UP: u8 = 1;
pub(super) const DOWN: u8 = 2;
pub(super) const LEFT: u8 = 4;
pub(super) const RIGHT: u8 = 8;

#[derive(Clone, Copy, Default)]
struct Cell {
    /// Connections of corners and ends.
    joints: u8,
    /// Lines that pass.
    across: bool,
    along: bool,
    text: Option<char>,
    /// Right half of a wide character.
    covered: bool,
}

impl Cell {
    fn shown(self) -> char {
        if let Some(text) = self.text {
            return text;
        }
        let passing = if self.across { UP | DOWN } else { 0 } | if self.along { LEFT | RIGHT } else { 0 };
        // Where two lines cross without a joint, the one from top to bottom passes in front.
        match (self.joints, passing) {
            (0, 0) => ' ',
            (0, passing) if passing & UP != 0 => '│',
            (joints, passing) => box_character(joints | passing),
        }
    }
}

fn box_character(connections: u8) -> char {
    /// By connections as a number: up 1, down 2, left 4, right 8.
    const CHARACTERS: [char; 16] =
        [' ', '│', '│', '│', '─', '┘', '┐', '┤', '─', '└', '┌', '├', '─', '┴', '┬', '┼'];
    CHARACTERS[usize::from(connections & 15)]
}

/// Rows of cells.
pub(super) struct Grid {
    columns: usize,
    cells: Vec<Cell>,
    /// Combining characters and the like: row, column of the cell they follow, character.
    marks: Vec<(usize, usize, char)>,
}

impl Grid {
    pub(super) fn new(rows: usize, columns: usize) -> Self {
        Self { columns, cells: vec![Cell::default(); rows * columns], marks: Vec::new() }
    }

    fn at(&mut self, row: usize, column: usize) -> Option<&mut Cell> {
        if column < self.columns { self.cells.get_mut(row * self.columns + column) } else { None }
    }

    /// A corner or an end.
    pub(super) fn joint(&mut self, row: usize, column: usize, connections: u8) {
        if let Some(cell) = self.at(row, column) {
            cell.joints |= connections;
        }
    }

    /// A line from top to bottom through some rows of a column.
    pub(super) fn vertical(&mut self, rows: std::ops::Range<usize>, column: usize) {
        for row in rows {
            if let Some(cell) = self.at(row, column) {
                cell.across = true;
            }
        }
    }

    /// A line from left to right through some columns of a row.
    pub(super) fn horizontal(&mut self, row: usize, columns: std::ops::Range<usize>) {
        for column in columns {
            if let Some(cell) = self.at(row, column) {
                cell.along = true;
            }
        }
    }

    /// Whether no line from top to bottom passes these columns of a row.
    pub(super) fn is_free(&self, row: usize, columns: std::ops::Range<usize>) -> bool {
        let start = row * self.columns;
        self.cells
            .get(start + columns.start..start + columns.end)
            .is_some_and(|cells| cells.iter().all(|cell| !cell.across && cell.joints == 0))
    }

    /// Writes a text over whatever is there.
    pub(super) fn text(&mut self, row: usize, mut column: usize, text: &str) {
        for c in text.chars() {
            let wide = c.width().unwrap_or(0);
            if wide == 0 {
                self.marks.push((row, column.saturating_sub(1), c));
                continue;
            }
            for part in 0..wide {
                if let Some(cell) = self.at(row, column + part) {
                    (cell.text, cell.covered) = (Some(c), part > 0);
                }
            }
            column += wide;
        }
    }

    /// All rows, without spaces at their ends.
    pub(super) fn render(self) -> String {
        let mut out = String::new();
        let mut marks = self.marks.iter().peekable();
        for (row, cells) in self.cells.chunks(self.columns.max(1)).enumerate() {
            let start = out.len();
            for (column, cell) in cells.iter().enumerate() {
                if !cell.covered {
                    out.push(cell.shown());
                }
                while let Some(&&(_, _, c)) = marks.peek().filter(|&&&(r, col, _)| (r, col) == (row, column))
                {
                    out.push(c);
                    marks.next();
                }
            }
            out.truncate(start + out[start..].trim_end_matches(' ').len());
            out.push('\n');
        }
        out
    }

    /// Marks must be in reading order to be rendered.
    pub(super) fn sorted(mut self) -> Self {
        self.marks.sort_by_key(|&(row, column, _)| (row, column));
        self
    }
}

/// The width of a text in columns.
pub(super) fn columns(text: &str) -> usize {
    text.width()
}
