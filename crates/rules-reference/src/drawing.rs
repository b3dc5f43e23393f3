//! Drawings of rules: their images, their places on the grid, matching and effects.
//!
//! A drawing is rotated and reflected like a sheet of paper, cell by cell. The places where its images may lie do not
//! depend on the position, so they are computed once.

mod images;
mod report;
#[cfg(test)]
mod tests;

use super::expression::Matched;
use super::obstacle::Obstacle;
use super::value::Value;
use super::world::{World, rows};
use super::{Read, as_list};
use engine_domain::domain::Trace;
pub(super) use images::Form;
use images::{From, Image, PatternCell, To, images};
use std::collections::{BTreeMap, HashMap, HashSet};
use toml::{Table, Value as Toml};

/// Maps from symbol to symbol, by their characters.
type Maps = Vec<(char, HashMap<u32, u32>)>;

/// A drawing of a rule.
#[derive(Debug)]
pub(super) struct Drawing {
    /// The anchor, the cell whose place names a move: its row and column in the file's drawing.
    pub at: (usize, usize),
    /// In the order of the moves.
    pub images: Vec<Image>,
    edge: Edge,
    /// True if equal images are all tried.
    tries_all: bool,
    repeat: bool,
    /// The set letters in `from`, each with the number of its cell in a run.
    letters: Vec<(char, usize)>,
    /// The maps in `to`, from symbol to symbol.
    maps: Maps,
    /// The other drawings of the rule, which lie at places of their own, in the same image.
    further: Vec<Drawing>,
    /// The places where it is tried, in the order of the moves.
    pub places: Vec<Place>,
    /// For each cell and image, the ground pattern; `None` if the image cannot lie there in any position.
    grounded: Vec<Option<Vec<GroundedCell>>>,
}

/// A character of a drawing, with the values of parameters in place of their names, and the cells of a run one by one.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    character: char,
    /// Its row and column in the file, without the character that marks a run.
    of: (usize, usize),
    /// The number of its cell in a run; 0 elsewhere.
    copy: usize,
}

/// The characters that a rule writes in its drawings besides symbols.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Choice {
    /// The parameters of one character, with their values.
    pub parameters: Vec<(char, Value)>,
    /// The character that marks a run, and the number of cells of the run.
    pub run: Option<(char, usize)>,
}

impl Choice {
    /// Returns the drawing with this choice.
    fn drawn(&self, rows: Vec<Vec<char>>, world: &World) -> Read<Vec<Vec<Drawn>>> {
        let mut drawn = Vec::new();
        for (row, characters) in rows.into_iter().enumerate() {
            let mut cells: Vec<Drawn> = Vec::new();
            for character in characters {
                if let Some((mark, length)) = self.run
                    && mark == character
                {
                    let repeated = *cells.last().ok_or("a drawing begins with the mark of a run")?;
                    cells.extend((1..length).map(|copy| Drawn { copy, ..repeated }));
                    continue;
                }
                let column = cells.last().map_or(0, |cell| cell.of.1 + 1);
                let value = self.parameters.iter().find(|(name, _)| *name == character);
                let names_map = world.maps.contains_key(character.encode_utf8(&mut [0; 4]) as &str);
                let is_symbol = world.is_drawn(character) || world.sets.contains_key(&character) || names_map;
                let character = match value.filter(|_| !is_symbol) {
                    Some((name, value)) => value.character().ok_or_else(|| format!("`{name}` is no symbol"))?,
                    None => character,
                };
                cells.push(Drawn { character, of: (row, column), copy: 0 });
            }
            drawn.push(cells);
        }
        Ok(drawn)
    }
}

/// The most drawings of a rule besides the first.
const MOST_FURTHER: usize = 3;

/// An image with its anchor on a cell of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub image: usize,
    pub cell: usize,
    /// The cells of the anchors of the further drawings; 0 if there are none.
    pub further: [usize; MOST_FURTHER],
}

impl Place {
    /// Returns a place of a single drawing.
    pub fn single(image: usize, cell: usize) -> Place {
        Place { image, cell, further: [0; MOST_FURTHER] }
    }
}

/// A cell of the grid under an image, with its precondition and effect.
type GroundedCell = (usize, From, To);

/// The treatment of drawing cells beyond the edge of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    Fit,
    Clip,
    Wrap,
}

/// Cells that change, each with its new symbol.
pub(super) type Changes = Vec<(usize, u32)>;

impl Drawing {
    /// Reads the drawings of a rule with a choice of what it writes; `None` if it has none. With `tries_all`, equal
    /// images are all tried.
    ///
    /// # Errors
    /// The first part that cannot be read.
    pub fn read(keys: &Table, choice: &Choice, tries_all: bool, world: &World) -> Read<Option<Drawing>> {
        if let Some(moved) = keys.get("shift") {
            return Drawing::of_body(moved, keys, world).map(Some);
        }
        let number = ["from", "to", "on"].into_iter().find_map(|key| keys.get(key)).map_or(1, |all| as_list(all).len());
        if number > 1 + MOST_FURTHER {
            return Err("it has too many drawings".to_owned());
        }
        let mut all = Vec::new();
        let (mut letters, mut maps) = (Vec::new(), Vec::new());
        // The letters in any `from` may stand in any `to`.
        for text in keys.get("from").map_or(&[][..], as_list).iter().filter_map(Toml::as_str) {
            for cell in choice.drawn(rows(text)?, world)?.into_iter().flatten() {
                let letter = (cell.character, cell.copy);
                if world.sets.contains_key(&cell.character) && !letters.contains(&letter) {
                    letters.push(letter);
                }
            }
        }
        for which in 0..number {
            let Some(mut drawing) = Drawing::read_one(keys, which, choice, (letters.clone(), maps), world)? else {
                return Ok(None);
            };
            maps = drawing.maps.clone();
            drawing.tries_all = tries_all;
            drawing.ground_everywhere(world, number == 1 && !tries_all);
            all.push(drawing);
        }
        let mut all = all.into_iter();
        let first = all.next().map(|first| Drawing { further: all.collect(), ..first });
        Ok(first)
    }

    /// Returns a drawing of the single cell whose body a rule moves.
    fn of_body(moved: &Toml, keys: &Table, world: &World) -> Read<Drawing> {
        let moved = moved.as_str().ok_or("`shift` is no string")?;
        let symbols = world.symbols(moved)?;
        let spot = PatternCell { of: (0, 0), offset: (0, 0), from: From::Letter(0), to: To::Same, on: None };
        let direction = keys.get("direction").and_then(Toml::as_str);
        let (turns, mirror) = if direction.is_some() { (true, false) } else { forms(keys)? };
        let mut images = images(vec![spot], Vec::new(), (0, 0), [turns, mirror], world);
        images.retain(|image| direction.is_none_or(|direction| image.direction == direction));
        // The symbols of bodies do not turn.
        images.iter_mut().for_each(|image| image.letters = vec![symbols.clone()]);
        let mut drawing = Drawing {
            at: (0, 0),
            images,
            edge: Edge::Fit,
            tries_all: true,
            repeat: false,
            // No expression can name it: it counts as a later cell of a run.
            letters: vec![(moved.chars().next().unwrap_or('?'), 1)],
            maps: Vec::new(),
            further: Vec::new(),
            places: Vec::new(),
            grounded: Vec::new(),
        };
        drawing.ground_everywhere(world, false);
        Ok(drawing)
    }

    /// Reads one of the drawings of a rule, with the letters and maps that are known already.
    fn read_one(
        keys: &Table,
        which: usize,
        choice: &Choice,
        (letters, maps): (Vec<(char, usize)>, Maps),
        world: &World,
    ) -> Read<Option<Drawing>> {
        let drawn = |key: &str| match keys.get(key).map(|all| as_list(all).get(which)) {
            None => Ok(None),
            Some(Some(Toml::String(text))) => {
                // Letters are marks in `on`, even if a parameter has the same name.
                let parameters = if key == "on" { Vec::new() } else { choice.parameters.clone() };
                let choice = Choice { parameters, run: choice.run };
                rows(text).and_then(|rows| choice.drawn(rows, world)).map(Some).map_err(|why| format!("`{key}`: {why}"))
            }
            Some(_) => Err(format!("`{key}` is no drawing")),
        };
        let (from, to, on) = (drawn("from")?, drawn("to")?, drawn("on")?);
        let Some(size) = from.as_ref().or(to.as_ref()).or(on.as_ref()) else { return Ok(None) };
        let (height, width) = (size.len(), size[0].len());
        if [&from, &to, &on].into_iter().flatten().any(|rows| (rows.len(), rows[0].len()) != (height, width)) {
            return Err("its drawings differ in size".to_owned());
        }
        if world.cells() == 0 {
            return Err("there is no grid to draw on".to_owned());
        }
        let edge = match keys.get("edge").map(Toml::as_str) {
            None | Some(Some("fit")) => Edge::Fit,
            Some(Some("clip")) => Edge::Clip,
            Some(Some("wrap")) => Edge::Wrap,
            _ => return Err("there is no such `edge`".to_owned()),
        };
        let at = match keys.get("at").filter(|_| which == 0) {
            None => (0, 0),
            Some(at) => cell_of(at, size).ok_or("`at` is not a cell of the drawing")?,
        };
        let mut drawing = Drawing {
            at,
            images: Vec::new(),
            edge,
            tries_all: false,
            // With `all`, passes repeat instead.
            repeat: is_set(keys, "repeat")? && !is_set(keys, "all")?,
            letters,
            maps,
            further: Vec::new(),
            places: Vec::new(),
            grounded: Vec::new(),
        };
        let mut pattern = Vec::new();
        let anything = Drawn { character: '?', of: (0, 0), copy: 0 };
        let character = |rows: &Option<Vec<Vec<Drawn>>>, row: usize, column: usize| {
            rows.as_ref().map_or(anything, |rows| rows[row][column])
        };
        let cells = || (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
        let preconditions: Vec<From> =
            cells().map(|(row, column)| drawing.from(character(&from, row, column), world)).collect::<Read<_>>()?;
        for (number, (row, column)) in cells().enumerate() {
            pattern.push(PatternCell {
                of: size[row][column].of,
                offset: (row as i64, column as i64),
                from: preconditions[number],
                to: drawing.to(character(&to, row, column), world)?,
                on: Some(character(&on, row, column).character).filter(|mark| *mark != '?'),
            });
        }
        let letters = drawing.letters.iter().map(|(letter, _)| world.denoted_symbols(*letter)).collect();
        let (turns, mirror) = forms(keys)?;
        drawing.images = images(pattern, letters, at, [turns, mirror], world);
        Ok(Some(drawing))
    }

    fn from(&mut self, Drawn { character, copy, .. }: Drawn, world: &World) -> Read<From> {
        if character == '?' {
            return Ok(From::Anything);
        }
        if !world.sets.contains_key(&character) {
            let symbol = world.symbol(character).ok_or_else(|| format!("`{character}` is not a symbol"))?;
            return Ok(From::Symbol(symbol));
        }
        // In a run, each cell matches by itself.
        let known = self.letters.iter().position(|letter| *letter == (character, copy));
        Ok(From::Letter(known.unwrap_or_else(|| {
            self.letters.push((character, copy));
            self.letters.len() - 1
        })))
    }

    fn to(&mut self, Drawn { character, copy, .. }: Drawn, world: &World) -> Read<To> {
        if character == '?' {
            return Ok(To::Same);
        }
        if world.sets.contains_key(&character) {
            let find = |copy: usize| self.letters.iter().position(|letter| *letter == (character, copy));
            return find(copy)
                .or_else(|| find(0))
                .map(To::Letter)
                .ok_or_else(|| format!("`{character}` is not in `from`"));
        }
        let Some(entries) = world.maps.get(character.encode_utf8(&mut [0; 4]) as &str) else {
            let symbol = world.symbol(character).ok_or_else(|| format!("`{character}` is not a symbol"))?;
            return Ok(To::Symbol(symbol));
        };
        let known = self.maps.iter().position(|(name, _)| *name == character);
        Ok(To::Map(known.unwrap_or_else(|| {
            let entry = |from: &u32| Some((*from, world.symbol(entries.get(world.value(*from))?.character()?)?));
            self.maps.push((character, world.may_have(0).iter().filter_map(entry).collect()));
            self.maps.len() - 1
        })))
    }

    /// Places each image on each cell. With `only_first`, images with the same preconditions and effects on the same cells are one move,
    /// and only the first is tried. With `repeat` they must agree at every step and in the direction. Marks never
    /// change, so they are not compared. Images that cannot lie at a place are tried too, to report why.
    /// Images of several drawings are compared only together, in each position.
    fn ground_everywhere(&mut self, world: &World, only_first: bool) {
        // For each cell and image, the number of its equivalence class for a single step.
        let mut numbers = HashMap::new();
        let mut classes = Vec::new();
        for cell in 0..world.cells() {
            for image in &self.images {
                let grounded = self.ground_image(image, cell, world);
                classes.push(grounded.clone().map(|mut grounded| {
                    grounded.sort_unstable();
                    let symbols = symbols_in(&grounded, image);
                    let next = numbers.len();
                    *numbers.entry((grounded, symbols)).or_insert(next)
                }));
                self.grounded.push(grounded);
            }
        }
        let mut known = HashSet::new();
        for cell in 0..world.cells() {
            for (number, image) in self.images.iter().enumerate() {
                let mut steps = Vec::new();
                let mut at = Some(cell);
                while let Some(same) = at.and_then(|at| classes[at * self.images.len() + number]) {
                    steps.push(same);
                    at = at.filter(|_| self.repeat).and_then(|at| self.cell_at(image.forward, at, world));
                    at = at.filter(|at| *at != cell);
                }
                if steps.is_empty() || !only_first || known.insert((steps, self.repeat.then_some(image.forward))) {
                    self.places.push(Place::single(number, cell));
                }
            }
        }
    }

    /// Places an image, without cells that have neither a precondition nor an effect; `None` if it cannot lie there.
    fn ground_image(&self, image: &Image, cell: usize, world: &World) -> Option<Vec<GroundedCell>> {
        let mut grounded = Vec::new();
        let mut covered = Vec::new();
        for spot in &image.spots {
            let Some(under) = self.cell_at(spot.offset, cell, world) else {
                if self.edge == Edge::Clip {
                    continue;
                }
                return None;
            };
            if spot.on.is_some_and(|mark| world.marks.get(under) != Some(&mark)) {
                return None;
            }
            covered.push(under);
            if (spot.from, spot.to) != (From::Anything, To::Same) {
                grounded.push((under, spot.from, spot.to));
            }
        }
        covered.sort_unstable();
        let is_folded = covered.windows(2).any(|two| two[0] == two[1]);
        (!is_folded && !self.is_fenced(image, cell, world)).then_some(grounded)
    }

    /// Returns whether a fence stands between two neighbours of an image that are not `?` in both drawings.
    fn is_fenced(&self, image: &Image, cell: usize, world: &World) -> bool {
        let used = || image.spots.iter().filter(|spot| (spot.from, spot.to) != (From::Anything, To::Same));
        used().any(|one| {
            let Some(under) = self.cell_at(one.offset, cell, world) else { return false };
            used().filter(|other| self.cell_at(other.offset, cell, world).is_some()).any(|other| {
                let step = (other.offset.0 - one.offset.0, other.offset.1 - one.offset.1);
                step.0.abs() + step.1.abs() == 1 && world.is_fenced(under, step)
            })
        })
    }

    /// Returns the row and the column at an offset from a cell. They wrap around if the edge does.
    fn target_place(&self, (down, right): (i64, i64), cell: usize, world: &World) -> (i64, i64) {
        let (rows, columns) = (world.rows as i64, world.columns as i64);
        let (row, column) = (cell as i64 / columns + down, cell as i64 % columns + right);
        match self.edge {
            Edge::Wrap => (row.rem_euclid(rows), column.rem_euclid(columns)),
            Edge::Fit | Edge::Clip => (row, column),
        }
    }

    /// Returns the cell at an offset from another; `None` beyond the edge.
    fn cell_at(&self, offset: (i64, i64), cell: usize, world: &World) -> Option<usize> {
        let (row, column) = self.target_place(offset, cell, world);
        let is_on_grid = (0..world.rows as i64).contains(&row) && (0..world.columns as i64).contains(&column);
        is_on_grid.then(|| row as usize * world.columns + column as usize)
    }

    fn grounded(&self, place: Place) -> Option<&[GroundedCell]> {
        self.grounded[place.cell * self.images.len() + place.image].as_deref()
    }

    /// Returns the drawings of the rule, each with its place.
    fn parts(&self, place: Place) -> impl Iterator<Item = (&Drawing, Place)> {
        let further = self.further.iter().zip(place.further);
        [(self, place)].into_iter().chain(further.map(move |(other, cell)| (other, Place::single(place.image, cell))))
    }

    /// Returns whether all drawings lie at their places, and no cell is under two of them.
    pub fn lie_apart(&self, place: Place) -> bool {
        let mut covered = HashSet::new();
        self.parts(place).all(|(drawing, place)| {
            let grounded = drawing.grounded(place);
            let cells: Option<Vec<usize>> = grounded.map(|grounded| grounded.iter().map(|(cell, ..)| *cell).collect());
            cells.is_some_and(|cells| cells.into_iter().all(|cell| covered.insert(cell)))
        })
    }

    /// Returns the number of [`all_places`](Self::all_places).
    pub fn number_of_places(&self, world: &World) -> usize {
        self.places.len().saturating_mul(world.cells().saturating_pow(self.further.len() as u32))
    }

    /// Returns all places of the drawings, in the order of the moves.
    pub fn all_places(&self, world: &World) -> impl Iterator<Item = Place> {
        let (cells, number) = (world.cells(), self.further.len());
        let choices = cells.pow(number as u32);
        self.places.iter().flat_map(move |place| {
            (0..choices).map(move |choice| {
                let mut place = *place;
                let mut rest = choice;
                // The last drawing moves first.
                for other in (0..number).rev() {
                    place.further[other] = rest % cells;
                    rest /= cells;
                }
                place
            })
        })
    }

    /// Returns the places where the drawings fit, in the order of the moves, with the changes that they make. Of places
    /// with the same preconditions and effects on the same cells, only the first counts.
    pub fn fitting(&self, cells: &Trace, world: &World) -> Vec<(Place, Changes)> {
        let mut fitting = Vec::new();
        if self.further.is_empty() {
            let apply = |place: &Place| Some((*place, self.apply(*place, cells, world).ok()?));
            fitting.extend(self.places.iter().filter_map(apply));
            return fitting;
        }
        let mut known = HashSet::new();
        for first in self.places.iter().filter(|place| self.fits_alone(**place, cells)) {
            let mut places = vec![*first];
            for (number, drawing) in self.further.iter().enumerate() {
                let fits = |cell: &usize| drawing.fits_alone(Place::single(first.image, *cell), cells);
                let others: Vec<usize> = (0..world.cells()).filter(fits).collect();
                let longer = |place: Place| {
                    others.iter().map(move |cell| {
                        let mut place = place;
                        place.further[number] = *cell;
                        place
                    })
                };
                places = places.into_iter().flat_map(longer).collect();
            }
            for place in places {
                let Some(changes) = self.apply_together(place, cells) else { continue };
                let grounded = self.parts(place).filter_map(|(drawing, place)| drawing.grounded(place));
                let mut grounded: Vec<GroundedCell> = grounded.flatten().copied().collect();
                grounded.sort_unstable();
                let symbols = symbols_in(&grounded, &self.images[place.image]);
                if known.insert((grounded, symbols)) || self.tries_all {
                    fitting.push((place, changes));
                }
            }
        }
        fitting
    }

    /// Returns whether one drawing matches, whatever the others do.
    fn fits_alone(&self, place: Place, cells: &Trace) -> bool {
        self.matches(place, cells, &mut vec![None; self.letters.len()])
    }

    /// Applies all drawings; `None` if they do not fit.
    fn apply_together(&self, place: Place, cells: &Trace) -> Option<Changes> {
        let mut matched = vec![None; self.letters.len()];
        let fit = self.lie_apart(place)
            && self.parts(place).all(|(drawing, place)| drawing.matches(place, cells, &mut matched));
        if !fit {
            return None;
        }
        let changes = self.parts(place).map(|(drawing, place)| drawing.changes(place, cells, &matched));
        changes.collect::<Option<Vec<Changes>>>().map(|changes| changes.concat())
    }

    /// Applies this drawing once; `None` if it does not fit.
    pub fn apply_once(&self, place: Place, cells: &Trace) -> Option<Changes> {
        let mut matched = vec![None; self.letters.len()];
        if self.matches(place, cells, &mut matched) { self.changes(place, cells, &matched) } else { None }
    }

    /// Returns whether this drawing matches, with what the letters matched before.
    fn matches(&self, place: Place, cells: &Trace, matched: &mut [Option<u32>]) -> bool {
        let Some(grounded) = self.grounded(place) else { return false };
        let symbols = &self.images[place.image].letters;
        for (cell, from, _) in grounded {
            let there = cells[*cell];
            let fits = match *from {
                From::Anything => true,
                From::Symbol(symbol) => there == symbol,
                From::Letter(letter) => {
                    symbols[letter].contains(&there) && *matched[letter].get_or_insert(there) == there
                }
            };
            if !fits {
                return false;
            }
        }
        true
    }

    /// Returns the changes that this drawing makes; `None` if a new symbol is undefined.
    fn changes(&self, place: Place, cells: &Trace, matched: &[Option<u32>]) -> Option<Changes> {
        let mut changes = Vec::new();
        for (cell, _, to) in self.grounded(place)? {
            changes.push(match *to {
                To::Same => continue,
                To::Symbol(symbol) => (*cell, symbol),
                To::Letter(letter) => (*cell, matched[letter]?),
                To::Map(map) => (*cell, *self.maps[map].1.get(&cells[*cell])?),
            });
        }
        Some(changes)
    }

    /// Applies the drawing, repeatedly if it slides.
    ///
    /// # Errors
    /// The slide is endless, or `None` if the drawing does not fit.
    pub fn apply(&self, place: Place, cells: &Trace, world: &World) -> Result<Changes, Option<Endless>> {
        let applied =
            if self.further.is_empty() { self.apply_once(place, cells) } else { self.apply_together(place, cells) };
        let first = applied.ok_or(None)?;
        if self.repeat { self.slide(place, first, cells, world).ok_or(Some(Endless)) } else { Ok(first) }
    }

    /// Continues a slide after its first step; `None` if it is endless.
    ///
    /// The grid and the place determine a step, so the slide is endless exactly if both recur. Brent's algorithm (1980)
    /// detects that: each step is compared with an earlier one, which is replaced after twice as many steps each time.
    fn slide(&self, mut place: Place, first: Changes, cells: &Trace, world: &World) -> Option<Changes> {
        let forward = self.images[place.image].forward;
        let mut grid = cells.clone();
        // A cell that gets its old symbol back is changed, too.
        let mut given: BTreeMap<usize, u32> = first.iter().copied().collect();
        apply_changes(first, &mut grid);
        let (mut before, mut steps, mut until) = ((place, grid.clone()), 0_u64, 1_u64);
        while let Some(cell) = self.cell_at(forward, place.cell, world) {
            let Some(changes) = self.apply_once(Place { cell, ..place }, &grid) else { break };
            given.extend(changes.iter().copied());
            apply_changes(changes, &mut grid);
            place.cell = cell;
            if before.0 == place && before.1 == grid {
                return None;
            }
            steps += 1;
            if steps == until {
                before = (place, grid.clone());
                (steps, until) = (0, until.saturating_mul(2));
            }
        }
        Some(given.into_iter().collect())
    }
}

/// The error of a slide without an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Endless;

/// Applies changes.
pub(super) fn apply_changes(changes: Changes, grid: &mut Trace) {
    for (cell, symbol) in changes {
        grid[cell] = symbol;
    }
}

/// Returns the symbols of the letters in a pattern: a letter may stand for other symbols in another image.
fn symbols_in(grounded: &[GroundedCell], image: &Image) -> Vec<Vec<u32>> {
    let letters = grounded.iter().filter_map(|(_, from, _)| match from {
        From::Letter(letter) => Some(image.letters[*letter].clone()),
        _ => None,
    });
    let mut symbols: Vec<Vec<u32>> = letters.collect();
    for symbols in &mut symbols {
        symbols.sort_unstable();
        symbols.dedup();
    }
    symbols
}

/// Reads a key that is `true` or `false`; the default is `false`.
pub(super) fn is_set(keys: &Table, key: &str) -> Read<bool> {
    match keys.get(key) {
        None => Ok(false),
        Some(Toml::Boolean(is_set)) => Ok(*is_set),
        Some(_) => Err(format!("`{key}` is neither true nor false")),
    }
}

/// Returns whether a rule also has turned images, and mirrored ones. A rule that applies in the image of the move has
/// all of them.
fn forms(keys: &Table) -> Read<(bool, bool)> {
    match keys.get("turns").and_then(Toml::as_str) {
        Some("move") => Ok((true, true)),
        _ => Ok((is_set(keys, "turns")?, is_set(keys, "mirror")?)),
    }
}

/// Reads a cell of a drawing.
fn cell_of(at: &Toml, rows: &[Vec<Drawn>]) -> Option<(usize, usize)> {
    let [row, column] = at.as_array()?.as_slice() else { return None };
    let (row, column) = (usize::try_from(row.as_integer()?).ok()?, usize::try_from(column.as_integer()?).ok()?);
    rows.iter().flatten().any(|cell| cell.of == (row, column)).then_some((row, column))
}
