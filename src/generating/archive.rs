//! What a run has found so far: an archive of the best candidates of each kind (MAP-Elites: Mouret and Clune 2015), the
//! levels that are as wanted, and the candidate that comes nearest. It is all that a later run needs to go on.

use super::alike::Images;
use super::level::Level;
use crate::domain::SplitMix64;
use crate::puzzle::Band;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The rounds without anything new after which a run gives up.
const MOST_IDLE: u64 = 100;

/// The rounds after which the levels need not reach both ends of the range of costs.
const MOST_SPREADING: u64 = 64;

/// Levels of a collection differ in this share of their cells that are not empty, where there are enough of them.
const LEAST_DIFFERENCE: f64 = 0.5;

/// The most levels of about the same difficulty that are kept beyond those wanted.
const SPARE: usize = 20;

/// The kind of a candidate: its cost, its difficulty, its branching and its dead ends, each in steps.
type Kind = [i64; 4];

/// The state of a run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Archive {
    /// The next round.
    pub round: u64,
    /// The candidates that were looked at.
    pub tried: u64,
    /// Those without the wanted outcome, or without a known one.
    pub hopeless: u64,
    /// The round in which something new was found last.
    last: u64,
    /// The best candidate of each kind.
    #[serde(with = "pairs")]
    best: BTreeMap<Kind, Level>,
    /// Levels as wanted by difficulty, each with a random number that decides which of many are kept.
    kept: BTreeMap<i64, Vec<(u64, Level)>>,
    /// The numbers of levels as wanted, by cost rounded down.
    pub found: BTreeMap<u64, u64>,
    /// The keys of the levels found, by which no two are alike.
    known: BTreeSet<u64>,
    /// The candidate nearest to what is wanted.
    pub nearest: Option<Level>,
}

impl Archive {
    /// Adds a candidate. `key` is equal for levels that are alike; `temperature` is how much worse a candidate may be
    /// than the one it replaces (simulated annealing: Kirkpatrick, Gelatt and Vecchi 1983).
    pub fn add(&mut self, level: Level, key: Option<u64>, count: usize, temperature: f64, random: &mut SplitMix64) {
        let kind = kind_of(&level);
        let chance = random.below(1 << 32) as f64 / (1_u64 << 32) as f64;
        match self.best.get(&kind) {
            None => self.last = self.round,
            Some(other) if level.gap < other.gap => self.last = self.round,
            Some(other) if chance < ((other.gap - level.gap) / temperature).exp() => {}
            Some(_) => return self.take(level, key, count, random),
        }
        self.best.insert(kind, level.clone());
        self.take(level, key, count, random);
    }

    /// Keeps a level that is as wanted, unless it is like another one; otherwise notes it if it comes nearest.
    pub fn take(&mut self, level: Level, key: Option<u64>, count: usize, random: &mut SplitMix64) {
        if level.gap > 0.0 {
            if self.nearest.as_ref().is_none_or(|nearest| level.gap < nearest.gap) {
                self.nearest = Some(level);
            }
            return;
        }
        if key.is_some_and(|key| !self.known.insert(key)) {
            return;
        }
        self.last = self.round;
        *self.found.entry(level.cost.unwrap_or(0.0) as u64).or_default() += 1;
        let number = random.below(1 << 63);
        let levels = self.kept.entry((level.difficulty() * 4.0) as i64).or_default();
        let at = levels.partition_point(|(other, _)| *other < number);
        levels.insert(at, (number, level));
        levels.truncate(count + SPARE);
    }

    /// Returns the number of levels that are kept.
    pub fn kept(&self) -> usize {
        self.kept.values().map(Vec::len).sum()
    }

    /// Returns whether the levels reach both ends of the range of costs, or enough rounds were made.
    pub fn is_spread(&self, costs: Option<Band>) -> bool {
        let reaches = |costs: Band| {
            let near = (costs.most - costs.least) / 5.0;
            let ends = self.found.first_key_value().zip(self.found.last_key_value());
            ends.is_some_and(|((&first, _), (&last, _))| {
                first as f64 <= costs.least + near && last as f64 + 1.0 > costs.most - near
            })
        };
        self.round >= MOST_SPREADING || costs.is_some_and(reaches)
    }

    /// Returns the hardest level that is kept.
    pub fn hardest(&self) -> Option<&Level> {
        self.kept.values().next_back().and_then(|levels| levels.first().map(|(_, level)| level))
    }

    /// Returns whether nothing new was found for long.
    pub fn is_idle(&self) -> bool {
        self.round - self.last > MOST_IDLE
    }

    /// Draws a candidate to change, the best of three: those near to what is wanted more often.
    pub fn draw(&self, random: &mut SplitMix64) -> Option<&Level> {
        let kept = self.kept.values().filter_map(|levels| levels.first().map(|(_, level)| level));
        let all: Vec<&Level> = self.best.values().chain(kept).collect();
        let mut drawn: Vec<&Level> = Vec::new();
        for _ in 0..3.min(all.len()) {
            drawn.push(all[random.below(all.len() as u64) as usize]);
        }
        drawn.into_iter().min_by(|one, other| one.gap.total_cmp(&other.gap))
    }

    /// Returns this many levels, easy ones first, whose difficulties are spread evenly. Levels that differ little are
    /// taken only if there are no others. `images` returns the images of a board; boards without a drawing differ.
    pub fn chosen(&self, count: usize, images: &dyn Fn(&str) -> Option<Images>) -> Vec<Level> {
        let mut all: Vec<&(u64, Level)> = self.kept.values().flatten().collect();
        all.sort_by(|(one, first), (other, second)| {
            first.difficulty().total_cmp(&second.difficulty()).then(one.cmp(other))
        });
        let (Some(least), Some(most)) = (all.first(), all.last()) else { return Vec::new() };
        let (least, most) = (least.1.difficulty(), most.1.difficulty());
        let mut left: Vec<(&Level, Option<Images>, bool)> =
            all.into_iter().map(|(_, level)| (level, images(&level.board), false)).collect();
        let mut chosen: Vec<Level> = Vec::new();
        for number in 0..count.min(left.len()) {
            let wanted = least + (most - least) * number as f64 / (count.max(2) - 1) as f64;
            let away = |at: usize| (left[at].2, (left[at].0.difficulty() - wanted).abs());
            let order = |one: (bool, f64), other: (bool, f64)| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1));
            let Some(nearest) = (0..left.len()).min_by(|&one, &other| order(away(one), away(other))) else { break };
            let (level, own, _) = left.remove(nearest);
            for (_, other, is_near) in &mut left {
                let pair = own.as_ref().zip(other.as_ref());
                *is_near |= pair.is_some_and(|(own, other)| own.difference(other) < LEAST_DIFFERENCE);
            }
            chosen.push(level.clone());
        }
        chosen.sort_by(|one, other| one.difficulty().total_cmp(&other.difficulty()));
        chosen
    }
}

/// Returns the kind of a candidate.
fn kind_of(level: &Level) -> Kind {
    [
        level.cost.map_or(-1, |cost| (cost / 2.0) as i64),
        level.rating.map_or(-1, |rating| (rating * 2.0) as i64),
        (level.branching * 4.0) as i64,
        (level.dead * 8.0) as i64,
    ]
}

/// Writes a map as pairs: keys of JSON objects are text.
mod pairs {
    use super::{BTreeMap, Deserialize, Kind, Level, Serialize};
    use serde::{Deserializer, Serializer};

    pub fn serialize<S: Serializer>(map: &BTreeMap<Kind, Level>, to: S) -> Result<S::Ok, S::Error> {
        map.iter().collect::<Vec<_>>().serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<Kind, Level>, D::Error> {
        Ok(Vec::<(Kind, Level)>::deserialize(from)?.into_iter().collect())
    }
}
