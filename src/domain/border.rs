//! The border between the static search and the dynamic registry: crossed once a solve, not once a node.
//!
//! A domain writes a state space and a [`View`] of it; [`searchable`] erases both into a [`Searchable`]. A solution
//! is kept as its actions, and everything that is shown of it is made by replaying them on the view's own positions,
//! which carry the labels that packed keys lose.

use super::rules::{Rules, replayed};
use crate::search::{Algorithm, AllShortest, Explored, Found, Limit, Limits, all_shortest, explore, objection, search};
use crate::space::{Cost, StateSpace};
use std::sync::Arc;

/// How positions and moves of a space look: kept apart from the space, which knows nothing of drawing.
pub trait View<S: StateSpace>: Send + Sync + 'static {
    /// A position with its labels.
    type Position;

    /// The position that the puzzle starts from.
    fn initial(&self) -> Self::Position;

    /// Makes a move.
    fn apply(&self, position: &mut Self::Position, action: S::Action);

    /// A move as it is written, before it is made.
    fn notation(&self, position: &Self::Position, action: S::Action, notation: Notation) -> String;

    /// The position in rows of text, each ended.
    fn draw(&self, position: &Self::Position, style: Style) -> String;
}

/// A way of writing moves, by its name; a domain's facts list those that it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notation(&'static str);

impl Notation {
    /// The domain's own notation, which every domain has.
    pub const STANDARD: Notation = Notation("standard");

    /// A notation beside the standard one.
    #[must_use]
    pub const fn new(name: &'static str) -> Notation {
        Notation(name)
    }

    /// The name that command lines use.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0
    }
}

impl Default for Notation {
    fn default() -> Notation {
        Notation::STANDARD
    }
}

/// How positions are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// For people.
    Drawn,
    /// The domain's plain format, for programs.
    Plain,
}

/// The erased face of a state space with its view.
pub trait Searchable: Send + Sync {
    /// Searches for a way from the start to a goal.
    fn search(&self, algorithm: Algorithm, limits: &Limits) -> Found<Box<dyn Route>>;

    /// Why an algorithm cannot search here, if it cannot.
    fn objection(&self, algorithm: Algorithm) -> Option<&'static str>;

    /// Walks the whole space that can be reached from the start.
    fn explore(&self, limits: &Limits) -> Explored<Box<dyn Route>>;

    /// Whether the start is a goal.
    fn is_goal(&self) -> bool;

    /// The heuristic's value at the start.
    fn h(&self) -> f64;

    /// The moves that are legal at the start.
    fn legal_moves(&self, notation: Notation) -> Vec<String>;

    /// The start, drawn.
    fn draw(&self, style: Style) -> String;

    /// The puzzle to be played by the moves of the space, in any of these notations.
    fn replay(&self, notations: &'static [Notation]) -> Box<dyn Rules>;
}

/// A way through a state space, replayed as often as one likes.
pub trait Route: Send + Sync {
    /// The moves.
    fn moves(&self, notation: Notation) -> Vec<String>;

    /// The position at its end.
    fn last(&self, style: Style) -> String;

    /// Visits every position in turn, the start first.
    fn walk(&self, notation: Notation, style: Style, visit: &mut dyn FnMut(Step));

    /// All ways from the start to a goal that cost what this one does, which must be proven to be the least.
    ///
    /// # Errors
    /// The limit that ended the search for them.
    fn all_shortest(&self, limits: &Limits) -> Result<Box<dyn Routes>, Limit>;
}

/// All ways of least cost from the start to a goal.
pub trait Routes: Send + Sync {
    /// How many there are; `u128::MAX` stands for itself and all beyond.
    fn count(&self) -> u128;

    /// One after the other, in the order of the moves.
    fn iter(&self) -> Box<dyn Iterator<Item = Box<dyn Route>> + '_>;

    /// The most bytes that finding them took.
    fn memory(&self) -> u64;
}

/// One position on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The move that led here; none at the start.
    pub action: Option<String>,
    /// The position in rows of text, each ended.
    pub position: String,
    /// The heuristic's value here.
    pub h: f64,
}

/// Erases a state space and its view.
pub fn searchable<S: StateSpace, V: View<S>>(space: S, view: V) -> Box<dyn Searchable> {
    Box::new(Arc::new(Opened { space, view }))
}

/// A state space with its view.
pub(super) struct Opened<S, V> {
    pub space: S,
    pub view: V,
}

impl<S: StateSpace, V: View<S>> Searchable for Arc<Opened<S, V>> {
    fn search(&self, algorithm: Algorithm, limits: &Limits) -> Found<Box<dyn Route>> {
        let found = search(&self.space, algorithm, limits);
        found.map(|actions| -> Box<dyn Route> { Box::new(Way { opened: Arc::clone(self), actions }) })
    }

    fn objection(&self, algorithm: Algorithm) -> Option<&'static str> {
        objection(&self.space, algorithm)
    }

    fn explore(&self, limits: &Limits) -> Explored<Box<dyn Route>> {
        let explored = explore(&self.space, limits);
        explored.map(|actions| -> Box<dyn Route> { Box::new(Way { opened: Arc::clone(self), actions }) })
    }

    fn is_goal(&self) -> bool {
        self.space.is_goal(&self.space.initial())
    }

    fn h(&self) -> f64 {
        self.space.h(&self.space.initial()).as_f64()
    }

    fn legal_moves(&self, notation: Notation) -> Vec<String> {
        let start = self.view.initial();
        let actions = self.space.actions(&self.space.initial());
        actions.map(|action| self.view.notation(&start, action, notation)).collect()
    }

    fn draw(&self, style: Style) -> String {
        self.view.draw(&self.view.initial(), style)
    }

    fn replay(&self, notations: &'static [Notation]) -> Box<dyn Rules> {
        replayed(self, notations)
    }
}

struct Way<S: StateSpace, V> {
    opened: Arc<Opened<S, V>>,
    actions: Vec<S::Action>,
}

impl<S: StateSpace, V: View<S>> Route for Way<S, V> {
    fn moves(&self, notation: Notation) -> Vec<String> {
        let view = &self.opened.view;
        let mut position = view.initial();
        let write = |&action: &S::Action| {
            let written = view.notation(&position, action, notation);
            view.apply(&mut position, action);
            written
        };
        self.actions.iter().map(write).collect()
    }

    fn last(&self, style: Style) -> String {
        let view = &self.opened.view;
        let mut position = view.initial();
        self.actions.iter().for_each(|&action| view.apply(&mut position, action));
        view.draw(&position, style)
    }

    fn walk(&self, notation: Notation, style: Style, visit: &mut dyn FnMut(Step)) {
        let Opened { space, view } = &*self.opened;
        let mut position = view.initial();
        let mut state = space.initial();
        visit(Step { action: None, position: view.draw(&position, style), h: space.h(&state).as_f64() });
        for &action in &self.actions {
            let written = view.notation(&position, action, notation);
            view.apply(&mut position, action);
            space.apply(&mut state, action);
            let h = space.h(&state).as_f64();
            visit(Step { action: Some(written), position: view.draw(&position, style), h });
        }
    }

    fn all_shortest(&self, limits: &Limits) -> Result<Box<dyn Routes>, Limit> {
        let space = &self.opened.space;
        let mut state = space.initial();
        let costs = self.actions.iter().map(|&action| space.apply(&mut state, action).0);
        let least = costs.fold(S::Cost::ZERO, |sum, cost| sum + cost);
        let all = all_shortest(space, least, limits)?;
        Ok(Box::new(Ways { opened: Arc::clone(&self.opened), all }))
    }
}

struct Ways<S: StateSpace, V> {
    opened: Arc<Opened<S, V>>,
    all: AllShortest<S>,
}

impl<S: StateSpace, V: View<S>> Routes for Ways<S, V> {
    fn count(&self) -> u128 {
        self.all.count()
    }

    fn iter(&self) -> Box<dyn Iterator<Item = Box<dyn Route>> + '_> {
        let way = |actions| -> Box<dyn Route> { Box::new(Way { opened: Arc::clone(&self.opened), actions }) };
        Box::new(self.all.iter(&self.opened.space).map(way))
    }

    fn memory(&self) -> u64 {
        self.all.memory
    }
}
