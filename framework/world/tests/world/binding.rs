//! Values of model parameters, read from elements and attributes.

use simhost_model::ParamValue::{Bool, Items, None as Nothing, Number, Text};

use simhost_world::{LoadOptions, ParameterContext, load};

use crate::catalogue::Catalogue;
use crate::{compat, errors, vehicle, warnings, world_with};

const DIFFERENTIAL: &str = "<dynamics class=\"differential\"/>";

fn odd(tags: &str) -> Result<simhost_world::Loaded, simhost_world::LoadError> {
    vehicle(&format!("{DIFFERENTIAL}<friction class=\"odd\"><needed>1</needed>{tags}</friction>"))
}

#[test]
fn values_come_in_the_order_of_declaration_with_defaults() {
    let friction =
        "<friction class=\"default\" C_rr=\"0.01\"><friction_mu>0.7</friction_mu></friction>";
    let loaded = vehicle(&format!("{DIFFERENTIAL}{friction}")).unwrap();
    let friction = &loaded.world.vehicles[0].friction;
    assert_eq!(*friction.values, [Number(0.7), Number(0.5), Number(0.01)]);
    assert_eq!(&*friction.model.full_name, "simhost/default");
}

#[test]
fn units_are_converted_for_parameters_and_set_points() {
    let loaded = vehicle(
        "<dynamics class=\"ackermann\"><max_steer_ang_deg>180</max_steer_ang_deg>\
         <controller class=\"twist_front_steer_pid\"><V>2</V><W>180</W></controller></dynamics>",
    )
    .unwrap();
    let vehicle = &loaded.world.vehicles[0];
    assert_eq!(vehicle.dynamics.values[2], Number(std::f64::consts::PI));
    let expected = [("v".to_owned(), 2.0), ("w".to_owned(), std::f64::consts::PI)];
    assert_eq!(*vehicle.controller.set_points, expected);
}

#[test]
fn groups_lists_paths_and_integers_are_bound() {
    let loaded =
        odd("<table>t.csv</table><triple>1, 2 3</triple><rounds>$f{7/2}</rounds>").unwrap();
    let values = &loaded.world.vehicles[0].friction.values;
    let Text(path) = &values[1] else { panic!("{values:?}") };
    assert!(std::path::Path::new(path).is_absolute() && path.ends_with("t.csv"), "{path}");
    assert_eq!(values[2], Items(vec![Number(1.0), Number(2.0), Number(3.0)]));
    assert_eq!(values[3], Number(3.0));
    let loaded = vehicle(
        "<dynamics class=\"ackermann_drivetrain\"><drivetrain type=\"open_4wd\">\
         <front_rear_split>0.3</front_rear_split></drivetrain></dynamics>",
    )
    .unwrap();
    let Items(group) = &loaded.world.vehicles[0].dynamics.values[3] else { panic!() };
    assert_eq!(group[..2], [Text("open_4wd".to_owned()), Number(0.3)]);
    assert_eq!(loaded.world.vehicles[0].friction.values[0], Number(0.8));
}

#[test]
fn a_list_of_groups_is_read_from_repeated_elements() {
    let values = |tags: &str| odd(tags).unwrap().world.vehicles[0].friction.values[5].clone();
    let stop = |t: f64, x: f64| Items(vec![Number(t), Number(x)]);
    assert_eq!(
        values("<stop t=\"1\" x=\"2\"/><stop t=\"3\"><x>4</x></stop>"),
        Items(vec![stop(1.0, 2.0), stop(3.0, 4.0)])
    );
    assert_eq!(values(""), Nothing);
    assert!(errors(odd("<stop z=\"1\"/>")).contains("unknown attribute `z` in `<stop>`"));
}

#[test]
fn invalid_values_report_what_was_expected() {
    for (tags, expected) in [
        ("<triple>1 2</triple>", "has 2 numbers"),
        ("<triple>1 2 x</triple>", "not a number: `x`"),
        ("<rounds>1.5</rounds>", "not a whole number"),
        ("<part>0</part>", "greater than 0, at most 1"),
        ("<part>nan</part>", "`part` is not a number"),
        ("<part>inf</part>", "`part` is not a number"),
        ("<part>1kg</part>", "write `1` without `kg`"),
        ("<part/>", "`<part>` is empty"),
        ("<paart>1</paart>", "did you mean `part`?"),
        ("<part>1<x/></part>", "unknown element `<x>` in `<part>`"),
    ] {
        let text = errors(odd(tags));
        assert!(text.contains(expected), "{tags}: {text}");
    }
    let text = errors(vehicle(&format!("{DIFFERENTIAL}<friction class=\"odd\"/>")));
    assert!(text.contains("missing `needed`"), "{text}");
    let text = errors(vehicle(
        "<dynamics class=\"ackermann_drivetrain\"><drivetrain type=\"torsen_4dw\"/></dynamics>",
    ));
    assert!(text.contains("did you mean `torsen_4wd`?"), "{text}");
}

#[test]
fn parameters_of_other_classes_are_accepted_without_effect() {
    let loaded = vehicle(
        "<dynamics class=\"ackermann\"><drivetrain type=\"x\"><y/></drivetrain><controller \
         class=\"twist_ideal\"><KP>1</KP><l_torque>2</l_torque></controller></dynamics>",
    )
    .unwrap();
    let text = warnings(&loaded);
    for name in ["drivetrain", "KP", "l_torque"] {
        assert!(text.contains(&format!("`{name}` has no effect")), "{text}");
    }
}

#[test]
fn the_compat_profile_forces_and_limits_parameters() {
    let text = "<mvsim_world><vehicle><init_pose>0 0 0</init_pose><dynamics class=\"ackermann\">\
        <rl_wheel/><controller class=\"front_steer_pid\"><KP>7</KP><N>3</N><V>1</V></controller>\
        </dynamics><friction class=\"ellipse\"/></vehicle></mvsim_world>";
    let loaded = world_with(text, &[], &compat()).unwrap();
    let vehicle = &loaded.world.vehicles[0];
    assert_eq!(vehicle.friction.values.last(), Some(&Bool(true)));
    assert_eq!(vehicle.controller.values[0], Number(7.0));
    assert_eq!(vehicle.controller.values[4], Number(0.5), "N keeps its default");
    assert!(warnings(&loaded).contains("`N` has no effect in profile"));
    assert_eq!((vehicle.wheels[0].x, vehicle.wheels[0].y), (0.0, -0.5));
    let corrected = world_with(text, &[], &Default::default()).unwrap();
    let vehicle = &corrected.world.vehicles[0];
    assert_eq!(vehicle.friction.values.last(), Some(&Bool(false)));
    assert_eq!(vehicle.controller.values[4], Number(3.0));
    assert_eq!(vehicle.wheels[0].y, 0.9);
    assert_ne!(vehicle.controller.values[0], Nothing);
}

/// Places values of parameters in a world with the file `more.xml` next to it.
fn placed(text: &str, values: &[(&str, &str)]) -> Result<String, String> {
    let more = "<vehicle name=\"far\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\"/></vehicle>";
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("more.xml"), more).unwrap();
    let path = directory.path().join("world.xml");
    std::fs::write(&path, text).unwrap();
    let (options, classes) = (LoadOptions::default(), Catalogue::new());
    let loaded = load(&path, &options, &classes).unwrap();
    let values: Vec<_> = values.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    let with = ParameterContext { sources: &loaded.sources, options: &options, classes: &classes };
    let placed = loaded.world.place_parameters(&values, &path, with);
    placed.map_err(|error| error.to_string())
}

#[test]
fn values_are_placed_in_the_text_of_a_world_file() {
    let text = "<mvsim_world version=\"1.0\">
  <!-- mu was measured -->
  <vehicle name=\"r\">
    <init_pose>0 0 0</init_pose>
    <dynamics class=\"ackermann\"><controller class='twist_front_steer_pid' ><KP> 3 </KP></controller></dynamics>
    <friction class=\"default\" C_rr=\"0.01\"><friction_mu>0.7</friction_mu> <!-- dry --></friction>
  </vehicle>
</mvsim_world>
";
    let values = [
        ("r/friction/mu", "0.25"),
        ("r/friction/C_rr", "0.5"),
        ("r/friction/C_damping", "1e-3"),
        ("r/controller/KP", "7.125"),
        ("r/controller/KI", "2"),
        ("r/dynamics/max_steer_ang_deg", "33.3"),
    ];
    let expected = text
        .replace("<friction_mu>0.7<", "<friction_mu>0.25<")
        .replace("\"default\" C_rr=\"0.01\"", "\"default\" C_damping=\"1e-3\" C_rr=\"0.5\"")
        .replace("pid' ><KP> 3 <", "pid' KI=\"2\" ><KP> 7.125 <")
        .replace("\"ackermann\"", "\"ackermann\" max_steer_ang_deg=\"33.3\"");
    assert_eq!(placed(text, &values), Ok(expected));
    assert_eq!(placed(text, &[]).as_deref(), Ok(text));
}

#[test]
fn a_value_without_a_place_of_its_own_says_why() {
    let vehicle = |name: &str, friction: &str| {
        format!(
            "<vehicle name=\"{name}\"><init_pose>0 0 0</init_pose>{DIFFERENTIAL}{friction}</vehicle>"
        )
    };
    let world = |content: &str| format!("<mvsim_world version=\"1.0\">{content}</mvsim_world>");
    let friction = "<friction class=\"default\" mu=\"0.7\"/>";
    let of_class = |name: &str| {
        format!("<vehicle name=\"{name}\" class=\"k\"><init_pose>0 0 0</init_pose></vehicle>")
    };
    let class = format!(
        "<vehicle:class name=\"k\">{DIFFERENTIAL}{friction}</vehicle:class>{}{}",
        of_class("a"),
        of_class("b")
    );
    let looped = format!(
        "<for var=\"i\" from=\"1\" to=\"1\">{}</for>",
        vehicle("a", friction).replace("\"a\"", "\"a${i}\"")
    );
    let computed = friction.replace("0.7", "$f{0.5+0.2}");
    for (text, name, value, why) in [
        (vehicle("a", friction), "a/friction/nu", "1", "did you mean"),
        (vehicle("a", friction), "a/friction/mu", "-1", "at least 0"),
        (vehicle("a", ""), "a/friction/mu", "1", "has no separate element"),
        (vehicle("a", &computed), "a/friction/mu", "1", "is the expression '$f{0.5+0.2}'"),
        (looped, "a1/friction/mu", "1", "is in the <for>"),
        (class, "a/friction/mu", "1", "'b/friction/mu' has the same place"),
        ("<include file=\"more.xml\"/>".to_owned(), "far/friction/mu", "1", "more.xml"),
    ] {
        let error = placed(&world(&text), &[(name, value)]).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
}
