//! Positions and solutions as pictures and pages.

use crate::errors::{EngineError, refused, with_help};
use engine::render::{Film, HTML, RenderStyle, SVG, Show};
use pyo3::prelude::*;

/// Returns the picture after some moves as SVG: one position, or an animation of all. `None` if it is too large.
pub fn drawn(puzzle: &engine::Puzzle, moves: &[String], is_still: bool) -> Option<String> {
    let film = Film::new(puzzle.space("zero").ok()?, moves, puzzle.domain().notations).ok()?;
    let show = if is_still { Show::After(moves.len()) } else { Show::All };
    let style = RenderStyle { title: puzzle.title().to_owned(), goal: puzzle.goal(), ..RenderStyle::default() };
    String::from_utf8(SVG.picture(&film, show, &style).ok()?).ok()
}

/// Returns a page that steps through all positions.
pub fn drawn_film(py: Python<'_>, puzzle: &engine::Puzzle, moves: &[String]) -> PyResult<String> {
    let wrong = |error: &dyn std::fmt::Display| with_help::<EngineError>(py, &error.to_string(), None);
    let start = puzzle.space("zero").map_err(|error| refused(py, &error))?;
    let film = Film::new(start, moves, puzzle.domain().notations).map_err(|error| wrong(&error))?;
    let style = RenderStyle { title: puzzle.title().to_owned(), goal: puzzle.goal(), ..RenderStyle::default() };
    let page = HTML.picture(&film, Show::All, &style).map_err(|error| wrong(&error))?;
    String::from_utf8(page).map_err(|error| wrong(&error))
}
