//! Items of an implementation.

use syn::{ImplItem, ImplItemFn, ImplItemType, ItemImpl, Type};

pub fn has_type(item: &ItemImpl, name: &str) -> bool {
    item.items.iter().any(|inner| matches!(inner, ImplItem::Type(ty) if ty.ident == name))
}

pub fn has_const(item: &ItemImpl, name: &str) -> bool {
    item.items.iter().any(|inner| matches!(inner, ImplItem::Const(given) if given.ident == name))
}

pub fn method<'i>(item: &'i ItemImpl, name: &str) -> Option<&'i ImplItemFn> {
    item.items.iter().find_map(|inner| match inner {
        ImplItem::Fn(function) if function.sig.ident == name => Some(function),
        _ => None,
    })
}

/// Returns the measurements of a dynamics class, unless it has none.
pub fn measurements(item: &ItemImpl) -> Option<&ImplItemType> {
    let is_none = |ty: &Type| matches!(ty, Type::Tuple(tuple) if tuple.elems.is_empty());
    item.items.iter().find_map(|inner| match inner {
        ImplItem::Type(given) if given.ident == "Measurements" && !is_none(&given.ty) => {
            Some(given)
        }
        _ => None,
    })
}
