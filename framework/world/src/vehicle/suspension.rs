//! Springs and dampers between the wheels and the body of a vehicle.

use std::sync::Arc;

use super::wheel::WheelSpec;
use crate::context::Context;
use crate::diagnostics::{Diagnostic, did_you_mean};
use crate::reader::declare;
use crate::tree::Text;
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{Value, element, non_negative, positive};

declare! {
    /// Springs and dampers. The body rolls and pitches, and the normal loads follow its motion.
    section = element("suspension");

    /// Springs and dampers between the wheels and the body of a vehicle.
    #[derive(Clone, Debug, PartialEq)]
    pub struct BodySprings {
        /// Spring rate of each wheel.
        pub stiffness: f64 = attribute(positive("N/m")).required();
        /// Damping rate of each wheel.
        pub damping: f64 = attribute(non_negative("N·s/m")).required();
        /// Moment of inertia of the chassis about its x axis.
        pub roll_inertia: Option<f64> =
            attribute(positive("kg·m²")).or_else("inertia of a box as wide and high as the chassis");
        /// Moment of inertia of the chassis about its y axis.
        pub pitch_inertia: Option<f64> =
            attribute(positive("kg·m²")).or_else("inertia of a box as long and high as the chassis");
        /// Springs, dampers and anti-roll bar of some wheels.
        pub(super) given: Arc<[Axle]> = child(Value::Element(Axle::SECTION)).named("axle").repeats();
        /// Wheels with separate springs. No wheel is in two of them.
        pub axles: Arc<[AxleSprings]> => |_| Arc::default();
    }
}

declare! {
    /// Springs and dampers of some wheels, usually the wheels of an axle, and the anti-roll bar
    /// between them.
    section = element("axle");

    /// An axle whose wheels are still names.
    #[derive(Clone, Debug, PartialEq)]
    pub(super) struct Axle {
        /// Wheels, by the names of their elements.
        wheels: Text = attribute(Value::Formatted("names of wheels, such as `fl_wheel fr_wheel`")).required();
        /// Spring rate of each of these wheels.
        stiffness: Option<f64> = attribute(positive("N/m")).or_else("from the suspension");
        /// Damping rate of each of these wheels.
        damping: Option<f64> = attribute(non_negative("N·s/m")).or_else("from the suspension");
        /// Roll stiffness of the bar between these wheels. A larger value moves lateral load transfer to them.
        anti_roll_bar: f64 = attribute(non_negative("N·m/rad")).or("0");
    }
}

/// Springs and dampers of some wheels, usually the wheels of an axle.
#[derive(Clone, Debug, PartialEq)]
pub struct AxleSprings {
    /// Indices of the wheels.
    pub wheels: Vec<usize>,
    /// Spring rate of each wheel in N/m.
    pub stiffness: f64,
    /// Damping rate of each wheel in N·s/m.
    pub damping: f64,
    /// Roll stiffness of the anti-roll bar between the wheels in N·m/rad.
    pub anti_roll_bar: f64,
}

impl BodySprings {
    /// Finds the wheels of the axles. Reports unknown and repeated ones.
    pub(super) fn bind(&self, context: &mut Context<'_>, wheels: &[WheelSpec]) -> Self {
        let mut taken = vec![false; wheels.len()];
        let axles = self.given.iter().map(|axle| {
            let names = axle.wheels.value().unwrap_or_default().split_whitespace();
            let mut found = Vec::new();
            for name in names {
                let index = wheels.iter().position(|wheel| wheel.tag == name);
                match index {
                    Some(index) if !std::mem::replace(&mut taken[index], true) => found.push(index),
                    Some(_) => {
                        report_wheel(context, &axle.wheels, "duplicate", name, String::new())
                    }
                    None => {
                        let known = wheels.iter().map(|wheel| wheel.tag.as_str());
                        let label = did_you_mean(name, known);
                        report_wheel(context, &axle.wheels, "unknown", name, label);
                    }
                }
            }
            AxleSprings {
                wheels: found,
                stiffness: axle.stiffness.unwrap_or(self.stiffness),
                damping: axle.damping.unwrap_or(self.damping),
                anti_roll_bar: axle.anti_roll_bar,
            }
        });
        Self { axles: axles.collect(), ..self.clone() }
    }
}

fn report_wheel(context: &mut Context<'_>, at: &Text, what: &str, name: &str, label: String) {
    let error = Diagnostic::error(format!("{what} wheel `{name}` in `<axle>`"))
        .at(at.span)
        .label(label)
        .help("name each wheel of the vehicle in at most one <axle>, as its element is called");
    context.report.push(error);
}
