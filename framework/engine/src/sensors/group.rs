//! A group of sensors that share model, parameters and period.

use std::sync::Arc;

use simhost_abi::{PortDesc, Scope, model_flag};
use simhost_model::View;
use simhost_scene::Pose2;
use simhost_sensing::{Fan, PlanarScene, Visibility};
use simhost_world::{FaultPolicy, SensorUse};

use super::delivery::Delivery;
use crate::clock::Clock;
use crate::columns::{Column, Columns, Layout};
use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};
use crate::fault::{Evidence, FaultReport, LaneSet, call_lanes};
use crate::model::{
    Call, LaneInstances, Lengths, MigrationError, ModelError, ModelLanes, PortMap, Shape,
    copy_states,
};
use crate::moment::Moment;
use crate::random::{Purpose, stream};
use crate::readings::{ReadingColumn, SensorInfo};
use crate::result_hash::Items;
use crate::table::Table;
use crate::workers::Crew;
use simhost_model::Entities;

/// Number of rays in a group, if it has more than one sensor.
const RAYS_PER_GROUP: usize = 2048;
/// Largest number of sensors in a group.
const SENSORS_PER_GROUP: usize = 512;
/// Smallest number of rays of one sensor that a thread is given.
const RAYS_PER_TASK: usize = 1024;

/// Owner number of objects and sensors that belong to no vehicle.
pub(super) const NOBODY: u32 = u32::MAX;

/// Sensors that share model, parameters and period. A lane is a sensor.
pub(super) struct Group {
    aim: Call,
    /// Phase `read`, which also holds the state of the model.
    pub read: Call,
    /// Columns of the group.
    pub columns: Columns,
    /// The sensors.
    pub members: Vec<Member>,
    /// Inputs of models that read the sensors.
    pub deliveries: Vec<Delivery>,
    /// Inputs that are copied from the table of the vehicle, with the number of their values per
    /// sensor.
    inputs: Vec<(Column, usize)>,
    fan: FanColumns,
    rays: usize,
    /// Sampling period, s.
    period: f64,
    /// Number of the last sample.
    samples: u64,
    /// Whether the group was sampled in the last step.
    fresh: bool,
    /// Numbers of the last samples, sensor by sensor.
    rows: Vec<f64>,
    streams: Vec<u64>,
    /// Places of the fans of a sample.
    stands: Vec<Stand>,
    /// Buffer for the state columns before a call.
    before: Vec<f64>,
    /// Faults of the last sample.
    pub faults: Vec<FaultReport>,
}

/// A sensor of a group.
pub(super) struct Member {
    /// Index of the sensor in the world.
    pub sensor: usize,
    /// Index of the vehicle, or [`NOBODY`].
    vehicle: u32,
    /// Table and lane of the vehicle; `None` for a sensor that is fixed in the world.
    host: Option<(usize, usize)>,
    /// Number of wheels of the vehicle, or 0 if the model does not read any.
    pub wheels: usize,
    /// Columns of the table from which the inputs of the group are copied.
    sources: Vec<Option<Column>>,
    /// Whether the model has faulted for this sensor, so that it is not called any more.
    disabled: bool,
}

impl Member {
    /// Creates a sensor on the vehicle in the lane `host`.
    pub fn new(sensor: usize, vehicle: u32, host: Option<(usize, usize)>, wheels: usize) -> Self {
        Self { sensor, vehicle, host, wheels, sources: Vec::new(), disabled: false }
    }

    /// Returns whether the model has faulted for this sensor.
    pub fn is_disabled(&self) -> bool {
        self.disabled
    }
}

/// Place and reach of the fan of one sensor.
struct Stand {
    origin: Pose2,
    /// Height above the ground, m.
    z: f64,
    /// Maximum range, m.
    max_range: f64,
    see: Visibility,
    ignore: Option<u32>,
}

impl Stand {
    /// Casts some of the rays.
    fn cast(&self, angles: &[f64], ranges: &mut [f64], scene: &PlanarScene) {
        let Self { origin, z, max_range, see, ignore } = *self;
        scene.cast(&Fan { origin, z, angles, max_range, ignore, see }, ranges);
    }
}

/// Columns of the rays.
struct FanColumns {
    /// x, y, m; yaw, rad; z, m; frame of the vehicle or the world.
    origin: [Column; 4],
    max_range: Column,
    see_bodies: Column,
    angle: Column,
    range: Column,
}

impl FanColumns {
    /// Selects the outputs of `aim`; those that the model does not have get a default.
    fn new(aimed: &PortMap, range: Column, lengths: Lengths, layout: &mut Layout) -> Self {
        let mut optional = |name: &str, value: f64, len: usize| {
            aimed.get(name).unwrap_or_else(|| layout.fill(len, value))
        };
        let lanes = lengths.lanes;
        Self {
            origin: ["origin_x", "origin_y", "origin_yaw", "origin_z"]
                .map(|name| optional(name, 0.0, lanes)),
            max_range: optional("max_range", f64::INFINITY, lanes),
            see_bodies: optional("see_bodies", 1.0, lanes),
            angle: optional("angle", 0.0, lanes * lengths.rays),
            range,
        }
    }
}

impl Group {
    /// Builds the groups of sensors that can share an instance, and sets their columns in `infos`. Groups
    /// are small enough to be sampled by different threads.
    ///
    /// # Errors
    /// [`ModelError`] if the model cannot be used.
    pub fn build_all(
        members: Vec<(&SensorUse, Member)>,
        tables: &[Table],
        infos: &mut [SensorInfo],
    ) -> Result<Vec<Self>, ModelError> {
        let instances = LaneInstances::new(members.iter().map(|(sensor, _)| &sensor.model))?;
        let mut groups: Vec<Self> = Vec::new();
        for alike in by_rays(&instances, members) {
            let places: Vec<usize> = alike.iter().map(|(place, _)| *place).collect();
            let instances = instances.select(&places);
            let instance = instances.shared();
            let count = if instance.has_flag(model_flag::WHOLE_BATCH) {
                alike.len()
            } else {
                (RAYS_PER_GROUP / instance.rays().max(1)).clamp(1, SENSORS_PER_GROUP)
            };
            let mut columns = None;
            let mut alike = alike.into_iter().map(|(_, member)| member).peekable();
            for first in (0..places.len()).step_by(count) {
                let part = instances.part(first..places.len().min(first + count));
                let members: Vec<_> = alike.by_ref().take(count).collect();
                let group = Self::build(part, members, tables, infos)?;
                let columns = columns
                    .get_or_insert_with(|| reading_columns(group.read.phase.outputs(), group.rays));
                for member in &group.members {
                    infos[member.sensor].columns = Arc::clone(columns);
                }
                groups.push(group);
            }
        }
        Ok(groups)
    }

    fn build(
        instances: LaneInstances,
        members: Vec<(&SensorUse, Member)>,
        tables: &[Table],
        infos: &[SensorInfo],
    ) -> Result<Self, ModelError> {
        let sensor = members[0].0;
        let mut members: Vec<Member> = members.into_iter().map(|(_, member)| member).collect();
        let (rays, lanes) = (instances.shared().rays(), members.len());
        let wheels = members.first().map_or(0, |first| first.wheels);
        let lengths = Lengths { lanes, wheels, rays };
        let shape = Shape { wheels, wheel_stride: lanes, rays };
        let entity = |member: &Member| {
            let SensorInfo { vehicle, sensor, .. } = &infos[member.sensor];
            format!("vehicle '{vehicle}', sensor '{sensor}'")
        };
        let vehicles = members.iter().map(|member| member.vehicle).collect();
        let entities = Entities::owners(members.iter().map(entity).collect()).numbered(vehicles);
        let mut layout = Layout::default();
        let span = sensor.model.span;
        let model = ModelLanes::new(instances, span, lengths, shape, entities, &mut layout)?;
        let (aim, read) = (model.phase(&["aim"])?, model.phase(&["read"])?);
        let (mut aimed, mut inputs) = (PortMap::default(), PortMap::default());
        let aim = model.wire(aim, &[], &mut inputs, &mut aimed, &mut layout);
        let range = layout.fill(lanes * rays, f64::INFINITY);
        let sources = [&PortMap::one("range", range), &aimed, &inputs];
        let (mut undriven, mut outputs) = (PortMap::default(), PortMap::default());
        let read = model.wire(read, &sources, &mut undriven, &mut outputs, &mut layout);
        inputs.extend(undriven);
        let fan = FanColumns::new(&aimed, range, lengths, &mut layout);
        for member in &mut members {
            let source = |(name, column): (&str, Column)| {
                let (table, _) = member.host?;
                let source = tables[table].measurements.get(name)?;
                let values = column.len() / lanes * tables[table].vehicles.lanes.len();
                (source.len() == values).then_some(source)
            };
            member.sources = inputs.iter().map(source).collect();
        }
        let columns = layout.finish();
        let (aim, read) = (aim.bind(&columns), read.bind(&columns));
        let counts = read.phase.outputs().iter().map(|port| shape.count(port.scope));
        let numbers: usize = counts.sum();
        Ok(Self {
            aim,
            read,
            deliveries: Vec::new(),
            inputs: inputs.iter().map(|(_, column)| (column, column.len() / lanes)).collect(),
            fan,
            rays,
            period: sensor.period,
            samples: 0,
            fresh: false,
            rows: vec![0.0; members.len() * numbers],
            stands: Vec::with_capacity(members.len()),
            streams: vec![0; members.len()],
            before: Vec::new(),
            faults: Vec::new(),
            members,
            columns,
        })
    }

    /// Copies the state of a sensor of another group.
    ///
    /// # Errors
    /// [`MigrationError`] if the model rejects the state.
    pub fn copy_lane(
        &mut self,
        lane: usize,
        from: &Self,
        old_lane: usize,
    ) -> Result<(), MigrationError> {
        self.samples = from.samples;
        let lanes = std::iter::once((lane, old_lane));
        copy_states(&self.read, &mut self.columns, &from.read, &from.columns, lanes)
    }

    /// Returns the number of the last sample, 0 before the first one.
    pub fn sample_count(&self) -> u64 {
        self.samples
    }

    /// Returns whether the sensors have rays.
    pub fn casts_rays(&self) -> bool {
        self.rays > 0
    }

    /// Determines whether a sample is due and returns it. Samples are due at multiples of the period.
    pub fn update_due(&mut self, clock: &Clock) -> bool {
        self.fresh = self.is_due(clock);
        self.fresh
    }

    /// Returns whether the group was sampled in the last step.
    pub fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Records that steps have been made in which no sample was due.
    pub fn skip(&mut self) {
        self.fresh = false;
    }

    /// Returns whether a sample is due.
    pub fn is_due(&self, clock: &Clock) -> bool {
        clock.time() >= (self.samples + 1) as f64 * self.period - 1e-9
    }

    /// Returns the number of rays of all sensors.
    pub fn ray_count(&self) -> usize {
        self.rays * self.members.len()
    }

    /// Returns the samples of the last step: index of the sensor, and its numbers.
    pub fn fresh_samples(&self) -> impl Iterator<Item = (usize, &[f64])> {
        let length = self.rows.len() / self.members.len();
        let rows = self.members.iter().enumerate().filter(|_| self.fresh);
        rows.filter(|(_, member)| !member.disabled)
            .map(move |(lane, member)| (member.sensor, &self.rows[lane * length..][..length]))
    }

    /// Samples all sensors of the group if they are due.
    pub fn sample_if_due(
        &mut self,
        moment: &Moment,
        tables: &[Table],
        scene: &PlanarScene,
        policy: &FaultPolicy,
        crew: Crew<'_>,
    ) {
        if !self.fresh {
            return;
        }
        // a period shorter than the step gives one sample per step
        self.samples = ((moment.clock.time() + 1e-9) / self.period).floor() as u64;
        for (index, member) in self.members.iter().enumerate() {
            let key = (member.vehicle as u64) << 32 | member.sensor as u64;
            self.streams[index] = stream(moment.seed, Purpose::Sensor, key, self.samples);
            let Some((table, lane)) = member.host else { continue };
            let vehicles = &tables[table].vehicles;
            for ((column, count), source) in self.inputs.iter().zip(&member.sources) {
                let Some(source) = source else { continue };
                let values = self.columns.get_mut(*column);
                for wheel in 0..*count {
                    let from = wheel * vehicles.lanes.len() + lane;
                    values[wheel * self.members.len() + index] = vehicles.value(*source, from);
                }
            }
        }
        self.call(true, moment, policy);
        self.cast(tables, scene, crew);
        self.call(false, moment, policy);
        self.collect_rows();
    }

    /// Calls `aim` or `read` for all sensors that are not disabled.
    fn call(&mut self, aim: bool, moment: &Moment, policy: &FaultPolicy) {
        let call = if aim { &self.aim } else { &self.read };
        let mut lanes = MemberLanes { members: &mut self.members, found: Vec::new() };
        let before = &mut self.before;
        call_lanes(call, &mut self.columns, &mut lanes, moment, &self.streams, before);
        let mut found = lanes.found;
        found.sort_by_key(|(lane, _)| *lane);
        self.faults
            .extend(found.into_iter().map(|(_, evidence)| FaultReport::new(evidence, policy)));
    }

    /// Casts the rays of all sensors.
    fn cast(&mut self, tables: &[Table], scene: &PlanarScene, crew: Crew<'_>) {
        if self.rays == 0 {
            return;
        }
        self.find_stands(tables);
        let rays = self.rays;
        let (angles, ranges) = self.columns.read_and_write(self.fan.angle, self.fan.range);
        let parts = (rays / RAYS_PER_TASK).min(2 * crew.count());
        let part = rays.div_ceil(parts.max(1));
        let fans = self.stands.iter().zip(angles.chunks(rays)).zip(ranges.chunks_mut(rays));
        for ((stand, angles), ranges) in fans {
            if crew.count() > 1 && part < rays {
                let parts = angles.chunks(part).zip(ranges.chunks_mut(part));
                crew.for_each(parts, |(angles, ranges)| stand.cast(angles, ranges, scene));
            } else {
                stand.cast(angles, ranges, scene);
            }
        }
    }

    /// Determines the places of all fans.
    fn find_stands(&mut self, tables: &[Table]) {
        let Self { stands, members, fan, columns, .. } = self;
        let value = |column: Column, index: usize| columns.get(column)[index];
        stands.clear();
        stands.extend(members.iter().enumerate().map(|(index, member)| {
            let [x, y, yaw, z] = fan.origin.map(|column| value(column, index));
            let own = Pose2 { x, y, yaw };
            let (origin, z) = member.host.map_or((own, z), |(table, lane)| {
                let vehicles = &tables[table].vehicles;
                (vehicles.pose(lane).compose(own), z + vehicles.height(lane))
            });
            let all = value(fan.see_bodies, index) != 0.0;
            Stand {
                origin,
                z,
                max_range: value(fan.max_range, index),
                see: if all { Visibility::All } else { Visibility::StaticOnly },
                ignore: (member.vehicle != NOBODY).then_some(member.vehicle),
            }
        }));
    }

    /// Collects the numbers of each sample in the order of [`SensorInfo::columns`].
    pub(super) fn collect_rows(&mut self) {
        let ports = self.read.phase.outputs();
        let length = self.rows.len() / self.members.len();
        let mut start = 0;
        for (port, column) in ports.iter().zip(self.read.outputs()) {
            let values = self.columns.get(*column);
            let count = self.read.shape().count(port.scope);
            if count == 0 {
                continue;
            }
            for (row, values) in self.rows.chunks_exact_mut(length).zip(values.chunks_exact(count))
            {
                row[start..start + count].copy_from_slice(values);
            }
            start += count;
        }
    }

    /// Adds the last reading and the model state of a sensor to the items of a result hash.
    pub fn add_results(&self, lane: usize, label: &str, items: &mut Items) {
        items.add_states(&format!("{label}/state"), &self.read, &self.columns, lane);
        if self.samples == 0 || self.members[lane].disabled {
            return;
        }
        for (port, column) in self.read.phase.outputs().iter().zip(self.read.outputs()) {
            let numbers = self.read.shape().of_lane(port.scope, self.columns.get(*column), lane);
            items.add(format!("{label}/read/{}", port.name()), &numbers);
        }
    }
}

impl Group {
    /// Writes the state of the group.
    ///
    /// # Errors
    /// [`SnapshotError`] if the model fails to save a memory.
    pub fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        let Self {
            read,
            columns,
            members,
            samples,
            fresh,
            // shares states and memories with `read`
            aim: _,
            // follow from the columns and the number of samples
            rows: _,
            streams: _,
            stands: _,
            // taken after each sample
            faults: _,
            // determined by the world file
            inputs: _,
            deliveries: _,
            fan: _,
            rays: _,
            before: _,
            period: _,
        } = self;
        columns.write(to)?;
        to.put(&(samples, fresh))?;
        for Member { disabled, sensor: _, vehicle: _, host: _, wheels: _, sources: _ } in members {
            to.put(disabled)?;
        }
        read.write(to)
    }

    /// Reads the state of the same group.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are damaged or the model rejects a memory.
    pub fn read_state(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        self.columns.read(from)?;
        (self.samples, self.fresh) = from.take()?;
        for member in &mut self.members {
            member.disabled = from.take()?;
        }
        self.read.read(from)?;
        if self.fresh {
            self.collect_rows();
        }
        Ok(())
    }
}

/// Returns sensors by their number of rays, which can follow from parameters that differ between them,
/// each with its place among all.
fn by_rays<'w>(
    instances: &LaneInstances,
    members: Vec<(&'w SensorUse, Member)>,
) -> Vec<Vec<(usize, (&'w SensorUse, Member))>> {
    let mut all: Vec<_> = members.into_iter().enumerate().collect();
    let rays = |place: usize| instances.of(place).rays();
    all.sort_by_key(|(place, _)| rays(*place));
    let mut alike: Vec<Vec<_>> = Vec::new();
    for (place, member) in all {
        match alike.last_mut().filter(|last: &&mut Vec<(usize, _)>| rays(last[0].0) == rays(place))
        {
            Some(last) => last.push((place, member)),
            None => alike.push(vec![(place, member)]),
        }
    }
    alike
}

/// The sensors of a group during a call.
struct MemberLanes<'g> {
    members: &'g mut [Member],
    found: Vec<(usize, Evidence)>,
}

impl LaneSet for MemberLanes<'_> {
    fn count(&self) -> usize {
        self.members.len()
    }

    fn all_enabled(&self) -> bool {
        self.members.iter().all(|member| !member.disabled)
    }

    fn is_enabled(&self, lane: usize) -> bool {
        !self.members[lane].disabled
    }

    fn record(&mut self, lane: usize, evidence: Evidence) {
        self.members[lane].disabled = true;
        self.found.push((lane, evidence));
    }
}

/// Returns the numbers of a sample.
fn reading_columns(ports: &'static [View<PortDesc>], rays: usize) -> Arc<[ReadingColumn]> {
    let mut columns = Vec::new();
    for port in ports {
        let column = |ray| ReadingColumn { name: port.name(), unit: port.unit(), ray };
        match Scope::from_u32(port.scope) {
            Scope::Ray => columns.extend((0..rays).map(|ray| column(Some(ray)))),
            _ => columns.push(column(None)),
        }
    }
    columns.into()
}
