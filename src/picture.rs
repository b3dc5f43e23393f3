//! Pictures: what there is to see of a position, before anybody decides how it is drawn.
//!
//! A picture is a grid: the ground of each cell, marks on the ground, and figures that stand on it. A figure keeps its
//! key from one position to the next, so that whoever draws can let it move instead of vanish and appear. Domains make
//! pictures; the terminal, vector graphics and films are made of them, and know no domain.

/// A row and a column, counted from 0.
pub type Cell = (usize, usize);

/// More cells than these are not made a picture of.
pub const MOST_CELLS: usize = 1 << 20;

/// More figures than these are not made a picture of.
pub const MOST_FIGURES: usize = 1 << 14;

/// What there is to see of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// Row by row, what the cells are made of.
    pub ground: Vec<Ground>,
    /// What is marked on the ground: where a figure belongs, say.
    pub marks: Vec<Figure>,
    /// What stands on the ground, in the same order in every position; no two have the same key.
    pub figures: Vec<Figure>,
}

/// What a cell is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ground {
    /// Nothing: the board has no cell here.
    Void,
    /// Where figures may stand.
    Floor,
    /// Where nothing may stand.
    Wall,
    /// Where only some figures may enter.
    Gate,
    /// Floor that costs so much to enter, more than 1.
    Rough(u8),
}

/// Something on the ground.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The identity of the figure: equal in all positions for one and the same thing.
    pub key: u64,
    /// What is written on it.
    pub label: String,
    /// Its colour.
    pub paint: Paint,
    /// How it looks.
    pub form: Form,
    /// The upper left corner of the rectangle around its cells.
    pub at: Cell,
    /// Its cells, as distances from there, row by row; at least one.
    pub cells: Vec<Cell>,
}

/// How a figure looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// A solid that fills its cells, with its label on it.
    Block,
    /// A round token in its cell; it leaves a trail.
    Token,
    /// Nothing but its label.
    Text,
}

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Paint {
    /// That of what matters most.
    Accent,
    /// One of the hues, counted round and round.
    Hue(usize),
    /// Red, green and blue.
    Rgb([u8; 3]),
    /// No colour of its own.
    Plain,
}

/// Colours that are distinct on a light and on a dark background, consecutive ones most of all: by turns around the circle
/// of hues, none as red as the accent.
const HUES: [[u8; 3]; 12] = [
    [0x4c, 0x8b, 0xd6],
    [0xe0, 0xa0, 0x30],
    [0x4f, 0xa3, 0x6c],
    [0x9a, 0x6f, 0xc8],
    [0x2f, 0xa8, 0xb0],
    [0xc9, 0x7b, 0x4a],
    [0x8a, 0xa8, 0x3a],
    [0xc7, 0x6f, 0xa8],
    [0x6b, 0x7f, 0xc4],
    [0xb8, 0x9a, 0x5e],
    [0x5f, 0x9e, 0x94],
    [0x8d, 0x86, 0x94],
];

const ACCENT: [u8; 3] = [0xd6, 0x45, 0x3d];
const PLAIN: [u8; 3] = [0xb0, 0xb4, 0xba];

impl Paint {
    /// Red, green and blue.
    #[must_use]
    pub fn rgb(self) -> [u8; 3] {
        match self {
            Paint::Accent => ACCENT,
            Paint::Hue(number) => HUES[number % HUES.len()],
            Paint::Rgb(rgb) => rgb,
            Paint::Plain => PLAIN,
        }
    }

    /// Whether black is easier to read on it than white: which of them stands out more (W3C, Web Content Accessibility
    /// Guidelines 2.1, 2018, relative luminance).
    #[must_use]
    pub fn is_light(self) -> bool {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        let [red, green, blue] = self.rgb().map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.25
    }
}

impl Figure {
    /// A figure on one cell.
    #[must_use]
    pub fn single(key: u64, label: impl Into<String>, paint: Paint, form: Form, at: Cell) -> Figure {
        Figure { key, label: label.into(), paint, form, at, cells: vec![(0, 0)] }
    }

    /// The cells on which it stands.
    pub fn covered(&self) -> impl Iterator<Item = Cell> + '_ {
        self.cells.iter().map(|&(row, column)| (self.at.0 + row, self.at.1 + column))
    }
}

impl Picture {
    /// A picture without figures, of one ground all over.
    #[must_use]
    pub fn new(rows: usize, columns: usize, ground: Ground) -> Picture {
        Picture { rows, columns, ground: vec![ground; rows * columns], marks: Vec::new(), figures: Vec::new() }
    }

    /// A picture of text, character by character, for positions of which nothing is known but how they are written.
    #[must_use]
    pub fn of_text(text: &str) -> Picture {
        let lines: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
        let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
        let mut picture = Picture::new(lines.len(), columns, Ground::Void);
        for (row, line) in lines.iter().enumerate() {
            for (column, &letter) in line.iter().enumerate().filter(|(_, letter)| !letter.is_whitespace()) {
                let key = ((row * columns + column) as u64) << 21 | u64::from(u32::from(letter));
                picture.figures.push(Figure::single(key, letter, Paint::Plain, Form::Text, (row, column)));
            }
        }
        picture
    }

    /// What a cell is made of.
    #[must_use]
    pub fn ground(&self, (row, column): Cell) -> Ground {
        self.ground[row * self.columns + column]
    }

    /// The figure that stands on a cell, the last of several.
    #[must_use]
    pub fn figure_on(&self, cell: Cell) -> Option<&Figure> {
        self.figures.iter().rfind(|figure| figure.covered().any(|covered| covered == cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_becomes_a_figure_a_letter_that_keeps_its_key_while_it_stays() {
        let (one, two) = (Picture::of_text("a b\n|\n"), Picture::of_text("a c\n|\n"));
        assert_eq!((one.rows, one.columns), (2, 3));
        let keys = |picture: &Picture| picture.figures.iter().map(|figure| figure.key).collect::<Vec<_>>();
        assert_eq!(keys(&one).len(), 3);
        assert_eq!((keys(&one)[0], keys(&one)[2]), (keys(&two)[0], keys(&two)[2]));
        assert_ne!(keys(&one)[1], keys(&two)[1]);
    }

    #[test]
    fn what_stands_on_a_cell_is_found_by_all_of_its_cells() {
        let mut picture = Picture::new(2, 2, Ground::Floor);
        let corner =
            Figure { cells: vec![(0, 0), (1, 0)], ..Figure::single(7, "a", Paint::Accent, Form::Block, (0, 1)) };
        picture.figures.push(corner);
        let found = |cell| picture.figure_on(cell).map(|figure| figure.key);
        assert_eq!([(0, 0), (0, 1), (1, 0), (1, 1)].map(found), [None, Some(7), None, Some(7)]);
    }

    #[test]
    fn black_is_read_on_light_colours_and_white_on_dark_ones() {
        assert!(Paint::Rgb([255, 255, 0]).is_light() && !Paint::Rgb([0, 0, 160]).is_light());
        assert!(!Paint::Accent.is_light());
    }
}
