//! Columns of shared tables, and masks of members.

#![allow(clippy::unwrap_used)]

use simhost::{Ensemble, EnsembleOptions, MemberEvent};

/// Returns an ensemble of a robot 3 m before a wall.
fn before_a_wall(members: usize, variations: &[&str]) -> Ensemble {
    let world = "<mvsim_world><simul_timestep>0.01</simul_timestep><duration>1.2</duration>
        <walls><shape><pt>3 -3</pt><pt>3 3</pt></shape></walls>
        <vehicle name='robot'><init_pose>0 0 0</init_pose>
        <dynamics class='differential'><controller class='twist_pid'/></dynamics>
        <sensor class='laser' name='scan'><sensor_period>0.1</sensor_period></sensor></vehicle></mvsim_world>";
    let options = variations.iter().fold(EnsembleOptions::members(members), |options, text| {
        options.vary(text.parse().unwrap())
    });
    Ensemble::from_text(world, "wall.world.xml", options).unwrap()
}

#[test]
fn columns_of_shared_tables_have_the_values_of_the_matrix() {
    let mut ensemble = before_a_wall(20, &[]);
    let commands: Vec<f64> = (0..20).flat_map(|at| [0.1 * f64::from(at), 0.0, 0.0]).collect();
    ensemble.set("robot/cmd_vel", &commands).unwrap();
    ensemble.step(30).unwrap();
    let selected = ensemble.select(["robot/pose", "robot/wheel/*/spin"]).unwrap();
    let mut matrix = vec![0.0; 20 * selected.width()];
    ensemble.read(&selected, &mut matrix).unwrap();
    ensemble.session_of(3).unwrap();
    let mut seen = Vec::new();
    for table in ensemble.views() {
        assert!(table.column(&selected, 0).is_none(), "a pose is computed");
        let [left, right] = [1, 2].map(|index| table.column(&selected, index).unwrap());
        for (slot, member) in table.members() {
            let row = &matrix[member * selected.width()..][..selected.width()];
            assert_eq!([left.value(slot), right.value(slot)], row[6..], "member {member}");
            seen.push(member);
        }
    }
    seen.sort_unstable();
    let expected: Vec<usize> = (0..20).filter(|member| *member != 3).collect();
    assert_eq!(seen, expected, "all but the one that is a session");
}

#[test]
fn masks_say_to_which_members_something_has_happened() {
    let mut ensemble = before_a_wall(4, &["robot/cmd_vel/vx=list:0,4"]);
    let scan = MemberEvent::Sample("robot/scan");
    assert_eq!(ensemble.events(scan).unwrap(), [false; 4], "the first sample is at 0.1 s");
    ensemble.step_some(10, &[true, true, false, true]).unwrap();
    assert_eq!(ensemble.events(scan).unwrap(), [true, true, false, true]);
    ensemble.step(3).unwrap();
    assert_eq!(ensemble.events(scan).unwrap(), [false; 4]);
    ensemble.step(9).unwrap();
    assert_eq!(ensemble.events(scan).unwrap(), [true; 4]);
    assert_eq!(ensemble.events(MemberEvent::Contact).unwrap(), [false; 4]);
    ensemble.step(98).unwrap();
    assert_eq!(ensemble.events(MemberEvent::Contact).unwrap(), [false, true, false, true]);
    assert_eq!(ensemble.events(MemberEvent::Fault).unwrap(), [false; 4]);
    assert_eq!(ensemble.events(MemberEvent::End).unwrap(), [true, true, false, true]);
    let wrong = ensemble.events(MemberEvent::Sample("robot/scam")).unwrap_err().to_string();
    assert!(wrong.contains("did you mean 'robot/scan'?"), "{wrong}");
}
