//! Processes that are missing, that run another command, or that are unauthorised: all refuse them soon, with a
//! message.

use crate::cluster::team::{Ended, PATIENCE, Process, TILES, Team, without_measurements};
use crate::support::program::run;
use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The time within which a refusal must come. Exploring may take long, above all where fsync is slow.
const SOON: Duration = Duration::from_secs(20);
const EXPLORE: [&str; 2] = ["explore", "tiles.toml"];

fn all(processes: Vec<Process>) -> Vec<Ended> {
    processes.into_iter().map(|process| process.end(SOON)).collect()
}

/// Runs each process with options of its own.
fn with(team: &Team, options: &[&[&str]]) -> Vec<Ended> {
    let start = |(process, own): (usize, &&[&str])| team.start(process, &[&EXPLORE[..], own].concat());
    all(options.iter().enumerate().map(start).collect())
}

/// Runs all processes with the same options.
fn alike(team: &Team, options: &[&str]) -> Vec<Ended> {
    all(team.start_all(&[&EXPLORE[..], options].concat()))
}

/// Explores until a limit, so that every process has a checkpoint.
fn begin(team: &Team, options: &[&str]) {
    for ended in team.all(&[&EXPLORE[..], options, &["--depth-limit", "12"]].concat()) {
        assert_eq!(ended.status, Some(3), "{}", ended.said);
    }
}

#[test]
fn a_process_that_does_not_connect_in_time_is_named() {
    let team = Team::new("absent", 3);
    let begun = Instant::now();
    let options = [&EXPLORE[..], &["--start-timeout", "500ms"]].concat();
    for ended in all(vec![team.start(0, &options), team.start(2, &options)]) {
        ended.is_wrong(&[&team.name(1), "start the same command there with `--process 1`"]);
    }
    assert!(begun.elapsed() < SOON / 2, "{:?}", begun.elapsed());
}

#[test]
fn a_port_in_use_is_reported() {
    let team = Team::new("port", 2);
    let _taken = TcpListener::bind(&team.hosts[0]).expect("the port is free");
    let ended = all(vec![team.start(0, &EXPLORE), team.start(1, &[&EXPLORE[..], &["--start-timeout", "1s"]].concat())]);
    ended[0]
        .is_wrong(&[&format!("cannot listen on {}, the address of process 0", team.hosts[0]), "a port that is free"]);
    ended[1].is_wrong(&[&team.name(0), "is not there after 1s"]);
}

#[test]
fn a_process_number_used_twice_is_reported() {
    let team = Team::new("number", 2);
    let first = team.start(1, &EXPLORE);
    team.connect(1);
    let second = team.spawn("second", &[&EXPLORE[..], &["--hosts", "hosts.txt", "--process", "1"]].concat());
    second.end(SOON).is_wrong(&["cannot listen on", "the address of process 1"]);
    drop(first);
    // On two machines, whose files list the hosts in different orders.
    team.write("other.txt", &format!("{}\n{}\n", team.hosts[1], team.hosts[0]));
    let other = team.spawn("other", &[&EXPLORE[..], &["--hosts", "other.txt", "--process", "1"]].concat());
    let ended = all(vec![team.start(1, &EXPLORE), other]);
    for ended in ended {
        ended.is_wrong(&["is there, too", "each process needs its own number"]);
    }
}

#[test]
fn processes_with_different_commands_are_refused_and_so_is_a_late_third() {
    let team = Team::new("else", 2);
    team.write("other.toml", &TILES.replace("Tiles", "Tile"));
    team.write("three.txt", &(team.hosts.join("\n") + "\n127.0.0.1:9\n"));
    let solve = ["solve", "tiles.toml", "--algorithm", "bfs"];
    let hosts = ["--hosts", "three.txt", "--process", "1"];
    let cases: [(&str, &[&str], &str); 6] = [
        ("other", &["explore", "other.toml"], "has another puzzle"),
        ("solve", &solve, "was started to do something else"),
        ("depth", &["explore", "tiles.toml", "--depth-limit", "3"], "was started to do something else"),
        ("workers", &["explore", "tiles.toml", "--workers", "2"], "is one of 2 processes of"),
        ("disk", &["explore", "tiles.toml", "--disk", "on"], "`--disk`, and this one has"),
        ("hosts", &["explore", "tiles.toml"], "of 3 of 1"),
    ];
    for (name, options, words) in cases {
        let other = match name {
            "hosts" => team.spawn("hosts", &[options, &hosts].concat()),
            _ => team.start(1, options),
        };
        let ended = all(vec![team.start(0, &EXPLORE), other]);
        if name != "hosts" {
            ended[1].is_wrong(&[&team.name(0), words]);
            ended[0].is_wrong(&[&team.name(1), words]);
        }
        for ended in ended {
            ended.is_wrong(&["process "]);
        }
    }
    let team = Team::new("third", 3);
    team.write("other.toml", &TILES.replace("Tiles", "Tile"));
    let mut processes = vec![team.start(0, &EXPLORE), team.start(1, &["explore", "other.toml"])];
    // Both are connected. The test cannot observe their exchange; an earlier peer receives the reason, too.
    team.connect(0);
    team.connect(1);
    sleep(Duration::from_millis(300));
    processes.push(team.start(2, &EXPLORE));
    for ended in all(processes) {
        ended.is_wrong(&["has another puzzle", "copy the same puzzle file"]);
    }
}

#[test]
fn a_late_process_learns_which_one_was_lost() {
    let team = Team::new("late", 3);
    let patient = ["explore", "tiles.toml", "--start-timeout", "6s"];
    let (one, lost) = (team.start(1, &patient), team.start(2, &patient));
    // Time for the rendezvous; a process that missed it would miss the same peer at the end.
    team.connect(1);
    sleep(Duration::from_millis(500));
    lost.signal("-KILL");
    for ended in all(vec![team.start(0, &patient), one]) {
        ended.is_wrong(&[&team.name(2)]);
    }
}

#[test]
fn a_process_without_the_secret_is_refused_and_disturbs_no_other() {
    let team = Team::new("secret", 2);
    team.write("right", "0123456789abcdef0123456789abcdef\n");
    team.write("same", "  0123456789abcdef0123456789abcdef");
    team.write("wrong", "0123456789abcdef0123456789abcdeg\n");
    team.write("short", "0123456789");
    team.write("long", &"x".repeat(70_000));
    let soon = ["--start-timeout", "2s"];
    let secret = |name| [&["--secret", name][..], &soon].concat();
    for (first, second, words) in [
        (secret("right"), secret("wrong"), "different secrets"),
        (secret("right"), soon.to_vec(), "has a secret, and this one has none"),
        (soon.to_vec(), secret("right"), "has no secret, and this one has"),
    ] {
        let ended = with(&team, &[&first, &second]);
        ended[1].is_wrong(&[&team.name(0), words, "`--secret` is to name a file with the same content"]);
        // A peer without the secret may be anybody, so the right process may still connect.
        ended[0].is_wrong(&[&team.name(1), "is not there after 2s", "have different secrets"]);
    }
    // One without the secret connects while the right one is starting.
    let host = team.start(0, &[&EXPLORE[..], &["--secret", "right"]].concat());
    team.start(1, &[&EXPLORE[..], &["--secret", "wrong"]].concat()).end(SOON).is_wrong(&["different secrets"]);
    let guest = team.start(1, &[&EXPLORE[..], &["--secret", "same"]].concat());
    for ended in [host.end(PATIENCE), guest.end(PATIENCE)] {
        assert_eq!((ended.status, &*ended.said), (Some(0), ""));
    }
    for (name, words) in [("short", "too short"), ("long", "too long"), ("none", "cannot be read")] {
        team.start(0, &[&EXPLORE[..], &["--secret", name]].concat()).end(SOON).is_wrong(&[name, words]);
    }
}

#[test]
fn strangers_disturb_no_start() {
    let team = Team::new("strangers", 2);
    let host = team.start(0, &EXPLORE);
    let mut strangers: Vec<TcpStream> = (0..100).map(|_| team.connect(0)).collect();
    let frame = |text: &str| [&(text.len() as u32).to_be_bytes()[..], text.as_bytes()].concat();
    let said = [
        b"GET / HTTP/1.1\r\nHost: here\r\n\r\n".to_vec(),
        vec![0xff; 64],
        vec![0],
        frame("{}"),
        frame("\"beat\""),
        frame("{\"limit\":[0,\"time\"]}"),
        frame("{\"trouble\":[0,{\"message\":\"no\",\"help\":\"no\"}]}"),
        frame("{\"refusal\":{\"message\":\"no\",\"help\":\"no\"}}"),
        frame(&"[".repeat(60_000)),
        [&u32::MAX.to_be_bytes()[..], &[b'x'; 100]].concat(),
        vec![0x5a; 1 << 20],
    ];
    for (stranger, said) in strangers.iter_mut().zip(said) {
        // It may have read enough before the end.
        let _ = stranger.write_all(&said);
        let _ = stranger.shutdown(Shutdown::Write);
    }
    let guest = team.start(1, &EXPLORE);
    for ended in [host.end(PATIENCE), guest.end(PATIENCE)] {
        assert_eq!((ended.status, &*ended.said), (Some(0), ""));
    }
    // Every message on their connections was sent to all strangers.
    let mut heard = Vec::new();
    let _ = strangers[0].set_read_timeout(Some(Duration::from_secs(1)));
    let _ = strangers[0].read_to_end(&mut heard);
    assert!(heard.is_empty(), "who says nothing that is understood hears nothing");
}

#[test]
fn a_stranger_at_the_address_of_a_process_is_reported_in_time() {
    let team = Team::new("impostor", 2);
    let listener = TcpListener::bind(&team.hosts[0]).expect("the port is free");
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let _ = stream.and_then(|mut stream| stream.write_all(&[0xff; 64]));
        }
    });
    let ended = team.start(1, &[&EXPLORE[..], &["--start-timeout", "1s"]].concat()).end(SOON);
    ended.is_wrong(&[&team.name(0), "is not there after 1s: what listens there is none of ours"]);
}

#[test]
fn checkpoints_of_different_explorations_are_refused() {
    let team = Team::new("runs", 2);
    begin(&team, &["--disk", "a"]);
    begin(&team, &["--disk", "b"]);
    let ended = with(&team, &[&["--disk", "a"], &["--disk", "b"]]);
    for ended in ended {
        ended.is_wrong(&[
            "process 1",
            "has the checkpoint of another run than process 0",
            "name the folder of the same run",
        ]);
    }
    let ended = with(&team, &[&["--disk", "a"], &["--disk", "new"]]);
    for ended in ended {
        ended.is_wrong(&["process 1", "has no checkpoint in its folder, unlike process 0"]);
    }
    for ended in alike(&team, &["--disk", "a", "--workers", "2"]) {
        ended.is_wrong(&["was begun by 2 processes of 1 workers, and this is one of 2 of 2"]);
    }
    for ended in alike(&team.instead(3), &["--disk", "a"]) {
        ended.is_wrong(&["process 2", "has no checkpoint in its folder, unlike process 0"]);
    }
    // The refused checkpoints are unchanged.
    team.write("hosts.txt", &team.hosts.join("\n"));
    for ended in team.all(&[&EXPLORE[..], &["--disk", "a"]].concat()) {
        assert_eq!((ended.status, &*ended.said), (Some(0), ""));
    }
}

/// Copies a folder of layers.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the folder can be written to");
    for entry in fs::read_dir(from).expect("the path exists") {
        let entry = entry.expect("the file can be read");
        fs::copy(entry.path(), to.join(entry.file_name())).expect("the folder can be written to");
    }
}

#[test]
fn a_damaged_missing_or_outdated_checkpoint_is_reported_by_all() {
    let team = Team::new("damage", 2);
    let options: &[&str] = &["--disk", "on", "--workers", "2"];
    begin(&team, options);
    let folder = team.here.join("on/process-1-worker-1");
    copy(&folder, &team.here.join("kept"));
    let refused = |words: &[&str]| {
        let ended = alike(&team, options);
        ended[0].is_wrong(&[&[&*format!("{} stopped: ", team.name(1)), "process-1-worker-1"], words].concat());
        ended[1].is_wrong(&[&["process-1-worker-1"], words].concat());
        let _ = fs::remove_dir_all(&folder);
        copy(&team.here.join("kept"), &folder);
    };
    let list = folder.join("exploration.json");
    let text = fs::read_to_string(&list).expect("the path exists");

    fs::remove_dir_all(&folder).expect("the path exists");
    refused(&["the checkpoint of this worker is gone, and others have theirs", "put it back"]);
    fs::remove_file(folder.join("depth-00003.layer")).expect("the path exists");
    refused(&["depth-00003.layer is damaged: it is not there any more"]);
    let layer = fs::read(folder.join("depth-00013.layer")).expect("the path exists");
    let damaged: Vec<u8> = layer.iter().enumerate().map(|(at, byte)| byte ^ u8::from(at == 40)).collect();
    fs::write(folder.join("depth-00013.layer"), damaged).expect("the folder can be written to");
    refused(&["depth-00013.layer is damaged"]);

    // These are reported before the rendezvous.
    for (from, to, words) in
        [("version 1", "version 9", "another version"), ("\"engine\":\"", "\"engine\":\"7", "version 7")]
    {
        let changed = text.replacen(from, to, 1);
        let sealed = &changed[..changed.rfind("crc32 ").expect("the file has a checksum")];
        fs::write(&list, format!("{sealed}crc32 {:08x}\n", crc32fast::hash(sealed.as_bytes())))
            .expect("the folder can be written to");
        let ended = with(&team, &[&[options, &["--start-timeout", "2s"]].concat(), options]);
        ended[0].is_wrong(&[&team.name(1)]);
        ended[1].is_wrong(&[words]);
    }
    fs::write(&list, text).expect("the folder can be written to");
    for ended in team.all(&[&EXPLORE[..], options].concat()) {
        assert_eq!((ended.status, &*ended.said), (Some(0), ""));
    }
}

#[test]
fn checkpoints_of_one_machine_and_of_several_are_distinguished() {
    let team = Team::new("alone", 2);
    let (status, _, said) = run(&team.here, &["explore", "tiles.toml", "--disk", "one", "--depth-limit", "9"]);
    assert_eq!(status, 3, "{said}");
    for ended in alike(&team, &["--disk", "one"]) {
        ended.is_wrong(&["one: the exploration in this folder is that of one machine alone", "name another folder"]);
    }
    begin(&team, &["--disk", "several"]);
    for (folder, words) in [
        ("several", "there are other files in this folder, such as process-0-worker-0"),
        ("several/process-0-worker-0", "is the share of worker 0 of 2, not one of one machine alone"),
    ] {
        let (status, out, said) = run(&team.here, &["explore", "tiles.toml", "--disk", folder]);
        assert_eq!((status, &*out), (2, ""));
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn a_failure_of_one_process_with_several_workers_is_reported() {
    let team = Team::new("trouble", 1);
    let options = ["explore", "tiles.toml", "--workers", "2", "--disk", "on"];
    let begun = team.spawn("alone", &[&options[..], &["--depth-limit", "9"]].concat()).end(PATIENCE);
    assert_eq!(begun.status, Some(3), "{}", begun.said);
    fs::remove_dir_all(team.here.join("on/process-0-worker-1")).expect("the path exists");
    team.spawn("alone", &options).end(SOON).is_wrong(&["the checkpoint of this worker is gone"]);
}

#[test]
fn a_folder_is_used_by_one_run_at_a_time() {
    let team = Team::new("locked", 2);
    begin(&team, &["--disk", "on"]);
    let lock = fs::File::open(team.here.join("on/process-1-worker-0/exploration.lock")).expect("the path exists");
    lock.lock().expect("the lock is free");
    let ended = alike(&team, &["--disk", "on"]);
    ended[0].is_wrong(&[&team.name(1), "another engine explores in this folder"]);
    ended[1].is_wrong(&["another engine explores in this folder"]);
}

#[test]
fn processes_with_different_peer_timeouts_work_together() {
    let team = Team::new("silence", 2);
    let (_, expected, _) = run(&team.here, &["explore", "tiles.toml", "--format", "json"]);
    let json = [&EXPLORE[..], &["--format", "json"]].concat();
    let timeout = |time| [&json[..], &["--peer-timeout", time, "--start-timeout", "1000000years"]].concat();
    // Before it works, the patient process waits for longer than the other's peer timeout.
    let processes = [team.start(0, &timeout("500ms")), team.start(1, &timeout("1000000years"))];
    for ended in processes.map(|process| process.end(PATIENCE)) {
        assert_eq!(ended.status, Some(0), "{}", ended.said);
        assert_eq!(without_measurements(&ended.out), without_measurements(&expected));
    }
}
