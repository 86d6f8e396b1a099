//! The validator: every test of its table can fail, and all built-in models pass.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use simhost_registry::Catalogue;
use simhost_validator::{Failure, Plan, Program, ReportLine, Subject, Verdict};

use crate::support::{Outcome, SIMHOST, Workspace, bad_plugins, projects};

/// For each test, a plugin that fails it, and the start of the line that reports it.
const TABLE: &[(&str, Bad, &str)] = &[
    (
        "abi-magic",
        Bad::File(&["HEAD={1,1,1,1,{0,0},0}"]),
        "the file has a symbol `simhost_plugin_v1` without the magic number",
    ),
    (
        "abi-layout",
        Bad::File(&["HEAD={SIMHOST_MAGIC,SIMHOST_EPOCH,sizeof(simhost_plugin),1,{0,0},0}"]),
        "the file was built with layout 0000000000000001",
    ),
    ("descriptor-complete", Bad::File(&["DOC=\"\""]), "good: model `good` has no description"),
    (
        "descriptor-unique-keys",
        Bad::File(&["MORE_PARAMS=,NUMBER(\"mu\",\"1\",1.0,2.0)"]),
        "friction 'good': parameter 'mu' is declared twice",
    ),
    (
        "param-default-in-range",
        Bad::File(&["DEFAULT=3.0"]),
        "friction 'good': parameter 'mu': its default is 3",
    ),
    (
        "descriptor-ports",
        Bad::File(&["VX=\"vxx\""]),
        "good: unknown input `vxx` of phase `force`; did you mean `vx`?",
    ),
    ("param-unknown-rejected", Bad::Class, "`create` took 2 values, expected a rejection"),
    ("column-bounds", Bad::Class, "`force` accesses value 40 of input `vx`, which has 1 values"),
    (
        "lanes-of-the-call",
        Bad::Class,
        "`force` writes value -1 of output `fx`, which begins with value 0",
    ),
    ("outputs-written", Bad::Class, "`force` does not write output `spin_torque` of lane 0"),
    ("inputs-unchanged", Bad::Class, "`force` changes input `normal_force` of lane 0 from "),
    ("float-control", Bad::Class, "`force` changes the floating-point control state (rounds up)"),
    ("param-fuzz-bounds", Bad::Class, "output fx is NaN"),
    ("create-destroy-1000", Bad::Class, "the process grew by "),
    ("two-instances-independent", Bad::Class, "an output changes with another instance"),
    ("instances-parallel", Bad::Class, "an output changes with three instances"),
    ("step-zero-dt", Bad::Class, "the process crashed (SIGABRT)"),
    ("step-nonfinite-input", Bad::Class, "did not respond within 3 s"),
    ("step-output-finite", Bad::Class, "output fx is NaN"),
    (
        "reading-empty",
        Bad::Class,
        "output torque_left is NaN, though a sensor has not been sampled yet",
    ),
    ("reading-count", Bad::Class, "results change with NaN beyond the count of a reading"),
    ("no-alloc-in-step", Bad::Class, "`force` allocated 20 times in one call (of 24 bytes"),
    ("no-stdout", Bad::Class, "it printed \"slip "),
    (
        "state-roundtrip",
        Bad::Class,
        "16 saved bytes come back as 16 bytes, the first difference at",
    ),
    ("state-truncated", Bad::Class, "the process crashed (SIGABRT)"),
    ("state-random-bytes", Bad::Class, "the process crashed (SIGSEGV)"),
    ("state-resume-bitwise", Bad::Class, "an output changes when a new instance restores"),
    ("determinism-repeat", Bad::Class, "an output changes when the steps are repeated"),
    ("time-invariant", Bad::Class, "an output changes in steps that begin at 2.9 s"),
    ("determinism-process", Bad::Class, "an output changes in another process: "),
    ("determinism-thread-count", Bad::Class, "an output changes on 2 threads"),
    ("batch-equals-scalar", Bad::Class, "an output changes in a batch of 5 lanes"),
    ("parameters-per-lane", Bad::Class, "output `fx` of lane 1 of `force` is "),
    ("panic-contained", Bad::Class, "the process crashed (SIGABRT)"),
    ("friction-zero-slip", Bad::Class, "at rest the force is (3, "),
    ("friction-opposes-slip", Bad::Class, "the force ("),
    ("friction-mirror", Bad::Class, "the force is ("),
    ("friction-limit", Bad::Class, "the force is ("),
    ("friction-continuous", Bad::Class, "the force jumps by "),
    ("friction-no-nan", Bad::Class, "output fx is NaN"),
    ("friction-halving-dt", Bad::Class, "output fx is "),
    ("dynamics-no-energy", Bad::Class, "without actuators the energy rises"),
    ("dynamics-mirror", Bad::Class, "output torque of the mirrored vehicle is"),
    ("dynamics-halving-dt", Bad::Class, "with steps of 0.02, 0.01 and 0.005 s the motion changes"),
    ("sensor-rate", Bad::Class, "sample "),
    ("sensor-seed", Bad::Class, "another seed gives the same readings, though `noise_std`"),
    ("environment-state", Bad::Class, "`surface` changes state `wet` from "),
    ("environment-range", Bad::Class, "`surface` returns mu = 80"),
    ("environment-halving-dt", Bad::Class, "state `wet` is "),
    ("controller-finite", Bad::Class, "output torque_left is inf"),
    ("controller-saturation", Bad::Class, "output torque_left is "),
    ("controller-halving-dt", Bad::Class, "output torque_left is "),
    ("actuator-finite", Bad::Class, "output value is inf"),
    ("actuator-stable", Bad::Class, "output value reaches "),
    ("actuator-halving-dt", Bad::Class, "with steps of 0.02, 0.01 and 0.005 s the output changes"),
    ("fleet-finite", Bad::Class, "output vx is inf with 1 vehicle at rest in one place"),
    ("fleet-saturation", Bad::Class, "output vx is "),
    ("fleet-halving-dt", Bad::Class, "output vx is "),
    ("observer-select", Bad::Of("observers.c"), "`select` returns `"),
    ("observer-values", Bad::Of("observers.c"), "`step` changes value 0 from "),
    ("observer-repeat", Bad::Of("observers.c"), "`file observer.txt: "),
    ("observer-runs-independent", Bad::Of("observers.c"), "`file observer.txt: "),
    ("observer-stops", Bad::Of("observers.c"), "it ends the run without a reason at step 5"),
    ("observer-short-runs", Bad::Of("observers.c"), "the process crashed (SIGSEGV)"),
    ("observer-nonfinite", Bad::Of("observers.c"), "the process crashed (SIGSEGV)"),
    ("observer-memory", Bad::Of("observers.c"), "the process grew by "),
    (
        "observer-files",
        Bad::Of("observers.c"),
        "it writes the file `hidden.txt`, which `end` does not name",
    ),
];

/// Source of a bad plugin.
#[derive(Clone, Copy)]
enum Bad {
    /// A library compiled with these macros.
    File(&'static [&'static str]),
    /// A class of the library of bad models.
    Class,
    /// A class of the library from this source.
    Of(&'static str),
}

/// Tests whose bad plugins are in `tests/services.rs`.
const ELSEWHERE: [&str; 4] =
    ["abi-walk", "perception-declared", "perception-answers", "perception-lanes"];

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("validator").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn library(name: &str, macros: &[&str]) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let library = scratch("bad").join(bad_plugins::library_name(name));
    // tests build the same library at the same time
    let fresh = library.with_extension(projects::unique_name());
    let output = Command::new("cc")
        .args(["-std=c99", "-shared", "-fPIC", "-I"])
        .arg(root.join("sdk/c"))
        .args(macros.iter().map(|text| format!("-D{text}")))
        .arg("-o")
        .arg(&fresh)
        .arg(root.join("tests/plugins/c/bad.c"))
        .arg("-lm")
        .output()
        .unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    std::fs::rename(fresh, &library).unwrap();
    library
}

fn check(arguments: &[&str]) -> Outcome {
    let mut all = vec!["plugin", "check"];
    all.extend(arguments);
    Workspace::new("").run(&all)
}

/// Runs tests of the models that are wanted, each in a process of its own with a time limit, s. Without
/// tests, all are run.
fn examine(
    library: &Path,
    is_wanted: impl Fn(&Subject) -> bool,
    tests: &[&str],
    limit: u64,
) -> Vec<ReportLine> {
    let catalogue = Catalogue::of_file(library, None);
    let found = catalogue.libraries().iter().find(|library| library.file.is_some()).unwrap();
    let mut subjects = Subject::models(Some(library.to_owned()), found.plugin.unwrap());
    subjects.retain(is_wanted);
    let only = tests.iter().map(|test| (*test).to_owned()).collect();
    // seed and number of cases are those of `simhost plugin check`
    let (skip, given) = (Vec::new(), Vec::new());
    let plan = Plan { subjects, only, skip, seed: 1, cases: 25, given };
    assert!(!plan.is_empty(), "{tests:?}");
    let program = Program {
        path: SIMHOST.into(),
        arguments: ["plugin", "trial", "--"].map(Into::into).to_vec(),
        limit: Duration::from_secs(limit),
        stop: Arc::default(),
        hangs: Arc::default(),
    };
    simhost_validator::run(&plan, &program, |_| ControlFlow::Continue(())).unwrap()
}

/// Returns how a class of a library fails a test.
fn failure_of(library: &Path, test: &str, class: &str) -> Option<Failure> {
    // only the test that waits for a function without an end has a short time limit
    let limit = if test == "step-nonfinite-input" { 3 } else { 120 };
    let lines = examine(library, |subject| subject.class == class, &[test], limit);
    lines.into_iter().find_map(|line| match line.verdict {
        Verdict::Fail(failure) => Some(failure),
        _ => None,
    })
}

#[test]
fn each_test_can_fail_and_says_why() {
    let of_models = library("bad", &[]);
    // a mistake that acts after 1.5 s only
    let late = failure_of(&of_models, "step-output-finite", "bad/late").unwrap().what;
    assert!(late.starts_with("output fx is NaN") && late.contains(" in steps from "), "{late}");
    for (test, bad, expected) in TABLE {
        let class = format!("bad/{}", test.replace('-', "_"));
        let what = match bad {
            Bad::Class => failure_of(&of_models, test, &class).map(|failure| failure.what),
            Bad::Of(source) => {
                let folder = scratch("of").join(format!("{test}-{}", projects::unique_name()));
                let name = source.trim_end_matches(".c");
                let file = bad_plugins::build_of(source, &folder, name, &[]);
                failure_of(&file, test, &class).map(|failure| failure.what)
            }
            Bad::File(macros) => bad_plugins::failures(&library(test, macros), test).pop(),
        };
        let what = what.unwrap_or_else(|| panic!("{test} passes its bad model"));
        assert!(what.starts_with(expected), "{test}: {what}");
    }
}

#[test]
fn good_models_fail_no_test() {
    let file = library("bad", &[]);
    let lines = examine(&file, |subject| subject.class.starts_with("bad/good"), &[], 120);
    let failed: Vec<_> =
        lines.iter().filter(|line| matches!(line.verdict, Verdict::Fail(_))).collect();
    assert!(failed.is_empty() && lines.len() > 100, "{} tests: {failed:?}", lines.len());
}

#[test]
fn a_good_observer_fails_none_and_others_fail_for_their_reason() {
    let folder = scratch("observers");
    let file = bad_plugins::build_of("observers.c", &folder, "observers", &[]);
    let tests = TABLE.iter().map(|(test, ..)| *test).filter(|test| test.starts_with("observer-"));
    let tests: Vec<&str> = tests.collect();
    let lines = examine(&file, |subject| subject.class == "bad/good", &tests, 120);
    assert!(lines.iter().all(|line| line.verdict == Verdict::Pass), "{lines:?}");
    for (class, test, part) in [
        ("bad/reads", "observer-values", "accesses value 47 of the sample, which has 7 values"),
        ("bad/without_flag", "observer-stops", "without the flag STOPS at step "),
        ("bad/no_table", "observer-select", "`simhost.observer/1`"),
        (
            "bad/in_end",
            "observer-short-runs",
            "`end` without a sample returned a panic: out of ideas",
        ),
    ] {
        let failure = failure_of(&file, test, class);
        let what = failure.unwrap_or_else(|| panic!("{class} passes {test}")).what;
        assert!(what.contains(part), "{class}: {what}");
    }
}

/// The tests of a file that ends its trial in another process could all pass.
#[test]
fn a_quarantined_file_fails() {
    let folder = scratch("quarantined");
    let file = bad_plugins::build_of("contained.c", &folder, "probed", &["ON_LOAD=end_probe()"]);
    let outcome = check(&[file.to_str().unwrap(), "--only", "abi-magic"]);
    assert_eq!(outcome.code, 1, "{}{}", outcome.stdout, outcome.stderr);
    assert!(outcome.stdout.contains("pass  abi-magic"), "{}", outcome.stdout);
    assert!(
        outcome.stderr.contains("probed") && outcome.stderr.contains("exit"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn the_documentation_has_every_test_and_each_has_a_bad_plugin() {
    let listed = check(&["--list"]);
    assert_eq!(listed.code, 0);
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/validator.md");
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains(&listed.stdout), "docs/src/validator.md lacks the table of --list");
    let ids: Vec<&str> =
        listed.stdout.lines().skip(2).map(|line| line.split('`').nth(1).unwrap()).collect();
    let ids: Vec<&str> = ids.into_iter().filter(|test| !ELSEWHERE.contains(test)).collect();
    let known: Vec<&str> = TABLE.iter().map(|(test, ..)| *test).collect();
    assert_eq!(ids, known);
}

#[test]
#[ignore = "takes minutes without optimisation; the step boundary of .ci/run checks the optimised program"]
fn what_is_linked_in_passes() {
    let report = scratch("report").join("report.xml");
    let outcome = check(&[
        "--built-in",
        "--fuzz",
        "10",
        "--timeout",
        "60",
        "--junit",
        report.to_str().unwrap(),
    ]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
    let report = std::fs::read_to_string(report).unwrap();
    assert!(
        report.contains("<testsuite name=\"friction simhost/default\" tests=\"35\""),
        "{report}"
    );
    assert!(report.contains("failures=\"0\""));
}

/// The check wanted `NaN` in the description of the reading, a word for sideways in the name of the joint, and that
/// an actuator accepts every vehicle.
#[test]
fn a_declaration_counts_and_not_a_word() {
    let file = library("bad", &[]);
    for class in ["good_unknown", "good_joint", "good_only_light"] {
        let lines = examine(&file, |subject| subject.class == format!("bad/{class}"), &[], 120);
        let failed = lines.iter().find(|line| matches!(line.verdict, Verdict::Fail(_)));
        assert!(failed.is_none() && lines.len() > 25, "{class}: {failed:?}");
    }
    let what = failure_of(&file, "dynamics-mirror", "bad/lame_joint").unwrap().what;
    assert!(what.starts_with("output torque of the mirrored vehicle is"), "{what}");
}

/// A model with a required file failed 31 tests.
#[test]
fn a_model_is_tested_with_the_parameters_that_are_given() {
    let file = library("bad", &[]);
    let file = file.to_str().unwrap();
    let run = |workspace: &Workspace, more: &[&str]| {
        let only = ["--only", "param-fuzz-bounds", "--only", "friction-mirror", "--json"];
        let outcome = workspace.run(&[&["plugin", "check", file][..], &only, more].concat());
        let lines: Vec<Value> = serde_json::from_str(&outcome.stdout).unwrap_or_default();
        let of_class =
            lines.into_iter().filter(|line| line["subject"]["class"] == "bad/needs_table");
        (outcome.stderr, Vec::from_iter(of_class.map(|line| line["outcome"].clone())))
    };
    let workspace = Workspace::new("");
    assert_eq!(run(&workspace, &[]).1, ["fail", "skip"]);
    std::fs::write(workspace.path("good.txt"), "mu 0.8").unwrap();
    std::fs::write(workspace.path("wrong.txt"), "nothing").unwrap();
    assert_eq!(run(&workspace, &["--param", "table=good.txt"]).1, ["pass", "pass"]);
    let unknown = run(&workspace, &["--param", "tabel=good.txt"]).0;
    assert!(unknown.contains("unknown parameter `tabel`"), "{unknown}");
    assert!(unknown.contains("did you mean `table`?"), "{unknown}");
    let wrong = run(&workspace, &["--param", "mu=much"]).0;
    assert!(wrong.contains("much") && wrong.contains("mu"), "{wrong}");
    let project = "[check]\ntable = \"wrong.txt\"\n\n[check.needs_table]\ntable = \"good.txt\"\n";
    std::fs::write(workspace.path("simhost.toml"), project).unwrap();
    assert_eq!(run(&workspace, &[]).1, ["pass", "pass"]);
    // the command line has precedence
    assert_eq!(run(&workspace, &["--param", "table=wrong.txt"]).1, ["fail", "skip"]);
}

/// The state of an environment belongs to the world and has one value, whatever the lane.
#[test]
fn an_environment_that_reads_a_state_for_each_wheel_leaves_the_column() {
    let failure = failure_of(&library("bad", &[]), "column-bounds", "bad/lane_environment");
    let what = failure.unwrap().what;
    assert_eq!(what, "`surface` accesses value 1 of state `wet`, which has 1 values");
}

/// A force beyond μN comes from a declared viscous resistance, or is a defect.
#[test]
fn a_viscous_term_may_exceed_the_limit_of_friction_as_far_as_it_is_declared() {
    let file = library("bad", &[]);
    let failure = |class: &str| failure_of(&file, "friction-limit", &format!("bad/{class}"));
    assert_eq!(failure("good_drag"), None);
    for class in ["too_much_drag", "drag_forwards", "friction_limit"] {
        let what = failure(class).unwrap_or_else(|| panic!("{class} passes")).what;
        assert!(what.contains("mu = 0.8 at a load of 60 N allows 48 N"), "{what}");
    }
}

/// The advice came from the test, such as not to allocate.
#[test]
fn a_crash_beside_the_point_of_a_test_has_its_own_advice() {
    let file = library("bad", &[]);
    let arguments =
        [file.to_str().unwrap(), "--only", "no-alloc-in-step", "--only", "param-fuzz-bounds"];
    let outcome = check(&arguments);
    let (_, of_class) = outcome.stdout.split_once("friction bad/crashes\n").unwrap();
    let lines: Vec<&str> = of_class.lines().take(6).map(str::trim).collect();
    let crashed = format!(
        "with last output: error: bad/crashes ({}) in `force` crashed the process (SIGABRT, abort)",
        file.display()
    );
    let expected = [
        "FAIL  param-fuzz-bounds: the process crashed (SIGABRT)",
        &crashed,
        "The bounds are too wide: narrow them, or reject the combination in `prepare` (`create`).",
        "FAIL  no-alloc-in-step: the process crashed (SIGABRT)",
        &crashed,
    ];
    assert_eq!(lines[..5], expected);
    assert!(
        lines[5].starts_with("The model did this before the test could judge it."),
        "{of_class}"
    );
}

/// Nothing ran, with exit code 0.
#[test]
fn an_empty_selection_is_an_error() {
    for (arguments, expected) in [
        (&["--only", "no-stdout", "--skip", "no-stdout"][..], "every test of --only is also given"),
        (
            &["--only", "sensor-seed"],
            "no test is selected: sensor-seed applies to sensor models, found only",
        ),
    ] {
        let outcome = check(&[&["simhost/default"][..], arguments].concat());
        assert_eq!((outcome.code, &*outcome.stdout), (2, ""), "{}", outcome.stderr);
        assert!(outcome.stderr.contains(expected), "{}", outcome.stderr);
        assert!(outcome.stderr.contains("help: "), "{}", outcome.stderr);
    }
}

#[test]
fn a_seed_that_is_printed_reproduces_the_failure() {
    let (test, class, file) = ("param-fuzz-bounds", "bad/param_fuzz_bounds", library("bad", &[]));
    let found = failure_of(&file, test, class).unwrap();
    let seed = found.seed.unwrap().to_string();
    let only = ["--only", test, "--seed", &seed, "--fuzz", "1", "--json"];
    let outcome = check(&[&[file.to_str().unwrap()][..], &only[..]].concat());
    let lines: Vec<Value> = serde_json::from_str(&outcome.stdout).unwrap();
    let again = lines.iter().find(|line| line["subject"]["class"] == class).unwrap();
    assert_eq!((&again["test"], &again["outcome"]), (&test.into(), &"fail".into()));
    let again: Failure = serde_json::from_value(again.clone()).unwrap();
    assert_eq!(again, found);
}

#[test]
fn what_is_no_plugin_is_bad_input() {
    let text = scratch("bad").join(bad_plugins::library_name("text"));
    std::fs::write(&text, "no library").unwrap();
    let outcome = check(&[text.to_str().unwrap()]);
    assert_eq!(outcome.code, 12);
    assert!(outcome.stderr.contains("is not a shared library"), "{}", outcome.stderr);
    assert_eq!(check(&["nobody"]).code, 12);
    let outcome = check(&["default", "--only", "friction-miror"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("did you mean `friction-mirror`?"), "{}", outcome.stderr);
}
