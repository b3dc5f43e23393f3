//! The record of a search: its nodes and its events, as a page reads them.

use super::{MOST_DRAWN, layout};
use crate::picture::Figure;
use crate::space::Parts;
use crate::transcript::Number;
use serde_json::{Value, json};
use std::collections::HashMap;

/// What a search did, step by step.
#[derive(Clone, Debug)]
pub struct SearchRecord {
    /// The name of the search: its algorithm and heuristic.
    pub name: String,
    /// The order in which it takes open nodes.
    pub queue: Queue,
    /// The result.
    pub outcome: String,
    /// The reason why the record ends before the search does, if it does.
    pub cut: Option<String>,
    /// The nodes; parents precede their children.
    pub nodes: Vec<RecordedNode>,
    /// The events, in order.
    pub events: Vec<SearchEvent>,
}

/// The order in which a search takes open nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    /// First in, first out.
    First,
    /// Last in, first out.
    Last,
    /// By least f, then greatest g, then last in.
    LeastF,
    /// By least h, then greatest g, then last in.
    LeastH,
    /// By least novelty, then h, then g, then first reached.
    Novelty,
    /// A layer at a time, in the order of the beam.
    Beam,
    /// On each side of a bidirectional search first in, first out; the side with the smaller layer is next.
    EndsByLayers,
    /// On each side of a bidirectional search by least g, then last in; the side with fewer open nodes is next.
    EndsByCost,
    /// No queue: the search has one path in memory, and each visit is a node.
    Path,
    /// An order that the page does not show.
    Other,
}

/// A node of a search.
#[derive(Clone, Debug, Default)]
pub struct RecordedNode {
    /// The node from which it was reached. A position that gets another path is another node from then on.
    pub parent: Option<usize>,
    /// The move that reached it.
    pub written: Option<String>,
    /// The cost of the path to it.
    pub g: f64,
    /// Its estimate, if the search has one.
    pub h: Option<f64>,
    /// Its f, if it is not g + h.
    pub f: Option<f64>,
    /// The figures of the position, if it can be drawn.
    pub picture: Option<Vec<Figure>>,
    /// True on the side of the goal, in a bidirectional search.
    pub is_backward: bool,
    /// Its novelty, in best-first width search.
    pub novelty: Option<u8>,
    /// The parts of its estimate, if it has some.
    pub parts: Parts,
}

/// An event of a search. Nodes are given by number.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchEvent {
    /// A node was expanded.
    Expanded(usize),
    /// A new node was generated.
    Generated(usize),
    /// A move led to a known node: its number and that of the parent.
    Duplicate(usize, usize),
    /// A position got another path: the number of its node so far, and that of the node in its place.
    Replaced(usize, usize),
    /// A move was cut.
    Pruned {
        /// The node in which it begins.
        parent: usize,
        /// The reason: `threshold`, `dead-end`, `symmetry`, `width`, `depth`.
        reason: &'static str,
        /// The f of the result, if it is known.
        f: Option<f64>,
        /// The move, if it is known.
        written: Option<String>,
        /// True if the search counts its result as generated.
        is_generated: bool,
    },
    /// A goal was reached: the node and its cost.
    Goal(usize, f64),
    /// An iteration began: its number and threshold.
    Iteration(u64, f64),
    /// A layer began.
    Layer(f64),
}

/// A list without duplicates.
#[derive(Default)]
struct Names {
    all: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Names {
    fn number(&mut self, name: Option<&String>) -> i64 {
        let Some(name) = name else { return -1 };
        let next = self.all.len();
        let number = *self.numbers.entry(name.clone()).or_insert(next);
        if number == next {
            self.all.push(name.clone());
        }
        number as i64
    }
}

impl Queue {
    /// Returns the name in the data, and the words above the list of open nodes.
    fn names(self, is_fractional: bool) -> (&'static str, &'static str) {
        match self {
            Queue::First => ("fifo", "Frontier, first in, first out"),
            Queue::Last => ("lifo", "Frontier, last in, first out"),
            Queue::LeastF if is_fractional => ("f", "Frontier, by least f, then least h, then last in"),
            Queue::LeastF => ("f", "Frontier, by least f, then greatest g, then last in"),
            Queue::LeastH if is_fractional => ("h", "Frontier, by least h, then last in"),
            Queue::LeastH => ("h", "Frontier, by least h, then greatest g, then last in"),
            Queue::Novelty => ("novelty", "Frontier, by least novelty, then least h, least g, first reached"),
            Queue::Beam => ("fifo", "Frontier, the beam in its order: each layer by least f"),
            Queue::EndsByLayers => {
                ("fifo", "Frontier of each side, first in, first out; the side with the smaller layer is next")
            }
            Queue::EndsByCost => {
                ("f", "Frontier of each side, by least g, then last in; the side with the smaller one is next")
            }
            Queue::Path => ("path", ""),
            Queue::Other => ("other", ""),
        }
    }
}

impl SearchRecord {
    /// Returns the number of expansions.
    pub(super) fn expansions(&self) -> usize {
        self.events.iter().filter(|event| matches!(event, SearchEvent::Expanded(_))).count()
    }

    /// Returns for each node the place in its tree, unless the tree is too large to be drawn. A search in place has one
    /// tree an iteration.
    pub(super) fn places(&self) -> Vec<Option<i64>> {
        let mut root: Vec<usize> = Vec::with_capacity(self.nodes.len());
        for (number, node) in self.nodes.iter().enumerate() {
            let own = if self.queue == Queue::Path { number } else { 0 };
            root.push(node.parent.map_or(own, |parent| root[parent]));
        }
        let mut trees: HashMap<usize, Vec<usize>> = HashMap::new();
        root.iter().enumerate().for_each(|(node, &root)| trees.entry(root).or_default().push(node));
        let mut places = vec![None; self.nodes.len()];
        for nodes in trees.into_values().filter(|nodes| nodes.len() <= MOST_DRAWN) {
            let number: HashMap<usize, usize> = nodes.iter().enumerate().map(|(at, &node)| (node, at)).collect();
            let parents: Vec<Option<usize>> =
                nodes.iter().map(|&node| self.nodes[node].parent.map(|parent| number[&parent])).collect();
            for (&node, place) in nodes.iter().zip(layout::places(&parents)) {
                places[node] = Some(place);
            }
        }
        places
    }

    /// Returns the record as the script reads it; `drawn` has the number of each node's drawing, whose cells are numbered
    /// in rows of `columns`.
    pub(super) fn data(&self, drawn: &[Option<usize>], columns: usize) -> Value {
        let [mut names, mut reasons, mut choices, mut parts] = <[Names; 4]>::default();
        let nodes = &self.nodes;
        let all = |value: &dyn Fn(&RecordedNode) -> Value| nodes.iter().map(value).collect::<Vec<_>>();
        let is = |has: &dyn Fn(&RecordedNode) -> bool| nodes.iter().any(has);
        let events: Vec<Value> = self.events.iter().flat_map(|event| event.data(&mut names, &mut reasons)).collect();
        let moves: Vec<i64> = nodes.iter().map(|node| names.number(node.written.as_ref())).collect();
        // With costs that are fractions, the frontier breaks ties in another way.
        let is_fractional =
            is(&|node| node.g.fract() != 0.0 || node.h.is_some_and(|h| h.is_finite() && h.fract() != 0.0));
        let (order, order_name) = self.queue.names(is_fractional);
        let f = |node: &RecordedNode| node.f.unwrap_or(node.g + node.h.unwrap_or(0.0));
        let mut about: Vec<Value> = Vec::new();
        let parts_of: Vec<Vec<Value>> = nodes
            .iter()
            .map(|node| {
                if node.parts.all.is_empty() {
                    return Vec::new();
                }
                let mut flat = vec![json!(choices.number(Some(&node.parts.choice)))];
                for part in &node.parts.all {
                    let number = parts.number(Some(&format!("{}\n{:?}", part.name, part.cells)));
                    if number as usize == about.len() {
                        let cells: Vec<usize> = part.cells.iter().map(|(row, column)| row * columns + column).collect();
                        about.push(json!([part.name, part.figures, cells]));
                    }
                    flat.extend([json!(number), json!(Number(part.value))]);
                }
                flat
            })
            .collect();
        json!({
            "name": self.name,
            "order": order,
            "orderName": order_name,
            "fractional": is_fractional,
            "outcome": self.outcome,
            "stop": self.cut,
            "moves": names.all,
            "reasons": reasons.all,
            "parts": about,
            "choices": choices.all,
            "events": events,
            "nodes": {
                "parent": all(&|node| node.parent.map_or(json!(-1), |parent| json!(parent))),
                "move": moves,
                "g": all(&|node| json!(Number(node.g))),
                "h": is(&|node| node.h.is_some()).then(|| all(&|node| json!(Number(node.h.unwrap_or(0.0))))),
                "f": is(&|node| node.f.is_some()).then(|| all(&|node| json!(Number(f(node))))),
                "picture": drawn.iter().map(|one| one.map_or(json!(-1), |number| json!(number))).collect::<Vec<_>>(),
                "x": self.places(),
                "side": is(&|node| node.is_backward).then(|| all(&|node| json!(u8::from(node.is_backward)))),
                "novelty": is(&|node| node.novelty.is_some()).then(|| all(&|node| json!(node.novelty.unwrap_or(0)))),
                "parts": (!about.is_empty()).then_some(parts_of),
            },
        })
    }
}

impl SearchEvent {
    /// Returns the event as the script reads it: its kind, then its numbers.
    fn data(&self, names: &mut Names, reasons: &mut Names) -> Vec<Value> {
        match self {
            SearchEvent::Expanded(node) => vec![json!(0), json!(node)],
            SearchEvent::Generated(node) => vec![json!(1), json!(node)],
            SearchEvent::Duplicate(node, parent) => vec![json!(2), json!(node), json!(parent)],
            SearchEvent::Replaced(before, node) => vec![json!(3), json!(before), json!(node)],
            SearchEvent::Pruned { parent, reason, f, written, is_generated } => vec![
                json!(4),
                json!(parent),
                json!(reasons.number(Some(&(*reason).to_owned()))),
                f.map_or(json!(-1), |f| json!(Number(f))),
                json!(names.number(written.as_ref())),
                json!(u8::from(*is_generated)),
            ],
            SearchEvent::Goal(node, g) => vec![json!(5), json!(node), json!(Number(*g))],
            SearchEvent::Iteration(number, threshold) => {
                vec![json!(6), json!(number), json!(Number(*threshold))]
            }
            SearchEvent::Layer(depth) => vec![json!(7), json!(Number(*depth))],
        }
    }
}
