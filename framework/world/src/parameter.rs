//! Parameters of models that change after a world has been loaded.

mod change;
mod names;
mod placement;

use std::path::Path;

use simhost_abi::{Kind, Model};
use simhost_model::{ClassError, Classes, ModelRef, ParamValue, View, nearest};

use crate::context::Context;
use crate::diagnostics::LoadError;
use crate::models::ModelUse;
use crate::options::LoadOptions;
use crate::profile::CORRECTED;
use crate::sources::Sources;
use crate::tree::Text;
use crate::vehicle::{RobotFault, fault_numbers, fault_with_number};
use crate::world::World;

pub use change::ParameterContext;
use change::{Changed, check, checked, given, rebound};
pub use names::{ParameterInfo, ParameterOwner};
use names::{describe, faults, list, models};
pub use placement::PlacementError;

/// A parameter cannot be set.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterError {
    /// There is no such model or parameter.
    #[error("unknown {what}: '{found}'; {help}")]
    Unknown {
        /// The kind of thing.
        what: &'static str,
        /// The name that was given.
        found: String,
        /// The nearest name, or all names.
        help: String,
    },
    /// The value is not accepted.
    #[error("{}", .0.diagnostics.iter().map(|one| one.render(&.0.sources, false)).collect::<Vec<_>>().join("\n"))]
    Value(Box<LoadError>),
}

/// Reads values of parameters of a model, given as keys with values as in a world file, and returns them with their
/// indices in the declaration of the model. Relative paths start at `folder`.
///
/// # Errors
/// [`LoadError`] with every value that is not one of its parameter.
pub fn model_parameters(
    model: &'static View<Model>,
    values: &[(&str, &str)],
    folder: &Path,
) -> Result<Vec<(usize, ParamValue)>, LoadError> {
    if values.is_empty() {
        return Ok(Vec::new());
    }
    let keys: Vec<_> = values.iter().map(|(key, _)| *key).collect();
    let mut sources = Sources::default();
    sources.add(folder.join("parameters"), String::new());
    let with = ParameterContext {
        sources: &sources,
        options: &LoadOptions::default(),
        classes: &NoClasses,
    };
    checked(CORRECTED, values, with, |context, texts| Some(given(context, model, &keys, texts)))
}

/// No classes at all, for parameters without a world.
struct NoClasses;

impl Classes for NoClasses {
    fn find(&self, _: Kind, _: &str) -> Result<Vec<ModelRef>, ClassError> {
        Err(ClassError::Unknown { note: None })
    }
    fn names(&self, _: Kind) -> Vec<String> {
        Vec::new()
    }
}

impl World {
    /// Returns the names of all parameters that [`Self::set_parameters`] can set, with their values as in a
    /// world file.
    pub fn parameters(&self) -> Vec<(String, String)> {
        list(self)
    }

    /// Describes the parameters of models: unit, meaning and accepted values.
    pub fn parameter_infos(&self) -> Vec<ParameterInfo> {
        describe(self)
    }

    /// Sets parameters of models, given as names with values: `VEHICLE/ROLE/KEY` for the roles
    /// `controller`, `dynamics` and `friction`, `VEHICLE/friction/WHEEL/KEY` for a wheel with a
    /// separate friction model, `VEHICLE/actuator/NAME/KEY`, `VEHICLE/sensor/NAME/KEY`, or
    /// `world/sensor/NAME/KEY`, `world/environment/NAME/KEY` and `world/fleet/NAME/KEY`. Also sets
    /// numbers of faults of robots, `VEHICLE/fault/SENSOR/CODE/KEY` with the keys `at`, `rate`,
    /// `until`, `duration` and `value` that the fault has. Values are checked as in a world file;
    /// values of one model are checked together.
    ///
    /// # Errors
    /// [`ParameterError`] if there is no such parameter, or a value is not accepted. The world then does
    /// not change.
    pub fn set_parameters(
        &mut self,
        given: &[(&str, &str)],
        with: ParameterContext<'_>,
    ) -> Result<(), ParameterError> {
        let changed = self.with_parameters(given, with)?;
        changed.into_iter().for_each(|one| one.replace_in(self));
        Ok(())
    }

    /// Checks that [`Self::set_parameters`] accepts values.
    ///
    /// # Errors
    /// As [`Self::set_parameters`].
    pub fn check_parameters(
        &self,
        given: &[(&str, &str)],
        with: ParameterContext<'_>,
    ) -> Result<(), ParameterError> {
        self.with_parameters(given, with).map(drop)
    }

    /// Checks the value of a parameter by its declaration. A model can still reject it together with the values of its
    /// other parameters.
    ///
    /// # Errors
    /// As [`Self::set_parameters`].
    pub fn check_parameter(
        &self,
        name: &str,
        value: &str,
        with: ParameterContext<'_>,
    ) -> Result<(), ParameterError> {
        let given = &[(name, value)];
        let (ParameterOwner::Model { name: owner, kind }, key) = self.find(name)? else {
            return self.check_parameters(given, with);
        };
        let base = self.model(&owner);
        let read = |context: &mut Context<'_>, mut texts: Vec<Text>| {
            check(context, kind, base, key, texts.remove(0));
            Some(())
        };
        checked(self.settings.profile, given, with, read)
            .map_err(|error| ParameterError::Value(Box::new(error)))
    }

    /// Returns the owner of a parameter that [`Self::set_parameters`] sets.
    ///
    /// # Errors
    /// [`ParameterError::Unknown`] with the nearest name.
    pub fn find_parameter(&self, name: &str) -> Result<ParameterOwner, ParameterError> {
        self.find(name).map(|(owner, _)| owner)
    }

    /// Returns models and faults with other values of parameters.
    fn with_parameters(
        &self,
        given: &[(&str, &str)],
        with: ParameterContext<'_>,
    ) -> Result<Vec<Changed>, ParameterError> {
        let failed = |error| ParameterError::Value(Box::new(error));
        let found = given.iter().map(|(name, _)| self.find(name));
        let found = found.collect::<Result<Vec<_>, _>>()?;
        let mut changed: Vec<Changed> = Vec::new();
        for (number, (owner, key)) in found.iter().enumerate() {
            let is_known = found[..number].iter().any(|(earlier, _)| earlier == owner);
            match owner {
                // all values of a model with its first one
                ParameterOwner::Model { .. } if is_known => {}
                ParameterOwner::Model { name, kind } => {
                    let own = found.iter().zip(given).filter(|((other, _), _)| other == owner);
                    let own: Vec<_> = own.map(|((_, key), given)| (*key, *given)).collect();
                    let new = self.changed_model(name, *kind, own, with);
                    changed.push(Changed::Model(name.clone(), new.map_err(failed)?));
                }
                ParameterOwner::Fault { vehicle, fault } => {
                    let place = [*vehicle, *fault];
                    let base = self.changed_fault(place, &changed);
                    let given = &given[number..=number];
                    let new = checked(self.settings.profile, given, with, |context, texts| {
                        fault_with_number(context, base, key, &texts[0])
                    });
                    let new = new.map_err(failed)?;
                    changed.push(Changed::Fault(place, new));
                }
            }
        }
        Ok(changed)
    }

    /// Returns a model with other values of parameters, given by their keys with names and values.
    fn changed_model(
        &self,
        owner: &str,
        kind: Kind,
        given: Vec<(&str, (&str, &str))>,
        with: ParameterContext<'_>,
    ) -> Result<ModelUse, LoadError> {
        let (keys, values): (Vec<_>, Vec<_>) = given.into_iter().unzip();
        let base = self.model(owner);
        checked(self.settings.profile, &values, with, |context, texts| {
            Some(rebound(context, kind, base, &keys, texts))
        })
    }

    /// Returns a fault after earlier changes.
    fn changed_fault<'c>(&'c self, place: [usize; 2], changed: &'c [Changed]) -> &'c RobotFault {
        let earlier = changed.iter().rev().find_map(|one| match one {
            Changed::Fault(known, new) if *known == place => Some(new),
            _ => None,
        });
        earlier.unwrap_or(&self.vehicles[place[0]].faults[place[1]])
    }

    /// Returns the model that has been found as the owner of a parameter.
    fn model(&self, owner: &str) -> &ModelUse {
        let (_, _, found) =
            models(self).find(|(known, ..)| known == owner).expect("the owner has been found");
        found
    }

    /// Returns the owner of a parameter, and the key.
    fn find<'n>(&self, name: &'n str) -> Result<(ParameterOwner, &'n str), ParameterError> {
        let Some((owner, key)) = name.rsplit_once('/') else {
            return Err(unknown("parameter", name, list(self).into_iter().map(|(name, _)| name)));
        };
        let Some((_, kind, model)) = models(self).find(|(known, ..)| known == owner) else {
            let Some((_, [vehicle, index], fault)) =
                faults(self).find(|(known, ..)| known == owner)
            else {
                let owners = models(self).map(|(owner, ..)| owner);
                let what = if owner.contains("/fault/") { "fault" } else { "model" };
                return Err(unknown(what, owner, owners.chain(faults(self).map(|one| one.0))));
            };
            let keys: Vec<&str> = fault_numbers(fault).into_iter().map(|(key, _)| key).collect();
            if keys.contains(&key) {
                return Ok((ParameterOwner::Fault { vehicle, fault: index }, key));
            }
            return Err(unknown(
                "parameter",
                name,
                keys.iter().map(|key| format!("{owner}/{key}")),
            ));
        };
        let params = model.model.model.params();
        if params.iter().any(|desc| desc.is_named(key)) {
            return Ok((ParameterOwner::Model { name: owner.to_owned(), kind }, key));
        }
        Err(unknown("parameter", name, params.iter().map(|desc| format!("{owner}/{}", desc.key()))))
    }
}

fn unknown(what: &'static str, found: &str, known: impl Iterator<Item = String>) -> ParameterError {
    // more names would hide the message
    const MOST: usize = 8;
    let known: Vec<String> = known.collect();
    let help = match nearest(found, known.iter().map(String::as_str)) {
        Some(nearest) => format!("did you mean '{nearest}'?"),
        None if known.is_empty() => "there is none".to_owned(),
        None => {
            let listed: Vec<&str> = known.iter().take(MOST).map(String::as_str).collect();
            format!("expected, for instance: {}", listed.join(", "))
        }
    };
    ParameterError::Unknown { what, found: found.to_owned(), help }
}
