//! Parameters that can differ between lanes.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Field, GenericArgument, PathArguments, Type};

use crate::attributes::Words;

/// Types of the standard library and of the SDK that are not `Copy`, and whose values can be copied bit
/// by bit and read.
const BEHIND_POINTERS: &[&str] =
    &["String", "TextFile", "PathBuf", "Vec", "Box", "Arc", "BTreeMap"];

/// The fields of a struct of parameters.
#[derive(Default)]
pub struct PerLane {
    /// Assignments of the parameters that can differ between lanes.
    assignments: Vec<TokenStream>,
    /// Number of own parameters that can differ between lanes.
    own: usize,
    /// Types of the flattened fields that have such parameters.
    flat: Vec<Type>,
    /// Checks that the other fields can be copied bit by bit.
    checks: Vec<TokenStream>,
}

impl PerLane {
    /// Adds a field.
    pub fn add(&mut self, field: &Field, words: &Words) -> syn::Result<()> {
        if !words.has("per_lane") {
            self.checks.push(check(&field.ty));
            return Ok(());
        }
        let error = |text| Err(syn::Error::new_spanned(&field.ty, text));
        if words.has("skip") {
            return error("`skip` makes this field no parameter: remove it or `per_lane`");
        }
        let (ident, index) = (&field.ident, self.count());
        if words.has("flatten") {
            let ty = field.ty.clone();
            self.checks.push(check(&ty));
            self.assignments.push(quote! {
                ::simhost_sdk::Params::set_lane(&mut self.#ident, |lane| get(#index + lane));
            });
            self.flat.push(ty);
            return Ok(());
        }
        if !matches!(&field.ty, Type::Path(path) if path.path.is_ident("f64")) {
            return error("a `per_lane` parameter is a number: expected the type `f64`");
        }
        if words.value("default")?.is_none() && !words.has("required") {
            return error(
                "a `per_lane` parameter has a value in each lane: add `default = …` or `required`",
            );
        }
        self.assignments.push(quote! { self.#ident = get(#index); });
        self.own += 1;
        Ok(())
    }

    /// Returns the number of parameters so far as an expression.
    fn count(&self) -> TokenStream {
        let Self { own, flat, .. } = self;
        quote! { (#own #(+ <#flat as ::simhost_sdk::Params>::PER_LANE.count())*) }
    }

    /// Returns the items of the trait `Params`; none if no parameter can differ between lanes.
    pub fn items(&self) -> TokenStream {
        let Self { assignments, checks, .. } = self;
        if assignments.is_empty() {
            return TokenStream::new();
        }
        let count = self.count();
        quote! {
            const PER_LANE: ::simhost_sdk::lanes::PerLane = {
                #(#checks)*
                // SAFETY: all fields are `Copy` or `LaneCopy`, so none has interior mutability
                // except behind pointers, and `set_lane` writes only numbers.
                unsafe { ::simhost_sdk::lanes::PerLane::new(#count) }
            };
            #[inline(always)]
            fn set_lane(&mut self, get: impl ::core::ops::Fn(usize) -> f64) {
                #(#assignments)*
            }
        }
    }
}

/// Returns the check that values of a type can be copied bit by bit and read.
fn check(ty: &Type) -> TokenStream {
    match ty {
        Type::Array(array) => return check(&array.elem),
        Type::Path(path) => {
            let last = path.path.segments.last();
            if let Some(last) = last.filter(|last| last.ident == "Option")
                && let PathArguments::AngleBracketed(arguments) = &last.arguments
                && let Some(GenericArgument::Type(inner)) = arguments.args.first()
            {
                let inner_check = check(inner);
                return quote_spanned! { ty.span() =>
                    let _: fn(#ty) -> ::core::option::Option<#inner> = |value| value;
                    #inner_check
                };
            }
            if last.is_some_and(|last| BEHIND_POINTERS.iter().any(|known| last.ident == known)) {
                return quote_spanned! { ty.span() =>
                    ::simhost_sdk::lanes::assert_lane_copy::<#ty>();
                };
            }
        }
        _ => {}
    }
    quote_spanned! { ty.span() => ::simhost_sdk::lanes::assert_copy::<#ty>(); }
}
