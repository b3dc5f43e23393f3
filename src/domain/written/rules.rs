//! Rules that stand in a file, a second time: each rule is tried at each place, by looking at the cells.
//!
//! They share with the compiled puzzle the description of it, and nothing else: drawings are turned as one turns a sheet
//! of paper, expressions are worked out in the state at hand, and nothing is known before a move is tried.

use super::expression::Term;
use super::model::{Assignment, Edge, From, Model, Piece, Rewriting, Rule, Target, To};
use super::obstacle::Obstacle;
use super::sheet::{Laid, Sheet, deeds};
use super::task::{Value, Var};
use super::text;
use crate::domain::Rules;
use crate::domain::rules::no_such_move;
use std::collections::{BTreeMap, HashSet};

/// A puzzle that is played as it is written.
pub(super) struct RuleBook<'a> {
    model: &'a Model,
    /// By rule, its drawing in all images; none of rules without one.
    sheets: Vec<Vec<Sheet>>,
    /// By rule, the images with the cells on which they are tried, in the order of the moves.
    places: Vec<Vec<(usize, usize)>>,
    state: Vec<Value>,
    cost: u64,
}

/// A rule with a choice of its parameters at a place; no place for a rule without a drawing.
struct Attempt<'a> {
    rule: &'a Rule,
    parameters: Vec<Term>,
    place: Option<(&'a Rewriting, &'a Sheet, usize)>,
}

/// A legal move.
struct Legal {
    written: String,
    after: Vec<Value>,
    cost: u64,
}

impl<'a> RuleBook<'a> {
    pub fn new(model: &'a Model) -> RuleBook<'a> {
        let sheets = model.rules.iter().map(|rule| rule.drawing.as_ref().map_or_else(Vec::new, Sheet::all)).collect();
        let mut book = RuleBook { model, sheets, places: Vec::new(), state: model.start.clone(), cost: 0 };
        let drawings = model.rules.iter().zip(&book.sheets);
        let places =
            drawings.map(|(rule, sheets)| rule.drawing.as_ref().map(|drawing| book.places_of(drawing, sheets)));
        book.places = places.map(Option::unwrap_or_default).collect();
        book
    }

    /// The rows and columns of the grid.
    fn size(&self) -> (usize, usize) {
        (self.model.world.rows, self.model.world.columns)
    }

    /// Everything that may be tried, in the order of the moves.
    fn attempts(&self) -> Vec<Attempt<'_>> {
        let mut attempts = Vec::new();
        for (number, rule) in self.model.rules.iter().enumerate() {
            for parameters in choices(rule) {
                let Some(drawing) = &rule.drawing else {
                    attempts.push(Attempt { rule, parameters, place: None });
                    continue;
                };
                attempts.extend(self.places[number].iter().map(|&(sheet, cell)| {
                    let place = Some((drawing, &self.sheets[number][sheet], cell));
                    Attempt { rule, parameters: parameters.clone(), place }
                }));
            }
        }
        attempts
    }

    /// The images of a drawing with the cells on which they are tried; of those that do the same, the first.
    fn places_of(&self, drawing: &Rewriting, sheets: &[Sheet]) -> Vec<(usize, usize)> {
        let mut places = Vec::new();
        // By the first cell that is spoken of.
        let mut known: BTreeMap<Option<usize>, Vec<_>> = BTreeMap::new();
        for cell in 0..self.model.world.cells() {
            for (number, sheet) in sheets.iter().enumerate() {
                let laid = sheet.laid(drawing, self.size(), cell);
                if self.lies(drawing, &laid) {
                    let image = (deeds(&laid), drawing.repeat.then_some(sheet.forward));
                    let alike = known.entry(image.0.first().map(|(cell, ..)| *cell)).or_default();
                    if alike.contains(&image) {
                        continue;
                    }
                    alike.push(image);
                }
                places.push((number, cell));
            }
        }
        places
    }

    /// Whether a drawing may lie so, whatever stands on the grid.
    fn lies(&self, drawing: &Rewriting, laid: &[Laid]) -> bool {
        let is_marked = |laid: &Laid| match (laid.spot.on, laid.cell) {
            (Some(mark), Some(cell)) => self.model.world.marks.get(cell) == Some(&mark),
            _ => true,
        };
        let reaches_beyond = drawing.edge != Edge::Clip && laid.iter().any(|laid| laid.cell.is_none());
        !reaches_beyond && !is_folded(laid) && laid.iter().all(is_marked)
    }

    /// Makes an attempt: the state after it, or what is in its way.
    fn attempt(&self, attempt: &Attempt) -> Result<Vec<Value>, Obstacle> {
        let mut after = self.state.clone();
        if let Some((drawing, sheet, cell)) = attempt.place {
            self.rewrite(drawing, sheet, cell, &mut after)?;
            if drawing.repeat {
                self.slide(drawing, sheet, cell, &mut after)?;
            }
        }
        let mut parameters = attempt.parameters.clone();
        let look = |var: Var| Some(self.state[var]);
        let scene = self.model.scene(&look);
        for (number, when) in attempt.rule.when.iter().enumerate() {
            if scene.truth(when, &mut parameters) != Ok(true) {
                return Err(Obstacle::When(number, attempt.rule.when.len()));
            }
        }
        for assignment in &attempt.rule.then {
            self.assign(assignment, assignment.runs.len(), &mut parameters, &mut after)?;
        }
        if after == self.state { Err(Obstacle::Nothing) } else { self.allowed(after) }
    }

    /// A drawing again and again, one cell further each time.
    fn slide(
        &self,
        drawing: &Rewriting,
        sheet: &Sheet,
        mut cell: usize,
        state: &mut Vec<Value>,
    ) -> Result<(), Obstacle> {
        // Around a grid without edges it may go on for ever.
        let mut met = HashSet::new();
        while met.insert((cell, state.clone())) {
            let Some(next) = sheet.next(drawing, self.size(), cell) else { return Ok(()) };
            if self.rewrite(drawing, sheet, next, state).is_err() {
                return Ok(());
            }
            cell = next;
        }
        Err(Obstacle::Forever)
    }

    /// The state, if it may be.
    fn allowed(&self, state: Vec<Value>) -> Result<Vec<Value>, Obstacle> {
        let look = |var: Var| Some(state[var]);
        let scene = self.model.scene(&look);
        let never = self.model.never.iter().any(|never| scene.truth(never.get_ref(), &mut Vec::new()) == Ok(true));
        if never { Err(Obstacle::Never) } else { Ok(state) }
    }

    /// What the sets matched, where the drawing fits.
    fn matched(&self, drawing: &Rewriting, laid: &[Laid], state: &[Value]) -> Result<Vec<Option<Value>>, Obstacle> {
        let symbol = |value: Value| self.model.symbols[usize::from(value)];
        let mut matched = vec![None; drawing.sets.len()];
        if is_folded(laid) {
            return Err(Obstacle::Folded);
        }
        for (passed, Laid { spot, cell, .. }) in laid.iter().enumerate() {
            let Some(cell) = *cell else {
                match drawing.edge {
                    Edge::Clip => continue,
                    _ => return Err(Obstacle::Beyond { passed }),
                }
            };
            let place = (cell / self.model.world.columns, cell % self.model.world.columns);
            let there = symbol(state[cell]);
            let refused = |wanted: String| Err(Obstacle::Stands { passed, place, there, wanted });
            match spot.from {
                From::Anything => {}
                From::Symbol(value) if value == state[cell] => {}
                From::Symbol(value) => return refused(symbol(value).to_string()),
                From::Set(set) => {
                    let (letter, values) = &drawing.sets[set];
                    if !values.contains(&state[cell]) || matched[set].is_some_and(|before| before != state[cell]) {
                        return refused(matched[set].map_or(*letter, symbol).to_string());
                    }
                    matched[set] = Some(state[cell]);
                }
            }
            if let Some(wanted) = spot.on {
                let there = self.model.world.marks.get(cell).copied().unwrap_or('.');
                if there != wanted {
                    return Err(Obstacle::Mark { passed, place, there, wanted });
                }
            }
        }
        Ok(matched)
    }

    /// Puts what the drawing says, where it fits.
    fn rewrite(&self, drawing: &Rewriting, sheet: &Sheet, on: usize, state: &mut Vec<Value>) -> Result<(), Obstacle> {
        let laid = sheet.laid(drawing, self.size(), on);
        let matched = self.matched(drawing, &laid, state)?;
        let mut after = state.clone();
        for Laid { spot, cell, .. } in &laid {
            let Some(cell) = *cell else { continue };
            after[cell] = match spot.to {
                To::Same => continue,
                To::Symbol(value) => value,
                To::Set(set) => matched[set].ok_or(Obstacle::Undefined)?,
                To::Map(map) => {
                    let here = &self.model.world.values[cell][usize::from(state[cell])];
                    let mapped = self.model.world.maps[map].1.get(here).ok_or(Obstacle::Undefined)?;
                    self.model.world.value(cell, mapped).ok_or(Obstacle::Undefined)?
                }
            };
        }
        *state = after;
        Ok(())
    }

    /// An assignment, for each choice of the names that still have to run.
    fn assign(
        &self,
        assignment: &Assignment,
        to_run: usize,
        parameters: &mut Vec<Term>,
        after: &mut [Value],
    ) -> Result<(), Obstacle> {
        let look = |var: Var| Some(self.state[var]);
        let scene = self.model.scene(&look);
        if to_run > 0 {
            let over = &assignment.runs[assignment.runs.len() - to_run];
            for term in scene.over(over, parameters).map_err(|_| Obstacle::Undefined)? {
                parameters.push(term);
                let assigned = self.assign(assignment, to_run - 1, parameters, after);
                parameters.pop();
                assigned?;
            }
            return Ok(());
        }
        let var = match &assignment.target {
            Target::Variable(var) => Some(*var),
            Target::Element(array, indices) => scene.element(*array, indices, parameters).ok(),
            Target::Parameter(number) => self.model.world.variable(&parameters[*number].to_string()),
        };
        let var = var.ok_or(Obstacle::Undefined)?;
        let term = scene.value(&assignment.value, parameters).map_err(|_| Obstacle::Undefined)?;
        let refused = || Obstacle::NoValue { name: self.model.names[var].clone(), value: term.to_string() };
        after[var] = self.model.world.value(var, &term).ok_or_else(refused)?;
        Ok(())
    }

    /// What it costs, where that is a number that is not negative.
    fn price(&self, attempt: &Attempt) -> Result<u64, Obstacle> {
        let look = |var: Var| Some(self.state[var]);
        let cost = self.model.scene(&look).number(&attempt.rule.cost, &mut attempt.parameters.clone());
        cost.ok().and_then(|cost| u64::try_from(cost).ok()).ok_or(Obstacle::Cost)
    }

    /// What the attempt is called here, or would be.
    fn written(&self, attempt: &Attempt) -> String {
        let laid =
            attempt.place.map(|(drawing, sheet, cell)| sheet.laid(drawing, self.size(), cell)).unwrap_or_default();
        let part = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Parameter(number) => attempt.parameters[*number].to_string(),
            Piece::Set(set) => {
                let stands = laid.iter().find(|laid| laid.spot.from == From::Set(*set) && laid.cell.is_some());
                let cell = stands.and_then(|laid| laid.cell);
                cell.map_or('?', |cell| self.model.symbols[usize::from(self.state[cell])]).to_string()
            }
            Piece::Place(row, column) => {
                let place = laid.iter().find(|laid| laid.spot.of == (*row, *column)).map(|laid| laid.place);
                place.map_or(String::new(), |(row, column)| format!("{row},{column}"))
            }
            Piece::Direction => attempt.place.map_or("", |(_, sheet, _)| sheet.direction).to_owned(),
        };
        attempt.rule.name.iter().map(part).collect()
    }

    /// The legal moves, in their order.
    fn legal(&self) -> Vec<Legal> {
        let mut legal: Vec<Legal> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        for attempt in self.attempts() {
            let Ok((after, cost)) = self.attempt(&attempt).and_then(|after| Ok((after, self.price(&attempt)?))) else {
                continue;
            };
            let name = self.written(&attempt);
            let before = names.iter().filter(|known| **known == name).count();
            let written = if before == 0 { name.clone() } else { format!("{name} #{}", before + 1) };
            names.push(name);
            legal.push(Legal { written, after, cost });
        }
        legal
    }

    /// What is in the way of a move that is not legal here: of all attempts that are called so, the one that comes
    /// furthest.
    fn reason(&self, written: &str) -> Option<Obstacle> {
        let is_number = |number: &str| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
        let name = written.rsplit_once(" #").filter(|(_, number)| is_number(number)).map_or(written, |(name, _)| name);
        let mut furthest: Option<Obstacle> = None;
        for attempt in self.attempts().iter().filter(|attempt| self.written(attempt) == name) {
            let Err(obstacle) = self.attempt(attempt).and_then(|_| self.price(attempt)) else {
                return Some(Obstacle::Fewer);
            };
            if furthest.as_ref().is_none_or(|known| known.passed() < obstacle.passed()) {
                furthest = Some(obstacle);
            }
        }
        furthest
    }
}

impl Rules for RuleBook<'_> {
    fn play(&mut self, written: &str) -> Result<(), String> {
        let mut legal = self.legal();
        let Some(at) = legal.iter().position(|legal| legal.written == written) else {
            let names: Vec<String> = legal.into_iter().map(|legal| legal.written).collect();
            return Err(match self.reason(written) {
                Some(obstacle) => obstacle.to_string(),
                None => no_such_move(written, &names),
            });
        };
        let played = legal.swap_remove(at);
        self.state = played.after;
        self.cost += played.cost;
        Ok(())
    }

    fn words(&self, words: &[&str]) -> usize {
        let longest = |names: &mut dyn Iterator<Item = String>| {
            let fits = |name: String| {
                let name: Vec<&str> = name.split_whitespace().collect();
                words.starts_with(&name).then_some(name.len())
            };
            names.filter_map(fits).max().filter(|&length| length > 0)
        };
        let legal = longest(&mut self.legal().into_iter().map(|legal| legal.written));
        let known = || longest(&mut self.attempts().iter().map(|attempt| self.written(attempt)));
        legal.or_else(known).unwrap_or(1)
    }

    fn is_solved(&self) -> bool {
        let look = |var: Var| Some(self.state[var]);
        let scene = self.model.scene(&look);
        let cells = 0..self.model.world.cells();
        self.model.goals.iter().any(|goal| {
            let count = |values: &[Value]| cells.clone().filter(|&cell| values.contains(&self.state[cell])).count();
            goal.places.iter().all(|(var, values)| values.contains(&self.state[*var]))
                && goal
                    .counts
                    .iter()
                    .all(|(values, least, most)| (*least as usize..=*most as usize).contains(&count(values)))
                && goal.every.iter().all(|(value, marks)| {
                    cells
                        .clone()
                        .all(|cell| self.state[cell] != *value || marks.contains(&self.model.world.marks[cell]))
                })
                && goal.when.iter().all(|when| scene.truth(when, &mut Vec::new()) == Ok(true))
        })
    }

    fn cost(&self) -> f64 {
        self.cost as f64
    }

    fn draw(&self) -> String {
        text::drawn(self.model, &self.state)
    }

    fn position(&self) -> Option<Vec<u32>> {
        Some(self.state.iter().map(|&value| value.into()).collect())
    }

    fn take_up(&mut self, position: &[u32]) {
        self.state = position.iter().map(|&value| value as Value).collect();
    }

    fn candidates(&self) -> Vec<String> {
        self.legal().into_iter().map(|legal| legal.written).collect()
    }
}

/// The choices of a rule's parameters, the last one changing fastest.
fn choices(rule: &Rule) -> Vec<Vec<Term>> {
    let mut all = vec![Vec::new()];
    for (_, terms) in &rule.parameters {
        let longer = |choice: &Vec<Term>| {
            terms.iter().map(|term| [&choice[..], std::slice::from_ref(term)].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// Whether two cells of a drawing lie on the same cell of the grid.
fn is_folded(laid: &[Laid]) -> bool {
    let mut under: Vec<usize> = laid.iter().filter_map(|laid| laid.cell).collect();
    under.sort_unstable();
    under.windows(2).any(|two| two[0] == two[1])
}
