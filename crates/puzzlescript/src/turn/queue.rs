//! The commands that rules of a turn have given.

use crate::game::Command;
use crate::program::Rule;

/// Commands given so far: no command twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Commands {
    kinds: u32,
    /// The text of the message that was given first.
    message: Option<String>,
}

const AGAIN: u32 = 1 << 0;
const CANCEL: u32 = 1 << 1;
const CHECKPOINT: u32 = 1 << 2;
const RESTART: u32 = 1 << 3;
const WIN: u32 = 1 << 4;
const MESSAGE: u32 = 1 << 5;
/// The first of eleven sounds.
const SOUND: u32 = 1 << 6;

/// Returns the bit of a command; all messages are one.
fn kind(command: &Command) -> u32 {
    match command {
        Command::Again => AGAIN,
        Command::Cancel => CANCEL,
        Command::Checkpoint => CHECKPOINT,
        Command::Restart => RESTART,
        Command::Win => WIN,
        Command::Message(_) => MESSAGE,
        Command::Sound(number) => SOUND << number,
    }
}

impl Commands {
    /// Returns the commands of one rule.
    #[must_use]
    pub fn of(rule: &Rule) -> Commands {
        let mut commands = Commands::default();
        commands.add(rule);
        commands
    }

    /// Returns the kinds of commands as bits: again, cancel, checkpoint, restart, win, message, and a bit for each
    /// sound.
    #[must_use]
    pub fn kinds(&self) -> u32 {
        self.kinds
    }

    pub(crate) fn clear(&mut self) {
        self.kinds = 0;
        self.message = None;
    }

    /// Adds the commands of a rule that has matched. `cancel` comes before `restart`, that before all others.
    pub(super) fn add(&mut self, rule: &Rule) {
        if rule.commands.is_empty() {
            return;
        }
        let kinds = rule.commands.iter().map(kind).fold(0, |kinds, kind| kinds | kind);
        if self.cancel() || (self.restart() && kinds & CANCEL == 0) {
            return;
        }
        if kinds & (CANCEL | RESTART) != 0 {
            self.clear();
        }
        for command in &rule.commands {
            if let Command::Message(text) = command
                && self.kinds & MESSAGE == 0
            {
                self.message = Some(text.clone());
            }
            self.kinds |= kind(command);
        }
    }

    #[must_use]
    pub fn again(&self) -> bool {
        self.kinds & AGAIN != 0
    }

    #[must_use]
    pub fn cancel(&self) -> bool {
        self.kinds & CANCEL != 0
    }

    #[must_use]
    pub fn checkpoint(&self) -> bool {
        self.kinds & CHECKPOINT != 0
    }

    #[must_use]
    pub fn restart(&self) -> bool {
        self.kinds & RESTART != 0
    }

    #[must_use]
    pub fn win(&self) -> bool {
        self.kinds & WIN != 0
    }

    /// Returns the text to show.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// Returns the number of different commands.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.kinds.count_ones()
    }
}
