//! A validated permutation puzzle: its answers without a search, and its state spaces.

use super::cosets::views::Views;
use super::cosets::{Chosen, Cosets, thirds};
use super::identity::{has_tables, identity};
use super::images::Place;
use super::model::Model;
use super::neighbors::{Neighbors, Tails};
use super::patterns::choose::{MOST_TOTAL_FACTOR, choose, of_groups};
use super::patterns::perimeter::Perimeter;
use super::patterns::{Guide, Pattern, Patterns, build};
use super::ranking::Ranking;
use super::representation::{Large, Medium, Representation, Small, Wide};
use super::rules::PermutationRules;
use super::scramble::scrambled;
use super::setup::{Label, Setup};
use super::solvability::{Analysis, Verdict};
use super::space::PermutationSpace;
use super::symmetries::symmetries;
use super::view::PermutationView;
use crate::argument::{Argument, Refutation, counted};
use crate::domain::table::Table;
use crate::domain::table_store::{self, TableIdentity};
use crate::domain::{BuildContext, HeuristicFacts, Instance, Rules, Scrambled, Searchable, Stage, searchable};
use crate::search::{Algorithm, LazyPool};
use parking_lot::Mutex;
use std::sync::{Arc, OnceLock};

/// A size of pattern databases.
#[derive(Clone, Copy)]
struct Size {
    /// The greatest number of entries of a table.
    most: u64,
    /// The greatest number of positions of the perimeter; 0 for none.
    perimeter: u64,
    /// The number of states to expand before the next size is built.
    nodes: u64,
    /// The number of moves after which it is built as well, since a state of many moves takes longer to expand.
    moves: u64,
}

/// The sizes in their order. Larger tables than those of the third gain little from a perimeter. The first ones are left
/// early where a state has many moves: a perimeter, which is built fast, saves most there, and tables save much.
const SIZES: &[Size] = &[
    Size { most: 1 << 13, perimeter: 0, nodes: 20_000, moves: 300_000 },
    Size { most: 1 << 15, perimeter: 1 << 18, nodes: 25_000, moves: 500_000 },
    Size { most: 1 << 18, perimeter: 1 << 20, nodes: 150_000, moves: u64::MAX },
    Size { most: 1 << 22, perimeter: 0, nodes: 4_000_000, moves: u64::MAX },
    Size { most: 1 << 27, perimeter: 0, nodes: 3_000_000_000, moves: u64::MAX },
    Size { most: 1 << 30, perimeter: 0, nodes: u64::MAX, moves: u64::MAX },
];

/// Up to this many positions, a search from both ends meets after some ten thousand states, before tables are built.
const FEW: u64 = 1 << 24;

/// If every pattern is larger than this, tables are built only on request.
const COMMON: u64 = 1 << 27;

/// The greatest number of entries of a table for a group of the file.
pub(super) const MOST_PLACEMENTS: u64 = 1 << 32;

/// The index of the size that is built if the heuristic is requested by name.
const NAMED: u8 = 3;

/// The number of states to expand with the first pattern of colours; and the number of symmetries from which on a pattern
/// is expected.
const COSET_NODES: u64 = 100_000_000;
const EXPECTED_SYMMETRIES: usize = 8;

/// The same numbers if the table of a finer pattern is kept in the cache, and no earlier run built it: in the stage before
/// the first pattern of colours, and with this pattern.
const NODES_BEFORE: u64 = 400_000;
const NODES_TO_BUILT: u64 = 20_000_000;

/// The greatest number of entries of the table of a finer pattern, of two bits each: they take 2 GiB.
const MOST_FINER: u64 = 1 << 33;

/// The first size that may be a pattern of colours, and the least number of its arrangements, as a multiple of the size
/// of the largest other pattern. Finding one takes time, even if its table is cached.
const LEAST_COSETS: u8 = 4;
const LEAST_COSETS_FACTOR: u64 = 8;

/// The greatest number of places of a puzzle whose positions are drawn.
const MOST_DRAWN: usize = 2000;

impl Size {
    fn of(number: u8) -> Size {
        SIZES[usize::from(number).min(SIZES.len() - 1)]
    }
}

/// A validated puzzle.
pub(super) struct Permutations {
    setup: Arc<Setup>,
    /// All solved arrangements, the first one first.
    arrangements: Arc<Vec<Vec<Label>>>,
    /// True if the start was made by moves from the solved position, so that it is solvable.
    scrambled: bool,
    /// The result of the analysis, computed on first use.
    known: OnceLock<(Analysis, Arc<Model>)>,
    /// Whether a pattern of colours is expected, found on first use: it may take a tenth of a second.
    symmetric: OnceLock<bool>,
    /// The patterns of colours for an amount of memory, found on first use.
    colors: Mutex<Option<(Option<u64>, Arc<Colors>)>>,
}

/// The first pattern of colours and the one that refines it: chosen, and with their arrangements numbered.
#[derive(Default)]
struct Colors {
    coarse: Found<Chosen>,
    finer: Found<Chosen>,
    numbered: Found<Arc<Cosets>>,
    /// The finer pattern with the coarse arrangement for each of the rest.
    refined: Found<(Arc<Cosets>, Arc<Vec<u32>>)>,
}

/// An answer that is found once, unless finding it is stopped.
struct Found<T>(OnceLock<Option<T>>);

impl<T> Default for Found<T> {
    fn default() -> Found<T> {
        Found(OnceLock::new())
    }
}

impl<T: Clone> Found<T> {
    fn get(&self, context: &BuildContext, find: impl FnOnce() -> Option<T>) -> Option<T> {
        if let Some(found) = self.0.get() {
            return found.clone();
        }
        let found = find();
        if found.is_some() || context.ended().is_none() {
            let _ = self.0.set(found.clone());
        }
        found
    }
}

impl Permutations {
    pub fn new(setup: Setup, arrangements: Vec<Vec<Label>>, scrambled: bool) -> Permutations {
        let (setup, arrangements) = (Arc::new(setup), Arc::new(arrangements));
        let (known, symmetric, colors) = (OnceLock::new(), OnceLock::new(), Mutex::new(None));
        Permutations { setup, arrangements, scrambled, known, symmetric, colors }
    }

    fn known(&self) -> &(Analysis, Arc<Model>) {
        self.known.get_or_init(|| self.analyse(&BuildContext::default()).expect("no limit applies"))
    }

    /// Analyses the puzzle. Returns `None` if it was stopped.
    fn analyse(&self, context: &BuildContext) -> Option<(Analysis, Arc<Model>)> {
        let analysis = Analysis::new(&self.setup, &self.arrangements, self.scrambled, context)?;
        let model = Model::new(&self.setup, &analysis);
        Some((analysis, Arc::new(model)))
    }

    /// Returns the patterns whose tables have at most `most` entries each.
    fn rankings(&self, most: u64) -> Vec<Ranking> {
        let (_, model) = self.known();
        match &self.setup.groups {
            Some(groups) => of_groups(model, groups).into_iter().flatten().collect(),
            None => choose(model, most),
        }
    }

    /// Returns patterns as [`rankings`](Self::rankings), with smaller tables if necessary to fit into `memory` bytes
    /// together.
    fn rankings_within(&self, mut most: u64, memory: Option<u64>) -> Vec<Ranking> {
        loop {
            let rankings = self.rankings(most);
            let placements: u64 = rankings.iter().map(|ranking| ranking.size).sum();
            if self.setup.groups.is_some() || most <= 1 || memory.is_none_or(|memory| placements <= memory) {
                return rankings;
            }
            most /= 2;
        }
    }

    /// Returns the numbers of the file's groups whose tables would be too large.
    pub fn too_large(&self) -> Vec<usize> {
        let (_, model) = self.known();
        let rankings = of_groups(model, self.setup.groups.as_deref().unwrap_or_default());
        let large = |ranking: &Option<Ranking>| ranking.as_ref().is_none_or(|ranking| ranking.size > MOST_PLACEMENTS);
        (0..).zip(&rankings).filter(|(_, ranking)| large(ranking)).map(|(number, _)| number).collect()
    }

    /// Builds the pattern databases. Returns `None` if a limit or an interruption stopped it.
    fn patterns(&self, context: &BuildContext) -> Option<Patterns> {
        let (_, model) = self.known();
        model.solved.as_ref()?;
        let size = Size::of(context.size.unwrap_or(NAMED));
        let pool = LazyPool::new(context.limits.threads);
        let mut tails = Tails::default();
        let pattern = |ranking: Ranking| {
            let identity = self.pattern_identity(&ranking);
            let build = || build::build(&Neighbors::new(ranking.clone(), model, &mut tails), &pool, context);
            let table = table_store::table(identity, context, build)?;
            Some(Pattern { ranking, table })
        };
        let patterns = self
            .rankings_within(size.most, context.table_memory())
            .into_iter()
            .map(pattern)
            .collect::<Option<Vec<_>>>()?;
        // A heuristic that is requested by name has none, since any search may read it; and around several solved
        // arrangements it takes too long.
        let is_partial = |pattern: &Pattern| pattern.ranking.members.len() < model.members();
        let may_have = model.others.is_empty() && patterns.iter().all(is_partial);
        let has_perimeter = size.perimeter > 0 && may_have;
        let perimeter = if has_perimeter { Perimeter::new(model, size.perimeter, context) } else { None };
        Some(Patterns::new(model, patterns).within(perimeter))
    }

    /// Returns the least number of arrangements of a pattern of colours for tables of a size, and the greatest number of
    /// entries, if there may be one.
    fn sizes_of_colors(&self, size: u8, context: &BuildContext) -> Option<(u64, u64)> {
        let (_, model) = self.known();
        // The symmetries keep one solved arrangement.
        let may_have = model.others.is_empty() && self.setup.groups.is_none();
        if size < LEAST_COSETS || !may_have {
            return None;
        }
        let Size { most, .. } = Size::of(size);
        let largest = self.rankings(most).iter().map(|ranking| ranking.size).max()?;
        let most = most.saturating_mul(MOST_TOTAL_FACTOR).min(context.table_memory().unwrap_or(u64::MAX));
        Some((largest.saturating_mul(LEAST_COSETS_FACTOR), most))
    }

    /// Returns the greatest number of entries of a finer pattern: its table and that of the coarse one take at most half
    /// of the memory.
    fn most_finer(context: &BuildContext) -> u64 {
        let coarse = Size::of(LEAST_COSETS).most;
        let within = |memory: u64| memory.saturating_mul(2).saturating_sub(2 * MOST_TOTAL_FACTOR * coarse);
        context.table_memory().map_or(MOST_FINER, within).min(MOST_FINER)
    }

    /// Returns the patterns of colours as far as they are known.
    fn colors(&self, context: &BuildContext) -> Arc<Colors> {
        let memory = context.table_memory();
        let mut colors = self.colors.lock();
        match &*colors {
            Some((known, colors)) if *known == memory => Arc::clone(colors),
            _ => Arc::clone(&colors.insert((memory, Arc::default())).1),
        }
    }

    /// Returns the first pattern of colours, if there is one.
    fn coarse(&self, context: &BuildContext) -> Option<Chosen> {
        self.colors(context).coarse.get(context, || {
            let sizes = self.sizes_of_colors(LEAST_COSETS, context)?;
            Chosen::new(&self.known().1, sizes, context)
        })
    }

    /// Returns the pattern that refines the first one, if there is one.
    pub(super) fn finer(&self, context: &BuildContext) -> Option<Chosen> {
        let refine = || self.coarse(context)?.refined(&self.known().1, Self::most_finer(context), context);
        self.colors(context).finer.get(context, refine)
    }

    /// Returns a pattern of colours for tables of a size, if it has one.
    fn cosets(&self, size: u8, context: &BuildContext) -> Option<Arc<Cosets>> {
        let (_, model) = self.known();
        let sizes = self.sizes_of_colors(size, context)?;
        let number = |chosen| Cosets::new(model, chosen, sizes.1, context).map(Arc::new);
        if size > LEAST_COSETS {
            return number(Chosen::new(model, sizes, context)?);
        }
        self.colors(context).numbered.get(context, || number(self.coarse(context)?))
    }

    /// Returns the table of a pattern of colours.
    fn table_of_colors(&self, cosets: &Cosets, context: &BuildContext) -> Option<Arc<Table>> {
        let identity = self.identity(&cosets.chosen.description(), cosets.size());
        let pool = LazyPool::new(context.limits.threads);
        table_store::table(identity, context, || build::build(cosets, &pool, context))
    }

    /// Returns a pattern of colours with its table, if this size has one. Returns `None` as well if a limit or an
    /// interruption stopped it.
    fn views(&self, context: &BuildContext) -> Option<Views> {
        let size = context.size?;
        if size > LEAST_COSETS
            && let Some(finer) = self.finer_views(context)
        {
            return Some(finer);
        }
        let cosets = self.cosets(size, context)?;
        let table = self.table_of_colors(&cosets, context)?;
        Some(Views::new(cosets, table))
    }

    /// Returns the pattern of colours that refines the one of the least size, with its table.
    fn finer_views(&self, context: &BuildContext) -> Option<Views> {
        let finer = self.finer(context)?;
        let cosets = self.cosets(LEAST_COSETS, context)?;
        let coarse = self.table_of_colors(&cosets, context)?;
        let number = || {
            let (finer, rest) = cosets.refined(&self.known().1, finer, Self::most_finer(context), context)?;
            Some((Arc::new(finer), Arc::new(rest)))
        };
        let (finer, rest) = self.colors(context).refined.get(context, number)?;
        let identity = self.finer_identity(&finer.chosen, thirds::bytes(&finer));
        let pool = LazyPool::new(context.limits.threads);
        let table = table_store::table(identity, context, || thirds::build(&finer, &pool, context))?;
        Some(Views::finer(finer, table, rest, coarse))
    }

    /// Returns the identity of the table of the finer pattern. A byte of it is an entry of the file.
    pub(super) fn finer_identity(&self, finer: &Chosen, bytes: u64) -> TableIdentity {
        self.identity(&format!("{}distances modulo 3 by two numbers\n", finer.description()), bytes)
    }

    /// Returns whether the table of the finer pattern need not be built.
    fn has_finer_table(&self, context: &BuildContext) -> bool {
        // Whether there is a finer pattern takes longer to find than whether there is any table. The name of the file does
        // not depend on its size.
        let is_stored = |finer: Chosen| table_store::is_stored(&self.finer_identity(&finer, 0), context);
        has_tables(&self.known().1, context) && self.refines(context) && self.finer(context).is_some_and(is_stored)
    }

    /// Returns whether a pattern of colours is expected.
    fn is_symmetric(&self) -> bool {
        let (_, model) = self.known();
        let may_have = model.others.is_empty() && self.setup.groups.is_none() && model.is_distinct;
        *self.symmetric.get_or_init(|| may_have && symmetries(model).len() >= EXPECTED_SYMMETRIES)
    }

    /// Returns whether searches soon go on with a pattern that refines the first one of colours: its table takes long to
    /// build, so it must be kept.
    fn refines(&self, context: &BuildContext) -> bool {
        context.cache.is_some() && self.is_symmetric() && self.finer(context).is_some()
    }

    /// Returns the identity of the table of a pattern: the moves on the orbits of its members, and their goal places.
    fn pattern_identity(&self, ranking: &Ranking) -> TableIdentity {
        let (_, model) = self.known();
        let placed = |goal: &Vec<Place>| {
            ranking.members.iter().map(|&member| goal[member].to_string()).collect::<Vec<_>>().join(" ")
        };
        let goals: Vec<String> = model.goals().map(placed).collect();
        self.identity(&format!("{}members on {}\n", ranking.description(), goals.join(" or ")), ranking.size)
    }

    /// Returns the identity of a table with a description.
    fn identity(&self, description: &str, entries: u64) -> TableIdentity {
        identity(&self.known().1, description, Some(entries))
    }

    /// Returns the state space with a heuristic, in the smallest representation.
    fn space_with(&self, guide: impl Guide) -> Box<dyn Searchable> {
        let (_, model) = self.known();
        if Small::holds(model) {
            self.space_as::<Small, _>(guide)
        } else if Medium::holds(model) {
            self.space_as::<Medium, _>(guide)
        } else if Wide::holds(model) {
            self.space_as::<Wide, _>(guide)
        } else {
            self.space_as::<Large, _>(guide)
        }
    }

    fn space_as<R: Representation, G: Guide>(&self, guide: G) -> Box<dyn Searchable> {
        let (_, model) = self.known();
        searchable(PermutationSpace::<R, G>::new(model, guide), PermutationView::new(&self.setup, &self.arrangements))
    }

    /// Returns a position in the form of a puzzle file.
    fn written(&self, position: &[Label]) -> String {
        let labels = position.iter().map(|&label| &self.setup.labels[usize::from(label)]);
        if self.setup.textual {
            return toml::Value::String(labels.map(String::as_str).collect()).to_string();
        }
        let label = |label: &String| match label.parse::<i64>() {
            Ok(number) if number.to_string() == *label => label.clone(),
            _ => toml::Value::String(label.clone()).to_string(),
        };
        format!("[{}]", labels.map(label).collect::<Vec<_>>().join(", "))
    }
}

impl Instance for Permutations {
    fn metric(&self) -> Option<&'static str> {
        Some(self.setup.metric.name())
    }

    fn size(&self) -> String {
        counted(self.setup.places(), "place")
    }

    fn prepare(&self, context: &BuildContext) {
        if self.known.get().is_none()
            && let Some(known) = self.analyse(context)
        {
            let _ = self.known.set(known);
        }
    }

    fn unsolvable(&self) -> Option<String> {
        match &self.known().0.verdict {
            Verdict::Unsolvable(reason) => Some(reason.clone()),
            Verdict::Solvable | Verdict::Unknown => None,
        }
    }

    fn refutation(&self) -> Option<Refutation> {
        // Whether the signs of permutations are the reason is left to the check of the argument.
        self.unsolvable().map(|reason| Refutation { argument: Some(Argument::Parity {}), ..reason.into() })
    }

    fn is_undecided(&self) -> bool {
        self.known().0.verdict == Verdict::Unknown
    }

    fn states(&self) -> Option<String> {
        let (analysis, _) = self.known();
        let reachable = !matches!(analysis.verdict, Verdict::Unsolvable(_));
        analysis.states.as_ref().filter(|_| reachable).map(ToString::to_string)
    }

    fn is_drawn(&self) -> bool {
        self.setup.places() <= MOST_DRAWN
    }

    fn scrambled(&self, moves: Option<u32>, seed: u64, context: &BuildContext) -> Option<Scrambled> {
        let start = scrambled(&self.setup, moves, seed, context)?;
        let keys = format!("start = {}\n", self.written(&start));
        Some(Scrambled { replaced: &["start", "scramble"], keys })
    }

    fn default_algorithm(&self) -> Option<Algorithm> {
        // If there are few positions, or every pattern is too large for a table, bidirectional search is the better
        // default.
        let (_, model) = self.known();
        let are_few = self.setup.groups.is_none() && model.states.is_some_and(|states| states <= FEW);
        let unguided = || self.rankings(COMMON).is_empty();
        (Wide::holds(model) && model.solved.is_some() && (are_few || unguided())).then_some(Algorithm::Bidirectional)
    }

    fn schedule(&self) -> Vec<Stage> {
        if self.default_algorithm().is_some() {
            return Vec::new();
        }
        let mut kept: Vec<u8> = Vec::new();
        let mut last: Option<(Vec<Vec<usize>>, bool)> = None;
        for (size, &Size { most, perimeter, .. }) in (0..).zip(SIZES) {
            let members: Vec<_> = self.rankings(most).into_iter().map(|ranking| ranking.members).collect();
            let adds_perimeter = |had_one: bool| perimeter > 0 && !had_one;
            if last.as_ref().is_some_and(|(last, had_one)| *last == members && !adds_perimeter(*had_one)) {
                continue;
            }
            last = Some((members, perimeter > 0));
            kept.push(size);
        }
        let mut stages: Vec<Stage> = Vec::new();
        for &size in &kept {
            let Size { nodes, moves, .. } = Size::of(size);
            let mut push = |nodes| {
                stages.push(Stage { heuristic: "pattern-database", size, automaton: false, nodes, algorithm: None });
            };
            // If the next size adds nothing, the one after it takes longer to build.
            let early = if kept.contains(&(size + 1)) { moves } else { u64::MAX };
            // Which of them have their turn depends on the symmetries and on the tables.
            match size {
                LEAST_COSETS => [NODES_TO_BUILT, nodes, COSET_NODES].into_iter().for_each(push),
                size if size + 1 == LEAST_COSETS => [NODES_BEFORE, nodes].into_iter().for_each(push),
                _ => push(nodes.min(early / self.known().1.moves.len().max(1) as u64)),
            }
        }
        if let Some(last) = stages.last_mut() {
            last.nodes = u64::MAX;
        }
        stages
    }

    fn skips(&self, stage: &Stage, context: &BuildContext) -> bool {
        let [passed, before, with] =
            [LEAST_COSETS - 2, LEAST_COSETS - 1, LEAST_COSETS].map(|size| Size::of(size).nodes);
        match stage.nodes {
            // To read the finer table and to search with it takes less time than to search without it.
            nodes if nodes == passed => self.has_finer_table(context),
            NODES_BEFORE => !self.refines(context) || self.has_finer_table(context),
            NODES_TO_BUILT => !self.refines(context) || self.has_finer_table(context),
            COSET_NODES => !self.is_symmetric() || self.refines(context),
            nodes if nodes == before => self.refines(context),
            nodes => nodes == with && self.is_symmetric(),
        }
    }

    fn rules(&self) -> Option<Box<dyn Rules + '_>> {
        Some(Box::new(PermutationRules::new(&self.setup)))
    }

    fn space(&self, heuristic: &HeuristicFacts, context: &BuildContext) -> Box<dyn Searchable> {
        if heuristic.name != "pattern-database" {
            return self.space_with(Patterns::default());
        }
        match self.views(context) {
            Some(views) => self.space_with(views),
            None if context.ended().is_some() => self.space_with(Patterns::default()),
            None => self.space_with(self.patterns(context).unwrap_or_default()),
        }
    }
}
