//! Tests of the analysis on levels small enough to see what it should find. `tests/levels.rs` holds it to whole state
//! spaces.

use super::{Bounds, Buffers, Facts};
use crate::compile::compile;
use crate::program::{Board, Program};
use crate::reader::read;

const HEAD: &str = "OBJECTS\n\nBackground\nblack\n\nWall\ngray\n\nPlayer\nwhite\n\nCrate\nbrown\n\nTarget\nyellow\n\nMark\nred\n\n\
                    LEGEND\n\n. = Background\n# = Wall\nP = Player\nC = Crate\nO = Target\n* = Crate and Target\n\nSOUNDS\n\n\
                    COLLISIONLAYERS\n\nBackground\nTarget\nMark\nPlayer, Wall, Crate\n\nRULES\n\n";

const PUSH: &str = "[ > Player | Crate ] -> [ > Player | > Crate ]";

fn level(rules: &str, condition: &str, rows: &str) -> (Program, Board) {
    let text = format!("{HEAD}{rules}\n\nWINCONDITIONS\n\n{condition}\n\nLEVELS\n\n{rows}\n");
    let reading = read(&text);
    let mut diagnostics = reading.diagnostics;
    let program = compile(&reading.game.expect("a game"), &mut diagnostics).expect("the game plays");
    let board = program.boards().next().expect("a level").clone();
    (program, board)
}

fn facts(program: &Program, board: &Board) -> Facts {
    Facts::new(program, board, &board.cells, &|| false).expect("it never stops")
}

fn bounds(rules: &str, condition: &str, rows: &str) -> Option<Bounds> {
    let (program, board) = level(rules, condition, rows);
    facts(&program, &board).bounds(&program, &board.cells, &|| false)
}

/// Returns the bound of the start: none if it is a dead end.
fn bound(rules: &str, condition: &str, rows: &str) -> Option<u32> {
    let (_, board) = level(rules, condition, rows);
    bounds(rules, condition, rows).expect("a bound").of(&board.cells, &mut Buffers::default())
}

/// Returns the number of objects in cells that may change.
fn changing(rules: &str, rows: &str) -> u32 {
    let (program, board) = level(rules, "some Target", rows);
    facts(&program, &board).changing().iter().map(|word| word.count_ones()).sum()
}

#[test]
fn an_object_stays_where_nothing_can_move_it() {
    // The player may be in three cells, the crate in none but its own.
    assert_eq!(changing(PUSH, "P..#C#"), 3);
    // The player cannot get behind the crate.
    assert_eq!(changing(PUSH, "P.C#"), 2);
}

#[test]
fn a_rule_without_a_request_matches_everywhere() {
    assert_eq!(changing("[ ] -> [ Mark ]", "P#"), 2);
}

#[test]
fn a_rule_with_an_ellipsis_reaches_along_the_line_alone() {
    assert_eq!(changing("right [ Player | ... | Crate ] -> [ Player | ... | Crate Mark ]", "CP#.C\nC####"), 1);
}

#[test]
fn rules_that_ask_for_what_is_not_there_are_left_out() {
    let (program, board) = level(&format!("{PUSH}\n[ Mark ] -> [ Crate ]"), "some Target", "#####\n#PC.#\n#####");
    let reduced = facts(&program, &board).reduced(&program);
    // Of the first rule, the directions along the line are left.
    assert_eq!(reduced.rules().count(), 2);
}

#[test]
fn the_action_key_is_left_out_only_where_it_does_nothing() {
    let leaves_out = |rules: &str, condition: &str| {
        let (program, board) = level(rules, condition, "#PC.#");
        facts(&program, &board).reduced(&program).settings.no_action
    };
    assert!(leaves_out(PUSH, "some Target"));
    // It wins, a rule asks for it, or a turn changes the board by itself.
    assert!(!leaves_out(PUSH, "no Target"));
    assert!(!leaves_out("[ action Player ] -> [ Player Mark ]", "some Target"));
    assert!(!leaves_out(&format!("{PUSH}\n[ Crate | ] -> [ | Crate ]"), "some Target"));
    assert!(!leaves_out(&format!("{PUSH}\nlate [ Crate ] -> [ Mark ]"), "some Target"));
}

#[test]
fn a_game_that_puts_two_objects_of_a_layer_into_a_cell_may_change_everything() {
    let (program, board) = level("[ > Player | Crate ] -> [ > Player | Crate Wall ]", "some Target", "PC#");
    assert!(facts(&program, &board).changing().iter().all(|&word| word == u64::MAX));
}

#[test]
fn a_crate_in_a_corner_is_a_dead_end() {
    let rows = "######\n#C...#\n#.P.O#\n######";
    assert_eq!(bound(PUSH, "all Crate on Target", rows), None);
    assert_eq!(bound(PUSH, "all Target on Crate", rows), None);
    // It may be taken out of the corner by a player that pulls.
    let pull = format!("{PUSH}\n[ < Player | Crate ] -> [ < Player | < Crate ]");
    assert!(bound(&pull, "all Crate on Target", rows).is_some());
}

#[test]
fn too_few_crates_that_reach_targets_are_a_dead_end() {
    // The crate in the corner is one of two that are needed.
    assert_eq!(bound(PUSH, "all Target on Crate", "#######\n#C....#\n#.PC..#\n#..O.O#\n#.....#\n#######"), None);
    // With a third one, the distances of the others add up.
    let rows = "#######\n#C....#\n#.PC..#\n#.CO.O#\n#.....#\n#######";
    assert_eq!(bound(PUSH, "all Target on Crate", rows), Some(1 + 3));
}

#[test]
fn distances_of_crates_that_one_player_pushes_add_up() {
    let rows = "###########\n#P..C.O...#\n#...C...O.#\n#.........#\n###########";
    // Two steps to the nearer crate, then two and three pushes, both to the nearer target.
    assert_eq!(bound(PUSH, "all Crate on Target", rows), Some(2 + 2 + 3));
    // Crates that push crates may move in one press: then the greatest counts.
    let rows_of_crates = format!("{PUSH}\n[ > Crate | Crate ] -> [ > Crate | > Crate ]");
    assert_eq!(bound(&rows_of_crates, "all Crate on Target", rows), Some(2 + 3));
}

#[test]
fn a_press_counts_once_for_all_turns_that_again_adds() {
    let slide = format!("{PUSH} again\nright [ stationary Crate | no Wall ] -> [ > Crate | ] again");
    assert_eq!(bound(&slide, "all Crate on Target", "########\n#PC...O#\n########"), Some(1));
    assert_eq!(bound(PUSH, "all Crate on Target", "########\n#PC...O#\n########"), Some(4));
}

#[test]
fn commands_that_win_or_restart_leave_no_bound() {
    let rows = "########\n#PC...O#\n########";
    assert!(bounds(&format!("{PUSH}\n[ > Player | Wall ] -> win"), "all Crate on Target", rows).is_none());
    assert!(bounds(&format!("{PUSH}\n[ > Player | Wall ] -> restart"), "all Crate on Target", rows).is_none());
    // A rule that never matches changes nothing.
    assert!(bounds(&format!("{PUSH}\n[ Mark ] -> win"), "all Crate on Target", rows).is_some());
}

#[test]
fn objects_that_rules_make_bound_nothing_but_the_press() {
    let rule = "[ action Player | ] -> [ Player | Crate ]";
    assert_eq!(bound(rule, "some Crate", "########\n#P....O#\n########"), Some(1));
    assert_eq!(bound(rule, "all Target on Crate", "########\n#P....O#\n########"), Some(1));
}
