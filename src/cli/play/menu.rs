//! The list of levels: titles, sizes, optima, stars and best solutions, with the level that is chosen.
//!
//! A list may be long, and reading a level may take long. So only the levels on the screen are read, for their sizes,
//! while nothing else happens; titles and records need no reading.

use super::app::LevelPlace;
use super::clock;
use super::records::{Contents, Record, Records, stars};
use crate::diagnostic::printable;
use crate::play::number;
use crate::plot::text::{Keep, counted, fit};
use crate::puzzle::Source;
use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;
use std::path::Path;
use unicode_width::UnicodeWidthStr;

/// The columns of the screen from which on the list has more than titles.
const ROOMY: usize = 48;

/// A level of the list.
pub(super) struct Entry {
    pub source: Source,
    /// The title, or the name of the file.
    title: String,
    /// The folder below that of the list; empty for its own files.
    folder: String,
    /// The key in the records; `None` for a file that cannot be read.
    pub key: Option<String>,
    /// The least cost that the file claims.
    claimed: Option<f64>,
    /// The size and the optimum, once the level was read.
    pub facts: Option<Facts>,
    pub record: Record,
}

/// The facts that are in the list once a level was read; empty if it cannot be read.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    pub size: String,
    /// The least cost that the file or its stored transcript has, or `unsolvable`.
    pub optimum: String,
}

/// The list of levels.
pub(super) struct Menu {
    title: String,
    /// The identity of the collection in the records.
    pub collection: String,
    pub entries: Vec<Entry>,
    pub chosen: usize,
    /// The first visible level.
    first: usize,
    /// The place where the levels were last drawn.
    area: Rect,
    pub message: String,
}

/// A line of the list.
#[derive(Clone, Copy)]
enum Row<'a> {
    /// The name of the folder of the levels that follow.
    Folder(&'a str),
    /// The level with this index.
    Level(usize),
}

/// The action that a key or a click in the list of levels asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    Stay,
    Open,
    Leave,
}

impl Entry {
    /// Returns the entry of a level with its record. `root` is the folder of the list.
    fn new(source: Source, root: &Path, records: &Contents) -> Entry {
        let (key, record) = records.level(&source);
        // The title of a level is known without its text, and it claims nothing.
        let text = if source.title().is_some() { None } else { source.text().ok() };
        let keys = text.and_then(|text| text.parse::<toml::Table>().ok()).unwrap_or_default();
        let title = keys.get("title").and_then(toml::Value::as_str).map(str::to_owned).or_else(|| source.title());
        let claimed = keys.get("expect").and_then(|expect| expect.get("cost"));
        let claimed = claimed.and_then(|cost| cost.as_float().or(cost.as_integer().map(|cost| cost as f64)));
        let folder = source.path().parent().and_then(|folder| folder.strip_prefix(root).ok());
        let folder = folder.map(|folder| folder.display().to_string()).unwrap_or_default();
        let title = title.unwrap_or_else(|| source.name().to_owned());
        Entry { title, folder, key, claimed, facts: None, record, source }
    }

    /// Returns the number of stars of the best solution.
    pub fn stars(&self) -> usize {
        self.record.best.map_or(0, |best| stars(best.cost, self.claimed.or(self.record.least)))
    }

    /// Returns the size, as far as it is known.
    fn size(&self) -> String {
        self.facts.as_ref().map_or_else(String::new, |facts| facts.size.clone())
    }

    /// Returns the least cost that is known, or that there is no solution.
    fn optimum(&self) -> String {
        let known = self.facts.as_ref().map(|facts| &*facts.optimum).filter(|optimum| !optimum.is_empty());
        match (known, self.claimed.or(self.record.least)) {
            (Some(known), _) if known.parse::<f64>().is_err() => known.to_owned(),
            (Some(known), _) => format!("optimum {known}"),
            (None, Some(cost)) => format!("optimum {}", number(cost)),
            (None, None) => String::new(),
        }
    }

    /// Describes the best solution, or where the game was left.
    fn score(&self) -> String {
        let Record { best, solved, moves, .. } = &self.record;
        match best {
            Some(best) => {
                let cost = if (best.cost - best.moves as f64).abs() < 1e-9 {
                    String::new()
                } else {
                    format!(", cost {}", number(best.cost))
                };
                format!("{}{cost}, {}", counted(best.moves as u64, "move"), clock::written(best.seconds))
            }
            None if *solved => "solved with hints".to_owned(),
            None if !moves.is_empty() => format!("left after {}", counted(moves.len() as u64, "move")),
            None => String::new(),
        }
    }

    /// Returns the mark before the title: the stars, or another sign that the level was solved or begun.
    fn mark(&self) -> &'static str {
        match (self.stars(), self.record.solved, self.record.moves.is_empty()) {
            (3, ..) => "★★★",
            (2, ..) => "★★☆",
            (1, ..) => "★☆☆",
            (_, true, _) => " ✓ ",
            (_, _, false) => " … ",
            _ => " · ",
        }
    }
}

impl Menu {
    /// Returns the list of these levels, where the last one that was played is chosen.
    pub fn new(title: String, collection: String, sources: Vec<Source>, records: &Records) -> Menu {
        let known = records.contents();
        let last = known.last(&collection);
        let root = Path::new(&title);
        let entries: Vec<Entry> = sources.into_iter().map(|source| Entry::new(source, root, &known)).collect();
        let chosen = entries.iter().position(|entry| last.is_some() && entry.key.as_ref() == last).unwrap_or(0);
        let message = if last.is_some() { "Enter goes on where you stopped" } else { "Enter plays the chosen level" };
        Menu { title, collection, entries, chosen, first: 0, area: Rect::default(), message: message.to_owned() }
    }

    /// Returns the place of the chosen level.
    pub fn place(&self) -> LevelPlace {
        LevelPlace { index: self.chosen, count: self.entries.len() }
    }

    /// Returns the chosen level.
    pub fn entry(&self) -> Option<&Entry> {
        self.entries.get(self.chosen)
    }

    pub fn key(&mut self, code: KeyCode) -> Choice {
        let page = usize::from(self.area.height.max(2)) - 1;
        let last = self.entries.len().saturating_sub(1);
        self.chosen = match code {
            KeyCode::Up | KeyCode::Char('k') => self.chosen.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => self.chosen + 1,
            KeyCode::PageUp => self.chosen.saturating_sub(page),
            KeyCode::PageDown | KeyCode::Char(' ') => self.chosen + page,
            KeyCode::Home => 0,
            KeyCode::End => last,
            KeyCode::Tab | KeyCode::Char('u') => self.next_unsolved(),
            KeyCode::Enter | KeyCode::Right => return Choice::Open,
            KeyCode::Esc | KeyCode::Char('q') => return Choice::Leave,
            _ => self.chosen,
        }
        .min(last);
        Choice::Stay
    }

    /// Returns the next level on the screen that is to be read for its facts.
    pub fn unread(&self) -> Option<usize> {
        let levels = self.rows().into_iter().skip(self.first).take(self.area.height.into());
        let mut levels = levels.filter_map(|row| if let Row::Level(index) = row { Some(index) } else { None });
        levels.find(|&index| self.entries[index].facts.is_none())
    }

    /// Returns the lines of the list: the levels, each folder of them below its name if there are several.
    fn rows(&self) -> Vec<Row<'_>> {
        let are_grouped = self.entries.windows(2).any(|pair| pair[0].folder != pair[1].folder);
        let mut rows = Vec::new();
        for (index, entry) in self.entries.iter().enumerate() {
            let is_first = index == 0 || self.entries[index - 1].folder != entry.folder;
            if are_grouped && is_first {
                rows.push(Row::Folder(&entry.folder));
            }
            rows.push(Row::Level(index));
        }
        rows
    }

    /// Returns the next level after the chosen one that is not solved.
    fn next_unsolved(&self) -> usize {
        let count = self.entries.len();
        let mut after = (1..=count).map(|after| (self.chosen + after) % count);
        after.find(|&next| !self.entries[next].record.solved).unwrap_or(self.chosen)
    }

    pub fn mouse(&mut self, mouse: MouseEvent) -> Choice {
        match mouse.kind {
            MouseEventKind::ScrollDown => self.key(KeyCode::Down),
            MouseEventKind::ScrollUp => self.key(KeyCode::Up),
            MouseEventKind::Up(MouseButton::Left) if self.area.contains((mouse.column, mouse.row).into()) => {
                let at = self.first + usize::from(mouse.row - self.area.y);
                let Some(&Row::Level(index)) = self.rows().get(at) else { return Choice::Stay };
                self.chosen = index;
                Choice::Open
            }
            _ => Choice::Stay,
        }
    }

    /// Returns the columns behind the titles of some lines: sizes, optima and scores, each as wide as its widest line.
    fn columns<'a>(&self, rows: impl Iterator<Item = &'a Row<'a>>) -> Vec<Vec<String>> {
        let cells = |row: &Row| -> [String; 3] {
            match row {
                Row::Folder(_) => Default::default(),
                Row::Level(index) => {
                    let entry = &self.entries[*index];
                    [entry.size(), entry.optimum(), entry.score()]
                }
            }
        };
        let cells: Vec<[String; 3]> = rows.map(cells).collect();
        let column = |column: usize| {
            let width = cells.iter().map(|cells| cells[column].width()).max().unwrap_or(0);
            let padded = |cell: &str| format!("{}{cell}", " ".repeat(width - cell.width()));
            (width > 0).then(|| cells.iter().map(|cells| padded(&cells[column])).collect())
        };
        (0..3).filter_map(column).collect()
    }

    pub fn draw(&mut self, frame: &mut Frame) {
        let area = frame.area();
        if area.is_empty() {
            return;
        }
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let solved = self.entries.iter().filter(|entry| entry.record.solved).count();
        let stars: usize = self.entries.iter().map(Entry::stars).sum();
        let count = self.entries.len();
        let title = Line::styled(printable(&self.title), bold);
        let sum = Line::from(format!("{solved} of {count} solved, {stars} of {} stars", 3 * count));
        // A small screen keeps the levels.
        let (above, below) = if area.height >= 8 { (3, 3) } else { (0, u16::from(area.height > 1)) };
        if above > 0 {
            frame.render_widget(Paragraph::new(vec![title, sum]), Rect { height: 2, ..area });
        }
        let levels = Rect { y: area.y + above, height: area.height - above - below, ..area };
        self.area = levels;
        let rows = self.rows();
        let shown = usize::from(levels.height.max(1));
        let chosen = rows.iter().position(|row| matches!(row, Row::Level(index) if *index == self.chosen)).unwrap_or(0);
        // The name of the folder stays above its first level.
        let top =
            chosen.saturating_sub(usize::from(shown > 1 && chosen > 0 && matches!(rows[chosen - 1], Row::Folder(_))));
        let first = self.first.clamp((chosen + 1).saturating_sub(shown), top);
        let width = usize::from(area.width);
        let digits = count.to_string().len();
        let is_roomy = width >= ROOMY;
        let visible = rows.iter().skip(first).take(shown);
        let columns = if is_roomy { self.columns(visible.clone()) } else { Vec::new() };
        for (line, row) in visible.enumerate() {
            let at = levels.y + line as u16;
            let index = match *row {
                Row::Level(index) => index,
                Row::Folder(folder) => {
                    let folder = if folder.is_empty() { "." } else { folder };
                    frame.buffer_mut().set_stringn(levels.x, at, printable(folder), width, bold);
                    continue;
                }
            };
            let entry = &self.entries[index];
            let head = format!("{} {:>digits$}. ", entry.mark(), index + 1);
            let more: String = columns.iter().map(|column| format!("  {}", column[line])).collect();
            let room = width.saturating_sub(head.chars().count() + more.width());
            let title = fit(&printable(&entry.title), room, Keep::Start);
            let gap = " ".repeat(room.saturating_sub(title.width()));
            let text = format!("{head}{title}{gap}{more}");
            let style = if index == self.chosen { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
            frame.buffer_mut().set_stringn(levels.x, at, text, width, style);
        }
        self.first = first;
        let score = self.entry().map(Entry::score).filter(|score| !is_roomy && !score.is_empty());
        let keys =
            if !is_roomy { "Enter play  q quit" } else { "Enter play  ↑ ↓ choose  Tab next unsolved  q quit" };
        let said = Line::from(score.unwrap_or_else(|| printable(&self.message)));
        let lines = if below >= 3 { vec![Line::default(), said, Line::from(keys)] } else { vec![said] };
        let below = Rect { y: levels.bottom(), height: below, ..area };
        frame.render_widget(Paragraph::new(lines), below);
    }
}
