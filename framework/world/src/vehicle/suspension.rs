//! Springs and dampers between the wheels and the body of a vehicle.

use crate::context::Context;
use crate::reader::ElementReader;
use crate::tree::Element;
use crate::vocabulary::{Section, attribute, non_negative, positive, section};

/// Springs and dampers between the wheels and the body of a vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Suspension {
    /// Spring rate of each wheel in N/m.
    pub stiffness: f64,
    /// Damping rate of each wheel in N·s/m.
    pub damping: f64,
    /// Moment of inertia of the chassis about its x axis in kg·m², if given.
    pub roll_inertia: Option<f64>,
    /// Moment of inertia of the chassis about its y axis in kg·m², if given.
    pub pitch_inertia: Option<f64>,
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
    ],
);

pub(super) fn read(context: &mut Context<'_>, element: &Element) -> Option<Suspension> {
    let mut reader = ElementReader::new(context, element, &SUSPENSION);
    let (stiffness, damping) = (reader.given_number("stiffness"), reader.given_number("damping"));
    let (roll_inertia, pitch_inertia) =
        (reader.given_number("roll_inertia"), reader.given_number("pitch_inertia"));
    let stiffness = reader.require("stiffness", stiffness);
    let damping = reader.require("damping", damping);
    reader.finish();
    Some(Suspension { stiffness: stiffness?, damping: damping?, roll_inertia, pitch_inertia })
}
