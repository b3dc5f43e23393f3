//! The types of the costs of paths through a maze.

use crate::space::{Cost, Length};

/// The cost type of paths through a maze.
pub(super) trait Steps: Cost {
    /// Returns the cost of this many straight and diagonal steps, each over cells of cost 1.
    fn of(straight: u32, diagonal: u32) -> Self;
}

impl Steps for Length {
    #[inline]
    fn of(straight: u32, diagonal: u32) -> Length {
        Length::of(straight, diagonal)
    }
}

/// Integer costs, for mazes without diagonal steps: each has a bucket of its own, so searches need no heap.
impl Steps for u32 {
    #[inline]
    fn of(straight: u32, diagonal: u32) -> u32 {
        assert_eq!(diagonal, 0, "the cost of a diagonal step is not an integer");
        straight
    }
}
