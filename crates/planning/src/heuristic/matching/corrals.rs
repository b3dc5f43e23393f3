//! Learning from the states that a search meets: greater [bounds](super::frozen_distances), and from the corrals of a state before
//! it is expanded, that it is dead, or which moves suffice.
//!
//! A *corral* is a set of values that the mover cannot reach, since tokens are around it.

use super::dead_patterns::DeadPatterns;
use super::frozen_distances::FrozenDistances;
use super::merged_tokens::MergedTokens;
use super::packing::Packing;
use super::places::Places;
use super::projection::Projection;
use super::proofs::Proofs;
use super::stubborn::{StubbornSet, StubbornSets, moved_tokens};
use super::tokens::Tokens;
use super::view::View;
use super::{DEAD, Kinds};
use crate::analysis::mover::Mover;
use crate::packed::{Field, StateLayout, Word};
use crate::task::{Task, Value, Values};
use std::array;
use std::sync::atomic::{AtomicBool, Ordering};

/// The kinds of knowledge that a search gathers.
#[derive(Clone, Copy)]
pub struct Learns {
    /// Dead patterns around corrals.
    pub patterns: bool,
    /// Stubborn sets around corrals.
    pub stubborn: bool,
    /// The conflicts of pairs.
    pub conflicts: bool,
}

/// A learner from the states of one search.
pub trait Corrals<W>: Send + Sync {
    /// Returns what is known of a state that is about to be expanded. `region` is the mover's, if it is known.
    fn look(&self, word: &W, region: Option<&[u64]>) -> CorralVerdict<'_>;

    /// Returns whether all tokens of the matching are counted by [`h_of`](Self::h_of).
    fn are_all(&self) -> bool;

    /// Appends, for each state, the least cost of the matchings, raised by what the search learned, and the part that
    /// conflicts add.
    fn h_of(&self, words: &[&W], values: &mut Vec<(u32, u32)>);

    /// Returns the cell of a state by its packed tokens and the regions of the mover; none if the goal is not to fill
    /// places.
    fn cell(&self, word: &W) -> Option<u64>;

    /// Returns whether a state was found dead.
    fn have_pruned(&self) -> bool;

    /// Puts into effect what the states of a round taught; see
    /// [`Weighted::settle`](engine_search::space::Weighted::settle).
    fn settle(&self);
}

/// More regions of the mover count as this many: otherwise most cells would be those of positions with many.
const MOST_REGIONS: u64 = 6;

/// Dead patterns, stubborn sets and walls, for each kind of tokens.
struct OfKinds<'a, W, const N: usize> {
    /// The tokens of all kinds as one, if there are several.
    merged: Option<(&'a MergedTokens<N>, Kind<'a, W, N>)>,
    kinds: Vec<Kind<'a, W, N>>,
    /// The number of goals of the task.
    goals: usize,
    /// True if these are all kinds.
    are_all: bool,
    /// True if a state was found dead.
    has_pruned: AtomicBool,
}

/// One kind of tokens: its bounds, its projected task, its dead patterns and its stubborn sets.
struct Kind<'a, W, const N: usize> {
    frozen_distances: FrozenDistances<'a, N>,
    /// True if the bounds can be greater than those of the matching.
    has_bounds: bool,
    projection: &'a Projection<N>,
    reader: Reader<W>,
    patterns: Option<DeadPatterns<'a, N>>,
    /// True if the mover's region is that of the projection, since nothing but the tokens bars it.
    has_own_region: bool,
    stubborn: Option<StubbornSets<'a, N>>,
    /// The progress of packing, if there is one goal and it names places to fill.
    packing: Option<Packing<'a, N>>,
}

/// The conclusion from the corrals of a state.
pub enum CorralVerdict<'a> {
    /// No goal can be reached.
    Dead,
    /// These moves suffice. If there are none, no goal can be reached.
    Stubborn(StubbornSet<'a>),
    Nothing,
}

impl<const N: usize> Kinds<N> {
    /// Returns what learns during a search; none if no kind of tokens can have any.
    pub fn corrals<'a, W: Word>(
        &'a self,
        task: &Task,
        layout: &StateLayout,
        mover: &Mover,
        learns: Learns,
        proofs: Option<&Proofs<'a>>,
    ) -> Option<Box<dyn Corrals<W> + 'a>> {
        // A certificate names symbols: it has no data on tokens of several.
        let kind = |tokens: &'a Tokens<N>, proofs: Option<&Proofs<'a>>, alone: Option<&Task>| {
            let projection = tokens.projection.as_ref()?;
            if let Some(proofs) = proofs {
                proofs.add_tokens(tokens);
            }
            let moved = alone.and_then(|task| moved_tokens(tokens, projection, task, mover));
            Some(Kind {
                packing: Packing::new(tokens, projection, task),
                has_own_region: moved.is_some(),
                frozen_distances: FrozenDistances::new(tokens, projection, learns.conflicts),
                has_bounds: learns.conflicts || tokens.blocks.is_some(),
                projection,
                reader: Reader::new(tokens, task, layout),
                patterns: learns.patterns.then(|| DeadPatterns::new(tokens, projection, proofs.cloned())),
                stubborn: moved
                    .filter(|_| learns.stubborn)
                    .and_then(|moved| StubbornSets::new(tokens, projection, moved, mover)),
            })
        };
        let alone = (self.kinds.len() == 1).then_some(task);
        let kinds: Vec<Kind<W, N>> = self.kinds.iter().filter_map(|tokens| kind(tokens, proofs, alone)).collect();
        let of_all = |merged: &'a MergedTokens<N>| {
            let alone = Some(&merged.task).filter(|_| merged.is_exact);
            Some((merged, kind(&merged.tokens, None, alone)?))
        };
        let merged = self.merged.as_ref().and_then(of_all);
        let is_used = |kind: &Kind<W, N>| kind.patterns.is_some() || kind.stubborn.is_some() || kind.has_bounds;
        if kinds.iter().chain(merged.as_ref().map(|(_, all)| all)).any(is_used) {
            Some(Box::new(OfKinds {
                merged,
                are_all: kinds.len() == self.kinds.len(),
                kinds,
                goals: self.goals,
                has_pruned: AtomicBool::new(false),
            }))
        } else {
            None
        }
    }
}

impl<const N: usize> Kinds<N> {
    /// Returns the symbols of the tokens that can be around a corral.
    pub fn symbols_around_corrals(&self) -> impl Iterator<Item = &str> {
        self.kinds.iter().filter(|tokens| tokens.projection.is_some()).map(|tokens| tokens.symbol.as_str())
    }

    /// Returns whether searches look for stubborn sets.
    pub fn has_stubborn_sets(&self, task: &Task, mover: &Mover) -> bool {
        let (tokens, task) = match (&self.merged, self.kinds.as_slice()) {
            (Some(merged), _) if !merged.is_exact => return false,
            (Some(merged), _) => (&merged.tokens, &merged.task),
            (None, [tokens]) => (tokens, task),
            (None, _) => return false,
        };
        let is_plain = |projection: &Projection<N>| moved_tokens(tokens, projection, task, mover).is_some();
        mover.has_regions && tokens.projection.as_ref().is_some_and(is_plain)
    }
}

impl<W: Word, const N: usize> Corrals<W> for OfKinds<'_, W, N> {
    fn look(&self, word: &W, region: Option<&[u64]>) -> CorralVerdict<'_> {
        for kind in self.merged.iter().map(|(_, all)| all).chain(&self.kinds) {
            let patterns = kind.patterns.as_ref().map(DeadPatterns::reader);
            let searches = patterns.as_ref().is_some_and(|patterns| patterns.begin(word));
            let stubborn = kind.stubborn.as_ref().filter(|stubborn| stubborn.begin(word));
            let has_patterns = patterns.as_ref().is_some_and(|patterns| !patterns.is_empty());
            if !searches && stubborn.is_none() && !has_patterns {
                continue;
            }
            let (tokens, mover) = kind.reader.read(word);
            let mut is_dead = patterns.as_ref().is_some_and(|patterns| patterns.are_known_in(&tokens, mover));
            if !is_dead && (searches || stubborn.is_some()) {
                let words = region.filter(|_| kind.has_own_region);
                let region = words.map(|words| Places::of(array::from_fn(|at| words.get(at).copied().unwrap_or(0))));
                let region = region.unwrap_or_else(|| kind.projection.region(&tokens, mover));
                let view = View::new(kind.projection, tokens, mover, region);
                // With a stubborn set, the search itself soon sees whether its tokens are dead.
                match stubborn.and_then(|stubborn| stubborn.find(&view)) {
                    Some(set) => {
                        if set.is_empty() {
                            self.has_pruned.store(true, Ordering::Relaxed);
                        }
                        return CorralVerdict::Stubborn(set);
                    }
                    None => is_dead = searches && patterns.as_ref().is_some_and(|patterns| patterns.find(&view)),
                }
            }
            if is_dead {
                self.has_pruned.store(true, Ordering::Relaxed);
                return CorralVerdict::Dead;
            }
        }
        CorralVerdict::Nothing
    }

    fn are_all(&self) -> bool {
        self.are_all
    }

    fn h_of(&self, words: &[&W], values: &mut Vec<(u32, u32)>) {
        // The sums of the goals, state by state.
        let (mut sums, first) = (vec![0_u32; words.len() * self.goals], values.len());
        values.resize(first + words.len(), (0, 0));
        let values = &mut values[first..];
        if let Some((merged, all)) = self.merged.as_ref().filter(|_| self.are_all) {
            for (word, value) in words.iter().zip(&mut *values) {
                let (tokens, mover) = all.reader.read(word);
                if merged.is_dead(&tokens, mover, self.kinds.iter().map(|kind| kind.reader.read(word).0)) {
                    value.0 = DEAD;
                }
            }
        }
        for kind in &self.kinds {
            kind.frozen_distances.with_bounds(|bounds| {
                let sums = sums.chunks_exact_mut(self.goals.max(1));
                for ((word, value), sums) in
                    words.iter().zip(&mut *values).zip(sums).filter(|((_, value), _)| value.0 < DEAD)
                {
                    let (tokens, mover) = kind.reader.read(word);
                    value.1 += bounds.add(&tokens, mover, sums);
                }
            });
        }
        for (at, value) in values.iter_mut().enumerate().filter(|(_, value)| value.0 < DEAD) {
            value.0 = sums[at * self.goals..][..self.goals].iter().copied().min().unwrap_or(0);
        }
    }

    fn cell(&self, word: &W) -> Option<u64> {
        let (mut packed, mut regions) = (0, 0);
        for kind in &self.kinds {
            let (tokens, mover) = kind.reader.read(word);
            packed += kind.packing.as_ref()?.packed(&tokens);
            regions += kind.projection.regions(&tokens, mover);
        }
        Some(packed << 32 | regions.min(MOST_REGIONS))
    }

    fn have_pruned(&self) -> bool {
        self.has_pruned.load(Ordering::Relaxed)
    }

    fn settle(&self) {
        for kind in self.merged.iter().map(|(_, all)| all).chain(&self.kinds) {
            kind.frozen_distances.settle();
            kind.patterns.iter().for_each(DeadPatterns::settle);
            kind.stubborn.iter().for_each(StubbornSets::settle);
        }
    }
}

/// Reads the tokens of packed states.
struct Reader<W> {
    mover: Option<Field>,
    /// The fields of the places, with the values that are tokens.
    places: Vec<(Field, Value)>,
    /// For each place, all values that are tokens, if these are tokens of several kinds.
    alike: Option<Vec<Values>>,
    bits: Option<Bits<W>>,
}

/// For places of one bit each.
struct Bits<W> {
    mask: W,
    /// The bits without tokens.
    empty: W,
    /// The place of each bit.
    place_of: Vec<u16>,
}

impl<W: Word> Reader<W> {
    fn new<const N: usize>(tokens: &Tokens<N>, task: &Task, layout: &StateLayout) -> Reader<W> {
        let places: Vec<(Field, Value)> =
            tokens.places.iter().map(|&(var, value)| (layout.fields[var], value)).collect();
        let (mut mask, mut empty, mut place_of) = (W::zero(layout.bits), W::zero(layout.bits), vec![0; layout.bits]);
        let mut are_bits = true;
        for (place, (&(field, value), (var, _))) in (0..).zip(places.iter().zip(&tokens.places)) {
            match field.bit().filter(|_| task.size(*var) == 2 && tokens.alike.is_none()) {
                Some(bit) => {
                    mask.put(field, 1);
                    empty.put(field, 1 - value);
                    place_of[bit] = place;
                }
                None => are_bits = false,
            }
        }
        let bits = are_bits.then_some(Bits { mask, empty, place_of });
        Reader { mover: tokens.mover.map(|var| layout.fields[var]), places, alike: tokens.alike.clone(), bits }
    }

    /// Returns the places of the tokens, and the value of the mover.
    #[inline]
    fn read<const N: usize>(&self, word: &W) -> (Places<N>, usize) {
        let mover = self.mover.map_or(0, |field| word.get(field).into());
        let mut tokens = Places::default();
        match (&self.bits, &self.alike) {
            (Some(Bits { mask, empty, place_of }), _) => {
                word.for_each_difference(empty, mask, |bit| _ = tokens.insert(place_of[bit].into()));
            }
            (None, None) => {
                for (place, &(field, value)) in self.places.iter().enumerate() {
                    if word.get(field) == value {
                        tokens.insert(place);
                    }
                }
            }
            (None, Some(alike)) => {
                for (place, ((field, _), values)) in self.places.iter().zip(alike).enumerate() {
                    if values.contains(word.get(*field)) {
                        tokens.insert(place);
                    }
                }
            }
        }
        (tokens, mover)
    }
}
