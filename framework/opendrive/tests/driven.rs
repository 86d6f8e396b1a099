//! The town of the examples as ground: heights, places ahead, routes and the drawn surface, in closed form.

#![allow(clippy::unwrap_used)]

use std::f64::consts::PI;

use simhost_opendrive::{DrivenRoads, read};
use simhost_scene::{LanePath, RoadMap, RoadSpot};

const TOWN: &str = include_str!("../../../worlds/assets/town.xodr");
/// y of the straight part of the ring, which crosses the northern street, m.
const RING: f64 = 102.6514801742517;

fn town() -> DrivenRoads {
    DrivenRoads::new(read(TOWN).unwrap())
}

fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() < tolerance, "found {found}, expected {expected}");
}

/// Returns the heights of all surfaces at a point, and whether they are bridges or tunnels.
fn heights(roads: &DrivenRoads, point: [f64; 2]) -> Vec<(f64, bool)> {
    let patches = 0..roads.patches().len();
    let mut found: Vec<(f64, bool)> = patches
        .filter_map(|patch| roads.height(patch, point))
        .map(|at| (at.height, at.is_structure))
        .collect();
    found.sort_by(|one, other| one.0.total_cmp(&other.0));
    found.dedup_by(|one, other| (one.0 - other.0).abs() < 1e-9);
    found
}

fn all_ahead(roads: &DrivenRoads, from: (u32, f64), turns: u64, at: &[f64]) -> Vec<RoadSpot> {
    let mut found = Vec::new();
    let path = LanePath { index: from.0, s: from.1, route: &[], turns };
    roads.ahead(path, at, &mut |_, spot| found.push(spot));
    found
}

#[test]
fn a_bridge_is_above_the_road_below_it() {
    let roads = town();
    let found = heights(&roads, [0.5, RING + 1.0]);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(found[0], (0.0, false));
    near(found[1].0, 6.0, 1e-9);
    assert!(found[1].1);
    // beside all roads
    assert_eq!(heights(&roads, [60.0, 50.0]), []);
    // the kerb of a sidewalk
    assert_eq!(heights(&roads, [-80.0, 4.5]), [(0.12, false)]);
}

#[test]
fn a_banked_curve_rises_to_its_outside() {
    let roads = town();
    // the middle of the arc in the east: the reference line turns left and heads north
    let middle = roads.locate([221.5, 0.5 * RING, 0.0], 0.5 * PI).unwrap();
    assert_eq!((middle.road, middle.lane), (4, -1));
    near(middle.curvature, 0.02 / (1.0 + 0.02 * 1.75), 1e-12);
    // t = −1.75 at a superelevation of −0.05
    let inner = roads.locate(middle.position, 0.5 * PI).unwrap();
    near(inner.position[2], (1.75 - inner.t) * 0.05_f64.sin(), 1e-9);
}

#[test]
fn places_ahead_follow_the_lane_through_the_crossing() {
    let roads = town();
    let start = roads.locate([-140.0, -1.75, 0.0], 0.0).unwrap();
    near(start.t, 0.0, 1e-12);
    let found = all_ahead(&roads, (start.index, start.s), 0, &[0.0, 50.0, 135.0, 200.0, 280.0]);
    for (spot, x) in found.iter().zip([-140.0, -90.0, -5.0, 60.0, 140.0]) {
        near(spot.position[0], x, 1e-9);
        near(spot.position[1], -1.75, 1e-9);
        near(spot.heading, 0.0, 1e-9);
    }
    near(found[1].speed_limit, 50.0 / 3.6, 1e-12);
    near(found[2].speed_limit, 30.0 / 3.6, 1e-12);
    // the northern street ends
    let end = roads.locate([1.75, 190.0, 0.0], 0.5 * PI).unwrap();
    assert_eq!(all_ahead(&roads, (end.index, end.s), 0, &[5.0, 20.0]).len(), 1);
}

#[test]
fn distances_ahead_are_those_along_the_middle_of_the_lane() {
    let roads = town();
    let start = roads.locate([221.5, 0.5 * RING, 0.0], 0.5 * PI).unwrap();
    let found = all_ahead(&roads, (start.index, start.s), 0, &[0.0, 20.0]);
    // the arc has the radius 50 m, and the lane is 1.75 m outside of it
    let turn = found[1].heading - found[0].heading;
    near(turn, 20.0 / (50.0 + 1.75), 1e-9);
}

#[test]
fn routes_decide_turns_and_seeds_repeat_them() {
    let roads = town();
    let start = roads.locate([-140.0, -1.75, 0.0], 0.0).unwrap();
    let goal = roads.locate([1.75, 150.0, 0.0], 0.5 * PI).unwrap();
    let route = roads.route(start.index, goal.index).unwrap();
    let mut found = None;
    let path = LanePath { index: start.index, s: start.s, route: &route, turns: 0 };
    roads.ahead(path, &[200.0], &mut |_, spot| found = Some(spot));
    let spot = found.unwrap();
    assert_eq!(spot.index, goal.index);
    near(spot.position[0], 1.75, 1e-9);
    let ends = |turns: u64| all_ahead(&roads, (start.index, start.s), turns, &[200.0])[0].index;
    let mut different: Vec<u32> = (1..20).map(ends).collect();
    assert_eq!(different, (1..20).map(ends).collect::<Vec<_>>());
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), 3, "straight on, left and right");
}

#[test]
fn the_loop_closes() {
    let roads = town();
    let start = roads.locate([-140.0, -1.75, 0.0], 0.0).unwrap();
    // two streets, the crossing, and the ring whose lane is 1.75 m outside of two half turns
    let round = 130.0 + 40.0 + 130.0 + 694.1592653589794 + 2.0 * PI * 1.75;
    let spot = all_ahead(&roads, (start.index, start.s), 0, &[round])[0];
    assert_eq!(spot.index, start.index);
    near(spot.position[0], -140.0, 0.01);
}

#[test]
fn materials_have_friction() {
    let roads = town();
    let at =
        |point: [f64; 2]| (0..roads.patches().len()).find_map(|patch| roads.friction(patch, point));
    assert!(roads.has_friction());
    assert_eq!(at([1.0, -60.0]), Some(0.55));
    assert_eq!(at([5.0, -60.0]), None, "the sidewalk has no material");
    assert_eq!(at([-60.0, 1.0]), None);
}

#[test]
fn the_drawn_surface_covers_the_lanes_at_their_heights() {
    let roads = town();
    let mesh = roads.network().surface().unwrap();
    let corner = |number: u32| mesh.vertices()[number as usize];
    let mut area = 0.0;
    for (triangle, paint) in mesh.triangles().iter().zip(mesh.paint()) {
        let [a, b, c] = triangle.map(corner);
        let twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        assert!(twice > -1e-3, "triangles are counter-clockwise from above");
        // asphalt of the western street
        let is_west = [a, b, c].iter().all(|[x, y, _]| *x < -20.0 && *x > -150.1 && y.abs() < 3.6);
        if *paint == 1 && is_west {
            area += 0.5 * twice;
            assert!([a, b, c].iter().all(|[.., z]| (z - 1e-3).abs() < 1e-9));
        }
    }
    near(area, 7.0 * 130.0, 1e-3);
    let white = mesh.palette().iter().position(|colour| *colour == [0xf2, 0xf2, 0xee, 0xff]);
    let marks = mesh.paint().iter().filter(|paint| Some(usize::from(**paint)) == white).count();
    assert!(marks > 100, "{marks} triangles of white marks");
}
