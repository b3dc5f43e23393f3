//! The others that an exploration is shared out among, as one share sees them.
//!
//! Every record is some share's own, by its [`home`](super::record::Record::home). All shares take the same steps in the
//! same order: in each they send what they make to those whose it is, then add up what they have. So a step that is
//! done somewhere is either done everywhere or, after a failure, done again everywhere.

use super::Step;

/// All shares of an exploration. Whatever fails, fails because all of it ends: a share that cannot go on ends the others.
pub(in crate::search) trait Others: Send {
    /// How many there are, this one included.
    fn shares(&self) -> usize;

    /// The number of this one.
    fn number(&self) -> usize;

    /// Sends some bytes to each share, by number; waits while the others are far behind.
    fn send(&mut self, rows: Vec<Vec<u8>>) -> Step<()>;

    /// What has come, if something has.
    fn come(&mut self) -> Step<Option<Vec<u8>>>;

    /// Nothing more is sent in this step.
    fn finish(&mut self) -> Step<()>;

    /// What comes next; none when all have finished, and all that they sent was handed out: the next step may begin.
    fn rest(&mut self) -> Step<Option<Vec<u8>>>;

    /// The sums over all shares of some numbers; a step of its own.
    fn sum(&mut self, numbers: &[u64]) -> Step<Vec<u64>>;
}
