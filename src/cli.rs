//! The command line: `engine COMMAND`, one command a file.
//!
//! Results go to standard output, diagnostics to standard error. The exit status is 0 for success, 1 for a puzzle
//! proven unsolvable, a refused solution or a test that differs, 2 for wrong usage or an invalid file, 3 for a search
//! stopped by a limit, 130 for an interrupted one. With several puzzles it is the highest of theirs.

mod cache;
mod check;
mod child;
mod cluster;
mod compare;
mod costs;
mod definition;
mod diff;
mod domains;
mod edits;
mod examples;
mod explore;
mod failure;
mod files;
mod generate;
mod goal;
mod groups;
mod handover;
mod import;
mod limits;
mod list;
mod loading;
mod lsp;
mod machine;
mod minimize;
mod moves;
mod new;
mod notation;
mod output;
mod plan;
mod play;
mod plot;
mod progress;
mod rate;
mod renamed;
mod render;
mod schema;
mod scramble;
mod shell;
mod show;
mod snapshots;
mod solve;
mod stopped;
mod streams;
mod studio;
mod terminal;
mod test;
mod verify;
mod wall;
mod worksheet;

pub use wall::Allocator;

use crate::diagnostic::{Report, did_you_mean, is_hidden};
use crate::search::{Algorithm, Limit};
use crate::transcript::shell_word;
use anstream::{AutoStream, ColorChoice, stream::RawStream};
use clap::error::{ContextKind, ContextValue};
use clap::{ArgAction, Args, FromArgMatches, Parser, Subcommand, ValueEnum};
use failure::Failure;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use streams::{Content, stderr, stdout};

/// Find the shortest solution of a puzzle in a TOML file, and prove that none is shorter
#[derive(Parser)]
#[command(
    name = NAME,
    after_help = "`engine COMMAND --help` describes a command and all its options, with examples."
)]
struct Cli {
    #[command(flatten)]
    shared: Shared,
    #[command(subcommand)]
    command: Command,
}

/// The name of the program.
const NAME: &str = "engine";

// What all commands share. It has no documentation, which would replace that of the program.
#[derive(Args)]
#[command(version, max_term_width = 100, disable_help_flag = true, disable_version_flag = true)]
struct Shared {
    // `color_option` reads it before clap does: clap's own messages obey it, too.
    /// Choose when to print in colour
    ///
    /// `auto` prints in colour on a terminal, unless the environment sets NO_COLOR or CLICOLOR=0; CLICOLOR_FORCE turns
    /// colour on everywhere.
    #[arg(long, global = true, value_name = "WHEN", default_value_t, display_order = 900)]
    color: clap::ColorChoice,
    /// Print no notes and no progress on standard error; errors are still printed
    #[arg(long, short, global = true, display_order = 901)]
    quiet: bool,
    // Instead of clap's own flags, which cannot be put into a group.
    /// Print help: a summary with `-h`, all of it with `--help`
    #[arg(long, short, global = true, action = ArgAction::Help, display_order = 902)]
    help: Option<bool>,
    /// Print the version
    #[arg(long, short = 'V', action = ArgAction::Version, display_order = 903)]
    version: Option<bool>,
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
    Lsp(lsp::Lsp),
    Explore(explore::Explore),
    Generate(generate::Generate),
    Plan(plan::Plan),
    Compare(compare::Compare),
    Rate(rate::Rate),
    Import(import::Import),
    Render(render::Render),
    Cache(cache::Cache),
    Scramble(scramble::Scramble),
    Edits(edits::EditsCommand),
    Minimize(minimize::Minimize),
    Diff(diff::DiffCommand),
    Verify(verify::Verify),
    Worksheet(worksheet::WorksheetCommand),
    Studio(studio::Studio),
    Completions(shell::Completions),
    Man(shell::Man),
}

/// The result of a command, in the order of the exit statuses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Status {
    #[default]
    Good = 0,
    /// The puzzle is proven unsolvable, the solution refused, or a test differs.
    No = 1,
    Bad = 2,
    Stopped = 3,
    Interrupted = 130,
}

impl Status {
    /// Returns the status of a command that a limit ended.
    fn of_limit(limit: Limit) -> Status {
        if limit == Limit::Interrupt { Status::Interrupted } else { Status::Stopped }
    }

    /// Returns the status of a command: success, unless a limit ended it.
    fn unless(limit: Option<Limit>) -> Status {
        limit.map_or(Status::Good, Status::of_limit)
    }
}

/// Runs the command that the program's arguments name.
///
/// A program that links further domains calls this as its whole `main`: all commands then know these domains.
#[must_use]
pub fn main() -> ExitCode {
    color_option().write_global();
    let (name, parsed) = definition::for_run(std::env::args_os().nth(1).as_deref())
        .try_get_matches()
        .and_then(|found| Ok((found.subcommand_name().map(str::to_owned), Cli::from_arg_matches(&found)?)))
        .unwrap_or_else(|error| refuse(error));
    let Cli { shared: Shared { quiet, color: _, help: _, version: _ }, command } = parsed;
    if let (Some(name), false) = (name, quiet) {
        let arguments = std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
        renamed::notes(&name, arguments).iter().for_each(|note| complain(note));
    }
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
        Command::Lsp(lsp) => lsp.run(),
        Command::Explore(explore) => explore.run(quiet),
        Command::Generate(generate) => generate.run(quiet),
        Command::Plan(plan) => plan.run(quiet),
        Command::Compare(compare) => compare.run(quiet),
        Command::Rate(rate) => rate.run(quiet),
        Command::Import(import) => import.run(quiet),
        Command::Render(render) => render.run(quiet),
        Command::Cache(cache) => cache.run(),
        Command::Scramble(scramble) => scramble.run(quiet),
        Command::Edits(edits) => edits.run(),
        Command::Minimize(minimize) => minimize.run(quiet),
        Command::Diff(diff) => diff.run(),
        Command::Verify(verify) => verify.run(quiet),
        Command::Worksheet(worksheet) => worksheet.run(quiet),
        Command::Studio(studio) => studio.run(),
        Command::Completions(completions) => completions.run(),
        Command::Man(man) => man.run(),
    };
    let status = ended.unwrap_or_else(|failure| failure.print());
    ExitCode::from(status as u8)
}

/// Prints the error in the arguments, or the help or version that they request.
///
/// Arguments may be names of untrusted files: an error that quotes hidden characters is printed without colours.
fn refuse(mut error: clap::Error) -> ! {
    if let Some(failure) = instead_of_command(&error) {
        std::process::exit(failure.print() as i32);
    }
    suggest(&mut error);
    let text = error.render();
    let is_quoted = std::env::args_os().any(|argument| argument.to_string_lossy().contains(is_hidden));
    let styled = |colours: bool| match colours && !is_quoted {
        true => (text.ansi().to_string(), Content::Styled),
        false => (text.to_string(), Content::Text),
    };
    // A stream that is closed or full changes nothing about the arguments.
    let _ = if error.use_stderr() {
        let (text, content) = styled(colours(&io::stderr()));
        write!(stderr().of(content), "{text}")
    } else {
        let (text, content) = styled(colours(&io::stdout()));
        write!(stdout().of(content), "{text}")
    };
    std::process::exit(error.exit_code())
}

/// Returns the error for a file or a folder in the place of a command.
fn instead_of_command(error: &clap::Error) -> Option<Failure> {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let path = Path::new(name);
    let quoted = shell_word(name);
    let help = match () {
        () if path.is_dir() => format!("list the puzzles below this folder: `{NAME} list {quoted}`"),
        () if path.is_file() || path.extension().is_some() => {
            format!("solve the puzzle in this file: `{NAME} solve {quoted}`")
        }
        () => return None,
    };
    Some(Failure::refused(format!("`{name}` is not a command"), help))
}

/// Names of uniform-cost search, which is no algorithm of its own.
const UNIFORM_COST: [&str; 4] = ["dijkstra", "ucs", "uniform-cost", "uniform-cost-search"];

/// Suggests the value of an option that is nearest by the letters that differ, if one is near. Clap itself compares
/// beginnings: it takes `bsf` for `bfws` rather than `bfs`, and `dijkstra` for `ida-star`.
fn suggest(error: &mut clap::Error) {
    let (Some(ContextValue::String(written)), Some(ContextValue::Strings(known))) =
        (error.get(ContextKind::InvalidValue), error.get(ContextKind::ValidValue))
    else {
        return;
    };
    let near = did_you_mean(written, known.iter().map(String::as_str)).map(str::to_owned);
    let is_algorithm = known.iter().any(|name| name == Algorithm::AStar.name());
    let is_uniform_cost = is_algorithm && UNIFORM_COST.contains(&written.to_lowercase().as_str());
    match near {
        Some(near) => error.insert(ContextKind::SuggestedValue, ContextValue::String(near)),
        None => error.remove(ContextKind::SuggestedValue),
    };
    if is_uniform_cost {
        let tip = "uniform-cost search is A* without a heuristic: '--algorithm a-star --heuristic zero'";
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
}

/// Returns the value of `--color`.
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

/// Prints a message to standard error, if it is still open.
fn complain(message: &str) {
    let _ = writeln!(stderr(), "{message}");
}

/// Prints text that may have colours to standard error, if it is still open.
fn print_error(text: &str) {
    let _ = writeln!(stderr().of(Content::styled(colours(&io::stderr()))), "{text}");
}

/// Prints the errors and warnings of a file, unless they were printed last: the levels of a game share them.
fn report(report: &Report) {
    static LAST: Mutex<Option<Report>> = Mutex::new(None);
    if LAST.lock().replace(report.clone()).as_ref() == Some(report) {
        return;
    }
    print_error(&(report.render(colours(&io::stderr())) + "\n"));
}

/// Returns whether to print in colour on a stream: according to `--color`, otherwise to `NO_COLOR`, `CLICOLOR_FORCE`
/// and `CLICOLOR`, otherwise on a terminal.
fn colours(stream: &impl RawStream) -> bool {
    AutoStream::choice(stream) != ColorChoice::Never
}
