//! A network that the project wrote: positions in closed form, searches, routes, and files that are wrong.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use simhost_opendrive::{LaneKey, Network, RoadPlace, read};

const CROSSING: &str = include_str!("crossing.xodr");

fn crossing() -> Network {
    read(CROSSING).unwrap()
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "found {found}, expected {expected}");
}

#[test]
fn lanes_lie_beside_the_offset_centre() {
    let network = crossing();
    let west = network.road("west").unwrap();
    let pose = network.lane_pose(west, 30.0, -1, 0.2).unwrap();
    // lane offset 0.5, half of the width 1.5, offset 0.2
    near(pose.place[0], -80.0);
    near(pose.place[1], 0.5 - 1.5 + 0.2);
    near(pose.heading, 0.0);
    near(pose.speed_limit.unwrap(), 30.0 / 3.6);
    near(network.lane_pose(west, 10.0, -1, 0.0).unwrap().speed_limit.unwrap(), 50.0 / 3.6);
    let left = network.lane_pose(west, 30.0, 1, 0.0).unwrap();
    near(left.place[1], 2.0);
    near(left.heading, std::f64::consts::PI);
    // the sidewalk widens by 2 % and stands higher than the road
    let sidewalk = network.lane_pose(west, 30.0, -2, 0.0).unwrap();
    near(sidewalk.width, 0.6);
    near(sidewalk.place[2], 0.11);
    near(sidewalk.heading, (-0.01_f64).atan().rem_euclid(2.0 * std::f64::consts::PI));
    assert!(network.lane_pose(west, 70.0, -2, 0.0).is_none());
}

#[test]
fn a_tilted_road_is_narrower_from_above() {
    let network = crossing();
    let north = network.road("north").unwrap();
    let pose = network.lane_pose(north, 20.0, -1, 0.0).unwrap();
    let (roll, rise) = (0.2_f64, 0.1_f64);
    let pitch = rise.atan();
    // t = -1 along R_z(90°) R_y(-pitch) R_x(roll) e_y
    near(pose.place[0], roll.cos());
    near(pose.place[1], 30.0 + pitch.sin() * roll.sin());
    near(pose.place[2], 1.0 + 0.1 * 20.0 - pitch.cos() * roll.sin());
    near(pose.grade, rise);
    near(network.height(RoadPlace { road: north, s: 20.0, t: -1.0 }), pose.place[2]);
}

#[test]
fn the_nearest_lane_of_a_direction_is_found_in_a_crossing() {
    let network = crossing();
    let driving = |lane: &simhost_opendrive::Lane| lane.kind == "driving";
    // here `through` and `turn` overlap
    let straight = network.nearest([-7.0, -0.95], None, Some(0.0), driving).unwrap();
    assert_eq!(network.roads[straight.on.road].id, "through");
    let turning = network.nearest([-6.0, -0.2], None, Some(0.4), driving).unwrap();
    assert_eq!(network.roads[turning.on.road].id, "turn");
    // beyond the end of a road, the distance counts
    let outside = network.nearest([-113.0, -1.0], None, None, driving).unwrap();
    assert_eq!((network.roads[outside.on.road].id.as_str(), outside.lane), ("west", -1));
    near(outside.away, 3.0);
    near(outside.on.s, 0.0);
}

#[test]
fn routes_go_through_the_crossing_and_change_lanes() {
    let network = crossing();
    let key = |road: &str, s: f64, lane: i32| network.key(network.road(road).unwrap(), s, lane);
    let route = network.route(key("west", 5.0, -1), key("east", 100.0, -2), |_| true).unwrap();
    let names: Vec<(&str, usize, i32)> = route
        .iter()
        .map(|LaneKey { road, section, lane }| (network.roads[*road].id.as_str(), *section, *lane))
        .collect();
    assert_eq!(
        names,
        [("west", 0, -1), ("west", 1, -1), ("through", 0, -1), ("east", 0, -1), ("east", 0, -2)]
    );
    assert!(network.route(key("west", 5.0, -1), key("north", 10.0, -1), |_| true).is_some());
    // against the traffic there is no way
    assert!(network.route(key("east", 5.0, -1), key("west", 10.0, -1), |_| true).is_none());
}

#[test]
fn what_is_not_read_is_noted_once() {
    let notes = crossing().notes;
    let notes: Vec<String> =
        notes.iter().map(|note| format!("{}: {}", note.line, note.text)).collect();
    assert!(
        notes.iter().any(|note| note.ends_with("<object> without a height stops no vehicle")),
        "{notes:?}"
    );
    // the numbers of the arc in the file have five digits
    assert!(notes.iter().all(|note| !note.contains("gap")), "{notes:?}");
    let gap = read(&CROSSING.replace("x=\"58.76438\"", "x=\"59\"")).unwrap().notes;
    assert!(gap.iter().any(|note| note.text.contains("gap of 0.236 m at s = 50.000 m")), "{gap:?}");
}

#[test]
fn wrong_files_are_refused_with_their_lines() {
    let with = |from: &str, to: &str| {
        assert!(CROSSING.contains(from), "{from}");
        CROSSING.replacen(from, to, 1)
    };
    for (text, words) in [
        (
            with("length=\"100\" junction", "length=\"x\" junction"),
            "line 6: `length` of <road> is \"x\"",
        ),
        (with("length=\"100\" junction", "length=\"-1\" junction"), "above 0"),
        (with("elementId=\"x\"", "elementId=\"y\""), "there is no junction with the id \"y\""),
        (with("incomingRoad=\"west\"", "incomingRoad=\"wets\""), "did you mean \"west\"?"),
        (with("<road id=\"turn\"", "<road id=\"west\""), "have the id \"west\""),
        (
            with("<lane id=\"-2\" type=\"sidewalk\">", "<lane id=\"-3\" type=\"sidewalk\">"),
            "found the lane -3; expected -2",
        ),
        (with("<line/>", "<curve/>"), "none of line, arc, spiral"),
        (with("unit=\"km/h\"", "unit=\"kn\""), "units are m/s, km/h and mph"),
        (with("curvature=\"0.1\"", "curvature=\"inf\""), "expected a number"),
        ("<OpenDRIVE/>".to_owned(), "has no <road>"),
        ("<sdf/>".to_owned(), "expected <OpenDRIVE>"),
        ("<!DOCTYPE a [<!ENTITY b \"c\">]><OpenDRIVE/>".to_owned(), "document type"),
    ] {
        let found = read(&text).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(found.contains(words), "{words:?} is not in {found:?}");
    }
}

#[test]
fn damaged_files_do_not_panic() {
    let mut seed = 1_u64;
    for _ in 0..300 {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let place = |shift: u32| {
            let at = (seed >> shift) as usize % CROSSING.len();
            (0..=at).rev().find(|at| CROSSING.is_char_boundary(*at)).unwrap()
        };
        let (from, to) = (place(20).min(place(40)), place(20).max(place(40)));
        let number = ["-", "9e99", "0"][seed as usize % 3];
        for damaged in [
            format!("{}{}", &CROSSING[..from], &CROSSING[to..]),
            CROSSING.replacen(char::is_numeric, number, 1 + seed as usize % 60),
        ] {
            let Ok(network) = read(&damaged) else { continue };
            for road in 0..network.roads.len() {
                network.lane_pose(road, 10.0, -1, 0.0);
            }
            network.nearest([0.0, 0.0], Some(0.0), Some(1.0), |_| true);
        }
    }
}

proptest! {
    /// The place of a point that was computed from a place is that place.
    #[test]
    fn searches_invert_positions(road in 0_usize..5, part in 0.01_f64..0.99, across in -1.4_f64..1.4) {
        let network = crossing();
        let s = part * network.roads[road].length;
        let pose = network.lane_pose(road, s, -1, across).unwrap();
        let [x, y, z] = pose.place;
        let found = network.nearest([x, y], Some(z), Some(pose.heading), |lane| lane.kind == "driving").unwrap();
        let again = network.lane_pose(found.on.road, found.on.s, found.lane, found.offset).unwrap();
        for axis in 0..2 {
            prop_assert!((again.place[axis] - pose.place[axis]).abs() < 1e-6);
        }
        prop_assert_eq!(found.away, 0.0);
        // inside the crossing two roads overlap, and roads meet at their ends
        if road != 1 && road != 2 {
            prop_assert_eq!((found.on.road, found.lane), (road, -1));
            prop_assert!((found.on.s - s).abs() < 1e-6 && (found.offset - across).abs() < 1e-6);
        }
    }
}
