//! Height and slopes of the ground at points that a model asks for.

use super::Ground;

/// Writes the height at or below `count` points, and the slopes there, into columns that can be null.
///
/// # Safety
/// Each column of `points` holds `count` values, and so does each output that is not null.
pub(crate) unsafe fn query(
    ground: &Ground,
    count: usize,
    points: [*const f64; 3],
    outputs: [*mut f64; 3],
) {
    for i in 0..count {
        // SAFETY: promised by the caller.
        let point = points.map(|column| unsafe { *column.add(i) });
        let (at, slopes) = ground.slope(point);
        for (column, value) in outputs.into_iter().zip([at, slopes[0], slopes[1]]) {
            if !column.is_null() {
                // SAFETY: promised by the caller.
                unsafe { *column.add(i) = value };
            }
        }
    }
}
