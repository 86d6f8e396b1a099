//! Properties of the corrected models: continuous at standstill, finite, symmetric and of fourth order.

#![allow(clippy::print_stdout)]

use proptest::prelude::*;
use simhost_commonroad::defects::Defects;
use simhost_commonroad::models::f1tenth::{self, CAR};
use simhost_commonroad::models::{drift, kinematic, multi_body, single_track, trailer};
use simhost_commonroad::parameters::{
    BMW_320I, FORD_ESCORT, TRUCK_TRAILER, VW_VANAGON, VehicleParameters,
};
use simhost_commonroad::rk4;

const NONE: Defects = Defects::NONE;
const CARS: [VehicleParameters; 3] = [FORD_ESCORT, BMW_320I, VW_VANAGON];

/// Rates of a model as a function of speed, with everything else fixed.
type Over<'a> = (&'a str, Box<dyn Fn(f64) -> Vec<f64> + 'a>);

fn over_speed(vehicle: &VehicleParameters) -> Vec<Over<'_>> {
    let core = |speed: f64| [0.0, 0.0, 0.2, speed, 0.3, 0.4, 0.05];
    let input = [0.1, 1.0];
    vec![
        (
            "KS",
            Box::new(move |v| {
                kinematic::derivative(vehicle, &[0.0, 0.0, 0.2, v, 0.3], input).to_vec()
            }),
        ),
        (
            "ST",
            Box::new(move |v| single_track::derivative(vehicle, &core(v), input, NONE).to_vec()),
        ),
        ("F1TENTH", Box::new(move |v| f1tenth::derivative(&CAR, &core(v), input, NONE).to_vec())),
        (
            "STD",
            Box::new(move |v| {
                let mut x = [0.5; 9];
                x[..7].copy_from_slice(&core(v));
                drift::derivative(vehicle, &x, input, NONE).to_vec()
            }),
        ),
        (
            "MB",
            Box::new(move |v| {
                let mut x = multi_body::initial(vehicle, core(0.0));
                (x[3], x[10]) = (v, 0.02);
                x[23..27].fill(0.5);
                multi_body::derivative(vehicle, &x, input, NONE).to_vec()
            }),
        ),
    ]
}

/// Without a jump the change of a rate is proportional to the distance between two speeds.
#[test]
fn rates_have_no_jump_from_backwards_to_forwards() {
    for vehicle in &CARS {
        for (name, rates) in over_speed(vehicle) {
            let widest = |step: f64| {
                let count = (2.0 / step).round() as i64;
                let mut before = rates(-1.0);
                let mut most = 0.0_f64;
                for i in 1..=count {
                    let now = rates(-1.0 + i as f64 * step);
                    let change = now.iter().zip(&before).map(|(a, b)| (a - b).abs());
                    most = change.fold(most, f64::max);
                    before = now;
                }
                most
            };
            let [coarse, fine] = [1e-3, 1e-4].map(widest);
            assert!(fine < 0.15 * coarse + 1e-12, "{name}: {coarse} {fine}");
        }
    }
}

#[test]
fn the_reference_jumps() {
    // the test above detects a jump
    let rates = |v: f64| {
        let state = [0.0, 0.0, 0.2, v, 0.3, 0.4, 0.05];
        single_track::derivative(&BMW_320I, &state, [0.1, 1.0], Defects::UPSTREAM)[5]
    };
    assert!((rates(0.1 + 1e-9) - rates(0.1 - 1e-9)).abs() > 1.0);
}

fn within(reach: f64) -> impl Strategy<Value = f64> {
    -reach..=reach
}

/// A core state [x, y, δ, v, ψ, ψ̇, β] from a large range. Many speeds are near zero.
fn core() -> impl Strategy<Value = [f64; 7]> {
    let speed = prop_oneof![within(60.0), within(0.5), Just(0.0), Just(0.1), Just(-0.1)];
    let turn = prop_oneof![within(20.0), Just(0.0)];
    let beta = prop_oneof![within(3.2), within(0.2), Just(0.0), Just(std::f64::consts::FRAC_PI_2)];
    (within(1e4), within(1e4), within(1.5), speed, within(10.0), turn, beta)
        .prop_map(|(x, y, steer, v, yaw, turn, beta)| [x, y, steer, v, yaw, turn, beta])
}

fn inputs() -> impl Strategy<Value = [f64; 2]> {
    [within(100.0), within(100.0)]
}

fn spin() -> impl Strategy<Value = f64> {
    prop_oneof![within(500.0), Just(0.0)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn rates_are_finite(
        car in 0..3usize,
        core in core(),
        input in inputs(),
        spins in [spin(), spin(), spin(), spin()],
        rest in proptest::array::uniform16(within(1.0)),
        hitch in within(4.0),
    ) {
        let vehicle = &CARS[car];
        let [x, y, steer, v, yaw, ..] = core;
        let kst = [x, y, steer, v, yaw, hitch];
        prop_assert!(trailer::derivative(&TRUCK_TRAILER, &kst, input, NONE).iter().all(|f| f.is_finite()));
        let st = single_track::derivative(vehicle, &core, input, NONE);
        prop_assert!(st.iter().all(|f| f.is_finite()), "{st:?}");
        let car = f1tenth::derivative(&CAR, &core, input, NONE);
        prop_assert!(car.iter().all(|f| f.is_finite()), "{car:?}");
        let mut std = [0.0; 9];
        std[..7].copy_from_slice(&core);
        std[7..].copy_from_slice(&spins[..2]);
        let rates = drift::derivative(vehicle, &std, input, NONE);
        prop_assert!(rates.iter().all(|f| f.is_finite()), "{rates:?}");
        let mut mb = multi_body::initial(vehicle, core);
        mb[23..27].copy_from_slice(&spins);
        for (i, rest) in rest.iter().enumerate() {
            mb[6 + i] += if i == 4 { 20.0 * rest } else { *rest };
        }
        let rates = multi_body::derivative(vehicle, &mb, input, NONE);
        prop_assert!(rates.iter().all(|f| f.is_finite()), "{rates:?}");
    }

    /// The symmetry is exact for KS, KST and ST, and for STD without the shifts of the tyres. MB sums in a different order.
    #[test]
    fn mirror_images_move_alike(
        core in core(),
        input in inputs(),
        spins in [spin(), spin(), spin(), spin()],
        rest in proptest::array::uniform16(within(0.3)),
        hitch in within(1.5),
    ) {
        let mirror = |core: [f64; 7]| {
            let [x, y, steer, v, yaw, turn, beta] = core;
            [x, -y, -steer, v, -yaw, -turn, -beta]
        };
        let back = [-input[0], input[1]];
        let other = mirror(core);
        let st = single_track::derivative(&BMW_320I, &core, input, NONE);
        prop_assert_eq!(mirror(st), single_track::derivative(&BMW_320I, &other, back, NONE));
        let kst = |c: [f64; 7], hitch| [c[0], c[1], c[2], c[3], c[4], hitch];
        let one = trailer::derivative(&TRUCK_TRAILER, &kst(core, hitch), input, NONE);
        let two = trailer::derivative(&TRUCK_TRAILER, &kst(other, -hitch), back, NONE);
        prop_assert_eq!([one[0], -one[1], -one[2], one[3], -one[4], -one[5]], two);
        let even = VehicleParameters { tyre: BMW_320I.tyre.without_shifts(), ..BMW_320I };
        let std = |c: [f64; 7]| {
            let mut x = [0.0; 9];
            x[..7].copy_from_slice(&c);
            x[7..].copy_from_slice(&spins[..2]);
            x
        };
        let one = drift::derivative(&even, &std(core), input, NONE);
        let two = drift::derivative(&even, &std(other), back, NONE);
        prop_assert_eq!(&mirror([one[0], one[1], one[2], one[3], one[4], one[5], one[6]]), &two[..7]);
        prop_assert_eq!(one[7..].to_vec(), two[7..].to_vec());
        let mut mb = multi_body::initial(&even, core);
        mb[23..27].copy_from_slice(&spins);
        for (i, rest) in rest.iter().enumerate() {
            mb[6 + i] += rest;
        }
        let one = multi_body::derivative(&even, &mb, input, NONE);
        let two = multi_body::derivative(&even, &mirrored(&mb), back, NONE);
        for (i, (one, two)) in mirrored(&one).iter().zip(&two).enumerate() {
            prop_assert!((one - two).abs() <= 1e-9 * one.abs().max(1e3), "{}: {} {}", i, one, two);
        }
    }
}

/// Mirror image of a state of MB or of its rates.
fn mirrored(x: &[f64; 29]) -> [f64; 29] {
    let mut image = *x;
    for i in [1, 2, 4, 5, 6, 7, 10, 13, 14, 15, 18, 19, 20, 27, 28] {
        image[i] = -x[i];
    }
    (image[23], image[24], image[25], image[26]) = (x[24], x[23], x[26], x[25]);
    image
}

fn drive<const N: usize>(
    rates: impl Fn(&[f64; N]) -> [f64; N],
    start: [f64; N],
    h: f64,
    seconds: f64,
) -> [f64; N] {
    let mut x = start;
    for _ in 0..(seconds / h).round() as usize {
        x = rk4::step(&x, h, &rates);
    }
    x
}

/// The shifts of the tyres make left and right differ and let a straight run drift.
#[test]
fn what_the_shifts_of_the_tyres_do() {
    let even = VehicleParameters { tyre: BMW_320I.tyre.without_shifts(), ..BMW_320I };
    let std = |vehicle: &VehicleParameters, rate: f64| {
        let start = [0.0, 0.0, 0.0, 15.0, 0.0, 0.0, 0.0, 15.0 / 0.344, 15.0 / 0.344];
        drive(|x| drift::derivative(vehicle, x, [rate, 0.0], NONE), start, 1e-3, 2.0)[1]
    };
    let mb = |vehicle: &VehicleParameters, rate: f64| {
        let start = multi_body::initial(vehicle, [0.0, 0.0, 0.0, 15.0, 0.0, 0.0, 0.0]);
        drive(|x| multi_body::derivative(vehicle, x, [rate, 0.0], NONE), start, 1e-3, 2.0)[1]
    };
    let compare = |name: &str, of: &dyn Fn(&VehicleParameters, f64) -> f64| {
        let sides = |vehicle| of(vehicle, 0.05) + of(vehicle, -0.05);
        let (drift, apart) = (of(&BMW_320I, 0.0), sides(&BMW_320I));
        println!("{name}: straight run drifts {drift} m, left and right differ by {apart} m");
        assert!(drift.abs() > 5e-4 && apart.abs() > 1e-3);
        assert!(of(&even, 0.0).abs() < 1e-9 && sides(&even).abs() < 1e-9);
    };
    compare("STD", &std);
    compare("MB", &mb);
}

/// The order of convergence on a smooth manoeuvre at speed, from steps of h, h/2 and h/4.
#[test]
fn the_method_is_of_fourth_order() {
    fn order<const N: usize>(
        name: &str,
        h: f64,
        start: [f64; N],
        rates: impl Fn(&[f64; N]) -> [f64; N],
    ) {
        let ends = [h, 0.5 * h, 0.25 * h].map(|h| drive(&rates, start, h, 0.4));
        let apart = |a: &[f64; N], b: &[f64; N]| {
            a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
        };
        let order = (apart(&ends[0], &ends[1]) / apart(&ends[1], &ends[2])).log2();
        println!("{name}: order {order:.3} from steps of {h} s");
        assert!((order - 4.0).abs() < 0.3, "{name}: {order}");
    }
    // so fast that no limit and no blend acts
    let (vehicle, input) = (&BMW_320I, [0.05, -1.0]);
    let core = [0.0, 0.0, 0.0, 20.0, 0.0, 0.0, 0.0];
    order("KS", 0.05, [0.0, 0.0, 0.0, 20.0, 0.0], |x| kinematic::derivative(vehicle, x, input));
    order("KST", 0.05, [0.0, 0.0, 0.0, 15.0, 0.0, 0.2], |x| {
        trailer::derivative(&TRUCK_TRAILER, x, input, NONE)
    });
    order("ST", 0.02, core, |x| single_track::derivative(vehicle, x, input, NONE));
    let mut std = [20.0 / 0.344; 9];
    std[..7].copy_from_slice(&core);
    order("STD", 0.001, std, |x| drift::derivative(vehicle, x, input, NONE));
    // the lateral force jumps at a change of sign of a camber angle, which does not occur in a steady bend
    let mb = multi_body::initial(vehicle, [0.0, 0.0, 0.02, 20.0, 0.0, 0.0, 0.0]);
    let bend = drive(|x| multi_body::derivative(vehicle, x, [0.0; 2], NONE), mb, 1e-3, 3.0);
    order("MB", 0.002, bend, |x| multi_body::derivative(vehicle, x, input, NONE));
}

/// Checks that the rates of a vehicle decay when it stops in a bend.
#[test]
fn a_vehicle_stops_in_a_bend_and_stands() {
    let brake = |v: f64| if v > 0.02 { -3.0 } else { -20.0 * v };
    let core = [0.0, 0.0, 0.15, 5.0, 0.0, 0.0, 0.0];
    let st = drive(
        |x| single_track::derivative(&BMW_320I, x, [0.0, brake(x[3])], NONE),
        core,
        2e-4,
        4.0,
    );
    let mut start = [5.0 / 0.344; 9];
    start[..7].copy_from_slice(&core);
    let std =
        drive(|x| drift::derivative(&BMW_320I, x, [0.0, brake(x[3])], NONE), start, 5e-5, 4.0);
    let start = multi_body::initial(&BMW_320I, core);
    let mb =
        drive(|x| multi_body::derivative(&BMW_320I, x, [0.0, brake(x[3])], NONE), start, 5e-5, 4.0);
    for (name, [speed, turn, x]) in [
        ("ST", [st[3], st[5], st[0]]),
        ("STD", [std[3], std[5], std[0]]),
        ("MB", [mb[3], mb[5], mb[0]]),
    ] {
        assert!(speed.abs() < 1e-6 && turn.abs() < 1e-6, "{name}: {speed} {turn}");
        assert!((x - 4.0).abs() < 0.6, "{name} stopped after {x} m");
    }
    assert!(mb[10].abs() < 1e-6 && mb[20].abs() < 1e-6 && mb[6].abs() < 1e-3, "{mb:?}");
}
