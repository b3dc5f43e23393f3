//! One iteration on several threads, with the answer and the counts of one thread.
//!
//! The tree within the threshold is cut near its root into subtrees, many more than threads, in depth-first order
//! (Rao, Kumar and Ramesh 1987). Threads take the next subtree whenever they are free, so the subtrees taken are always
//! the first ones. When a subtree contains a goal, those after it are given up, and those before it are completed. Then
//! the results are added up in depth-first order, as far as the first goal or limit. Results behind it are
//! dropped. So the solution and all counts are those of one thread.

use super::{IterationEnd, Iterations, Node, no_excess};
use crate::search::limits::Limit;
use crate::search::thread_pool::{LazyPool, run_tasks};
use crate::space::InPlace;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The bytes that a key may own on the heap if an iteration is shared.
pub(super) const MOST_BYTES_OF_KEY: usize = 1 << 12;

/// The number of states that an iteration expands before the next one is shared. It begins threads within a
/// millisecond, on the cheapest states.
const LEAST_SHARED: u64 = 1 << 15;

/// Subtrees for each thread. Their sizes differ by orders of magnitude.
const SUBTREES_PER_THREAD: usize = 128;

/// The number of states of the previous iteration for each subtree, at least: cutting is serial work.
const LEAST_PER_SUBTREE: u64 = 256;

/// The greatest depth of the cut: a tree that does not branch has few subtrees.
const DEEPEST_CUT: usize = 40;

/// A part of the tree, in depth-first order.
struct Part<A> {
    /// The states generated after the previous part began and before this one, except within subtrees.
    generated: u64,
    kind: Kind<A>,
}

enum Kind<A> {
    /// A state at a depth that was expanded when the tree was cut.
    Expanded { depth: usize },
    /// The path to a goal.
    Goal(Vec<A>),
    /// The path to a state within the threshold, with all below it.
    Subtree(Vec<A>),
}

/// The result of a subtree.
struct Outcome<A, C> {
    end: IterationEnd<A>,
    next_excess: C,
    expanded: u64,
    generated: u64,
    longest: usize,
}

/// Returns whether the iteration after one with this many states is worth several threads.
pub(super) fn is_worth_sharing(expanded: u64) -> bool {
    expanded >= LEAST_SHARED
}

impl<S: InPlace> Iterations<'_, S> {
    /// Searches everything within the threshold, like [`search`](Iterations::search) from the root. `expanded_last` is
    /// the number of states that the previous iteration expanded.
    pub(super) fn search_shared(
        &mut self,
        root: &S::State,
        bound: S::Cost,
        expanded_last: u64,
        pool: &LazyPool,
    ) -> IterationEnd<S::Action> {
        self.next_excess = no_excess();
        let wanted = (SUBTREES_PER_THREAD * pool.threads()).min((expanded_last / LEAST_PER_SUBTREE) as usize);
        let (parts, generated_last) = self.cut(root, bound, wanted);
        let outcomes: Vec<_> = parts.iter().map(|_| Mutex::new(None)).collect();
        let first_goal = Arc::new(AtomicUsize::new(usize::MAX));
        let (next, expanded, stopped) = (AtomicUsize::new(0), AtomicU64::new(0), Mutex::new(None));
        let allowed = self.watch.nodes_left(self.expanded);
        let (space, informed, watch, before) = (self.space, self.informed, &self.watch, self.expanded);
        let work = || {
            let mut worker = Iterations::new(space, informed, watch.for_part(0, &first_goal, 0));
            // Checked before a part is taken: every part that is taken is searched, so the results have no gaps.
            while expanded.load(Ordering::Relaxed) <= allowed && stopped.lock().is_none() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= parts.len() || number > first_goal.load(Ordering::Relaxed) {
                    break;
                }
                let path = match &parts[number].kind {
                    Kind::Expanded { .. } => continue,
                    Kind::Goal(_) => {
                        first_goal.fetch_min(number, Ordering::Relaxed);
                        continue;
                    }
                    Kind::Subtree(path) => path,
                };
                worker.watch = watch.for_part(allowed, &first_goal, number);
                let outcome = worker.outcome(root, path, bound);
                match outcome.end {
                    IterationEnd::Goal(_) => _ = first_goal.fetch_min(number, Ordering::Relaxed),
                    IterationEnd::Limit(limit) if number < first_goal.load(Ordering::Relaxed) => {
                        *stopped.lock() = Some(limit);
                    }
                    _ => {}
                }
                let total = expanded.fetch_add(outcome.expanded, Ordering::Relaxed) + outcome.expanded;
                watch.report(before + total);
                *outcomes[number].lock() = Some(outcome);
            }
        };
        pool.run(|| run_tasks(pool.threads(), &|_| work()));
        let stopped = stopped.into_inner();
        for (part, outcome) in parts.into_iter().zip(outcomes) {
            self.generated += part.generated;
            match part.kind {
                Kind::Goal(path) => {
                    self.longest = self.longest.max(path.len());
                    return IterationEnd::Goal(path);
                }
                Kind::Expanded { depth } => {
                    self.longest = self.longest.max(depth);
                    if let Some(limit) = self.watch.exceeded(self.expanded, || 0) {
                        return IterationEnd::Limit(limit);
                    }
                    self.expanded += 1;
                }
                Kind::Subtree(path) => {
                    let Some(outcome) = outcome.into_inner() else {
                        return IterationEnd::Limit(stopped.unwrap_or(Limit::Nodes));
                    };
                    let outcome = if outcome.expanded > self.watch.nodes_left(self.expanded)
                        || matches!(outcome.end, IterationEnd::Limit(Limit::Nodes))
                    {
                        // The limit lies within this subtree: it is searched again, as far as the limit.
                        let watch = self.watch.for_part(self.watch.nodes_left(self.expanded), &Arc::default(), 0);
                        Iterations::new(space, informed, watch).outcome(root, &path, bound)
                    } else {
                        outcome
                    };
                    self.expanded += outcome.expanded;
                    self.generated += outcome.generated;
                    self.longest = self.longest.max(path.len() + outcome.longest);
                    self.next_excess = self.next_excess.min(outcome.next_excess);
                    match outcome.end {
                        IterationEnd::Goal(rest) => return IterationEnd::Goal([path, rest].concat()),
                        IterationEnd::Limit(limit) => return IterationEnd::Limit(limit),
                        IterationEnd::Exhausted => {}
                    }
                }
            }
        }
        self.generated += generated_last;
        IterationEnd::Exhausted
    }

    /// Cuts the tree within the threshold into at least `wanted` subtrees, if it has as many. Returns its parts, and
    /// the number of states generated after the last of them began.
    fn cut(&mut self, root: &S::State, bound: S::Cost, wanted: usize) -> (Vec<Part<S::Action>>, u64) {
        let mut parts = vec![Part { generated: 0, kind: Kind::Subtree(Vec::new()) }];
        let mut generated_last = 0;
        for _ in 0..DEEPEST_CUT {
            let mut deeper = Vec::new();
            let mut generated = 0;
            for part in parts {
                generated += part.generated;
                let Kind::Subtree(path) = part.kind else {
                    deeper.push(Part { generated, ..part });
                    generated = 0;
                    continue;
                };
                let (mut state, Node { trail, budget }) = self.descend(root, &path, bound);
                deeper.push(Part { generated, kind: Kind::Expanded { depth: path.len() } });
                generated = 0;
                for action in self.space.actions_after(&state, &trail) {
                    if self.space.follow(&trail, &state, action).is_none() {
                        continue;
                    }
                    generated += 1;
                    match self.apply_within(&mut state, action, budget) {
                        Err(least) => self.next_excess = self.next_excess.min(least - budget),
                        Ok((_, undo)) => {
                            let path = [&path[..], &[action]].concat();
                            let is_goal = self.space.is_solved(&state);
                            let kind = if is_goal { Kind::Goal(path) } else { Kind::Subtree(path) };
                            deeper.push(Part { generated, kind });
                            generated = 0;
                            self.space.undo(&mut state, action, undo);
                        }
                    }
                }
            }
            parts = deeper;
            generated_last += generated;
            let subtrees = parts.iter().filter(|part| matches!(part.kind, Kind::Subtree(_))).count();
            if subtrees == 0 || subtrees >= wanted {
                break;
            }
        }
        (parts, generated_last)
    }

    /// Returns the state at the end of a path within the threshold.
    fn descend(&self, root: &S::State, path: &[S::Action], bound: S::Cost) -> (S::State, Node<S>) {
        let (mut state, mut node) = (root.clone(), Node { trail: self.space.trail(root), budget: bound });
        for &action in path {
            let trail = self.space.follow(&node.trail, &state, action).expect("the path was followed before");
            let (cost, _) = self.space.apply(&mut state, action);
            node = Node { trail, budget: node.budget - cost };
        }
        (state, node)
    }

    /// Searches a subtree.
    fn outcome(&mut self, root: &S::State, path: &[S::Action], bound: S::Cost) -> Outcome<S::Action, S::Cost> {
        (self.expanded, self.generated, self.longest) = (0, 0, 0);
        let (state, node) = self.descend(root, path, bound);
        let (_, end) = self.search(state, node);
        Outcome {
            end,
            next_excess: self.next_excess,
            expanded: self.expanded,
            generated: self.generated,
            longest: self.longest,
        }
    }
}
