//! A table of the double wishbone, and values between its points: bilinear ones, and exact ones from the hardpoints.

use simhost_sdk::math::DEG;
use simhost_suspension::interpolation::Interpolation;
use simhost_suspension::kinematics_table::{KinematicsTable, Quantity, file};

use super::table::Table;

const QUANTITIES: [(&str, Quantity, f64); 6] = [
    ("toe_in_deg", Quantity::Toe, DEG),
    ("camber_deg", Quantity::Camber, DEG),
    ("half_track_change", Quantity::HalfTrackChange, 1.0),
    ("contact_x", Quantity::ContactX, 1.0),
    ("caster_deg", Quantity::Caster, DEG),
    ("spring_length", Quantity::SpringLength, 1.0),
];

fn table(interpolation: Interpolation) -> KinematicsTable {
    let points = file::parse(include_str!("kc_table.csv")).unwrap();
    KinematicsTable::new(points, interpolation)
}

/// Returns the largest difference of each quantity from the columns that begin with `prefix`.
fn worst(interpolation: Interpolation, prefix: &str) -> [f64; 6] {
    let (table, queries) = (table(interpolation), Table::read("kc_table_queries.csv"));
    assert_eq!(queries.rows.len(), 40);
    QUANTITIES.map(|(name, quantity, unit)| {
        let column = queries.column(&format!("{prefix}{name}"));
        let differences = queries.rows.iter().map(|row| {
            (table.at(row[0], row[1])[quantity as usize].value - row[column] * unit).abs()
        });
        differences.fold(0.0, f64::max)
    })
}

#[test]
fn linear_interpolation_gives_the_bilinear_values() {
    let worst = worst(Interpolation::Linear, "bilinear_");
    // both files have nine significant digits, which are 5e-8° of 20°
    assert!(worst[0] / DEG < 1e-7, "{worst:?}");
    assert!(worst[1..].iter().all(|difference| *difference < 1e-9), "{worst:?}");
}

#[test]
fn cubic_interpolation_is_nearer_to_the_hardpoints() {
    let [linear, monotone, cubic] =
        [Interpolation::Linear, Interpolation::Monotone, Interpolation::Cubic]
            .map(|interpolation| worst(interpolation, "exact_"));
    // measured: 0.064° of toe and 0.6 mm of half track between points that are 20 mm apart
    assert!((linear[0] / DEG - 0.064).abs() < 1e-3, "{linear:?}");
    assert!((linear[2] - 0.6e-3).abs() < 0.05e-3, "{linear:?}");
    let better = |other: [f64; 6], factor: f64| (0..6).all(|k| factor * other[k] < linear[k]);
    assert!(better(cubic, 4.0), "{linear:?} {cubic:?}");
    assert!(monotone[0] / DEG < 0.03, "{monotone:?}");
}
