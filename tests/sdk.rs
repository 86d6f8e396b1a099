//! Declarations of models: states that start from parameters, and errors in them.

use std::path::{Path, PathBuf};

use crate::support::world::{Model, World, differential, model};
use crate::support::{assert_parts, bad_plugins};

/// Builds the tyres of `tests/plugins/c/warm.c` and returns the folder.
fn warm(name: &str, macros: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sdk").join(name);
    bad_plugins::build_of("warm.c", &folder, "warm", macros);
    folder
}

/// Returns a world with two vehicles on these tyres, the first one with the default.
fn world(plugins: &Path) -> World {
    let robot = |y: u32, friction: Model| {
        let robot = differential().controller(model("twist_pid").set("V", 1));
        robot.friction(friction).pose(0, y, 0)
    };
    World::new()
        .step(0.01)
        .vehicle("cold", robot(0, model("warm")))
        .vehicle("hot", robot(9, model("warm").set("ambient", 50)))
        .plugins(plugins)
}

#[test]
fn a_state_starts_from_the_parameter_of_its_instance() {
    for (limit, expected) in [("LIMIT=0", "20000"), ("LIMIT=20010", "50000")] {
        world(&warm(limit, &[limit])).fault(1.0, &[&format!("the heat is {expected}")]);
    }
}

#[test]
fn a_state_that_started_from_a_parameter_is_restored() {
    world(&warm("restored", &[])).repeats(0.4, 1.0);
}

#[test]
fn a_state_that_starts_from_something_else_is_refused() {
    for (name, key, expected) in [
        (
            "unknown",
            "KEY=\"ambiant\"",
            "starts from the parameter 'ambiant'; expected one of the numbers ambient",
        ),
        (
            "text",
            "KEY=\"label\"",
            "starts from the parameter 'label'; expected one of the numbers ambient",
        ),
    ] {
        let library = warm(name, &[key]).join(bad_plugins::library_name("warm"));
        let refusal = bad_plugins::refusal(&library);
        assert_parts(&refusal, &["friction 'warm': state 'heat' ", expected]);
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
        lists(&whole.replace(given, left)).fails("<friction", &[expected]);
    }
    let parts = ["`numbers` is empty", "expected at least one number"];
    lists(&whole.replace("1 2", ",")).fails("<friction", &parts);
    lists(whole).run(1.0);
}

/// Returns a world with a vehicle on tyres with required lists.
fn lists(friction: &str) -> World {
    let robot = differential().controller("twist_pid").friction(model("warm").xml(friction));
    World::new().vehicle("a", robot.pose(0, 0, 0)).plugins(&warm("lists", &["LISTS"]))
}

/// The arrays of the header for tests in C have a fixed length, which a test can raise.
#[test]
fn the_test_header_for_c_checks_its_arrays() {
    let folder = tempfile::tempdir().unwrap();
    let test = "#include \"simhost_test.h\"\nint main(void) {\n\
                simhost_test sonar = simhost_test_of(0, 0);\n\
                simhost_test_param(&sonar, \"rangers\", 64);\n\
                SIMHOST_CHECK(simhost_test_call(&sonar, \"aim\") == SIMHOST_FAULT_NONE);\n\
                simhost_test_end(&sonar);\nreturn simhost_test_failures;\n}\n";
    std::fs::write(folder.path().join("test.c"), test).unwrap();
    let root = crate::support::projects::root();
    let run = |define: &str| {
        let mut compiler = std::process::Command::new("cc");
        compiler.current_dir(folder.path()).args(["-std=gnu99", define, "-o", "test", "test.c"]);
        compiler.arg(root.join("sdk/templates/c/sensor/model.c")).arg("-I").arg(root.join("sdk/c"));
        assert!(compiler.arg("-lm").status().unwrap().success());
        std::process::Command::new(folder.path().join("test")).output().unwrap()
    };
    let output = run("-DNOTHING");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("64 rays, expected at most 32"), "{text}");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(run("-DSIMHOST_TEST_VALUES=64").status.code(), Some(0));
}
