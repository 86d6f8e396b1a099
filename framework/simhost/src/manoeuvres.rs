//! Standard manoeuvres on any vehicle whose controller takes the command `pedals` or `drive`, with the metrics of their
//! standards.
//!
//! [`Manoeuvre::world`] writes the world of a manoeuvre around a vehicle, and [`Manoeuvre::run`] drives the first
//! vehicle of that world through it, as often as the manoeuvre asks for. The commands of the run that the result is about
//! are in its report, so that a session of the same world repeats this run bit for bit.

mod dwell;
mod foot;
mod lane_change;
mod rig;

use std::fmt::Write;

use simhost_world::World;

use crate::Error;
use foot::{Demand, GRAVITY, Pace};
use rig::Rig;

pub use rig::{DrivenRun, MotionSample};

/// Usual angle of the steering wheel for one of the equivalent road wheel in the middle.
pub const USUAL_STEERING_RATIO: f64 = 16.0;

/// A standard manoeuvre.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manoeuvre {
    /// ISO 4138: quasi-steady-state circle at a constant speed with slowly increasing steering.
    Circle,
    /// ISO 7401: step steer to a lateral acceleration of 4 m/s².
    StepSteer,
    /// ISO 3888-1: double lane change with a preview driver.
    DoubleLaneChange,
    /// ISO 3888-2: obstacle avoidance with a preview driver, coasting.
    ObstacleAvoidance,
    /// ISO 14512: straight braking with the left wheels on a slippery surface.
    SplitBraking,
    /// ISO 19365: sine with dwell with rising amplitudes.
    SineWithDwell,
}

/// A number that a standard asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// Meaning.
    pub name: &'static str,
    /// Value.
    pub value: f64,
    /// Unit.
    pub unit: &'static str,
    /// Whether the value satisfies the standard, if that has a limit.
    pub holds: Option<bool>,
}

impl Metric {
    fn new(name: &'static str, value: f64, unit: &'static str) -> Self {
        Self { name, value, unit, holds: None }
    }

    fn limited(name: &'static str, value: f64, unit: &'static str, holds: bool) -> Self {
        Self { name, value, unit, holds: Some(holds) }
    }
}

/// The result of a manoeuvre.
#[derive(Clone, Debug)]
pub struct ManoeuvreReport {
    /// The manoeuvre.
    pub manoeuvre: Manoeuvre,
    /// Speed at its start, m/s.
    pub speed: f64,
    /// Time at which it begins in its run, after the run-up of a vehicle with an engine, s.
    pub begin: f64,
    /// The metrics of the standard.
    pub metrics: Vec<Metric>,
    /// Time at which the vehicle spins in the last run, s, if it does.
    pub spun: Option<f64>,
    /// The run from which the metrics are computed: the only run, the run with the greatest
    /// amplitude, or the best run of a driver who practises.
    pub run: DrivenRun,
}

impl Manoeuvre {
    /// All manoeuvres.
    pub const ALL: [Self; 6] = [
        Self::Circle,
        Self::StepSteer,
        Self::DoubleLaneChange,
        Self::ObstacleAvoidance,
        Self::SplitBraking,
        Self::SineWithDwell,
    ];

    /// Returns the name of the standard, such as `ISO-7401`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Circle => "ISO-4138",
            Self::StepSteer => "ISO-7401",
            Self::DoubleLaneChange => "ISO-3888-1",
            Self::ObstacleAvoidance => "ISO-3888-2",
            Self::SplitBraking => "ISO-14512",
            Self::SineWithDwell => "sine-with-dwell",
        }
    }

    /// Returns what is driven.
    pub fn title(self) -> &'static str {
        match self {
            Self::Circle => "quasi-steady-state circle at constant speed",
            Self::StepSteer => "step steer to 4 m/s²",
            Self::DoubleLaneChange => "double lane change with a preview driver",
            Self::ObstacleAvoidance => "obstacle avoidance with a preview driver, coasting",
            Self::SplitBraking => "braking on split friction, 0.2 on the left and 0.8 on the right",
            Self::SineWithDwell => "sine with dwell (ISO 19365, FMVSS 126), 0.7 Hz, 0.5 s",
        }
    }

    /// Returns the usual speed, m/s.
    pub fn usual_speed(self) -> f64 {
        match self {
            Self::ObstacleAvoidance => 60.0 / 3.6,
            _ => 80.0 / 3.6,
        }
    }

    /// Returns a world for the manoeuvre at a speed, m/s. `vehicle` is the content that declares a
    /// vehicle class, such as an `<include>`, and `class` its name. `controller` is a class of
    /// controllers that replaces the controller of the vehicle.
    pub fn world(self, vehicle: &str, class: &str, speed: f64, controller: Option<&str>) -> String {
        let controller =
            controller.map_or_else(String::new, |name| format!("<controller class=\"{name}\"/>"));
        let split = match self {
            Self::SplitBraking => [(0.0, 50.0, 0.2), (-50.0, 0.0, 0.8)]
                .map(|(low, high, mu)| {
                    format!(
                        "<element class=\"property_region\"><x_min>-10</x_min><x_max>10000</x_max>\
                         <y_min>{low}</y_min><y_max>{high}</y_max>\
                         <property_name>friction_mu</property_name>\
                         <value_double>{mu}</value_double></element>\n"
                    )
                })
                .concat(),
            _ => String::new(),
        };
        format!(
            "<mvsim_world version=\"1.0\">\n<simul_timestep>0.002</simul_timestep>\n{vehicle}\n{split}\
             <vehicle name=\"car\" class=\"{class}\"><init_pose>0 0 0</init_pose>\
             <init_vel>{speed} 0 0</init_vel>{controller}</vehicle>\n\
             </mvsim_world>\n"
        )
    }

    /// Returns whether the controller of the first vehicle of a world takes a command with which it can be driven: `pedals`,
    /// with drive torque, brake torque and steering angle, or `drive`, with throttle, brake pedal, steering angle and gear.
    pub fn can_drive(world: &World) -> bool {
        world.vehicles.first().is_some_and(foot::can_drive)
    }

    /// Drives the first vehicle of a world through the manoeuvre, at the speed set in the world.
    /// The steering wheel turns by `steering_ratio` times the angle of the equivalent road wheel in
    /// the middle.
    ///
    /// # Errors
    /// [`Error::Undrivable`] if its controller does not take a command to drive it, [`Error::Manoeuvre`] if the vehicle does
    /// not reach the speed or a metric has no value, and the errors of a simulation.
    pub fn run(self, world: &World, steering_ratio: f64) -> Result<ManoeuvreReport, Error> {
        let rig = Rig::new(world, self.name())?;
        let (metrics, run) = match self {
            Self::Circle => dwell::run_circle(&rig)?,
            Self::StepSteer => run_step_steer(&rig)?,
            Self::DoubleLaneChange => lane_change::run(&rig, &lane_change::ISO_3888_1)?,
            Self::ObstacleAvoidance => lane_change::run(&rig, &lane_change::ISO_3888_2)?,
            Self::SplitBraking => run_braking(&rig)?,
            Self::SineWithDwell => dwell::run(&rig, steering_ratio)?,
        };
        if let Some(metric) = metrics.iter().find(|metric| !metric.value.is_finite()) {
            return Err(rig.without_result(format!(
                "'{}' is {}; expected a number, for which the run is too short",
                metric.name, metric.value
            )));
        }
        let (speed, spun) = (rig.speed, rig::spun(&run.samples));
        Ok(ManoeuvreReport { manoeuvre: self, speed, begin: rig.begin_time(), metrics, spun, run })
    }
}

impl ManoeuvreReport {
    /// Returns the metrics as a table in Markdown.
    pub fn table(&self) -> String {
        let mut text = format!(
            "# {}: {}\n\nInitial speed {:.1} km/h{}.\n\n| Metric | Value | Unit | Limit |\n|---|---|---|---|\n",
            self.manoeuvre.name(),
            self.manoeuvre.title(),
            3.6 * self.speed,
            if self.begin > 0.0 {
                format!(", reached in a run-up of {:.2} s", self.begin)
            } else {
                String::new()
            }
        );
        for Metric { name, value, unit, holds } in &self.metrics {
            let verdict = match holds {
                None => "",
                Some(true) => "met",
                Some(false) => "not met",
            };
            let _ = writeln!(text, "| {name} | {value:.4} | {unit} | {verdict} |");
        }
        if let Some(time) = self.spun {
            let _ = writeln!(
                text,
                "\nThe vehicle spins: its sideslip exceeds {}° at {time:.2} s of the manoeuvre.",
                rig::SPUN
            );
        }
        text
    }
}

/// Time at which the driver brakes, s.
const START: f64 = 0.5;
/// Longest duration, s: enough to stop from 100 km/h at 2.5 m/s².
const DURATION: f64 = 12.0;
/// Torque of the brakes as a fraction of the torque that brakes with the whole weight.
const EFFORT: f64 = 0.5;

fn run_braking(rig: &Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error> {
    let brake = EFFORT * rig.mass * GRAVITY * rig.radius;
    let run = rig.drive(DURATION, |now| {
        let is_over = now.time > START && now.speed().hypot(now.twist[1]) < 0.5;
        let pace = if now.time >= START { Pace::Brake(brake) } else { Pace::Hold };
        (!is_over).then_some(Demand { steer: 0.0, pace })
    })?;
    let samples = &run.samples;
    let at = |time: f64| samples.iter().find(|one| one.time >= time);
    let (begin, second) = (at(START), at(START + 1.0));
    let value =
        |one: Option<&MotionSample>, of: &dyn Fn(&MotionSample) -> f64| one.map_or(f64::NAN, of);
    let slower = value(begin, &MotionSample::speed) - value(second, &MotionSample::speed);
    let rate = samples
        .iter()
        .filter(|one| one.time <= START + 1.0)
        .map(|one| one.yaw_rate().abs())
        .fold(0.0, f64::max);
    let path = |one: &MotionSample| one.position[1];
    let stop = samples.last().map_or(f64::NAN, |last| {
        let start = begin.map_or([f64::NAN; 2], |one| one.position);
        (last.position[0] - start[0]).hypot(last.position[1] - start[1])
    });
    let metrics = vec![
        Metric::new("mean deceleration in the first second", slower, "m/s²"),
        Metric::new("greatest yaw rate in the first second", rate.to_degrees(), "°/s"),
        Metric::new("yaw angle after one second", value(second, &|one| one.yaw).to_degrees(), "°"),
        Metric::new("lateral deviation after one second", value(second, &path), "m"),
        Metric::new("braking distance", stop, "m"),
    ];
    Ok((metrics, run))
}

/// Lateral acceleration of the steady state, m/s².
const LATERAL: f64 = 4.0;
/// Time of the step, and time within which the steering angle rises, s.
const STEER_START: f64 = 0.5;
const RISE: f64 = 0.1;
/// Duration, s, in which slow vehicles also reach a steady state.
const STEER_DURATION: f64 = 5.0;

fn step(rig: &Rig<'_>, steer: f64) -> Result<DrivenRun, Error> {
    let drive = |now: &MotionSample| {
        let part = ((now.time - STEER_START) / RISE).clamp(0.0, 1.0);
        Some(Demand { steer: part * steer, pace: Pace::Hold })
    };
    rig.drive(STEER_DURATION, drive)
}

/// Returns the mean of the last half second.
fn steady(samples: &[MotionSample], value: impl Fn(&MotionSample) -> f64) -> f64 {
    let last: Vec<f64> =
        samples.iter().filter(|one| one.time > STEER_DURATION - 0.5).map(value).collect();
    last.iter().sum::<f64>() / last.len() as f64
}

fn run_step_steer(rig: &Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error> {
    let lateral = |one: &MotionSample| one.speed() * one.yaw_rate();
    let mut steer = 0.01;
    let mut run = DrivenRun::default();
    for _ in 0..4 {
        run = step(rig, steer)?;
        let found = steady(&run.samples, lateral);
        if (found - LATERAL).abs() < 0.01 * LATERAL || found <= 0.0 {
            break;
        }
        steer *= (LATERAL / found).min(20.0);
    }
    let samples = &run.samples;
    rig.check_stable(samples)?;
    let found = steady(samples, lateral);
    if (found - LATERAL).abs() > 0.1 * LATERAL {
        return Err(rig.without_result(format!(
            "the lateral acceleration of the steady state is {found:.2} m/s²; expected {LATERAL} m/s²"
        )));
    }
    // times count from half of the steering angle on
    let zero = STEER_START + 0.5 * RISE;
    let response = |value: &dyn Fn(&MotionSample) -> f64| {
        let end = steady(samples, value);
        let reached = samples.iter().find(|one| value(one) >= 0.9 * end);
        let peak = samples.iter().max_by(|a, b| value(a).total_cmp(&value(b)));
        let after = |one: Option<&MotionSample>| one.map_or(f64::NAN, |one| one.time - zero);
        let overshoot = peak.map_or(f64::NAN, |one| value(one) / end - 1.0);
        [end, after(reached), after(peak), 100.0 * overshoot]
    };
    let [rate, rate_time, rate_peak, rate_overshoot] = response(&MotionSample::yaw_rate);
    let [lateral, lateral_time, lateral_peak, lateral_overshoot] = response(&|one| one.lateral);
    // without slip, both follow at once: the lateral acceleration also with the rate of the steering angle
    if rate_time.min(lateral_time) < STEER_START - zero {
        let reason = "the response begins before the steering; expected a vehicle that follows it";
        return Err(rig.without_result(reason.to_owned()));
    }
    let metrics = vec![
        Metric::new("steering angle of the wheels", steer.to_degrees(), "°"),
        Metric::new("steady-state lateral acceleration", lateral, "m/s²"),
        Metric::new("steady-state yaw velocity gain", rate / steer, "1/s"),
        Metric::new("yaw velocity response time", rate_time, "s"),
        Metric::new("yaw velocity peak response time", rate_peak, "s"),
        Metric::new("yaw velocity overshoot", rate_overshoot, "%"),
        Metric::new("lateral acceleration response time", lateral_time, "s"),
        Metric::new("lateral acceleration peak response time", lateral_peak, "s"),
        Metric::new("lateral acceleration overshoot", lateral_overshoot, "%"),
    ];
    Ok((metrics, run))
}
