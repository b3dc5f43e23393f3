//! Tests of heuristics' expressions: types, names, values, and where there is none.

use super::{Function, Set, Type, Vocabulary, compile};

const FUNCTIONS: &[Function] = &[
    Function { name: "row", takes: &[Type::Element], gives: Type::Number },
    Function { name: "size", takes: &[], gives: Type::Number },
    Function { name: "empty", takes: &[Type::Number, Type::Number], gives: Type::Truth },
    Function { name: "gone", takes: &[], gives: Type::Number },
];

fn quoted(name: &str) -> Result<i64, (String, String)> {
    match name {
        "a" => Ok(0),
        _ => Err((format!("unknown piece `{name}`"), "did you mean `a`?".to_owned())),
    }
}

fn vocabulary() -> Vocabulary<'static> {
    Vocabulary {
        sets: vec![
            Set { name: "pieces", of: Type::Element, members: vec![0, 1, 2] },
            Set { name: "numbers", of: Type::Number, members: vec![5, 7] },
            Set { name: "nobody", of: Type::Element, members: vec![] },
        ],
        constants: vec![("rows", 4)],
        functions: FUNCTIONS,
        missing: vec![(3, ("`gone` is gone".to_owned(), "leave it".to_owned()))],
        element: "a piece",
        quoted: &quoted,
    }
}

/// Evaluates where the row of piece p is 10 p, undefined for piece 2 if `partial`.
fn value(text: &str, partial: bool) -> Result<i64, String> {
    let formula = compile(text, &vocabulary()).map_err(|wrong| format!("{:?} {}", wrong.at, wrong.message))?;
    let reading = |function: usize, arguments: &[i64]| match function {
        0 if partial && arguments[0] == 2 => None,
        0 => Some(10 * arguments[0]),
        1 => Some(9),
        _ => Some(i64::from(arguments[0] == arguments[1])),
    };
    formula.value(&reading).map_err(|undefined| format!("{:?} {undefined}", undefined.place()))
}

#[test]
fn expressions_have_their_values() {
    for (text, expected) in [
        ("sum(p in pieces: row(p))", 30),
        ("sum(row)", 30),
        ("count(row > 5)", 2),
        ("count(p in pieces: any(q in pieces: q != p && row(q) < row(p)))", 2),
        ("count(count(row > 5) == 2 && row > 5)", 2),
        ("min(p in pieces: row(p) + 1)", 1),
        ("max(n in numbers: n) + max(1, 2, 3)", 10),
        ("sum(i in 1..4: i * i) - sum(i in [1, 2]: i)", 27),
        ("-7 / 2 * 10 + -7 % 2", -39),
        ("size + rows", 13),
        ("empty(1, 1) && !false ? 1 : 0", 1),
        ("all(p in nobody: false) ? sum(p in nobody: row(p)) : 7", 0),
        ("row('a') in 0..3 and 'a' in pieces ? abs(3 - 5) : 0", 2),
        ("5 in numbers || 1 / 0 == 1 ? 3 : 1 / 0", 3),
        ("count(n in 5..1: true)", 0),
    ] {
        assert_eq!(value(text, false), Ok(expected), "{text}");
    }
}

#[test]
fn undefined_values_have_a_reason_and_a_place() {
    for (text, expected) in [
        ("1 + 2 / (rows - 4)", "4..17 a division by 0"),
        ("5 % (rows - 4)", "0..13 a division by 0"),
        ("9223372036854775807 + rows", "0..26 a number that does not fit into 64 bits"),
        ("sum(i in 1..3: 9223372036854775807)", "0..35 a number that does not fit into 64 bits"),
        ("min(p in nobody: row(p))", "0..24 the least or greatest of nothing"),
        ("count(i in 0..65536: true)", "0..26 a range of more than 65,536 members"),
        ("count(i in 1..2000: count(j in 1..2000: true) > 0)", "20..45 it takes more than 1,000,000 steps"),
        ("sum(p in pieces: row(p))", "17..23 there is no such tile, cell or place"),
    ] {
        let found = value(text, true).expect_err(text);
        let is_long = expected.contains("steps");
        assert!(found == expected || is_long && found.ends_with("more than 1,000,000 steps"), "{text}: {found}");
    }
}

#[test]
fn mistakes_have_their_place_and_a_remedy() {
    for (text, place, message, help) in [
        ("count(p in piece: true)", 11..16, "unknown set `piece`", "did you mean `pieces`?"),
        ("sum(p in pieces: rwo(p))", 17..23, "unknown function `rwo`", "did you mean `row`?"),
        ("rows == 4", 0..9, "expected a number, found `true` or `false`", "count what holds"),
        ("sum(p in pieces: p)", 17..18, "expected a number, found a piece", ""),
        ("row(3)", 4..5, "expected a piece, found a number", ""),
        ("row('b')", 4..7, "unknown piece `b`", "did you mean `a`?"),
        ("row", 0..3, "unknown name `row`", "write `row(x)` with a piece"),
        ("pieces", 0..6, "unknown name `pieces`", "is a set"),
        ("size(1)", 0..7, "invalid arguments of `size`", "without brackets"),
        ("gone", 0..4, "`gone` is gone", "leave it"),
        ("rows + gone", 7..11, "`gone` is gone", "leave it"),
        ("cell[1, 2]", 0..10, "`cell` has no elements in brackets", "write functions"),
        ("1 +", 3..3, "unexpected end of the expression", ""),
        ("abs(1, 2)", 0..9, "invalid arguments of `abs`", "abs(x)"),
        ("count(true, true)", 0..17, "invalid arguments of `count`", "count(x in pieces: …)"),
        ("true ? 1 : false", 11..16, "expected a number, found `true` or `false`", ""),
        ("rowz", 0..4, "unknown name `rowz`", "did you mean `row"),
    ] {
        let wrong = compile(text, &vocabulary()).expect_err(text);
        assert_eq!((wrong.at, &*wrong.message), (place, message), "{text}");
        let found = wrong.help.unwrap_or_default();
        assert!(found.contains(help), "{text}: {found}");
    }
    let deep = "sum(i in 1..2: ".repeat(17) + "i" + &")".repeat(17);
    assert!(compile(&deep, &vocabulary()).is_err());
    let deep = "sum(i in 1..1: ".repeat(16) + "i" + &")".repeat(16);
    assert_eq!(value(&deep, false), Ok(1));
}
