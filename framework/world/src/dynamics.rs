//! Wheels, chassis and controller together.

use std::sync::Arc;

use simhost_abi::Kind;

use crate::chassis::ChassisPart;
use crate::description::{Chassis, ModelUse, Visual, WheelSpec};
use crate::reader::Reader;
use crate::tag::Tag;
use crate::vocabulary::vehicle::DYNAMICS;
use crate::xml::Element;

/// What a `<dynamics>` tag holds.
#[derive(Debug)]
pub(crate) struct Dynamics {
    pub model: Arc<ModelUse>,
    pub controller: Arc<ModelUse>,
    pub chassis: ChassisPart,
    pub wheels: Arc<[WheelSpec]>,
}

impl Reader<'_> {
    pub(crate) fn dynamics(&mut self, element: &Element) -> Option<Dynamics> {
        let mut tag = Tag::new(self, element, &DYNAMICS);
        if element.attribute("class").is_none() {
            tag.needed::<()>("class", None);
            return None;
        }
        let (variants, span) = tag.class(Kind::Dynamics, "")?;
        let model = variants.first()?.clone();
        let chassis = tag.child("chassis");
        let wheels = tag.wheels(model.model);
        let controller = tag.child("controller");
        let class = model.model;
        let model = tag.model(Kind::Dynamics, model, span, None);
        let chassis = self.chassis(chassis, class, element.name_span);
        let controller = match controller {
            Some(controller) => self.controller(controller, class),
            None => self.controller(&element.without_content(), class),
        };
        Some(Dynamics {
            model: Arc::new(model),
            controller: controller?,
            chassis: chassis?,
            wheels: wheels.into(),
        })
    }

    /// The chassis, with its outline from the visuals where it is taken from there.
    pub(crate) fn chassis_with(
        &mut self,
        dynamics: &Dynamics,
        visuals: &[Visual],
        place: &Element,
    ) -> Option<Arc<Chassis>> {
        match &dynamics.chassis {
            ChassisPart::Complete(chassis) => Some(Arc::clone(chassis)),
            ChassisPart::FromVisual(chassis, shaped) => {
                if let Some(done) = shaped.get() {
                    return Some(Arc::clone(done));
                }
                let mut chassis = chassis.clone();
                if visuals.is_empty() {
                    let help = "help: write <visual> with a <model_uri>".to_owned();
                    let message = "a shape from visuals needs a visual";
                    self.error(place.name_span, message, "there is none", vec![help]);
                    return None;
                }
                let everything = [f64::NEG_INFINITY, f64::INFINITY];
                if let Some(section) = self.section_of(visuals, None, everything) {
                    chassis.polygon = section.polygon;
                    (chassis.z_min, chassis.z_max) = (section.z_min, section.z_max);
                } else if visuals.iter().any(|visual| visual.model.is_some()) {
                    self.no_section(place);
                    return None;
                }
                Some(Arc::clone(shaped.get_or_init(|| Arc::new(chassis))))
            }
        }
    }

    pub(crate) fn no_section(&mut self, place: &Element) {
        let message = "the visuals give no shape";
        let label = "nothing with an area lies between zmin and zmax";
        self.error(place.name_span, message, label, Vec::new());
    }
}
