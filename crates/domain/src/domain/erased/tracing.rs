//! Finds the positions of a trace: a search reports states by their keys, and positions have labels that keys lose. So
//! each position is that of its parent after a move.

use super::{Current, Cursor, key_bytes};
use crate::domain::{Notation, Style, TraceReceiver, TraceRecord, TracedPosition, View};
use crate::picture::Figure;
use crate::search::{Searched, Side, TraceEvent, TraceStep, TracedState, Tracer, actions};
use crate::space::{Cost, CostUnit, Parts};
use parking_lot::Mutex;
use std::sync::Arc;

/// The bytes of positions that are kept, and the greatest number of them.
const KEPT_BYTES: usize = 4 << 20;
const MOST_KEPT: usize = 4096;

/// The bytes of a position, besides those on the heap.
const POSITION_BYTES: usize = 1 << 8;

/// A tracer that passes the events of a search on with their positions.
pub(super) struct Positions<S: Searched, V: View<S>> {
    from: Cursor<S, V>,
    unit: CostUnit,
    receiver: Arc<dyn TraceReceiver>,
    known: Mutex<Known<S, V>>,
}

/// The nodes of a trace.
struct Known<S: Searched, V: View<S>> {
    /// The parent of each node with the way from there; none at roots, and for numbers without a node.
    ways: Vec<Option<(u64, Way<S>)>>,
    /// In place of that in searches in place, for the last node and its ancestors but the start, with their numbers.
    path: Option<Path<Way<S>>>,
    /// The states of the last nodes that were needed, each at its number modulo their number.
    kept: Vec<Option<(u64, Current<S, V>)>>,
}

/// The last visit of a search in place and its ancestors but the start: the number of each, that of its parent, and the way
/// from there.
struct Path<W>(Vec<(u64, u64, W)>);

impl<W: Clone> Path<W> {
    /// Adds a visit, after which those that are not its ancestors do not occur again.
    fn visit(&mut self, node: u64, parent: u64, way: W) {
        self.0.truncate(self.0.partition_point(|(other, ..)| *other <= parent));
        self.0.push((node, parent, way));
    }

    fn way(&self, node: u64) -> Option<(u64, W)> {
        let at = self.0.binary_search_by_key(&node, |(other, ..)| *other).ok()?;
        Some((self.0[at].1, self.0[at].2.clone()))
    }
}

/// The way from a state to the next one.
enum Way<S: Searched> {
    /// To the state with this key, by the cheapest move or moves.
    To(S::Key),
    /// By this move.
    By(S::Action),
}

impl<S: Searched> Clone for Way<S> {
    fn clone(&self) -> Way<S> {
        match self {
            Way::To(key) => Way::To(key.clone()),
            Way::By(action) => Way::By(*action),
        }
    }
}

/// A position of a trace.
struct Position<'a, S: Searched, V: View<S>> {
    from: &'a Cursor<S, V>,
    bytes: Vec<u8>,
    moves: Vec<String>,
    current: Option<Current<S, V>>,
}

impl<S: Searched, V: View<S>> TracedPosition for Position<'_, S, V> {
    fn moves(&self) -> &[String] {
        &self.moves
    }

    fn draw(&self, style: Style) -> Option<String> {
        self.current.as_ref().map(|current| self.from.shared.1.draw(&current.position, style))
    }

    fn figures(&self) -> Option<Vec<Figure>> {
        let (view, position) = (&self.from.shared.1, &self.current.as_ref()?.position);
        view.moving(position).or_else(|| Some(view.picture(position)?.figures))
    }

    fn parts(&self) -> Parts {
        let parts = |current: &Current<S, V>| self.from.parts_of(&self.from.shared.0.pack(&current.state));
        self.current.as_ref().map_or_else(Parts::default, parts)
    }

    fn state_bytes(&self) -> Vec<u8> {
        self.bytes.clone()
    }
}

impl<S: Searched, V: View<S>> Tracer for Positions<S, V> {
    fn event(&self, event: &TraceEvent) -> bool {
        match event {
            TraceEvent::Step(step) => self.step(step),
            TraceEvent::Iteration { number, threshold } => {
                let threshold = threshold.map(|threshold| self.unit.cost(threshold));
                self.pass_on(&TraceEvent::Iteration { number: *number, threshold }, None)
            }
            TraceEvent::Layer { .. } => self.pass_on(event, None),
        }
    }

    fn follow_one_path(&self) {
        let known = &mut *self.known.lock();
        (known.ways, known.path) = (Vec::new(), Some(Path(Vec::new())));
    }
}

impl<S: Searched, V: View<S>> Positions<S, V> {
    pub fn new(from: Cursor<S, V>, receiver: Arc<dyn TraceReceiver>) -> Self {
        let bytes = POSITION_BYTES + from.shared.0.facts().key_heap_bytes;
        let most = (KEPT_BYTES / bytes).clamp(1, MOST_KEPT);
        let kept = (0..most).map(|_| None).collect();
        Positions {
            unit: from.cost_unit(),
            from,
            receiver,
            known: Mutex::new(Known { ways: Vec::new(), path: None, kept }),
        }
    }

    fn pass_on(&self, event: &TraceEvent, position: Option<&dyn TracedPosition>) -> bool {
        self.receiver.receive(&TraceRecord::Event(event, position))
    }

    fn step(&self, step: &TraceStep) -> bool {
        let mut known = self.known.lock();
        let position = self.position(&mut known, step);
        let shown = |cost: Option<f64>| cost.map(|cost| self.unit.cost(cost));
        let event = TraceStep { g: shown(step.g), h: shown(step.h), f: shown(step.f), ..*step };
        self.pass_on(&TraceEvent::Step(event), position.as_ref().map(|position| position as &dyn TracedPosition))
    }

    /// Returns the position that an event is about, and remembers how its node is reached.
    fn position(&self, known: &mut Known<S, V>, step: &TraceStep) -> Option<Position<'_, S, V>> {
        let parent = step.parent.filter(|_| step.side != Some(Side::Backward));
        let from = parent.and_then(|parent| self.at(known, parent));
        let way = match step.state {
            Some(TracedState::Key(key)) => key.downcast_ref().map(|key: &S::Key| Way::To(key.clone())),
            Some(TracedState::Action(action)) => action.downcast_ref().map(|&action| Way::By(action)),
            Some(TracedState::Ordinal(ordinal)) => {
                let from = from.as_ref()?;
                self.from.shared.0.nth_action(&from.state, ordinal as usize).map(Way::By)
            }
            None => step.node.and_then(|node| known.way(node)).map(|(_, way)| way),
        };
        if let (Some(node), Some(way), Some(_)) = (step.node, &way, step.state) {
            // A root on the side of the goals is its own parent.
            known.put(node, step.parent.unwrap_or(node), way.clone());
        }
        match (&way, step.node) {
            (Some(Way::To(key)), _) if step.side == Some(Side::Backward) => {
                Some(self.backward(known, key, step.parent))
            }
            (Some(way), node) => {
                let (moves, current) = self.after(from?, way)?;
                if let Some(node) = node {
                    known.keep(node, &current);
                }
                Some(self.shown(moves, current))
            }
            (None, Some(0)) => Some(self.shown(Vec::new(), self.from.current())),
            (None, _) => None,
        }
    }

    /// Returns a position on the side of the goals, whose moves lead to its parent.
    fn backward(&self, known: &Known<S, V>, key: &S::Key, parent: Option<u64>) -> Position<'_, S, V> {
        let (space, view) = &*self.from.shared;
        let current = view.position(space, key);
        let current = current.map(|position| Current { state: space.unpack(key), position, g: S::Cost::ZERO });
        let onward = parent.and_then(|parent| known.way(parent)).map(|(_, way)| way);
        let moves = current.as_ref().zip(onward).and_then(|(current, way)| self.after(current.clone(), &way));
        let moves = moves.map_or_else(Vec::new, |(moves, _)| moves);
        Position { from: &self.from, bytes: key_bytes(key), moves, current }
    }

    fn shown(&self, moves: Vec<String>, current: Current<S, V>) -> Position<'_, S, V> {
        let bytes = key_bytes(&self.from.shared.0.pack(&current.state));
        Position { from: &self.from, bytes, moves, current: Some(current) }
    }

    /// Returns the state and the position of a node.
    fn at(&self, known: &mut Known<S, V>, mut node: u64) -> Option<Current<S, V>> {
        let mut path = Vec::new();
        let mut current = loop {
            if let Some(kept) = known.kept(node) {
                break kept;
            }
            if node == 0 {
                break self.from.current();
            }
            let (parent, way) = known.way(node)?;
            path.push((node, way));
            node = parent;
        };
        for (node, way) in path.into_iter().rev() {
            (_, current) = self.after(current, &way)?;
            known.keep(node, &current);
        }
        Some(current)
    }

    /// Returns the names of the moves on a way, and the state and the position after them.
    fn after(&self, mut current: Current<S, V>, way: &Way<S>) -> Option<(Vec<String>, Current<S, V>)> {
        let view = &self.from.shared.1;
        let mut moves = Vec::new();
        for action in self.actions(&current, way)? {
            moves.push(view.notation(&current.position, action, Notation::STANDARD));
            current = self.from.after_action(current, action);
        }
        Some((moves, current))
    }

    fn actions(&self, current: &Current<S, V>, way: &Way<S>) -> Option<Vec<S::Action>> {
        let space = &self.from.shared.0;
        let key = match way {
            Way::By(action) => return Some(vec![*action]),
            Way::To(key) => key,
        };
        let quotient = space.quotient();
        let after = |action| {
            let mut state = current.state.clone();
            let (cost, _) = space.apply(&mut state, action);
            (cost, space.pack(&state), action)
        };
        let all: Vec<_> = space.actions(&current.state).map(after).collect();
        let exact = all.iter().filter(|(_, after, _)| after == key).min_by_key(|(cost, ..)| *cost);
        let symmetric = || {
            let quotient = quotient.as_deref()?;
            let is_it = |after: &S::Key| quotient.canonical(after.clone()) == *key;
            all.iter().filter(|(_, after, _)| is_it(after)).min_by_key(|(cost, ..)| *cost)
        };
        if let Some((.., action)) = exact.or_else(symmetric) {
            return Some(vec![*action]);
        }
        let path = space.jump_graph()?.moves_on_way(space.pack(&current.state), std::slice::from_ref(key));
        Some(actions(space, current.state.clone(), &path))
    }
}

impl<S: Searched, V: View<S>> Known<S, V> {
    /// Remembers how a node is reached.
    fn put(&mut self, node: u64, parent: u64, way: Way<S>) {
        if let Some(path) = &mut self.path {
            return path.visit(node, parent, way);
        }
        let at = node as usize;
        if self.ways.len() <= at {
            self.ways.resize_with(at + 1, || None);
        }
        self.ways[at] = Some((parent, way));
    }

    /// Returns the parent of a node and the way from there.
    fn way(&self, node: u64) -> Option<(u64, Way<S>)> {
        self.path.as_ref().map_or_else(|| self.ways.get(node as usize)?.clone(), |path| path.way(node))
    }

    fn kept(&self, node: u64) -> Option<Current<S, V>> {
        let kept = self.kept[node as usize % self.kept.len()].as_ref();
        kept.filter(|(of, _)| *of == node).map(|(_, current)| current.clone())
    }

    fn keep(&mut self, node: u64, current: &Current<S, V>) {
        let place = node as usize % self.kept.len();
        self.kept[place] = Some((node, current.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::Path;

    #[test]
    fn a_search_in_place_keeps_its_path_alone() {
        let (mut path, mut line) = (Path(Vec::new()), vec![0_u64]);
        for node in 1..100_000_u64 {
            // Back by some moves, as an exhausted subtree does, but never past the start.
            let depth = line.len() - (node.wrapping_mul(0x9e37_79b9) >> 7) as usize % 3 % line.len();
            line.truncate(depth.min(40));
            let parent = line[line.len() - 1];
            path.visit(node, parent, node * 2);
            line.push(node);
            assert_eq!(path.0.len(), line.len() - 1);
        }
        for pair in line.windows(2) {
            assert_eq!(path.way(pair[1]), Some((pair[0], pair[1] * 2)));
        }
        assert_eq!((path.way(0), path.way(1_000_000)), (None, None));
    }
}
