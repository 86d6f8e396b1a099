//! The attribute `#[model]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{ImplItem, ImplItemFn, ImplItemType, ItemImpl, Type, parse_quote};

/// Associated types that an implementation can leave out, by trait.
const OPTIONAL_TYPES: &[(&str, &[&str])] = &[
    ("Friction", &["State", "Published", "Inputs"]),
    ("Dynamics", &["State", "Output", "Measurements"]),
    ("Controller", &["State"]),
    ("Sensor", &["Inputs", "State"]),
    ("Actuator", &["Inputs", "State"]),
    ("Environment", &["State"]),
    ("Fleet", &["State"]),
    ("Observer", &["Run"]),
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
    if kind.as_deref() == Some("Friction") && !has_type(&item, "Published") {
        if let Some(method) = method(&item, "publish") {
            let text = "missing `type Published = …`: a struct that derives `Ports`";
            return syn::Error::new_spanned(&method.sig.ident, text).to_compile_error();
        }
        item.items.push(parse_quote! {
            #[inline(always)]
            fn publish(
                &self,
                _: &::simhost_sdk::Wheel<Self::Inputs>,
                _: &::simhost_sdk::Force,
                _: &::simhost_sdk::Step,
                _: &Self::State,
            ) {
            }
        });
    }
    if kind.as_deref() == Some("Dynamics")
        && let Some(given) = measurements(&item)
        && method(&item, "measure").or(method(&item, "measure_state")).is_none()
    {
        let text = "missing `fn measure` or `fn measure_state`, which returns these measurements";
        return syn::Error::new_spanned(given, text).to_compile_error();
    }
    if kind.as_deref() == Some("Environment") {
        declare_phases(&mut item);
    }
    for name in optional.map_or(&[] as &[_], |(_, names)| names) {
        if !has_type(&item, name) {
            let ident = syn::Ident::new(name, proc_macro2::Span::call_site());
            item.items.push(parse_quote! { type #ident = (); });
        }
    }
    quote! { #item }
}

/// Sets the constants of an environment that name its optional methods.
fn declare_phases(item: &mut ItemImpl) {
    for (name, constant) in [("wind", "WIND"), ("surface", "SURFACE"), ("gravity", "GRAVITY")] {
        let is_given =
            |inner: &ImplItem| matches!(inner, ImplItem::Const(given) if given.ident == constant);
        if method(item, name).is_some() && !item.items.iter().any(is_given) {
            let ident = syn::Ident::new(constant, proc_macro2::Span::call_site());
            item.items.push(parse_quote! { const #ident: bool = true; });
        }
    }
}

fn has_type(item: &ItemImpl, name: &str) -> bool {
    item.items.iter().any(|inner| matches!(inner, ImplItem::Type(ty) if ty.ident == name))
}

fn method<'i>(item: &'i ItemImpl, name: &str) -> Option<&'i ImplItemFn> {
    item.items.iter().find_map(|inner| match inner {
        ImplItem::Fn(function) if function.sig.ident == name => Some(function),
        _ => None,
    })
}

/// Returns the measurements of a dynamics class, unless it has none.
fn measurements(item: &ItemImpl) -> Option<&ImplItemType> {
    let is_none = |ty: &Type| matches!(ty, Type::Tuple(tuple) if tuple.elems.is_empty());
    item.items.iter().find_map(|inner| match inner {
        ImplItem::Type(given) if given.ident == "Measurements" && !is_none(&given.ty) => {
            Some(given)
        }
        _ => None,
    })
}
