//! How a dynamics class moves its vehicles: by wheels, by force and moment, or by pose and velocity.

use simhost_abi::Phase;
use simhost_model::View;
use simhost_sdk::math;

use super::vehicles::Vehicles;
use crate::columns::Column;
use crate::model::{ModelError, ModelLanes, PortMap};
use crate::physics::{BodyState, RigidBody};

/// How a dynamics class moves its vehicles.
#[derive(Clone, Copy)]
pub(super) enum Driving {
    /// By torque and steering of wheels on which friction acts.
    Wheels,
    /// By a force and a moment on the body.
    Wrench(Wrench),
    /// By the pose and velocity at the end of the step.
    Motion(Motion),
}

/// Force, N, and moment about the reference point, N·m, vehicle frame.
#[derive(Clone, Copy)]
pub(super) struct Wrench {
    pub force: [Column; 2],
    pub moment: Column,
    /// Spins of the wheels, rad/s.
    pub spin: Column,
}

/// Pose and twist at the end of the step.
#[derive(Clone, Copy)]
pub(super) struct Motion {
    /// x, y, m; yaw, rad; world frame.
    pub pose: [Column; 3],
    /// vx, vy, m/s; yaw rate, rad/s; vehicle frame.
    pub twist: [Column; 3],
    /// Spins of the wheels, rad/s.
    pub spin: Column,
}

/// Distance, m or rad, up to which a body counts as at the pose that its model has set.
const SAME_PLACE: f64 = 1e-7;

impl Driving {
    /// Selects the columns from the outputs of the phase `drive`, `wrench` or `motion`.
    ///
    /// # Errors
    /// [`ModelError::Incomplete`] if the phase lacks an output.
    pub fn new(
        model: &ModelLanes,
        phase: &'static View<Phase>,
        outputs: &PortMap,
    ) -> Result<Self, ModelError> {
        let id = phase.id();
        let find = |name: &str| {
            let text = || format!("its phase `{id}` has no output `{name}`");
            outputs.get(name).ok_or_else(|| model.incomplete(text()))
        };
        let three = |[a, b, c]: [&str; 3]| Ok([find(a)?, find(b)?, find(c)?]);
        Ok(match id {
            "wrench" => Self::Wrench(Wrench {
                force: [find("force_x")?, find("force_y")?],
                moment: find("moment")?,
                spin: find("spin")?,
            }),
            "motion" => Self::Motion(Motion {
                pose: three(["x", "y", "yaw"])?,
                twist: three(["vx", "vy", "omega"])?,
                spin: find("spin")?,
            }),
            _ => Self::Wheels,
        })
    }
}

impl Wrench {
    /// Applies force and moment to the bodies: new velocity of the centre of mass, then damping.
    pub fn apply(&self, vehicles: &mut Vehicles, dt: f64, bodies: &mut [RigidBody]) {
        copy_spin(vehicles, self.spin);
        vehicles.apply_wrench(self.force, self.moment, dt, bodies);
    }
}

impl Motion {
    /// Sets the velocities with which the bodies reach the poses of the dynamics class in `dt` seconds.
    pub fn apply(&self, vehicles: &mut Vehicles, dt: f64, bodies: &mut [RigidBody]) {
        copy_spin(vehicles, self.spin);
        let lanes = vehicles.lanes.iter().enumerate();
        for (i, _) in lanes.filter(|(_, lane)| !lane.disabled) {
            let (goal, centre) = (self.goal(vehicles, i), vehicles.centre(i));
            let now = &bodies[i].state;
            let [from, to] = [now.transform(centre), goal.transform(centre)];
            let turn = math::wrap_angle(
                math::atan2(goal.heading[1], goal.heading[0])
                    - math::atan2(now.heading[1], now.heading[0]),
            );
            let velocity = [(to[0] - from[0]) / dt, (to[1] - from[1]) / dt];
            bodies[i].set_velocity(velocity, turn / dt);
        }
    }

    /// Gives the bodies that contacts have not deflected exactly the pose and velocity of the dynamics
    /// class.
    pub fn finish(&self, vehicles: &Vehicles, bodies: &mut [RigidBody]) {
        let lanes = vehicles.lanes.iter().enumerate();
        for (i, _) in lanes.filter(|(_, lane)| !lane.disabled) {
            let (mut goal, centre) = (self.goal(vehicles, i), vehicles.centre(i));
            let now = &bodies[i].state;
            let distance = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).abs().max((a[1] - b[1]).abs());
            if distance(now.position, goal.position) > SAME_PLACE
                || distance(now.heading, goal.heading) > SAME_PLACE
            {
                continue;
            }
            let [vx, vy, omega] = self.twist.map(|column| vehicles.value(column, i));
            let (vx, vy) = (vx - omega * centre[1], vy + omega * centre[0]);
            let [cos, sin] = goal.heading;
            goal.velocity = [cos * vx - sin * vy, sin * vx + cos * vy];
            goal.omega = omega;
            bodies[i].place(goal);
        }
    }

    /// Returns the pose of the dynamics class at the end of the step.
    fn goal(&self, vehicles: &Vehicles, lane: usize) -> BodyState {
        let [x, y, yaw] = self.pose.map(|column| vehicles.value(column, lane));
        let (sin, cos) = math::sin_cos(yaw);
        BodyState { position: [x, y], heading: [cos, sin], ..BodyState::default() }
    }
}

/// Copies the spins that a dynamics class returns to the measured spins.
fn copy_spin(vehicles: &mut Vehicles, from: Column) {
    let spin = vehicles.host.measured.spin;
    for index in 0..vehicles.wheel_count() {
        if !vehicles.lanes[index % vehicles.lanes.len()].disabled {
            let value = vehicles.value(from, index);
            vehicles.columns.get_mut(spin)[index] = value;
        }
    }
}
