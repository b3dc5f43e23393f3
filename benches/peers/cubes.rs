//! The pocket cube with `pathfinding`: a state is the labels of the 24 places, a move is any power of a generator.

use pathfinding::prelude::{bfs_bidirectional, bfs_reach};

/// By place, its label.
pub type State = [u8; 24];

/// The generators, in cycles of places from 1.
const GENERATORS: [[[usize; 4]; 3]; 3] = [
    [[1, 2, 4, 3], [5, 11, 9, 7], [6, 12, 10, 8]],
    [[2, 19, 22, 8], [4, 11, 24, 16], [9, 10, 18, 17]],
    [[3, 9, 22, 14], [4, 17, 21, 6], [7, 8, 16, 15]],
];

/// Applies a generator: the label at the first place of a cycle moves to the second.
fn turn(state: &State, generator: &[[usize; 4]; 3]) -> State {
    let mut turned = *state;
    for cycle in generator {
        for (at, place) in cycle.iter().enumerate() {
            turned[cycle[(at + 1) % 4] - 1] = state[place - 1];
        }
    }
    turned
}

fn successors(state: &State) -> Vec<State> {
    let mut found = Vec::with_capacity(9);
    for generator in &GENERATORS {
        let mut turned = *state;
        for _ in 0..3 {
            turned = turn(&turned, generator);
            found.push(turned);
        }
    }
    found
}

/// Returns the least number of moves between two states, by search from both ends; every move is reversible.
pub fn fewest_moves(start: &State, goal: &State) -> Option<usize> {
    bfs_bidirectional(start, goal, successors, successors).map(|path| path.len() - 1)
}

/// Returns the number of reachable states.
pub fn reached(start: &State) -> usize {
    bfs_reach(*start, successors).count()
}
