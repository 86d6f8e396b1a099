//! Collection of the quantities of a simulation.

use simhost_world::{Vehicle, World};

use super::info::{QuantityInfo, QuantityScope};
use super::names::Names;
use super::source::{self, Source};
use crate::physics::Body;
use crate::readings::Units;
use crate::simulation::Simulation;
use crate::table::{Field, Table};

/// Collects quantities.
pub(super) struct Collection<K> {
    /// The quantities that have been kept.
    pub infos: Vec<QuantityInfo>,
    /// The places of their values.
    pub sources: Vec<Source>,
    keep: K,
    entities: Names,
}

impl<K: FnMut(&str) -> bool> Collection<K> {
    /// Creates an empty collection of quantities whose full name `keep` accepts.
    pub fn new(keep: K) -> Self {
        Self { infos: Vec::new(), sources: Vec::new(), keep, entities: Names::default() }
    }

    /// Adds the quantities of everything, in the order of [`Quantities::new`].
    pub fn add_all(&mut self, world: &World, simulation: &Simulation) {
        self.add_world(world, simulation);
        self.add_vehicles(world, simulation);
        self.add_blocks(world, simulation);
        self.add_actors(simulation);
        self.add_joints(world, simulation);
        self.add_planes(world);
    }

    fn add(&mut self, info: QuantityInfo, source: impl FnOnce() -> Source) {
        if (self.keep)(&info.name) {
            let doc = sentence(&info.doc);
            self.infos.push(QuantityInfo { doc, ..info });
            self.sources.push(source());
        }
    }

    /// Adds a quantity that the host computes.
    fn host(
        &mut self,
        name: String,
        (scope, units): (QuantityScope, Units),
        doc: &str,
        source: impl FnOnce() -> Source,
    ) {
        let len = match units {
            Units::All(_) => None,
            Units::Pose => Some(6),
            Units::Twist => Some(3),
        };
        let doc = doc.to_owned();
        let info = QuantityInfo { name, units, len, scope, source: "host".to_owned(), doc };
        self.add(info, source);
    }

    fn add_world(&mut self, world: &World, simulation: &Simulation) {
        let name = self.entities.claim("world");
        let scope = QuantityScope::World;
        let time = (scope, Units::All("s"));
        self.host(format!("{name}/time"), time, "Simulated time.", || Source::Time);
        let doc = "Gravity of the world.";
        let units = Units::All("m/s²");
        self.host(format!("{name}/gravity"), (scope, units), doc, || Source::Gravity);
        for field in simulation.environments.fields() {
            let (units, source) = (Units::All(field.unit), field.source);
            let (name, doc) = (format!("{name}/environment/{}", field.name), field.doc.to_owned());
            let info = QuantityInfo { name, units, len: None, scope, source, doc };
            self.add(info, || Source::Environment(field.place));
        }
        let places = simulation.sensors.places();
        let infos = simulation.sensors.infos().iter().enumerate();
        // sensors without a vehicle come last
        let mounted: usize = world.vehicles.iter().map(mounted_sensors).sum();
        for (number, info) in infos.skip(mounted) {
            self.add_sensor(simulation, &name, &info.sensor, places[number]);
        }
    }

    fn add_vehicles(&mut self, world: &World, simulation: &Simulation) {
        let fields: Vec<Vec<Field>> = simulation.tables.iter().map(Table::fields).collect();
        let places = simulation.sensors.places();
        let fleets = simulation.fleets.places(world.vehicles.len());
        let mut sensor = 0;
        for ((vehicle, &(table, lane)), fleet) in
            world.vehicles.iter().zip(&simulation.places).zip(fleets)
        {
            let name = self.entities.claim(&vehicle.name);
            let own = fields[table].iter().enumerate().filter(|(_, field)| !field.of_wheel);
            own.for_each(|field| self.add_field(&name, field, (table, lane, 0)));
            if let Some(place) = fleet {
                self.add_fleet(simulation, &name, place);
            }
            let wheels = &simulation.tables[table].vehicles.wheels.names;
            let mut names = Names::default();
            for (wheel, tag) in wheels.iter().enumerate() {
                let prefix = format!("{name}/wheel/{}", names.claim(tag));
                let own = |(_, field): &(usize, &Field)| {
                    field.of_wheel && field.wheel.is_none_or(|only| only == wheel)
                };
                for field in fields[table].iter().enumerate().filter(own) {
                    self.add_field(&prefix, field, (table, lane, wheel));
                }
            }
            for _ in 0..mounted_sensors(vehicle) {
                let info = &simulation.sensors.infos()[sensor];
                self.add_sensor(simulation, &name, &info.sensor, places[sensor]);
                sensor += 1;
            }
        }
    }

    /// Adds a quantity of a vehicle or of a wheel.
    fn add_field(
        &mut self,
        prefix: &str,
        (number, field): (usize, &Field),
        place: (usize, usize, usize),
    ) {
        let name = format!("{prefix}/{}", field.name);
        let len = field.read.len();
        let scope = match field.of_wheel {
            true => QuantityScope::Wheel,
            false => QuantityScope::Vehicle,
        };
        let (source, doc) = (field.source.clone(), field.doc.to_owned());
        let info = QuantityInfo { name, units: field.units, len, scope, source, doc };
        let (table, lane, wheel) = place;
        let read = field.read;
        self.add(info, || Source::Table { table, lane, wheel, field: number, read });
    }

    fn add_sensor(
        &mut self,
        simulation: &Simulation,
        entity: &str,
        sensor: &str,
        place: (usize, usize),
    ) {
        for field in simulation.sensors.fields(place) {
            let name = format!("{entity}/sensor/{sensor}/{}", field.name);
            let scope = match field.len {
                Some(_) => QuantityScope::Ray,
                None => QuantityScope::Sensor,
            };
            let (units, len, source) = (field.units, field.len, field.source);
            let info = QuantityInfo { name, units, len, scope, source, doc: field.doc.to_owned() };
            self.add(info, || Source::Sensor(field.place));
        }
    }

    /// Adds the quantities of a vehicle that its fleet computes.
    fn add_fleet(&mut self, simulation: &Simulation, vehicle: &str, place: (usize, usize)) {
        for field in simulation.fleets.fields(place) {
            let info = QuantityInfo {
                name: format!("{vehicle}/fleet/{}", field.name),
                units: field.units,
                len: None,
                scope: QuantityScope::Vehicle,
                source: field.source,
                doc: field.doc.to_owned(),
            };
            self.add(info, || Source::Fleet(field.place));
        }
    }

    fn add_blocks(&mut self, world: &World, simulation: &Simulation) {
        let mut bodies = vec![None; world.blocks.len()];
        for mover in &simulation.movers {
            if let Some(number) = mover.block {
                bodies[number] = Some(mover.body);
            }
        }
        for (block, body) in world.blocks.iter().zip(bodies) {
            let name = self.entities.claim(&block.name);
            let scope = QuantityScope::Block;
            match body {
                Some(body) => self.add_body(&name, scope, body),
                None => {
                    let pose = source::pose(&block.pose);
                    let doc = "Origin of the outline; the block does not move.";
                    let units = (scope, Units::Pose);
                    self.host(format!("{name}/pose"), units, doc, || {
                        Source::Constant(pose.to_vec())
                    });
                }
            }
        }
    }

    fn add_actors(&mut self, simulation: &Simulation) {
        for mover in simulation.movers.iter().filter(|mover| mover.block.is_none()) {
            let name = mover.label.strip_prefix("actor/").unwrap_or(&mover.label);
            let name = self.entities.claim(name);
            self.add_body(&name, QuantityScope::Actor, mover.body);
        }
    }

    fn add_body(&mut self, name: &str, scope: QuantityScope, body: Body) {
        let doc = "Origin of the outline: x, y, z; yaw, pitch, roll; world frame.";
        let (pose, twist) = ((scope, Units::Pose), (scope, Units::Twist));
        self.host(format!("{name}/pose"), pose, doc, || Source::BodyPose(body));
        let doc = "Velocity of the centre of mass along x and y, yaw rate; world frame.";
        self.host(format!("{name}/twist"), twist, doc, || Source::BodyTwist(body));
    }

    fn add_joints(&mut self, world: &World, simulation: &Simulation) {
        for joint in &world.joints {
            let name = self.entities.claim(&joint.name);
            let scope = QuantityScope::Joint;
            let doc = "Distance between the anchors.";
            let metres = (scope, Units::All("m"));
            self.host(format!("{name}/distance"), metres, doc, || {
                Source::distance(joint, world, simulation)
            });
            let doc = "Yaw of the second body relative to the first.";
            let radians = (scope, Units::All("rad"));
            self.host(format!("{name}/angle"), radians, doc, || {
                Source::angle(joint, world, simulation)
            });
        }
    }

    fn add_planes(&mut self, world: &World) {
        let doc = "Frame of the plane: x, y, z; yaw, pitch, roll; world frame.";
        let horizontal = world.horizontal_planes.iter();
        let horizontal = horizontal.map(|plane| (&plane.name, plane.pose, &plane.animation));
        let vertical = world.vertical_planes.iter();
        let vertical = vertical.map(|plane| (&plane.name, plane.pose, &plane.animation));
        for (name, pose, animation) in horizontal.chain(vertical) {
            let name = self.entities.claim(name);
            let units = (QuantityScope::Plane, Units::Pose);
            self.host(format!("{name}/pose"), units, doc, || Source::Animated {
                pose,
                animation: animation.clone(),
            });
        }
    }
}

/// Returns the description of a port as a sentence.
fn sentence(doc: &str) -> String {
    let mut rest = doc.trim().chars();
    let Some(first) = rest.next() else { return String::new() };
    let text: String = first.to_uppercase().chain(rest).collect();
    if text.ends_with(['.', '!', '?']) { text } else { text + "." }
}

/// Returns the number of sensors of a vehicle that give readings.
fn mounted_sensors(vehicle: &Vehicle) -> usize {
    vehicle.sensors.iter().filter(|sensor| sensor.gives_readings()).count()
}
