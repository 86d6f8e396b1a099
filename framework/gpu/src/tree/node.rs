//! The form in which the device reads nodes.

use super::bounds::Bounds;

/// Words of a node: origin (3), exponents of the cell sizes (1), smallest and largest coordinates of
/// four children in cells (6), references to the children (4), unused (2).
pub(crate) const NODE_WORDS: usize = 16;
/// Reference to nothing.
pub(crate) const EMPTY: u32 = u32::MAX;

/// Returns the reference to 1 to 8 consecutive triangles.
pub(crate) fn leaf_of_triangles(first: u32, count: usize) -> u32 {
    debug_assert!((1..=8).contains(&count) && first < 1 << 27);
    1 << 30 | (count as u32 - 1) << 27 | first
}

/// Returns the reference to an instance.
pub(crate) fn leaf_of_instance(instance: u32) -> u32 {
    debug_assert!(instance < 1 << 30);
    2 << 30 | instance
}

/// Writes a node with up to four children.
///
/// Bounds are enlarged by 2⁻¹⁸ of the node's size and a step of the lattice, which is more than the
/// rounding errors of the shader relative to the size of the node.
pub(super) fn pack(children: &[(Bounds, u32)]) -> [u32; NODE_WORDS] {
    let mut words = [0; NODE_WORDS];
    let all = children.iter().fold(Bounds::EMPTY, |all, (bounds, _)| all.union(*bounds));
    for axis in 0..3 {
        let (low, high) = (i64::from(all.min[axis]), i64::from(all.max[axis]));
        let pad = ((high - low) >> 18) + 1;
        let origin = low - pad;
        let size = high + pad - origin;
        let exponent = (0..32).find(|e| size <= 255 << e).unwrap_or(31);
        words[axis] = origin as i32 as u32;
        words[3] |= (exponent as u32) << (8 * axis);
        let (mut lows, mut highs) = ([255u8; 4], [0u8; 4]);
        for (child, (bounds, _)) in children.iter().enumerate() {
            let low = (i64::from(bounds.min[axis]) - pad - origin) >> exponent;
            let high = i64::from(bounds.max[axis]) + pad - origin;
            lows[child] = low as u8;
            highs[child] = ((high + (1 << exponent) - 1) >> exponent) as u8;
        }
        words[4 + axis] = u32::from_le_bytes(lows);
        words[7 + axis] = u32::from_le_bytes(highs);
    }
    words[10..14].fill(EMPTY);
    for (word, (_, reference)) in words[10..14].iter_mut().zip(children) {
        *word = *reference;
    }
    words
}

/// Reads the children of a node with their bounds.
#[cfg(test)]
pub(super) fn unpack(words: &[u32]) -> Vec<(u32, Bounds)> {
    let child = |k: usize| {
        let side = |first: usize, axis: usize| {
            let cells = i32::from(words[first + axis].to_le_bytes()[k]);
            words[axis] as i32 + (cells << (words[3] >> (8 * axis) & 255))
        };
        let min = [0, 1, 2].map(|axis| side(4, axis));
        let max = [0, 1, 2].map(|axis| side(7, axis));
        (words[10 + k], Bounds { min, max })
    };
    (0..4).map(child).filter(|(reference, _)| *reference != EMPTY).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_lie_in_what_is_read_back() {
        let boxes = [
            Bounds { min: [-500_000_000, 0, 7], max: [500_000_000, 0, 7] },
            Bounds { min: [3, -1, -900], max: [3, 1, 900] },
            Bounds { min: [0; 3], max: [255; 3] },
        ];
        let children: Vec<(Bounds, u32)> = boxes.into_iter().zip(0..).collect();
        let read = unpack(&pack(&children));
        assert_eq!(read.len(), 3);
        for ((bounds, reference), (found, outer)) in children.iter().zip(&read) {
            assert_eq!(reference, found);
            for k in 0..3 {
                assert!(outer.min[k] < bounds.min[k] && bounds.max[k] < outer.max[k], "{outer:?}");
            }
        }
    }
}
