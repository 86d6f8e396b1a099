//! `simhost plot`, `report` and `film`, as a person uses them; the plotter is row J6.6 of the manual of
//! the driving lab.

use std::path::{Path, PathBuf};

use simhost::Selection;
use simhost_mcap::{Attachment, McapSink};
use simhost_model::{Classes, Patterns};
use simhost_pictures::drawing::Drawing;
use simhost_pictures::{NamedRun, PictureError, PlotOptions};

use crate::support::runs::catalogue;
use crate::support::world::{World, ackermann, differential, model};
use crate::support::{Outcome, Workspace, assert_parts};

/// Returns a world with a car at a speed, m/s.
fn world(speed: u32) -> World {
    let laser = "<sensor class=\"laser\" name=\"scan\"><nrays>5</nrays><sensor_period>0.1</sensor_period>\
                 <range_std_noise>0</range_std_noise></sensor>\n";
    let controller = model("twist_front_steer_pid").set("V", speed).set("W", 0.2);
    let car = ackermann().controller(controller).pose(0, 0, 0).xml(laser);
    World::new().step(0.01).vehicle("car", car).xml(
        "<block name=\"wall\"><init_pose>8 0 0</init_pose><static>true</static>\
         <shape><pt>-0.5 -3</pt><pt>0.5 -3</pt><pt>0.5 3</pt><pt>-0.5 3</pt></shape></block>",
    )
}

/// A workspace with a run in `one`, and one in `two` that is a little shorter and faster.
fn runs() -> Workspace {
    let workspace = world(1).workspace();
    for (out, speed, duration) in [("one", 1, 1.0), ("two", 2, 0.8)] {
        let world = world(speed).record("car/centre_of_mass*").record("car/wheel/*/position");
        world.every(0.05).run_into(&workspace.path(out), duration, |_, _| {});
    }
    workspace
}

/// Opens runs with their scenes, as the program does.
fn open(paths: &[PathBuf], keep: &dyn Fn(&str) -> bool) -> Vec<NamedRun> {
    let mut runs = NamedRun::open_all(paths, keep).unwrap();
    for run in &mut runs {
        assert!(run.has_world());
        run.add_scene(Some(&catalogue() as &dyn Classes)).unwrap();
    }
    runs
}

/// Plots quantities of runs in a workspace.
fn plot(
    workspace: &Workspace,
    runs: &[&str],
    of: &[&str],
    against: Option<&str>,
) -> Result<Drawing, PictureError> {
    let of = of.iter().map(|of| (*of).to_owned()).collect();
    let against = against.map(str::to_owned);
    let options = PlotOptions { of, against, ..PlotOptions::default() };
    let needed = options.patterns();
    let needed = Patterns::new(needed.iter().map(String::as_str));
    let paths: Vec<PathBuf> = runs.iter().map(|run| workspace.path(run)).collect();
    simhost_pictures::plot(&open(&paths, &|name| needed.select(name)), &options)
}

/// Returns the report of a run.
fn report(run: &Path) -> String {
    let keep = simhost_pictures::keeps_for_report(run);
    let runs = open(&[run.to_owned()], &keep);
    simhost_pictures::report(&runs, &simhost_pictures::ReportOptions::default()).unwrap()
}

fn done(outcome: &Outcome) {
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
}

fn refused(workspace: &Workspace, words: &[&str], code: i32, text: &str) {
    let outcome = workspace.run(words);
    assert_eq!(outcome.code, code, "{words:?}: {}", outcome.stderr);
    assert!(outcome.stderr.contains(text), "{words:?}: {}", outcome.stderr);
    assert!(!outcome.stderr.contains("panicked"), "{}", outcome.stderr);
}

#[test]
fn j6_6_the_plotter_shows_the_centre_of_mass_and_the_wheels() {
    let workspace = runs();
    // y = f(x), x = f(t), y = f(t), velocity, and the four wheels, each by name
    for (of, against, labels) in [
        (
            "car/centre_of_mass[1]",
            Some("car/centre_of_mass[0]"),
            &["centre of mass[0] (m)", "centre of mass[1] (m)"][..],
        ),
        ("car/centre_of_mass[0]", None, &["time (s)", "centre of mass[0] (m)"]),
        ("car/centre_of_mass[1]", None, &["time (s)", "centre of mass[1] (m)"]),
        ("car/centre_of_mass_velocity", None, &["centre of mass velocity (m/s)"]),
        ("velocity", None, &["speed (m/s)"]),
        ("car/wheel/*/position[0]", None, &["position[0] (m)", "car fl", "car rr"]),
        ("xy", None, &["x (m)", "y (m)", "car"]),
    ] {
        let svg = plot(&workspace, &["one"], &[of], against).unwrap().svg();
        for label in labels {
            assert!(svg.lines().any(|line| line == *label), "{of}: {label}");
        }
    }
    // the program writes it
    let export = ["plot", "one", "--of", "speed", "torque", "slip", "--out", "plot.png"];
    done(&workspace.run(&export));
    assert!(std::fs::read(workspace.path("plot.png")).unwrap().starts_with(b"\x89PNG"));
    done(&workspace.run(&["report", "one"]));
    let page = std::fs::read_to_string(workspace.path("one/report.html")).unwrap();
    assert!(page == report(&workspace.path("one")));
}

#[test]
fn several_runs_are_compared() {
    let svg = plot(&runs(), &["one", "two"], &["xy", "speed"], None).unwrap().svg();
    // at the end of the shorter run
    assert!(svg.contains("largest distance") && svg.contains("at 0.8 s"), "{svg}");
    assert!(svg.contains("largest difference"));
}

#[test]
#[cfg(feature = "film")]
fn several_runs_are_filmed() {
    let workspace = runs();
    for out in ["film.gif", "frames/", "still.png"] {
        done(
            &workspace.run(&["film", "one", "two", "--rate", "10", "--width", "200", "--out", out]),
        );
    }
    assert!(std::fs::read(workspace.path("film.gif")).unwrap().starts_with(b"GIF89a"));
    assert_eq!(std::fs::read_dir(workspace.path("frames")).unwrap().count(), 11);
    assert!(workspace.path("still.png").is_file());
}

#[test]
fn a_report_is_one_file() {
    let page = report(&runs().path("one"));
    for part in ["\"obstacle\"", "car scan", "odometry error (m)", "result_hash", "friction circle"]
    {
        assert!(page.contains(part), "{part}");
    }
    for loaded in ["http:", "https:", " src=", "@import"] {
        assert!(!page.contains(loaded), "{loaded}");
    }
}

#[test]
fn a_run_that_was_killed_is_shown_up_to_its_last_whole_row() {
    let workspace = runs();
    for name in ["trajectory.csv", "wheels.csv", "odometry.csv"] {
        let path = workspace.path(&format!("one/{name}"));
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() / 2 + 3]).unwrap();
    }
    plot(&workspace, &["one"], &["speed"], None).unwrap();
    report(&workspace.path("one"));
    let [run] = &open(&[workspace.path("one")], &|_| true)[..] else { panic!("one run") };
    assert_parts(&run.run.notes.concat(), &["trajectory.csv, which is not whole"]);
}

#[test]
fn mistakes_are_named() {
    let workspace = runs();
    std::fs::create_dir(workspace.path("other")).unwrap();
    workspace.write("other/notes.txt", "nothing");
    refused(&workspace, &["plot", "none"], 12, "no such run: none");
    refused(&workspace, &["plot", "other"], 12, "other is not a run");
    refused(&workspace, &["plot", "one", "--of", "sped"], 2, "did you mean `speed`?");
    refused(&workspace, &["plot", "one", "--of", "car/wheel/*/spim"], 12, "`car/wheel/*/spin`?");
    refused(
        &workspace,
        &["plot", "one", "--of", "car/pose[9]"],
        12,
        "expected an index from 0 to 5",
    );
    refused(&workspace, &["plot", "one", "--vehicle", "cra"], 12, "did you mean `car`?");
    refused(&workspace, &["plot", "one", "--out", "a.jpg"], 2, "expected .svg or .png");
    refused(&workspace, &["report", "one", "--out", "a.pdf"], 2, "expected .html");
    if cfg!(feature = "film") {
        refused(&workspace, &["film", "one", "--out", "a.avi"], 2, "expected .gif or .mp4 or .png");
        refused(&workspace, &["film", "one", "--out", "a.gif", "--rate", "0"], 2, "greater than 0");
    }
    workspace.write("a.svg", "mine");
    refused(&workspace, &["plot", "one", "--out", "a.svg"], 13, "a.svg exists already");
    assert_eq!(std::fs::read_to_string(workspace.path("a.svg")).unwrap(), "mine");
    done(&workspace.run(&["plot", "one", "--out", "a.svg", "--force"]));
    refused(&workspace, &["plot", "one", "--out", "none/a.svg"], 13, "cannot write none/a.svg");
    // only headers
    let path = workspace.path("one/trajectory.csv");
    let text = std::fs::read_to_string(&path).unwrap();
    for name in ["trajectory", "odometry", "wheels", "quantities", "car.scan"] {
        let path = workspace.path(&format!("two/{name}.csv"));
        let header = std::fs::read_to_string(&path).unwrap().lines().next().unwrap().to_owned();
        std::fs::write(&path, header + "\n").unwrap();
    }
    let film = cfg!(feature = "film").then_some(&["film", "two", "--out", "b.gif"][..]);
    for verb in [&["plot", "two"][..], &["report", "two"]].into_iter().chain(film) {
        refused(&workspace, verb, 12, "two has no samples");
    }
    std::fs::write(&path, text.replacen("\n0,car,", "\n0,car,x", 1)).unwrap();
    refused(
        &workspace,
        &["plot", "one"],
        12,
        "trajectory.csv:2: `x0` in column x_m; expected a number",
    );
}

#[test]
#[cfg(feature = "film")]
fn without_ffmpeg_an_mp4_is_refused() {
    let workspace = runs();
    let outcome = workspace
        .command()
        .args(["film", "one", "--out", "a.mp4"])
        .env("PATH", "")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&outcome.stderr);
    assert_eq!(outcome.status.code(), Some(13), "{text}");
    assert!(text.contains("`ffmpeg` was not found\nhelp: install ffmpeg"), "{text}");
    assert!(!workspace.path("a.mp4").exists());
}

/// A vehicle that pushes a crate.
fn pushed() -> World {
    let car = differential().controller(model("twist_ideal").set("V", 1).set("W", 0));
    World::new().step(0.01).vehicle("car", car.pose(0, 0, 0)).xml(
        "<block name=\"crate\"><init_pose>1 0 0</init_pose><mass>5</mass>\
         <shape><pt>-0.2 -0.2</pt><pt>0.2 -0.2</pt><pt>0.2 0.2</pt><pt>-0.2 0.2</pt></shape></block>",
    )
}

/// Returns the x of the crate at each recorded time in the report of a run.
fn crate_in_report(workspace: &Workspace, run: &str) -> Vec<f64> {
    done(&workspace.run(&["report", run, "--out", "report.html", "--force"]));
    let page = std::fs::read_to_string(workspace.path("report.html")).unwrap();
    let (_, data) = page.split_once("<script id=\"data\" type=\"application/json\">").unwrap();
    let data: serde_json::Value =
        serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    let x = data["movers"][0]["x"].as_array().unwrap();
    x.iter().map(|x| x.as_f64().unwrap()).collect()
}

#[test]
fn blocks_move_if_their_poses_were_recorded() {
    let workspace = pushed().workspace();
    let run = |out: &str, record: &[&str]| {
        let words = ["world.xml", "--out", out, "--duration", "3"];
        done(&workspace.run(&[&words[..], record].concat()));
    };
    run("csv", &["--record", "*/pose"]);
    run("recording", &["--mcap"]);
    run("neither", &[]);
    for name in ["csv", "recording", "recording/run.mcap"] {
        let x = crate_in_report(&workspace, name);
        assert!((x[0] - 1.0).abs() < 1e-9 && x[x.len() - 1] > 2.0, "{name}: {x:?}");
        if cfg!(feature = "film") {
            let film = workspace.run(&["film", name, "--out", "still.png", "--force"]);
            done(&film);
            assert!(!film.stderr.contains("were at the start"), "{}", film.stderr);
        }
    }
    assert_eq!(crate_in_report(&workspace, "neither"), [1.0]);
    if cfg!(feature = "film") {
        let film = workspace.run(&["film", "neither", "--out", "still.png", "--force"]);
        assert!(film.stderr.contains("--record '*/pose'"), "{}", film.stderr);
    }
}

/// Without any recorded pose, the manifest says where the crate is at the end.
#[test]
fn plots_show_blocks_where_they_are_at_the_end() {
    let workspace = pushed().workspace();
    done(&workspace.run(&["world.xml", "--out", "out", "--duration", "3"]));
    let text = std::fs::read_to_string(workspace.path("out/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mover = &manifest["end"]["movers"][0];
    let end = mover["position_m"][0].as_f64().unwrap();
    assert!(mover["name"] == "block/crate" && end > 2.0, "{mover}");
    let catalogue = catalogue();
    let mut runs =
        simhost_pictures::NamedRun::open_all(&[workspace.path("out")], &|_| true).unwrap();
    runs[0].add_scene(Some(&catalogue)).unwrap();
    let found = runs[0].scene.as_ref().unwrap().movers[0].end.unwrap();
    assert_eq!(found.x, end);
    // the plot has one more outline than that of a run in which the crate stays
    let crates = |run: &str| {
        let svg = plot(&workspace, &[run], &["xy"], None).unwrap().svg();
        svg.matches("<polygon").count() + svg.matches("<path").count()
    };
    done(&workspace.run(&["world.xml", "--out", "still", "--duration", "0.1"]));
    assert_eq!(crates("out"), crates("still") + 1);
}

#[test]
fn recordings_are_drawn_as_their_folders_are() {
    let workspace = runs();
    world(1).run_into(&workspace.path("three"), 1.0, |session, folder| {
        let files = session.record().files().unwrap().into_iter();
        let files = files.map(|(name, data)| Attachment::file(name, data)).collect();
        let sink = McapSink::new(&folder.join("run.mcap")).with_attachments(files);
        session.attach(Box::new(sink), &Selection::default()).unwrap();
    });
    // each of them shows outlines and slip, which need the world
    for run in ["three", "three/run.mcap"] {
        plot(&workspace, &[run], &["xy", "slip"], None).unwrap();
    }
    let svg = plot(&workspace, &["one", "three/run.mcap"], &["xy"], None).unwrap().svg();
    assert!(svg.lines().any(|line| line == "three"), "{svg}");
    let page = report(&workspace.path("three/run.mcap"));
    assert!(page.contains("car scan") && page.contains("result_hash"));
    assert!(!page.contains("tf/car"), "frames repeat poses");
}

#[test]
fn a_grid_on_the_ground_is_in_the_scene_and_in_pictures() {
    let grid = "<element class=\"ground_grid\"><x_min>0</x_min><x_max>4</x_max><y_min>0</y_min>\
        <y_max>2</y_max><interval>2</interval></element>";
    let world = World::new().vehicle("a", differential().pose(0, 0, 0)).xml(grid);
    // three lines along y, and two along x
    let labels = world.stream("scene").labels.clone();
    assert!(labels.contains(&"ground_grid/1".to_owned()), "{labels:?}");
    let run = world.run(0.1);
    let mut runs = simhost_pictures::NamedRun::open_all(&[run.path("")], &|_| true).unwrap();
    let catalogue = crate::support::runs::catalogue();
    runs[0].add_scene(Some(&catalogue)).unwrap();
    let shapes = &runs[0].scene.as_ref().unwrap().shapes;
    let lines = shapes.iter().filter(|shape| shape.kind == simhost_pictures::ShapeKind::Grid);
    assert_eq!(lines.count(), 5);
}
