//! What memory this process holds, as the machine counts it: resident, with its code, what was read and what was built.

/// Bytes that are resident now; 0 where the system does not tell.
pub fn resident() -> u64 {
    memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem as u64)
}
