//! The groups of options in the help of each command.
//!
//! An option names its group by `help_heading`. All others, and those of every command, form the group *Options* at the
//! end. Clap lists groups in the order of their first options, and options without a group before all groups: so these
//! options are moved behind the others, and get a heading, too.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_without_a_group_come_last() {
        let mut command = crate::cli::command();
        command.build();
        let solve = command.find_subcommand("solve").expect("there is such a command");
        let mut headings: Vec<&str> =
            solve.get_arguments().filter_map(|argument| argument.get_help_heading()).collect();
        headings.dedup();
        assert_eq!(headings, [SEARCH, LIMITS, OUTPUT, CLUSTER, OPTIONS]);
        let mut ungrouped = solve.get_arguments().filter(|argument| argument.get_help_heading().is_none());
        assert!(ungrouped.all(clap::Arg::is_positional));
    }
}
