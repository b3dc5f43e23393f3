//! A page to play puzzles in: one file that loads nothing from elsewhere.
//!
//! The page gets the rules as [data](crate::domain::mechanics), and its script interprets them: which moves are legal,
//! what they do, and what a goal is. Pictures are the engine's own: the ground and every look of a figure are drawings
//! of [`svg`](super::svg), which the script puts in place. So the page knows no domain.

mod data;
mod figures;
mod stars;

use super::film::Film;
use super::html::{board_element, head, json_in_script};
use super::looks::rank;
use super::outline::number;
use super::svg::Stage;
use super::{RenderError, RenderStyle, goal};
use crate::diagnostic::escape;
use crate::domain::Searchable;
use crate::domain::mechanics::{Mechanics, Moves, Node, Target};
use crate::picture::{Cell, Disc, Figure, Form, Ground, Picture};
use crate::plot::svg::Svg;
use crate::plot::thousands;
use crate::search::Stop;
use crate::transcript::Number;
use figures::{Figures, NotDrawn};
use rustc_hash::FxHasher;
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::hash::Hasher;

pub use stars::Difficulty;

const SCRIPT: &str = concat!(
    "(async () => {\n\"use strict\";\n",
    include_str!("play/page/levels.js"),
    include_str!("play/page/board.js"),
    include_str!("play/page/game.js"),
    include_str!("play/page/pointing.js"),
    include_str!("play/page/controls.js"),
    "})();\n"
);
/// The interpreter of rules that rewrite a board; only pages that need it have it.
const REWRITING: &str = include_str!("play/rewriting.js");
/// The interpreter of rules with consequences, likewise.
const MACHINE: &str = include_str!("play/machine.js");
/// The search for positions that are lost.
const TRAPS: &str = include_str!("play/traps.js");
const SHEET: &str = include_str!("play/page.css");
/// The greatest size of a level's data in bytes.
const MOST_BYTES: usize = 4 << 20;
/// The greatest number of positions of a level whose rules are the graph of its positions.
const MOST_POSITIONS: usize = 50_000;
/// The greatest number of figures in all of these positions: more would take more than [`MOST_BYTES`], two characters
/// each.
const MOST_FIGURES: usize = MOST_BYTES / 2;

/// The solution of a level, as far as it is known.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The moves of a solution; empty if none is known.
    pub moves: Vec<String>,
    /// The cost of the solution.
    pub cost: Option<f64>,
    /// True if the cost is proven minimal.
    pub is_optimal: bool,
    /// True if it is proven that there is no solution.
    pub is_unsolvable: bool,
}

/// A level of a page.
pub struct Level {
    title: String,
    /// The fields that the script reads.
    fields: Map<String, Value>,
    /// The folder of the puzzle, by which the menu is grouped.
    folder: String,
    /// How hard it is, if the menu has stars, and how many it then has.
    difficulty: Option<Difficulty>,
    stars: usize,
    board: BoardDrawing,
    moves: Vec<String>,
}

/// The drawing of a board: what is before the pieces, the pieces at the start, and what is after them.
struct BoardDrawing {
    before: String,
    pieces: String,
    after: String,
}

impl Level {
    /// Describes a puzzle for the page. `has_spaced_moves` says that names of moves may contain spaces.
    ///
    /// # Errors
    /// The puzzle is too large for a page, or `stop` ended the work.
    pub fn new(
        start: &dyn Searchable,
        has_spaced_moves: bool,
        note: &str,
        style: &RenderStyle,
        stop: &Stop,
    ) -> Result<Level, RenderError> {
        let picture = start.picture().ok_or_else(|| refused("it is too large to be drawn"))?;
        let (rules, figures) = described(start, stop)?;
        let mut level = Level::of(picture, &rules, &figures, note, style)?;
        level.fields.insert("spaced".to_owned(), has_spaced_moves.into());
        Ok(level)
    }

    /// Describes a puzzle that is too large to be played in the page, for the `reason`: its start is only shown.
    ///
    /// # Errors
    /// The puzzle is too large to be drawn.
    pub fn still(
        start: &dyn Searchable,
        reason: &RenderError,
        note: &str,
        style: &RenderStyle,
    ) -> Result<Level, RenderError> {
        let picture = start.picture().ok_or_else(|| refused("it is too large to be drawn"))?;
        let only = Node { figures: picture.figures.clone(), edges: Vec::new() };
        // No value of the only variable is a goal, even if the start is one: nothing can be won.
        let goals = vec![Target { conditions: vec![(0, Vec::new())], ..Target::default() }];
        let rules = Mechanics { start: vec![0], domains: vec![vec![0]], goals, moves: Moves::Graph(vec![only]) };
        let figures = Figures::new(start, &rules, &Stop::default()).map_err(RenderError::from)?;
        let mut level = Level::of(picture, &rules, &figures, note, style)?;
        level.fields.insert("still".to_owned(), format!("This level is only shown: {reason}.").into());
        Ok(level)
    }

    /// Describes the rules and the figures of a puzzle.
    fn of(
        picture: Picture,
        rules: &Mechanics,
        figures: &Figures,
        note: &str,
        style: &RenderStyle,
    ) -> Result<Level, RenderError> {
        let too_large = |_| refused("it has too many variables or values");
        let (rows, columns) = figures.extent();
        let (rows, columns) = (rows.max(picture.rows), columns.max(picture.columns));
        let mut fields = data::rules(rules).map_err(too_large)?;
        fields.append(&mut data::figures(figures, rules, columns).map_err(too_large)?);
        let walls: Vec<u32> = (0..picture.rows * picture.columns)
            .filter(|&cell| picture.ground[cell] == Ground::Wall)
            .map(|cell| (cell / picture.columns * columns + cell % picture.columns) as u32)
            .collect();
        let number = |&(row, column): &Cell| row * columns + column;
        let areas: Vec<Vec<usize>> = picture.areas.iter().map(|area| area.iter().map(number).collect()).collect();
        let places = figures.of.iter().flatten().flatten().chain(&figures.fixed);
        let film = Film::of_looks(scenery(picture), (rows, columns), &figures.looks, places);
        let stage = Stage::bare(&film, style.theme);
        let shape = |style: &Figure| -> Vec<usize> {
            style.cells.iter().map(|&(row, column)| row * columns + column).collect()
        };
        let looks = &figures.looks;
        // The first look that is the same but for its colour.
        let kind = |style: &Figure| {
            looks
                .iter()
                .position(|other| (&other.label, other.form, &other.cells) == (&style.label, style.form, &style.cells))
        };
        let shift = |(&(row, column), disc): (&Cell, &Disc)| {
            let by = [disc.down, disc.right].map(|by| Number(f64::from(by) / 1000.0));
            ((row * columns + column).to_string(), json!(by))
        };
        let discs: Map<String, Value> = film.scenery.discs.iter().map(shift).collect();
        let has_unit_costs = data::is_unit(rules);
        let more = json!({
            "title": style.title,
            "note": note,
            "cell": stage.cell,
            "rows": rows,
            "columns": columns,
            "discs": discs,
            "walls": data::set(&walls).map_err(too_large)?,
            "shapes": looks.iter().map(shape).collect::<Vec<_>>(),
            "labels": looks.iter().map(|style| &style.label).collect::<Vec<_>>(),
            "ranks": looks.iter().map(rank).collect::<Vec<_>>(),
            "kinds": looks.iter().map(kind).collect::<Vec<_>>(),
            "areas": areas,
            "unit": has_unit_costs,
            "spaced": false,
            "goal": goal::elements(style),
            "inWords": style.in_words,
        });
        if let Value::Object(mut more) = more {
            fields.append(&mut more);
        }
        let board = board(&stage, figures, rules);
        let (folder, moves, title) = (String::new(), Vec::new(), style.title.clone());
        Level { title, fields, folder, difficulty: None, stars: 0, board, moves }.measured()
    }

    /// Adds the solution, as far as it is known, and the facts beside the board.
    ///
    /// # Errors
    /// The level is too large for a page.
    pub fn answered(mut self, answer: Answer, facts: &[(String, String)]) -> Result<Level, RenderError> {
        let more = json!({
            "facts": facts,
            "solution": answer.moves,
            "least": answer.cost.map(Number),
            "optimal": answer.is_optimal,
            "hopeless": answer.is_unsolvable,
        });
        if let Value::Object(mut more) = more {
            self.fields.append(&mut more);
        }
        self.moves = answer.moves;
        self.measured()
    }

    /// Puts the level below the name of a folder in the menu.
    #[must_use]
    pub fn in_folder(self, folder: String) -> Level {
        Level { folder, ..self }
    }

    /// Gives the level its place and its stars in the menu.
    #[must_use]
    pub fn of_difficulty(self, difficulty: Difficulty) -> Level {
        Level { difficulty: Some(difficulty), ..self }
    }

    /// Returns the known ones of the size, the least cost and the score, as text.
    fn about(&self) -> String {
        let facts = self.fields.get("facts").and_then(Value::as_array).map_or(&[][..], |facts| facts);
        let size = facts.iter().find(|fact| fact[0] == "size").and_then(|fact| fact[1].as_str()).map(str::to_owned);
        let kind = if self.fields.get("optimal") == Some(&Value::Bool(true)) { "optimum" } else { "solution" };
        let cost = self.fields.get("least").filter(|least| !least.is_null()).map(|least| format!("{kind} {least}"));
        let score = self.difficulty.as_ref().and_then(|one| one.score).map(|score| format!("score {score:.1}"));
        size.into_iter().chain(cost).chain(score).collect::<Vec<_>>().join(", ")
    }

    /// Gives the level the name under which progress is kept.
    fn measured(mut self) -> Result<Level, RenderError> {
        self.fields.remove("id");
        let text = Value::Object(self.fields.clone()).to_string();
        if text.len() > MOST_BYTES {
            let message =
                format!("its rules take {} MiB, and a page has at most {}", text.len() >> 20, MOST_BYTES >> 20);
            return Err(refused(&message));
        }
        let mut hasher = FxHasher::default();
        hasher.write(text.as_bytes());
        self.fields.insert("id".to_owned(), format!("{:016x}", hasher.finish()).into());
        Ok(self)
    }
}

/// Returns the rules of a puzzle and its figures: the graph of all positions plays every puzzle, if it is small.
fn described(start: &dyn Searchable, stop: &Stop) -> Result<(Mechanics, Figures), RenderError> {
    let reason = match start.mechanics() {
        None => "its rules cannot be written as data",
        Some(rules) => match Figures::new(start, &rules, stop) {
            Ok(figures) => return Ok((rules, figures)),
            Err(NotDrawn::Limit(limit)) => return Err(limit.into()),
            Err(NotDrawn::Refused(reason)) => reason,
        },
    };
    let graph = start.graph(MOST_POSITIONS, MOST_FIGURES, stop)?.ok_or_else(|| {
        let most = thousands(MOST_POSITIONS as u64);
        refused(&format!("{reason}, and it has more than {most} positions, or too large ones, to list instead"))
    })?;
    let figures = Figures::new(start, &graph, stop)?;
    Ok((graph, figures))
}

impl From<NotDrawn> for RenderError {
    fn from(reason: NotDrawn) -> RenderError {
        match reason {
            NotDrawn::Refused(reason) => refused(reason),
            NotDrawn::Limit(limit) => limit.into(),
        }
    }
}

fn refused(reason: &str) -> RenderError {
    RenderError::new(format!("the puzzle cannot be played in a page: {reason}"))
}

/// Returns the ground and the marks. The label of a mark that a block covers at the start would show between blocks.
pub(super) fn scenery(mut picture: Picture) -> Picture {
    let blocks: HashSet<Cell> = picture
        .figures
        .iter()
        .filter(|figure| figure.form == Form::Block)
        .flat_map(|figure| figure.covered().collect::<Vec<_>>())
        .collect();
    for mark in &mut picture.marks {
        if mark.covered().any(|cell| blocks.contains(&cell)) {
            mark.label.clear();
        }
    }
    Picture { figures: Vec::new(), ..picture }
}

/// Draws the ground, the looks as definitions, and the start.
fn board(stage: &Stage, figures: &Figures, rules: &Mechanics) -> BoardDrawing {
    let mut svg = board_element(stage, stage.width * 1.5);
    svg.open("defs", &[]).line();
    for (number, actor) in stage.film.actors.iter().enumerate() {
        stage.actor(&mut svg, number, actor.first, (0.0, 0.0), &[("id", &format_args!("k{number}"))], "");
    }
    svg.close("defs").line();
    stage.scenery(&mut svg);
    stage.board(&mut svg, &[]);
    stage.letters(&mut svg);
    svg.close("g").line();
    stage.board(&mut svg, &[("id", &"pieces")]);
    let before = svg.finish();
    let mut svg = Svg::default();
    let mut all = figures.at_start(rules);
    all.sort_by_key(|(look, _)| rank(&figures.looks[*look]));
    for (look, at) in all {
        let (x, y) = stage.place(stage.exact(at));
        let (name, x, y) = (format!("#k{look}"), number(x), number(y));
        svg.empty("use", &[("href", &name), ("x", &x), ("y", &y)]);
    }
    let pieces = svg.finish();
    let mut svg = Svg::default();
    svg.close("g").line();
    stage.board(&mut svg, &[("pointer-events", &"none")]);
    stage.outlines(&mut svg);
    svg.close("g").line().close("svg").line();
    BoardDrawing { before, pieces, after: svg.finish() }
}

/// Returns the page of some levels; `title` is that of all together.
///
/// # Panics
/// If there is no level.
#[must_use]
pub fn play_page(levels: Vec<Level>, title: &str, style: &RenderStyle) -> String {
    let levels = with_stars(levels);
    let menu = menu(&levels);
    let heading = if levels.len() > 1 { title.to_owned() } else { levels[0].title.clone() };
    let (mut fields, mut programs): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
    let (mut first, mut moves) = (String::new(), String::new());
    // Boards have many lines in common.
    let mut lines = data::Table::default();
    for Level { fields: mut level, board, moves: solution, .. } in levels {
        if fields.is_empty() {
            (first, moves) = ([board.before, board.pieces, board.after].concat(), solution.join(" "));
        } else {
            let both = [board.before, board.after].concat();
            let numbers: Vec<usize> = both.lines().map(|line| lines.number(line.to_owned())).collect();
            level.insert("board".to_owned(), numbers.into());
        }
        // The levels of a game share its rules.
        if let Some(program) = level.get_mut(data::PROGRAM) {
            let known = programs.iter().position(|known| known == program);
            let number = known.unwrap_or_else(|| {
                programs.push(program.clone());
                programs.len() - 1
            });
            *program = number.into();
        }
        fields.push(level.into());
    }
    let rewriting = if programs.is_empty() { "" } else { REWRITING };
    let machine = if fields.iter().any(|level| level["form"] == "machine") { MACHINE } else { "" };
    let data = json_in_script(&json!({ "levels": fields, "lines": lines.all, "programs": programs }));
    let script = format!("\n{rewriting}{machine}{TRAPS}{SCRIPT}");
    let mut out = head(&heading, SHEET, &script, style);
    let _ = write!(
        out,
        "<body>\n<main>\n<h1 id=\"title\">{}</h1>\n<p id=\"note\"></p>\n<section aria-label=\"Game\">\n\
         <div id=\"stage\" role=\"application\" tabindex=\"0\" aria-label=\"The board; arrow keys move\" \
         aria-describedby=\"says\">\n{first}</div>\n{GAME}</section>\n<section aria-label=\"About\">\n{menu}{ABOUT}\
         </section>\n<noscript><p>Playing needs JavaScript. Solution: {}</p></noscript>\n</main>\n\
         <script type=\"application/json\" id=\"game\">{data}</script>\n<script>{script}</script>\n</body>\n</html>\n",
        escape(title),
        escape(&moves),
    );
    out
}

/// Gives the levels their stars, and puts them in order.
fn with_stars(levels: Vec<Level>) -> Vec<Level> {
    let all: Vec<(&str, Option<&Difficulty>)> =
        levels.iter().map(|level| (&*level.folder, level.difficulty.as_ref())).collect();
    if all.iter().all(|(_, difficulty)| difficulty.is_none()) {
        return levels;
    }
    let order = stars::ordered(&all);
    let mut left: Vec<Option<Level>> = levels.into_iter().map(Some).collect();
    let level = |(number, stars): (usize, usize)| left[number].take().map(|level| Level { stars, ..level });
    order.into_iter().filter_map(level).collect()
}

/// The elements below the board.
const GAME: &str = r#"<p id="says" role="status" aria-live="polite"></p>
<p class="status live-only"><span id="count"></span><span id="cost"></span><span id="best"></span><span id="least"></span></p>
<div id="win" hidden><strong id="won"></strong><button type="button" id="again">Play again</button><button type="button" id="following">Next level</button></div>
<div id="lost" hidden><strong>This game is lost: no way leads to the goal.</strong><button type="button" id="rescue">Undo the mistake</button></div>
<div class="buttons live-only" role="group" aria-label="Commands">
<button type="button" id="undo" aria-keyshortcuts="z" title="z">Undo</button>
<button type="button" id="redo" aria-keyshortcuts="y" title="y">Redo</button>
<button type="button" id="restart" aria-keyshortcuts="n" title="n">Restart</button>
<button type="button" id="hint" aria-keyshortcuts="h" title="h">Hint</button>
<button type="button" id="watch" aria-keyshortcuts="w" title="w">Solution</button>
</div>
"#;

/// The elements beside the board.
const ABOUT: &str = r#"<div class="live-only">
<h2 id="moves">Moves from here</h2>
<div id="legal" role="group" aria-labelledby="moves"></div>
<p id="none"></p>
<details><summary>Share</summary>
<label for="line">Your moves; paste others to play them</label>
<textarea id="line" spellcheck="false" autocomplete="off"></textarea>
<div class="buttons"><button type="button" id="go">Play these moves</button><button type="button" id="text2">Copy moves</button><button type="button" id="link">Copy link</button></div>
</details>
<details id="asText"><summary>Position as text</summary><pre id="text" tabindex="0"></pre></details>
<details><summary>Keys</summary><p class="keys"><kbd>←</kbd> <kbd>↑</kbd> <kbd>→</kbd> <kbd>↓</kbd> move; with Shift, as far as it goes. <kbd>,</kbd> <kbd>.</kbd> or its letter select a piece, <kbd>Esc</kbd> lets it go; a letter that is a move makes it. <kbd>z</kbd> undo, <kbd>y</kbd> redo, <kbd>n</kbd> restart, <kbd>h</kbd> hint, <kbd>w</kbd> show the solution, <kbd>[</kbd> <kbd>]</kbd> change the level. Click, drag or swipe on the board; every legal move is in the list.</p></details>
</div>
<details open id="aim"><summary>Goal</summary><div id="goal"></div></details>
<details open><summary>Puzzle</summary><dl id="facts"></dl></details>
"#;

/// Returns the menu of several levels.
fn menu(levels: &[Level]) -> String {
    if levels.len() < 2 {
        return "<div id=\"levels\" hidden></div>\n".to_owned();
    }
    let are_grouped = levels.windows(2).any(|pair| pair[0].folder != pair[1].folder);
    let is_rated = levels.iter().any(|level| level.difficulty.is_some());
    let class = if is_rated { " class=\"rated\"" } else { "" };
    let mut buttons = String::new();
    for (number, level) in (1..).zip(levels) {
        let is_first = number == 1 || levels[number - 2].folder != level.folder;
        if are_grouped && is_first {
            let _ = writeln!(buttons, "<h3>{}</h3>", escape(if level.folder.is_empty() { "." } else { &level.folder }));
        }
        let (title, about) = (escape(&level.title), escape(&level.about()));
        let stars = stars::element(level.stars);
        let _ = writeln!(buttons, "<button type=\"button\">{number}. {title} {stars}<small>{about}</small></button>");
    }
    format!(
        "<nav aria-label=\"Levels\" class=\"live-only\"><h2>Levels</h2>\n<div id=\"levels\"{class}>\n{buttons}</div></nav>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Puzzle;

    fn level(text: &str) -> Result<Level, RenderError> {
        let puzzle = Puzzle::parse(text, "x.toml").unwrap_or_else(|report| panic!("{report}"));
        let start = puzzle.space("zero").expect("every domain has the heuristic zero");
        Level::new(&*start, puzzle.has_spaced_moves(), "", &RenderStyle::default(), &Stop::default())
    }

    const WORDS: &str = "title = 'w'\ndomain = 'word-ladder'\nstart = 'cat'\ngoal = 'dog'\n\
                         words = ['cat', 'cot', 'cog', 'dog', 'sun']\n";

    #[test]
    fn a_domain_without_rules_as_data_has_the_graph_of_its_positions() {
        let puzzle = Puzzle::parse(WORDS, "x.toml").unwrap_or_else(|report| panic!("{report}"));
        let start = puzzle.space("zero").expect("every domain has the heuristic zero");
        assert!(start.mechanics().is_none());
        let graph = |at_most, figures| start.graph(at_most, figures, &Stop::default()).expect("nothing stops it");
        assert!(graph(3, 12).is_none(), "there are four positions");
        assert!(graph(4, 11).is_none(), "of three letters each");
        let graph = graph(4, 12).expect("four positions are not too many");
        let crate::domain::mechanics::Moves::Graph(nodes) = &graph.moves else { panic!("{graph:?}") };
        let edges =
            |node: usize| nodes[node].edges.iter().map(|(name, to, _)| (name.as_str(), *to)).collect::<Vec<_>>();
        assert_eq!(edges(0), [("cot", 1)]);
        assert_eq!(edges(1), [("cat", 0), ("cog", 2)]);
        assert_eq!(graph.goals[0].conditions, [(0, vec![3])]);
        let level = level(WORDS).expect("it is small");
        assert_eq!(level.fields["form"], "graph");
    }

    #[test]
    fn levels_of_a_game_share_its_rules() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/puzzles/puzzlescript/crates.txt");
        let loading = crate::puzzle::Loading::default();
        let sources = loading.sources(file).unwrap_or_else(|report| panic!("{report}"));
        let level = |source| {
            let puzzle = loading.load_source(source).unwrap_or_else(|report| panic!("{report}"));
            let start = puzzle.space("zero").expect("every domain has the heuristic zero");
            Level::new(&*start, false, "", &RenderStyle::default(), &Stop::default()).expect("it can be drawn")
        };
        let levels: Vec<Level> = sources.iter().map(level).collect();
        assert!(levels.len() > 1);
        assert_eq!(levels[0].fields["form"], "rewriting");
        let page = play_page(levels, "crates", &RenderStyle::default());
        assert_eq!(page.matches("\"layerOf\"").count(), 1);
        assert_eq!(page.matches("function rewriting(").count(), 1);
        assert!(
            !play_page(vec![self::level(WORDS).expect("it is small")], "", &RenderStyle::default())
                .contains("function rewriting(")
        );
    }

    #[test]
    fn operators_at_different_places_share_a_template() {
        let tiles = "title = 't'\ndomain = 'sliding-tile'\nstart = \"\"\"\n1 2 3\n4 5 6\n7 . 8\n\"\"\"\n";
        let level = level(tiles).expect("it is small");
        assert_eq!(level.fields["form"], "operators");
        assert_eq!(level.fields["templates"].as_array().map(Vec::len), Some(4), "one a direction");
        assert_eq!(level.fields["ops"].as_str().map(|ops| ops.chars().count()), Some(24 * 3));
    }
}
