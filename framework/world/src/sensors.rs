//! The sensors of a vehicle.

use std::collections::HashSet;
use std::sync::Arc;

use simhost_abi::Kind;

use crate::description::SensorUse;
use crate::fields::Fields;
use crate::numbers::Quantity;
use crate::reader::Reader;
use crate::vehicles::Composition;
use crate::xml::Element;

/// Time between samples where none is given, s.
const DEFAULT_PERIOD: f64 = 0.1;

impl Reader<'_> {
    /// Sensors of all parts of a vehicle, in order.
    pub(crate) fn sensors(&mut self, parts: &Composition, vehicle: &str) -> Vec<SensorUse> {
        let mut sensors: Vec<SensorUse> = Vec::new();
        let mut names = HashSet::new();
        for element in parts.every("sensor") {
            if let Some(sensor) = self.sensor(element, vehicle, sensors.len(), &mut names) {
                sensors.push(sensor);
            }
        }
        sensors
    }

    fn sensor(
        &mut self,
        element: &Element,
        vehicle: &str,
        count: usize,
        names: &mut HashSet<String>,
    ) -> Option<SensorUse> {
        let mut fields = Fields::new(element);
        let (class, given) = (fields.attribute("class"), fields.attribute("name"));
        let Some(class) = class else {
            let help = "help: write <sensor class=\"…\">".to_owned();
            self.error(element.name_span, "a sensor without a class", "", vec![help]);
            return None;
        };
        let model = self.first_variant(Kind::Sensor, class)?;
        let name = match given {
            Some(text) => self.value(text)?,
            None => automatic_name(model.id(), count, names),
        };
        if !names.insert(name.clone()) {
            let span = given.map_or(element.name_span, |text| text.span);
            let message = format!("two sensors of `{vehicle}` are named `{name}`");
            let help = "help: give each its own name, or none".to_owned();
            self.error(span, message, "used before", vec![help]);
        }
        let period = self.number_child(&mut fields, &Quantity::positive("sensor_period", "s"));
        let model = self.model_use(Kind::Sensor, model, fields, class.span);
        Some(SensorUse {
            name,
            period: period.unwrap_or(DEFAULT_PERIOD),
            model,
            visuals: Arc::default(),
            publish: None,
        })
    }
}

/// The class and a number, from the count of sensors on, that is free.
fn automatic_name(class: &str, count: usize, names: &HashSet<String>) -> String {
    let candidates = (count + 1..).map(|number| format!("{class}{number}"));
    let free = candidates.into_iter().find(|name| !names.contains(name));
    free.unwrap_or_else(|| class.to_owned())
}
