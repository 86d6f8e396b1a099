//! A generator of worlds: an arena with walls in which bodies of all kinds drive, stop, coast, follow plans, fall
//! and overlap.

mod vehicles;

use std::f64::consts::TAU;
use std::fmt::Write;

use fastrand::Rng;
use simhost_scene::MassProperties;

use crate::support::robots::{between, log_between};
use crate::support::world::World;

/// Thickness of the walls, m.
pub const THICKNESS: f64 = 0.05;
/// Time steps, s.
const TIME_STEPS: [f64; 6] = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02];
/// Share of the duration after which controllers are commanded to stop.
const STOP: f64 = 0.4;

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
    /// Mass properties, and the moment of inertia of each wheel about its axle in kg·m², where the generator chose them.
    pub mass: Option<(MassProperties, f64)>,
}

impl Body {
    fn new(name: String, mover: Mover, at: [f64; 2], radius: f64) -> Self {
        Self { name, is_vehicle: false, mover, at, radius, friction: 0.5, link: None, mass: None }
    }
}

/// Motion that a world shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Controllers and plans act until the end.
    Driving,
    /// Controllers stop at a time in s, and nothing else acts.
    Stopping(f64),
    /// Nothing acts on bodies that start in motion and apart from each other.
    Coasting,
}

/// A generated world.
pub struct Generated {
    pub kind: Kind,
    /// The world file and its commands.
    pub world: World,
    /// Time step and duration, s.
    pub times: [f64; 2],
    pub walls: Vec<Wall>,
    pub bodies: Vec<Body>,
}

struct Generator {
    random: Rng,
    kind: Kind,
    world: World,
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
    let kind = match random.u8(0..5) {
        0 | 1 => Kind::Driving,
        2 | 3 => Kind::Stopping(STOP * duration),
        _ => Kind::Coasting,
    };
    let (text, bodies, blocks, world) = (String::new(), Vec::new(), 0, World::new());
    let mut generator = Generator { random, kind, world, text, bodies, blocks, half };
    let dt = TIME_STEPS[generator.below(TIME_STEPS.len())];
    let walls = generator.fill();
    let Generator { world, text, bodies, .. } = generator;
    let world = world.step(dt).set("duration", duration).xml(&text);
    Generated { kind, world, times: [dt, duration], walls, bodies }
}

impl Generator {
    /// Adds everything, and returns the walls.
    fn fill(&mut self) -> Vec<Wall> {
        if self.kind != Kind::Coasting && self.chance(0.2) {
            self.terrain();
        }
        let walls = self.walls();
        for _ in 0..1 + self.below(5) {
            self.vehicle(&walls);
        }
        for _ in 0..self.below(9) {
            self.block(&walls);
        }
        if self.kind == Kind::Driving {
            for _ in 0..self.below(3) {
                self.plan();
            }
            if self.chance(0.3) {
                self.actor();
            }
        }
        if self.kind != Kind::Coasting && self.chance(0.3) {
            self.joint();
        }
        walls
    }

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
        log_between(&mut self.random, low, high)
    }

    /// Returns a position at a distance from the walls of the arena.
    fn place(&mut self, distance: f64) -> [f64; 2] {
        let most = (self.half - distance).max(0.1);
        [self.between(-most, most), self.between(-most, most)]
    }

    /// Returns a position for a body with a radius: the position of another body from time to time,
    /// and a free position, if there is one, in a world whose energy is checked.
    fn place_for(&mut self, radius: f64, walls: &[Wall]) -> Option<[f64; 2]> {
        if self.kind != Kind::Coasting {
            let other = self.below(1 + 8 * self.bodies.len().max(1));
            let overlapped = self.bodies.get(other).map(|body| body.at);
            return Some(overlapped.unwrap_or_else(|| self.place(0.5 * radius + 0.2)));
        }
        let is_free = |bodies: &[Body], [x, y]: [f64; 2]| {
            let apart =
                |body: &Body| (body.at[0] - x).hypot(body.at[1] - y) > body.radius + radius + 0.1;
            bodies.iter().all(apart)
                && walls.iter().all(|wall| distance([x, y], *wall) > radius + 0.1)
        };
        (0..50)
            .map(|_| self.place(radius))
            .collect::<Vec<_>>()
            .into_iter()
            .find(|at| is_free(&self.bodies, *at))
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

    /// Adds a box, a triangle or a cylinder that others can push, or that does not move.
    fn block(&mut self, walls: &[Wall]) {
        let (size, mass) = (self.log_between(0.05, 6.0), self.log_between(0.001, 1e4));
        let size = size.min(0.7 * self.half);
        let (friction, restitution) = (self.between(0.2, 0.8), self.between(0.0, 0.1));
        let half = 0.5 * size;
        let Some(at @ [x, y]) = self.place_for(half, walls) else { return };
        let yaw = self.between(-180.0, 180.0);
        let is_static = self.chance(0.15);
        self.blocks += 1;
        let name = format!("block{}", self.blocks);
        let corners = 3 + self.below(8);
        let points: Vec<[f64; 2]> = (0..corners)
            .map(|corner| {
                let angle = TAU * corner as f64 / corners as f64;
                [half * angle.cos(), half * angle.sin()]
            })
            .collect();
        let shape: String = points.iter().map(|[x, y]| format!("<pt>{x} {y}</pt>")).collect();
        let velocity = self.velocity();
        let _ = write!(
            self.text,
            "<block name=\"{name}\"><init_pose>{x} {y} {yaw}</init_pose>{velocity}<mass>{mass}</mass>\
             <ground_friction>{friction}</ground_friction><restitution>{restitution}</restitution>\
             <shape>{shape}</shape><static>{is_static}</static></block>"
        );
        if !is_static {
            let mass = (MassProperties::polygon(mass, &points), 0.0);
            let body = Body::new(name, Mover::Others, at, half);
            self.bodies.push(Body { friction, mass: Some(mass), ..body });
        }
    }

    /// Returns the element of a velocity at the start in a world in which nothing drives.
    fn velocity(&mut self) -> String {
        if self.kind != Kind::Coasting {
            return String::new();
        }
        let [vx, vy, omega] = [3.0, 1.0, 90.0].map(|most| self.between(-most, most));
        format!("<init_vel>{vx} {vy} {omega}</init_vel>")
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
        self.bodies.push(Body::new(name, Mover::Plan(speed + TAU * size), at, size));
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
        self.bodies.push(Body::new(name, Mover::Plan(speed), at, 0.5));
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
}

/// Returns the distance of a point from a wall, m.
pub fn distance(point: [f64; 2], [start, end]: Wall) -> f64 {
    let ([dx, dy], [px, py]) = (minus(end, start), minus(point, start));
    let part = ((px * dx + py * dy) / (dx * dx + dy * dy)).clamp(0.0, 1.0);
    (px - part * dx).hypot(py - part * dy)
}

/// Returns the difference of two vectors.
pub fn minus([ax, ay]: [f64; 2], [bx, by]: [f64; 2]) -> [f64; 2] {
    [ax - bx, ay - by]
}
