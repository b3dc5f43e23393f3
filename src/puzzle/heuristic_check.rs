//! Checks of heuristics against exact costs: over the whole space if it is small, otherwise over a sample.
//!
//! The sample consists of the positions on shortest solutions, whose exact costs are known with those of the solutions.
//! The solutions start where random walks from a solution of the puzzle end. They are found by the domain's own search,
//! which uses no heuristic of the file.

use super::{Options, Outcome, Puzzle};
use crate::domain::{BuildContext, GivenHeuristic, HeuristicFacts, Notation, Searchable, SplitMix64, Style};
use crate::search::{EQUAL, Limit, Limits, Request, States, Stats, Work, overestimates};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

/// The number of random walks of a sample.
const WALKS: usize = 50;

/// The most moves of a random walk.
const LONGEST_WALK: u64 = 40;

/// The most states that each search of a sample expands.
const SAMPLE_NODES: u64 = 200_000;

/// What a check of heuristics compares.
#[derive(Clone, Copy, Debug)]
pub struct HeuristicQuestion {
    /// The most states of a space that is measured whole.
    pub most_states: u64,
    /// The seed of the sample.
    pub seed: u64,
}

/// A check of the heuristics of a puzzle.
#[derive(Clone, Debug)]
pub struct HeuristicCheck {
    /// The sample, unless all positions that can be reached were measured.
    pub sample: Option<Sample>,
    /// The number of positions measured.
    pub positions: usize,
    /// The number of those from which a goal can be reached.
    pub solvable: usize,
    /// The heuristics of the file, then those of the domain.
    pub heuristics: Vec<Measured>,
    /// Those that cannot be built for this puzzle, with the reasons.
    pub unbuilt: Vec<(&'static str, String)>,
}

/// A sample of positions.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The seed.
    pub seed: u64,
    /// The number of ends of walks that were solved.
    pub solved: usize,
    /// The number of those that were not, within the limit on expansions.
    pub unsolved: usize,
}

/// The measurements of a heuristic.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The heuristic.
    pub heuristic: &'static HeuristicFacts,
    /// The number of positions whose value exceeds the exact cost.
    pub overestimates: u64,
    /// The number of moves that lower the value by more than their cost.
    pub drops: u64,
    /// The mean value over the positions from which a goal can be reached.
    pub mean: f64,
    /// The mean of the exact cost minus the value.
    pub mean_error: f64,
    /// For a heuristic of the file, the number of positions whose value was undefined, negative, or too large.
    pub changed: [u64; 3],
    /// For a heuristic of the file, how its values relate to those of each of the domain.
    pub relations: Vec<(&'static str, Relation)>,
    /// For a heuristic of the file, the smallest counter-example, if there is one.
    pub counter_example: Option<CounterExample>,
}

/// How the values of a heuristic relate to those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The same everywhere.
    Equal,
    /// Never less, and somewhere greater.
    Dominates,
    /// Never greater, and somewhere less.
    Dominated,
    /// Somewhere greater, and somewhere less.
    Neither,
}

/// A position in which a heuristic is not admissible, or else not consistent.
#[derive(Clone, Debug)]
pub struct CounterExample {
    /// The moves that lead there from the start.
    pub moves: Vec<String>,
    /// The position, drawn.
    pub position: String,
    /// The value of the heuristic there.
    pub h: f64,
    /// The exact cost to the nearest goal.
    pub cost: f64,
    /// Unless the value exceeds that cost: a move, its cost, and the value after it.
    pub drop: Option<(String, f64, f64)>,
}

/// The values of a heuristic in all positions measured.
struct Values {
    h: Vec<f64>,
    over: (u64, Option<usize>),
    drops: (u64, Option<(usize, MoveFrom)>),
}

/// A move from a position: its number among the legal moves, its cost, and the value after it.
type MoveFrom = (usize, f64, f64);

/// The positions measured, their exact costs, and the values of each heuristic there.
struct Measurements {
    costs: Vec<f64>,
    values: Vec<Values>,
    /// The moves to the positions of counter-examples, if they are names.
    paths: Vec<Vec<String>>,
    /// The states that these positions are, otherwise.
    states: Option<Arc<States>>,
    changed: Vec<[u64; 3]>,
}

impl Puzzle {
    /// Checks the heuristics of the file and of the domain, except `zero`, against exact costs.
    ///
    /// # Errors
    /// The limit on time or memory, or the interrupt, that ended the check.
    pub fn check_heuristics(&self, question: HeuristicQuestion, limits: &Limits) -> Result<HeuristicCheck, Limit> {
        self.check(None, question, limits)
    }

    /// Checks a heuristic of the caller, the first of the result, beside those of the file and of the domain.
    ///
    /// # Errors
    /// The limit on time or memory, or the interrupt, that ended the check.
    pub fn check_given_heuristic(
        &self,
        given: &Arc<GivenHeuristic>,
        question: HeuristicQuestion,
        limits: &Limits,
    ) -> Result<HeuristicCheck, Limit> {
        self.check(Some(given), question, limits)
    }

    fn check(
        &self,
        given: Option<&Arc<GivenHeuristic>>,
        question: HeuristicQuestion,
        limits: &Limits,
    ) -> Result<HeuristicCheck, Limit> {
        let started = Instant::now();
        let own = self.own_heuristics();
        let of_domain =
            self.heuristics().filter(|facts| !facts.is_of_file() && facts.name != HeuristicFacts::ZERO.name);
        let (mut all, mut spaces, mut unbuilt) = (Vec::new(), Vec::new(), Vec::new());
        let changed = |facts: &HeuristicFacts| match given.filter(|given| given.facts().name == facts.name) {
            Some(given) => given.changed(),
            None => self.changed(facts),
        };
        if let Some(given) = given {
            let context = BuildContext::within(limits);
            all.push(given.facts());
            spaces.push(given.guide(self.instance.space(&HeuristicFacts::ZERO, &context)));
        }
        let is_new = |facts: &&HeuristicFacts| given.is_none_or(|given| given.facts().name != facts.name);
        for facts in own.chain(of_domain).filter(is_new) {
            let left = limits.remaining(&Stats::default(), started.elapsed());
            let context = BuildContext { size: Some(0), ..BuildContext::within(&left) };
            self.instance.prepare(&context);
            let space = self.instance.space(facts, &context);
            context.ended().map_or(Ok(()), Err)?;
            match space.no_heuristic() {
                Some(reason) => unbuilt.push((facts.name, reason)),
                None => {
                    all.push(facts);
                    spaces.push(space);
                }
            }
        }
        let (measurements, sample) = match self.whole(&all, &spaces, &changed, question, limits, started)? {
            Some(whole) => (whole, None),
            None => {
                let (sampled, sample) = self.sampled(&all, &spaces, &changed, question, limits, started)?;
                (sampled, Some(sample))
            }
        };
        let solvable = measurements.costs.iter().filter(|cost| cost.is_finite()).count();
        let measured = |(number, &facts): (usize, &&'static HeuristicFacts)| {
            measurements.measured(number, facts, &all, &*spaces[number])
        };
        let heuristics = all.iter().enumerate().map(measured).collect();
        Ok(HeuristicCheck { sample, positions: measurements.costs.len(), solvable, heuristics, unbuilt })
    }

    /// Returns how many values of a heuristic of the file were changed so far.
    fn changed(&self, facts: &HeuristicFacts) -> [u64; 3] {
        let own = self.instance.own_heuristics().iter().find(|own| own.facts.name == facts.name);
        own.map_or([0; 3], |own| own.changed())
    }

    /// Measures all positions that can be reached; `None` if they are too many.
    fn whole(
        &self,
        all: &[&'static HeuristicFacts],
        spaces: &[Box<dyn Searchable>],
        changed_of: &dyn Fn(&HeuristicFacts) -> [u64; 3],
        question: HeuristicQuestion,
        limits: &Limits,
        started: Instant,
    ) -> Result<Option<Measurements>, Limit> {
        let (mut values, mut changed, mut states) = (Vec::new(), Vec::new(), None);
        for (facts, space) in all.iter().zip(spaces) {
            let left = limits.remaining(&Stats::default(), started.elapsed());
            let left = Limits { nodes: Some(question.most_states), ..left };
            let before = changed_of(facts);
            let response = space.run(&Request::in_memory(Work::Survey(states.as_ref()), &left));
            let mut survey = response.expect("only files and processes fail").answer.surveyed();
            match survey.limit {
                Some(Limit::Nodes) => return Ok(None),
                Some(limit) => return Err(limit),
                None => {}
            }
            let after = changed_of(facts);
            changed.push([0, 1, 2].map(|rule: usize| after[rule] - before[rule]));
            let h = std::mem::take(&mut survey.h);
            let drop = survey.drops.1.map(|drop| (drop.from, (drop.ordinal as usize, drop.cost, h[drop.to])));
            values.push(Values { h, over: survey.over, drops: (survey.drops.0, drop) });
            states = Some(survey.states);
        }
        let costs = states.as_ref().map(|states: &Arc<States>| states.costs.clone()).unwrap_or_default();
        Ok(Some(Measurements { costs, values, paths: Vec::new(), states, changed }))
    }

    /// Measures a sample of positions.
    fn sampled(
        &self,
        all: &[&'static HeuristicFacts],
        spaces: &[Box<dyn Searchable>],
        changed_of: &dyn Fn(&HeuristicFacts) -> [u64; 3],
        question: HeuristicQuestion,
        limits: &Limits,
        started: Instant,
    ) -> Result<(Measurements, Sample), Limit> {
        let start = self.instance.space(&HeuristicFacts::ZERO, &BuildContext::default());
        let random = &mut SplitMix64::new(question.seed);
        let solved = |after: &[String]| self.solved(after, limits, started);
        let to_goal = solved(&[])?.unwrap_or_default();
        let mut sample = Sample { seed: question.seed, solved: 0, unsolved: 0 };
        let (mut known, mut costs, mut paths) = (HashSet::new(), Vec::new(), Vec::new());
        for _ in 0..WALKS {
            let kept = random.below(to_goal.len() as u64 + 1) as usize;
            let mut moves = to_goal[..kept].to_vec();
            let mut here = self.after(&*start, &moves);
            for _ in 0..random.below(LONGEST_WALK + 1) {
                let legal = here.count_moves();
                if legal == 0 {
                    break;
                }
                let number = random.below(legal as u64) as usize;
                let Some((name, next)) = here.after_move(number, Notation::STANDARD) else { break };
                moves.push(name);
                here = next;
            }
            let Some(rest) = solved(&moves)? else {
                sample.unsolved += 1;
                continue;
            };
            sample.solved += 1;
            let end = self.after(&*here, &rest).g();
            for number in 0..=rest.len() {
                if known.insert(here.state_bytes()) {
                    costs.push(end - here.g());
                    paths.push(moves.clone());
                }
                if let Some(name) = rest.get(number) {
                    here = self.after(&*here, std::slice::from_ref(name));
                    moves.push(name.clone());
                }
            }
        }
        let (mut values, mut changed) = (Vec::new(), Vec::new());
        for (facts, space) in all.iter().zip(spaces) {
            let before = changed_of(facts);
            let h: Vec<f64> = paths.iter().map(|path| self.after(&**space, path).h()).collect();
            let after = changed_of(facts);
            changed.push([0, 1, 2].map(|rule: usize| after[rule] - before[rule]));
            let mut drops = (0, None);
            for (position, path) in paths.iter().enumerate() {
                let left = limits.remaining(&Stats::default(), started.elapsed());
                left.stop().now().map_or(Ok(()), Err)?;
                for (number, (_, cost, child)) in self.after(&**space, path).successors().into_iter().enumerate() {
                    let value = child.h();
                    if h[position] > cost + value + EQUAL {
                        drops.0 += 1;
                        if drops.1.as_ref().is_none_or(|(first, _): &(usize, _)| costs[position] < costs[*first]) {
                            drops.1 = Some((position, (number, cost, value)));
                        }
                    }
                }
            }
            values.push(Values { over: overestimates(&h, &costs), drops, h });
        }
        Ok((Measurements { costs, values, paths, states: None, changed }, sample))
    }

    fn after(&self, space: &dyn Searchable, moves: &[String]) -> Box<dyn Searchable> {
        let made = |here: Box<dyn Searchable>, name: &String| {
            here.after(name, self.facts.notations).expect("the moves are legal")
        };
        moves.iter().fold(space.here(), made)
    }

    /// Returns a shortest solution from the position after some moves, by the domain's own search; `None` if it ended at
    /// its limit, or there is no solution.
    fn solved(&self, after: &[String], limits: &Limits, started: Instant) -> Result<Option<Vec<String>>, Limit> {
        let left = limits.remaining(&Stats::default(), started.elapsed());
        left.stop().now().map_or(Ok(()), Err)?;
        let limits = Limits { nodes: Some(SAMPLE_NODES), ..left };
        let options = Options { after: after.to_vec(), limits, ignores_file: true, ..Options::default() };
        let Ok(solution) = self.solve(&options) else { return Ok(None) };
        match solution.limit() {
            None | Some(Limit::Nodes | Limit::Cost | Limit::Depth) => {}
            Some(limit) => return Err(limit),
        }
        let is_shortest = solution.outcome() == Outcome::Solved && solution.is_optimal();
        Ok(is_shortest.then(|| solution.moves()))
    }
}

impl Measurements {
    fn measured(
        &self,
        number: usize,
        heuristic: &'static HeuristicFacts,
        all: &[&'static HeuristicFacts],
        space: &dyn Searchable,
    ) -> Measured {
        let values = &self.values[number];
        let solvable = || (0..self.costs.len()).filter(|&position| self.costs[position].is_finite());
        let count = solvable().count().max(1) as f64;
        let mean = solvable().map(|position| values.h[position]).sum::<f64>() / count;
        let mean_cost = solvable().map(|position| self.costs[position]).sum::<f64>() / count;
        let relation = |(other, facts): (usize, &&'static HeuristicFacts)| {
            let other = &self.values[other].h;
            let greater = solvable().any(|position| values.h[position] > other[position] + EQUAL);
            let less = solvable().any(|position| values.h[position] + EQUAL < other[position]);
            let relation = match (greater, less) {
                (false, false) => Relation::Equal,
                (true, false) => Relation::Dominates,
                (false, true) => Relation::Dominated,
                (true, true) => Relation::Neither,
            };
            (facts.name, relation)
        };
        let is_own = heuristic.is_of_file();
        let others = all.iter().enumerate().filter(|(_, facts)| is_own && !facts.is_of_file());
        Measured {
            heuristic,
            overestimates: values.over.0,
            drops: values.drops.0,
            mean,
            mean_error: mean_cost - mean,
            changed: self.changed[number],
            relations: others.map(relation).collect(),
            counter_example: self.counter_example(values, space).filter(|_| is_own),
        }
    }

    /// Returns the smallest position in which the heuristic is not admissible, or else not consistent.
    fn counter_example(&self, values: &Values, space: &dyn Searchable) -> Option<CounterExample> {
        let position = values.over.1.or(values.drops.1.as_ref().map(|(from, _)| *from))?;
        let mut here = space.here();
        let mut moves = Vec::new();
        match &self.states {
            Some(states) => {
                for ordinal in states.path_to(position) {
                    let (name, next) = here.after_move(ordinal as usize, Notation::STANDARD)?;
                    moves.push(name);
                    here = next;
                }
            }
            None => {
                for name in &self.paths[position] {
                    here = here.after(name, &[Notation::STANDARD])?;
                    moves.push(name.clone());
                }
            }
        }
        let drop = match &values.drops.1 {
            Some((_, (number, cost, h))) if values.over.1.is_none() => {
                Some((here.after_move(*number, Notation::STANDARD)?.0, *cost, *h))
            }
            _ => None,
        };
        let (h, cost) = (values.h[position], self.costs[position]);
        Some(CounterExample { moves, position: here.draw(Style::Drawn), h, cost, drop })
    }
}
