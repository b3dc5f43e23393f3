//! The outline of a text: its keys and tables, the sections of a game, the levels of a collection.

use super::items::{ItemKind, Items};
use super::parts::OutlineEntry;
use super::{Analysis, TextKind, games};

/// Returns the outline of a text.
#[must_use]
pub fn outline(analysis: &Analysis) -> Vec<OutlineEntry> {
    match analysis.kind {
        TextKind::Puzzle | TextKind::Other => of_puzzle(&analysis.text),
        TextKind::Game => games::outline(&analysis.text),
        TextKind::Levels => {
            let entry = |level: &super::LevelPlace| {
                let title = level.title.clone().unwrap_or_else(|| "level".to_owned());
                OutlineEntry::new(title, true, level.span.clone())
            };
            analysis.levels.iter().map(entry).collect()
        }
    }
}

fn of_puzzle(text: &str) -> Vec<OutlineEntry> {
    let items = Items::of(text);
    let mut entries: Vec<OutlineEntry> = Vec::new();
    let mut table = 0;
    for item in items.all() {
        let name = item.path.join(".");
        match item.kind {
            ItemKind::Header if item.table > table => {
                table = item.table;
                entries.push(OutlineEntry::new(name, true, item.span.clone()));
            }
            ItemKind::Header => {
                let Some(header) = entries.last_mut() else { continue };
                (header.name, header.span.end) = (name, item.span.end);
            }
            ItemKind::Key if table == 0 && item.path.len() == 1 => {
                entries.push(OutlineEntry::new(name, false, item.span.clone()));
            }
            ItemKind::Value => {
                let Some(entry) = entries.last_mut() else { continue };
                entry.whole.end = entry.whole.end.max(item.span.end);
                let is_name = entry.is_table && item.path.last().is_some_and(|key| key == "name");
                if is_name && let Some(written) = text.get(item.inner(text)) {
                    entry.name = format!("{}: {written}", entry.name);
                }
            }
            ItemKind::Key => {}
        }
    }
    entries.iter_mut().for_each(|entry| entry.whole.end = entry.whole.end.max(entry.span.end));
    entries
}
