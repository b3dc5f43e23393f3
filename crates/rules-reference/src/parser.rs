//! A recursive-descent parser of expressions.
//!
//! In order of increasing precedence: `a ? b : c`; `||`; `&&`; `!`; comparisons and `in`; `+` and `-`; `*`, `/` and
//! `%`; `-x`. Names are resolved during parsing: a name is a parameter, else a variable, else a value.

use super::Read;
use super::expression::{Comparison, Expression, Many, Operation, PileName, Quantifier};
use super::token::{Token, tokens};
use super::value::{Value, only};
use super::world::World;
use std::collections::VecDeque;

/// Deeper nesting would overflow the stack.
const DEEPEST: usize = 200;

/// Reserved words.
const WORDS: [&str; 5] = ["and", "or", "not", "in", "for"];

/// The names that an expression may use: those of the puzzle, and parameters.
#[derive(Clone)]
pub(super) struct Names<'a> {
    world: &'a World,
    /// The parameters of the rule, followed by the names of the enclosing quantifiers.
    parameters: Vec<String>,
    /// The letters of sets in the drawing of the rule.
    letters: Vec<char>,
    /// True after an expression that depends on what a letter matched.
    pub reads_letter: bool,
    /// True after an expression that depends on the place of the rule.
    pub reads_place: bool,
}

/// The target of an assignment.
#[derive(Debug)]
pub(super) enum Target {
    Variable(usize),
    /// An element of the array with this index.
    Element(usize, Vec<Expression>),
    /// The variable that the parameter with this index names.
    Parameter(usize),
}

impl<'a> Names<'a> {
    /// Returns the names of a puzzle, without parameters.
    pub fn new(world: &'a World) -> Names<'a> {
        Names::with(world, &[], Vec::new())
    }

    /// Returns the names of a puzzle with the parameters of a rule, and the letters of sets in its drawing.
    pub fn with(world: &'a World, parameters: &[String], letters: Vec<char>) -> Names<'a> {
        Names { world, parameters: parameters.to_vec(), letters, reads_letter: false, reads_place: false }
    }

    /// Parses an expression.
    ///
    /// # Errors
    /// A syntax error, or an unknown name.
    pub fn expression(&mut self, text: &str) -> Read<Expression> {
        let mut parser = Parser { rest: tokens(text)?.into(), names: self, depth: 0 };
        let read = parser.conditional()?;
        parser.end()?;
        Ok(read)
    }

    /// Parses the name of a pile.
    ///
    /// # Errors
    /// A syntax error, or an unknown name.
    pub fn pile(&mut self, text: &str) -> Read<PileName> {
        let mut parser = Parser { rest: tokens(text)?.into(), names: self, depth: 0 };
        let read = parser.pile()?;
        parser.end()?;
        Ok(read)
    }

    /// Parses a target with its bound names, `cell[0, i] for i in 0..3`. These names become parameters.
    ///
    /// # Errors
    /// A syntax error, or an unknown name.
    pub fn target(&mut self, text: &str) -> Read<(Target, Vec<Many>)> {
        let mut parser = Parser { rest: tokens(text)?.into(), names: self, depth: 0 };
        // The bound names follow the target that uses them.
        let starts = |token: &Token| *token == Token::Word("for".to_owned());
        let target = parser.rest.iter().position(starts).unwrap_or(parser.rest.len());
        let mut for_clauses = parser.rest.split_off(target);
        std::mem::swap(&mut parser.rest, &mut for_clauses);
        let mut collections = Vec::new();
        while parser.takes_word("for") {
            let name = parser.name()?;
            if !parser.takes_word("in") {
                return Err("`in` is missing".to_owned());
            }
            collections.push(parser.many()?);
            parser.names.parameters.push(name);
        }
        parser.end()?;
        parser.rest = for_clauses;
        let target = match parser.operand()? {
            Expression::Variable(variable) => Target::Variable(variable),
            Expression::Element(array, indices) => Target::Element(array, indices),
            Expression::Parameter(number) => Target::Parameter(number),
            _ => return Err("it is no variable".to_owned()),
        };
        parser.end()?;
        Ok((target, collections))
    }
}

struct Parser<'a, 'w> {
    rest: VecDeque<Token>,
    names: &'a mut Names<'w>,
    depth: usize,
}

impl Parser<'_, '_> {
    fn end(&self) -> Read<()> {
        match self.rest.front() {
            None => Ok(()),
            Some(token) => Err(format!("unexpected {token:?}")),
        }
    }

    /// Takes the next token if it is this symbol.
    fn takes(&mut self, sign: &'static str) -> bool {
        self.takes_token(|token| *token == Token::Sign(sign))
    }

    /// Takes the next token if it is this word.
    fn takes_word(&mut self, word: &str) -> bool {
        self.takes_token(|token| matches!(token, Token::Word(known) if known == word))
    }

    fn takes_token(&mut self, is_meant: impl Fn(&Token) -> bool) -> bool {
        let takes = self.rest.front().is_some_and(is_meant);
        if takes {
            self.rest.pop_front();
        }
        takes
    }

    /// Takes this symbol, which must be next.
    fn expect(&mut self, sign: &'static str) -> Read<()> {
        if self.takes(sign) { Ok(()) } else { Err(format!("`{sign}` is missing")) }
    }

    fn name(&mut self) -> Read<String> {
        match self.rest.pop_front() {
            Some(Token::Word(name)) if !WORDS.contains(&name.as_str()) => Ok(name),
            _ => Err("a name is missing".to_owned()),
        }
    }

    fn conditional(&mut self) -> Read<Expression> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("it is nested too deeply".to_owned());
        }
        let condition = self.either()?;
        let read = if self.takes("?") {
            let yes = self.conditional()?;
            self.expect(":")?;
            Expression::Conditional(Box::new([condition, yes, self.conditional()?]))
        } else {
            condition
        };
        self.depth -= 1;
        Ok(read)
    }

    fn either(&mut self) -> Read<Expression> {
        let mut left = self.both()?;
        while self.takes("||") || self.takes_word("or") {
            left = Expression::Either(Box::new(left), Box::new(self.both()?));
        }
        Ok(left)
    }

    fn both(&mut self) -> Read<Expression> {
        let mut left = self.negation()?;
        while self.takes("&&") || self.takes_word("and") {
            left = Expression::Both(Box::new(left), Box::new(self.negation()?));
        }
        Ok(left)
    }

    fn negation(&mut self) -> Read<Expression> {
        let mut negations = 0;
        while self.takes("!") || self.takes_word("not") {
            negations += 1;
        }
        let read = self.comparison()?;
        Ok((0..negations).fold(read, |read, _| Expression::Not(Box::new(read))))
    }

    fn comparison(&mut self) -> Read<Expression> {
        const COMPARISONS: [(&str, Comparison); 6] = [
            ("==", Comparison::Equal),
            ("!=", Comparison::Unequal),
            ("<", Comparison::Less),
            ("<=", Comparison::AtMost),
            (">", Comparison::Greater),
            (">=", Comparison::AtLeast),
        ];
        let mut left = self.sum()?;
        loop {
            left = if self.takes_word("in") {
                Expression::Among(Box::new(left), self.many()?)
            } else if let Some((_, by)) = COMPARISONS.into_iter().find(|(sign, _)| self.takes(sign)) {
                Expression::Compare(by, Box::new(left), Box::new(self.sum()?))
            } else {
                return Ok(left);
            };
        }
    }

    fn sum(&mut self) -> Read<Expression> {
        const SIGNS: [(&str, Operation); 2] = [("+", Operation::Plus), ("-", Operation::Minus)];
        let mut left = self.product()?;
        while let Some((_, by)) = SIGNS.into_iter().find(|(sign, _)| self.takes(sign)) {
            left = Expression::Calculate(by, Box::new(left), Box::new(self.product()?));
        }
        Ok(left)
    }

    fn product(&mut self) -> Read<Expression> {
        const SIGNS: [(&str, Operation); 3] =
            [("*", Operation::Times), ("/", Operation::Divide), ("%", Operation::Modulo)];
        let mut left = self.factor()?;
        while let Some((_, by)) = SIGNS.into_iter().find(|(sign, _)| self.takes(sign)) {
            left = Expression::Calculate(by, Box::new(left), Box::new(self.factor()?));
        }
        Ok(left)
    }

    fn factor(&mut self) -> Read<Expression> {
        let mut signs = 0;
        while self.takes("-") {
            signs += 1;
        }
        let is_negation = match self.rest.front() {
            Some(Token::Sign("!")) => true,
            Some(Token::Word(word)) => word == "not",
            _ => false,
        };
        // `a == !b` has only one possible reading.
        let read = if is_negation { self.negation()? } else { self.operand()? };
        Ok((0..signs).fold(read, |read, _| Expression::Negative(Box::new(read))))
    }

    fn operand(&mut self) -> Read<Expression> {
        if self.takes("(") {
            let read = self.conditional()?;
            self.expect(")")?;
            return Ok(read);
        }
        match self.rest.pop_front() {
            Some(Token::Number(number)) => Ok(Expression::Value(Value::Number(number))),
            Some(Token::Quoted(text)) => Ok(Expression::Value(Value::read(&text))),
            Some(Token::Word(word)) if !WORDS.contains(&word.as_str()) => {
                if self.takes("[") {
                    self.element(&word)
                } else if self.takes("(") {
                    self.call(&word)
                } else {
                    self.named(&word)
                }
            }
            Some(token) => Err(format!("unexpected {token:?}")),
            None => Err("it ends too early".to_owned()),
        }
    }

    /// Resolves a name by itself.
    fn named(&mut self, name: &str) -> Read<Expression> {
        let world = self.names.world;
        if let Some(number) = self.names.parameters.iter().rposition(|known| known == name) {
            return Ok(Expression::Parameter(number));
        }
        if let Some(variable) = world.variable(name) {
            return Ok(Expression::Variable(variable));
        }
        if world.arrays.iter().any(|array| array.name == name) {
            return Err(format!("`{name}` is an array: expected an index in brackets"));
        }
        if let Some(letter) = only(name).filter(|letter| self.names.letters.contains(letter)) {
            self.names.reads_letter = true;
            return Ok(Expression::Letter(letter));
        }
        Ok(Expression::Value(match name {
            "rows" if world.rows > 0 => Value::Number(world.rows as i64),
            "columns" if world.rows > 0 => Value::Number(world.columns as i64),
            _ => Value::read(name),
        }))
    }

    /// Parses an array element after its opening bracket.
    fn element(&mut self, name: &str) -> Read<Expression> {
        let indices = self.list("]")?;
        if name == "mark" {
            let is_place = indices.len() == 2 && !self.names.world.marks.is_empty();
            return if is_place { Ok(Expression::Mark(indices)) } else { Err("there is no such mark".to_owned()) };
        }
        let mut arrays = self.names.world.arrays.iter();
        match arrays.position(|array| array.name == name && array.dimensions() == indices.len()) {
            Some(array) if !indices.is_empty() => Ok(Expression::Element(array, indices)),
            _ => Err(format!("there is no array `{name}` with {} indices", indices.len())),
        }
    }

    /// Parses a function, a quantifier or a map after its opening bracket.
    fn call(&mut self, name: &str) -> Read<Expression> {
        let quantifier = match name {
            "all" => Some(Quantifier::All),
            "any" => Some(Quantifier::Any),
            "count" => Some(Quantifier::Count),
            "sum" => Some(Quantifier::Sum),
            _ => None,
        };
        let is_quantified = matches!((self.rest.front(), self.rest.get(1)), (Some(Token::Word(_)), Some(Token::Word(word))) if word == "in");
        if let Some(quantifier) = quantifier.filter(|_| is_quantified) {
            let bound_name = self.name()?;
            self.takes_word("in");
            let many = self.many()?;
            self.expect(":")?;
            self.names.parameters.push(bound_name);
            let of = self.conditional()?;
            self.names.parameters.pop();
            self.expect(")")?;
            return Ok(Expression::Quantified(quantifier, many, Box::new(of)));
        }
        if !self.names.world.maps.contains_key(name) {
            match name {
                "size" | "same" | "top" => return self.of_pile(name),
                "ahead" | "bodies" => return self.of_symbols(name),
                _ => {}
            }
        }
        let reads_letter = self.names.reads_letter;
        let mut arguments = self.list(")")?;
        match name {
            "min" => return Ok(Expression::Least(arguments)),
            "max" => return Ok(Expression::Greatest(arguments)),
            _ => {}
        }
        let (Some(argument), true) = (arguments.pop(), arguments.is_empty()) else {
            return Err(format!("`{name}` takes one argument"));
        };
        let argument = Box::new(argument);
        match (name, self.names.world.maps.get(name)) {
            ("abs", _) => Ok(Expression::Absolute(argument)),
            // A letter by itself means all symbols of its set here.
            ("count", _) => Ok(Expression::Cells(match *argument {
                Expression::Letter(letter) => {
                    self.names.reads_letter = reads_letter;
                    Box::new(Expression::Value(Value::symbol(letter)))
                }
                _ => argument,
            })),
            (_, Some(map)) => Ok(Expression::Map(map.clone(), argument)),
            (_, None) => Err(format!("there is no map or function `{name}`")),
        }
    }

    /// Parses the arguments of a function of piles.
    fn of_pile(&mut self, name: &str) -> Read<Expression> {
        let pile = self.pile()?;
        let read = match name {
            "size" => Expression::Size(pile),
            "same" => Expression::Same(pile),
            _ => {
                let from_top = if self.takes(",") { self.conditional()? } else { Expression::Value(Value::Number(1)) };
                Expression::Top(pile, Box::new(from_top))
            }
        };
        self.expect(")")?;
        Ok(read)
    }

    /// Parses a pile: the name of one, an element of an array, or a parameter.
    fn pile(&mut self) -> Read<PileName> {
        let name = self.name()?;
        let parameter = self.names.parameters.iter().rposition(|parameter| *parameter == name);
        if let Some(number) = parameter {
            return Ok(PileName::Parameter(number));
        }
        let indices = if self.takes("[") { self.list("]")? } else { Vec::new() };
        let mut piles = self.names.world.piles.iter();
        let array = piles.position(|array| array.name == name && array.dimensions() == indices.len());
        array.map(|array| PileName::Element(array, indices)).ok_or_else(|| format!("there is no pile `{name}`"))
    }

    /// Parses the argument of `ahead` or `bodies`: a symbol, or the letter of a set.
    fn of_symbols(&mut self, name: &str) -> Read<Expression> {
        let character = match self.rest.pop_front() {
            Some(Token::Quoted(text) | Token::Word(text)) => only(&text),
            Some(Token::Number(number)) => only(&number.to_string()),
            _ => None,
        };
        let symbols = character.map(|character| self.names.world.denoted_symbols(character)).unwrap_or_default();
        self.expect(")")?;
        self.names.reads_place |= name == "ahead";
        Ok(if name == "ahead" { Expression::Ahead(symbols) } else { Expression::Bodies(symbols) })
    }

    /// Parses a range, `1..3`, or a list, `[a, b]`.
    fn many(&mut self) -> Read<Many> {
        if self.takes("[") {
            return self.list("]").map(Many::List);
        }
        let least = self.sum()?;
        self.expect("..")?;
        Ok(Many::Range(Box::new([least, self.sum()?])))
    }

    /// Parses expressions separated by commas, up to the closing bracket.
    fn list(&mut self, end: &'static str) -> Read<Vec<Expression>> {
        let mut list = Vec::new();
        while !self.takes(end) {
            if !list.is_empty() {
                self.expect(",")?;
            }
            list.push(self.conditional()?);
        }
        Ok(list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::Evaluator;
    use engine_domain::domain::Trace;

    const FILE: &str = "start = { drawing = '''\n.a1\nb.a\n''', n = 2, ann = 'there', lamp = true, disk = [1, 'x', 3] }\n\
        marks = '''\nx..\n..7\n'''\n\
        sets = { L = 'ab' }\n\
        maps = { m = { ann = 1, there = 2, 1 = 'one', true = 'lit' }, 'é' = { a = 'b' } }\n\
        variables = { n = '0..3', ann = ['here', 'there'], lamp = [true, false], 'disk[-1..1]' = [1, 'x', 3] }\n";

    /// Returns the value of an expression at the start of the file with two parameters, or `undefined`.
    fn value(text: &str) -> String {
        let file: toml::Table = FILE.parse().unwrap();
        let (world, start) = World::read(&file).unwrap();
        let parameters = ["k", "who"].map(str::to_owned);
        let read = Names::with(&world, &parameters, Vec::new()).expression(text);
        let read = match read {
            Ok(read) => read,
            Err(why) => return format!("wrong: {why}"),
        };
        let mut values = vec![Value::Number(2), Value::read("ann")];
        let value = Evaluator::new(&world, &Trace::untraced(start)).value(&read, &mut values);
        assert_eq!(values.len(), 2, "{text}");
        value.map_or("undefined".to_owned(), |value| value.to_string())
    }

    fn all_are(expected: &str, texts: &[&str]) {
        for text in texts {
            assert_eq!(value(text), expected, "{text}");
        }
    }

    #[test]
    fn operators_have_the_documented_precedence() {
        all_are("7", &["1 + 2 * 3", "1+2*3", "9 - 1 - 1", "- -7", "--7", "2 * 3 - -1", "15 / 2", "(1 + 13) / 2"]);
        all_are("-4", &["-7 / 2", "7 / -2", "-(7 / 2) - 1", "-1 * 4", "-8 / 2", "0 - 4"]);
        all_are("1", &["7 % 2", "-7 % 2", "7 % 3", "-5 % 3", "true ? 1 : false ? 2 : 3", "false ? 2 : true ? 1 : 3"]);
        all_are("-1", &["-7 % -2", "7 % -2", "-1"]);
        all_are(
            "true",
            &[
                "!n == 3",
                "not n == 3 and lamp",
                "false && false || true",
                "true || false && false",
                "1 < 2 == true",
                "lamp == !false",
                "!lamp == false",
                "!!lamp",
                "true or false and false",
                "n in 1..2 && n + 1 in 2..1 + 2",
                "n in [k, 5] == lamp",
                "-n in -3..-1",
                "n==2&&!(n!=2)",
            ],
        );
        all_are("false", &["!lamp && false", "!(lamp || false)", "(true || false) && false", "3 < 3", "3 > 3"]);
    }

    #[test]
    fn values_do_not_depend_on_quotes() {
        all_are(
            "true",
            &[
                "cell[0, 2] == 1",
                "cell[0, 2] == '1'",
                "cell[0, 2] + 1 == 2",
                "mark[1, 2] == 7",
                "mark[0, 1] == '.'",
                "'true' == lamp",
                "lamp == true",
                "lamp",
                "'-1' == -1",
                "disk[0] == x",
                "'01' != 1",
                "ann == 'there'",
                "disk[-1] == 1 && disk[1] == 3",
                "mark[0, 0] == x",
                "rows * columns == 6",
                "there == ann",
                "here != ann",
            ],
        );
        all_are("01", &["'01'"]);
        all_are("false", &["1 == true", "ann == 1", "'x' in 1..3", "n in ['x']", "n in []", "n in 3..1"]);
    }

    #[test]
    fn a_parameter_that_names_a_variable_is_that_variable() {
        all_are("there", &["who", "ann", "any(i in ['ann']: i == there) ? who : n"]);
        all_are("1", &["m(who)", "m('ann')", "m(any(i in [5]: true) ? 'ann' : who)"]);
        all_are("2", &["m(ann)", "m('there')", "m(true ? who : n)", "sum(i in ['ann']: m(i)) + 1"]);
        all_are("one", &["m(1)", "m('1')", "m(cell[0, 2])"]);
        all_are("lit", &["m(lamp)", "m('true')"]);
        all_are("undefined", &["m(n)", "m(here)", "m(m(1))"]);
        all_are("2", &["k", "all(k in [1]: true) ? k : 0", "sum(n in [2]: n)"]);
        all_are("5", &["sum(k in 2..3: k)"]);
    }

    #[test]
    fn functions_and_quantifiers_evaluate_as_documented() {
        all_are(
            "2",
            &["count('a')", "count('.')", "count(cell[0, 0])", "min(5, n, 3)", "max(1, 2)", "abs(-2)", "abs(2)"],
        );
        all_are(
            "3",
            &["count(L)", "count('L')", "count(i in [1, 2, 3, n]: i > 1)", "sum(i in 1..2: i)", "é(a) == b ? 3 : 0"],
        );
        all_are("1", &["count('1')", "count(1)", "count(b)", "count(m(ann) - 1)"]);
        all_are("0", &["count(there)", "count(7)", "sum(i in 3..1: i)", "count(i in []: true)"]);
        all_are(
            "true",
            &["all(i in 3..1: false)", "all(i in 0..1: any(j in 0..2: cell[i, j] == a))", "!any(i in []: true)"],
        );
    }

    #[test]
    fn undefined_operands_make_expressions_undefined() {
        all_are(
            "undefined",
            &[
                "cell[2, 0]",
                "cell[0, -1]",
                "disk[2]",
                "mark[0, 3]",
                "mark[-1, 0]",
                "disk[ann]",
                "1 / 0",
                "1 % 0",
                "m(here)",
                "!(cell[9, 9] == 'o')",
                "cell[9, 9] == cell[9, 9]",
                "cell[9, 9] != 'o'",
                "ann + 1",
                "ann < 1",
                "-ann",
                "lamp < true",
                "!n",
                "n && true",
                "lamp && n",
                "false || n",
                "n || true",
                "n ? 1 : 2",
                "abs(ann)",
                "min(1, ann)",
                "9223372036854775807 + 1",
                "-9223372036854775807 - 2",
                "9223372036854775807 * 2",
                "abs('-9223372036854775808')",
                "-'-9223372036854775808'",
                "'-9223372036854775808' / -1",
                "count(cell[9, 9])",
                "1 in [1, 1 / 0]",
                "1 / 0 in []",
                "1 in 1..ann",
                "any(i in [1, 1 / 0]: true)",
                "all(i in 1..ann: true)",
                "any(i in 1..2: i)",
                "sum(i in [lamp]: i)",
                "any(i in -1..0: 1 / (i + 1) > 1)",
                "count(i in 0..1: 1 / i == 1)",
                "sum(i in [9223372036854775807, 1]: i)",
                "1 / 0 == 1 ? 1 : 2",
            ],
        );
        all_are(
            "true",
            &[
                "true || 1 / 0 == 1",
                "!(false && 1 / 0 == 1)",
                "true ? true : 1 / 0 == 1",
                "any(i in 1..0 + 2: 1 / (2 - i) == 1)",
                "!all(i in 0..3: i < 2 && 1 / (2 - i) > 0)",
                "n > 1 || cell[n - 9, 0] == a",
            ],
        );
        all_are("0", &["'-9223372036854775808' % -1", "0 / 5", "-0"]);
    }

    #[test]
    fn malformed_expressions_are_rejected() {
        let wrong = [
            "",
            "a +",
            "(a",
            "a)",
            "a b",
            "a == == b",
            "disk",
            "cell",
            "disk[1",
            "disk[1, 2]",
            "disk[]",
            "mark[0]",
            "f(1)",
            "abs(1, 2)",
            "count(1, 2)",
            "all(x in 3: y)",
            "all(x in 1..2)",
            "x in 3",
            "a ? b",
            "a = b",
            "n[0]",
            "and",
            "'a",
            "1..2",
            "[1]",
            "m()",
            "1, 2",
        ];
        for text in wrong {
            assert!(value(text).starts_with("wrong: "), "{text}: {}", value(text));
        }
        assert!(value(&"(".repeat(100_000)).starts_with("wrong: "));
        assert_eq!(value(&("not ".repeat(1000) + "lamp")), "true");
    }

    #[test]
    fn evaluation_records_whether_it_read_a_variable() {
        let file: toml::Table = FILE.parse().unwrap();
        let (world, start) = World::read(&file).unwrap();
        let reads_variable = |text: &str| {
            let read = Names::with(&world, &["k".to_owned(), "who".to_owned()], Vec::new()).expression(text).unwrap();
            let start = Trace::untraced(start.clone());
            let evaluator = Evaluator::new(&world, &start);
            evaluator.value(&read, &mut vec![Value::Number(2), Value::read("ann")]);
            evaluator.read_variable.get()
        };
        for text in ["m(who) < k", "mark[0, k] == x", "k < 1 && cell[0, 0] == a", "rows == k", "m('ann') in [k]"] {
            assert!(!reads_variable(text), "{text}");
        }
        for text in
            ["who == there", "m(ann) < k", "k > 1 && cell[0, 0] == a", "count('a') > 1", "any(i in [who]: i == k)"]
        {
            assert!(reads_variable(text), "{text}");
        }
    }
}
