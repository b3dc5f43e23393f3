//! Old spellings of options, and names that are gone. They keep working, help does not show them, and each prints a note
//! with what takes its place.
//!
//! Clap reads an old name as a hidden `alias` of the new option, or as a hidden option or value, and does not report
//! which of the two was given. So the arguments that clap has accepted are searched for old spellings a second time. The
//! names of heuristics and reductions that are gone are facts of the domains.

use crate::domain::{DomainFacts, facts, registered};

/// An old spelling of an option of one command.
struct Renamed {
    command: &'static str,
    old: &'static str,
    /// The value that makes it an old spelling; `None` if every value does.
    value: Option<&'static str>,
    new: &'static str,
}

/// What a name is that does nothing any more.
const WITHOUT_EFFECT: &str = "without effect";

const RENAMED: [Renamed; 6] = [
    Renamed { command: "plan", old: "--hosts", value: None, new: "--machines" },
    Renamed { command: "plan", old: "--price", value: None, new: WITHOUT_EFFECT },
    Renamed { command: "solve", old: "--automaton", value: None, new: "the key `automaton` in `[search]`" },
    Renamed { command: "compare", old: "--counts", value: None, new: "--no-times" },
    Renamed { command: "compare", old: "--format", value: Some("svg"), new: "--plot FILE.svg" },
    Renamed { command: "render", old: "--moves", value: None, new: "--replay" },
];

/// Returns the value of each use of an option; it is empty if none follows.
fn values<'a>(arguments: &'a [String], option: &'a str) -> impl Iterator<Item = &'a str> {
    arguments.iter().enumerate().filter_map(move |(number, argument)| match argument.strip_prefix(option)? {
        "" => Some(arguments.get(number + 1).map_or("", String::as_str)),
        // Otherwise it is a longer name.
        rest => rest.strip_prefix('='),
    })
}

/// Returns a note for each old spelling among the arguments of a command.
pub(super) fn notes(command: &str, arguments: impl IntoIterator<Item = String>) -> Vec<String> {
    let arguments: Vec<String> = arguments.into_iter().take_while(|argument| argument != "--").collect();
    let renamed = RENAMED.iter().filter(|renamed| renamed.command == command);
    let mut notes: Vec<String> = Vec::new();
    for Renamed { old, value, new, .. } in renamed {
        if values(&arguments, old).any(|given| value.is_none_or(|value| value == given)) {
            let value = value.map_or(String::new(), |value| format!(" {value}"));
            notes.push(format!("note: {old}{value} is now {new}"));
        }
    }
    let domains: Vec<&DomainFacts> = registered().into_iter().filter_map(facts).collect();
    for option in ["--heuristic", "--without"] {
        for name in values(&arguments, option).flat_map(|value| value.split(',')) {
            let Some(domain) = domains.iter().find(|domain| domain.retired.contains(&name)) else { continue };
            let new = match option {
                "--heuristic" => format!("{option} {}", domain.default_heuristic),
                _ => WITHOUT_EFFECT.to_owned(),
            };
            notes.push(format!("note: {option} {name} is now {new}"));
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::notes;

    fn of(line: &str) -> Vec<String> {
        let mut words = line.split(' ').map(str::to_owned);
        notes(&words.next().expect("the command"), words)
    }

    #[test]
    fn names_that_are_gone_are_noted_in_lists_and_in_every_command() {
        let heuristic = "note: --heuristic merged-symbols is now --heuristic pattern-database";
        assert_eq!(of("compare x.toml --heuristic matching,merged-symbols"), [heuristic]);
        assert_eq!(of("render x.toml --heuristic=merged-symbols"), [heuristic]);
        let notes = of("solve x.toml --without=dead-pairs,merged-symbols");
        assert_eq!(notes, ["note: --without merged-symbols is now without effect"]);
    }

    #[test]
    fn only_old_spellings_of_the_command_are_noted() {
        assert_eq!(of("plan x.toml --hosts 4"), ["note: --hosts is now --machines"]);
        assert_eq!(of("plan --hosts=4 x.toml"), ["note: --hosts is now --machines"]);
        assert_eq!(of("compare x.toml --counts --format svg").len(), 2);
        assert_eq!(of("compare x.toml --format=svg"), ["note: --format svg is now --plot FILE.svg"]);
        assert_eq!(of("compare x.toml --format csv -o svg --counts --counts"), ["note: --counts is now --no-times"]);
        for line in [
            "plan x.toml --machines 4",
            "explore x.toml --hosts hosts.txt --process 0",
            "scramble x.toml --moves 4",
            "render x.toml --format svg --replay l1",
            "compare x.toml --format json --plot svg",
            "render -- --moves",
            "solve x.toml --heuristic matching --without dead-pairs",
        ] {
            assert_eq!(of(line), [""; 0], "{line}");
        }
    }
}
