//! Tests several processes of the real program on this machine: they yield the answer of one process, despite faults.
//!
//! On Linux each test program has its own loopback address, on which it picks free ports.

mod ends;
mod faults;
mod hosts;
mod networks;
mod refusals;
mod same;
mod strangers;
mod team;
