//! Vehicles of random sizes, in proportion: from 0.5 kg to 40 t, with wheels from 20 g.

use fastrand::Rng;
use simhost_scene::{MassProperties, Pose2};

/// Friction classes.
const FRICTIONS: [&str; 8] = [
    "default",
    "wardiagnemma",
    "ellipse",
    "fiala",
    "tmeasy",
    "magic_formula",
    "burckhardt",
    "lugre",
];
/// Dynamics classes with their controllers.
const DRIVES: [(&str, &str); 7] = [
    ("differential", "twist_pid"),
    ("differential_3_wheels", "twist_pid"),
    ("differential_4_wheels", "twist_pid"),
    ("ackermann", "twist_front_steer_pid"),
    ("ackermann", "front_steer_pid"),
    ("ackermann_drivetrain", "twist_front_steer_pid"),
    ("ackermann_drivetrain", "front_steer_pid"),
];

/// A vehicle of a random size, and speeds that suit it.
pub struct Robot {
    /// Classes and masses, for messages.
    pub case: String,
    /// Whether its controller takes a steering angle in place of a yaw rate.
    pub by_angle: bool,
    /// Speed, m/s, and yaw rate, rad/s.
    pub speed: f64,
    pub turn: f64,
    /// Radius of a circle about its reference point that contains it, m.
    pub radius: f64,
    /// Body with wheels.
    pub mass: MassProperties,
    /// Moment of inertia of a wheel about its axle, kg·m².
    pub wheel_inertia: f64,
    /// Class of its controller.
    pub controller: &'static str,
    class: &'static str,
    parts: String,
    friction: String,
}

/// Returns a number with a uniform distribution.
pub fn between(random: &mut Rng, low: f64, high: f64) -> f64 {
    low + (high - low) * random.f64()
}

/// Returns a number whose logarithm has a uniform distribution.
pub fn log_between(random: &mut Rng, low: f64, high: f64) -> f64 {
    between(random, low.ln(), high.ln()).exp()
}

impl Robot {
    /// Returns its element in a world, with elements for its pose.
    pub fn xml(&self, name: &str, pose: &str) -> String {
        let Self { class, controller, parts, friction, .. } = self;
        format!(
            "<vehicle name=\"{name}\">{pose}<dynamics class=\"{class}\">{parts}\
             <controller class=\"{controller}\"/></dynamics>{friction}</vehicle>\n"
        )
    }

    /// Returns the command for a speed in m/s and a yaw rate in rad/s. A steering angle is half the yaw rate.
    pub fn command(&self, speed: f64, turn: f64) -> (&'static str, Vec<f64>) {
        match self.by_angle {
            true => ("speed_steer", vec![speed, 0.5 * turn]),
            false => ("twist", vec![speed, 0.0, turn]),
        }
    }
}

/// Dimensions of a vehicle, m and kg.
struct Size {
    mass: f64,
    length: f64,
    width: f64,
    diameter: f64,
    wheel_mass: f64,
    /// Distance of the wheels from the middle line.
    y: f64,
    /// Distance of the front axle from the middle.
    reach: f64,
}

impl Size {
    fn random(random: &mut Rng, is_steered: bool) -> Self {
        let mass = log_between(random, if is_steered { 3.0 } else { 0.5 }, 4e4);
        let length = 0.15 * mass.cbrt() * between(random, 0.8, 1.4);
        let width = length * between(random, 0.6, 1.1) * if is_steered { 0.6 } else { 1.0 };
        let diameter = length * between(random, 0.15, 0.4);
        let wheel_mass = (mass * between(random, 0.005, 0.05)).max(0.02);
        let y = 0.5 * width * between(random, 0.7, 1.0);
        let reach = length * between(random, 0.3, 0.4);
        Self { mass, length, width, diameter, wheel_mass, y, reach }
    }

    /// Returns the names and positions of the wheels of a class.
    fn wheels(&self, class: &str) -> Vec<(&'static str, [f64; 2])> {
        let pair =
            |[left, right]: [&'static str; 2], x: f64| [(left, [x, self.y]), (right, [x, -self.y])];
        let more = match class {
            "differential" => Vec::new(),
            "differential_3_wheels" => vec![("caster", [self.reach, 0.0])],
            "differential_4_wheels" => pair(["lf", "rf"], self.reach).to_vec(),
            _ => pair(["fl", "fr"], 2.0 * self.reach).to_vec(),
        };
        let first = match class {
            "differential" | "differential_3_wheels" => pair(["l", "r"], 0.0),
            "differential_4_wheels" => pair(["lr", "rr"], -self.reach),
            _ => pair(["rl", "rr"], 0.0),
        };
        [first.to_vec(), more].concat()
    }
}

/// Returns a vehicle of a random class and size.
pub fn robot(random: &mut Rng) -> Robot {
    let (class, controller) = DRIVES[random.usize(0..DRIVES.len())];
    let is_steered = class.starts_with("ackermann");
    let size = Size::random(random, is_steered);
    let Size { mass, length, width, diameter, wheel_mass, .. } = size;
    // the measured tyres carry up to 33 kN
    let count = if mass > 3e3 { 3 } else { FRICTIONS.len() };
    let friction = FRICTIONS[random.usize(0..count)];
    let middle = if is_steered { size.reach } else { 0.0 };
    let (back, front, half) = (middle - 0.5 * length, middle + 0.5 * length, 0.5 * width);
    let (gap, height) = (0.3 * diameter, length * between(random, 0.2, 0.5));
    let mut parts = String::new();
    let chassis = MassProperties::rectangle(mass, length, width, at([middle, 0.0]));
    let wheels = size.wheels(class);
    let mass_of_all = wheels.iter().fold(chassis, |sum, (tag, [x, y])| {
        parts += &format!(
            "<{tag}_wheel pos=\"{x} {y}\" mass=\"{wheel_mass}\" width=\"{}\" diameter=\"{diameter}\"/>",
            0.2 * diameter
        );
        sum + MassProperties::wheel(wheel_mass, diameter, 0.2 * diameter, at([*x, *y]))
    });
    parts += &format!(
        "<chassis mass=\"{mass}\" zmin=\"{gap}\" zmax=\"{}\"><shape><pt>{back} {}</pt><pt>{front} {}</pt>\
         <pt>{front} {half}</pt><pt>{back} {half}</pt></shape></chassis>",
        gap + height,
        -half,
        -half,
    );
    // the default damping of a bearing is that of a wheel of 0.4 m; small rear wheels would skid
    let damping = 0.01 * (diameter / 0.4).powi(2).min(1.0);
    let damping =
        if is_steered { format!("<C_damping>{damping}</C_damping>") } else { String::new() };
    let speed = (between(random, 0.5, 2.0) * length.sqrt().max(0.3)).min(3.0);
    Robot {
        case: format!("{class} {controller} {friction}, {mass} kg, wheels of {wheel_mass} kg"),
        by_angle: controller == "front_steer_pid",
        speed,
        turn: between(random, -0.3, 0.3) * speed / length,
        radius: front.max(-back).hypot(half) + 0.5 * diameter,
        mass: mass_of_all,
        wheel_inertia: wheel_mass * diameter * diameter / 8.0,
        controller,
        class,
        parts,
        friction: format!("<friction class=\"{friction}\">{damping}</friction>"),
    }
}

fn at([x, y]: [f64; 2]) -> Pose2 {
    Pose2 { x, y, yaw: 0.0 }
}
