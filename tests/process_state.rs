//! Changes that plugins make in the process: floating-point control state, working directory, signals, locale
//! and standard streams. Files in plugin folders that are not regular ones.

use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use crate::support::waiting::end_of;
use crate::support::world::{World, differential};
use crate::support::{Outcome, Workspace, bad_plugins};

/// Builds the library of bad models into an empty folder.
fn plugin(name: &str, macros: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("process_state").join(name);
    bad_plugins::build_of("contained.c", &folder, "contained", macros);
    folder
}

/// Returns a world whose vehicles have these friction classes.
fn world(frictions: &[&str]) -> Workspace {
    let mut world = World::new().step(0.01);
    for (number, friction) in frictions.iter().enumerate() {
        let robot = differential().friction(*friction).pose(0, 5 * number, 0);
        world = world.vehicle(&format!("v{number}"), robot);
    }
    world.workspace()
}

fn run(workspace: &Workspace, verb: &str, folders: &[&Path], more: &[&str]) -> Outcome {
    let mut arguments = vec![verb, "world.xml"];
    for folder in folders {
        arguments.extend(["--plugin-dir", folder.to_str().unwrap()]);
    }
    if verb == "run" {
        arguments.extend(["--duration", "1"]);
    }
    arguments.extend(more);
    workspace.run(&arguments)
}

const CHANGES: &str = "the floating-point control state";

/// The last library that set flush to zero and rounding determined them.
#[test]
fn a_library_that_changes_floating_point_control_while_it_is_loaded_has_no_effect() {
    let probe = plugin("probe", &[]);
    for (name, macros, state) in [
        ("fast_math", &["VENDOR=\"x\"", "-ffast-math"][..], "flush to zero, denormals are zero"),
        ("rounds", &["VENDOR=\"x\"", "ON_LOAD=fesetround(FE_UPWARD)"], "rounds up"),
        ("traps", &["VENDOR=\"x\"", "ON_LOAD=feenableexcept(FE_INVALID)"], "exceptions trap"),
    ] {
        let folder = plugin(name, macros);
        let (bad, world) = (folder.join("contained.so"), world(&["bad/probe"]));
        for verb in ["run", "check"] {
            // the first time after a trial, and then without one
            for threads in [&[][..], &["--threads", "2"]] {
                let more = if verb == "run" { threads } else { &[] };
                let outcome = run(&world, verb, &[&folder, &probe], more);
                assert_eq!(outcome.code, 0, "{name}: {}", outcome.stderr);
                let expected = format!(
                    "warning: {} changes {CHANGES} while it is loaded ({state})",
                    bad.display()
                );
                assert!(outcome.stderr.contains(&expected), "{expected}\n{}", outcome.stderr);
                assert_eq!(outcome.stderr.matches(CHANGES).count(), 1, "{}", outcome.stderr);
            }
        }
        let listed = world.run(&["plugin", "list", "--plugin-dir", folder.to_str().unwrap()]);
        let remark = format!("it changes {CHANGES} while it");
        assert!(listed.stdout.contains(&remark), "{}", listed.stdout);
    }
}

#[test]
fn a_function_that_changes_floating_point_control_affects_no_other_model() {
    let folder = plugin("changes", &["BAD=fesetround(FE_DOWNWARD)"]);
    for (class, function) in
        [("in_create", "create"), ("in_force", "force"), ("in_memory", "memory create")]
    {
        let workspace = world(&["bad/probe", class, "bad/probe"]);
        let outcome = run(&workspace, "run", &[&folder], &[]);
        assert_eq!(outcome.code, 0, "{class}: {}", outcome.stderr);
        let file = folder.join("contained.so");
        let expected = format!(
            "warning: bad/{class} ({}) changes {CHANGES} in `{function}` (rounds down)",
            file.display()
        );
        assert!(outcome.stderr.contains(&expected), "{expected}\n{}", outcome.stderr);
        // one warning per file, also if it changes the state in every step
        assert_eq!(outcome.stderr.matches(CHANGES).count(), 1, "{}", outcome.stderr);
        assert!(outcome.stdout.contains("1 warning"), "{}", outcome.stdout);
    }
    let outcome = run(&world(&["in_destroy"]), "check", &[&folder], &["--json"]);
    assert_eq!((outcome.code, &*outcome.stderr), (0, ""));
    assert!(outcome.stdout.contains("changes the floating-point"), "{}", outcome.stdout);
}

/// The host's own results do not depend on a library in the folder.
#[test]
fn hashes_do_not_depend_on_libraries_in_the_folder() {
    let hash = |folders: &[&Path]| {
        let outcome = run(&world(&["default", "default"]), "run", folders, &["--hash-every", "1"]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        let line = outcome.stdout.lines().find(|line| line.contains("result hash")).unwrap();
        line.to_owned()
    };
    let rounds = ["VENDOR=\"x\"", "ON_LOAD=fesetround(FE_TOWARDZERO)"];
    assert_eq!(hash(&[]), hash(&[&plugin("rounds_to_zero", &rounds)]));
}

/// Runs a command that must not block.
fn in_time(mut command: std::process::Command) -> Output {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    end_of(&mut child);
    child.wait_with_output().unwrap()
}

/// A named pipe blocked every command.
#[test]
fn only_regular_files_are_opened() {
    let workspace = world(&["default"]);
    let folder = workspace.path("plugins");
    std::fs::create_dir_all(folder.join("folder.so")).unwrap();
    std::fs::create_dir_all(folder.join("plain")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(folder.join("pipe.so")).status().unwrap();
    assert!(made.success());
    let _socket = std::os::unix::net::UnixListener::bind(folder.join("socket.so")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.join("device.so")).unwrap();
    std::os::unix::fs::symlink("pipe.so", folder.join("link.so")).unwrap();
    let expected = [
        ("pipe.so", "it is a named pipe, expected a regular file"),
        ("link.so", "pipe.so"),
        ("socket.so", "it is a socket, expected a regular file"),
        ("device.so", "it is a device, expected a regular file"),
        ("folder.so", "it is a directory, expected a regular file"),
    ];
    for arguments in [
        &["run", "world.xml", "-v", "--duration", "0.1", "--plugin-dir", "plugins"][..],
        &["check", "world.xml", "-v", "--plugin-dir", "plugins"],
        &["plugin", "list", "-v", "--plugin-dir", "plugins"],
    ] {
        let mut command = workspace.command();
        command.args(arguments);
        let output = in_time(command);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        for (file, why) in expected {
            let line = text.lines().find(|line| line.contains(&format!("plugins/{file}")));
            let line = line.unwrap_or_else(|| panic!("{file} is missing in\n{text}"));
            assert!(text.contains(why), "{line}: {why}\n{text}");
        }
        assert!(!text.contains("plugins/plain"), "{text}");
    }
    let mut command = workspace.command();
    command.args(["world.xml", "--duration", "0.1", "--plugin-dir", "plugins", "--watch"]);
    assert_eq!(in_time(command).status.code(), Some(0));
    for arguments in [["plugin", "check", "plugins/pipe.so"], ["plugin", "info", "plugins/pipe.so"]]
    {
        let mut command = workspace.command();
        command.args(arguments);
        let output = in_time(command);
        assert_eq!(output.status.code(), Some(12), "{output:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains("is a named pipe, expected a regular file"), "{text}");
    }
}

#[test]
fn a_constructor_does_not_change_the_surroundings_of_the_program() {
    for (name, statement, what) in [
        ("chdir", "ON_LOAD=sink+=chdir(\"/\")", "the working directory"),
        ("umask", "ON_LOAD=umask(0777)", "the file mode mask"),
        ("stdout", "ON_LOAD=close(1);close(2)", "the standard streams"),
        (
            "signals",
            "ON_LOAD=signal(SIGTERM,SIG_IGN);signal(SIGSEGV,SIG_IGN)",
            "the handlers of signals",
        ),
        (
            "mask",
            "ON_LOAD=sigset_t s;sigfillset(&s);sigprocmask(SIG_BLOCK,&s,NULL)",
            "the signal mask",
        ),
    ] {
        let folder = plugin(name, &[statement, "BAD=crash()"]);
        let directory = folder.to_str().unwrap();
        let workspace = world(&["in_force"]);
        let output = workspace
            .command()
            .args(["world.xml", "--plugin-dir", directory, "--duration", "1", "--out", "out", "-v"])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        let remark = format!("it changes {what} while it is loaded; simhost has restored it");
        assert!(text.contains(&remark), "{name}: {text}");
        assert!(text.contains("bad/in_force") && text.contains("SIGSEGV"), "{name}: {text}");
        assert!(workspace.path("out/trajectory.csv").exists(), "{name}");
        let good = world(&["probe"]);
        let outcome = run(&good, "run", &[&folder], &[]);
        assert_eq!(outcome.code, 0, "{name}: {}", outcome.stderr);
        assert!(outcome.stdout.contains("no warnings"), "{name}: {}", outcome.stdout);
    }
}
