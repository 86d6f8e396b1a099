//! Vehicles: what their includes, their own tags and their class say together.

use std::rc::Rc;
use std::sync::Arc;

use crate::description::{
    Aerodynamics, Animation, ModelUse, Pose, Publish, SensorUse, Suspension, Vehicle, Visual,
};
use crate::dynamics::Dynamics;
use crate::reader::Reader;
use crate::sensors::UnnamedSensor;
use crate::tag::Tag;
use crate::vocabulary::vehicle::{AERODYNAMICS, ODOMETRY, SUSPENSION, VEHICLE};
use crate::xml::{Element, Text};

/// What one place says of a vehicle: an include, the vehicle itself, its class.
#[derive(Debug, Default)]
pub(crate) struct VehiclePart {
    pose: Option<Pose>,
    /// Given, right or wrong.
    has_pose: bool,
    has_dynamics: bool,
    velocity: Option<[f64; 3]>,
    skip_elevation_adjust: bool,
    dynamics: Option<Arc<Dynamics>>,
    friction: Option<Arc<ModelUse>>,
    odometry: Option<[f64; 3]>,
    aerodynamics: Option<Aerodynamics>,
    suspension: Option<Suspension>,
    sensors: Vec<UnnamedSensor>,
    visuals: Vec<Visual>,
    animation: Option<Arc<Animation>>,
    publish: Option<Arc<Publish>>,
    shared: std::cell::OnceCell<Shared>,
}

/// What a vehicle that adds nothing has from its class.
#[derive(Clone, Debug)]
struct Shared {
    sensors: Arc<[SensorUse]>,
    visuals: Arc<[Visual]>,
}

impl Reader<'_> {
    pub(crate) fn vehicle(&mut self, element: &Element) {
        let own = element.attribute("name");
        let name = self.vehicle_name(own);
        let errors = self.report.error_count();
        match self.composed(element, &name) {
            Some(vehicle) => self.world.vehicles.push(vehicle),
            // the missing part has been reported, if only for an earlier vehicle
            None if self.report.error_count() == errors && !self.report.has_errors() => {
                self.error(element.name_span, "this vehicle is not complete", "", Vec::new());
            }
            None => {}
        }
    }

    /// Its own name, or the first of `veh1`, `veh2`, … that counts vehicles without one.
    fn vehicle_name(&mut self, given: Option<&Text>) -> String {
        let value = given.and_then(|text| Some((text, self.value(text)?)));
        let (name, span) = match value {
            Some((text, name)) => (name.to_string(), Some(text.span)),
            None => {
                let mut number = self.vehicle_names.len() + 1;
                while self.vehicle_names.contains(&format!("veh{number}")) {
                    number += 1;
                }
                (format!("veh{number}"), None)
            }
        };
        if let Some(span) = span.filter(|_| name.is_empty()) {
            self.error(span, "a vehicle with an empty name", "", Vec::new());
        }
        if !self.vehicle_names.insert(name.clone())
            && let Some(span) = span
        {
            let message = format!("two vehicles are named `{name}`");
            let help = "help: give each its own name, or none".to_owned();
            self.error(span, message, "used before", vec![help]);
        }
        name
    }

    fn composed(&mut self, element: &Element, name: &str) -> Option<Vehicle> {
        let class = match element.attribute("class") {
            Some(text) => Some(self.vehicle_class(text)?),
            None => None,
        };
        let base = class.as_ref().and_then(|class| class.friction.clone());
        let own = self.vehicle_part(element, &VEHICLE, base.as_ref());
        let parts: Vec<&VehiclePart> = [&own].into_iter().chain(class.as_deref()).collect();
        let first = parts.as_slice();
        let pose = first.iter().find_map(|part| part.pose);
        if !first.iter().any(|part| part.has_pose) {
            self.without_pose(element, name);
        }
        let friction = match first.iter().find_map(|part| part.friction.clone()) {
            Some(friction) => Some(friction),
            None => self.default_friction(element),
        };
        let dynamics = first.iter().find_map(|part| part.dynamics.clone());
        if !first.iter().any(|part| part.has_dynamics) {
            self.without_dynamics(element, name);
        }
        let Shared { sensors, visuals } = self.accumulated(first, class.as_deref(), name);
        let dynamics = dynamics?;
        self.check_linked(&dynamics, &visuals);
        Some(Vehicle {
            name: name.to_owned(),
            span: element.name_span,
            pose: pose?,
            velocity: first.iter().find_map(|part| part.velocity).unwrap_or_default(),
            skip_elevation_adjust: first.iter().any(|part| part.skip_elevation_adjust),
            chassis: self.chassis_with(&dynamics, &visuals, element)?,
            wheels: Arc::clone(&dynamics.wheels),
            dynamics: Arc::clone(&dynamics.model),
            friction: friction?,
            controller: Arc::clone(&dynamics.controller),
            sensors,
            aerodynamics: first.iter().find_map(|part| part.aerodynamics).unwrap_or_default(),
            suspension: first.iter().find_map(|part| part.suspension),
            odometry_multipliers: first.iter().find_map(|part| part.odometry).unwrap_or([1.0; 3]),
            animation: first.iter().find_map(|part| part.animation.clone()),
            visuals,
            publish: first.iter().find_map(|part| part.publish.clone()),
        })
    }

    fn without_dynamics(&mut self, element: &Element, name: &str) {
        let message = format!("vehicle `{name}` has no dynamics");
        let help = "help: write <dynamics class=\"…\">".to_owned();
        self.error(element.name_span, message, "", vec![help]);
    }

    /// What all places add up to.
    fn accumulated(
        &mut self,
        parts: &[&VehiclePart],
        class: Option<&VehiclePart>,
        name: &str,
    ) -> Shared {
        let adds = |part: &&VehiclePart| !part.sensors.is_empty() || !part.visuals.is_empty();
        let own = parts.len() - usize::from(class.is_some());
        let shared = class.filter(|_| !parts[..own].iter().any(adds));
        if let Some(shared) = shared.and_then(|class| class.shared.get()) {
            return shared.clone();
        }
        let sensors = parts.iter().flat_map(|part| &part.sensors);
        let sensors = self.named_sensors(sensors, name).into();
        let visuals = parts.iter().flat_map(|part| part.visuals.iter().cloned()).collect();
        let all = Shared { sensors, visuals };
        if let Some(class) = shared {
            return class.shared.get_or_init(|| all).clone();
        }
        all
    }

    /// What the children of an element say.
    pub(crate) fn vehicle_part(
        &mut self,
        element: &Element,
        section: &'static crate::vocabulary::Section,
        friction: Option<&Arc<ModelUse>>,
    ) -> VehiclePart {
        let mut tag = Tag::new(self, element, section);
        tag.head();
        let mut part = VehiclePart {
            pose: tag.pose(),
            has_pose: tag.has_pose(),
            velocity: tag.velocity(),
            skip_elevation_adjust: tag.is_given("skip_elevation_adjust"),
            animation: tag.animation(),
            publish: tag.publish(),
            ..VehiclePart::default()
        };
        let (dynamics, own_friction) = (tag.child("dynamics"), tag.child("friction"));
        let odometry = tag.child("odometry");
        let aerodynamics = tag.child("aerodynamics");
        let suspension = tag.child("suspension");
        let (sensors, visuals) = (tag.children(&["sensor"]), tag.children(&["visual"]));
        tag.finish();
        part.has_dynamics = dynamics.is_some();
        part.dynamics = dynamics.and_then(|dynamics| self.dynamics(dynamics)).map(Arc::new);
        part.friction = own_friction.and_then(|element| self.friction(element, friction));
        part.odometry = odometry.map(|odometry| self.odometry(odometry));
        part.aerodynamics = aerodynamics.map(|element| self.aerodynamics(element));
        part.suspension = suspension.and_then(|element| self.suspension(element));
        part.sensors = sensors.into_iter().filter_map(|sensor| self.sensor(sensor)).collect();
        part.visuals = self.visuals(&visuals);
        part
    }

    fn aerodynamics(&mut self, element: &Element) -> Aerodynamics {
        let mut tag = Tag::new(self, element, &AERODYNAMICS);
        let (drag_area, lift_area) = (tag.number("drag_area"), tag.number("lift_area"));
        tag.finish();
        Aerodynamics { drag_area, lift_area }
    }

    fn suspension(&mut self, element: &Element) -> Option<Suspension> {
        let mut tag = Tag::new(self, element, &SUSPENSION);
        let (stiffness, damping) = (tag.given_number("stiffness"), tag.given_number("damping"));
        let (roll_inertia, pitch_inertia) =
            (tag.given_number("roll_inertia"), tag.given_number("pitch_inertia"));
        let stiffness = tag.needed("stiffness", stiffness);
        let damping = tag.needed("damping", damping);
        tag.finish();
        Some(Suspension { stiffness: stiffness?, damping: damping?, roll_inertia, pitch_inertia })
    }

    fn odometry(&mut self, element: &Element) -> [f64; 3] {
        let mut tag = Tag::new(self, element, &ODOMETRY);
        let names = ["x_multiplier", "y_multiplier", "yaw_multiplier"];
        let multipliers = names.map(|name| tag.number(name));
        tag.finish();
        multipliers
    }

    fn vehicle_class(&mut self, text: &Text) -> Option<Rc<VehiclePart>> {
        let name = self.value(text)?;
        let found = self.vehicle_classes.get(name.as_str()).cloned();
        match found {
            Some(part) => Some(part),
            None => {
                let known: Vec<String> = self.vehicle_classes.keys().cloned().collect();
                self.unknown_layer(text, &name, &known, "vehicle:class");
                None
            }
        }
    }
}
