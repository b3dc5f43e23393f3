//! Grounded rules: the form of the rules that a checker needs to verify an argument for all rules, beyond the moves
//! that a search happens to generate.
//!
//! A rule with a choice of its parameters, a place and an image of its pattern is an *application*. The checker applies
//! it to a position, and a [`Trace`] records the variables that it reads. Its effect in any position depends on these
//! alone, so a checker that enumerates their values covers all positions.

use std::cell::RefCell;
use std::ops::{Index, IndexMut};
use std::rc::Rc;

/// The grounded rules of a puzzle. Variables and values are numbers, as in [`Rules::position`](super::Rules::position).
pub trait GroundRules {
    /// Returns the variables by name, each with its possible values and their names.
    fn variables(&self) -> Vec<(String, Vec<(u32, String)>)>;

    /// Returns the number of applications.
    fn applications(&self) -> usize;

    /// Applies an application to a position. Returns the position after it, or `None` if it is not applicable. It
    /// checks neither forbidden positions nor whether anything changes.
    fn apply(&self, application: usize, position: &Trace) -> Option<Vec<u32>>;

    /// Returns the goals; reaching any of them is enough.
    fn goals(&self) -> Vec<GroundGoal>;

    /// Returns whether the expressions of a goal hold, beside its values and counts.
    fn holds(&self, goal: usize, position: &Trace) -> bool;

    /// Returns whether the puzzle forbids some positions.
    fn forbids(&self) -> bool;
}

/// The conditions of a goal: all of these, and the expressions that [`GroundRules::holds`] evaluates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroundGoal {
    /// Variables with their allowed values; other variables may have any.
    pub values: Vec<(usize, Vec<u32>)>,
    /// Bounds on the number of variables with certain values.
    pub counts: Vec<CountBound>,
}

/// Bounds on the number of variables that have certain values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountBound {
    /// The variables, in ascending order, each with the values that count.
    pub facts: Vec<(usize, Vec<u32>)>,
    /// The least number.
    pub least: u32,
    /// The greatest number.
    pub most: u32,
}

/// The values of variables, which optionally records the variables that are read.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    values: Vec<u32>,
    /// The variables that were read, in order; clones share the list.
    read: Option<Rc<RefCell<Vec<usize>>>>,
}

impl Trace {
    /// Returns values that record no reads.
    #[must_use]
    pub fn untraced(values: Vec<u32>) -> Trace {
        Trace { values, read: None }
    }

    /// Returns values that record reads, with none recorded yet.
    #[must_use]
    pub fn new(values: Vec<u32>) -> Trace {
        Trace { values, read: Some(Rc::default()) }
    }

    /// Returns the variables that were read, each once, in the order of the first reads.
    #[must_use]
    pub fn read(&self) -> Vec<usize> {
        let mut seen = vec![false; self.values.len()];
        let read = self.read.as_ref().map(|read| read.borrow().clone()).unwrap_or_default();
        read.into_iter().filter(|&var| !std::mem::replace(&mut seen[var], true)).collect()
    }

    /// Returns all values, without recording a read.
    #[must_use]
    pub fn values(&self) -> &[u32] {
        &self.values
    }
}

/// Traces are equal if their values are.
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
