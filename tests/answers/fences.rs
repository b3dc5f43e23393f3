//! Random written rules on grids with fences: the state space and the reference rules, which share no code, agree on
//! the moves, the drawing and the goal of every position near the start.

use crate::support::dice::{Dice, each_seed};
use engine::Puzzle;
use engine::puzzle::{Notation, Searchable, Style};
use std::collections::{HashSet, VecDeque};

/// The most positions that are compared on one grid.
const MOST_POSITIONS: usize = 60;

/// Returns a drawing of characters picked from a list.
fn drawing(dice: &mut Dice, rows: usize, columns: usize, characters: &[char]) -> String {
    let row = |dice: &mut Dice| (0..columns).map(|_| dice.pick(characters)).collect::<String>();
    (0..rows).map(|_| row(dice)).collect::<Vec<_>>().join("\n")
}

/// Returns a drawing of random fences, also in the frame. Spaces at the ends of lines may be left out.
fn fences(dice: &mut Dice, rows: usize, columns: usize) -> String {
    let (one_in, is_trimmed) = (dice.within(1, 5), dice.one_in(2));
    let mut place = |y: usize, x: usize| match (y % 2, x % 2) {
        (1, 1) => '.',
        (0, 0) => '+',
        _ if !dice.one_in(one_in) => ' ',
        (0, _) => '-',
        _ => '|',
    };
    let lines = (0..=2 * rows).map(|y| (0..=2 * columns).map(|x| place(y, x)).collect::<String>());
    lines.map(|line| if is_trimmed { line.trim_end().to_owned() } else { line }).collect::<Vec<_>>().join("\n")
}

/// Returns a rule with a drawing of a few cells.
fn rule(dice: &mut Dice, number: usize) -> String {
    let (height, width) = dice.pick(&[(1, 2), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)]);
    let from = drawing(dice, height, width, &['a', 'b', '.', '.', '?', '?', 'N']);
    let letters: &[char] = if from.contains('N') { &['a', 'b', '.', '.', '?', 'N'] } else { &['a', 'b', '.', '?'] };
    let to = drawing(dice, height, width, letters);
    let mut rule = format!("[[rules]]\nname = \"{number}\"\nfrom = '''\n{from}'''\nto = '''\n{to}'''\n");
    for key in ["turns", "mirror"] {
        rule += &format!("{key} = {}\n", dice.one_in(2));
    }
    rule += &format!("edge = \"{}\"\n", dice.pick(&["fit", "fit", "clip", "wrap"]));
    if from.matches('N').count() < 2 && dice.one_in(3) {
        rule += "repeat = true\n";
    }
    rule
}

fn puzzle(dice: &mut Dice) -> String {
    let (rows, columns) = (dice.within(1, 4), dice.within(2, 4));
    let (start, goal) = (drawing(dice, rows, columns, &['a', 'b', '.', '.']), dice.within(0, 4));
    let rules: String = (1..=dice.within(1, 2)).map(|number| rule(dice, number)).collect();
    let fences = fences(dice, rows, columns);
    format!(
        "title = \"Fences\"\ndomain = \"rules\"\nstart = '''\n{start}'''\nfences = '''\n{fences}'''\n\
         goal = {{ count = {{ a = {goal} }} }}\n[sets]\nN = \"ab\"\n{rules}"
    )
}

/// Compares the positions that moves reach from the start, up to a limit, and returns their number: the moves in their
/// order, their costs, the positions after them, the drawing and the goal.
pub fn compare_positions(puzzle: &Puzzle, text: &str, most: usize) -> usize {
    let start = puzzle.space("zero").expect("every domain has the heuristic `zero`");
    let mut known = HashSet::from([start.state_bytes()]);
    let mut open: VecDeque<(Vec<String>, Box<dyn Searchable>)> = VecDeque::from([(Vec::new(), start)]);
    let mut compared = 0;
    while let Some((path, space)) = open.pop_front().filter(|_| compared < most) {
        compared += 1;
        let (mut rules, is_independent) = puzzle.rules();
        assert!(is_independent);
        for written in &path {
            rules.play(written).unwrap_or_else(|why| panic!("{written} of {path:?}: {why}\n{text}"));
        }
        let moves = space.legal_moves(Notation::STANDARD);
        assert_eq!(rules.candidates(), moves, "after {path:?}\n{text}");
        assert_eq!(rules.draw(), space.draw(Style::Drawn), "after {path:?}\n{text}");
        assert_eq!(rules.is_solved(), space.is_goal(), "after {path:?}\n{text}");
        let expected = rules.successors();
        let successors = space.successors();
        assert_eq!(expected.len(), successors.len(), "after {path:?}\n{text}");
        for ((written, cost, after), expected) in successors.into_iter().zip(expected) {
            rules.set_position(&expected.position);
            let (drawn, of) = (after.draw(Style::Drawn), expected.cost);
            assert_eq!((rules.draw(), of), (drawn, cost), "`{written}` after {path:?}\n{text}");
            if known.insert(after.state_bytes()) {
                open.push_back((path.iter().cloned().chain([written]).collect(), after));
            }
        }
    }
    compared
}

#[test]
fn rules_on_grids_with_fences_are_read_alike_by_two_readers() {
    let mut read = 0;
    let mut compared = 0;
    each_seed(400, |seed| {
        let text = puzzle(&mut Dice::new(seed));
        if let Ok(puzzle) = Puzzle::parse(&text, "fences.toml") {
            read += 1;
            compared += compare_positions(&puzzle, &text, MOST_POSITIONS);
        }
    });
    assert!(compared >= 4 * read && read > 0, "only {compared} positions of {read} puzzles were compared");
}
