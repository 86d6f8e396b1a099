//! The command line: exit codes, messages, command files and output files.

use crate::support::waiting::{end_of, send, wait_for};
use crate::support::world::{World, model, vehicle};
use crate::support::{Outcome, Workspace, assert_parts};

const ROBOT: &str = r#"<mvsim_world version="1.0"><simul_timestep>0.01</simul_timestep>
<vehicle name="robot"><dynamics class="differential">
<controller class="raw"/></dynamics><init_pose>0 0 0</init_pose>
<sensor class="laser" name="scan"><nrays>3</nrays></sensor></vehicle></mvsim_world>"#;

fn robot() -> Workspace {
    Workspace::new(ROBOT)
}

/// Returns the same world, to be run in the process of the test.
fn robot_world() -> World {
    let (_, inside) = ROBOT.split_once('>').unwrap();
    World::new().xml(inside.strip_suffix("</mvsim_world>").unwrap())
}

fn with_commands(rows: &str) -> Outcome {
    let workspace = robot();
    workspace.write("commands.csv", rows);
    workspace.run(&["world.xml", "--duration", "1", "--commands", "commands.csv"])
}

#[test]
fn a_run_ends_with_a_summary_and_code_0() {
    let workspace = robot();
    for arguments in [&["world.xml"][..], &["run", "world.xml"]] {
        let outcome = workspace.run(arguments);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        assert!(outcome.stderr.contains("the run ends after 10 s"), "{}", outcome.stderr);
        assert!(!outcome.stderr.contains('\r'), "a progress bar in a pipe");
        for part in ["simulated 10 s", "times real time", "steps/s", "robot", "no warnings"] {
            assert!(outcome.stdout.contains(part), "no `{part}` in {}", outcome.stdout);
        }
    }
}

/// The program panicked with any value of `--speed`.
#[test]
fn the_speed_of_a_manoeuvre_is_a_number() {
    let arguments = ["manoeuvre", "ISO-4138", "--vehicle", "missing.xml", "--speed", "60"];
    let outcome = robot().run(&arguments);
    assert_eq!(outcome.code, 12, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("cannot read missing.xml"), "{}", outcome.stderr);
}

#[test]
fn usage_errors_have_code_2() {
    let workspace = robot();
    let conflict = ROBOT.replace("version=\"1.0\"", "compat=\"corrected\"");
    workspace.write("conflict.xml", &conflict);
    for arguments in [
        &["world.xml", "--nonsense"][..],
        &["world.xml", "--duration", "-1"],
        &["world.xml", "--builtin", "off=wheels"],
        &["world.xml", "--threads", "0"],
        &["manoeuvre", "ISO-4138", "--vehicle", "missing.xml", "--speed", "0"],
        &["world.xml", "--compat", "mvsim-9"],
        &["conflict.xml", "--compat", "mvsim-1.2"],
        &["world.xml", "--allow", "everything"],
        &["world.xml", "--mirror", "models"],
        &["world.xml", "--missing-assets", "ignore"],
        &["world.xml", "--max-depth", "501"],
        &[],
    ] {
        let outcome = workspace.run(arguments);
        assert_eq!(outcome.code, 2, "{arguments:?}: {}", outcome.stderr);
    }
}

#[test]
fn help_names_the_verbs() {
    let workspace = robot();
    for (arguments, code, text) in [
        (&[][..], 2, "print        Print a world"),
        (&["--help"], 0, "check        Report all errors"),
        (&["help", "run"], 0, "--missing-assets"),
        (&["chekc", "world.xml"], 2, "did you mean `check`?"),
        (&["simulate"], 2, "one of the verbs run, rerun, play, view, export-page, page, top"),
        (&["--lenient"], 2, "<WORLD>"),
    ] {
        let outcome = workspace.run(arguments);
        assert_eq!(outcome.code, code, "{arguments:?}: {}", outcome.stderr);
        let shown = if code == 0 { outcome.stdout } else { outcome.stderr };
        assert!(shown.contains(text), "no `{text}` in {shown}");
    }
}

#[test]
fn what_a_world_costs_can_be_limited() {
    let workspace = robot();
    for (flags, part) in
        [(["--max-depth", "2"], "--max-depth"), (["--max-elements", "3"], "--max-elements")]
    {
        let outcome = workspace.run(&[&["world.xml", "--duration", "1"], &flags[..]].concat());
        assert_eq!(outcome.code, 12, "{flags:?}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(part), "no `{part}` in {}", outcome.stderr);
    }
    workspace.write("large.xml", &format!("{ROBOT}{}", " ".repeat(1 << 20)));
    let outcome = workspace.run(&["check", "large.xml", "--max-file-size", "1"]);
    assert_eq!(outcome.code, 12, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("--max-file-size"), "{}", outcome.stderr);
    assert_eq!(workspace.run(&["check", "large.xml"]).code, 0);
}

#[cfg(unix)]
#[test]
fn a_world_runs_commands_only_with_permission() {
    let workspace = Workspace::new(&ROBOT.replace("0 0 0", "$(echo 1 2 3)"));
    let refused = workspace.run(&["world.xml", "--duration", "1"]);
    assert_eq!(refused.code, 12);
    assert!(refused.stderr.contains("--allow shell"), "{}", refused.stderr);
    let allowed = workspace.run(&["world.xml", "--duration", "1", "--allow", "shell"]);
    assert_eq!(allowed.code, 0, "{}", allowed.stderr);
    assert!(allowed.stdout.contains("x     1.000 m  y     2.000 m"), "{}", allowed.stdout);
}

#[test]
fn bad_input_has_code_12_and_a_place() {
    let workspace = robot();
    workspace.write("wrong.xml", &ROBOT.replace("simul_timestep", "simul_timestp"));
    let outcome = workspace.run(&["wrong.xml"]);
    assert_eq!(outcome.code, 12);
    assert!(outcome.stderr.contains("wrong.xml:1:"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("simul_timestep"), "{}", outcome.stderr);
    assert_eq!(workspace.run(&["wrong.xml", "--lenient", "--duration", "1"]).code, 0);
    assert_eq!(workspace.run(&["nowhere.xml"]).code, 12);
    let off = workspace.run(&["world.xml", "--builtin", "off=friction"]);
    assert_eq!(off.code, 12);
    assert!(off.stderr.contains("--builtin off"), "{}", off.stderr);
}

#[test]
fn commands_are_checked_with_file_and_line() {
    let good = with_commands("time_s,vehicle,kind,v1,v2\n0,robot,torque,1,1\n");
    assert_eq!(good.code, 0, "{}", good.stderr);
    for (rows, part) in [
        ("0,robt,torque,1,1\n", "'robot'"),
        ("0,robot,twist,1,0,0\n", "'torque'"),
        ("0,robot,torque,1\n", "found 1, expected 2 (torque_left, torque_right)"),
        ("0,robot,torque,1,NaN\n", "finite"),
        ("1,robot,torque,1,1\n0,robot,torque,1,1\n", "sort the rows"),
    ] {
        let outcome = with_commands(rows);
        assert_eq!(outcome.code, 12, "{rows}");
        assert!(outcome.stderr.contains("commands.csv:"), "{}", outcome.stderr);
        assert!(outcome.stderr.contains(part), "no `{part}` in {}", outcome.stderr);
    }
}

#[test]
fn output_that_cannot_be_written_has_code_13() {
    let workspace = robot();
    let outcome = workspace.run(&["world.xml", "--duration", "1", "--out", "world.xml/out"]);
    assert_eq!(outcome.code, 13, "{}", outcome.stderr);
}

#[test]
fn divergence_has_code_10_and_complete_files() {
    let workspace = robot();
    let heavy = "time_s,vehicle,kind,v1,v2\n0,robot,torque,1e300,1e300\n";
    workspace.write("commands.csv", heavy);
    workspace.write(
        "world.xml",
        &ROBOT.replace(
            "</vehicle>",
            "<friction class=\"default\"><mu>1e300</mu></friction></vehicle>",
        ),
    );
    let outcome = workspace.run(&[
        "world.xml",
        "--duration",
        "1",
        "--commands",
        "commands.csv",
        "--out",
        "out",
    ]);
    assert_eq!(outcome.code, 10, "{}", outcome.stderr);
    assert!(
        outcome.stderr.contains("vehicle 'robot', wheel l diverged: it spins at 2.3"),
        "{}",
        outcome.stderr
    );
    assert!(std::fs::read_to_string(workspace.path("out/trajectory.csv")).unwrap().ends_with('\n'));
}

#[cfg(unix)]
#[test]
fn an_interrupt_has_code_130_and_complete_files() {
    let workspace = robot();
    let mut child = workspace
        .command()
        .args(["world.xml", "--duration", "100000", "--out", "out", "--log-period", "1"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let rows = workspace.path("out/trajectory.csv");
    wait_for("rows", || std::fs::read_to_string(&rows).is_ok_and(|rows| rows.contains("\n1,")));
    send(&child, libc::SIGINT);
    assert_eq!(end_of(&mut child).code(), Some(130));
    let rows = std::fs::read_to_string(workspace.path("out/trajectory.csv")).unwrap();
    assert!(rows.lines().count() > 1 && rows.ends_with('\n'));
    assert!(rows.lines().all(|row| row.split(',').count() == 11));
}

#[test]
fn files_have_the_documented_columns_and_signs() {
    let robot = robot_world().command(0.5, "robot", "torque", &[1.0, 1.0]);
    let run = robot.every(0.5).run(2.0);
    let read = |name: &str| run.read(name);
    let trajectory = read("trajectory.csv");
    let header = "time_s,vehicle,x_m,y_m,z_m,yaw_rad,pitch_rad,roll_rad,vx_mps,vy_mps,omega_radps";
    assert_eq!(trajectory.lines().next(), Some(header));
    assert_eq!(read("odometry.csv").lines().next(), Some(header));
    let times: Vec<&str> =
        trajectory.lines().skip(1).map(|row| row.split(',').next().unwrap()).collect();
    assert_eq!(times, ["0", "0.5", "1", "1.5", "2"]);
    let wheels = read("wheels.csv");
    let header = "time_s,vehicle,wheel,spin_radps,angle_rad,steer_rad,torque_nm,normal_n,vx_mps,\
                  vy_mps,fx_n,fy_n";
    assert_eq!(wheels.lines().next(), Some(header));
    let row = |line: &str| line.split(',').map(str::to_string).collect::<Vec<_>>();
    let number = |text: &str| text.parse::<f64>().unwrap();
    let rows: Vec<Vec<String>> = wheels.lines().skip(1).map(row).collect();
    // no torque before the command; torque and forward motion after it
    assert_eq!(rows[2][6], "0");
    let last = &rows[rows.len() - 1];
    assert_eq!((last[2].as_str(), last[6].as_str()), ("r", "1"));
    assert!(number(&last[3]) > 0.1 && number(&last[10]) > 0.0, "{last:?}");
    let weight: f64 = rows[..2].iter().map(|row| number(&row[7])).sum();
    assert!((weight - (15.0 + 4.0) * 9.81).abs() < 1e-9, "{weight}");
    let scan = read("robot.scan.csv");
    assert_eq!(
        scan.lines().next(),
        Some("time_s,range_m_0,range_m_1,range_m_2,valid_0,valid_1,valid_2")
    );
    assert_eq!(scan.lines().count(), 21);
}

#[test]
fn torque_in_a_world_file_has_the_sign_of_the_format() {
    let car = vehicle("ackermann_drivetrain").controller(model("raw").set("torque", -100));
    let world = World::new().vehicle("car", car.pose(0, 0, 0));
    let x = world.run(1.0).last("car", "x_m");
    assert!(x > 0.05, "{x}");
}

#[test]
fn a_run_says_what_it_was_made_of() {
    let workspace = robot();
    workspace.simulate(&["--duration", "1", "--seed", "7"]);
    let read = || std::fs::read_to_string(workspace.path("out/manifest.json")).unwrap();
    let first = read();
    let manifest: serde_json::Value = serde_json::from_str(&first).unwrap();
    assert_eq!(manifest["simhost"], env!("CARGO_PKG_VERSION"));
    assert_eq!(manifest["seed"], 7);
    assert_eq!(manifest["world"], "world.xml");
    assert_eq!(manifest["world_sha256"].as_str().unwrap().len(), 64);
    let models = manifest["models"].as_array().unwrap();
    let friction = models.iter().find(|model| model["kind"] == "friction").unwrap();
    assert_eq!(friction["class"], "simhost/default");
    assert!(friction["parameters"]["mu"].is_number(), "{friction}");
    workspace.simulate(&["--duration", "1", "--seed", "7"]);
    assert_eq!(read(), first);
}

#[test]
fn a_world_comes_from_standard_input() {
    let workspace = robot();
    let feed = |arguments: &[&str], text: &str| {
        let mut command = workspace.command();
        command.args(arguments).stdin(std::process::Stdio::piped());
        let streams =
            command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        let mut child = streams.spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), text.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, _, err) = feed(&["-", "--duration", "1", "-o", "out"], ROBOT);
    assert_eq!(code, Some(0), "{err}");
    let again = workspace.run(&["rerun", "out"]);
    assert_eq!(again.code, 0, "{}", again.stderr);
    let (code, flat, err) = feed(&["print", "-"], ROBOT);
    assert!(code == Some(0) && flat.contains("<vehicle name=\"robot\">"), "{flat}{err}");
    let (code, out, err) = feed(&["check", "-"], &ROBOT.replace("\"raw\"", "\"row\""));
    assert_eq!((code, out.as_str()), (Some(12), "-: 1 error, 0 warnings\n"));
    assert!(err.contains("<stdin>:3:") && err.contains("did you mean `raw`?"), "{err}");
}

#[test]
fn options_of_every_verb_stand_before_and_after_it() {
    let workspace = robot();
    for arguments in [
        &["-q", "world.xml", "--duration", "1"][..],
        &["run", "-q", "world.xml", "--duration", "1"],
        &["--color", "never", "--quiet", "run", "world.xml", "--duration", "1"],
    ] {
        let outcome = workspace.run(arguments);
        let found = (outcome.code, outcome.stdout.as_str(), outcome.stderr.as_str());
        assert_eq!(found, (0, "", ""), "{arguments:?}");
    }
    let hashes = workspace.run(&["-q", "world.xml", "--duration", "1", "--hash-every", "1"]);
    assert_eq!(hashes.stdout.lines().count(), 2, "{}", hashes.stdout);
    let coloured = workspace.run(&["check", "nothing.xml", "--color=always"]);
    assert!(coloured.stderr.contains("\x1b["), "{}", coloured.stderr);
    let plain = workspace.run(&["check", "nothing.xml"]);
    assert!(!plain.stderr.contains("\x1b["), "{}", plain.stderr);
}

#[test]
fn the_program_describes_itself() {
    let workspace = robot();
    let run = |arguments: &[&str]| {
        let outcome = workspace.run(arguments);
        assert_eq!(outcome.code, 0, "{arguments:?}: {}", outcome.stderr);
        outcome.stdout
    };
    let version = run(&["--version", "--verbose"]);
    for line in ["simhost ", "commit: ", "features: families", "target: ", "boundary epoch: 1"] {
        assert!(version.lines().any(|found| found.starts_with(line)), "{line} in {version}");
    }
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert!(run(&["completions", shell]).contains("quantities"), "{shell}");
    }
    assert!(run(&["man"]).contains(".SH NAME"));
    run(&["man", "--out", "pages"]);
    let page = std::fs::read_to_string(workspace.path("pages/simhost-plot.1")).unwrap();
    assert!(page.contains("RUN"), "{page}");
    if !cfg!(feature = "film") {
        let help = run(&["--help"]);
        let film = help.lines().find(|line| line.trim_start().starts_with("film")).unwrap();
        assert!(film.contains("needs a build with the feature `film`"), "{film}");
    }
    if !cfg!(feature = "ros2") {
        let refused = workspace.run(&["ros2", "topics", "world.xml"]);
        assert_eq!(refused.code, 2, "{}", refused.stderr);
        assert!(refused.stderr.contains("--features ros2"), "{}", refused.stderr);
    }
}

#[test]
fn the_demo_needs_no_other_files() {
    let workspace = robot();
    for place in ["simhost-demo", "elsewhere"] {
        let arguments = [&["demo"][..], &[place][usize::from(place == "simhost-demo")..]].concat();
        let outcome = workspace.run(&arguments);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        let next = format!("next: open {place}/out/trajectory.svg");
        assert!(outcome.stdout.contains(&next), "{}", outcome.stdout);
        assert!(workspace.path(&format!("{place}/out/trajectory.svg")).exists());
    }
    // a changed world is kept, and its results are replaced
    let world = workspace.path("elsewhere/demo.world.xml");
    let text = std::fs::read_to_string(&world).unwrap();
    std::fs::write(&world, text.replace("<duration>10<", "<duration>2<")).unwrap();
    let outcome = workspace.run(&["demo", "elsewhere"]);
    assert!(outcome.stdout.contains("simulated 2 s"), "{}{}", outcome.stdout, outcome.stderr);
}

/// Its robots keep driving, and do not end against a wall.
#[test]
fn a_new_world_runs_without_a_warning() {
    let workspace = robot();
    for robot in ["differential", "skid-steer", "ackermann"] {
        let world = format!("{robot}.world.xml");
        let written = workspace.run(&["new", &world, "--robot", robot]);
        let next = format!("wrote {world}\nnext: simhost {world} --out out\n");
        assert_eq!((written.code, written.stdout), (0, next), "{}", written.stderr);
        let run = World::of_path(&workspace.path(&world)).run(60.0);
        assert_eq!(run.warnings, [] as [&str; 0]);
        let speeds = run.column("robot", "vx_mps");
        assert!(speeds[speeds.len() / 20..].iter().all(|speed| *speed > 0.3), "{robot}");
        let again = workspace.run(&["new", &world]);
        assert_eq!(again.code, 13, "{}", again.stderr);
        assert!(again.stderr.contains("already exists; no file was changed"), "{}", again.stderr);
    }
    let maps = crate::support::projects::root().join("worlds/assets/office.yaml");
    let map = maps.to_str().unwrap();
    assert_eq!(workspace.run(&["new", "maps/office.world.xml", "--map", map]).code, 0);
    let check = workspace.run(&["check", "maps/office.world.xml"]);
    assert_eq!(check.stdout, "maps/office.world.xml: ok\n", "{}", check.stderr);
    let missing = workspace.run(&["new", "b.world.xml", "--map", "nothing.yaml"]);
    assert!(missing.code == 12 && missing.stderr.contains("nothing.yaml: cannot be read"));
}

#[test]
fn models_in_python_need_the_python_package() {
    let workspace = robot();
    workspace.write("rubber.py", "");
    for words in [
        &["plugin", "check", "rubber.py"][..],
        &["plugin", "bench", "rubber.py"],
        &["plugin", "info", "rubber.py"],
        &["check", "world.xml", "--python", "rubber.py"],
        &["run", "world.xml", "--python", "rubber.py"],
    ] {
        let outcome = workspace.run(words);
        assert_eq!(outcome.code, 12, "{words:?}: {}", outcome.stderr);
        let parts =
            ["cannot run rubber.py: this program has no Python", "python -m simhost"].as_slice();
        assert_parts(&outcome.stderr, parts);
    }
}
