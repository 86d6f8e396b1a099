//! `<element class="…">`: ground, walls, places, sky.

use crate::description::{PropertyRegion, PropertyValue};
use crate::reader::Reader;
use crate::tag::{Tag, did_you_mean};
use crate::vocabulary::Section;
use crate::vocabulary::region::PROPERTY_REGION;
use crate::vocabulary::world::ELEMENTS;
use crate::xml::Element;

/// Names from the manual of the peer, whose meaning is clear.
const OTHER_NAMES: &[(&str, &str)] = &[("point_cloud", "pointcloud")];

/// What the properties that are read here have to be, and how that is written.
const NUMBER_EXPECTED: [&str; 2] = [
    "expected <value_double>, at least 0",
    "help: write <value_double>0.3</value_double>: 0 is ice, 0.8 dry asphalt; it has no unit",
];
const BOOLEAN_EXPECTED: [&str; 2] =
    ["expected <value_bool>", "help: write <value_bool>true</value_bool>"];

/// The class in the name of a section.
pub(crate) fn class_of(section: &Section) -> &'static str {
    section.name.split('"').nth(1).unwrap_or_default()
}

impl Reader<'_> {
    pub(crate) fn element(&mut self, element: &Element) {
        let known = || ELEMENTS.iter().map(|section| class_of(section));
        let Some(class) = element.attribute("class") else {
            let mut notes = vec!["help: write <element class=\"…\">".to_owned()];
            notes.push(format!("help: known classes: {}", known().collect::<Vec<_>>().join(", ")));
            self.error(element.name_span, "an element without a class", "", notes);
            return;
        };
        let Some(name) = self.value(class) else { return };
        let other = OTHER_NAMES.iter().find(|(other, _)| *other == name);
        match other.map_or(name.as_str(), |(_, proper)| proper) {
            "occupancy_grid" => self.occupancy_grid(element),
            "elevation_map" => self.elevation_map(element),
            "horizontal_plane" => self.horizontal_plane(element),
            "vertical_plane" => self.vertical_plane(element),
            "ground_grid" => self.ground_grid(element),
            "pointcloud" => self.point_cloud(element),
            "property_region" => self.property_region(element),
            "skybox" => self.skybox(element),
            _ => {
                let message = format!("unknown element class `{name}`");
                let label = did_you_mean(&name, known());
                let list = known().collect::<Vec<_>>().join(", ");
                let notes = vec![format!("help: known classes: {list}")];
                self.say(self.strictness(), class.span, message, label, notes);
            }
        }
    }

    fn property_region(&mut self, element: &Element) {
        let mut tag = Tag::element(self, element, &PROPERTY_REGION);
        let [x, y, z] =
            ["x", "y", "z"].map(|axis| tag.range(&format!("{axis}_min"), &format!("{axis}_max")));
        let property = tag.given_text("property_name");
        let property = tag.needed("property_name", property);
        let number = tag.given_number("value_double").map(PropertyValue::Number);
        let flag = tag.given_flag("value_bool").map(PropertyValue::Bool);
        let text = tag.given_text("value_string").map(PropertyValue::Text);
        tag.finish();
        let Some(value) = number.or(flag).or(text) else {
            let label = "expected <value_double>, <value_bool> or <value_string>";
            let help = "help: write <value_double>0.3</value_double>, or a boolean or a text";
            let message = "a region without a value";
            self.error(element.name_span, message, label, vec![help.to_owned()]);
            return;
        };
        let Some(property) = property else { return };
        self.property_value(&property, &value, element);
        let (min, max) = ([x[0], y[0], z[0]], [x[1], y[1], z[1]]);
        self.world.regions.push(PropertyRegion {
            property,
            min,
            max,
            value,
            span: element.name_span,
        });
    }

    /// Properties that are read here have a type and a range.
    fn property_value(&mut self, property: &str, value: &PropertyValue, element: &Element) {
        let expected = match (property, value) {
            ("friction_mu" | "friction_C_rr", PropertyValue::Number(number)) if *number >= 0.0 => {
                return;
            }
            ("friction_mu" | "friction_C_rr", _) => NUMBER_EXPECTED,
            ("gps_no_coverage", PropertyValue::Bool(_)) => return,
            ("gps_no_coverage", _) => BOOLEAN_EXPECTED,
            _ => return,
        };
        let tag = ["value_double", "value_bool", "value_string"];
        let given = element.children.iter().find(|child| tag.contains(&child.name.as_str()));
        let place = given.map_or(element.name_span, |child| child.name_span);
        let message = format!("`{property}` cannot have this value");
        let [label, help] = expected;
        self.error(place, message, label, vec![help.to_owned()]);
    }
}

impl<'r, 'c, 'e> Tag<'r, 'c, 'e> {
    /// An `<element>`, whose class is known.
    pub(crate) fn element(
        reader: &'r mut Reader<'c>,
        element: &'e Element,
        section: &'static Section,
    ) -> Self {
        let mut tag = Self::new(reader, element, section);
        tag.take("class");
        tag.other_classes();
        tag
    }

    /// What another class of elements reads has no effect, as among models.
    fn other_classes(&mut self) {
        let elsewhere = |name: &str| {
            let entries = ELEMENTS.iter().flat_map(|section| section.entries);
            entries.clone().any(|entry| entry.names().any(|known| known == name))
        };
        let class = class_of(self.section);
        let unread = self.claim(elsewhere);
        self.reader.unread(&unread, &format!("on a `{class}`"), "note: another class reads it");
    }
}
