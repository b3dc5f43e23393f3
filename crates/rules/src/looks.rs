//! The appearance of symbols and of values in pictures: as the file specifies, with defaults.

use super::expression::Term;
use super::model::{Model, Shape, SpriteText, SymbolAppearance};
use super::task::Value;
use crate::picture::{Form, Ground, Paint, Sprite};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The label, the colour and the form of a figure.
pub(super) type Appearance = (String, Paint, Form);

/// The colours of walls and gates that come and go.
const WALL: [u8; 3] = [0x4a, 0x54, 0x64];
const GATE: [u8; 3] = [0x8d, 0x97, 0xa6];

/// The appearance of all symbols and values.
pub(super) struct Looks {
    /// The appearance of each symbol.
    symbols: Vec<SymbolLook>,
    /// The looks that the file specifies, by symbol, value or name.
    specified: BTreeMap<String, SymbolAppearance>,
    /// The symbol of the common floor, `.`, if the file gives it a colour.
    floor: Option<Value>,
    /// The ground of cells with figures, and of the common floor.
    common: Ground,
    /// For each cell, true if its content never changes.
    unchanging: Vec<bool>,
    pub sprites: Arc<[Sprite]>,
}

/// The appearance of a symbol.
struct SymbolLook {
    symbol: char,
    paint: Paint,
    shape: Shape,
    /// True if the file gives its colour, or its shape.
    is_coloured: bool,
    is_shaped: bool,
}

impl Looks {
    /// Creates the appearance of a model's symbols. `reached` holds the number of reachable values of each variable.
    pub fn new(model: &Model, reached: &[usize]) -> Looks {
        let unchanging = reached[..model.world.cells()].iter().map(|&values| values == 1).collect();
        let mut hues = 0;
        let look = |&symbol: &char| {
            let specified = model.looks.get(&symbol.to_string()).cloned().unwrap_or_default();
            let (mut paint, shape) = default_look(symbol);
            if let (Paint::Hue(hue), None) = (&mut paint, specified.paint()) {
                *hue = hues;
                hues += 1;
            }
            SymbolLook {
                symbol,
                paint: specified.paint().unwrap_or(paint),
                shape: specified.shape.unwrap_or(shape),
                is_coloured: specified.paint().is_some(),
                is_shaped: specified.shape.is_some(),
            }
        };
        let symbols: Vec<SymbolLook> = model.symbols.iter().map(look).collect();
        let is_flat = |look: &SymbolLook| matches!(look.shape, Shape::Ground(Ground::Floor | Ground::Hole));
        let common = symbols.iter().position(|look| look.symbol == '.' && is_flat(look));
        let floor = common.filter(|&at| symbols[at].is_coloured).map(|at| at as Value);
        let common = match common.map(|at| symbols[at].shape) {
            Some(Shape::Ground(ground)) => ground,
            _ => Ground::Floor,
        };
        let sprites = sprites(model, &symbols);
        Looks { symbols, specified: model.looks.clone(), floor, common, unchanging, sprites }
    }

    fn look(&self, value: Value) -> &SymbolLook {
        &self.symbols[usize::from(value)]
    }

    /// Returns the ground of a cell with a symbol. A wall or a gate that comes and goes stands on the floor.
    pub fn ground(&self, cell: usize, value: Value) -> Ground {
        match self.look(value).shape {
            Shape::Ground(Ground::Wall | Ground::Gate) if !self.unchanging[cell] => self.common,
            Shape::Ground(ground) => ground,
            Shape::Figure(_) | Shape::Sprite(_) => self.common,
        }
    }

    /// Returns whether a cell's content never changes, and is no figure: it may lie outside of the walls.
    pub fn is_bare(&self, cell: usize, value: Value) -> bool {
        self.unchanging[cell] && matches!(self.look(value).shape, Shape::Ground(_))
    }

    /// Returns the label, colour and form of the figure on a cell, if there is one.
    pub fn figure(&self, cell: usize, value: Value) -> Option<Appearance> {
        let SymbolLook { symbol, paint, shape, is_shaped, .. } = *self.look(value);
        match shape {
            Shape::Figure(form) => {
                let is_bare = form == Form::Token && (symbol == 'o' || !symbol.is_alphanumeric());
                Some((if is_bare { String::new() } else { symbol.to_string() }, paint, form))
            }
            Shape::Sprite(sprite) => {
                let paint = self.sprites[sprite].paint().unwrap_or(paint);
                Some((symbol.to_string(), paint, Form::Sprite(sprite)))
            }
            // By default, a `#` that comes and goes is a block such as any other.
            Shape::Ground(Ground::Wall) if !self.unchanging[cell] && symbol == '#' && !is_shaped => {
                Some((symbol.to_string(), paint, Form::Block))
            }
            Shape::Ground(Ground::Wall | Ground::Gate) if !self.unchanging[cell] => self.fill(value),
            Shape::Ground(_) => None,
        }
    }

    /// Returns the label, colour and form of what always fills a cell, if the file gives the ground there a colour or a
    /// letter of its own. `start` is the cell's symbol at the start.
    pub fn fill_of_ground(&self, cell: usize, start: Value) -> Option<Appearance> {
        let is_coloured = self.look(start).is_coloured;
        match self.look(start).shape {
            Shape::Ground(Ground::Void) => None,
            Shape::Ground(Ground::Wall | Ground::Gate) if self.unchanging[cell] => {
                self.fill(start).filter(|(label, ..)| !label.is_empty() || is_coloured)
            }
            Shape::Ground(Ground::Floor | Ground::Hole) if is_coloured => self.fill(start),
            // What moves stands on the common floor.
            _ => self.floor.and_then(|floor| self.fill(floor)),
        }
    }

    /// Returns the look of a part of the ground that has a colour or a letter of its own.
    fn fill(&self, value: Value) -> Option<Appearance> {
        let SymbolLook { symbol, paint, shape, is_coloured, .. } = *self.look(value);
        let Shape::Ground(ground) = shape else { return None };
        let is_barrier = matches!(ground, Ground::Wall | Ground::Gate);
        let label = if is_barrier && symbol.is_alphanumeric() { symbol.to_string() } else { String::new() };
        let default = if ground == Ground::Gate { GATE } else { WALL };
        Some((label, if is_coloured { paint } else { Paint::Rgb(default) }, Form::Fill))
    }

    /// Returns the ground under a variable's value, and the figure that shows the value.
    pub fn of_value(&self, values: &[Term], value: Value) -> (Ground, Option<Appearance>) {
        let term = &values[usize::from(value)];
        let (label, default, form) = default_look_of(term, value.into());
        let name = term.to_string();
        let look = self.specified.get(&name);
        let paint = look.and_then(SymbolAppearance::paint);
        match look.and_then(|look| look.shape) {
            Some(Shape::Ground(ground)) => {
                let fill = paint.filter(|_| ground != Ground::Void);
                (ground, fill.map(|paint| (String::new(), paint, Form::Fill)))
            }
            Some(Shape::Sprite(sprite)) => {
                let paint = self.sprites[sprite].paint().unwrap_or(default);
                (Ground::Floor, Some((name, paint, Form::Sprite(sprite))))
            }
            Some(Shape::Figure(form)) => {
                let is_bare = form == Form::Token && name.chars().count() > 1;
                let label = if is_bare { String::new() } else { name };
                (Ground::Floor, Some((label, paint.unwrap_or(default), form)))
            }
            None => (Ground::Floor, Some((label, paint.unwrap_or(default), form))),
        }
    }

    /// Returns the colour that the file gives a name.
    pub fn paint_named(&self, name: &str) -> Option<Paint> {
        self.specified.get(name)?.paint()
    }
}

/// Returns the sprites of the file with their colours: those of the symbol or value, or else its own one.
fn sprites(model: &Model, symbols: &[SymbolLook]) -> Arc<[Sprite]> {
    let mut sprites: Vec<Sprite> = vec![Sprite::new(1, &[]); model.sprites.len()];
    for (name, look) in &model.looks {
        let Some(Shape::Sprite(number)) = look.shape else { continue };
        let own = symbols.iter().find(|look| look.symbol.to_string() == *name).map_or(Paint::Hue(0), |look| look.paint);
        let colour =
            |at: usize| if look.colours.is_empty() { own.rgb() } else { look.colours[at % look.colours.len()] };
        sprites[number] = match &model.sprites[number] {
            SpriteText::Pixels(rows) => {
                let side = rows.iter().map(Vec::len).max().unwrap_or(0).max(rows.len());
                let row = |row: &Vec<Option<usize>>| row.iter().map(|pixel| pixel.map(colour)).collect::<Vec<_>>();
                Sprite::new(side, &rows.iter().map(row).collect::<Vec<_>>())
            }
            // It was checked when the file was read.
            SpriteText::Path(side, path) => {
                Sprite::of_path(*side, path, colour(0)).unwrap_or_else(|_| Sprite::new(1, &[]))
            }
        };
    }
    sprites.into()
}

/// Returns whether a symbol is part of the ground by default.
pub(super) fn is_default_ground(symbol: char) -> bool {
    matches!(default_look(symbol).1, Shape::Ground(_))
}

/// Returns whether a symbol is drawn as no cell by default.
pub(super) fn is_void_by_default(symbol: char) -> bool {
    default_look(symbol).1 == Shape::Ground(Ground::Void)
}

/// Returns the default colour and shape of a symbol; the caller numbers the hues.
fn default_look(symbol: char) -> (Paint, Shape) {
    match symbol {
        '#' => (Paint::Plain, Shape::Ground(Ground::Wall)),
        '.' => (Paint::Plain, Shape::Ground(Ground::Floor)),
        '_' | '~' => (Paint::Plain, Shape::Ground(Ground::Void)),
        '@' => (Paint::Accent, Shape::Figure(Form::Token)),
        'o' | 'O' | '*' => (Paint::Hue(0), Shape::Figure(Form::Token)),
        _ => (Paint::Hue(0), Shape::Figure(Form::Block)),
    }
}

/// Returns the ground and the figure of a value whose look the file does not specify.
fn default_look_of(term: &Term, number: usize) -> Appearance {
    match term {
        Term::Truth(true) => (String::new(), Paint::Accent, Form::Token),
        Term::Truth(false) => (String::new(), Paint::Plain, Form::Token),
        term => (term.to_string(), Paint::Hue(number), Form::Block),
    }
}
