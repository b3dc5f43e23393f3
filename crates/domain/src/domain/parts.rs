//! Rules taken apart: what a checker needs to hold an argument against every rule, and not only against the moves that a
//! search happens to meet.
//!
//! A rule with a choice of its parameters, at a place and in an image, is an *application*. It is tried in a position,
//! and a [`Trace`] notes which variables that looked at. What it does in any position depends on these alone, so a
//! checker that goes through their values has gone through all positions.

use std::cell::RefCell;
use std::ops::{Index, IndexMut};
use std::rc::Rc;

/// The rules of a puzzle, taken apart. Variables and values are numbers, as in [`Rules::position`](super::Rules::position).
pub trait Parts {
    /// The variables, by name, each with the values that it may have and their names.
    fn variables(&self) -> Vec<(String, Vec<(u32, String)>)>;

    /// The number of applications.
    fn applications(&self) -> usize;

    /// Tries an application in a position: the position after it, if it can be made. What must never be is not looked at,
    /// nor whether anything changes.
    fn apply(&self, application: usize, position: &Trace) -> Option<Vec<u32>>;

    /// The goals, any of which is to be reached.
    fn goals(&self) -> Vec<Target>;

    /// Whether the expressions that a goal asks for beside its values and counts hold.
    fn holds(&self, goal: usize, position: &Trace) -> bool;

    /// Whether there are positions that must never be.
    fn forbids(&self) -> bool;
}

/// What a goal asks for: all of it, and the expressions that [`Parts::holds`] looks at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// Variables with the values that they may have; others may have any.
    pub values: Vec<(usize, Vec<u32>)>,
    /// How many variables have certain values.
    pub counts: Vec<Counted>,
}

/// A number of variables that have certain values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// The variables, in ascending order, each with the values that are counted.
    pub facts: Vec<(usize, Vec<u32>)>,
    /// The least number.
    pub least: u32,
    /// The greatest number.
    pub most: u32,
}

/// The values of variables, and, where that is asked for, which of them were looked at.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    values: Vec<u32>,
    /// The variables that were looked at, in order; clones write to the same list.
    read: Option<Rc<RefCell<Vec<usize>>>>,
}

impl Trace {
    /// Values that are looked at without a note.
    #[must_use]
    pub fn silent(values: Vec<u32>) -> Trace {
        Trace { values, read: None }
    }

    /// Values with an empty list of those that were looked at.
    #[must_use]
    pub fn new(values: Vec<u32>) -> Trace {
        Trace { values, read: Some(Rc::default()) }
    }

    /// The variables that were looked at, each once, in order.
    #[must_use]
    pub fn read(&self) -> Vec<usize> {
        let mut known = vec![false; self.values.len()];
        let read = self.read.as_ref().map(|read| read.borrow().clone()).unwrap_or_default();
        read.into_iter().filter(|&var| !std::mem::replace(&mut known[var], true)).collect()
    }

    /// All values, without a note.
    #[must_use]
    pub fn values(&self) -> &[u32] {
        &self.values
    }
}

/// Traces are equal where their values are.
impl PartialEq for Trace {
    fn eq(&self, other: &Trace) -> bool {
        self.values == other.values
    }
}

impl Index<usize> for Trace {
    type Output = u32;

    fn index(&self, var: usize) -> &u32 {
        if let Some(read) = &self.read {
            read.borrow_mut().push(var);
        }
        &self.values[var]
    }
}

impl IndexMut<usize> for Trace {
    fn index_mut(&mut self, var: usize) -> &mut u32 {
        &mut self.values[var]
    }
}
