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
