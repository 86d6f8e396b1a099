//! Data that all model calls of one step share: time, seed and services of the host.

use simhost_abi::Services;
use simhost_abi::host::services;
use simhost_model::Entities;

use crate::clock::Clock;
use crate::ground::Ground;
use crate::surroundings::{Inquiry, Surroundings};

/// A step as models see it.
pub(crate) struct Moment<'g> {
    /// Start of the step.
    pub clock: Clock,
    /// Seed of the run.
    pub seed: u64,
    /// Number of such steps in a step of the run.
    parts: u64,
    time: f64,
    services: Services,
    ground: &'g Ground,
    /// What models that perceive ask about; `None` in a world without such a model.
    surroundings: Option<&'g Surroundings>,
}

impl<'g> Moment<'g> {
    /// Creates the data of a step on this ground.
    pub fn new(clock: Clock, seed: u64, ground: &'g Ground) -> Self {
        let (time, services) = (clock.time(), services(ground));
        Self { clock, seed, parts: 1, time, services, ground, surroundings: None }
    }

    /// Returns the data of a step of which `parts` make one step of the run.
    pub fn divided(self, parts: u32) -> Self {
        Self { parts: self.parts * u64::from(parts), ..self }
    }

    /// Returns the same data with the surroundings that models perceive.
    pub fn with(self, surroundings: Option<&'g Surroundings>) -> Self {
        Self { surroundings, ..self }
    }

    /// Returns the data of another step at the same instant.
    pub fn at(&self, clock: Clock) -> Self {
        let new = Self::new(clock, self.seed, self.ground).with(self.surroundings);
        Self { parts: self.parts, ..new }
    }

    /// Returns the start of the step for vehicles that are some steps of the run behind, modulo 2⁶⁴.
    pub fn clock_behind(&self, steps: u64) -> Clock {
        let behind = steps.wrapping_mul(self.parts);
        Clock { steps: self.clock.steps.wrapping_sub(behind), ..self.clock }
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
    pub fn services(&self) -> &Services {
        &self.services
    }
}

// SAFETY: the context is a `Ground` that is borrowed for the life of the moment and only read.
unsafe impl Sync for Moment<'_> {}
