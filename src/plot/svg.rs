//! The SVG writer: elements with attributes, and text between them. Charts and the pictures in `render` use it.

use crate::diagnostic::escape;
use std::fmt::{Display, Write as _};

/// An attribute: its name, and a value that the program generates. Text from a puzzle file must pass [`escape`] first.
pub(crate) type Attribute<'a> = (&'a str, &'a dyn Display);

/// A document, or a part of one, under construction.
#[derive(Default)]
pub(crate) struct Svg {
    out: String,
}

impl Svg {
    /// Opens an element, which [`close`](Svg::close) ends.
    pub fn open(&mut self, name: &str, attributes: &[Attribute]) -> &mut Svg {
        self.begin(name, attributes).raw(">")
    }

    /// Closes an element.
    pub fn close(&mut self, name: &str) -> &mut Svg {
        self.raw("</").raw(name).raw(">")
    }

    /// Writes an element with nothing in it.
    pub fn empty(&mut self, name: &str, attributes: &[Attribute]) -> &mut Svg {
        self.begin(name, attributes).raw("/>")
    }

    /// Writes text, escaped.
    pub fn text(&mut self, text: &str) -> &mut Svg {
        self.raw(&escape(text))
    }

    /// Writes SVG or a style sheet unchanged.
    pub fn raw(&mut self, part: &str) -> &mut Svg {
        self.out += part;
        self
    }

    /// Ends a line.
    pub fn line(&mut self) -> &mut Svg {
        self.raw("\n")
    }

    /// Returns whether nothing has been written yet.
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// Returns the document so far.
    pub fn as_str(&self) -> &str {
        &self.out
    }

    /// Returns the document.
    pub fn finish(self) -> String {
        self.out
    }

    fn begin(&mut self, name: &str, attributes: &[Attribute]) -> &mut Svg {
        self.raw("<").raw(name);
        for (name, value) in attributes {
            let _ = write!(self.out, " {name}=\"{value}\"");
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_nest_and_text_is_escaped() {
        let mut svg = Svg::default();
        svg.open("g", &[("id", &"a")]).empty("rect", &[("x", &1.5), ("y", &2)]).line();
        svg.open("text", &[]).text("a<b\u{1b}").close("text").close("g");
        assert_eq!(svg.finish(), "<g id=\"a\"><rect x=\"1.5\" y=\"2\"/>\n<text>a&lt;b\u{fffd}</text></g>");
    }
}
