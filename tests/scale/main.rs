//! Explorations beyond one process in memory: on disk, and shared by several processes.

#![cfg(unix)]

mod cluster;
mod disk;
#[path = "../support/mod.rs"]
mod support;
