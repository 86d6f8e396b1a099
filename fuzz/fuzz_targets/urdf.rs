#![no_main]

use libfuzzer_sys::fuzz_target;
use simhost_urdf::{VehicleDraft, no_meshes, read};

fuzz_target!(|text: &str| {
    for robot in read(text).unwrap_or_default() {
        if let Ok(draft) = VehicleDraft::of(&robot, &no_meshes) {
            draft.to_xml(&robot.name, "robot.urdf", &|uri| Ok(uri.to_owned()));
        }
    }
});
