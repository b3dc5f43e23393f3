//! Symmetry reduction by reflections and rotations of the board: if walls, gates, pieces and goals are all invariant, a
//! position and its image have the same distance to a goal, so a search needs only one of them.
//!
//! A symmetry maps the anchors of each class to those of a class of the image shape. For packed keys, there is a table
//! for every few bits; the key of the image is the bitwise or of the entries for the key's parts.

use super::bits::{Field, Packed};
use super::board::{Direction, Place};
use super::compiled_board::{CellIndex, Class, CompiledBoard, Placement};

/// The greatest number of bits of a set that one table look-up processes.
const CHUNK: u32 = 8;

/// The greatest number of bits of a key. For longer keys, the tables would take more memory than they save.
const MOST_BITS: u32 = 512;

/// The symmetries of a board except the identity.
pub(super) struct Symmetries<K> {
    images: Vec<Image<K>>,
}

/// The greatest number of symmetries: a square has eight, with the identity.
const MOST_SYMMETRIES: usize = 7;

/// The effect of a symmetry on keys.
struct Image<K> {
    chunks: Vec<Chunk<K>>,
    /// For each class, the field of its image class.
    fields: Vec<Field>,
    /// For each class and cell, the image of the anchor.
    anchors: Vec<Vec<CellIndex>>,
}

/// A table of the images of some bits of a key: those from bit `at` on, under a mask.
struct Chunk<K> {
    at: u32,
    mask: u64,
    images: Vec<K>,
}

impl<K: Packed> Image<K> {
    fn of(&self, key: &K) -> K {
        let images = |chunk: &Chunk<K>| chunk.images[(key.word(chunk.at) & chunk.mask) as usize].clone();
        let parts = self.chunks.iter().map(images);
        let join = |mut all: K, part: K| {
            all.join(&part);
            all
        };
        parts.reduce(join).unwrap_or_else(|| key.clone())
    }
}

impl<K: Packed> Symmetries<K> {
    /// Returns the symmetries of a layout with these fields in keys of this many bits, or none for the longest keys.
    pub fn new(compiled: &CompiledBoard, fields: &[Field], bits: u32) -> Self {
        let possible = |transformation: &Transformation| {
            bits <= MOST_BITS && (!transformation.transposed || compiled.rows == compiled.columns)
        };
        let transformations = Transformation::all().filter(possible);
        let symmetries = transformations.filter_map(|transformation| Symmetry::new(compiled, transformation));
        Symmetries { images: symmetries.map(|symmetry| symmetry.image(compiled, fields, bits)).collect() }
    }

    pub fn len(&self) -> usize {
        self.images.len()
    }

    /// Returns the canonical representative: the least of a key and its images.
    #[inline]
    pub fn canonical(&self, key: K) -> K {
        self.images.iter().fold(key.clone(), |least, image| least.min(image.of(&key)))
    }

    /// Returns a function from a child of this key to its canonical representative. A move of the key maps to a move of
    /// its images, so these are computed only once.
    #[inline]
    pub fn canonical_of_child(&self, key: &K) -> impl Fn(u16, u32, u32, K) -> K {
        let images: [K; MOST_SYMMETRIES] =
            std::array::from_fn(|number| self.images.get(number).map_or_else(|| key.clone(), |image| image.of(key)));
        move |class, from, to, child| {
            self.images.iter().zip(&images).fold(child, |least, (image, of_key)| {
                let mut other = of_key.clone();
                let anchors = &image.anchors[usize::from(class)];
                let (from, to) = (anchors[from as usize].into(), anchors[to as usize].into());
                image.fields[usize::from(class)].relocate(&mut other, from, to);
                least.min(other)
            })
        }
    }
}

/// A reflection or rotation of a board: it may first transpose rows and columns, then flip upside down, then mirror
/// left to right.
#[derive(Clone, Copy)]
struct Transformation {
    transposed: bool,
    flipped: bool,
    mirrored: bool,
}

impl Transformation {
    /// Returns all except the identity.
    fn all() -> impl Iterator<Item = Transformation> {
        (1..8).map(|n| Transformation { transposed: n & 4 != 0, flipped: n & 2 != 0, mirrored: n & 1 != 0 })
    }

    /// Returns the upper left corner of the image of a box of this height and width, on a board of these rows and
    /// columns.
    fn corner(self, (row, column): Place, (height, width): Place, (rows, columns): Place) -> Place {
        let ((row, column), (height, width)) =
            if self.transposed { ((column, row), (width, height)) } else { ((row, column), (height, width)) };
        let row = if self.flipped { rows - row - height } else { row };
        let column = if self.mirrored { columns - column - width } else { column };
        (row, column)
    }

    fn direction(self, direction: Direction) -> Direction {
        use Direction::{Down, Left, Right, Up};
        let direction = match direction {
            Up if self.transposed => Left,
            Down if self.transposed => Right,
            Left if self.transposed => Up,
            Right if self.transposed => Down,
            same => same,
        };
        match direction {
            Up if self.flipped => Down,
            Down if self.flipped => Up,
            Left if self.mirrored => Right,
            Right if self.mirrored => Left,
            same => same,
        }
    }
}

/// A transformation under which a layout is invariant.
struct Symmetry {
    /// For each class, its image class.
    classes: Vec<usize>,
    /// For each class and cell, the image of the anchor.
    anchors: Vec<Vec<Option<CellIndex>>>,
}

impl Symmetry {
    /// Returns the transformation as a symmetry, if it is one.
    fn new(compiled: &CompiledBoard, transformation: Transformation) -> Option<Symmetry> {
        let size = (compiled.rows, compiled.columns);
        let place = |cell: usize| (cell / compiled.columns, cell % compiled.columns);
        let index = |(row, column): Place| row * compiled.columns + column;
        let image = |cell: usize| index(transformation.corner(place(cell), (1, 1), size));
        if (0..compiled.cells()).any(|cell| compiled.floor[cell] != compiled.floor[image(cell)]) {
            return None;
        }
        let anchors_of = |class: &Class| -> Vec<Option<CellIndex>> {
            let cells = || class.cells.iter().map(|&cell| place(cell as usize));
            let height = cells().map(|(row, _)| row + 1).max().unwrap_or(1);
            let width = cells().map(|(_, column)| column + 1).max().unwrap_or(1);
            let fits = |(row, column): Place| row + height <= compiled.rows && column + width <= compiled.columns;
            let anchor = |cell: usize| index(transformation.corner(place(cell), (height, width), size)) as CellIndex;
            (0..compiled.cells()).map(|cell| fits(place(cell)).then(|| anchor(cell))).collect()
        };
        let mut symmetry = Symmetry { classes: Vec::new(), anchors: Vec::new() };
        let same_place: Vec<Option<CellIndex>> = (0..compiled.cells()).map(|cell| Some(cell as CellIndex)).collect();
        let demanded: Vec<_> = (0..compiled.classes.len()).map(|class| demands(compiled, class, &same_place)).collect();
        for (number, class) in compiled.classes.iter().enumerate() {
            let anchors = anchors_of(class);
            let wanted = demands(compiled, number, &anchors);
            let looks_like = |&other: &usize| {
                // Checked first: it distinguishes many pieces with goals of their own without comparing shapes.
                demanded[other] == wanted
                    && !symmetry.classes.contains(&other)
                    && looks_like(class, &compiled.classes[other], &anchors, transformation, image)
            };
            let other = (0..compiled.classes.len()).find(looks_like)?;
            symmetry.classes.push(other);
            symmetry.anchors.push(anchors);
        }
        let mapped = |placement: &Placement| {
            let classes: Vec<usize> = placement.classes.iter().map(|&class| symmetry.classes[class]).collect();
            let at = symmetry.anchors[placement.classes[0]][usize::from(placement.at)]?;
            Some((sorted(classes), at))
        };
        let unmapped = |placement: &Placement| Some((sorted(placement.classes.clone()), placement.at));
        let goals: Vec<_> = compiled.goals.iter().map(|goal| sorted(goal.iter().map(unmapped).collect())).collect();
        let images: Vec<_> = compiled.goals.iter().map(|goal| sorted(goal.iter().map(mapped).collect())).collect();
        same(goals, images).then_some(symmetry)
    }

    /// Returns the effect on keys.
    fn image<K: Packed>(&self, compiled: &CompiledBoard, fields: &[Field], bits: u32) -> Image<K> {
        let anchors = self.anchors.iter().map(|anchors| anchors.iter().map(|anchor| anchor.unwrap_or(0)).collect());
        Image {
            chunks: self.chunks(compiled, fields, bits),
            fields: self.classes.iter().map(|&class| fields[class]).collect(),
            anchors: anchors.collect(),
        }
    }

    /// Returns the tables for keys.
    fn chunks<K: Packed>(&self, compiled: &CompiledBoard, fields: &[Field], bits: u32) -> Vec<Chunk<K>> {
        let mut chunks = Vec::new();
        for (number, class) in compiled.classes.iter().enumerate() {
            let (field, to) = (&fields[number], &fields[self.classes[number]]);
            let image = |place: u32| {
                let anchor = (field.min + place) as usize;
                let possible = class.placements.get(anchor).is_some_and(|&possible| possible);
                self.anchors[number].get(anchor).copied().flatten().filter(|_| possible)
            };
            let width = if field.is_set { CHUNK } else { field.width.max(1) };
            for at in (0..field.width.max(1)).step_by(width as usize) {
                let width = width.min(field.width - at.min(field.width));
                let mut images = vec![K::zero(bits); 1 << width];
                for value in 0..images.len() {
                    let mut place = value as u32;
                    if field.is_set {
                        if value == 0 {
                            continue;
                        }
                        // A set has the images of the set without its first member, and one more.
                        images[value] = images[value & (value - 1)].clone();
                        place = at + value.trailing_zeros();
                    }
                    if let Some(anchor) = image(place) {
                        to.insert(&mut images[value], anchor.into());
                    }
                }
                chunks.push(Chunk { at: field.at + at, mask: (1 << width) - 1, images });
            }
        }
        chunks
    }
}

/// Returns whether the image of one class is another: the same number of pieces, shape and moves.
fn looks_like(
    class: &Class,
    other: &Class,
    anchors: &[Option<CellIndex>],
    transformation: Transformation,
    image: impl Fn(usize) -> usize,
) -> bool {
    let mapped = |at: usize| anchors[at].map(usize::from);
    let mut possible = (0..anchors.len()).filter(|&at| class.placements[at]);
    let count = |class: &Class| class.placements.iter().filter(|&&possible| possible).count();
    class.pieces.len() == other.pieces.len()
        && class.cells.len() == other.cells.len()
        && class.steps.len() == other.steps.len()
        && count(class) == count(other)
        && possible.all(|at| {
            let Some(to) = mapped(at).filter(|&to| other.placements[to]) else { return false };
            let covered = class.cells.iter().map(|cell| image(at.wrapping_add_signed(*cell as isize)));
            let looks = other.cells.iter().map(|cell| to.wrapping_add_signed(*cell as isize));
            let steps = class.steps.iter().all(|step| {
                let direction = transformation.direction(step.direction);
                let there = other.steps.iter().find(|other| other.direction == direction);
                there.is_some_and(|there| there.from[to] == step.from[at])
            });
            steps && same(covered.collect(), looks.collect())
        })
}

/// Returns the sorted places that goals require for a class, mapped by `anchors`.
fn demands(compiled: &CompiledBoard, class: usize, anchors: &[Option<CellIndex>]) -> Vec<Option<CellIndex>> {
    let stands = compiled.goals.iter().flatten().filter(|placement| placement.classes.contains(&class));
    sorted(stands.map(|placement| anchors[usize::from(placement.at)]).collect())
}

fn sorted<T: Ord>(mut items: Vec<T>) -> Vec<T> {
    items.sort_unstable();
    items
}

/// Returns whether two lists contain the same elements, in any order.
fn same<T: Ord>(one: Vec<T>, two: Vec<T>) -> bool {
    sorted(one) == sorted(two)
}
