//! Random rules over a world, each as the text of its table.

use super::express::Speaker;
use super::world::{Grid, Value, Variable, World, listing};
use super::write::{drawing, inline, key, one_or_many, string, value};
use crate::support::dice::Dice;

/// The keys of a rule with their values as TOML.
pub type Keys = Vec<(String, String)>;

/// A drawing that is made up, cell by cell.
struct Pattern {
    rows: usize,
    columns: usize,
    from: Vec<char>,
    to: Vec<char>,
    repeats: bool,
}

/// The letters of the sets in `from`.
fn letters_in(world: &World, from: &[char]) -> Vec<char> {
    let mut letters: Vec<char> = world.letters().into_iter().map(|(letter, _)| letter).collect();
    letters.retain(|letter| from.contains(letter));
    letters
}

impl Pattern {
    fn random(dice: &mut Dice, world: &World, grid: &Grid) -> Pattern {
        let sizes = [(1, 1), (1, 2), (1, 2), (1, 2), (1, 3), (2, 1), (2, 2)];
        let fits = |size: &&(usize, usize)| size.0 <= grid.rows && size.1 <= grid.columns;
        let sizes: Vec<(usize, usize)> = sizes.iter().filter(fits).copied().collect();
        let (rows, columns) = if sizes.is_empty() || dice.one_in(12) { (1, 2) } else { dice.pick(&sizes) };
        let repeats = dice.one_in(5);
        let drawn: Vec<char> = world.maps.iter().filter_map(|map| map.letter()).collect();
        if repeats && !drawn.is_empty() && dice.one_in(2) {
            // It may go round several times before it ends.
            return Pattern { rows: 1, columns: 1, from: vec!['?'], to: vec![dice.pick(&drawn)], repeats };
        }
        // What stands somewhere at the start, so that it fits there.
        let (down, right) = (dice.below(grid.rows), dice.below(grid.columns));
        let there = |cell: usize| {
            let (row, column) = ((down + cell / columns) % grid.rows, (right + cell % columns) % grid.columns);
            grid.start[row * grid.columns + column]
        };
        let sets = world.letters();
        let mut from = Vec::new();
        for cell in 0..rows * columns {
            let here = there(cell);
            let holding: Vec<char> =
                sets.iter().filter(|(_, of)| of.contains(&here)).map(|(letter, _)| *letter).collect();
            from.push(match dice.below(12) {
                0 | 6 => '?',
                1 => dice.pick(&grid.symbols),
                2 if !sets.is_empty() => dice.pick(&sets).0,
                3..=5 if !holding.is_empty() => dice.pick(&holding),
                _ => here,
            });
        }
        if repeats {
            // A letter may stand in one cell alone.
            for cell in 1..from.len() {
                if from[..cell].contains(&from[cell]) && sets.iter().any(|(letter, _)| *letter == from[cell]) {
                    from[cell] = there(cell);
                }
            }
        }
        let mut to = from.clone();
        let letters = letters_in(world, &from);
        match dice.below(6) {
            0..=2 => dice.shuffle(&mut to),
            3 => to.reverse(),
            _ => {}
        }
        let changes = dice.below(to.len() + 1).max(usize::from(to == from));
        for _ in 0..changes {
            let cell = dice.below(to.len());
            to[cell] = match dice.below(6) {
                0 => '?',
                1 | 2 if !drawn.is_empty() => dice.pick(&drawn),
                3 if !letters.is_empty() => dice.pick(&letters),
                _ => dice.pick(&grid.symbols),
            };
        }
        Pattern { rows, columns, from, to, repeats }
    }

    fn lines(&self, cells: &[char]) -> Vec<String> {
        cells.chunks(self.columns).map(|row| row.iter().collect()).collect()
    }
}

/// A rule of the world; whether it is one of a file in which moves may cost nothing.
pub fn rule(dice: &mut Dice, world: &World, number: usize, may_be_free: bool) -> String {
    let mut keys: Keys = Vec::new();
    let mut sections = Vec::new();
    let mut speaker = Speaker::new(dice, world);
    if speaker.dice.one_in(3) {
        family(&mut speaker);
    }
    let parameters = speaker.parameters.clone();
    let draws = world.grid.is_some() && (world.variables.is_empty() || !speaker.dice.one_in(3));
    let pattern = world.grid.as_ref().filter(|_| draws).map(|grid| {
        let mut pattern = Pattern::random(speaker.dice, world, grid);
        drawn_keys(&mut speaker, grid, &mut pattern, &mut keys);
        pattern
    });
    let acts = !draws || (!world.variables.is_empty() && speaker.dice.one_in(3)) || speaker.dice.one_in(14);
    let then = if acts { effects(&mut speaker, pattern.is_some()) } else { Vec::new() };
    if draws || !then.is_empty() {
        if speaker.dice.one_in(if acts && !draws { 2 } else { 4 }) {
            let texts: Vec<String> = (0..speaker.dice.within(1, 2))
                .map(|_| {
                    let depth = speaker.dice.within(1, 3);
                    let text = speaker.condition(depth);
                    expression(speaker.dice, &text)
                })
                .collect();
            keys.push(("when".to_owned(), one_or_many(speaker.dice, &texts)));
        }
        if let Some(cost) = cost(&mut speaker, may_be_free) {
            keys.push(("cost".to_owned(), cost));
        }
    } else {
        // Nothing could be found for it to change.
        return String::new();
    }
    let name = name(speaker.dice, &parameters, pattern.as_ref(), world, number);
    let dice = speaker.dice;
    keys.insert(0, ("name".to_owned(), string(dice, &name)));
    if dice.one_in(3) {
        dice.shuffle(&mut keys);
    }
    for (section, entries) in [("for", choices(dice, &parameters)), ("then", then)] {
        if entries.is_empty() {
            continue;
        }
        match dice.below(3) {
            0 => keys.push((section.to_owned(), inline(&entries))),
            1 => keys.extend(entries.into_iter().map(|(key, value)| (format!("{section}.{key}"), value))),
            _ => sections.push((section, entries)),
        }
    }
    let lines = |keys: &Keys| keys.iter().map(|(key, value)| format!("{key} = {value}\n")).collect::<String>();
    let sections: String =
        sections.iter().map(|(section, entries)| format!("[rules.{section}]\n{}", lines(entries))).collect();
    format!("[[rules]]\n{}{sections}", lines(&keys))
}

/// An expression as a string; now and then in several lines.
fn expression(dice: &mut Dice, text: &str) -> String {
    if dice.one_in(16) && text.contains(' ') && !text.contains('\'') {
        return format!("\"\"\"\n{}\"\"\"", text.replacen(' ', "\n   ", 1));
    }
    string(dice, text)
}

/// Parameters: lists or ranges, of names of variables, too.
fn family(speaker: &mut Speaker) {
    let world = speaker.world;
    for name in ["x", "d", "p"].iter().take(speaker.dice.within(1, 2)) {
        let plain: Vec<Value> = world
            .variables
            .iter()
            .filter(|variable| variable.bounds.is_empty())
            .map(|variable| Value::of(&variable.name))
            .collect();
        let domains = world.domains();
        let mut values = match speaker.dice.below(6) {
            0 | 1 if !plain.is_empty() => plain,
            2 => speaker.dice.pick(&domains),
            3 => vec![Value::of("1"), Value::of("01"), Value::of("x"), Value::of("true")],
            _ => {
                let first = speaker.dice.pick(&[0, 0, 1, -1]);
                (first..=first + speaker.dice.below(3) as i64).map(Value::Number).collect()
            }
        };
        speaker.dice.shuffle(&mut values);
        values.truncate(speaker.dice.within(1, 3));
        let range = values.iter().all(Value::is_number) && speaker.dice.one_in(2);
        if range {
            values.sort_by_key(|value| value.to_string().parse::<i64>().unwrap_or(0));
        }
        speaker.parameters.push(((*name).to_owned(), values));
    }
}

/// What the key `for` says.
fn choices(dice: &mut Dice, parameters: &[(String, Vec<Value>)]) -> Keys {
    let written = |(name, values): &(String, Vec<Value>)| {
        let numbers: Vec<i64> = values.iter().filter_map(|value| value.to_string().parse().ok()).collect();
        let is_range = values.iter().all(Value::is_number) && numbers.windows(2).all(|two| two[1] == two[0] + 1);
        let is_range = is_range && dice.one_in(2);
        (key(dice, name), listing(dice, values, is_range))
    };
    parameters.iter().map(written).collect()
}

fn drawn_keys(speaker: &mut Speaker, grid: &Grid, pattern: &mut Pattern, keys: &mut Keys) {
    let world = speaker.world;
    let dice = &mut *speaker.dice;
    let says = dice.below(8);
    let needs_from = pattern.to.iter().any(|symbol| letters_in(world, &pattern.from).contains(symbol));
    if says != 0 || needs_from {
        keys.push(("from".to_owned(), drawing(dice, &pattern.lines(&pattern.from))));
    } else {
        pattern.from.fill('?');
    }
    if says != 1 || world.variables.is_empty() {
        keys.push(("to".to_owned(), drawing(dice, &pattern.lines(&pattern.to))));
    }
    if let Some(marks) = grid.marks.as_ref().filter(|_| dice.one_in(2)) {
        let mut letters = marks.clone();
        letters.extend(vec!['?'; marks.len()]);
        if !dice.one_in(6) {
            letters.retain(|letter| *letter != '.');
        }
        let on: Vec<char> = (0..pattern.from.len()).map(|_| dice.pick(&letters)).collect();
        keys.push(("on".to_owned(), drawing(dice, &pattern.lines(&on))));
    }
    for (name, chance, holds) in [("turns", 2, true), ("mirror", 3, true), ("repeat", 1, pattern.repeats)] {
        if holds && dice.one_in(chance) {
            keys.push((name.to_owned(), "true".to_owned()));
        } else if dice.one_in(8) {
            keys.push((name.to_owned(), "false".to_owned()));
        }
    }
    if pattern.repeats || dice.one_in(2) {
        let edge = dice.pick(&["fit", "clip", "wrap", "wrap"]);
        keys.push(("edge".to_owned(), string(dice, edge)));
    }
    if dice.one_in(4) {
        keys.push(("at".to_owned(), format!("[{}, {}]", dice.below(pattern.rows), dice.below(pattern.columns))));
    }
}

/// The targets of `then` and what they become.
fn effects(speaker: &mut Speaker, draws: bool) -> Keys {
    let world = speaker.world;
    let mut then: Keys = Vec::new();
    let mut taken: Vec<String> = Vec::new();
    let number = if speaker.dice.one_in(3) { 2 } else { 1 };
    for _ in 0..number {
        let cells =
            world.grid.is_some() && (world.variables.is_empty() || speaker.dice.one_in(if draws { 12 } else { 3 }));
        let before = speaker.parameters.len();
        let target = if cells { cell(speaker) } else { variable(speaker) };
        let Some((target, values, of)) = target else { continue };
        if !taken.contains(&of) {
            let text = match speaker.dice.below(16) {
                0 => {
                    let domains = world.domains();
                    let other = speaker.dice.pick(&domains);
                    let other = speaker.dice.pick(&other);
                    speaker.literal(&other)
                }
                1..=6 if values.iter().all(Value::is_number) => stepped(speaker, &target, &values),
                7..=9 if values.iter().all(Value::is_truth) && !target.contains(" for ") => format!("!{target}"),
                _ => {
                    let depth = speaker.dice.within(0, 2);
                    speaker.value_text(&values, depth)
                }
            };
            let is_scalar = Value::of(&text).to_string() == text && !matches!(Value::of(&text), Value::Name(_));
            let written =
                if is_scalar { value(speaker.dice, &Value::of(&text)) } else { expression(speaker.dice, &text) };
            then.push((key(speaker.dice, &target), written));
            taken.push(of);
        }
        speaker.parameters.truncate(before);
    }
    then
}

/// A number that goes round, or up and down.
fn stepped(speaker: &mut Speaker, target: &str, values: &[Value]) -> String {
    let target = target.split(" for ").next().unwrap_or(target);
    match speaker.dice.below(4) {
        0 => format!("{target} + 1"),
        1 => format!("{target}-1"),
        2 => format!("({target} + 1) % {}", values.len()),
        _ => format!("{target} - {}", speaker.dice.pick(&["(-1)", "2", "-1"])),
    }
}

/// A target, its values, and the array or variable that it belongs to.
type Target = (String, Vec<Value>, String);

/// An index within these bounds, mostly: a number, or a parameter.
fn index(speaker: &mut Speaker, (first, last): (i64, i64)) -> String {
    let numeric = |(_, values): &&(String, Vec<Value>)| values.iter().all(Value::is_number);
    let names: Vec<String> = speaker.parameters.iter().filter(numeric).map(|(name, _)| name.clone()).collect();
    let is_hidden = |name: &String| speaker.parameters.iter().filter(|(known, _)| known == name).count() > 1;
    let names: Vec<String> = names.into_iter().filter(|name| !is_hidden(name)).collect();
    if !names.is_empty() && speaker.dice.one_in(2) {
        let name = speaker.dice.pick(&names);
        return if speaker.dice.one_in(4) { format!("{name} + {first}") } else { name };
    }
    let beyond = i64::from(speaker.dice.one_in(20));
    (first + speaker.dice.below((last - first + 1) as usize) as i64 + beyond).to_string()
}

/// The elements of an array: one, or all along a dimension.
fn element(speaker: &mut Speaker, name: &str, bounds: &[(i64, i64)]) -> String {
    let running = speaker.dice.one_in(3).then(|| speaker.dice.below(bounds.len()));
    let mut indices = Vec::new();
    let mut runs = String::new();
    for (number, &(first, last)) in bounds.iter().enumerate() {
        if Some(number) != running {
            indices.push(index(speaker, (first, last)));
            continue;
        }
        let end = first + speaker.dice.below((last - first + 1) as usize) as i64;
        if speaker.dice.one_in(4) {
            let listed: Vec<String> = (first..=end).map(|at| at.to_string()).collect();
            runs = format!(" for i in [{}]", listed.join(", "));
        } else {
            runs = format!(" for i in {first}..{end}");
        }
        speaker.parameters.push(("i".to_owned(), (first..=end).map(Value::Number).collect()));
        indices.push("i".to_owned());
    }
    format!("{name}[{}]{runs}", indices.join(speaker.dice.pick(&[", ", ","])))
}

fn cell(speaker: &mut Speaker) -> Option<Target> {
    let grid = speaker.world.grid.as_ref()?;
    let text = element(speaker, "cell", &[(0, grid.rows as i64 - 1), (0, grid.columns as i64 - 1)]);
    let values = grid.symbols.iter().map(|&symbol| Value::symbol(symbol)).collect();
    Some((text, values, "cell".to_owned()))
}

fn variable(speaker: &mut Speaker) -> Option<Target> {
    let world = speaker.world;
    let named = |(name, values): &(String, Vec<Value>)| {
        let known: Option<Vec<&Variable>> = values.iter().map(|value| world.plain(&value.to_string())).collect();
        known.and_then(|known| Some((name.clone(), known.first()?.values.clone())))
    };
    let parameters: Vec<(String, Vec<Value>)> = speaker.parameters.iter().filter_map(named).collect();
    if !parameters.is_empty() && speaker.dice.one_in(2) {
        let (name, values) = speaker.dice.pick(&parameters);
        return Some((name, values, "a parameter".to_owned()));
    }
    let number = (!world.variables.is_empty()).then(|| speaker.dice.below(world.variables.len()))?;
    let known = &world.variables[number];
    if known.bounds.is_empty() {
        return Some((known.name.clone(), known.values.clone(), known.name.clone()));
    }
    Some((element(speaker, &known.name, &known.bounds), known.values.clone(), known.name.clone()))
}

fn cost(speaker: &mut Speaker, may_be_free: bool) -> Option<String> {
    match speaker.dice.below(8) {
        0 => Some(speaker.dice.within(usize::from(!may_be_free), 4).to_string()),
        1 => Some(format!("\"{}\"", speaker.dice.within(1, 3))),
        2 => {
            let text = speaker.cost_text();
            let text = if may_be_free { text } else { format!("max(1, {text})") };
            Some(expression(speaker.dice, &text))
        }
        3 if may_be_free => Some("0".to_owned()),
        _ => None,
    }
}

/// How its moves are written.
fn name(
    dice: &mut Dice,
    parameters: &[(String, Vec<Value>)],
    pattern: Option<&Pattern>,
    world: &World,
    number: usize,
) -> String {
    let mut name = dice
        .pick(&["go", "go", "move", "a", "[\"go\"]", "\"q\"", "«é»", "1", "x,y", "\\", "'", "go #", "€"])
        .to_owned();
    if dice.one_in(3) {
        name = format!("r{number}");
    }
    for (parameter, _) in parameters {
        if !dice.one_in(4) {
            // A word of `#` and a number would count moves that are written the same.
            name += dice.pick(if name.ends_with('#') { &[" "] } else { &[" ", "", "-"] });
            name += &format!("{{{}{parameter}}}", dice.pick(&["", "", " "]));
        }
    }
    if let Some(pattern) = pattern {
        for letter in letters_in(world, &pattern.from) {
            if dice.one_in(2) {
                name += &format!(" {{{letter}}}");
            }
        }
        match dice.below(7) {
            0 => name += " {direction}",
            1 => name += " {at} {direction}",
            2 => name += &format!(" {{{},{}}}", dice.below(pattern.rows), dice.below(pattern.columns)),
            3 => name = "{direction}".to_owned(),
            4 => name = "{at}".to_owned(),
            _ => {}
        }
    }
    name
}
