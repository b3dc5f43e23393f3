//! The parts of a drawing that names of moves and messages mention: its places, letters and obstacles.

use super::{Drawing, Edge, From, Matched, Obstacle, PatternCell, Place, Trace, World};

impl Drawing {
    /// Returns why the drawings do not fit at a place, if they do not.
    pub fn obstacle(&self, place: Place, cells: &Trace, world: &World) -> Option<Obstacle> {
        let mut matched = vec![None; self.letters.len()];
        let mut parts = self.parts(place);
        let obstacle = parts.find_map(|(drawing, place)| drawing.obstacle_of_one(place, cells, world, &mut matched));
        let is_apart = || self.lie_apart(place);
        obstacle.or_else(|| (!is_apart()).then_some(Obstacle::Together)).or_else(|| {
            // Only a new symbol can be undefined.
            self.apply_together(place, cells).is_none().then_some(Obstacle::Undefined)
        })
    }

    fn obstacle_of_one(
        &self,
        place: Place,
        cells: &Trace,
        world: &World,
        matched: &mut [Option<u32>],
    ) -> Option<Obstacle> {
        let image = &self.images[place.image];
        let under = |spot: &PatternCell| self.cell_at(spot.offset, place.cell, world);
        let mut covered: Vec<usize> = image.spots.iter().filter_map(under).collect();
        covered.sort_unstable();
        if covered.windows(2).any(|two| two[0] == two[1]) {
            return Some(Obstacle::Overlap);
        }
        for (passed, spot) in image.spots.iter().enumerate() {
            let Some(cell) = under(spot) else {
                if self.edge == Edge::Clip {
                    continue;
                }
                return Some(Obstacle::OffGrid { passed });
            };
            let (there, at) = (cells[cell], self.target_place(spot.offset, place.cell, world));
            let stands = |wanted: String| {
                let there = world.value(there).to_string();
                Some(Obstacle::WrongSymbol { passed, place: at, there, wanted })
            };
            match spot.from {
                From::Anything => {}
                From::Symbol(symbol) if symbol == there => {}
                From::Symbol(symbol) => return stands(world.value(symbol).to_string()),
                From::Letter(number) => {
                    let ((letter, _), symbols) = (self.letters[number], &image.letters[number]);
                    match matched[number] {
                        Some(before) if before != there => return stands(world.value(before).to_string()),
                        None if !symbols.contains(&there) => return stands(letter.to_string()),
                        _ => matched[number] = Some(there),
                    }
                }
            }
            let mark = world.marks.get(cell).copied().unwrap_or('.');
            if let Some(wanted) = spot.on.filter(|wanted| *wanted != mark) {
                return Some(Obstacle::WrongMark { passed, place: at, there: mark, wanted });
            }
        }
        self.is_fenced(image, place.cell, world).then_some(Obstacle::Fence { passed: image.spots.len() })
    }

    /// Returns the set letters in `from`.
    pub fn letters(&self) -> impl Iterator<Item = char> {
        self.letters.iter().filter(|(_, copy)| *copy == 0).map(|(letter, _)| *letter)
    }

    /// Returns the set letters in `from`, each with the symbol that it matches at a place: in a run, in its first cell.
    pub fn all_matched(&self, place: Place, cells: &Trace, world: &World) -> Vec<Matched> {
        let letters = self.letters.iter().enumerate().filter(|(_, (_, copy))| *copy == 0);
        letters.map(|(number, (letter, _))| (*letter, self.matched(number, place, cells, world))).collect()
    }

    /// Returns the symbol that a letter matches: that on its first cell on the grid.
    fn matched(&self, letter: usize, place: Place, cells: &Trace, world: &World) -> Option<u32> {
        self.parts(place).find_map(|(drawing, place)| drawing.matched_by_one(letter, place, cells, world))
    }

    fn matched_by_one(&self, letter: usize, place: Place, cells: &Trace, world: &World) -> Option<u32> {
        let mut spots = self.images[place.image].spots.iter().filter(|spot| spot.from == From::Letter(letter));
        spots.find_map(|spot| self.cell_at(spot.offset, place.cell, world)).map(|cell| cells[cell])
    }

    /// Returns the row and the column on the grid of a cell of the drawing.
    pub fn place_of(&self, of: (usize, usize), place: Place, world: &World) -> Option<(i64, i64)> {
        let spot = self.images[place.image].spots.iter().find(|spot| spot.of == of)?;
        Some(self.target_place(spot.offset, place.cell, world))
    }

    /// Returns the row and the column of the place of a further drawing.
    pub fn place_of_further(&self, number: usize, place: Place, world: &World) -> (usize, usize) {
        (place.further[number] / world.columns, place.further[number] % world.columns)
    }

    /// Returns the number of drawings besides the first.
    pub fn further(&self) -> usize {
        self.further.len()
    }

    /// Returns whether the file's drawing has this cell.
    pub fn has(&self, of: (usize, usize)) -> bool {
        self.images[0].spots.iter().any(|spot| spot.of == of)
    }
}
