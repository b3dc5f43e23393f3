//! Lower bounds on the presses that a level still needs, from its win conditions.
//!
//! Each condition asks something of tokens, the objects of one of its sides: that every one is at certain cells or gone,
//! that certain cells each get one, or that some token is at certain cells. Distances of single tokens ([`Tokens`]) bound
//! the presses from below, by their maximum; where few tokens can change in one press ([`Movers`]), by their sum.

use super::facts::Known;
use super::model::Model;
use super::movers::Movers;
use super::tokens::{Distances, NEVER, Tokens, Turns};
use crate::game::{Command, Quantifier};
use crate::program::{Condition, Operand, Program, Words};
use crate::turn::places::{bits_of, each_object};

/// The most distances in the tables of one condition.
const MOST_ENTRIES: usize = 1 << 22;

/// Lower bounds for a level.
pub struct Bounds {
    parts: Vec<Part>,
    width: usize,
    height: usize,
    guide: bool,
}

/// What a condition asks of tokens.
struct Part {
    /// The objects, by their names.
    names: String,
    scan: Scan,
    need: Need,
    /// Few tokens change in a press.
    pace: Option<Pace>,
    /// A token may get where it never is where it should be any more.
    has_dead_ends: bool,
}

enum Need {
    /// Every token has this many presses before it.
    Every(Distances),
    /// Some token.
    Some(Distances),
    /// Each of some cells needs a token.
    Each(Each),
}

/// Cells that need a token each.
struct Each {
    cells: Vec<Distances>,
    /// If each cell needs a token of its own: for each token, the presses to the nearest of the cells.
    nearest: Option<Vec<u32>>,
}

impl Each {
    /// Returns the presses of the tokens that are nearest to cells, as many as there are cells: the greatest, and the sum.
    /// None if there are too few. These are no more than those of any assignment of tokens to cells.
    fn of_nearest(&self, tokens: &[u32], sorted: &mut Vec<u32>) -> Option<(u32, u32)> {
        let Some(nearest) = &self.nearest else { return Some((0, 0)) };
        sorted.clear();
        sorted.extend(tokens.iter().map(|&token| nearest[token as usize]).filter(|&presses| presses != NEVER));
        sorted.sort_unstable();
        let needed = sorted.get(..self.cells.len())?;
        Some((needed.last().copied().unwrap_or(0), needed.iter().sum()))
    }
}

/// Where tokens are on a board.
struct Scan {
    /// Words of the board that may hold tokens, with their bits.
    words: Vec<(usize, u64)>,
    object_words: usize,
    /// The index of each object of the set.
    index: Vec<u32>,
    objects: usize,
}

/// How many tokens may change, and where players have to be.
struct Pace {
    movers: Movers,
    players: Scan,
    /// For each cell, the presses until a player is there: before a press if [`Movers::before_press`] is true, otherwise
    /// the first press in which it is.
    walks: Vec<Distances>,
}

impl Scan {
    fn new(program: &Program, known: &Known, objects: &Words) -> Scan {
        let object_words = program.object_words;
        let mut index = vec![0; object_words * 64];
        let mut count = 0;
        for object in each_object(objects) {
            index[object as usize] = count;
            count += 1;
        }
        let mut words = Vec::new();
        for cell in 0..known.width * known.height {
            for &(word, bits) in objects {
                let here = bits_of(bits).filter(|bit| known.has(cell, word * 64 + bit));
                let mask = here.fold(0, |mask, bit| mask | 1 << bit);
                if mask != 0 {
                    words.push((cell * object_words + word as usize, mask));
                }
            }
        }
        Scan { words, object_words, index, objects: count as usize }
    }

    /// Adds the tokens of a board.
    fn tokens(&self, board: &[u64], tokens: &mut Vec<u32>) {
        tokens.clear();
        for &(word, mask) in &self.words {
            for bit in bits_of(board[word] & mask) {
                let object = word % self.object_words * 64 + bit as usize;
                tokens.push((word / self.object_words * self.objects) as u32 + self.index[object]);
            }
        }
    }
}

/// Buffers for bounds.
#[derive(Default)]
pub struct Buffers {
    tokens: Vec<u32>,
    players: Vec<u32>,
    reach: Vec<u32>,
    sorted: Vec<u32>,
}

impl Bounds {
    /// Finds bounds for a level of a program; none if there are none, or the work must stop.
    pub(super) fn new(
        program: &Program,
        model: &Model,
        known: &Known,
        start: &[u64],
        should_stop: &dyn Fn() -> bool,
    ) -> Option<Bounds> {
        let has = |command: &Command| program.rules().any(|rule| rule.commands.contains(command));
        if has(&Command::Win) || has(&Command::Restart) {
            return None;
        }
        let quiet = if has(&Command::Again) { Some(known.quiet(program, model, should_stop)?) } else { None };
        let turns = Turns { model, pressed: known, quiet: quiet.as_ref(), should_stop };
        let builder = Builder { program, turns: &turns, start };
        let parts: Vec<Part> = program.conditions.iter().flat_map(|condition| builder.parts(condition)).collect();
        if parts.is_empty() || should_stop() {
            return None;
        }
        let mut bounds = Bounds { parts, width: known.width, height: known.height, guide: false };
        let at_start = bounds.of(start, &mut Buffers::default());
        bounds.guide = at_start.is_none_or(|bound| bound > 1) || bounds.parts.iter().any(|part| part.has_dead_ends);
        Some(bounds)
    }

    /// Returns a lower bound on the presses that a board needs to be won, none if it never is.
    #[must_use]
    pub fn of(&self, board: &[u64], buffers: &mut Buffers) -> Option<u32> {
        let mut most = 0;
        for part in &self.parts {
            most = most.max(self.part(part, board, buffers)?);
        }
        Some(most)
    }

    /// Returns whether the bounds tell states apart: that of the board before the first press is more than a press, or an
    /// object may get where it can never do what is asked of it.
    #[must_use]
    pub fn guide(&self) -> bool {
        self.guide
    }

    /// Returns the bytes of the tables.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let of = |tables: &[Distances]| tables.iter().map(|distances| 4 * distances.of.len() as u64).sum::<u64>();
        let part = |part: &Part| {
            let need = match &part.need {
                Need::Every(distances) | Need::Some(distances) => of(std::slice::from_ref(distances)),
                Need::Each(each) => of(&each.cells),
            };
            need + part.pace.as_ref().map_or(0, |pace| of(&pace.walks))
        };
        self.parts.iter().map(part).sum()
    }

    /// Describes the bounds.
    #[must_use]
    pub fn describe(&self) -> String {
        let part = |part: &Part| {
            let names = &part.names;
            let need = match &part.need {
                Need::Every(_) => format!("every {names}"),
                Need::Some(_) => format!("some {names}"),
                Need::Each(each) => format!("{names} for {} cells", each.cells.len()),
            };
            match part.pace.as_ref().map(|pace| pace.movers.most) {
                Some(Some(most)) => format!("{need}, at most {most} in a press"),
                Some(None) => format!("{need}, beside a player"),
                None => need,
            }
        };
        self.parts.iter().map(part).collect::<Vec<_>>().join("; ")
    }

    fn part(&self, part: &Part, board: &[u64], buffers: &mut Buffers) -> Option<u32> {
        let Buffers { tokens, players, reach, sorted } = buffers;
        part.scan.tokens(board, tokens);
        let (mut most, mut least_sum) = (0, 0);
        if let Need::Each(each) = &part.need {
            (most, least_sum) = each.of_nearest(tokens, sorted)?;
        }
        let Some(pace) = &part.pace else {
            let least = |distances: &Distances| {
                tokens.iter().fold(distances.appear, |least, &token| least.min(distances.of[token as usize]))
            };
            let other = match &part.need {
                Need::Every(distances) => tokens.iter().map(|&token| distances.of[token as usize]).max(),
                Need::Some(distances) => Some(least(distances)),
                Need::Each(each) => each.cells.iter().map(least).max(),
            };
            most = most.max(other.unwrap_or(0));
            return (most != NEVER).then_some(most);
        };
        pace.players.tokens(board, players);
        reach.clear();
        reach.extend(tokens.iter().map(|&token| self.reach(part, pace, players, token)));
        let nearest = reach.iter().copied().min().unwrap_or(NEVER);
        // The presses until a token is where it should be: its own, and before them those until it can change.
        let after = |reach: u32, presses: u32| match presses {
            0 => 0,
            _ if pace.movers.before_press => reach.saturating_add(presses),
            _ => reach.max(1).saturating_add(presses - 1),
        };
        let own = |index: usize| if pace.movers.chains { nearest } else { reach[index] };
        let mut sum = 0_u32;
        let mut add = |with_walk: u32, alone: u32| {
            most = most.max(with_walk);
            sum = sum.saturating_add(alone);
        };
        let all = || tokens.iter().enumerate();
        match &part.need {
            Need::Some(_) => {}
            Need::Every(distances) => all().for_each(|(index, &token)| {
                let presses = distances.of[token as usize];
                add(after(own(index), presses), presses);
            }),
            Need::Each(each) => each.cells.iter().for_each(|distances| {
                let presses = |token: u32| distances.of[token as usize];
                let with_walk = all().map(|(index, &token)| after(own(index), presses(token))).min();
                let alone = tokens.iter().map(|&token| presses(token)).min();
                add(with_walk.unwrap_or(NEVER), alone.unwrap_or(NEVER));
            }),
        }
        if let Some(at_once) = pace.movers.most {
            most = most.max(after(nearest, sum.max(least_sum).div_ceil(at_once)));
        }
        (most < NEVER / 2).then_some(most)
    }

    /// Returns the presses until a player is where a token may change.
    fn reach(&self, part: &Part, pace: &Pace, players: &[u32], token: u32) -> u32 {
        let cell = token as usize / part.scan.objects;
        let (x, y) = ((cell / self.height) as isize, (cell % self.height) as isize);
        let mut least = NEVER;
        for &(columns, rows) in &pace.movers.vectors {
            let (x, y) = (x - columns, y - rows);
            if (0..self.width as isize).contains(&x) && (0..self.height as isize).contains(&y) {
                let walks = &pace.walks[x as usize * self.height + y as usize];
                least = players.iter().fold(least, |least, &player| least.min(walks.of[player as usize]));
            }
        }
        least
    }
}

/// Makes the parts of a level's bounds.
struct Builder<'a> {
    program: &'a Program,
    turns: &'a Turns<'a>,
    start: &'a [u64],
}

impl Builder<'_> {
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
                let here = sets(what).into_iter().filter_map(|set| self.some(&set, |cell| self.may_hold(on, cell)));
                let there = sets(on).into_iter().filter_map(|set| self.some(&set, |cell| self.may_hold(what, cell)));
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
        let tokens = Tokens::new(self.turns, set);
        let nodes = self.goal_nodes(&tokens, goal);
        let distances = tokens.graph(true).distances(|node| nodes[node as usize], false);
        let pace = if tokens.merges { None } else { self.pace(&tokens) };
        self.part(&tokens, set, Need::Every(distances), pace)
    }

    /// Some token must be at a goal.
    fn some(&self, set: &Words, goal: impl Fn(usize) -> bool) -> Option<Part> {
        let tokens = Tokens::new(self.turns, set);
        let nodes = self.goal_nodes(&tokens, goal);
        let distances = tokens.graph(false).distances(|node| nodes[node as usize], false);
        self.part(&tokens, set, Need::Some(distances), None)
    }

    /// Each of some cells must get a token.
    fn each(&self, set: &Words, cells: &[usize]) -> Option<Part> {
        let tokens = Tokens::new(self.turns, set);
        if cells.is_empty() || cells.len() * tokens.nodes().count() > MOST_ENTRIES {
            return None;
        }
        let graph = tokens.graph(false);
        let to = |&goal: &usize| {
            if (self.turns.should_stop)() {
                return None;
            }
            let nodes = self.goal_nodes(&tokens, |cell| cell == goal);
            Some(graph.distances(|node| nodes[node as usize], false))
        };
        let cells: Vec<Distances> = cells.iter().map(to).collect::<Option<_>>()?;
        let nearest = tokens.conserved.then(|| {
            let of = |node: usize| cells.iter().map(|distances| distances.of[node]).min().unwrap_or(NEVER);
            (0..tokens.nodes().count()).map(of).collect()
        });
        let pace = if tokens.conserved { self.pace(&tokens) } else { None };
        self.part(&tokens, set, Need::Each(Each { cells, nearest }), pace)
    }

    fn goal_nodes(&self, tokens: &Tokens, goal: impl Fn(usize) -> bool) -> Vec<bool> {
        tokens.nodes().map(|(cell, _, _)| goal(cell)).collect()
    }

    /// Returns a part, none if its bound is 0 on every board.
    fn part(&self, tokens: &Tokens, set: &Words, need: Need, pace: Option<Pace>) -> Option<Part> {
        let possible: Vec<u32> =
            tokens.nodes().filter(|&(cell, object, _)| self.turns.pressed.has(cell, object)).map(|at| at.2).collect();
        let (scan, mut at_start) = (Scan::new(self.program, self.turns.pressed, set), Vec::new());
        scan.tokens(self.start, &mut at_start);
        let is_far = |distances: &Distances| possible.iter().any(|&token| distances.of[token as usize] > 0);
        let is_useful = match &need {
            Need::Every(distances) => is_far(distances),
            Need::Some(distances) => at_start.is_empty() || is_far(distances),
            Need::Each(each) => at_start.is_empty() || each.cells.iter().any(is_far),
        };
        let has_dead_ends = possible.iter().any(|&token| {
            let never = |distances: &Distances| distances.of[token as usize] == NEVER;
            match &need {
                Need::Every(distances) | Need::Some(distances) => never(distances),
                Need::Each(each) => each.cells.iter().all(never),
            }
        });
        let names: Vec<&str> =
            each_object(set).map(|object| self.program.object_names[object as usize].as_str()).collect();
        is_useful.then_some(Part { names: names.join(" or "), scan, need, pace, has_dead_ends })
    }

    fn pace(&self, tokens: &Tokens) -> Option<Pace> {
        let player = &self.program.player;
        if player.all && each_object(&player.objects).nth(1).is_some() {
            return None;
        }
        let players = Tokens::new(self.turns, &player.objects);
        if !players.conserved || players.nodes().count() * self.cells().len() > MOST_ENTRIES {
            return None;
        }
        let scan = Scan::new(self.program, self.turns.pressed, &player.objects);
        let mut at_start = Vec::new();
        scan.tokens(self.start, &mut at_start);
        let mut movers = Movers::new(self.turns, self.program.inputs(), &players, tokens)?;
        movers.most = movers.most.map(|most| most * at_start.len().max(1) as u32);
        let graph = players.graph(false);
        let walk = |cell: usize| {
            if (self.turns.should_stop)() {
                return None;
            }
            let nodes = self.goal_nodes(&players, |other| other == cell);
            Some(graph.distances(|node| nodes[node as usize], !movers.before_press))
        };
        let walks = self.cells().map(walk).collect::<Option<_>>()?;
        Some(Pace { movers, players: scan, walks })
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
            here.peek().is_some() && here.all(|thing| super::model::has(objects, thing))
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
