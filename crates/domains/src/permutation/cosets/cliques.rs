//! Cliques of arrangements: the powers of a generator lead from each of their arrangements to each other one. So while a
//! table is filled, whether one of them is in the last layer is found once for all.

use super::Cosets;
use super::arrangement::Numbering;
use crate::permutation::images::{compose, inverse};
use crate::permutation::model::Model;

/// The greatest number of moves by a generator that are compared with each other.
const MOST_POWERS: usize = 64;

/// Returns the moves from an arrangement to all others of a clique, for each kind of clique. The moves by a generator are one
/// kind if any two of its powers differ by a move; otherwise, each of them is a kind.
pub(super) fn kinds(model: &Model) -> Vec<Vec<u16>> {
    let moves: Vec<u16> = (0..model.moves.len() as u16).collect();
    let image = |each_move: u16| &model.moves[usize::from(each_move)].image[..];
    let generator = |each_move: u16| model.moves[usize::from(each_move)].generator;
    let mut kinds = Vec::new();
    for powers in moves.chunk_by(|&one, &other| generator(one) == generator(other)) {
        let is_move = |one: u16, other: u16| {
            let between = compose(&inverse(image(one)), image(other));
            powers.iter().any(|&power| image(power) == between)
        };
        let is_clique = |&one: &u16| powers.iter().all(|&other| one == other || is_move(one, other));
        // The first test keeps generators of great order from taking long.
        match powers.len() <= MOST_POWERS && powers.iter().all(is_clique) {
            true => kinds.push(powers.to_vec()),
            false => kinds.extend(powers.iter().map(|&power| vec![power])),
        }
    }
    kinds
}

/// A set of kinds of clique.
pub(super) type Kinds = u64;

/// Returns for each class of the leading orbit the kinds of the cliques that are to be looked at from its representative, so
/// that each class is in one of each kind. Returns `None` if there are too many kinds.
pub(super) fn starts(cosets: &Cosets) -> Option<Vec<Kinds>> {
    let kinds = &cosets.cliques;
    if kinds.len() > Kinds::BITS as usize {
        return None;
    }
    let mut kind_of = vec![0; cosets.moves];
    for (number, moves) in kinds.iter().enumerate() {
        moves.iter().for_each(|&each_move| kind_of[usize::from(each_move)] = number);
    }
    let classes = cosets.leading.classes() as usize;
    let (mut starts, mut covered) = (vec![0; classes], vec![0; classes]);
    for (class, start) in starts.iter_mut().enumerate() {
        for (number, moves) in kinds.iter().enumerate() {
            if covered[class] >> number & 1 == 1 {
                continue;
            }
            *start |= 1 << number;
            covered[class] |= 1 << number;
            for &each_move in moves {
                // The move back, as it is after the symmetry that maps the arrangement to the representative.
                let (to, keeping) = Numbering::split(cosets.leading.row(class as u32)[usize::from(each_move)]);
                let symmetry = cosets.chosen.choice.keeping[usize::from(keeping)];
                let back = cosets.inverses[usize::from(each_move)];
                let back = cosets.conjugate[symmetry * cosets.moves + usize::from(back)];
                covered[to as usize] |= 1 << kind_of[usize::from(back)];
            }
        }
    }
    Some(starts)
}
