//! Tests processes that are killed or frozen at random moments: the others end, report why, and all resume to the same
//! answer.

use crate::cluster::team::{Ended, Process, Team, puzzle};
use crate::support::dice::{Dice, scaled};
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

/// Waits for the processes without the fault. Returns whether all of them had finished before it.
fn others_end(team: &Team, others: Vec<Process>, faulty: usize, fault: Fault, answer: &str) -> bool {
    let begun = Instant::now();
    let ended: Vec<Ended> =
        others.into_iter().map(|process| process.end(PEER_TIMEOUT + START_TIMEOUT + SLACK)).collect();
    let mut all_finished = true;
    for ended in &ended {
        if ended.status == Some(0) {
            assert_eq!(ended.out, answer, "an answer from before the fault: {}", ended.stderr);
            continue;
        }
        all_finished = false;
        let is_early = ended.stderr.contains("is not there after");
        // On a slow machine another process may be late as well.
        let faulty = if is_early { "process ".to_owned() } else { team.name(faulty) };
        ended.is_wrong(&[&faulty, "start the same command"]);
        assert!(
            is_early || ended.stderr.contains("the last complete layer is on disk on every machine"),
            "{}",
            ended.stderr
        );
        let most = match fault {
            _ if is_early => START_TIMEOUT + PEER_TIMEOUT,
            Fault::Killed => Duration::ZERO,
            Fault::Frozen => PEER_TIMEOUT,
        };
        assert!(ended.at - begun < most + SLACK, "{fault:?}: {:?}: {}", ended.at - begun, ended.stderr);
    }
    all_finished
}

/// Injects faults into a team of `many` processes, each kind in turn. Returns how often the team finished.
fn inject_faults(many: usize, faults: u64) -> usize {
    let team = Team::new(&format!("faults-{many}"), many);
    let file = puzzle("klotski7");
    let (status, answer, _) = run(&team.here, &["explore", &file]);
    assert_eq!(status, 0);
    let mut dice = Dice::new(many as u64);
    let (mut injected, mut ends) = (0, 0);
    let mut folder = scratch("engine-cluster-faults-");
    while injected < faults {
        let disk = folder.path().join("on").display().to_string();
        let options = ["explore", &file, "--disk", &disk, "--peer-timeout", "1s", "--start-timeout", "2s"];
        let mut processes = team.start_all(&options);
        sleep(Duration::from_millis(dice.below(900) as u64));
        let faulty = dice.below(many);
        let mut victim = processes.remove(faulty);
        let fault = if injected % 2 == 0 { Fault::Killed } else { Fault::Frozen };
        let had_ended = victim.has_ended();
        if !had_ended {
            injected += 1;
            victim.signal(if fault == Fault::Killed { "-KILL" } else { "-STOP" });
        }
        let all_finished = others_end(&team, processes, faulty, fault, &answer);
        if had_ended || fault == Fault::Frozen {
            if !had_ended {
                victim.signal("-CONT");
            }
            // The process notices that the others have ended, or it had finished.
            let ended = victim.end(PEER_TIMEOUT + START_TIMEOUT + SLACK);
            assert!(matches!(ended.status, Some(0 | 2)), "{:?}: {}", ended.status, ended.stderr);
            assert!(ended.status == Some(2) || ended.out == answer, "{}", ended.stderr);
        }
        if all_finished {
            ends += 1;
            folder = scratch("engine-cluster-faults-");
        }
    }
    let disk = folder.path().join("on").display().to_string();
    for ended in team.all(&["explore", &file, "--disk", &disk]) {
        assert_eq!((ended.status, &*ended.out), (Some(0), &*answer), "{}", ended.stderr);
    }
    for share in fs::read_dir(&disk).expect("the folder exists") {
        let left = fs::read_dir(share.expect("it can be read").path()).expect("it is a folder");
        let mut names: Vec<_> = left.map(|file| file.expect("it can be read").file_name()).collect();
        names.sort();
        assert_eq!(names, ["exploration.json", "exploration.lock"], "only the answer is kept");
    }
    ends
}

#[test]
fn after_a_kill_or_a_freeze_all_end_and_resume_to_the_same_answer() {
    for (many, faults) in [(2, scaled(6)), (3, scaled(4))] {
        let ends = inject_faults(many, faults);
        println!("{many} processes: {faults} faults, {ends} ends");
    }
}
