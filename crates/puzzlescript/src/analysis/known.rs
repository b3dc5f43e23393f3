//! The things that may ever be in each cell of a level.
//!
//! They are a fixpoint: what the start and the keys give, then what rules and movement make of it. A rule counts as
//! matching wherever each of its cells may hold what it asks for, by itself; all turns, phases and groups count as one.
//! So the facts hold on every board that any presses lead to, with `again`, `cancel`, rigid groups and loops. This is
//! the relaxation of planning without delete lists (Bonet and Geffner 2001), with values instead of propositions: a
//! layer of a cell collects all things that it may ever hold.

use super::model::{Ask, Cell, Effect, Lowered, LoweredRow, Model, Things, has, layer_bit};
use crate::game::Direction;
use crate::input::{Input, direction_bit};
use crate::mask::MOVEMENT_BITS;
use crate::mask::bits_of;
use crate::program::{LevelBoard, Program};
use crate::turn::places::each_object;
use std::ops::Range;

/// Cells with news that the cells of rules may look at, all rules together: a second of work. Far larger levels are
/// searched without facts.
const MOST_LOOKS: usize = 100_000_000;

/// The things that may be in each cell, with the movements that they may have there.
#[derive(Clone)]
pub(super) struct Known {
    pub width: usize,
    pub height: usize,
    things: usize,
    /// Words of things in a cell.
    words: usize,
    /// Words of things, cell by cell.
    may: Vec<u64>,
    /// The things that may be in some cell.
    anywhere: Vec<u64>,
    /// For each cell and thing: five bits.
    movements: Vec<u8>,
    /// The cells with news since the last sweep.
    news: News,
}

/// Cells of which something new is known.
#[derive(Clone)]
struct News {
    /// For each cell, the layers with news, as in [`Cell::layers`].
    layers: Vec<u64>,
    cells: Vec<usize>,
}

impl News {
    fn new(cells: usize) -> News {
        News { layers: vec![0; cells], cells: Vec::new() }
    }

    fn add(&mut self, cell: usize, layers: u64) {
        if self.layers[cell] == 0 {
            self.cells.push(cell);
        }
        self.layers[cell] |= layers;
    }

    fn clear(&mut self) {
        for cell in self.cells.drain(..) {
            self.layers[cell] = 0;
        }
    }
}

/// Cells of a row where they may match: all of them, or those between two ellipses.
pub(super) struct Place {
    pub cells: Range<usize>,
    /// The cell of the first of them.
    pub first: usize,
}

impl Place {
    /// Returns the indices of its cells in the row, with the cells of the board.
    pub fn indexed(&self, step: isize) -> impl Iterator<Item = (usize, usize)> + use<> {
        let first = self.first as isize;
        self.cells.clone().zip(0..).map(move |(index, offset)| (index, (first + step * offset) as usize))
    }
}

impl Known {
    /// Returns what is on some boards; none if a layer of a cell has two objects.
    pub fn new(program: &Program, model: &Model, board: &LevelBoard, boards: &[&[u64]]) -> Option<Known> {
        let (cells, words) = (board.width * board.height, model.things.div_ceil(64));
        let mut known = Known {
            width: board.width,
            height: board.height,
            things: model.things,
            words,
            may: vec![0; cells * words],
            anywhere: vec![0; words],
            movements: vec![0; cells * model.things],
            news: News::new(cells),
        };
        for board in boards {
            for (cell, objects) in board.chunks(program.object_words).enumerate() {
                for (layer, thing) in (0..).zip(model.contents(objects)?) {
                    known.add(cell, layer, thing, 0);
                }
            }
        }
        Some(known)
    }

    /// Adds what rules and movement make of the things that are there, until nothing is added. Returns for each rule
    /// whether it may match; none if `should_stop` ends the work, or [`MOST_LOOKS`] does.
    pub fn close(
        &mut self,
        program: &Program,
        model: &Model,
        inputs: &[Input],
        should_stop: &dyn Fn() -> bool,
    ) -> Option<Vec<bool>> {
        // The rows of each rule that have matched somewhere.
        let mut matched: Vec<Vec<bool>> = model.rules().map(|rule| vec![false; rule.rows.len()]).collect();
        (0..self.width * self.height).for_each(|cell| self.news.add(cell, u64::MAX));
        let mut looks = 0_usize;
        let mut recent = News::new(self.width * self.height);
        while !self.news.cells.is_empty() {
            std::mem::swap(&mut recent, &mut self.news);
            self.news.clear();
            self.press(program, inputs, &recent.cells);
            for (rule, matched) in model.rules().zip(&mut matched) {
                let mut may_go_on = |known: &Known, row: &LoweredRow, news: Option<&News>| {
                    looks = looks.saturating_add(known.cost(row, rule.direction, news));
                    looks <= MOST_LOOKS && !should_stop()
                };
                // A rule that has matched was applied wherever it did before.
                let news = (!matched.contains(&false)).then_some(&recent);
                for (row, matched) in rule.rows.iter().zip(&mut *matched).filter(|(_, matched)| !**matched) {
                    if !may_go_on(self, row, Some(&recent)) {
                        return None;
                    }
                    *matched = !self.row_places(row, rule.direction, Some(&recent)).is_empty();
                }
                if !matched.contains(&false) {
                    for row in &rule.rows {
                        if !may_go_on(self, row, news) {
                            return None;
                        }
                        self.apply(model, row, rule.direction, &self.row_places(row, rule.direction, news));
                    }
                }
            }
            if should_stop() {
                return None;
            }
            looks = looks.saturating_add(self.resolve(model, &recent));
        }
        Some(matched.iter().map(|rows| !rows.is_empty() && !rows.contains(&false)).collect())
    }

    /// Returns the facts with the same things, but only the movements of turns without a key; none if `should_stop`
    /// ends the work.
    pub fn quiet(&self, program: &Program, model: &Model, should_stop: &dyn Fn() -> bool) -> Option<Known> {
        let mut quiet = Known { movements: vec![0; self.movements.len()], ..self.clone() };
        quiet.close(program, model, &[], should_stop)?;
        Some(quiet)
    }

    /// Adds a thing to a cell, with movements.
    fn add(&mut self, cell: usize, layer: u32, thing: u32, movements: u8) {
        let (word, bit) = (thing as usize / 64, 1 << (thing % 64));
        let may = &mut self.may[cell * self.words + word];
        let old = &mut self.movements[cell * self.things + thing as usize];
        if *may & bit == 0 || movements & !*old != 0 {
            *may |= bit;
            *old |= movements;
            self.anywhere[word] |= bit;
            self.news.add(cell, layer_bit(layer));
        }
    }

    /// Returns whether a cell may hold a thing.
    pub fn has(&self, cell: usize, thing: u32) -> bool {
        self.may[cell * self.words + thing as usize / 64] >> (thing % 64) & 1 == 1
    }

    /// Returns the movements that a thing may have in a cell.
    pub fn movements(&self, cell: usize, thing: u32) -> u8 {
        self.movements[cell * self.things + thing as usize]
    }

    /// Returns those of a set of things that a cell may hold, with their movements.
    pub fn here(&self, things: &Things, cell: usize) -> impl Iterator<Item = (u32, u8)> {
        let may = &self.may[cell * self.words..][..self.words];
        let there =
            things.iter().flat_map(|&(word, bits)| bits_of(bits & may[word as usize]).map(move |bit| word * 64 + bit));
        there.map(move |thing| (thing, self.movements(cell, thing)))
    }

    /// Returns whether a cell may hold some of a set of things.
    fn has_any(&self, things: &Things, cell: usize) -> bool {
        let may = &self.may[cell * self.words..][..self.words];
        things.iter().any(|&(word, bits)| may[word as usize] & bits != 0)
    }

    /// Gives the players in some cells all movements of some keys.
    fn press(&mut self, program: &Program, inputs: &[Input], cells: &[usize]) {
        let bits = inputs.iter().fold(0, |bits, input| bits | input.bit() as u8);
        let player = &program.player;
        for &cell in cells {
            if player.all && !each_object(&player.objects).all(|object| self.has(cell, object)) {
                continue;
            }
            for object in each_object(&player.objects) {
                if self.has(cell, object) {
                    self.add(cell, program.object_layers[object as usize] as u32, object, bits);
                }
            }
        }
    }

    /// Replaces a row where it may match.
    fn apply(&mut self, model: &Model, row: &LoweredRow, direction: Direction, places: &[Place]) {
        for place in places {
            for (index, cell) in place.indexed(self.step(direction)) {
                let pattern = &row.cells[index];
                for effect in &pattern.effects {
                    for (thing, movements) in self.before(model, pattern, cell, effect.layer) {
                        self.add(cell, effect.layer, effect.after(model, thing), movements & !effect.stop | effect.go);
                    }
                }
            }
        }
    }

    /// Returns what a layer of a cell may hold when a match is replaced, with movements.
    pub fn before(&self, model: &Model, pattern: &Cell, cell: usize, layer: u32) -> Vec<(u32, u8)> {
        match pattern.certain(layer) {
            Some(ask) => self.meeting(ask, cell).map(|(thing, movements)| (thing, movements & !ask.still)).collect(),
            None => self.here(&model.layers[layer as usize], cell).collect(),
        }
    }

    /// Returns the things that a cell may hold where a pattern matches, with all their movements.
    fn meeting(&self, ask: &Ask, cell: usize) -> impl Iterator<Item = (u32, u8)> {
        let moving = ask.moving;
        self.here(&ask.allowed, cell).filter(move |&(_, movements)| movements & moving == moving)
    }

    /// Moves what may move, in cells with news or beside them. Returns the number of these cells.
    fn resolve(&mut self, model: &Model, recent: &News) -> usize {
        let all_directions = MOVEMENT_BITS as u8;
        let with_news = || recent.cells.iter().chain(&self.news.cells).copied();
        let mut cells: Vec<usize> =
            with_news().flat_map(|cell| self.targets(cell, all_directions).chain([cell])).collect();
        cells.sort_unstable();
        cells.dedup();
        let new_layers = |known: &Known, cell: usize| recent.layers[cell] | known.news.layers[cell];
        for &cell in &cells {
            let beside = self.targets(cell, all_directions);
            let new = beside.fold(new_layers(self, cell), |new, cell| new | new_layers(self, cell));
            for (layer, things) in (0..).zip(&model.layers).filter(|&(layer, _)| new & layer_bit(layer) != 0) {
                let nothing = model.nothing(layer);
                let objects: Vec<(u32, u8)> = self.here(things, cell).filter(|&(thing, _)| thing != nothing).collect();
                for (object, movements) in objects.into_iter().filter(|&(_, movements)| movements != 0) {
                    for target in self.targets(cell, movements) {
                        if self.has(target, nothing) {
                            // What comes into a cell takes over the movement that is left there.
                            self.add(target, layer, object, self.movements(target, nothing));
                            self.add(cell, layer, nothing, 0);
                        }
                    }
                }
            }
        }
        cells.len()
    }

    /// Returns the cells beside a cell to which movements lead.
    pub fn targets(&self, cell: usize, movements: u8) -> impl Iterator<Item = usize> + use<> {
        let target = |direction: Direction| {
            let leads = movements & direction_bit(direction) as u8 != 0 && self.room(cell, direction) > 0;
            leads.then(|| (cell as isize + self.step(direction)) as usize)
        };
        Direction::ALL.map(target).into_iter().flatten()
    }

    /// Returns the step from a cell to the next one.
    pub fn step(&self, direction: Direction) -> isize {
        match direction {
            Direction::Up => -1,
            Direction::Down => 1,
            Direction::Left => -(self.height as isize),
            Direction::Right => self.height as isize,
        }
    }

    /// Returns the number of cells from a cell to the edge, without itself.
    fn room(&self, cell: usize, direction: Direction) -> usize {
        let (x, y) = (cell / self.height, cell % self.height);
        match direction {
            Direction::Up => y,
            Direction::Down => self.height - 1 - y,
            Direction::Left => x,
            Direction::Right => self.width - 1 - x,
        }
    }

    /// Returns where each row of a rule may match; none if some row does nowhere.
    pub fn places(&self, rule: &Lowered) -> Option<Vec<Vec<Place>>> {
        let places =
            rule.rows.iter().map(|row| Some(self.row_places(row, rule.direction, None)).filter(|all| !all.is_empty()));
        places.collect::<Option<Vec<_>>>().filter(|rows| !rows.is_empty())
    }

    /// Returns how many cells [`row_places`](Self::row_places) compares at most, or so.
    fn cost(&self, row: &LoweredRow, direction: Direction, news: Option<&News>) -> usize {
        let cells = if row.gaps.is_empty() {
            news.map_or(self.width * self.height, |news| news.cells.len())
        } else {
            self.line_starts(direction, news).len() * self.extent(direction)
        };
        cells.saturating_mul(row.cells.len())
    }

    /// Returns the number of cells in a line.
    fn extent(&self, direction: Direction) -> usize {
        match direction {
            Direction::Up | Direction::Down => self.height,
            Direction::Left | Direction::Right => self.width,
        }
    }

    /// Returns the first cells of all lines in a direction; with `news`, only of lines that have some.
    fn line_starts(&self, direction: Direction, news: Option<&News>) -> Vec<usize> {
        let (width, height) = (self.width, self.height);
        let is_vertical = matches!(direction, Direction::Up | Direction::Down);
        let mut lines: Vec<usize> = match news {
            Some(news) => {
                news.cells.iter().map(|cell| if is_vertical { cell / height } else { cell % height }).collect()
            }
            None => (0..if is_vertical { width } else { height }).collect(),
        };
        lines.sort_unstable();
        lines.dedup();
        let start = |line: usize| match direction {
            Direction::Down => line * height,
            Direction::Up => line * height + height - 1,
            Direction::Right => line,
            Direction::Left => (width - 1) * height + line,
        };
        lines.into_iter().map(start).collect()
    }

    /// Returns where a row may match; with `news`, only places that have some.
    fn row_places(&self, row: &LoweredRow, direction: Direction, news: Option<&News>) -> Vec<Place> {
        if row.cells.is_empty() || !self.may_match_somewhere(row) {
            return Vec::new();
        }
        match &row.gaps[..] {
            [] => self.line_places(row, direction, news),
            _ => self.gap_places(row, direction, news),
        }
    }

    fn line_places(&self, row: &LoweredRow, direction: Direction, news: Option<&News>) -> Vec<Place> {
        let (length, step) = (row.cells.len(), self.step(direction));
        let mut places = Vec::new();
        let mut try_at = |first: usize| {
            if self.room(first, direction) >= length - 1 && self.match_line(&row.cells, first, step) {
                places.push(Place { cells: 0..length, first });
            }
        };
        let Some(news) = news else {
            (0..self.width * self.height).for_each(try_at);
            return places;
        };
        for &cell in &news.cells {
            for offset in 0..length.min(self.room(cell, opposite(direction)) + 1) {
                let first = cell as isize - step * offset as isize;
                let is_new = |offset: usize| {
                    news.layers[(first + step * offset as isize) as usize] & row.cells[offset].layers != 0
                };
                // Each place is tried for the first of its cells that has news.
                if is_new(offset) && !(0..offset).any(is_new) {
                    try_at(first as usize);
                }
            }
        }
        places
    }

    /// Returns where the parts of a row between ellipses may match, each of them with all others on the same line.
    fn gap_places(&self, row: &LoweredRow, direction: Direction, news: Option<&News>) -> Vec<Place> {
        let step = self.step(direction);
        let bounds: Vec<usize> = [0].into_iter().chain(row.gaps.iter().copied()).chain([row.cells.len()]).collect();
        let parts: Vec<Range<usize>> = bounds.windows(2).map(|pair| pair[0]..pair[1]).collect();
        let mut places = Vec::new();
        let extent = self.extent(direction);
        for start in self.line_starts(direction, news) {
            let at = |offset: usize| (start as isize + step * offset as isize) as usize;
            let layers = row.cells.iter().fold(0, |layers, cell| layers | cell.layers);
            if news.is_some_and(|news| !(0..extent).any(|offset| news.layers[at(offset)] & layers != 0)) {
                continue;
            }
            let fits = |part: &Range<usize>, offset: usize| {
                offset + part.len() <= extent && self.match_line(&row.cells[part.clone()], at(offset), step)
            };
            let mut matching: Vec<Vec<usize>> =
                parts.iter().map(|part| (0..extent).filter(|&offset| fits(part, offset)).collect()).collect();
            // A part needs a match of the part before it that ends before it, and one of the part after it.
            for index in 1..parts.len() {
                let before = matching[index - 1].first().map_or(usize::MAX, |&first| first + parts[index - 1].len());
                matching[index].retain(|&offset| offset >= before);
            }
            for index in (1..parts.len()).rev() {
                let after = matching[index].last().copied();
                let length = parts[index - 1].len();
                matching[index - 1].retain(|&offset| after.is_some_and(|after| offset + length <= after));
            }
            for (part, offsets) in parts.iter().zip(matching) {
                places.extend(offsets.into_iter().map(|offset| Place { cells: part.clone(), first: at(offset) }));
            }
        }
        places
    }

    /// Returns whether each cell of a row may match in some cell.
    fn may_match_somewhere(&self, row: &LoweredRow) -> bool {
        let is_anywhere = |things: &Things| things.iter().any(|&(word, bits)| self.anywhere[word as usize] & bits != 0);
        row.cells
            .iter()
            .all(|cell| cell.asks.iter().all(|ask| is_anywhere(&ask.allowed)) && cell.any.iter().all(&is_anywhere))
    }

    fn match_line(&self, patterns: &[Cell], first: usize, step: isize) -> bool {
        let cells = (0..).map(|offset| (first as isize + step * offset) as usize);
        patterns.iter().zip(cells).all(|(pattern, cell)| {
            pattern.asks.iter().all(|ask| self.has_any(&ask.allowed, cell))
                && pattern.any.iter().all(|any| self.has_any(any, cell))
                && pattern.asks.iter().all(|ask| ask.moving == 0 || self.meeting(ask, cell).next().is_some())
        })
    }
}

impl Effect {
    /// Returns what a layer holds after the effect.
    pub fn after(&self, model: &Model, thing: u32) -> u32 {
        match self.set {
            Some(object) => object,
            None if has(&self.cleared, thing) => model.nothing(self.layer),
            None => thing,
        }
    }
}

fn opposite(direction: Direction) -> Direction {
    match direction {
        Direction::Up => Direction::Down,
        Direction::Down => Direction::Up,
        Direction::Left => Direction::Right,
        Direction::Right => Direction::Left,
    }
}
