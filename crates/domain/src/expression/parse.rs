//! The grammar of expressions. Precedence climbing and source locations come from winnow.

use super::{Expr, ExprError, Kind, Many, Operation, Quantifier};
use winnow::ascii::{digit1, multispace0};
use winnow::combinator::{
    Infix, Postfix, Prefix, alt, cut_err, delimited, expression, not, opt, peek, preceded, separated,
};
use winnow::error::{ContextError, ErrMode, StrContext, StrContextValue};
use winnow::prelude::*;
use winnow::stream::{LocatingSlice, Location};
use winnow::token::{literal, one_of, take_while};

type Input<'a> = LocatingSlice<&'a str>;
type Read<T> = ModalResult<T>;

/// The most bytes of an expression.
const LONGEST: usize = 4000;

/// The most brackets and prefix operators; each may add a level of recursion.
const DEEPEST: usize = 150;

/// Parses an expression.
///
/// # Errors
/// The first place that cannot be read.
pub fn parse(text: &str) -> Result<Expr, ExprError> {
    read(text, (expr, multispace0).map(|(expr, _)| expr))
}

/// Parses the target of an assignment with its bound names: `cell[0, i] for i in 0..3`.
///
/// # Errors
/// The first place that cannot be read.
pub fn parse_target(text: &str) -> Result<(Expr, Vec<(String, Many)>), ExprError> {
    let for_clause = (preceded(word("for"), name), preceded(word("in"), cut_err(many)));
    let for_clauses = winnow::combinator::repeat(0.., for_clause);
    read(text, (operand, for_clauses, multispace0).map(|(target, bound_names, _)| (target, bound_names)))
}

/// Returns whether a text is a valid name.
#[must_use]
pub fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|c| c.is_alphabetic() || c == '_') && letters.all(is_in_name)
}

fn is_in_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn read<'a, T>(text: &'a str, mut parser: impl Parser<Input<'a>, T, ErrMode<ContextError>>) -> Result<T, ExprError> {
    let deep = text.chars().filter(|c| "([!-?".contains(*c)).count();
    if text.len() > LONGEST || deep > DEEPEST {
        let message =
            format!("the expression is too long: at most {LONGEST} bytes and {DEEPEST} brackets and operators");
        return Err(ExprError { at: 0..text.len(), message, help: None });
    }
    parser.parse(LocatingSlice::new(text)).map_err(|error| {
        let start = error.offset().min(text.len());
        let end = text[start..].chars().next().map_or(start, |c| start + c.len_utf8());
        let expected = error.inner().to_string();
        let found = match &text[start..end] {
            "" => "end of the expression".to_owned(),
            letter => format!("`{letter}` in the expression"),
        };
        let message = match &*expected {
            "" => format!("unexpected {found}"),
            expected => format!("unexpected {found}: {}", expected.replace('\n', ", ")),
        };
        ExprError { at: start..end, message, help: suggestion(&text[start..]) }
    })
}

/// Returns what to write in place of the rest of an expression, which cannot be read on from its first character.
fn suggestion(rest: &str) -> Option<String> {
    let is_comparison = ["==", "!=", "<", ">"].iter().any(|sign| rest.starts_with(sign));
    let digits = &rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())];
    Some(match rest.chars().next()? {
        _ if is_comparison => "compare two values at a time: `a < b && b < c`".to_owned(),
        '=' => "did you mean `==`?".to_owned(),
        '&' => "did you mean `&&`?".to_owned(),
        '|' => "did you mean `||`?".to_owned(),
        _ if !digits.is_empty() && digits.parse::<i64>().is_err() => format!("numbers go up to {}", i64::MAX),
        symbol if symbol.is_whitespace() || "()[]{},:?!+-*/%'\"".contains(symbol) || is_in_name(symbol) => return None,
        // A symbol of the puzzle, which is no name.
        symbol => format!("a symbol needs quotes: '{symbol}'"),
    })
}

fn expecting(what: &'static str) -> StrContext {
    StrContext::Expected(StrContextValue::Description(what))
}

fn symbol<'a>(text: &'static str) -> impl Parser<Input<'a>, (), ErrMode<ContextError>> {
    (multispace0, literal(text)).void()
}

fn word<'a>(text: &'static str) -> impl Parser<Input<'a>, (), ErrMode<ContextError>> {
    (multispace0, literal(text), not(one_of(is_in_name))).void()
}

const WORDS: [&str; 6] = ["and", "or", "not", "in", "for", "true"];

fn name(input: &mut Input) -> Read<String> {
    let letters = (one_of(|c: char| c.is_alphabetic() || c == '_'), take_while(0.., is_in_name));
    let known = letters.take().verify(|name: &str| !WORDS.contains(&name) || name == "true");
    preceded(multispace0, known).map(str::to_owned).parse_next(input)
}

fn expr(input: &mut Input) -> Read<Expr> {
    let condition = climbing(input)?;
    if opt(symbol("?")).parse_next(input)?.is_none() {
        return Ok(condition);
    }
    let yes = cut_err(expr).parse_next(input)?;
    cut_err(symbol(":")).context(expecting("`:` and another value")).parse_next(input)?;
    let no = cut_err(expr).parse_next(input)?;
    let span = condition.span.start..no.span.end;
    Ok(Expr { kind: Kind::Conditional(Box::new(condition), Box::new(yes), Box::new(no)), span })
}

/// Binding powers of the operators.
const OR: i64 = 2;
const AND: i64 = 4;
const NOT: i64 = 6;
const COMPARED: i64 = 8;
const ADDED: i64 = 10;
const MULTIPLIED: i64 = 12;
const NEGATED: i64 = 14;

type Sign<'a> = Infix<Input<'a>, Expr, ErrMode<ContextError>>;

fn climbing(input: &mut Input) -> Read<Expr> {
    expression(operand)
        .prefix(alt((
            alt(((symbol("!"), not(literal("="))).void(), word("not"))).map(|()| {
                Prefix(NOT, |_: &mut Input<'_>, inner: Expr| {
                    let span = inner.span.clone();
                    Ok(Expr { kind: Kind::Not(Box::new(inner)), span })
                })
            }),
            negated,
        )))
        .postfix(word("in").map(|()| {
            Postfix(COMPARED, |input: &mut Input<'_>, inner: Expr| {
                let list = cut_err(many).parse_next(input)?;
                let span = inner.span.start..input.previous_token_end();
                Ok(Expr { kind: Kind::Within(Box::new(inner), Box::new(list)), span })
            })
        }))
        .infix(alt((logical, comparison, arithmetic)))
        .parse_next(input)
}

fn negated<'a>(input: &mut Input<'a>) -> Read<Prefix<Input<'a>, Expr, ErrMode<ContextError>>> {
    let negative = |_: &mut Input<'a>, inner: Expr| {
        let span = inner.span.clone();
        Ok(Expr { kind: Kind::Negative(Box::new(inner)), span })
    };
    symbol("-").map(|()| Prefix(NEGATED, negative)).parse_next(input)
}

fn binary(by: Operation, left: Expr, right: Expr) -> Expr {
    let span = left.span.start..right.span.end;
    Expr { kind: Kind::Binary(by, Box::new(left), Box::new(right)), span }
}

fn logical<'a>(input: &mut Input<'a>) -> Read<Sign<'a>> {
    alt((
        alt((symbol("||"), word("or")))
            .map(|()| Infix::Left(OR, (|_, a, b| Ok(binary(Operation::Or, a, b))) as Fold<'a>)),
        alt((symbol("&&"), word("and")))
            .map(|()| Infix::Left(AND, (|_, a, b| Ok(binary(Operation::And, a, b))) as Fold<'a>)),
    ))
    .parse_next(input)
}

type Fold<'a> = fn(&mut Input<'a>, Expr, Expr) -> Result<Expr, ErrMode<ContextError>>;

fn comparison<'a>(input: &mut Input<'a>) -> Read<Sign<'a>> {
    let fold = alt((
        symbol("==").map(|()| (|_, a, b| Ok(binary(Operation::Equal, a, b))) as Fold<'a>),
        symbol("!=").map(|()| (|_, a, b| Ok(binary(Operation::Unequal, a, b))) as Fold<'a>),
        symbol("<=").map(|()| (|_, a, b| Ok(binary(Operation::AtMost, a, b))) as Fold<'a>),
        symbol(">=").map(|()| (|_, a, b| Ok(binary(Operation::AtLeast, a, b))) as Fold<'a>),
        symbol("<").map(|()| (|_, a, b| Ok(binary(Operation::Less, a, b))) as Fold<'a>),
        symbol(">").map(|()| (|_, a, b| Ok(binary(Operation::Greater, a, b))) as Fold<'a>),
    ));
    fold.map(|fold| Infix::Neither(COMPARED, fold)).context(expecting("a comparison")).parse_next(input)
}

fn arithmetic<'a>(input: &mut Input<'a>) -> Read<Sign<'a>> {
    alt((
        symbol("+").map(|()| Infix::Left(ADDED, (|_, a, b| Ok(binary(Operation::Plus, a, b))) as Fold<'a>)),
        symbol("-").map(|()| Infix::Left(ADDED, (|_, a, b| Ok(binary(Operation::Minus, a, b))) as Fold<'a>)),
        symbol("*").map(|()| Infix::Left(MULTIPLIED, (|_, a, b| Ok(binary(Operation::Times, a, b))) as Fold<'a>)),
        symbol("/").map(|()| Infix::Left(MULTIPLIED, (|_, a, b| Ok(binary(Operation::Divide, a, b))) as Fold<'a>)),
        symbol("%").map(|()| Infix::Left(MULTIPLIED, (|_, a, b| Ok(binary(Operation::Modulo, a, b))) as Fold<'a>)),
    ))
    .parse_next(input)
}

fn operand(input: &mut Input) -> Read<Expr> {
    multispace0.parse_next(input)?;
    let start = input.current_token_start();
    if opt(symbol("(")).parse_next(input)?.is_some() {
        return cut_err((expr, symbol(")").context(expecting("`)`")))).map(|(inner, ())| inner).parse_next(input);
    }
    let number = digit1.parse_to::<i64>().map(Kind::Number);
    let text = delimited('\'', take_while(1.., |c| c != '\'' && c != '\n'), cut_err('\''));
    let text = text.map(|text: &str| Kind::Quoted(text.to_owned()));
    let kind = alt((number, text, named)).parse_next(input)?;
    Ok(Expr { kind, span: start..input.previous_token_end() })
}

/// Parses an operand that begins with a name.
fn named(input: &mut Input) -> Read<Kind> {
    let name = name(input)?;
    if opt(symbol("[")).parse_next(input)?.is_some() {
        let indices = separated(1.., expr, symbol(","));
        let indices =
            cut_err((indices, symbol("]").context(expecting("`]`")))).map(|(all, ())| all).parse_next(input)?;
        return Ok(Kind::Element(name, indices));
    }
    if opt(symbol("(")).parse_next(input)?.is_none() {
        return Ok(match &*name {
            "true" => Kind::True,
            _ => Kind::Name(name),
        });
    }
    let quantifier = match &*name {
        "all" => Some(Quantifier::All),
        "any" => Some(Quantifier::Any),
        "count" => Some(Quantifier::Count),
        "sum" => Some(Quantifier::Sum),
        "min" => Some(Quantifier::Min),
        "max" => Some(Quantifier::Max),
        _ => None,
    };
    if let Some(quantifier) = quantifier
        && let Some((bound_name, many)) = quantified(input, quantifier)?
    {
        let rest = (expr, symbol(")").context(expecting("`)`"))).map(|(body, ())| body);
        let body = cut_err(rest).parse_next(input)?;
        return Ok(Kind::Quantified(quantifier, bound_name, Box::new(many), Box::new(body)));
    }
    let arguments = separated(1.., expr, symbol(","));
    let arguments =
        cut_err((arguments, symbol(")").context(expecting("`)`")))).map(|(all, ())| all).parse_next(input)?;
    Ok(Kind::Call(name, arguments))
}

/// Parses the bound name of a quantifier and its members, up to the colon, if that is what follows.
fn quantified(input: &mut Input, quantifier: Quantifier) -> Read<Option<(String, Many)>> {
    let bound = || (name, word("in")).map(|(name, ())| name);
    let colon = || symbol(":").context(expecting("`:` and a condition"));
    // `min(x in [1, 2] ? a : b, c)` is a function of two numbers.
    if matches!(quantifier, Quantifier::Min | Quantifier::Max) {
        return opt((bound(), many, symbol(":")).map(|(name, many, ())| (name, many))).parse_next(input);
    }
    let Some(name) = opt(bound()).parse_next(input)? else { return Ok(None) };
    cut_err((many, colon())).map(|(many, ())| Some((name.clone(), many))).parse_next(input)
}

/// Parses a range, a list, or the name of a set.
fn many(input: &mut Input) -> Read<Many> {
    if opt(symbol("[")).parse_next(input)?.is_some() {
        let list = separated(0.., expr, symbol(","));
        return cut_err((list, symbol("]").context(expecting("`]`"))))
            .map(|(list, ())| Many::List(list))
            .parse_next(input);
    }
    let bound = |input: &mut Input<'_>| expression(operand).prefix(negated).infix(arithmetic).parse_next(input);
    let least: Expr = bound(input)?;
    if let Kind::Name(name) = &least.kind
        && opt(peek(symbol(".."))).parse_next(input)?.is_none()
    {
        return Ok(Many::Set(name.clone(), least.span));
    }
    symbol("..").context(expecting("a range such as `1..3`, or a list such as `[a, b]`")).parse_next(input)?;
    Ok(Many::Range(least, bound(input)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Prints an expression with all brackets.
    fn bracketed(expr: &Expr) -> String {
        match &expr.kind {
            Kind::Name(name) | Kind::Quoted(name) => name.clone(),
            Kind::Number(number) => number.to_string(),
            Kind::True => "true".to_owned(),
            Kind::Not(inner) => format!("!{}", bracketed(inner)),
            Kind::Negative(inner) => format!("-{}", bracketed(inner)),
            Kind::Binary(by, left, right) => format!("({} {by:?} {})", bracketed(left), bracketed(right)),
            Kind::Conditional(condition, yes, no) => {
                format!("({} ? {} : {})", bracketed(condition), bracketed(yes), bracketed(no))
            }
            Kind::Element(name, of) | Kind::Call(name, of) => {
                format!("{name}[{}]", of.iter().map(bracketed).collect::<Vec<_>>().join(" "))
            }
            Kind::Quantified(what, name, collection, body) => {
                format!("{what:?} {name} {} {}", listed(collection), bracketed(body))
            }
            Kind::Within(inner, collection) => format!("({} in {})", bracketed(inner), listed(collection)),
        }
    }

    fn listed(many: &Many) -> String {
        match many {
            Many::Range(least, most) => format!("{}..{}", bracketed(least), bracketed(most)),
            Many::Set(name, _) => name.clone(),
            Many::List(list) => format!("{:?}", list.iter().map(bracketed).collect::<Vec<_>>()),
        }
    }

    #[test]
    fn operators_have_the_usual_precedence() {
        for (text, read) in [
            ("a + b * c - 1", "((a Plus (b Times c)) Minus 1)"),
            ("a == b && !c == d || e", "(((a Equal b) And !(c Equal d)) Or e)"),
            ("-a*2 < 3", "((-a Times 2) Less 3)"),
            ("not a and b", "(!a And b)"),
            ("x in 1..n-1 and y", "((x in 1..(n Minus 1)) And y)"),
            ("x in [a, 'o'] ? 1 : 2", "((x in [\"a\", \"o\"]) ? 1 : 2)"),
            ("all(s in 1..d-1: disk[s] != to)", "All s 1..(d Minus 1) (disk[s] Unequal to)"),
            ("count('o') >= min(1, 2)", "(count[o] AtLeast min[1 2])"),
            ("cell[r, c + 1]!='$'", "(cell[r (c Plus 1)] Unequal $)"),
        ] {
            assert_eq!(parse(text).map(|expr| bracketed(&expr)).as_deref(), Ok(read), "{text}");
        }
    }

    #[test]
    fn errors_have_their_place() {
        for (text, at) in
            [("a +", 3), ("a == == b", 5), ("(a", 2), ("all(x in 3: y)", 10), ("a $ b", 2), ("disk[1", 6), ("", 0)]
        {
            assert_eq!(parse(text).map_err(|wrong| wrong.at.start), Err(at), "{text}");
        }
        for (text, help) in [
            ("0 < x < 3", "compare two values at a time: `a < b && b < c`"),
            ("a == b == c", "compare two values at a time: `a < b && b < c`"),
            ("a = b", "did you mean `==`?"),
            ("a & b", "did you mean `&&`?"),
            ("a | b", "did you mean `||`?"),
            ("x + 9223372036854775808", "numbers go up to 9223372036854775807"),
            ("a == $", "a symbol needs quotes: '$'"),
        ] {
            assert_eq!(parse(text).map_err(|wrong| wrong.help), Err(Some(help.to_owned())), "{text}");
        }
        assert!(parse(&"(".repeat(5000)).is_err() && parse(&"!".repeat(3000)).is_err());
    }

    #[test]
    fn sets_have_names_and_min_and_max_are_functions_and_quantifiers() {
        for (text, read) in [
            ("sum(t in tiles: row(t))", "Sum t tiles row[t]"),
            ("min(g in goals: a)", "Min g goals a"),
            ("min(a in [1, 2] ? 1 : 2, b)", "min[((a in [\"1\", \"2\"]) ? 1 : 2) b]"),
            ("max(i in 0..n - 1: i)", "Max i 0..(n Minus 1) i"),
            ("t in tiles && a", "((t in tiles) And a)"),
        ] {
            assert_eq!(parse(text).map(|expr| bracketed(&expr)).as_deref(), Ok(read), "{text}");
        }
    }

    #[test]
    fn targets_have_bound_names() {
        let (target, bound_names) = parse_target("cell[0, i] for i in 0..k - 1").expect("a target");
        assert_eq!(
            (bracketed(&target), bound_names[0].0.as_str(), listed(&bound_names[0].1)),
            ("cell[0 i]".to_owned(), "i", "0..(k Minus 1)".to_owned())
        );
    }
}
