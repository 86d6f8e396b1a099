//! The descriptor of a plugin, and the macros that export it.

use simhost_abi::{Model, Plugin, Slice, Str, StructLayout};

/// A plugin that is linked into the host and found through `inventory`.
pub struct Linked(pub &'static Plugin);

inventory::collect!(Linked);

/// The layout of the boundary that this plugin was compiled with.
static LAYOUT: Slice<StructLayout> = Slice::new(simhost_abi::LAYOUT);

/// Returns the descriptor of a plugin.
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
            layout_kind: Str::new(simhost_abi::LAYOUT_KIND),
            layout: (&raw const LAYOUT).cast(),
        },
        vendor: Str::new(vendor),
        name: Str::new(name),
        version: Str::new(version),
        models: Slice { data: models.as_ptr(), len: models.len() },
    }
}

/// Exports the models of this crate as a plugin.
///
/// ```
/// # use simhost_sdk::prelude::*;
/// # /// No friction.
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
/// `friction`, `dynamics`, `controller`, `sensor`, `actuator`, `environment`, `fleet`, `observer`
/// and `suspension`, in this order. Two models can share a class
/// name if they differ in their ports; the host takes the first one that fits. Use the macro once
/// per crate, with `crate-type = ["cdylib"]`. It does not compile with `panic = "abort"`, because a
/// plugin contains its own panics.
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
        $(, actuator: { $($actuator_id:literal => $actuator:ty),* $(,)? })?
        $(, environment: { $($environment_id:literal => $environment:ty),* $(,)? })?
        $(, fleet: { $($fleet_id:literal => $fleet:ty),* $(,)? })?
        $(, observer: { $($observer_id:literal => $observer:ty),* $(,)? })?
        $(, suspension: { $($suspension_id:literal => $suspension:ty),* $(,)? })?
        $(,)?
    ) => {
        // in WebAssembly, a panic is a trap, which no code outside the plugin sees
        #[cfg(all(panic = "abort", not(target_family = "wasm")))]
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
            $($(&const { $crate::ActuatorModel::<$actuator>::model(
                $actuator_id, env!("CARGO_PKG_VERSION")) },)*)?
            $($(&const { $crate::EnvironmentModel::<$environment>::model(
                $environment_id, env!("CARGO_PKG_VERSION")) },)*)?
            $($(&const { $crate::FleetModel::<$fleet>::model(
                $fleet_id, env!("CARGO_PKG_VERSION")) },)*)?
            $($(&const { $crate::ObserverModel::<$observer>::model(
                $observer_id, env!("CARGO_PKG_VERSION")) },)*)?
            $($(&const { $crate::SuspensionModel::<$suspension>::model(
                $suspension_id, env!("CARGO_PKG_VERSION")) },)*)?
        ];

        // SAFETY: the models are constants.
        const _: () = unsafe { $crate::checks::plugin(SIMHOST_VENDOR, SIMHOST_MODELS) };

        /// The descriptor of this plugin.
        pub static PLUGIN: $crate::abi::Plugin = $crate::plugin_descriptor(
            SIMHOST_VENDOR,
            env!("CARGO_PKG_NAME"),
            env!("CARGO_PKG_VERSION"),
            SIMHOST_MODELS,
        );

        // a WebAssembly module of models has no host that it is linked into
        #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
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
        // SAFETY: the boundary reserves this name for this type.
        #[unsafe(no_mangle)]
        pub static simhost_plugin_v1: $crate::abi::Plugin = $crate::plugin_descriptor(
            SIMHOST_VENDOR,
            env!("CARGO_PKG_NAME"),
            env!("CARGO_PKG_VERSION"),
            SIMHOST_MODELS,
        );

        $crate::abi::export_stable_layout!();
    };
}
