//! A step made whole and in halves, from which follows what steps of no length would give.
//!
//! With A(h) what a method of first order makes of a step h, 2 A(h/2)² − A(h) is of second order, and still damps
//! without bound what is stiff: Richardson extrapolation (Hairer and Wanner, *Solving Ordinary Differential
//! Equations II*, 1996, section IV.9). It needs nothing of the models but that they do the same twice.
//!
//! Loads follow the forces of the step before. So that this lag costs no order, all three have the forces as they are
//! likely to be in the middle of the step, drawn on from the steps before where these go one way.
//!
//! It holds for vehicles that move, with nothing in reach; where contacts or joints have a say, the whole step counts,
//! as it does where a step of the ground stopped a vehicle, and where one stands, so that brakes learn to hold it.

use simhost_abi::StateKind;
use simhost_sdk::math;
use simhost_world::Span;

use super::brake::STILL;
use super::driving::Driving;
use super::{EnergyBook, Table};
use crate::columns::Column;
use crate::error::BuildError;
use crate::fault::FaultReport;
use crate::moment::Moment;
use crate::physics::{BodyState, Physics, turned_on};

/// What is kept of a step in halves until the whole one has been made.
pub(super) struct Extrapolation {
    /// What moves on beside the bodies: spins, and what tyres and springs remember.
    moving: Vec<(Column, StateKind)>,
    /// What all wheels pushed at the end of the last steps, the latest first, vehicle frame.
    pushed: [[Column; 2]; 2],
    /// The same in the middle of this step, by axis and lane.
    expected: [Vec<f64>; 2],
    /// All columns at the start of the step.
    start: Vec<f64>,
    /// Bodies at the start of the step, after the halves, and as the whole step pushed them.
    bodies: [Vec<BodyState>; 3],
    /// The columns of `moving` after the halves.
    fine: Vec<Vec<f64>>,
    /// Books at the start of the step and after the halves.
    books: [Option<Vec<EnergyBook>>; 2],
}

impl Extrapolation {
    /// With two pairs of columns for what wheels pushed.
    pub fn new(pushed: [[Column; 2]; 2]) -> Self {
        Self {
            moving: Vec::new(),
            pushed,
            expected: Default::default(),
            start: Vec::new(),
            bodies: Default::default(),
            fine: Vec::new(),
            books: Default::default(),
        }
    }
}

impl Table {
    /// Makes each step of this table twice, unless neither wheels nor forces move its vehicles.
    ///
    /// # Errors
    /// [`BuildError`] where its friction model would not do the same twice.
    pub(super) fn extrapolates(
        &mut self,
        mut extrapolation: Extrapolation,
        friction: Span,
    ) -> Result<(), BuildError> {
        if self.imposed.is_some() || matches!(self.driving, Driving::Motion(_)) {
            return Ok(());
        }
        let text = if self.friction.draws() {
            "it draws random numbers"
        } else if self.friction.has_memory() {
            "it keeps memory beside its state slots"
        } else {
            let moving = &mut extrapolation.moving;
            let host = [self.host.spin].into_iter().chain(self.host.sway.into_iter().flatten());
            let host = host.chain(self.host.push);
            moving.extend(host.map(|column| (column, StateKind::Continuous)));
            let slots = self.friction.class().model.states().iter();
            let kinds = slots.map(|slot| slot.kind().unwrap_or(StateKind::Discrete));
            moving.extend(self.friction.states().iter().copied().zip(kinds));
            self.extrapolation = Some(extrapolation);
            return Ok(());
        };
        Err(BuildError::Incomplete {
            class: self.friction.class().full_name.to_string(),
            text: format!(
                "{text}, and the integrator `extrapolated` makes each step twice: use \
                 `<integrator>euler</integrator>` with `<substeps>`"
            ),
            span: friction,
        })
    }

    /// Expects what wheels will push in the middle of the step.
    fn expect_push(&mut self, kept: &mut Extrapolation) {
        for axis in [0, 1] {
            let cells = self.columns.cells();
            let now = cells.column(self.host.push[axis]);
            let [last, before] = kept.pushed.map(|pushed| cells.column(pushed[axis]));
            let expected = &mut kept.expected[axis];
            expected.clear();
            for lane in 0..now.len() {
                let [p, p1, p2] = [now, last, before].map(|column| column[lane].get());
                expected.push(p + 0.5 * lesser(p - p1, p1 - p2));
                before[lane].set(p1);
                last[lane].set(p);
            }
        }
    }

    fn set_push(&mut self, kept: &Extrapolation) {
        for (column, expected) in self.host.push.into_iter().zip(&kept.expected) {
            self.columns.get_mut(column).copy_from_slice(expected);
        }
    }

    /// Makes a step in two halves and takes it back.
    pub fn rehearse(
        &mut self,
        halves: [&Moment; 2],
        physics: &mut Physics,
        faults: &mut Vec<FaultReport>,
    ) {
        let Some(mut kept) = self.extrapolation.take() else { return };
        self.expect_push(&mut kept);
        self.set_push(&kept);
        self.columns.take_down(&mut kept.start);
        kept.bodies[0] = self.bodies(physics);
        kept.books[0].clone_from(&self.books);
        for (half, moment) in halves.into_iter().enumerate() {
            if half > 0 {
                self.go_on(physics);
                self.set_push(&kept);
            }
            self.push(moment, physics, faults);
            for lane in &self.lanes {
                physics.rehearse(lane.body, moment.clock.dt);
            }
        }
        kept.bodies[1] = self.bodies(physics);
        kept.fine =
            kept.moving.iter().map(|(column, _)| self.columns.get(*column).to_vec()).collect();
        kept.books[1] = std::mem::replace(&mut self.books, kept.books[0].take());

        self.columns.put_back(&kept.start);
        for (index, state) in kept.bodies[0].iter().enumerate() {
            let lane = &mut self.lanes[index];
            // as they were read back
            (lane.turned, lane.velocity) = (state.heading, state.velocity);
            physics.put_back(lane.body, *state);
            if self.lanes[index].disabled {
                // what it answered last has come back
                self.disable(index);
            }
        }
        self.extrapolation = Some(kept);
    }

    /// Remembers how the whole step pushed the bodies.
    pub(super) fn note_push(&mut self, physics: &Physics) {
        let Some(mut kept) = self.extrapolation.take() else { return };
        kept.bodies[2] = self.bodies(physics);
        self.extrapolation = Some(kept);
    }

    /// Draws the step just made and the one in halves out to steps of no length.
    pub fn extrapolate(&mut self, physics: &mut Physics) {
        let Some(kept) = self.extrapolation.take() else { return };
        let [_, fine, pushed] = &kept.bodies;
        let count = self.lanes.len();
        let free: Vec<bool> = (0..count)
            .map(|lane| {
                let body = self.lanes[lane].body;
                let now = physics.state(body);
                let as_pushed = |was: &BodyState| (was.velocity, was.omega);
                let ([vx, vy], turning) =
                    (now.velocity, now.omega * self.lanes[lane].footing_radius);
                let moves = vx * vx + vy * vy + turning * turning > STILL * STILL;
                moves && !physics.is_held(body) && as_pushed(now) == as_pushed(&pushed[lane])
            })
            .collect();
        for ((column, kind), fine) in kept.moving.iter().zip(&kept.fine) {
            let column = self.columns.get_mut(*column);
            for (index, value) in column.iter_mut().enumerate().filter(|(i, _)| free[i % count]) {
                *value = extrapolated(*kind, fine[index], *value);
            }
        }
        for lane in (0..count).filter(|lane| free[*lane]) {
            let owner = &mut self.lanes[lane];
            let state = drawn_body(&fine[lane], physics.state(owner.body));
            owner.velocity = state.velocity;
            physics.put_back(owner.body, state);
            let kinetic = self.kinetic(lane, self.pushed(lane, physics));
            if let (Some(books), Some(fine)) = (&mut self.books, &kept.books[1]) {
                let drawn = fine[lane].combine(&books[lane], |fine, coarse| 2.0 * fine - coarse);
                books[lane] = EnergyBook { kinetic, ..drawn };
            }
        }
        self.extrapolation = Some(kept);
    }

    fn bodies(&self, physics: &Physics) -> Vec<BodyState> {
        self.lanes.iter().map(|lane| *physics.state(lane.body)).collect()
    }
}

/// Extrapolates a value from the step in halves and the whole one. Values that do not change
/// continuously stay as the halves left them.
fn extrapolated(kind: StateKind, fine: f64, coarse: f64) -> f64 {
    match kind {
        // also keeps the sign of zero
        _ if fine == coarse => fine,
        StateKind::Continuous => 2.0 * fine - coarse,
        StateKind::Angle => math::wrap_angle(fine + math::wrap_angle(fine - coarse)),
        StateKind::Discrete | StateKind::Counter => fine,
    }
}

/// The lesser of two changes that go one way, else none, so that what swings is not stirred up.
fn lesser(a: f64, b: f64) -> f64 {
    match a * b > 0.0 {
        true if a.abs() < b.abs() => a,
        true => b,
        false => 0.0,
    }
}

fn drawn_body(fine: &BodyState, coarse: &BodyState) -> BodyState {
    let pair =
        |fine: [f64; 2], coarse: [f64; 2]| [0, 1].map(|axis| 2.0 * fine[axis] - coarse[axis]);
    // turned on by the angle between the two
    let ([cos, sin], [other_cos, other_sin]) = (fine.heading, coarse.heading);
    let turn = [cos * other_cos + sin * other_sin, sin * other_cos - cos * other_sin];
    BodyState {
        position: pair(fine.position, coarse.position),
        heading: turned_on(fine.heading, turn),
        velocity: pair(fine.velocity, coarse.velocity),
        omega: 2.0 * fine.omega - coarse.omega,
    }
}

#[cfg(test)]
mod tests {
    use super::{BodyState, StateKind, drawn_body, extrapolated, lesser};

    #[test]
    fn a_state_is_extrapolated_according_to_its_kind() {
        assert_eq!(extrapolated(StateKind::Continuous, 0.75, 0.5), 1.0);
        assert_eq!(extrapolated(StateKind::Continuous, 1.0, 0.0), 2.0);
        assert_eq!(extrapolated(StateKind::Counter, 2.0, 1.0), 2.0);
        assert_eq!(extrapolated(StateKind::Discrete, 0.75, 0.5), 0.75);
        let angle = extrapolated(StateKind::Angle, -3.1, 3.1);
        assert!((angle - (std::f64::consts::TAU - 9.3)).abs() < 1e-12, "{angle}");
    }

    #[test]
    fn what_swings_is_not_drawn_on() {
        assert_eq!((lesser(1.0, 3.0), lesser(-3.0, -2.0)), (1.0, -2.0));
        assert_eq!((lesser(1.0, -1.0), lesser(0.0, 5.0)), (0.0, 0.0));
    }

    #[test]
    fn a_heading_is_turned_on_by_the_difference() {
        let turned =
            |angle: f64| BodyState { heading: [angle.cos(), angle.sin()], ..BodyState::default() };
        let [cos, sin] = drawn_body(&turned(3.1), &turned(3.0)).heading;
        assert!((cos - 3.2_f64.cos()).abs() < 1e-12 && (sin - 3.2_f64.sin()).abs() < 1e-12);
        assert!((cos * cos + sin * sin - 1.0).abs() < 1e-12);
    }
}
