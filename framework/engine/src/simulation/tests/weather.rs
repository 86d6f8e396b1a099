//! Weather of a simulation that continues another one.

use super::{Options, Simulation, simulation, two_tables, world};

use simhost_environment as _;

#[test]
fn a_simulation_that_continues_another_one_has_its_weather() {
    let weather = "<environment class=\"gusts\"/><environment class=\"rain\"/>\
                   <environment class=\"gravity\"><value>4</value></environment>";
    let [a, b] = two_tables();
    let world = world(&[weather.to_owned(), a, b]);
    let mut old = simulation(&world, 50);
    let before = old.result_hash();
    let mut new = Simulation::new(&world, Options { seed: 1, threads: 1 }).expect("as before");
    assert_ne!(new.result_hash(), before);
    new.take_over(&mut old).expect("the models are the same");
    assert_eq!((new.result_hash(), new.environments.gravity()), (before, 4.0));
    new.step().expect("nothing faults");
    let pull = new.tables[0].vehicles.environment.gravity;
    assert_eq!((new.environments.gravity(), pull), (4.0, 4.0));
}

/// Steps of tables on their own would miss the weather.
#[test]
fn tables_do_not_step_on_their_own_in_weather() {
    let [a, b] = two_tables();
    let calm = world(&[a.clone(), b.clone()]);
    let windy = world(&["<environment class=\"ice\"/>".to_owned(), a, b]);
    let apart = |world| {
        let mut simulation = simulation(world, 0);
        simulation.run(40).expect("nothing faults");
        simulation.steps_at_once
    };
    assert_eq!((apart(&calm) > 0, apart(&windy)), (true, 0));
}
