//! Importers of sliding blocks: boards of cars, as Rush Hour texts write them, and plain drawings.

use crate::diagnostic::Diagnostic;
use crate::domain::import::{ImportSource, Importer, Recognition, blocks, drawing, escaped, without_comments};
use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

inventory::submit! {
    Importer {
        name: "rush-hour",
        summary: "a board of cars from 5x5 to 9x9: 36 characters on one line, or 25, 49, 64 or 81; or a line for each row. \
                  `o` or `.` is empty, `x` a wall, `A` the car that leaves on the right; `--goal` names another car and \
                  its place",
        is_fallback: false,
        options: &["--goal", "--rows"],
        recognize: recognize_cars,
        keys: rush_hour,
    }
}

inventory::submit! {
    Importer {
        name: "drawing",
        summary: "a board as in a puzzle file; the goal is a second drawing after a blank line, or `--goal`",
        is_fallback: true,
        options: &["--goal"],
        recognize: recognize_drawing,
        keys: drawn,
    }
}

/// The lengths of the sides of a board of cars.
const SIDES: RangeInclusive<usize> = 5..=9;

/// The most separate parts of a piece. A piece of more is a symbol of something else that was misread.
const MOST_PARTS: usize = 2;

/// A board that may be one of cars: its cells, row by row, and its range in the text.
struct CarBoard {
    columns: usize,
    cells: Vec<char>,
    place: Range<usize>,
}

/// Returns the sides of a square or, with `rows`, of a rectangle of this many cells.
fn sides(cells: usize, rows: Option<usize>) -> Option<[usize; 2]> {
    let rows = rows.or_else(|| SIDES.clone().find(|side| side * side == cells))?;
    let columns = cells.checked_div(rows)?;
    (rows * columns == cells && SIDES.contains(&rows) && SIDES.contains(&columns)).then_some([rows, columns])
}

/// Returns the boards that a text may have: one on each line, which may also have numbers, or one with a line for each
/// row.
fn boards(input: &ImportSource) -> Vec<CarBoard> {
    let text = &without_comments(input.text);
    let place = |part: &str| {
        let start = part.as_ptr() as usize - text.as_ptr() as usize;
        start..start + part.len()
    };
    let is_board = |word: &&str| {
        sides(word.len(), input.rows).is_some() && word.bytes().all(|c| c.is_ascii_alphabetic() || c == b'.')
    };
    let of_line = |line: &str| {
        let word = line.split_whitespace().find(is_board)?;
        let [_, columns] = sides(word.len(), input.rows)?;
        Some(CarBoard { columns, cells: word.chars().collect(), place: place(word) })
    };
    let found: Vec<CarBoard> = text.lines().filter_map(of_line).collect();
    let blocks = blocks(text);
    let ([block], true) = (&blocks[..], found.is_empty()) else { return found };
    let rows: Vec<Vec<char>> = block.iter().map(|line| line.trim().chars().collect()).collect();
    let columns = rows[0].len();
    let cells = rows.concat();
    let likely = cells.iter().filter(|cell| cell.is_ascii_alphabetic() || **cell == '.').count();
    let is_rectangle = SIDES.contains(&rows.len()) && SIDES.contains(&columns);
    if is_rectangle && rows.iter().all(|row| row.len() == columns) && 2 * likely > cells.len() {
        return vec![CarBoard { columns, cells, place: place(text.trim()) }];
    }
    found
}

impl CarBoard {
    /// Returns the cars by name, with the numbers of their cells.
    fn cars(&self) -> BTreeMap<char, Vec<usize>> {
        let mut cars: BTreeMap<char, Vec<usize>> = BTreeMap::new();
        let is_car = |cell: char| !matches!(cell, 'o' | '.' | 'x' | '#');
        for (number, &cell) in self.cells.iter().enumerate().filter(|(_, cell)| is_car(**cell)) {
            cars.entry(cell).or_default().push(number);
        }
        cars
    }

    /// Returns the numbers of the cells of the car `A`, if it can leave on the right.
    fn red_car(&self) -> Option<Vec<usize>> {
        Some(self.cells_of('A')).filter(|cells| cells.len() > 1 && cells[1] == cells[0] + 1)
    }

    /// Returns the numbers of the cells with a symbol.
    fn cells_of(&self, symbol: char) -> Vec<usize> {
        (0..self.cells.len()).filter(|&cell| self.cells[cell] == symbol).collect()
    }

    /// Returns whether the cells are two or more in a row or a column.
    fn is_car(&self, cells: &[usize]) -> bool {
        let [first, .., last] = cells else { return false };
        let across = cells.windows(2).all(|pair| pair[1] == pair[0] + 1) && first / self.columns == last / self.columns;
        across || cells.windows(2).all(|pair| pair[1] == pair[0] + self.columns)
    }

    /// Returns why this is no board of cars.
    fn objection(&self) -> Option<String> {
        let cars = self.cars();
        if let Some((name, _)) = cars.iter().find(|(name, _)| !name.is_ascii_alphabetic()) {
            return Some(format!("`{name}` is no car, which has a letter"));
        }
        if let Some((name, _)) = cars.iter().find(|(_, cells)| !self.is_car(cells)) {
            return Some(format!("the cells of `{name}` do not form a car: two or more in a row or a column"));
        }
        cars.is_empty().then(|| "it has no car".to_owned())
    }

    /// Returns why a board of cars may be another one than it seems.
    fn doubt(&self) -> Option<String> {
        let cars = self.cars();
        let is_lower = cars.keys().any(char::is_ascii_lowercase);
        if self.cells.contains(&'.') && self.is_car(&self.cells_of('o')) {
            return Some(
                "`o` may be a car or empty cells: name the car with another letter, or write them `.`".to_owned(),
            );
        }
        if is_lower && self.is_car(&self.cells_of('x')) {
            return Some("`x` may be a car or walls: name the car with another letter, or write them `#`".to_owned());
        }
        None
    }

    /// Returns why the target is missing, with the way to name it.
    fn without_target(&self, cars: &BTreeMap<char, Vec<usize>>) -> Diagnostic {
        let message = match cars.get(&'A') {
            None => "missing car `A`, which leaves on the right",
            Some(_) => "the car `A` is vertical: it cannot leave on the right",
        };
        let help = cars.iter().find(|(_, cells)| cells[1] == cells[0] + 1).map_or_else(
            || "name another car and the place of its upper left cell, such as `--goal B=0,2`".to_owned(),
            |(name, cells)| {
                let (row, column) = (cells[0] / self.columns, self.columns - cells.len());
                format!("if `{name}` is the car to move to the right, add `--goal {name}={row},{column}`")
            },
        );
        Diagnostic::at(self.place.clone(), message).help(help)
    }
}

fn rush_hour(input: &ImportSource) -> Result<String, Diagnostic> {
    let mut boards = boards(input);
    // Words that are no boards may stand beside those that are.
    if boards.iter().any(|board| board.objection().is_none()) {
        boards.retain(|board| board.objection().is_none());
    }
    let [board] = &boards[..] else {
        return Err(match boards.get(1) {
            Some(second) => Diagnostic::at(second.place.clone(), format!("the file has {} boards", boards.len()))
                .label("the second board")
                .help("choose one by its line: `--line 1`"),
            None => Diagnostic::whole("no Rush Hour board found").help(
                "a board is 36 characters, or 25, 49, 64 or 81: letters for cars, `o` or `.` for empty cells, `x` for \
                 walls; `--rows` gives the rows of others",
            ),
        });
    };
    if let Some(why) = board.objection().or_else(|| board.doubt()) {
        return Err(Diagnostic::at(board.place.clone(), why));
    }
    let cars = board.cars();
    let rows = |cells: &[char]| cells.chunks(board.columns).map(String::from_iter).collect::<Vec<String>>();
    let goal = match (input.goals, board.red_car()) {
        ([], Some(red)) => {
            let mut goal = vec!['.'; board.cells.len()];
            let end = (red[0] / board.columns + 1) * board.columns;
            goal[end - red.len()..end].fill('A');
            drawing(&rows(&goal))
        }
        ([], _) => return Err(board.without_target(&cars)),
        (goals, _) => goal_table(goals)?,
    };
    let plain = |&cell: &char| match cell {
        'x' => '#',
        'o' => '.',
        cell => cell,
    };
    let start: Vec<char> = board.cells.iter().map(plain).collect();
    Ok(format!("domain = \"klotski\"\nmoves = \"lengthwise\"\nstart = {}\ngoal = {goal}\n", drawing(&rows(&start))))
}

fn recognize_cars(input: &ImportSource) -> Recognition {
    let boards = boards(input);
    let Some(board) = boards.iter().find(|board| board.objection().is_none()).or(boards.first()) else {
        return Recognition::No;
    };
    if let Some(why) = board.objection().or_else(|| board.doubt()) {
        return Recognition::Near(why);
    }
    if board.cars().keys().all(char::is_ascii_lowercase) {
        let why = "its cars may be pieces that move in all directions: `--from rush-hour` takes them as cars";
        return Recognition::Near(why.to_owned());
    }
    let (rows, columns) = (board.cells.len() / board.columns, board.columns);
    let until = match (input.goals, board.red_car()) {
        ([], Some(_)) => " until `A` leaves on the right",
        _ => "",
    };
    Recognition::Yes(format!("a {rows}x{columns} board of cars, which move lengthwise{until}"))
}

/// Recognises a drawing by what makes it a board: rows of one width, empty cells, and pieces in one part.
fn recognize_drawing(input: &ImportSource) -> Recognition {
    let text = &without_comments(input.text);
    let drawings = blocks(text);
    let rows = drawings.first().map_or(&[][..], |first| first);
    let is_cell = |c: char| c.is_ascii_alphanumeric() || ".#=".contains(c);
    let cells = || rows.iter().flat_map(|row| row.chars());
    if drawings.len() > 2 || 2 * cells().filter(|&c| is_cell(c)).count() <= cells().count() {
        return Recognition::No;
    }
    let width = rows[0].chars().count();
    for row in drawings.iter().flatten() {
        if row.chars().any(char::is_whitespace) {
            return Recognition::No;
        }
        let found = row.chars().count();
        if found != width {
            return Recognition::Near(format!("`{row}` has {found} cells, and the first row {width}"));
        }
    }
    if drawings.get(1).is_some_and(|goal| goal.len() != rows.len()) {
        return Recognition::Near("the second drawing is not as high as the first".to_owned());
    }
    if let Some(other) = cells().find(|&c| !is_cell(c)) {
        return Recognition::Near(format!("`{other}` is neither a letter or a digit nor `.`, `#` or `=`"));
    }
    if !cells().any(|c| c == '.') || !cells().any(|c| c.is_ascii_alphanumeric()) {
        return Recognition::Near("a board has pieces and empty cells `.`".to_owned());
    }
    if let Some((piece, count)) = parts(rows).into_iter().find(|(_, count)| *count > 1) {
        return Recognition::Near(format!(
            "`{piece}` has {count} separate parts: `--from drawing` takes it as a piece"
        ));
    }
    let is_edge = |row: usize, column: usize| row == 0 || column == 0 || row + 1 == rows.len() || column + 1 == width;
    let placed =
        rows.iter().enumerate().flat_map(|(row, line)| line.chars().enumerate().map(move |(at, c)| (row, at, c)));
    let mut edge = placed.filter(|&(row, column, _)| is_edge(row, column)).map(|(.., c)| c);
    if let Some(frame) = edge.next().filter(|frame| frame.is_alphanumeric() && rows.len() > 2 && width > 2)
        && edge.all(|c| c == frame)
    {
        return Recognition::Near(format!("`{frame}` is a frame around the board: write walls `#`"));
    }
    if boards(input).iter().any(|board| board.objection().is_none()) {
        let why = "its pieces may be cars: `--from drawing` lets them move in all directions";
        return Recognition::Near(why.to_owned());
    }
    Recognition::Yes("a board of pieces, which move in all directions".to_owned())
}

/// Returns the number of separate parts of each piece.
fn parts(rows: &[&str]) -> BTreeMap<char, usize> {
    let rows: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
    let cell = |row: usize, column: usize| rows.get(row).and_then(|row: &Vec<char>| row.get(column)).copied();
    let mut seen: Vec<Vec<bool>> = rows.iter().map(|row| vec![false; row.len()]).collect();
    let mut parts = BTreeMap::new();
    let places = |(row, columns): (usize, usize)| (0..columns).map(move |column| (row, column));
    for start in rows.iter().map(Vec::len).enumerate().flat_map(places) {
        let Some(piece) = cell(start.0, start.1).filter(|c| !".#=".contains(*c)) else { continue };
        let mut open = vec![start];
        let mut is_new = false;
        while let Some((row, column)) = open.pop() {
            if cell(row, column) != Some(piece) || std::mem::replace(&mut seen[row][column], true) {
                continue;
            }
            is_new = true;
            open.extend([(row + 1, column), (row, column + 1)]);
            open.extend(row.checked_sub(1).map(|above| (above, column)));
            open.extend(column.checked_sub(1).map(|left| (row, left)));
        }
        *parts.entry(piece).or_default() += usize::from(is_new);
    }
    parts
}

fn drawn(input: &ImportSource) -> Result<String, Diagnostic> {
    let text = &without_comments(input.text);
    let drawings = blocks(text);
    let rows = |block: &[&str]| drawing(&block.iter().map(|row| row.trim_end().to_owned()).collect::<Vec<_>>());
    let goal = match (&drawings[..], input.goals) {
        ([_], []) => {
            let nowhere = Diagnostic::whole("missing goal");
            return Err(nowhere
                .help("add one, such as `--goal a=3,1`: row and column of the piece's upper left corner, from 0"));
        }
        ([_], goals) => goal_table(goals)?,
        ([_, goal], []) => rows(goal),
        _ => {
            let many =
                Diagnostic::whole(format!("expected a board and at most one goal, found {} drawings", drawings.len()));
            return Err(many.help("with `--goal`, give only the board"));
        }
    };
    if let Some((piece, count)) = parts(&drawings[0]).into_iter().find(|(_, count)| *count > MOST_PARTS) {
        let start = text.find(piece).unwrap_or(0);
        let error = Diagnostic::at(start..start + piece.len_utf8(), format!("`{piece}` has {count} separate parts"));
        return Err(error.label("not a piece").help("write empty cells `.` and walls `#`"));
    }
    Ok(format!("domain = \"klotski\"\nstart = {}\ngoal = {goal}\n", rows(&drawings[0])))
}

/// Returns the goals of the command line as a TOML table.
fn goal_table(goals: &[String]) -> Result<String, Diagnostic> {
    let mut entries = Vec::new();
    for goal in goals {
        let parts = goal.rsplit_once('=').and_then(|(name, place)| {
            let (row, column) = place.split_once(',')?;
            Some((name, row.trim().parse::<usize>().ok()?, column.trim().parse::<usize>().ok()?))
        });
        let Some((name, row, column)) = parts.filter(|(name, ..)| !name.is_empty()) else {
            let wrong = Diagnostic::whole(format!("invalid value `{goal}` for `--goal`"));
            return Err(wrong.help("expected NAME=ROW,COLUMN, such as `--goal a=3,1`"));
        };
        entries.push(format!("\"{}\" = [{row}, {column}]", escaped(name)));
    }
    Ok(format!("{{ {} }}", entries.join(", ")))
}
