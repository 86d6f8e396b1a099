//! Vehicles share the description of their class.

use std::sync::Arc;

use crate::crowd::crowd;

#[test]
fn vehicles_of_a_class_share_its_description() {
    let world = crate::world(&crowd(40)).unwrap().world;
    let (first, other) = (&world.vehicles[3], &world.vehicles[13]);
    assert!(std::sync::Arc::ptr_eq(&first.chassis, &other.chassis));
    assert!(std::sync::Arc::ptr_eq(&first.wheels, &other.wheels));
    assert!(std::sync::Arc::ptr_eq(&first.dynamics, &other.dynamics));
    assert!(std::sync::Arc::ptr_eq(&first.controller, &other.controller));
    assert!(std::sync::Arc::ptr_eq(&first.sensors, &other.sensors));
    assert!(!std::sync::Arc::ptr_eq(&first.friction, &other.friction));
    // the vehicle overrides the friction of its class
    assert_eq!(first.friction.values[0], simhost_model::ParamValue::Number(0.4));
    assert_eq!(&*first.friction.model.full_name, "simhost/default");
    assert_eq!(first.chassis.mass, 13.0);
}

/// Returns a world of vehicles that are described with the same words, one per line.
fn fleet(count: usize, parts: &str) -> String {
    let vehicle = |x| format!("<vehicle><init_pose>{x} 0 0</init_pose>{parts}</vehicle>\n");
    let vehicles: String = (0..count).map(vehicle).collect();
    format!("<mvsim_world version=\"1.0\">\n{vehicles}</mvsim_world>")
}

const PARTS: &str = "<dynamics class=\"differential\"><chassis mass=\"7\"/>\
                     <controller class=\"twist_pid\"><KP>5</KP></controller></dynamics>\
                     <friction class=\"default\"><mu>0.4</mu></friction>";

/// Returns how many parameter lists vehicles have in memory.
fn parameter_lists(vehicles: &[simhost_world::Vehicle]) -> usize {
    let lists = vehicles.iter().flat_map(|vehicle| {
        [&vehicle.dynamics, &vehicle.controller, &vehicle.friction].map(|one| one.values.as_ptr())
    });
    lists.collect::<std::collections::HashSet<_>>().len()
}

#[test]
fn parts_that_are_repeated_are_read_once() {
    for count in [1, 10, 20, 40] {
        let world = crate::world(&fleet(count, PARTS)).unwrap().world;
        assert_eq!(world.vehicles.len(), count);
        assert_eq!(parameter_lists(&world.vehicles), 3);
        let world =
            crate::world(&fleet(count, "<dynamics class=\"differential\"/>")).unwrap().world;
        assert_eq!(parameter_lists(&world.vehicles), 3);
    }
}

#[test]
fn repeated_parts_share_their_models() {
    let loaded = crate::world(&fleet(3, PARTS)).unwrap();
    let first = &loaded.world.vehicles[0];
    assert_eq!(loaded.sources.position(first.dynamics.span).1, 2);
    for vehicle in &loaded.world.vehicles {
        for (one, other) in [
            (&first.dynamics, &vehicle.dynamics),
            (&first.controller, &vehicle.controller),
            (&first.friction, &vehicle.friction),
        ] {
            assert!(Arc::ptr_eq(one, other), "{}", vehicle.name);
        }
        assert_eq!(vehicle.chassis.mass, 7.0);
    }
}

#[test]
fn each_repetition_reports_its_own_problems() {
    let wrong = "<dynamics class=\"differential\"><chassis mass=\"7\" size=\"1\"/></dynamics>";
    let text = crate::errors(crate::world(&fleet(3, wrong)));
    for line in 2..5 {
        assert!(text.contains(&format!("world.xml:{line}:")), "{text}");
    }
}

#[test]
fn parts_with_other_parameters_are_read() {
    let parts = |mu: &str| PARTS.replace("0.4", mu);
    let one = |mu: &str| fleet(1, &parts(mu)).replace("</mvsim_world>", "");
    let text = one("0.4") + &one("0.5")[one("0.5").find("<vehicle>").unwrap()..] + "</mvsim_world>";
    let world = crate::world(&text).unwrap().world;
    let mu = world.vehicles.iter().map(|vehicle| vehicle.friction.values[0].clone());
    let expected = [0.4, 0.5].map(simhost_model::ParamValue::Number);
    assert_eq!(mu.collect::<Vec<_>>(), expected);
}
