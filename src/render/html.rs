//! A page to step through a film: one file that loads nothing from elsewhere.
//!
//! The board is the drawing of the start; a small script applies the changes of each move to its parts. Without scripts
//! the page shows the start and the moves. Text from a puzzle file remains text: it is escaped between tags, and no
//! character in it can end the script's data.

use super::change::{Change, Spot};
use super::chart;
use super::format::{PictureFormat, PictureWriter};
use super::outline::number;
use super::svg::Stage;
use super::theme::{Theme, hex};
use super::{Film, RenderStyle, goal};
use crate::diagnostic::escape;
use crate::picture::{Cell, Form, Paint};
use crate::plot::svg::{Attribute, Svg};
use crate::transcript::Number;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

const SCRIPT: &str = concat!(include_str!("playback.js"), include_str!("page.js"));
const SHEET: &str = include_str!("page.css");
/// The colours of the page on a dark background.
const DARK: &str = ":root{--page:#14171c;--panel:#1e232b;--line:#343c48;--ink:#e8ebf0;--faint:#98a2b3;--h:#ec6a60;\
                    --g:#6ea6ea;--on:#2a3444}html{color-scheme:dark}#solved{color:#5cc48a}";
/// Milliseconds from one move to the next.
const PAUSE: f64 = 700.0;

/// The format HTML: a page to step through all positions.
pub const HTML: PictureFormat = PictureFormat {
    name: "html",
    summary: "a page on which to step through the solution",
    writer: PictureWriter {
        draw: |scene| Ok(page(scene.film, scene.style).into_bytes()),
        other_extension: Some("htm"),
        is_raster: false,
        is_still: false,
        is_animated: true,
    },
};

/// Returns the page.
fn page(film: &Film, style: &RenderStyle) -> String {
    let title = escape(&style.title);
    let script = format!("\n{SCRIPT}");
    format!(
        "{}<body>\n<main>\n<h1>{title}</h1>\n\
         <section aria-label=\"Board\">\n{}{}{}</section>\n<section aria-label=\"Solution\">\n{}{}{}{}</section>\n</main>\n\
         <script type=\"application/json\" id=\"film\">{}</script>\n<script>{script}</script>\n</body>\n</html>\n",
        head(&style.title, "", &script, style),
        board(film, style),
        status(film, style),
        controls(film),
        chart::along(film, &style.heuristic),
        moves(film),
        goal_section(style),
        facts(style),
        data(film, style),
    )
}

/// Returns the beginning of a page, up to its body. `sheet` follows the common rules of style.
///
/// The page loads nothing from elsewhere and sends nothing. The policy names its one script and its one sheet by their
/// hashes, so text that became a tag by a mistake could neither run nor restyle the page. Attributes of style are
/// allowed: the boards have them. Browsers that do not know the policy of sheets alone take `style-src`.
pub(super) fn head(title: &str, sheet: &str, script: &str, style: &RenderStyle) -> String {
    let title = escape(title);
    let theme = match style.theme {
        Theme::Auto => format!("@media(prefers-color-scheme:dark){{{DARK}}}"),
        Theme::Light | Theme::Contrast => String::new(),
        Theme::Dark => DARK.to_owned(),
    };
    let sheet = format!("\n{}{sheet}{}\n", SHEET.replace("DARK\n", &theme), style.theme.sheet());
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; form-action \
         'none'; script-src {}; style-src 'unsafe-inline'; style-src-elem {}; style-src-attr 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>{title}</title>\n\
         <style>{sheet}</style>\n</head>\n",
        source(script),
        source(&sheet),
    )
}

/// Returns the source of a script or a sheet in a policy: the hash of its text.
pub(crate) fn source(text: &str) -> String {
    format!("'sha256-{}'", base64(&Sha256::digest(text)))
}

/// Encodes bytes in base 64 (RFC 4648).
pub(super) fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |three: &[u8]| {
        let whole = three.iter().fold(0_u32, |whole, &byte| whole << 8 | u32::from(byte)) << (8 * (3 - three.len()));
        let letter =
            |at: usize| if at <= three.len() { ALPHABET[(whole >> (18 - 6 * at)) as usize & 63] } else { b'=' };
        [0, 1, 2, 3].map(letter).map(char::from)
    };
    bytes.chunks(3).flat_map(group).collect()
}

/// Writes data for a script, escaped so that neither a tag nor a comment can begin in them.
pub(super) fn json_in_script(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// Draws the start, with every actor of the film.
fn board(film: &Film, style: &RenderStyle) -> String {
    let stage = Stage::bare(film, style.theme);
    let mut svg = board_element(&stage, stage.width * zoom(&stage, style));
    stage.scenery(&mut svg);
    stage.board(&mut svg, &[]);
    for (trail, (_, spots)) in film.trails(film.moves()).iter().enumerate() {
        // The script extends the trail move by move.
        stage.trail_of(&mut svg, &spots[..1], &[("id", &format_args!("t{trail}"))]);
    }
    stage.letters(&mut svg);
    let here = film.spots(0);
    for (actor, whole) in film.actors.iter().enumerate() {
        let spot = here[actor].unwrap_or(whole.first);
        let name = format!("a{actor}");
        let attributes: [Attribute; 2] = [("id", &name), ("opacity", &0)];
        let attributes = if here[actor].is_none() { &attributes[..] } else { &attributes[..1] };
        stage.actor(&mut svg, actor, spot, stage.exact(spot.at), attributes, "");
    }
    stage.outlines(&mut svg);
    svg.close("g").line().close("svg").line();
    svg.finish()
}

/// Opens the element of a board that is at most `width` pixels wide.
pub(super) fn board_element(stage: &Stage, width: f64) -> Svg {
    let style = format!("max-width:{}px", number(width.max(64.0)));
    stage.element(&[("id", &"board"), ("style", &style), ("role", &"img"), ("aria-label", &"the board")])
}

/// Returns the greatest number of pixels per unit: small boards are enlarged a little.
fn zoom(stage: &Stage, style: &RenderStyle) -> f64 {
    style.cell.map_or((640.0 / stage.width).clamp(1.0, 1.5), |cell| cell / stage.cell)
}

/// Returns the status line about the position, at first about the start.
fn status(film: &Film, style: &RenderStyle) -> String {
    let first = &film.frames[0];
    let solved = if film.is_solved && film.moves() == 0 { "" } else { " hidden" };
    format!(
        "<p id=\"status\" class=\"status\" aria-live=\"polite\"><span id=\"current\">start</span>\
         <span id=\"solved\"{solved}>solved</span><span>move <b id=\"number\">0 of {}</b></span>\
         <span><span class=\"g\">g</span> = <b id=\"g\">{}</b></span>\
         <span title=\"{}\"><span class=\"h\">h</span> = <b id=\"h\">{}</b></span>\
         <span>f = <b id=\"f\">{}</b></span></p>\n",
        film.moves(),
        Number(first.g),
        escape(&style.heuristic),
        Number(first.h),
        Number(first.g + first.h),
    )
}

/// Returns the buttons and the slider, which stay hidden without a script.
fn controls(film: &Film) -> String {
    let button = |id: &str, label: &str, path: &str| {
        format!(
            "<button type=\"button\" id=\"{id}\" aria-label=\"{label}\" title=\"{label}\"><svg viewBox=\"0 0 16 16\" \
             aria-hidden=\"true\"><path d=\"{path}\"/></svg></button>\n"
        )
    };
    let mut out = String::from("<div id=\"controls\" role=\"group\" aria-label=\"Playback\" hidden>\n");
    out += &button("first", "First position", "M2 2h2v12H2zM14 2v12L5 8z");
    out += &button("previous", "Previous move", "M11 2L5 8l6 6 1.5-1.5L8 8l4.5-4.5z");
    out += &button("play", "Play", "M4 2l10 6-10 6z");
    out += &button("next", "Next move", "M5 2l6 6-6 6-1.5-1.5L8 8 3.5 3.5z");
    out += &button("last", "Last position", "M2 2l9 6-9 6zM12 2h2v12h-2z");
    out += &button("slower", "Slower", "M2 7h12v2H2z");
    out += "<span id=\"pace\" aria-live=\"polite\">1×</span>\n";
    out += &button("faster", "Faster", "M7 2h2v5h5v2H9v5H7V9H2V7h5z");
    let _ = writeln!(
        out,
        "<input type=\"range\" id=\"step\" min=\"0\" max=\"{}\" value=\"0\" aria-label=\"Position\">",
        film.moves()
    );
    out + "<span class=\"keys\">keys: ← → move, Home End, space plays, + − speed</span>\n</div>\n"
}

fn moves(film: &Film) -> String {
    let written = film.frames.iter().filter_map(|frame| frame.written.as_deref());
    let all = escape(&written.collect::<Vec<_>>().join(" "));
    format!("<h2>Moves</h2>\n<ol id=\"moves\" aria-label=\"Moves\"></ol>\n<noscript><p>{all}</p></noscript>\n")
}

/// Returns the goal below its heading, if there is one.
pub(super) fn goal_section(style: &RenderStyle) -> String {
    let goal = goal::elements(style);
    if goal.is_empty() { goal } else { format!("<h2>Goal</h2>\n{goal}") }
}

/// Returns the facts about a puzzle as a list.
pub(super) fn facts(style: &RenderStyle) -> String {
    let row = |(name, value): &(String, String)| format!("<dt>{}</dt><dd>{}</dd>\n", escape(name), escape(value));
    format!("<h2>Puzzle</h2>\n<dl>\n{}</dl>\n", style.facts.iter().map(row).collect::<String>())
}

/// Returns the film as the script reads it: columns of moves, g and h; each actor's first place; each move's changes.
fn data(film: &Film, style: &RenderStyle) -> String {
    let fill = |actor: usize, spot: Spot| match (film.actors[actor].form, spot.paint) {
        (Form::Text, Paint::Plain) | (Form::Sprite(_), _) => String::new(),
        (_, paint) => hex(style.theme.rgb(paint)),
    };
    let stage = Stage::bare(film, style.theme);
    let place = |cell: Cell| {
        let (row, column) = stage.exact(cell);
        (Number(row), Number(column))
    };
    let whole = |actor: usize, spot: Spot| {
        let (row, column) = place(spot.at);
        json!([row, column, fill(actor, spot)])
    };
    let change = |change: &Change| {
        let to = change.to.map(|to| match change.from {
            Some(from) if from.paint == to.paint => json!(place(to.at)),
            _ => whole(change.actor, to),
        });
        let path = match &change.path {
            None => json!(0),
            Some(path) if path.len() == 2 => json!(1),
            Some(path) => json!(path.iter().map(|&corner| place(corner)).collect::<Vec<_>>()),
        };
        json!([change.actor, to, path])
    };
    let frames = &film.frames;
    let spots = film.spots(0).into_iter().enumerate();
    let value = json!({
        "cell": stage.cell,
        "pause": PAUSE / style.speed,
        "solved": film.is_solved,
        "moves": frames.iter().filter_map(|frame| frame.written.as_deref()).collect::<Vec<_>>(),
        "g": frames.iter().map(|frame| Number(frame.g)).collect::<Vec<_>>(),
        "h": frames.iter().map(|frame| Number(frame.h)).collect::<Vec<_>>(),
        "start": spots.map(|(actor, spot)| spot.map(|spot| whole(actor, spot))).collect::<Vec<_>>(),
        "trails": film.trails(0).iter().map(|(actor, _)| json!([actor])).collect::<Vec<_>>(),
        "changes": frames[1..].iter().map(|frame| frame.changes.iter().map(change).collect()).collect::<Vec<Value>>(),
    });
    json_in_script(&value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_names_the_script_and_the_sheet_of_the_page() {
        assert_eq!(base64(b"Ma"), "TWE=");
        assert_eq!(base64(b"Man"), "TWFu");
        // The empty text, by `printf '' | openssl dgst -sha256 -binary | base64`.
        assert_eq!(source(""), "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
        let page = head("x", "b{}", "alert()", &RenderStyle::default());
        let sheet = page.split("<style>").nth(1).and_then(|rest| rest.split("</style>").next()).expect("a sheet");
        assert!(sheet.contains("b{}") && page.contains(&format!("style-src-elem {};", source(sheet))), "{page}");
        assert!(page.contains(&format!("script-src {};", source("alert()"))), "{page}");
        assert!(page.contains("base-uri 'none'; form-action 'none';"), "{page}");
    }
}
