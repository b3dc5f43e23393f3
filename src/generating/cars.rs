//! Boards of cars in lanes: all of them, component by component, or random sets of cars that are changed.
//!
//! A component counts by its hardest board. The boards are as in Fogleman's enumeration of Rush Hour (2018).

use super::alike::{Images, Symbol};
use super::archive::Archive;
use super::flood::{Flood, Hardest, Set};
use super::judge;
use super::lanes::{Board, Lane, MOST_LANES, Yard};
use super::level::Level;
use super::rounds::{Candidates, Tried};
use crate::diagnostic::Diagnostic;
use crate::document::{Document, Findings, Spanned};
use crate::domain::{Scrambled, SplitMix64};
use crate::puzzle::{Band, Puzzle, Template, Way, edited};
use crate::search::{Limit, Limits};
use parking_lot::Mutex;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// The letters of cars.
const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The columns whose fillings distinguish jobs, so that a job is short: a limit drops those that it ends.
const SPLIT_COLUMNS: usize = 2;

/// The most solved boards of a random set of cars.
const MOST_SOLVED: usize = 20_000;

/// The boards of cars of a template.
pub(super) struct Cars<'a> {
    template: &'a Puzzle,
    wants: &'a Template,
    yard: Yard,
    /// The letter of the car that the goal is for.
    letter: char,
    /// The sets of walls, as cells.
    walls: Vec<u64>,
    /// Without walls: the lanes, which most jobs share.
    open: Arc<[Lane]>,
    /// The walls of the last job, and the lanes with them.
    last: Mutex<(u64, Arc<[Lane]>)>,
    is_complete: bool,
}

impl<'a> Cars<'a> {
    /// Reads the board of a template.
    pub fn of(template: &'a Puzzle, wants: &'a Template) -> Result<Cars<'a>, Vec<Diagnostic>> {
        let lengths = wants.lengths.as_ref().map_or(&[][..], |lengths| &lengths.get_ref()[..]);
        let span = wants.lengths.as_ref().map_or(0..0, Spanned::span);
        let refused = |span: Range<usize>, message: &str, help: &str| {
            Err(vec![Diagnostic::at(span, message.to_owned()).help(help.to_owned())])
        };
        let text = template.file_text();
        let document = Document::parse(&text)?;
        let findings = Findings::default();
        let keys = document.keys(&findings);
        let word = |key: &str| keys.take::<String>(key).unwrap_or_default();
        let is_lengthwise = word("moves") == "lengthwise" && matches!(&*word("metric"), "" | "slide");
        if template.domain().name != "klotski" || !is_lengthwise || keys.node("pieces").is_some() {
            let help = "write `domain = \"klotski\"`, `moves = \"lengthwise\"` and the metric `slide`";
            return refused(span, "`lengths` is for boards of cars that slide lengthwise", help);
        }
        let rows = |drawing: &str| -> Vec<Vec<char>> {
            drawing.trim().lines().map(|row| row.trim().chars().collect()).collect()
        };
        let (start, goal) = (rows(&word("start")), rows(&word("goal")));
        let (height, width) = (start.len(), start.first().map_or(0, Vec::len));
        let is_bare = !start.iter().flatten().any(|cell| matches!(cell, '#' | '=')) && keys.node("walls").is_none();
        if height + width > MOST_LANES || height * width > 64 || height * width == 0 || !is_bare {
            let help = "draw at most 8x8 cells, without walls and gates: `walls = [0, 2]` in `[generate]` varies walls";
            return refused(keys.span("start").unwrap_or(span), "this board is not one of cars in open lanes", help);
        }
        let cells: Vec<(usize, usize, char)> = goal
            .iter()
            .enumerate()
            .flat_map(|(row, cells)| {
                cells
                    .iter()
                    .enumerate()
                    .filter(|(_, cell)| !".#=".contains(**cell))
                    .map(move |(column, cell)| (row, column, *cell))
            })
            .collect();
        let is_one =
            cells.windows(2).all(|pair| pair[0].0 == pair[1].0 && pair[0].1 + 1 == pair[1].1 && pair[0].2 == pair[1].2);
        let Some(&(row, column, letter)) = cells.first().filter(|_| is_one && cells.len() < width) else {
            return refused(
                keys.span("goal").unwrap_or(span),
                "the goal is not one horizontal car",
                "draw one car, as in `....AA`",
            );
        };
        if lengths.is_empty() || lengths.iter().any(|length| !(2..=8).contains(length)) {
            return refused(span, "invalid value for `lengths`", "name lengths from 2 to 8, as in `[2, 3]`");
        }
        let lengths: BTreeSet<usize> = lengths.iter().copied().collect();
        let yard = Yard {
            rows: height,
            columns: width,
            lengths: lengths.into_iter().collect(),
            goal: (row, cells.len(), column),
        };
        let band = wants.walls.as_ref().map_or(Band { least: 0.0, most: 0.0 }, |band| *band.get_ref());
        if band.most > 4.0 {
            let span = wants.walls.as_ref().map_or(span, Spanned::span);
            return refused(span, "too many walls", "vary at most 4 walls");
        }
        let open: Arc<[Lane]> = yard.lanes(0).into();
        if open.iter().flat_map(|lane| &lane.fillings).any(|filling| !filling.fits()) {
            return refused(span, "a lane has too many placements of its cars", "name longer cars or draw fewer cells");
        }
        let is_complete = wants.way.as_ref().is_some_and(|way| *way.get_ref() == Way::Enumeration);
        let walls = wall_sets(height * width, band);
        let last = Mutex::new((0, Arc::clone(&open)));
        Ok(Cars { template, wants, yard, letter, walls, open, last, is_complete })
    }

    /// Returns the lanes whose fillings distinguish jobs: all rows but the goal's, and the first columns.
    fn split(&self) -> impl DoubleEndedIterator<Item = usize> {
        let goal = self.yard.goal.0;
        (0..self.yard.rows + SPLIT_COLUMNS.min(self.yard.columns)).filter(move |row| *row != goal)
    }

    /// Returns the number of jobs for a set of walls.
    fn orders(&self) -> u64 {
        self.split().map(|lane| self.open[lane].fillings.len() as u64).product()
    }

    /// Returns the lanes with these walls. Jobs in a row have the same ones.
    fn lanes(&self, walls: u64) -> Arc<[Lane]> {
        let mut last = self.last.lock();
        if last.0 != walls {
            *last = (walls, self.yard.lanes(walls).into());
        }
        Arc::clone(&last.1)
    }

    /// Returns the solved board with no other cars, if the walls leave one.
    fn solved(&self, lanes: &[Lane], walls: u64) -> Option<Board> {
        let goal = lanes[self.yard.goal.0].fillings.first()?;
        let placement = goal.placements.iter().position(|cells| *cells == self.yard.goal_cells())?;
        Some(Board { key: goal.key(placement), cells: walls | self.yard.goal_cells() })
    }

    /// Looks at all components of one set of cars, whose solved boards are these.
    fn look(&self, set: &Set, solved: &[Board], flood: &mut Flood, tried: &mut Tried) {
        for hardest in flood.hardest(set, solved) {
            tried.count += 1;
            let is_wanted =
                hardest.distance > 0 && self.wants.states.is_none_or(|most| u64::from(hardest.states) <= most);
            if !is_wanted {
                continue;
            }
            let cost = f64::from(hardest.distance);
            let away = self.wants.cost.map_or(0.0, |band| band.distance(cost));
            if self.wants.needed && (away == 0.0 || self.is_complete) && !flood.is_minimal(set, hardest) {
                continue;
            }
            let lacks = self.wants.cost.filter(|_| away > 0.0).map_or(String::new(), |band| {
                format!("its least cost is {cost}, not from {} to {}", band.least, band.most)
            });
            let gap = if away > 0.0 { 2.0 + away / (away + cost) } else { 0.0 };
            let board = self.drawing(set, hardest);
            let (cost, rating, whole) = (Some(cost), None, None);
            tried.levels.push((Level { board, whole, cost, rating, branching: 0.0, dead: 0.0, gap, lacks }, None));
        }
    }

    /// Calls `visit` with each choice of the fillings of some lanes and the solved boards with them.
    fn fill(
        &self,
        set: &mut Set,
        lanes: &[usize],
        solved: &[Board],
        visit: &mut dyn FnMut(&Set, &[Board]) -> bool,
    ) -> bool {
        let Some((&lane, rest)) = lanes.split_first() else { return visit(set, solved) };
        for number in 0..set.lanes[lane].fillings.len() {
            let more = with(&set.lanes[lane], number, solved);
            set.fillings[lane] = number;
            if !more.is_empty() && !self.fill(set, rest, &more, visit) {
                return false;
            }
        }
        set.fillings[lane] = 0;
        true
    }

    /// Looks at all sets of cars with one choice of the fillings of some lanes.
    fn all(&self, job: u64, limits: &Limits) -> Result<Tried, Limit> {
        let mut tried = Tried { count: 0, levels: Vec::new() };
        let orders = self.orders();
        let Some(&walls) = self.walls.get((job / orders) as usize) else { return Ok(tried) };
        let lanes = &*self.lanes(walls);
        let Some(board) = self.solved(lanes, walls) else { return Ok(tried) };
        let mut set = Set { yard: &self.yard, lanes, fillings: vec![0; lanes.len()], walls };
        let (mut number, mut solved) = (job % orders, vec![board]);
        for lane in self.split().rev() {
            let count = self.open[lane].fillings.len() as u64;
            let filling = (number % count) as usize;
            number /= count;
            // With walls, a lane has fewer fillings.
            if filling >= lanes[lane].fillings.len() {
                return Ok(tried);
            }
            set.fillings[lane] = filling;
        }
        for lane in self.split() {
            solved = with(&lanes[lane], set.fillings[lane], &solved);
        }
        if solved.is_empty() {
            return Ok(tried);
        }
        let (mut flood, stop) = (Flood::default(), limits.stop());
        let columns: Vec<usize> = (self.yard.rows + SPLIT_COLUMNS..lanes.len()).collect();
        let mut limit = None;
        self.fill(&mut set, &columns, &solved, &mut |set, solved| {
            self.look(set, solved, &mut flood, &mut tried);
            limit = stop.check_cheap();
            limit.is_none()
        });
        limit.map_or(Ok(tried), Err)
    }

    /// Looks at one random set of cars: a new one, or one that differs in few lanes from one of the best.
    fn random(&self, archive: &Archive, random: &mut SplitMix64) -> Tried {
        let mut tried = Tried { count: 1, levels: Vec::new() };
        let below = |random: &mut SplitMix64, end: usize| random.below(end.max(1) as u64) as usize;
        let parent = if random.below(16) == 0 { None } else { archive.draw(random) };
        let walls = match parent {
            Some(level) if random.below(8) > 0 => self.walls_of(&level.board),
            _ => self.walls[below(random, self.walls.len())],
        };
        let lanes = self.yard.lanes(walls);
        let Some(board) = self.solved(&lanes, walls) else { return tried };
        let mut fillings = match parent {
            Some(level) => self.fillings_of(&level.board, &lanes),
            None => vec![0; lanes.len()],
        };
        let changes = if parent.is_some() { 1 + below(random, 3) } else { self.yard.rows + self.yard.columns };
        for _ in 0..changes {
            let lane = below(random, lanes.len());
            fillings[lane] = below(random, lanes[lane].fillings.len());
        }
        let mut solved = vec![board];
        for (lane, &number) in fillings.iter().enumerate().filter(|(lane, _)| *lane != self.yard.goal.0) {
            solved = with(&lanes[lane], number, &solved);
            if solved.is_empty() || solved.len() > MOST_SOLVED {
                return tried;
            }
        }
        let set = Set { yard: &self.yard, lanes: &lanes, fillings, walls };
        self.look(&set, &solved, &mut Flood::default(), &mut tried);
        // Of one set, the components are alike.
        tried.levels.sort_by(|(one, _), (other, _)| {
            one.gap.total_cmp(&other.gap).then(other.cost.partial_cmp(&one.cost).unwrap_or(std::cmp::Ordering::Equal))
        });
        tried.levels.truncate(1);
        for (level, key) in &mut tried.levels {
            *key = self.images(&level.board).map(|images| images.key());
        }
        tried
    }

    /// Returns the drawing of a board, with letters in the order of reading.
    fn drawing(&self, set: &Set, hardest: Hardest) -> String {
        let mut cars: Vec<Vec<usize>> = Vec::new();
        for (lane, &number) in set.lanes.iter().zip(&set.fillings) {
            let filling = &lane.fillings[number];
            let cells = filling.placements[filling.placement(hardest.board.key)];
            let mut taken = lane.cells.iter().copied().filter(|cell| cells >> cell & 1 != 0);
            cars.extend(filling.cars.iter().map(|&length| taken.by_ref().take(length).collect::<Vec<_>>()));
        }
        cars.sort();
        let goal = self.yard.goal.0;
        let is_goal = |car: &[usize]| car.iter().all(|cell| cell / self.yard.columns == goal);
        let mut letters = LETTERS.chars().filter(|letter| *letter != self.letter);
        let wall = |cell| if set.walls >> cell & 1 != 0 { '#' } else { '.' };
        let mut drawing: Vec<char> = (0..self.yard.rows * self.yard.columns).map(wall).collect();
        for car in cars {
            let letter = if is_goal(&car) { self.letter } else { letters.next().unwrap_or('0') };
            car.iter().for_each(|&cell| drawing[cell] = letter);
        }
        let rows: Vec<String> = drawing.chunks(self.yard.columns).map(|row| row.iter().collect()).collect();
        rows.join("\n")
    }

    /// Returns the cells of walls of a drawing.
    fn walls_of(&self, drawing: &str) -> u64 {
        let cells = drawing.chars().filter(|cell| *cell != '\n').enumerate();
        cells.filter(|(_, cell)| *cell == '#').fold(0, |walls, (cell, _)| walls | 1 << cell)
    }

    /// Returns the fillings of a drawing, empty where these lanes have no such filling.
    fn fillings_of(&self, drawing: &str, lanes: &[Lane]) -> Vec<usize> {
        let cells: Vec<char> = drawing.chars().filter(|cell| *cell != '\n').collect();
        let filling = |lane: &Lane| {
            let row: Vec<char> = lane.cells.iter().map(|cell| cells[*cell]).collect();
            let cars = row.chunk_by(|one, next| one == next).filter(|car| car.len() > 1 && !".#".contains(car[0]));
            let cars: Vec<usize> = cars.map(<[char]>::len).collect();
            lane.fillings.iter().position(|filling| filling.cars == cars).unwrap_or(0)
        };
        lanes.iter().map(filling).collect()
    }
}

impl Candidates for Cars<'_> {
    fn rounds(&self) -> Option<u64> {
        self.is_complete.then(|| (self.orders() * self.walls.len() as u64).div_ceil(self.batch()))
    }

    fn batch(&self) -> u64 {
        // Jobs of the complete enumeration may take seconds.
        if self.is_complete { 4 } else { 16 }
    }

    fn make(&self, job: u64, archive: &Archive, random: &mut SplitMix64, limits: &Limits) -> Result<Tried, Limit> {
        let mut tried = if self.is_complete { self.all(job, limits)? } else { self.random(archive, random) };
        if self.wants.unique || self.wants.solutions.is_some() || self.wants.rating.is_some() {
            let mut levels = Vec::new();
            for (level, key) in tried.levels {
                if level.gap > 0.0 {
                    levels.push((level, key));
                    continue;
                }
                let Ok(puzzle) = self.template.reread(self.text(&level.board), limits) else { continue };
                let judged = judge::judge(self.wants, None, || Some(&puzzle), || level.board.clone(), limits)?;
                levels.extend(judged.map(|level| (level, key)));
            }
            tried.levels = levels;
        }
        Ok(tried)
    }

    fn text(&self, board: &str) -> String {
        let keys = format!("start = \"\"\"\n{board}\n\"\"\"");
        edited(&self.template.file_text(), &Scrambled { replaced: &["start"], keys }, self.template.title())
    }

    fn images(&self, board: &str) -> Option<Images> {
        let cells = board.chars().filter(|cell| *cell != '\n').map(|cell| cell as u16).collect();
        Some(Images::of(&[cells], self.yard.columns, &|_, cell| match u8::try_from(cell) {
            Ok(b'.') => Symbol::Empty,
            Ok(b'#') => Symbol::Other,
            _ => Symbol::Name,
        }))
    }
}

/// Returns the boards with the cars of one more lane.
fn with(lane: &Lane, filling: usize, boards: &[Board]) -> Vec<Board> {
    let filling = &lane.fillings[filling];
    let mut all = Vec::new();
    for board in boards {
        for (number, &cells) in filling.placements.iter().enumerate() {
            if board.cells & cells == 0 {
                all.push(Board { key: board.key | filling.key(number), cells: board.cells | cells });
            }
        }
    }
    all
}

/// Returns the sets of walls, as cells: few walls first.
fn wall_sets(cells: usize, band: Band) -> Vec<u64> {
    let mut sets = vec![0_u64];
    let mut all = Vec::new();
    for count in 0..=band.most as u32 {
        if f64::from(count) >= band.least {
            all.extend(&sets);
        }
        let next = |set: &u64| {
            let set = *set;
            let from = 64 - set.leading_zeros() as usize;
            (from..cells).map(move |cell| set | 1 << cell)
        };
        sets = sets.iter().flat_map(next).collect();
    }
    all
}
