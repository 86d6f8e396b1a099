//! Entry points of fuzz targets. The third is [`load_text`](crate::load_text).

use std::path::Path;
use std::rc::Rc;

use crate::budget::Budget;
use crate::compat::CORRECTED;
use crate::diagnostics::Report;
use crate::expansion::{Context, Expansion, Scope};
use crate::expression::{Key, Names, evaluate, exact, six_digits};
use crate::reader::LoadOptions;
use crate::sources::{Sources, Span};
use crate::xml::{Origin, Text};

/// Parses what may be anything and shows what is wrong with it, for fuzzing.
pub fn fuzz_xml(bytes: &[u8]) {
    let (mut sources, mut report) = (Sources::default(), Report::default());
    let text = String::from_utf8_lossy(bytes).into_owned();
    let (file, text) = sources.add(Path::new("world.xml").to_owned(), text);
    crate::xml::parse(&text, file, &mut Budget::new(&crate::Limits::default()), &mut report);
    show(report, &sources);
}

/// Evaluates what may be anything, as an expression and as a text with replacements, for fuzzing.
pub fn fuzz_expression(text: &str) {
    if let Ok(value) = evaluate(text, &mut Nothing) {
        let _ = (exact(value), six_digits(value));
    }
    let mut expansion = Expansion::new(&LoadOptions::default(), CORRECTED);
    let scope = Scope { directory: Path::new("").into(), included: false, arguments: Vec::new() };
    let written = Text { content: text.into(), span: Span::default(), origin: Origin::Written };
    expansion.text(&written, &Context::world(Rc::new(scope)));
    show(expansion.report, &expansion.sources);
}

/// What is wrong is shown to people, so that must not fail either.
fn show(report: Report, sources: &Sources) {
    // rendering is slow, and one warning is much like the next
    report.finish().iter().take(4).for_each(|found| drop(sources.render(found, false)));
}

/// Names that begin with v have a value.
struct Nothing;

impl Names for Nothing {
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
    use super::{Nothing, evaluate, fuzz_expression};

    /// Seeds that fail teach the fuzzer little.
    #[test]
    fn every_expression_that_seeds_the_fuzzer_has_a_value() {
        let seeds = include_str!("../../../fuzz/seeds/expression.txt");
        for seed in seeds.lines().filter(|seed| !seed.contains('$')) {
            assert!(evaluate(seed, &mut Nothing).is_ok(), "{seed}");
        }
        seeds.lines().for_each(fuzz_expression);
    }
}
