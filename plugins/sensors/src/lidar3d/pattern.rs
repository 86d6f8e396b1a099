//! The rays of a sweep: column after column in the order of their times, and within a column ring after ring
//! from below, once for each ray of a beam.
//!
//! A rosette has one ring. Its columns lie on the curve of two prisms that turn in opposite directions and deflect
//! a beam equally (Marshall, "Risley prism scan patterns", Proc. SPIE 3787, 1999, small angles).

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
    /// Full angle of a beam, rad; 0 for a line.
    pub divergence: f64,
    /// A rosette instead of rings and columns with listed or even angles.
    pub rosette: Option<Rosette>,
}

/// A rosette that two prisms draw.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rosette {
    /// Full angle of the field of view, rad.
    pub fov: f64,
    /// Turns of the prisms per second.
    pub rates: [f64; 2],
    /// Duration of the pattern, s.
    pub duration: f64,
}

/// Directions of the rays of a beam from its axis, azimuth and elevation, in halves of the
/// divergence: five parts of equal solid angle; the outer four are centred at three quarters of the
/// radius.
const PARTS: [[f64; 2]; 5] = [[0.0, 0.0], [0.75, 0.0], [0.0, 0.75], [-0.75, 0.0], [0.0, -0.75]];

/// The rays of a sweep.
#[derive(Clone, Debug, Default)]
pub(super) struct Pattern {
    /// Elevation of each ring, rad, ascending.
    elevations: Vec<f64>,
    /// Azimuth of each ring relative to its column, rad.
    offsets: Vec<f64>,
    /// Azimuth of each column, rad, its time relative to the end of the sweep, s, and what it adds to
    /// the elevation, rad.
    columns: Vec<[f64; 3]>,
    /// Directions of the rays of a beam from its axis, rad.
    parts: Vec<[f64; 2]>,
    /// Unit direction of the axis of each beam.
    directions: Vec<[f64; 3]>,
}

impl Pattern {
    /// Computes the rays.
    ///
    /// # Errors
    /// A message for the user if listed angles do not fit.
    pub fn new(form: &Form) -> Result<Self, String> {
        let elevations = if form.rosette.is_some() { vec![0.0] } else { elevations(form)? };
        let offsets = offsets(form, elevations.len())?;
        let columns = match &form.rosette {
            Some(rosette) => rosette.columns(form.columns.0, form.spin),
            None => {
                columns(form)?.into_iter().map(|[azimuth, time]| [azimuth, time, 0.0]).collect()
            }
        };
        let half = 0.5 * form.divergence;
        let count = if half > 0.0 { PARTS.len() } else { 1 };
        let parts = PARTS[..count].iter().map(|part| part.map(|share| share * half)).collect();
        let direction = |azimuth: f64, elevation: f64| {
            let (sin, cos) = math::sin_cos(azimuth);
            let (up, level) = math::sin_cos(elevation);
            [level * cos, level * sin, up]
        };
        let directions = columns.iter().flat_map(|[azimuth, _, lift]| {
            let rings = elevations.iter().zip(&offsets);
            rings.map(move |(elevation, offset)| direction(azimuth + offset, elevation + lift))
        });
        let directions = directions.collect();
        Ok(Self { elevations, offsets, columns, parts, directions })
    }

    /// Returns the number of rays.
    pub fn len(&self) -> usize {
        self.directions.len() * self.parts.len()
    }

    /// Returns the number of rays of a beam.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Returns the number of beams.
    pub fn beams(&self) -> usize {
        self.directions.len()
    }

    /// Returns the number of a ray of a beam.
    pub fn ray(&self, beam: usize, part: usize) -> usize {
        let (column, ring) = (beam / self.rings(), beam % self.rings());
        (column * self.parts() + part) * self.rings() + ring
    }

    /// Returns the number of rings.
    pub fn rings(&self) -> usize {
        self.elevations.len()
    }

    /// Returns the unit direction of the axis of the beam to which a ray belongs.
    pub fn direction(&self, ray: usize) -> [f64; 3] {
        let rings = self.rings();
        let column = ray / (rings * self.parts());
        self.directions[column * rings + ray % rings]
    }

    /// Returns the time of a ray relative to the end of the sweep, s.
    pub fn time(&self, ray: usize) -> f64 {
        self.columns[ray / (self.rings() * self.parts())][1]
    }

    /// Sets angles, elevations and times.
    pub fn aim(&self, aim: &mut Aim) {
        let rings = self.rings();
        let angles = aim.angles.chunks_mut(rings);
        let rays = angles.zip(aim.elevations.chunks_mut(rings)).zip(aim.times.chunks_mut(rings));
        let parts = self
            .columns
            .iter()
            .flat_map(|column| self.parts.iter().map(move |part| (column, part)));
        for (((angles, elevations), times), ([azimuth, time, lift], [aside, above])) in
            rays.zip(parts)
        {
            elevations.copy_from_slice(&self.elevations);
            times.fill(*time);
            for (angle, offset) in angles.iter_mut().zip(&self.offsets) {
                *angle = azimuth + offset;
            }
            if self.parts.len() > 1 || self.elevations.len() == 1 {
                for (angle, elevation) in angles.iter_mut().zip(elevations) {
                    *elevation += lift;
                    // meridians converge; the limit is for beams straight up
                    *angle += aside / math::cos(*elevation).max(0.01);
                    *elevation += above;
                }
            }
        }
    }
}

impl Rosette {
    /// Returns azimuth, time and elevation of each of `count` points. Without `spin` all are drawn at once.
    fn columns(&self, count: usize, spin: f64) -> Vec<[f64; 3]> {
        let point = |k: usize| {
            let time = self.duration * ((k + 1) as f64 / count as f64 - 1.0);
            let turns = self.rates.map(|rate| math::sin_cos(TAU * rate * time));
            let [azimuth, elevation] =
                [turns[0].1 + turns[1].1, turns[0].0 + turns[1].0].map(|sum| 0.25 * self.fov * sum);
            [azimuth, if spin == 0.0 { 0.0 } else { time }, elevation]
        };
        (0..count).map(point).collect()
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
