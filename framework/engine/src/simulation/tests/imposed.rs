//! Twists that controllers impose on several vehicles at once.

use simhost_sdk::ports::ImposedTwist;
use simhost_sdk::prelude::*;

use super::{Simulation, simulation, world_of};

/// Drives a circle, up to a time at which it faults.
#[derive(Params)]
pub struct Circling {
    /// Forward velocity. A larger value makes the circle wider.
    #[param(default = 1.0, unit = "m/s", per_lane)]
    vx: f64,
    /// Yaw rate. A larger value makes the circle narrower.
    #[param(default = 0.5, unit = "rad/s", per_lane)]
    omega: f64,
    /// Time of the fault. A larger value makes it later.
    #[param(default = 1000.0, unit = "s", per_lane)]
    until: f64,
}

#[model]
impl Controller for Circling {
    type Inputs = ();
    type Outputs = ImposedTwist;

    fn control(&self, _: &(), step: &Step, _: &mut ()) -> ImposedTwist {
        let twist_vx = if step.time < self.until { self.vx } else { f64::NAN };
        ImposedTwist { twist_vx, twist_vy: 0.0, twist_omega: self.omega }
    }
}

simhost_sdk::declare_plugin! { vendor: "circles", controller: { "circle" => Circling } }

/// Returns vehicles on circles of their own, of which some fault.
fn vehicles() -> Vec<String> {
    let vehicle = |index: usize| {
        let until = if index.is_multiple_of(4) { 0.2 } else { 1000.0 };
        format!(
            "<vehicle name=\"v{index}\"><dynamics class=\"differential\"><controller class=\"circle\">\
             <vx>0.{index}</vx><omega>-0.{index}</omega><until>{until}</until></controller></dynamics>\
             <init_pose>{} 0 {index}0</init_pose></vehicle>",
            20 * index
        )
    };
    (1..8).map(vehicle).collect()
}

fn poses(simulation: &Simulation) -> Vec<[f64; 3]> {
    let pose = |(table, lane): &(usize, usize)| {
        let pose = simulation.state.tables[*table].vehicles.pose(*lane);
        [pose.x, pose.y, pose.yaw]
    };
    simulation.blueprint.places.iter().map(pose).collect()
}

/// A vehicle that a fault has disabled, too: its neighbours in the table are moved in the same vectors.
#[test]
fn twists_of_many_vehicles_are_those_of_single_ones() {
    let disable = "<plugin_faults action=\"disable\"/>";
    let together = simulation(&world_of(disable, &vehicles()), 50);
    assert_eq!(together.state.tables.len(), 1);
    let alone = |vehicle: String| poses(&simulation(&world_of(disable, &[vehicle]), 50))[0];
    let each: Vec<[f64; 3]> = vehicles().into_iter().map(alone).collect();
    assert_eq!(poses(&together), each);
    let turned = |index: usize| each[index - 1][2] - 10f64.to_radians() * index as f64;
    assert!((turned(3) + 0.5 * 0.3).abs() < 1e-9, "{}", turned(3));
    // disabled, it neither stops nor follows its circle
    assert!(together.state.tables[0].vehicles.lanes[3].disabled);
    let unharmed = alone(vehicles()[3].replace("<until>0.2<", "<until>1000<"));
    assert!(each[3][..2] != unharmed[..2], "{unharmed:?}");
    let travelled = (each[3][0] - 80.0).hypot(each[3][1]);
    assert!(travelled > 0.15, "{travelled}");
}
