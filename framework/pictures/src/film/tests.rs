//! Tests of films.

use std::sync::Arc;

use simhost_runs::{Run, Series};
use simhost_scene::Pose2;

use super::stage::Stage;
use super::*;
use crate::scene::{Scanner, Scene, VehicleShape};
use crate::signals::NamedRun;

/// A vehicle that drives along x with a velocity for 2 s.
fn run(name: &str, velocity: f64) -> NamedRun {
    let times: Vec<f64> = (0..21).map(|k| f64::from(k) * 0.1).collect();
    let zero = vec![0.0; 21];
    let x = times.iter().map(|time| time * velocity).collect();
    let series = vec![Series {
        name: "car/pose".to_owned(),
        units: vec!["m".to_owned(); 4],
        is_array: true,
        times: Arc::new(times),
        columns: vec![x, zero.clone(), zero.clone(), zero],
    }];
    let run = Run {
        path: name.into(),
        manifest: None,
        vehicles: vec!["car".to_owned()],
        names: vec!["car/pose".to_owned()],
        series,
        notes: Vec::new(),
    };
    NamedRun { name: name.to_owned(), run, world: None, scene: None }
}

fn options() -> FilmOptions {
    let (has_lasers, has_labels) = (false, false);
    FilmOptions {
        vehicles: Vec::new(),
        rate: 10.0,
        speed: 0.5,
        width: 301,
        has_lasers,
        has_labels,
        camera: None,
    }
}

fn write(runs: &[NamedRun], format: FilmFormat, name: &str) -> (tempfile::TempDir, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    let count = film(runs, &options(), format, &path, &|| false).unwrap();
    assert_eq!(count, if format == FilmFormat::Still { 1 } else { 41 });
    let bytes = if path.is_file() { std::fs::read(&path).unwrap() } else { Vec::new() };
    (folder, bytes)
}

#[test]
fn a_gif_has_a_frame_per_period() {
    let (_folder, bytes) = write(&[run("a", 2.0)], FilmFormat::Gif, "a.gif");
    let mut decoder = gif::DecodeOptions::new().read_info(&*bytes).unwrap();
    assert_eq!((decoder.width(), decoder.height()), (300, 226));
    let mut delays = Vec::new();
    let mut changed = 0;
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        delays.push(frame.delay);
        changed += usize::from(frame.width) * usize::from(frame.height);
    }
    assert_eq!((delays.len(), delays.iter().sum::<u16>()), (41, 410));
    assert!(changed < 10 * 300 * 226, "frames hold what changes: {changed}");
}

#[test]
fn frames_show_the_vehicle_at_their_time() {
    let runs = [run("a", 2.0)];
    let stage = Stage::new(&runs, &options());
    let [first, last] = [0.0, 2.0].map(|time| stage.frame(time));
    assert_ne!(first, last);
    assert_eq!(stage.frame(0.0), first);
}

#[test]
fn a_folder_has_a_file_per_frame() {
    let (folder, _) = write(&[run("a", 2.0)], FilmFormat::Frames, "frames");
    let files = std::fs::read_dir(folder.path().join("frames")).unwrap().count();
    assert_eq!(files, 41);
    assert!(folder.path().join("frames/frame-000040.png").is_file());
}

#[test]
fn the_still_shows_where_runs_differ_most() {
    let runs = [run("a", 2.0), run("b", 3.0)];
    let (_folder, bytes) = write(&runs, FilmFormat::Still, "a.png");
    let stage = Stage::new(&runs, &options());
    assert_eq!(bytes, stage.frame(2.0).png().unwrap());
}

#[test]
fn impossible_films_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gif");
    let error = |options: FilmOptions| {
        let runs = [run("a", 2.0)];
        film(&runs, &options, FilmFormat::Gif, &path, &|| false).unwrap_err().to_string()
    };
    let text = error(FilmOptions { rate: 60.0, ..options() });
    assert!(text.contains("expected at most 50"), "{text}");
    let text = error(FilmOptions { speed: 1e-6, ..options() });
    assert!(text.contains("expected at most 100000"), "{text}");
    let text = error(FilmOptions { vehicles: vec!["cra".to_owned()], ..options() });
    assert!(text.contains("did you mean `car`?"), "{text}");
}

#[test]
fn lasers_and_labels_are_drawn_on_request() {
    let mut run = run("a", 1.0);
    let scanner = Scanner {
        name: "scan".to_owned(),
        pose: Pose2::default(),
        field_of_view: std::f64::consts::PI,
        reach: 2.0,
    };
    run.run.series.push(Series {
        name: "car/sensor/scan/range".to_owned(),
        units: vec!["m".to_owned(); 3],
        is_array: true,
        times: Arc::new(vec![0.5, 1.0]),
        columns: vec![vec![1.0; 2]; 3],
    });
    let outline = vec![[-0.2, -0.1], [0.2, -0.1], [0.2, 0.1], [-0.2, 0.1]];
    run.scene = Some(Scene {
        vehicles: vec![VehicleShape {
            name: "car".to_owned(),
            outline,
            scanners: vec![scanner],
            ..VehicleShape::default()
        }],
        ..Scene::default()
    });
    let runs = [run];
    let frame = |has_lasers: bool, has_labels: bool, time: f64| {
        let options = FilmOptions { has_lasers, has_labels, ..options() };
        Stage::new(&runs, &options).frame(time).pixels
    };
    let plain = frame(false, false, 1.0);
    assert_ne!(frame(true, false, 1.0), plain);
    assert_ne!(frame(false, true, 1.0), plain);
    assert_eq!(frame(true, false, 0.4), frame(false, false, 0.4), "before the first scan");
}

#[test]
fn images_of_a_camera_are_shown_in_a_corner() {
    let folder = tempfile::tempdir().unwrap();
    let images = folder.path().join("car.eye/rgb");
    std::fs::create_dir_all(&images).unwrap();
    let red = crate::drawing::Image { width: 4, height: 2, pixels: [200, 10, 20].repeat(8) };
    std::fs::write(images.join("0000000000500000000.png"), red.png().unwrap()).unwrap();
    let mut run = run("a", 1.0);
    run.run.path = folder.path().to_owned();
    let shoot = |camera: &str| {
        let path = folder.path().join("film.png");
        let options = FilmOptions { camera: Some(camera.to_owned()), ..options() };
        film(&[run.clone()], &options, FilmFormat::Still, &path, &|| false).map(|_| {
            let decoder =
                png::Decoder::new(std::io::BufReader::new(std::fs::File::open(path).unwrap()));
            let mut reader = decoder.read_info().unwrap();
            let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut bytes).unwrap();
            bytes.chunks_exact(3).filter(|pixel| *pixel == [200, 10, 20]).count()
        })
    };
    // 84 by 42 pixels of 300
    assert_eq!(shoot("car.eye").unwrap(), 84 * 42);
    let error = shoot("car.eyes").unwrap_err().to_string();
    assert!(error.contains("did you mean `car.eye/rgb`?"), "{error}");
}
