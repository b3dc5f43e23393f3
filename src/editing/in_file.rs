//! The drawing of a canvas in the file that its puzzle is from. For a level of a collection, this is the text of the
//! collection: the cells that the canvas has changed are changed in a [`Sketch`] of it, and all else stays.

use super::canvas::{Canvas, Place};
use super::frame::around;
use super::sketch::{Sketch, level_symbol};
use crate::diagnostic::{Diagnostic, Report};
use crate::puzzle::{Loading, Source, collection_of, format_in};

/// Returns the text of the whole file with the drawing of a canvas. `source` is where its puzzle is from. A collection is
/// read again, and the level has that drawing.
///
/// # Errors
/// The collection cannot have such a level.
pub fn text_in_file(canvas: &Canvas, source: &Source, loading: &Loading) -> Result<String, Report> {
    let (Some(number), Some(text)) = (source.number(), source.collection()) else { return Ok(canvas.text()) };
    let lacks = |help: &str| {
        let error = Diagnostic::whole("the collection cannot have such a level in its own form");
        Report::new(source.name(), "", vec![error.help(help)])
    };
    let other_form = || lacks("convert the level to a puzzle file by `engine import`");
    let sketch = Sketch::of(text, Some(canvas.puzzle()), Some((number, Some(source))), &[]);
    let written = |mut sketch: Sketch| sketch.write(&changes(canvas, &sketch)?).then(|| sketch.text());
    let text = sketch.ok().and_then(written).ok_or_else(other_form)?;
    // What came from standard input has no name that would give its format.
    let format = format_in(source.path(), Some(&text)).or_else(|| collection_of(&text));
    let sources = format.map(|format| loading.levels(format, source.path(), text.as_str(), None)).transpose()?;
    let again = sources.as_ref().and_then(|sources| sources.get(number - 1));
    let again = loading.load_source(again.ok_or_else(|| lacks("it is read as another number of levels"))?)?;
    if Canvas::of(&again)?.drawn() == canvas.drawn() { Ok(text) } else { Err(other_form()) }
}

/// Returns the cells of a level that differ from those of a canvas, and what they have then. Floor out of reach is wall in a
/// puzzle; it becomes one in the level, too, where it is beside new floor. `None` if the level cannot write a cell.
fn changes(canvas: &Canvas, sketch: &Sketch) -> Option<Vec<(usize, String)>> {
    let before = Canvas::of(canvas.puzzle()).ok()?;
    let (rows, columns) = (canvas.rows(), canvas.columns());
    let sheets = || 0..canvas.cells().len();
    let symbol = |cell: usize| {
        level_symbol(&sheets().map(|sheet| &*canvas.symbol(canvas.at(Place { sheet, cell })).text).collect::<Vec<_>>())
    };
    let is_new = |cell: usize| sheets().any(|sheet| canvas.cells()[sheet][cell] != before.cells()[sheet][cell]);
    let wanted: Vec<String> = (0..rows * columns).map(symbol).collect::<Option<_>>()?;
    let is_opened = |cell: usize| is_new(cell) && wanted[cell] != "#";
    let is_changed =
        |cell: usize| is_new(cell) || (wanted[cell] == "#" && around(cell, (rows, columns)).any(is_opened));
    let place = |cell: usize| {
        let is_inside = cell / columns < sketch.rows() && cell % columns < sketch.columns();
        is_inside.then(|| (cell / columns * sketch.columns() + cell % columns, wanted[cell].clone()))
    };
    (0..rows * columns).filter(|cell| is_changed(*cell)).map(place).collect()
}
