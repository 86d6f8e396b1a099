//! Springs and dampers between the wheels and the body of a vehicle.

use std::sync::Arc;

use super::wheel::WheelSpec;
use crate::context::Context;
use crate::diagnostics::{Diagnostic, did_you_mean};
use crate::reader::ElementReader;
use crate::tree::{Element, Text};
use crate::vocabulary::{Section, Value, attribute, child, non_negative, positive, section};

/// Springs and dampers between the wheels and the body of a vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct Suspension {
    /// Spring rate of each wheel in N/m, except those of `axles`.
    pub stiffness: f64,
    /// Damping rate of each wheel in N·s/m, except those of `axles`.
    pub damping: f64,
    /// Moment of inertia of the chassis about its x axis in kg·m², if given.
    pub roll_inertia: Option<f64>,
    /// Moment of inertia of the chassis about its y axis in kg·m², if given.
    pub pitch_inertia: Option<f64>,
    /// Wheels with springs of their own. No wheel is in two of them.
    pub axles: Arc<[AxleSprings]>,
}

/// Springs and dampers of some wheels, usually those of an axle.
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

pub(super) static SUSPENSION: Section = section(
    "suspension",
    "Springs and dampers. The body rolls and pitches, and the normal loads follow its motion.",
    &[
        attribute("stiffness", positive("N/m"), "Spring rate of each wheel.").required(),
        attribute("damping", non_negative("N·s/m"), "Damping rate of each wheel.").required(),
        attribute(
            "roll_inertia",
            positive("kg·m²"),
            "Moment of inertia of the chassis about its x axis.",
        )
        .or_else("that of a box as wide and high as the chassis"),
        attribute(
            "pitch_inertia",
            positive("kg·m²"),
            "Moment of inertia of the chassis about its y axis.",
        )
        .or_else("that of a box as long and high as the chassis"),
        child("axle", Value::Element(&AXLE), "Springs, dampers and anti-roll bar of some wheels.")
            .repeats(),
    ],
);

static AXLE: Section = section(
    "axle",
    "Springs and dampers of some wheels, usually those of an axle, and the anti-roll bar between them.",
    &[
        attribute(
            "wheels",
            Value::Formatted("names of wheels, such as `fl_wheel fr_wheel`"),
            "Wheels, by the names of their elements.",
        )
        .required(),
        attribute("stiffness", positive("N/m"), "Spring rate of each of these wheels.")
            .or_else("that of the suspension"),
        attribute("damping", non_negative("N·s/m"), "Damping rate of each of these wheels.")
            .or_else("that of the suspension"),
        attribute(
            "anti_roll_bar",
            non_negative("N·m/rad"),
            "Roll stiffness of the bar between these wheels. A larger value moves lateral load transfer to them.",
        )
        .or("0"),
    ],
);

/// A suspension whose wheels are not known yet.
#[derive(Debug)]
pub(super) struct UnboundSuspension {
    /// The suspension without axles.
    springs: Suspension,
    axles: Vec<UnboundAxle>,
}

#[derive(Debug)]
struct UnboundAxle {
    wheels: Text,
    /// The axle without wheels.
    springs: AxleSprings,
}

pub(super) fn read(context: &mut Context<'_>, element: &Element) -> Option<UnboundSuspension> {
    let mut reader = ElementReader::new(context, element, &SUSPENSION);
    let (stiffness, damping) = (reader.given_number("stiffness"), reader.given_number("damping"));
    let (roll_inertia, pitch_inertia) =
        (reader.given_number("roll_inertia"), reader.given_number("pitch_inertia"));
    let stiffness = reader.require("stiffness", stiffness);
    let damping = reader.require("damping", damping);
    let axles = reader.children(&["axle"]);
    reader.finish();
    let (stiffness, damping) = (stiffness?, damping?);
    let axles = axles.into_iter().filter_map(|axle| read_axle(context, axle, [stiffness, damping]));
    let axles = axles.collect();
    let springs =
        Suspension { stiffness, damping, roll_inertia, pitch_inertia, axles: Arc::default() };
    Some(UnboundSuspension { springs, axles })
}

/// Reads an axle, whose springs and dampers are by default those of the whole vehicle.
fn read_axle(
    context: &mut Context<'_>,
    element: &Element,
    [stiffness, damping]: [f64; 2],
) -> Option<UnboundAxle> {
    let mut reader = ElementReader::new(context, element, &AXLE);
    let wheels = reader.text_of("wheels").cloned();
    let wheels = reader.require("wheels", wheels);
    let springs = AxleSprings {
        wheels: Vec::new(),
        stiffness: reader.given_number("stiffness").unwrap_or(stiffness),
        damping: reader.given_number("damping").unwrap_or(damping),
        anti_roll_bar: reader.number("anti_roll_bar"),
    };
    reader.finish();
    Some(UnboundAxle { wheels: wheels?, springs })
}

impl UnboundSuspension {
    /// Finds the wheels of the axles. Reports unknown and repeated ones.
    pub(super) fn bind(&self, context: &mut Context<'_>, wheels: &[WheelSpec]) -> Suspension {
        let mut taken = vec![false; wheels.len()];
        let axles = self.axles.iter().map(|axle| {
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
            AxleSprings { wheels: found, ..axle.springs.clone() }
        });
        Suspension { axles: axles.collect(), ..self.springs.clone() }
    }
}

fn report_wheel(context: &mut Context<'_>, at: &Text, what: &str, name: &str, label: String) {
    let error = Diagnostic::error(format!("{what} wheel `{name}` in `<axle>`"))
        .at(at.span)
        .label(label)
        .help("name each wheel of the vehicle in at most one <axle>, as its element is called");
    context.report.push(error);
}
