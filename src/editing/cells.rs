//! Changes of the cells of one drawing by its symbols and the parts that these are made of.

use crate::domain::{Drawn, PartKind};

/// Returns for each part whether one cell alone has it, so that it moves when it is put elsewhere.
pub(super) fn singles(drawn: &Drawn, cells: &[u16]) -> Vec<bool> {
    let mut counts = vec![0; drawn.parts.len()];
    for symbol in cells {
        drawn.symbols[usize::from(*symbol)].parts.iter().for_each(|part| counts[*part] += 1);
    }
    let is_single = |(part, count): (usize, &usize)| *count == 1 && drawn.parts[part].kind == PartKind::Piece;
    counts.iter().enumerate().map(is_single).collect()
}

/// Puts a symbol into a cell. A single piece that it has is then no longer where it was: that cell is empty, or holds the
/// other single piece that the symbol replaces. Returns whether anything changed.
pub(super) fn set(drawn: &Drawn, is_single: &[bool], cells: &mut [u16], cell: usize, symbol: usize) -> bool {
    let old = usize::from(cells[cell]);
    if old == symbol {
        return false;
    }
    let (old_parts, new_parts) = (&drawn.symbols[old].parts, &drawn.symbols[symbol].parts);
    let single = |parts: &[usize], others: &[usize]| -> Vec<usize> {
        parts.iter().copied().filter(|part| is_single[*part] && !others.contains(part)).collect()
    };
    let (brought, lost) = (single(new_parts, old_parts), single(old_parts, new_parts));
    for part in brought {
        let has = |other: &usize| *other != cell && drawn.symbols[usize::from(cells[*other])].parts.contains(&part);
        let Some(other) = (0..cells.len()).find(has) else { continue };
        let mut left: Vec<usize> = drawn.symbols[usize::from(cells[other])].parts.clone();
        left.retain(|kept| *kept != part);
        let with_lost = {
            let mut all = [&left[..], &lost].concat();
            all.sort_unstable();
            all.dedup();
            drawn.symbol_with(&all)
        };
        let new = with_lost.or_else(|| drawn.symbol_with(&left)).unwrap_or(old);
        cells[other] = new as u16;
    }
    cells[cell] = symbol as u16;
    true
}

/// Takes a part from some cells, and puts it into others. Returns false, and changes nothing, if no symbol is there for one
/// of them.
pub(super) fn replace(drawn: &Drawn, cells: &mut [u16], part: usize, before: &[usize], after: &[usize]) -> bool {
    let mut changed = cells.to_vec();
    for (places, is_added) in [(before, false), (after, true)] {
        for &cell in places {
            let mut parts = drawn.symbols[usize::from(changed[cell])].parts.clone();
            match is_added {
                true if parts.contains(&part) => return false,
                true => parts.push(part),
                false => parts.retain(|kept| *kept != part),
            }
            parts.sort_unstable();
            let Some(symbol) = drawn.symbol_with(&parts) else { return false };
            changed[cell] = symbol as u16;
        }
    }
    cells.copy_from_slice(&changed);
    true
}

/// Carries what a cell holds to another cell: a piece with all its cells, otherwise the symbol. Two things that cannot
/// share a cell change places.
///
/// # Errors
/// It cannot lie there: why.
pub(super) fn carry(drawn: &Drawn, cells: &mut [u16], columns: usize, from: usize, to: usize) -> Result<(), String> {
    let symbol = |cell: usize| &drawn.symbols[usize::from(cells[cell])];
    let kind = |part: &usize| drawn.parts[*part].kind;
    if symbol(from).parts.is_empty() {
        return Err("there is nothing to move here".to_owned());
    }
    let movable = symbol(from).parts.iter().rev().find(|part| !kind(part).is_ground()).copied();
    let Some(part) = movable else {
        if symbol(to).parts.iter().any(|part| kind(part) == PartKind::Block) {
            return Err(format!("`{}` is in the way", symbol(to).text));
        }
        cells.swap(from, to);
        return Ok(());
    };
    let is_block = kind(&part) == PartKind::Block;
    let has = |cell: &usize| symbol(*cell).parts.contains(&part);
    let before: Vec<usize> = if is_block { (0..cells.len()).filter(has).collect() } else { vec![from] };
    let by = |from: usize, to: usize, at: usize, end: usize| (at + to).checked_sub(from).filter(|at| *at < end);
    let shifted = |cell: &usize| {
        let row = by(from / columns, to / columns, cell / columns, cells.len() / columns)?;
        Some(row * columns + by(from % columns, to % columns, cell % columns, columns)?)
    };
    let name = &drawn.parts[part].name;
    let after: Option<Vec<usize>> = before.iter().map(shifted).collect();
    let after = after.ok_or_else(|| format!("`{name}` would lie beyond the edge"))?;
    if replace(drawn, cells, part, &before, &after) {
        return Ok(());
    }
    let symbol = |cell: usize| &drawn.symbols[usize::from(cells[cell])];
    let is_fixed = |part: &usize| matches!(kind(part), PartKind::Obstacle | PartKind::Block);
    let in_the_way =
        after.iter().find(|cell| symbol(**cell).parts.iter().any(|other| *other != part && is_fixed(other)));
    match in_the_way {
        Some(cell) => Err(format!("`{}` is in the way", symbol(*cell).text)),
        None if is_block => Err(format!("no symbol has `{name}` and what lies there")),
        None => {
            cells.swap(from, to);
            Ok(())
        }
    }
}
