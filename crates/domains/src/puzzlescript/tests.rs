//! Tests of levels as state spaces.

use super::description::{self, compiled};
use super::packing::Packing;
use super::space::{GameSpace, Play};
use crate::diagnostic::Diagnostic;
use crate::domain::{BuildContext, FileContext, HeuristicFacts, Instance};
use crate::search::{Algorithm, Limit, Limits, Verdict, laws};
use engine_puzzlescript::analysis::Facts;
use std::sync::Arc;

const TEMPLATE: &str = include_str!("template.toml");

fn space() -> GameSpace {
    let game = TEMPLATE.split("'''").nth(1).expect("the template has a game");
    let compiled = compiled(game.trim_start()).expect("the game of the template compiles");
    let board = compiled.program.boards().next().expect("it has a level").clone();
    let facts = Facts::new(&compiled.program, &board, &board.cells, &|| false).expect("it never stops");
    let packing = Packing::new(&board.cells, &facts.changing());
    let bounds = facts.bounds(&compiled.program, &board.cells, &|| false).map(Arc::new);
    let play = Arc::new(Play::new(facts.reduced(&compiled.program), board.clone(), packing, bounds));
    let start = play.key(&board.cells, &board.cells, false);
    GameSpace { play, start }
}

#[test]
fn a_level_keeps_the_laws_of_a_state_space() {
    laws::hold(&space(), false);
}

#[test]
fn only_what_can_change_is_in_a_key() {
    let space = space();
    let board = space.play.board(&space.start);
    assert_eq!(board, space.play.written.cells);
    // Of 5 objects in each of 30 cells: player and crates, each in the 12 cells without a wall.
    let facts = Facts::new(&space.play.program, &space.play.written, &board, &|| false).expect("it never stops");
    assert_eq!(Packing::new(&board, &facts.changing()).bits(), 12 + 12);
}

/// Reads a level of a game in a puzzle file.
fn level(game: &str, number: usize) -> Result<Box<dyn Instance>, Vec<Diagnostic>> {
    let file = format!("level = {number}\nsource = '''\n{game}'''\n");
    FileContext::of_text(&file, description::read)
}

/// Returns the objects of the template as a game with other rules, another goal and another level.
fn game(rules: &str, level: &str) -> String {
    let template = TEMPLATE.split("'''").nth(1).expect("the template has a game").trim_start();
    let (head, _) = template.split_once("[ > Player").expect("a rule");
    format!("{head}{rules}\n\nWINCONDITIONS\n\nsome Target on Player\n\nLEVELS\n\n{level}\n")
}

#[test]
fn a_press_that_is_given_up_ends_all_proofs() {
    // A binary counter: `Crate` is a digit 1, `Target` the carry. Each turn adds 1 and asks for the next, 2^20 times.
    let rules = "[ Wall ] -> [ Wall Target ] again\n\
                 right [ Wall Target | ] -> [ Wall | Target ]\n\
                 right [ Crate Target | ] -> [ | Target ]\n\
                 [ Target no Crate no Wall ] -> [ Crate ]";
    let counter = game(rules, "PPPPPPPPPPPPPPPPPPPPPP\n#.....................");
    let space = level(&counter, 1).expect("the game plays").space(&HeuristicFacts::ZERO, &BuildContext::default());
    let found = space.search(Algorithm::Bfs, &Limits::default());
    assert!(matches!(found.verdict, Verdict::Limit { limit: Limit::Work, .. }));
    let explored = space.explore(&Limits::default());
    assert_eq!((explored.limit, explored.dead_ends), (Some(Limit::Work), None));
}

#[test]
fn games_that_presses_alone_do_not_decide_are_refused() {
    let random = game("random [ > Player | Crate ] -> [ > Player | > Crate ]", "#P*O#");
    let Err(errors) = level(&random, 1) else { panic!("a random game was read") };
    assert!(errors[0].message.contains("random"), "{errors:?}");
    let Err(errors) = level(&format!("realtime_interval 1\n{}", game("", "#P*O#")), 1) else {
        panic!("a game in real time was read")
    };
    assert!(errors[0].message.contains("real time"), "{errors:?}");
}

#[test]
fn levels_are_counted_without_messages() {
    let game = game("[ > Player | Crate ] -> [ > Player | > Crate ]", "message Go\n\n#P*O#\n\nmessage Again\n\n#P.*O#");
    assert_eq!([1, 2].map(|number| level(&game, number).expect("a level").size()), ["1x5", "1x6"]);
    let Err(errors) = level(&game, 3) else { panic!("there is no third level") };
    assert_eq!(errors[0].message, "the game has 2 levels, no level 3");
}

#[test]
fn an_error_in_a_game_has_its_place_in_the_puzzle_file() {
    // Fewer errors leave rules out, and the game plays.
    let wrong = game(&"[ > Player | Crat ] -> [ > Player | > Crate ]\n".repeat(6), "#P*O#");
    let file = format!("source = '''\n{wrong}'''\n");
    let Err(errors) = FileContext::of_text(&file, description::read) else { panic!("the game plays") };
    assert!(
        errors.iter().any(|error| error.span.as_ref().is_some_and(|span| file[span.clone()] == *"Crat")),
        "{errors:?}"
    );
}

#[test]
fn a_level_that_wins_by_itself_needs_no_press() {
    let rules = "[ Target no Player ] [ Player ] -> [ ] [ Player Target ]\n[ Crate ] -> [ Target ] again";
    let game = format!("run_rules_on_level_start\n{}", game(rules, "#P*#"));
    let space = level(&game, 1).expect("the game plays").space(&HeuristicFacts::ZERO, &BuildContext::default());
    assert!(space.is_goal());
    // Without these turns, the first press starts the same chain.
    let space = level(&game.replace("run_rules_on_level_start\n", ""), 1).expect("the game plays");
    let found = space.space(&HeuristicFacts::ZERO, &BuildContext::default()).search(Algorithm::Bfs, &Limits::default());
    assert!(matches!(found.verdict, Verdict::Solved { cost: 1.0, .. }));
}
