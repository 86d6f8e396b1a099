//! A model with its parameters.

use std::ops::Range;
use std::sync::Arc;

use simhost_abi::{Kind, Model, WheelUse, fault_code};
use simhost_model::{Instance, ModelRef, ParamValue, View, warns};

use super::Connect;
use super::class::required_class;
use super::file_class;
use super::parameters::{parameters, parameters_given, setpoints};
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::reader::{ElementReader, Field, report_without_effect};
use crate::sources::Span;
use crate::vocabulary::{Entry, Value};

/// A model instance: a model with its parameters.
#[derive(Clone, Debug)]
pub struct ModelUse {
    /// The model.
    pub model: ModelRef,
    /// Parameters in the order of the model's declaration and in the model's units, including
    /// defaults.
    pub values: Arc<[ParamValue]>,
    /// Input ports that the world file sets, in the units of the ports.
    pub set_points: Arc<[(String, f64)]>,
    /// Connections of its inputs to sensors.
    pub connects: Arc<[Connect]>,
    /// Number of rays of a sensor.
    pub rays: usize,
    /// Position of the class name, of the first one if models repeat each other word for word.
    pub span: Span,
}

impl ModelUse {
    /// Reports the warnings of a friction model about its parameters and the wheels that use it.
    pub(crate) fn warn_of_wheels(&self, context: &mut Context<'_>, wheels: &[WheelUse]) {
        if !warns(&self.model) {
            return;
        }
        // a model that rejects its parameters has been reported
        if let Ok(instance) = Instance::new(&self.model, Arc::clone(&self.values)) {
            report_warnings(context, &instance, wheels, self.span);
        }
    }

    /// Returns the value of a parameter; `None` if the model does not have it.
    pub fn value(&self, key: &str) -> Option<&ParamValue> {
        let place = self.model.model.params().iter().position(|param| param.key() == key)?;
        self.values.get(place)
    }

    /// Returns the model with other values of its parameters. Reports values that the model rejects.
    pub(crate) fn with_values(&self, context: &mut Context<'_>, values: Vec<ParamValue>) -> Self {
        let rays = create_trial(context, &self.model, &values, self.span);
        Self { values: values.into(), rays, ..self.clone() }
    }
}

/// The model of an element that has to name its class, with the parameters that the element gives.
impl Field for ModelUse {
    fn read(reader: &mut ElementReader<'_, '_, '_>, place: Range<usize>) -> Option<Self> {
        let Value::Class(kind) = reader.section.entries[place.start].value else { return None };
        let Some((model, span)) = required_class(reader, kind) else {
            reader.accept_unknown();
            return None;
        };
        Some(bind(reader, kind, model, span, None))
    }

    fn absent(_: &'static [Entry]) -> Option<Self> {
        None
    }

    fn report_absent(reader: &mut ElementReader<'_, '_, '_>, entry: &'static Entry) {
        reader.report_missing(entry);
        reader.accept_unknown();
    }
}

/// Binds the rest of an element to the parameters and inputs of a model. Missing values are taken
/// from `base`, or are the defaults.
pub(crate) fn bind(
    reader: &mut ElementReader<'_, '_, '_>,
    kind: Kind,
    model: ModelRef,
    span: Span,
    base: Option<&ModelUse>,
) -> ModelUse {
    file_class::claim_maps(reader);
    expect(reader, model.model);
    let errors = reader.context.report.error_count();
    let values = parameters(reader, kind, &model, base.map(|base| &*base.values));
    let own = setpoints(reader, model.model.setpoints());
    let set_points = match base {
        Some(base) if own.is_empty() => Arc::clone(&base.set_points),
        _ => own.into(),
    };
    if model.is_built_in() {
        report_names_of_other_classes(reader, kind, model.id());
    }
    let mut rays = 0;
    if reader.context.report.error_count() == errors {
        rays = create_trial(reader.context, &model, &values, span);
    }
    ModelUse { model, values: values.into(), set_points, connects: Arc::default(), rays, span }
}

/// Checks values of parameters of a model one by one, and finishes the element.
pub(crate) fn check_values(mut reader: ElementReader<'_, '_, '_>, kind: Kind, base: &ModelUse) {
    expect(&mut reader, base.model.model);
    parameters(&mut reader, kind, &base.model, Some(&base.values));
    reader.finish();
}

/// Reads the parameters that an element gives, with their indices in the declaration of the model, and finishes the
/// element.
pub(crate) fn given_parameters(
    mut reader: ElementReader<'_, '_, '_>,
    model: &'static View<Model>,
) -> Vec<(usize, ParamValue)> {
    reader.params = model.params();
    let given = parameters_given(&mut reader, model.params());
    reader.finish();
    given
}

/// Adds the names that a model reads to those that are known in its element.
fn expect(reader: &mut ElementReader<'_, '_, '_>, model: &'static View<Model>) {
    reader.params = model.params();
    reader.names.extend(model.setpoints().map(|port| port.key()));
}

/// Warns of names that only other classes of the kind read.
fn report_names_of_other_classes(reader: &mut ElementReader<'_, '_, '_>, kind: Kind, class: &str) {
    if kind == Kind::Sensor {
        reader.claim(|name| name.starts_with("viz_"));
    }
    if !reader.has_unknown() {
        return;
    }
    let keys = reader.context.catalogue.keys(kind);
    let unread = reader.claim(|name| keys.contains(&name));
    let reason = format!("under {} `{class}`", kind.tag());
    report_without_effect(reader.context, &unread, &reason, None);
}

/// Returns the name of a model: the given one, or its class and the first free number. `taken` are the names of the
/// earlier models of the kind. Reports a duplicate at `span`.
pub(crate) fn named(
    context: &mut Context<'_>,
    given: String,
    model: &ModelUse,
    taken: &[&str],
    span: Span,
) -> String {
    let mut numbered = (taken.len() + 1..).map(|number| format!("{}{number}", model.model.id()));
    let name = match given.is_empty() {
        false => given,
        true => numbered.find(|name| !taken.contains(&&**name)).unwrap_or_default(),
    };
    if taken.contains(&&*name) {
        let kind = model.model.model.kind_tag();
        let error = Diagnostic::duplicate_name(kind, &name, span);
        context.report.push(error.help(format!("give each {kind} its own name, or none")));
    }
    name
}

/// Creates and destroys a model. Reports the error if the model rejects its parameters. A panic is
/// left to the simulation, which attributes it to the plugin. Returns the number of rays of a sensor.
fn create_trial(
    context: &mut Context<'_>,
    model: &ModelRef,
    values: &[ParamValue],
    span: Span,
) -> usize {
    match Instance::new(model, values) {
        Ok(instance) => {
            // a friction model has its warnings when the wheels are known
            if model.model.kind() != Some(Kind::Friction) {
                report_warnings(context, &instance, &[], span);
            }
            return instance.rays();
        }
        Err(fault) if fault.code == fault_code::PANIC => {}
        Err(fault) => {
            let error = Diagnostic::error(format!("{} rejects its parameters", model.full_name))
                .at(span)
                .label(fault.message())
                .help(format!("run `simhost plugin doc {}` for their meaning", model.id()));
            context.report.push(error);
        }
    }
    0
}

/// Reports the warnings of a model about its parameters and the wheels that use it.
fn report_warnings(
    context: &mut Context<'_>,
    instance: &Instance,
    wheels: &[WheelUse],
    span: Span,
) {
    let class = &instance.class().full_name;
    match instance.warnings(wheels) {
        Ok(texts) => {
            for text in texts {
                context.report.push(Diagnostic::warning(text).at(span).label(class.to_string()));
            }
        }
        Err(fault) => {
            let message = format!("the warnings of {class} cannot be shown: {}", fault.message());
            context.report.push(Diagnostic::warning(message).at(span));
        }
    }
}
