//! The other shares of a distributed exploration, as one share sees them.
//!
//! Every record belongs to one share, by its [`partition_hash`](super::record::StoredCode::partition_hash). All shares take
//! the same steps in the same order: in each they send the records they generate to the owners, then add up counts. So
//! a step that completed in one share either completes in all or, after a failure, is repeated by all.

use super::StepResult;

/// All shares of an exploration. A failure of one share ends all of them.
pub(in crate::search) trait Peers: Send {
    /// Returns the number of shares, including this one.
    fn shares(&self) -> usize;

    /// Returns the number of this share.
    fn number(&self) -> usize;

    /// Sends bytes to each share, by number; waits while the others are far behind.
    fn send(&mut self, rows: Vec<Vec<u8>>) -> StepResult<()>;

    /// Returns received bytes, if there are any.
    fn try_receive(&mut self) -> StepResult<Option<Vec<u8>>>;

    /// Announces that this share sends nothing more in this step.
    fn finish(&mut self) -> StepResult<()>;

    /// Waits for received bytes; none when all shares have finished and everything they sent was returned: then the
    /// next step may begin.
    fn receive(&mut self) -> StepResult<Option<Vec<u8>>>;

    /// Returns the sums of some numbers over all shares; a step of its own.
    fn sum(&mut self, numbers: &[u64]) -> StepResult<Vec<u64>>;
}
