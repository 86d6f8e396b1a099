#![no_main]

use libfuzzer_sys::fuzz_target;
use simhost_openscenario::{Director, Scenario, ScenarioRuns};

const ROAD: &str = include_str!("../../framework/openscenario/tests/straight.xodr");

fuzz_target!(|text: &str| {
    let _ = ScenarioRuns::read(text);
    let network = simhost_opendrive::read(ROAD).ok();
    let Ok(scenario) = Scenario::read(text, network, &[]) else { return };
    let Ok(mut director) = Director::new(scenario, &[]) else { return };
    for step in 0..100 {
        if director.advance(0.1 * f64::from(step), 0.1).is_err() {
            return;
        }
    }
});
