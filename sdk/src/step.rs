//! The step of a call: its time and length, random numbers, and services of the host.

use std::ffi::c_void;

use simhost_abi::{
    Batch, CLASSES_SERVICE, CONTACTS_SERVICE, ClassesService, Contact, ContactsService,
    EARTH_SERVICE, EarthPoint, EarthService, GROUND_SERVICE, GroundService, Services, Str,
};

use crate::Random;
use crate::fault::{Rejected, StepTooLarge, end_call};

/// The step of a call, and the services of the host during it.
#[derive(Debug)]
pub struct Step {
    /// Time at the start of the step, s.
    pub time: f64,
    /// Length of the step, s.
    pub dt: f64,
    stream: Option<u64>,
    /// Lane of the call.
    lane: usize,
    services: *const Services,
}

/// Height and slope of the ground at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundPoint {
    /// Height, m, world frame.
    pub height: f64,
    /// Slope along the x and y axes of the world, m/m.
    pub slope: [f64; 2],
}

impl Step {
    /// Returns a step without a host, for tests of a model.
    pub const fn new(time: f64, dt: f64) -> Self {
        Self { time, dt, stream: None, lane: 0, services: std::ptr::null() }
    }

    /// Returns the step of a call.
    pub(crate) const fn of(batch: &Batch) -> Self {
        let Batch { time, dt, services, .. } = *batch;
        Self { time, dt, stream: None, lane: 0, services }
    }

    /// Returns the same step of a lane.
    pub(crate) const fn of_lane(self, lane: usize) -> Self {
        Self { lane, ..self }
    }

    /// Returns the lane of the call.
    pub(crate) const fn lane(&self) -> usize {
        self.lane
    }

    /// Returns the same step with the random stream of a lane.
    pub(crate) const fn with_stream(self, key: u64) -> Self {
        Self { stream: Some(key), ..self }
    }

    /// Returns the key of the lane's random stream, if it has one.
    pub(crate) const fn key(&self) -> Option<u64> {
        self.stream
    }

    /// Ends the call with a fault: the model cannot take a step of this length. `suggested_dt` is a
    /// length that works, s, or 0 if the model does not know one. The host handles the fault as the
    /// `<plugin_faults>` element of the world file says.
    pub fn refuse(&self, suggested_dt: f64) -> ! {
        end_call(StepTooLarge { suggested_dt })
    }

    /// Ends the call with a fault: the model does not fit the vehicle or world that it is used in. `text`
    /// names what was found and what the model expects.
    pub fn reject(&self, text: impl Into<String>) -> ! {
        end_call(Rejected(text.into()))
    }

    /// Returns the random stream of this vehicle (or wheel) and step. Its numbers do not depend on
    /// any other draw.
    ///
    /// # Panics
    ///
    /// If the model does not declare `const RANDOM: bool = true`.
    pub fn random(&self) -> Random {
        Random::new(
            self.stream
                .expect("a model that draws random numbers declares `const RANDOM: bool = true`"),
        )
    }

    /// Returns the table of a service and the context for its calls, or `None` if the host does not
    /// have it.
    ///
    /// # Safety
    /// Under this id a host answers with a table of type `T` or null.
    pub(crate) unsafe fn service<T>(&self, id: &'static str) -> Option<(&T, *const c_void)> {
        // SAFETY: null, or the services of the host that is calling.
        let services = unsafe { self.services.as_ref() }?;
        // SAFETY: as above; the id is static text.
        let table = unsafe { (services.find)(services.context, Str::new(id)) };
        // SAFETY: promised by the caller.
        let table = unsafe { table.cast::<T>().as_ref() }?;
        Some((table, services.context))
    }

    /// Returns the ground at or below a point, m, world frame, or `None` if the host has no such
    /// service.
    pub fn ground(&self, [x, y, z]: [f64; 3]) -> Option<GroundPoint> {
        // SAFETY: under this id the host answers with this table or null.
        let (table, context) = unsafe { self.service::<GroundService>(GROUND_SERVICE) }?;
        let (mut height, mut slope_x, mut slope_y) = (0.0, 0.0, 0.0);
        // SAFETY: one point in, one of each out.
        unsafe {
            (table.query)(
                context,
                1,
                &raw const x,
                &raw const y,
                &raw const z,
                &raw mut height,
                &raw mut slope_x,
                &raw mut slope_y,
            );
        }
        Some(GroundPoint { height, slope: [slope_x, slope_y] })
    }
}

impl Step {
    /// Returns the positions of points of the world, m, on Earth. They are
    /// [`EarthPoint::UNKNOWN`] without a host.
    pub fn locate<const N: usize>(&self, points: &[[f64; 3]; N]) -> [EarthPoint; N] {
        let mut found = [EarthPoint::UNKNOWN; N];
        // SAFETY: under this id a host answers with this table or null.
        if let Some((table, context)) = unsafe { self.service::<EarthService>(EARTH_SERVICE) } {
            // SAFETY: `N` points in, `N` out.
            unsafe { (table.locate)(context, N, points.as_ptr(), found.as_mut_ptr()) };
        }
        found
    }
}

impl Step {
    /// Writes the contacts of the own vehicle in the last step to a buffer, up to its length, and
    /// returns them. Requires `const PERCEIVES: bool = true`; without it, and without a world, the
    /// result is empty.
    ///
    /// ```
    /// use simhost_sdk::prelude::*;
    ///
    /// /// Returns the force with which everything pushes the vehicle, N.
    /// fn push(step: &Step) -> f64 {
    ///     step.contacts(&mut [Contact::NONE; 8]).iter().map(|contact| contact.force).sum()
    /// }
    ///
    /// # fn main() {
    /// assert_eq!(push(&Step::new(0.0, 0.01)), 0.0);
    /// # }
    /// ```
    pub fn contacts<'b>(&self, buffer: &'b mut [Contact]) -> &'b [Contact] {
        // SAFETY: under this id a host answers with this table or null.
        let Some((table, context)) = (unsafe { self.service::<ContactsService>(CONTACTS_SERVICE) })
        else {
            return &[];
        };
        let (capacity, found) = (buffer.len(), buffer.as_mut_ptr());
        // SAFETY: a buffer of this capacity, and the lane is one of the call's.
        let total = unsafe { (table.query)(context, self.lane(), capacity, found) };
        &buffer[..total.min(capacity)]
    }

    /// Returns the number of the semantic class of a vehicle, a block or an actor, as `classes.csv` lists
    /// it; 0 for others and without a world. A model asks with `const PERCEIVES: bool = true`.
    pub fn class_of(&self, entity: u32) -> u32 {
        let mut class = 0;
        // SAFETY: under this id a host answers with this table or null.
        if let Some((table, context)) = unsafe { self.service::<ClassesService>(CLASSES_SERVICE) } {
            // SAFETY: one entity in, one class out.
            unsafe { (table.classify)(context, 1, &raw const entity, &raw mut class) };
        }
        class
    }
}

#[cfg(test)]
mod tests {
    use super::Step;

    #[test]
    fn a_step_without_a_host_has_no_ground() {
        assert_eq!(Step::new(0.0, 0.01).ground([0.0; 3]), None);
    }

    #[test]
    fn a_step_without_a_host_has_no_place_on_earth() {
        let [found] = Step::new(0.0, 0.01).locate(&[[0.0; 3]]);
        assert!(found.latitude.is_nan() && found.zone == 0);
    }
}
