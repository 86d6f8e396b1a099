//! The rules for the phases of a model.

use std::ptr::addr_of;

use simhost_abi::{Kind, Model, Phase};

use super::reading::{Reader, once};
use super::{check_ports, sized};

/// Returns the phases of a kind: the model needs exactly one phase of each group.
const fn phases_of(kind: Kind) -> &'static [&'static [&'static str]] {
    match kind {
        Kind::Friction => &[&["force"]],
        Kind::Dynamics => &[&["drive", "wrench", "motion"], &["measure"]],
        Kind::Controller => &[&["control"]],
        Kind::Sensor => &[&["aim"], &["read"]],
        Kind::Actuator => &[&["actuate"]],
        Kind::Environment => &[&["update"]],
        Kind::Fleet => &[&["command"]],
        Kind::Observer => &[],
        Kind::Suspension => &[&["kinematics"]],
    }
}

/// Returns the phases that a model of this kind can have in addition to those that it needs.
const fn optional(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Environment => &["wind", "surface", "gravity"],
        Kind::Fleet | Kind::Suspension => &[],
        Kind::Dynamics => &[RATES, "advance"],
        _ => &[RATES],
    }
}

/// The additional phase of a model with continuous states.
const RATES: &str = "rates";

pub(super) fn check(read: Reader<'_>, kind: Kind, model: &Model) -> Result<(), String> {
    let phases = read.items("the list of phases", model.phases)?;
    let mut ids = Vec::new();
    for phase in phases {
        let id = read.text("the id of a phase", phase.id)?;
        sized::<Phase>(&format!("phase '{id}'"), phase.size)?;
        // SAFETY: a field of a valid struct; looked at as a number.
        if !unsafe {
            read.function(&format!("the function of phase '{id}'"), addr_of!(phase.call))
        }? {
            return Err(format!("phase '{id}' has no function: `call` is null"));
        }
        check_ports(read, id, phase)?;
        ids.push(id);
    }
    let needed = phases_of(kind);
    if let (Kind::Observer, Some(id)) = (kind, ids.first()) {
        return Err(format!("unknown phase '{id}'; an observer has no phases"));
    }
    let found = |choice: &&[&str]| ids.iter().filter(|id| choice.contains(id)).count();
    let wrong = needed.iter().find(|choice| found(choice) != 1);
    let stranger = |id: &&&str| {
        !optional(kind).contains(id) && !needed.iter().any(|choice| choice.contains(id))
    };
    let other = ids.iter().find(stranger);
    once("phase", ids.clone())?;
    let has = if ids.is_empty() { "none".to_owned() } else { ids.join(", ") };
    let all: Vec<String> = needed.iter().map(|choice| choice.join(" or ")).collect();
    let mut all = format!("{} needs {}", kind.with_article(), all.join(" and "));
    if kind == Kind::Environment {
        all += &format!(" and can have {}", optional(kind).join(", "));
    }
    all += &format!(", it has {has}");
    match (wrong, other) {
        (Some([only]), _) => Err(format!("missing phase '{only}'; {all}")),
        (Some(choice), _) => {
            Err(format!("expected one of the phases {}; {all}", choice.join(", ")))
        }
        (None, Some(id)) => Err(format!("unknown phase '{id}'; {all}")),
        (None, None) => Ok(()),
    }
}
