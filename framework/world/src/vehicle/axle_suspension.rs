//! The suspensions of a vehicle: how the links guide the wheels of its axles.

use std::sync::Arc;

use simhost_abi::{Kind, Model};
use simhost_model::View;

use super::wheel::WheelSpec;
use crate::context::Context;
use crate::diagnostics::{Diagnostic, did_you_mean};
use crate::models::ModelUse;
use crate::reader::{FromElement, declare};
use crate::sources::Span;
use crate::tree::Element;
use crate::vocabulary::field::attribute;
use crate::vocabulary::{Value, element};

/// Measurement of a dynamics class whose wheels travel.
const TRAVEL: &str = "travel";

declare! {
    /// Guides the wheels of an axle of a dynamics class with wheel travel, such as `car_14dof`, with the
    /// parameters of the class.
    section = element("suspension").with_model(Kind::Suspension);

    /// A suspension of an axle.
    #[derive(Clone, Debug)]
    pub struct AxleSuspension {
        /// The model with its parameters.
        pub model: ModelUse =
            attribute(Value::Class(Kind::Suspension)).named("class").doc("Class of the suspension.").required();
        /// Name of the axle: `front` or `rear`.
        pub axle: String = attribute(Value::Text).or_else("all axles without another suspension");
        /// Position of the name of the axle.
        pub(super) axle_span: Span => |reader| reader.span_of("axle");
        /// Indices of the left and the right wheel.
        pub wheels: [usize; 2] => |_| [0; 2];
    }
}

/// An axle of a dynamics class, by its wheels.
struct AxlePlace {
    name: &'static str,
    wheels: [usize; 2],
}

/// Returns the axles that have a left and a right wheel.
fn axles(wheels: &[WheelSpec]) -> Vec<AxlePlace> {
    let place = |name: &str| wheels.iter().position(|wheel| wheel.name() == name);
    let axle =
        |(name, left, right)| Some(AxlePlace { name, wheels: [place(left)?, place(right)?] });
    [("front", "fl", "fr"), ("rear", "rl", "rr")].into_iter().filter_map(axle).collect()
}

/// Reads the suspensions of a `<dynamics>` element.
pub(super) fn read(context: &mut Context<'_>, elements: &[&Element]) -> Vec<AxleSuspension> {
    let read = |element: &&Element| AxleSuspension::read_element(context, element);
    elements.iter().filter_map(read).collect()
}

/// Returns the suspension of each axle that has one, with its wheels. Reports axles that do not exist or
/// have two suspensions, and a class without wheel travel.
pub(super) fn of_axles(
    context: &mut Context<'_>,
    given: &[AxleSuspension],
    dynamics: &'static View<Model>,
    wheels: &[WheelSpec],
) -> Arc<[AxleSuspension]> {
    let Some(first) = given.first() else { return Arc::default() };
    let mut measured = dynamics.phase("measure").into_iter().flat_map(|phase| phase.outputs());
    if !measured.any(|port| port.name() == TRAVEL) {
        report_rigid(context, first, dynamics.id());
        return Arc::default();
    }
    let axles = axles(wheels);
    for one in given.iter().filter(|one| !one.axle.is_empty()) {
        if !axles.iter().any(|axle| axle.name == one.axle) {
            report_unknown(context, one, &axles);
        }
    }
    let of_axle = |axle: &AxlePlace| {
        let mut own = given.iter().filter(|one| one.axle == axle.name);
        let mut of_all = given.iter().filter(|one| one.axle.is_empty());
        let (first, second) = match own.next() {
            Some(first) => (Some(first), own.next()),
            None => (of_all.next(), of_all.next()),
        };
        if let Some(second) = second {
            report_second(context, second, axle.name);
        }
        first.map(|one| AxleSuspension {
            axle: axle.name.to_owned(),
            wheels: axle.wheels,
            ..one.clone()
        })
    };
    axles.iter().filter_map(of_axle).collect()
}

fn report_rigid(context: &mut Context<'_>, one: &AxleSuspension, class: &str) {
    let text =
        format!("dynamics class `{class}` has no wheel travel for a <suspension class=\"…\">");
    let error = Diagnostic::error(text).at(one.model.span).help(
        "use a class with wheel travel, such as `car_14dof`, or write <suspension stiffness=\"…\"> \
         next to <dynamics>",
    );
    context.report.push(error);
}

fn report_unknown(context: &mut Context<'_>, one: &AxleSuspension, axles: &[AxlePlace]) {
    let error = Diagnostic::error(format!("unknown axle `{}` of a suspension", one.axle))
        .at(one.axle_span)
        .label(did_you_mean(&one.axle, axles.iter().map(|axle| axle.name)))
        .help("write axle=\"front\" or axle=\"rear\", or no axle for both");
    context.report.push(error);
}

fn report_second(context: &mut Context<'_>, second: &AxleSuspension, axle: &str) {
    let error = Diagnostic::error(format!("duplicate suspension of the {axle} axle"))
        .at(second.model.span)
        .help("give each axle one suspension");
    context.report.push(error);
}
