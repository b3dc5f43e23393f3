//! Written rules played as they are written, and how their positions look.

use super::description;
use super::ground::compile;
use super::keys::Keys;
use super::model::{Compiled, Image, Model};
use super::packed::Layout;
use super::reduce::reduce;
use super::rules::RuleBook;
use super::sheet::Sheet;
use super::view::RuleView;
use crate::domain::{FileContext, Folder, Notation, Rules, Style, View};
use crate::picture::{Form, Ground, Paint, Picture};
use std::sync::Arc;

fn model(source: &str) -> Model {
    let keys: Keys = toml::from_str(source).expect("the test's keys are TOML");
    let (folder, names) = (Folder::of("".as_ref(), false), Default::default());
    let file = FileContext { source, folder, insertion: 0, refused: &[], memory: None, names: &names };
    description::read(&keys, &file).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn rule(keys: &str) -> String {
    format!("[[rules]]\nname = 'go'\n{keys}\n")
}

/// The legal moves, joined by commas.
fn legal(source: &str) -> String {
    RuleBook::new(&model(source)).candidates().join(", ")
}

const PEGS: &str = "start = '''\noo.o\n#.oo\n'''\ngoal = { count = { o = 1 } }\n\
    [[rules]]\nname = 'jump'\nfrom = 'oo.'\nto = '..o'\nturns = true\n";

#[test]
fn a_move_that_is_refused_is_told_what_is_in_its_way() {
    let model = model(PEGS);
    let mut rules = RuleBook::new(&model);
    assert_eq!(rules.candidates(), ["jump 0,0 right", "jump 1,3 left"]);
    let mut why = |written: &str| rules.play(written).expect_err(written);
    assert_eq!(why("jump 0,1 right"), "the rule does not fit: `.` is on 0,2, and not `o`");
    assert_eq!(why("jump 0,3 right"), "the rule reaches beyond the edge there");
    assert_eq!(why("jump 1,3 up"), "the rule reaches beyond the edge there");
    assert_eq!(why("jump 0,0 right #2"), "there are moves of this name, but not so many");
    let unknown = why("jmp 0,0 right");
    assert!(unknown.contains("did you mean `jump 0,0 right`?"), "{unknown}");
    rules.play("jump 0,0 right").expect("it is legal");
    assert_eq!((rules.draw().as_str(), rules.cost()), ("..oo\n#.oo\n", 1.0));
}

#[test]
fn conditions_values_and_what_must_never_be_are_reasons() {
    let source = "start = { n = 2 }\ngoal = { n = 0 }\nnever = 'n == 1'\n[variables]\nn = '0..2'\n\
        [[rules]]\nname = 'less'\nthen = { n = 'n - 1' }\n[[rules]]\nname = 'more'\nthen = { n = 'n + 1' }\n\
        [[rules]]\nname = 'none'\nwhen = ['n > 0', 'n < 2']\nthen = { n = 0 }\n\
        [[rules]]\nname = 'same'\nthen = { n = 'n' }\n";
    let model = model(source);
    let mut rules = RuleBook::new(&model);
    let mut why = |written: &str| rules.play(written).expect_err(written);
    assert_eq!(why("less"), "it leads to what must never be");
    assert_eq!(why("more"), "`n` cannot become `3`");
    assert_eq!(why("none"), "number 2 of its 2 conditions, `when`, does not hold here");
    assert_eq!(why("same"), "it would change nothing");
    assert_eq!(why("other"), "no move is legal here");
    assert_eq!(rules.draw(), "n 2\n");
}

#[test]
fn the_next_move_is_the_longest_that_is_legal_else_one_that_is_known() {
    let source = "start = { n = 1 }\ngoal = { n = 2 }\n[variables]\nn = '0..2'\n\
        [[rules]]\nname = 'go'\nthen = { n = 0 }\n[[rules]]\nname = 'go on'\nthen = { n = 2 }\n\
        [[rules]]\nname = 'go on and on'\nwhen = 'n == 2'\nthen = { n = 1 }\n";
    let model = model(source);
    let rules = RuleBook::new(&model);
    let words = |text: &str| rules.words(&text.split(' ').collect::<Vec<_>>());
    assert_eq!(words("go go on"), 1);
    assert_eq!(words("go on and on"), 2, "what is longer is not legal here");
    assert_eq!(words("walk on"), 1);
}

#[test]
fn moves_that_would_be_written_the_same_are_counted() {
    let source = "start = 'ab'\ngoal = 'bb'\nsets = { S = 'ab' }\n".to_owned()
        + "[[rules]]\nname = 'drop {S}'\nfrom = 'S?'\nto = 'bb'\n[[rules]]\nname = 'drop {direction}'\nfrom = 'a?'\nto = 'ba'\n"
        + "[[rules]]\nname = 'drop a'\nfrom = 'a?'\nto = 'aa'\n";
    assert_eq!(legal(&source), "drop a 0,0, drop right, drop a 0,0 #2");
}

#[test]
fn images_that_do_the_same_are_one_move() {
    let lamps =
        "start = '''\n.*\n**\n'''\ngoal = '''\n..\n..\n'''\nmaps = { t = { '*' = '.', '.' = '*' } }\n".to_owned();
    let press =
        "from = '''\n???\n???\n???\n'''\nto = '''\n?t?\nttt\n?t?\n'''\nat = [1, 1]\nturns = true\nmirror = true\n";
    assert_eq!(
        legal(&(lamps.clone() + &rule(&format!("{press}edge = 'clip'")))),
        "go 0,0 right, go 0,1 right, go 1,0 right, go 1,1 right"
    );
    assert_eq!(legal(&(lamps + &rule(press))), "", "it reaches beyond every edge");
}

#[test]
fn edges_keep_out_or_cut_off_or_lead_around() {
    let line = "start = '.a.b'\ngoal = '????'\n";
    let swap = |edge: &str| rule(&format!("from = 'b.'\nto = '.b'\nedge = '{edge}'"));
    assert_eq!(legal(&format!("{line}{}", swap("fit"))), "");
    assert_eq!(legal(&format!("{line}{}", swap("wrap"))), "go 0,3");
    let cut = RuleBook::new(&model(&format!("{line}{}", swap("clip")))).candidates();
    assert_eq!(cut, ["go 0,3"]);
    let slide = |edge: &str| rule(&format!("from = 'a.'\nto = '.a'\nrepeat = true\nedge = '{edge}'"));
    let after = |source: &str| {
        let model = model(source);
        let mut rules = RuleBook::new(&model);
        rules.play("go 0,0").map(|()| rules.draw())
    };
    assert_eq!(after(&format!("start = 'a..b'\ngoal = '????'\n{}", slide("fit"))).as_deref(), Ok("..ab\n"));
    let forever = after(&format!("start = 'a...'\ngoal = '????'\n{}", slide("wrap")));
    assert_eq!(forever, Err("it would go around the grid for ever".to_owned()));
}

/// Sheets are turned cell by cell, what is compiled by arithmetic.
#[test]
fn a_sheet_lies_where_the_compiler_lays_it() {
    let source = "start = '''\n.....\n.....\n.....\n.....\n'''\ngoal = '''\n?????\n?????\n?????\n?????\n'''\n"
        .to_owned()
        + &rule("from = '''\n.??\n???\n'''\nto = '''\n?..\n.??\n'''\nturns = true\nmirror = true\nat = [1, 2]");
    let model = model(&source);
    let drawing = model.rules[0].drawing.as_ref().expect("it has one");
    assert_eq!(drawing.images, Image::all(true, true));
    for (sheet, image) in Sheet::all(drawing).iter().zip(&drawing.images) {
        assert_eq!(sheet.forward, image.forward(), "{image:?}");
        for cell in 0..20 {
            for laid in sheet.laid(drawing, (4, 5), cell) {
                let (down, right) = image.offset(drawing.at, laid.spot.of);
                let place = (cell as i64 / 5 + down, cell as i64 % 5 + right);
                assert_eq!(laid.place, place, "{image:?}");
                assert_eq!(laid.cell, model.beside(cell, (down, right), drawing.edge), "{image:?}");
            }
        }
    }
}

fn compiled(source: &str) -> Arc<Compiled> {
    Arc::new(compile(model(source)).unwrap_or_else(|errors| panic!("{errors:?}")))
}

type Space = super::space::RuleSpace<u64>;

/// The pictures before and after the first move, and how that is written.
fn first_move(source: &str) -> (Picture, String, Picture) {
    let compiled = compiled(source);
    assert!(Layout::new(&compiled.task).bits <= 64);
    let view = RuleView::new(Arc::clone(&compiled), &reduce(&compiled.task, compiled.model.world.cells()).reached);
    let mut position = View::<Space>::initial(&view);
    let draw = |position: &_| View::<Space>::picture(&view, position).expect("it is small");
    let before = draw(&position);
    let (number, _) = compiled.task.successors(&compiled.task.start).next().expect("there is a move");
    let written = View::<Space>::notation(&view, &position, number as u32, Notation::STANDARD);
    View::<Space>::apply(&view, &mut position, number as u32);
    assert_eq!(
        View::<Space>::draw(&view, &position, Style::Plain),
        View::<Space>::draw(&view, &position, Style::Drawn)
    );
    (before, written, draw(&position))
}

#[test]
fn what_moves_stays_the_same_figure() {
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
fn variables_are_written_below_the_grid() {
    let source = "start = { drawing = '.a', n = 1, disk = ['x', 'y'], t = 3 }\ngoal = { n = 0 }\n\
        [variables]\nn = '0..2'\n'disk[1..2]' = ['x', 'y']\n't[0..1, 1..2]' = '3..4'\n\
        [[rules]]\nname = 'less'\nthen = { n = 'n - 1' }\n";
    let rules_model = model(source);
    let rules = RuleBook::new(&rules_model);
    assert_eq!(rules.draw(), ".a\nn 1\ndisk[1..2] x y\nt[0, 1..2] 3 3\nt[1, 1..2] 3 3\n");
    let (before, written, after) = first_move(source);
    assert_eq!((written.as_str(), before.rows, after.columns), ("less", 6, "disk[1..2] x y".len()));
    let digit = |picture: &Picture| picture.figure_on((2, 2)).map(|figure| figure.label.clone());
    assert_eq!((digit(&before).as_deref(), digit(&after).as_deref()), (Some("1"), Some("0")));
}

#[test]
fn variables_without_a_grid_go_along_lanes() {
    let source = "start = { jug = 2, boat = 'left' }\ngoal = { jug = 1 }\n[variables]\njug = '1..2'\nboat = ['left', 'right']\n\
        [[rules]]\nname = 'cross'\nthen = { boat = 'boat == left ? right : left' }\n";
    let (before, _, after) = first_move(source);
    let place = |picture: &Picture, name: &str| {
        picture.figures.iter().find(|figure| figure.label == name).map(|figure| (figure.key, figure.at))
    };
    assert_eq!((place(&before, "jug"), place(&after, "jug")), (Some((0, (1, 1))), Some((0, (1, 1)))));
    assert_eq!((place(&before, "boat"), place(&after, "boat")), (Some((1, (2, 2))), Some((1, (2, 3)))));
    assert_eq!((before.ground[4 + 1], before.ground[4 + 2]), (Ground::Floor, Ground::Void), "a jug is never left");
}

#[test]
fn a_symbol_of_one_kind_is_read_where_it_stands() {
    // That there is no `b` shows only when it is known what can be reached.
    let source = "start = { drawing = 'a..', v = 'none' }\ngoal = { v = 'yes' }\n[variables]\nv = ['none', 'yes', 'no']\n\
        [sets]\nS = 'ab'\n[maps]\nm = { a = 'yes', b = 'no' }\n\
        [[rules]]\nname = 'walk'\nfrom = 'a.'\nto = '.a'\nmirror = true\n\
        [[rules]]\nname = 'look'\nwhen = [\"cell[0, 2] in ['a', 'b']\", 'v == none']\nthen = { v = 'm(cell[0, 2])' }\n";
    let task = reduce(&compiled(source).task, 3).task;
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
fn quantifiers_that_multiply_are_refused() {
    let nested = |quantifier: &str, inner: &str| {
        let over: String = (0..9).map(|number| format!("{quantifier}(i{number} in 0..99: ")).collect();
        format!("{over}{inner}{}", ")".repeat(9))
    };
    for when in [nested("all", "n < 2"), nested("sum", "1") + " > 1"] {
        let source = "start = { n = 0 }\ngoal = { n = 2 }\n[variables]\nn = '0..2'\n".to_owned()
            + &rule(&format!("when = '{when}'\nthen = {{ n = 'n + 1' }}"));
        assert!(compile(model(&source)).is_err(), "{when}");
    }
}

#[test]
fn quotients_round_down_whatever_the_signs() {
    let when = "7 / 2 == 3 && -7 / 2 == -4 && 7 / -2 == -4 && -7 / -2 == 3 && -6 / 2 == -3 \
        && 7 % 2 == 1 && -7 % 2 == 1 && 7 % -2 == -1 && -7 % -2 == -1 && -6 % 2 == 0";
    let source = "start = { n = 0 }\ngoal = { n = 1 }\n[variables]\nn = '0..1'\n".to_owned()
        + &rule(&format!("when = '{when}'\nthen = {{ n = 1 }}"));
    assert_eq!(legal(&source), "go");
}

#[test]
fn names_that_look_like_numbered_moves_are_refused() {
    for (name, is_good) in [("a #2", false), ("#{k}", false), ("a # b", true), ("a#2", true)] {
        let source = "start = { n = 0 }\ngoal = { n = 1 }\n[variables]\nn = '0..1'\n".to_owned()
            + &format!("[[rules]]\nname = '{name}'\nfor = {{ k = '1..2' }}\nthen = {{ n = 1 }}\n");
        let keys: Keys = toml::from_str(&source).expect("the test's keys are TOML");
        let (folder, names) = (Folder::of("".as_ref(), false), Default::default());
        let file = FileContext { source: &source, folder, insertion: 0, refused: &[], memory: None, names: &names };
        assert_eq!(description::read(&keys, &file).is_ok(), is_good, "{name}");
    }
}
