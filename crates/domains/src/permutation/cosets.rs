//! Pattern databases of colours: the labels of a pattern have few colours, and a position is reduced to their
//! arrangement (Kociemba 1992; Reid 1997 for the 3x3x3). So a table reflects where pieces belong and how they are
//! turned without distinguishing them: it has an entry for every coset of the subgroup that keeps the colours.
//!
//! - `choose`: the choice of the colours;
//! - `arrangement`: the numbers of arrangements of some places, up to symmetries;
//! - `dual`: the number of the inverse position, which `reader` reads place by place.
//!
//! A symmetry that maps colours to colours maps an arrangement to one that is as far from the solved one, so a table
//! has entries for classes only. A number consists of two parts: the class of the arrangement of the leading orbit, and
//! the arrangement of all others after the symmetry that maps the leading one to the representative of its class. If
//! several symmetries do so, several entries belong to one class of arrangements.
//!
//! The other symmetries map the colours to others, which could have a table of their own. Instead, the image of a
//! position under each of them is looked up in the same table. The heuristic is the maximum of these *views*, of the
//! position and of its inverse: the inverse moves in reverse order solve the inverse position, so it is as far from the
//! solved one.

mod arrangement;
mod choose;
mod dual;
mod reader;

use super::chain::Chain;
use super::images::{Place, compose, identity, inverse};
use super::model::Model;
use super::patterns::Guide;
use super::patterns::build::Entries;
use super::symmetries::{self, Symmetry};
use crate::domain::BuildContext;
use crate::domain::table::Table;
use arrangement::{Color, Numbering, Part};
use choose::{Choice, MOST_VIEWS};
use dual::{Dual, Homes, MOST_HOMES};
use std::sync::Arc;

/// The cosets of a pattern of colours.
pub(super) struct Cosets {
    choice: Choice,
    chain: Chain,
    /// For each level of the chain that moves its point, the member whose goal is the point.
    members: Vec<(usize, usize)>,
    symmetries: Vec<Symmetry>,
    /// For each symmetry and move, the image of the move.
    conjugate: Vec<u16>,
    /// For each symmetry that keeps the colours, by its number among them, and each symmetry: their product, the second
    /// one first.
    products: Vec<u8>,
    leading: Numbering,
    rest: Numbering,
    /// For each arrangement of the rest and each move, the arrangement after it.
    rest_next: Vec<u16>,
    /// For each symmetry that keeps the colours and each arrangement of the rest, its image.
    rest_mapped: Vec<u16>,
    /// The numbers of inverse positions, if arrangements can be read.
    dual: Option<Dual>,
    moves: usize,
}

/// The number of the image of a position under a symmetry, in two parts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Coordinate {
    class: u32,
    rest: u16,
    /// The symmetry that maps the position to the representative.
    frame: u8,
    /// The entry of the table.
    h: u8,
}

impl Cosets {
    /// Chooses a pattern whose table has at most `most` entries. Returns `None` if there is none with at least
    /// `least` arrangements, or if it is stopped.
    pub fn new(model: &Model, least: u64, most: u64, context: &BuildContext) -> Option<Cosets> {
        let solved = model.solved.as_ref().filter(|_| model.is_distinct)?;
        let symmetries = symmetries::symmetries(model);
        let mut points = solved.clone();
        points.extend((0..model.places).map(|place| place as Place).filter(|place| !solved.contains(place)));
        let generators: Vec<Vec<Place>> = model.moves.iter().map(|each_move| each_move.image.clone()).collect();
        let chain = Chain::new(model.places, &generators, &points, context)?;
        let choice = choose::choose(model, &chain, &symmetries, most, context)?;
        if choice.arrangements < least {
            return None;
        }
        Cosets::of(model, choice, chain, symmetries, context).filter(|cosets| cosets.size() <= most)
    }

    fn of(
        model: &Model,
        choice: Choice,
        chain: Chain,
        symmetries: Vec<Symmetry>,
        context: &BuildContext,
    ) -> Option<Cosets> {
        let solved = model.solved.as_ref()?;
        let member = |point: Place| solved.iter().position(|&home| home == point);
        let moved = chain.levels.iter().enumerate().filter(|(_, level)| level.orbit.len() > 1);
        // The members determine all other labels.
        let members: Vec<(usize, usize)> =
            moved.map(|(number, level)| Some((number, member(level.point)?))).collect::<Option<_>>()?;
        let colors = &choice.colors;
        let recolored = |symmetry: &Symmetry| {
            let mut map = vec![0; usize::from(Color::MAX) + 1];
            (0..model.places).for_each(|place| {
                map[usize::from(colors[place])] = colors[usize::from(symmetry.image[place])];
            });
            map
        };
        let keeping: Vec<(&Symmetry, Vec<Color>)> =
            choice.keeping.iter().map(|&number| (&symmetries[number], recolored(&symmetries[number]))).collect();
        let lead = model.orbits[choice.lead];
        let is_leading = |place: &usize| (lead.first..lead.first + lead.blocks * lead.size).contains(place);
        let (leading, others): (Vec<usize>, Vec<usize>) = (0..model.places).partition(is_leading);
        let goes_on = || context.fits(0);
        let leading = Numbering::new(model, Part::new(leading, colors)?, colors, &keeping, goes_on)?;
        let rest = Numbering::new(model, Part::new(others, colors)?, colors, &keeping[..1], goes_on)?;
        if rest.classes() > choose::MOST_REST {
            return None;
        }
        let moves = model.moves.len();
        let all = |rest: u64| (0..moves as u16).map(move |each_move| (rest as u32, each_move));
        let rest_next =
            (0..rest.classes()).flat_map(all).map(|(class, each_move)| rest.next(class, each_move).0 as u16);
        let product = |&(first, second): &(usize, usize)| {
            let (first, second) = (&symmetries[first], &symmetries[choice.keeping[second]]);
            let product = first.moves.iter().map(|&each_move| second.moves[usize::from(each_move)]);
            let product: Vec<u16> = product.collect();
            symmetries.iter().position(|symmetry| symmetry.moves == product).map(|number| number as u8)
        };
        let pairs = (0..keeping.len()).flat_map(|second| (0..symmetries.len()).map(move |first| (first, second)));
        let images: Vec<&[Place]> = choice.views.iter().map(|&view| &symmetries[view].image[..]).collect();
        Some(Cosets {
            dual: Dual::new(model, &leading, &rest, colors, &images),
            products: pairs.map(|pair| product(&pair)).collect::<Option<_>>()?,
            rest_next: rest_next.collect(),
            rest_mapped: keeping.iter().flat_map(|(symmetry, map)| rest.mapped(&symmetry.image, map)).collect(),
            conjugate: symmetries.iter().flat_map(|symmetry| symmetry.moves.iter().copied()).collect(),
            members,
            moves,
            leading,
            rest,
            choice,
            chain,
            symmetries,
        })
    }

    /// Returns the number of entries of the table.
    pub fn size(&self) -> u64 {
        self.leading.classes() * self.rest.classes()
    }

    /// Returns the size of the tables of arrangements in bytes.
    pub fn bytes(&self) -> u64 {
        self.leading.bytes() + self.rest.bytes() + self.dual.as_ref().map_or(0, Dual::bytes)
    }

    /// Returns a description of what the table depends on beside the moves, in lines of text.
    pub fn description(&self) -> String {
        let words = |numbers: &mut dyn Iterator<Item = usize>| {
            numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
        };
        let colors = words(&mut self.choice.colors.iter().map(|&color| usize::from(color)));
        format!("colours {colors}\nleading orbit {}\n{} symmetries\n", self.choice.lead, self.choice.keeping.len())
    }

    /// Returns the number of all arrangements, without symmetries, of symmetries that keep the colours, and of images
    /// of the colours.
    #[cfg(test)]
    pub fn counts(&self) -> (u64, usize, usize) {
        (self.choice.arrangements, self.choice.keeping.len(), self.choice.views.len())
    }

    #[cfg(test)]
    pub fn colors(&self) -> &[Color] {
        &self.choice.colors
    }

    /// Returns the position of all labels, given the places of members: for each place, where its label is. For members
    /// in places that no position has, where no search goes, it is the solved position.
    fn position(&self, place: impl Fn(usize) -> usize) -> Vec<Place> {
        let mut images: Vec<usize> = self.members.iter().map(|&(_, member)| place(member)).collect();
        let mut position = identity(self.symmetries[0].image.len());
        // Each level moves its point to where it is after the representatives of the levels before.
        for at in 0..images.len() {
            let level = &self.chain.levels[self.members[at].0];
            let Some(back) = level.inverse_representative(images[at] as Place) else { return identity(position.len()) };
            images.iter_mut().for_each(|image| *image = usize::from(back[*image]));
            position = compose(&inverse(back), &position);
        }
        position
    }

    /// Returns the number of the image of a position under a symmetry.
    fn coordinate(&self, position: &[Place], symmetry: usize) -> Coordinate {
        let image = &self.symmetries[symmetry].image;
        let mut colors = vec![0; position.len()];
        for (home, &at) in position.iter().enumerate() {
            colors[usize::from(image[usize::from(at)])] = self.choice.colors[usize::from(image[home])];
        }
        let (class, keeping) = self.leading.class(&colors);
        let (rest, _) = self.rest.class(&colors);
        let rest = self.rest_mapped[usize::from(keeping) * self.rest.classes() as usize + rest as usize];
        let frame = self.products[usize::from(keeping) * self.symmetries.len() + symmetry];
        Coordinate { class, rest, frame, h: 0 }
    }

    /// Returns the number after a move of the position.
    #[inline]
    fn after(&self, coordinate: Coordinate, each_move: u16) -> Coordinate {
        let frame = usize::from(coordinate.frame);
        let each_move = self.conjugate[frame * self.moves + usize::from(each_move)];
        let (class, keeping) = self.leading.next(coordinate.class, each_move);
        let rest = self.rest_next[usize::from(coordinate.rest) * self.moves + usize::from(each_move)];
        let rest = self.rest_mapped[usize::from(keeping) * self.rest.classes() as usize + usize::from(rest)];
        let frame = self.products[usize::from(keeping) * self.symmetries.len() + frame];
        Coordinate { class, rest, frame, h: 0 }
    }

    /// Writes the entry after each of the first moves.
    #[inline]
    fn entries_after(&self, at: &Coordinate, entries: &mut [u64]) {
        let count = self.rest.classes();
        let row = |number: usize| number * self.moves..(number + 1) * self.moves;
        let conjugate = &self.conjugate[row(usize::from(at.frame))];
        let rest_next = &self.rest_next[row(usize::from(at.rest))];
        let next = self.leading.row(at.class);
        for (entry, &each_move) in entries.iter_mut().zip(conjugate) {
            let (class, keeping) = Numbering::split(next[usize::from(each_move)]);
            let rest = usize::from(rest_next[usize::from(each_move)]);
            let rest = self.rest_mapped[usize::from(keeping) * count as usize + rest];
            *entry = u64::from(class) * count + u64::from(rest);
        }
    }

    /// Returns the entry of the inverse of the position after a move, in a view.
    #[inline]
    fn dual_entry(&self, dual: &Dual, homes: &Homes, view: usize, each_move: usize) -> u64 {
        let (leading, rest) = dual.read(homes, view, each_move);
        let (class, keeping) = Numbering::split(leading);
        let count = self.rest.classes();
        let rest = self.rest_mapped[usize::from(keeping) * count as usize + rest as usize];
        u64::from(class) * count + u64::from(rest)
    }

    #[inline]
    fn entry(&self, coordinate: &Coordinate) -> u64 {
        u64::from(coordinate.class) * self.rest.classes() + u64::from(coordinate.rest)
    }
}

impl Entries for Cosets {
    type Cursor = ();

    fn size(&self) -> u64 {
        Cosets::size(self)
    }

    fn goals(&self) -> Vec<u64> {
        // Both parts number the solved arrangement first.
        vec![0]
    }

    fn what(&self) -> String {
        format!("pattern database of {} arrangements up to symmetry", self.choice.arrangements)
    }

    fn cursor(&self) {}

    #[inline]
    fn visit(&self, (): &mut (), number: u64, mut neighbor: impl FnMut(u64) -> bool) {
        let rest = self.rest.classes();
        let at = Coordinate { class: (number / rest) as u32, rest: (number % rest) as u16, frame: 0, h: 0 };
        for each_move in 0..self.moves as u16 {
            if neighbor(self.entry(&self.after(at, each_move))) {
                break;
            }
        }
    }

    #[inline]
    fn same(&self, number: u64, mut other: impl FnMut(u64)) {
        let count = self.rest.classes();
        let (class, rest) = (number / count, (number % count) as usize);
        let mut stabiliser = self.leading.stabilisers[class as usize] & !1;
        while stabiliser != 0 {
            let mapped = self.rest_mapped[stabiliser.trailing_zeros() as usize * count as usize + rest];
            other(class * count + u64::from(mapped));
            stabiliser &= stabiliser - 1;
        }
    }
}

/// The heuristic: a pattern of colours with its table.
pub(super) struct Views {
    pub cosets: Cosets,
    pub table: Arc<Table>,
}

/// The numbers of a state in each view, those with the greatest values first.
#[derive(Clone, Copy)]
pub(super) struct Memo {
    views: [Coordinate; MOST_VIEWS],
    /// For each of the first moves, the value of the first view after it. Looked up together, they wait for memory at
    /// the same time.
    ahead: [u8; MOST_AHEAD],
    /// Where the labels are that determine the inverse.
    homes: Homes,
    /// The greatest value of the inverse in any view, and the view that has it.
    dual: (u8, u8),
}

/// The greatest number of moves that are looked up together.
const MOST_AHEAD: usize = 32;

/// The number of views after the first that are looked up together.
const VIEWS_TOGETHER: usize = 2;

impl Views {
    /// Returns the memo of a position, given its number in each view.
    #[inline]
    fn remember(&self, mut views: [Coordinate; MOST_VIEWS], homes: Homes, dual: (u8, u8)) -> Memo {
        let count = self.cosets.choice.views.len();
        for place in 0..count.min(2) {
            let greatest = (place + 1..count)
                .fold(place, |greatest, view| if views[view].h > views[greatest].h { view } else { greatest });
            views.swap(place, greatest);
        }
        let mut entries = [0; MOST_AHEAD];
        self.cosets.entries_after(&views[0], &mut entries);
        let moves = self.cosets.moves.min(MOST_AHEAD);
        let mut ahead = [0; MOST_AHEAD];
        for (h, &entry) in ahead.iter_mut().zip(&entries).take(moves) {
            *h = self.table.entry(entry);
        }
        Memo { views, ahead, homes, dual }
    }

    /// Returns the greatest value of the inverse after a move, and the view that has it; the first one that exceeds
    /// `enough`, if there is one. The view that had the greatest value before comes first.
    #[inline]
    fn dual_after(&self, homes: &Homes, before: u8, each_move: usize, enough: u32) -> (u8, u8) {
        let Some(dual) = &self.cosets.dual else { return (0, 0) };
        let others = (0..self.cosets.choice.views.len() as u8).filter(|&view| view != before);
        let mut greatest = (0, before);
        for view in std::iter::once(before).chain(others) {
            let h = self.table.entry(self.cosets.dual_entry(dual, homes, usize::from(view), each_move));
            if h > greatest.0 {
                greatest = (h, view);
                if u32::from(h) > enough {
                    break;
                }
            }
        }
        greatest
    }
}

impl Guide for Views {
    type Memo = Memo;

    fn table_bytes(&self) -> u64 {
        self.table.bytes().len() as u64 + self.cosets.bytes()
    }

    fn memo(&self, place: impl Fn(usize) -> usize) -> Memo {
        let position = self.cosets.position(place);
        let mut views = [Coordinate::default(); MOST_VIEWS];
        for (coordinate, &symmetry) in views.iter_mut().zip(&self.cosets.choice.views) {
            *coordinate = self.cosets.coordinate(&position, symmetry);
            coordinate.h = self.table.entry(self.cosets.entry(coordinate));
        }
        let dual = self.cosets.dual.as_ref();
        let homes = dual.map_or([0; MOST_HOMES], |dual| dual.homes(&position));
        // No move is the last one of the tables.
        let greatest = self.dual_after(&homes, 0, self.cosets.moves, u32::MAX);
        self.remember(views, homes, greatest)
    }

    fn h(&self, memo: &Memo, _place: impl Fn(usize) -> usize) -> u32 {
        u32::from(memo.views[0].h.max(memo.dual.0))
    }

    fn moved(&self, memo: &Memo, each_move: u16) -> Memo {
        self.after(memo, each_move, u32::MAX, |_| 0).unwrap_or(*memo)
    }

    #[inline]
    fn after(&self, memo: &Memo, each_move: u16, enough: u32, _place: impl Fn(usize) -> usize) -> Result<Memo, u32> {
        let ahead = memo.ahead.get(usize::from(each_move)).copied();
        if let Some(h) = ahead.map(u32::from).filter(|&h| h > enough) {
            return Err(h);
        }
        let mut views = memo.views;
        let (first, others) = views[..self.cosets.choice.views.len()].split_at_mut(1);
        for views in std::iter::once(first).chain(others.chunks_mut(VIEWS_TOGETHER)) {
            for coordinate in &mut *views {
                *coordinate = self.cosets.after(*coordinate, each_move);
            }
            for coordinate in &mut *views {
                coordinate.h = self.table.entry(self.cosets.entry(coordinate));
            }
            if let Some(view) = views.iter().find(|view| u32::from(view.h) > enough) {
                return Err(u32::from(view.h));
            }
        }
        let greatest = self.dual_after(&memo.homes, memo.dual.1, usize::from(each_move), enough);
        if u32::from(greatest.0) > enough {
            return Err(u32::from(greatest.0));
        }
        let dual = self.cosets.dual.as_ref();
        let homes = dual.map_or(memo.homes, |dual| dual.moved(&memo.homes, usize::from(each_move)));
        Ok(self.remember(views, homes, greatest))
    }
}
