//! Ranking of the placements of some tiles on a board: each digit of a mixed radix is the position of a tile's cell
//! among the free ones (Myrvold and Ruskey 2001 review rankings of permutations).

/// The greatest number of tiles of a group: the orders of more do not fit into 16 bits.
pub(in super::super::super) const MOST_TILES: usize = 8;

/// The cells of up to eight tiles, a byte each, the first tile in the lowest byte.
pub(in super::super::super) type Placed = u64;

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = LOW << 7;

/// The placements of `tiles` distinct tiles on `cells` cells.
#[derive(Clone, Copy, Debug)]
pub(in super::super::super) struct Placements {
    cells: u64,
    tiles: usize,
    /// The weight of each tile's digit.
    weights: [u64; MOST_TILES],
    /// The highest bits of the tiles' bytes.
    used: u64,
}

impl Placements {
    pub fn new(cells: usize, tiles: usize) -> Placements {
        let cells = cells as u64;
        let mut weights = [0; MOST_TILES];
        let mut weight = 1_u64;
        for tile in (0..tiles.min(MOST_TILES)).rev() {
            weights[tile] = weight;
            weight = weight.saturating_mul(cells.saturating_sub(tile as u64));
        }
        Placements { cells, tiles, weights, used: HIGH & !u64::MAX.checked_shl(8 * tiles as u32).unwrap_or(0) }
    }

    /// Returns the number of placements, if it fits into 64 bits.
    pub fn count(self) -> Option<u64> {
        (0..self.tiles as u64).try_fold(1_u64, |count, tile| count.checked_mul(self.cells.saturating_sub(tile)))
    }

    /// Returns the number of tiles.
    pub fn tiles(&self) -> usize {
        self.tiles
    }

    /// Returns the change of the rank when the tile moves to the next cell. It fits because tables have fewer than 2^32
    /// placements.
    pub fn weight(&self, tile: usize) -> u32 {
        self.weights[tile] as u32
    }

    /// Returns the rank of a placement.
    #[inline]
    pub fn rank(&self, placed: Placed) -> u64 {
        // Each digit is a cell minus the number of earlier tiles on lower cells. Cells are below 128, so one
        // subtraction compares all bytes; the bytes that are shifted in are masked off.
        let mut digits = placed;
        let mut earlier = 1;
        while earlier < MOST_TILES {
            let shift = 8 * earlier as u32;
            let below = ((placed | HIGH) - (placed << shift)) & (self.used << shift) & self.used;
            digits -= below >> 7;
            earlier += 1;
        }
        (0..MOST_TILES).map(|tile| (digits >> (8 * tile) & 255) * self.weights[tile]).sum()
    }
}
