//! Descriptions of FMUs: `modelDescription.xml`.

use std::collections::BTreeMap;

use simhost_xml::{Document, Element, Lines, ReadError, parse};

use crate::archive::MAX_DESCRIPTION;

/// Version of FMI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// FMI 2.0.
    Two,
    /// FMI 3.0.
    Three,
}

/// The content of a description that an importer uses.
#[derive(Clone, Debug, PartialEq)]
pub struct FmuDescription {
    /// Version of FMI.
    pub version: Version,
    /// Name of the model.
    pub name: String,
    /// Description of the model.
    pub text: String,
    /// File name of the library without its ending.
    pub identifier: String,
    /// `guid`, or `instantiationToken` in FMI 3.0.
    pub token: String,
    /// Suggested communication step, s.
    pub step: Option<f64>,
    /// Whether the state can be read, set and serialised.
    pub has_state: bool,
    /// Whether a process can have one instance only.
    pub is_single: bool,
    /// Whether the importer integrates the states, because the FMU takes no steps itself.
    pub is_exchange: bool,
    /// Number of continuous states.
    pub states: usize,
    /// Variables in the order of the file.
    pub variables: Vec<Variable>,
}

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Name.
    pub name: String,
    /// Value reference.
    pub reference: u32,
    /// Type of the value.
    pub kind: Type,
    /// Role.
    pub causality: Causality,
    /// Description.
    pub text: String,
    /// Unit of the value.
    pub unit: Option<Unit>,
    /// Smallest value.
    pub min: Option<f64>,
    /// Largest value.
    pub max: Option<f64>,
    /// Value at the start.
    pub start: Option<Start>,
}

/// Type of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `Real` or `Float64`.
    Real,
    /// `Float32`.
    Float,
    /// `Integer`, an enumeration in FMI 2.0, or `Int32`.
    Integer,
    /// An enumeration in FMI 3.0, or `Int64`.
    Long,
    /// `Boolean`.
    Boolean,
    /// `String`.
    Text,
    /// A type that is not supported, or an array.
    Other,
}

impl Type {
    /// Returns whether a value is a number or a boolean.
    pub fn is_number(self) -> bool {
        !matches!(self, Self::Text | Self::Other)
    }
}

/// Role of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Causality {
    /// Set before the start, and if it is tunable between steps.
    Parameter,
    /// Set before each step.
    Input,
    /// Read after each step.
    Output,
    /// Neither.
    Other,
}

/// Value at the start.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Start {
    /// A number, or 0 or 1 for a boolean.
    Number(f64),
    /// A text.
    Text(String),
}

/// A unit: its name, and where it is defined, the unit in SI with `SI value = factor · value + offset`.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// Name, such as `N.m`.
    pub name: String,
    /// Powers of SI units, such as `kg^1·m^2·s^-2`, factor and offset.
    pub base: Option<(String, f64, f64)>,
}

/// Attributes that a variable takes from its declared type.
#[derive(Clone, Default)]
struct Declared<'d> {
    unit: Option<&'d str>,
    min: Option<f64>,
    max: Option<f64>,
}

/// Units and types, to which variables refer by their names.
struct Definitions<'d> {
    units: BTreeMap<&'d str, Unit>,
    types: BTreeMap<&'d str, Declared<'d>>,
}

impl FmuDescription {
    /// Reads a description.
    ///
    /// # Errors
    /// [`ReadError`] for a document that is not a description of an FMU for co-simulation, or for model exchange without state
    /// events, in a supported version.
    pub fn read(text: &str) -> Result<Self, ReadError> {
        let document: Document<'_> = parse(text, MAX_DESCRIPTION as usize)?;
        let lines = Lines::of(text);
        let root = Element::root(&document, &lines);
        let version = version(root)?;
        let (kind, is_exchange) = kind(root)?;
        let (token, state) = match version {
            Version::Two => ("guid", ["canGetAndSetFMUstate", "canSerializeFMUstate"]),
            Version::Three => {
                ("instantiationToken", ["canGetAndSetFMUState", "canSerializeFMUState"])
            }
        };
        let identifier = kind.required("modelIdentifier")?.to_owned();
        if identifier.contains(['/', '\\', '\0']) || identifier.starts_with('.') {
            let text = format!("`modelIdentifier` is {identifier:?}; expected a file name");
            return Err(ReadError::new(kind.line(), text));
        }
        let experiment = root.child("DefaultExperiment");
        let step = experiment.map(|one| one.number_in("stepSize")).transpose()?.flatten();
        let is_set = |name: &&str| is_true(kind.attribute(name));
        Ok(Self {
            version,
            name: root.required("modelName")?.to_owned(),
            text: root.attribute("description").unwrap_or_default().to_owned(),
            identifier,
            token: root.required(token)?.to_owned(),
            step: step.filter(|step| *step > 0.0),
            has_state: state.iter().all(is_set),
            is_single: is_set(&"canBeInstantiatedOnlyOncePerProcess"),
            is_exchange,
            states: states(root, version),
            variables: variables(root, version)?,
        })
    }
}

/// Returns the element with the capabilities, and whether it is for model exchange. An FMU for both is one for co-simulation.
fn kind(root: Element<'_>) -> Result<(Element<'_>, bool), ReadError> {
    if let Some(steps) = root.child("CoSimulation") {
        return Ok((steps, false));
    }
    let Some(exchange) = root.child("ModelExchange") else {
        let text = "<CoSimulation> and <ModelExchange> are missing; expected one of them";
        return Err(ReadError::new(root.line(), text));
    };
    // an attribute in FMI 2.0, elements in FMI 3.0
    let listed = root.child("ModelStructure").into_iter().flat_map(|all| all.all("EventIndicator"));
    let counted = root.number_in("numberOfEventIndicators")?.unwrap_or(0.0);
    let indicators = counted.max(listed.count() as f64);
    if indicators > 0.0 {
        let text = format!(
            "the FMU has {indicators} event indicators; expected co-simulation, or model exchange without state events"
        );
        return Err(ReadError::new(exchange.line(), text));
    }
    Ok((exchange, true))
}

/// Returns the number of continuous states.
fn states(root: Element<'_>, version: Version) -> usize {
    let structure = root.child("ModelStructure");
    match version {
        Version::Two => {
            let rates = structure.and_then(|structure| structure.child("Derivatives"));
            rates.into_iter().flat_map(|rates| rates.all("Unknown")).count()
        }
        Version::Three => {
            let all = structure.into_iter();
            all.flat_map(|structure| structure.all("ContinuousStateDerivative")).count()
        }
    }
}

fn is_true(text: Option<&str>) -> bool {
    matches!(text, Some("true" | "1"))
}

fn version(root: Element<'_>) -> Result<Version, ReadError> {
    let found = root.required("fmiVersion")?;
    match found.split('.').next() {
        Some("2") => Ok(Version::Two),
        Some("3") => Ok(Version::Three),
        _ => {
            let text = format!("`fmiVersion` is {found:?}; expected 2.0 or 3.0");
            Err(ReadError::new(root.line(), text))
        }
    }
}

fn variables(root: Element<'_>, version: Version) -> Result<Vec<Variable>, ReadError> {
    let units = root.child("UnitDefinitions").into_iter().flat_map(|all| all.all("Unit"));
    let units = units.map(|unit| Ok((unit.required("name")?, read_unit(unit)?)));
    let units = units.collect::<Result<_, ReadError>>()?;
    let types = root.child("TypeDefinitions").into_iter().flat_map(Element::elements);
    let types = types.map(|one| {
        let value =
            if version == Version::Two { one.elements().next().unwrap_or(one) } else { one };
        Ok((one.required("name")?, declared(value)?))
    });
    let definitions = Definitions { units, types: types.collect::<Result<_, ReadError>>()? };
    let all = root.child("ModelVariables").into_iter().flat_map(Element::elements);
    all.map(|one| match version {
        Version::Two => {
            let Some(value) = one.elements().find(|child| child.name() != "Annotations") else {
                let text = format!("<{}> has no type; expected <Real> or another", one.name());
                return Err(ReadError::new(one.line(), text));
            };
            variable(one, value, &definitions)
        }
        Version::Three => variable(one, one, &definitions),
    })
    .collect()
}

/// Reads a variable, whose type, unit, range and start are attributes of `value`.
fn variable(
    one: Element<'_>,
    value: Element<'_>,
    definitions: &Definitions<'_>,
) -> Result<Variable, ReadError> {
    let name = one.required("name")?;
    let reference = one.required("valueReference")?;
    let reference = reference.parse().map_err(|_| {
        let text = format!("`valueReference` of {name:?} is {reference:?}; expected a number");
        ReadError::new(one.line(), text)
    })?;
    let kind = type_of(value);
    let declared_type =
        value.attribute("declaredType").and_then(|name| definitions.types.get(name));
    let inherited = declared_type.cloned().unwrap_or_default();
    let own = if kind.is_number() { declared(value)? } else { Declared::default() };
    let unit = own.unit.or(inherited.unit).filter(|unit| !unit.is_empty());
    let defined = |name: &str| {
        let known = definitions.units.get(name).cloned();
        known.unwrap_or_else(|| Unit { name: name.to_owned(), base: None })
    };
    Ok(Variable {
        name: name.to_owned(),
        reference,
        kind,
        causality: match one.attribute("causality") {
            Some("parameter") => Causality::Parameter,
            Some("input") => Causality::Input,
            Some("output") => Causality::Output,
            _ => Causality::Other,
        },
        text: one.attribute("description").unwrap_or_default().to_owned(),
        unit: unit.map(defined),
        min: own.min.or(inherited.min),
        max: own.max.or(inherited.max),
        start: start(value, kind)?,
    })
}

fn type_of(value: Element<'_>) -> Type {
    if value.child("Dimension").is_some() {
        return Type::Other;
    }
    match value.name() {
        "Real" | "Float64" => Type::Real,
        "Float32" => Type::Float,
        "Integer" | "Int32" => Type::Integer,
        "Int64" => Type::Long,
        // only FMI 3.0 gives the name of the variable in this element
        "Enumeration" if value.attribute("valueReference").is_some() => Type::Long,
        "Enumeration" => Type::Integer,
        "Boolean" => Type::Boolean,
        "String" => Type::Text,
        _ => Type::Other,
    }
}

fn declared(value: Element<'_>) -> Result<Declared<'_>, ReadError> {
    Ok(Declared {
        unit: value.attribute("unit"),
        min: value.number_in("min")?,
        max: value.number_in("max")?,
    })
}

fn start(value: Element<'_>, kind: Type) -> Result<Option<Start>, ReadError> {
    if kind == Type::Text {
        let start = value.child("Start").and_then(|start| start.attribute("value"));
        return Ok(value.attribute("start").or(start).map(|text| Start::Text(text.to_owned())));
    }
    match (kind, value.attribute("start")) {
        (Type::Other, _) | (_, None) => Ok(None),
        (Type::Boolean, text) => Ok(Some(Start::Number(f64::from(u8::from(is_true(text)))))),
        (_, Some(text)) => Ok(Some(Start::Number(value.number(text, "start")?))),
    }
}

/// Exponents of a base unit in a description, with the symbols of the units.
const BASES: [&str; 8] = ["kg", "m", "s", "A", "K", "mol", "cd", "rad"];

fn read_unit(unit: Element<'_>) -> Result<Unit, ReadError> {
    let name = unit.required("name")?.to_owned();
    let Some(base) = unit.child("BaseUnit") else { return Ok(Unit { name, base: None }) };
    let mut powers = Vec::new();
    for symbol in BASES {
        match base.number_in(symbol)? {
            None | Some(0.0) => {}
            Some(power) => powers.push(format!("{symbol}^{power}")),
        }
    }
    let powers = if powers.is_empty() { "1".to_owned() } else { powers.join("·") };
    let factor = base.number_in("factor")?.unwrap_or(1.0);
    let offset = base.number_in("offset")?.unwrap_or(0.0);
    Ok(Unit { name, base: Some((powers, factor, offset)) })
}
