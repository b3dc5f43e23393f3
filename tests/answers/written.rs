//! Tests the domain `rules`: the searched state space and the interpreted rules have the same moves, in the same order,
//! with the same names and successors; and the answers are those of a plain search.
//!
//! The interpreter parses the file separately and works on the cells; the search uses grounded operators on packed
//! states. `tests/answers/random/rules.rs` does the same with further random files.

use crate::support::dice::{Dice, scaled};
use crate::support::{files_below, root};
use engine::domain::{Notation, Style};
use engine::search::{Algorithm, Limits};
use engine::{Options, Outcome, Puzzle};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Compares the state space with the rules along a random walk.
fn walk(puzzle: &Puzzle, dice: &mut Dice, steps: usize, text: &str) {
    let mut at = puzzle.space("zero").expect("every domain has the heuristic `zero`");
    let (mut rules, is_independent) = puzzle.rules();
    assert!(is_independent);
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
        let successors = rules.successors();
        assert_eq!(successors.len(), legal.len(), "after {made:?}\n{text}");
        let number = dice.below(legal.len());
        let (written, successor, before) = (&legal[number], &successors[number], rules.cost());
        rules.play(written).unwrap_or_else(|why| panic!("{written}: {why}\n{text}"));
        let after = (rules.position(), rules.cost() - before);
        assert_eq!(after, (Some(successor.position.clone()), successor.cost), "{written} after {made:?}\n{text}");
        at = at.after(written, &[Notation::STANDARD]).expect("it is legal");
        made.push(written.clone());
    }
}

#[test]
fn the_state_spaces_of_puzzles_with_rules_equal_their_rules() {
    let files = files_below(&root().join("puzzles/rules"), "toml");
    assert!(files.len() > 20);
    for file in files {
        let text = fs::read_to_string(root().join("puzzles/rules").join(&file)).unwrap();
        let puzzle = Puzzle::parse(&text, "puzzle").unwrap_or_else(|report| panic!("{report}"));
        let mut dice = Dice::new(7);
        for _ in 0..3 {
            walk(&puzzle, &mut dice, 40, &file.display().to_string());
        }
    }
}

#[test]
fn the_default_search_goes_on_when_its_memory_ends() {
    for (name, heuristic) in
        [("rules/sokoban-five-in-a-bow.toml", Some("zero")), ("rules/english-peg-solitaire.toml", None)]
    {
        let text = fs::read_to_string(root().join("puzzles").join(name)).unwrap();
        let puzzle = Puzzle::parse(&text, "puzzle").unwrap_or_else(|report| panic!("{report}"));
        let options = Options { heuristic: heuristic.map(str::to_owned), ..Options::default() };
        let plain = puzzle.solve(&options).unwrap();
        let mut ended = 0;
        for eighths in (2..8).rev() {
            let memory = Some(plain.stats().memory * eighths / 8);
            let limits = Limits { memory, nodes: Some(3_000_000), ..Limits::default() };
            let solution = puzzle.solve(&Options { limits: limits.clone(), ..options.clone() }).unwrap();
            if solution.outcome() == Outcome::Limit {
                assert!(solution.lower_bound() <= plain.cost(), "{name} within {memory:?}");
                continue;
            }
            assert_eq!((solution.cost(), solution.is_optimal()), (plain.cost(), true), "{name} within {memory:?}");
            let mut rules = puzzle.rules().0;
            for written in solution.moves() {
                rules.play(&written).unwrap_or_else(|why| panic!("{written} of {name}: {why}"));
            }
            assert!(rules.is_solved() && Some(rules.cost()) == solution.cost(), "{name} within {memory:?}");
            ended += usize::from(solution.stats().deepened_after.is_some());
            let named = Options { limits, algorithm: Some(Algorithm::AStar), ..options.clone() };
            assert!(puzzle.solve(&named).unwrap().stats().deepened_after.is_none(), "{name}: a named algorithm ends");
        }
        assert!(ended > 0, "the memory never ends in {name}");
    }
}

/// Returns a rule with a name and these keys.
fn rule_of(keys: &str) -> String {
    format!("[[rules]]\nname = \"go\"\n{keys}\n")
}

/// Compares files with the optimal costs that were worked out by hand.
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
    // No cell has the value of the letter of a set, so this count is 0.
    let counted = |start: &str, rest: &str| {
        format!(
            "start = {{ drawing = \"ab.\", n = 9{start} }}\ngoal = {{ n = 0 }}\nmarks = \"N..\"\n\
             sets = {{ N = \"ab\" }}\nvariables = {{ n = \"0..9\", b = [\"N\", \"b\"] }}\n{}",
            rule_of(rest)
        )
    };
    // The value `on` may have the number that the symbol has.
    let mixed = |start: &str, values: &str, number: usize| {
        format!(
            "start = {{ drawing = \"{start}\", lamp = \"off\" }}\nvariables = {{ lamp = [{values}] }}\n\
             goal = {{ when = \"count(i in 0..5: i < 5 ? cell[0, i] == '@' : lamp == on) == {number}\" }}\n\
             {}[[rules]]\nname = \"walk {{direction}}\"\nfrom = \"@.\"\nto = \".@\"\nmirror = true\n",
            rule_of("then = { lamp = \"on\" }")
        )
    };
    let cases = [
        ("symbols and a value counted together", mixed("@.....", "\"on\", \"off\"", 2), Some(1.0)),
        ("some of the cells and a value counted", mixed(".....@", "\"off\", \"on\"", 1), Some(1.0)),
        ("a variable counted", counted(", b = \"N\"", "then = { n = \"count(b)\" }"), Some(1.0)),
        ("a mark counted", counted(", b = \"b\"", "then = { n = \"count(mark[0, 0])\" }"), Some(1.0)),
        (
            "a parameter counted",
            counted(", b = \"b\"", "for = { k = [\"N\"] }\nthen = { n = \"count(k)\" }"),
            Some(1.0),
        ),
        ("a set counted", counted(", b = \"b\"", "then = { n = \"count('N') - 2\" }"), Some(1.0)),
        ("a choice counted", counted(", b = \"N\"", "then = { n = \"count(n > 5 ? 'N' : 'a')\" }"), Some(1.0)),
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
        (
            "a run at other columns in `from` and `to`",
            drawn("2aa", "21a", "maps.m = { 2 = \"2\", a = \"1\" }\n")
                + &rule_of("from = \"2?+\"\nto = \"m+?\"\nrun = \"+\""),
            Some(1.0),
        ),
        (
            "a vanishing state with other symmetries than the states around it",
            "start = { drawing = \"ooo\", moving = \"no\" }\ngoal = { count = { o = 2 }, moving = \"no\" }\n\
             [variables]\nmoving = [\"no\", \"yes\"]\n"
                .to_owned()
                + &rule_of("to = \"O\"\nwhen = \"moving == no\"\nthen = { moving = \"yes\" }")
                + "[[rules]]\nname = \"end\"\ncost = 0\nthen = { moving = \"no\" }\n",
            Some(1.0),
        ),
    ];
    for (name, text, least) in cases {
        let text = format!("title = \"{name}\"\ndomain = \"rules\"\n{text}");
        let puzzle = Puzzle::parse(&text, "puzzle").unwrap_or_else(|report| panic!("{report}"));
        let solution = puzzle.solve(&Options::default()).expect("the search starts");
        assert_eq!(solution.cost(), least, "{text}");
        assert_eq!(self::least(&puzzle, 1000), Some(least), "by the rules as they are written\n{text}");
    }
}

/// A drawing is rotated first and then mirrored left to right, so that `down mirrored` moves down.
#[test]
fn a_mirrored_pattern_moves_in_the_direction_of_its_name() {
    let text = "title = 'Mirrored'\ndomain = 'rules'\nstart = \"...\\n.ab\\n...\"\ngoal = \"???\\n??b\\n?a?\"\n\
        [[rules]]\nname = 'go {direction}'\nfrom = \"a.\\nb?\"\nto = \".a\\nb?\"\nturns = true\nmirror = true\n";
    let puzzle = Puzzle::parse(text, "puzzle").unwrap_or_else(|report| panic!("{report}"));
    let moves = ["go up", "go down mirrored"];
    assert_eq!(
        puzzle.space("zero").expect("every domain has the heuristic `zero`").legal_moves(Notation::STANDARD),
        moves
    );
    assert_eq!(puzzle.rules().0.candidates(), moves);
    assert_eq!(puzzle.solve(&Options::default()).expect("the search starts").moves(), moves[1..]);
}

/// Returns a room of `size` times `size` cells with walls around it, a man in a corner, boxes above and as many marks
/// below. If walks cost nothing, pushes are counted.
fn room(size: usize, boxes: usize, are_walks_free: bool) -> String {
    let mut start = vec![vec!['.'; size + 2]; size + 2];
    let mut marks = start.clone();
    for at in 0..size + 2 {
        [(0, at), (size + 1, at), (at, 0), (at, size + 1)].iter().for_each(|&(row, column)| start[row][column] = '#');
    }
    start[1][1] = '@';
    for one in 0..boxes {
        let (down, right) = (2 * (one / 3), one % 3);
        start[size / 3 + down][size / 3 + 3 * right] = '$';
        marks[size - 4 - down][size - 6 + 2 * right] = 'x';
    }
    let text = |rows: &[Vec<char>]| rows.iter().map(|row| row.iter().collect::<String>() + "\n").collect::<String>();
    let (start, marks) = (text(&start), text(&marks));
    let cost = if are_walks_free { "cost = 0\n" } else { "" };
    format!(
        "title = 'Room'\ndomain = 'rules'\nstart = '''\n{start}'''\nmarks = '''\n{marks}'''\n\
         goal = {{ every = {{ '$' = 'x' }} }}\n\
         [[rules]]\nname = 'walk {{direction}}'\nfrom = '@.'\nto = '.@'\nturns = true\n{cost}\
         [[rules]]\nname = 'push {{direction}}'\nfrom = '@$.'\nto = '.@$'\nturns = true\n"
    )
}

/// A large board loses neither the mover nor the matching: the search takes few states.
#[test]
fn open_rooms_of_any_size_take_few_states() {
    for (size, boxes, are_walks_free) in [(30, 1, true), (30, 1, false), (30, 6, true), (45, 1, false)] {
        let text = room(size, boxes, are_walks_free);
        let puzzle = Puzzle::parse(&text, "room").unwrap_or_else(|report| panic!("{report}"));
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let solution = puzzle.solve(&Options { limits, ..Options::default() }).unwrap();
        // Each box goes straight down and right. A single one is pushed down first: the man walks above it, and around
        // it in between.
        let (down, right) = (size - 4 - size / 3, size - 6 - size / 3);
        let pushes: usize = (0..boxes).map(|one| down - 4 * (one / 3) + right - one % 3).sum();
        let walks = if are_walks_free { 0 } else { 2 * (size / 3) - 1 };
        let expected = Some((pushes + walks) as f64);
        assert_eq!((solution.cost(), solution.is_optimal()), (expected, true), "{size}, {boxes} boxes");
    }
}

/// Returns two rooms with three boxes in the one and three targets in the other, joined by a corridor.
fn corridor(length: usize) -> String {
    let wall = "#".repeat(length);
    let rows = [
        (".....", wall.as_str(), ".....", "....."),
        (".$.$.", &wall, ".....", ".x.x."),
        ("..@..", &".".repeat(length), ".....", "....."),
        (".$...", &wall, ".....", ".x..."),
        (".....", &wall, ".....", "....."),
    ];
    let row = |left: &str, middle: &str, right: &str| format!("#{left}{middle}{right}#\n");
    let border = "#".repeat(length + 12) + "\n";
    let start: String = rows.iter().map(|(left, middle, right, _)| row(left, middle, right)).collect();
    let marks: String = rows.iter().map(|(.., marks)| row(".....", &".".repeat(length), marks)).collect();
    format!(
        "title = 'Corridor'\ndomain = 'rules'\nstart = '''\n{border}{start}{border}'''\n\
         marks = '''\n{border}{marks}{border}'''\ngoal = {{ every = {{ '$' = 'x' }} }}\n\
         [[rules]]\nname = 'walk {{direction}}'\nfrom = '@.'\nto = '.@'\nturns = true\ncost = 0\n\
         [[rules]]\nname = 'push {{direction}}'\nfrom = '@$.'\nto = '.@$'\nturns = true\n"
    )
}

/// What breaks: a box in a corridor is pushed on later as well, after each move of the others.
#[test]
fn a_box_in_a_corridor_is_pushed_on_at_once() {
    let effort = |length: usize| {
        let puzzle = Puzzle::parse(&corridor(length), "corridor").unwrap_or_else(|report| panic!("{report}"));
        let solution = puzzle.solve(&Options::default()).expect("the search starts");
        assert!(solution.is_optimal());
        (solution.cost().expect("it is solvable"), solution.stats().expanded, solution.stats().generated)
    };
    let (short, long) = (effort(6), effort(12));
    assert_eq!(long.0 - short.0, 3.0 * 6.0, "three boxes are pushed through six more cells");
    let (expanded, generated) = (long.1 - short.1, long.2 - short.2);
    assert!(generated <= expanded, "in the corridor, a state has one child at most: {generated} of {expanded}");
    assert!(expanded % 6 == 0 && expanded < short.1, "{expanded} more states than {}", short.1);
}

/// Returns the optimal cost by uniform-cost search (Dijkstra 1959); `None` if there are more than `most` positions.
fn least(puzzle: &Puzzle, most: usize) -> Option<Option<f64>> {
    let (mut rules, _) = puzzle.rules();
    let start = rules.position().expect("these have positions");
    let mut known = BTreeMap::from([(start.clone(), 0u64)]);
    let mut open = BTreeSet::from([(0u64, start)]);
    while let Some((cost, position)) = open.pop_first() {
        rules.set_position(&position);
        if rules.is_solved() {
            return Some(Some(cost as f64));
        }
        for successor in rules.successors() {
            let (next, cost) = (successor.position, cost + successor.cost.round() as u64);
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

fn drawing(dice: &mut Dice, rows: usize, columns: usize, of: &[char]) -> String {
    let row = |dice: &mut Dice| (0..columns).map(|_| of[dice.below(of.len())]).collect::<String>() + "\n";
    (0..rows).map(|_| row(dice)).collect()
}

/// Returns a random rule with patterns, conditions and effects.
fn rule(dice: &mut Dice, number: usize, counts: bool) -> String {
    let chance = |dice: &mut Dice, of: usize| dice.below(of) == 0;
    let (rows, columns) = [(1, 2), (1, 3), (2, 1), (2, 2), (1, 1)][dice.below(5)];
    let from = drawing(dice, rows, columns, &['.', '.', 'a', 'b', '?', 'S', 'T']);
    let letters: Vec<char> = ['S', 'T'].into_iter().filter(|letter| from.contains(*letter)).collect();
    let mut of = vec!['.', 'a', 'b', '?', '?', 'm'];
    of.extend(letters.iter().chain(&letters));
    let to = drawing(dice, rows, columns, &of);
    let mut text = format!("[[rules]]\nfrom = '''\n{from}'''\nto = '''\n{to}'''\n");
    let repeats = chance(dice, 4) && !["S", "T"].iter().any(|letter| from.matches(letter).count() > 1);
    for (key, holds) in [("turns", chance(dice, 2)), ("mirror", chance(dice, 3)), ("repeat", repeats)] {
        if holds {
            text += &format!("{key} = true\n");
        }
    }
    text += ["", "", "edge = 'clip'\n", "edge = 'wrap'\n"][dice.below(4)];
    if chance(dice, 3) {
        text += &format!("at = [{}, {}]\n", dice.below(rows), dice.below(columns));
    }
    if chance(dice, 4) {
        text += &format!("on = '''\n{}'''\n", drawing(dice, rows, columns, &['?', '?', 'x']));
    }
    let names = ["move", "move {direction}", "{at}", "go {0,0}", "go"];
    let mut name = names[dice.below(names.len())].to_owned();
    if let Some(letter) = letters.first().filter(|_| chance(dice, 2)) {
        name += &format!(" {{{letter}}}");
    }
    let family = chance(dice, 3);
    if family {
        text += "for = { k = '0..2' }\n";
        name += [" {k}", ""][dice.below(2)];
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
    if chance(dice, 2) {
        text += &format!("when = \"{}\"\n", conditions[dice.below(conditions.len())]);
    }
    let counted = if counts { "count('b')" } else { "cell[0, 0] == 'a' ? 1 : 2" };
    let results = ["n + 1", "n - 1", "2 - n", "(n + 1) % 3", "k", counted];
    if chance(dice, 2) {
        text += &format!("then = {{ n = \"{}\" }}\n", results[dice.below(results.len())].replace('k', k));
    }
    if chance(dice, 3) {
        text += &format!("cost = {}\n", ["0", "2", "\"n + 1\"", "\"n > 1 ? 3 : 1\""][dice.below(4)]);
    }
    if number > 0 && chance(dice, 4) {
        name = "move".to_owned();
    }
    text.replacen("[[rules]]\n", &format!("[[rules]]\nname = \"{name}\"\n"), 1)
}

fn puzzle(dice: &mut Dice) -> String {
    // A condition that counts cells has one case for each content of the grid.
    let counts = dice.below(3) == 0;
    let (rows, columns) = if counts { (2, 2) } else { (1 + dice.below(3), 2 + dice.below(3)) };
    let goal = match dice.below(3) {
        0 => format!("'''\n{}'''", drawing(dice, rows, columns, &['.', 'a', '?', '?', 'b'])),
        1 => format!("{{ count = {{ {} = {} }}, n = {} }}", ['a', 'b'][dice.below(2)], dice.below(4), dice.below(3)),
        _ => {
            let alike = if counts { "count('a') == count('b')" } else { "cell[0, 0] == cell[0, 1]" };
            format!("{{ when = \"n == 2 && {alike}\", every = {{ a = 'x' }} }}")
        }
    };
    let start = drawing(dice, rows, columns, &SYMBOLS);
    let never = ["", "never = \"n == 1 && cell[0, 0] == 'a'\"\n"][dice.below(2)];
    let mut marks = drawing(dice, rows, columns, &['.', 'x']);
    marks.replace_range(..1, "x");
    let mut text = format!(
        "title = \"random\"\ndomain = \"rules\"\nstart = {{ drawing = '''\n{start}''', n = {} }}\ngoal = {goal}\n{never}\
         marks = '''\n{marks}'''\n[variables]\nn = \"0..2\"\n[sets]\nS = \"ab\"\nT = \".a\"\n[maps]\n\
         m = {{ a = \"b\", b = \".\" }}\non = {{ 0 = \"yes\", 2 = \"no\" }}\n",
        dice.below(3),
    );
    for number in 0..1 + dice.below(3) {
        text += &rule(dice, number, counts);
    }
    text
}

/// Returns a one-row puzzle whose conditions refer to pairs of neighbouring cells.
fn pairs(dice: &mut Dice, cells: usize) -> String {
    let pair = |dice: &mut Dice| {
        let one = |dice: &mut Dice, at: &str| {
            format!("cell[0, {at}] {} '{}'", ["==", "==", "!="][dice.below(3)], ['.', 'a', 'b'][dice.below(3)])
        };
        format!("{} && {}", one(dice, "c"), one(dice, "c + 1"))
    };
    // The last pair leaves the grid, so its value is undefined.
    let over = |dice: &mut Dice| ["0..columns - 2", "1..columns - 2", "0..columns - 1"][dice.below(3)];
    let condition = |dice: &mut Dice| match dice.below(7) {
        5 => format!("any(c in 0..columns - 1: cell[0, c] == '{}')", ['.', 'a', 'b'][dice.below(3)]),
        6 => format!("n == 2 || !all(c in {}: cell[0, c] != 'a' && cell[0, c] != 'b')", over(dice)),
        0 => format!("any(c in {}: {})", over(dice), pair(dice)),
        1 => format!("all(c in {}: !({}))", over(dice), pair(dice)),
        2 => format!("!any(c in {}: {}) || n == 2", over(dice), pair(dice)),
        3 => format!("n == 0 ? any(c in {}: {}) : 6 / (n - 1) > 0", over(dice), pair(dice)),
        _ => format!("(n != 1 || all(c in 0..3: !({}))) && any(c in 4..6: {})", pair(dice), pair(dice)),
    };
    let start: String = (0..cells).map(|_| ['.', '.', 'a', 'b', '#'][dice.below(5)]).collect();
    let goal: String = (0..cells).map(|_| ['?', '?', '?', 'a', '.'][dice.below(5)]).collect();
    let mut text = format!("title = \"pairs\"\ndomain = \"rules\"\nstart = {{ drawing = \"{start}\", n = 1 }}\n");
    text += &match dice.below(3) {
        0 => format!("goal = {{ when = \"{}\", n = 0 }}\n", condition(dice)),
        _ => format!("goal = \"{goal}\"\n"),
    };
    if dice.below(2) == 0 {
        text += &format!("never = \"{}\"\n", condition(dice));
    }
    text += "[variables]\nn = \"0..2\"\n[sets]\nS = \"ab\"\n";
    let rules = [
        "name = \"walk {S} {at}\"\nfrom = \"S.\"\nto = \".S\"\nmirror = true",
        "name = \"jump\"\nfrom = \"ab.\"\nto = \"..a\"\nmirror = true",
        "name = \"turn\"\nfrom = \"a\"\nto = \"b\"\ncost = \"n + 1\"",
        "name = \"slide\"\nfrom = \"b.\"\nto = \".b\"\nrepeat = true",
        "name = \"count\"\nthen = { n = \"(n + 1) % 3\" }",
    ];
    for rule in rules {
        text += &format!("[[rules]]\n{rule}\n");
        if dice.below(2) == 0 {
            text += &format!("when = \"{}\"\n", condition(dice));
        }
    }
    text
}

#[test]
fn conditions_on_many_pairs_equal_the_rules() {
    let (mut good, mut large, mut walked, mut solved, mut impossible) = (0, 0, 0, 0, 0);
    for seed in 1..=scaled(40) {
        let mut dice = Dice::new(seed * 0x9e37_79b9 + 5);
        let cells = [9, 12, 40][dice.below(3)];
        let text = pairs(&mut dice, cells);
        let puzzle = match Puzzle::parse(&text, "pairs") {
            Ok(puzzle) => puzzle,
            Err(report) => {
                // In `never`, "no such pair, or something else" has too many cases; with forty cells, other conditions
                // have as well.
                let report = report.to_string();
                let many = report.contains("too many cases") || report.contains("too many operators");
                let or_else = report.contains("never = \"!any") && report.contains("||");
                let is_expected = many && (cells == 40 || or_else);
                assert!(is_expected || report.contains("the start violates `never`"), "{report}\n{text}");
                continue;
            }
        };
        good += 1;
        large += usize::from(cells == 40);
        walk(&puzzle, &mut dice, 12, &text);
        walked += usize::from(!puzzle.rules().0.candidates().is_empty());
        let Some(least) = least(&puzzle, 200) else { continue };
        let solution = puzzle.solve(&Options::default()).expect("the search starts");
        assert_eq!(solution.cost(), least, "{}\n{text}", solution.moves().join(", "));
        match solution.outcome() {
            Outcome::Solved => solved += 1,
            _ => impossible += 1,
        }
    }
    let found = format!("{good} good, {large} large, {walked} walked, {solved} solved, {impossible} impossible");
    assert!(good > 20 && large > 5 && walked > 10 && solved > 1 && impossible > 2, "{found}");
    println!("{found}");
}

/// Returns the drawings of all reachable positions and all their legal moves, by the rules; `None` if there are more
/// than `most`.
fn reachable(puzzle: &Puzzle, most: usize) -> Option<(Vec<String>, BTreeSet<String>)> {
    let (mut rules, _) = puzzle.rules();
    let start = rules.position().expect("these have positions");
    let (mut known, mut open) = (BTreeSet::from([start.clone()]), vec![start]);
    let (mut drawn, mut moves) = (Vec::new(), BTreeSet::new());
    while let Some(position) = open.pop() {
        rules.set_position(&position);
        drawn.push(rules.draw());
        for written in rules.candidates() {
            rules.set_position(&position);
            rules.play(&written).expect("it is legal");
            let next = rules.position().expect("as before");
            if known.insert(next.clone()) {
                open.push(next);
            }
            moves.insert(written);
        }
        if known.len() > most {
            return None;
        }
    }
    Some((drawn, moves))
}

#[test]
fn warnings_that_something_never_happens_are_true() {
    let (mut dead, mut alive, mut gone, mut met, mut beyond) = (0, 0, 0, 0, 0);
    for seed in 1..=scaled(300) {
        let mut dice = Dice::new(seed * 0x9e37_79b9 + 1);
        let mut text = puzzle(&mut dice);
        // The first word of a move identifies its rule.
        for number in 0..text.matches("\nname = \"").count() {
            text = text.replacen("\nname = \"", &format!("\nname  = \"r{number} "), 1);
        }
        let Ok(puzzle) = Puzzle::parse(&text, "random") else { continue };
        let Some((drawn, moves)) = reachable(&puzzle, 300) else { continue };
        let is_unsolvable = least(&puzzle, 300) == Some(None);
        let mut rules: BTreeSet<String> = BTreeSet::new();
        for warning in puzzle.warnings().diagnostics() {
            let message = &warning.message;
            if let Some(rule) = message.strip_prefix("the rule `") {
                let prefix = rule.split(' ').next().expect("a first word").to_owned() + " ";
                assert!(!moves.iter().any(|written| written.starts_with(&prefix)), "{message}: {moves:?}\n{text}");
                rules.insert(prefix);
            }
            let symbol = message.split(": ").last().and_then(|last| last.strip_suffix("` is never on the grid"));
            if let Some(symbol) = symbol.and_then(|symbol| symbol.strip_prefix('`')) {
                let grids = drawn.iter().map(|drawn| drawn.split("\nn ").next().expect("a grid"));
                assert!(!grids.into_iter().any(|grid| grid.contains(symbol)), "{message}\n{text}");
                gone += 1;
            }
            if warning.label == "no moves lead there" {
                assert!(is_unsolvable, "{message}\n{text}");
                beyond += 1;
            }
            met += usize::from(message == "the start already meets the goal");
        }
        let warnings = puzzle.warnings().to_string();
        let (is_met, is_solved) = (warnings.contains("the start already meets the goal"), puzzle.rules().0.is_solved());
        let asks_nothing = ["has no condition", "is empty", "always", "has no effect"];
        let asks_nothing = asks_nothing.iter().any(|words| warnings.contains(words));
        assert!(is_met == is_solved || is_solved && asks_nothing, "{warnings}\n{text}");
        dead += rules.len();
        alive += moves.iter().map(|written| written.split(' ').next()).collect::<BTreeSet<_>>().len();
    }
    assert!(dead > 50 && alive > 50 && gone > 5 && met > 2 && beyond > 10, "{dead} {alive} {gone} {met} {beyond}");
}

/// Checks that no algorithm proves a puzzle unsolvable by a depth limit, where walks of a mover are one move.
#[test]
fn a_depth_limit_proves_no_puzzle_of_pushes_unsolvable() {
    let text =
        fs::read_to_string(root().join("puzzles/rules/sokoban-five-in-a-bow.toml")).expect("the puzzle is there");
    let puzzle = Puzzle::parse(&text, "bow.toml").unwrap_or_else(|report| panic!("{report}"));
    let mut searched = 0;
    for algorithm in Algorithm::ALL.iter().map(|facts| facts.algorithm) {
        for depth in [0, 1, 3] {
            let limits = Limits { depth: Some(depth), nodes: Some(10_000), ..Limits::default() };
            let options = Options { algorithm: Some(algorithm), limits, ..Options::default() };
            if let Ok(solution) = puzzle.solve(&options) {
                assert_eq!(solution.outcome(), Outcome::Limit, "{algorithm:?} within {depth}");
                searched += 1;
            }
        }
    }
    assert!(searched > 20, "{searched}");
}

/// All states lie within the limit, but some are met beyond it first.
#[test]
fn width_search_within_a_depth_limit_proves_what_it_searched_whole() {
    let step = |name: &str, when: &str, then: &str| {
        format!("[[rules]]\nname = '{name}'\nwhen = '{when}'\nthen = {{ {then} }}\n")
    };
    let steps = |of: &str| {
        step(&format!("{of} up"), &format!("{of} < 4"), &format!("{of} = '{of} + 1'"))
            + &step(&format!("{of} down"), &format!("{of} > 0"), &format!("{of} = '{of} - 1'"))
    };
    let text = format!(
        "title = 'Trap'\ndomain = 'rules'\nstart = {{ x = 0, y = 0 }}\n\
         goal = {{ x = 4, y = 4 }}\nnever = 'x + y == 5'\n\
         variables = {{ x = [0, 1, 2, 3, 4], y = [0, 1, 2, 3, 4] }}\n{}{}",
        steps("x"),
        steps("y")
    );
    let puzzle = Puzzle::parse(&text, "trap.toml").unwrap_or_else(|report| panic!("{report}"));
    for (depth, outcome) in [(3, Outcome::Limit), (4, Outcome::Unsolvable)] {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let heuristic = Some("potentials".to_owned());
        let options = Options { algorithm: Some(Algorithm::BestFirstWidth), heuristic, limits, ..Options::default() };
        assert_eq!(puzzle.solve(&options).expect("the search starts").outcome(), outcome, "within {depth}");
    }
}

/// The mover walks left only, and pulls boxes. A region of the projected task ignores that walks cannot be undone, so a
/// token has different distances at its places. Conflicts computed at one of them would call a solvable state dead.
#[test]
fn walks_that_cannot_be_undone_prove_no_dead_ends() {
    let text = "title = 'Pulled'\ndomain = 'rules'\n\
        start = '''\n.....\n.b@..\n.b...\n.$...\n'''\ngoal = '''\n?????\n??b??\n?b???\n?$???\n'''\n\
        [sets]\nB = 'b$'\n[[rules]]\nname = 'left {at}'\nfrom = '.@'\nto = '@.'\n\
        [[rules]]\nname = 'pull {at} {direction}'\nfrom = '.@B'\nto = '@B.'\nturns = true\n";
    let puzzle = Puzzle::parse(text, "pulled.toml").unwrap_or_else(|report| panic!("{report}"));
    for heuristic in ["zero", "matching", "maximum"] {
        let options =
            Options { algorithm: Some(Algorithm::AStar), heuristic: Some(heuristic.to_owned()), ..Options::default() };
        let solution = puzzle.solve(&options).expect("the heuristic suits");
        assert_eq!((solution.outcome(), solution.cost()), (Outcome::Solved, Some(1.0)), "{heuristic}");
    }
}
