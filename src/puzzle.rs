//! Puzzles: files that are read, validated and solved.
//!
//! ```
//! use engine::{Options, Puzzle};
//!
//! let puzzle = Puzzle::load("puzzles/klotski1.toml")?;
//! let solution = puzzle.solve(&Options::default())?;
//! assert_eq!(solution.cost(), Some(9.0));
//! assert!(solution.is_optimal());
//! assert_eq!(solution.moves().len(), 9);
//! assert_eq!(solution.positions().len(), 10);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod changes;
mod compatibility;
mod explanation;
mod exploring;
mod fingerprint;
mod foreign;
mod heuristic_check;
mod improving;
mod known_puzzles;
mod loading;
mod nearest;
mod new_start;
mod options;
mod planning;
mod random_boards;
mod reading;
pub mod schema;
mod solution;
mod solve_error;
mod solving;
mod source;
mod template;
mod text;
mod warnings;

pub use crate::domain::{
    Alternative, GoalView, Notation, OVERLAYS, PathStep, Property, ReadOptions, Searchable, Style,
};
pub use changes::{Changes, Remedy};
pub use compatibility::Compatibility;
pub use explanation::{Explanation, Refused, StageTaken};
pub use exploring::Exploration;
pub(crate) use foreign::{collection_of, is_meant_as_puzzle, look};
pub use heuristic_check::{CounterExample, HeuristicCheck, HeuristicQuestion, Measured, Relation, Sample};
pub(crate) use known_puzzles::instead_of_domain;
pub use loading::Loading;
pub use nearest::Nearest;
pub(crate) use new_start::{edited, scrambled_title};
pub use options::Options;
pub use random_boards::{NoBoards, RandomBoard, spread_costs};
pub use solution::{Outcome, Solution};
pub use solve_error::SolveError;
pub use source::Source;
pub(crate) use source::{file_of, format_in, one_puzzle};
pub use template::{Band, Mark, Symmetry, Template, Way};
pub(crate) use text::{bytes_of, decoded, read_text, utf8};

use crate::diagnostic::{Diagnostic, Report};
use crate::domain::{BuildContext, DomainFacts, HeuristicFacts, Instance, Rules, Scrambled};
use crate::search::{Algorithm, BeamWidth, Limit, Limits, Weight};
use solve_error::{illegal, refused_heuristic, unknown_heuristic, unknown_reduction};
use std::num::NonZero;
use std::ops::Range;
use std::path::Path;

/// A puzzle file, read and validated.
pub struct Puzzle {
    title: String,
    about: About,
    facts: &'static DomainFacts,
    instance: Box<dyn Instance>,
    search: Search,
    expect: Expect,
    template: Option<Template>,
    parts: fingerprint::Parts,
    text: warnings::Text,
    /// The options by which it was read.
    options: ReadOptions,
}

/// The settings of the table `[search]`.
#[derive(Default)]
struct Search {
    algorithm: Option<Algorithm>,
    heuristic: Option<&'static HeuristicFacts>,
    depth_limit: Option<u32>,
    closed_limit: Option<NonZero<usize>>,
    weight: Option<Weight>,
    width: Option<BeamWidth>,
    automaton: Option<bool>,
    /// The bytes of the heuristic's name, if that is gone.
    retired: Option<Range<usize>>,
}

/// The description of a puzzle beside its title.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// The author of the puzzle.
    pub author: Option<String>,
    /// The origin of the puzzle.
    pub source: Option<String>,
    /// A description of the puzzle.
    pub description: Option<String>,
    /// Tags to find the puzzle by.
    pub tags: Vec<String>,
}

impl About {
    /// Returns whether it takes minutes, or an unknown longer time, so that it is solved only on request.
    #[must_use]
    pub fn is_long(&self) -> bool {
        self.tags.iter().any(|tag| tag == "long")
    }
}

/// The claims of a puzzle's author.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expect {
    /// `solved` or `unsolvable`.
    pub outcome: Option<Outcome>,
    /// The least cost of a solution.
    pub cost: Option<f64>,
    /// Whether there is exactly one solution of the least cost.
    pub unique: Option<bool>,
}

impl Puzzle {
    /// Reads a puzzle file with the default [`Loading`].
    ///
    /// # Errors
    /// The file cannot be read, or has mistakes: each of them, with its place.
    pub fn load(path: impl AsRef<Path>) -> Result<Puzzle, Report> {
        Loading::default().load(path)
    }

    /// Reads the text of a puzzle file. Errors call the file `name`; files that it names are searched for in the same
    /// folder.
    ///
    /// # Errors
    /// Every mistake in it, with its place.
    pub fn parse(text: &str, name: &str) -> Result<Puzzle, Report> {
        Loading::default().parse(text, name)
    }

    /// Returns the title.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns the description beside the title.
    #[must_use]
    pub fn about(&self) -> &About {
        &self.about
    }

    /// Returns the claims of its author.
    #[must_use]
    pub fn expect(&self) -> &Expect {
        &self.expect
    }

    /// Returns its table `[generate]`, if it is a template.
    #[must_use]
    pub fn template(&self) -> Option<&Template> {
        self.template.as_ref()
    }

    /// Returns the SHA-256 of the text of its file, in hex.
    #[must_use]
    pub fn identity(&self) -> String {
        fingerprint::digest(self.file_text().as_bytes())
    }

    /// Returns a report of errors at their places in its file.
    pub(crate) fn report(&self, errors: Vec<Diagnostic>) -> Report {
        Report::new(&self.text.origin.name, self.file_text().into_owned(), errors)
    }

    /// Returns the domain that it belongs to.
    #[must_use]
    pub fn domain(&self) -> &'static DomainFacts {
        self.facts
    }

    /// Returns the metric, which defines what counts as one move, if the domain has a choice.
    #[must_use]
    pub fn metric(&self) -> Option<&'static str> {
        self.instance.metric()
    }

    /// Returns the seed of the puzzle's own random draws, if its moves draw at random.
    #[must_use]
    pub fn seed(&self) -> Option<&str> {
        self.instance.seed()
    }

    /// Returns the size, in words for people.
    #[must_use]
    pub fn size(&self) -> String {
        self.instance.size()
    }

    /// Returns why there is no solution, if that is provable without a search.
    #[must_use]
    pub fn unsolvable(&self) -> Option<String> {
        self.instance.unsolvable()
    }

    /// Returns why there is a solution, if a count proves it.
    #[must_use]
    pub fn solvable(&self) -> Option<String> {
        self.instance.solvable()
    }

    /// Returns whether `None` from [`unsolvable`](Self::unsolvable) implies that there is a solution.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.facts.decides_solvability && !self.instance.is_undecided()
    }

    /// Returns the size of the compiled puzzle, if its domain compiles files.
    #[must_use]
    pub fn summary(&self) -> Option<String> {
        self.instance.summary()
    }

    /// Returns what a check of the puzzle found, in words for its author.
    #[must_use]
    pub fn verdict(&self) -> Option<String> {
        self.instance.verdict()
    }

    /// Returns what the domain derives from the rules and uses in searches: moving pieces, dead ends, symmetries.
    #[must_use]
    pub fn properties(&self) -> Vec<Property> {
        self.instance.properties(&BuildContext::default())
    }

    /// Returns the number of states reachable from the start, if a formula is known.
    #[must_use]
    pub fn states(&self) -> Option<String> {
        self.instance.states()
    }

    /// Returns the state space with one of the domain's heuristics, in its smallest form.
    ///
    /// # Errors
    /// The domain has no heuristic of this name, or none for this puzzle.
    pub fn space(&self, heuristic: &str) -> Result<Box<dyn Searchable>, SolveError> {
        Ok(self.instance.space(self.heuristic(heuristic)?, &BuildContext { size: Some(0), ..BuildContext::default() }))
    }

    /// Returns the value of one of the domain's heuristics after some moves, in its smallest form.
    ///
    /// # Errors
    /// - The domain has no heuristic of this name, or none for this puzzle.
    /// - A move is not legal.
    /// - A limit ended the computation: the inner error names it.
    pub fn h_after(
        &self,
        moves: &[String],
        heuristic: &str,
        limits: &Limits,
    ) -> Result<Result<f64, Limit>, SolveError> {
        let context = BuildContext { size: Some(0), ..BuildContext::within(limits) };
        let facts = self.heuristic_within(heuristic, &context)?;
        if let Some(limit) = context.ended() {
            return Ok(Err(limit));
        }
        let mut space = self.instance.space(facts, &context);
        for written in moves {
            space = space.after(written, self.facts.notations).ok_or_else(|| illegal(written))?;
        }
        let h = space.h();
        // Some heuristics stop within the evaluation, with a lower value.
        Ok(context.ended().or_else(|| context.stop.check_cheap()).map_or(Ok(h), Err))
    }

    /// Returns the heuristic that evaluates positions: the one named, else the file's, else the domain's default. If
    /// the default does not suit this puzzle, it is `zero`.
    ///
    /// # Errors
    /// The domain has no heuristic of this name, or none for this puzzle.
    pub fn guide(&self, named: Option<&str>) -> Result<&'static str, SolveError> {
        if let Some(name) = named {
            return Ok(self.heuristic(name)?.name);
        }
        let usual = self.instance.default_heuristic().unwrap_or(self.facts.default_heuristic);
        let guide = self.search.heuristic.or_else(|| self.heuristic(usual).ok());
        Ok(guide.unwrap_or(&HeuristicFacts::ZERO).name)
    }

    /// Returns the algorithm of a search that names none: the file's, else the domain's default.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        let usual = self.instance.default_algorithm().unwrap_or(self.facts.default_algorithm);
        self.search.algorithm.unwrap_or(usual)
    }

    /// Drops the settings of the table `[search]`: searches choose as if the file had none.
    pub(crate) fn drop_search_settings(&mut self) {
        self.search = Search::default();
    }

    /// Returns whether positions are small enough to be drawn for people.
    #[must_use]
    pub fn is_drawn(&self) -> bool {
        self.instance.is_drawn()
    }

    /// Returns whether names of moves may contain spaces; a list of moves then has one move a line.
    #[must_use]
    pub fn has_spaced_moves(&self) -> bool {
        self.instance.has_spaced_moves()
    }

    /// Returns why moves of this puzzle cannot be written in this notation of its domain.
    #[must_use]
    pub fn refuses_notation(&self, notation: Notation) -> Option<String> {
        self.instance.refuses_notation(notation)
    }

    /// Returns another start with the same goal, as [`Instance::scrambled`] makes it; `None` if the domain cannot.
    ///
    /// # Errors
    /// A limit ended the work.
    pub fn scrambled(&self, moves: Option<u32>, seed: u64, limits: &Limits) -> Result<Option<Scrambled>, Limit> {
        let context = BuildContext::within(limits);
        let scrambled = self.instance.scrambled(moves, seed, &context);
        context.ended().map_or(Ok(scrambled), Err)
    }

    /// Returns another start, reached by a random walk, as [`Instance::walked`] makes it; `None` if the domain cannot.
    ///
    /// # Errors
    /// A limit ended the work.
    pub fn walked(&self, moves: u32, seed: u64, limits: &Limits) -> Result<Option<Scrambled>, Limit> {
        let context = BuildContext::within(limits);
        let walked = self.instance.walked(moves, seed, &context);
        context.ended().map_or(Ok(walked), Err)
    }

    /// Returns another start, reached by moves backwards from a goal, as [`Instance::retreated`] makes it.
    ///
    /// # Errors
    /// Why moves cannot be made backwards; or a limit ended the work.
    pub fn retreated(
        &self,
        to_goal: &[String],
        moves: u32,
        seed: u64,
        limits: &Limits,
    ) -> Result<Result<Option<Scrambled>, String>, Limit> {
        let context = BuildContext::within(limits);
        let start = self.instance.retreated(to_goal, moves, seed, &context);
        context.ended().map_or(Ok(start), Err)
    }

    /// Draws the start in rows of text, each with a line end. For people, a position that is too large is only
    /// described by its size.
    #[must_use]
    pub fn draw(&self, style: Style) -> String {
        if style == Style::Drawn && !self.is_drawn() {
            return format!("a board of {}, too large to be drawn\n", self.size());
        }
        self.instance.space(&HeuristicFacts::ZERO, &BuildContext::default()).draw(style)
    }

    /// Returns the goal for people; nothing if positions are too large to be drawn.
    #[must_use]
    pub fn goal(&self) -> GoalView {
        match self.is_drawn() {
            true => self.instance.space(&HeuristicFacts::ZERO, &BuildContext::default()).goal(),
            false => GoalView::default(),
        }
    }

    /// Returns the puzzle as rules to play by, and whether these rules are written independently of the state space. If
    /// not, they are the moves of the state space.
    #[must_use]
    pub fn rules(&self) -> (Box<dyn Rules + '_>, bool) {
        match self.instance.rules() {
            Some(rules) => (rules, true),
            None => {
                let space = self.instance.space(&HeuristicFacts::ZERO, &BuildContext::default());
                (space.replay(self.facts.notations), false)
            }
        }
    }

    /// Checks the names of reductions and heuristics to do without.
    ///
    /// # Errors
    /// The domain has neither a reduction nor a heuristic of one of these names.
    pub fn check_without(&self, names: &[String]) -> Result<(), SolveError> {
        let is_known = |name: &&String| {
            let mut reductions = self.facts.reductions.iter();
            let is_known = reductions.any(|known| known.name == **name) || self.facts.heuristic(name).is_some();
            is_known || self.facts.retired.contains(&name.as_str())
        };
        names.iter().find(|name| !is_known(name)).map_or(Ok(()), |name| Err(unknown_reduction(self.facts, name)))
    }

    /// Returns whether a heuristic of the domain is for puzzles of this kind.
    pub fn concerns(&self, heuristic: &HeuristicFacts) -> bool {
        self.instance.concerns(heuristic)
    }

    /// Returns the heuristics of the domain and of the file, those of the domain that are for puzzles of this kind.
    pub fn all_heuristics(&self) -> impl Iterator<Item = &'static HeuristicFacts> {
        self.facts.heuristics.iter().filter(|facts| self.instance.concerns(facts)).chain(self.own_heuristics())
    }

    /// Returns the heuristics that the file defines.
    pub fn own_heuristics(&self) -> impl Iterator<Item = &'static HeuristicFacts> {
        self.instance.own_heuristics().iter().map(|own| own.facts)
    }

    /// Returns the heuristics that this puzzle does not refuse.
    pub fn heuristics(&self) -> impl Iterator<Item = &'static HeuristicFacts> {
        self.all_heuristics().filter(|facts| self.instance.refuses(facts, &BuildContext::default()).is_none())
    }

    /// Returns one of the heuristics of the domain and of the file.
    ///
    /// # Errors
    /// There is no heuristic of this name, or it does not suit this puzzle.
    pub fn heuristic(&self, name: &str) -> Result<&'static HeuristicFacts, SolveError> {
        self.heuristic_within(name, &BuildContext::default())
    }

    /// Returns one of the domain's heuristics; if `context` ends the test of whether it suits, it is not refused.
    fn heuristic_within(&self, name: &str, context: &BuildContext) -> Result<&'static HeuristicFacts, SolveError> {
        let of_file = || self.own_heuristics();
        let facts = self.facts.heuristic(name).or_else(|| of_file().find(|facts| facts.name == name));
        let facts = facts.ok_or_else(|| {
            unknown_heuristic(self.facts, of_file().map(|facts| facts.name).collect::<Vec<_>>().into_iter(), name)
        })?;
        refusal(&*self.instance, facts, context)
    }
}

/// Returns a heuristic if the puzzle does not refuse it, or if `context` ended before that was known.
fn refusal(
    instance: &dyn Instance,
    facts: &'static HeuristicFacts,
    context: &BuildContext,
) -> Result<&'static HeuristicFacts, SolveError> {
    match instance.refuses(facts, context).filter(|_| context.ended().is_none()) {
        None => Ok(facts),
        Some(reason) => Err(refused_heuristic(facts.name, &reason)),
    }
}
