//! Plans in TOML: what they say, and what is refused before the first run.

use std::path::Path;

use simhost_sweep::{Kept, Study};

use crate::{plan, refused, world};

#[test]
fn a_plan_is_read() {
    let text = "\
world = 'demo.world.xml'
commands = 'demo.commands.csv'
duration = 1
repeat = 3
seeds = 'common'
keep = ['robot/pose']
failed = 'v < 0.5'
[vary]
'robot/friction/mu' = [0.5, 0.75]
'robot/controller/KP' = 'range:1:2:2'
[set]
'robot/pose/x' = 2
[metrics]
v = 'max(robot/twist[0])'
w = 'v * 2'
";
    let study = Study::from_text(text, &world("study.toml")).unwrap();
    assert_eq!(study.commands, Some(world("demo.commands.csv")));
    assert_eq!(study.keep, Kept::Quantities(vec!["robot/pose".to_owned()]));
    let plan = plan(study);
    assert_eq!(plan.runs(), 12);
    assert_eq!(plan.metric_units(), ["m/s", ""]);
    assert_eq!(plan.varied().collect::<Vec<_>>(), ["robot/friction/mu", "robot/controller/KP"]);
    assert_eq!(plan.values(3), ["0.5", "2"]);
    assert_eq!([0, 1, 2, 3].map(|run| plan.seed_of(run)), [1, 2, 3, 1]);
}

#[test]
fn mistakes_are_named_with_their_place() {
    let with = |lines: &str| refused(&format!("world = 'demo.world.xml'\nduration = 1\n{lines}"));
    for (lines, parts) in [
        ("repeet = 3", ["study.toml:3:1: ", "did you mean `repeat`?"]),
        ("repeat = 0", ["study.toml:3:10: ", "expected a whole number from 1"]),
        ("repeat =", ["study.toml:3:", "study.toml"]),
        ("[vary]\n'robot/friction/mju' = 'list:1'", ["study.toml:4:1: ", "robot/friction/mu"]),
        (
            "[vary]\n'robot/friction/mu' = 'uniforn:0:1'",
            ["study.toml:4:23: ", "did you mean 'uniform'?"],
        ),
        ("[vary]\n'robot/friction/mu' = 'list:0.5,-1'", ["study.toml:4:1: ", "out of range: -1"]),
        (
            "[vary]\n'robot/friction/mu' = 'uniform:0:1'",
            ["study.toml:4:1: ", "`samples` is not given"],
        ),
        ("[vary]\n'robot/friction/mu' = []", ["study.toml:4:", "list"]),
        (
            "[vary]\n'robot/friction/mu' = 1\n[set]\n'robot/friction/mu' = 2",
            ["study.toml:4:1: ", "given twice"],
        ),
        (
            "[vary]\n'robot/pose' = '0 0 0'\n'robot/pose/x' = 2",
            ["study.toml:5:1: ", "as a whole and by component"],
        ),
        ("repeat = 2\n[vary]\nseed = [1, 2]", ["study.toml:5:1: ", "expected one of them"]),
        ("[set]\n'robot/friction/mu' = 'list:1,2'", ["study.toml:4:1: ", "fixed to 'list'"]),
        ("[set]\n'variable/sped' = 3", ["study.toml:4:1: ", "no variable `sped`"]),
        ("[metrics]\nv = 'max(robot/twst[0])'", ["study.toml:4:5: ", "robot/twist"]),
        ("[metrics]\nv = 'max(robot/twist)'", ["study.toml:4:5: ", "expected an index"]),
        ("[metrics]\nv = 'max(robot/twist[7])'", ["study.toml:4:5: ", "index below"]),
        ("[metrics]\nv = 'maxx(robot/twist[0])'", ["study.toml:4:5: ", "did you mean 'max'?"]),
        ("[metrics]\n'v/w' = '1'", ["study.toml:4:1: ", "letters, digits and _"]),
        ("failed = 'v > 1'", ["study.toml:3:10: ", "unknown name 'v'"]),
    ] {
        let error = with(lines);
        assert!(parts.iter().all(|part| error.contains(part)), "{lines}: {error}");
    }
    let many = with(
        "[vary]\n'robot/friction/mu' = 'range:0:1:1000000'\n'robot/pose/x' = 'range:0:1:1000000'",
    );
    assert!(many.contains("1000000000000 runs; expected at most 100000000"), "{many}");
    assert!(refused("duration = 1").contains("found no `world`"));
    assert!(refused("world = 'stop.world.xml'").contains("no <duration>"));
    let missing = Study::read(Path::new("no/such.toml")).unwrap_err().to_string();
    assert!(missing.contains("cannot read no/such.toml"), "{missing}");
}
