use std::path::Path;

use simhost_registry::Catalogue;

use super::cases::HEADER;
use super::*;

fn catalogue() -> Catalogue {
    Catalogue::collect(Default::default()).expect("there is no folder to read")
}

fn data() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/planning_cases.csv")
}

/// Returns a file with one row.
fn file(row: &str) -> String {
    format!("# a comment\n{}\n\n{row}\n", HEADER.join(","))
}

fn error(row: &str) -> String {
    match read(&file(row)) {
        Err(error) => error.to_string(),
        Ok(cases) => run(&data(), &cases[0], &catalogue()).expect_err(row).to_string(),
    }
}

#[test]
fn every_case_is_within_its_tolerance() {
    let text = std::fs::read_to_string(data()).expect("the cases are committed");
    let (cases, catalogue) = (read(&text).expect("cases"), catalogue());
    assert!(cases.len() >= 39);
    for case in &cases {
        let compared = compare(case, &run(&data(), case, &catalogue).expect("a run"));
        assert!(compared.wrong.is_empty(), "{:?}", compared.wrong);
    }
}

#[test]
fn empty_cells_take_defaults_and_are_not_compared() {
    let cases = read(&file("ideal_steer_vel,,,,,,,2,,,,,,,,,,")).expect("a case");
    let case = &cases[0];
    assert_eq!((case.dt, case.steps, case.gear, case.compat), (0.025, 60, 2, false));
    let found = run(&data(), case, &catalogue()).expect("a run");
    assert!((found.results[0] - 3.0).abs() < 1e-12, "{found:?}");
    assert!(compare(case, &found).wrong.is_empty());
}

#[test]
fn a_wrong_result_is_reported() {
    let row = "IDEAL_STEER_VEL,1,0.025,60,DRIVE,0,0,5,0,,wheel_base=3,7.6,,,5,0,0,1e-9";
    let cases = read(&file(row)).expect("a case");
    let compared = compare(&cases[0], &run(&data(), &cases[0], &catalogue()).expect("a run"));
    assert_eq!(compared.wrong.len(), 1);
    assert!(compared.wrong[0].starts_with("line 4: x_m is 7.5"), "{:?}", compared.wrong);
    assert!(compared.wrong[0].contains("expected 7.6"), "{:?}", compared.wrong);
    assert!(compared.worst > 1.0);
}

#[test]
fn errors_name_the_line_and_the_valid_values() {
    let cases = [
        ("ideal,,,", "line 4: the row has 4 cells; expected 18"),
        ("ideal_steer_vel,2,,,,,,,,,,,,,,,,", "line 4: compat is `2`; expected 0 or 1"),
        ("ideal_steer_vel,,0,,,,,,,,,,,,,,,", "line 4: dt_s is `0`; expected a number above 0"),
        (
            "ideal_steer_vel,,,,FORWARD,,,,,,,,,,,,,",
            "line 4: gear is `FORWARD`; expected one of NONE",
        ),
        ("ideal_steer_vel,,,,,,,x,,,,,,,,,,", "line 4: u1 is `x`; expected a finite number"),
        ("ideal_steer_vel,,,,,,,,,,base,,,,,,,", "line 4: params is `base`; expected name=value"),
        ("ideal_steer_vell,,,,,,,,,,,,,,,,,", "line 4: "),
        ("ideal_steer_vel,,,,,,,,,,wheel_bas=3,,,,,,,", "line 4: "),
    ];
    for (row, expected) in cases {
        assert!(error(row).starts_with(expected), "{}", error(row));
    }
    assert!(error("ideal_steer_vell,,,,,,,,,,,,,,,,,").contains("did you mean `ideal_steer_vel`"));
    assert!(error("ideal_steer_vel,,,,,,,,,,wheel_bas=3,,,,,,,").contains("wheel_base"));
    assert!(error("differential,,,,,,,,,,,,,,,,,").starts_with("line 4: "));
    let header = read("model,compat\n").expect_err("a header").to_string();
    assert!(header.starts_with("line 1: unknown header: model,compat; expected model,compat,dt_s"));
    assert!(read("").expect_err("empty").to_string().contains("the file is empty"));
}
