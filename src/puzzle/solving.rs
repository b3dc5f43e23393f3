//! Solving a puzzle: the choice of the search, then the stages of the domain's schedule, one after the other.

use super::solve_error::{
    endless, given_up, illegal, may_overestimate, not_on_disk, not_shared_out, remembers_all, unproven, unsuited,
};
use super::{Explanation, Options, Outcome, Puzzle, Refused, Search, Solution, SolveError, StageTaken};
use crate::argument::Refutation;
use crate::domain::{BuildContext, HeuristicFacts, Route, Searchable, Stage, TraceRecord};
use crate::search::{Algorithm, Found, Guarantee, Limit, Limits, Place, Request, Response, Stats, Verdict, Work};
use std::num::NonZero;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The choices that a search begins with.
struct Chosen {
    algorithm: Algorithm,
    limits: Limits,
    /// The heuristic that the options or the file name.
    named: Option<&'static HeuristicFacts>,
    /// The heuristic if none is named.
    default: &'static HeuristicFacts,
    /// True if options or the file name the algorithm.
    names_algorithm: bool,
    /// True if the stages of the domain's schedule follow one another.
    climbs: bool,
}

impl Chosen {
    /// Returns whether the algorithm uses a heuristic.
    fn is_informed(&self) -> bool {
        self.algorithm.facts().informed
    }

    fn heuristic(&self) -> &'static HeuristicFacts {
        self.named.unwrap_or(self.default)
    }
}

impl Puzzle {
    /// Searches for a solution; for a shortest one if the algorithm proves it.
    ///
    /// # Errors
    /// - The domain has no heuristic of the requested name, or none for this puzzle; or no such reduction.
    /// - The algorithm cannot search this puzzle, or does not prove the cost of the solutions to be counted.
    /// - A move to start with is not legal.
    pub fn solve(&self, options: &Options) -> Result<Solution, SolveError> {
        let started = Instant::now();
        self.check_without(&options.without)?;
        // Meet the other processes in any case: they wait to hear of a limit.
        let time = options.limits.time.filter(|_| !matches!(options.place, Place::Cluster(_)));
        let context = BuildContext::within(&Limits { time, ..options.limits.clone() });
        // The result decides on the algorithm, too.
        self.instance.prepare(&context);
        self.instance.prepare_to_solve(&context);
        let chosen = self.chosen(options, &context)?;
        Solving {
            puzzle: self,
            options,
            context: &context,
            chosen,
            started,
            explanation: None,
            total: Stats::default(),
            proven: 0.0,
            building: Duration::ZERO,
        }
        .run()
    }

    /// Searches for a shortest solution by the plainest search that proves it, for puzzles whose few states take less time
    /// than the analyses that guide a search. Returns its cost and its moves, and `Some(None)` if there is no solution;
    /// `None` if no more is known after `nodes` expanded states, or at a limit.
    #[must_use]
    pub fn solve_small(&self, nodes: u64, limits: &Limits) -> Option<Option<(f64, Box<dyn Route>)>> {
        if self.is_decided() && self.unsolvable().is_some() {
            return Some(None);
        }
        let (space, limits) = self.opened(limits, Instant::now()).ok()?;
        let algorithm = Algorithm::AStar;
        if space.objection(algorithm).is_some() {
            return None;
        }
        let limits = Limits { nodes: Some(limits.nodes.map_or(nodes, |least| least.min(nodes))), ..limits };
        let request = Request { work: Work::Search(algorithm), limits: &limits, place: &Place::Memory };
        let found = space.run(&request).ok()?.answer.found();
        match found.verdict {
            _ if space.has_unknown_moves() => None,
            Verdict::Solved { cost, path, .. } => Some(Some((cost, path))),
            Verdict::Unsolvable => Some(None),
            Verdict::Limit { .. } => None,
        }
    }

    /// Chooses the algorithm, the limits and the heuristic by the options, the file and the domain, in this order.
    ///
    /// # Errors
    /// Those of [`solve`](Self::solve) that are known before the search.
    fn chosen(&self, options: &Options, context: &BuildContext) -> Result<Chosen, SolveError> {
        let none = Search::default();
        let search = if options.ignores_file { &none } else { &self.search };
        let preferred = self.instance.default_algorithm().unwrap_or(self.facts.default_algorithm);
        let layered = matches!(options.place, Place::Disk(_)).then_some(Algorithm::Bfs);
        let chosen = options.algorithm.or(layered).or(search.algorithm).unwrap_or(preferred);
        let weight = options.weight.or(search.weight);
        let width = options.width.or(search.width);
        let algorithm = chosen.with(weight, width);
        let facts = algorithm.facts();
        let mut limits = options.limits.clone();
        limits.depth = limits.depth.or(search.depth_limit);
        if limits.closed.is_some() && !algorithm.takes_closed_limit() {
            return Err(remembers_all(algorithm));
        }
        // The file's limit on the closed list is for the file's algorithm.
        limits.closed = limits.closed.or(search.closed_limit).filter(|_| algorithm.takes_closed_limit());
        match options.place {
            Place::Cluster(_) if !facts.leaves_memory => return Err(not_shared_out(algorithm)),
            Place::Disk(_) if !facts.leaves_memory => return Err(not_on_disk(algorithm)),
            _ => {}
        }
        if options.all_shortest.is_some() && !facts.guarantee.is_shortest(limits.depth) {
            return Err(unproven(algorithm));
        }
        let named = match (&options.given, &options.heuristic) {
            (Some(given), _) => Some(given.facts()),
            (None, Some(name)) => Some(self.heuristic_within(name, context)?),
            (None, None) => search.heuristic,
        };
        let usual = self.instance.default_heuristic().unwrap_or(self.facts.default_heuristic);
        let is_rough = named.is_none() && facts.informed && facts.guarantee == Guarantee::None;
        let rough = if is_rough { self.rough_heuristic(facts.may_overestimate, context) } else { None };
        let default = rough.or_else(|| self.heuristic(usual).ok().filter(|_| facts.informed));
        let default = default.unwrap_or(&HeuristicFacts::ZERO);
        let names_algorithm = options.algorithm.or(search.algorithm).is_some();
        // A named algorithm ends when its memory does.
        limits.deepens = !names_algorithm;
        let climbs = named.is_none() && algorithm == preferred;
        Ok(Chosen { algorithm, limits, named, default, names_algorithm, climbs })
    }
}

/// A puzzle that is being solved.
struct Solving<'a> {
    puzzle: &'a Puzzle,
    options: &'a Options,
    context: &'a BuildContext,
    chosen: Chosen,
    started: Instant,
    explanation: Option<Explanation>,
    /// The effort of the stages so far.
    total: Stats,
    /// The lower bound that they proved.
    proven: f64,
    /// The time that building the spaces took.
    building: Duration,
}

impl Solving<'_> {
    fn run(mut self) -> Result<Solution, SolveError> {
        let solution = self.solution()?;
        Ok(solution.built_in(self.building))
    }

    fn solution(&mut self) -> Result<Solution, SolveError> {
        if let Some(limit) = self.context.ended() {
            let solution = self.unsearched(self.chosen.algorithm, self.chosen.heuristic());
            return Ok(solution.unfinished(limit, Stats::default(), 0.0, self.started.elapsed()));
        }
        self.explanation = self.options.explain.then(|| self.reasons());
        if !self.is_searched_first()
            && let Some(refutation) = self.puzzle.instance.refutation()
        {
            return Ok(self.refuted(refutation));
        }
        let schedule = if self.chosen.climbs { self.schedule() } else { Vec::new() };
        let heuristic = self.chosen.heuristic().name;
        let only = Stage { heuristic, size: u8::MAX, automaton: false, nodes: u64::MAX, algorithm: None };
        for stage in schedule.iter().chain(schedule.is_empty().then_some(&only)) {
            if let Some(solution) = self.stage(stage)? {
                return Ok(solution);
            }
        }
        unreachable!("the last stage has no node limit")
    }

    /// Returns the stages of the domain's schedule but those of heuristics that the options leave out. If the last one
    /// goes, the one before has no node limit; if all go, one without a heuristic is left.
    fn schedule(&self) -> Vec<Stage> {
        let all = self.puzzle.instance.schedule();
        let Some(last) = all.last() else { return all };
        let blind = Stage { heuristic: HeuristicFacts::ZERO.name, ..*last };
        let mut left = all;
        left.retain(|stage| self.options.without.iter().all(|name| name != stage.heuristic));
        match left.last_mut() {
            Some(last) => last.nodes = u64::MAX,
            None => left.push(blind),
        }
        left
    }

    /// Returns why the search is chosen: whether options or the file name the algorithm, and, for an algorithm with a
    /// heuristic, whether they name the heuristic, and whether the domain's schedule chooses it.
    fn reasons(&self) -> Explanation {
        let (facts, instance) = (self.puzzle.facts, &self.puzzle.instance);
        let by_name = || "named by the options or the file".to_owned();
        let by_default = || "the domain's default".to_owned();
        let algorithm = match self.chosen.names_algorithm {
            true => by_name(),
            false => format!("the default of the domain `{}`; it proves the least cost", facts.name),
        };
        let heuristics = self.chosen.is_informed().then(|| match (self.chosen.named, self.chosen.climbs) {
            (Some(_), _) => by_name(),
            (None, true) => instance.schedule_reason().unwrap_or_else(by_default),
            (None, false) => "the domain's default for algorithms that are not its own".to_owned(),
        });
        let refused = |heuristic: &HeuristicFacts| {
            let reason = instance.refuses(heuristic, self.context)?;
            Some(Refused { heuristic: heuristic.name, reason })
        };
        let of_kind = facts.heuristics.iter().filter(|heuristic| instance.concerns(heuristic));
        let refused = of_kind.filter_map(refused).collect();
        Explanation {
            algorithm,
            heuristics,
            stages: Vec::new(),
            refused,
            savings: Vec::new(),
            nearest: None,
            changes: None,
        }
    }

    /// Returns whether the search begins before the question whether the puzzle is unsolvable is asked.
    fn is_searched_first(&self) -> bool {
        let is_plain = matches!(self.options.place, Place::Memory) && self.chosen.limits.proof_log.is_none();
        is_plain && self.puzzle.instance.is_decided_by(self.chosen.algorithm)
    }

    /// Returns a solution without an outcome.
    fn unsearched(&self, algorithm: Algorithm, heuristic: &HeuristicFacts) -> Solution {
        let is_named = self.chosen.named.is_some();
        let reported = (is_named || self.chosen.is_informed()).then_some(heuristic.name);
        Solution::unsearched(algorithm, reported, is_named)
    }

    fn refuted(&mut self, refutation: Refutation) -> Solution {
        if let Some(receiver) = &self.options.trace {
            let (puzzle, domain) = (self.puzzle.title(), self.puzzle.facts.name);
            receiver.receive(&TraceRecord::Refuted { puzzle, domain, reason: &refutation.reason });
        }
        let solution = self.unsearched(self.chosen.algorithm, self.chosen.heuristic());
        self.explain_failure();
        solution.explained(self.explanation.take()).unsolvable(refutation, self.started.elapsed())
    }

    /// Adds to the explanation how near the positions come to a goal, although there is no solution, and which change
    /// would do.
    fn explain_failure(&mut self) {
        if let Some(explanation) = &mut self.explanation {
            explanation.nearest = self.puzzle.nearest(&self.options.after, self.context);
            explanation.changes = self.puzzle.changes(&self.options.after, self.context);
        }
    }

    /// Runs a stage. Returns `None` if the next stage follows.
    fn stage(&mut self, stage: &Stage) -> Result<Option<Solution>, SolveError> {
        let given = self.options.given.as_ref();
        let heuristic = given.map_or_else(|| self.puzzle.heuristic(stage.heuristic), |given| Ok(given.facts()))?;
        let algorithm = stage.algorithm.unwrap_or(self.chosen.algorithm);
        let is_informed = self.chosen.is_informed();
        let context = self.context_of(stage);
        if stage.nodes < u64::MAX && self.puzzle.instance.skips(stage, &context) {
            return Ok(None);
        }
        if let Some(gauge) = &self.chosen.limits.gauge {
            gauge.prepare(is_informed.then_some(heuristic.name), heuristic.admissible || !is_informed);
        }
        let building = Instant::now();
        let mut space = match given {
            Some(given) => given.guide(self.puzzle.instance.space(&HeuristicFacts::ZERO, &context)),
            None => self.puzzle.instance.space(heuristic, &context),
        };
        self.building += building.elapsed();
        if let Some(limit) = context.ended() {
            let solution = self.unsearched(algorithm, heuristic).explained(self.explanation.take());
            return Ok(Some(solution.unfinished(limit, self.total, self.proven, self.started.elapsed())));
        }
        for written in &self.options.after {
            space = space.after(written, self.puzzle.facts.notations).ok_or_else(|| illegal(written))?;
        }
        if let Some(reason) = space.objection(algorithm) {
            return if stage.algorithm.is_some() { Ok(None) } else { Err(unsuited(algorithm, reason)) };
        }
        if self.options.all_shortest.is_some_and(|listed| listed > 0) && space.has_free_moves() {
            return Err(endless());
        }
        let mut limits = self.chosen.limits.remaining(&self.total, self.started.elapsed());
        let goes_on = limits.nodes.is_none_or(|nodes| nodes > stage.nodes);
        if goes_on && stage.nodes < u64::MAX {
            limits.nodes = Some(stage.nodes);
        }
        self.begin_trace(&*space, algorithm, heuristic, &mut limits);
        let request = Request { work: Work::Search(algorithm), limits: &limits, place: &self.options.place };
        let Response { answer, note } = space.run(&request)?;
        let mut found = answer.found();
        self.end_trace(&found);
        // The answer is the same as that of a question asked before the search.
        if self.is_searched_first()
            && !matches!(found.verdict, Verdict::Solved { .. })
            && let Some(refutation) = self.puzzle.instance.refutation()
        {
            return Ok(Some(self.refuted(refutation)));
        }
        if let Some(record) = self.chosen.limits.proof_log.as_ref().filter(|_| is_informed) {
            record.guided_by(heuristic.name);
        }
        if let Some(explanation) = &mut self.explanation {
            explanation.stages.push(StageTaken {
                heuristic: is_informed.then_some(heuristic.name),
                node_limit: (stage.nodes < u64::MAX).then_some(stage.nodes),
                expanded: found.stats.expanded,
                guidance: space.guidance().filter(|_| is_informed),
            });
            explanation.add(space.savings());
        }
        found.stats = self.total.and(&found.stats);
        if let Verdict::Limit { limit, lower_bound, .. } = &mut found.verdict {
            self.proven = self.proven.max(*lower_bound);
            *lower_bound = self.proven;
            if *limit == Limit::Nodes && goes_on {
                self.total = found.stats;
                return Ok(None);
            }
        }
        self.answer(&*space, algorithm, heuristic, found, note).map(Some)
    }

    /// Begins the trace of a search, if one is asked for.
    fn begin_trace(
        &self,
        space: &dyn Searchable,
        algorithm: Algorithm,
        heuristic: &HeuristicFacts,
        limits: &mut Limits,
    ) {
        let Some(receiver) = &self.options.trace else { return };
        let begin = TraceRecord::Begin {
            puzzle: self.puzzle.title(),
            domain: self.puzzle.facts.name,
            algorithm: algorithm.name(),
            heuristic: algorithm.facts().informed.then_some(heuristic.name),
        };
        if receiver.receive(&begin) {
            limits.trace = Some(space.trace(Arc::clone(receiver)));
        }
        // In any case: the counts must not depend on where the trace ends.
        limits.threads = Some(NonZero::<usize>::MIN);
    }

    fn end_trace(&self, found: &Found<Box<dyn Route>>) {
        let Some(receiver) = &self.options.trace else { return };
        let outcome = match found.verdict {
            Verdict::Solved { .. } => Outcome::Solved,
            Verdict::Unsolvable => Outcome::Unsolvable,
            Verdict::Limit { .. } => Outcome::Limit,
        };
        let Stats { expanded, generated, .. } = found.stats;
        receiver.receive(&TraceRecord::End { outcome: outcome.name(), expanded, generated });
    }

    /// Returns the context in which the space of a stage is built.
    fn context_of(&self, stage: &Stage) -> BuildContext {
        let of_file = self.puzzle.search.automaton.filter(|_| !self.options.ignores_file);
        let automaton = self.options.automaton.or(of_file);
        BuildContext {
            size: self.chosen.climbs.then_some(stage.size),
            automaton: automaton.unwrap_or(stage.automaton),
            cache: self.options.cache.clone(),
            explain: self.options.explain,
            without: self.options.without.clone(),
            observer: self.options.observer.clone(),
            ..self.context.for_another_build()
        }
    }

    /// Returns the solution by the result of the last search, whose effort is that of all stages.
    fn answer(
        &mut self,
        space: &dyn Searchable,
        algorithm: Algorithm,
        heuristic: &HeuristicFacts,
        found: Found<Box<dyn Route>>,
        note: Option<String>,
    ) -> Result<Solution, SolveError> {
        let stats = found.stats;
        let is_exhausted = matches!(found.verdict, Verdict::Unsolvable);
        if is_exhausted {
            self.explain_failure();
        }
        let is_informed = self.chosen.is_informed();
        let guidance = space.guidance().filter(|_| is_informed);
        let guidance = guidance.map(|guidance| format!("{guidance}; h(start) {}", space.h()));
        let deepened = stats.deepened_after.map(|states| {
            format!(
                "memory ended after {states} expanded states; iterative deepening with a transposition table went on"
            )
        });
        let unknown = Some(if self.options.given.is_some() { "a function" } else { "a heuristic of the file" });
        let solution = self
            .unsearched(algorithm, heuristic)
            .explained(self.explanation.take())
            .with_notes(guidance, note.or(deepened))
            .with_unknown_heuristic(unknown.filter(|_| heuristic.is_of_file() && is_informed))
            .found(found, heuristic.admissible || !is_informed, self.started.elapsed());
        let solution = if is_exhausted { solution.because(exhaustion(space, heuristic, &stats)) } else { solution };
        let Some(count) = self.options.all_shortest else { return Ok(solution) };
        if solution.outcome() == Outcome::Solved && !solution.is_optimal() {
            return Err(match space.has_unknown_moves() {
                true => given_up(),
                false if is_informed && !heuristic.admissible => may_overestimate(heuristic.name),
                false => unproven(algorithm),
            });
        }
        let remaining = self.chosen.limits.remaining(&stats, self.started.elapsed());
        if space.has_free_moves() {
            return self.counted(solution, heuristic, &remaining);
        }
        Ok(solution.with_all_shortest(count, heuristic.admissible, &remaining, self.started))
    }

    /// Counts the cheapest solutions apart from free moves, in a space without reductions that leave some out.
    fn counted(&self, solution: Solution, heuristic: &HeuristicFacts, limits: &Limits) -> Result<Solution, SolveError> {
        let Some(cost) = solution.cost().filter(|_| solution.is_optimal()) else { return Ok(solution) };
        let without = self.puzzle.prunings();
        let context = BuildContext { without, size: Some(0), ..BuildContext::within(limits) };
        let mut space = self.puzzle.instance.space(heuristic, &context);
        for written in &self.options.after {
            space = space.after(written, self.puzzle.facts.notations).ok_or_else(|| illegal(written))?;
        }
        let count = match context.ended() {
            Some(limit) => Err(limit),
            None => space.count_joined(cost, heuristic.admissible, limits),
        };
        match count {
            Ok(None) => Err(endless()),
            Ok(Some(count)) => Ok(solution.with_count(Ok(count), self.started)),
            Err(limit) => Ok(solution.with_count(Err(limit), self.started)),
        }
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
