//! Tests of descriptors.

use std::collections::BTreeSet;

use simhost_abi::{Model, ParamDesc, ParamKind, Plugin, PortDesc};
use simhost_model::View;
use simhost_model::ports::{PortFault, kind_faults};
use simhost_registry::{LayoutWalk, Refusal, descriptor, walk_layout};

use crate::case::Opened;
use crate::instance::{Outcome, fail, skip};
use crate::rig::{inputs, outputs};

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
        Ok(plugin) => plugin.models().try_for_each(sizes),
        Err(refusal @ (Refusal::Epoch { .. } | Refusal::Layout { .. })) => {
            fail(format!("the file {refusal}"))
        }
        Err(Refusal::Descriptor(_)) => Ok(()),
        Err(refusal) => skip(format!("the file {refusal}")),
    }
}

/// `abi-walk`
pub(crate) fn walk(opened: &Opened) -> Outcome {
    match opened {
        Ok(plugin) => match walk_layout(plugin) {
            LayoutWalk::NotInHost => skip("this simhost does not have the feature `stable-abi`"),
            LayoutWalk::NotInPlugin => skip("the plugin does not have the feature `stable-abi`"),
            LayoutWalk::Compared(Ok(())) => Ok(()),
            LayoutWalk::Compared(Err(text)) => fail(text),
        },
        // the refusal contains what the walk finds
        Err(refusal) => skip(format!("the file {refusal}")),
    }
}

/// `descriptor-complete`
pub(crate) fn complete(opened: &Opened) -> Outcome {
    let plugin = keeping(opened, descriptor::Rule::Complete)?;
    plugin.models().try_for_each(|model| {
        let who = model.id();
        described(who, "model", who, model.doc())?;
        versioned(who, model.version())?;
        params_described(who, model.params())?;
        for state in model.states() {
            measured(who, "state", state.name(), state.unit())?;
        }
        for port in ports(model) {
            described(who, "port", port.name(), port.doc())?;
            measured(who, "port", port.name(), port.unit())?;
        }
        Ok(())
    })
}

/// `descriptor-unique-keys`
pub(crate) fn unique(opened: &Opened) -> Outcome {
    let plugin = keeping(opened, descriptor::Rule::Unique)?;
    plugin.models().try_for_each(|model| {
        let params = model.params().iter();
        let keys = params.flat_map(|param| std::iter::once(param.key()).chain(param.aliases()));
        let mut keys: Vec<&str> = keys.collect();
        // an input that several phases read counts once
        let set = ports(model).filter(|port| port.key.len > 0);
        let set: BTreeSet<_> = set.map(|port| (port.key(), port.name())).collect();
        keys.extend(set.into_iter().map(|(key, _)| key));
        keys.sort_unstable();
        match keys.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => {
                fail(format!("{}: `{}` names two parameters or inputs", model.id(), pair[0]))
            }
            None => Ok(()),
        }
    })
}

/// `param-default-in-range`
pub(crate) fn defaults(opened: &Opened) -> Outcome {
    keeping(opened, descriptor::Rule::Default).map(drop)
}

/// `descriptor-ports`
pub(crate) fn ports_fit(opened: &Opened) -> Outcome {
    let plugin = match opened {
        Ok(plugin) => plugin,
        Err(refusal) => return skip(format!("the file {refusal}")),
    };
    let faults = plugin.models().flat_map(|model| {
        let say = |fault: PortFault| {
            let hint =
                fault.nearest.map_or(String::new(), |name| format!("did you mean `{name}`?"));
            let rest = if hint.is_empty() { fault.help } else { hint };
            format!("{}: {}; {rest}", model.id(), fault.text)
        };
        kind_faults(model).into_iter().map(say).collect::<Vec<_>>()
    });
    let faults: Vec<String> = faults.collect();
    if faults.is_empty() { Ok(()) } else { fail(faults.join("\n")) }
}

/// Returns the plugin, unless its descriptor breaks a rule.
fn keeping(opened: &Opened, rule: descriptor::Rule) -> Outcome<&'static View<Plugin>> {
    match opened {
        Ok(plugin) => Ok(plugin),
        Err(Refusal::Descriptor(error)) if descriptor::rule(error) == rule => fail(error),
        Err(refusal) => skip(format!("the file {refusal}")),
    }
}

fn params_described(who: &str, params: &'static [View<ParamDesc>]) -> Outcome {
    for param in params {
        let key = param.key();
        described(who, "parameter", key, param.doc())?;
        if matches!(param.kind(), Some(ParamKind::Number)) {
            measured(who, "parameter", key, param.unit())?;
        }
        params_described(who, param.children())?;
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
        "" => fail(format!("{who}: {what} `{name}` has no unit; use \"1\" for a pure number")),
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

fn sizes(model: &'static View<Model>) -> Outcome {
    sized(model, "phase", model.phases(), |phase| phase.size)?;
    sized(model, "state", model.states(), |state| state.size)?;
    sized(model, "command", model.commands(), |command| command.size)?;
    sized(model, "wheel", model.wheels(), |wheel| wheel.size)?;
    for phase in model.phases() {
        sized(model, "input", phase.inputs(), |port| port.size)?;
        sized(model, "output", phase.outputs(), |port| port.size)?;
    }
    let chassis = model.chassis().map_or(&[][..], std::slice::from_ref);
    sized(model, "chassis", chassis, |chassis| chassis.size)
}

fn sized<T>(
    model: &'static View<Model>,
    what: &str,
    items: &'static [View<T>],
    size: fn(&View<T>) -> u32,
) -> Outcome {
    let wrong = items.iter().map(size).find(|size| *size as usize != size_of::<T>());
    match wrong {
        None => Ok(()),
        Some(size) => fail(format!(
            "{}: a {what} says that it has {size} bytes, expected {}",
            model.id(),
            size_of::<T>()
        )),
    }
}

fn ports(model: &'static View<Model>) -> impl Iterator<Item = &'static View<PortDesc>> {
    model.phases().iter().flat_map(|phase| inputs(phase).iter().chain(outputs(phase)))
}
