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
use simhost_sdk::{kinematics, prelude::*};

use crate::contact::against_in_plane;

/// Two tracks that are driven at different speeds.
#[derive(Params)]
pub struct Tracked {
    /// Length of a track on the ground. A larger value increases the resistance to turning.
    #[param(default = 1.2, above = 0.0, unit = "m")]
    track_length: f64,
    /// Friction coefficient of the tracks on the ground. A larger value makes the vehicle slide
    /// less.
    #[param(default = 0.7, range = 0.0..=3.0)]
    mu: f64,
    /// Rolling resistance of a track as a share of its normal load. A larger value makes the
    /// vehicle coast less far.
    #[param(default = 0.03, range = 0.0..=1.0)]
    rolling_resistance: f64,
    /// Moment of inertia of sprocket, track and motor of one side about the sprocket axle. A larger
    /// value makes the tracks accelerate more slowly.
    #[param(default = 0.5, above = 0.0, unit = "kg·m²")]
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
    /// Forward velocity of the reference point.
    #[port(unit = "m/s")]
    vx: f64,
    /// Leftward velocity of the reference point.
    #[port(unit = "m/s")]
    vy: f64,
    /// Yaw rate.
    #[port(unit = "rad/s")]
    omega: f64,
    /// Mass without the sprockets.
    #[port(unit = "kg")]
    chassis_mass: f64,
    /// Mass with the sprockets.
    #[port(unit = "kg")]
    mass: f64,
    /// Gravity.
    #[port(unit = "m/s²")]
    gravity: f64,
    /// Forward component of gravity along the ground, which the host applies to the body.
    #[port(unit = "m/s²")]
    slope_ax: f64,
    /// Leftward component of gravity along the ground.
    #[port(unit = "m/s²")]
    slope_ay: f64,
}

/// Measurements of a tracked vehicle, which include everything that `twist_pid` reads.
#[derive(Ports)]
pub struct Measured {
    /// Forward velocity estimated from the tracks.
    #[port(unit = "m/s")]
    odometry_vx: f64,
    /// Leftward velocity estimated from the tracks, always 0.
    #[port(unit = "m/s")]
    odometry_vy: f64,
    /// Yaw rate estimated from the tracks as if they did not slide, which exceeds the actual yaw
    /// rate.
    #[port(unit = "rad/s")]
    odometry_omega: f64,
    /// Distance between the tracks.
    #[port(unit = "m")]
    track: f64,
    /// Radius of the sprockets including the track.
    #[port(unit = "m")]
    wheel_radius: f64,
}

impl Tracked {
    /// Returns force and moment of one track about the reference point, and the new spin of its
    /// sprocket.
    #[inline(always)]
    fn side(
        &self,
        inputs: &Inputs,
        wheels: &WheelMotion,
        wheel: usize,
        torque: f64,
        dt: f64,
    ) -> (Wrench, f64) {
        let (radius, x0, y) = (wheels.radius(wheel), wheels.x(wheel), wheels.y(wheel));
        let speed = wheels.rolling_speed(wheel);
        let cells = f64::from(self.cells);
        let mass = 0.5 * inputs.chassis_mass / cells;
        let load = mass * inputs.gravity;
        // effect of the force of a cell within a step, on the vehicle at that point and on the
        // sprocket
        let rim = self.drive_inertia / (radius * radius) / cells;
        let yielding = 1.0 / (1.0 / mass + 1.0 / rim);
        let mut wrench = Wrench::default();
        for cell in 0..self.cells {
            let x = x0 + self.track_length * ((f64::from(cell) + 0.5) / cells - 0.5);
            // along the slope the track rolls with the vehicle; across it every cell holds its
            // share
            let sliding = [
                inputs.vx + dt * inputs.slope_ax - inputs.omega * y - speed,
                inputs.vy + inputs.omega * x,
            ];
            let pull = [0.0, 0.5 * inputs.mass / cells * inputs.slope_ay];
            let [fx, fy] = against_in_plane(sliding, pull, self.mu * load, yielding, dt);
            wrench.force_x += fx;
            wrench.force_y += fy;
            wrench.moment += x * fy - y * fx;
        }
        // the rolling resistance stops the track at most, and does not reverse it
        let free =
            wheels.spin(wheel) + dt / self.drive_inertia * (torque - radius * wrench.force_x);
        let resisting = self.rolling_resistance * load * cells * radius;
        let spin = free - math::limit(free, dt / self.drive_inertia * resisting);
        (wrench, spin)
    }
}

#[model]
impl Dynamics for Tracked {
    type Actuators = Inputs;
    type Output = Wrench;
    type Measurements = Measured;
    const WHEELS: &'static [WheelPlace] =
        &[WheelPlace::at("l_track", 0.0, 0.45), WheelPlace::at("r_track", 0.0, -0.45)];
    const CHASSIS: Chassis = Chassis {
        mass: 120.0,
        z_min: 0.1,
        z_max: 0.6,
        polygon: &[-0.7, -0.5, 0.7, -0.5, 0.7, 0.5, -0.7, 0.5],
    };

    fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), String> {
        let [left, right] = wheels else { return Err("expected two wheels".into()) };
        kinematics::check_track([left, right], [Self::WHEELS[0].tag(), Self::WHEELS[1].tag()])
    }

    fn drive(&self, inputs: &Inputs, wheels: &mut Wheels, step: &Step, _: &mut ()) -> Wrench {
        let (left, left_spin) = self.side(inputs, wheels, 0, inputs.torque_left, step.dt);
        let (right, right_spin) = self.side(inputs, wheels, 1, inputs.torque_right, step.dt);
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
            odometry_vx,
            odometry_vy: 0.0,
            odometry_omega,
            track: wheels.y(0) - wheels.y(1),
            wheel_radius: 0.5 * (wheels.radius(0) + wheels.radius(1)),
        }
    }
}
