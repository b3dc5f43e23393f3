//! Common names of puzzles that are no names of domains.

use crate::diagnostic::unknown_name;
use crate::domain;

/// Common names of puzzles, and their domains.
const KNOWN_PUZZLES: [(&str, &str); 19] = [
    ("sokoban", "rules"),
    ("peg-solitaire", "rules"),
    ("lights-out", "rules"),
    ("river-crossing", "rules"),
    ("hanoi", "rules"),
    ("water-sort", "rules"),
    ("rush-hour", "klotski"),
    ("huarong-dao", "klotski"),
    ("sliding-blocks", "klotski"),
    ("sliding-block", "klotski"),
    ("8-puzzle", "sliding-tile"),
    ("15-puzzle", "sliding-tile"),
    ("24-puzzle", "sliding-tile"),
    ("rubik", "permutation"),
    ("rubiks-cube", "permutation"),
    ("cube", "permutation"),
    ("topspin", "permutation"),
    ("pancake", "permutation"),
    ("doublets", "word-ladder"),
];

/// Returns what may be meant by a name that is no domain: the domain of the puzzles with this name, or a similar name.
pub(crate) fn instead_of_domain(name: &str) -> String {
    let written = name.to_lowercase().replace([' ', '_'], "-");
    match KNOWN_PUZZLES.iter().find(|(puzzle, _)| *puzzle == written) {
        Some(("sokoban", domain)) => format!(
            "such puzzles are in the domain `{domain}`; a file `levels.sok` of levels in the usual symbols is solved as it is"
        ),
        Some((_, domain)) => format!("such puzzles are in the domain `{domain}`"),
        None => unknown_name(name, domain::registered()),
    }
}
