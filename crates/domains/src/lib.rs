//! The kinds of puzzle that are built in. Each is one module, which registers itself: nothing here knows them but for these
//! lines.

use engine_domain::domain::*;
use engine_domain::{document, domain, drawing, picture};
use engine_search::{diagnostic, search, space};

mod klotski;
mod maze;
mod permutation;
mod sliding_tile;
mod word_ladder;
