//! Finds the positions of a trace: a search reports states by their keys, and positions have labels that keys lose. So
//! each position is that of its parent after a move.

use crate::domain::{Notation, Searchable, Style, TraceReceiver, TraceRecord, TracedPosition};
use crate::picture::Figure;
use crate::search::{Side, TraceEvent, TraceStep, TracedState, Tracer};
use crate::space::{CostUnit, Ordinal, Parts};
use parking_lot::Mutex;
use std::any::Any;
use std::sync::Arc;

/// The bytes of positions that are kept, and the greatest number of them.
const KEPT_BYTES: usize = 4 << 20;
const MOST_KEPT: usize = 4096;

/// The bytes of a position, besides those on the heap.
const POSITION_BYTES: usize = 1 << 8;

/// A tracer that passes the events of a search on with their positions.
pub(super) struct Positions {
    from: Arc<dyn Searchable>,
    unit: CostUnit,
    receiver: Arc<dyn TraceReceiver>,
    known: Mutex<Known>,
}

/// The nodes of a trace.
struct Known {
    /// The parent of each node with the way from there; none at roots, and for numbers without a node.
    ways: Vec<Option<(u64, Way)>>,
    /// In place of that in searches in place, for the last node and its ancestors but the start, with their numbers.
    path: Option<Path<Way>>,
    /// The states of the last nodes that were needed, each at its number modulo their number.
    kept: Vec<Option<(u64, Arc<dyn Searchable>)>>,
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
#[derive(Clone)]
enum Way {
    /// To the state with this key, by the cheapest move or moves.
    To(Arc<dyn Any + Send + Sync>),
    /// By the legal move with this number.
    By(Ordinal),
}

/// A position of a trace.
struct Position {
    bytes: Vec<u8>,
    moves: Vec<String>,
    at: Option<Arc<dyn Searchable>>,
}

impl Position {
    fn new(moves: Vec<String>, at: Arc<dyn Searchable>) -> Position {
        Position { bytes: at.state_bytes(), moves, at: Some(at) }
    }
}

impl TracedPosition for Position {
    fn moves(&self) -> &[String] {
        &self.moves
    }

    fn draw(&self, style: Style) -> Option<String> {
        self.at.as_ref().map(|at| at.draw(style))
    }

    fn figures(&self) -> Option<Vec<Figure>> {
        let at = self.at.as_ref()?;
        at.moving().or_else(|| Some(at.picture()?.figures))
    }

    fn parts(&self) -> Parts {
        self.at.as_ref().map_or_else(Parts::default, |at| at.parts())
    }

    fn state_bytes(&self) -> Vec<u8> {
        self.bytes.clone()
    }
}

impl Tracer for Positions {
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

impl Positions {
    /// `heap_bytes`: those of a state on the heap.
    pub fn new(from: Arc<dyn Searchable>, unit: CostUnit, heap_bytes: usize, receiver: Arc<dyn TraceReceiver>) -> Self {
        let most = (KEPT_BYTES / (POSITION_BYTES + heap_bytes)).clamp(1, MOST_KEPT);
        let kept = vec![None; most];
        Positions { from, unit, receiver, known: Mutex::new(Known { ways: Vec::new(), path: None, kept }) }
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
    fn position(&self, known: &mut Known, step: &TraceStep) -> Option<Position> {
        let parent = step.parent.filter(|_| step.side != Some(Side::Backward));
        let from = parent.and_then(|parent| self.at(known, parent));
        let way = match step.state {
            Some(TracedState::Key(key)) => Some(Way::To(key.shared())),
            Some(TracedState::Ordinal(ordinal)) => Some(Way::By(ordinal)),
            None => step.node.and_then(|node| known.way(node)).map(|(_, way)| way),
        };
        if let (Some(node), Some(way), Some(_)) = (step.node, &way, step.state) {
            // A root on the side of the goals is its own parent.
            known.put(node, step.parent.unwrap_or(node), way.clone());
        }
        match (&way, step.node) {
            (Some(Way::To(key)), _) if step.side == Some(Side::Backward) => {
                Some(self.backward(known, &**key, step.parent))
            }
            (Some(way), node) => {
                let (moves, at) = after(&*from?, way)?;
                if let Some(node) = node {
                    known.keep(node, &at);
                }
                Some(Position::new(moves, at))
            }
            (None, Some(0)) => Some(Position::new(Vec::new(), Arc::clone(&self.from))),
            (None, _) => None,
        }
    }

    /// Returns a position on the side of the goals, whose moves lead to its parent.
    fn backward(&self, known: &Known, key: &dyn Any, parent: Option<u64>) -> Position {
        let (bytes, at) = self.from.at_key(key);
        let onward = parent.and_then(|parent| known.way(parent)).map(|(_, way)| way);
        let moves = at.as_ref().zip(onward).and_then(|(at, way)| after(&**at, &way));
        Position { bytes, moves: moves.map_or_else(Vec::new, |(moves, _)| moves), at }
    }

    /// Returns the state and the position of a node.
    fn at(&self, known: &mut Known, mut node: u64) -> Option<Arc<dyn Searchable>> {
        let mut path = Vec::new();
        let mut at = loop {
            if let Some(kept) = known.kept(node) {
                break kept;
            }
            if node == 0 {
                break Arc::clone(&self.from);
            }
            let (parent, way) = known.way(node)?;
            path.push((node, way));
            node = parent;
        };
        for (node, way) in path.into_iter().rev() {
            (_, at) = after(&*at, &way)?;
            known.keep(node, &at);
        }
        Some(at)
    }
}

/// Returns the names of the moves on a way, and the state and the position after them.
fn after(from: &dyn Searchable, way: &Way) -> Option<(Vec<String>, Arc<dyn Searchable>)> {
    let ordinals = match way {
        Way::By(ordinal) => vec![*ordinal],
        Way::To(key) => from.moves_to(&**key)?,
    };
    let (mut moves, mut at) = (Vec::new(), None::<Box<dyn Searchable>>);
    for ordinal in ordinals {
        let (name, next) = at.as_deref().unwrap_or(from).after_move(ordinal as usize, Notation::STANDARD)?;
        moves.push(name);
        at = Some(next);
    }
    Some((moves, at.unwrap_or_else(|| from.here()).into()))
}

impl Known {
    /// Remembers how a node is reached.
    fn put(&mut self, node: u64, parent: u64, way: Way) {
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
    fn way(&self, node: u64) -> Option<(u64, Way)> {
        self.path.as_ref().map_or_else(|| self.ways.get(node as usize)?.clone(), |path| path.way(node))
    }

    fn kept(&self, node: u64) -> Option<Arc<dyn Searchable>> {
        let kept = self.kept[node as usize % self.kept.len()].as_ref();
        kept.filter(|(of, _)| *of == node).map(|(_, at)| Arc::clone(at))
    }

    fn keep(&mut self, node: u64, at: &Arc<dyn Searchable>) {
        let place = node as usize % self.kept.len();
        self.kept[place] = Some((node, Arc::clone(at)));
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
