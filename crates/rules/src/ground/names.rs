//! The names of ground rules' moves.

use crate::expression::{Term, World};
use crate::model::{Edge, From, Image, Model, MovePart, NamePart, RewritePattern, Rule, To};
use crate::task::Var;
use std::fmt::Write;

/// Returns the name of a ground rule's moves.
pub(crate) fn move_name(
    world: &World,
    rule: &Rule,
    parameters: &[Term],
    grounded: &[(Var, From, To)],
    place: Option<(&Model, &RewritePattern, &Image, usize)>,
    further: &[usize],
) -> Vec<MovePart> {
    let mut parts: Vec<MovePart> = Vec::new();
    let mut text = String::new();
    for part in &rule.name {
        match (part, place) {
            (NamePart::Text(part), _) => text += part,
            (NamePart::Parameter(number), _) => text += &world.written(&parameters[*number]),
            (NamePart::Set(set), _) => {
                let cell = grounded.iter().find(|(_, from, _)| *from == From::Set(*set));
                parts.push(MovePart::Text(std::mem::take(&mut text)));
                parts.push(cell.map_or(MovePart::Text("?".to_owned()), |&(var, ..)| MovePart::Symbol(var)));
            }
            (NamePart::Place(row, column), Some((model, drawing, image, cell))) => {
                let (down, right) = image.offset(drawing.at, (*row, drawing.column(*column)));
                let (mut row, mut column) = model.place(cell);
                (row, column) = (row + down, column + right);
                if drawing.edge == Edge::Wrap {
                    let (rows, columns) = (model.world.rows as i64, model.world.columns as i64);
                    (row, column) = (row.rem_euclid(rows), column.rem_euclid(columns));
                }
                _ = write!(text, "{row},{column}");
            }
            (NamePart::PlaceOf(number), Some((model, ..))) => {
                let (row, column) = model.place(further[*number]);
                _ = write!(text, "{row},{column}");
            }
            (NamePart::Direction, Some((_, _, image, _))) => text += image.direction,
            (NamePart::Place(..) | NamePart::PlaceOf(_) | NamePart::Direction, None) => {}
        }
    }
    parts.push(MovePart::Text(text));
    parts.retain(|part| *part != MovePart::Text(String::new()));
    parts
}
