//! Tests of `utm`.

use super::*;

fn of(latitude: f64, longitude: f64) -> Utm {
    Utm::of(latitude.to_radians(), longitude.to_radians()).unwrap()
}

/// Published coordinates of landmarks, accurate to 1 m or better.
#[test]
fn landmarks_have_their_published_coordinates() {
    for (latitude, longitude, zone, band, easting, northing) in [
        (48.8582, 2.2945, 31, 'U', 448_251.9, 5_411_932.68),
        // CN Tower, from the documentation of the US National Grid
        (43.642_566, -79.387_139, 17, 'T', 630_084.0, 4_833_439.0),
        // Sydney opera house
        (-33.857_0, 151.215_0, 56, 'H', 334_873.0, 6_252_266.0),
    ] {
        let place = of(latitude, longitude);
        assert_eq!((place.zone, place.band), (zone, band), "{place:?}");
        let [dx, dy] = [place.easting - easting, place.northing - northing];
        assert!(hypot(dx, dy) < 5.0, "{place:?} is {dx} m, {dy} m off");
    }
    let eiffel = of(48.8582, 2.2945);
    assert!(hypot(eiffel.easting - 448_251.9, eiffel.northing - 5_411_932.68) < 1.0);
}

/// On the central meridian, the northing is the scaled length of the meridian, which is 10 001
/// 965.729 m to the pole on WGS 84.
#[test]
fn the_meridian_has_its_length() {
    let [x, y] = projected(std::f64::consts::FRAC_PI_2, 0.0);
    assert!(x.abs() < 1e-6 && (y / SCALE - 10_001_965.729).abs() < 1e-3, "{x} {y}");
    let equator = of(0.0, 3.0);
    assert_eq!((equator.easting, equator.northing), (500_000.0, 0.0));
}

#[test]
fn conversion_is_reversible() {
    for latitude in -79..=83 {
        for longitude in -180..180 {
            let given = [f64::from(latitude) + 0.3, f64::from(longitude) + 0.7];
            let found = of(given[0], given[1]).geographic().map(f64::to_degrees);
            let off = (found[1] - given[1] + 180.0).rem_euclid(360.0) - 180.0;
            assert!((found[0] - given[0]).abs() < 1e-11 && off.abs() < 1e-10, "{given:?}");
        }
    }
}

#[test]
fn zones_have_their_exceptions_and_the_poles_have_none() {
    for (latitude, longitude, zone, band) in [
        (60.0, 5.0, 32, 'V'),
        (60.0, 2.9, 31, 'V'),
        (78.0, 8.0, 31, 'X'),
        (78.0, 10.0, 33, 'X'),
        (78.0, 22.0, 35, 'X'),
        (83.9, 34.0, 37, 'X'),
        (-79.9, -180.0, 1, 'C'),
        (0.0, 179.9, 60, 'N'),
        (-0.1, 180.0, 1, 'M'),
    ] {
        let place = of(latitude, longitude);
        assert_eq!((place.zone, place.band), (zone, band), "{latitude} {longitude}");
    }
    for latitude in [-80.1, 84.1, f64::NAN] {
        assert_eq!(Utm::of(latitude.to_radians(), 0.0), None);
    }
}
