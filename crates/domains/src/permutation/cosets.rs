//! Pattern databases of colours: the labels of a pattern have few colours, and a position is reduced to their
//! arrangement (Kociemba 1992; Reid 1997 for the 3x3x3). So a table reflects where pieces belong and how they are
//! turned without distinguishing them: it has an entry for every coset of the subgroup that keeps the colours.
//!
//! - `choose`: the choice of the colours;
//! - `arrangement`: the numbers of arrangements of some places, up to symmetries; `numbers` keeps them in the cache, as
//!   `words`;
//! - `rest`: the arrangements of all orbits but the leading one, as pairs of numbers;
//! - `dual`: the number of the inverse position, which `reader` reads place by place;
//! - `thirds`: the tables of finer colours, with distances modulo 3, filled by `groups` of entries in `cliques` of classes;
//!   `views`: the heuristic.
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
pub(super) mod choose;
mod cliques;
mod dual;
mod groups;
mod numbers;
mod reader;
mod rest;
pub(super) mod thirds;
pub(super) mod views;
mod words;

use super::chain::Chain;
use super::images::{Place, compose, identity, inverse};
use super::model::{Model, Move};
use super::patterns::build::Entries;
use super::symmetries::{self, Symmetry};
use crate::domain::BuildContext;
use arrangement::{Color, Keeping, Numbering};
use choose::Choice;
use dual::{Dual, Homes};
use numbers::Numbered;
use rest::{Pair, Rest};
use std::ops::Range;
use std::sync::Arc;

/// The number of entries in a byte of a table of finer colours. A byte has entries of one class.
const PER_BYTE: u64 = 4;

/// A pattern of colours, before its arrangements are numbered.
#[derive(Clone)]
pub(super) struct Chosen {
    choice: Choice,
    chain: Arc<Chain>,
    symmetries: Arc<Vec<Symmetry>>,
}

/// The cosets of a pattern of colours.
pub(super) struct Cosets {
    pub chosen: Chosen,
    /// For each level of the chain that moves its point, the member whose goal is the point.
    members: Vec<(usize, usize)>,
    /// For each symmetry and move, the image of the move.
    conjugate: Vec<u16>,
    /// For each move, and none at last: which of the first moves searches make after it, as a set of bits.
    followers: Vec<u32>,
    /// For each symmetry that keeps the colours, by its number among them, and each symmetry: their product, the second
    /// one first.
    products: Vec<u8>,
    leading: Arc<Numbering>,
    rest: Rest,
    /// For each kind of clique, the moves from an arrangement to the others.
    cliques: Vec<Vec<u16>>,
    /// For each move, the inverse one.
    inverses: Vec<u16>,
    /// The number of entries for each class of the leading orbit: at least one for each arrangement of the rest.
    stride: u64,
    /// The numbers of inverse positions, if arrangements can be read.
    dual: Option<Dual>,
    moves: usize,
}

/// The number of the image of a position under a symmetry, in two parts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Coordinate {
    class: u32,
    rest: Pair,
    /// The symmetry that maps the position to the representative.
    frame: u8,
    /// The entry of the table.
    h: u8,
}

impl Chosen {
    /// Chooses a pattern whose table has at most `most` entries. Returns `None` if there is none with at least `least`
    /// arrangements, or if it is stopped.
    pub fn new(model: &Model, (least, most): (u64, u64), context: &BuildContext) -> Option<Chosen> {
        let solved = model.solved.as_ref().filter(|_| model.is_distinct)?;
        let symmetries = symmetries::symmetries(model);
        let mut points = solved.clone();
        points.extend((0..model.places).map(|place| place as Place).filter(|place| !solved.contains(place)));
        let generators: Vec<Vec<Place>> = model.moves.iter().map(|each_move| each_move.image.clone()).collect();
        let chain = Chain::new(model.places, &generators, &points, context)?;
        let choice = choose::choose(model, &chain, &symmetries, most, context)?;
        let chosen = Chosen { choice, chain: Arc::new(chain), symmetries: Arc::new(symmetries) };
        (chosen.choice.arrangements >= least).then_some(chosen)
    }

    /// Refines the pattern to one whose table has at most `most` entries, if there is one.
    pub fn refined(&self, model: &Model, most: u64, context: &BuildContext) -> Option<Chosen> {
        let choice = choose::refine(model, &self.chain, &self.symmetries, &self.choice, most, context)?;
        Some(Chosen { choice, ..self.clone() })
    }

    /// Returns a description of what the table depends on beside the moves, in lines of text.
    pub fn description(&self) -> String {
        let words = |numbers: &mut dyn Iterator<Item = usize>| {
            numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
        };
        let colors = choose::renumbered(self.choice.colors.iter().copied());
        let colors = words(&mut colors.iter().map(|&color| usize::from(color)));
        let exchanges = match self.choice.recolorings.len() {
            1 => String::new(),
            several => format!("{several} exchanges of colours\n"),
        };
        let (lead, keeping) = (self.choice.lead, self.choice.keeping.len());
        format!("colours {colors}\n{exchanges}leading orbit {lead}\n{keeping} symmetries\n")
    }
}

impl Cosets {
    /// Numbers the arrangements of a pattern. Returns `None` if its table would have more than `most` entries, or if it is
    /// stopped.
    pub fn new(model: &Model, chosen: Chosen, most: u64, context: &BuildContext) -> Option<Cosets> {
        Cosets::of(model, chosen, None, (choose::MOST_REST, 1), context).filter(|cosets| cosets.size() <= most)
    }

    /// Numbers the arrangements of a pattern that refines this one. Returns it with the coarse arrangement for each
    /// first number of the rest.
    pub fn refined(
        &self,
        model: &Model,
        finer: Chosen,
        most: u64,
        context: &BuildContext,
    ) -> Option<(Cosets, Vec<u32>)> {
        let cosets = Cosets::of(model, finer, Some(self), (choose::MOST_REFINED_REST, PER_BYTE), context)?;
        let coarse = cosets.rest.coarse(&self.rest);
        (cosets.size() <= most).then_some((cosets, coarse))
    }

    /// Numbers the arrangements of a pattern; those of the leading orbit are known if it refines another pattern.
    fn of(
        model: &Model,
        chosen: Chosen,
        coarse: Option<&Cosets>,
        (most_rest, alignment): (u64, u64),
        context: &BuildContext,
    ) -> Option<Cosets> {
        let Chosen { choice, chain, symmetries } = &chosen;
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
        let keeping: Vec<Keeping> =
            choice.keeping.iter().map(|&number| (&symmetries[number], recolored(&symmetries[number]))).collect();
        let lead = model.orbits[choice.lead];
        let is_leading = |place: &usize| (lead.first..lead.first + lead.blocks * lead.size).contains(place);
        let (leading, others): (Vec<usize>, Vec<usize>) = (0..model.places).partition(is_leading);
        let numbered = |places, symmetries, is_read, part| {
            let description = format!("{}{part}\n", chosen.description());
            Numbered { model, places, colors, symmetries, is_read, description }.numbers(context)
        };
        let (leading, leading_reader) = match coarse {
            Some(coarse) => {
                let reader = coarse.dual.as_ref().map(|dual| Arc::clone(&dual.leading));
                (Arc::clone(&coarse.leading), reader)
            }
            None => {
                let (leading, reader) = numbered(leading, &keeping, true, "leading orbit alone")?;
                (Arc::new(leading), reader.map(Arc::new))
            }
        };
        // Moves commute with exchanges of colours, so the class after a move is that of any of the arrangements.
        let recolorings: Vec<Keeping> = choice.recolorings.iter().map(|map| (keeping[0].0, map.clone())).collect();
        let (rest, rest_reader) = numbered(others, &recolorings, leading_reader.is_some(), "all other orbits")?;
        if rest.classes() > most_rest {
            return None;
        }
        let moves = model.moves.len();
        let images_of: Vec<&[u16]> = choice.keeping.iter().map(|&number| &symmetries[number].moves[..]).collect();
        let exchanged = (&colors[..], &recolorings[..]);
        let rest = Rest::new(model, rest, exchanged, &images_of, coarse.map(|coarse| &coarse.rest));
        let rest_reader = rest_reader.map(|reader| reader.map(|entry| rest.pair_of(Numbering::split(entry).0)));
        let product = |&(first, second): &(usize, usize)| {
            let (first, second) = (&symmetries[first], &symmetries[choice.keeping[second]]);
            let product = first.moves.iter().map(|&each_move| second.moves[usize::from(each_move)]);
            let product: Vec<u16> = product.collect();
            symmetries.iter().position(|symmetry| symmetry.moves == product).map(|number| number as u8)
        };
        let pairs = (0..keeping.len()).flat_map(|second| (0..symmetries.len()).map(move |first| (first, second)));
        let images: Vec<&[Place]> = choice.views.iter().map(|&view| &symmetries[view].image[..]).collect();
        let dual = |(leading, rest)| Dual::new(model, leading, rest, colors, &choice.recolorings, &images);
        let followers = model.moves.iter().enumerate().map(|(before, one)| {
            let follows = |(then, other): (usize, &Move)| match one.generator == other.generator {
                true => before == then && one.run > 1,
                false => model.may_follow(one.generator, other.generator),
            };
            let first = model.moves.iter().enumerate().take(u32::BITS as usize);
            first.fold(0, |set, (then, other)| set | u32::from(follows((then, other))) << then)
        });
        Some(Cosets {
            followers: followers.chain([u32::MAX >> u32::BITS.saturating_sub(moves as u32)]).collect(),
            dual: leading_reader.zip(rest_reader).and_then(dual),
            products: pairs.map(|pair| product(&pair)).collect::<Option<_>>()?,
            cliques: cliques::kinds(model),
            inverses: model.moves.iter().map(|each_move| each_move.inverse).collect(),
            conjugate: symmetries.iter().flat_map(|symmetry| symmetry.moves.iter().copied()).collect(),
            members,
            moves,
            stride: rest.entries().next_multiple_of(alignment),
            leading,
            rest,
            chosen,
        })
    }

    /// Returns the number of entries of the table.
    pub fn size(&self) -> u64 {
        self.leading.classes() * self.stride
    }

    /// Returns the size of the tables of arrangements in bytes.
    pub fn bytes(&self) -> u64 {
        self.leading.bytes() + self.rest.bytes() + self.dual.as_ref().map_or(0, Dual::bytes)
    }

    /// Returns the number of all arrangements, without symmetries, of symmetries that keep the colours, and of images
    /// of the colours.
    #[cfg(test)]
    pub fn counts(&self) -> (u64, usize, usize) {
        (self.chosen.choice.arrangements, self.chosen.choice.keeping.len(), self.chosen.choice.views.len())
    }

    #[cfg(test)]
    pub fn choice(&self) -> &Choice {
        &self.chosen.choice
    }

    /// Returns the position of all labels, given the places of members: for each place, where its label is. For members
    /// in places that no position has, where no search goes, it is the solved position.
    fn position(&self, place: impl Fn(usize) -> usize) -> Vec<Place> {
        let mut images: Vec<usize> = self.members.iter().map(|&(_, member)| place(member)).collect();
        let mut position = identity(self.chosen.symmetries[0].image.len());
        // Each level moves its point to where it is after the representatives of the levels before.
        for at in 0..images.len() {
            let level = &self.chosen.chain.levels[self.members[at].0];
            let Some(back) = level.inverse_representative(images[at] as Place) else { return identity(position.len()) };
            images.iter_mut().for_each(|image| *image = usize::from(back[*image]));
            position = compose(&inverse(back), &position);
        }
        position
    }

    /// Returns the number of the image of a position under a symmetry.
    fn coordinate(&self, position: &[Place], symmetry: usize) -> Coordinate {
        let image = &self.chosen.symmetries[symmetry].image;
        let mut colors = vec![0; position.len()];
        for (home, &at) in position.iter().enumerate() {
            colors[usize::from(image[usize::from(at)])] = self.chosen.choice.colors[usize::from(image[home])];
        }
        let (class, keeping) = self.leading.class(&colors);
        let rest = self.rest.mapped(self.rest.pair(&colors), keeping);
        let frame = self.products[usize::from(keeping) * self.chosen.symmetries.len() + symmetry];
        Coordinate { class, rest, frame, h: 0 }
    }

    /// Returns the numbers of the symmetries that keep the colours, among these.
    fn keeping(&self) -> Range<u8> {
        0..self.chosen.choice.keeping.len() as u8
    }

    /// Returns the number after a move of the position, with the value before it.
    #[inline]
    fn after(&self, coordinate: Coordinate, each_move: u16) -> Coordinate {
        let frame = usize::from(coordinate.frame);
        let each_move = self.conjugate[frame * self.moves + usize::from(each_move)];
        let (class, keeping) = self.leading.next(coordinate.class, each_move);
        let rest = self.rest.after(coordinate.rest, usize::from(each_move), keeping);
        let frame = self.products[usize::from(keeping) * self.chosen.symmetries.len() + frame];
        Coordinate { class, rest, frame, h: coordinate.h }
    }

    /// Returns a function that gives the entry after each move.
    #[inline]
    fn entry_after(&self, at: &Coordinate) -> impl Fn(usize) -> u64 {
        let row = |number: usize| number * self.moves..(number + 1) * self.moves;
        let conjugate = &self.conjugate[row(usize::from(at.frame))];
        let (next, before) = (self.leading.row(at.class), at.rest);
        move |each_move| {
            let each_move = usize::from(conjugate[each_move]);
            let (class, keeping) = Numbering::split(next[each_move]);
            self.number(class, self.rest.after(before, each_move, keeping))
        }
    }

    /// Returns the number of the inverse of the position after a move, in a view: the class and the arrangement of the
    /// rest.
    #[inline]
    fn dual_number(&self, dual: &Dual, homes: &Homes, view: usize, each_move: usize) -> (u32, Pair) {
        let (leading, rest) = dual.read(homes, view, each_move);
        let (class, keeping) = Numbering::split(leading);
        (class, self.rest.mapped(rest, keeping))
    }

    #[inline]
    fn entry(&self, coordinate: &Coordinate) -> u64 {
        self.number(coordinate.class, coordinate.rest)
    }

    /// Returns the entry of a class of the leading orbit and an arrangement of the rest.
    #[inline]
    fn number(&self, class: u32, rest: Pair) -> u64 {
        u64::from(class) * self.stride + self.rest.number(rest)
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
        format!("pattern database of {} arrangements up to symmetry", self.chosen.choice.arrangements)
    }

    fn cursor(&self) {}

    #[inline]
    fn visit(&self, (): &mut (), number: u64, mut neighbor: impl FnMut(u64) -> bool) {
        let (class, rest) = ((number / self.stride) as u32, self.rest.numbered(number % self.stride));
        let at = Coordinate { class, rest, frame: 0, h: 0 };
        for each_move in 0..self.moves as u16 {
            if neighbor(self.entry(&self.after(at, each_move))) {
                break;
            }
        }
    }

    #[inline]
    fn same(&self, number: u64, mut other: impl FnMut(u64)) {
        let (class, rest) = ((number / self.stride) as u32, self.rest.numbered(number % self.stride));
        let mut stabiliser = self.leading.stabilisers[class as usize] & !1;
        while stabiliser != 0 {
            other(self.number(class, self.rest.mapped(rest, stabiliser.trailing_zeros() as u8)));
            stabiliser &= stabiliser - 1;
        }
    }
}
