//! Entry points of fuzz targets. The third is [`load_bytes`](crate::load_bytes).

use crate::budget::Budget;
use crate::diagnostics::Report;
use crate::expression::{Key, Names, evaluate, exact, six_digits};

/// Parses what may be anything, for fuzzing.
pub fn fuzz_xml(bytes: &[u8]) {
    let limits = crate::Limits::default();
    let text = String::from_utf8_lossy(bytes);
    crate::xml::parse(&text, 0, &mut Budget::new(&limits), &mut Report::default());
}

/// Evaluates what may be anything, for fuzzing.
pub fn fuzz_expression(text: &str) {
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
    if let Ok(value) = evaluate(text, &mut Nothing) {
        let _ = (exact(value), six_digits(value));
    }
}
