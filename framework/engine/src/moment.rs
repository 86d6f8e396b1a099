//! Data that all model calls of one step share: time, seed and services of the host.

use std::ffi::c_void;

use simhost_abi::{EARTH_SERVICE, GROUND_SERVICE, GroundService, Services, Str};
use simhost_model::Entities;

use crate::clock::Clock;
use crate::ground::{self, Ground};
use crate::surroundings::{Inquiry, Surroundings};

/// A step as models see it.
pub(crate) struct Moment<'g> {
    /// Start of the step.
    pub clock: Clock,
    /// Seed of the run.
    pub seed: u64,
    time: f64,
    services: Services,
    ground: &'g Ground,
    /// What models that perceive ask about; `None` in a world without such a model.
    surroundings: Option<&'g Surroundings>,
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
        Self { clock, seed, time: clock.time(), services, ground, surroundings: None }
    }

    /// Returns the same data with the surroundings that models perceive.
    pub fn with(self, surroundings: Option<&'g Surroundings>) -> Self {
        Self { surroundings, ..self }
    }

    /// Returns the data of another step at the same instant.
    pub fn at(&self, clock: Clock) -> Self {
        Self::new(clock, self.seed, self.ground).with(self.surroundings)
    }

    /// Returns the questions that a call with these lanes can ask, if the world has a model that
    /// perceives.
    pub fn inquiry<'c>(&'c self, entities: &'c Entities) -> Option<Inquiry<'c>> {
        self.surroundings.map(|surroundings| Inquiry::new(surroundings, self.ground, entities))
    }

    /// Returns the world that sensors see, if the world has a model that perceives or a sensor in space.
    pub fn surroundings(&self) -> Option<&'g Surroundings> {
        self.surroundings
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
        EARTH_SERVICE => std::ptr::from_ref(&ground::EARTH).cast(),
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
    // SAFETY: the model passes columns of `count` values.
    unsafe { ground::query(ground, count, [x, y, z], [height, slope_x, slope_y]) }
}
