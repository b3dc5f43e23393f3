//! Tests a failing network between machines: network namespaces, joined by a bridge in a further namespace.

use crate::cluster::team::{Ended, PATIENCE, Process, Team, puzzle, wait_for};
use crate::support::program::{command, run};
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

const PEER_TIMEOUT: Duration = Duration::from_secs(2);
const SLACK: Duration = Duration::from_secs(12);

/// Network namespaces that act as machines, and the switch that joins them; deleted on drop.
struct Network {
    name: String,
    many: usize,
}

fn ip(arguments: &str) -> bool {
    Command::new("ip").args(arguments.split(' ')).output().is_ok_and(|output| output.status.success())
}

impl Network {
    /// Creates the namespaces. Returns `None` without the permission to do so.
    fn new(many: usize) -> Option<Network> {
        let network = Network { name: format!("eng{}", std::process::id()), many };
        let name = &network.name;
        let mut created = ip(&format!("netns add {name}-switch"))
            && ip(&format!("-n {name}-switch link add joined type bridge"))
            && ip(&format!("-n {name}-switch link set joined up"));
        for machine in 0..many {
            created = created
                && ip(&format!("netns add {name}-{machine}"))
                && ip(&format!(
                    "-n {name}-switch link add to{machine} type veth peer name wire netns {name}-{machine}"
                ))
                && ip(&format!("-n {name}-switch link set to{machine} master joined up"))
                && ip(&format!("-n {name}-{machine} addr add 10.77.0.{}/24 dev wire", machine + 1))
                && ip(&format!("-n {name}-{machine} link set lo up"))
                && ip(&format!("-n {name}-{machine} link set wire up"));
        }
        created.then_some(network)
    }

    /// Sets the link of a machine `down` or `up`.
    fn set_link(&self, machine: usize, state: &str) {
        assert!(ip(&format!("-n {}-switch link set to{machine} {state}", self.name)));
    }

    fn start(&self, team: &Team, machine: usize, options: &[&str]) -> Process {
        let number = machine.to_string();
        let own = ["--hosts", "hosts.txt", "--process", &number, "--secret", "secret"];
        let options = [options, &own].concat();
        let engine = command(&team.here, &options);
        let mut within = Command::new("ip");
        within.args(["netns", "exec", &format!("{}-{machine}", self.name)]);
        within.arg(engine.get_program()).args(engine.get_args()).current_dir(&team.here);
        team.run(&number, within)
    }

    fn start_all(&self, team: &Team, options: &[&str]) -> Vec<Process> {
        (0..self.many).map(|machine| self.start(team, machine, options)).collect()
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for machine in 0..self.many {
            ip(&format!("netns delete {}-{machine}", self.name));
        }
        ip(&format!("netns delete {}-switch", self.name));
    }
}

fn all(processes: Vec<Process>, patience: Duration) -> Vec<Ended> {
    processes.into_iter().map(|process| process.end(patience)).collect()
}

#[test]
fn a_failed_network_ends_all_processes_in_time_and_they_resume_once_it_is_back() {
    let many = 3;
    let mut team = Team::new("network", many);
    let Some(network) = Network::new(many) else {
        println!("skipped: network namespaces cannot be created here");
        return;
    };
    team.hosts = (1..=many).map(|machine| format!("10.77.0.{machine}:7000")).collect();
    team.write("hosts.txt", &team.hosts.join("\n"));
    team.write("secret", "0123456789abcdef0123456789abcdef");
    let file = puzzle("klotski7");
    let (_, answer, _) = run(&team.here, &["explore", &file]);
    let options = ["explore", &file, "--disk", "on", "--peer-timeout", "2s", "--start-timeout", "2s"];
    let list = team.here.join("on/process-0-worker-0/exploration.json");
    let layers = || fs::read_to_string(&list).unwrap_or_default();
    for layer in ["depth-00010", "depth-00060"] {
        let processes = network.start_all(&team, &options);
        wait_for(layer, || layers().contains(layer));
        let begun = Instant::now();
        network.set_link(1, "down");
        for (process, ended) in all(processes, PEER_TIMEOUT + SLACK).into_iter().enumerate() {
            ended.is_wrong(&["has sent nothing for 2s", "start the same command everywhere"]);
            if process != 1 {
                ended.says(&[&team.name(1)]);
            }
            assert!(ended.at - begun >= PEER_TIMEOUT / 2, "the process ended before the peer timeout");
        }
        // The network is still down.
        for (process, ended) in all(network.start_all(&team, &options), SLACK).into_iter().enumerate() {
            ended.is_wrong(&["is not there after 2s"]);
            ended.says(&[&team.name(if process == 1 { 0 } else { 1 })]);
        }
        network.set_link(1, "up");
    }
    // The processes tolerate a short outage.
    let before = layers();
    let processes = network.start_all(&team, &["explore", &file, "--disk", "on"]);
    wait_for("one more layer", || layers() != before);
    network.set_link(2, "down");
    std::thread::sleep(Duration::from_millis(600));
    network.set_link(2, "up");
    for ended in all(processes, PATIENCE) {
        assert_eq!((ended.status, &*ended.out), (Some(0), &*answer), "{}", ended.stderr);
    }
}
