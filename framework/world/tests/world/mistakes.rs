//! Errors and warnings for invalid worlds.

use simhost_world::{LoadOptions, Severity};

use crate::{compat, errors, vehicle, warnings, world, world_with};

const WRONG: &str = "<mvsim_world version=\"1.0\">
  <duraton>5</duraton>
  <gravity>-1</gravity>
  <vehicle name=\"a\">
    <init_pose>0 0</init_pose>
    <dynamics class=\"diferential\">
    </dynamics>
    <friction class=\"default\"><mu>15kg</mu></friction>
  </vehicle>
  <block><init_pose>0 0 0</init_pose><mass>0</mass><shape><pt>0 0</pt><pt>1 1</pt></shape></block>
</mvsim_world>";

#[test]
fn all_errors_are_reported_in_one_pass_in_order() {
    let error = world(WRONG).unwrap_err();
    assert!(!error.usage);
    let messages: Vec<_> = error.diagnostics.iter().map(|d| d.message.as_str()).collect();
    let expected = [
        "unknown element `<duraton>` in a world",
        "`gravity` is out of range: -1",
        "cannot parse `init_pose`: `0 0`",
        "unknown dynamics class `diferential`",
        "`mu` is not a number: `15kg`",
        "`mass` is out of range: 0",
        "the outline has 2 points",
    ];
    assert_eq!(messages, expected);
    let text = error.to_string();
    assert!(text.contains("did you mean `duration`?"), "{text}");
    assert!(text.contains("did you mean `differential`?"), "{text}");
    assert!(text.contains("choose a dynamics class: ackermann, "), "{text}");
    let span = error.diagnostics[4].span.unwrap();
    let (path, line, column) = error.sources.position(span);
    assert_eq!((path.file_name().unwrap().to_str(), line, column), (Some("world.xml"), 8, 35));
}

#[test]
fn at_most_twenty_errors_are_shown() {
    let text = format!("<mvsim_world>{}</mvsim_world>", "<zzz/>".repeat(50));
    let error = world(&text).unwrap_err();
    assert_eq!((error.diagnostics.len(), error.hidden_errors), (20, 30));
    assert!(error.to_string().contains("30 more errors"));
}

#[test]
fn unknown_names_can_be_warnings_but_invalid_values_are_errors() {
    let text = "<mvsim_world colour=\"1\"><duraton/><element class=\"skybax\"/></mvsim_world>";
    let lenient = LoadOptions { lenient: true, ..LoadOptions::default() };
    for options in [lenient, compat()] {
        assert_eq!(world_with(text, &[], &options).unwrap().warnings.len(), 3);
        let error = world_with(WRONG, &[], &options).unwrap_err();
        let wrong = error.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        assert_eq!(wrong.count(), 6);
    }
    let text = errors(world(text));
    assert!(text.contains("did you mean `skybox`?"), "{text}");
}

#[test]
fn different_profiles_in_option_and_file_are_a_usage_error() {
    let file = |profile: &str| format!("<mvsim_world compat=\"{profile}\"></mvsim_world>");
    let named = world_with(&file("mvsim-1.2"), &[], &compat()).unwrap();
    assert_eq!(named.world.settings.profile.name, "mvsim-1.2");
    let conflict = world_with(&file("corrected"), &[], &compat()).unwrap_err();
    assert!(conflict.usage);
    let unknown = world(&file("mvsim-1.3")).unwrap_err();
    assert!(!unknown.usage && unknown.to_string().contains("corrected, mvsim-1.2"));
    let flag = LoadOptions { compat: Some("x".to_owned()), ..LoadOptions::default() };
    assert!(world_with(&file("corrected"), &[], &flag).unwrap_err().usage);
}

#[test]
fn errors_about_classes_give_the_reason() {
    let friction = |class: &str| {
        errors(vehicle(&format!("<dynamics class=\"differential\"/><friction class=\"{class}\"/>")))
    };
    assert!(friction("broken").contains("libbroken.so was skipped"));
    assert!(friction("twofold").contains("a/twofold, b/twofold"));
    let text = errors(vehicle(
        "<dynamics class=\"differential\"><controller class=\"front_steer_pid\"/></dynamics>\
         <sensor class=\"sonar\"/>",
    ));
    assert!(text.contains("nothing takes torque_fl, torque_fr, steer"), "{text}");
    assert!(text.contains("nothing takes output `engine_torque` of phase `control`"), "{text}");
    assert!(text.contains("unknown sensor class `sonar`"), "{text}");
}

#[test]
fn confusing_an_attribute_with_an_element_is_explained() {
    let text = errors(vehicle(
        "<dynamics class=\"differential\"><chassis shape=\"1\"><mass>5</mass></chassis></dynamics>",
    ));
    assert!(text.contains("write it as an element: <shape>"), "{text}");
    assert!(text.contains("write it as an attribute: <chassis mass="), "{text}");
}

#[test]
fn only_settings_that_matter_are_reported_as_having_no_effect() {
    let loaded = world(
        "<mvsim_world><gui><win_w>8</win_w></gui><b2d_vel_iters>8</b2d_vel_iters>\
         <max_slope_to_collide>0.1</max_slope_to_collide></mvsim_world>",
    )
    .unwrap();
    assert_eq!(loaded.warnings.len(), 1);
    assert!(warnings(&loaded).contains("`<b2d_vel_iters>` has no effect"));
}

#[test]
fn invalid_shapes_and_heights_of_a_chassis_are_errors() {
    let chassis = |inside: &str, attributes: &str| {
        errors(vehicle(&format!(
            "<dynamics class=\"differential\"><chassis {attributes}>{inside}</chassis></dynamics>"
        )))
    };
    let shape = |points: &[&str]| {
        let points: String = points.iter().map(|point| format!("<pt>{point}</pt>")).collect();
        chassis(&format!("<shape>{points}</shape>"), "")
    };
    assert!(shape(&["0 0", "1 1", "2 2"]).contains("no area"));
    assert!(shape(&["0 0", "1 1", "1 0", "0 2"]).contains("crosses itself"));
    assert!(chassis("", "zmin=\"1\" zmax=\"1\"").contains("not above"));
    assert!(chassis("", "mass=\"-3\"").contains("greater than 0"));
}

#[test]
fn stray_text_is_a_warning_and_many_warnings_hide_no_error() {
    let loaded = vehicle("<dynamics class=\"differential\">5</dynamics>").unwrap();
    assert!(warnings(&loaded).contains("text in `<dynamics>` has no effect"));
    let many = "<zzz/>\n".repeat(3000);
    let text =
        format!("<mvsim_world>{many}<gravity>x</gravity><duration>2</duration></mvsim_world>");
    let error = errors(world_with(&text, &[], &compat()));
    assert!(error.contains("`gravity` is not a number"));
    let fine = text.replace("<gravity>x</gravity>", "");
    let loaded = world_with(&fine, &[], &compat()).unwrap();
    assert_eq!(loaded.world.settings.duration, Some(2.0));
}

#[test]
fn duplicates_are_reported_once() {
    let warning_count = |text: &str| world(text).unwrap().warnings.len();
    assert_eq!(
        warning_count(
            "<mvsim_world><block name=\"a\" name=\"b\"><init_pose>0 0 0</init_pose></block></mvsim_world>"
        ),
        1
    );
    let loaded =
        vehicle("<dynamics class=\"differential\"><chassis mass=\"3\" mass=\"4\"/></dynamics>")
            .unwrap();
    assert!(warnings(&loaded).contains("duplicate attribute `mass`"));
    assert_eq!((loaded.warnings.len(), loaded.world.vehicles[0].chassis.mass), (1, 4.0));
}

#[test]
fn a_second_section_adds_to_the_first_with_a_warning() {
    let loaded = world(
        "<mvsim_world><gui><win_w>100</win_w><win_h>50</win_h></gui><gravity>1</gravity>\
         <gui><win_w>200</win_w></gui><gravity>2</gravity></mvsim_world>",
    )
    .unwrap();
    assert_eq!(loaded.world.scenery.gui.size, [200, 50]);
    assert_eq!(loaded.world.settings.gravity, 2.0);
    let text = warnings(&loaded);
    assert!(text.contains("a second `<gui>`") && text.contains("duplicate `<gravity>`"), "{text}");
    assert_eq!(loaded.warnings.len(), 2);
}

#[test]
fn diagnostics_repeated_by_a_loop_are_reported_once_with_a_count() {
    let loaded = world(
        "<mvsim_world><for var=\"i\" from=\"1\" to=\"5\"><block><init_pose>$f{3*i} 0 0</init_pose>\
         5</block></for></mvsim_world>",
    )
    .unwrap();
    let text = warnings(&loaded);
    assert_eq!(loaded.warnings.len(), 1, "{text}");
    assert!(text.contains("the same for 5 elements generated here"), "{text}");
}

#[test]
fn parameters_of_another_class_share_one_warning() {
    let loaded = vehicle(
        "<dynamics class=\"differential\"><controller class=\"twist_ideal\"><KP>1</KP><KI>2</KI>\
         </controller></dynamics>",
    )
    .unwrap();
    assert!(warnings(&loaded).contains("`KP`, `KI` have no effect under controller `twist_ideal`"));
    assert_eq!(loaded.warnings.len(), 1);
}

#[test]
fn errors_about_elements_suggest_a_correction() {
    let of = |inside: &str| errors(world(&format!("<mvsim_world>{inside}</mvsim_world>")));
    let map = of("<element class=\"occupancy_grid\"/>");
    assert!(map.contains("missing `file` in `<element class=\"occupancy_grid\">`"), "{map}");
    for (inside, help) in [
        ("<element class=\"elevation_map\"/>", "help: write <elevation_data_matrix>"),
        (
            "<element class=\"property_region\"><property_name>friction_mu</property_name>\
             <value_bool>1</value_bool></element>",
            "help: write <value_double>",
        ),
        ("<element class=\"skybox\"><textures>sky.png</textures></element>", "sky_%s.png"),
        ("<element class=\"pointcloud\"/>", "help: write <file_txt_3d>"),
    ] {
        let text = of(inside);
        assert!(text.contains(help), "{text}");
    }
}

#[test]
fn very_long_lines_are_not_quoted() {
    let text = format!("<mvsim_world>{}<zzz/></mvsim_world>", "      ".repeat(1000));
    let text = errors(world(&text));
    assert!(text.contains("world.xml:1:6015") && text.len() < 500, "{text}");
}

/// A terminal would take them as commands.
#[test]
fn control_characters_are_errors() {
    let vehicle = |name: &str| {
        format!(
            "<mvsim_world><vehicle name=\"{name}\"><init_pose>0 0 0</init_pose>\
             <dynamics class=\"differential\"/></vehicle></mvsim_world>"
        )
    };
    for name in ["v&#27;]0;title&#7;", "v\u{1b}[2J", "v&#0;", "v\u{9b}31m", "v&#127;"] {
        let error = world(&vehicle(name)).unwrap_err();
        assert!(
            error.diagnostics[0].message.starts_with("control character U+00"),
            "{name:?}: {error}"
        );
        let shown = error.to_string();
        assert!(!shown.contains(|letter: char| letter.is_control() && letter != '\n'), "{shown:?}");
    }
    for name in [
        "v\u{202e}x",
        "v&#x202E;x",
        "v&#x2066;",
        "v&#x200F;",
        "v&#10;x",
        "v\tx",
        "v&#x85;x",
        "v&#x2028;x",
    ] {
        let error = world(&vehicle(name)).unwrap_err();
        let shown = error.to_string();
        assert!(shown.contains("control character U+"), "{name:?}: {shown}");
        let is_hidden =
            |letter| matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        assert!(!shown.contains(is_hidden), "{shown:?}");
    }
    let text = "<mvsim_world><duration>\t5&#10;\r\n</duration></mvsim_world>";
    assert_eq!(world(text).unwrap().world.settings.duration, Some(5.0));
    // SAFETY: no other test reads or sets this variable.
    unsafe { std::env::set_var("SIMHOST_TEST_ESCAPE", "v\u{1b}[2J") };
    let error = world(&vehicle("$env{SIMHOST_TEST_ESCAPE}")).unwrap_err();
    assert!(error.diagnostics[0].message.starts_with("control character U+001B"), "{error}");
    for (entity, code) in [("&#8;", "U+0008"), ("&#0;", "U+0000"), ("&#x0;", "U+0000")] {
        let text = format!("<mvsim_world><duration>{entity}5</duration></mvsim_world>");
        let error = world(&text).unwrap_err();
        let expected = format!("control character {code}");
        assert!(error.diagnostics[0].message.starts_with(&expected), "{error}");
    }
}
