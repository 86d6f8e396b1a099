//! Walls of every kind, turned and mirrored: what meets them does not depend on the compass.

use simhost_sdk::Random;
use simhost_world::Wall;

use super::super::walls::WallBox;
use super::*;

/// A turn by quarters, after which the y axis can be mirrored.
#[derive(Clone, Copy, Debug)]
struct Compass {
    quarters: u8,
    mirrored: bool,
}

impl Compass {
    const ALL: [Self; 8] = {
        let mut all = [Self { quarters: 0, mirrored: false }; 8];
        let mut number = 0;
        while number < 8 {
            all[number] = Self { quarters: number as u8 % 4, mirrored: number > 3 };
            number += 1;
        }
        all
    };

    fn turn(self, [x, y]: [f64; 2]) -> [f64; 2] {
        let y = if self.mirrored { -y } else { y };
        match self.quarters {
            0 => [x, y],
            1 => [-y, x],
            2 => [-x, -y],
            _ => [y, -x],
        }
    }

    fn back(self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [x, y] = match self.quarters {
            0 => [x, y],
            1 => [y, -x],
            2 => [-x, -y],
            _ => [-y, x],
        };
        [x, if self.mirrored { -y } else { y }]
    }
}

/// Ways to build a room of 9 m by 9 m.
#[derive(Clone, Copy, Debug)]
enum Room {
    Grid,
    Blocks,
    Walls,
    Planes,
}

/// Adds the room with a pillar at (3, 2), which makes it differ in all directions.
fn add_room(physics: &mut Physics, room: Room, compass: Compass) {
    let at = |at: [f64; 2]| BodyState { position: compass.turn(at), ..moving(0.0, 0.0) };
    let surface = Surface { friction: 0.5, restitution: 0.01 };
    let pillar = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
    match room {
        Room::Grid => {
            let solid = |[x, y]: [f64; 2]| {
                x.abs().max(y.abs()) > 4.5 || (x - 3.0).abs() < 0.5 && (y - 2.0).abs() < 0.5
            };
            let cell = |i: usize| [i % 20, i / 20].map(|k| 0.5 * k as f64 - 4.75);
            let cells = (0..400).map(|i| if solid(compass.back(cell(i))) { -100 } else { 100 });
            let grid = OccupancyGrid::new([-5.0, -5.0], 0.5, [20, 20], cells.collect());
            let map = grid_map(grid.expect("a valid map"));
            physics.add_grid(&map).expect("few cells");
            return;
        }
        Room::Blocks | Room::Planes => {
            let sides = [[4.75, 0.0], [-4.75, 0.0], [0.0, 4.75], [0.0, -4.75]];
            for [x, y] in sides {
                let half = compass
                    .turn([if x == 0.0 { 5.0 } else { 0.25 }, if y == 0.0 { 5.0 } else { 0.25 }]);
                let [a, b] = half.map(f64::abs);
                let outline = vec![[-a, -b], [a, -b], [a, b], [-a, b]];
                if let Room::Planes = room {
                    physics.add_wall_box(&WallBox { outline, span: [0.0, 1.0] }, &at([x, y]), 0.0);
                } else {
                    assert!(physics.add_fixed("b", &at([x, y]), &outline, [0.0, 1.0], surface));
                }
            }
        }
        Room::Walls => {
            let corners = [[4.75, 4.75], [-4.75, 4.75], [-4.75, -4.75], [4.75, -4.75]];
            for side in 0..4 {
                let [from, to] =
                    [corners[side], corners[(side + 1) % 4]].map(|one| compass.turn(one));
                let span = Span::default();
                let wall = Wall {
                    from,
                    to,
                    thickness: 0.5,
                    height: 1.0,
                    color: Default::default(),
                    semantic: None,
                    span,
                };
                physics.add_wall(&wall).expect("it has a length");
            }
        }
    }
    assert!(physics.add_fixed("pillar", &at([3.0, 2.0]), &pillar, [0.0, 1.0], surface));
}

/// Returns the end of a drive of a body with a prescribed velocity, turned back.
fn drive(room: Room, compass: Compass, seed: u64) -> [f64; 4] {
    let mut random = Random::new(Random::new(seed).bits());
    let mut draw = |low: f64, high: f64| low + (high - low) * random.uniform();
    let dt = [0.005, 0.02, 0.1][seed as usize % 3];
    let (angle, speed, turning) = (draw(-3.0, 3.0), draw(0.3, 2.0), draw(-0.2, 0.2));
    let start = [draw(-2.0, 1.5), draw(-2.0, 0.5)];
    let mut physics = Physics::new(dt, true);
    add_room(&mut physics, room, compass);
    let (sin, cos) = angle.sin_cos();
    let heading = compass.turn([cos, sin]);
    let state = BodyState { position: compass.turn(start), heading, ..moving(0.0, 0.0) };
    let outline = [[-0.5, -0.4], [0.5, -0.4], [0.5, 0.4], [-0.5, 0.4]];
    let body = BodySpec { outline: &outline, mass: Mass::polygon(15.0, &outline), ..spec("r") };
    let body = physics.add_body(body, &state, 0.0).expect("has an area");
    physics.bodies.set_prescribed(body);
    for _ in 0..(8.0 / dt) as usize {
        let [cos, sin] = physics.bodies.state(body).heading;
        let turning = if compass.mirrored { -turning } else { turning };
        physics.bodies.set_velocity(body, [speed * cos, speed * sin], turning);
        physics.step();
    }
    let BodyState { position, heading, .. } = *physics.bodies.state(body);
    let ([x, y], [cos, sin]) = (compass.back(position), compass.back(heading));
    [x, y, cos, sin]
}

/// At the east and north walls of a grid a robot turned the other way, by 28°, and slid along.
#[test]
fn walls_of_every_kind_act_alike_in_all_directions() {
    for seed in 0..12 {
        for room in [Room::Grid, Room::Blocks, Room::Walls, Room::Planes] {
            let [first, rest @ ..] = Compass::ALL.map(|compass| drive(room, compass, seed));
            for (found, compass) in rest.iter().zip(&Compass::ALL[1..]) {
                let apart = (0..4).map(|k| (found[k] - first[k]).abs()).fold(0.0, f64::max);
                assert!(
                    apart < 2e-3,
                    "seed {seed}, {room:?}, {compass:?}: {found:?}, not {first:?}"
                );
            }
        }
    }
}
