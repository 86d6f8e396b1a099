//! Direct calls of a friction model, without a world.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use simhost_abi::Kind;
use simhost_abi::host::Circumstances;
use simhost_model::breadcrumb::{CallLabel, LabelHandle};
use simhost_model::{Classes, Entities, Instance, ModelRig, ParamValue, PhaseCall, RigShape};
use simhost_registry::{Catalogue, FolderSource, Options, PluginFolder};

/// An instance of a friction model with columns for its lanes.
pub struct Rig {
    call: PhaseCall,
    /// Columns of the call.
    model: ModelRig,
}

impl Rig {
    /// Creates an instance of a friction class with default parameters and `lanes` wheels with slightly
    /// different inputs.
    ///
    /// # Panics
    /// Panics if the catalogue lacks the class or the model rejects its defaults.
    pub fn new(catalogue: &Catalogue, class: &str, lanes: usize) -> Self {
        let classes = catalogue.find(Kind::Friction, class).expect("the catalogue has the class");
        let (class, model) = (&classes[0], classes[0].model);
        let values: Vec<_> = model.params().iter().map(ParamValue::default_of).collect();
        let instance = Instance::new(class, values);
        let instance = Arc::new(instance.unwrap_or_else(|fault| panic!("{}", fault.message())));
        let label = CallLabel {
            checks_floats: !class.is_linked_in(),
            ..CallLabel::of(class, model.phases()[0].id(), Entities::default())
        };
        let shape = RigShape { lanes, ..RigShape::default() };
        let rig = ModelRig::new(&instance, &[LabelHandle::new(label)], shape);
        let mut rig = rig.unwrap_or_else(|fault| panic!("{}", fault.message()));
        for (port, values) in model.phases()[0].inputs().iter().zip(&mut rig.phases[0].inputs) {
            // the parameters of all wheels are equal, and have no column
            if !values.is_empty() {
                *values = column(port.name(), lanes);
            }
        }
        // SAFETY: the columns are used only while the rig is borrowed exclusively.
        let call = unsafe { rig.bound(0) };
        Self { call, model: rig }
    }

    /// Calls the model for all wheels, `batch` lanes per call.
    ///
    /// # Panics
    /// Panics if the model faults.
    pub fn run(&mut self, batch: usize) {
        let at = Circumstances::of_step(0.0, 0.005);
        let lanes = self.model.shape.lanes;
        for first in (0..lanes).step_by(batch) {
            // SAFETY: there are no streams and memories.
            let called = unsafe { self.call.run(first..(first + batch).min(lanes), &at) };
            called.unwrap_or_else(|fault| panic!("{}", fault.message()));
        }
    }

    /// Checks that batches of this size return the bits that single wheels return.
    ///
    /// # Panics
    /// Panics if the model faults or a bit differs.
    pub fn check(&mut self, batch: usize) {
        let bits = |rig: &Self| -> Vec<u64> {
            rig.outputs().iter().flatten().map(|value| value.to_bits()).collect()
        };
        self.run(1);
        let single = bits(self);
        self.model.phases[0].outputs.iter_mut().for_each(|column| column.fill(f64::NAN));
        self.run(batch);
        assert!(single == bits(self), "the outputs of a batch differ from those of single wheels");
    }

    /// Returns the outputs of the last call.
    pub fn outputs(&self) -> &[Vec<f64>] {
        &self.model.phases[0].outputs
    }
}

/// Returns the values of an input for all wheels, typical of a small robot.
fn column(name: &str, lanes: usize) -> Vec<f64> {
    let (middle, spread) = match name {
        "vx" => (1.0, 0.5),
        "vy" => (0.0, 0.2),
        "spin" => (5.0, 2.0),
        "torque" => (0.5, 0.5),
        "normal_force" => (60.0, 10.0),
        "gravity" => (9.81, 0.0),
        "radius" => (0.2, 0.0),
        "inertia" => (0.04, 0.0),
        "mu_override" | "c_rr_override" => (-1.0, 0.0),
        _ => (0.0, 0.0),
    };
    (0..lanes).map(|i| middle + spread * ((i * 37 % 101) as f64 / 50.0 - 1.0)).collect()
}

/// Builds the friction family as an optimised shared library and returns its path.
///
/// # Panics
/// Panics if the build fails.
pub fn shared_friction_library() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target = root.join("target/shared-families");
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        // `cargo rustc --profile bench` would build a bench, not a library
        .args(["rustc", "--release"])
        .args(["-p", "simhost-friction", "--features", "shared", "--crate-type", "cdylib"])
        .current_dir(&root)
        .env("CARGO_TARGET_DIR", &target)
        .status()
        .expect("cargo runs");
    assert!(status.success(), "the shared library of the friction family builds");
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    target.join("release").join(format!("{prefix}simhost_friction{suffix}"))
}

/// Returns a catalogue of the friction family, loaded from a shared library, without the linked models of some kinds.
///
/// # Panics
/// Panics if the build fails.
pub fn shared_friction(without: &[Kind]) -> Catalogue {
    let library = shared_friction_library();
    let folder = library.parent().expect("a library lies in a folder").to_path_buf();
    let folders = vec![PluginFolder { path: folder, source: FolderSource::PluginDir }];
    Catalogue::collect(Options {
        without: without.iter().copied().collect(),
        folders,
        ..Options::default()
    })
    .expect("the directory is readable")
}
