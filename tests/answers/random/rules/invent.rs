//! Random rules over a world, each as the text of its TOML table.

use super::express::ExpressionGenerator;
use super::world::{Grid, Value, Variable, World, is_name, listing};
use super::write::{drawing, inline, key, one_or_many, string, value};
use crate::support::dice::Dice;

/// The keys of a rule with their values as TOML.
pub type Keys = Vec<(String, String)>;

/// A random pattern: the cells of `from` and `to`.
struct Pattern {
    rows: usize,
    columns: usize,
    from: Vec<char>,
    to: Vec<char>,
    repeats: bool,
    run: Option<Run>,
    /// The other drawings of the rule.
    others: Vec<Pattern>,
}

/// The character that marks a run, and the cells before it.
struct Run {
    mark: char,
    from: usize,
    to: usize,
    on: usize,
}

/// Returns the letters of sets that occur in `from`.
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
            // A repetition may wrap around several times before it ends.
            return Pattern {
                rows: 1,
                columns: 1,
                from: vec!['?'],
                to: vec![dice.pick(&drawn)],
                repeats,
                run: None,
                others: Vec::new(),
            };
        }
        // The pattern copies a part of the start, so that it matches there.
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
            // With `repeat`, a letter may occur in only one cell.
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
        let run = (rows == 1 && dice.one_in(4)).then(|| {
            let marks: Vec<char> = ['*', '+', '…'].into_iter().filter(|mark| !grid.symbols.contains(mark)).collect();
            let mut cell = || dice.below(columns);
            let (from, to, on) = (cell(), cell(), cell());
            Run { mark: dice.pick(&marks), from, to, on }
        });
        let is_letter = |symbol: char| sets.iter().any(|(letter, _)| *letter == symbol);
        let stands = |symbol: char| from.iter().filter(|other| **other == symbol).count();
        let run = run.filter(|run| !is_letter(from[run.from]) || stands(from[run.from]) == 1);
        Pattern { rows, columns, from, to, repeats, run, others: Vec::new() }
    }

    /// Adds other drawings, whose new symbols may be those of letters in this one.
    fn add_others(&mut self, dice: &mut Dice, world: &World, grid: &Grid) {
        if self.repeats || self.run.is_some() || !dice.one_in(5) {
            return;
        }
        let letters = letters_in(world, &self.from);
        for _ in 0..if dice.one_in(4) { 2 } else { 1 } {
            let mut other = Pattern { repeats: false, run: None, ..Pattern::random(dice, world, grid) };
            if !letters.is_empty() && dice.one_in(3) {
                let cell = dice.below(other.to.len());
                other.to[cell] = dice.pick(&letters);
            }
            self.others.push(other);
        }
    }

    /// Returns this drawing and the others.
    fn all(&self) -> impl Iterator<Item = &Pattern> {
        [self].into_iter().chain(&self.others)
    }

    /// Returns the letters of sets in `from` of all drawings.
    fn letters(&self, world: &World) -> Vec<char> {
        letters_in(world, &self.all().flat_map(|pattern| pattern.from.clone()).collect::<Vec<char>>())
    }

    /// Puts a parameter into the drawing if all its values are symbols.
    fn draw_parameter(&mut self, dice: &mut Dice, world: &World, parameters: &[(String, Vec<Value>)]) {
        let symbols = world.grid.as_ref().map_or(&[][..], |grid| &grid.symbols);
        let is_symbol = |value: &Value| symbols.iter().any(|symbol| value.to_string() == symbol.to_string());
        let mut names = parameters.iter().filter(|(_, values)| values.iter().all(is_symbol));
        if let Some(name) = names.next().and_then(|(name, _)| name.chars().next()) {
            let cell = dice.below(self.from.len());
            let changed = dice.below(3);
            // A letter of a set in `to` must stand in `from`, too.
            if changed != 1 && letters_in(world, &[self.from[cell]]).is_empty() {
                self.from[cell] = name;
            }
            if changed != 0 {
                let cell = dice.below(self.to.len());
                self.to[cell] = name;
            }
        }
    }

    fn lines(&self, cells: &[char], run: impl Fn(&Run) -> usize) -> Vec<String> {
        let mut rows: Vec<String> = cells.chunks(self.columns).map(|row| row.iter().collect()).collect();
        if let Some(mark) = &self.run {
            let behind = cells[..=run(mark)].iter().map(|symbol| symbol.len_utf8()).sum();
            rows[0].insert(behind, mark.mark);
        }
        rows
    }
}

/// Returns a random rule, or nothing if it would have no effect. With `may_be_free`, its cost may be 0.
pub fn rule(dice: &mut Dice, world: &World, number: usize, may_be_free: bool) -> String {
    let mut keys: Keys = Vec::new();
    let mut sections = Vec::new();
    let mut generator = ExpressionGenerator::new(dice, world);
    if generator.dice.one_in(3) {
        family(&mut generator);
    }
    let parameters = generator.parameters.clone();
    let draws = world.grid.is_some() && (world.variables.is_empty() || !generator.dice.one_in(3));
    let pattern = world.grid.as_ref().filter(|_| draws).map(|grid| {
        let mut pattern = Pattern::random(generator.dice, world, grid);
        pattern.draw_parameter(generator.dice, world, &parameters);
        pattern.add_others(generator.dice, world, grid);
        drawn_keys(&mut generator, grid, &mut pattern, &mut keys);
        pattern
    });
    if pattern.iter().any(|pattern| pattern.run.is_some()) {
        generator.parameters.push(("run".to_owned(), (1..=3).map(Value::Number).collect()));
    }
    for letter in pattern.iter().flat_map(|pattern| pattern.letters(world)) {
        let name = letter.to_string();
        let is_taken = generator.parameters.iter().map(|(known, _)| known).any(|known| *known == name)
            || world.variables.iter().any(|variable| variable.name == name);
        if let Some((_, symbols)) = world.letters().into_iter().find(|(known, _)| *known == letter && is_name(&name))
            && !is_taken
        {
            generator.letters.push(name.clone());
            generator.parameters.push((name, symbols.into_iter().map(Value::symbol).collect()));
        }
    }
    let acts = !draws || (!world.variables.is_empty() && generator.dice.one_in(3)) || generator.dice.one_in(14);
    let then = if acts { effects(&mut generator, pattern.is_some()) } else { Vec::new() };
    if draws || !then.is_empty() {
        if generator.dice.one_in(if acts && !draws { 2 } else { 4 }) {
            let texts: Vec<String> = (0..generator.dice.within(1, 2))
                .map(|_| {
                    let depth = generator.dice.within(1, 3);
                    let text = generator.condition(depth);
                    expression(generator.dice, &text)
                })
                .collect();
            keys.push(("when".to_owned(), one_or_many(generator.dice, &texts)));
        }
        if let Some(cost) = cost(&mut generator, may_be_free) {
            keys.push(("cost".to_owned(), cost));
        }
    } else {
        // The generator found nothing that the rule can change.
        return String::new();
    }
    let name = name(generator.dice, &parameters, pattern.as_ref(), world, number);
    let dice = generator.dice;
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

/// Writes an expression as a string; sometimes on several lines.
fn expression(dice: &mut Dice, text: &str) -> String {
    if dice.one_in(16) && text.contains(' ') && !text.contains('\'') {
        return format!("\"\"\"\n{}\"\"\"", text.replacen(' ', "\n   ", 1));
    }
    string(dice, text)
}

/// Adds parameters: lists or ranges, also of names of variables.
fn family(generator: &mut ExpressionGenerator) {
    let world = generator.world;
    for name in ["ρ", "d", "p"].iter().take(generator.dice.within(1, 2)) {
        let plain: Vec<Value> = world
            .variables
            .iter()
            .filter(|variable| variable.bounds.is_empty())
            .map(|variable| Value::of(&variable.name))
            .collect();
        let domains = world.domains();
        let mut values = match generator.dice.below(8) {
            6 | 7 if world.grid.is_some() => domains[0].clone(),
            0 | 1 if !plain.is_empty() => plain,
            2 => generator.dice.pick(&domains),
            3 => vec![Value::of("1"), Value::of("01"), Value::of("x"), Value::of("true")],
            _ => {
                let first = generator.dice.pick(&[0, 0, 1, -1]);
                (first..=first + generator.dice.below(3) as i64).map(Value::Number).collect()
            }
        };
        generator.dice.shuffle(&mut values);
        values.truncate(generator.dice.within(1, 3));
        let range = values.iter().all(Value::is_number) && generator.dice.one_in(2);
        if range {
            values.sort_by_key(|value| value.to_string().parse::<i64>().unwrap_or(0));
        }
        generator.parameters.push(((*name).to_owned(), values));
    }
}

/// Returns the entries of the key `for`.
fn choices(dice: &mut Dice, parameters: &[(String, Vec<Value>)]) -> Keys {
    let written = |(name, values): &(String, Vec<Value>)| {
        let numbers: Vec<i64> = values.iter().filter_map(|value| value.to_string().parse().ok()).collect();
        let is_range = values.iter().all(Value::is_number) && numbers.windows(2).all(|two| two[1] == two[0] + 1);
        let is_range = is_range && dice.one_in(2);
        (key(dice, name), listing(dice, values, is_range))
    };
    parameters.iter().map(written).collect()
}

fn drawn_keys(generator: &mut ExpressionGenerator, grid: &Grid, pattern: &mut Pattern, keys: &mut Keys) {
    let world = generator.world;
    let dice = &mut *generator.dice;
    let omitted = dice.below(8);
    let letters = pattern.letters(world);
    let needs_from = pattern.all().flat_map(|pattern| &pattern.to).any(|symbol| letters.contains(symbol));
    if omitted != 0 || needs_from {
        let texts: Vec<String> =
            pattern.all().map(|one| drawing(dice, &one.lines(&one.from, |run| run.from))).collect();
        keys.push(("from".to_owned(), one_or_many(dice, &texts)));
    } else {
        pattern.from.fill('?');
        pattern.others.iter_mut().for_each(|other| other.from.fill('?'));
    }
    if omitted != 1 || world.variables.is_empty() {
        let texts: Vec<String> = pattern.all().map(|one| drawing(dice, &one.lines(&one.to, |run| run.to))).collect();
        keys.push(("to".to_owned(), one_or_many(dice, &texts)));
    }
    if let Some(marks) = grid.marks.as_ref().filter(|_| dice.one_in(2)) {
        let mut letters = marks.clone();
        letters.extend(vec!['?'; marks.len()]);
        if !dice.one_in(6) {
            letters.retain(|letter| *letter != '.');
        }
        let texts = pattern.all().map(|one| {
            let on: Vec<char> = (0..one.from.len()).map(|_| dice.pick(&letters)).collect();
            drawing(dice, &one.lines(&on, |run| run.on))
        });
        let texts: Vec<String> = texts.collect();
        keys.push(("on".to_owned(), one_or_many(dice, &texts)));
    }
    for (name, chance, holds) in [("turns", 2, true), ("mirror", 3, true), ("repeat", 1, pattern.repeats)] {
        if holds && dice.one_in(chance) {
            keys.push((name.to_owned(), "true".to_owned()));
        } else if dice.one_in(8) {
            keys.push((name.to_owned(), "false".to_owned()));
        }
    }
    if let Some(run) = &pattern.run {
        keys.push(("run".to_owned(), string(dice, &run.mark.to_string())));
    }
    if pattern.repeats || dice.one_in(2) {
        let edge = dice.pick(&["fit", "clip", "wrap", "wrap"]);
        keys.push(("edge".to_owned(), string(dice, edge)));
    }
    if dice.one_in(4) {
        keys.push(("at".to_owned(), format!("[{}, {}]", dice.below(pattern.rows), dice.below(pattern.columns))));
    }
}

/// Returns the entries of `then`: targets and expressions.
fn effects(generator: &mut ExpressionGenerator, draws: bool) -> Keys {
    let world = generator.world;
    let mut then: Keys = Vec::new();
    let mut taken: Vec<String> = Vec::new();
    let number = if generator.dice.one_in(3) { 2 } else { 1 };
    for _ in 0..number {
        let cells =
            world.grid.is_some() && (world.variables.is_empty() || generator.dice.one_in(if draws { 12 } else { 3 }));
        let before = generator.parameters.len();
        let target = if cells { cell(generator) } else { variable(generator) };
        let Some((target, values, of)) = target else { continue };
        if !taken.contains(&of) {
            let text = match generator.dice.below(16) {
                0 => {
                    let domains = world.domains();
                    let other = generator.dice.pick(&domains);
                    let other = generator.dice.pick(&other);
                    generator.literal(&other)
                }
                1..=6 if values.iter().all(Value::is_number) => stepped(generator, &target, &values),
                7..=9 if values.iter().all(Value::is_truth) && !target.contains(" for ") => format!("!{target}"),
                _ => {
                    let depth = generator.dice.within(0, 2);
                    generator.value_text(&values, depth)
                }
            };
            let is_scalar = Value::of(&text).to_string() == text && !matches!(Value::of(&text), Value::Name(_));
            let written =
                if is_scalar { value(generator.dice, &Value::of(&text)) } else { expression(generator.dice, &text) };
            then.push((key(generator.dice, &target), written));
            taken.push(of);
        }
        generator.parameters.truncate(before);
    }
    then
}

/// Returns an expression that increments or decrements a number, or counts modulo its range.
fn stepped(generator: &mut ExpressionGenerator, target: &str, values: &[Value]) -> String {
    let target = target.split(" for ").next().unwrap_or(target);
    match generator.dice.below(4) {
        0 => format!("{target} + 1"),
        1 => format!("{target}-1"),
        2 => format!("({target} + 1) % {}", values.len()),
        _ => format!("{target} - {}", generator.dice.pick(&["(-1)", "2", "-1"])),
    }
}

/// A target of an effect, its values, and its array or variable.
type Target = (String, Vec<Value>, String);

/// Returns an index, usually within these bounds: a number or a parameter.
fn index(generator: &mut ExpressionGenerator, (first, last): (i64, i64)) -> String {
    let numeric = |(_, values): &&(String, Vec<Value>)| values.iter().all(Value::is_number);
    let names: Vec<String> = generator.parameters.iter().filter(numeric).map(|(name, _)| name.clone()).collect();
    let is_hidden = |name: &String| generator.parameters.iter().filter(|(known, _)| known == name).count() > 1;
    let names: Vec<String> = names.into_iter().filter(|name| !is_hidden(name)).collect();
    if !names.is_empty() && generator.dice.one_in(2) {
        let name = generator.dice.pick(&names);
        return if generator.dice.one_in(4) { format!("{name} + {first}") } else { name };
    }
    let beyond = i64::from(generator.dice.one_in(20));
    (first + generator.dice.below((last - first + 1) as usize) as i64 + beyond).to_string()
}

/// Returns elements of an array: one, or several along a dimension.
fn element(generator: &mut ExpressionGenerator, name: &str, bounds: &[(i64, i64)]) -> String {
    let running = generator.dice.one_in(3).then(|| generator.dice.below(bounds.len()));
    let mut indices = Vec::new();
    let mut runs = String::new();
    for (number, &(first, last)) in bounds.iter().enumerate() {
        if Some(number) != running {
            indices.push(index(generator, (first, last)));
            continue;
        }
        let end = first + generator.dice.below((last - first + 1) as usize) as i64;
        if generator.dice.one_in(4) {
            let listed: Vec<String> = (first..=end).map(|at| at.to_string()).collect();
            runs = format!(" for i in [{}]", listed.join(", "));
        } else {
            runs = format!(" for i in {first}..{end}");
        }
        generator.parameters.push(("i".to_owned(), (first..=end).map(Value::Number).collect()));
        indices.push("i".to_owned());
    }
    format!("{name}[{}]{runs}", indices.join(generator.dice.pick(&[", ", ","])))
}

fn cell(generator: &mut ExpressionGenerator) -> Option<Target> {
    let grid = generator.world.grid.as_ref()?;
    let text = element(generator, "cell", &[(0, grid.rows as i64 - 1), (0, grid.columns as i64 - 1)]);
    let values = grid.symbols.iter().map(|&symbol| Value::symbol(symbol)).collect();
    Some((text, values, "cell".to_owned()))
}

fn variable(generator: &mut ExpressionGenerator) -> Option<Target> {
    let world = generator.world;
    let letters = generator.letters.clone();
    let named = |(name, values): &(String, Vec<Value>)| {
        if letters.contains(name) {
            return None;
        }
        let known: Option<Vec<&Variable>> = values.iter().map(|value| world.plain(&value.to_string())).collect();
        known.and_then(|known| Some((name.clone(), known.first()?.values.clone())))
    };
    let parameters: Vec<(String, Vec<Value>)> = generator.parameters.iter().filter_map(named).collect();
    if !parameters.is_empty() && generator.dice.one_in(2) {
        let (name, values) = generator.dice.pick(&parameters);
        return Some((name, values, "a parameter".to_owned()));
    }
    let number = (!world.variables.is_empty()).then(|| generator.dice.below(world.variables.len()))?;
    let known = &world.variables[number];
    if known.bounds.is_empty() {
        return Some((known.name.clone(), known.values.clone(), known.name.clone()));
    }
    Some((element(generator, &known.name, &known.bounds), known.values.clone(), known.name.clone()))
}

fn cost(generator: &mut ExpressionGenerator, may_be_free: bool) -> Option<String> {
    match generator.dice.below(8) {
        0 => Some(generator.dice.within(usize::from(!may_be_free), 4).to_string()),
        1 => Some(format!("\"{}\"", generator.dice.within(1, 3))),
        2 => {
            let text = generator.cost_text();
            let text = if may_be_free { text } else { format!("max(1, {text})") };
            Some(expression(generator.dice, &text))
        }
        3 if may_be_free => Some("0".to_owned()),
        _ => None,
    }
}

/// Returns the name of a rule, with its placeholders.
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
    let mut needs_space = name.ends_with('#');
    for (parameter, values) in parameters {
        if !dice.one_in(4) {
            // `#` and a number is the suffix that distinguishes moves of the same name.
            name += dice.pick(if needs_space { &[" "] } else { &[" ", "", "-"] });
            needs_space = values.iter().any(|value| value.to_string().ends_with('#'));
            name += &format!("{{{}{parameter}}}", dice.pick(&["", "", " "]));
        }
    }
    if let Some(pattern) = pattern {
        for letter in pattern.letters(world) {
            if dice.one_in(2) {
                name += &format!(" {{{letter}}}");
            }
        }
        if !pattern.others.is_empty() && dice.one_in(2) {
            name += " {at2}";
        }
        if pattern.run.is_some() && dice.one_in(2) {
            name += " {run}";
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
