//! Takes a line of the rules apart: directions, rows and cells on both sides, commands.

use super::cursor::{is_space, trim};
use super::words::{COMMANDS, is_cell_word};
use super::{Known, Reader, RuleText, quoted};
use crate::game::{Cell, Command, Direction, Item, Place, Rule, RuleLine, Word};

/// Names in a cell of a rule.
const MAX_NAMES: usize = 1000;

/// Cells of all rules.
const MAX_CELLS: usize = 500_000;

/// A word of a rule with its place.
struct Token {
    at: Place,
    /// The characters of the line before the end of the word.
    end: usize,
    text: String,
}

/// A rule being read.
struct Draft {
    rule: Rule,
    /// The first bracket has been seen.
    in_pattern: bool,
    right: bool,
    plus: bool,
    /// The words of the cell being read: in turn what stands before a name and the name.
    cell: Vec<(Place, String)>,
    row: Vec<Cell>,
    in_row: bool,
    open: i32,
}

/// The result of reading a line.
enum Line {
    Rule(Rule),
    Dropped,
    /// No game is left; the rules after it are still checked.
    Fatal(Rule),
}

impl Reader {
    /// Takes all rules apart. Returns false if an error leaves no game.
    pub(super) fn finish_rules(&mut self) -> bool {
        let mut valid = true;
        for text in std::mem::take(&mut self.rules) {
            if self.rule_cells > MAX_CELLS || self.diagnostics.found_too_many() {
                return false;
            }
            let tokens = tokens(&text);
            let at = tokens.first().map_or(Place { line: text.line, column: 1 }, |token| token.at);
            if text.written.contains(&'(') && !text.text.contains("->") {
                self.diagnostics.error(at, "a rule cannot have comments in it");
                continue;
            }
            match tokens.as_slice() {
                [only] if only.text == "startloop" => self.game.rules.push(RuleLine::StartLoop(at)),
                [only] if only.text == "endloop" => self.game.rules.push(RuleLine::EndLoop(at)),
                _ => match self.take_apart_once(&text, &tokens, at) {
                    Line::Rule(rule) => self.game.rules.push(RuleLine::Rule(rule)),
                    Line::Dropped => {}
                    Line::Fatal(rule) => {
                        self.game.rules.push(RuleLine::Rule(rule));
                        valid = false;
                    }
                },
            }
        }
        valid
    }

    /// Returns the rule before the one being read.
    fn last_rule(&self) -> Option<&Rule> {
        self.game.rules.iter().rev().find_map(|line| match line {
            RuleLine::Rule(rule) => Some(rule),
            _ => None,
        })
    }

    /// Takes a rule apart. A missing bracket is one mistake, whatever it makes of the words that follow.
    fn take_apart_once(&mut self, text: &RuleText, tokens: &[Token], at: Place) -> Line {
        let before = self.diagnostics.all().len();
        let line = self.take_apart(text, tokens, at);
        if let Some((at, message)) = missing_bracket(tokens) {
            self.diagnostics.sum_up(before, at, message);
        }
        line
    }

    fn take_apart(&mut self, text: &RuleText, tokens: &[Token], at: Place) -> Line {
        if !tokens.iter().any(|token| token.text == "->") {
            self.diagnostics.error(at, "a rule needs an arrow, `->`");
        }
        let rule = Rule {
            at,
            group: text.line,
            directions: Vec::new(),
            late: false,
            rigid: false,
            random: false,
            left: Vec::new(),
            right: Vec::new(),
            commands: Vec::new(),
        };
        let (cell, row) = (Vec::new(), Vec::new());
        let mut draft = Draft { rule, in_pattern: false, right: false, plus: false, cell, row, in_row: false, open: 0 };
        let last_bracket = tokens.iter().rposition(|token| token.text == "]");
        for (index, token) in tokens.iter().enumerate() {
            if !draft.in_pattern {
                if token.text != "[" {
                    self.rule_start(&mut draft, token, index);
                    continue;
                }
                if draft.rule.directions.is_empty() {
                    draft.rule.directions.extend(Direction::ALL);
                }
                draft.in_pattern = true;
            }
            if COMMANDS.contains(&token.text.as_str()) && !self.names.contains(&token.text) {
                let bracket_follows = last_bracket.is_some_and(|last| last > index);
                if self.command(&mut draft, text, token, bracket_follows) {
                    break;
                }
            } else if !self.pattern(&mut draft, token) {
                return Line::Dropped;
            }
        }
        self.check_rule(draft.rule)
    }

    /// Reads a word before the first bracket.
    fn rule_start(&mut self, draft: &mut Draft, token: &Token, index: usize) {
        use Direction::{Down, Left, Right, Up};
        let at = token.at;
        let rule = &mut draft.rule;
        match token.text.as_str() {
            "+" => {
                draft.plus = true;
                if rule.group != at.line {
                    return self.diagnostics.error(at, "`+` occurs twice");
                }
                if index != 0 {
                    self.diagnostics.error(at, "`+` must be the first word of a rule");
                }
                match self.last_rule().map(|last| last.group) {
                    Some(group) => rule.group = group,
                    None => {
                        self.diagnostics.error(at, "`+` needs a rule before it, whose group it joins");
                        draft.plus = false;
                    }
                }
            }
            "^" | "v" | "<" | ">" | "perpendicular" | "parallel" => {
                let message = "a rule cannot begin with a relative direction: expected `up`, `down`, `left`, `right`, \
                               `horizontal`, `vertical` or none";
                self.diagnostics.error(at, message);
            }
            "up" => rule.directions.push(Up),
            "down" => rule.directions.push(Down),
            "left" => rule.directions.push(Left),
            "right" => rule.directions.push(Right),
            "horizontal" => rule.directions.extend([Left, Right]),
            "vertical" => rule.directions.extend([Up, Down]),
            "orthogonal" => rule.directions.extend(Direction::ALL),
            "moving" => {
                rule.directions.extend(Direction::ALL);
                let message =
                    "`moving` before the first `[` counts as `orthogonal`: `action` is not a direction of a rule";
                self.diagnostics.warning(at, message);
            }
            "late" => rule.late = true,
            "rigid" => rule.rigid = true,
            "random" => {
                rule.random = true;
                if draft.plus {
                    let message = "`random` belongs to a whole group: it cannot be on a rule with `+`";
                    self.diagnostics.error(at, message);
                }
            }
            other => {
                let message = format!("expected directions or `[` at the start of a rule, found {}", quoted(other));
                self.diagnostics.error(at, message);
            }
        }
    }

    /// Reads a word from the first bracket on, other than a command. Returns false if the rule is to be dropped.
    fn pattern(&mut self, draft: &mut Draft, token: &Token) -> bool {
        let at = token.at;
        let pending = draft.cell.len() % 2 == 1;
        match token.text.as_str() {
            "[" => {
                draft.open += 1;
                if draft.open > 1 {
                    self.diagnostics.warning(at, "`[` inside square brackets: they cannot nest");
                }
                if !draft.cell.is_empty() {
                    self.diagnostics.error(at, "`[` inside an unclosed cell");
                }
                draft.in_row = true;
                draft.cell.clear();
            }
            word if is_cell_word(word) => {
                if pending {
                    self.diagnostics.error(at, "a name can have only one direction or other word before it");
                } else if !draft.in_row {
                    self.diagnostics.warning(at, "directions must stand at the start of a rule or in square brackets");
                } else if draft.rule.late && !matches!(word, "no" | "random" | "randomdir") {
                    self.diagnostics.error(at, "late rules cannot have movements");
                } else {
                    draft.cell.push((at, word.to_owned()));
                }
            }
            "|" if !draft.in_row => self.diagnostics.warning(at, "`|` must stand in square brackets"),
            "|" if pending => self.diagnostics.error(at, "a movement needs a name after it"),
            "|" => draft.end_cell(),
            "]" => {
                draft.open -= 1;
                if draft.open < 0 {
                    self.diagnostics.warning(at, "unmatched `]`");
                    return false;
                }
                if pending {
                    self.diagnostics.error(at, "a movement needs a name after it");
                } else {
                    draft.end_cell();
                }
                let row = std::mem::take(&mut draft.row);
                self.rule_cells += 1 + row.len();
                if self.rule_cells > MAX_CELLS {
                    self.diagnostics.refuse(at, format!("the rules up to this one have more than {MAX_CELLS} cells"));
                    return false;
                }
                let side = if draft.right { &mut draft.rule.right } else { &mut draft.rule.left };
                side.push(row);
                draft.in_row = false;
            }
            "->" => return self.arrow(draft, at),
            name if self.names.contains(name) => {
                if draft.in_row {
                    self.name(draft, token, pending);
                } else {
                    self.diagnostics.warning(at, format!("the name {} must stand in square brackets", quoted(name)));
                }
            }
            "..." if !draft.in_row => self.diagnostics.warning(at, "`...` must stand in square brackets"),
            "..." => draft.cell.extend([(at, token.text.clone()), (at, token.text.clone())]),
            other => self.diagnostics.unknown(at, other, format!("unknown word {} in a rule", quoted(other))),
        }
        true
    }

    fn arrow(&mut self, draft: &mut Draft, at: Place) -> bool {
        if draft.rule.group != at.line && self.last_rule().is_some_and(|last| last.late != draft.rule.late) {
            self.diagnostics.warning(at, "a group has both late rules and others: they are applied apart");
        }
        if draft.in_row {
            self.diagnostics.warning(at, "`->` cannot stand in square brackets");
        } else if draft.right {
            self.diagnostics.error(at, "a rule has only one `->`");
            return false;
        } else {
            draft.right = true;
        }
        true
    }

    fn name(&mut self, draft: &mut Draft, token: &Token, pending: bool) {
        if draft.cell.len() > 2 * MAX_NAMES {
            return self.diagnostics.refuse(token.at, format!("a cell of a rule has more than {MAX_NAMES} names"));
        }
        let before = if pending { draft.cell.last().map_or("", |(_, word)| word.as_str()) } else { "" };
        for pair in draft.cell.chunks_exact(2).filter(|pair| pair[1].1 == token.text) {
            if pair[0].1 == "no" && before == "no" {
                self.diagnostics.warning(token.at, format!("`no` {} occurs twice in a cell", quoted(&token.text)));
                continue;
            }
            self.diagnostics.error(token.at, format!("{} occurs twice in a cell", quoted(&token.text)));
            if matches!(self.look_up(&token.text), Known::Any(_)) {
                let message = "two properties with the same objects may have different names: use both in one cell";
                self.diagnostics.warning(None, message);
            }
        }
        if !pending {
            draft.cell.push((token.at, String::new()));
        }
        draft.cell.push((token.at, token.text.clone()));
    }

    /// Reads a command. Returns whether it ends the line: the rest of it is the text of a message.
    fn command(&mut self, draft: &mut Draft, text: &RuleText, token: &Token, bracket_follows: bool) -> bool {
        let place = "commands must stand at the end of a rule";
        if !draft.right {
            self.diagnostics.error(token.at, place);
        } else if draft.in_row || bracket_follows {
            self.diagnostics.warning(token.at, place);
        }
        let command = match token.text.as_str() {
            "again" => Command::Again,
            "cancel" => Command::Cancel,
            "checkpoint" => Command::Checkpoint,
            "restart" => Command::Restart,
            "win" => Command::Win,
            "message" => {
                let message: String = text.written.get(token.end..).unwrap_or_default().iter().collect();
                draft.rule.commands.push(Command::Message(trim(&message).to_owned()));
                return true;
            }
            sound => {
                if !self.sound_events.contains(sound) {
                    self.diagnostics.warning(token.at, format!("the sound {} is not declared", quoted(sound)));
                }
                Command::Sound(sound.trim_start_matches("sfx").parse().unwrap_or_default())
            }
        };
        if !draft.rule.commands.contains(&command) {
            draft.rule.commands.push(command);
        }
        false
    }

    /// Checks what only a whole rule shows.
    fn check_rule(&mut self, rule: Rule) -> Line {
        let at = rule.at;
        if rule.late && rule.rigid {
            self.diagnostics.error(at, "late rules cannot be rigid: they have no movements");
        }
        let mut fatal = false;
        if rule.left.len() == rule.right.len() {
            for (left, right) in rule.left.iter().zip(&rule.right) {
                if left.len() != right.len() {
                    let message = "a row on the left and the row in its place on the right differ in length";
                    self.diagnostics.error(at, message);
                    fatal = true;
                }
                if left.is_empty() {
                    self.diagnostics.error(None, "a row on the left is empty: it would match everything");
                }
            }
        } else if rule.commands.is_empty() || !rule.right.is_empty() {
            self.diagnostics.warning(at, "both sides of a rule need the same number of rows");
            return Line::Dropped;
        }
        if rule.left.is_empty() {
            self.diagnostics.error(at, "the rule has nothing on its left side");
        }
        if fatal { Line::Fatal(rule) } else { Line::Rule(rule) }
    }
}

/// Returns the place of the bracket on a side of a rule that has no counterpart, and what is missing.
fn missing_bracket(tokens: &[Token]) -> Option<(Place, &'static str)> {
    let end = tokens.iter().position(|token| token.text == "message").unwrap_or(tokens.len());
    for side in tokens[..end].split(|token| token.text == "->") {
        let count = |bracket: &str| side.iter().filter(|token| token.text == bracket).count();
        let (opened, closed) = (count("["), count("]"));
        let mut open: Option<&Token> = None;
        for token in side {
            match (&*token.text, open) {
                // The bracket that is open here is the one without a counterpart.
                ("[", Some(_)) if opened > closed => break,
                ("[", _) => open = Some(token),
                ("]", None) if closed > opened => {
                    return Some((token.at, "missing `[`: this `]` closes nothing"));
                }
                ("]", _) => open = None,
                _ => {}
            }
        }
        if let Some(token) = open.filter(|_| opened > closed) {
            return Some((token.at, "missing `]`: this `[` is never closed"));
        }
    }
    None
}

impl Draft {
    /// Ends the cell being read.
    fn end_cell(&mut self) {
        let words = std::mem::take(&mut self.cell);
        let items = words.chunks_exact(2).map(|pair| Item {
            at: pair[0].0,
            word: Word::read(&pair[0].1),
            name: pair[1].1.clone(),
        });
        self.row.push(items.collect());
    }
}

impl Word {
    /// Returns what the text before a name means.
    fn read(text: &str) -> Self {
        match text {
            "no" => Self::No,
            "random" => Self::Random,
            "randomdir" => Self::RandomDir,
            "stationary" => Self::Stationary,
            "up" => Self::Up,
            "down" => Self::Down,
            "left" => Self::Left,
            "right" => Self::Right,
            "action" => Self::Action,
            "moving" => Self::Moving,
            "orthogonal" => Self::Orthogonal,
            "horizontal" => Self::Horizontal,
            "vertical" => Self::Vertical,
            ">" => Self::Forward,
            "<" => Self::Backward,
            "^" => Self::LeftTurn,
            "v" => Self::RightTurn,
            "parallel" => Self::Parallel,
            "perpendicular" => Self::Perpendicular,
            "..." => Self::Ellipsis,
            _ => Self::Plain,
        }
    }
}

/// Parts a line into words; brackets, bars, arrows and a `+` at the start are words of their own.
fn tokens(text: &RuleText) -> Vec<Token> {
    let characters: Vec<char> = text.text.chars().collect();
    let mut tokens: Vec<Token> = Vec::new();
    let mut index = 0;
    while index < characters.len() {
        let start = index;
        let arrow = |index: usize| characters[index..].starts_with(&['-', '>']);
        index += match characters[index] {
            character if is_space(character) => {
                index += 1;
                continue;
            }
            '[' | ']' | '|' => 1,
            '+' if tokens.is_empty() => 1,
            _ if arrow(index) => 2,
            _ => {
                let ends =
                    |&at: &usize| matches!(characters[at], '[' | ']' | '|') || is_space(characters[at]) || arrow(at);
                (index + 1..characters.len()).find(ends).unwrap_or(characters.len()) - index
            }
        };
        let column = u32::try_from(text.start + start + 1).unwrap_or(u32::MAX);
        tokens.push(Token {
            at: Place { line: text.line, column },
            end: text.start + index,
            text: characters[start..index].iter().collect(),
        });
    }
    tokens
}
