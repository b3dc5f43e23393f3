//! The layout of a whole picture: the board with its title, its goal, its legend and its caption.

use super::film::Film;
use super::goal::Panel;
use super::svg::{BOARD, LEGEND_LINE, LINE, MARGIN, MIN_WIDTH, Stage, TITLE_LEAST};
use super::{RenderStyle, text};

/// The distance from the board to the goal, and the least and the greatest width of the goal beside the board.
const GAP: f64 = 28.0;
const GOAL_LEAST: f64 = 120.0;
const GOAL_MOST: f64 = 200.0;
/// The width of the goal beside the board, as a fraction of the longer side of the board.
const SIDE_OF_GOAL: f64 = 0.5;
/// The goal of a board that is more than this many times as wide as high is below it.
const WIDE: f64 = 2.0;
impl<'a> Stage<'a> {
    /// Lays out the board with the title above it, the goal beside it, and with room for a caption below it if
    /// `with_caption`. The goal of a wide board is below it.
    pub fn titled(film: &'a Film, style: &'a RenderStyle, with_caption: bool) -> Stage<'a> {
        let (bare, title) = (Stage::bare(film, style.theme), &*style.title);
        let (board_width, board_height) = (bare.width - 2.0 * bare.x, bare.height - 2.0 * bare.y);
        let is_wide = board_width > WIDE * board_height;
        let column = (SIDE_OF_GOAL * board_width.max(board_height)).clamp(GOAL_LEAST, GOAL_MOST);
        let room =
            if is_wide { (board_width.max(MIN_WIDTH), board_height) } else { (column, board_height.max(column)) };
        let goal = Panel::new(style, bare.cell, room);
        let beside = goal.as_ref().filter(|_| !is_wide);
        let content = board_width + beside.map_or(0.0, |goal| GAP + goal.width);
        let width = content.max(MIN_WIDTH).max(text::width(title, TITLE_LEAST).min(BOARD)) + 2.0 * MARGIN;
        let (x, y) = ((width - content) / 2.0, MARGIN + LINE);
        let mut bottom = y + beside.map_or(0.0, |goal| goal.height).max(board_height);
        let lines = film.overlays.len() as f64 + f64::from(u8::from(bare.has_cost_legend()));
        let legend = (lines > 0.0).then_some(bottom + MARGIN / 2.0);
        bottom = legend.map_or(bottom, |top| top + lines * LEGEND_LINE);
        let place = if is_wide { ((width - room.0) / 2.0, bottom + MARGIN / 2.0) } else { (x + board_width + GAP, y) };
        if let Some(goal) = goal.as_ref().filter(|_| is_wide) {
            bottom = place.1 + goal.height;
        }
        let below = if with_caption { LINE + MARGIN / 2.0 } else { MARGIN };
        let caption = with_caption.then_some(bottom);
        let goal = goal.map(|goal| (goal.svg, place.0, place.1));
        Stage { x, y, width, height: bottom + below, title, caption, legend, goal, ..bare }
    }
}
