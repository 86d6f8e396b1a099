//! Results of a tile before they are written to the columns of the host.

use std::mem::MaybeUninit;

use crate::Columns;

/// Largest number of inputs, of outputs and of state slots of a model.
pub(crate) const MAX_COLUMNS: usize = 32;

/// Results of a tile, by column.
pub(crate) struct Staged<const N: usize>([[MaybeUninit<f64>; N]; MAX_COLUMNS]);

impl<const N: usize> Staged<N> {
    #[inline(always)]
    pub const fn new() -> Self {
        // only written columns are copied out, so nothing has to be cleared
        Self([[const { MaybeUninit::uninit() }; N]; MAX_COLUMNS])
    }

    /// Sets the columns of `C` to 0, so that a lane that is not stored can be copied out.
    #[inline(always)]
    pub fn clear<C: Columns>(&mut self) {
        for column in self.0.iter_mut().take(C::COUNT) {
            *column = [const { MaybeUninit::new(0.0) }; N];
        }
    }

    /// Stores the values of lane `i` of the tile.
    #[inline(always)]
    pub fn put(&mut self, values: &impl Columns, i: usize) {
        values.store(|k, value| _ = self.0[k][i].write(value));
    }

    /// Returns the values of lane `i` of the tile.
    ///
    /// # Safety
    /// `C`, none of whose fields has one value per wheel, was staged for this lane.
    #[inline(always)]
    pub unsafe fn get<C: Columns>(&self, i: usize) -> C {
        // SAFETY: promised by the caller.
        C::load(|k| unsafe { self.0[k][i].assume_init() })
    }

    /// Copies the first columns of a tile to the columns of the host.
    ///
    /// # Safety
    /// `C` was staged for the first `lanes` lanes of the tile; `columns` has that many columns, and
    /// `first .. first + lanes` are lanes of the call.
    #[inline(always)]
    pub unsafe fn copy_out<C: Columns>(
        &self,
        columns: *const *mut f64,
        first: usize,
        lanes: usize,
    ) {
        for k in 0..C::COUNT {
            // ports with one value per wheel are written directly
            if C::PER_WHEEL >> k & 1 == 1 {
                continue;
            }
            // SAFETY: promised by the caller; `store` wrote all other rows of the first `COUNT`.
            unsafe { copy(self.0[k].as_ptr().cast(), (*columns.add(k)).add(first), lanes, N) };
        }
    }
}

/// Copies `count` numbers, at most `most`. Constant lengths are moves instead of calls.
///
/// # Safety
/// As for [`std::ptr::copy_nonoverlapping`].
#[inline(always)]
pub(crate) unsafe fn copy(from: *const f64, to: *mut f64, count: usize, most: usize) {
    if count == most {
        // SAFETY: promised by the caller.
        return unsafe { std::ptr::copy_nonoverlapping(from, to, most) };
    }
    let mut done = 0;
    // SAFETY: promised by the caller; the lengths that are bits of `count` add up to it.
    unsafe {
        if count & 8 != 0 {
            std::ptr::copy_nonoverlapping(from, to, 8);
            done = 8;
        }
        if count & 4 != 0 {
            std::ptr::copy_nonoverlapping(from.add(done), to.add(done), 4);
            done += 4;
        }
        if count & 2 != 0 {
            std::ptr::copy_nonoverlapping(from.add(done), to.add(done), 2);
            done += 2;
        }
        if count & 1 != 0 {
            *to.add(done) = *from.add(done);
        }
    }
}
