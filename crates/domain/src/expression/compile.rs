//! Resolves the names of an expression by a vocabulary, and checks its types.

use super::formula::{Formula, MOST_BOUND, Members, Node, NodeKind};
use super::vocabulary::{Type, Vocabulary};
use super::{Expr, ExprError, Kind, Many, Operation, Quantifier, parse};
use crate::diagnostic::unknown_name;
use std::ops::Range;

/// Compiles an expression that is a number.
///
/// # Errors
/// The first place that is wrong.
pub fn compile(text: &str, vocabulary: &Vocabulary) -> Result<Formula, ExprError> {
    let expr = parse(text)?;
    Compiler { vocabulary, bound: Vec::new() }.of_type(&expr, Type::Number).map(Formula)
}

/// A bound name, or none if it is that of a short form.
struct Bound {
    name: Option<String>,
    of: Type,
}

struct Compiler<'a> {
    vocabulary: &'a Vocabulary<'a>,
    bound: Vec<Bound>,
}

type Compiled = Result<(Node, Type), ExprError>;

impl Compiler<'_> {
    fn wrong(at: &Range<usize>, message: impl Into<String>, help: impl Into<String>) -> ExprError {
        ExprError { at: at.clone(), message: message.into(), help: Some(help.into()) }
    }

    fn words(&self, of: Type) -> &'static str {
        match of {
            Type::Number => "a number",
            Type::Truth => "`true` or `false`",
            Type::Element => self.vocabulary.element,
        }
    }

    fn of_type(&mut self, expr: &Expr, wanted: Type) -> Result<Node, ExprError> {
        let (node, of) = self.compiled(expr)?;
        if of == wanted {
            return Ok(node);
        }
        let message = format!("expected {}, found {}", self.words(wanted), self.words(of));
        let help = match (wanted, of) {
            (Type::Number, Type::Truth) => Some("count what holds: `count(t in …: condition)`, or write `c ? 1 : 0`"),
            (Type::Truth, Type::Number) => Some("compare it: `x > 0`"),
            _ => None,
        };
        Err(ExprError { at: expr.span.clone(), message, help: help.map(str::to_owned) })
    }

    fn compiled(&mut self, expr: &Expr) -> Compiled {
        let boxed = |node| Box::new(node);
        let (kind, of) = match &expr.kind {
            Kind::Number(number) => (NodeKind::Number(*number), Type::Number),
            Kind::True => (NodeKind::Number(1), Type::Truth),
            Kind::Quoted(text) => {
                let element = (self.vocabulary.quoted)(text);
                let element = element.map_err(|(message, help)| Self::wrong(&expr.span, message, help))?;
                (NodeKind::Number(element), Type::Element)
            }
            Kind::Name(name) => self.name(name, &expr.span)?,
            Kind::Element(name, _) => {
                let message = format!("`{name}` has no elements in brackets");
                let help = self.help_for(name).unwrap_or_else(|| format!("write functions as `{name}(…)`"));
                return Err(Self::wrong(&expr.span, message, help));
            }
            Kind::Call(name, arguments) => self.call(name, arguments, &expr.span)?,
            Kind::Quantified(quantifier, name, many, body) => {
                let (members, of) = self.members(many)?;
                self.quantified(*quantifier, members, Bound { name: Some(name.clone()), of }, body)?
            }
            Kind::Not(inner) => (NodeKind::Not(boxed(self.of_type(inner, Type::Truth)?)), Type::Truth),
            Kind::Negative(inner) => (NodeKind::Negative(boxed(self.of_type(inner, Type::Number)?)), Type::Number),
            Kind::Binary(by, left, right) => self.binary(*by, left, right)?,
            Kind::Within(inner, many) => {
                let (members, of) = self.members(many)?;
                (NodeKind::Within(boxed(self.of_type(inner, of)?), members), Type::Truth)
            }
            Kind::Conditional(condition, yes, no) => {
                let condition = self.of_type(condition, Type::Truth)?;
                let (yes, of) = self.compiled(yes)?;
                let no = self.of_type(no, of)?;
                (NodeKind::Conditional(boxed(condition), boxed(yes), boxed(no)), of)
            }
        };
        let at = (expr.span.start as u16, expr.span.end as u16);
        Ok((Node { kind, at }, of))
    }

    fn binary(&mut self, by: Operation, left: &Expr, right: &Expr) -> Result<(NodeKind, Type), ExprError> {
        let (left, right) = match by {
            Operation::And | Operation::Or => (self.of_type(left, Type::Truth)?, self.of_type(right, Type::Truth)?),
            Operation::Equal | Operation::Unequal => {
                let (left, of) = self.compiled(left)?;
                (left, self.of_type(right, of)?)
            }
            _ => (self.of_type(left, Type::Number)?, self.of_type(right, Type::Number)?),
        };
        let is_number =
            matches!(by, Operation::Plus | Operation::Minus | Operation::Times | Operation::Divide | Operation::Modulo);
        let of = if is_number { Type::Number } else { Type::Truth };
        Ok((NodeKind::Binary(by, Box::new(left), Box::new(right)), of))
    }

    fn members(&mut self, many: &Many) -> Result<(Members, Type), ExprError> {
        match many {
            Many::Range(least, most) => {
                let least = self.of_type(least, Type::Number)?;
                let most = self.of_type(most, Type::Number)?;
                Ok((Members::Range(Box::new(least), Box::new(most)), Type::Number))
            }
            Many::List(list) => {
                let mut nodes = Vec::with_capacity(list.len());
                let mut of = None;
                for entry in list {
                    nodes.push(match of {
                        Some(of) => self.of_type(entry, of)?,
                        None => {
                            let (node, first) = self.compiled(entry)?;
                            of = Some(first);
                            node
                        }
                    });
                }
                Ok((Members::List(nodes), of.unwrap_or(Type::Number)))
            }
            Many::Set(name, at) => match self.vocabulary.sets.iter().find(|set| set.name == name) {
                Some(set) => Ok((Members::Set(set.members.clone()), set.of)),
                None => {
                    let known = unknown_name(name, self.vocabulary.sets.iter().map(|set| set.name));
                    let help = format!("{known}; or a range such as `1..3`, or a list such as `[1, 2]`");
                    Err(Self::wrong(at, format!("unknown set `{name}`"), help))
                }
            },
        }
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        members: Members,
        bound: Bound,
        body: &Expr,
    ) -> Result<(NodeKind, Type), ExprError> {
        let of_body = match quantifier {
            Quantifier::All | Quantifier::Any | Quantifier::Count => Type::Truth,
            Quantifier::Sum | Quantifier::Min | Quantifier::Max => Type::Number,
        };
        let of = if matches!(quantifier, Quantifier::All | Quantifier::Any) { Type::Truth } else { Type::Number };
        if self.bound.len() == MOST_BOUND {
            let message = format!("more than {MOST_BOUND} quantifiers in each other");
            return Err(Self::wrong(&body.span, message, "split the expression"));
        }
        self.bound.push(bound);
        let body = self.of_type(body, of_body);
        self.bound.pop();
        Ok((NodeKind::Quantified(quantifier, members, Box::new(body?)), of))
    }

    /// Resolves a name without brackets.
    fn name(&self, name: &str, at: &Range<usize>) -> Result<(NodeKind, Type), ExprError> {
        if let Some(number) = self.bound.iter().rposition(|bound| bound.name.as_deref() == Some(name)) {
            return Ok((NodeKind::Bound(number), self.bound[number].of));
        }
        if let Some((_, number)) = self.vocabulary.constants.iter().find(|(known, _)| *known == name) {
            return Ok((NodeKind::Number(*number), Type::Number));
        }
        if let Some(number) = self.function(name, 0, at)? {
            return Ok((NodeKind::Function(number, Vec::new()), self.vocabulary.functions[number].gives));
        }
        if let Some(element) = self.bound.iter().rposition(|bound| bound.name.is_none())
            && let Some(number) = self.function(name, 1, at)?
            && self.vocabulary.functions[number].takes == [self.bound[element].of]
        {
            let argument = Node { kind: NodeKind::Bound(element), at: (at.start as u16, at.end as u16) };
            return Ok((NodeKind::Function(number, vec![argument]), self.vocabulary.functions[number].gives));
        }
        if name == "false" {
            return Ok((NodeKind::Number(0), Type::Truth));
        }
        let help = self.help_for(name).unwrap_or_else(|| unknown_name(name, self.known()));
        Err(Self::wrong(at, format!("unknown name `{name}`"), help))
    }

    /// Returns all names that may stand for a value or a function.
    fn known(&self) -> impl Iterator<Item = &str> + Clone {
        let bound = self.bound.iter().filter_map(|bound| bound.name.as_deref());
        let constants = self.vocabulary.constants.iter().map(|(name, _)| *name);
        bound.chain(constants).chain(self.vocabulary.functions.iter().map(|function| function.name))
    }

    /// Returns how a name that exists is used, if it does.
    fn help_for(&self, name: &str) -> Option<String> {
        if self.vocabulary.sets.iter().any(|set| set.name == name) {
            return Some(format!("`{name}` is a set: use it as in `count(x in {name}: …)`"));
        }
        let function = self.vocabulary.functions.iter().find(|function| function.name == name)?;
        Some(match function.takes {
            [] => format!("write `{name}` without brackets"),
            [_] => format!("write `{name}(x)` with {}", self.argument(function.takes[0])),
            _ => format!("write `{name}(r, c)` with two numbers"),
        })
    }

    /// Returns an argument in words.
    fn argument(&self, of: Type) -> &'static str {
        let is_tile = of == Type::Number && self.vocabulary.sets.first().is_some_and(|set| set.of == Type::Number);
        if is_tile { "a tile" } else { self.words(of) }
    }

    /// Returns the function with this name and number of arguments.
    fn function(&self, name: &str, arguments: usize, at: &Range<usize>) -> Result<Option<usize>, ExprError> {
        let is_it = |function: &super::Function| function.name == name && function.takes.len() == arguments;
        let Some(number) = self.vocabulary.functions.iter().position(is_it) else { return Ok(None) };
        match self.vocabulary.missing.iter().find(|(missing, _)| *missing == number) {
            Some((_, (message, help))) => Err(Self::wrong(at, message, help)),
            None => Ok(Some(number)),
        }
    }

    fn call(&mut self, name: &str, arguments: &[Expr], at: &Range<usize>) -> Result<(NodeKind, Type), ExprError> {
        let short = match name {
            "all" => Some(Quantifier::All),
            "any" => Some(Quantifier::Any),
            "count" => Some(Quantifier::Count),
            "sum" => Some(Quantifier::Sum),
            _ => None,
        };
        match (short, arguments) {
            (Some(quantifier), [body]) => {
                let set = &self.vocabulary.sets[0];
                let (members, of) = (Members::Set(set.members.clone()), set.of);
                return self.quantified(quantifier, members, Bound { name: None, of }, body);
            }
            (Some(_), _) => {
                let set = self.vocabulary.sets[0].name;
                let help = format!("write it as `{name}(x in {set}: …)`");
                return Err(Self::wrong(at, format!("invalid arguments of `{name}`"), help));
            }
            (None, _) => {}
        }
        if matches!(name, "min" | "max" | "abs") {
            let mut nodes =
                arguments.iter().map(|one| self.of_type(one, Type::Number)).collect::<Result<Vec<_>, _>>()?;
            let kind = match (name, nodes.len()) {
                ("min", _) => NodeKind::Least(nodes),
                ("max", _) => NodeKind::Greatest(nodes),
                ("abs", 1) => NodeKind::Absolute(Box::new(nodes.remove(0))),
                _ => return Err(Self::wrong(at, "invalid arguments of `abs`", "write it as `abs(x)`")),
            };
            return Ok((kind, Type::Number));
        }
        let Some(number) = self.function(name, arguments.len(), at)? else {
            if let Some(help) = self.help_for(name) {
                return Err(Self::wrong(at, format!("invalid arguments of `{name}`"), help));
            }
            let functions = self.vocabulary.functions.iter().filter(|function| !function.takes.is_empty());
            let known = functions.map(|function| function.name);
            let known = known.chain(["abs", "all", "any", "count", "max", "min", "sum"]);
            return Err(Self::wrong(at, format!("unknown function `{name}`"), unknown_name(name, known)));
        };
        let function = self.vocabulary.functions[number];
        let typed = arguments.iter().zip(function.takes);
        let nodes = typed.map(|(argument, of)| self.of_type(argument, *of)).collect::<Result<Vec<_>, _>>()?;
        Ok((NodeKind::Function(number, nodes), function.gives))
    }
}
