//! Forks of PuzzleScript: PuzzleScript Plus, PuzzleScript Next and Pattern:Script.
//!
//! Settings of forks that change only what is shown are left out, with one note. A game with anything else of a fork,
//! an input such as the mouse or a part of its language, is refused with the name of the fork in place of the errors
//! that it causes: read without, the game would be another one.
//!
//! Source: the published documentation of the forks, read for their words.

use super::cursor::{Cursor, boundary, is_space, trim};
use super::prelude::settings;
use super::{Reader, Section, headings};
use crate::game::Place;

const PLUS: &str = "PuzzleScript Plus";
const NEXT: &str = "PuzzleScript Next";
const TAGS: &str = "PuzzleScript Next or Pattern:Script";

/// Settings of PuzzleScript Plus, and so of PuzzleScript Next, that change only what is shown or the menus.
const SHOWN_BY_PLUS: [&str; 22] = [
    "continue_is_level_select",
    "custom_font",
    "font_size",
    "level_select",
    "level_select_lock",
    "level_select_solve_symbol",
    "level_select_unlocked_ahead",
    "level_select_unlocked_rollover",
    "log_turn_time",
    "message_text_align",
    "runtime_metadata_twiddling",
    "runtime_metadata_twiddling_debug",
    "settings",
    "skip_title_screen",
    "smoothscreen",
    "smoothscreen_debug",
    SPRITE_SIZE,
    "text_controls",
    "text_message_continue",
    "tween_easing",
    "tween_length",
    "tween_snap",
];

/// Settings of PuzzleScript Next alone that change only what is shown.
const SHOWN_BY_NEXT: [&str; 15] = [
    "allow_undo_level",
    "animate_interval",
    "author_color",
    "auto_level_titles",
    "debug_switch",
    "game_uri",
    "keyhint_color",
    "level_title_style",
    "puzzlescript",
    "puzzlescript_next_version",
    "show_level_title_in_menu",
    "sitelock_hostname_whitelist",
    "sitelock_origin_whitelist",
    "status_line",
    "title_color",
];

/// Settings that change what players can do, or what rules mean, with the fork and the reason.
const PLAYED: [(&str, &str, &str); 10] = [
    ("mouse_left", PLUS, MOUSE),
    ("mouse_right", PLUS, MOUSE),
    ("mouse_drag", PLUS, MOUSE),
    ("mouse_rdrag", PLUS, MOUSE),
    ("mouse_up", PLUS, MOUSE),
    ("mouse_rup", PLUS, MOUSE),
    ("mouse_clicks", NEXT, MOUSE),
    ("nokeyboard", PLUS, "takes the keys away that are the moves here"),
    ("local_radius", PLUS, "limits rules to cells near the player"),
    ("case_sensitive", PLUS, "distinguishes names by their case"),
];

const MOUSE: &str = "gives moves to the mouse, and only presses of keys are moves here";

/// Words of rules, and the fork.
const RULE_WORDS: [(&str, &str); 9] = [
    ("nosave", PLUS),
    ("goto", PLUS),
    ("global", PLUS),
    ("gosub", NEXT),
    ("subroutine", NEXT),
    ("link", NEXT),
    ("log", NEXT),
    ("quit", NEXT),
    ("status", NEXT),
];

/// Movements that the mouse gives, in cells of rules.
const CLICKS: [&str; 2] = ["lclick", "rclick"];

/// Beginnings of lines that make the sprite of an object.
const SPRITE_WORDS: [&str; 7] = ["copy:", "text:", "rot:", "flip:", "shift:", "translate:", "canvas:"];

const SPRITE_SIZE: &str = "sprite_size";

/// Rows and columns that `sprite_size` may ask for.
const MAX_SIDE: usize = 100;

/// Something of a fork that a game is refused for.
struct Foreign {
    at: Place,
    fork: &'static str,
    /// What it is, with its verb.
    what: String,
}

impl Foreign {
    fn new(at: Place, fork: &'static str, what: impl Into<String>) -> Option<Foreign> {
        Some(Foreign { at, fork, what: what.into() })
    }
}

impl Reader {
    /// Takes a setting of a fork that changes only what is shown, with its value. Returns whether `key` is one.
    pub(super) fn shown_setting(&mut self, key: &str, cursor: &mut Cursor) -> bool {
        if !SHOWN_BY_PLUS.contains(&key) && !SHOWN_BY_NEXT.contains(&key) {
            return false;
        }
        if key == SPRITE_SIZE {
            let sides = cursor.before_comment().unwrap_or_default();
            let sides = trim(&sides).split('x').map_while(|side| side.trim().parse().ok());
            self.game.sprite_side = sides.max().filter(|side| (1..=MAX_SIDE).contains(side));
        }
        self.ignore_shown(key);
        cursor.skip_rest();
        true
    }

    fn ignore_shown(&mut self, word: &str) {
        if !self.shown.iter().any(|(_, known)| known == word) {
            self.shown.push((self.at, word.to_owned()));
        }
    }

    /// Notes that a colour is drawn without its opacity. One colour stands for all.
    pub(super) fn ignore_opacity(&mut self, colour: &str) {
        if !self.shown.iter().any(|(_, known)| known.starts_with('#')) {
            self.ignore_shown(colour);
        }
    }

    /// Skips a heading between levels, in a game with settings of a fork. Returns whether there is one.
    pub(super) fn level_heading(&mut self, cursor: &mut Cursor) -> bool {
        if self.shown.is_empty() || cursor.one_of(&["section"], boundary).is_none() || cursor.at_end() {
            return false;
        }
        self.ignore_shown("section");
        cursor.skip_rest();
        true
    }

    /// Notes the settings that were left out; or replaces the errors by one, if what caused them is of a fork. Returns
    /// whether the game may be played.
    pub(super) fn settle_dialect(&mut self, text: &str) -> bool {
        if self.diagnostics.errors() > 0
            && let Some(Foreign { at, fork, what }) = self.find_foreign(text)
        {
            self.diagnostics.refuse_instead(at, format!("the game is written for {fork}: {what}"));
            return false;
        }
        let Some(&(at, _)) = self.shown.first() else { return true };
        let is_next = self.shown.iter().any(|(_, word)| SHOWN_BY_NEXT.contains(&word.as_str()));
        let fork = if is_next { NEXT } else { PLUS };
        let shown = |word: &str| match word.starts_with('#') {
            true => format!("the opacity of colours such as `{word}`"),
            false => format!("`{word}`"),
        };
        let words: Vec<String> = self.shown.iter().map(|(_, word)| shown(word)).collect();
        let words = words.join(", ");
        let message = format!("the game is written for {fork}: left out are {words}, which change only what is shown");
        self.diagnostics.note(at, message);
        true
    }

    /// Returns the first thing of a fork that matters in play, settings first.
    fn find_foreign(&self, text: &str) -> Option<Foreign> {
        let mut section = None;
        let mut other = None;
        let mut comments = 0_usize;
        for (line, number) in text.split('\n').zip(1..) {
            let begins_in_comment = comments > 0;
            for character in line.chars() {
                match character {
                    '(' => comments += 1,
                    ')' => comments = comments.saturating_sub(1),
                    _ => {}
                }
            }
            let before = line.chars().take_while(|&character| is_space(character)).count();
            let line = trim(line).to_lowercase();
            if begins_in_comment || line.is_empty() || line.starts_with(['(', '=']) {
                continue;
            }
            let at = Place { line: number, column: u32::try_from(before + 1).unwrap_or(u32::MAX) };
            if headings().any(|heading| line == heading) {
                section = super::SECTIONS.into_iter().find(|(heading, _)| line == *heading).map(|(_, section)| section);
                continue;
            }
            let first = line.split(is_space).next().unwrap_or_default();
            if section.is_none()
                && let Some((word, fork, reason)) = PLAYED.into_iter().find(|(word, ..)| *word == first)
            {
                return Foreign::new(at, fork, format!("the setting `{word}` {reason}"));
            }
            other = other.or_else(|| self.foreign_line(section, &line, first, at));
        }
        other
    }

    /// Returns what of a fork a line has.
    fn foreign_line(&self, section: Option<Section>, line: &str, first: &str, at: Place) -> Option<Foreign> {
        const PART: &str = "which PuzzleScript does not have";
        if section == Some(Section::Levels) {
            let is_link = ["goto", "link", "section"].contains(&first) && line.contains(is_space);
            return if is_link { Foreign::new(at, PLUS, format!("levels have `{first}`, {PART}")) } else { None };
        }
        if line.starts_with("//") {
            return Foreign::new(at, NEXT, format!("comments begin with `//`, {PART}"));
        }
        if line == "tags" || line == "mappings" {
            return Foreign::new(at, TAGS, format!("there is a section `{line}`, {PART}"));
        }
        match section {
            Some(Section::Objects) => {
                if let Some(word) = SPRITE_WORDS.into_iter().find(|word| line.starts_with(word)) {
                    return Foreign::new(at, TAGS, format!("a sprite has `{word}`, {PART}"));
                }
                let (name, tag) = first.split_once(':')?;
                let is_tagged = !name.is_empty() && !tag.is_empty();
                let tagged = || Foreign::new(at, TAGS, format!("the object `{first}` has a tag, {PART}"));
                if is_tagged { tagged() } else { None }
            }
            Some(Section::Rules) => {
                let rule = line.split('(').next().unwrap_or_default();
                let clicks = rule.split(|next: char| is_space(next) || "[]|".contains(next));
                let clicks = clicks.filter(|word| CLICKS.contains(word));
                // Outside of brackets there are commands and words that begin a rule. The rest of a message is text.
                let outside = rule.split('[').filter_map(|part| part.rsplit(']').next());
                let words = outside.flat_map(|part| part.split(is_space)).take_while(|word| *word != "message");
                words.chain(clicks).filter(|word| !self.is_declared(word)).find_map(|word| {
                    let of_rules = RULE_WORDS.into_iter().find(|(known, _)| *known == word).map(|(_, fork)| fork);
                    let of_rules = of_rules.or_else(|| CLICKS.contains(&word).then_some(NEXT));
                    let twiddles = settings().chain(SHOWN_BY_PLUS).any(|setting| setting == word);
                    let fork = of_rules.or_else(|| twiddles.then_some(PLUS))?;
                    Foreign::new(at, fork, format!("a rule has `{word}`, {PART}"))
                })
            }
            _ => None,
        }
    }
}
