//! The rays of a group for an engine that casts them in place of the CPU.

use simhost_sensing::{Placed, Tessellation, TriangleHit};

use super::SensorGroup;
use crate::sensors::constants::Member;
use crate::sensors::spatial::{RaySensor, Request};
use crate::surroundings::Surroundings;
use crate::table::Table;
use crate::workers::Crew;

impl SensorGroup {
    /// Returns the reason why the CPU casts the rays of all sensors, or `None` if an engine can.
    pub fn reason_for_cpu(&self, is_required: bool) -> Option<&'static str> {
        let Some(spatial) = &self.spatial else { return Some("its rays lie in a plane") };
        if spatial.has_offsets() {
            return Some("its rays have several origins");
        }
        if is_required {
            return None;
        }
        // the state has the readings of the whole group
        if !self.deliveries.is_empty() {
            return Some("a model reads it");
        }
        if self.keeps_readings() {
            return Some("a fault can keep its readings");
        }
        let remembers = !self.read.states().is_empty() || self.read.memories().is_some();
        remembers.then_some("its model remembers")
    }

    /// Returns the number of rays of a sensor.
    pub fn rays(&self) -> usize {
        self.rays
    }

    /// Returns the rays of a sensor that has been aimed, or `None` if they lie in the plane.
    pub fn request(&mut self, lane: usize, tables: &[Table]) -> Option<Request> {
        let Self { spatial, members, fan, columns, rays, .. } = self;
        let Member { vehicle, host, .. } = members[lane];
        let sensor = RaySensor { fan, lane, rays: *rays, vehicle, host };
        Some(spatial.as_mut()?.request(sensor, columns, tables))
    }

    /// Returns the directions of the rays of a sensor in its frame.
    pub fn directions(&self, lane: usize) -> &[[f64; 3]] {
        self.spatial.as_ref().map_or(&[], |spatial| spatial.directions(lane, self.rays))
    }

    /// Takes what the rays of a sensor have met.
    pub fn take(
        &mut self,
        request: &Request,
        hits: &[TriangleHit],
        tessellation: &Tessellation,
        moving: &[Placed],
        surroundings: &Surroundings,
        crew: Crew<'_>,
    ) {
        if let Some(spatial) = &mut self.spatial {
            spatial.take(request, hits, tessellation, moving, surroundings, crew);
        }
    }
}
