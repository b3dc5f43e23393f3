//! Untrusted input causes no harm: files, names, links, devices, and random bytes.

mod corpus;
#[cfg(unix)]
mod files;
#[path = "../support/mod.rs"]
mod support;
