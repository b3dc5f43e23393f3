//! Tests a process that ends early: a limit, an interrupt, a full disk. The others end cleanly, name the process, and
//! all
//! resume.

use crate::cluster::team::{Ended, Process, Team, puzzle, wait_for};
use crate::support::program::run;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The time within which every process must end.
const PATIENCE: Duration = Duration::from_secs(20);

fn all(processes: Vec<Process>) -> Vec<Ended> {
    processes.into_iter().map(|process| process.end(PATIENCE)).collect()
}

/// Checks that the same command without a limit resumes and yields the answer of one machine.
fn assert_resumes(team: &Team, file: &str) {
    let (_, answer, _) = run(&team.here, &["explore", file]);
    for ended in team.all(&["explore", file, "--disk", "on"]) {
        assert_eq!((ended.status, &*ended.out), (Some(0), &*answer), "{}", ended.stderr);
    }
}

/// Waits until the first layers are on disk.
fn wait_for_layers(team: &Team) {
    let list = team.here.join("on/process-0-worker-0/exploration.json");
    wait_for("the first layer", || fs::read_to_string(&list).is_ok_and(|list| list.contains("depth-00002")));
}

#[test]
fn a_limit_of_one_process_ends_all_and_they_name_it() {
    let team = Team::new("limits", 3);
    let file = puzzle("klotski7");
    for (option, limit, word) in [("--time-limit", "300ms", "time"), ("--disk-limit", "3kB", "disk")] {
        let plain = ["explore", &file, "--disk", "on", "--format", "json"];
        let processes = (0..3).map(|process| {
            let limited = if process == 1 { &[option, limit][..] } else { &[] };
            team.start(process, &[&plain[..], limited].concat())
        });
        for (process, ended) in all(processes.collect()).into_iter().enumerate() {
            assert_eq!(ended.status, Some(3), "{}", ended.stderr);
            assert_eq!(crate::cluster::team::comparable_json(&ended.out)["limit"], word);
            ended.says(&["run the same command to resume"]);
            let note = format!("{} reached its limit: {word}", team.name(1));
            assert_eq!(ended.stderr.contains(&note), process != 1, "{process}: {}", ended.stderr);
        }
    }
    assert_resumes(&team, &file);
}

#[test]
fn an_interrupt_of_one_process_ends_all() {
    for interrupted in [0, 1] {
        let team = Team::new(&format!("interrupt-{interrupted}"), 2);
        let file = puzzle("klotski7");
        let processes = team.start_all(&["explore", &file, "--disk", "on"]);
        wait_for_layers(&team);
        processes[interrupted].signal("-INT");
        for (process, ended) in all(processes).into_iter().enumerate() {
            assert_eq!(ended.status, Some(130), "{process}: {}", ended.stderr);
            let note = format!("{} was interrupted", team.name(interrupted));
            assert_eq!(ended.stderr.contains(&note), process != interrupted, "{process}: {}", ended.stderr);
        }
        assert_resumes(&team, &file);
    }
}

#[test]
fn an_interrupt_ends_a_process_that_waits_for_others() {
    let team = Team::new("lonely", 2);
    let waiting = team.start(0, &["explore", "tiles.toml"]);
    team.connect(0);
    waiting.signal("-INT");
    let ended = waiting.end(PATIENCE);
    assert_eq!(ended.status, Some(130), "{}", ended.stderr);
}

#[test]
fn all_processes_report_the_limit_of_a_search() {
    let team = Team::new("search-limit", 2);
    let file = puzzle("klotski7");
    let plain = ["solve", &file, "--algorithm", "bfs", "--disk", "on", "--format", "json"];
    let processes = vec![team.start(0, &[&plain[..], &["--time-limit", "200ms"]].concat()), team.start(1, &plain)];
    for ended in all(processes) {
        assert_eq!(ended.status, Some(3), "{}", ended.stderr);
        assert_eq!(crate::cluster::team::comparable_json(&ended.out)["limit"], "time");
    }
    let (_, answer, _) = run(&team.here, &["solve", &file, "--algorithm", "bfs", "--format", "moves"]);
    for ended in team.all(&["solve", &file, "--algorithm", "bfs", "--disk", "on", "--format", "moves"]) {
        assert_eq!((ended.status, &*ended.out), (Some(0), &*answer), "{}", ended.stderr);
    }
}

/// A mounted tmpfs, which is unmounted on drop.
struct SmallDisk<'a>(&'a Path);

impl SmallDisk<'_> {
    fn new(folder: &Path, kib: u32) -> Option<SmallDisk<'_>> {
        fs::create_dir_all(folder).expect("the folder can be created");
        let options = format!("size={kib}k");
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(folder).output();
        mount.is_ok_and(|output| output.status.success()).then_some(SmallDisk(folder))
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

#[test]
fn a_full_disk_of_one_process_ends_all_and_with_space_they_resume() {
    for kib in [60, 200] {
        let team = Team::new(&format!("full-{kib}"), 2);
        let small = team.here.join("small");
        let Some(disk) = SmallDisk::new(&small, kib) else {
            println!("skipped: a tmpfs cannot be mounted here");
            return;
        };
        let file = puzzle("klotski7");
        let plain = ["explore", &file, "--disk"];
        let processes =
            vec![team.start(0, &[&plain[..], &["on"]].concat()), team.start(1, &[&plain[..], &["small/on"]].concat())];
        for (process, ended) in all(processes).into_iter().enumerate() {
            ended.is_wrong(&["no space left", "small/on", "free some space and run the same command again"]);
            let named = format!("{} stopped: ", team.name(1));
            assert_eq!(ended.stderr.contains(&named), process == 0, "{}", ended.stderr);
        }
        // More space: copy the folder of that process elsewhere.
        let mut copy = Command::new("cp");
        let copied = copy.arg("-r").arg(small.join("on/process-1-worker-0")).arg(team.here.join("on")).status();
        assert!(copied.expect("`cp` runs").success());
        drop(disk);
        assert_resumes(&team, &file);
    }
}
