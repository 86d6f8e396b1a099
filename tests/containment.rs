//! Plugins that end, block or confuse the program in any of their functions.

use std::io::{BufRead, BufReader};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use simhost::{StepError, seconds};

use crate::support::waiting::{at_once, end_of, send};
use crate::support::world::{World, vehicle};
use crate::support::{Workspace, assert_parts, bad_plugins};

/// Functions of a model, the class in which they misbehave, and the name in messages.
const FUNCTIONS: [(&str, &str); 7] = [
    ("in_create", "create"),
    ("in_destroy", "destroy"),
    ("in_force", "force"),
    ("in_memory", "memory create"),
    ("in_ability", "ability"),
    ("in_arrange", "arrange"),
    ("in_capacity", "capacity"),
];

/// Number of vehicles whose table is divided among threads.
const MANY: u32 = 2100;

/// Builds the library of bad models with a statement that they execute, and returns its folder.
fn plugin(name: &str, macros: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("containment").join(name);
    bad_plugins::build_of("contained.c", &folder, "contained", macros);
    folder
}

/// Returns a folder with a world in which one vehicle has a class of the library.
fn world(class: &str, settings: &str) -> Workspace {
    of(class, settings).workspace()
}

/// Returns such a world, to be run in the process of the test.
fn of(class: &str, settings: &str) -> World {
    let [mut dynamics, mut friction, mut sensor] = ["differential", "default", "laser"];
    *match class {
        _ if class.starts_with("arrange") => &mut dynamics,
        "in_arrange" | "extreme_wrench" | "extreme_motion" => &mut dynamics,
        "extreme_rays" => &mut sensor,
        _ if class.ends_with("capacity") => &mut sensor,
        _ => &mut friction,
    } = class;
    let robot = |y: u32, dynamics: &str, friction: &str, sensor: &str| {
        let controller = if dynamics == "differential" { "raw" } else { "silent" };
        let sensor = format!("<sensor class=\"{sensor}\" name=\"s\"/>");
        let robot = vehicle(dynamics).controller(controller).friction(friction);
        robot.pose(0, y, 0).xml(&sensor)
    };
    let world = World::new().step(0.01).xml(settings);
    let world = world.vehicle("a", robot(0, dynamics, friction, sensor));
    world.vehicle("b", robot(5, "differential", "default", "laser"))
}

fn run(workspace: &Workspace, verb: &str, plugin: &Path, more: &[&str]) -> Output {
    let mut command = workspace.command();
    command.args([verb, "world.xml", "--plugin-dir", plugin.to_str().unwrap()]);
    // the library is tried once, and not by each run
    command.env("XDG_CACHE_HOME", plugin.with_extension("cache"));
    if verb == "run" {
        command.args(["--duration", "1"]);
    }
    command.args(more).output().unwrap()
}

/// Expects an exit code and parts of the messages.
fn expect(output: &Output, code: Option<i32>, parts: &[&str]) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), code, "{text}");
    for part in parts {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
}

/// Returns the verbs that call a function.
fn verbs(class: &str) -> &'static [&'static str] {
    if class == "in_force" { &["run"] } else { &["run", "check"] }
}

/// Returns each class with its function and each verb that calls it.
fn calls() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    FUNCTIONS
        .into_iter()
        .flat_map(|(class, function)| verbs(class).iter().map(move |verb| (class, function, *verb)))
}

/// `exit(0)` in a step ended with code 0 and empty files, and in `create` with the code of the plugin.
#[test]
fn a_plugin_that_calls_exit_is_named() {
    for (name, statement) in [("exit", "BAD=exit(0)"), ("quick_exit", "BAD=quick_exit(7)")] {
        let folder = plugin(name, &[statement]);
        for (class, function, verb) in calls() {
            let output = run(&world(class, ""), verb, &folder, &[]);
            let call = format!("bad/{class} (");
            let function = format!("in `{function}`");
            expect(&output, Some(11), &[&call, &function, "called exit", "help: "]);
        }
    }
}

/// The handler of crashes knew calls of phases only.
#[test]
fn a_crash_in_any_function_is_named() {
    let folder = plugin("crash", &["BAD=crash()"]);
    for (class, function, verb) in calls() {
        let output = run(&world(class, ""), verb, &folder, &[]);
        let function = format!("in `{function}`");
        let help = format!("help: run `simhost plugin check {}/", folder.display());
        expect(&output, None, &[&format!("bad/{class} ("), &function, "SIGSEGV", &help]);
        assert_eq!(output.status.signal(), Some(libc::SIGSEGV));
    }
}

#[test]
fn every_way_to_crash_is_named() {
    for (name, statement, signal) in [
        ("overflow", "BAD=overflow(1)", libc::SIGSEGV),
        ("raise", "BAD=raise(SIGSEGV)", libc::SIGSEGV),
        ("trap", "BAD=raise(SIGTRAP)", libc::SIGTRAP),
        ("alarm", "BAD=ualarm(1000,0);loop()", libc::SIGALRM),
        ("divide", "BAD=zero=7/zero", libc::SIGFPE),
    ] {
        // on other processors, a division by zero has a result
        if name == "divide" && !cfg!(target_arch = "x86_64") {
            continue;
        }
        let folder = plugin(name, &[statement]);
        let output = run_with_stack(&world("in_force", ""), &folder, "1", MAIN_STACK);
        assert_eq!(output.status.signal(), Some(signal), "{name}");
        expect(&output, None, &["bad/in_force (", "in `force`", "crashed the process (SIG"]);
    }
}

/// Size of the stack of the main thread that systems have by default, bytes. Without a limit, a stack
/// overflows when all memory is taken.
const MAIN_STACK: libc::rlim_t = 8 << 20;

/// Runs a world on some number of threads with this size of the stack of the main thread.
fn run_with_stack(
    workspace: &Workspace,
    plugin: &Path,
    threads: &str,
    size: libc::rlim_t,
) -> Output {
    let mut command = workspace.command();
    command.args(["run", "world.xml", "--duration", "1", "--threads", threads, "--plugin-dir"]);
    command.arg(plugin);
    // SAFETY: `setrlimit` is async-signal-safe, and its argument is valid.
    unsafe {
        command.pre_exec(move || {
            let mut limit: libc::rlimit = std::mem::zeroed();
            libc::getrlimit(libc::RLIMIT_STACK, &raw mut limit);
            limit.rlim_cur = size.min(limit.rlim_max);
            libc::setrlimit(libc::RLIMIT_STACK, &raw const limit);
            Ok(())
        });
    }
    command.output().unwrap()
}

/// The handler of the Rust runtime ran as well where it knew the end of the stack, and aborted. The process
/// ended with SIGABRT, or with SIGSEGV on processors whose registers fill the stack of the handlers.
#[test]
fn a_stack_overflow_is_named_the_same_on_every_thread_and_stack() {
    let folder = plugin("overflow", &["BAD=overflow(1)"]);
    // enough vehicles for tables that are divided among threads
    let many: String = (0..MANY)
        .map(|i| {
            format!(
                "<vehicle name=\"v{i}\"><init_pose>{} {} 0</init_pose><dynamics \
                 class=\"differential\"><controller class=\"raw\"/></dynamics>\
                 <friction class=\"in_force\"/></vehicle>",
                3 * (i % 32),
                20 + 3 * (i / 32)
            )
        })
        .collect();
    let many = world("in_force", &many);
    let one = world("in_force", "");
    for (workspace, threads, size) in [
        (&one, "1", 256 << 10),
        (&one, "1", MAIN_STACK),
        (&one, "1", 8_200_000),
        (&many, "2", MAIN_STACK),
    ] {
        let output = run_with_stack(workspace, &folder, threads, size);
        expect(&output, None, &["bad/in_force (", "in `force`", "SIGSEGV, stack overflow"]);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.signal(), Some(libc::SIGSEGV), "{threads} {size}: {text}");
        assert!(!text.contains("fatal runtime error"), "{text}");
    }
}

/// The watchdog knew calls of phases only, and `check` had none.
#[test]
fn the_watchdog_sees_every_function() {
    let folder = plugin("loop", &["BAD=loop()"]);
    at_once(calls(), |(class, function, verb)| {
        let output = run(&world(class, ""), verb, &folder, &["--watchdog", "0.3"]);
        let function = format!("in `{function}`");
        let parts = [&*format!("bad/{class} ("), &function, "has not returned within 0.3 s"];
        expect(&output, Some(11), &parts);
    });
    let defaults = Workspace::new("").command().args(["check", "--help"]).output().unwrap();
    let help = String::from_utf8_lossy(&defaults.stdout).into_owned();
    let (_, of_watchdog) = help.split_once("--watchdog").unwrap();
    assert!(of_watchdog.contains("[default: 10]"), "{help}");
}

/// A run took memory until the system ended it, or another process.
#[test]
fn a_limit_of_memory_ends_the_run_with_a_reason() {
    let folder = plugin("memory", &["BAD=eat(1000)"]);
    let more = ["--max-memory", "300M", "--out", "out"];
    let workspace = world("in_force", "");
    let output = run(&workspace, "run", &folder, &more);
    let parts =
        ["MiB of memory, during bad/in_force (", "at most 300 MiB (--max-memory)", "help: raise"];
    expect(&output, Some(15), &parts);
    assert!(workspace.table("trajectory.csv").last("time_s") > 0.4);
    let output = run(&workspace, "run", &folder, &["--max-memory", "much"]);
    expect(&output, Some(2), &["expected a size greater than 0, such as 500M or 2G"]);
    let output = run(&world("in_force", ""), "check", &folder, &["--max-memory", "1K"]);
    expect(&output, Some(15), &["expected at most"]);
}

/// A run that destroyed its models could not be ended.
#[test]
fn a_signal_ends_endless_functions() {
    let folder = plugin("endless", &["BAD=write(2,\"endless\\n\",8);loop()"]);
    at_once(calls(), |(class, _, verb)| {
        let workspace = world(class, "");
        let mut command = workspace.command();
        command.args([verb, "world.xml", "--plugin-dir", folder.to_str().unwrap()]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut lines = lines.map_while(Result::ok);
        assert!(lines.any(|line| line.contains("endless")), "{verb} {class}");
        send(&child, libc::SIGTERM);
        assert_eq!(end_of(&mut child).code(), Some(130), "{verb} {class}");
    });
}

/// The host panicked at the lane, and could not replay evidence with a step that is not a number.
#[test]
fn the_numbers_of_a_fault_are_checked() {
    let folder = plugin("numbers", &[]);
    let note = "the fault names lane 9223372036854775808, expected one of 0 to 1";
    let parts = ["vehicle 'a', wheel l", "bad/wrong_lane", "failed", note];
    of("wrong_lane", "").plugins(&folder).fault(1.0, &parts).replay();
    // the other lanes of the call are called again, and fault too
    let disable = "<plugin_faults action=\"disable\"/>";
    let run = of("wrong_lane", disable).plugins(&folder).run(1.0);
    assert_parts(&run.faults.concat(), &["wheel l", "names lane"]);
    let parts = ["does not support so large a step", "names lane 2"];
    let fault = of("wrong_step", "").plugins(&folder).fault(1.0, &parts);
    fault.replay();
    assert_eq!(fault.evidence()["suggested_dt"], 0.0, "no step is suggested");
}

#[test]
fn what_other_functions_return_is_checked() {
    let folder = plugin("numbers", &[]);
    for (class, part) in [
        ("short_table", "its table `simhost.memory/1` has a `size` of 8 bytes, expected 40"),
        ("null_table", "function 1 of its table `simhost.memory/1` is null"),
        ("crooked_table", "its table `simhost.memory/1` is at the misaligned address"),
        ("arrange_nan", "`arrange` sets `y` of wheel 1 to NaN m, expected a finite number"),
        ("arrange_flat", "`arrange` sets `radius` of wheel 0 to 0 m, expected a length above 0"),
        ("arrange_far", "`arrange` sets `x` of wheel 0 to 1"),
        ("endless_capacity", "`capacity` returns 2305843009213693951 rays, expected at most"),
    ] {
        let world = of(class, "").plugins(&folder);
        let (errors, line) = (world.errors(), world.line_with(&format!("class=\"{class}\"")));
        let [error] = &errors[..] else { panic!("{class}: {errors:?}") };
        assert_eq!(error.at.0, line, "{error:?}");
        assert_parts(&error.text, &[&format!("bad/{class} cannot be used: "), part]);
    }
    // the number is asked once for each instance
    of("growing_capacity", "").plugins(&folder).run(1.0);
    let (mut session, _) = of("much_memory", "").plugins(&folder).open();
    session.run_until(seconds(0.5)).unwrap();
    let error = session.snapshot().err().unwrap().to_string();
    assert_parts(&error, &["it saves 18446744073709551615 bytes of its memory"]);
}

/// Numbers that are finite or not, in all outputs and states, end a run at most as a fault or as
/// divergence.
#[test]
fn no_number_makes_the_host_panic() {
    for number in ["NAN", "INFINITY", "-INFINITY", "1e308", "-1e308", "1e-310", "1e17"] {
        let folder = plugin(&format!("extreme{number}"), &[&format!("EXTREME=({number})")]);
        for class in ["extreme_force", "extreme_wrench", "extreme_motion", "extreme_rays", "asks"] {
            for settings in ["", "<plugin_faults action=\"disable\"/>"] {
                match of(class, settings).plugins(&folder).try_run(1.0) {
                    None | Some(StepError::Fault(_) | StepError::Diverged(_)) => {}
                    Some(other) => panic!("{number} {class}: {other}"),
                }
            }
        }
    }
}
