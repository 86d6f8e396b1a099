//! `modelDescription.xml` of FMI 2.0 and 3.0.

use std::collections::BTreeSet;

use quick_xml::escape::escape;

use crate::selection::{Interface, Role, StartValue, Variable};
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

/// Exponents of kg, m, s, A, K, rad, in the order of [`BASES`], with the factor to them.
#[derive(Clone, Copy, Debug, PartialEq)]
struct BaseUnit {
    pub exponents: [i32; 6],
    pub factor: f64,
}

/// Names of the base units.
const BASES: [&str; 6] = ["kg", "m", "s", "A", "K", "rad"];

/// Units with names: exponents and factor.
const NAMED: &[(&str, [i32; 6], f64)] = &[
    ("1", [0, 0, 0, 0, 0, 0], 1.0),
    ("kg", [1, 0, 0, 0, 0, 0], 1.0),
    ("m", [0, 1, 0, 0, 0, 0], 1.0),
    ("mm", [0, 1, 0, 0, 0, 0], 1e-3),
    ("s", [0, 0, 1, 0, 0, 0], 1.0),
    ("ms", [0, 0, 1, 0, 0, 0], 1e-3),
    ("A", [0, 0, 0, 1, 0, 0], 1.0),
    ("K", [0, 0, 0, 0, 1, 0], 1.0),
    ("rad", [0, 0, 0, 0, 0, 1], 1.0),
    ("deg", [0, 0, 0, 0, 0, 1], std::f64::consts::PI / 180.0),
    ("°", [0, 0, 0, 0, 0, 1], std::f64::consts::PI / 180.0),
    ("N", [1, 1, -2, 0, 0, 0], 1.0),
    ("J", [1, 2, -2, 0, 0, 0], 1.0),
    ("W", [1, 2, -3, 0, 0, 0], 1.0),
    ("Pa", [1, -1, -2, 0, 0, 0], 1.0),
    ("Hz", [0, 0, -1, 0, 0, 0], 1.0),
    ("V", [1, 2, -3, -1, 0, 0], 1.0),
    ("T", [1, 0, -2, -1, 0, 0], 1.0),
    ("%", [0, 0, 0, 0, 0, 0], 0.01),
];

/// Returns a unit such as `kg·m²/s` as powers of base units; `None` for one with an unknown name.
fn base_unit(unit: &str) -> Option<BaseUnit> {
    let mut found = BaseUnit { exponents: [0; 6], factor: 1.0 };
    for (number, part) in unit.split('/').enumerate() {
        let sign = if number == 0 { 1 } else { -1 };
        let part = part.trim().trim_start_matches('(').trim_end_matches(')');
        for factor in part.split(['·', '*', ' ']) {
            multiply(&mut found, factor, sign)?;
        }
    }
    Some(found)
}

/// Multiplies a unit by a named one with an exponent, such as `m²`.
fn multiply(unit: &mut BaseUnit, factor: &str, sign: i32) -> Option<()> {
    let (name, power) = match factor.strip_suffix(['²', '³', '⁴']) {
        Some(name) => (name, 2 + "²³⁴".chars().position(|one| factor.ends_with(one))? as i32),
        None => (factor, 1),
    };
    let (_, exponents, scale) = NAMED.iter().find(|(known, ..)| *known == name)?;
    for (to, exponent) in unit.exponents.iter_mut().zip(exponents) {
        *to += sign * power * exponent;
    }
    unit.factor *= scale.powi(sign * power);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::{BaseUnit, base_unit};

    fn base(unit: &str) -> ([i32; 6], f64) {
        let BaseUnit { exponents, factor } = base_unit(unit).unwrap();
        (exponents, factor)
    }

    #[test]
    fn units_are_powers_of_base_units() {
        assert_eq!(base("m/s²"), ([0, 1, -2, 0, 0, 0], 1.0));
        assert_eq!(base("kg·m²"), ([1, 2, 0, 0, 0, 0], 1.0));
        // a joule second per radian
        assert_eq!(base("N·m·s/rad"), ([1, 2, -1, 0, 0, -1], 1.0));
        assert_eq!(base("deg/s"), ([0, 0, -1, 0, 0, 1], std::f64::consts::PI / 180.0));
        assert_eq!(base("1"), ([0; 6], 1.0));
        assert_eq!(base_unit("furlong"), None);
    }
}
