//! Results that have to be equal: on two threads, of members, and of repeated runs.

use simhost::output::Recorded;
use simhost::{Ensemble, EnsembleOptions, Options, Out, Session, seconds};

use super::generate::Generated;
use crate::support::runs::catalogue;

/// Runs a world again in other ways. Returns those whose result differs.
pub fn differences(world: &Generated, hash: u128) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut compare = |way: &str, found: Result<u128, String>| match found {
        Ok(found) if found == hash => {}
        Ok(_) => wrong.push(format!("the result differs {way}")),
        Err(error) => wrong.push(format!("{error} {way}")),
    };
    compare("on two threads and in one go", two_threads(world));
    for (number, found) in members(world).into_iter().enumerate() {
        compare(&format!("for member {number}"), found);
    }
    compare("when its record is repeated", repeated(world));
    wrong
}

fn two_threads(world: &Generated) -> Result<u128, String> {
    let (mut session, _) = world.world.clone().threads(2).open();
    session.run_until(seconds(world.times[1])).map_err(|error| error.to_string())?;
    Ok(session.simulation().result_hash())
}

fn members(world: &Generated) -> Vec<Result<u128, String>> {
    const MEMBERS: usize = 3;
    let [dt, duration] = world.times;
    let (session, _) = world.world.open();
    let mut ensemble = Ensemble::from_session(session, EnsembleOptions::members(MEMBERS)).unwrap();
    let stepped = ensemble.step((duration / dt).round() as u64);
    let hash = |member| {
        stepped.as_ref().map_err(ToString::to_string)?;
        let mut member = ensemble.member(member).map_err(|error| error.to_string())?;
        member.result_hash().map_err(|error| error.to_string())
    };
    (0..MEMBERS).map(hash).collect()
}

fn repeated(world: &Generated) -> Result<u128, String> {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let text = |error: simhost::Error| error.to_string();
    let (mut session, _) = world.world.open_in(Some(Out::new(&out)));
    session.run_until(seconds(world.times[1])).map_err(text)?;
    session.finish().map_err(text)?;
    let recorded = Recorded::read(&out).map_err(|error| error.to_string())?;
    let options = Options { catalogue: Some(catalogue()), ..Options::default() };
    let mut session = Session::reopen(&recorded, options).map_err(text)?;
    session.repeat(&recorded).map_err(text)?;
    Ok(session.simulation().result_hash())
}
