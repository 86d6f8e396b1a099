//! Environments: models of wind, ground and gravity.

use simhost_abi::Kind;
use simhost_model::ports::kind_faults;

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::models::{ModelUse, named, report_ports};
use crate::reader::{FromElement, declare};
use crate::sources::Span;
use crate::tree::Element;
use crate::vehicle::Vehicle;
use crate::vocabulary::field::attribute;
use crate::vocabulary::{Value, element};

declare! {
    /// Wind, ground or gravity of the world, with the parameters of its class. Winds of several
    /// environments add up. For friction, rolling resistance and gravity, the last environment that
    /// sets a value applies, and a property region of the ground overrides all of them.
    section = element("environment").with_model(Kind::Environment);

    /// An environment.
    #[derive(Clone, Debug)]
    pub struct EnvironmentUse {
        /// The model with its parameters.
        pub model: ModelUse =
            attribute(Value::Class(Kind::Environment)).named("class").doc("Class of the environment.").required();
        /// Name, unique among the environments.
        pub name: String = attribute(Value::Text).or_else("the class and a number");
        /// Position of its name, or of its element.
        span: Span => |reader| reader.span_of("name");
    }
}

impl EnvironmentUse {
    /// Returns whether the model has a phase.
    pub fn has_phase(&self, id: &str) -> bool {
        self.model.model.model.phase(id).is_some()
    }
}

/// Reads an environment. `others` are the earlier ones.
pub(crate) fn read_environment(
    context: &mut Context<'_>,
    element: &Element,
    others: &[EnvironmentUse],
) -> Option<EnvironmentUse> {
    let environment = EnvironmentUse::read_element(context, element)?;
    let taken: Vec<&str> = others.iter().map(|other| other.name.as_str()).collect();
    let EnvironmentUse { name, model, span } = environment;
    let name = named(context, name, &model, &taken, span);
    Some(EnvironmentUse { name, model, span })
}

/// Reports ports that the kind does not have, once for each class, and winds that blow on nothing.
pub(crate) fn check_environments(
    context: &mut Context<'_>,
    environments: &[EnvironmentUse],
    vehicles: &[Vehicle],
) {
    for (number, environment) in environments.iter().enumerate() {
        let model = &environment.model;
        let is_same =
            |other: &EnvironmentUse| std::ptr::eq(other.model.model.model, model.model.model);
        if !environments[..number].iter().any(is_same) {
            let faults = kind_faults(model.model.model);
            report_ports(context, &model.model, faults, "", model.span);
        }
        let meets_vehicle = vehicles.iter().any(|vehicle| vehicle.aerodynamics.has_force());
        if environment.has_phase("wind") && !meets_vehicle {
            let message = format!("the wind of environment `{}` has no effect", environment.name);
            let warning = Diagnostic::warning(message)
                .at(model.span)
                .label("no vehicle has aerodynamic forces")
                .help("give vehicles `<aerodynamics drag_area=\"…\" side_area=\"…\"/>`");
            context.report.push(warning);
        }
    }
}
