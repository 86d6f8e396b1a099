//! Readings that do not fit are refused when a world is loaded.

use super::{plugins, world};
use crate::support::runs::Problem;

/// A change of the plugin, the text in the `<controller>`, the sensors, and parts of the error.
type Mistake = (&'static str, &'static str, &'static str, &'static [&'static str]);

const ONE: &str = "<sensor class=\"eye\" name=\"left\"/>";
const TWO: &str = "<sensor class=\"eye\" name=\"left\"/><sensor class=\"eye\" name=\"right\"/>";

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

const MISTAKES: &[Mistake] = &[
    (
        "",
        "",
        TWO,
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
        TWO,
        &["unknown sensor `lfet`", "did you mean `left`?", "`left`, `right`"],
    ),
    (
        "",
        "<connect input=\"ranges\" from=\"left/range\"/>",
        ONE,
        &["unknown output `range` of sensor `left`", "did you mean `ranges`?", "`level`"],
    ),
    (
        "",
        "<connect input=\"rnges\" from=\"left/ranges\"/>",
        ONE,
        &["unknown input `rnges` of controller `acme/follower`", "did you mean `ranges`?"],
    ),
    (
        "",
        "<connect input=\"ranges\" from=\"left\"/>",
        ONE,
        &["`left` does not name an output", "such as `left/ranges`"],
    ),
    (
        "",
        "<connect input=\"level\" from=\"left/ranges\"/>",
        ONE,
        &["input `level` of phase `control` has one value per vehicle", "one per ray"],
    ),
    (
        "",
        "<connect input=\"ranges\" from=\"left/level\"/>",
        ONE,
        &["input `ranges` of phase `control` is in m", "sensor `left` has it in V"],
    ),
    (
        "",
        "<connect input=\"ranges\" from=\"left/ranges\"/>\
             <connect input=\"ranges\" from=\"right/ranges\"/>",
        TWO,
        &["duplicate connection of input `ranges`"],
    ),
    ("", "<connect input=\"ranges\"/>", ONE, &["missing `from` in `<connect>`"]),
    (
        "",
        "<connect input=\"ranges\" from=\"cam/image\"/>",
        "<sensor class=\"camera\" name=\"cam\"/>",
        &["unknown output `image` of sensor `cam`", "`depth`"],
    ),
    ("", "", "", &["nothing provides input `ranges`", "the vehicle has no sensor with readings"]),
    (
        "",
        "",
        "<sensor class=\"laser\" name=\"scan\"/>",
        &["nothing provides input `ranges`", "did you mean `range`?", "`valid` (1, per ray)"],
    ),
    (REQUIRED, "", "", &["input `ranges` of phase `control` is required"]),
    (
        NUMBER,
        "",
        ONE,
        &["has one value per vehicle; sensor `left` has one per ray", "`Reading` (Rust)"],
    ),
    (FEET, "", ONE, &["is in ft; sensor `left` has it in m"]),
    (OF_HOST, "", ONE, &["input `vx` of phase `control` is an array; the host"]),
    (
        UNKNOWN_NUMBER,
        "",
        ONE,
        &["nothing provides input `levle`", "did you mean `level`?", "no sensor of the vehicle"],
    ),
    (OUTPUT, "", ONE, &["the scope 3"]),
];

#[test]
fn each_mistake_is_refused() {
    let mut missed = Vec::new();
    for (number, (change, connect, sensors, expected)) in MISTAKES.iter().enumerate() {
        let changes: Vec<&str> =
            [*change].into_iter().filter(|change| !change.is_empty()).collect();
        let plugins = plugins(&format!("mistake{}", changes.len() * (number + 1)), &changes);
        let world = world(&[("a", connect, sensors)]).plugins(&plugins);
        let errors = world.errors();
        let is = |error: &Problem, part: &str| error.at.0 > 0 && error.text.contains(part);
        let has = |part: &str| errors.iter().any(|error| is(error, part));
        for part in expected.iter().filter(|part| !has(part)) {
            missed.push(format!("{number} has no `{part}`:\n{errors:#?}"));
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
