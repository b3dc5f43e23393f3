//! Expressions of puzzle files, and their evaluation in partially known states.
//!
//! An undefined expression (an index out of bounds, a division by zero) evaluates to [`EvalError::Undefined`]. Callers
//! treat it as a condition that does not hold. An expression that needs an unknown variable evaluates to
//! [`EvalError::Unknown`] with that variable: so the compiler of rules learns which variable to branch on. If counters
//! stand for counts, it may need a counter, too. In a complete state neither this nor [`EvalError::TooLong`] occurs, since
//! the compiler rejects expressions that take too long.

use super::mapping::{Mapping, fits};
use super::task::{Value, Var};
pub(super) use super::term::Term;
pub(super) use engine_domain::expression::Operation;
use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;

/// The index of an item among those of the world's piles.
pub(super) type Item = u16;

/// An expression, and the bytes of its text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Expr {
    pub kind: Kind,
    pub span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// A name that is not yet [resolved](super::resolve).
    Raw(String),
    Term(Term),
    /// The parameter or quantified name with this index.
    Parameter(usize),
    /// The symbol that the letter of a set matched: the parameter with this index, which never names a variable.
    Letter(usize),
    Variable(Var),
    /// An array element, with an unresolved and with a resolved array.
    Element(String, Vec<Expr>),
    ElementOf(usize, Vec<Expr>),
    Mark(Vec<Expr>),
    Call(String, Vec<Expr>),
    Builtin(Builtin, Vec<Expr>),
    /// The number of cells by which the only cell with one of these symbols lies further in the direction of the image
    /// than the place; undefined if there is not exactly one.
    Ahead(Vec<Term>),
    /// The number of bodies with one of these symbols.
    Bodies(Vec<Term>),
    /// The number of items of a pile.
    Size(PileExpr),
    /// The item at this place from the top, which is place 1 and the default; undefined if there is none.
    Top(PileExpr, Option<Box<Expr>>),
    /// The number of equal items on top.
    Same(PileExpr),
    Map(usize, Box<Expr>),
    Quantified(Quantifier, String, Box<Collection>, Box<Expr>),
    Not(Box<Expr>),
    Negative(Box<Expr>),
    Binary(Operation, Box<Expr>, Box<Expr>),
    Within(Box<Expr>, Box<Collection>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// A pile in an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PileExpr {
    /// A pile of the array of piles with this index.
    Element(usize, Vec<Expr>),
    /// The parameter with this index, whose value is a [`Term::Pile`].
    Parameter(usize),
}

/// The values that a bound name takes, or that a value is tested against.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Collection {
    Range(Expr, Expr),
    List(Vec<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Builtin {
    Min,
    Max,
    Abs,
    /// The number of cells with a symbol.
    Count,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantifier {
    All,
    Any,
    Count,
    Sum,
}

/// A thing that an expression needs to have a value. Where both are needed alike, variables are tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unknown {
    Variable(Var),
    Counter(usize),
}

/// The reason why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EvalError {
    Undefined,
    /// It needs this, which is not known.
    Unknown(Unknown),
    /// The evaluation takes more steps than are allowed.
    TooLong,
}

/// The name of the array of the grid's cells.
pub(super) const GRID: &str = "cell";

impl Collection {
    /// Returns its expressions.
    pub fn parts(&self) -> Vec<&Expr> {
        match self {
            Collection::Range(least, most) => vec![least, most],
            Collection::List(list) => list.iter().collect(),
        }
    }
}

impl PileExpr {
    /// Returns the expressions of its indices.
    pub fn indices(&self) -> &[Expr] {
        match self {
            PileExpr::Element(_, indices) => indices,
            PileExpr::Parameter(_) => &[],
        }
    }
}

/// An array of consecutive variables in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Array {
    pub name: String,
    pub first: Var,
    /// The least and the greatest index of each dimension; empty for a scalar variable.
    pub bounds: Vec<(i64, i64)>,
}

impl Array {
    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.bounds.iter().map(|&(least, most)| (most - least + 1) as usize).product()
    }

    /// Returns the number of elements of an array with these bounds, or the greatest number if it is greater.
    pub fn count(&self) -> usize {
        let size = |&(least, most): &(i64, i64)| most.saturating_sub(least).saturating_add(1);
        self.bounds.iter().map(size).fold(1, i64::saturating_mul) as usize
    }

    /// Returns the element at these indices; `None` if out of bounds.
    pub fn at(&self, indices: &[i64]) -> Option<Var> {
        if indices.len() != self.bounds.len() {
            return None;
        }
        let place = indices.iter().zip(&self.bounds).try_fold(0, |place, (&index, &(least, most))| {
            (least..=most).contains(&index).then(|| place * (most - least + 1) as usize + (index - least) as usize)
        });
        Some(self.first + place?)
    }

    /// Returns the name of an element, given its number: `disk[2]`.
    pub fn element_name(&self, number: usize) -> String {
        let mut rest = number - self.first;
        let mut indices = Vec::new();
        for &(least, most) in self.bounds.iter().rev() {
            let size = (most - least + 1) as usize;
            indices.push((least + (rest % size) as i64).to_string());
            rest /= size;
        }
        indices.reverse();
        if indices.is_empty() { self.name.clone() } else { format!("{}[{}]", self.name, indices.join(", ")) }
    }
}

/// A letter that stands for any of several symbols.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Set {
    pub letter: char,
    pub symbols: Vec<char>,
}

/// The grid, the marks and all declarations that expressions can refer to.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct World {
    pub rows: usize,
    pub columns: usize,
    /// The mark of each cell, `.` for none. Empty if the file has no marks.
    pub marks: Vec<char>,
    pub sets: Vec<Set>,
    /// The values of each variable. The cells come first, row by row.
    pub values: Vec<Arc<[Term]>>,
    pub arrays: Vec<Array>,
    pub maps: Vec<(String, Mapping)>,
    /// The arrays of piles, in the order of the file.
    pub piles: Vec<Piles>,
    /// All items that piles hold: those at the start, in ascending order.
    pub items: Arc<[Term]>,
}

/// An array of piles of items.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piles {
    /// The bounds of its indices; `first` is the number of its first pile among all piles of the world.
    pub array: Array,
    /// The most items of each pile.
    pub most: Vec<Option<usize>>,
}

impl World {
    /// Returns the number of cells.
    pub fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// Returns the index of a value among those of a variable.
    pub fn value(&self, var: Var, term: &Term) -> Option<Value> {
        self.values[var].iter().position(|value| value == term).map(|at| at as Value)
    }

    /// Returns the scalar variable of this name.
    pub fn variable(&self, name: &str) -> Option<Var> {
        self.arrays.iter().find(|array| array.name == name && array.bounds.is_empty()).map(|array| array.first)
    }

    /// Returns the symbols that a literal denotes in `count`: the members of the set with this letter, else the value
    /// itself.
    pub fn denoted_symbols(&self, value: &Term) -> Vec<Term> {
        let text = value.to_string();
        match self.sets.iter().find(|set| text.chars().eq([set.letter])) {
            Some(set) => set.symbols.iter().map(|symbol| Term::read(&symbol.to_string())).collect(),
            None => vec![value.clone()],
        }
    }

    /// Returns the name of a pile: `waste`, `tube[1]`.
    pub fn pile_name(&self, number: usize) -> String {
        let is_of = |piles: &&Piles| (piles.array.first..piles.array.first + piles.array.len()).contains(&number);
        self.piles.iter().find(is_of).map_or_else(String::new, |piles| piles.array.element_name(number))
    }

    /// Returns a value as moves write it: piles by their names.
    pub fn written(&self, value: &Term) -> String {
        match value {
            Term::Pile(number) => self.pile_name(*number),
            value => value.to_string(),
        }
    }

    /// Returns the number of piles.
    pub fn pile_count(&self) -> usize {
        self.piles.last().map_or(0, |piles| piles.array.first + piles.array.len())
    }

    /// Returns the most items of a pile.
    pub fn most_items(&self, number: usize) -> Option<usize> {
        let of = |piles: &Piles| piles.most.get(number.checked_sub(piles.array.first)?).copied();
        self.piles.iter().find_map(of).flatten()
    }

    /// Returns the items that a name with `?` stands for, which is any one character.
    pub fn items_like(&self, name: &str) -> impl Iterator<Item = String> {
        let items = self.items.iter().filter(|_| name.contains('?')).map(Term::to_string);
        items.filter(move |item| fits(name, item))
    }

    /// Returns the index of the map of this name.
    pub fn map(&self, name: &str) -> Option<usize> {
        self.maps.iter().position(|(known, _)| known == name)
    }
}

/// A count in an expression.
#[derive(Clone, Copy)]
pub(super) enum Counted<'a> {
    /// The number of cells with one of these symbols.
    Symbols(&'a [Term]),
    /// The number of members of a collection for which a body is true, with the values of its parameters.
    Members(&'a Collection, &'a Expr, &'a [Term]),
}

/// Returns the value of a count; `None` if it is to be evaluated by the values of variables. It deducts its steps.
pub(super) type CountOf<'a> = &'a dyn Fn(Counted, &Cell<u64>) -> Option<Result<i64, EvalError>>;

/// Evaluates expressions in a state that may be partially known.
pub(super) struct Evaluator<'a> {
    pub world: &'a World,
    pub lookup: &'a dyn Fn(Var) -> Option<Value>,
    /// The values of counts, unless variables decide them.
    pub count_of: Option<CountOf<'a>>,
    /// The number of iterations left to quantifiers; nested quantifiers multiply.
    pub steps_left: Cell<u64>,
    /// The number of subexpressions that were evaluated.
    pub evaluated: Cell<u64>,
}

impl<'a> Evaluator<'a> {
    /// Creates an evaluator. It reads variables alone: what reads more of a state is undefined.
    pub fn new(world: &'a World, lookup: &'a dyn Fn(Var) -> Option<Value>, steps: u64) -> Evaluator<'a> {
        Evaluator { world, lookup, count_of: None, steps_left: steps.into(), evaluated: Cell::default() }
    }

    /// Returns what stands for a count, if anything does.
    fn counted(&self, count: Counted) -> Option<Result<Term, EvalError>> {
        Some(self.count_of?(count, &self.steps_left)?.map(Term::Number))
    }

    /// Returns the value of a variable.
    fn variable(&self, var: Var) -> Result<Term, EvalError> {
        let value = (self.lookup)(var).ok_or(EvalError::Unknown(Unknown::Variable(var)))?;
        Ok(self.world.values[var][usize::from(value)].clone())
    }

    /// Evaluates an expression. Quantifiers push their bound names onto `parameters` and pop them again.
    pub fn value(&self, expr: &Expr, parameters: &mut Vec<Term>) -> Result<Term, EvalError> {
        self.evaluated.set(self.evaluated.get() + 1);
        match &expr.kind {
            Kind::Term(term) => Ok(term.clone()),
            Kind::Parameter(number) => match &parameters[*number] {
                Term::Name(name) => match self.world.variable(name) {
                    Some(var) => self.variable(var),
                    None => Ok(parameters[*number].clone()),
                },
                term => Ok(term.clone()),
            },
            Kind::Letter(number) => match &parameters[*number] {
                Term::Matched(cell) => self.variable(cell.ok_or(EvalError::Undefined)?),
                symbol => Ok(symbol.clone()),
            },
            Kind::Variable(var) => self.variable(*var),
            Kind::ElementOf(array, indices) => {
                let var = self.element(*array, indices, parameters)?;
                self.variable(var)
            }
            Kind::Mark(indices) => {
                let cell = self.element(0, indices, parameters)?;
                Ok(Term::read(self.world.marks[cell].encode_utf8(&mut [0; 4])))
            }
            Kind::Builtin(builtin, arguments) => self.builtin(*builtin, arguments, parameters),
            // The machine compiles these to formulas of its own.
            Kind::Ahead(_) | Kind::Bodies(_) | Kind::Size(_) | Kind::Top(..) | Kind::Same(_) => {
                Err(EvalError::Undefined)
            }
            Kind::Map(map, argument) => {
                let entries = &self.world.maps[*map].1;
                // A parameter whose text is a key of the map denotes that key, even if a variable has the same name.
                let entry = match &argument.kind {
                    Kind::Parameter(number) if entries.contains_key(&parameters[*number]) => {
                        parameters[*number].clone()
                    }
                    _ => self.value(argument, parameters)?,
                };
                entries.get(&entry).cloned().ok_or(EvalError::Undefined)
            }
            Kind::Quantified(quantifier, _, collection, body) => {
                self.quantified(*quantifier, collection, body, parameters)
            }
            Kind::Not(inner) => Ok(Term::Truth(!self.truth(inner, parameters)?)),
            Kind::Negative(inner) => {
                self.number(inner, parameters)?.checked_neg().map(Term::Number).ok_or(EvalError::Undefined)
            }
            Kind::Binary(operation, left, right) => self.binary(*operation, left, right, parameters),
            Kind::Within(inner, collection) => {
                let term = self.value(inner, parameters)?;
                let within = match &**collection {
                    Collection::Range(least, most) => {
                        let (least, most) = (self.number(least, parameters)?, self.number(most, parameters)?);
                        term.as_number().is_some_and(|number| (least..=most).contains(&number))
                    }
                    Collection::List(list) => {
                        let mut found = false;
                        for entry in list {
                            found |= self.value(entry, parameters)? == term;
                        }
                        found
                    }
                };
                Ok(Term::Truth(within))
            }
            Kind::Conditional(condition, yes, no) => {
                if self.truth(condition, parameters)? {
                    self.value(yes, parameters)
                } else {
                    self.value(no, parameters)
                }
            }
            Kind::Raw(_) | Kind::Element(..) | Kind::Call(..) => unreachable!("names are resolved before evaluation"),
        }
    }

    /// Returns the variable of an array element.
    pub fn element(&self, array: usize, indices: &[Expr], parameters: &mut Vec<Term>) -> Result<Var, EvalError> {
        let indices = indices.iter().map(|index| self.number(index, parameters)).collect::<Result<Vec<_>, _>>()?;
        self.world.arrays[array].at(&indices).ok_or(EvalError::Undefined)
    }

    pub fn number(&self, expr: &Expr, parameters: &mut Vec<Term>) -> Result<i64, EvalError> {
        self.value(expr, parameters)?.as_number().ok_or(EvalError::Undefined)
    }

    pub fn truth(&self, expr: &Expr, parameters: &mut Vec<Term>) -> Result<bool, EvalError> {
        match self.value(expr, parameters)? {
            Term::Truth(truth) => Ok(truth),
            _ => Err(EvalError::Undefined),
        }
    }

    /// Returns the values of a range or a list.
    pub fn members(&self, collection: &Collection, parameters: &mut Vec<Term>) -> Result<Vec<Term>, EvalError> {
        match collection {
            Collection::Range(least, most) => {
                let (least, most) = (self.number(least, parameters)?, self.number(most, parameters)?);
                if most.saturating_sub(least) >= MOST_CHOICES {
                    return Err(EvalError::TooLong);
                }
                Ok((least..=most).map(Term::Number).collect())
            }
            Collection::List(list) => list.iter().map(|entry| self.value(entry, parameters)).collect(),
        }
    }

    fn builtin(&self, builtin: Builtin, arguments: &[Expr], parameters: &mut Vec<Term>) -> Result<Term, EvalError> {
        if builtin == Builtin::Count {
            let mut counted = Vec::new();
            for argument in arguments {
                match &argument.kind {
                    Kind::Term(literal) => counted.extend(self.world.denoted_symbols(literal)),
                    // A value that happens to be the letter of a set is a value: it denotes itself.
                    _ => counted.push(self.value(argument, parameters)?),
                }
            }
            if let Some(count) = self.counted(Counted::Symbols(&counted)) {
                return count;
            }
            let mut count = 0;
            for cell in 0..self.world.cells() {
                count += i64::from(counted.contains(&self.variable(cell)?));
            }
            return Ok(Term::Number(count));
        }
        let numbers =
            arguments.iter().map(|argument| self.number(argument, parameters)).collect::<Result<Vec<_>, _>>()?;
        let number = match builtin {
            Builtin::Min => numbers.into_iter().min(),
            Builtin::Max => numbers.into_iter().max(),
            Builtin::Abs => numbers[0].checked_abs(),
            Builtin::Count => unreachable!("handled above"),
        };
        number.map(Term::Number).ok_or(EvalError::Undefined)
    }

    fn quantified(
        &self,
        quantifier: Quantifier,
        collection: &Collection,
        body: &Expr,
        parameters: &mut Vec<Term>,
    ) -> Result<Term, EvalError> {
        if quantifier == Quantifier::Count
            && let Some(count) = self.counted(Counted::Members(collection, body, parameters))
        {
            return count;
        }
        let mut sum = 0i64;
        for term in self.members(collection, parameters)? {
            self.steps_left.set(self.steps_left.get().checked_sub(1).ok_or(EvalError::TooLong)?);
            parameters.push(term);
            let one = match quantifier {
                Quantifier::Sum => self.number(body, parameters),
                _ => self.truth(body, parameters).map(i64::from),
            };
            parameters.pop();
            match (quantifier, one?) {
                (Quantifier::All, 0) => return Ok(Term::Truth(false)),
                (Quantifier::Any, 1) => return Ok(Term::Truth(true)),
                (_, one) => sum = sum.checked_add(one).ok_or(EvalError::Undefined)?,
            }
        }
        Ok(match quantifier {
            Quantifier::All => Term::Truth(true),
            Quantifier::Any => Term::Truth(false),
            Quantifier::Count | Quantifier::Sum => Term::Number(sum),
        })
    }

    fn binary(&self, by: Operation, left: &Expr, right: &Expr, parameters: &mut Vec<Term>) -> Result<Term, EvalError> {
        match by {
            Operation::Or => return Ok(Term::Truth(self.truth(left, parameters)? || self.truth(right, parameters)?)),
            Operation::And => return Ok(Term::Truth(self.truth(left, parameters)? && self.truth(right, parameters)?)),
            Operation::Equal | Operation::Unequal => {
                let equal = self.value(left, parameters)? == self.value(right, parameters)?;
                return Ok(Term::Truth(equal == (by == Operation::Equal)));
            }
            _ => {}
        }
        let (left, right) = (self.number(left, parameters)?, self.number(right, parameters)?);
        Ok(match by {
            Operation::Less => Term::Truth(left < right),
            Operation::AtMost => Term::Truth(left <= right),
            Operation::Greater => Term::Truth(left > right),
            Operation::AtLeast => Term::Truth(left >= right),
            _ => Term::Number(by.of(left, right).ok_or(EvalError::Undefined)?),
        })
    }
}

/// The most values of a range.
const MOST_CHOICES: i64 = 1 << 16;

/// Returns a list with each of some values after it.
pub(super) fn extended<'a, T: Clone>(list: &'a [T], values: &'a [T]) -> impl Iterator<Item = Vec<T>> + 'a {
    values.iter().map(move |value| [list, std::slice::from_ref(value)].concat())
}

/// Visits an expression and all its subexpressions.
pub(super) fn visit<'a>(expr: &'a Expr, visitor: &mut dyn FnMut(&'a Expr)) {
    visitor(expr);
    let visit_collection = |collection: &'a Collection, visitor: &mut dyn FnMut(&'a Expr)| {
        collection.parts().into_iter().for_each(|part| visit(part, visitor));
    };
    let visit_pile = |pile: &'a PileExpr, visitor: &mut dyn FnMut(&'a Expr)| {
        pile.indices().iter().for_each(|index| visit(index, visitor));
    };
    match &expr.kind {
        Kind::Raw(_) | Kind::Term(_) | Kind::Parameter(_) | Kind::Letter(_) | Kind::Variable(_) => {}
        Kind::Ahead(_) | Kind::Bodies(_) => {}
        Kind::Size(pile) | Kind::Same(pile) => visit_pile(pile, visitor),
        Kind::Top(pile, place) => {
            visit_pile(pile, visitor);
            place.iter().for_each(|place| visit(place, visitor));
        }
        Kind::Element(_, parts)
        | Kind::ElementOf(_, parts)
        | Kind::Mark(parts)
        | Kind::Call(_, parts)
        | Kind::Builtin(_, parts) => parts.iter().for_each(|part| visit(part, visitor)),
        Kind::Map(_, inner) | Kind::Not(inner) | Kind::Negative(inner) => visit(inner, visitor),
        Kind::Quantified(_, _, collection, body) => {
            visit_collection(collection, visitor);
            visit(body, visitor);
        }
        Kind::Binary(_, left, right) => [left, right].into_iter().for_each(|part| visit(part, visitor)),
        Kind::Within(inner, list) => {
            visit(inner, visitor);
            visit_collection(list, visitor);
        }
        Kind::Conditional(which, yes, no) => [which, yes, no].into_iter().for_each(|part| visit(part, visitor)),
    }
}
