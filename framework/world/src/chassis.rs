//! The body of a vehicle.

use std::cell::OnceCell;
use std::sync::Arc;

use simhost_abi::Model;

use crate::description::Chassis;
use crate::reader::Reader;
use crate::sources::Span;
use crate::tag::Tag;
use crate::vocabulary::chassis::CHASSIS;
use crate::xml::Element;
use simhost_model::View;

/// A chassis, or what of it does not come from visuals.
#[derive(Debug)]
pub(crate) enum ChassisPart {
    Complete(Arc<Chassis>),
    /// With the default outline, and with that of the visuals once it is known.
    FromVisual(Chassis, OnceCell<Arc<Chassis>>),
}

impl Reader<'_> {
    /// The chassis of a `<dynamics>` tag over the defaults of its class.
    pub(crate) fn chassis(
        &mut self,
        element: Option<&Element>,
        model: &'static View<Model>,
        place: Span,
    ) -> Option<ChassisPart> {
        let default = default_chassis(model);
        let Some(element) = element else {
            if default.is_none() {
                let help = "help: write <chassis mass=\"…\" zmin=\"…\" zmax=\"…\"> with a <shape>";
                self.error(place, "this class needs a chassis", "", vec![help.to_owned()]);
            }
            return default.map(|chassis| ChassisPart::Complete(Arc::new(chassis)));
        };
        let mut tag = Tag::new(self, element, &CHASSIS);
        let mass = tag.given_number("mass");
        let (z_min, z_max) = (tag.given_number("zmin"), tag.given_number("zmax"));
        let cg_height = tag.given_number("cg_height");
        let linear_damping = tag.given_number("linear_damping");
        let angular_damping = tag.given_number("angular_damping");
        let color = tag.given_color("color");
        let shape = tag.child("shape");
        let from_visual = tag.is_given("shape_from_visual");
        tag.finish();
        let polygon = shape.and_then(|shape| self.outline(shape));
        let default = default.as_ref();
        let square = || vec![[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
        let polygon = polygon
            .or_else(|| default.map(|default| default.polygon.clone()))
            .or_else(|| from_visual.then(square));
        let chassis = Chassis {
            mass: self.needed(mass.or(default.map(|d| d.mass)), element, "mass")?,
            z_min: self.needed(z_min.or(default.map(|d| d.z_min)), element, "zmin")?,
            z_max: self.needed(z_max.or(default.map(|d| d.z_max)), element, "zmax")?,
            polygon: self.needed(polygon, element, "shape")?,
            cg_height,
            linear_damping,
            angular_damping,
            color,
        };
        self.heights(element, chassis.z_min, chassis.z_max);
        Some(match from_visual {
            true => ChassisPart::FromVisual(chassis, OnceCell::new()),
            false => ChassisPart::Complete(Arc::new(chassis)),
        })
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

fn default_chassis(model: &'static View<Model>) -> Option<Chassis> {
    let desc = model.chassis()?;
    Some(Chassis {
        mass: desc.mass,
        z_min: desc.z_min,
        z_max: desc.z_max,
        polygon: desc.corners().to_vec(),
        cg_height: None,
        linear_damping: None,
        angular_damping: None,
        color: None,
    })
}
