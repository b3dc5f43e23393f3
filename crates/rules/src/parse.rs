//! Parses expressions, ranges and names of variables. The grammar of expressions is that of
//! [`engine_domain::expression`]; here its trees become those of written rules, whose names are then
//! [resolved](super::resolve).

use super::expression::{Collection, Expr, Kind, Quantifier, Term};
use engine_domain::expression as grammar;
use std::ops::Range;

pub(super) use grammar::{ExprError, is_name};

/// Reads an expression.
pub(super) fn parse(text: &str) -> Result<Expr, ExprError> {
    grammar::parse(text).and_then(converted)
}

/// Parses the target of an assignment with its bound names: `cell[0, i] for i in 0..3`.
pub(super) fn parse_target(text: &str) -> Result<(Expr, Vec<(String, Collection)>), ExprError> {
    let (target, bound) = grammar::parse_target(text)?;
    let bound = bound.into_iter().map(|(name, many)| Ok((name, collection(many)?))).collect::<Result<_, _>>()?;
    Ok((converted(target)?, bound))
}

fn converted(grammar::Expr { kind, span }: grammar::Expr) -> Result<Expr, ExprError> {
    let boxed = |expr: Box<grammar::Expr>| converted(*expr).map(Box::new);
    let all = |list: Vec<grammar::Expr>| list.into_iter().map(converted).collect::<Result<Vec<_>, _>>();
    let kind = match kind {
        grammar::Kind::Name(name) => Kind::Raw(name),
        grammar::Kind::Number(number) => Kind::Term(Term::Number(number)),
        grammar::Kind::True => Kind::Term(Term::Truth(true)),
        grammar::Kind::Quoted(text) => Kind::Term(Term::read(&text)),
        grammar::Kind::Element(name, indices) => Kind::Element(name, all(indices)?),
        grammar::Kind::Call(name, arguments) => Kind::Call(name, all(arguments)?),
        grammar::Kind::Quantified(quantifier, name, many, body) => {
            let quantifier = known(quantifier, &span)?;
            Kind::Quantified(quantifier, name, Box::new(collection(*many)?), boxed(body)?)
        }
        grammar::Kind::Not(inner) => Kind::Not(boxed(inner)?),
        grammar::Kind::Negative(inner) => Kind::Negative(boxed(inner)?),
        grammar::Kind::Binary(by, left, right) => Kind::Binary(by, boxed(left)?, boxed(right)?),
        grammar::Kind::Within(inner, many) => Kind::Within(boxed(inner)?, Box::new(collection(*many)?)),
        grammar::Kind::Conditional(condition, yes, no) => Kind::Conditional(boxed(condition)?, boxed(yes)?, boxed(no)?),
    };
    Ok(Expr { kind, span })
}

fn collection(many: grammar::Many) -> Result<Collection, ExprError> {
    Ok(match many {
        grammar::Many::Range(least, most) => Collection::Range(converted(least)?, converted(most)?),
        grammar::Many::List(list) => Collection::List(list.into_iter().map(converted).collect::<Result<Vec<_>, _>>()?),
        grammar::Many::Set(name, at) => {
            let message = format!("`{name}` is neither a range nor a list");
            let help = "write a range such as `1..3`, or a list such as `[a, b]`".to_owned();
            return Err(ExprError { at, message, help: Some(help) });
        }
    })
}

/// Returns a quantifier of written rules.
fn known(quantifier: grammar::Quantifier, span: &Range<usize>) -> Result<Quantifier, ExprError> {
    let name = match quantifier {
        grammar::Quantifier::All => return Ok(Quantifier::All),
        grammar::Quantifier::Any => return Ok(Quantifier::Any),
        grammar::Quantifier::Count => return Ok(Quantifier::Count),
        grammar::Quantifier::Sum => return Ok(Quantifier::Sum),
        grammar::Quantifier::Min => "min",
        grammar::Quantifier::Max => "max",
    };
    let message = format!("`{name}` takes numbers here, not the members of a collection");
    Err(ExprError { at: span.clone(), message, help: Some(format!("write them one by one: `{name}(a, b)`")) })
}

/// Parses a range of integers: `0..8`.
pub(super) fn parse_range(text: &str) -> Option<(i64, i64)> {
    let (least, most) = text.split_once("..")?;
    let (least, most) = (least.trim().parse().ok()?, most.trim().parse().ok()?);
    (least <= most).then_some((least, most))
}

/// Parses the name of a variable with its index ranges: `disk[1..10]`.
pub(super) fn parse_array(text: &str) -> Option<(String, Vec<(i64, i64)>)> {
    let (name, rest) = text.split_once('[').unwrap_or((text, ""));
    let name = name.trim();
    let bounds = match rest.trim_end().strip_suffix(']') {
        Some(ranges) => ranges.split(',').map(parse_range).collect::<Option<Vec<_>>>()?,
        None if rest.is_empty() && !text.contains('[') => Vec::new(),
        None => return None,
    };
    (is_name(name) && bounds.len() <= 3).then(|| (name.to_owned(), bounds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variable_names_have_index_ranges() {
        assert_eq!(parse_array("disk[1..10]"), Some(("disk".to_owned(), vec![(1, 10)])));
        assert_eq!(parse_array("t[0..3, -1..1]"), Some(("t".to_owned(), vec![(0, 3), (-1, 1)])));
        assert_eq!(parse_array("goat"), Some(("goat".to_owned(), vec![])));
        assert_eq!(
            [parse_array("disk[1..]"), parse_array("1x"), parse_array("a[2..1]"), parse_array("a]")],
            [None, None, None, None]
        );
    }

    #[test]
    fn sets_and_minima_over_members_are_not_part_of_written_rules() {
        let refused = |text| parse(text).map_err(|wrong| (wrong.at, wrong.message)).expect_err(text);
        assert_eq!(refused("all(x in y: x == 1)"), (9..10, "`y` is neither a range nor a list".to_owned()));
        assert_eq!(refused("min(x in 1..2: x)").0, 0..17);
        assert!(parse("min(x in [1, 2] ? 1 : 2, 3)").is_ok());
    }
}
