//! State spaces whose types are erased: what the rest of the program asks of a puzzle in play.

use super::goal_view::GoalView;
use super::mechanics::{Mechanics, Moves, Node, Target};
use super::{Notation, NumberedStates, Route, Rules, Style, TraceReceiver};
use crate::argument::Refutation;
use crate::picture::{Figure, Picture};
use crate::search::{Algorithm, DiskError, Limit, Limits, Request, Response, Stop, Trace};
use crate::space::{Ordinal, Parts, Saving};
use std::any::Any;
use std::collections::{HashMap, hash_map::Entry};
use std::sync::Arc;

/// A type-erased state space with its view, at one of its states: at first the start.
pub trait Searchable: Send + Sync {
    /// Does the work of a request, from here.
    ///
    /// # Errors
    /// Outside memory, and for estimates: this space is unsuitable, a file cannot be used, is damaged or belongs to
    /// another puzzle, or another process is missing or fails.
    fn run(&self, request: &Request) -> Result<Response<Box<dyn Route>>, DiskError>;

    /// Returns the trace for the limits of a search from here, which passes its events on with their positions.
    fn trace(&self, receiver: Arc<dyn TraceReceiver>) -> Trace;

    /// Returns why an algorithm cannot search this space, if it cannot.
    fn objection(&self, algorithm: Algorithm) -> Option<&'static str>;

    /// Returns whether every move costs 1.
    fn has_unit_costs(&self) -> bool;

    /// Returns whether all costs are whole numbers.
    fn has_whole_costs(&self) -> bool;

    /// Returns whether some move costs nothing, so that the number of shortest paths may be infinite.
    fn has_free_moves(&self) -> bool;

    /// Returns whether a search has given up the effect of some move, so that its answers are not proven.
    fn has_unknown_moves(&self) -> bool;

    /// Returns whether every move can be undone, so that a position is solvable exactly if the start is.
    fn is_reversible(&self) -> bool;

    /// Returns a description of the heuristic's data, for users.
    fn guidance(&self) -> Option<String>;

    /// Returns why the chosen heuristic cannot be built, so that h is 0.
    fn no_heuristic(&self) -> Option<String>;

    /// Returns what techniques saved the searches so far, if the space counts it.
    fn savings(&self) -> Vec<Saving>;

    /// Returns the argument by which the heuristic proves that no goal is reachable from here, if it has one.
    fn refutation(&self) -> Option<Refutation>;

    /// Returns whether this state is a goal.
    fn is_goal(&self) -> bool;

    /// Returns the heuristic value of this state.
    fn h(&self) -> f64;

    /// Returns the parts of the heuristic value, which add up to it; none if it has none.
    fn parts(&self) -> Parts;

    /// Returns the cost of the moves from the start to here.
    fn g(&self) -> f64;

    /// Returns the legal moves.
    fn legal_moves(&self, notation: Notation) -> Vec<String>;

    /// Returns the space after a move in one of these notations, or `None` if no legal move has this name.
    fn after(&self, written: &str, notations: &[Notation]) -> Option<Box<dyn Searchable>>;

    /// Returns the same space at the same state.
    fn here(&self) -> Box<dyn Searchable>;

    /// Returns the number of legal moves.
    fn count_moves(&self) -> usize;

    /// Returns the name of the legal move with this number, and the space after it; `None` if there are fewer. Names of
    /// all moves may take long where there are thousands.
    fn after_move(&self, number: usize, notation: Notation) -> Option<(String, Box<dyn Searchable>)>;

    /// Returns the numbers of the legal moves that lead from here to the state with this key, which a search reports: one,
    /// the cheapest, except between jump points.
    fn moves_to(&self, key: &dyn Any) -> Option<Vec<Ordinal>>;

    /// Returns the [bytes](Self::state_bytes) of the state with this key, and this space at it, if its key determines its
    /// position.
    fn at_key(&self, key: &dyn Any) -> (Vec<u8>, Option<Arc<dyn Searchable>>);

    /// Returns what the puzzle says to the player during a move in this notation; with none, before the first move.
    fn messages(&self, written: Option<&str>, notation: Notation) -> Vec<String>;

    /// Returns the position as text.
    fn draw(&self, style: Style) -> String;

    /// Returns a picture of the position, or `None` if it is too large.
    fn picture(&self) -> Option<Picture>;

    /// Returns the goal for people. A puzzle whose positions are too large to be drawn may take long.
    fn goal(&self) -> GoalView;

    /// Returns the figures of the picture alone, if all positions share the rest of it.
    fn moving(&self) -> Option<Vec<Figure>>;

    /// Returns the rules as data, if the domain describes them so.
    fn mechanics(&self) -> Option<Mechanics>;

    /// Returns the figures of the position in which the variables of the [`mechanics`](Self::mechanics) have these
    /// values.
    fn figures(&self, values: &[u32]) -> Vec<Figure>;

    /// Returns the legal moves in standard notation, each with its cost and the space after it.
    fn successors(&self) -> Vec<(String, f64, Box<dyn Searchable>)>;

    /// Returns bytes that two positions of this space have in common exactly if they have the same state.
    fn state_bytes(&self) -> Vec<u8>;

    /// Returns the number of paths of this cost, the least, from here to a goal, if free moves join positions: paths that
    /// lead through the same positions, apart from free moves, are one. `None` if free moves remain; `u128::MAX` stands
    /// for all greater numbers.
    ///
    /// # Errors
    /// The limit that ended the search for them.
    fn count_joined(&self, least: f64, is_admissible: bool, limits: &Limits) -> Result<Option<u128>, Limit>;

    /// Returns the states from here on by their numbers.
    fn numbered(&self) -> Box<dyn NumberedStates>;

    /// Returns rules that play from here by the moves of the space, in any of these notations.
    fn replay(&self, notations: &'static [Notation]) -> Box<dyn Rules>;
}

impl dyn Searchable + '_ {
    /// Returns the graph of all positions that moves reach from here, of which no two have the same state and the same
    /// drawing; `None` if there are more than `at_most`, if all together have more than `most_figures`, or if one is too
    /// large to be drawn.
    ///
    /// # Errors
    /// Returns the limit by which `stop` ended the work.
    pub fn graph(&self, at_most: usize, most_figures: usize, stop: &Stop) -> Result<Option<Mechanics>, Limit> {
        let identity = |position: &dyn Searchable| (position.state_bytes(), position.draw(Style::Drawn));
        let mut numbers = HashMap::from([(identity(self), 0_u32)]);
        let mut open: Vec<Box<dyn Searchable>> = Vec::new();
        let (mut nodes, mut solved, mut figures) = (Vec::new(), Vec::new(), 0);
        // In the order of discovery, which is that of breadth-first search.
        while nodes.len() < numbers.len() {
            let number = nodes.len();
            let here = number.checked_sub(1).map_or(self, |at| &*open[at]);
            if let Some(limit) = stop.now() {
                return Err(limit);
            }
            let (Some(picture), is_goal) = (here.picture(), here.is_goal()) else { return Ok(None) };
            figures += picture.figures.len();
            if figures > most_figures {
                return Ok(None);
            }
            let mut edges = Vec::new();
            for (name, cost, after) in here.successors() {
                let next = numbers.len();
                let number = match numbers.entry(identity(&*after)) {
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(_) if next == at_most => return Ok(None),
                    Entry::Vacant(new) => {
                        open.push(after);
                        *new.insert(next as u32)
                    }
                };
                edges.push((name, number, cost));
            }
            if is_goal {
                solved.push(number as u32);
            }
            nodes.push(Node { figures: picture.figures, edges });
        }
        let goal = Target { conditions: vec![(0, solved)], ..Target::default() };
        let domains = vec![(0..nodes.len() as u32).collect()];
        Ok(Some(Mechanics { start: vec![0], domains, goals: vec![goal], moves: Moves::Graph(nodes) }))
    }
}
