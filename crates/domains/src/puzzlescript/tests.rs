//! Tests of levels as state spaces.

use super::description::{boards, compiled};
use super::packing::Packing;
use super::space::{GameSpace, Play};
use crate::search::laws;
use std::sync::Arc;

const TEMPLATE: &str = include_str!("template.toml");

fn space() -> GameSpace {
    let game = TEMPLATE.split("'''").nth(1).expect("the template has a game");
    let compiled = compiled(game.trim_start()).expect("the game of the template compiles");
    let board = boards(&compiled.program).next().expect("it has a level").clone();
    let packing = Packing::new(&compiled.program, &board.cells);
    let play = Arc::new(Play::new(Arc::new(compiled.program), board.clone(), packing));
    let start = play.key(&board.cells, &board.cells);
    GameSpace { play, start }
}

#[test]
fn a_level_keeps_the_laws_of_a_state_space() {
    laws::hold(&space(), true);
}

#[test]
fn only_what_can_change_is_in_a_key() {
    let space = space();
    let board = space.play.board(&space.start);
    assert_eq!(board, space.play.written.cells);
    // Player, wall and crate share a layer in which things move: 3 of 5 objects, in each of 30 cells.
    let packing = Packing::new(&space.play.program, &board);
    assert_eq!(packing.words(), 90_usize.div_ceil(63));
}
