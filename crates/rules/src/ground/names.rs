//! The names of ground rules' moves.

use crate::expression::Term;
use crate::model::{Edge, From, Image, Model, MovePart, NamePart, RewritePattern, Rule, To};
use crate::task::Var;

/// Returns the name of a ground rule's moves.
pub(super) fn move_name(
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
            (NamePart::Parameter(number), _) => text += &parameters[*number].to_string(),
            (NamePart::Set(set), _) => {
                let cell = grounded.iter().find(|(_, from, _)| *from == From::Set(*set));
                parts.push(MovePart::Text(std::mem::take(&mut text)));
                parts.push(cell.map_or(MovePart::Text("?".to_owned()), |&(var, ..)| MovePart::Symbol(var)));
            }
            (NamePart::Place(row, column), Some((model, drawing, image, cell))) => {
                let (down, right) = image.offset(drawing.at, (*row, drawing.column(*column)));
                let columns = model.world.columns as i64;
                let (mut row, mut column) = (cell as i64 / columns + down, cell as i64 % columns + right);
                if drawing.edge == Edge::Wrap {
                    (row, column) = (row.rem_euclid(model.world.rows as i64), column.rem_euclid(columns));
                }
                text += &format!("{row},{column}");
            }
            (NamePart::PlaceOf(number), Some((model, ..))) => {
                let columns = model.world.columns;
                text += &format!("{},{}", further[*number] / columns, further[*number] % columns);
            }
            (NamePart::Direction, Some((_, _, image, _))) => text += image.direction,
            (NamePart::Place(..) | NamePart::PlaceOf(_) | NamePart::Direction, None) => {}
        }
    }
    parts.push(MovePart::Text(text));
    parts.retain(|part| *part != MovePart::Text(String::new()));
    parts
}
