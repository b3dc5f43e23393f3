//! The command line: `engine COMMAND`, one command a file.
//!
//! Results go to standard output, diagnostics to standard error. The exit status is 0 when all is well, 1 for a puzzle
//! proven unsolvable, a solution refused or a test that differs, 2 for wrong usage or a bad file, 3 for a search stopped
//! by a limit, 130 for an interrupted one; of several, the highest.

mod cache;
mod check;
mod cluster;
mod compare;
mod domains;
mod examples;
mod explore;
mod failure;
mod files;
mod import;
mod limits;
mod list;
mod loading;
mod machine;
mod new;
mod notation;
mod output;
mod plan;
mod play;
mod progress;
mod render;
mod schema;
mod scramble;
mod shell;
mod show;
mod snapshots;
mod solve;
mod test;
mod verify;

use crate::diagnostic::{Report, printable, steers};
use crate::search::Limit;
use anstream::{AutoStream, ColorChoice, stream::RawStream};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::io;
use std::process::ExitCode;

/// Drop in a puzzle as a TOML file, get the shortest solution, proven.
#[derive(Parser)]
#[command(name = "engine", version, about, max_term_width = 100)]
struct Cli {
    // It is looked for before clap is, whose own messages obey it, too.
    /// When to use colours: on terminals alone, unless the environment says otherwise (NO_COLOR, CLICOLOR_FORCE)
    #[arg(long, global = true, value_name = "WHEN", default_value_t)]
    color: clap::ColorChoice,
    /// Print neither notes nor progress on standard error; errors are still printed
    #[arg(long, short, global = true)]
    quiet: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Solve(solve::Solve),
    Check(check::Check),
    Test(test::Test),
    List(list::List),
    Show(show::Show),
    Play(play::Play),
    Domains(domains::Domains),
    New(new::New),
    Schema(schema::Schema),
    Explore(explore::Explore),
    Plan(plan::Plan),
    Compare(compare::Compare),
    Import(import::Import),
    Render(render::Render),
    Cache(cache::Cache),
    Scramble(scramble::Scramble),
    Verify(verify::Verify),
    Completions(shell::Completions),
    Man(shell::Man),
}

/// How a command ended; the order is that of the exit statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    Good = 0,
    /// Proven unsolvable, refused, or not as it was.
    No = 1,
    Bad = 2,
    Stopped = 3,
    Interrupted = 130,
}

impl Status {
    /// The status of a command that a limit ended.
    fn of_limit(limit: Limit) -> Status {
        if limit == Limit::Interrupt { Status::Interrupted } else { Status::Stopped }
    }

    /// The status of a command that found all it was to find, unless a limit ended it.
    fn unless(limit: Option<Limit>) -> Status {
        limit.map_or(Status::Good, Status::of_limit)
    }
}

/// Runs the command that the program's arguments ask for.
///
/// A program that links further domains calls this as its whole `main`, and has all commands for them.
#[must_use]
pub fn main() -> ExitCode {
    color_option().write_global();
    let Cli { quiet, command, color: _ } = command()
        .try_get_matches()
        .and_then(|found| Cli::from_arg_matches(&found))
        .unwrap_or_else(|error| refuse(&error));
    let ended = match command {
        Command::Solve(solve) => solve.run(quiet),
        Command::Check(check) => check.run(),
        Command::Test(test) => test.run(quiet),
        Command::List(list) => list.run(quiet),
        Command::Show(show) => show.run(),
        Command::Play(play) => play.run(),
        Command::Domains(domains) => domains.run(),
        Command::New(new) => new.run(),
        Command::Schema(schema) => schema.run(),
        Command::Explore(explore) => explore.run(quiet),
        Command::Plan(plan) => plan.run(quiet),
        Command::Compare(compare) => compare.run(quiet),
        Command::Import(import) => import.run(),
        Command::Render(render) => render.run(quiet),
        Command::Cache(cache) => cache.run(),
        Command::Scramble(scramble) => scramble.run(),
        Command::Verify(verify) => verify.run(quiet),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(),
    };
    let status = ended.unwrap_or_else(|failure| failure.print());
    ExitCode::from(status as u8)
}

/// Prints the error in the arguments, or the help or version that they ask for. Arguments may be the names of a
/// stranger's files.
fn refuse(error: &clap::Error) -> ! {
    if error.use_stderr() && std::env::args_os().any(|argument| argument.to_string_lossy().contains(steers)) {
        complain(error.render().to_string().trim_end());
        std::process::exit(error.exit_code());
    }
    error.exit()
}

/// The whole command line.
fn command() -> clap::Command {
    examples::added(Cli::command())
}

/// The value of `--color`.
fn color_option() -> ColorChoice {
    let arguments = std::env::args_os().take_while(|argument| argument != "--");
    let arguments: Vec<String> = arguments.map(|argument| argument.to_string_lossy().into_owned()).collect();
    let mut values =
        arguments.iter().enumerate().filter_map(|(number, argument)| match argument.strip_prefix("--color") {
            Some("") => arguments.get(number + 1).map(String::as_str),
            Some(value) => value.strip_prefix('='),
            None => None,
        });
    match values.find_map(|value| clap::ColorChoice::from_str(value, false).ok()) {
        Some(clap::ColorChoice::Always) => ColorChoice::Always,
        Some(clap::ColorChoice::Never) => ColorChoice::Never,
        _ => ColorChoice::Auto,
    }
}

/// Prints to standard error, without control characters.
fn complain(message: &str) {
    print_error(&printable(message));
}

/// Prints to standard error, if it is still there.
fn print_error(text: &str) {
    use io::Write;
    let _ = writeln!(io::stderr(), "{text}");
}

/// Prints the errors and warnings of a file.
fn report(report: &Report) {
    print_error(&(report.render(colours(&io::stderr())) + "\n"));
}

/// Whether a stream gets colours: by `--color`, else `NO_COLOR`, `CLICOLOR_FORCE` and
/// `CLICOLOR`, else whether it is a terminal.
fn colours(stream: &impl RawStream) -> bool {
    AutoStream::choice(stream) != ColorChoice::Never
}
