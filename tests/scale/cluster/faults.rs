//! Processes are killed or frozen at random times. The others end by themselves and report why, and all resume to the
//! same answer.

use crate::cluster::team::{Ended, Process, Team, puzzle};
use crate::support::dice::{Dice, times};
use crate::support::program::{run, scratch};
use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

const PEER_TIMEOUT: Duration = Duration::from_secs(1);
const START_TIMEOUT: Duration = Duration::from_secs(2);
/// The time beyond its timeouts that a process may take to end on a busy machine.
const SLACK: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    Killed,
    Frozen,
}

/// Waits for the processes without a fault. Returns whether all of them had the answer by then.
fn others_end(team: &Team, others: Vec<Process>, struck: usize, fault: Fault, answer: &str) -> bool {
    let begun = Instant::now();
    let ended: Vec<Ended> =
        others.into_iter().map(|process| process.end(PEER_TIMEOUT + START_TIMEOUT + SLACK)).collect();
    let mut whole = true;
    for ended in &ended {
        if ended.status == Some(0) {
            assert_eq!(ended.out, answer, "what was found before the fault: {}", ended.said);
            continue;
        }
        whole = false;
        let is_early = ended.said.contains("is not there after");
        // On a slow machine another process may be late, too.
        let struck = if is_early { "process ".to_owned() } else { team.name(struck) };
        ended.is_wrong(&[&struck, "start the same command"]);
        assert!(
            is_early || ended.said.contains("nothing is lost, the last whole layer is on disk everywhere"),
            "{}",
            ended.said
        );
        let most = match fault {
            _ if is_early => START_TIMEOUT + PEER_TIMEOUT,
            Fault::Killed => Duration::ZERO,
            Fault::Frozen => PEER_TIMEOUT,
        };
        assert!(ended.at - begun < most + SLACK, "{fault:?}: {:?}: {}", ended.at - begun, ended.said);
    }
    whole
}

/// Causes this many faults among this many processes, each kind in turn. Returns how often the exploration had already
/// ended.
fn strike(many: usize, faults: u64) -> usize {
    let team = Team::new(&format!("faults-{many}"), many);
    let file = puzzle("klotski7");
    let (status, answer, _) = run(&team.here, &["explore", &file]);
    assert_eq!(status, 0);
    let mut dice = Dice::new(many as u64);
    let (mut struck_so_far, mut ends) = (0, 0);
    let mut folder = scratch("engine-cluster-faults-");
    while struck_so_far < faults {
        let disk = folder.path().join("on").display().to_string();
        let options = ["explore", &file, "--disk", &disk, "--peer-timeout", "1s", "--start-timeout", "2s"];
        let mut processes = team.start_all(&options);
        sleep(Duration::from_millis(dice.below(900) as u64));
        let struck = dice.below(many);
        let mut victim = processes.remove(struck);
        let fault = if struck_so_far % 2 == 0 { Fault::Killed } else { Fault::Frozen };
        let was_over = victim.has_ended();
        if !was_over {
            struck_so_far += 1;
            victim.signal(if fault == Fault::Killed { "-KILL" } else { "-STOP" });
        }
        let whole = others_end(&team, processes, struck, fault, &answer);
        if was_over || fault == Fault::Frozen {
            if !was_over {
                victim.signal("-CONT");
            }
            // It notices that the others are gone, or it already had everything that it needed.
            let ended = victim.end(PEER_TIMEOUT + START_TIMEOUT + SLACK);
            assert!(matches!(ended.status, Some(0 | 2)), "{:?}: {}", ended.status, ended.said);
            assert!(ended.status == Some(2) || ended.out == answer, "{}", ended.said);
        }
        if whole {
            ends += 1;
            folder = scratch("engine-cluster-faults-");
        }
    }
    let disk = folder.path().join("on").display().to_string();
    for ended in team.all(&["explore", &file, "--disk", &disk]) {
        assert_eq!((ended.status, &*ended.out), (Some(0), &*answer), "{}", ended.said);
    }
    for share in fs::read_dir(&disk).expect("the path exists") {
        let left = fs::read_dir(share.expect("the file can be read").path()).expect("it is a folder");
        let mut names: Vec<_> = left.map(|file| file.expect("the file can be read").file_name()).collect();
        names.sort();
        assert_eq!(names, ["exploration.json", "exploration.lock"], "only the answer is kept");
    }
    ends
}

#[test]
fn killed_or_frozen_processes_end_all_and_all_resume_to_the_same_answer() {
    for (many, faults) in [(2, times(6)), (3, times(4))] {
        let ends = strike(many, faults);
        println!("{many} processes: {faults} faults, {ends} ends");
    }
}
