//! Columns of shared tables, and masks of members.

#![allow(clippy::unwrap_used)]

use std::ops::Range;
use std::sync::Mutex;

use simhost::{Ensemble, EnsembleOptions, Exchange, MemberEvent};

/// Returns an ensemble of a robot 3 m before a wall.
fn before_a_wall(members: usize, variations: &[&str]) -> Ensemble {
    let options = variations.iter().fold(EnsembleOptions::members(members), |options, text| {
        options.vary(text.parse().unwrap())
    });
    open(options)
}

fn open(options: EnsembleOptions) -> Ensemble {
    let world = "<mvsim_world><simul_timestep>0.01</simul_timestep><duration>1.2</duration>
        <walls><shape><pt>3 -3</pt><pt>3 3</pt></shape></walls>
        <vehicle name='robot'><init_pose>0 0 0</init_pose>
        <dynamics class='differential'><controller class='twist_pid'/></dynamics>
        <sensor class='laser' name='scan'><sensor_period>0.1</sensor_period></sensor></vehicle></mvsim_world>";
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

#[test]
fn an_exchange_is_a_command_steps_resets_and_a_read() {
    let run = |(threads, has_session): (usize, bool), at_once: bool| {
        let places = "robot/pose/y=uniform:-0.2:0.2".parse().unwrap();
        // members change into other worlds
        let gains = "robot/controller/KP=choice:10,20,30".parse().unwrap();
        let options = EnsembleOptions::members(2500).threads(threads);
        let mut ensemble = open(options.vary(places).vary(gains));
        if has_session {
            ensemble.session_of(7).unwrap();
        }
        let selected = ensemble.select(["robot/pose", "robot/sensor/scan/range"]).unwrap();
        let (mut matrix, mut seen) = (vec![0.0f32; 2500 * selected.width()], Vec::new());
        for part in 0..3 {
            let speeds = (0..2500).map(|at| f64::from(at) * 0.002 * f64::from(part + 1));
            let commands: Vec<f64> = speeds.flat_map(|speed| [speed, 0.0, 0.2]).collect();
            let reset: Vec<bool> = (0..2500).map(|at| part == 1 && at % 3 == 0).collect();
            let reset = (part > 0).then_some(&reset[..]);
            if at_once {
                let (input, values) = ("robot/cmd_vel", &commands[..]);
                let exchange = Exchange { input, values, steps: 15, reset };
                let sums = Mutex::new(Vec::new());
                let look = |members: Range<usize>| {
                    let sums = &sums;
                    move |rows: &[f32]| {
                        let sum = rows.chunks_exact(rows.len() / members.len());
                        let sum = sum.map(|row| row[0] + row[1]);
                        sums.lock().unwrap().extend(members.zip(sum));
                    }
                };
                ensemble.exchange_with(exchange, &selected, &mut matrix, look).unwrap();
                let mut sums = sums.into_inner().unwrap();
                sums.sort_by_key(|(member, _)| *member);
                assert!(sums.iter().map(|(member, _)| *member).eq(0..2500));
                seen.extend(sums.into_iter().map(|(_, sum)| sum));
            } else {
                ensemble.set("robot/cmd_vel", &commands).unwrap();
                ensemble.step(15).unwrap();
                reset.map_or(Ok(()), |mask| ensemble.reset(mask, None)).unwrap();
                ensemble.read_f32(&selected, &mut matrix).unwrap();
                let rows = matrix.chunks_exact(selected.width());
                seen.extend(rows.map(|row| row[0] + row[1]));
            }
        }
        let hashes = [0, 1, 7, 2499].map(|member| {
            let mut member = ensemble.member(member).unwrap();
            (member.steps(), member.result_hash().unwrap())
        });
        (matrix.into_iter().chain(seen).map(f32::to_bits).collect::<Vec<_>>(), hashes)
    };
    for has_session in [false, true] {
        let expected = run((1, has_session), false);
        assert!(expected.0.iter().any(|bits| *bits != expected.0[0]));
        assert_eq!(expected.1.map(|(steps, _)| steps), [15, 45, 45, 15]);
        for threads in [1, 2, 3] {
            assert!(run((threads, has_session), true) == expected, "with {threads} threads");
        }
    }
}

#[test]
fn an_exchange_resumes_members_that_have_ended() {
    let mut ensemble = before_a_wall(3, &[]);
    ensemble.end_after(Some(5));
    let selected = ensemble.select(["robot/pose"]).unwrap();
    let mut matrix = vec![0.0; 18];
    let mut act = |reset: Option<&[bool]>| {
        let exchange = Exchange { input: "robot/cmd_vel", values: &[0.0; 9], steps: 5, reset };
        ensemble.exchange(exchange, &selected, &mut matrix).unwrap();
        let steps = [0, 1, 2].map(|member| ensemble.member(member).unwrap().steps());
        (ensemble.ends().iter().map(Option::is_some).collect::<Vec<_>>(), steps)
    };
    assert_eq!(act(None), (vec![true; 3], [5; 3]));
    assert_eq!(act(Some(&[false, true, false])), (vec![true, false, true], [5, 0, 5]));
    assert_eq!(act(None), (vec![true; 3], [5; 3]));
}

#[test]
fn an_exchange_that_does_not_fit_changes_nothing() {
    let mut ensemble = before_a_wall(3, &[]);
    let selected = ensemble.select(["robot/pose"]).unwrap();
    let mut wrong = |values: &[f64], size: usize, reset: Option<&[bool]>| {
        let (mut matrix, steps) = (vec![0.0; size], 5);
        let exchange = Exchange { input: "robot/cmd_vel", values, steps, reset };
        let done = ensemble.exchange(exchange, &selected, &mut matrix);
        (done.unwrap_err().to_string(), ensemble.member(2).unwrap().steps())
    };
    let (text, steps) = wrong(&[0.0; 9], 17, None);
    assert!(text.contains("expected 18: 3 members × 6 values"), "{text}");
    assert_eq!(steps, 0);
    let (text, steps) = wrong(&[f64::NAN; 9], 18, None);
    assert!(text.contains("'robot/cmd_vel'"), "{text}");
    assert_eq!(steps, 0);
    let (text, steps) = wrong(&[0.0; 9], 18, Some(&[true; 2]));
    assert!(text.contains("the mask has 2"), "{text}");
    assert_eq!(steps, 0);
}
