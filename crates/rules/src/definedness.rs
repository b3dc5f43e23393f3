//! Finds expressions that are defined in every state, without enumerating states.
//!
//! An abstract interpretation in the domain of sets and intervals (Cousot and Cousot 1977). Each subexpression gets all
//! values that it may have; variables are treated independently. An expression is reported as defined only if every
//! subexpression that may be evaluated is. The analysis is sound but incomplete: an expression that it rejects may be
//! defined all the same.

use super::expression::{Builtin, Collection, EvalError, Evaluator, Expr, Kind, Operation, Quantifier, Term};
use super::model::Model;
use super::task::{Values, Var};
use std::cell::Cell;
use std::collections::BTreeSet;

/// Larger sets of values are approximated by an interval.
const MOST_TERMS: usize = 256;

/// The values that an expression may have.
#[derive(Clone, Debug, PartialEq)]
enum Range {
    Terms(BTreeSet<Term>),
    /// An interval of whole numbers, both ends included.
    Numbers(i64, i64),
}

/// The reason for rejecting an expression: it may be undefined, or the analysis takes too many steps.
enum Unproven {
    Undefined,
    TooLong,
}

type Analysis = Result<Range, Unproven>;

impl Range {
    fn one(term: Term) -> Range {
        Range::Terms(BTreeSet::from([term]))
    }

    /// A set of truth values, given whether each is possible.
    fn truth(may_hold: bool, may_fail: bool) -> Range {
        let truths = [(true, may_hold), (false, may_fail)];
        Range::Terms(truths.into_iter().filter(|(_, may)| *may).map(|(truth, _)| Term::Truth(truth)).collect())
    }

    /// Returns the least and the greatest number; an error unless all values are numbers.
    fn bounds(&self) -> Result<(i64, i64), Unproven> {
        match self {
            Range::Numbers(least, most) => Ok((*least, *most)),
            Range::Terms(terms) => {
                let numbers = terms.iter().map(Term::as_number).collect::<Option<Vec<_>>>();
                let numbers = numbers.ok_or(Unproven::Undefined)?;
                numbers.iter().min().copied().zip(numbers.iter().max().copied()).ok_or(Unproven::Undefined)
            }
        }
    }

    /// Returns the set of values; an error if it is too large.
    fn terms(&self) -> Result<BTreeSet<Term>, Unproven> {
        match self {
            Range::Terms(terms) => Ok(terms.clone()),
            Range::Numbers(least, most) if most.saturating_sub(*least) < MOST_TERMS as i64 => {
                Ok((*least..=*most).map(Term::Number).collect())
            }
            Range::Numbers(..) => Err(Unproven::Undefined),
        }
    }

    /// Returns whether true and whether false is possible; an error unless all values are truth values.
    fn truths(&self) -> Result<(bool, bool), Unproven> {
        let Range::Terms(terms) = self else { return Err(Unproven::Undefined) };
        let has = |truth: bool| terms.contains(&Term::Truth(truth));
        match terms.iter().all(|term| matches!(term, Term::Truth(_))) {
            true => Ok((has(true), has(false))),
            false => Err(Unproven::Undefined),
        }
    }

    /// Returns the union of two ranges.
    fn or(self, other: Range) -> Analysis {
        match (&self, &other) {
            (Range::Terms(one), Range::Terms(two)) if one.len() + two.len() <= MOST_TERMS => {
                Ok(Range::Terms(one | two))
            }
            _ => {
                let ((a, b), (c, d)) = (self.bounds()?, other.bounds()?);
                Ok(Range::Numbers(a.min(c), b.max(d)))
            }
        }
    }
}

/// Analyses expressions over the states in which each variable has one of the given values.
pub(super) struct Definedness<'a> {
    pub model: &'a Model,
    pub values: &'a dyn Fn(Var) -> Values,
    /// The number of steps left.
    pub steps_left: Cell<u64>,
}

impl Definedness<'_> {
    /// Returns whether an expression is defined and a truth value in all of the states.
    ///
    /// # Errors
    /// The analysis takes more steps than are left.
    pub fn is_truth(&self, expr: &Expr, parameters: &[Term]) -> Result<bool, EvalError> {
        match self.truths(expr, &mut parameters.to_vec()) {
            Ok(_) => Ok(true),
            Err(Unproven::Undefined) => Ok(false),
            Err(Unproven::TooLong) => Err(EvalError::TooLong),
        }
    }

    fn truths(&self, expr: &Expr, parameters: &mut Vec<Term>) -> Result<(bool, bool), Unproven> {
        self.range(expr, parameters)?.truths()
    }

    fn bounds(&self, expr: &Expr, parameters: &mut Vec<Term>) -> Result<(i64, i64), Unproven> {
        self.range(expr, parameters)?.bounds()
    }

    fn step(&self, count: usize) -> Result<(), Unproven> {
        self.steps_left.set(self.steps_left.get().checked_sub(count as u64).ok_or(Unproven::TooLong)?);
        Ok(())
    }

    /// Evaluates `act` with only those variables known that have a single value; `None` if it reads another variable.
    fn with_known<T>(&self, act: impl FnOnce(&Evaluator) -> Result<T, EvalError>) -> Result<Option<T>, Unproven> {
        let lookup = |var: Var| (self.values)(var).only();
        let evaluator = self.model.evaluator(&lookup, self.steps_left.get());
        let found = act(&evaluator);
        self.steps_left.set(evaluator.steps_left.get());
        match found {
            Ok(found) => Ok(Some(found)),
            Err(EvalError::Unknown(_)) => Ok(None),
            Err(EvalError::Undefined) => Err(Unproven::Undefined),
            Err(EvalError::TooLong) => Err(Unproven::TooLong),
        }
    }

    fn variable(&self, var: Var) -> BTreeSet<Term> {
        (self.values)(var).iter().map(|value| self.model.world.values[var][usize::from(value)].clone()).collect()
    }

    /// Returns the variables that an array element may be.
    fn elements(&self, array: usize, indices: &[Expr], parameters: &mut Vec<Term>) -> Result<Vec<Var>, Unproven> {
        let mut places = vec![Vec::new()];
        for index in indices {
            let (least, most) = self.bounds(index, parameters)?;
            let count = most.saturating_sub(least).saturating_add(1) as usize;
            if places.len().saturating_mul(count) > MOST_TERMS {
                return Err(Unproven::Undefined);
            }
            self.step(places.len() * count)?;
            let longer = |place: &Vec<i64>| (least..=most).map(|at| [&place[..], &[at]].concat()).collect::<Vec<_>>();
            places = places.iter().flat_map(longer).collect();
        }
        let at = |place: &Vec<i64>| self.model.world.arrays[array].at(place).ok_or(Unproven::Undefined);
        places.iter().map(at).collect()
    }

    /// Returns all values that an expression may have; an error unless it is provably defined in all of the states.
    fn range(&self, expr: &Expr, parameters: &mut Vec<Term>) -> Analysis {
        self.step(1)?;
        if let Some(term) = self.with_known(|evaluator| evaluator.value(expr, parameters))? {
            return Ok(Range::one(term));
        }
        match &expr.kind {
            Kind::Term(term) => Ok(Range::one(term.clone())),
            Kind::Parameter(number) => {
                let var = self.model.world.variable(&parameters[*number].to_string());
                Ok(Range::Terms(self.variable(var.ok_or(Unproven::Undefined)?)))
            }
            Kind::Letter(number) => match &parameters[*number] {
                Term::Matched(Some(cell)) => Ok(Range::Terms(self.variable(*cell))),
                _ => Err(Unproven::Undefined),
            },
            Kind::Variable(var) => Ok(Range::Terms(self.variable(*var))),
            Kind::ElementOf(array, indices) => {
                let vars = self.elements(*array, indices, parameters)?;
                Ok(Range::Terms(vars.into_iter().flat_map(|var| self.variable(var)).collect()))
            }
            Kind::Mark(indices) => {
                let cells = self.elements(0, indices, parameters)?;
                let mark = |cell: Var| self.model.world.marks.get(cell).ok_or(Unproven::Undefined);
                let marks = cells.into_iter().map(mark).collect::<Result<Vec<_>, _>>()?;
                Ok(Range::Terms(marks.into_iter().map(|mark| Term::read(&mark.to_string())).collect()))
            }
            Kind::Builtin(builtin, arguments) => self.builtin(*builtin, arguments, parameters),
            Kind::Map(map, argument) => {
                let entries = &self.model.world.maps[*map].1;
                let keys = self.range(argument, parameters)?.terms()?;
                let images = keys.iter().map(|key| entries.get(key).cloned());
                images.collect::<Option<BTreeSet<Term>>>().map(Range::Terms).ok_or(Unproven::Undefined)
            }
            Kind::Quantified(quantifier, _, collection, body) => {
                self.quantified(*quantifier, collection, body, parameters)
            }
            Kind::Not(inner) => {
                let (may_hold, may_fail) = self.truths(inner, parameters)?;
                Ok(Range::truth(may_fail, may_hold))
            }
            Kind::Negative(inner) => {
                let (least, most) = self.bounds(inner, parameters)?;
                let ends = most.checked_neg().zip(least.checked_neg());
                ends.map(|(least, most)| Range::Numbers(least, most)).ok_or(Unproven::Undefined)
            }
            Kind::Binary(operation, left, right) => self.binary(*operation, left, right, parameters),
            Kind::Within(inner, collection) => {
                self.range(inner, parameters)?;
                match &**collection {
                    Collection::Range(least, most) => {
                        self.bounds(least, parameters)?;
                        self.bounds(most, parameters)?;
                    }
                    Collection::List(list) => {
                        for entry in list {
                            self.range(entry, parameters)?;
                        }
                    }
                }
                Ok(Range::truth(true, true))
            }
            Kind::Conditional(condition, yes, no) => match self.truths(condition, parameters)? {
                (true, false) => self.range(yes, parameters),
                (false, _) => self.range(no, parameters),
                (true, true) => self.range(yes, parameters)?.or(self.range(no, parameters)?),
            },
            // Only the machine evaluates these, and it proves nothing of expressions.
            Kind::Ahead(_) | Kind::Bodies(_) | Kind::Size(_) | Kind::Top(..) | Kind::Same(_) => {
                Err(Unproven::Undefined)
            }
            Kind::Raw(_) | Kind::Element(..) | Kind::Call(..) => unreachable!("names are resolved before evaluation"),
        }
    }

    fn builtin(&self, builtin: Builtin, arguments: &[Expr], parameters: &mut Vec<Term>) -> Analysis {
        if builtin == Builtin::Count {
            self.range(&arguments[0], parameters)?;
            return Ok(Range::Numbers(0, self.model.world.cells() as i64));
        }
        let bounds =
            arguments.iter().map(|argument| self.bounds(argument, parameters)).collect::<Result<Vec<_>, _>>()?;
        let least = bounds.iter().map(|&(least, _)| least);
        let most = bounds.iter().map(|&(_, most)| most);
        let ends = match builtin {
            Builtin::Min => least.min().zip(most.min()),
            Builtin::Max => least.max().zip(most.max()),
            Builtin::Abs | Builtin::Count => {
                let (least, most) = bounds[0];
                let farthest = least.checked_abs().zip(most.checked_abs()).map(|(one, other)| one.max(other));
                farthest.map(|farthest| (0, farthest))
            }
        };
        ends.map(|(least, most)| Range::Numbers(least, most)).ok_or(Unproven::Undefined)
    }

    fn quantified(
        &self,
        quantifier: Quantifier,
        collection: &Collection,
        body: &Expr,
        parameters: &mut Vec<Term>,
    ) -> Analysis {
        let terms =
            self.with_known(|evaluator| evaluator.members(collection, parameters))?.ok_or(Unproven::Undefined)?;
        let (mut least, mut most) = (0i64, 0i64);
        // The truth value at which a quantifier stops, if it stops early.
        let stops = match quantifier {
            Quantifier::All => Some(false),
            Quantifier::Any => Some(true),
            Quantifier::Count | Quantifier::Sum => None,
        };
        let mut may_stop = false;
        for term in terms {
            parameters.push(term);
            let one = match quantifier {
                Quantifier::Sum => self.bounds(body, parameters),
                _ => self.truths(body, parameters).map(|(may_hold, may_fail)| match stops {
                    Some(stop) => {
                        let (stops, goes_on) = if stop { (may_hold, may_fail) } else { (may_fail, may_hold) };
                        may_stop |= stops;
                        (0, i64::from(goes_on))
                    }
                    None => (i64::from(!may_fail), i64::from(may_hold)),
                }),
            };
            parameters.pop();
            let one = one?;
            if stops.is_some() {
                // The quantifier always stops here: later values are never evaluated.
                if one.1 == 0 {
                    return Ok(Range::truth(stops == Some(true), stops == Some(false)));
                }
                continue;
            }
            least = least.checked_add(one.0).ok_or(Unproven::Undefined)?;
            most = most.checked_add(one.1).ok_or(Unproven::Undefined)?;
        }
        Ok(match stops {
            Some(true) => Range::truth(may_stop, true),
            Some(false) => Range::truth(true, may_stop),
            None => Range::Numbers(least, most),
        })
    }

    fn binary(&self, by: Operation, left: &Expr, right: &Expr, parameters: &mut Vec<Term>) -> Analysis {
        match by {
            Operation::Or | Operation::And => {
                let stop = by == Operation::Or;
                let (may_hold, may_fail) = self.truths(left, parameters)?;
                let (stops, goes_on) = if stop { (may_hold, may_fail) } else { (may_fail, may_hold) };
                if !goes_on {
                    return Ok(Range::truth(stop, !stop));
                }
                let (may_hold, may_fail) = self.truths(right, parameters)?;
                return Ok(Range::truth(may_hold || stops && stop, may_fail || stops && !stop));
            }
            Operation::Equal | Operation::Unequal => {
                self.range(left, parameters)?;
                self.range(right, parameters)?;
                return Ok(Range::truth(true, true));
            }
            _ => {}
        }
        let ((a, b), (c, d)) = (self.bounds(left, parameters)?, self.bounds(right, parameters)?);
        let ends = |least: Option<i64>, most: Option<i64>| {
            least.zip(most).map(|(least, most)| Range::Numbers(least, most)).ok_or(Unproven::Undefined)
        };
        let is_zero = (c..=d).contains(&0);
        match by {
            // Disjoint intervals have a known order.
            Operation::Less => Ok(Range::truth(a < d, b >= c)),
            Operation::AtMost => Ok(Range::truth(a <= d, b > c)),
            Operation::Greater => Ok(Range::truth(b > c, a <= d)),
            Operation::AtLeast => Ok(Range::truth(b >= c, a < d)),
            Operation::Plus => ends(a.checked_add(c), b.checked_add(d)),
            Operation::Minus => ends(a.checked_sub(d), b.checked_sub(c)),
            Operation::Times => {
                let products = [(a, c), (a, d), (b, c), (b, d)].map(|(one, other)| one.checked_mul(other));
                let products = products.into_iter().collect::<Option<Vec<i64>>>().ok_or(Unproven::Undefined)?;
                ends(products.iter().min().copied(), products.iter().max().copied())
            }
            // `i64::MIN / -1` overflows, so nothing is proven about dividends that may be `i64::MIN`.
            Operation::Divide | Operation::Modulo if is_zero || a == i64::MIN => Err(Unproven::Undefined),
            Operation::Divide => {
                let farthest = a.saturating_abs().max(b.saturating_abs());
                Ok(Range::Numbers(-farthest, farthest))
            }
            Operation::Modulo => Ok(if c > 0 { Range::Numbers(0, d - 1) } else { Range::Numbers(c + 1, 0) }),
            _ => unreachable!("handled above"),
        }
    }
}
