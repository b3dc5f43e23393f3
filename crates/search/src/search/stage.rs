//! The stages of a default search, which a domain chooses.

use super::Algorithm;

/// A stage of a schedule of heuristics: cheap heuristics come first, expensive ones follow in long searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The heuristic's name.
    pub heuristic: &'static str,
    /// The size of the heuristic's tables, in the domain's own measure.
    pub size: u8,
    /// True if depth-first searches prune duplicate move sequences with the domain's automaton.
    pub automaton: bool,
    /// The number of expanded states after which the next stage begins.
    pub nodes: u64,
    /// The algorithm, if it is not the default one. It must prove its solution shortest; a stage whose algorithm cannot
    /// search the puzzle is left out.
    pub algorithm: Option<Algorithm>,
}
