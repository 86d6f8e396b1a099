//! `modelDescription.xml` of FMI 2.0 and 3.0.

use std::collections::BTreeSet;

use quick_xml::escape::escape;

use crate::interface::{Interface, Role, Simulated, StartValue, Variable};
use crate::units::{BASES, BaseUnit, base_unit};
use crate::version::FmiVersion;

/// Name of the library in the archive without its ending.
pub const MODEL_IDENTIFIER: &str = "simhost";

/// Text of an element under construction.
struct Element {
    text: String,
    name: &'static str,
}

impl Element {
    fn new(level: usize, name: &'static str) -> Self {
        Self { text: format!("{}<{name}", "  ".repeat(level)), name }
    }

    /// Adds an attribute.
    fn with(mut self, name: &str, value: impl ToString) -> Self {
        self.text += &format!(" {name}=\"{}\"", escape(value.to_string().as_str()));
        self
    }

    /// Adds an attribute if it has a value.
    fn with_some(self, name: &str, value: Option<impl ToString>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// Returns the element without children.
    fn end(self) -> String {
        self.text + "/>\n"
    }

    /// Returns the element with children.
    fn around(self, level: usize, children: &str) -> String {
        let Self { text, name } = self;
        format!("{text}>\n{children}{}</{name}>\n", "  ".repeat(level))
    }
}

/// Returns the description of an FMU.
pub fn description(interface: &Interface, version: FmiVersion) -> String {
    let root = Element::new(0, "fmiModelDescription");
    let root = match version {
        FmiVersion::Two => root.with("fmiVersion", "2.0").with("guid", &interface.token),
        FmiVersion::Three => {
            root.with("fmiVersion", "3.0").with("instantiationToken", &interface.token)
        }
    };
    let tool = concat!("simhost ", env!("CARGO_PKG_VERSION"));
    let root = root
        .with("modelName", &interface.name)
        .with("generationTool", tool)
        .with("variableNamingConvention", "flat");
    let children = [
        kinds(interface, version),
        units(interface),
        Element::new(1, "LogCategories").around(1, &category()),
        experiment(interface),
        variables(interface, version),
        structure(interface, version),
    ];
    String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        + &root.around(0, &children.concat())
}

fn category() -> String {
    let text = "Reasons for the status of calls";
    Element::new(2, "Category").with("name", "logStatus").with("description", text).end()
}

/// Returns the elements with the capabilities.
fn kinds(interface: &Interface, version: FmiVersion) -> String {
    let with_state = |name| {
        let element = Element::new(1, name).with("modelIdentifier", MODEL_IDENTIFIER);
        match version {
            FmiVersion::Two => element
                .with("canGetAndSetFMUstate", true)
                .with("canSerializeFMUstate", true)
                .with("canNotUseMemoryManagementFunctions", true),
            FmiVersion::Three => {
                element.with("canGetAndSetFMUState", true).with("canSerializeFMUState", true)
            }
        }
    };
    let exchange = match (&interface.simulated, version) {
        (Simulated::Model(model), FmiVersion::Two) if model.has_rates => {
            with_state("ModelExchange")
                .with("completedIntegratorStepNotNeeded", true)
                .with("providesDirectionalDerivative", true)
                .end()
        }
        (Simulated::Model(model), FmiVersion::Three) if model.has_rates => {
            with_state("ModelExchange")
                .with("providesDirectionalDerivatives", true)
                .with("providesAdjointDerivatives", true)
                .end()
        }
        _ => String::new(),
    };
    let steps = with_state("CoSimulation").with("canHandleVariableCommunicationStepSize", true);
    // a model has no step of its own
    let is_world = matches!(interface.simulated, Simulated::World(_));
    let internal = Some(interface.dt).filter(|_| is_world && version == FmiVersion::Three);
    exchange + &steps.with_some("fixedInternalStepSize", internal).end()
}

fn units(interface: &Interface) -> String {
    let used: BTreeSet<&str> = interface.variables.iter().map(|one| &*one.unit).collect();
    let unit = |name: &&str| {
        let element = Element::new(2, "Unit").with("name", name);
        match base_unit(name) {
            Some(base) => element.around(2, &base_element(base)),
            None => element.end(),
        }
    };
    let units: String = used.iter().filter(|name| !name.is_empty()).map(unit).collect();
    Element::new(1, "UnitDefinitions").around(1, &units)
}

fn base_element(BaseUnit { exponents, factor }: BaseUnit) -> String {
    let powers = BASES.iter().zip(exponents).filter(|(_, exponent)| *exponent != 0);
    let element = powers.fold(Element::new(3, "BaseUnit"), |element, (base, exponent)| {
        element.with(base, exponent)
    });
    element.with_some("factor", Some(factor).filter(|factor| *factor != 1.0)).end()
}

fn experiment(interface: &Interface) -> String {
    Element::new(1, "DefaultExperiment")
        .with("startTime", 0)
        .with_some("stopTime", interface.duration)
        .with("stepSize", interface.dt)
        .end()
}

fn variables(interface: &Interface, version: FmiVersion) -> String {
    let all = interface.variables.iter().enumerate();
    let all: String = all
        .map(|(reference, variable)| {
            let state = state_of(interface, variable);
            match version {
                FmiVersion::Two => of_two(reference, variable, state),
                FmiVersion::Three => of_three(reference, variable, state),
            }
        })
        .collect();
    Element::new(1, "ModelVariables").around(1, &all)
}

/// Returns the value reference of the state whose rate a variable is.
fn state_of(interface: &Interface, variable: &Variable) -> Option<usize> {
    let Role::Rate { slot, index } = variable.role else { return None };
    let is_state = |one: &Variable| match one.role {
        Role::State { slot: own, index: item, .. } => (own, item) == (slot, index),
        _ => false,
    };
    interface.variables.iter().position(is_state)
}

/// Returns causality, variability and initial of a variable.
fn causality(variable: &Variable) -> (&'static str, &'static str, Option<&'static str>) {
    let has_start = !matches!(variable.start, StartValue::Number(None));
    let initial = Some(if has_start { "exact" } else { "calculated" });
    match variable.role {
        Role::Time => ("independent", "continuous", None),
        Role::Input { .. } | Role::PortInput { .. } => ("input", "continuous", None),
        Role::Output { .. } | Role::PortOutput { .. } => ("output", "continuous", initial),
        Role::Rate { .. } => ("local", "continuous", initial),
        Role::State { is_discrete: true, .. } => ("local", "discrete", initial),
        Role::State { .. } => ("local", "continuous", initial),
        _ if variable.role.is_fixed() => ("parameter", "fixed", initial),
        _ => ("parameter", "tunable", initial),
    }
}

/// Adds the attributes that variables of both versions have.
fn common(element: Element, reference: usize, variable: &Variable) -> Element {
    let (causality, variability, initial) = causality(variable);
    let description = Some(&variable.description).filter(|text| !text.is_empty());
    let is_number = matches!(variable.start, StartValue::Number(_));
    element
        .with("name", &variable.name)
        .with("valueReference", reference)
        .with_some("description", description)
        .with("causality", causality)
        // truth values and texts change between steps only
        .with("variability", variability)
        .with_some("initial", initial.filter(|_| is_number || variable.role.is_parameter()))
}

fn of_two(reference: usize, variable: &Variable, state: Option<usize>) -> String {
    let value = match &variable.start {
        StartValue::Number(start) => number(Element::new(3, "Real"), variable, *start)
            // indices start at 1
            .with_some("derivative", state.map(|state| state + 1)),
        StartValue::Truth(start) => Element::new(3, "Boolean").with("start", start),
        StartValue::Text(start) => Element::new(3, "String").with("start", start),
    };
    common(Element::new(2, "ScalarVariable"), reference, variable).around(2, &value.end())
}

fn of_three(reference: usize, variable: &Variable, state: Option<usize>) -> String {
    match &variable.start {
        StartValue::Number(start) => {
            let element = common(Element::new(2, "Float64"), reference, variable);
            number(element, variable, *start).with_some("derivative", state).end()
        }
        StartValue::Truth(start) => {
            common(Element::new(2, "Boolean"), reference, variable).with("start", start).end()
        }
        StartValue::Text(start) => {
            let start = Element::new(3, "Start").with("value", start).end();
            common(Element::new(2, "String"), reference, variable).around(2, &start)
        }
    }
}

/// Adds unit, range and value at the start of a number.
fn number(element: Element, variable: &Variable, start: Option<f64>) -> Element {
    let is_time = variable.role == Role::Time;
    element
        .with_some("unit", Some(&variable.unit).filter(|unit| !unit.is_empty()))
        .with_some("min", variable.min.filter(|_| !is_time))
        .with_some("max", variable.max.filter(|_| !is_time))
        .with_some("start", start)
}

/// Returns the outputs, the rates of states, and the unknowns of the initialisation, which are all
/// variables that are calculated.
fn structure(interface: &Interface, version: FmiVersion) -> String {
    let references = |is: &dyn Fn(&Variable) -> bool| -> Vec<usize> {
        let all = interface.variables.iter().enumerate();
        all.filter(|(_, one)| is(one)).map(|(reference, _)| reference).collect()
    };
    let outputs = references(&|one| one.role.is_output());
    let rates = references(&|one| matches!(one.role, Role::Rate { .. }));
    let unknowns = references(&|one| causality(one).2 == Some("calculated"));
    let children = match version {
        FmiVersion::Two => {
            [("Outputs", outputs), ("Derivatives", rates), ("InitialUnknowns", unknowns)].map(
                |(name, references)| {
                    // indices start at 1
                    let one = |reference: &usize| {
                        Element::new(3, "Unknown").with("index", reference + 1).end()
                    };
                    let all: String = references.iter().map(one).collect();
                    if all.is_empty() { all } else { Element::new(2, name).around(2, &all) }
                },
            )
        }
        FmiVersion::Three => [
            ("Output", outputs),
            ("ContinuousStateDerivative", rates),
            ("InitialUnknown", unknowns),
        ]
        .map(|(name, references)| {
            let one =
                |reference: &usize| Element::new(2, name).with("valueReference", reference).end();
            references.iter().map(one).collect()
        }),
    };
    Element::new(1, "ModelStructure").around(1, &children.concat())
}
