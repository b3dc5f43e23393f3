//! Compiles expressions to formulas: names become numbers, parameters their values, and quantifiers over known values are
//! unrolled.

use super::{Choices, Datum, Formula, Parameter, PileFormula, Scene, Terms};
use crate::expression::{Builtin, Collection, Expr, Kind, Operation, PileExpr, Quantifier};
use crate::machine::bodies::Bodies;
use crate::machine::state::State;
use std::cell::Cell;

/// The most parts that quantifiers over known values are unrolled to.
const MOST_UNROLLED: usize = 1 << 12;

/// Compiles an expression.
pub(super) struct Compiler<'a> {
    terms: &'a mut Terms,
    parameters: Vec<Parameter>,
    /// The number of names that are bound at evaluation.
    depth: usize,
    /// The number of copies of this part that quantifiers around it make.
    copies: usize,
}

impl<'a> Compiler<'a> {
    pub fn new(terms: &'a mut Terms, parameters: &[Parameter]) -> Compiler<'a> {
        Compiler { terms, parameters: parameters.to_vec(), depth: 0, copies: 1 }
    }

    fn all(&mut self, parts: &[Expr]) -> Box<[Formula]> {
        parts.iter().map(|part| self.formula(part)).collect()
    }

    fn boxed(&mut self, part: &Expr) -> Box<Formula> {
        Box::new(self.formula(part))
    }

    fn choices(&mut self, collection: &Collection) -> Choices {
        match collection {
            Collection::Range(least, most) => Choices::Range(self.formula(least), self.formula(most)),
            Collection::List(list) => Choices::List(self.all(list)),
        }
    }

    /// Compiles a pile.
    pub fn pile(&mut self, pile: &PileExpr) -> PileFormula {
        match pile {
            PileExpr::Parameter(number) => match self.parameters[*number] {
                Parameter::Known(Datum::Pile(pile)) => PileFormula::Known(pile as usize),
                _ => PileFormula::Undefined,
            },
            PileExpr::Element(array, indices) => {
                let indices = self.all(indices);
                match known_numbers(&indices) {
                    Some(Some(known)) => self.terms.world.piles[*array]
                        .array
                        .at(&known)
                        .map_or(PileFormula::Undefined, PileFormula::Known),
                    Some(None) => PileFormula::Undefined,
                    None => PileFormula::Element(*array, indices),
                }
            }
        }
    }

    /// Compiles an expression, and evaluates it if it reads nothing.
    pub fn formula(&mut self, expr: &Expr) -> Formula {
        let formula = self.compiled(expr);
        self.folded(formula)
    }

    /// Evaluates a formula that reads nothing.
    fn folded(&mut self, formula: Formula) -> Formula {
        let is_known = |part: &Formula| matches!(part, Formula::Known(_) | Formula::Undefined);
        let are_known = |parts: &[Formula]| parts.iter().all(is_known);
        let known_choices = |choices: &Choices| match choices {
            Choices::Range(least, most) => is_known(least) && is_known(most),
            Choices::List(list) => list.iter().all(is_known),
        };
        let is_constant = match &formula {
            Formula::Mark(parts) | Formula::Minimum(parts) | Formula::Maximum(parts) | Formula::Each(_, parts) => {
                are_known(parts)
            }
            Formula::Absolute(part) | Formula::Not(part) | Formula::Negative(part) | Formula::Map(_, part) => {
                is_known(part)
            }
            Formula::Binary(operation, parts) => match (&parts.0, operation) {
                (Formula::Undefined, _)
                | (Formula::Known(Datum::Truth(false)), Operation::And)
                | (Formula::Known(Datum::Truth(true)), Operation::Or) => true,
                (one, _) => is_known(one) && is_known(&parts.1),
            },
            Formula::Within(part, choices) => is_known(part) && known_choices(choices),
            Formula::Conditional(parts) => match parts.0 {
                Formula::Known(Datum::Truth(true)) => return parts.1.clone(),
                Formula::Known(Datum::Truth(false)) => return parts.2.clone(),
                _ => is_known(&parts.0),
            },
            _ => false,
        };
        if !is_constant {
            return match formula {
                Formula::Binary(operation @ (Operation::Equal | Operation::Unequal), parts) => {
                    self.comparison(operation == Operation::Equal, *parts)
                }
                other => other,
            };
        }
        let too_long = Cell::new(false);
        let (state, bodies) = (State::default(), Bodies::default());
        let terms = &*self.terms;
        let scene = Scene { terms, bodies: &bodies, state: &state, letters: &[], at: None, too_long: &too_long };
        let value = scene.value(&formula, &mut Vec::new());
        if too_long.get() { formula } else { value.map_or(Formula::Undefined, Formula::Known) }
    }

    /// Returns whether two parts are equal, or unequal. A variable is compared with a known value by its index.
    fn comparison(&self, equal: bool, parts: (Formula, Formula)) -> Formula {
        let (var, datum) = match parts {
            (Formula::Variable(var), Formula::Known(datum)) | (Formula::Known(datum), Formula::Variable(var)) => {
                (var, datum)
            }
            parts => {
                let operation = if equal { Operation::Equal } else { Operation::Unequal };
                return Formula::Binary(operation, Box::new(parts));
            }
        };
        match self.terms.value(var, datum) {
            None => Formula::Known(Datum::Truth(!equal)),
            Some(value) if equal => Formula::Has(var, value),
            Some(value) => Formula::Not(Box::new(Formula::Has(var, value))),
        }
    }

    /// Returns a datum that stands for a variable where it names one.
    fn named(&self, datum: Datum) -> Formula {
        match datum {
            Datum::Name(name) => match self.terms.variables[name as usize] {
                Some(var) => Formula::Variable(var),
                None => Formula::Known(datum),
            },
            _ => Formula::Known(datum),
        }
    }

    fn compiled(&mut self, expr: &Expr) -> Formula {
        match &expr.kind {
            Kind::Term(term) => Formula::Known(self.terms.datum(term)),
            Kind::Parameter(number) => match self.parameters[*number] {
                Parameter::Known(datum) => self.named(datum),
                Parameter::Letter(letter) => Formula::Letter(letter),
                Parameter::Bound(depth) => Formula::Bound(depth),
            },
            Kind::Letter(number) => match self.parameters[*number] {
                Parameter::Known(datum) => Formula::Known(datum),
                Parameter::Letter(letter) => Formula::Letter(letter),
                Parameter::Bound(depth) => Formula::Bound(depth),
            },
            Kind::Variable(var) => Formula::Variable(*var),
            Kind::ElementOf(array, indices) => {
                let indices = self.all(indices);
                match known_numbers(&indices) {
                    Some(Some(known)) => {
                        self.terms.world.arrays[*array].at(&known).map_or(Formula::Undefined, Formula::Variable)
                    }
                    Some(None) => Formula::Undefined,
                    None => Formula::Element(*array, indices),
                }
            }
            Kind::Mark(indices) => Formula::Mark(self.all(indices)),
            Kind::Builtin(Builtin::Count, arguments) => match &arguments[0].kind {
                Kind::Term(literal) => {
                    let symbols = self.terms.world.denoted_symbols(literal);
                    Formula::Count(self.terms.symbols(&symbols))
                }
                _ => match self.formula(&arguments[0]) {
                    Formula::Known(datum) => {
                        let cells = if self.terms.world.cells() > 0 { &self.terms.values[0][..] } else { &[] };
                        Formula::Count(cells.iter().map(|symbol| *symbol == datum).collect())
                    }
                    other => Formula::CountOf(Box::new(other)),
                },
            },
            Kind::Builtin(Builtin::Min, arguments) => Formula::Minimum(self.all(arguments)),
            Kind::Builtin(Builtin::Max, arguments) => Formula::Maximum(self.all(arguments)),
            Kind::Builtin(Builtin::Abs, arguments) => Formula::Absolute(self.boxed(&arguments[0])),
            Kind::Ahead(symbols) => Formula::Ahead(self.terms.symbols(symbols)),
            Kind::Bodies(symbols) => Formula::Bodies(self.terms.symbols(symbols)),
            Kind::Size(pile) => Formula::Size(self.pile(pile)),
            Kind::Top(pile, place) => {
                let pile = self.pile(pile);
                let place = place.as_ref().map_or(Formula::Known(Datum::Number(1)), |place| self.formula(place));
                Formula::Top(pile, Box::new(place))
            }
            Kind::Same(pile) => Formula::Same(self.pile(pile)),
            Kind::Map(map, argument) => {
                // A parameter whose text is a key of the map denotes that key, even if a variable has the same name.
                if let Kind::Parameter(number) = argument.kind
                    && let Parameter::Known(datum) = self.parameters[number]
                    && self.terms.image(*map, datum).is_some()
                {
                    return Formula::Map(*map, Box::new(Formula::Known(datum)));
                }
                Formula::Map(*map, self.boxed(argument))
            }
            Kind::Quantified(quantifier, _, collection, body) => self.quantified(*quantifier, collection, body),
            Kind::Not(inner) => Formula::Not(self.boxed(inner)),
            Kind::Negative(inner) => Formula::Negative(self.boxed(inner)),
            Kind::Binary(operation, left, right) => {
                Formula::Binary(*operation, Box::new((self.formula(left), self.formula(right))))
            }
            Kind::Within(inner, collection) => Formula::Within(self.boxed(inner), Box::new(self.choices(collection))),
            Kind::Conditional(condition, yes, no) => {
                Formula::Conditional(Box::new((self.formula(condition), self.formula(yes), self.formula(no))))
            }
            Kind::Raw(_) | Kind::Element(..) | Kind::Call(..) => unreachable!("names are resolved before evaluation"),
        }
    }

    fn quantified(&mut self, quantifier: Quantifier, collection: &Collection, body: &Expr) -> Formula {
        let choices = self.choices(collection);
        let known = match &choices {
            Choices::Range(Formula::Known(Datum::Number(least)), Formula::Known(Datum::Number(most))) => {
                let count = most.saturating_sub(*least);
                (count < MOST_UNROLLED as i64).then(|| (*least..=*most).map(Datum::Number).collect::<Vec<_>>())
            }
            Choices::List(list) => list
                .iter()
                .map(|part| if let Formula::Known(datum) = part { Some(*datum) } else { None })
                .collect::<Option<Vec<_>>>(),
            Choices::Range(..) => None,
        };
        if let Some(known) = known.filter(|known| known.len() * self.copies <= MOST_UNROLLED) {
            self.copies *= known.len().max(1);
            let mut parts = Vec::with_capacity(known.len());
            for &datum in &known {
                self.parameters.push(Parameter::Known(datum));
                parts.push(self.formula(body));
                self.parameters.pop();
            }
            self.copies /= known.len().max(1);
            return Formula::Each(quantifier, parts.into());
        }
        self.parameters.push(Parameter::Bound(self.depth));
        self.depth += 1;
        let body = self.formula(body);
        self.depth -= 1;
        self.parameters.pop();
        Formula::Quantified(quantifier, Box::new(choices), Box::new(body))
    }
}

/// Returns the numbers that formulas are: `None` if not all are known, `Some(None)` if one is no number.
fn known_numbers(formulas: &[Formula]) -> Option<Option<Vec<i64>>> {
    let is_known = |part: &Formula| matches!(part, Formula::Known(_) | Formula::Undefined);
    let number = |part: &Formula| if let Formula::Known(Datum::Number(number)) = part { Some(*number) } else { None };
    formulas.iter().all(is_known).then(|| formulas.iter().map(number).collect())
}
