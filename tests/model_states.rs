//! States and memory of plugin models in snapshots, with random numbers, faults and other versions.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use simhost::Fit;

use crate::support::world::{World, differential, model};
use crate::support::{assert_parts, bad_plugins, projects};

/// Builds the plugin whose models have memory, draw random numbers and fault; returns its folder.
fn plugin() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| projects::project("tests/plugins/panics", "panics"))
}

/// Returns a world with vehicles on a circle, one per friction element.
fn world(settings: &str, frictions: &[&str]) -> World {
    let mut world = World::new().step(0.01).xml(settings).plugins(plugin());
    for (number, friction) in frictions.iter().enumerate() {
        let controller = model("twist_pid").set("V", 1).set("W", 20);
        let robot = differential().controller(controller).pose(0, 5 * number, 0).xml(friction);
        world = world.vehicle(&format!("v{number}"), robot);
    }
    world
}

#[test]
fn memories_draws_and_faults_go_on() {
    let faults = "<plugin_faults on=\"panic\" action=\"disable\"/>\
                  <plugin_faults on=\"non_finite\" action=\"fallback\"/>";
    let frictions = ["wanders", "wanders", "panics_late", "not_a_number"]
        .map(|class| format!("<friction class=\"{class}\"/>"));
    let world = world(faults, &frictions.each_ref().map(String::as_str));
    let whole = world.run(3.0);
    let expected = ["disabled at 1 s, vehicle 'v2'", "default friction took over at 1 s"];
    assert_parts(&whole.faults.join("\n"), &expected);
    let times = [0.4, 0.8, 1.2, 1.6, 2.0, 2.4, 2.8];
    for (snapshot, time) in world.snapshots(&times).iter().zip(times) {
        let rest = world.resume(snapshot, 3.0);
        assert_eq!(rest.hashes, whole.hashes, "from {time} s");
        // faults from before the snapshot are reported too
        assert_eq!(rest.faults, whole.faults, "from {time} s");
    }
    // memory matters: another seed before the snapshot gives another end
    let mixed = world.clone().seed(0).resume(&world.clone().seed(6).snapshot(2.0), 3.0);
    assert_ne!(mixed.hashes, whole.hashes);
}

#[test]
fn a_plugin_that_is_another_is_refused() {
    let world = |name: &str, macros: &[&str]| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("model_states").join(name);
        bad_plugins::build_of("counter.c", &folder, "counter", macros);
        self::world("", &["<friction class=\"counter\"/>"]).plugins(&folder)
    };
    let first = world("first", &[]);
    let snapshot = first.snapshot(1.0);
    for (name, macros, says, may_be_forced) in [
        (
            "newer",
            &["VERSION=\"2.0.0\""][..],
            "friction tests/counter had version 0.1.0 and now has version 2.0.0",
            true,
        ),
        (
            "padded",
            &["PADDING"],
            "friction tests/counter still has version 0.1.0, but its file has changed",
            true,
        ),
        (
            "renamed",
            &["RENAMED"],
            "friction tests/counter had the state slot `calls` and now has the state slot `count`",
            false,
        ),
    ] {
        let world = world(name, macros);
        let (reasons, forced) = world.misfit(&snapshot);
        assert_parts(&reasons, &[says]);
        assert_eq!(forced, may_be_forced, "{reasons}");
        let (mut session, _) = world.open();
        assert_eq!(session.restore_with(&snapshot, Fit::Slots).is_ok(), may_be_forced, "{name}");
    }
    // the first version again
    first.resume(&snapshot, 3.0);
}

#[test]
fn a_state_that_is_no_number_ends_the_run() {
    let parts = [
        "at 0.51 s (step 51), vehicle 'v1', wheel ",
        "diverged: state `heat` is not a finite number",
        "friction faulty/loses 0.1.0 (",
    ];
    world("", &["", "<friction class=\"loses\"/>"]).diverges(3.0, &parts);
}

/// A forgotten output kept the number of the step before, writes outside of a column changed others, and a state that
/// started as NaN ran.
#[test]
fn the_first_steps_show_what_a_model_does_not_write_and_must_not_write() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("model_states").join("written");
    bad_plugins::build_of("bad.c", &folder, "bad", &["-std=gnu99"]);
    let plugins = folder.to_str().unwrap();
    for (class, code, expected) in [
        ("good", 0, ""),
        ("outputs_written", 11, "it does not write output `spin_torque`; a call writes all"),
        ("inputs_unchanged", 11, "it writes input `normal_force`"),
        (
            "lanes_of_the_call",
            11,
            "it writes memory that is not its own, 1 number before output `fx`",
        ),
        ("writes_far", 11, "it writes "),
        ("starts_unknown", 12, "state `wear` of vehicle 'v1', wheel "),
    ] {
        let element = format!("<friction class=\"bad/{class}\"/>");
        let workspace = world("", &["", &element]).workspace();
        let outcome = workspace.run(&["world.xml", "--duration", "0.1", "--plugin-dir", plugins]);
        assert_eq!(outcome.code, code, "{class}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(expected), "{class}: {}", outcome.stderr);
        if code == 11 {
            let parts = ["at 0 s, vehicle 'v1', wheel ", &format!("bad/{class}")];
            assert_parts(&outcome.stderr, &parts);
        }
    }
}

/// Members of an ensemble differed from the same runs alone, without a word.
#[test]
fn a_static_variable_is_found_in_an_ensemble() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("model_states").join("static");
    bad_plugins::build_of("bad.c", &folder, "bad", &["-std=gnu99"]);
    let plugins = folder.to_str().unwrap();
    let run = |class: &str| {
        let element = format!("<friction class=\"bad/{class}\"/>");
        let workspace = world("", &[&element]).workspace();
        let members = ["world.xml", "--duration", "0.2", "--members", "4", "--verify", "2"];
        let outcome = workspace.run(&[&members[..], &["--plugin-dir", plugins]].concat());
        (outcome.code, outcome.stdout, outcome.stderr)
    };
    let (code, stdout, stderr) = run("good");
    assert_eq!(code, 0, "{stderr}");
    assert_parts(&stdout, &["verified: 2 members have the same result hash alone"]);
    let (code, _, stderr) = run("determinism_repeat");
    assert_eq!(code, 1, "{stderr}");
    let parts =
        ["member 0 has result hash ", "differ from step ", "friction bad/determinism_repeat ("];
    assert_parts(&stderr, &parts);
}
