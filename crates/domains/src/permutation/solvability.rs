//! Decides whether the start is solvable: whether some permutation of the group maps it to a solved arrangement.
//!
//! Equal labels are interchangeable. So the permutation is searched level by level of the chain: the image of a level's
//! point must show the label of the point. If all labels are distinct, there is no choice; if many are equal, nearly
//! every choice works. In between, the number of choices is bounded.

use super::chain::Chain;
use super::images::{Place, compose, identity};
use super::number::Number;
use super::setup::{Label, Setup};
use super::structure::{Refined, Structure};
use crate::domain::BuildContext;
use std::cell::Cell;

/// The greatest number of choices that are tried.
const MOST_CHOICES: u64 = 1_000_000;

/// The result of the analysis before any search.
pub(super) struct Analysis {
    pub structure: Structure,
    /// The refined label of each place in the solved arrangement that the others are compared with, and at the start.
    /// The start can reach it if the start is solvable.
    pub solved: Vec<u32>,
    pub start: Vec<u32>,
    /// Likewise in the other solved arrangements that can be reached from the start, or perhaps can.
    pub others: Vec<Vec<u32>>,
    pub verdict: Verdict,
    /// The number of reachable positions, if it is known.
    pub states: Option<Number>,
    /// Places whose labels determine all other labels that occur once, in ascending order; `None` if this is unknown.
    pub base: Option<Vec<Place>>,
}

/// The solvability of the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Solvable,
    /// With the reason.
    Unsolvable(String),
    Unknown,
}

impl Analysis {
    /// Analyses a puzzle with these solved arrangements, the first of which a scramble starts from. Returns `None` if it
    /// was stopped.
    pub fn new(
        setup: &Setup,
        arrangements: &[Vec<Label>],
        known_solvable: bool,
        context: &BuildContext,
    ) -> Option<Analysis> {
        let places = setup.places();
        let generators: Vec<Vec<Place>> = setup.generators.iter().map(|generator| generator.image.clone()).collect();
        let structure = Structure::new(places, &generators);
        let mut refined = Refined::new();
        let first = structure.refine(&setup.solved, &mut refined);
        let start = structure.refine(&setup.start, &mut refined);
        let rest = arrangements.iter().skip(1).map(|arrangement| structure.refine(arrangement, &mut refined));
        let all: Vec<Vec<u32>> = std::iter::once(first).chain(rest).collect();
        let count = |position: &[u32]| {
            let mut copies = vec![0_i64; refined.len()];
            position.iter().for_each(|&label| copies[label as usize] += 1);
            copies
        };
        let build = |solved: &[u32]| {
            // Labels that occur once come first: they leave no choice. Places that others determine come last.
            let copies = count(solved);
            let mut points = identity(places);
            points.sort_by_key(|&place| {
                let kept = structure.orbits[structure.orbit_of[usize::from(place)] as usize].is_kept;
                (!kept, copies[solved[usize::from(place)] as usize])
            });
            Chain::new(places, &generators, &points, context)
        };
        let mut chain = build(&all[0]);
        let mut verdict = Verdict::Solvable;
        let mut chosen = 0;
        let met = arrangements.iter().position(|arrangement| *arrangement == setup.start);
        if let Some(met) = met {
            chosen = met;
        } else if !known_solvable {
            for (number, solved) in all.iter().enumerate() {
                let misplaced = |place| misplaced(&structure, setup, place);
                match decide(solved, &start, chain.as_ref(), misplaced, context) {
                    Verdict::Solvable => {
                        (verdict, chosen) = (Verdict::Solvable, number);
                        break;
                    }
                    Verdict::Unknown if verdict != Verdict::Unknown => (verdict, chosen) = (Verdict::Unknown, number),
                    Verdict::Unsolvable(reason) if number == 0 => verdict = Verdict::Unsolvable(reason),
                    Verdict::Unknown | Verdict::Unsolvable(_) => {}
                }
            }
        }
        if let (Verdict::Unsolvable(reason), true) = (&mut verdict, all.len() > 1) {
            *reason =
                format!("none of the {} solved arrangements can be reached; the first, because {reason}", all.len());
        }
        let solved = all[chosen].clone();
        if chosen > 0 {
            chain = build(&solved);
        }
        let copies = count(&solved);
        // An arrangement that perhaps cannot be reached might look like one that can, if the labels were reduced to a
        // base.
        let mut is_undecided = verdict == Verdict::Unknown;
        let mut is_reached = |other: &Vec<u32>| {
            if matches!(verdict, Verdict::Unsolvable(_)) || count(other) != copies {
                return false;
            }
            let Some(chain) = chain.as_ref().filter(|_| verdict == Verdict::Solvable) else {
                is_undecided = true;
                return true;
            };
            let answer = Matching::new(chain, &solved, other, context).search(None);
            is_undecided |= matches!(answer, Answer::TooMany);
            !matches!(answer, Answer::None(_))
        };
        let others = (0..).zip(&all).filter(|&(number, _)| number != chosen).map(|(_, other)| other);
        let others: Vec<Vec<u32>> = others.filter(|other| is_reached(other)).cloned().collect();
        let base = chain.as_ref().filter(|_| others.is_empty() || !is_undecided).map(|chain| {
            let moved = chain.levels.iter().filter(|level| level.orbit.len() > 1).map(|level| level.point);
            moved.filter(|&point| copies[solved[usize::from(point)] as usize] == 1).collect()
        });
        let symmetries = chain.as_ref().and_then(|chain| stabiliser_factors(chain, &solved, context));
        let states = chain.as_ref().zip(symmetries);
        let states = states.map(|(chain, symmetries)| symmetries.into_iter().fold(chain.order(), Number::over));
        let analysis = Analysis { structure, solved, start, others, verdict, states, base };
        context.ended().is_none().then_some(analysis)
    }
}

/// Decides whether a position can be solved by moving its labels to where another has them.
fn decide(
    solved: &[u32],
    start: &[u32],
    chain: Option<&Chain>,
    misplaced: impl Fn(usize) -> String,
    context: &BuildContext,
) -> Verdict {
    let mut surplus = vec![0_i64; solved.iter().chain(start).map(|&label| label as usize + 1).max().unwrap_or(0)];
    solved.iter().for_each(|&label| surplus[label as usize] += 1);
    start.iter().for_each(|&label| surplus[label as usize] -= 1);
    let too_often = (0..start.len()).find(|&place| surplus[start[place] as usize] < 0);
    if let Some(place) = too_often {
        return Verdict::Unsolvable(misplaced(place));
    }
    let Some(chain) = chain else { return Verdict::Unknown };
    match Matching::new(chain, solved, start, context).search(None) {
        Answer::Found(_) => Verdict::Solvable,
        Answer::TooMany => Verdict::Unknown,
        Answer::None(wrong) => {
            let places: Vec<String> = wrong.iter().take(12).map(|place| (place + 1).to_string()).collect();
            let more = if wrong.len() > 12 { " and more" } else { "" };
            Verdict::Unsolvable(match wrong.len() {
                0 => "no sequence of moves makes the start from the solved position".to_owned(),
                _ => format!(
                    "no sequence of moves brings all labels home: with the others there, those of the places {}{more} are not",
                    places.join(" ")
                ),
            })
        }
    }
}

/// Explains why the refined label of a place does not occur as often in the first solved arrangement.
fn misplaced(structure: &Structure, setup: &Setup, place: usize) -> String {
    let orbit = &structure.orbits[structure.orbit_of[place] as usize];
    let label = |place: Place| setup.labels[usize::from(setup.start[usize::from(place)])].clone();
    let in_orbit = |position: &[u16]| {
        orbit.places.iter().filter(|&&other| position[usize::from(other)] == setup.start[place]).count()
    };
    let (name, number) = (label(place as Place), structure.number[place] as usize);
    let (have, want) = (in_orbit(&setup.start), in_orbit(&setup.solved));
    if have != want {
        let places: Vec<String> = orbit.places.iter().take(12).map(|place| (place + 1).to_string()).collect();
        let more = if orbit.places.len() > 12 { " …" } else { "" };
        return format!(
            "moves take what stands at place {} to the places {}{more} alone: there label {name} stands {have} times instead of {want}",
            place + 1,
            places.join(" ")
        );
    }
    let mut together: Vec<Place> = orbit.followers.iter().map(|follower| follower[number]).collect();
    together.push(place as Place);
    together.sort_unstable();
    let places: Vec<String> = together.iter().map(|place| (place + 1).to_string()).collect();
    let labels: Vec<String> = together.iter().map(|&place| label(place)).collect();
    format!(
        "the places {} move together, and nowhere else are the labels {} together so",
        places.join(" "),
        labels.join(" ")
    )
}

/// The result of a search for a permutation.
enum Answer {
    Found(Vec<Place>),
    /// None exists. Has the wrong places of the deepest attempt.
    None(Vec<Place>),
    TooMany,
}

/// The search for a permutation of a group that maps each place to one with the same label in another position.
struct Matching<'a> {
    chain: &'a Chain,
    /// The levels that move their points.
    levels: Vec<usize>,
    /// For each level, the places that it moves and all further levels fix.
    settled: Vec<Vec<Place>>,
    have: &'a [u32],
    want: &'a [u32],
    /// The number of choices tried in all searches.
    choices: Cell<u64>,
    context: &'a BuildContext,
}

impl<'a> Matching<'a> {
    fn new(chain: &'a Chain, have: &'a [u32], want: &'a [u32], context: &'a BuildContext) -> Matching<'a> {
        let levels: Vec<usize> = (0..chain.levels.len()).filter(|&level| chain.levels[level].orbit.len() > 1).collect();
        let moved = |level: usize| {
            let mut moved = vec![false; have.len()];
            for image in chain.levels[level].generators(chain) {
                (0..image.len())
                    .filter(|&place| usize::from(image[place]) != place)
                    .for_each(|place| moved[place] = true);
            }
            moved
        };
        let mut moves: Vec<Vec<bool>> = levels.iter().map(|&level| moved(level)).collect();
        moves.push(vec![false; have.len()]);
        let settles = |pair: &[Vec<bool>]| {
            let places = (0..have.len()).filter(|&place| pair[0][place] && !pair[1][place]);
            places.map(|place| place as Place).collect()
        };
        let settled = moves.windows(2).map(settles).collect();
        Matching { chain, levels, settled, have, want, choices: Cell::new(0), context }
    }

    /// Searches for a permutation. If a level and a place of its orbit are given, it must fix the points of all earlier
    /// levels and map the point of this level to the place.
    fn search(&self, fixed: Option<(usize, usize)>) -> Answer {
        let (first, only) = fixed.map_or((0, None), |(level, at)| (level, Some(at)));
        let shows = |taken: &[Place], place: Place| {
            self.want[usize::from(taken[usize::from(place)])] == self.have[usize::from(place)]
        };
        let wrong = |taken: &[Place]| {
            let places = (0..self.have.len()).map(|place| place as Place).filter(|&place| !shows(taken, place));
            let mut wrong: Vec<Place> = places.map(|place| taken[usize::from(place)]).collect();
            wrong.sort_unstable();
            wrong
        };
        // Places that no level moves must have the right label already.
        let untouched = |place: &usize| {
            self.settled.iter().all(|settled| !settled.contains(&(*place as Place)))
                && self.want[*place] != self.have[*place]
        };
        if fixed.is_none()
            && let Some(wrong) = (0..self.have.len()).find(untouched)
        {
            return Answer::None(vec![wrong as Place]);
        }
        let mut path: Vec<(usize, Vec<Place>)> = vec![(only.unwrap_or(0), identity(self.have.len()))];
        let mut deepest = (0, Vec::new());
        let mut depth = first;
        loop {
            if depth == self.levels.len() {
                let (_, found) = path.pop().expect("the path has a permutation for each level");
                return Answer::Found(found);
            }
            let level = &self.chain.levels[self.levels[depth]];
            let (at, before) = path.last_mut().expect("the path is not empty");
            let taken = if *at < level.orbit.len() && !(only.is_some() && depth == first && *at != only.unwrap_or(0)) {
                let number = *at;
                *at += 1;
                if self.want[usize::from(before[usize::from(level.orbit[number])])]
                    != self.have[usize::from(level.point)]
                {
                    continue;
                }
                self.choices.set(self.choices.get() + 1);
                compose(&level.representative(number), before)
            } else {
                if deepest.0 < depth || deepest.1.is_empty() {
                    deepest = (depth, wrong(before));
                }
                path.pop();
                if depth == first {
                    return Answer::None(deepest.1);
                }
                depth -= 1;
                continue;
            };
            if self.choices.get() > MOST_CHOICES || self.context.should_stop() {
                return Answer::TooMany;
            }
            if self.settled[depth].iter().all(|&place| shows(&taken, place)) {
                depth += 1;
                path.push((0, taken));
            } else if deepest.0 < depth || deepest.1.is_empty() {
                deepest = (depth, wrong(&taken));
            }
        }
    }
}

/// Returns the number of permutations of the group that preserve all labels, as a product of small numbers. Returns
/// `None` if that takes too much work.
pub(super) fn stabiliser_factors(chain: &Chain, shown: &[u32], context: &BuildContext) -> Option<Vec<u64>> {
    let matching = Matching::new(chain, shown, shown, context);
    let mut found: Vec<Vec<Place>> = Vec::new();
    let mut factors = Vec::new();
    for depth in (0..matching.levels.len()).rev() {
        let level = &chain.levels[matching.levels[depth]];
        let mut orbit = orbit_of(level.point, &found);
        for (number, &place) in level.orbit.iter().enumerate() {
            if orbit.contains(&place) || shown[usize::from(place)] != shown[usize::from(level.point)] {
                continue;
            }
            match matching.search(Some((depth, number))) {
                Answer::Found(symmetry) => {
                    found.push(symmetry);
                    orbit = orbit_of(level.point, &found);
                }
                Answer::None(_) => {}
                Answer::TooMany => return None,
            }
        }
        factors.push(orbit.len() as u64);
    }
    Some(factors)
}

/// Returns the orbit of a place under some permutations.
fn orbit_of(place: Place, images: &[Vec<Place>]) -> Vec<Place> {
    let mut orbit = vec![place];
    let mut seen = vec![false; images.first().map_or(0, Vec::len)];
    seen.iter_mut().skip(usize::from(place)).take(1).for_each(|seen| *seen = true);
    let mut next = 0;
    while let Some(&place) = orbit.get(next) {
        next += 1;
        for image in images {
            let to = image[usize::from(place)];
            if !std::mem::replace(&mut seen[usize::from(to)], true) {
                orbit.push(to);
            }
        }
    }
    orbit
}
