//! Puzzles and collections of them.

use crate::design::{self, Within};
use crate::errors::{EngineError, of_report, refused, with_help};
use crate::exploration::Exploration;
use crate::game::Game;
use crate::limits::{Given, Memory, Time};
use crate::pictures::drawn;
use crate::position::Function;
use crate::solution::{Answer, Paths, Solution};
use crate::trace::Trace;
use crate::watch::watched;
use engine::generating::Task;
use engine::puzzle::{HeuristicQuestion, Loading, SolveError, Source, Style};
use engine::render::{RenderStyle, recorded, search_page};
use engine::search::{Algorithm, BeamWidth, Gauge, Weight};
use engine::{Options, verify};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A puzzle: what a file says, read and validated. It never changes.
#[pyclass(frozen, module = "engine")]
pub struct Puzzle {
    puzzle: Arc<engine::Puzzle>,
    /// What another process reads the same puzzle from.
    origin: Origin,
}

/// What a puzzle was read from.
#[derive(Clone)]
enum Origin {
    File { name: String, seed: Option<String>, metric: Option<String> },
    Text { text: String, name: String },
}

/// What may be set for a search, as Python names it.
pub struct Wanted<'a> {
    pub algorithm: Option<&'a str>,
    pub heuristic: Option<String>,
    pub weight: Option<f64>,
    pub width: Option<u32>,
    pub after: Vec<String>,
    pub without: Vec<String>,
    pub cache: Option<PathBuf>,
}

/// Returns the options of a search.
pub fn options(py: Python<'_>, wanted: Wanted, limits: engine::Limits) -> PyResult<Options> {
    let algorithm = wanted.algorithm.map(|name| named(py, name)).transpose()?;
    let wrong = |what: String, right: &str| with_help::<EngineError>(py, &what, Some(right));
    let weight = wanted.weight.map(|weight| {
        Weight::new(weight).ok_or_else(|| wrong(format!("a weight of {weight}"), "give a number from 1 on"))
    });
    let width = wanted.width.map(|width| {
        BeamWidth::new(width).ok_or_else(|| wrong(format!("a width of {width}"), "give a whole number from 1 on"))
    });
    Ok(Options {
        algorithm,
        heuristic: wanted.heuristic,
        weight: weight.transpose()?,
        width: width.transpose()?,
        after: wanted.after,
        without: wanted.without,
        cache: wanted.cache,
        limits,
        ..Options::default()
    })
}

/// Returns the algorithm of this name.
pub fn named(py: Python<'_>, name: &str) -> PyResult<Algorithm> {
    Algorithm::named(name).ok_or_else(|| {
        let known = Algorithm::ALL.iter().map(|facts| facts.name);
        let help = engine::diagnostic::unknown_name(name, known);
        with_help::<EngineError>(py, &format!("unknown algorithm `{name}`"), Some(&help))
    })
}

/// Returns the names of all algorithms.
#[pyfunction]
pub fn algorithms() -> Vec<&'static str> {
    Algorithm::ALL.iter().map(|facts| facts.name).collect()
}

/// Returns the names of the algorithms that use a heuristic.
#[pyfunction]
pub fn informed_algorithms() -> Vec<&'static str> {
    Algorithm::ALL.iter().filter(|facts| facts.informed).map(|facts| facts.name).collect()
}

/// Returns the names of all domains.
#[pyfunction]
pub fn domains() -> Vec<&'static str> {
    engine::domain::registered()
}

impl Puzzle {
    /// Returns the puzzle.
    pub fn inner(&self) -> &Arc<engine::Puzzle> {
        &self.puzzle
    }

    /// Reads the text of a puzzle file.
    pub fn parsed(py: Python<'_>, text: String, name: &str) -> PyResult<Puzzle> {
        let puzzle = py.detach(|| Loading::default().parse(&text, name)).map_err(|report| of_report(py, &report))?;
        Ok(Puzzle { puzzle: Arc::new(puzzle), origin: Origin::Text { text, name: name.to_owned() } })
    }

    fn read(py: Python<'_>, loading: &Loading, source: &Source) -> PyResult<Puzzle> {
        let puzzle = py.detach(|| loading.load_source(source)).map_err(|report| of_report(py, &report))?;
        let ReadAs { seed, metric } = ReadAs::of(loading);
        let name = source.name().to_owned();
        Ok(Puzzle { puzzle: Arc::new(puzzle), origin: Origin::File { name, seed, metric } })
    }
}

/// The options of reading.
struct ReadAs {
    seed: Option<String>,
    metric: Option<String>,
}

impl ReadAs {
    fn of(loading: &Loading) -> ReadAs {
        ReadAs { seed: loading.options.seed.clone(), metric: loading.options.metric.clone() }
    }
}

fn loading(seed: Option<String>, metric: Option<String>) -> Loading {
    let mut loading = Loading::default();
    (loading.options.seed, loading.options.metric) = (seed, metric);
    loading
}

#[pymethods]
impl Puzzle {
    /// Reads a puzzle file, or the level of a collection that is named as `levels.sok#3`.
    #[staticmethod]
    #[pyo3(signature = (path, *, seed=None, metric=None))]
    fn load(py: Python<'_>, path: PathBuf, seed: Option<String>, metric: Option<String>) -> PyResult<Puzzle> {
        let loading = loading(seed, metric);
        let source = loading.source(path).map_err(|report| of_report(py, &report))?;
        Puzzle::read(py, &loading, &source)
    }

    /// Reads the text of a puzzle file. Errors call the file `name`; files that it names are looked up in its folder.
    #[staticmethod]
    #[pyo3(signature = (text, name="puzzle.toml"))]
    fn from_toml(py: Python<'_>, text: String, name: &str) -> PyResult<Puzzle> {
        Puzzle::parsed(py, text, name)
    }

    /// Reads a puzzle from a dictionary with the keys of a puzzle file.
    #[staticmethod]
    fn from_dict(py: Python<'_>, keys: &Bound<'_, PyDict>) -> PyResult<Puzzle> {
        let text: String = py.import("json")?.call_method1("dumps", (keys,))?.extract()?;
        let wrong = |error: &dyn std::fmt::Display| {
            let help = "keys are texts; values are texts, numbers, True, False, lists and dictionaries, and not None";
            with_help::<EngineError>(py, &format!("this dictionary is no puzzle: {error}"), Some(help))
        };
        let value: serde_json::Value = serde_json::from_str(&text).map_err(|error| wrong(&error))?;
        let text = toml::to_string(&value).map_err(|error| wrong(&error))?;
        Puzzle::from_toml(py, text, "puzzle.toml")
    }

    /// The title.
    #[getter]
    fn title(&self) -> &str {
        self.puzzle.title()
    }

    /// The name of the domain.
    #[getter]
    fn domain(&self) -> &'static str {
        self.puzzle.domain().name
    }

    /// The metric, if the domain has several.
    #[getter]
    fn metric(&self) -> Option<&'static str> {
        self.puzzle.metric()
    }

    /// The size, rows first, such as `4x4`.
    #[getter]
    fn size(&self) -> String {
        self.puzzle.size()
    }

    /// The names of the heuristics for this puzzle.
    #[getter]
    fn heuristics(&self) -> Vec<&'static str> {
        self.puzzle.heuristics().map(|facts| facts.name).collect()
    }

    /// Why there is no solution, if that is decided without a search.
    #[getter]
    fn unsolvable(&self, py: Python<'_>) -> Option<String> {
        py.detach(|| self.puzzle.unsolvable())
    }

    /// Searches for a solution. See the documentation of the package for the arguments.
    #[pyo3(signature = (
        algorithm=None, heuristic=None, *, weight=None, width=None, after=Vec::new(), without=Vec::new(), cache=None,
        time_limit=None, memory_limit=None, node_limit=None, depth_limit=None, threads=None, on_progress=None,
        isolated=false
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn solve(
        slf: &Bound<'_, Self>,
        algorithm: Option<&str>,
        heuristic: Option<Bound<'_, PyAny>>,
        weight: Option<f64>,
        width: Option<u32>,
        after: Vec<String>,
        without: Vec<String>,
        cache: Option<PathBuf>,
        time_limit: Option<Time>,
        memory_limit: Option<Memory>,
        node_limit: Option<u64>,
        depth_limit: Option<u32>,
        threads: Option<usize>,
        on_progress: Option<Py<PyAny>>,
        isolated: bool,
    ) -> PyResult<Solution> {
        let py = slf.py();
        let given = Given { time: time_limit, memory: memory_limit, nodes: node_limit, depth: depth_limit, threads };
        let (interrupt, gauge) = (Arc::new(AtomicBool::new(false)), Arc::new(Gauge::default()));
        let limits = given.limits(&interrupt, &gauge)?;
        let this = slf.get();
        let (heuristic, function) = match heuristic {
            None => (None, None),
            Some(heuristic) => match heuristic.extract::<String>() {
                Ok(name) => (Some(name), None),
                Err(_) => (None, Some(Function::new(&heuristic, &interrupt)?)),
            },
        };
        if isolated && function.is_some() {
            let help = "leave out `isolated`, or name a heuristic of the puzzle";
            return Err(with_help::<EngineError>(py, "a function cannot go to another process", Some(help)));
        }
        if isolated {
            let call = PyDict::new(py);
            call.set_item("algorithm", algorithm)?;
            call.set_item("heuristic", heuristic)?;
            call.set_item("weight", weight)?;
            call.set_item("width", width)?;
            call.set_item("after", after)?;
            call.set_item("without", without)?;
            call.set_item("cache", cache.map(|path| path.display().to_string()))?;
            call.set_item("time_limit", limits.time.map(|time| time.as_secs_f64()))?;
            call.set_item("memory_limit", limits.memory)?;
            call.set_item("node_limit", limits.nodes)?;
            call.set_item("depth_limit", limits.depth)?;
            call.set_item("threads", threads)?;
            let answer = py.import("engine._isolated")?.call_method1("solve", (slf, call))?;
            return Solution::from_json(&this.puzzle, answer.extract()?);
        }
        let algorithm = algorithm.or(function.as_ref().map(|_| "a-star"));
        let wanted = Wanted { algorithm, heuristic, weight, width, after, without, cache };
        let given = function.as_ref().map(|function| Arc::clone(&function.heuristic));
        let options = Options { given, ..options(py, wanted, limits)? };
        let progress = on_progress.as_ref().map(|function| (function, &gauge));
        let solution = watched(py, &interrupt, progress, || {
            this.puzzle.solve(&options).map(|solution| Answer::of(&solution, &options.after))
        })?;
        function.map_or(Ok(()), |function| function.failed())?;
        Ok(Solution::new(&this.puzzle, solution.map_err(|error| refused(py, &error))?))
    }

    /// Returns all shortest solutions, each a list of moves, in the order of the moves; at most as many as `limit`.
    /// `len()` of the result is the number of those listed, `count` that of all.
    #[pyo3(signature = (limit=1000, *, time_limit=None, memory_limit=None))]
    fn all_solutions(
        &self,
        py: Python<'_>,
        limit: usize,
        time_limit: Option<Time>,
        memory_limit: Option<Memory>,
    ) -> PyResult<Paths> {
        let given = Given { time: time_limit, memory: memory_limit, ..Given::default() };
        let (interrupt, gauge) = (Arc::new(AtomicBool::new(false)), Arc::new(Gauge::default()));
        let limits = given.limits(&interrupt, &gauge)?;
        let options = Options { all_shortest: Some(limit), limits, ..Options::default() };
        let solution = watched(py, &interrupt, None, || self.puzzle.solve(&options))?;
        let solution = solution.map_err(|error| refused(py, &error))?;
        Paths::of(&solution).ok_or_else(|| {
            let reason = solution
                .limit()
                .map_or("there is no solution".to_owned(), |limit| format!("stopped by the limit on {}", limit.name()));
            with_help::<EngineError>(py, &reason, None)
        })
    }

    /// Explores the whole space that moves reach from the start.
    #[pyo3(signature = (*, time_limit=None, memory_limit=None, node_limit=None, threads=None, on_progress=None))]
    fn explore(
        &self,
        py: Python<'_>,
        time_limit: Option<Time>,
        memory_limit: Option<Memory>,
        node_limit: Option<u64>,
        threads: Option<usize>,
        on_progress: Option<Py<PyAny>>,
    ) -> PyResult<Exploration> {
        let given = Given { time: time_limit, memory: memory_limit, nodes: node_limit, threads, ..Given::default() };
        let (interrupt, gauge) = (Arc::new(AtomicBool::new(false)), Arc::new(Gauge::default()));
        let limits = given.limits(&interrupt, &gauge)?;
        let progress = on_progress.as_ref().map(|function| (function, &gauge));
        let found = watched(py, &interrupt, progress, || self.puzzle.explore(&limits))?;
        Ok(Exploration::new(&self.puzzle, found))
    }

    /// Replays moves by the second implementation of the rules. Returns their cost; raises `EngineError` with the first
    /// move that is wrong, or if the last position is not a goal.
    fn verify(&self, py: Python<'_>, moves: Vec<String>) -> PyResult<f64> {
        let replayed = py.detach(|| verify::replay(&self.puzzle, &moves));
        replayed.map(|replayed| replayed.cost).map_err(|why| with_help::<EngineError>(py, &why, None))
    }

    /// Rates how hard the puzzle is for people: a record with the names of `engine rate --json`, such as `score`. Spaces of
    /// more than `states` states are measured on samples.
    #[pyo3(signature = (*, states=100_000, seed=0, time_limit=None, memory_limit=None))]
    fn rate<'py>(
        &self,
        py: Python<'py>,
        states: usize,
        seed: u64,
        time_limit: Option<Time>,
        memory_limit: Option<Memory>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limits = Within { nodes: None, time: time_limit, memory: memory_limit };
        design::rate(py, &self.puzzle, states, seed, limits)
    }

    /// Answers what every single edit of the drawing would do: a record with the names of `engine edits --json`. An edit
    /// is given up after `node_limit` expanded states, by default 200,000.
    #[pyo3(signature = (*, node_limit=None, time_limit=None, memory_limit=None))]
    fn edits<'py>(
        &self,
        py: Python<'py>,
        node_limit: Option<u64>,
        time_limit: Option<Time>,
        memory_limit: Option<Memory>,
    ) -> PyResult<Bound<'py, PyAny>> {
        design::edited(py, &self.puzzle, Within { nodes: node_limit, time: time_limit, memory: memory_limit })
    }

    /// Takes away walls and pieces as long as the optimum stays, with `unique` the number of shortest solutions, too: a
    /// record with the names of `engine minimize --json`, and the smaller `puzzle`.
    #[pyo3(signature = (*, unique=false, node_limit=None, time_limit=None, memory_limit=None))]
    fn minimize<'py>(
        &self,
        py: Python<'py>,
        unique: bool,
        node_limit: Option<u64>,
        time_limit: Option<Time>,
        memory_limit: Option<Memory>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limits = Within { nodes: node_limit, time: time_limit, memory: memory_limit };
        let (found, smaller) = design::minimized(py, &self.puzzle, unique, limits)?;
        found.set_item("puzzle", Puzzle::parsed(py, smaller, self.puzzle.name())?)?;
        Ok(found)
    }

    /// Compares this version of a puzzle with another: a record with the names of `engine diff --json`. What needs more
    /// than `node_limit` expanded states, by default 200,000, is left out, except the optimum.
    #[pyo3(signature = (other, *, node_limit=None, time_limit=None, memory_limit=None))]
    fn diff<'py>(
        &self,
        py: Python<'py>,
        other: &Puzzle,
        node_limit: Option<u64>,
        time_limit: Option<Time>,
        memory_limit: Option<Memory>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limits = Within { nodes: node_limit, time: time_limit, memory: memory_limit };
        design::differences(py, &self.puzzle, &other.puzzle, limits)
    }

    /// Makes levels from this template, a puzzle with a table `[generate]`: a record with the names of `engine generate
    /// --json`, in which each of `levels` has its `puzzle`. The easiest come first; the same seed gives the same levels.
    #[pyo3(signature = (count=10, seed=0, *, node_limit=None, time_limit=None, memory_limit=None))]
    fn generate<'py>(
        &self,
        py: Python<'py>,
        count: usize,
        seed: u64,
        node_limit: Option<u64>,
        time_limit: Option<Time>,
        memory_limit: Option<Memory>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limits = Within { nodes: node_limit, time: time_limit, memory: memory_limit };
        let (found, levels) = design::generated(py, &self.puzzle, Task { count, seed }, limits)?;
        let rows = found.get_item("levels")?;
        for (number, level) in levels.into_iter().enumerate() {
            rows.get_item(number)?.set_item("puzzle", Puzzle::parsed(py, level, self.puzzle.name())?)?;
        }
        Ok(found)
    }

    /// Checks a function as a heuristic against exact costs, beside the heuristics of the puzzle: a record with the names of
    /// `engine check --heuristics --json` for this function. `whole` says whether all positions that can be reached were
    /// measured, which `states` bounds, or a sample.
    #[pyo3(signature = (function, *, states=200_000, seed=0, time_limit=None, memory_limit=None))]
    fn check_heuristic<'py>(
        &self,
        function: Bound<'py, PyAny>,
        states: u64,
        seed: u64,
        time_limit: Option<Time>,
        memory_limit: Option<Memory>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let limits = Within { nodes: None, time: time_limit, memory: memory_limit };
        design::checked(&self.puzzle, &function, HeuristicQuestion { most_states: states, seed }, limits)
    }

    /// The text of the puzzle's file.
    #[getter]
    fn text(&self) -> String {
        self.puzzle.file_text().into_owned()
    }

    /// Searches and returns what the search does, an iterator of events: dictionaries as in the lines of a trace file.
    #[pyo3(signature = (algorithm=None, heuristic=None, *, limit=None, time_limit=None, memory_limit=None))]
    fn trace(
        &self,
        py: Python<'_>,
        algorithm: Option<&str>,
        heuristic: Option<String>,
        limit: Option<u64>,
        time_limit: Option<Time>,
        memory_limit: Option<Memory>,
    ) -> PyResult<Trace> {
        let given = Given { time: time_limit, memory: memory_limit, ..Given::default() };
        let (interrupt, gauge) = (Arc::new(AtomicBool::new(false)), Arc::new(Gauge::default()));
        let limits = given.limits(&interrupt, &gauge)?;
        let wanted = Wanted {
            algorithm,
            heuristic,
            weight: None,
            width: None,
            after: Vec::new(),
            without: Vec::new(),
            cache: None,
        };
        let options = options(py, wanted, limits)?;
        Trace::start(&self.puzzle, options, limit, interrupt)
    }

    /// Runs searches and returns a page as HTML that shows them side by side, step by step: each algorithm, with each
    /// heuristic if it uses one. `limit` bounds the expansions that are shown.
    #[pyo3(signature = (algorithms, heuristics=Vec::new(), *, limit=20_000, time_limit=None))]
    fn search_page(
        &self,
        py: Python<'_>,
        algorithms: Vec<String>,
        heuristics: Vec<String>,
        limit: u64,
        time_limit: Option<Time>,
    ) -> PyResult<String> {
        let given = Given { time: time_limit, ..Given::default() };
        let (interrupt, gauge) = (Arc::new(AtomicBool::new(false)), Arc::new(Gauge::default()));
        let limits = given.limits(&interrupt, &gauge)?;
        let mut wanted = Vec::new();
        for name in &algorithms {
            let algorithm = named(py, name)?;
            match algorithm.facts().informed && !heuristics.is_empty() {
                true => wanted.extend(heuristics.iter().map(|heuristic| (algorithm, Some(heuristic.clone())))),
                false => wanted.push((algorithm, None)),
            }
        }
        let title = self.puzzle.title().to_owned();
        let style = RenderStyle { title, goal: self.puzzle.goal(), ..RenderStyle::default() };
        let page = watched(py, &interrupt, None, || {
            let mut records = Vec::new();
            for (algorithm, heuristic) in wanted {
                let limits = limits.clone();
                let options = Options { algorithm: Some(algorithm), heuristic, limits, ..Options::default() };
                records.append(&mut recorded(&self.puzzle, &options, limit)?.0);
            }
            let start = self.puzzle.space("zero")?.picture();
            Ok(search_page(start.as_ref(), &records, &style))
        })?;
        let page = page.map_err(|error: SolveError| refused(py, &error))?;
        page.map_err(|error| with_help::<EngineError>(py, &error.to_string(), Some("name an algorithm")))
    }

    /// Returns a game at the start.
    fn game(&self) -> Game {
        Game::at_start(&self.puzzle)
    }

    /// Returns the value of a heuristic after some moves; by default of the file's heuristic, else the domain's.
    #[pyo3(signature = (moves=Vec::new(), heuristic=None))]
    fn h(&self, py: Python<'_>, moves: Vec<String>, heuristic: Option<&str>) -> PyResult<f64> {
        crate::game::h_after(py, &self.puzzle, &moves, heuristic)
    }

    /// Returns the start as text.
    fn draw(&self) -> String {
        self.puzzle.draw(Style::Drawn)
    }

    fn __str__(&self) -> String {
        self.draw()
    }

    fn __repr__(&self) -> String {
        format!("<engine.Puzzle {:?}, {} {}>", self.puzzle.title(), self.puzzle.domain().name, self.puzzle.size())
    }

    fn _repr_svg_(&self) -> Option<String> {
        drawn(&self.puzzle, &[], true)
    }

    /// What another process reads the same puzzle from: the arguments of `load` or of `from_toml`.
    fn _origin<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let origin = PyDict::new(py);
        match &self.origin {
            Origin::File { name, seed, metric } => {
                origin.set_item("path", name)?;
                origin.set_item("seed", seed)?;
                origin.set_item("metric", metric)?;
            }
            Origin::Text { text, name } => {
                origin.set_item("text", text)?;
                origin.set_item("name", name)?;
            }
        }
        Ok(origin)
    }
}

/// The puzzles in a file: the levels of a collection, or the one of a puzzle file. A sequence, read level by level.
#[pyclass(frozen, sequence, module = "engine")]
pub struct Collection {
    loading: Loading,
    sources: Vec<Source>,
    path: PathBuf,
}

#[pymethods]
impl Collection {
    #[new]
    #[pyo3(signature = (path, *, seed=None, metric=None))]
    fn new(py: Python<'_>, path: PathBuf, seed: Option<String>, metric: Option<String>) -> PyResult<Collection> {
        let loading = loading(seed, metric);
        let sources = loading.sources(&path).map_err(|report| of_report(py, &report))?;
        Ok(Collection { loading, sources, path })
    }

    /// The titles of the levels, where they are known without reading them.
    #[getter]
    fn titles(&self) -> Vec<Option<String>> {
        self.sources.iter().map(Source::title).collect()
    }

    /// Returns the level of this number, from 1.
    fn level(&self, py: Python<'_>, number: usize) -> PyResult<Puzzle> {
        let source = number.checked_sub(1).and_then(|at| self.sources.get(at)).ok_or_else(|| {
            PyIndexError::new_err(format!("there is no level {number}: there are {}, from 1", self.sources.len()))
        })?;
        Puzzle::read(py, &self.loading, source)
    }

    fn __len__(&self) -> usize {
        self.sources.len()
    }

    fn __getitem__(&self, py: Python<'_>, at: isize) -> PyResult<Puzzle> {
        let count = self.sources.len();
        let from_start = if at < 0 { at.checked_add_unsigned(count) } else { Some(at) };
        let source = from_start.and_then(|at| self.sources.get(usize::try_from(at).ok()?));
        let source = source.ok_or_else(|| PyIndexError::new_err(format!("no puzzle {at}: there are {count}")))?;
        Puzzle::read(py, &self.loading, source)
    }

    fn __repr__(&self) -> String {
        format!("<engine.Collection {:?}, {} puzzles>", self.path, self.sources.len())
    }
}
