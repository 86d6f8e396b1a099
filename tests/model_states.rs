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
