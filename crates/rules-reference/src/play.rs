//! Plays by the reference rules: the legal moves of a position, their names, and why other moves are not legal.

use super::RuleBook;
use super::drawing::{Changes, Drawing, Place};
use super::expression::Evaluator;
use super::obstacle::Obstacle;
use super::rule::{Binding, Rule, Steps};
use engine_domain::domain::no_such_move;
use engine_domain::domain::{GroundGoal, GroundRules, Rules, Successor, Trace};
use std::cell::Cell;
use std::collections::HashMap;

/// The letters of the notation `lurd`.
const LETTERS: [char; 8] = ['u', 'd', 'l', 'r', 'U', 'D', 'L', 'R'];

/// The most attempts that are looked at one by one: several drawings in one rule fit in very many ways.
const MOST_ATTEMPTS: usize = 2_000_000;

/// A player of a puzzle by its reference rules.
pub struct Player<'a> {
    book: &'a RuleBook,
    position: Trace,
    cost: u64,
    gave_up: Cell<bool>,
}

/// A rule with fixed parameters, at a place if it has a drawing.
#[derive(Clone, Copy)]
struct Attempt<'a> {
    rule: &'a Rule,
    binding: &'a Binding,
    place: Option<Place>,
}

/// A legal move.
struct Legal<'a> {
    attempt: Attempt<'a>,
    after: Vec<u32>,
    cost: u64,
}

impl<'a> Player<'a> {
    /// Creates a player at the start.
    pub fn new(book: &'a RuleBook) -> Player<'a> {
        Player { book, position: Trace::untraced(book.start.clone()), cost: 0, gave_up: Cell::new(false) }
    }

    /// Returns all attempts, in the order of the moves; `None` if there are too many.
    fn attempts(&self) -> Option<impl Iterator<Item = Attempt<'a>> + use<'a>> {
        let book = self.book;
        let world = &book.world;
        let bindings = book.rules.iter().flat_map(|rule| rule.bindings.iter().map(move |binding| (rule, binding)));
        let places = bindings.map(|(rule, binding)| match rule.drawing(binding) {
            Some(drawing) if !rule.all => drawing.number_of_places(world),
            _ => 1,
        });
        if places.fold(0, usize::saturating_add) > MOST_ATTEMPTS {
            return None;
        }
        Some(book.rules.iter().flat_map(move |rule| {
            rule.bindings.iter().flat_map(move |binding| {
                let drawing = rule.drawing(binding);
                let places = drawing.filter(|_| !rule.all).map(|drawing| drawing.all_places(world));
                // With `all`, each image is a move.
                let images = drawing.filter(|_| rule.all).map(|drawing| 0..drawing.images.len());
                let images = images.into_iter().flatten().map(|image| Place::single(image, 0));
                let without = drawing.is_none().then_some(None);
                let places = places.into_iter().flatten().chain(images).map(Some).chain(without);
                places.map(move |place| Attempt { rule, binding, place })
            })
        }))
    }

    /// Returns the legal moves, in their order.
    fn legal(&self) -> Vec<Legal<'a>> {
        let mut legal = Vec::new();
        let book = self.book;
        for rule in &book.rules {
            let matching = |drawing: &Drawing| -> Vec<(Option<Place>, Changes)> {
                if rule.all {
                    let images = 0..drawing.images.len();
                    return images.map(|image| (Some(Place::single(image, 0)), Changes::new())).collect();
                }
                let fitting = drawing.fitting(&self.position, &book.world).into_iter();
                fitting.map(|(place, changes)| (Some(place), changes)).collect()
            };
            let matching: Vec<Vec<(Option<Place>, Changes)>> = rule.drawings.iter().map(matching).collect();
            let everywhere = vec![(None, Changes::new())];
            for binding in rule.bindings.iter().filter(|binding| !binding.never_applies) {
                let places = matching.get(binding.drawing).unwrap_or(&everywhere);
                // Expressions depend on the place only through the letters of sets, and by `ahead`.
                let mut known = HashMap::new();
                for (place, drawn) in places {
                    let attempt = Attempt { rule, binding, place: *place };
                    if rule.all {
                        legal.extend(self.passed(attempt).ok());
                        continue;
                    }
                    let matched = rule.matched(binding, *place, &book.world, &self.position);
                    let effect =
                        known.entry((matched, rule.here(binding, *place))).or_insert_with_key(|(matched, here)| {
                            rule.effect(binding, matched, *here, &book.world, &self.position)
                        });
                    let Ok(effect) = effect else { continue };
                    let after = rule.outcome(binding, *place, drawn, effect, &book.world, &self.position);
                    let after = after.and_then(|after| self.at_rest(attempt, after, &mut Steps::default()));
                    legal.extend(after.ok().map(|after| Legal { attempt, after, cost: effect.cost }));
                }
            }
        }
        legal
    }

    /// Returns the move of a rule that applies everywhere at once, if it is legal.
    fn passed(&self, attempt: Attempt<'a>) -> Result<Legal<'a>, Obstacle> {
        let Attempt { rule, binding, place } = attempt;
        let mut steps = Steps::default();
        let passed = rule.pass(binding, rule.form(binding, place), &self.book.world, &self.position, &mut steps);
        let (after, cost) = passed.inspect_err(|obstacle| self.note(obstacle))?;
        Ok(Legal { attempt, after: self.at_rest(attempt, after, &mut steps)?, cost })
    }

    /// Returns the position after the consequences of a move, if it is another one that is allowed.
    fn at_rest(&self, attempt: Attempt, after: Vec<u32>, steps: &mut Steps) -> Result<Vec<u32>, Obstacle> {
        let form = attempt.rule.form(attempt.binding, attempt.place);
        let after = self.book.at_rest(after, form, steps).inspect_err(|obstacle| self.note(obstacle))?;
        if after == self.position.values() { Err(Obstacle::NoChange) } else { self.allowed(after) }
    }

    /// Remembers that a move was given up.
    fn note(&self, obstacle: &Obstacle) {
        self.gave_up.set(self.gave_up.get() || *obstacle == Obstacle::GivenUp);
    }

    /// Returns the position unless a `never` condition holds in it.
    fn allowed(&self, position: Vec<u32>) -> Result<Vec<u32>, Obstacle> {
        let position = Trace::untraced(position);
        let evaluator = Evaluator::new(&self.book.world, &position);
        let is_never = self.book.never.iter().any(|never| evaluator.holds(never));
        if is_never { Err(Obstacle::Forbidden) } else { Ok(position.values().to_vec()) }
    }

    /// Returns the legal move that a letter of `udlrUDLR` stands for. A symbol that occurs once moves one cell in this
    /// direction, and in some direction with every legal move; the letter is a capital if other cells change, too.
    fn lettered(&self, written: &str, legal: &[Legal]) -> Option<usize> {
        let letter = LETTERS.into_iter().find(|letter| letter.to_string() == written)?;
        let world = &self.book.world;
        let before = &self.position.values()[..world.cells()];
        let place = |position: &[u32], symbol: u32| {
            let mut places = (0..world.cells()).filter(|&cell| position[cell] == symbol);
            let place = places.next();
            place.filter(|_| places.next().is_none()).map(|cell| (cell / world.columns, cell % world.columns))
        };
        let step = |symbol: u32, legal: &Legal| {
            let ((row, column), (to_row, to_column)) = (place(before, symbol)?, place(&legal.after, symbol)?);
            let small = match (to_row as i64 - row as i64, to_column as i64 - column as i64) {
                (-1, 0) => 'u',
                (1, 0) => 'd',
                (0, -1) => 'l',
                (0, 1) => 'r',
                _ => return None,
            };
            let changed = (0..before.len()).filter(|&cell| before[cell] != legal.after[cell]).count();
            Some(if changed > 2 { small.to_ascii_uppercase() } else { small })
        };
        let steps = before.iter().find_map(|&symbol| {
            let steps: Option<Vec<char>> = legal.iter().map(|legal| step(symbol, legal)).collect();
            steps.filter(|steps| !steps.is_empty())
        });
        let steps = steps?;
        let meant: Vec<usize> = (0..legal.len()).filter(|&at| steps[at] == letter).collect();
        let is_one_position = meant.windows(2).all(|pair| legal[pair[0]].after == legal[pair[1]].after);
        meant.into_iter().min_by_key(|&at| legal[at].cost).filter(|_| is_one_position)
    }

    /// Returns why an attempt is not legal, if it is not.
    fn obstacle(&self, attempt: Attempt<'a>) -> Option<Obstacle> {
        let world = &self.book.world;
        if attempt.rule.all {
            return self.passed(attempt).err();
        }
        let mut drawn = Changes::new();
        if let Some((drawing, place)) = attempt.rule.drawing(attempt.binding).zip(attempt.place) {
            if let Some(obstacle) = drawing.obstacle(place, &self.position, world) {
                return Some(obstacle);
            }
            match drawing.apply(place, &self.position, world) {
                Ok(changes) => drawn = changes,
                Err(_) => return Some(Obstacle::Endless),
            }
        }
        let Attempt { rule, binding, place } = attempt;
        let matched = rule.matched(binding, place, world, &self.position);
        let effect = rule.effect(binding, &matched, rule.here(binding, place), world, &self.position);
        let after = effect.and_then(|effect| rule.outcome(binding, place, &drawn, &effect, world, &self.position));
        after.and_then(|after| self.at_rest(attempt, after, &mut Steps::default())).err()
    }

    /// Returns the name of an attempt in this position.
    fn written(&self, attempt: Attempt) -> String {
        attempt.rule.written(attempt.binding, attempt.place, &self.book.world, &self.position)
    }

    /// Returns the names of legal moves. Among equal names, all but the first get a number.
    fn names(&self, legal: &[Legal]) -> Vec<String> {
        let mut known: HashMap<String, usize> = HashMap::new();
        let name = |legal: &Legal| {
            let name = self.written(legal.attempt);
            let count = known.entry(name.clone()).or_default();
            *count += 1;
            if *count == 1 { name } else { format!("{name} #{count}") }
        };
        legal.iter().map(name).collect()
    }

    /// Returns why a move is not legal: the obstacle of the attempt with this name that comes furthest. `None` if no
    /// attempt has the name, or there are too many to find out.
    fn reason(&self, written: &str) -> Option<Obstacle> {
        let is_number = |number: &str| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
        let numbered = written.rsplit_once(" #").filter(|(_, number)| is_number(number));
        let name = numbered.map_or(written, |(name, _)| name);
        let attempts = self.attempts()?.filter(|attempt| self.written(*attempt) == name);
        let obstacles = attempts.map(|attempt| self.obstacle(attempt).unwrap_or(Obstacle::NumberTooHigh));
        // Ties go to the first.
        obstacles.reduce(|furthest, other| if furthest.passed() < other.passed() { other } else { furthest })
    }
}

impl Rules for Player<'_> {
    fn play(&mut self, written: &str) -> Result<(), String> {
        let mut legal = self.legal();
        let names = self.names(&legal);
        let named = names.iter().position(|name| name == written);
        let Some(at) = named.or_else(|| self.lettered(written, &legal)) else {
            let letters = || -> Vec<String> {
                let all = LETTERS.map(String::from).into_iter();
                all.filter(|letter| self.lettered(letter, &legal).is_some()).collect()
            };
            return Err(match self.reason(written) {
                Some(obstacle) => obstacle.to_string(),
                None if LETTERS.iter().any(|letter| letter.to_string() == written) => {
                    no_such_move(written, &Some(letters()).filter(|letters| !letters.is_empty()).unwrap_or(names))
                }
                None => no_such_move(written, &names),
            });
        };
        let played = legal.swap_remove(at);
        self.position = Trace::untraced(played.after);
        self.cost += played.cost;
        Ok(())
    }

    fn is_solved(&self) -> bool {
        self.book.goals.iter().any(|goal| goal.is_reached(&self.book.world, &self.position))
    }

    fn cost(&self) -> f64 {
        self.cost as f64
    }

    fn draw(&self) -> String {
        self.book.world.draw(self.position.values())
    }

    fn position(&self) -> Option<Vec<u32>> {
        Some(self.position.values().to_vec())
    }

    fn set_position(&mut self, position: &[u32]) {
        self.position = Trace::untraced(position.to_vec());
    }

    fn next_move_words(&self, words: &[&str]) -> usize {
        let longest = |names: &mut dyn Iterator<Item = String>| {
            let fits = |name: String| {
                let name: Vec<&str> = name.split_whitespace().collect();
                words.starts_with(&name).then_some(name.len())
            };
            names.filter_map(fits).max().filter(|length| *length > 0)
        };
        let legal = longest(&mut self.names(&self.legal()).into_iter());
        let known = || longest(&mut self.attempts()?.map(|attempt| self.written(attempt)));
        legal.or_else(known).unwrap_or(1)
    }

    fn candidates(&self) -> Vec<String> {
        self.names(&self.legal())
    }

    fn gave_up(&self) -> bool {
        self.gave_up.get()
    }

    fn ground_rules(&self) -> Option<Box<dyn GroundRules + '_>> {
        // An application of a single rule is not a move if there are consequences, passes, bodies or piles.
        if self.book.has_composed_moves() {
            return None;
        }
        let can_fit = |attempt: &Attempt| {
            let drawn = attempt.rule.drawing(attempt.binding).zip(attempt.place);
            drawn.is_none_or(|(drawing, place)| drawing.further() == 0 || drawing.lie_apart(place))
        };
        Some(Box::new(Applications { book: self.book, attempts: self.attempts()?.filter(can_fit).collect() }))
    }

    fn successors(&mut self) -> Vec<Successor> {
        let successor = |legal: Legal| Successor { position: legal.after, cost: legal.cost as f64 };
        self.legal().into_iter().map(successor).collect()
    }
}

/// The rules, as attempts that can be tried one by one.
struct Applications<'a> {
    book: &'a RuleBook,
    attempts: Vec<Attempt<'a>>,
}

impl GroundRules for Applications<'_> {
    fn variables(&self) -> Vec<(String, Vec<(u32, String)>)> {
        let world = &self.book.world;
        let values =
            |variable: usize| world.may_have(variable).iter().map(|&value| (value, world.value(value).to_string()));
        (0..world.variables()).map(|variable| (world.name(variable), values(variable).collect())).collect()
    }

    fn applications(&self) -> usize {
        self.attempts.len()
    }

    fn apply(&self, application: usize, position: &Trace) -> Option<Vec<u32>> {
        let Attempt { rule, binding, place } = self.attempts[application];
        let world = &self.book.world;
        let drawn = match rule.drawing(binding).zip(place) {
            Some((drawing, place)) => drawing.apply(place, position, world).ok()?,
            None => Changes::new(),
        };
        let matched = rule.matched(binding, place, world, position);
        let effect = rule.effect(binding, &matched, rule.here(binding, place), world, position).ok()?;
        rule.outcome(binding, place, &drawn, &effect, world, position).ok()
    }

    fn goals(&self) -> Vec<GroundGoal> {
        self.book.goals.iter().map(|goal| goal.target(&self.book.world)).collect()
    }

    fn holds(&self, goal: usize, position: &Trace) -> bool {
        self.book.goals[goal].holds(&self.book.world, position)
    }

    fn forbids(&self) -> bool {
        !self.book.never.is_empty()
    }
}

/// A puzzle that the reference reader cannot read, although the compiler did. None of its moves is legal.
pub struct Unreadable<'a>(pub &'a str);

impl Rules for Unreadable<'_> {
    fn play(&mut self, _written: &str) -> Result<(), String> {
        Err(self.0.to_owned())
    }

    fn is_solved(&self) -> bool {
        false
    }

    fn cost(&self) -> f64 {
        0.0
    }

    fn draw(&self) -> String {
        format!("{}\n", self.0)
    }

    fn unreadable(&self) -> Option<&str> {
        Some(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(source: &str) -> RuleBook {
        RuleBook::read(source).unwrap_or_else(|why| panic!("{why}\n{source}"))
    }

    fn rule(keys: &str) -> String {
        format!("[[rules]]\nname = 'go'\n{keys}\n")
    }

    /// Returns the legal moves, joined by commas.
    fn legal(source: &str) -> String {
        Player::new(&book(source)).candidates().join(", ")
    }

    const PEGS: &str = "start = '''\noo.o\n#.oo\n'''\ngoal = { count = { o = 1 } }\n\
        [[rules]]\nname = 'jump'\nfrom = 'oo.'\nto = '..o'\nturns = true\n";

    #[test]
    fn a_rejected_move_gets_the_reason() {
        let book = book(PEGS);
        let mut rules = Player::new(&book);
        assert_eq!(rules.candidates(), ["jump 0,0 right", "jump 1,3 left"]);
        let mut why = |written: &str| rules.play(written).expect_err(written);
        assert_eq!(why("jump 0,1 right"), "the rule does not fit: `.` is on 0,2, and not `o`");
        assert_eq!(why("jump 0,3 right"), "the rule reaches beyond the edge there");
        assert_eq!(why("jump 1,3 up"), "the rule reaches beyond the edge there");
        assert_eq!(why("jump 0,0 right #2"), "fewer moves than that have this name");
        let unknown = why("jmp 0,0 right");
        assert!(unknown.contains("did you mean `jump 0,0 right`?"), "{unknown}");
        rules.play("jump 0,0 right").expect("the move is legal");
        assert_eq!((rules.draw().as_str(), rules.cost()), ("..oo\n#.oo\n", 1.0));
    }

    #[test]
    fn conditions_values_and_never_are_reasons() {
        let source = "start = { n = 2 }\ngoal = { n = 0 }\nnever = 'n == 1'\n[variables]\nn = '0..2'\n\
            [[rules]]\nname = 'less'\nthen = { n = 'n - 1' }\n[[rules]]\nname = 'more'\nthen = { n = 'n + 1' }\n\
            [[rules]]\nname = 'none'\nwhen = ['n > 0', 'n < 2']\nthen = { n = 0 }\n\
            [[rules]]\nname = 'same'\nthen = { n = 'n' }\n";
        let book = book(source);
        let mut rules = Player::new(&book);
        let mut why = |written: &str| rules.play(written).expect_err(written);
        assert_eq!(why("less"), "it leads to a state that `never` forbids");
        assert_eq!(why("more"), "`n` cannot become `3`");
        assert_eq!(why("none"), "number 2 of its 2 conditions, `when`, does not hold here");
        assert_eq!(why("same"), "it would change nothing");
        assert_eq!(why("other"), "no move is legal here");
        assert_eq!(rules.draw(), "n 2\n");
    }

    #[test]
    fn a_move_takes_the_longest_legal_name_else_the_longest_known() {
        let source = "start = { n = 1 }\ngoal = { n = 2 }\n[variables]\nn = '0..2'\n\
            [[rules]]\nname = 'go'\nthen = { n = 0 }\n[[rules]]\nname = 'go on'\nthen = { n = 2 }\n\
            [[rules]]\nname = 'go on and on'\nwhen = 'n == 2'\nthen = { n = 1 }\n";
        let book = book(source);
        let rules = Player::new(&book);
        let words = |text: &str| rules.next_move_words(&text.split(' ').collect::<Vec<_>>());
        assert_eq!(words("go go on"), 1);
        assert_eq!(words("go on and on"), 2, "the longer name is not legal here");
        assert_eq!(words("walk on"), 1);
    }

    #[test]
    fn moves_with_equal_names_are_numbered() {
        let source = "start = 'ab'\ngoal = 'bb'\nsets = { S = 'ab' }\n".to_owned()
            + "[[rules]]\nname = 'drop {S}'\nfrom = 'S?'\nto = 'bb'\n[[rules]]\nname = 'drop {direction}'\nfrom = 'a?'\nto = 'ba'\n"
            + "[[rules]]\nname = 'drop a'\nfrom = 'a?'\nto = 'aa'\n";
        assert_eq!(legal(&source), "drop a 0,0, drop right, drop a 0,0 #2");
    }

    #[test]
    fn equal_images_are_one_move() {
        let lamps =
            "start = '''\n.*\n**\n'''\ngoal = '''\n..\n..\n'''\nmaps = { t = { '*' = '.', '.' = '*' } }\n".to_owned();
        let press =
            "from = '''\n???\n???\n???\n'''\nto = '''\n?t?\nttt\n?t?\n'''\nat = [1, 1]\nturns = true\nmirror = true\n";
        assert_eq!(
            legal(&(lamps.clone() + &rule(&format!("{press}edge = 'clip'")))),
            "go 0,0 right, go 0,1 right, go 1,0 right, go 1,1 right"
        );
        assert_eq!(legal(&(lamps + &rule(press))), "", "it reaches beyond every edge");
    }

    #[test]
    fn edges_fit_clip_or_wrap() {
        let line = "start = '.a.b'\ngoal = '????'\n";
        let swap = |edge: &str| rule(&format!("from = 'b.'\nto = '.b'\nedge = '{edge}'"));
        assert_eq!(legal(&format!("{line}{}", swap("fit"))), "");
        assert_eq!(legal(&format!("{line}{}", swap("wrap"))), "go 0,3");
        assert_eq!(legal(&format!("{line}{}", swap("clip"))), "go 0,3");
        let slide = |edge: &str| rule(&format!("from = 'a.'\nto = '.a'\nrepeat = true\nedge = '{edge}'"));
        let after = |source: &str| {
            let book = book(source);
            let mut rules = Player::new(&book);
            rules.play("go 0,0").map(|()| rules.draw())
        };
        assert_eq!(after(&format!("start = 'a..b'\ngoal = '????'\n{}", slide("fit"))).as_deref(), Ok("..ab\n"));
        let forever = after(&format!("start = 'a...'\ngoal = '????'\n{}", slide("wrap")));
        assert_eq!(forever, Err("it would wrap around the grid endlessly".to_owned()));
    }

    #[test]
    fn successors_are_the_positions_after_the_candidates() {
        let file = "start = { drawing = 'a.b', n = 1 }\ngoal = { n = 0 }\n[variables]\nn = '0..3'\n\
            [[rules]]\nname = 'go {k}'\nfor = { k = '0..2' }\nfrom = 'a.'\nto = '.a'\nmirror = true\n\
            when = ['k < 2', 'n + k < 3']\nthen = { n = 'n + k' }\ncost = 'k + n'\n\
            [[rules]]\nname = 'swap'\nfrom = 'a'\nto = 'b'\n";
        let book = book(file);
        let mut player = Player::new(&book);
        let position = player.position().expect("the player has a position");
        let candidates = player.candidates();
        assert_eq!(candidates, ["go 0 0,0 right", "go 1 0,0 right", "swap 0,0"]);
        let played = candidates.iter().map(|written| {
            let mut player = Player::new(&book);
            player.play(written).expect("the move is legal");
            Successor { position: player.position().expect("the player has a position"), cost: player.cost() }
        });
        let played: Vec<Successor> = played.collect();
        assert_eq!(player.successors(), played);
        assert_eq!(player.position(), Some(position), "the player has not moved");
        assert_eq!(played.iter().map(|successor| successor.cost).collect::<Vec<_>>(), [1.0, 2.0, 1.0]);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_reported() {
        let wrong = |file: &str| RuleBook::read(file).expect_err(file);
        let rule = "goal = '?'\nstart = 'a'\n[[rules]]\nname = 'go'\n";
        assert_eq!(wrong(&format!("{rule}from = 'ab'\nto = 'b'")), "in the rule `go`: its drawings differ in size");
        assert_eq!(wrong(&format!("{rule}when = 'a = b'")), "in the rule `go`: `a = b`: unexpected character `=`");
        assert_eq!(
            wrong("start = 'a'\ngoal = 'ab'\nrules = []"),
            "in `goal`: the drawing is of another size than the start"
        );
        let why = wrong("start = 'a'\nrules = []");
        let mut rules = Unreadable(&why);
        assert_eq!(rules.unreadable(), Some("there is no `goal`"));
        assert_eq!(rules.play("go"), Err("there is no `goal`".to_owned()));
        assert!(rules.position().is_none() && !rules.is_solved());
    }
}
