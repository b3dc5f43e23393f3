//! A game in play: levels one after the other, undo, restart, checkpoints, `again`.
//!
//! Pictures and sounds are left out: a message never stops play, and the next level begins within the turn that
//! wins.
//!
//! Source: the behaviour of increpare/PuzzleScript at commit 4db08ebe, as its own tests play it (`unitTesting`).

use crate::input::Input;
use crate::program::{Board, Level, Program};
use crate::random::Random;
use crate::turn::{End, Workspace};

/// A game in play.
#[derive(Clone, Debug)]
pub struct Session<'p> {
    program: &'p Program,
    workspace: Workspace,
    random: Random,
    level: usize,
    /// A message or the title is on the screen. Turns still run on the board before it, but nothing wins.
    text: bool,
    /// The title is on the screen: the first level comes next.
    title: bool,
    /// The board that `restart` puts back: the level as loaded, or the last checkpoint.
    target: Board,
    /// Boards that `undo` puts back, the last one first.
    past: Vec<Board>,
    again: bool,
    restarting: bool,
}

/// The kind of a turn.
#[derive(Clone, Copy, Debug, Default)]
struct Kind {
    /// Winning is not looked at.
    no_win: bool,
    /// The board is put back: only whether anything would change counts.
    trial: bool,
}

impl<'p> Session<'p> {
    /// Begins a game at a level, counted with messages from 0. The seed of the random generator holds for that level
    /// alone. Returns none if the level is a message or does not exist.
    #[must_use]
    pub fn new(program: &'p Program, level: usize, seed: &str) -> Option<Self> {
        let Some(Level::Board(board)) = program.levels.get(level) else { return None };
        let mut session = Self {
            program,
            workspace: Workspace::default(),
            random: Random::new(seed),
            level,
            text: false,
            title: false,
            target: board.clone(),
            past: Vec::new(),
            again: false,
            restarting: false,
        };
        session.begin(board);
        Some(session)
    }

    /// Returns the game that is played.
    #[must_use]
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Returns the board as it is.
    #[must_use]
    pub fn board(&self) -> Board {
        self.workspace.board()
    }

    /// Returns the level that is played, counted with messages from 0.
    #[must_use]
    pub fn level(&self) -> usize {
        self.level
    }

    /// Returns whether a message or the title is on the screen.
    #[must_use]
    pub fn is_text(&self) -> bool {
        self.text
    }

    /// Returns whether a turn without input is due, because of `again`.
    #[must_use]
    pub fn again(&self) -> bool {
        self.again
    }

    /// Takes a turn with a key. Turns that `again` asks for are not part of it.
    pub fn press(&mut self, input: Input) {
        self.take_turn(Some(input), Kind::default());
    }

    /// Takes a turn without a key: time passes, or `again` asks for it.
    pub fn tick(&mut self) {
        self.again = false;
        self.take_turn(None, Kind::default());
    }

    /// Puts the last board back that differs from the present one.
    pub fn undo(&mut self) {
        if !self.program.settings.no_undo {
            self.put_last_back();
        }
    }

    fn put_last_back(&mut self) {
        while self.past.last().is_some_and(|last| last.cells == self.workspace.objects) {
            self.past.pop();
        }
        if let Some(last) = self.past.pop() {
            self.put_back(&last);
        }
    }

    /// Puts the level back, or its last checkpoint.
    pub fn restart(&mut self) {
        if self.program.settings.no_restart || self.restarting {
            return;
        }
        if self.again {
            self.undo();
        }
        self.past.push(self.workspace.board());
        self.put_target_back();
    }

    fn put_target_back(&mut self) {
        if self.restarting {
            return;
        }
        self.restarting = true;
        let target = self.target.clone();
        self.put_back(&target);
        if self.program.settings.run_rules_on_level_start {
            self.take_turn(None, Kind { no_win: true, trial: false });
        }
        self.workspace.commands.clear();
        self.restarting = false;
    }

    fn put_back(&mut self, board: &Board) {
        if (board.width, board.height) != (self.workspace.width, self.workspace.height) {
            self.workspace.resize(self.program, board.width, board.height);
        }
        self.workspace.set_objects(&board.cells);
        self.workspace.commands.clear();
        self.again = false;
    }

    /// Begins a board.
    fn begin(&mut self, board: &Board) {
        self.again = false;
        self.text = false;
        self.workspace.load(self.program, board);
        self.workspace.commands.clear();
        self.past.clear();
        self.target = board.clone();
        if self.program.settings.run_rules_on_level_start {
            self.take_turn(None, Kind { no_win: true, trial: false });
        }
    }

    /// Goes to the next level, or from the last one to the title. Its generator has no given seed.
    fn next_level(&mut self) {
        self.again = false;
        if self.title {
            self.title = false;
        } else if self.level + 1 < self.program.levels.len() {
            self.level += 1;
        } else {
            self.level = 0;
            self.text = true;
            self.title = true;
            return;
        }
        self.text = false;
        self.random = Random::new(&self.level.to_string());
        let program = self.program;
        match &program.levels[self.level] {
            Level::Message(_) => self.text = true,
            Level::Board(board) => self.begin(board),
        }
    }

    /// Takes a turn and does what its commands say. Returns whether it changed anything, or in a trial: would.
    fn take_turn(&mut self, input: Option<Input>, kind: Kind) -> bool {
        self.again = false;
        if self.workspace.turn(self.program, input, &mut self.random) == End::NoMovement {
            self.text = false;
            return false;
        }
        let before = |workspace: &Workspace| Board {
            width: workspace.width,
            height: workspace.height,
            cells: workspace.before.clone(),
        };
        if self.workspace.commands.cancel() {
            let others = self.workspace.commands.count() > 1;
            self.workspace.take_back();
            return others;
        }
        let bak = before(&self.workspace);
        if self.workspace.commands.restart() {
            self.past.push(bak.clone());
            if !kind.trial {
                self.put_target_back();
            }
        }
        let changed = bak.cells != self.workspace.objects;
        if changed {
            if kind.trial {
                self.put_back(&bak);
                return true;
            }
            if input.is_some() {
                self.past.push(bak);
            }
        }
        if kind.trial && (self.workspace.commands.win() || self.workspace.commands.restart()) {
            return true;
        }
        if !self.text && !kind.no_win && (self.workspace.commands.win() || self.workspace.is_won(self.program)) {
            self.next_level();
        }
        if self.workspace.commands.checkpoint() {
            self.target = self.workspace.board();
        }
        if self.workspace.commands.again() && changed {
            self.again = self.take_turn(None, Kind { no_win: true, trial: true });
        }
        self.workspace.commands.clear();
        changed
    }
}

/// Writes a board as the reference's tests do, which distinguish cells but not where objects are drawn. The cells come
/// in storage order, each as the names of its objects.
///
/// In lines of the board's width: the names of a cell's objects, sorted and joined by spaces, with a number at their
/// first occurrence, and that number alone afterwards.
#[must_use]
pub fn serialize<'n>(width: usize, cells: impl Iterator<Item = Vec<&'n str>>) -> String {
    let mut known: Vec<String> = Vec::new();
    let mut text = String::new();
    for (index, mut names) in cells.enumerate() {
        names.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
        let names = names.join(" ");
        let number = known.iter().position(|other| *other == names).unwrap_or_else(|| {
            text += &names;
            text.push(':');
            known.push(names);
            known.len() - 1
        });
        text += &number.to_string();
        text.push(',');
        if (index + 1) % width == 0 {
            text.push('\n');
        }
    }
    text
}
