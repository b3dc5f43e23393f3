//! A page that shows searches step by step, side by side: one file that loads nothing from elsewhere.
//!
//! A [`SearchRecord`] is what a search did, in order. The page gets the records as data, with the place of each node in
//! the tree, and its script replays them: what is open, closed and on the path after each expansion. Where one figure
//! moves on a map, the page colours the map; elsewhere it draws the tree of positions, or bars if the tree is too large.

mod layout;
mod moment;
mod record;
mod recorder;
mod slide;

pub use record::{Queue, RecordedNode, SearchEvent, SearchRecord};
pub use recorder::recorded;
pub use slide::Slides;

use super::film::Film;
use super::html::{facts, goal_section, head, json_in_script};
use super::looks::{Placed, Wardrobe, rank};
use super::play::scenery;
use super::svg::Stage;
use super::{RenderError, RenderStyle};
use crate::diagnostic::escape;
use crate::picture::{Form, Ground, Picture};
use crate::plot::svg::{Attribute, Svg};
use crate::transcript::Number;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::fmt::Write as _;

const SCRIPTS: [&str; 8] = [
    include_str!("playback.js"),
    include_str!("search/model.js"),
    include_str!("search/drawing.js"),
    include_str!("search/tree.js"),
    include_str!("search/map.js"),
    include_str!("search/charts.js"),
    include_str!("search/words.js"),
    include_str!("search/page.js"),
];
const SHEET: &str = include_str!("search/page.css");
const BODY: &str = include_str!("search/page.html");
/// The greatest number of nodes of a tree that is drawn.
const MOST_DRAWN: usize = 2_000;
/// The greatest number of figures in all positions. Positions beyond it have no drawing.
const MOST_FIGURES: usize = 4_000_000;

/// The positions of some searches as drawings.
pub(super) struct Drawings {
    /// The scenery and the looks.
    pub film: Film,
    /// The figures of each position, from back to front.
    pub positions: Vec<Vec<Placed>>,
    /// For each search the number of each node's position, if it is drawn.
    pub of: Vec<Vec<Option<usize>>>,
    /// If one figure moves and nothing else does, its place in each position.
    pub places: Option<Vec<usize>>,
    shapes: Vec<Vec<usize>>,
    labels: Vec<String>,
}

impl Drawings {
    /// Collects the positions of some searches; `start` is the picture of the first, if there are pictures.
    pub fn new(start: Option<&Picture>, searches: &[SearchRecord]) -> Drawings {
        let start = start.cloned().unwrap_or_else(|| Picture::new(1, 1, Ground::Void));
        let mut wardrobe = Wardrobe::default();
        let (mut positions, mut numbers): (Vec<Vec<Placed>>, HashMap<Vec<Placed>, usize>) = Default::default();
        let (mut figures, mut rows, mut columns) = (0, start.rows, start.columns);
        let mut of = Vec::new();
        for search in searches {
            let mut own = Vec::new();
            for node in &search.nodes {
                let Some(picture) = &node.picture else {
                    own.push(None);
                    continue;
                };
                let placed = wardrobe.placed(picture.clone());
                let number = match numbers.get(&placed) {
                    Some(&number) => Some(number),
                    None if figures + placed.len() > MOST_FIGURES => None,
                    None => {
                        figures += placed.len();
                        numbers.insert(placed.clone(), positions.len());
                        positions.push(placed);
                        Some(positions.len() - 1)
                    }
                };
                own.push(number);
            }
            of.push(own);
        }
        let looks = wardrobe.looks;
        for &(look, at) in positions.iter().flatten() {
            for &(row, column) in &looks[look].cells {
                (rows, columns) = (rows.max(at.0 + row + 1), columns.max(at.1 + column + 1));
            }
        }
        for position in &mut positions {
            position.sort_by_key(|(look, _)| rank(&looks[*look]));
        }
        let number = |(row, column): (usize, usize)| row * columns + column;
        let shapes = looks.iter().map(|look| look.cells.iter().copied().map(number).collect()).collect();
        let labels = looks.iter().map(|look| look.label.clone()).collect();
        let is_mover = |look: usize| looks[look].form == Form::Token;
        let places = places(&positions, is_mover, columns).filter(|places| are_positions(places, searches, &of));
        let film = Film::of_looks(scenery(start), (rows, columns), &looks, positions.iter().flatten());
        Drawings { film, positions, of, places, shapes, labels }
    }

    /// Returns the drawings as the script reads them.
    fn data(&self, stage: &Stage) -> Value {
        let Film { scenery, rows, columns, .. } = &self.film;
        let cell = |&(row, column): &(usize, usize)| row * columns + column;
        let walls: Vec<usize> = (0..scenery.rows * scenery.columns)
            .filter(|&at| scenery.ground[at] == Ground::Wall)
            .map(|at| at / scenery.columns * columns + at % scenery.columns)
            .collect();
        let discs: Map<String, Value> = scenery
            .discs
            .iter()
            .map(|(at, disc)| {
                (cell(at).to_string(), json!([disc.down, disc.right].map(|by| Number(f64::from(by) / 1000.0))))
            })
            .collect();
        let flat = |position: &Vec<Placed>| position.iter().flat_map(|(look, at)| [*look, cell(at)]).collect();
        let positions: Vec<Vec<usize>> = self.positions.iter().map(flat).collect();
        json!({
            "cell": stage.cell, "rows": rows, "columns": columns, "x": stage.x, "y": stage.y, "width": stage.width,
            "height": stage.height, "labels": self.labels, "shapes": self.shapes, "discs": discs, "walls": walls,
            "positions": positions, "places": self.places,
        })
    }

    /// Draws the definitions in an element of their own, for the script to use.
    fn symbols(&self, stage: &Stage) -> String {
        let mut svg = stage.element(&[("id", &"symbols"), ("aria-hidden", &"true")]);
        self.define(stage, &mut svg);
        svg.empty("defs", &[("id", &"positions")]).close("svg").line();
        svg.finish()
    }

    /// Defines the looks, the ground, and what lies over the figures.
    fn define(&self, stage: &Stage, svg: &mut Svg) {
        svg.open("defs", &[]).line();
        for (number, actor) in stage.film.actors.iter().enumerate() {
            let id: Attribute = ("id", &format_args!("k{number}"));
            stage.actor(svg, number, actor.first, (0.0, 0.0), &[id], "");
        }
        svg.open("g", &[("id", &"ground")]);
        stage.scenery(svg);
        stage.board(svg, &[]);
        stage.letters(svg);
        svg.close("g").close("g").line().open("g", &[("id", &"over")]);
        stage.board(svg, &[]);
        stage.outlines(svg);
        svg.close("g").close("g").line().close("defs").line();
    }
}

/// Returns the place of the only figure that moves, if there is one.
fn places(positions: &[Vec<Placed>], is_mover: impl Fn(usize) -> bool, columns: usize) -> Option<Vec<usize>> {
    let split = |position: &Vec<Placed>| {
        let (movers, rest): (Vec<Placed>, Vec<Placed>) = position.iter().partition(|(look, _)| is_mover(*look));
        let [(_, (row, column))] = movers[..] else { return None };
        Some((row * columns + column, rest))
    };
    let (_, rest) = split(positions.first()?)?;
    let place = |position| split(position).filter(|(_, other)| *other == rest).map(|(place, _)| place);
    positions.iter().map(place).collect()
}

/// Returns whether a place is a position: no search that stores positions has two nodes at one place, on one side.
fn are_positions(places: &[usize], searches: &[SearchRecord], of: &[Vec<Option<usize>>]) -> bool {
    if places.len() < 2 {
        return false;
    }
    searches.iter().zip(of).all(|(search, of)| {
        let mut seen = std::collections::HashSet::new();
        let is_new = |(node, of): (&RecordedNode, &Option<usize>)| {
            of.is_some_and(|position| search.queue == Queue::Path || seen.insert((node.is_backward, places[position])))
        };
        search.nodes.iter().zip(of).all(is_new)
    })
}

/// Returns the page of some searches of one puzzle; `start` is its picture, unless it is too large.
///
/// # Errors
/// There is no search.
pub fn search_page(
    start: Option<&Picture>,
    searches: &[SearchRecord],
    style: &RenderStyle,
) -> Result<String, RenderError> {
    if searches.is_empty() {
        return Err(RenderError::new("there is no search to show"));
    }
    let drawings = Drawings::new(start, searches);
    let stage = Stage::bare(&drawings.film, style.theme);
    let data = json!({
        "board": drawings.data(&stage),
        "searches": searches.iter().zip(&drawings.of).map(|(search, of)| search.data(of, drawings.film.columns)).collect::<Vec<_>>(),
    });
    let script = format!("\n{}", SCRIPTS.concat());
    let mut out = head(&style.title, SHEET, &script, style);
    let (before, after) = BODY.split_once("PANELS\n").unwrap_or((BODY, ""));
    let _ = write!(
        out,
        "<body>\n<main>\n<h1>{}</h1>\n{before}<section class=\"about\">\n{}{}</section>\n</main>\n{after}{}\
         <script type=\"application/json\" id=\"search\">{}</script>\n<script>{script}</script>\n</body>\n</html>\n",
        escape(&style.title),
        goal_section(style),
        facts(style),
        drawings.symbols(&stage),
        json_in_script(&data),
    );
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Puzzle;
    use crate::domain::Searchable;
    use std::collections::VecDeque;

    /// Records a breadth-first search of at most `most` expansions.
    pub(super) fn breadth_first(start: Box<dyn Searchable>, most: usize) -> SearchRecord {
        let node = |at: &dyn Searchable, parent, written: Option<String>| RecordedNode {
            parent,
            written,
            g: at.g(),
            picture: at.picture().map(|picture| picture.figures),
            ..RecordedNode::default()
        };
        let mut record = SearchRecord {
            name: "bfs".to_owned(),
            queue: Queue::First,
            outcome: "solved".to_owned(),
            cut: None,
            nodes: vec![node(&*start, None, None)],
            events: Vec::new(),
        };
        let mut known = HashMap::from([(start.state_bytes(), 0)]);
        let mut open = VecDeque::from([(0, start)]);
        for _ in 0..most {
            let Some((parent, at)) = open.pop_front() else { break };
            record.events.push(SearchEvent::Expanded(parent));
            for (written, _, after) in at.successors() {
                if let Some(&known) = known.get(&after.state_bytes()) {
                    record.events.push(SearchEvent::Duplicate(known, parent));
                    continue;
                }
                let number = record.nodes.len();
                known.insert(after.state_bytes(), number);
                record.nodes.push(node(&*after, Some(parent), Some(written)));
                record.events.push(SearchEvent::Generated(number));
                if after.is_goal() {
                    record.events.push(SearchEvent::Goal(number, after.g()));
                    return record;
                }
                open.push_back((number, after));
            }
        }
        record.cut = Some("the record ends here".to_owned());
        record
    }

    fn start(text: &str) -> Box<dyn Searchable> {
        let puzzle = Puzzle::parse(text, "x.toml").unwrap_or_else(|report| panic!("{report}"));
        puzzle.space("zero").expect("every domain has the heuristic zero")
    }

    const TILES: &str = "title = 't'\ndomain = 'sliding-tile'\nstart = \"\"\"\n1 2 3\n4 5 6\n7 . 8\n\"\"\"\n";
    const MAZE: &str = "title = 'm'\ndomain = 'maze'\nmap = \"\"\"\nS..\n.#.\n..G\n\"\"\"\n";

    #[test]
    fn a_maze_is_a_map_and_other_puzzles_are_trees() {
        for (text, is_map) in [(MAZE, true), (TILES, false)] {
            let picture = start(text).picture();
            let searches = [breadth_first(start(text), 20)];
            let drawings = Drawings::new(picture.as_ref(), &searches);
            assert_eq!(drawings.places.is_some(), is_map, "{text}");
            assert_eq!(drawings.of[0].len(), searches[0].nodes.len());
            let page = search_page(picture.as_ref(), &searches, &RenderStyle::default()).expect("there is a search");
            assert!(page.contains("id=\"ground\"") && page.contains("id=\"k0\""));
        }
        assert!(search_page(None, &[], &RenderStyle::default()).is_err());
    }

    #[test]
    fn positions_without_pictures_are_nodes_all_the_same() {
        let mut record = breadth_first(start(TILES), 5);
        record.nodes.iter_mut().for_each(|node| node.picture = None);
        let drawings = Drawings::new(None, std::slice::from_ref(&record));
        assert!(drawings.of[0].iter().all(Option::is_none) && drawings.places.is_none());
        let slides = Slides::new(None, std::slice::from_ref(&record), &RenderStyle::default());
        assert!(slides.svg(&[0, 1]).contains("expanded 1,"));
    }

    #[test]
    fn names_with_markup_are_harmless() {
        let mut record = breadth_first(start(TILES), 3);
        let bad = "</script><script>alert(1)</script>";
        record.name = bad.to_owned();
        record.outcome = bad.to_owned();
        record.nodes[1].written = Some(bad.to_owned());
        let style = RenderStyle { title: bad.to_owned(), ..RenderStyle::default() };
        let searches = [record];
        let page = search_page(start(TILES).picture().as_ref(), &searches, &style).expect("there is a search");
        assert!(!page.contains("alert(1)</script>") && page.contains("\\u003c/script\\u003e"));
        assert_eq!(page.matches("<script").count(), 2, "the data and the script");
        let slide = Slides::new(None, &searches, &style).svg(&[1]);
        assert!(!slide.contains("<script"));
    }

    #[test]
    fn slides_are_drawn_in_all_formats() {
        for text in [MAZE, TILES] {
            let picture = start(text).picture();
            let searches = [breadth_first(start(text), 12), breadth_first(start(text), 4)];
            let slides = Slides::new(picture.as_ref(), &searches, &RenderStyle::default());
            let last = slides.last();
            assert!(slides.png(&[last]).expect("it is small").starts_with(b"\x89PNG"));
            let gif = slides.gif(&|_, _| {}, &crate::search::Stop::default()).expect("it is small");
            assert!(gif.starts_with(b"GIF89a"));
            if let Ok(folder) = std::env::var("SEARCH_PAGES") {
                let name = if text == MAZE { "maze" } else { "tiles" };
                let page = search_page(picture.as_ref(), &searches, &RenderStyle::default()).expect("searches");
                std::fs::write(format!("{folder}/{name}.html"), page).expect("written");
                std::fs::write(format!("{folder}/{name}.svg"), slides.svg(&[2, last])).expect("written");
                std::fs::write(format!("{folder}/{name}.png"), slides.png(&[2, last]).expect("small"))
                    .expect("written");
            }
        }
    }
}
