//! Disjoint pattern databases over the places of symbols that occur exactly once, such as the tiles of the 15-puzzle.
//!
//! The state is read the other way round: not the content of each cell, but the place of each symbol. A pattern is a
//! group of symbols; all others are forgotten, so a table has an entry for each combination of the group's places. No
//! operator with a cost moves symbols of two groups, so the distances add up (Korf and Felner, Disjoint pattern
//! database heuristics, 2002). Without the blank in any group, groups of one tile yield the Manhattan distance.
//!
//! An operator keeps a symbol unique if it moves the symbol from one cell to one cell, or leaves it where it is,
//! whatever else the cells hold. Symbols that some operator creates, removes or copies are not used. If one operator
//! moves two symbols at once, as each slide moves a tile and the blank, the symbol with the most such partners is
//! forgotten, until the groups are independent. Distances are exact in the abstraction, which only drops conditions:
//! the heuristic is admissible. A move changes the distance of one group by at most its cost: it is consistent.

use super::open_states::OpenStates;
use super::{DEAD, Heuristic, Proof, Registration, limit_message};
use crate::analysis::analysed_task::AnalysedTask;
use crate::analysis::reduce::Reduced;
use crate::search::{BuildContext, HeuristicFacts};
use crate::task::sorted::sorted;
use crate::task::{Operator, Source, Task, Value, Values, Var};
use engine_search::space::{Part, Parts};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The registration of disjoint pattern databases.
pub static DISJOINT_PATTERNS: Registration = Registration {
    facts: HeuristicFacts {
        name: "disjoint-patterns",
        admissible: true,
        consistent: true,
        by_hand: false,
        summary: "exact distances of groups of symbols that occur once, such as tiles, to their places; added, since \
                  each move counts in one group (Korf, Felner 2002)",
        because: "every solution moves the symbols of each group to their places, and no move changes two groups",
    },
    build: |task, context| Ok(Arc::new(Disjoint::new(task, context)?)),
    refuses: |_, _| None,
};

/// The base-2 logarithm of the most entries of a table at size 0. Each further size adds 4.
const ENTRY_BITS: u32 = 16;

/// The most symbols that occur once. Others are boards too large for these tables.
const MOST_SYMBOLS: usize = 128;

/// The most symbols of a group.
const MOST_GROUP: usize = 8;

/// The most transitions of a group.
const MOST_TRANSITIONS: usize = 1 << 16;

/// The bits of a sum of codes.
const LANE_BITS: u32 = u64::BITS;

/// The bits of a check that some symbol of the group is on a place.
const OCCUPIED: u16 = u16::MAX;

/// An entry of unreachable places; distances above the next smaller number are capped.
const UNREACHED: u8 = u8::MAX;

/// Tables of distances, one for each group of symbols.
pub struct Disjoint {
    /// The variables of the reduced task that the codes depend on, each with its first part.
    vars: Box<[(u32, u32)]>,
    /// For each fact, its summand in the codes of each lane.
    parts: Box<[u64]>,
    lanes: Vec<Lane>,
    text: String,
}

/// Groups whose codes are bit fields of one number.
struct Lane {
    base: u64,
    tables: Vec<Table>,
}

/// A table of distances, with the bits of its code in the lane.
struct Table {
    shift: u32,
    mask: u64,
    /// The symbols.
    symbols: Vec<String>,
    distances: Box<[u8]>,
}

impl Disjoint {
    /// Returns the number of machine words that the codes of all groups take.
    pub fn lanes(&self) -> usize {
        self.lanes.len()
    }

    /// Builds the tables, each of at most 2 to the power of 16 entries, or of 4 more for each size of `context`.
    ///
    /// # Errors
    /// The reason why no goal is about two groups of symbols, or the limit that ended the work.
    pub fn new(task: &AnalysedTask, context: &BuildContext) -> Result<Disjoint, String> {
        let reduced = &task.reduced;
        let symbols = Symbols::of(task, context);
        let size = u32::from(context.size.unwrap_or(0)).min(2);
        let groups = symbols.groups(1 << (ENTRY_BITS + 4 * size));
        if context.should_stop() {
            return Err(limit_message());
        }
        if groups.is_empty() {
            return Err("no goal fixes the places of two symbols that occur once and move one by one".to_owned());
        }
        let name = |&symbol: &Value| symbols.task.variables[0].values[usize::from(symbol)].clone();
        let mut lanes: Vec<(u32, Vec<Table>)> = Vec::new();
        // The summand of each symbol on each cell.
        let mut weights: Vec<Vec<Vec<u64>>> = Vec::new();
        for group in &groups {
            let entries = symbols.entries(group.len()).ok_or_else(limit_message)?;
            if !context.fits(entries + 16) {
                return Err(limit_message());
            }
            let distances = symbols.distances(group, entries, context)?;
            let bits = u64::BITS - (entries - 1).leading_zeros();
            if lanes.last().is_none_or(|(used, _)| used + bits > LANE_BITS) {
                lanes.push((0, Vec::new()));
                weights.push(vec![vec![0; symbols.task.size(0)]; symbols.cells]);
            }
            let (weights, (used, tables)) = (weights.last_mut().expect("a lane"), lanes.last_mut().expect("a lane"));
            for (&symbol, radix) in group.iter().zip(symbols.radices()) {
                for (place, &cell) in symbols.found.places.iter().enumerate() {
                    weights[cell][usize::from(symbol)] = (place as u64 * radix) << *used;
                }
            }
            let symbols = group.iter().map(&name).collect();
            tables.push(Table { shift: *used, mask: (1 << bits) - 1, symbols, distances });
            *used += bits;
        }
        let names = |group: &Vec<Value>| format!("{{{}}}", group.iter().map(name).collect::<Vec<_>>().join(" "));
        let text = groups.iter().map(names).collect::<Vec<_>>().join(" ");
        let mut all = Disjoint {
            vars: Box::default(),
            parts: Box::default(),
            lanes: lanes.into_iter().map(|(_, tables)| Lane { base: 0, tables }).collect(),
            text: format!("{} disjoint groups of symbols: {text}", groups.len()),
        };
        all.read_reduced(reduced, &weights);
        Ok(all)
    }

    /// Translates the summands of symbols on cells to facts of the reduced task, where some symbols are represented by
    /// variables for their places.
    fn read_reduced(&mut self, reduced: &Reduced, weights: &[Vec<Vec<u64>>]) {
        let lifting = &reduced.lifting;
        let weight = |lane: usize, cell: Var, symbol: Value| {
            weights[lane].get(cell).map_or(0, |weights| weights[usize::from(symbol)])
        };
        let (mut vars, mut parts) = (Vec::new(), Vec::new());
        for (var, (old, values)) in lifting.origin.iter().enumerate() {
            let place = old.checked_sub(lifting.variables.len()).map(|number| &lifting.place_variables[number]);
            let of = |&value: &Value| {
                (0..self.lanes.len()).map(move |lane| match place {
                    None => weight(lane, *old, value),
                    Some(place) => {
                        // The cell under the symbol holds its ground value.
                        let cell = place.place_cells[usize::from(value)];
                        weight(lane, cell, place.symbol).wrapping_sub(weight(lane, cell, place.ground[cell]))
                    }
                })
            };
            let own: Vec<u64> = values.iter().flat_map(of).collect();
            if own.iter().any(|&part| part != 0) {
                vars.push((var as u32, parts.len() as u32));
                parts.extend(own);
            }
        }
        (self.vars, self.parts) = (vars.into(), parts.into());
        // What the dropped variables contribute is constant, so it can be read off the start.
        for lane in 0..self.lanes.len() {
            let whole = (0..lifting.cells).map(|cell| weight(lane, cell, reduced.narrowed.start[cell]));
            let whole = whole.fold(0, u64::wrapping_add);
            self.lanes[lane].base = whole.wrapping_sub(self.code(lane, &reduced.task.start));
        }
    }

    #[inline]
    fn code(&self, lane: usize, state: &[Value]) -> u64 {
        let lanes = self.lanes.len();
        let part =
            |&(var, first): &(u32, u32)| self.parts[first as usize + usize::from(state[var as usize]) * lanes + lane];
        self.vars.iter().map(part).fold(self.lanes[lane].base, u64::wrapping_add)
    }
}

impl Heuristic for Disjoint {
    fn h(&self, state: &[Value]) -> u32 {
        let mut sum = 0;
        for (number, lane) in self.lanes.iter().enumerate() {
            let code = self.code(number, state);
            for table in &lane.tables {
                let distance = table.distances[(code >> table.shift & table.mask) as usize];
                if distance == UNREACHED {
                    return DEAD;
                }
                sum += u32::from(distance);
            }
        }
        sum
    }

    fn parts(&self, _task: &Task, state: &[Value]) -> Parts {
        let lanes = self.lanes.iter().enumerate().map(|(number, lane)| (self.code(number, state), lane));
        let tables = lanes.flat_map(|(code, lane)| lane.tables.iter().map(move |table| (code, table)));
        let part = |(code, table): (u64, &Table)| {
            let distance = table.distances[(code >> table.shift & table.mask) as usize];
            Part::of(table.symbols.join(" "), distance, &table.symbols)
        };
        Parts::sum(tables.map(part))
    }

    fn refutation(&self, _state: &[Value]) -> Option<Proof> {
        Some(Proof::Words("some symbols cannot reach their places even if all others are forgotten"))
    }

    fn bytes(&self) -> u64 {
        let tables = self.lanes.iter().flat_map(|lane| &lane.tables);
        tables.map(|table| table.distances.len() as u64).sum::<u64>() + self.parts.len() as u64 * 8
    }

    fn describe(&self) -> String {
        self.text.clone()
    }
}

/// Returns whether the goals are all about places of symbols that disjoint groups represent.
pub fn are_goals_disjoint(task: &AnalysedTask, context: &BuildContext) -> bool {
    let symbols = Symbols::of(task, context);
    let task = symbols.task;
    // One more symbol may be the background, which is wherever the others are not.
    let mut others = Values::NONE;
    for cell in (0..symbols.cells).filter(|&cell| symbols.reached[cell].len() > 1) {
        others = others.or(&symbols.reached[cell].without(&symbols.found.unique.iter().copied().collect()));
    }
    let is_place = |(var, _): &(Var, Values)| *var < symbols.cells && others.len() <= 1;
    symbols.found.used.len() > 1
        && task
            .goals
            .iter()
            .all(|goal| goal.counts.is_empty() && goal.disjunctions.is_empty() && goal.conditions.iter().all(is_place))
}

/// The symbols that occur exactly once in every reachable state, of a task with its cells.
struct Symbols<'a> {
    task: &'a Task,
    reached: &'a [Values],
    cells: usize,
    found: Found,
}

/// The symbols that occur once. The strategy and the tables both ask for them, so they are found once.
#[derive(Clone, Default)]
struct Found {
    unique: Arc<[Value]>,
    /// The unique symbols in groups: no operator with a cost moves two of them, and the goals restrict their places.
    used: Arc<[Value]>,
    /// The cells on which used symbols can be.
    places: Arc<[Var]>,
}

/// The effect of an operator on a symbol that occurs once.
enum Motion {
    Inapplicable,
    /// The symbol is on this cell afterwards.
    To(Var),
    /// The symbol may occur twice or not at all afterwards.
    Breaks,
}

/// A move of symbols of a group.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Transition {
    /// For each symbol that moves its index in the group, and its places before and after.
    moved: Vec<(usize, usize, usize)>,
    /// The symbols of the group that may be on a place before the move, as bits.
    checks: Vec<(usize, u16)>,
}

impl<'a> Symbols<'a> {
    fn of(task: &'a AnalysedTask, context: &BuildContext) -> Symbols<'a> {
        let (narrowed, lifting) = (&*task.reduced.narrowed, &*task.reduced.lifting);
        let (reached, cells) = (&*lifting.reached, lifting.cells);
        let mut symbols = Symbols { task: narrowed, reached, cells, found: Found::default() };
        symbols.found = task.memo.get("symbols that occur once", context, || symbols.find(context));
        symbols
    }

    fn find(&self, context: &BuildContext) -> Found {
        let (task, cells) = (self.task, self.cells);
        if cells == 0 || task.goals.is_empty() {
            return Found::default();
        }
        let on = |cell: Var, symbol: Value| self.reached[cell].contains(symbol);
        let moves = |&symbol: &Value| {
            (0..cells).filter(|&cell| task.start[cell] == symbol).count() == 1
                && (0..cells).filter(|&cell| on(cell, symbol)).count() > 1
        };
        let mut unique: Vec<Value> = (0..task.size(0)).map(|value| value as Value).filter(moves).collect();
        if unique.len() > MOST_SYMBOLS {
            return Found::default();
        }
        unique.retain(|&symbol| {
            task.operators.iter().all(|operator| !context.should_stop() && self.keeps(operator, symbol))
        });
        let mut used = self.independent(&unique);
        used.retain(|&symbol| {
            let ends = self.ends(symbol);
            (0..cells).any(|cell| on(cell, symbol) && !ends[cell])
        });
        let places = (0..cells).filter(|&cell| used.iter().any(|&symbol| on(cell, symbol))).collect();
        Found { unique: unique.into(), used: used.into(), places }
    }

    /// Returns the cells that occur in an operator.
    fn cells_of(&self, operator: &Operator) -> Vec<Var> {
        let all = operator.conditions.iter().map(|&(var, _)| var).chain(operator.touched());
        sorted(all.filter(|&var| var < self.cells))
    }

    /// Returns whether an operator shows by itself that it changes no cell with the symbol, and gives it to none.
    fn leaves(&self, operator: &Operator, symbol: Value) -> bool {
        operator.effects.iter().filter(|effect| effect.target < self.cells).all(|effect| {
            matches!(effect.source, Source::Value(value) if value != symbol)
                && operator.condition(effect.target).is_some_and(|values| !values.contains(symbol))
        })
    }

    /// Returns whether a symbol occurs once after an operator if it does so before.
    fn keeps(&self, operator: &Operator, symbol: Value) -> bool {
        if self.leaves(operator, symbol) {
            return true;
        }
        let keeps = |cell: Var| !matches!(self.motion(operator, symbol, cell), Motion::Breaks);
        if let Some(cell) = self.required(operator, symbol) {
            return keeps(cell);
        }
        // If the symbol is on none of the operator's cells, it must not be written.
        let on = |&cell: &Var| self.reached[cell].contains(symbol);
        keeps(Var::MAX) && self.cells_of(operator).into_iter().filter(on).all(keeps)
    }

    /// Returns a cell on which an operator needs the symbol. While the symbol is elsewhere, it is not applicable.
    fn required(&self, operator: &Operator, symbol: Value) -> Option<Var> {
        let cells = operator.conditions.iter().take_while(|(var, _)| *var < self.cells);
        cells.filter(|(_, values)| values.only() == Some(symbol)).map(|(var, _)| *var).next()
    }

    /// Returns the motion of a symbol that occurs only on a cell.
    fn motion(&self, operator: &Operator, symbol: Value, at: Var) -> Motion {
        let own = Values::one(symbol);
        let fits = |(var, values): &(Var, Values)| match *var {
            var if var == at => values.contains(symbol),
            var if var < self.cells => !values.is_within(&own),
            _ => true,
        };
        if !operator.conditions.iter().all(fits) {
            return Motion::Inapplicable;
        }
        let mut on: Vec<Var> = Vec::new();
        if operator.effect(at).is_none() {
            on.push(at);
        }
        for effect in operator.effects.iter().filter(|effect| effect.target < self.cells) {
            match &effect.source {
                Source::Value(value) if *value == symbol => on.push(effect.target),
                Source::Value(_) => {}
                Source::Table(var, table) if *var == at => {
                    if table[usize::from(symbol)] == symbol {
                        on.push(effect.target);
                    }
                }
                Source::Table(..) => {
                    let others = |var: Var| {
                        let values = self.task.allowed(operator, var).and(&self.reached[var]);
                        if var < self.cells { values.without(&own) } else { values }
                    };
                    if effect.source.values(others).contains(symbol) {
                        return Motion::Breaks;
                    }
                }
            }
        }
        if let [cell] = on[..] { Motion::To(cell) } else { Motion::Breaks }
    }

    /// Returns the cells between which an operator moves a symbol.
    fn moves(&self, operator: &Operator, symbol: Value) -> Vec<(Var, Var)> {
        if self.leaves(operator, symbol) {
            return Vec::new();
        }
        let moved = |cell: Var| match self.motion(operator, symbol, cell) {
            Motion::To(to) if to != cell => Some((cell, to)),
            _ => None,
        };
        if let Some(cell) = self.required(operator, symbol) {
            return moved(cell).into_iter().collect();
        }
        let on = self.cells_of(operator).into_iter().filter(|&cell| self.reached[cell].contains(symbol));
        on.filter_map(moved).collect()
    }

    /// Returns the symbols without those that share moves with the most others, until none does.
    fn independent(&self, unique: &[Value]) -> Vec<Value> {
        let mut together = vec![vec![false; unique.len()]; unique.len()];
        for operator in self.task.operators.iter().filter(|operator| operator.cost > 0) {
            let moved: Vec<(usize, Var)> = unique
                .iter()
                .enumerate()
                .flat_map(|(at, &symbol)| self.moves(operator, symbol).into_iter().map(move |(from, _)| (at, from)))
                .collect();
            for (one, from) in &moved {
                let partners = moved.iter().filter(|(other, start)| other != one && start != from);
                partners.for_each(|(other, _)| together[*one][*other] = true);
            }
        }
        let mut left: Vec<usize> = (0..unique.len()).collect();
        loop {
            let partners = |&one: &usize| left.iter().filter(|&&other| together[one][other]).count();
            let Some(most) = left.iter().copied().max_by_key(|one| (partners(one), *one)) else { break };
            if partners(&most) == 0 {
                break;
            }
            left.retain(|&one| one != most);
        }
        left.into_iter().map(|at| unique[at]).collect()
    }

    /// Returns for each cell whether some goal allows a symbol on it.
    fn ends(&self, symbol: Value) -> Vec<bool> {
        let own = Values::one(symbol);
        let mut ends = vec![false; self.cells];
        for goal in &self.task.goals {
            let in_cells = goal.conditions.iter().filter(|(var, _)| *var < self.cells);
            // A goal that needs the symbol on a cell allows it on no other.
            let mut needed = in_cells.clone().filter(|(_, values)| values.is_within(&own)).map(|(var, _)| *var);
            let allowed = match (needed.next(), needed.next()) {
                (None, _) => 0..self.cells,
                (Some(cell), None) => cell..cell + 1,
                (Some(_), Some(_)) => 0..0,
            };
            let mut allows = vec![false; self.cells];
            allows[allowed].fill(true);
            in_cells.filter(|(_, values)| !values.contains(symbol)).for_each(|&(var, _)| allows[var] = false);
            ends.iter_mut().zip(allows).for_each(|(end, allows)| *end |= allows);
        }
        ends
    }

    /// Divides the symbols into groups whose tables are within a number of entries: neighbours at the goal go together.
    fn groups(&self, entries: u64) -> Vec<Vec<Value>> {
        let end = |&symbol: &Value| self.ends(symbol).iter().position(|&end| end).unwrap_or(0);
        let mut left: Vec<(Var, Value)> = self.found.used.iter().map(|symbol| (end(symbol), *symbol)).collect();
        if left.len() < 2 || self.found.places.len() < 2 {
            return Vec::new();
        }
        left.sort_unstable();
        let neighbors = self.neighbors();
        let mut groups = Vec::new();
        while !left.is_empty() {
            let mut group = vec![left.remove(0)];
            while group.len() < MOST_GROUP && self.entries(group.len() + 1).is_some_and(|size| size <= entries) {
                let far = |cell: Var| -> u32 { group.iter().map(|&(end, _)| steps(&neighbors, end)[cell]).sum() };
                let Some(at) = (0..left.len()).min_by_key(|&at| (far(left[at].0), at)) else { break };
                group.push(left.remove(at));
            }
            groups.push(group.into_iter().map(|(_, symbol)| symbol).collect());
        }
        groups
    }

    /// Returns the cells to or from which each cell's symbols move.
    fn neighbors(&self) -> Vec<Vec<Var>> {
        let mut neighbors = vec![Vec::new(); self.cells];
        for operator in &self.task.operators {
            for (from, to) in self.found.used.iter().flat_map(|&symbol| self.moves(operator, symbol)) {
                neighbors[from].push(to);
                neighbors[to].push(from);
            }
        }
        neighbors.into_iter().map(sorted).collect()
    }

    /// Returns the number of combinations of places of some symbols.
    fn entries(&self, symbols: usize) -> Option<u64> {
        (self.found.places.len() as u64).checked_pow(symbols as u32).filter(|&entries| entries <= u64::from(u32::MAX))
    }

    /// Returns the weights of the places of a group's symbols in codes.
    fn radices(&self) -> impl Iterator<Item = u64> {
        let places = self.found.places.len() as u64;
        std::iter::successors(Some(1), move |&radix: &u64| radix.checked_mul(places))
    }

    /// Returns the transitions of a group, each with its least cost.
    fn transitions(&self, group: &[Value], context: &BuildContext) -> Result<Vec<(Transition, u32)>, String> {
        let place = |cell: Var| self.found.places.binary_search(&cell).ok();
        let mut least: BTreeMap<Transition, u32> = BTreeMap::new();
        for operator in &self.task.operators {
            let moves: Vec<Vec<(Var, Var)>> = group.iter().map(|&symbol| self.moves(operator, symbol)).collect();
            // Each symbol stays, or makes one of its moves; symbols that move start on different cells.
            let mut choices: Vec<Vec<(usize, Var, Var)>> = vec![Vec::new()];
            for (index, moves) in moves.iter().enumerate() {
                for at in 0..choices.len() {
                    for &(from, to) in moves {
                        if choices[at].iter().all(|&(_, start, _)| start != from) {
                            let mut longer = choices[at].clone();
                            longer.push((index, from, to));
                            choices.push(longer);
                        }
                    }
                }
                if choices.len() > MOST_TRANSITIONS {
                    return Err("too many combinations of moves".to_owned());
                }
            }
            for moved in choices.iter().filter(|moved| !moved.is_empty()) {
                let starts = |cell: Var| moved.iter().any(|&(_, from, _)| from == cell);
                let mut checks = Vec::new();
                let mut possible = true;
                for &cell in self.cells_of(operator).iter().filter(|&&cell| !starts(cell)) {
                    let Some(at) = place(cell) else { continue };
                    let allowed = self.task.allowed(operator, cell).and(&self.reached[cell]);
                    let stays = |&symbol: &Value| {
                        allowed.contains(symbol)
                            && matches!(self.motion(operator, symbol, cell), Motion::To(to) if to == cell)
                    };
                    let free = group.iter().enumerate().filter(|(_, symbol)| stays(symbol));
                    let bits = free.fold(0, |bits: u16, (index, _)| bits | 1 << index);
                    // A cell that requires a symbol of the group must hold it, which is the choice of another
                    // transition.
                    let required = group.iter().fold(allowed, |rest, symbol| rest.without(&Values::one(*symbol)));
                    possible &= !required.is_empty() || bits != 0;
                    if bits.count_ones() < group.len() as u32 {
                        checks.push((at, bits));
                    }
                    if required.is_empty() {
                        checks.push((at, OCCUPIED));
                    }
                }
                let moved: Option<Vec<_>> =
                    moved.iter().map(|&(index, from, to)| Some((index, place(from)?, place(to)?))).collect();
                let Some(moved) = moved.filter(|_| possible) else { continue };
                let cost = least.entry(Transition { moved, checks }).or_insert(operator.cost);
                *cost = operator.cost.min(*cost);
            }
            if least.len() > MOST_TRANSITIONS || context.should_stop() {
                return Err(limit_message());
            }
        }
        Ok(least.into_iter().collect())
    }

    /// Returns the distances of all combinations of places of a group to a goal.
    fn distances(&self, group: &[Value], entries: u64, context: &BuildContext) -> Result<Box<[u8]>, String> {
        let transitions = self.transitions(group, context)?;
        let places = self.found.places.len();
        let radices: Vec<u64> = self.radices().take(group.len()).collect();
        // The transitions that bring a symbol to a place; each is listed by its first symbol.
        let mut by_after = vec![Vec::new(); group.len() * places];
        for (transition, cost) in &transitions {
            let (index, _, to) = transition.moved[0];
            by_after[index * places + to].push((transition, *cost));
        }
        let mut distances = vec![UNREACHED; entries as usize];
        let mut goals = Vec::new();
        for goal in &self.task.goals {
            self.goals(group, goal, &mut |code| {
                distances[code as usize] = 0;
                goals.push(code);
            });
        }
        let mut open = OpenStates::new(goals);
        let mut on = vec![0; group.len()];
        let mut before = vec![0; group.len()];
        let mut done = 0_u64;
        while let Some((distance, mut now)) = open.pop_first() {
            let distance = distance as u8;
            // A transition of cost 0 may extend this list during the loop.
            while let Some(code) = now.pop() {
                if distances[code as usize] != distance {
                    continue;
                }
                done += 1;
                if done.is_multiple_of(1024) && context.should_stop() {
                    return Err(limit_message());
                }
                let mut rest = code;
                for place in &mut on {
                    *place = rest as usize % places;
                    rest /= places as u32;
                }
                for (index, &place) in on.iter().enumerate() {
                    for (transition, cost) in &by_after[index * places + place] {
                        if !transition.is_possible_to(&on, &mut before) {
                            continue;
                        }
                        let from: u64 = before.iter().zip(&radices).map(|(&place, radix)| place as u64 * radix).sum();
                        let reached = cost.saturating_add(distance.into()).min(u32::from(UNREACHED) - 1) as u8;
                        if reached < distances[from as usize] {
                            distances[from as usize] = reached;
                            if reached == distance {
                                now.push(from as u32);
                            } else {
                                open.push(reached.into(), from as u32);
                            }
                        }
                    }
                }
            }
        }
        Ok(distances.into())
    }

    /// Calls `each` with the codes of the combinations of places that a goal may have.
    fn goals(&self, group: &[Value], goal: &crate::task::Goal, each: &mut impl FnMut(u32)) {
        let allowed = |symbol: Value| {
            let fits = |&place: &usize| {
                let cell = self.found.places[place];
                self.reached[cell].contains(symbol) && goal.condition(cell).is_none_or(|values| values.contains(symbol))
            };
            (0..self.found.places.len()).filter(fits).collect::<Vec<usize>>()
        };
        let allowed: Vec<Vec<usize>> = group.iter().map(|&symbol| allowed(symbol)).collect();
        // The cells that must hold a symbol of the group.
        let own: Values = group.iter().copied().collect();
        let filled: Vec<Option<usize>> = goal
            .conditions
            .iter()
            .filter(|(var, values)| *var < self.cells && values.is_within(&own))
            .map(|(var, _)| self.found.places.binary_search(var).ok())
            .collect();
        let mut chosen: Vec<usize> = Vec::new();
        let mut tried = vec![0];
        while let Some(next) = tried.last_mut() {
            let index = chosen.len();
            if index == group.len() {
                if filled.iter().all(|place| place.is_some_and(|place| chosen.contains(&place))) {
                    let code: u64 = chosen.iter().zip(self.radices()).map(|(&place, radix)| place as u64 * radix).sum();
                    each(code as u32);
                }
                tried.pop();
                chosen.pop();
                continue;
            }
            let Some(&place) = allowed[index].get(*next) else {
                tried.pop();
                chosen.pop();
                continue;
            };
            *next += 1;
            if !chosen.contains(&place) {
                chosen.push(place);
                tried.push(0);
            }
        }
    }
}

impl Transition {
    /// Writes the places before this transition; false if it does not lead to these places.
    #[inline]
    fn is_possible_to(&self, after: &[usize], before: &mut [usize]) -> bool {
        before.copy_from_slice(after);
        for &(index, from, to) in &self.moved {
            if after[index] != to {
                return false;
            }
            before[index] = from;
        }
        let alone = |&(index, from, _): &(usize, usize, usize)| {
            before.iter().enumerate().all(|(other, &place)| other == index || place != from)
        };
        let holds = |&(place, bits): &(usize, u16)| match before.iter().position(|&on| on == place) {
            Some(index) => bits >> index & 1 == 1,
            None => bits != OCCUPIED,
        };
        self.moved.iter().all(alone) && self.checks.iter().all(holds)
    }
}

/// Returns the number of steps from a cell to each cell.
fn steps(neighbors: &[Vec<Var>], from: Var) -> Vec<u32> {
    let mut steps = vec![neighbors.len() as u32; neighbors.len()];
    steps[from] = 0;
    let mut cells = vec![from];
    let mut at = 0;
    while at < cells.len() {
        let here = cells[at];
        for &next in &neighbors[here] {
            if steps[next] == neighbors.len() as u32 && next != from {
                steps[next] = steps[here] + 1;
                cells.push(next);
            }
        }
        at += 1;
    }
    steps
}
