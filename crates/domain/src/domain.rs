//! Domains: the kinds of puzzle, and the registry that maps the name in a file to one of them.
//!
//! Three steps lead from a file to a search, each a trait:
//! - a [`Domain`] is a kind of puzzle: it reads and validates the keys of a file;
//! - an [`Instance`] is a validated puzzle: rules, a start and a goal;
//! - a [`Searchable`] is a state space with one heuristic and its view, behind a dynamic trait: it can be searched and
//!   drawn.
//!
//! One use of [`domain!`](crate::domain!) registers a domain: its name, the function that reads its files, and its
//! [`DomainFacts`], which `engine domains` prints. To add a domain, add a folder to the crate `domains` and its `mod`
//! line there.

pub mod collection;
#[doc(hidden)]
pub mod colors;
mod discovered;
mod drawn;
mod edit;
mod erased;
mod folder;
mod given_heuristic;
mod goal_view;
mod ground_rules;
pub mod import;
pub mod mechanics;
mod numbered;
mod own_heuristic;
mod plain;
mod property;
mod random_walk;
mod read_options;
mod registry;
mod route;
mod rules;
pub mod run_length;
mod searchable;
#[doc(hidden)]
pub mod table;
#[doc(hidden)]
pub mod table_store;
pub mod text;
mod traced;
mod view;
mod warning;
mod whole_file;

pub use crate::search::{BuildContext, HeuristicFacts, Named, Observer, Progress, SplitMix64, Stage};
pub use discovered::{Discovered, Step, discovered};
pub use drawn::{Drawn, DrawnText, LeastCost, Part, PartKind, Starts, Symbol, WantedStart};
pub use edit::{Change, Edit};
pub use erased::searchable;
pub use folder::{FileRead, Folder, NamedFile};
pub use folder::{lies_below, open_regular, open_user_file};
pub use given_heuristic::GivenHeuristic;
pub use goal_view::{Alternative, GoalView};
pub use ground_rules::{CountBound, GroundGoal, GroundRules, Trace};
pub use numbered::NumberedStates;
pub use own_heuristic::without_value;
pub use own_heuristic::{GREATEST_H, OWN_HEURISTICS, OWN_NAME, OwnHeuristic, own_expressions, own_heuristics};
pub use plain::{Plain, plain};
pub use property::{OVERLAYS, Property};
pub use random_walk::{DEFAULT_WALK, random_walk};
pub use read_options::ReadOptions;
pub use registry::named;
pub use registry::{Domain, facts, macros, registered};
pub use route::{PathStep, Route, Routes};
pub use rules::{Permuting, Rules, Steps, Successor, no_such_move};
pub use searchable::Searchable;
pub use table_store::clear_tables;
pub use table_store::untrusted_reason;
pub use traced::{TraceReceiver, TraceRecord, TracedPosition};
pub use view::{Notation, Style, View};
pub use warning::WarningContext;
#[doc(hidden)]
pub use whole_file::{WholeFile, remove_leftovers, remove_unfinished};

use crate::argument::Refutation;
use crate::diagnostic::Diagnostic;
use crate::document::Findings;
use crate::document::{Document, Keys, PuzzleText};
use crate::search::{Algorithm, Limit, resident};
use collection::Prepared;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The context in which [`Domain::read`] reads a file.
pub struct FileContext<'a> {
    /// The text of the file. Spans point into it.
    pub source: &'a str,
    /// The text of the puzzle file: that of the file, unless it is a collection.
    pub text: &'a PuzzleText,
    /// The folder of the file, where [`open`](FileContext::open) looks for the files that it names.
    pub folder: Folder<'a>,
    /// The byte at which a missing key would go.
    pub insertion: usize,
    /// The errors found so far, and the refused keys, which do not count as missing.
    pub findings: &'a Findings,
    /// The limits for reading.
    pub context: &'a BuildContext,
    /// The other files that were read: they are part of the puzzle.
    pub names: &'a RefCell<Vec<FileRead>>,
    /// The options that the file does not decide.
    pub options: &'a ReadOptions,
    /// The findings from reading a collection, if the file is one of its levels.
    pub prepared: Option<&'a Prepared>,
}

impl FileContext<'_> {
    /// Reads the keys of a domain from a text, for tests.
    pub fn of_text<T>(
        source: &str,
        read: impl FnOnce(&Keys, &FileContext) -> Result<T, Vec<Diagnostic>>,
    ) -> Result<T, Vec<Diagnostic>> {
        let (findings, names) = (Findings::default(), RefCell::default());
        let (context, document) = (BuildContext::default(), Document::parse(source)?);
        let (text, options) = (PuzzleText::File(source.into()), ReadOptions::default());
        let file = FileContext {
            source,
            text: &text,
            folder: Folder::of("".as_ref(), false),
            insertion: 0,
            findings: &findings,
            context: &context,
            names: &names,
            options: &options,
            prepared: None,
        };
        let read = read(&document.keys(&findings), &file);
        match findings.take_errors() {
            errors if errors.is_empty() => read,
            errors => Err(errors.into_iter().chain(read.err().into_iter().flatten()).collect()),
        }
    }

    /// Checks that this many more bytes fit within the memory limit. `span` is the value that asks for them.
    ///
    /// # Errors
    /// Reports that the bytes exceed the limit.
    pub fn check_memory(&self, bytes: u64, span: &Range<usize>) -> Result<(), Diagnostic> {
        if self.context.limits.most_resident().is_none_or(|most| resident().saturating_add(bytes) <= most) {
            return Ok(());
        }
        let mut error = Diagnostic::at(span.clone(), "this needs more memory than the limit leaves");
        error.limit = Some(Limit::Memory);
        Err(error.label(format!("about {} MiB", bytes >> 20)))
    }

    /// Checks that the board that the file declares fits within the memory limit. A [default limit](crate::search::Limits::declared)
    /// on reading makes room for it.
    ///
    /// # Errors
    /// Reports that the bytes exceed the limit.
    pub fn declare_memory(&self, bytes: u64, span: &Range<usize>) -> Result<(), Diagnostic> {
        match &self.context.limits.declared {
            Some(declared) => _ = declared.fetch_add(bytes, Ordering::Relaxed),
            None => self.check_memory(bytes, span)?,
        }
        Ok(())
    }

    /// Checks that neither [`BuildContext::should_stop`] nor [`BuildContext::fits`] ended any work, so that its result
    /// is complete.
    ///
    /// # Errors
    /// Reports the limit that was reached.
    pub fn check_limits(&self) -> Result<(), Vec<Diagnostic>> {
        self.context.ended().map_or(Ok(()), |limit| Err(vec![Diagnostic::at_limit(limit)]))
    }

    /// Opens a file that the value at `span` names. `what` is its expected kind, for example `a map file`. Holding its
    /// contents should take at most twice its size.
    ///
    /// # Errors
    /// Reports that the file lies outside the folder, is not a regular file, cannot be opened, or is too large for the
    /// memory.
    pub fn open(&self, written: &str, span: Range<usize>, what: &str) -> Result<NamedFile, Diagnostic> {
        let opened = self.open_stream(written, span.clone(), what)?;
        self.check_memory(opened.bytes.saturating_mul(2), &span)?;
        Ok(opened)
    }

    /// Opens a file as [`open`](Self::open) does, whatever its size: its contents are read as a stream.
    ///
    /// # Errors
    /// Those of [`open`](Self::open), except that it is too large.
    pub fn open_stream(&self, written: &str, span: Range<usize>, what: &str) -> Result<NamedFile, Diagnostic> {
        let opened = self.folder.open(written, what);
        let opened = opened.map_err(|refused| {
            let near = || Some(format!("did you mean `{}`?", self.folder.near(written)?));
            Diagnostic { span: Some(span.clone()), help: refused.help.or_else(near), ..refused }
        })?;
        self.names.borrow_mut().push(opened.as_read());
        Ok(opened)
    }

    /// Returns the value of a required key.
    ///
    /// # Errors
    /// Reports that the key is missing, and where it would go. The list is empty if its value was refused already,
    /// since that is reported.
    pub fn required<T>(&self, key: &str, example: &str, value: Option<T>) -> Result<T, Vec<Diagnostic>> {
        value.ok_or_else(|| if self.findings.refused(key) { Vec::new() } else { vec![self.missing(key, example)] })
    }

    /// Returns the error for a missing key.
    #[must_use]
    pub fn missing(&self, key: &str, example: &str) -> Diagnostic {
        Diagnostic::at(self.insertion..self.insertion, format!("missing key `{key}`"))
            .label(format!("`{key}` goes here"))
            .help(format!("add a line such as: {example}"))
    }
}

/// The greatest length, in bytes, of a name that every drawing of a position may contain.
pub const LONGEST_NAME: usize = 256;

/// A validated puzzle. It builds a state space for each heuristic on demand.
pub trait Instance: Send + Sync {
    /// Returns the metric (the unit of moves), if the domain has several.
    fn metric(&self) -> Option<&'static str> {
        None
    }

    /// Returns the seed of the puzzle's own random draws, if its moves draw at random.
    fn seed(&self) -> Option<&str> {
        None
    }

    /// Returns the description of the puzzle, if its file has none and names another file that has one.
    fn description(&self) -> Option<&str> {
        None
    }

    /// Returns the size as users write it: `4x4`, rows first.
    fn size(&self) -> String;

    /// Does the expensive work that the other methods depend on. A limit may end it, which [`BuildContext::ended`]
    /// reports; then the work is done when a method needs it.
    fn prepare(&self, _context: &BuildContext) {}

    /// Does the expensive work that only solving needs: for [`unsolvable`](Self::unsolvable),
    /// [`refuses`](Self::refuses) and [`schedule`](Self::schedule). Limits end it as they end
    /// [`prepare`](Self::prepare).
    fn prepare_to_solve(&self, _context: &BuildContext) {}

    /// Returns why there is no solution, if that is decided without a search.
    fn unsolvable(&self) -> Option<String> {
        None
    }

    /// Returns why there is a solution, if a count that people can follow proves it.
    fn solvable(&self) -> Option<String> {
        None
    }

    /// Returns the reason of [`unsolvable`](Self::unsolvable), with the argument if a checker can verify it.
    fn refutation(&self) -> Option<Refutation> {
        self.unsolvable().map(Refutation::from)
    }

    /// Returns whether a search with this algorithm finds out about as fast as [`unsolvable`](Self::unsolvable) whether
    /// there is a solution: then it is asked only for the reason why a search has found none.
    fn is_decided_by(&self, _algorithm: Algorithm) -> bool {
        false
    }

    /// Returns whether [`unsolvable`](Self::unsolvable), which decides the question in this domain, could not decide it
    /// here.
    fn is_undecided(&self) -> bool {
        false
    }

    /// Returns the number of states reachable from the start, if a formula is known.
    fn states(&self) -> Option<String> {
        None
    }

    /// Returns a short summary of the compiled state space, for domains that compile the file.
    fn summary(&self) -> Option<String> {
        None
    }

    /// Returns what a check of a valid puzzle found, in words for its author, if there is more to report than that it is
    /// valid.
    fn verdict(&self) -> Option<String> {
        None
    }

    /// Returns what the rules imply and the search uses, for authors: moving pieces, places that are dead ends,
    /// symmetries. If a limit of `context` ends the work, some may be missing.
    fn properties(&self, _context: &BuildContext) -> Vec<Property> {
        Vec::new()
    }

    /// Returns warnings about parts of the file that are valid but probably unintended. By default, warns if the start
    /// meets the goal.
    fn warnings(&self, context: &WarningContext) -> Vec<Diagnostic> {
        let is_met = self.rules().is_some_and(|rules| rules.is_solved());
        is_met.then(|| context.met_at_the_start(context.goal.clone())).flatten().into_iter().collect()
    }

    /// Returns whether reading the file found a warning about a certain mistake. Other warnings may take long to find.
    fn has_certain_warnings(&self) -> bool {
        false
    }

    /// Returns whether positions are small enough to be drawn.
    fn is_drawn(&self) -> bool {
        true
    }

    /// Returns whether the names of moves may contain spaces: a list of moves then has one move a line.
    fn has_spaced_moves(&self) -> bool {
        false
    }

    /// Returns whether this heuristic of the domain is for puzzles of this kind. Lists leave out those that are not, which
    /// it [refuses](Self::refuses).
    fn concerns(&self, _heuristic: &HeuristicFacts) -> bool {
        true
    }

    /// Returns why this heuristic of the domain cannot be used for this puzzle. The answer is meaningless if a limit of
    /// `context` ended the check.
    fn refuses(&self, _heuristic: &HeuristicFacts, _context: &BuildContext) -> Option<String> {
        None
    }

    /// Returns the heuristics that the file defines.
    fn own_heuristics(&self) -> &[Arc<OwnHeuristic>] {
        &[]
    }

    /// Returns why moves of this puzzle cannot be written in this notation of the domain.
    fn refuses_notation(&self, _notation: Notation) -> Option<String> {
        None
    }

    /// Returns another start with the same goal: after this many random moves from the goal, or, without a number,
    /// drawn from all solvable starts. The same seed gives the same start. Returns `None` if the domain cannot
    /// scramble, and if a limit of `context` ends the work.
    fn scrambled(&self, _moves: Option<u32>, _seed: u64, _context: &BuildContext) -> Option<Scrambled> {
        None
    }

    /// Returns another start: after this many random moves from the start, or the last of them if no more are legal.
    /// The same seed gives the same start. Where a domain is [`scrambled`](Self::scrambled) from the goal, it serves only
    /// to find boards near this one. Such a start is reachable, and solvable if all moves are reversible and the start is.
    /// Returns `None` if the domain cannot write it, and if a limit of `context` ends the work.
    fn walked(&self, moves: u32, seed: u64, context: &BuildContext) -> Option<Scrambled> {
        self.moved(&[], context)?;
        self.moved(&random_walk(self.space(&HeuristicFacts::ZERO, context), moves, seed, context)?, context)
    }

    /// Returns another start with the same goal: after these moves to a goal, and then this many moves backwards, which are
    /// drawn at random; moves that cost nothing do not count. The same seed gives the same start. Returns `None` if a limit
    /// of `context` ends the work.
    ///
    /// # Errors
    /// Why moves cannot be made backwards.
    fn retreated(
        &self,
        _to_goal: &[String],
        _moves: u32,
        _seed: u64,
        _context: &BuildContext,
    ) -> Result<Option<Scrambled>, String> {
        Err("the moves of this domain cannot be made backwards".to_owned())
    }

    /// Returns another start: after these moves in standard notation. Returns `None` if the domain cannot write it, and if
    /// a limit of `context` ends the work.
    fn moved(&self, _moves: &[String], _context: &BuildContext) -> Option<Scrambled> {
        None
    }

    /// Returns the default algorithm, if it is not the domain's. It must prove optimality.
    fn default_algorithm(&self) -> Option<Algorithm> {
        None
    }

    /// Returns the default heuristic of informed algorithms, if it is not the domain's.
    fn default_heuristic(&self) -> Option<&'static str> {
        None
    }

    /// Returns the heuristics that the default algorithm tries in turn if none is named. The list is empty if the
    /// domain's default is the only one.
    fn schedule(&self) -> Vec<Stage> {
        Vec::new()
    }

    /// Returns whether a stage of the [`schedule`](Self::schedule) is left out. It is asked once the stages before have
    /// ended without an answer, so it may take as long as a small part of one of them. The last stage is never left
    /// out.
    fn skips(&self, _stage: &Stage, _context: &BuildContext) -> bool {
        false
    }

    /// Returns why [`schedule`](Self::schedule) chooses these heuristics, in words that follow a colon.
    fn schedule_reason(&self) -> Option<String> {
        None
    }

    /// Returns the drawings of the start that may be varied, the one of the pieces first. Empty if the file does not draw
    /// the start.
    fn drawn(&self) -> Vec<Drawn> {
        Vec::new()
    }

    /// Returns the starts that differ by the symbols of these drawings, if the domain can solve them without reading a file
    /// for each. `None` also if a limit of `context` ends the work.
    fn starts(&self, _context: &BuildContext) -> Option<Box<dyn Starts>> {
        None
    }

    /// Returns single changes of the start that may make an unsolvable puzzle solvable, in reading order: a piece or a
    /// wall less, two tiles swapped. Empty if the file does not draw the start.
    fn changes(&self) -> Box<dyn Iterator<Item = Change> + '_> {
        Box::new(std::iter::empty())
    }

    /// Returns an independent implementation of the rules, for checking solutions. Without one, the checker replays
    /// moves in the state space.
    fn rules(&self) -> Option<Box<dyn Rules + '_>> {
        None
    }

    /// Builds the state space with one of the domain's heuristics, which must not be refused, or with one of the file.
    fn space(&self, heuristic: &HeuristicFacts, context: &BuildContext) -> Box<dyn Searchable>;
}

/// A start that [`Instance::scrambled`] or [`Instance::walked`] returns, in the form of a puzzle file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scrambled {
    /// The keys that describe a start; the new keys replace them.
    pub replaced: &'static [&'static str],
    /// The new keys with their values, as lines.
    pub keys: String,
}

/// The facts of a domain. Write them in [`domain!`](crate::domain!); [`DomainFacts::new`] has the defaults.
#[derive(Debug)]
pub struct DomainFacts {
    /// The registered name.
    pub name: &'static str,
    /// A description of one line.
    pub summary: &'static str,
    /// The keys of a file, beyond those shared by all domains.
    pub keys: &'static [Named],
    /// The metrics, the default first.
    pub metrics: &'static [Named],
    /// The heuristics.
    pub heuristics: &'static [HeuristicFacts],
    /// The reductions of its searches that can be turned off: see [`BuildContext::without`].
    pub reductions: &'static [Named],
    /// The names of heuristics and reductions that are gone. They are still read: such a heuristic is the default one,
    /// and such a reduction is none.
    pub retired: &'static [&'static str],
    /// The notations for moves, the default first.
    pub notations: &'static [Notation],
    /// True if [`Instance::unsolvable`] decides the question, so that `None` means that a solution exists.
    pub decides_solvability: bool,
    /// The default algorithm. It must prove optimality.
    pub default_algorithm: Algorithm,
    /// The default heuristic of informed algorithms.
    pub default_heuristic: &'static str,
    /// The types of the keys as a JSON Schema: an object with `properties`, and rules for required keys.
    /// `puzzle::schema` adds the descriptions. Empty if the domain has none.
    pub schema: &'static str,
    /// A template for a first puzzle, as lines of TOML: every key occurs, some only in comments. Empty if there is
    /// none.
    pub template: &'static str,
}

impl DomainFacts {
    /// Returns the default facts: no keys, no metrics, the heuristic `zero`, the standard notation, and breadth-first
    /// search.
    #[must_use]
    pub const fn new(name: &'static str, summary: &'static str) -> DomainFacts {
        DomainFacts {
            name,
            summary,
            keys: &[],
            metrics: &[],
            heuristics: &[HeuristicFacts::ZERO],
            reductions: &[],
            retired: &[],
            notations: &[Notation::STANDARD],
            decides_solvability: false,
            default_algorithm: Algorithm::Bfs,
            default_heuristic: "zero",
            schema: "",
            template: "",
        }
    }

    /// Returns the heuristic with this name.
    #[must_use]
    pub fn heuristic(&self, name: &str) -> Option<&'static HeuristicFacts> {
        let name = if self.retired.contains(&name) { self.default_heuristic } else { name };
        self.heuristics.iter().find(|facts| facts.name == name)
    }

    /// Returns the notation with this name.
    #[must_use]
    pub fn notation(&self, name: &str) -> Option<Notation> {
        self.notations.iter().copied().find(|notation| notation.name() == name)
    }
}
