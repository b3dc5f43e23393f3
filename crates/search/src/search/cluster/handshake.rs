//! The handshake of two processes before any state is sent: their identities, the exploration that they run, and a
//! proof that both know the secret.
//!
//! The connecting process sends a hello; the other answers with its own. Each then proves that it knows the secret by
//! an HMAC (RFC 2104, with SHA-256) over both hellos. Each hello contains a random nonce, so no proof can be replayed.
//! The secret protects only the handshake: later traffic is neither encrypted nor authenticated.

use super::frame::Frame;
use super::hello::Hello;
use crate::search::disk::DiskError;
use crate::search::hosts::Host;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fmt::Write as _;
use std::io::{self, ErrorKind, Read, Write};

/// The reason why a handshake failed.
#[derive(Debug)]
pub(super) enum HandshakeError {
    /// The connection broke, or the peer does not speak this protocol.
    Broken(io::Error),
    /// This process and ours do not run the same exploration.
    Refused(usize, DiskError),
    /// The secrets differ: the peer may be anyone.
    WrongSecret(DiskError),
}

impl From<io::Error> for HandshakeError {
    fn from(error: io::Error) -> HandshakeError {
        HandshakeError::Broken(error)
    }
}

/// Returns sixteen random bytes, in hexadecimal.
pub(super) fn random() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(hex(&bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// Performs the handshake with a process that we connected to, and that should have number `to`.
pub(super) fn initiate(
    stream: &mut (impl Read + Write),
    mine: &Hello,
    secret: &[u8],
    hosts: &[Host],
    to: usize,
) -> Result<Hello, HandshakeError> {
    Frame::Hello(Box::new(mine.clone())).write(stream)?;
    let its = hello(stream)?;
    Frame::Proof(proof("connects", secret, mine, &its)?).write(stream)?;
    check_compatible(mine, &its, hosts).map_err(|error| HandshakeError::Refused(its.process, error))?;
    match Frame::read(stream)? {
        Frame::Proof(its_proof) => verify(&its_proof, "answers", secret, mine, &its)?,
        Frame::Refusal(error) => return Err(HandshakeError::WrongSecret(error)),
        _ => return Err(HandshakeError::Broken(ErrorKind::InvalidData.into())),
    }
    if its.process != to {
        let error = DiskError {
            message: format!("{} is listed as process {to}, but process {} runs there", hosts[to], its.process),
            help: "give all processes the same file of hosts, and each its own number".to_owned(),
        };
        return Err(HandshakeError::Refused(to, error));
    }
    Ok(its)
}

/// Performs the handshake with a process that connected to us.
pub(super) fn respond(
    stream: &mut (impl Read + Write),
    mine: &Hello,
    secret: &[u8],
    hosts: &[Host],
) -> Result<Hello, HandshakeError> {
    let its = hello(stream)?;
    let mine = Hello { channel: its.channel, ..mine.clone() };
    Frame::Hello(Box::new(mine.clone())).write(stream)?;
    let Frame::Proof(its_proof) = Frame::read(stream)? else {
        return Err(HandshakeError::Broken(ErrorKind::InvalidData.into()));
    };
    if verify(&its_proof, "connects", secret, &its, &mine).is_err() {
        let at = |hello: &Hello| format!("process {} at {}", hello.process, hello.at(hosts));
        let error = DiskError {
            message: format!("{} and {} have different secrets", at(&its), at(&mine)),
            help: SAME_SECRET.to_owned(),
        };
        Frame::Refusal(error.clone()).write(stream)?;
        return Err(HandshakeError::WrongSecret(error));
    }
    check_compatible(&mine, &its, hosts).map_err(|error| HandshakeError::Refused(its.process, error))?;
    Frame::Proof(proof("answers", secret, &its, &mine)?).write(stream)?;
    Ok(its)
}

const SAME_SECRET: &str = "give `--secret` a file with the same content on all machines, or on none";

fn hello(stream: &mut impl Read) -> Result<Hello, HandshakeError> {
    match Frame::read(stream)? {
        Frame::Hello(hello) => Ok(*hello),
        _ => Err(HandshakeError::Broken(ErrorKind::InvalidData.into())),
    }
}

fn mac(role: &str, secret: &[u8], first: &Hello, second: &Hello) -> io::Result<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).map_err(io::Error::other)?;
    mac.update(&serde_json::to_vec(&(role, first, second))?);
    Ok(mac)
}

fn proof(role: &str, secret: &[u8], first: &Hello, second: &Hello) -> io::Result<String> {
    Ok(hex(&mac(role, secret, first, second)?.finalize().into_bytes()))
}

fn verify(its_proof: &str, role: &str, secret: &[u8], first: &Hello, second: &Hello) -> io::Result<()> {
    let bytes = (0..its_proof.len() / 2)
        .map(|at| its_proof.get(2 * at..2 * at + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok()));
    let bytes: Option<Vec<u8>> = bytes.collect();
    let right = mac(role, secret, first, second)?.verify_slice(&bytes.unwrap_or_default());
    right.map_err(|_| ErrorKind::PermissionDenied.into())
}

/// Checks that two processes run the same exploration.
fn check_compatible(mine: &Hello, its: &Hello, hosts: &[Host]) -> Result<(), DiskError> {
    let other = format!("process {} at {}", its.process, its.at(hosts));
    let differs =
        |what: String, help: &str| Err(DiskError { message: format!("{other} {what}"), help: help.to_owned() });
    let same_command = "start the same command everywhere, with another `--process` each";
    if its.identity.engine != mine.identity.engine {
        let what = format!("is version {} of the engine, but this is {}", its.identity.engine, mine.identity.engine);
        return differs(what, "install the same version on all machines");
    }
    if its.secret != mine.secret {
        let what = if its.secret { "has a secret, but this one has none" } else { "has no secret, but this one has" };
        return differs(what.to_owned(), SAME_SECRET);
    }
    if its.identity.puzzle != mine.identity.puzzle {
        let help = "copy the same puzzle file, and what it includes, to all machines";
        return differs("has another puzzle".to_owned(), help);
    }
    if its.identity != mine.identity || its.depth != mine.depth {
        return differs("runs another command".to_owned(), same_command);
    }
    if (its.processes, its.workers) != (mine.processes, mine.workers) {
        let what = format!(
            "is one of {} processes of {} workers, but this is one of {} of {}",
            its.processes, its.workers, mine.processes, mine.workers
        );
        return differs(what, "all need the same file of hosts and the same `--workers`");
    }
    if its.process == mine.process || its.process >= mine.processes {
        return differs("is already there".to_owned(), "each process needs its own number: `--process`");
    }
    if its.disk != mine.disk {
        let what = if its.disk { "has `--disk`, but this one has not" } else { "has no `--disk`, but this one has" };
        return differs(what.to_owned(), same_command);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
