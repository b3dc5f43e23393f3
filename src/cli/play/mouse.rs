//! The mouse: clicks and drags on the board, clicks on the list of moves.

use super::app::{App, Over};
use crate::play::ClickAction;
use ratatui::crossterm::event::{KeyCode, MouseButton, MouseEvent, MouseEventKind};

impl App {
    pub fn mouse(&mut self, mouse: MouseEvent) {
        let place = (mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::ScrollDown => self.list.key(KeyCode::Down, self.game.legal(), self.typed.as_deref()),
            MouseEventKind::ScrollUp => self.list.key(KeyCode::Up, self.game.legal(), self.typed.as_deref()),
            MouseEventKind::Down(MouseButton::Left) if self.watch.take().is_some() => {}
            MouseEventKind::Down(MouseButton::Left) if self.over != Over::Nothing => self.over = Over::Nothing,
            MouseEventKind::Down(MouseButton::Left) => self.dragged = Some(place),
            MouseEventKind::Up(MouseButton::Left) => {
                if let Some(from) = self.dragged.take() {
                    self.released(from, place);
                }
            }
            _ => {}
        }
    }

    fn released(&mut self, from: (u16, u16), to: (u16, u16)) {
        let legal = self.game.legal();
        if let Some(listed) = self.list.at(to, legal, self.typed.as_deref()).filter(|_| from == to) {
            return self.play(&listed);
        }
        let Some(placed) = self.placed else { return };
        let Some(cell) = placed.cell_at(from.0, from.1) else { return };
        let end = placed.cell_nearest(to.0, to.1);
        if cell != end {
            if let Some(written) = self.game.drag(cell, end) {
                self.play(&written);
            }
            return;
        }
        match self.game.click(cell, self.selected) {
            ClickAction::Play(written) => self.play(&written),
            ClickAction::Select(key) => self.selected = Some(key),
            ClickAction::Nothing => self.selected = None,
        }
    }
}
