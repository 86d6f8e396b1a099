//! Derive macros of the simhost SDK. Their errors point at the field that is wrong.

mod attributes;
mod model;
mod params;
mod ports;

use proc_macro::TokenStream;
use syn::{DeriveInput, ItemImpl, parse_macro_input};

/// Declares the parameters of a model: a field is a tag, its doc comment the description.
///
/// `#[param(default = 0.8, range = 0.0..=2.0, unit = "1")]`; further words are `above = 0.0` (more
/// than), `below = 1.0` (less than), `key = "C_rr"`, `alias = "…"`, `scale = 0.0174…` (from the
/// unit of the world file to SI), `required`, `path` (a text that names a file) and `skip` (not a
/// parameter: starts as `Default`).
#[proc_macro_derive(Params, attributes(param))]
pub fn params(input: TokenStream) -> TokenStream {
    expand(parse_macro_input!(input as DeriveInput), params::expand)
}

/// Declares a parameter that is one of several names: a unit variant is a choice, spelled as the
/// variant or as `#[param(key = "…")]` says.
#[proc_macro_derive(Choice, attributes(param))]
pub fn choice(input: TokenStream) -> TokenStream {
    expand(parse_macro_input!(input as DeriveInput), params::expand_choice)
}

/// Declares ports: every field is an `f64` port of that name.
///
/// `#[port(unit = "m/s")]`; further words are `default = 0.0`, `name = "…"`, `command` (set by
/// commands and the world file only), `key = "V"`, `key_unit = "deg/s"`, `key_scale = 0.0174…` (the
/// tag that sets it in a world file) and `optional` (an output that may stay without a reader).
#[proc_macro_derive(Ports, attributes(port))]
pub fn ports(input: TokenStream) -> TokenStream {
    expand(parse_macro_input!(input as DeriveInput), ports::expand_ports)
}

/// Declares state: every field is an `f64` slot that the host keeps.
///
/// `#[state(unit = "rad", initial = 0.0)]`. One field may be a `Remembered<T>` with
/// `#[state(memory)]`: data that is no fixed set of numbers. `#[state(schema = 2)]` on the struct is
/// the version of its meaning, and `#[state(migrate = path)]` names a function
/// `fn(&mut Self, schema: u32, old: &[(&str, f64)]) -> Result<(), String>` that mends what comes from an
/// older version.
#[proc_macro_derive(State, attributes(state))]
pub fn state(input: TokenStream) -> TokenStream {
    expand(parse_macro_input!(input as DeriveInput), ports::expand_state)
}

/// Put on `impl Friction for …` and its kin: forces the methods inline into the batch loop, and
/// fills in the associated types that are left out (`State = ()`, `Inputs = ()`, `Output = ()`).
#[proc_macro_attribute]
pub fn model(_: TokenStream, item: TokenStream) -> TokenStream {
    model::expand(parse_macro_input!(item as ItemImpl)).into()
}

fn expand(
    input: DeriveInput,
    with: fn(&DeriveInput) -> syn::Result<proc_macro2::TokenStream>,
) -> TokenStream {
    with(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}
