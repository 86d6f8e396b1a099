//! Vehicles with default dimensions, and of all sizes.

use std::fmt::Write;
use std::mem::take;

use super::{Body, Generator, Kind, Mover, Wall};
use crate::support::robots::{Robot, robot};

/// Dynamics classes, each with a controller that drives it, and the names of the setpoints.
const DRIVES: [(&str, &str, [&str; 2]); 10] = [
    ("differential", "twist_pid", ["V", "W"]),
    ("differential", "twist_ideal", ["V", "W"]),
    ("differential_3_wheels", "twist_pid", ["V", "W"]),
    ("differential_4_wheels", "twist_pid", ["V", "W"]),
    ("differential_4_wheels", "twist_ideal", ["V", "W"]),
    ("ackermann", "twist_front_steer_pid", ["V", "W"]),
    ("ackermann", "front_steer_pid", ["V", "STEER_ANG"]),
    ("ackermann", "twist_ideal", ["V", "W"]),
    ("ackermann_drivetrain", "twist_front_steer_pid", ["V", "W"]),
    ("ackermann_drivetrain", "front_steer_pid", ["V", "STEER_ANG"]),
];
const FRICTION: [&str; 3] = ["default", "wardiagnemma", "ellipse"];
/// Radius of vehicles with default dimensions, m.
const RADIUS: f64 = 2.6;

impl Generator {
    pub(super) fn vehicle(&mut self, walls: &[Wall]) {
        if self.kind == Kind::Coasting || self.chance(0.5) {
            self.sized_vehicle(walls);
        } else {
            self.default_vehicle(walls);
        }
    }

    /// Adds a vehicle of its own size and mass.
    fn sized_vehicle(&mut self, walls: &[Wall]) {
        let mut robot = robot(&mut self.random);
        let name = format!("vehicle{}", self.bodies.len());
        let Some(at) = self.place_for(robot.radius, walls) else { return };
        let mut pose = self.pose(at);
        let mut mover = Mover::Others;
        if self.kind == Kind::Coasting {
            robot.controller = "raw";
            pose += &self.velocity();
        } else if self.chance(0.8) {
            mover = Mover::Controller(0.0);
            self.drive(&name, &robot);
        }
        self.text += &robot.xml(&name, &pose);
        let body = Body::new(name, mover, at, robot.radius);
        let mass = Some((robot.mass, robot.wheel_inertia));
        self.bodies.push(Body { is_vehicle: true, mass, ..body });
    }

    /// Commands a vehicle to drive and, in a world in which everything stops, to stop.
    fn drive(&mut self, name: &str, robot: &Robot) {
        self.command(0.0, name, robot.command(robot.speed, robot.turn));
        if let Kind::Stopping(time) = self.kind {
            self.command(time, name, robot.command(0.0, 0.0));
        }
    }

    fn command(&mut self, time: f64, name: &str, (kind, values): (&str, Vec<f64>)) {
        self.world = take(&mut self.world).command(time, name, kind, &values);
    }

    /// Returns the elements of a pose, above the ground from time to time.
    fn pose(&mut self, [x, y]: [f64; 2]) -> String {
        let yaw = self.between(-180.0, 180.0);
        if self.kind == Kind::Coasting || !self.chance(0.1) {
            return format!("<init_pose>{x} {y} {yaw}</init_pose>");
        }
        let z = self.between(0.1, 3.0);
        format!(
            "<init_pose3d>{x} {y} {z} {yaw} 0 0</init_pose3d><skip_elevation_adjust>true</skip_elevation_adjust>"
        )
    }

    /// Adds a vehicle with the dimensions of its class.
    fn default_vehicle(&mut self, walls: &[Wall]) {
        let (class, controller, [first, second]) = DRIVES[self.below(DRIVES.len())];
        let friction = FRICTION[self.below(FRICTION.len())];
        let parked = self.chance(0.2) && controller != "front_steer_pid";
        // faster vehicles would only turn over
        let most = if controller == "twist_ideal" { 50.0 } else { 5.0 };
        let speed = if parked { 0.0 } else { self.log_between(0.2, most) };
        let speed = if self.chance(0.3) { -speed } else { speed };
        let turn = if parked { 0.0 } else { self.between(-25.0, 25.0) };
        let Some(at) = self.place_for(RADIUS, walls) else { return };
        let pose = self.pose(at);
        let name = format!("vehicle{}", self.bodies.len());
        let _ = write!(
            self.text,
            "<vehicle name=\"{name}\">{pose}<dynamics class=\"{class}\">\
             <controller class=\"{controller}\"><{first}>{speed}</{first}><{second}>{turn}</{second}>\
             </controller></dynamics><friction class=\"{friction}\"/></vehicle>"
        );
        if let (Kind::Stopping(time), false) = (self.kind, parked) {
            let stop = match second {
                "W" => ("twist", vec![0.0; 3]),
                _ => ("speed_steer", vec![0.0; 2]),
            };
            self.command(time, &name, stop);
        }
        // others need time to reach the speed
        let reached = if controller == "twist_ideal" { speed.abs() } else { 0.0 };
        let mover = if parked { Mover::Others } else { Mover::Controller(reached) };
        let body = Body::new(name, mover, at, RADIUS);
        self.bodies.push(Body { is_vehicle: true, ..body });
    }
}
