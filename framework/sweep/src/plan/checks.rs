//! Checks of a plan before the first run.

use simhost::{Catalogue, Differences, Distribution, Error, Session, Variation, VariationError};

use crate::design::count_of;
use crate::error::StudyError;
use crate::open_world::{OpenWorld, Variables};
use crate::study::{PlanValue, Study, VARIABLE};

/// Number of runs; the models must accept at least one of them.
const TRIED: usize = 64;

/// Checks that nothing is given twice.
pub fn names(study: &Study) -> Result<(), StudyError> {
    let all: Vec<&PlanValue<Variation>> = study.set.iter().chain(&study.vary).collect();
    for (number, one) in all.iter().enumerate() {
        let name = &one.value.name;
        if all[..number].iter().any(|earlier| earlier.value.name == *name) {
            return Err(one.wrong(format!(
                "'{name}' is given twice; expected it once, in [vary] or in [set]"
            )));
        }
        if name == "seed" && study.repeat.value > 1 {
            return Err(
                one.wrong("'seed' is given, and `repeat` gives seeds; expected one of them")
            );
        }
    }
    for one in &study.set {
        if !matches!(one.value.values, Distribution::Constant(_)) {
            let (name, kind) = (&one.value.name, one.value.values.kind());
            return Err(one.wrong(format!("'{name}' is fixed to '{kind}'; expected one value")));
        }
    }
    Ok(())
}

/// Returns the value that the first run has of each variable of the world.
pub fn first_variables(study: &Study) -> Variables {
    let all = study.set.iter().chain(&study.vary);
    let variables = all.filter(|one| one.value.name.starts_with(VARIABLE));
    let first = |one: &PlanValue<Variation>| {
        let draws = simhost::Draws::new(one.value.clone(), 1, study.seed.unwrap_or(0), 0);
        (one.value.name.clone(), draws.value(0).to_string())
    };
    variables.map(first).collect()
}

/// Checks that the world declares the variables that are given.
pub fn variables(study: &Study, catalogue: &Catalogue) -> Result<(), StudyError> {
    for one in study.set.iter().chain(&study.vary) {
        if !one.value.name.starts_with(VARIABLE) {
            continue;
        }
        let only = Study { set: Vec::new(), vary: vec![one.clone()], ..study.clone() };
        if let Err(StudyError::World(Error::Load(error))) =
            OpenWorld::read(study, catalogue, &first_variables(&only))
            && let Some(unknown) =
                error.diagnostics.iter().find(|one| one.message.contains("has no variable"))
        {
            let notes = unknown.notes.join("; ");
            return Err(one
                .wrong(format!("cannot vary '{}': {}; {notes}", one.value.name, unknown.message)));
        }
    }
    Ok(())
}

/// Checks names and values against the world. Values that a model rejects together are refused if the first runs have
/// nothing else.
pub fn values(study: &Study, session: &Session, seed: u64) -> Result<(), StudyError> {
    let samples = study.samples.as_ref().map_or(1, |samples| samples.value);
    let all = study.set.iter().chain(&study.vary);
    let own: Vec<&PlanValue<Variation>> =
        all.filter(|one| !one.value.name.starts_with(VARIABLE)).collect();
    let wrong = |error: VariationError| {
        let named = |one: &&&PlanValue<Variation>| {
            error.to_string().contains(&format!("'{}'", one.value.name))
        };
        let place = own.iter().rev().find(named);
        place
            .map_or_else(|| StudyError::plan(error.to_string()), |one| one.wrong(error.to_string()))
    };
    let counts = own.iter().map(|one| count_of(&one.value.values).unwrap_or(samples));
    let count = counts.max().unwrap_or(1) as usize;
    let variations = own.iter().map(|one| one.value.clone()).collect();
    let checked = Differences::new(variations, session, count, seed).map_err(wrong)?;
    let mut first = None;
    for member in 0..count.min(TRIED) {
        match checked.check_member(member, session) {
            Ok(()) => return Ok(()),
            Err(error) => _ = first.get_or_insert(error),
        }
    }
    first.map_or(Ok(()), |error| Err(wrong(error)))
}
