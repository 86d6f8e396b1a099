//! Universal Transverse Mercator: conversion between latitude and longitude on the WGS 84 ellipsoid
//! and metres in a zone.
//!
//! Krüger's series (1912) in the third flattening n, to the sixth order: C. F. F. Karney,
//! "Transverse Mercator with an accuracy of a few nanometers", J. Geodesy 85 (2011), equations 7 to
//! 11, 35 and 36. The error within a zone is a few nanometres. Known limit: the polar caps have no
//! zone.

use libm::{asinh, atan, atan2, atanh, cos, cosh, hypot, sin, sinh, sqrt, tan};

/// Semi-major axis in m and flattening of WGS 84.
const A: f64 = 6_378_137.0;
const F: f64 = 1.0 / 298.257_223_563;
/// Scale on the central meridian, and the false origin in m.
const SCALE: f64 = 0.9996;
const FALSE_EASTING: f64 = 500_000.0;
const FALSE_NORTHING: f64 = 10_000_000.0;
/// Letters of the latitude bands of eight degrees, starting at 80° south.
const BANDS: &[u8] = b"CDEFGHJKLMNPQRSTUVWX";

/// A position in a zone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Utm {
    /// Zone, from 1 to 60.
    pub zone: u8,
    /// Latitude band, from `C` to `X`. Bands from `N` on are in the north.
    pub band: char,
    /// Distance east of the false origin in m.
    pub easting: f64,
    /// Distance north of the false origin in m.
    pub northing: f64,
}

impl Utm {
    /// Converts a latitude and a longitude in rad to the standard zone. Returns `None` beyond 80°
    /// south and 84° north.
    pub fn of(latitude: f64, longitude: f64) -> Option<Self> {
        let [north, east] = [latitude, longitude].map(f64::to_degrees);
        if !(-80.0..=84.0).contains(&north) || !east.is_finite() {
            return None;
        }
        let step = (((north + 80.0) / 8.0) as usize).min(BANDS.len() - 1);
        let band = char::from(BANDS[step]);
        let east = (east + 180.0).rem_euclid(360.0) - 180.0;
        let zone = standard_zone(north, east, band);
        let [x, y] = projected(latitude, longitude - central_meridian(zone));
        let origin = if north < 0.0 { FALSE_NORTHING } else { 0.0 };
        Some(Self { zone, band, easting: FALSE_EASTING + x, northing: origin + y })
    }

    /// Returns the latitude and longitude in rad.
    pub fn geographic(&self) -> [f64; 2] {
        let origin = if self.band < 'N' { FALSE_NORTHING } else { 0.0 };
        let [latitude, off] = unprojected(self.easting - FALSE_EASTING, self.northing - origin);
        [latitude, central_meridian(self.zone) + off]
    }

    /// Returns the convergence of the meridians in this zone, rad: the angle from north to the
    /// grid's north, positive to the east. Computed for a sphere, which differs by less than 10⁻⁶
    /// rad within a zone.
    pub fn convergence(&self, latitude: f64, longitude: f64) -> f64 {
        atan(tan(longitude - central_meridian(self.zone)) * sin(latitude))
    }
}

/// Returns the standard zone, which is six degrees wide except around Norway and Svalbard.
fn standard_zone(north: f64, east: f64, band: char) -> u8 {
    let zone = (((east + 180.0) / 6.0) as u8).min(59) + 1;
    match (band, zone) {
        ('V', 31) if east >= 3.0 => 32,
        ('X', 32) if north >= 72.0 => {
            if east < 9.0 {
                31
            } else {
                33
            }
        }
        ('X', 34) => {
            if east < 21.0 {
                33
            } else {
                35
            }
        }
        ('X', 36) => {
            if east < 33.0 {
                35
            } else {
                37
            }
        }
        _ => zone,
    }
}

fn central_meridian(zone: u8) -> f64 {
    (6.0 * f64::from(zone) - 183.0).to_radians()
}

/// Returns the third flattening and the rectifying radius in m.
fn figure() -> (f64, f64) {
    let n = F / (2.0 - F);
    let n2 = n * n;
    (n, A / (1.0 + n) * (1.0 + n2 / 4.0 + n2 * n2 / 64.0 + n2 * n2 * n2 / 256.0))
}

/// Projects a latitude and a longitude relative to the central meridian. Returns metres east of the
/// meridian and north of the equator.
fn projected(latitude: f64, off: f64) -> [f64; 2] {
    let (n, radius) = figure();
    // conformal latitude
    let e = sqrt(F * (2.0 - F));
    let tau = tan(latitude);
    let sigma = sinh(e * atanh(e * tau / sqrt(1.0 + tau * tau)));
    let conformal = tau * sqrt(1.0 + sigma * sigma) - sigma * sqrt(1.0 + tau * tau);
    // transverse Mercator of the sphere
    let xi = atan2(conformal, cos(off));
    let eta = asinh(sin(off) / hypot(conformal, cos(off)));
    // to the ellipsoid
    let (mut north, mut east) = (xi, eta);
    for (j, alpha) in (1..).zip(forward(n)) {
        let k = 2.0 * f64::from(j);
        north += alpha * sin(k * xi) * cosh(k * eta);
        east += alpha * cos(k * xi) * sinh(k * eta);
    }
    [SCALE * radius * east, SCALE * radius * north]
}

/// Inverts [`projected`]. Returns the latitude and the longitude relative to the central meridian
/// in rad.
fn unprojected(x: f64, y: f64) -> [f64; 2] {
    let (n, radius) = figure();
    let (xi, eta) = (y / (SCALE * radius), x / (SCALE * radius));
    let (mut north, mut east) = (xi, eta);
    for (j, beta) in (1..).zip(backward(n)) {
        let k = 2.0 * f64::from(j);
        north -= beta * sin(k * xi) * cosh(k * eta);
        east -= beta * cos(k * xi) * sinh(k * eta);
    }
    let conformal = sin(north) / hypot(sinh(east), cos(north));
    [atan(geodetic(conformal)), atan2(sinh(east), cos(north))]
}

/// Returns the tangent of the latitude for a tangent of the conformal latitude, by Newton's method
/// (equations 19 to 21).
fn geodetic(conformal: f64) -> f64 {
    let e2 = F * (2.0 - F);
    let e = sqrt(e2);
    let mut tau = conformal;
    for _ in 0..5 {
        let root = sqrt(1.0 + tau * tau);
        let sigma = sinh(e * atanh(e * tau / root));
        let found = tau * sqrt(1.0 + sigma * sigma) - sigma * root;
        let slope = (1.0 + (1.0 - e2) * tau * tau) / ((1.0 - e2) * root);
        tau += (conformal - found) / sqrt(1.0 + found * found) * slope;
    }
    tau
}

/// Evaluates a polynomial in n whose first term is n^`power`.
fn series(n: f64, power: i32, terms: &[f64]) -> f64 {
    terms.iter().rev().fold(0.0, |sum, term| sum * n + term) * (0..power).fold(1.0, |p, _| p * n)
}

/// Returns the coefficients of equation 35.
fn forward(n: f64) -> [f64; 6] {
    [
        series(n, 1, &[1. / 2., -2. / 3., 5. / 16., 41. / 180., -127. / 288., 7891. / 37800.]),
        series(n, 2, &[13. / 48., -3. / 5., 557. / 1440., 281. / 630., -1983433. / 1935360.]),
        series(n, 3, &[61. / 240., -103. / 140., 15061. / 26880., 167603. / 181440.]),
        series(n, 4, &[49561. / 161280., -179. / 168., 6601661. / 7257600.]),
        series(n, 5, &[34729. / 80640., -3418889. / 1995840.]),
        series(n, 6, &[212378941. / 319334400.]),
    ]
}

/// Returns the coefficients of equation 36.
fn backward(n: f64) -> [f64; 6] {
    [
        series(n, 1, &[1. / 2., -2. / 3., 37. / 96., -1. / 360., -81. / 512., 96199. / 604800.]),
        series(n, 2, &[1. / 48., 1. / 15., -437. / 1440., 46. / 105., -1118711. / 3870720.]),
        series(n, 3, &[17. / 480., -37. / 840., -209. / 4480., 5569. / 90720.]),
        series(n, 4, &[4397. / 161280., -11. / 504., -830251. / 7257600.]),
        series(n, 5, &[4583. / 161280., -108847. / 3991680.]),
        series(n, 6, &[20648693. / 638668800.]),
    ]
}

#[cfg(test)]
mod tests {
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
}
