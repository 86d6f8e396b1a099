//! Standard manoeuvres on any vehicle whose controller takes the command `pedals` or `drive`, with the metrics of their
//! standards.
//!
//! [`Manoeuvre::world`] writes the world of a manoeuvre around a vehicle, and [`Manoeuvre::run`] drives the first
//! vehicle of that world through it, as often as the manoeuvre asks for. The commands of the run that the result is about
//! are in its report, so that a session of the same world repeats this run bit for bit.

mod dwell;
mod foot;
mod frequency;
mod lane_change;
mod metric;
mod motion;
mod report;
mod rig;
mod rollover;
mod series;
mod settings;
mod spectrum;
mod steady;
mod step;
mod straight;
mod table;
mod test_drive;
mod towing;
mod turn;
mod weave;

use simhost_world::World;

use crate::Error;

pub use frequency::FrequencyResponse;
pub use metric::Metric;
pub use motion::{DrivenRun, MotionSample, TrailingUnit};
pub use report::ManoeuvreReport;
pub use series::{MetricSummary, summarise};
pub use settings::{ManoeuvreSetting, ManoeuvreSettings, USUAL_STEERING_RATIO};

/// A standard manoeuvre.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manoeuvre {
    /// ISO 4138: quasi-steady-state circle at a constant speed with slowly increasing steering.
    Circle,
    /// ISO 4138: circle of a constant radius with slowly increasing speed.
    ConstantRadius,
    /// ISO 4138: constant steering angle with slowly increasing speed.
    ConstantSteer,
    /// ISO 7401: step of the steering angle to a lateral acceleration.
    StepSteer,
    /// ISO 7401: frequency response from random steering.
    RandomSteer,
    /// ISO 7401: frequency response from a sine of rising frequency.
    SweptSteer,
    /// ISO 13674-1: weave test.
    Weave,
    /// ISO 7975: braking in a turn.
    BrakingInTurn,
    /// ISO 9816: release of the accelerator pedal in a turn.
    PowerOffInTurn,
    /// ISO 3888-1: double lane change with a preview driver.
    DoubleLaneChange,
    /// ISO 3888-2: obstacle avoidance with a preview driver, coasting.
    ObstacleAvoidance,
    /// ISO 19365: sine with dwell with rising amplitudes.
    SineWithDwell,
    /// NHTSA J-turn.
    JTurn,
    /// NHTSA fishhook with feedback of the roll rate.
    Fishhook,
    /// Full acceleration from standstill.
    Acceleration,
    /// ISO 21994: full braking on a straight road.
    StraightBraking,
    /// ISO 14512: straight braking with the left wheels on a slippery surface.
    SplitBraking,
    /// ISO 14791: single sine of the steering angle with trailers.
    TowedLaneChange,
    /// ISO 14791: pulse of the steering angle with trailers.
    TowedPulse,
    /// ISO 14792: quasi-steady-state circle with trailers.
    TowedCircle,
    /// ISO 14793: step of the steering angle with trailers.
    TowedStep,
    /// ISO 14794: braking in a turn with trailers.
    TowedBraking,
    /// ISO 9815: damping of a passenger car with a trailer.
    TrailerDamping,
}

/// A trailer behind a vehicle or another trailer.
#[derive(Clone, Debug, PartialEq)]
pub struct TowedTrailer {
    /// Content of a world that declares the class of the trailer, such as an `<include>`; empty if it is declared already.
    pub declaration: String,
    /// Name of the class.
    pub class: String,
    /// Place of the coupling ahead of the reference point of the towing unit, and of the trailer, m.
    pub hitch: [f64; 2],
}

impl Manoeuvre {
    /// All manoeuvres, in the order of their table.
    pub const ALL: [Self; table::COUNT] = table::manoeuvres();

    fn row(self) -> &'static table::ManoeuvreRow {
        &table::ROWS[self as usize]
    }

    /// Returns the name that a user types, such as `ISO-7401`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns what is driven.
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// Returns the standard, or another public source, and the part of it that the manoeuvre follows.
    pub fn source(self) -> &'static str {
        self.row().source
    }

    /// Returns the usual speed, m/s.
    pub fn usual_speed(self) -> f64 {
        self.row().usual_kmh / 3.6
    }

    /// Returns the settings that change the manoeuvre.
    pub fn settings(self) -> &'static [ManoeuvreSetting] {
        self.row().settings
    }

    /// Returns a world for the manoeuvre at a speed, m/s. `vehicle` is the content that declares a
    /// vehicle class, such as an `<include>`, and `class` its name. `controller` is a class of
    /// controllers that replaces the controller of the vehicle. Each trailer follows the unit before it, by a pin joint.
    pub fn world(
        self,
        vehicle: &str,
        class: &str,
        speed: f64,
        controller: Option<&str>,
        trailers: &[TowedTrailer],
    ) -> String {
        let controller =
            controller.map_or_else(String::new, |name| format!("<controller class=\"{name}\"/>"));
        let split = self.row().split_friction.map_or_else(String::new, split_road);
        let towed = towed(trailers, speed);
        format!(
            "<mvsim_world version=\"1.0\">\n<simul_timestep>0.002</simul_timestep>\n{vehicle}\n{split}\
             <vehicle name=\"car\" class=\"{class}\"><init_pose>0 0 0</init_pose>\
             <init_vel>{speed} 0 0</init_vel>{controller}</vehicle>\n{towed}\
             </mvsim_world>\n"
        )
    }

    /// Returns whether the vehicle has to tow a trailer.
    pub fn needs_trailer(self) -> bool {
        self.row().needs_trailer
    }

    /// Returns whether the controller of the first vehicle of a world takes a command with which it can be driven: `pedals`,
    /// with drive torque, brake torque and steering angle, or `drive`, with throttle, brake pedal, steering angle and gear.
    pub fn can_drive(world: &World) -> bool {
        world.vehicles.first().is_some_and(foot::can_drive)
    }

    /// Drives the first vehicle of a world through the manoeuvre, at the speed set in the world.
    ///
    /// # Errors
    /// [`Error::ManoeuvreSetting`] if the manoeuvre does not have a setting, or its value is out of range,
    /// [`Error::Undrivable`] if the controller does not take a command to drive the vehicle, [`Error::Manoeuvre`] if the
    /// vehicle does not reach the speed or a metric has no value, and the errors of a simulation.
    pub fn run(
        self,
        world: &World,
        settings: &ManoeuvreSettings,
    ) -> Result<ManoeuvreReport, Error> {
        settings.check(self)?;
        if self.needs_trailer() && world.vehicles.len() < 2 {
            let reason = "the vehicle has no trailer; expected at least one".to_owned();
            return Err(Error::Manoeuvre { manoeuvre: self.name(), reason });
        }
        let rig = rig::Rig::new(world, self.name(), settings)?;
        let (metrics, run) = (self.row().drive)(&rig)?;
        if let Some(metric) = metrics.iter().find(|metric| !metric.value.is_finite()) {
            return Err(rig.without_result(format!(
                "'{}' is {}; expected a number, for which the run is too short",
                metric.name, metric.value
            )));
        }
        let (speed, spun) = (rig.speed, motion::spun(&run.samples));
        Ok(ManoeuvreReport { manoeuvre: self, speed, begin: rig.begin_time(), metrics, spun, run })
    }
}

/// Returns trailers in a row behind the vehicle `car` at the origin, with a speed, m/s.
fn towed(trailers: &[TowedTrailer], speed: f64) -> String {
    let (mut text, mut x, mut before) = (String::new(), 0.0, "car".to_owned());
    for (number, TowedTrailer { declaration, class, hitch: [ahead, own] }) in
        trailers.iter().enumerate()
    {
        let name = format!("trailer{}", number + 1);
        x += ahead - own;
        text += &format!(
            "{declaration}\n<vehicle name=\"{name}\" class=\"{class}\"><init_pose>{x} 0 0</init_pose>\
             <init_vel>{speed} 0 0</init_vel></vehicle>\n\
             <joint type=\"pin\" body_a=\"{before}\" body_b=\"{name}\" anchor_a=\"{ahead} 0\" anchor_b=\"{own} 0\"/>\n"
        );
        before = name;
    }
    text
}

/// Returns the regions of a straight road with a friction under the left and one under the right wheels.
fn split_road([left, right]: [f64; 2]) -> String {
    let regions = [(0.0, 50.0, left), (-50.0, 0.0, right)].map(|(low, high, mu)| {
        format!(
            "<element class=\"property_region\"><x_min>-10</x_min><x_max>10000</x_max>\
             <y_min>{low}</y_min><y_max>{high}</y_max>\
             <property_name>friction_mu</property_name>\
             <value_double>{mu}</value_double></element>\n"
        )
    });
    regions.concat()
}
