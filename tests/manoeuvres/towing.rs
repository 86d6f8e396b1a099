//! Manoeuvres with trailers: metrics computed a second time from the files of a run, and closed forms.

use simhost::manoeuvres::{Manoeuvre, ManoeuvreSettings, TowedTrailer};
use simhost_world::{LoadOptions, load_text};

use super::{close, metric};
use crate::support::{Workspace, projects, runs::catalogue};

/// A trailer whose coupling is 3.4 m ahead of its axle.
const TRAILER: &str = "<vehicle:class name=\"caravan\"><dynamics class=\"differential\">\
    <l_wheel pos=\"0 0.8\" mass=\"15\" width=\"0.2\" diameter=\"0.62\"/>\
    <r_wheel pos=\"0 -0.8\" mass=\"15\" width=\"0.2\" diameter=\"0.62\"/>\
    <chassis mass=\"900\" zmin=\"0.3\" zmax=\"1.2\"><shape><pt>-2 -1</pt><pt>2.2 -1</pt><pt>3.4 0</pt>\
    <pt>2.2 1</pt><pt>-2 1</pt></shape></chassis><controller class=\"raw\"/></dynamics>\
    <friction class=\"fiala\"/></vehicle:class>";

/// A combination that has driven.
struct Combination {
    table: String,
    /// Time, s, articulation angle, rad, and lateral accelerations of car and trailer, m/s².
    rows: Vec<[f64; 4]>,
}

fn drive(name: &str) -> Combination {
    let workspace = Workspace::new("");
    std::fs::write(workspace.path("caravan.xml"), TRAILER).unwrap();
    let car = projects::root().join("worlds/validation/car.xml");
    let arguments = ["--trailer", "caravan.xml", "--hitch", "-1,3.4", "--out", "found"];
    let vehicle = ["manoeuvre", name, "--vehicle", car.to_str().unwrap()];
    let outcome = workspace.run(&[&vehicle[..], &arguments].concat());
    assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
    let read = |file: &str| std::fs::read_to_string(workspace.path(file)).unwrap();
    let (motion, quantities) = (read("found/trajectory.csv"), read("found/quantities.csv"));
    let titles: Vec<&str> = quantities.lines().next().unwrap().split(',').collect();
    let picks = ["car", "trailer1"].map(|vehicle| {
        let start = format!("{vehicle}/lateral_acceleration");
        titles.iter().position(|one| one.starts_with(&start)).unwrap()
    });
    let number = |line: &str, at: usize| line.split(',').nth(at).unwrap().parse::<f64>().unwrap();
    let yaws = |vehicle: &'static str| {
        let own = motion.lines().filter(move |line| line.split(',').nth(1) == Some(vehicle));
        own.map(|line| number(line, 5)).collect::<Vec<_>>()
    };
    let (towing, towed) = (yaws("car"), yaws("trailer1"));
    let rows = quantities.lines().skip(1).zip(towing.iter().zip(&towed));
    let rows = rows.map(|(line, (towing, towed))| {
        let [first, last] = picks.map(|at| number(line, at));
        [number(line, 0), towing - towed, first, last]
    });
    Combination { rows: rows.collect(), table: outcome.stdout }
}

impl Combination {
    fn check(&self, name: &str, expected: f64, part: f64) {
        let line = self.table.lines().find(|line| line.starts_with(&format!("| {name} |")));
        let line = line.unwrap_or_else(|| panic!("{name}: {}", self.table));
        let found: f64 = line.split('|').nth(2).unwrap().trim().parse().unwrap();
        assert!((found - expected).abs() <= part * expected, "{name}: {found}, not {expected}");
    }

    fn greatest(&self, column: usize) -> f64 {
        self.rows.iter().map(|row| row[column].abs()).fold(0.0, f64::max)
    }
}

#[test]
fn trailers_amplify_the_lateral_acceleration() {
    let run = drive("ISO-14791");
    let amplified = run.greatest(3) / run.greatest(2);
    assert!((1.05..2.0).contains(&amplified), "{amplified}");
    run.check("rearward amplification of the lateral acceleration", amplified, 1e-3);
    run.check("greatest articulation angle", run.greatest(1).to_degrees(), 1e-3);
}

/// The damping is the decay of the envelope, from a straight line through the logarithms of the extremes.
#[test]
fn the_articulation_of_a_trailer_decays_with_the_damping() {
    let run = drive("ISO-9815");
    let free: Vec<_> = run.rows.iter().filter(|row| row[0] >= 1.0).collect();
    let mut peaks: Vec<[f64; 2]> = Vec::new();
    for near in free.windows(3) {
        let [a, b, c] = [near[0][1], near[1][1], near[2][1]];
        if (b - a) * (c - b) < 0.0 && peaks.len() < 5 {
            peaks.push([near[1][0], b.abs().ln()]);
        }
    }
    assert_eq!(peaks.len(), 5);
    let mean = |at: usize| peaks.iter().map(|peak| peak[at]).sum::<f64>() / 5.0;
    let (time, log) = (mean(0), mean(1));
    let square: f64 = peaks.iter().map(|peak| (peak[0] - time).powi(2)).sum();
    let decay = -peaks.iter().map(|peak| (peak[0] - time) * (peak[1] - log)).sum::<f64>() / square;
    let angular = std::f64::consts::PI * 4.0 / (peaks[4][0] - peaks[0][0]);
    run.check("damping of the articulation angle", decay / decay.hypot(angular), 0.08);
    run.check("frequency of the articulation angle", angular / std::f64::consts::TAU, 0.03);
}

/// Without slip, a trailer with the coupling c behind the rear axle and T ahead of its axle stands at the angle (c + T)/R.
#[test]
fn a_trailer_follows_a_slow_circle_without_slip() {
    let path = projects::root().join("worlds/validation/manoeuvre.world.xml");
    let speed = 6.0;
    let trailer =
        TowedTrailer { declaration: TRAILER.into(), class: "caravan".into(), hitch: [-1.0, 3.4] };
    let second = TowedTrailer { declaration: String::new(), hitch: [-1.5, 3.4], ..trailer.clone() };
    for trailers in [vec![trailer.clone()], vec![trailer, second]] {
        let world = Manoeuvre::TowedCircle.world(
            "<include file=\"car.xml\"/>",
            "car",
            speed,
            None,
            &trailers,
        );
        let options = LoadOptions::default();
        let loaded = load_text(&path, world.as_bytes(), &options, &catalogue()).unwrap();
        let settings = ManoeuvreSettings::default();
        let report = Manoeuvre::TowedCircle.run(&loaded.world, &settings).unwrap();
        let expected = 4.4 / (speed * speed);
        close(metric(&report, "articulation angle gradient"), expected.to_degrees(), 0.04);
    }
    let alone =
        Manoeuvre::TowedCircle.world("<include file=\"car.xml\"/>", "car", speed, None, &[]);
    let loaded = load_text(&path, alone.as_bytes(), &LoadOptions::default(), &catalogue()).unwrap();
    let error = Manoeuvre::TowedCircle.run(&loaded.world, &ManoeuvreSettings::default());
    assert!(error.unwrap_err().to_string().contains("no trailer"));
}
