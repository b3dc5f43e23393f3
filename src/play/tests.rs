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

fn offers(written: &[&str]) -> ClickAction {
    ClickAction::Offer(written.iter().map(|&written| written.to_owned()).collect())
}

fn walks(written: &[&str]) -> ClickAction {
    ClickAction::Walk(written.iter().map(|&written| written.to_owned()).collect())
}

fn rules(text: &str) -> Game {
    let text = format!("title = \"r\"\ndomain = \"rules\"\n{text}");
    let puzzle = Puzzle::parse(&text, "rules").unwrap_or_else(|report| panic!("{report}"));
    Game::new(Arc::new(puzzle), Notation::STANDARD)
}

#[test]
fn an_arrow_moves_the_tile_that_can_go_there_and_a_click_the_tile_itself() {
    let game = tiles("", "1 2 3\n4 . 5\n6 7 8");
    assert_eq!(game.arrow(LEFT, None, false).as_deref(), Ok("5l"));
    assert_eq!(game.arrow(DOWN, None, true).as_deref(), Ok("2d"));
    assert_eq!(game.arrow(LEFT, Some(8), false).as_deref(), Ok("5l"), "no tile needs to be selected");
    assert_eq!(game.click((2, 1), None), plays("7u"));
    assert_eq!(game.click((0, 0), None), ClickAction::Nothing);
    assert_eq!(game.drag((1, 0), (1, 2)), plays("4r"));
    assert_eq!(game.drag((1, 0), (2, 0)), ClickAction::Nothing);
    assert_eq!(tiles("", "1 2 3\n4 5 6\n7 8 .").arrow(LEFT, None, false), Err("nothing can go left".to_owned()));
}

#[test]
fn a_row_of_tiles_is_pushed_from_the_selected_tile() {
    let game = tiles("metric = \"multi\"", "1 2 3 4\n5 6 . 7\n8 9 10 11");
    assert_eq!(game.arrow(RIGHT, None, false).as_deref(), Ok("6r"));
    assert_eq!(game.arrow(RIGHT, None, true).as_deref(), Ok("5r"));
    assert_eq!(game.click((1, 0), None), plays("5r"));
    assert_eq!(game.drag((1, 1), (1, 2)), plays("6r"));
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
    assert_eq!(game.click((2, 0), Some(key("b"))), offers(&["ad2", "cl2"]), "two others reach it");
    assert_eq!(game.click((0, 1), Some(key("b"))), plays("bl1"));
    assert_eq!(game.click((1, 0), None), plays("ad1"), "only one reaches it");
    assert_eq!(game.click((1, 1), None), ClickAction::Nothing);
    assert_eq!(game.drag((0, 0), (2, 1)), walks(&["ad2", "ar1"]), "to the cell where it is dropped");
    assert_eq!(game.movable().len(), 3);
}

#[test]
fn blocks_that_turn_corners_move_where_they_are_dropped() {
    let game = blocks("metric = \"turn\"", "a.\n#.");
    assert_eq!(game.drag((0, 0), (1, 1)), plays("ar1d1"));
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
            assert_eq!(game.drag(walker, (row, column)), plays(name));
        }
    }
}

#[test]
fn moves_that_shift_no_figure_are_chosen_from_the_list_alone() {
    for file in ["words/horse-nurse", "words/cube-tubes", "permutation/topspin-8-4", "permutation/pocket-cube"] {
        let game = game(file);
        assert!(!game.has_shifts(), "{file}");
        assert!(!game.has_places() && !game.arrows_reach_all(), "{file}");
    }
}

#[test]
fn a_lamp_and_a_pancake_are_clicked() {
    let lamps = game("rules/lights-out");
    assert!(lamps.has_places());
    for (row, column) in [(0, 0), (0, 4), (2, 3), (4, 4), (4, 1)] {
        assert_eq!(lamps.click((row, column), None), plays(&format!("press {row},{column}")));
    }
    let mut lamps = lamps;
    for written in ["press 0,0", "press 2,1"] {
        lamps.play(written).expect("the move is legal");
    }
    assert_eq!(lamps.click((2, 3), None), plays("press 2,3"), "some lamps go on and others off");
    let pancakes = game("rules/pancakes");
    assert!(pancakes.has_places());
    assert_eq!(pancakes.click((0, 4), None), plays("flip 5"));
    assert_eq!(pancakes.click((0, 0), None), ClickAction::Nothing);
    let upright = game("permutation/pancakes");
    assert!(upright.has_places());
    assert_eq!((upright.click((1, 0), None), upright.click((9, 0), None)), (plays("A"), plays("I")));
}

#[test]
fn a_peg_and_a_knight_go_from_cell_to_cell() {
    let pegs = game("rules/english-peg-solitaire");
    assert!(pegs.arrows_reach_all());
    assert_eq!(pegs.drag((3, 1), (3, 3)), plays("jump 3,1 right"));
    assert_eq!(pegs.click((3, 1), None), plays("jump 3,1 right"), "it has one move");
    assert_eq!(pegs.arrow(RIGHT, None, false).as_deref(), Ok("jump 3,1 right"));
    let every = ["jump 1,3 down", "jump 3,1 right", "jump 3,5 left", "jump 5,3 up"];
    assert_eq!(pegs.click((3, 3), None), offers(&every), "four pegs reach the hole");
    let knights = game("rules/four-knights");
    assert!(!knights.arrows_reach_all());
    let ClickAction::Select(knight) = knights.click((0, 0), None) else { panic!("it has two moves") };
    assert_eq!(knights.targets(knight), [(1, 2), (2, 1)]);
    assert_eq!(knights.click((2, 1), Some(knight)), plays("b 0,0 to 2,1"));
    assert_eq!(knights.drag((0, 0), (1, 2)), plays("b 0,0 to 1,2"));
    assert_eq!(knights.drag((0, 0), (0, 1)), ClickAction::Nothing);
}

#[test]
fn turns_of_dials_are_dragged_and_listed() {
    let wheels = game("tutorial/wheels");
    assert_eq!(wheels.drag((0, 0), (0, 1)), plays("L"));
    assert_eq!(wheels.drag((0, 0), (1, 0)), plays("L'"));
    assert_eq!(wheels.drag((1, 2), (2, 1)), plays("R2"));
    let ClickAction::Select(dial) = wheels.click((0, 0), None) else { panic!("it has three moves") };
    assert_eq!(wheels.targets(dial), [(0, 1), (1, 0), (1, 1)]);
    assert_eq!(wheels.click((1, 1), Some(dial)), plays("L2"));
    let dials = rules(
        "start = \"ab..\"\ngoal = \"..ab\"\nsets = { N = \"ab\" }\n\
         [[rules]]\nname = \"{N} steps\"\nfrom = \"N.\"\nto = \".N\"\n\
         [[rules]]\nname = \"{N} leaps\"\nfrom = \"N.\"\nto = \".N\"\ncost = 3\n",
    );
    assert!(!dials.arrows_reach_all(), "one of two moves with the same effect");
}

#[test]
fn a_walker_goes_to_a_far_cell_and_takes_what_is_there() {
    let walker = game("mazes/terrain");
    let ClickAction::Walk(moves) = walker.click((3, 6), None) else { panic!("the cell can be reached") };
    assert_eq!(moves.len(), 9, "the fewest moves, whatever they cost");
    let mut sokoban = game("rules/sokoban-two-rooms");
    assert_eq!(sokoban.click((2, 1), None), walks(&["walk left", "walk up"]), "not through the box");
    assert_eq!(sokoban.click((2, 6), None), ClickAction::Nothing, "the box is in the way");
    for written in ["walk left", "walk up"] {
        sokoban.play(written).expect("the move is legal");
    }
    assert_eq!(sokoban.arrow(RIGHT, None, false).as_deref(), Ok("push right"));
    let mut coins = game("rules/toll-gates");
    assert_eq!(coins.click((4, 3), None), coins.drag((5, 1), (4, 3)));
    let ClickAction::Walk(moves) = coins.click((4, 3), None) else { panic!("the coin can be reached") };
    assert_eq!(moves.last().map(String::as_str), Some("take 3 right"), "{moves:?}");
    for written in moves {
        coins.play(&written).expect("the move is legal");
    }
}

#[test]
fn a_restart_and_a_return_can_be_redone() {
    let mut game = game("blocks/gate");
    for written in ["bu1", "ar1"] {
        game.play(written).expect("the move is legal");
    }
    let end = game.draw();
    game.restart();
    assert_eq!([game.redo(), game.redo()], [["bu1"], ["ar1"]]);
    game.go_to(&["bu1".to_owned()]).expect("the moves are legal");
    assert_eq!(game.redo(), ["ar1"]);
    assert_eq!(game.draw(), end);
    assert!(game.go_to(&["bd1".to_owned(), "ar9".to_owned()]).is_err());
    assert_eq!(game.made(), ["bu1", "ar1"], "a refused return changes nothing");
    game.go_to(&["bd1".to_owned()]).expect("the move is legal");
    assert_eq!((game.redo().len(), game.made()), (0, &["bd1".to_owned()][..]));
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
    assert!(game.undo().is_empty() && game.redo().is_empty());
    for written in ["bu1", "ar1", "ar1", "ar1"] {
        assert!(!game.is_solved());
        game.play(written).expect("the move is legal");
    }
    let end = game.draw();
    assert!(game.is_solved() && game.cost() == 4.0);
    assert_eq!(game.verdict(Some(4.0)), "solved in 4 moves, the optimum");
    assert_eq!(game.verdict(Some(3.0)), "solved in 4 moves; the optimum is 3");
    assert_eq!(game.verdict(None), "solved in 4 moves");
    assert_eq!([game.undo(), game.undo()], [["ar1"], ["ar1"]]);
    assert_eq!(game.made(), ["bu1", "ar1"]);
    game.redo();
    game.redo();
    assert_eq!(game.draw(), end);
    game.undo();
    game.play("al1").expect("the move is legal");
    assert!(game.redo().is_empty(), "a new move discards the undone ones");
    game.restart();
    assert_eq!((game.draw(), game.made().len()), (start, 0));
}

#[test]
fn moves_of_one_gesture_are_undone_and_redone_together() {
    let mut game = game("rules/sokoban-two-rooms");
    let walk = ["walk left", "walk up", "walk up"];
    let make = |game: &mut Game, moves: &[&str]| {
        moves.iter().for_each(|written| assert!(game.play(written).is_ok(), "{written}"));
    };
    make(&mut game, &["walk left", "walk right"]);
    make(&mut game, &walk);
    game.join(2);
    let end = game.draw();
    assert_eq!((game.undo(), game.made().len()), (walk.map(str::to_owned).to_vec(), 2));
    assert_eq!(game.undo(), ["walk right"]);
    assert_eq!([game.redo(), game.redo()], [vec!["walk right".to_owned()], walk.map(str::to_owned).to_vec()]);
    assert_eq!(game.draw(), end);
    game.restart();
    assert_eq!([game.redo().len(), game.redo().len(), game.redo().len(), game.redo().len()], [1, 1, 3, 0]);
    game.undo();
    make(&mut game, &walk);
    assert_eq!(game.undo(), ["walk up"], "other moves after the same start are no gesture");
    game.go_to(&["walk left".to_owned()]).expect("the move is legal");
    assert_eq!(game.redo(), ["walk right"]);
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
    assert_eq!(known, Some(Known::GaveUp("the search was stopped at the nodes limit".to_owned())));
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

#[test]
fn fences_are_named_once_each() {
    let game = rules(
        "start = \"r.\\n..\"\ngoal = \"??\\n?r\"\nfences = \"\"\"\n+-+ +\n|. .|\n+ +-+\n .|.\n+ +-+\n\"\"\"\n\
         [[rules]]\nname = \"{direction}\"\nfrom = \"r.\"\nto = \".r\"\nturns = true\n",
    );
    let description = game.description();
    let lines: Vec<&str> = description.lines().collect();
    assert_eq!(
        lines,
        [
            "2 rows, 2 columns",
            "r: row 1 column 1",
            "mark r: row 2 column 2",
            "fences in row 1: above column 1; to the left of column 1; below column 2; to the right of column 2",
            "fences in row 2: below column 2; to the right of column 1",
        ]
    );
    assert_eq!(game.arrow(DOWN, None, false).as_deref(), Ok("down"));
    let robots = self::game("rules/two-robots").description();
    assert!(
        robots.contains("fences in row 3: to the left of column 1; below column 7; to the right of column 7\n"),
        "{robots}"
    );
}

#[test]
fn a_board_is_tilted_and_what_falls_moves_by_arrows() {
    let board = rules(
        "start = \"o..o\\n....\"\ngoal = \"????\\no?o?\"\n\
         [[rules]]\nname = \"{direction}\"\nfrom = \"o.\"\nto = \".o\"\nturns = true\nall = true\nrepeat = true\n",
    );
    assert_eq!(board.arrow(RIGHT, None, false).as_deref(), Ok("right"));
    let blocks = rules(
        "start = \"a..\\n#..\\nb#.\"\ngoal = { count = { N = 0 } }\nsets = { N = \"ab\" }\n\
         [[rules]]\nname = \"{N} {at} {direction}\"\nfrom = \"N.\"\nto = \".N\"\nmirror = true\n\
         [[after]]\nfrom = \"N\\n.\"\nto = \".\\nN\"\n",
    );
    assert_eq!(blocks.arrow(RIGHT, None, false).as_deref(), Ok("a 0,0 right"), "and down by one");
    assert!(blocks.arrow(LEFT, None, false).is_err());
    let jelly = rules(
        "start = \"#j.#\\n#..#\\n####\"\ngoal = \"????\\n??j?\\n????\"\nbodies = [\"j\"]\n\
         [[rules]]\nname = \"{direction}\"\nshift = \"j\"\ninto = \".\"\nturns = true\n",
    );
    assert_eq!(jelly.arrow(DOWN, None, false).as_deref(), Ok("down"));
    for game in [&blocks, &jelly] {
        let picture = game.picture().expect("it is drawn");
        assert_eq!(picture.ground((1, 0)), crate::picture::Ground::Wall, "nothing moves a wall");
    }
}

#[test]
fn a_pile_is_one_place_for_clicks_and_has_words() {
    let start = "start = { tube = [\"r b b\", \"b\", \"\"], rest = \"\" }\ngoal = { \"tube[2]\" = \"b b b\" }\n\
                 [piles]\n\"tube[1..3]\" = { most = 3 }\nrest = { most = 1 }\n";
    let rule = "[[rules]]\nname = \"{x} into {y}\"\nfor = { x = [\"tube\"], y = [\"tube\"] }\n\
                when = \"size(y) == 0 || top(x) == top(y)\"\n\
                carry = { from = \"x\", to = \"y\", count = \"min(same(x), 3 - size(y))\" }\n";
    let mut tubes = rules(&format!("{start}{rule}"));
    let description = tubes.description();
    let lines: Vec<&str> = description.lines().collect();
    assert_eq!(lines, ["tube 1 from the bottom: r, b, b", "tube 2 from the bottom: b", "tube 3: empty", "rest: empty"]);
    let ClickAction::Select(top) = tubes.click((2, 0), None) else { panic!("it has two moves") };
    assert_eq!(tubes.click((3, 0), None), ClickAction::Select(top), "the name below belongs to the pile");
    assert_eq!(tubes.click((0, 4), Some(top)), plays("tube[1] into tube[3]"));
    assert_eq!(tubes.click((0, 2), Some(top)), plays("tube[1] into tube[2]"), "above what is on it");
    let before = tubes.picture().expect("it is drawn").clone();
    tubes.play("tube[1] into tube[2]").expect("the move is legal");
    let said = tubes.change_since(&before);
    assert_eq!(said, "tube 1 from the bottom: r; tube 2 from the bottom: b, b, b");
    let figures = &tubes.picture().expect("it is drawn").figures;
    let moved = figures.iter().find(|figure| figure.key == top).expect("the item keeps its key");
    assert_eq!((moved.at, moved.label.as_str()), ((0, 2), "b"), "the top lands on top");
    assert!(tubes.is_solved());
}
