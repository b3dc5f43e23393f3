//! How symbols look in pictures: as the file says, else as one would guess.

use super::model::{Look, Model, Shape};
use super::task::Value;
use crate::picture::{Form, Ground, Paint};

/// The looks of all symbols.
pub(super) struct Looks {
    /// By symbol.
    symbols: Vec<(char, Look)>,
    /// By cell, whether what stands there never changes.
    still: Vec<bool>,
}

impl Looks {
    /// `reached` tells how many values each variable can come to have.
    pub fn new(model: &Model, reached: &[usize]) -> Looks {
        let still = reached[..model.world.cells()].iter().map(|&values| values == 1).collect();
        let mut hues = 0;
        let look = |&symbol: &char| {
            let said = model.looks.get(&symbol).copied().unwrap_or_default();
            let mut guess = guessed(symbol);
            if let (Some(Paint::Hue(hue)), None) = (&mut guess.paint, said.paint) {
                *hue = hues;
                hues += 1;
            }
            (symbol, Look { paint: said.paint.or(guess.paint), shape: said.shape.or(guess.shape) })
        };
        Looks { symbols: model.symbols.iter().map(look).collect(), still }
    }

    fn shape(&self, cell: usize, value: Value) -> Shape {
        match self.symbols[usize::from(value)] {
            // What looks like a wall and comes and goes is a thing.
            ('#', Look { shape: Some(Shape::Ground(Ground::Wall)), .. }) if !self.still[cell] => {
                Shape::Figure(Form::Block)
            }
            (_, look) => look.shape.unwrap_or(Shape::Figure(Form::Block)),
        }
    }

    /// What a cell with a symbol is made of.
    pub fn ground(&self, cell: usize, value: Value) -> Ground {
        match self.shape(cell, value) {
            Shape::Ground(ground) => ground,
            Shape::Figure(_) => Ground::Floor,
        }
    }

    /// What stands there: its label, its colour, its form.
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

/// Whether a symbol of which nothing is said is a part of the ground.
pub(super) fn is_ground(symbol: char) -> bool {
    matches!(guessed(symbol).shape, Some(Shape::Ground(_)))
}

/// How a symbol looks of which nothing is said; hues are counted by those who ask.
fn guessed(symbol: char) -> Look {
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
