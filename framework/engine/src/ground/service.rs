//! Height and slopes of the ground, and positions on Earth, at points that a model asks for.

use std::ffi::c_void;

use simhost_abi::{EarthPoint, EarthService};

use super::Ground;

/// The positions on Earth of the ground that is the context.
pub(crate) static EARTH: EarthService =
    EarthService { size: size_of::<EarthService>() as u32, reserved: 0, locate };

unsafe extern "C" fn locate(
    context: *const c_void,
    count: usize,
    points: *const [f64; 3],
    found: *mut EarthPoint,
) {
    // SAFETY: the context is a ground that outlives the call.
    let ground = unsafe { &*context.cast::<Ground>() };
    // SAFETY: the model passes `count` points and room for as many answers.
    unsafe { locate_all(ground, count, points, found) }
}

/// Writes the positions of `count` points on Earth.
///
/// # Safety
/// There are `count` points, and room for as many answers.
pub(crate) unsafe fn locate_all(
    ground: &Ground,
    count: usize,
    points: *const [f64; 3],
    found: *mut EarthPoint,
) {
    for i in 0..count {
        // SAFETY: promised by the caller.
        unsafe { found.add(i).write(ground.locate(*points.add(i))) };
    }
}

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
