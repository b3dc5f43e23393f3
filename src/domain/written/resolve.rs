//! Names in expressions: which are parameters, variables, values, maps; and whether what they are fits what is done to them.

use super::expression::{Builtin, Expr, Kind, Operation, Over, Quantifier, Term, World};
use super::parse::{Wrong, is_name};
use crate::diagnostic::{did_you_mean, unknown_name};
use std::collections::BTreeSet;
use std::ops::Range;

/// What kind of thing an expression is worth; nothing, where it depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Number,
    Name,
    Truth,
    Any,
}

impl Type {
    pub fn of(term: &Term) -> Type {
        match term {
            Term::Number(_) => Type::Number,
            Term::Name(_) => Type::Name,
            Term::Truth(_) => Type::Truth,
        }
    }

    fn of_all<'a>(terms: impl IntoIterator<Item = &'a Term>) -> Type {
        Type::common(terms.into_iter().map(Type::of))
    }

    /// The kind that all of these are of.
    fn common(types: impl IntoIterator<Item = Type>) -> Type {
        let mut types = types.into_iter();
        let Some(first) = types.next() else { return Type::Any };
        if types.all(|other| other == first) { first } else { Type::Any }
    }

    /// Refuses an expression of this kind where one of another kind is needed.
    fn must_be(self, wanted: Type, expr: &Expr) -> Result<(), Wrong> {
        if self == wanted || self == Type::Any || wanted == Type::Any {
            return Ok(());
        }
        let message = format!("this is {}, and not {}", self.told(), wanted.told());
        Err(Wrong { at: expr.span.clone(), message, help: None })
    }

    fn told(self) -> &'static str {
        match self {
            Type::Number => "a number",
            Type::Name => "the name of a value",
            Type::Truth => "true or false",
            Type::Any => "anything",
        }
    }
}

/// A name that stands for one of some values, with their kind.
pub(super) type Parameter = (String, Type);

/// All that expressions of a puzzle may speak of.
pub(super) struct Names<'a> {
    pub world: &'a World,
    /// The names of values: of variables, of symbols, in maps, and of choices.
    pub values: BTreeSet<String>,
}

impl Names<'_> {
    /// The kind of a parameter with these choices.
    pub fn type_of_choices(&self, choices: &[Term]) -> Type {
        let names_variable = |choice: &Term| matches!(choice, Term::Name(name) if self.world.variable(name).is_some());
        if choices.iter().any(names_variable) { Type::Any } else { Type::of_all(choices) }
    }

    /// Settles the names of an expression that has to be of a kind.
    pub fn settle(&self, expr: &mut Expr, wanted: Type, parameters: &mut Vec<Parameter>) -> Result<(), Wrong> {
        self.resolve(expr, parameters)?.must_be(wanted, expr)
    }

    /// Settles what a name runs over, and says what kind of thing it then is.
    pub fn settle_over(&self, over: &mut Over, parameters: &mut Vec<Parameter>) -> Result<Type, Wrong> {
        match over {
            Over::Range(least, most) => {
                self.settle(least, Type::Number, parameters)?;
                self.settle(most, Type::Number, parameters)?;
                Ok(Type::Number)
            }
            Over::List(list) => {
                let kinds =
                    list.iter_mut().map(|entry| self.resolve(entry, parameters)).collect::<Result<Vec<_>, _>>()?;
                Ok(Type::common(kinds))
            }
        }
    }

    /// Returns the kind of a name that runs over something whose entries are of a kind: the name of a variable stands for
    /// that variable.
    pub fn type_of_run(&self, over: &Over, of: Type) -> Type {
        let names_variable = |value: &Term| matches!(value, Term::Name(name) if self.world.variable(name).is_some());
        let may_name = |entry: &Expr| match &entry.kind {
            Kind::Term(value) => names_variable(value),
            Kind::Variable(var) => self.world.values[*var].iter().any(names_variable),
            Kind::ElementOf(array, _) => self.world.values[self.world.arrays[*array].first].iter().any(names_variable),
            _ => of == Type::Name,
        };
        match over {
            Over::List(list) if list.iter().any(may_name) => Type::Any,
            _ => of,
        }
    }

    fn resolve(&self, expr: &mut Expr, parameters: &mut Vec<Parameter>) -> Result<Type, Wrong> {
        let span = expr.span.clone();
        let wrong = |message: String, help: Option<String>| Wrong { at: span.clone(), message, help };
        match &mut expr.kind {
            Kind::Term(term) => {
                if let Term::Name(name) = term
                    && !self.values.contains(&**name)
                {
                    return Err(self.unknown(name, &span, parameters));
                }
                Ok(Type::of(term))
            }
            Kind::Raw(name) => {
                let (kind, of) = self.name(name, &span, parameters)?;
                expr.kind = kind;
                Ok(of)
            }
            Kind::Element(name, indices) => {
                for index in indices.iter_mut() {
                    self.settle(index, Type::Number, parameters)?;
                }
                let array = if name == "mark" { "cell" } else { name.as_str() };
                let Some(number) = self.world.arrays.iter().position(|known| known.name == *array) else {
                    let known = self.world.arrays.iter().map(|array| array.name.as_str());
                    return Err(wrong(format!("there is no array `{name}`"), Some(unknown_name(name, known))));
                };
                let bounds = &self.world.arrays[number].bounds;
                if bounds.len() != indices.len() {
                    let message =
                        format!("`{name}` takes {} in its brackets, not {}", indices_of(bounds.len()), indices.len());
                    return Err(wrong(message, None));
                }
                if name == "mark" {
                    if self.world.marks.is_empty() {
                        let help = "a drawing `marks = \"\"\"…\"\"\"` beside the start says where they are";
                        return Err(wrong("the puzzle has no marks".to_owned(), Some(help.to_owned())));
                    }
                    expr.kind = Kind::Mark(std::mem::take(indices));
                    return Ok(Type::Any);
                }
                let kind = Type::of_all(self.world.values[self.world.arrays[number].first].iter());
                expr.kind = Kind::ElementOf(number, std::mem::take(indices));
                Ok(kind)
            }
            Kind::Call(name, arguments) => {
                let (kind, of) = self.call(name, std::mem::take(arguments), &span, parameters)?;
                expr.kind = kind;
                Ok(of)
            }
            Kind::Quantified(quantifier, name, over, body) => {
                let of = self.settle_over(over, parameters)?;
                parameters.push((name.clone(), self.type_of_run(over, of)));
                let sums = *quantifier == Quantifier::Sum;
                let settled = self.settle(body, if sums { Type::Number } else { Type::Truth }, parameters);
                parameters.pop();
                settled?;
                let counts = matches!(quantifier, Quantifier::Sum | Quantifier::Count);
                Ok(if counts { Type::Number } else { Type::Truth })
            }
            Kind::Not(inner) => self.settle(inner, Type::Truth, parameters).map(|()| Type::Truth),
            Kind::Negative(inner) => self.settle(inner, Type::Number, parameters).map(|()| Type::Number),
            Kind::Binary(by, left, right) => self.binary(*by, left, right, parameters),
            Kind::Within(inner, over) => {
                self.settle_over(over, parameters)?;
                let of = if matches!(**over, Over::Range(..)) { Type::Number } else { Type::Any };
                self.settle(inner, of, parameters)?;
                Ok(Type::Truth)
            }
            Kind::Choice(which, yes, no) => {
                self.settle(which, Type::Truth, parameters)?;
                Ok(Type::common([self.resolve(yes, parameters)?, self.resolve(no, parameters)?]))
            }
            _ => unreachable!("names are settled once"),
        }
    }

    fn binary(
        &self,
        by: Operation,
        left: &mut Expr,
        right: &mut Expr,
        parameters: &mut Vec<Parameter>,
    ) -> Result<Type, Wrong> {
        match by {
            Operation::And | Operation::Or => {
                self.settle(left, Type::Truth, parameters)?;
                self.settle(right, Type::Truth, parameters)?;
                Ok(Type::Truth)
            }
            Operation::Equal | Operation::Unequal => {
                let of = self.resolve(left, parameters)?;
                let other = self.resolve(right, parameters)?;
                let is_number = |expr: &Expr| match &expr.kind {
                    Kind::Negative(inner) => matches!(inner.kind, Kind::Term(Term::Number(_))),
                    kind => matches!(kind, Kind::Term(Term::Number(_))),
                };
                if !is_number(left) && !is_number(right) {
                    other.must_be(of, right)?;
                }
                self.may_be(left, right).and_then(|()| self.may_be(right, left))?;
                Ok(Type::Truth)
            }
            _ => {
                self.settle(left, Type::Number, parameters)?;
                self.settle(right, Type::Number, parameters)?;
                let compares =
                    matches!(by, Operation::Less | Operation::AtMost | Operation::Greater | Operation::AtLeast);
                Ok(if compares { Type::Truth } else { Type::Number })
            }
        }
    }

    /// Whether a variable may have a name or a truth value that it is compared with.
    fn may_be(&self, variable: &Expr, value: &Expr) -> Result<(), Wrong> {
        let var = match &variable.kind {
            Kind::Variable(var) => *var,
            Kind::ElementOf(array, _) => self.world.arrays[*array].first,
            _ => return Ok(()),
        };
        let Kind::Term(term) = &value.kind else { return Ok(()) };
        if matches!(term, Term::Number(_)) || self.world.value(var, term).is_some() {
            return Ok(());
        }
        let known: Vec<String> = self.world.values[var].iter().map(Term::to_string).collect();
        let help = unknown_name(&term.to_string(), known.iter().map(String::as_str).take(50));
        Err(Wrong { at: value.span.clone(), message: format!("it is never `{term}`"), help: Some(help) })
    }

    fn name(&self, name: &str, span: &Range<usize>, parameters: &[Parameter]) -> Result<(Kind, Type), Wrong> {
        if let Some(number) = parameters.iter().rposition(|(known, _)| known == name) {
            return Ok((Kind::Parameter(number), parameters[number].1));
        }
        if let Some(var) = self.world.variable(name) {
            return Ok((Kind::Variable(var), Type::of_all(self.world.values[var].iter())));
        }
        if self.world.arrays.iter().any(|array| array.name == name) {
            let message = format!("`{name}` is an array: which of it?");
            return Err(Wrong {
                at: span.clone(),
                message,
                help: Some(format!("`{name}[…]` with numbers in the brackets")),
            });
        }
        match name {
            "rows" if self.world.rows > 0 => Ok((Kind::Term(Term::Number(self.world.rows as i64)), Type::Number)),
            "columns" if self.world.rows > 0 => Ok((Kind::Term(Term::Number(self.world.columns as i64)), Type::Number)),
            "false" => Ok((Kind::Term(Term::Truth(false)), Type::Truth)),
            _ if self.values.contains(name) => Ok((Kind::Term(Term::read(name)), Type::Name)),
            _ => Err(self.unknown(name, span, parameters)),
        }
    }

    fn unknown(&self, name: &str, span: &Range<usize>, parameters: &[Parameter]) -> Wrong {
        let arrays = self.world.arrays.iter().map(|array| array.name.as_str());
        let parameters = parameters.iter().map(|(name, _)| name.as_str());
        let known: Vec<&str> = parameters.chain(arrays).chain(self.values.iter().map(String::as_str)).collect();
        let help = match did_you_mean(name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                let told: Vec<String> =
                    known.iter().filter(|name| is_name(name)).take(20).map(|name| format!("`{name}`")).collect();
                format!("names here: {}", told.join(", "))
            }
        };
        Wrong { at: span.clone(), message: format!("there is no `{name}`"), help: Some(help) }
    }

    fn call(
        &self,
        name: &str,
        mut arguments: Vec<Expr>,
        span: &Range<usize>,
        parameters: &mut Vec<Parameter>,
    ) -> Result<(Kind, Type), Wrong> {
        let wrong = |message: String, help: Option<String>| Wrong { at: span.clone(), message, help };
        if let Some(map) = self.world.map(name) {
            let [argument] = &mut arguments[..] else {
                return Err(wrong(format!("the map `{name}` takes one value"), None));
            };
            self.resolve(argument, parameters)?;
            let of = Type::of_all(self.world.maps[map].1.values());
            return Ok((Kind::Map(map, Box::new(arguments.remove(0))), of));
        }
        let builtin = match name {
            "min" => Builtin::Min,
            "max" => Builtin::Max,
            "abs" if arguments.len() == 1 => Builtin::Abs,
            "count" if arguments.len() == 1 && self.world.rows > 0 => Builtin::Count,
            "abs" | "count" => {
                return Err(wrong(
                    format!("`{name}` cannot be asked so"),
                    Some("as in `abs(x)`, `count('o')` on a grid, or `count(x in 1..3: …)`".to_owned()),
                ));
            }
            _ => {
                let known = self.world.maps.iter().map(|(name, _)| name.as_str());
                let known = known.chain(["min", "max", "abs", "count", "all", "any", "sum"]);
                return Err(wrong(format!("there is no map or function `{name}`"), Some(unknown_name(name, known))));
            }
        };
        let wanted = if builtin == Builtin::Count { Type::Any } else { Type::Number };
        for argument in &mut arguments {
            self.settle(argument, wanted, parameters)?;
        }
        Ok((Kind::Builtin(builtin, arguments), Type::Number))
    }
}

fn indices_of(count: usize) -> String {
    match count {
        0 => "nothing".to_owned(),
        1 => "one number".to_owned(),
        _ => format!("{count} numbers"),
    }
}
