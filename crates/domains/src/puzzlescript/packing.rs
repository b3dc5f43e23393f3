//! Boards as keys: for each cell and layer, the number of the object that is there.
//!
//! Only objects that may come into a cell or leave it are numbered, from 1; 0 stands for none of them. A cell holds at
//! most one object of a layer, so a layer with `n` such objects takes ⌈log2 (n + 1)⌉ bits in this cell. The bits of a
//! cell follow those of the cell before without a gap.

use engine_puzzlescript::program::Program;
use engine_search::bit_field::{bits, set_bits};
use rustc_hash::FxHashMap;

/// The layout of keys.
#[derive(Debug)]
pub(super) struct Packing {
    /// The ways in which cells are packed: cells with the same changing objects share one.
    layouts: Vec<CellPacking>,
    cells: Vec<Cell>,
    /// For each word of a key, the first cell with a bit in it.
    first_cells: Vec<u32>,
    /// The objects that cannot change, cell by cell.
    fixed: Vec<u64>,
    /// Words of objects in a cell.
    object_words: usize,
    bits: usize,
}

/// The place of a cell in a key.
#[derive(Clone, Copy, Debug)]
struct Cell {
    layout: u32,
    /// The first bit.
    from: usize,
}

/// The packing of a cell.
#[derive(Debug)]
struct CellPacking {
    /// The objects that may change, as the words of a cell.
    changing: Box<[u64]>,
    fields: Box<[Field]>,
    /// For each object that may change: its field, and its number there.
    places: FxHashMap<u32, (u32, u32)>,
    width: usize,
}

/// The object of one layer in a cell.
#[derive(Debug)]
struct Field {
    /// The first bit in the cell.
    from: usize,
    width: usize,
    /// The objects with the numbers 1, 2, 3 …
    objects: Box<[u32]>,
}

impl CellPacking {
    fn new(program: &Program, changing: &[u64]) -> CellPacking {
        let (mut fields, mut places, mut from) = (Vec::new(), FxHashMap::default(), 0);
        for layer in &program.layers {
            let objects: Box<[u32]> =
                layer.iter().flat_map(|&(word, bits)| objects_of(word, bits & changing[word as usize])).collect();
            if objects.is_empty() {
                continue;
            }
            for (&object, number) in objects.iter().zip(1..) {
                places.insert(object, (fields.len() as u32, number));
            }
            let width = (objects.len().ilog2() + 1) as usize;
            fields.push(Field { from, width, objects });
            from += width;
        }
        CellPacking { changing: changing.into(), fields: fields.into(), places, width: from }
    }
}

/// Returns the numbers of the objects in a word of a cell.
pub(super) fn objects_of(word: u32, mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (bits != 0).then(|| bits.trailing_zeros())?;
        bits &= bits - 1;
        Some(word * 64 + bit)
    })
}

impl Packing {
    /// Returns the layout for the boards of a level that begins with `start`, where only the objects `changing` come
    /// into a cell or leave it.
    pub fn new(program: &Program, start: &[u64], changing: &[u64]) -> Packing {
        let object_words = program.object_words;
        let (mut layouts, mut known) = (Vec::new(), FxHashMap::default());
        let (mut cells, mut first_cells, mut bits) = (Vec::new(), Vec::new(), 0_usize);
        for (index, changing) in changing.chunks_exact(object_words).enumerate() {
            let layout = *known.entry(changing).or_insert_with(|| {
                layouts.push(CellPacking::new(program, changing));
                layouts.len() as u32 - 1
            });
            cells.push(Cell { layout, from: bits });
            bits += layouts[layout as usize].width;
            while first_cells.len() * 64 < bits {
                first_cells.push(index as u32);
            }
        }
        let fixed = start.iter().zip(changing).map(|(objects, changing)| objects & !changing).collect();
        Packing { layouts, cells, first_cells, fixed, object_words, bits }
    }

    /// Returns the number of bits of a packed board.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// Returns whether an object may change in some cell.
    pub fn may_change(&self, object: usize) -> bool {
        self.layouts.iter().any(|layout| layout.places.contains_key(&(object as u32)))
    }

    /// Returns the words that a packed board takes, with at least one bit to spare after those of the board.
    pub fn words(&self) -> usize {
        self.bits / 64 + 1
    }

    /// Packs a board. Returns the words of its key, and whether the key is exact: only objects that may change differ
    /// from the start.
    pub fn pack(&self, board: &[u64]) -> (Vec<u64>, bool) {
        let mut key = vec![0; self.words()];
        let is_exact =
            (0..self.cells.len()).fold(true, |is_exact, cell| self.pack_cell(cell, board, &mut key) & is_exact);
        (key, is_exact)
    }

    /// Turns the key of the board `from` into that of the board `to`. Returns whether it is exact.
    pub fn repack(&self, from: &[u64], to: &[u64], key: &mut [u64]) -> bool {
        let mut is_exact = true;
        let cells = from.chunks_exact(self.object_words).zip(to.chunks_exact(self.object_words));
        for (cell, _) in cells.enumerate().filter(|(_, (from, to))| from != to) {
            is_exact &= self.pack_cell(cell, to, key);
        }
        is_exact
    }

    /// Packs one cell of a board. Returns whether it is exact.
    fn pack_cell(&self, index: usize, board: &[u64], key: &mut [u64]) -> bool {
        let cell = self.cells[index];
        let layout = &self.layouts[cell.layout as usize];
        let words = index * self.object_words..(index + 1) * self.object_words;
        let mut is_exact = true;
        for field in &layout.fields {
            set_bits(key, cell.from + field.from, field.width, 0);
        }
        for (word, ((&objects, &fixed), &changing)) in
            board[words.clone()].iter().zip(&self.fixed[words]).zip(&layout.changing).enumerate()
        {
            is_exact &= objects & !changing == fixed;
            for object in objects_of(word as u32, objects & changing) {
                let (field, number) = layout.places[&object];
                let field = &layout.fields[field as usize];
                let at = cell.from + field.from;
                is_exact &= bits(key, at, field.width) == 0;
                set_bits(key, at, field.width, number.into());
            }
        }
        is_exact
    }

    /// Unpacks a key. `board` holds the board of the key `from`, and afterwards that of `key`: takes time only for what
    /// differs.
    pub fn unpack(&self, from: &[u64], key: &[u64], board: &mut [u64]) {
        for (index, (from, &word)) in from.iter().zip(key).enumerate() {
            let mut differing = from ^ word;
            let mut cell = self.first_cells.get(index).map_or(self.cells.len(), |&cell| cell as usize);
            while differing != 0
                && let Some(&Cell { layout, from }) = self.cells.get(cell)
            {
                let end = from + self.layouts[layout as usize].width;
                let end = end.saturating_sub(index * 64).min(64);
                // Bits of this cell in this word are those below its end: those of the cells before are zero by now.
                let mask = if end == 64 { u64::MAX } else { (1 << end) - 1 };
                if differing & mask != 0 {
                    self.unpack_cell(cell, key, board);
                    differing &= !mask;
                }
                cell += 1;
            }
        }
    }

    /// Unpacks a whole key.
    pub fn unpacked(&self, key: &[u64]) -> Vec<u64> {
        let mut board = self.fixed.clone();
        (0..self.cells.len()).for_each(|cell| self.unpack_cell(cell, key, &mut board));
        board
    }

    fn unpack_cell(&self, index: usize, key: &[u64], board: &mut [u64]) {
        let Cell { layout, from } = self.cells[index];
        let words = index * self.object_words..(index + 1) * self.object_words;
        let board = &mut board[words.clone()];
        board.copy_from_slice(&self.fixed[words]);
        for field in &self.layouts[layout as usize].fields {
            let number = bits(key, from + field.from, field.width) as usize;
            if number > 0 {
                let object = field.objects[number - 1] as usize;
                board[object / 64] |= 1 << (object % 64);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine_puzzlescript::compile::compile;
    use engine_puzzlescript::reader;

    /// Three layers, of 70, 3 and 1 objects.
    fn program() -> Program {
        let many: Vec<String> = (0..70).map(|number| format!("thing{number}")).collect();
        let objects: String = ["background", "player", "crate", "wall"]
            .into_iter()
            .chain(many.iter().map(String::as_str))
            .map(|name| format!("{name}\nblack\n\n"))
            .collect();
        let text = format!(
            "OBJECTS\n{objects}LEGEND\n. = background\np = player\nSOUNDS\nCOLLISIONLAYERS\nbackground\nplayer, crate, \
             wall\n{}\nRULES\n[ > player ] -> [ > player ]\nWINCONDITIONS\nno wall\nLEVELS\np..\n",
            many.join(", ")
        );
        let reading = reader::read(&text);
        let mut diagnostics = reading.diagnostics;
        compile(&reading.game.expect("the game is read"), &mut diagnostics).expect("the game plays")
    }

    #[test]
    fn any_board_is_unpacked_as_it_was_packed_whatever_was_unpacked_before() {
        let program = program();
        let words = program.object_words;
        let (layers, cells) = (program.layers.len(), 9);
        let mut number = 1_u64;
        let mut random = |below: usize| {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (number >> 33) as usize % below
        };
        let start = vec![0; cells * words];
        let all: Vec<u64> = (0..cells * words).map(|word| if word < words { 0 } else { u64::MAX }).collect();
        let packing = Packing::new(&program, &start, &all);
        // The layers have 1, 3 and 70 objects: 1, 2 and 7 bits; the first cell never changes.
        assert_eq!((layers, packing.bits(), packing.words()), (3, 8 * (1 + 2 + 7), 2));
        let (mut before, mut unpacked) = (packing.pack(&start).0, start.clone());
        for _ in 0..1_000 {
            let mut board = start.clone();
            for cell in 1..cells {
                for layer in &program.layers {
                    let objects: Vec<u32> = layer.iter().flat_map(|&(word, bits)| objects_of(word, bits)).collect();
                    if let Some(&object) = objects.get(random(2 * objects.len())) {
                        board[cell * words + object as usize / 64] |= 1 << (object % 64);
                    }
                }
            }
            let (key, is_exact) = packing.pack(&board);
            assert!(is_exact, "only objects that may change are on the board");
            assert_eq!(packing.unpacked(&key), board, "a key holds the whole board");
            let mut again = before.clone();
            assert!(packing.repack(&unpacked, &board, &mut again) && again == key, "repacking gives the same key");
            packing.unpack(&before, &key, &mut unpacked);
            assert_eq!(unpacked, board, "what does not differ is right already");
            before = key;
        }
    }

    #[test]
    fn a_change_that_the_key_cannot_hold_is_reported() {
        let program = program();
        let player = *program.layers[1].first().expect("the layer of the player has objects");
        let start = vec![0; 2 * program.object_words];
        let packing = Packing::new(&program, &start, &start);
        let mut board = start.clone();
        board[player.0 as usize] |= player.1 & player.1.wrapping_neg();
        assert!(!packing.pack(&board).1, "nothing may change");
        let packing = Packing::new(&program, &start, &vec![u64::MAX; start.len()]);
        assert!(packing.pack(&board).1, "one object of a layer");
        board[player.0 as usize] |= player.1;
        assert!(!packing.pack(&board).1, "three objects of a layer");
    }
}
