//! Removes from a candidate what it does not need: walls and pieces without which the cost stays.
//!
//! Walls share the work. All are removed at once; a search then finds a solution that is too cheap, and one of the walls in its way
//! comes back, until there is none. Most of these searches end early, since they find something, and only the last
//! one has to show that there is nothing. A wall is needed if one of the solutions found has no other wall in its way.

use super::varied::{Bagged, Drawings, Sheets, Varied};
use crate::domain::SplitMix64;
use crate::puzzle::Template;
use crate::search::{Limit, Limits};

/// What may be removed: a piece of the bag, all cells with a symbol, or the symbol of a cell.
enum Part<'a> {
    Piece(&'a Bagged),
    All(u16),
    Cell(&'a Varied),
}

impl Drawings<'_> {
    /// Removes what is not needed: pieces without which the cost stays, and walls without which the number of solutions is
    /// as wanted, too. `None` for a candidate that does not need a piece that is demanded.
    pub(super) fn pruned(
        &self,
        mut sheets: Sheets,
        cost: Option<f64>,
        limits: &Limits,
    ) -> Result<Option<Sheets>, Limit> {
        let Template { states, unsolvable, unique, solutions, .. } = *self.wants;
        let costs = Template { states, unsolvable, ..Template::default() };
        let plain = Template { unique, solutions, ..costs.clone() };
        let bagged = self.bag.iter().map(Part::Piece);
        // A pair of portals can only be removed together.
        let demanded = self.numbers.iter().filter(|(symbol, band)| symbol.sheet == 0 && band.least > 1.0);
        let demanded = demanded.map(|(symbol, _)| Part::All(symbol.symbol as u16));
        let cells = self
            .cells
            .iter()
            .filter(|cell| cell.place.sheet == 0 && cell.symbols.iter().any(|(known, _)| *known == self.empty));
        // Pieces first: a candidate with too many of them ends there.
        let is_wall = |cell: &&Varied| !self.is_open(sheets[0][cell.place.cell]);
        let (walls, others): (Vec<&Varied>, Vec<&Varied>) = cells.partition(is_wall);
        let pieces: Vec<Part> = bagged.chain(demanded).chain(others.into_iter().map(Part::Cell)).collect();
        let walls: Vec<Part> = walls.into_iter().map(Part::Cell).collect();
        // Without an obstacle, the cost can only be less. So one that is needed is needed, too, once others are removed; what
        // else was needed may no longer be.
        let mut needed = vec![false; walls.len()];
        let mut before = None;
        while before.as_ref() != Some(&sheets) {
            let is_first = before.is_none();
            before = Some(sheets.clone());
            for part in &pieces {
                let Some(less) = self.without(&sheets, [part]) else { continue };
                if self.is_superfluous(&costs, &less, cost, false, limits)? {
                    sheets = less;
                    let is_demanded = matches!(part, Part::Piece(bagged) if !bagged.may_be_out);
                    if is_demanded || !self.is_bounded(&sheets) {
                        return Ok(None);
                    }
                }
            }
            if let (true, false, Some(cost)) = (is_first, unique, cost) {
                self.clear(&mut sheets, &walls, &mut needed, cost, limits);
            }
            for (wall, needed) in walls.iter().zip(&mut needed).filter(|(_, needed)| !**needed) {
                let Some(less) = self.without(&sheets, [wall]) else { continue };
                let obstructs = !unique && self.obstructs(&sheets, &less);
                match self.is_superfluous(&plain, &less, cost, obstructs, limits)? {
                    true => sheets = less,
                    false => *needed = obstructs,
                }
            }
        }
        Ok(self.is_bounded(&sheets).then_some(sheets))
    }

    /// Removes walls, as many at once as it can, and finds out which ones are needed. What it leaves open is to be tried
    /// one by one.
    fn clear(&self, sheets: &mut Sheets, walls: &[Part], needed: &mut [bool], cost: f64, limits: &Limits) {
        let is_obstacle =
            |wall: &usize| self.without(sheets, [&walls[*wall]]).is_some_and(|less| self.obstructs(sheets, &less));
        let mut gone: Vec<usize> = (0..walls.len()).filter(is_obstacle).collect();
        let mut back: Vec<usize> = Vec::new();
        let mut cheaper: Vec<Vec<u32>> = Vec::new();
        let without = |gone: &[usize]| self.without(sheets, gone.iter().map(|wall| &walls[*wall]));
        let left = loop {
            let Some(less) = without(&gone) else { return };
            match self.canvas.cheaper(&less, cost, limits) {
                None => return,
                Some(None) => break less,
                Some(Some(solution)) => {
                    let is_in_way = |wall: &usize| {
                        let others: Vec<usize> = gone.iter().copied().filter(|other| other != wall).collect();
                        without(&others).is_none_or(|less| !self.canvas.allows(&less, &solution))
                    };
                    let Some(wall) = gone.iter().copied().rfind(is_in_way) else { return };
                    gone.retain(|other| *other != wall);
                    back.push(wall);
                    cheaper.push(solution);
                }
            }
        };
        for wall in back {
            let less = self.without(&left, [&walls[wall]]);
            needed[wall] = less.is_some_and(|less| cheaper.iter().any(|solution| self.canvas.allows(&less, solution)));
        }
        *sheets = left;
    }

    /// Returns a drawing without some parts; `None` if it is the same.
    fn without<'p>(&self, sheets: &Sheets, parts: impl IntoIterator<Item = &'p Part<'p>>) -> Option<Sheets> {
        let mut less = sheets.clone();
        for part in parts {
            match part {
                Part::Piece(bagged) => {
                    let cells = less[bagged.piece.sheet].iter_mut();
                    cells.filter(|cell| **cell == bagged.symbol).for_each(|cell| *cell = self.empty);
                }
                Part::All(symbol) => {
                    let cells = self.cells.iter().filter(|cell| cell.place.sheet == 0).map(|cell| cell.place.cell);
                    let held: Vec<usize> = cells.filter(|&cell| less[0][cell] == *symbol).collect();
                    held.into_iter().for_each(|cell| less[0][cell] = self.empty);
                }
                Part::Cell(cell) if self.is_bagged(0, less[0][cell.place.cell]) => {}
                Part::Cell(cell) => less[0][cell.place.cell] = self.empty,
            }
        }
        self.mirror(&mut less);
        (less != *sheets).then_some(less)
    }

    /// Returns whether a drawing differs from another only by obstacles.
    fn obstructs(&self, sheets: &Sheets, less: &Sheets) -> bool {
        self.canvas.with(sheets).only_obstructs(&self.canvas.with(less))
    }

    /// Returns whether a drawing without a part is as wanted, at the same cost. If the part was an obstacle, all that may
    /// have changed is that the cost is less.
    fn is_superfluous(
        &self,
        plain: &Template,
        less: &Sheets,
        cost: Option<f64>,
        obstructs: bool,
        limits: &Limits,
    ) -> Result<bool, Limit> {
        match cost.and_then(|cost| self.canvas.cheaper(less, cost, limits)) {
            Some(Some(_)) => Ok(false),
            Some(None) if obstructs => Ok(true),
            _ => {
                let judged = self.judge(plain, less, None, limits)?;
                Ok(judged.is_some_and(|level| level.cost == cost && level.gap == 0.0))
            }
        }
    }

    /// Returns whether each number lies within its bounds.
    fn is_bounded(&self, sheets: &Sheets) -> bool {
        let mut bounded = sheets.clone();
        self.bound(&mut bounded, &mut SplitMix64::new(0)) && bounded == *sheets
    }
}
