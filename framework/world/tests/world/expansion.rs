//! Loops, conditions, includes and names at any depth.

use crate::{compat, errors, vehicle, warnings, world, world_with};
use simhost_model::ParamValue;
use simhost_world::{Allow, LoadOptions, World};

const BODY: &str = "<init_pose>0 0 0</init_pose><dynamics class=\"differential\"/>";

fn loaded(text: &str, files: &[(&str, &str)]) -> World {
    let text = format!("<mvsim_world>{text}</mvsim_world>");
    let loaded = world_with(&text, files, &LoadOptions::default());
    loaded.unwrap_or_else(|error| panic!("{error}")).world
}

fn names(world: &World) -> Vec<&str> {
    world.vehicles.iter().map(|vehicle| vehicle.name.as_str()).collect()
}

#[test]
fn a_loop_runs_its_first_child_through_all_rounds_first() {
    let text = format!(
        "<for var=\"i\" from=\"$f{{1}}\" to=\"2\"><vehicle name=\"a${{i}}\">{BODY}</vehicle>\
         <if condition=\"$f{{i > 1}}\"><vehicle>{BODY}</vehicle></if></for>\
         <vehicle name=\"last${{i}}\">{BODY}</vehicle><for var=\"j\" from=\"2\" to=\"1\"><zzz/></for>"
    );
    assert_eq!(names(&loaded(&text, &[])), ["a1", "a2", "veh3", "last2"]);
}

#[test]
fn nested_loops_see_the_outer_variable() {
    let block = "<block><init_pose>${i} $f{j*10} 0</init_pose></block>";
    let text = format!(
        "<for var=\"i\" from=\"0\" to=\"1\"><for var=\"j\" from=\"1\" to=\"2\">{block}</for></for>"
    );
    let poses: Vec<_> =
        loaded(&text, &[]).blocks.iter().map(|block| (block.pose.x, block.pose.y)).collect();
    assert_eq!(poses, [(0.0, 10.0), (0.0, 20.0), (1.0, 10.0), (1.0, 20.0)]);
}

#[test]
fn conditions_are_words_or_numbers() {
    for (condition, expected) in
        [("yes", 1), ("ON", 1), ("2", 1), ("0x0", 0), ("0.5", 0), ("off", 0), ("${no|}", 0)]
    {
        let text = format!("<if condition=\"{condition}\"><vehicle>{BODY}</vehicle></if>");
        assert_eq!(loaded(&text, &[]).vehicles.len(), expected, "{condition}");
    }
    let odd = world("<mvsim_world><if condition=\"flase\"><zzz/></if></mvsim_world>").unwrap();
    assert!(warnings(&odd).contains("neither true nor false"));
    let text =
        errors(world("<mvsim_world><if/><for var=\"i\" from=\"x\" to=\"1\"/></mvsim_world>"));
    assert!(text.contains("<if> without a condition") && text.contains("`x` is not a loop bound"));
}

#[test]
fn loops_conditions_and_expressions_work_everywhere() {
    let files = [
        (
            "points.xml",
            "<for var=\"k\" from=\"0\" to=\"3\"><include file=\"point.xml\" n=\"${k}\"/></for>",
        ),
        ("point.xml", "<pt>$f{cos(n*pi/2)} $f{sin(${n}*pi/2)}</pt>"),
        (
            "lasers.xml",
            "<include file=\"laser.xml\" name=\"${prefix|l}1\"/><include file=\"laser.xml\" name=\"l2\"/>",
        ),
        (
            "laser.xml",
            "<sensor class=\"laser\" name=\"${name}\"><label>${NAME} of ${PARENT_NAME}</label></sensor>",
        ),
    ];
    let text = "<vehicle:class name=\"c\"><if condition=\"1\"><include file=\"lasers.xml\"/></if>\
        <dynamics class=\"differential\"><variable name=\"m\" value=\"$f{2+3}\"/>\
        <chassis mass=\"${m}\"><shape><include file=\"points.xml\"/></shape></chassis></dynamics>\
        </vehicle:class>\
        <for var=\"i\" from=\"1\" to=\"2\"><vehicle name=\"r${i}\" class=\"c\"><for var=\"q\" from=\"7\" to=\"7\">\
        <init_pose>${i} ${q} 0</init_pose></for></vehicle></for>";
    let world = loaded(text, &files);
    assert_eq!(names(&world), ["r1", "r2"]);
    let vehicle = &world.vehicles[1];
    assert_eq!((vehicle.pose.x, vehicle.pose.y), (2.0, 7.0));
    assert_eq!((vehicle.chassis.mass, vehicle.chassis.polygon.len()), (5.0, 4));
    let label = |index: usize| vehicle.sensors[index].model.values[8].clone();
    assert_eq!(label(0), ParamValue::Text("l1 of r2".to_owned()));
    assert_eq!(label(1), ParamValue::Text("l2 of r2".to_owned()));
}

#[test]
fn a_class_is_evaluated_for_every_instance() {
    let class = "<vehicle:class name=\"c\"><dynamics class=\"differential\"/>\
        <odometry x_multiplier=\"$f{1+0.1*randn()}\" y_multiplier=\"${w}\"/></vehicle:class>";
    let vehicle = |name: &str, w: u32| {
        format!(
            "<variable name=\"w\" value=\"{w}\"/><vehicle {name} class=\"c\">\
             <init_pose>0 0 0</init_pose></vehicle>"
        )
    };
    let both = format!("{class}{}{}", vehicle("name=\"a\"", 2), vehicle("", 3));
    let world = loaded(&both, &[]);
    let odometry = |world: &World, index: usize| world.vehicles[index].odometry_multipliers;
    assert_ne!(odometry(&world, 0)[0], odometry(&world, 1)[0]);
    assert_eq!((odometry(&world, 0)[1], odometry(&world, 1)[1]), (2.0, 3.0));
    // random draws in a named vehicle do not depend on the elements before it
    let more = format!("{class}{}{}", vehicle("name=\"b\"", 1), vehicle("name=\"a\"", 2));
    assert_eq!(odometry(&world, 0), odometry(&loaded(&more, &[]), 1));
}

#[test]
fn names_have_the_same_meaning_in_included_and_local_classes() {
    let files = [(
        "c.xml",
        "<vehicle:class name=\"${c}\"><dynamics class=\"differential\"/>\
        <init_pose>${x} 0 0</init_pose></vehicle:class>",
    )];
    let text = "<variable name=\"x\" value=\"1\"/><include file=\"c.xml\" c=\"a\"/>\
        <variable name=\"x\" value=\"2\"/><include file=\"c.xml\" c=\"b\"/>\
        <variable name=\"x\" value=\"3\"/><vehicle class=\"a\"/><vehicle class=\"b\"/>";
    let world = loaded(text, &files);
    assert_eq!((world.vehicles[0].pose.x, world.vehicles[1].pose.x), (1.0, 2.0));
}

#[test]
fn random_draws_do_not_depend_on_unrelated_elements() {
    let block = "<block><init_pose>$f{rand()} $f{rand()} 0</init_pose></block>";
    let looped = format!("<for var=\"i\" from=\"1\" to=\"3\">{block}</for>");
    let places = |text: &str| -> Vec<f64> {
        loaded(text, &[]).blocks.iter().flat_map(|block| [block.pose.x, block.pose.y]).collect()
    };
    let draws = places(&looped);
    let mut distinct = draws.clone();
    distinct.sort_by(f64::total_cmp);
    distinct.dedup();
    assert_eq!(distinct.len(), 6, "{draws:?}");
    assert_eq!(places(&format!("{looped}<gravity>$f{{rand()}}</gravity>")), draws);
    let seeded = format!("<variable name=\"x\" value=\"$f{{randomize(4)}}\"/>{looped}");
    assert_ne!(places(&seeded), draws);
}

#[test]
fn expressions_print_six_digits_in_the_compat_profile() {
    let text = "<mvsim_world><gravity>$f{1234.5678}</gravity></mvsim_world>";
    assert_eq!(world(text).unwrap().world.settings.gravity, 1234.5678);
    assert_eq!(world_with(text, &[], &compat()).unwrap().world.settings.gravity, 1234.57);
}

#[cfg(unix)]
#[test]
fn commands_run_where_they_are_allowed() {
    let text = "<mvsim_world><gravity>$(echo  ${n|3} )</gravity></mvsim_world>";
    let refused = errors(world(text));
    assert!(refused.contains("--allow shell"), "{refused}");
    let options =
        LoadOptions { allow: Allow { shell: true, ..Allow::default() }, ..LoadOptions::default() };
    assert_eq!(world_with(text, &[], &options).unwrap().world.settings.gravity, 3.0);
    let failing = "<mvsim_world><gravity>$(exit 4)</gravity></mvsim_world>";
    assert!(errors(world_with(failing, &[], &options)).contains("`exit 4` failed"));
}

#[test]
fn unused_arguments_and_remote_includes_are_reported() {
    let files = [
        ("a.xml", "<gravity>$f{g*2}</gravity>"),
        ("b.xml", "<include file=\"a.xml\" g=\"${g}\"/>"),
    ];
    let text = "<mvsim_world><include file=\"b.xml\" g=\"3\" h=\"1\"/></mvsim_world>";
    let loaded = world_with(text, &files, &LoadOptions::default()).unwrap();
    assert_eq!(loaded.world.settings.gravity, 6.0);
    assert_eq!(loaded.warnings.len(), 1, "{}", warnings(&loaded));
    assert!(warnings(&loaded).contains("does not read `h`"));
    let text = errors(world("<mvsim_world><include file=\"http://x.org/a.xml\"/></mvsim_world>"));
    assert!(text.contains("is not a local file"), "{text}");
}

#[test]
fn xml_namespace_attributes_are_ignored_everywhere() {
    let loaded = vehicle(
        "<dynamics xmlns:x=\"y\" xsi:type=\"z\" class=\"differential\"><chassis xmlns=\"w\"/></dynamics>",
    );
    assert!(loaded.unwrap().warnings.is_empty());
}

#[test]
fn errors_in_loops_and_conditions_are_reported_once() {
    let text = "<mvsim_world><for var=\"i\" from=\"1\" to=\"9\" step=\"2\"><gravity>${nope}</gravity></for>\
        <vehicle class=\"robt\"/><vehicle:class name=\"robot\"><x>${NAME}</x></vehicle:class>\
        <vehicle class=\"robt\"/></mvsim_world>";
    let error = world(text).unwrap_err();
    let text = error.to_string();
    assert_eq!(text.matches("unknown name `nope`").count(), 1, "{text}");
    assert!(!text.contains("the same for 2 elements"), "{text}");
    assert!(text.contains("unknown attribute `step` in `<for>`"), "{text}");
    assert!(text.contains("there is no <vehicle:class name=\"robt\">"), "{text}");
    assert!(text.contains("did you mean `robot`?"), "{text}");
}

/// Replaces each byte of a world that uses loops, conditions and expressions.
#[test]
fn changed_bytes_in_loops_and_expressions_never_panic() {
    let text = format!(
        "<mvsim_world><random_seed>3</random_seed><variable name=\"n\" value=\"$f{{2*rand()}}\"/>\
         <vehicle:class name=\"c\"><odometry x_multiplier=\"$f{{n>1?randn():-2e1}}\"/>\
         <if condition=\"${{x|1}}\"><sensor class=\"laser\" name=\"s\"><label>${{NAME}}${{PARENT_NAME}}\
         </label></sensor></if></vehicle:class><for var=\"i\" from=\"1\" to=\"$f{{2}}\">\
         <vehicle name=\"r${{i}}\" class=\"c\">{BODY}</vehicle></for><gui>$env{{X|}}</gui></mvsim_world>"
    );
    assert!(world(&text).is_ok());
    let catalogue = crate::Catalogue::new();
    for at in 0..text.len() {
        for byte in b"<>&\"${}|0/" {
            let mut bytes = text.clone().into_bytes();
            bytes[at] = *byte;
            let (path, options) = (std::path::Path::new("world.xml"), LoadOptions::default());
            let result = simhost_world::load_text(path, &bytes, &options, &catalogue);
            let _ = result.map_err(|error| error.to_string());
        }
    }
}

/// A value from the options replaces all those that the world gives a variable, at the top level only.
#[test]
fn options_give_values_to_variables() {
    let text = "<mvsim_world version=\"1.0\"><variable name=\"x\" value=\"1\"/>\
                <variable name=\"y\" value=\"$f{x+1}\"/><variable name=\"x\" value=\"7\"/>\
                <block name=\"b\"><variable name=\"y\" value=\"9\"/>\
                <init_pose>$(echo) ${x} ${y}</init_pose></block></mvsim_world>"
        .replace("$(echo)", "0");
    let with = |given: &[(&str, &str)]| {
        let variables = given.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        let options = LoadOptions { variables: variables.collect(), ..LoadOptions::default() };
        world_with(&text, &[], &options)
    };
    let pose = |given: &[(&str, &str)]| {
        let pose = with(given).unwrap().world.blocks[0].pose;
        [pose.y, pose.yaw.to_degrees().round()]
    };
    assert_eq!(pose(&[]), [7.0, 9.0]);
    assert_eq!(pose(&[("x", "3")]), [3.0, 9.0]);
    assert_eq!(pose(&[("y", "3")]), [7.0, 9.0]);
    let error = errors(with(&[("xx", "3")]));
    assert!(error.contains("no variable `xx`") && error.contains("did you mean `x`?"), "{error}");
}
