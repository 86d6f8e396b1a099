//! Checks of indices in loops over lanes.

/// Panics with `what` if an index is not below `count`.
#[inline(always)]
pub(crate) fn check(what: &'static str, index: usize, count: usize) {
    if index >= count {
        fail(what, index, count);
    }
}

/// The numbers are passed as values: a message that borrowed them would keep the wheels of a lane in
/// memory, and the loop over lanes would not vectorise under link-time optimisation.
#[cold]
#[inline(never)]
fn fail(what: &'static str, index: usize, count: usize) -> ! {
    panic!("{what} {index} of {count}")
}
