//! Stands for a device in a library that is built without scans on a GPU.

use simhost_engine::ScanEngine;

use super::mode::{Adapter, GpuMode};

/// A device, which never exists.
#[derive(Clone, Debug)]
pub(super) enum Opened {}

impl Opened {
    /// Fails.
    pub fn open(_: GpuMode) -> Result<Self, String> {
        Err("built without the feature `gpu`".to_owned())
    }

    pub fn adapter(&self) -> Adapter {
        match *self {}
    }

    pub fn engine(&self) -> Box<dyn ScanEngine> {
        match *self {}
    }
}
