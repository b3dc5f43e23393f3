//! A map of games: where pieces go, and where games are lost.

use super::RatingOptions;
use super::explored::Explored;
use super::moved::figures;
use super::player::{Games, Player};
use crate::picture::{Cell, Ground};
use crate::puzzle::Puzzle;
use crate::search::{Limit, Stats};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::time::Instant;

/// The games that are drawn, and the most moves of one.
const GAMES: usize = 10;
const MOST_STEPS: usize = 2_000;

/// Where pieces go in the games of learning players, cell by cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Heat {
    /// The number of columns.
    pub columns: usize,
    /// The ground of each cell.
    pub walls: Vec<bool>,
    /// How often a piece came to each cell.
    pub visits: Vec<u64>,
    /// How often the game was lost with that; `None` if no move loses a game, or the space has too many states.
    pub lost: Option<Vec<u64>>,
}

/// The cells to which a move takes figures, by their keys.
type Moved = Vec<(u64, Vec<Cell>)>;

impl Puzzle {
    /// Returns the map of some games; `None` if the puzzle has no picture.
    ///
    /// # Errors
    /// The limit that ended the games.
    pub fn heat(&self, options: &RatingOptions) -> Result<Option<Heat>, Limit> {
        let started = Instant::now();
        let left = || options.limits.remaining(&Stats::default(), started.elapsed());
        let (space, _) = self.space_of_players(&left())?;
        let Some(picture) = space.picture() else { return Ok(None) };
        let mut explored = Explored::new(&*space, options.most_states, &left())?;
        // In the order of the first time, so that the first state of each is known by then.
        let (mut numbers, mut made) = (FxHashMap::default(), Vec::new());
        let games = Games { count: GAMES, patience: MOST_STEPS, most_steps: MOST_STEPS };
        games.play(Player::Learning, &mut explored, options.seed, |from, to| {
            let number = *numbers.entry((from, to)).or_insert_with(|| {
                made.push((from, to, 0_u64));
                made.len() - 1
            });
            made[number].2 += 1;
        })?;
        let mut moves: Vec<(Moved, u64, bool)> = Vec::new();
        let mut shown = FxHashMap::from_iter([(0, figures(&*space))]);
        for (number, &(from, to, times)) in made.iter().enumerate() {
            explored.check(number)?;
            let Some(steps) = explored.states.step(from, to) else { continue };
            let mut steps = steps.into_iter().rev();
            let Some((_, last)) = steps.next() else { continue };
            let after = figures(&*last);
            let before = steps.next().map(|(_, before)| figures(&*before));
            let before = before.or_else(|| shown.get(&from).cloned()).unwrap_or_default();
            shown.entry(to).or_insert_with(|| after.clone());
            let is_still = |key: u64, at: Cell| before.iter().any(|old| old.key == key && old.at == at);
            let moved = after.iter().filter(|figure| !is_still(figure.key, figure.at));
            let cells = |at: Cell, cells: &[Cell]| cells.iter().map(|cell| (at.0 + cell.0, at.1 + cell.1)).collect();
            let moved = moved.map(|figure| (figure.key, cells(figure.at, &figure.cells))).collect();
            let costs = explored.costs.as_ref();
            let is_lost = |state: u32| costs.is_some_and(|costs| costs[state as usize].is_infinite());
            moves.push((moved, times, is_lost(to) && !is_lost(from)));
        }
        // The man of Sokoban takes part in all moves, and goes where the boxes were.
        let takes_part = |key: u64| moves.iter().all(|(moved, ..)| moved.iter().any(|(other, _)| *other == key));
        let first = moves.first().map_or(&[][..], |(moved, ..)| moved);
        let is_alone = moves.iter().all(|(moved, ..)| moved.len() < 2);
        let mover = first.iter().map(|(key, _)| *key).find(|&key| !is_alone && takes_part(key));
        let size = picture.rows * picture.columns;
        let (mut visits, mut lost) = (vec![0; size], vec![0; size]);
        for (moved, times, is_fatal) in &moves {
            for &(row, column) in moved.iter().filter(|(key, _)| Some(*key) != mover).flat_map(|(_, cells)| cells) {
                let cell = row * picture.columns + column;
                if row < picture.rows && column < picture.columns {
                    visits[cell] += times;
                    lost[cell] += if *is_fatal { *times } else { 0 };
                }
            }
        }
        let walls = picture.ground.iter().map(|ground| matches!(ground, Ground::Wall | Ground::Void)).collect();
        let lost = lost.iter().any(|&times| times > 0).then_some(lost);
        Ok(Some(Heat { columns: picture.columns, walls, visits, lost }))
    }
}

impl Heat {
    /// Draws a row of numbers as text: a digit a cell, 9 where the number is greatest, `.` for none, `#` for a wall.
    #[must_use]
    pub fn draw(&self, numbers: &[u64]) -> String {
        let most = numbers.iter().copied().max().unwrap_or(0).max(1);
        let mut text = String::new();
        for (row, walls) in numbers.chunks(self.columns.max(1)).zip(self.walls.chunks(self.columns.max(1))) {
            for (&number, &wall) in row.iter().zip(walls) {
                let _ = match (number, wall) {
                    (0, true) => write!(text, "#"),
                    (0, false) => write!(text, "."),
                    (number, _) => write!(text, "{}", (number * 9).div_ceil(most)),
                };
            }
            text.push('\n');
        }
        text
    }
}
