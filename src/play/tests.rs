//! Games of every domain: the moves that arrows, clicks and drags select, and the results of the guide.

use super::*;
use crate::puzzle::Options;

fn game(file: &str) -> Game {
    let file = format!("{}/puzzles/{file}.toml", env!("CARGO_MANIFEST_DIR"));
    let puzzle = Puzzle::load(&file).unwrap_or_else(|report| panic!("{report}"));
    Game::new(Arc::new(puzzle), Notation::STANDARD)
}

fn tiles(keys: &str, start: &str) -> Game {
    let text = format!("title = \"t\"\ndomain = \"sliding-tile\"\n{keys}\nstart = \"\"\"\n{start}\n\"\"\"\n");
    let puzzle = Puzzle::parse(&text, "tiles").unwrap_or_else(|report| panic!("{report}"));
    Game::new(Arc::new(puzzle), Notation::STANDARD)
}

fn blocks(keys: &str, start: &str) -> Game {
    // The goal requires only that `a` stays in place.
    let goal: String = start.chars().map(|c| if "a\n".contains(c) { c } else { '.' }).collect();
    let text = format!(
        "title = \"b\"\ndomain = \"klotski\"\n{keys}\nstart = \"\"\"\n{start}\n\"\"\"\ngoal = \"\"\"\n{goal}\n\"\"\"\n"
    );
    let puzzle = Puzzle::parse(&text, "blocks").unwrap_or_else(|report| panic!("{report}"));
    Game::new(Arc::new(puzzle), Notation::STANDARD)
}

const UP: Direction = Direction(-1, 0);
const DOWN: Direction = Direction(1, 0);
const LEFT: Direction = Direction(0, -1);
const RIGHT: Direction = Direction(0, 1);

fn plays(written: &str) -> ClickAction {
    ClickAction::Play(written.to_owned())
}

#[test]
fn an_arrow_moves_the_tile_that_can_go_there_and_a_click_the_tile_itself() {
    let game = tiles("", "1 2 3\n4 . 5\n6 7 8");
    assert_eq!(game.arrow(LEFT, None, false).as_deref(), Ok("5l"));
    assert_eq!(game.arrow(DOWN, None, true).as_deref(), Ok("2d"));
    assert_eq!(game.arrow(LEFT, Some(8), false).as_deref(), Ok("5l"), "no tile needs to be selected");
    assert_eq!(game.click((2, 1), None), plays("7u"));
    assert_eq!(game.click((0, 0), None), ClickAction::Nothing);
    assert_eq!(game.drag((1, 0), (1, 2)).as_deref(), Some("4r"));
    assert_eq!(game.drag((1, 0), (2, 0)), None);
    assert_eq!(tiles("", "1 2 3\n4 5 6\n7 8 .").arrow(LEFT, None, false), Err("nothing can go left".to_owned()));
}

#[test]
fn a_row_of_tiles_is_pushed_from_the_selected_tile() {
    let game = tiles("metric = \"multi\"", "1 2 3 4\n5 6 . 7\n8 9 10 11");
    assert_eq!(game.arrow(RIGHT, None, false).as_deref(), Ok("6r"));
    assert_eq!(game.arrow(RIGHT, None, true).as_deref(), Ok("5r"));
    assert_eq!(game.click((1, 0), None), plays("5r"));
    assert_eq!(game.drag((1, 1), (1, 2)).as_deref(), Some("6r"));
}

#[test]
fn arrows_push_tiles_over_joined_edges() {
    let game = tiles("surface = \"torus\"", "1 2 3\n. 4 5\n6 7 8");
    assert_eq!(game.arrow(RIGHT, None, false).as_deref(), Ok("5r"), "from the right edge to the left one");
    assert_eq!(game.arrow(LEFT, None, false).as_deref(), Ok("4l"));
    let game = tiles("surface = \"projective-plane\"", "1 2 3\n4 5 6\n7 8 .");
    assert_eq!(game.arrow(UP, None, false), game.arrow(LEFT, None, false), "one tile comes in over both edges");
    assert_eq!(game.click((0, 0), None), plays(&game.arrow(UP, None, false).unwrap_or_default()));
}

#[test]
fn the_selected_one_of_several_blocks_moves() {
    let game = blocks("", "a.b\n...\n..c");
    let key = |label: &str| {
        let mut figures = game.picture().expect("the board is drawn").figures.iter();
        figures.find(|figure| figure.label == label).expect("the figure exists").key
    };
    let several = game.arrow(DOWN, None, false);
    assert_eq!(several, Err("several can go down: ad1, bd1".to_owned()));
    assert_eq!(game.arrow(DOWN, Some(key("b")), false).as_deref(), Ok("bd1"));
    assert_eq!(game.arrow(DOWN, Some(key("a")), true).as_deref(), Ok("ad2"));
    assert_eq!(
        game.arrow(UP, Some(key("a")), false),
        Err("`a` cannot go up".to_owned()),
        "no other figure moves instead"
    );
    assert_eq!(game.arrow(UP, None, false).as_deref(), Ok("cu1"));
    assert_eq!(game.click((0, 0), None), ClickAction::Select(key("a")));
    assert_eq!(game.click((2, 0), Some(key("a"))), plays("ad2"));
    assert_eq!(game.click((2, 0), Some(key("b"))), ClickAction::Nothing, "two others reach it");
    assert_eq!(game.click((0, 1), Some(key("b"))), plays("bl1"));
    assert_eq!(game.click((1, 0), None), plays("ad1"), "only one reaches it");
    assert_eq!(game.click((1, 1), None), ClickAction::Nothing);
    assert_eq!(game.drag((0, 0), (2, 1)).as_deref(), Some("ad2"));
    assert_eq!(game.movable().len(), 3);
}

#[test]
fn blocks_that_turn_corners_move_where_they_are_dropped() {
    let game = blocks("metric = \"turn\"", "a.\n#.");
    assert_eq!(game.drag((0, 0), (1, 1)).as_deref(), Some("ar1d1"));
    assert_eq!(game.click((1, 1), None), plays("ar1d1"));
    assert_eq!(game.arrow(RIGHT, None, true).as_deref(), Ok("ar1"));
}

#[test]
fn a_walker_goes_in_eight_directions_and_to_the_cell_that_is_clicked() {
    let game = game("mazes/diagonal");
    let walker = game.picture().expect("the board is drawn").figures[0].at;
    for (direction, name) in Direction::ALL {
        let is_legal = game.legal().iter().any(|legal| legal == name);
        assert_eq!(game.arrow(direction, None, false).ok().as_deref(), is_legal.then_some(name));
        let to = (walker.0.checked_add_signed(direction.0), walker.1.checked_add_signed(direction.1));
        if let ((Some(row), Some(column)), true) = (to, is_legal) {
            assert_eq!(game.click((row, column), None), plays(name));
            assert_eq!(game.drag(walker, (row, column)).as_deref(), Some(name));
        }
    }
}

#[test]
fn moves_that_shift_no_figure_are_chosen_from_the_list_alone() {
    for file in ["words/horse-nurse", "words/cube-tubes", "permutation/topspin-8-4", "permutation/pocket-cube"] {
        let game = game(file);
        assert!(!game.has_shifts(), "{file}");
        assert_eq!((game.click((0, 0), None), game.drag((0, 0), (0, 1))), (ClickAction::Nothing, None), "{file}");
    }
}

#[test]
fn moves_are_read_in_every_notation_and_as_the_rules_understand_them() {
    let mut tiles = tiles("", "1 2 3\n4 . 5\n6 7 8");
    assert_eq!(tiles.play("R").as_deref(), Ok("5l"), "the blank goes right");
    assert_eq!(tiles.play("d").as_deref(), Ok("3d"));
    let reason = tiles.play("5u").expect_err("tile 5 is not below the blank");
    assert!(reason.contains("the blank is not above tile 5"), "{reason}");
    let mut cube = game("permutation/pocket-cube");
    let inverse = format!("{}3", cube.legal()[0].trim_end_matches(['\'', '2']));
    assert!(cube.play(&inverse).is_ok_and(|written| written.ends_with('\'')), "{inverse} is an inverse");
    assert!(cube.play("u").is_err_and(|reason| reason.contains("unknown generator `u`")));
    let mut turns = blocks("metric = \"turn\"", "a.\n..");
    assert_eq!(turns.play("ad1r1u1").as_deref(), Ok("ar1"), "the rules accept a longer path to the same place");
}

#[test]
fn moves_can_be_undone_and_redone() {
    let mut game = game("blocks/gate");
    let start = game.draw();
    assert_eq!((game.undo(), game.redo()), (None, None));
    for written in ["bu1", "ar1", "ar1", "ar1"] {
        assert!(!game.is_solved());
        game.play(written).expect("the move is legal");
    }
    let end = game.draw();
    assert!(game.is_solved() && game.cost() == 4.0);
    assert_eq!(game.verdict(Some(4.0)), "solved in 4 moves, the optimum");
    assert_eq!(game.verdict(Some(3.0)), "solved in 4 moves; the optimum is 3");
    assert_eq!(game.verdict(None), "solved in 4 moves");
    assert_eq!([game.undo(), game.undo()], [Some("ar1".to_owned()), Some("ar1".to_owned())]);
    assert_eq!(game.made(), ["bu1", "ar1"]);
    game.redo();
    game.redo();
    assert_eq!(game.draw(), end);
    game.undo();
    game.play("al1").expect("the move is legal");
    assert_eq!(game.redo(), None, "a new move discards the undone ones");
    game.restart();
    assert_eq!((game.draw(), game.made().len()), (start, 0));
}

#[test]
fn the_guide_knows_every_position_on_its_path_however_it_is_reached() {
    let mut game = game("blocks/gate");
    let mut guide = Guide::new(Options::default());
    let left = |known: Option<&Known>| match known {
        Some(Known::Path { moves, shortest: true, .. }) => Some(*moves),
        _ => None,
    };
    assert_eq!(guide.known(&game), None);
    assert_eq!(left(guide.find(&game)), Some(4));
    for written in ["bu1", "ar1", "al1"] {
        game.play(written).expect("the move is legal");
    }
    assert_eq!(left(guide.known(&game)), Some(3), "back and forth leads to a position that is known");
    game.restart();
    game.play("bd1").expect("the move is legal");
    assert_eq!(guide.known(&game), None);
    while !guide.follow(&game) {
        std::thread::yield_now();
    }
    assert_eq!(left(guide.known(&game)), Some(3));
}

#[test]
fn the_guide_reports_why_there_is_no_solution() {
    let mut guide = Guide::new(Options::default());
    let known = guide.find(&game("eight-puzzle/unsolvable")).cloned();
    assert!(matches!(known, Some(Known::NoPath(Some(reason))) if reason.contains("odd permutation")));
    let limits = crate::search::Limits { nodes: Some(10), ..Default::default() };
    let mut guide = Guide::new(Options { limits, ..Options::default() });
    let known = guide.find(&game("eight-puzzle/31-moves")).cloned();
    assert_eq!(known, Some(Known::GaveUp("the search stopped at the nodes limit".to_owned())));
}

#[test]
fn a_search_for_a_position_that_was_left_is_interrupted() {
    let start = "16 5 1 12 6\n24 17 9 2 22\n4 10 13 18 19\n20 . 23 7 21\n15 11 8 3 14";
    let mut game = tiles("goal = \"blank-first\"", start);
    let mut guide = Guide::new(Options::default());
    assert!(!guide.follow(&game));
    let first = game.legal()[0].clone();
    game.play(&first).expect("the move is legal");
    let position = game.fingerprint();
    while guide.running.as_ref().is_none_or(|running| running.position != position) {
        assert!(!guide.follow(&game), "an interrupted search has no result");
        std::thread::yield_now();
    }
}
