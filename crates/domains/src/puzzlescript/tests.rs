//! Tests of levels as state spaces.

#[path = "../../../../tests/support/outside.rs"]
mod outside;
#[path = "../../../puzzlescript/tests/games/session.rs"]
mod session;

use super::Level;
use super::compiled::compiled;
use super::description;
use super::packing::Packing;
use super::space::GameSpace;
use crate::diagnostic::Diagnostic;
use crate::domain::{BuildContext, FileContext, HeuristicFacts, Instance, Notation, Route, Searchable, Style};
use crate::picture::{Form, Paint, Picture};
use crate::search::{Algorithm, Answer, Found, Limit, Limits, Request, Stop, Verdict, Work, laws, search};
use crate::space::{InPlace, StateSpace};
use engine_puzzlescript::analysis::Facts;
use engine_puzzlescript::input::Input;
use engine_puzzlescript::program;
use engine_puzzlescript::random::Random;
use outside::outside;
use session::Session;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

const TEMPLATE: &str = include_str!("template.toml");

/// Reads a puzzle file.
fn read(file: &str) -> Result<Level, Vec<Diagnostic>> {
    FileContext::of_text(file, description::level)
}

/// Returns the states of a level, without bounds.
fn graph(level: &Level) -> GameSpace {
    level.graph(None, &Stop::default())
}

fn space() -> GameSpace {
    let level = read(TEMPLATE).expect("the template is valid");
    level.graph(level.bounds().cloned(), &Stop::default())
}

#[test]
fn a_level_keeps_the_laws_of_a_state_space() {
    laws::hold(&space(), false);
}

#[test]
fn only_what_can_change_is_in_a_key() {
    let space = space();
    let board = space.play.board(&space.start);
    assert_eq!(board, space.play.written.cells);
    // Player and crate share a layer: 2 bits in each of the 12 cells without a wall.
    let facts = Facts::new(&space.play.program, &space.play.written, &board, &|| false).expect("it never stops");
    let packing = Packing::new(&space.play.program, &board, &facts.changing());
    assert_eq!(packing.bits(), 2 * 12);
}

/// Reads a level of a game in a puzzle file.
fn level(game: &str, number: usize) -> Result<Level, Vec<Diagnostic>> {
    read(&format!("level = {number}\nsource = '''\n{game}'''\n"))
}

/// Reads the first level of a game with a seed, as it is written in a puzzle file.
fn seeded(game: &str, seed: &str) -> Result<Level, Vec<Diagnostic>> {
    read(&format!("seed = {seed}\nsource = '''\n{game}'''\n"))
}

/// Returns the objects of the template as a game with other rules, another goal and another level.
fn game(rules: &str, level: &str) -> String {
    let template = TEMPLATE.split("'''").nth(1).expect("the template has a game").trim_start();
    let (head, _) = template.split_once("[ > Player").expect("a rule");
    format!("{head}{rules}\n\nWINCONDITIONS\n\nsome Target on Player\n\nLEVELS\n\n{level}\n")
}

/// Does work in memory.
fn answer(space: &dyn Searchable, work: Work) -> Answer<Box<dyn Route>> {
    space.run(&Request::in_memory(work, &Limits::default())).expect("memory does not fail").answer
}

/// Runs breadth-first search.
fn searched(space: &dyn Searchable) -> Found<Box<dyn Route>> {
    answer(space, Work::Search(Algorithm::Bfs)).found()
}

/// A rule puts a wall where the player stands, in the same layer: a key holds one of them, without the player.
#[test]
fn a_search_does_not_go_on_from_a_key_that_is_not_exact() {
    let text = game("[ action Player ] -> [ Wall Player ]", "P..").replace("some Target on Player", "no Player");
    let space = level(&text, 1).expect("the game plays").space(&HeuristicFacts::ZERO, &BuildContext::default());
    let found = searched(&*space);
    assert!(matches!(found.verdict, Verdict::Limit { limit: Limit::Work, best: None, .. }));
}

/// A binary counter: `Crate` is a digit 1, `Target` the carry. Each turn adds 1 and asks for the next, 2^20 times.
const COUNTER: &str = "[ Wall ] -> [ Wall Target ] again\n\
    right [ Wall Target | ] -> [ Wall | Target ]\n\
    right [ Crate Target | ] -> [ | Target ]\n\
    [ Target no Crate no Wall ] -> [ Crate ]";

#[test]
fn a_press_that_is_given_up_ends_all_proofs() {
    let counter = game(COUNTER, "PPPPPPPPPPPPPPPPPPPPPP\n#.....................");
    let space = level(&counter, 1).expect("the game plays").space(&HeuristicFacts::ZERO, &BuildContext::default());
    let found = searched(&*space);
    assert!(matches!(found.verdict, Verdict::Limit { limit: Limit::Work, .. }));
    let explored = answer(&*space, Work::Explore).explored();
    assert_eq!((explored.limit, explored.dead_ends), (Some(Limit::Work), None));
}

#[test]
fn games_that_presses_alone_do_not_decide_are_refused() {
    let random = game("random [ > Player | Crate ] -> [ > Player | > Crate ]", "#P*O#");
    let Err(errors) = level(&random, 1) else { panic!("a random game was read") };
    assert!(errors[0].message.contains("random"), "{errors:?}");
    assert!(errors[0].help.as_ref().is_some_and(|help| help.contains("seed = \"1\"")), "{errors:?}");
    let Err(errors) = level(&format!("realtime_interval 1\n{}", game("", "#P*O#")), 1) else {
        panic!("a game in real time was read")
    };
    assert!(errors[0].message.contains("real time"), "{errors:?}");
    let late = game("late [ Crate ] -> [ randomdir Crate ]", "#P*O#");
    let Err(errors) = level(&format!("{late}\n"), 1) else { panic!("a late movement was read") };
    assert!(errors[0].message.contains("in the next turn"), "{errors:?}");
}

/// Each turn, a drawn crate vanishes while there is one.
const VANISHING: &str = "random [ Player ] [ Crate ] -> [ Player ] [ ]";

#[test]
fn a_random_level_with_a_seed_keeps_the_laws_of_a_state_space() {
    let level = seeded(&game(VANISHING, "#P*.*.*O#"), "1").expect("the game plays");
    laws::hold(&graph(&level), true);
}

#[test]
fn a_seed_is_text_and_decides_what_is_drawn() {
    let game = game("[ Player ] -> [ randomdir Player ]", "......\n......\n..PO..\n......\n......");
    let moves = |seed: &str| {
        let space = graph(&seeded(&game, seed).expect("the game plays"));
        let mut state = space.initial();
        let presses = [Input::Action; 5].map(|input| {
            space.apply(&mut state, input);
            space.play.board(&state)
        });
        presses.to_vec()
    };
    assert_eq!(moves("1"), moves("\"1\""));
    assert_ne!(moves("1"), moves("2"));
    for wrong in ["1.5", "[1]", "\"a\\nb\""] {
        let Err(errors) = seeded(&game, wrong) else { panic!("{wrong} was read") };
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(errors[0].message.contains("seed"), "{errors:?}");
    }
}

#[test]
fn a_seed_that_changes_nothing_is_a_warning() {
    let level = seeded(&game("[ > Player | Crate ] -> [ > Player | > Crate ]", "#P*O#"), "1").expect("the game plays");
    assert_eq!(level.seed(), None);
    assert!(level.warnings.iter().any(|warning| warning.message.contains("`seed` changes nothing")));
}

#[test]
fn a_press_that_only_draws_is_a_move() {
    // Nothing can move, but the action draws a direction for the crate.
    let rules = "[ action Player ] [ Crate ] -> [ Player ] [ randomdir Crate ]";
    let level = seeded(&game(rules, "###O\n#P##\n#*##\n####"), "1").expect("the game plays");
    let space = graph(&level);
    let mut state = space.initial();
    assert_eq!(space.actions(&state).collect::<Vec<Input>>(), [Input::Action]);
    space.apply(&mut state, Input::Action);
    assert_ne!(state, space.start);
    assert_eq!(space.play.board(&state), space.play.board(&space.start));
}

#[test]
fn the_plain_rules_draw_what_the_search_draws() {
    let draws = "[ action Player ] [ stationary Crate ] -> [ Player ] [ randomdir Crate ]";
    let text = game(&format!("{draws}\n{VANISHING}"), "#####\n#P.*#\n#.*O#\n#####");
    let level = seeded(&text, "3").expect("the game plays");
    let mut rules = level.rules().expect("a level has rules");
    let mut state = level.space(&HeuristicFacts::ZERO, &BuildContext::default());
    let keys = ["action", "up", "action", "left", "action", "down", "action", "right"];
    for (count, key) in keys.iter().cycle().take(40).enumerate() {
        let after = state.after(key, &[Notation::STANDARD]);
        assert_eq!(rules.play(key).is_ok(), after.is_some(), "press {count}, {key}");
        state = after.unwrap_or(state);
        assert_eq!(rules.draw(), state.draw(Style::Drawn), "press {count}, {key}");
        // A position holds how many numbers are drawn.
        let position = rules.position().expect("boards have positions");
        rules.set_position(&position);
    }
}

/// Returns a session after a press.
fn pressed<'p>(session: &Session<'p>, input: Input) -> Session<'p> {
    let mut session = session.clone();
    session.press(input);
    session
}

#[test]
fn a_shortest_solution_of_a_random_level_is_one_of_all_sequences_of_presses() {
    let rules = "[ > Player | Crate ] -> [ > Player | > Crate ]\n[ stationary Crate ] -> [ randomdir Crate ]";
    let text =
        game(rules, "######\n#P...#\n#..*.#\n#O...#\n######").replace("some Target on Player", "all Crate on Target");
    let program = &compiled(text.as_str().into(), &BuildContext::default()).expect("the game compiles").program;
    for seed in ["1", "2"] {
        let level = seeded(&text, seed).expect("the game plays");
        let found = search(&graph(&level), &|| graph(&level).start, Algorithm::Bfs, &Limits::default());
        let Verdict::Solved { cost, .. } = found.verdict else { panic!("seed {seed} is not solved") };
        let mut sessions = vec![Session::new(program, 0, seed).expect("a level")];
        let mut depth = 0;
        while !sessions.iter().any(Session::is_text) {
            depth += 1;
            sessions = sessions.iter().flat_map(|session| Input::ALL.map(|input| pressed(session, input))).collect();
        }
        assert_eq!(cost, f64::from(depth), "seed {seed}");
    }
}

/// What breaks: compiling thousands of rules takes seconds, and only the wall ends it.
#[test]
fn a_time_limit_ends_compiling() {
    let rules = "[ > Player | Crate ] -> [ > Player | > Crate ]\n".repeat(2000);
    let text = game(&rules, "#####\n#P*O#\n#####");
    assert!(compiled(text.as_str().into(), &BuildContext::default()).is_ok());
    let context = BuildContext::within(&Limits { time: Some(Duration::ZERO), ..Limits::default() });
    assert!(compiled(text.as_str().into(), &context).is_err());
    assert_eq!(context.ended(), Some(Limit::Time));
}

/// Plays random presses on all levels of the published random games.
#[test]
#[ignore = "takes long; needs ENGINE_TEST_DATA"]
fn random_games_play_as_their_sessions() {
    let folder = outside("puzzlescript/games").expect("`ENGINE_TEST_DATA` names the folder of the games");
    let (mut games, mut presses) = (0, 0);
    for path in ["demo", "labs", "solver_tests"].iter().flat_map(|kind| files_in(&folder.join(kind))) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Ok(compiled) = compiled(text.as_str().into(), &BuildContext::default()) else { continue };
        let program = &compiled.program;
        if !program.is_random() || program.settings.realtime {
            continue;
        }
        games += 1;
        let is_board = |level: &usize| matches!(program.levels[*level], program::Level::Board(_));
        for (number, index) in (1..).zip((0..program.levels.len()).filter(is_board)) {
            let source = toml::Value::String(text.clone());
            let level = read(&format!("level = {number}\nseed = 1\nsource = {source}\n")).expect("the level plays");
            presses += walk(&graph(&level), Session::new(program, index, "1").expect("a board"), index);
        }
    }
    println!("{games} games, {presses} presses");
    assert!(presses > 0);
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// Plays up to 100 presses on a level and in its session, and compares the boards. Returns the number of presses.
fn walk(space: &GameSpace, mut session: Session<'_>, index: usize) -> usize {
    let finish = |session: &mut Session<'_>| (0..10_000).all(|_| !session.again() || (session.tick(), true).1);
    let (mut state, mut random) = (space.initial(), Random::new("walk"));
    if !finish(&mut session) {
        return 0;
    }
    for count in 0..100 {
        if session.level() != index || session.is_text() || space.is_goal(&state) {
            assert!(space.is_goal(&state), "the session has won");
            return count;
        }
        assert_eq!(space.play.board(&state), session.board().cells);
        let inputs = space.play.program.inputs();
        let input = inputs[random.below(inputs.len())];
        space.apply(&mut state, input);
        session.press(input);
        if !finish(&mut session) {
            return count;
        }
    }
    100
}

#[test]
fn messages_come_before_a_level_during_moves_and_after_the_last_win() {
    let rules = "[ > Player | Crate ] -> [ > Player | > Crate ] message Heave";
    let levels = "message Go\n\n#OP*.#\n\nmessage On\n\n#OP*.#\n\nmessage Done";
    let messages = |number| {
        let level = level(&game(rules, levels), number).expect("a level");
        let mut at = level.space(&HeuristicFacts::ZERO, &BuildContext::default());
        let mut found = vec![at.messages(None, Notation::STANDARD)];
        for written in ["right", "left", "left"] {
            found.push(at.messages(Some(written), Notation::STANDARD));
            at = at.after(written, &[Notation::STANDARD]).expect("a legal move");
        }
        assert!(at.is_goal());
        found.into_iter().map(|some| some.join(", ")).collect::<Vec<_>>()
    };
    assert_eq!(messages(1), ["Go", "Heave", "", ""]);
    assert_eq!(messages(2), ["On", "Heave", "", "Done"]);
}

#[test]
fn levels_are_counted_without_messages() {
    let game = game("[ > Player | Crate ] -> [ > Player | > Crate ]", "message Go\n\n#P*O#\n\nmessage Again\n\n#P.*O#");
    assert_eq!([1, 2].map(|number| level(&game, number).expect("a level").size()), ["1x5", "1x6"]);
    let Err(errors) = level(&game, 3) else { panic!("there is no third level") };
    assert_eq!(errors[0].message, "the game has 2 levels, no level 3");
}

#[test]
fn an_error_in_a_game_has_its_place_in_the_puzzle_file() {
    // Fewer errors leave rules out, and the game plays.
    let wrong = game(&"[ > Player | Crat ] -> [ > Player | > Crate ]\n".repeat(6), "#P*O#");
    let file = format!("source = '''\n{wrong}'''\n");
    let Err(errors) = read(&file) else { panic!("the game plays") };
    assert!(
        errors.iter().any(|error| error.span.as_ref().is_some_and(|span| file[span.clone()] == *"Crat")),
        "{errors:?}"
    );
}

#[test]
fn a_level_that_wins_by_itself_needs_no_press() {
    let rules = "[ Target no Player ] [ Player ] -> [ ] [ Player Target ]\n[ Crate ] -> [ Target ] again";
    let game = format!("run_rules_on_level_start\n{}", game(rules, "#P*#"));
    let space = level(&game, 1).expect("the game plays").space(&HeuristicFacts::ZERO, &BuildContext::default());
    assert!(space.is_goal());
    // Without these turns, the first press starts the same chain.
    let space = level(&game.replace("run_rules_on_level_start\n", ""), 1).expect("the game plays");
    let found = searched(&*space.space(&HeuristicFacts::ZERO, &BuildContext::default()));
    assert!(matches!(found.verdict, Verdict::Solved { cost: 1.0, .. }));
}

#[test]
fn a_key_holds_the_level_as_written_if_checkpoints_replace_it() {
    // The turn that begins the level takes the crate away.
    let rules = "[ Crate ] -> [ ]\nlate [ Player Target ] -> checkpoint";
    let game = format!("run_rules_on_level_start\n{}", game(rules, "#P.O*#"));
    let space = level(&game, 1).expect("the game plays").space(&HeuristicFacts::ZERO, &BuildContext::default());
    let found = searched(&*space);
    assert!(matches!(found.verdict, Verdict::Solved { cost: 2.0, .. }));
}

/// Compares the rules with the state space in every state that can be reached. Returns the number of states.
fn compared(level: &dyn Instance) -> usize {
    let mut rules = level.rules().expect("a level has rules");
    let start = level.space(&HeuristicFacts::ZERO, &BuildContext::default());
    let mut known = BTreeSet::from([rules.position().expect("boards have positions")]);
    let mut open = vec![(start, rules.position().expect("boards have positions"))];
    while let Some((state, position)) = open.pop() {
        rules.set_position(&position);
        assert_eq!(rules.draw(), state.draw(Style::Drawn));
        assert_eq!(rules.is_solved(), state.is_goal(), "{}", rules.draw());
        let legal = state.legal_moves(Notation::STANDARD);
        for written in rules.candidates() {
            rules.set_position(&position);
            assert_eq!(rules.play(&written).is_ok(), legal.contains(&written), "{written} after\n{}", rules.draw());
            let after = rules.position().expect("boards have positions");
            if known.insert(after.clone()) {
                open.push((state.after(&written, &[Notation::STANDARD]).expect("it is legal"), after));
            }
        }
    }
    known.len()
}

#[test]
fn the_plain_rules_make_of_every_state_what_the_search_makes_of_it() {
    let push = "[ > Player | Crate ] -> [ > Player | > Crate ]";
    let checkpoint = "[ Player Target ] -> [ Player Target ] checkpoint\n[ action Player ] -> restart";
    let slide = "[ > Player | no Wall ] -> [ > Player | ] again";
    let level_of = |rules: &str| game(rules, "######\n#P.*O#\n#..*.#\n#.O..#\n######");
    let states = [
        compared(&level(&level_of(push), 1).expect("the game plays")),
        compared(&level(&level_of(&format!("{push}\n{checkpoint}")), 1).expect("the game plays")),
        compared(&level(&level_of(&format!("{push}\n{slide}")), 1).expect("the game plays")),
        compared(&level(&format!("noaction\n{}", level_of(checkpoint)), 1).expect("the game plays")),
    ];
    assert!(states.iter().all(|&states| states > 5), "{states:?}");
}

#[test]
fn the_plain_rules_report_a_press_that_they_give_up() {
    let counter = game(COUNTER, "PPPPPPPPPPPPPPPPPPPPPP\n#.....................");
    let level = level(&counter, 1).expect("the game plays");
    let mut rules = level.rules().expect("a level has rules");
    let before = rules.position();
    assert!(rules.play("sideways").is_err() && !rules.gave_up());
    assert_eq!(rules.play("up"), Err("its turns take too long".to_owned()));
    assert!(rules.gave_up());
    assert_eq!(rules.position(), before);
}

/// Returns the picture of the first level of a game.
fn picture(game: &str) -> Picture {
    let level = level(game, 1).expect("the game plays");
    level.space(&HeuristicFacts::ZERO, &BuildContext::default()).picture().expect("it is small")
}

#[test]
fn objects_are_drawn_in_the_order_of_their_layers_and_those_that_stay_are_marks() {
    let picture = picture(&game("[ > Player | Crate ] -> [ > Player | > Crate ]", "#P*O#"));
    let order: Vec<usize> = picture.marks.iter().chain(&picture.figures).map(|figure| sprite(figure.form)).collect();
    assert!(order.is_sorted(), "{order:?}");
    assert_eq!(picture.marks.len(), 6, "the background of five cells, and the target");
    let drawn: Vec<_> = picture.figures.iter().map(|figure| (figure.label.as_str(), figure.at.1)).collect();
    assert_eq!(drawn, [("p", 1), ("#", 0), ("#", 4), ("*", 2)]);
}

fn sprite(form: Form) -> usize {
    let Form::Sprite(sprite) = form else { panic!("{form:?} is not a sprite") };
    sprite
}

#[test]
fn the_screen_shows_through_a_transparent_background() {
    let opaque = game("", "#P*O#");
    let through = format!("background_color pink\n{}", opaque.replace("Background\nblack", "Background\ntransparent"));
    assert_ne!(through.lines().count(), opaque.lines().count());
    let pink = Paint::Rgb([0xde, 0x65, 0xe2]);
    let has_pink = |game: &str| picture(game).marks.iter().filter(|mark| mark.paint == pink).count();
    assert_eq!((has_pink(&through), has_pink(&opaque)), (5, 0));
}
