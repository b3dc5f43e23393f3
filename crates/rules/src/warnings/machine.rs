//! Warnings about files that the machine executes.
//!
//! They rest on the symbols that can ever be on the grid, wherever they are, and on the values that variables can ever
//! have. Both are supersets: what is reported never to occur certainly never does.

use super::goals::OUT_OF_REACH;
use crate::diagnostic::{Diagnostic, MOST_KEPT};
use crate::document::Spanned;
use crate::domain::WarningContext;
use crate::drawing::SourceMap;
use crate::expression::{Expr, GRID, Kind, Operation, PileExpr, Term, World, visit};
use crate::keys::{Keys, RuleKeys};
use crate::mapping::fits;
use crate::model::{Edge, From, Model, RewritePattern, Rule, Target, To};
use crate::task::{Value, Values, Var};
use std::cell::RefCell;

/// Returns the warnings about a file that the machine executes, in the order of their places.
pub(crate) fn warnings_of_machine(keys: &Keys, model: &Model, context: &WarningContext) -> Vec<Diagnostic> {
    let occurring = Occurring::find(model);
    let review = MachineReview { keys, model, source: context.source, occurring, found: RefCell::default() };
    review.rules();
    review.bodies();
    review.piles();
    let mut found = review.found.into_inner();
    found.extend(shadowed_patterns(keys));
    found.retain(|warning| !context.expects_no_solution || warning.label != OUT_OF_REACH);
    found.sort_by_key(|warning| warning.span.as_ref().map(|span| (span.start, span.end)));
    found.into_iter().take(MOST_KEPT).map(Diagnostic::warning).collect()
}

/// Returns warnings of keys of maps that never count, since an earlier one fits all of their values.
pub(super) fn shadowed_patterns(keys: &Keys) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (name, entries) in keys.maps.iter() {
        let patterns: Vec<&Spanned<String>> =
            entries.get_ref().entries().map(|(key, _)| key).filter(|key| key.get_ref().contains('?')).collect();
        for (number, key) in patterns.iter().enumerate() {
            // A `?` of the later key fits only a `?` of the earlier one.
            if let Some(earlier) = patterns[..number].iter().find(|earlier| fits(earlier.get_ref(), key.get_ref())) {
                let message = format!("the key `{}` of the map `{name}` is never used", key.get_ref());
                let label = format!("`{}` comes before it, and fits all of its values", earlier.get_ref());
                found.push(Diagnostic::at(key.span(), message).label(label));
            }
        }
    }
    found
}

/// The symbols that some cell can hold, and the values that each variable can have.
struct Occurring {
    symbols: Values,
    values: Vec<Values>,
}

impl Occurring {
    /// Applies all rules, at no place in particular, until nothing new occurs.
    fn find(model: &Model) -> Occurring {
        let cells = model.world.cells();
        let mut occurring = Occurring {
            symbols: with_turned(model, model.start[..cells].iter().copied().collect()),
            values: model.start.iter().map(|&value| Values::one(value)).collect(),
        };
        loop {
            let before = (occurring.symbols.clone(), occurring.values.clone());
            for rule in model.rules.iter().chain(&model.after) {
                if occurring.obstacle(model, rule).is_none() {
                    occurring.apply(model, rule);
                }
            }
            if (&occurring.symbols, &occurring.values) == (&before.0, &before.1) {
                return occurring;
            }
        }
    }

    /// Adds everything that a rule can bring about.
    fn apply(&mut self, model: &Model, rule: &Rule) {
        let world = &model.world;
        let mut brought = Values::NONE;
        for drawing in rule.drawings() {
            for cell in 0..drawing.to.len() {
                for value in self.given(model, rule, drawing, cell).iter() {
                    brought.insert(value);
                }
            }
        }
        for value in rule.shift.iter().flat_map(|shift| shift.into.first()) {
            brought.insert(*value);
        }
        for then in &rule.then {
            let (targets, is_on_grid): (Vec<Var>, bool) = match &then.target {
                Target::Variable(var) => (vec![*var], false),
                Target::Element(array, _) if world.arrays[*array].name == GRID => (Vec::new(), true),
                Target::Element(array, _) => {
                    let array = &world.arrays[*array];
                    ((array.first..array.first + array.len()).collect(), false)
                }
                Target::Parameter(_) => ((world.cells()..world.values.len()).collect(), false),
            };
            let constant = constant(&then.value.expr);
            if is_on_grid {
                match constant.map(|term| world.value(0, term)) {
                    Some(value) => brought = brought.or(&value.into_iter().collect()),
                    None => brought = Values::below(model.symbols.len()),
                }
            }
            for var in targets {
                let new = match constant.map(|term| world.value(var, term)) {
                    Some(value) => value.into_iter().collect(),
                    None => Values::below(world.values[var].len()),
                };
                self.values[var] = self.values[var].or(&new);
            }
        }
        self.symbols = self.symbols.or(&with_turned(model, brought));
    }

    /// Returns the symbols that a rule can give the cell of a drawing.
    fn given(&self, model: &Model, rule: &Rule, drawing: &RewritePattern, cell: usize) -> Values {
        match drawing.to[cell] {
            To::Same => Values::NONE,
            To::Symbol(value) => values_of(model, rule, drawing, (cell, true), value),
            To::Set(set) => drawing.sets[set].1.iter().copied().filter(|value| self.symbols.contains(*value)).collect(),
            To::Map(map) => {
                let terms = &model.world.values[0];
                let image = |value: Value| {
                    let image = model.world.maps[map].1.get(&terms[usize::from(value)])?;
                    model.world.value(0, image)
                };
                self.wanted(model, rule, drawing, cell).iter().filter_map(image).collect()
            }
        }
    }

    /// Returns the occurring symbols that a rule accepts in the cell of a drawing.
    fn wanted(&self, model: &Model, rule: &Rule, drawing: &RewritePattern, cell: usize) -> Values {
        let wanted = match drawing.from[cell] {
            From::Anything => return self.symbols.clone(),
            From::Symbol(value) => values_of(model, rule, drawing, (cell, false), value),
            From::Set(set) => drawing.sets[set].1.iter().copied().collect(),
        };
        with_turned(model, wanted).and(&self.symbols)
    }

    /// Returns why a rule certainly never applies.
    fn obstacle(&self, model: &Model, rule: &Rule) -> Option<Obstacle> {
        let pattern = |drawing: &RewritePattern| {
            let never = |cell: &usize| self.wanted(model, rule, drawing, *cell).is_empty();
            (0..drawing.from.len()).find(never).map(|cell| match drawing.from[cell] {
                From::Set(set) => drawing.sets[set].0,
                From::Symbol(value) => model.symbols[usize::from(value)],
                From::Anything => '?',
            })
        };
        let of_shift = || {
            let shift = rule.shift.as_ref()?;
            let is_there = shift.moved.iter().any(|value| self.symbols.contains(*value));
            shift.moved.first().filter(|_| !is_there).map(|value| model.symbols[usize::from(*value)])
        };
        // A drawing that may be cut off asks for nothing where it is.
        let mut drawings = rule.drawings().filter(|drawing| drawing.edge != Edge::Clip);
        let symbol = drawings.find_map(pattern).or_else(of_shift);
        let condition = || {
            let found = rule.when.iter().position(|when| self.never_holds(&model.world, &when.expr));
            found.map(Obstacle::Condition)
        };
        symbol.map(Obstacle::Symbol).or_else(condition)
    }

    /// Returns whether a condition asks for a value that a variable never has.
    fn never_holds(&self, world: &World, expr: &Expr) -> bool {
        let differs = |variable: &Expr, value: &Expr| match (&variable.kind, constant(value)) {
            (Kind::Variable(var), Some(term)) if *var >= world.cells() => {
                world.value(*var, term).is_none_or(|value| !self.values[*var].contains(value))
            }
            _ => false,
        };
        match &expr.kind {
            Kind::Binary(Operation::And, left, right) => {
                self.never_holds(world, left) || self.never_holds(world, right)
            }
            Kind::Binary(Operation::Equal, left, right) => differs(left, right) || differs(right, left),
            _ => false,
        }
    }
}

/// The reason why a rule never applies.
enum Obstacle {
    /// A symbol of it is never on the grid.
    Symbol(char),
    /// Its condition with this number never holds.
    Condition(usize),
}

/// Returns the value of an expression that is one.
fn constant(expr: &Expr) -> Option<&Term> {
    if let Kind::Term(term) = &expr.kind { Some(term) } else { None }
}

/// Returns the symbols that a symbol of a drawing stands for: those of a parameter, or itself.
fn values_of(
    model: &Model,
    rule: &Rule,
    drawing: &RewritePattern,
    (cell, in_to): (usize, bool),
    value: Value,
) -> Values {
    match drawing.holes.iter().find(|hole| (hole.cell, hole.in_to) == (cell, in_to)) {
        Some(hole) => {
            let choices = &rule.parameters[hole.parameter].1;
            choices.iter().filter_map(|choice| model.world.value(0, choice)).collect()
        }
        None => Values::one(value),
    }
}

/// Returns symbols with those that they turn into.
fn with_turned(model: &Model, symbols: Values) -> Values {
    let Some(arrows) = &model.arrows else { return symbols };
    let mut turned = symbols;
    loop {
        let images =
            turned.iter().flat_map(|value| [arrows.quarter[usize::from(value)], arrows.mirror[usize::from(value)]]);
        let next = turned.or(&images.collect());
        if next == turned {
            return turned;
        }
        turned = next;
    }
}

struct MachineReview<'a> {
    keys: &'a Keys,
    model: &'a Model,
    source: &'a str,
    occurring: Occurring,
    found: RefCell<Vec<Diagnostic>>,
}

impl MachineReview<'_> {
    fn warn(&self, warning: Diagnostic) {
        self.found.borrow_mut().push(warning);
    }

    /// Warns of rules that never apply, and of keys of rules without effect.
    fn rules(&self) {
        for (list, rules, is_move) in
            [(&self.keys.rules, &self.model.rules, true), (&self.keys.after, &self.model.after, false)]
        {
            let keys = list.iter().flat_map(|rules| rules.get_ref()).map(Spanned::get_ref);
            for (keys, rule) in keys.zip(rules) {
                let what = match is_move {
                    true => format!("the rule `{}`", keys.named().0),
                    false => "the consequence".to_owned(),
                };
                match self.occurring.obstacle(self.model, rule) {
                    Some(Obstacle::Symbol(symbol)) => {
                        let span = keys.from.as_ref().map(Spanned::span).or(keys.shift.as_ref().map(Spanned::span));
                        let warning =
                            Diagnostic::at(span.unwrap_or_else(|| rule.span.clone()), format!("{what} never applies"));
                        self.warn(warning.label(format!("`{symbol}` is never on the grid")));
                    }
                    Some(Obstacle::Condition(number)) => {
                        let warning = Diagnostic::at(rule.when[number].text.span(), format!("{what} never applies"));
                        self.warn(warning.label("no variable ever has this value"));
                    }
                    None => self.effects(keys, rule),
                }
            }
        }
    }

    /// Warns of keys of a rule that have no effect.
    fn effects(&self, keys: &RuleKeys, rule: &Rule) {
        for (key, text) in [("push", &keys.push), ("into", &keys.into), ("shift", &keys.shift)] {
            text.iter().for_each(|text| self.symbols(key, text));
        }
        let Some(drawing) = rule.drawing.as_ref().filter(|_| rule.all) else { return };
        let world = &self.model.world;
        let is_whole = (drawing.height, drawing.width) == (world.rows, world.columns) && drawing.edge == Edge::Fit;
        if let Some(all) = keys.all.as_ref().filter(|_| is_whole && drawing.images.len() == 1 && !drawing.repeat) {
            let warning = Diagnostic::at(all.span(), "`all` has no effect");
            self.warn(warning.label("the drawing is as large as the grid: it has one place"));
        }
        if let Some(repeat) = keys.repeat.as_ref().filter(|_| drawing.repeat && !self.renews(rule, drawing)) {
            let warning = Diagnostic::at(repeat.span(), "`repeat` has no effect");
            self.warn(warning.label("no symbol that a pass puts lets the drawing match anew"));
        }
    }

    /// Returns whether a pass may bring about matches that were not there before.
    fn renews(&self, rule: &Rule, drawing: &RewritePattern) -> bool {
        let cells = || 0..drawing.from.len();
        let given =
            cells().fold(Values::NONE, |all, cell| all.or(&self.occurring.given(self.model, rule, drawing, cell)));
        let given = with_turned(self.model, given);
        // Where conditions read the grid, a pass may make them true.
        let is_free = |cell: usize| drawing.from[cell] == From::Anything && drawing.to[cell] != To::Same;
        let is_renewed = |cell: usize| {
            drawing.from[cell] != From::Anything && self.occurring.wanted(self.model, rule, drawing, cell).meets(&given)
        };
        !rule.when.is_empty() || drawing.edge == Edge::Clip || cells().any(|cell| is_free(cell) || is_renewed(cell))
    }

    /// Warns of symbols in a string that are never on the grid.
    fn symbols(&self, key: &str, text: &Spanned<String>) {
        let places = SourceMap::of(text, self.source);
        for (at, symbol) in text.get_ref().char_indices() {
            let set = self.model.world.sets.iter().find(|set| set.letter == symbol);
            let symbols = set.map_or_else(|| vec![symbol], |set| set.symbols.clone());
            let occurs =
                |symbol: &char| self.model.symbol(*symbol).is_none_or(|value| self.occurring.symbols.contains(value));
            if !symbols.iter().any(occurs) {
                let warning =
                    Diagnostic::at(places.span(at..at + symbol.len_utf8()), format!("`{symbol}` is never on the grid"));
                self.warn(warning.label(format!("so it has no effect in `{key}`")));
            }
        }
    }

    fn bodies(&self) {
        let texts = self.keys.bodies.iter().flat_map(|bodies| &bodies.get_ref().0);
        texts.for_each(|text| self.symbols("bodies", text));
    }

    /// Warns of piles that nothing names, and of goals that want more items than a pile can have.
    fn piles(&self) {
        let world = &self.model.world;
        let mut used = vec![false; world.piles.len()];
        let of = |number: usize| world.piles.iter().rposition(|piles| piles.array.first <= number);
        let mut use_pile = |pile: &PileExpr| {
            if let PileExpr::Element(array, _) = pile {
                used[*array] = true;
            }
        };
        let of_heuristics = self.model.own.iter().map(|own| &own.written.expr);
        for expr in self.model.expressions().chain(of_heuristics) {
            visit(expr, &mut |part| match &part.kind {
                Kind::Size(pile) | Kind::Top(pile, _) | Kind::Same(pile) => use_pile(pile),
                _ => {}
            });
        }
        let rules = || self.model.rules.iter().chain(&self.model.after);
        rules().flat_map(|rule| &rule.carry).flat_map(|carry| [&carry.from, &carry.to]).for_each(&mut use_pile);
        let of_parameters = rules().flat_map(|rule| &rule.parameters).flat_map(|(_, choices)| choices);
        let of_parameters =
            of_parameters.filter_map(|choice| if let Term::Pile(number) = choice { Some(*number) } else { None });
        let of_goals = self.model.goals.iter().flat_map(|goal| &goal.piles).map(|(number, _)| *number);
        for array in of_parameters.chain(of_goals).filter_map(of) {
            used[array] = true;
        }
        for ((key, _), _) in self.keys.piles.entries().zip(used).filter(|(_, used)| !used) {
            let warning = Diagnostic::at(key.span(), format!("unused piles `{}`", key.get_ref()));
            self.warn(warning.label("no rule, goal or heuristic names them"));
        }
        for goal in &self.model.goals {
            let too_many =
                |(number, items): &&(usize, Vec<u16>)| world.most_items(*number).is_some_and(|most| items.len() > most);
            if let Some((number, items)) = goal.piles.iter().find(too_many) {
                let message = format!("`{}` can never have {} items", world.pile_name(*number), items.len());
                let warning = Diagnostic::at(goal.span.clone(), message);
                self.warn(warning.label(OUT_OF_REACH));
            }
        }
    }
}
