//! The evaluation of compiled expressions.

use super::{Operation, Quantifier};
use std::fmt;
use std::ops::Range;

/// The most names that are bound at once.
pub(super) const MOST_BOUND: usize = 16;

/// The most members of a range.
const MOST_MEMBERS: i64 = 1 << 16;

/// The most steps of an evaluation.
const MOST_STEPS: u32 = 1_000_000;

/// Returns the value of a function of the position, given its index in the vocabulary and its arguments; `None` if it is
/// undefined.
pub type Reading<'a> = dyn Fn(usize, &[i64]) -> Option<i64> + 'a;

/// A compiled expression, which is a number.
#[derive(Clone, Debug)]
pub struct Formula(pub(super) Node);

/// A compiled expression with the bytes of its text.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub kind: NodeKind,
    pub at: (u16, u16),
}

#[derive(Clone, Debug)]
pub(super) enum NodeKind {
    Number(i64),
    /// The bound name with this index.
    Bound(usize),
    Function(usize, Vec<Node>),
    Quantified(Quantifier, Members, Box<Node>),
    Not(Box<Node>),
    Negative(Box<Node>),
    Binary(Operation, Box<Node>, Box<Node>),
    Within(Box<Node>, Members),
    Conditional(Box<Node>, Box<Node>, Box<Node>),
    Least(Vec<Node>),
    Greatest(Vec<Node>),
    Absolute(Box<Node>),
}

#[derive(Clone, Debug)]
pub(super) enum Members {
    Range(Box<Node>, Box<Node>),
    List(Vec<Node>),
    Set(Vec<i64>),
}

/// The reason why an expression has no value in a position, with the place of the part without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undefined {
    why: Why,
    at: (u16, u16),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    Division,
    Overflow,
    Nothing,
    LongRange,
    Function,
    TooLong,
}

impl Undefined {
    /// Returns the bytes of the part of the text that has no value.
    #[must_use]
    pub fn place(&self) -> Range<usize> {
        usize::from(self.at.0)..usize::from(self.at.1)
    }
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.why {
            Why::Division => "a division by 0",
            Why::Overflow => "a number that does not fit into 64 bits",
            Why::Nothing => "the least or greatest of nothing",
            Why::LongRange => "a range of more than 65,536 members",
            Why::Function => "there is no such tile, cell or place",
            Why::TooLong => "it takes more than 1,000,000 steps",
        })
    }
}

impl Formula {
    /// Returns the value in a position.
    ///
    /// # Errors
    /// The expression is undefined there.
    pub fn value(&self, reading: &Reading) -> Result<i64, Undefined> {
        Evaluation { reading, bound: [0; MOST_BOUND], depth: 0, steps_left: MOST_STEPS }.value(&self.0)
    }

    /// Returns the members of a set with their terms, if the whole expression is a sum over one.
    #[must_use]
    pub fn terms(&self, reading: &Reading) -> Option<Vec<(i64, i64)>> {
        let NodeKind::Quantified(Quantifier::Count | Quantifier::Sum, Members::Set(set), body) = &self.0.kind else {
            return None;
        };
        let term = |&member: &i64| {
            let mut bound = [0; MOST_BOUND];
            bound[0] = member;
            let term = Evaluation { reading, bound, depth: 1, steps_left: MOST_STEPS }.value(body).ok()?;
            Some((member, term))
        };
        set.iter().map(term).collect()
    }
}

struct Evaluation<'a> {
    reading: &'a Reading<'a>,
    /// The values of bound names, the outermost first.
    bound: [i64; MOST_BOUND],
    depth: usize,
    steps_left: u32,
}

impl Node {
    fn undefined(&self, why: Why) -> Undefined {
        Undefined { why, at: self.at }
    }
}

impl Evaluation<'_> {
    fn step(&mut self, node: &Node) -> Result<(), Undefined> {
        self.steps_left = self.steps_left.checked_sub(1).ok_or_else(|| node.undefined(Why::TooLong))?;
        Ok(())
    }

    fn value(&mut self, node: &Node) -> Result<i64, Undefined> {
        self.step(node)?;
        Ok(match &node.kind {
            NodeKind::Number(number) => *number,
            NodeKind::Bound(number) => self.bound[*number],
            NodeKind::Function(function, arguments) => {
                let value = match &arguments[..] {
                    [] => (self.reading)(*function, &[]),
                    [one] => {
                        let one = self.value(one)?;
                        (self.reading)(*function, &[one])
                    }
                    [one, other, ..] => {
                        let both = [self.value(one)?, self.value(other)?];
                        (self.reading)(*function, &both)
                    }
                };
                value.ok_or_else(|| node.undefined(Why::Function))?
            }
            NodeKind::Quantified(quantifier, members, body) => self.quantified(node, *quantifier, members, body)?,
            NodeKind::Not(inner) => 1 - self.value(inner)?,
            NodeKind::Negative(inner) => {
                self.value(inner)?.checked_neg().ok_or_else(|| node.undefined(Why::Overflow))?
            }
            NodeKind::Binary(operation, left, right) => self.binary(node, *operation, left, right)?,
            NodeKind::Within(inner, members) => {
                let wanted = self.value(inner)?;
                match members {
                    Members::Range(least, most) => {
                        i64::from((self.value(least)?..=self.value(most)?).contains(&wanted))
                    }
                    Members::List(list) => {
                        let mut found = false;
                        for member in list {
                            found |= self.value(member)? == wanted;
                        }
                        found.into()
                    }
                    Members::Set(set) => set.contains(&wanted).into(),
                }
            }
            NodeKind::Conditional(condition, yes, no) => {
                let holds = self.value(condition)? != 0;
                self.value(if holds { yes } else { no })?
            }
            NodeKind::Least(all) => self.best(all, i64::min)?,
            NodeKind::Greatest(all) => self.best(all, i64::max)?,
            NodeKind::Absolute(inner) => {
                self.value(inner)?.checked_abs().ok_or_else(|| node.undefined(Why::Overflow))?
            }
        })
    }

    /// Returns the least or the greatest value of some expressions, at least one.
    fn best(&mut self, all: &[Node], of: fn(i64, i64) -> i64) -> Result<i64, Undefined> {
        let mut best = self.value(&all[0])?;
        for one in &all[1..] {
            best = of(best, self.value(one)?);
        }
        Ok(best)
    }

    fn binary(&mut self, node: &Node, by: Operation, left: &Node, right: &Node) -> Result<i64, Undefined> {
        let left = self.value(left)?;
        match by {
            Operation::Or if left != 0 => return Ok(1),
            Operation::And if left == 0 => return Ok(0),
            _ => {}
        }
        let right = self.value(right)?;
        Ok(match by {
            Operation::Or | Operation::And => right,
            Operation::Equal => (left == right).into(),
            Operation::Unequal => (left != right).into(),
            Operation::Less => (left < right).into(),
            Operation::AtMost => (left <= right).into(),
            Operation::Greater => (left > right).into(),
            Operation::AtLeast => (left >= right).into(),
            arithmetic => {
                let divides = matches!(by, Operation::Divide | Operation::Modulo);
                let why = if divides && right == 0 { Why::Division } else { Why::Overflow };
                arithmetic.of(left, right).ok_or_else(|| node.undefined(why))?
            }
        })
    }

    fn quantified(
        &mut self,
        node: &Node,
        quantifier: Quantifier,
        members: &Members,
        body: &Node,
    ) -> Result<i64, Undefined> {
        let mut total: Option<i64> = None;
        match members {
            Members::Range(least, most) => {
                let (least, most) = (self.value(least)?, self.value(most)?);
                if most.saturating_sub(least) >= MOST_MEMBERS {
                    return Err(node.undefined(Why::LongRange));
                }
                for member in least..=most {
                    if self.add(node, quantifier, &mut total, member, body)? {
                        break;
                    }
                }
            }
            Members::List(list) => {
                for member in list {
                    let member = self.value(member)?;
                    if self.add(node, quantifier, &mut total, member, body)? {
                        break;
                    }
                }
            }
            Members::Set(set) => {
                for &member in set {
                    if self.add(node, quantifier, &mut total, member, body)? {
                        break;
                    }
                }
            }
        }
        match (quantifier, total) {
            (_, Some(total)) => Ok(total),
            (Quantifier::All, None) => Ok(1),
            (Quantifier::Min | Quantifier::Max, None) => Err(node.undefined(Why::Nothing)),
            (Quantifier::Any | Quantifier::Count | Quantifier::Sum, None) => Ok(0),
        }
    }

    /// Adds a member to the value of a quantifier. Returns whether no other member changes it.
    fn add(
        &mut self,
        node: &Node,
        quantifier: Quantifier,
        total: &mut Option<i64>,
        member: i64,
        body: &Node,
    ) -> Result<bool, Undefined> {
        self.step(node)?;
        self.bound[self.depth] = member;
        self.depth += 1;
        let value = self.value(body)?;
        self.depth -= 1;
        let before = *total;
        *total = Some(match (quantifier, before) {
            (Quantifier::Count | Quantifier::Sum, Some(sum)) => {
                sum.checked_add(value).ok_or_else(|| node.undefined(Why::Overflow))?
            }
            (Quantifier::Min, Some(least)) => least.min(value),
            (Quantifier::Max, Some(greatest)) => greatest.max(value),
            _ => value,
        });
        Ok(matches!((quantifier, value), (Quantifier::All, 0) | (Quantifier::Any, 1)))
    }
}
