//! Makes the parts of bounds: from a condition, or from a rule with the command `win`.

use super::super::model::{Lowered, has};
use super::super::movers::Movers;
use super::super::tokens::{Count, Distances, NEVER, Tokens, Turns, When};
use super::parts::{Delays, Each, Need, Pace, Part, Scan, Sum};
use crate::game::{Command, Quantifier, Vector};
use crate::input::Input;
use crate::program::{Condition, Operand, Program, Words};
use crate::turn::places::each_object;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The most distances in the tables of one condition, and of all of them together.
const MOST_ENTRIES: usize = 1 << 22;
const MOST_ENTRIES_OF_ALL: usize = 1 << 24;

/// The most parts of all rules that win: more would take longer on each board than they save.
const MOST_PARTS: usize = 32;

/// Makes the parts of a level's bounds.
pub(super) struct Builder<'a> {
    program: &'a Program,
    turns: &'a Turns<'a>,
    start: &'a [u64],
    /// The tokens of each set that was asked for.
    tokens: RefCell<BTreeMap<Words, Rc<Tokens>>>,
    /// The walks of players to each cell: to be there after a turn, and at any time.
    walks: RefCell<[Option<Rc<Vec<Distances>>>; 2]>,
    /// The distances in the tables of the parts so far.
    entries: Cell<usize>,
}

impl<'a> Builder<'a> {
    pub fn new(program: &'a Program, turns: &'a Turns<'a>, start: &'a [u64]) -> Builder<'a> {
        let (tokens, walks, entries) = (RefCell::default(), RefCell::default(), Cell::new(0));
        Builder { program, turns, start, tokens, walks, entries }
    }

    /// Returns the parts of all win conditions.
    pub fn conditions(&self) -> Vec<Part> {
        self.program.conditions.iter().flat_map(|condition| self.parts(condition)).collect()
    }

    /// Returns the parts of each rule that wins and may match; none if there are too many of them. `program` has the
    /// rules of the model.
    pub fn winning_rules(&self, program: &Program) -> Option<Vec<Vec<Part>>> {
        let mut ways: Vec<Vec<Part>> = Vec::new();
        let model = self.turns.model;
        for (phase, lowered, late) in [(&program.early, &model.early, false), (&program.late, &model.late, true)] {
            let rules = phase.groups.iter().flat_map(|group| &group.rules);
            for (rule, lowered) in rules.zip(lowered.iter().flatten()) {
                if rule.commands.contains(&Command::Win) {
                    ways.extend(self.winning_rule(lowered, late));
                    if ways.iter().flatten().count() > MOST_PARTS || (self.turns.should_stop)() {
                        return None;
                    }
                }
            }
        }
        Some(ways)
    }

    /// Returns the parts of a rule that wins: each object that it asks for must be where it may match. None if it never
    /// matches.
    fn winning_rule(&self, rule: &Lowered, late: bool) -> Option<Vec<Part>> {
        let mut parts = Vec::new();
        for (row, places) in rule.rows.iter().zip(self.turns.pressed.places(rule)?) {
            for (index, pattern) in row.cells.iter().enumerate() {
                let is_object = |thing: u32| self.turns.model.is_object(thing);
                let asks = pattern.asks.iter().map(|ask| &ask.allowed);
                let sets = asks.chain(&pattern.any).filter(|set| each_object(set).all(is_object));
                let step = self.turns.pressed.step(rule.direction);
                let at = |&(other, cell): &(usize, usize)| (other == index).then_some(cell);
                let indexed = places.iter().flat_map(|place| place.indexed(step));
                let cells: Vec<usize> = indexed.filter_map(|pair| at(&pair)).collect();
                let mut goals = vec![false; self.cells().len()];
                cells.iter().for_each(|&cell| goals[cell] = true);
                let when = if late { When::Late } else { When::Early };
                let part = |set: &Words| self.some(set, |cell| goals[cell], when);
                let asked_by = "a rule with `win` asks";
                parts.extend(sets.filter_map(part).map(|part| Part { asked_by, ..part }));
            }
        }
        Some(parts)
    }

    /// Returns the tokens of a set of objects. None if there are too many of them, or the work must stop.
    fn tokens(&self, set: &Words) -> Option<Rc<Tokens>> {
        let new = || Rc::new(Tokens::new(self.turns, set));
        let tokens = Rc::clone(self.tokens.borrow_mut().entry(set.clone()).or_insert_with(new));
        (!tokens.is_incomplete && !(self.turns.should_stop)()).then_some(tokens)
    }

    fn parts(&self, condition: &Condition) -> Vec<Part> {
        let Condition { quantifier, what, on } = condition;
        match quantifier {
            Quantifier::All => {
                let every = single_set(what).and_then(|set| self.every(&set, |cell| self.may_hold(on, cell)));
                let cells: Vec<usize> = self.cells().filter(|&cell| self.always_holds(what, cell)).collect();
                let each = sets(on).into_iter().filter_map(|set| self.each(&set, &cells));
                every.into_iter().chain(each).collect()
            }
            Quantifier::Some => {
                let here = sets(what)
                    .into_iter()
                    .filter_map(|set| self.some(&set, |cell| self.may_hold(on, cell), When::Late));
                let there = sets(on)
                    .into_iter()
                    .filter_map(|set| self.some(&set, |cell| self.may_hold(what, cell), When::Late));
                here.chain(there).collect()
            }
            Quantifier::No => {
                let away = |set: &Words, other: &Operand| self.every(set, |cell| !self.always_holds(other, cell));
                let here = single_set(what).and_then(|set| away(&set, on));
                let there = single_set(on).and_then(|set| away(&set, what));
                here.into_iter().chain(there).collect()
            }
        }
    }

    fn cells(&self) -> std::ops::Range<usize> {
        0..self.turns.pressed.width * self.turns.pressed.height
    }

    /// Every token must be at a goal, or gone.
    fn every(&self, set: &Words, goal: impl Fn(usize) -> bool) -> Option<Part> {
        let tokens = self.tokens(set)?;
        let nodes = self.goal_nodes(&tokens, goal);
        let graph = tokens.graph(true);
        let need = |count| Some(Need::Every(graph.distances(|node| nodes[node as usize], When::Late, count)));
        let (pace, sum) = if tokens.merges { (None, None) } else { self.pace(&tokens, need) };
        self.part(&tokens, set, need(Count::Presses)?, pace, sum)
    }

    /// Some token must be at a goal.
    fn some(&self, set: &Words, goal: impl Fn(usize) -> bool, when: When) -> Option<Part> {
        let any = Operand::Any(set.clone());
        // An object that never changes may always be there.
        if self.cells().any(|cell| goal(cell) && self.always_holds(&any, cell)) {
            return None;
        }
        let tokens = self.tokens(set)?;
        let nodes = self.goal_nodes(&tokens, goal);
        let distances = tokens.graph(false).distances(|node| nodes[node as usize], when, Count::Presses);
        self.part(&tokens, set, Need::Some(distances), None, None)
    }

    /// Each of some cells must get a token.
    fn each(&self, set: &Words, cells: &[usize]) -> Option<Part> {
        let tokens = self.tokens(set)?;
        if cells.is_empty() || cells.len() * tokens.nodes().count() > MOST_ENTRIES {
            return None;
        }
        let graph = tokens.graph(false);
        let need = |count| {
            let to = |&goal: &usize| {
                let nodes = self.goal_nodes(&tokens, |cell| cell == goal);
                let distances = || graph.distances(|node| nodes[node as usize], When::Late, count);
                (!(self.turns.should_stop)()).then(distances)
            };
            let distances: Vec<Distances> = cells.iter().map(to).collect::<Option<_>>()?;
            Some(Need::Each(Each::new(cells, &distances, tokens.conserved)))
        };
        let (pace, sum) = if tokens.conserved { self.pace(&tokens, need) } else { (None, None) };
        self.part(&tokens, set, need(Count::Presses)?, pace, sum)
    }

    fn goal_nodes(&self, tokens: &Tokens, goal: impl Fn(usize) -> bool) -> Vec<bool> {
        tokens.nodes().map(|(cell, _, _)| goal(cell)).collect()
    }

    /// Returns a part, none if its bound is 0 on every board, or if the parts hold too many distances: a bound without a
    /// part is a lower one.
    fn part(&self, tokens: &Tokens, set: &Words, need: Need, pace: Option<Pace>, sum: Option<Sum>) -> Option<Part> {
        let cells = if let Need::Each(each) = &need { each.cells() } else { 1 };
        let paced = pace.as_ref().map_or(0, |pace| pace.delays.table.len());
        self.entries.set(self.entries.get().saturating_add(tokens.nodes().count() * cells + paced));
        if self.entries.get() > MOST_ENTRIES_OF_ALL {
            return None;
        }
        let possible: Vec<u32> =
            tokens.nodes().filter(|&(cell, object, _)| self.turns.pressed.has(cell, object)).map(|at| at.2).collect();
        let (scan, mut at_start) = (Scan::new(self.program, self.turns.pressed, set), Vec::new());
        scan.tokens(self.start, &mut at_start);
        let is_far = |distances: &Distances| possible.iter().any(|&token| distances.of[token as usize] > 0);
        let is_useful = match &need {
            Need::Every(distances) => is_far(distances),
            Need::Some(distances) => at_start.is_empty() || is_far(distances),
            Need::Each(each) => {
                at_start.is_empty() || possible.iter().any(|&token| each.of(token).iter().any(|&presses| presses > 0))
            }
        };
        let has_dead_ends = possible.iter().any(|&token| match &need {
            Need::Every(distances) | Need::Some(distances) => distances.of[token as usize] == NEVER,
            Need::Each(each) => each.of(token).iter().all(|&presses| presses == NEVER),
        });
        let names = each_object(set).map(|object| self.program.object_names[object as usize].clone()).collect();
        let layer = each_object(set).map(|object| self.program.object_layers[object as usize]).max().unwrap_or(0);
        let asked_by = "a win condition asks";
        is_useful.then_some(Part { names, layer, asked_by, scan, need, pace, sum, has_dead_ends })
    }

    /// Returns when players let tokens change, and how many of them may change in a press. `need` returns what is asked
    /// of the tokens, in presses or in changes by players.
    fn pace(&self, tokens: &Tokens, need: impl Fn(Count) -> Option<Need>) -> (Option<Pace>, Option<Sum>) {
        let player = &self.program.player;
        if player.all && each_object(&player.objects).nth(1).is_some() {
            return (None, None);
        }
        let Some(players) = self.tokens(&player.objects) else { return (None, None) };
        if !players.conserved || players.nodes().count() * self.cells().len() > MOST_ENTRIES {
            return (None, None);
        }
        let mut at_start = Vec::new();
        Scan::new(self.program, self.turns.pressed, &player.objects).tokens(self.start, &mut at_start);
        let several = at_start.len().max(1) as u32;
        let movers = Movers::new(self.turns, self.program.inputs(), &players, tokens);
        let most = movers.as_ref().and_then(|movers| movers.most);
        let pace = movers.and_then(|Movers { vectors, chains, before_press, .. }| {
            // The first of a chain may be a token that is not on the board yet.
            if chains && !tokens.conserved {
                return None;
            }
            let when = if before_press { When::Late } else { When::Any };
            Some(Pace { chains, delays: self.delays(&players, &vectors, when)? })
        });
        let sum = match most.filter(|_| pace.is_some()) {
            Some(most) => Some(Sum { most: most * several, by_players: None }),
            None => self.sum_of_changes(tokens, &players, several, need),
        };
        (pace, sum)
    }

    /// Returns how many tokens players may change in a press, if each press finds them beside players when it begins:
    /// rules of its first turn take them nowhere else, and keys alone move players before the movement of a turn.
    fn sum_of_changes(
        &self,
        tokens: &Tokens,
        players: &Tokens,
        several: u32,
        need: impl Fn(Count) -> Option<Need>,
    ) -> Option<Sum> {
        if !self.turns.keys_alone || tokens.wander || tokens.by_players.is_empty() {
            return None;
        }
        let with_key = |input: &Input| {
            let changes = tokens.by_players.iter().filter(|(_, moving)| u64::from(*moving) & !input.bit() == 0);
            changes.map(|(vector, _)| vector).collect::<BTreeSet<_>>().len()
        };
        let vectors = self.program.inputs().iter().map(with_key).max().unwrap_or(0);
        let most = (vectors * tokens.layers(self.turns.model).len()).max(1) as u32 * several;
        let vectors: BTreeSet<Vector> = tokens.by_players.iter().map(|&(vector, _)| vector).collect();
        let vectors: Vec<Vector> = vectors.into_iter().collect();
        // Tokens that move by themselves, or that are made, may come to a player.
        let waits = tokens.conserved && !tokens.drift;
        let before = if waits { Some(self.delays(players, &vectors, When::Late)?) } else { None };
        Some(Sum { most, by_players: Some((need(Count::Changes)?, before)) })
    }

    /// Returns the presses before one in which a player is at one of some vectors from a cell: when it begins, or at
    /// any time of it. None if the work must stop.
    fn delays(&self, players: &Tokens, vectors: &[Vector], when: When) -> Option<Delays> {
        let walks = self.walks(players, when)?;
        let (width, height) = (self.turns.pressed.width as isize, self.turns.pressed.height as isize);
        let delay = |player: usize, cell: usize| {
            let from = vectors.iter().filter_map(|&(columns, rows)| {
                let (x, y) = (cell as isize / height - columns, cell as isize % height - rows);
                let is_on_board = (0..width).contains(&x) && (0..height).contains(&y);
                is_on_board.then(|| walks[(x * height + y) as usize].of[player])
            });
            match from.min().unwrap_or(NEVER) {
                NEVER => NEVER,
                // The player is there in the last of these presses.
                walk if when == When::Any => walk.saturating_sub(1),
                walk => walk,
            }
        };
        let nodes = players.nodes().count();
        let table = (0..nodes).flat_map(|player| self.cells().map(move |cell| (player, cell)));
        let table = table.map(|(player, cell)| delay(player, cell)).collect();
        let players = Scan::new(self.program, self.turns.pressed, &self.program.player.objects);
        Some(Delays { players, table })
    }

    /// Returns for each cell the presses until a player is there. None if the work must stop.
    fn walks(&self, players: &Tokens, when: When) -> Option<Rc<Vec<Distances>>> {
        let mut known = self.walks.borrow_mut();
        let known = &mut known[usize::from(when == When::Any)];
        if known.is_none() {
            let graph = players.graph(false);
            let walk = |cell: usize| {
                let nodes = self.goal_nodes(players, |other| other == cell);
                let distances = || graph.distances(|node| nodes[node as usize], when, Count::Presses);
                (!(self.turns.should_stop)()).then(distances)
            };
            *known = Some(Rc::new(self.cells().map(walk).collect::<Option<_>>()?));
        }
        known.clone()
    }

    /// Returns whether a cell may hold one side of a condition.
    fn may_hold(&self, operand: &Operand, cell: usize) -> bool {
        let here = |objects: &Words| -> Vec<bool> {
            each_object(objects).map(|object| self.turns.pressed.has(cell, object)).collect()
        };
        match operand {
            Operand::Any(objects) => here(objects).contains(&true),
            Operand::All(objects) => !here(objects).contains(&false),
            Operand::Anything => true,
        }
    }

    /// Returns whether a cell always holds one side of a condition.
    fn always_holds(&self, operand: &Operand, cell: usize) -> bool {
        let Turns { model, pressed: known, .. } = self.turns;
        let always = |objects: &Words, layer: u32| {
            let mut here =
                each_object(&model.layers[layer as usize]).filter(|&thing| known.has(cell, thing)).peekable();
            here.peek().is_some() && here.all(|thing| has(objects, thing))
        };
        let layer = |object: u32| model.layer_of[object as usize];
        match operand {
            Operand::Any(objects) => each_object(objects).filter_map(layer).any(|layer| always(objects, layer)),
            Operand::All(objects) => {
                each_object(objects).all(|object| layer(object).is_some_and(|layer| always(&single(object), layer)))
            }
            Operand::Anything => true,
        }
    }
}

fn single(object: u32) -> Words {
    Words::from([(object / 64, 1 << (object % 64))])
}

/// Returns sets of objects of which a cell that holds one side of a condition holds some object each.
fn sets(operand: &Operand) -> Vec<Words> {
    match operand {
        Operand::Any(objects) => vec![objects.clone()],
        Operand::All(objects) => each_object(objects).map(single).collect(),
        Operand::Anything => Vec::new(),
    }
}

/// Returns the set of objects any of which is one side of a condition, if it is such a set.
fn single_set(operand: &Operand) -> Option<Words> {
    Some(sets(operand)).filter(|sets| sets.len() == 1)?.pop()
}
