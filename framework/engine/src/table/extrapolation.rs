//! Richardson extrapolation of a step.
//!
//! If A(h) is a step h of a first-order method, 2 A(h/2)² − A(h) is of second order and still damps
//! stiff components without bound (Hairer and Wanner, *Solving Ordinary Differential Equations II*,
//! 1996, section IV.9). It requires of the models only that equal calls have equal results.
//!
//! Loads depend on the forces of the step before. To keep this lag from reducing the order, all three
//! steps use the forces that are expected in the middle of the step, extrapolated from the steps before
//! where these change in one direction.
//!
//! The extrapolated step applies to vehicles that move and that have no neighbours. Where contacts or
//! joints act, where a ledge has stopped a vehicle, and where a vehicle is at rest (so that its brakes
//! learn to hold it), the whole step applies.

use simhost_abi::{StateKind, model_flag};
use simhost_sdk::math;
use simhost_world::Vehicle;

use super::books::{EnergyBook, EnergyBooks};
use super::brake::STILL;
use super::models::Models;
use super::vehicles::Vehicles;
use crate::columns::{Column, Layout};
use crate::model::{ModelError, incomplete};
use crate::physics::{BodyState, RigidBody, rotate_heading};

/// Data that is kept between the half steps and the whole step.
#[derive(Clone)]
pub(super) struct Extrapolation {
    /// Columns that change during a step: spins, wheel forces, and states of tyres and springs.
    changing: Vec<(Column, StateKind)>,
    /// Total wheel forces of the last two steps, the latest first, vehicle frame.
    history: [[Column; 2]; 2],
    /// Total wheel forces expected in the middle of this step, by axis and lane.
    expected: [Vec<f64>; 2],
    /// All columns at the start of the step.
    start: Vec<f64>,
    /// Bodies at the start of the step.
    start_bodies: Vec<BodyState>,
    /// Bodies and changing columns after the half steps.
    fine_bodies: Vec<BodyState>,
    fine: Vec<Vec<f64>>,
    /// Bodies after the forces of the whole step, before they move.
    pushed_bodies: Vec<BodyState>,
    /// Books at the start of the step and after the half steps.
    start_books: Option<EnergyBooks>,
    fine_books: Option<EnergyBooks>,
}

impl Extrapolation {
    /// Adds the columns that extrapolation needs.
    pub fn history(count: usize, layout: &mut Layout) -> [[Column; 2]; 2] {
        [[0.0; 2]; 2].map(|pair| pair.map(|zero| layout.fill(count, zero)))
    }

    /// Prepares the extrapolation of a table with this vehicle. `has_casters` is whether wheels swivel.
    ///
    /// # Errors
    /// [`ModelError::Incomplete`] if equal calls of the friction model can have different results, or if the
    /// extrapolated step would be less exact than the whole step.
    pub fn new(
        history: [[Column; 2]; 2],
        vehicles: &Vehicles,
        models: &Models,
        first: &Vehicle,
        has_casters: bool,
    ) -> Result<Self, ModelError> {
        let (twice, jumps) = (
            "and the integrator `extrapolated` computes each step twice",
            "so that the integrator `extrapolated` would be less exact than `euler`",
        );
        let spans = std::iter::once(first.friction.span)
            .chain(first.wheel_friction.iter().map(|one| one.model.span));
        let refused = models.friction_calls().zip(spans).find_map(|((call, _), span)| {
            let reason = if call.is_random() {
                format!("it draws random numbers, {twice}")
            } else if call.memories().is_some() {
                format!("it keeps memory in addition to its state slots, {twice}")
            } else if call.class().model.flags & model_flag::JUMPS != 0 {
                format!("its grip jumps where the slip changes its sign, {jumps}")
            } else {
                return None;
            };
            Some((call.class(), span, reason))
        });
        let refused = refused.or_else(|| {
            let text = format!("it turns its casters once per step, {jumps}");
            has_casters.then(|| (models.drive.class(), first.dynamics.span, text))
        });
        if let Some((class, span, reason)) = refused {
            let text = format!("{reason}: use `<integrator>euler</integrator>` with `<substeps>`");
            return Err(incomplete(class, text, span));
        }
        let host = &vehicles.host;
        let own = std::iter::once(host.measured.spin).chain(host.sway.into_iter().flatten());
        let own = own.chain(host.wheel_force).map(|column| (column, StateKind::Continuous));
        let states = models.friction_calls().flat_map(|(call, _)| {
            let slots = call.class().model.states().iter();
            let kinds = slots.map(|slot| slot.kind().unwrap_or(StateKind::Discrete));
            call.states().iter().copied().zip(kinds)
        });
        let changing = own.chain(states).collect();
        Ok(Self {
            changing,
            history,
            expected: Default::default(),
            start: Vec::new(),
            start_bodies: Vec::new(),
            fine_bodies: Vec::new(),
            fine: Vec::new(),
            pushed_bodies: Vec::new(),
            start_books: None,
            fine_books: None,
        })
    }

    /// Returns the columns of wheel forces of earlier steps.
    pub fn columns_of_history(&self) -> [Column; 4] {
        let [[a, b], [c, d]] = self.history;
        [a, b, c, d]
    }

    /// Saves the state at the start of a step and sets the expected wheel forces.
    pub fn begin(
        &mut self,
        vehicles: &mut Vehicles,
        books: Option<&EnergyBooks>,
        bodies: &[RigidBody],
    ) {
        self.update_expected(vehicles);
        self.set_wheel_force(vehicles);
        vehicles.columns.save_states(&mut self.start);
        self.start_bodies = body_states(bodies);
        self.start_books = books.cloned();
    }

    /// Saves the state after the half steps and restores that at the start of the step.
    pub fn rewind(
        &mut self,
        vehicles: &mut Vehicles,
        books: &mut Option<EnergyBooks>,
        models: &Models,
        bodies: &mut [RigidBody],
    ) {
        self.fine_bodies = body_states(bodies);
        let values = |(column, _): &(Column, StateKind)| vehicles.columns.get(*column).to_vec();
        self.fine = self.changing.iter().map(values).collect();
        self.fine_books = std::mem::replace(books, self.start_books.take());

        vehicles.columns.load_states(&self.start);
        vehicles.is_tipping = true;
        for (index, state) in self.start_bodies.iter().enumerate() {
            let own = &vehicles.host.own;
            let (heading, velocity) = (own.heading, own.velocity);
            vehicles.set_values(heading, index, state.heading);
            vehicles.set_values(velocity, index, state.velocity);
            bodies[index].state = *state;
            if vehicles.lanes[index].disabled {
                // loading the columns has restored the outputs of its last calls
                models.disable(vehicles, index);
            }
        }
    }

    /// Saves the bodies after the forces of the whole step.
    pub fn save_pushed(&mut self, bodies: &[RigidBody]) {
        self.pushed_bodies = body_states(bodies);
    }

    /// Combines the half steps and the whole step that has just been made.
    pub fn finish(
        &self,
        vehicles: &mut Vehicles,
        books: &mut Option<EnergyBooks>,
        bodies: &mut [RigidBody],
    ) {
        let count = vehicles.lanes.len();
        let free: Vec<bool> = (0..count).map(|lane| self.is_free(vehicles, lane, bodies)).collect();
        for ((column, kind), fine) in self.changing.iter().zip(&self.fine) {
            let column = vehicles.columns.get_mut(*column);
            for (index, value) in column.iter_mut().enumerate().filter(|(i, _)| free[i % count]) {
                *value = extrapolate(*kind, fine[index], *value);
            }
        }
        for lane in (0..count).filter(|lane| free[*lane]) {
            let state = extrapolate_body(&self.fine_bodies[lane], &bodies[lane].state);
            vehicles.set_values(vehicles.host.own.velocity, lane, state.velocity);
            bodies[lane].state = state;
            let twist = vehicles.accelerated_twist(lane, bodies);
            let kinetic = vehicles.kinetic_energy(lane, twist);
            if let (Some(books), Some(fine)) = (books.as_mut(), &self.fine_books) {
                let book = &mut books.books[lane];
                let fine = &fine.books[lane];
                let combined = fine.combine(book, |fine, coarse| 2.0 * fine - coarse);
                *book = EnergyBook { kinetic, ..combined };
            }
        }
    }

    /// Returns whether the extrapolated step applies to a vehicle.
    fn is_free(&self, vehicles: &Vehicles, lane: usize, bodies: &[RigidBody]) -> bool {
        let owner = &vehicles.lanes[lane];
        let (now, pushed) = (&bodies[lane].state, &self.pushed_bodies[lane]);
        let ([vx, vy], turning) = (now.velocity, now.omega * owner.fixed.contacts.footing_radius);
        let moves = vx * vx + vy * vy + turning * turning > STILL * STILL;
        let undisturbed = (now.velocity, now.omega) == (pushed.velocity, pushed.omega);
        moves && !bodies[lane].solved && undisturbed
    }

    /// Computes the wheel forces that are expected in the middle of the step.
    fn update_expected(&mut self, vehicles: &mut Vehicles) {
        for axis in [0, 1] {
            let wheel_force = vehicles.host.wheel_force[axis];
            let cells = vehicles.columns.cells();
            let now = cells.column(wheel_force);
            let [last, before] = self.history.map(|forces| cells.column(forces[axis]));
            let expected = &mut self.expected[axis];
            expected.clear();
            for lane in 0..now.len() {
                let [p, p1, p2] = [now, last, before].map(|column| column[lane].get());
                expected.push(p + 0.5 * minmod(p - p1, p1 - p2));
                before[lane].set(p1);
                last[lane].set(p);
            }
        }
    }

    /// Sets the wheel forces on which the loads depend to the expected ones.
    pub fn set_wheel_force(&self, vehicles: &mut Vehicles) {
        for (column, expected) in vehicles.host.wheel_force.into_iter().zip(&self.expected) {
            vehicles.columns.get_mut(column).copy_from_slice(expected);
        }
    }
}

fn body_states(bodies: &[RigidBody]) -> Vec<BodyState> {
    bodies.iter().map(|body| body.state).collect()
}

/// Extrapolates a value from two half steps and a whole step. Values that do not change continuously
/// are taken from the half steps.
fn extrapolate(kind: StateKind, fine: f64, coarse: f64) -> f64 {
    match kind {
        // also keeps the sign of zero
        _ if fine == coarse => fine,
        StateKind::Continuous => 2.0 * fine - coarse,
        StateKind::Angle => math::wrap_angle(fine + math::wrap_angle(fine - coarse)),
        StateKind::Discrete | StateKind::Counter => fine,
    }
}

/// Returns the smaller of two changes in the same direction, else 0, so that oscillations are not
/// amplified (minmod limiter).
fn minmod(a: f64, b: f64) -> f64 {
    match a * b > 0.0 {
        true if a.abs() < b.abs() => a,
        true => b,
        false => 0.0,
    }
}

fn extrapolate_body(fine: &BodyState, coarse: &BodyState) -> BodyState {
    let pair =
        |fine: [f64; 2], coarse: [f64; 2]| [0, 1].map(|axis| 2.0 * fine[axis] - coarse[axis]);
    // the heading rotates by the angle between the two
    let ([cos, sin], [other_cos, other_sin]) = (fine.heading, coarse.heading);
    let turn = [cos * other_cos + sin * other_sin, sin * other_cos - cos * other_sin];
    BodyState {
        position: pair(fine.position, coarse.position),
        heading: rotate_heading(fine.heading, turn),
        velocity: pair(fine.velocity, coarse.velocity),
        omega: 2.0 * fine.omega - coarse.omega,
    }
}

#[cfg(test)]
mod tests {
    use super::{BodyState, StateKind, extrapolate, extrapolate_body, minmod};

    #[test]
    fn a_state_is_extrapolated_according_to_its_kind() {
        assert_eq!(extrapolate(StateKind::Continuous, 0.75, 0.5), 1.0);
        assert_eq!(extrapolate(StateKind::Continuous, 1.0, 0.0), 2.0);
        assert_eq!(extrapolate(StateKind::Counter, 2.0, 1.0), 2.0);
        assert_eq!(extrapolate(StateKind::Discrete, 0.75, 0.5), 0.75);
        let angle = extrapolate(StateKind::Angle, -3.1, 3.1);
        assert!((angle - (std::f64::consts::TAU - 9.3)).abs() < 1e-12, "{angle}");
    }

    #[test]
    fn oscillations_are_not_extrapolated() {
        assert_eq!((minmod(1.0, 3.0), minmod(-3.0, -2.0)), (1.0, -2.0));
        assert_eq!((minmod(1.0, -1.0), minmod(0.0, 5.0)), (0.0, 0.0));
    }

    #[test]
    fn a_heading_rotates_by_the_difference() {
        let turned =
            |angle: f64| BodyState { heading: [angle.cos(), angle.sin()], ..BodyState::default() };
        let [cos, sin] = extrapolate_body(&turned(3.1), &turned(3.0)).heading;
        assert!((cos - 3.2_f64.cos()).abs() < 1e-12 && (sin - 3.2_f64.sin()).abs() < 1e-12);
        assert!((cos * cos + sin * sin - 1.0).abs() < 1e-12);
    }
}
