//! Tests searches too large for one process's memory: on disk, and distributed over several processes.

#![cfg(unix)]

mod cluster;
mod disk;
#[path = "../support/mod.rs"]
mod support;
