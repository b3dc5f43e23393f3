//! The command `engine`; the library contains all its code.

/// Memory limits hold even where the program forgets to look.
#[global_allocator]
static ALLOCATOR: engine::cli::Allocator = engine::cli::Allocator;

fn main() -> std::process::ExitCode {
    engine::cli::main()
}
