//! Several processes of the real program, on this machine: the answer of one, whatever happens on the way.
//!
//! Each test has a loopback address of its own, where there are many, and picks free ports on it.

mod ends;
mod faults;
mod hosts;
mod networks;
mod refusals;
mod same;
mod team;
