//! Sensors: sampled after a step, in batches of those that share model, parameters and period.

mod state;

use std::sync::Arc;

use rayon::prelude::*;
use simhost_abi::Scope;
use simhost_model::View;
use simhost_scene::Pose2;
use simhost_sensing::{Fan, PlanarScene, Visibility};
use simhost_world::{FaultPolicy, Pose, SensorUse, World};

use crate::clock::Clock;
use crate::columns::{Column, Columns, Layout};
use crate::error::BuildError;
use crate::fault::{Evidence, FaultReport};
use crate::memory::Memories;
use crate::model::{Call, Made, Shape, Wired};
use crate::moment::Moment;
use crate::physics::{Body, Physics, wall_outline};
use crate::plan::Plans;
use crate::random::{Purpose, stream};
use crate::readings::{SensorInfo, suffix};
use crate::result_hash::Items;
use crate::table::Table;
use crate::take_over::{TakeOverError, carry_states};
use crate::walls;
use crate::wiring::{self, Lengths, Names};

/// All sensors of a world.
pub(crate) struct Sensors {
    infos: Vec<SensorInfo>,
    groups: Vec<Group>,
    scene: PlanarScene,
    obstacles: Vec<Obstacle>,
    /// Outline and heights of every vehicle.
    outlines: Vec<(Vec<[f64; 2]>, [f64; 2])>,
}

/// A block or a wall as sensors see it.
struct Obstacle {
    outline: Vec<[f64; 2]>,
    heights: [f64; 2],
    at: Place,
}

enum Place {
    /// With the height of its origin, m.
    Fixed(Pose2, f64),
    Body(Body),
}

/// Sensors that share model, parameters and period.
struct Group {
    call_aim: Call,
    call_read: Call,
    columns: Columns,
    /// Number of the sensor, table and lane of its vehicle.
    members: Vec<Member>,
    /// Inputs that are copied from the table of the vehicle, by name.
    inputs: Vec<(String, Column)>,
    origin: [Column; 4],
    max_range: Column,
    see_bodies: Column,
    angle: Column,
    range: Column,
    outputs: Vec<(Column, Scope)>,
    rays: usize,
    period: f64,
    samples: u64,
    fresh: bool,
    rows: Vec<Vec<f64>>,
    streams: Vec<u64>,
}

struct Member {
    sensor: usize,
    /// Number of the vehicle, or nobody's.
    vehicle: u32,
    /// Table and lane of the vehicle; none for a sensor that stands in the world.
    host: Option<(usize, usize)>,
    disabled: bool,
}

/// Name in the output of what belongs to no vehicle.
const WORLD: &str = "world";
/// Owner number of what belongs to no vehicle.
const NOBODY: u32 = u32::MAX;

impl Sensors {
    /// Makes the sensors of a world whose vehicles stand at `places` (table and lane).
    pub fn build(
        world: &World,
        places: &[(usize, usize)],
        bodies: &[Option<Body>],
        heights: &[f64],
    ) -> Result<Self, BuildError> {
        let mut infos = Vec::new();
        let mut shared: Vec<(&SensorUse, Vec<Member>)> = Vec::new();
        let carried = world.vehicles.iter().enumerate().flat_map(|(number, vehicle)| {
            let host = (number as u32, Some(places[number]), vehicle.name.as_str());
            vehicle.sensors.iter().map(move |sensor| (sensor, host))
        });
        let standing = world.sensors.iter().map(|sensor| (sensor, (NOBODY, None, WORLD)));
        let all = carried.chain(standing).filter(|(sensor, _)| sensor.gives_readings());
        for (sensor, (vehicle, host, name)) in all {
            let member = Member { sensor: infos.len(), vehicle, host, disabled: false };
            infos.push(SensorInfo {
                vehicle: name.to_owned(),
                sensor: sensor.name.clone(),
                columns: Vec::new(),
            });
            match shared.iter_mut().find(|(first, _)| same(first, sensor)) {
                Some((_, members)) => members.push(member),
                None => shared.push((sensor, vec![member])),
            }
        }
        let groups = shared
            .into_iter()
            .map(|(sensor, members)| Group::build(sensor, members, &mut infos))
            .collect::<Result<_, _>>()?;
        let outline = |vehicle: &simhost_world::Vehicle| {
            let chassis = &vehicle.chassis;
            let mut heights = [chassis.z_min, chassis.z_max];
            // wheels reach down to the ground
            heights[0] = if vehicle.wheels.is_empty() { heights[0] } else { 0.0 };
            (chassis.polygon.clone(), heights)
        };
        let outlines = world.vehicles.iter().map(outline).collect();
        let obstacles = obstacles(world, bodies, heights);
        let grids = world.grids.iter().map(|map| Arc::clone(&map.grid)).collect();
        let scene = PlanarScene::new(grids);
        Ok(Self { infos, groups, scene, obstacles, outlines })
    }

    /// Goes on from the sensors of another simulation of the same world.
    ///
    /// # Errors
    /// What a model says against what its predecessor remembers.
    pub fn carry(&mut self, old: &Self) -> Result<(), TakeOverError> {
        for group in &mut self.groups {
            for (lane, member) in group.members.iter().enumerate() {
                let SensorInfo { vehicle, sensor, .. } = &self.infos[member.sensor];
                let is_same =
                    |info: &SensorInfo| info.vehicle == *vehicle && info.sensor == *sensor;
                let Some(number) = old.infos.iter().position(is_same) else { continue };
                for from in &old.groups {
                    let found = from.members.iter().position(|one| one.sensor == number);
                    let Some(old_lane) = found else { continue };
                    group.samples = from.samples;
                    let lanes = std::iter::once((lane, old_lane));
                    let (call, old_call) = (&group.call_read, &from.call_read);
                    carry_states(call, &mut group.columns, old_call, &from.columns, lanes)?;
                }
            }
        }
        Ok(())
    }

    /// What sensors there are.
    pub fn infos(&self) -> &[SensorInfo] {
        &self.infos
    }

    /// Samples of the last step.
    pub fn readings(&self) -> impl Iterator<Item = (usize, &[f64])> {
        self.groups.iter().filter(|group| group.fresh).flat_map(|group| {
            let rows = group.members.iter().zip(&group.rows);
            rows.filter(|(member, _)| !member.disabled)
                .map(|(member, row)| (member.sensor, row.as_slice()))
        })
    }

    /// Samples the sensors that are due at the end of a step.
    pub fn sample(
        &mut self,
        moment: &Moment,
        tables: &[Table],
        physics: &Physics,
        plans: &Plans,
        policy: &FaultPolicy,
        faults: &mut Vec<FaultReport>,
    ) {
        let mut scene_is_current = false;
        for index in 0..self.groups.len() {
            self.groups[index].fresh = self.groups[index].is_due(&moment.clock);
            if !self.groups[index].fresh {
                continue;
            }
            if !scene_is_current && self.groups[index].rays > 0 {
                self.build_scene(tables, physics, plans);
                scene_is_current = true;
            }
            self.groups[index].sample(moment, tables, &self.scene, policy, faults);
        }
    }

    /// Adds the last reading and the model state of every sensor to the items of a result hash.
    pub fn add_results(&self, items: &mut Items) {
        for group in &self.groups {
            for (lane, member) in group.members.iter().enumerate() {
                let SensorInfo { vehicle, sensor, .. } = &self.infos[member.sensor];
                let label = format!("sensor/{vehicle}/{sensor}");
                items.add_states(&format!("{label}/state"), &group.call_read, &group.columns, lane);
                if group.samples == 0 || member.disabled {
                    continue;
                }
                let ports = group.call_read.phase.outputs();
                for (port, (column, _)) in ports.iter().zip(&group.outputs) {
                    let shape = group.call_read.shape();
                    let numbers = shape.of_lane(port.scope, group.columns.get(*column), lane);
                    items.add(format!("{label}/read/{}", port.name()), &numbers);
                }
            }
        }
    }

    /// Changes one number of the last reading of the first sensor.
    #[cfg(test)]
    pub fn disturb_reading(&mut self) {
        let group = &mut self.groups[0];
        group.columns.get_mut(group.outputs[0].0)[0] += 1.0;
    }

    fn build_scene(&mut self, tables: &[Table], physics: &Physics, plans: &Plans) {
        self.scene.clear();
        for obstacle in &self.obstacles {
            let (pose, fixed, [low, high]) = match &obstacle.at {
                Place::Fixed(pose, z) => (*pose, true, obstacle.heights.map(|h| h + z)),
                Place::Body(body) => (physics.state(*body).pose(), false, physics.heights(*body)),
            };
            self.scene.add_polygon(NOBODY, fixed, &obstacle.outline, pose, [low, high]);
        }
        for walker in &plans.walkers {
            let pose = physics.state(walker.body).pose();
            let heights = physics.heights(walker.body);
            self.scene.add_polygon(NOBODY, false, &walker.outline, pose, heights);
        }
        for table in tables {
            for (lane, owner) in table.lanes.iter().enumerate() {
                let (outline, heights) = &self.outlines[owner.vehicle];
                let heights = heights.map(|height| height + owner.attitude[0]);
                let number = owner.vehicle as u32;
                self.scene.add_polygon(number, false, outline, table.pose(lane), heights);
            }
        }
    }
}

fn same(a: &SensorUse, b: &SensorUse) -> bool {
    std::ptr::eq(a.model.model.model, b.model.model.model)
        && a.model.values == b.model.values
        && a.period == b.period
}

fn obstacles(world: &World, bodies: &[Option<Body>], heights: &[f64]) -> Vec<Obstacle> {
    let walls = world.walls.iter().map(|wall| {
        let (outline, state) = wall_outline(wall);
        Obstacle { outline, heights: [0.0, wall.height], at: Place::Fixed(state.pose(), 0.0) }
    });
    let planes = world.vertical_planes.iter().flat_map(|plane| {
        walls::pieces(plane, walls::Meets::Sight).into_iter().map(|piece| Obstacle {
            outline: piece.outline,
            heights: piece.span,
            at: Place::Fixed(walls::place(plane), plane.pose.z),
        })
    });
    let blocks = world.blocks.iter().zip(bodies).zip(heights);
    let blocks = blocks.filter(|((block, _), _)| !block.intangible).map(|((block, body), z)| {
        let Pose { x, y, yaw, .. } = block.pose;
        Obstacle {
            outline: block.polygon.clone(),
            heights: [block.z_min, block.z_max],
            at: body.map_or(Place::Fixed(Pose2 { x, y, yaw }, *z), Place::Body),
        }
    });
    walls.chain(planes).chain(blocks).collect()
}

impl Group {
    fn build(
        sensor: &SensorUse,
        members: Vec<Member>,
        infos: &mut [SensorInfo],
    ) -> Result<Self, BuildError> {
        let made: Arc<Made> = Made::new(&sensor.model)?;
        let rays = made.rays();
        let lengths = Lengths { lanes: members.len(), wheels: 0, rays };
        let incomplete = |text: &str| BuildError::Incomplete {
            class: made.class.full_name.to_string(),
            text: text.to_string(),
            span: sensor.model.span,
        };
        let aim = made.phase("aim").ok_or_else(|| incomplete("it has no phase `aim`"))?;
        let read = made.phase("read").ok_or_else(|| incomplete("it has no phase `read`"))?;
        let entities: Vec<String> = members
            .iter()
            .map(|member| {
                let SensorInfo { vehicle, sensor, .. } = &infos[member.sensor];
                format!("vehicle '{vehicle}', sensor '{sensor}'")
            })
            .collect();
        let mut layout = Layout::default();
        let mut aimed = Names::new();
        let aim_wired = Wired {
            inputs: wiring::inputs(aim.inputs(), &[], &mut Names::new(), lengths, &mut layout),
            outputs: wiring::outputs(aim.outputs(), &mut aimed, lengths, &mut layout),
            states: wiring::states(made.model(), lengths, &mut layout),
            memories: Memories::new(&made, members.len()).map_err(|text| incomplete(&text))?,
            entities: entities.clone(),
        };
        let range = layout.fill(lengths.lanes * rays, f64::INFINITY);
        let ranges = Names::from([("range".to_string(), range)]);
        let mut open = Names::new();
        let read_wired = Wired {
            inputs: wiring::inputs(
                read.inputs(),
                &[&ranges, &aimed],
                &mut open,
                lengths,
                &mut layout,
            ),
            outputs: wiring::outputs(read.outputs(), &mut Names::new(), lengths, &mut layout),
            states: aim_wired.states.clone(),
            memories: aim_wired.memories.clone(),
            entities,
        };
        let mut optional = |name: &str, value: f64, len: usize| {
            aimed.get(name).copied().unwrap_or_else(|| layout.fill(len, value))
        };
        let origin = ["origin_x", "origin_y", "origin_yaw", "origin_z"]
            .map(|name| optional(name, 0.0, lengths.lanes));
        let max_range = optional("max_range", f64::INFINITY, lengths.lanes);
        let see_bodies = optional("see_bodies", 1.0, lengths.lanes);
        let angle = optional("angle", 0.0, lengths.lanes * rays);
        let ports = read.outputs();
        let outputs: Vec<(Column, Scope)> = ports
            .iter()
            .zip(&read_wired.outputs)
            .map(|(port, column)| (*column, scope(port.scope)))
            .collect();
        let names = column_names(ports, rays);
        for member in &members {
            infos[member.sensor].columns.clone_from(&names);
        }
        let columns = layout.finish();
        let shape = Shape { wheels: 0, wheel_stride: 0, rays };
        Ok(Self {
            call_aim: Call::new(&made, aim, aim_wired, shape, &columns),
            call_read: Call::new(&made, read, read_wired, shape, &columns),
            inputs: open.into_iter().collect(),
            origin,
            max_range,
            see_bodies,
            angle,
            range,
            outputs,
            rays,
            period: sensor.period,
            samples: 0,
            fresh: false,
            rows: vec![Vec::new(); members.len()],
            streams: vec![0; members.len()],
            members,
            columns,
        })
    }

    /// Samples are due at whole multiples of the period.
    fn is_due(&self, clock: &Clock) -> bool {
        clock.time() >= (self.samples + 1) as f64 * self.period - 1e-9
    }

    fn sample(
        &mut self,
        moment: &Moment,
        tables: &[Table],
        scene: &PlanarScene,
        policy: &FaultPolicy,
        faults: &mut Vec<FaultReport>,
    ) {
        // a period shorter than the step gives one sample a step
        self.samples = ((moment.clock.time() + 1e-9) / self.period).floor() as u64;
        for (index, member) in self.members.iter().enumerate() {
            let key = (member.vehicle as u64) << 32 | member.sensor as u64;
            self.streams[index] = stream(moment.seed, Purpose::Sensor, key, self.samples);
            let Some((table, lane)) = member.host else { continue };
            for (name, column) in &self.inputs {
                let table = &tables[table];
                if let Some(source) = table.measurements.get(name) {
                    self.columns.get_mut(*column)[index] = table.columns.get(*source)[lane];
                }
            }
        }
        self.call(true, moment, policy, faults);
        self.cast(tables, scene);
        self.call(false, moment, policy, faults);
        self.collect_rows();
    }

    fn call(
        &mut self,
        aim: bool,
        moment: &Moment,
        policy: &FaultPolicy,
        faults: &mut Vec<FaultReport>,
    ) {
        let call = if aim { &self.call_aim } else { &self.call_read };
        for lane in 0..self.members.len() {
            if self.members[lane].disabled {
                continue;
            }
            let before = call.remembered(&self.columns);
            let found = call.run(&mut self.columns, lane..lane + 1, moment, &self.streams);
            for (fault, _) in found {
                let mut evidence =
                    Evidence::gather(call, &self.columns, &before, lane, moment, &fault);
                evidence.stream = self.streams.get(lane).copied();
                faults.push(FaultReport::new(evidence, policy));
                self.members[lane].disabled = true;
            }
        }
    }

    fn cast(&mut self, tables: &[Table], scene: &PlanarScene) {
        if self.rays == 0 {
            return;
        }
        let rays = self.rays;
        let fans: Vec<(Pose2, f64, f64, Visibility, u32)> = self
            .members
            .iter()
            .enumerate()
            .map(|(index, member)| {
                let [x, y, yaw, z] = self.origin.map(|column| self.columns.get(column)[index]);
                let own = Pose2 { x, y, yaw };
                let (origin, z) = member.host.map_or((own, z), |(table, lane)| {
                    let table = &tables[table];
                    (table.pose(lane).compose(own), z + table.lanes[lane].attitude[0])
                });
                let reach = self.columns.get(self.max_range)[index];
                let all = self.columns.get(self.see_bodies)[index] != 0.0;
                let see = if all { Visibility::All } else { Visibility::StaticOnly };
                (origin, z, reach, see, member.vehicle)
            })
            .collect();
        let angles = self.columns.get(self.angle).to_vec();
        let ranges = self.columns.get_mut(self.range);
        ranges.par_chunks_mut(rays).zip(&fans).zip(angles.par_chunks(rays)).for_each(
            |((ranges, &(origin, z, max_range, see, vehicle)), angles)| {
                let ignore = (vehicle != NOBODY).then_some(vehicle);
                let fan = Fan { origin, z, angles, max_range, ignore, see };
                scene.cast(&fan, ranges);
            },
        );
    }

    /// The numbers of each sample in the order of the csv columns.
    fn collect_rows(&mut self) {
        for (index, row) in self.rows.iter_mut().enumerate() {
            row.clear();
            for (column, scope) in &self.outputs {
                let values = self.columns.get(*column);
                match scope {
                    Scope::Ray => {
                        row.extend(&values[index * self.rays..(index + 1) * self.rays]);
                    }
                    _ => row.push(values[index]),
                }
            }
        }
    }
}

fn scope(number: u32) -> Scope {
    if number == Scope::Ray as u32 { Scope::Ray } else { Scope::Instance }
}

fn column_names(ports: &'static [View<simhost_abi::PortDesc>], rays: usize) -> Vec<String> {
    let mut names = Vec::new();
    for port in ports {
        let unit = suffix(port.unit());
        let name = port.name();
        match scope(port.scope) {
            Scope::Ray => names.extend((0..rays).map(|ray| format!("{name}{unit}_{ray}"))),
            _ => names.push(format!("{name}{unit}")),
        }
    }
    names
}
