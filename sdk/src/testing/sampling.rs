//! A sensor for the tests of its model.

use crate::sensor::SensorModel;
use crate::{Columns, RayPorts, RayResult, Sensor, Step};

use super::{About, Lane};

/// The rays of a sample, vehicle frame. What follows the angles is for rays in space.
#[derive(Clone, Debug, PartialEq)]
pub struct Fan {
    /// Origin ahead of the reference point, left of it and above the ground, m.
    pub origin: [f64; 3],
    /// Heading, rad.
    pub yaw: f64,
    /// Largest range, m.
    pub max_range: f64,
    /// Whether the rays hit vehicles and movable blocks.
    pub see_bodies: bool,
    /// Angle of each ray from the heading, rad.
    pub angles: Vec<f64>,
    /// Pitch, rad.
    pub pitch: f64,
    /// Roll, rad.
    pub roll: f64,
    /// Whether the rays meet the vehicle of the sensor.
    pub see_own: bool,
    /// Angle of each ray above the x-y plane of the sensor, rad.
    pub elevations: Vec<f64>,
    /// Time of each ray relative to the sample, s.
    pub times: Vec<f64>,
    /// Distance from its origin at which a ray begins, m.
    pub min_range: f64,
    /// Origin of each ray, m, sensor frame. Empty without [`Sensor::OFFSETS`].
    pub offsets: [Vec<f64>; 3],
}

/// The readings of a sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample<R> {
    /// The readings of one number each.
    pub readings: R,
    /// The readings of one number per ray, in the order of [`Sensor::PerRay`].
    pub rays: Vec<Vec<f64>>,
}

/// One sensor on a vehicle with its state.
pub struct Sampler<'m, M: Sensor> {
    model: &'m M,
    lane: Lane<M::State>,
    results: Vec<(RayResult, Vec<f64>)>,
}

impl<'m, M: Sensor> Sampler<'m, M> {
    /// Creates a sensor at the start of a run.
    pub fn new(model: &'m M) -> Self {
        let lane = Lane::new(model.memory(), super::default_states::<M>());
        Self { model, lane, results: Vec::new() }
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
        let sizes = [1, 1, 1, 1, 1, 1, rays, 1, 1, 1, rays, rays, 1, rays, rays, rays];
        let count = match (M::SPATIAL, M::OFFSETS) {
            (false, _) => 7,
            (true, false) => 13,
            (true, true) => sizes.len(),
        };
        let sizes = &sizes[..count];
        let step = super::step();
        let columns = self.call(0, &[], sizes, About { key, ..About::at(&step) });
        let all = |k: usize| columns.get(k).cloned().unwrap_or_default();
        let one = |k: usize| columns.get(k).map_or(0.0, |column| column[0]);
        Fan {
            origin: [one(0), one(1), one(2)],
            yaw: one(3),
            max_range: one(4),
            see_bodies: one(5) != 0.0,
            angles: all(6),
            pitch: one(7),
            roll: one(8),
            see_own: one(9) != 0.0,
            elevations: all(10),
            times: all(11),
            min_range: one(12),
            offsets: [all(13), all(14), all(15)],
        }
    }

    /// Sets a result of the rays in space for all following calls of [`Self::read`]; without it, the rays
    /// have met nothing.
    ///
    /// # Panics
    ///
    /// If the number of values differs from the number of rays.
    pub fn set_result(&mut self, result: RayResult, values: &[f64]) {
        assert_eq!(values.len(), self.model.rays(), "a value for each ray");
        self.results.retain(|(other, _)| *other != result);
        self.results.push((result, values.to_vec()));
    }

    /// Calls [`Sensor::read`] with the random stream of this key and the exact ranges of the rays,
    /// m, which are infinite where a ray meets nothing. [`Reading::of`](crate::Reading::of) makes an input that
    /// reads another sensor.
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
        let mut ages = vec![0.0; M::Inputs::COUNT];
        inputs.visit_readings(|k, reading| {
            columns[k] = reading.values().to_vec();
            ages[k] = reading.age();
        });
        let of_wheels = (0..M::Inputs::COUNT).filter(|k| M::Inputs::PER_WHEEL >> k & 1 == 1);
        let wheels = of_wheels.clone().map(|k| columns[k].len()).max().unwrap_or(0);
        of_wheels.for_each(|k| columns[k].resize(wheels, 0.0));
        columns.push(ranges.to_vec());
        for result in M::RAY_RESULTS {
            let set = self.results.iter().find(|(one, _)| one == result);
            let none = if *result == RayResult::Entity { -1.0 } else { 0.0 };
            columns.push(set.map_or_else(|| vec![none; rays], |(_, values)| values.clone()));
        }
        let size = |k: usize| if M::Readings::PER_WHEEL >> k & 1 == 1 { wheels } else { 1 };
        let mut sizes: Vec<usize> = (0..M::Readings::COUNT).map(size).collect();
        sizes.resize(M::Readings::COUNT + M::PerRay::PORTS.len(), rays);
        let about = About { wheels, key, ages: &ages, ..About::at(step) };
        let mut made = self.call(1, &columns, &sizes, about);
        let rays = made.split_off(M::Readings::COUNT);
        Sample {
            readings: M::Readings::load(|k| made[k].first().copied().unwrap_or_default()),
            rays,
        }
    }

    fn call(
        &mut self,
        phase: usize,
        inputs: &[Vec<f64>],
        sizes: &[usize],
        about: About<'_>,
    ) -> Vec<Vec<f64>> {
        let phase = &SensorModel::<M>::PHASES[phase];
        let about = About { rays: self.model.rays(), ..about };
        // SAFETY: the phase belongs to `M`, and the columns follow its declaration.
        unsafe { self.lane.call(phase, self.model, inputs, sizes, &about) }
    }
}
