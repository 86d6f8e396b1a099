//! The wall follower of the book: a controller that reads a laser.

use crate::support::golden::picture;
use crate::support::plot::{self, Line};
use crate::support::world::World;

/// Corners of the room, m.
const ROOM: [[f64; 2]; 6] =
    [[0.0, 0.0], [8.0, 0.0], [8.0, 6.0], [4.0, 6.0], [4.0, 3.0], [0.0, 3.0]];
/// Half of the thickness of the walls, m.
const HALF_WALL: f64 = 0.05;

/// Returns the distance of a point to the nearest wall, m.
fn distance(x: f64, y: f64) -> f64 {
    let walls = (0..ROOM.len()).map(|corner| {
        let ([ax, ay], [bx, by]) = (ROOM[corner], ROOM[(corner + 1) % ROOM.len()]);
        let (dx, dy) = (bx - ax, by - ay);
        let along = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy);
        let along = along.clamp(0.0, 1.0);
        (x - ax - along * dx).hypot(y - ay - along * dy)
    });
    walls.fold(f64::INFINITY, f64::min) - HALF_WALL
}

#[test]
fn a_robot_follows_the_wall_of_a_room_by_its_laser() {
    let run = World::example("wall_follower").repeats(23.0, 60.0);
    let table = run.table("quantities.csv");
    let [x, y] = [0, 1].map(|axis| table.numbers(&format!("robot/pose[{axis}] [m]")));

    // it approaches the wall in the first seconds, and then keeps its distance but for the corners
    let distances: Vec<f64> = x.iter().zip(&y).map(|(x, y)| distance(*x, *y)).collect();
    let settled = &distances[distances.len() / 10..];
    assert!(settled.iter().all(|distance| (0.5..1.1).contains(distance)), "{settled:?}");
    let near = settled.iter().filter(|distance| (*distance - 0.8).abs() < 0.1).count();
    assert!(near * 10 > settled.len() * 7, "{near} of {}", settled.len());
    // once around the room
    for corner in [[7.0, 1.0], [7.0, 5.0], [5.0, 5.0], [1.0, 2.0], [1.0, 1.0]] {
        let reached = x.iter().zip(&y).any(|(x, y)| (x - corner[0]).hypot(y - corner[1]) < 0.5);
        assert!(reached, "{corner:?}");
    }

    let corners: Vec<[f64; 2]> = ROOM.into_iter().chain([ROOM[0]]).collect();
    let axis = |axis: usize| corners.iter().map(|corner| corner[axis]).collect::<Vec<_>>();
    let lines = [Line::new("robot", &x, &y), Line::reference("wall", &axis(0), &axis(1))];
    let title = "A minute along the wall of a room with an inner corner";
    picture("wall-follower.svg", &plot::svg(title, ["x, m", "y, m"], &lines));
}
