//! The canonical representative of a packed state: the least of its images, each with its blocks sorted.

use super::{Class, NormalForm, Permutation, Symmetries, counter_images, may_change, operator};
use crate::packed::{BitSpan, Field, StateLayout, Word};
use crate::task::{Task, Var};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// The most bits of a state that are looked up at once.
const CHUNK_BITS: usize = 11;

/// Up to this many blocks are sorted on the stack.
const BUFFER: usize = 64;

/// Tables that compute the images of a state.
pub struct Images<W> {
    sorters: Vec<Sorter>,
    /// The fields outside of all blocks.
    outside: W,
    images: Vec<Image<W>>,
    /// For each operator, the pairs of neighbouring blocks whose exchange maps it to an earlier operator, as bits.
    twins: Vec<u64>,
    /// Permutations that generate the group.
    generators: Vec<Permutation>,
}

/// The image of the fields outside of all blocks, and that of the blocks.
struct Image<W> {
    to: Permutation,
    outside: Vec<Chunk<W>>,
    blocks: Vec<Chunk<W>>,
}

/// Interchangeable blocks, each of some fields, with the place of each field in the number that a block is.
struct Sorter {
    blocks: Vec<Box<[(Field, u32)]>>,
}

/// Adjacent fields that are read at once, with the image of each combination of their bits.
struct Chunk<W> {
    bits: BitSpan,
    table: Vec<W>,
}

impl<W: Word> Images<W> {
    pub fn new(task: &Task, symmetries: &Symmetries) -> Images<W> {
        let layout = StateLayout::new(task);
        let sorters = symmetries.classes.iter().map(|class| Sorter::new(&layout, class)).collect();
        let in_block =
            |var: &Var| symmetries.classes.iter().flat_map(|class| &class.blocks).any(|block| block.contains(var));
        let (blocks, outside): (Vec<Var>, Vec<Var>) = (0..task.variables.len()).partition(in_block);
        let chunks = |vars: &[Var], to: &Permutation| {
            let mut chunks: Vec<Vec<Var>> = Vec::new();
            for &var in vars {
                let joins = |chunk: &Vec<Var>| {
                    chunk[chunk.len() - 1] + 1 == var
                        && layout.span(chunk[0], var).is_some_and(|span| span.bits() <= CHUNK_BITS)
                };
                match chunks.last_mut().filter(|chunk| joins(chunk)) {
                    Some(chunk) => chunk.push(var),
                    None => chunks.push(vec![var]),
                }
            }
            chunks.iter().map(|vars| Chunk::new(task, &layout, vars, to)).collect()
        };
        let image =
            |to: &Permutation| Image { to: to.clone(), outside: chunks(&outside, to), blocks: chunks(&blocks, to) };
        // For long words, the images cost more than they save.
        let others = if W::MASKS { &symmetries.others[..] } else { &[] };
        Images {
            sorters,
            outside: layout.mask(outside.iter().copied()),
            images: others.iter().map(image).collect(),
            twins: twins(task, symmetries),
            generators: symmetries.generators(task),
        }
    }

    /// Returns permutations that generate the group.
    pub fn generators(&self) -> &[Permutation] {
        &self.generators
    }

    /// Returns the permutations of the images, without the identity.
    pub fn permutations(&self) -> impl Iterator<Item = &Permutation> {
        self.images.iter().map(|image| &image.to)
    }

    /// Returns whether the group is trivial.
    pub fn is_empty(&self) -> bool {
        self.sorters.is_empty() && self.images.is_empty()
    }

    /// Returns the canonical representative: the least image of a state, by the fields outside of all blocks first. So
    /// most images are compared without sorting their blocks.
    #[inline]
    pub fn canonical(&self, word: W) -> W {
        if self.images.is_empty() {
            return self.sorted(word);
        }
        let none = W::zero(0);
        let mut least_outside = word.rewrite(&self.outside, &none, &none);
        let mut least: Option<W> = None;
        for image in &self.images {
            let mut outside = none.clone();
            image.outside.iter().for_each(|chunk| outside.merge(chunk.image(&word)));
            if outside > least_outside {
                continue;
            }
            let mut whole = outside.clone();
            image.blocks.iter().for_each(|chunk| whole.merge(chunk.image(&word)));
            let whole = self.sorted(whole);
            if outside < least_outside {
                (least_outside, least) = (outside, Some(whole));
            } else {
                let other = least.take().unwrap_or_else(|| self.sorted(word.clone()));
                least = Some(whole.min(other));
            }
        }
        least.unwrap_or_else(|| self.sorted(word))
    }

    /// Returns the least representative of all images of a state, where `representative` changes only fields outside of
    /// the blocks. It is given the number of the image, from 1; 0 is the state itself.
    #[inline]
    pub fn canonical_by(&self, word: W, representative: impl Fn(usize, W) -> W) -> W {
        let mut least = self.sorted(representative(0, word.clone()));
        for (number, image) in (1..).zip(&self.images) {
            let mut whole = W::zero(0);
            image.outside.iter().chain(&image.blocks).for_each(|chunk| whole.merge(chunk.image(&word)));
            least = least.min(self.sorted(representative(number, whole)));
        }
        least
    }

    /// Returns the pairs of neighbouring blocks that are equal in a state, as bits.
    #[inline]
    pub fn equal_blocks(&self, word: &W) -> u64 {
        let (mut equal, mut at) = (0, 0);
        for sorter in &self.sorters {
            let mut last = None;
            for block in &sorter.blocks {
                let content = Sorter::content(block, word);
                if last.replace(content).is_some_and(|last| last == content) {
                    equal |= 1_u64.checked_shl(at - 1).unwrap_or(0);
                }
                at += 1;
            }
        }
        equal
    }

    /// Returns whether an earlier operator leads to the same child up to symmetry, given the
    /// [equal blocks](Self::equal_blocks) of the state.
    #[inline]
    pub fn has_twin(&self, operator: u32, equal: u64) -> bool {
        self.twins[operator as usize] & equal != 0
    }

    #[inline]
    fn sorted(&self, mut word: W) -> W {
        self.sorters.iter().for_each(|sorter| sorter.sort(&mut word));
        word
    }
}

impl Sorter {
    fn new(layout: &StateLayout, class: &Class) -> Sorter {
        let fields = |block: &Vec<Var>| {
            let mut shift = 0;
            let fields = block.iter().map(|&var| {
                let field = layout.fields[var];
                shift += field.bits();
                (field, shift - field.bits())
            });
            fields.collect()
        };
        Sorter { blocks: class.blocks.iter().map(fields).collect() }
    }

    #[inline]
    fn content<W: Word>(block: &[(Field, u32)], word: &W) -> u64 {
        block.iter().fold(0, |content, &(field, shift)| content | u64::from(word.get(field)) << shift)
    }

    /// Sorts the contents of the blocks.
    fn sort<W: Word>(&self, word: &mut W) {
        let (mut buffer, mut heap) = ([0_u64; BUFFER], Vec::new());
        let contents = match self.blocks.len() {
            few @ ..=BUFFER => &mut buffer[..few],
            many => {
                heap.resize(many, 0);
                &mut heap[..]
            }
        };
        for (content, block) in contents.iter_mut().zip(&self.blocks) {
            *content = Sorter::content(block, word);
        }
        if contents.is_sorted() {
            return;
        }
        contents.sort_unstable();
        for (content, block) in contents.iter().zip(&self.blocks) {
            for &(field, shift) in block {
                word.clear(field);
                word.put(field, field.low_bits(content >> shift));
            }
        }
    }
}

impl<W: Word> Chunk<W> {
    fn new(task: &Task, layout: &StateLayout, vars: &[Var], to: &Permutation) -> Chunk<W> {
        let bits = layout.span(vars[0], vars[vars.len() - 1]).expect("fields of a chunk are adjacent");
        let entry = |number: usize| {
            let mut word = W::zero(layout.bits);
            for &var in vars {
                let value = bits.value(number, layout.fields[var]);
                // Bit patterns without a value occur in no state.
                let known = usize::from(value) < task.size(var);
                word.put(layout.fields[to.to[var]], if known { to.value(var, value) } else { 0 });
            }
            word
        };
        Chunk { bits, table: (0..1 << bits.bits()).map(entry).collect() }
    }

    #[inline]
    fn image(&self, word: &W) -> &W {
        &self.table[word.read(self.bits)]
    }
}

/// Returns for each operator the pairs of neighbouring blocks whose exchange maps it to an earlier operator, as bits.
/// In a state in which the blocks are equal, the exchange changes nothing, so both lead to the same child up to
/// symmetry. The first of several such operators is never one with a twin.
fn twins(task: &Task, symmetries: &Symmetries) -> Vec<u64> {
    let mut twins = vec![0; task.operators.len()];
    if symmetries.classes.is_empty() {
        return twins;
    }
    let mut first = FxHashMap::default();
    for (number, operator) in task.operators.iter().enumerate() {
        first.entry(NormalForm::of(Cow::Borrowed(operator))).or_insert(number);
    }
    let mut bit = 0;
    for class in &symmetries.classes {
        for pair in class.blocks.windows(2) {
            if bit >= u64::BITS {
                return twins;
            }
            let swap = swap(task, &pair[0], &pair[1]);
            let moved = swap.moved();
            let counters = counter_images(task, &swap).expect("an exchange of interchangeable blocks is a symmetry");
            for (number, one) in task.operators.iter().enumerate() {
                let image = || first.get(&NormalForm::of(Cow::Owned(operator(one, &swap, &counters))));
                if may_change(one, &swap, &moved, &counters) && image().is_some_and(|&image| image < number) {
                    twins[number] |= 1 << bit;
                }
            }
            bit += 1;
        }
        // The last block of a class and the first of the next are no pair.
        bit += 1;
    }
    twins
}

/// Returns the exchange of two blocks.
pub fn swap(task: &Task, one: &[Var], other: &[Var]) -> Permutation {
    let mut swap = Permutation::identity(task.variables.len());
    for (&one, &other) in one.iter().zip(other) {
        (swap.to[one], swap.to[other]) = (other, one);
    }
    swap
}
