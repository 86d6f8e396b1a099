//! The wheels of a vehicle.

use simhost_abi::{Model, WheelDesc, wheel_flag};

use crate::description::WheelSpec;
use crate::fields::Fields;
use crate::numbers::Quantity;
use crate::reader::Reader;
use crate::variants::{slice, str_of};
use crate::xml::Element;

impl Reader<'_> {
    /// A wheel for each of the class, whether it has a tag or not.
    pub(crate) fn wheels(
        &mut self,
        fields: &mut Fields<'_>,
        model: &'static Model,
    ) -> Vec<WheelSpec> {
        let wheel = |desc: &WheelDesc| {
            let tag = str_of(desc.tag);
            let absent = WheelSpec::absent(desc, tag);
            match fields.child(tag) {
                Some(element) => self.wheel(element, desc, absent),
                None => absent,
            }
        };
        slice(model.wheels).iter().map(wheel).collect()
    }

    fn wheel(&mut self, element: &Element, desc: &WheelDesc, absent: WheelSpec) -> WheelSpec {
        let mut fields = Fields::new(element);
        let mut wheel = absent;
        let position = fields.attribute("pos");
        let row = position.and_then(|text| self.row(text, "pos", &["X Y", "X Y YAW_DEG"]));
        if let Some(row) = row {
            (wheel.x, wheel.y) = (row[0], row[1]);
            wheel.yaw = row.get(2).copied().unwrap_or(0.0).to_radians();
        } else if position.is_none()
            && self.profile().wheels_at_half_metre
            && desc.flags & wheel_flag::PLACED_BY_MODEL == 0
        {
            (wheel.x, wheel.y) = (0.0, -0.5);
        }
        let mut number = |quantity| self.number_attribute(&mut fields, &quantity);
        wheel.mass = number(Quantity::positive("mass", "kg")).unwrap_or(wheel.mass);
        wheel.width = number(Quantity::positive("width", "m")).unwrap_or(wheel.width);
        wheel.diameter = number(Quantity::positive("diameter", "m")).unwrap_or(wheel.diameter);
        wheel.inertia = self.inertia(&mut fields);
        fields.ignore(&["color", "visual", "linked_yaw", "linked_yaw_offset_deg"]);
        self.finish(fields);
        wheel
    }

    /// −1 stands for a value that is not set.
    fn inertia(&mut self, fields: &mut Fields<'_>) -> Option<f64> {
        let text = fields.attribute("inertia")?;
        let value = self.value(text)?;
        if value.parse() == Ok(-1.0) {
            return None;
        }
        self.checked(text, &value, &Quantity::positive("inertia", "kg·m²"), "a number")
    }
}
