//! Tests of compiled rules, and of pictures of their positions.

mod disjoint;
mod laws;
mod matching;
mod mistakes;
mod reading;
mod rounds;
mod strategy;
mod symmetry;

use super::board::candidates;
use super::description;
use super::ground::compile;
use super::inverse::inverses;
use super::keys::Keys;
use super::model::{Compiled, Model};
use super::packed::StateLayout;
use super::reduce::reduce;
use super::symmetry::symmetries;
use super::task::Task;
use super::view::RuleView;
use crate::diagnostic::Diagnostic;
use crate::domain::{BuildContext, FileContext, Notation, Style, View};
use crate::picture::{Form, Ground, Paint, Picture};
use std::sync::Arc;

/// Reads the model of a file.
pub(super) fn try_model(source: &str) -> Result<Model, Vec<Diagnostic>> {
    FileContext::of_text(source, |keys, file| description::read(&Keys::take(keys), file))
}

pub(super) fn model(source: &str) -> Model {
    try_model(source).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn rule(keys: &str) -> String {
    format!("[[rules]]\nname = 'go'\n{keys}\n")
}

pub(super) fn compiled(source: &str) -> Arc<Compiled> {
    Arc::new(compile(model(source), &BuildContext::default()).unwrap_or_else(|errors| panic!("{errors:?}")))
}

type Space = super::space::RuleSpace<u64>;

/// Returns the first move's name, and the pictures before and after it.
fn first_move(source: &str) -> (Picture, String, Picture) {
    let compiled = compiled(source);
    assert!(StateLayout::new(&compiled.task).bits <= 64);
    let view = RuleView::new(
        Arc::clone(&compiled),
        &reduce(&compiled.task, compiled.model.world.cells(), &BuildContext::default()),
    );
    let mut position = View::<Space>::initial(&view);
    let draw = |position: &_| View::<Space>::picture(&view, position).expect("the picture is small enough");
    let before = draw(&position);
    let (number, _) = compiled.task.successors(&compiled.task.start).next().expect("a move is legal");
    let written = View::<Space>::notation(&view, &position, number as u32, Notation::STANDARD);
    View::<Space>::apply(&view, &mut position, number as u32);
    assert_eq!(
        View::<Space>::draw(&view, &position, Style::Plain),
        View::<Space>::draw(&view, &position, Style::Drawn)
    );
    (before, written, draw(&position))
}

#[test]
fn moved_figures_keep_their_keys() {
    let source = "start = '''\n#@$.\n'''\ngoal = { every = { '$' = 'x' } }\nmarks = '...x'\n".to_owned()
        + "[[rules]]\nname = 'push {direction}'\nfrom = '@$.'\nto = '.@$'\nturns = true\n";
    let (before, written, after) = first_move(&source);
    assert_eq!(written, "push right");
    let stands = |picture: &Picture| {
        picture.figures.iter().map(|figure| (figure.label.clone(), figure.key, figure.at)).collect::<Vec<_>>()
    };
    let (walker, crate_) = (before.figures[0].clone(), before.figures[1].clone());
    assert_eq!((walker.paint, walker.form, crate_.label.as_str()), (Paint::Accent, Form::Token, "$"));
    assert_eq!(stands(&before), [(String::new(), walker.key, (0, 1)), ("$".to_owned(), crate_.key, (0, 2))]);
    assert_eq!(stands(&after), [(String::new(), walker.key, (0, 2)), ("$".to_owned(), crate_.key, (0, 3))]);
    assert_eq!((before.ground[0], before.ground[1], before.marks.len()), (Ground::Wall, Ground::Floor, 1));
}

#[test]
fn variables_are_a_table_below_the_grid() {
    let source = "start = { drawing = '.a', n = 1, disk = ['x', 'y'], t = 3 }\ngoal = { n = 0 }\n\
        [variables]\nn = '0..2'\n'disk[1..2]' = ['x', 'y']\n't[0..1, 1..2]' = '3..4'\n\
        [[rules]]\nname = 'less'\nthen = { n = 'n - 1' }\n";
    let (before, written, after) = first_move(source);
    // Names are as wide as `disk[1..2]`: five cells. Each value has three, as `goal 0`.
    assert_eq!((written.as_str(), before.rows, after.columns), ("less", 6, 5 + 2 * 3));
    let text = |picture: &Picture, at| picture.figure_on(at).map(|figure| figure.label.clone()).unwrap_or_default();
    assert_eq!([text(&before, (2, 5)), text(&after, (2, 5))], ["1", "0"]);
    assert_eq!(
        [(2, 8), (3, 0), (3, 4), (3, 5), (3, 8), (4, 2)].map(|at| text(&before, at)),
        ["goal 0", "disk[1..2]", "disk[1..2]", "x", "y", "t[0, 1..2]"]
    );
}

#[test]
fn variables_without_a_grid_are_drawn_in_lanes() {
    let source = "start = { jug = 2, boat = 'left' }\ngoal = { jug = 1 }\n[variables]\njug = '1..2'\nboat = ['left', 'right']\n\
        [[rules]]\nname = 'cross'\nthen = { boat = 'boat == left ? right : left' }\n";
    let (before, _, after) = first_move(source);
    let place = |picture: &Picture, name: &str| {
        picture.figures.iter().find(|figure| figure.label == name).map(|figure| (figure.key, figure.at))
    };
    // Five letters need two cells.
    assert_eq!((place(&before, "jug"), place(&after, "jug")), (Some((0, (1, 2))), Some((0, (1, 2)))));
    assert_eq!((place(&before, "boat"), place(&after, "boat")), (Some((1, (2, 4))), Some((1, (2, 6)))));
    assert!(before.figures.iter().all(|figure| figure.cells == [(0, 0), (0, 1)]));
    assert_eq!((before.ground[8 + 3], before.ground[8 + 4]), (Ground::Floor, Ground::Void), "a jug is never left");
    let marks: Vec<(&str, (usize, usize))> = before.marks.iter().map(|mark| (&*mark.label, mark.at)).collect();
    assert_eq!(marks, [("jug", (1, 0))], "the goal");
}

#[test]
fn stacks_are_towers_with_the_last_element_lowest() {
    let source = "start = { disk = ['a', 'a', 'c'] }\ngoal = { disk = 'c' }\nlayout = { disk = 'stack' }\n\
        colors = { 2 = '#010203' }\n[variables]\n'disk[1..3]' = ['a', 'b', 'c']\n\
        [[rules]]\nname = 'move'\nthen = { 'disk[1]' = 'b' }\n";
    let (before, _, after) = first_move(source);
    // Three places of five columns, with gaps; a free row, three disks, a base and the names.
    assert_eq!((before.rows, before.columns), (6, 17));
    let disk = |picture: &Picture, label: &str| {
        let found = picture.figures.iter().find(|figure| figure.label == label).expect("a disk");
        (found.key, found.at, found.cells.len())
    };
    assert_eq!([disk(&before, "1"), disk(&before, "2")], [(0, (2, 2), 1), (1, (3, 1), 3)]);
    assert_eq!([disk(&before, "3"), disk(&after, "1")], [(2, (3, 12), 5), (0, (3, 8), 1)]);
    let second = before.figures.iter().find(|disk| disk.label == "2").map(|disk| disk.paint);
    assert_eq!(second, Some(Paint::Rgb([1, 2, 3])));
    let names: Vec<&str> = before.marks.iter().map(|mark| mark.label.as_str()).collect();
    assert_eq!(names, ["a", "b", "c"]);
}

#[test]
fn vessels_are_filled_as_high_as_their_numbers() {
    let source = "start = { jug = 2, pail = 24 }\ngoal = { jug = 0 }\nlayout = { jug = 'level', pail = 'level' }\n\
        [variables]\njug = '0..3'\npail = '0..24'\n[[rules]]\nname = 'pour'\nthen = { jug = 'jug - 1' }\n";
    let (before, _, after) = first_move(source);
    let units = |picture: &Picture, column: usize| {
        picture.figures.iter().filter(|figure| figure.form == Form::Fill && figure.at.1 == column).count()
    };
    assert_eq!((before.rows, before.columns), (14, 8), "the vessels stand side by side");
    assert_eq!((units(&before, 1), units(&after, 1), units(&before, 5)), (1, 1, 12), "2 of 24 are 1 of 12 units");
    let written = |picture: &Picture| picture.figures.iter().any(|figure| figure.label == "1 of 3");
    assert!(!written(&before) && written(&after));
}

#[test]
fn values_in_rows_columns_and_rings_move_when_they_are_exchanged() {
    let source = "start = { lamp = [true, false], tube = [['x', 'y'], ['none', 'y']], dial = ['n', 'e', 's', 'w'] }\n\
        goal = { dial = 'n' }\nlayout = { lamp = 'row', tube = 'column', dial = 'ring' }\n\
        shapes = { none = 'floor' }\n[variables]\n'lamp[1..2]' = [true, false]\n\
        'tube[1..2, 1..2]' = ['none', 'x', 'y']\n'dial[0..3]' = ['n', 'e', 's', 'w']\n\
        [[rules]]\nname = 'turn'\nthen = { 'dial[i] for i in 0..3' = 'dial[(i + 1) % 4]', \
        'tube[2, 1]' = 'x', 'tube[1, 1]' = 'none' }\n";
    let (before, _, after) = first_move(source);
    let found = |picture: &Picture, label: &str| {
        let figure = picture.figures.iter().find(|figure| figure.label == label).expect("a figure");
        (figure.key, figure.at)
    };
    for label in ["n", "e", "s", "w", "x"] {
        assert_eq!(found(&before, label).0, found(&after, label).0, "{label} moves");
        assert_ne!(found(&before, label).1, found(&after, label).1, "{label} moves");
    }
    assert_eq!(found(&before, "n").1, found(&after, "e").1, "they turn");
    let tokens = before.figures.iter().filter(|figure| figure.form == Form::Token).map(|figure| figure.paint);
    assert_eq!(tokens.collect::<Vec<_>>(), [Paint::Accent, Paint::Plain], "lamps are tokens");
    assert_eq!(found(&after, "x").1.1, found(&before, "x").1.1 + 2, "tubes stand apart");
}

#[test]
fn layouts_colours_and_shapes_that_do_not_fit_are_refused() {
    let errors = |keys: &str| -> Vec<String> {
        let source = format!(
            "start = {{ drawing = 'a.', jug = 1, disk = 'l' }}\ngoal = {{ jug = 0 }}\n{keys}\n[variables]\n\
             jug = '0..3'\n'disk[1..2]' = ['l', 'r']\n[[rules]]\nname = 'pour'\nthen = {{ jug = 'jug - 1' }}\n"
        );
        let errors = try_model(&source).err().unwrap_or_default();
        let text = |error: Diagnostic| format!("{} {} {}", error.message, error.label, error.help.unwrap_or_default());
        errors.into_iter().map(text).collect()
    };
    let refused = |keys: &str, words: &[&str]| {
        let found = errors(keys).join("\n");
        for word in words {
            assert!(found.contains(word), "{keys}: {word} is not in: {found}");
        }
    };
    let valid = |keys: &str| assert_eq!(errors(keys), Vec::<String>::new(), "{keys}");
    valid("layout = { jug = 'level', disk = 'stack', cell = 'ring' }");
    valid("colors = { a = ['red', 'blue'] }\nshapes = { a = '''\n01\n10\n''' }");
    valid("layout = { disk = 'row' }\ncolors = { l = 'red' }\nshapes = { r = { path = 'M1 2L3 4', size = 9 } }");
    refused("layout = { dsik = 'row' }", &["unknown variable `dsik`", "did you mean `disk`"]);
    refused("layout = { disk = 'level' }", &["whole numbers", "0..8"]);
    refused("layout = { cell = 'stack' }", &["`cell` is the grid", "`row`"]);
    refused("layout = { disk = 'rwo' }", &["invalid value `rwo`", "did you mean `row`"]);
    refused("layout = { disk = 'row' }\ncolors = { left = 'red' }", &["unknown symbol or value `left`"]);
    refused("shapes = { a = 'blok' }", &["did you mean `block`"]);
    refused("shapes = { a = '''\n01\n.x\n''' }", &["`a` has no colour 1", "invalid pixel `x`"]);
    refused("shapes = { a = { path = 'M1 2 X' } }", &["invalid path", "a command such as"]);
    refused("shapes = { a = { pth = 'M1 2' } }", &["did you mean `path`"]);
    refused("colors = { a = [] }", &["the array is empty"]);
}

#[test]
fn ground_has_the_colours_and_letters_of_the_file_inside_of_the_walls() {
    let source = "start = '''\n.######\n.#@~W.#\n.######\n'''\ngoal = { count = { '~' = 0 } }\n\
        colors = { W = 'gold', '~' = 'cyan' }\nshapes = { W = 'wall', '~' = 'floor' }\n\
        [[rules]]\nname = 'swim'\nfrom = '@~'\nto = '.@'\n";
    let (before, ..) = first_move(source);
    let fills: Vec<_> = before.marks.iter().map(|mark| (mark.form, mark.label.as_str(), mark.at)).collect();
    assert_eq!(fills, [(Form::Fill, "", (1, 3)), (Form::Fill, "W", (1, 4))]);
    assert_eq!((before.ground[0], before.ground[7], before.ground[11]), (Ground::Void, Ground::Void, Ground::Wall));
    assert_eq!(before.ground[12], Ground::Floor, "inside of the walls");
}

#[test]
fn a_piece_on_its_mark_is_done() {
    let source = "start = '''\n#@$.\n'''\ngoal = { every = { '$' = 'x' } }\nmarks = '...x'\n".to_owned()
        + "[[rules]]\nname = 'push'\nfrom = '@$.'\nto = '.@$'\n";
    let (before, _, after) = first_move(&source);
    let paint =
        |picture: &Picture| picture.figures.iter().find(|figure| figure.label == "$").map(|figure| figure.paint);
    assert_eq!((paint(&before), paint(&after)), (Some(Paint::Hue(0)), Some(Paint::Done)));
}

#[test]
fn a_goal_drawing_marks_the_few_cells_that_it_wants_to_change() {
    let picture = |goal: &str| {
        let source = format!("start = '@.a.b.c.'\ngoal = '{goal}'\n")
            + "[[rules]]\nname = 'walk'\nfrom = '@.'\nto = '.@'\n[[rules]]\nname = 'b'\nfrom = 'b.'\nto = '.b'\n";
        first_move(&source)
    };
    let marks = |picture: &Picture| picture.marks.iter().map(|mark| (mark.label.clone(), mark.at)).collect::<Vec<_>>();
    let (before, _, after) = picture("?@a??b??");
    assert_eq!(marks(&before), [(String::new(), (0, 1)), ("b".to_owned(), (0, 5))], "`a` is there already");
    let walker = |picture: &Picture| picture.figures.iter().find(|figure| figure.form == Form::Token).map(|f| f.paint);
    assert_eq!((walker(&before), walker(&after)), (Some(Paint::Accent), Some(Paint::Done)));
    assert!(marks(&picture("c@.a.b??").0).is_empty(), "four of eight cells are too many");
}

#[test]
fn rules_read_a_symbol_that_became_a_place_variable() {
    // Only reachability analysis shows that there is no `b`.
    let source = "start = { drawing = 'a..', v = 'none' }\ngoal = { v = 'yes' }\n[variables]\nv = ['none', 'yes', 'no']\n\
        [sets]\nS = 'ab'\n[maps]\nm = { a = 'yes', b = 'no' }\n\
        [[rules]]\nname = 'walk'\nfrom = 'a.'\nto = '.a'\nmirror = true\n\
        [[rules]]\nname = 'look'\nwhen = [\"cell[0, 2] in ['a', 'b']\", 'v == none']\nthen = { v = 'm(cell[0, 2])' }\n";
    let task = reduce(&compiled(source).task, 3, &BuildContext::default()).task;
    assert!(task.variables.iter().any(|variable| variable.name == "place of a"), "{:?}", task.variables);
    let mut known = vec![task.start.clone()];
    let mut at = 0;
    while at < known.len() && !task.is_goal(&known[at]) {
        let next: Vec<_> = task.successors(&known[at]).map(|(_, after)| after).collect();
        known.extend(next.into_iter().filter(|after| !known.contains(after)).collect::<Vec<_>>());
        at += 1;
    }
    assert!(at < known.len(), "no goal is reached: {known:?}");
}

#[test]
fn a_move_that_needs_the_walker_in_two_cells_is_left_out_and_does_not_cost_it_its_place_variable() {
    // That no key is left is a choice of other symbols for each cell, and one choice is the walker itself.
    let rule = |name, from, to, keys| format!("[[rules]]\nname = '{name}'\nfrom = '{from}'\nto = '{to}'\n{keys}\n");
    let source = "start = '@k..k$.D.'\ngoal = '........@'\n".to_owned()
        + &rule("walk", "@.", ".@", "mirror = true")
        + &rule("take", "@k", ".@", "mirror = true")
        + &rule("push", "@$.", ".@$", "mirror = true")
        + &rule("open", "@D", ".@", "when = \"count('k') == 0\"");
    let task = reduce(&compiled(&source).task, 9, &BuildContext::default()).task;
    assert!(task.variables.iter().any(|variable| variable.name == "place of @"), "{:?}", task.variables);
}

/// Returns the messages of the errors of a file with one rule.
fn errors(head: &str, keys: &str) -> Vec<String> {
    let source = format!("start = 'a.b'\ngoal = '.ab'\n{head}\n{}", rule(keys));
    let errors = try_model(&source).err().unwrap_or_default();
    errors.into_iter().map(|error| error.message).collect()
}

#[test]
fn letters_in_expressions_make_operators_only_where_targets_depend_on_them() {
    let count = |then: &str| {
        let source = "start = { drawing = '2', held = 0, seen = 0 }\ngoal = { held = 1 }\nsets = { N = '12' }\n"
            .to_owned()
            + "[variables]\nheld = '0..3'\n'seen[1..2]' = '0..1'\n"
            + &rule(&format!("from = 'N'\nto = '.'\n{then}"))
            + &rule("from = '.'\nto = '1'");
        compiled(&source).task.operators.len() - 1
    };
    assert_eq!(count(""), 1);
    assert_eq!(count("then = { held = 'N' }"), 1);
    assert_eq!(count("when = 'N < 2'\nthen = { held = 'N + 1' }"), 1);
    assert_eq!(count("then = { 'seen[N]' = 1 }"), 2);
    assert_eq!(count("then = { 'seen[i] for i in 1..N' = 1 }"), 2);
}

/// Returns the errors of a file: each message with the text at its place.
fn located(source: &str) -> Vec<(String, &str)> {
    let errors = try_model(source).err().unwrap_or_default();
    let place = |error: &Diagnostic| error.span.clone().map_or("", |span| &source[span]);
    errors.iter().map(|error| (error.message.clone(), place(error))).collect()
}

#[test]
fn invisible_characters_are_errors_at_their_place() {
    let unseen = ['\u{200b}', '\u{feff}', '\u{ad}', '\u{301}', '\u{202e}', '\u{fe0f}', '\u{3164}', '\u{2800}'];
    for unseen in unseen {
        let message = format!("U+{:04X} is an invisible character", u32::from(unseen));
        let character = unseen.to_string();
        let escaped = format!("\\u{:04x}", u32::from(unseen));
        let file = |head: &str, keys: &str| format!("{head}\n{}", rule(keys)).replace('#', &character);
        let (plain, walk) = ("start = 'a.b'\ngoal = '.ab'", "from = 'a.'\nto = '.a'");
        let with = |head: &str| file(&format!("{plain}\n{head}"), walk);
        let cases = [
            file("start = 'a#b'\ngoal = '?.?'", walk),
            file("start = 'a.b'\ngoal = '?#?'", walk),
            file(plain, "from = 'a#'\nto = '.a'"),
            file(plain, "from = 'a.'\nto = '#a'"),
            with("sets = { N = 'a#' }"),
            with("arrows = '^#v<'"),
            with("marks = 'x#.'"),
            file(&format!("{plain}\nmarks = 'xx.'"), &format!("{walk}\non = 'x#'")),
        ];
        for case in cases {
            assert_eq!(located(&case), [(message.clone(), character.as_str())], "{case}");
        }
        // Keys and whole values have the place of the string.
        let quoted = format!("'{character}'");
        let whole = [
            with("sets = { '#' = 'a' }"),
            with("maps = { '#' = { a = 'b' } }"),
            with("maps = { m = { a = '#' } }"),
            with("maps = { other = { '#' = 'a' } }"),
            file(plain, "from = 'a#.'\nto = '.a#'\nrun = '#'"),
            file(plain, &format!("{walk}\nfor = {{ k = ['a', '#'] }}")),
        ];
        for case in whole {
            assert_eq!(located(&case), [(message.clone(), quoted.as_str())], "{case}");
        }
        let case = format!("start = \"a{escaped}b\"\ngoal = '?.?'\n{}", rule(walk));
        assert_eq!(located(&case), [(message, escaped.as_str())], "{case}");
    }
    assert!(
        located("start = 'a.\u{e9}'\ngoal = '.a\u{e9}'\n[[rules]]\nname = 'go'\nfrom = 'a.'\nto = '.a'\n").is_empty()
    );
}

#[test]
fn targets_that_never_name_a_variable_are_errors() {
    let head = "variables = { farmer = '0..1' }\n";
    let errors = |keys: &str| -> Vec<(String, String)> {
        let source = format!("start = {{ drawing = 'a.a.', farmer = 0 }}\ngoal = '....'\n{head}{}", rule(keys));
        let errors = try_model(&source).err().unwrap_or_default();
        errors.into_iter().map(|error| (error.message, error.help.unwrap_or_default())).collect()
    };
    let wrong = |name: &str, help: &str| {
        vec![(format!("`{name}` is not a variable, and none of its values is the name of one"), help.to_owned())]
    };
    assert_eq!(errors("from = 'a*'\nto = '.*'\nrun = '*'\nthen = { run = 1 }"), wrong("run", "expected `farmer`"));
    assert_eq!(errors("for = { k = [1, 2] }\nthen = { k = 1 }"), wrong("k", "expected `farmer`"));
    assert_eq!(errors("for = { k = ['farmr'] }\nthen = { k = 1 }"), wrong("k", "did you mean `farmer`?"));
    assert_eq!(errors("then = { 'i for i in 1..2' = 1 }"), wrong("i for i in 1..2", "expected `farmer`"));
    assert_eq!(errors("for = { k = ['farmer', 'boat'] }\nthen = { k = 1 }"), []);
    assert_eq!(errors("then = { 'x for x in [farmer]' = 1 }").len(), 1, "`farmer` is its value here");
    assert_eq!(errors("for = { k = ['farmer'] }\nthen = { \"x for x in ['farmer']\" = 1 }"), []);
}

#[test]
fn no_mark_is_no_error_where_every_cell_has_a_mark() {
    let on = |marks: &str, on: &str| errors(marks, &format!("from = 'a.'\nto = '.a'\non = '{on}'"));
    assert_eq!(on("marks = 'xxx'", ".?"), [""; 0]);
    assert_eq!(on("marks = 'xxx'", "y?"), ["no cell has the mark `y`"]);
    assert_eq!(on("", ".?"), ["no cell has the mark `.`"], "without `marks` there is nothing to ask for");
    let source = "start = 'a.b'\ngoal = '.ab'\nmarks = 'xxx'\n".to_owned() + &rule("from = 'a.'\nto = '.a'\non = '.?'");
    assert!(compiled(&source).task.operators.is_empty());
}

/// What breaks: all patterns of a long run are built, although a limit has ended the work.
#[test]
fn a_visitor_ends_the_visit_of_the_patterns_of_a_run() {
    let row = ".".repeat(700) + "@";
    let model = model(&format!(
        "start = '{row}'\ngoal = {{ count = {{ a = 1 }} }}\n[sets]\nN = '.@a'\n[[rules]]\nname = 'x'\nfrom = '@N*.'\n\
         to = '.N*@'\nrun = '*'\nturns = true\n"
    ));
    let mut visited = 0;
    let rule = &model.rules[0];
    rule.drawing.as_ref().expect("it has a drawing").each_pattern(&model, &rule.parameters, &mut |_, _| {
        visited += 1;
        visited < 6
    });
    assert_eq!(visited, 6);
}

#[test]
fn mistakes_in_runs_parameters_and_arrows_are_errors() {
    let run = |keys: &str| errors("", &format!("{keys}\nrun = '*'"));
    assert_eq!(run("from = 'a*.'\nto = '.a*'"), [""; 0]);
    assert_eq!(run("from = 'a.'\nto = '.a*'"), ["`from` has no run"]);
    assert_eq!(run("from = 'a*.*'\nto = '.a*'"), ["`from` has several runs"]);
    assert_eq!(run("from = '*a.'\nto = '.a*'"), ["`from` begins with `*`"]);
    assert_eq!(run("from = '''\na*.\na*.\n'''"), ["`from` has 2 rows"]);
    assert_eq!(run("from = 'a*.'\nto = 'a*'"), ["the drawing `to` is 1x1"]);
    assert_eq!(run("from = 'a*.'\nto = '.a*'\nfor = { run = '1..2' }"), ["`for` has a parameter `run`"]);
    assert_eq!(run("then = { 'cell[0, 0]' = \"'.'\" }"), ["`run` needs a drawing"]);
    assert_eq!(errors("", "from = 'a.'\nrun = '?'"), ["invalid value `?` for `run`"]);
    let twice = errors("sets = { N = 'ab' }", "from = 'N*N'\nto = '.N*'\nrun = '*'");
    assert_eq!(twice, ["the set `N` is in the run, and elsewhere in `from`"]);
    let parameter =
        |values: &str| errors("sets = { N = 'ab' }", &format!("for = {{ k = {values} }}\nfrom = 'k.'\nto = '.k'"));
    assert_eq!(parameter("['a', 'c']"), [""; 0]);
    assert_eq!(parameter("['a', 'bc']").concat(), "the value `bc` of the parameter `k` is not a symbol".repeat(2));
    assert_eq!(parameter("['N']").concat(), "the value `N` of the parameter `k` is not a symbol".repeat(2));
    let arrows = |rings: &str| errors(&format!("arrows = {rings}"), "from = 'a.'\nto = '.a'\nturns = true");
    assert_eq!(arrows("['^>v<', '|-|-']"), [""; 0]);
    assert_eq!(arrows("'^>v'"), ["`arrows` has 3 symbols in a ring"]);
    assert_eq!(arrows("'^>v?'"), ["`?` is in `arrows`, but not for all symbols that turn into each other"]);
    assert_eq!(arrows("'||--'"), ["`|` turns into two symbols"]);
    assert_eq!(arrows("['^>v<', '^<v>']"), ["`^` turns into two symbols"]);
}

#[test]
fn help_says_where_the_number_of_a_run_comes_from() {
    for keys in ["from = 'a*.'\nto = '.a*'\ncost = 'run'", "name = 'push {run}'\nfrom = 'a.'\nto = '.a'"] {
        let source = format!("start = 'a.b'\ngoal = '.ab'\n{}", rule(keys)).replace("name = 'go'\nname", "name");
        let errors = try_model(&source).expect_err("no rule has a run");
        assert_eq!(errors[0].message, "unknown name `run`", "{errors:?}");
        assert!(format!("{errors:?}").contains("run = \\\"*\\\""), "{errors:?}");
    }
}

#[test]
fn a_wrong_cost_is_an_error_at_its_place() {
    let source = format!("start = 'a.b'\ngoal = '.ab'\n{}", rule("from = 'a.'\nto = '.a'\ncost = '0 - 1'"));
    let errors = compile(model(&source), &BuildContext::default()).expect_err("a cost below 0");
    let span = errors[0].span.clone().expect("a place");
    assert_eq!((&*errors[0].message, &source[span]), ("invalid cost -1: expected at least 0", "'0 - 1'"));
    let source = "start = { a = 0, b = 1 }\ngoal = { a = 2 }\n[variables]\na = '0..2'\nb = '0..1'\n\
        [[rules]]\nname = 'up'\nthen = { a = 'a + 1' }\ncost = '1 - a * b'\n\
        [[rules]]\nname = 'down'\nwhen = 'a == 2 && b == 1'\nthen = { b = 0 }\ncost = '5001 * a'\n";
    let errors = compile(model(source), &BuildContext::default()).expect_err("a cost below 0");
    let of = |error: &Diagnostic| (error.message.clone(), error.label.clone());
    // With a = 2 the first rule does not apply.
    assert_eq!(
        errors.iter().map(of).collect::<Vec<_>>(),
        [("invalid cost 10002: expected at most 10000".to_owned(), "where `a` is 2, `b` is 1".to_owned())]
    );
    assert!(errors[0].help.as_ref().is_some_and(|help| help.contains("min(10000, …)")), "{errors:?}");
}

#[test]
fn errors_in_goals_point_at_the_key_and_say_how_to_write_them() {
    let located = |goal: &str| {
        let source = format!("start = 'a.b'\nmarks = 'x..'\ngoal = {goal}\n{}", rule("from = 'a.'\nto = '.a'"));
        let errors = try_model(&source).expect_err("a wrong goal");
        let place = |error: &Diagnostic| source[error.span.clone().expect("a place")].to_owned();
        errors.iter().map(|error| (place(error), format!("{error:?}"))).collect::<Vec<_>>()
    };
    for (goal, place, part) in [
        ("{ count = { c = 1 } }", "c", "unknown symbol `c`"),
        ("{ every = { '%' = 'x' } }", "'%'", "unknown symbol `%`"),
        ("\"count('b') == 0\"", "\"count('b') == 0\"", "goal = { when = "),
        ("{ when = 'count($) == 0' }", "$", "a symbol needs quotes: '$'"),
        ("{ when = 'cell[0, 0] == @' }", "@", "a symbol needs quotes: '@'"),
    ] {
        let errors = located(goal);
        assert!(errors.len() == 1 && errors[0].0 == place && errors[0].1.contains(part), "{goal}: {errors:?}");
    }
}

#[test]
fn nested_quantifiers_that_multiply_are_rejected() {
    let nested = |quantifier: &str, inner: &str| {
        let over: String = (0..9).map(|number| format!("{quantifier}(i{number} in 0..99: ")).collect();
        format!("{over}{inner}{}", ")".repeat(9))
    };
    for when in [nested("all", "n < 2"), nested("sum", "1") + " > 1"] {
        let source = "start = { n = 0 }\ngoal = { n = 2 }\n[variables]\nn = '0..2'\n".to_owned()
            + &rule(&format!("when = '{when}'\nthen = {{ n = 'n + 1' }}"));
        assert!(compile(model(&source), &BuildContext::default()).is_err(), "{when}");
    }
}

/// What breaks: each count of a sum is a counter of its own, and their numbers multiply.
#[test]
fn a_sum_of_counts_of_different_symbols_is_one_count() {
    let compiled = |when: &str| {
        let source = "start = 'a.bcdefghghghghghgh.'\ngoal = { count = { '.' = 20 } }\nsets = { N = 'gh' }\n"
            .to_owned()
            + &rule(&format!("from = 'a.'\nto = '.a'\nwhen = \"{when}\""))
            + &rule("from = 'N'\nto = '.'");
        compile(model(&source), &BuildContext::default()).unwrap_or_else(|errors| panic!("{errors:?}"))
    };
    let counted = |when: &str| compiled(when).task.counters.iter().map(Vec::len).collect::<Vec<_>>();
    assert_eq!(counted("count('N') + count('a') > 2").len(), 1);
    assert_eq!(counted("count('N') + count('a') > 2"), counted("count('a') + count('g') + count('h') > 2"));
    let sum = ["a", "b", "c", "d", "e", "f", "N"].map(|symbol| format!("count('{symbol}')")).join(" + ");
    assert_eq!(compiled(&format!("{sum} > 8")).task.counters.len(), 1);
    assert_eq!(counted("count('N') + count('g') > 2").len(), 2, "a `g` counts twice");
}

#[test]
fn quotients_round_down_whatever_the_signs() {
    let when = "7 / 2 == 3 && -7 / 2 == -4 && 7 / -2 == -4 && -7 / -2 == 3 && -6 / 2 == -3 \
        && 7 % 2 == 1 && -7 % 2 == 1 && 7 % -2 == -1 && -7 % -2 == -1 && -6 % 2 == 0";
    let source = "start = { n = 0 }\ngoal = { n = 1 }\n[variables]\nn = '0..1'\n".to_owned()
        + &rule(&format!("when = '{when}'\nthen = {{ n = 1 }}"));
    assert_eq!(compiled(&source).task.operators.len(), 1);
}

#[test]
fn names_that_look_like_numbered_moves_are_rejected() {
    let names = [("a #2", false), ("#{k}", false), ("a # b", true), ("a#2", true), ("a {x}", false), ("{k}#{k}", true)];
    for (name, is_good) in names {
        let source = "start = { n = 0 }\ngoal = { n = 1 }\n[variables]\nn = '0..1'\n".to_owned()
            + &format!("[[rules]]\nname = '{name}'\nfor = {{ k = '1..2', x = ['b', 'c #2'] }}\nthen = {{ n = 1 }}\n");
        assert_eq!(try_model(&source).is_ok(), is_good, "{name}");
    }
}

/// Returns a line on which letters move in both directions, under a condition on pairs of cells that is kept as
/// alternatives.
fn walk_on_pairs(when: &str) -> (Model, Task) {
    let source = format!(
        "start = '..a.......b..'\ngoal = '......a......'\n[sets]\nS = 'ab'\n\
         [[rules]]\nname = 'walk'\nfrom = 'S.'\nto = '.S'\nmirror = true\n{when}\n"
    );
    let compiled = compile(model(&source), &BuildContext::default()).unwrap_or_else(|errors| panic!("{errors:?}"));
    (Arc::unwrap_or_clone(compiled.model), compiled.task)
}

#[test]
fn operators_with_alternatives_are_symmetric_and_reversible_if_their_conditions_are() {
    let apart = |last: u32| format!("when = \"all(c in 0..{last}: !(cell[0, c] == 'b' && cell[0, c + 1] == 'b'))\"");
    for (when, kept, symmetric, reversible) in
        [("".to_owned(), false, true, true), (apart(11), true, true, false), (apart(10), true, false, false)]
    {
        let (model, task) = walk_on_pairs(&when);
        assert_eq!(task.operators.len(), 24, "{when}");
        assert_eq!(task.operators.iter().all(|operator| !operator.disjunctions.is_empty()), kept, "{when}");
        assert_eq!(
            !symmetries(&task, &candidates(&model, &task), &BuildContext::default()).is_empty(),
            symmetric,
            "{when}"
        );
        // A move that brings two `b` together cannot be undone: the condition rules out the way back.
        assert_eq!(inverses(&task, &BuildContext::default()).iter().all(Option::is_some), reversible, "{when}");
    }
}

#[test]
fn operators_with_counts_are_symmetric_and_reversible_if_their_conditions_are() {
    for (when, counts, symmetric, reversible) in [
        // A walk changes the number of no symbol.
        ("when = \"count('.') > 5\"", true, true, true),
        ("when = \"count('b') < 3\"", true, true, true),
        // A walk that brings a second `b` to the first cells cannot be taken back.
        ("when = \"count(i in 0..11: cell[0, i] == 'b') < 2\"", true, false, false),
    ] {
        let (model, task) = walk_on_pairs(when);
        assert_eq!(task.operators.iter().any(|operator| !operator.counts.is_empty()), counts, "{when}");
        let found = symmetries(&task, &candidates(&model, &task), &BuildContext::default());
        assert_eq!(!found.is_empty(), symmetric, "{when}");
        assert_eq!(inverses(&task, &BuildContext::default()).iter().all(Option::is_some), reversible, "{when}");
    }
}

/// A triangle of peg solitaire is drawn askew on the grid: no reflection of the grid shows its rotations.
#[test]
fn the_symmetries_of_a_triangle_are_found() {
    let rules = [
        "from = 'oo.'\nto = '..o'\nturns = true",
        "from = '''\no??\n?o?\n??.\n'''\nto = '''\n.??\n?.?\n??o\n'''",
        "from = '''\n.??\n?o?\n??o\n'''\nto = '''\no??\n?.?\n??.\n'''",
    ];
    let start = "start = '''\n.####\noo###\nooo##\noooo#\nooooo\n'''\n";
    let corner = "goal = '''\no####\n..###\n...##\n....#\n.....\n'''\n";
    for (goal, order) in [("goal = { count = { o = 1 } }\n", 6), (corner, 2)] {
        let compiled = compiled(&format!("{start}{goal}{}", rules.map(rule).concat()));
        let context = BuildContext::default();
        let task = reduce(&compiled.task, compiled.model.world.cells(), &context).task;
        let found = symmetries(&task, &[], &context);
        assert_eq!((found.group().len() + 1, found.classes.len()), (order, 0), "{goal}");
    }
}
