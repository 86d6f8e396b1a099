//! Positions of points of the world on Earth.
//!
//! A world with a `<georeference>` is a plane that touches the ellipsoid WGS 84 at its origin: its axes,
//! turned to east-north-up, are those of a topocentric frame (EPSG method 9837, IOGP Publication 373-7-2,
//! §4.1.2). The latitude follows from geocentric coordinates by Bowring's iteration (Survey Review 23,
//! 1976), which converges to less than a nanometre near the ground. A world in UTM coordinates is that of
//! the zone of its origin.

use simhost_abi::EarthPoint;
use simhost_scene::Utm;
use simhost_sdk::math;
use simhost_world::Georeference;

use super::Ground;

/// Semi-major axis, m, and flattening of WGS 84.
const A: f64 = 6_378_137.0;
const F: f64 = 1.0 / 298.257_223_563;
/// Square of the eccentricity.
const E2: f64 = F * (2.0 - F);
/// Number of iterations of the latitude.
const ITERATIONS: usize = 4;

/// The position of a world on Earth, if it has one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Earth(Option<Georeference>);

impl Earth {
    pub fn new(place: Option<Georeference>) -> Self {
        Self(place.filter(|place| place.is_known))
    }

    /// Returns latitude and longitude, rad, and height, m, of a point of the world, m.
    fn geodetic(&self, [x, y, z]: [f64; 3]) -> Option<[f64; 3]> {
        let place = self.0.as_ref()?;
        let origin = [place.latitude, place.longitude, place.height];
        if place.world_is_utm {
            let utm = Utm { easting: x, northing: y, ..place.utm? };
            let [latitude, longitude] = utm.geographic();
            return Some([latitude, longitude, place.height + z]);
        }
        let (sin, cos) = math::sin_cos(place.world_to_enu_rotation);
        Some(from_topocentric(origin, [cos * x - sin * y, sin * x + cos * y, z]))
    }

    fn locate(&self, point: [f64; 3]) -> EarthPoint {
        let Some([latitude, longitude, height]) = self.geodetic(point) else {
            return EarthPoint::UNKNOWN;
        };
        let known = EarthPoint { latitude, longitude, height, ..EarthPoint::UNKNOWN };
        match Utm::of(latitude, longitude) {
            Some(Utm { zone, band, easting, northing }) => EarthPoint {
                easting,
                northing,
                zone: u32::from(zone),
                band: u32::from(band),
                ..known
            },
            None => known,
        }
    }
}

impl Ground {
    /// Returns the position of a point of the world on Earth.
    pub fn locate(&self, point: [f64; 3]) -> EarthPoint {
        let is_covered = !self.has_flag("gps_no_coverage", point);
        EarthPoint { is_covered: u32::from(is_covered), ..self.earth.locate(point) }
    }
}

/// Returns geocentric coordinates, m, of a latitude and a longitude, rad, and a height, m.
fn to_geocentric([latitude, longitude, height]: [f64; 3]) -> [f64; 3] {
    let ((sin, cos), (east, prime)) = (math::sin_cos(latitude), math::sin_cos(longitude));
    let radius = A / (1.0 - E2 * sin * sin).sqrt();
    let across = (radius + height) * cos;
    [across * prime, across * east, (radius * (1.0 - E2) + height) * sin]
}

/// Returns latitude and longitude, rad, and height, m, of geocentric coordinates, m.
fn from_geocentric([x, y, z]: [f64; 3]) -> [f64; 3] {
    let across = (x * x + y * y).sqrt();
    let b = A * (1.0 - F);
    let mut reduced = math::atan2(z, (1.0 - F) * across);
    let mut latitude = reduced;
    for _ in 0..ITERATIONS {
        let (sin, cos) = math::sin_cos(reduced);
        let above = z + E2 / (1.0 - E2) * b * sin * sin * sin;
        latitude = math::atan2(above, across - E2 * A * cos * cos * cos);
        let (sin, cos) = math::sin_cos(latitude);
        reduced = math::atan2((1.0 - F) * sin, cos);
    }
    let (sin, cos) = math::sin_cos(latitude);
    let height = across * cos + z * sin - A * (1.0 - E2 * sin * sin).sqrt();
    [latitude, math::atan2(y, x), height]
}

/// Converts a point of the topocentric frame at an origin, east, north and up, m.
fn from_topocentric(origin: [f64; 3], [east, north, up]: [f64; 3]) -> [f64; 3] {
    let [latitude, longitude, _] = origin;
    let ((sin, cos), (sin_east, cos_east)) = (math::sin_cos(latitude), math::sin_cos(longitude));
    let [x, y, z] = to_geocentric(origin);
    let across = cos * up - sin * north;
    from_geocentric([
        x + cos_east * across - sin_east * east,
        y + sin_east * across + cos_east * east,
        z + sin * up + cos * north,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn geocentric_coordinates_and_back() {
        for [latitude, longitude, height] in
            [[0.9, 0.2, 100.0], [-1.2, -3.0, -50.0], [0.0, 1.0, 9000.0], [1.5, 0.3, 0.0]]
        {
            let found = from_geocentric(to_geocentric([latitude, longitude, height]));
            assert!((found[0] - latitude).abs() < 1e-15 && (found[1] - longitude).abs() < 1e-15);
            assert!((found[2] - height).abs() < 1e-8, "{found:?}");
        }
    }

    #[test]
    fn distances_of_a_small_world_are_those_on_earth() {
        let origin = [48f64.to_radians(), 11f64.to_radians(), 500.0];
        let [latitude, longitude, height] = from_topocentric(origin, [3.0, -4.0, 2.0]);
        let [at, from] = [to_geocentric([latitude, longitude, height]), to_geocentric(origin)];
        let distance: f64 = (0..3).map(|axis| (at[axis] - from[axis]).powi(2)).sum();
        assert!((distance.sqrt() - 29f64.sqrt()).abs() < 1e-8);
        assert!(latitude < origin[0] && longitude > origin[1]);
    }
}
