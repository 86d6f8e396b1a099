//! Which of the models that share a class name fits a dynamics class.

use simhost_abi::{Model, PortDesc, Scope};

use crate::classes::ModelRef;
use crate::ports::{PortFault, controller_faults};
use crate::view::View;

/// Returns the first candidate whose ports all have a counterpart.
///
/// # Errors
/// The faults of each candidate.
pub fn fitting<'m>(
    candidates: &'m [ModelRef],
    dynamics: &'static View<Model>,
) -> Result<&'m ModelRef, Vec<(&'m ModelRef, Vec<PortFault>)>> {
    let mut all = Vec::new();
    for candidate in candidates {
        let faults = controller_faults(candidate.model, dynamics);
        if faults.is_empty() {
            return Ok(candidate);
        }
        all.push((candidate, faults));
    }
    Err(all)
}

fn outputs(
    model: &'static View<Model>,
    phase: &str,
) -> impl Iterator<Item = &'static View<PortDesc>> {
    model.phase(phase).into_iter().flat_map(|phase| phase.outputs())
}

impl View<Model> {
    /// Whether a sensor has outputs.
    pub fn gives_readings(&'static self) -> bool {
        outputs(self, "read").next().is_some()
    }

    /// Whether instances of a sensor can cast rays in space, which takes an elevation per ray.
    pub fn can_be_spatial(&'static self) -> bool {
        self.phase("aim").is_some_and(|aim| aim.outputs().iter().any(|p| p.name() == "elevation"))
    }

    /// Every name that the model reads in its element of a world file: parameters with their
    /// aliases, and setpoints.
    pub fn keys(&'static self) -> Vec<&'static str> {
        let params = self.params().iter();
        let params = params.flat_map(|param| std::iter::once(param.key()).chain(param.aliases()));
        params.chain(self.setpoints().map(View::<PortDesc>::key)).collect()
    }

    /// Inputs that a world file can set, one value per vehicle.
    pub fn setpoints(&'static self) -> impl Iterator<Item = &'static View<PortDesc>> {
        self.keyed_inputs().filter(|port| port.scope != Scope::Wheel as u32)
    }

    /// Inputs of a dynamics class that a world file can set per wheel.
    pub fn wheel_setpoints(&'static self) -> impl Iterator<Item = &'static View<PortDesc>> {
        self.keyed_inputs().filter(|port| port.scope == Scope::Wheel as u32)
    }

    fn keyed_inputs(&'static self) -> impl Iterator<Item = &'static View<PortDesc>> {
        // `rates` reads the same inputs as another phase
        let phases = self.phases().iter().filter(|phase| phase.id() != "rates");
        phases.flat_map(|phase| phase.inputs()).filter(|port| !port.key().is_empty())
    }
}
