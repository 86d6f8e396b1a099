//! Parameters of functions have names. A tuple of unrelated values hides how many there are, and what they mean.

use std::path::Path;

use syn::visit::Visit;

use super::source::remove_tests;

/// Most parameters that are tuples: of functions that an iterator calls with pairs, and of places that are always written as
/// pairs.
const MOST: usize = 10;

/// Parameters that are tuples, in files of crates without their tests.
#[derive(Default)]
pub struct TupleParameters(Vec<String>);

impl TupleParameters {
    /// Adds the functions of a file.
    pub fn add(&mut self, path: &Path, file: &syn::File) {
        let mut items = file.items.clone();
        remove_tests(&mut items);
        let is_test = path.ends_with("tests.rs");
        let mut signatures = Signatures::default();
        items.iter().filter(|_| !is_test).for_each(|item| signatures.visit_item(item));
        let places = signatures.tuples.iter();
        self.0.extend(places.map(|place| format!("{}: {place}", path.display())));
    }

    /// Checks their number.
    pub fn check(self) {
        let Self(found) = self;
        assert!(found.len() <= MOST, "expected structs or parameters with names: {found:#?}");
        assert!(!found.is_empty(), "the search finds nothing");
    }
}

/// Collects the parameters of functions that are tuples.
#[derive(Default)]
struct Signatures {
    /// Function of each.
    tuples: Vec<String>,
}

impl<'a> Visit<'a> for Signatures {
    fn visit_signature(&mut self, signature: &'a syn::Signature) {
        let line = signature.ident.span().start().line;
        let types = signature.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(typed) => Some(&*typed.ty),
            syn::FnArg::Receiver(_) => None,
        });
        let tuples = types.filter(|kind| is_tuple(kind));
        self.tuples.extend(tuples.map(|_| format!("{} in line {line}", signature.ident)));
    }
}

/// Returns whether a type is a tuple, or a reference to one.
fn is_tuple(kind: &syn::Type) -> bool {
    match kind {
        syn::Type::Tuple(tuple) => tuple.elems.len() > 1,
        syn::Type::Reference(reference) => is_tuple(&reference.elem),
        _ => false,
    }
}
