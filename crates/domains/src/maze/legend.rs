//! The legend of a map: the kinds of cells and the characters that draw them, with those of the keys `costs` and
//! `portals`.

use super::cell::{Kind, MOST_COST};
use crate::diagnostic::Diagnostic;
use crate::document::{FromToml, Keys, Node, Spanned};
use std::ops::Range;

/// The number that stands for no kind: the character draws no cell of a map.
pub(super) const OTHER: u8 = u8::MAX;

/// The kinds of the cells of a map, by the bytes that draw them.
pub(super) struct Legend {
    /// The number of each byte's kind. A table, because walls cannot be predicted, and a branch that is predicted
    /// wrongly takes longer.
    pub numbers: [u8; 256],
    pub kinds: Vec<Kind>,
    /// The characters of the portals, with their places in the file.
    pub portals: Vec<(u8, Range<usize>)>,
    /// The place of `costs`.
    pub costs: Option<Range<usize>>,
}

/// The wall, the floor, and the digits.
const DIGITS: usize = 10;

impl Legend {
    /// Returns the legend without further characters: `#`, `.`, and the digits 1 to 9.
    pub fn standard() -> Legend {
        let kind = |number: usize| {
            let character = match number {
                0 => b'#',
                1 => b'.',
                cost => b'0' + cost as u8,
            };
            Kind { character, cost: number as u32, portal: None }
        };
        let mut numbers = [OTHER; 256];
        numbers[usize::from(b'#')] = 0;
        numbers[usize::from(b'.')] = 1;
        for cost in 1..DIGITS {
            numbers[usize::from(b'0') + cost] = cost as u8;
        }
        Legend { numbers, kinds: (0..DIGITS).map(kind).collect(), portals: Vec::new(), costs: None }
    }

    /// Reads `costs` and `portals`.
    ///
    /// # Errors
    /// Reports characters that cannot be used, and costs out of range.
    pub fn read(keys: &Keys) -> Result<Legend, Vec<Diagnostic>> {
        let (mut legend, mut errors) = (Legend::standard(), Vec::new());
        let costs: Option<Costs> = keys.take("costs");
        legend.costs = keys.span("costs");
        for (written, cost) in costs.into_iter().flat_map(|costs| costs.0) {
            let range = 1..=MOST_COST;
            match one_character(written.get_ref()) {
                Err(message) => errors.push(Diagnostic::at(written.span(), message)),
                Ok(_) if !range.contains(cost.get_ref()) => {
                    let message = format!("invalid cost {}: expected 1 to {MOST_COST}", cost.get_ref());
                    errors.push(Diagnostic::at(cost.span(), message).label("a wall is `#`"));
                }
                Ok(character) => {
                    legend.add(character, *cost.get_ref());
                }
            }
        }
        let portals: Option<Spanned<String>> = keys.take("portals");
        for character in portals.iter().flat_map(|portals| portals.get_ref().chars()) {
            let span = portals.as_ref().map_or(0..0, Spanned::span);
            match one_character(&character.to_string()) {
                Err(message) => errors.push(Diagnostic::at(span, message)),
                Ok(byte) if legend.portals.iter().any(|(known, _)| *known == byte) => {
                    let message = format!("the portal `{character}` is named twice");
                    errors.push(Diagnostic::at(span, message).label("name each character once"));
                }
                Ok(byte) => {
                    // `costs` may name the same character.
                    if legend.numbers[usize::from(byte)] == OTHER {
                        legend.add(byte, 1);
                    }
                    legend.portals.push((byte, span));
                }
            }
        }
        if errors.is_empty() { Ok(legend) } else { Err(errors) }
    }

    fn add(&mut self, character: u8, cost: u32) {
        self.numbers[usize::from(character)] = self.kinds.len() as u8;
        self.kinds.push(Kind { character, cost, portal: None });
    }

    /// Returns the characters beyond the standard ones, for messages.
    pub fn others(&self) -> String {
        self.kinds[DIGITS..]
            .iter()
            .map(|kind| format!("`{}`", char::from(kind.character)))
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// The table `costs`.
struct Costs(Vec<(Spanned<String>, Spanned<u32>)>);

impl FromToml for Costs {
    const IS_TABLE: bool = true;

    fn from_toml(node: Node) -> Option<Costs> {
        node.entries().map(Costs)
    }
}

/// Returns the character that a legend may define.
///
/// # Errors
/// Returns a message if it is not one character, or has a meaning already.
fn one_character(written: &str) -> Result<u8, String> {
    match written.as_bytes() {
        [b'#'] => Err("`#` is always a wall".to_owned()),
        [b'.'] => Err("`.` always costs 1".to_owned()),
        [b'1'..=b'9'] => Err(format!("`{written}` always costs {written}")),
        [b'S' | b'G'] => Err(format!("`{written}` marks the start or a goal: choose another character")),
        [b'@'] => Err("`@` is the walker: choose another character".to_owned()),
        &[byte] if byte.is_ascii_graphic() => Ok(byte),
        _ => Err(format!("invalid character `{}`: expected one visible ASCII character", written.escape_debug())),
    }
}
