//! A game in play: levels one after the other, undo, restart, checkpoints, `again`.
//!
//! Pictures and sounds are left out: a message never stops play, and the next level begins within the turn that
//! wins.
//!
//! Source: the behaviour of increpare/PuzzleScript at commit 4db08ebe, as its own tests play it (`unitTesting`).

#![allow(dead_code, reason = "each test program uses a part of this module")]

use engine_puzzlescript::input::Input;
use engine_puzzlescript::program::{Level, LevelBoard, Program};
use engine_puzzlescript::random::Random;
use engine_puzzlescript::turn::{Commands, End, Workspace};

/// A game in play.
#[derive(Clone, Debug)]
pub struct Session<'p> {
    program: &'p Program,
    workspace: Workspace,
    /// The commands of the turn that is being taken, as far as they are still to be obeyed.
    commands: Commands,
    random: Random,
    level: usize,
    /// A message or the title is on the screen. Turns still run on the board before it, but nothing wins.
    text: bool,
    /// The title is on the screen: the first level comes next.
    title: bool,
    /// The board that `restart` puts back: the level as loaded, or the last checkpoint.
    target: LevelBoard,
    /// Boards that `undo` puts back, the last one first.
    past: Vec<LevelBoard>,
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
    pub fn new(program: &'p Program, level: usize, seed: &str) -> Option<Self> {
        let Some(Level::Board(board)) = program.levels.get(level) else { return None };
        let mut session = Self {
            program,
            workspace: Workspace::default(),
            commands: Commands::default(),
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
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Returns the board as it is.
    pub fn board(&self) -> LevelBoard {
        self.workspace.board()
    }

    /// Returns the level that is played, counted with messages from 0.
    pub fn level(&self) -> usize {
        self.level
    }

    /// Returns whether a message or the title is on the screen.
    pub fn is_text(&self) -> bool {
        self.text
    }

    /// Returns whether a turn without input is due, because of `again`.
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
        while self.past.last().is_some_and(|last| last.cells == self.workspace.objects()) {
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
        self.commands = Commands::default();
        self.restarting = false;
    }

    fn put_back(&mut self, board: &LevelBoard) {
        let present = self.workspace.board();
        if (board.width, board.height) != (present.width, present.height) {
            self.workspace.resize(self.program, board.width, board.height);
        }
        self.workspace.set_objects(&board.cells);
        self.commands = Commands::default();
        self.again = false;
    }

    /// Begins a board.
    fn begin(&mut self, board: &LevelBoard) {
        self.again = false;
        self.text = false;
        self.workspace.load(self.program, board);
        self.commands = Commands::default();
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
        let bak = self.workspace.board();
        let end = self.workspace.turn(self.program, input, &mut self.random);
        self.commands = self.workspace.commands().clone();
        if end == End::NoMovement {
            self.text = false;
            return false;
        }
        if self.commands.cancel() {
            let others = self.commands.count() > 1;
            self.workspace.set_objects(&bak.cells);
            self.commands = Commands::default();
            return others;
        }
        if self.commands.restart() {
            self.past.push(bak.clone());
            if !kind.trial {
                self.put_target_back();
            }
        }
        let changed = bak.cells != self.workspace.objects();
        if changed {
            if kind.trial {
                self.put_back(&bak);
                return true;
            }
            if input.is_some() {
                self.past.push(bak);
            }
        }
        if kind.trial && (self.commands.win() || self.commands.restart()) {
            return true;
        }
        if !self.text && !kind.no_win && (self.commands.win() || self.workspace.is_won(self.program)) {
            self.next_level();
        }
        if self.commands.checkpoint() {
            self.target = self.workspace.board();
        }
        if self.commands.again() && changed {
            self.again = self.take_turn(None, Kind { no_win: true, trial: true });
        }
        self.commands = Commands::default();
        changed
    }
}
