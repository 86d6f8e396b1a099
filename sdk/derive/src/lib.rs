//! Derive macros of the simhost SDK, which re-exports them. Use `simhost-sdk` instead of this
//! crate.
//!
//! | Macro | On | Generates |
//! |---|---|---|
//! | `Params` | a struct of parameters | names, units, ranges, defaults and descriptions from fields and doc comments |
//! | `Choice` | an enumeration | a parameter with a fixed list of words |
//! | `Ports` | a struct of inputs or outputs | the columns of a phase |
//! | `RayPorts` | a struct of values per ray | the columns of a sensor with rays |
//! | `State` | a struct of state slots | numbers that the host keeps for each vehicle or wheel |
//! | `model` | the implementation of a model trait | the description of the model for `export_plugin!` |
//!
//! Errors point at the field that causes them: an empty range, a default out of its range, a
//! duplicate name, or a number without a default.

mod attributes;
mod choice;
mod model;
mod params;
mod per_lane;
mod ports;
mod state;

use proc_macro::TokenStream;
use syn::{DeriveInput, ItemImpl, parse_macro_input};

/// Declares the parameters of a model. Each field is a parameter of that name, and its doc comment
/// is the description that users read.
///
/// `#[param(…)]` accepts:
///
/// * `default = 0.8`: the value when a world file gives none; `required` if it has to give one
/// * `range = 0.0..=2.0`, `above = 0.0` (greater than), `below = 1.0` (less than): the valid range
/// * `unit = "deg"`: the unit in a world file, `"1"` by default; `scale = math::DEG`: the factor to
///   SI
/// * `key = "C_rr"`: the name in a world file; `alias = "…"`: another name
/// * `path`: a text that is the path of a file; see `TextFile` for the contents of a text file
/// * `per_lane`: a number of type `f64` that can differ between vehicles that are computed together.
///   `self.mu` is the value of the vehicle, wheel or sensor at hand in every method but `prepare`, which
///   sees the values of one of them: a value that `prepare` derives from it would be wrong for the
///   others. Vehicles that differ in other parameters are computed in separate calls
/// * `flatten`: a struct of parameters that are written next to the others, not in a separate
///   element; with `per_lane`, its `per_lane` parameters can differ. The struct is then `Copy`
/// * `skip`: not a parameter; the field starts with its `Default`
///
/// On the struct, `#[param(alias = "…")]` is another name of the class in world files.
///
/// It fails to compile, with an error at the field, when a range is empty, a default is not in its
/// range or not of the type, two parameters share a key or an alias, or a number without a default is
/// neither `required` nor allowed to be 0.
#[proc_macro_derive(Params, attributes(param))]
pub fn params(input: TokenStream) -> TokenStream {
    expand(parse_macro_input!(input as DeriveInput), params::expand)
}

/// Declares a parameter that is one of several names. Each unit variant is a name, spelled like the
/// variant or as `#[param(key = "…")]` says.
#[proc_macro_derive(Choice, attributes(param))]
pub fn choice(input: TokenStream) -> TokenStream {
    expand(parse_macro_input!(input as DeriveInput), choice::expand)
}

/// Declares ports. Each field is a port of that name, and its doc comment is the description. A
/// field of type `f64` has one value per vehicle, wheel of a friction model, or sensor. An input of
/// type `PerWheel`, and an output of type `[f64; N]`, has one value per wheel of the vehicle.
///
/// `#[port(…)]` accepts:
///
/// * `unit = "m/s"`: the SI unit, which is required; `name = "…"`: another name
/// * `default = 0.0`: the value of an input that nothing provides
/// * `required`: an input without a default; a world in which nothing provides it is not loaded
/// * `optional`: an input that need not be provided, although it is neither a command nor has a key
/// * `command`: an input that only commands and the world file set
/// * `key = "W"`, `key_unit = "deg/s"`, `key_scale = math::DEG`: the name and the unit under which
///   a world file sets the input, and the factor from that unit to SI
/// * `publish`: an output that needs no reader and becomes a quantity
/// * `flatten`: a struct that derives `Ports`, whose ports are added to the others
#[proc_macro_derive(Ports, attributes(port))]
pub fn ports(input: TokenStream) -> TokenStream {
    expand(parse_macro_input!(input as DeriveInput), ports::expand_ports)
}

/// Declares the readings of a sensor that have one number per ray. Each unit variant of the enum is a
/// reading, and its doc comment is the description. `LineOfSight` has the name `line_of_sight`.
///
/// `#[port(…)]` accepts:
///
/// * `unit = "m"`: the SI unit, which is required; `name = "…"`: another name
/// * `unknown`: a reading that can be NaN
#[proc_macro_derive(RayPorts, attributes(port))]
pub fn ray_ports(input: TokenStream) -> TokenStream {
    expand(parse_macro_input!(input as DeriveInput), ports::expand_ray_ports)
}

/// Declares the state of a model. Each field is an `f64` slot that the host keeps, and its doc comment
/// is the description of the slot.
///
/// `#[state(…)]` on a field accepts:
///
/// * `unit = "m"`, `initial = 0.0`: the SI unit and the value at the start of a run
/// * `initial_from = "ambient_temperature"`: the key of a number or integer among the parameters of
///   the model, with whose value the slot starts; `initial` then applies where an optional parameter
///   has no value
/// * the kind, from which the host knows how the value changes over time: `continuous` (the
///   default), `discrete` (a gear or a flag), `counter` (a count of events) or `angle` (in rad,
///   modulo a full turn)
/// * `memory`: on one field of type `Remembered<T>`, data that does not fit into slots
///
/// On the struct, `#[state(schema = 2)]` is the version of the slots and the memory.
/// `#[state(migrate = path)]` names a function `fn(&mut Self, schema: u32, old: &[(&str, f64)]) ->
/// Result<(), String>` that adapts the state of an older version.
#[proc_macro_derive(State, attributes(state))]
pub fn state(input: TokenStream) -> TokenStream {
    expand(parse_macro_input!(input as DeriveInput), state::expand_state)
}

/// Completes an implementation of `Friction`, `Dynamics`, `Controller`, `Sensor`, `Actuator`,
/// `Environment`, `Fleet` or `Observer`: inlines its methods into the batch loop, and adds the associated
/// types that it leaves out. `Inputs`, `Outputs`, `Actuators`, `Output`, `Measurements`, `Readings`,
/// `PerRay`, `State` and `Run` are the types in the signatures of its methods, and `()` where no method names
/// them; `Published` is `()`. For an `Environment`, it sets the constants that name its optional methods.
///
/// It fails to compile when a friction model, a suspension or an actuator has one of `type Published` and `fn publish` without the
/// other, or a dynamics class has measurements that no method returns.
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
