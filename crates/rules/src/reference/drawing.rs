//! Drawings of rules: their images, where these lie on the grid, and what they make of it.
//!
//! A drawing is turned and mirrored as a sheet of paper would be, cell by cell. Where its images may lie, whatever stands
//! on the grid, never changes, and is worked out once.

use super::Read;
use super::obstacle::Obstacle;
use super::value::Value;
use super::world::World;
use crate::domain::Trace;
use std::collections::{HashMap, HashSet};
use toml::{Table, Value as Toml};

/// Cuts a drawing into rows of characters, all of the same width.
///
/// # Errors
/// It is empty, rows differ in width, or there is white space in it.
pub(super) fn rows(text: &str) -> Read<Vec<Vec<char>>> {
    let lines: Vec<&str> = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    let is_drawn = |line: &&str| !line.trim().is_empty();
    let (Some(first), Some(last)) = (lines.iter().position(is_drawn), lines.iter().rposition(is_drawn)) else {
        return Err("a drawing is empty".to_owned());
    };
    let rows: Vec<Vec<char>> = lines[first..=last].iter().map(|line| line.chars().collect()).collect();
    if rows.iter().any(|row| row.len() != rows[0].len()) {
        return Err("the rows of a drawing differ in width".to_owned());
    }
    if rows.iter().flatten().any(|c| c.is_whitespace()) {
        return Err("there is white space in a drawing".to_owned());
    }
    Ok(rows)
}

/// A drawing of a rule.
#[derive(Debug)]
pub(super) struct Drawing {
    /// The cell that names the place, in the drawing as the file has it.
    pub at: (usize, usize),
    /// In the order of the moves.
    pub images: Vec<Image>,
    edge: Edge,
    repeat: bool,
    /// The letters of sets in `from`, each with the symbols that it stands for.
    letters: Vec<(char, Vec<u32>)>,
    /// By map in `to`, from symbol to symbol.
    maps: Vec<(char, HashMap<u32, u32>)>,
    /// The places where it is tried, in the order of the moves.
    pub places: Vec<Place>,
    /// By cell and image, what lies there; none where the image cannot lie there, whatever stands on the grid.
    laid: Vec<Option<Vec<Laid>>>,
}

/// An image of a drawing: turned, then mirrored.
#[derive(Debug)]
pub(super) struct Image {
    pub direction: &'static str,
    /// How far down and to the right one cell further is.
    forward: (i64, i64),
    /// The cells, in the order of the drawing in the file.
    spots: Vec<Spot>,
}

/// A cell of an image.
#[derive(Clone, Debug)]
struct Spot {
    /// Its row and column in the drawing as the file has it.
    of: (usize, usize),
    /// How far it lies down and to the right of the cell that names the place.
    offset: (i64, i64),
    from: From,
    to: To,
    on: Option<char>,
}

/// An image with the cell that names its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub image: usize,
    pub cell: usize,
}

/// What an image asks of a cell of the grid, and does to it.
type Laid = (usize, From, To);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum From {
    Anything,
    Symbol(u32),
    /// One of the symbols of the letter of this number.
    Letter(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum To {
    Same,
    Symbol(u32),
    /// The symbol that the letter of this number matched.
    Letter(usize),
    /// What the map of this number makes of what is there.
    Map(usize),
}

/// What becomes of cells of a drawing beyond the edge of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    Fit,
    Clip,
    Wrap,
}

/// Cells that change, each with its new symbol.
pub(super) type Changes = Vec<(usize, u32)>;

impl Drawing {
    /// Reads the drawing of a rule; none where it has none.
    ///
    /// # Errors
    /// The first thing that cannot be read.
    pub fn read(keys: &Table, world: &World) -> Read<Option<Drawing>> {
        let drawn = |key: &str| match keys.get(key) {
            None => Ok(None),
            Some(Toml::String(text)) => rows(text).map(Some).map_err(|why| format!("`{key}`: {why}")),
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
        let at = match keys.get("at") {
            None => (0, 0),
            Some(at) => cell_of(at, height, width).ok_or("`at` is no cell of the drawing")?,
        };
        let mut drawing = Drawing {
            at,
            images: Vec::new(),
            edge,
            repeat: is_set(keys, "repeat")?,
            letters: Vec::new(),
            maps: Vec::new(),
            places: Vec::new(),
            laid: Vec::new(),
        };
        let mut sheet = Vec::new();
        let character = |rows: &Option<Vec<Vec<char>>>, row: usize, column: usize| {
            rows.as_ref().map_or('?', |rows| rows[row][column])
        };
        let cells = || (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
        let asked: Vec<From> =
            cells().map(|(row, column)| drawing.from(character(&from, row, column), world)).collect::<Read<_>>()?;
        for (number, (row, column)) in cells().enumerate() {
            sheet.push(Spot {
                of: (row, column),
                offset: (row as i64, column as i64),
                from: asked[number],
                to: drawing.to(character(&to, row, column), world)?,
                on: Some(character(&on, row, column)).filter(|mark| *mark != '?'),
            });
        }
        drawing.images = images(sheet, at, is_set(keys, "turns")?, is_set(keys, "mirror")?);
        drawing.lay_everywhere(world);
        Ok(Some(drawing))
    }

    fn from(&mut self, character: char, world: &World) -> Read<From> {
        if character == '?' {
            return Ok(From::Anything);
        }
        if !world.sets.contains_key(&character) {
            let symbol = world.symbol(character).ok_or_else(|| format!("`{character}` is no symbol"))?;
            return Ok(From::Symbol(symbol));
        }
        let known = self.letters.iter().position(|(letter, _)| *letter == character);
        Ok(From::Letter(known.unwrap_or_else(|| {
            self.letters.push((character, world.meant(character)));
            self.letters.len() - 1
        })))
    }

    fn to(&mut self, character: char, world: &World) -> Read<To> {
        if character == '?' {
            return Ok(To::Same);
        }
        if world.sets.contains_key(&character) {
            let letter = self.letters.iter().position(|(letter, _)| *letter == character);
            return letter.map(To::Letter).ok_or_else(|| format!("`{character}` is not in `from`"));
        }
        let Some(entries) = world.maps.get(character.encode_utf8(&mut [0; 4]) as &str) else {
            let symbol = world.symbol(character).ok_or_else(|| format!("`{character}` is no symbol"))?;
            return Ok(To::Symbol(symbol));
        };
        let known = self.maps.iter().position(|(name, _)| *name == character);
        Ok(To::Map(known.unwrap_or_else(|| {
            let symbol = |value: &Value| world.symbol(value.character()?);
            let entries = entries.iter().filter_map(|(from, to)| Some((symbol(from)?, symbol(to)?)));
            self.maps.push((character, entries.collect()));
            self.maps.len() - 1
        })))
    }

    /// Lays each image on each cell. Of images and places that ask and do the same of the same cells the first is tried;
    /// with `repeat` at every step, and in the same direction. Marks never change, and do not tell them apart. Where an
    /// image cannot lie it is tried, too: that says why.
    fn lay_everywhere(&mut self, world: &World) {
        // By cell and image, the number of all that ask and do the same once.
        let mut numbers = HashMap::new();
        let mut once = Vec::new();
        for cell in 0..world.cells() {
            for image in &self.images {
                let laid = self.lay(image, cell, world);
                once.push(laid.clone().map(|mut laid| {
                    laid.sort_unstable();
                    let next = numbers.len();
                    *numbers.entry(laid).or_insert(next)
                }));
                self.laid.push(laid);
            }
        }
        let mut known = HashSet::new();
        for cell in 0..world.cells() {
            for (number, image) in self.images.iter().enumerate() {
                let mut steps = Vec::new();
                let mut at = Some(cell);
                while let Some(same) = at.and_then(|at| once[at * self.images.len() + number]) {
                    steps.push(same);
                    at = at.filter(|_| self.repeat).and_then(|at| self.cell_under(image.forward, at, world));
                    at = at.filter(|at| *at != cell);
                }
                if steps.is_empty() || known.insert((steps, self.repeat.then_some(image.forward))) {
                    self.places.push(Place { image: number, cell });
                }
            }
        }
    }

    /// Lays an image: cells that are asked for nothing and stay the same are left out. None where it cannot lie there.
    fn lay(&self, image: &Image, cell: usize, world: &World) -> Option<Vec<Laid>> {
        let mut laid = Vec::new();
        let mut covered = Vec::new();
        for spot in &image.spots {
            let Some(under) = self.cell_under(spot.offset, cell, world) else {
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
                laid.push((under, spot.from, spot.to));
            }
        }
        covered.sort_unstable();
        let is_folded = covered.windows(2).any(|two| two[0] == two[1]);
        (!is_folded).then_some(laid)
    }

    /// Returns the row and the column so far from a cell of the grid: with `wrap` those of the other side.
    fn beside(&self, (down, right): (i64, i64), cell: usize, world: &World) -> (i64, i64) {
        let (rows, columns) = (world.rows as i64, world.columns as i64);
        let (row, column) = (cell as i64 / columns + down, cell as i64 % columns + right);
        match self.edge {
            Edge::Wrap => (row.rem_euclid(rows), column.rem_euclid(columns)),
            Edge::Fit | Edge::Clip => (row, column),
        }
    }

    /// Returns the cell so far from another; none beyond the edge.
    fn cell_under(&self, offset: (i64, i64), cell: usize, world: &World) -> Option<usize> {
        let (row, column) = self.beside(offset, cell, world);
        let is_on_grid = (0..world.rows as i64).contains(&row) && (0..world.columns as i64).contains(&column);
        is_on_grid.then(|| row as usize * world.columns + column as usize)
    }

    fn laid(&self, place: Place) -> Option<&[Laid]> {
        self.laid[place.cell * self.images.len() + place.image].as_deref()
    }

    /// Applies the drawing once: what changes, where it fits.
    fn once(&self, place: Place, cells: &Trace) -> Option<Changes> {
        let laid = self.laid(place)?;
        let mut matched = vec![None; self.letters.len()];
        for (cell, from, _) in laid {
            let there = cells[*cell];
            let fits = match *from {
                From::Anything => true,
                From::Symbol(symbol) => there == symbol,
                From::Letter(letter) => {
                    self.letters[letter].1.contains(&there) && *matched[letter].get_or_insert(there) == there
                }
            };
            if !fits {
                return None;
            }
        }
        let mut changes = Vec::new();
        for (cell, _, to) in laid {
            changes.push(match *to {
                To::Same => continue,
                To::Symbol(symbol) => (*cell, symbol),
                To::Letter(letter) => (*cell, matched[letter]?),
                To::Map(map) => (*cell, *self.maps[map].1.get(&cells[*cell])?),
            });
        }
        Some(changes)
    }

    /// Applies the drawing, again and again where it repeats.
    ///
    /// # Errors
    /// The slide has no end; `None` where the drawing does not fit.
    pub fn apply(&self, place: Place, cells: &Trace, world: &World) -> Result<Changes, Option<Endless>> {
        let first = self.once(place, cells).ok_or(None)?;
        if self.repeat { self.slide(place, first, cells, world).ok_or(Some(Endless)) } else { Ok(first) }
    }

    /// Continues a slide after its first step; none where it has no end.
    ///
    /// A step is determined by the grid and the place, so the slide has no end exactly if both come again. Brent (1980)
    /// finds that: what comes is compared with one of the steps before, twice as far on each time.
    fn slide(&self, mut place: Place, first: Changes, cells: &Trace, world: &World) -> Option<Changes> {
        let forward = self.images[place.image].forward;
        let mut grid = cells.clone();
        put(first, &mut grid);
        let (mut before, mut steps, mut until) = ((place, grid.clone()), 0_u64, 1_u64);
        while let Some(cell) = self.cell_under(forward, place.cell, world) {
            let Some(changes) = self.once(Place { cell, ..place }, &grid) else { break };
            put(changes, &mut grid);
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
        let changed = (0..).zip(cells.values()).zip(grid.values()).filter(|((_, before), after)| before != after);
        Some(changed.map(|((cell, _), &after)| (cell, after)).collect())
    }

    /// Returns why the drawing does not fit at a place, if it does not.
    pub fn obstacle(&self, place: Place, cells: &Trace, world: &World) -> Option<Obstacle> {
        let image = &self.images[place.image];
        let under = |spot: &Spot| self.cell_under(spot.offset, place.cell, world);
        let mut covered: Vec<usize> = image.spots.iter().filter_map(under).collect();
        covered.sort_unstable();
        if covered.windows(2).any(|two| two[0] == two[1]) {
            return Some(Obstacle::Folded);
        }
        let mut matched = vec![None; self.letters.len()];
        for (passed, spot) in image.spots.iter().enumerate() {
            let Some(cell) = under(spot) else {
                if self.edge == Edge::Clip {
                    continue;
                }
                return Some(Obstacle::Beyond { passed });
            };
            let (there, at) = (cells[cell], self.beside(spot.offset, place.cell, world));
            let stands = |wanted: String| {
                let there = world.value(there).to_string();
                Some(Obstacle::Stands { passed, place: at, there, wanted })
            };
            match spot.from {
                From::Anything => {}
                From::Symbol(symbol) if symbol == there => {}
                From::Symbol(symbol) => return stands(world.value(symbol).to_string()),
                From::Letter(number) => {
                    let (letter, symbols) = &self.letters[number];
                    match matched[number] {
                        Some(before) if before != there => return stands(world.value(before).to_string()),
                        None if !symbols.contains(&there) => return stands(letter.to_string()),
                        _ => matched[number] = Some(there),
                    }
                }
            }
            let mark = world.marks.get(cell).copied().unwrap_or('.');
            if let Some(wanted) = spot.on.filter(|wanted| *wanted != mark) {
                return Some(Obstacle::Mark { passed, place: at, there: mark, wanted });
            }
        }
        self.once(place, cells).is_none().then_some(Obstacle::Undefined)
    }

    /// Returns the number of a letter of a set that stands in `from`.
    pub fn letter(&self, name: &str) -> Option<usize> {
        self.letters.iter().position(|(letter, _)| letter.encode_utf8(&mut [0; 4]) == name)
    }

    /// Returns the symbol on the first cell of a letter that is on the grid: the one that it matches.
    pub fn matched(&self, letter: usize, place: Place, cells: &Trace, world: &World) -> Option<u32> {
        let mut spots = self.images[place.image].spots.iter().filter(|spot| spot.from == From::Letter(letter));
        spots.find_map(|spot| self.cell_under(spot.offset, place.cell, world)).map(|cell| cells[cell])
    }

    /// Returns the row and the column of the grid where this cell of the drawing lies.
    pub fn place_of(&self, of: (usize, usize), place: Place, world: &World) -> Option<(i64, i64)> {
        let spot = self.images[place.image].spots.iter().find(|spot| spot.of == of)?;
        Some(self.beside(spot.offset, place.cell, world))
    }

    /// Returns whether the drawing, as the file has it, has this cell.
    pub fn has(&self, of: (usize, usize)) -> bool {
        self.images[0].spots.iter().any(|spot| spot.of == of)
    }
}

/// A slide that has no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Endless;

/// Makes changes.
fn put(changes: Changes, grid: &mut Trace) {
    for (cell, symbol) in changes {
        grid[cell] = symbol;
    }
}

/// Reads a key that is `true` or `false`; `false` where it is missing.
fn is_set(keys: &Table, key: &str) -> Read<bool> {
    match keys.get(key) {
        None => Ok(false),
        Some(Toml::Boolean(is_set)) => Ok(*is_set),
        Some(_) => Err(format!("`{key}` is neither true nor false")),
    }
}

/// Reads a cell of a drawing of this size.
fn cell_of(at: &Toml, height: usize, width: usize) -> Option<(usize, usize)> {
    let [row, column] = at.as_array()?.as_slice() else { return None };
    let (row, column) = (usize::try_from(row.as_integer()?).ok()?, usize::try_from(column.as_integer()?).ok()?);
    (row < height && column < width).then_some((row, column))
}

/// Returns the images of a drawing in the order of the moves. The cells of the sheet have their own place as offset.
fn images(sheet: Vec<Spot>, at: (usize, usize), turns: bool, mirror: bool) -> Vec<Image> {
    const TURNED: [(&str, (i64, i64)); 4] = [("right", (0, 1)), ("down", (1, 0)), ("left", (0, -1)), ("up", (-1, 0))];
    const MIRRORED: [&str; 4] = ["right mirrored", "down mirrored", "left mirrored", "up mirrored"];
    let mut plain = Vec::new();
    let mut mirrored = Vec::new();
    let mut turned = sheet;
    for (quarters, (direction, forward)) in TURNED.into_iter().enumerate().take(if turns { 4 } else { 1 }) {
        if quarters > 0 {
            // Clockwise: the lowest row becomes the first column.
            let lowest = turned.iter().map(|spot| spot.offset.0).max().unwrap_or(0);
            turned.iter_mut().for_each(|spot| spot.offset = (spot.offset.1, lowest - spot.offset.0));
        }
        plain.push(Image { direction, forward, spots: turned.clone() });
        let mut flipped = turned.clone();
        let last = flipped.iter().map(|spot| spot.offset.1).max().unwrap_or(0);
        flipped.iter_mut().for_each(|spot| spot.offset.1 = last - spot.offset.1);
        let direction = if turns { MIRRORED[quarters] } else { "left" };
        mirrored.push(Image { direction, forward: (forward.0, -forward.1), spots: flipped });
    }
    if mirror {
        plain.append(&mut mirrored);
    }
    for image in &mut plain {
        let named = image.spots.iter().find(|spot| spot.of == at).map_or((0, 0), |spot| spot.offset);
        image.spots.iter_mut().for_each(|spot| spot.offset = (spot.offset.0 - named.0, spot.offset.1 - named.1));
    }
    plain
}

#[cfg(test)]
mod tests {
    use crate::domain::Rules;
    use crate::reference::{Player, RuleBook};

    /// The legal moves at the start of a file with one rule, each with the grid after it, its rows joined by slashes.
    fn moves(start: &str, rule: &str) -> Vec<String> {
        let file = format!(
            "start = '''\n{start}\n'''\ngoal = {{ count = {{ a = 9 }} }}\n\
             [sets]\nNM = 'ab'\n[maps]\nt = {{ c = 'b', b = 'a', 0 = 1, 1 = '0', x = 'N', y = 'yy' }}\n[[rules]]\n{rule}\n"
        );
        let book = RuleBook::read(&file).unwrap_or_else(|why| panic!("{why}\n{file}"));
        let mut player = Player::new(&book);
        let position = player.position().expect("it has positions");
        let play = |written: String| {
            player.set_position(&position);
            player.play(&written).unwrap_or_else(|why| panic!("{written}: {why}\n{file}"));
            format!("{written}: {}", player.draw().trim_end().replace('\n', "/"))
        };
        Player::new(&book).candidates().into_iter().map(play).collect()
    }

    fn one(start: &str, rule: &str) -> String {
        moves(start, &format!("name = 'go {{at}}'\n{rule}")).join(", ")
    }

    #[test]
    fn images_are_turned_first_and_then_mirrored() {
        // An L: two cells down and one to the right of its end.
        let rule = "name = '{direction}'\nfrom = '''\n1.\n1.\n11\n'''\nto = '''\n??\n??\n?2\n'''\nturns = true\nmirror = true\n";
        let images = [
            ("right", "1./1./11"),
            ("down", "111/1.."),
            ("left", "11/.1/.1"),
            ("up", "..1/111"),
            ("right mirrored", ".1/.1/11"),
            ("down mirrored", "111/..1"),
            ("left mirrored", "11/1./1."),
            ("up mirrored", "1../111"),
        ];
        for (direction, start) in images {
            let made = moves(&start.replace('/', "\n"), rule);
            assert_eq!(made.len(), 1, "{made:?}");
            let (name, after) = made[0].split_once(": ").unwrap();
            assert_eq!((name, after.matches('2').count()), (direction, 1));
            // The cell that changes is the end of the short arm.
            let place = after.chars().filter(|c| *c != '/').position(|c| c == '2');
            let expected = [5, 3, 0, 2, 4, 5, 1, 0][images.iter().position(|image| image.0 == direction).unwrap()];
            assert_eq!(place, Some(expected), "{direction}: {after}");
        }
    }

    #[test]
    fn a_slide_goes_the_way_that_its_image_looks() {
        let slide = "name = '{direction}'\nfrom = 'a.'\nto = '.a'\nrepeat = true\n";
        let start = "...\n.a.\n...";
        let all = ["right: .../..a/...", "down: .../.../.a.", "left: .../a../...", "up: .a./.../..."];
        assert_eq!(moves(start, &format!("{slide}turns = true")), all);
        // What is mirrored looks and goes the same ways: no moves of their own.
        assert_eq!(moves(start, &format!("{slide}turns = true\nmirror = true")), all);
        assert_eq!(moves(start, &format!("{slide}mirror = true")), [all[0], all[2]]);
        // In two rows the mirror image of a turn shows the other side.
        let pair = "name = '{direction}'\nfrom = '''\na.\nb.\n'''\nto = '''\n.a\n.b\n'''\nrepeat = true\nturns = true\nmirror = true\n";
        assert_eq!(moves("a..\nb..", pair), ["right: ..a/..b"]);
        assert_eq!(moves("b..\na..", pair), ["left mirrored: ..b/..a"]);
        assert_eq!(moves("ab\n..\n..", pair), ["down mirrored: ../../ab"]);
        assert_eq!(moves("ba\n..\n..", pair), ["down: ../../ba"]);
    }

    #[test]
    fn a_slide_around_the_edge_ends_unless_grid_and_place_come_again() {
        let slide = |start: &str, drawings: &str| one(start, &format!("{drawings}\nedge = 'wrap'\nrepeat = true"));
        let map = "from = '?'\nto = 't'";
        assert_eq!(slide("ccc", map), "go 0,0: aaa, go 0,1: aaa, go 0,2: aaa");
        assert_eq!(slide("c", map), "go 0,0: a");
        assert_eq!(slide("cb\nbc", map), "go 0,0: aa/bc, go 0,1: ba/bc, go 1,0: cb/ab, go 1,1: cb/aa");
        assert_eq!(slide("0", map), "", "it is turned over again and again");
        assert_eq!(slide("01", map), "");
        assert_eq!(slide("a...", "from = 'a.'\nto = '.a'"), "", "it goes around for ever");
        assert_eq!(slide("a..b", "from = 'a.'\nto = '.a'"), "go 0,0: ..ab");
        assert_eq!(slide(".ab.", "from = 'b.'\nto = '.b'"), "go 0,2: ba..");
        assert_eq!(slide("0c", map), "go 0,0: 1a, go 0,1: 0a", "three times around");
        assert_eq!(slide("aaa", "from = 'a'"), "", "nothing changes, for ever");
        assert_eq!(slide("aab", "from = 'a'"), "", "nothing changes");
    }

    #[test]
    fn letters_match_one_symbol_and_maps_change_it() {
        assert_eq!(one("aba", "from = 'NN'\nto = 'cc'"), "");
        assert_eq!(one("aab", "from = 'NN'\nto = 'N.'"), "go 0,0: a.b");
        assert_eq!(one("abc", "from = 'NM'\nto = 'MN'"), "go 0,0: bac");
        assert_eq!(moves("ab", "name = 'go {N}{M}'\nfrom = 'NM'\nto = 'M?'"), ["go ab 0,0: bb"]);
        assert_eq!(
            one("cba01xy", "from = '?'\nto = 't'"),
            "go 0,0: bba01xy, go 0,1: caa01xy, go 0,3: cba11xy, go 0,4: cba00xy"
        );
        assert_eq!(one("bc", "from = 'Nc'\nto = 'tN'"), "go 0,0: ab");
    }

    #[test]
    fn what_is_beyond_an_edge_is_cut_off_or_on_the_other_side() {
        let end = "from = 'Nc'\nto = '.N'\nat = [0, 1]\nedge = ";
        assert_eq!(one("cac", &format!("{end}'fit'")), "go 0,2: c.a");
        assert_eq!(one("cac", &format!("{end}'clip'")), "go 0,2: c.a", "at 0,0 nothing was matched");
        assert_eq!(one("cab", &format!("{end}'wrap'")), "go 0,0: ba.");
        assert_eq!(
            moves("ca", "name = '{N} {0,0} {0,1}'\nfrom = 'Nc'\nto = '?.'\nat = [0, 1]\nedge = 'clip'"),
            ["? 0,-1 0,0: .a"]
        );
        assert_eq!(
            moves("ca", "name = '{N} {0,0} {0,1}'\nfrom = 'Nc'\nto = '?.'\nat = [0, 1]\nedge = 'wrap'"),
            ["a 0,1 0,0: .a"]
        );
        assert_eq!(one("aa", "from = 'aaa'\nto = 'bbb'\nedge = 'wrap'"), "", "it would lie on a cell twice");
        assert_eq!(one("aa", "from = 'a??'\nto = 'b??'\nedge = 'wrap'"), "", "so would it");
        assert_eq!(one("aa", "from = 'aaa'\nto = 'bbb'\nedge = 'clip'"), "go 0,0: bb, go 0,1: ab");
    }

    #[test]
    fn images_and_places_that_do_the_same_are_one_move() {
        let swap = "name = 'go'\nfrom = 'aa'\nto = 'bb'\nturns = true\nmirror = true\n";
        assert_eq!(moves("aa\na.", swap), ["go 0,0 right: bb/a.", "go 0,0 down: ba/b."]);
        assert_eq!(
            moves("aa", "name = 'go'\nfrom = 'aa'\nto = 'b?'\nmirror = true\n"),
            ["go 0,0 right: ba", "go 0,1 left: ab"]
        );
        let at = "name = 'go'\nfrom = '?a?'\nto = '?b?'\nat = [0, 1]\nturns = true\nedge = 'clip'\n";
        assert_eq!(moves("aa", at), ["go 0,0 right: ba", "go 0,1 right: ab"]);
        let far = "name = 'go'\nfrom = 'a????a'\nto = 'b????b'\nat = [0, 2]\nedge = 'clip'\n";
        assert_eq!(moves("...a..", far), ["go 0,0: ...b.."], "at 0,5 the other end does the same");
        let slide = "name = 'go'\nfrom = 'a????a'\nto = 'b????b'\nat = [0, 2]\nedge = 'clip'\nrepeat = true";
        assert_eq!(
            moves("...aa.", slide),
            ["go 0,0: ...bb.", "go 0,1: ...ab.", "go 0,5: ...ba."],
            "one goes on, the other does not"
        );
    }
}
