//! The definition of the command line: of all commands, or of the one that a run needs.
//!
//! Defining all options of all commands takes half of the instructions of a start. A run has one command, and if its
//! name comes first, nothing depends on the other commands.

use super::{Cli, Shared, examples, groups};
use clap::{Args, Command, CommandFactory};
use std::ffi::OsStr;

/// Adds the options of a command to its definition.
type Define = fn(Command) -> Command;

/// The commands that print nothing about others.
const ALONE: [(&str, Define); 18] = [
    ("solve", super::solve::Solve::augment_args),
    ("check", super::check::Check::augment_args),
    ("test", super::test::Test::augment_args),
    ("list", super::list::List::augment_args),
    ("show", super::show::Show::augment_args),
    ("play", super::play::Play::augment_args),
    ("domains", super::domains::Domains::augment_args),
    ("new", super::new::New::augment_args),
    ("schema", super::schema::Schema::augment_args),
    ("lsp", super::lsp::Lsp::augment_args),
    ("explore", super::explore::Explore::augment_args),
    ("plan", super::plan::Plan::augment_args),
    ("compare", super::compare::Compare::augment_args),
    ("import", super::import::Import::augment_args),
    ("render", super::render::Render::augment_args),
    ("cache", super::cache::Cache::augment_args),
    ("scramble", super::scramble::Scramble::augment_args),
    ("verify", super::verify::Verify::augment_args),
];

/// Returns the definition of the whole command line.
pub(super) fn whole() -> Command {
    completed(Cli::command())
}

/// Returns the definition for a run with this first argument: of one command, if it names one of [`ALONE`], and of none
/// for the version.
pub(super) fn for_run(first: Option<&OsStr>) -> Command {
    let named = ALONE.iter().find(|(name, _)| first.is_some_and(|first| first == *name));
    let shared = Shared::augment_args(Command::new(super::NAME));
    // The version is printed at once, whatever else there is.
    if first.is_some_and(|first| first == "--version" || first == "-V") {
        return shared;
    }
    let Some((name, define)) = named else { return whole() };
    completed(shared.subcommand(define(Command::new(*name))))
}

fn completed(definition: Command) -> Command {
    groups::grouped(examples::added(definition))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_alone_is_defined_as_among_all() {
        let (mut all, mut met) = (whole(), 0);
        all.build();
        for command in all.get_subcommands_mut() {
            let name = command.get_name().to_owned();
            let mut alone = for_run(Some(OsStr::new(&name)));
            alone.build();
            met += usize::from(alone.get_subcommands().count() <= 2);
            let other = alone.find_subcommand_mut(&name).expect("the command is defined");
            assert_eq!(command.render_long_help().to_string(), other.render_long_help().to_string());
            assert_eq!(command.render_help().to_string(), other.render_help().to_string());
            // With the values, defaults and conflicts of each option.
            let options = |command: &Command| format!("{:?}", command.get_arguments().collect::<Vec<_>>());
            assert_eq!(options(command), options(other), "{name}");
        }
        assert_eq!(met, ALONE.len(), "each of these commands is defined alone");
    }
}
