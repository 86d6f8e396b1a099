//! `modelDescription.xml` of FMI 2.0 and 3.0.

use std::collections::BTreeSet;

use quick_xml::escape::escape;

use crate::interface::{Interface, Role, StartValue, Variable};
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
        kind(interface, version),
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

/// Returns the element with the capabilities.
fn kind(interface: &Interface, version: FmiVersion) -> String {
    let element = Element::new(1, "CoSimulation")
        .with("modelIdentifier", MODEL_IDENTIFIER)
        .with("canHandleVariableCommunicationStepSize", true);
    match version {
        FmiVersion::Two => element
            .with("canGetAndSetFMUstate", true)
            .with("canSerializeFMUstate", true)
            .with("canNotUseMemoryManagementFunctions", true),
        FmiVersion::Three => element
            .with("canGetAndSetFMUState", true)
            .with("canSerializeFMUState", true)
            .with("fixedInternalStepSize", interface.dt),
    }
    .end()
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
        .map(|(reference, variable)| match version {
            FmiVersion::Two => of_two(reference, variable),
            FmiVersion::Three => of_three(reference, variable),
        })
        .collect();
    Element::new(1, "ModelVariables").around(1, &all)
}

/// Returns causality, variability and initial of a variable.
fn causality(variable: &Variable) -> (&'static str, &'static str, Option<&'static str>) {
    match variable.role {
        Role::Time => ("independent", "continuous", None),
        Role::Input { .. } => ("input", "continuous", None),
        Role::Output { .. } => ("output", "continuous", Some("calculated")),
        Role::Parameter => ("parameter", "tunable", Some("exact")),
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
        .with_some("initial", initial.filter(|_| is_number || variable.role == Role::Parameter))
}

fn of_two(reference: usize, variable: &Variable) -> String {
    let value = match &variable.start {
        StartValue::Number(start) => number(Element::new(3, "Real"), variable, *start),
        StartValue::Truth(start) => Element::new(3, "Boolean").with("start", start),
        StartValue::Text(start) => Element::new(3, "String").with("start", start),
    };
    common(Element::new(2, "ScalarVariable"), reference, variable).around(2, &value.end())
}

fn of_three(reference: usize, variable: &Variable) -> String {
    match &variable.start {
        StartValue::Number(start) => {
            let element = common(Element::new(2, "Float64"), reference, variable);
            number(element, variable, *start).end()
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

/// Returns the outputs, which are also the unknowns of the initialisation.
fn structure(interface: &Interface, version: FmiVersion) -> String {
    let is_output = |variable: &Variable| matches!(variable.role, Role::Output { .. });
    let outputs = interface.variables.iter().enumerate().filter(|(_, one)| is_output(one));
    let outputs: Vec<usize> = outputs.map(|(reference, _)| reference).collect();
    let all = |level: usize, name: &'static str, key: &str, first: usize| -> String {
        let one = |reference: &usize| Element::new(level, name).with(key, reference + first).end();
        outputs.iter().map(one).collect()
    };
    let children = match version {
        // indices start at 1
        FmiVersion::Two if outputs.is_empty() => String::new(),
        FmiVersion::Two => {
            let unknowns = all(3, "Unknown", "index", 1);
            Element::new(2, "Outputs").around(2, &unknowns)
                + &Element::new(2, "InitialUnknowns").around(2, &unknowns)
        }
        FmiVersion::Three => {
            all(2, "Output", "valueReference", 0) + &all(2, "InitialUnknown", "valueReference", 0)
        }
    };
    Element::new(1, "ModelStructure").around(1, &children)
}
