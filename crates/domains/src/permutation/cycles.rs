//! Reads generators in disjoint cycle notation, `(1 4)(2 3)`: a label in the first place of a cycle moves to the
//! second.

use super::images::{Place, identity, order};
use super::setup::Generator;
use crate::diagnostic::{Diagnostic, keep};
use crate::document::Spanned;
use crate::drawing::SourceMap;
use std::ops::Range;

/// Reads a generator on this many places.
///
/// # Errors
/// Reports all mistakes in the cycles, each at its place, or that the generator moves nothing.
pub(super) fn read(
    name: &str,
    text: &Spanned<String>,
    places: usize,
    source: &str,
) -> Result<Generator, Vec<Diagnostic>> {
    read_named(&format!("the generator `{name}`"), name, text, places, source)
}

/// Reads a permutation, which messages call `what`.
pub(super) fn read_named(
    what: &str,
    name: &str,
    text: &Spanned<String>,
    places: usize,
    source: &str,
) -> Result<Generator, Vec<Diagnostic>> {
    let mut reading = Reading {
        at: SourceMap::of(text, source),
        image: identity(places),
        cycle: vec![0; places],
        number: 0,
        errors: Vec::new(),
    };
    let mut open: Option<(usize, Vec<Place>)> = None;
    for (range, token) in tokens(text.get_ref()) {
        match (token, &mut open) {
            ("(", None) => {
                reading.number += 1;
                open = Some((range.start, Vec::new()));
            }
            ("(", Some(_)) => reading.wrong(range, "unexpected `(` inside a cycle", "expected a place or `)`"),
            (")", Some(_)) => {
                if let Some((_, cycle)) = open.take() {
                    reading.close(&cycle);
                }
            }
            (")", None) => reading.wrong(range, "unexpected `)` outside a cycle", "write a cycle as `(1 2 3)`"),
            (",", _) => {}
            (number, Some((_, cycle))) => reading.place(range, number, cycle),
            (other, None) => {
                reading.wrong(range, &format!("unexpected `{other}` outside a cycle"), "write a cycle as `(1 2 3)`");
            }
        }
    }
    if let Some((start, _)) = open {
        reading.wrong(start..start + 1, "unclosed cycle", "missing `)`");
    }
    let order = order(&reading.image);
    if order == 1 && reading.errors.is_empty() {
        let message = format!("{what} moves nothing");
        let label = "expected a cycle of two or more places, such as `(1 2 3)`";
        reading.errors.push(Diagnostic::at(text.span(), message).label(label));
    }
    if reading.errors.is_empty() {
        Ok(Generator { name: name.to_owned(), image: reading.image, order })
    } else {
        Err(reading.errors)
    }
}

/// Returns the brackets, the commas and the words between them, each with its range in the text.
fn tokens(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += text[at..].len() - text[at..].trim_start().len();
        let rest = &text[at..];
        let first = rest.chars().next()?;
        let ends = |c: char| c.is_whitespace() || "(),".contains(c);
        let length = if ends(first) { first.len_utf8() } else { rest.find(ends).unwrap_or(rest.len()) };
        at += length;
        Some((at - length..at, &rest[..length]))
    })
}

/// A generator that is being read.
struct Reading {
    at: SourceMap,
    image: Vec<Place>,
    /// For each place, the number of its cycle, from 1 on; 0 if it is in none.
    cycle: Vec<u32>,
    number: u32,
    errors: Vec<Diagnostic>,
}

impl Reading {
    fn wrong(&mut self, range: Range<usize>, message: &str, label: &str) {
        keep(&mut self.errors, || Diagnostic::at(self.at.span(range), message).label(label));
    }

    fn place(&mut self, range: Range<usize>, number: &str, cycle: &mut Vec<Place>) {
        let places = self.image.len();
        if !number.chars().all(|c| c.is_ascii_digit()) {
            let label = format!("expected a number from 1 to {places}");
            return self.wrong(range, &format!("invalid place `{number}`"), &label);
        }
        let Some(place) = number.parse().ok().filter(|place| (1..=places).contains(place)) else {
            return self.wrong(range, &format!("unknown place {number}"), &format!("expected 1 to {places}"));
        };
        match self.cycle[place - 1] {
            0 => {
                self.cycle[place - 1] = self.number;
                cycle.push((place - 1) as Place);
            }
            known if known == self.number => {
                self.wrong(range, &format!("place {place} appears twice in this cycle"), "a cycle has each place once");
            }
            _ => {
                let message = format!("place {place} appears in two cycles");
                self.wrong(range, &message, "the cycles of a generator must be disjoint");
            }
        }
    }

    fn close(&mut self, cycle: &[Place]) {
        for (number, &place) in cycle.iter().enumerate() {
            self.image[usize::from(place)] = cycle[(number + 1) % cycle.len()];
        }
    }
}
