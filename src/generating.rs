//! Generation of levels from a template: a puzzle with a table `[generate]`, which names what may vary and what is
//! wanted.
//!
//! - `lanes`, `flood`, `cars`: boards of cars in lanes, all of them or random ones;
//! - `varied`: random drawings, and changes of the best so far;
//! - `farthest`: the farthest start of a space, and starts from walks backwards;
//! - `judge`: what is wanted, the cheapest question first;
//! - `archive`, `rounds`: what was found, round by round, so that a run is the same on any number of threads and can be
//!   resumed;
//! - `level`: the files.
//!
//! Each level is solved once more at the end, as its file is, and its solution is replayed by the reference rules.
//!
//! ```
//! use engine::generating::{Generator, Task};
//! use engine::{Limits, Puzzle};
//!
//! let text = r#"
//! title = "Cars"
//! domain = "klotski"
//! moves = "lengthwise"
//! start = "....\nAA..\n....\n...."
//! goal = "....\n..AA\n....\n...."
//!
//! [generate]
//! way = "enumeration"
//! lengths = [2, 3]
//! needed = true
//! "#;
//! let template = Puzzle::parse(text, "cars.toml")?;
//! let task = Task { count: 1, ..Task::default() };
//! let mut generator = Generator::new(&template, task)?;
//! let ended = generator.run(&Limits::default(), |_| Ok::<(), std::io::Error>(()))?;
//! assert_eq!(ended, None, "there is no limit");
//! assert_eq!(generator.found().map(|(_, count)| count).sum::<u64>(), 32);
//! assert_eq!(generator.levels(true, &Limits::default())?.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alike;
mod archive;
mod cars;
mod farthest;
mod flood;
mod judge;
mod lanes;
mod level;
mod pruned;
mod report;
mod rounds;
#[cfg(test)]
mod tests;
mod varied;

use crate::diagnostic::{Diagnostic, Report};
use crate::document::Spanned;
use crate::puzzle::{Options, Puzzle, Template, Way};
use crate::search::{Limit, Limits};
use crate::verify;
use archive::Archive;
use cars::Cars;
use farthest::{Farthest, Reverse};
use rounds::Candidates;
use serde::{Deserialize, Serialize};
use varied::Drawings;

/// How many levels to make.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// The number of levels.
    pub count: usize,
    /// The seed: the same seed gives the same levels.
    pub seed: u64,
}

impl Default for Task {
    fn default() -> Task {
        Task { count: 10, seed: 0 }
    }
}

/// A level as wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// The text of its file.
    pub text: String,
    /// The least cost of a solution; `None` if there is none.
    pub cost: Option<f64>,
    /// The difficulty, if it is known.
    pub rating: Option<f64>,
}

/// The state of a run, from which a later one goes on.
#[derive(Serialize, Deserialize)]
struct Saved {
    /// The template.
    fingerprint: String,
    task: Task,
    archive: Archive,
}

/// A run that makes levels from a template.
pub struct Generator<'a> {
    template: &'a Puzzle,
    wants: &'a Template,
    task: Task,
    way: Box<dyn Candidates + 'a>,
    archive: Archive,
}

impl<'a> Generator<'a> {
    /// Begins a run.
    ///
    /// # Errors
    /// The puzzle is no template, or the table `[generate]` does not fit it: each mistake, with its place.
    pub fn new(template: &'a Puzzle, task: Task) -> Result<Generator<'a>, Report> {
        let Some(wants) = template.template() else {
            let help = "write a table `[generate]`, as `docs/format/generate.md` describes";
            return Err(template.report(vec![Diagnostic::whole("is no template").help(help)]));
        };
        let way = way_of(template, wants)?;
        Ok(Generator { template, wants, task, way, archive: Archive::default() })
    }

    /// Makes the next candidates.
    ///
    /// # Errors
    /// A limit ended the work. All rounds before it count.
    pub fn round(&mut self, limits: &Limits) -> Result<(), Limit> {
        rounds::make(&*self.way, &mut self.archive, self.task.seed, self.task.count, limits)
    }

    /// Makes rounds until the run is finished, and calls `after_round` after each. Returns the limit that ended it, if one
    /// did.
    ///
    /// # Errors
    /// Those of `after_round`, which end the run.
    pub fn run<E>(
        &mut self,
        limits: &Limits,
        mut after_round: impl FnMut(&Generator<'a>) -> Result<(), E>,
    ) -> Result<Option<Limit>, E> {
        let stop = limits.stop();
        while !self.is_finished() {
            let left = Limits { time: stop.left(), ..limits.clone() };
            if let Err(limit) = stop.check_cheap().map_or_else(|| self.round(&left), Err) {
                return Ok(Some(limit));
            }
            after_round(self)?;
        }
        Ok(None)
    }

    /// Returns whether there is nothing more to do: all candidates were looked at, there are enough levels to choose
    /// from, or nothing new was found for long.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        let (kept, count) = (self.archive.kept(), self.task.count);
        match self.way.rounds() {
            Some(rounds) => self.archive.round >= rounds,
            None => self.archive.is_idle() || kept >= 2 * count && self.archive.is_spread(self.wants.cost),
        }
    }

    /// Returns the share of the work that is done, if there is an end.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        self.way.rounds().map(|rounds| self.archive.round as f64 / rounds.max(1) as f64)
    }

    /// Returns the number of candidates, and of those that were hopeless.
    #[must_use]
    pub fn tried(&self) -> (u64, u64) {
        (self.archive.tried, self.archive.hopeless)
    }

    /// Returns the numbers of levels found by their least cost, rounded down.
    pub fn found(&self) -> impl Iterator<Item = (u64, u64)> {
        self.archive.found.iter().map(|(&cost, &count)| (cost, count))
    }

    /// Returns the candidate that comes nearest to what is wanted among those that are not, and what it lacks.
    #[must_use]
    pub fn nearest(&self) -> Option<(Puzzle, &str)> {
        let nearest = self.archive.nearest.as_ref()?;
        let puzzle = self.template.reread(self.way.text(&nearest.board), &Limits::default()).ok()?;
        Some((puzzle, &nearest.lacks))
    }

    /// Returns the hardest level so far, and its cost.
    #[must_use]
    pub fn best(&self, limits: &Limits) -> Option<(Puzzle, f64)> {
        let best = self.archive.hardest()?;
        let puzzle = self.template.reread(self.way.text(&best.board), limits).ok()?;
        Some((puzzle, best.cost.unwrap_or(0.0)))
    }

    /// Returns the levels, easy ones first: each is solved as its file is, and its solution is replayed by the reference
    /// rules. Unless `rates`, a level without a known difficulty has its place by its cost.
    ///
    /// # Errors
    /// A level cannot be read or is not as it was found, which is a mistake in the program; or a limit ended the work.
    pub fn levels(&self, rates: bool, limits: &Limits) -> Result<Vec<Level>, Report> {
        let stopped = |limit| self.template.report(vec![Diagnostic::at_limit(limit)]);
        let mut chosen = self.archive.chosen(self.task.count, &|board| self.way.images(board));
        for level in chosen.iter_mut().filter(|level| rates && level.rating.is_none()) {
            let puzzle = self.template.reread(self.way.text(&level.board), limits)?;
            judge::rate(level, &puzzle, limits).map_err(stopped)?;
        }
        chosen.sort_by(|one, other| one.difficulty().total_cmp(&other.difficulty()));
        let mut levels = Vec::new();
        for (number, level) in (1..).zip(&chosen) {
            let text = self.way.text(&level.board);
            let text = level::file(self.template, &text, number, self.task.seed, level);
            let puzzle = self.template.reread(text.clone(), limits)?;
            let wrong = |why: &str| self.template.report(vec![Diagnostic::whole(format!("level {number}: {why}"))]);
            let solution = puzzle.solve(&Options { limits: limits.clone(), ..Options::default() });
            let solution = solution.map_err(|error| wrong(&error.to_string()))?;
            if let Some(limit) = solution.limit() {
                return Err(stopped(limit));
            }
            if solution.cost() != level.cost {
                return Err(wrong("its cost is another one than was found"));
            }
            if solution.route().is_some() {
                let replayed = verify::replay(&puzzle, &solution.moves()).map_err(|why| wrong(&why))?;
                if level.cost.is_some_and(|cost| (replayed.cost - cost).abs() > 1e-6) {
                    return Err(wrong("its moves have another cost by the reference rules"));
                }
            }
            levels.push(Level { text, cost: level.cost, rating: level.rating });
        }
        Ok(levels)
    }

    /// Returns the state of the run as text.
    #[must_use]
    pub fn save(&self) -> String {
        #[derive(Serialize)]
        struct Saving<'s> {
            fingerprint: String,
            task: &'s Task,
            archive: &'s Archive,
        }
        let saving = Saving { fingerprint: self.template.identity(), task: &self.task, archive: &self.archive };
        serde_json::to_string(&saving).expect("the state is numbers and text")
    }

    /// Goes on from the state of an earlier run.
    ///
    /// # Errors
    /// The text is not such a state, or belongs to another template, number or seed.
    pub fn resume(&mut self, saved: &str) -> Result<(), String> {
        let saved: Saved = serde_json::from_str(saved).map_err(|error| format!("is damaged: {error}"))?;
        if saved.fingerprint != self.template.identity() || saved.task != self.task {
            return Err("is of a run with another template, `--count` or `--seed`".to_owned());
        }
        self.archive = saved.archive;
        Ok(())
    }
}

/// Returns the way to make candidates: the template's, else by what varies.
fn way_of<'a>(template: &'a Puzzle, wants: &'a Template) -> Result<Box<dyn Candidates + 'a>, Report> {
    let varies = wants.cells.is_some() || !wants.bag.is_empty();
    let named = wants.way.as_ref().map(|way| *way.get_ref());
    let refused = |message: &str, help: &str| {
        let span = wants.way.as_ref().map(Spanned::span);
        let error = span.map_or_else(|| Diagnostic::whole(message), |span| Diagnostic::at(span, message));
        Err(template.report(vec![error.help(help)]))
    };
    if wants.lengths.is_some() {
        if matches!(named, Some(Way::Reverse | Way::Farthest)) {
            return refused("`lengths` is for the ways `enumeration` and `mutation`", "leave out `lengths` or `way`");
        }
        let cars = Cars::of(template, wants).map_err(|errors| template.report(errors))?;
        return Ok(Box::new(cars));
    }
    match named {
        Some(Way::Enumeration) => {
            refused("`enumeration` needs the lengths of cars", "write `lengths = [2, 3]`, or choose another way")
        }
        Some(Way::Reverse) if !varies => match Reverse::of(template, wants) {
            Ok(way) => Ok(Box::new(way)),
            Err(why) => {
                refused(&format!("`reverse` cannot play backwards: {why}"), "leave out `way` for walks onwards")
            }
        },
        // Walks onwards where there are no others.
        None if !varies => {
            let onwards = Reverse { template, wants, to_goal: None };
            Ok(Box::new(Reverse::of(template, wants).unwrap_or(onwards)))
        }
        Some(Way::Farthest) if !varies => Ok(Box::new(Farthest { template, wants })),
        Some(Way::Mutation) if !varies => {
            refused("nothing varies", "mark cells by `cells` and `symbols`, or name pieces in `bag`")
        }
        Some(Way::Reverse) => refused("`reverse` varies the start alone", "leave out `cells` and `bag`, or `way`"),
        _ => Ok(Box::new(Drawings::of(template, wants)?)),
    }
}
