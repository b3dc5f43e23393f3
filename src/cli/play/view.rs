//! The screen: the board, the panel beside or below it, the moves, and the boxes over them.

use super::app::{App, Mode, Over};
use super::board::{Marked, Placed};
use super::clock;
use super::records::stars;
use crate::diagnostic::printable;
use crate::picture::{Cell, Figure, Picture};
use crate::play::{Known, captions, number};
use crate::puzzle::Alternative;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, BorderType, Clear, Paragraph, Wrap};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use unicode_width::UnicodeWidthStr;

/// The columns of the panel beside the board, and the least screen width that has room for it.
const BESIDE: u16 = 30;
const WIDE: u16 = 64;
/// The least screen width on which board and panel move together into the middle.
const SPACIOUS: u16 = 120;

/// The greatest number of lines that the panel takes from a board that leaves them free.
const MAX_WRAPPED: u16 = 4;

/// The lines that a list of moves keeps at least.
const LISTED: u16 = 2;

/// Keys and their effects.
type Keys = [(&'static str, &'static str)];

const PUSHED: &Keys = &[
    ("arrows", "move the selected piece, or the only one that can move there"),
    ("Shift+arrow", "move it as far as possible"),
    ("Home PgUp", "move diagonally: up left, up right"),
    ("End PgDn", "move diagonally: down left, down right"),
    ("Tab Shift+Tab", "select the next or the previous piece"),
    ("a letter", "select the piece with this label, or make the move of this name"),
    (": or /", "type a move or a label, or choose in the list, then Enter"),
    ("click", "make the only move of a piece, or select the piece; on another cell, move or walk there"),
    ("drag", "move the piece"),
];

const POINTED: &Keys = &[
    ("click", "make the move of the cell"),
    ("arrows", "go to a cell; Shift+arrow: to the edge"),
    ("Enter Space", "make the move of the cell"),
    (": or /", "type a move, or choose in the list, then Enter"),
];

const SPELLED: &Keys = &[
    ("letters", "type a move, then Enter; so do digits"),
    ("arrows", "choose a move in the list, then Enter"),
    ("click", "make a move in the list; select a piece, then click where it shall go"),
    ("drag", "move a piece with the move that takes it there"),
];

const COMMANDS: &Keys = &[
    ("z Ctrl+Z", "undo a move or a walk; also Backspace and the right mouse button"),
    ("y Ctrl+Y", "redo it, also after a restart"),
    ("n Ctrl+R", "start again"),
    (". F5", "set a checkpoint"),
    (", F6", "return to the checkpoint"),
    ("h F2", "hint: the next move of a shortest path; again: make it"),
    ("w Space F3", "play a shortest solution; + - faster, slower"),
    ("F4 g", "show the goal; g only where no piece and no move is called so"),
    ("F7 F8", "previous level, next level"),
    ("? F1", "show these keys"),
    ("Esc", "clear the selection, otherwise leave"),
    ("q", "leave: for the list of levels, or quit"),
    ("Ctrl+Q", "quit"),
];

const CONTROLS: &Keys = &[
    ("Ctrl+Z", "undo a move or a walk; also Backspace and the right mouse button"),
    ("Ctrl+Y", "redo it, also after a restart"),
    ("Ctrl+R", "start again"),
    ("F5", "set a checkpoint"),
    ("F6", "return to the checkpoint"),
    ("F2", "hint: the next move of a shortest path; again: make it"),
    ("F3", "play a shortest solution; + - faster, slower"),
    ("F4", "show the goal"),
    ("F7 F8", "previous level, next level"),
    ("? F1", "show these keys"),
    ("Esc", "clear the input, otherwise leave: for the list of levels, or quit"),
    ("Ctrl+Q", "quit"),
];

/// Returns all keys of a game.
fn keys(mode: Mode) -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    let (own, shared) = match mode {
        Mode::Arrows => (PUSHED, COMMANDS),
        Mode::Cursor => (POINTED, COMMANDS),
        Mode::Spelling => (SPELLED, CONTROLS),
    };
    own.iter().chain(shared)
}

/// Draws the whole screen.
pub(super) fn draw(app: &mut App, frame: &mut Frame) {
    let area = frame.area();
    if area.is_empty() {
        return;
    }
    let is_below = !is_beside(app, area);
    let (board, panel) = if is_below { below(app, area) } else { beside(app, area) };
    draw_board(app, frame, board);
    draw_panel(app, frame, panel, is_below);
    match app.over {
        Over::Nothing | Over::Won => {}
        Over::Help(line) => app.over = Over::Help(draw_help(app, frame, line)),
        Over::Goal(at) => app.over = Over::Goal(draw_goal(app, frame, at)),
        Over::Again => draw_over(frame, "start again?", vec![Line::from("y yes, any other key no")], 0),
    }
    if app.offered.is_some() && !app.shows_list(is_below) {
        draw_offered(app, frame);
    }
}

/// Returns the places of the board and of the panel beside it. On a spacious screen, both are in the middle.
fn beside(app: &App, area: Rect) -> (Rect, Rect) {
    let left = area.width.saturating_sub(BESIDE + 1);
    let board = Rect { width: left, ..area };
    let board = match app.game.picture().filter(|_| area.width >= SPACIOUS) {
        Some(picture) => {
            let needed = Placed::new(&board_of(picture), board, (0, 0), &[]).area.width.saturating_add(4).min(left);
            Rect { x: area.x + (left - needed) / 2, width: needed, ..area }
        }
        None => board,
    };
    (board, Rect { x: board.right() + 1, width: BESIDE.min(area.width), ..area })
}

/// Returns the places of the board and of the panel below it.
fn below(app: &App, area: Rect) -> (Rect, Rect) {
    let least = panel_height(app, area);
    let above = Rect { height: area.height - least, ..area };
    // The panel takes lines that the board leaves free, so that long texts can be wrapped.
    let spare = app
        .game
        .picture()
        .map_or(0, |picture| above.height - Placed::new(&board_of(picture), above, (0, 0), &[]).area.height);
    let below = least + if app.shows_list(true) { spare } else { spare.min(MAX_WRAPPED) };
    let above = area.height - below;
    (Rect { height: above, ..area }, Rect { y: area.y + above, height: below, ..area })
}

/// Returns whether the panel is beside the board: on a wide screen, unless the cells are larger with the panel below.
fn is_beside(app: &App, area: Rect) -> bool {
    if area.width < WIDE {
        return false;
    }
    let Some(picture) = app.game.picture() else { return true };
    let picture = board_of(picture);
    let worth = |board: Rect| Placed::new(&picture, board, (0, 0), &[]).worth(&picture);
    worth(beside(app, area).0) >= worth(below(app, area).0)
}

/// Returns the number of lines of the panel below the board.
fn panel_height(app: &App, area: Rect) -> u16 {
    let has_captions = app.game.picture().is_some_and(|picture| !captions(picture).1.is_empty());
    let said = if area.height >= 14 { 4 } else { 2 } + u16::from(has_captions);
    if app.over == Over::Won {
        let room = usize::from(area.width.max(1));
        let lines: usize = won(app).iter().map(|line| line.width().div_ceil(room)).sum();
        return (lines as u16 + u16::from(has_captions)).max(said).min(area.height * 2 / 3);
    }
    if app.shows_list(true) {
        let lines = if area.height < 12 { 1 } else { 3 };
        let wanted = app.game.picture().map_or(1, |picture| picture.rows.min(100) as u16 * lines);
        return (area.height - wanted.min(area.height / 2)).max(said).min(area.height);
    }
    said.min(area.height / 2)
}

/// Returns a picture without its captions, which the panel shows.
fn board_of(picture: &Picture) -> Cow<'_, Picture> {
    let (rows, captions) = captions(picture);
    if captions.is_empty() {
        return Cow::Borrowed(picture);
    }
    let figures = picture.figures.iter().filter(|figure| figure.at.0 < rows).cloned().collect();
    Cow::Owned(Picture { rows, figures, ..picture.clone() })
}

fn draw_board(app: &mut App, frame: &mut Frame, area: Rect) {
    let Some(picture) = app.game.picture() else {
        app.placed = None;
        frame.render_widget(Paragraph::new(printable(&app.game.draw())), area);
        return;
    };
    let hinted = app.hinted_figure();
    let targets = app.selected.map_or_else(Vec::new, |key| app.game.targets(key));
    let (cursor, hinted_cell) = (app.cursor, app.hinted_cell());
    let marked = Marked { selected: app.selected, hinted, targets: &targets, cursor, hinted_cell };
    let board = board_of(picture);
    let placed = Placed::new(&board, area, focus(app), &goals(picture));
    placed.draw(frame.buffer_mut(), &board, &marked, app.palette);
    app.placed = Some(placed);
}

/// Returns the cell that stays on the screen if the board is larger: that of the cursor or of the selected figure, or
/// of the figure that most moves move.
fn focus(app: &App) -> Cell {
    if let Some(cell) = app.cursor {
        return cell;
    }
    let moved = app.game.effects().iter().flat_map(|effect| &effect.motions).map(|motion| motion.key);
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    moved.for_each(|key| *counts.entry(key).or_default() += 1);
    let most = counts.into_iter().max_by_key(|&(key, count)| (count, Reverse(key))).map(|(key, _)| key);
    app.selected.or(most).and_then(|key| app.game.figure(key)).map_or((0, 0), |figure| figure.at)
}

/// Returns the cells of the goal, which stay on the screen if possible.
fn goals(picture: &Picture) -> Vec<Cell> {
    picture.marks.iter().flat_map(Figure::covered).collect()
}

/// Returns the lines with the moves and costs: made, to go, at least, at best, and the time.
fn counts(app: &App) -> Vec<[String; 3]> {
    let known = match app.guide.known(&app.game) {
        Some(Known::Path { moves, cost, shortest, .. }) => {
            let least = if *shortest { "" } else { "≤ " };
            Some((format!("{least}{moves}"), format!("{least}{}", number(*cost))))
        }
        _ => None,
    };
    let mut rows = Vec::new();
    let mut row = |name: &str, moves: String, cost: String| rows.push([name.to_owned(), moves, cost]);
    let made = app.game.made().len().to_string();
    if app.has_costs {
        row("", "moves".to_owned(), "cost".to_owned());
        row("made", made, number(app.game.cost()));
    } else {
        row("moves", made, String::new());
    }
    if let Some((moves, cost)) = known {
        row("to go", moves, if app.has_costs { cost } else { String::new() });
    }
    let in_cost = |cost: f64| if app.has_costs { (String::new(), number(cost)) } else { (number(cost), String::new()) };
    if let Some((moves, cost)) = app.least.map(in_cost) {
        row("optimum", moves, cost);
    }
    if let Some(best) = app.record.best {
        row("your best", best.moves.to_string(), if app.has_costs { number(best.cost) } else { String::new() });
    }
    row("time", clock::written(app.clock.seconds()), String::new());
    rows
}

/// Returns what the background search reports instead of a distance.
fn outlook(app: &App) -> Option<&'static str> {
    match app.guide.known(&app.game) {
        None => Some("searching"),
        Some(Known::Path { .. }) => None,
        Some(Known::NoPath(_)) => Some("no solution from here"),
        Some(Known::GaveUp(_)) => Some("no solution found"),
    }
}

/// Returns the counts on one line.
fn counted(app: &App) -> String {
    let rows = counts(app);
    let said = |column: usize, is_made: &dyn Fn(&str) -> String| {
        let cells = rows.iter().filter(|row| !row[column].is_empty() && !["", "time"].contains(&&*row[0]));
        let cells = cells.map(|row| match &*row[0] {
            "moves" | "made" => is_made(&row[column]),
            "to go" => format!("{} to go", row[column]),
            name => format!("{} {}", name.trim_start_matches("your "), row[column]),
        });
        cells.collect::<Vec<_>>().join(", ")
    };
    let moves = said(1, &|made| format!("{made} move{}", if made == "1" { "" } else { "s" }));
    let costs = if app.has_costs { format!("; {}", said(2, &|made| format!("cost {made}"))) } else { String::new() };
    format!("{moves}{costs}")
}

fn draw_panel(app: &mut App, frame: &mut Frame, area: Rect, is_below: bool) {
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let title = Line::styled(printable(app.game.puzzle().title()), bold);
    let typed = app.typed.as_ref().map(|typed| format!("> {}_", printable(typed)));
    let said = Line::from(typed.unwrap_or_else(|| printable(&app.message)));
    let keys = match app.mode {
        _ if app.offered.is_some() => "Enter choose  Esc none",
        Mode::Arrows | Mode::Cursor => "? keys  h hint  z back  q quit",
        Mode::Spelling => "F1 keys  F2 hint  Esc quit",
    };
    let place = app.level.map(|level| Line::from(format!("level {} of {}", level.index + 1, level.count)));
    let captions = app.game.picture().map_or_else(Vec::new, |picture| captions(picture).1);
    let captions: Vec<String> = captions.iter().map(|line| printable(line)).collect();
    let mut lines = Vec::new();
    if is_below {
        if area.height >= 4 {
            let level = app.level.map_or(String::new(), |level| format!("{}. ", level.index + 1));
            let time = clock::written(app.clock.seconds());
            lines.push(Line::styled(format!("{level}{}  {time}", printable(app.game.puzzle().title())), bold));
        }
        if !captions.is_empty() {
            lines.push(Line::from(captions.join(", ")));
        }
        match app.over {
            Over::Won => lines.extend(won(app)),
            _ => {
                let outlook = outlook(app).map(|outlook| format!("; {outlook}")).unwrap_or_default();
                lines.extend([Line::from(counted(app) + &outlook), said]);
                if area.height >= 4 {
                    lines.push(Line::from(keys));
                }
            }
        }
    } else {
        lines.push(title);
        lines.extend(place);
        lines.push(Line::default());
        lines.extend(table(&counts(app)));
        lines.extend(outlook(app).map(|outlook| Line::styled(outlook, bold)));
        lines.push(Line::default());
        if !captions.is_empty() {
            lines.extend(captions.into_iter().map(Line::from));
            lines.push(Line::default());
        }
        match app.over {
            Over::Won => lines.extend(won(app)),
            _ => lines.extend([said, Line::default(), Line::from(keys)]),
        }
    }
    let height = area.height;
    let total = |lines: &[Line]| lines.iter().map(|line| line_height(line, area.width)).sum::<u16>();
    if is_below && height >= 4 && app.over != Over::Won {
        // If lines must be wrapped, the keys and then the title make room.
        let room = height - if app.shows_list(true) { LISTED } else { 0 };
        if total(&lines) > room {
            lines.pop();
        }
        if total(&lines) > room {
            lines.remove(0);
        }
    }
    let all = total(&lines);
    let wraps = !is_below || app.over == Over::Won || all <= height;
    let taken = if wraps { all } else { lines.len() as u16 }.min(height);
    let paragraph = Paragraph::new(lines);
    let paragraph = if wraps { paragraph.wrap(Wrap { trim: false }) } else { paragraph };
    frame.render_widget(paragraph, Rect { height: taken, ..area });
    let rest = Rect { y: area.y + taken, height: height - taken, ..area };
    if !app.shows_list(is_below) || rest.height == 0 {
        app.list.hide();
        if !is_below {
            let rest = draw_goal_beside(app, frame, rest);
            draw_description(app, frame, rest);
        }
        return;
    }
    let rest = if is_below || rest.height < 2 { rest } else { Rect { y: rest.y + 1, height: rest.height - 1, ..rest } };
    let (moves, chooses) = (app.listed(), app.chooses());
    app.list.draw(frame.buffer_mut(), rest, &moves, app.hinted.as_deref(), chooses);
}

/// Draws the first goal in a free part of the panel, if all of it fits there. Returns what is left of the panel.
fn draw_goal_beside(app: &App, frame: &mut Frame, area: Rect) -> Rect {
    let goal = app.game.goal();
    let Some(first) = goal.alternatives.first() else { return area };
    let count = goal.alternatives.len() + goal.more;
    let heading = if count > 1 { format!("goal 1 of {count}") } else { "goal".to_owned() };
    let (words, below) = wrapped_words(first, area.width);
    // An empty line and the heading are above the goal.
    let Some(height) = area.height.checked_sub(2 + below) else { return area };
    let room = Rect { y: area.y + 2, height, ..area };
    let mut drawn = 0;
    if let Some(picture) = &first.picture {
        let Some(placed) = placed_at_left(picture, room) else { return area };
        placed.draw(frame.buffer_mut(), picture, &Marked::default(), app.palette);
        drawn = placed.area.height;
    } else if below == 0 {
        return area;
    }
    let bold = Style::new().add_modifier(Modifier::BOLD);
    frame.render_widget(Line::styled(heading, bold), Rect { y: area.y + 1, height: 1, ..area });
    frame.render_widget(words, Rect { y: room.y + drawn, height: below, ..area });
    let taken = 2 + drawn + below;
    Rect { y: area.y + taken, height: area.height - taken, ..area }
}

/// Draws the author's description in a free part of the panel, if all of it fits there.
fn draw_description(app: &App, frame: &mut Frame, area: Rect) {
    let lines: Vec<Line> = description(app).into_iter().map(Line::from).collect();
    let height = lines.iter().map(|line| line_height(line, area.width)).sum::<u16>();
    if height < area.height {
        let place = Rect { y: area.y + 1, height, ..area };
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), place);
    }
}

/// Returns the lines of the author's description.
fn description(app: &App) -> Vec<String> {
    let description = app.game.puzzle().about().description.iter();
    description.flat_map(|text| text.lines()).map(printable).collect()
}

/// Returns the conditions of a goal in words, and the number of lines that they take.
fn wrapped_words(goal: &Alternative, width: u16) -> (Paragraph<'static>, u16) {
    let lines: Vec<Line> = goal.words.iter().map(|words| Line::from(printable(words))).collect();
    let height = lines.iter().map(|line| line_height(line, width)).sum();
    (Paragraph::new(lines).wrap(Wrap { trim: false }), height)
}

/// Returns the number of lines that a line takes if it is wrapped.
fn line_height(line: &Line, width: u16) -> u16 {
    // The words of a line may leave one column free.
    line.width().div_ceil(usize::from(width.saturating_sub(1)).max(1)).max(1) as u16
}

/// Places all of a picture in the upper left corner of an area, if it fits there.
fn placed_at_left(picture: &Picture, area: Rect) -> Option<Placed> {
    let Rect { width, height, .. } = Placed::new(picture, area, (0, 0), &[]).area;
    let placed = Placed::new(picture, Rect { width, height, ..area }, (0, 0), &[]);
    (!area.is_empty() && placed.worth(picture).0).then_some(placed)
}

/// Draws a goal over the screen, and the conditions in words below it. Returns the number of the goal: the last one if
/// there are not so many.
fn draw_goal(app: &App, frame: &mut Frame, number: usize) -> usize {
    let (goal, area) = (app.game.goal(), frame.area());
    let number = number.min(goal.alternatives.len().saturating_sub(1));
    let Some(shown) = goal.alternatives.get(number) else { return 0 };
    let title = match goal.alternatives.len() {
        1 => " goal ".to_owned(),
        count => format!(" goal {} of {}: any one will do; arrows show the others ", number + 1, count + goal.more),
    };
    let block = Block::bordered().border_type(BorderType::Rounded).title(title);
    let inner = block.inner(area).intersection(area);
    frame.render_widget(Clear, area);
    frame.render_widget(block, area);
    let (words, lines) = wrapped_words(shown, inner.width);
    let below = lines.min(if shown.picture.is_some() { inner.height / 2 } else { inner.height });
    let room = Rect { height: inner.height - below, ..inner };
    if let Some(picture) = shown.picture.as_ref().filter(|_| !room.is_empty()) {
        Placed::new(picture, room, (0, 0), &[]).draw(frame.buffer_mut(), picture, &Marked::default(), app.palette);
    }
    let top = if shown.picture.is_some() { room.bottom() } else { inner.y };
    frame.render_widget(words, Rect { y: top, height: below, ..inner });
    number
}

/// Returns the rows of a table as lines, numbers below each other.
fn table(rows: &[[String; 3]]) -> Vec<Line<'static>> {
    let width = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or(0);
    let (name, moves, cost) = (width(0), width(1), width(2));
    let right = |text: &str, width: usize| format!("{}{text}", " ".repeat(width - text.width()));
    let line = |row: &[String; 3]| {
        let head = format!("{}{}  {}", row[0], " ".repeat(name - row[0].width()), right(&row[1], moves));
        let cost = if cost > 0 { format!("  {}", right(&row[2], cost)) } else { String::new() };
        Line::from(format!("{head}{cost}").trim_end().to_owned())
    };
    rows.iter().map(line).collect()
}

/// Returns the lines shown at the goal.
fn won(app: &App) -> Vec<Line<'static>> {
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let is_helped = app.is_helped();
    let stars = if is_helped { 0 } else { stars(app.game.cost(), app.least) };
    let stars = ["", "★ ☆ ☆  ", "★ ★ ☆  ", "★ ★ ★  "][stars];
    let helped = if is_helped { ", with hints" } else { "" };
    let verdict = app.game.verdict(app.least);
    let next = match app.level {
        Some(_) if app.has_level(1) => "Enter next level  n again  q levels",
        Some(_) => "Enter levels  n again  z back",
        None => "n again  z back  q quit",
    };
    vec![Line::styled(format!("{stars}{verdict}{helped}"), bold), Line::from(next)]
}

/// Draws all keys from a line on, or from the last line from which the rest fits. Returns the first line drawn.
fn draw_help(app: &App, frame: &mut Frame, from: u16) -> u16 {
    let area = frame.area();
    let room = usize::from(area.width).saturating_sub(4).max(1);
    let mut lines = Vec::new();
    let mut wrap = |mut line: String, indent: usize, text: &str| {
        for word in text.split(' ') {
            if line.width() + 1 + word.width() > room.min(60) {
                lines.push(std::mem::replace(&mut line, " ".repeat(indent)));
            }
            line += if line.is_empty() || line.ends_with(' ') { "" } else { " " };
            line += word;
        }
        lines.push(line);
    };
    let description = description(app);
    description.iter().for_each(|line| wrap(String::new(), 0, line));
    if !description.is_empty() {
        wrap(String::new(), 0, "");
    }
    for (key, what) in keys(app.mode) {
        // If there is no room for columns, the effect of a key is printed below it.
        let (line, indent) = if room > 40 { (format!("{key:<13} "), 14) } else { (format!("{key}:"), 2) };
        wrap(line, indent, what);
    }
    let last = lines.len().saturating_sub(usize::from(area.height.saturating_sub(2).max(1)));
    let from = from.min(last as u16);
    draw_over(frame, "keys", lines.into_iter().map(Line::from).collect(), from);
    from
}

/// Draws the moves among which a click left the choice in a box over the board: the panel has no room for them.
fn draw_offered(app: &mut App, frame: &mut Frame) {
    let (moves, area) = (app.listed(), frame.area());
    let widest = moves.iter().map(|written| written.width()).max().unwrap_or(0) as u16 + 2;
    let width = (2 * widest + 3).min(area.width);
    let height = (moves.len().div_ceil(2) as u16).saturating_add(2).min(area.height);
    let (x, y) = (area.x + (area.width - width) / 2, area.y + (area.height - height) / 2);
    let place = Rect { x, y, width, height };
    let block = Block::bordered().border_type(BorderType::Rounded).title(" which? ");
    let inner = block.inner(place);
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(1), ..inner }.intersection(area);
    frame.render_widget(Clear, place);
    frame.render_widget(block, place);
    app.list.draw(frame.buffer_mut(), inner, &moves, app.hinted.as_deref(), true);
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
