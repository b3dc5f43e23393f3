//! The mouse: clicks and drags on the board, clicks on the list of moves.

use super::app::{App, Over};
use crate::play::ClickAction;
use ratatui::crossterm::event::{KeyCode, MouseButton, MouseEvent, MouseEventKind};

impl App {
    pub fn mouse(&mut self, mouse: MouseEvent) {
        let place = (mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::ScrollDown => self.choose(KeyCode::Down),
            MouseEventKind::ScrollUp => self.choose(KeyCode::Up),
            MouseEventKind::Down(MouseButton::Left) if self.watch.take().is_some() => {}
            MouseEventKind::Down(MouseButton::Left) if self.over != Over::Nothing => self.over = Over::Nothing,
            MouseEventKind::Down(MouseButton::Left) => self.dragged = Some(place),
            MouseEventKind::Up(MouseButton::Left) => {
                if let Some(from) = self.dragged.take() {
                    self.released(from, place);
                }
            }
            MouseEventKind::Down(MouseButton::Right) if self.watch.take().is_none() => self.undo(),
            _ => {}
        }
    }

    fn released(&mut self, from: (u16, u16), to: (u16, u16)) {
        if let Some(at) = self.list.at(to).filter(|_| from == to) {
            return match self.listed().get(at) {
                Some(listed) => self.play(listed),
                None => self.offered = None,
            };
        }
        let Some(placed) = self.placed else { return };
        let Some(cell) = placed.cell_at(from.0, from.1) else { return };
        let end = placed.cell_nearest(to.0, to.1);
        if cell == end {
            self.offered = None;
            self.cursor = self.cursor.map(|_| cell);
            return self.act(self.game.click(cell, self.selected));
        }
        match self.game.drag(cell, end) {
            ClickAction::Nothing => {}
            action => self.act(action),
        }
    }
}
