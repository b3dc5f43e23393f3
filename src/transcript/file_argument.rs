//! Puzzle files as arguments of commands that a person may copy into a shell.

use std::path::Path;

/// A puzzle file as an argument of the commands in a summary.
#[derive(Clone, Copy, Debug)]
pub struct FileArgument<'a> {
    /// The path.
    pub file: &'a str,
    /// The options that the commands need to read it, each after a space.
    pub options: &'a str,
}

impl FileArgument<'_> {
    /// Returns the arguments that name the file, quoted for a shell.
    pub(super) fn arguments(self) -> String {
        shell_word(self.file) + self.options
    }

    /// Returns a file name for a picture of the puzzle, in the current folder.
    pub(super) fn picture(self, extension: &str) -> String {
        let stem = Path::new(self.file).file_stem().map_or("puzzle".into(), |stem| stem.to_string_lossy());
        shell_word(&format!("{stem}.{extension}"))
    }
}

/// Returns a word quoted for a POSIX shell if necessary, and never one that is read as an option.
pub(crate) fn shell_word(word: &str) -> String {
    if word.starts_with('-') { quoted(&format!("./{word}")) } else { quoted(word) }
}

/// Returns a word quoted for a POSIX shell if necessary.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-./:@%+,".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_quoted_for_a_shell() {
        let arguments = ["puzzles/a.toml", "a b", "it's", "-o", "", "棋.toml", "$HOME", "~"].map(shell_word);
        assert_eq!(arguments, ["puzzles/a.toml", "'a b'", r"'it'\''s'", "./-o", "''", "棋.toml", "'$HOME'", "'~'"]);
        let named = FileArgument { file: "dir/a b.toml", options: " --seed 1" };
        assert_eq!(named.arguments(), "'dir/a b.toml' --seed 1");
        assert_eq!(named.picture("svg"), "'a b.svg'");
    }
}
