//! Tests processes that are missing, have another task, or do not belong to the run: all report the reason, quickly.

use crate::cluster::team::{Ended, PATIENCE, Process, TILES, Team, comparable_json};
use crate::support::program::run;
use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The time within which a refusal must arrive. An exploration may take longer, above all if fsync is slow.
const REFUSAL_TIMEOUT: Duration = Duration::from_secs(20);
const EXPLORE: [&str; 2] = ["explore", "tiles.toml"];

fn all(processes: Vec<Process>) -> Vec<Ended> {
    processes.into_iter().map(|process| process.end(REFUSAL_TIMEOUT)).collect()
}

/// Runs each process with its own options.
fn with(team: &Team, options: &[&[&str]]) -> Vec<Ended> {
    let start = |(process, own): (usize, &&[&str])| team.start(process, &[&EXPLORE[..], own].concat());
    all(options.iter().enumerate().map(start).collect())
}

/// Runs all processes with the same options.
fn with_same(team: &Team, options: &[&str]) -> Vec<Ended> {
    all(team.start_all(&[&EXPLORE[..], options].concat()))
}

/// Runs to a limit, so that every process has a checkpoint.
fn make_checkpoint(team: &Team, options: &[&str]) {
    for ended in team.all(&[&EXPLORE[..], options, &["--depth-limit", "12"]].concat()) {
        assert_eq!(ended.status, Some(3), "{}", ended.stderr);
    }
}

#[test]
fn a_missing_process_is_named() {
    let team = Team::new("absent", 3);
    let begun = Instant::now();
    let options = [&EXPLORE[..], &["--start-timeout", "500ms"]].concat();
    for ended in all(vec![team.start(0, &options), team.start(2, &options)]) {
        ended.is_wrong(&[&team.name(1), "start the same command there with `--process 1`"]);
    }
    assert!(begun.elapsed() < REFUSAL_TIMEOUT / 2, "{:?}", begun.elapsed());
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
fn a_duplicate_process_number_is_reported() {
    let team = Team::new("number", 2);
    let first = team.start(1, &EXPLORE);
    team.connect(1);
    let second = team.spawn("second", &[&EXPLORE[..], &["--hosts", "hosts.txt", "--process", "1"]].concat());
    second.end(REFUSAL_TIMEOUT).is_wrong(&["cannot listen on", "the address of process 1"]);
    drop(first);
    // Two machines whose hosts files have another order.
    team.write("other.txt", &format!("{}\n{}\n", team.hosts[1], team.hosts[0]));
    let other = team.spawn("other", &[&EXPLORE[..], &["--hosts", "other.txt", "--process", "1"]].concat());
    let ended = all(vec![team.start(1, &EXPLORE), other]);
    for ended in ended {
        ended.is_wrong(&["is already there", "each process needs its own number"]);
    }
}

#[test]
fn processes_with_different_tasks_report_it_and_so_does_a_late_third() {
    let team = Team::new("else", 2);
    team.write("other.toml", &TILES.replace("Tiles", "Tile"));
    team.write("three.txt", &(team.hosts.join("\n") + "\n127.0.0.1:9\n"));
    let solve = ["solve", "tiles.toml", "--algorithm", "bfs"];
    let hosts = ["--hosts", "three.txt", "--process", "1"];
    let cases: [(&str, &[&str], &str); 6] = [
        ("other", &["explore", "other.toml"], "has another puzzle"),
        ("solve", &solve, "runs another command"),
        ("depth", &["explore", "tiles.toml", "--depth-limit", "3"], "runs another command"),
        ("workers", &["explore", "tiles.toml", "--workers", "2"], "is one of 2 processes of"),
        ("disk", &["explore", "tiles.toml", "--disk", "on"], "`--disk`, but this one has"),
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
    // Both listen. The test cannot observe that they have exchanged messages; an earlier third gets the reason as well.
    team.connect(0);
    team.connect(1);
    sleep(Duration::from_millis(300));
    processes.push(team.start(2, &EXPLORE));
    for ended in all(processes) {
        ended.is_wrong(&["has another puzzle", "copy the same puzzle file"]);
    }
}

#[test]
fn a_late_process_reports_which_one_the_others_have_lost() {
    let team = Team::new("late", 3);
    let patient = ["explore", "tiles.toml", "--start-timeout", "6s"];
    let (one, lost) = (team.start(1, &patient), team.start(2, &patient));
    // Time for the rendezvous; a process that has not met the others misses the same one at the end.
    team.connect(1);
    sleep(Duration::from_millis(500));
    lost.signal("-KILL");
    for ended in all(vec![team.start(0, &patient), one]) {
        ended.is_wrong(&[&team.name(2)]);
    }
}

#[test]
fn a_process_without_the_secret_is_refused_and_disturbs_nobody() {
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
        (secret("right"), soon.to_vec(), "has a secret, but this one has none"),
        (soon.to_vec(), secret("right"), "has no secret, but this one has"),
    ] {
        let ended = with(&team, &[&first, &second]);
        ended[1].is_wrong(&[&team.name(0), words, "give `--secret` a file with the same content"]);
        // The peer is not authenticated, so the right process may still come.
        ended[0].is_wrong(&[&team.name(1), "is not there after 2s", "have different secrets"]);
    }
    // A process with the wrong secret, before the right one starts.
    let host = team.start(0, &[&EXPLORE[..], &["--secret", "right"]].concat());
    team.start(1, &[&EXPLORE[..], &["--secret", "wrong"]].concat())
        .end(REFUSAL_TIMEOUT)
        .is_wrong(&["different secrets"]);
    let guest = team.start(1, &[&EXPLORE[..], &["--secret", "same"]].concat());
    for ended in [host.end(PATIENCE), guest.end(PATIENCE)] {
        assert_eq!((ended.status, &*ended.stderr), (Some(0), ""));
    }
    for (name, words) in [("short", "too short"), ("long", "too long"), ("none", "cannot be read")] {
        team.start(0, &[&EXPLORE[..], &["--secret", name]].concat()).end(REFUSAL_TIMEOUT).is_wrong(&[name, words]);
    }
}

#[test]
fn strangers_disturb_no_start() {
    let team = Team::new("strangers", 2);
    let host = team.start(0, &EXPLORE);
    let mut strangers: Vec<TcpStream> = (0..100).map(|_| team.connect(0)).collect();
    let frame = |text: &str| [&(text.len() as u32).to_be_bytes()[..], text.as_bytes()].concat();
    let messages = [
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
    for (stranger, message) in strangers.iter_mut().zip(messages) {
        // The process may close the connection before it has read everything.
        let _ = stranger.write_all(&message);
        let _ = stranger.shutdown(Shutdown::Write);
    }
    let guest = team.start(1, &EXPLORE);
    for ended in [host.end(PATIENCE), guest.end(PATIENCE)] {
        assert_eq!((ended.status, &*ended.stderr), (Some(0), ""));
    }
    // Strangers must receive nothing.
    let mut heard = Vec::new();
    let _ = strangers[0].set_read_timeout(Some(Duration::from_secs(1)));
    let _ = strangers[0].read_to_end(&mut heard);
    assert!(heard.is_empty(), "a stranger without a valid message receives bytes");
}

#[test]
fn a_stranger_at_a_processs_address_is_reported_in_time() {
    let team = Team::new("impostor", 2);
    let listener = TcpListener::bind(&team.hosts[0]).expect("the port is free");
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let _ = stream.and_then(|mut stream| stream.write_all(&[0xff; 64]));
        }
    });
    let ended = team.start(1, &[&EXPLORE[..], &["--start-timeout", "1s"]].concat()).end(REFUSAL_TIMEOUT);
    ended.is_wrong(&[&team.name(0), "is not there after 1s: another program listens there"]);
}

#[test]
fn checkpoints_that_do_not_belong_together_are_refused() {
    let team = Team::new("runs", 2);
    make_checkpoint(&team, &["--disk", "a"]);
    make_checkpoint(&team, &["--disk", "b"]);
    let ended = with(&team, &[&["--disk", "a"], &["--disk", "b"]]);
    for ended in ended {
        ended.is_wrong(&[
            "process 1",
            "has the checkpoint of another run than process 0",
            "give the folder of the same run",
        ]);
    }
    let ended = with(&team, &[&["--disk", "a"], &["--disk", "new"]]);
    for ended in ended {
        ended.is_wrong(&["process 1", "has no checkpoint in its folder, unlike process 0"]);
    }
    for ended in with_same(&team, &["--disk", "a", "--workers", "2"]) {
        ended.is_wrong(&["was begun by 2 processes of 1 workers, but this is one of 2 of 2"]);
    }
    for ended in with_same(&team.replaced(3), &["--disk", "a"]) {
        ended.is_wrong(&["process 2", "has no checkpoint in its folder, unlike process 0"]);
    }
    // A refused checkpoint is unchanged.
    team.write("hosts.txt", &team.hosts.join("\n"));
    for ended in team.all(&[&EXPLORE[..], &["--disk", "a"]].concat()) {
        assert_eq!((ended.status, &*ended.stderr), (Some(0), ""));
    }
}

/// Copies a folder of layers.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the file can be written");
    for entry in fs::read_dir(from).expect("the file exists") {
        let entry = entry.expect("it can be read");
        fs::copy(entry.path(), to.join(entry.file_name())).expect("the file can be written");
    }
}

#[test]
fn all_report_a_checkpoint_that_is_damaged_missing_or_of_another_version() {
    let team = Team::new("damage", 2);
    let options: &[&str] = &["--disk", "on", "--workers", "2"];
    make_checkpoint(&team, options);
    let folder = team.here.join("on/process-1-worker-1");
    copy(&folder, &team.here.join("kept"));
    let refused = |words: &[&str]| {
        let ended = with_same(&team, options);
        ended[0].is_wrong(&[&[&*format!("{} stopped: ", team.name(1)), "process-1-worker-1"], words].concat());
        ended[1].is_wrong(&[&["process-1-worker-1"], words].concat());
        let _ = fs::remove_dir_all(&folder);
        copy(&team.here.join("kept"), &folder);
    };
    let list = folder.join("exploration.json");
    let text = fs::read_to_string(&list).expect("the file exists");

    fs::remove_dir_all(&folder).expect("the file exists");
    refused(&["the checkpoint of this worker is missing, but others have theirs", "put it back"]);
    fs::remove_file(folder.join("depth-00003.layer")).expect("the file exists");
    refused(&["depth-00003.layer is damaged: it is missing"]);
    let layer = fs::read(folder.join("depth-00013.layer")).expect("the file exists");
    let damaged: Vec<u8> = layer.iter().enumerate().map(|(at, byte)| byte ^ u8::from(at == 40)).collect();
    fs::write(folder.join("depth-00013.layer"), damaged).expect("the file can be written");
    refused(&["depth-00013.layer is damaged"]);

    // These are reported before the rendezvous.
    for (from, to, words) in
        [("version 1", "version 9", "another version"), ("\"engine\":\"", "\"engine\":\"7", "version 7")]
    {
        let changed = text.replacen(from, to, 1);
        let sealed = &changed[..changed.rfind("crc32 ").expect("it ends so")];
        fs::write(&list, format!("{sealed}crc32 {:08x}\n", crc32fast::hash(sealed.as_bytes())))
            .expect("the file can be written");
        let ended = with(&team, &[&[options, &["--start-timeout", "2s"]].concat(), options]);
        ended[0].is_wrong(&[&team.name(1)]);
        ended[1].is_wrong(&[words]);
    }
    fs::write(&list, text).expect("the file can be written");
    for ended in team.all(&[&EXPLORE[..], options].concat()) {
        assert_eq!((ended.status, &*ended.stderr), (Some(0), ""));
    }
}

#[test]
fn checkpoints_of_one_machine_and_of_several_are_distinguished() {
    let team = Team::new("alone", 2);
    let (status, _, stderr) = run(&team.here, &["explore", "tiles.toml", "--disk", "one", "--depth-limit", "9"]);
    assert_eq!(status, 3, "{stderr}");
    for ended in with_same(&team, &["--disk", "one"]) {
        ended.is_wrong(&["one: the exploration in this folder is that of one machine alone", "choose another folder"]);
    }
    make_checkpoint(&team, &["--disk", "several"]);
    for (folder, words) in [
        ("several", "the folder has other files, such as process-0-worker-0"),
        ("several/process-0-worker-0", "is the share of worker 0 of 2, not one of one machine alone"),
    ] {
        let (status, out, stderr) = run(&team.here, &["explore", "tiles.toml", "--disk", folder]);
        assert_eq!((status, &*out), (2, ""));
        assert!(stderr.contains(words), "{stderr}");
    }
}

#[test]
fn an_error_of_one_worker_is_reported() {
    let team = Team::new("trouble", 1);
    let options = ["explore", "tiles.toml", "--workers", "2", "--disk", "on"];
    let begun = team.spawn("alone", &[&options[..], &["--depth-limit", "9"]].concat()).end(PATIENCE);
    assert_eq!(begun.status, Some(3), "{}", begun.stderr);
    fs::remove_dir_all(team.here.join("on/process-0-worker-1")).expect("the file exists");
    team.spawn("alone", &options).end(REFUSAL_TIMEOUT).is_wrong(&["the checkpoint of this worker is missing"]);
}

#[test]
fn a_folder_is_for_one_run_at_a_time() {
    let team = Team::new("locked", 2);
    make_checkpoint(&team, &["--disk", "on"]);
    let lock = fs::File::open(team.here.join("on/process-1-worker-0/exploration.lock")).expect("the file exists");
    lock.lock().expect("nobody has it");
    let ended = with_same(&team, &["--disk", "on"]);
    ended[0].is_wrong(&[&team.name(1), "another engine explores in this folder"]);
    ended[1].is_wrong(&["another engine explores in this folder"]);
}

#[test]
fn processes_with_different_peer_timeouts_work_together() {
    let team = Team::new("silence", 2);
    let (_, expected, _) = run(&team.here, &["explore", "tiles.toml", "--format", "json"]);
    let json = [&EXPLORE[..], &["--format", "json"]].concat();
    let timeout = |time| [&json[..], &["--peer-timeout", time, "--start-timeout", "1000000years"]].concat();
    // The patient process waits at the start for longer than the other's peer timeout.
    let processes = [team.start(0, &timeout("500ms")), team.start(1, &timeout("1000000years"))];
    for ended in processes.map(|process| process.end(PATIENCE)) {
        assert_eq!(ended.status, Some(0), "{}", ended.stderr);
        assert_eq!(comparable_json(&ended.out), comparable_json(&expected));
    }
}
