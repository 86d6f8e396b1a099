//! The rays of a sweep: column after column in the order of their times, ring after ring from below.

use std::f64::consts::TAU;

use simhost_sdk::math;
use simhost_sdk::prelude::*;

/// Description of a sweep.
pub(super) struct Form<'f> {
    /// Number of rings, vertical field of view, rad, and the angle of each ring, deg, if they are listed.
    pub rings: (usize, f64, Option<&'f [f64]>),
    /// Number of columns, horizontal field of view, rad, and the azimuth of each column, deg, if they are
    /// listed.
    pub columns: (usize, f64, Option<&'f [f64]>),
    /// Azimuth of each ring relative to its column, deg.
    pub offsets: Option<&'f [f64]>,
    /// Turns per second, negative for clockwise ones; 0 for a flash.
    pub spin: f64,
}

/// The rays of a sweep.
#[derive(Clone, Debug, Default)]
pub(super) struct Pattern {
    /// Elevation of each ring, rad, ascending.
    elevations: Vec<f64>,
    /// Azimuth of each ring relative to its column, rad.
    offsets: Vec<f64>,
    /// Azimuth of each column, rad, and its time relative to the end of the sweep, s.
    columns: Vec<[f64; 2]>,
    /// Unit direction of each ray.
    directions: Vec<[f64; 3]>,
}

impl Pattern {
    /// Computes the rays.
    ///
    /// # Errors
    /// A message for the user if listed angles do not fit.
    pub fn new(form: &Form) -> Result<Self, String> {
        let elevations = elevations(form)?;
        let offsets = offsets(form, elevations.len())?;
        let columns = columns(form)?;
        let direction = |azimuth: f64, elevation: f64| {
            let (sin, cos) = math::sin_cos(azimuth);
            let (up, level) = math::sin_cos(elevation);
            [level * cos, level * sin, up]
        };
        let directions = columns.iter().flat_map(|[azimuth, _]| {
            let rings = elevations.iter().zip(&offsets);
            rings.map(move |(elevation, offset)| direction(azimuth + offset, *elevation))
        });
        let directions = directions.collect();
        Ok(Self { elevations, offsets, columns, directions })
    }

    /// Returns the number of rays.
    pub fn len(&self) -> usize {
        self.directions.len()
    }

    /// Returns the number of rings.
    pub fn rings(&self) -> usize {
        self.elevations.len()
    }

    /// Returns the unit direction of a ray.
    pub fn direction(&self, ray: usize) -> [f64; 3] {
        self.directions[ray]
    }

    /// Returns the time of a ray relative to the end of the sweep, s.
    pub fn time(&self, ray: usize) -> f64 {
        self.columns[ray / self.rings()][1]
    }

    /// Sets angles, elevations and times.
    pub fn aim(&self, aim: &mut Aim) {
        let rings = self.rings();
        let angles = aim.angles.chunks_mut(rings);
        let rays = angles.zip(aim.elevations.chunks_mut(rings)).zip(aim.times.chunks_mut(rings));
        for (((angles, elevations), times), [azimuth, time]) in rays.zip(&self.columns) {
            elevations.copy_from_slice(&self.elevations);
            times.fill(*time);
            for (angle, offset) in angles.iter_mut().zip(&self.offsets) {
                *angle = azimuth + offset;
            }
        }
    }
}

/// Returns the elevations of the rings in ascending order, rad.
fn elevations(form: &Form) -> Result<Vec<f64>, String> {
    let (count, fov, listed) = form.rings;
    let Some(listed) = listed else { return Ok(spaced(count, fov)) };
    let mut angles = listed.to_vec();
    angles.sort_unstable_by(f64::total_cmp);
    angles.dedup();
    if listed.len() != count || angles.len() != count {
        let given = angles.len();
        return Err(format!(
            "vertical_ray_angles has {given} different angles, expected vert_nrays = {count}"
        ));
    }
    Ok(angles.into_iter().map(|angle| angle * math::DEG).collect())
}

/// Returns the azimuths of the rings relative to their columns, rad.
fn offsets(form: &Form, rings: usize) -> Result<Vec<f64>, String> {
    match form.offsets {
        None => Ok(vec![0.0; rings]),
        Some(offsets) if offsets.len() == rings => {
            Ok(offsets.iter().map(|offset| offset * math::DEG).collect())
        }
        Some(offsets) => {
            let given = offsets.len();
            Err(format!("ring_azimuth_offsets has {given} angles, expected vert_nrays = {rings}"))
        }
    }
}

/// Returns azimuth and time of the columns in the order of their times.
fn columns(form: &Form) -> Result<Vec<[f64; 2]>, String> {
    let (count, fov, listed) = form.columns;
    let mut azimuths = match listed {
        None if fov >= TAU * (1.0 - 1e-12) => {
            // the last column is not the first one again
            (0..count).map(|k| (k as f64 / count as f64 - 0.5) * TAU).collect()
        }
        None => spaced(count, fov),
        Some(listed) if listed.len() == count => {
            if !listed.windows(2).all(|pair| pair[0] < pair[1]) {
                return Err("horizontal_ray_angles have to ascend".into());
            }
            listed.iter().map(|angle| angle * math::DEG).collect()
        }
        Some(listed) => {
            let given = listed.len();
            return Err(format!(
                "horizontal_ray_angles has {given} angles, expected horz_nrays = {count}"
            ));
        }
    };
    let spin = form.spin;
    if spin == 0.0 {
        return Ok(azimuths.into_iter().map(|azimuth| [azimuth, 0.0]).collect());
    }
    if spin < 0.0 {
        azimuths.reverse();
    }
    let last = azimuths[count - 1];
    let time = |azimuth: f64| 0.0 - (azimuth - last).abs() / (TAU * spin.abs());
    Ok(azimuths.iter().map(|azimuth| [*azimuth, time(*azimuth)]).collect())
}

/// Returns `count` angles from minus half of a field of view to half of it.
fn spaced(count: usize, fov: f64) -> Vec<f64> {
    (0..count).map(|k| fov * (k as f64 / (count - 1) as f64 - 0.5)).collect()
}
