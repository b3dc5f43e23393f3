//! What the model of a file holds: consequences, passes, bodies and piles.

use super::model;
use crate::expression::{Kind, PileExpr, Term};
use crate::model::{NamePart, Rule};

/// A file with four tubes, and a rule and a consequence with these keys.
fn tubes(keys: &str, after: &str) -> String {
    format!(
        "start = {{ tube = ['a b', 'b 10', '', ''], rest = '' }}\ngoal = {{ 'tube[2]' = 'b b 10' }}\n\
         [piles]\n'tube[1..4]' = {{ most = [3, 3, 2, 2] }}\nrest = {{}}\n[[rules]]\nname = 'go'\n{keys}\n{after}"
    )
}

/// What breaks: piles are read in another order, or a number of an item is that of another.
#[test]
fn piles_have_their_items_and_limits() {
    let model = model(&tubes("carry = { from = 'tube[1]', to = 'rest' }", ""));
    let items: Vec<String> = model.world.items.iter().map(Term::to_string).collect();
    assert_eq!(items, ["10", "a", "b"], "numbers come first");
    assert_eq!(model.start_piles, [vec![1, 2], vec![2, 0], vec![], vec![], vec![]]);
    let limits: Vec<Option<usize>> = (0..5).map(|pile| model.world.most_items(pile)).collect();
    assert_eq!(limits, [Some(3), Some(3), Some(2), Some(2), None]);
    let names: Vec<String> = (0..5).map(|pile| model.world.pile_name(pile)).collect();
    assert_eq!(names, ["tube[1]", "tube[2]", "tube[3]", "tube[4]", "rest"]);
    assert_eq!(model.goals[0].piles, [(1, vec![2, 2, 0])]);
    assert!(model.needs_machine());
}

/// What breaks: items have no colours without a grid, or a pattern hides a colour of its own.
#[test]
fn items_have_the_colours_of_their_keys_and_of_patterns() {
    let of = |colors: &str| {
        let keys = "carry = { from = 'tube[1]', to = 'rest' }";
        model(&format!(
            "colors = {colors}
{}",
            tubes(keys, "")
        ))
    };
    let model = of("{ '?' = 'red', '1?' = 'gold', '??' = 'navy', a = 'white' }");
    let colours = |item: &str| model.looks.get(item).map(|look| look.colours.clone());
    let [red, gold, white] = [[0xd3, 0x2f, 0x2f], [0xd8, 0xa8, 0x20], [0xf5; 3]].map(|colour| Some(vec![colour]));
    assert_eq!([colours("b"), colours("10"), colours("a")], [red, gold, white]);
    assert_eq!(model.looks.len(), 3, "a pattern is no item");
}

/// What breaks: the name of an array of piles stays a value of the parameter, or `carry` finds another pile.
#[test]
fn parameters_stand_for_each_pile_of_an_array() {
    let keys = "for = { x = ['tube', 'rest'], k = '1..2' }\nwhen = ['top(x, k) == b', 'size(tube[k]) > same(rest)']\n\
        carry = { from = 'x', to = 'tube[k + 1]', count = 'k', turned = true }";
    let model = model(&tubes(keys, ""));
    let rule = &model.rules[0];
    assert_eq!(rule.parameters[0].1, (0..5).map(Term::Pile).collect::<Vec<_>>());
    let carry = rule.carry.as_ref().expect("it carries");
    assert_eq!((&carry.from, carry.turned), (&PileExpr::Parameter(0), true));
    assert!(matches!(&carry.to, PileExpr::Element(0, indices) if indices.len() == 1), "{carry:?}");
    assert_eq!(rule.name, [NamePart::Text("go".to_owned())], "without a drawing there is no place");
}

/// A file with a grid, and a consequence with these keys.
fn falling(after: &str) -> Rule {
    let source = format!(
        "start = 'a.b'\ngoal = '.ab'\nbodies = ['N', '#']\nsets = {{ N = 'ab' }}\nmaps = {{ m = {{ '#' = '.' }} }}\n\
         [[rules]]\nname = 'go'\nfrom = 'a.'\nto = '.a'\n[[after]]\n{after}\n"
    );
    let model = model(&source);
    assert_eq!(model.bodies, [vec![0, 2], vec![3]], "the symbols are `a.b#`");
    model.after[0].clone()
}

/// What breaks: a key of consequences is dropped, or has the images of another.
#[test]
fn consequences_have_images_of_their_own() {
    let rule = falling("from = 'NN'\nto = 'mN'\nall = true\nrepeat = true\nturns = 'move'");
    assert_eq!((rule.all, rule.in_image_of_move, rule.images().len(), rule.name.len()), (true, true, 8, 0));
    assert_eq!(rule.cost.expr.kind, Kind::Term(Term::Number(0)));
    let rule = falling("shift = 'N'\npush = 'b'\ninto = '.a'\ndirection = 'down'\nwhen = \"ahead('N') > bodies('b')\"");
    let shift = rule.shift.as_ref().expect("it shifts");
    assert_eq!((&shift.moved[..], &shift.push[..], &shift.into[..]), (&[0, 2][..], &[2][..], &[1, 0][..]));
    assert_eq!(rule.images().iter().map(|image| image.forward()).collect::<Vec<_>>(), [(1, 0)]);
    let is_ahead = |kind: &Kind| matches!(kind, Kind::Ahead(symbols) if symbols.len() == 2);
    assert!(matches!(&rule.when[0].expr.kind, Kind::Binary(_, left, _) if is_ahead(&left.kind)), "{:?}", rule.when);
}

/// What breaks: a move without a place gets one in its name.
#[test]
fn names_have_the_place_of_a_shift_and_none_with_all() {
    let name = |keys: &str| {
        let source = format!("start = 'a.b'\ngoal = '.ab'\n[[rules]]\nname = 'go'\n{keys}\n");
        model(&source).rules[0].name.clone()
    };
    let parts = |parts: &[NamePart]| parts.iter().filter(|part| !matches!(part, NamePart::Text(_))).count();
    let shift = name("shift = 'a'\ninto = '.'\nturns = true");
    assert_eq!((parts(&shift), shift.last()), (2, Some(&NamePart::Direction)));
    assert!(shift.contains(&NamePart::Place(0, 0)));
    let all = name("from = 'a.'\nto = '.a'\nall = true\nturns = true");
    assert_eq!((parts(&all), all.last()), (1, Some(&NamePart::Direction)));
    assert_eq!(parts(&name("from = 'a.'\nto = '.a'\nall = true")), 0);
}

/// What breaks: a pattern hides an exact key, or the order of patterns is lost.
#[test]
fn exact_keys_of_maps_win_over_patterns_and_these_in_the_order_of_the_file() {
    let source = "start = 'a.b'\ngoal = '.ab'\n[maps]\nrank = { '?1' = 'low', 'A?' = 'ace', '??' = 2, 'A1' = 'exact' }\n\
        [[rules]]\nname = 'go'\nfrom = 'a.'\nto = '.a'\n";
    let model = model(source);
    let rank = |value: &str| model.world.maps[0].1.get(&Term::read(value)).map(Term::to_string);
    let found = ["A1", "21", "AK", "-5", "K", "A10"].map(|value| rank(value).unwrap_or_default());
    assert_eq!(found, ["exact", "low", "ace", "2", "", ""]);
    assert!(!model.needs_machine(), "the task knows patterns");
}

/// What breaks: a drawing is wanted where it does not fit, where a wall is, or across a fence.
#[test]
fn a_drawing_may_lie_at_each_place_where_nothing_parts_it() {
    let goals = |goal: &str, fences: &str| {
        let source = format!(
            "start = '''\na.b.\n#...\n'''\ngoal = {goal}\n{fences}\nsets = {{ N = 'ab' }}\n\
             [[rules]]\nname = 'go'\nfrom = 'N.'\nto = '.N'\nturns = true\n"
        );
        super::compiled(&source).task.goals.clone()
    };
    // Of six places, one is on the wall.
    assert_eq!(goals("{ anywhere = 'ab' }", "").len(), 5);
    assert_eq!(goals("{ anywhere = 'N?b' }", "").len(), 3);
    let fences = "fences = '''\n+-+-+-+-+\n|.|. . .|\n+ + + + +\n|. . . .|\n+-+-+-+-+\n'''";
    assert_eq!(goals("{ anywhere = 'ab' }", fences).len(), 4);
    assert_eq!(goals("{ anywhere = 'a?b' }", fences).len(), 3, "nothing is wanted of the cell between them");
    assert_eq!(goals("[{ anywhere = 'ab', count = { a = 1 } }, { anywhere = '''\na\nb\n''' }]", "").len(), 8);
    let one = &goals("{ anywhere = 'a..b' }", "")[0];
    assert_eq!(one.conditions.iter().map(|(cell, _)| *cell).collect::<Vec<_>>(), [0, 1, 2, 3]);
}

/// What breaks: many places become many goals, each with heuristics of its own.
#[test]
fn a_drawing_with_many_places_is_one_goal_with_alternatives() {
    let row = ".".repeat(70) + "ab";
    let source = format!(
        "start = '{row}'\ngoal = {{ anywhere = 'ba' }}\n[[rules]]\nname = 'go'\nfrom = 'a.'\nto = '.a'\n\
        mirror = true\n[[rules]]\nname = 'over'\nfrom = 'ab'\nto = 'ba'\n"
    );
    let goals = super::compiled(&source).task.goals.clone();
    assert_eq!((goals.len(), goals[0].disjunctions[0].len()), (1, 71));
}
