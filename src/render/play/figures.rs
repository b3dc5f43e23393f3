//! The appearance of positions, variable by variable: the figures that each value of a variable adds to the picture.
//!
//! They are learned from the engine's own pictures. One variable after the other takes each of its values, and what
//! differs between these pictures belongs to the variable. Whether the parts add up to the whole is then tried on
//! random positions. If they do not, as in a stack, whose height depends on all that is in it, the place of each figure
//! is learned as a sum over variables and pairs of variables, and tried again.

use crate::domain::Searchable;
use crate::domain::mechanics::{Mechanics, Moves};
use crate::picture::{Cell, Figure};
use crate::render::looks::{Placed, Wardrobe, rank};
use crate::search::{Limit, SplitMix64, Stop};

/// The greatest number of figures to look at.
const MOST_FIGURES: usize = 20_000_000;
/// The number of random positions to try.
const TRIALS: usize = 50;

/// The figures of all positions.
#[derive(Default)]
pub(super) struct Figures {
    /// The looks, from back to front: figures in the upper left corner.
    pub looks: Vec<Figure>,
    /// The figures that are in every position.
    pub fixed: Vec<Placed>,
    /// For each variable and each value of its domain, the figures of the value.
    pub of: Vec<Vec<Vec<Placed>>>,
    /// The figures whose places depend on several variables.
    pub loose: Vec<Loose>,
    /// For each object on a board that is rewritten, the number of its look, if it is seen.
    pub objects: Vec<Option<usize>>,
}

/// A figure that is in every position, in a place that depends on several variables.
pub(super) struct Loose {
    pub look: usize,
    /// The place at the start.
    pub at: Cell,
    /// Its displacements from there: for some variables with these values, a number of rows and columns.
    pub terms: Vec<(Vec<(usize, u32)>, Offset)>,
}

/// Rows down and columns to the right.
type Offset = (i64, i64);

/// The reason why figures are not known.
pub(super) enum NotDrawn {
    /// They cannot be drawn variable by variable.
    Refused(&'static str),
    /// A limit ended the work.
    Limit(Limit),
}

impl From<&'static str> for NotDrawn {
    fn from(reason: &'static str) -> NotDrawn {
        NotDrawn::Refused(reason)
    }
}

/// Ends the work at a limit.
fn check(stop: &Stop) -> Result<(), NotDrawn> {
    stop.now().map_or(Ok(()), |limit| Err(NotDrawn::Limit(limit)))
}

impl Figures {
    /// Learns the figures of a puzzle, or returns why they cannot be drawn variable by variable.
    pub fn new(start: &dyn Searchable, rules: &Mechanics, stop: &Stop) -> Result<Figures, NotDrawn> {
        let mut wardrobe = Wardrobe::default();
        let mut of: Vec<Vec<Vec<Placed>>> = Vec::new();
        if let Moves::Graph(nodes) = &rules.moves {
            of.push(nodes.iter().map(|node| wardrobe.placed(node.figures.clone())).collect());
            let fixed = split(&mut of[0]);
            return Ok(Figures { looks: wardrobe.looks, fixed, of, ..Figures::default() }.stacked());
        }
        if let Moves::Rewriting(game) = &rules.moves {
            let objects =
                game.looks.iter().map(|figure| figure.as_ref().map(|figure| wardrobe.number(figure))).collect();
            return Ok(Figures { looks: wardrobe.looks, objects, ..Figures::default() }.stacked());
        }
        let mut fixed = wardrobe.placed(start.figures(&rules.start));
        let values: usize = rules.domains.iter().map(Vec::len).sum();
        if values.saturating_mul(fixed.len().max(1)) > MOST_FIGURES {
            return Err("it has too many figures".into());
        }
        for (var, domain) in rules.domains.iter().enumerate() {
            let mut values = rules.start.clone();
            let mut picture = |&value: &u32| {
                check(stop)?;
                values[var] = value;
                Ok(wardrobe.placed(start.figures(&values)))
            };
            let mut own = domain.iter().map(&mut picture).collect::<Result<Vec<Vec<Placed>>, NotDrawn>>()?;
            split(&mut own);
            let at_start = domain.binary_search(&rules.start[var]).map_err(|_| "its start is not possible")?;
            let Some(rest) = without(&fixed, &own[at_start]) else { return Figures::loose(start, rules, stop) };
            fixed = rest;
            of.push(own);
        }
        let figures = Figures { fixed, of, ..Figures::default() };
        if !figures.add_up(start, rules, &mut wardrobe, stop)? {
            return Figures::loose(start, rules, stop);
        }
        Ok(Figures { looks: wardrobe.looks, ..figures }.stacked())
    }

    /// Learns the places of figures that depend on several variables. Each figure that moves must be in every position,
    /// and look like no other.
    fn loose(start: &dyn Searchable, rules: &Mechanics, stop: &Stop) -> Result<Figures, NotDrawn> {
        let mut wardrobe = Wardrobe::default();
        let at_start = wardrobe.placed(start.figures(&rules.start));
        let changes: Vec<(usize, u32)> = (0..)
            .zip(&rules.domains)
            .flat_map(|(var, domain)| domain.iter().map(move |&value| (var, value)))
            .filter(|&(var, value)| rules.start[var] != value)
            .collect();
        if changes.len().saturating_mul(changes.len()).saturating_mul(at_start.len().max(1)) > MOST_FIGURES {
            return Err(TOGETHER.into());
        }
        let mut after = |some: &[(usize, u32)]| {
            check(stop)?;
            let mut values = rules.start.clone();
            some.iter().for_each(|&(var, value)| values[var] = value);
            Ok(wardrobe.placed(start.figures(&values)))
        };
        let single = changes.iter().map(|&change| after(&[change])).collect::<Result<Vec<Vec<Placed>>, NotDrawn>>()?;
        let mut pairs: Vec<(usize, usize, Vec<Placed>)> = Vec::new();
        for (one, &change) in changes.iter().enumerate() {
            let later = changes.iter().enumerate().skip(one + 1).filter(|(_, other)| other.0 != change.0);
            for (two, &other) in later {
                pairs.push((one, two, after(&[change, other])?));
            }
        }
        let (mut fixed, mut loose) = (Vec::new(), Vec::new());
        for &(look, at) in &at_start {
            let placed = (look, at);
            if single.iter().chain(pairs.iter().map(|(_, _, picture)| picture)).all(|all| all.contains(&placed)) {
                fixed.push(placed);
                continue;
            }
            let by = |picture: &[Placed]| -> Result<Offset, NotDrawn> {
                let mut here = picture.iter().filter(|(other, _)| *other == look);
                let (Some((_, to)), None) = (here.next(), here.next()) else { return Err(TOGETHER.into()) };
                Ok((to.0 as i64 - at.0 as i64, to.1 as i64 - at.1 as i64))
            };
            by(&at_start)?;
            let mut terms = Vec::new();
            let alone = single.iter().map(|picture| by(picture)).collect::<Result<Vec<Offset>, _>>()?;
            terms.extend(changes.iter().zip(&alone).map(|(&change, &by)| (vec![change], by)));
            for (one, two, picture) in &pairs {
                let both = by(picture)?;
                let rest = (both.0 - alone[*one].0 - alone[*two].0, both.1 - alone[*one].1 - alone[*two].1);
                terms.push((vec![changes[*one], changes[*two]], rest));
            }
            terms.retain(|(_, by)| *by != (0, 0));
            loose.push(Loose { look, at, terms });
        }
        let of = rules.domains.iter().map(|domain| vec![Vec::new(); domain.len()]).collect();
        let figures = Figures { fixed, of, loose, ..Figures::default() };
        if !figures.add_up(start, rules, &mut wardrobe, stop)? {
            return Err(TOGETHER.into());
        }
        Ok(Figures { looks: wardrobe.looks, ..figures }.stacked())
    }

    /// Returns whether the figures are those of the engine's pictures at random positions.
    fn add_up(
        &self,
        start: &dyn Searchable,
        rules: &Mechanics,
        wardrobe: &mut Wardrobe,
        stop: &Stop,
    ) -> Result<bool, NotDrawn> {
        let mut random = SplitMix64::new(25);
        for _ in 0..TRIALS {
            check(stop)?;
            let mut whole = self.fixed.clone();
            let mut values = Vec::new();
            for (domain, own) in rules.domains.iter().zip(&self.of) {
                let at = random.below(domain.len() as u64) as usize;
                values.push(domain[at]);
                whole.extend(&own[at]);
            }
            for Loose { look, at, terms } in &self.loose {
                let holds = |when: &[(usize, u32)]| when.iter().all(|&(var, value)| values[var] == value);
                let moved = terms.iter().filter(|(when, _)| holds(when));
                let (down, right) = moved.fold((0, 0), |sum, (_, by)| (sum.0 + by.0, sum.1 + by.1));
                let place = at.0.checked_add_signed(down as isize).zip(at.1.checked_add_signed(right as isize));
                let Some(place) = place else { return Ok(false) };
                whole.push((*look, place));
            }
            whole.sort_unstable();
            if wardrobe.placed(start.figures(&values)) != whole {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Sorts the looks from back to front: sprites by their numbers, then all others.
    fn stacked(mut self) -> Figures {
        let mut order: Vec<usize> = (0..self.looks.len()).collect();
        order.sort_by_key(|&look| rank(&self.looks[look]));
        let mut number = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, &old)| number[old] = new);
        self.looks = order.iter().map(|&old| self.looks[old].clone()).collect();
        let all = self.of.iter_mut().flatten().flatten().chain(&mut self.fixed);
        all.for_each(|(look, _)| *look = number[*look]);
        self.loose.iter_mut().for_each(|loose| loose.look = number[loose.look]);
        self.objects.iter_mut().flatten().for_each(|look| *look = number[*look]);
        self.of.iter_mut().flatten().for_each(|own| own.sort_unstable());
        self.fixed.sort_unstable();
        self
    }

    /// Returns the figures of the start.
    pub fn at_start(&self, rules: &Mechanics) -> Vec<Placed> {
        if let Moves::Rewriting(game) = &rules.moves {
            let look = |&object: &u32| self.objects[object as usize];
            let cell = |(cell, objects): (usize, &Vec<u32>)| {
                let at = (cell % game.size.1, cell / game.size.1);
                objects.iter().filter_map(look).map(move |look| (look, at)).collect::<Vec<_>>()
            };
            return game.board.iter().enumerate().flat_map(cell).collect();
        }
        let values = self.of.iter().zip(&rules.domains).zip(&rules.start);
        let own = values.filter_map(|((own, domain), value)| Some(&own[domain.binary_search(value).ok()?]));
        let loose = self.loose.iter().map(|loose| (loose.look, loose.at));
        self.fixed.iter().chain(own.flatten()).copied().chain(loose).collect()
    }

    /// Returns the numbers of rows and columns that all figures need.
    pub fn extent(&self) -> (usize, usize) {
        let all = self.of.iter().flatten().flatten().chain(&self.fixed);
        all.fold((0, 0), |most, &(look, at)| {
            let cells = &self.looks[look].cells;
            let far = |cell: fn(&Cell) -> usize| cells.iter().map(cell).max().unwrap_or(0) + 1;
            (most.0.max(at.0 + far(|cell| cell.0)), most.1.max(at.1 + far(|cell| cell.1)))
        })
    }
}

/// The reason if the parts do not add up.
const TOGETHER: &str = "its picture depends on several variables together";

/// Removes from sorted pictures what they have in common, and returns it.
fn split(pictures: &mut [Vec<Placed>]) -> Vec<Placed> {
    let Some((first, rest)) = pictures.split_first() else { return Vec::new() };
    let common = rest.iter().fold(first.clone(), |common, picture| {
        let mut left = picture.as_slice();
        let is_in = |placed: &Placed| {
            let skipped = left.partition_point(|other| other < placed);
            left = &left[skipped..];
            let found = left.first() == Some(placed);
            left = &left[usize::from(found)..];
            found
        };
        common.into_iter().filter(is_in).collect()
    });
    for picture in pictures {
        *picture = without(picture, &common).unwrap_or_default();
    }
    common
}

/// Returns a sorted picture without a part of it, or `None` if the part is not in it.
fn without(picture: &[Placed], part: &[Placed]) -> Option<Vec<Placed>> {
    let mut part = part.iter().peekable();
    let rest = picture.iter().filter(|placed| part.next_if_eq(placed).is_none()).copied().collect();
    part.next().is_none().then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pictures_have_in_common_is_split_off() {
        let mut pictures =
            vec![vec![(0, (0, 0)), (0, (0, 0)), (1, (0, 1))], vec![(0, (0, 0)), (1, (0, 1)), (2, (3, 3))]];
        assert_eq!(split(&mut pictures), [(0, (0, 0)), (1, (0, 1))]);
        assert_eq!(pictures, [vec![(0, (0, 0))], vec![(2, (3, 3))]]);
    }

    #[test]
    fn a_part_must_be_in_the_picture() {
        let picture = [(0, (0, 0)), (1, (0, 0)), (1, (0, 1))];
        assert_eq!(without(&picture, &[(1, (0, 0))]), Some(vec![(0, (0, 0)), (1, (0, 1))]));
        assert_eq!(without(&picture, &[(2, (0, 0))]), None);
    }
}
