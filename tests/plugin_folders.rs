//! Plugin folders as they are found: with build products, with plugins that change the working folder,
//! and with classes that are named in the wrong place.

use crate::support::world::World;
use crate::support::{
    OPTIMISED, Outcome, Workspace, assert_parts,
    bad_plugins::{build, library_name},
    projects::root,
};

/// Returns a world with this content of its vehicle.
fn of(content: &str) -> World {
    let vehicle =
        format!("<vehicle name=\"v\">\n<init_pose>0 0 0</init_pose>\n{content}\n</vehicle>\n");
    World::new().set("duration", 0.1).xml(&vehicle)
}

/// Returns the text of such a world.
pub fn world(content: &str) -> String {
    of(content).text()
}

const DRIVE: &str = "<dynamics class=\"differential\"/>";

/// Returns the largest number of characters of a line.
fn width(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}

#[test]
fn the_list_is_sorted_and_grouped_and_fits_80_columns() {
    let workspace = Workspace::new(&world(DRIVE));
    build(&workspace.path("plugins"), "good", &[]);
    build(&workspace.path("plugins"), "taken", &["NAME=\"taken\"", "CLASS=\"ellipse\""]);
    let text = workspace.run(&["plugin", "list", "--plugin-dir", "plugins"]).stdout;
    assert!(width(&text) <= 80, "{text}");
    // the classes of a plugin stand under its name, by kind and name
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("no `{part}` in\n{text}"));
    for order in [
        &["acme/tyres 1.0.0", "plugins/good", "acme/magic", "acme/taken 1.0.0"][..],
        &["acme/ellipse  ambiguous", "simhost/simhost-dynamics", "simhost/differential_3_wheels"],
        &["simhost/simhost-sensors", "simhost/camera", "simhost/gnss", "simhost/laser"],
        &["dynamics    simhost/single_track_drift", "controller  simhost/steering_rate"],
    ] {
        assert!(order.is_sorted_by_key(|part| at(part)), "{order:?} in\n{text}");
    }
    let row = |class: &str| text.lines().find(|line| line.contains(class)).unwrap();
    assert!(row("simhost/laser").trim_end().ends_with("simhost/laser"), "{text}");
}

#[test]
fn build_products_do_not_fill_the_screen() {
    let workspace = Workspace::new(&world(DRIVE));
    let folder = workspace.path("plugins");
    let good = build(&folder, "good", &[]);
    let copies = if OPTIMISED { 60 } else { 20 };
    for number in 0..copies {
        for extension in ["o", "d", "rlib", "cmake"] {
            std::fs::write(folder.join(format!("unit-{number}.{extension}")), "x").unwrap();
        }
        let copy = library_name(&format!("libgood-{number:04x}"));
        std::fs::copy(&good, folder.join(copy)).unwrap();
        let text = library_name(&format!("libmacros-{number:04x}"));
        std::fs::write(folder.join(text), "not a library").unwrap();
    }
    let lines = |outcome: &Outcome| outcome.stdout.lines().count() + outcome.stderr.lines().count();
    for arguments in [
        &["world.xml", "--plugin-dir", "plugins"][..],
        &["check", "world.xml", "--plugin-dir", "plugins"],
        &["plugin", "info", "magic", "--plugin-dir", "plugins", "--json"],
    ] {
        let outcome = workspace.run(arguments);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        assert!(outcome.stderr.lines().count() < 20, "{}", outcome.stderr);
        let hidden = copies - 5;
        let copied = format!("{hidden} more files in plugins that are other versions or copies");
        assert_parts(&outcome.stderr, &[&copied, &format!("{} files", 4 * copies)]);
    }
    let empty = workspace.run(&["plugin", "list"]);
    let full = workspace.run(&["plugin", "list", "--plugin-dir", "plugins"]);
    // one row for each file that is a plugin, and few for the others
    assert!(lines(&full) < lines(&empty) + 60, "{}", full.stdout);
    let others = format!("{} more files in plugins that are not shared libraries", copies - 5);
    assert_parts(&full.stdout, &[&others]);
    let all = workspace.run(&["plugin", "list", "--plugin-dir", "plugins", "-v"]);
    let last = copies - 1;
    assert_parts(&all.stdout, &[&format!("libmacros-{last:04x}"), &format!("unit-{last}.rlib")]);
    // the error about an unknown class stays readable too
    workspace.write("world.xml", &world(&format!("{DRIVE}<friction class=\"majic\"/>")));
    let outcome = workspace.run(&["check", "world.xml", "--plugin-dir", "plugins"]);
    assert!(outcome.stderr.contains("did you mean `magic`?"), "{}", outcome.stderr);
    assert!(outcome.stderr.lines().count() < 30, "{}", outcome.stderr);
}

#[test]
fn relative_paths_survive_a_plugin_that_changes_the_working_folder() {
    let workspace = Workspace::new("");
    let included = "<include file=\"deep/vehicle.xml\"/>";
    workspace.write("world.xml", &World::new().set("duration", 0.1).xml(included).text());
    std::fs::create_dir(workspace.path("deep")).unwrap();
    let friction = "<friction class=\"magic\"/><sensor class=\"laser\" name=\"eye\"/>";
    let vehicle = world(&format!("{DRIVE}{friction}"));
    let vehicle = vehicle.lines().skip(2).take_while(|line| !line.starts_with("</mvsim"));
    let vehicle: String = vehicle.map(|line| format!("{line}\n")).collect();
    workspace.write("deep/vehicle.xml", &vehicle);
    workspace.write("commands.csv", "time_s,vehicle,kind,v1,v2\n");
    for (name, wrong) in [
        ("constructor", "ON_LOAD=if(chdir(\"/\"))abort()"),
        ("create", "IN_CREATE=if(chdir(\"/\"))abort()"),
        ("call", "IN_CALL=if(chdir(\"/\"))abort()"),
    ] {
        build(&workspace.path(name), "moves", &[wrong]);
        let out = format!("out-{name}");
        let words =
            ["world.xml", "--plugin-dir", name, "--out", &out, "--commands", "commands.csv"];
        let words = [&words[..], &["--snapshot-every", "0.05"]].concat();
        let outcome = workspace.run(&words);
        assert_eq!(outcome.code, 0, "{name}: {}", outcome.stderr);
        for file in ["trajectory.csv", "manifest.json", "trajectory.svg", "v.eye.csv"] {
            assert!(workspace.path(&out).join(file).is_file(), "{name}: no {file}");
        }
        let outcome = workspace.run(&["check", "world.xml", "world.xml", "--plugin-dir", name]);
        assert_eq!(outcome.code, 0, "{name}: {}", outcome.stderr);
        assert_eq!(outcome.stdout, "world.xml: ok\nworld.xml: ok\n");
    }
}

#[test]
fn a_class_of_another_kind_is_named_with_its_element() {
    let folder = tempfile::tempdir().unwrap();
    build(folder.path(), "pursuit", &["CLASS=\"pursuit\""]);
    for (content, parts) in [
        (
            "<dynamics class=\"twist_pid\"/>",
            &[
                "unknown dynamics class",
                "`twist_pid` is a controller",
                "<controller class=\"twist_pid\">",
            ],
        ),
        (
            "<dynamics class=\"differential\"><controller class=\"acme/pursuit\"/></dynamics>",
            &["unknown controller", "is a friction class", "<friction class=\"acme/pursuit\">"],
        ),
        (
            "<dynamics class=\"differential\"/><friction class=\"laser\"/>",
            &["unknown friction class", "`laser` is a sensor", "<sensor class=\"laser\">"],
        ),
        (
            "<dynamics class=\"differential\"/><sensor class=\"car_ackermann\"/>",
            &["unknown sensor class", "is a dynamics class", "directly inside a <vehicle>"],
        ),
        (
            "<dynamics class=\"differential\"/></vehicle><element class=\"pursuit\"/><vehicle>",
            &["unknown element class", "is a friction class", "<friction class=\"pursuit\">"],
        ),
    ] {
        let errors = of(content).plugins(folder.path()).errors();
        let text: String = errors.into_iter().map(|error| error.text).collect();
        assert_parts(&text, &parts[..]);
    }
}

/// Keys belong to the classes that declare them. MVSim's keys of controllers have no effect under
/// another built-in controller, and are unknown under a controller of another vendor.
#[test]
fn a_controller_of_another_vendor_has_its_own_keys_only() {
    let folder = tempfile::tempdir().unwrap();
    let compiled = std::process::Command::new("cc")
        .args(["-std=c99", "-shared", "-fPIC", "-I"])
        .args([root().join("sdk/c"), "-o".into(), folder.path().join(library_name("pilot"))])
        .args([root().join("sdk/templates/c/controller/model.c"), "-lm".into()])
        .status();
    assert!(compiled.unwrap().success());
    let with = |class: &str, key: &str| {
        let controller = format!("<controller class=\"{class}\"><{key}>1</{key}></controller>");
        let content = format!("<dynamics class=\"differential\">{controller}</dynamics>");
        of(&content).plugins(folder.path())
    };
    for key in ["KP", "KI", "l_torque", "V"] {
        let errors = with("template_name", key).errors();
        let text: String = errors.into_iter().map(|error| error.text).collect();
        let expected =
            "expected one of connect, goal_x, goal_y, max_speed, max_turn, speed_gain, turn_gain";
        let unknown = format!("unknown element `<{key}>` in `<controller>`");
        assert_parts(&text, &[&unknown, expected]);
        with("twist_ideal", key).open();
    }
    with("template_name", "turn_gain").open();
}
