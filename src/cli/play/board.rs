//! The board: a picture in characters, with cells as large as fit the screen.

use super::palette::Palette;
use crate::diagnostic::printable;
use crate::fences::{DOWN, LEFT, RIGHT};
use crate::picture::{Cell, Figure, Form, Ground, Paint, Picture, Sprite};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use std::collections::HashSet;
use unicode_width::UnicodeWidthStr;

/// Columns and lines of a cell, the largest first; figures have borders if a cell has at least three lines.
/// A character is about twice as high as wide, so that no cell is narrower than two characters.
const SIZES: [(u16, u16); 6] = [(15, 7), (11, 5), (7, 3), (5, 3), (3, 1), (2, 1)];

/// The columns of a readable cell.
const READABLE: u16 = 5;

/// The colours of walls, gates, and rough ground.
const WALL: Paint = Paint::Rgb([0x74, 0x74, 0x7c]);
const GATE: Paint = Paint::Rgb([0xc0, 0xa0, 0x40]);
const ROUGH: Paint = Paint::Rgb([0xa0, 0x78, 0x50]);

/// The place of a board on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Placed {
    pub area: Rect,
    /// Columns and lines of a cell.
    size: (u16, u16),
    /// The cell in the upper left corner.
    first: Cell,
}

/// The style of a figure.
struct FigureStyle<'a> {
    style: Style,
    border: Option<&'a Border>,
    /// True if it hides the ground.
    is_solid: bool,
}

/// The highlighted figures and cells.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Marked<'a> {
    pub selected: Option<u64>,
    pub hinted: Option<u64>,
    /// The cells where the selected figure can go.
    pub targets: &'a [Cell],
    pub cursor: Option<Cell>,
    pub hinted_cell: Option<Cell>,
}

impl Placed {
    /// Places a board in the middle of an area, with cells as large as fit. If no size fits, places a part of the board
    /// that contains the cell `focus`, and as many `goals` as possible.
    pub fn new(picture: &Picture, area: Rect, focus: Cell, goals: &[Cell]) -> Placed {
        let texts = picture.figures.iter().all(|figure| figure.form == Form::Text);
        let label = |figure: &Figure| figure.label.chars().count() as u16;
        let widest = picture.figures.iter().map(label).max().unwrap_or(0);
        // A label is written across all columns of its figure.
        let needed = |more: u16| {
            let of_cell = |figure: &Figure| (label(figure) + more).div_ceil(label_columns(figure));
            picture.figures.iter().map(of_cell).max().unwrap_or(0)
        };
        let holds = |&(width, height): &(u16, u16)| match height {
            1 => width >= if widest > 1 { needed(1) } else { 1 },
            _ => width >= needed(2),
        };
        let fits = |&(width, height): &(u16, u16)| {
            picture.columns * usize::from(width) <= area.width.into()
                && picture.rows * usize::from(height) <= area.height.into()
        };
        let least = if widest > 1 { (needed(1).max(2), 1) } else { (2, 1) };
        let size = match texts {
            true => (1, 1),
            false => SIZES.into_iter().filter(holds).find(fits).unwrap_or(least),
        };
        let shown = |room: u16, size: u16, cells: usize| usize::from((room / size).max(1)).min(cells.max(1));
        let (rows, columns) = (shown(area.height, size.1, picture.rows), shown(area.width, size.0, picture.columns));
        let seen = seen((rows, columns), focus, goals);
        let first = |(least, most): (usize, usize), shown: usize, cells: usize| {
            ((least + most) / 2).saturating_sub(shown / 2).min(cells.max(1) - shown)
        };
        let first = (first(seen.0, rows, picture.rows), first(seen.1, columns, picture.columns));
        let (width, height) = ((columns as u16 * size.0).min(area.width), (rows as u16 * size.1).min(area.height));
        let (x, y) = (area.x + (area.width - width) / 2, area.y + (area.height - height) / 2);
        Placed { area: Rect { x, y, width, height }, size, first }
    }

    /// Returns how well the board is to be seen: whether all of it, and how wide its cells are, up to a width at which
    /// everything is readable.
    pub fn worth(&self, picture: &Picture) -> (bool, u16) {
        let (width, height) = (usize::from(self.size.0), usize::from(self.size.1));
        let is_whole =
            picture.columns * width <= self.area.width.into() && picture.rows * height <= self.area.height.into();
        (is_whole, self.size.0.min(READABLE))
    }

    /// Returns the cell at a place on the screen.
    pub fn cell_at(&self, x: u16, y: u16) -> Option<Cell> {
        let inside = self.area.contains((x, y).into()) && self.size.0 > 0;
        let cell = || {
            let (right, down) = ((x - self.area.x) / self.size.0, (y - self.area.y) / self.size.1);
            (self.first.0 + usize::from(down), self.first.1 + usize::from(right))
        };
        inside.then(cell)
    }

    /// Returns the cell nearest to a place on the screen.
    pub fn cell_nearest(&self, x: u16, y: u16) -> Cell {
        let x = x.clamp(self.area.x, self.area.right().saturating_sub(1).max(self.area.x));
        let y = y.clamp(self.area.y, self.area.bottom().saturating_sub(1).max(self.area.y));
        self.cell_at(x, y).unwrap_or(self.first)
    }

    /// Returns the place of a cell on the screen; `None` if it is outside.
    fn rect(&self, (row, column): Cell) -> Option<Rect> {
        let right = u32::try_from(column.checked_sub(self.first.1)?).ok()? * u32::from(self.size.0);
        let down = u32::try_from(row.checked_sub(self.first.0)?).ok()? * u32::from(self.size.1);
        if right >= self.area.width.into() || down >= self.area.height.into() {
            return None;
        }
        let (width, height) = self.size;
        let rect = Rect { x: self.area.x + right as u16, y: self.area.y + down as u16, width, height };
        Some(rect.intersection(self.area))
    }

    /// Draws a picture at this place.
    pub fn draw(&self, buffer: &mut Buffer, picture: &Picture, marked: &Marked, palette: Palette) {
        for row in self.first.0..picture.rows.min(self.first.0 + usize::from(self.area.height)) {
            for column in self.first.1..picture.columns.min(self.first.1 + usize::from(self.area.width)) {
                if let Some(rect) = self.rect((row, column)) {
                    ground(buffer, rect, picture.ground((row, column)), palette);
                }
            }
        }
        for mark in &picture.marks {
            if let Form::Sprite(sprite) = mark.form {
                self.sprite(buffer, mark, &picture.sprites[sprite], false, palette);
                continue;
            }
            if mark.form == Form::Fill {
                let style = FigureStyle { style: palette.on(mark.paint), border: None, is_solid: true };
                self.figure(buffer, mark, &style);
                continue;
            }
            // The goal of a token is empty until one stands there.
            let form = if mark.form == Form::Token { Form::Block } else { mark.form };
            let mark = &Figure { form, ..mark.clone() };
            let plain = mark.form == Form::Text || self.size.1 < 3;
            if !plain && label_columns(mark) > 1 {
                // A name is not read well between the dots of the floor.
                for rect in mark.covered().filter_map(|cell| self.rect(cell)) {
                    rect.positions().for_each(|place| buffer[place].reset());
                }
            }
            let style = palette.ink(mark.paint).add_modifier(Modifier::DIM | Modifier::BOLD);
            // The ground remains visible.
            let figure_style = FigureStyle { style, border: if plain { None } else { Some(&DOTTED) }, is_solid: false };
            self.figure(buffer, mark, &figure_style);
        }
        for figure in &picture.figures {
            self.draw_figure(buffer, picture, figure, marked, palette);
        }
        self.draw_mark_labels(buffer, picture, palette);
        self.draw_fences(buffer, picture);
        self.draw_cells(buffer, picture, marked);
    }

    /// Draws the fences below and to the right of each cell, and those at the upper and left edge of the board.
    fn draw_fences(&self, buffer: &mut Buffer, picture: &Picture) {
        if picture.fences.is_empty() {
            return;
        }
        let cells = (0..picture.rows).flat_map(|row| (0..picture.columns).map(move |column| (row, column)));
        for cell in cells {
            let Some(rect) = self.rect(cell).filter(|rect| !rect.is_empty()) else { continue };
            let sides = picture.fences.around(cell);
            for place in rect.positions() {
                let (is_right, is_left) = (place.x + 1 == rect.right(), place.x == rect.x && cell.1 == 0);
                if sides & DOWN > 0 && place.y + 1 == rect.bottom() {
                    buffer[place].modifier.insert(Modifier::UNDERLINED);
                }
                if sides & RIGHT > 0 && is_right && rect.width > 1 {
                    buffer[place].set_symbol("▕");
                }
                if sides & LEFT > 0 && is_left && rect.width > 2 {
                    buffer[place].set_symbol("▏");
                }
            }
        }
    }

    /// Highlights the targets of the selected figure, the cursor, and the cell of a hint.
    fn draw_cells(&self, buffer: &mut Buffer, picture: &Picture, marked: &Marked) {
        for &cell in marked.targets {
            let Some(rect) = self.rect(cell).filter(|rect| !rect.is_empty()) else { continue };
            let is_free = picture.figure_on(cell).is_none();
            let at = match is_free {
                true => (rect.x + (rect.width - 1) / 2, rect.y + rect.height / 2),
                false => (rect.right() - 1 - u16::from(rect.width > 2), rect.y + rect.height / 2),
            };
            if is_free || rect.height > 1 {
                buffer[at].set_symbol("•");
            } else {
                rect.positions().for_each(|place| buffer[place].modifier.insert(Modifier::UNDERLINED));
            }
        }
        for (cell, border) in [(marked.hinted_cell, &DOTTED), (marked.cursor, &HEAVY)] {
            let Some((cell, rect)) = cell.and_then(|cell| Some((cell, self.rect(cell)?))) else { continue };
            if rect.height < 3 {
                rect.positions().for_each(|place| buffer[place].modifier.toggle(Modifier::REVERSED));
            } else {
                outline(buffer, rect, cell, &HashSet::from([cell]), border, Style::new().add_modifier(Modifier::BOLD));
            }
        }
    }

    /// Draws a figure that is on the board.
    fn draw_figure(&self, buffer: &mut Buffer, picture: &Picture, figure: &Figure, marked: &Marked, palette: Palette) {
        let (selected, hinted) = (marked.selected == Some(figure.key), marked.hinted == Some(figure.key));
        if let Form::Sprite(sprite) = figure.form {
            return self.sprite(buffer, figure, &picture.sprites[sprite], selected || hinted, palette);
        }
        if figure.form == Form::Token && self.size.1 >= 5 {
            return self.disc(buffer, figure, marked, palette);
        }
        let mut style = match figure.form {
            Form::Block | Form::Fill => palette.on(figure.paint),
            _ => palette.ink(figure.paint).add_modifier(Modifier::BOLD),
        };
        let is_small = self.size.1 < 3 || figure.form != Form::Block;
        if hinted || (selected && is_small) {
            style = style.add_modifier(Modifier::REVERSED);
        }
        if selected {
            style = style.add_modifier(Modifier::BOLD);
        }
        let border = if selected { &HEAVY } else { &ROUND };
        let border = if is_small { None } else { Some(border) };
        let is_solid = matches!(figure.form, Form::Block | Form::Fill);
        self.figure(buffer, figure, &FigureStyle { style, border, is_solid });
    }

    /// Draws a sprite: its pixels where they fit, otherwise its label, on its colour if there are colours.
    fn sprite(&self, buffer: &mut Buffer, figure: &Figure, sprite: &Sprite, is_marked: bool, palette: Palette) {
        if !palette.is_bare() && self.size.1 >= 3 && sprite.path().is_none() {
            let Some(rect) = self.rect(figure.at) else { return };
            pixels(buffer, rect, sprite, palette);
            if is_marked {
                outline(buffer, rect, figure.at, &HashSet::from([figure.at]), &HEAVY, palette.on(figure.paint));
            }
            return;
        }
        let style = palette.on(figure.paint);
        let style = if is_marked { style.add_modifier(Modifier::REVERSED) } else { style };
        let is_solid = !palette.is_bare();
        self.figure(buffer, figure, &FigureStyle { style, border: None, is_solid });
    }

    /// Draws a token as a disc, with its label in the middle.
    fn disc(&self, buffer: &mut Buffer, figure: &Figure, marked: &Marked, palette: Palette) {
        let (selected, hinted) = (marked.selected == Some(figure.key), marked.hinted == Some(figure.key));
        let style = palette.ink(figure.paint);
        for cell in figure.covered() {
            let Some(rect) = self.rect(cell).filter(|rect| rect.height >= 5 && rect.width >= 7) else { continue };
            if selected || hinted {
                let border = if selected { &HEAVY } else { &DOTTED };
                outline(buffer, rect, cell, &HashSet::from([cell]), border, style.add_modifier(Modifier::BOLD));
            }
            let middle = rect.y + rect.height / 2;
            for (y, line) in [(middle - 1, "▄███▄"), (middle, "█████"), (middle + 1, "▀███▀")]
            {
                centred(buffer, Rect { y, height: 1, ..rect }, line, style);
            }
            if !figure.label.is_empty() {
                centred(
                    buffer,
                    Rect { y: middle, height: 1, ..rect },
                    &printable(&figure.label),
                    palette.on(figure.paint),
                );
            }
        }
    }

    /// Draws a figure, with or without a border.
    fn figure(&self, buffer: &mut Buffer, figure: &Figure, &FigureStyle { style, border, is_solid }: &FigureStyle) {
        if figure.covered().all(|cell| self.rect(cell).is_none()) {
            return;
        }
        let own: HashSet<Cell> = figure.covered().collect();
        // A text over several cells is written once; a block has a letter on each of its cells.
        let is_long_text = label_columns(figure) > 1 && (figure.form == Form::Text || figure.label.chars().count() > 1);
        let label = printable(&figure.label).replace(['\n', '\t'], "?");
        let label = match figure.form {
            Form::Token if label.is_empty() => "●".to_owned(),
            // A part of the ground is seen even without colours.
            Form::Fill if label.is_empty() => "▒".to_owned(),
            _ => label,
        };
        for cell in figure.covered() {
            let Some(rect) = self.rect(cell) else { continue };
            // A gap separates small figures; sprites have their own, and the ground has none.
            let is_flush = matches!(figure.form, Form::Sprite(_) | Form::Fill);
            let beside = own.contains(&(cell.0, cell.1 + 1)) || is_flush;
            let filled = if self.size.1 == 1 && rect.width >= 3 && !beside { rect.width - 1 } else { rect.width };
            let filled = Rect { width: filled, ..rect };
            if is_solid {
                for place in filled.positions() {
                    buffer[place].reset();
                    buffer[place].set_style(style);
                }
            }
            match border {
                Some(border) => {
                    outline(buffer, rect, cell, &own, border, style);
                }
                None if is_long_text => {}
                None if self.size.1 > 1 => centred(buffer, rect, &label, style),
                // Numbers are aligned below each other.
                None => {
                    let width = (label.width() as u16).clamp(1, rect.width);
                    let x = rect.x + (rect.width.max(2) - 1).max(width) - width;
                    centred(buffer, Rect { x, width, ..rect }.intersection(rect), &label, style);
                }
            }
        }
        let is_written_once = border.is_some() || is_long_text;
        let around = if is_written_once { self.rect_of_label(figure) } else { None };
        if let Some(rect) = around {
            centred(buffer, rect, &label, style);
        }
    }

    /// Returns the place of the label of a figure with a border: the middle of a rectangle that is completely visible,
    /// otherwise the cell nearest to the figure's middle.
    fn rect_of_label(&self, figure: &Figure) -> Option<Rect> {
        let (rows, columns) = extent(figure);
        let whole = || Some(self.rect(figure.at)?.union(self.rect((figure.at.0 + rows, figure.at.1 + columns))?));
        let is_whole = is_rectangle(figure);
        whole().filter(|_| is_whole).or_else(|| self.rect(label_cell(figure)))
    }

    /// Draws small labels of marks that figures cover.
    fn draw_mark_labels(&self, buffer: &mut Buffer, picture: &Picture, palette: Palette) {
        let is_labelled = |mark: &&Figure| match mark.form {
            // Colours show what is under the transparent pixels.
            Form::Sprite(_) => palette.is_bare() && !mark.label.is_empty(),
            form => matches!(form, Form::Block | Form::Token),
        };
        for cell in picture.marks.iter().filter(is_labelled).flat_map(Figure::covered) {
            let Some(rect) = self.rect(cell) else { continue };
            if self.size.1 < 3 {
                for place in rect.positions() {
                    buffer[place].modifier.insert(Modifier::UNDERLINED);
                }
            } else if picture.figure_on(cell).is_some() && rect.width > 2 && rect.height > 2 {
                buffer[(rect.x + 1, rect.y + rect.height / 2)].set_symbol("◦");
            }
        }
    }
}

/// Returns the least and the greatest row and column to be seen: around the focus, with all goals if so many rows and
/// columns hold them, otherwise with the nearest one.
fn seen((rows, columns): (usize, usize), focus: Cell, goals: &[Cell]) -> ((usize, usize), (usize, usize)) {
    let around = |cells: &[Cell]| {
        let all = || cells.iter().chain([&focus]);
        let side = |of: fn(&Cell) -> usize| (all().map(of).min().unwrap_or(0), all().map(of).max().unwrap_or(0));
        (side(|cell| cell.0), side(|cell| cell.1))
    };
    let holds = |((top, bottom), (left, right)): &((usize, usize), (usize, usize))| {
        bottom - top < rows && right - left < columns
    };
    let distance = |cell: &&Cell| cell.0.abs_diff(focus.0) + cell.1.abs_diff(focus.1);
    let nearest: Vec<Cell> = goals.iter().min_by_key(distance).copied().into_iter().collect();
    [goals, &nearest[..]].into_iter().map(around).find(holds).unwrap_or_else(|| around(&[]))
}

/// Draws the pixels of a sprite, two a character, over those below.
fn pixels(buffer: &mut Buffer, rect: Rect, sprite: &Sprite, palette: Palette) {
    const HALVES: &str = "▀";
    let nearest = |at: u16, count: u16| (2 * usize::from(at) + 1) * sprite.side() / (2 * usize::from(count));
    for place in rect.positions() {
        let (line, column) = (2 * (place.y - rect.y), nearest(place.x - rect.x, rect.width));
        let pixel = |line: u16| sprite.pixel((nearest(line, 2 * rect.height), column)).map(|rgb| palette.color(rgb));
        let (cell, upper, lower) = (&mut buffer[place], pixel(line), pixel(line + 1));
        if upper.is_some() || lower.is_some() {
            let below = if cell.symbol() == HALVES { (cell.fg, cell.bg) } else { (cell.bg, cell.bg) };
            cell.reset();
            cell.set_symbol(HALVES).set_fg(upper.unwrap_or(below.0)).set_bg(lower.unwrap_or(below.1));
        }
    }
}

/// Returns the last row and the last column of a figure, counted from its own first ones.
fn extent(figure: &Figure) -> (usize, usize) {
    let last = |of: fn(&Cell) -> usize| figure.cells.iter().map(of).max().unwrap_or(0);
    (last(|cell| cell.0), last(|cell| cell.1))
}

fn is_rectangle(figure: &Figure) -> bool {
    let (rows, columns) = extent(figure);
    figure.cells.len() == (rows + 1) * (columns + 1)
}

/// Returns the number of columns over which the label of a figure is written.
fn label_columns(figure: &Figure) -> u16 {
    if is_rectangle(figure) { u16::try_from(extent(figure).1 + 1).unwrap_or(1) } else { 1 }
}

/// Returns the cell on which the label is written: the one nearest to the middle.
fn label_cell(figure: &Figure) -> Cell {
    let count = figure.cells.len().max(1);
    let (rows, columns) = figure.cells.iter().fold((0, 0), |sum, cell| (sum.0 + cell.0, sum.1 + cell.1));
    let off = |cell: &&Cell| (cell.0 * count).abs_diff(rows).pow(2) + (cell.1 * count).abs_diff(columns).pow(2);
    let nearest = figure.cells.iter().min_by_key(off).copied().unwrap_or_default();
    (figure.at.0 + nearest.0, figure.at.1 + nearest.1)
}

fn ground(buffer: &mut Buffer, rect: Rect, ground: Ground, palette: Palette) {
    let dim = Style::new().add_modifier(Modifier::DIM);
    let (fill, paint) = match ground {
        Ground::Void => return,
        Ground::Floor => return centred(buffer, rect, "·", dim),
        Ground::Hole => return centred(buffer, rect, "○", dim),
        Ground::Rough(cost) => return centred(buffer, rect, &cost.to_string(), palette.ink(ROUGH)),
        Ground::Wall => ("█", WALL),
        Ground::Gate => ("░", GATE),
    };
    for place in rect.positions() {
        buffer[place].set_symbol(fill).set_style(palette.ink(paint));
    }
}

fn centred(buffer: &mut Buffer, rect: Rect, text: &str, style: Style) {
    let wide = (text.width() as u16).min(rect.width);
    let (x, y) = (rect.x + (rect.width - wide) / 2, rect.y + rect.height / 2);
    if rect.height > 0 {
        // The style below may have been dim.
        (x..x + wide).for_each(|x| buffer[(x, y)].reset());
        buffer.set_stringn(x, y, text, rect.width.into(), style);
    }
}

/// The characters of a border: lines across and down, then corners: upper left, upper right, lower left, lower right.
struct Border([&'static str; 6]);

const ROUND: Border = Border(["─", "│", "╭", "╮", "╰", "╯"]);
const HEAVY: Border = Border(["━", "┃", "┏", "┓", "┗", "┛"]);
const DOTTED: Border = Border(["┄", "┆", "┌", "┐", "└", "┘"]);

/// Draws the border of a figure within one of its cells, without lines between two of its own cells.
fn outline(buffer: &mut Buffer, rect: Rect, at: Cell, own: &HashSet<Cell>, border: &Border, style: Style) {
    let has = |down: isize, right: isize| {
        let cell = (at.0.checked_add_signed(down), at.1.checked_add_signed(right));
        matches!(cell, (Some(row), Some(column)) if own.contains(&(row, column)))
    };
    let Border([across, upright, corners @ ..]) = border;
    for place in rect.positions() {
        let side = |offset: u16, length: u16| match offset {
            0 => -1,
            _ if offset + 1 == length => 1,
            _ => 0,
        };
        let (down, right) = (side(place.y - rect.y, rect.height), side(place.x - rect.x, rect.width));
        let corner = |down: isize, right: isize| corners[((down + 1) + (right + 1) / 2) as usize];
        let symbol = match (has(down, 0), has(0, right), has(down, right)) {
            _ if down == 0 && right == 0 => continue,
            (false, _, _) if right == 0 => across,
            (_, false, _) if down == 0 => upright,
            _ if down == 0 || right == 0 => continue,
            (false, false, _) => corner(down, right),
            (false, true, _) => across,
            (true, false, _) => upright,
            // Where the figure turns a corner, the lines of its two other cells meet.
            (true, true, false) => corner(-down, -right),
            (true, true, true) => continue,
        };
        buffer[place].set_symbol(symbol).set_style(style);
    }
}
