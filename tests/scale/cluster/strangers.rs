//! Tests peers that are none: without a secret, in great numbers, slow, or sending anything after a right greeting.

use crate::cluster::team::{PATIENCE, Team, wait_for};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

const EXPLORE: [&str; 2] = ["explore", "tiles.toml"];

#[test]
fn other_machines_need_a_secret() {
    let team = Team::new("no-secret", 2);
    team.write("secret", "0123456789abcdef0123456789abcdef");
    // Of a network for documentation (RFC 5737): nobody has this address.
    team.write("far.txt", "192.0.2.1:7000\n192.0.2.2:7000\n");
    let far =
        [&EXPLORE[..], &["--hosts", "far.txt", "--process", "0", "--allow-network", "--start-timeout", "1s"]].concat();
    let refused = team.spawn("far", &far).end(PATIENCE);
    refused.is_wrong(&["far.txt:1:1", "far.txt:2:1", "needs a `--secret`", "name it by `--secret FILE`"]);
    // With one, the address itself is the next mistake.
    let with = team.spawn("with", &[&far[..], &["--secret", "secret"]].concat()).end(PATIENCE);
    with.is_wrong(&["cannot listen on 192.0.2.1:7000"]);
}

/// A record of a connection for states.
fn record(content: &[u8]) -> Vec<u8> {
    let (length, checksum) = (u32::try_from(content.len()).expect("a record is short"), crc32fast::hash(content));
    [&length.to_le_bytes(), &checksum.to_le_bytes(), content].concat()
}

/// Reads a message of the greeting: its length and its text.
fn greeting(stream: &mut TcpStream) -> std::io::Result<Vec<u8>> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let mut text = vec![0; u32::from_be_bytes(length) as usize];
    stream.read_exact(&mut text)?;
    Ok([&length[..], &text].concat())
}

/// Passes on the greeting of a process that connects, and then, instead of its states, these bytes. Control messages are
/// passed on as they are.
fn pass_on(mut from: TcpStream, mut to: TcpStream, instead: &[u8]) -> std::io::Result<()> {
    let (mut answers, mut back) = (to.try_clone()?, from.try_clone()?);
    thread::spawn(move || std::io::copy(&mut answers, &mut back));
    let hello = greeting(&mut from)?;
    to.write_all(&hello)?;
    to.write_all(&greeting(&mut from)?)?;
    if String::from_utf8_lossy(&hello).contains("\"channel\":\"states\"") {
        to.write_all(instead)?;
    }
    std::io::copy(&mut from, &mut to)?;
    to.shutdown(Shutdown::Both)
}

#[test]
fn a_peer_that_sends_garbage_is_named() {
    let random: Vec<u8> = (0..4096_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let damaged: Vec<u8> = record(b"states").iter().map(|byte| byte ^ 4).collect();
    // A message of timely has six numbers in front: the channel, the source, the targets, the length, a number.
    let message = |channel: u64, length: u64, body: &[u8]| {
        let numbers = [channel, 1, 0, 1, length, 0].map(u64::to_be_bytes);
        record(&[&numbers.concat()[..], body].concat())
    };
    let cases: [(&str, Vec<u8>); 8] = [
        ("ones", vec![0xff; 1 << 16]),
        ("zeros", vec![0; 100]),
        ("content", record(&random)),
        ("random", random),
        ("damaged", damaged),
        ("endless", message(3, 1 << 40, b"states")),
        ("channel", message(99, 8, &[0; 8])),
        ("body", message(3, 64, &[0xff; 64])),
    ];
    for (name, garbage) in cases {
        let team = Team::new(&format!("garbage-{name}"), 2);
        let between = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let other = format!("{}\n{}\n", between.local_addr().expect("it listens"), team.hosts[1]);
        team.write("between.txt", &other);
        let host = team.start(0, &EXPLORE);
        team.connect(0);
        let target = team.hosts[0].clone();
        thread::spawn(move || {
            for from in between.incoming().flatten() {
                let (to, garbage) = (TcpStream::connect(&target).expect("it listens"), garbage.clone());
                thread::spawn(move || pass_on(from, to, &garbage));
            }
        });
        let guest = team.spawn("guest", &[&EXPLORE[..], &["--hosts", "between.txt", "--process", "1"]].concat());
        let ended = host.end(PATIENCE);
        let message = format!("{} sent invalid data", team.name(1));
        ended.is_wrong(&[&message]);
        assert_eq!(guest.end(PATIENCE).status, Some(2), "{name}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn pending_connections_are_bounded_and_a_slow_one_is_given_up() {
    let team = Team::new("pending", 2);
    let host = team.start(0, &EXPLORE);
    let mut slow = team.connect(0);
    let idle: Vec<TcpStream> = (0..300).filter_map(|_| TcpStream::connect(&team.hosts[0]).ok()).collect();
    assert!(idle.len() >= 100, "only {} connections", idle.len());
    let begun = Instant::now();
    let mut most = 0;
    while begun.elapsed() < Duration::from_secs(1) {
        most = most.max(host.threads());
        sleep(Duration::from_millis(10));
    }
    assert!((20..=90).contains(&most), "{most} threads for {} connections", idle.len());
    // A greeting of 1000 bytes, a byte now and then.
    let _ = slow.write_all(&1000_u32.to_be_bytes());
    wait_for("the slow connection", || {
        sleep(Duration::from_millis(200));
        slow.write_all(b" ").is_err()
    });
    assert!(begun.elapsed() < Duration::from_secs(12), "given up after {:?}", begun.elapsed());
    let guest = team.start(1, &EXPLORE);
    for ended in [host.end(PATIENCE), guest.end(PATIENCE)] {
        assert_eq!((ended.status, &*ended.stderr), (Some(0), ""));
    }
}
