//! Mistakes that change nothing in play: colours, sprites, palettes, sizes of windows, texts, objects without a layer.

use crate::colours::{COLOURS, PALETTES};
use crate::diagnostic::Diagnostics;
use crate::game::{Game, Level, Place};
use rustc_hash::FxHashSet;

/// Colours that a sprite can have: one for each digit.
const MAX_COLOURS: usize = 10;

/// Rows and columns of a sprite.
const SPRITE: usize = 5;

/// Checks palettes, colours and sprites.
pub(super) fn looks(game: &Game, diagnostics: &mut Diagnostics) {
    for setting in game.prelude.iter().filter(|setting| setting.key == "color_palette") {
        let number = setting.value.parse::<usize>().ok().filter(|number| (1..=PALETTES.len()).contains(number));
        if number.is_none() && !PALETTES.contains(&setting.value.as_str()) {
            // All on one place, as in the reference: the same unknown palette twice is one error.
            let message = format!("unknown palette `{}`: expected a name or a number from 1 to 14", setting.value);
            diagnostics.error(setting.at, message);
        }
    }
    for object in &game.objects {
        let next = Place { line: object.at.line + 1, column: 1 };
        if object.colours.len() > MAX_COLOURS {
            diagnostics.error(next, format!("a sprite has at most {MAX_COLOURS} colours"));
        }
        if object.colours.is_empty() {
            diagnostics.error(object.at, format!("the object `{}` has no colour", object.name));
        }
        let side = game.sprite_side.unwrap_or(SPRITE);
        let full = object.sprite.len() == side && object.sprite.iter().all(|row| row.chars().count() == side);
        if !object.sprite.is_empty() && !full {
            diagnostics.warning(object.at, format!("a sprite has {side} rows of {side} pixels"));
        }
    }
}

/// Reports objects that are in no layer.
pub(super) fn layers(game: &Game, diagnostics: &mut Diagnostics) {
    let layered: FxHashSet<&String> = game.layers.iter().flat_map(|layer| &layer.objects).collect();
    for object in game.objects.iter().filter(|object| !layered.contains(&object.name)) {
        diagnostics.error(object.at, format!("the object `{}` is in no layer", object.name));
    }
}

/// Checks the settings whose values have a form.
pub(super) fn settings(game: &Game, diagnostics: &mut Diagnostics) {
    for key in ["flickscreen", "zoomscreen"] {
        let Some(setting) = game.prelude.iter().rev().find(|setting| setting.key == key) else { continue };
        let sizes: Option<Vec<i64>> = setting.value.split('x').map(|size| size.trim().parse().ok()).collect();
        if sizes.is_none_or(|sizes| sizes.len() != 2 || sizes.iter().any(|&size| size <= 0)) {
            let message =
                format!("invalid value `{}` for `{key}`: expected a width and a height like 5x4", setting.value);
            diagnostics.warning(setting.at, message);
        }
    }
    for key in ["text_color", "background_color"] {
        let Some(setting) = game.prelude.iter().rev().find(|setting| setting.key == key) else { continue };
        if !is_colour(&setting.value) {
            let message = format!("invalid value `{}` for `{key}`: expected a colour's name or #rrggbb", setting.value);
            diagnostics.error(setting.at, message);
        }
    }
}

/// Characters in a line of the screen for texts.
const LINE: usize = 34;

/// Lines for a message.
const MESSAGE_LINES: usize = 12;

/// Lines for title and author.
const TITLE_LINES: usize = 5;

/// Warns of texts that the screen of PuzzleScript has no room for.
pub(super) fn texts(game: &Game, diagnostics: &mut Diagnostics) {
    for level in &game.levels {
        if let Level::Message { at, text } = level
            && wrapped(text) > MESSAGE_LINES
        {
            diagnostics.warning(*at, "the message is too long for the screen");
        }
    }
    // What the title's screen does not say about keys leaves room, for one line at most.
    let no_keys = game.has("noaction") || (game.has("noundo") && game.has("norestart"));
    let room = TITLE_LINES + usize::from(no_keys);
    let place = |key: &str| game.prelude.iter().rev().find(|setting| setting.key == key).map(|setting| setting.at);
    let title = wrapped(game.setting("title").unwrap_or_default());
    let author = game.setting("author").map_or(0, |author| wrapped(&format!("by {author}")));
    if title + author > room {
        // Lines of the author go first, down to one.
        if author > 1 {
            diagnostics.warning(place("author"), "the author's name is too long for the screen");
        }
        if title + author.min(1) > room {
            diagnostics.warning(place("title"), "the title is too long for the screen");
        }
    }
}

/// Returns the number of lines of a text that is broken at spaces, within words if need be.
fn wrapped(text: &str) -> usize {
    let characters: Vec<char> = text.chars().collect();
    let (mut lines, mut start) = (0, 0);
    while start < characters.len() {
        let rest = &characters[start..];
        start += if rest.len() <= LINE {
            rest.len()
        } else {
            let space = (1..=LINE).rev().find(|&length| rest[length].is_whitespace());
            space.map_or(LINE, |length| length + 1)
        };
        lines += 1;
    }
    lines
}

fn is_colour(value: &str) -> bool {
    let digits = value.strip_prefix('#');
    let hexadecimal = digits
        .is_some_and(|digits| matches!(digits.len(), 3 | 6) && digits.chars().all(|digit| digit.is_ascii_hexdigit()));
    hexadecimal || value == "transparent" || COLOURS.contains(&value)
}
