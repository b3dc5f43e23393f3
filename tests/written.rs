//! Puzzles whose rules are written in the file: what is searched and the rules played as they are written tell the same
//! moves, in the same order, by the same names, leading to the same positions; and answers are those of a plain search.
//!
//! The rules play a drawing by turning it like a sheet of paper and looking at the cells; what is searched are operators
//! that were made of it, reduced and packed. They share the description of the puzzle alone.

mod support;

use engine::domain::{Notation, Style};
use engine::{Options, Outcome, Puzzle};
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

const SYMBOLS: [char; 4] = ['.', 'a', 'b', '#'];

fn drawing(random: &mut Random, rows: usize, columns: usize, of: &[char]) -> String {
    let row = |random: &mut Random| (0..columns).map(|_| of[random.below(of.len())]).collect::<String>() + "\n";
    (0..rows).map(|_| row(random)).collect()
}

/// A rule that draws, asks and sets whatever comes to hand.
fn rule(random: &mut Random, number: usize, counts: bool) -> String {
    let chance = |random: &mut Random, of: usize| random.below(of) == 0;
    let (rows, columns) = [(1, 2), (1, 3), (2, 1), (2, 2), (1, 1)][random.below(5)];
    let from = drawing(random, rows, columns, &['.', '.', 'a', 'b', '?', 'S', 'T']);
    let letters: Vec<char> = ['S', 'T'].into_iter().filter(|letter| from.contains(*letter)).collect();
    let mut of = vec!['.', 'a', 'b', '?', '?', 'm'];
    of.extend(letters.iter().chain(&letters));
    let to = drawing(random, rows, columns, &of);
    let mut text = format!("[[rules]]\nfrom = '''\n{from}'''\nto = '''\n{to}'''\n");
    let repeats = chance(random, 4) && !["S", "T"].iter().any(|letter| from.matches(letter).count() > 1);
    for (key, holds) in [("turns", chance(random, 2)), ("mirror", chance(random, 3)), ("repeat", repeats)] {
        if holds {
            text += &format!("{key} = true\n");
        }
    }
    text += ["", "", "edge = 'clip'\n", "edge = 'wrap'\n"][random.below(4)];
    if chance(random, 3) {
        text += &format!("at = [{}, {}]\n", random.below(rows), random.below(columns));
    }
    if chance(random, 4) {
        text += &format!("on = '''\n{}'''\n", drawing(random, rows, columns, &['?', '?', 'x']));
    }
    let names = ["move", "move {direction}", "{at}", "go {0,0}", "go"];
    let mut name = names[random.below(names.len())].to_owned();
    if let Some(letter) = letters.first().filter(|_| chance(random, 2)) {
        name += &format!(" {{{letter}}}");
    }
    let family = chance(random, 3);
    if family {
        text += "for = { k = '0..2' }\n";
        name += [" {k}", ""][random.below(2)];
    }
    let k = if family { "k" } else { "1" };
    let conditions = [
        "n > 0".to_owned(),
        format!("n != {k}"),
        format!("cell[0, {k}] == '.' || n == 2"),
        if counts { "count('a') > 1" } else { "cell[0, 0] != cell[0, 1]" }.to_owned(),
        format!("all(i in 0..{k}: cell[i, 0] != 'b')"),
        format!("3 / ({k} - n) > 0"),
        "on(n) == yes".to_owned(),
    ];
    if chance(random, 2) {
        text += &format!("when = \"{}\"\n", conditions[random.below(conditions.len())]);
    }
    let counted = if counts { "count('b')" } else { "cell[0, 0] == 'a' ? 1 : 2" };
    let results = ["n + 1", "n - 1", "2 - n", "(n + 1) % 3", "k", counted];
    if chance(random, 2) {
        text += &format!("then = {{ n = \"{}\" }}\n", results[random.below(results.len())].replace('k', k));
    }
    if chance(random, 3) {
        text += &format!("cost = {}\n", ["0", "2", "\"n + 1\"", "\"n > 1 ? 3 : 1\""][random.below(4)]);
    }
    if number > 0 && chance(random, 4) {
        name = "move".to_owned();
    }
    text.replacen("[[rules]]\n", &format!("[[rules]]\nname = \"{name}\"\n"), 1)
}

fn puzzle(random: &mut Random) -> String {
    // What counts cells has as many cases as the cells have contents.
    let counts = random.below(3) == 0;
    let (rows, columns) = if counts { (2, 2) } else { (1 + random.below(3), 2 + random.below(3)) };
    let goal = match random.below(3) {
        0 => format!("'''\n{}'''", drawing(random, rows, columns, &['.', 'a', '?', '?', 'b'])),
        1 => format!(
            "{{ count = {{ {} = {} }}, n = {} }}",
            ['a', 'b'][random.below(2)],
            random.below(4),
            random.below(3)
        ),
        _ => {
            let alike = if counts { "count('a') == count('b')" } else { "cell[0, 0] == cell[0, 1]" };
            format!("{{ when = \"n == 2 && {alike}\", every = {{ a = 'x' }} }}")
        }
    };
    let start = drawing(random, rows, columns, &SYMBOLS);
    let never = ["", "never = \"n == 1 && cell[0, 0] == 'a'\"\n"][random.below(2)];
    let mut marks = drawing(random, rows, columns, &['.', 'x']);
    marks.replace_range(..1, "x");
    let mut text = format!(
        "title = \"random\"\ndomain = \"rules\"\nstart = {{ drawing = '''\n{start}''', n = {} }}\ngoal = {goal}\n{never}\
         marks = '''\n{marks}'''\n[variables]\nn = \"0..2\"\n[sets]\nS = \"ab\"\nT = \".a\"\n[maps]\n\
         m = {{ a = \"b\", b = \".\" }}\non = {{ 0 = \"yes\", 2 = \"no\" }}\n",
        random.below(3),
    );
    for number in 0..1 + random.below(3) {
        text += &rule(random, number, counts);
    }
    text
}

#[test]
fn random_rules_are_searched_as_they_are_written() {
    let (mut good, mut solved, mut impossible, mut walked) = (0, 0, 0, 0);
    for seed in 1..=400 {
        let mut random = Random(seed * 0x9e37_79b9 + 1);
        let text = puzzle(&mut random);
        // Rules that write a variable twice, or never end, are refused; so is a start that must never be.
        let Ok(puzzle) = Puzzle::parse(&text, "random") else { continue };
        good += 1;
        walk(&puzzle, &mut random, 30, &text);
        walked += usize::from(!puzzle.rules().0.candidates().is_empty());
        let Some(least) = least(&puzzle, 300) else { continue };
        let solution = puzzle.solve(&Options::default()).expect("the default is to be had");
        assert_eq!(solution.cost(), least, "{}\n{text}", solution.moves().join(", "));
        match solution.outcome() {
            Outcome::Solved => {
                solved += 1;
                let replayed = engine::verify::replay(&puzzle, &solution.moves());
                assert_eq!(replayed.map(|replayed| Some(replayed.cost)), Ok(least), "{text}");
                let line = solution.moves().join(" ");
                let verified = engine::verify::verify(&puzzle, "random", &line);
                assert!(verified.is_ok(), "{line}: {verified:?}\n{text}");
            }
            _ => impossible += 1,
        }
    }
    assert!(good > 300 && walked > 120 && solved > 30 && impossible > 100, "{good} {walked} {solved} {impossible}");
}
