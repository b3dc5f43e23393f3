//! The XML format of Sokoban levels, `.slc`: `SokobanLevels` with a `LevelCollection` of `Level`s, whose rows are `L`.

use super::super::diagnostic::Diagnostic;
use super::super::domain::BuildContext;
use super::board::{Cell, MAX_CELLS};
use super::{Draft, Drafts, Rows};
use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use std::ops::Range;

/// Returns whether a text is likely to be of this format.
pub(super) fn recognizes(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    text.starts_with('<') && text.contains("<SokobanLevels")
}

/// Reads all levels, without their rows.
///
/// # Errors
/// The text is no well-formed XML.
pub(super) fn read(text: &str, context: &BuildContext) -> Result<Drafts, Diagnostic> {
    scan(text, &(0..text.len()), None, context)
}

/// Returns the rows of the level whose element is at these bytes.
pub(super) fn rows(text: &str, span: &Range<usize>) -> Rows {
    let mut rows = Vec::new();
    // An element that another level cuts short is not closed; its rows are read all the same.
    let _ = scan(text, span, Some(&mut rows), &BuildContext::default());
    Ok(rows)
}

/// Reads the levels in these bytes of a text, and adds their rows.
fn scan(
    text: &str,
    within: &Range<usize>,
    mut rows: Option<&mut Vec<Vec<Cell>>>,
    context: &BuildContext,
) -> Result<Drafts, Diagnostic> {
    let mut reader = Reader::from_str(&text[within.clone()]);
    let config = reader.config_mut();
    (config.expand_empty_elements, config.check_comments) = (true, true);
    let mut drafts = Drafts::default();
    // The names of the open elements.
    let mut open: Vec<String> = Vec::new();
    let mut row: Vec<Cell> = Vec::new();
    let mut words = String::new();
    loop {
        if context.should_stop() {
            return Ok(drafts);
        }
        let start = within.start + reader.buffer_position() as usize;
        let event = reader.read_event().map_err(|error| {
            let at = (within.start + reader.error_position() as usize).min(within.end);
            Diagnostic::at(at..at, format!("the XML cannot be read: {error}"))
        })?;
        let span = start..within.start + reader.buffer_position() as usize;
        let has_rows = rows.is_some();
        let add = |piece: &str, row: &mut Vec<Cell>, words: &mut String| {
            let is_exact = piece.len() == span.len();
            let place =
                |at: usize, c: char| if is_exact { start + at..start + at + c.len_utf8() } else { span.clone() };
            if has_rows && row.len() + piece.len() <= MAX_CELLS {
                row.extend(piece.char_indices().map(|(at, c)| (c, place(at, c))));
            }
            words.push_str(piece);
        };
        match event {
            Event::Start(element) => {
                let name = element.local_name().as_ref().to_owned();
                match name.as_str() {
                    "LevelCollection" => drafts.author = drafts.author.or(attribute(&element, "Copyright")),
                    "Level" => drafts.levels.push(Draft {
                        span: span.clone(),
                        title: attribute(&element, "Id"),
                        author: attribute(&element, "Copyright"),
                        comment: None,
                    }),
                    _ => {}
                }
                row.clear();
                words.clear();
                open.push(name);
            }
            Event::Text(piece) => add(&piece, &mut row, &mut words),
            Event::CData(piece) => add(&piece, &mut row, &mut words),
            Event::GeneralRef(entity) => {
                let character = entity.resolve_char_ref().ok().flatten().map(String::from);
                let resolved = character.or_else(|| resolve_predefined_entity(&entity).map(str::to_owned));
                add(&resolved.unwrap_or_default(), &mut row, &mut words);
            }
            Event::End(_) => {
                let name = open.pop().unwrap_or_default();
                let parent = open.last().map_or("", String::as_str);
                match (name.as_str(), parent) {
                    ("Title", "SokobanLevels") => drafts.title = Some(words.trim().to_owned()),
                    ("L", "Level") => {
                        if let Some(rows) = rows.as_deref_mut().filter(|rows| rows.len() < MAX_CELLS) {
                            rows.push(std::mem::take(&mut row));
                        }
                    }
                    ("Level", _) => finish(drafts.levels.last_mut(), span),
                    _ => {}
                }
                words.clear();
            }
            Event::Eof => match open.pop() {
                None => return Ok(drafts),
                Some(name) => {
                    let message = format!("the XML cannot be read: `<{name}>` is never closed");
                    return Err(Diagnostic::at(text.len()..text.len(), message));
                }
            },
            _ => {}
        }
    }
}

/// Extends the bytes of a level to its end.
fn finish(level: Option<&mut Draft>, end: Range<usize>) {
    if let Some(level) = level {
        level.span.end = end.end;
    }
}

fn attribute(element: &BytesStart, name: &str) -> Option<String> {
    let attribute = element.try_get_attribute(name).ok().flatten()?;
    Some(attribute.normalized_value(XmlVersion::Implicit1_0).ok()?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<!-- small -->\n<SokobanLevels>\n\
        <Title>Boxes &amp; walls</Title>\n<LevelCollection Copyright=\"Ann &lt;a@b&gt;\" MaxWidth=\"5\">\n\
        <Level Id=\"One\" Width=\"5\"><L>#####</L><L>#@$.#</L><L>#####</L></Level>\n\
        <Level Copyright=\"Bob\"><L>  ###</L><L>###&#32;#</L><L/></Level>\n</LevelCollection></SokobanLevels>\n";

    #[test]
    fn levels_have_titles_authors_and_rows() {
        assert!(recognizes(FILE));
        let drafts = read(FILE, &BuildContext::default()).expect("the XML is well-formed");
        assert_eq!((drafts.title.as_deref(), drafts.author.as_deref()), (Some("Boxes & walls"), Some("Ann <a@b>")));
        let [one, two] = &drafts.levels[..] else { panic!("{} levels", drafts.levels.len()) };
        assert_eq!((one.title.as_deref(), one.author.as_deref()), (Some("One"), None));
        assert_eq!((two.title.as_deref(), two.author.as_deref()), (None, Some("Bob")));
        let rows = |draft: &Draft| -> Vec<String> {
            let rows = super::rows(FILE, &draft.span).expect("rows");
            rows.iter().map(|row| row.iter().map(|(symbol, _)| symbol).collect()).collect()
        };
        assert_eq!(rows(one), ["#####", "#@$.#", "#####"]);
        assert_eq!(rows(two), ["  ###", "### #", ""]);
        let (symbol, span) = &super::rows(FILE, &one.span).expect("rows")[1][1];
        assert_eq!((*symbol, &FILE[span.clone()]), ('@', "@"));
        assert!(FILE[one.span.clone()].starts_with("<Level Id") && FILE[one.span.clone()].ends_with("</Level>"));
    }

    #[test]
    fn broken_xml_has_a_place() {
        let error =
            |text: &str| read(text, &BuildContext::default()).map(|drafts| drafts.levels.len()).expect_err(text);
        let wrong = error("<SokobanLevels>\n<Level></L>\n</SokobanLevels>");
        assert!(wrong.message.starts_with("the XML cannot be read: ") && wrong.span.is_some(), "{wrong:?}");
        let open = error("<SokobanLevels><Level>");
        assert_eq!(open.message, "the XML cannot be read: `<Level>` is never closed");
        // Entities are not expanded, so they cannot grow.
        let bomb =
            "<!DOCTYPE x [<!ENTITY a \"##########\">]><SokobanLevels><Level><L>&a;&a;</L></Level></SokobanLevels>";
        let level = &read(bomb, &BuildContext::default()).expect("well-formed").levels[0];
        assert_eq!(super::rows(bomb, &level.span), Ok(vec![vec![]]));
    }
}
