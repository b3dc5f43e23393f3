//! Domains whose states are rows of arrays of numpy, and whose functions get many of them in one call.

use super::numbered::NumberedRows;
use super::{Asking, Search, cost_of, facts};
use engine::domain::{Discovered, Step, Style};
use engine::space::{Cost, Facts};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most states of one call.
const BATCH: usize = 4096;

/// States whose moves are looked up together.
const TOGETHER: usize = 32;

/// A move of several states, as `ArrayDomain._expand` writes it: its name, in which states it is legal, the states after
/// it, and its costs there.
type Moves<'py> = (String, Bound<'py, PyBytes>, Bound<'py, PyBytes>, Option<Bound<'py, PyBytes>>);

/// A domain, and the states known of it.
pub struct Rows {
    asking: Asking,
    has_h: bool,
    has_costs: bool,
    /// The bytes of a state.
    width: usize,
    known: Mutex<Known>,
}

/// The states, and the names of moves.
struct Known {
    states: NumberedRows,
    names: Vec<String>,
}

/// Returns whether the moves of a domain have costs: the first move from the start decides.
pub fn has_costs(asking: &Asking, start: &Bound<'_, PyAny>) -> PyResult<bool> {
    let moves: Vec<Moves<'_>> = asking.domain.bind(start.py()).call_method1("_expand", (start,))?.extract()?;
    Ok(moves.first().is_some_and(|(.., costs)| costs.is_some()))
}

/// Returns the numbers in the bytes of an array of 64-bit floats.
fn floats(bytes: &[u8]) -> impl Iterator<Item = f64> {
    bytes.as_chunks().0.iter().map(|&chunk| f64::from_ne_bytes(chunk))
}

impl Rows {
    /// Returns the domain of a search, at its start: the bytes of a state.
    pub fn of(search: &Search, start: &Bound<'_, PyAny>, has_costs: bool) -> PyResult<Rows> {
        let start: &[u8] = start.extract()?;
        let mut known = Known { states: NumberedRows::new(start.len()), names: Vec::new() };
        known.states.number(start, NumberedRows::hash(start));
        let (asking, width) = (search.asking.clone(), start.len());
        Ok(Rows { asking, has_h: search.has_h, has_costs, width, known: Mutex::new(known) })
    }

    // The lock is never held while functions in Python run.
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns one of several states that follow each other.
    fn row<'a>(&self, states: &'a [u8], place: usize) -> &'a [u8] {
        &states[place * self.width..][..self.width]
    }

    /// Returns the bytes of states, one after the other.
    fn bytes<'py>(&self, py: Python<'py>, states: &[u32]) -> PyResult<Bound<'py, PyBytes>> {
        PyBytes::new_with(py, states.len() * self.width, |bytes| {
            let known = self.known();
            let rows = bytes.chunks_exact_mut(self.width).zip(states);
            rows.for_each(|(row, &state)| row.copy_from_slice(known.states.get(state)));
            Ok(())
        })
    }

    /// Asks a method about states; returns the bytes of its answer, of which each state has this many.
    fn answer<'py>(
        &self,
        domain: &Bound<'py, PyAny>,
        method: &str,
        states: &[u32],
        size: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let answer = domain.call_method1(method, (self.bytes(domain.py(), states)?,))?.cast_into::<PyBytes>()?;
        match answer.as_bytes().len() == size * states.len() {
            true => Ok(answer),
            false => Err(wrong_shape(method.trim_start_matches('_'), states.len())),
        }
    }

    fn steps<C: Cost>(
        &self,
        domain: &Bound<'_, PyAny>,
        states: &[u32],
        step: &mut dyn FnMut(usize, Step<C>),
    ) -> PyResult<()> {
        let moves: Vec<Moves<'_>> = domain.call_method1("_expand", (self.bytes(domain.py(), states)?,))?.extract()?;
        let known = &mut *self.known();
        let mut kinds = Vec::with_capacity(moves.len());
        for (name, legal, after, costs) in &moves {
            let known_name = known.names.iter().position(|known| known == name);
            let action = known_name.unwrap_or_else(|| {
                known.names.push(name.clone());
                known.names.len() - 1
            });
            if costs.is_some() != self.has_costs {
                let wrong = "some moves have costs, and others have none: give each move some";
                return Err(PyValueError::new_err(wrong));
            }
            let costs = costs.as_ref().map(|costs| costs.as_bytes().as_chunks().0);
            if legal.as_bytes().len() != states.len() || after.as_bytes().len() != self.width * states.len() {
                return Err(wrong_shape("moves", states.len()));
            }
            kinds.push((action as u32, legal.as_bytes(), after.as_bytes(), costs));
        }
        let mut legal = Vec::with_capacity(TOGETHER * kinds.len());
        for first in (0..states.len()).step_by(TOGETHER) {
            legal.clear();
            for place in first..states.len().min(first + TOGETHER) {
                let here = kinds.iter().filter(|(_, legal, ..)| legal[place] != 0);
                legal.extend(here.map(|kind| (place, kind, NumberedRows::hash(self.row(kind.2, place)))));
            }
            known.states.touch(legal.iter().map(|&(.., hash)| hash));
            for &(place, &(action, _, after, costs), hash) in &legal {
                let cost = costs.map_or(Ok(C::whole(1)), |costs| cost_of(f64::from_ne_bytes(costs[place])))?;
                step(place, (action, cost, known.states.number(self.row(after, place), hash)));
            }
        }
        Ok(())
    }
}

/// Returns the error that a method answered about another number of states.
fn wrong_shape(method: &str, states: usize) -> PyErr {
    PyValueError::new_err(format!("`{method}` of {states} states returned an array of another length"))
}

impl<C: Cost> Discovered<C> for Rows {
    fn facts(&self) -> Facts {
        facts(self.has_costs, 2 * self.width + 100)
    }

    fn batch(&self) -> usize {
        BATCH
    }

    fn states(&self) -> u32 {
        self.known().states.len()
    }

    fn expand(&self, states: &[u32], step: &mut dyn FnMut(usize, Step<C>)) {
        self.asking.ask(|domain| self.steps(domain, states, step), || ());
    }

    fn goals(&self, states: &[u32]) -> Vec<bool> {
        let goals = |domain: &Bound<'_, PyAny>| {
            let answer = self.answer(domain, "_goals", states, 1)?;
            Ok(answer.as_bytes().iter().map(|&is_goal| is_goal != 0).collect())
        };
        self.asking.ask(goals, || vec![false; states.len()])
    }

    fn h(&self, states: &[u32]) -> Vec<C> {
        if !self.has_h {
            return vec![C::ZERO; states.len()];
        }
        let values = |domain: &Bound<'_, PyAny>| {
            floats(self.answer(domain, "_h", states, size_of::<f64>())?.as_bytes()).map(|h| self.asking.h(h)).collect()
        };
        self.asking.ask(values, || vec![C::ZERO; states.len()])
    }

    fn notation(&self, _state: u32, action: u32) -> String {
        self.known().names[action as usize].clone()
    }

    fn draw(&self, state: u32, _style: Style) -> String {
        let text =
            |domain: &Bound<'_, PyAny>| domain.call_method1("_text", (self.bytes(domain.py(), &[state])?,))?.extract();
        self.asking.ask(text, String::new)
    }
}
