//! Several processes of the real program on this machine give the answer of one, despite all kinds of faults.
//!
//! Each test has a loopback address of its own, if there are many, and uses free ports on it.

mod ends;
mod faults;
mod hosts;
mod networks;
mod refusals;
mod same;
mod team;
