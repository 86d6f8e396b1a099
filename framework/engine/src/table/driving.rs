//! How a dynamics class moves its vehicles: by wheels, by force and moment, or by pose and velocity.

use simhost_abi::Phase;
use simhost_model::View;
use simhost_sdk::math;

use super::space::InSpace;
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
    Motion(PrescribedMotion),
    /// By the pose and velocity at the end of the step, with the forces of friction models.
    Sprung(SprungMotion),
}

/// Motion of a class that moves its body with the forces of friction models.
#[derive(Clone, Copy)]
pub(super) struct SprungMotion {
    /// Motion at the end of the step.
    pub motion: PrescribedMotion,
    /// Velocities of the contact points along the heading and to the left, m/s.
    pub contact: [Column; 2],
    /// Energies, if the class computes them.
    pub energies: Option<EnergyColumns>,
}

/// Energies and powers of a class that moves its body with the forces of friction models.
#[derive(Clone, Copy)]
pub(super) struct EnergyColumns {
    /// Kinetic and potential energy, and the energy of tyres, which is a part of the latter, J.
    pub energies: [Column; 3],
    /// Powers of the ground, of dampers, of the air, and of the compression of tyres, W.
    pub powers: [Column; 4],
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
pub(super) struct PrescribedMotion {
    /// x, y, m; yaw, rad; world frame.
    pub pose: [Column; 3],
    /// vx, vy, m/s; yaw rate, rad/s; vehicle frame.
    pub twist: [Column; 3],
    /// Spins of the wheels, rad/s.
    pub spin: Column,
    /// The other degrees of freedom, of a class that does not follow the ground.
    pub space: Option<Space>,
}

/// Height, pitch and roll at the end of the step, and velocities.
#[derive(Clone, Copy)]
pub(super) struct Space {
    /// Height of the reference point, m, pitch and roll, rad.
    pub attitude: [Column; 3],
    /// Velocity along z of the vehicle, m/s, and angular velocities about its x and y axes, rad/s.
    pub rates: [Column; 3],
}

/// Distance, m or rad, up to which a body counts as at the pose that its model has set.
const SAME_PLACE: f64 = 1e-7;

impl EnergyColumns {
    /// Selects the columns from the outputs of the phase `energy`, which has all of them.
    fn find(ports: &PortMap) -> Option<Self> {
        let energy = |name: &str| ports.get(name);
        Some(Self {
            energies: [
                energy("kinetic_energy")?,
                energy("potential_energy")?,
                energy("tyre_energy")?,
            ],
            powers: [
                energy("tyre_power")?,
                energy("damping_power")?,
                energy("air_power")?,
                energy("compression_power")?,
            ],
        })
    }
}

impl Driving {
    /// Returns whether the dynamics class sets the pose of its vehicles.
    pub fn sets_pose(&self) -> bool {
        matches!(self, Self::Motion(_) | Self::Sprung(_))
    }

    /// Returns the energies of a class that computes them.
    pub fn energies(&self) -> Option<&EnergyColumns> {
        match self {
            Self::Sprung(sprung) => sprung.energies.as_ref(),
            _ => None,
        }
    }

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
            "motion" => Self::Motion(PrescribedMotion {
                pose: three(["x", "y", "yaw"])?,
                twist: three(["vx", "vy", "omega"])?,
                spin: find("spin")?,
                space: match outputs.get("z") {
                    Some(_) => Some(Space {
                        attitude: three(["z", "pitch", "roll"])?,
                        rates: three(["vz", "roll_rate", "pitch_rate"])?,
                    }),
                    None => None,
                },
            }),
            _ => Self::Wheels,
        })
    }

    /// Selects the columns from the outputs of the phases `advance`, `drive` and `energy`.
    ///
    /// # Errors
    /// [`ModelError::Incomplete`] if a phase lacks an output.
    pub fn sprung(
        model: &ModelLanes,
        [advanced, driven, energies]: [&PortMap; 3],
    ) -> Result<Self, ModelError> {
        let missing = |name: &str| {
            let text = format!("its phases `advance` and `drive` have no output `{name}`");
            model.incomplete(text)
        };
        let from = |ports: &PortMap, name: &str| ports.get(name).ok_or_else(|| missing(name));
        let three = |[a, b, c]: [&str; 3]| {
            Ok::<_, ModelError>([from(advanced, a)?, from(advanced, b)?, from(advanced, c)?])
        };
        let energies = EnergyColumns::find(energies);
        Ok(Self::Sprung(SprungMotion {
            motion: PrescribedMotion {
                pose: three(["x", "y", "yaw"])?,
                twist: three(["vx", "vy", "omega"])?,
                spin: from(advanced, "spin")?,
                space: Some(Space {
                    attitude: three(["z", "pitch", "roll"])?,
                    rates: three(["vz", "roll_rate", "pitch_rate"])?,
                }),
            },
            contact: [from(driven, "contact_vx")?, from(driven, "contact_vy")?],
            energies,
        }))
    }
}

impl Wrench {
    /// Applies force and moment to the bodies: new velocity of the centre of mass, then damping.
    pub fn apply(&self, vehicles: &mut Vehicles, dt: f64, bodies: &mut [RigidBody]) {
        copy_spin(vehicles, self.spin);
        vehicles.apply_wrench(self.force, self.moment, dt, bodies);
    }
}

impl PrescribedMotion {
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
    /// class, and sets the motion in space after a step of `dt` seconds.
    pub fn finish(&self, vehicles: &mut Vehicles, dt: f64, bodies: &mut [RigidBody]) {
        for (lane, body) in bodies.iter_mut().enumerate() {
            let is_disabled = vehicles.lanes[lane].disabled;
            let space = self.space.map(|space| self.motion_in_space(space, vehicles, lane));
            let mut is_reached = false;
            if !is_disabled {
                let [vx, vy, omega] = match &space {
                    Some(space) => space.level_twist(),
                    None => self.twist.map(|column| vehicles.value(column, lane)),
                };
                is_reached = self.finish_body(vehicles, lane, [vx, vy, omega], body);
            }
            let Some(mut space) = space else { continue };
            if !is_reached {
                let [cx, cy] = vehicles.centre(lane);
                let BodyState { heading: [cos, sin], velocity: [x, y], omega, .. } = body.state;
                let twist = [cos * x + sin * y + omega * cy, cos * y - sin * x - omega * cx, omega];
                space = space.with_level_twist(twist);
            }
            vehicles.set_motion_in_space(lane, space, dt);
        }
    }

    /// Gives a body the pose of the dynamics class and the velocity `vx`, `vy`, m/s, and `omega`, rad/s, of
    /// its reference point in the level plane, unless contacts have deflected it. Returns whether they
    /// have not.
    fn finish_body(
        &self,
        vehicles: &Vehicles,
        lane: usize,
        [vx, vy, omega]: [f64; 3],
        body: &mut RigidBody,
    ) -> bool {
        let (mut goal, centre) = (self.goal(vehicles, lane), vehicles.centre(lane));
        let now = &body.state;
        let distance = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).abs().max((a[1] - b[1]).abs());
        if distance(now.position, goal.position) > SAME_PLACE
            || distance(now.heading, goal.heading) > SAME_PLACE
        {
            return false;
        }
        let (vx, vy) = (vx - omega * centre[1], vy + omega * centre[0]);
        let [cos, sin] = goal.heading;
        goal.velocity = [cos * vx - sin * vy, sin * vx + cos * vy];
        goal.omega = omega;
        body.place(goal);
        true
    }

    /// Returns the motion in space at the end of the step: that of the dynamics class, or no vertical
    /// motion for a vehicle that a fault has disabled.
    fn motion_in_space(&self, space: Space, vehicles: &Vehicles, lane: usize) -> InSpace {
        if vehicles.lanes[lane].disabled {
            let attitude = vehicles.values(vehicles.host.own.attitude, lane);
            return InSpace { attitude, velocity: [0.0; 3], rate: [0.0; 3] };
        }
        let [vx, vy, omega] = vehicles.values(self.twist, lane);
        let [vz, roll_rate, pitch_rate] = vehicles.values(space.rates, lane);
        InSpace {
            attitude: vehicles.values(space.attitude, lane),
            velocity: [vx, vy, vz],
            rate: [roll_rate, pitch_rate, omega],
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
