//! Handshakes over real connections: matching processes accept each other, and both report any difference.

use super::*;
use crate::search::cluster::hello::Channel;
use crate::search::disk::manifest::Identity;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

fn hello(process: usize) -> Hello {
    let identity = Identity {
        engine: "0.1.0".to_owned(),
        puzzle: "ab".repeat(32),
        codes: "keys of 8 bytes".to_owned(),
        start: "ff".to_owned(),
        share: None,
    };
    Hello {
        process,
        processes: 3,
        workers: 2,
        depth: None,
        identity,
        disk: true,
        run: None,
        patience: Duration::from_secs(1),
        secret: false,
        life: format!("life of {process}"),
        nonce: random().expect("random bytes are available"),
        channel: Channel::States,
    }
}

fn hosts() -> Vec<Host> {
    let host = |port| Host { name: format!("10.0.0.{port}:7"), address: SocketAddr::from(([10, 0, 0, port], 7)) };
    (1..=3).map(host).collect()
}

/// Returns both ends of a connection.
fn connection() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let one =
        TcpStream::connect(listener.local_addr().expect("the listener has an address")).expect("the listener accepts");
    let (other, _) = listener.accept().expect("a connection is pending");
    for stream in [&one, &other] {
        stream.set_read_timeout(Some(Duration::from_secs(10))).expect("the timeout is valid");
    }
    (one, other)
}

type Outcome = Result<Hello, HandshakeError>;

/// Returns the results of the process that connects to process 0, and of process 0.
fn handshake(connects: (Hello, &'static [u8]), answers: (Hello, &'static [u8])) -> (Outcome, Outcome) {
    let (mut here, mut there) = connection();
    let other = thread::spawn(move || respond(&mut there, &answers.0, answers.1, &hosts()));
    let initiated = initiate(&mut here, &connects.0, connects.1, &hosts(), 0);
    drop(here);
    (initiated, other.join().expect("the thread does not panic"))
}

fn refusal(initiated: Outcome) -> String {
    match initiated {
        Err(HandshakeError::Refused(_, error) | HandshakeError::WrongSecret(error)) => error.message,
        other => panic!("{other:?} is no refusal"),
    }
}

#[test]
fn matching_processes_accept_each_other() {
    for secret in [&b""[..], b"0123456789abcdef"] {
        let of = |process| Hello { secret: !secret.is_empty(), ..hello(process) };
        let (one, other) = (of(2), Hello { channel: Channel::Control, ..of(0) });
        let (initiated, answered) = handshake((one.clone(), secret), (other.clone(), secret));
        assert_eq!(answered.expect("the handshake succeeds"), one);
        assert_eq!(
            initiated.expect("the handshake succeeds"),
            Hello { channel: Channel::States, ..other },
            "the connecting process chooses the channel"
        );
    }
}

#[test]
fn any_difference_is_reported_to_both() {
    let identity = hello(0).identity;
    let of = |change: &dyn Fn(&mut Identity)| {
        let mut identity = identity.clone();
        change(&mut identity);
        Hello { identity, ..hello(1) }
    };
    let something_else = "runs another command";
    let cases = [
        (of(&|identity| identity.engine = "9".to_owned()), "of the engine, but this is"),
        (of(&|identity| identity.puzzle = "cd".repeat(32)), "has another puzzle"),
        (of(&|identity| identity.codes = "keys of 4 bytes".to_owned()), something_else),
        (of(&|identity| identity.start = "fe".to_owned()), something_else),
        (Hello { depth: Some(7), ..hello(1) }, something_else),
        (Hello { processes: 2, ..hello(1) }, "is one of "),
        (Hello { workers: 1, ..hello(1) }, "is one of "),
        (Hello { disk: false, ..hello(1) }, "`--disk`, but this one has"),
        (Hello { secret: true, ..hello(1) }, "secret, but this one has"),
        (hello(0), "is already there"),
    ];
    for (differs, words) in cases {
        let (initiated, answered) = handshake((differs, b""), (hello(0), b""));
        for message in [refusal(initiated), refusal(answered)] {
            assert!(message.starts_with("process ") && message.contains(words), "{message}");
        }
    }
    // A number outside the hosts file.
    let (_, answered) = handshake((hello(7), b""), (hello(0), b""));
    assert_eq!(refusal(answered), "process 7 at an address that is not in the file of hosts is already there");
}

#[test]
fn an_unexpected_process_number_is_reported() {
    let (initiated, _) = handshake((hello(2), b""), (hello(1), b""));
    assert_eq!(refusal(initiated), "10.0.0.1:7 is listed as process 0, but process 1 runs there");
}

#[test]
fn different_secrets_are_rejected_by_both() {
    let of = |process| Hello { secret: true, ..hello(process) };
    let (initiated, answered) = handshake((of(1), b"0123456789abcdef"), (of(0), b"0123456789abcdeg"));
    let words = "process 1 at 10.0.0.2:7 and process 0 at 10.0.0.1:7 have different secrets";
    assert!(matches!(&initiated, Err(HandshakeError::WrongSecret(error)) if error.message == words), "{initiated:?}");
    assert!(matches!(&answered, Err(HandshakeError::WrongSecret(error)) if error.message == words), "{answered:?}");
}

/// Performs a handshake with the proof that `prove` computes from the peer's hello.
fn handshake_with_proof(mine: &Hello, prove: impl FnOnce(&Hello) -> String) -> Outcome {
    let (mut here, mut there) = connection();
    let other = thread::spawn(move || {
        let mine = Hello { secret: true, ..hello(0) };
        respond(&mut there, &mine, b"0123456789abcdef", &hosts())
    });
    Frame::Hello(Box::new(mine.clone())).write(&mut here).expect("the peer reads");
    let its = super::hello(&mut here).expect("the peer answers");
    Frame::Proof(prove(&its)).write(&mut here).expect("the peer reads");
    // Wait until the peer has finished.
    let _ = Frame::read(&mut here);
    other.join().expect("the thread does not panic")
}

#[test]
fn a_proof_is_valid_for_one_connection_and_one_direction() {
    let secret = b"0123456789abcdef";
    let mine = Hello { secret: true, ..hello(1) };
    let mut used = String::new();
    let initiated = handshake_with_proof(&mine, |its| {
        used = proof("connects", secret, &mine, its).expect("the proof can be computed");
        used.clone()
    });
    assert!(initiated.is_ok(), "{initiated:?}");
    let is_rejected = |initiated: Outcome| matches!(initiated, Err(HandshakeError::WrongSecret(_)));
    assert!(is_rejected(handshake_with_proof(&mine, |_| used)), "a replayed proof is rejected");
    assert!(is_rejected(
        handshake_with_proof(&mine, |its| proof("answers", secret, &mine, its).expect("the proof can be computed"))
    ));
    assert!(is_rejected(
        handshake_with_proof(&mine, |its| proof("connects", b"", &mine, its).expect("the proof can be computed"))
    ));
    for garbage in ["", "0", "zz", "\u{e9}\u{e9}", &"00".repeat(32), &"0".repeat(1000)] {
        assert!(is_rejected(handshake_with_proof(&mine, |_| garbage.to_owned())), "{garbage}");
    }
    // A proof covers the hello: changing the hello in transit invalidates it.
    let other = Hello { depth: Some(3), ..mine.clone() };
    assert!(is_rejected(
        handshake_with_proof(&mine, |its| proof("connects", secret, &other, its).expect("the proof can be computed"))
    ));
}
