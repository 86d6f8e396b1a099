//! Two tracks: the vehicle turns by driving them at different speeds against the resistance of the
//! ground.
//!
//! Each track is a row of cells along the ground, with the pressure of a stiff vehicle (linear
//! along the track, determined by the centre of mass). A cell slides with the velocity of the
//! vehicle at that point minus the speed of the track, and isotropic friction opposes the sliding,
//! as in the general theory of skid steering of Wong and Chiang (2001, Proc. IMechE D 215, 343–355)
//! with a shear force that develops immediately. The sprocket is accelerated by its torque minus
//! the pull of the track.
//!
//! The class computes force and moment itself; the `<friction>` of the vehicle has no influence.
//! **Limit:** hard ground, no sinkage, no centrifugal load transfer.

use simhost_sdk::abi::WheelGeometry;
use simhost_sdk::ports::{Odometry, PlanarVelocity, SlopeGravity};
use simhost_sdk::{kinematics, prelude::*};

use crate::contact::against_in_plane;

/// Two tracks that are driven at different speeds.
#[derive(Params)]
pub struct Tracked {
    /// Length of a track on the ground. A larger value increases the resistance to turning.
    #[param(default = 1.2, above = 0.0, unit = "m", per_lane, scaling = Scaling::LENGTH)]
    track_length: f64,
    /// Friction coefficient of the tracks on the ground. A larger value makes the vehicle slide
    /// less.
    #[param(default = 0.7, range = 0.0..=3.0, per_lane)]
    mu: f64,
    /// Rolling resistance of a track as a share of its normal load. A larger value makes the
    /// vehicle coast less far.
    #[param(default = 0.03, range = 0.0..=1.0, per_lane)]
    rolling_resistance: f64,
    /// Moment of inertia of sprocket, track and motor of one side about the sprocket axle. A larger
    /// value makes the tracks accelerate more slowly.
    #[param(default = 0.5, above = 0.0, unit = "kg·m²", per_lane, scaling = Scaling::INERTIA)]
    drive_inertia: f64,
    /// Number of cells per track. A larger value makes the resistance to turning smoother and the
    /// computation slower.
    #[param(default = 8, range = 2..=64)]
    cells: u32,
}

/// Sprocket torques and motion of the vehicle.
#[derive(Ports)]
pub struct Inputs {
    /// Torque on the left sprocket, positive forwards.
    #[port(unit = "N·m")]
    torque_left: f64,
    /// Torque on the right sprocket, positive forwards.
    #[port(unit = "N·m")]
    torque_right: f64,
    /// Largest torque of the brake of each sprocket.
    #[port(unit = "N·m", optional)]
    brake_torque: f64,
    /// Velocity of the vehicle.
    #[port(flatten)]
    velocity: PlanarVelocity,
    /// Mass without the sprockets.
    #[port(unit = "kg")]
    chassis_mass: f64,
    /// Mass with the sprockets.
    #[port(unit = "kg")]
    mass: f64,
    /// Gravity on the ground.
    #[port(flatten)]
    slope: SlopeGravity,
}

/// Measurements of a tracked vehicle, which include everything that `twist_pid` reads.
#[derive(Ports)]
pub struct Measured {
    /// Velocity estimated from the tracks as if they did not slide. Its yaw rate exceeds the actual one.
    #[port(flatten)]
    odometry: Odometry,
    /// Distance between the tracks.
    #[port(unit = "m")]
    track: f64,
    /// Radius of the sprockets including the track.
    #[port(unit = "m")]
    wheel_radius: f64,
}

/// Sprocket of a side during a step.
#[derive(Clone, Copy)]
struct Side<'a> {
    inputs: &'a Inputs,
    /// Radius, m.
    radius: f64,
    /// Middle of the track, vehicle frame, m.
    middle: [f64; 2],
    /// Spin at the start of the step, rad/s.
    spin: f64,
    /// Length of the step, s.
    dt: f64,
}

impl Tracked {
    /// Returns the mass that rests on a cell of a track, kg.
    #[inline(always)]
    fn mass(&self, inputs: &Inputs) -> f64 {
        0.5 * inputs.chassis_mass / f64::from(self.cells)
    }

    /// Returns force and moment of one track about the reference point. A track that is `held` does
    /// not move, whatever the force.
    #[inline(always)]
    fn grip(&self, side: Side<'_>, held: bool) -> Wrench {
        let Side { inputs, radius, middle: [x0, y], dt, .. } = side;
        let cells = f64::from(self.cells);
        let mass = self.mass(inputs);
        let share = 0.5 * inputs.mass / cells;
        // effect of the force of a cell within a step, on the vehicle at that point and on the
        // sprocket
        let rim = self.drive_inertia / (radius * radius) / cells;
        let yielding = if held { mass } else { 1.0 / (1.0 / mass + 1.0 / rim) };
        // along the slope a track that turns rolls with the vehicle, and one that is held carries
        // its share; across it every cell carries its share
        let (speed, pull_x) = if held {
            (0.0, share * inputs.slope.slope_ax)
        } else {
            (side.spin * radius - dt * inputs.slope.slope_ax, 0.0)
        };
        let limit = self.mu * (mass * inputs.slope.gravity);
        let mut wrench = Wrench::default();
        for cell in 0..self.cells {
            let x = x0 + self.track_length * ((f64::from(cell) + 0.5) / cells - 0.5);
            let sliding = [
                inputs.velocity.vx - inputs.velocity.omega * y - speed,
                inputs.velocity.vy + inputs.velocity.omega * x,
            ];
            let pull = [pull_x, share * inputs.slope.slope_ay];
            let [fx, fy] = against_in_plane(sliding, pull, limit, yielding, dt);
            wrench.force_x += fx;
            wrench.force_y += fy;
            wrench.moment += x * fy - y * fx;
        }
        wrench
    }

    /// Returns force and moment of one track about the reference point, and the new spin of its
    /// sprocket.
    #[inline(always)]
    fn side(&self, side: Side<'_>, torque: f64) -> (Wrench, f64) {
        let Side { inputs, radius, spin, dt, .. } = side;
        let by_inertia = dt / self.drive_inertia;
        let load = self.mass(inputs) * inputs.slope.gravity;
        let resisting = self.rolling_resistance * load * f64::from(self.cells) * radius;
        let free = |wrench: &Wrench| spin + by_inertia * (torque - radius * wrench.force_x);
        if inputs.brake_torque > 0.0 {
            let wrench = self.grip(side, true);
            if free(&wrench).abs() <= by_inertia * (inputs.brake_torque + resisting) {
                return (wrench, 0.0);
            }
        }
        // resistance and brake stop the track at most, and do not reverse it
        let wrench = self.grip(side, false);
        let free = free(&wrench);
        let most = by_inertia * (resisting + inputs.brake_torque.max(0.0));
        (wrench, free - math::limit(free, most))
    }
}

#[model]
impl Dynamics for Tracked {
    const WHEELS: &'static [WheelPlace] =
        &[WheelPlace::at("l_track", 0.0, 0.45), WheelPlace::at("r_track", 0.0, -0.45)];
    const CHASSIS: Chassis =
        Chassis::new(120.0, [0.1, 0.6], &[-0.7, -0.5, 0.7, -0.5, 0.7, 0.5, -0.7, 0.5]);

    fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), String> {
        let [left, right] = wheels else { return Err("expected two wheels".into()) };
        kinematics::check_track([left, right], [Self::WHEELS[0].tag(), Self::WHEELS[1].tag()])
    }

    fn drive(&self, inputs: &Inputs, wheels: &mut Wheels, step: &Step, _: &mut ()) -> Wrench {
        let side = |wheel: usize| Side {
            inputs,
            radius: wheels.radius(wheel),
            middle: [wheels.x(wheel), wheels.y(wheel)],
            spin: wheels.spin(wheel),
            dt: step.dt,
        };
        let (left, left_spin) = self.side(side(0), inputs.torque_left);
        let (right, right_spin) = self.side(side(1), inputs.torque_right);
        wheels.set_spin(0, left_spin);
        wheels.set_spin(1, right_spin);
        Wrench {
            force_x: left.force_x + right.force_x,
            force_y: left.force_y + right.force_y,
            moment: left.moment + right.moment,
        }
    }

    fn measure(&self, wheels: &WheelMotion) -> Measured {
        let (odometry_vx, odometry_omega) = wheels.axle_twist(0, 1);
        Measured {
            odometry: Odometry { odometry_vx, odometry_vy: 0.0, odometry_omega },
            track: wheels.y(0) - wheels.y(1),
            wheel_radius: 0.5 * (wheels.radius(0) + wheels.radius(1)),
        }
    }
}
