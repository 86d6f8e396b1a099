//! What a file declares.

use std::collections::BTreeSet;

use simhost_abi::{
    ChassisDesc, CommandDesc, Model, ParamDesc, ParamKind, Phase, Plugin, PortDesc, Slice,
    StateDesc, WheelDesc,
};
use simhost_registry::{Refusal, descriptor};

use crate::made::text;
use crate::rig::{inputs, outputs};
use crate::verdict::{Outcome, fail, skip};

type Opened = Result<&'static Plugin, Refusal>;

/// `abi-magic`
pub(crate) fn magic(opened: &Opened) -> Outcome {
    match opened {
        Ok(_) => Ok(()),
        Err(Refusal::Epoch { .. } | Refusal::Layout { .. } | Refusal::Descriptor(_)) => Ok(()),
        Err(refusal) => fail(format!("the file {refusal}")),
    }
}

/// `abi-layout`
pub(crate) fn layout(opened: &Opened) -> Outcome {
    match opened {
        Ok(plugin) => models(plugin).try_for_each(sizes),
        Err(refusal @ (Refusal::Epoch { .. } | Refusal::Layout { .. })) => {
            fail(format!("the file {refusal}"))
        }
        Err(Refusal::Descriptor(_)) => Ok(()),
        Err(refusal) => skip(format!("the file {refusal}")),
    }
}

/// `descriptor-complete`
pub(crate) fn complete(opened: &Opened) -> Outcome {
    let plugin = keeping(opened, descriptor::Rule::Complete)?;
    models(plugin).try_for_each(|model| {
        let who = text(model.id);
        described(who, "model", who, text(model.doc))?;
        versioned(who, text(model.version))?;
        params_described(who, list(model.params))?;
        for state in list(model.states) {
            measured(who, "state", text(state.name), text(state.unit))?;
        }
        for port in ports(model) {
            described(who, "port", text(port.name), text(port.doc))?;
            measured(who, "port", text(port.name), text(port.unit))?;
        }
        Ok(())
    })
}

/// `descriptor-unique-keys`
pub(crate) fn unique(opened: &Opened) -> Outcome {
    let plugin = keeping(opened, descriptor::Rule::Unique)?;
    models(plugin).try_for_each(|model| {
        let params = list(model.params).iter();
        let keys = params.flat_map(|param| std::iter::once(&param.key).chain(list(param.aliases)));
        let mut keys: Vec<&str> = keys.map(|key| text(*key)).collect();
        // an input that several phases read is one
        let set = ports(model).filter(|port| port.key.len > 0);
        let set: BTreeSet<_> = set.map(|port| (text(port.key), text(port.name))).collect();
        keys.extend(set.into_iter().map(|(key, _)| key));
        keys.sort_unstable();
        match keys.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => {
                fail(format!("{}: `{}` names two parameters or inputs", text(model.id), pair[0]))
            }
            None => Ok(()),
        }
    })
}

/// `param-default-in-range`
pub(crate) fn defaults(opened: &Opened) -> Outcome {
    keeping(opened, descriptor::Rule::Default).map(drop)
}

/// The plugin, unless its descriptor breaks rules.
fn keeping(opened: &Opened, rule: descriptor::Rule) -> Outcome<&'static Plugin> {
    match opened {
        Ok(plugin) => Ok(plugin),
        Err(Refusal::Descriptor(error)) if descriptor::rule(error) == rule => fail(error),
        Err(refusal) => skip(format!("the file {refusal}")),
    }
}

fn params_described(who: &str, params: &'static [ParamDesc]) -> Outcome {
    for param in params {
        let key = text(param.key);
        described(who, "parameter", key, text(param.doc))?;
        if matches!(ParamKind::from_u32(param.kind), Some(ParamKind::Number)) {
            measured(who, "parameter", key, text(param.unit))?;
        }
        params_described(who, list(param.children))?;
    }
    Ok(())
}

fn described(who: &str, what: &str, name: &str, doc: &str) -> Outcome {
    match doc.trim() {
        "" => fail(format!("{who}: {what} `{name}` has no description")),
        _ => Ok(()),
    }
}

fn measured(who: &str, what: &str, name: &str, unit: &str) -> Outcome {
    match unit.trim() {
        "" => fail(format!("{who}: {what} `{name}` has no unit; \"1\" is that of a pure number")),
        _ => Ok(()),
    }
}

fn versioned(who: &str, version: &str) -> Outcome {
    let core = version.split(['-', '+']).next().unwrap_or_default();
    let numbers: Vec<_> = core.split('.').map(str::parse::<u64>).collect();
    if numbers.len() == 3 && numbers.iter().all(Result::is_ok) {
        return Ok(());
    }
    fail(format!("{who}: its version is `{version}`, expected one like 1.0.0"))
}

fn sizes(model: &'static Model) -> Outcome {
    sized::<Phase>(model, "phase", model.phases, |phase| phase.size)?;
    sized::<StateDesc>(model, "state", model.states, |state| state.size)?;
    sized::<CommandDesc>(model, "command", model.commands, |command| command.size)?;
    sized::<WheelDesc>(model, "wheel", model.wheels, |wheel| wheel.size)?;
    for phase in list(model.phases) {
        sized::<PortDesc>(model, "input", phase.inputs, |port| port.size)?;
        sized::<PortDesc>(model, "output", phase.outputs, |port| port.size)?;
    }
    // SAFETY: null or static data.
    match unsafe { model.chassis.as_ref() } {
        Some(chassis) => {
            sized(model, "chassis", Slice::new(std::slice::from_ref(chassis)), |c: &ChassisDesc| {
                c.size
            })
        }
        None => Ok(()),
    }
}

fn sized<T: 'static>(model: &Model, what: &str, items: Slice<T>, size: fn(&T) -> u32) -> Outcome {
    let wrong = list(items).iter().map(size).find(|size| *size as usize != size_of::<T>());
    match wrong {
        None => Ok(()),
        Some(size) => fail(format!(
            "{}: a {what} says that it has {size} bytes, expected {}",
            text(model.id),
            size_of::<T>()
        )),
    }
}

fn models(plugin: &Plugin) -> impl Iterator<Item = &'static Model> {
    // SAFETY: checked when the plugin was opened.
    list(plugin.models).iter().map(|model| unsafe { &**model })
}

fn ports(model: &'static Model) -> impl Iterator<Item = &'static PortDesc> {
    list(model.phases).iter().flat_map(|phase| inputs(phase).iter().chain(outputs(phase)))
}

fn list<T: 'static>(items: Slice<T>) -> &'static [T] {
    // SAFETY: descriptors are static data, and this one was checked.
    unsafe { items.as_slice() }
}
