//! Expressions, and their evaluation in a position.
//!
//! An undefined expression evaluates to `None`, and `?` propagates it to all that depend on it. `&&`, `||`, `? :` and
//! quantifiers are evaluated from left to right with short circuits.

use super::body::all_bodies;
use super::value::Value;
use super::world::{Map, World};
use engine_domain::domain::Trace;
use std::cell::Cell;

#[derive(Debug)]
pub(super) enum Expression {
    Value(Value),
    /// The parameter or quantified name with this index.
    Parameter(usize),
    /// The symbol that this letter of a set matched.
    Letter(char),
    Variable(usize),
    /// An element of the array with this index.
    Element(usize, Vec<Expression>),
    Mark(Vec<Expression>),
    Map(Map, Box<Expression>),
    /// How many cells the only cell with one of these symbols lies further in the direction of the image than the place.
    Ahead(Vec<u32>),
    /// The number of bodies with one of these symbols.
    Bodies(Vec<u32>),
    /// The number of items of a pile.
    Size(PileName),
    /// An item of a pile, counted from 1 at its top.
    Top(PileName, Box<Expression>),
    /// How many equal items lie on top of a pile.
    Same(PileName),
    /// The number of cells with a symbol.
    Cells(Box<Expression>),
    Least(Vec<Expression>),
    Greatest(Vec<Expression>),
    Absolute(Box<Expression>),
    Quantified(Quantifier, Many, Box<Expression>),
    Not(Box<Expression>),
    Negative(Box<Expression>),
    Both(Box<Expression>, Box<Expression>),
    Either(Box<Expression>, Box<Expression>),
    Compare(Comparison, Box<Expression>, Box<Expression>),
    Calculate(Operation, Box<Expression>, Box<Expression>),
    Among(Box<Expression>, Many),
    /// The condition and the two branches.
    Conditional(Box<[Expression; 3]>),
}

/// A pile, as the file names it.
#[derive(Debug)]
pub(super) enum PileName {
    /// A pile of the array with this index.
    Element(usize, Vec<Expression>),
    /// The pile whose name is the value of the parameter with this index.
    Parameter(usize),
}

/// The values that a quantified name takes, or that a value is tested against.
#[derive(Debug)]
pub(super) enum Many {
    Range(Box<[Expression; 2]>),
    List(Vec<Expression>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantifier {
    All,
    Any,
    Count,
    Sum,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Plus,
    Minus,
    Times,
    Divide,
    Modulo,
}

/// The values of parameters, followed by those of quantified names.
pub(super) type Parameters = Vec<Value>;

/// The letter of a set, and the symbol that it matched; `None` if all its cells are cut off.
pub(super) type Matched = (char, Option<u32>);

/// The place of an image on the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Here {
    pub cell: usize,
    /// The offset of one step in its direction, down and to the right.
    pub forward: (i64, i64),
}

/// Evaluates expressions in a position.
pub(super) struct Evaluator<'a> {
    world: &'a World,
    position: &'a Trace,
    /// The letters of sets with the symbols that they matched.
    matched: &'a [Matched],
    here: Option<Here>,
    /// True after an evaluation that read a variable. Otherwise its value is the same in every position.
    pub read_variable: Cell<bool>,
}

impl<'a> Evaluator<'a> {
    pub fn new(world: &'a World, position: &'a Trace) -> Evaluator<'a> {
        Evaluator::with(world, position, &[], None)
    }

    /// Creates an evaluator for the expressions of a rule whose drawing matched.
    pub fn with(world: &'a World, position: &'a Trace, matched: &'a [Matched], here: Option<Here>) -> Evaluator<'a> {
        Evaluator { world, position, matched, here, read_variable: Cell::new(false) }
    }

    /// Returns the value of a variable.
    fn variable(&self, variable: usize) -> Value {
        self.read_variable.set(true);
        self.world.value(self.position[variable]).clone()
    }

    /// Evaluates an expression; `None` if it is undefined. Leaves the parameters unchanged.
    pub fn value(&self, expression: &Expression, parameters: &mut Parameters) -> Option<Value> {
        match expression {
            Expression::Value(value) => Some(value.clone()),
            Expression::Parameter(number) => Some(match self.named(&parameters[*number]) {
                Some(variable) => self.variable(variable),
                None => parameters[*number].clone(),
            }),
            Expression::Letter(letter) => {
                self.read_variable.set(true);
                let (_, symbol) = self.matched.iter().find(|(known, _)| known == letter)?;
                symbol.map(|symbol| self.world.value(symbol).clone())
            }
            Expression::Variable(variable) => Some(self.variable(*variable)),
            Expression::Element(array, indices) => Some(self.variable(self.element(*array, indices, parameters)?)),
            Expression::Mark(indices) => {
                let place = [self.number(&indices[0], parameters)?, self.number(&indices[1], parameters)?];
                let [row, column] = place.map(|index| usize::try_from(index).ok());
                let (row, column) = (row.filter(|row| *row < self.world.rows)?, column?);
                let cell = (column < self.world.columns).then(|| row * self.world.columns + column)?;
                self.world.marks.get(cell).map(|mark| Value::symbol(*mark))
            }
            Expression::Map(entries, of) => {
                // A parameter whose value is a key of the map denotes that key, even if a variable has the same name.
                if let Expression::Parameter(number) = **of
                    && let Some(entry) = entries.get(&parameters[number])
                {
                    return Some(entry.clone());
                }
                entries.get(&self.value(of, parameters)?).cloned()
            }
            Expression::Ahead(symbols) => {
                self.read_variable.set(true);
                let mut cells = (0..self.world.cells()).filter(|cell| symbols.contains(&self.position[*cell]));
                let (Some(cell), None) = (cells.next(), cells.next()) else { return None };
                let Here { cell: here, forward } = self.here?;
                let place = |cell: usize| ((cell / self.world.columns) as i64, (cell % self.world.columns) as i64);
                let ((row, column), (here_row, here_column)) = (place(cell), place(here));
                Some(Value::Number((row - here_row) * forward.0 + (column - here_column) * forward.1))
            }
            Expression::Bodies(symbols) => {
                self.read_variable.set(true);
                let bodies = all_bodies(self.world, self.position.values());
                let has = |body: &Vec<usize>| body.iter().any(|cell| symbols.contains(&self.position[*cell]));
                Some(Value::Number(bodies.iter().filter(|body| has(body)).count() as i64))
            }
            Expression::Size(pile) => Some(Value::Number(self.items(pile, parameters)?.len() as i64)),
            Expression::Top(pile, from_top) => {
                let items = self.items(pile, parameters)?;
                let from_top = usize::try_from(self.number(from_top, parameters)?).ok().filter(|number| *number > 0)?;
                items.iter().nth_back(from_top - 1).map(|item| self.world.value(*item).clone())
            }
            Expression::Same(pile) => {
                let items = self.items(pile, parameters)?;
                let equal = items.iter().rev().take_while(|item| Some(*item) == items.last());
                Some(Value::Number(equal.count() as i64))
            }
            Expression::Cells(of) => {
                // Only a literal means the symbols of a set.
                let is_literal = matches!(**of, Expression::Value(_));
                let symbols: Vec<u32> = match self.value(of, parameters)?.character() {
                    Some(character) if is_literal => self.world.denoted_symbols(character),
                    Some(character) => self.world.symbol(character).into_iter().collect(),
                    None => Vec::new(),
                };
                self.read_variable.set(true);
                let cells = (0..self.world.cells()).filter(|cell| symbols.contains(&self.position[*cell]));
                Some(Value::Number(cells.count() as i64))
            }
            Expression::Least(of) => Some(Value::Number(self.numbers(of, parameters)?.into_iter().min()?)),
            Expression::Greatest(of) => Some(Value::Number(self.numbers(of, parameters)?.into_iter().max()?)),
            Expression::Absolute(of) => self.number(of, parameters)?.checked_abs().map(Value::Number),
            Expression::Quantified(quantifier, many, of) => self.quantified(*quantifier, many, of, parameters),
            Expression::Not(of) => Some(Value::Truth(!self.truth(of, parameters)?)),
            Expression::Negative(of) => self.number(of, parameters)?.checked_neg().map(Value::Number),
            Expression::Both(left, right) => {
                Some(Value::Truth(self.truth(left, parameters)? && self.truth(right, parameters)?))
            }
            Expression::Either(left, right) => {
                Some(Value::Truth(self.truth(left, parameters)? || self.truth(right, parameters)?))
            }
            Expression::Compare(by, left, right) => self.compare(*by, left, right, parameters).map(Value::Truth),
            Expression::Calculate(by, left, right) => {
                let (left, right) = (self.number(left, parameters)?, self.number(right, parameters)?);
                calculate(*by, left, right).map(Value::Number)
            }
            Expression::Among(of, many) => {
                let value = self.value(of, parameters)?;
                Some(Value::Truth(match many {
                    Many::Range(ends) => {
                        let ends = [self.number(&ends[0], parameters)?, self.number(&ends[1], parameters)?];
                        matches!(value, Value::Number(number) if ends[0] <= number && number <= ends[1])
                    }
                    Many::List(list) => self.values(list, parameters)?.contains(&value),
                }))
            }
            Expression::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                self.value(if self.truth(condition, parameters)? { yes } else { no }, parameters)
            }
        }
    }

    /// Evaluates a numeric expression.
    pub fn number(&self, expression: &Expression, parameters: &mut Parameters) -> Option<i64> {
        match self.value(expression, parameters)? {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Evaluates a condition.
    pub fn truth(&self, expression: &Expression, parameters: &mut Parameters) -> Option<bool> {
        match self.value(expression, parameters)? {
            Value::Truth(truth) => Some(truth),
            _ => None,
        }
    }

    /// Returns whether a condition without parameters is defined and holds.
    pub fn holds(&self, condition: &Expression) -> bool {
        self.truth(condition, &mut Vec::new()) == Some(true)
    }

    /// Returns the variable that a parameter with this value names.
    pub fn named(&self, value: &Value) -> Option<usize> {
        match value {
            Value::Name(name) => self.world.variable(name),
            _ => None,
        }
    }

    /// Returns the variable of an array element.
    pub fn element(&self, array: usize, indices: &[Expression], parameters: &mut Parameters) -> Option<usize> {
        self.world.arrays[array].at(indices.iter().map(|index| self.number(index, parameters)))
    }

    /// Returns the number of a pile.
    pub fn pile(&self, pile: &PileName, parameters: &mut Parameters) -> Option<usize> {
        match pile {
            PileName::Element(array, indices) => {
                self.world.piles[*array].at(indices.iter().map(|index| self.number(index, parameters)))
            }
            PileName::Parameter(number) => self.world.pile_named(&parameters[*number].to_string()),
        }
    }

    /// Returns the items of a pile, bottom first.
    fn items(&self, pile: &PileName, parameters: &mut Parameters) -> Option<&'a [u32]> {
        self.read_variable.set(true);
        Some(self.world.pile(self.pile(pile, parameters)?, self.position.values()))
    }

    /// Returns the values of a range or a list. All values of a list are evaluated first.
    pub fn many(&self, many: &Many, parameters: &mut Parameters) -> Option<impl Iterator<Item = Value> + use<>> {
        let (range, list) = match many {
            Many::Range(ends) => {
                (Some(self.number(&ends[0], parameters)?..=self.number(&ends[1], parameters)?), Vec::new())
            }
            Many::List(list) => (None, self.values(list, parameters)?),
        };
        Some(range.into_iter().flatten().map(Value::Number).chain(list))
    }

    fn values(&self, all: &[Expression], parameters: &mut Parameters) -> Option<Vec<Value>> {
        all.iter().map(|expression| self.value(expression, parameters)).collect()
    }

    fn numbers(&self, all: &[Expression], parameters: &mut Parameters) -> Option<Vec<i64>> {
        all.iter().map(|expression| self.number(expression, parameters)).collect()
    }

    fn quantified(
        &self,
        quantifier: Quantifier,
        many: &Many,
        of: &Expression,
        parameters: &mut Parameters,
    ) -> Option<Value> {
        let mut sum = 0_i64;
        for value in self.many(many, parameters)? {
            parameters.push(value);
            let one = match quantifier {
                Quantifier::Sum => self.number(of, parameters),
                _ => self.truth(of, parameters).map(i64::from),
            };
            parameters.pop();
            match (quantifier, one?) {
                (Quantifier::All, 0) => return Some(Value::Truth(false)),
                (Quantifier::Any, 1) => return Some(Value::Truth(true)),
                (_, one) => sum = sum.checked_add(one)?,
            }
        }
        Some(match quantifier {
            Quantifier::All => Value::Truth(true),
            Quantifier::Any => Value::Truth(false),
            Quantifier::Count | Quantifier::Sum => Value::Number(sum),
        })
    }

    fn compare(
        &self,
        by: Comparison,
        left: &Expression,
        right: &Expression,
        parameters: &mut Parameters,
    ) -> Option<bool> {
        let (left, right) = (self.value(left, parameters)?, self.value(right, parameters)?);
        let order = match (&left, &right) {
            (Value::Number(left), Value::Number(right)) => Some(left.cmp(right)),
            _ => None,
        };
        match by {
            Comparison::Equal => Some(left == right),
            Comparison::Unequal => Some(left != right),
            Comparison::Less => order.map(|order| order.is_lt()),
            Comparison::AtMost => order.map(|order| order.is_le()),
            Comparison::Greater => order.map(|order| order.is_gt()),
            Comparison::AtLeast => order.map(|order| order.is_ge()),
        }
    }
}

/// Computes with 128 bits, so that no intermediate result overflows. `/` and `%` round down.
fn calculate(by: Operation, left: i64, right: i64) -> Option<i64> {
    let (left, right) = (i128::from(left), i128::from(right));
    if right == 0 && matches!(by, Operation::Divide | Operation::Modulo) {
        return None;
    }
    // Truncation rounds a negative quotient up, so 1 is subtracted unless it is whole.
    let quotient = || left / right - i128::from(left % right != 0 && (left < 0) != (right < 0));
    let result = match by {
        Operation::Plus => left + right,
        Operation::Minus => left - right,
        Operation::Times => left * right,
        Operation::Divide => quotient(),
        Operation::Modulo => left - right * quotient(),
    };
    i64::try_from(result).ok()
}
