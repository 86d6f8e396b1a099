//! A steering system: from the angle of the steering wheel to the angle of the wheels, and the torque of the driver.
//!
//! The steering wheel turns a column with the stiffness c, which drives a rack with the ratio i = dθ/dδ of the angle θ
//! below the column and the steering angle δ. The motion is quasi-static: column, rack and wheels have no inertia.
//!
//! * The wheels load the rack with M = −Σ M_k/i, the moments of the ground about the kingpins.
//! * Friction adds up to ±F: the torque of driver and assistance together lies in M − F … M + F.
//! * The assistance adds A(T, v) to the torque T of the driver: T + A(T, v) = L has one solution T(L), because A grows
//!   with T.
//! * A column of finite stiffness twists by T/c: θ = clamp(θ of the step before, θ_h − T(M + F)/c, θ_h − T(M − F)/c) and
//!   T = c (θ_h − θ). This is the play operator of M. Brokate and J. Sprekels, *Hysteresis and Phase Transitions*, 1996,
//!   section 2.1, between the twists at which the rack begins to slide.
//! * A rigid column has θ = θ_h and T = T(M + F) while it turns to the left, T(M − F) to the right, and the
//!   nearest torque to the last one while it stands.
//!
//! Source: M. Harrer and P. Pfeffer (ed.), *Steering Handbook*, 2017, chapters 4 and 11.
//!
//! **Limit:** the moments of the ground come from the step before, so that a column that is softer than the
//! self-aligning stiffness of the tyres at the steering wheel makes the angle oscillate; no free control.

use simhost_sdk::prelude::*;
use simhost_suspension::curve_file::{self, CurveColumns};
use simhost_suspension::grid_file::{GridAxis, GridFormat};
use simhost_suspension::interpolation::{Curve, Interpolation};
use simhost_suspension::surface::Surface;

/// Columns of a file with the angles.
const RATIO: CurveColumns = CurveColumns {
    along: &[("wheel_angle_deg", math::DEG), ("wheel_angle", 1.0)],
    value: &[("steer_deg", math::DEG), ("steer", 1.0)],
};

/// Columns of a file with the assistance.
const ASSIST: GridFormat = GridFormat {
    first: GridAxis { columns: &[("torque", 1.0)], only: None },
    second: GridAxis { columns: &[("speed", 1.0), ("speed_kmh", 1.0 / 3.6)], only: None },
    quantities: &[("assist", 0, 1.0)],
};

/// Halvings of the interval of torques, which leave 1e-9 of its width.
const HALVINGS: usize = 30;

/// Meaning of the command.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
pub enum SteeringCommand {
    /// Angle of the steering wheel.
    #[param(key = "steering_wheel")]
    SteeringWheel,
    /// Steering angle that the wheels would have without twist of the column.
    #[param(key = "wheels")]
    Wheels,
}

/// Steering wheel, column, power assistance and rack between a controller and the port `steer` of a car.
#[derive(Params)]
pub struct SteeringSystem {
    /// Meaning of the command: `steering_wheel` for the angle of the steering wheel, or `wheels` for a controller that
    /// commands the steering angle.
    #[param(default = "steering_wheel")]
    command: SteeringCommand,
    /// Angle of the steering wheel per steering angle. A larger value makes the steering lighter and slower.
    #[param(default = 16.0, above = 0.0, unit = "1")]
    ratio: f64,
    /// CSV file with the steering angle over the angle of the steering wheel: columns `wheel_angle_deg` or
    /// `wheel_angle` (rad), and `steer_deg` or `steer` (rad). It replaces `ratio`.
    ratio_curve: Option<TextFile>,
    /// Stiffness of the column. Without it, the column is rigid. A smaller value delays the wheels more.
    #[param(above = 0.0, unit = "N·m/rad", scaling = Scaling::WHEEL_TORQUE)]
    column_stiffness: Option<f64>,
    /// Friction of the rack at the steering wheel. A larger value holds the wheels where they are.
    #[param(default = 0.0, range = 0.0.., unit = "N·m", scaling = Scaling::WHEEL_TORQUE)]
    friction: f64,
    /// CSV file with the assistance at the steering wheel: columns `torque` (N·m, of the driver, from 0 on), `assist` (N·m),
    /// and optionally `speed` (m/s) or `speed_kmh`. Without it, the driver has no assistance.
    assist_map: Option<TextFile>,
    /// Steering angle over the angle below the column.
    #[param(skip)]
    curve: Option<Curve>,
    /// Assistance over the torque of the driver and the speed.
    #[param(skip)]
    assist: Option<Surface<1>>,
}

/// Moments of the ground on the wheels, and the speed.
#[derive(Ports)]
pub struct SteeredLoad {
    /// Moment of the ground about the kingpin of each steered wheel, positive to the left.
    #[port(unit = "N·m", optional)]
    pub kingpin_moment: PerWheel,
    /// Forward velocity of the vehicle.
    #[port(unit = "m/s")]
    pub vx: f64,
}

/// Angles and torque of the step before.
#[derive(State)]
pub struct Column {
    /// Angle of the steering wheel, positive to the left.
    #[state(unit = "rad")]
    pub steering_wheel: f64,
    /// Angle below the column.
    #[state(unit = "rad")]
    pub turned: f64,
    /// Torque of the driver, positive to the left.
    #[state(unit = "N·m")]
    pub torque: f64,
}

/// Torque and angle that the driver feels.
#[derive(Ports)]
pub struct Felt {
    /// Angle of the steering wheel, positive to the left.
    #[port(unit = "rad")]
    pub steering_wheel_angle: f64,
    /// Torque of the driver on the steering wheel, positive to the left.
    #[port(unit = "N·m")]
    pub steering_wheel_torque: f64,
    /// Torque of the assistance at the steering wheel, positive to the left.
    #[port(unit = "N·m")]
    pub assist_torque: f64,
}

impl SteeringSystem {
    /// Returns the steering angle, rad, for an angle behind the column, rad, and its derivative.
    fn steer(&self, turned: f64) -> [f64; 2] {
        match &self.curve {
            Some(curve) => curve.at(turned),
            None => [turned / self.ratio, 1.0 / self.ratio],
        }
    }

    /// Returns the assistance for a torque of the driver, N·m, at a speed, m/s.
    fn assistance(&self, torque: f64, speed: f64) -> f64 {
        let Some(map) = &self.assist else { return 0.0 };
        let [torques, speeds] = map.limits();
        let speed = speed.abs().max(speeds[0]).min(speeds[1]);
        let [assist] = map.at(torque.abs().min(torques[1]), speed);
        assist.value.copysign(torque)
    }

    /// Returns the torque of the driver that together with the assistance is `load`, N·m.
    fn driver(&self, load: f64, speed: f64) -> f64 {
        if self.assist.is_none() {
            return load;
        }
        let (mut least, mut most) = (0.0, load.abs());
        for _ in 0..HALVINGS {
            let middle = 0.5 * (least + most);
            if middle + self.assistance(middle, speed) < load.abs() {
                least = middle;
            } else {
                most = middle;
            }
        }
        (0.5 * (least + most)).copysign(load)
    }

    /// Returns the angle of the steering wheel for a command, rad.
    fn commanded(&self, command: f64) -> f64 {
        match (self.command, &self.curve) {
            (SteeringCommand::SteeringWheel, _) => command,
            (SteeringCommand::Wheels, None) => command * self.ratio,
            (SteeringCommand::Wheels, Some(curve)) => curve.inverse(command),
        }
    }
}

#[model]
impl Actuator for SteeringSystem {
    type Inputs = SteeredLoad;
    type Published = Felt;
    const UNIT: &'static str = "rad";

    fn prepare(&mut self) -> Result<(), String> {
        let wrong =
            |name: &str, file: &TextFile, what: String| format!("{name} {}: {what}", file.path);
        if let Some(file) = &self.ratio_curve {
            let points = curve_file::parse(&file.text, &RATIO);
            let points = points.map_err(|error| wrong("ratio_curve", file, error.to_string()))?;
            let rises = |pair: &[[f64; 2]]| pair[0][0] < pair[1][0] && pair[0][1] < pair[1][1];
            if points.len() < 2 || !points.windows(2).all(rises) {
                let what = "expected at least two rows with increasing angles; sort the rows";
                return Err(wrong("ratio_curve", file, what.into()));
            }
            let [x, y] = [0, 1].map(|axis| points.iter().map(|point| point[axis]).collect());
            self.curve = Some(Curve::new(x, y, Interpolation::Monotone));
        }
        if let Some(file) = &self.assist_map {
            let points = ASSIST.parse::<1>(&file.text);
            let points = points.map_err(|error| wrong("assist_map", file, error.to_string()))?;
            let columns = points.second.len();
            let falls = |k: usize| points.values[k + columns][0] < points.values[k][0];
            let from_zero = points.first[0] == 0.0
                && points.values[..columns].iter().all(|value| value[0] == 0.0);
            if !from_zero || (0..points.values.len() - columns).any(falls) {
                let what = "expected rows from `torque` 0 and `assist` 0 on, with an assistance that grows \
                            with the torque; add or correct rows";
                return Err(wrong("assist_map", file, what.into()));
            }
            self.assist = Some(Surface::new(points, Interpolation::Monotone));
        }
        Ok(())
    }

    fn actuate(&self, command: f64, load: &SteeredLoad, _: &Step, column: &mut Column) -> f64 {
        let wheel = self.commanded(command);
        let [_, per_angle] = self.steer(column.turned);
        let moment = -load.kingpin_moment.iter().sum::<f64>() * per_angle;
        let torque = |load_of_rack: f64| self.driver(load_of_rack, load.vx);
        let [right, left] = [torque(moment - self.friction), torque(moment + self.friction)];
        match self.column_stiffness {
            Some(stiffness) => {
                let twisted = column.turned.max(wheel - left / stiffness);
                column.turned = twisted.min(wheel - right / stiffness);
                column.torque = stiffness * (wheel - column.turned);
            }
            None => {
                column.torque = if wheel > column.turned {
                    left
                } else if wheel < column.turned {
                    right
                } else {
                    column.torque.max(right).min(left)
                };
                column.turned = wheel;
            }
        }
        column.steering_wheel = wheel;
        let [steer, _] = self.steer(column.turned);
        steer
    }

    fn publish(&self, load: &SteeredLoad, _: f64, _: &Step, column: &Column) -> Felt {
        Felt {
            steering_wheel_angle: column.steering_wheel,
            steering_wheel_torque: column.torque,
            assist_torque: self.assistance(column.torque, load.vx),
        }
    }
}
