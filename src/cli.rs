//! The command line: `engine COMMAND`, one command a file.
//!
//! Results go to standard output, diagnostics to standard error. The exit status is 0 when all is well, 1 for a puzzle
//! proven unsolvable or a solution refused, 2 for wrong usage or a bad file, 3 for a search stopped by a limit, 130 for an
//! interrupted one; of several, the highest.

mod cache;
mod check;
mod domains;
mod explore;
mod files;
mod import;
mod limits;
mod list;
mod output;
mod play;
mod scramble;
mod show;
mod solve;
mod verify;

use crate::diagnostic::{Report, printable};
use clap::{Parser, Subcommand};
use std::io::{self, IsTerminal};
use std::process::ExitCode;

/// Drop in a puzzle as a TOML file, get the shortest solution, proven.
#[derive(Parser)]
#[command(name = "engine", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Solve(solve::Solve),
    Check(check::Check),
    List(list::List),
    Show(show::Show),
    Play(play::Play),
    Domains(domains::Domains),
    Explore(explore::Explore),
    Import(import::Import),
    Cache(cache::Cache),
    Scramble(scramble::Scramble),
    Verify(verify::Verify),
}

/// How a command ended; the order is that of the exit statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    Good = 0,
    /// Proven unsolvable, or refused.
    No = 1,
    Bad = 2,
    Stopped = 3,
    Interrupted = 130,
}

/// Runs the command that the program's arguments ask for.
///
/// A program that links further domains calls this as its whole `main`, and has all commands for them.
#[must_use]
pub fn main() -> ExitCode {
    let ended = match Cli::parse().command {
        Command::Solve(solve) => solve.run(),
        Command::Check(check) => check.run(),
        Command::List(list) => list.run(),
        Command::Show(show) => show.run(),
        Command::Play(play) => play.run(),
        Command::Domains(domains) => domains.run(),
        Command::Explore(explore) => explore.run(),
        Command::Import(import) => import.run(),
        Command::Cache(cache) => cache.run(),
        Command::Scramble(scramble) => scramble.run(),
        Command::Verify(verify) => verify.run(),
    };
    match ended {
        Ok(status) => ExitCode::from(status as u8),
        // Whoever read our output has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(Status::Good as u8),
        Err(error) => {
            complain(&format!("error: {error}"));
            ExitCode::from(Status::Bad as u8)
        }
    }
}

/// Prints to standard error, without what would steer a terminal.
fn complain(message: &str) {
    print_error(&printable(message));
}

/// If standard error is gone too, there is nobody left to tell.
fn print_error(text: &str) {
    use io::Write;
    let _ = writeln!(io::stderr(), "{text}");
}

/// Prints what is wrong with a file.
fn report(report: &Report) {
    let colour = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    print_error(&(report.render(colour) + "\n"));
}
