//! Tyre property files, good and bad.

use proptest::prelude::*;
use simhost_tyres::magic_formula::coefficients::Coefficients;
use simhost_tyres::magic_formula::tir::{TirError, parse, replace};
use simhost_tyres::magic_formula::tyre::{Load, Tyre, Version};

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

fn read(text: &str) -> Tyre {
    parse(text).unwrap().tyre
}

fn refusal(text: &str) -> String {
    parse(text).unwrap_err().to_string()
}

#[test]
fn a_small_file_is_read() {
    let tyre = read(SMALL);
    let p = &tyre.coefficients;
    assert_eq!((p.fnomin, p.pkx1, p.pky1), (4850.0, 22.303, -21.92));
    // what is not there is neutral
    assert_eq!((p.lfzo, p.pdx2, p.phx1, p.pky4), (1.0, 0.0, 0.0, 2.0));
    assert_eq!(tyre.version, Version::Mf52);
    let newer = SMALL.replace("'PAC2002'", "'MF_61'");
    assert_eq!(read(&newer).version, Version::Mf61);
    assert_eq!(read(&SMALL.replace("'PAC2002'", "'MF_62'")).version, Version::Mf62);
    assert_eq!(read(&SMALL.replace('\n', "\r\n")), tyre);
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
        ("= 4850", "= 0", "line 13: FNOMIN is 0, expected a number above 0"),
        ("= 1.0489", "= 0", "line 20: PDY1 is 0, expected a number other than 0"),
        ("'PAC2002'", "'FTIRE'", "line 6: PROPERTY_FILE_FORMAT is 'FTIRE', expected version 5.2"),
    ] {
        let text = refusal(&SMALL.replacen(from, to, 1));
        assert!(text.starts_with(said), "expected '{said}', got '{text}'");
    }
}

/// Pacejka's own files have a negative PDY1 together with a negative PKY1.
#[test]
fn a_negative_friction_to_the_side_is_that_of_the_other_sign() {
    let more = "PDY2 = -0.18\nPEY1 = -0.007\nRBY1 = 7.1\nRCY1 = 1.07\nRVY1 = 0.03\nRVY2 = 0.05\nRVY5 = 1.9\n";
    let positive = read(&format!("{SMALL}{more}"));
    let turned = [
        ("PDY1 = ", "PDY1 = -"),
        ("PDY2 = -", "PDY2 = "),
        ("RVY1 = ", "RVY1 = -"),
        ("RVY2 = ", "RVY2 = -"),
    ];
    let text =
        turned.iter().fold(format!("{SMALL}{more}"), |text, (from, to)| text.replace(from, to));
    let negative = read(&text);
    let load = Load::new(4000.0, 1.0, 0.0);
    let [fx, fy] = negative.combined(0.05, 0.1, &load);
    assert_eq!([fx, fy], positive.combined(0.05, 0.1, &load));
    assert!(fy < -1000.0 && negative.peak(&load) > 0.0, "{fy}");
}

#[test]
fn the_world_replaces_coefficients() {
    let mut tyre = read(SMALL);
    replace(&mut tyre, " LMUY 0.8; pky1 = -20 ;").unwrap();
    assert_eq!((tyre.coefficients.lmuy, tyre.coefficients.pky1), (0.8, -20.0));
    for (text, said) in [
        ("LMUQ 1", "`LMUQ 1`: unknown coefficient, did you mean LMUX?; write"),
        ("GRIP 1", "`GRIP 1`: unknown coefficient; write"),
        ("LMUY", "`LMUY`: expected a name and a number"),
        ("LMUY x", "`LMUY x`: expected a finite number"),
        ("PCX1 -1", "PCX1 is -1, expected a number above 0"),
    ] {
        let text = replace(&mut read(SMALL), text).unwrap_err().to_string();
        assert!(text.starts_with(said), "{text}");
    }
}

#[test]
fn long_files_and_lines_are_refused() {
    assert!(matches!(parse(&"$".repeat(70_000)), Err(TirError::TooLong)));
    assert_eq!(refusal(&"x".repeat(2000)), "line 1: expected at most 1024 bytes");
    assert_eq!(read(&format!("{SMALL}$ {}", "x".repeat(2000))), read(SMALL));
}

/// What a program writes from the table is what the table holds.
#[test]
fn every_coefficient_can_be_given() {
    let mut ours = Coefficients::default();
    let lines = Coefficients::NAMES.iter().map(|name| {
        let value = ours.named(name).unwrap();
        format!("{name} = {value:?}\n")
    });
    assert_eq!(read(&lines.collect::<String>()).coefficients, Coefficients::default());
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

/// The trail t = D_t of a tyre without curvature at a small slip angle: M_z = −t F_y.
#[test]
fn the_aligning_moment_is_the_lateral_force_behind_the_wheel_centre() {
    let with_trail = SMALL.to_owned()
        + "UNLOADED_RADIUS = 0.33\n[ALIGNING_COEFFICIENTS]\nQBZ1 = 10\nQCZ1 = 1.2\nQDZ1 = 0.1\n";
    let tyre = read(&with_trail);
    let load = Load::new(4850.0, 1.0, 0.0);
    let trail = |alpha: f64| {
        let [_, fy] = tyre.combined(0.0, alpha, &load);
        -tyre.aligning_moment(0.0, alpha, &load, 0.3) / fy
    };
    assert!((trail(1e-6) - 0.033).abs() < 1e-8, "{}", trail(1e-6));
    // D cos(C atan(B α)) cos α
    let alpha = 0.05f64.atan();
    let expected = 0.033 * (1.2 * (10.0 * alpha).atan()).cos() * alpha.cos();
    assert!((trail(0.05f64.atan()) - expected).abs() < 1e-9, "{} {expected}", trail(0.05));
    // it aligns: a wheel that drifts to its left is turned to the left
    assert!(tyre.aligning_moment(0.0, 0.05, &load, 0.3) > 0.0);
    // braking shortens the trail
    let [_, fy] = tyre.combined(-0.1, 0.05, &load);
    assert!(tyre.aligning_moment(-0.1, 0.05, &load, 0.3) / -fy < trail(0.05));
    assert_eq!(read(SMALL).aligning_moment(0.0, 0.05, &load, 0.3), 0.0);
}

#[test]
fn the_effective_radius_falls_with_the_load() {
    let elastic =
        SMALL.to_owned() + "VERTICAL_STIFFNESS = 2.0D5\nBREFF = 8\nDREFF = 0.24\nFREFF = 0.01\n";
    let tyre = read(&elastic);
    let by = |part: f64| 4850.0 / 2e5 * (0.24 * (8.0 * part).atan() + 0.01 * part);
    for part in [0.0, 0.5, 1.0, 2.0] {
        let found = tyre.rolling_radius(0.33, part * 4850.0, 0.0);
        assert!((found - (0.33 - by(part))).abs() < 1e-12, "{found}");
    }
    assert_eq!(read(SMALL).rolling_radius(0.33, 4850.0, 0.0), 0.33);
}

/// Lines that have no effect on forces, as tyre makers and exporters write them.
#[test]
fn lines_without_an_effect_do_not_refuse_a_file() {
    let plain = read(SMALL);
    let marked = format!("\u{feff}{SMALL}");
    assert_eq!(read(&marked), plain);
    let headless = SMALL.replace("{radial width}\n", "");
    assert_eq!(read(&headless), plain);
    let remarks = SMALL.replace("[MODEL]", "[MAKER]\nTread of 2016, third sample\n[MODEL]");
    assert_eq!(read(&remarks), plain);
}

#[test]
fn keys_without_an_effect_are_listed() {
    let file = |more: &str| parse(&format!("{SMALL}{more}")).unwrap();
    assert_eq!(file("").without_effect, [""; 0]);
    assert_eq!(file("QPZ1 = 0\nLGYR = 1\nMASS = 9\nMAKER = 'a = b'\n").without_effect, [""; 0]);
    let found = file("QSX1 = 0.1\nLMUV = 0.9\nQPZ1 = 0.4\nUSE_MODE = 12\n");
    assert_eq!(found.without_effect, ["LMUV", "QPZ1"]);
    assert_eq!(found.use_mode, Some(12));
    let misspelt = file("PKY11 = 2\nLMUYY = 1\nCHALK = 3\n").without_effect;
    assert_eq!(misspelt[0], "PKY11 (unknown; did you mean PKY1?)");
    assert_eq!(misspelt[1], "LMUYY (unknown; did you mean LMUY?)");
    assert_eq!(misspelt[2], "CHALK (unknown)");
    let side = parse(&SMALL.replace("'LEFT $ not a comment'", "'Left'")).unwrap().side;
    assert_eq!(side.as_deref(), Some("LEFT"));
}

#[test]
fn a_coefficient_without_a_value_has_its_default() {
    let file = parse(&format!("{SMALL}PEX1 =\nLMUX = \n")).unwrap();
    assert_eq!(file.without_value, ["PEX1", "LMUX"]);
    assert_eq!((file.tyre.coefficients.pex1, file.tyre.coefficients.lmux), (0.0, 1.0));
    assert_eq!(
        refusal(&SMALL.replace("= 2.0012", "=")),
        "missing PKY2, which the Magic Formula requires"
    );
}

/// OptimumT writes a positive PKY1 with a negative PKY4: their product is the sign of the stiffness.
#[test]
fn the_sign_of_the_cornering_stiffness_decides_the_sign_of_the_slip_angle() {
    let newer = SMALL.replace("'PAC2002'", "'MF_61'");
    let usual = read(&format!("{newer}PKY4 = 1.8\n"));
    let both = newer.replace("= -21.92", "= 21.92");
    let turned = read(&format!("{both}PKY4 = -1.8\n"));
    assert_eq!((usual.side(), turned.side()), (1.0, 1.0));
    let load = Load::new(4000.0, 1.0, 0.0);
    assert_eq!(usual.combined(0.02, 0.1, &load), turned.combined(0.02, 0.1, &load));
    assert_eq!(read(&both).side(), -1.0);
}

/// The linear friction coefficient of this tyre vanishes at 35 kN.
#[test]
fn friction_does_not_vanish_at_great_loads() {
    let falling = read(&format!("{SMALL}PDX2 = -0.19\nPDY2 = -0.17\n"));
    let greatest = falling.greatest_load();
    assert!((greatest / 4850.0 - (1.0 + 0.7 * 1.0489 / 0.17)).abs() < 1e-9, "{greatest}");
    for f_z in [1e4, 3e4, 3.6e4, 1e5] {
        let [fx, fy] = falling.combined(0.3, 0.2, &Load::new(f_z, 1.0, 0.0));
        assert!(fx > 0.03 * f_z && fy < -0.03 * f_z, "{fx} N, {fy} N at {f_z} N");
    }
}
