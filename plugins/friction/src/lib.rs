//! The built-in friction models: the force between a wheel and the ground.

mod circle;
pub mod default;
pub mod ellipse;
mod rolling_resistance;
pub mod ward_iagnemma;

simhost_sdk::declare_plugin! {
    vendor: "simhost",
    friction: {
        "default" => default::Coulomb,
        "wardiagnemma" => ward_iagnemma::WardIagnemma,
        "ellipse" => ellipse::Ellipse,
    },
}

#[cfg(feature = "shared")]
simhost_sdk::export_declared!();
