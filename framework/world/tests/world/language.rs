//! Variables, expressions and includes.

use crate::{compat, errors, warnings, world, world_with};
use simhost_world::LoadOptions;

fn gravity(text: &str) -> f64 {
    let world = world(&format!(
        "<mvsim_world><variable name=\"A\" value=\"2\"/><variable name=\"B\" value=\"$f{{A+1}}\"/>\
         <gravity>{text}</gravity></mvsim_world>"
    ));
    world.unwrap_or_else(|error| panic!("{error}")).world.settings.gravity
}

#[test]
fn variables_and_expressions_are_replaced() {
    for (text, expected) in [
        ("${A}", 2.0),
        ("${B}", 3.0),
        ("${C|4}", 4.0),
        ("${C|${D|$f{640/2}}}", 320.0),
        ("$f{A*B}", 6.0),
        ("$f{1.0/${rate|8}}", 0.125),
        ("$env{SIMHOST_NOT_SET_ANYWHERE|5}", 5.0),
        ("1${A}", 12.0),
    ] {
        assert_eq!(gravity(text), expected, "{text}");
    }
}

#[test]
fn errors_in_names_point_to_the_value() {
    for (text, expected, column) in [
        ("${AA}", "did you mean `A`?", 10),
        ("1${AA}", "did you mean `A`?", 11),
        ("${A", "without a closing `}`", 10),
        ("$f{1/0}", "evaluates to inf", 10),
        ("$f{A+}", "unexpected end", 15),
        ("  $f{A + Q * 2}", "unknown name `Q`", 19),
        ("2 $f{2 * nothing(A)}", "unknown function `nothing`", 19),
        ("$f{${A} * Q}", "unknown name `Q`", 10),
        ("&#48;$f{Q}", "unknown name `Q`", 10),
        ("$(ls)", "shell commands are not allowed", 10),
        ("$env{SIMHOST_NOT_SET_ANYWHERE}", "is not set", 10),
    ] {
        let world = world(&format!(
            "<mvsim_world>\n<variable name=\"A\" value=\"2\"/>\n<gravity>{text}</gravity>\n</mvsim_world>"
        ));
        let message = errors(world);
        assert!(message.contains(expected), "{text}: {message}");
        assert!(message.contains(&format!("world.xml:3:{column}\n")), "{text}: {message}");
    }
}

#[test]
fn a_refused_value_causes_no_second_error_where_it_is_used() {
    let world = world(
        "<mvsim_world><variable name=\"a\" value=\"$(ls)\"/><gravity>${a}</gravity>\
         <duration>$f{2*a}</duration></mvsim_world>",
    );
    let error = world.unwrap_err();
    let messages: Vec<_> = error.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(messages, ["shell commands are not allowed in world files"]);
}

#[test]
fn an_error_in_an_argument_points_to_the_argument() {
    let files = [("a.xml", "<block name=\"${x}\"><init_pose>0 0 $f{x}</init_pose></block>")];
    let text = "<mvsim_world><include file=\"a.xml\" x=\"${nothing}\"/></mvsim_world>";
    let error = world_with(text, &files, &LoadOptions::default()).unwrap_err();
    let message = error.to_string();
    assert_eq!(error.diagnostics.len(), 1, "{message}");
    assert!(message.contains("world.xml:1:39"), "{message}");
}

#[test]
fn values_that_grow_without_bound_are_refused() {
    let mut text = "<mvsim_world><variable name=\"a0\" value=\"xxxxxxxxxx\"/>".to_owned();
    for level in 1..30 {
        let value = format!("${{a{}}}", level - 1).repeat(10);
        text += &format!("<variable name=\"a{level}\" value=\"{value}\"/>");
    }
    let message = errors(world(&(text + "</mvsim_world>")));
    assert!(message.contains("without bound"), "{message}");
}

#[test]
fn arguments_are_visible_in_their_file_only() {
    let files = [
        (
            "sub/a.xml",
            "<vehicle:class name=\"c\"><dynamics class=\"${d|ackermann}\"/>\
            <include file=\"b.xml\" x=\"${x}\" unused=\"1\"/></vehicle:class>",
        ),
        (
            "sub/b.xml",
            "<sensor class=\"laser\" name=\"${s|laser}\"><nrays>${x}</nrays>\
            <label>${PARENT_NAME}/${NAME}/${d|hidden}</label></sensor>",
        ),
    ];
    let text = "<mvsim_world><include file=\"sub/a.xml\" d=\"differential\" x=\"$f{2*8}\"/>\
        <vehicle name=\"r\" class=\"c\"><init_pose>0 0 0</init_pose></vehicle></mvsim_world>";
    let loaded = world_with(text, &files, &LoadOptions::default()).unwrap();
    let vehicle = &loaded.world.vehicles[0];
    assert_eq!(vehicle.wheels.len(), 2);
    let values = &vehicle.sensors[0].model.values;
    assert_eq!(values[3], simhost_model::ParamValue::Number(16.0));
    assert_eq!(values[8], simhost_model::ParamValue::Text("r/laser/hidden".to_owned()));
    let warnings = warnings(&loaded);
    assert!(warnings.contains("does not read `unused`"), "{warnings}");
    assert!(!warnings.contains("does not read `x`"), "{warnings}");
}

#[test]
fn environment_variables_in_included_files_depend_on_the_profile() {
    let files = [("a.xml", "<vehicle name=\"${CARGO_PKG_NAME|x}${CARGO_PKG_VERSION_PRE}\"/>")];
    let text = "<mvsim_world><include file=\"a.xml\"/></mvsim_world>";
    let corrected = errors(world_with(text, &files, &LoadOptions::default()));
    assert!(corrected.contains("vehicle `x` has no pose"), "{corrected}");
    assert!(corrected.contains("write $env{CARGO_PKG_VERSION_PRE}"), "{corrected}");
    let compat = errors(world_with(text, &files, &compat()));
    assert!(compat.contains("vehicle `simhost-world` has no pose"), "{compat}");
    assert!(!compat.contains("write $env"), "{compat}");
    let main =
        errors(world("<mvsim_world><gravity>${CARGO_PKG_VERSION_PRE}</gravity></mvsim_world>"));
    assert!(main.contains("unknown name"), "{main}");
}

#[test]
fn random_values_repeat_with_the_seed() {
    let draw = |seed: u32| {
        let text = format!(
            "<mvsim_world><gravity>$f{{unifrnd(1,2)}}</gravity><random_seed>{seed}</random_seed></mvsim_world>"
        );
        world(&text).unwrap().world.settings.gravity
    };
    assert_eq!(draw(3), draw(3));
    assert_ne!(draw(3), draw(4));
}
