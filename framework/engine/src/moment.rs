//! Data that all model calls of one step share: time, seed and services of the host.

use std::ffi::c_void;

use simhost_abi::{GROUND_SERVICE, GroundService, Services, Str};

use crate::clock::Clock;
use crate::ground::Ground;

/// A step as models see it.
pub(crate) struct Moment<'g> {
    /// Start of the step.
    pub clock: Clock,
    /// Seed of the run.
    pub seed: u64,
    time: f64,
    services: Services,
    ground: std::marker::PhantomData<&'g Ground>,
}

impl<'g> Moment<'g> {
    /// Creates the data of a step on this ground.
    pub fn new(clock: Clock, seed: u64, ground: &'g Ground) -> Self {
        let services = Services {
            size: size_of::<Services>() as u32,
            reserved: 0,
            context: std::ptr::from_ref(ground).cast(),
            find,
        };
        Self { clock, seed, time: clock.time(), services, ground: std::marker::PhantomData }
    }

    /// Returns the time at the start of the step, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Returns the services that the host offers to models during the calls of this step.
    pub fn services(&self) -> *const Services {
        &raw const self.services
    }
}

// SAFETY: the context is a `Ground` that is borrowed for the life of the moment and only read.
unsafe impl Sync for Moment<'_> {}

/// Returns the service with this id, or null.
unsafe extern "C" fn find(_: *const c_void, id: Str) -> *const c_void {
    static GROUND: GroundService =
        GroundService { size: size_of::<GroundService>() as u32, reserved: 0, query };
    // SAFETY: the model keeps the text alive during the call.
    match unsafe { id.as_str() } {
        GROUND_SERVICE => std::ptr::from_ref(&GROUND).cast(),
        _ => std::ptr::null(),
    }
}

/// Writes height and slopes of the ground at `count` points; output columns can be null.
unsafe extern "C" fn query(
    context: *const c_void,
    count: usize,
    x: *const f64,
    y: *const f64,
    z: *const f64,
    height: *mut f64,
    slope_x: *mut f64,
    slope_y: *mut f64,
) {
    // SAFETY: the context is that of the services handed out, a ground that outlives the call.
    let ground = unsafe { &*context.cast::<Ground>() };
    for i in 0..count {
        // SAFETY: the model passes `count` points.
        let [x, y, z] = [x, y, z].map(|column| unsafe { *column.add(i) });
        let (at, slopes) = ground.slope([x, y, z]);
        for (column, value) in [(height, at), (slope_x, slopes[0]), (slope_y, slopes[1])] {
            if !column.is_null() {
                // SAFETY: a column that is not null holds `count` values.
                unsafe { *column.add(i) = value };
            }
        }
    }
}
