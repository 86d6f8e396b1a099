//! Members of ensembles are runs of their own: bit for bit, in every world.

#![allow(clippy::unwrap_used)]

use simhost::{
    Ensemble, EnsembleError, EnsembleOptions, Error, MemberEnd, Options, Session, Variation,
};

use crate::all_worlds::worlds;

const MEMBERS: usize = 8;

/// Returns variations of a parameter of friction, one of a controller, a pose and a command, as far as a world has them.
fn variations(session: &Session) -> Vec<Variation> {
    let parameters = session.inputs().parameters();
    let number = |role: &str| {
        let named = parameters.iter().filter(|(name, _)| name.split('/').nth(1) == Some(role));
        let mut numbers = named.filter_map(|(name, value)| {
            let value: f64 = value.parse().ok()?;
            (value != 0.0).then_some((name, value))
        });
        numbers.next().map(|(name, value)| format!("{name}=list:{value},{}", value * 0.9))
    };
    let vehicles = session.simulation().vehicle_names();
    let pose = session.simulation().placeable().next().map(|entity| {
        let pose = session.simulation().motion_of(entity).unwrap().0;
        format!("{entity}/pose/yaw=range:{}:{}:8", pose[2], pose[2] + 0.02)
    });
    let command = session.world().streams().unwrap().iter().find_map(|stream| {
        let name = format!("{}/cmd_vel", vehicles.first()?);
        (stream.name == name).then(|| format!("{name}=list:0.5 0 0.1,1 0 -0.2,0.8 0 0"))
    });
    let texts = [number("friction"), number("controller"), pose, command];
    let parsed = texts.into_iter().flatten().map(|text| text.parse::<Variation>().unwrap());
    // values that the world does not accept, or that nothing can vary
    let accepted =
        |one: &Variation| simhost::Differences::new(vec![one.clone()], session, MEMBERS, 0).is_ok();
    parsed.filter(accepted).collect()
}

/// Opens a session with the differences of a member.
fn session_of(world: &std::path::Path, variations: &[Variation], member: usize) -> Session {
    let seed = Some(5 + member as u64);
    let mut session = Session::open(world, Options { seed, ..Options::default() }).unwrap();
    let differences = simhost::Differences::new(variations.to_vec(), &session, MEMBERS, 5).unwrap();
    for difference in differences.of_member(member, 0) {
        difference.apply(&mut session).unwrap();
    }
    session
}

#[test]
fn members_of_every_world_equal_sessions() {
    let mut shared = Vec::new();
    for world in worlds() {
        let name = world.file_name().unwrap().to_string_lossy().into_owned();
        let variations = variations(&Session::open(&world, Options::default()).unwrap());
        let mut options = EnsembleOptions::members(MEMBERS).seed(5).threads(2);
        options.variations.clone_from(&variations);
        let mut ensemble = Ensemble::open(&world, options).unwrap();
        if ensemble.why_not_shared().is_empty() {
            shared.push(name.clone());
        }
        let mut sessions: Vec<Session> =
            (0..MEMBERS).map(|member| session_of(&world, &variations, member)).collect();
        let half: Vec<bool> = (0..MEMBERS).map(|member| member % 2 == 1).collect();
        ensemble.step(23).unwrap();
        sessions.iter_mut().for_each(|session| drop(session.run_steps(23).unwrap()));
        ensemble.step_some(11, &half).unwrap();
        for session in sessions.iter_mut().skip(1).step_by(2) {
            session.run_steps(11).unwrap();
        }
        let reset: Vec<bool> = (0..MEMBERS).map(|member| member >= 4).collect();
        ensemble.reset(&reset, None).unwrap();
        for (member, session) in sessions.iter_mut().enumerate().skip(4) {
            *session = session_of(&world, &variations, member);
        }
        ensemble.step(19).unwrap();
        sessions.iter_mut().for_each(|session| drop(session.run_steps(19).unwrap()));
        for (number, session) in sessions.iter_mut().enumerate() {
            let mut member = ensemble.member(number).unwrap();
            assert_eq!(member.steps(), session.steps(), "{name}: member {number}");
            let hash = session.simulation().result_hash();
            assert_eq!(member.result_hash().unwrap(), hash, "{name}: results of {number}");
            let state = session.snapshot().unwrap().state_hash();
            assert_eq!(member.state_hash().unwrap(), state, "{name}: state of {number}");
            let mut taken = member.to_session().unwrap();
            assert_eq!(taken.snapshot().unwrap().state_hash(), state, "{name}: {number} taken");
            taken.run_steps(5).unwrap();
            session.run_steps(5).unwrap();
            assert_eq!(taken.simulation().result_hash(), session.simulation().result_hash());
        }
    }
    assert!(shared.len() >= 3, "members share tables in {shared:?}");
}
