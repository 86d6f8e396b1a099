//! Damaged and forged snapshots, and snapshots that do not fit.

use std::sync::Arc;

use simhost_sdk::Random;

use super::*;
use crate::model::ModelStamp;

fn example() -> Snapshot {
    let model = ModelStamp {
        kind: "friction".to_owned(),
        class: "tests/counter".to_owned(),
        version: "0.1.0".to_owned(),
        schema: 1,
        slots: vec!["calls".to_owned()],
        file: Some(u128::MAX),
    };
    // another variant of the class
    let variant = ModelStamp { slots: vec!["turns".to_owned()], ..model.clone() };
    let header = SnapshotHeader {
        host: "0.1.0".to_owned(),
        world: 1 << 100,
        vehicles: ["a", "b"].map(str::to_owned).into(),
        seed: u64::MAX,
        step: 300,
        time: 1.5,
        dt: 0.005,
        models: [model, variant].into(),
    };
    Snapshot {
        header,
        faults: vec!["{}".to_owned()],
        state: (0..200).collect(),
        edits: String::new(),
    }
}

/// Appends the correct hash.
fn signed(mut body: Vec<u8>) -> Vec<u8> {
    let hash = xxhash_rust::xxh3::xxh3_128(&body).to_le_bytes();
    body.extend_from_slice(&hash);
    body
}

#[test]
fn a_file_is_read_as_it_was_written() {
    let snapshot = example();
    assert_eq!(Snapshot::from_bytes(&snapshot.to_bytes()).expect("as written"), snapshot);
}

#[test]
fn every_change_of_a_bit_is_detected() {
    let good = example().to_bytes();
    for length in 0..good.len() {
        assert!(Snapshot::from_bytes(&good[..length]).is_err(), "cut at {length}");
    }
    for at in 0..good.len() * 8 {
        let mut bent = good.clone();
        bent[at / 8] ^= 1 << (at % 8);
        assert!(Snapshot::from_bytes(&bent).is_err(), "bit {at}");
    }
    assert!(Snapshot::from_bytes(&[&good[..], &[0]].concat()).is_err());
}

/// Forged files with a correct hash are read or rejected, without allocating much memory.
#[test]
fn a_forged_file_does_no_harm() {
    let good = example().to_bytes();
    let body = &good[..good.len() - 16];
    let mut draws = Random::new(7);
    for _ in 0..20_000 {
        let mut forged = body.to_vec();
        for _ in 0..1 + draws.bits() % 4 {
            let at = 21 + (draws.bits() as usize) % (forged.len() - 21);
            forged[at] = draws.bits() as u8;
        }
        if draws.bits().is_multiple_of(3) {
            forged.truncate(21 + (draws.bits() as usize) % (forged.len() - 21));
        }
        let _ = Snapshot::from_bytes(&signed(forged));
    }
    // a length that exceeds all memory
    let endless = [&body[..21], &[0xff; 9][..], &[0x01]].concat();
    assert!(Snapshot::from_bytes(&signed(endless)).is_err());
}

/// A change of a header.
type Change = fn(&mut SnapshotHeader);

#[test]
fn every_difference_is_named() {
    let was = example().header;
    let check = |change: Change, fit| {
        let mut is = was.clone();
        change(&mut is);
        fit::check(&was, &is, fit)
    };
    assert_eq!(check(|_| {}, Fit::Exact), Ok(()));
    // inputs of a run
    assert_eq!(check(|is| (is.seed, is.step) = (1, 2), Fit::Exact), Ok(()));
    // linked in instead of loaded from a file
    assert_eq!(check(|is| Arc::make_mut(&mut is.models)[0].file = None, Fit::Exact), Ok(()));
    let changes: [(Change, &str, bool); 9] = [
        (|is| is.host = "9.0.0".to_owned(), "it was written by simhost 0.1.0", true),
        (|is| is.world = 0, "has changed", true),
        (
            |is| Arc::make_mut(&mut is.models)[0].version = "2".to_owned(),
            "had version 0.1.0 and now has version 2",
            true,
        ),
        (|is| Arc::make_mut(&mut is.models)[0].file = Some(3), "its file has changed", true),
        (
            |is| Arc::make_mut(&mut is.models)[0].schema = 2,
            "had schema 1 and now has schema 2",
            false,
        ),
        (
            |is| Arc::make_mut(&mut is.models)[0].slots.clear(),
            "had the state slot `calls` and now has no state slots",
            false,
        ),
        (|is| is.models = [].into(), "the world has no friction tests/counter", false),
        (|is| is.dt = 0.01, "its step is 0.005 s", false),
        (|is| Arc::make_mut(&mut is.vehicles).reverse(), "the vehicles have another order", false),
    ];
    for (change, text, forced) in changes {
        let Err(error) = check(change, Fit::Exact) else { panic!("{text}") };
        assert!(error.to_string().contains(text), "{error}");
        let RestoreError::Misfit { may_be_forced, .. } = error else { panic!("{error}") };
        assert_eq!(may_be_forced, forced, "{text}");
        assert_eq!(check(change, Fit::Slots).is_ok(), forced, "{text}");
    }
}
