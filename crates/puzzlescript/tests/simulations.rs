//! The simulations of the reference.
fn main() {}
