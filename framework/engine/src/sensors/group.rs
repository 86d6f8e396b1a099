//! A group of sensors that share model, parameters and period.

mod scan;
mod state;

use std::sync::Arc;

use simhost_abi::host::LaneShape;
use simhost_abi::{Fault, Kind, PortDesc, Scope, fault_code, model_flag};
use simhost_model::{Entities, SensorImage, View};
use simhost_scene::{Pose2, Pose3};
use simhost_sensing::{PlanarScene, Visibility};
use simhost_world::FaultPolicy;

use super::constants::{Constants, Member, NOBODY};
use super::delivery::Delivery;
use super::effects::Effects;
use super::mounted::Mounted;
use super::published::Published;
use super::scene::{FanColumns, Stand};
use super::spatial::{self, RaySensor, Spatial};
use crate::clock::Clock;
use crate::columns::{Column, Columns, Layout};
use crate::encoding::SnapshotError;
use crate::fault::{Evidence, FaultReport, LaneCall, LaneSet};
use crate::model::{
    Call, LaneInstances, Lengths, MemoryCopies, MigrationError, ModelError, ModelLanes, PortMap,
    copy_states,
};
use crate::moment::Moment;
use crate::random::{Purpose, stream};
use crate::readings::{ReadingColumns, ReadingOutput, SensorInfo};
use crate::table::{SensorInputs, Table};
use crate::workers::Crew;
use simhost_model::ports::permitted;

/// Number of rays in a group, if it has more than one sensor.
const RAYS_PER_GROUP: usize = 2048;
/// Largest number of sensors in a group.
const SENSORS_PER_GROUP: usize = 512;
/// Smallest number of rays of one sensor that a thread is given.
const RAYS_PER_TASK: usize = 1024;

/// Sensors that share model, parameters and period. A lane is a sensor.
#[derive(Clone)]
pub(super) struct SensorGroup {
    aim: Call,
    /// Phase `read`, which also holds the state of the model.
    pub read: Call,
    /// Columns of the group.
    pub columns: Columns,
    /// The sensors.
    pub members: Vec<Member>,
    /// Inputs of models that read the sensors.
    pub deliveries: Vec<Delivery>,
    /// Inputs that read other sensors.
    pub reads: SensorInputs,
    /// Length of the longest chain of sensors that read each other and end in this group; 0 for sensors that read no
    /// others.
    pub level: usize,
    /// Inputs that are copied from the table of the vehicle, with the number of their values per
    /// sensor.
    inputs: Vec<(Column, usize)>,
    fan: FanColumns,
    /// Rays in space; `None` for rays in the plane.
    spatial: Option<Spatial>,
    rays: usize,
    /// Sampling period, s.
    period: f64,
    /// Latency of the samples and its largest addition, s.
    pub(super) latency: [f64; 2],
    /// Number of the last sample.
    samples: u64,
    /// Whether the group was sampled in the last step.
    fresh: bool,
    /// Whether there are readings. A restored simulation has none before its next sample, except those
    /// that it needs.
    has_readings: bool,
    /// Whether there were readings before the present sample.
    had_readings: bool,
    pub(super) streams: Vec<u64>,
    /// Places of the fans of a sample.
    stands: Vec<Stand>,
    /// Buffer for the state columns before a call.
    before: Vec<f64>,
    /// Faults of the last sample.
    pub faults: Vec<FaultReport>,
    /// Effects of the faults of the vehicles.
    pub effects: Effects,
}

impl SensorGroup {
    /// Builds the groups of sensors that can share an instance, and sets their columns in `infos`. Groups
    /// are small enough to be sampled by different threads.
    ///
    /// # Errors
    /// [`ModelError`] if the model cannot be used.
    pub fn build_all(
        members: Vec<Mounted<'_>>,
        tables: &[Table],
        constants: &Constants,
        infos: &mut [SensorInfo],
    ) -> Result<Vec<Self>, ModelError> {
        let instances = LaneInstances::new(members.iter().map(|one| &one.sensor.model))?;
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
            let images = instance.images().unwrap_or_default();
            let images: Arc<[SensorImage]> = images.into();
            let mut columns = None;
            let mut alike = alike.into_iter().map(|(_, member)| member).peekable();
            for first in (0..places.len()).step_by(count) {
                let part = instances.part(first..places.len().min(first + count));
                let members: Vec<_> = alike.by_ref().take(count).collect();
                let group = Self::build(part, members, tables, constants, infos, &images)?;
                let columns = columns.get_or_insert_with(|| {
                    reading_columns(group.read.phase.outputs(), group.read.shape())
                });
                for member in &group.members {
                    infos[member.sensor].columns = columns.clone();
                    infos[member.sensor].images = Arc::clone(&images);
                }
                groups.push(group);
            }
        }
        Ok(groups)
    }

    fn build(
        instances: LaneInstances,
        members: Vec<Mounted<'_>>,
        tables: &[Table],
        constants: &Constants,
        infos: &[SensorInfo],
        images: &[SensorImage],
    ) -> Result<Self, ModelError> {
        let Mounted { sensor, level, ref readings, ref published, .. } = members[0];
        let (readings, published) = (readings.clone(), published.clone());
        let (mut members, by_member): (Vec<Member>, Vec<_>) =
            members.into_iter().map(|one| (one.member, one.published)).unzip();
        let (rays, lanes) = (instances.shared().rays(), members.len());
        let wheels = members.first().map_or(0, |first| first.wheels);
        let lengths = Lengths { lanes, wheels, rays };
        let shape = LaneShape { wheels, wheel_stride: lanes, rays };
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
        let fixed = constants.ports(sensor.period, lanes, &mut layout);
        let results = spatial::result_columns(read, lengths, &mut layout);
        let cast = spatial::result_ports(&results);
        let mut reads = SensorInputs::new(readings, lanes, &mut layout);
        published.iter().for_each(|one| reads.add_published(one, lanes, &mut layout));
        let by_others = reads.ports((Kind::Sensor, 0));
        let range_port = PortMap::one("range", range);
        let sources = [&by_others, &range_port, &cast, &aimed, &fixed, &inputs];
        let (mut undriven, mut outputs) = (PortMap::default(), PortMap::default());
        let read = model.wire(read, &sources, &mut undriven, &mut outputs, &mut layout);
        inputs.extend(undriven);
        let fan = FanColumns::new(&aimed, range, lengths, &mut layout);
        let is_spatial = model.instance().is_spatial();
        let spatial = is_spatial.then(|| Spatial::new(&aimed, results, lengths, images));
        for (member, published) in members.iter_mut().zip(&by_member) {
            let Some((table, _)) = member.host else {
                member.sources = vec![None; inputs.iter().count()];
                continue;
            };
            member.published = Published::all(published, &reads, &tables[table]);
            member.sources = measurements(&inputs, lanes, &tables[table]);
        }
        let mut columns = layout.finish();
        constants.fill_standing(&inputs, &members, &mut columns);
        let (aim, read) = (aim.bind(&columns), read.bind(&columns));
        Ok(Self {
            aim,
            read,
            deliveries: Vec::new(),
            reads,
            level,
            inputs: inputs.iter().map(|(_, column)| (column, column.len() / lanes)).collect(),
            fan,
            spatial,
            rays,
            period: sensor.period,
            latency: [sensor.latency, sensor.latency_jitter],
            samples: 0,
            fresh: false,
            has_readings: false,
            had_readings: false,
            stands: Vec::with_capacity(members.len()),
            streams: vec![0; members.len()],
            before: Vec::new(),
            faults: Vec::new(),
            effects: Effects::default(),
            members,
            columns,
        })
    }

    /// Binds the calls of a clone to its columns.
    ///
    /// # Errors
    /// [`SnapshotError`] if the model fails to save its memory.
    pub fn bind(&mut self, copies: &mut MemoryCopies) -> Result<(), SnapshotError> {
        self.aim.bind(&self.columns, copies)?;
        self.read.bind(&self.columns, copies)
    }

    /// Copies the state of a sensor of another group, and what it has read from others.
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
        self.reads.copy_lane(&mut self.columns, lane, &from.reads, &from.columns, old_lane);
        let lanes = std::iter::once((lane, old_lane));
        copy_states(&self.read, &mut self.columns, &from.read, &from.columns, lanes)
    }

    /// Makes the next sample the first one after the time of `clock`.
    pub fn begin_at(&mut self, clock: &Clock) {
        self.samples = ((clock.time() + 1e-9) / self.period).floor() as u64;
    }

    /// Continues a group of the same sensors bit for bit, if it has the same columns.
    pub fn continue_all(&mut self, from: &Self) {
        let lanes = self.members.len();
        if self.period == from.period && self.columns.is_like(lanes, &from.columns, lanes) {
            self.columns.copy_all(&from.columns);
            (self.samples, self.fresh) = (from.samples, from.fresh);
            self.has_readings = from.has_readings;
            for (to, from) in self.members.iter_mut().zip(&from.members) {
                to.disabled = from.disabled;
            }
            for (to, from) in self.deliveries.iter_mut().zip(&from.deliveries) {
                to.late.clone_from(&from.late);
            }
        }
    }

    /// Returns whether there are readings of the last sample.
    pub fn has_readings(&self) -> bool {
        self.has_readings
    }

    /// Returns whether the sensors have rays.
    pub fn casts_rays(&self) -> bool {
        self.rays > 0
    }

    /// Returns whether the rays are cast in space.
    pub fn is_spatial(&self) -> bool {
        self.spatial.is_some()
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

    /// Returns the pose of a sensor's rays.
    pub fn origin(&self, lane: usize) -> Pose3 {
        let [x, y, yaw, z] = self.fan.origin.map(|column| self.columns.get(column)[lane]);
        let spatial = self.spatial.as_ref();
        let [pitch, roll] = spatial.map_or([0.0; 2], |one| one.attitude(&self.columns, lane));
        Pose3 { x, y, z, yaw, pitch, roll }
    }

    /// Records that steps have been made in which no sample was due.
    pub fn skip(&mut self) {
        self.fresh = false;
    }

    /// Returns whether a sample is due.
    pub fn is_due(&self, clock: &Clock) -> bool {
        clock.time() >= (self.samples + 1) as f64 * self.period - 1e-9
    }

    /// Returns the step at whose end the next sample is due, apart from errors of rounding.
    pub fn next_sample(&self, clock: &Clock) -> u64 {
        let (step, is_exact) = clock.last_step((self.samples + 1) as f64 * self.period);
        step.saturating_add(u64::from(!is_exact))
    }

    /// Returns whether a sensor has measured after a time, up to now.
    pub fn has_measured_since(&self, lane: usize, then: &Clock) -> bool {
        let number = ((then.time() + 1e-9) / self.period).floor() as u64;
        self.has_sample(lane) && !self.effects.is_silent(lane) && self.samples > number
    }

    /// Returns the number of rays of all sensors.
    pub fn ray_count(&self) -> usize {
        self.rays * self.members.len()
    }

    /// Returns the samples of the last step: index of the sensor, and its numbers.
    pub fn fresh_samples(&self) -> impl Iterator<Item = (usize, Vec<f64>)> {
        let all = self.members.iter().enumerate().filter(|_| self.fresh);
        all.filter(|(lane, member)| !member.disabled && !self.effects.is_silent(*lane))
            .map(|(lane, member)| (member.sensor, self.sample(lane)))
    }

    /// Returns the numbers of the last sample in the order of [`SensorInfo::columns`].
    fn sample(&self, lane: usize) -> Vec<f64> {
        let shape = self.read.shape();
        let ports = self.read.phase.outputs().iter().zip(self.read.outputs());
        let mut sample = Vec::new();
        for (port, column) in ports {
            let values = self.columns.get(*column);
            sample.extend(shape.places(port.scope, lane).map(|place| values[place]));
        }
        sample
    }

    /// Begins a sample if it is due: aims all sensors.
    pub fn begin_sample(&mut self, moment: &Moment, tables: &[Table], policy: &FaultPolicy) {
        if !self.fresh {
            return;
        }
        self.had_readings = std::mem::replace(&mut self.has_readings, true);
        self.samples = ((moment.clock.time() + 1e-9) / self.period).floor() as u64;
        for (index, member) in self.members.iter().enumerate() {
            let key = (member.vehicle as u64) << 32 | member.sensor as u64;
            self.streams[index] = stream(moment.seed, Purpose::Sensor, key, self.samples);
            let Some((table, lane)) = member.host else { continue };
            let vehicles = &tables[table].vehicles;
            for one in &member.published {
                let time = moment.clock.time();
                one.copy(&tables[table], lane, &mut self.columns, index, time);
            }
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
        if self.casts_rays() && !self.is_spatial() {
            self.find_stands(tables);
        }
    }

    /// Returns the places of the fans in the plane of a sample that has begun.
    pub fn stands(&self) -> &[Stand] {
        if self.fresh { &self.stands } else { &[] }
    }

    /// Completes a sample that has begun: casts the rays and reads all sensors.
    pub fn end_sample(
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
        self.cast(tables, moment, scene, crew);
        self.reads.update_ages(&mut self.columns, moment.clock.time());
        self.effects.keep(&self.read, &self.columns);
        self.call(false, moment, policy);
        self.effects.apply(&self.read, &mut self.columns, self.had_readings);
    }

    /// Returns the phases `aim` and `read`.
    pub fn phases(&mut self) -> [&mut Call; 2] {
        [&mut self.aim, &mut self.read]
    }

    /// Calls `aim` or `read` for all sensors that are not disabled.
    fn call(&mut self, aim: bool, moment: &Moment, policy: &FaultPolicy) {
        let call = if aim { &self.aim } else { &self.read };
        let mut lanes = MemberLanes { members: &mut self.members, found: Vec::new() };
        let mut called =
            LaneCall { call, moment, streams: &self.streams, before: &mut self.before };
        called.run(&mut self.columns, &mut lanes);
        while let Some((lane, text)) = first_defect(call, &self.columns, &lanes) {
            let fault = Fault::new(fault_code::NON_FINITE, &text);
            called.record(&self.columns, &mut lanes, lane, &fault);
        }
        let mut found = lanes.found;
        found.sort_by_key(|(lane, _)| *lane);
        self.faults
            .extend(found.into_iter().map(|(_, evidence)| FaultReport::new(evidence, policy)));
    }

    /// Casts the rays of all sensors.
    fn cast(&mut self, tables: &[Table], moment: &Moment, scene: &PlanarScene, crew: Crew<'_>) {
        if self.rays == 0 {
            return;
        }
        if self.spatial.is_some() {
            return self.cast_in_space(tables, moment, crew);
        }
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

    /// Casts the rays of all sensors in space.
    fn cast_in_space(&mut self, tables: &[Table], moment: &Moment, crew: Crew<'_>) {
        let Self { spatial, members, fan, columns, rays, .. } = self;
        let (Some(spatial), Some(surroundings)) = (spatial, moment.surroundings()) else { return };
        for (lane, member) in members.iter().enumerate() {
            let Member { vehicle, host, .. } = *member;
            let sensor = RaySensor { fan, lane, rays: *rays, vehicle, host };
            spatial.cast(sensor, columns, tables, surroundings, crew);
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
            let own = fan.see_own.is_some_and(|column| value(column, index) != 0.0);
            Stand {
                origin,
                z,
                max_range: value(fan.max_range, index),
                see: if all { Visibility::All } else { Visibility::StaticOnly },
                ignore: (member.vehicle != NOBODY && !own).then_some(member.vehicle),
            }
        }));
    }
}

/// Returns sensors by their number of rays, which can follow from parameters that differ between them,
/// each with its place among all.
fn by_rays<'w>(
    instances: &LaneInstances,
    members: Vec<Mounted<'w>>,
) -> Vec<Vec<(usize, Mounted<'w>)>> {
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

/// Returns a sensor that is not disabled and has returned a number that it must not, with a description.
fn first_defect(
    call: &Call,
    columns: &Columns,
    lanes: &MemberLanes<'_>,
) -> Option<(usize, String)> {
    call.first_non_finite(columns)?;
    let mut ports = call.phase.outputs().iter().zip(call.outputs());
    ports.find_map(|(port, column)| {
        let is_permitted = permitted(call.phase, port);
        let values = columns.get(*column);
        if values.iter().all(|value| is_permitted(*value)) {
            return None;
        }
        let is_bad_lane = |lane: &usize| {
            let mut places = call.shape().places(port.scope, *lane);
            lanes.is_enabled(*lane) && places.any(|place| !is_permitted(values[place]))
        };
        let lane = (0..lanes.count()).find(is_bad_lane)?;
        Some((lane, format!("output `{}` is not finite", port.name())))
    })
}

/// Returns the numbers of a sample of a sensor of this shape.
fn reading_columns(ports: &'static [View<PortDesc>], shape: LaneShape) -> ReadingColumns {
    ReadingColumns::new(ports.iter().map(|port| {
        let is_single = Scope::from_u32(port.scope) == Scope::Instance;
        let rays = (!is_single).then(|| shape.count(port.scope));
        ReadingOutput { name: port.name(), unit: port.unit(), rays }
    }))
}

/// Returns the columns of a table that give the inputs of a group with this number of lanes their values.
fn measurements(inputs: &PortMap, lanes: usize, table: &Table) -> Vec<Option<Column>> {
    let source = |(name, column): (&str, Column)| {
        let source = table.blueprint.measurements.get(name)?;
        let values = column.len() / lanes * table.vehicles.lanes.len();
        (source.len() == values).then_some(source)
    };
    inputs.iter().map(source).collect()
}
