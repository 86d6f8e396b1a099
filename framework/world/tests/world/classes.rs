//! An instance and its class together are the same as an element that gives all of their values.

use proptest::prelude::*;
use simhost_world::{Block, LoadOptions, World};

use crate::{compat, world_with};

/// An element as the instance and the class give it, and whether the class takes precedence in `mvsim-1.2`.
type Given = (&'static str, &'static str, bool);

const OF_BLOCKS: &[Given] = &[
    ("<mass>2</mass>", "<mass>3</mass>", true),
    ("<zmin>0.1</zmin>", "<zmin>0.2</zmin>", true),
    ("<zmax>0.8</zmax>", "<zmax>0.9</zmax>", true),
    ("<ground_friction>0.3</ground_friction>", "<ground_friction>0.4</ground_friction>", true),
    ("<lateral_friction>0.6</lateral_friction>", "<lateral_friction>0.7</lateral_friction>", true),
    ("<restitution>0.1</restitution>", "<restitution>0.2</restitution>", true),
    ("<linear_damping>0.5</linear_damping>", "<linear_damping>0.6</linear_damping>", true),
    ("<angular_damping>0.7</angular_damping>", "<angular_damping>0.8</angular_damping>", true),
    ("<color>#010203</color>", "<color>#040506</color>", true),
    ("<static>true</static>", "<static>false</static>", true),
    ("<intangible>true</intangible>", "<intangible>false</intangible>", true),
    ("<visual_scale>2</visual_scale>", "<visual_scale>3</visual_scale>", true),
    ("<init_vel>1 2 90</init_vel>", "<init_vel>3 4 180</init_vel>", false),
    ("<skip_elevation_adjust/>", "<skip_elevation_adjust/>", false),
    (
        "<shape><pt>0 0</pt><pt>1 0</pt><pt>0 1</pt></shape>",
        "<shape><pt>0 0</pt><pt>2 0</pt><pt>0 2</pt></shape>",
        false,
    ),
    ("<shape_from_visual/>", "<shape_from_visual/>", false),
    (
        "<geometry type=\"ramp\" lx=\"1\" ly=\"2\" lz=\"3\"/>",
        "<geometry type=\"sphere\" radius=\"2\"/>",
        false,
    ),
    ("<semantic class=\"a\"/>", "<semantic class=\"b\"/>", false),
    (
        "<animation type=\"keyframes\"><time_pose>1 0 0 90</time_pose></animation>",
        "<animation type=\"keyframes\"><time_pose>2 1 1 0</time_pose></animation>",
        false,
    ),
];

const OF_ACTORS: &[Given] = &[
    ("<walking_speed>2</walking_speed>", "<walking_speed>1</walking_speed>", false),
    ("<running_speed>4</running_speed>", "<running_speed>5</running_speed>", false),
    ("<collision_radius>0.2</collision_radius>", "<collision_radius>0.4</collision_radius>", false),
    ("<collision_height>1.5</collision_height>", "<collision_height>1.6</collision_height>", false),
    ("<animation_idle>a</animation_idle>", "<animation_idle>b</animation_idle>", false),
    ("<animation_walk>c</animation_walk>", "<animation_walk>d</animation_walk>", false),
    ("<animation_run>e</animation_run>", "<animation_run>f</animation_run>", false),
    (
        "<path loop=\"false\"><waypoint pause=\"2\">1 2 90</waypoint></path>",
        "<path><waypoint animation=\"run\">3 4 0</waypoint></path>",
        false,
    ),
];

const OF_VEHICLES: &[Given] = &[
    ("<init_vel>1 2 90</init_vel>", "<init_vel>3 4 180</init_vel>", false),
    ("<aerodynamics drag_area=\"1\"/>", "<aerodynamics lift_area=\"2\"/>", false),
    ("<odometry x_multiplier=\"2\"/>", "<odometry transform=\"truth\"/>", false),
    (
        "<suspension stiffness=\"1\" damping=\"2\"/>",
        "<suspension stiffness=\"3\" damping=\"4\"><axle wheels=\"l_wheel\"/></suspension>",
        false,
    ),
    ("<scale factor=\"2\"/>", "<scale factor=\"3\" law=\"constant_mass\"/>", false),
    ("<log_path>a</log_path>", "<log_path>b</log_path>", false),
    (
        "<auto_start_recording>true</auto_start_recording>",
        "<auto_start_recording>false</auto_start_recording>",
        false,
    ),
    ("<semantic class=\"a\"/>", "<semantic class=\"b\"/>", false),
    (
        "<dynamics class=\"differential\"><chassis mass=\"7\"/></dynamics>",
        "<dynamics class=\"differential\"><chassis mass=\"8\"/></dynamics>",
        false,
    ),
    ("<friction class=\"ellipse\"/>", "<friction class=\"wardiagnemma\"/>", false),
];

/// Returns a world with an instance of a class, and one with an element that has the values of both. A choice of 1
/// means that the instance gives an element, 2 its class, and 3 both.
fn worlds(tag: &str, rest: &str, given: &[Given], choice: &[u8], is_compat: bool) -> [World; 2] {
    let by = |bit: u8| given.iter().zip(choice).filter(move |(_, by)| *by & bit != 0);
    let own: String = by(1).map(|((own, ..), _)| *own).collect();
    let class: String = by(2).map(|((_, class, _), _)| *class).collect();
    let together = given.iter().zip(choice).map(|((own, class, class_first), by)| match by {
        0 => "",
        1 => own,
        2 => class,
        _ if *class_first && is_compat => class,
        _ => own,
    });
    let together: String = together.collect();
    let texts = [
        format!(
            "<{tag}:class name=\"c\">{class}</{tag}:class><{tag} class=\"c\">{rest}{own}</{tag}>"
        ),
        format!("<{tag}>{rest}{together}</{tag}>"),
    ];
    let options = if is_compat { compat() } else { LoadOptions::default() };
    texts.map(|text| {
        let text = format!("<mvsim_world>{text}</mvsim_world>");
        let loaded = world_with(&text, &[], &options);
        loaded.unwrap_or_else(|error| panic!("{text}\n{error}")).world
    })
}

fn values(block: &Block) -> String {
    let kept = (block.pose, block.velocity, block.skip_elevation_adjust, &block.polygon);
    let height = (block.z_min, block.z_max, block.top, block.mass, block.geometry);
    let contact = (block.ground_friction, block.lateral_friction, block.restitution);
    let rest = (block.is_static, block.intangible, block.color, block.visual_scale);
    let damping = (block.linear_damping, block.angular_damping);
    format!(
        "{kept:?} {height:?} {contact:?} {rest:?} {damping:?} {:?} {:?}",
        block.animation, block.semantic
    )
}

/// Returns choices for a list of elements.
fn choices(given: &[Given]) -> impl Strategy<Value = Vec<u8>> + use<> {
    prop::collection::vec(0_u8..4, given.len())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_block_and_its_class_are_one_block(choice in choices(OF_BLOCKS), is_compat: bool) {
        let mut choice = choice;
        // an outline from the geometry needs one
        let (from_visual, geometry) = (15, 16);
        if choice[from_visual] != 0 && choice[geometry] == 0 {
            choice[geometry] = 1;
        }
        let pose = "<init_pose>1 2 90</init_pose>";
        let [one, other] = worlds("block", pose, OF_BLOCKS, &choice, is_compat);
        prop_assert_eq!(values(&one.blocks[0]), values(&other.blocks[0]));
    }

    #[test]
    fn an_actor_and_its_class_are_one_actor(choice in choices(OF_ACTORS)) {
        let pose = "<init_pose>1 2 90</init_pose>";
        let [one, other] = worlds("actor", pose, OF_ACTORS, &choice, false).map(|world| {
            let actor = &world.actors[0];
            let speeds = (actor.walking_speed, actor.running_speed);
            let body = (actor.collision_radius, actor.collision_height, &actor.clips);
            format!("{speeds:?} {body:?} {:?}", actor.path)
        });
        prop_assert_eq!(one, other);
    }

    #[test]
    fn a_vehicle_and_its_class_are_one_vehicle(choice in choices(OF_VEHICLES)) {
        let mut choice = choice;
        let dynamics = 8;
        choice[dynamics] = choice[dynamics].max(1);
        let pose = "<init_pose>1 2 90</init_pose>";
        let [one, other] = worlds("vehicle", pose, OF_VEHICLES, &choice, false).map(|world| {
            let vehicle = &world.vehicles[0];
            let odometry = (vehicle.odometry_multipliers, vehicle.has_true_odometry_frame);
            let springs = vehicle.suspension.as_ref().map(|one| (one.stiffness, one.damping, one.axles.clone()));
            let start = (vehicle.pose, vehicle.velocity, vehicle.aerodynamics, vehicle.chassis.mass);
            let models = (&vehicle.friction.model.full_name, &vehicle.friction.values, &vehicle.wheels);
            format!("{odometry:?} {springs:?} {start:?} {models:?} {:?} {:?}", vehicle.log, vehicle.semantic)
        });
        prop_assert_eq!(one, other);
    }
}
