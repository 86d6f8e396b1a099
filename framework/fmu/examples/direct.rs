//! Calls a model without an FMU, for comparison: `direct KIND CLASS [PLUGIN]`.
//!
//! Standard input has a line `NAME=VALUE …` with numbers of parameters, a line with the names of inputs, and a line per step: the
//! length of the step, and the inputs. Each step prints the outputs of all phases but `rates`, and then the states.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

use simhost::Catalogue;
use simhost_abi::Kind;
use simhost_model::{Classes, Instance, ModelRig, ParamValue, RigShape};
use simhost_registry::Options;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut lines = std::io::stdin().lock().lines().map(Result::unwrap);
    let (parameters, names) = (lines.next().unwrap(), lines.next().unwrap());
    let mut rig = rig(&words, &parameters);
    let mut time = 0.0;
    for line in lines {
        let row: Vec<f64> = line.split_whitespace().map(|word| word.parse().unwrap()).collect();
        for (name, value) in names.split_whitespace().zip(&row[1..]) {
            let (name, index) = match name.strip_suffix(']').and_then(|name| name.split_once('[')) {
                Some((name, index)) => (name, index.parse().unwrap()),
                None => (name, 0),
            };
            for phase in &mut rig.phases {
                if let Some(column) = phase.input(name) {
                    column[index] = *value;
                }
            }
        }
        let rates = rig.phase("rates");
        for phase in (0..rig.phases.len()).filter(|phase| Some(*phase) != rates) {
            let called = rig.call(phase, 0..1, [time, row[0]]);
            called.unwrap_or_else(|fault| panic!("{}", fault.message()));
        }
        let outputs = rig.phases.iter().enumerate().filter(|(phase, _)| Some(*phase) != rates);
        let outputs: Vec<f64> = outputs.flat_map(|(_, phase)| phase.outputs.concat()).collect();
        if let Some(rates) = rates {
            runge_kutta(&mut rig, rates, [time, row[0]]);
        }
        time += row[0];
        let all = outputs.into_iter().chain(rig.states.concat());
        println!("{}", all.map(|value| value.to_string()).collect::<Vec<_>>().join(" "));
    }
}

/// Returns the model with columns of one lane.
fn rig(words: &[String], parameters: &str) -> ModelRig {
    let kind = Kind::ALL.into_iter().find(|kind| kind.tag() == words[0]).unwrap();
    let catalogue = match words.get(2) {
        Some(plugin) => Catalogue::of_file(Path::new(plugin), None),
        None => Catalogue::collect(Options::default()).unwrap(),
    };
    let class = catalogue.find(kind, &words[1]).unwrap().remove(0);
    let params = class.model.params();
    let mut values: Vec<ParamValue> = params.iter().map(ParamValue::default_of).collect();
    for (name, value) in parameters.split_whitespace().filter_map(|word| word.split_once('=')) {
        let place = params.iter().position(|desc| desc.key() == name).unwrap();
        values[place] = ParamValue::Number(value.parse::<f64>().unwrap() * params[place].scale);
    }
    let instance = Instance::new(&class, values);
    let instance = Arc::new(instance.unwrap_or_else(|fault| panic!("{}", fault.message())));
    let wheels = class.model.wheels().len();
    let shape = RigShape { lanes: 1, wheels, ..RigShape::default() };
    let rig = ModelRig::new(&instance, &ModelRig::labels(&class), shape);
    rig.unwrap_or_else(|fault| panic!("{}", fault.message()))
}

/// Integrates the states by the classical Runge-Kutta method, written out.
fn runge_kutta(rig: &mut ModelRig, phase: usize, [time, dt]: [f64; 2]) {
    let start = rig.states.clone();
    let mut slopes: Vec<Vec<f64>> = Vec::new();
    for part in [0.0, 0.5, 0.5, 1.0] {
        if let Some(slope) = slopes.last() {
            for (slot, state) in rig.states.iter_mut().enumerate() {
                state[0] = start[slot][0] + part * dt * slope[slot];
            }
        }
        let called = rig.call(phase, 0..1, [time, dt]);
        called.unwrap_or_else(|fault| panic!("{}", fault.message()));
        slopes.push(rig.phases[phase].outputs.concat());
    }
    for (slot, state) in rig.states.iter_mut().enumerate() {
        let [a, b, c, d] = [0, 1, 2, 3].map(|number: usize| slopes[number][slot]);
        state[0] = start[slot][0] + dt / 6.0 * (a + 2.0 * b + 2.0 * c + d);
    }
}
