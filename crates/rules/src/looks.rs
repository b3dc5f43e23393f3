//! The appearance of symbols in pictures: as the file specifies, with defaults by symbol.

use super::model::{Look, Model, Shape};
use super::task::Value;
use crate::picture::{Form, Ground, Paint};

/// The appearance of all symbols.
pub(super) struct Looks {
    /// The appearance of each symbol.
    symbols: Vec<(char, Look)>,
    /// For each cell, true if its content never changes.
    unchanging: Vec<bool>,
}

impl Looks {
    /// Creates the appearance of a model's symbols. `reached` holds the number of reachable values of each variable.
    pub fn new(model: &Model, reached: &[usize]) -> Looks {
        let unchanging = reached[..model.world.cells()].iter().map(|&values| values == 1).collect();
        let mut hues = 0;
        let look = |&symbol: &char| {
            let specified = model.looks.get(&symbol).copied().unwrap_or_default();
            let mut default = default_look(symbol);
            if let (Some(Paint::Hue(hue)), None) = (&mut default.paint, specified.paint) {
                *hue = hues;
                hues += 1;
            }
            (symbol, Look { paint: specified.paint.or(default.paint), shape: specified.shape.or(default.shape) })
        };
        Looks { symbols: model.symbols.iter().map(look).collect(), unchanging }
    }

    fn shape(&self, cell: usize, value: Value) -> Shape {
        match self.symbols[usize::from(value)] {
            // A `#` that comes and goes is a figure, not a wall.
            ('#', Look { shape: Some(Shape::Ground(Ground::Wall)), .. }) if !self.unchanging[cell] => {
                Shape::Figure(Form::Block)
            }
            (_, look) => look.shape.unwrap_or(Shape::Figure(Form::Block)),
        }
    }

    /// Returns the ground of a cell with a symbol.
    pub fn ground(&self, cell: usize, value: Value) -> Ground {
        match self.shape(cell, value) {
            Shape::Ground(ground) => ground,
            Shape::Figure(_) => Ground::Floor,
        }
    }

    /// Returns the label, colour and form of the figure on a cell, if there is one.
    pub fn figure(&self, cell: usize, value: Value) -> Option<(String, Paint, Form)> {
        let Shape::Figure(form) = self.shape(cell, value) else { return None };
        let (symbol, look) = self.symbols[usize::from(value)];
        let label = if form == Form::Token && (symbol == 'o' || !symbol.is_alphanumeric()) {
            String::new()
        } else {
            symbol.to_string()
        };
        Some((label, look.paint.unwrap_or(Paint::Plain), form))
    }
}

/// Returns whether a symbol is part of the ground by default.
pub(super) fn is_default_ground(symbol: char) -> bool {
    matches!(default_look(symbol).shape, Some(Shape::Ground(_)))
}

/// Returns the default appearance of a symbol; the caller numbers the hues.
fn default_look(symbol: char) -> Look {
    let (paint, shape) = match symbol {
        '#' => (Paint::Plain, Shape::Ground(Ground::Wall)),
        '.' => (Paint::Plain, Shape::Ground(Ground::Floor)),
        '_' | '~' => (Paint::Plain, Shape::Ground(Ground::Void)),
        '@' => (Paint::Accent, Shape::Figure(Form::Token)),
        'o' | 'O' | '*' => (Paint::Hue(0), Shape::Figure(Form::Token)),
        _ => (Paint::Hue(0), Shape::Figure(Form::Block)),
    };
    Look { paint: Some(paint), shape: Some(shape) }
}
