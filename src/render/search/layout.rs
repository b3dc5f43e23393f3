//! The layout of a tree by depth: siblings side by side, subtrees as near to each other as they fit, each node above the
//! middle of its children (Reingold and Tilford 1981).

/// Half the width of a node, in the units of the layout.
const HALF: i64 = 1;

/// Places the nodes of a forest, whose parents precede them, side by side. Returns the middle of each node, in halves of
/// a node's width; the least is 0.
pub(super) fn places(parents: &[Option<usize>]) -> Vec<i64> {
    let count = parents.len();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut roots = Vec::new();
    for (node, parent) in parents.iter().enumerate() {
        parent.map_or(&mut roots, |parent| &mut children[parent]).push(node);
    }
    // The edges of each subtree, level by level, and the place of each node, both relative to its parent.
    let mut edges: Vec<Vec<(i64, i64)>> = vec![Vec::new(); count];
    let mut place = vec![0; count];
    for node in (0..count).rev() {
        let below = beside(&children[node], &mut edges, &mut place);
        edges[node] = std::iter::once((0, 0)).chain(below).collect();
    }
    beside(&roots, &mut edges, &mut place);
    for node in 0..count {
        place[node] += parents[node].map_or(0, |parent| place[parent]);
    }
    let least = place.iter().min().copied().unwrap_or(0);
    place.iter().map(|place| place - least).collect()
}

/// Places subtrees beside each other around 0, and returns the edges of all together.
fn beside(nodes: &[usize], edges: &mut [Vec<(i64, i64)>], place: &mut [i64]) -> Vec<(i64, i64)> {
    let mut all: Vec<(i64, i64)> = Vec::new();
    for &node in nodes {
        let own = std::mem::take(&mut edges[node]);
        let shift = all.iter().zip(&own).map(|(left, right)| left.1 - right.0 + 2 * HALF).max().unwrap_or(0);
        place[node] = shift;
        for (level, (left, right)) in own.iter().enumerate() {
            match all.get_mut(level) {
                Some(edge) => edge.1 = shift + right,
                None => all.push((shift + left, shift + right)),
            }
        }
    }
    let middle = nodes.first().zip(nodes.last()).map_or(0, |(&first, &last)| (place[first] + place[last]) / 2);
    nodes.iter().for_each(|&node| place[node] -= middle);
    all.iter_mut().for_each(|edge| *edge = (edge.0 - middle, edge.1 - middle));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_a_level_never_overlap_and_parents_are_in_the_middle() {
        assert_eq!(places(&[]), Vec::<i64>::new());
        assert_eq!(places(&[None]), vec![0]);
        assert_eq!(places(&[None, Some(0), Some(0)]), vec![1, 0, 2]);
        // Two roots stand side by side.
        assert_eq!(places(&[None, None]), vec![0, 2]);
        // Trees of many shapes: node n below node n / shape.
        for shape in 2..6 {
            let parents: Vec<Option<usize>> =
                (0..200_usize).map(|node| (node > 0).then(|| (node - 1) / shape * (node % 2))).collect();
            let found = places(&parents);
            let mut levels: Vec<Vec<i64>> = Vec::new();
            let mut depth = vec![0; parents.len()];
            for (node, parent) in parents.iter().enumerate() {
                depth[node] = parent.map_or(0, |parent| depth[parent] + 1);
                if levels.len() <= depth[node] {
                    levels.push(Vec::new());
                }
                levels[depth[node]].push(found[node]);
            }
            for level in &mut levels {
                level.sort_unstable();
                assert!(level.windows(2).all(|pair| pair[1] - pair[0] >= 2), "{shape}: {level:?}");
            }
            let below: Vec<i64> = (1..200).filter(|&node| parents[node] == Some(0)).map(|node| found[node]).collect();
            assert_eq!(found[0], (below[0] + below[below.len() - 1]).div_euclid(2), "{shape}");
        }
    }

    #[test]
    fn a_narrow_subtree_stands_below_a_wide_one_s_edge() {
        // The second child of the root has no children, so the third, a leaf, is right beside it.
        let parents = [None, Some(0), Some(0), Some(1), Some(1), Some(1)];
        assert_eq!(places(&parents), vec![3, 2, 4, 0, 2, 4]);
    }
}
