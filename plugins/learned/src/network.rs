//! A submodel that is a network in an ONNX file.

use std::collections::BTreeSet;
use std::sync::Arc;

use simhost_sdk::BinaryFile;
use simhost_sdk::submodel::Submodel;
use tract_onnx::pb::{GraphProto, ModelProto};
use tract_onnx::prelude::*;

/// Part of a step up to which two times are the same.
const SAME: f64 = 1e-6;

/// A network that computes the rates of change of its states from them and from past actions.
///
/// An ONNX file of a network contains
///
/// * the input `actions` of the shape 1 × H × A and the type float: the last H values of each of the A
///   actions, the oldest first, and the present ones last. Actions before the start are 0;
/// * the input `states` of the shape 1 × S: the present values of the S states;
/// * the output `rates` of the shape 1 × S: the rates of change of the states, in their units per second;
/// * in its metadata `actions` and `states` with the names of the signals, separated by spaces, and `step`,
///   the time between two actions in s.
///
/// The network is computed every `step` seconds, whatever the time step of the world is, and its rates are
/// constant until it is computed again.
#[derive(Default)]
pub struct Network {
    actions: Vec<String>,
    states: Vec<String>,
    /// Time between two actions, s.
    step: f64,
    /// Number of past actions, with the present ones.
    history: usize,
    runnable: Option<Arc<TypedRunnableModel>>,
}

impl Submodel for Network {
    fn actions(&self) -> Vec<String> {
        self.actions.clone()
    }

    fn states(&self) -> Vec<String> {
        self.states.clone()
    }

    fn load(&mut self, file: &BinaryFile) -> Result<(), String> {
        *self = Self::from_bytes(&file.bytes).map_err(|what| format!("{}: {what}", file.path))?;
        Ok(())
    }

    /// Returns the numbers of `Memory`.
    fn memory_len(&self) -> usize {
        self.history * self.actions.len() + self.states.len() + 1
    }

    fn forward(
        &self,
        actions: &[f64],
        states: &[f64],
        dt: f64,
        memory: &mut [f64],
        next: &mut [f64],
    ) {
        next.copy_from_slice(states);
        let (history, rest) = memory.split_at_mut(self.history * self.actions.len());
        let (rates, until_next) = rest.split_at_mut(self.states.len());
        let mut rest = dt;
        while rest > SAME * self.step {
            if until_next[0] <= SAME * self.step {
                history.rotate_left(actions.len());
                let present = history.len() - actions.len();
                history[present..].copy_from_slice(actions);
                self.compute(history, next, rates);
                until_next[0] += self.step;
            }
            let time = rest.min(until_next[0]);
            for (state, rate) in next.iter_mut().zip(&*rates) {
                *state += time * rate;
            }
            (rest, until_next[0]) = (rest - time, until_next[0] - time);
        }
    }
}

impl Network {
    /// Reads a network from the bytes of an ONNX file.
    ///
    /// # Errors
    ///
    /// A message for the user that says what the file lacks.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let onnx = tract_onnx::onnx();
        let invalid = |error: TractError| format!("not an ONNX network that can be run: {error:#}");
        let proto = onnx.proto_model_for_read(&mut &*bytes).map_err(invalid)?;
        let actions = names(&proto, "actions")?;
        let states = names(&proto, "states")?;
        let text = property(&proto, "step")?;
        let step = text.parse().ok().filter(|step: &f64| *step > 0.0 && step.is_finite());
        let step = step.ok_or_else(|| {
            format!("its metadata give `{text}` for `step`, expected a number of seconds above 0")
        })?;
        proto.graph.as_ref().map_or(Ok(()), check_outputs)?;
        let model = onnx.model_for_read(&mut &*bytes).map_err(invalid)?;
        let history = history(&model, actions.len(), states.len())?;
        let runnable = model.into_optimized().and_then(TypedModel::into_runnable);
        let runnable = Some(runnable.map_err(invalid)?);
        let network = Self { actions, states, step, history, runnable };
        let count = network.states.len();
        let mut rates = vec![0.0; count];
        network.compute(&vec![0.0; history * network.actions.len()], &vec![0.0; count], &mut rates);
        if rates.iter().any(|rate| !rate.is_finite()) {
            return Err(format!(
                "it returns no finite `rates` for signals of 0, expected {count} numbers"
            ));
        }
        Ok(network)
    }

    /// Computes the rates of the states; they are NaN if the network fails.
    fn compute(&self, history: &[f64], states: &[f64], rates: &mut [f64]) {
        let run = |runnable: &Arc<TypedRunnableModel>| -> TractResult<Vec<f32>> {
            let single = |values: &[f64]| values.iter().map(|v| *v as f32).collect::<Vec<f32>>();
            let shape = [1, self.history, self.actions.len()];
            let actions = Tensor::from_shape(&shape, &single(history))?;
            let states = Tensor::from_shape(&[1, states.len()], &single(states))?;
            let output = runnable.run(tvec!(actions.into(), states.into()))?;
            let found = output[0].to_plain_array_view::<f32>()?;
            Ok(found.iter().copied().collect())
        };
        match self.runnable.as_ref().map(run) {
            Some(Ok(found)) if found.len() == rates.len() => {
                for (rate, found) in rates.iter_mut().zip(found) {
                    *rate = f64::from(found);
                }
            }
            _ => rates.fill(f64::NAN),
        }
    }
}

/// Returns an entry of the metadata of a file.
fn property<'a>(proto: &'a ModelProto, key: &str) -> Result<&'a str, String> {
    let found = proto.metadata_props.iter().find(|entry| entry.key == key);
    found.map(|entry| entry.value.as_str()).ok_or_else(|| {
        let keys: Vec<&str> = proto.metadata_props.iter().map(|entry| entry.key.as_str()).collect();
        let found = if keys.is_empty() { "none".to_owned() } else { keys.join(", ") };
        format!("its metadata lack `{key}`, found {found}; expected `actions`, `states` and `step`")
    })
}

fn names(proto: &ModelProto, key: &str) -> Result<Vec<String>, String> {
    let names: Vec<String> = property(proto, key)?.split_whitespace().map(str::to_owned).collect();
    if names.is_empty() {
        return Err(format!("its metadata name no signals in `{key}`, expected at least one"));
    }
    Ok(names)
}

/// Checks that each output of a graph and of the graphs in it is computed, because tract panics otherwise.
fn check_outputs(graph: &GraphProto) -> Result<(), String> {
    let inputs = graph.input.iter().map(|input| &input.name);
    let constants = graph.initializer.iter().map(|constant| &constant.name);
    let computed = graph.node.iter().flat_map(|node| &node.output);
    let known: BTreeSet<&String> = inputs.chain(constants).chain(computed).collect();
    match graph.output.iter().find(|output| !known.contains(&output.name)) {
        Some(output) => Err(format!(
            "not an ONNX network that can be run: its output `{}` is the output of none of its nodes",
            output.name
        )),
        None => {
            let attributes = graph.node.iter().flat_map(|node| &node.attribute);
            let mut inner = attributes.flat_map(|one| one.g.iter().chain(&one.graphs));
            inner.try_for_each(check_outputs)
        }
    }
}

/// Checks inputs and outputs, and returns the number of past actions.
fn history(model: &InferenceModel, actions: usize, states: usize) -> Result<usize, String> {
    let inputs = model.input_outlets().unwrap_or_default();
    let shape = |name: &str| -> Result<Vec<usize>, String> {
        let place = inputs.iter().position(|outlet| model.node(outlet.node).name == name);
        let place = place.ok_or_else(|| {
            let found = inputs.iter().map(|outlet| model.node(outlet.node).name.as_str());
            let found: Vec<&str> = found.collect();
            format!("it has no input `{name}`, found {}", found.join(", "))
        })?;
        let fact = model.input_fact(place).map_err(|error| error.to_string())?;
        let sizes = fact.shape.as_concrete_finite().ok().flatten();
        Ok(sizes.ok_or(format!("the shape of `{name}` is not fixed, expected numbers"))?.to_vec())
    };
    let (found, own) = (shape("actions")?, shape("states")?);
    let [1, history, width] = found[..] else {
        return Err(format!("`actions` has the shape {found:?}, expected [1, H, {actions}]"));
    };
    if width != actions || history == 0 {
        return Err(format!("`actions` has the shape {found:?}, expected [1, H, {actions}]"));
    }
    if own != [1, states] {
        return Err(format!("`states` has the shape {own:?}, expected [1, {states}]"));
    }
    if model.node(inputs[0].node).name != "actions" {
        return Err("its first input is `states`, expected `actions`, and `states` second".into());
    }
    Ok(history)
}

#[cfg(test)]
mod tests;
