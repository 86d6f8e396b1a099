//! Sensors: sampled after a step, in batches of those that share model, parameters and period.
//!
//! A sample has three parts: the phase `aim` of all sensors of a group in one call, the rays of the
//! group, and the phase `read` in one call. A sensor that reads others is in a later group than these, and its
//! phase `read` is called after their readings have been delivered.

mod acceleration;
mod connections;
mod constants;
mod delivery;
mod effects;
mod fields;
mod group;
mod kept;
mod mounted;
mod mounting;
mod published;
mod recipients;
mod scene;
mod spatial;

use std::collections::HashMap;
use std::sync::Arc;

use simhost_world::{FaultEffect, FaultPolicy, World};

use crate::clock::Clock;
use crate::columns::Column;
use crate::encoding::SnapshotError;
use crate::fault::FaultReport;
use crate::live_state::live_state;
use crate::model::{Call, MemoryCopies, MigrationError, ModelError};
use crate::moment::Moment;
use crate::physics::{Body, Physics};
use crate::plan::Plans;
use crate::readings::{ReadingColumns, SensorInfo};
use crate::result_hash::Items;
use crate::scan_engine::{ScanEngine, ScanError, ScanFallback, ScanReport, SensorEngine};
use crate::table::Table;
use crate::workers::Crew;
use acceleration::Acceleration;
use constants::{Member, NOBODY};
use effects::{Effect, Effects, readings};
use group::SensorGroup;
use mounted::{Mounted, Shared, levels, reads_wheels};
use published::Published;
use recipients::Recipients;
use scene::Scene;

pub(crate) use effects::SensorFault;
pub(crate) use fields::SensorPlace;
pub(crate) use kept::{KeptPlace, SensorState};
pub(crate) use scene::vehicle_shapes;

/// Name in the output for sensors that belong to no vehicle.
const WORLD: &str = "world";

/// All sensors of a world.
pub(crate) struct Sensors {
    infos: Arc<[SensorInfo]>,
    /// Groups by their level.
    groups: Vec<SensorGroup>,
    /// Group and lane of each sensor.
    places: Vec<(usize, usize)>,
    scene: Scene,
    /// Engine that casts rays in space.
    acceleration: Option<Acceleration>,
}

live_state! {
    Sensors {
        state { groups }
        world { infos, places }
        // the scene is updated before each sample, and an engine learns it again
        step { scene, acceleration }
    }
}

impl Sensors {
    /// Returns sensors in the same state, whose rays no engine casts.
    ///
    /// # Errors
    /// [`SnapshotError`] if a model fails to save its memory.
    pub fn duplicate(&self, copies: &mut MemoryCopies) -> Result<Self, SnapshotError> {
        let mut groups = self.groups.clone();
        groups.iter_mut().try_for_each(|group| group.bind(copies))?;
        Ok(Self {
            infos: Arc::clone(&self.infos),
            groups,
            places: self.places.clone(),
            scene: self.scene.clone(),
            acceleration: None,
        })
    }

    /// Builds the sensors of a world whose vehicles are in the lanes `places` of `tables`. The bodies and
    /// heights, m, are those of the blocks.
    ///
    /// # Errors
    /// [`ModelError`] if a sensor model cannot be used.
    pub fn build(
        world: &World,
        tables: &[Table],
        places: &[(usize, usize)],
        plans: &Plans,
        bodies: &[Option<Body>],
        heights: &[f64],
    ) -> Result<Self, ModelError> {
        let mut infos = Vec::new();
        let mut shared = Shared::default();
        let mounted = world.vehicles.iter().enumerate().flat_map(|(number, vehicle)| {
            let host = (number as u32, Some(places[number]), vehicle.name.as_str());
            let levels = levels(vehicle);
            let sensors = vehicle.sensors.iter().enumerate();
            sensors.map(move |(index, sensor)| {
                let own = vehicle.sensor_readings.iter().filter(|one| one.reader == index);
                let readings = own.map(|one| &one.reading).collect();
                let own = vehicle.actuator_readings.iter().filter(|one| one.reader == index);
                let level = levels.get(index).copied().unwrap_or(0);
                (sensor, host, (level, readings, own.collect()))
            })
        });
        let standing = world.sensors.iter();
        let standing = standing.map(|sensor| (sensor, (NOBODY, None, WORLD), Default::default()));
        let all = mounted.chain(standing).filter(|(sensor, ..)| sensor.gives_readings());
        for (sensor, (vehicle, host, name), (level, readings, published)) in all {
            let wheels = match host {
                Some((table, _)) if reads_wheels(sensor) => tables[table].vehicles.wheels.count,
                _ => 0,
            };
            let member = Member::new(infos.len(), vehicle, host, wheels);
            infos.push(SensorInfo {
                vehicle: name.to_owned(),
                sensor: sensor.name.clone(),
                columns: ReadingColumns::default(),
                images: Arc::default(),
            });
            shared.add(Mounted { sensor, member, level, readings, published });
        }
        let mut groups = Vec::new();
        let constants = constants::Constants::of(world);
        for members in shared.into_groups() {
            groups.extend(SensorGroup::build_all(members, tables, &constants, &mut infos)?);
        }
        let own = mounting::places(&groups, infos.len());
        let scene = Scene::new(world, plans, bodies, heights);
        let infos = infos.into();
        let mut sensors = Self { infos, groups, places: own, scene, acceleration: None };
        sensors.connect(world, tables, places)?;
        Ok(sensors)
    }

    /// Copies the state of the sensors of another simulation of the same world.
    ///
    /// # Errors
    /// [`MigrationError`] if a model rejects the state of its predecessor.
    pub fn take_over(&mut self, old: &Self) -> Result<(), MigrationError> {
        let names = old.infos.iter().enumerate();
        let numbers: HashMap<_, _> =
            names.map(|(number, info)| ((&*info.vehicle, &*info.sensor), number)).collect();
        let mut places = HashMap::new();
        for from in &old.groups {
            let lanes = from.members.iter().enumerate();
            places.extend(lanes.map(|(lane, member)| (member.sensor, (from, lane))));
        }
        for group in &mut self.groups {
            for lane in 0..group.members.len() {
                let SensorInfo { vehicle, sensor, .. } = &self.infos[group.members[lane].sensor];
                let number = numbers.get(&(&**vehicle, &**sensor));
                let Some((from, old_lane)) = number.and_then(|number| places.get(number)) else {
                    continue;
                };
                group.copy_lane(lane, from, *old_lane)?;
            }
        }
        Ok(())
    }

    /// Continues the sensors of another simulation that has some of them, and begins the others at the
    /// time of `clock`.
    ///
    /// # Errors
    /// [`MigrationError`] if a model rejects its own memory.
    pub fn continue_known(&mut self, old: &Self, clock: &Clock) -> Result<(), MigrationError> {
        for group in &mut self.groups {
            group.begin_at(clock);
        }
        self.take_over(old)?;
        let of = |sensors: &Self, group: &SensorGroup| -> Vec<(String, String)> {
            let members = group.members.iter().map(|member| &sensors.infos[member.sensor]);
            members.map(|info| (info.vehicle.to_string(), info.sensor.to_string())).collect()
        };
        let known: HashMap<_, _> = old.groups.iter().map(|from| (of(old, from), from)).collect();
        for number in 0..self.groups.len() {
            if let Some(from) = known.get(&of(self, &self.groups[number])) {
                self.groups[number].continue_all(from);
            }
        }
        Ok(())
    }

    /// Returns the calls that hold the states and memories of all models, one call per group.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.groups.iter().map(|group| &group.read)
    }

    /// Returns all sensors in the order of the world file.
    pub fn infos(&self) -> &[SensorInfo] {
        &self.infos
    }

    /// Returns the samples of the last step: index of the sensor, and its numbers.
    pub fn readings(&self) -> impl Iterator<Item = (usize, Vec<f64>)> {
        self.groups.iter().flat_map(SensorGroup::fresh_samples)
    }

    /// Returns whether a model reads a sensor.
    pub fn deliver_any(&self) -> bool {
        self.groups.iter().any(|group| !group.deliveries.is_empty())
    }

    /// Returns whether a model of a vehicle, and not only another sensor, reads a sensor.
    pub fn deliver_to_vehicles(&self) -> bool {
        self.groups.iter().any(SensorGroup::has_vehicle_readers)
    }

    /// Returns the columns of a table from which the sensors on its vehicles read, apart from their poses.
    pub fn sources_in(&self, table: usize) -> impl Iterator<Item = Column> {
        let members = self.groups.iter().flat_map(|group| &group.members);
        let hosted = members.filter(move |one| one.host.is_some_and(|(host, _)| host == table));
        hosted.flat_map(|member| {
            let published = member.published.iter().flat_map(Published::sources);
            member.sources.iter().flatten().copied().chain(published)
        })
    }

    /// Returns the number of rays of all sensors.
    pub fn ray_count(&self) -> usize {
        self.groups.iter().map(SensorGroup::ray_count).sum()
    }

    /// Returns whether there are no sensors.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Returns whether a sensor has measured after a time, up to now.
    pub fn has_measured_since(&self, sensor: usize, then: &Clock) -> bool {
        let (group, lane) = self.places[sensor];
        self.groups[group].has_measured_since(lane, then)
    }

    /// Returns whether a sensor is due, or a sample arrives, at the end of a step.
    pub fn is_any_due(&self, clock: &Clock) -> bool {
        self.groups.iter().any(|group| group.is_due(clock) || group.has_arrival(clock))
    }

    /// Returns the step at whose end the next sample is due, apart from errors of rounding. Samples that arrive late
    /// are not considered.
    pub fn next_sample(&self, clock: &Clock) -> u64 {
        let steps = self.groups.iter().map(|group| group.next_sample(clock));
        steps.min().unwrap_or(u64::MAX)
    }

    /// Returns whether a sensor casts rays in space.
    pub fn scan_space(&self) -> bool {
        self.groups.iter().any(|group| group.is_spatial() && group.casts_rays())
    }

    /// Returns whether a sensor that casts rays in space is due at the end of a step.
    pub fn is_scan_due(&self, clock: &Clock) -> bool {
        let mut scanning = self.groups.iter().filter(|group| group.is_spatial());
        scanning.any(|group| group.is_due(clock))
    }

    /// Records that steps have been made in which no sensor was due.
    pub fn skip(&mut self) {
        self.groups.iter_mut().for_each(SensorGroup::skip);
    }

    /// Returns the number of rays of all sensors that are due at the end of a step.
    pub fn due_rays(&self, clock: &Clock) -> usize {
        self.groups.iter().filter(|group| group.is_due(clock)).map(SensorGroup::ray_count).sum()
    }

    /// Casts rays in space on an engine from the next sample on.
    pub fn set_engine(&mut self, engine: Box<dyn ScanEngine>, is_required: bool) {
        self.acceleration = Some(Acceleration::new(engine, is_required, self.infos.len()));
    }

    /// Returns the failure of the engine.
    pub fn scan_fallback(&self) -> Option<&ScanFallback> {
        self.acceleration.as_ref()?.fallback.as_ref()
    }

    /// Returns the use of the engine, if there is one.
    pub fn scan_report(&self) -> Option<ScanReport> {
        let acceleration = self.acceleration.as_ref()?;
        let scanning = self.infos.iter().zip(&self.places).enumerate();
        let scanning = scanning.filter(|(_, (_, (group, _)))| self.groups[*group].casts_rays());
        let sensors = scanning.map(|(number, (info, (group, _)))| SensorEngine {
            vehicle: info.vehicle.clone(),
            sensor: info.sensor.clone(),
            on_cpu: acceleration.reason(number, &self.groups[*group]),
        });
        let (device, fallback) = (acceleration.device.clone(), acceleration.fallback.clone());
        Some(ScanReport { device, sensors: sensors.collect(), fallback })
    }

    /// Samples the sensors that are due at the end of a step. Returns the faults of their models.
    ///
    /// # Errors
    /// [`ScanError`] if an engine has failed and is required.
    pub fn sample(
        &mut self,
        moment: &Moment,
        tables: &[Table],
        physics: &Physics,
        plans: &Plans,
        policy: &FaultPolicy,
        crew: Crew<'_>,
    ) -> Result<Vec<FaultReport>, ScanError> {
        let Self { groups, scene, acceleration, .. } = self;
        let mut casting = 0;
        // rays of all groups and of the largest one
        let (mut rays, mut most) = (0, 0);
        for group in groups.iter_mut() {
            let casts = group.update_due(&moment.clock) && group.casts_rays();
            casting += usize::from(casts);
            let count = if casts { group.ray_count() } else { 0 };
            (rays, most) = (rays + count, most.max(count));
        }
        // a few groups are sampled one after the other, each by all threads, and so is one with most rays
        let is_uneven = casting < crew.count() || most * crew.count() > rays;
        let [by_group, by_ray] = if is_uneven { [Crew::ALONE, crew] } else { [crew, Crew::ALONE] };
        by_group.for_each(groups.iter_mut(), |group| group.begin_sample(moment, tables, policy));
        if scene.is_in_motion_for(groups.iter().flat_map(SensorGroup::stands)) {
            scene.update(tables, physics, plans);
        }
        if let Some(active) = acceleration.as_mut().filter(|acceleration| acceleration.is_active())
        {
            active.scan(groups, tables, moment, crew)?;
        }
        let planar = scene.planar();
        let mut first = 0;
        while first < groups.len() {
            let level = groups[first].level;
            let end = first + groups[first..].partition_point(|group| group.level == level);
            let (sampled, later) = groups.split_at_mut(end);
            by_group.for_each(sampled[first..].iter_mut(), |group| {
                group.end_sample(moment, tables, planar, policy, by_ray);
            });
            if !later.is_empty() {
                let mut readers = Recipients::Sensors(later, end);
                let sampled = sampled[first..].iter_mut();
                sampled.for_each(|group| group.deliver_all(&mut readers, moment.clock.time()));
            }
            first = end;
        }
        let mut faults = Vec::new();
        for group in groups {
            faults.append(&mut group.faults);
        }
        Ok(faults)
    }

    /// Adds the model state of every sensor to the items of a result hash.
    pub fn add_results(&self, items: &mut Items) {
        for group in &self.groups {
            for (lane, member) in group.members.iter().enumerate() {
                let SensorInfo { vehicle, sensor, .. } = &self.infos[member.sensor];
                group.add_results(lane, &format!("sensor/{vehicle}/{sensor}"), items);
            }
        }
    }

    /// Changes one number of the last reading of the first sensor.
    #[cfg(test)]
    pub fn disturb_reading(&mut self) {
        let group = &mut self.groups[0];
        let column = group.read.outputs()[0];
        group.columns.get_mut(column)[0] += 1.0;
    }

    /// Adds the effect of a fault on a sensor.
    pub fn add_fault(&mut self, group: usize, lane: usize, fault: SensorFault) {
        let effect = Effect { lane, fault, is_present: false, dropped: false, held: Vec::new() };
        self.groups[group].effects.effects.push(effect);
    }

    /// Lets a fault begin or end.
    pub fn set_fault(&mut self, group: usize, lane: usize, fault: usize, is_present: bool) {
        let has_readings = self.groups[group].has_sample(lane);
        let group = &mut self.groups[group];
        let held: Vec<f64> = match has_readings {
            true => readings(&group.read, &group.columns, lane).collect(),
            false => Vec::new(),
        };
        let Effects { effects, is_active, .. } = &mut group.effects;
        for one in effects.iter_mut().filter(|one| one.fault.fault == fault) {
            one.is_present = is_present;
            one.held.clone_from(&held);
        }
        *is_active = effects.iter().any(|one| one.is_present);
    }

    /// Returns whether a fault has dropped the last sample, and the readings that it holds.
    pub fn held_by_fault(&self, group: usize, fault: usize) -> (bool, Vec<f64>) {
        let mut effects = self.groups[group].effects.effects.iter();
        effects.find(|one| one.fault.fault == fault).map_or((false, Vec::new()), |one| {
            // no other effect uses them
            let holds = one.is_present && one.fault.effect == FaultEffect::Stuck;
            (one.dropped, if holds { one.held.clone() } else { Vec::new() })
        })
    }

    /// Replaces what [`Self::held_by_fault`] returns. Readings of another number are not those of the
    /// sensor.
    pub fn hold_by_fault(
        &mut self,
        group: usize,
        lane: usize,
        fault: usize,
        dropped: bool,
        held: Vec<f64>,
    ) {
        let group = &mut self.groups[group];
        let count = readings(&group.read, &group.columns, lane).count();
        let mut effects = group.effects.effects.iter_mut();
        if let Some(one) = effects.find(|one| one.fault.fault == fault) {
            one.dropped = dropped;
            if held.is_empty() || held.len() == count {
                one.held = held;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use simhost_world::World;

    use super::{Mounted, NOBODY, Shared};
    use crate::build::Options;
    use crate::sensors::constants::Member;
    use crate::simulation::Simulation;
    use crate::tests::read;

    /// A world with sensors that stand around a block, with the numbers of rays of `rays`.
    fn world(rays: impl Iterator<Item = usize>) -> World {
        let sensor = |(i, rays)| {
            format!(
                "<sensor class=\"laser\" name=\"s{i}\"><nrays>{rays}</nrays><pose>0.1 0.2 0</pose>\
             <sensor_period>0.01</sensor_period></sensor>"
            )
        };
        let sensors: String = rays.enumerate().map(sensor).collect();
        let text = format!(
            "<mvsim_world><simul_timestep>0.01</simul_timestep><block name=\"box\"><mass>10</mass>\
         <shape_from_visual/><geometry type=\"box\" lx=\"1\" ly=\"1\" lz=\"1\"/>\
         <init_pose>5 0 0</init_pose></block>{sensors}</mvsim_world>"
        );
        read(&text)
    }

    #[test]
    fn sensors_find_their_groups_without_comparing_with_all() {
        for count in [10, 40, 160] {
            // each number of rays twice
            let world = world((0..2 * count).map(|i| 2 + i % count));
            let mut shared = Shared::default();
            for (number, sensor) in world.sensors.iter().enumerate() {
                let member = Member::new(number, NOBODY, None, 0);
                let (readings, published) = (Vec::new(), Vec::new());
                shared.add(Mounted { sensor, member, level: 0, readings, published });
            }
            assert_eq!(shared.groups.len(), count);
            assert!(shared.groups.iter().all(|members| members.len() == 2));
            assert_eq!(shared.compared, count, "one comparison for each second sensor");
        }
    }

    #[test]
    fn sensors_with_equal_parameters_share_their_columns() {
        let world = world([1500, 1500, 9, 1500].into_iter());
        let simulation =
            Simulation::new(&world, Options { seed: 1, threads: 1 }).expect("a valid world");
        let columns = |sensor: usize| simulation.sensors()[sensor].columns.outputs().as_ptr();
        // though each of the large ones is in a group of its own
        assert!(columns(0) == columns(1) && columns(0) == columns(3) && columns(0) != columns(2));
        assert_eq!(simulation.sensors()[2].columns.len(), 18);
    }

    #[test]
    fn samples_do_not_depend_on_threads_or_groups() {
        let world = world((0..9).map(|i| [4100, 600, 31][i % 3]));
        let hashes = [1, 2, 4].map(|threads| {
            let options = Options { seed: 1, threads };
            let mut simulation = Simulation::new(&world, options).expect("a valid world");
            simulation.start().expect("nothing faults");
            for _ in 0..3 {
                simulation.step().expect("nothing faults");
            }
            assert_eq!(simulation.samples().readings().count(), 9);
            simulation.result_hash()
        });
        assert_eq!(hashes, [hashes[0]; 3]);
    }
}
