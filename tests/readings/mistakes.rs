//! Readings that do not fit are refused when a world is loaded.

use super::{Workspace, eye, plugins, run, world};

/// A change of the plugin, the text in the `<controller>`, the sensors, and parts of the error.
type Mistake<'m> = (&'m str, &'m str, String, &'m [&'m str]);

const REQUIRED: &str = "CONTROL_IN=SIMHOST_PORT_OF(SIMHOST_SCOPE_ARRAY,SIMHOST_PORT_FLAG_REQUIRED,\
                        \"ranges\",\"m\",\"\",0.0),SIMHOST_PORT(\"vx\",\"m/s\",\"\",0.0)";
const NUMBER: &str =
    "CONTROL_IN=SIMHOST_PORT(\"ranges\",\"m\",\"\",0.0),SIMHOST_PORT(\"vx\",\"m/s\",\"\",0.0)";
const FEET: &str =
    "CONTROL_IN=SIMHOST_ARRAY_PORT(\"ranges\",\"ft\",\"\"),SIMHOST_PORT(\"vx\",\"m/s\",\"\",0.0)";
const OF_HOST: &str =
    "CONTROL_IN=SIMHOST_ARRAY_PORT(\"vx\",\"m/s\",\"\"),SIMHOST_PORT(\"vy\",\"m/s\",\"\",0.0)";
const OUTPUT: &str =
    "READ_OUT=SIMHOST_ARRAY_PORT(\"ranges\",\"m\",\"\"),SIMHOST_PORT(\"level\",\"V\",\"\",0.0)";
const UNKNOWN_NUMBER: &str =
    "CONTROL_IN=SIMHOST_ARRAY_PORT(\"ranges\",\"m\",\"\"),SIMHOST_PORT(\"levle\",\"V\",\"\",0.0)";

fn mistakes() -> Vec<Mistake<'static>> {
    let two = || [eye("left", 3, ""), eye("right", 3, "")].concat();
    let one = || eye("left", 3, "");
    vec![
        (
            "",
            "",
            two(),
            &[
                "ambiguous input `ranges` of phase `control`",
                "sensors `left` and `right` have an output `ranges`",
                "<connect input=\"ranges\" from=\"left/ranges\"/>",
                "in vehicle `a`",
            ],
        ),
        (
            "",
            "<connect input=\"ranges\" from=\"lfet/ranges\"/>",
            two(),
            &["unknown sensor `lfet`", "did you mean `left`?", "`left`, `right`", "world.xml:"],
        ),
        (
            "",
            "<connect input=\"ranges\" from=\"left/range\"/>",
            one(),
            &["unknown output `range` of sensor `left`", "did you mean `ranges`?", "`level`"],
        ),
        (
            "",
            "<connect input=\"rnges\" from=\"left/ranges\"/>",
            one(),
            &["unknown input `rnges` of controller `acme/follower`", "did you mean `ranges`?"],
        ),
        (
            "",
            "<connect input=\"ranges\" from=\"left\"/>",
            one(),
            &["`left` does not name an output", "such as `left/ranges`"],
        ),
        (
            "",
            "<connect input=\"level\" from=\"left/ranges\"/>",
            one(),
            &["input `level` of phase `control` has one value per vehicle", "one per ray"],
        ),
        (
            "",
            "<connect input=\"ranges\" from=\"left/level\"/>",
            one(),
            &["input `ranges` of phase `control` is in m", "sensor `left` has it in V"],
        ),
        (
            "",
            "<connect input=\"ranges\" from=\"left/ranges\"/>\
             <connect input=\"ranges\" from=\"right/ranges\"/>",
            two(),
            &["duplicate connection of input `ranges`"],
        ),
        ("", "<connect input=\"ranges\"/>", one(), &["missing `from` in `<connect>`"]),
        (
            "",
            "<connect input=\"ranges\" from=\"cam/image\"/>",
            "<sensor class=\"camera\" name=\"cam\"/>".to_owned(),
            &["sensor `cam` has no readings"],
        ),
        (
            "",
            "",
            String::new(),
            &["nothing provides input `ranges`", "the vehicle has no sensor with readings"],
        ),
        (
            "",
            "",
            "<sensor class=\"laser\" name=\"scan\"/>".to_owned(),
            &["nothing provides input `ranges`", "did you mean `range`?", "`valid` (1, per ray)"],
        ),
        (REQUIRED, "", String::new(), &["input `ranges` of phase `control` is required"]),
        (
            NUMBER,
            "",
            one(),
            &["has one value per vehicle; sensor `left` has one per ray", "`Reading` (Rust)"],
        ),
        (FEET, "", one(), &["is in ft; sensor `left` has it in m"]),
        (OF_HOST, "", one(), &["input `vx` of phase `control` is an array; the host"]),
        (
            UNKNOWN_NUMBER,
            "",
            one(),
            &[
                "nothing provides input `levle`",
                "did you mean `level`?",
                "no sensor of the vehicle",
            ],
        ),
        (OUTPUT, "", one(), &["the scope 3"]),
    ]
}

#[test]
fn each_mistake_is_refused() {
    let mut missed = Vec::new();
    for (number, (change, connect, sensors, expected)) in mistakes().into_iter().enumerate() {
        let changes: Vec<&str> = [change].into_iter().filter(|change| !change.is_empty()).collect();
        let plugins = plugins(&format!("mistake{}", changes.len() * (number + 1)), &changes);
        let workspace = Workspace::new(&world(&[("a", connect, &sensors)]));
        let outcome = run(&workspace, &plugins, &[]);
        if outcome.code != 12 {
            missed.push(format!("{number} ends with {}:\n{}", outcome.code, outcome.stderr));
        }
        for part in expected.iter().filter(|part| !outcome.stderr.contains(*part)) {
            missed.push(format!("{number} has no `{part}`:\n{}", outcome.stderr));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn an_optional_reading_can_be_absent() {
    let change = "CONTROL_IN=SIMHOST_OPTIONAL_ARRAY_PORT(\"ranges\",\"m\",\"\"),\
                  SIMHOST_PORT(\"vx\",\"m/s\",\"\",0.0)";
    let plugins = plugins("optional", &[change]);
    let table = super::recorded(&world(&[("a", "", "")]), &plugins);
    let count = super::output(&table, "a", "count", "1");
    assert!(count.iter().skip(1).all(|count| *count == 0.0), "{count:?}");
}
