#![no_main]

use libfuzzer_sys::fuzz_target;
use simhost_scene::{LanePath, RoadMap};

fuzz_target!(|text: &str| {
    let Ok(network) = simhost_opendrive::read(text) else { return };
    for road in 0..network.roads.len().min(8) {
        let length = network.roads[road].length;
        for s in [0.0, 0.3 * length, length] {
            let Some(pose) = network.lane_pose(road, s, -1, 0.1) else { continue };
            network.nearest([pose.place[0], pose.place[1]], None, Some(pose.heading), |_| true);
        }
    }
    let _ = network.surface();
    let _ = network.obstacles(1000);
    let roads = simhost_opendrive::DrivenRoads::new(network);
    for (patch, [[x, y], [right, top]]) in roads.patches().iter().enumerate().take(8) {
        let point = [0.5 * (x + right), 0.5 * (y + top)];
        roads.height(patch, point);
        roads.friction(patch, point);
        let Some(spot) = roads.locate([point[0], point[1], 0.0], 0.0) else { continue };
        let path = LanePath { index: spot.index, s: spot.s, route: &[], turns: patch as u64 };
        roads.ahead(path, &[0.0, 10.0, 100.0], &mut |_, _| {});
    }
});
