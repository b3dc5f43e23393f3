//! The list of moves: in columns, scrolled to the chosen move.

use crate::diagnostic::printable;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use unicode_width::UnicodeWidthStr;

/// The chosen move, and where the list was last drawn.
#[derive(Default)]
pub(super) struct List {
    /// The number of the chosen move.
    pub chosen: usize,
    area: Rect,
    /// Screen columns of a move, and moves in a row.
    width: u16,
    columns: usize,
    /// The first visible row.
    first: usize,
}

impl List {
    /// Chooses the first move.
    pub fn rewind(&mut self) {
        self.chosen = 0;
    }

    /// Handles a key that chooses one of so many moves.
    pub fn key(&mut self, code: KeyCode, count: usize) {
        let columns = self.columns.max(1);
        let page = columns * usize::from(self.area.height.max(1));
        let last = count.saturating_sub(1);
        let next = match code {
            KeyCode::Right | KeyCode::Tab => self.chosen.saturating_add(1),
            KeyCode::Left | KeyCode::BackTab => self.chosen.saturating_sub(1),
            KeyCode::Down if self.chosen + columns <= last => self.chosen + columns,
            KeyCode::Up if self.chosen >= columns => self.chosen - columns,
            KeyCode::PageDown => self.chosen.saturating_add(page),
            KeyCode::PageUp => self.chosen.saturating_sub(page),
            KeyCode::Home => 0,
            KeyCode::End => last,
            _ => self.chosen,
        };
        self.chosen = next.min(last);
    }

    /// Returns the number of the move at a place on the screen; there may be none with that number.
    pub fn at(&self, (x, y): (u16, u16)) -> Option<usize> {
        if !self.area.contains((x, y).into()) || self.width == 0 {
            return None;
        }
        let (row, column) = (self.first + usize::from(y - self.area.y), usize::from((x - self.area.x) / self.width));
        Some(if column < self.columns { row * self.columns + column } else { usize::MAX })
    }

    /// Draws as many moves as fit, and highlights the hinted one, and the chosen one if keys choose.
    pub fn draw(&mut self, buffer: &mut Buffer, area: Rect, moves: &[String], hinted: Option<&str>, chooses: bool) {
        let widest = moves.iter().map(|written| written.width()).max().unwrap_or(0) as u16;
        self.area = area;
        self.width = (widest + 2).min(area.width.max(1));
        self.columns = usize::from((area.width / self.width).max(1));
        let (height, row) = (usize::from(area.height.max(1)), self.chosen / self.columns);
        self.first = self.first.clamp((row + 1).saturating_sub(height), row);
        for (number, written) in moves.iter().enumerate().skip(self.first * self.columns) {
            let (row, column) = (number / self.columns - self.first, number % self.columns);
            if row >= usize::from(area.height) {
                break;
            }
            let mut style = Style::new();
            if number == self.chosen && chooses {
                style = style.add_modifier(Modifier::REVERSED);
            }
            if hinted == Some(&**written) {
                style = style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
            }
            let (x, y) = (area.x + column as u16 * self.width, area.y + row as u16);
            buffer.set_stringn(x, y, printable(written), usize::from(area.right() - x), style);
        }
    }

    /// Forgets where the list was drawn.
    pub fn hide(&mut self) {
        self.area = Rect::default();
    }
}
