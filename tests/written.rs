//! Puzzles whose rules are written in the file: what is searched and the rules played as they are written tell the same
//! moves, in the same order, by the same names, leading to the same positions; and answers are those of a plain search.
//!
//! The rules read the file by themselves and look at the cells; what is searched are operators, reduced and packed. Random
//! files are held to the same rules in `tests/random/rules.rs`.

mod support;

use engine::domain::{Notation, Style};
use engine::{Options, Puzzle};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use support::{Random, files_below, root};

/// Walks so far, and holds both to each other at every step.
fn walk(puzzle: &Puzzle, random: &mut Random, steps: usize, text: &str) {
    let mut at = puzzle.space("zero").expect("every domain has it");
    let (mut rules, apart) = puzzle.rules();
    assert!(apart);
    let mut made = Vec::new();
    for _ in 0..steps {
        let legal = at.legal_moves(Notation::STANDARD);
        assert_eq!(legal, rules.candidates(), "after {made:?}\n{}\n{text}", rules.draw());
        assert_eq!(at.draw(Style::Drawn), rules.draw(), "after {made:?}\n{text}");
        assert_eq!((at.is_goal(), at.g()), (rules.is_solved(), rules.cost()), "after {made:?}\n{text}");
        let names: BTreeSet<&String> = legal.iter().collect();
        assert_eq!(names.len(), legal.len(), "two moves of one name: {legal:?}\n{text}");
        if legal.is_empty() {
            return;
        }
        let written = &legal[random.below(legal.len())];
        rules.play(written).unwrap_or_else(|why| panic!("{written}: {why}\n{text}"));
        at = at.after(written, &[Notation::STANDARD]).expect("it is legal");
        made.push(written.clone());
    }
}

#[test]
fn the_puzzles_with_written_rules_are_searched_as_they_are_written() {
    let files = files_below(&root().join("puzzles/rules"), "toml");
    assert!(files.len() > 20);
    for file in files {
        let text = fs::read_to_string(root().join("puzzles/rules").join(&file)).unwrap();
        let puzzle = Puzzle::parse(&text, "puzzle").unwrap_or_else(|report| panic!("{report}"));
        let mut random = Random(7);
        for _ in 0..3 {
            walk(&puzzle, &mut random, 40, &file.display().to_string());
        }
    }
}

/// A rule that has a name, and these keys.
fn rule_of(keys: &str) -> String {
    format!("[[rules]]\nname = \"go\"\n{keys}\n")
}

/// Files, each with the least cost of a solution, worked out by hand.
#[test]
fn answers_worked_out_by_hand() {
    let drawn = |start: &str, goal: &str, rest: &str| format!("start = \"{start}\"\ngoal = \"{goal}\"\n{rest}");
    let swap = "[maps]\nt = { \"0\" = \"1\", \"1\" = \"0\" }\n";
    let fade = "[maps]\nt = { c = \"b\", b = \"a\" }\n";
    let around = rule_of("to = \"t\"\nedge = \"wrap\"\nrepeat = true");
    let lamp = |goal: &str, rest: &str| {
        format!("start = {{ lamp = true }}\ngoal = {goal}\n[variables]\nlamp = [true, \"false\"]\n{rest}")
    };
    let dark = rule_of("then = { lamp = false }");
    let number = |goal: &str, rest: &str| {
        format!(
            "start = {{ n = 0 }}\ngoal = {goal}\n[variables]\nn = \"0..3\"\n{}{rest}",
            rule_of("then = { n = \"n + 1\" }")
        )
    };
    let odd = "start = { x = \"01\" }\ngoal = { x = \"-0\" }\n[variables]\nx = [\"01\", \"+1\", 1, \"-0\"]\n\
        [maps]\nnext = { \"01\" = \"+1\", \"+1\" = 1, 1 = \"-0\" }\n";
    let cases = [
        ("keys of maps that are digits", drawn("0", "1", &format!("{swap}{}", rule_of("to = \"t\""))), Some(1.0)),
        (
            "a digit of a cell in a map's brackets",
            drawn("2.", "2x", "[maps]\nworth = { 2 = 7 }\n")
                + &rule_of("when = \"worth(cell[0, 0]) == 7\"\nto = \"?x\""),
            Some(1.0),
        ),
        (
            "a digit of a mark in a map's brackets",
            drawn("..", "?x", "marks = \"2.\"\n[maps]\nworth = { 2 = 7 }\n")
                + &rule_of("when = \"worth(mark[0, 0]) + mark[0, 0] == 9\"\nto = \"?x\""),
            Some(1.0),
        ),
        (
            "digits added",
            drawn(
                "12.",
                "123",
                &rule_of("then = { \"cell[0, 2]\" = \"cell[0, 0] + cell[0, 1]\" }\n[sets]\nN = \"123\""),
            ),
            Some(1.0),
        ),
        ("a number put into a cell", drawn("0.1", "011", &rule_of("then = { \"cell[0, 1]\" = 1 }")), Some(1.0)),
        (
            "a number in a map of a drawing",
            drawn("aa", "11", "[maps]\nt = { a = 1 }\n") + &rule_of("to = \"t\""),
            Some(2.0),
        ),
        (
            "digits as text in a family",
            number("{ n = 3 }", &rule_of("for = { k = [\"1\", \"2\"] }\nthen = { n = \"n + k\" }")),
            Some(2.0),
        ),
        ("a digit as text in a number", number("{ n = 3 }", &rule_of("then = { n = \"'3'\" }")), Some(1.0)),
        ("names that are nearly numbers", format!("{odd}{}", rule_of("then = { x = \"next(x)\" }")), Some(3.0)),
        ("a truth that becomes false", lamp("{ lamp = false }", &dark), Some(1.0)),
        ("a truth as a goal", lamp("\"!lamp\"", &dark), Some(1.0)),
        (
            "a truth as a condition",
            lamp("\"lamp == false\"", &rule_of("when = [\"lamp\", \"lamp == true\"]\nthen = { lamp = \"!lamp\" }")),
            Some(1.0),
        ),
        ("a slide that ends in the second lap", drawn("ccc", "aaa", &format!("{fade}{around}")), Some(1.0)),
        (
            "the same on a grid of two rows",
            drawn("\"\"\ncc\ncc\"\"", "\"\"\naa\naa\"\"", &format!("{fade}{around}")),
            Some(2.0),
        ),
        ("a slide that never ends", drawn("000", "111", &format!("{swap}{around}")), None),
        (
            "a slide that chases itself for ever",
            drawn("a..", "..a", &rule_of("from = \"a.\"\nto = \".a\"\nedge = \"wrap\"\nrepeat = true")),
            None,
        ),
        (
            "two slides that begin alike",
            drawn("..\\n..", ".x\\nx.", "[maps]\nt = { \".\" = \"x\", x = \".\" }\n")
                + &rule_of("to = \"tt\\nt?\"\nat = [1, 1]\nedge = \"clip\"\nrepeat = true"),
            Some(1.0),
        ),
        (
            "a rest by -1",
            number("{ n = 3 }", &rule_of("when = \"(n - 9223372036854775807 - 1) % (n - 1) == 0\"\nthen = { n = 3 }")),
            Some(1.0),
        ),
        (
            "a number that is never there",
            number("{ n = 3, when = \"n != 4\" }", &rule_of("when = \"n == 4\"\nthen = { n = 3 }")),
            Some(3.0),
        ),
        (
            "a variable in a map's brackets",
            "start = { ann = \"ben\", n = 0 }\ngoal = { n = 2 }\n[variables]\nann = [\"ben\"]\nn = \"0..2\"\n\
             [maps]\nm = { ann = 1, ben = 2 }\n"
                .to_owned()
                + &rule_of("then = { n = \"m(ann)\" }"),
            Some(1.0),
        ),
        (
            "an entry in a map's brackets",
            "start = { ann = \"ben\", n = 0 }\ngoal = { n = 2 }\n[variables]\nann = [\"ben\"]\nn = \"0..2\"\n\
             [maps]\nm = { ann = 1, ben = 2 }\n"
                .to_owned()
                + &rule_of("then = { n = \"m('ann')\" }"),
            None,
        ),
        (
            "quoted names of variables that a name runs over",
            "start = { lamp = false, other = false }\ngoal = \"all(k in ['lamp', 'other']: k)\"\n\
             [variables]\nlamp = [true, false]\nother = [true, false]\n"
                .to_owned()
                + "[[rules]]\nname = \"{x}\"\nfor = { x = [\"lamp\", \"other\"] }\nthen = { x = true }\n",
            Some(2.0),
        ),
        (
            "cells counted by the letter of a set",
            drawn("ab.", "...", "[sets]\nN = \"ab\"\n")
                .replace("\"...\"", "{ count = { N = 3 }, when = [\"count('N') == 3\"] }")
                + &rule_of("from = \".\"\nto = \"a\""),
            Some(1.0),
        ),
        (
            "every one on either mark",
            drawn("a...", "...", "marks = \"..xy\"\n").replace("\"...\"", "{ every = { a = \"xy\" } }")
                + &rule_of("from = \"a.\"\nto = \".a\""),
            Some(2.0),
        ),
    ];
    for (name, text, least) in cases {
        let text = format!("title = \"{name}\"\ndomain = \"rules\"\n{text}");
        let puzzle = Puzzle::parse(&text, "puzzle").unwrap_or_else(|report| panic!("{report}"));
        let solution = puzzle.solve(&Options::default()).expect("the default is to be had");
        assert_eq!(solution.cost(), least, "{text}");
        assert_eq!(self::least(&puzzle, 1000), Some(least), "by the rules as they are written\n{text}");
    }
}

/// A drawing is turned, and then mirrored left to right: what goes `down mirrored` goes down.
#[test]
fn a_mirrored_image_goes_where_its_name_says() {
    let text = "title = 'Mirrored'\ndomain = 'rules'\nstart = \"...\\n.ab\\n...\"\ngoal = \"???\\n??b\\n?a?\"\n\
        [[rules]]\nname = 'go {direction}'\nfrom = \"a.\\nb?\"\nto = \".a\\nb?\"\nturns = true\nmirror = true\n";
    let puzzle = Puzzle::parse(text, "puzzle").unwrap_or_else(|report| panic!("{report}"));
    let moves = ["go up", "go down mirrored"];
    assert_eq!(puzzle.space("zero").expect("every domain has it").legal_moves(Notation::STANDARD), moves);
    assert_eq!(puzzle.rules().0.candidates(), moves);
    assert_eq!(puzzle.solve(&Options::default()).expect("the default is to be had").moves(), moves[1..]);
}

/// The least cost of a solution, by trying everything; none where there are too many positions.
fn least(puzzle: &Puzzle, most: usize) -> Option<Option<f64>> {
    let (mut rules, _) = puzzle.rules();
    let start = rules.position().expect("these have positions");
    let mut known = BTreeMap::from([(start.clone(), 0u64)]);
    let mut open = BTreeSet::from([(0u64, start)]);
    while let Some((cost, position)) = open.pop_first() {
        rules.take_up(&position);
        if rules.is_solved() {
            return Some(Some(cost as f64));
        }
        for written in rules.candidates() {
            rules.take_up(&position);
            let before = rules.cost();
            rules.play(&written).expect("it is legal");
            let (next, cost) = (rules.position().expect("as before"), cost + (rules.cost() - before).round() as u64);
            if known.get(&next).is_none_or(|&known| known > cost) {
                known.insert(next.clone(), cost);
                open.insert((cost, next));
            }
        }
        if known.len() > most {
            return None;
        }
    }
    Some(None)
}
