//! Domains: the kinds of puzzle, and the registry that maps the name in a file to one of them.
//!
//! Three steps lead from a file to a search, each a trait:
//! - a [`Domain`] is a kind of puzzle: it reads the keys of a file, and checks what they say;
//! - an [`Instance`] is what it means, validated: rules, a start, a goal that fits;
//! - a [`Searchable`] is a state space with one heuristic and its view, erased: what can be searched and shown.
//!
//! One use of [`domain!`](crate::domain!) registers a domain: its name, how its files are read, and its [`DomainFacts`], which
//! `engine domains` prints. Adding a domain is a folder below `domain/` and its `mod` line here.

mod border;
#[doc(hidden)]
pub mod colors;
mod folder;
pub mod import;
mod means;
mod parts;
mod plain;
mod registry;
mod rules;
#[doc(hidden)]
pub mod table;
#[doc(hidden)]
pub mod table_store;
mod warning;

pub use crate::search::SplitMix64;
pub use border::{Notation, Route, Routes, Searchable, Step, Style, View, searchable};
pub use folder::{FileRead, Folder, NamedFile};
pub use folder::{lies_below, open_given, open_regular};
pub use means::{Means, Observer, Progress};
pub use parts::{Counted, Parts, Target, Trace};
pub use plain::{Plain, plain};
pub use registry::named;
pub use registry::{Domain, facts, macros, registered};
pub use rules::{Rules, Successor, no_such_move};
pub use table_store::distrusted;
pub use table_store::forget_tables;
pub use warning::WarningContext;

use crate::argument::Refutation;
use crate::diagnostic::Diagnostic;
use crate::document::Findings;
use crate::document::{Document, Keys};
use crate::search::{Algorithm, Limit, resident};
use std::cell::RefCell;
use std::ops::Range;

/// The file that [`Domain::read`] reads, beside its keys.
pub struct FileContext<'a> {
    /// The text of the file: spans point into it.
    pub source: &'a str,
    /// The folder of the file: [`open`](FileContext::open) looks there for other files that it names.
    pub folder: Folder<'a>,
    /// Where a missing key would go.
    pub insertion: usize,
    /// The errors found so far. A key whose value was refused is not missing.
    pub findings: &'a Findings,
    /// What reading may spend.
    pub means: &'a Means,
    /// The other files that were read, since they are part of the puzzle.
    pub names: &'a RefCell<Vec<FileRead>>,
}

impl FileContext<'_> {
    /// Reads the keys of a domain from a text, for tests.
    pub fn of_text<T>(
        source: &str,
        read: impl FnOnce(&Keys, &FileContext) -> Result<T, Vec<Diagnostic>>,
    ) -> Result<T, Vec<Diagnostic>> {
        let (folder, findings, names) = (Folder::of("".as_ref(), false), Findings::default(), RefCell::default());
        let (means, document) = (Means::default(), Document::parse(source)?);
        let file = FileContext { source, folder, insertion: 0, findings: &findings, means: &means, names: &names };
        let read = read(&document.keys(&findings), &file);
        match findings.take_errors() {
            errors if errors.is_empty() => read,
            errors => Err(errors.into_iter().chain(read.err().into_iter().flatten()).collect()),
        }
    }

    /// Whether so many bytes may be taken for what the value at a place asks for.
    ///
    /// # Errors
    /// That they may not.
    pub fn room_for(&self, bytes: u64, span: &Range<usize>) -> Result<(), Diagnostic> {
        if self.means.limits.resident.is_none_or(|most| resident().saturating_add(bytes) <= most) {
            return Ok(());
        }
        let mut error = Diagnostic::at(span.clone(), "this needs more memory than the limit leaves");
        error.limit = Some(Limit::Memory);
        Err(error.label(format!("about {} MiB", bytes >> 20)))
    }

    /// Whether no work was ended by [`Means::is_over`] or [`Means::fits`], so that its result is whole.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn may_go_on(&self) -> Result<(), Vec<Diagnostic>> {
        self.means.ended().map_or(Ok(()), |limit| Err(vec![Diagnostic::at_limit(limit)]))
    }

    /// Opens a file that the value at a place names; `what` says what it should be, as in `a map file`. It should not take
    /// more than twice its size to hold it.
    ///
    /// # Errors
    /// That it lies outside the folder, is no regular file, cannot be opened, or is too large for the memory.
    pub fn open(&self, written: &str, span: Range<usize>, what: &str) -> Result<NamedFile, Diagnostic> {
        let opened = self.folder.open(written, what);
        let opened = opened.map_err(|refused| {
            let near = || Some(format!("did you mean `{}`?", self.folder.near(written)?));
            Diagnostic { span: Some(span.clone()), help: refused.help.or_else(near), ..refused }
        })?;
        self.room_for(opened.bytes.saturating_mul(2), &span)?;
        self.names.borrow_mut().push(opened.as_read());
        Ok(opened)
    }

    /// A key that must be there: its value, or an error that names the place where it would go.
    ///
    /// # Errors
    /// That the key is missing; nothing where its value was refused already, since that has been said.
    pub fn required<T>(&self, key: &str, example: &str, value: Option<T>) -> Result<T, Vec<Diagnostic>> {
        value.ok_or_else(|| if self.findings.refused(key) { Vec::new() } else { vec![self.missing(key, example)] })
    }

    /// The error for a key that is missing.
    #[must_use]
    pub fn missing(&self, key: &str, example: &str) -> Diagnostic {
        Diagnostic::at(self.insertion..self.insertion, format!("missing key `{key}`"))
            .label(format!("`{key}` goes here"))
            .help(format!("add a line such as: {example}"))
    }
}

/// The most bytes of a name that every position may be drawn with.
pub const LONGEST_NAME: usize = 256;

/// A validated puzzle: it builds state spaces on demand, one for each heuristic asked for.
pub trait Instance: Send + Sync {
    /// What counts as one move, where the domain has a choice.
    fn metric(&self) -> Option<&'static str> {
        None
    }

    /// The size, as people say it: `4x4`, rows first.
    fn size(&self) -> String;

    /// Does the work that the other answers rest on, where it is much; what limits ended, [`Means::ended`] says, and is
    /// done when it is asked for.
    fn prepare(&self, _means: &Means) {}

    /// Does the work that [`unsolvable`](Self::unsolvable), [`refuses`](Self::refuses) and [`ladder`](Self::ladder)
    /// rest on, where it is much: only solving asks for these. Limits end it as they end [`prepare`](Self::prepare).
    fn prepare_to_solve(&self, _means: &Means) {}

    /// The reason why there is no solution, where that can be told without a search.
    fn unsolvable(&self) -> Option<String> {
        None
    }

    /// The same with the argument, where a checker can work it out again.
    fn refutation(&self) -> Option<Refutation> {
        self.unsolvable().map(Refutation::from)
    }

    /// Whether [`unsolvable`](Self::unsolvable) could not decide the question here, in a domain where it does.
    fn is_undecided(&self) -> bool {
        false
    }

    /// The number of states that can be reached from the start, where a formula is known.
    fn states(&self) -> Option<String> {
        None
    }

    /// What the file became, for domains that compile it: the size of what is searched, in a few words.
    fn became(&self) -> Option<String> {
        None
    }

    /// Returns what in the file is probably not what its author meant, though it is a puzzle. Computed only when asked
    /// for. By default, a goal that the start meets.
    fn warnings(&self, context: &WarningContext) -> Vec<Diagnostic> {
        let is_met = self.rules().is_some_and(|rules| rules.is_solved());
        is_met.then(|| context.met_at_the_start(context.goal.clone())).flatten().into_iter().collect()
    }

    /// Whether positions are small enough to be drawn for people.
    fn is_drawn(&self) -> bool {
        true
    }

    /// Whether the name of a move may have spaces: a list of moves then has one move a line.
    fn has_spaced_moves(&self) -> bool {
        false
    }

    /// Why this heuristic, one of those that the domain's facts list, is not to be had for this puzzle; where `means` ended
    /// finding that out, the answer means nothing.
    fn refuses(&self, _heuristic: &HeuristicFacts, _means: &Means) -> Option<String> {
        None
    }

    /// Another start with the same goal: after so many random moves from the goal, or, without their number, drawn
    /// from all that can be solved. The same seed gives the same start. None where the domain cannot scramble.
    fn scrambled(&self, _moves: Option<u32>, _seed: u64) -> Option<Scrambled> {
        None
    }

    /// The algorithm that is used where none is named, if it is not the domain's; it proves optimality.
    fn default_algorithm(&self) -> Option<Algorithm> {
        None
    }

    /// The heuristic that an informed algorithm uses where none is named, if it is not the domain's.
    fn default_heuristic(&self) -> Option<&'static str> {
        None
    }

    /// The heuristics that the default algorithm is to be tried with, one after the other, where none is named: none,
    /// if the domain's default is all that there is.
    fn ladder(&self) -> Vec<Rung> {
        Vec::new()
    }

    /// The rules, written a second time for those who check solutions; none where the moves of the state space are to
    /// be taken for them.
    fn rules(&self) -> Option<Box<dyn Rules + '_>> {
        None
    }

    /// The state space with this heuristic, one of those that the domain's facts list and that are not refused.
    fn space(&self, heuristic: &HeuristicFacts, means: &Means) -> Box<dyn Searchable>;
}

/// One step of a ladder of heuristics: cheap ones first, and dearer ones for searches that turn out long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rung {
    /// The heuristic's name.
    pub heuristic: &'static str,
    /// How large what is built for it may be, in the domain's own measure.
    pub size: u8,
    /// Whether searches in depth leave out duplicate sequences of moves, where the domain knows them.
    pub automaton: bool,
    /// After as many expanded states the next step is taken.
    pub nodes: u64,
}

/// A start that [`Instance::scrambled`] made, as it is written in a puzzle file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scrambled {
    /// The keys that say the start in its place, whichever of them a file has.
    pub replaced: &'static [&'static str],
    /// The new keys with their values, in lines.
    pub keys: String,
}

/// The facts of a domain. Write them in [`domain!`](crate::domain!): those that are left out are as in [`DomainFacts::new`].
#[derive(Debug)]
pub struct DomainFacts {
    /// The registered name.
    pub name: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
    /// The keys of a file, beside the shared ones.
    pub keys: &'static [Named],
    /// The metrics, the default first.
    pub metrics: &'static [Named],
    /// The heuristics.
    pub heuristics: &'static [HeuristicFacts],
    /// The ways of writing moves, the default first.
    pub notations: &'static [Notation],
    /// Whether [`Instance::unsolvable`] decides the question, so that silence means that there is a solution.
    pub decides_solvability: bool,
    /// The algorithm that is used where none is named; it proves optimality.
    pub default_algorithm: Algorithm,
    /// The heuristic that an informed algorithm uses where none is named.
    pub default_heuristic: &'static str,
    /// The types of the keys as a JSON Schema: an object with `properties`, and what else says which of them there must
    /// be; `puzzle::schema` adds what they mean. Empty where nothing is said of their types.
    pub schema: &'static str,
    /// The keys of a first puzzle, every one of them at least in a comment, as lines of TOML; empty where there is none.
    pub template: &'static str,
}

/// A name and what it stands for.
#[derive(Debug)]
pub struct Named {
    /// The name as it is written in files.
    pub name: &'static str,
    /// One line on what it is.
    pub summary: &'static str,
}

/// What there is to say of a heuristic.
#[derive(Debug)]
pub struct HeuristicFacts {
    /// The name as it is written in files.
    pub name: &'static str,
    /// Whether it never overestimates.
    pub admissible: bool,
    /// Whether it never falls by more than the cost of a move along that move.
    pub consistent: bool,
    /// What it counts, and where it comes from.
    pub summary: &'static str,
    /// Why it never overestimates, for who checks a proof that rests on it; empty where it does.
    pub because: &'static str,
}

impl HeuristicFacts {
    /// The heuristic that every domain has.
    pub const ZERO: HeuristicFacts = HeuristicFacts {
        name: "zero",
        admissible: true,
        consistent: true,
        summary: "nothing: turns A* into uniform-cost search",
        because: "no cost is negative",
    };
}

impl DomainFacts {
    /// Returns the facts of a domain without keys and metrics, with the heuristic `zero`, its own notation, and breadth-first
    /// search.
    #[must_use]
    pub const fn new(name: &'static str, summary: &'static str) -> DomainFacts {
        DomainFacts {
            name,
            summary,
            keys: &[],
            metrics: &[],
            heuristics: &[HeuristicFacts::ZERO],
            notations: &[Notation::STANDARD],
            decides_solvability: false,
            default_algorithm: Algorithm::Bfs,
            default_heuristic: "zero",
            schema: "",
            template: "",
        }
    }

    /// The heuristic with this name.
    #[must_use]
    pub fn heuristic(&self, name: &str) -> Option<&'static HeuristicFacts> {
        self.heuristics.iter().find(|facts| facts.name == name)
    }

    /// The notation with this name.
    #[must_use]
    pub fn notation(&self, name: &str) -> Option<Notation> {
        self.notations.iter().copied().find(|notation| notation.name() == name)
    }
}
