//! Tyre property files, good and bad.

use proptest::prelude::*;
use simhost_tyres::magic_formula::coefficients::Coefficients;
use simhost_tyres::magic_formula::tir::{TirError, parse};
use simhost_tyres::magic_formula::tyre::Version;

const SMALL: &str = "\
$---- a comment
[UNITS]
LENGTH = 'meter'  $ SI
ANGLE = 'radians'
[MODEL]
PROPERTY_FILE_FORMAT = 'PAC2002' ! and another comment
TYRESIDE = 'LEFT $ not a comment'
[SHAPE]
{radial width}
 1.0 0.0
 0.9 1.0
[VERTICAL]
FNOMIN = 4850
[LONGITUDINAL_COEFFICIENTS]
PCX1 = 1.6411
PDX1 = 1.1739
pkx1 = 2.2303D+1
[LATERAL_COEFFICIENTS]
PCY1 = 1.3507
PDY1 = 1.0489
PKY1 = -21.92
PKY2 = 2.0012
";

fn refusal(text: &str) -> String {
    parse(text).unwrap_err().to_string()
}

#[test]
fn a_small_file_is_read() {
    let tyre = parse(SMALL).unwrap();
    let p = &tyre.coefficients;
    assert_eq!((p.fnomin, p.pkx1, p.pky1), (4850.0, 22.303, -21.92));
    // what is not there is neutral
    assert_eq!((p.lfzo, p.pdx2, p.phx1, p.pky4), (1.0, 0.0, 0.0, 2.0));
    assert_eq!(tyre.version, Version::Mf52);
    let newer = SMALL.replace("'PAC2002'", "'MF_61'");
    assert_eq!(parse(&newer).unwrap().version, Version::Mf61);
    assert_eq!(parse(&SMALL.replace('\n', "\r\n")).unwrap(), tyre);
}

#[test]
fn errors_name_their_lines() {
    for (from, to, said) in [
        (
            "'meter'",
            "'inch'",
            "line 3: LENGTH is 'inch', expected the SI unit 'meter'; convert the file",
        ),
        (
            "'radians'",
            "'degree'",
            "line 4: ANGLE is 'degree', expected the SI unit 'radian'; convert the file",
        ),
        ("1.6411", "1.6x", "line 15: PCX1 is '1.6x', expected a finite number"),
        ("1.6411", "1e999", "line 15: PCX1 is '1e999', expected a finite number"),
        ("PDX1 =", "PCX1 =", "line 16: duplicate PCX1"),
        ("PDX1 = 1.1739", "1.1739", "line 16: found '1.1739', expected KEY = VALUE"),
        ("[MODEL]", "[MODEL", "line 5: expected ] at the end of the section"),
        ("PKY2 = 2.0012", "", "missing PKY2, which the Magic Formula requires"),
        ("= 4850", "= 0", "FNOMIN is 0, expected a number above 0"),
        ("'PAC2002'", "'FTIRE'", "line 6: PROPERTY_FILE_FORMAT is 'FTIRE', expected version 5.2"),
    ] {
        let text = refusal(&SMALL.replacen(from, to, 1));
        assert!(text.starts_with(said), "expected '{said}', got '{text}'");
    }
}

#[test]
fn long_files_and_lines_are_refused() {
    assert!(matches!(parse(&"$".repeat(70_000)), Err(TirError::TooLong)));
    assert_eq!(refusal(&"x".repeat(2000)), "line 1: expected at most 1024 bytes");
}

/// What a program writes from the table is what the table holds.
#[test]
fn every_coefficient_can_be_given() {
    let mut ours = Coefficients::default();
    let lines = Coefficients::NAMES.iter().map(|name| {
        let value = ours.named(name).unwrap();
        format!("{name} = {value:?}\n")
    });
    assert_eq!(parse(&lines.collect::<String>()).unwrap().coefficients, Coefficients::default());
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,200}", at in 0..400_usize) {
        let _ = parse(&text);
        let mut damaged = SMALL.to_owned();
        let at = (0..=at).rev().find(|at| damaged.is_char_boundary(*at)).unwrap_or(0);
        damaged.insert_str(at.min(SMALL.len()), &text);
        let _ = parse(&damaged);
    }
}
