//! Plugins with equal symbols, and names that plugins cannot have.

use crate::plugin_folders::world;
use crate::support::bad_plugins::{build, build_of, library_name, refusal};
use crate::support::{Workspace, assert_parts, projects::root};

/// Builds an actuator that multiplies by 0 or 2, in a folder of a workspace.
fn build_twin(workspace: &Workspace, folder: &str, name: &str, more: &[&str]) {
    let class = format!("NAME=\"{name}\"");
    let gain = format!("GAIN={}", if name == "first" { 0 } else { 2 });
    let macros = [&[class.as_str(), gain.as_str()][..], more].concat();
    build_of("twin.c", &workspace.path(folder), name, &macros);
}

/// Libraries with equal symbols that the loader merges: the file named first runs, the other one is refused
/// instead of running the code of the first.
#[test]
#[cfg(target_os = "linux")]
fn a_library_does_not_run_the_code_of_another_one() {
    let vehicle = "<dynamics class=\"differential\"><controller class=\"twist_ideal\"><V>1</V></controller>\
        <actuator class=\"second\" port=\"twist_vx\"/></dynamics>";
    let workspace = Workspace::new(&world(vehicle));
    for name in ["first", "second"] {
        build_twin(&workspace, "shared", name, &["UNIQUE"]);
        build_twin(&workspace, "apart", name, &[]);
    }
    build_twin(&workspace, "alone", "second", &["UNIQUE"]);
    let run = |folder: &str| {
        workspace.run(&["world.xml", "--plugin-dir", folder, "--out", "out", "--force"])
    };
    let refused = run("shared");
    assert_eq!(refused.code, 12, "{}", refused.stderr);
    let parts =
        ["second", "the list of phases", "part of another plugin", "first", "-fno-gnu-unique"];
    assert_parts(&refused.stderr, &parts);
    for folder in ["apart", "alone"] {
        let outcome = run(folder);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        let x = workspace.table("trajectory.csv").last("x_m");
        assert!((x - 0.2).abs() < 1e-9, "{folder}: {x}");
    }
    let list = workspace.run(&["plugin", "list", "--plugin-dir", "alone"]).stdout;
    assert_parts(&list, &["it shares `twin_phases`", "STB_GNU_UNIQUE"]);
    let list = workspace.run(&["plugin", "list", "--plugin-dir", "apart"]).stdout;
    assert!(!list.contains("STB_GNU_UNIQUE"), "{list}");
}

/// Two plugins in C++ with a class of the same name, each with separate tables.
#[test]
#[ignore = "needs a C++ compiler"]
fn classes_of_the_same_name_in_cpp_stay_apart() {
    let vehicle = |gain: &str| {
        world(&format!(
            "<dynamics class=\"differential\"><controller class=\"twist_ideal\"><V>1</V></controller>\
             <actuator class=\"{gain}\" port=\"twist_vx\"/></dynamics>"
        ))
    };
    let workspace = Workspace::new("");
    for gain in ["0", "2"] {
        let library = workspace.path(&library_name(&format!("gain{gain}")));
        let compiled = std::process::Command::new("c++")
            .args(["-std=c++17", "-O2", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-I"])
            .arg(root().join("sdk/c"))
            .args([format!("-DGAIN={gain}"), format!("-DNAME=\"gain{gain}\""), "-o".into()])
            .args([library, root().join("tests/plugins/cpp/twin.cpp")])
            .status();
        assert!(compiled.unwrap().success());
    }
    for (gain, end) in [("gain0", 0.0), ("gain2", 0.2)] {
        workspace.write("world.xml", &vehicle(gain));
        let outcome = workspace.run(&["world.xml", "--plugin-dir", ".", "--out", "out", "--force"]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        let x = workspace.table("trajectory.csv").last("x_m");
        assert!((x - end).abs() < 1e-9, "{gain}: {x}");
    }
    let list = workspace.run(&["plugin", "list", "--plugin-dir", "."]).stdout;
    assert!(!list.contains("STB_GNU_UNIQUE"), "{list}");
}

/// Names that no world file could contain, or that mislead, are refused with the rule.
#[test]
fn names_that_cannot_be_written_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let long = format!("CLASS=\"{}\"", "a".repeat(3000));
    for (number, (given, parts)) in [
        (
            &["PARAMS=PARAM(\"mu mu\", 0.8, 0.0, 2.0)"][..],
            &["parameter", "'mu mu'", "the name of an XML element"][..],
        ),
        (
            &["PARAMS=PARAM(\"1abc\", 0.8, 0.0, 2.0)"],
            &["'1abc'", "a letter or _, followed by letters"],
        ),
        (&["PARAMS=PARAM(\"if\", 0.8, 0.0, 2.0)"], &["'if'", "an element of the world language"]),
        (
            &["PARAMS=PARAM(\"include\", 0.8, 0.0, 2.0)"],
            &["'include'", "an element of the world language"],
        ),
        (&["CLASS=\"a\\xE2\\x80\\xAE\" \"b\""], &["its class name", "'a\\u{202e}b'", "invisible"]),
        (&[&long], &["its class name", "(3000 characters)", "at most 100 bytes"]),
        (&["VENDOR=\"simhost\""], &["the vendor is 'simhost'", "expected another name"]),
        (&["VERSION=\"banana\""], &["the version is 'banana'", "such as 1.0.0"]),
        (&["NAME=\"a b\""], &["the name of the plugin is 'a b'", "expected a word"]),
    ]
    .into_iter()
    .enumerate()
    {
        let library = build(folder.path(), &format!("named{number}"), given);
        assert_parts(&refusal(&library), parts);
    }
    for (number, given) in [
        &["PARAMS=PARAM(\"r\\xC3\\xA4\" \"der\", 0.8, 0.0, 2.0)"][..],
        &["PARAMS=PARAM(\"_x\", 0.8, 0.0, 2.0)"],
        &["CLASS=\"\\xE8\\xBD\\xA6\""],
    ]
    .into_iter()
    .enumerate()
    {
        let library = build(folder.path(), &format!("fine{number}"), given);
        assert_eq!(refusal(&library), "", "{given:?}");
    }
}
