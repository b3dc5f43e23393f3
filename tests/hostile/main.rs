//! Tests hostile input: files, names, links, devices, and random bytes.

mod corpus;
#[cfg(unix)]
mod files;
#[cfg(unix)]
mod games;
#[cfg(unix)]
mod outputs;
#[path = "../support/mod.rs"]
mod support;
