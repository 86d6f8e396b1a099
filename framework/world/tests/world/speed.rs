//! Vehicles share the description of their class.

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
