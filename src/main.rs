//! The command `engine`: everything it does is in the library.

fn main() -> std::process::ExitCode {
    engine::cli::main()
}
