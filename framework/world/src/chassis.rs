//! The body of a vehicle.

use simhost_abi::Model;

use crate::description::Chassis;
use crate::fields::Fields;
use crate::numbers::Quantity;
use crate::reader::Reader;
use crate::sources::Span;
use crate::variants::slice;
use crate::xml::Element;

impl Reader<'_> {
    /// The chassis of a `<dynamics>` tag over the defaults of its class.
    pub(crate) fn chassis(
        &mut self,
        element: Option<&Element>,
        model: &'static Model,
        place: Span,
    ) -> Option<Chassis> {
        let default = default_chassis(model);
        let Some(element) = element else {
            if default.is_none() {
                let help = "help: write <chassis mass=\"…\" zmin=\"…\" zmax=\"…\"> with a <shape>";
                self.error(place, "this class needs a chassis", "", vec![help.to_owned()]);
            }
            return default;
        };
        let mut fields = Fields::new(element);
        let mut number = |quantity| self.number_attribute(&mut fields, &quantity);
        let mass = number(Quantity::positive("mass", "kg"));
        let z_min = number(Quantity::any("zmin", "m"));
        let z_max = number(Quantity::any("zmax", "m"));
        let linear_damping = number(Quantity::not_negative("linear_damping", "1/s"));
        let angular_damping = number(Quantity::not_negative("angular_damping", "1/s"));
        let polygon = fields.child("shape").and_then(|shape| self.outline(shape));
        if let Some(visual) = fields.child("shape_from_visual") {
            self.unsupported(visual.name_span, "`<shape_from_visual>`");
        }
        fields.ignore(&["color", "visual"]);
        self.finish(fields);
        let default = default.as_ref();
        let chassis = Chassis {
            mass: self.needed(mass.or(default.map(|d| d.mass)), element, "mass")?,
            z_min: self.needed(z_min.or(default.map(|d| d.z_min)), element, "zmin")?,
            z_max: self.needed(z_max.or(default.map(|d| d.z_max)), element, "zmax")?,
            polygon: self.needed(
                polygon.or_else(|| default.map(|d| d.polygon.clone())),
                element,
                "shape",
            )?,
            linear_damping,
            angular_damping,
        };
        self.heights(element, chassis.z_min, chassis.z_max);
        Some(chassis)
    }

    fn needed<T>(&mut self, value: Option<T>, element: &Element, name: &str) -> Option<T> {
        if value.is_none() {
            let message = format!("`<{}>` needs `{name}`", element.name);
            let label = "this dynamics class has no default";
            self.error(element.name_span, message, label, Vec::new());
        }
        value
    }

    /// The highest point lies above the lowest.
    pub(crate) fn heights(&mut self, element: &Element, z_min: f64, z_max: f64) {
        if z_max <= z_min {
            let message = format!("`zmax` {z_max} is not above `zmin` {z_min}");
            let label = "expected zmax greater than zmin, m";
            self.error(element.name_span, message, label, Vec::new());
        }
    }
}

fn default_chassis(model: &'static Model) -> Option<Chassis> {
    // SAFETY: null, or static data.
    let desc = unsafe { model.chassis.as_ref() }?;
    let polygon = slice(desc.polygon).chunks_exact(2).map(|point| [point[0], point[1]]).collect();
    Some(Chassis {
        mass: desc.mass,
        z_min: desc.z_min,
        z_max: desc.z_max,
        polygon,
        linear_damping: None,
        angular_damping: None,
    })
}
