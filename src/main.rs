//! The command `engine`; the library contains all its code.

fn main() -> std::process::ExitCode {
    engine::cli::main()
}
