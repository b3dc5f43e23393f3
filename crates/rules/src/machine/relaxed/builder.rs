//! Builds the relaxed operators of a machine.

use super::{Node, Relaxed};
use crate::expression::{Operation, Quantifier};
use crate::machine::bodies::Bodies;
use crate::machine::formula::{Choices, Datum, Formula, Scene};
use crate::machine::goal::{Fact, StateGoal};
use crate::machine::state::State;
use crate::machine::{Act, Binding, Check, Machine, Pattern, Put, Unit, known_number};
use crate::task::{Value, Var};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// The most choices of letters' symbols in one pattern.
const MOST_CHOICES: usize = 1 << 10;

/// Collects operators.
pub(super) struct Builder<'a> {
    machine: &'a Machine,
    first: Vec<Node>,
    pub nodes: usize,
    /// Facts within moves, by layer. A layer is a binding in an image.
    within: FxHashMap<(usize, Node), Node>,
    layers: FxHashMap<(u32, u8, bool), usize>,
    /// Conditions on one variable, by layer and facts.
    alternatives: FxHashMap<Vec<Node>, Node>,
    /// Counts: the symbols, whether cells have them or lack them, and the least number of such cells.
    counts: FxHashMap<(Vec<bool>, bool, usize), Node>,
    /// A state to evaluate formulas in.
    scratch: RefCell<State>,
    /// The operators by conditions, number of conditions needed and cost, with their effects.
    pub operators: BTreeMap<(Vec<Node>, u32, u32), Vec<Node>>,
}

/// The place of an operator's facts: before a move, or within a layer, with the conditions and the cost of the move.
struct Layer {
    number: Option<usize>,
    entry: Vec<Node>,
    cost: u32,
}

impl<'a> Builder<'a> {
    pub fn new(machine: &'a Machine) -> Builder<'a> {
        let mut nodes = 0;
        let mut first = Vec::new();
        for values in &machine.terms.values {
            first.push(nodes as Node);
            nodes += values.len();
        }
        Builder {
            machine,
            first,
            nodes,
            within: FxHashMap::default(),
            layers: FxHashMap::default(),
            alternatives: FxHashMap::default(),
            counts: FxHashMap::default(),
            scratch: RefCell::new(State { values: machine.start.values.clone(), piles: Vec::new() }),
            operators: BTreeMap::new(),
        }
    }

    pub fn node(&mut self) -> Node {
        self.nodes += 1;
        self.nodes as Node - 1
    }

    fn fact(&self, var: Var, value: Value) -> Node {
        self.first[var] + Node::from(value)
    }

    /// Adds an operator of which all conditions must hold.
    fn add(&mut self, conditions: Vec<Node>, cost: u32, effects: impl IntoIterator<Item = Node>) {
        let mut conditions = conditions;
        conditions.sort_unstable();
        conditions.dedup();
        let needed = conditions.len() as u32;
        self.add_some(conditions, needed, cost, effects);
    }

    /// Adds an operator, with the number of its conditions that must hold.
    pub fn add_some(&mut self, conditions: Vec<Node>, needed: u32, cost: u32, effects: impl IntoIterator<Item = Node>) {
        let effects: Vec<Node> = effects.into_iter().filter(|node| !conditions.contains(node) || needed == 0).collect();
        if !effects.is_empty() {
            self.operators.entry((conditions, needed, cost)).or_default().extend(effects);
        }
    }

    /// Returns the node of a fact within a layer.
    fn layered(&mut self, layer: &Layer, node: Node) -> Node {
        let Some(number) = layer.number else { return node };
        if let Some(&known) = self.within.get(&(number, node)) {
            return known;
        }
        let within = self.node();
        self.within.insert((number, node), within);
        self.add([&layer.entry[..], &[node]].concat(), layer.cost, [within]);
        within
    }

    /// Returns the node of a condition; `None` if it always holds.
    fn condition(&mut self, layer: &Layer, (var, values): &Fact) -> Option<Node> {
        if values.len() == self.machine.terms.values[*var].len() {
            return None;
        }
        let facts = values.iter().map(|&value| self.fact(*var, value)).collect::<Vec<_>>();
        let nodes: Vec<Node> = facts.into_iter().map(|fact| self.layered(layer, fact)).collect();
        Some(self.any(nodes))
    }

    /// Returns a node that is true if one of several is.
    fn any(&mut self, nodes: Vec<Node>) -> Node {
        if let [node] = nodes[..] {
            return node;
        }
        if let Some(&known) = self.alternatives.get(&nodes) {
            return known;
        }
        let any = self.node();
        for &node in &nodes {
            self.add(vec![node], 0, [any]);
        }
        self.alternatives.insert(nodes, any);
        any
    }

    /// Returns a node that is true if this number of cells have some symbols, or lack them.
    fn count(&mut self, symbols: &[bool], wanted: bool, least: usize) -> Node {
        let key = (symbols.to_vec(), wanted, least);
        if let Some(&known) = self.counts.get(&key) {
            return known;
        }
        let values: Vec<Value> =
            (0..).zip(symbols).filter(|(_, is_counted)| **is_counted == wanted).map(|(value, _)| value).collect();
        let cells = 0..self.machine.cells();
        let none = Layer { number: None, entry: Vec::new(), cost: 0 };
        let nodes: Vec<Option<Node>> = cells.map(|cell| self.condition(&none, &(cell, values.clone()))).collect();
        let certain = nodes.iter().filter(|node| node.is_none()).count();
        let nodes: Vec<Node> = nodes.into_iter().flatten().collect();
        let counted = self.node();
        self.add_some(nodes, least.saturating_sub(certain) as u32, 0, [counted]);
        self.counts.insert(key, counted);
        counted
    }

    pub fn unit(&mut self, unit: &Unit) {
        let machine = self.machine;
        let binding = &machine.bindings[unit.binding as usize];
        let cost = known_number(&binding.cost).and_then(|cost| u32::try_from(cost).ok()).unwrap_or(0);
        let base = Layer { number: None, entry: Vec::new(), cost };
        let Some(entry) = self.conditions(&binding.conditions, &base, &[]) else { return };
        let repeats = matches!(unit.act, Act::Slide(..) | Act::Pass(_, true));
        let layer = match unit.image.filter(|_| repeats && cost > 0) {
            Some(image) => {
                let count = self.layers.len();
                let number = *self.layers.entry((unit.binding, image.quarters, image.mirrored)).or_insert(count);
                Layer { number: Some(number), entry: entry.clone(), cost }
            }
            None => Layer { number: None, entry: entry.clone(), cost },
        };
        match &unit.act {
            Act::Nothing => self.assignments(binding, entry, cost),
            Act::Pattern(number) => {
                self.pattern(binding, &machine.patterns[*number as usize], &layer, true, true);
            }
            Act::Slide(steps, _) => {
                if let Some(first) = steps[0].filter(|_| !binding.then.is_empty()) {
                    let conditions = self.checked(&machine.patterns[first as usize], &base);
                    self.assignments(binding, [entry, conditions].concat(), cost);
                }
                for number in steps.iter().flatten() {
                    self.pattern(binding, &machine.patterns[*number as usize], &layer, false, false);
                }
            }
            Act::Pass(patterns, _) => {
                self.assignments(binding, entry, cost);
                for number in patterns {
                    self.pattern(binding, &machine.patterns[*number as usize], &layer, true, false);
                }
            }
            Act::Shift | Act::ShiftAll => {
                self.assignments(binding, entry.clone(), cost);
                self.shift(binding, unit, entry, cost);
            }
        }
    }

    /// Returns the conditions that the cells of a pattern make.
    fn checked(&mut self, pattern: &Pattern, layer: &Layer) -> Vec<Node> {
        let machine = self.machine;
        let facts = machine.checks(pattern).iter().filter_map(|check| Some((check.cell(), machine.allowed(*check)?)));
        let facts: Vec<Fact> = facts.collect();
        facts.iter().filter_map(|fact| self.condition(layer, fact)).collect()
    }

    /// Adds the operators of a pattern: one for each choice of the symbols of cells that decide something.
    fn pattern(&mut self, binding: &Binding, pattern: &Pattern, layer: &Layer, is_conditional: bool, assigns: bool) {
        let machine = self.machine;
        let (checks, puts) = (machine.checks(pattern), machine.puts(pattern));
        let letters = machine.letters(pattern);
        let mut deciding: Vec<u32> = Vec::new();
        for check in checks {
            if let Check::Same(_, first) = check {
                deciding.push(*first);
            }
        }
        for put in puts {
            match put {
                Put::Copy(_, from) => deciding.push(*from),
                Put::Map(cell, _) => deciding.push(*cell),
                Put::Symbol(..) => {}
            }
        }
        if is_conditional && !binding.local_conditions.is_empty() || assigns && !binding.then.is_empty() {
            deciding.extend(letters.iter().flatten());
        }
        deciding.sort_unstable();
        deciding.dedup();
        // The symbols that each deciding cell may have: all checks of it must hold.
        let allowed = |cell: u32| -> Vec<Value> {
            let of_cell = checks.iter().filter(|check| check.cell() == cell as usize);
            let sets: Vec<Vec<Value>> = of_cell.filter_map(|check| machine.allowed(*check)).collect();
            let all = 0..machine.model.symbols.len() as Value;
            all.filter(|value| sets.iter().all(|set| set.contains(value))).collect()
        };
        let mut choices: Vec<Vec<(u32, Value)>> = vec![Vec::new()];
        let mut is_whole = true;
        for &cell in &deciding {
            let values = allowed(cell);
            if choices.len() * values.len() > MOST_CHOICES {
                is_whole = false;
                break;
            }
            choices = choices
                .iter()
                .flat_map(|before| values.iter().map(move |&value| [&before[..], &[(cell, value)]].concat()))
                .collect();
        }
        for known in choices {
            let symbol = |cell: u32| known.iter().find(|(other, _)| *other == cell).map(|(_, value)| *value);
            let mut conditions = if layer.number.is_none() { layer.entry.clone() } else { Vec::new() };
            for check in checks {
                let cell = check.cell();
                let fact: Fact = match (symbol(cell as u32), check) {
                    (Some(value), _) => (cell, vec![value]),
                    (None, Check::Same(_, first)) => match symbol(*first) {
                        Some(value) => (cell, vec![value]),
                        None => continue,
                    },
                    (None, _) => (cell, machine.allowed(*check).unwrap_or_default()),
                };
                conditions.extend(self.condition(layer, &fact));
            }
            if is_conditional && is_whole {
                match self.local(binding, pattern, layer, &known) {
                    Some(further) => conditions.extend(further),
                    None => continue,
                }
            }
            let mut effects: Vec<Node> = Vec::new();
            for put in puts {
                let values = match *put {
                    Put::Symbol(_, value) => vec![value],
                    Put::Copy(_, from) => symbol(from).map_or_else(|| allowed(from), |value| vec![value]),
                    Put::Map(cell, table) => {
                        let mapped = |value: Value| machine.tables[table as usize][usize::from(value)];
                        symbol(cell)
                            .map_or_else(|| allowed(cell), |value| vec![value])
                            .into_iter()
                            .map(mapped)
                            .collect()
                    }
                };
                effects.extend(values.into_iter().map(|value| self.fact(put.cell() as usize, value)));
            }
            if layer.number.is_some() {
                let within: Vec<Node> = effects.iter().map(|&node| self.layered(layer, node)).collect();
                effects.extend(within);
                // The conditions within the move hold at its cost; without any, the move itself is one.
                let (conditions, cost) = match conditions.is_empty() {
                    true => (layer.entry.clone(), layer.cost),
                    false => (conditions, 0),
                };
                self.add(conditions, cost, effects);
            } else {
                if assigns {
                    let known: Vec<(Var, Value)> = known.iter().map(|&(cell, value)| (cell as Var, value)).collect();
                    self.assigned(binding, &conditions, layer.cost, &known, letters);
                }
                self.add(conditions, layer.cost, effects);
            }
        }
    }

    /// Returns conditions that follow from those of a match; `None` if they never hold.
    fn local(
        &mut self,
        binding: &Binding,
        pattern: &Pattern,
        layer: &Layer,
        known: &[(u32, Value)],
    ) -> Option<Vec<Node>> {
        let known: Vec<(Var, Value)> = known.iter().map(|&(cell, value)| (cell as Var, value)).collect();
        let mut found = Vec::new();
        for condition in &binding.local_conditions {
            found.extend(self.necessary(condition, layer, &known, self.machine.letters(pattern))?);
        }
        Some(found)
    }

    /// Returns conditions that follow from some conditions; `None` if they never hold.
    fn conditions(&mut self, all: &[Formula], layer: &Layer, known: &[(Var, Value)]) -> Option<Vec<Node>> {
        let mut found = Vec::new();
        for condition in all {
            found.extend(self.necessary(condition, layer, known, &[])?);
        }
        Some(found)
    }

    /// Returns conditions on single variables, and counts, that follow from a condition; `None` if it never holds.
    fn necessary(
        &mut self,
        condition: &Formula,
        layer: &Layer,
        known: &[(Var, Value)],
        letters: &[Option<u32>],
    ) -> Option<Vec<Node>> {
        let all = |builder: &mut Self, parts: &[Formula]| {
            let mut found = Vec::new();
            for part in parts {
                found.extend(builder.necessary(part, layer, known, letters)?);
            }
            Some(found)
        };
        match condition {
            Formula::Binary(Operation::And, parts) => {
                let mut found = self.necessary(&parts.0, layer, known, letters)?;
                found.extend(self.necessary(&parts.1, layer, known, letters)?);
                return Some(found);
            }
            Formula::Each(Quantifier::All, parts) => return all(self, parts),
            Formula::Binary(operation, parts) => {
                if let (Formula::Count(symbols), Some(number)) = (&parts.0, known_number(&parts.1)) {
                    return self.counted(symbols, *operation, number, layer);
                }
            }
            _ => {}
        }
        let Some(read) = reads(condition, letters) else { return Some(Vec::new()) };
        let mut open = read.into_iter().filter(|var| !known.iter().any(|(other, _)| other == var));
        match (open.next(), open.next()) {
            (None, _) => self.holds(condition, known, letters).then(Vec::new),
            (Some(var), None) => {
                let values = 0..self.machine.terms.values[var].len() as Value;
                let values: Vec<Value> = values
                    .filter(|&value| self.holds(condition, &[known, &[(var, value)]].concat(), letters))
                    .collect();
                if values.is_empty() {
                    return None;
                }
                Some(self.condition(layer, &(var, values)).into_iter().collect())
            }
            _ => Some(Vec::new()),
        }
    }

    /// Returns the condition that a count compares so with a number; `None` if it never holds.
    fn counted(&mut self, symbols: &[bool], by: Operation, number: i64, layer: &Layer) -> Option<Vec<Node>> {
        // Within a move, cells may have changed.
        if layer.number.is_some() {
            return Some(Vec::new());
        }
        let cells = self.machine.cells() as i64;
        let (least, most) = match by {
            Operation::Equal => (number, number),
            Operation::Less => (0, number - 1),
            Operation::AtMost => (0, number),
            Operation::Greater => (number + 1, cells),
            Operation::AtLeast => (number, cells),
            _ => return Some(Vec::new()),
        };
        self.between(symbols, least.max(0), most.min(cells))
    }

    /// Returns the conditions that a number of cells with some symbols is in a range; `None` if that is empty.
    fn between(&mut self, symbols: &[bool], least: i64, most: i64) -> Option<Vec<Node>> {
        let cells = self.machine.cells() as i64;
        if least > most {
            return None;
        }
        let mut found = Vec::new();
        if least > 0 {
            found.push(self.count(symbols, true, least as usize));
        }
        if most < cells {
            found.push(self.count(symbols, false, (cells - most) as usize));
        }
        Some(found)
    }

    /// Returns whether a condition holds, given all variables that it reads.
    fn holds(&self, condition: &Formula, known: &[(Var, Value)], letters: &[Option<u32>]) -> bool {
        self.value(condition, known, letters) == Some(Datum::Truth(true))
    }

    fn value(&self, formula: &Formula, known: &[(Var, Value)], letters: &[Option<u32>]) -> Option<Datum> {
        let mut scratch = self.scratch.borrow_mut();
        known.iter().for_each(|&(var, value)| scratch.values[var] = value);
        let Machine { terms, bodies, .. } = self.machine;
        let (state, too_long) = (&*scratch, Cell::new(false));
        Scene { terms, bodies, state, letters, at: None, too_long: &too_long }.value(formula, &mut Vec::new())
    }

    /// Adds the operators of `then`.
    fn assignments(&mut self, binding: &Binding, conditions: Vec<Node>, cost: u32) {
        self.assigned(binding, &conditions, cost, &[], &[]);
    }

    fn assigned(
        &mut self,
        binding: &Binding,
        conditions: &[Node],
        cost: u32,
        known: &[(Var, Value)],
        letters: &[Option<u32>],
    ) {
        let base = Layer { number: None, entry: Vec::new(), cost };
        for (target, formula) in &binding.then {
            let read = reads(formula, letters);
            let open: Option<Vec<Var>> =
                read.map(|read| read.into_iter().filter(|var| !known.iter().any(|(other, _)| other == var)).collect());
            let value = |builder: &Self, known: &[(Var, Value)]| {
                let datum = builder.value(formula, known, letters)?;
                builder.machine.terms.value(*target, datum)
            };
            match open.as_deref() {
                Some([]) => {
                    if let Some(value) = value(self, known) {
                        self.add(conditions.to_vec(), cost, [self.fact(*target, value)]);
                    }
                }
                Some([var]) => {
                    for of_var in 0..self.machine.terms.values[*var].len() as Value {
                        if let Some(value) = value(self, &[known, &[(*var, of_var)]].concat()) {
                            let further = self.condition(&base, &(*var, vec![of_var]));
                            let conditions = conditions.iter().copied().chain(further).collect();
                            self.add(conditions, cost, [self.fact(*target, value)]);
                        }
                    }
                }
                _ => {
                    let values = 0..self.machine.terms.values[*target].len() as Value;
                    let all: Vec<Node> = values.map(|value| self.fact(*target, value)).collect();
                    self.add(conditions.to_vec(), cost, all);
                }
            }
        }
    }

    /// Adds the operators of a shift.
    fn shift(&mut self, binding: &Binding, unit: &Unit, entry: Vec<Node>, cost: u32) {
        let machine = self.machine;
        let (Some(shift), Some(image)) = (&machine.rule(binding).shift, unit.image) else { return };
        let direction = Bodies::direction(&image);
        let base = Layer { number: None, entry: Vec::new(), cost };
        // The symbols of bodies that may move.
        let moves: Vec<Value> = (0..machine.model.symbols.len() as Value)
            .filter(|&symbol| {
                let moves = |symbol: &Value| shift.moved.contains(symbol) || shift.push.contains(symbol);
                let list = machine.model.bodies.iter().find(|list| list.contains(&symbol));
                moves(&symbol) || list.is_some_and(|list| list.iter().any(moves))
            })
            .collect();
        let Some(&empty) = shift.into.first() else { return };
        let enterable: Vec<Value> = (0..machine.model.symbols.len() as Value)
            .filter(|value| shift.into.contains(value) || moves.contains(value))
            .collect();
        let cells: Vec<u32> = match unit.act {
            // Any cell of the body may move, so units of one place stand for all.
            Act::Shift if unit.places.first() != Some(&0) => return,
            _ => (0..machine.cells() as u32).collect(),
        };
        for cell in cells {
            let Some(next) = machine.bodies.ahead(cell, direction) else { continue };
            let into = self.condition(&base, &(next as usize, enterable.clone()));
            for &symbol in &moves {
                let mut conditions = entry.clone();
                conditions.push(self.fact(cell as usize, symbol));
                conditions.extend(into);
                let effects = [self.fact(next as usize, symbol), self.fact(cell as usize, empty)];
                self.add(conditions, cost, effects);
            }
        }
    }

    pub fn goal(&mut self, goal: &StateGoal, node: Node) {
        let base = Layer { number: None, entry: Vec::new(), cost: 0 };
        let mut conditions = Vec::new();
        for fact in goal.allowed() {
            conditions.extend(self.condition(&base, &fact));
        }
        for (symbols, least, most) in &goal.counts {
            let most = i64::from(*most).min(self.machine.cells() as i64);
            let Some(found) = self.between(symbols, (*least).into(), most) else { return };
            conditions.extend(found);
        }
        if let Some(places) = &goal.anywhere {
            let any = self.node();
            for place in places {
                let of_place: Vec<Node> = place.iter().filter_map(|fact| self.condition(&base, fact)).collect();
                self.add(of_place, 0, [any]);
            }
            conditions.push(any);
        }
        let Some(found) = self.conditions(&goal.when, &base, &[]) else { return };
        conditions.extend(found);
        self.add(conditions, 0, [node]);
    }

    pub fn finish(&self, goal: Node, changing: Vec<Var>) -> Relaxed {
        let mut conditions_of = vec![Vec::new(); self.nodes];
        let (mut needed, mut costs, mut free) = (Vec::new(), Vec::new(), Vec::new());
        let (mut effect_starts, mut effects) = (Vec::new(), Vec::new());
        for (number, ((conditions, least, cost), added)) in (0..).zip(&self.operators) {
            conditions.iter().for_each(|&node| conditions_of[node as usize].push(number));
            needed.push(*least);
            costs.push(*cost);
            effect_starts.push(effects.len() as u32);
            let mut added = added.clone();
            added.sort_unstable();
            added.dedup();
            effects.extend(added);
            if *least == 0 {
                free.push(number);
            }
        }
        effect_starts.push(effects.len() as u32);
        let mut starts = vec![0];
        let mut all: Vec<u32> = Vec::new();
        for of_node in conditions_of {
            all.extend(of_node);
            starts.push(all.len() as u32);
        }
        let most_cost = costs.iter().copied().max().unwrap_or(0);
        Relaxed {
            first: self.first.clone(),
            changing,
            nodes: self.nodes,
            goal,
            starts,
            conditions_of: all,
            needed,
            costs,
            effect_starts,
            effects,
            free,
            most_cost,
        }
    }
}

/// Returns the variables that a formula reads; `None` if that depends on the state, or it reads more than variables.
fn reads(formula: &Formula, letters: &[Option<u32>]) -> Option<Vec<Var>> {
    let (mut found, mut is_known) = (Vec::new(), true);
    formula.visit(&mut |part| match part {
        Formula::Variable(var) | Formula::Has(var, _) => found.push(*var),
        Formula::Letter(letter) => match letters.get(*letter) {
            Some(cell) => found.extend(cell.map(|cell| cell as Var)),
            None => is_known = false,
        },
        Formula::Element(..)
        | Formula::Count(_)
        | Formula::CountOf(_)
        | Formula::Ahead(_)
        | Formula::Bodies(_)
        | Formula::Size(_)
        | Formula::Top(..)
        | Formula::Same(_)
        | Formula::Bound(_) => is_known = false,
        Formula::Quantified(_, choices, _) | Formula::Within(_, choices) => {
            is_known &= matches!(**choices, Choices::List(_) | Choices::Range(..));
        }
        _ => {}
    });
    found.sort_unstable();
    found.dedup();
    is_known.then_some(found)
}
