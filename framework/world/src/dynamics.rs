//! Wheels, chassis and controller together.

use std::sync::Arc;

use simhost_abi::Kind;

use crate::chassis::ChassisPart;
use crate::description::{Chassis, ModelUse, Visual, WheelSpec};
use crate::reader::Reader;
use crate::sources::Span;
use crate::tag::{Tag, did_you_mean};
use crate::visuals::Shape;
use crate::vocabulary::vehicle::DYNAMICS;
use crate::xml::Element;

/// What a `<dynamics>` tag holds.
#[derive(Debug)]
pub(crate) struct Dynamics {
    pub model: Arc<ModelUse>,
    pub controller: Arc<ModelUse>,
    pub chassis: ChassisPart,
    pub wheels: Arc<[WheelSpec]>,
    /// Visuals that turn with wheels, and where they are named.
    pub linked: Vec<(String, Span)>,
}

fn linked_visuals(element: &Element, wheels: &[WheelSpec]) -> Vec<(String, Span)> {
    let place = |wheel: &WheelSpec| {
        let tag = element.children.iter().rfind(|child| child.name == wheel.tag)?;
        Some((wheel.linked_yaw.clone()?, tag.attribute("linked_yaw")?.span))
    };
    wheels.iter().filter_map(place).collect()
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
        let linked = linked_visuals(element, &wheels);
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
            linked,
        })
    }

    /// Reports visuals that should turn with a wheel and do not exist.
    pub(crate) fn check_linked(&mut self, dynamics: &Dynamics, visuals: &[Visual]) {
        for (name, span) in &dynamics.linked {
            if visuals.iter().any(|visual| visual.name == *name) {
                continue;
            }
            let known = visuals.iter().map(|visual| visual.name.as_str());
            let label = did_you_mean(name, known);
            let help = "help: the vehicle needs a <visual> with this <name>".to_owned();
            let message = format!("there is no visual `{name}`");
            self.say(self.strictness(), *span, message, label, vec![help]);
        }
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
                match self.section_of(visuals, None, everything) {
                    Shape::Known(section) => {
                        chassis.polygon = section.polygon;
                        (chassis.z_min, chassis.z_max) = (section.z_min, section.z_max);
                    }
                    Shape::Missing => {
                        let heights = [chassis.z_min, chassis.z_max];
                        self.placeholder(place, "the outline of its chassis or class", heights);
                    }
                    Shape::Nothing => {
                        self.no_section(place);
                        return None;
                    }
                    Shape::Reported => return None,
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
