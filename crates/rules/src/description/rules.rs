//! Reads rules: drawings, parameters, conditions, and the names of their moves.

use super::variables::value_list;
use super::{Reader, RuleList, locate};
use crate::diagnostic::{Diagnostic, expected_names, unknown_name};
use crate::document::Spanned;
use crate::drawing::SourceMap;
use crate::expression::{Collection, Expr, Kind, Term, visit};
use crate::keys::{RuleKeys, Scalar, Turns};
use crate::model::{Assignment, Letter, NamePart, RewritePattern, Rule, Target, Written};
use crate::parse::{is_name, parse_target};
use crate::resolve::{NO_RUN, Parameter, RUN, Scope, Type};
use crate::sorted::sorted;
use crate::task::Value;

impl Reader<'_> {
    /// Reads a rule, given its list and its index there. Skips everything that depends on a rejected key.
    pub fn rule(&self, list: RuleList, number: usize, rule: &Spanned<RuleKeys>) -> Option<Rule> {
        let (keys, world) = (rule.get_ref(), &self.model.world);
        let table = if list == RuleList::Rules { "rules" } else { "after" };
        let refused = |key: &&str| self.file.findings.refused_within(&format!("{table}[{number}].{key}"));
        let any_refused = |keys: &[&str]| keys.iter().any(refused);
        let knows_parameters = !any_refused(&["for"]);
        let mut parameters: Vec<(String, Vec<Term>)> = Vec::new();
        for (name, listing) in keys.family.iter() {
            let choices = self.errors.valid(value_list(listing).map_err(Some)).unwrap_or_default();
            parameters.push((name.to_owned(), self.with_piles(choices)));
        }
        self.check_list(list, keys);
        let knows_drawing = !any_refused(&["from", "to", "on", "at", "run"]);
        let drawings = if knows_drawing { self.drawings(keys, &parameters) } else { None };
        if keys.run.is_some() {
            // The drawing is at most as long as the longer side of the grid.
            let longest = world.rows.max(world.columns) as i64;
            let drawing = drawings.as_ref().and_then(|drawings| drawings.first());
            let width = drawing.map_or(longest, |drawing| drawing.width as i64);
            let cells = (1..=(longest + 1 - width).max(1)).map(Term::Number).collect();
            parameters.push((RUN.to_owned(), cells));
        }
        let shift = if any_refused(&["shift", "push", "into", "direction"]) { None } else { self.shift(keys) };
        let typed = |(name, choices): &(String, Vec<Term>)| Parameter::new(name, self.names.type_of_parameter(choices));
        let mut known: Vec<Parameter> = parameters.iter().map(typed).collect();
        let letters = self.letters(drawings.as_ref(), &mut known);
        let scope = if keys.has_image() { Scope::Match } else { Scope::State };
        let once = if RuleKeys::is(&keys.all) { Scope::Pass } else { scope };
        let when = keys.when.iter().filter(|_| knows_parameters).flat_map(|when| &when.get_ref().0);
        let when: Vec<Written> = self
            .within(scope, || when.filter_map(|text| self.expression(text.clone(), Type::TRUTH, &mut known)).collect());
        let then = keys.then.entries().filter(|_| knows_parameters);
        let then: Vec<Assignment> = self.within(once, || {
            then.filter_map(|(target, value)| self.assignment(target, value, &parameters, &mut known)).collect()
        });
        let cost = keys.cost.as_ref().filter(|_| knows_parameters);
        let cost = self.within(once, || cost.and_then(|cost| self.scalar(cost, Type::NUMBER, &mut known)));
        let carry = keys.carry.as_ref().filter(|_| knows_parameters);
        let carry = self.within(once, || carry.and_then(|carry| self.carry(carry, &mut known)));
        let span = match (&keys.name, list) {
            (Some(name), RuleList::Rules) => name.span(),
            (_, RuleList::After) => rule.span(),
            (None, RuleList::Rules) => {
                if !any_refused(&["name"]) {
                    let error = Diagnostic::at(rule.span(), "missing key `name`");
                    self.errors.report(error.help("add a line such as: name = \"go\""));
                }
                return None;
            }
        };
        let changes = keys.has_image() || !keys.then.is_empty() || keys.carry.is_some();
        if !changes && !any_refused(&["from", "to", "then", "shift", "carry"]) {
            let message = match &keys.name {
                Some(name) => format!("the rule `{}` changes nothing", name.get_ref()),
                None => "the consequence changes nothing".to_owned(),
            };
            let error = Diagnostic::at(span.clone(), message);
            self.errors.report(error.help("add drawings `from` and `to`, a table `then`, `shift` or `carry`"));
        }
        // The names that a move's name may use come from the drawing and the parameters.
        let drawings = drawings.filter(|_| knows_parameters && shift.is_some() == keys.shift.is_some())?;
        let default_cost = i64::from(list == RuleList::Rules);
        let cost = cost.unwrap_or_else(|| Written {
            expr: Expr { kind: Kind::Term(Term::Number(default_cost)), span: 0..0 },
            text: Spanned::new(span.clone(), default_cost.to_string()),
        });
        let mut drawings = drawings.into_iter();
        let (drawing, further) = (drawings.next(), drawings.collect());
        let mut rule = Rule {
            name: Vec::new(),
            span,
            drawing,
            further,
            parameters,
            letters,
            when,
            then,
            cost,
            all: RuleKeys::is(&keys.all),
            in_image_of_move: keys.turned() == Turns::Move,
            shift,
            carry,
        };
        find_readers(&mut rule);
        if let Some(name) = keys.name.as_ref().filter(|_| list == RuleList::Rules) {
            rule.name = self.errors.valid(self.name(name, &rule).map_err(Some))?;
        }
        Some(rule)
    }

    /// Reports keys of a rule that its list does not allow, and keys that do not go together.
    fn check_list(&self, list: RuleList, keys: &RuleKeys) {
        let report = |span, message: &str, label: &str| self.errors.report(Diagnostic::at(span, message).label(label));
        let turns = keys.turns.as_ref().filter(|turns| *turns.get_ref() == Turns::Move);
        let is_all = RuleKeys::is(&keys.all);
        if let RuleList::Rules = list {
            if let Some(turns) = turns {
                let label = "a move has no move before it: expected `true` or `false`";
                report(turns.span(), "`turns = \"move\"` is for consequences, in `[[after]]`", label);
            }
        } else {
            if let Some(name) = &keys.name {
                let label = "it is no move, and nobody chooses it: remove the name, or write the rule in `[[rules]]`";
                report(name.span(), "a consequence has no name", label);
            }
            if let Some(cost) = &keys.cost {
                let label = "the move costs what its own rule says: write the cost there";
                report(cost.span(), "a consequence has no cost", label);
            }
            if let (Some(_), Some(mirror)) = (turns, &keys.mirror) {
                let label = "the image is that of the move, mirrored or not: remove the key";
                report(mirror.span(), "`mirror` and `turns = \"move\"` exclude each other", label);
            }
            if keys.shift.is_some() && is_all && keys.images().len() > 1 && turns.is_none() {
                let span = keys.shift.as_ref().map_or(0..0, Spanned::span);
                let label = "all bodies move at once: name one `direction`, or write `turns = \"move\"`";
                report(span, "a shift of all bodies has several directions", label);
            }
        }
        if let Some(run) = keys.run.as_ref().filter(|_| is_all) {
            report(run.span(), "`run` and `all` exclude each other", "a pass has no number of cells: use `repeat`");
        }
    }

    /// Adds the letters of sets in `from` to the known names. If the drawing could not be read, any letter may be in
    /// it.
    fn letters(&self, drawings: Option<&Vec<RewritePattern>>, known: &mut Vec<Parameter>) -> Vec<Letter> {
        let world = &self.model.world;
        let of_sets: Vec<char> = match drawings {
            Some(drawings) => drawings.iter().take(1).flat_map(|drawing| &drawing.sets).map(|set| set.0).collect(),
            None => world.sets.iter().map(|set| set.letter).collect(),
        };
        let mut letters = Vec::new();
        for (set, letter) in of_sets.into_iter().enumerate() {
            let name = letter.to_string();
            let is_taken =
                known.iter().any(|known| known.name == name) || world.arrays.iter().any(|array| array.name == name);
            if is_name(&name) && !is_taken {
                known.push(Parameter::letter(name.clone(), &world.denoted_symbols(&Term::read(&name))));
                letters.push(Letter { set, is_read: false, is_in_target: false });
            }
        }
        letters
    }

    fn assignment(
        &self,
        written: &Spanned<String>,
        value: &Spanned<Scalar>,
        parameters: &[(String, Vec<Term>)],
        known: &mut Vec<Parameter>,
    ) -> Option<Assignment> {
        let before = known.len();
        let target = self.errors.valid(self.target(written, parameters, known).map_err(Some));
        let assignment = target.and_then(|(target, collections)| {
            Some(Assignment { target, collections, value: self.scalar(value, Type::ANY, known)? })
        });
        known.truncate(before);
        assignment
    }

    /// Reads the target of an assignment, and adds the names that it binds to the known ones.
    fn target(
        &self,
        written: &Spanned<String>,
        parameters: &[(String, Vec<Term>)],
        known: &mut Vec<Parameter>,
    ) -> Result<(Target, Vec<Collection>), Diagnostic> {
        let read = parse_target(written.get_ref()).and_then(|(mut target, bound_names)| {
            let mut collections = Vec::new();
            for (name, mut collection) in bound_names {
                let of = self.names.resolve_collection(&mut collection, known)?;
                known.push(Parameter::new(&name, self.names.type_of_bound_name(&collection, of)));
                collections.push(collection);
            }
            self.names.resolve_as(&mut target, Type::ANY, known)?;
            Ok((target, collections))
        });
        let (resolved, collections) = read.map_err(|wrong| locate(wrong, written, self.file.source))?;
        let target = match resolved.kind {
            Kind::Variable(var) => Target::Variable(var),
            Kind::ElementOf(array, indices) => Target::Element(array, indices),
            Kind::Parameter(number) => {
                let choices = parameters.get(number).map(|(_, choices)| &choices[..]);
                if !self.may_name_variable(choices, &known[number]) {
                    return Err(self.no_variable(written, choices.unwrap_or_default()));
                }
                Target::Parameter(number)
            }
            _ => {
                let message = format!("`{}` is not a variable", written.get_ref());
                return Err(Diagnostic::at(written.span(), message).label("`then` assigns to variables only"));
            }
        };
        Ok((target, collections))
    }

    /// Returns whether a parameter with these values, or a bound name, may stand for a variable.
    fn may_name_variable(&self, choices: Option<&[Term]>, known: &Parameter) -> bool {
        let world = self.names.world;
        let names_variable = |choice: &Term| matches!(choice, Term::Name(name) if world.variable(name).is_some());
        match choices {
            // Values that could not be read have an error of their own.
            Some(choices) => choices.is_empty() || choices.iter().any(names_variable),
            None => known.of == Type::ANY,
        }
    }

    /// Returns the error about a target that is a parameter or a bound name, and never a variable.
    fn no_variable(&self, written: &Spanned<String>, choices: &[Term]) -> Diagnostic {
        let name = choices.iter().find_map(|choice| if let Term::Name(name) = choice { Some(&**name) } else { None });
        let arrays = self.names.world.arrays.iter().filter(|array| array.bounds.is_empty());
        let known: Vec<&str> = arrays.map(|array| array.name.as_str()).collect();
        let message = format!("`{}` is not a variable, and none of its values is the name of one", written.get_ref());
        let error = Diagnostic::at(written.span(), message).label("`then` assigns to variables only");
        error.help(unknown_name(name.unwrap_or(written.get_ref()), known))
    }

    /// Reads the name of a rule's moves: text with names in braces.
    fn name(&self, text: &Spanned<String>, rule: &Rule) -> Result<Vec<NamePart>, Diagnostic> {
        let (drawing, parameters) = (rule.drawing.as_ref(), &rule.parameters);
        let (images, has_image) = (rule.images(), drawing.is_some() || rule.shift.is_some());
        // With `all`, a move has no place, and the letters of sets match many symbols.
        let placed = drawing.filter(|_| !rule.all);
        let written = text.get_ref();
        let places = SourceMap::of(text, self.file.source);
        // The places of further drawings.
        let further = &["at2", "at3", "at4"][..rule.further.len()];
        let anchor = placed.map_or((0, 0), |drawing| drawing.at);
        let mut parts = Vec::new();
        let mut is_placed = !has_image;
        let mut rest = 0;
        while let Some(open) = written[rest..].find('{').map(|at| rest + at) {
            parts.push(NamePart::Text(written[rest..open].to_owned()));
            let Some(close) = written[open..].find('}').map(|at| open + at) else {
                return Err(Diagnostic::at(places.span(open..written.len()), "unclosed `{`").label("missing `}`"));
            };
            let inner = written[open + 1..close].trim();
            let parameter = parameters.iter().position(|(name, _)| name == inner);
            let is_set = |(letter, _): &(char, Vec<Value>)| inner.chars().eq([*letter]);
            let set = placed.and_then(|drawing| drawing.sets.iter().position(is_set));
            let cell = inner
                .split_once(',')
                .and_then(|(row, column)| Some((row.trim().parse().ok()?, column.trim().parse().ok()?)));
            let on_drawing = |(row, column): &(usize, usize)| {
                placed.is_some_and(|drawing| *row < drawing.height && *column < drawing.width)
            };
            is_placed |= parameter.is_none() && set.is_none();
            parts.push(match (parameter, set, cell.filter(on_drawing)) {
                (Some(parameter), ..) => NamePart::Parameter(parameter),
                (None, Some(set), _) => NamePart::Set(set),
                (None, None, Some((row, column))) => NamePart::Place(row, column),
                (None, None, None) if inner == "at" && has_image && !rule.all => NamePart::Place(anchor.0, anchor.1),
                (None, None, None) if inner == "direction" && has_image => NamePart::Direction,
                (None, None, None) if further.contains(&inner) => {
                    NamePart::PlaceOf(further.iter().position(|known| *known == inner).unwrap_or_default())
                }
                _ => {
                    let mut known: Vec<String> = parameters.iter().map(|(name, _)| format!("{{{name}}}")).collect();
                    let letters = placed.into_iter().flat_map(|drawing| &drawing.sets);
                    known.extend(letters.map(|(letter, _)| format!("{{{letter}}}")));
                    known.extend(["{at}"].iter().filter(|_| has_image && !rule.all).map(|name| (*name).to_owned()));
                    known.extend(["{direction}"].iter().filter(|_| has_image).map(|name| (*name).to_owned()));
                    known.extend(["{0,0}"].iter().filter(|_| placed.is_some()).map(|name| (*name).to_owned()));
                    known.extend(further.iter().map(|name| format!("{{{name}}}")));
                    let help = if inner == RUN && drawing.is_some() {
                        NO_RUN.to_owned()
                    } else if known.is_empty() {
                        "braces need `for` or a drawing in the rule".to_owned()
                    } else {
                        expected_names(known.iter().map(String::as_str))
                    };
                    let error = Diagnostic::at(places.span(open..close + 1), format!("unknown name `{inner}`"));
                    let error = if rule.all { error.label("with `all`, a move has no place") } else { error };
                    return Err(error.help(help));
                }
            });
            rest = close + 1;
        }
        parts.push(NamePart::Text(written[rest..].to_owned()));
        if !is_placed {
            let space = || NamePart::Text(" ".to_owned());
            if !rule.all {
                parts.extend([space(), NamePart::Place(anchor.0, anchor.1)]);
                parts.extend((0..further.len()).flat_map(|other| [space(), NamePart::PlaceOf(other)]));
            }
            if images.len() > 1 {
                parts.extend([space(), NamePart::Direction]);
            }
        }
        parts.retain(|part| *part != NamePart::Text(String::new()));
        if parts.is_empty() || written.split(' ').any(str::is_empty) || written.contains(crate::diagnostic::steers) {
            let error = Diagnostic::at(text.span(), "invalid name of a rule");
            return Err(error.label("expected words with single spaces between them"));
        }
        if let Some(word) = self.numbered_word(&parts, drawing, parameters) {
            let error = Diagnostic::at(text.span(), format!("the name of a move can contain `{word}`"));
            return Err(error.label("`#2` is reserved: it marks the second of several moves with one name"));
        }
        Ok(parts)
    }

    /// Returns a word of a move's name that may begin with `#` and a digit: such suffixes number moves with equal
    /// names.
    fn numbered_word(
        &self,
        parts: &[NamePart],
        drawing: Option<&RewritePattern>,
        parameters: &[(String, Vec<Term>)],
    ) -> Option<String> {
        let texts = |part: &NamePart| -> Vec<String> {
            match part {
                NamePart::Text(text) => vec![text.clone()],
                NamePart::Parameter(number) => {
                    parameters[*number].1.iter().map(|value| self.names.world.written(value)).collect()
                }
                NamePart::Set(set) => {
                    // All cells have the same values.
                    let symbols = self.names.world.values.first().map_or(&[][..], |symbols| &symbols[..]);
                    let matched = drawing.map_or(&[][..], |drawing| &drawing.sets[*set].1);
                    matched.iter().map(|&value| symbols[usize::from(value)].to_string()).collect()
                }
                NamePart::Direction => vec![String::new()],
                NamePart::Place(..) | NamePart::PlaceOf(_) => vec!["1,1".to_owned()],
            }
        };
        // The relevant suffixes of all texts so far: the start of a word, or a word that is `#` so far.
        let mut ends = vec![" "];
        for part in parts {
            let mut longer = Vec::new();
            for text in texts(part) {
                for end in &ends {
                    let text = format!("{end}{text}");
                    let at = text
                        .match_indices(" #")
                        .find(|(at, _)| text[at + 2..].starts_with(|c: char| c.is_ascii_digit()));
                    if let Some((at, _)) = at {
                        return text[at + 1..].split(' ').next().map(str::to_owned);
                    }
                    let word = text.rfind(' ').map_or("?", |space| &text[space..]);
                    longer.push([" ", " #"].into_iter().find(|end| *end == word).unwrap_or("?"));
                }
            }
            ends = sorted(longer);
        }
        None
    }
}

/// Marks the letters that expressions of a rule read, and those that targets depend on.
fn find_readers(rule: &mut Rule) {
    let mut read: Vec<(usize, bool)> = Vec::new();
    let mut find = |expr: &Expr, is_target: bool| {
        visit(expr, &mut |part| {
            if let Kind::Letter(number) = part.kind {
                read.push((number, is_target));
            }
        });
    };
    rule.expressions().for_each(|expr| find(expr, false));
    rule.then.iter().flat_map(Assignment::of_target).for_each(|expr| find(expr, true));
    // Letters follow the parameters.
    for (number, is_target) in read {
        let letter = &mut rule.letters[number - rule.parameters.len()];
        letter.is_read = true;
        letter.is_in_target |= is_target;
    }
}
