//! The variables of an FMU with one model.

use std::collections::BTreeSet;

use simhost_abi::{ParamDesc, ParamKind, Scope, StateKind, model_flag};
use simhost_model::lanes::is_parameter;
use simhost_model::{ParamValue, RigPhase, View};

use crate::interface::{Role, StartValue, Variable};
use crate::lone_model::LoneModel;
use crate::selection::{bound, time};

/// Returns the reason why a model cannot be used without a world; `None` if it can.
pub fn obstacle(model: &LoneModel) -> Option<String> {
    let instance = &model.rig().instance;
    let desc = instance.model();
    if desc.flags & model_flag::PERCEIVES != 0 {
        let text =
            "it asks about the vehicles and obstacles around it, which only a world can answer";
        return Some(text.to_owned());
    }
    let rays = model.rig().shape.rays;
    for phase in desc.phases() {
        for port in phase.inputs().iter().chain(phase.outputs()) {
            let what = match Scope::from_u32(port.scope) {
                Scope::Array => "has the readings of a sensor",
                Scope::Ray if rays > 0 => "has a value per ray",
                _ => continue,
            };
            let (name, id) = (port.name(), phase.id());
            return Some(format!(
                "its port `{name}` of phase `{id}` {what}, which only a world can provide"
            ));
        }
    }
    None
}

/// Returns the variables of a model that has no [`obstacle`]. Names of ports stay as they are; an
/// output or parameter with the name of another variable gets the prefix `output/` or `parameter/`.
pub fn variables(model: &LoneModel) -> Vec<Variable> {
    let mut list = VariableList { all: vec![time()], taken: BTreeSet::from(["time".to_owned()]) };
    inputs(model, &mut list);
    outputs(model, &mut list);
    states(model, &mut list);
    parameters(model, &mut list);
    list.all
}

/// Variables with unique names.
struct VariableList {
    all: Vec<Variable>,
    taken: BTreeSet<String>,
}

impl VariableList {
    /// Adds a variable, with a prefix if its name is taken.
    fn add(&mut self, prefix: &str, variable: Variable) {
        let mut name = variable.name.clone();
        while !self.taken.insert(name.clone()) {
            name = format!("{prefix}/{name}");
        }
        self.all.push(Variable { name, ..variable });
    }
}

/// Returns a variable without a range.
fn number(name: String, role: Role, start: Option<f64>, [unit, doc]: [&str; 2]) -> Variable {
    Variable {
        name,
        role,
        start: StartValue::Number(start),
        unit: unit.to_owned(),
        description: doc.to_owned(),
        min: None,
        max: None,
    }
}

/// Returns the name of a value of a port or a state.
fn item(name: &str, scope: u32, index: usize) -> String {
    match Scope::from_u32(scope) {
        Scope::Instance => name.to_owned(),
        _ => format!("{name}[{index}]"),
    }
}

/// Returns the phases with their indices, except the rates of states, which have the inputs of
/// another phase.
fn phases(model: &LoneModel) -> impl Iterator<Item = (usize, &RigPhase)> {
    let rates = model.rates_phase();
    model.rig().phases.iter().enumerate().filter(move |(index, _)| Some(*index) != rates)
}

fn inputs(model: &LoneModel, list: &mut VariableList) {
    let mut known = BTreeSet::new();
    for (_, phase) in phases(model) {
        let ports = phase.phase.inputs().iter().zip(&phase.inputs);
        for (port, column) in ports.filter(|(port, _)| !is_parameter(port)) {
            if !known.insert(port.name()) {
                continue;
            }
            for (index, start) in column.iter().enumerate() {
                let role = Role::PortInput { port: port.name().to_owned(), index };
                let name = item(port.name(), port.scope, index);
                list.add("input", number(name, role, Some(*start), [port.unit(), port.doc()]));
            }
        }
    }
}

fn outputs(model: &LoneModel, list: &mut VariableList) {
    // without rays, the directions in which a sensor looks have no meaning
    let all = phases(model).filter(|(_, phase)| phase.phase.id() != "aim");
    for (number_of_phase, phase) in all {
        let ports = phase.phase.outputs().iter().zip(&phase.outputs).enumerate();
        for (place, (port, column)) in ports {
            for index in 0..column.len() {
                let role = Role::PortOutput { phase: number_of_phase, port: place, index };
                let name = item(port.name(), port.scope, index);
                list.add("output", number(name, role, None, [port.unit(), port.doc()]));
            }
        }
    }
}

fn states(model: &LoneModel, list: &mut VariableList) {
    let rig = model.rig();
    let slots = rig.instance.model().states();
    for (slot, (desc, column)) in slots.iter().zip(&rig.states).enumerate() {
        let is_discrete = matches!(desc.kind(), Some(StateKind::Discrete | StateKind::Counter));
        for (index, value) in column.iter().enumerate() {
            let start = Some(*value).filter(|_| desc.initial_key().is_empty());
            let name = format!("state/{}", item(desc.name(), desc.scope, index));
            let role = Role::State { slot, index, is_discrete };
            list.add("state", number(name, role, start, [desc.unit(), desc.doc()]));
        }
    }
    let Some(rates) = model.rates_phase().filter(|_| model.has_rates()) else { return };
    let ports = slots.iter().zip(rig.phases[rates].phase.outputs());
    for (slot, (desc, port)) in ports.enumerate() {
        for index in 0..rig.states[slot].len() {
            let name = format!("der(state/{})", item(desc.name(), desc.scope, index));
            let doc = format!("Rate of change: {}", desc.doc());
            list.add("state", number(name, Role::Rate { slot, index }, None, [port.unit(), &doc]));
        }
    }
}

fn parameters(model: &LoneModel, list: &mut VariableList) {
    let instance = &model.rig().instance;
    let states = instance.model().states();
    for (desc, value) in instance.model().params().iter().zip(instance.values().iter()) {
        let Some(start) = start_of(desc, value) else { continue };
        let is_number = matches!(start, StartValue::Number(_));
        let key = desc.key().to_owned();
        let is_fixed = states.iter().any(|state| state.initial_key() == key);
        let choices = desc.choices().collect::<Vec<_>>().join(", ");
        let choices = if choices.is_empty() { choices } else { format!(" One of: {choices}.") };
        let variable = Variable {
            name: key.clone(),
            role: Role::ModelParameter { key, is_fixed },
            start,
            unit: if is_number { desc.unit().to_owned() } else { String::new() },
            description: desc.doc().to_owned() + &choices,
            min: bound(desc.min).filter(|_| is_number),
            max: bound(desc.max).filter(|_| is_number),
        };
        list.add("parameter", variable);
    }
    if model.draws() {
        let doc = "Seed of the random numbers, a whole number.";
        let seed = number("seed".to_owned(), Role::Seed, Some(0.0), ["1", doc]);
        list.add("parameter", Variable { min: Some(0.0), ..seed });
    }
}

/// Returns the value of a parameter as a variable has it. Groups, files and missing values are not
/// variables.
fn start_of(desc: &'static View<ParamDesc>, value: &ParamValue) -> Option<StartValue> {
    let is_list = matches!(desc.kind(), Some(ParamKind::List | ParamKind::Words));
    Some(match (desc.kind()?, value.written(desc)) {
        (ParamKind::Number | ParamKind::Integer, ParamValue::Number(number)) => {
            StartValue::Number(Some(number))
        }
        (ParamKind::Bool, ParamValue::Bool(truth)) => StartValue::Truth(truth),
        (ParamKind::Text | ParamKind::Choice, ParamValue::Text(text)) => StartValue::Text(text),
        (_, ParamValue::Items(items)) if is_list && desc.children().is_empty() => {
            let words = items.iter().map(|item| match item {
                ParamValue::Number(number) => Some(number.to_string()),
                ParamValue::Text(text) => Some(text.clone()),
                _ => None,
            });
            StartValue::Text(words.collect::<Option<Vec<_>>>()?.join(" "))
        }
        _ => return None,
    })
}
