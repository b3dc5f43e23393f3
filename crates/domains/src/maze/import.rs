//! Importers of mazes: maps of the Moving AI Lab, and the scenarios that it publishes with them.

use super::cell::Cell;
use super::description::on_the_map;
use super::legend::Legend;
use super::map::Map;
use super::map_file::{self, TYPE};
use super::view::drawing;
use crate::diagnostic::Diagnostic;
use crate::domain::Folder;
use crate::domain::import::{ImportSource, Importer, Recognition, without_comments};
use std::ops::Range;

inventory::submit! {
    Importer {
        name: "moving-ai-map",
        summary: "a map of the Moving AI Lab: `type octile`, height and width, `map`, the rows; `--goal start=ROW,COLUMN \
                  --goal goal=ROW,COLUMN` sets start and goal",
        is_fallback: false,
        options: &["--goal"],
        recognize: |input| {
            let text = without_comments(input.text);
            let has = |word: &str| text.lines().any(|line| line.split_whitespace().next() == Some(word));
            match () {
                () if text.trim_start().starts_with(TYPE) => Recognition::Yes("a map, with moves in eight directions".to_owned()),
                () if has("height") && has("width") => Recognition::Near(format!("its first line is not `{TYPE}`")),
                () => Recognition::No,
            }
        },
        keys: map,
    }
}

inventory::submit! {
    Importer {
        name: "moving-ai-scenario",
        summary: "a scenario of the Moving AI Lab: the line of a `.scen` file that `--line` selects, with its map in the same folder",
        is_fallback: false,
        options: &[],
        recognize: |input| {
            let Some((line, _)) = lines(input.text).next() else { return Recognition::No };
            let yes = || Recognition::Yes("a map with two ends, and moves in eight directions".to_owned());
            // A row of nine tiles has as many fields as a scenario.
            let is_row = line.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ');
            let names_a_map = line.split_whitespace().any(|word| word.ends_with(".map"));
            match Scenario::read(line, 0..0) {
                _ if is_version(line) => yes(),
                Ok(_) if !is_row => yes(),
                Err(why) if names_a_map => Recognition::Near(why.message),
                _ => Recognition::No,
            }
        },
        keys: scenario,
    }
}

/// The greatest number of cells of a map that is written as a drawing, so that the file stays within the limit for
/// reading.
const MAX_WRITTEN: u64 = 15 << 20;

/// The number of decimals that a published length needs: with fewer, it is too imprecise to compare.
const DECIMALS: usize = 6;

/// Returns the lines that are neither blank nor comments, with their ranges in the text.
fn lines(text: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    let place = |line: &str| {
        let start = line.as_ptr() as usize - text.as_ptr() as usize;
        start..start + line.len()
    };
    text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).map(move |line| (line, place(line)))
}

fn is_version(line: &str) -> bool {
    line.split_whitespace().next() == Some("version") && line.split_whitespace().count() == 2
}

/// Returns the keys of a puzzle with a drawn map.
fn keys(map: &Map, start: Cell, goal: Cell, moves: &str) -> Result<String, String> {
    let cells = u64::from(map.rows) * u64::from(map.columns + 1);
    if cells > MAX_WRITTEN {
        return Err(format!("the map has {cells} cells, too many for a drawing: name it as `map_file` in a puzzle"));
    }
    if start == goal {
        return Err("the start is the goal: there is nothing to solve".to_owned());
    }
    let drawn = drawing(map, start, &[goal], None);
    Ok(format!("domain = \"maze\"\nmoves = \"{moves}\"\nmap = \"\"\"\n{drawn}\"\"\"\n"))
}

fn map(input: &ImportSource) -> Result<String, Diagnostic> {
    let text = without_comments(input.text);
    // Comments above the map are no part of it.
    let text = text.trim_start().as_bytes();
    let map =
        map_file::read_from(text, text.len() as u64, "the map", &Legend::standard()).map_err(Diagnostic::whole)?;
    let [mut start, mut goal] = [None, None];
    for written in input.goals {
        let end = match written.split_once('=').map(|(name, _)| name.trim()) {
            Some("start") => &mut start,
            Some("goal") => &mut goal,
            _ => {
                let message = format!("invalid value `{written}` for `--goal`");
                let help = "expected `start` or `goal`, such as `--goal start=0,0 --goal goal=9,9`";
                return Err(Diagnostic::whole(message).help(help));
            }
        };
        let place = written.split_once('=').and_then(|(_, place)| place.split_once(','));
        let numbers = place.and_then(|(row, column)| Some([row.trim().parse().ok()?, column.trim().parse().ok()?]));
        let numbers = numbers.ok_or_else(|| {
            Diagnostic::whole(format!("invalid place in `{written}`")).help("expected ROW,COLUMN, both counted from 0")
        })?;
        *end = Some(on_the_map(&map, numbers).map_err(Diagnostic::whole)?);
    }
    let missing = |name: &str| {
        let help = "add `--goal start=ROW,COLUMN --goal goal=ROW,COLUMN`, counted from 0, or import a line of the map's \
                    `.scen` file";
        Diagnostic::whole(format!("missing {name} for the map")).help(help)
    };
    match (start, goal) {
        (Some(start), Some(goal)) => keys(&map, start, goal, "diagonal").map_err(Diagnostic::whole),
        (None, None) => Err(missing("start and goal")),
        (None, _) => Err(missing("start")),
        (_, None) => Err(missing("goal")),
    }
}

/// A line of a `.scen` file: bucket, map, width and height of the map, column and row of the start and of the goal, and
/// the length of a shortest path.
struct Scenario<'a> {
    map: &'a str,
    size: [u32; 2],
    start: [u32; 2],
    goal: [u32; 2],
    length: &'a str,
}

impl<'a> Scenario<'a> {
    fn read(line: &'a str, place: Range<usize>) -> Result<Scenario<'a>, Diagnostic> {
        // Fields are separated by tabs if there are any, so that the name of a map may contain spaces.
        let fields: Vec<&str> = if line.contains('\t') {
            line.split('\t').map(str::trim).filter(|field| !field.is_empty()).collect()
        } else {
            line.split_whitespace().collect()
        };
        let wrong = |message: String| {
            let columns =
                "the fields are: bucket, map, width, height, column and row of the start, of the goal, length";
            Diagnostic::at(place.clone(), message).help(columns)
        };
        let [_, map, numbers @ .., length] = &fields[..] else {
            return Err(wrong(format!("expected 9 fields, found {}", fields.len())));
        };
        let read: Vec<u32> = numbers.iter().filter_map(|number| number.parse().ok()).collect();
        let [width, height, start_x, start_y, goal_x, goal_y] = read[..] else {
            let message = if numbers.len() == 6 {
                "expected whole numbers in fields 3 to 8".to_owned()
            } else {
                format!("expected 9 fields, found {}", fields.len())
            };
            return Err(wrong(message));
        };
        if length.parse::<f64>().is_err() {
            return Err(wrong(format!("invalid length `{length}`: expected a number")));
        }
        let (size, start, goal) = ([height, width], [start_y, start_x], [goal_y, goal_x]);
        Ok(Scenario { map, size, start, goal, length })
    }

    /// Opens the map by its path relative to the scenario's folder, or else by its name alone.
    fn map(&self, folder: Folder) -> Result<Map, Diagnostic> {
        let open = |path| folder.open(path, map_file::A_MAP_FILE);
        let name = self.map.rsplit(['/', '\\']).next().unwrap_or(self.map);
        let opened = open(self.map).or_else(|refused| {
            open(name).map_err(|missing| {
                // If the map exists in neither place, the message has its name alone.
                if refused.help.is_some() { refused } else { missing }
            })
        })?;
        map_file::read(opened, &Legend::standard()).map_err(Diagnostic::whole)
    }
}

fn scenario(input: &ImportSource) -> Result<String, Diagnostic> {
    let mut all = lines(input.text).filter(|(line, _)| !is_version(line));
    let Some((line, place)) = all.next() else {
        return Err(Diagnostic::whole("no scenario found")
            .help("line 1 of a `.scen` file is its version; choose the first scenario with `--line 2`"));
    };
    let others = all.count();
    if others > 0 {
        return Err(Diagnostic::whole(format!("the file has {} scenarios", others + 1))
            .help("choose one: `--line 2` is the first, after the line with the version"));
    }
    let scenario = Scenario::read(line, place.clone())?;
    let wrong = |message: String| Diagnostic::at(place.clone(), message);
    let map = scenario.map(input.folder).map_err(|error| Diagnostic { span: Some(place.clone()), ..error })?;
    if scenario.size != [map.rows, map.columns] {
        let [height, width] = scenario.size;
        let message =
            format!("the scenario is for a map of {height}x{width}, but this one is {}x{}", map.rows, map.columns);
        return Err(wrong(message));
    }
    let end = |name: &str, place| {
        on_the_map(&map, place).map_err(|message| wrong(format!("the {name} {message} (row, column)")))
    };
    let (start, goal) = (end("start", scenario.start)?, end("goal", scenario.goal)?);
    let keys = keys(&map, start, goal, "diagonal").map_err(wrong)?;
    let length = scenario.length;
    let decimals = length.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    Ok(if decimals >= DECIMALS {
        format!("{keys}\n[expect]\ncost = {length}\n")
    } else {
        format!("{keys}\n# The published length, {length}, is too imprecise to compare.\n")
    })
}
