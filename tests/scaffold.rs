//! Projects created by `simhost plugin new`: each kind in each language builds, passes its tests and runs.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::world::{World, differential, model};
use crate::support::{OPTIMISED, SIMHOST, Table};

const KINDS: [&str; 9] = [
    "friction",
    "dynamics",
    "controller",
    "sensor",
    "actuator",
    "environment",
    "fleet",
    "observer",
    "suspension",
];

/// Values of `--template`, which shows one thing each.
const TEMPLATES: [&str; 3] = ["estimator", "servo", "curve"];

/// Returns an empty folder for a test.
fn empty(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs a program in a folder, and returns its exit code, standard output and standard error.
fn run(program: &str, folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).env_remove("SIMHOST_PLUGIN_PATH");
    command.env("XDG_DATA_HOME", folder.join("data")).env("XDG_CACHE_HOME", folder.join("cache"));
    // all projects share a folder, so that the SDK is compiled once
    command.env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("plugins"));
    let output = command.output().unwrap_or_else(|error| {
        panic!("this test needs `{program}`, which cannot be run: {error}")
    });
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

/// Runs a program that must succeed, and returns its output.
fn succeed(program: &str, folder: &Path, arguments: &[&str]) -> String {
    let (code, out, err) = run(program, folder, arguments);
    assert_eq!(code, 0, "{program} {arguments:?} in {}:\n{out}\n{err}", folder.display());
    out + &err
}

fn new(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let words = ["plugin", "new"].iter().chain(arguments).copied().collect::<Vec<_>>();
    run(SIMHOST, folder, &words)
}

/// Returns the option that chooses a kind or a template.
fn option_of(kind: &str) -> &'static str {
    if TEMPLATES.contains(&kind) { "--template" } else { "--kind" }
}

/// Creates a project of a kind or a template, and returns its folder.
fn project(folder: &Path, name: &str, kind: &str, lang: &str) -> PathBuf {
    let (code, out, err) = new(folder, &[name, option_of(kind), kind, "--lang", lang]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.contains(&format!("{name}/{}.world.xml", name.replace('-', "_"))), "{out}");
    folder.join(name)
}

/// Runs the world of a project with the plugins in a folder.
fn drive(project: &Path, name: &str, kind: &str, plugins: &Path) {
    let world = format!("{name}.world.xml");
    let commands = format!("{name}.commands.csv");
    let plugins = plugins.to_str().unwrap();
    let mut words = vec![world.as_str(), "--plugin-dir", plugins, "--out", "out"];
    if project.join(&commands).exists() {
        words.extend(["--commands", &commands]);
    }
    let output = succeed(SIMHOST, project, &words);
    assert!(output.contains("no warnings"), "{output}");
    moved(&project.join("out"), kind);
}

/// Asserts that the output shows the effect of the model.
fn moved(out: &Path, kind: &str) {
    let paths = Table::read(&out.join("trajectory.csv"));
    let vehicle = match kind {
        "dynamics" => "rover",
        "environment" => "van",
        _ => "robot",
    };
    let path = paths.only("vehicle", vehicle);
    let (x, y) = (path.numbers("x_m"), path.numbers("y_m"));
    let ends = (x[x.len() - 1], y[y.len() - 1]);
    match kind {
        // the last waypoint of the command file
        "controller" => assert!((ends.0 - 1.5).abs() < 2.0 && ends.1 > 2.0, "{ends:?}"),
        _ => assert!(ends.0.hypot(ends.1) > 1.0, "{ends:?}"),
    }
    if kind == "sensor" {
        let readings = std::fs::read_to_string(out.join("robot.bow.csv")).unwrap();
        let header = readings.lines().next().unwrap();
        for column in ["ground_speed", "nearest", "echo"] {
            assert!(header.contains(column), "no `{column}` in {header}");
        }
        assert!(readings.lines().count() > 50, "{readings}");
    }
    if kind == "estimator" {
        estimated(&Table::read(&out.join("robot.pose.csv")), &path);
    }
    if kind == "servo" || kind == "curve" {
        let without = paths.only("vehicle", "without");
        let headings = [&path, &without].map(|path| path.last("yaw_rad"));
        assert!((headings[0] - headings[1]).abs() > 0.01, "{headings:?}");
    }
    if kind == "suspension" {
        // the arms keep the rear of the braking car down
        let most = |name: &str| {
            paths.only("vehicle", name).numbers("pitch_rad").into_iter().fold(0.0, f64::max)
        };
        let (with, without) = (most("robot"), most("without"));
        assert!(with > 0.0 && with < 0.6 * without, "{with} {without}");
    }
    if kind == "environment" {
        // the gust pushes the van to the left
        assert!(ends.1 > 0.2, "{ends:?}");
    }
    if kind == "observer" {
        let trip = Table::read(&out.join("trip.csv"));
        assert!((trip.numbers("distance_m")[0] - 5.0).abs() < 0.01, "{:?}", trip.rows);
    }
}

/// Asserts that the poses of an estimator are near the true path of its vehicle.
fn estimated(poses: &Table, path: &Table) {
    let (times, true_times) = (poses.numbers("time_s"), path.numbers("time_s"));
    let [x, y, yaw] =
        ["estimated_x_m", "estimated_y_m", "estimated_yaw_rad"].map(|n| poses.numbers(n));
    let truth = ["x_m", "y_m", "yaw_rad"].map(|name| path.numbers(name));
    let (mut compared, mut turned) = (0, 0.0_f64);
    for (row, time) in times.iter().enumerate() {
        let Some(at) = true_times.iter().position(|one| (one - time).abs() < 1e-9) else {
            continue;
        };
        let [x0, y0, yaw0] = truth.each_ref().map(|column| column[at]);
        let turn = yaw[row] - yaw0;
        let error = [x[row] - x0, y[row] - y0, turn.sin().atan2(turn.cos())];
        // m and rad, of a way of 6 m
        assert!(error.iter().all(|one| one.abs() < 0.1), "{error:?} at {time} s");
        (compared, turned) = (compared + 1, turned.max(yaw[row]));
    }
    assert!(compared > 100 && turned > 3.5, "{compared} poses, turned by {turned} rad");
}

/// Returns a folder with just this library.
fn alone(project: &Path, library: &Path) -> PathBuf {
    let folder = project.join("plugins");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::copy(library, folder.join(library.file_name().unwrap())).unwrap();
    folder
}

#[test]
fn every_kind_in_rust_builds_passes_its_tests_and_runs() {
    let folder = empty("scaffold-rust");
    for kind in KINDS.into_iter().chain(TEMPLATES) {
        let project = project(&folder, &format!("new-{kind}"), kind, "rust");
        let name = format!("new_{kind}");
        let output = succeed(env!("CARGO"), &project, &["build", "--offline"]);
        assert!(!output.contains("warning"), "{output}");
        let output = succeed(env!("CARGO"), &project, &["test", "--offline", "--test", "physics"]);
        assert!(output.contains("0 failed") && !output.contains(" 0 passed"), "{output}");
        let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        let debug = Path::new(env!("CARGO_TARGET_TMPDIR")).join("plugins/debug");
        let library = debug.join(format!("{prefix}{name}{suffix}"));
        drive(&project, &name, kind, &alone(&project, &library));
    }
}

/// With the C compiler alone, as the README of a project describes it for machines without CMake.
#[test]
fn every_kind_in_c_builds_with_cc_passes_its_tests_and_runs() {
    let folder = empty("scaffold-cc");
    let strict = ["-std=c99", "-Iinclude", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"];
    for kind in KINDS.into_iter().chain(TEMPLATES) {
        let name = format!("new_{kind}");
        let project = project(&folder, &name, kind, "c");
        let compile = |more: &[&str]| {
            succeed("cc", &project, &[&strict[..], more, &["-lm"]].concat());
        };
        compile(&["model.c", "tests/physics.c", "-o", "physics"]);
        succeed("./physics", &project, &[]);
        std::fs::create_dir(project.join("plugins")).unwrap();
        let library = format!("plugins/{name}{}", std::env::consts::DLL_SUFFIX);
        compile(&["-O2", "-shared", "-fPIC", "model.c", "-o", &library]);
        drive(&project, &name, kind, &project.join("plugins"));
    }
}

#[test]
#[ignore = "needs cmake"]
fn every_kind_in_c_builds_with_cmake_passes_its_tests_and_runs() {
    let folder = empty("scaffold-c");
    for kind in KINDS.into_iter().chain(TEMPLATES) {
        let name = format!("new_{kind}");
        let project = project(&folder, &name, kind, "c");
        let strict = "-DCMAKE_C_FLAGS=-Werror";
        succeed("cmake", &project, &["-S", ".", "-B", "build", strict]);
        succeed("cmake", &project, &["--build", "build"]);
        succeed("ctest", &project, &["--test-dir", "build", "--output-on-failure"]);
        drive(&project, &name, kind, &project.join("plugins"));
    }
}

/// Builds with the commands of the README, which `plugin new` prints too.
#[test]
#[ignore = "needs a C++ compiler"]
fn every_kind_in_cpp_builds_passes_its_tests_and_runs() {
    let folder = empty("scaffold-cpp");
    for kind in KINDS.into_iter().chain(TEMPLATES) {
        let name = format!("new_{kind}");
        let (code, out, err) = new(&folder, &[&name, option_of(kind), kind, "--lang", "cpp"]);
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        let project = folder.join(&name);
        let readme = std::fs::read_to_string(project.join("README.md")).unwrap();
        let commands: Vec<&str> = readme.lines().filter(|line| line.contains(" c++ ")).collect();
        let build = commands.first().expect("a command that builds").trim();
        assert!(out.contains(build), "no `{build}` in {out}");
        let strict = build.replace("-O2", "-O1 -Wall -Wextra -pedantic -Werror");
        succeed("sh", &project, &["-c", &strict]);
        let check = readme.lines().find(|line| line.contains("./physics")).unwrap().trim();
        let said = succeed("sh", &project, &["-c", &check.replace("-lm", "-Wall -Werror -lm")]);
        assert_eq!(said, "passed\n");
        drive(&project, &name, kind, &project.join("plugins"));
        let library = format!("plugins/{name}{}", std::env::consts::DLL_SUFFIX);
        // the parameter of the curve is in `simhost.toml` of the project
        succeed(SIMHOST, &project, &["plugin", "check", &library, "--fuzz", "5"]);
    }
}

/// Creates a project of a friction model in C++. Returns its folder and the source of the model.
fn tyre_in_cpp(folder: &str) -> (PathBuf, String) {
    let folder = empty(folder);
    assert_eq!(new(&folder, &["tyre", "--kind", "friction", "--lang", "cpp"]).0, 0);
    let project = folder.join("tyre");
    let source = std::fs::read_to_string(project.join("model.cpp")).unwrap();
    (project, source)
}

/// Wrong declarations in C++ do not compile, and the compiler shows the rule.
#[test]
#[ignore = "needs a C++ compiler"]
fn wrong_declarations_in_cpp_do_not_compile() {
    let (project, source) = tyre_in_cpp("scaffold-cpp-wrong");
    for (right, wrong, rule) in [
        ("0.8, 0.0, 3.0", "3.8, 0.0, 3.0", "a default is out of range"),
        ("0.8, 0.0, 3.0", "0.8, 3.0, 0.0", "the range of a parameter is empty"),
        ("\"slip_half\", \"1\"", "\"mu\", \"1\"", "a name occurs twice"),
        ("&In::vy, \"vy\"", "&In::vy, \"vx\"", "a name occurs twice"),
        ("&Out::fx, \"fx\"", "&Out::fx, \"\"", "a name is empty"),
        ("&In::vy, \"vy\"", "&Out::fy, \"vy\"", "error:"),
        ("void force(", "void farce(", "force"),
        ("port(&In::load,", "simhost::parameter(&In::load,", "has the name of none"),
        ("\"tyre\", \"0.1.0\"", "\"my tyre\", \"0.1.0\"", "are words"),
    ] {
        assert!(source.contains(right), "{right}");
        std::fs::write(project.join("model.cpp"), source.replace(right, wrong)).unwrap();
        let words = ["-std=c++17", "-Iinclude", "-fsyntax-only", "model.cpp"];
        let (code, _, err) = run("c++", &project, &words);
        assert!(code != 0 && err.contains(rule), "`{wrong}`: {code}\n{err}");
    }
}

/// A class in C++ has what one in Rust has: every kind of parameter, values per vehicle, optional inputs,
/// memory that snapshots keep, surroundings, and a version.
#[test]
#[ignore = "needs a C++ compiler"]
fn a_class_in_cpp_declares_whatever_one_in_rust_can() {
    let folder = empty("scaffold-cpp-everything");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let include = format!("-I{}", root.join("sdk/c").display());
    let source = root.join("tests/plugins/cpp/everything.cpp");
    let library = format!("everything{}", std::env::consts::DLL_SUFFIX);
    let mut words = vec!["-std=c++17", "-O1", "-ffp-contract=off", "-shared", "-fPIC", "-Wall"];
    words.extend(["-Wextra", "-Werror", &include, source.to_str().unwrap(), "-o", &library]);
    succeed("c++", &folder, &words);
    let test = root.join("tests/plugins/cpp/everything_test.cpp");
    let sources = [source.to_str().unwrap(), test.to_str().unwrap()];
    let checked = ["-std=c++17", "-Wall", "-Werror", "-fsanitize=address,undefined", &include];
    succeed("c++", &folder, &[&checked[..], &sources, &["-o", "physics", "-lm"]].concat());
    succeed("./physics", &folder, &[]);
    std::fs::write(folder.join("text.txt"), "twelve bytes").unwrap();
    let controller = |name: &str, gain: f64, more: &str| {
        let file = folder.join("text.txt");
        let model = model(name).set("gain", gain).set("wanted", 5).set("file", file.display());
        differential().controller(model.xml(more))
    };
    let given = "<word>six</word><law>square</law><list>1 2, 3</list><pair>10 20</pair>\
        <words>a bc</words><maybe>100</maybe><spring><rate>7</rate></spring>\
        <springs><rate>1000</rate><rest>2</rest></springs><springs/>";
    let world = World::new().plugins(&folder).record("**").wall([20.0, -50.0], [20.0, 50.0], 1.0);
    let world =
        world.step(0.01).every(0.01).vehicle("a", controller("everything", 1.0, "").pose(0, 0, 0));
    let world = world.vehicle("b", controller("all_of_it", 3.0, given).pose(0, 10, 0));
    let world = world.vehicle("c", controller("everything", 4.0, "").pose(0, 20, 0));
    let run = world.repeats(0.5, 1.0);
    let unit = |what: &str| if ["range", "oldest"].contains(&what) { "m" } else { "1" };
    let last = |vehicle: &str, what: &str| {
        run.table("quantities.csv").last(&format!("{vehicle}/controller/{what} [{}]", unit(what)))
    };
    // pair, spring, needed and 1000 for a number that is missing
    assert_eq!(last("a", "parameters"), 7.0 + 1.5 + 5.0 + 1000.0);
    assert_eq!(last("b", "parameters"), 30.0 + 7.5 + 5.0 + 100.0 + 6.0 + 1002.0 + 1.5);
    assert_eq!([last("a", "text"), last("b", "text")], [16.0, 18.0]);
    assert_eq!([last("a", "law"), last("b", "law")], [0.0, 1.0]);
    assert_eq!(["a", "b", "c"].map(|vehicle| last(vehicle, "loud")), [8.0, 10.0, 11.0]);
    // 1 m/s for a second; a call sees the position before its step, and the wall is 2 cm thick
    assert!((last("a", "range") - 19.0).abs() < 1e-9, "{}", last("a", "range"));
    assert!((last("a", "oldest") - 0.89).abs() < 1e-9, "{}", last("a", "oldest"));
    assert_eq!(last("a", "steps"), 100.0);
    let page = ["plugin", "doc", "acme/everything", "--plugin-dir", "."];
    let page = succeed(SIMHOST, &folder, &page);
    assert!(page.contains("Version 2.1.0"), "{page}");
    // an output counts the steps
    let checked = ["plugin", "check", &library, "--fuzz", "5", "--skip", "controller-halving-dt"];
    succeed(SIMHOST, &folder, &checked);
}

/// An observer in C++ writes neither over a file of the run nor outside of its folder.
#[test]
#[ignore = "needs a C++ compiler"]
fn an_observer_in_cpp_keeps_to_names_of_its_own() {
    let folder = empty("scaffold-cpp-observer");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let include = format!("-I{}", root.join("sdk/c").display());
    let source =
        std::fs::read_to_string(root.join("sdk/templates/cpp/observer/model.cpp")).unwrap();
    let library = format!("trip{}", std::env::consts::DLL_SUFFIX);
    let right = "run.name + \".csv\"";
    assert!(source.contains(right), "no {right}");
    for (name, part) in [
        ("trajectory.csv", "`trajectory.csv` is a file of the run; expected another name"),
        ("manifest.json", "`manifest.json` is a file of the run"),
        ("../../x", "`../../x` is not a file in the output folder"),
        ("a/../../x", "is not a file in the output folder"),
        ("own.csv", ""),
    ] {
        let wrong = source.replace(right, &format!("\"{name}\""));
        std::fs::write(folder.join("model.cpp"), wrong).unwrap();
        let words =
            ["-std=c++17", "-O1", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", &include];
        succeed("c++", &folder, &[&words[..], &["model.cpp", "-o", &library]].concat());
        let world = World::new().plugins(&folder).step(0.01);
        let world = world.vehicle("robot", differential().pose(0, 0, 0));
        let world = world.xml("<observer class=\"template_name\" name=\"trip\"/>").workspace();
        let folder = folder.to_str().unwrap();
        let words = ["world.xml", "--plugin-dir", folder, "--out", "out", "--duration", "0.5"];
        let outcome = world.run(&words);
        assert_eq!(outcome.code, 0, "{name}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(part), "{name}: {}", outcome.stderr);
        let rows = std::fs::read_to_string(world.path("out/trajectory.csv")).unwrap();
        assert!(rows.starts_with("time_s,vehicle,"), "{name}: {rows}");
        assert!(world.path("out/manifest.json").is_file() && !world.path("x").exists(), "{name}");
        assert_eq!(world.path("out/own.csv").exists(), name == "own.csv");
    }
}

/// An exception in a phase is a fault of the lane, one in `prepare` rejects the parameters, and an
/// output that is not written is found.
#[test]
#[ignore = "needs a C++ compiler"]
fn exceptions_of_a_class_in_cpp_are_contained() {
    let (project, source) = tyre_in_cpp("scaffold-cpp-throws");
    std::fs::create_dir(project.join("plugins")).unwrap();
    let library = format!("plugins/tyre{}", std::env::consts::DLL_SUFFIX);
    let begin = "    void force(const In &in, Out &out, const simhost::Step &step) const {\n";
    let throws = |what: &str| format!("{begin}if (step.time >= 1.0) throw {what};\n");
    let prepare =
        "    void prepare() { if (mu < 0.9) throw std::runtime_error(\"too smooth\"); }\n";
    for (right, wrong, code, parts) in [
        (
            begin,
            throws("std::runtime_error(\"the tyre burst\")"),
            11,
            &["the tyre burst", "at 1 s", "vehicle 'robot'"][..],
        ),
        (
            begin,
            throws("simhost::StepTooLarge(\"too stiff\", 0.001)"),
            11,
            &["too stiff", "<simul_timestep>0.001</simul_timestep>"],
        ),
        (begin, throws("42"), 11, &["an exception without a text"]),
        (begin, format!("{prepare}{begin}"), 12, &["too smooth", "tyre.world.xml:10:"]),
        ("        out.fy =", "        double fy =".into(), 11, &["`fy`", "at 0 s"]),
    ] {
        assert!(source.contains(right), "{right}");
        std::fs::write(project.join("model.cpp"), source.replace(right, &wrong)).unwrap();
        let words = ["-std=c++17", "-Iinclude", "-O1", "-shared", "-fPIC", "model.cpp", "-o"];
        succeed("c++", &project, &[&words[..], &[&library]].concat());
        let words = ["tyre.world.xml", "--plugin-dir", "plugins"];
        let (ended, _, err) = run(SIMHOST, &project, &words);
        assert_eq!(ended, code, "{wrong}: {err}");
        for part in parts {
            assert!(err.contains(part), "no `{part}` in {err}");
        }
    }
}

/// The generated tests find a wrong sign in each model.
#[test]
fn the_tests_of_a_project_find_a_wrong_sign() {
    let folder = empty("scaffold-wrong");
    for (kind, right, wrong) in [
        ("friction", "outputs[FX][i] = fx", "outputs[FX][i] = -fx"),
        ("friction", "= mu * slip /", "= 2.0 * mu * slip /"),
        ("dynamics", "0.5 * (speeds[0] + speeds[1])", "0.5 * (speeds[0] - speeds[1])"),
        ("controller", "= limit(self->turn_gain * bearing, self->max_turn)", "= bearing"),
        ("sensor", "fmax(0.0, fmin(noisy, self->max_range))", "noisy"),
        ("sensor", "draw(batch->streams[i], &count);", "draw(7, &count);"),
        ("actuator", "share * distance", "distance"),
        ("environment", "wet[0] = fmin(wet[0] + batch->dt / 2.0, 1.0)", "wet[0] += batch->dt"),
        ("environment", "0.5 * self->speed", "self->speed"),
        ("observer", "(y - now->y) * (y - now->y)", "(y - now->y)"),
        ("fleet", "= limit(self->turn_gain * bearing, self->max_turn)", "= bearing"),
        ("fleet", "in[ENABLED][i] * in[X][i]", "in[X][i]"),
        ("estimator", "(wheels[1] - wheels[0])", "(wheels[0] - wheels[1])"),
        ("estimator", "way * simhost_sin(heading)", "way * simhost_cos(heading)"),
        ("servo", "pull - 2.0 * self->damping", "pull - self->damping"),
        ("curve", "(command - low.x)", "(command + low.x)"),
        ("curve", "points[count].x <= points[count - 1].x", "0"),
    ] {
        let name = format!("wrong_{kind}_{}", wrong.len());
        let project = project(&folder, &name, kind, "c");
        let source = std::fs::read_to_string(project.join("model.c")).unwrap();
        assert!(source.contains(right), "{right}");
        std::fs::write(project.join("model.c"), source.replace(right, wrong)).unwrap();
        let compile =
            ["-std=c99", "-Iinclude", "model.c", "tests/physics.c", "-o", "physics", "-lm"];
        succeed("cc", &project, &compile);
        let (code, _, err) = run("./physics", &project, &[]);
        assert!(code == 1 && err.contains("check failed:"), "{kind} with `{wrong}`: {code}\n{err}");
    }
}

/// The generated tests in Rust find a wrong sign in each model.
#[test]
fn the_tests_of_a_project_in_rust_find_a_wrong_sign() {
    let folder = empty("scaffold-wrong-rust");
    // each is a project to build; the tests in C find the same mistakes
    let count = if OPTIMISED { KINDS.len() + TEMPLATES.len() } else { 2 };
    let mistakes = [
        ("friction", "wheel.mu(self.mu) * grip", "-wheel.mu(self.mu) * grip"),
        ("dynamics", "(mean(RIGHT) - mean(LEFT))", "(mean(LEFT) - mean(RIGHT))"),
        ("controller", "math::limit(self.turn_gain * bearing, self.max_turn)", "bearing"),
        ("sensor", "self.noise * random.normal();", "self.noise;"),
        ("actuator", "share * distance", "-share * distance"),
        ("environment", "0.5 * self.speed", "self.speed"),
        ("observer", "(y - y0) * (y - y0)", "(y - y0)"),
        ("fleet", "cos * north - sin * east", "sin * east - cos * north"),
        ("estimator", "(right - left)", "(left - right)"),
        ("servo", "2.0 * damping", "damping"),
        ("curve", "(command - x0)", "(command + x0)"),
    ];
    for (kind, right, wrong) in mistakes.into_iter().take(count) {
        let project = project(&folder, &format!("wrong_{kind}"), kind, "rust");
        let source = std::fs::read_to_string(project.join("src/lib.rs")).unwrap();
        assert!(source.contains(right), "{right}");
        std::fs::write(project.join("src/lib.rs"), source.replace(right, wrong)).unwrap();
        let (code, out, err) =
            run(env!("CARGO"), &project, &["test", "--offline", "--test", "physics"]);
        assert!(code == 101 && out.contains("FAILED"), "{kind} with `{wrong}`:\n{out}{err}");
    }
}

#[test]
fn a_wrong_name_is_answered_with_the_nearest() {
    let folder = empty("scaffold-names");
    let (code, _, err) = new(&folder, &["9 Tyres", "--kind", "friction"]);
    assert_eq!(code, 2, "{err}");
    assert!(
        err.contains("must start with a lower-case letter") && err.contains("try `tyres`"),
        "{err}"
    );
    let (code, _, err) = new(&folder, &["tyre", "--kind", "fricton"]);
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("friction"), "{err}");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn nothing_is_overwritten() {
    let folder = empty("scaffold-there");
    std::fs::create_dir(folder.join("tyre")).unwrap();
    std::fs::write(folder.join("tyre/README.md"), "mine").unwrap();
    let (code, _, err) = new(&folder, &["tyre", "--kind", "friction", "--lang", "c"]);
    assert_eq!(code, 13, "{err}");
    assert!(err.contains("`tyre` already exists; no file was changed"), "{err}");
    assert_eq!(std::fs::read_to_string(folder.join("tyre/README.md")).unwrap(), "mine");
    assert_eq!(std::fs::read_dir(folder.join("tyre")).unwrap().count(), 1);
}

#[test]
fn a_name_of_a_built_in_class_is_warned_of_and_still_runs() {
    let folder = empty("scaffold-taken");
    let (code, _, err) = new(&folder, &["ellipse", "--kind", "friction", "--lang", "c"]);
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("`ellipse` is also the name of a built-in friction class"), "{err}");
    let world = std::fs::read_to_string(folder.join("ellipse/ellipse.world.xml")).unwrap();
    assert!(world.contains("class=\"example/ellipse\""), "{world}");
}

#[test]
fn the_sdk_comes_from_a_folder_a_repository_or_the_program() {
    let folder = empty("scaffold-sdk");
    let manifest = |name: &str, sdk: &str| {
        let arguments = [name, "--kind", "sensor", "--sdk", sdk, "--vendor", "acme", "--dir", "in"];
        let (code, _, err) = new(&folder, &arguments);
        assert_eq!(code, 0, "{err}");
        std::fs::read_to_string(folder.join("in").join(name).join("Cargo.toml")).unwrap()
    };
    let git = manifest("a", "https://example.org/simhost.git");
    assert!(git.contains("simhost-sdk = { git = \"https://example.org/simhost.git\" }"), "{git}");
    let copy = manifest("b", "copy");
    assert!(copy.contains("simhost-sdk = { path = \"simhost-sdk/sdk\" }"), "{copy}");
    // the project is complete, even where nothing can be downloaded
    let checked = Command::new(env!("CARGO"))
        .args(["check", "--offline"])
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .current_dir(folder.join("in/b"))
        .output()
        .unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let path = manifest("c", root.to_str().unwrap());
    assert!(path.contains(&format!("path = \"{}\"", root.join("sdk").display())), "{path}");
    let (code, _, err) = new(&folder, &["d", "--kind", "sensor", "--sdk", "in"]);
    assert_eq!(code, 12, "{err}");
    assert!(err.contains("missing simhost-sdk in `in`"), "{err}");
    assert!(err.contains("help: --sdk expects `copy`"), "{err}");
}

/// Compiles a plugin in C++17 with all warnings as errors, and runs a vehicle on its friction.
fn run_cpp(folder: &Path, source: &str, macros: &[&str], friction: &str) -> (i32, String, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (include, source) = (format!("-I{}", root.join("sdk/c").display()), root.join(source));
    let library = format!("plugins/plugin{}", std::env::consts::DLL_SUFFIX);
    std::fs::create_dir_all(folder.join("plugins")).unwrap();
    let mut words = vec!["-std=c++17", "-O1", "-ffp-contract=off", "-shared", "-fPIC"];
    words.extend(["-Wall", "-Wextra", "-pedantic", "-Werror", include.as_str()]);
    words.extend(macros);
    words.extend([source.to_str().unwrap(), "-o", &library]);
    succeed("c++", folder, &words);
    let robot = differential().controller(model("twist_pid").set("V", 1).set("W", 9));
    let world = World::new().set("duration", 2).vehicle("v", robot.pose(0, 0, 0).xml(friction));
    std::fs::write(folder.join("world.xml"), world.text()).unwrap();
    run(SIMHOST, folder, &["world.xml", "--plugin-dir", "plugins"])
}

#[test]
#[ignore = "needs a C++ compiler"]
fn the_example_in_cpp_runs_and_refuses_a_table_that_falls() {
    let (source, folder) = ("sdk/c/example/table.cpp", empty("cpp-table"));
    let (code, out, err) = run_cpp(&folder, source, &[], "<friction class=\"cpp_table\"/>");
    assert_eq!(code, 0, "{out}{err}");
    let wrong = "<friction class=\"cpp_table\"><slip>0 0.2 0.1</slip></friction>";
    let (code, _, err) = run_cpp(&folder, source, &[], wrong);
    assert_eq!(code, 12, "{err}");
    assert!(err.contains("the numbers of <slip> have to rise"), "{err}");
}

#[test]
#[ignore = "needs a C++ compiler"]
fn an_exception_ends_at_the_boundary_and_is_a_fault() {
    let folder = empty("cpp-throws");
    let friction = "<friction class=\"throws\"/>";
    for (thrown, text) in [
        ("std::runtime_error(\"the tyre burst\")", "the tyre burst"),
        ("42", "an exception without a text"),
    ] {
        let thrown = format!("-DTHROWN={thrown}");
        let source = "tests/plugins/cpp/throws.cpp";
        let (code, _, err) = run_cpp(&folder, source, &[&thrown], friction);
        assert_eq!(code, 11, "{err}");
        for part in [text, "at 1 s", "vehicle 'v'", "faulty/throws"] {
            assert!(err.contains(part), "no `{part}` in {err}");
        }
    }
}
