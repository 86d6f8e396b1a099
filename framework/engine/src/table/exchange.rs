//! Vehicles that move between tables which were built alike: those of the members of an ensemble, and those of a
//! simulation of the same world.

use std::sync::Arc;

use simhost_model::{Instance, ParamValue, initial_states, lanes};

use super::fields::Read;
use super::kept::Kept;
use super::models::ModelRole;
use super::step::Table;
use super::vehicles::{Lane, Vehicles};
use crate::columns::Column;
use crate::limits::Limits;
use crate::model::Call;
use crate::physics::RigidBody;

impl Vehicles {
    /// Returns the lane of a vehicle with the number of lanes, as stores of columns take it.
    fn whole_lane(&self, lane: usize) -> [usize; 2] {
        [lane, self.lanes.len()]
    }

    /// Replaces a vehicle by that of another table, with its parameters.
    pub fn put_lane(&mut self, lane: usize, other: &Self, other_lane: usize) {
        let places = (self.whole_lane(lane), other.whole_lane(other_lane));
        self.columns.copy_whole_lane(places.0, &other.columns, places.1);
        self.lanes[lane].continue_from(&other.lanes[other_lane]);
        self.is_tipping = true;
    }

    /// Returns the numbers of columns, for [`Self::put_parts`].
    pub fn parts_of(&self, columns: &[Column]) -> Vec<usize> {
        self.columns.parts_of(self.lanes.len(), columns)
    }

    /// Replaces what a vehicle has in a few columns by what that of another table has there.
    pub fn put_parts(&mut self, lane: usize, other: &Self, parts: &[usize], from: usize) {
        let places = (self.whole_lane(lane), other.whole_lane(from));
        self.columns.copy_parts(places.0, &other.columns, parts, places.1);
    }

    /// Replaces a vehicle by another one of this table.
    pub fn repeat_lane(&mut self, from: usize, to: usize) {
        let from = self.whole_lane(from);
        self.columns.repeat_lane(from, to);
        self.is_tipping = true;
    }

    /// Appends the numbers of a vehicle, for [`Self::load_lane`].
    pub fn save_lane(&self, lane: usize, numbers: &mut Vec<f64>) {
        self.columns.save_lane(self.whole_lane(lane), numbers);
    }

    /// Sets the numbers of a vehicle to those that [`Self::save_lane`] has appended before a run. Returns the rest.
    pub fn load_lane<'n>(&mut self, lane: usize, numbers: &'n [f64]) -> &'n [f64] {
        let place = self.whole_lane(lane);
        self.lanes[lane].tipped = None;
        self.is_tipping = true;
        self.columns.load_lane(place, numbers)
    }

    /// Replaces a vehicle by that of another table at the time when it was kept, with its body. Returns the body.
    pub fn put_kept_lane(
        &mut self,
        lane: usize,
        other: &Self,
        kept: &Kept,
        other_lane: usize,
    ) -> RigidBody {
        self.put_lane(lane, other, other_lane);
        let places = (self.whole_lane(lane), other.whole_lane(other_lane));
        self.columns.load_saved_lane(places.0, &other.columns, &kept.columns, places.1);
        let to = &mut self.lanes[lane];
        (to.disabled, to.uses_fallback) = (false, false);
        kept.bodies[other_lane]
    }
}

impl Table {
    /// Returns whether vehicles can move between this table and another one.
    pub fn is_alike(&self, other: &Self) -> bool {
        let lanes = (self.vehicles.lanes.len(), other.vehicles.lanes.len());
        let name = |call: &Call| call.class().full_name.to_string();
        self.models.stateful().map(name).eq(other.models.stateful().map(name))
            && self.vehicles.wheels.names == other.vehicles.wheels.names
            && self.vehicles.columns.is_like(lanes.0, &other.vehicles.columns, lanes.1)
    }

    /// Returns how each field is read.
    pub fn reads(&self) -> Vec<Read> {
        self.fields().iter().map(|field| field.read).collect()
    }

    /// Returns whether the state of a vehicle is finite and within the limits of speed, m/s, and yaw rate,
    /// rad/s, and no model of it has faulted in this step.
    pub fn is_lane_sound(&self, lane: usize, limits: &Limits, body: &RigidBody) -> bool {
        let count = self.vehicles.lanes.len();
        let Lane { disabled, uses_fallback, .. } = self.vehicles.lanes[lane];
        let is_finite = |column: &Column| {
            let all = self.vehicles.columns.get(*column);
            all.iter().skip(lane).step_by(count).all(|value| value.is_finite())
        };
        let Limits { speed, yaw_rate, spin: most, .. } = *limits;
        let spins = self.vehicles.columns.get(self.vehicles.host.measured.spin);
        let mut spins = spins.iter().skip(lane).step_by(count);
        let is_sound = body.state.is_within(speed, yaw_rate)
            && spins.all(|spin| spin.abs() <= most)
            && self.blueprint.finite.iter().all(is_finite);
        is_sound && !disabled && !uses_fallback
    }

    /// Forgets that vehicles have faulted. Their lanes must be replaced before the next step.
    pub fn forget_faults(&mut self) {
        self.faults.iter_mut().for_each(Vec::clear);
        for lane in &mut self.vehicles.lanes {
            (lane.disabled, lane.uses_fallback) = (false, false);
        }
        self.vehicles.any_disabled = false;
        self.is_sound = true;
    }

    /// Gives the model of a vehicle other values of the parameters that can differ between vehicles. The states
    /// of the model begin with their initial values.
    ///
    /// # Errors
    /// The message of the model if it rejects them.
    pub fn set_model_values(
        &mut self,
        lane: usize,
        role: ModelRole,
        values: &Arc<[ParamValue]>,
    ) -> Result<(), String> {
        let (count, wheels) = (self.vehicles.lanes.len(), self.vehicles.wheels.count);
        let Some((call, by_wheel)) = self.models.of_role(role) else { return Ok(()) };
        let class = call.class().clone();
        Instance::new(&class, Arc::clone(values)).map_err(|fault| fault.message().to_owned())?;
        let model = call.instance().model();
        let places = || (0..if by_wheel { wheels } else { 1 }).map(|wheel| wheel * count + lane);
        for (place, param) in lanes::per_lane(model) {
            let Some(column) = call.input(param.key()).filter(|column| column.len() > 0) else {
                continue;
            };
            if let ParamValue::Number(number) = &values[place] {
                places().for_each(|at| self.vehicles.columns.get_mut(column)[at] = *number);
            }
        }
        let shape = call.shape();
        let initial = initial_states(model, values);
        for ((slot, column), initial) in model.states().iter().zip(call.states()).zip(initial) {
            for at in places().flat_map(|lane| shape.places(slot.scope, lane)) {
                self.vehicles.columns.get_mut(*column)[at] = initial;
            }
        }
        call.set_values(lane, count, values);
        Ok(())
    }
}

impl Lane {
    /// Takes over what can change of the same vehicle in another table.
    fn continue_from(&mut self, from: &Self) {
        let Self {
            disabled,
            uses_fallback,
            tilt,
            normal,
            fall,
            keeps_velocity,
            ride,
            tipped,
            run,
            // the same vehicle
            vehicle: _,
            fixed: _,
            body: _,
        } = self;
        (*disabled, *uses_fallback) = (from.disabled, from.uses_fallback);
        (*tilt, *normal, *fall) = (from.tilt, from.normal, from.fall);
        (*keeps_velocity, *ride, *tipped) = (from.keeps_velocity, from.ride, from.tipped);
        *run = from.run;
    }
}
