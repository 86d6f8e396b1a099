//! Streams that the command line groups.

use super::{list, world};

/// `--stream` does the same as `<stream>`, also in a repeated run.
#[test]
fn the_command_line_groups_quantities_into_streams() {
    let group = "robot/drive=robot/controller/*,robot/wheel/*/spin@20";
    let found = list(&world(""), &["--stream", group, "robot/drive"]);
    assert_eq!((found.code, found.stderr.as_str()), (0, ""));
    let element = "<stream name=\"robot/drive\" every=\"0.05\"><quantity>robot/controller/*</quantity>\
                   <quantity>robot/wheel/*/spin</quantity></stream>";
    assert_eq!(found.stdout, list(&world(element), &["robot/drive"]).stdout);
    assert!(found.stdout.contains("20 Hz"), "{}", found.stdout);
    for (group, code, part) in [
        ("robot/drive", 2, "expected NAME=QUANTITY,…[@RATE]"),
        ("robot/drive=robot/pose@0", 2, "the rate is `0`; expected a number greater than 0"),
        ("robot/drive=robot/pose@-2", 2, "the rate is `-2`"),
        ("robot/drive=robot/poes", 12, "did you mean `robot/pose`?"),
        ("robot/odometry=robot/pose", 12, "already has a stream `robot/odometry`"),
    ] {
        let outcome = list(&world(""), &["--stream", group]);
        assert_eq!(outcome.code, code, "{}", outcome.stderr);
        assert!(outcome.stderr.contains(part), "no {part} in {}", outcome.stderr);
    }
    let workspace = world("<duration>0.5</duration>").workspace();
    let run = |arguments: &[&str]| {
        let outcome = workspace.run(arguments);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    };
    run(&["world.xml", "--out", "one", "--export", "csv", "--stream", group]);
    run(&["rerun", "one", "--out", "two"]);
    let read = |folder: &str| {
        std::fs::read_to_string(workspace.path(folder).join("csv/robot.drive.csv")).unwrap()
    };
    assert_eq!(read("one"), read("two"));
    assert_eq!(read("one").lines().count(), 1 + 11);
}
