//! Random expressions from the whole grammar, in which every operator gets operands of a fitting type.

use super::world::{Value, World, is_name};
use crate::support::dice::Dice;

/// The precedence of an expression, lowest first.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Precedence {
    Choice,
    Or,
    And,
    Not,
    Compared,
    Added,
    Multiplied,
    Negated,
    Whole,
}

use Precedence::{Added, And, Choice, Compared, Multiplied, Negated, Not, Or, Whole};

/// The text of an expression, with its precedence.
struct Text(String, Precedence);

/// The limit on the estimated number of cases of an expression.
const MAX_CASES: usize = 250;

/// An operand with its possible values.
struct Operand {
    text: String,
    values: Vec<Value>,
    /// True if a comparison with a value that it never has is an error, unless that value is a number.
    is_variable: bool,
}

/// A generator of expressions over a world, with parameters in scope.
pub struct ExpressionGenerator<'a> {
    pub dice: &'a mut Dice,
    pub world: &'a World,
    /// The letters of sets in `from` are among them: they never stand for variables.
    pub parameters: Vec<(String, Vec<Value>)>,
    pub letters: Vec<String>,
    cases: usize,
}

impl<'a> ExpressionGenerator<'a> {
    pub fn new(dice: &'a mut Dice, world: &'a World) -> ExpressionGenerator<'a> {
        ExpressionGenerator { dice, world, parameters: Vec::new(), letters: Vec::new(), cases: 1 }
    }

    pub fn condition(&mut self, depth: usize) -> String {
        self.cases = 1;
        self.truth(depth).0
    }

    /// Returns an expression that usually has one of these values.
    pub fn value_text(&mut self, of: &[Value], depth: usize) -> String {
        self.cases = 1;
        self.value(of, depth).0
    }

    /// Returns a cost expression: never negative, and small.
    pub fn cost_text(&mut self) -> String {
        self.cases = 1;
        let inner = self.number(1);
        match self.dice.below(4) {
            0 => format!("min(9, max(0, {}))", inner.0),
            1 => format!("abs({}) % 4", inner.0),
            2 => format!("1 + {} % 3", self.within(inner, Negated)),
            _ => {
                let which = self.truth(1);
                let (yes, no) = (self.dice.within(1, 3), self.dice.within(1, 3));
                format!("{} ? {yes} : {no}", self.within(which, Or))
            }
        }
    }

    /// Returns the text, in brackets if the precedence needs them, or sometimes at random.
    fn within(&mut self, text: Text, least: Precedence) -> String {
        let Text(inner, bound) = text;
        if bound < least || self.dice.one_in(12) { format!("({inner})") } else { inner }
    }

    fn space(&mut self) -> &'static str {
        self.dice.pick(&[" ", " ", " ", "", "  "])
    }

    fn infix(
        &mut self,
        sign: &str,
        left: Text,
        right: Text,
        bound: Precedence,
        next: Precedence,
        first: Precedence,
    ) -> Text {
        let (left, right) = (self.within(left, first), self.within(right, next));
        let space = if sign.starts_with(char::is_alphabetic) { " " } else { self.space() };
        Text(format!("{left}{space}{sign}{space}{right}"), bound)
    }

    fn call(&mut self, name: &str, arguments: &[Text]) -> Text {
        let arguments: Vec<&str> = arguments.iter().map(|argument| argument.0.as_str()).collect();
        Text(format!("{name}({})", arguments.join(self.dice.pick(&[", ", ","]))), Whole)
    }

    /// Writes a value as a literal of an expression.
    pub fn literal(&mut self, value: &Value) -> String {
        let text = value.to_string();
        let quoted = format!("'{text}'");
        let is_known = self.parameters.iter().any(|(name, _)| *name == text)
            || self.world.variables.iter().any(|variable| variable.name == text);
        const WORDS: [&str; 9] = ["and", "or", "not", "in", "for", "rows", "columns", "cell", "mark"];
        match value {
            Value::Name(_) if !is_name(&text) || is_known || WORDS.contains(&&*text) => quoted,
            _ if self.dice.one_in(3) => quoted,
            _ => text,
        }
    }

    fn literal_text(&mut self, value: &Value) -> Text {
        let text = self.literal(value);
        let bound = if text.starts_with('-') { Negated } else { Whole };
        Text(text, bound)
    }

    /// Returns the values of a parameter. The name of a variable stands for the variable's values.
    fn stands_for(&self, values: &[Value]) -> Vec<Value> {
        let mut all: Vec<Value> = Vec::new();
        for value in values {
            let of = match self.world.plain(&value.to_string()) {
                Some(variable) => &variable.values[..],
                None => std::slice::from_ref(value),
            };
            all.extend(of.iter().cloned());
        }
        all
    }

    fn is_hidden(&self, name: &str) -> bool {
        self.parameters.iter().any(|(known, _)| known == name)
    }

    /// Returns a random operand that can have a wanted value, or `None` after four attempts.
    fn operand(&mut self, wanted: &dyn Fn(&Value) -> bool, depth: usize) -> Option<Operand> {
        for _ in 0..4 {
            let found = self.any_operand(depth);
            if let Some(found) = found.filter(|operand| operand.values.iter().any(wanted)) {
                return Some(found);
            }
        }
        None
    }

    fn any_operand(&mut self, depth: usize) -> Option<Operand> {
        let world = self.world;
        let kind = self.dice.below(10);
        if kind < 3 && !self.parameters.is_empty() {
            let number = self.dice.below(self.parameters.len());
            let name = self.parameters[number].0.clone();
            // The last parameter of a name shadows earlier ones.
            let values = self.parameters.iter().rev().find(|(known, _)| *known == name)?.1.clone();
            if self.letters.contains(&name) {
                return self.if_few(values.len(), |_| Operand { text: name, values, is_variable: false });
            }
            let named = values.iter().filter_map(|value| world.plain(&value.to_string()));
            let cases = named.map(|variable| variable.values.len()).max().unwrap_or(1);
            return self.if_few(cases, |this| Operand {
                text: name,
                values: this.stands_for(&values),
                is_variable: false,
            });
        }
        if let Some(grid) = world.grid.as_ref().filter(|_| kind < 6 || world.variables.is_empty()) {
            let bounds = [(0, grid.rows as i64 - 1), (0, grid.columns as i64 - 1)];
            let (array, values) = match &grid.marks {
                Some(marks) if kind == 5 => ("mark", marks.clone()),
                _ => ("cell", grid.symbols.clone()),
            };
            let cases = if array == "mark" { 1 } else { values.len() };
            let (indices, many) = self.indices(&bounds, depth);
            let text = format!("{array}[{indices}]");
            let values = values.into_iter().map(Value::symbol).collect();
            return self.if_few(cases * many, |_| Operand { text, values, is_variable: array == "cell" });
        }
        if world.variables.is_empty() {
            return None;
        }
        let variable = &world.variables[self.dice.below(world.variables.len())];
        if variable.bounds.is_empty() {
            if self.is_hidden(&variable.name) {
                return None;
            }
            let (text, values) = (variable.name.clone(), variable.values.clone());
            return self.if_few(values.len(), |_| Operand { text, values, is_variable: true });
        }
        let (indices, many) = self.indices(&variable.bounds, depth);
        let (text, values) = (format!("{}[{indices}]", variable.name), variable.values.clone());
        self.if_few(values.len() * many, |_| Operand { text, values, is_variable: true })
    }

    /// Returns an operand unless it makes too many cases.
    fn if_few<T>(&mut self, cases: usize, operand: impl FnOnce(&Self) -> T) -> Option<T> {
        if self.cases * cases > MAX_CASES {
            return None;
        }
        self.cases *= cases;
        Some(operand(self))
    }

    /// Returns indices, usually within bounds, and the number of elements that they may select.
    fn indices(&mut self, bounds: &[(i64, i64)], depth: usize) -> (String, usize) {
        let mut many = 1;
        let mut all = Vec::new();
        for &(first, last) in bounds {
            let index = match self.dice.below(8) {
                0 | 1 => self.numeric_parameter().map(|name| match self.dice.below(3) {
                    0 => format!("{name} + {first}"),
                    1 => format!("{name}-1"),
                    _ => name,
                }),
                2 if depth > 0 => {
                    many *= (last - first + 1) as usize;
                    Some(self.number(depth - 1).0)
                }
                3 => Some(self.dice.pick(&[first - 1, last + 1]).to_string()),
                _ => None,
            };
            all.push(
                index.unwrap_or_else(|| (first + self.dice.below((last - first + 1) as usize) as i64).to_string()),
            );
        }
        (all.join(self.dice.pick(&[", ", ",", " , "])), many)
    }

    fn numeric_parameter(&mut self) -> Option<String> {
        let is_numeric = |(_, values): &&(String, Vec<Value>)| values.iter().any(Value::is_number);
        let names: Vec<String> = self.parameters.iter().filter(is_numeric).map(|(name, _)| name.clone()).collect();
        let name = (!names.is_empty()).then(|| self.dice.pick(&names))?;
        // A parameter without numbers may shadow it.
        let last = self.parameters.iter().rev().find(|(known, _)| *known == name)?;
        last.1.iter().any(Value::is_number).then_some(name)
    }

    pub fn symbol(&mut self) -> Option<Value> {
        let grid = self.world.grid.as_ref()?;
        Some(Value::symbol(self.dice.pick(&grid.symbols)))
    }

    /// Returns a `count` of cells: a case for each number.
    fn counted(&mut self) -> Option<Text> {
        let grid = self.world.grid.as_ref()?;
        self.if_few(grid.rows * grid.columns + 1, |_| ())?;
        let letters = self.world.letters();
        let letter = if letters.is_empty() || self.dice.one_in(2) {
            self.symbol()?
        } else {
            Value::symbol(self.dice.pick(&letters).0)
        };
        Some(Text(format!("count('{letter}')"), Whole))
    }

    fn number(&mut self, depth: usize) -> Text {
        let kind = self.dice.below(if depth == 0 { 5 } else { 16 });
        let found = match kind {
            0..=2 => self.operand(&Value::is_number, depth.saturating_sub(1)).map(|operand| Text(operand.text, Whole)),
            3 if self.world.grid.is_some() => Some(Text(self.dice.pick(&["rows", "columns"]).to_owned(), Whole)),
            5..=8 => {
                let (left, right) = (self.number(depth - 1), self.number(depth - 1));
                let sign = self.dice.pick(&["+", "+", "-", "-", "*", "/", "%", "%"]);
                let (bound, next) = if "+-".contains(sign) { (Added, Multiplied) } else { (Multiplied, Negated) };
                Some(self.infix(sign, left, right, bound, next, bound))
            }
            9 => {
                let inner = self.number(depth - 1);
                Some(Text(format!("-{}", self.within(inner, Whole)), Negated))
            }
            10 => {
                let arguments: Vec<Text> = (0..self.dice.within(1, 3)).map(|_| self.number(depth - 1)).collect();
                let name = self.dice.pick(&["min", "max"]);
                Some(self.call(name, &arguments))
            }
            11 => {
                let inner = self.number(depth - 1);
                Some(self.call("abs", &[inner]))
            }
            12 => self.counted(),
            13 => Some(self.quantified(depth, true)),
            14 => self.mapped(&Value::is_number, depth),
            15 => {
                let (which, yes, no) = (self.truth(depth - 1), self.number(depth - 1), self.number(depth - 1));
                Some(self.choice(which, yes, no))
            }
            _ => None,
        };
        found.unwrap_or_else(|| {
            let number = match self.dice.below(20) {
                0 => i64::MAX,
                1 => -(self.dice.below(4) as i64),
                _ => self.dice.below(4) as i64,
            };
            self.literal_text(&Value::Number(number))
        })
    }

    fn choice(&mut self, which: Text, yes: Text, no: Text) -> Text {
        let (which, space) = (self.within(which, Or), self.space());
        Text(format!("{which}{space}?{space}{} :{space}{}", yes.0, no.0), Choice)
    }

    /// Returns `count`, `sum`, `all` or `any` over a range or a list.
    fn quantified(&mut self, depth: usize, is_number: bool) -> Text {
        let (over, values) = self.over(depth - 1);
        let mut names = vec!["i", "j", "k", "q2"];
        if self.dice.one_in(4) {
            names =
                self.world.variables.iter().filter(|known| known.bounds.is_empty()).map(|known| &*known.name).collect();
            names.push("ρ");
        }
        let name = self.dice.pick(&names).to_owned();
        let before = self.cases;
        self.parameters.push((name.clone(), values.clone()));
        let what = self.dice.pick(if is_number { &["count", "sum"] } else { &["all", "any"] });
        let body = if what == "sum" { self.number(depth - 1) } else { self.truth(depth - 1) };
        self.parameters.pop();
        // Each iteration may depend on other variables.
        let each = self.cases / before.max(1);
        self.cases = before.saturating_mul(each.saturating_pow(values.len().min(4) as u32)).min(MAX_CASES * 10);
        Text(format!("{what}({name} in {over}: {})", body.0), Whole)
    }

    /// Returns a range or a list to iterate over, and its values.
    fn over(&mut self, depth: usize) -> (String, Vec<Value>) {
        if self.dice.one_in(3) {
            let mut entries = Vec::new();
            let mut values = Vec::new();
            let first = self.operand(&|_| true, depth);
            let like = first.as_ref().and_then(|operand| operand.values.first().cloned()).unwrap_or(Value::Number(1));
            let domain: Vec<Value> = match &first {
                Some(operand) => operand.values.iter().filter(|value| value.is_like(&like)).cloned().collect(),
                None => (0..3).map(Value::Number).collect(),
            };
            if let Some(operand) = first.filter(|operand| self.dice.one_in(3) && operand.values.len() == domain.len()) {
                values.extend(operand.values.iter().cloned());
                entries.push(operand.text);
            }
            for _ in 0..self.dice.within(1, 2) {
                let value = self.dice.pick(&domain);
                entries.push(self.literal(&value));
                values.push(value);
            }
            return (format!("[{}]", entries.join(", ")), values);
        }
        let first = self.dice.pick(&[0, 0, 1, -1, 2]);
        let last = first + self.dice.below(4) as i64 - 1;
        let values: Vec<Value> = (first..=last.max(first)).map(Value::Number).collect();
        let end = match (&self.world.grid, self.dice.below(5)) {
            (Some(_), 0) => "rows-1".to_owned(),
            (Some(_), 1) => "columns - 1".to_owned(),
            _ => last.to_string(),
        };
        let space = self.dice.pick(&["", "", " "]);
        (format!("{first}{space}..{space}{end}"), values)
    }

    /// Returns the application of a map to an operand.
    fn mapped(&mut self, wanted: &dyn Fn(&Value) -> bool, depth: usize) -> Option<Text> {
        let fits: Vec<usize> = (0..self.world.maps.len())
            .filter(|&map| self.world.maps[map].is_called())
            .filter(|&map| self.world.maps[map].entries.iter().any(|(_, to)| wanted(to)))
            .collect();
        if fits.is_empty() {
            return None;
        }
        let map = &self.world.maps[self.dice.pick(&fits)];
        let keys: Vec<Value> = map.entries.iter().map(|(from, _)| from.clone()).collect();
        let key = self.dice.pick(&keys);
        let argument = match self.operand(&|value| keys.contains(value), depth.saturating_sub(1)) {
            Some(operand) => Text(operand.text, Whole),
            None => self.literal_text(&key),
        };
        let name = map.name.clone();
        Some(self.call(&name, &[argument]))
    }

    fn truth(&mut self, depth: usize) -> Text {
        let kind = self.dice.below(if depth == 0 { 6 } else { 16 });
        let found = match kind {
            0 | 1 => self.operand(&Value::is_truth, depth).map(|operand| Text(operand.text, Whole)),
            2..=4 | 6..=8 => self.compared(depth.saturating_sub(1)),
            5 => self.compared_count(),
            9 | 10 => {
                let (left, right) = (self.truth(depth - 1), self.truth(depth - 1));
                Some(if self.dice.one_in(2) {
                    let sign = self.dice.pick(&["&&", "and"]);
                    self.infix(sign, left, right, And, Not, And)
                } else {
                    let sign = self.dice.pick(&["||", "or"]);
                    self.infix(sign, left, right, Or, And, Or)
                })
            }
            11 => {
                let inner = self.truth(depth - 1);
                let inner = self.within(inner, Not);
                Some(Text(format!("{}{inner}", self.dice.pick(&["!", "! ", "not "])), Not))
            }
            12 => Some(self.quantified(depth, false)),
            13 => self.mapped(&Value::is_truth, depth),
            14 => {
                let (left, right) = (self.truth(depth - 1), self.truth(depth - 1));
                let sign = self.dice.pick(&["==", "!="]);
                Some(self.infix(sign, left, right, Compared, Added, Added))
            }
            15 => {
                let (which, yes, no) = (self.truth(depth - 1), self.truth(depth - 1), self.truth(depth - 1));
                Some(self.choice(which, yes, no))
            }
            _ => None,
        };
        found.unwrap_or_else(|| match self.dice.below(6) {
            0 => self.literal_text(&Value::Truth(false)),
            _ => {
                let (left, right) = (self.number(0), self.number(0));
                let sign = self.dice.pick(&["==", "!=", "<", "<=", ">", ">="]);
                self.infix(sign, left, right, Compared, Added, Added)
            }
        })
    }

    /// Returns a comparison of a count with a number: of cells, or of the elements of an array.
    fn compared_count(&mut self) -> Option<Text> {
        let world = self.world;
        let array = world.variables.iter().find(|variable| variable.bounds.len() == 1);
        let (count, most) = match (&world.grid, array) {
            (Some(grid), _) if self.dice.one_in(2) => (self.counted()?.0, grid.rows * grid.columns),
            (Some(grid), _) => {
                let symbol = self.symbol()?;
                let cell = format!("cell[i / {0}, i % {0}]", grid.columns);
                let last = self.dice.below(grid.rows * grid.columns);
                self.if_few(last + 2, |_| ())?;
                let sign = self.dice.pick(&["==", "!="]);
                (format!("count(i in 0..{last}: {cell} {sign} '{symbol}')"), last + 1)
            }
            (None, Some(variable)) => {
                let (first, last) = variable.bounds[0];
                let many = (last - first + 1) as usize;
                self.if_few(many + 1, |_| ())?;
                let value = self.dice.pick(&variable.values);
                let value = self.literal(&value);
                (format!("count(i in {first}..{last}: {}[i] == {value})", variable.name), many)
            }
            (None, None) => return None,
        };
        let (sign, number) = (self.dice.pick(&["==", "!=", "<", "<=", ">", ">="]), self.dice.below(most + 1));
        Some(Text(format!("{count} {sign} {number}"), Compared))
    }

    /// Returns a comparison, or a membership test of a range or a list.
    fn compared(&mut self, depth: usize) -> Option<Text> {
        if self.dice.one_in(4) {
            let (left, right) = (self.number(depth), self.number(depth));
            let sign = self.dice.pick(&["==", "!=", "<", "<=", ">", ">="]);
            return Some(self.infix(sign, left, right, Compared, Added, Added));
        }
        let operand = self.operand(&|_| true, depth)?;
        let value = self.dice.pick(&operand.values);
        if self.dice.one_in(4) {
            return Some(self.member(operand, &value, depth));
        }
        let left = Text(operand.text, Whole);
        let right = match self.dice.below(6) {
            0 => match self.operand(&|other| *other == value, depth) {
                Some(other) => Text(other.text, Whole),
                None => self.literal_text(&value),
            },
            1 if operand.is_variable && operand.values.iter().any(Value::is_number) => {
                let number = self.dice.pick(&[7, -3, 12]);
                self.literal_text(&Value::Number(number))
            }
            2 => self.value(std::slice::from_ref(&value), depth),
            _ => self.literal_text(&value),
        };
        let sign = self.dice.pick(&["==", "==", "!="]);
        let (left, right) = if self.dice.one_in(5) { (right, left) } else { (left, right) };
        Some(self.infix(sign, left, right, Compared, Added, Added))
    }

    fn member(&mut self, operand: Operand, value: &Value, depth: usize) -> Text {
        let like: Vec<Value> = operand.values.iter().filter(|other| other.is_like(value)).cloned().collect();
        if value.is_number() && self.dice.one_in(2) {
            let (over, _) = self.range();
            return Text(format!("{} in {over}", operand.text), Compared);
        }
        let mut entries = Vec::new();
        for _ in 0..self.dice.within(1, 3) {
            let one = self.dice.pick(&like);
            entries.push(if self.dice.one_in(4) { self.value(&[one], depth).0 } else { self.literal(&one) });
        }
        Text(format!("{} in [{}]", operand.text, entries.join(", ")), Compared)
    }

    fn range(&mut self) -> (String, i64) {
        let first = self.dice.pick(&[0, 1, -1, 2]);
        let last = first + self.dice.below(3) as i64;
        (format!("{first}..{last}"), last)
    }

    /// Returns a literal or an operand that usually has one of these values.
    fn value(&mut self, of: &[Value], depth: usize) -> Text {
        let value = self.dice.pick(of);
        let is_meant = |other: &Value| of.contains(other);
        match self.dice.below(if depth == 0 { 4 } else { 9 }) {
            0 | 4 => {
                if let Some(operand) = self.operand(&is_meant, depth) {
                    return Text(operand.text, Whole);
                }
            }
            5 => {
                if let Some(mapped) = self.mapped(&is_meant, depth) {
                    return mapped;
                }
            }
            6 => {
                let like: Vec<Value> = of.iter().filter(|other| other.is_like(&value)).cloned().collect();
                let which = self.truth(depth - 1);
                let (yes, no) = (self.dice.pick(&like), self.dice.pick(&like));
                let (yes, no) = (self.literal_text(&yes), self.literal_text(&no));
                return self.choice(which, yes, no);
            }
            7 | 8 if value.is_number() => return self.number(depth),
            // An error otherwise: a variable that is never `false` cannot be compared with `false`.
            7 | 8 if of.iter().filter(|other| other.is_truth()).count() == 2 => return self.truth(depth),
            _ => {}
        }
        self.literal_text(&value)
    }
}
