//! The groups of options in the help of each command.
//!
//! An option selects its group by `help_heading`. All others, and the options of every command, form the group
//! *Options* at the end. Clap orders groups by their first options, and prints options without a group first. So these
//! options are moved to the end, and get a heading, too.

use clap::{Command, Id};

pub(super) const SEARCH: &str = "Search";
pub(super) const LIMITS: &str = "Limits";
pub(super) const OUTPUT: &str = "Output";
pub(super) const CLUSTER: &str = "Disk and cluster";
const OPTIONS: &str = "Options";

/// Groups the options of a command and of all commands below it.
pub(super) fn grouped(command: Command) -> Command {
    let all = command.get_arguments();
    let rest = all.filter(|argument| !argument.is_positional() && argument.get_help_heading().is_none());
    let rest: Vec<Id> = rest.map(|argument| argument.get_id().clone()).collect();
    let into_options = |command: Command, id: Id| command.mut_arg(id, |argument| argument.help_heading(OPTIONS));
    rest.into_iter().fold(command, into_options).mut_subcommands(grouped)
}
