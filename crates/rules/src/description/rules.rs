//! Rules: their drawings, their families, their conditions, and how their moves are written.

use super::Reader;
use super::variables::listed;
use crate::diagnostic::{Diagnostic, printable};
use crate::document::Spanned;
use crate::drawing::{Cell, Drawing, SourceMap};
use crate::expression::{Expr, Kind, Term};
use crate::keys::{RuleKeys, Scalar, several};
use crate::model::{Assignment, From, Image, Model, Piece, Rewriting, Rule, Target, To};
use crate::parse::parse_target;
use crate::resolve::{Parameter, Type};
use crate::task::Value;
use std::collections::BTreeSet;

/// The characters of a drawing, with its size.
struct Rows<'a> {
    height: usize,
    width: usize,
    cells: Vec<Cell<'a>>,
}

impl Reader<'_> {
    /// Reads the rule of this number. What hangs on a key that was refused is not read.
    pub fn rule(&self, number: usize, rule: &Spanned<RuleKeys>, model: &Model) -> Result<Rule, Vec<Diagnostic>> {
        let keys = rule.get_ref();
        let any_refused =
            |keys: &[&str]| keys.iter().any(|key| self.file.findings.refused_within(&format!("rules[{number}].{key}")));
        let knows_parameters = !any_refused(&["for"]);
        let mut errors = Vec::new();
        let mut parameters: Vec<(String, Vec<Term>)> = Vec::new();
        for (name, listing) in keys.family.iter() {
            let choices = listed(listing).map_err(|wrong| errors.push(wrong)).unwrap_or_default();
            parameters.push((name.to_owned(), choices));
        }
        let typed = |(name, choices): &(String, Vec<Term>)| (name.clone(), self.names.type_of_choices(choices));
        let mut known: Vec<Parameter> = parameters.iter().map(typed).collect();
        let knows_drawing = !any_refused(&["from", "to", "on", "at"]);
        let drawing = if knows_drawing { self.drawing(keys, model) } else { Ok(None) };
        let drawing = drawing.map_err(|wrong| errors.extend(wrong));
        let mut when = Vec::new();
        for text in keys.when.iter().filter(|_| knows_parameters).flat_map(several) {
            when.extend(self.expression(&text, Type::TRUTH, &mut known).map_err(|wrong| errors.push(wrong)).ok());
        }
        let mut then = Vec::new();
        for (target, value) in keys.then.iter().filter(|_| knows_parameters) {
            match self.assignment(target, value, &mut known) {
                Ok(assignment) => then.push(assignment),
                Err(wrong) => errors.push(wrong),
            }
        }
        let mut cost = Expr { kind: Kind::Term(Term::Number(1)), span: 0..0 };
        if let Some(written) = keys.cost.as_ref().filter(|_| knows_parameters) {
            match self.scalar(written, Type::NUMBER, &mut known) {
                Ok(read) => cost = read,
                Err(wrong) => errors.push(wrong),
            }
        }
        let Some(name) = &keys.name else {
            if !any_refused(&["name"]) {
                errors.push(
                    Diagnostic::at(rule.span(), "missing key `name`").help("add a line like this one: name = \"go\""),
                );
            }
            return Err(errors);
        };
        let changes = keys.from.is_some() || keys.to.is_some() || !keys.then.is_empty();
        if !changes && !any_refused(&["from", "to", "then"]) {
            let error = Diagnostic::at(name.span(), format!("the rule `{}` changes nothing", name.get_ref()));
            errors.push(error.label("drawings `from` and `to`, or a table `then`, would be right"));
        }
        // Without its drawing and its parameters it cannot be said what a name may speak of.
        let (Ok(drawing), true) = (drawing, knows_drawing && knows_parameters) else { return Err(errors) };
        match (self.name(name, drawing.as_ref(), &parameters), errors.is_empty()) {
            (Ok(written), true) => Ok(Rule { name: written, span: name.span(), drawing, parameters, when, then, cost }),
            (written, _) => {
                errors.extend(written.err());
                Err(errors)
            }
        }
    }

    fn assignment(
        &self,
        target: &str,
        value: &Spanned<Scalar>,
        known: &mut Vec<Parameter>,
    ) -> Result<Assignment, Diagnostic> {
        let before = known.len();
        let at_value = |message: String| Diagnostic::at(value.span(), message);
        let read = parse_target(target).and_then(|(mut target, runs)| {
            let mut over = Vec::new();
            for (name, mut run) in runs {
                let of = self.names.settle_over(&mut run, known)?;
                known.push((name, self.names.type_of_run(&run, of)));
                over.push(run);
            }
            self.names.settle(&mut target, Type::ANY, known)?;
            Ok((target, over))
        });
        let assignment = read
            .map_err(|wrong| {
                let error = at_value(format!("in `{target}`: {}", wrong.message));
                match wrong.help {
                    Some(help) => error.help(help),
                    None => error,
                }
            })
            .and_then(|(told, runs)| {
                let target = match told.kind {
                    Kind::Variable(var) => Target::Variable(var),
                    Kind::ElementOf(array, indices) => Target::Element(array, indices),
                    Kind::Parameter(number) => Target::Parameter(number),
                    _ => {
                        return Err(at_value(format!("`{target}` is no variable"))
                            .label("only variables can become something else"));
                    }
                };
                Ok(Assignment { target, runs, value: self.scalar(value, Type::ANY, known)? })
            });
        known.truncate(before);
        assignment
    }

    fn drawing(&self, keys: &RuleKeys, model: &Model) -> Result<Option<Rewriting>, Vec<Diagnostic>> {
        let Some(main) = keys.from.as_ref().or(keys.to.as_ref()) else {
            let mut errors = Vec::new();
            let alone = [
                ("on", keys.on.as_ref().map(Spanned::span)),
                ("turns", keys.turns.as_ref().map(Spanned::span)),
                ("mirror", keys.mirror.as_ref().map(Spanned::span)),
                ("edge", keys.edge.as_ref().map(Spanned::span)),
                ("at", keys.at.as_ref().map(Spanned::span)),
                ("repeat", keys.repeat.as_ref().map(Spanned::span)),
            ];
            for (key, span) in alone {
                errors.extend(span.map(|span| {
                    Diagnostic::at(span, format!("`{key}` without a drawing")).label("it belongs to `from` and `to`")
                }));
            }
            return if errors.is_empty() { Ok(None) } else { Err(errors) };
        };
        if model.world.rows == 0 {
            let label = "a drawing in `start` would make one";
            return Err(vec![Diagnostic::at(main.span(), "there is no grid to draw on").label(label)]);
        }
        let size = self.rows(main)?;
        let mut errors = Vec::new();
        let mut rows = |text: &Option<Spanned<String>>| {
            let read = self.rows(text.as_ref()?).map_err(|wrong| errors.extend(wrong)).ok()?;
            if (read.height, read.width) != (size.height, size.width) {
                let message = format!("this drawing is {}x{}", read.height, read.width);
                let label = format!("{}x{}, as the other, would be right", size.height, size.width);
                let span = text.as_ref().map_or(0..0, Spanned::span);
                errors.push(Diagnostic::at(span, message).label(label));
                return None;
            }
            Some(
                read.cells
                    .iter()
                    .map(|cell| (cell.text.chars().next().unwrap_or('?'), cell.span.clone()))
                    .collect::<Vec<_>>(),
            )
        };
        let (from, to, on) = (rows(&keys.from), rows(&keys.to), rows(&keys.on));
        let number = |symbol: char| model.symbols.iter().position(|known| *known == symbol).map(|at| at as Value);
        let mut sets: Vec<(char, Vec<Value>)> = Vec::new();
        let area = size.height * size.width;
        let mut cells = vec![From::Anything; area];
        for (cell, (symbol, span)) in cells.iter_mut().zip(from.iter().flatten()) {
            *cell = match (model.world.sets.iter().find(|set| set.letter == *symbol), number(*symbol)) {
                _ if *symbol == '?' => From::Anything,
                (Some(set), _) => {
                    let at = sets.iter().position(|(letter, _)| letter == symbol).unwrap_or_else(|| {
                        sets.push((*symbol, set.symbols.iter().filter_map(|&symbol| number(symbol)).collect()));
                        sets.len() - 1
                    });
                    From::Set(at)
                }
                (None, Some(value)) => From::Symbol(value),
                (None, None) => {
                    errors.push(
                        Diagnostic::at(span.clone(), format!("`{symbol}` names a map")).label("a map belongs to `to`"),
                    );
                    From::Anything
                }
            };
        }
        let mut after = vec![To::Same; area];
        for (cell, (symbol, span)) in after.iter_mut().zip(to.iter().flatten()) {
            let map = model.world.map(&symbol.to_string());
            let matched = sets.iter().position(|(letter, _)| letter == symbol);
            let is_set = model.world.sets.iter().any(|set| set.letter == *symbol);
            *cell = match (matched, map, number(*symbol)) {
                _ if *symbol == '?' => To::Same,
                (Some(set), ..) => To::Set(set),
                (None, ..) if is_set => {
                    let message = format!("nothing says which of `{symbol}` this is");
                    errors.push(Diagnostic::at(span.clone(), message).label("the letter has to stand in `from`, too"));
                    To::Same
                }
                (None, Some(map), _) => To::Map(map),
                (None, None, Some(value)) => To::Symbol(value),
                (None, None, None) => {
                    let message = format!("`{}` cannot be a symbol", printable(&symbol.to_string()));
                    errors.push(Diagnostic::at(span.clone(), message));
                    To::Same
                }
            };
        }
        let marks = on.into_iter().flatten().map(|(mark, span)| {
            if mark != '?' && !model.world.marks.contains(&mark) {
                errors.push(Diagnostic::at(span, format!("no cell has the mark `{mark}`")));
            }
            Some(mark).filter(|mark| *mark != '?')
        });
        let mut on: Vec<Option<char>> = marks.collect();
        on.resize(area, None);
        if let Some(repeat) = keys.repeat.as_ref().filter(|repeat| *repeat.get_ref()) {
            let stands = |set: usize| cells.iter().filter(|from| **from == From::Set(set)).count();
            let twice = sets.iter().enumerate().filter(|&(set, _)| stands(set) > 1);
            errors.extend(twice.map(|(_, (letter, _))| {
                let message = format!("`repeat` with the letter `{letter}` of a set in two cells of `from`");
                Diagnostic::at(repeat.span(), message).label("one cell with the letter would be right")
            }));
        }
        let at = match keys.at.as_ref().map(|at| (at.span(), &at.get_ref()[..])) {
            None => (0, 0),
            Some((_, &[row, column])) if row < size.height && column < size.width => (row, column),
            Some((span, _)) => {
                let label = format!("[row, column] up to [{}, {}] would be right", size.height - 1, size.width - 1);
                errors.push(Diagnostic::at(span, "this is no cell of the drawing").label(label));
                (0, 0)
            }
        };
        if !errors.is_empty() {
            return Err(errors);
        }
        let is = |key: &Option<Spanned<bool>>| key.as_ref().is_some_and(|key| *key.get_ref());
        Ok(Some(Rewriting {
            height: size.height,
            width: size.width,
            from: cells,
            to: after,
            on,
            sets,
            at,
            images: Image::all(is(&keys.turns), is(&keys.mirror)),
            edge: keys.edge.as_ref().map(|edge| *edge.get_ref()).unwrap_or_default(),
            repeat: is(&keys.repeat),
        }))
    }

    fn rows<'a>(&self, text: &'a Spanned<String>) -> Result<Rows<'a>, Vec<Diagnostic>> {
        let drawing = Drawing::of_characters(text, self.file.source)?;
        let cells = drawing.cells().map(|(_, _, cell)| cell).collect();
        Ok(Rows { height: drawing.height(), width: drawing.width(), cells })
    }

    /// How moves are written: text with names in braces.
    fn name(
        &self,
        text: &Spanned<String>,
        drawing: Option<&Rewriting>,
        parameters: &[(String, Vec<Term>)],
    ) -> Result<Vec<Piece>, Diagnostic> {
        let written = text.get_ref();
        let places = SourceMap::of(text, self.file.source);
        let mut pieces = Vec::new();
        let mut is_placed = drawing.is_none();
        let mut rest = 0;
        while let Some(open) = written[rest..].find('{').map(|at| rest + at) {
            pieces.push(Piece::Text(written[rest..open].to_owned()));
            let Some(close) = written[open..].find('}').map(|at| open + at) else {
                return Err(Diagnostic::at(places.span(open..written.len()), "this brace is not closed"));
            };
            let inner = written[open + 1..close].trim();
            let parameter = parameters.iter().position(|(name, _)| name == inner);
            let set =
                drawing.and_then(|drawing| drawing.sets.iter().position(|(letter, _)| letter.to_string() == inner));
            let cell = inner
                .split_once(',')
                .and_then(|(row, column)| Some((row.trim().parse().ok()?, column.trim().parse().ok()?)));
            let on_drawing = |(row, column): &(usize, usize)| {
                drawing.is_some_and(|drawing| *row < drawing.height && *column < drawing.width)
            };
            is_placed |= parameter.is_none() && set.is_none();
            pieces.push(match (parameter, set, cell.filter(on_drawing), drawing) {
                (Some(parameter), ..) => Piece::Parameter(parameter),
                (None, Some(set), ..) => Piece::Set(set),
                (None, None, Some((row, column)), _) => Piece::Place(row, column),
                (None, None, None, Some(drawing)) if inner == "at" => Piece::Place(drawing.at.0, drawing.at.1),
                (None, None, None, Some(_)) if inner == "direction" => Piece::Direction,
                _ => {
                    let names = parameters.iter().map(|(name, _)| format!("{{{name}}}"));
                    let of_drawing = ["{at}", "{direction}", "{0,0}"].map(str::to_owned).into_iter();
                    let letters = drawing
                        .into_iter()
                        .flat_map(|drawing| &drawing.sets)
                        .map(|(letter, _)| format!("{{{letter}}}"));
                    let known: Vec<String> =
                        names.chain(letters).chain(of_drawing.filter(|_| drawing.is_some())).collect();
                    let help = if known.is_empty() {
                        "a rule without `for` and without a drawing has no names".to_owned()
                    } else {
                        format!("names here: {}", known.join(", "))
                    };
                    return Err(
                        Diagnostic::at(places.span(open..close + 1), format!("there is no `{inner}`")).help(help)
                    );
                }
            });
            rest = close + 1;
        }
        pieces.push(Piece::Text(written[rest..].to_owned()));
        if let Some(drawing) = drawing.filter(|_| !is_placed) {
            pieces.extend([Piece::Text(" ".to_owned()), Piece::Place(drawing.at.0, drawing.at.1)]);
            if drawing.images.len() > 1 {
                pieces.extend([Piece::Text(" ".to_owned()), Piece::Direction]);
            }
        }
        pieces.retain(|piece| *piece != Piece::Text(String::new()));
        if pieces.is_empty() || written.split(' ').any(str::is_empty) || written.contains(crate::diagnostic::steers) {
            let error = Diagnostic::at(text.span(), "this is no name of a move");
            return Err(error.label("a few words would be right, with single spaces between"));
        }
        if let Some(word) = numbered(&pieces, drawing, parameters) {
            let error = Diagnostic::at(text.span(), "this could be a move that is written like another");
            return Err(
                error.label(format!("of moves written the same the second has `#2`: no `{word}` would be right"))
            );
        }
        Ok(pieces)
    }
}

/// A word that a name may have and that begins with `#` and a number, as what tells moves of one name apart.
fn numbered(pieces: &[Piece], drawing: Option<&Rewriting>, parameters: &[(String, Vec<Term>)]) -> Option<String> {
    let texts = |piece: &Piece| -> Vec<String> {
        match piece {
            Piece::Text(text) => vec![text.clone()],
            Piece::Parameter(number) => parameters[*number].1.iter().map(Term::to_string).collect(),
            // What a letter matches is one character: `#` or a digit, where it matters.
            Piece::Set(_) if drawing.is_some() => vec!["#".to_owned(), "1".to_owned()],
            Piece::Set(_) | Piece::Direction => vec![String::new()],
            Piece::Place(..) => vec!["1,1".to_owned()],
        }
    };
    // The ends of all texts so far that may become such a word: the start of a word, or `#` there.
    let mut ends = BTreeSet::from([" ".to_owned()]);
    for piece in pieces {
        let mut longer = BTreeSet::new();
        for text in texts(piece) {
            for end in &ends {
                let text = format!("{end}{text}");
                let at =
                    text.match_indices(" #").find(|(at, _)| text[at + 2..].starts_with(|c: char| c.is_ascii_digit()));
                if let Some((at, _)) = at {
                    return text[at + 1..].split(' ').next().map(str::to_owned);
                }
                let word = text.rfind(' ').map_or("?", |space| &text[space..]);
                longer.insert(if [" ", " #"].contains(&word) { word } else { "?" }.to_owned());
            }
        }
        ends = longer;
    }
    None
}
