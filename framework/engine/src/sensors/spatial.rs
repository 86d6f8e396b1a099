//! Rays of a sensor in space.

mod motion;
mod request;
mod results;
mod viewer;

use std::ops::Range;

use simhost_abi::{ImageKind, NO_ENTITY};
use simhost_model::SensorImage;
use simhost_scene::{Pose3, Rotation};
use simhost_sdk::math::sin_cos;
use simhost_sensing::{Beam, Bundle, Return, Shade};

use super::scene::FanColumns;
use crate::columns::{Column, Columns};
use crate::daylight::turned;
use crate::model::{Lengths, PortMap};
use crate::surroundings::Surroundings;
use crate::table::Table;
use crate::workers::Crew;
use motion::{Seen, is_rate};
use results::{Met, Wanted};
use viewer::Viewer;

pub(super) use viewer::RaySensor;

pub(super) use request::Request;
pub(super) use results::{result_columns, result_ports};
pub(super) use viewer::is_fixed;

/// Smallest number of rays of one sensor that a thread is given.
const RAYS_PER_TASK: usize = 1024;

/// Rays of a group of sensors in space.
#[derive(Clone)]
pub(super) struct Spatial {
    /// Pitch and roll of the sensor; `None` for 0.
    attitude: [Option<Column>; 2],
    /// Distance at which rays begin, m; `None` for 0.
    min_range: Option<Column>,
    elevation: Option<Column>,
    time: Option<Column>,
    /// Origin of each ray, m, sensor frame; `None` for 0.
    offset: Option<[Column; 3]>,
    /// Results of rays that the model reads.
    results: Vec<Wanted>,
    /// Angles and elevations to which the directions belong, rad.
    known: Vec<[f64; 2]>,
    /// Directions in the frames of the sensors.
    directions: Vec<[f64; 3]>,
    returns: Vec<Return>,
    /// Light along each ray; empty if the model does not read it.
    lights: Vec<[f64; 3]>,
    /// Whether the light along each ray of a sensor is computed; empty if the model does not read it.
    is_lit: Vec<bool>,
    /// The objects that can throw shadows on what rays meet.
    shade: Shade,
    /// Poses of the groups of rays of one sensor.
    poses: Vec<Pose3>,
    /// Sensors whose returns an engine has found for the present sample.
    is_resolved: Vec<bool>,
}

/// Rays of one sensor that have the same offset.
struct RaySection {
    rays: Range<usize>,
    /// Whether an engine has found what they meet.
    is_resolved: bool,
}

impl Spatial {
    /// Selects the outputs of `aim`, for the results in these columns and these images.
    pub fn new(
        aimed: &PortMap,
        results: Vec<Wanted>,
        lengths: Lengths,
        images: &[SensorImage],
    ) -> Self {
        let count = lengths.lanes * lengths.rays;
        let sees_light = results.iter().any(|(place, _)| results::is_light(*place));
        let offset = ["offset_x", "offset_y", "offset_z"].map(|name| aimed.get(name));
        let shows_flow = images.iter().any(|image| image.kind == ImageKind::Flow);
        let has_rates = images.is_empty() || shows_flow;
        let results = results.into_iter().filter(|(place, _)| has_rates || !is_rate(*place));
        let results = results.collect();
        Self {
            attitude: ["origin_pitch", "origin_roll"].map(|name| aimed.get(name)),
            min_range: aimed.get("min_range"),
            elevation: aimed.get("elevation"),
            time: aimed.get("time"),
            offset: match offset {
                [Some(x), Some(y), Some(z)] => Some([x, y, z]),
                _ => None,
            },
            results,
            known: vec![[f64::NAN; 2]; count],
            directions: vec![[1.0, 0.0, 0.0]; count],
            returns: vec![Return::NOTHING; count],
            lights: if sees_light { vec![[0.0; 3]; count] } else { Vec::new() },
            is_lit: if sees_light { lit_rays(lengths.rays, images) } else { Vec::new() },
            shade: Shade::default(),
            poses: Vec::new(),
            is_resolved: Vec::new(),
        }
    }

    /// Returns pitch and roll of a sensor, rad.
    pub fn attitude(&self, columns: &Columns, lane: usize) -> [f64; 2] {
        self.attitude.map(|column| column.map_or(0.0, |column| columns.get(column)[lane]))
    }

    /// Casts the rays of one sensor, and writes their results.
    pub fn cast(
        &mut self,
        sensor: RaySensor<'_>,
        columns: &mut Columns,
        tables: &[Table],
        surroundings: &Surroundings,
        crew: Crew<'_>,
    ) {
        let RaySensor { fan, lane, .. } = sensor;
        if columns.get(fan.max_range)[lane] == 0.0 {
            // a sensor whose readings are a list casts no rays
            return columns.get_mut(fan.range)[sensor.all()].fill(f64::INFINITY);
        }
        let is_resolved = self.take_resolved(lane);
        let Range { start: mut first, end } = sensor.all();
        while first < end {
            let (offset, part) = self.section(columns, first..end);
            let viewer = self.viewer(sensor, columns, tables).at(offset);
            first = part.end;
            let section = RaySection { rays: part, is_resolved };
            self.cast_section(fan, columns, section, &viewer, surroundings, crew);
        }
    }

    /// Returns the offset of the first of these rays, and the rays that have it.
    fn section(&self, columns: &Columns, rays: Range<usize>) -> ([f64; 3], Range<usize>) {
        let Some(offset) = self.offset else { return ([0.0; 3], rays) };
        let mut count = rays.len();
        for column in offset {
            count = run(&columns.get(column)[rays.start..rays.start + count]);
        }
        let first = offset.map(|column| columns.get(column)[rays.start]);
        (first, rays.start..rays.start + count)
    }

    /// Casts the rays of a section, unless an engine has found what they meet.
    fn cast_section(
        &mut self,
        fan: &FanColumns,
        columns: &mut Columns,
        section: RaySection,
        viewer: &Viewer,
        surroundings: &Surroundings,
        crew: Crew<'_>,
    ) {
        let RaySection { rays: all, is_resolved } = section;
        let rays = all.len();
        let of_rays = |column: Column| &columns.get(column)[all.clone()];
        let group = match (self.time, &viewer.vehicle) {
            (Some(time), Some(_)) => self.find_poses(viewer, of_rays(time)),
            _ => {
                self.poses.clear();
                rays
            }
        };
        let part = match crew.count() {
            1 => rays,
            _ => rays.div_ceil((rays / RAYS_PER_TASK).clamp(1, 2 * crew.count())),
        };
        // a part has whole groups
        let part = if self.poses.is_empty() { part } else { part.next_multiple_of(group) }.max(1);
        let angles = of_rays(fan.angle).chunks(part);
        let elevations = self.elevation.map_or(&[][..], of_rays).chunks(part);
        let flat = std::iter::repeat(&[][..]);
        let pose = viewer.pose(0.0);
        let poses = self.poses.as_slice();
        let poses = (0..).map(|number| poses_of(poses, number, part / group.max(1)));
        let known = self.known[all.clone()].chunks_mut(part);
        let directions = self.directions[all.clone()].chunks_mut(part);
        let returns = self.returns[all.clone()].chunks_mut(part);
        let of_sensor = |ray: usize| ray % self.is_lit.len().max(1);
        let (lit, lights) = match self.is_lit.is_empty() {
            true => (&[][..], &mut [][..]),
            false => {
                let first = of_sensor(all.start);
                (&self.is_lit[first..first + rays], &mut self.lights[all.clone()])
            }
        };
        if !lit.is_empty() {
            surroundings.daylight.look(surroundings.space(), rays, &mut self.shade);
        }
        let shade = &self.shade;
        let lights = lit.chunks(part).zip(lights.chunks_mut(part)).map(Some);
        let lights = lights.chain(std::iter::repeat_with(|| None));
        let parts = angles.zip(elevations.chain(flat)).zip(poses);
        let parts = parts.zip(known.zip(directions).zip(returns)).zip(lights);
        let accepts = |number: u32| viewer.accepts(number, surroundings);
        let max_range = viewer.max_range;
        crew.for_each(parts, |(rays, lights)| {
            let (((angles, elevations), poses), ((known, directions), returns)) = rays;
            update_directions(angles, elevations, known, directions);
            let directions = &*directions;
            let bundle = Bundle { pose, poses, rays_per_pose: group, directions, max_range };
            if !is_resolved {
                surroundings.space().scan(&bundle, &accepts, returns);
            }
            if viewer.min_range > 0.0 {
                look_past(&bundle, viewer, surroundings, returns);
            }
            if let Some((lit, lights)) = lights {
                find_light(&bundle, surroundings, shade, returns, lit, lights);
            }
        });
        self.write(fan, columns, all, viewer, group, surroundings);
    }

    /// Writes the ranges and the results of rays.
    fn write(
        &self,
        fan: &FanColumns,
        columns: &mut Columns,
        all: Range<usize>,
        viewer: &Viewer,
        rays_per_pose: usize,
        surroundings: &Surroundings,
    ) {
        let pose = viewer.pose(0.0);
        let returns = &self.returns[all.clone()];
        let ranges = &mut columns.get_mut(fan.range)[all.clone()];
        for (range, found) in ranges.iter_mut().zip(returns) {
            *range = found.range;
        }
        let seen =
            Seen { motion: viewer.motion(), own: viewer.own, entities: &surroundings.entities };
        // all results of some rays after the other, while what they have met is in the cache
        let piece = if self.poses.is_empty() { RAYS_PER_TASK } else { all.len() }.max(1);
        for first in all.clone().step_by(piece) {
            let rays = first..all.end.min(first + piece);
            let directions = &self.directions[rays.clone()];
            let returns = &self.returns[rays.clone()];
            let lights = self.lights.get(rays.clone()).unwrap_or_default();
            let met = Met { pose, poses: &self.poses, rays_per_pose, directions, returns, lights };
            for (place, column) in &self.results {
                let values = &mut columns.get_mut(*column)[rays.clone()];
                match is_rate(*place) {
                    true => seen.write(&met, *place, values),
                    false => met.write(*place, values, surroundings),
                }
            }
        }
    }

    fn viewer(&self, sensor: RaySensor<'_>, columns: &Columns, tables: &[Table]) -> Viewer {
        let RaySensor { fan, lane, vehicle, host, .. } = sensor;
        let value = |column: Column| columns.get(column)[lane];
        let [x, y, yaw, z] = fan.origin.map(value);
        let [pitch, roll] = self.attitude(columns, lane);
        Viewer {
            mounted: Pose3 { x, y, z, yaw, pitch, roll },
            vehicle: host.map(|(table, lane)| {
                let vehicles = &tables[table].vehicles;
                let measured = &vehicles.host.measured;
                let twist = vehicles.values([measured.vx, measured.vy, measured.omega], lane);
                (vehicles.pose3(lane), twist)
            }),
            max_range: value(fan.max_range),
            min_range: self.min_range.map_or(0.0, value),
            own: if host.is_some() { vehicle } else { NO_ENTITY },
            see_own: fan.see_own.is_some_and(|column| value(column) != 0.0),
            see_bodies: value(fan.see_bodies) != 0.0,
        }
    }

    /// Finds the poses of the groups of rays with equal times, and returns the number of rays of a group.
    /// There are no poses if all rays are cast at the time of the sample.
    fn find_poses(&mut self, viewer: &Viewer, times: &[f64]) -> usize {
        self.poses.clear();
        let Some(first) = times.first() else { return 1 };
        if times.iter().all(|time| *time == 0.0) {
            return times.len();
        }
        let run = times.iter().take_while(|time| *time == first).count();
        let is_alike = |group: &[f64]| group.iter().all(|time| *time == group[0]);
        let group = if times.chunks(run).all(is_alike) { run } else { 1 };
        self.poses.extend(times.chunks(group).map(|group| viewer.pose(group[0])));
        group
    }
}

/// Returns the poses of a part that has `count` of them; none if there are none at all.
fn poses_of(poses: &[Pose3], number: usize, count: usize) -> &[Pose3] {
    let first = (number * count).min(poses.len());
    &poses[first..(first + count).min(poses.len())]
}

/// Returns how many numbers at the start equal the first one, at least 1: a number that is not one equals none.
fn run(numbers: &[f64]) -> usize {
    const PIECE: usize = 64;
    let mut count = 0;
    for piece in numbers.chunks(PIECE) {
        let mut differ = false;
        for number in piece {
            differ |= *number != numbers[0];
        }
        if differ {
            break;
        }
        count += piece.len();
    }
    let rest = numbers[count..].iter().take_while(|number| **number == numbers[0]);
    (count + rest.count()).max(1)
}

/// Computes the directions of rays whose angles have changed.
fn update_directions(
    angles: &[f64],
    elevations: &[f64],
    known: &mut [[f64; 2]],
    directions: &mut [[f64; 3]],
) {
    for (ray, (known, direction)) in known.iter_mut().zip(directions).enumerate() {
        let [angle, elevation] = [angles[ray], elevations.get(ray).copied().unwrap_or(0.0)];
        if angle != known[0] || elevation != known[1] {
            let ((sin, cos), (up, level)) = (sin_cos(angle), sin_cos(elevation));
            (*known, *direction) = ([angle, elevation], [level * cos, level * sin, up]);
        }
    }
}

/// Returns for each ray of a sensor whether its light is computed: not for the pixels of images without
/// colour.
fn lit_rays(rays: usize, images: &[SensorImage]) -> Vec<bool> {
    let mut is_lit = vec![true; rays];
    let (colored, others): (Vec<_>, Vec<_>) =
        images.iter().partition(|image| image.kind == ImageKind::Rgb);
    others.iter().for_each(|image| is_lit[image.rays()].fill(false));
    colored.iter().for_each(|image| is_lit[image.rays()].fill(true));
    is_lit
}

/// Calls `take` with the rays of each pose, its position, m, and its rotation.
fn each_pose(bundle: &Bundle<'_>, mut take: impl FnMut(Range<usize>, [f64; 3], &Rotation)) {
    let rays = bundle.directions.len();
    let group = if bundle.poses.is_empty() { rays } else { bundle.rays_per_pose }.max(1);
    for first in (0..rays).step_by(group) {
        let pose = bundle.pose_of(first);
        take(first..rays.min(first + group), pose.position(), &pose.rotation());
    }
}

/// Casts the rays again that meet something before they begin.
fn look_past(
    bundle: &Bundle<'_>,
    viewer: &Viewer,
    surroundings: &Surroundings,
    returns: &mut [Return],
) {
    let near = viewer.min_range;
    let accepts = |number: u32| viewer.accepts(number, surroundings);
    each_pose(bundle, |rays, origin, rotation| {
        for ray in rays {
            let found = &mut returns[ray];
            if found.range >= near {
                continue;
            }
            let direction = turned(rotation, bundle.directions[ray]);
            let start = [0, 1, 2].map(|axis| origin[axis] + near * direction[axis]);
            let beam = Beam::new(start, direction, bundle.max_range - near);
            let strike = beam.and_then(|beam| surroundings.space().cast(&beam, &accepts));
            let past = strike.map_or(Return::NOTHING, Return::from);
            *found = Return { range: past.range + near, ..past };
        }
    });
}

/// Computes the light along rays.
fn find_light(
    bundle: &Bundle<'_>,
    surroundings: &Surroundings,
    shade: &Shade,
    returns: &[Return],
    lit: &[bool],
    lights: &mut [[f64; 3]],
) {
    let (daylight, space) = (&surroundings.daylight, surroundings.space());
    each_pose(bundle, |rays, origin, rotation| {
        for ray in rays.filter(|ray| lit[*ray]) {
            let direction = turned(rotation, bundle.directions[ray]);
            lights[ray] = daylight.seen(space, shade, origin, direction, &returns[ray]);
        }
    });
}
