//! Entry points of fuzz targets. Another one is [`load_text`](crate::load_text).

use std::path::Path;

use crate::diagnostics::Report;
use crate::expansion::evaluate_alone;
use crate::expression::{Key, Names, evaluate, exact, six_digits};
use crate::options::{Budget, Limits};
use crate::sources::Sources;
use crate::vehicle::CLASS as VEHICLE_CLASS;
use crate::{json, xml};

/// Parses any bytes as a world file and renders the diagnostics.
pub fn fuzz_xml(bytes: &[u8]) {
    parse_source("world.xml", bytes, |text, file, budget, report| {
        drop(xml::parse(text, file, budget, report));
    });
}

/// Parses any bytes as a vehicle file and renders the diagnostics.
pub fn fuzz_vehicle_file(bytes: &[u8]) {
    parse_source("vehicle.json", bytes, |text, file, budget, report| {
        drop(json::parse(text, file, &VEHICLE_CLASS, budget, report));
    });
}

/// Adds any bytes as a source, parses it and renders the diagnostics.
fn parse_source(path: &str, bytes: &[u8], parse: impl Fn(&str, u32, &mut Budget, &mut Report)) {
    let (mut sources, mut report) = (Sources::default(), Report::default());
    let text = String::from_utf8_lossy(bytes).into_owned();
    let (file, text) = sources.add(Path::new(path).to_owned(), text);
    parse(&text, file, &mut Budget::new(&Limits::default()), &mut report);
    render(report, &sources);
}

/// Evaluates any text as an expression and as a text with replacements.
pub fn fuzz_expression(text: &str) {
    if let Ok(value) = evaluate(text, &mut TestNames) {
        let _ = (exact(value), six_digits(value));
    }
    let (report, sources) = evaluate_alone(text);
    render(report, &sources);
}

/// Renders the first diagnostics: rendering must not fail either. It is slow, and further warnings
/// are much alike.
fn render(report: Report, sources: &Sources) {
    report.finish().iter().take(4).for_each(|found| drop(found.render(sources, false)));
}

/// Variables for fuzzing: every name that starts with `v` has a value.
struct TestNames;

impl Names for TestNames {
    fn variable(&mut self, name: &str) -> Option<String> {
        name.starts_with('v').then(|| name.replace('v', "1"))
    }
    fn known(&mut self) -> Vec<String> {
        vec!["v1".to_owned()]
    }
    fn draw(&mut self) -> Key {
        Key::default()
    }
    fn randomize(&mut self, _: f64) {}
}

#[cfg(test)]
mod tests {
    use super::{TestNames, evaluate, fuzz_expression};

    /// The fuzzer learns little from seeds that fail.
    #[test]
    fn every_seed_of_the_fuzzer_has_a_value() {
        let seeds = include_str!("../../../fuzz/seeds/expression.txt");
        for seed in seeds.lines().filter(|seed| !seed.contains('$')) {
            assert!(evaluate(seed, &mut TestNames).is_ok(), "{seed}");
        }
        seeds.lines().for_each(fuzz_expression);
    }
}
