//! Consequences: the rules that apply by themselves after each move, until none changes anything.

#[cfg(test)]
mod tests;

use super::drawing::{Changes, Form};
use super::obstacle::Obstacle;
use super::rule::{Rule, Steps};
use super::{Read, RuleBook};
use engine_domain::domain::Trace;
use std::collections::HashSet;

impl RuleBook {
    /// Returns whether moves are more than applications of single rules.
    pub(super) fn has_composed_moves(&self) -> bool {
        let is_composed = |rule: &Rule| rule.all || rule.moves_bodies_or_items();
        !self.after.is_empty() || !self.world.piles.is_empty() || self.rules.iter().any(is_composed)
    }

    /// Returns the position when all consequences have come to rest, after a move with an image of this form.
    ///
    /// # Errors
    /// They never do, or take too many steps.
    pub(super) fn at_rest(
        &self,
        mut position: Vec<u32>,
        form: Option<Form>,
        steps: &mut Steps,
    ) -> Result<Vec<u32>, Obstacle> {
        let mut seen = HashSet::new();
        while let Some(next) = self.consequence(&position, form, steps)? {
            steps.count()?;
            seen.insert(position);
            if seen.contains(&next) {
                return Err(Obstacle::Restless);
            }
            position = next;
        }
        Ok(position)
    }

    /// Checks that no consequence applies at the start.
    ///
    /// # Errors
    /// One does.
    pub(super) fn is_at_rest_at_the_start(&self) -> Read<()> {
        match self.at_rest(self.start.clone(), None, &mut Steps::default()) {
            Ok(rest) if rest == self.start => Ok(()),
            Ok(rest) => Err(format!("consequences apply at the start; at rest it is\n{}", self.world.draw(&rest))),
            Err(_) => Err("consequences apply at the start, and never come to rest".to_owned()),
        }
    }

    /// Returns the position after the first consequence that changes it; `None` if none does.
    fn consequence(
        &self,
        position: &[u32],
        form: Option<Form>,
        steps: &mut Steps,
    ) -> Result<Option<Vec<u32>>, Obstacle> {
        let before = Trace::untraced(position.to_vec());
        for rule in self.after.iter().filter(|rule| !rule.in_image_of_move || form.is_some()) {
            let form = form.filter(|_| rule.in_image_of_move);
            for binding in rule.bindings.iter().filter(|binding| rule.is_open(binding, &self.world, &before)) {
                if rule.all {
                    match rule.pass(binding, form, &self.world, &before, steps) {
                        Ok((after, _)) if after != position => return Ok(Some(after)),
                        Err(obstacle @ (Obstacle::Restless | Obstacle::GivenUp)) => return Err(obstacle),
                        _ => continue,
                    }
                }
                let drawing = rule.drawing(binding);
                let is_meant =
                    |image: usize| form.is_none_or(|form| drawing.is_none_or(|it| it.images[image].form == form));
                let mut places = match drawing {
                    None => vec![(None, Changes::new())],
                    Some(drawing) => {
                        let fitting = drawing.fitting(&before, &self.world).into_iter();
                        fitting.map(|(place, drawn)| (Some(place), drawn)).collect()
                    }
                };
                places.retain(|(place, _)| place.is_none_or(|place| is_meant(place.image)));
                for (place, drawn) in places {
                    let matched = rule.matched(binding, place, &self.world, &before);
                    let here = rule.here(binding, place);
                    let effect = rule.effect(binding, &matched, here, &self.world, &before);
                    let after =
                        effect.and_then(|effect| rule.outcome(binding, place, &drawn, &effect, &self.world, &before));
                    if let Some(after) = after.ok().filter(|after| after != position) {
                        return Ok(Some(after));
                    }
                }
            }
        }
        Ok(None)
    }
}
