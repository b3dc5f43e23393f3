//! The prelude: title, author and settings.

use super::Reader;
use super::cursor::{Cursor, is_name, is_space, trim};
use crate::game::Setting;

const WITH_VALUE: [&str; 12] = [
    "title",
    "author",
    "homepage",
    "background_color",
    "text_color",
    "key_repeat_interval",
    "realtime_interval",
    "again_interval",
    "flickscreen",
    "zoomscreen",
    "color_palette",
    "youtube",
];

const WITHOUT_VALUE: [&str; 10] = [
    "run_rules_on_level_start",
    "norepeat_action",
    "require_player_movement",
    "debug",
    "verbose_logging",
    "throttle_movement",
    "noundo",
    "noaction",
    "norestart",
    "scanline",
];

/// Returns the names of all settings.
pub(super) fn settings() -> impl Iterator<Item = &'static str> {
    WITH_VALUE.into_iter().chain(WITHOUT_VALUE)
}

impl Reader {
    /// Reads a token of the prelude. Step 0: a key is due; step 1: its value; a later step: text after a comment.
    pub(super) fn prelude(&mut self, cursor: &mut Cursor, first: bool) {
        if first {
            self.step = 0;
        }
        if self.step != 0 {
            cursor.skip_before_comment();
            self.step += 1;
            if self.step > 2 {
                self.diagnostics.warning(self.at, "text after a comment is not part of the setting");
            }
            return;
        }
        let key = cursor.take_while(is_name);
        if key.is_empty() {
            let line = cursor.whole();
            self.diagnostics.error(self.at, format!("unknown text in the prelude: `{}`", trim(&line)));
            cursor.advance();
            return;
        }
        cursor.take_while(is_space);
        if !first {
            return;
        }
        if WITH_VALUE.contains(&key.as_str()) {
            self.setting(key, cursor);
        } else if WITHOUT_VALUE.contains(&key.as_str()) {
            if let Some(extra) = cursor.before_comment() {
                let message = format!("the setting `{key}` takes no value, but has `{}`", trim(&extra));
                self.diagnostics.warning(self.at, message);
            }
            if self.settings.insert(key.clone(), self.line).is_none() {
                self.game.prelude.push(Setting { at: self.at, key, value: String::new() });
            }
            self.step = -1;
        } else if self.shown_setting(&key, cursor) {
            self.step = -1;
        } else {
            let message = format!("unknown setting `{key}` in the prelude");
            self.diagnostics.unknown(self.at, &key, message);
        }
    }

    fn setting(&mut self, key: String, cursor: &mut Cursor) {
        if matches!(key.as_str(), "title" | "author" | "homepage") {
            cursor.use_own_case();
        }
        if key == "youtube" {
            self.diagnostics.warning(self.at, "the setting `youtube` has no effect");
        }
        self.step = 1;
        let Some(value) = cursor.before_comment() else {
            self.diagnostics.error(self.at, format!("the setting `{key}` needs a value"));
            return;
        };
        if let Some(line) = self.settings.insert(key.clone(), self.line) {
            self.diagnostics.warning(self.at, format!("the setting `{key}` is already on line {line}"));
        }
        self.game.prelude.push(Setting { at: self.at, key, value: trim(&value).to_owned() });
    }
}
