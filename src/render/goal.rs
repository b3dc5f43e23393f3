//! The goal beside a board: its drawings, and the conditions that they do not show. A page has it as elements, a picture
//! as a panel.

use super::film::Film;
use super::outline::number;
use super::svg::{LINE, Stage};
use super::{RenderStyle, Theme, text};
use crate::diagnostic::escape;
use crate::picture::Picture;
use crate::plot::svg::{Attribute, Svg};
use std::fmt::Write as _;

/// The greatest number of pixels of the longer side of a drawing in a page.
const SIDE: f64 = 200.0;
/// The greatest edge of a cell in a panel, as a fraction of that of the board.
const SMALLER: f64 = 0.5;
/// The size of the text in a panel, the height of its lines, and the most lines for the words of an alternative.
const TEXT: f64 = 13.0;
const TEXT_LINE: f64 = 19.0;
/// The distance from a drawing to the text below it.
const TEXT_GAP: f64 = 4.0;
const MOST_LINES: usize = 12;

/// Returns the elements of the goal; empty if the puzzle does not show one.
pub(super) fn elements(style: &RenderStyle) -> String {
    let goal = &style.goal;
    let mut out = String::new();
    for (number, alternative) in goal.alternatives.iter().enumerate() {
        if number > 0 {
            out += "<p>or</p>\n";
        }
        if let Some(picture) = &alternative.picture {
            out += &element(picture, style.theme, &format!("goal{number}-"), "the goal");
        }
        for words in &alternative.words {
            let _ = writeln!(out, "<p>{}</p>", escape(words));
        }
    }
    if let Some(more) = goal.after(goal.alternatives.len()) {
        let _ = writeln!(out, "<p>{more}</p>");
    }
    out
}

/// Returns a position as an element of a page, with this label. `names` begins the names of its shapes: no other drawing
/// in the page has the same.
pub(crate) fn element(picture: &Picture, theme: Theme, names: &str, label: &str) -> String {
    let film = Film::of_picture(picture.clone());
    let stage = stage_of(&film, theme, names);
    let zoom = (SIDE / stage.width.max(stage.height)).min(1.0);
    let style = format!("max-width:{}px", number(stage.width * zoom));
    drawing(&stage, &[("style", &style), ("role", &"img"), ("aria-label", &label)])
}

/// Lays out the drawing of a goal. Its shapes have names of their own, since the page has the shapes of the board, too.
fn stage_of<'a>(film: &'a Film, theme: Theme, names: &str) -> Stage<'a> {
    let mut stage = Stage::bare(film, theme);
    stage.names = names.to_owned();
    stage
}

/// Draws a goal.
fn drawing(stage: &Stage, own: &[Attribute]) -> String {
    let class: Attribute = ("class", &"goal");
    let mut svg = stage.element(&[&[class], own].concat());
    stage.scenery(&mut svg);
    stage.actors(&mut svg, 0);
    svg.close("svg").line();
    svg.finish()
}

/// The goal in a picture, as one column.
pub(super) struct Panel {
    /// The drawing, whose origin is the upper left corner of the column.
    pub svg: Svg,
    pub width: f64,
    pub height: f64,
}

impl Panel {
    /// Lays out the goal in a column of this width beside a board whose cells have edges of length `cell`; nothing if
    /// the puzzle does not show a goal. Alternatives that do not fit into the height `room` are counted: the first one
    /// is shown whatever it takes.
    pub fn new(style: &RenderStyle, cell: f64, (width, room): (f64, f64)) -> Option<Panel> {
        let goal = &style.goal;
        let mut panel = Panel { svg: Svg::default(), width, height: LINE };
        panel.line("goal", 0.0, LINE);
        let mut shown = 0;
        for alternative in &goal.alternatives {
            let mut next = Panel { svg: Svg::default(), ..panel };
            if shown > 0 {
                next.text("or");
            }
            if let Some(picture) = &alternative.picture {
                next.picture(picture, style, shown, cell, room);
            }
            let mut left = MOST_LINES;
            for words in &alternative.words {
                left -= next.words(words, left);
            }
            if shown > 0 && next.height > room {
                break;
            }
            panel.svg.raw(&next.svg.finish());
            panel.height = next.height;
            shown += 1;
        }
        if let Some(more) = goal.after(shown) {
            panel.words(&more, MOST_LINES);
        }
        (shown > 0).then_some(panel)
    }

    fn picture(&mut self, picture: &Picture, style: &RenderStyle, goal: usize, cell: f64, room: f64) {
        let film = Film::of_picture(picture.clone());
        let stage = stage_of(&film, style.theme, &format!("goal{goal}-"));
        let zoom = (SMALLER * cell / stage.cell).min(self.width / stage.width).min(room / stage.height);
        let (width, height) = (stage.width * zoom, stage.height * zoom);
        let place: [Attribute; 4] = [
            ("x", &number((self.width - width) / 2.0)),
            ("y", &number(self.height)),
            ("width", &number(width)),
            ("height", &number(height)),
        ];
        self.svg.raw(&drawing(&stage, &place));
        self.height += height + TEXT_GAP;
    }

    /// Writes words on as many lines as they take, at most `most`, and returns their number.
    fn words(&mut self, words: &str, most: usize) -> usize {
        let lines = text::lines(words, TEXT, self.width, most);
        lines.iter().for_each(|line| self.text(line));
        lines.len()
    }

    fn text(&mut self, line: &str) {
        self.line(line, self.height, TEXT_LINE);
        self.height += TEXT_LINE;
    }

    /// Writes a centred line of text of this height, whose upper edge is at `y`.
    fn line(&mut self, line: &str, y: f64, height: f64) {
        let (x, y) = (number(self.width / 2.0), number(y + height / 2.0 + TEXT * 0.36));
        self.svg.open("text", &[("class", &"faint"), ("x", &x), ("y", &y), ("font-size", &TEXT)]);
        self.svg.text(line).close("text").line();
    }
}
