//! The wheels of a vehicle.

use simhost_abi::{Model, WheelDesc, wheel_flag};

use crate::description::WheelSpec;
use crate::numbers::{Quantity, parse_number};
use crate::reader::Reader;
use crate::tag::{Given, Tag};
use crate::vocabulary::wheel::WHEEL;
use crate::xml::{Element, Text};
use simhost_model::View;

impl Tag<'_, '_, '_> {
    /// A wheel for each of the class, whether it has a tag or not.
    pub(crate) fn wheels(&mut self, model: &'static View<Model>) -> Vec<WheelSpec> {
        let mut wheels = Vec::new();
        for desc in model.wheels() {
            let tag = desc.tag();
            self.names.push(tag);
            let found = self.claim(|name| name == tag);
            if desc.flags & wheel_flag::REPEATED == 0 {
                let absent = WheelSpec::absent(desc, tag);
                wheels.push(self.wheel(found.last(), model, desc, absent));
                continue;
            }
            if found.is_empty() {
                let message = format!("`<{}>` needs at least one `<{tag}>`", self.element.name);
                let help = format!("help: write <{tag} pos=\"X Y\"/> for each wheel");
                self.reader.error(self.element.name_span, message, "", vec![help]);
            }
            for (number, given) in found.iter().enumerate() {
                let absent = WheelSpec::absent(desc, &format!("{tag}{}", number + 1));
                wheels.push(self.wheel(Some(given), model, desc, absent));
            }
        }
        wheels
    }

    fn wheel(
        &mut self,
        given: Option<&Given<'_>>,
        model: &'static View<Model>,
        desc: &'static View<WheelDesc>,
        absent: WheelSpec,
    ) -> WheelSpec {
        match given {
            Some(Given::Child(element)) => self.reader.wheel(element, model, desc, absent),
            _ => absent,
        }
    }
}

impl Reader<'_> {
    fn wheel(
        &mut self,
        element: &Element,
        model: &'static View<Model>,
        desc: &'static View<WheelDesc>,
        absent: WheelSpec,
    ) -> WheelSpec {
        let mut tag = Tag::new(self, element, &WHEEL);
        tag.names.extend(model.wheel_setpoints().map(|port| port.key()));
        let mut wheel = absent;
        let is_given = tag.is_given("pos");
        if let Some(row) = tag.given_row("pos") {
            (wheel.x, wheel.y) = (row[0], row[1]);
            wheel.yaw = row.get(2).copied().unwrap_or(0.0).to_radians();
        } else if !is_given
            && tag.reader.profile().wheels_at_half_metre
            && desc.flags & wheel_flag::PLACED_BY_MODEL == 0
        {
            (wheel.x, wheel.y) = (0.0, -0.5);
        }
        wheel.mass = tag.number("mass");
        wheel.width = tag.number("width");
        wheel.diameter = tag.number("diameter");
        wheel.color = tag.color("color");
        wheel.linked_yaw = tag.given_text("linked_yaw");
        wheel.linked_yaw_offset = tag.number("linked_yaw_offset_deg");
        let inertia = tag.text_of("inertia");
        wheel.inputs = tag.set_points(model.wheel_setpoints());
        let visuals = tag.children(&["visual"]);
        tag.finish();
        wheel.inertia = inertia.and_then(|text| self.inertia(text));
        wheel.visuals = self.visuals(&visuals).into();
        wheel
    }

    /// −1 stands for a value that is not set.
    fn inertia(&mut self, text: &Text) -> Option<f64> {
        let value = self.value(text)?;
        if parse_number(&value) == Some(-1.0) {
            return None;
        }
        self.checked(text, &value, &Quantity::positive("inertia", "kg·m²"), "a number")
    }
}
