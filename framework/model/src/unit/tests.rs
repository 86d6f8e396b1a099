//! Tests of the comparison of units.

use super::{same_unit, unit_factor};

#[test]
fn spellings_of_a_unit_are_equal() {
    for spellings in [
        &["N·m", "N*m", "Nm", "N m", "N.m", "J", "kg·m²/s²", "kg m^2 s^-2", "W·s"][..],
        &["m/s²", "m/s^2", "m/s2", "m·s⁻²", "m/s/s", "N/kg", "m/(s·s)"],
        &["rad/s", "1/s", "s^-1", "s⁻¹"],
        &["", "1", "rad", "m/m"],
        &["kg·m²", "kgm²", "kg*m^2", "kg m2"],
        &["N·s/m", "N/(m/s)", "Ns/m", "kg/s"],
        &["km/h", "kph", "kmh"],
        &["deg", "°"],
        &["mm", "m/1000"],
        &["furlong", "furlong"],
    ] {
        for one in spellings {
            for other in spellings {
                assert!(same_unit(one, other), "{one} and {other}");
            }
        }
    }
}

#[test]
fn other_dimensions_and_scales_differ() {
    for (one, other) in [
        ("m/s", "km/h"),
        ("m/s", "m"),
        ("rad/s", "rpm"),
        ("rad/s", "deg/s"),
        ("rad", "deg"),
        ("rad/s", "Hz"),
        ("N·m", "lbf·ft"),
        ("N·m", "N"),
        ("N·m", "mN·m"),
        ("N", "kN"),
        ("m", "mm"),
        ("m", "furlong"),
        ("kg", "g"),
        ("1", "%"),
        ("K", "°C"),
        ("N·s/m", "N/m/s"),
        ("ms", "m·s"),
    ] {
        assert!(!same_unit(one, other), "{one} and {other}");
    }
}

#[test]
fn factors_lead_from_one_unit_to_the_other() {
    let near = |from, to, factor: f64| {
        assert!((unit_factor(from, to).unwrap_or(f64::NAN) / factor - 1.0).abs() < 1e-9);
    };
    near("deg/s", "rad/s", std::f64::consts::PI / 180.0);
    near("km/h", "m/s", 1.0 / 3.6);
    near("m", "mm", 1e3);
    assert_eq!(unit_factor("m", "s"), None);
    // no text ends the reader
    for text in
        ["((((", "/", "^", "m^", ")m", "²", "1e400 m", "m^-999999999", "m^99999999999", "☃²"]
    {
        unit_factor(text, "m");
    }
}
