//! The free memory of the machine, and of the control groups of this process. The smaller counts: the kernel kills a
//! process that exceeds it, with all its results.

use std::fs;
use std::path::{Path, PathBuf};
use sysinfo::System;

/// The default share of the free memory; other programs need the rest.
const SHARE: (u64, u64) = (3, 4);

/// Returns a safe share of the memory that is free now; `None` if the system does not report it.
pub(super) fn safe_memory() -> Option<u64> {
    let mut system = System::new();
    system.refresh_memory();
    let machine = Some(system.available_memory()).filter(|&bytes| bytes > 0);
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let total = system.total_memory();
    let groups = own.lines().filter_map(|line| free_in_groups(Path::new("/sys/fs/cgroup"), line, total));
    let free = machine.into_iter().chain(groups).min()?;
    Some(free / SHARE.1 * SHARE.0 + crate::search::resident())
}

/// Returns the free memory of the control groups on a line of `/proc/self/cgroup`: `0::/path` for the unified hierarchy
/// (version 2), `number:memory:/path` for the memory hierarchy of version 1. A limit of at least `total`, the memory of
/// the machine, is no limit; reading the usage, which takes longest, is then skipped.
fn free_in_groups(root: &Path, line: &str, total: u64) -> Option<u64> {
    let mut fields = line.splitn(3, ':').skip(1);
    let (controllers, path) = (fields.next()?, fields.next()?);
    let (root, limit, usage, reclaimable) = if controllers.is_empty() {
        (root.to_owned(), "memory.max", "memory.current", "inactive_file")
    } else if controllers.split(',').any(|controller| controller == "memory") {
        (root.join("memory"), "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
    } else {
        return None;
    };
    let number = |file: PathBuf| fs::read_to_string(file).ok()?.trim().parse::<u64>().ok();
    let free = |group: &Path| {
        let most = number(group.join(limit)).filter(|&most| most < total)?;
        let stat = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
        // The kernel reclaims the page cache of files when memory is needed.
        let reclaimable_bytes = stat.lines().find_map(|line| line.strip_prefix(reclaimable)?.trim().parse().ok());
        let used = number(group.join(usage))?.saturating_sub(reclaimable_bytes.unwrap_or(0));
        Some(most.saturating_sub(used))
    };
    // Every enclosing group has a limit of its own; a path from another namespace leads nowhere.
    let own = root.join(path.trim_start_matches('/'));
    let groups = own.ancestors().take_while(|group| group.starts_with(&root));
    groups.filter_map(free).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_group_limit_counts_and_reclaimable_memory_is_free() {
        let root = tempfile::tempdir().expect("a folder can be made");
        let inner = root.path().join("user/engine");
        fs::create_dir_all(&inner).expect("folders can be made");
        let write = |folder: &Path, name: &str, text: &str| {
            fs::write(folder.join(name), text).expect("the file can be written")
        };
        write(&inner, "memory.max", "max\n");
        write(&inner, "memory.current", "700\n");
        write(&root.path().join("user"), "memory.max", "1000\n");
        write(&root.path().join("user"), "memory.current", "800\n");
        write(&root.path().join("user"), "memory.stat", "anon 500\ninactive_file 300\n");
        assert_eq!(free_in_groups(root.path(), "0::/user/engine", 10_000), Some(500));
        assert_eq!(free_in_groups(root.path(), "0::/", 10_000), None, "a group without a limit has no number");
        assert_eq!(free_in_groups(root.path(), "5:cpu,cpuacct:/user", 10_000), None);
        let old = root.path().join("memory/user");
        fs::create_dir_all(&old).expect("folders can be made");
        write(&old, "memory.limit_in_bytes", "400\n");
        write(&old, "memory.usage_in_bytes", "500\n");
        assert_eq!(free_in_groups(root.path(), "7:memory:/user", 10_000), Some(0));
    }

    #[test]
    fn some_memory_is_free_on_this_machine() {
        assert!(safe_memory().is_none_or(|bytes| bytes > 1 << 20));
    }
}
