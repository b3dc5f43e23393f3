//! The clock of a game: the time since a level was begun, over several sittings. It stands still once the level is won.

use std::time::{Duration, Instant};

/// The time that a game has taken.
pub(super) struct Clock {
    spent: Duration,
    last: Option<Instant>,
}

impl Clock {
    /// Returns a clock after this time.
    pub fn starting_at(spent: Duration) -> Clock {
        Clock { spent, last: None }
    }

    /// Advances the clock, if it is running; returns whether another second has begun.
    pub fn tick(&mut self, now: Instant, is_running: bool) -> bool {
        let before = self.seconds();
        if let Some(last) = self.last.replace(now).filter(|_| is_running) {
            self.spent += now.saturating_duration_since(last);
        }
        self.seconds() != before
    }

    /// Sets the clock to zero.
    pub fn restart(&mut self) {
        self.spent = Duration::ZERO;
    }

    pub fn seconds(&self) -> u64 {
        self.spent.as_secs()
    }
}

/// Writes a time as `0:42` or `1:02:03`.
pub(super) fn written(seconds: u64) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_runs_over_several_sittings_until_the_level_is_won() {
        let start = Instant::now();
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        let mut clock = Clock::starting_at(Duration::from_secs(58));
        assert!(!clock.tick(at(0), true), "the first tick only starts it");
        assert!(clock.tick(at(3), true));
        assert!(!clock.tick(at(5), false), "it stands still");
        assert!(clock.tick(at(6), true));
        assert_eq!(written(clock.seconds()), "1:02");
        assert_eq!([written(0), written(3723)], ["0:00", "1:02:03"]);
        clock.restart();
        assert_eq!(clock.seconds(), 0);
    }
}
