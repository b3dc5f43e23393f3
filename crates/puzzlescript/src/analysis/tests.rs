//! Tests of the analysis on levels small enough to see what it should find. `tests/levels.rs` holds it to whole state
//! spaces.

use super::{Bounds, Buffers, Facts};
use crate::compile::compile;
use crate::program::{LevelBoard, Program};
use crate::reader::read;

const HEAD: &str = "OBJECTS\n\nBackground\nblack\n\nWall\ngray\n\nPlayer\nwhite\n\nCrate\nbrown\n\nTarget\nyellow\n\nMark\nred\n\n\
                    LEGEND\n\n. = Background\n# = Wall\nP = Player\nC = Crate\nO = Target\n* = Crate and Target\n\nSOUNDS\n\n\
                    COLLISIONLAYERS\n\nBackground\nTarget\nMark\nPlayer, Wall, Crate\n\nRULES\n\n";

const PUSH: &str = "[ > Player | Crate ] -> [ > Player | > Crate ]";

fn level(rules: &str, condition: &str, rows: &str) -> (Program, LevelBoard) {
    let text = format!("{HEAD}{rules}\n\nWINCONDITIONS\n\n{condition}\n\nLEVELS\n\n{rows}\n");
    let reading = read(&text);
    let mut diagnostics = reading.diagnostics;
    let program = compile(&reading.game.expect("a game"), &mut diagnostics).expect("the game plays");
    let board = program.boards().next().expect("a level").clone();
    (program, board)
}

fn facts(program: &Program, board: &LevelBoard) -> Facts {
    Facts::new(program, board, &board.cells, &|| false).expect("it never stops")
}

fn bounds(rules: &str, condition: &str, rows: &str) -> Option<Bounds> {
    let (program, board) = level(rules, condition, rows);
    facts(&program, &board).bounds(&program, &board, &board.cells, &|| false)
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

/// Returns why the start is a dead end.
fn why(rules: &str, condition: &str, rows: &str) -> String {
    let (_, board) = level(rules, condition, rows);
    let bounds = bounds(rules, condition, rows).expect("a bound");
    assert_eq!(bounds.of(&board.cells, &mut Buffers::default()), None);
    bounds.why_never(&board.cells, board.height).expect("a reason")
}

#[test]
fn a_dead_end_has_a_reason_that_names_its_object() {
    let corner = "######\n#C...#\n#.P.O#\n######";
    let at = "`crate` at row 2, column 2 never gets where a win condition asks for it, and is never taken out";
    assert_eq!(why(PUSH, "all Crate on Target", corner), at);
    let to = "no `crate` ever gets to row 3, column 5, where a win condition asks for it";
    assert_eq!(why(PUSH, "all Target on Crate", corner), to);
    let few = "a win condition asks for `crate` in 2 cells, and no more than 1 ever get to one of them";
    assert_eq!(why(PUSH, "all Target on Crate", "#######\n#C....#\n#.PC..#\n#..O.O#\n#.....#\n#######"), few);
    assert_eq!(why(PUSH, "some Crate on Target", corner), "no `crate` ever gets where a win condition asks for it");
    let won = format!("{PUSH}\nright [ > Crate | Mark ] -> win");
    assert!(bounds(&won, "all Crate on Target", corner).is_some());
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
fn a_rule_that_wins_is_a_second_way() {
    let rows = "########\n#PC...O#\n########";
    let bound_with = |rule: &str| bound(&format!("{PUSH}\n{rule}"), "all Crate on Target", rows);
    // Four pushes, or five steps to the wall.
    assert_eq!(bound_with("right [ > Player | Wall ] -> win"), Some(4));
    // Two steps, and the press that the rule asks for.
    let near = "########\n#P..O.C#\n########";
    assert_eq!(bound(&format!("{PUSH}\nright [ > Player | Target ] -> win"), "no Crate", near), Some(3));
    assert_eq!(bound_with("left [ > Player | Wall ] -> win"), Some(1));
    // It may win on every board.
    assert!(bounds(&format!("{PUSH}\n[ > Player | Wall ] -> win"), "all Crate on Target", rows).is_none());
    // A rule that never matches changes nothing.
    assert_eq!(bound_with("[ Mark ] -> win"), Some(4));
}

#[test]
fn a_rule_that_restarts_goes_back_to_the_bound_of_the_level() {
    let rules = format!("{PUSH}\n[ > Player | Wall ] -> restart");
    let rows = "########\n#......#\n#PC...O#\n#......#\n########";
    assert_eq!(bound(&rules, "all Crate on Target", rows), Some(4));
    let stuck = "########\n#......#\n#.P...O#\n#.C....#\n########";
    let (_, board) = level(&rules, "all Crate on Target", stuck);
    let bounds = bounds(&rules, "all Crate on Target", rows).expect("a bound");
    assert_eq!(bounds.of(&board.cells, &mut Buffers::default()), Some(1 + 4), "the crate is stuck until the restart");
}

#[test]
fn an_object_that_rules_move_goes_as_far_as_its_movement_takes_it() {
    let step = "[ > Player | no Wall no Player ] -> [ | Player ]";
    assert_eq!(bound(step, "some Player on Target", "########\n#P....O#\n########"), Some(5));
    // A rule that leaves the movement takes it to the wall.
    let run = "[ > Player | no Wall no Player ] -> [ | > Player ]";
    assert_eq!(bound(run, "some Player on Target", "########\n#P....O#\n########"), Some(1));
}

#[test]
fn an_object_that_a_rule_takes_from_row_to_row_is_no_new_one() {
    let swap = format!("{PUSH}\n[ action Player ] [ Crate ] -> [ Crate ] [ Player ]");
    let far = "##########\n#O.....CP#\n##########";
    assert_eq!(bound(&swap, "all Crate on Target", far), Some(1), "the player may be on the target");
    // The crate comes only where a player was.
    let apart = "##########\n#O#..P..C#\n##########";
    assert_eq!(bound(&swap, "all Crate on Target", apart), None);
    assert_eq!(bound(&swap, "all Target on Crate", apart), None);
}

#[test]
fn an_object_that_a_rule_takes_over_an_ellipsis_stays_on_its_line() {
    let pull = format!("{PUSH}\nright [ action Player | ... | Crate ] -> [ Crate | ... | Player ]");
    let off = "########\n#......#\n#P...C.#\n#.....O#\n########";
    assert_eq!(bound(&pull, "all Crate on Target", off), Some(2), "a swap, and a push down");
    assert_eq!(bound(&pull, "all Target on Crate", "########\n#P...C.#\n########\n#.....O#\n########"), None);
}

#[test]
fn objects_that_rules_make_bound_nothing_but_the_press() {
    let rule = "[ action Player | ] -> [ Player | Crate ]";
    assert_eq!(bound(rule, "some Crate", "########\n#P....O#\n########"), Some(1));
    assert_eq!(bound(rule, "all Target on Crate", "########\n#P....O#\n########"), Some(1));
}
