//! The goal of a puzzle as people see it: drawings of what must be where, and conditions in words.

use crate::picture::Picture;

/// The greatest number of alternatives that are shown.
const MOST_ALTERNATIVES: usize = 8;

/// A goal as people see it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoalView {
    /// The alternatives, any one of which is a goal. Without any, the domain does not show goals.
    pub alternatives: Vec<Alternative>,
    /// The number of further alternatives, which are too many to be shown.
    pub more: usize,
}

/// One of several goals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alternative {
    /// The drawing of what must be where, as rows of text, each ended by a line end.
    pub drawing: Option<String>,
    /// The same as a picture, unless it is too large.
    pub picture: Option<Picture>,
    /// The conditions that the drawing does not show, and the meaning of its symbols.
    pub words: Vec<String>,
}

impl GoalView {
    /// Returns the view of some goals, any one of which will do, each of them shown by `show`.
    pub fn of<T>(goals: &[T], show: impl Fn(&T) -> Alternative) -> GoalView {
        let alternatives: Vec<Alternative> = goals.iter().take(MOST_ALTERNATIVES).map(show).collect();
        GoalView { more: goals.len() - alternatives.len(), alternatives }
    }

    /// Returns the view of a single goal.
    #[must_use]
    pub fn one(goal: Alternative) -> GoalView {
        GoalView { alternatives: vec![goal], more: 0 }
    }

    /// Returns the view of a goal that is one condition in words.
    pub fn in_words(words: impl Into<String>) -> GoalView {
        GoalView::one(Alternative { words: vec![words.into()], ..Alternative::default() })
    }

    /// Returns the drawings.
    pub fn drawings(&self) -> impl Iterator<Item = &str> {
        self.alternatives.iter().filter_map(|goal| goal.drawing.as_deref())
    }

    /// Returns the pictures.
    pub fn pictures(&self) -> impl Iterator<Item = &Picture> {
        self.alternatives.iter().filter_map(|goal| goal.picture.as_ref())
    }

    /// Returns the goal in lines: the conditions in words of each alternative, after what `describe` says about its
    /// drawing.
    pub fn lines(&self, describe: impl Fn(&Alternative) -> Vec<String>) -> Vec<String> {
        let mut lines = Vec::new();
        for goal in &self.alternatives {
            let words = describe(goal).into_iter().chain(goal.words.iter().cloned()).collect::<Vec<_>>().join("; ");
            if !words.is_empty() {
                let or = if lines.is_empty() { "" } else { "or " };
                lines.push(format!("{or}{words}"));
            }
        }
        lines.extend(self.after(self.alternatives.len()));
        lines
    }

    /// Returns the line that counts the goals after the first `shown` ones; `None` if there are no more.
    #[must_use]
    pub fn after(&self, shown: usize) -> Option<String> {
        match (self.alternatives.len() + self.more).saturating_sub(shown) {
            0 => None,
            1 => Some("or one further goal".to_owned()),
            more => Some(format!("or one of {more} further goals")),
        }
    }
}
