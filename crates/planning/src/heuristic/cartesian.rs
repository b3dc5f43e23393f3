//! Cartesian abstractions, refined where an abstract solution fails.
//!
//! An abstract state is a Cartesian set: a set of values for each variable. At first one contains everything. Then a
//! cheapest abstract path from the start is followed in the task. Where a move of it does not apply, or leads
//! elsewhere, the set in which that happens is split into the states for which the step is right and those for which it
//! is not, until the path is one of the task or a limit is reached (counterexample-guided refinement: Seipp and
//! Helmert, Counterexample-guided Cartesian abstraction refinement for classical planning, JAIR 2018). So unlike a
//! pattern, which keeps all values of few variables, it distinguishes the few values of many variables that matter.
//!
//! A set has a transition to another one if an operator leads from one of its states into that. A path of the task
//! induces an abstract path of the same cost, so abstract distances are admissible, and consistent. No
//! transition leads to a set of forbidden states alone. Counters and disjunctions are ignored: more moves are allowed
//! then, and distances are at most shorter.

use super::{DEAD, Heuristic, Proof, Registration, limit_message};
use crate::search::{BuildContext, HeuristicFacts};
use crate::task::{Condition, Goal, Operator, Source, Task, Value, Values, Var, all_hold};
use engine_search::bit_set::BitSet;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::mem::take;
use std::sync::Arc;

/// The registration of Cartesian abstractions.
pub static CARTESIAN: Registration = Registration {
    facts: HeuristicFacts {
        name: "cartesian",
        admissible: true,
        consistent: true,
        by_hand: false,
        summary: "exact distances between sets of positions that have given values of each variable, refined where the \
                  cheapest path through them is no solution (Seipp, Helmert 2018)",
        because: "every solution is a path of the same cost through the sets of its positions",
    },
    build: |task, context| Ok(Arc::new(Cartesian::new(&task.reduced.task, context)?)),
    refuses: |_, _| None,
};

/// The most states at size 0, the most transitions that are stored, and the most that are tested or passed. Each
/// further size multiplies them by 4.
const STATES: usize = 2_000;
const TRANSITIONS: usize = 1 << 20;
const WORK: u64 = 1 << 25;

/// The bytes that a transition takes while the abstraction is refined.
const BYTES: u64 = 32;

/// An abstraction, with the distance of each of its states to a goal.
pub struct Cartesian {
    tree: Tree,
    distances: Vec<u32>,
}

/// The splits by which a state of the task finds its abstract state.
struct Tree(Vec<Node>);

enum Node {
    State(u32),
    /// States with one of these values are below the second node, others below the first.
    Split(Var, Values, [u32; 2]),
}

impl Tree {
    fn of(&self, state: &[Value]) -> u32 {
        let mut at = 0;
        loop {
            match &self.0[at as usize] {
                Node::State(number) => return *number,
                Node::Split(var, values, below) => at = below[usize::from(values.contains(state[*var]))],
            }
        }
    }
}

/// Returns the variables on whose old values an operator depends: those of its conditions first.
fn readings(operator: &Operator) -> Vec<Var> {
    let mut read: Vec<Var> = operator.conditions.iter().map(|(var, _)| *var).collect();
    for var in operator.effects.iter().filter_map(|effect| effect.source.reads()) {
        if !read.contains(&var) {
            read.push(var);
        }
    }
    read
}

/// Returns those of some values of a variable from which an operator that reads it leads to a set.
fn fitting(operator: &Operator, var: Var, from: &Values, to: &[Values]) -> Values {
    let allowed = operator.condition(var).map_or_else(|| from.clone(), |allowed| allowed.and(from));
    let kept = if operator.effect(var).is_none() { allowed.and(&to[var]) } else { allowed };
    if !operator.effects.iter().any(|effect| effect.source.reads() == Some(var)) {
        return kept;
    }
    let fits = |&value: &Value| operator.looked_up(var, value).all(|(target, new)| to[target].contains(new));
    kept.iter().filter(fits).collect()
}

/// An operator, and the state at the other end of a transition.
type Edge = (u32, u32);

/// An abstraction while it is refined.
struct Refinement<'a> {
    task: &'a Task,
    /// The variables that each operator reads, and those that it reads or changes.
    readings: Vec<Vec<Var>>,
    mentioned: Vec<BitSet<Var>>,
    sets: Vec<Vec<Values>>,
    /// The transitions from and to other states.
    out: Vec<Vec<Edge>>,
    into: Vec<Vec<Edge>>,
    /// The operators that lead back to each state.
    loops: Vec<Vec<u32>>,
    /// True for those that contain a state that satisfies the conditions of a goal.
    is_goal: Vec<bool>,
    /// True for those of which all states are forbidden.
    is_forbidden: Vec<bool>,
    /// Lower bounds on the distances to the goal.
    bounds: Vec<u32>,
    tree: Tree,
    /// The node of each state.
    leaves: Vec<u32>,
    /// The number of transitions, and how many may still be tested or passed.
    stored: usize,
    work: u64,
}

impl Cartesian {
    /// Refines an abstraction; `context` may end that.
    ///
    /// # Errors
    /// A limit ended the construction.
    pub fn new(task: &Task, context: &BuildContext) -> Result<Cartesian, String> {
        let size = 2 * u32::from(context.size.unwrap_or(0)).min(4);
        let room = context.table_memory().unwrap_or(u64::MAX);
        // Half of the memory for the sets, half for the transitions.
        let set = (task.variables.len().max(1) * size_of::<Values>()) as u64;
        let states = (STATES << size).min((room / 2 / set) as usize);
        let most = (TRANSITIONS << size).min((room / 2 / BYTES) as usize);
        let mut refined = Refinement::new(task, WORK << size);
        let is_open = |refined: &Refinement| refined.sets.len() < states && refined.stored < most && refined.work > 0;
        while is_open(&refined) && !context.should_stop() {
            let Some(path) = refined.path() else { break };
            let Some((state, var, wanted)) = refined.flaw(&path) else { break };
            refined.split(state, var, &wanted);
        }
        if context.should_stop() {
            return Err(limit_message());
        }
        Ok(Cartesian { distances: refined.distances(), tree: refined.tree })
    }
}

impl Heuristic for Cartesian {
    fn h(&self, state: &[Value]) -> u32 {
        self.distances[self.tree.of(state) as usize]
    }

    fn refutation(&self, _state: &[Value]) -> Option<Proof> {
        Some(Proof::Words("no goal can be reached even if all positions of a Cartesian set were one"))
    }

    fn bytes(&self) -> u64 {
        (size_of_val(self.tree.0.as_slice()) + size_of_val(self.distances.as_slice())) as u64
    }

    fn describe(&self) -> String {
        format!("{} Cartesian sets", self.distances.len())
    }
}

impl Refinement<'_> {
    fn new(task: &Task, work: u64) -> Refinement<'_> {
        Refinement {
            task,
            readings: task.operators.iter().map(readings).collect(),
            mentioned: task
                .operators
                .iter()
                .map(|one| readings(one).into_iter().chain(one.changed()).collect())
                .collect(),
            sets: vec![(0..task.variables.len()).map(|var| Values::below(task.size(var))).collect()],
            out: vec![Vec::new()],
            into: vec![Vec::new()],
            loops: vec![(0..task.operators.len() as u32).collect()],
            is_goal: vec![true],
            is_forbidden: vec![false],
            bounds: vec![0],
            tree: Tree(vec![Node::State(0)]),
            leaves: vec![0],
            stored: task.operators.len(),
            work,
        }
    }

    /// Returns a goal that some states of a set satisfy.
    fn goal(&self, state: u32) -> Option<&Goal> {
        let sets = &self.sets[state as usize];
        self.task.goals.iter().find(|goal| goal.conditions.iter().all(|(var, values)| sets[*var].meets(values)))
    }

    /// Returns the conjunctions of conditions of which none may hold.
    fn never(&self) -> impl Iterator<Item = &[Condition]> {
        self.task.never.iter().filter(|never| never.counts.is_empty()).map(|never| &never.conditions[..])
    }

    fn is_forbidden(&self, state: u32) -> bool {
        let sets = &self.sets[state as usize];
        self.never().any(|never| never.iter().all(|(var, values)| sets[*var].is_within(values)))
    }

    /// Returns whether an operator leads from one set to another, as far as one variable is concerned.
    fn leads(&self, from: u32, number: u32, to: u32, var: Var) -> bool {
        let (from, to) = (&self.sets[from as usize], &self.sets[to as usize]);
        if !self.mentioned[number as usize].contains(var) {
            return from[var].meets(&to[var]);
        }
        let operator = &self.task.operators[number as usize];
        let source = operator.effect(var);
        let is_made = !matches!(source, Some(Source::Value(value)) if !to[var].contains(*value));
        let own = self.readings[number as usize].contains(&var).then_some(var);
        let mut read = own.into_iter().chain(source.and_then(Source::reads));
        is_made && read.all(|var| !fitting(operator, var, &from[var], to).is_empty())
    }

    /// Splits a state by some values of a variable; those become a new state.
    fn split(&mut self, state: u32, var: Var, wanted: &Values) {
        let new = self.sets.len() as u32;
        let mut sets = self.sets[state as usize].clone();
        let old = &mut self.sets[state as usize][var];
        sets[var] = old.and(wanted);
        *old = old.without(wanted);
        self.sets.push(sets);
        self.bounds.push(self.bounds[state as usize]);
        self.is_goal[state as usize] = self.goal(state).is_some();
        self.is_goal.push(self.goal(new).is_some());
        self.is_forbidden[state as usize] = self.is_forbidden(state);
        self.is_forbidden.push(self.is_forbidden(new));
        let node = self.leaves[state as usize];
        let below = self.tree.0.len() as u32;
        self.tree.0.extend([Node::State(state), Node::State(new)]);
        self.tree.0[node as usize] = Node::Split(var, wanted.clone(), [below, below + 1]);
        self.leaves[state as usize] = below;
        self.leaves.push(below + 1);
        self.out.push(Vec::new());
        self.into.push(Vec::new());
        self.loops.push(Vec::new());
        let (into, out) = (take(&mut self.into[state as usize]), take(&mut self.out[state as usize]));
        let loops = take(&mut self.loops[state as usize]);
        self.stored -= into.len() + out.len() + loops.len();
        self.work = self.work.saturating_sub(2 * (into.len() + out.len() + 2 * loops.len()) as u64);
        let others = |edges: &[Edge]| edges.iter().map(|&(_, other)| other as usize).collect::<BTreeSet<usize>>();
        others(&into).into_iter().for_each(|from| self.out[from].retain(|&(_, to)| to != state));
        others(&out).into_iter().for_each(|to| self.into[to].retain(|&(_, from)| from != state));
        for (operator, from) in into {
            [state, new].into_iter().for_each(|to| self.connect(from, operator, to, var));
        }
        for (operator, to) in out {
            [state, new].into_iter().for_each(|from| self.connect(from, operator, to, var));
        }
        for operator in loops {
            for (from, to) in [(state, state), (state, new), (new, state), (new, new)] {
                self.connect(from, operator, to, var);
            }
        }
    }

    /// Adds a transition, if the sets of a variable allow it.
    fn connect(&mut self, from: u32, operator: u32, to: u32, var: Var) {
        if self.is_forbidden[to as usize] || !self.leads(from, operator, to, var) {
            return;
        }
        self.stored += 1;
        if from == to {
            self.loops[from as usize].push(operator);
        } else {
            self.out[from as usize].push((operator, to));
            self.into[to as usize].push((operator, from));
        }
    }

    /// Returns the distance of each state to a goal, by Dijkstra's algorithm.
    fn distances(&self) -> Vec<u32> {
        let mut distances = vec![DEAD; self.sets.len()];
        let mut open = BinaryHeap::new();
        for state in (0..self.sets.len() as u32).filter(|&state| self.is_goal[state as usize]) {
            distances[state as usize] = 0;
            open.push(Reverse((0, state)));
        }
        while let Some(Reverse((distance, state))) = open.pop() {
            if distance > distances[state as usize] {
                continue;
            }
            for &(operator, from) in &self.into[state as usize] {
                let reached = distance.saturating_add(self.task.operators[operator as usize].cost).min(DEAD - 1);
                if reached < distances[from as usize] {
                    distances[from as usize] = reached;
                    open.push(Reverse((reached, from)));
                }
            }
        }
        distances
    }

    /// Returns a cheapest abstract path from the start: each state with the operator that leaves it, and the state
    /// after it. `None` if there is none.
    fn path(&mut self) -> Option<Vec<(u32, u32, u32)>> {
        let start = self.tree.of(&self.task.start);
        let mut costs = vec![u32::MAX; self.sets.len()];
        let mut parents = vec![None; self.sets.len()];
        let mut open = BinaryHeap::new();
        costs[start as usize] = 0;
        open.push(Reverse((self.bounds[start as usize], Reverse(0), start)));
        let mut closed = Vec::new();
        let mut end = None;
        while let Some(Reverse((f, Reverse(cost), state))) = open.pop() {
            if cost != costs[state as usize] || f == u32::MAX {
                continue;
            }
            if self.is_goal[state as usize] {
                end = Some(state);
                break;
            }
            closed.push(state);
            let out = &self.out[state as usize];
            self.work = self.work.saturating_sub(out.len() as u64);
            for &(operator, to) in out {
                let reached = cost.saturating_add(self.task.operators[operator as usize].cost);
                if reached < costs[to as usize] {
                    costs[to as usize] = reached;
                    parents[to as usize] = Some((state, operator));
                    open.push(Reverse((reached.saturating_add(self.bounds[to as usize]), Reverse(reached), to)));
                }
            }
        }
        let end = end?;
        let total = costs[end as usize];
        for state in closed {
            let bound = &mut self.bounds[state as usize];
            *bound = (*bound).max(total.saturating_sub(costs[state as usize]));
        }
        let mut path = Vec::new();
        let mut at = end;
        while let Some((before, operator)) = parents[at as usize] {
            path.push((before, operator, at));
            at = before;
        }
        path.reverse();
        Some(path)
    }

    /// Returns the share, in thousandths, of the values of a variable that a state contains. Of several flaws, that of
    /// the least share is split, so that few variables get many sets.
    fn fineness(&self, state: u32, var: Var) -> usize {
        self.sets[state as usize][var].len() * 1000 / self.task.size(var)
    }

    /// Returns the first state of a path that the task does not follow, with the values of a variable for which it
    /// would; `None` if the path is one of the task.
    fn flaw(&self, path: &[(u32, u32, u32)]) -> Option<(u32, Var, Values)> {
        let mut state = self.task.start.clone();
        for &(from, number, to) in path {
            let operator = &self.task.operators[number as usize];
            let (before, after) = (&self.sets[from as usize], &self.sets[to as usize]);
            let read = self.readings[number as usize].iter();
            let read = read.map(|&var| (var, fitting(operator, var, &before[var], after)));
            let read = read.filter(|(var, fitting)| !fitting.contains(state[*var]));
            let left = (0..state.len())
                .filter(|&var| !after[var].contains(state[var]) && !self.mentioned[number as usize].contains(var));
            let left = left.map(|var| (var, before[var].and(&after[var])));
            if let Some((var, wanted)) = read.chain(left).min_by_key(|flaw| self.fineness(from, flaw.0)) {
                return Some((from, var, wanted));
            }
            state = operator.after(&state);
            if let Some(never) = self.never().find(|never| all_hold(never, &state)) {
                return self.narrowed(to, never.iter().filter(|(var, values)| !after[*var].is_within(values)));
            }
        }
        let end = path.last().map_or_else(|| self.tree.of(&state), |&(_, _, to)| to);
        let open = self.goal(end)?.conditions.iter();
        self.narrowed(end, open.filter(|(var, values)| !values.contains(state[*var])))
    }

    /// Returns the state, the variable and the values of the condition by which it is split first.
    fn narrowed<'c>(&self, state: u32, conditions: impl Iterator<Item = &'c Condition>) -> Option<(u32, Var, Values)> {
        let (var, values) = conditions.min_by_key(|condition| self.fineness(state, condition.0))?;
        Some((state, *var, self.sets[state as usize][*var].and(values)))
    }
}
