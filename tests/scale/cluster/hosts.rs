//! The file of hosts, and options that exclude each other.

use crate::cluster::team::{PATIENCE, Team};

fn refused(team: &Team, options: &[&str], words: &[&str]) {
    team.spawn("refused", &[&["explore", "tiles.toml"], options].concat()).end(PATIENCE).is_wrong(words);
}

#[test]
fn mistakes_in_the_file_of_hosts_are_reported_with_their_places() {
    let team = Team::new("file", 2);
    let many: String = (1..=300).map(|port| format!("127.0.0.1:{port}\n")).collect();
    for (text, words) in [
        ("", ["names no process", "bad.txt"]),
        ("# nobody\n\n", ["names no process", "a line for each process"]),
        ("127.0.0.1:7000\n  localhost\n", ["bad.txt:2:3", "`localhost` has no port"]),
        ("127.0.0.1:7000\n127.0.0.1:70000\n", ["bad.txt:2:1", "has no port"]),
        ("127.0.0.1:7000\n127.0.0.1:7000 # again\n", ["bad.txt:2:1", "is the address of two processes"]),
        ("0.0.0.0:7000\n", ["bad.txt:1:1", "is no address of one machine"]),
        ("8.8.8.8:53\n10.0.0.1:80\n", ["bad.txt:1:1", "add `--allow-network`"]),
        ("10.0.0.1:80\n[2001:db8::1]:53\n", ["bad.txt:2:1", "neither on this machine nor in a private network"]),
        ("no such name:7000\n", ["bad.txt:1:1", "cannot be found"]),
        (&many, ["names 300 processes", "at most 256"]),
    ] {
        team.write("bad.txt", text);
        refused(&team, &["--hosts", "bad.txt", "--process", "0"], &words);
    }
    // All mistakes are reported at once.
    team.write("bad.txt", "here\n8.8.8.8:53\n");
    refused(&team, &["--hosts", "bad.txt", "--process", "0"], &["bad.txt:1:1", "bad.txt:2:1"]);
    refused(&team, &["--hosts", "none.txt", "--process", "0"], &["none.txt"]);
    refused(&team, &["--hosts", ".", "--process", "0"], &["."]);
}

#[test]
fn options_that_exclude_each_other_are_refused() {
    let team = Team::new("options", 2);
    let hosts = ["--hosts", "hosts.txt", "--process", "0"];
    refused(&team, &["--hosts", "hosts.txt", "--process", "2"], &["there is no process 2", "a number from 0 to 1"]);
    refused(&team, &["--hosts", "hosts.txt", "--process", "-1"], &["-1"]);
    refused(&team, &["--hosts", "hosts.txt"], &["--process"]);
    refused(&team, &["--process", "0"], &["--hosts"]);
    refused(&team, &["--workers", "0"], &["--workers"]);
    refused(&team, &["--secret", "hosts.txt"], &["--hosts"]);
    refused(&team, &[&hosts[..], &["--peer-timeout", "10ms"]].concat(), &["`--peer-timeout` is at least 100ms"]);
    let nodes = ["`--node-limit` cannot be shared out", "`--depth-limit` ends all of them at the same layer"];
    refused(&team, &[&hosts[..], &["--node-limit", "100"]].concat(), &nodes);
    refused(&team, &["--workers", "2", "--node-limit", "100"], &nodes);
    for (options, words) in [
        (&["solve", "tiles.toml", "--disk", "on"][..], "`--disk` goes with `--hosts` or `--workers` here"),
        (&["solve", "tiles.toml", "tiles.toml", "--workers", "2"], "processes search one puzzle together"),
        (&["solve", "tiles.toml", "--workers", "2", "--algorithm", "a-star"], "bfs"),
    ] {
        team.spawn("refused", options).end(PATIENCE).is_wrong(&[words]);
    }
    assert!(!team.here.join("on").exists(), "nothing is made");
}

#[test]
fn puzzles_that_cannot_be_shared_are_refused_by_each_process_at_once() {
    let team = Team::new("refused", 2);
    team.write(
        "large.toml",
        "title = \"t\"\ndomain = \"sliding-tile\"\nrows = 7\ncolumns = 7\nscramble = { seed = 1 }\n",
    );
    team.write("maze.toml", "title = \"t\"\ndomain = \"maze\"\nmap = \"\"\"\nS2\n3G\n\"\"\"\n");
    for (file, words) in [("large.toml", "fit 128 bits"), ("maze.toml", "cost more or less than 1")] {
        for ended in team.all(&["explore", file]) {
            ended.is_wrong(&[words]);
        }
    }
}
