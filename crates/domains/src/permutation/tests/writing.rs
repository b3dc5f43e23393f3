//! The notation of moves, words and layouts.

use super::super::layout::DrawingLayout;
use super::super::setup::{Metric, Setup};
use super::super::{view, word};
use super::{POCKET_CUBE, setup};
use crate::document::Spanned;
use crate::domain::Style;

fn text(text: &str) -> Spanned<String> {
    Spanned::new(0..0, text.to_owned())
}

#[test]
fn moves_have_the_usual_notation() {
    let generators = [("R", "(1 2 3 4)"), ("r", "(1 2)"), ("Turn", "(1 2 3)"), ("L", "(1 2 3 4 5 6)")];
    let notation = |metric| {
        let puzzle = setup("abcdef", metric, &generators);
        puzzle.moves().map(|power| puzzle.written(power)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(notation(Metric::Power), "R R2 R' r Turn Turn' L L2 L3 L4 L'");
    assert_eq!(notation(Metric::Generator), "R R' r Turn Turn' L L'");
}

#[test]
fn words_need_no_spaces_and_the_longest_name_matches() {
    let puzzle = setup("abcdef", Metric::Power, &[("R", "(1 2 3 4)"), ("Rw", "(1 2 3 4 5 6)"), ("w", "(5 6)")]);
    let read = |word: &str| word::read(&text(word), &puzzle.generators, "").expect("the text is valid");
    assert_eq!(read("R Rw2 R' w"), [(0, 1), (1, 2), (0, 3), (2, 1)]);
    assert_eq!(read("RRw2R'w"), read("R Rw2 R' w"));
    assert_eq!(read("R3 Rw5 R2'"), read("R' Rw' R2"));
    assert!(read("").is_empty() && read(" \n ").is_empty());
}

#[test]
fn a_label_in_the_first_place_of_a_cycle_moves_to_the_second() {
    let puzzle = setup("abc", Metric::Power, &[("T", "(1 2 3)")]);
    let turn = puzzle.moves().next().expect("it has two moves");
    assert_eq!(Setup::moved(&puzzle.solved, &puzzle.image(turn)), [2, 0, 1], "c a b");
}

#[test]
fn layouts_have_gaps_and_columns_as_wide_as_labels() {
    let mut puzzle = setup("WWWWOOGGRRBBOOGGRRBBYYYY", Metric::Power, POCKET_CUBE);
    let net = "\n         1  2\n         3  4\n  5  6   7  8   9 10  11 12\n 13 14  15 16  17 18  19 20\n        21 22\n        23 24\n";
    puzzle.layout = Some(DrawingLayout::read(&text(net), 24, "").expect("the text is valid"));
    let drawn = "     W W\n     W W\nO O  G G  R R  B B\nO O  G G  R R  B B\n     Y Y\n     Y Y\n";
    assert_eq!(view::draw(&puzzle, &puzzle.solved, Style::Drawn), drawn);
    assert_eq!(view::draw(&puzzle, &puzzle.solved, Style::Plain), "WWWWOOGGRRBBOOGGRRBBYYYY\n");
    // Dots are gaps, and places may be missing.
    let layout = DrawingLayout::read(&text("1 . 3\r\n. 2 .\r\n"), 5, "").expect("the text is valid");
    assert_eq!(layout.draw(|place| format!("{}", 9 + place)), " 9    11\n   10\n");
}
