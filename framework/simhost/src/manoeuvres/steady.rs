//! ISO 4138:2021, steady-state circular driving with a constant radius and with a constant steering angle. The speed rises
//! slowly until the vehicle no longer follows.
//!
//! With a constant radius R, the gradient of the steering angle over the lateral acceleration a is the understeer gradient.
//! With a constant steering angle δ = L/R + K a (T. D. Gillespie, "Fundamentals of Vehicle Dynamics", 1992, chapter 6), the
//! understeer gradient K is the gradient of −L/R over a.

use super::foot::{Demand, Pace};
use super::motion::{DrivenRun, LINEAR, LateralPeak, MotionSample, gradient};
use super::rig::Rig;
use super::{ManoeuvreSetting, Metric};
use crate::Error;

/// Radius of the circle; with constant steering, its radius at low speed.
pub(super) const RADIUS: ManoeuvreSetting = ManoeuvreSetting {
    name: "radius",
    unit: "m",
    default: 100.0,
    range: [15.0, 1000.0],
    meaning: "radius of the circle of the reference point; with constant steering, its radius without slip",
};

/// Rate at which the speed rises.
pub(super) const SPEED_RATE: ManoeuvreSetting = ManoeuvreSetting {
    name: "speed_rate",
    unit: "m/s²",
    default: 0.2,
    range: [0.02, 1.0],
    meaning: "rate at which the speed rises; a smaller value is nearer to a steady state and takes longer",
};

/// Time at which the speed begins to rise, s, after the vehicle has entered the circle.
const SETTLED: f64 = 8.0;
/// Longest run, s.
const DURATION: f64 = 400.0;
/// Speed by which a vehicle lags behind when it has no more power or grip, m/s.
const LAG: f64 = 2.0;
/// Greatest speed, m/s: 180 km/h.
const FASTEST: f64 = 50.0;
/// Greatest distance from the circle, m.
const OFF: f64 = 2.0;
/// Greatest steering angle of the driver, rad.
const MOST_STEER: f64 = 0.5;

/// Returns the speed that the driver wants, m/s.
fn wanted(rig: &Rig<'_>, time: f64) -> f64 {
    rig.speed + rig.value(&SPEED_RATE) * (time - SETTLED).max(0.0)
}

/// Returns whether a drive ends, because the lateral acceleration falls or the speed no longer follows.
fn is_over(now: &MotionSample, wanted: f64, peak: &mut LateralPeak) -> bool {
    // the entry into the circle may exceed the steady state
    now.time >= SETTLED && (peak.falls_at(now) || wanted > FASTEST || now.speed() < wanted - LAG)
}

/// Follows a circle to the left that begins at the origin: the curvature of the path corrects the distance from the circle
/// with the natural frequency 0.5 rad/s, and the steering angle follows the curvature, with an integral for the understeer.
struct CircleDriver {
    radius: f64,
    wheelbase: f64,
    integral: f64,
    before: f64,
}

/// Natural frequency, rad/s, and damping ratio with which the distance from the circle is corrected.
const CORRECTION: [f64; 2] = [0.5, 1.0];
/// Time in which the steering angle corrects the curvature, s.
const FOLLOWS: f64 = 0.5;

impl CircleDriver {
    /// Returns the distance outside of the circle, m, and its rate, m/s.
    fn off(&self, now: &MotionSample) -> [f64; 2] {
        let [x, y] = [now.position[0], now.position[1] - self.radius];
        let away = x.hypot(y);
        let (sin, cos) = libm::sincos(now.yaw);
        let [vx, vy, _] = now.twist;
        let velocity = [cos * vx - sin * vy, sin * vx + cos * vy];
        [away - self.radius, (x * velocity[0] + y * velocity[1]) / away]
    }

    fn steer(&mut self, now: &MotionSample) -> f64 {
        let speed = now.speed().max(1.0);
        let ([off, rate], [omega, damping]) = (self.off(now), CORRECTION);
        let correction = omega * omega * off + 2.0 * damping * omega * rate;
        let curvature = 1.0 / self.radius + correction / (speed * speed);
        let missing = curvature - now.yaw_rate() / speed;
        let dt = now.time - std::mem::replace(&mut self.before, now.time);
        self.integral += self.wheelbase * missing * dt / FOLLOWS;
        (self.wheelbase * curvature + self.integral).clamp(-MOST_STEER, MOST_STEER)
    }
}

pub(super) fn run_radius(rig: &Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error> {
    let radius = rig.value(&RADIUS);
    let mut driver = CircleDriver { radius, wheelbase: rig.wheelbase, integral: 0.0, before: 0.0 };
    let mut peak = LateralPeak::default();
    let run = rig.drive(DURATION, |now| {
        let wanted = wanted(rig, now.time);
        let is_off = now.time > SETTLED && driver.off(now)[0].abs() > OFF;
        let is_over = is_over(now, wanted, &mut peak) || is_off;
        (!is_over).then(|| Demand { steer: driver.steer(now), pace: Pace::Speed(wanted) })
    })?;
    let samples = linear(rig, &run.samples)?;
    let understeer = gradient(&samples, |one| one.steer);
    let worst = samples.iter().map(|one| driver.off(one)[0].abs()).fold(0.0, f64::max);
    let mut metrics = vec![
        Metric::new("understeer gradient", understeer.to_degrees(), "°/(m/s²)"),
        Metric::new(
            "gradient of the steering-wheel angle",
            rig.settings.steering_ratio * understeer.to_degrees(),
            "°/(m/s²)",
        ),
    ];
    metrics.extend(common(&run.samples, &samples));
    metrics.push(Metric::new("greatest distance from the circle", worst, "m"));
    Ok((metrics, run))
}

pub(super) fn run_steer(rig: &Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error> {
    let steer = libm::atan(rig.wheelbase / rig.value(&RADIUS));
    let mut peak = LateralPeak::default();
    let run = rig.drive(DURATION, |now| {
        let wanted = wanted(rig, now.time);
        let part = now.time.clamp(0.0, 1.0);
        (!is_over(now, wanted, &mut peak))
            .then_some(Demand { steer: part * steer, pace: Pace::Speed(wanted) })
    })?;
    let samples = linear(rig, &run.samples)?;
    let curvature = |one: &MotionSample| one.yaw_rate() / one.speed();
    let understeer = -rig.wheelbase * gradient(&samples, curvature);
    let first = samples.first().map_or(f64::NAN, curvature);
    let mut metrics = vec![
        Metric::new("steering angle of the wheels", steer.to_degrees(), "°"),
        Metric::new("understeer gradient", understeer.to_degrees(), "°/(m/s²)"),
        Metric::new("radius at 0.5 m/s²", 1.0 / first, "m"),
    ];
    metrics.extend(common(&run.samples, &samples));
    Ok((metrics, run))
}

/// Returns the metrics of both methods.
fn common(all: &[MotionSample], linear: &[MotionSample]) -> [Metric; 4] {
    let fit = |value: &dyn Fn(&MotionSample) -> f64| gradient(linear, value).to_degrees();
    let most = all.iter().map(|one| one.lateral).fold(0.0, f64::max);
    let fastest = all.iter().map(MotionSample::speed).fold(0.0, f64::max);
    [
        Metric::new("sideslip gradient", fit(&MotionSample::sideslip), "°/(m/s²)"),
        Metric::new("roll gradient", fit(&|one| one.roll), "°/(m/s²)"),
        Metric::new("greatest lateral acceleration", most, "m/s²"),
        Metric::new("greatest speed", 3.6 * fastest, "km/h"),
    ]
}

/// Returns the samples of a slow drive in which the tyres are nearly linear.
fn linear(rig: &Rig<'_>, samples: &[MotionSample]) -> Result<Vec<MotionSample>, Error> {
    let [low, high] = LINEAR;
    let slow = samples.iter().filter(|one| one.time > SETTLED);
    rig.check_linear(slow.clone().map(MotionSample::centripetal).fold(0.0, f64::max))?;
    Ok(slow
        .take_while(|one| one.centripetal() <= high)
        .filter(|one| one.centripetal() >= low)
        .copied()
        .collect())
}
