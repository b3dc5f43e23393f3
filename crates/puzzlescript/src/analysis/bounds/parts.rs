//! Parts of a bound: what a condition, or a rule that wins, asks of the tokens of a set.

use super::super::known::Known;
use super::super::tokens::{Distances, NEVER};
use crate::mask::bits_of;
use crate::program::{Program, Words};
use crate::turn::places::each_object;

/// A demand of a condition on tokens.
pub(super) struct Part {
    /// The names of the objects.
    pub names: Vec<String>,
    /// The layer of the object in front.
    pub layer: usize,
    /// The origin of the demand, as words of an explanation that end in *asks*.
    pub asked_by: &'static str,
    pub scan: Scan,
    pub need: Need,
    /// Players beside tokens change them, or let them move.
    pub pace: Option<Pace>,
    /// Few tokens change in a press.
    pub sum: Option<Sum>,
    /// A token may get where it never is where it should be any more.
    pub has_dead_ends: bool,
}

pub(super) enum Need {
    /// Every token has this many presses before it.
    Every(Distances),
    /// Some token.
    Some(Distances),
    /// Each of some cells needs a token.
    Each(Each),
}

/// Cells that need a token each.
pub(super) struct Each {
    cells: usize,
    /// The cells on the board.
    places: Vec<usize>,
    /// For each token, the presses to each cell.
    of: Vec<u32>,
    /// For each cell, the presses until a token that is not on the board yet may be there.
    appear: Vec<u32>,
    /// For each token, the presses to the nearest of the cells, if each cell needs a token of its own.
    nearest: Option<Vec<u32>>,
}

impl Each {
    pub fn new(places: &[usize], cells: &[Distances], conserved: bool) -> Each {
        let tokens = cells.first().map_or(0, |distances| distances.of.len());
        let of_token = |token: usize| cells.iter().map(move |distances| distances.of[token]);
        Each {
            cells: cells.len(),
            places: places.to_vec(),
            of: (0..tokens).flat_map(of_token).collect(),
            appear: cells.iter().map(|distances| distances.appear).collect(),
            nearest: conserved.then(|| (0..tokens).map(|token| of_token(token).min().unwrap_or(NEVER)).collect()),
        }
    }

    /// Returns the number of cells that need a token.
    pub fn cells(&self) -> usize {
        self.cells
    }

    pub fn of(&self, token: u32) -> &[u32] {
        &self.of[token as usize * self.cells..][..self.cells]
    }

    /// Returns the presses of the tokens that are nearest to cells, as many as there are cells: the greatest, and the
    /// sum. None if there are too few. These are no more than those of any assignment of tokens to cells.
    fn of_nearest(&self, tokens: &[u32], sorted: &mut Vec<u32>) -> Option<(u32, u32)> {
        let Some(nearest) = &self.nearest else { return Some((0, 0)) };
        sorted.clear();
        sorted.extend(tokens.iter().map(|&token| nearest[token as usize]).filter(|&presses| presses != NEVER));
        sorted.sort_unstable();
        let needed = sorted.get(..self.cells)?;
        Some((needed.last().copied().unwrap_or(0), needed.iter().sum()))
    }

    /// Returns the greatest presses of a cell, with delays of the tokens, and the sum of the presses of all cells
    /// without them, each for the token that needs the fewest.
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

/// A search for the tokens of a board.
pub(super) struct Scan {
    /// Words of the board that may hold tokens, with their bits.
    words: Vec<(usize, u64)>,
    object_words: usize,
    cells: usize,
    /// The index of each object of the set.
    index: Vec<u32>,
    objects: usize,
}

/// The pace at which tokens may change.
pub(super) struct Pace {
    /// A token that moves may let others move.
    pub chains: bool,
    pub delays: Delays,
}

/// Presses before players change tokens.
pub(super) struct Delays {
    pub players: Scan,
    /// For each token of players and each cell, the presses before one in which a token in the cell may change.
    pub table: Vec<u32>,
}

impl Delays {
    /// Returns the presses for one cell.
    fn of(&self, players: &[u32], cell: usize) -> u32 {
        let of = players.iter().map(|&player| self.table[player as usize * self.players.cells + cell]);
        of.min().unwrap_or(NEVER)
    }
}

/// A bound on the tokens that may change in a press.
pub(super) struct Sum {
    /// The most tokens that may change in a press.
    pub most: u32,
    /// The sum of needs if only changes by players count, and the presses before the first of them, if tokens wait for
    /// it where they are.
    pub by_players: Option<(Need, Option<Delays>)>,
}

impl Scan {
    pub fn new(program: &Program, known: &Known, objects: &Words) -> Scan {
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
        Scan { words, object_words, cells: known.width * known.height, index, objects: count as usize }
    }

    /// Adds the tokens of a board.
    pub fn tokens(&self, board: &[u64], tokens: &mut Vec<u32>) {
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
    assigned: Assigned,
}

/// Buffers for tokens and the cells that need them.
#[derive(Default)]
struct Assigned {
    sorted: Vec<u32>,
    cells: (Vec<u32>, Vec<u32>),
}

impl Need {
    /// Returns the greatest presses of a token or a cell, after delays of the tokens, and the sum of all of them
    /// without delays. None if too few tokens are left.
    fn of(&self, tokens: &[u32], delays: &[u32], buffers: &mut Assigned) -> Option<(u32, u32)> {
        match self {
            Need::Every(distances) => {
                let (mut most, mut sum) = (0, 0_u32);
                for (&token, &delay) in tokens.iter().zip(delays) {
                    let presses = distances.of[token as usize];
                    most = later(delay, presses).max(most);
                    sum = sum.saturating_add(presses);
                }
                Some((most, sum))
            }
            Need::Some(distances) => {
                let nearest = tokens.iter().map(|&token| distances.of[token as usize]);
                Some((nearest.fold(distances.appear, u32::min), 0))
            }
            Need::Each(each) => {
                let (greatest, of_nearest) = each.of_nearest(tokens, &mut buffers.sorted)?;
                let (of_cell, of_cells) = each.of_cells(tokens, &mut buffers.cells, delays);
                Some((greatest.max(of_cell), of_nearest.max(of_cells)))
            }
        }
    }

    fn bytes(&self) -> u64 {
        match self {
            Need::Every(distances) | Need::Some(distances) => 4 * distances.of.len() as u64,
            Need::Each(each) => 4 * each.of.len() as u64,
        }
    }
}

impl Part {
    /// Returns a lower bound on the presses that a board needs until this part is met, none if it never is.
    pub fn of(&self, board: &[u64], buffers: &mut Buffers) -> Option<u32> {
        let Buffers { tokens, players, delays, assigned } = buffers;
        self.scan.tokens(board, tokens);
        let cell = |token: u32| token as usize / self.scan.objects;
        delays.clear();
        match &self.pace {
            None => delays.resize(tokens.len(), 0),
            Some(pace) => {
                pace.delays.players.tokens(board, players);
                delays.extend(tokens.iter().map(|&token| pace.delays.of(players, cell(token))));
            }
        }
        let mut shortest = delays.iter().copied().min().unwrap_or(NEVER);
        if self.pace.as_ref().is_some_and(|pace| pace.chains) {
            delays.fill(shortest);
        }
        let (mut most, mut sum) = self.need.of(tokens, delays, assigned)?;
        if let Some(Sum { most: at_once, by_players }) = &self.sum {
            if let Some((need, before)) = by_players {
                delays.fill(0);
                sum = need.of(tokens, delays, assigned)?.1;
                shortest = before.as_ref().map_or(0, |before| {
                    before.players.tokens(board, players);
                    tokens.iter().map(|&token| before.of(players, cell(token))).min().unwrap_or(NEVER)
                });
            }
            most = most.max(later(shortest, sum.div_ceil(*at_once)));
        }
        // The sum of a few distances and of one that is never.
        (most < NEVER / 2).then_some(most)
    }

    /// Returns why a board never meets this part, if its bound proves that: which object, or how many of them.
    pub fn why_never(&self, board: &[u64], height: usize) -> Option<String> {
        let mut tokens = Vec::new();
        self.scan.tokens(board, &mut tokens);
        let place = |cell: usize| format!("row {}, column {}", cell % height + 1, cell / height + 1);
        let (names, by) = (self.names.join("` or `"), self.asked_by);
        match &self.need {
            Need::Every(distances) => {
                let token = *tokens.iter().find(|&&token| distances.of[token as usize] == NEVER)? as usize;
                let name = &self.names[token % self.scan.objects];
                let at = place(token / self.scan.objects);
                Some(format!("`{name}` at {at} never gets where {by} for it, and is never taken out"))
            }
            Need::Some(distances) => {
                let never = tokens.iter().all(|&token| distances.of[token as usize] == NEVER);
                (never && distances.appear == NEVER).then(|| format!("no `{names}` ever gets where {by} for it"))
            }
            Need::Each(each) => {
                let comes = |cell: usize| {
                    each.appear[cell] != NEVER || tokens.iter().any(|&token| each.of(token)[cell] != NEVER)
                };
                if let Some(cell) = (0..each.cells).find(|&cell| !comes(cell)) {
                    return Some(format!("no `{names}` ever gets to {}, where {by} for it", place(each.places[cell])));
                }
                let nearest = each.nearest.as_ref()?;
                let count = tokens.iter().filter(|&&token| nearest[token as usize] != NEVER).count();
                (count < each.cells).then(|| {
                    let cells = each.cells;
                    format!("{by} for `{names}` in {cells} cells, and no more than {count} ever get to one of them")
                })
            }
        }
    }

    /// Describes the part: its objects, and how many of them change in a press.
    pub fn describe(&self) -> String {
        let names = self.names.join(" or ");
        let need = match &self.need {
            Need::Every(_) => format!("every {names}"),
            Need::Some(_) => format!("some {names}"),
            Need::Each(each) => format!("{names} for {} cells", each.cells),
        };
        match (&self.sum, &self.pace) {
            (Some(Sum { most, by_players: None }), _) => format!("{need}, at most {most} in a press"),
            (Some(Sum { most, .. }), _) => format!("{need}, at most {most} changed by a player in a press"),
            (None, Some(_)) => format!("{need}, beside a player"),
            (None, None) => need,
        }
    }

    /// Returns the bytes of the tables.
    pub fn bytes(&self) -> u64 {
        let delays = |delays: &Delays| 4 * delays.table.len() as u64;
        let sum = self.sum.iter().filter_map(|sum| sum.by_players.as_ref());
        let sum: u64 = sum.map(|(need, before)| need.bytes() + before.as_ref().map_or(0, delays)).sum();
        self.need.bytes() + sum + self.pace.as_ref().map_or(0, |pace| delays(&pace.delays))
    }
}
