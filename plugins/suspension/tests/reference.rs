//! Comparison with values that were computed independently: with NumPy, by Newton's method on the six constraints
//! to 1e-12 m, and by fourth-order differences for the derivatives.

mod kinematics_table;
mod table;

use std::f64::consts::PI;

use simhost_suspension::alignment::place;
use simhost_suspension::corner::Corner;
use simhost_suspension::roll_centre::RollCentre;

use crate::layouts::{DOUBLE_WISHBONE, MCPHERSON};
use table::Table;

/// Largest difference, m and rad.
const TOLERANCE: f64 = 1e-9;

/// Returns the values of all columns with which the files are compared, lengths in m and angles in deg.
fn values(corner: &Corner, travel: f64, rack: f64) -> Vec<(&'static str, f64)> {
    let geometry = &corner.geometry;
    let at_rest = geometry.alignment(corner.linkage.rest()).contact[1].value;
    let motion = corner.solve(&corner.rest(), travel, rack).unwrap();
    let alignment = geometry.alignment(&motion);
    let contact = place(&alignment.contact);
    let centre = place(&alignment.centre);
    let steer = geometry.steer(&motion, contact);
    let roll_centre = RollCentre::new(&geometry.construction, &motion, &alignment);
    let joints = geometry.joints.unwrap();
    let path = alignment.contact_path[0];
    let deg = 180.0 / PI;
    let mut values = vec![
        ("camber_deg", alignment.camber.value * deg),
        ("toe_in_deg", alignment.toe.value * deg),
        ("wheel_x", centre.x),
        ("wheel_y", centre.y),
        ("contact_x", contact.x),
        ("contact_y", contact.y),
        ("contact_z", contact.z),
        ("half_track_change", contact.y - at_rest),
        ("caster_deg", steer.caster * deg),
        ("kpi_deg", steer.kingpin_inclination * deg),
        ("scrub", steer.scrub),
        ("trail", steer.trail),
        ("rc_height", roll_centre.kinematic),
        ("rc_height_geometric", roll_centre.contact_path),
        ("dwheel_x_dz", alignment.centre[0].by[0]),
        ("dcontact_x_dz", path.x / path.z),
        ("camber_gain_deg_per_m", alignment.camber.by[0] * deg),
        ("toe_gain_deg_per_m", alignment.toe.by[0] * deg),
        ("spring_length", alignment.spring_length.value),
        ("spring_motion_ratio", alignment.spring_motion_ratio()),
        ("shock_length", alignment.shock_length.value),
        ("shock_motion_ratio", alignment.shock_motion_ratio()),
    ];
    for (names, joint) in [
        (["lower_outer_x", "lower_outer_y", "lower_outer_z"], joints.lower_outer),
        (["upper_outer_x", "upper_outer_y", "upper_outer_z"], joints.upper_outer),
        (["tie_outer_x", "tie_outer_y", "tie_outer_z"], joints.tie_outer),
    ] {
        values.extend(names.into_iter().zip(motion.point(joint).at.to_array()));
    }
    values
}

fn compare(corner: &Corner, files: [&str; 3]) {
    for file in files {
        let table = Table::read(file);
        assert!(table.rows.len() >= 6);
        for row in &table.rows {
            let values = values(corner, row[0], row[1]);
            assert_eq!(values.len() + 2, table.columns.len());
            for (name, found) in values {
                let expected = row[table.column(name)];
                let unit = if name.contains("_deg") { PI / 180.0 } else { 1.0 };
                let difference = (found - expected).abs() * unit;
                assert!(
                    difference < TOLERANCE,
                    "{file}, {row:?}: {name} is {found}, not {expected}"
                );
            }
        }
    }
}

#[test]
fn double_wishbone_agrees_at_every_point() {
    let corner = DOUBLE_WISHBONE.corner().unwrap();
    let files = ["travel", "rack", "both"].map(|kind| format!("own_double_wishbone.{kind}.csv"));
    compare(&corner, files.each_ref().map(String::as_str));
}

#[test]
fn mcpherson_strut_agrees_at_every_point() {
    let corner = MCPHERSON.corner().unwrap();
    let files = ["travel", "rack", "both"].map(|kind| format!("own_macpherson.{kind}.csv"));
    compare(&corner, files.each_ref().map(String::as_str));
}
