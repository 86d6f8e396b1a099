//! Direct calls of a friction model, without a world.

use std::ffi::c_void;
use std::path::{Path, PathBuf};
use std::process::Command;

use simhost_abi::{Batch, Fault, Kind, Model, PortDesc, Slice, Value, fault_code};
use simhost_model::lanes::is_parameter;
use simhost_model::{Classes, View};
use simhost_registry::{Catalogue, FolderSource, Options, PluginFolder};

/// An instance of a friction model with columns for its lanes.
pub struct Rig {
    model: &'static View<Model>,
    handle: *mut c_void,
    outputs: Vec<Vec<f64>>,
    input_pointers: Vec<*const f64>,
    output_pointers: Vec<*mut f64>,
    lanes: usize,
    /// Columns that `input_pointers` lead into.
    _inputs: Vec<Vec<f64>>,
}

impl Rig {
    /// Creates an instance of a friction class with default parameters and `lanes` wheels with slightly
    /// different inputs.
    ///
    /// # Panics
    /// Panics if the catalogue lacks the class or the model rejects its defaults.
    pub fn new(catalogue: &Catalogue, class: &str, lanes: usize) -> Self {
        let model =
            catalogue.find(Kind::Friction, class).expect("the catalogue has the class")[0].model;
        let values: Vec<Value> = model.params().iter().map(|param| param.default).collect();
        let mut handle = std::ptr::null_mut();
        let mut fault = Fault::NONE;
        // SAFETY: the values live during the call; handle and fault are ours.
        let code =
            unsafe { (model.create)(Slice::borrowed(&values), &raw mut handle, &raw mut fault) };
        assert_eq!(code, fault_code::NONE, "{}", fault.message());
        let phase = &model.phases()[0];
        let inputs: Vec<_> = phase.inputs().iter().map(|port| column(port.name(), lanes)).collect();
        let mut outputs = vec![vec![0.0; lanes]; phase.outputs.len];
        let pointer = |(column, port): (&Vec<f64>, &View<PortDesc>)| match is_parameter(port) {
            // the parameters of all wheels are equal
            true => std::ptr::null(),
            false => column.as_ptr(),
        };
        let input_pointers = inputs.iter().zip(phase.inputs()).map(pointer).collect();
        let output_pointers = outputs.iter_mut().map(Vec::as_mut_ptr).collect();
        Self { model, handle, outputs, input_pointers, output_pointers, lanes, _inputs: inputs }
    }

    /// Calls the model for all wheels, `batch` lanes per call.
    ///
    /// # Panics
    /// Panics if the model faults.
    pub fn run(&mut self, batch: usize) {
        let mut fault = Fault::NONE;
        let call = self.model.phases()[0].call;
        for first in (0..self.lanes).step_by(batch) {
            let batch = Batch {
                size: size_of::<Batch>() as u32,
                wheels: 0,
                first,
                count: batch.min(self.lanes - first),
                wheel_stride: 0,
                rays: 0,
                time: 0.0,
                dt: 0.005,
                inputs: self.input_pointers.as_ptr(),
                outputs: self.output_pointers.as_ptr(),
                states: std::ptr::null(),
                streams: std::ptr::null(),
                memories: std::ptr::null(),
                services: std::ptr::null(),
                arrays: std::ptr::null(),
            };
            // SAFETY: the columns are those that the model declares and hold all lanes; the
            // built-in friction models have no state.
            let code = unsafe { call(self.handle, &raw const batch, &raw mut fault) };
            assert_eq!(code, fault_code::NONE, "{}", fault.message());
        }
    }

    /// Checks that batches of this size return the bits that single wheels return.
    ///
    /// # Panics
    /// Panics if the model faults or a bit differs.
    pub fn check(&mut self, batch: usize) {
        let bits = |rig: &Self| -> Vec<u64> {
            rig.outputs.iter().flatten().map(|value| value.to_bits()).collect()
        };
        self.run(1);
        let single = bits(self);
        self.outputs.iter_mut().for_each(|column| column.fill(f64::NAN));
        self.run(batch);
        assert!(single == bits(self), "the outputs of a batch differ from those of single wheels");
    }

    /// Returns the outputs of the last call.
    pub fn outputs(&self) -> &[Vec<f64>] {
        &self.outputs
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        // SAFETY: the handle came from `create` and nothing uses it after this.
        unsafe { (self.model.destroy)(self.handle) }
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

/// Returns a catalogue of the friction family, loaded from a shared library.
///
/// # Panics
/// Panics if the build fails.
pub fn shared_friction() -> Catalogue {
    let library = shared_friction_library();
    let folder = library.parent().expect("a library lies in a folder").to_path_buf();
    let folders = vec![PluginFolder { path: folder, source: FolderSource::PluginDir }];
    Catalogue::collect(Options { without: Kind::ALL.into(), folders, ..Options::default() })
        .expect("the directory is readable")
}
