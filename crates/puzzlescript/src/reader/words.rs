//! The words of the language that more than one section knows.

/// Words that should not name objects: another meaning of theirs comes first in some section.
pub(super) const KEYWORDS: [&str; 60] = [
    "objects",
    "collisionlayers",
    "legend",
    "sounds",
    "rules",
    "...",
    "winconditions",
    "levels",
    "|",
    "[",
    "]",
    "up",
    "down",
    "left",
    "right",
    "late",
    "rigid",
    "^",
    "v",
    ">",
    "<",
    "no",
    "randomdir",
    "random",
    "horizontal",
    "vertical",
    "any",
    "all",
    "some",
    "moving",
    "stationary",
    "parallel",
    "perpendicular",
    "action",
    "message",
    "move",
    "create",
    "destroy",
    "cantmove",
    "sfx0",
    "sfx1",
    "sfx2",
    "sfx3",
    "sfx4",
    "sfx5",
    "sfx6",
    "sfx7",
    "sfx8",
    "sfx9",
    "sfx10",
    "cancel",
    "restart",
    "win",
    "again",
    "undo",
    "titlescreen",
    "startgame",
    "endgame",
    "startlevel",
    "endlevel",
];

/// As [`KEYWORDS`]: the events of messages.
pub(super) const EVENT_KEYWORDS: [&str; 2] = ["showmessage", "closemessage"];

/// Returns whether a name is a word of the language.
pub(super) fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name) || EVENT_KEYWORDS.contains(&name)
}

/// Commands, in rules.
pub(super) const COMMANDS: [&str; 17] = [
    "sfx0",
    "sfx1",
    "sfx2",
    "sfx3",
    "sfx4",
    "sfx5",
    "sfx6",
    "sfx7",
    "sfx8",
    "sfx9",
    "sfx10",
    "cancel",
    "checkpoint",
    "restart",
    "win",
    "message",
    "again",
];

/// Words before a name in the cell of a rule.
pub(super) const CELL_WORDS: [&str; 18] = [
    ">",
    "<",
    "^",
    "v",
    "up",
    "down",
    "left",
    "right",
    "moving",
    "stationary",
    "no",
    "randomdir",
    "random",
    "horizontal",
    "vertical",
    "orthogonal",
    "perpendicular",
    "parallel",
];

/// Returns whether a word may stand before a name in the cell of a rule.
pub(super) fn is_cell_word(word: &str) -> bool {
    word == "action" || CELL_WORDS.contains(&word)
}

/// Words before the first bracket of a rule.
pub(super) const RULE_WORDS: [&str; 9] =
    ["up", "down", "left", "right", "horizontal", "vertical", "orthogonal", "late", "rigid"];
