//! Saturated cost partitioning over pattern databases.
//!
//! Sums of tables that share operators overestimate, unless the cost of each operator is divided among them (Katz and
//! Domshlak, Optimal admissible composition of abstraction heuristics, 2010). Saturated cost partitioning (Seipp,
//! Keller and Helmert, Saturated cost partitioning for optimal classical planning, JAIR 2020) takes the tables in an
//! order: each computes its distances under the costs that are left, and then takes of each operator's cost only what
//! it needs to keep them, the greatest fall of the distance along a transition that the operator induces. So a truck's
//! journey is paid by one table, and the loading of every parcel by its own. No order is best everywhere: each sampled
//! state gets an order by the distance that a table has there, relative to the cost that it takes; an order is kept if
//! it raises h in a sampled state. h is the maximum over the orders.
//!
//! It is consistent, and so admissible: along a move, the distance of each table falls by no more than what the table
//! took of the operator's cost, and the tables of an order together take no more than that cost. All numbers are
//! integers. Falls are counted from abstract states that are reachable from the start; all others get the distance 0.
//! The successors of reached abstract states are reached too, so a fall that was not counted begins at 0 and is none.
//! This holds in every state, also in images by a symmetry that are not reachable themselves.
//!
//! A pattern is a set of goal variables with all variables that their operators read, directly and indirectly, if
//! that is not too many, and else the goal variables alone. First come single variables, then pairs, then triples.

use super::abstraction::Abstraction;
use super::database::{Budget, Coder, Graph as Transitions};
use super::open_states::OpenStates;
use super::patterns::in_goals;
use super::{DEAD, Heuristic, LANES, Proof, Registration, limit_message, sample, smallest};
use crate::analysis::analysed_task::AnalysedTask;
use crate::search::{BuildContext, HeuristicFacts};
use crate::task::{Task, Value, Var};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::mem::replace;
use std::sync::Arc;

/// The registration of tables that share the costs of moves.
pub static COST_PARTITIONING: Registration = Registration {
    facts: HeuristicFacts {
        name: "cost-partitioning",
        admissible: true,
        consistent: true,
        by_hand: false,
        summary: "exact distances in projections to groups of variables that share the costs of moves, divided in \
                  several orders (Seipp, Keller, Helmert 2020)",
        because: "every solution is a solution of each projection, and the groups of an order together pay no more \
                  for a move than it costs",
    },
    build: |task, context| match context.size.unwrap_or(0) {
        0 => Ok(smallest_tables(task, context)?),
        _ => Ok(Arc::new(Partitioning::new(&task.reduced.task, context)?)),
    },
    refuses: |_, _| None,
};

/// Returns the tables of size 0, or why there are none: strategies ask for them before a search does.
fn smallest_tables(task: &AnalysedTask, context: &BuildContext) -> Result<Arc<Partitioning>, String> {
    let context = smallest(context);
    let find = || Partitioning::new(&task.reduced.task, &context).map(Arc::new);
    task.memo.get(COST_PARTITIONING.facts.name, &context, find)
}

/// The most entries of one table and of all tables at size 0. Each further size multiplies them by 4.
const ENTRIES: u64 = 1 << 14;
const ALL_ENTRIES: u64 = 1 << 19;

/// The most edges of all tables' graphs at size 0. Each further size multiplies them by 4.
const EDGES: u64 = 1 << 23;

/// The most tables.
const MOST_TABLES: usize = 128;

/// The most goal variables of a pattern.
const MOST_GOALS: usize = 3;

/// The most groups of goal variables of one size that are considered.
const MOST_GROUPS: usize = 1 << 10;

/// The most orders.
const MOST_ORDERS: usize = 32;

/// The most transitions tested for the graphs of all tables, and the most edges passed for their distances, at size 0.
/// Each further size multiplies them by 4.
const TESTS: u64 = 1 << 26;
const PASSES: u64 = 1 << 28;

/// The most sampled states in a row without a new order.
const MOST_FAILURES: u32 = 12;

/// Neighbours in the list of sampled states are similar: orders are made for every eighth of them first, then for the
/// others.
const STRIDE: usize = 8;

/// The entry of an abstract state from which no goal can be reached; greater distances than the next smaller number are
/// capped.
const DEAD_ENTRY: u16 = u16::MAX;

/// Tables with a distance for each order.
pub struct Partitioning {
    tables: Vec<Table>,
    orders: usize,
    /// The number of orders, rounded up to a multiple of [`LANES`].
    width: usize,
}

struct Table {
    coder: Coder,
    /// For each code, the distance in each order; then 0, or in all places [`DEAD_ENTRY`].
    entries: Box<[u16]>,
}

/// The graph of the abstract states of a pattern that are reachable from the start. States are codes.
struct Graph {
    coder: Coder,
    /// True for reachable states.
    is_reached: Vec<bool>,
    /// The labels of the edges into each state, as ranges of `edges`: the many edges are what takes time and memory.
    first: Vec<u32>,
    edges: Vec<u16>,
    /// The difference that each label adds to the state that its edge leaves, modulo 2^32, and its operators.
    labels: Vec<(u32, Vec<u32>)>,
    goals: Vec<u32>,
    /// The distances by the operators' own costs, and the sum of the costs that they need.
    distances: Vec<u16>,
    needed: u64,
}

/// The distances of all graphs in an order; an empty list stands for distances of 0.
type Distances = Vec<Vec<u16>>;

impl Partitioning {
    pub fn new(task: &Task, context: &BuildContext) -> Result<Partitioning, String> {
        let size = 2 * u32::from(context.size.unwrap_or(0)).min(4);
        let (entries, all) = (ENTRIES << size, ALL_ENTRIES << size);
        let room = context.table_memory().unwrap_or(u64::MAX);
        // Eight bytes hold an edge, or an entry of an order while the tables are built.
        let (all, mut edges) = (all.min(room / (16 * MOST_ORDERS as u64)), (EDGES << size).min(room / 32));
        let mut budget = Budget { codes: entries, entries, work: TESTS << size };
        let mut passes = PASSES << size;
        let patterns = abstractions(task, entries, all);
        let built = patterns.iter().map_while(|pattern| {
            let go_on = budget.work > 0 && passes > 0 && !context.should_stop();
            go_on.then(|| Graph::new(task, pattern, &mut budget, &mut edges, &mut passes, context))
        });
        let graphs: Vec<Graph> = built.flatten().collect();
        let mut orders = orders(task, &graphs, passes, context);
        if context.should_stop() {
            return Err(limit_message());
        }
        if graphs.is_empty() {
            return Err("no small pattern gives a lower bound above 0".to_owned());
        }
        if orders.is_empty() {
            // The tables prove dead ends at least.
            orders.push(vec![Vec::new(); graphs.len()]);
        }
        let width = orders.len().next_multiple_of(LANES);
        Ok(Partitioning { orders: orders.len(), width, tables: tables(graphs, &orders, width) })
    }
}

impl Heuristic for Partitioning {
    fn h(&self, state: &[Value]) -> u32 {
        let mut sums = [0_u32; MOST_ORDERS];
        for table in &self.tables {
            let distances = table.of(state, self.width);
            if distances[0] == DEAD_ENTRY {
                return DEAD;
            }
            for (sums, distances) in sums.as_chunks_mut::<LANES>().0.iter_mut().zip(distances.as_chunks::<LANES>().0) {
                (0..LANES).for_each(|at| sums[at] += u32::from(distances[at]));
            }
        }
        sums.into_iter().max().unwrap_or(0)
    }

    fn refutation(&self, state: &[Value]) -> Option<Proof> {
        let table = self.tables.iter().find(|table| table.of(state, self.width)[0] == DEAD_ENTRY)?;
        Some(Proof::Abstraction(table.coder.classes()))
    }

    fn bytes(&self) -> u64 {
        self.tables.iter().map(|table| table.entries.len() as u64 * 2 + table.coder.bytes()).sum()
    }

    fn describe(&self) -> String {
        let entries: usize = self.tables.iter().map(|table| table.entries.len() / self.width).sum();
        format!("{} tables with {entries} entries, costs divided in {} orders", self.tables.len(), self.orders)
    }
}

impl Table {
    #[inline]
    fn of(&self, state: &[Value], width: usize) -> &[u16] {
        let at = self.coder.code(state) as usize * width;
        &self.entries[at..at + width]
    }
}

impl Graph {
    /// Builds it; `None` if it exceeds the budget or gives no bound.
    fn new(
        task: &Task,
        pattern: &Abstraction,
        budget: &mut Budget,
        edges_left: &mut u64,
        passes: &mut u64,
        context: &BuildContext,
    ) -> Option<Graph> {
        let implicit = Transitions::new(task, pattern, context)?;
        let mut is_reached = vec![false; pattern.codes as usize];
        let mut codes = vec![pattern.code(&task.start)];
        is_reached[codes[0] as usize] = true;
        // The state after each edge, and its label.
        let mut found: Vec<(u32, u16)> = Vec::new();
        let mut at = 0;
        while at < codes.len() {
            implicit.each_successor(codes[at], budget, |label, after| {
                if !replace(&mut is_reached[after as usize], true) {
                    codes.push(after);
                }
                found.push((after as u32, label as u16));
            });
            at += 1;
            let is_over = budget.work == 0 || found.len() as u64 > *edges_left;
            if is_over || at.is_multiple_of(1024) && context.should_stop() {
                return None;
            }
        }
        *edges_left -= found.len() as u64;
        // Counting sort by the state after each edge.
        let mut first = vec![0; is_reached.len() + 1];
        found.iter().for_each(|&(after, _)| first[after as usize + 1] += 1);
        (1..first.len()).for_each(|at| first[at] += first[at - 1]);
        let (mut next, mut edges) = (first.clone(), vec![0; found.len()]);
        for (after, label) in found {
            let next: &mut u32 = &mut next[after as usize];
            edges[*next as usize] = label;
            *next += 1;
        }
        let goals = codes.iter().filter(|&&code| implicit.is_goal(code)).map(|&code| code as u32).collect();
        let labels = implicit.transitions.into_iter().map(|label| (label.delta as u32, label.operators)).collect();
        let (coder, distances) = (Coder::new(pattern), Vec::new());
        let mut graph = Graph { coder, is_reached, first, edges, labels, goals, distances, needed: 0 };
        let mut costs: Vec<u32> = task.operators.iter().map(|operator| operator.cost).collect();
        let sum = |costs: &[u32]| costs.iter().map(|&cost| u64::from(cost)).sum::<u64>();
        let before = sum(&costs);
        graph.distances = graph.take(&mut costs, passes);
        graph.needed = before - sum(&costs);
        graph.distances.iter().zip(&graph.is_reached).any(|(&distance, &is)| is && distance > 0).then_some(graph)
    }

    /// Returns the distance of each state to a goal under the costs of the operators, and takes from these what the
    /// distances need.
    fn take(&self, costs: &mut [u32], passes: &mut u64) -> Vec<u16> {
        let cheapest = |operators: &[u32]| operators.iter().map(|&operator| costs[operator as usize]).min();
        let label = |(delta, operators): &(u32, Vec<u32>)| {
            let cost = cheapest(operators).unwrap_or(0).min(DEAD_ENTRY.into());
            (*delta, cost as u16)
        };
        let labels: Vec<(u32, u16)> = self.labels.iter().map(label).collect();
        let distances = self.distances(&labels);
        let mut needed = vec![0; labels.len()];
        for (to, &after) in distances.iter().enumerate() {
            for &label in self.into(to) {
                let label = usize::from(label);
                let from = (to as u32).wrapping_sub(labels[label].0);
                // Where the distance before the edge is infinite, so is the one after it. A capped distance falls by at
                // most as much as the distance itself.
                needed[label] = distances[from as usize].saturating_sub(after).max(needed[label]);
            }
        }
        *passes = passes.saturating_sub(2 * self.edges.len() as u64);
        let mut taken = vec![0; costs.len()];
        for ((_, operators), needed) in self.labels.iter().zip(needed) {
            for &operator in operators {
                let taken: &mut u32 = &mut taken[operator as usize];
                *taken = u32::from(needed).max(*taken);
            }
        }
        costs.iter_mut().zip(taken).for_each(|(cost, taken)| *cost -= taken);
        distances
    }

    /// Returns whether every edge is free under the costs of the operators.
    fn is_free(&self, costs: &[u32]) -> bool {
        self.labels.iter().all(|(_, operators)| operators.iter().any(|&operator| costs[operator as usize] == 0))
    }

    fn into(&self, state: usize) -> &[u16] {
        &self.edges[self.first[state] as usize..self.first[state + 1] as usize]
    }

    /// Returns the distances by Dijkstra's algorithm, from what each label adds to a state and its cost.
    fn distances(&self, labels: &[(u32, u16)]) -> Vec<u16> {
        let mut distances = vec![DEAD_ENTRY; self.is_reached.len()];
        self.goals.iter().for_each(|&goal| distances[goal as usize] = 0);
        let mut open = OpenStates::new(self.goals.clone());
        while let Some((distance, mut now)) = open.pop_first() {
            let distance = distance as u16;
            // An edge of cost 0 may extend this list during the loop.
            while let Some(state) = now.pop() {
                if distances[state as usize] != distance {
                    continue;
                }
                for &label in self.into(state as usize) {
                    let (delta, cost) = labels[usize::from(label)];
                    let from = state.wrapping_sub(delta);
                    let reached = distance.saturating_add(cost).min(DEAD_ENTRY - 1);
                    let known = &mut distances[from as usize];
                    if reached < *known {
                        *known = reached;
                        if reached == distance { now.push(from) } else { open.push(reached.into(), from) }
                    }
                }
            }
        }
        distances
    }

    /// Returns the abstract state of a state of the task, if it is reachable.
    fn of(&self, state: &[Value]) -> Option<usize> {
        Some(self.coder.code(state) as usize).filter(|&code| self.is_reached[code])
    }
}

/// Returns the distances in each order that raises h in a sampled state.
fn orders(task: &Task, graphs: &[Graph], mut passes: u64, context: &BuildContext) -> Vec<Distances> {
    let sampled = sample::states(task, context);
    let strided = (0..STRIDE).flat_map(|first| sampled.iter().skip(first).step_by(STRIDE));
    let codes = |state: &Vec<Value>| graphs.iter().map(|graph| graph.of(state)).collect();
    let distance = |sample: &[Option<usize>], at: usize| sample[at].map_or(0, |code| graphs[at].distances[code]);
    let mut samples: Vec<Vec<Option<usize>>> = [&task.start].into_iter().chain(strided).map(codes).collect();
    samples.retain(|sample| (0..graphs.len()).all(|at| distance(sample, at) < DEAD_ENTRY));
    let mut orders: Vec<Distances> = Vec::new();
    let mut best = vec![0; samples.len()];
    let mut failures = 0;
    for sample in &samples {
        let mut order: Vec<usize> = (0..graphs.len()).collect();
        // In thousandths, so that the order is exact.
        order.sort_by_cached_key(|&at| Reverse(u64::from(distance(sample, at)) * 1000 / graphs[at].needed.max(1)));
        let mut costs: Vec<u32> = task.operators.iter().map(|operator| operator.cost).collect();
        let mut distances: Distances = vec![Vec::new(); graphs.len()];
        for at in order {
            if passes == 0 || context.should_stop() {
                return orders;
            }
            if graphs[at].is_free(&costs) {
                continue;
            }
            let own = graphs[at].take(&mut costs, &mut passes);
            // Unreachable states have the distance of dead ends.
            if own.iter().any(|&distance| distance > 0 && distance < DEAD_ENTRY) {
                distances[at] = own;
            }
        }
        let h = |sample: &Vec<Option<usize>>| -> u64 {
            let known = sample.iter().zip(&distances).filter(|(_, distances)| !distances.is_empty());
            known.filter_map(|(code, distances)| Some(u64::from(distances[(*code)?]))).sum()
        };
        let values: Vec<u64> = samples.iter().map(h).collect();
        failures += 1;
        if values.iter().zip(&best).any(|(value, best)| value > best) {
            best.iter_mut().zip(values).for_each(|(best, value)| *best = value.max(*best));
            orders.push(distances);
            failures = 0;
        }
        if orders.len() == MOST_ORDERS || failures == MOST_FAILURES {
            break;
        }
    }
    orders
}

/// Interleaves the distances of the orders, `width` for each code.
fn tables(graphs: Vec<Graph>, orders: &[Distances], width: usize) -> Vec<Table> {
    let table = |(at, graph): (usize, Graph)| {
        let mut entries = vec![0; graph.is_reached.len() * width].into_boxed_slice();
        let all = entries.chunks_exact_mut(width).enumerate();
        for (code, entries) in all.filter(|(code, _)| graph.is_reached[*code]) {
            if graph.distances[code] == DEAD_ENTRY {
                entries.fill(DEAD_ENTRY);
                continue;
            }
            for (entry, order) in entries.iter_mut().zip(orders) {
                *entry = order[at].get(code).copied().unwrap_or(0);
            }
        }
        let says = entries.iter().any(|&entry| entry > 0);
        says.then_some(Table { coder: graph.coder, entries })
    };
    graphs.into_iter().enumerate().filter_map(table).collect()
}

/// Returns the projections to the chosen patterns.
fn abstractions(task: &Task, entries: u64, mut all: u64) -> Vec<Abstraction> {
    let read = read_by(task);
    let goals: BTreeSet<Var> = in_goals(task).into_iter().map(|(var, _)| var).collect();
    let goals: Vec<(Var, BTreeSet<Var>)> = goals.into_iter().map(|var| (var, closure(var, &read))).collect();
    let mut chosen: FxHashSet<Vec<Var>> = FxHashSet::default();
    let mut abstractions = Vec::new();
    let mut groups = vec![Vec::new()];
    for _ in 0..MOST_GOALS {
        groups = larger(&groups, goals.len());
        for group in &groups {
            let alone: Vec<Var> = group.iter().map(|&at| goals[at].0).collect();
            let closed: BTreeSet<Var> = group.iter().flat_map(|&at| &goals[at].1).copied().collect();
            for pattern in [closed.into_iter().collect(), alone] {
                let codes = pattern.iter().try_fold(1_u64, |codes, &var| codes.checked_mul(task.size(var) as u64));
                let Some(codes) = codes.filter(|&codes| codes <= entries) else { continue };
                if codes > all || abstractions.len() == MOST_TABLES {
                    return abstractions;
                }
                if chosen.insert(pattern.clone()) {
                    all -= codes;
                    abstractions.extend(Abstraction::projection(task, &pattern));
                }
                break;
            }
        }
    }
    abstractions
}

/// Returns, for each variable, those that occur in an operator that writes it.
fn read_by(task: &Task) -> Vec<BTreeSet<Var>> {
    let mut read = vec![BTreeSet::new(); task.variables.len()];
    for operator in &task.operators {
        let conditions = operator.conditions.iter().map(|(var, _)| *var);
        let all: Vec<Var> = conditions.chain(operator.touched()).collect();
        operator.changed().for_each(|target| read[target].extend(&all));
    }
    read
}

/// Returns the variables that a variable depends on, directly and indirectly, with itself.
fn closure(var: Var, read: &[BTreeSet<Var>]) -> BTreeSet<Var> {
    let mut closed = BTreeSet::from([var]);
    let mut open = vec![var];
    while let Some(var) = open.pop() {
        open.extend(read[var].iter().filter(|&&other| closed.insert(other)));
    }
    closed
}

/// Returns the first sets of numbers below `count` with one more element, in lexicographic order.
fn larger(sets: &[Vec<usize>], count: usize) -> Vec<Vec<usize>> {
    let with = |set: &Vec<usize>| {
        let set = set.clone();
        let next = set.last().map_or(0, |last| last + 1);
        (next..count).map(move |more| [set.as_slice(), &[more]].concat())
    };
    sets.iter().flat_map(with).take(MOST_GROUPS).collect()
}
