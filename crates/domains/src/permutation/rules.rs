//! The reference rules: an array of labels, to which a move applies a generator repeatedly.
//!
//! They share only the description of the puzzle with the state spaces.

use super::setup::{Generator, Label, Metric, Setup};
use super::view::draw;
use crate::domain::{Permuting, Rules, Steps, Style};
use std::collections::BTreeSet;

/// A puzzle in play.
pub(super) struct PermutationRules<'a> {
    setup: &'a Setup,
    /// The solved arrangements: those of the file, and what the rotations make of them.
    solved: BTreeSet<Vec<Label>>,
    /// The label of each place.
    labels: Vec<Label>,
    moves: u32,
}

impl PermutationRules<'_> {
    pub fn new(setup: &Setup) -> PermutationRules<'_> {
        let mut solved = BTreeSet::new();
        let mut turned = vec![setup.solved.clone()];
        turned.extend(setup.others.iter().cloned());
        while let Some(arrangement) = turned.pop() {
            if !solved.insert(arrangement.clone()) {
                continue;
            }
            for rotation in &setup.rotations {
                let mut next = arrangement.clone();
                rotation.iter().zip(&arrangement).for_each(|(&to, &label)| next[usize::from(to)] = label);
                turned.push(next);
            }
        }
        PermutationRules { setup, solved, labels: setup.start.clone(), moves: 0 }
    }
}

impl Rules for PermutationRules<'_> {
    fn play(&mut self, written: &str) -> Result<(), String> {
        let end = written.find(|c: char| !c.is_alphabetic()).unwrap_or(written.len());
        let (name, power) = written.split_at(end);
        let generator = self.setup.generators.iter().find(|generator| generator.name == name);
        let generator = generator.ok_or_else(|| format!("unknown generator `{name}`"))?;
        let (power, backwards) = power.strip_suffix('\'').map_or((power, false), |power| (power, true));
        let is_number = power.bytes().all(|byte| byte.is_ascii_digit());
        let power = if power.is_empty() { Some(1) } else { power.parse().ok().filter(|_| is_number) };
        let power: u64 = power.ok_or_else(|| format!("invalid power of `{name}`"))?;
        if !(1..generator.order).contains(&power) {
            return Err(format!("the powers of `{name}` are 1 to {}", generator.order - 1));
        }
        if self.setup.metric == Metric::Generator && power != 1 {
            return Err("in the metric `generator` a move is a generator or its inverse".to_owned());
        }
        for _ in 0..power {
            let before = self.labels.clone();
            for (from, &to) in generator.image.iter().enumerate() {
                let to = usize::from(to);
                let (from, to) = if backwards { (to, from) } else { (from, to) };
                self.labels[to] = before[from];
            }
        }
        self.moves += 1;
        Ok(())
    }

    fn is_solved(&self) -> bool {
        self.solved.contains(&self.labels)
    }

    fn cost(&self) -> f64 {
        f64::from(self.moves)
    }

    fn draw(&self) -> String {
        draw(self.setup, &self.labels, Style::Drawn)
    }

    fn position(&self) -> Option<Vec<u32>> {
        Some(self.labels.iter().map(|&label| label.into()).collect())
    }

    fn set_position(&mut self, position: &[u32]) {
        self.labels = position.iter().map(|&label| label as Label).collect();
    }

    fn permuting(&self) -> Option<Permuting> {
        let image = |generator: &Generator| generator.image.iter().map(|&place| usize::from(place)).collect();
        let steps = Steps::OfAll(self.setup.generators.iter().map(image).collect());
        Some(Permuting { goal: self.setup.solved.iter().map(|&label| label.into()).collect(), steps })
    }

    fn candidates(&self) -> Vec<String> {
        let powers = |order: u64| if self.setup.metric == Metric::Generator { 1 } else { order - 1 };
        let named = |generator: &Generator| {
            let name = generator.name.clone();
            let powers = (2..=powers(generator.order)).map(move |power| format!("{name}{power}"));
            [generator.name.clone(), format!("{}'", generator.name)].into_iter().chain(powers).collect::<Vec<_>>()
        };
        self.setup.generators.iter().filter(|generator| generator.order > 1).flat_map(named).collect()
    }
}
