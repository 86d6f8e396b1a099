#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(network) = simhost_opendrive::read(text) else { return };
    for road in 0..network.roads.len().min(8) {
        let length = network.roads[road].length;
        for s in [0.0, 0.3 * length, length] {
            let Some(pose) = network.lane_pose(road, s, -1, 0.1) else { continue };
            network.nearest([pose.place[0], pose.place[1]], None, Some(pose.heading), |_| true);
        }
    }
});
