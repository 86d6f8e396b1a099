//! Third-party plugins, built as projects of their own and loaded by simhost.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use crate::support::projects::{library_name, root, scratch};
use crate::support::world::{World, differential, model};

/// Builds the library of a project outside of the target directory of the workspace.
fn build(project: &Path, arguments: &[&str], target: &str) -> Output {
    Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(project)
        .env("CARGO_TARGET_DIR", scratch(target))
        .output()
        .unwrap()
}

/// Returns a directory that holds just the libraries of these projects.
fn plugins(names: &'static [&'static str]) -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let target = BUILT.get_or_init(|| {
        for project in
            ["docs/examples/burckhardt", "tests/plugins/panics", "tests/plugins/no_plugin"]
        {
            let output = build(&root().join(project), &["build", "--locked"], "plugins");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        scratch("plugins").join("debug")
    });
    let directory = scratch(&format!("only-{}", names.join("-")));
    for name in names {
        let library = library_name(name);
        // other tests can read the same copy at this moment, so it is replaced as a whole
        let thread = std::thread::current().id();
        let fresh = scratch("staging").join(format!("{library}.{thread:?}"));
        std::fs::copy(target.join(&library), &fresh).unwrap();
        std::fs::rename(&fresh, directory.join(&library)).unwrap();
    }
    directory
}

/// Returns a world with vehicles `a`, `b` and so on that have these friction elements.
fn world(name: &str, settings: &str, frictions: &[&str]) -> PathBuf {
    let mut world = World::new().step(0.01).xml(settings);
    for (number, friction) in frictions.iter().enumerate() {
        let controller = model("twist_pid").set("V", 1).set("W", 10);
        let robot = differential().controller(controller).pose(0, 5 * number, 0).xml(friction);
        world = world.vehicle(&char::from(b'a' + number as u8).to_string(), robot);
    }
    let path = scratch("worlds").join(name);
    std::fs::write(&path, world.text()).unwrap();
    path
}

fn simhost(world: &Path, plugins: &[&Path], arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_simhost"));
    command.arg(world).args(["--duration", "2"]).args(arguments);
    for directory in plugins {
        command.arg("--plugin-dir").arg(directory);
    }
    command.env_remove("SIMHOST_PLUGIN_PATH");
    command.env("XDG_DATA_HOME", scratch("data")).env("XDG_CACHE_HOME", scratch("cache"));
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_strangers_friction_model_drives_a_vehicle() {
    let world =
        world("stranger.xml", "", &["<friction class=\"burckhardt_slip\"><c1>1.1</c1></friction>"]);
    let (code, out, err) = simhost(&world, &[&plugins(&["burckhardt"])], &[]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("no warnings"), "{out}{err}");
    // the vehicle has moved after two seconds at 1 m/s
    let x: f64 =
        out.split(" x ").nth(1).unwrap().split_whitespace().next().unwrap().parse().unwrap();
    assert!(x > 1.0, "{out}");
    let (code, _, err) = simhost(&world, &[], &[]);
    assert_eq!(code, 12);
    assert!(err.contains("unknown friction class `burckhardt_slip`"), "{err}");
    assert!(err.contains("--plugin-dir"), "{err}");
}

#[test]
fn a_panic_stops_the_run_and_names_who_and_when() {
    let world = world("panic.xml", "", &["", "<friction class=\"panics_late\"/>"]);
    let (code, _, err) = simhost(&world, &[&plugins(&["panics"])], &[]);
    assert_eq!(code, 11, "{err}");
    for part in
        ["at 1 s", "vehicle 'b', wheel l", "faulty/panics_late", "the tyre burst at", "lib.rs:"]
    {
        assert!(err.contains(part), "no `{part}` in: {err}");
    }
    assert!(!err.contains("thread '"), "the panic was printed by the runtime too: {err}");
}

#[test]
fn with_disable_the_others_go_on() {
    let late = "<friction class=\"panics_late\"/>";
    let settings = "<plugin_faults action=\"disable\"/>";
    let world = world("disable.xml", settings, &[late, "", late]);
    let (code, out, err) = simhost(&world, &[&plugins(&["panics"])], &[]);
    assert_eq!(code, 0, "{err}");
    for vehicle in ["vehicle 'a'", "vehicle 'c'"] {
        assert!(out.contains(vehicle), "{out}");
    }
    assert!(!out.contains("vehicle 'b'"), "{out}");
    assert!(out.contains("2 warnings"), "{out}");
}

#[test]
fn not_a_number_is_a_fault() {
    let world = world("nan.xml", "", &["<friction class=\"not_a_number\"/>"]);
    let (code, _, err) = simhost(&world, &[&plugins(&["panics"])], &[]);
    assert_eq!(code, 11, "{err}");
    assert!(err.contains("output `fx` is not finite"), "{err}");
}

#[test]
fn a_model_may_refuse_or_panic_when_it_is_made() {
    let directory = plugins(&["panics"]);
    let refuses = world("refuses.xml", "", &["<friction class=\"refuses\"/>"]);
    let (code, _, err) = simhost(&refuses, &[&directory], &[]);
    assert_eq!(code, 12, "{err}");
    assert!(err.contains("no tyre fits this rim") && err.contains("refuses.xml:"), "{err}");
    let panics = world("panics.xml", "", &["<friction class=\"panics_early\"/>"]);
    let (code, _, err) = simhost(&panics, &[&directory], &[]);
    assert_eq!(code, 11, "{err}");
    assert!(err.contains("nothing works today"), "{err}");
}

#[test]
fn names_shared_by_two_are_told() {
    let (ours, theirs) = (plugins(&["burckhardt"]), plugins(&["panics"]));
    let short = world("short.xml", "", &["<friction class=\"burckhardt_slip\"/>"]);
    let (code, _, err) = simhost(&short, &[&ours, &theirs], &[]);
    assert_eq!(code, 12, "{err}");
    assert!(
        err.contains("example/burckhardt_slip") && err.contains("faulty/burckhardt_slip"),
        "{err}"
    );
    let full = world("full.xml", "", &["<friction class=\"faulty/burckhardt_slip\"/>"]);
    let (code, _, err) = simhost(&full, &[&ours, &theirs], &[]);
    assert_eq!(code, 0, "{err}");
}

#[test]
fn files_that_are_no_plugins_are_skipped_with_a_reason() {
    let directory = plugins(&["burckhardt", "no_plugin"]);
    let whole = std::fs::read(directory.join(library_name("burckhardt"))).unwrap();
    std::fs::write(directory.join(library_name("text")), "not a library").unwrap();
    std::fs::write(directory.join(library_name("cut")), &whole[..whole.len() / 3]).unwrap();
    std::fs::write(directory.join("notes.md"), "about").unwrap();
    let world = world("skipped.xml", "", &["<friction class=\"burckhardt_slip\"/>"]);
    let (code, _, err) = simhost(&world, &[&directory], &[]);
    assert_eq!(code, 0, "{err}");
    for (file, reason) in [
        ("no_plugin", "not a simhost plugin"),
        ("text", "is not a shared library"),
        ("cut", "is not a shared library"),
    ] {
        let line = err.lines().find(|line| line.contains(&library_name(file))).unwrap();
        assert!(line.contains(reason), "{line}");
    }
    let (_, _, err) = simhost(&world, &[&directory], &["-v"]);
    assert!(err.contains("notes.md"), "{err}");
    let missing = directory.join("nowhere");
    let (code, _, err) = simhost(&world, &[&missing], &[]);
    assert_eq!(code, 12);
    assert!(err.contains("nowhere"), "{err}");
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_followed_and_a_library_counts_once() {
    let directory = scratch("links");
    let library = plugins(&["burckhardt"]).join(library_name("burckhardt"));
    for name in ["one", "two"] {
        let link = directory.join(library_name(name));
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(&library, &link).unwrap();
    }
    let world = world("links.xml", "", &["<friction class=\"burckhardt_slip\"/>"]);
    let (code, _, err) = simhost(&world, &[&directory], &[]);
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("is the same file as"), "{err}");
}

/// Returns an SDK with other struct layouts: the same source with two fields swapped.
#[test]
fn a_plugin_of_another_layout_is_refused_with_what_differs() {
    let copy = scratch("changed");
    copy_tree(&root().join("sdk"), &copy.join("sdk"));
    let example = copy.join("docs/examples/burckhardt");
    copy_tree(&root().join("docs/examples/burckhardt"), &example);
    let workspace = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let members =
        workspace.find("members").unwrap()..workspace.find("[workspace.package]").unwrap();
    let dependencies = workspace
        .lines()
        .filter(|line| !line.contains("path = \"framework") && !line.contains("path = \"plugins"))
        .collect::<Vec<_>>()
        .join("\n");
    let manifest = dependencies
        .replace(&workspace[members], "members = [\"sdk\", \"sdk/abi\", \"sdk/derive\"]\n");
    std::fs::write(copy.join("Cargo.toml"), manifest).unwrap();
    let model = copy.join("sdk/abi/src/model.rs");
    let source = std::fs::read_to_string(&model).unwrap();
    let time = "        /// Time at the start of the step, s.\n        pub time: f64,\n";
    assert!(source.contains(time));
    let longer = format!("{time}        /// Another field.\n        pub another: f64,\n");
    std::fs::write(
        &model,
        source
            .replace(time, &longer)
            .replace("        time: 0.0,\n", "        another: 0.0,\n        time: 0.0,\n"),
    )
    .unwrap();
    let output = build(&example, &["build"], "changed-target");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let directory = scratch("only-changed");
    let library = library_name("burckhardt");
    std::fs::copy(scratch("changed-target").join("debug").join(&library), directory.join(&library))
        .unwrap();
    let world = world("changed.xml", "", &["<friction class=\"burckhardt_slip\"/>"]);
    let (code, _, err) = simhost(&world, &[&directory], &[]);
    assert_eq!(code, 12, "{err}");
    assert!(err.contains("was built with layout") && err.contains("rebuild it"), "{err}");
    let difference = "has a field `Batch.another: f64` (8 bytes at offset 48)";
    assert!(err.contains(difference), "{err}");
}

fn copy_tree(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            if path.file_name().unwrap() != "target" {
                copy_tree(&path, &target);
            }
        } else {
            std::fs::copy(&path, &target).unwrap();
        }
    }
}
