//! The screen: the board, the panel beside or below it, the moves, and the boxes over them.

use super::app::{App, Over};
use super::board::{Marked, Placed};
use crate::diagnostic::printable;
use crate::picture::Cell;
use crate::play::{Known, number};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, BorderType, Clear, Paragraph, Wrap};

/// The columns of the panel beside the board, and the least screen width that has room for it.
const BESIDE: u16 = 30;
const WIDE: u16 = 64;

/// Keys and their effects.
type Keys = [(&'static str, &'static str)];

const PUSHED: &Keys = &[
    ("arrows", "move the selected piece, or the only one that can move there"),
    ("Shift+arrow", "move it as far as possible"),
    ("Home PgUp", "move diagonally: up left, up right"),
    ("End PgDn", "move diagonally: down left, down right"),
    ("Tab Shift+Tab", "select the next or the previous piece"),
    ("a letter", "select the piece with this label, or make the move of this name"),
    (": or /", "type a move or a label, then Enter"),
    ("click", "make the only move of a piece, or select the piece; on an empty cell, move the selected piece there"),
    ("drag", "move the piece"),
    ("z Ctrl+Z", "undo a move; also Backspace"),
    ("y Ctrl+Y", "redo it"),
    ("n Ctrl+R", "start again"),
    ("h F2", "hint: the next move of a shortest path; again: make it"),
    ("w Space F3", "play a shortest solution; + - faster, slower"),
    ("Esc", "clear the selection, otherwise quit"),
    ("q Ctrl+Q", "quit"),
];

const LISTED: &Keys = &[
    ("letters", "type a move, then Enter; so do digits"),
    ("arrows", "choose a move in the list, then Enter"),
    ("click", "make a move in the list"),
    ("Ctrl+Z", "undo a move; also Backspace"),
    ("Ctrl+Y", "redo it"),
    ("Ctrl+R", "start again"),
    ("F2", "hint: the next move of a shortest path; again: make it"),
    ("F3", "play a shortest solution; + - faster, slower"),
    ("Esc", "clear the input, otherwise quit"),
    ("Ctrl+Q", "quit"),
];

/// Draws the whole screen.
pub(super) fn draw(app: &mut App, frame: &mut Frame) {
    let area = frame.area();
    if area.is_empty() {
        return;
    }
    let (board, panel) = if area.width >= WIDE {
        let left = area.width - BESIDE - 1;
        (Rect { width: left, ..area }, Rect { x: area.x + left + 1, width: BESIDE, ..area })
    } else {
        let below = panel_height(app, area);
        let above = area.height - below;
        (Rect { height: above, ..area }, Rect { y: area.y + above, height: below, ..area })
    };
    draw_board(app, frame, board);
    draw_panel(app, frame, panel, area.width < WIDE);
    match app.over {
        Over::Nothing => {}
        Over::Help(line) => {
            app.over = Over::Help(draw_help(frame, if app.letters_are_commands { PUSHED } else { LISTED }, line));
        }
        Over::Again => draw_over(frame, "start again?", vec![Line::from("y yes, any other key no")], 0),
        Over::Won => {
            let verdict = app.game.verdict(app.least);
            let stars = stars(app.game.cost(), app.least);
            let keys = "n again, q quit";
            draw_over(frame, "solved", vec![Line::from(verdict), Line::from(keys), Line::from(stars)], 0);
        }
    }
}

/// Returns the number of lines of the panel below the board.
fn panel_height(app: &App, area: Rect) -> u16 {
    let said = if area.height >= 14 { 4 } else { 2 };
    if app.letters_are_commands {
        return said.min(area.height / 2);
    }
    let lines = if area.height < 12 { 1 } else { 3 };
    let wanted = app.game.picture().map_or(1, |picture| picture.rows.min(100) as u16 * lines);
    (area.height - wanted.min(area.height / 2)).max(said).min(area.height)
}

fn draw_board(app: &mut App, frame: &mut Frame, area: Rect) {
    let focus = focus(app);
    let marked = Marked { selected: app.selected, hinted: app.hinted_figure() };
    let Some(picture) = app.game.picture() else {
        app.placed = None;
        frame.render_widget(Paragraph::new(printable(&app.game.draw())), area);
        return;
    };
    let placed = Placed::new(picture, area, focus);
    placed.draw(frame.buffer_mut(), picture, marked, app.palette);
    app.placed = Some(placed);
}

/// Returns the cell in the middle of the screen if the board is larger: that of the selected figure, or of one that can
/// move.
fn focus(app: &App) -> Cell {
    let Some(picture) = app.game.picture() else { return (0, 0) };
    let key = app.selected.or_else(|| app.game.movable().first().copied());
    let figure = key.and_then(|key| picture.figures.iter().find(|figure| figure.key == key));
    figure.map_or((0, 0), |figure| figure.at)
}

/// Describes the distance to the goal, as far as the background search knows it.
fn to_go(app: &App) -> String {
    match app.guide.known(&app.game) {
        None => "searching".to_owned(),
        Some(Known::Path { moves, cost, shortest, .. }) => {
            let kind = if *shortest { "" } else { " or less" };
            let cost =
                if (cost - *moves as f64).abs() < 1e-9 { String::new() } else { format!(" for {}", number(*cost)) };
            format!("{moves} to go{cost}{kind}")
        }
        Some(Known::NoPath(_)) => "no solution from here".to_owned(),
        Some(Known::GaveUp(_)) => "no solution found".to_owned(),
    }
}

fn draw_panel(app: &mut App, frame: &mut Frame, area: Rect, is_narrow: bool) {
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let made = app.game.made().len();
    let mut counted = format!("{made} move{}", if made == 1 { "" } else { "s" });
    if (app.game.cost() - made as f64).abs() > 1e-9 {
        counted += &format!(", cost {}", number(app.game.cost()));
    }
    let least = app.least.map(|least| format!("optimum {}", number(least)));
    let title = Line::styled(printable(app.game.puzzle().title()), bold);
    let typed = app.typed.as_ref().map(|typed| format!("> {}_", printable(typed)));
    let said = Line::from(typed.unwrap_or_else(|| printable(&app.message)));
    let keys = if app.letters_are_commands { "? keys  h hint  z back  q quit" } else { "F1 keys  F2 hint  Esc quit" };
    let mut lines = Vec::new();
    if is_narrow {
        let all = [Some(counted), Some(to_go(app)), least].into_iter().flatten().collect::<Vec<_>>().join(", ");
        if area.height >= 4 {
            lines.push(title);
        }
        lines.extend([Line::from(all), said]);
        if area.height >= 4 {
            lines.push(Line::from(keys));
        }
    } else {
        lines.extend([title, Line::default(), Line::from(counted)]);
        lines.extend(least.map(Line::from));
        lines.extend([Line::from(to_go(app)), Line::default(), said, Line::default(), Line::from(keys)]);
    }
    let (width, height) = (usize::from(area.width.max(1)), area.height);
    let wrapped = |line: &Line| if is_narrow { 1 } else { line.width().div_ceil(width - 1).max(1) as u16 };
    let taken = lines.iter().map(wrapped).sum::<u16>().min(height);
    let paragraph = Paragraph::new(lines);
    let paragraph = if is_narrow { paragraph } else { paragraph.wrap(Wrap { trim: false }) };
    frame.render_widget(paragraph, Rect { height: taken, ..area });
    let rest = Rect { y: area.y + taken, height: height - taken, ..area };
    if app.letters_are_commands || rest.height == 0 {
        app.list.hide();
        return;
    }
    let rest =
        if is_narrow || rest.height < 2 { rest } else { Rect { y: rest.y + 1, height: rest.height - 1, ..rest } };
    app.list.draw(frame.buffer_mut(), rest, app.game.legal(), app.typed.as_deref(), app.hinted.as_deref());
}

/// Returns three stars for the least cost, two for a little more.
fn stars(cost: f64, least: Option<f64>) -> &'static str {
    match least {
        Some(least) if cost <= least + 1e-6 => "★ ★ ★",
        Some(least) if cost <= least * 1.25 => "★ ★ ☆",
        Some(_) => "★ ☆ ☆",
        None => "",
    }
}

/// Draws all keys from a line on, or from the last line from which the rest fits. Returns the first line drawn.
fn draw_help(frame: &mut Frame, keys: &Keys, from: u16) -> u16 {
    let area = frame.area();
    let room = usize::from(area.width).saturating_sub(4).max(1);
    let mut lines = Vec::new();
    for (key, what) in keys {
        // If there is no room for columns, the effect of a key is printed below it.
        let (mut line, indent) = if room > 40 { (format!("{key:<13} "), 14) } else { (format!("{key}:"), 2) };
        for word in what.split(' ') {
            if line.len() + 1 + word.len() > room.min(60) {
                lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
            }
            line += if line.ends_with(' ') { "" } else { " " };
            line += word;
        }
        lines.push(line);
    }
    let last = lines.len().saturating_sub(usize::from(area.height.saturating_sub(2).max(1)));
    let from = from.min(last as u16);
    draw_over(frame, "keys", lines.into_iter().map(Line::from).collect(), from);
    from
}

/// Draws lines in a box over the middle of the screen.
fn draw_over(frame: &mut Frame, title: &str, lines: Vec<Line>, from: u16) {
    let area = frame.area();
    let widest = lines.iter().map(Line::width).max().unwrap_or(0).max(title.len() + 2) as u16;
    let width = (widest + 4).min(area.width);
    let inside = usize::from(width.saturating_sub(4).max(1));
    let tall: usize = lines.iter().map(|line| line.width().div_ceil(inside).max(1)).sum();
    let height = (tall as u16).saturating_add(2).min(area.height);
    let (x, y) = (area.x + (area.width - width) / 2, area.y + (area.height - height) / 2);
    let place = Rect { x, y, width, height };
    let block = Block::bordered().border_type(BorderType::Rounded).title(format!(" {title} "));
    let inner = block.inner(place);
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner }.intersection(area);
    frame.render_widget(Clear, place);
    frame.render_widget(block, place);
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }).scroll((from, 0)), inner);
}
