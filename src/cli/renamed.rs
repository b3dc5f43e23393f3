//! Old spellings of options. They keep working, help does not show them, and each prints a note with the new spelling.
//!
//! Clap reads an old name as a hidden `alias` of the new option, or as a hidden value, and does not report which of the
//! two was given. So the arguments that clap has accepted are searched for old spellings a second time.

/// An old spelling of an option of one command.
struct Renamed {
    command: &'static str,
    old: &'static str,
    /// The value that makes it an old spelling; `None` if every value does.
    value: Option<&'static str>,
    new: &'static str,
}

const RENAMED: [Renamed; 7] = [
    Renamed { command: "plan", old: "--hosts", value: None, new: "--machines" },
    Renamed { command: "compare", old: "--counts", value: None, new: "--no-times" },
    Renamed { command: "compare", old: "--format", value: Some("svg"), new: "--plot FILE.svg" },
    Renamed { command: "render", old: "--moves", value: None, new: "--replay" },
    Renamed {
        command: "solve",
        old: "--heuristic",
        value: Some("merged-symbols"),
        new: "--heuristic pattern-database",
    },
    Renamed {
        command: "compare",
        old: "--heuristic",
        value: Some("merged-symbols"),
        new: "--heuristic pattern-database",
    },
    Renamed { command: "solve", old: "--without", value: Some("conflicts"), new: "without effect" },
];

impl Renamed {
    /// Returns true if these arguments, of its command, have the old spelling.
    fn is_in(&self, arguments: &[String]) -> bool {
        arguments.iter().enumerate().any(|(number, argument)| {
            let Some(rest) = argument.strip_prefix(self.old) else { return false };
            let value = match rest.strip_prefix('=') {
                Some(value) => Some(value),
                None if rest.is_empty() => arguments.get(number + 1).map(String::as_str),
                // A longer name.
                None => return false,
            };
            self.value.is_none() || value == self.value
        })
    }
}

/// Returns a note for each old spelling among the arguments of a command.
pub(super) fn notes(command: &str, arguments: impl IntoIterator<Item = String>) -> Vec<String> {
    let arguments: Vec<String> = arguments.into_iter().take_while(|argument| argument != "--").collect();
    let old = RENAMED.iter().filter(|renamed| renamed.command == command && renamed.is_in(&arguments));
    old.map(|renamed| {
        let value = renamed.value.map_or(String::new(), |value| format!(" {value}"));
        format!("note: {}{value} is now {}", renamed.old, renamed.new)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::notes;

    fn of(line: &str) -> Vec<String> {
        let mut words = line.split(' ').map(str::to_owned);
        notes(&words.next().expect("the command"), words)
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
        ] {
            assert_eq!(of(line), [""; 0], "{line}");
        }
    }
}
