//! Declarations of models: states that start from parameters, and errors in them.

use crate::support::{Outcome, Workspace, bad_plugins};

/// Returns a world with two vehicles on tyres of `tests/plugins/c/warm.c`, the first one with the
/// default.
fn warm(macros: &[&str]) -> Workspace {
    let vehicle = |name: &str, y: u32, heat: &str| {
        format!(
            "<vehicle name=\"{name}\"><init_pose>0 {y} 0</init_pose><dynamics \
             class=\"differential\"><controller class=\"twist_pid\"><V>1</V></controller></dynamics>\
             <friction class=\"warm\">{heat}</friction></vehicle>"
        )
    };
    let workspace = Workspace::new(&format!(
        "<mvsim_world><simul_timestep>0.01</simul_timestep>{}{}</mvsim_world>",
        vehicle("cold", 0, ""),
        vehicle("hot", 9, "<ambient>50</ambient>")
    ));
    bad_plugins::build_of("warm.c", &workspace.path("plugins"), "warm", macros);
    workspace
}

fn run(workspace: &Workspace, more: &[&str]) -> Outcome {
    let all = ["world.xml", "--plugin-dir", "plugins", "--duration", "1"];
    workspace.run(&[&all[..], more].concat())
}

#[test]
fn a_state_starts_from_the_parameter_of_its_instance() {
    for (limit, expected) in [("LIMIT=0", "20000"), ("LIMIT=20010", "50000")] {
        let outcome = run(&warm(&[limit]), &[]);
        let expected = format!("the heat is {expected}");
        assert!(outcome.stderr.contains(&expected), "{} {}", outcome.stdout, outcome.stderr);
    }
}

#[test]
fn a_state_that_started_from_a_parameter_is_restored() {
    let workspace = warm(&[]);
    let hash = |outcome: &Outcome| {
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        let mut lines = outcome.stdout.lines();
        lines.find(|line| line.starts_with("state hash ")).unwrap().to_owned()
    };
    let whole = run(&workspace, &["--hash-every", "1", "--out", "out", "--snapshot-every", "0.4"]);
    let rest = run(&workspace, &["--hash-every", "1", "--resume", "out/step-40.snapshot"]);
    assert_eq!(hash(&rest), hash(&whole));
}

#[test]
fn a_state_that_starts_from_something_else_is_refused() {
    for (key, expected) in [
        (
            "KEY=\"ambiant\"",
            "starts from the parameter 'ambiant'; expected one of the numbers ambient",
        ),
        ("KEY=\"label\"", "starts from the parameter 'label'; expected one of the numbers ambient"),
    ] {
        let outcome = run(&warm(&[key]), &[]);
        assert_eq!(outcome.code, 12, "{}", outcome.stderr);
        assert!(outcome.stderr.contains("friction 'warm': state 'heat' "), "{}", outcome.stderr);
        assert!(outcome.stderr.contains(expected), "{}", outcome.stderr);
    }
}

#[test]
fn a_required_list_has_to_be_given() {
    let whole = "<numbers>1 2</numbers><point><x>1</x></point><centre><x>1</x></centre>";
    for (given, left, expected) in [
        ("<numbers>1 2</numbers>", "", "missing `numbers` in `<friction>`"),
        ("<point><x>1</x></point>", "", "missing `point` in `<friction>`"),
        ("<centre><x>1</x></centre>", "", "missing `centre` in `<friction>`"),
        ("<point><x>1</x>", "<point>", "missing `x` in `<point>`"),
    ] {
        let outcome = lists(&whole.replace(given, left));
        assert_eq!(outcome.code, 12, "{}", outcome.stderr);
        assert!(outcome.stderr.contains(expected), "{}", outcome.stderr);
    }
    let outcome = lists(&whole.replace("1 2", ","));
    assert!(outcome.stderr.contains("`numbers` is empty"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("expected at least one number"), "{}", outcome.stderr);
    assert_eq!(lists(whole).code, 0);
}

/// Runs a vehicle on tyres with required lists.
fn lists(friction: &str) -> Outcome {
    let workspace = Workspace::new(&format!(
        "<mvsim_world><vehicle name=\"a\"><init_pose>0 0 0</init_pose><dynamics \
         class=\"differential\"><controller class=\"twist_pid\"/></dynamics>\
         <friction class=\"warm\">{friction}</friction></vehicle></mvsim_world>"
    ));
    bad_plugins::build_of("warm.c", &workspace.path("plugins"), "warm", &["LISTS"]);
    run(&workspace, &[])
}
