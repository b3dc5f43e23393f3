//! Tests of the plain rules on small games. The expected boards follow from the language's documentation.

use super::{Play, Rules};
use crate::input::Input::{self, Action, Down, Right};
use crate::press::Outcome;
use crate::reader::read;

/// Returns a game with these settings, rules, win conditions and level.
fn rules(settings: &str, rules: &str, goal: &str, level: &str) -> Rules {
    let names = ["background", "mark", "player", "crate", "wall", "stone"];
    let objects: String = names.iter().map(|name| format!("{name}\nred\n\n")).collect();
    let text = format!(
        "title test\n{settings}\nOBJECTS\n\n{objects}\nLEGEND\n\n. = background\nm = mark\np = player\n* = crate\n\
         # = wall\no = stone\n@ = crate and mark\nq = player and mark\nsolid = crate or wall or stone\nthing = crate or \
         mark\nSOUNDS\n\nCOLLISIONLAYERS\n\nbackground\nmark\nplayer, crate, wall, stone\n\nRULES\n\n{rules}\n\n\
         WINCONDITIONS\n\n{goal}\n\nLEVELS\n\n{}\n",
        level.replace('/', "\n")
    );
    let reading = read(&text);
    assert_eq!(reading.diagnostics.errors(), 0, "{:?}", reading.diagnostics.all());
    Rules::new(&reading.game.expect("the game is read"))
}

/// Draws a board by the legend of the test game.
fn draw(play: &Play<'_>) -> String {
    let board = play.board();
    let symbol = |cell: usize| {
        let objects = board.cells[cell].iter().map(|object| play.rules().name(object));
        match objects.collect::<Vec<_>>()[..] {
            ["background"] => '.',
            ["background", "mark"] => 'm',
            ["background", "player"] => 'p',
            ["background", "crate"] => '*',
            ["background", "wall"] => '#',
            ["background", "stone"] => 'o',
            ["background", "mark", "crate"] => '@',
            ["background", "mark", "player"] => 'q',
            ref other => panic!("unexpected cell {other:?}"),
        }
    };
    let row = |y: usize| (0..board.width).map(|x| symbol(x * board.height + y)).collect::<String>();
    (0..board.height).map(row).collect::<Vec<_>>().join("/")
}

/// Presses keys on the level of a game. Returns how the last one ended, and the board.
fn press(rules: &Rules, keys: &[Input]) -> (Outcome, String) {
    let (mut play, mut outcome) = Play::one_level(rules, 0, "").expect("the level is a board");
    for &key in keys {
        outcome = play.press(key);
    }
    (outcome, draw(&play))
}

/// Presses one key on a level of a game with these rules. Returns the board.
fn after(lines: &str, key: Input, level: &str) -> String {
    press(&rules("", lines, "", level), &[key]).1
}

#[test]
fn a_row_of_movements_is_resolved_from_the_front() {
    let push = "[ > player | crate ] -> [ > player | > crate ]\n+ [ > crate | crate ] -> [ > crate | > crate ]";
    assert_eq!(after(push, Right, "p**.#"), ".p**#");
    assert_eq!(after(push, Right, "p**#."), "p**#.");
}

#[test]
fn of_two_objects_that_want_a_cell_the_first_one_in_the_columns_gets_it() {
    let rules = "late [ mark ] -> [ ]\nright [ crate ] -> [ right crate ]\nleft [ stone ] -> [ left stone ]";
    assert_eq!(after(rules, Action, "*.o"), ".*o");
    let rules = "down [ crate ] -> [ down crate ]\nleft [ stone ] -> [ left stone ]";
    assert_eq!(after(rules, Action, "*./.o"), "../*o");
}

#[test]
fn an_ellipsis_stands_for_every_distance() {
    assert_eq!(
        after("right [ action player | ... | crate ] -> [ action player | ... | stone ]", Action, "p*.*"),
        "po.o"
    );
    let two = "right [ action player | ... | crate | ... | wall ] -> [ action player | ... | stone | ... | wall ]";
    assert_eq!(after(two, Action, "p*.*.#*"), "po.o.#*");
}

#[test]
fn a_combination_is_left_out_if_an_earlier_one_has_changed_its_cells() {
    // The first row varies fastest: the first crate meets the first wall.
    assert_eq!(after("[ crate ] [ wall ] -> [ ] [ mark ]", Action, "p*#*#"), "p.m.m");
    assert_eq!(after("[ crate ] [ wall ] -> [ stone ] [ ]", Action, "p*#*"), "po.*");
}

#[test]
fn a_no_that_another_object_of_the_layer_makes_sure_of_counts_for_nothing() {
    // By a mistake in the first rule, a wall and a stone are in one cell.
    let rules = "[ action player ] [ crate ] -> [ action player ] [ wall stone ]\n[ stone no wall ] -> [ mark ]\n\
                 [ stone ] -> [ stone ]";
    assert_eq!(after(rules, Action, "p*"), "pm");
    // Another name of the stone does not make sure of it.
    assert_eq!(after(&rules.replace("[ stone no", "[ o no"), Action, "p*"), "po");
}

#[test]
fn a_movement_on_the_right_is_that_of_the_same_word_on_the_left() {
    assert_eq!(after("[ moving player ] [ crate ] -> [ moving player ] [ moving crate ]", Right, "p.*."), ".p.*");
    assert_eq!(after("[ moving player ] [ crate ] -> [ player ] [ moving crate ]", Down, "p*/.."), "p./.*");
}

#[test]
fn a_property_on_the_right_is_the_object_that_it_was_on_the_left() {
    let rules = "right [ action player | thing | ] -> [ player | | thing ]";
    assert_eq!(after(rules, Action, "pm./p*."), "p.m/p.*");
}

#[test]
fn a_created_object_rests() {
    // Without that, the stone would take over the movement of the player.
    assert_eq!(after("[ > player | ] -> [ mark | stone ]", Right, "p.."), "mo.");
    assert_eq!(after("[ > player ] -> [ > stone ]", Right, "p.."), ".o.");
}

#[test]
fn a_rigid_group_whose_objects_cannot_move_does_not_apply() {
    let rules = "rigid [ > player | crate ] -> [ > player | > crate ]\n+ rigid [ moving crate | crate ] -> [ moving crate | \
                 moving crate ]";
    assert_eq!(after(rules, Right, "p*./.*."), ".p*/..*");
    assert_eq!(after(rules, Right, "p*./.*#"), "p*./.*#");
    assert_eq!(after(&rules.replace("rigid ", ""), Right, "p*./.*#"), ".p*/.*#");
}

#[test]
fn a_loop_goes_back_while_anything_changes() {
    // A group alone would let each crate only once become a stone; the loop repeats both groups.
    let rules = "startloop\nright [ mark | crate ] -> [ mark | stone ]\nright [ stone ] -> [ mark ]\nendloop";
    assert_eq!(after(rules, Action, "m***p"), "mmmmp");
    let once = rules.replace("startloop\n", "").replace("\nendloop", "");
    assert_eq!(after(&once, Action, "m***p"), "mm**p");
}

#[test]
fn turns_of_again_belong_to_a_press() {
    let slide = "[ stationary crate ] -> [ right crate ] again";
    let game = rules("", slide, "all crate on mark", "p*..m");
    assert_eq!(press(&game, &[Action]), (Outcome::Won, "p...@".to_owned()));
    let game = rules("", slide, "all crate on mark", "p*.m.");
    // The win in the middle of the chain ends it.
    assert_eq!(press(&game, &[Action]), (Outcome::Won, "p..@.".to_owned()));
    // The two objects change places in each turn.
    let endless = "[ mark ] -> [ wall ] again\n[ crate ] -> [ mark ] again\n[ wall ] -> [ crate ]";
    assert_eq!(press(&rules("", endless, "", "pm*"), &[Action]).0, Outcome::Endless);
}

#[test]
fn a_press_that_changes_nothing_or_is_cancelled_leaves_the_board() {
    let game = rules("", "[ > player | wall ] -> cancel\n[ > player | crate ] -> [ player | stone ] cancel", "", "p#");
    assert_eq!(press(&game, &[Right]), (Outcome::Same, "p#".to_owned()));
    assert_eq!(press(&game, &[Down]), (Outcome::Same, "p#".to_owned()));
    let game = rules("", "[ > player | crate ] -> [ player | stone ] cancel", "", "p*");
    assert_eq!(press(&game, &[Right]), (Outcome::Same, "p*".to_owned()));
}

#[test]
fn a_turn_in_which_no_player_moves_is_taken_back_where_the_game_asks_for_it() {
    let lines = "[ action player ] [ crate ] -> [ action player ] [ stone ]";
    assert_eq!(press(&rules("", lines, "", "p*"), &[Action]), (Outcome::Changed, "po".to_owned()));
    let game = rules("require_player_movement", lines, "", "p*");
    assert_eq!(press(&game, &[Action]), (Outcome::Same, "p*".to_owned()));
}

#[test]
fn restart_puts_the_last_checkpoint_back() {
    let lines = "[ player mark ] -> [ player mark ] checkpoint\nlate [ player mark ] -> [ player ] checkpoint\n\
                 [ action player ] -> restart";
    let game = rules("", lines, "", "p.m..");
    assert_eq!(press(&game, &[Right, Action]).1, "p.m..");
    assert_eq!(press(&game, &[Right, Right, Right, Action]).1, "..p..");
}

#[test]
fn a_level_without_conditions_is_won_only_by_command() {
    let game = rules("", "[ > player | wall ] -> win", "", "p#");
    assert_eq!(press(&game, &[Down]).0, Outcome::Same);
    assert_eq!(press(&game, &[Right]).0, Outcome::Won);
}

#[test]
fn the_turn_that_begins_a_level_is_not_part_of_what_restart_puts_back() {
    let lines = "right [ crate | no player ] -> [ | crate ]\n[ action player ] -> restart";
    let game = rules("run_rules_on_level_start", lines, "some mark", "*..p");
    let (play, outcome) = Play::one_level(&game, 0, "").expect("the level is a board");
    assert_eq!((outcome, draw(&play)), (Outcome::Changed, "..*p".to_owned()));
    assert_eq!(play.target().cells[0], game.board(0).expect("a board").cells[0]);
}

#[test]
fn undo_passes_over_boards_that_are_like_the_present_one() {
    let game = rules("", "", "", "p..");
    let mut play = Play::new(&game, 0, "1").expect("the level is a board");
    [Right, Right].into_iter().for_each(|key| play.turn(Some(key)));
    play.restart();
    play.restart();
    assert_eq!(draw(&play), "p..");
    play.undo();
    assert_eq!(draw(&play), "..p");
    play.undo();
    assert_eq!(draw(&play), ".p.");
}

#[test]
fn a_symbol_with_two_meanings_has_the_first_that_a_board_can_hold() {
    let text = "title t\n\nOBJECTS\n\nbackground .\nred\n\nplayer p\nred\n\nother\nred\n\nLEGEND\n\np = player or other\n\n\
                COLLISIONLAYERS\n\nbackground\nplayer, other\n\nRULES\n\nWINCONDITIONS\n\nLEVELS\n\np.\n";
    let game = Rules::new(&read(text).game.expect("one mistake leaves a game"));
    let cells = &game.board(0).expect("a board").cells;
    let names = |cell: usize| cells[cell].iter().map(|object| game.name(object)).collect::<Vec<_>>();
    assert_eq!((names(0), names(1)), (vec!["background", "player"], vec!["background"]));
}
