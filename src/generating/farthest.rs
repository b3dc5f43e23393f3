//! The farthest start of a whole space, and starts from walks backwards.

use super::alike::{self, Images};
use super::archive::Archive;
use super::judge;
use super::rounds::{Candidates, Tried};
use crate::domain::{SplitMix64, Style};
use crate::editing::{Canvas, CellSymbol, Place};
use crate::puzzle::{NoBoards, Options, Puzzle, Template, edited};
use crate::search::{Limit, Limits};

/// The costs of boards of a range that one job draws, and those it draws without a range.
const COSTS: u64 = 3;
const ANY_COST: (f64, f64) = (4.0, 20.0);

/// Returns the cells of the position that is farthest from a goal, and its puzzle; `None` if the space is too large, or
/// if the position cannot be drawn as a start.
pub(super) fn farthest(puzzle: &Puzzle, limits: &Limits) -> Result<Option<(Vec<String>, Puzzle)>, Limit> {
    let found = puzzle.explore(limits).found;
    if let Some(limit @ (Limit::Time | Limit::Interrupt | Limit::Memory)) = found.limit {
        return Err(limit);
    }
    let (None, Some(hardest), Ok(mut canvas)) = (found.limit, found.hardest, Canvas::of(puzzle)) else {
        return Ok(None);
    };
    let drawing = hardest.example.last(Style::Plain);
    let has_words = canvas.drawings().next().is_some_and(|drawn| drawn.has_words);
    let cells: Vec<String> = match has_words {
        true => drawing.split_whitespace().map(str::to_owned).collect(),
        false => drawing.chars().filter(|cell| *cell != '\n').map(String::from).collect(),
    };
    if cells.len() != canvas.rows() * canvas.columns() {
        return Ok(None);
    }
    for (cell, text) in cells.iter().enumerate() {
        let Some(CellSymbol { symbol, .. }) = canvas.symbol_of(0, text) else { return Ok(None) };
        canvas.set(Place { sheet: 0, cell }, CellSymbol { sheet: 0, symbol });
    }
    Ok(canvas.open(limits).ok().map(|puzzle| (cells, puzzle)))
}

/// The template itself from its farthest start.
pub(super) struct Farthest<'a> {
    pub template: &'a Puzzle,
    pub wants: &'a Template,
}

impl Candidates for Farthest<'_> {
    fn rounds(&self) -> Option<u64> {
        Some(1)
    }

    fn batch(&self) -> u64 {
        1
    }

    fn make(&self, _job: u64, _archive: &Archive, _random: &mut SplitMix64, limits: &Limits) -> Result<Tried, Limit> {
        let limits = Limits { nodes: self.wants.states, ..limits.clone() };
        let found = farthest(self.template, &limits)?;
        let judged = match found {
            Some((_, puzzle)) => {
                judge::judge(self.wants, None, || Some(&puzzle), || puzzle.file_text().into_owned(), &limits)?
            }
            None => None,
        };
        Ok(Tried { count: 1, levels: judged.map(|level| (level, None)).into_iter().collect() })
    }

    fn text(&self, board: &str) -> String {
        board.to_owned()
    }

    fn images(&self, board: &str) -> Option<Images> {
        images(self.template, board)
    }
}

/// Random starts of a template, reached backwards from its goal where its moves can be made so.
pub(super) struct Reverse<'a> {
    pub template: &'a Puzzle,
    pub wants: &'a Template,
    /// The moves from the template's start to a goal, from which walks go backwards; `None` for a domain that draws boards
    /// from the goal by itself, and for walks onwards where there are no others.
    pub to_goal: Option<Vec<String>>,
}

impl<'a> Reverse<'a> {
    /// Finds out how starts can be reached.
    ///
    /// # Errors
    /// Why moves cannot be made backwards.
    pub fn of(template: &'a Puzzle, wants: &'a Template) -> Result<Reverse<'a>, String> {
        let limits = judge::limits_of(wants, &Limits::default());
        if let Ok(Some(_)) = template.scrambled(Some(1), 0, &limits) {
            return Ok(Reverse { template, wants, to_goal: None });
        }
        let solution = template.solve(&Options { limits: limits.clone(), ignores_file: true, ..Options::default() });
        let solution = solution.ok().filter(|solution| solution.route().is_some());
        let solution =
            solution.ok_or("no goal is known to begin at: the template itself has no solution that is found soon")?;
        let to_goal = solution.moves();
        if let Ok(found) = template.retreated(&to_goal, 1, 0, &limits) {
            found?;
        }
        Ok(Reverse { template, wants, to_goal: Some(to_goal) })
    }

    /// Judges a start after a random number of moves backwards.
    fn retreat(&self, to_goal: &[String], random: &mut SplitMix64, limits: &Limits) -> Result<Tried, Limit> {
        let (least, most) = self.wants.cost.map_or(ANY_COST, |band| (band.least, band.most));
        // A start may be nearer than the walk is long.
        let moves = least as u64 + random.below(3 * most.max(1.0) as u64);
        let start = self.template.retreated(to_goal, moves as u32, random.below(1 << 63), limits)?;
        let mut tried = Tried { count: 1, levels: Vec::new() };
        let Some(start) = start.ok().flatten() else { return Ok(tried) };
        let text = edited(&self.template.file_text(), &start, self.template.title());
        let Ok(puzzle) = self.template.reread(text.clone(), limits) else { return Ok(tried) };
        let level = judge::judge(self.wants, None, || Some(&puzzle), || text, limits)?;
        tried.levels.extend(level.map(|level| (level, Some(key_of(&puzzle)))));
        Ok(tried)
    }
}

/// Returns the images of the drawing of a file, if it has one.
fn images(template: &Puzzle, text: &str) -> Option<Images> {
    let puzzle = template.reread(text.to_owned(), &Limits::default()).ok()?;
    images_of(&puzzle)
}

fn images_of(puzzle: &Puzzle) -> Option<Images> {
    Canvas::of(puzzle).ok().map(|canvas| Images::of_canvas(&canvas, canvas.cells()))
}

/// Returns a key that is equal for puzzles that are alike. Without a drawing that can be edited, those with the same start
/// are.
fn key_of(puzzle: &Puzzle) -> u64 {
    let start = || alike::hash(puzzle.draw(Style::Plain).bytes().map(u64::from));
    images_of(puzzle).map_or_else(start, |images| images.key())
}

impl Candidates for Reverse<'_> {
    fn batch(&self) -> u64 {
        8
    }

    fn make(&self, _job: u64, _archive: &Archive, random: &mut SplitMix64, limits: &Limits) -> Result<Tried, Limit> {
        if let Some(to_goal) = &self.to_goal {
            return self.retreat(to_goal, random, limits);
        }
        let (least, most) = self.wants.cost.map_or(ANY_COST, |band| (band.least, band.most));
        let (least, most) = (least.ceil().max(1.0) as u64, most as u64);
        let costs: Vec<u32> =
            (0..COSTS).map(|_| (least + random.below(most.saturating_sub(least) + 1)) as u32).collect();
        let boards = match self.template.random_boards(&costs, random.below(1 << 63), limits) {
            Ok(boards) => boards,
            Err(NoBoards::Limit(limit)) => return Err(limit),
            Err(NoBoards::Refused(_)) => Vec::new(),
        };
        let mut tried = Tried { count: COSTS, levels: Vec::new() };
        for board in boards {
            let level = judge::judge(self.wants, None, || Some(&board.puzzle), || board.text.clone(), limits)?;
            tried.levels.extend(level.map(|level| (level, Some(key_of(&board.puzzle)))));
        }
        Ok(tried)
    }

    fn text(&self, board: &str) -> String {
        board.to_owned()
    }

    fn images(&self, board: &str) -> Option<Images> {
        images(self.template, board)
    }
}
