//! The names of colours and palettes.

/// Names of palettes, in the order of their numbers from 1, as `color_palette` has them.
pub const PALETTES: [&str; 14] = [
    "mastersystem",
    "gameboycolour",
    "amiga",
    "arnecolors",
    "famicom",
    "atari",
    "pastel",
    "ega",
    "amstrad",
    "proteus_mellow",
    "proteus_rich",
    "proteus_night",
    "c64",
    "whitingjp",
];

/// Names of colours: each palette has one colour for each of the first [`COLOURS_OF_A_PALETTE`], in this order, and the
/// names after them are other spellings.
pub const COLOURS: [&str; 24] = [
    "black",
    "white",
    "grey",
    "darkgrey",
    "lightgrey",
    "red",
    "darkred",
    "lightred",
    "brown",
    "darkbrown",
    "lightbrown",
    "orange",
    "yellow",
    "green",
    "darkgreen",
    "lightgreen",
    "blue",
    "lightblue",
    "darkblue",
    "purple",
    "pink",
    "gray",
    "darkgray",
    "lightgray",
];

/// Colours of a palette.
pub const COLOURS_OF_A_PALETTE: usize = 21;
