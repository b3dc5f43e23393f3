//! The chart of a page: g, h and f along the solution, on one scale.

use super::film::{Film, Frame};
use super::outline::number;
use crate::diagnostic::escape;
use crate::transcript::Number;

/// The greatest number of points of a line.
const MAX_POINTS: usize = 600;
/// The width, and the heights of the least and of the greatest value, in units.
const WIDTH: f64 = 600.0;
const BOTTOM: f64 = 96.0;
const HEIGHT: f64 = 90.0;

/// Returns the chart with its heading, for a page. It stretches to the width of the page.
pub(super) fn along(film: &Film, heuristic: &str) -> String {
    let every = film.frames.len().div_ceil(MAX_POINTS).max(1);
    let last = film.moves().max(1) as f64;
    let f = |frame: &Frame| frame.g + frame.h;
    // A dead end has an infinite h.
    let finite = film.frames.iter().map(f).filter(|f| f.is_finite());
    let greatest = finite.chain(film.frames.iter().map(|frame| frame.g)).fold(0.0, f64::max);
    let line = |class: &str, value: &dyn Fn(&Frame) -> f64| {
        let shown = (0..film.frames.len()).filter(|at| at % every == 0 || *at == film.moves());
        let points = shown.map(|at| {
            let share = value(&film.frames[at]).min(greatest) / greatest.max(f64::MIN_POSITIVE);
            format!("{} {}", number(at as f64 / last * WIDTH), number(BOTTOM - share * HEIGHT))
        });
        let points = points.collect::<Vec<_>>().join("L");
        format!("<path class=\"{class}\" d=\"M{points}\"/>")
    };
    let lines = line("f", &f) + &line("g", &|frame| frame.g) + &line("h", &|frame| frame.h);
    let is_blind = film.frames.iter().all(|frame| frame.h == 0.0);
    let about_h = format!(" ({}{})", escape(heuristic), if is_blind { ", 0 throughout" } else { "" });
    format!(
        "<h2><span class=\"g\">g</span>, <span class=\"h\">h</span>{about_h} and <span class=\"f\">f</span> along the \
         solution, from 0 to {}</h2>\n\
         <svg id=\"chart\" viewBox=\"0 0 600 100\" preserveAspectRatio=\"none\" role=\"img\" \
         aria-label=\"g, h and f along the solution\">{lines}<line id=\"cursor\" x1=\"0\" x2=\"0\" y1=\"0\" \
         y2=\"100\"/></svg>\n",
        Number(greatest),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Options, Puzzle};

    fn chart(file: &str, heuristic: &'static str) -> String {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("puzzles").join(file);
        let puzzle = Puzzle::load(&file).unwrap_or_else(|report| panic!("{report}"));
        let solution = puzzle.solve(&Options::default()).expect("the puzzle can be solved");
        let space = puzzle.space(heuristic).expect("the domain has the heuristic");
        let film = Film::new(space, &solution.moves(), puzzle.domain().notations).expect("the moves are legal");
        along(&film, heuristic)
    }

    fn ends<'a>(chart: &'a str, class: &str) -> (&'a str, &'a str) {
        let path = chart.split(&format!("<path class=\"{class}\" d=\"M")).nth(1).expect("a line");
        let path = path.split('"').next().expect("its points");
        (path.split('L').next().expect("a point"), path.rsplit('L').next().expect("a point"))
    }

    #[test]
    fn all_lines_have_one_scale() {
        let drawn = chart("eight-puzzle/20-moves.toml", "manhattan");
        assert!(drawn.contains("</span> (manhattan) and"), "{drawn}");
        assert_eq!(ends(&drawn, "g"), ("0 96", "600 6"), "g grows from 0 to the cost, the greatest value");
        assert_eq!(ends(&drawn, "f").1, "600 6", "in the end, f is g");
        assert_eq!(ends(&drawn, "f").0, ends(&drawn, "h").0, "at the start, f is h");
        assert_eq!(ends(&drawn, "h").1, "600 96", "in the end, h is 0");
    }

    #[test]
    fn an_h_of_zero_is_reported() {
        let drawn = chart("eight-puzzle/05-moves.toml", "zero");
        assert!(drawn.contains("0 throughout"), "{drawn}");
        assert_eq!(ends(&drawn, "h"), ("0 96", "600 96"));
    }
}
