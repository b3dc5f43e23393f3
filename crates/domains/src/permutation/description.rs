//! The keys of a permutation puzzle, and their validation.

use super::colors;
use super::cycles;
use super::images::{Place, compose, identity, power_of};
use super::instance::{MOST_PLACEMENTS, Permutations};
use super::layout::DrawingLayout;
use super::listing::{Labels, Listing, arrangements};
use super::ranking::MOST_MEMBERS;
use super::scramble;
use super::setup::{
    Generator, Label, MOST_ARRANGED, MOST_ARRANGEMENTS, MOST_GENERATORS, MOST_IMAGES, MOST_MOVES, MOST_SCRAMBLE_WORK,
    Metric, Setup,
};
use super::word;
use crate::diagnostic::Diagnostic;
use crate::document::{DeValue, FromToml, Keys, Node, Spanned};
use crate::domain::{FileContext, Instance, LONGEST_NAME};
use std::collections::{BTreeMap, HashMap};

/// The values of the keys.
struct Permutation {
    /// The solved arrangements; empty if the key is missing.
    solved: Vec<Spanned<Listing>>,
    rotations: Vec<Spanned<String>>,
    start: Option<Spanned<Listing>>,
    scramble: Option<Spanned<Scramble>>,
    moves: Option<Spanned<BTreeMap<String, Spanned<String>>>>,
    metric: Option<Spanned<Metric>>,
    layout: Option<Spanned<String>>,
    colors: BTreeMap<String, Spanned<String>>,
    pattern_database: Option<Spanned<Vec<Vec<Spanned<u32>>>>>,
}

/// The value of `scramble`.
enum Scramble {
    /// Moves in notation.
    Word(String),
    /// A number of random moves; without it, a uniformly random solvable position.
    Drawn { moves: Option<u32>, seed: Option<u64> },
}

impl FromToml for Scramble {
    fn from_toml(node: Node) -> Option<Scramble> {
        match node.value() {
            DeValue::String(_) => node.read().map(Scramble::Word),
            DeValue::Table(_) => {
                let keys = node.keys(&["moves", "seed"])?;
                Some(Scramble::Drawn { moves: keys.take("moves"), seed: keys.take("seed") })
            }
            _ => node.wrong_type("a string of moves, or a table with `seed` and, if wanted, `moves`"),
        }
    }
}

impl FromToml for Metric {
    fn from_toml(node: Node) -> Option<Metric> {
        node.choice(&[Metric::Power, Metric::Generator].map(|metric| (metric.name(), metric)))
    }
}

/// Reads a puzzle.
///
/// # Errors
/// Reports every mistake in the keys.
pub(super) fn read(keys: &Keys, file: &FileContext) -> Result<Box<dyn Instance>, Vec<Diagnostic>> {
    let (solved, start) = (keys.take::<Spanned<Listing>>("solved"), keys.take::<Spanned<Listing>>("start"));
    let solved = solved.map(|solved| arrangements(solved, start.as_ref().map(Spanned::get_ref)));
    let description = Permutation {
        solved: solved.unwrap_or_default(),
        rotations: keys.take("rotations").unwrap_or_default(),
        start,
        scramble: keys.take("scramble"),
        moves: keys.take("moves"),
        metric: keys.take("metric"),
        layout: keys.take("layout"),
        colors: keys.take("colors").unwrap_or_default(),
        pattern_database: keys.take("pattern_database"),
    };
    description.open(file)
}

impl Permutation {
    fn open(self, file: &FileContext) -> Result<Box<dyn Instance>, Vec<Diagnostic>> {
        let source = file.source;
        let mut errors = Vec::new();
        let example = "solved = [1, 2, 3, 4]";
        let solved = file.required("solved", example, self.solved.first());
        let labels = solved.and_then(|solved| Labels::read(solved, source)).map_err(|wrong| errors.extend(wrong)).ok();
        let metric = self.metric.as_ref().map_or(Metric::Power, |metric| *metric.get_ref());
        // Even if the places are unknown, the cycles are read, to find their other mistakes.
        let places = labels.as_ref().map_or(super::setup::MOST_PLACES, |labels| labels.solved.len());
        let generators = self.generators(file, places, metric).map_err(|wrong| errors.extend(wrong)).ok();
        let others = labels.as_ref().map(|labels| self.others(labels, source));
        let others = others.unwrap_or(Ok(Vec::new())).map_err(|wrong| errors.extend(wrong)).ok();
        let rotations = self.rotations(places, generators.as_deref(), source);
        let rotations = rotations.map_err(|wrong| errors.extend(wrong)).ok();
        let start = self.start(file, labels.as_ref(), generators.as_deref()).map_err(|wrong| errors.extend(wrong)).ok();
        let colors = colors::read(&self.colors, labels.as_ref().map_or(&[], |labels| &labels.names));
        let colors = colors.map_err(|wrong| errors.extend(wrong.into_iter().filter(|_| labels.is_some()))).ok();
        let layout = self.layout.as_ref().filter(|_| labels.is_some());
        let layout = layout.map(|layout| DrawingLayout::read(layout, places, source)).transpose();
        let layout = layout.map_err(|wrong| errors.extend(wrong)).ok().flatten();
        let groups = self.pattern_database.as_ref().filter(|_| labels.is_some());
        let groups = groups.map(|groups| read_groups(groups, places)).transpose();
        let groups = groups.map_err(|wrong| errors.extend(wrong)).ok().flatten();
        let (Some(Labels { names, solved, textual }), Some(others), Some(rotations)) = (labels, others, rotations)
        else {
            return Err(errors);
        };
        let (Some(colors), Some(generators), Some(start), []) = (colors, generators, start, &errors[..]) else {
            return Err(errors);
        };
        let mut setup = Setup {
            labels: names,
            colors,
            textual,
            start: solved.clone(),
            solved,
            others,
            rotations,
            generators,
            metric,
            layout,
            groups,
        };
        let Some(arrangements) = setup.arrangements() else {
            let key = self.rotations.first().map(Spanned::span).or(self.solved.first().map(Spanned::span));
            let message = "too many solved arrangements";
            let most = MOST_ARRANGEMENTS.min(MOST_ARRANGED / setup.places());
            let label = format!("at most {most} on {} places", setup.places());
            return Err(vec![Diagnostic::at(key.unwrap_or(0..0), message).label(label)]);
        };
        let scrambled = !matches!(start, Start::Listed(_));
        let walked = match &start {
            Start::Listed(_) => 0,
            Start::Word(word) => word.len() as u64,
            Start::Drawn { moves, .. } => u64::from(moves.unwrap_or(0)),
        };
        let most = MOST_SCRAMBLE_WORK / setup.places() as u64;
        if walked > most {
            let span = self.scramble.as_ref().map_or(0..0, Spanned::span);
            let message = format!("the scramble has too many moves: {walked}");
            let label = format!("at most {most} on {} places", setup.places());
            return Err(vec![Diagnostic::at(span, message).label(label)]);
        }
        setup.start = match start {
            Start::Listed(start) => start,
            Start::Word(word) => {
                let mut images = HashMap::new();
                word.into_iter().fold(setup.start.clone(), |position, (generator, power)| {
                    let image = || power_of(&setup.generators[generator].image, power);
                    Setup::moved(&position, images.entry((generator, power)).or_insert_with(image))
                })
            }
            Start::Drawn { moves, seed } => match scramble::scrambled(&setup, moves, seed, file.context) {
                Some(start) => start,
                None => {
                    let span = self.scramble.as_ref().map_or(0..0, Spanned::span);
                    let message = "the generators have too many positions to draw the start from all of them";
                    let help = "give the number of moves: scramble = { moves = 100, seed = 7 }";
                    return Err(vec![Diagnostic::at(span, message).help(help)]);
                }
            },
        };
        let puzzle = Permutations::new(setup, arrangements, scrambled);
        if let Some(groups) = &self.pattern_database {
            let too_large = |number: usize| {
                let label = format!("at most {MOST_PLACEMENTS} placements and {MOST_MEMBERS} labels in a group");
                Diagnostic::at(groups.span(), format!("group {} is too large", number + 1)).label(label)
            };
            let errors: Vec<Diagnostic> = puzzle.too_large().into_iter().map(too_large).collect();
            if !errors.is_empty() {
                return Err(errors);
            }
        }
        Ok(Box::new(puzzle))
    }
}

/// The start that the file describes.
enum Start {
    Listed(Vec<Label>),
    Word(Vec<(usize, u64)>),
    Drawn { moves: Option<u32>, seed: u64 },
}

impl Permutation {
    /// Returns the generators, in the order of the file.
    fn generators(&self, file: &FileContext, places: usize, metric: Metric) -> Result<Vec<Generator>, Vec<Diagnostic>> {
        let example = "T = \"(1 2 3)\", below a line [moves]";
        let moves = file.required("moves", example, self.moves.as_ref())?;
        let mut written: Vec<(&String, &Spanned<String>)> = moves.get_ref().iter().collect();
        written.sort_by_key(|(_, cycles)| cycles.span().start);
        let mut errors = Vec::new();
        let mut generators = Vec::new();
        for (name, cycles) in written {
            if !(1..=LONGEST_NAME).contains(&name.len()) || !name.chars().all(char::is_alphabetic) {
                let message = format!("invalid name `{name}` for a generator");
                let help = "expected letters only: `T2` and `T'` are powers of `T`";
                errors.push(Diagnostic::at(cycles.span(), message).help(help));
            }
            match cycles::read(name, cycles, places, file.source) {
                Err(wrong) => errors.extend(wrong),
                Ok(generator) => {
                    if metric == Metric::Power && generator.order > MOST_MOVES {
                        let message = format!("the generator `{name}` has {} powers", generator.order - 1);
                        let error = Diagnostic::at(cycles.span(), message).label(format!("at most {MOST_MOVES}"));
                        let help = "use `metric = \"generator\"`: only the generator and its inverse are moves then";
                        errors.push(error.help(help));
                    }
                    if metric == Metric::Generator && generator.order == u64::MAX {
                        let message = format!("the generator `{name}` has an order of 2^64 or more");
                        let error = Diagnostic::at(cycles.span(), message);
                        errors.push(error.help("leave out cycles, so that fewer powers of it differ"));
                    }
                    generators.push(generator);
                }
            }
        }
        let refused = file.findings.refused_within("moves");
        if moves.get_ref().is_empty() && !refused {
            let empty = Diagnostic::at(moves.span(), "`moves` is empty: expected at least one generator");
            errors.push(empty.help("for example: T = \"(1 2 3)\""));
        }
        let powers = |generator: &Generator| if metric == Metric::Power { generator.order - 1 } else { 2 };
        let count = generators.iter().map(powers).fold(0, u64::saturating_add);
        if errors.is_empty()
            && (generators.len() > MOST_GENERATORS || count > MOST_MOVES || count * places as u64 > MOST_IMAGES)
        {
            let message =
                format!("too many moves: {} generators have {count} moves on {places} places", generators.len());
            let label = format!(
                "at most {MOST_GENERATORS} generators, {MOST_MOVES} moves, and {MOST_IMAGES} for moves times places"
            );
            errors.push(Diagnostic::at(moves.span(), message).label(label));
        }
        if errors.is_empty() && !refused { Ok(generators) } else { Err(errors) }
    }

    /// Reads the solved arrangements after the first.
    fn others(&self, labels: &Labels, source: &str) -> Result<Vec<Vec<Label>>, Vec<Diagnostic>> {
        let mut errors = Vec::new();
        let mut others = Vec::new();
        for listing in self.solved.iter().skip(1) {
            match labels.position("this arrangement", listing, source) {
                Ok(position) => others.push(position),
                Err(wrong) => errors.extend(wrong),
            }
        }
        if errors.is_empty() { Ok(others) } else { Err(errors) }
    }

    /// Reads the rotations: cycles of places, or words in the generators.
    fn rotations(
        &self,
        places: usize,
        generators: Option<&[Generator]>,
        source: &str,
    ) -> Result<Vec<Vec<Place>>, Vec<Diagnostic>> {
        let mut errors = Vec::new();
        let mut rotations = Vec::new();
        for written in &self.rotations {
            if written.get_ref().trim_start().starts_with('(') || written.get_ref().trim().is_empty() {
                match cycles::read_named("the rotation", "", written, places, source) {
                    Ok(rotation) => rotations.push(rotation.image),
                    Err(wrong) => errors.extend(wrong),
                }
                continue;
            }
            let Some(generators) = generators else { continue };
            match word::read(written, generators, source) {
                Ok(word) => rotations.push(word.into_iter().fold(identity(places), |image, (generator, power)| {
                    compose(&image, &power_of(&generators[generator].image, power))
                })),
                Err(wrong) => errors.extend(wrong),
            }
        }
        if errors.is_empty() { Ok(rotations) } else { Err(errors) }
    }

    /// Reads the start from whichever key describes it.
    fn start(
        &self,
        file: &FileContext,
        labels: Option<&Labels>,
        generators: Option<&[Generator]>,
    ) -> Result<Start, Vec<Diagnostic>> {
        match (&self.start, &self.scramble) {
            (Some(_), Some(scramble)) => Err(vec![
                Diagnostic::at(scramble.span(), "`scramble` cannot be combined with `start`")
                    .label("`start` gives the whole position")
                    .help("give either `start` or `scramble`"),
            ]),
            (Some(start), None) => {
                let Some(labels) = labels else { return Err(Vec::new()) };
                labels.position("the start", start, file.source).map(Start::Listed)
            }
            (None, Some(scramble)) => match scramble.get_ref() {
                Scramble::Word(text) => {
                    let Some(generators) = generators else { return Err(Vec::new()) };
                    let text = Spanned::new(scramble.span(), text.clone());
                    word::read(&text, generators, file.source).map(Start::Word)
                }
                &Scramble::Drawn { moves, seed: Some(seed) } => Ok(Start::Drawn { moves, seed }),
                Scramble::Drawn { seed: None, .. } => {
                    let refused = file.findings.refused("scramble.seed");
                    let missing = Diagnostic::at(scramble.span(), "missing key `seed` in `scramble`");
                    Err(if refused {
                        Vec::new()
                    } else {
                        vec![missing.help("for example: scramble = { moves = 100, seed = 7 }")]
                    })
                }
            },
            (None, None) => {
                let tried = ["start", "scramble"].iter().any(|key| file.findings.refused(key));
                let missing = file.missing("start", "start = [4, 3, 2, 1]");
                let or = "; or use scramble = \"T S T'\", or scramble = { moves = 100, seed = 7 }";
                let help = missing.help.clone().unwrap_or_default() + or;
                Err(if tried { Vec::new() } else { vec![missing.help(help)] })
            }
        }
    }
}

/// Reads the groups of places of the pattern databases.
fn read_groups(groups: &Spanned<Vec<Vec<Spanned<u32>>>>, places: usize) -> Result<Vec<Vec<Place>>, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    for group in groups.get_ref() {
        let mut seen = vec![false; places];
        for place in group {
            let number = *place.get_ref() as usize;
            match seen.get_mut(number.wrapping_sub(1)) {
                None => errors.push(
                    Diagnostic::at(place.span(), format!("unknown place {number}"))
                        .label(format!("expected 1 to {places}")),
                ),
                Some(seen) => {
                    if std::mem::replace(seen, true) {
                        let message = format!("place {number} appears more than once in this group");
                        errors.push(Diagnostic::at(place.span(), message).label("remove it here"));
                    }
                }
            }
        }
    }
    let places =
        |group: &Vec<Spanned<u32>>| group.iter().map(|place| (*place.get_ref() - 1) as Place).collect::<Vec<_>>();
    if errors.is_empty() {
        Ok(groups.get_ref().iter().filter(|group| !group.is_empty()).map(places).collect())
    } else {
        Err(errors)
    }
}
