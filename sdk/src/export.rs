//! From models to the descriptor that a host reads.

use std::ffi::c_void;

use simhost_abi::{
    CallFn, Fault, Kind, Model, Phase, Plugin, PortDesc, Slice, Str, Value, fault_code,
};

use crate::{Params, State, fault, memory};

/// A plugin that is linked into the host, found through `inventory`.
pub struct Linked(pub &'static Plugin);

inventory::collect!(Linked);

/// What the descriptors of all kinds need of a model.
pub(crate) trait Described {
    /// The struct of its parameters.
    type Model: Params;
    /// What it remembers.
    type State: State;
    /// Checks the parameters and computes what follows from them.
    fn prepare(model: &mut Self::Model) -> Result<(), String>;
    /// What a lane remembers beside its slots, at the start of a run.
    fn memory(model: &Self::Model) -> <Self::State as State>::Memory;
}

/// The parts of a descriptor that all kinds have in common.
pub(crate) const fn model<D: Described>(
    kind: Kind,
    id: &'static str,
    version: &'static str,
) -> Model {
    Model {
        size: size_of::<Model>() as u32,
        kind: kind as u32,
        flags: 0,
        schema: D::State::SCHEMA,
        id: Str::new(id),
        version: Str::new(version),
        doc: Str::new(D::Model::DOC),
        params: Slice::new(D::Model::PARAMS),
        states: Slice::new(D::State::STATES),
        commands: Slice::new(&[]),
        wheels: Slice::new(&[]),
        chassis: std::ptr::null(),
        phases: Slice::new(&[]),
        create: create::<D>,
        destroy: destroy::<D::Model>,
        arrange: None,
        capacity: None,
        ability: Some(memory::ability::<D>),
    }
}

/// One part of a step.
pub(crate) const fn phase(
    id: &'static str,
    inputs: &'static [PortDesc],
    outputs: &'static [PortDesc],
    call: CallFn,
) -> Phase {
    Phase {
        size: size_of::<Phase>() as u32,
        reserved: 0,
        id: Str::new(id),
        inputs: Slice::new(inputs),
        outputs: Slice::new(outputs),
        call,
    }
}

/// Reads the parameters, lets the model check them and hands over the handle.
///
/// # Safety
/// `values` live during the call and follow the declaration of the model; `handle` can be written.
unsafe extern "C" fn create<D: Described>(
    values: Slice<Value>,
    handle: *mut *mut c_void,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: promised by the caller.
    let values = unsafe { values.as_slice() };
    if values.len() != D::Model::PARAMS.len() {
        let text = format!("expected {} parameters, got {}", D::Model::PARAMS.len(), values.len());
        return fault::report(fault, fault_code::REFUSED, 0, &text);
    }
    fault::install_hook();
    let made = fault::contain(|| {
        let mut model = D::Model::read(values);
        D::prepare(&mut model).map(|()| Box::into_raw(Box::new(model)))
    });
    match made {
        Ok(Ok(model)) => {
            // SAFETY: promised by the caller.
            unsafe { *handle = model.cast() };
            fault_code::NONE
        }
        Ok(Err(text)) => fault::report(fault, fault_code::REFUSED, 0, &text),
        Err(caught) => caught.report(fault, 0),
    }
}

unsafe extern "C" fn destroy<M: Params>(handle: *mut c_void) {
    // SAFETY: the handle came from `create` of this type and is not used again.
    let model = unsafe { Box::from_raw(handle.cast::<M>()) };
    // a panic in a destructor must not cross the boundary, and nobody is left to tell
    let _ = fault::contain(|| drop(model));
}

/// The descriptor of a plugin.
#[doc(hidden)]
pub const fn plugin_descriptor(
    vendor: &'static str,
    name: &'static str,
    version: &'static str,
    models: &'static [*const Model],
) -> Plugin {
    Plugin {
        head: simhost_abi::Head {
            magic: simhost_abi::MAGIC,
            epoch: simhost_abi::EPOCH,
            size: size_of::<Plugin>() as u32,
            fingerprint: simhost_abi::FINGERPRINT,
            layout_kind: Str::new(simhost_abi::LAYOUT_DESCRIPTION),
            layout: simhost_abi::LAYOUT,
        },
        vendor: Str::new(vendor),
        name: Str::new(name),
        version: Str::new(version),
        models: Slice { data: models.as_ptr(), len: models.len() },
    }
}

/// Makes a shared library of models, for `simhost --plugin-dir`.
///
/// ```
/// # use simhost_sdk::prelude::*;
/// # /// Free of friction.
/// # #[derive(Params)]
/// # pub struct Ice {}
/// # #[model]
/// # impl Friction for Ice {
/// #     fn force(&self, _: &Wheel, _: &Step, _: &mut ()) -> Force { Force::default() }
/// # }
/// export_plugin! {
///     vendor: "acme",
///     friction: { "ice" => Ice },
/// }
/// # fn main() {}
/// ```
///
/// `vendor` is the part before the slash of the full class name, here `acme/ice`. The kinds are
/// `friction`, `dynamics`, `controller` and `sensor`, in this order. Two models may share a name
/// when they differ in their ports: the host takes the first that fits. Use it once a crate, with
/// `crate-type = ["cdylib"]`; a crate with `panic = "abort"` is refused.
#[macro_export]
macro_rules! export_plugin {
    ($($body:tt)*) => {
        $crate::declare_plugin! { $($body)* }
        $crate::export_declared!();
    };
}

/// Declares the descriptor `PLUGIN` and registers it for hosts that link this crate in.
#[doc(hidden)]
#[macro_export]
macro_rules! declare_plugin {
    (
        vendor: $vendor:literal
        $(, friction: { $($friction_id:literal => $friction:ty),* $(,)? })?
        $(, dynamics: { $($dynamics_id:literal => $dynamics:ty),* $(,)? })?
        $(, controller: { $($controller_id:literal => $controller:ty),* $(,)? })?
        $(, sensor: { $($sensor_id:literal => $sensor:ty),* $(,)? })?
        $(,)?
    ) => {
        #[cfg(panic = "abort")]
        compile_error!(
            "a simhost plugin contains its panics: remove `panic = \"abort\"` from the profile"
        );

        const SIMHOST_VENDOR: &str = $vendor;
        const SIMHOST_MODELS: &[*const $crate::abi::Model] = &[
            $($(&const { $crate::FrictionModel::<$friction>::model(
                $friction_id, env!("CARGO_PKG_VERSION")) },)*)?
            $($(&const { $crate::DynamicsModel::<$dynamics>::model(
                $dynamics_id, env!("CARGO_PKG_VERSION")) },)*)?
            $($(&const { $crate::ControllerModel::<$controller>::model(
                $controller_id, env!("CARGO_PKG_VERSION")) },)*)?
            $($(&const { $crate::SensorModel::<$sensor>::model(
                $sensor_id, env!("CARGO_PKG_VERSION")) },)*)?
        ];

        /// The descriptor of this plugin.
        pub static PLUGIN: $crate::abi::Plugin = $crate::plugin_descriptor(
            SIMHOST_VENDOR,
            env!("CARGO_PKG_NAME"),
            env!("CARGO_PKG_VERSION"),
            SIMHOST_MODELS,
        );

        $crate::inventory::submit! { $crate::Linked(&PLUGIN) }
    };
}

/// Exports the descriptor that [`declare_plugin!`] declared.
#[doc(hidden)]
#[macro_export]
macro_rules! export_declared {
    () => {
        #[doc(hidden)]
        #[allow(non_upper_case_globals)]
        // SAFETY: the name is the one that the boundary reserves for this type.
        #[unsafe(no_mangle)]
        pub static simhost_plugin_v1: $crate::abi::Plugin = $crate::plugin_descriptor(
            SIMHOST_VENDOR,
            env!("CARGO_PKG_NAME"),
            env!("CARGO_PKG_VERSION"),
            SIMHOST_MODELS,
        );
    };
}
