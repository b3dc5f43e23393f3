//! A state as learning from corrals sees it.

use super::moves::ProjectedStep;
use super::places::Places;
use super::projection::Projection;

/// One state: the tokens, the mover's value and its region, and each corral with the tokens around it.
pub(super) struct View<const N: usize> {
    pub tokens: Places<N>,
    pub mover: usize,
    pub region: Places<N>,
    pub corrals: Vec<(Places<N>, Places<N>)>,
}

impl<const N: usize> View<N> {
    pub fn new(projection: &Projection<N>, tokens: Places<N>, mover: usize, region: Places<N>) -> View<N> {
        let corrals = projection.corrals(&tokens, &region);
        View { tokens, mover, region, corrals }
    }

    /// Returns tokens of which one must move before a step is possible; none if it is, or if no such tokens are found.
    pub fn in_the_way(&self, projection: &Projection<N>, step: &ProjectedStep<N>) -> Places<N> {
        let held = step.without.and(&self.tokens);
        if !held.is_empty() || self.region.contains(step.before) {
            return held;
        }
        let corral = self.corrals.iter().find(|(corral, _)| corral.contains(step.before));
        corral.map_or(projection.barred_by[step.before].and(&self.tokens), |(_, around)| *around)
    }
}
