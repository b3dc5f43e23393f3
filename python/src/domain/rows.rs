//! Domains whose states are rows of arrays of numpy, and whose functions get many of them in one call.

use super::{Asking, Search, cost_of, facts};
use engine::domain::{Discovered, Step, Style};
use engine::space::{Cost, Facts};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most states of one call.
const BATCH: usize = 4096;

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

#[derive(Default)]
struct Known {
    /// The states, one after the other.
    states: Vec<u8>,
    numbers: HashMap<Box<[u8]>, u32>,
    names: Vec<String>,
}

/// Returns whether the moves of a domain have costs: the first move from the start decides.
pub fn has_costs(asking: &Asking, start: &Bound<'_, PyAny>) -> PyResult<bool> {
    let moves: Vec<Moves<'_>> = asking.domain.bind(start.py()).call_method1("_expand", (start,))?.extract()?;
    Ok(moves.first().is_some_and(|(.., costs)| costs.is_some()))
}

impl Known {
    /// Returns the number of a state, a new one if it was not seen before.
    fn number(&mut self, state: &[u8]) -> u32 {
        if let Some(&number) = self.numbers.get(state) {
            return number;
        }
        let number = self.numbers.len() as u32;
        self.states.extend_from_slice(state);
        self.numbers.insert(state.into(), number);
        number
    }
}

/// Returns the numbers in the bytes of an array of 64-bit floats.
fn floats(bytes: &[u8]) -> impl Iterator<Item = f64> {
    bytes.as_chunks().0.iter().map(|&chunk| f64::from_ne_bytes(chunk))
}

impl Rows {
    /// Returns the domain of a search, at its start: the bytes of a state.
    pub fn of(search: &Search, start: &Bound<'_, PyAny>, has_costs: bool) -> PyResult<Rows> {
        let start: &[u8] = start.extract()?;
        let mut known = Known::default();
        known.number(start);
        let (asking, width) = (search.asking.clone(), start.len());
        Ok(Rows { asking, has_h: search.has_h, has_costs, width, known: Mutex::new(known) })
    }

    // The lock is never held while functions in Python run.
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the bytes of states, one after the other.
    fn bytes<'py>(&self, py: Python<'py>, states: &[u32]) -> Bound<'py, PyBytes> {
        let known = self.known();
        let state = |&number: &u32| &known.states[number as usize * self.width..][..self.width];
        PyBytes::new(py, &states.iter().flat_map(state).copied().collect::<Vec<u8>>())
    }

    /// Asks a method about states; returns the bytes of its answer, of which each state has this many.
    fn answer<'py>(
        &self,
        domain: &Bound<'py, PyAny>,
        method: &str,
        states: &[u32],
        size: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let answer = domain.call_method1(method, (self.bytes(domain.py(), states),))?.cast_into::<PyBytes>()?;
        match answer.as_bytes().len() == size * states.len() {
            true => Ok(answer),
            false => Err(wrong_shape(method.trim_start_matches('_'), states.len())),
        }
    }

    fn steps<C: Cost>(&self, domain: &Bound<'_, PyAny>, states: &[u32]) -> PyResult<Vec<Vec<Step<C>>>> {
        let moves: Vec<Moves<'_>> =
            domain.call_method1("_expand", (self.bytes(domain.py(), states),))?.extract()?;
        let mut all = vec![Vec::with_capacity(moves.len()); states.len()];
        let mut known = self.known();
        for (name, legal, after, costs) in moves {
            let action = match known.names.iter().position(|known| *known == name) {
                Some(action) => action,
                None => {
                    known.names.push(name);
                    known.names.len() - 1
                }
            };
            let (legal, after) = (legal.as_bytes(), after.as_bytes());
            if legal.len() != states.len() || after.len() != self.width * states.len() {
                return Err(wrong_shape("moves", states.len()));
            }
            let costs: Option<Vec<f64>> = costs.as_ref().map(|costs| floats(costs.as_bytes()).collect());
            if costs.is_some() != self.has_costs {
                let wrong = "some moves have costs, and others have none: give each move some";
                return Err(PyValueError::new_err(wrong));
            }
            for (place, steps) in all.iter_mut().enumerate().filter(|(place, _)| legal[*place] != 0) {
                let cost = match &costs {
                    Some(costs) => cost_of(*costs.get(place).ok_or_else(|| wrong_shape("moves", states.len()))?)?,
                    None => C::whole(1),
                };
                steps.push((action as u32, cost, known.number(&after[place * self.width..][..self.width])));
            }
        }
        Ok(all)
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
        self.known().numbers.len() as u32
    }

    fn expand(&self, states: &[u32]) -> Vec<Vec<Step<C>>> {
        self.asking.ask(|domain| self.steps(domain, states), || vec![Vec::new(); states.len()])
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
        let text = |domain: &Bound<'_, PyAny>| {
            domain.call_method1("_text", (self.bytes(domain.py(), &[state]),))?.extract()
        };
        self.asking.ask(text, String::new)
    }
}
