//! The definitions of sensors in `worlds/definitions`: rays, rings and rates of their data sheets.

use std::collections::BTreeSet;
use std::path::Path;

use crate::support::world::{World, differential};

/// Figures of a data sheet.
struct Sheet {
    /// File in `worlds/definitions`.
    file: &'static str,
    /// Number of channels, and the angles of the lowest and of the highest one, deg.
    rings: (usize, [f64; 2]),
    /// Number of points per second.
    points_per_second: f64,
    /// Turns per second.
    rate: f64,
}

const SHEETS: [Sheet; 4] = [
    Sheet {
        file: "velodyne-vlp16.sensor.xml",
        rings: (16, [-15.0, 15.0]),
        points_per_second: 16.0 / 55.296e-6,
        rate: 10.0,
    },
    Sheet {
        file: "ouster-os1.sensor.xml",
        rings: (128, [-22.5, 22.5]),
        points_per_second: 1_310_720.0,
        rate: 10.0,
    },
    Sheet {
        file: "hesai-xt32.sensor.xml",
        rings: (32, [-16.0, 15.0]),
        points_per_second: 640_000.0,
        rate: 10.0,
    },
    Sheet {
        file: "helios-1615.sensor.xml",
        rings: (32, [-16.0, 15.0]),
        points_per_second: 576_000.0,
        rate: 10.0,
    },
];

#[test]
fn every_definition_has_its_sheet() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds/definitions");
    let names = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name());
    let names: BTreeSet<_> = names.map(|name| name.into_string().unwrap()).collect();
    let sensors = names.iter().filter(|name| name.ends_with(".sensor.xml"));
    let sheets = SHEETS.iter().map(|sheet| sheet.file);
    // `beams.rs` tests the rosette
    let sheets: BTreeSet<_> = sheets.chain(["livox-like.sensor.xml"]).collect();
    assert_eq!(sensors.map(String::as_str).collect::<BTreeSet<_>>(), sheets);
}

#[test]
fn rays_rings_and_rates_are_those_of_the_data_sheets() {
    for Sheet { file, rings: (count, span), points_per_second, rate } in SHEETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds/definitions");
        let definition = folder.canonicalize().unwrap().join(file);
        // a yard whose walls and ground every ray meets
        let robot = differential().controller("raw").pose(0, 0, 0);
        let include = format!("<include file=\"{}\" sensor_z=\"1.5\"/>", definition.display());
        let world = World::new().step(0.01).vehicle("car", robot.xml(&include)).xml(
            "<walls><wallHeight>9</wallHeight><shape><pt>-5 -5</pt><pt>5 -5</pt><pt>5 -5</pt>\
             <pt>5 5</pt><pt>5 5</pt><pt>-5 5</pt><pt>-5 5</pt><pt>-5 -5</pt></shape></walls>",
        );
        let clouds = world.run(0.5).clouds("car.lidar1");
        assert_eq!(clouds.len(), (0.5 * rate) as usize, "{file}");
        let cloud = &clouds[0];
        // whole columns per turn
        let per_second = cloud.len() as f64 * rate;
        let lost = points_per_second - per_second;
        assert!((0.0..count as f64 * rate).contains(&lost), "{file}: {per_second} points/s");
        let all = cloud.field("ring");
        let rings: BTreeSet<_> = all.iter().map(|ring| *ring as usize).collect();
        assert_eq!(rings, (0..count).collect(), "{file}");
        for (ring, expected) in [(0, span[0]), (count - 1, span[1])] {
            let at = all.iter().position(|one| *one as usize == ring).unwrap();
            let found = (cloud.field("z")[at] / cloud.field("range")[at]).asin().to_degrees();
            assert!((found - expected).abs() < 1e-3, "{file}: ring {ring} at {found}°");
        }
    }
}
