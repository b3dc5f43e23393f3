//! Tests hostile input: files, names, links, devices, and random bytes.

#[cfg(unix)]
mod bombs;
mod corpus;
mod damage;
#[cfg(unix)]
mod files;
#[cfg(unix)]
mod games;
#[cfg(unix)]
mod outputs;
#[path = "../support/mod.rs"]
mod support;
