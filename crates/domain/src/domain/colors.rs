//! Colours in puzzle files: by name or as `#rrggbb`.

use crate::diagnostic::{Diagnostic, unknown_name};
use crate::document::Spanned;

/// The known names and their colours.
const NAMES: [(&str, u32); 20] = [
    ("black", 0x20_20_20),
    ("white", 0xf5_f5_f5),
    ("gray", 0x80_80_80),
    ("silver", 0xc0_c0_c0),
    ("red", 0xd3_2f_2f),
    ("green", 0x2e_9e_4f),
    ("blue", 0x1f_5f_bf),
    ("yellow", 0xf5_d4_3a),
    ("orange", 0xf0_8c_1e),
    ("purple", 0x80_40_a0),
    ("pink", 0xf0_a0_b8),
    ("brown", 0x8b_5a_2b),
    ("cyan", 0x30_c0_d0),
    ("magenta", 0xc8_30_a0),
    ("lime", 0x90_d0_30),
    ("navy", 0x1a_2a_6c),
    ("teal", 0x1f_80_80),
    ("olive", 0x80_80_20),
    ("maroon", 0x80_20_30),
    ("gold", 0xd8_a8_20),
];

/// Returns red, green and blue of a colour, given by its name or as `#rrggbb`.
fn named(color: &str) -> Option<[u8; 3]> {
    let number = match color.strip_prefix('#') {
        Some(digits) if digits.len() == 6 && digits.chars().all(|c| c.is_ascii_hexdigit()) => {
            u32::from_str_radix(digits, 16).ok()?
        }
        _ => NAMES.iter().find(|(name, _)| *name == color.to_lowercase())?.1,
    };
    let [_, red, green, blue] = number.to_be_bytes();
    Some([red, green, blue])
}

/// Reads a colour of a file as red, green and blue.
///
/// # Errors
/// Reports an unknown colour.
pub fn read(color: &Spanned<String>) -> Result<[u8; 3], Diagnostic> {
    named(color.get_ref()).ok_or_else(|| {
        let known = NAMES.iter().map(|(name, _)| *name);
        let help = unknown_name(&color.get_ref().to_lowercase(), known) + ", or `#rrggbb`";
        Diagnostic::at(color.span(), format!("unknown colour `{}`", color.get_ref())).help(help)
    })
}
