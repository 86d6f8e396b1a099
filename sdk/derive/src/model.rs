//! The attribute `#[model]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{ImplItem, ItemImpl, parse_quote};

/// Associated types that an implementation can leave out, by trait.
const OPTIONAL_TYPES: &[(&str, &[&str])] = &[
    ("Friction", &["State"]),
    ("Dynamics", &["State", "Output"]),
    ("Controller", &["State"]),
    ("Sensor", &["Inputs", "State"]),
];

pub fn expand(mut item: ItemImpl) -> TokenStream {
    let kind = item
        .trait_
        .as_ref()
        .and_then(|(_, path, _)| path.segments.last())
        .map(|segment| segment.ident.to_string());
    for inner in &mut item.items {
        if let ImplItem::Fn(function) = inner {
            function.attrs.push(parse_quote! { #[inline(always)] });
        }
    }
    let optional = OPTIONAL_TYPES.iter().find(|(name, _)| Some(*name) == kind.as_deref());
    for name in optional.map_or(&[] as &[_], |(_, names)| names) {
        let given =
            item.items.iter().any(|inner| matches!(inner, ImplItem::Type(ty) if ty.ident == name));
        if !given {
            let ident = syn::Ident::new(name, proc_macro2::Span::call_site());
            item.items.push(parse_quote! { type #ident = (); });
        }
    }
    quote! { #item }
}
