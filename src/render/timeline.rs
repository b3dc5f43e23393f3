//! The timeline: the duration of a film, and the positions it shows.
//!
//! If a film has too many moves, it shows only every n-th position, without motion between them.

/// The duration of a film of many moves, in seconds.
const WHOLE: f64 = 45.0;
/// The fraction of a move's time during which its figures move; then they rest.
const MOVING: f64 = 0.7;

/// The positions shown, and their times.
pub(super) struct Timeline {
    /// The numbers of moves after which positions are shown, including the start and the end.
    pub shown: Vec<usize>,
    /// True if figures move from one position to the next.
    pub is_smooth: bool,
    /// Seconds for the start, for each position after it, and in addition for the last.
    pub first: f64,
    pub each: f64,
    pub last: f64,
}

impl Timeline {
    /// Shows at most `most` positions after the start, `speed` times as fast as usual.
    pub fn new(moves: usize, most: usize, speed: f64) -> Timeline {
        let every = moves.div_ceil(most).max(1);
        let mut shown: Vec<usize> = (0..moves).step_by(every).collect();
        shown.push(moves);
        let is_smooth = every == 1;
        let each = (WHOLE / shown.len() as f64).clamp(if is_smooth { 0.16 } else { 0.08 }, 0.7);
        Timeline { shown, is_smooth, first: 0.9 / speed, each: each / speed, last: 2.2 / speed }
    }

    /// Returns the seconds from the start to the next start of the loop.
    pub fn whole(&self) -> f64 {
        self.first + self.each * (self.shown.len() - 1) as f64 + self.last
    }

    /// Returns the times when the figures begin to move to the shown position with this number, and when they arrive.
    pub fn motion(&self, number: usize) -> (f64, f64) {
        let begins = self.first + self.each * (number - 1) as f64;
        (begins, begins + self.moving())
    }

    /// Returns the seconds during which figures move.
    pub fn moving(&self) -> f64 {
        if self.is_smooth { self.each * MOVING } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_and_the_last_position_are_shown_however_many_there_are() {
        for moves in [0, 1, 2, 499, 500, 501, 36_000] {
            let timeline = Timeline::new(moves, 500, 1.0);
            assert_eq!((timeline.shown[0], timeline.shown.last()), (0, Some(&moves)));
            assert!(timeline.shown.len() <= 502 && timeline.shown.is_sorted() && timeline.whole() > 3.0);
        }
    }
}
