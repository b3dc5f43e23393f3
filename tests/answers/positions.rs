//! Tests move-by-move positions, as games and animations use them: they equal the transcript's positions, a search can
//! start from each, and their pictures are consistent.

use crate::support::{files_below, root};
use engine::picture::{Cell, Form, Picture};
use engine::puzzle::{Notation, Style};
use engine::search::Algorithm;
use engine::{Limits, Options, Outcome, Puzzle};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::PathBuf;

/// Returns the first puzzle of each folder that has a solution and is not tagged `long`.
fn one_of_each_folder() -> Vec<(PathBuf, Puzzle)> {
    let mut chosen = BTreeMap::new();
    for file in files_below(&root().join("puzzles"), "toml") {
        let folder = file.parent().map(PathBuf::from).unwrap_or_default();
        if chosen.contains_key(&folder) {
            continue;
        }
        let puzzle = Puzzle::load(root().join("puzzles").join(&file)).unwrap_or_else(|report| panic!("{report}"));
        let solvable = puzzle.unsolvable().is_none() && puzzle.expect().outcome != Some(Outcome::Unsolvable);
        if solvable && !puzzle.about().tags.iter().any(|tag| tag == "long") {
            chosen.insert(folder, (file, puzzle));
        }
    }
    chosen.into_values().collect()
}

fn assert_consistent(picture: &Picture) {
    assert_eq!(picture.ground.len(), picture.rows * picture.columns);
    let mut keys = HashSet::new();
    let mut covered: HashSet<Cell> = HashSet::new();
    for figure in &picture.figures {
        assert!(keys.insert(figure.key), "the key {} occurs twice", figure.key);
        for (row, column) in figure.covered() {
            assert!(row < picture.rows && column < picture.columns, "`{}` is off the board", figure.label);
            assert!(covered.insert((row, column)), "`{}` overlaps another figure", figure.label);
        }
    }
}

#[test]
fn positions_move_by_move_equal_the_transcript_and_have_pictures() {
    let chosen = one_of_each_folder();
    let domains: BTreeSet<_> = chosen.iter().map(|(_, puzzle)| puzzle.domain().name).collect();
    assert_eq!(domains.len(), engine::domain::registered().len(), "a domain has no puzzle here");
    for (file, puzzle) in chosen {
        let solution = puzzle.solve(&Options::default()).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let mut at = puzzle.space("zero").expect("every domain has the heuristic `zero`");
        for step in solution.positions() {
            if let Some(written) = &step.action {
                at =
                    at.after(written, &[Notation::STANDARD]).unwrap_or_else(|| panic!("{}: {written}", file.display()));
            }
            assert_eq!(at.draw(Style::Drawn), step.position, "{}", file.display());
            assert_consistent(&at.picture().unwrap_or_else(|| panic!("{} has no picture", file.display())));
        }
        assert!(at.is_goal(), "{}", file.display());
        assert_eq!(Some(at.g()), solution.cost(), "{}", file.display());
        assert!(at.after("no such move", puzzle.domain().notations).is_none());
    }
}

#[test]
fn a_search_can_start_after_any_moves() {
    let names = [
        "klotski2",
        "eight-puzzle/20-moves",
        "words/horse-nurse",
        "mazes/terrain",
        "permutation/topspin-8-4",
        "rules/water-jugs",
        "puzzlescript/crates-1",
    ];
    for name in names {
        let file = root().join("puzzles").join(name).with_extension("toml");
        let puzzle = Puzzle::load(&file).unwrap_or_else(|report| panic!("{report}"));
        let solve = |after: &[String]| {
            let options = Options { after: after.to_vec(), ..Options::default() };
            puzzle.solve(&options).unwrap_or_else(|error| panic!("{name}: {error}"))
        };
        let whole = solve(&[]);
        let (cost, moves) = (whole.cost().expect("it is solved"), whole.moves());
        let half = &moves[..moves.len() / 2];
        let spent =
            half.iter().fold(puzzle.space("zero").expect("every domain has the heuristic `zero`"), |at, written| {
                at.after(written, &[Notation::STANDARD]).expect("moves of a solution are legal")
            });
        let rest = solve(half);
        assert!(rest.is_optimal());
        assert!(
            (rest.cost().expect("it is solved") + spent.g() - cost).abs() < 1e-9,
            "{name}: the rest of a shortest path is not shortest"
        );
        for algorithm in Algorithm::ALL.iter().map(|facts| facts.algorithm).filter(|one| one.proves_shortest()) {
            let limits = Limits { nodes: Some(100_000), ..Limits::default() };
            let options = Options { after: half.to_vec(), algorithm: Some(algorithm), limits, ..Options::default() };
            let Ok(other) = puzzle.solve(&options) else { continue };
            assert_ne!(other.outcome(), Outcome::Unsolvable, "{name}: {algorithm:?}");
            assert!(!other.is_optimal() || other.cost() == rest.cost(), "{name}: {algorithm:?} {:?}", other.cost());
        }
        assert_eq!(rest.positions()[0].position, spent.draw(Style::Drawn), "{name}");
        assert_eq!(solve(&moves).moves(), [""; 0], "{name}: the goal needs no moves");
    }
}

/// What breaks: the automaton begins at the blank of the file, and skips moves after others that it never saw.
#[test]
fn the_automaton_of_tiles_begins_at_the_blank_of_any_position() {
    let cost = |automaton: bool| {
        let text = format!(
            "title = 'Eight'\ndomain = 'sliding-tile'\nstart = '''\n8 6 7\n2 5 4\n3 1 .\n'''\n\
             search = {{ algorithm = 'ida-star', heuristic = 'manhattan', automaton = {automaton} }}\n"
        );
        let puzzle = Puzzle::parse(&text, "eight.toml").unwrap_or_else(|report| panic!("{report}"));
        let after = "L U R U L L D R R D L U R U L D".split(' ').map(str::to_owned).collect();
        let solution = puzzle.solve(&Options { after, ..Options::default() }).expect("the moves are legal");
        solution.cost()
    };
    assert_eq!((cost(false), cost(true)), (Some(24.0), Some(24.0)));
}

#[test]
fn a_move_to_start_after_that_is_not_legal_is_an_error() {
    let puzzle = Puzzle::load(root().join("puzzles/klotski1.toml")).unwrap_or_else(|report| panic!("{report}"));
    let options = Options { after: vec!["zz9".to_owned()], ..Options::default() };
    let error = puzzle.solve(&options).err().expect("there is no such move");
    assert!(error.to_string().contains("`zz9`"), "{error}");
}

#[test]
fn figures_keep_their_keys_across_moves() {
    let look = |file: &str, moves: &[&str]| {
        let puzzle = Puzzle::load(root().join("puzzles").join(file)).unwrap_or_else(|report| panic!("{report}"));
        let mut at = puzzle.space("zero").expect("every domain has the heuristic `zero`");
        for written in moves {
            at = at.after(written, &[Notation::STANDARD]).expect("a legal move");
        }
        at.picture().expect("the position has a picture")
    };
    let changed = |file, written| -> usize {
        let (before, after) = (look(file, &[]), look(file, &[written]));
        let places = |picture: Picture| picture.figures.into_iter().map(|figure| (figure.key, figure.at));
        let known: HashSet<_> = places(before).collect();
        places(after).filter(|place| !known.contains(place)).count()
    };
    assert_eq!(changed("words/horse-nurse.toml", "hose"), 2, "two letters move to close the gap");
    assert_eq!(changed("blocks/gate.toml", "bu1"), 1, "one piece is moved");
    assert_eq!(changed("eight-puzzle/01-moves.toml", "6u"), 1, "one tile is moved");
    let gate = look("blocks/gate.toml", &[]);
    assert!(gate.figures.iter().chain(&gate.marks).all(|figure| figure.form == Form::Block));
    assert_eq!(gate.marks[0].at, (1, 3), "the mark of the goal is in the wrong cell");
}
