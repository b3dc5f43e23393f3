//! A heuristic value in parts, for people.

/// The parts of a heuristic value, which add up to it. Parts of value 0 may be left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parts {
    /// The choice among several sums, such as a maximum; empty if there is none.
    pub choice: String,
    /// The summands; none if the value has no parts.
    pub all: Vec<Part>,
}

/// A part of a heuristic value.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The name: `tile 5`.
    pub name: String,
    /// The value.
    pub value: f64,
    /// The labels of the figures that it depends on.
    pub figures: Vec<String>,
    /// The cells that it depends on, as rows and columns from 0.
    pub cells: Vec<(usize, usize)>,
}

impl Part {
    /// Creates a part that depends on figures with these labels.
    pub fn of<L: ToString>(
        name: impl Into<String>,
        value: impl Into<f64>,
        labels: impl IntoIterator<Item = L>,
    ) -> Part {
        let figures = labels.into_iter().map(|label| label.to_string()).collect();
        Part { name: name.into(), value: value.into(), figures, cells: Vec::new() }
    }
}

impl Parts {
    /// Returns a sum of parts, without those of value 0.
    pub fn sum(parts: impl IntoIterator<Item = Part>) -> Parts {
        Parts { choice: String::new(), all: parts.into_iter().filter(|part| part.value != 0.0).collect() }
    }

    /// Adds the words for a choice: that of the greatest of several sums, unless there is only one.
    #[must_use]
    pub fn greatest_of(mut self, count: usize, sums: &str) -> Parts {
        if count > 1 && !self.all.is_empty() {
            let more = if self.choice.is_empty() { String::new() } else { format!("; {}", self.choice) };
            self.choice = format!("the greatest of {count} {sums}{more}");
        }
        self
    }
}
