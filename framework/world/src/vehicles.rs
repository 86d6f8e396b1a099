//! Vehicles: what their includes, their own tags and their class say together.

use std::rc::Rc;
use std::sync::Arc;

use simhost_abi::Kind;

use crate::description::Vehicle;
use crate::fields::{Fields, PICTURE_TAGS};
use crate::numbers::Quantity;
use crate::reader::{Reader, did_you_mean};
use crate::xml::{Element, Text};

/// The places that are searched for a tag, in order.
pub(crate) struct Composition {
    parts: Vec<Rc<Vec<Element>>>,
}

impl Composition {
    pub(crate) fn new(parts: Vec<Rc<Vec<Element>>>) -> Self {
        Self { parts }
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Element> {
        self.parts.iter().flat_map(|part| part.iter())
    }

    /// The first hit; of several in one place the first, as the peer does.
    pub(crate) fn first(&self, name: &str) -> Option<&Element> {
        self.all().find(|element| element.name == name)
    }

    pub(crate) fn every(&self, name: &str) -> impl Iterator<Item = &Element> {
        self.all().filter(move |element| element.name == name)
    }
}

const TAGS: &[&str] =
    &["dynamics", "friction", "odometry", "sensor", "init_pose", "init_pose3d", "init_vel"];

impl Reader<'_> {
    pub(crate) fn vehicle(&mut self, element: &Element) {
        let mut fields = Fields::attributes_of(element);
        let (name, class) = (fields.attribute("name"), fields.attribute("class"));
        self.finish(fields);
        let name = self.vehicle_name(name);
        if let Some(parts) = self.composition(element, class) {
            self.known_tags(&parts, TAGS, "vehicle");
            if let Some(vehicle) = self.composed(element, name, &parts) {
                self.world.vehicles.push(vehicle);
            } else if !self.report.has_errors() {
                // the missing part has been reported, if only for an earlier vehicle
                self.error(element.name_span, "this vehicle is not complete", "", Vec::new());
            }
        }
    }

    /// Its own name, or the first of `veh1`, `veh2`, … that counts vehicles without one.
    fn vehicle_name(&mut self, given: Option<&Text>) -> String {
        let value = given.and_then(|text| Some((text, self.value(text)?)));
        let (name, span) = match value {
            Some((text, name)) => (name, Some(text.span)),
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

    /// The instance, which begins with what it includes, then the class.
    fn composition(&mut self, element: &Element, class: Option<&Text>) -> Option<Composition> {
        let mut parts = vec![Rc::new(element.children.clone())];
        if let Some(text) = class {
            let name = self.value(text)?;
            let known = &self.vehicle_classes;
            let found = known.get(&name).map(Rc::clone);
            let hint = did_you_mean(&name, known.keys().map(String::as_str));
            parts.push(self.known_class(text, &name, found, &hint, "vehicle:class")?);
        }
        Some(Composition::new(parts))
    }

    /// The contents of a class, or an error at the place that names it.
    pub(crate) fn known_class(
        &mut self,
        text: &Text,
        name: &str,
        found: Option<Rc<Vec<Element>>>,
        hint: &str,
        tag: &str,
    ) -> Option<Rc<Vec<Element>>> {
        if found.is_none() {
            let message = format!("there is no <{tag} name=\"{name}\">");
            let help = "help: a class is declared or included before its use".to_owned();
            self.error(text.span, message, hint, vec![help]);
        }
        found
    }

    /// Reports tags that are not known, and those that are not built.
    pub(crate) fn known_tags(&mut self, parts: &Composition, tags: &[&str], owner: &str) {
        for element in parts.all() {
            let name = element.name.as_str();
            if tags.contains(&name) || PICTURE_TAGS.contains(&name) {
                continue;
            }
            if matches!(name, "animation" | "if" | "for" | "geometry" | "shape_from_visual")
                && (owner == "block" || matches!(name, "animation" | "if" | "for"))
            {
                self.unsupported(element.name_span, &format!("`<{name}>`"));
                continue;
            }
            let message = format!("unknown tag `<{name}>` in a {owner}");
            let label = did_you_mean(name, tags.iter().copied());
            let notes = vec![format!("help: known here: {}", tags.join(", "))];
            self.say(self.strictness(), element.name_span, message, label, notes);
        }
    }

    fn composed(
        &mut self,
        element: &Element,
        name: String,
        parts: &Composition,
    ) -> Option<Vehicle> {
        let (flat, full) = (parts.first("init_pose"), parts.first("init_pose3d"));
        if flat.is_none() && full.is_none() {
            let message = format!("vehicle `{name}` has no pose");
            let help = "help: write <init_pose>X Y YAW_DEG</init_pose>".to_owned();
            self.error(element.name_span, message, "", vec![help]);
        }
        let pose = self.pose(flat, full);
        let velocity = self.velocity(parts.first("init_vel"));
        let odometry_multipliers = self.odometry(parts.first("odometry"));
        let friction = match parts.first("friction") {
            Some(friction) => self.friction(friction),
            None => self.default_model(Kind::Friction, "default", element),
        };
        let dynamics = match parts.first("dynamics") {
            Some(dynamics) => self.dynamics(dynamics),
            None => {
                let message = format!("vehicle `{name}` has no dynamics");
                let help = "help: write <dynamics class=\"…\">".to_owned();
                self.error(element.name_span, message, "", vec![help]);
                None
            }
        };
        let sensors = self.sensors(parts, &name);
        let (dynamics, controller, chassis, wheels) = dynamics?;
        Some(Vehicle {
            name,
            span: element.name_span,
            pose: pose?,
            velocity,
            skip_elevation_adjust: false,
            chassis: Arc::new(chassis),
            wheels: wheels.into(),
            dynamics: Arc::new(dynamics),
            friction: Arc::new(friction?),
            controller: Arc::new(controller),
            sensors: sensors.into(),
            odometry_multipliers,
            animation: None,
            visuals: Arc::default(),
            publish: None,
        })
    }

    fn odometry(&mut self, element: Option<&Element>) -> [f64; 3] {
        let Some(element) = element else { return [1.0; 3] };
        let mut fields = Fields::new(element);
        let multipliers = ["x_multiplier", "y_multiplier", "yaw_multiplier"].map(|name| {
            self.number_attribute(&mut fields, &Quantity::any(name, "1")).unwrap_or(1.0)
        });
        self.finish(fields);
        multipliers
    }
}
