//! Weather of a simulation that continues another one.

use super::{Options, Simulation, simulation, two_tables, world, world_of};

#[test]
fn a_simulation_that_continues_another_one_has_its_weather() {
    let weather = "<environment class=\"gusts\"/><environment class=\"rain\"/>\
                   <environment class=\"gravity\"><value>4</value></environment>";
    let [a, b] = two_tables();
    let world = world(&[weather.to_owned(), a, b]);
    let old = simulation(&world, 50);
    let mut new = Simulation::new(&world, Options { seed: 1, threads: 1 }).expect("as before");
    new.take_over(&old).expect("the models are the same");
    new.start().expect("nothing faults");
    for _ in 0..4 {
        new.step().expect("nothing faults");
    }
    let pull = new.state.tables[0].vehicles.environment.gravity;
    assert_eq!((new.state.environments.gravity(), pull), (4.0, 4.0));
    // the sensors have been sampled since
    assert_eq!(new.result_hash(), simulation(&world, 54).result_hash());
}

/// Steps of tables on their own would miss the weather.
#[test]
fn tables_do_not_step_on_their_own_in_weather() {
    // no sample is due in most of the steps
    let [a, b] = two_tables().map(|vehicle| vehicle.replace("0.02", "0.2"));
    let calm = world_of("", &[a.clone(), b.clone()]);
    let windy = world_of("<environment class=\"ice\"/>", &[a, b]);
    let apart = |world| {
        let mut simulation = simulation(world, 0);
        simulation.run(40).expect("nothing faults");
        simulation.steps_at_once
    };
    assert_eq!((apart(&calm) > 0, apart(&windy)), (true, 0));
}
