//! Rays of a sensor in space.

use simhost_abi::Scope;
use simhost_abi::host_port::SPACE_RAY_RESULTS;
use simhost_abi::{NO_ENTITY, Phase, entity_kind};
use simhost_model::View;
use simhost_scene::{Pose3, Rotation};
use simhost_sdk::math::sin_cos;
use simhost_sensing::{Bundle, Return};

use super::fan::FanColumns;
use crate::columns::{Column, Columns, Layout};
use crate::model::{Lengths, PortMap};
use crate::surroundings::Surroundings;
use crate::table::Table;
use crate::workers::Crew;

/// Smallest number of rays of one sensor that a thread is given.
const RAYS_PER_TASK: usize = 1024;

/// Rays of a group of sensors in space.
pub(super) struct Spatial {
    /// Pitch and roll of the sensor; `None` for 0.
    attitude: [Option<Column>; 2],
    elevation: Option<Column>,
    time: Option<Column>,
    /// Results of rays that the model reads, by their place in [`SPACE_RAY_RESULTS`].
    results: Vec<(usize, Column)>,
    /// Angles and elevations to which the directions belong, rad.
    known: Vec<[f64; 2]>,
    /// Directions in the frames of the sensors.
    directions: Vec<[f64; 3]>,
    returns: Vec<Return>,
    /// Poses of the groups of rays of one sensor.
    poses: Vec<Pose3>,
}

/// A sensor during a cast.
struct Viewer {
    /// Pose of the sensor on the vehicle, or in the world.
    mounted: Pose3,
    /// Pose and twist (m/s, m/s, rad/s) of its vehicle.
    vehicle: Option<(Pose3, [f64; 3])>,
    max_range: f64,
    /// Number of the own vehicle.
    own: u32,
    see_own: bool,
    see_bodies: bool,
}

/// Returns the columns of the results of rays that a phase reads, beside the range.
pub(super) fn result_columns(
    read: &'static View<Phase>,
    lengths: Lengths,
    layout: &mut Layout,
) -> Vec<(usize, Column)> {
    let names = SPACE_RAY_RESULTS.iter().enumerate();
    let is_read =
        |name: &str| read.inputs().iter().any(|port| port.name() == name && is_per_ray(port.scope));
    names
        .filter(|(_, port)| is_read(port.name))
        .map(|(place, port)| (place, layout.fill(lengths.lanes * lengths.rays, port.default)))
        .collect()
}

fn is_per_ray(scope: u32) -> bool {
    Scope::from_u32(scope) == Scope::Ray
}

/// Returns the columns of results by their names.
pub(super) fn result_ports(results: &[(usize, Column)]) -> PortMap {
    let mut ports = PortMap::default();
    for (place, column) in results {
        ports.extend(PortMap::one(SPACE_RAY_RESULTS[*place].name, *column));
    }
    ports
}

impl Spatial {
    /// Selects the outputs of `aim`, for the results in these columns.
    pub fn new(aimed: &PortMap, results: Vec<(usize, Column)>, lengths: Lengths) -> Self {
        let count = lengths.lanes * lengths.rays;
        Self {
            attitude: ["origin_pitch", "origin_roll"].map(|name| aimed.get(name)),
            elevation: aimed.get("elevation"),
            time: aimed.get("time"),
            results,
            known: vec![[f64::NAN; 2]; count],
            directions: vec![[1.0, 0.0, 0.0]; count],
            returns: vec![Return::NOTHING; count],
            poses: Vec::new(),
        }
    }

    /// Returns pitch and roll of a sensor, rad.
    pub fn attitude(&self, columns: &Columns, lane: usize) -> [f64; 2] {
        self.attitude.map(|column| column.map_or(0.0, |column| columns.get(column)[lane]))
    }

    /// Casts the rays of one sensor, and writes their results.
    pub fn cast(
        &mut self,
        (fan, columns): (&FanColumns, &mut Columns),
        (lane, rays): (usize, usize),
        (vehicle, host): (u32, Option<(usize, usize)>),
        tables: &[Table],
        surroundings: &Surroundings,
        crew: Crew<'_>,
    ) {
        let viewer = self.viewer(fan, columns, lane, (vehicle, host), tables);
        let all = lane * rays..(lane + 1) * rays;
        if viewer.max_range == 0.0 {
            // a sensor whose readings are a list casts no rays
            return columns.get_mut(fan.range)[all].fill(f64::INFINITY);
        }
        let of_rays = |column: Column| &columns.get(column)[all.clone()];
        let group = match (self.time, &viewer.vehicle) {
            (Some(time), Some(_)) => self.find_poses(&viewer, of_rays(time)),
            _ => {
                self.poses.clear();
                rays
            }
        };
        let part = match crew.count() {
            1 => rays,
            _ => rays.div_ceil((rays / RAYS_PER_TASK).clamp(1, 4 * crew.count())),
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
        let parts = angles.zip(elevations.chain(flat)).zip(poses);
        let parts = parts.zip(known.zip(directions).zip(returns));
        let max_range = viewer.max_range;
        let accepts = |number: u32| viewer.accepts(number, surroundings);
        crew.for_each(parts, |(((angles, elevations), poses), ((known, directions), returns))| {
            update_directions(angles, elevations, known, directions);
            let directions = &*directions;
            let bundle = Bundle { pose, poses, rays_per_pose: group, directions, max_range };
            surroundings.space.scan(&bundle, &accepts, returns);
        });
        let ranges = &mut columns.get_mut(fan.range)[all.clone()];
        for (range, found) in ranges.iter_mut().zip(&self.returns[all.clone()]) {
            *range = found.range;
        }
        for (place, column) in &self.results {
            let values = &mut columns.get_mut(*column)[all.clone()];
            self.write_result(*place, (pose, group), all.clone(), values, surroundings);
        }
    }

    fn viewer(
        &self,
        fan: &FanColumns,
        columns: &Columns,
        lane: usize,
        (vehicle, host): (u32, Option<(usize, usize)>),
        tables: &[Table],
    ) -> Viewer {
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

    /// Writes one result of the rays `all`.
    fn write_result(
        &self,
        place: usize,
        (pose, group): (Pose3, usize),
        all: std::ops::Range<usize>,
        values: &mut [f64],
        surroundings: &Surroundings,
    ) {
        let returns = &self.returns[all.clone()];
        if place == COS_INCIDENCE {
            let rays = self.directions[all].chunks(group).zip(returns.chunks(group));
            for (number, ((directions, returns), values)) in
                rays.zip(values.chunks_mut(group)).enumerate()
            {
                let rotation = self.poses.get(number).unwrap_or(&pose).rotation();
                for ((direction, found), value) in directions.iter().zip(returns).zip(values) {
                    *value = cos_incidence(&rotation, *direction, found.normal);
                }
            }
            return;
        }
        let default = SPACE_RAY_RESULTS[place].default;
        for (value, found) in values.iter_mut().zip(returns) {
            *value = match found.range.is_finite() {
                false => default,
                true if place == ENTITY => f64::from(found.number),
                true => {
                    let surface = &surroundings.space.surfaces()[found.surface as usize];
                    let part = |part: usize| f64::from(surface.color[part]) / 255.0;
                    match SPACE_RAY_RESULTS[place].name {
                        "reflectivity" => f64::from(surface.reflectivity),
                        "red" => part(0),
                        "green" => part(1),
                        "blue" => part(2),
                        _ => f64::from(surface.class),
                    }
                }
            };
        }
    }
}

/// Place of `cos_incidence` in [`SPACE_RAY_RESULTS`].
const COS_INCIDENCE: usize = 0;
/// Place of `entity` in [`SPACE_RAY_RESULTS`].
const ENTITY: usize = 5;

impl Viewer {
    /// Returns the pose of the sensor in the world, `time` seconds after the sample. The vehicle moves
    /// with constant twist along its own plane.
    fn pose(&self, time: f64) -> Pose3 {
        let Some((vehicle, [vx, vy, omega])) = &self.vehicle else { return self.mounted };
        if time == 0.0 {
            return vehicle.compose(self.mounted);
        }
        let turn = omega * time;
        let half = 0.5 * turn;
        // chord of the arc: the distance times sin(θ/2)/(θ/2), in the direction of θ/2
        let (sin, cos) = sin_cos(half);
        let shrink = if half.abs() < 1e-6 { 1.0 - half * half / 6.0 } else { sin / half };
        let along = shrink * time;
        let moved = Pose3 {
            x: along * (vx * cos - vy * sin),
            y: along * (vx * sin + vy * cos),
            yaw: turn,
            ..Pose3::default()
        };
        vehicle.compose(moved).compose(self.mounted)
    }

    /// Returns whether the rays meet an entity.
    fn accepts(&self, number: u32, surroundings: &Surroundings) -> bool {
        if number == self.own {
            return self.see_own;
        }
        self.see_bodies || is_fixed(number, surroundings)
    }
}

/// Returns whether an entity is neither a vehicle nor a movable block nor an actor.
fn is_fixed(number: u32, surroundings: &Surroundings) -> bool {
    match surroundings.numbers.kind(number) {
        entity_kind::VEHICLE | entity_kind::ACTOR => false,
        entity_kind::BLOCK => !surroundings.movable.contains(&number),
        _ => true,
    }
}

/// Returns the poses of a part that has `count` of them; none if there are none at all.
fn poses_of(poses: &[Pose3], number: usize, count: usize) -> &[Pose3] {
    let first = (number * count).min(poses.len());
    &poses[first..(first + count).min(poses.len())]
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
        if [angle, elevation] != *known {
            let ((sin, cos), (up, level)) = (sin_cos(angle), sin_cos(elevation));
            (*known, *direction) = ([angle, elevation], [level * cos, level * sin, up]);
        }
    }
}

/// Returns the cosine of the angle between a ray, whose direction is in the frame of its sensor, and a
/// normal.
fn cos_incidence(rotation: &Rotation, direction: [f64; 3], normal: [f32; 3]) -> f64 {
    let turned =
        rotation.map(|row| row[0] * direction[0] + row[1] * direction[1] + row[2] * direction[2]);
    let dot: f64 = turned.iter().zip(normal).map(|(a, b)| a * f64::from(b)).sum();
    // normals have the precision of f32
    (-dot).clamp(0.0, 1.0)
}
