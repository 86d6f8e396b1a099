//! Third-party plugins, built as projects of their own and loaded by simhost.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use simhost_registry::{Catalogue, FolderSource, Options, PluginFolder};

use crate::support::projects::{library_name, root, scratch, unique_name};
use crate::support::world::{World, differential, model};
use crate::support::{Outcome, assert_parts, bad_plugins};

/// Builds the library of a project outside of the target directory of the workspace.
fn build(project: &Path, arguments: &[&str], target: &str) -> Output {
    Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(project)
        .env("CARGO_TARGET_DIR", scratch(target))
        // what both SDKs use is compiled once
        .env("CARGO_BUILD_BUILD_DIR", scratch("plugins"))
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
        // other tests, also of other processes, can read the same copy at this moment, so it is replaced as a whole
        let fresh = scratch("staging").join(format!("{library}.{}", unique_name()));
        std::fs::copy(target.join(&library), &fresh).unwrap();
        std::fs::rename(&fresh, directory.join(&library)).unwrap();
    }
    directory
}

/// Returns a world with vehicles `a`, `b` and so on that have these friction elements.
fn world(settings: &str, frictions: &[&str]) -> World {
    let mut world = World::new().step(0.01).xml(settings);
    for (number, friction) in frictions.iter().enumerate() {
        let controller = model("twist_pid").set("V", 1).set("W", 10);
        let robot = differential().controller(controller).pose(0, 5 * number, 0).xml(friction);
        world = world.vehicle(&char::from(b'a' + number as u8).to_string(), robot);
    }
    world
}

fn simhost(world: &World, plugins: &[&Path], arguments: &[&str]) -> Outcome {
    let mut command = vec!["world.xml", "--duration", "2"];
    command.extend(arguments);
    for directory in plugins {
        command.extend(["--plugin-dir", directory.to_str().unwrap()]);
    }
    world.workspace().run(&command)
}

#[test]
fn a_strangers_friction_model_drives_a_vehicle() {
    let world = world("", &["<friction class=\"burckhardt_slip\"><c1>1.1</c1></friction>"]);
    let run = world.clone().plugins(&plugins(&["burckhardt"])).run(2.0);
    assert!(run.warnings.is_empty() && run.faults.is_empty(), "{:?}", run.warnings);
    // the vehicle has moved after two seconds at 1 m/s
    assert!(run.last("a", "x_m") > 1.0, "{}", run.last("a", "x_m"));
    let parts = ["unknown friction class `burckhardt_slip`", "--plugin-dir"];
    world.fails("burckhardt_slip", &parts);
}

#[test]
fn a_panic_stops_the_run_and_names_who_and_when() {
    let directory = plugins(&["panics"]);
    let late = world("", &["", "<friction class=\"panics_late\"/>"]);
    let outcome = simhost(&late, &[&directory], &[]);
    assert_eq!(outcome.code, 11, "{}", outcome.stderr);
    let parts =
        ["at 1 s", "vehicle 'b', wheel l", "faulty/panics_late", "the tyre burst at", "lib.rs:"];
    assert_parts(&outcome.stderr, &parts);
    let is_printed = outcome.stderr.contains("thread '");
    assert!(!is_printed, "the panic was printed by the runtime too: {}", outcome.stderr);
    let early = world("", &["<friction class=\"panics_early\"/>"]);
    let outcome = simhost(&early, &[&directory], &[]);
    assert_eq!(outcome.code, 11, "{}", outcome.stderr);
    assert_parts(&outcome.stderr, &["nothing works today"]);
}

#[test]
fn with_disable_the_others_go_on() {
    let late = "<friction class=\"panics_late\"/>";
    let world = world("<plugin_faults action=\"disable\"/>", &[late, "", late]);
    let faults = world.plugins(&plugins(&["panics"])).run(2.0).faults;
    let [a, c] = &faults[..] else { panic!("{faults:?}") };
    assert!(a.contains("vehicle 'a'") && c.contains("vehicle 'c'"), "{faults:?}");
}

#[test]
fn not_a_number_is_a_fault() {
    let world = world("", &["<friction class=\"not_a_number\"/>"]);
    world.plugins(&plugins(&["panics"])).fault(2.0, &["output `fx` is not finite"]);
}

#[test]
fn a_model_may_refuse_when_it_is_made() {
    let world = world("", &["\n<friction class=\"refuses\"/>"]).plugins(&plugins(&["panics"]));
    world.has_error("refuses", &["no tyre fits this rim"]);
}

#[test]
fn names_shared_by_two_are_told() {
    let of = |class: &str| {
        let world = world("", &[&format!("<friction class=\"{class}\"/>")]);
        world.plugins(&plugins(&["burckhardt"])).more_plugins(&plugins(&["panics"]))
    };
    let errors = of("burckhardt_slip").errors();
    let [error] = &errors[..] else { panic!("{errors:?}") };
    assert_parts(&error.text, &["example/burckhardt_slip", "faulty/burckhardt_slip"]);
    of("faulty/burckhardt_slip").run(2.0);
}

#[test]
fn files_that_are_no_plugins_are_skipped_with_a_reason() {
    let directory = plugins(&["burckhardt", "no_plugin"]);
    let whole = std::fs::read(directory.join(library_name("burckhardt"))).unwrap();
    std::fs::write(directory.join(library_name("text")), "not a library").unwrap();
    std::fs::write(directory.join(library_name("cut")), &whole[..whole.len() / 3]).unwrap();
    std::fs::write(directory.join("notes.md"), "about").unwrap();
    let world = world("", &["<friction class=\"burckhardt_slip\"/>"]);
    let Outcome { code, stderr, .. } = simhost(&world, &[&directory], &[]);
    assert_eq!(code, 0, "{stderr}");
    for (file, reason) in [
        ("no_plugin", "not a simhost plugin"),
        ("text", "is not a shared library"),
        ("cut", "is not a shared library"),
    ] {
        let line = stderr.lines().find(|line| line.contains(&library_name(file))).unwrap();
        assert!(line.contains(reason), "{line}");
    }
    assert_parts(&simhost(&world, &[&directory], &["-v"]).stderr, &["notes.md"]);
    let outcome = simhost(&world, &[&directory.join("nowhere")], &[]);
    assert_eq!(outcome.code, 12);
    assert_parts(&outcome.stderr, &["nowhere"]);
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
    let folders = vec![PluginFolder { path: directory, source: FolderSource::PluginDir }];
    let found = Catalogue::collect(Options { folders, ..Options::default() }).unwrap();
    let files = found.libraries().iter().filter(|library| library.file.is_some());
    let [one, two] = &files.map(|library| &library.refusal).collect::<Vec<_>>()[..] else {
        panic!("two files are expected")
    };
    assert!(one.is_none(), "{one:?}");
    assert_parts(&two.as_ref().unwrap().to_string(), &["is the same file as"]);
}

/// Returns an SDK with other struct layouts: the same source with two fields swapped.
#[test]
fn a_plugin_of_another_layout_is_refused_with_what_differs() {
    let copy = scratch("changed");
    let time = "        /// Time at the start of the step, s.\n        pub time: f64,\n";
    let longer = format!("{time}        /// Another field.\n        pub another: f64,\n");
    let boundary = root().join("sdk/abi/src");
    let changed = |path: &Path| {
        let source = std::fs::read(path).unwrap();
        if !path.starts_with(&boundary) {
            return source;
        }
        let source = String::from_utf8(source).unwrap();
        assert!(source.contains(time) || !path.ends_with("model.rs"));
        // the declaration, and the values that make one
        let mut source = source.replace(time, &longer);
        for value in ["        time: 0.0,\n", "            time: at.time,\n"] {
            source = source.replace(value, &format!("another: 0.0,\n{value}"));
        }
        source.into_bytes()
    };
    copy_tree(&root().join("sdk"), &copy.join("sdk"), &changed);
    let example = copy.join("docs/examples/burckhardt");
    copy_tree(&root().join("docs/examples/burckhardt"), &example, &changed);
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
    write(&copy.join("Cargo.toml"), manifest.as_bytes());
    let output = build(&example, &["build"], "changed-target");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let library = scratch("changed-target").join("debug").join(library_name("burckhardt"));
    let difference = "has a field `Batch.another: f64` (8 bytes at offset 48)";
    let parts = ["was built with layout", "rebuild it", difference];
    assert_parts(&bad_plugins::refusal(&library), &parts);
}

/// Copies a folder with the content that `changed` returns for each file.
fn copy_tree(from: &Path, to: &Path, changed: &dyn Fn(&Path) -> Vec<u8>) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if !path.is_dir() {
            write(&target, &changed(&path));
        } else if path.file_name().unwrap() != "target" {
            copy_tree(&path, &target, changed);
        }
    }
}

/// Writes a file unless it has this content, so that cargo does not build it again.
fn write(path: &Path, content: &[u8]) {
    if std::fs::read(path).ok().as_deref() != Some(content) {
        std::fs::write(path, content).unwrap();
    }
}
