//! Tests of the reader.

use super::read;
use crate::game::{Command, Level, Meaning, RuleLine, Word};

const GAME: &str = "
title Small Game
noaction

OBJECTS
background .
green

Player p
blue white
.000.
.111.
11111
.111.
.1.1.

Wall #
brown

crate *
orange

target
red

LEGEND
@ = crate and target
o = target
thing = player or wall or crate

SOUNDS

COLLISIONLAYERS
background
target
thing

RULES
( a comment ( in a comment ) over
lines )
[ > Player | Crate ] -> [ > Player | > Crate ]
[ > Player | Crate ] -> [ > Player | > Crate ] message Push (hard) it

WINCONDITIONS
all target on crate

LEVELS
message Hello (there)

#####
#p*o#
#####

#p
";

#[test]
fn sections_are_read_with_their_places() {
    let reading = read(GAME);
    let game = reading.game.expect("the game plays");
    assert_eq!(game.setting("title"), Some("Small Game"));
    assert!(game.has("noaction"));
    assert_eq!(game.objects.len(), 5);
    assert_eq!(game.objects[1].sprite, [".000.", ".111.", "11111", ".111.", ".1.1."]);
    let Meaning::Any(any) = &game.legend[6].meaning else { panic!("{:?}", game.legend[6]) };
    assert_eq!(any, &["player", "wall", "crate"]);
    assert_eq!(game.layers[2].objects, ["player", "wall", "crate"]);
    assert_eq!(game.levels.len(), 3);
    let Level::Message { text, .. } = &game.levels[0] else { panic!() };
    assert_eq!(text, "Hello (there)");
    let RuleLine::Rule(rule) = game.rules.last().expect("a rule") else { panic!() };
    assert_eq!(rule.commands, [Command::Message("Push (hard) it".into())]);
    assert_eq!(rule.left[0][0][0].word, Word::Forward);
    let line = GAME.lines().position(|line| line.contains("Push")).expect("a rule") + 1;
    assert_eq!((rule.left[0][1][0].at.line as usize, rule.left[0][1][0].at.column), (line, 14));
    assert!(reading.diagnostics.all().is_empty(), "{:?}", reading.diagnostics);
}

/// Reads the game with another first rule, and returns what is reported about it.
fn reported(rule: &str) -> Vec<String> {
    let rules = "[ > Player | Crate ] -> [ > Player | > Crate ]\n[ > Player | Crate ]";
    let reading = read(&GAME.replace(rules, &format!("{rule}\n[ > Player | Crate ]")));
    reading.diagnostics.all().iter().map(ToString::to_string).collect()
}

#[test]
fn a_missing_bracket_is_reported_once_at_its_counterpart() {
    let never = "missing `]`: this `[` is never closed";
    let nothing = "missing `[`: this `]` closes nothing";
    for (rule, column, expected) in [
        ("[ > Player | Crate -> [ > Player | > Crate ]", 1, never),
        ("[ > Player | Crate ] -> [ > Player | > Crate", 25, never),
        ("[ > Player | Crate [ Wall ] -> [ > Player | > Crate ] [ Wall ]", 1, never),
        ("[ > Player | Crate ] [ Wall -> [ > Player | > Crate ] [ Wall ]", 22, never),
        ("right Player | Crate ] -> [ Player | Crate ]", 22, nothing),
        ("[ Player | Crate ] -> Player | Crate ]", 38, nothing),
    ] {
        let found = reported(rule);
        assert!(found.len() == 1 && found[0].ends_with(expected), "{rule}: {found:#?}");
        assert!(found[0].contains(&format!(":{column}: ")), "{rule}: {found:#?}");
    }
    let nested = reported("[ > Player | [ Crate ] ] -> [ > Player | > Crate ]");
    assert!(nested.iter().any(|found| found.contains("they cannot nest")), "{nested:#?}");
    let both = reported("[ > Player | Crat -> [ > Player | > Crate ]");
    let brackets = both.iter().filter(|found| !found.contains("`crat`")).count();
    assert_eq!((brackets, both.len() > 1), (1, true), "an unknown name is another mistake: {both:#?}");
    assert_eq!(
        reported("[ > Player | Crate ] -> [ > Player | > Crate ] message [ not a bracket"),
        Vec::<String>::new()
    );
}

#[test]
fn a_colour_is_drawn_without_the_opacity_that_forks_give_it() {
    let reading = read(&GAME.replace("blue white", "#11223380 #abc0").replace("orange", "#fedcba98"));
    let found: Vec<&str> = reading.diagnostics.all().iter().map(|diagnostic| &*diagnostic.message).collect();
    assert_eq!(
        found,
        ["the game is written for PuzzleScript Plus: left out are the opacity of colours such as `#11223380`, which \
          change only what is shown"]
    );
    let game = reading.game.expect("the game plays");
    assert_eq!(game.objects[1].colours, ["#112233", "transparent"]);
    assert_eq!(game.objects[3].colours, ["#fedcba"]);
    let wrong = read(&GAME.replace("blue white", "#1122334 white"));
    assert!(wrong.diagnostics.errors() > 0, "seven digits are no colour");
}

#[test]
fn mistakes_are_reported_where_they_are() {
    let reading = read(&GAME.replace("all target on crate", "all target on thong"));
    let found: Vec<String> = reading.diagnostics.all().iter().map(ToString::to_string).collect();
    assert!(found.iter().any(|text| text.contains("unknown name `thong` in a win condition")), "{found:#?}");
    let at = reading.diagnostics.all().last().and_then(|last| last.at);
    assert!(at.is_some());
}

#[test]
fn a_missing_heading_of_the_sounds_is_the_only_error() {
    let reading = read(&GAME.replace("SOUNDS\n", ""));
    let found: Vec<&str> = reading.diagnostics.all().iter().map(|diagnostic| &*diagnostic.message).collect();
    assert_eq!(found, ["the section `collisionlayers` must follow `sounds`: every section needs its heading"]);
}

#[test]
fn a_comment_without_an_end_that_hides_the_levels_is_an_error_where_it_begins() {
    let reading = read(&GAME.replace("LEVELS", "( LEVELS"));
    let at = GAME.lines().position(|line| line == "LEVELS").expect("the heading") + 1;
    let found = reading.diagnostics.all().iter().find(|diagnostic| diagnostic.message.contains("never closed"));
    assert_eq!(found.and_then(|found| found.at).map(|at| at.line as usize), Some(at), "{:?}", reading.diagnostics);
}

#[test]
fn a_misspelt_heading_between_lines_of_equals_signs_is_the_only_error() {
    for (heading, written) in [("LEVELS", "LEVEL"), ("OBJECTS", "Object"), ("COLLISIONLAYERS", "COLLISION LAYERS")] {
        let game = GAME.replace(&format!("\n{heading}\n"), &format!("\n====\n{written}\n====\n"));
        let reading = read(&game);
        let found: Vec<&str> = reading.diagnostics.all().iter().map(|diagnostic| &*diagnostic.message).collect();
        assert_eq!(found, [format!("unknown heading `{written}`: did you mean `{heading}`?")]);
        assert!(reading.game.is_some());
    }
}
