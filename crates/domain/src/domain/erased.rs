//! The boundary between static and dynamic dispatch: crossed once for each solve, not once for each node.
//!
//! A domain implements a state space and a [`View`] of it; [`searchable`] erases both types behind [`Searchable`].

mod numbered;
mod tracing;

use super::goal_view::GoalView;
use super::mechanics::Mechanics;
use super::rules::{Replay, Rules};
use super::{Notation, NumberedStates, PathStep, Route, Routes, Searchable, Style, TraceReceiver, View};
use crate::argument::Refutation;
use crate::picture::{Figure, Picture};
use crate::search::{Algorithm, AllShortest, Answer, DiskError, Explored, Found, Limit, Limits, Request, Response};
use crate::search::{Searched, Stored, Trace, Verdict, Work, actions, cost_of, objection, run};
use crate::space::{Cost, CostUnit, Graph as _, Joined, Ordinal, Parts, Saving, Weighted, Whole};
use numbered::{AsGraph, Numbered};
use std::any::Any;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use tracing::Positions;

/// Erases the types of a state space and its view.
pub fn searchable<S: Searched, V: View<S>>(space: S, view: V) -> Box<dyn Searchable> {
    Box::new(Cursor { shared: Arc::new((space, view)), current: None })
}

/// Shorter paths cost less than searches can count: no move costs more than 10,000.
const LONG_PATH: usize = 100_000;

/// A state space with its view, at one of its states.
struct Cursor<S: Searched, V: View<S>> {
    shared: Arc<(S, V)>,
    /// `None` at the start: a copy of the start may take too much memory.
    current: Option<Current<S, V>>,
}

struct Current<S: Searched, V: View<S>> {
    state: S::State,
    position: V::Position,
    g: S::Cost,
}

impl<S: Searched, V: View<S>> Clone for Current<S, V> {
    fn clone(&self) -> Current<S, V> {
        Current { state: self.state.clone(), position: self.position.clone(), g: self.g }
    }
}

impl<S: Searched, V: View<S>> Clone for Cursor<S, V> {
    fn clone(&self) -> Cursor<S, V> {
        Cursor { shared: Arc::clone(&self.shared), current: self.current.clone() }
    }
}

impl<S: Searched, V: View<S>> Cursor<S, V> {
    fn state(&self) -> S::State {
        self.current.as_ref().map_or_else(|| self.shared.0.initial(), |current| current.state.clone())
    }

    fn position(&self) -> V::Position {
        self.current.as_ref().map_or_else(|| self.shared.1.initial(), |current| current.position.clone())
    }

    fn current(&self) -> Current<S, V> {
        let start = || Current { state: self.state(), position: self.position(), g: S::Cost::ZERO };
        self.current.clone().unwrap_or_else(start)
    }

    /// Returns the space after a move from `from`.
    fn moved(&self, from: Current<S, V>, action: S::Action) -> Cursor<S, V> {
        Cursor { shared: Arc::clone(&self.shared), current: Some(self.after_action(from, action)) }
    }

    /// Returns the state and the position after a move from `from`.
    fn after_action(&self, from: Current<S, V>, action: S::Action) -> Current<S, V> {
        let Current { mut state, mut position, g } = from;
        self.shared.1.apply(&mut position, action);
        let (cost, _) = self.shared.0.apply(&mut state, action);
        Current { state, position, g: g + cost }
    }

    /// Returns the key of the state.
    fn key(&self) -> S::Key {
        self.shared.0.pack(&self.state())
    }

    fn graph(&self) -> Whole<'_, S> {
        Whole(&self.shared.0)
    }

    fn cost_unit(&self) -> CostUnit {
        self.shared.0.facts().cost_unit
    }

    /// Returns a cost as people see it.
    fn shown(&self, cost: S::Cost) -> f64 {
        self.cost_unit().cost(cost.as_f64())
    }

    /// Returns the parts of the heuristic value of a state.
    fn parts_of(&self, key: &S::Key) -> Parts {
        let mut parts = self.shared.0.parts(key);
        parts.all.iter_mut().for_each(|part| part.value = self.cost_unit().cost(part.value));
        parts
    }

    /// Returns the cost of a path if it is greater than searches can count: then they have proven nothing.
    fn cost_beyond_numbers(&self, path: &[S::Action]) -> Option<f64> {
        if path.len() < LONG_PATH {
            return None;
        }
        let mut state = self.state();
        let sum = path.iter().map(|&action| self.shared.0.apply(&mut state, action).0.as_f64()).sum();
        (sum >= S::Cost::INFINITY.as_f64()).then_some(sum)
    }

    fn route(&self, actions: Vec<S::Action>) -> Box<dyn Route> {
        Box::new(ActionRoute { from: self.clone(), actions })
    }
}

impl<S: Searched, V: View<S>> Searchable for Cursor<S, V> {
    fn run(&self, request: &Request) -> Result<Response<Box<dyn Route>>, DiskError> {
        let (space, cost_unit) = (&self.shared.0, self.cost_unit());
        let limits = in_units(request, cost_unit);
        let Response { mut answer, note } = run(space, &|| self.state(), &Request { limits: &limits, ..*request })?;
        if let Answer::Found(Found { verdict: Verdict::Solved { path, cost, lower_bound }, .. }) = &mut answer
            && let Some(sum) = self.cost_beyond_numbers(path)
        {
            (*cost, *lower_bound) = (sum, 0.0);
        }
        let answer = answer.map(&mut |actions| self.route(actions));
        Ok(Response { answer: for_people(answer, cost_unit, request.limits, space.unknown_moves()), note })
    }

    fn trace(&self, receiver: Arc<dyn TraceReceiver>) -> Trace {
        let heap_bytes = self.shared.0.facts().key_heap_bytes;
        Trace(Arc::new(Positions::new(Arc::new(self.clone()), self.cost_unit(), heap_bytes, receiver)))
    }

    fn objection(&self, algorithm: Algorithm) -> Option<&'static str> {
        objection(&self.graph(), algorithm)
    }

    fn has_unit_costs(&self) -> bool {
        self.shared.0.facts().unit_cost
    }

    fn has_whole_costs(&self) -> bool {
        S::Cost::EXACT_BUCKETS
    }

    fn has_free_moves(&self) -> bool {
        self.shared.0.facts().free_moves
    }

    fn has_unknown_moves(&self) -> bool {
        self.shared.0.unknown_moves().is_some()
    }

    fn is_reversible(&self) -> bool {
        self.shared.0.facts().reversible
    }

    fn guidance(&self) -> Option<String> {
        self.shared.0.guidance()
    }

    fn no_heuristic(&self) -> Option<String> {
        self.shared.0.no_heuristic()
    }

    fn savings(&self) -> Vec<Saving> {
        self.shared.0.savings()
    }

    fn refutation(&self) -> Option<Refutation> {
        self.shared.0.refutation(&self.key())
    }

    fn is_goal(&self) -> bool {
        self.shared.0.is_solved(&self.state())
    }

    fn h(&self) -> f64 {
        let h = self.shared.0.h_in_place(&self.state());
        if h >= S::Cost::INFINITY { f64::INFINITY } else { self.shown(h) }
    }

    fn parts(&self) -> Parts {
        self.parts_of(&self.key())
    }

    fn g(&self) -> f64 {
        self.shown(self.current.as_ref().map_or(S::Cost::ZERO, |current| current.g))
    }

    fn legal_moves(&self, notation: Notation) -> Vec<String> {
        let (space, view) = &*self.shared;
        let position = self.position();
        space.actions(&self.state()).map(|action| view.notation(&position, action, notation)).collect()
    }

    fn after(&self, written: &str, notations: &[Notation]) -> Option<Box<dyn Searchable>> {
        let (space, view) = &*self.shared;
        let current = self.current();
        let is_written = |action: &S::Action| {
            notations.iter().any(|&notation| view.notation(&current.position, *action, notation) == written)
        };
        let action = space.actions(&current.state).find(is_written)?;
        Some(Box::new(self.moved(current, action)))
    }

    fn here(&self) -> Box<dyn Searchable> {
        Box::new(self.clone())
    }

    fn count_moves(&self) -> usize {
        self.shared.0.actions(&self.state()).count()
    }

    fn after_move(&self, number: usize, notation: Notation) -> Option<(String, Box<dyn Searchable>)> {
        let (space, view) = &*self.shared;
        let current = self.current();
        let action = space.nth_action(&current.state, number)?;
        let name = view.notation(&current.position, action, notation);
        Some((name, Box::new(self.moved(current, action))))
    }

    fn moves_to(&self, key: &dyn Any) -> Option<Vec<Ordinal>> {
        let (space, key): (_, &S::Key) = (&self.shared.0, key.downcast_ref()?);
        let state = self.state();
        let after = |action| {
            let mut after = state.clone();
            let (cost, _) = space.apply(&mut after, action);
            (cost, space.pack(&after))
        };
        let all: Vec<_> = space.actions(&state).map(after).collect();
        let cheapest = |is_it: &dyn Fn(&S::Key) -> bool| {
            (0..).zip(&all).filter(|(_, (_, after))| is_it(after)).min_by_key(|(_, (cost, _))| *cost)
        };
        let quotient = || {
            let quotient = space.quotient()?;
            cheapest(&|after| quotient.canonical(after.clone()) == *key)
        };
        if let Some((ordinal, _)) = cheapest(&|after| after == key).or_else(quotient) {
            return Some(vec![ordinal]);
        }
        Some(space.jump_graph()?.moves_on_way(space.pack(&state), std::slice::from_ref(key)))
    }

    fn at_key(&self, key: &dyn Any) -> (Vec<u8>, Option<Arc<dyn Searchable>>) {
        let (space, view) = &*self.shared;
        let key = key.downcast_ref().expect("the key is one of this space");
        let at = |position| Cursor {
            shared: Arc::clone(&self.shared),
            current: Some(Current { state: space.unpack(key), position, g: S::Cost::ZERO }),
        };
        (key_bytes(key), view.position(space, key).map(|position| Arc::new(at(position)) as Arc<dyn Searchable>))
    }

    fn messages(&self, written: Option<&str>, notation: Notation) -> Vec<String> {
        let (space, view) = &*self.shared;
        let position = self.position();
        let Some(written) = written else { return view.messages(&position, None) };
        let action = space.actions(&self.state()).find(|&action| view.notation(&position, action, notation) == written);
        action.map_or(Vec::new(), |action| view.messages(&position, Some(action)))
    }

    fn draw(&self, style: Style) -> String {
        self.shared.1.draw(&self.position(), style)
    }

    fn picture(&self) -> Option<Picture> {
        self.shared.1.picture(&self.position())
    }

    fn goal(&self) -> GoalView {
        self.shared.1.goal()
    }

    fn moving(&self) -> Option<Vec<Figure>> {
        self.shared.1.moving(&self.position())
    }

    fn mechanics(&self) -> Option<Mechanics> {
        self.shared.1.mechanics(&self.shared.0)
    }

    fn figures(&self, values: &[u32]) -> Vec<Figure> {
        self.shared.1.figures(values)
    }

    fn successors(&self) -> Vec<(String, f64, Box<dyn Searchable>)> {
        let (space, view) = &*self.shared;
        let here = self.current();
        let successor = |action| {
            let name = view.notation(&here.position, action, Notation::STANDARD);
            let mut current = here.clone();
            view.apply(&mut current.position, action);
            let (cost, _) = space.apply(&mut current.state, action);
            current.g = here.g + cost;
            let after: Box<dyn Searchable> =
                Box::new(Cursor { shared: Arc::clone(&self.shared), current: Some(current) });
            (name, self.shown(cost), after)
        };
        space.actions(&here.state).map(successor).collect()
    }

    fn state_bytes(&self) -> Vec<u8> {
        key_bytes(&self.key())
    }

    fn count_joined(&self, least: f64, is_admissible: bool, limits: &Limits) -> Result<Option<u128>, Limit> {
        let space = &self.shared.0;
        let Some(graph) = space.jump_graph() else { return Ok(None) };
        let (joined, least) = (Joined::new(graph), S::Cost::whole(self.cost_unit().within(least as u32)));
        let start = joined.canonical(self.key());
        let all = (S::Key::searches().all_shortest)(&joined, start, least, is_admissible, limits)?;
        space.unknown_moves().map_or(Ok(()), Err)?;
        Ok((!joined.has_free_moves()).then(|| all.count()))
    }

    fn numbered(&self) -> Box<dyn NumberedStates> {
        let (space, facts) = (&self.shared.0, self.shared.0.facts());
        let joins = facts.free_moves && space.jump_graph().is_some();
        let here = Arc::new(self.clone());
        let start = (self.key(), Arc::clone(&here) as Arc<dyn Searchable>);
        Box::new(Numbered::new(here, joins, facts.cost_unit, facts.key_heap_bytes, start))
    }

    fn replay(&self, notations: &'static [Notation]) -> Box<dyn Rules> {
        Box::new(Replay { cursor: Box::new(self.clone()), notations })
    }
}

impl<S: Searched, V: View<S>> AsGraph<S::Key, S::Cost> for Cursor<S, V> {
    fn look(&self, joins: bool, look: &mut dyn FnMut(&dyn Weighted<S::Key, S::Cost>)) {
        match self.shared.0.jump_graph().filter(|_| joins) {
            Some(graph) => look(&*graph),
            None => look(&self.graph()),
        }
    }
}

/// Returns the bytes that a key hashes.
fn key_bytes(key: &impl Hash) -> Vec<u8> {
    let mut bytes = KeyBytes(Vec::new());
    key.hash(&mut bytes);
    bytes.0
}

/// All that a key hashes: equal keys hash the same bytes, and different keys of one space do not.
struct KeyBytes(Vec<u8>);

impl Hasher for KeyBytes {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn finish(&self) -> u64 {
        unreachable!("the bytes themselves are wanted")
    }
}

/// Returns the limits of a request in the unit of the space, where the limit on depth is one on costs. Where it counts
/// moves, it stands.
fn in_units(request: &Request, cost_unit: CostUnit) -> Limits {
    let counts_moves = matches!(request.work, Work::Search(algorithm) if algorithm.facts().counts_moves);
    let depth = request.limits.depth.map(|depth| if counts_moves { depth } else { cost_unit.within(depth) });
    Limits { depth, cost_unit, ..request.limits.clone() }
}

/// Converts the costs in an answer to those that people see, and the names of its limits. If the effect of some move is
/// unknown because of a limit, no proof remains.
fn for_people(
    answer: Answer<Box<dyn Route>>,
    cost_unit: CostUnit,
    limits: &Limits,
    unknown_moves: Option<Limit>,
) -> Answer<Box<dyn Route>> {
    match answer {
        Answer::Found(mut found) => {
            if let Verdict::Limit { limit, .. } = &mut found.verdict {
                *limit = named(*limit, limits);
            }
            let found = found.in_unit(cost_unit);
            Answer::Found(match unknown_moves {
                Some(limit) => found.without_proof(limit),
                None => found,
            })
        }
        Answer::Explored(explored) => {
            let explored = explored.in_unit(cost_unit);
            let limit = explored.limit.map(|limit| named(limit, limits));
            Answer::Explored(match unknown_moves {
                Some(limit) => Explored { limit: Some(limit), dead_ends: None, hardest: None, ..explored },
                None => Explored { limit, ..explored },
            })
        }
        Answer::Estimated(estimate) => Answer::Estimated(estimate),
        Answer::Surveyed(survey) => Answer::Surveyed(survey),
    }
}

/// Returns the name of a limit on the cost of paths: that of the user, or that of the search itself.
fn named(limit: Limit, limits: &Limits) -> Limit {
    if limit == Limit::Depth && limits.depth.is_none() { Limit::Cost } else { limit }
}

struct ActionRoute<S: Searched, V: View<S>> {
    from: Cursor<S, V>,
    actions: Vec<S::Action>,
}

impl<S: Searched, V: View<S>> Route for ActionRoute<S, V> {
    fn moves(&self, notation: Notation) -> Vec<String> {
        let view = &self.from.shared.1;
        let mut position = self.from.position();
        let write = |&action: &S::Action| {
            let written = view.notation(&position, action, notation);
            view.apply(&mut position, action);
            written
        };
        self.actions.iter().map(write).collect()
    }

    fn last(&self, style: Style) -> String {
        let view = &self.from.shared.1;
        let mut position = self.from.position();
        self.actions.iter().for_each(|&action| view.apply(&mut position, action));
        view.draw(&position, style)
    }

    fn visit_steps(&self, notation: Notation, style: Style, visit: &mut dyn FnMut(PathStep)) {
        let (space, view) = &*self.from.shared;
        let Current { mut state, mut position, .. } = self.from.current();
        visit(PathStep {
            action: None,
            position: view.draw(&position, style),
            h: self.from.shown(space.h_in_place(&state)),
        });
        for &action in &self.actions {
            let written = view.notation(&position, action, notation);
            view.apply(&mut position, action);
            space.apply(&mut state, action);
            let h = self.from.shown(space.h_in_place(&state));
            visit(PathStep { action: Some(written), position: view.draw(&position, style), h });
        }
    }

    fn all_shortest(&self, is_admissible: bool, limits: &Limits) -> Result<Box<dyn Routes>, Limit> {
        let space = &self.from.shared.0;
        let least = cost_of(space, self.from.state(), &self.actions);
        let searches = S::Key::searches();
        let all = (searches.all_shortest)(&self.from.graph(), self.from.key(), least, is_admissible, limits)?;
        space.unknown_moves().map_or(Ok(()), Err)?;
        Ok(Box::new(ActionRoutes { from: self.from.clone(), all }))
    }
}

struct ActionRoutes<S: Searched, V: View<S>> {
    from: Cursor<S, V>,
    all: AllShortest<S::Key, S::Cost>,
}

impl<S: Searched, V: View<S>> Routes for ActionRoutes<S, V> {
    fn count(&self) -> u128 {
        self.all.count()
    }

    fn iter(&self) -> Box<dyn Iterator<Item = Box<dyn Route>> + '_> {
        let from = &self.from;
        let mut cursor = self.all.begin(&from.graph());
        let next = move || {
            let ordinals = self.all.next(&mut cursor, &from.graph())?;
            Some(from.route(actions(&from.shared.0, from.state(), &ordinals)))
        };
        Box::new(std::iter::from_fn(next))
    }

    fn memory(&self) -> u64 {
        self.all.memory
    }
}
