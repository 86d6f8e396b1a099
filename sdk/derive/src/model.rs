//! The attribute `#[model]`.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    FnArg, GenericArgument, ImplItem, ImplItemFn, ImplItemType, ItemImpl, Pat, PatType,
    PathArguments, ReturnType, Type, parse_quote,
};

/// Where the methods of a trait name its associated types.
const NAMED_TYPES: &[(&str, &[(&str, Named)])] = &[
    (
        "Friction",
        &[("State", Named::Argument("force", 2)), ("Inputs", Named::Generic("force", 0, 0))],
    ),
    (
        "Dynamics",
        &[
            ("Actuators", Named::Argument("drive", 0)),
            ("State", Named::Argument("drive", 3)),
            ("Output", Named::Return("drive")),
            ("Measurements", Named::Return("measure")),
            ("Measurements", Named::Return("measure_state")),
        ],
    ),
    (
        "Controller",
        &[
            ("Inputs", Named::Argument("control", 0)),
            ("State", Named::Argument("control", 2)),
            ("Outputs", Named::Return("control")),
        ],
    ),
    (
        "Sensor",
        &[
            ("Inputs", Named::Argument("read", 0)),
            ("State", Named::Argument("read", 4)),
            ("Readings", Named::Return("read")),
            ("PerRay", Named::Generic("read", 1, 0)),
        ],
    ),
    (
        "Actuator",
        &[("Inputs", Named::Argument("actuate", 1)), ("State", Named::Argument("actuate", 3))],
    ),
    (
        "Environment",
        &[
            ("State", Named::Argument("update", 1)),
            ("State", Named::Argument("wind", 2)),
            ("State", Named::Argument("surface", 2)),
            ("State", Named::Argument("gravity", 1)),
        ],
    ),
    (
        "Fleet",
        &[
            ("Inputs", Named::Generic("command", 0, 0)),
            ("Outputs", Named::Generic("command", 0, 1)),
            ("State", Named::Generic("command", 0, 2)),
        ],
    ),
    ("Observer", &[("Run", Named::Argument("step", 0))]),
    (
        "Suspension",
        &[
            ("State", Named::Argument("kinematics", 2)),
            ("Inputs", Named::Generic("kinematics", 0, 0)),
        ],
    ),
];

/// Associated types that are `()` where no method names them.
const OPTIONAL_TYPES: &[&str] =
    &["State", "Published", "Inputs", "Output", "Measurements", "PerRay", "Run"];

/// The place of an associated type in the signature of a method.
#[derive(Clone, Copy)]
enum Named {
    /// The argument of this number after `self`, without its reference.
    Argument(&'static str, usize),
    /// A generic argument of the type of an argument: the numbers of both.
    Generic(&'static str, usize, usize),
    /// The return type of the method.
    Return(&'static str),
}

impl Named {
    /// Returns the type, unless the method is missing or does not name one.
    fn find(self, item: &ItemImpl) -> Option<Type> {
        let ty = match self {
            Self::Argument(name, number) => argument(method(item, name)?, number)?,
            Self::Generic(name, number, generic) => {
                generics(&argument(method(item, name)?, number)?).nth(generic)?
            }
            Self::Return(name) => match &method(item, name)?.sig.output {
                ReturnType::Default => parse_quote! { () },
                ReturnType::Type(_, ty) => (**ty).clone(),
            },
        };
        let is_projected = quote! { #ty }.to_string().starts_with("Self ::");
        (!is_projected).then_some(ty)
    }
}

/// Returns the type of an argument after `self`, without its reference.
fn argument(function: &ImplItemFn, number: usize) -> Option<Type> {
    match function.sig.inputs.iter().nth(1 + number)? {
        FnArg::Typed(argument) => match &*argument.ty {
            Type::Reference(reference) => Some((*reference.elem).clone()),
            ty => Some(ty.clone()),
        },
        FnArg::Receiver(_) => None,
    }
}

/// Returns the types among the generic arguments of a type.
fn generics(ty: &Type) -> impl Iterator<Item = Type> {
    let last = match ty {
        Type::Path(path) => path.path.segments.last().cloned(),
        _ => None,
    };
    let arguments = match last.map(|segment| segment.arguments) {
        Some(PathArguments::AngleBracketed(given)) => Some(given.args),
        _ => None,
    };
    arguments.into_iter().flatten().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

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
    if let Some([inputs, outputs]) = published_from(kind.as_deref())
        && !has_type(&item, "Published")
    {
        if let Some(method) = method(&item, "publish") {
            let text = "missing `type Published = …`: a struct that derives `Ports`";
            return syn::Error::new_spanned(&method.sig.ident, text).to_compile_error();
        }
        item.items.push(parse_quote! {
            #[inline(always)]
            fn publish(
                &self,
                _: #inputs,
                _: #outputs,
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
    name_types(&mut item, kind.as_deref());
    if !has_const(&item, TIME_INVARIANT) && is_invariant(&item) {
        let name = syn::Ident::new(TIME_INVARIANT, proc_macro2::Span::call_site());
        item.items.push(parse_quote! { const #name: bool = true; });
    }
    if method(&item, "warnings").is_some() {
        item.items.push(parse_quote! { const WARNS: bool = true; });
    }
    let core = take_core(&mut item);
    quote! { #core #item }
}

const TIME_INVARIANT: &str = "TIME_INVARIANT";

/// Items of `ModelCore`.
const CORE: [&str; 9] = [
    "State",
    "RANDOM",
    "PERCEIVES",
    TIME_INVARIANT,
    "COMMANDS",
    "WARNS",
    "prepare",
    "warnings",
    "memory",
];

/// Moves the items of `ModelCore` to a separate implementation, in which `State` is `()` by
/// default.
fn take_core(item: &mut ItemImpl) -> ItemImpl {
    let mut core = item.clone();
    let name = |inner: &ImplItem| match inner {
        ImplItem::Type(inner) => Some(inner.ident.to_string()),
        ImplItem::Const(inner) => Some(inner.ident.to_string()),
        ImplItem::Fn(inner) => Some(inner.sig.ident.to_string()),
        _ => None,
    };
    let is_core = |inner: &ImplItem| name(inner).is_some_and(|name| CORE.contains(&&*name));
    core.items.retain(is_core);
    item.items.retain(|inner| !is_core(inner));
    if !has_type(&core, "State") {
        core.items.push(parse_quote! { type State = (); });
    }
    // an expectation would have to be met by both parts
    core.attrs.retain(|attribute| attribute.path().is_ident("cfg"));
    core.trait_ =
        core.trait_.map(|(not, _, token)| (not, parse_quote! { ::simhost_sdk::ModelCore }, token));
    core
}

/// Returns the inputs and outputs from which a model of a kind computes the quantities that it publishes.
fn published_from(kind: Option<&str>) -> Option<[Type; 2]> {
    match kind? {
        "Friction" => Some([
            parse_quote! { &::simhost_sdk::Wheel<Self::Inputs> },
            parse_quote! { &::simhost_sdk::Force },
        ]),
        "Suspension" => Some([
            parse_quote! { &::simhost_sdk::AxleMotion<Self::Inputs> },
            parse_quote! { &::simhost_sdk::AxleKinematics },
        ]),
        "Actuator" => Some([parse_quote! { &Self::Inputs }, parse_quote! { f64 }]),
        _ => None,
    }
}

/// Adds the associated types that are left out: those that the methods name, and `()` for the others.
fn name_types(item: &mut ItemImpl, kind: Option<&str>) {
    let Some((_, named)) = NAMED_TYPES.iter().find(|(name, _)| Some(*name) == kind) else {
        return;
    };
    let published = published_from(kind).map(|_| "Published");
    for name in named.iter().map(|(name, _)| *name).chain(published) {
        if has_type(item, name) {
            continue;
        }
        let places = named.iter().filter(|(candidate, _)| *candidate == name);
        let found = places.map(|(_, place)| *place).find_map(|place| place.find(item));
        let none = OPTIONAL_TYPES.contains(&name).then(|| parse_quote! { () });
        if let Some(ty) = found.or(none) {
            let ident = syn::Ident::new(name, proc_macro2::Span::call_site());
            item.items.push(parse_quote! { type #ident = #ty; });
        }
    }
}

/// Sets the constants of an environment that name its optional methods.
fn declare_phases(item: &mut ItemImpl) {
    for (name, constant) in [("wind", "WIND"), ("surface", "SURFACE"), ("gravity", "GRAVITY")] {
        if method(item, name).is_some() && !has_const(item, constant) {
            let ident = syn::Ident::new(constant, proc_macro2::Span::call_site());
            item.items.push(parse_quote! { const #ident: bool = true; });
        }
    }
}

fn has_type(item: &ItemImpl, name: &str) -> bool {
    item.items.iter().any(|inner| matches!(inner, ImplItem::Type(ty) if ty.ident == name))
}

fn has_const(item: &ItemImpl, name: &str) -> bool {
    item.items.iter().any(|inner| matches!(inner, ImplItem::Const(given) if given.ident == name))
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

/// Parts of a step that do not depend on the time.
const TIMELESS: [&str; 5] = ["dt", "ground", "random", "refuse", "reject"];

/// Returns whether no method can read the time: a step is an argument of some of them, and none uses it for more than
/// its [`TIMELESS`] parts.
fn is_invariant(item: &ItemImpl) -> bool {
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
