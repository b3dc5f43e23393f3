//! Domains whose states are objects: the searches see their numbers in the order of discovery.

use super::numbered::{Names, NumberedObjects};
use super::{Asking, Search, cost_of, facts};
use engine::domain::{Discovered, Step, Style};
use engine::space::{Cost, Facts};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The bytes of a state, as a guess: the object and its places in tables.
const STATE_BYTES: usize = 300;

/// A domain, and the states known of it.
pub struct Objects {
    asking: Asking,
    has_h: bool,
    has_costs: bool,
    moves: Py<PyAny>,
    is_goal: Py<PyAny>,
    h: Py<PyAny>,
    // One search asks: no function in Python comes here again while it runs.
    known: Mutex<Known>,
}

/// The states, and the names of moves.
struct Known {
    states: NumberedObjects,
    names: Names,
}

/// A move as `moves` returned it: the number of its name, its cost, and the state after it with its hash.
type Move<'py, C> = (u32, C, Bound<'py, PyAny>, u32);

/// Returns whether the moves of a domain have costs: the first move from the start decides.
pub fn has_costs(asking: &Asking, start: &Bound<'_, PyAny>) -> PyResult<bool> {
    let domain = asking.domain.bind(start.py());
    let first = domain.call_method1("moves", (start,))?.try_iter()?.next().transpose()?;
    Ok(first.is_some_and(|first| first.len().is_ok_and(|len| len == 3)))
}

impl Objects {
    /// Returns the domain of a search, at its start.
    pub fn of(search: &Search, start: &Bound<'_, PyAny>, has_costs: bool) -> PyResult<Objects> {
        let py = start.py();
        let domain = search.asking.domain.bind(py);
        let objects = Objects {
            asking: search.asking.clone(),
            has_h: search.has_h,
            has_costs,
            moves: domain.getattr("moves")?.unbind(),
            is_goal: domain.getattr("is_goal")?.unbind(),
            h: domain.getattr("h")?.unbind(),
            known: Mutex::new(Known { states: NumberedObjects::new(), names: Names::new() }),
        };
        objects.known().states.number(start, NumberedObjects::hash(start)?)?;
        Ok(objects)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn state<'py>(&self, py: Python<'py>, number: u32) -> Bound<'py, PyAny> {
        self.known().states.get(py, number)
    }

    fn read<'py, C: Cost>(&self, names: &mut Names, one: &Bound<'py, PyAny>) -> PyResult<Move<'py, C>> {
        let Ok(one) = one.cast::<PyTuple>() else {
            let wrong = "`moves` returned something else than tuples: expected (name, state) or (name, state, cost)";
            return Err(PyTypeError::new_err(wrong));
        };
        let cost = match (one.len(), self.has_costs) {
            (2, false) => C::whole(1),
            (3, true) => cost_of(one.get_item(2)?.extract()?)?,
            (length, _) => {
                let wrong = match length {
                    2 | 3 => "some moves have a cost, and others have none: give each move one".to_owned(),
                    _ => format!("a move of {length} values: expected (name, state) or (name, state, cost)"),
                };
                return Err(PyValueError::new_err(wrong));
            }
        };
        let (name, state) = (one.get_borrowed_item(0)?, one.get_item(1)?);
        let hash = NumberedObjects::hash(&state)?;
        Ok((names.number(&name)?, cost, state, hash))
    }
}

impl<C: Cost> Discovered<C> for Objects {
    fn facts(&self) -> Facts {
        facts(self.has_costs, STATE_BYTES)
    }

    fn states(&self) -> u32 {
        self.known().states.len()
    }

    fn expand(&self, states: &[u32], step: &mut dyn FnMut(usize, Step<C>)) {
        let all = |domain: &Bound<'_, PyAny>| {
            let (Known { states: known, names }, moves) = (&mut *self.known(), self.moves.bind(domain.py()));
            let mut read = Vec::new();
            for (place, &state) in states.iter().enumerate() {
                for one in moves.call1((known.get(domain.py(), state),))?.try_iter()? {
                    read.push(self.read(names, &one?)?);
                }
                known.touch(read.iter().map(|&(.., hash)| hash));
                for (name, cost, after, hash) in read.drain(..) {
                    step(place, (name, cost, known.number(&after, hash)?));
                }
            }
            Ok(())
        };
        self.asking.ask(all, || ());
    }

    fn goals(&self, states: &[u32]) -> Vec<bool> {
        let is_goal = |py: Python<'_>, state| self.is_goal.bind(py).call1((self.state(py, state),))?.is_truthy();
        let all = |domain: &Bound<'_, PyAny>| states.iter().map(|&state| is_goal(domain.py(), state)).collect();
        self.asking.ask(all, || vec![false; states.len()])
    }

    fn h(&self, states: &[u32]) -> Vec<C> {
        if !self.has_h {
            return vec![C::ZERO; states.len()];
        }
        let h = |py: Python<'_>, state| self.asking.h(self.h.bind(py).call1((self.state(py, state),))?.extract()?);
        let all = |domain: &Bound<'_, PyAny>| states.iter().map(|&state| h(domain.py(), state)).collect();
        self.asking.ask(all, || vec![C::ZERO; states.len()])
    }

    fn notation(&self, _state: u32, action: u32) -> String {
        let name = |domain: &Bound<'_, PyAny>| self.known().names.get(domain.py(), action).str()?.extract();
        self.asking.ask(name, String::new)
    }

    fn draw(&self, state: u32, _style: Style) -> String {
        let text = |domain: &Bound<'_, PyAny>| {
            let text: String = self.state(domain.py(), state).str()?.extract()?;
            Ok(text + "\n")
        };
        self.asking.ask(text, String::new)
    }
}
