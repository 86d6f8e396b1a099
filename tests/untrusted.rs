//! Hostile worlds and files: the program reports an error, and neither crashes nor
//! hangs nor exhausts the memory.

#![allow(clippy::print_stdout)]

mod child;
mod crowds;
mod files;
mod images;
mod language;
mod maps;
mod meshes;
mod places;
mod texts;

use self::child::Ended;

use crate::support::{OPTIMISED, Workspace};

/// Limit of the address space of a run, MiB.
const MAX_MEMORY: u64 = 1024;
/// Processor time limit of the optimised program, s.
const MAX_SECONDS: f64 = 2.0;
/// Time after which a run counts as hanging, s. The program is not optimised, and other tests run in parallel.
const PATIENCE: f64 = 120.0;

/// Cases that take more than half a second of a program that is not optimised, and are left to one that is.
const SLOW: &[&str] = &[
    "60 MB of elements with attributes",
    "an OBJ with a face of ten million corners",
    "a million elements, each unknown",
    "100,000 joints of bodies that are not there",
    "a Collada file of 60 MB of elements",
    "a map of the memory",
    "an include with an argument in a for",
    "a floor plan of noise",
    "fors of 10^5 in each other",
    "a vehicle file of 60,000 nested objects",
    "a thousand packed grid maps of 10^7 cells",
    "a terrain of one long line",
    "90,000 blocks in one place",
    "90,000 vehicles in one place",
    "30,000 long blocks side by side",
    "a hundred rough roads",
];

/// Hostile input.
pub struct Case {
    /// Description.
    pub name: &'static str,
    /// Writes `world.xml` and the files that it refers to.
    pub write: fn(&Workspace),
    /// Expected parts of the message: position, problem, and option if there is one.
    pub said: &'static [&'static str],
}

const fn case(name: &'static str, said: &'static [&'static str], write: fn(&Workspace)) -> Case {
    Case { name, write, said }
}

fn examined(case: &Case) -> Ended {
    let workspace = Workspace::new("");
    (case.write)(&workspace);
    child::examine(&workspace, "check world.xml", MAX_MEMORY, PATIENCE)
}

/// Repeats a run that is too slow, and returns the fastest.
fn best_of_three(case: &Case) -> Ended {
    let mut best = examined(case);
    for _ in 0..2 {
        if best.processor_seconds > MAX_SECONDS {
            let next = examined(case);
            best = if next.processor_seconds < best.processor_seconds { next } else { best };
        }
    }
    best
}

/// Returns what is wrong with the reaction of the program.
fn complaint(case: &Case, ended: &Ended) -> Option<String> {
    let said: Vec<_> = ended.said.split_whitespace().collect();
    let said = said.join(" ");
    let missing = case.said.iter().find(|text| !said.contains(**text));
    match (ended.code, missing) {
        (None, _) => Some(format!("{}: ended by signal or hung: {said}", case.name)),
        (Some(12), None) => None,
        (code, Some(text)) => Some(format!("{}: code {code:?}, no `{text}` in: {said}", case.name)),
        (code, None) => Some(format!("{}: code {code:?}: {said}", case.name)),
    }
}

/// Returns whether the program reads files of this kind.
fn is_built(case: &&Case) -> bool {
    let is_one_of = |kinds: &[&str]| kinds.iter().any(|kind| case.name.contains(kind));
    (cfg!(feature = "gltf") || !is_one_of(&["glTF"]))
        && (cfg!(feature = "images") || !is_one_of(&["BMP", "GIF", "TIFF", "TGA"]))
}

fn all_are_refused(cases: &[Case]) {
    let complaint = |case: &Case| complaint(case, &examined(case));
    let cases = cases.iter().filter(is_built);
    let cases = cases.filter(|case| OPTIMISED || !SLOW.contains(&case.name));
    let complaints: Vec<_> = cases.filter_map(complaint).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}

#[test]
fn slow_cases_are_cases() {
    let mut cases = FAMILIES.iter().flat_map(|family| family.iter());
    for name in SLOW {
        assert!(cases.clone().any(|case| case.name == *name), "{name}");
    }
    assert!(cases.any(|case| !SLOW.contains(&case.name)));
}

/// Declares a test for each family of cases, and lists the families.
macro_rules! families {
    ($($test:ident: $cases:expr),* $(,)?) => {
        $(
            #[test]
            fn $test() {
                all_are_refused($cases);
            }
        )*

        const FAMILIES: &[&[Case]] = &[$($cases),*];
    };
}

families! {
    language_that_does_not_end: language::CASES,
    texts_that_are_too_long_or_too_deep: texts::CASES,
    images_that_are_too_large_or_cut_short: images::CASES,
    meshes_that_point_beyond_themselves: meshes::CASES,
    maps_that_claim_too_much: maps::CASES,
    places_that_are_no_files: places::CASES,
    crowds_that_cannot_be_simulated: crowds::CASES,
}

/// For the release profile: `cargo test --release untrusted -- --ignored --nocapture`.
/// The limit of two seconds applies to processor time, and to the best of three runs, because other programs can
/// run at the same time.
#[test]
#[ignore = "measures the optimised program"]
fn each_is_refused_within_two_seconds_and_one_gibibyte() {
    let mut failed = Vec::new();
    println!("{:<60} {:>6} {:>6} {:>6}", "case", "s", "s CPU", "MiB");
    for case in FAMILIES.iter().flat_map(|family| family.iter()).filter(is_built) {
        let ended = best_of_three(case);
        let Ended { seconds, processor_seconds, peak_mib, .. } = ended;
        let line =
            format!("{:<60} {seconds:>6.2} {processor_seconds:>6.2} {peak_mib:>6}", case.name);
        println!("{line}");
        failed.extend(complaint(case, &ended));
        if processor_seconds > MAX_SECONDS || peak_mib > MAX_MEMORY {
            failed.push(line);
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
