//! `simhost sweep`: studies, runs of them alone, and how a study ends and continues. What the rows are is tested in
//! `framework/sweep/tests`.

mod clusters;

use std::path::Path;
use std::process::Stdio;

use crate::support::waiting::{end_of, send, wait_for, wait_for_handler};
use crate::support::world::{World, differential, model, vehicle};
use crate::support::{SIMHOST, Workspace, assert_parts, bad_plugins, number_of};

/// Returns a folder with a world in which a robot drives, and a plan.
fn workspace(plan: &str) -> Workspace {
    let robot = differential().controller(model("twist_pid").set("V", 1)).pose(0, 0, 0);
    let world = World::new().step(0.01).xml("<variable name=\"mu\" value=\"0.8\"/>");
    let workspace = world.vehicle("r", robot).workspace();
    workspace.write("plan.toml", &format!("world = 'world.xml'\n{plan}"));
    workspace
}

const PLAN: &str = "\
duration = 0.5
repeat = 2
[vary]
'r/friction/mu' = [0.5, 0.9]
'r/cmd_vel/vx' = 'range:0.5:1:3'
[metrics]
v = 'max(r/twist[0])'
";

fn table(workspace: &Workspace, folder: &str) -> String {
    std::fs::read_to_string(workspace.path(folder).join("runs.csv")).unwrap()
}

#[test]
fn a_study_writes_a_row_per_run_which_a_run_alone_repeats() {
    let workspace = workspace(PLAN);
    let first = workspace.run(&["sweep", "plan.toml", "--out", "a", "-j", "2"]);
    assert_eq!(first.code, 0, "{}", first.stderr);
    assert_parts(
        &first.stdout,
        &["12 runs: 12 ok\n", "v [m/s]", "rows in a/runs.csv", "sweep show a ID"],
    );
    let rows = table(&workspace, "a");
    assert_eq!(rows.lines().count(), 13);
    // the folder is not touched without a word about it
    let again = workspace.run(&["sweep", "plan.toml", "--out", "a"]);
    assert_eq!(again.code, 2);
    assert_parts(
        &again.stderr,
        &["a study with 12 of 12 runs", "\nhelp: continue it with --resume"],
    );
    let verified = workspace.run(&["sweep", "plan.toml", "--out", "a", "--verify", "5"]);
    assert_parts(&verified.stdout, &["5 runs have the result hashes of their rows"]);
    // a row alone, with its files and the same result hash
    let id = rows.lines().nth(8).unwrap().split(',').nth(1).unwrap().to_owned();
    let shown = workspace.run(&["sweep", "show", "a", &id[..9], "--out", "b", "--energy"]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    assert_parts(&shown.stderr, &["run 7 (", "has the result hash of its row"]);
    assert!(workspace.path("b/energy.csv").exists());
    assert_eq!(workspace.run(&["rerun", "b"]).code, 0);
    let unknown = workspace.run(&["sweep", "show", "a", "#99"]);
    assert_eq!(unknown.code, 2);
    assert_parts(&unknown.stderr, &["unknown run '#99'", "runs.csv"]);
    // processes, a chunk, and another folder give the same table
    let isolated = workspace.run(&["sweep", "plan.toml", "--out", "c", "--isolate", "-q"]);
    assert_eq!((isolated.code, &*isolated.stdout), (0, ""), "{}", isolated.stderr);
    assert_eq!(table(&workspace, "c"), rows);
    // a changed row is found
    let lines = std::fs::read_dir(workspace.path("c")).unwrap().map(|entry| entry.unwrap().path());
    for path in lines.filter(|path| path.extension().is_some_and(|end| end == "jsonl")) {
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("\"hash\":\"", "\"hash\":\"f").replace("\"v\"", ""))
            .unwrap();
    }
    let wrong = workspace.run(&["sweep", "plan.toml", "--out", "c", "--verify", "2"]);
    assert_eq!(wrong.code, 1, "{}", wrong.stdout);
    assert_parts(&wrong.stderr, &["as in its row"]);
}

#[test]
fn a_world_is_swept_without_a_plan() {
    let workspace = workspace("");
    let outcome = workspace.run(&[
        "sweep",
        "world.xml",
        "--vary",
        "variable/mu=list:0.5,0.6",
        "--vary",
        "r/pose/x=uniform:0:1",
        "--samples",
        "3",
        "--set",
        "r/cmd_vel/vx=1",
        "--duration",
        "0.1",
        "--metric",
        "x=final(r/pose[0])",
        "--failed",
        "x < 0",
    ]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_parts(&outcome.stdout, &["6 runs: 6 ok\n", "rows in out/world/runs.csv"]);
}

#[test]
fn a_variable_of_the_world_is_fixed_in_a_run() {
    let workspace = workspace("");
    let run = ["world.xml", "--duration", "0.1", "--out", "run", "--set"];
    assert_eq!(workspace.run(&[&run[..], &["variable/mu=0.25"]].concat()).code, 0);
    let wrong = workspace.run(&[&run[..], &["variable/nu=0.25"]].concat());
    assert_eq!(wrong.code, 12);
    assert_parts(&wrong.stderr, &["no variable `nu`", "did you mean `mu`?"]);
    let wrong = workspace.run(&["sweep", "world.xml", "--duration", "1", "--metric", "v w=1"]);
    assert_parts(&wrong.stderr, &["column 1: unknown name 'v'; expected"]);
}

/// `run --members` and `sweep` take the same texts, and measure the same.
#[test]
fn metrics_of_members_and_of_runs_are_the_same() {
    let workspace = workspace("");
    let metrics = [
        "v=max(r/twist[0])",
        "2 * v - mean(abs(r/pose[0]))",
        "max:r/twist[0]",
        "rise=percentile(r/twist[0], 90)",
        "absmax:r/pose",
    ];
    let metrics: Vec<&str> = metrics.iter().flat_map(|text| ["--metric", text]).collect();
    let first = ["--members", "1", "--duration", "0.5", "--out", "members"];
    let outcome = workspace.run(&[&["run", "world.xml"], &first[..], &metrics].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let sweep = ["sweep", "world.xml", "--duration", "0.5", "--out", "runs", "--seed", "0"];
    let outcome = workspace.run(&[&sweep[..], &metrics].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let read = |path: &str| {
        let file = csv::Reader::from_path(workspace.path(path)).unwrap();
        let mut file = file;
        let head: Vec<String> = file.headers().unwrap().iter().map(str::to_owned).collect();
        let row = file.records().next().unwrap().unwrap();
        let row = head.into_iter().zip(row.iter().map(str::to_owned));
        row.collect::<std::collections::BTreeMap<_, _>>()
    };
    let (members, runs) = (read("members/metrics.csv"), read("runs/runs.csv"));
    let names = ["v", "2 * v - mean(abs(r/pose[0]))", "rise", "max:r/twist[0]"];
    for name in names {
        let of = |row: &std::collections::BTreeMap<String, String>| {
            let found = row.iter().find(|(column, _)| column.split(" [").next() == Some(name));
            found.unwrap_or_else(|| panic!("{name} is not in {row:?}")).1.clone()
        };
        assert_eq!(of(&members), of(&runs), "{name}");
        assert!(of(&runs).parse::<f64>().unwrap() > 0.1, "{name}: {runs:?}");
    }
    assert!(runs.keys().any(|name| name.starts_with("absmax:r/pose[5]")), "{runs:?}");
}

/// All that a worker of a cluster does, which joins the table at the end.
#[test]
fn chunks_are_simulated_by_other_processes() {
    let workspace = workspace(PLAN);
    assert_eq!(workspace.run(&["sweep", "plan.toml", "--out", "a", "-q"]).code, 0);
    assert_eq!(
        workspace.run(&["sweep", "plan.toml", "--out", "b", "--time-limit", "1e-9"]).code,
        11
    );
    for entry in std::fs::read_dir(workspace.path("b")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "jsonl") {
            std::fs::remove_file(path).unwrap();
        }
    }
    for chunk in ["2", "0", "1", "1"] {
        let outcome = workspace.run(&["sweep", "chunk", "b", chunk, "--size", "5"]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    }
    let joined = workspace.run(&["sweep", "plan.toml", "--out", "b", "--resume"]);
    assert_parts(&joined.stdout, &["12 runs: 12 ok\n"]);
    assert!(!joined.stdout.contains("simulated"), "{}", joined.stdout);
    assert_eq!(table(&workspace, "b"), table(&workspace, "a"));
    // a worker with another study is refused
    let record = workspace.path("b/study.json");
    let text = std::fs::read_to_string(&record).unwrap();
    std::fs::write(&record, text.replace("\"simhost\": \"", "\"simhost\": \"9")).unwrap();
    let refused = workspace.run(&["sweep", "chunk", "b", "0"]);
    assert_eq!(refused.code, 2);
    assert_parts(&refused.stderr, &["is of simhost 9"]);
}

/// A plugin that crashes for one value costs the row of this value.
#[test]
fn a_crash_costs_one_row() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sweeps");
    bad_plugins::build_of("contained.c", &folder, "contained", &["BAD=raise(SIGSEGV)"]);
    let robot = vehicle("differential").controller("raw").friction("${kind}").pose(0, 0, 0);
    let world = World::new().step(0.01).xml("<variable name=\"kind\" value=\"default\"/>");
    let workspace = world.vehicle("r", robot).workspace();
    let plan = format!(
        "world = 'world.xml'\nplugin_dir = '{}'\nduration = 0.6\nkeep = ['r/pose']\n[vary]\n'r/pose/x' = \
         'range:0:1:3'\n'variable/kind' = ['default', 'in_force']\n[set]\n'r/pose/y' = 1",
        folder.display()
    );
    workspace.write("plan.toml", &plan);
    let outcome = workspace.run(&["sweep", "plan.toml", "--out", "a", "-j", "2"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_parts(&outcome.stdout, &["6 runs: 3 ok, 3 crashed\n", "crashed (signal: 11"]);
    let rows = table(&workspace, "a");
    for (number, row) in rows.lines().skip(1).enumerate() {
        let status = if number % 2 == 0 { ",ok," } else { ",crashed," };
        assert!(row.contains(status), "{row}");
        // what has crashed is not repeated for the files that the study keeps
        let id = row.split(',').nth(1).unwrap();
        let kept = workspace.path("a/runs").join(id).join("quantities.csv");
        assert_eq!(kept.exists(), number % 2 == 0);
    }
}

/// Returns a folder with a world and nothing but the function of Ishigami, a plugin, which crashes where x1 is `crash`.
fn ishigami(name: &str, crash: &str, plan: &str) -> Workspace {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sweeps").join(name);
    bad_plugins::build_of("ishigami.c", &folder, "ishigami", &[&format!("CRASH={crash}")]);
    let world = World::new().step(0.01).xml("<environment class=\"ishigami\" name=\"it\"/>");
    let workspace = world.workspace();
    let head =
        format!("world = 'world.xml'\nplugin_dir = '{}'\nduration = 0.01\n", folder.display());
    let metrics = "[metrics]\nf = 'final(world/environment/it/f)'\n";
    workspace.write("plan.toml", &format!("{head}{plan}{metrics}"));
    workspace
}

/// Closed form: T. Homma, A. Saltelli, Reliability Engineering and System Safety 52, 1996.
#[test]
fn the_function_of_ishigami_as_a_plugin_has_its_indices() {
    let axes = [1, 2, 3].map(|k| {
        format!("'world/environment/it/x{k}' = 'sobol:-3.141592653589793:3.141592653589793'\n")
    });
    let plan = format!("samples = 1024\ndesign = 'saltelli'\n[vary]\n{}", axes.concat());
    let workspace = ishigami("whole", "100", &plan);
    let outcome = workspace.run(&["sweep", "plan.toml", "--out", "a", "-j", "2"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_parts(&outcome.stdout, &["5120 runs: 5120 ok\n"]);
    assert_eq!(workspace.run(&["report", "a"]).code, 0);
    let page = std::fs::read_to_string(workspace.path("a/report.html")).unwrap();
    let (_, data) = page.split_once("type=\"application/json\">").unwrap();
    let data: serde_json::Value =
        serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    let indices = data["sobol"][0][1].as_array().unwrap();
    for (found, expected) in indices.iter().zip([[0.3139, 0.5576], [0.4424, 0.4424], [0.0, 0.2437]])
    {
        for (at, expected) in expected.into_iter().enumerate() {
            let found = found[at + 1].as_f64().unwrap();
            assert!((found - expected).abs() < 0.02, "{indices:?}");
        }
    }
}

/// A plugin that crashes for one value costs exactly the row with this value, among runs of the same batch.
#[test]
fn a_crash_for_one_value_is_found_by_bisection() {
    let plan = "[vary]\n'world/environment/it/x1' = 'range:0:3:61'\n";
    let workspace = ishigami("crashes", "1.25", plan);
    let outcome = workspace.run(&["sweep", "plan.toml", "--out", "a", "-j", "2"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_parts(&outcome.stdout, &["61 runs: 60 ok, 1 crashed\n", "run 25 (", "(signal: 11"]);
    for (number, row) in table(&workspace, "a").lines().skip(1).enumerate() {
        let cells: Vec<&str> = row.split(',').collect();
        let status = if number == 25 { "crashed" } else { "ok" };
        assert_eq!((cells[0], cells[5]), (&*number.to_string(), status), "{row}");
        let x: f64 = cells[3].parse().unwrap();
        assert!(
            number == 25 || (cells[4].parse::<f64>().unwrap() - x.sin()).abs() < 1e-12,
            "{row}"
        );
    }
}

#[test]
fn an_interrupted_study_has_a_complete_table_and_continues() {
    let plan = "\
duration = 20
samples = 4000
[vary]
'r/friction/mu' = 'uniform:0.5:1'
";
    let workspace = workspace(plan);
    let mut command = workspace.command();
    command.args(["sweep", "plan.toml", "--out", "a", "-j", "2"]).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    wait_for_handler(&child, libc::SIGINT);
    let rows = || {
        let Ok(entries) = std::fs::read_dir(workspace.path("a")) else { return 0 };
        let files = entries.map(|entry| entry.unwrap());
        let rows = files.filter(|file| file.file_name().to_string_lossy().starts_with("rows-"));
        rows.map(|file| file.metadata().unwrap().len()).sum::<u64>()
    };
    wait_for("a row", || rows() > 0);
    send(&child, libc::SIGINT);
    assert_eq!(end_of(&mut child).code(), Some(130));
    let count = table(&workspace, "a").lines().count();
    assert!((2..4001).contains(&count), "{count}");
}

/// Kills a study at random moments, and continues it.
#[test]
fn a_killed_study_continues_to_the_same_bytes() {
    let plan = "\
duration = 1
samples = 600
[vary]
'r/friction/mu' = 'uniform:0.5:1'
'r/cmd_vel/vx' = [0.5, 1]
[metrics]
x = 'final(r/pose[0])'
";
    let workspace = workspace(plan);
    assert_eq!(workspace.run(&["sweep", "plan.toml", "--out", "whole", "-q"]).code, 0);
    let mut random = fastrand::Rng::with_seed(7);
    for number in 0..number_of("SIMHOST_KILLED_STUDIES", 5) {
        let existing = if number == 0 { "--new" } else { "--resume" };
        let mut command = workspace.command();
        command.args(["sweep", "plan.toml", "--out", "parts", "-q", existing]);
        let mut child = command.spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(random.u64(20..200)));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let study = workspace.path("parts/study.json").exists();
    let last = if study { "--resume" } else { "--new" };
    let outcome = workspace.run(&["sweep", "plan.toml", "--out", "parts", last]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_eq!(table(&workspace, "parts"), table(&workspace, "whole"));
}

/// The command line in another program, as Python runs it, for [`processes_are_started_as_their_host_is`].
#[test]
#[ignore = "is started by another test"]
fn a_host_runs_the_command_line() {
    let Ok(words) = std::env::var("SIMHOST_WORDS") else { return };
    let words = std::iter::once("simhost").chain(words.split(' ')).map(Into::into).collect();
    let (program, before) = (Some("env".into()), vec![SIMHOST.into()]);
    let code = simhost_cli::run(simhost_cli::Process { words, program, before, python: None });
    assert_eq!(code, 0);
}

/// If another program runs, its path and the words before the verb start children and chunks.
#[test]
fn processes_are_started_as_their_host_is() {
    let workspace = workspace(PLAN);
    let host = |words: &str| {
        let test = ["--exact", "sweeps::a_host_runs_the_command_line", "--ignored", "--nocapture"];
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        command.args(test).env("SIMHOST_WORDS", words).current_dir(workspace.path("."));
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let isolated = host("sweep plan.toml --out a --isolate");
    assert_parts(&isolated, &["12 runs: 12 ok\n"]);
    let program = SIMHOST;
    let array = host("sweep plan.toml --out b --on slurm --print-script");
    assert_parts(&array, &[&format!("exec 'env' '{program}' sweep chunk")]);
    let tasks = host("sweep plan.toml --out b --on hyperqueue --print-script");
    assert_parts(&tasks, &[&format!("PROGRAM = [\"env\", \"{program}\"]")]);
}
