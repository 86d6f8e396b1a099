//! Names in expressions, where they stand without `${…}`.

use std::rc::Rc;

use super::Scope;
use super::texts::{Evaluation, MAX_DEPTH, Mistake};
use crate::expression::{Key, Names};

/// Constants of expressions, as they are mostly written.
const CONSTANTS: &[&str] = &["pi", "M_PI", "true", "false"];

/// Names in an expression: variables first, for the peer knows no arguments here.
pub(super) struct Bare<'b, 'e> {
    pub evaluation: &'b mut Evaluation<'e>,
    pub scope: &'b Rc<Scope>,
    pub depth: usize,
    /// Why a name that is there has no value.
    pub failure: Option<Mistake>,
}

impl Bare<'_, '_> {
    fn found(&mut self, name: &str) -> Option<String> {
        let context = self.evaluation.context;
        let variables = &mut self.evaluation.expansion.variables;
        if let Some(value) = variables.local(name) {
            return Some(value.to_string());
        }
        let declared = context.declared.as_ref().filter(|_| context.declared_first);
        if let Some(value) = declared.and_then(|declared| declared.get(name)) {
            return Some(value.to_string());
        }
        if let Some(value) = variables.world(name) {
            return Some(value.to_string());
        }
        self.scope.argument(name)?;
        // the expression that asks is still on the stack
        let depth = self.depth + MAX_DEPTH / 8;
        match self.evaluation.lookup(name, self.scope, depth) {
            Ok(value) => value,
            Err(mistake) => {
                self.failure = Some(mistake);
                None
            }
        }
    }
}

impl Names for Bare<'_, '_> {
    fn variable(&mut self, name: &str) -> Option<String> {
        if let Some(value) = self.found(name) {
            return Some(value);
        }
        if self.evaluation.expansion.failed.contains(name) {
            self.failure.get_or_insert_with(Mistake::told);
        }
        if CONSTANTS.contains(&name) {
            return None;
        }
        // case does not matter to the peer's expressions
        let known = self.known();
        let mut alike = known.iter().filter(|known| known.eq_ignore_ascii_case(name));
        match (alike.next(), alike.next()) {
            (Some(known), None) => self.found(known),
            _ => None,
        }
    }

    fn known(&mut self) -> Vec<String> {
        self.evaluation.known(self.scope)
    }

    fn draw(&mut self) -> Key {
        let evaluation = &mut *self.evaluation;
        evaluation.expansion.variables.note_instance();
        evaluation.draws += 1;
        evaluation.key.with(evaluation.draws)
    }

    fn randomize(&mut self, seed: f64) {
        let expansion = &mut *self.evaluation.expansion;
        expansion.variables.note_instance();
        expansion.draws = expansion.draws.with(seed.to_bits());
        self.evaluation.key = expansion.key(self.evaluation.span, self.evaluation.context);
    }
}
