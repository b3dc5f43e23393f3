//! The resident memory of this process as the system reports it, including code and mapped files.

/// Returns the bytes that are resident now; 0 if the system does not report them.
pub fn resident() -> u64 {
    memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem as u64)
}
