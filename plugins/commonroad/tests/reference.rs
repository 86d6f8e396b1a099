//! Comparison of the models, with the defects of the reference, with its values: the file
//! `tests/data/commonroad/reference.json` from commonroad-vehicle-models 3.0.2, and the published cases.

// literals have the published digits
#![allow(clippy::unwrap_used, clippy::excessive_precision)]

#[path = "../examples/compare/comparison.rs"]
mod comparison;
#[allow(dead_code)]
#[path = "../examples/compare/file.rs"]
mod file;

use simhost_commonroad::defects::Defects;
use simhost_commonroad::models::f1tenth::{self, Car};
use simhost_commonroad::models::single_track::LinearTyres;
use simhost_commonroad::models::{drift, kinematic, multi_body, single_track, trailer};
use simhost_commonroad::parameters::{BMW_320I, TRUCK_TRAILER};
use simhost_commonroad::rk4;

fn committed() -> file::File {
    let path = "../../tests/data/commonroad/reference.json";
    file::File::read(&format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[test]
fn the_models_with_all_defects_are_the_reference() {
    let table = comparison::compare(&committed());
    let kinds: Vec<(&str, &str)> =
        table.keys().map(|(kind, model)| (*kind, model.as_str())).collect();
    for model in ["KS", "KST", "ST", "STD", "MB"] {
        assert!(kinds.contains(&("derivative", model)), "{model}");
    }
    for model in ["KS", "STD", "MB"] {
        assert!(kinds.contains(&("trajectory", model)), "{model}");
    }
    for (key, worst) in &table {
        assert!(worst.holds(), "{key:?}: {worst:?}");
    }
}

#[test]
fn a_wrong_number_is_found() {
    let mut file = committed();
    let case = file.derivatives.iter_mut().find(|case| case.model == "MB").unwrap();
    case.rates[19] += 1e-6 * case.rates[19].abs().max(1.0);
    file.tire[0].expected[3] += 1e-4;
    file.trajectories[0].rows[2][1] += 1e-5;
    file.parameters[1].1.k_sf += 1e-9;
    let table = comparison::compare(&file);
    let failed: Vec<&str> =
        table.iter().filter(|(_, worst)| !worst.holds()).map(|((kind, _), _)| *kind).collect();
    assert_eq!(failed, ["derivative", "parameters", "tire", "trajectory"]);
}

#[test]
fn other_vehicles_and_missing_kinds_are_compared() {
    let mut file = committed();
    (file.trajectories, file.tire) = (Vec::new(), Vec::new());
    file.derivatives.retain(|case| case.model == "ST");
    // a vehicle that is not built in takes its parameters from the file
    file.derivatives[0].vehicle = 9;
    let [mut other] = [file.parameters[0]];
    (other.0, other.1.m) = (9, 2000.0);
    assert!(!comparison::compare(&file)[&("derivative", "ST".into())].holds());
    file.parameters.push(other);
    let worst = &comparison::compare(&file)[&("derivative", "ST".into())];
    // the mass affects only ψ̈ in this model
    assert!(worst.unknown == 0 && worst.place.contains("f[5], vehicle 9"), "{worst:?}");
    file.derivatives[0].model = "unheard of".into();
    assert!(!comparison::compare(&file)[&("derivative", "unheard of".into())].holds());
}

fn near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (found - expected).abs() / expected.abs().max(1.0);
        assert!(error <= tolerance, "{i}: {found}, expected {expected}");
    }
}

const INPUT: [f64; 2] = [0.15, 0.63 * 9.81];
const KS: [f64; 5] = [
    3.9579422297936526,
    0.0391650102771405,
    0.0378491427211811,
    16.3546957860883566,
    0.0294717351052816,
];
const ST: [f64; 7] = [
    2.0233348142065677,
    0.0041907137716636,
    0.0197545248559617,
    15.7216236334290116,
    0.0025857914776859,
    0.0529001056654038,
    0.0033012170610298,
];
const ST_RATES: [f64; 7] = [
    15.7213512030862397,
    0.0925527979719355,
    0.15,
    5.3536773276413925,
    0.0529001056654038,
    0.6435589397748606,
    0.0313297971641291,
];

#[test]
fn the_published_derivatives() {
    let ks = [16.347593593425021, 0.4819314886013121, 0.15, 5.1464424102339752, 0.2401426578627629];
    near(&kinematic::derivative(&BMW_320I, &KS, INPUT), &ks, 1e-14);
    let mut kst = [0.0; 6];
    kst[..5].copy_from_slice(&KS);
    kst[5] = 0.0294717351052816;
    let expected = [
        16.347593593425021,
        0.4819314886013121,
        0.15,
        5.501539201758522,
        0.1720297150523055,
        -0.23152742969444276,
    ];
    for defects in [Defects::UPSTREAM, Defects::NONE] {
        near(&trailer::derivative(&TRUCK_TRAILER, &kst, INPUT, defects), &expected, 1e-14);
    }
    near(&single_track::derivative(&BMW_320I, &ST, INPUT, Defects::UPSTREAM), &ST_RATES, 1e-14);
    // values of version 3.0.2, because its own test contains values of an older version
    let mut std = [0.0; 9];
    std[..7].copy_from_slice(&ST);
    std[7..].copy_from_slice(&[53.6551710641082451, 56.7917911784219598]);
    let expected = [
        15.72135120308624,
        0.09255279797193551,
        0.15,
        11.340113304616798,
        0.0529001056654038,
        0.466681022626497,
        -0.02037000180254231,
        -1072.4665253469798,
        -253.94486828306555,
    ];
    near(&drift::derivative(&BMW_320I, &std, INPUT, Defects::UPSTREAM), &expected, 1e-13);
}

#[test]
fn the_published_derivative_of_the_multi_body() {
    let state = [
        10.8808433066274794,
        0.5371850187869442,
        0.0980442671005920,
        18.0711398687457745,
        0.1649995631003776,
        0.6158755000936103,
        -0.1198403612262477,
        -0.2762672756169581,
        0.0131909920269115,
        -0.0718483683742141,
        -0.3428324595054725,
        0.0103233373083297,
        -0.0399590564140291,
        -0.0246468320579360,
        -0.0551575051990853,
        0.5798277643297529,
        0.0172059354801703,
        0.0067890113155477,
        -0.0184269459410162,
        -0.0408207136116175,
        -1.0064484829203018,
        0.0166808347900582,
        -0.0049188492004049,
        53.6551710641082451,
        50.7045242506744316,
        56.7917911784219598,
        200.7079633169796296,
        -0.0939969123691911,
        -0.0881514621614376,
    ];
    let expected = [
        17.8820162482414098,
        2.6300428035858809,
        0.1500000000000000,
        2.7009396644636450,
        0.6158755000936103,
        1.3132879472301846,
        -0.2762672756169581,
        -0.1360581472638375,
        -0.0718483683742141,
        0.4909514227532223,
        -2.6454134031927374,
        -0.0399590564140291,
        0.0486778649724968,
        -0.0551575051990853,
        0.0354501802049087,
        -1.1130397141873534,
        0.0067890113155477,
        -0.0886810139593130,
        -0.0408207136116175,
        0.0427680029698811,
        -4.3436374104751501,
        -0.0049188492004049,
        0.1142109377736169,
        10.0527321757776047,
        0.0436512393438736,
        -154.12795711273924,
        422.12780928288305,
        -0.2105876149500405,
        -0.2126005780977984,
    ];
    // the test of the package compares seven decimals
    near(&multi_body::derivative(&BMW_320I, &state, INPUT, Defects::UPSTREAM), &expected, 1e-7);
}

/// The gym tests its single-track model with the parameters of the BMW.
#[test]
fn the_f1tenth_model_is_the_single_track_with_other_numbers() {
    let car = Car {
        tyres: LinearTyres::of(&BMW_320I, Defects::UPSTREAM),
        steering: BMW_320I.steering,
        longitudinal: BMW_320I.longitudinal,
    };
    near(&f1tenth::derivative(&car, &ST, INPUT, Defects::UPSTREAM), &ST_RATES, 1e-14);
}

fn drive<const N: usize>(
    rates: impl Fn(&[f64; N]) -> [f64; N],
    mut x: [f64; N],
    s: f64,
) -> [f64; N] {
    for _ in 0..(s * 1000.0).round() as usize {
        x = rk4::step(&x, 1e-3, &rates);
    }
    x
}

#[test]
fn the_published_runs_from_rest() {
    // a backward acceleration of 0.7 g for one second, integrated by the reference with its own tolerance
    let brake = [0.0, -0.7 * 9.81];
    let end =
        drive(|x| single_track::derivative(&BMW_320I, x, brake, Defects::UPSTREAM), [0.0; 7], 1.0);
    near(&[end[0], end[3]], &[-3.4335, -6.867], 1e-9);
    let end = drive(|x| kinematic::derivative(&BMW_320I, x, INPUT), [0.0; 5], 1.0);
    near(&end, &[3.0845676868, 0.1484249222, 0.15, 6.1803, 0.1203664469], 1e-6);
    // a vehicle at rest without input stays at rest
    for defects in [Defects::UPSTREAM, Defects::NONE] {
        let rest =
            drive(|x| single_track::derivative(&BMW_320I, x, [0.0; 2], defects), [0.0; 7], 1.0);
        assert_eq!(rest, [0.0; 7]);
    }
}

#[test]
fn the_published_ends_after_a_step_of_the_steering() {
    // speed 15 m/s, steering rate 0.05 rad/s, duration 2 s
    let input = [0.05, 0.0];
    let start = [0.0, 0.0, 0.0, 15.0, 0.0, 0.0, 0.0];
    let end =
        drive(|x| single_track::derivative(&BMW_320I, x, input, Defects::UPSTREAM), start, 2.0);
    let expected = [29.0949593, 5.37355557, 0.1, 15.0, 0.542625461, 0.561430748, 0.0154951219];
    near(&end, &expected, 1e-8);
    // without acceleration the height of the centre of gravity has no effect
    let corrected =
        drive(|x| single_track::derivative(&BMW_320I, x, input, Defects::NONE), start, 2.0);
    near(&corrected, &expected, 1e-8);
}
