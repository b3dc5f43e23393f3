//! Graphs whose states are numbers in the order of discovery, for rules and heuristics from outside, such as functions of
//! an interpreted language.
//!
//! A call from outside costs far more than the search around it. So nothing is asked twice: answers are kept by the numbers
//! of the states. A graph that answers for many states in one call is asked ahead of the search: each time for at most as
//! many states as the search itself has asked for so far.

use super::goal_view::GoalView;
use super::{Notation, Searchable, Style, View, searchable};
use crate::picture::Picture;
use crate::search::Stored;
use crate::space::{Cost, Facts, Guided, InPlace, StateSpace};
use parking_lot::Mutex;
use std::ops::Range;
use std::sync::Arc;

/// A move: its own number, by which the graph names it, its cost, and the number of the state after it.
pub type Step<C> = (u32, C, u32);

/// A graph whose states are numbered from 0, the start, in the order of discovery.
pub trait Discovered<C: Cost>: Send + Sync + 'static {
    /// Returns the properties of the graph. Keys are [transient](Facts::transient_keys) in any case.
    fn facts(&self) -> Facts;

    /// Returns the most states of one call. If it is 1, nothing is asked ahead of the search.
    fn batch(&self) -> usize {
        1
    }

    /// Returns the number of states discovered so far.
    fn states(&self) -> u32;

    /// Calls `step` with the legal moves of each of these states, always in the same order: the place of the state in the list,
    /// and the move. All moves of a state follow each other, and states have the order of the list.
    fn expand(&self, states: &[u32], step: &mut dyn FnMut(usize, Step<C>));

    /// Returns whether each of these states is a goal.
    fn goals(&self, states: &[u32]) -> Vec<bool>;

    /// Returns the heuristic values of these states.
    fn h(&self, states: &[u32]) -> Vec<C>;

    /// Describes the heuristic for people.
    fn guidance(&self) -> Option<String> {
        None
    }

    /// Returns the name of a move of a state by its number.
    fn notation(&self, state: u32, action: u32) -> String;

    /// Returns a state as rows of text, each ended by a line end.
    fn draw(&self, state: u32, style: Style) -> String;

    /// Returns a picture of a state, or `None` if it is too large.
    fn picture(&self, state: u32) -> Option<Picture> {
        Some(Picture::of_text(&self.draw(state, Style::Drawn)))
    }

    /// Returns the goal for people.
    fn goal(&self) -> GoalView {
        GoalView::default()
    }
}

/// Makes such a graph searchable by every algorithm.
pub fn discovered<C: Cost>(graph: Box<dyn Discovered<C>>) -> Box<dyn Searchable>
where
    u32: Stored<C>,
{
    let asked = Arc::new(Asked { graph, answers: Mutex::default() });
    searchable(Space(Arc::clone(&asked)), Positions(asked))
}

/// A graph, and what it has answered.
struct Asked<C> {
    graph: Box<dyn Discovered<C>>,
    answers: Mutex<Answers<C>>,
}

struct Answers<C> {
    /// The moves of all expanded states.
    steps: Vec<Step<C>>,
    /// By state: the places of its moves among these, and whether the search has asked for them.
    spans: Vec<Option<(usize, usize, bool)>>,
    goals: Vec<Option<bool>>,
    h: Vec<Option<C>>,
    /// The number of states whose moves the search has asked for.
    asked: usize,
}

impl<C> Default for Answers<C> {
    fn default() -> Answers<C> {
        Answers { steps: Vec::new(), spans: Vec::new(), goals: Vec::new(), h: Vec::new(), asked: 0 }
    }
}

/// Returns the answer about a state. One that is new is asked for together with that about all newer states, if the graph
/// answers for several in one call.
fn answer<T: Copy>(
    known: &mut Vec<Option<T>>,
    state: u32,
    states: u32,
    batch: usize,
    ask: impl Fn(&[u32]) -> Vec<T>,
) -> T {
    if let Some(Some(answer)) = known.get(state as usize) {
        return *answer;
    }
    // All before the first new state have their answers, if there are several in one call.
    let asked: Vec<u32> = if batch > 1 { (known.len() as u32..states).collect() } else { vec![state] };
    known.resize(known.len().max(states as usize), None);
    asked.iter().zip(ask(&asked)).for_each(|(&state, answer)| known[state as usize] = Some(answer));
    known[state as usize].expect("there is an answer about each state")
}

impl<C: Cost> Asked<C> {
    /// Returns the places of the moves of a state among those of all.
    fn span(&self, state: u32) -> Range<usize> {
        let all = &mut *self.answers.lock();
        if let Some(Some((first, end, was_asked))) = all.spans.get_mut(state as usize) {
            all.asked += usize::from(!std::mem::replace(was_asked, true));
            return *first..*end;
        }
        let states = all.spans.len().max(self.graph.states() as usize);
        all.spans.resize(states, None);
        all.asked += 1;
        let further = self.graph.batch().min(all.asked) - 1;
        let unexpanded = (state as usize + 1..states).filter(|&other| all.spans[other].is_none());
        let batch: Vec<u32> =
            std::iter::once(state).chain(unexpanded.take(further).map(|other| other as u32)).collect();
        let mut counts = vec![0; batch.len()];
        let mut first = all.steps.len();
        self.graph.expand(&batch, &mut |place, step| {
            counts[place] += 1;
            all.steps.push(step);
        });
        for (&expanded, count) in batch.iter().zip(counts) {
            all.spans[expanded as usize] = Some((first, first + count, expanded == state));
            first += count;
        }
        let (first, end, _) = all.spans[state as usize].expect("the state is expanded");
        first..end
    }

    fn is_goal(&self, state: u32) -> bool {
        let mut all = self.answers.lock();
        answer(&mut all.goals, state, self.graph.states(), self.graph.batch(), |states| self.graph.goals(states))
    }

    fn h(&self, state: u32) -> C {
        let mut all = self.answers.lock();
        answer(&mut all.h, state, self.graph.states(), self.graph.batch(), |states| self.graph.h(states))
    }

    /// Returns a legal move by its place among those of a state.
    fn step(&self, state: u32, place: u32) -> Step<C> {
        let span = self.span(state);
        self.answers.lock().steps[span.start + place as usize]
    }
}

/// The state space of a graph. A move is its place among those of the state.
struct Space<C>(Arc<Asked<C>>);

impl<C: Cost> StateSpace for Space<C> {
    type Key = u32;
    type Action = u32;
    type Cost = C;

    fn facts(&self) -> Facts {
        Facts { transient_keys: true, ..self.0.graph.facts() }
    }

    fn is_goal(&self, &state: &u32) -> bool {
        self.0.is_goal(state)
    }

    fn expand(&self, &state: &u32, mut child: impl FnMut(u32, C, u32)) {
        // Not under the lock: the search asks for h of the children.
        for (place, at) in (0..).zip(self.0.span(state)) {
            let (_, cost, next) = self.0.answers.lock().steps[at];
            child(place, cost, next);
        }
    }
}

impl<C: Cost> Guided for Space<C> {
    fn h(&self, &state: &u32) -> C {
        self.0.h(state)
    }

    fn guidance(&self) -> Option<String> {
        self.0.graph.guidance()
    }

    /// The graph is asked about several states in one call, and which these are depends on the order of the questions.
    fn is_order_independent(&self) -> bool {
        false
    }
}

impl<C: Cost> InPlace for Space<C> {
    type State = u32;
    /// The state before the move.
    type Undo = u32;
    /// The state before the last move.
    type Trail = Option<u32>;
    type Actions<'a> = Range<u32>;

    fn initial(&self) -> u32 {
        0
    }

    fn pack(&self, &state: &u32) -> u32 {
        state
    }

    fn unpack(&self, &key: &u32) -> u32 {
        key
    }

    fn actions(&self, &state: &u32) -> Self::Actions<'_> {
        0..self.0.span(state).len() as u32
    }

    fn apply(&self, state: &mut u32, place: u32) -> (C, u32) {
        let (_, cost, next) = self.0.step(*state, place);
        (cost, std::mem::replace(state, next))
    }

    fn undo(&self, state: &mut u32, _place: u32, before: u32) {
        *state = before;
    }

    fn trail(&self, _state: &u32) -> Option<u32> {
        None
    }

    fn follow(&self, before: &Option<u32>, &state: &u32, place: u32) -> Option<Option<u32>> {
        let (.., next) = self.0.step(state, place);
        (*before != Some(next)).then_some(Some(state))
    }
}

/// The view of such a space.
struct Positions<C>(Arc<Asked<C>>);

impl<C: Cost> View<Space<C>> for Positions<C> {
    type Position = u32;

    fn initial(&self) -> u32 {
        0
    }

    fn apply(&self, state: &mut u32, place: u32) {
        (.., *state) = self.0.step(*state, place);
    }

    fn notation(&self, &state: &u32, place: u32, _notation: Notation) -> String {
        let (action, ..) = self.0.step(state, place);
        self.0.graph.notation(state, action)
    }

    fn draw(&self, &state: &u32, style: Style) -> String {
        self.0.graph.draw(state, style)
    }

    fn picture(&self, &state: &u32) -> Option<Picture> {
        self.0.graph.picture(state)
    }

    fn goal(&self) -> GoalView {
        self.0.graph.goal()
    }
}
