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
    cells: usize,
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
    cells: usize,
    /// For each token, the presses to each cell.
    of: Vec<u32>,
    /// For each cell, the presses until a token that is not on the board yet may be there.
    appear: Vec<u32>,
    /// If each cell needs a token of its own: for each token, the presses to the nearest of the cells.
    nearest: Option<Vec<u32>>,
}

impl Each {
    fn new(cells: &[Distances], conserved: bool) -> Each {
        let tokens = cells.first().map_or(0, |distances| distances.of.len());
        let of_token = |token: usize| cells.iter().map(move |distances| distances.of[token]);
        Each {
            cells: cells.len(),
            of: (0..tokens).flat_map(of_token).collect(),
            appear: cells.iter().map(|distances| distances.appear).collect(),
            nearest: conserved.then(|| (0..tokens).map(|token| of_token(token).min().unwrap_or(NEVER)).collect()),
        }
    }

    fn of(&self, token: u32) -> &[u32] {
        &self.of[token as usize * self.cells..][..self.cells]
    }

    /// Returns the presses of the tokens that are nearest to cells, as many as there are cells: the greatest, and the sum.
    /// None if there are too few. These are no more than those of any assignment of tokens to cells.
    fn of_nearest(&self, tokens: &[u32], sorted: &mut Vec<u32>) -> Option<(u32, u32)> {
        let Some(nearest) = &self.nearest else { return Some((0, 0)) };
        sorted.clear();
        sorted.extend(tokens.iter().map(|&token| nearest[token as usize]).filter(|&presses| presses != NEVER));
        sorted.sort_unstable();
        let needed = sorted.get(..self.cells)?;
        Some((needed.last().copied().unwrap_or(0), needed.iter().sum()))
    }

    /// Returns the greatest presses of a cell, with delays of the tokens, and the sum of the presses of all cells without
    /// them, each for the token that needs the fewest.
    fn of_cells(&self, tokens: &[u32], buffers: &mut (Vec<u32>, Vec<u32>), delays: &[u32]) -> (u32, u32) {
        let (alone, delayed) = buffers;
        alone.clone_from(&self.appear);
        delayed.clone_from(&self.appear);
        for (&token, &delay) in tokens.iter().zip(delays) {
            for ((alone, delayed), &presses) in alone.iter_mut().zip(&mut *delayed).zip(self.of(token)) {
                *alone = presses.min(*alone);
                *delayed = later(delay, presses).min(*delayed);
            }
        }
        let sum = alone.iter().fold(0_u32, |sum, &presses| sum.saturating_add(presses));
        (delayed.iter().copied().max().unwrap_or(0), sum)
    }
}

/// Returns the presses until a token is where it should be, if it can change only after a delay.
fn later(delay: u32, presses: u32) -> u32 {
    if presses == 0 { 0 } else { delay.saturating_add(presses) }
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

/// How many tokens may change in a press, and when.
struct Pace {
    /// The most tokens that may change in a press, if that is known.
    most: Option<u32>,
    /// See [`Movers::chains`].
    chains: bool,
    players: Scan,
    /// For each token of players and each cell, the presses before one in which a token in the cell may change.
    delays: Vec<u32>,
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
    delays: Vec<u32>,
    sorted: Vec<u32>,
    cells: (Vec<u32>, Vec<u32>),
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
        let mut bounds = Bounds { parts, cells: known.width * known.height, guide: false };
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
        let part = |part: &Part| {
            let need = match &part.need {
                Need::Every(distances) | Need::Some(distances) => 4 * distances.of.len() as u64,
                Need::Each(each) => 4 * each.of.len() as u64,
            };
            need + part.pace.as_ref().map_or(0, |pace| 4 * pace.delays.len() as u64)
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
                Need::Each(each) => format!("{names} for {} cells", each.cells),
            };
            match part.pace.as_ref().map(|pace| pace.most) {
                Some(Some(most)) => format!("{need}, at most {most} in a press"),
                Some(None) => format!("{need}, beside a player"),
                None => need,
            }
        };
        self.parts.iter().map(part).collect::<Vec<_>>().join("; ")
    }

    fn part(&self, part: &Part, board: &[u64], buffers: &mut Buffers) -> Option<u32> {
        let Buffers { tokens, players, delays, sorted, cells } = buffers;
        part.scan.tokens(board, tokens);
        delays.clear();
        match &part.pace {
            None => delays.resize(tokens.len(), 0),
            Some(pace) => {
                pace.players.tokens(board, players);
                delays.extend(tokens.iter().map(|&token| {
                    let cell = token as usize / part.scan.objects;
                    let of = players.iter().map(|&player| pace.delays[player as usize * self.cells + cell]);
                    of.min().unwrap_or(NEVER)
                }));
            }
        }
        let shortest = delays.iter().copied().min().unwrap_or(NEVER);
        if part.pace.as_ref().is_some_and(|pace| pace.chains) {
            delays.fill(shortest);
        }
        let (mut most, mut sum) = (0, 0_u32);
        match &part.need {
            Need::Every(distances) => {
                for (&token, &delay) in tokens.iter().zip(&*delays) {
                    let presses = distances.of[token as usize];
                    most = later(delay, presses).max(most);
                    sum = sum.saturating_add(presses);
                }
            }
            Need::Some(distances) => {
                most = tokens.iter().fold(distances.appear, |least, &token| least.min(distances.of[token as usize]));
            }
            Need::Each(each) => {
                let (greatest, of_nearest) = each.of_nearest(tokens, sorted)?;
                let (of_cell, of_cells) = each.of_cells(tokens, cells, delays);
                (most, sum) = (greatest.max(of_cell), of_nearest.max(of_cells));
            }
        }
        if let Some(at_once) = part.pace.as_ref().and_then(|pace| pace.most) {
            most = most.max(later(shortest, sum.div_ceil(at_once)));
        }
        // The sum of a few distances and of one that is never.
        (most < NEVER / 2).then_some(most)
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
        let pace = if tokens.conserved { self.pace(&tokens) } else { None };
        self.part(&tokens, set, Need::Each(Each::new(&cells, tokens.conserved)), pace)
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
            Need::Each(each) => {
                at_start.is_empty() || possible.iter().any(|&token| each.of(token).iter().any(|&presses| presses > 0))
            }
        };
        let has_dead_ends = possible.iter().any(|&token| match &need {
            Need::Every(distances) | Need::Some(distances) => distances.of[token as usize] == NEVER,
            Need::Each(each) => each.of(token).iter().all(|&presses| presses == NEVER),
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
        let Movers { most, vectors, chains, before_press } =
            Movers::new(self.turns, self.program.inputs(), &players, tokens)?;
        let graph = players.graph(false);
        // For each cell, the presses until a player is there.
        let walk = |cell: usize| {
            if (self.turns.should_stop)() {
                return None;
            }
            let nodes = self.goal_nodes(&players, |other| other == cell);
            Some(graph.distances(|node| nodes[node as usize], !before_press))
        };
        let walks: Vec<Distances> = self.cells().map(walk).collect::<Option<_>>()?;
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
                walk if !before_press => walk.saturating_sub(1),
                walk => walk,
            }
        };
        let players = players.nodes().count();
        let delays = (0..players).flat_map(|player| self.cells().map(move |cell| (player, cell)));
        let delays = delays.map(|(player, cell)| delay(player, cell)).collect();
        let most = most.map(|most| most * at_start.len().max(1) as u32);
        Some(Pace { most, chains, players: scan, delays })
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
