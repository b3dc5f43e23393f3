//! Gestures: the moves that arrows, clicks and drags select.

use super::{Direction, Game, Shift};
use crate::picture::Cell;

/// The effect of a click.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClickAction {
    /// Makes this move.
    Play(String),
    /// Selects the figure with this key, which has several moves.
    Select(u64),
    /// Has no effect.
    Nothing,
}

impl Game {
    /// Returns whether any legal move shifts figures or has the name of a direction; otherwise arrows and the mouse have
    /// no effect.
    #[must_use]
    pub fn has_shifts(&self) -> bool {
        let is_named = || Direction::ALL.iter().any(|(direction, _)| self.by_name(*direction).is_some());
        self.shifts().iter().any(Option::is_some) || self.picture().is_none() || is_named()
    }

    /// Returns the legal move that has the name of a direction, such as `left`, whatever it does.
    fn by_name(&self, direction: Direction) -> Option<&String> {
        self.legal().iter().find(|written| *written == direction.words())
    }

    /// Iterates over the legal moves that shift figures.
    fn choices(&self) -> impl Iterator<Item = (&String, &Shift)> {
        self.legal().iter().zip(self.shifts()).filter_map(|(written, shift)| Some((written, shift.as_ref()?)))
    }

    /// Returns the moves in a direction that push no other figure that could move by itself, one for each figure.
    fn movers(&self, direction: Direction) -> Vec<(&String, &Shift)> {
        let going: Vec<_> = self.choices().filter(|(_, shift)| shift.directions.contains(&direction)).collect();
        let pushes = |shift: &Shift, other: &Shift| {
            other.keys.len() < shift.keys.len() && other.keys.iter().all(|key| shift.keys.contains(key))
        };
        let in_front = going.iter().filter(|(_, shift)| !going.iter().any(|(_, other)| pushes(shift, other)));
        let mut movers: Vec<_> = in_front.copied().collect();
        // Of several moves of one figure, keep the shortest.
        movers.sort_by(|(_, one), (_, other)| one.keys.cmp(&other.keys).then(one.length().cmp(&other.length())));
        movers.dedup_by(|(_, next), (_, one)| next.keys == one.keys);
        movers
    }

    /// Returns the figures that have a legal move, in the order of the picture.
    #[must_use]
    pub fn movable(&self) -> Vec<u64> {
        let figures = self.picture().into_iter().flat_map(|picture| &picture.figures);
        let can = |key: &u64| self.choices().any(|(_, shift)| shift.keys.contains(key));
        figures.map(|figure| figure.key).filter(can).collect()
    }

    /// Returns the move in a direction: the one that has its name, or that of the selected figure, or of the only one that
    /// can move there. The figure moves by the least possible distance, or as far as possible if `far`. No selection is needed if no
    /// direction is open to two figures.
    ///
    /// # Errors
    /// The reason why no move is selected.
    pub fn arrow(&self, direction: Direction, selected: Option<u64>, far: bool) -> Result<String, String> {
        if self.picture().is_none() {
            return self.by_suffix(direction);
        }
        if let Some(written) = self.by_name(direction) {
            return Ok(written.clone());
        }
        let movers = self.movers(direction);
        let needs_selection = || Direction::ALL.iter().any(|(direction, _)| self.movers(*direction).len() > 1);
        let holds = |key: u64| {
            self.choices().any(|(_, shift)| shift.directions.contains(&direction) && shift.keys.contains(&key))
                || needs_selection()
        };
        let selected = selected.filter(|&key| holds(key));
        let key = match (selected, &movers[..]) {
            (Some(key), _) => key,
            (None, [(_, one)]) => one.keys[0],
            (None, []) => return Err(format!("nothing can go {}", direction.words())),
            (None, several) => {
                let names: Vec<&str> = several.iter().map(|(written, _)| written.as_str()).collect();
                return Err(format!("several can go {}: {}", direction.words(), names.join(", ")));
            }
        };
        let going =
            self.choices().filter(|(_, shift)| shift.directions.contains(&direction) && shift.keys.contains(&key));
        let measure = |shift: &Shift| (shift.keys.len(), shift.length());
        let chosen = match far {
            false => going.min_by_key(|(_, shift)| measure(shift)),
            true => going.max_by_key(|(_, shift)| measure(shift)),
        };
        chosen.map(|(written, _)| written.clone()).ok_or_else(|| {
            let figure = self.picture().and_then(|picture| picture.figures.iter().find(|figure| figure.key == key));
            let label = figure.map_or("", |figure| &figure.label);
            format!("`{label}` cannot go {}", direction.words())
        })
    }

    /// Returns the only move whose name ends with the name of a direction, on a board too large to be drawn.
    fn by_suffix(&self, direction: Direction) -> Result<String, String> {
        let name = Direction::ALL.iter().find(|(known, _)| *known == direction).map_or("", |(_, name)| name);
        let ending: Vec<&String> = self.legal().iter().filter(|legal| legal.ends_with(name)).collect();
        match ending[..] {
            [one] => Ok(one.clone()),
            _ => Err(format!("no move by itself goes {}", direction.words())),
        }
    }

    /// Returns the effect of a click on a cell. On a figure: its move if it has only one, else its selection. On free
    /// ground: the move of the selected figure to there, or of the only figure that can reach it.
    #[must_use]
    pub fn click(&self, cell: Cell, selected: Option<u64>) -> ClickAction {
        let Some(picture) = self.picture() else { return ClickAction::Nothing };
        if let Some(figure) = picture.figure_on(cell) {
            let moved: Vec<_> = self.choices().filter(|(_, shift)| shift.keys.contains(&figure.key)).collect();
            let fewest = moved.iter().map(|(_, shift)| shift.keys.len()).min();
            let alone: Vec<_> = moved.iter().filter(|(_, shift)| Some(shift.keys.len()) == fewest).collect();
            return match alone[..] {
                [] => ClickAction::Nothing,
                [(written, _)] => ClickAction::Play((*written).clone()),
                _ => ClickAction::Select(figure.key),
            };
        }
        let reaches = |shift: &Shift, key: u64| {
            let figure = picture.figures.iter().find(|figure| figure.key == key);
            figure.is_some_and(|figure| figure.covered().any(|covered| moved(covered, shift.by) == place(cell)))
        };
        let leads = |key: Option<u64>| {
            let wanted = move |shift: &Shift, one: u64| key.is_none_or(|key| key == one) && reaches(shift, one);
            let leading = self.choices().filter(|(_, shift)| shift.keys.iter().any(|&one| wanted(shift, one)));
            let leading: Vec<_> = leading.collect();
            let same = leading.iter().all(|(_, shift)| shift.keys == leading[0].1.keys);
            let nearest = leading.iter().min_by_key(|(_, shift)| shift.length()).filter(|_| same);
            nearest.map(|(written, _)| ClickAction::Play((*written).clone()))
        };
        selected.and_then(|key| leads(Some(key))).or_else(|| leads(None)).unwrap_or(ClickAction::Nothing)
    }

    /// Returns the move for dragging a figure from one cell to another: the one that ends nearest to the target, if it
    /// ends nearer than it starts.
    #[must_use]
    pub fn drag(&self, from: Cell, to: Cell) -> Option<String> {
        let key = self.picture()?.figure_on(from)?.key;
        let wanted = (to.0 as isize - from.0 as isize, to.1 as isize - from.1 as isize);
        let off = |by: (isize, isize)| (by.0 - wanted.0).pow(2) + (by.1 - wanted.1).pow(2);
        let moved = self.choices().filter(|(_, shift)| shift.keys.contains(&key) && off(shift.by) < off((0, 0)));
        let nearest = moved.min_by_key(|(_, shift)| (off(shift.by), shift.keys.len()));
        nearest.map(|(written, _)| written.clone())
    }
}

fn place((row, column): Cell) -> (isize, isize) {
    (row as isize, column as isize)
}

fn moved(cell: Cell, by: (isize, isize)) -> (isize, isize) {
    let (row, column) = place(cell);
    (row + by.0, column + by.1)
}
