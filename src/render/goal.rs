//! The goal beside the board of a page: its drawings, and the conditions that they do not show.

use super::Look;
use super::film::Film;
use super::outline::number;
use super::svg::Stage;
use super::text::FONTS;
use crate::diagnostic::escape;
use crate::picture::Picture;
use crate::plot::svg::Svg;
use std::fmt::Write as _;

/// The greatest number of pixels of the longer side of a drawing.
const SIDE: f64 = 200.0;

/// Returns the elements of the goal; empty if the puzzle does not show one.
pub(super) fn elements(look: &Look) -> String {
    let goal = &look.goal;
    let mut out = String::new();
    for (number, alternative) in goal.alternatives.iter().enumerate() {
        if number > 0 {
            out += "<p>or</p>\n";
        }
        if let Some(picture) = &alternative.picture {
            out += &drawing(picture, look, number);
        }
        for words in &alternative.words {
            let _ = writeln!(out, "<p>{}</p>", escape(words));
        }
    }
    if goal.more > 0 {
        let _ = writeln!(out, "<p>or one of {} further goals</p>", goal.more);
    }
    out
}

/// Draws a goal. Its shapes have names of their own, since the page has the shapes of the board, too.
fn drawing(picture: &Picture, look: &Look, goal: usize) -> String {
    let film = Film::of_picture(picture.clone());
    let mut stage = Stage::bare(&film, look.theme);
    stage.names = format!("goal{goal}-");
    let size = format!("0 0 {} {}", number(stage.width), number(stage.height));
    let zoom = (SIDE / stage.width.max(stage.height)).min(1.0);
    let style = format!("max-width:{}px", number(stage.width * zoom));
    let mut svg = Svg::default();
    svg.open(
        "svg",
        &[
            ("class", &"goal"),
            ("viewBox", &size),
            ("style", &style),
            ("font-family", &FONTS),
            ("text-anchor", &"middle"),
            ("role", &"img"),
            ("aria-label", &"the goal"),
        ],
    );
    svg.line();
    stage.definitions(&mut svg);
    stage.scenery(&mut svg);
    stage.board(&mut svg, &[]);
    stage.letters(&mut svg);
    for (actor, spot) in film.spots(0).into_iter().enumerate() {
        if let Some(spot) = spot {
            stage.actor(&mut svg, actor, spot, stage.exact(spot.at), &[], "");
        }
    }
    stage.outlines(&mut svg);
    svg.close("g").line().close("svg").line();
    svg.finish()
}
