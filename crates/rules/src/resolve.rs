//! Resolves names in expressions to parameters, variables, values and maps, and checks types.

use super::expression::{Array, Builtin, Collection, Expr, Kind, Operation, PileExpr, Quantifier, Term, World};
use super::parse::{ExprError, is_name};
use crate::diagnostic::{did_you_mean, expected_names, unknown_name};
use std::cell::Cell;
use std::ops::Range;

/// The name of the parameter for the number of cells of a run.
pub(super) const RUN: &str = "run";

/// The help where a rule without runs names that parameter.
pub(super) const NO_RUN: &str = "only a rule with a run has it: for one, add the key run = \"*\"";

/// A set of types that an expression may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Type(u8);

impl Type {
    pub const NUMBER: Type = Type(1);
    pub const NAME: Type = Type(2);
    pub const TRUTH: Type = Type(4);
    /// Any value.
    pub const ANY: Type = Type(7);
    /// A pile, which is no value: only parameters stand for it.
    const PILE: Type = Type(8);

    fn of(term: &Term) -> Type {
        match term {
            Term::Number(_) => Type::NUMBER,
            Term::Name(_) => Type::NAME,
            Term::Truth(_) => Type::TRUTH,
            Term::Matched(_) => Type::ANY,
            Term::Pile(_) => Type::PILE,
        }
    }

    fn of_all<'a>(terms: impl IntoIterator<Item = &'a Term>) -> Type {
        Type::union(terms.into_iter().map(Type::of))
    }

    /// Returns the union of some types; any type if there are none.
    fn union(types: impl IntoIterator<Item = Type>) -> Type {
        let all = types.into_iter().fold(0, |all, Type(kinds)| all | kinds);
        if all == 0 { Type::ANY } else { Type(all) }
    }

    /// Fails if an expression of this type can never have the wanted one.
    fn must_be(self, wanted: Type, expr: &Expr) -> Result<(), ExprError> {
        if self.0 & wanted.0 != 0 {
            return Ok(());
        }
        let message = format!("expected {}, found {}", wanted.description(), self.description());
        Err(ExprError { at: expr.span.clone(), message, help: None })
    }

    fn description(self) -> String {
        let kinds = [
            (Type::NUMBER, "a number"),
            (Type::NAME, "a name"),
            (Type::TRUTH, "`true` or `false`"),
            (Type::PILE, "a pile"),
        ];
        let kinds = kinds.iter().filter(|(kind, _)| self.0 & kind.0 != 0).map(|(_, description)| *description);
        kinds.collect::<Vec<_>>().join(" or ")
    }
}

/// A name that stands for a value: a parameter of a rule, a name that a quantifier or a target binds, or the letter of
/// a set.
pub(super) struct Parameter {
    pub name: String,
    pub of: Type,
    /// True for the letter of a set in `from`, which stands for the symbol that it matched.
    pub is_letter: bool,
}

impl Parameter {
    /// Returns a parameter, or a bound name.
    pub fn new(name: &str, of: Type) -> Parameter {
        Parameter { name: name.to_owned(), of, is_letter: false }
    }

    /// Returns the letter of a set of these symbols.
    pub fn letter(name: String, symbols: &[Term]) -> Parameter {
        Parameter { name, of: Type::of_all(symbols), is_letter: true }
    }
}

/// All names that the expressions of a puzzle may use.
pub(super) struct Names<'a> {
    pub world: &'a World,
    /// The names of values: of variables and symbols, in maps, and of parameters; in ascending order.
    pub values: Vec<String>,
    /// The place of the expressions that are being read.
    pub scope: Cell<Scope>,
}

/// What the expressions of a part of the file may read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Scope {
    /// The state only.
    #[default]
    State,
    /// An image at a place, too.
    Match,
    /// The state, once for all matches of a rule with `all`.
    Pass,
}

impl Names<'_> {
    /// Returns the type of a parameter with these values.
    pub fn type_of_parameter(&self, choices: &[Term]) -> Type {
        let names_variable = |choice: &Term| matches!(choice, Term::Name(name) if self.world.variable(name).is_some());
        if choices.iter().any(names_variable) { Type::ANY } else { Type::of_all(choices) }
    }

    /// Resolves an expression and checks its type.
    pub fn resolve_as(&self, expr: &mut Expr, wanted: Type, parameters: &mut Vec<Parameter>) -> Result<(), ExprError> {
        self.resolve(expr, parameters)?.must_be(wanted, expr)
    }

    /// Resolves a range or a list, and returns the type of its values.
    pub fn resolve_collection(
        &self,
        collection: &mut Collection,
        parameters: &mut Vec<Parameter>,
    ) -> Result<Type, ExprError> {
        match collection {
            Collection::Range(least, most) => {
                self.resolve_as(least, Type::NUMBER, parameters)?;
                self.resolve_as(most, Type::NUMBER, parameters)?;
                Ok(Type::NUMBER)
            }
            Collection::List(list) => {
                let kinds =
                    list.iter_mut().map(|entry| self.resolve(entry, parameters)).collect::<Result<Vec<_>, _>>()?;
                Ok(Type::union(kinds))
            }
        }
    }

    /// Returns the type of a name bound to the values of a collection, given the type of these. The name of a variable
    /// stands for that variable.
    pub fn type_of_bound_name(&self, collection: &Collection, of: Type) -> Type {
        let names_variable = |value: &Term| matches!(value, Term::Name(name) if self.world.variable(name).is_some());
        let may_name = |entry: &Expr| match &entry.kind {
            Kind::Term(value) => names_variable(value),
            Kind::Variable(var) => self.world.values[*var].iter().any(names_variable),
            Kind::ElementOf(array, _) => self.world.values[self.world.arrays[*array].first].iter().any(names_variable),
            _ => of.0 & Type::NAME.0 != 0,
        };
        match collection {
            Collection::List(list) if list.iter().any(may_name) => Type::ANY,
            _ => of,
        }
    }

    fn resolve(&self, expr: &mut Expr, parameters: &mut Vec<Parameter>) -> Result<Type, ExprError> {
        let span = expr.span.clone();
        let wrong = |message: String, help: Option<String>| ExprError { at: span.clone(), message, help };
        match &mut expr.kind {
            Kind::Term(term) => {
                if let Term::Name(name) = term
                    && !self.is_value(name)
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
                    self.resolve_as(index, Type::NUMBER, parameters)?;
                }
                let array = if name == "mark" { "cell" } else { name.as_str() };
                if self.world.piles.iter().any(|piles| piles.array.name == *name) {
                    return Err(no_value(name, &span));
                }
                let Some(number) = self.world.arrays.iter().position(|known| known.name == *array) else {
                    let known = self.world.arrays.iter().map(|array| array.name.as_str());
                    return Err(wrong(format!("unknown array `{name}`"), Some(unknown_name(name, known))));
                };
                let bounds = &self.world.arrays[number].bounds;
                if bounds.len() != indices.len() {
                    let message = format!("`{name}` takes {}, found {}", indices_of(bounds.len()), indices.len());
                    return Err(wrong(message, None));
                }
                if name == "mark" {
                    if self.world.marks.is_empty() {
                        let help = "add a drawing: marks = \"\"\"…\"\"\"";
                        return Err(wrong("the puzzle has no marks".to_owned(), Some(help.to_owned())));
                    }
                    expr.kind = Kind::Mark(std::mem::take(indices));
                    return Ok(Type::ANY);
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
            Kind::Quantified(quantifier, name, collection, body) => {
                let of = self.resolve_collection(collection, parameters)?;
                parameters.push(Parameter::new(name, self.type_of_bound_name(collection, of)));
                let sums = *quantifier == Quantifier::Sum;
                let result = self.resolve_as(body, if sums { Type::NUMBER } else { Type::TRUTH }, parameters);
                parameters.pop();
                result?;
                let counts = matches!(quantifier, Quantifier::Sum | Quantifier::Count);
                Ok(if counts { Type::NUMBER } else { Type::TRUTH })
            }
            Kind::Not(inner) => self.resolve_as(inner, Type::TRUTH, parameters).map(|()| Type::TRUTH),
            Kind::Negative(inner) => self.resolve_as(inner, Type::NUMBER, parameters).map(|()| Type::NUMBER),
            Kind::Binary(by, left, right) => {
                let of = self.binary(*by, left, right, parameters)?;
                if *by == Operation::Plus
                    && let Some(counted) = self.counted_together(left, right)
                {
                    expr.kind = Kind::Builtin(Builtin::Count, counted);
                }
                Ok(of)
            }
            Kind::Within(inner, collection) => {
                match &mut **collection {
                    Collection::List(list) if is_mark(inner) => {
                        list.iter_mut().try_for_each(|entry| self.resolve_as_mark(entry, parameters).map(drop))?;
                    }
                    collection => drop(self.resolve_collection(collection, parameters)?),
                }
                let of = if matches!(**collection, Collection::Range(..)) { Type::NUMBER } else { Type::ANY };
                self.resolve_as(inner, of, parameters)?;
                Ok(Type::TRUTH)
            }
            Kind::Conditional(condition, yes, no) => {
                self.resolve_as(condition, Type::TRUTH, parameters)?;
                Ok(Type::union([self.resolve(yes, parameters)?, self.resolve(no, parameters)?]))
            }
            _ => unreachable!("names are resolved only once"),
        }
    }

    fn binary(
        &self,
        by: Operation,
        left: &mut Expr,
        right: &mut Expr,
        parameters: &mut Vec<Parameter>,
    ) -> Result<Type, ExprError> {
        match by {
            Operation::And | Operation::Or => {
                self.resolve_as(left, Type::TRUTH, parameters)?;
                self.resolve_as(right, Type::TRUTH, parameters)?;
                Ok(Type::TRUTH)
            }
            Operation::Equal | Operation::Unequal => {
                let (left_is_mark, right_is_mark) = (is_mark(left), is_mark(right));
                let resolve = |expr: &mut Expr, as_mark: bool, parameters: &mut Vec<Parameter>| match as_mark {
                    true => self.resolve_as_mark(expr, parameters),
                    false => self.resolve(expr, parameters),
                };
                let of = resolve(left, right_is_mark, parameters)?;
                let other = resolve(right, left_is_mark, parameters)?;
                let is_number = |expr: &Expr| match &expr.kind {
                    Kind::Negative(inner) => matches!(inner.kind, Kind::Term(Term::Number(_))),
                    kind => matches!(kind, Kind::Term(Term::Number(_))),
                };
                if !is_number(left) && !is_number(right) {
                    other.must_be(of, right)?;
                }
                self.check_value(left, right).and_then(|()| self.check_value(right, left))?;
                Ok(Type::TRUTH)
            }
            _ => {
                self.resolve_as(left, Type::NUMBER, parameters)?;
                self.resolve_as(right, Type::NUMBER, parameters)?;
                let compares =
                    matches!(by, Operation::Less | Operation::AtMost | Operation::Greater | Operation::AtLeast);
                Ok(if compares { Type::TRUTH } else { Type::NUMBER })
            }
        }
    }

    /// Returns the arguments of the one count that the sum of two is: that of cells with any symbol of both, if these
    /// have none in common. Two counters would multiply.
    fn counted_together(&self, left: &mut Expr, right: &mut Expr) -> Option<Vec<Expr>> {
        let symbols = |expr: &Expr| match &expr.kind {
            Kind::Builtin(Builtin::Count, of) => {
                let literals = of.iter().map(|argument| match &argument.kind {
                    Kind::Term(literal) => Some(self.world.denoted_symbols(literal)),
                    _ => None,
                });
                literals.collect::<Option<Vec<_>>>().map(|all| all.concat())
            }
            _ => None,
        };
        let (one, other) = (symbols(left)?, symbols(right)?);
        if one.iter().any(|symbol| other.contains(symbol)) {
            return None;
        }
        let arguments = |expr: &mut Expr| match &mut expr.kind {
            Kind::Builtin(_, arguments) => std::mem::take(arguments),
            _ => Vec::new(),
        };
        Some([arguments(left), arguments(right)].concat())
    }

    /// Resolves an expression that is compared with a mark. Any character may be a mark, also one that no cell has:
    /// levels share their rules. A warning names those.
    fn resolve_as_mark(&self, expr: &mut Expr, parameters: &mut Vec<Parameter>) -> Result<Type, ExprError> {
        let name = match &expr.kind {
            Kind::Raw(name) => name.as_str(),
            Kind::Term(Term::Name(name)) => name,
            _ => "",
        };
        let is_known = self.is_value(name)
            || parameters.iter().any(|known| known.name == name)
            || self.world.arrays.iter().any(|array| array.name == name);
        if name.chars().count() == 1 && !is_known {
            expr.kind = Kind::Term(Term::read(name));
            return Ok(Type::NAME);
        }
        self.resolve(expr, parameters)
    }

    /// Checks that a variable may have the name or the truth value that it is compared with.
    fn check_value(&self, variable: &Expr, value: &Expr) -> Result<(), ExprError> {
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
        let has = |array: &&Array| (array.first..array.first + array.len()).contains(&var);
        let name = self.world.arrays.iter().find(has).map_or("", |array| array.name.as_str());
        let message = format!("invalid value `{term}` for `{name}`");
        Err(ExprError { at: value.span.clone(), message, help: Some(help) })
    }

    fn name(&self, name: &str, span: &Range<usize>, parameters: &[Parameter]) -> Result<(Kind, Type), ExprError> {
        if let Some(number) = parameters.iter().rposition(|known| known.name == name) {
            let known = &parameters[number];
            if known.is_letter && self.scope.get() == Scope::Pass {
                let message = format!("`{name}` is the symbol of a match, and the pass has many");
                let help = "with `all`, `then`, `cost` and `carry` are evaluated once, before the pass";
                return Err(ExprError { at: span.clone(), message, help: Some(help.to_owned()) });
            }
            return Ok((if known.is_letter { Kind::Letter(number) } else { Kind::Parameter(number) }, known.of));
        }
        if let Some(var) = self.world.variable(name) {
            return Ok((Kind::Variable(var), Type::of_all(self.world.values[var].iter())));
        }
        if let Some(array) = self.world.arrays.iter().find(|array| array.name == name) {
            let message = format!("`{name}` is an array");
            let first: Vec<String> = array.bounds.iter().map(|(least, _)| least.to_string()).collect();
            let help = format!("name one of its elements, such as `{name}[{}]`", first.join(", "));
            return Err(ExprError { at: span.clone(), message, help: Some(help) });
        }
        if self.world.piles.iter().any(|piles| piles.array.name == name) {
            return Err(no_value(name, span));
        }
        match name {
            "rows" if self.world.rows > 0 => Ok((Kind::Term(Term::Number(self.world.rows as i64)), Type::NUMBER)),
            "columns" if self.world.rows > 0 => Ok((Kind::Term(Term::Number(self.world.columns as i64)), Type::NUMBER)),
            "false" => Ok((Kind::Term(Term::Truth(false)), Type::TRUTH)),
            _ if self.is_value(name) => Ok((Kind::Term(Term::read(name)), Type::NAME)),
            _ => Err(self.unknown(name, span, parameters)),
        }
    }

    fn is_value(&self, name: &str) -> bool {
        self.values.binary_search_by(|value| value.as_str().cmp(name)).is_ok()
    }

    fn unknown(&self, name: &str, span: &Range<usize>, parameters: &[Parameter]) -> ExprError {
        let arrays = self.world.arrays.iter().map(|array| array.name.as_str());
        // The letters of sets are among the values.
        let parameters = parameters.iter().filter(|known| !known.is_letter).map(|known| known.name.as_str());
        let known: Vec<&str> = parameters.chain(arrays).chain(self.values.iter().map(String::as_str)).collect();
        let help = match did_you_mean(name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if name == RUN => NO_RUN.to_owned(),
            None => {
                // In place of a symbol only symbols fit, in place of a name only names.
                let alike = known.iter().filter(|other| is_name(other) == is_name(name));
                expected_names(alike.take(20).copied())
            }
        };
        ExprError { at: span.clone(), message: format!("unknown name `{name}`"), help: Some(help) }
    }

    fn call(
        &self,
        name: &str,
        mut arguments: Vec<Expr>,
        span: &Range<usize>,
        parameters: &mut Vec<Parameter>,
    ) -> Result<(Kind, Type), ExprError> {
        let wrong = |message: String, help: Option<String>| ExprError { at: span.clone(), message, help };
        if let Some(map) = self.world.map(name) {
            let [argument] = &mut arguments[..] else {
                return Err(wrong(format!("the map `{name}` takes one argument, found {}", arguments.len()), None));
            };
            self.resolve_as(argument, Type::ANY, parameters)?;
            let of = Type::of_all(self.world.maps[map].1.values());
            return Ok((Kind::Map(map, Box::new(arguments.remove(0))), of));
        }
        match name {
            "size" | "top" | "same" => return self.pile_function(name, arguments, span, parameters),
            "ahead" | "bodies" => {
                let symbols = self.symbols(name, &arguments, span, parameters)?;
                return Ok((if name == "ahead" { Kind::Ahead(symbols) } else { Kind::Bodies(symbols) }, Type::NUMBER));
            }
            _ => {}
        }
        let builtin = match name {
            "min" => Builtin::Min,
            "max" => Builtin::Max,
            "abs" if arguments.len() == 1 => Builtin::Abs,
            "count" if arguments.len() == 1 && self.world.rows > 0 => Builtin::Count,
            "abs" | "count" => {
                let help = match name {
                    "abs" => "write it as `abs(x)`",
                    _ => "write it as `count('o')` on a grid, or as `count(x in 1..3: …)`",
                };
                return Err(wrong(format!("invalid arguments of `{name}`"), Some(help.to_owned())));
            }
            _ => {
                let known = self.world.maps.iter().map(|(name, _)| name.as_str());
                let known = known.chain(["min", "max", "abs", "count", "all", "any", "sum"]);
                let known = known.chain(["ahead", "bodies", "size", "top", "same"]);
                return Err(wrong(format!("unknown map or function `{name}`"), Some(unknown_name(name, known))));
            }
        };
        let wanted = if builtin == Builtin::Count { Type::ANY } else { Type::NUMBER };
        for argument in &mut arguments {
            if builtin == Builtin::Count
                && let Kind::Raw(name) = &argument.kind
                && parameters.iter().rfind(|known| known.name == *name).is_some_and(|known| known.is_letter)
            {
                // `count(N)` counts the cells with any symbol of the set.
                argument.kind = Kind::Term(Term::read(name));
            }
            self.resolve_as(argument, wanted, parameters)?;
        }
        Ok((Kind::Builtin(builtin, arguments), Type::NUMBER))
    }

    /// Resolves a function of a pile.
    fn pile_function(
        &self,
        name: &str,
        arguments: Vec<Expr>,
        span: &Range<usize>,
        parameters: &mut Vec<Parameter>,
    ) -> Result<(Kind, Type), ExprError> {
        let count = arguments.len();
        let mut arguments = arguments.into_iter();
        let (Some(pile), place, None) = (arguments.next(), arguments.next(), arguments.next()) else {
            return Err(wrong_arguments(name, span));
        };
        if count == 2 && name != "top" {
            return Err(wrong_arguments(name, span));
        }
        let pile = self.pile(pile, parameters)?;
        Ok(match name {
            "size" => (Kind::Size(pile), Type::NUMBER),
            "same" => (Kind::Same(pile), Type::NUMBER),
            _ => {
                let resolve = |mut place: Expr| {
                    self.resolve_as(&mut place, Type::NUMBER, parameters)?;
                    Ok(Box::new(place))
                };
                (Kind::Top(pile, place.map(resolve).transpose()?), Type::of_all(self.world.items.iter()))
            }
        })
    }

    /// Resolves a pile: its name, with indices if it is one of an array, or a parameter that stands for piles.
    pub fn pile(&self, expr: Expr, parameters: &mut Vec<Parameter>) -> Result<PileExpr, ExprError> {
        let Expr { kind, span } = expr;
        let wrong = |message: String, help: String| ExprError { at: span.clone(), message, help: Some(help) };
        let (name, mut indices) = match kind {
            Kind::Raw(name) => (name, Vec::new()),
            Kind::Element(name, indices) => (name, indices),
            Kind::Term(Term::Name(name)) => {
                let message = "expected a pile, found a value".to_owned();
                return Err(wrong(message, format!("the name of a pile has no quotes: {name}")));
            }
            _ => {
                let help = "name a pile, such as `waste` or `tube[1]`, or a parameter that stands for piles";
                return Err(wrong("expected a pile".to_owned(), help.to_owned()));
            }
        };
        let parameter = parameters.iter().rposition(|known| known.name == name).filter(|_| indices.is_empty());
        if let Some(number) = parameter {
            let of = parameters[number].of;
            if of.0 & Type::PILE.0 == 0 {
                let message = format!("expected a pile, found {}", of.description());
                let help = format!("give `{name}` the name of piles: for = {{ {name} = [\"tube\"] }}");
                return Err(wrong(message, help));
            }
            return Ok(PileExpr::Parameter(number));
        }
        let piles = &self.world.piles;
        let Some(number) = piles.iter().position(|piles| piles.array.name == name) else {
            let names = || piles.iter().map(|piles| piles.array.name.as_str());
            let of_piles = parameters.iter().filter(|known| known.of.0 & Type::PILE.0 != 0);
            let help = match piles.is_empty() {
                true => "add a table `[piles]`".to_owned(),
                false => unknown_name(&name, names().chain(of_piles.map(|known| known.name.as_str()))),
            };
            return Err(wrong(format!("unknown pile `{name}`"), help));
        };
        let bounds = &piles[number].array.bounds;
        if bounds.len() != indices.len() {
            let message = format!("`{name}` takes {}, found {}", indices_of(bounds.len()), indices.len());
            let first = piles[number].array.element_name(piles[number].array.first);
            return Err(wrong(message, format!("name one pile, such as `{first}`")));
        }
        for index in &mut indices {
            self.resolve_as(index, Type::NUMBER, parameters)?;
        }
        Ok(PileExpr::Element(number, indices))
    }

    /// Resolves the argument of `ahead` or `bodies`: a symbol, or the letter of a set.
    fn symbols(
        &self,
        name: &str,
        arguments: &[Expr],
        span: &Range<usize>,
        parameters: &[Parameter],
    ) -> Result<Vec<Term>, ExprError> {
        let [argument] = arguments else { return Err(wrong_arguments(name, span)) };
        let wrong = |message: String, help: String| ExprError { at: argument.span.clone(), message, help: Some(help) };
        let text = match &argument.kind {
            Kind::Raw(text) => text.clone(),
            Kind::Term(term) => term.to_string(),
            _ => String::new(),
        };
        let is_other = matches!(&argument.kind, Kind::Raw(text) if self.world.variable(text).is_some()
            || parameters.iter().any(|known| known.name == *text && !known.is_letter));
        if text.is_empty() || is_other {
            let help = format!("write a symbol in quotes, or the letter of a set: `{name}('o')`");
            return Err(wrong(format!("`{name}` takes a symbol"), help));
        }
        let symbols = self.world.denoted_symbols(&Term::read(&text));
        let known = self.world.values.first().filter(|_| self.world.rows > 0).map_or(&[][..], |values| &values[..]);
        if symbols.iter().any(|symbol| !known.contains(symbol)) {
            let names: Vec<String> = known.iter().map(Term::to_string).collect();
            let help = unknown_name(&text, names.iter().map(String::as_str).take(50));
            return Err(wrong(format!("unknown symbol `{text}`"), help));
        }
        if name == "ahead" && self.scope.get() != Scope::Match {
            let (message, help) = match self.scope.get() {
                Scope::Pass => (
                    "`ahead` counts from a place, and the pass has many",
                    "with `all`, `then`, `cost` and `carry` are evaluated once, before the pass",
                ),
                _ => ("`ahead` counts from a place, and there is none", "use it in a rule with a drawing or a shift"),
            };
            let message = message.to_owned();
            return Err(ExprError { at: span.clone(), message, help: Some(help.to_owned()) });
        }
        Ok(symbols)
    }
}

/// Returns whether an expression is the mark of a cell.
fn is_mark(expr: &Expr) -> bool {
    matches!(&expr.kind, Kind::Mark(_)) || matches!(&expr.kind, Kind::Element(name, _) if name == "mark")
}

/// Returns the error that a function has the wrong number of arguments.
fn wrong_arguments(name: &str, span: &Range<usize>) -> ExprError {
    let help = match name {
        "top" => "write it as `top(waste)`, or `top(waste, 2)` for the item below the top",
        "size" => "write it as `size(waste)`",
        "same" => "write it as `same(waste)`",
        "ahead" => "write it as `ahead('o')`",
        _ => "write it as `bodies('o')`",
    };
    ExprError { at: span.clone(), message: format!("invalid arguments of `{name}`"), help: Some(help.to_owned()) }
}

/// Returns the error that a pile stands where a value is expected.
fn no_value(pile: &str, span: &Range<usize>) -> ExprError {
    let message = format!("`{pile}` names piles, which are no values");
    let help = "use `size(…)`, `top(…)` or `same(…)` of a pile";
    ExprError { at: span.clone(), message, help: Some(help.to_owned()) }
}

fn indices_of(count: usize) -> String {
    match count {
        0 => "no index".to_owned(),
        1 => "one index".to_owned(),
        _ => format!("{count} indices"),
    }
}
