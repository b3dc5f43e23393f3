//! A search after some of its expansions: what is open, closed and on the path.

use super::record::{Queue, SearchEvent, SearchRecord};

/// The state of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Unknown,
    Open,
    Closed,
}

/// A search after some of its expansions.
pub(super) struct Moment<'a> {
    pub record: &'a SearchRecord,
    /// The number of expansions.
    pub step: usize,
    /// The node that was expanded last, the start before it, and at the end the goal.
    pub current: usize,
    pub state: Vec<State>,
    /// For each node, the expansion that closed it last, from 1.
    pub closed_at: Vec<usize>,
    pub generated: usize,
    pub pruned: usize,
    /// The threshold, in a search by iterations.
    pub threshold: Option<f64>,
    /// The expansions and the threshold of each iteration so far.
    pub iterations: Vec<(usize, f64)>,
    iteration_of: Vec<usize>,
    goals: Vec<usize>,
}

impl<'a> Moment<'a> {
    /// Replays a search up to a number of expansions, or to its end.
    pub fn new(record: &'a SearchRecord, step: usize) -> Moment<'a> {
        let count = record.nodes.len();
        let mut moment = Moment {
            record,
            step: 0,
            current: 0,
            state: vec![State::Unknown; count],
            closed_at: vec![0; count],
            generated: 0,
            pruned: 0,
            threshold: None,
            iterations: Vec::new(),
            iteration_of: vec![0; count],
            goals: Vec::new(),
        };
        if count > 0 {
            moment.state[0] = State::Open;
        }
        for event in &record.events {
            if matches!(event, SearchEvent::Expanded(_)) && moment.step == step {
                break;
            }
            moment.take(event);
        }
        // At the end, the search is about its goal.
        if let Some(&goal) = moment.goals.last().filter(|_| moment.step == record.expansions()) {
            moment.current = goal;
        }
        moment
    }

    fn take(&mut self, event: &SearchEvent) {
        match *event {
            SearchEvent::Expanded(node) => {
                self.step += 1;
                self.current = node;
                if self.state[node] == State::Unknown || self.record.queue == Queue::Path {
                    self.arrive(node);
                }
                self.state[node] = State::Closed;
                self.closed_at[node] = self.step;
                if let Some(iteration) = self.iterations.last_mut() {
                    iteration.0 += 1;
                    self.threshold = Some(iteration.1);
                }
            }
            SearchEvent::Generated(node) => {
                // A root on the side of the goals is not generated.
                self.generated += usize::from(self.record.nodes[node].parent.is_some());
                self.arrive(node);
            }
            SearchEvent::Duplicate(..) => self.generated += 1,
            SearchEvent::Replaced(before, node) => {
                self.generated += 1;
                self.state[before] = State::Unknown;
                self.arrive(node);
            }
            SearchEvent::Pruned { is_generated, .. } => {
                self.pruned += 1;
                self.generated += usize::from(is_generated);
            }
            SearchEvent::Goal(node, _) => self.goals.push(node),
            SearchEvent::Iteration(_, threshold) => self.iterations.push((0, threshold)),
            SearchEvent::Layer(_) => {}
        }
    }

    fn arrive(&mut self, node: usize) {
        self.state[node] = State::Open;
        self.iteration_of[node] = self.iterations.len();
    }

    /// Returns whether a node is drawn: it is known and, in a search in place, of the current iteration.
    pub fn is_shown(&self, node: usize) -> bool {
        self.state[node] != State::Unknown
            && (self.record.queue != Queue::Path || self.iteration_of[node] == self.iteration_of[self.current])
    }

    /// Returns whether a node waits in the frontier.
    pub fn is_open(&self, node: usize) -> bool {
        self.state[node] == State::Open && self.record.queue != Queue::Path
    }

    pub fn is_goal(&self, node: usize) -> bool {
        self.goals.contains(&node)
    }

    pub fn parent(&self, node: usize) -> Option<usize> {
        self.record.nodes[node].parent
    }

    /// Returns the nodes from the start to the current one.
    pub fn path(&self) -> Vec<usize> {
        self.path_to(self.current)
    }

    fn path_to(&self, node: usize) -> Vec<usize> {
        let mut path = Vec::new();
        let mut next = (!self.record.nodes.is_empty()).then_some(node);
        while let Some(node) = next.filter(|_| path.len() <= self.record.nodes.len()) {
            path.push(node);
            next = self.parent(node);
        }
        path.reverse();
        path
    }

    /// Returns the path, and on from the meeting of the two sides of a search from both ends to the goal.
    pub fn way(&self) -> Vec<usize> {
        let mut way = self.path();
        if let [.., forward, backward] = self.goals[..]
            && self.current == backward
            && self.record.nodes[backward].is_backward
        {
            let onward: Vec<usize> = way.into_iter().rev().skip(1).collect();
            way = self.path_to(forward);
            way.extend(onward);
        }
        way
    }

    pub fn f(&self, node: usize) -> Option<f64> {
        let recorded = &self.record.nodes[node];
        let h = recorded.f.map(|f| f - recorded.g).or(recorded.h)?;
        Some(recorded.g + h)
    }

    /// Returns the number of nodes in a state.
    pub fn count(&self, state: State) -> usize {
        self.state.iter().filter(|one| **one == state).count()
    }
}
