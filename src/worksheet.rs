//! Worksheets: exercises in search for paper and pencil, made from puzzles, with their answers.
//!
//! A kind of exercise is a file here with a constant. All kinds look at a puzzle through [`Material`], and none knows a
//! domain: what cannot be asked about a puzzle is left out, with the reason. Every answer is computed by the engine.

mod estimate;
mod html;
mod iteration;
mod json;
mod markdown;
mod next;
mod record;
mod solvable;
mod solve;

use crate::domain::Searchable;
use crate::output_format::{Formats, OutputFormat};
use crate::picture::Picture;
use crate::puzzle::{Puzzle, Style};
use crate::search::Limits;

/// A sheet of exercises.
pub struct Worksheet {
    /// The title.
    pub title: String,
    /// The exercises, in order.
    pub exercises: Vec<Exercise>,
}

/// An exercise.
pub struct Exercise {
    /// The name of its kind.
    pub kind: &'static str,
    /// The name of the puzzle's file, or of a level of it.
    pub file: String,
    /// The title of the puzzle.
    pub title: String,
    /// The question and the answer.
    pub task: Task,
}

/// A question about a puzzle, and its answer.
pub struct Task {
    /// The question, in sentences.
    pub question: String,
    /// The boards that it is about.
    pub boards: Vec<Board>,
    /// The conditions of the goal that no board shows.
    pub conditions: Vec<String>,
    /// The number of lines to leave for the answer.
    pub room: usize,
    /// The answer, in paragraphs.
    pub answer: Vec<String>,
}

/// A position on a sheet.
pub struct Board {
    /// The words above it.
    pub caption: String,
    /// The position as text.
    pub text: String,
    /// The position as a picture; `None` if it has none.
    pub picture: Option<Picture>,
}

impl Board {
    fn of(caption: impl Into<String>, position: &dyn Searchable) -> Board {
        Board { caption: caption.into(), text: position.draw(Style::Drawn), picture: position.picture() }
    }
}

/// A kind of exercise.
pub struct Kind {
    /// The name.
    pub name: &'static str,
    /// The task in one line.
    pub summary: &'static str,
    /// Makes an exercise, or says in a few words why there is none.
    make: fn(&Material) -> Result<Task, String>,
}

/// All kinds, in the order in which a sheet takes them.
pub const KINDS: &[&Kind] = &[&solve::SOLVE, &estimate::H, &next::NEXT, &iteration::ITERATION, &solvable::SOLVABLE];

/// What an exercise is made from.
pub struct Material<'a> {
    /// The puzzle.
    pub puzzle: &'a Puzzle,
    /// The heuristics to ask for; if there are none, the first two of the domain.
    pub heuristics: &'a [String],
    /// The number that random choices depend on.
    pub seed: u64,
    /// The limits of the searches.
    pub limits: &'a Limits,
}

impl Material<'_> {
    /// Returns the task of this kind on the puzzle.
    ///
    /// # Errors
    /// Returns why there is none.
    pub fn task(&self, kind: &Kind) -> Result<Task, String> {
        if !self.puzzle.is_drawn() {
            return Err("it is too large to be drawn".to_owned());
        }
        (kind.make)(self)
    }

    /// Returns the start, for drawing.
    fn start(&self) -> Result<Box<dyn Searchable>, String> {
        self.puzzle.space("zero").map_err(|error| error.to_string())
    }

    /// Returns the start and the goals that can be drawn, and the conditions of the goal that no drawing shows.
    fn boards(&self) -> Result<(Vec<Board>, Vec<String>), String> {
        let mut boards = vec![Board::of("start", &*self.start()?)];
        let goal = self.puzzle.goal();
        let conditions = goal.lines(|_| Vec::new());
        let goals = goal.alternatives.into_iter().filter_map(|goal| Some((goal.drawing?, goal.picture)));
        boards.extend(goals.enumerate().map(|(number, (text, picture))| {
            let caption = if number == 0 { "goal" } else { "or" };
            Board { caption: caption.to_owned(), text, picture }
        }));
        Ok((boards, conditions))
    }

    /// Returns the names of the heuristics to ask for.
    fn heuristics(&self) -> Result<Vec<&'static str>, String> {
        if !self.heuristics.is_empty() {
            let names = self.heuristics.iter().map(|name| self.puzzle.heuristic(name).map(|facts| facts.name));
            return names.collect::<Result<_, _>>().map_err(|error| error.to_string());
        }
        let all = self.puzzle.domain().heuristics.iter().map(|facts| (facts.name, facts.by_hand));
        let by_hand = all.filter(|&(name, by_hand)| by_hand && name != "zero").map(|(name, _)| name);
        let names: Vec<&str> = by_hand.filter(|name| self.puzzle.heuristic(name).is_ok()).take(2).collect();
        if names.is_empty() { Err("the domain has no heuristic to compute by hand".to_owned()) } else { Ok(names) }
    }
}

/// Writes a worksheet.
pub type WriteSheet = fn(&Worksheet) -> String;

/// A format of worksheets.
pub type SheetFormat = OutputFormat<WriteSheet>;

/// All formats of worksheets.
pub const FORMATS: Formats<WriteSheet> = &[&html::HTML, &markdown::MARKDOWN, &json::JSON];
