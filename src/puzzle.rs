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

mod compatibility;
mod explanation;
mod exploring;
mod fingerprint;
mod loading;
mod options;
mod planning;
mod reading;
pub mod schema;
mod solution;
mod solve_error;
mod source;
mod text;
mod warnings;

pub use crate::domain::{Notation, OVERLAYS, Property, Searchable, Step, Style};
pub use compatibility::Compatibility;
pub use explanation::{Explanation, Refused, StageTaken};
pub use exploring::Exploration;
pub use loading::Loading;
pub use options::Options;
pub use planning::Plan;
pub use solution::{Outcome, Solution};
pub use solve_error::SolveError;
pub use source::Source;
pub(crate) use source::file_of;
pub(crate) use text::{bytes_of, decoded, read_text, utf8};

use crate::argument::Refutation;
use crate::diagnostic::Report;
use crate::domain::{BuildContext, DomainFacts, HeuristicFacts, Instance, Rules, Scrambled, Stage};
use crate::search::{Algorithm, BeamWidth, Limit, Limits, Stats, Together, Verdict, Weight};
use solve_error::{
    endless, illegal, not_on_disk, not_shared_out, refused_heuristic, remembers_all, unknown_heuristic,
    unknown_reduction, unproven, unsuited,
};
use std::num::NonZero;
use std::path::Path;
use std::time::Instant;

/// A puzzle file, read and validated.
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
}

/// The choices that a search begins with.
struct Chosen {
    algorithm: Algorithm,
    limits: Limits,
    /// The heuristic that the options or the file name.
    named: Option<&'static HeuristicFacts>,
    /// The heuristic if none is named.
    default: &'static HeuristicFacts,
    /// True if the stages of the domain's schedule follow one another.
    climbs: bool,
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
    #[must_use]
    pub fn scrambled(&self, moves: Option<u32>, seed: u64) -> Option<Scrambled> {
        self.instance.scrambled(moves, seed)
    }

    /// Returns another start, reached by a random walk, as [`Instance::walked`] makes it; `None` if the domain cannot.
    #[must_use]
    pub fn walked(&self, moves: u32, seed: u64) -> Option<Scrambled> {
        self.instance.walked(moves, seed)
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

    /// Checks the names of reductions to do without.
    ///
    /// # Errors
    /// The domain has no reduction of one of these names.
    pub fn check_reductions(&self, names: &[String]) -> Result<(), SolveError> {
        let is_known = |name: &&String| self.facts.reductions.iter().any(|known| known.name == **name);
        names.iter().find(|name| !is_known(name)).map_or(Ok(()), |name| Err(unknown_reduction(self.facts, name)))
    }

    /// Chooses the algorithm, the limits and the heuristic by the options, the file and the domain, in this order.
    ///
    /// # Errors
    /// Those of [`solve`](Self::solve) that are known before the search.
    fn chosen(&self, options: &Options, context: &BuildContext) -> Result<Chosen, SolveError> {
        let preferred = self.instance.default_algorithm().unwrap_or(self.facts.default_algorithm);
        let layered = options.disk.as_ref().map(|_| Algorithm::Bfs);
        let chosen = options.algorithm.or(layered).or(self.search.algorithm).unwrap_or(preferred);
        let weight = options.weight.or(self.search.weight);
        let width = options.width.or(self.search.width);
        let algorithm = match chosen {
            Algorithm::WeightedAStar(default) => Algorithm::WeightedAStar(weight.unwrap_or(default)),
            Algorithm::Beam(default) => Algorithm::Beam(width.unwrap_or(default)),
            _ => chosen,
        };
        let informed = algorithm.facts().informed;
        let mut limits = options.limits.clone();
        limits.depth = limits.depth.or(self.search.depth_limit);
        if limits.closed.is_some() && !algorithm.takes_closed_limit() {
            return Err(remembers_all(algorithm));
        }
        // The file's limit on the closed list is for the file's algorithm.
        limits.closed = limits.closed.or(self.search.closed_limit).filter(|_| algorithm.takes_closed_limit());
        if options.cluster.is_some() && algorithm != Algorithm::Bfs {
            return Err(not_shared_out(algorithm));
        }
        if options.disk.is_some() && algorithm != Algorithm::Bfs {
            return Err(not_on_disk(algorithm));
        }
        let proves = algorithm.proves_shortest() || (algorithm == Algorithm::Dfs && limits.depth.is_some());
        if options.all_shortest.is_some() && !proves {
            return Err(unproven(algorithm));
        }
        let named = match &options.heuristic {
            Some(name) => Some(self.heuristic_within(name, context)?),
            None => self.search.heuristic,
        };
        let usual = self.instance.default_heuristic().unwrap_or(self.facts.default_heuristic);
        // Best-first width search proves nothing, so its heuristic may overestimate.
        let guide = self.facts.heuristics.iter().find(|heuristic| !heuristic.admissible);
        let usual = guide.filter(|_| algorithm == Algorithm::BestFirstWidth).map_or(usual, |guide| guide.name);
        let default = if informed { self.heuristic(usual).ok() } else { None };
        let default = default.unwrap_or(&HeuristicFacts::ZERO);
        // A named algorithm ends when its memory does.
        limits.deepens = options.algorithm.or(self.search.algorithm).is_none();
        let climbs = named.is_none() && algorithm == preferred;
        Ok(Chosen { algorithm, limits, named, default, climbs })
    }

    /// Searches for a solution; for a shortest one if the algorithm proves it.
    ///
    /// # Errors
    /// - The domain has no heuristic of the requested name, or none for this puzzle; or no such reduction.
    /// - The algorithm cannot search this puzzle, or does not prove the cost of the solutions to be counted.
    /// - A move to start with is not legal.
    pub fn solve(&self, options: &Options) -> Result<Solution, SolveError> {
        let started = Instant::now();
        self.check_reductions(&options.without)?;
        // Meet the other processes in any case: they wait to hear of a limit.
        let time = options.limits.time.filter(|_| options.cluster.is_none());
        let context = BuildContext::within(&Limits { time, ..options.limits.clone() });
        // The result decides on the algorithm, too.
        self.instance.prepare(&context);
        self.instance.prepare_to_solve(&context);
        let Chosen { algorithm, limits, named, default, climbs } = self.chosen(options, &context)?;
        let informed = algorithm.facts().informed;
        let solution = |algorithm: Algorithm, heuristic: &HeuristicFacts| {
            let reported = (named.is_some() || informed).then_some(heuristic.name);
            Solution::unsearched(algorithm, reported, named.is_some())
        };
        if let Some(limit) = context.ended() {
            return Ok(solution(algorithm, named.unwrap_or(default)).unfinished(
                limit,
                Stats::default(),
                0.0,
                started.elapsed(),
            ));
        }
        let mut explanation = options.explain.then(|| {
            let is_named = options.algorithm.or(self.search.algorithm).is_some();
            self.reasons(is_named, informed.then_some((named.is_some(), climbs)), &context)
        });
        let is_alone = options.cluster.is_none() && options.disk.is_none() && limits.proof_log.is_none();
        let is_searched_first = is_alone && self.instance.is_decided_by(algorithm);
        let refuted = |refutation, explanation| {
            let solution = solution(algorithm, named.unwrap_or(default)).explained(explanation);
            solution.unsolvable(refutation, started.elapsed())
        };
        if !is_searched_first && let Some(refutation) = self.instance.refutation() {
            return Ok(refuted(refutation, explanation));
        }
        let schedule = if climbs { self.instance.schedule() } else { Vec::new() };
        let name = named.unwrap_or(default).name;
        let last = Stage { heuristic: name, size: u8::MAX, automaton: false, nodes: u64::MAX, algorithm: None };
        let mut total = Stats::default();
        let mut proven = 0.0_f64;
        for stage in schedule.iter().chain(schedule.is_empty().then_some(&last)) {
            let heuristic = self.heuristic(stage.heuristic)?;
            let algorithm = stage.algorithm.unwrap_or(algorithm);
            let context = BuildContext {
                size: climbs.then_some(stage.size),
                automaton: options.automaton.or(self.search.automaton).unwrap_or(stage.automaton),
                cache: options.cache.clone(),
                explain: options.explain,
                without: options.without.clone(),
                observer: options.observer.clone(),
                ..context.for_another_build()
            };
            if stage.nodes < u64::MAX && self.instance.skips(stage, &context) {
                continue;
            }
            if let Some(gauge) = &limits.gauge {
                gauge.prepare(informed.then_some(heuristic.name), heuristic.admissible || !informed);
            }
            let mut space = self.instance.space(heuristic, &context);
            if let Some(limit) = context.ended() {
                let solution = solution(algorithm, heuristic).explained(explanation);
                return Ok(solution.unfinished(limit, total, proven, started.elapsed()));
            }
            for written in &options.after {
                space = space.after(written, self.facts.notations).ok_or_else(|| illegal(written))?;
            }
            if let Some(reason) = space.objection(algorithm) {
                if stage.algorithm.is_some() {
                    continue;
                }
                return Err(unsuited(algorithm, reason));
            }
            if options.all_shortest.is_some() && space.has_free_moves() {
                return Err(endless());
            }
            let mut within = limits.remaining(&total, started.elapsed());
            let goes_on = within.nodes.is_none_or(|nodes| nodes > stage.nodes);
            if goes_on && stage.nodes < u64::MAX {
                within.nodes = Some(stage.nodes);
            }
            let (mut found, note) = match (&options.cluster, &options.disk) {
                (None, None) => (space.search(algorithm, &within), None),
                (None, Some(disk)) => (space.search_on_disk(&within, disk)?, None),
                (Some(cluster), _) => {
                    let Together { answer, note } = space.search_together(&within, cluster)?;
                    (answer, note)
                }
            };
            // The answer is the same as that of a question asked before the search.
            if is_searched_first
                && !matches!(found.verdict, Verdict::Solved { .. })
                && let Some(refutation) = self.instance.refutation()
            {
                return Ok(refuted(refutation, explanation));
            }
            if let Some(record) = limits.proof_log.as_ref().filter(|_| informed) {
                record.guided_by(heuristic.name);
            }
            if let Some(explanation) = &mut explanation {
                explanation.stages.push(StageTaken {
                    heuristic: informed.then_some(heuristic.name),
                    node_limit: (stage.nodes < u64::MAX).then_some(stage.nodes),
                    expanded: found.stats.expanded,
                    guidance: space.guidance().filter(|_| informed),
                });
                explanation.add(space.savings());
            }
            found.stats = total.and(&found.stats);
            if let Verdict::Limit { limit, lower_bound, .. } = &mut found.verdict {
                proven = proven.max(*lower_bound);
                *lower_bound = proven;
                if *limit == Limit::Nodes && goes_on {
                    total = found.stats;
                    continue;
                }
            }
            let stats = found.stats;
            let exhausted = matches!(found.verdict, Verdict::Unsolvable);
            let guidance =
                space.guidance().filter(|_| informed).map(|guidance| format!("{guidance}; h(start) {}", space.h()));
            let deepened = stats.deepened_after.map(|states| {
                format!(
                    "memory ended after {states} expanded states; iterative deepening with a transposition table went on"
                )
            });
            let solution = solution(algorithm, heuristic)
                .explained(explanation.take())
                .with_notes(guidance, note.or(deepened))
                .found(found, heuristic.admissible || !informed, started.elapsed());
            let solution = if exhausted { solution.because(exhaustion(&*space, heuristic, &stats)) } else { solution };
            let Some(count) = options.all_shortest else { return Ok(solution) };
            if solution.outcome() == Outcome::Solved && !solution.is_optimal() {
                return Err(unproven(algorithm));
            }
            return Ok(solution.with_all_shortest(count, &limits.remaining(&stats, started.elapsed()), started));
        }
        unreachable!("the last stage has no node limit")
    }

    /// Returns why the search is chosen: whether options or the file name the algorithm, and, for an algorithm with a
    /// heuristic, whether they name the heuristic, and whether the domain's schedule chooses it.
    fn reasons(&self, is_named: bool, heuristic: Option<(bool, bool)>, context: &BuildContext) -> Explanation {
        let by_name = || "named by the options or the file".to_owned();
        let algorithm = match (is_named, self.facts.name) {
            (true, _) => by_name(),
            (false, domain) => format!("the default of the domain `{domain}`; it proves the least cost"),
        };
        let by_default = || "the domain's default".to_owned();
        let reason = |(is_named, climbs): (bool, bool)| match (is_named, climbs) {
            (true, _) => by_name(),
            (false, true) => self.instance.schedule_reason().unwrap_or_else(by_default),
            (false, false) => "the domain's default for algorithms that are not its own".to_owned(),
        };
        let refused = |facts: &HeuristicFacts| {
            let reason = self.instance.refuses(facts, context)?;
            Some(Refused { heuristic: facts.name, reason })
        };
        Explanation {
            algorithm,
            heuristics: heuristic.map(reason),
            stages: Vec::new(),
            refused: self.facts.heuristics.iter().filter_map(refused).collect(),
            savings: Vec::new(),
        }
    }

    /// Returns the heuristics that this puzzle does not refuse.
    pub fn heuristics(&self) -> impl Iterator<Item = &'static HeuristicFacts> {
        self.facts.heuristics.iter().filter(|facts| self.instance.refuses(facts, &BuildContext::default()).is_none())
    }

    /// Returns one of the domain's heuristics.
    ///
    /// # Errors
    /// The domain has no heuristic of this name, or none for this puzzle.
    pub fn heuristic(&self, name: &str) -> Result<&'static HeuristicFacts, SolveError> {
        self.heuristic_within(name, &BuildContext::default())
    }

    /// Returns one of the domain's heuristics; if `context` ends the test of whether it suits, it is not refused.
    fn heuristic_within(&self, name: &str, context: &BuildContext) -> Result<&'static HeuristicFacts, SolveError> {
        let facts = self.facts.heuristic(name).ok_or_else(|| unknown_heuristic(self.facts, name))?;
        refusal(&*self.instance, facts, context)
    }
}

/// Returns why an exhausted search proves that there is no solution.
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
