//! The built-in kinds of puzzle. Each is a module that registers itself; only these lines name it.

use engine_domain::domain::*;
use engine_domain::{document, domain, drawing, fences, picture};
use engine_search::{argument, diagnostic, search, space};

mod klotski;
mod maze;
mod permutation;
mod puzzlescript;
mod sliding_tile;
mod word_ladder;
