//! The keys that move the player, and the bits of movement that they give.

use crate::game::Direction;

/// A key that moves the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Input {
    Up,
    Left,
    Down,
    Right,
    Action,
}

impl Input {
    /// All keys, in the order of the reference's numbers: 0 up, 1 left, 2 down, 3 right, 4 action.
    pub const ALL: [Input; 5] = [Self::Up, Self::Left, Self::Down, Self::Right, Self::Action];

    /// Returns the bit of movement that the key gives the player.
    pub(crate) fn bit(self) -> u64 {
        match self {
            Self::Up => direction_bit(Direction::Up),
            Self::Left => direction_bit(Direction::Left),
            Self::Down => direction_bit(Direction::Down),
            Self::Right => direction_bit(Direction::Right),
            Self::Action => ACTION,
        }
    }
}

/// The bit of movement of the action key.
pub(crate) const ACTION: u64 = 0b10000;

/// Returns the bit of movement in a direction.
pub(crate) fn direction_bit(direction: Direction) -> u64 {
    match direction {
        Direction::Up => 0b00001,
        Direction::Down => 0b00010,
        Direction::Left => 0b00100,
        Direction::Right => 0b01000,
    }
}
