//! Gestures: the move that is meant by an arrow, a click or a drag.

use super::{Direction, Game, Shift};
use crate::picture::Cell;

/// The meaning of a click.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClickAction {
    /// This move.
    Play(String),
    /// Select the figure with this key: it has several moves.
    Select(u64),
    /// Nothing.
    Nothing,
}

impl Game {
    /// Whether any legal move shifts figures: else arrows and the mouse mean nothing here.
    #[must_use]
    pub fn is_shifted(&self) -> bool {
        self.shifts().iter().any(Option::is_some) || self.picture().is_none()
    }

    /// The legal moves that shift figures.
    fn choices(&self) -> impl Iterator<Item = (&String, &Shift)> {
        self.legal().iter().zip(self.shifts()).filter_map(|(written, shift)| Some((written, shift.as_ref()?)))
    }

    /// The figures that can go in a direction by themselves: of those that push others, the ones in front.
    fn movers(&self, direction: Direction) -> Vec<(&String, &Shift)> {
        let going: Vec<_> = self.choices().filter(|(_, shift)| shift.directions.contains(&direction)).collect();
        let pushes = |shift: &Shift, other: &Shift| {
            other.keys.len() < shift.keys.len() && other.keys.iter().all(|key| shift.keys.contains(key))
        };
        let in_front = going.iter().filter(|(_, shift)| !going.iter().any(|(_, other)| pushes(shift, other)));
        let mut movers: Vec<_> = in_front.copied().collect();
        // Of several moves of a figure, the shortest.
        movers.sort_by(|(_, one), (_, other)| one.keys.cmp(&other.keys).then(one.length().cmp(&other.length())));
        movers.dedup_by(|(_, next), (_, one)| next.keys == one.keys);
        movers
    }

    /// The figures that have a legal move, in the order of the picture.
    #[must_use]
    pub fn movable(&self) -> Vec<u64> {
        let figures = self.picture().into_iter().flat_map(|picture| &picture.figures);
        let can = |key: &u64| self.choices().any(|(_, shift)| shift.keys.contains(key));
        figures.map(|figure| figure.key).filter(can).collect()
    }

    /// The move of a figure in a direction: the selected figure, or the only one that can go there; by one cell, or the
    /// least more, or as far as it goes. Where no direction is open to two figures, none needs to be selected.
    ///
    /// # Errors
    /// Why no move is meant.
    pub fn arrow(&self, direction: Direction, selected: Option<u64>, far: bool) -> Result<String, String> {
        if self.picture().is_none() {
            return self.by_its_end(direction);
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

    /// On a board too large to be seen, the one move whose name ends in the direction's.
    fn by_its_end(&self, direction: Direction) -> Result<String, String> {
        let name = Direction::ALL.iter().find(|(known, _)| *known == direction).map_or("", |(_, name)| name);
        let ending: Vec<&String> = self.legal().iter().filter(|legal| legal.ends_with(name)).collect();
        match ending[..] {
            [one] => Ok(one.clone()),
            _ => Err(format!("no move by itself goes {}", direction.words())),
        }
    }

    /// What a click on a cell means: the move of the figure there, if it has one alone, or else that it is selected; on
    /// free ground, the move that takes the selected figure there, or the only one that can.
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

    /// The move that is meant by dragging what stands on one cell to another: the one that leads nearest to there, if
    /// that is nearer than where it stands.
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
