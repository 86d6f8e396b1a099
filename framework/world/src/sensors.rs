//! The sensors of a vehicle, and those that stand alone.

use std::collections::HashSet;
use std::sync::Arc;

use simhost_abi::Kind;

use crate::description::{ModelUse, Publish, SensorUse, Visual};
use crate::reader::Reader;
use crate::sources::Span;
use crate::tag::Tag;
use crate::vocabulary::Section;
use crate::vocabulary::sensor::{SENSOR, STANDALONE};
use crate::xml::Element;
use simhost_model::ParamValue;

/// A sensor whose name may depend on the vehicle.
#[derive(Debug)]
pub(crate) struct UnnamedSensor {
    /// As given.
    name: Option<String>,
    span: Span,
    period: f64,
    model: ModelUse,
    visuals: Arc<[Visual]>,
    publish: Option<Arc<Publish>>,
}

impl UnnamedSensor {
    fn named(&self, name: String) -> SensorUse {
        SensorUse {
            name,
            period: self.period,
            model: self.model.clone(),
            visuals: Arc::clone(&self.visuals),
            publish: self.publish.clone(),
        }
    }
}

impl Reader<'_> {
    /// The sensors of all places, in order, with names that are unique within the vehicle.
    pub(crate) fn named_sensors<'s>(
        &mut self,
        sensors: impl Iterator<Item = &'s UnnamedSensor>,
        vehicle: &str,
    ) -> Vec<SensorUse> {
        let mut named: Vec<SensorUse> = Vec::new();
        let mut names = HashSet::new();
        for sensor in sensors {
            let automatic = || automatic_name(sensor.model.model.id(), named.len(), &names);
            let name = sensor.name.clone().unwrap_or_else(automatic);
            if !names.insert(name.clone()) {
                let message = format!("two sensors of `{vehicle}` are named `{name}`");
                let help = "help: give each its own name, or none".to_owned();
                self.error(sensor.span, message, "used before", vec![help]);
            }
            named.push(sensor.named(name));
        }
        named
    }

    pub(crate) fn sensor(&mut self, element: &Element) -> Option<UnnamedSensor> {
        self.sensor_of(element, &SENSOR)
    }

    /// A sensor at the top level.
    pub(crate) fn standalone_sensor(&mut self, element: &Element) {
        let Some(sensor) = self.sensor_of(element, &STANDALONE) else { return };
        let names: HashSet<_> = self.world.sensors.iter().map(|s| s.name.clone()).collect();
        let count = self.world.sensors.len();
        let automatic = || automatic_name(sensor.model.model.id(), count, &names);
        let name = sensor.name.clone().unwrap_or_else(automatic);
        if names.contains(&name) {
            let message = format!("two sensors are named `{name}`");
            let help = "help: give each its own name, or none".to_owned();
            self.error(sensor.span, message, "used before", vec![help]);
        }
        self.world.sensors.push(sensor.named(name));
    }

    fn sensor_of(&mut self, element: &Element, section: &'static Section) -> Option<UnnamedSensor> {
        let mut tag = Tag::new(self, element, section);
        if element.attribute("class").is_none() {
            tag.needed::<()>("class", None);
            return None;
        }
        let (variants, span) = tag.class(Kind::Sensor, "")?;
        let model = variants.first()?.clone();
        let given = tag.text_of("name");
        let name = given.and_then(|text| tag.reader.value(text)).map(|name| name.to_string());
        let period = tag.number("sensor_period");
        let publish = tag.publish();
        let visuals = tag.children(&["visual"]);
        let model = tag.model(Kind::Sensor, model, span, None);
        let visuals = self.visuals(&visuals).into();
        self.limits_of(&model);
        let span = given.map_or(element.name_span, |text| text.span);
        Some(UnnamedSensor { name, span, period, model, visuals, publish })
    }

    /// One warning for each class that does less than its parameters promise.
    fn limits_of(&mut self, sensor: &ModelUse) {
        let class = sensor.model.id();
        if !sensor.model.model.gives_readings() {
            let message = format!("sensors of class `{class}` give no readings yet");
            self.once(class, sensor.span, message, "its parameters are checked");
        }
        if is_set(sensor, "raytrace_3d") {
            let message = format!("`raytrace_3d` of a `{class}` is a planar scan here");
            self.once("raytrace_3d", sensor.span, message, "heights are those of the sensor");
        }
        if class == "gnss" {
            self.gnss.get_or_insert(sensor.span);
        }
    }

    /// A warning that is given once a world.
    fn once(&mut self, key: &str, span: Span, message: String, label: &str) {
        if self.said.insert(key.to_owned()) {
            self.warning(span, message, label);
        }
    }
}

fn is_set(sensor: &ModelUse, key: &str) -> bool {
    let params = sensor.model.model.params().iter();
    let mut values = params.zip(&sensor.values);
    values.any(|(desc, value)| desc.key() == key && *value == ParamValue::Bool(true))
}

/// The class and a number, from the count of sensors on, that is free.
fn automatic_name(class: &str, count: usize, names: &HashSet<String>) -> String {
    let candidates = (count + 1..).map(|number| format!("{class}{number}"));
    let free = candidates.into_iter().find(|name| !names.contains(name));
    free.unwrap_or_else(|| class.to_owned())
}
