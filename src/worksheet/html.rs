//! A page to print: the exercises, and on pages of their own the answers. It has no script and loads nothing.

use super::{Board, Exercise, SheetFormat, Worksheet};
use crate::diagnostic::escape;
use crate::output_format::OutputFormat;
use crate::render::{Theme, element};
use std::fmt::Write as _;

/// The format HTML.
pub(super) const HTML: SheetFormat = OutputFormat { name: "html", summary: "a page to print", writer: write };

const SHEET: &str = include_str!("page.css");

fn write(sheet: &Worksheet) -> String {
    let (title, colours) = (escape(&sheet.title), Theme::Light.sheet());
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; form-action 'none'; \
         style-src 'unsafe-inline'\">\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{SHEET}{colours}\n</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p class=\"name\">Name</p>\n"
    );
    for (number, exercise) in (1..).zip(&sheet.exercises) {
        section(&mut page, number, exercise);
    }
    page += "<section id=\"answers\">\n<h1>Answers</h1>\n";
    for (number, exercise) in (1..).zip(&sheet.exercises) {
        let _ = writeln!(page, "<h2>{number}. {}</h2>", escape(&exercise.title));
        for paragraph in &exercise.task.answer {
            let _ = writeln!(page, "<p class=\"answer\">{}</p>", escape(paragraph));
        }
    }
    page += "</section>\n</body>\n</html>\n";
    page
}

/// Writes an exercise with room for its answer.
fn section(page: &mut String, number: usize, Exercise { title, task, .. }: &Exercise) {
    let _ = writeln!(page, "<section>\n<h2>{number}. {}</h2>\n<p>{}</p>", escape(title), escape(&task.question));
    *page += "<div class=\"boards\">\n";
    for (board, Board { caption, text, picture }) in task.boards.iter().enumerate() {
        let caption = escape(caption);
        let drawing = match picture {
            Some(picture) => element(picture, Theme::Light, &format!("e{number}b{board}-"), &caption),
            None => format!("<pre>{}</pre>", escape(text)),
        };
        let _ = writeln!(page, "<figure>\n<figcaption>{caption}</figcaption>\n{drawing}</figure>");
    }
    *page += "</div>\n";
    for condition in &task.conditions {
        let _ = writeln!(page, "<p>Goal: {}</p>", escape(condition));
    }
    *page += &"<p class=\"line\"></p>\n".repeat(task.room);
    *page += "</section>\n";
}
