//! A generator of worlds: an arena with walls in which bodies of all kinds drive, stand, follow plans
//! and overlap.

use std::f64::consts::TAU;
use std::fmt::Write;

use fastrand::Rng;

/// Thickness of the walls, m.
pub const THICKNESS: f64 = 0.05;
/// Time steps, s. The shortest ones of users are left out because they take long.
const TIME_STEPS: [f64; 5] = [0.001, 0.002, 0.005, 0.01, 0.02];
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

/// A straight wall from one point to another, m.
pub type Wall = [[f64; 2]; 2];

/// Cause of the motion of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mover {
    /// A controller that can reach at least this speed, m/s.
    Controller(f64),
    /// A plan with this greatest speed, m/s.
    Plan(f64),
    /// Nothing, or a controller that has to stand still.
    Others,
}

/// A body of a generated world.
#[derive(Debug)]
pub struct Body {
    /// Name in the world file.
    pub name: String,
    /// Whether it is a vehicle; otherwise a block or an actor.
    pub is_vehicle: bool,
    /// Cause of its motion.
    pub mover: Mover,
    /// Position at the start, m.
    pub at: [f64; 2],
    /// Radius of a circle about the position that contains the body, m.
    pub radius: f64,
    /// Coulomb coefficient between the body and the ground.
    pub friction: f64,
    /// Index of a body to which it is linked.
    pub link: Option<usize>,
}

/// A generated world.
pub struct Generated {
    /// The world file.
    pub text: String,
    pub walls: Vec<Wall>,
    pub bodies: Vec<Body>,
}

struct Generator {
    random: Rng,
    text: String,
    bodies: Vec<Body>,
    /// Number of blocks so far.
    blocks: usize,
    /// Half the side of the arena, m.
    half: f64,
}

/// Returns the world of a seed, of `duration` seconds.
pub fn world(seed: u64, duration: f64) -> Generated {
    let mut random = Rng::with_seed(seed);
    let half = between(&mut random, 4.0, 12.0);
    let mut generator =
        Generator { random, text: String::new(), bodies: Vec::new(), blocks: 0, half };
    let dt = TIME_STEPS[generator.below(TIME_STEPS.len())];
    let _ = write!(
        generator.text,
        "<mvsim_world><simul_timestep>{dt}</simul_timestep><duration>{duration}</duration>"
    );
    if generator.chance(0.2) {
        generator.terrain();
    }
    let walls = generator.walls();
    for _ in 0..1 + generator.below(5) {
        generator.vehicle();
    }
    for _ in 0..generator.below(9) {
        generator.block();
    }
    for _ in 0..generator.below(3) {
        generator.plan();
    }
    if generator.chance(0.3) {
        generator.actor();
    }
    if generator.chance(0.3) {
        generator.joint();
    }
    generator.text.push_str("</mvsim_world>");
    Generated { text: generator.text, walls, bodies: generator.bodies }
}

fn between(random: &mut Rng, low: f64, high: f64) -> f64 {
    low + (high - low) * random.f64()
}

impl Generator {
    fn below(&mut self, count: usize) -> usize {
        self.random.usize(0..count)
    }

    fn chance(&mut self, probability: f64) -> bool {
        self.random.f64() < probability
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        between(&mut self.random, low, high)
    }

    /// Returns a number whose logarithm is uniform.
    fn log_between(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }

    /// Returns a position at a distance from the walls of the arena.
    fn place(&mut self, distance: f64) -> [f64; 2] {
        let most = (self.half - distance).max(0.1);
        [self.between(-most, most), self.between(-most, most)]
    }

    /// Adds bumps that friction can hold everything on.
    fn terrain(&mut self) {
        let rows: Vec<String> = (0..21)
            .map(|_| {
                let row = (0..21).map(|_| format!("{:.3}", self.between(0.0, 0.03)));
                row.collect::<Vec<_>>().join(" ")
            })
            .collect();
        let _ = write!(
            self.text,
            "<element class=\"elevation_map\"><resolution>1.5</resolution><elevation_data_matrix>[{}]\
             </elevation_data_matrix></element>",
            rows.join("; ")
        );
    }

    /// Adds the walls of the arena and some within it, and returns them.
    fn walls(&mut self) -> Vec<Wall> {
        let half = self.half;
        let corners = [[-half, -half], [half, -half], [half, half], [-half, half]];
        let mut walls: Vec<Wall> = (0..4).map(|i| [corners[i], corners[(i + 1) % 4]]).collect();
        for _ in 0..self.below(4) {
            let ([x, y], angle) = (self.place(1.0), self.between(0.0, TAU));
            let length = self.between(1.0, 4.0);
            walls.push([[x, y], [x + length * angle.cos(), y + length * angle.sin()]]);
        }
        let as_planes = self.chance(0.5);
        let mut shape = String::new();
        for [[x0, y0], [x1, y1]] in &walls {
            if as_planes {
                let _ = write!(
                    self.text,
                    "<element class=\"vertical_plane\"><x0>{x0}</x0><y0>{y0}</y0><x1>{x1}</x1>\
                     <y1>{y1}</y1><height>3</height><thickness>{THICKNESS}</thickness></element>"
                );
            } else {
                let _ = write!(shape, "<pt>{x0} {y0}</pt><pt>{x1} {y1}</pt>");
            }
        }
        if !as_planes {
            let _ = write!(
                self.text,
                "<walls><wallThickness>{THICKNESS}</wallThickness><wallHeight>3</wallHeight>\
                 <shape>{shape}</shape></walls>"
            );
        }
        walls
    }

    fn vehicle(&mut self) {
        let (class, controller, [first, second]) = DRIVES[self.below(DRIVES.len())];
        let friction = FRICTION[self.below(FRICTION.len())];
        let parked = self.chance(0.2) && controller != "front_steer_pid";
        // faster vehicles would only turn over
        let most = if controller == "twist_ideal" { 50.0 } else { 5.0 };
        let speed = if parked { 0.0 } else { self.log_between(0.2, most) };
        let speed = if self.chance(0.3) { -speed } else { speed };
        let turn = if parked { 0.0 } else { self.between(-25.0, 25.0) };
        let at @ [x, y] = self.place(3.0);
        let yaw = self.between(-180.0, 180.0);
        let name = format!("vehicle{}", self.bodies.len());
        let _ = write!(
            self.text,
            "<vehicle name=\"{name}\"><init_pose>{x} {y} {yaw}</init_pose><dynamics class=\"{class}\">\
             <controller class=\"{controller}\"><{first}>{speed}</{first}><{second}>{turn}</{second}>\
             </controller></dynamics><friction class=\"{friction}\"/></vehicle>"
        );
        // others need time to reach the speed
        let reached = if controller == "twist_ideal" { speed.abs() } else { 0.0 };
        let mover = if parked { Mover::Others } else { Mover::Controller(reached) };
        self.add(name, true, mover, at, 2.6, 0.5);
    }

    /// Adds a box, a triangle or a cylinder that others can push, or that does not move.
    fn block(&mut self) {
        let (size, mass) = (self.log_between(0.05, 6.0), self.log_between(0.001, 1e4));
        let size = size.min(0.7 * self.half);
        let (friction, restitution) = (self.between(0.2, 0.8), self.between(0.0, 0.1));
        let at @ [x, y] = self.place(0.5 * size + 0.2);
        let yaw = self.between(-180.0, 180.0);
        let is_static = self.chance(0.15);
        self.blocks += 1;
        let name = format!("block{}", self.blocks);
        let corners = 3 + self.below(8);
        let half = 0.5 * size;
        let points: String = (0..corners)
            .map(|corner| {
                let angle = TAU * corner as f64 / corners as f64;
                format!("<pt>{} {}</pt>", half * angle.cos(), half * angle.sin())
            })
            .collect();
        let _ = write!(
            self.text,
            "<block name=\"{name}\"><init_pose>{x} {y} {yaw}</init_pose><mass>{mass}</mass>\
             <ground_friction>{friction}</ground_friction><restitution>{restitution}</restitution>\
             <shape>{points}</shape><static>{is_static}</static></block>"
        );
        if !is_static {
            self.add(name, false, Mover::Others, at, half, friction);
        }
    }

    /// Adds a block with an animation that begins elsewhere and jumps at its end.
    fn plan(&mut self) {
        let (size, at) = (self.between(0.2, 1.5), self.place(2.0));
        let name = format!("plan{}", self.bodies.len());
        let mut keyframes = String::new();
        let (mut time, mut speed) = (0.0, 0.0_f64);
        let mut from: Option<[f64; 2]> = None;
        for _ in 0..2 + self.below(3) {
            let ([x, y], yaw) = (self.place(1.5), self.between(-180.0, 180.0));
            let [x, y] = [x - at[0], y - at[1]];
            if let Some([x0, y0]) = from {
                let (length, part) = ((x - x0).hypot(y - y0), self.between(1.0, 6.0));
                speed = speed.max(length / part);
                time += part;
            }
            let _ = write!(keyframes, "<time_pose>{time} {x} {y} {yaw}</time_pose>");
            from = Some([x, y]);
        }
        let half = 0.5 * size;
        let _ = write!(
            self.text,
            "<block name=\"{name}\"><init_pose>{} {} 0</init_pose><shape><pt>-{half} -{half}</pt>\
             <pt>{half} -{half}</pt><pt>{half} {half}</pt><pt>-{half} {half}</pt></shape>\
             <animation type=\"keyframes\">{keyframes}</animation></block>",
            at[0], at[1]
        );
        // it can turn by 360° in a second, and corners are faster than the centre
        self.add(name, false, Mover::Plan(speed + TAU * size), at, size, 0.5);
    }

    fn actor(&mut self) {
        let name = format!("actor{}", self.bodies.len());
        let mut path = String::new();
        let at = self.place(1.0);
        let _ = write!(path, "<waypoint>{} {} 0</waypoint>", at[0], at[1]);
        for _ in 0..2 {
            let [x, y] = self.place(1.0);
            let _ = write!(path, "<waypoint>{x} {y} 0</waypoint>");
        }
        let speed = self.between(0.5, 2.0);
        let _ = write!(
            self.text,
            "<actor name=\"{name}\"><init_pose>{} {} 0</init_pose><walking_speed>{speed}\
             </walking_speed><path loop=\"true\">{path}</path></actor>",
            at[0], at[1]
        );
        self.add(name, false, Mover::Plan(speed), at, 0.5, 0.5);
    }

    /// Links a body to another with a rope.
    fn joint(&mut self) {
        let count = self.bodies.len();
        let (a, b) = (self.below(count), self.below(count));
        if a == b {
            return;
        }
        let ([ax, ay], [bx, by]) = (self.bodies[a].at, self.bodies[b].at);
        let (names, length) =
            ([a, b].map(|i| &self.bodies[i].name), (ax - bx).hypot(ay - by) + 0.1);
        if names.iter().any(|name| name.starts_with("actor")) {
            return;
        }
        let _ = write!(
            self.text,
            "<joint type=\"rope\" body_a=\"{}\" body_b=\"{}\" anchor_a=\"0 0\" anchor_b=\"0 0\" \
             max_length=\"{length}\"/>",
            names[0], names[1]
        );
        self.bodies[a].link = Some(b);
    }

    fn add(
        &mut self,
        name: String,
        is_vehicle: bool,
        mover: Mover,
        at: [f64; 2],
        radius: f64,
        friction: f64,
    ) {
        self.bodies.push(Body { name, is_vehicle, mover, at, radius, friction, link: None });
    }
}
