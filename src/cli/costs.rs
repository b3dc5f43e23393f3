//! The value of `--cost`: the costs of random boards, as ranges.

use crate::puzzle::spread_costs;
use std::fmt;
use std::str::FromStr;

/// The costs from the first to the last, `step` apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Costs {
    first: u32,
    last: u32,
    step: u32,
}

impl Costs {
    /// Returns the costs in ascending order.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        (self.first..=self.last).step_by(self.step as usize)
    }

    /// Returns this many of the costs, evenly spread and ascending.
    pub fn spread(self, count: usize) -> Vec<u32> {
        let numbers = spread_costs(0..=(self.count() - 1) as u32, count);
        numbers.into_iter().map(|number| self.first + number * self.step).collect()
    }

    /// Returns the number of costs.
    pub fn count(self) -> u64 {
        u64::from((self.last - self.first) / self.step) + 1
    }
}

impl FromStr for Costs {
    type Err = String;

    fn from_str(text: &str) -> Result<Costs, String> {
        let (range, step) = text.split_once('/').map_or((text, "1"), |(range, step)| (range, step));
        let (first, last) = range.split_once("..").unwrap_or((range, range));
        let number = |text: &str| text.trim().parse::<u32>().ok();
        let costs = number(first).zip(number(last)).zip(number(step).filter(|&step| step > 0));
        let costs = costs.map(|((first, last), step)| Costs { first, last, step });
        let wrong = "expected a range of whole costs such as 2..24, 2..24/2 for every second one, or one cost";
        costs.filter(|costs| costs.first <= costs.last).ok_or_else(|| wrong.to_owned())
    }
}

impl fmt::Display for Costs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.first == self.last, self.step) {
            (true, _) => write!(f, "{}", self.first),
            (false, 1) => write!(f, "{}..{}", self.first, self.last),
            (false, step) => write!(f, "{}..{}/{step}", self.first, self.last),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Costs;

    #[test]
    fn costs_are_ranges_with_steps() {
        let costs = |text: &str| text.parse::<Costs>().map(|costs| costs.iter().collect::<Vec<_>>());
        assert_eq!(costs("2..5"), Ok(vec![2, 3, 4, 5]));
        assert_eq!((costs("2..7/2"), costs("9")), (Ok(vec![2, 4, 6]), Ok(vec![9])));
        for wrong in ["", "..", "5..2", "2..", "..4", "a..b", "1..4/0", "-1..3", "1.5", "2...4", "1..5000000000"] {
            assert!(costs(wrong).is_err(), "{wrong}");
        }
        for text in ["2..24", "2..24/2", "9"] {
            assert_eq!(text.parse::<Costs>().map(|costs| costs.to_string()), Ok(text.to_owned()));
        }
        assert_eq!("0..4294967295".parse::<Costs>().map(Costs::count), Ok(1 << 32));
        assert_eq!("2..7/2".parse::<Costs>().map(Costs::count), Ok(3));
    }
}
