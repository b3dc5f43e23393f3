//! A puzzle that the machine plays, as a domain: its facts and its state space.

use super::piles::{Alike, PILES, PileBounds};
use super::space::MachineSpace;
use super::state::State;
use super::turn::{Outcome, Workspace};
use super::view::MachineView;
use super::{Machine, sample};
use crate::argument::{counted, listed};
use crate::diagnostic::Diagnostic;
use crate::document::Spanned;
use crate::domain::{
    BuildContext, Change, Drawn, FileContext, HeuristicFacts, Instance, Notation, OwnHeuristic, Property, Rules,
    Scrambled, Searchable, WarningContext, searchable, without_value,
};
use crate::instance::{Reference, changes, drawn, own_heuristics};
use crate::keys::Keys;
use crate::model::Model;
use crate::scramble::{scrambled, walk};
use crate::search::{Algorithm, Stop};
use crate::warnings::warnings_of_machine;
use engine_search::space::StateSpace;
use std::sync::{Arc, OnceLock};

/// The facts of the bound from the delete relaxation.
pub(crate) const RELAXED: HeuristicFacts = HeuristicFacts {
    name: "relaxed",
    admissible: true,
    consistent: true,
    by_hand: false,
    summary: "the cost of the goal's hardest part if nothing that was true ever becomes false (h_max: Bonet and Geffner \
              2001); for rules with consequences, bodies or piles",
    because: "each change needs a match whose conditions were true before, and costs as much as the move around it",
};

/// A validated puzzle.
pub(crate) struct MachinePuzzle {
    keys: Keys,
    machine: Arc<Machine>,
    reference: Reference,
    /// The lower bounds from piles, if they say anything of the start, and the piles that are alike.
    piles: OnceLock<(Option<Arc<PileBounds>>, Arc<Alike>)>,
    /// Whether the bound from the delete relaxation saves more than it costs.
    pays: OnceLock<bool>,
    /// The heuristics of the file.
    own: Vec<Arc<OwnHeuristic>>,
}

impl MachinePuzzle {
    /// Prepares a puzzle. If a limit ends the work, the result must not be used.
    ///
    /// # Errors
    /// Rules that cannot be prepared, and a start that consequences change or `never` forbids.
    pub fn new(keys: Keys, model: Model, file: &FileContext) -> Result<MachinePuzzle, Vec<Diagnostic>> {
        let machine = Machine::new(Arc::new(model), file.context)?;
        let errors = at_start(&keys, &machine, &file.context.stop);
        if !errors.is_empty() {
            return Err(errors);
        }
        let (machine, reference, piles) = (Arc::new(machine), Reference::new(file.text), OnceLock::new());
        let own = own_heuristics(&machine.model);
        Ok(MachinePuzzle { keys, machine, reference, piles, pays: OnceLock::new(), own })
    }

    fn piles(&self) -> &(Option<Arc<PileBounds>>, Arc<Alike>) {
        self.piles.get_or_init(|| {
            let bounds = PileBounds::new(&self.machine);
            let bounds = bounds.filter(|bounds| bounds.of(&self.machine.start.piles) > 0);
            (bounds.map(Arc::new), Arc::new(Alike::new(&self.machine)))
        })
    }

    fn pays_within(&self, context: &BuildContext) -> bool {
        *self.pays.get_or_init(|| sample::pays(&self.machine, context))
    }

    fn space(&self, is_guided: bool, stop: &Stop) -> MachineSpace {
        MachineSpace::new(Arc::clone(&self.machine), is_guided, stop.clone())
    }
}

/// Returns the errors of the start.
fn at_start(keys: &Keys, machine: &Machine, stop: &Stop) -> Vec<Diagnostic> {
    let mut workspace = Workspace::new(machine, stop.clone());
    let mut errors = Vec::new();
    for (never, formula) in machine.model.never.iter().zip(&machine.never) {
        if workspace.holds(machine, formula) {
            let error = Diagnostic::at(never.text.span(), "the start violates `never`");
            errors.push(error.label("this is true at the start"));
        }
    }
    for (own, formula) in machine.model.own.iter().zip(&machine.own) {
        if workspace.number(machine, formula).is_none() {
            errors.push(without_value("", own.written.text.span()));
        }
    }
    let outcome = workspace.rest(machine);
    if workspace.is_changed() || outcome != Outcome::Done(0) {
        let span = keys.start.as_ref().map_or(0..0, Spanned::span);
        let error = Diagnostic::at(span, "a consequence applies at the start");
        errors.push(match outcome {
            Outcome::Done(_) => {
                let rest = machine.drawn(&workspace.state);
                error
                    .label("the start must be at rest")
                    .help(format!("begin with the position at rest:\n{}", rest.trim_end()))
            }
            _ => error.label("the consequences never end"),
        });
    }
    errors
}

impl Instance for MachinePuzzle {
    fn size(&self) -> String {
        let world = &self.machine.model.world;
        match (world.rows, world.pile_count()) {
            (0, 0) => format!("{} variables", world.values.len()),
            (0, piles) => counted(piles, "pile"),
            (rows, _) => format!("{rows}x{}", world.columns),
        }
    }

    fn summary(&self) -> Option<String> {
        let machine = &self.machine;
        let [moves, after] = [counted(machine.moves.len(), "move"), counted(machine.after.len(), "consequence")];
        Some(format!("{} a position, {moves}, {after}", counted(machine.packing.bits(), "bit")))
    }

    fn has_spaced_moves(&self) -> bool {
        let model = &self.machine.model;
        model.rules.iter().any(|rule| rule.has_spaces(&model.world))
    }

    fn refuses_notation(&self, notation: Notation) -> Option<String> {
        let why = "moves have consequences, or are more than one step of one symbol";
        (notation == Notation::LURD).then(|| why.to_owned())
    }

    fn warnings(&self, context: &WarningContext) -> Vec<Diagnostic> {
        let space = self.space(false, &Stop::default());
        let is_met = space.is_goal(&space.start());
        let met = is_met.then(|| context.met_at_the_start(context.goal.clone())).flatten();
        warnings_of_machine(&self.keys, &self.machine.model, context).into_iter().chain(met).collect()
    }

    fn drawn(&self) -> Vec<Drawn> {
        drawn(&self.keys, &self.machine.model)
    }

    fn changes(&self) -> Box<dyn Iterator<Item = Change> + '_> {
        changes(&self.keys, &self.machine.model)
    }

    fn rules(&self) -> Option<Box<dyn Rules + '_>> {
        Some(self.reference.rules())
    }

    fn walked(&self, moves: u32, seed: u64, context: &BuildContext) -> Option<Scrambled> {
        let machine = &self.machine;
        let next = |state: &State| machine.legal_moves(state).into_iter().map(|(_, after)| after).collect();
        let after = walk(machine.start.clone(), next, moves, seed, context)?;
        scrambled(&machine.model, &after.values, &after.piles)
    }

    fn retreated(
        &self,
        _to_goal: &[String],
        _moves: u32,
        _seed: u64,
        _context: &BuildContext,
    ) -> Result<Option<Scrambled>, String> {
        Err("rules with consequences, bodies or piles cannot be made backwards".to_owned())
    }

    fn own_heuristics(&self) -> &[Arc<OwnHeuristic>] {
        &self.own
    }

    fn properties(&self, _context: &BuildContext) -> Vec<Property> {
        let model = &self.machine.model;
        let reasons: Vec<String> = model.beyond_operators().into_iter().map(str::to_owned).collect();
        let text = format!(
            "moves with {} are no operators: no heuristic of operators, invariant or symmetry applies; the bound `{}` does",
            listed(&reasons, reasons.len()),
            if self.piles().0.is_some() { PILES.name } else { RELAXED.name }
        );
        vec![Property::new("machine", text)]
    }

    fn concerns(&self, heuristic: &HeuristicFacts) -> bool {
        ["zero", PILES.name, RELAXED.name].contains(&heuristic.name)
    }

    fn refuses(&self, heuristic: &HeuristicFacts, _context: &BuildContext) -> Option<String> {
        let why = match heuristic.name {
            "zero" => return None,
            _ if heuristic.is_of_file() => return None,
            name if name == PILES.name && self.piles().0.is_some() => return None,
            name if name == PILES.name => "the goal demands nothing of piles that moves must bring about one by one",
            name if name == RELAXED.name && self.machine.relaxed.is_some() => return None,
            name if name == RELAXED.name => "the rules become too many operators",
            _ => "the rules have consequences, shifts, piles, or apply everywhere at once",
        };
        Some(why.to_owned())
    }

    fn prepare_to_solve(&self, context: &BuildContext) {
        if self.piles().0.is_none() {
            self.pays_within(context);
        }
    }

    fn default_algorithm(&self) -> Option<Algorithm> {
        let is_plain = self.default_heuristic() == Some("zero");
        let is_plain = is_plain && self.space(false, &Stop::default()).facts().unit_cost;
        is_plain.then_some(Algorithm::Bfs)
    }

    fn default_heuristic(&self) -> Option<&'static str> {
        Some(match &self.piles().0 {
            Some(_) => PILES.name,
            None if self.pays_within(&BuildContext::default()) => RELAXED.name,
            None => "zero",
        })
    }

    fn space(&self, heuristic: &HeuristicFacts, context: &BuildContext) -> Box<dyn Searchable> {
        let (bounds, alike) = self.piles();
        let bounds = bounds.clone().filter(|_| heuristic.name == PILES.name);
        let space = MachinePuzzle::space(self, heuristic.name == RELAXED.name, &context.stop);
        let own = self.machine.model.own.iter().position(|own| own.heuristic.facts.name == heuristic.name);
        let space = space.with_piles(bounds, Arc::clone(alike)).with_own(own);
        searchable(space, MachineView::new(Arc::clone(&self.machine)))
    }
}
