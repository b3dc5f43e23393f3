//! Axes: the positions of ticks and of numbers.

/// Returns at most `most` whole numbers, evenly spaced from 0 to at least `max`: steps of 1, 2 or 5 times a power of
/// ten.
pub(super) fn linear_ticks(max: u64, most: usize) -> Vec<u64> {
    let most = most.max(2) as u64 - 1;
    let steps = (0..20).flat_map(|power| [1, 2, 5].map(|digit| 10_u64.saturating_pow(power).saturating_mul(digit)));
    let step = steps.into_iter().find(|step| max.div_ceil(*step) <= most).unwrap_or(u64::MAX);
    (0..=max.div_ceil(step).max(1)).map(|tick| tick.saturating_mul(step)).collect()
}

/// A logarithmic axis: the powers of ten that enclose all numbers, with room before the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LogAxis {
    pub least: i32,
    pub greatest: i32,
}

/// The space before the least number, in powers of ten, so that short bars can be seen.
const ROOM: f64 = 0.3;

impl LogAxis {
    /// Creates the axis of some numbers. Numbers that are not positive have no place; axes of whole numbers begin at 1.
    pub fn over(numbers: impl Iterator<Item = f64> + Clone) -> LogAxis {
        let are_whole = numbers.clone().all(|number| number.fract() == 0.0);
        let logs = numbers.filter(|number| *number > 0.0).map(f64::log10);
        let (least, greatest) = logs.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, greatest), log| {
            (least.min((log - ROOM).floor()), greatest.max((log - 1e-9).ceil()))
        });
        if least > greatest {
            return LogAxis { least: 0, greatest: 1 };
        }
        let least = if are_whole { 0.0 } else { least };
        LogAxis { least: least as i32, greatest: (greatest as i32).max(least as i32 + 1) }
    }

    /// Returns the position of a number along the axis, from 0 to 1.
    pub fn place(self, number: f64) -> f64 {
        let along =
            (number.max(f64::MIN_POSITIVE).log10() - f64::from(self.least)) / f64::from(self.greatest - self.least);
        along.clamp(0.0, 1.0)
    }

    /// Returns the powers of ten with a tick: at most `most`, evenly spaced.
    pub fn ticks(self, most: usize) -> Vec<i32> {
        let decades = (self.greatest - self.least) as usize;
        let stride = (1..).find(|stride| decades / stride < most.max(2)).unwrap_or(1);
        (self.least..=self.greatest).step_by(stride).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_that_enclose_all() {
        assert_eq!(linear_ticks(24_047, 7), [0, 5000, 10_000, 15_000, 20_000, 25_000]);
        assert_eq!(linear_ticks(31, 12), [0, 5, 10, 15, 20, 25, 30, 35]);
        assert_eq!(linear_ticks(1, 8), [0, 1]);
        assert_eq!(linear_ticks(0, 8), [0, 1], "an axis without numbers has a length");
        assert_eq!(linear_ticks(3, 8), [0, 1, 2, 3], "ticks are whole numbers");
        for max in (0..64).map(|bits| (1_u64 << bits) - 1).chain([u64::MAX]) {
            let ticks = linear_ticks(max, 6);
            assert!(ticks.len() <= 6 && *ticks.last().unwrap() >= max, "{max}: {ticks:?}");
        }
    }

    #[test]
    fn a_logarithmic_axis_ends_at_powers_of_ten() {
        let axis = LogAxis::over([0.0, 7.0, 181_440.0].into_iter());
        assert_eq!(axis, LogAxis { least: 0, greatest: 6 });
        assert_eq!((axis.place(1.0), axis.place(1000.0), axis.place(1e6)), (0.0, 0.5, 1.0));
        assert_eq!(axis.place(0.0), 0.0, "zero lies at the beginning");
        assert_eq!(axis.ticks(4), [0, 2, 4, 6]);
        assert_eq!(LogAxis::over([1000.0].into_iter()), LogAxis { least: 0, greatest: 3 });
        assert_eq!(LogAxis::over([1.0].into_iter()), LogAxis { least: 0, greatest: 1 }, "an axis has a length");
        assert_eq!(LogAxis::over([0.0].into_iter()), LogAxis { least: 0, greatest: 1 });
        assert_eq!(LogAxis::over([0.002, 0.5].into_iter()), LogAxis { least: -3, greatest: 0 });
        assert_eq!(LogAxis::over([0.0011, 2.0].into_iter()), LogAxis { least: -4, greatest: 1 }, "room for short bars");
    }
}
