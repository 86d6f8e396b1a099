//! A sensor for the tests of its model.

use crate::sensor::SensorModel;
use crate::{Columns, Sensor, Step};

use super::{About, Lane};

/// The rays of a sample, vehicle frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Fan {
    /// Origin ahead of the reference point, left of it and above the ground, m.
    pub origin: [f64; 3],
    /// Heading, rad.
    pub yaw: f64,
    /// Largest range, m.
    pub max_range: f64,
    /// Whether the rays meet vehicles and movable blocks.
    pub see_bodies: bool,
    /// Angle of each ray from the heading, rad.
    pub angles: Vec<f64>,
}

/// The readings of a sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample<R> {
    /// The readings of one number each.
    pub readings: R,
    /// The readings of one number per ray, in the order of [`Sensor::RAY_READINGS`].
    pub rays: Vec<Vec<f64>>,
}

/// One sensor on a vehicle with its state.
pub struct Sampler<'m, M: Sensor> {
    model: &'m M,
    lane: Lane<M::State>,
}

impl<'m, M: Sensor> Sampler<'m, M> {
    /// Creates a sensor at the start of a run.
    pub fn new(model: &'m M) -> Self {
        let lane = Lane::new(model.memory(), super::default_states::<SensorModel<M>>());
        Self { model, lane }
    }

    /// Returns a state slot. At first it has the value for the default of the parameter from which
    /// it starts, whatever parameters the model has.
    ///
    /// # Panics
    ///
    /// If the model has no slot of this name.
    pub fn state(&mut self, name: &str) -> &mut f64 {
        self.lane.slot(name)
    }

    /// Calls [`Sensor::aim`] with the random stream of this key.
    pub fn aim(&mut self, key: u64) -> Fan {
        let rays = self.model.rays();
        let sizes = [1, 1, 1, 1, 1, 1, rays];
        let mut columns = self.call(0, &[], &sizes, key, 0, &super::step());
        let angles = columns.swap_remove(6);
        let one = |k: usize| columns[k][0];
        let origin = [one(0), one(1), one(2)];
        Fan { origin, yaw: one(3), max_range: one(4), see_bodies: one(5) != 0.0, angles }
    }

    /// Calls [`Sensor::read`] with the random stream of this key and the exact ranges of the rays,
    /// m, which are infinite where a ray meets nothing.
    ///
    /// # Panics
    ///
    /// If the number of ranges differs from the number of rays.
    pub fn read(
        &mut self,
        inputs: &M::Inputs,
        ranges: &[f64],
        key: u64,
        step: &Step,
    ) -> Sample<M::Readings> {
        let rays = self.model.rays();
        assert_eq!(ranges.len(), rays, "a range for each ray");
        let mut columns = vec![Vec::new(); M::Inputs::COUNT];
        inputs.store(|k, value| columns[k].push(value));
        inputs.store_wheels(|k, _, value| columns[k].push(value));
        let of_wheels = (0..M::Inputs::COUNT).filter(|k| M::Inputs::PER_WHEEL >> k & 1 == 1);
        let wheels = of_wheels.clone().map(|k| columns[k].len()).max().unwrap_or(0);
        of_wheels.for_each(|k| columns[k].resize(wheels, 0.0));
        columns.push(ranges.to_vec());
        let mut sizes = vec![1; M::Readings::COUNT];
        sizes.resize(M::Readings::COUNT + M::RAY_READINGS.len(), rays);
        let mut made = self.call(1, &columns, &sizes, key, wheels, step);
        let rays = made.split_off(M::Readings::COUNT);
        Sample { readings: M::Readings::load(|k| made[k][0]), rays }
    }

    fn call(
        &mut self,
        phase: usize,
        inputs: &[Vec<f64>],
        sizes: &[usize],
        key: u64,
        wheels: usize,
        step: &Step,
    ) -> Vec<Vec<f64>> {
        let call = SensorModel::<M>::PHASES[phase].call;
        let about = About { wheels, rays: self.model.rays(), key, ..About::at(step) };
        // SAFETY: the phase is that of `M`, and the columns follow its declaration.
        unsafe { self.lane.call(call, self.model, inputs, sizes, &about) }
    }
}
