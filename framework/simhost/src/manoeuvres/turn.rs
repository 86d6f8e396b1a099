//! ISO 7975:2019 and ISO 9816:2018: from a steady-state turn, the driver brakes or releases the accelerator pedal, with the
//! steering fixed. The metrics compare the vehicle with one that follows the circle at the same speed.

use super::foot::{Demand, Pace};
use super::motion::{DrivenRun, MotionSample};
use super::rig::Rig;
use super::step::{self, STEER_DURATION};
use super::{ManoeuvreSetting, Metric};
use crate::Error;

/// Radius of the turn.
pub(super) const RADIUS: ManoeuvreSetting = ManoeuvreSetting {
    name: "radius",
    unit: "m",
    default: 100.0,
    range: [15.0, 1000.0],
    meaning: "radius of the turn; with the speed, it determines the lateral acceleration at the start",
};

/// Deceleration of the brakes.
pub(super) const DECELERATION: ManoeuvreSetting = ManoeuvreSetting {
    name: "deceleration",
    unit: "m/s²",
    default: 4.0,
    range: [0.5, 12.0],
    meaning: "deceleration for which the brakes have their torque, without the drag of the turn",
};

/// Time for which the vehicle is observed after the disturbance, s.
const OBSERVED: f64 = 3.0;
/// Speed at which the observation ends, m/s.
const SLOW: f64 = 3.0;

pub(super) fn run_braking(rig: &Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error> {
    run(rig, Pace::Brake(rig.value(&DECELERATION) * rig.mass * rig.radius))
}

pub(super) fn run_power_off(rig: &Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error> {
    run(rig, Pace::Coast)
}

fn run(rig: &Rig<'_>, disturbance: Pace) -> Result<(Vec<Metric>, DrivenRun), Error> {
    let radius = rig.value(&RADIUS);
    let (steer, _) = step::find_steer(rig, rig.speed * rig.speed / radius)?;
    let start = STEER_DURATION;
    let run = rig.drive(start + OBSERVED, |now| {
        let pace = if now.time < start - 1e-9 { Pace::Hold } else { disturbance };
        let is_over = now.time > start && now.speed() < SLOW;
        (!is_over).then_some(Demand { steer: step::shape(now.time) * steer, pace })
    })?;
    let at = |time: f64| run.samples.iter().find(|one| one.time >= time - 1e-9);
    let (Some(begin), Some(second)) = (at(start), at(start + 1.0)) else {
        return Err(rig.without_result(format!(
            "the vehicle is slower than {:.0} km/h within a second; expected a greater speed",
            3.6 * SLOW
        )));
    };
    let metrics = metrics(&run.samples, begin, second, steer);
    Ok((metrics, run))
}

/// Returns the metrics of a disturbance that begins at a sample, with the sample 1 s later.
fn metrics(
    samples: &[MotionSample],
    begin: &MotionSample,
    second: &MotionSample,
    steer: f64,
) -> Vec<Metric> {
    let curvature = begin.yaw_rate() / begin.speed();
    let lateral = curvature * begin.speed() * begin.speed();
    let first = samples.iter().filter(|one| (begin.time..=second.time).contains(&one.time));
    // yaw rate of the circle at the present speed
    let excess = |one: &MotionSample| one.yaw_rate() / (curvature * one.speed());
    let sideslip = |one: &MotionSample| one.sideslip().to_degrees();
    let turned = first.clone().map(&excess).fold(0.0, f64::max);
    let slid = first.map(|one| (sideslip(one) - sideslip(begin)).abs()).fold(0.0, f64::max);
    vec![
        Metric::new("steering angle of the wheels", steer.to_degrees(), "°"),
        Metric::new("initial lateral acceleration", lateral, "m/s²"),
        Metric::new(
            "mean deceleration in the first second",
            begin.speed() - second.speed(),
            "m/s²",
        ),
        Metric::new("yaw velocity after 1 s, of the reference", excess(second), "1"),
        Metric::new("greatest yaw velocity in the first second, of the reference", turned, "1"),
        Metric::new(
            "lateral acceleration after 1 s, of the reference",
            second.lateral / (curvature * second.speed() * second.speed()),
            "1",
        ),
        Metric::new("greatest change of the sideslip in the first second", slid, "°"),
        Metric::new("distance inside the circle after 1 s", inside(begin, second), "m"),
    ]
}

/// Returns the distance of a vehicle inside the circle on which it has moved at the begin, m.
fn inside(begin: &MotionSample, now: &MotionSample) -> f64 {
    let [vx, vy, rate] = begin.twist;
    let radius = vx.hypot(vy) / rate;
    let course = begin.yaw + libm::atan2(vy, vx);
    let (sin, cos) = libm::sincos(course);
    let centre = [begin.position[0] - radius * sin, begin.position[1] + radius * cos];
    radius - (now.position[0] - centre[0]).hypot(now.position[1] - centre[1])
}

#[cfg(test)]
mod tests {
    use super::{MotionSample, inside};

    #[test]
    fn a_vehicle_that_goes_straight_on_is_outside_of_its_circle() {
        let begin = MotionSample { twist: [20.0, 0.0, 0.2], yaw: 0.3, ..Default::default() };
        let go = |along: f64, aside: f64| {
            let (sin, cos) = libm::sincos(0.3);
            let position = [cos * along - sin * aside, sin * along + cos * aside];
            inside(&begin, &MotionSample { position, ..begin })
        };
        assert!((go(0.0, 0.0)).abs() < 1e-12);
        // the circle has a radius of 100 m
        assert!((go(20.0, 0.0) - (100.0 - 20f64.hypot(100.0))).abs() < 1e-12);
        assert!((go(0.0, 1.0) - 1.0).abs() < 1e-12);
    }
}
