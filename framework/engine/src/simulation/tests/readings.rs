//! Readings in steps at once, in snapshots, and in a simulation that takes over.

use simhost_sdk::ports::ImposedTwist;
use simhost_sdk::prelude::*;

use super::{Simulation, simulation, world};

/// Turns away from what it sees.
#[derive(Params)]
pub struct Shy {}

/// Inputs of [`Shy`].
#[derive(Ports)]
pub struct Seen {
    /// Ranges of the laser.
    #[port(unit = "m")]
    range: Reading,
    /// Ranges of a sensor that nobody has.
    #[port(unit = "m", optional)]
    sonar: Reading,
}

#[model]
impl Controller for Shy {
    type Inputs = Seen;
    type Outputs = ImposedTwist;

    fn control(&self, inputs: &Seen, _: &Step, _: &mut ()) -> ImposedTwist {
        let (scan, half) = (&inputs.range, inputs.range.len() / 2);
        if scan.is_empty() || !inputs.sonar.is_empty() {
            return ImposedTwist { twist_vx: 0.5, ..ImposedTwist::default() };
        }
        let right: f64 = scan.values()[..half].iter().sum();
        let left: f64 = scan.values()[half..].iter().sum();
        let twist_omega = (left - right) / (left + right);
        ImposedTwist { twist_vx: 1.0 - scan.age(), twist_vy: 0.0, twist_omega }
    }
}

simhost_sdk::declare_plugin! { vendor: "test", controller: { "shy" => Shy } }

/// Returns vehicles with lasers of different resolution, too far apart to touch.
fn fleet() -> Vec<String> {
    let vehicle = |index: usize| {
        let (rays, x) = (if index.is_multiple_of(3) { 9 } else { 13 }, 20 * index);
        format!(
            "<vehicle name=\"v{index}\"><dynamics class=\"differential\"><controller class=\"shy\"/>\
             </dynamics><sensor class=\"laser\" name=\"scan\"><sensor_period>0.08</sensor_period>\
             <nrays>{rays}</nrays></sensor><init_pose>{x} {} 0</init_pose></vehicle>",
            index % 2
        )
    };
    (0..6).map(vehicle).collect()
}

fn hashes(simulation: &Simulation) -> [u128; 2] {
    [simulation.state_hash().expect("no memory"), simulation.result_hash()]
}

#[test]
fn vehicles_share_a_table_only_if_capacities_agree() {
    let fleet = world(&fleet());
    let simulation = simulation(&fleet, 20);
    assert_eq!(simulation.state.tables.len(), 2);
    let label = |index: usize| format!("v{index}");
    for (index, (table, _)) in simulation.blueprint.places.iter().enumerate() {
        assert_eq!(*table, usize::from(!index.is_multiple_of(3)), "{}", label(index));
    }
}

#[test]
fn steps_at_once_have_the_readings_of_single_steps() {
    // a block that can move would exclude steps at once
    let fleet = super::world_of("", &fleet());
    let (mut single, mut several) = (simulation(&fleet, 0), simulation(&fleet, 0));
    for round in 0..30 {
        for _ in 0..17 {
            single.step().expect("nothing diverges");
        }
        several.run(17).expect("nothing diverges");
        assert_eq!(hashes(&single), hashes(&several), "round {round}");
    }
    assert!(several.steps_at_once > 100, "{}", several.steps_at_once);
}

#[test]
fn a_simulation_that_takes_over_has_the_readings() {
    let fleet = world(&fleet());
    let mut old = simulation(&fleet, 21);
    let mut new = simulation(&fleet, 0);
    new.set_commands(&[]).expect("there are none");
    new.take_over(&old).map_err(|_| ()).expect("the worlds are the same");
    old = simulation(&fleet, 21);
    for step in 0..3 {
        assert_eq!(
            new.state.tables.iter().flat_map(|table| table.readings(0)).collect::<Vec<_>>(),
            old.state.tables.iter().flat_map(|table| table.readings(0)).collect::<Vec<_>>(),
            "{step}"
        );
        new.step().expect("nothing diverges");
        old.step().expect("nothing diverges");
    }
    assert!(new.state.tables[0].readings(0).len() > 9);
}

#[test]
fn a_reading_is_part_of_both_hashes() {
    let fleet = world(&fleet());
    let mut simulation = simulation(&fleet, 20);
    let before = hashes(&simulation);
    simulation.state.tables[0].disturb_reading();
    let after = hashes(&simulation);
    assert!(before[0] != after[0] && before[1] != after[1]);
}
