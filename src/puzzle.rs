//! Puzzles: a file read, validated, solved.
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

mod exploring;
mod fingerprint;
mod loading;
mod options;
mod planning;
mod reading;
pub mod schema;
mod solution;
mod solve_error;
mod suiting;
mod text;
mod warnings;

pub use crate::domain::{Notation, Searchable, Step, Style};
pub use exploring::Exploration;
pub use loading::Loading;
pub use options::Options;
pub use planning::Plan;
pub use solution::{Outcome, Solution};
pub use solve_error::SolveError;
pub use suiting::Suiting;
pub(crate) use text::{read_text, text_of};

use crate::argument::Refutation;
use crate::diagnostic::Report;
use crate::domain::{BuildContext, DomainFacts, HeuristicFacts, Instance, Rules, Scrambled, Stage};
use crate::search::{Algorithm, Limit, Limits, Stats, Together, Verdict, Weight};
use solve_error::{
    endless, illegal, not_shared_out, refused_heuristic, remembers_all, unknown_heuristic, unproven, unsuited,
};
use std::num::NonZero;
use std::path::Path;
use std::time::Instant;

/// A puzzle file, read and found good.
pub struct Puzzle {
    title: String,
    about: About,
    facts: &'static DomainFacts,
    instance: Box<dyn Instance>,
    search: Search,
    expect: Expect,
    parts: fingerprint::Parts,
    text: warnings::Text,
}

/// How the file says that it is to be searched.
#[derive(Default)]
struct Search {
    algorithm: Option<Algorithm>,
    heuristic: Option<&'static HeuristicFacts>,
    depth_limit: Option<u32>,
    closed_limit: Option<NonZero<usize>>,
    weight: Option<Weight>,
    automaton: Option<bool>,
}

/// What a file says about a puzzle beside its title.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// Who made it.
    pub author: Option<String>,
    /// Where it comes from.
    pub source: Option<String>,
    /// What there is to say of it.
    pub description: Option<String>,
    /// Words to find it by.
    pub tags: Vec<String>,
}

impl About {
    /// Whether it takes minutes, or longer than is known, so that it is solved only where that is asked for.
    #[must_use]
    pub fn is_long(&self) -> bool {
        self.tags.iter().any(|tag| tag == "long")
    }
}

/// What a puzzle's author claims.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expect {
    /// `solved` or `unsolvable`.
    pub outcome: Option<Outcome>,
    /// The least cost of a solution.
    pub cost: Option<f64>,
}

impl Puzzle {
    /// Reads a puzzle file; [`Loading`] says what it may reach for.
    ///
    /// # Errors
    /// That the file cannot be read, or every mistake in it, with its place.
    pub fn load(path: impl AsRef<Path>) -> Result<Puzzle, Report> {
        Loading::default().load(path)
    }

    /// Reads the text of a puzzle file; errors will call the file `name`, and files that it names are looked for beside.
    ///
    /// # Errors
    /// Every mistake in it, with its place.
    pub fn parse(text: &str, name: &str) -> Result<Puzzle, Report> {
        Loading::default().parse(text, name)
    }

    /// What it is called.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What else the file says about it.
    #[must_use]
    pub fn about(&self) -> &About {
        &self.about
    }

    /// What its author claims.
    #[must_use]
    pub fn expect(&self) -> &Expect {
        &self.expect
    }

    /// The domain that it belongs to.
    #[must_use]
    pub fn domain(&self) -> &'static DomainFacts {
        self.facts
    }

    /// What counts as one move, where the domain has a choice.
    #[must_use]
    pub fn metric(&self) -> Option<&'static str> {
        self.instance.metric()
    }

    /// The size, as people say it.
    #[must_use]
    pub fn size(&self) -> String {
        self.instance.size()
    }

    /// The reason why there is no solution, where that can be told without a search.
    #[must_use]
    pub fn unsolvable(&self) -> Option<String> {
        self.instance.unsolvable()
    }

    /// Whether silence of [`unsolvable`](Self::unsolvable) means that there is a solution.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.facts.decides_solvability && !self.instance.is_undecided()
    }

    /// What the file became, where its domain compiles it: the size of what is searched.
    #[must_use]
    pub fn summary(&self) -> Option<String> {
        self.instance.summary()
    }

    /// The number of states that can be reached from the start, where a formula is known.
    #[must_use]
    pub fn states(&self) -> Option<String> {
        self.instance.states()
    }

    /// The state space with one of the domain's heuristics, the smallest of its kind.
    ///
    /// # Errors
    /// That the domain has no heuristic of this name, or none for this puzzle.
    pub fn space(&self, heuristic: &str) -> Result<Box<dyn Searchable>, SolveError> {
        Ok(self.instance.space(self.heuristic(heuristic)?, &BuildContext { size: Some(0), ..BuildContext::default() }))
    }

    /// The heuristic by which positions are measured: this one, else the file's, else the domain's, `zero` where that is
    /// not to be had for this puzzle.
    ///
    /// # Errors
    /// That the domain has no heuristic of this name, or none for this puzzle.
    pub fn guide(&self, named: Option<&str>) -> Result<&'static str, SolveError> {
        if let Some(name) = named {
            return Ok(self.heuristic(name)?.name);
        }
        let usual = self.instance.default_heuristic().unwrap_or(self.facts.default_heuristic);
        let guide = self.search.heuristic.or_else(|| self.heuristic(usual).ok());
        Ok(guide.unwrap_or(&HeuristicFacts::ZERO).name)
    }

    /// Returns the algorithm of a search that names none: the file's, else the domain's.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        let usual = self.instance.default_algorithm().unwrap_or(self.facts.default_algorithm);
        self.search.algorithm.unwrap_or(usual)
    }

    /// Whether positions are small enough to be drawn for people.
    #[must_use]
    pub fn is_drawn(&self) -> bool {
        self.instance.is_drawn()
    }

    /// Whether names of moves may have spaces: a list of moves then has one move a line.
    #[must_use]
    pub fn has_spaced_moves(&self) -> bool {
        self.instance.has_spaced_moves()
    }

    /// Another start with the same goal, as [`Instance::scrambled`] makes it; none where the domain cannot.
    #[must_use]
    pub fn scrambled(&self, moves: Option<u32>, seed: u64) -> Option<Scrambled> {
        self.instance.scrambled(moves, seed)
    }

    /// The start, in rows of text, each ended; drawn for people, only its size if it is too large.
    #[must_use]
    pub fn draw(&self, style: Style) -> String {
        if style == Style::Drawn && !self.is_drawn() {
            return format!("a board of {}, too large to be drawn\n", self.size());
        }
        self.instance.space(&HeuristicFacts::ZERO, &BuildContext::default()).draw(style)
    }

    /// The puzzle to be played by its rules, and whether these are written a second time, apart from what is searched:
    /// else they are the moves of the state space.
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

    /// Looks for a solution; with an algorithm that proves it, for a shortest one.
    ///
    /// # Errors
    /// That the domain has no heuristic of the name asked for, or none for this puzzle, or that the algorithm cannot
    /// search this puzzle, or not prove the cost of the solutions that are to be counted; that a move to start with is
    /// not legal.
    pub fn solve(&self, options: &Options) -> Result<Solution, SolveError> {
        let started = Instant::now();
        let preferred = self.instance.default_algorithm().unwrap_or(self.facts.default_algorithm);
        let chosen = options.algorithm.or(self.search.algorithm).unwrap_or(preferred);
        let weight = options.weight.or(self.search.weight);
        let algorithm = match (chosen, weight) {
            (Algorithm::WeightedAStar(_), Some(weight)) => Algorithm::WeightedAStar(weight),
            _ => chosen,
        };
        let informed = algorithm.facts().informed;
        let mut limits = options.limits.clone();
        limits.depth = limits.depth.or(self.search.depth_limit);
        if limits.closed.is_some() && !algorithm.takes_closed_limit() {
            return Err(remembers_all(algorithm));
        }
        // What the file says is for the algorithm that the file says.
        limits.closed = limits.closed.or(self.search.closed_limit).filter(|_| algorithm.takes_closed_limit());
        if options.cluster.is_some() && algorithm != Algorithm::Bfs {
            return Err(not_shared_out(algorithm));
        }
        let proves = algorithm.proves_shortest() || (algorithm == Algorithm::Dfs && limits.depth.is_some());
        if options.all_shortest.is_some() && !proves {
            return Err(unproven(algorithm));
        }
        // The other processes are met in any case: they wait to be told of a limit.
        let time = limits.time.filter(|_| options.cluster.is_none());
        let context = BuildContext::within(&Limits { time, ..limits.clone() });
        self.instance.prepare(&context);
        self.instance.prepare_to_solve(&context);
        let named = match &options.heuristic {
            Some(name) => Some(self.heuristic_within(name, &context)?),
            None => self.search.heuristic,
        };
        let solution = |heuristic: &HeuristicFacts| {
            let reported = (named.is_some() || informed).then_some(heuristic.name);
            Solution::unsearched(algorithm, reported, named.is_some())
        };
        let usual = self.instance.default_heuristic().unwrap_or(self.facts.default_heuristic);
        let default = if informed { self.heuristic(usual).ok() } else { None };
        let default = default.unwrap_or(&HeuristicFacts::ZERO);
        if let Some(limit) = context.ended() {
            return Ok(solution(named.unwrap_or(default)).unfinished(limit, Stats::default(), 0.0, started.elapsed()));
        }
        if let Some(refutation) = self.instance.refutation() {
            return Ok(solution(named.unwrap_or(default)).unsolvable(refutation, started.elapsed()));
        }
        let climbs = named.is_none() && algorithm == preferred;
        let schedule = if climbs { self.instance.schedule() } else { Vec::new() };
        let last = Stage { heuristic: named.unwrap_or(default).name, size: u8::MAX, automaton: false, nodes: u64::MAX };
        let mut spent = Stats::default();
        let mut proven = 0.0_f64;
        for stage in schedule.iter().chain(schedule.is_empty().then_some(&last)) {
            let heuristic = self.heuristic(stage.heuristic)?;
            let context = BuildContext {
                size: climbs.then_some(stage.size),
                automaton: options.automaton.or(self.search.automaton).unwrap_or(stage.automaton),
                cache: options.cache.clone(),
                observer: options.observer.clone(),
                ..context.for_another_build()
            };
            if let Some(gauge) = &limits.gauge {
                gauge.prepare(informed.then_some(heuristic.name), heuristic.admissible || !informed);
            }
            let mut space = self.instance.space(heuristic, &context);
            if let Some(limit) = context.ended() {
                return Ok(solution(heuristic).unfinished(limit, spent, proven, started.elapsed()));
            }
            for written in &options.after {
                space = space.after(written, self.facts.notations).ok_or_else(|| illegal(written))?;
            }
            if let Some(reason) = space.objection(algorithm) {
                return Err(unsuited(algorithm, reason));
            }
            if options.all_shortest.is_some() && space.has_free_moves() {
                return Err(endless());
            }
            let mut within = limits.remaining(&spent, started.elapsed());
            let goes_on = within.nodes.is_none_or(|nodes| nodes > stage.nodes);
            if goes_on && stage.nodes < u64::MAX {
                within.nodes = Some(stage.nodes);
            }
            let (mut found, note) = match &options.cluster {
                None => (space.search(algorithm, &within), None),
                Some(cluster) => {
                    let Together { answer, note } = space.search_together(&within, cluster)?;
                    (answer, note)
                }
            };
            if let Some(record) = limits.proof_log.as_ref().filter(|_| informed) {
                record.guided_by(heuristic.name);
            }
            found.stats = spent.and(&found.stats);
            if let Verdict::Limit { limit, lower_bound, .. } = &mut found.verdict {
                proven = proven.max(*lower_bound);
                *lower_bound = proven;
                if *limit == Limit::Nodes && goes_on {
                    spent = found.stats;
                    continue;
                }
            }
            let stats = found.stats;
            let exhausted = matches!(found.verdict, Verdict::Unsolvable);
            let guidance = space.guidance().filter(|_| informed).map(|told| format!("{told}; h(start) {}", space.h()));
            let solution = solution(heuristic).told(guidance, note).found(
                found,
                heuristic.admissible || !informed,
                started.elapsed(),
            );
            let solution = if exhausted { solution.because(exhaustion(&*space, heuristic, &stats)) } else { solution };
            let Some(told) = options.all_shortest else { return Ok(solution) };
            if solution.outcome() == Outcome::Solved && !solution.is_optimal() {
                return Err(unproven(algorithm));
            }
            return Ok(solution.with_all_shortest(told, &limits.remaining(&stats, started.elapsed()), started));
        }
        unreachable!("the last step of a ladder has no end")
    }

    /// The heuristics of the domain that this puzzle does not refuse.
    pub fn heuristics(&self) -> impl Iterator<Item = &'static HeuristicFacts> {
        self.facts.heuristics.iter().filter(|facts| self.instance.refuses(facts, &BuildContext::default()).is_none())
    }

    /// One of the domain's heuristics.
    ///
    /// # Errors
    /// That the domain has no heuristic of this name, or none for this puzzle.
    pub fn heuristic(&self, name: &str) -> Result<&'static HeuristicFacts, SolveError> {
        self.heuristic_within(name, &BuildContext::default())
    }

    /// The same where `context` may end it: then the heuristic is not refused.
    fn heuristic_within(&self, name: &str, context: &BuildContext) -> Result<&'static HeuristicFacts, SolveError> {
        let facts = self.facts.heuristic(name).ok_or_else(|| unknown_heuristic(self.facts, name))?;
        refusal(&*self.instance, facts, context)
    }
}

/// Why a search that has come to its end proves that there is no solution.
fn exhaustion(space: &dyn Searchable, heuristic: &HeuristicFacts, stats: &Stats) -> Refutation {
    let all = "every state that can be reached was searched";
    let name = heuristic.name;
    if !stats.pruned {
        return all.to_owned().into();
    }
    if space.h().is_infinite() {
        let refutation = space.refutation();
        return refutation
            .unwrap_or_else(|| format!("`{name}` proves that no goal can be reached from the start").into());
    }
    format!("{all}, except those from which `{name}` proves that no goal can be reached").into()
}

/// A heuristic, if the puzzle does not refuse it; where `context` ended finding that out, it does not.
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
