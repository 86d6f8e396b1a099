//! The FMUs and models that the process has imported.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use simhost_abi::Plugin;
use simhost_model::{CodePlace, FileRequest, PortMap};

use crate::fmu::Fmu;
use crate::ports::Shape;

/// A model from an FMU.
pub(crate) struct Imported {
    pub fmu: Arc<Fmu>,
    pub shape: Shape,
    /// Variables that are parameters, in the order of the declaration after the file and the maps.
    pub parameters: Vec<usize>,
}

/// Size and time of the last change of a file.
pub(crate) type Stamp = Option<(u64, SystemTime)>;

/// A model with the request that led to it.
struct Entry {
    kind: u32,
    file: String,
    maps: Vec<PortMap>,
    place: CodePlace,
    stamp: Stamp,
    imported: Arc<Imported>,
    plugin: &'static Plugin,
}

/// The imported files and models.
#[derive(Default)]
pub(crate) struct Table {
    fmus: Vec<(String, Stamp, CodePlace, Arc<Fmu>)>,
    entries: Vec<Entry>,
}

static TABLE: Mutex<Table> = Mutex::new(Table { fmus: Vec::new(), entries: Vec::new() });

/// Returns the table.
pub(crate) fn lock() -> MutexGuard<'static, Table> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the stamp of a file.
pub(crate) fn stamp(file: &Path) -> Stamp {
    let metadata = file.metadata().ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}

impl Table {
    /// Returns the FMU of an unchanged file.
    pub fn fmu(&self, file: &str, stamp: Stamp, place: CodePlace) -> Option<Arc<Fmu>> {
        let is_it = |(name, at, runs, _): &&(String, Stamp, CodePlace, _)| {
            name == file && *at == stamp && *runs == place
        };
        self.fmus.iter().find(is_it).map(|(.., fmu)| Arc::clone(fmu))
    }

    /// Keeps the FMU of a file.
    pub fn keep_fmu(&mut self, file: &str, stamp: Stamp, place: CodePlace, fmu: &Arc<Fmu>) {
        self.fmus.push((file.to_owned(), stamp, place, Arc::clone(fmu)));
    }

    /// Returns the plugin of a model of an unchanged file.
    pub fn plugin(&self, request: FileRequest<'_>, stamp: Stamp) -> Option<&'static Plugin> {
        let FileRequest { kind, file, maps, place, .. } = request;
        let entry = self.find(kind as u32, &file.display().to_string(), maps)?;
        (entry.stamp == stamp && entry.place == place).then_some(entry.plugin)
    }

    /// Returns the last model of a file, kind and list of maps.
    pub fn model(&self, kind: u32, file: &str, maps: &[PortMap]) -> Option<Arc<Imported>> {
        self.find(kind, file, maps).map(|entry| Arc::clone(&entry.imported))
    }

    fn find(&self, kind: u32, file: &str, maps: &[PortMap]) -> Option<&Entry> {
        let mut entries = self.entries.iter().rev();
        entries.find(|entry| entry.kind == kind && entry.file == file && entry.maps == maps)
    }

    /// Keeps a model.
    pub fn keep(
        &mut self,
        request: FileRequest<'_>,
        stamp: Stamp,
        imported: Imported,
        plugin: &'static Plugin,
    ) {
        let FileRequest { kind, file, maps, place, .. } = request;
        let (file, maps, imported) =
            (file.display().to_string(), maps.to_vec(), Arc::new(imported));
        let kind = kind as u32;
        self.entries.push(Entry { kind, file, maps, place, stamp, imported, plugin });
    }
}
