//! The planning model `LEARNED_STEER_VEL` with networks from ONNX files.
//!
//! The class `learned_steer_vel_onnx` has the submodels of `learned_steer_vel` and one more: class
//! `Network` of the module `onnx`, whose file of parameters is an ONNX file. [`network::Network`]
//! describes the content of the file.
//!
//! The crate is separate because tract, which computes the networks, is large: only programs with
//! the feature `learned` contain it.
//!
//! **Limit:** a network is computed in single precision with the vector instructions of the CPU, so
//! results can differ between CPUs in their last digits.

pub mod network;

use simhost_planning::learned::{Catalogue, Learned, examples};
use simhost_planning::models::adapter::Planned;
use simhost_sdk::submodel::Submodel;

use network::Network;

/// Name of the module of networks.
pub const MODULE: &str = "onnx";

/// Networks, and the examples of the planning models.
pub enum Networks {}

impl Catalogue for Networks {
    const DOC: &'static str = "Planning model `LEARNED_STEER_VEL` of Autoware with networks from ONNX files. Results can \
         differ between CPUs, because networks are computed with the vector instructions of the CPU.";

    fn create(module: &str, class: &str) -> Result<Box<dyn Submodel>, String> {
        match (module, class) {
            (MODULE, "Network") => Ok(Box::new(Network::default())),
            (MODULE, _) => Err(format!("unknown submodel: `{class}`; expected `Network`")),
            (examples::MODULE, _) => examples::create(module, class),
            _ => Err(format!(
                "unknown module: `{module}`; expected `{MODULE}` or `{}`",
                examples::MODULE
            )),
        }
    }
}

/// The dynamics class.
pub type LearnedSteerVelOnnx = Planned<Learned<Networks>>;

simhost_sdk::declare_plugin! {
    vendor: "simhost",
    dynamics: { "learned_steer_vel_onnx" => LearnedSteerVelOnnx },
}

#[cfg(feature = "shared")]
simhost_sdk::export_declared!();
