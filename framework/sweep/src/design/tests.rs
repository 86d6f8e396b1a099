//! Values of runs.

use super::*;

fn design(study: Study) -> Result<Design, String> {
    Design::new(&study, 3).map_err(|error| error.to_string())
}

fn study(texts: &[&str]) -> Study {
    texts.iter().fold(Study::new("w.xml"), |study, text| study.vary(text).unwrap())
}

fn texts(design: &Design, run: u64) -> String {
    let texts: Vec<String> = design.values(run).iter().map(ToString::to_string).collect();
    texts.join(" ")
}

#[test]
fn lists_form_a_grid_of_which_the_first_is_the_slowest() {
    let mut study = study(&["a/x=range:0:1:3", "a/y=7", "a/z=list:p,q"]);
    study.repeat = 2.into();
    let design = design(study).unwrap();
    let all: Vec<String> = (0..design.runs()).map(|run| texts(&design, run)).collect();
    let expected = ["0 7 p", "0 7 q", "0.5 7 p", "0.5 7 q", "1 7 p", "1 7 q"];
    assert_eq!(all, expected.iter().flat_map(|one| [*one; 2]).collect::<Vec<_>>());
}

/// More samples add runs and change none.
#[test]
fn samples_are_the_slowest() {
    let with = |samples: u64| {
        let mut study = study(&["a/x=uniform:0:1", "a/y=list:1,2", "a/z=sobol:0:1"]);
        study.samples = Some(samples.into());
        design(study).unwrap()
    };
    let (few, many) = (with(3), with(50));
    assert_eq!([few.runs(), many.runs()], [6, 100]);
    for run in 0..6 {
        assert_eq!(few.values(run), many.values(run));
    }
    assert_eq!(few.values(2)[0], few.values(3)[0]);
    assert_ne!(few.values(1)[0], few.values(2)[0]);
}

/// A. Saltelli et al., Computer Physics Communications 181, 2010: the matrices A, B, and A with columns of B.
#[test]
fn the_design_of_saltelli_exchanges_columns() {
    let mut study = study(&["a/x=sobol:0:1", "a/y=sobol:0:2", "a/z=9"]);
    (study.samples, study.saltelli) = (Some(8.into()), true);
    let design = design(study).unwrap();
    assert_eq!((design.runs(), design.blocks()), (32, 4));
    for sample in 0..8 {
        let [a, b, x, y] = [0, 1, 2, 3].map(|block| design.values(sample * 4 + block));
        assert_eq!([&x[0], &x[1]], [&b[0], &a[1]]);
        assert_eq!([&y[0], &y[1]], [&a[0], &b[1]]);
    }
}

#[test]
fn plans_that_contradict_themselves_are_refused() {
    let samples = |texts: &[&str]| {
        let mut study = study(texts);
        study.samples = Some(4.into());
        study
    };
    let saltelli = |texts: &[&str]| Study { saltelli: true, ..samples(texts) };
    for (study, part) in [
        (study(&["a/x=uniform:0:1"]), "'a/x' is drawn, and `samples` is not given"),
        (samples(&["a/x=list:1,2"]), "everything that varies is a list or a range"),
        (study(&["a/x=range:0:1:1000000", "a/y=range:0:1:1000000"]), "1000000000000 runs"),
        (saltelli(&["a/x=uniform:0:1"]), "expected sobol:LOW:HIGH"),
    ] {
        let problem = design(study).unwrap_err();
        assert!(problem.contains(part), "{problem}");
    }
}

/// Returns the centred L2 discrepancy: F. J. Hickernell, Mathematics of Computation 67, 1998.
fn discrepancy(points: &[Vec<f64>]) -> f64 {
    let (n, dimensions) = (points.len() as f64, points[0].len() as i32);
    let far = |x: f64| (x - 0.5).abs();
    let of_one = |x: &f64| 1.0 + 0.5 * far(*x) - 0.5 * far(*x) * far(*x);
    let of_two = |(x, y): (&f64, &f64)| 1.0 + 0.5 * far(*x) + 0.5 * far(*y) - 0.5 * (x - y).abs();
    let one: f64 = points.iter().map(|x| x.iter().map(of_one).product::<f64>()).sum();
    let pair = |x: &Vec<f64>, y: &Vec<f64>| x.iter().zip(y).map(of_two).product::<f64>();
    let two: f64 = points.iter().map(|x| points.iter().map(|y| pair(x, y)).sum::<f64>()).sum();
    (13.0_f64 / 12.0).powi(dimensions) - 2.0 / n * one + two / (n * n)
}

/// Points of `scipy.stats.qmc.LatinHypercube` of SciPy 1.17.1 and these have different random
/// numbers. They have in common the strata, one point in each of every dimension, and the
/// distribution within and between them, measured by the mean centred discrepancy: points that are
/// centred in their strata have 0.00741 instead, and independent points 0.0430.
#[test]
fn latin_hypercubes_are_distributed_as_those_of_scipy() {
    // LatinHypercube(2, scramble=False, rng=0).random(8), and qmc.discrepancy of it
    let x = [0.6875, 0.4375, 0.0625, 0.1875, 0.3125, 0.5625, 0.9375, 0.8125];
    let y = [0.3125, 0.0625, 0.8125, 0.1875, 0.5625, 0.9375, 0.6875, 0.4375];
    let centred: Vec<Vec<f64>> = x.iter().zip(y).map(|(x, y)| vec![*x, y]).collect();
    assert!((discrepancy(&centred) - 0.004963344997829688).abs() < 1e-15);
    let points = |names: &[&str], samples: u64, seed: u64| -> Vec<Vec<f64>> {
        let names: Vec<String> = names.iter().map(|name| format!("a/{name}=lhs:0:1")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let study = Study { samples: Some(samples.into()), ..study(&names) };
        let design = Design::new(&study, seed).unwrap();
        let number = |value: &VariedValue| value.to_string().parse().unwrap();
        (0..samples).map(|run| design.values(run).iter().map(number).collect()).collect()
    };
    for (axis, strata) in [x, y].into_iter().enumerate() {
        let found = points(&["x", "y"], 8, 3);
        let mut found: Vec<f64> =
            found.iter().map(|point| ((point[axis] * 8.0).floor() + 0.5) / 8.0).collect();
        let mut strata = strata.to_vec();
        found.sort_by(f64::total_cmp);
        strata.sort_by(f64::total_cmp);
        assert_eq!(found, strata);
    }
    // the mean of qmc.discrepancy(LatinHypercube(3, rng=seed).random(16)) over 4000 seeds
    let all = (0..400).map(|seed| discrepancy(&points(&["x", "y", "z"], 16, seed)));
    let mean = all.sum::<f64>() / 400.0;
    assert!((mean / 0.00854670 - 1.0).abs() < 0.04, "{mean}");
}
