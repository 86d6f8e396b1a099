//! Positions on Earth, as a service of the host.

use std::ffi::c_void;

/// Id of [`EarthService`], asked of [`Services::find`](crate::Services::find).
pub const EARTH_SERVICE: &str = "simhost.earth/1";

/// A point of the world on Earth (WGS 84), for [`EarthService::locate`].
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EarthPoint {
    /// Latitude, rad, positive northwards; NaN in a world without a position on Earth.
    pub latitude: f64,
    /// Longitude, rad, positive eastwards; NaN in a world without a position on Earth.
    pub longitude: f64,
    /// Height above the ellipsoid, m.
    pub height: f64,
    /// Distance east of the false origin of the UTM zone, m; NaN near the poles, which have no zone.
    pub easting: f64,
    /// Distance north of the false origin of the UTM zone, m; NaN near the poles.
    pub northing: f64,
    /// Number of the UTM zone, from 1 to 60; 0 for none.
    pub zone: u32,
    /// Code of the letter of the latitude band, from 67 (`C`) to 88 (`X`); 0 for none.
    pub band: u32,
    /// 1 where satellites are received, 0 in a property region `gps_no_coverage`.
    pub is_covered: u32,
    /// Zero.
    pub reserved: u32,
}

impl EarthPoint {
    /// A point in a world without a position on Earth.
    pub const UNKNOWN: Self = Self {
        latitude: f64::NAN,
        longitude: f64::NAN,
        height: f64::NAN,
        easting: f64::NAN,
        northing: f64::NAN,
        zone: 0,
        band: 0,
        is_covered: 0,
        reserved: 0,
    };
}

/// Positions on Earth, as a service of the host.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct EarthService {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// Locates each of `count` points, each x, y and z, world frame, m.
    pub locate: unsafe extern "C" fn(
        context: *const c_void,
        count: usize,
        points: *const [f64; 3],
        found: *mut EarthPoint,
    ),
}
