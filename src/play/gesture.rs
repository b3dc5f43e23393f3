//! Gestures: the moves that arrows, clicks and drags select.

use super::{Direction, Effect, Game, Motion, Shift};
use crate::picture::{Cell, Figure, Picture};
use crate::puzzle::Notation;
use std::collections::BTreeMap;

/// The effect of a click or a drag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClickAction {
    /// Makes this move.
    Play(String),
    /// Makes these moves, one after the other.
    Walk(Vec<String>),
    /// Leaves the choice among these moves.
    Offer(Vec<String>),
    /// Selects the figure with this key, which has several moves.
    Select(u64),
    /// Has no effect.
    Nothing,
}

impl ClickAction {
    /// Returns the action for these moves, in any number.
    fn of(moves: Vec<&String>) -> Option<ClickAction> {
        match moves[..] {
            [] => None,
            [one] => Some(ClickAction::Play(one.clone())),
            _ => Some(ClickAction::Offer(moves.into_iter().cloned().collect())),
        }
    }
}

impl Game {
    /// Returns whether any legal move shifts figures or has the name of a direction; otherwise arrows have no effect.
    #[must_use]
    pub fn has_shifts(&self) -> bool {
        let is_named = || Direction::ALL.iter().any(|(direction, _)| self.by_name(*direction).is_some());
        self.effects().iter().any(|effect| effect.shift.is_some()) || self.picture().is_none() || is_named()
    }

    /// Returns whether every legal move has a cell of its own, which a click plays.
    #[must_use]
    pub fn has_places(&self) -> bool {
        self.places().is_some()
    }

    /// Returns whether arrows, after the selection of a figure, or letters reach every legal move.
    #[must_use]
    pub fn arrows_reach_all(&self) -> bool {
        if self.picture().is_none() {
            return true;
        }
        let mut known: BTreeMap<(&[u64], Direction, usize), usize> = BTreeMap::new();
        let keys = |shift: &'_ Shift| shift.directions.first().map(|&direction| (direction, shift.length()));
        for (_, shift) in self.choices() {
            if let Some((direction, length)) = keys(shift) {
                *known.entry((&shift.keys, direction, length)).or_default() += 1;
            }
        }
        let is_shifted = |effect: &Effect| {
            let same = |shift: &Shift| {
                keys(shift).and_then(|(direction, length)| known.get(&(&*shift.keys, direction, length)).copied())
            };
            effect.shift.as_ref().and_then(same) == Some(1)
        };
        let others: Vec<usize> = (0..self.legal().len())
            .filter(|&number| !self.effects().get(number).is_some_and(is_shifted) && !has_key(&self.legal()[number]))
            .collect();
        // Another notation may name the others with a letter each.
        let is_lettered = |notation: &Notation| {
            let names = self.state().legal_moves(*notation);
            others.iter().all(|&number| has_key(&names[number]))
        };
        others.is_empty() || self.puzzle.domain().notations.iter().any(is_lettered)
    }

    /// Returns the legal move that has the name of a direction, such as `left`, whatever it does.
    fn by_name(&self, direction: Direction) -> Option<&String> {
        self.legal().iter().find(|written| *written == direction.words())
    }

    /// Iterates over the legal moves with their effects.
    fn moves(&self) -> impl Iterator<Item = (&String, &Effect)> {
        self.legal().iter().zip(self.effects())
    }

    /// Iterates over the legal moves that shift figures.
    fn choices(&self) -> impl Iterator<Item = (&String, &Shift)> {
        self.moves().filter_map(|(written, effect)| Some((written, effect.shift.as_ref()?)))
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

    /// Returns the figures that moves shift, in the order of the picture.
    #[must_use]
    pub fn movable(&self) -> Vec<u64> {
        let figures = self.picture().into_iter().flat_map(|picture| &picture.figures);
        let can = |key: &u64| self.choices().any(|(_, shift)| shift.keys.contains(key));
        figures.map(|figure| figure.key).filter(can).collect()
    }

    /// Returns the cells to which a figure can move at once, in order.
    #[must_use]
    pub fn targets(&self, key: u64) -> Vec<Cell> {
        let Some(figure) = self.figure(key) else { return Vec::new() };
        let is_own = |cell: &Cell| figure.covered().any(|own| own == *cell);
        let motions = self.moves().filter_map(|(_, effect)| effect.motion(key));
        let mut cells: Vec<Cell> =
            motions.flat_map(|motion| covered_after(figure, motion)).filter(|cell| !is_own(cell)).collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Returns a cell that a figure covers after a move, if the move takes it there.
    #[must_use]
    pub fn destination(&self, written: &str, key: u64) -> Option<Cell> {
        let (_, effect) = self.moves().find(|(legal, _)| *legal == written)?;
        covered_after(self.figure(key)?, effect.motion(key)?).next()
    }

    /// Returns the figure with this key.
    #[must_use]
    pub fn figure(&self, key: u64) -> Option<&Figure> {
        self.picture()?.figures.iter().find(|figure| figure.key == key)
    }

    /// Returns the move in a direction: the one that has its name, or that of the selected figure, or of the only one
    /// that can move there. The figure moves by the least possible distance, or as far as possible if `far`. No
    /// selection is needed if no direction is open to two figures.
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
        let goes = |key: u64| {
            self.choices().any(|(_, shift)| shift.directions.contains(&direction) && shift.keys.contains(&key))
        };
        // What moves and then falls is no shift, but its move has the name of the direction.
        if !selected.is_some_and(goes) {
            let others = movers.iter().filter(|_| selected.is_none()).map(|(written, _)| *written);
            match self.ending(direction, selected)[..] {
                [] => {}
                [one] if selected.is_some() || movers.is_empty() => return Ok(one.clone()),
                ref several => {
                    let names: Vec<&str> = others.chain(several.iter().copied()).map(String::as_str).collect();
                    return Err(format!("several can go {}: {}", direction.words(), names.join(", ")));
                }
            }
        }
        let needs_selection = || Direction::ALL.iter().any(|(direction, _)| self.movers(*direction).len() > 1);
        let holds = |key: u64| goes(key) || needs_selection();
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
            let label = self.figure(key).map_or("", |figure| &figure.label);
            format!("`{label}` cannot go {}", direction.words())
        })
    }

    /// Returns the moves whose names end with that of a direction, but that do not shift figures straight on, as far as
    /// they move the selected figure.
    fn ending(&self, direction: Direction, selected: Option<u64>) -> Vec<&String> {
        let end = format!(" {}", direction.words());
        let is_straight = |shift: &Shift| shift.directions.iter().any(|by| by.0 == 0 || by.1 == 0);
        let fits = |(written, effect): &(&String, &Effect)| {
            let is_other = !effect.shift.as_ref().is_some_and(is_straight);
            is_other && written.ends_with(&end) && selected.is_none_or(|key| effect.motion(key).is_some())
        };
        self.moves().filter(fits).map(|(written, _)| written).collect()
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

    /// Returns the effect of a click on a cell. If cells stand for moves, it makes the move of the cell. Otherwise, it
    /// is the first of these that applies, and all cells of an area of the picture, such as a pile, count as the cell:
    /// - the selected figure moves there, in one move;
    /// - the figure there makes its only move, or is selected if it has several;
    /// - the only figure that can move there by itself does so;
    /// - the selected figure, or the only one that walks, walks there;
    /// - one of the other moves that take a figure there, or change the cell, is made.
    ///
    /// If several moves fit equally, they are offered.
    #[must_use]
    pub fn click(&self, cell: Cell, selected: Option<u64>) -> ClickAction {
        let Some(picture) = self.picture() else { return ClickAction::Nothing };
        if self.is_placed() {
            return self.placed_at(cell).unwrap_or(ClickAction::Nothing);
        }
        if let Some(area) = picture.areas.iter().find(|area| area.contains(&cell)) {
            return self.click_area(picture, area, selected);
        }
        let on = picture.figure_on(cell).map(|figure| figure.key);
        let other = selected.filter(|&key| on != Some(key));
        let to_here = |is_alone: bool| self.to_cell(cell, None, is_alone).filter(|_| on.is_none());
        other
            .and_then(|key| self.to_cell(cell, Some(key), false))
            .or_else(|| self.of_figure(on?))
            .or_else(|| to_here(true))
            .or_else(|| self.walk(cell, other))
            .or_else(|| to_here(false))
            .or_else(|| self.changing(cell))
            .unwrap_or(ClickAction::Nothing)
    }

    /// Returns the effect of a click on an area: the selected figure moves there; or the figure in it that most moves
    /// move, such as the top of a pile, makes its only move or is selected; or the only move that leads there is made.
    fn click_area(&self, picture: &Picture, area: &[Cell], selected: Option<u64>) -> ClickAction {
        let is_inside = |figure: &&Figure| area.contains(&figure.at);
        let moves_of = |key: u64| self.moves().filter(move |(_, effect)| effect.motion(key).is_some());
        let inside = picture.figures.iter().filter(is_inside);
        let top = inside.map(|figure| figure.key).max_by_key(|&key| moves_of(key).count());
        let top = top.filter(|&key| moves_of(key).next().is_some());
        let leads = |motion: &Motion| area.contains(&motion.to) && !area.contains(&motion.from);
        let other = selected.filter(|&key| !self.figure(key).is_some_and(|figure| area.contains(&figure.at)));
        let into = |key: Option<u64>| {
            let fits = |motion: &Motion| leads(motion) && key.is_none_or(|key| key == motion.key);
            let leading = self.moves().filter(|(_, effect)| effect.motions.iter().any(fits));
            ClickAction::of(leading.map(|(written, _)| written).collect())
        };
        other
            .and_then(|key| into(Some(key)))
            .or_else(|| self.of_figure(top?))
            .or_else(|| into(None))
            .unwrap_or(ClickAction::Nothing)
    }

    /// Returns the move whose place is this cell.
    fn placed_at(&self, cell: Cell) -> Option<ClickAction> {
        let at = self.places()?.iter().position(|place| *place == cell)?;
        self.legal().get(at).cloned().map(ClickAction::Play)
    }

    /// Returns the action of a click on a figure: its only move, or its selection.
    fn of_figure(&self, key: u64) -> Option<ClickAction> {
        let moving: Vec<_> = self.moves().filter(|(_, effect)| effect.motion(key).is_some()).collect();
        let fewest = moving.iter().map(|(_, effect)| effect.motions.len()).min()?;
        let alone: Vec<_> = moving.iter().filter(|(_, effect)| effect.motions.len() == fewest).collect();
        match alone[..] {
            [(written, _)] => Some(ClickAction::Play((*written).clone())),
            _ => Some(ClickAction::Select(key)),
        }
    }

    /// Returns the moves that take the figure with this key to a cell, or any figure; only those that move no other if
    /// `is_alone`.
    fn to_cell(&self, cell: Cell, key: Option<u64>, is_alone: bool) -> Option<ClickAction> {
        let leads = |motion: &&Motion| {
            key.is_none_or(|key| key == motion.key)
                && self.figure(motion.key).is_some_and(|figure| covered_after(figure, motion).any(|to| to == cell))
        };
        let is_eligible =
            |effect: &Effect| (key.is_some() || effect.shift.is_some()) && (!is_alone || effect.motions.len() == 1);
        let mut leading: Vec<(&String, &Effect, &Motion)> = Vec::new();
        for (written, effect) in self.moves().filter(|(_, effect)| is_eligible(effect)) {
            leading.extend(effect.motions.iter().find(leads).map(|motion| (written, effect, motion)));
        }
        let fewest = leading.iter().map(|(_, effect, _)| effect.motions.len()).min()?;
        leading.retain(|(_, effect, _)| effect.motions.len() == fewest);
        let keys = |effect: &Effect| effect.motions.iter().map(|motion| motion.key).collect::<Vec<_>>();
        // Several moves of the same figures go different distances.
        let first = leading.first()?.1;
        if leading.iter().all(|(_, effect, _)| effect.shift.is_some() && keys(effect) == keys(first)) {
            let length = |motion: &Motion| motion.by().0.pow(2) + motion.by().1.pow(2);
            let nearest = leading.iter().map(|(_, _, motion)| length(motion)).min()?;
            leading.retain(|(_, _, motion)| length(motion) == nearest);
        }
        ClickAction::of(leading.into_iter().map(|(written, ..)| written).collect())
    }

    /// Returns the moves that change a cell in any way.
    fn changing(&self, cell: Cell) -> Option<ClickAction> {
        let changing = self.moves().filter(|(_, effect)| effect.changed.binary_search(&cell).is_ok());
        ClickAction::of(changing.map(|(written, _)| written).collect())
    }

    /// Returns the effect of dragging a figure from one cell to another: the move that ends nearest to the target, if
    /// it ends nearer than it starts, or a walk to the target.
    #[must_use]
    pub fn drag(&self, from: Cell, to: Cell) -> ClickAction {
        let key = self.picture().and_then(|picture| picture.figure_on(from)).map(|figure| figure.key);
        key.and_then(|key| self.dragged(key, from, to)).unwrap_or(ClickAction::Nothing)
    }

    fn dragged(&self, key: u64, from: Cell, to: Cell) -> Option<ClickAction> {
        let wanted = (to.0 as isize - from.0 as isize, to.1 as isize - from.1 as isize);
        let off = |by: (isize, isize)| (by.0 - wanted.0).pow(2) + (by.1 - wanted.1).pow(2);
        let measured = |(written, effect): (_, &Effect)| {
            let off_by = off(effect.motion(key)?.by());
            let is_near = if effect.shift.is_some() { off_by < off((0, 0)) } else { off_by == 0 };
            is_near.then_some(((off_by, effect.motions.len()), written))
        };
        let near: Vec<((isize, usize), &String)> = self.moves().filter_map(measured).collect();
        let nearest = near.iter().map(|(measure, _)| *measure).min();
        let is_there = nearest.is_some_and(|(off_by, _)| off_by == 0);
        if let Some(walk) = (!is_there).then(|| self.walk(to, Some(key))).flatten() {
            return Some(walk);
        }
        let best = near.iter().filter(|(measure, _)| Some(*measure) == nearest);
        ClickAction::of(best.map(|(_, written)| *written).collect())
    }
}

/// Returns whether an arrow or a letter stands for a move of this name.
fn has_key(name: &str) -> bool {
    name.chars().count() == 1 || Direction::ALL.iter().any(|(direction, _)| direction.words() == name)
}

/// Iterates over the cells that a figure covers after a motion.
fn covered_after<'a>(figure: &'a Figure, motion: &'a Motion) -> impl Iterator<Item = Cell> + 'a {
    figure.cells.iter().map(move |&(row, column)| (motion.to.0 + row, motion.to.1 + column))
}
