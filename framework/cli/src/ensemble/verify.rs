//! `--verify`: members of an ensemble by themselves.

use simhost::MemberDifference;

use super::Study;
use crate::arguments::Run;
use crate::exit::{Code, Failure};
use crate::{opening, terminal};

/// Runs some members again by themselves, if the command line asks for it, and prints whether their results agree. The
/// exit code is [`Code::Negative`] if one differs.
///
/// # Errors
/// Fails if the world has observers, whose files the members would write again.
pub fn verify(study: &mut Study, arguments: &Run) -> Result<Code, Failure> {
    let Some(count) = arguments.varying.verify else { return Ok(Code::Done) };
    if study.is_interrupted {
        return Ok(Code::Done);
    }
    if !study.ensemble.session().outputs().observers().is_empty() {
        let text = "--verify has no meaning for a world with observers, whose members are stepped one by one\nhelp: \
                    leave out --verify, or the observers";
        return Err(Failure::new(Code::Usage, text));
    }
    let members = study.ensemble.members();
    let count = (count as usize).min(members);
    for number in 0..count {
        // the first and the last member, and others in between
        let member = if count == 1 { 0 } else { number * (members - 1) / (count - 1) };
        if let Some(difference) = study.ensemble.verify(member).map_err(opening::failure)? {
            report(&difference);
            return Ok(Code::Negative);
        }
    }
    let noun = if count == 1 { "member has" } else { "members have" };
    terminal::result(&format!("verified: {count} {noun} the same result hash alone"))?;
    Ok(Code::Done)
}

fn report(difference: &MemberDifference) {
    let MemberDifference { member, in_ensemble, alone, step, foreign_models } = difference;
    let first = match step {
        Some(step) => format!("; the results differ from step {step} on"),
        None => "; the results agree when both are repeated".to_owned(),
    };
    let suspects = match foreign_models.as_slice() {
        [] => "all models of the world are built in: report this as a defect of simhost".to_owned(),
        models => format!(
            "a model keeps something outside of its states, such as a static variable; those that are not built in \
             are {}. `simhost plugin check` finds most of such models",
            models.join(", ")
        ),
    };
    terminal::error(&format!(
        "member {member} has result hash {in_ensemble:032x} in the ensemble, and {alone:032x} alone{first}\nhelp: \
         {suspects}"
    ));
}
