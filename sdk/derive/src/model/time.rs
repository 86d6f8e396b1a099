//! Whether a model can read the time.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{FnArg, ImplItem, ImplItemFn, ItemImpl, Pat, PatType, Type};

/// Parts of a step that do not depend on the time.
const TIMELESS: [&str; 5] = ["dt", "ground", "random", "refuse", "reject"];

/// Returns whether no method can read the time: a step is an argument of some of them, and none uses it for more than
/// its [`TIMELESS`] parts.
pub fn is_invariant(item: &ItemImpl) -> bool {
    let methods = item.items.iter().filter_map(|inner| match inner {
        ImplItem::Fn(function) => Some(function),
        _ => None,
    });
    let mut has_step = false;
    for function in methods {
        for argument in &function.sig.inputs {
            let FnArg::Typed(argument) = argument else { continue };
            match last_name(&argument.ty).as_deref() {
                Some("Step") if !reads_time(function, argument) => has_step = true,
                // each lane of a group has its own step
                Some("Step" | "Group") => return false,
                _ => {}
            }
        }
    }
    has_step
}

/// Returns the last name of the path of a type, or of the type that it refers to.
fn last_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        Type::Reference(reference) => last_name(&reference.elem),
        _ => None,
    }
}

/// Returns whether a method can read the time of a step that it has as an argument.
fn reads_time(function: &ImplItemFn, step: &PatType) -> bool {
    match &*step.pat {
        Pat::Wild(_) => false,
        Pat::Ident(pattern) if pattern.subpat.is_none() => {
            uses_more(function.block.to_token_stream(), &pattern.ident)
        }
        _ => true,
    }
}

/// Returns whether something else than one of the [`TIMELESS`] parts of a step is used.
fn uses_more(tokens: TokenStream, step: &Ident) -> bool {
    let mut rest = tokens.into_iter();
    while let Some(token) = rest.next() {
        let uses = match token {
            TokenTree::Group(group) => uses_more(group.stream(), step),
            TokenTree::Ident(name) if name == *step => {
                let dot = rest.next().is_some_and(|token| is_dot(&token));
                !dot || !rest.next().is_some_and(|token| is_timeless(&token))
            }
            _ => false,
        };
        if uses {
            return true;
        }
    }
    false
}

fn is_dot(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(dot) if dot.as_char() == '.')
}

fn is_timeless(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(part) if TIMELESS.iter().any(|known| part == known))
}
