//! Drawings of rules: their images, their places on the grid, matching and effects.
//!
//! A drawing is rotated and reflected like a sheet of paper, cell by cell. The places where its images may lie do not
//! depend on the position, so they are computed once.

use super::Read;
use super::expression::Matched;
use super::obstacle::Obstacle;
use super::value::Value;
use super::world::World;
use crate::domain::Trace;
use std::collections::{HashMap, HashSet};
use toml::{Table, Value as Toml};

/// Splits a drawing into rows of characters, all of the same width.
///
/// # Errors
/// It is empty, its rows differ in width, or it contains white space.
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
    /// The anchor, the cell whose place names a move: its row and column in the file's drawing.
    pub at: (usize, usize),
    /// In the order of the moves.
    pub images: Vec<Image>,
    edge: Edge,
    repeat: bool,
    /// The set letters in `from`, with the symbols that they match.
    letters: Vec<(char, Vec<u32>)>,
    /// The maps in `to`, from symbol to symbol.
    maps: Vec<(char, HashMap<u32, u32>)>,
    /// The places where it is tried, in the order of the moves.
    pub places: Vec<Place>,
    /// For each cell and image, the ground pattern; `None` if the image cannot lie there in any position.
    grounded: Vec<Option<Vec<GroundedCell>>>,
}

/// An image of a drawing: rotated, then possibly reflected.
#[derive(Debug)]
pub(super) struct Image {
    pub direction: &'static str,
    /// The offset of one step in its direction, down and to the right.
    forward: (i64, i64),
    /// The cells, in the order of the file's drawing.
    spots: Vec<PatternCell>,
}

/// A cell of an image.
#[derive(Clone, Debug)]
struct PatternCell {
    /// Its row and column in the file's drawing.
    of: (usize, usize),
    /// Its offset from the anchor, down and to the right.
    offset: (i64, i64),
    from: From,
    to: To,
    on: Option<char>,
}

/// An image with its anchor on a cell of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub image: usize,
    pub cell: usize,
}

/// A cell of the grid under an image, with its precondition and effect.
type GroundedCell = (usize, From, To);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum From {
    Anything,
    Symbol(u32),
    /// One of the symbols of the letter with this index.
    Letter(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum To {
    Same,
    Symbol(u32),
    /// The symbol that the letter with this index matched.
    Letter(usize),
    /// The image of the old symbol under the map with this index.
    Map(usize),
}

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
    /// Reads the drawing of a rule; `None` if it has none.
    ///
    /// # Errors
    /// The first part that cannot be read.
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
            grounded: Vec::new(),
        };
        let mut pattern = Vec::new();
        let character = |rows: &Option<Vec<Vec<char>>>, row: usize, column: usize| {
            rows.as_ref().map_or('?', |rows| rows[row][column])
        };
        let cells = || (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
        let preconditions: Vec<From> =
            cells().map(|(row, column)| drawing.from(character(&from, row, column), world)).collect::<Read<_>>()?;
        for (number, (row, column)) in cells().enumerate() {
            pattern.push(PatternCell {
                of: (row, column),
                offset: (row as i64, column as i64),
                from: preconditions[number],
                to: drawing.to(character(&to, row, column), world)?,
                on: Some(character(&on, row, column)).filter(|mark| *mark != '?'),
            });
        }
        drawing.images = images(pattern, at, is_set(keys, "turns")?, is_set(keys, "mirror")?);
        drawing.ground_everywhere(world);
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
            self.letters.push((character, world.denoted_symbols(character)));
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

    /// Places each image on each cell. Images with the same preconditions and effects on the same cells are one move,
    /// and only the first is tried. With `repeat` they must agree at every step and in the direction. Marks never
    /// change, so they are not compared. Images that cannot lie at a place are tried too, to report why.
    fn ground_everywhere(&mut self, world: &World) {
        // For each cell and image, the number of its equivalence class for a single step.
        let mut numbers = HashMap::new();
        let mut classes = Vec::new();
        for cell in 0..world.cells() {
            for image in &self.images {
                let grounded = self.ground_image(image, cell, world);
                classes.push(grounded.clone().map(|mut grounded| {
                    grounded.sort_unstable();
                    let next = numbers.len();
                    *numbers.entry(grounded).or_insert(next)
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
                if steps.is_empty() || known.insert((steps, self.repeat.then_some(image.forward))) {
                    self.places.push(Place { image: number, cell });
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
        (!is_folded).then_some(grounded)
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

    /// Applies the drawing once; `None` if it does not fit.
    fn apply_once(&self, place: Place, cells: &Trace) -> Option<Changes> {
        let grounded = self.grounded(place)?;
        let mut matched = vec![None; self.letters.len()];
        for (cell, from, _) in grounded {
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
        for (cell, _, to) in grounded {
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
        let first = self.apply_once(place, cells).ok_or(None)?;
        if self.repeat { self.slide(place, first, cells, world).ok_or(Some(Endless)) } else { Ok(first) }
    }

    /// Continues a slide after its first step; `None` if it is endless.
    ///
    /// The grid and the place determine a step, so the slide is endless exactly if both recur. Brent's algorithm (1980)
    /// detects that: each step is compared with an earlier one, which is replaced after twice as many steps each time.
    fn slide(&self, mut place: Place, first: Changes, cells: &Trace, world: &World) -> Option<Changes> {
        let forward = self.images[place.image].forward;
        let mut grid = cells.clone();
        apply_changes(first, &mut grid);
        let (mut before, mut steps, mut until) = ((place, grid.clone()), 0_u64, 1_u64);
        while let Some(cell) = self.cell_at(forward, place.cell, world) {
            let Some(changes) = self.apply_once(Place { cell, ..place }, &grid) else { break };
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
        let changed = (0..).zip(cells.values()).zip(grid.values()).filter(|((_, before), after)| before != after);
        Some(changed.map(|((cell, _), &after)| (cell, after)).collect())
    }

    /// Returns why the drawing does not fit at a place, if it does not.
    pub fn obstacle(&self, place: Place, cells: &Trace, world: &World) -> Option<Obstacle> {
        let image = &self.images[place.image];
        let under = |spot: &PatternCell| self.cell_at(spot.offset, place.cell, world);
        let mut covered: Vec<usize> = image.spots.iter().filter_map(under).collect();
        covered.sort_unstable();
        if covered.windows(2).any(|two| two[0] == two[1]) {
            return Some(Obstacle::Overlap);
        }
        let mut matched = vec![None; self.letters.len()];
        for (passed, spot) in image.spots.iter().enumerate() {
            let Some(cell) = under(spot) else {
                if self.edge == Edge::Clip {
                    continue;
                }
                return Some(Obstacle::OffGrid { passed });
            };
            let (there, at) = (cells[cell], self.target_place(spot.offset, place.cell, world));
            let stands = |wanted: String| {
                let there = world.value(there).to_string();
                Some(Obstacle::WrongSymbol { passed, place: at, there, wanted })
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
                return Some(Obstacle::WrongMark { passed, place: at, there: mark, wanted });
            }
        }
        self.apply_once(place, cells).is_none().then_some(Obstacle::Undefined)
    }

    /// Returns the set letters in `from`.
    pub fn letters(&self) -> impl Iterator<Item = char> {
        self.letters.iter().map(|(letter, _)| *letter)
    }

    /// Returns the set letters in `from`, each with the symbol that it matches at a place.
    pub fn all_matched(&self, place: Place, cells: &Trace, world: &World) -> Vec<Matched> {
        let letters = self.letters().enumerate();
        letters.map(|(number, letter)| (letter, self.matched(number, place, cells, world))).collect()
    }

    /// Returns the symbol that a letter matches: that on its first cell on the grid.
    fn matched(&self, letter: usize, place: Place, cells: &Trace, world: &World) -> Option<u32> {
        let mut spots = self.images[place.image].spots.iter().filter(|spot| spot.from == From::Letter(letter));
        spots.find_map(|spot| self.cell_at(spot.offset, place.cell, world)).map(|cell| cells[cell])
    }

    /// Returns the row and the column on the grid of a cell of the drawing.
    pub fn place_of(&self, of: (usize, usize), place: Place, world: &World) -> Option<(i64, i64)> {
        let spot = self.images[place.image].spots.iter().find(|spot| spot.of == of)?;
        Some(self.target_place(spot.offset, place.cell, world))
    }

    /// Returns whether the file's drawing has this cell.
    pub fn has(&self, of: (usize, usize)) -> bool {
        self.images[0].spots.iter().any(|spot| spot.of == of)
    }
}

/// The error of a slide without an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Endless;

/// Applies changes.
fn apply_changes(changes: Changes, grid: &mut Trace) {
    for (cell, symbol) in changes {
        grid[cell] = symbol;
    }
}

/// Reads a key that is `true` or `false`; the default is `false`.
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

/// Returns the images of a drawing in the order of the moves. The offsets of the pattern's cells are their places in
/// it.
fn images(pattern: Vec<PatternCell>, at: (usize, usize), turns: bool, mirror: bool) -> Vec<Image> {
    const TURNED: [(&str, (i64, i64)); 4] = [("right", (0, 1)), ("down", (1, 0)), ("left", (0, -1)), ("up", (-1, 0))];
    const MIRRORED: [&str; 4] = ["right mirrored", "down mirrored", "left mirrored", "up mirrored"];
    let mut plain = Vec::new();
    let mut mirrored = Vec::new();
    let mut turned = pattern;
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

    /// Returns the legal moves at the start of a file with one rule, each with the resulting grid, its rows joined by
    /// slashes.
    fn moves(start: &str, rule: &str) -> Vec<String> {
        let file = format!(
            "start = '''\n{start}\n'''\ngoal = {{ count = {{ a = 9 }} }}\n\
             [sets]\nNM = 'ab'\n[maps]\nt = {{ c = 'b', b = 'a', 0 = 1, 1 = '0', x = 'N', y = 'yy' }}\n[[rules]]\n{rule}\n"
        );
        let book = RuleBook::read(&file).unwrap_or_else(|why| panic!("{why}\n{file}"));
        let mut player = Player::new(&book);
        let position = player.position().expect("the player has a position");
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
    fn images_are_rotated_first_and_then_reflected() {
        // An L-shaped pattern of four cells.
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
    fn a_slide_follows_the_direction_of_its_image() {
        let slide = "name = '{direction}'\nfrom = 'a.'\nto = '.a'\nrepeat = true\n";
        let start = "...\n.a.\n...";
        let all = ["right: .../..a/...", "down: .../.../.a.", "left: .../a../...", "up: .a./.../..."];
        assert_eq!(moves(start, &format!("{slide}turns = true")), all);
        // A reflected image with the same effect in the same direction is no move of its own.
        assert_eq!(moves(start, &format!("{slide}turns = true\nmirror = true")), all);
        assert_eq!(moves(start, &format!("{slide}mirror = true")), [all[0], all[2]]);
        // With two rows, rotated and reflected images differ.
        let pair = "name = '{direction}'\nfrom = '''\na.\nb.\n'''\nto = '''\n.a\n.b\n'''\nrepeat = true\nturns = true\nmirror = true\n";
        assert_eq!(moves("a..\nb..", pair), ["right: ..a/..b"]);
        assert_eq!(moves("b..\na..", pair), ["left mirrored: ..b/..a"]);
        assert_eq!(moves("ab\n..\n..", pair), ["down mirrored: ../../ab"]);
        assert_eq!(moves("ba\n..\n..", pair), ["down: ../../ba"]);
    }

    #[test]
    fn a_wrapping_slide_ends_unless_grid_and_place_recur() {
        let slide = |start: &str, drawings: &str| one(start, &format!("{drawings}\nedge = 'wrap'\nrepeat = true"));
        let map = "from = '?'\nto = 't'";
        assert_eq!(slide("ccc", map), "go 0,0: aaa, go 0,1: aaa, go 0,2: aaa");
        assert_eq!(slide("c", map), "go 0,0: a");
        assert_eq!(slide("cb\nbc", map), "go 0,0: aa/bc, go 0,1: ba/bc, go 1,0: cb/ab, go 1,1: cb/aa");
        assert_eq!(slide("0", map), "", "the cell toggles for ever");
        assert_eq!(slide("01", map), "");
        assert_eq!(slide("a...", "from = 'a.'\nto = '.a'"), "", "the slide never stops");
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
    fn cells_beyond_an_edge_are_clipped_or_wrapped() {
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
        assert_eq!(one("aa", "from = 'aaa'\nto = 'bbb'\nedge = 'wrap'"), "", "the pattern would overlap itself");
        assert_eq!(one("aa", "from = 'a??'\nto = 'b??'\nedge = 'wrap'"), "", "so would this pattern");
        assert_eq!(one("aa", "from = 'aaa'\nto = 'bbb'\nedge = 'clip'"), "go 0,0: bb, go 0,1: ab");
    }

    #[test]
    fn equal_images_and_places_are_one_move() {
        let swap = "name = 'go'\nfrom = 'aa'\nto = 'bb'\nturns = true\nmirror = true\n";
        assert_eq!(moves("aa\na.", swap), ["go 0,0 right: bb/a.", "go 0,0 down: ba/b."]);
        assert_eq!(
            moves("aa", "name = 'go'\nfrom = 'aa'\nto = 'b?'\nmirror = true\n"),
            ["go 0,0 right: ba", "go 0,1 left: ab"]
        );
        let at = "name = 'go'\nfrom = '?a?'\nto = '?b?'\nat = [0, 1]\nturns = true\nedge = 'clip'\n";
        assert_eq!(moves("aa", at), ["go 0,0 right: ba", "go 0,1 right: ab"]);
        let far = "name = 'go'\nfrom = 'a????a'\nto = 'b????b'\nat = [0, 2]\nedge = 'clip'\n";
        assert_eq!(moves("...a..", far), ["go 0,0: ...b.."], "at 0,5 the other end has the same effect");
        let slide = "name = 'go'\nfrom = 'a????a'\nto = 'b????b'\nat = [0, 2]\nedge = 'clip'\nrepeat = true";
        assert_eq!(
            moves("...aa.", slide),
            ["go 0,0: ...bb.", "go 0,1: ...ab.", "go 0,5: ...ba."],
            "one slide goes on, the other does not"
        );
    }
}
