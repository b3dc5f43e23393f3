//! Links the program at a fixed address: otherwise the loader relocates 27,000 addresses in 115 pages at every start,
//! which takes a quarter of its time.
//!
//! The price is that the addresses of the program itself are not random; those of its heap, stacks and libraries still
//! are. It is written in safe Rust but for one block, so there is little for which an attacker needs an address.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |name: &str| std::env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}
