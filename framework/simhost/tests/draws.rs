//! Draws of variations depend on nothing but their keys.

#![allow(clippy::unwrap_used)]

use simhost::{Differences, Ensemble, EnsembleOptions};

use crate::variations::{DEMO, demo, varied};

#[test]
fn draws_depend_on_seed_member_name_and_reset_alone() {
    let all = [
        "robot/pose/x=uniform:-1:1",
        "robot/pose/y=normal:0:2",
        "robot/pose/yaw=truncated:0:1:0.5:2",
        "robot/friction/mu=loguniform:0.1:1",
        "robot/controller/KP=choice:10,20,30",
        "robot/velocity/vx=sobol:0:1",
    ];
    let few = varied(&all, 16).unwrap();
    let many = varied(&all, 5000).unwrap();
    for member in 0..16 {
        for resets in 0..3 {
            assert_eq!(few.values(member, resets), many.values(member, resets));
        }
        let last = |resets| few.values(member, resets).pop();
        assert_eq!(last(0), last(4), "points of a design stay");
        let first = |resets| few.values(member, resets).swap_remove(0);
        assert_ne!(first(0), first(4), "random values are drawn anew");
    }
    // another order, and other variations
    let turned = varied(&[all[1], "car/pose/x=uniform:-1:1", all[0]], 16).unwrap();
    let same_kind = varied(&["car/pose/x=uniform:-1:1", all[0]], 16).unwrap();
    for member in 0..16 {
        let (a, b) = (turned.values(member, 1), few.values(member, 1));
        assert_eq!((&a[0], &a[2]), (&b[1], &b[0]));
        let c = same_kind.values(member, 1);
        assert_ne!(c[0], c[1], "names have streams of their own");
    }
    let parse = |text: &&str| text.parse().unwrap();
    let other = Differences::new(all.iter().map(parse).collect(), &demo(), 16, 8).unwrap();
    assert_ne!(other.values(3, 0)[0], few.values(3, 0)[0]);
    assert_eq!(few.seed_of(3, 9), 10);
    let wrapped = Differences::new(Vec::new(), &demo(), 3, u64::MAX).unwrap();
    assert_eq!([0, 1, 2].map(|member| wrapped.seed_of(member, 0)), [u64::MAX, 0, 1]);

    // a Latin hypercube depends on the number of members, and has one value in each interval
    let cube = |members| varied(&["robot/pose/x=lhs:2:4"], members).unwrap();
    let number = |of: &Differences, member: usize| {
        of.values(member, 0)[0].to_string().parse::<f64>().unwrap()
    };
    let (cube, larger) = (cube(50), cube(51));
    let mut hit = [0; 50];
    (0..50).for_each(|member| hit[((number(&cube, member) - 2.0) * 25.0) as usize] += 1);
    assert_eq!(hit, [1; 50]);
    assert!((0..50).any(|member| number(&cube, member) != number(&larger, member)));
    assert_eq!(cube.values(3, 0), cube.values(3, 2));
}

#[test]
fn members_draw_from_the_streams_that_they_are_given() {
    let text = "robot/pose/x=uniform:-1:1";
    let mut options = EnsembleOptions::members(4).seed(7);
    options.variations = vec![text.parse().unwrap()];
    let mut ensemble = Ensemble::open(DEMO, options).unwrap();
    ensemble.set_streams(&[true, true, true, false], &[2, 7, 2, 2]).unwrap();
    let known = varied(&[text], 8).unwrap();
    let values =
        |of: &Ensemble| (0..4).map(|member| of.values(member).unwrap()).collect::<Vec<_>>();
    let before = values(&ensemble);
    for resets in 1..3 {
        ensemble.reset(&[true; 4], None).unwrap();
        let expected = [2, 7, 2, 3].map(|stream| known.values(stream, resets));
        assert_eq!(values(&ensemble), expected);
    }
    assert_ne!(values(&ensemble), before);
    assert!(ensemble.set_streams(&[true; 4], &[0; 3]).is_err());
}
