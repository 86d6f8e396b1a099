//! The shape of the source: layers without cycles, allowed dependencies, and sizes.

mod circles;
mod crates;
mod modules;
mod names;
mod parameters;
mod sizes;
mod source;
mod voice;
mod web_assembly;

use self::circles::Crate;
use self::names::NamesOfItems;
use self::parameters::TupleParameters;
use self::sizes::Lengths;

/// Parses every file once, because that takes longer than all checks.
#[test]
fn crates_have_the_described_shape() {
    let (mut wrong, mut lengths, mut names) =
        (Vec::new(), Lengths::default(), NamesOfItems::default());
    let mut tuples = TupleParameters::default();
    let mut circles = Vec::new();
    let crates = modules::crates();
    for source in &crates {
        let read = Crate::read(source, &mut |path, file| {
            lengths.add(path, file);
            tuples.add(path, file);
        });
        let folder = source.strip_prefix(source::root()).unwrap().display().to_string();
        circles
            .extend(read.circles().iter().map(|files| format!("{folder}: {}", files.join(", "))));
        wrong.extend(
            modules::cycles(&read).map(|cycles| format!("{folder}: modules in cycles: {cycles}")),
        );
        names.add(source, &read);
    }
    for path in source::rust_files(&source::root()) {
        if !crates.iter().any(|source| path.starts_with(source)) {
            lengths.add(&path, &source::parse(&path));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    circles::check(&circles);
    names.check();
    tuples.check();
    lengths.check();
}

/// Packages of the project's checks have fixed versions, so that a release elsewhere cannot break them.
#[test]
fn tools_have_pinned_versions() {
    let text = std::fs::read_to_string(source::root().join(".ci/run")).unwrap();
    let text = text.replace("\\\n", " ");
    let mut packages = 0;
    for line in text.lines() {
        let Some((_, after)) = line.split_once("/pip install ") else { continue };
        for word in after.split_whitespace().filter(|word| !word.starts_with('-')) {
            packages += 1;
            assert!(word.contains("==") || word.ends_with(".whl"), "{word} has no version: {line}");
        }
    }
    assert!(packages > 20, "only {packages} packages");
}
