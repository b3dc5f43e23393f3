//! Graph search: expand an open state, store the children not seen before, repeat. The frontier decides which state is
//! next; this loop is the same for breadth-first search, depth-first search and A*.
//!
//! A state is closed when it is popped, not when it is pushed. A child that undoes the last move is the state's own
//! parent, and is skipped.

pub mod ahead;

use super::frontier::{Cut, Frontier};
use super::limits::{Limit, Limits, Watch};
use super::node_table::{Node, NodeTable, Reached};
use super::proof_log::Counts;
use super::{Found, Stats, Verdict};
use crate::space::{Cost, Graph, Key, Ordinal, Weighted};
use ahead::{Ahead, Expansion};
use std::slice::from_ref;
use std::time::{Duration, Instant};

/// If more children than this are new, the limits are looked at between their evaluations, after more of them each time
/// while all take less than `SHORT`.
const MANY_CHILDREN: usize = 64;
const SHORT: Duration = Duration::from_millis(2);

/// Searches a graph from a state; returns a path as the ordinals of its moves.
pub(super) fn graph_search<K: Key, C: Cost, F: Frontier<C>>(
    graph: &dyn Weighted<K, C>,
    start: &K,
    name: &'static str,
    mut frontier: F,
    limits: &Limits,
) -> Found<Vec<Ordinal>> {
    let facts = graph.facts();
    let mut table: NodeTable<K, F::Label> = NodeTable::new(&facts, limits);
    let mut watch = Watch::new(limits, facts.key_heap_bytes);
    let mut ahead = Ahead::new(graph, F::INFORMED, limits);
    let (mut expanded, mut generated, mut memory) = (0, 0, 0);
    let mut pruned = false;
    // The current threshold, and the number of expansions when the search entered it.
    let (mut within, mut before) = (f64::NEG_INFINITY, 0);
    limits.begin_proof_log(name, if F::INFORMED { Counts::Bounds } else { Counts::Layers });
    // For the state being expanded: its successors, the nodes to open, and their h values in the same order.
    let (mut successors, mut opened, mut values) = (Vec::new(), Vec::<(Node, F::Label)>::new(), Vec::<C>::new());

    let ending = 'search: {
        let root = graph.canonical(start.clone());
        let is_solved = graph.is_goal(&root);
        let label = frontier.root();
        if F::INFORMED {
            graph.h(from_ref(&root), &mut values);
        }
        let h = values.pop().unwrap_or(C::ZERO);
        pruned |= h >= C::INFINITY;
        frontier.push(0, label, h);
        let stored = table.reach(root, 0, label);
        // A solved puzzle needs no memory, not even for its start.
        if is_solved {
            break 'search Ending::Goal(0);
        }
        if let Err(limit) = stored {
            break 'search Ending::Limit(limit);
        }

        while let Some(node) = frontier.pop(&mut table.nodes) {
            let label = *table.nodes.label(node);
            if !F::FIRST_IS_SHORTEST && graph.is_goal(table.key(node)) {
                if frontier.accepts(node, label) {
                    break 'search Ending::Goal(node);
                }
                continue;
            }
            if !frontier.may_expand(label) {
                continue;
            }
            let held = || {
                let (level, bound) = frontier.proven();
                limits.reach(level, bound);
                memory = memory.max(table.bytes() + frontier.bytes());
                memory
            };
            if let Some(limit) = watch.exceeded(expanded, held) {
                break 'search Ending::Limit(limit);
            }
            if limits.proof_log.is_some() {
                let (level, bound) = frontier.proven();
                let now = if F::INFORMED { bound } else { level };
                if now > within {
                    if expanded > before {
                        limits.complete_step(0, within, expanded - before);
                    }
                    (within, before) = (now, expanded);
                }
            }
            let computed = if ahead.is_on() { expansion(&mut ahead, &table, &frontier, node) } else { None };
            let begun = if computed.is_none() { ahead.begin(expanded) } else { None };
            expanded += 1;
            let back = table.key(table.nodes.parent(node));
            let computed_values = computed.map(|computed| {
                successors = computed.successors;
                computed.values
            });
            if computed_values.is_none() {
                graph.expand(table.key(node), back, &mut successors);
            }
            let back = back.clone();
            let first_new = table.len();
            let mut ending = None;
            for (number, (cost, key)) in successors.drain(..).enumerate() {
                if key == back {
                    continue;
                }
                generated += 1;
                let label = frontier.child(label, cost);
                match table.reach(key, node, label) {
                    Ok(Reached::New(new)) => {
                        values.extend(computed_values.as_ref().map(|values| values[number]));
                        if F::FIRST_IS_SHORTEST && graph.is_goal(table.key(new)) {
                            ending = Some(Ending::Goal(new));
                            break;
                        }
                        opened.push((new, label));
                    }
                    Ok(Reached::Known(known)) if frontier.replaces(known, &label, table.nodes.label(known)) => {
                        table.nodes.reparent(known, node, label);
                        opened.push((known, label));
                    }
                    Ok(Reached::Known(_)) => {}
                    Err(limit) => {
                        ending = Some(Ending::Limit(limit));
                        break;
                    }
                }
            }
            if F::INFORMED {
                // New states are contiguous in the table.
                if table.len() > first_new {
                    let mut new = &table.keys()[first_new + values.len()..];
                    // Some heuristics take long for each of many children.
                    let mut together = 1;
                    while new.len() > MANY_CHILDREN {
                        let (some, rest) = new.split_at(together.min(new.len()));
                        let begun = Instant::now();
                        graph.h(some, &mut values);
                        new = rest;
                        if let Some(limit) = watch.check() {
                            break 'search Ending::Limit(limit);
                        }
                        together = if begun.elapsed() < SHORT { 2 * together } else { 1 };
                    }
                    if !new.is_empty() {
                        graph.h(new, &mut values);
                    }
                    pruned |= values.iter().any(|&h| h >= C::INFINITY);
                }
                for (known, _) in opened.iter().filter(|(node, _)| (*node as usize) < first_new) {
                    let key = table.key(*known);
                    match if ahead.is_on() { ahead.value(key) } else { None } {
                        Some(value) => values.push(value),
                        None => graph.h(from_ref(key), &mut values),
                    }
                }
                let (new, known) = values.split_at(table.len() - first_new);
                let mut known = known.iter();
                for &(node, label) in &opened {
                    let h = match (node as usize).checked_sub(first_new) {
                        Some(number) => new[number],
                        None => *known.next().expect("every opened node has an h value"),
                    };
                    frontier.push(node, label, h);
                }
                values.clear();
            } else {
                opened.iter().for_each(|&(node, label)| frontier.push(node, label, C::ZERO));
            }
            opened.clear();
            if let Some(begun) = begun {
                ahead.end(begun);
            }
            if let Some(ending) = ending {
                break 'search ending;
            }
            frontier.expanded();
        }
        if let Some(goal) = frontier.best() {
            break 'search Ending::Goal(goal);
        }
        let is_cut = match frontier.cut(&table.nodes) {
            Cut::Nothing => false,
            Cut::Something => true,
            Cut::Beyond(mut nodes) => has_new_children(graph, &table, &mut nodes, &mut watch),
        };
        if is_cut { Ending::Limit(Limit::Depth) } else { Ending::Exhausted }
    };

    pruned |= graph.has_pruned();
    let (level, bound) = frontier.proven();
    let memory = memory.max(table.bytes() + frontier.bytes());
    let stats =
        |depth| Stats { expanded, generated, stored: table.len() as u64, depth, memory, pruned, deepened_after: None };
    let path_to = |goal| {
        let (path, cost) = graph.moves_on_path(start.clone(), &table.path_to(goal));
        (path, cost.as_f64())
    };
    match ending {
        Ending::Goal(goal) => {
            let (path, cost) = path_to(goal);
            let lower_bound = frontier.lower_bound(cost);
            Found { verdict: Verdict::Solved { path, cost, lower_bound }, stats: stats(cost) }
        }
        Ending::Exhausted => Found { verdict: Verdict::Unsolvable, stats: stats(level) },
        Ending::Limit(limit) => {
            let lower_bound = match (limit, limits.depth) {
                (Limit::Depth, Some(depth)) if facts.unit_cost => bound.max(f64::from(depth) + 1.0),
                _ => bound,
            };
            let best = frontier.best().map(path_to);
            Found { verdict: Verdict::Limit { limit, lower_bound, best }, stats: stats(level) }
        }
    }
}

/// Returns the expansion of a node if it was computed ahead, after computing it with others where that is worth it.
fn expansion<K: Key, C: Cost, F: Frontier<C>>(
    ahead: &mut Ahead<K, C>,
    table: &NodeTable<K, F::Label>,
    frontier: &F,
    node: Node,
) -> Option<Expansion<K, C>> {
    let key = table.key(node);
    if !ahead.has(key) {
        let most = ahead.roots();
        let next = frontier.next().map(|node| table.key(node)).filter(|key| !ahead.has(key));
        let roots: Vec<&K> = std::iter::once(key).chain(next).take(most).collect();
        if roots.len() > 1 {
            ahead.compute(&roots, &|key| table.find(key).is_some());
        }
    }
    ahead.take(key)
}

/// The end of a search, in nodes.
enum Ending {
    Goal(Node),
    Exhausted,
    Limit(Limit),
}

/// Returns whether a child of any of these states is missing from the table, or a limit was reached before all were
/// checked.
pub(super) fn has_new_children<K: Key, L>(
    graph: &dyn Graph<K>,
    table: &NodeTable<K, L>,
    nodes: &mut dyn Iterator<Item = Node>,
    watch: &mut Watch,
) -> bool {
    let mut children = Vec::new();
    for node in nodes {
        children.clear();
        graph.children(from_ref(table.key(node)), &mut children);
        if watch.check_at(node).is_err() || children.iter().any(|child| table.find(child).is_none()) {
            return true;
        }
    }
    false
}
