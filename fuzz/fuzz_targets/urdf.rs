#![no_main]

use libfuzzer_sys::fuzz_target;
use simhost_urdf::{RobotFile, VehicleDraft, no_meshes, read};

fuzz_target!(|text: &str| {
    for robot in read(text).unwrap_or_default() {
        if let Ok(draft) = VehicleDraft::of(&robot, &no_meshes) {
            let file = RobotFile { name: "robot.urdf", path: Some("robot.urdf") };
            draft.to_xml(&robot.name, file, &|uri| Ok(uri.to_owned()));
        }
    }
});
