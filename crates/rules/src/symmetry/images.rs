//! The canonical representative of a packed state: the least of its images, each with its blocks sorted.

use super::{Class, MOST_BLOCKS, Permutation, Symmetries};
use crate::packed::{BitSpan, Field, Layout, Word};
use crate::task::{Task, Var};

/// The most bits of a state that are looked up at once.
const CHUNK_BITS: usize = 11;

/// Tables that compute the images of a state.
pub(in super::super) struct Images<W> {
    sorters: Vec<Sorter>,
    images: Vec<Vec<Chunk<W>>>,
}

/// Interchangeable blocks, each of some fields.
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
        let layout = Layout::new(task);
        let sorters = symmetries.classes.iter().map(|class| Sorter::new(&layout, class)).collect();
        let image = |to: &Permutation| {
            let mut chunks: Vec<Vec<Var>> = Vec::new();
            for var in 0..task.variables.len() {
                let joins = |chunk: &Vec<Var>| layout.span(chunk[0], var).is_some_and(|span| span.bits() <= CHUNK_BITS);
                match chunks.last_mut().filter(|chunk| joins(chunk)) {
                    Some(chunk) => chunk.push(var),
                    None => chunks.push(vec![var]),
                }
            }
            chunks.iter().map(|vars| Chunk::new(task, &layout, vars, to)).collect()
        };
        // For long words, the images cost more than they save.
        let others = if W::MASKS { &symmetries.others[..] } else { &[] };
        Images { sorters, images: others.iter().map(image).collect() }
    }

    /// Returns whether the group is trivial.
    pub fn is_empty(&self) -> bool {
        self.sorters.is_empty() && self.images.is_empty()
    }

    /// Returns the canonical representative: the least image of a state.
    #[inline]
    pub fn canonical(&self, word: W) -> W {
        if self.images.is_empty() {
            return self.sorted(word);
        }
        let mut least = self.sorted(word.clone());
        for chunks in &self.images {
            let mut image = chunks[0].image(&word).clone();
            chunks[1..].iter().for_each(|chunk| image.merge(chunk.image(&word)));
            let image = self.sorted(image);
            if image < least {
                least = image;
            }
        }
        least
    }

    #[inline]
    fn sorted(&self, mut word: W) -> W {
        self.sorters.iter().for_each(|sorter| sorter.sort(&mut word));
        word
    }
}

impl Sorter {
    fn new(layout: &Layout, class: &Class) -> Sorter {
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

    /// Sorts the contents of the blocks.
    fn sort<W: Word>(&self, word: &mut W) {
        let mut contents = [0u64; MOST_BLOCKS];
        let contents = &mut contents[..self.blocks.len()];
        for (content, block) in contents.iter_mut().zip(&self.blocks) {
            block.iter().for_each(|&(field, shift)| *content |= u64::from(word.get(field)) << shift);
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
    fn new(task: &Task, layout: &Layout, vars: &[Var], to: &Permutation) -> Chunk<W> {
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
