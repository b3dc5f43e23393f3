//! Random PuzzleScript games, played by the plain rules of `engine-puzzlescript`, which share no code with the compiled
//! rules and the analysis of a search.

#[path = "../../../crates/puzzlescript/tests/games/random_games.rs"]
mod games;

use crate::random::compare::{Tally, compare};
use crate::random::walk::{Length, Model, Move, ReachableStates};
use crate::support::dice::{each_seed, is_full_run};
use engine_puzzlescript::compile::compile;
use engine_puzzlescript::input::Input;
use engine_puzzlescript::plain::{PlainBoard, Play, Rules};
use engine_puzzlescript::press::Outcome;
use engine_puzzlescript::random::Random;
use engine_puzzlescript::reader::read;
use std::cell::Cell;

const KEYS: [(Input, &str); 5] = [
    (Input::Up, "up"),
    (Input::Left, "left"),
    (Input::Down, "down"),
    (Input::Right, "right"),
    (Input::Action, "action"),
];

/// A board, the target of restarts if a rule sets it, and whether the level is won.
type State = (PlainBoard, Option<PlainBoard>, bool);

struct Level {
    text: String,
    rules: Rules,
    /// A press was given up: the engine has no proof either.
    gave_up: Cell<bool>,
}

impl Level {
    /// Returns a level, none if the engine would not play it, or finds a mistake in it: mistakes can put two objects of
    /// a layer into a cell, and then nothing is proven.
    fn random(seed: u64) -> Option<Level> {
        let text = games::game(&mut Random::new(&format!("{seed} random answers")));
        let reading = read(&text);
        let mut diagnostics = reading.diagnostics;
        let game = reading.game?;
        compile(&game, &mut diagnostics).filter(|_| diagnostics.errors() == 0)?;
        let level = Level { text, rules: Rules::new(&game), gave_up: Cell::new(false) };
        let (_, outcome) = Play::one_level(&level.rules, 0, "")?;
        (!matches!(outcome, Outcome::Limit | Outcome::Endless)).then_some(())?;
        let is_whole = ReachableStates::new(&level, level.max_states()).is_some();
        (is_whole && !level.gave_up.get()).then_some(level)
    }

    fn state(&self, play: &Play, won: bool) -> State {
        (play.board().clone(), self.rules.has_checkpoints().then(|| play.target().clone()), won)
    }
}

impl Model for Level {
    type State = State;
    type Key = State;

    fn text(&self) -> String {
        format!("title = \"Random\"\ndomain = \"puzzlescript\"\nsource = '''\n{}'''\n", self.text)
    }

    fn start(&self) -> State {
        let (play, outcome) = Play::one_level(&self.rules, 0, "").expect("the level is a board");
        self.state(&play, outcome == Outcome::Won)
    }

    fn is_goal(&self, state: &State) -> bool {
        state.2
    }

    fn moves(&self, state: &State) -> Vec<Move<State>> {
        let (mut play, _) = Play::one_level(&self.rules, 0, "").expect("the level is a board");
        let target = state.1.clone().unwrap_or_else(|| play.target().clone());
        let mut press = |key| {
            play.set(state.0.clone(), target.clone());
            let outcome = play.press(key);
            self.gave_up.set(self.gave_up.get() || outcome == Outcome::Limit);
            let is_move = !matches!(outcome, Outcome::Endless | Outcome::Limit);
            Some(self.state(&play, outcome == Outcome::Won)).filter(|next| is_move && next != state)
        };
        let keys = KEYS.into_iter().filter(|(key, _)| !state.2 && self.rules.keys().contains(key));
        keys.filter_map(|(key, name)| Some((name.to_owned(), Length::ONE, press(key)?))).collect()
    }

    fn key(&self, state: &State) -> State {
        state.clone()
    }

    fn max_states(&self) -> usize {
        400
    }
}

#[test]
fn puzzlescript_games_have_the_answers_of_a_plain_search() {
    let mut tally = Tally::default();
    each_seed(25, |seed| {
        if let Some(level) = Level::random(seed) {
            compare(&level, seed, &mut tally);
        }
    });
    if is_full_run() {
        tally.assert_balanced("PuzzleScript games");
    }
}
