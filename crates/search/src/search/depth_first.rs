//! Depth-first searches with a closed list of bounded length: iterative deepening, with a heuristic or without, and one
//! search within a depth or without a limit. Between the memory of one solution and that of all states they take what
//! they are given (Reinefeld and Marsland 1994).
//!
//! In a round, which is all that is searched within one bound, a state is left out where it was met before with no more
//! spent on getting there: whatever can be reached from here within the bound was reached from there. That it was met is
//! noted when its moves are tried first, not when they have been: so the note says nothing that depends on the way to the
//! state, and a solution cannot hide behind it. What the list has forgotten is searched again. A state on the way itself
//! is never met twice, whatever the list has forgotten: so there are finitely many ways, and a search ends, if late.
//! States that a move back leads to are left out for being on the way; no other move is left out for the moves before it,
//! since a shorter way round might lead over a state that the list holds for searched (Akagi, Kishimoto and Fukunaga 2010).
//!
//! The bound rises by the least that went beyond it. Where a round meets no more states than the one before, the list is
//! gone through, if it holds them all: where no child is missing, all has been searched.

use super::closed_list::ClosedList;
use super::deepening::within;
use super::limits::{Limit, Limits, Watch};
use super::record::Counts;
use super::{Found, Stats, Verdict};
use crate::space::{Cost, Facts, InPlace, Weighted, Whole};
use rustc_hash::FxHashSet;
use std::num::NonZero;

/// What is spent on the way to a state, and what may be.
#[derive(Clone, Copy)]
pub(super) enum Measure {
    /// Costs, alone or with the heuristic: the bound rises until there is a solution within.
    Costs { informed: bool },
    /// The number of moves, whatever they cost: the first solution is taken where there is no bound, and the best where
    /// there is one.
    Moves,
}

impl Measure {
    fn deepens(self) -> bool {
        matches!(self, Measure::Costs { .. })
    }

    /// The first bound; none for no bound.
    fn first_bound<S: InPlace>(self, space: &S, start: &S::State, depth: Option<u32>) -> Option<S::Cost> {
        match self {
            Measure::Costs { informed: true } => Some(space.h_in_place(start)),
            Measure::Costs { informed: false } => Some(S::Cost::ZERO),
            Measure::Moves => depth.map(S::Cost::whole),
        }
    }

    /// Makes a move, if what it takes is no more than this; else says what it would have to be at least.
    fn make<S: InPlace>(
        self,
        space: &S,
        state: &mut S::State,
        action: S::Action,
        at_most: Option<S::Cost>,
    ) -> Result<(S::Cost, S::Undo), S::Cost> {
        let one = S::Cost::whole(1);
        match (self, at_most) {
            (Measure::Costs { informed: true }, Some(at_most)) => space.apply_within(state, action, at_most),
            (Measure::Costs { informed: false }, Some(at_most)) => within(space, state, action, at_most),
            (Measure::Costs { .. }, None) => Ok(space.apply(state, action)),
            (Measure::Moves, Some(at_most)) if at_most < one => Err(one),
            (Measure::Moves, Some(_)) => Ok((one, space.apply(state, action).1)),
            // Without a bound a state need not be met again, however soon.
            (Measure::Moves, None) => Ok((S::Cost::ZERO, space.apply(state, action).1)),
        }
    }
}

/// Searches from a state, with a closed list of as many states as the limits say.
pub(super) fn depth_first_search<S: InPlace>(
    measure: Measure,
    space: &S,
    start: &dyn Fn() -> S::State,
    limits: &Limits,
) -> Found<Vec<S::Action>> {
    let length = limits.closed.map_or(usize::MAX, NonZero::get);
    let facts = space.facts();
    let whole = Whole(space);
    let quotient = space.quotient();
    let mut state = start();
    let mut bound = measure.first_bound(space, &state, limits.depth);
    let fits = limits.memory.is_none_or(|memory| ClosedList::<S::Key, S::Cost>::bytes_for(length) <= memory);
    let mut search =
        Search::new(measure, space, quotient.as_deref().unwrap_or(&whole), if fits { length } else { 1 }, limits);
    let mut completed = 0.0;
    limits.record("depth-first with a closed list", Counts::Bounds);
    let verdict = loop {
        if measure.deepens() && bound.is_some_and(|bound| bound >= S::Cost::NEVER) {
            search.pruned = true;
            break Verdict::Unsolvable;
        }
        let before = search.expanded;
        let told = bound.filter(|_| measure.deepens()).map_or(0.0, Cost::as_f64);
        limits.reach(completed, told);
        if let Some((bound, depth)) = bound.zip(limits.depth).filter(|_| measure.deepens())
            && bound.exceeds(depth)
        {
            break Verdict::Limit { limit: Limit::Depth, lower_bound: told, best: None };
        }
        let ended = if fits { search.round(&mut state, &mut bound) } else { Some(Limit::Memory) };
        if let (None, None, Some(bound)) = (ended, &search.best, bound) {
            limits.complete(0, bound.as_f64(), search.expanded - before);
        }
        let best = search.best.take().map(|path| {
            let cost = cost_of(space, start, &path);
            (path, cost)
        });
        match (ended, best) {
            (Some(limit), best) => break Verdict::Limit { limit, lower_bound: told, best },
            (None, Some((path, cost))) => {
                let proven = if measure.deepens() || facts.unit_cost && limits.depth.is_some() { cost } else { 0.0 };
                break Verdict::Solved { path, cost, lower_bound: proven };
            }
            (None, None) if search.has_met_all() => break Verdict::Unsolvable,
            (None, None) => match search.next.take().zip(bound) {
                Some((excess, least)) if measure.deepens() => (completed, bound) = (told, Some(least + excess)),
                Some((_, depth)) => {
                    let lower_bound = if facts.unit_cost { depth.as_f64() + 1.0 } else { 0.0 };
                    break Verdict::Limit { limit: Limit::Depth, lower_bound, best: None };
                }
                None => break Verdict::Unsolvable,
            },
        }
    };
    let depth = if let Verdict::Solved { cost, .. } = &verdict { *cost } else { completed };
    let stats = Stats {
        expanded: search.expanded,
        generated: search.generated,
        stored: search.closed.len as u64 + search.longest as u64 + 1,
        depth,
        memory: search.bytes(),
        pruned: search.pruned,
    };
    Found { verdict, stats }
}

fn cost_of<S: InPlace>(space: &S, start: &dyn Fn() -> S::State, path: &[S::Action]) -> f64 {
    let mut state = start();
    path.iter().fold(S::Cost::ZERO, |cost, &action| cost + space.apply(&mut state, action).0).as_f64()
}

/// The rounds of a search, one after the other.
struct Search<'a, S: InPlace> {
    measure: Measure,
    space: &'a S,
    /// The space, or its quotient.
    graph: &'a dyn Weighted<S::Key, S::Cost>,
    facts: Facts,
    watch: Watch,
    closed: ClosedList<S::Key, S::Cost>,
    length: usize,
    /// How many states the round before met.
    met_before: usize,
    way: Vec<Frame<'a, S>>,
    /// The states on the way.
    on_way: FxHashSet<S::Key>,
    /// The best solution that this round has found.
    best: Option<Vec<S::Action>>,
    /// By how much the bound would have to rise to let in more; none if nothing was kept out.
    next: Option<S::Cost>,
    expanded: u64,
    generated: u64,
    longest: usize,
    /// Whether a state was kept out because no goal can be reached from it, whatever the bound.
    pruned: bool,
}

/// A state on the way, with the moves that were not yet tried.
struct Frame<'a, S: InPlace> {
    key: S::Key,
    rest: S::Actions<'a>,
    spent: S::Cost,
    /// What led here, and takes it back; none at the start.
    made: Option<(S::Action, S::Undo)>,
}

impl<'a, S: InPlace> Search<'a, S> {
    fn new(
        measure: Measure,
        space: &'a S,
        graph: &'a dyn Weighted<S::Key, S::Cost>,
        length: usize,
        limits: &Limits,
    ) -> Self {
        let facts = space.facts();
        Search {
            measure,
            space,
            graph,
            facts,
            watch: Watch::new(limits, facts.key_heap_bytes),
            closed: ClosedList::new(length),
            length,
            met_before: 0,
            way: Vec::new(),
            on_way: FxHashSet::default(),
            best: None,
            next: None,
            expanded: 0,
            generated: 0,
            longest: 0,
            pruned: false,
        }
    }

    /// Searches everything within the bound, which solutions lower; the state comes back as it was, unless the search
    /// ended at a limit, which is returned, or with a first solution.
    fn round(&mut self, state: &mut S::State, bound: &mut Option<S::Cost>) -> Option<Limit> {
        let space = self.space;
        self.closed.begin_round();
        if space.is_solved(state) {
            self.best = Some(Vec::new());
            return None;
        }
        let key = self.key_of(state);
        if let Some(limit) = self.enter(state, key, S::Cost::ZERO, None) {
            return Some(limit);
        }
        while let Some(frame) = self.way.last_mut() {
            let spent = frame.spent;
            // A solution may have lowered the bound below what was spent here.
            let left = bound.map(|bound| (spent <= bound).then(|| bound - spent));
            let Some(action) = frame.rest.next().filter(|_| left != Some(None)) else {
                let frame = self.way.pop().expect("it is there");
                self.on_way.remove(&frame.key);
                if let Some((action, undo)) = frame.made {
                    space.undo(state, action, undo);
                }
                continue;
            };
            match self.measure.make(space, state, action, left.flatten()) {
                Err(least) => {
                    self.generated += 1;
                    let excess = left.flatten().map_or(least, |left| least - left);
                    if least >= S::Cost::NEVER {
                        self.pruned = true;
                    } else {
                        self.next = Some(self.next.map_or(excess, |next| excess.min(next)));
                    }
                }
                Ok((amount, undo)) => {
                    let key = self.key_of(state);
                    let spent = spent + amount;
                    let is_back = self.way.iter().nth_back(1).is_some_and(|before| before.key == key);
                    self.generated += u64::from(!is_back);
                    if space.is_solved(state) {
                        let before = self.way.iter().filter_map(|frame| frame.made.as_ref().map(|(action, _)| *action));
                        self.best = Some(before.chain([action]).collect());
                        match bound {
                            Some(most) if !self.measure.deepens() => *most = spent - S::Cost::whole(1),
                            // The first one will do.
                            _ => return None,
                        }
                        space.undo(state, action, undo);
                    } else if self.on_way.contains(&key) || self.closed.covers(&key, spent) {
                        space.undo(state, action, undo);
                    } else if let Some(limit) = self.enter(state, key, spent, Some((action, undo))) {
                        return Some(limit);
                    }
                }
            }
        }
        None
    }

    /// Goes on from a state.
    fn enter(
        &mut self,
        state: &S::State,
        key: S::Key,
        spent: S::Cost,
        made: Option<(S::Action, S::Undo)>,
    ) -> Option<Limit> {
        let bytes = self.bytes();
        if let Some(limit) = self.watch.exceeded(self.expanded, || bytes) {
            return Some(limit);
        }
        self.expanded += 1;
        self.closed.insert(key.clone(), spent);
        self.on_way.insert(key.clone());
        self.way.push(Frame { key, rest: self.space.actions(state), spent, made });
        self.longest = self.longest.max(self.way.len());
        None
    }

    /// Whether the children of all states that this round met were met in it, too; where bounds rise this is looked at
    /// only if no more states were met than in the round before.
    fn has_met_all(&mut self) -> bool {
        let before = std::mem::replace(&mut self.met_before, self.closed.noted);
        if self.measure.deepens() && before != self.closed.noted {
            return false;
        }
        let Some(mut all) = self.closed.all() else { return false };
        let (mut number, mut children) = (0, Vec::new());
        all.all(|key| {
            number += 1;
            children.clear();
            self.graph.children(std::slice::from_ref(key), &mut children);
            self.watch.pause_at(number).is_ok() && children.iter().all(|child| self.closed.has(child))
        })
    }

    /// The representative of a state.
    fn key_of(&self, state: &S::State) -> S::Key {
        self.graph.canonical(self.space.pack(state))
    }

    fn bytes(&self) -> u64 {
        let way = self.way.capacity() * size_of::<Frame<S>>() + self.on_way.capacity() * 2 * size_of::<S::Key>();
        let heap = (self.closed.len + 2 * self.way.len()) * self.facts.key_heap_bytes;
        ClosedList::<S::Key, S::Cost>::bytes_for(self.length) + (way + heap) as u64
    }
}
