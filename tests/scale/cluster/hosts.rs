//! Tests the hosts file and incompatible options.

use crate::cluster::team::{PATIENCE, Team};

fn refused(team: &Team, options: &[&str], words: &[&str]) {
    team.spawn("refused", &[&["explore", "tiles.toml"], options].concat()).end(PATIENCE).is_wrong(words);
}

#[test]
fn errors_in_the_hosts_file_are_reported_with_their_location() {
    let team = Team::new("file", 2);
    let many: String = (1..=300).map(|port| format!("127.0.0.1:{port}\n")).collect();
    for (text, words) in [
        ("", ["no process is listed", "bad.txt"]),
        ("# nobody\n\n", ["no process is listed", "a line for each process"]),
        ("127.0.0.1:7000\n  localhost\n", ["bad.txt:2:3", "missing port in `localhost`"]),
        ("127.0.0.1:7000\n127.0.0.1:70000\n", ["bad.txt:2:1", "missing port"]),
        ("127.0.0.1:7000\n127.0.0.1:7000 # again\n", ["bad.txt:2:1", "appears more than once"]),
        ("0.0.0.0:7000\n", ["bad.txt:1:1", "is not the address of a single machine"]),
        ("8.8.8.8:53\n10.0.0.1:80\n", ["bad.txt:1:1", "add `--allow-network`"]),
        ("10.0.0.1:80\n[2001:db8::1]:53\n", ["bad.txt:2:1", "neither on this machine nor in a private network"]),
        ("no such name:7000\n", ["bad.txt:1:1", "cannot be found"]),
        (&many, ["too many processes: 300", "at most 256"]),
    ] {
        team.write("bad.txt", text);
        refused(&team, &["--hosts", "bad.txt", "--process", "0"], &words);
    }
    // All errors are reported at once.
    team.write("bad.txt", "here\n8.8.8.8:53\n");
    refused(&team, &["--hosts", "bad.txt", "--process", "0"], &["bad.txt:1:1", "bad.txt:2:1"]);
    refused(&team, &["--hosts", "none.txt", "--process", "0"], &["none.txt"]);
    refused(&team, &["--hosts", ".", "--process", "0"], &["."]);
}

#[test]
fn incompatible_options_are_refused() {
    let team = Team::new("options", 2);
    let hosts = ["--hosts", "hosts.txt", "--process", "0"];
    refused(
        &team,
        &["--hosts", "hosts.txt", "--process", "2"],
        &["invalid value `2` for `--process`", "a number from 0 to 1"],
    );
    refused(&team, &["--hosts", "hosts.txt", "--process", "-1"], &["-1"]);
    refused(&team, &["--hosts", "hosts.txt"], &["--process"]);
    refused(&team, &["--process", "0"], &["--hosts"]);
    refused(&team, &["--workers", "0"], &["--workers"]);
    refused(&team, &["--secret", "hosts.txt"], &["--hosts"]);
    refused(
        &team,
        &[&hosts[..], &["--peer-timeout", "10ms"]].concat(),
        &["invalid value for `--peer-timeout`: expected at least 100ms"],
    );
    let nodes = ["`--node-limit` does not work with several processes", "use `--depth-limit`"];
    refused(&team, &[&hosts[..], &["--node-limit", "100"]].concat(), &nodes);
    refused(&team, &["--workers", "2", "--node-limit", "100"], &nodes);
    for (options, words) in [
        (
            &["solve", "tiles.toml", "--disk", "on", "--count"][..],
            "cannot be combined with `--certificate`, `--count` or `--all`",
        ),
        (&["solve", "tiles.toml", "--disk", "on", "--algorithm", "a-star"][..], "`a-star` cannot keep its states"),
        (&["solve", "tiles.toml", "tiles.toml", "--workers", "2"], "`--hosts` and `--workers` take one puzzle"),
        (&["solve", "tiles.toml", "--workers", "2", "--algorithm", "a-star"], "bfs"),
    ] {
        team.spawn("refused", options).end(PATIENCE).is_wrong(&[words]);
    }
    assert!(!team.here.join("on").exists(), "a folder was created");
}

#[test]
fn puzzles_that_cannot_be_distributed_are_refused_by_every_process() {
    let team = Team::new("refused", 2);
    team.write(
        "large.toml",
        "title = \"t\"\ndomain = \"sliding-tile\"\nrows = 7\ncolumns = 7\nscramble = { seed = 1 }\n",
    );
    team.write("maze.toml", "title = \"t\"\ndomain = \"maze\"\nmap = \"\"\"\nS2\n3G\n\"\"\"\n");
    for (file, words) in [("large.toml", "at most 128 bits"), ("maze.toml", "needs moves of cost 1")] {
        for ended in team.all(&["explore", file]) {
            ended.is_wrong(&[words]);
        }
    }
}
