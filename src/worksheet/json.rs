//! JSON: one object an exercise, each on a line of its own.

use super::{SheetFormat, Worksheet};
use crate::output_format::OutputFormat;
use serde_json::json;

/// The format JSON.
pub(super) const JSON: SheetFormat =
    OutputFormat { name: "json", summary: "one JSON object per exercise, one per line", writer: write };

fn write(sheet: &Worksheet) -> String {
    let object = |exercise: &super::Exercise| {
        let task = &exercise.task;
        let boards = task.boards.iter().map(|board| json!({"caption": board.caption, "drawing": board.text}));
        json!({
            "file": exercise.file,
            "title": exercise.title,
            "exercise": exercise.kind,
            "question": task.question,
            "boards": boards.collect::<Vec<_>>(),
            "conditions": task.conditions,
            "answer": task.answer,
        })
    };
    sheet.exercises.iter().map(|exercise| format!("{}\n", object(exercise))).collect()
}
