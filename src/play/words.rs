//! Positions and moves in words, for readers who hear the game: what there is and where, what moved, what can go.

use super::caption::{captions, headings, line};
use super::{Direction, Effect, Game};
use crate::fences::{DOWN, LEFT, RIGHT, UP};
use crate::picture::{Cell, Figure, Form, Ground, Picture};
use crate::plot::text::counted;
use crate::puzzle::GoalView;
use std::collections::BTreeMap;

/// Pictures with more figures are described row by row, and those of which figures cover more than half.
const MAX_FIGURES: usize = 12;

/// The greatest number of moves, and of changes, that are written out.
const MAX_MOVES: usize = 24;
const MAX_CHANGES: usize = 8;

impl Game {
    /// Describes the position, in lines.
    #[must_use]
    pub fn description(&self) -> String {
        let Some(picture) = self.picture() else { return self.draw() };
        lines(picture).into_iter().map(|line| line + "\n").collect()
    }

    /// Lists the legal moves, with what they do unless their names say it.
    #[must_use]
    pub fn choices_in_words(&self) -> String {
        let legal = self.legal();
        if legal.is_empty() {
            return "nothing can move".to_owned();
        }
        let effects = self.effects().iter().map(Some).chain(std::iter::repeat(None));
        let mut words: Vec<String> =
            legal.iter().zip(effects).take(MAX_MOVES).map(|(written, effect)| self.choice(written, effect)).collect();
        if legal.len() > MAX_MOVES {
            words.push(format!("and {} more, which `moves` lists", legal.len() - MAX_MOVES));
        }
        format!("can go: {}", words.join("; "))
    }

    fn choice(&self, written: &str, effect: Option<&Effect>) -> String {
        let shift = effect.and_then(|effect| effect.shift.as_ref()).filter(|_| !written.contains(' '));
        let said = shift.and_then(|shift| {
            let names: Vec<&str> = shift.keys.iter().filter_map(|&key| self.figure(key)).map(name).collect();
            let direction = shift.directions.first()?.words();
            let by = if shift.length() > 1 { format!(" by {}", shift.length()) } else { String::new() };
            Some(format!("{} {direction}{by}", names.join(" and ")))
        });
        match said {
            Some(said) if Direction::ALL.iter().all(|(direction, _)| direction.words() != written) => {
                format!("{written}, {said}")
            }
            _ => written.to_owned(),
        }
    }

    /// Describes what has changed since a picture of an earlier position, on one line.
    #[must_use]
    pub fn change_since(&self, before: &Picture) -> String {
        let Some(after) = self.picture() else { return "moved".to_owned() };
        let mut after = after.clone();
        after.follow(before);
        if after.words.is_none() && (is_text(&after) || headings(&after).is_some()) {
            let known = lines(before);
            let new: Vec<String> = lines(&after).into_iter().filter(|line| !known.contains(line)).collect();
            return if new.is_empty() { "no visible change".to_owned() } else { new.join("; ") };
        }
        let ((board, _), texts) = board_and_texts(&after);
        let mut effect = Effect::between(before, &after);
        effect.motions.retain(|motion| motion.from.0 < board);
        effect.changed.retain(|cell| cell.0 < board);
        if effect.motions.len() > MAX_CHANGES || effect.changed.len() > 4 * MAX_CHANGES {
            return format!("{} changed; `look` reads the board", counted(effect.changed.len() as u64, "cell"));
        }
        let mut said = Vec::new();
        let mut explained: Vec<Cell> = Vec::new();
        for motion in &effect.motions {
            let Some(old) = before.figures.iter().find(|figure| figure.key == motion.key) else { continue };
            let new = Figure { at: motion.to, ..old.clone() };
            explained.extend(old.covered().chain(new.covered()));
            let way = match &effect.shift {
                Some(shift) if !shift.directions.is_empty() => format!(" {}", shift.directions[0].words()),
                _ => String::new(),
            };
            said.push(format!("{} moved{way} to {}", name(old), place(&new)));
        }
        let differs = |cell: Cell| content(before, cell) != content(&after, cell);
        let others = effect.changed.iter().filter(|cell| !explained.contains(cell) && differs(**cell));
        let others: Vec<String> =
            others.map(|&cell| format!("{} is now {}", cell_in_words(cell), content(&after, cell))).collect();
        said.extend(others);
        let (_, before) = board_and_texts(before);
        said.extend(texts.into_iter().filter(|text| !before.contains(text)));
        if said.is_empty() { "no visible change".to_owned() } else { said.join("; ") }
    }
}

/// Describes a goal, an alternative a line.
#[must_use]
pub fn goal_in_words(goal: &GoalView) -> Vec<String> {
    goal.lines(|goal| {
        let Some(picture) = &goal.picture else { return Vec::new() };
        // A cell that is drawn as `?` may hold anything, so that its row must not say that it is free.
        let is_partial = goal.drawing.as_ref().is_some_and(|drawing| drawing.contains('?'));
        match is_partial {
            true => figures_and_marks(picture, picture.rows),
            false => lines(picture).into_iter().filter(|line| *line != size(picture.rows, picture.columns)).collect(),
        }
    })
}

/// Describes the marks of a picture, a line for each name.
#[must_use]
pub fn marks_in_words(picture: &Picture) -> Vec<String> {
    marks(picture, picture.rows)
}

/// Returns the description of a picture.
fn lines(picture: &Picture) -> Vec<String> {
    let is_plain = picture.words.is_none();
    if is_plain && is_text(picture) {
        let rows = |figures: &[Figure]| {
            let mut rows: BTreeMap<usize, Vec<Figure>> = BTreeMap::new();
            figures.iter().for_each(|figure| rows.entry(figure.at.0).or_default().push(figure.clone()));
            rows.into_values().map(|row| line(row.iter().collect())).collect::<Vec<_>>()
        };
        let marks = rows(&picture.marks).into_iter().map(|line| format!("mark {line}"));
        return rows(&picture.figures).into_iter().chain(marks).collect();
    }
    if let Some(headings) = headings(picture).filter(|_| is_plain) {
        let value = |figure: &Figure| {
            let heading = headings.get(&figure.at.1).copied().unwrap_or_default();
            format!("{}: {heading}", name(figure))
        };
        let figures = picture.figures.iter().filter(|figure| figure.at.0 > 0).map(value);
        return figures.chain(picture.marks.iter().map(|mark| format!("mark {}", value(mark)))).collect();
    }
    let ((board, columns), texts) = board_and_texts(picture);
    if board == 0 {
        return texts;
    }
    let mut lines = vec![size(board, columns)];
    let on_board = picture.figures.iter().filter(|figure| figure.at.0 < board).count();
    if on_board > MAX_FIGURES.min(board * columns / 2) {
        lines.extend((0..board).map(|row| format!("row {}: {}", row + 1, row_in_words(picture, row))));
        lines.extend(marks(picture, board));
    } else {
        lines.extend(figures_and_marks(picture, board));
    }
    lines.extend(fences_in_words(picture));
    lines.extend(texts);
    lines
}

/// Describes the fences of a picture: a line for each row beside whose cells they stand, above the first row and to the
/// left of it as well.
#[must_use]
pub fn fences_in_words(picture: &Picture) -> Vec<String> {
    let columns_with = |row: usize, side: u8| {
        let has = |&column: &usize| picture.fences.around((row, column)) & side > 0;
        (0..picture.columns).filter(has).collect::<Vec<usize>>()
    };
    let line = |row: usize| {
        // A fence between two cells is named once: below the upper or to the right of the left one.
        let sides = [
            ("above", columns_with(row, UP), if row == 0 { picture.columns } else { 0 }),
            ("to the left of", columns_with(row, LEFT), 1),
            ("below", columns_with(row, DOWN), picture.columns),
            ("to the right of", columns_with(row, RIGHT), picture.columns),
        ];
        let named = |(words, columns, most): (&str, Vec<usize>, usize)| {
            let columns: Vec<String> =
                columns.into_iter().filter(|&column| column < most).map(|column| (column + 1).to_string()).collect();
            let noun = if columns.len() == 1 { "column" } else { "columns" };
            (!columns.is_empty()).then(|| format!("{words} {noun} {}", columns.join(", ")))
        };
        let sides: Vec<String> = sides.into_iter().filter_map(named).collect();
        (!sides.is_empty()).then(|| format!("fences in row {}: {}", row + 1, sides.join("; ")))
    };
    (0..picture.rows).filter_map(line).collect()
}

fn size(rows: usize, columns: usize) -> String {
    format!("{}, {}", counted(rows as u64, "row"), counted(columns as u64, "column"))
}

/// Returns the places of the figures and marks in the first rows.
fn figures_and_marks(picture: &Picture, rows: usize) -> Vec<String> {
    let figures = picture.figures.iter().filter(|figure| figure.at.0 < rows).collect();
    by_name(figures, "").into_iter().chain(marks(picture, rows)).collect()
}

/// Returns the places of the marks in the first rows.
fn marks(picture: &Picture, rows: usize) -> Vec<String> {
    // A sprite without a label is a background.
    let is_described = |mark: &&Figure| !(mark.label.is_empty() && matches!(mark.form, Form::Sprite(_)));
    by_name(picture.marks.iter().filter(|mark| mark.at.0 < rows).filter(is_described).collect(), "mark ")
}

/// Returns the rows and columns of the board, and the lines about everything else.
fn board_and_texts(picture: &Picture) -> ((usize, usize), Vec<String>) {
    match &picture.words {
        Some(words) => (words.board, words.lines.clone()),
        None => {
            let (rows, texts) = captions(picture);
            ((rows, picture.columns), texts)
        }
    }
}

/// Returns whether a picture is nothing but text, such as a word.
fn is_text(picture: &Picture) -> bool {
    picture.ground.iter().all(|ground| *ground == Ground::Void)
}

/// Returns the name of a figure.
fn name(figure: &Figure) -> &str {
    if figure.label.is_empty() { "token" } else { &figure.label }
}

fn cell_in_words((row, column): Cell) -> String {
    format!("row {} column {}", row + 1, column + 1)
}

/// Returns the rows and columns that a figure covers.
fn place(figure: &Figure) -> String {
    let last = |of: fn(&Cell) -> usize| figure.cells.iter().map(of).max().unwrap_or(0);
    let range = |what: &str, from: usize, length: usize| match length {
        0 => format!("{what} {}", from + 1),
        _ => format!("{what}s {} to {}", from + 1, from + length + 1),
    };
    let (rows, columns) = (last(|cell| cell.0), last(|cell| cell.1));
    format!("{} {}", range("row", figure.at.0, rows), range("column", figure.at.1, columns))
}

/// Returns a line for each name, with the places of all figures of that name.
fn by_name(figures: Vec<&Figure>, before: &str) -> Vec<String> {
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    figures.into_iter().for_each(|figure| places.entry(name(figure)).or_default().push(place(figure)));
    places.into_iter().map(|(name, places)| format!("{before}{name}: {}", places.join(", "))).collect()
}

/// Returns what a cell holds.
fn content(picture: &Picture, cell: Cell) -> String {
    if let Some(figure) = picture.figure_on(cell) {
        return name(figure).to_owned();
    }
    match picture.ground(cell) {
        Ground::Void => "outside".to_owned(),
        Ground::Floor => "free".to_owned(),
        Ground::Hole => "hole".to_owned(),
        Ground::Wall => "wall".to_owned(),
        Ground::Gate => "gate".to_owned(),
        Ground::Rough(cost) => format!("cost {cost}"),
    }
}

/// Returns the contents of a row; equal neighbours are counted.
fn row_in_words(picture: &Picture, row: usize) -> String {
    let mut runs: Vec<(String, usize)> = Vec::new();
    for column in 0..picture.columns {
        let content = content(picture, (row, column));
        match runs.last_mut() {
            Some((last, count)) if *last == content => *count += 1,
            _ => runs.push((content, 1)),
        }
    }
    if runs.last().is_some_and(|(last, _)| last == "outside") {
        runs.pop();
    }
    let run = |(content, count): (String, usize)| if count > 1 { format!("{count} {content}") } else { content };
    runs.into_iter().map(run).collect::<Vec<_>>().join(", ")
}
