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
fn mistakes_are_told_with_their_lines() {
    for (from, to, said) in [
        (
            "'meter'",
            "'inch'",
            "is wrong in line 3: LENGTH is in 'inch'; convert the file to SI: 'meter'",
        ),
        (
            "'radians'",
            "'degree'",
            "is wrong in line 4: ANGLE is in 'degree'; convert the file to SI: 'radian'",
        ),
        ("1.6411", "1.6x", "is wrong in line 15: PCX1 must be a finite number, got '1.6x'"),
        ("1.6411", "1e999", "is wrong in line 15: PCX1 must be a finite number, got '1e999'"),
        ("PDX1 =", "PCX1 =", "is wrong in line 16: PCX1 stands here for the second time"),
        ("PDX1 = 1.1739", "1.1739", "is wrong in line 16: expected KEY = VALUE, got '1.1739'"),
        ("[MODEL]", "[MODEL", "is wrong in line 5: a section ends in ]"),
        ("PKY2 = 2.0012", "", "has no PKY2: a tyre of the magic formula needs it"),
        ("= 4850", "= 0", "FNOMIN is 0: it must be above 0"),
        (
            "'PAC2002'",
            "'FTIRE'",
            "is wrong in line 6: PROPERTY_FILE_FORMAT is 'FTIRE'; the magic formula is read",
        ),
    ] {
        let text = refusal(&SMALL.replacen(from, to, 1));
        assert!(text.starts_with(said), "expected '{said}', got '{text}'");
    }
}

#[test]
fn long_files_and_lines_are_refused() {
    assert!(matches!(parse(&"$".repeat(70_000)), Err(TirError::TooLong)));
    assert_eq!(refusal(&"x".repeat(2000)), "is wrong in line 1: is longer than 1024 bytes");
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
