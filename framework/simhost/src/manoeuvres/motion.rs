//! The motion of a vehicle in a run.

use simhost_engine::TimedCommand;

/// Sideslip from which on a vehicle counts as spun, °.
pub(super) const SPUN: f64 = 60.0;
/// Speed below which a vehicle stands, and has no sideslip, m/s.
const STANDS: f64 = 1.0;

/// Returns the time at which a vehicle spins, s.
pub(super) fn spun(samples: &[MotionSample]) -> Option<f64> {
    let is_spun = |one: &&MotionSample| {
        one.speed().hypot(one.drift) > STANDS && one.sideslip().abs().to_degrees() > SPUN
    };
    samples.iter().find(is_spun).map(|one| one.time)
}

/// A run of a vehicle.
#[derive(Clone, Debug, Default)]
pub struct DrivenRun {
    /// The motion, from the begin of the manoeuvre on: after the run-up of a vehicle with an engine.
    pub samples: Vec<MotionSample>,
    /// All commands of the driver, one for each step from the start of the world on.
    pub commands: Vec<TimedCommand>,
}

/// The motion of a vehicle at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MotionSample {
    /// Time since the begin of the manoeuvre, s.
    pub time: f64,
    /// Reference point, world frame moved to the place where the manoeuvre begins, m.
    pub position: [f64; 2],
    /// Heading, rad.
    pub yaw: f64,
    /// Forward and leftward velocity of the reference point, m/s, and yaw rate, rad/s; vehicle frame.
    pub twist: [f64; 3],
    /// Leftward velocity of the centre of mass, m/s.
    pub drift: f64,
    /// Roll, rad, positive right side down.
    pub roll: f64,
    /// Steering angle that the driver has set, rad.
    pub steer: f64,
    /// Torque of the driver on the steering wheel, N·m, positive to the left; NaN without a steering system.
    pub torque: f64,
    /// Lateral acceleration of the centre of mass, m/s², positive to the left.
    pub lateral: f64,
    /// Longitudinal acceleration of the centre of mass, m/s², positive forwards.
    pub forward: f64,
    /// Loads of all wheels on the left and of all wheels on the right, N.
    pub loads: [f64; 2],
    /// Spin of the slowest wheel, rad/s, positive when rolling forwards.
    pub slowest_spin: f64,
    /// The last trailer, if there are trailers.
    pub trailing: Option<TrailingUnit>,
}

/// The motion of trailers at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TrailingUnit {
    /// Yaw rate of the last trailer, rad/s.
    pub yaw_rate: f64,
    /// Lateral acceleration of the centre of mass of the last trailer, m/s², positive to the left.
    pub lateral: f64,
    /// Angle from the heading of the first trailer to the heading of the towing vehicle, rad, positive counter-clockwise.
    pub articulation: f64,
}

impl MotionSample {
    /// Returns the forward velocity, m/s.
    pub fn speed(&self) -> f64 {
        self.twist[0]
    }

    /// Returns the yaw rate, rad/s.
    pub fn yaw_rate(&self) -> f64 {
        self.twist[2]
    }

    /// Returns the lateral acceleration of a steady turn with this velocity and yaw rate, m/s².
    pub fn centripetal(&self) -> f64 {
        self.speed() * self.yaw_rate()
    }

    /// Returns the sideslip of the centre of mass, rad.
    pub fn sideslip(&self) -> f64 {
        libm::atan2(self.drift, self.speed())
    }

    /// Returns x and y, m, and the heading, rad, after a time, s, in which the vehicle moves on as now.
    pub fn after(&self, time: f64) -> [f64; 3] {
        let [vx, vy, turning] = self.twist;
        let yaw = self.yaw + time * turning;
        let (sin, cos) = libm::sincos(0.5 * (self.yaw + yaw));
        let [x, y] = self.position;
        [x + time * (cos * vx - sin * vy), y + time * (sin * vx + cos * vy), yaw]
    }

    /// Returns a point of the vehicle in the world frame, m.
    pub fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let (sin, cos) = libm::sincos(self.yaw);
        [self.position[0] + cos * x - sin * y, self.position[1] + sin * x + cos * y]
    }
}

/// Returns the slope of the line through points by least squares.
pub(super) fn slope(points: &[[f64; 2]]) -> f64 {
    let count = points.len() as f64;
    let mean = |axis: usize| points.iter().map(|at| at[axis]).sum::<f64>() / count;
    let [x, y] = [mean(0), mean(1)];
    let square: f64 = points.iter().map(|at| (at[0] - x).powi(2)).sum();
    points.iter().map(|at| (at[0] - x) * (at[1] - y)).sum::<f64>() / square
}

/// Lateral accelerations between which tyres are nearly linear, and gradients are fitted, m/s².
pub(super) const LINEAR: [f64; 2] = [0.5, 2.0];

/// Returns the slope of a value over the lateral acceleration, per m/s².
pub(super) fn gradient<'s>(
    samples: impl IntoIterator<Item = &'s MotionSample>,
    value: impl Fn(&MotionSample) -> f64,
) -> f64 {
    let points = samples.into_iter().map(|one| [one.centripetal(), value(one)]);
    slope(&points.collect::<Vec<_>>())
}

/// Greatest lateral acceleration of a drive so far, m/s².
#[derive(Default)]
pub(super) struct LateralPeak(pub f64);

impl LateralPeak {
    /// Takes the next sample, and returns whether its lateral acceleration has fallen, because the tyres have no more grip.
    pub fn falls_at(&mut self, now: &MotionSample) -> bool {
        let lateral = now.centripetal();
        self.0 = self.0.max(lateral);
        // at the start, the acceleration is as small as the errors of rounding
        self.0 > LINEAR[0] && lateral < 0.9 * self.0
    }
}
