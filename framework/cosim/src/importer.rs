//! The class `fmu`.

use std::path::Path;
use std::sync::Arc;

use simhost_abi::Plugin;
use simhost_model::{CodePlace, FileClassError, FileRequest};
use simhost_registry::Importer;

use crate::fmu::Fmu;
use crate::table::{self, Imported};
use crate::{descriptor, ports};

/// Turns FMUs into plugins.
#[derive(Clone, Copy, Debug)]
pub struct FmuImporter;

impl Importer for FmuImporter {
    fn class(&self) -> &'static str {
        "fmu"
    }

    fn import(&self, request: FileRequest<'_>) -> Result<&'static Plugin, FileClassError> {
        let (file, maps) = (request.file.display().to_string(), request.maps);
        let stamp = table::stamp(request.file);
        let mut table = table::lock();
        if let Some(known) = table.plugin(request, stamp) {
            return Ok(known);
        }
        let in_file = |error: FileClassError| FileClassError {
            text: format!("{file}: {}", error.text),
            ..error
        };
        let fmu = match table.fmu(&file, stamp, request.place) {
            Some(fmu) => fmu,
            None => {
                let fmu = Arc::new(Fmu::open(request.file, request.place).map_err(in_file)?);
                table.keep_fmu(&file, stamp, request.place, &fmu);
                fmu
            }
        };
        let shape = ports::shape(request.kind, &fmu.description, maps).map_err(in_file)?;
        let plugin = descriptor::plugin(request.kind, &fmu.description, &shape, maps);
        let parameters = descriptor::parameters(request.kind, &fmu.description);
        let parameters = parameters.into_iter().map(|(variable, _)| variable).collect();
        let imported = Imported { fmu, shape, parameters };
        table.keep(request, stamp, imported, plugin);
        Ok(plugin)
    }
}

/// Returns the reason why the state of an imported FMU cannot be saved and restored; `None` if it can, or if no such FMU has
/// been imported.
pub fn why_not_restorable(file: &Path) -> Option<String> {
    let (file, stamp) = (file.display().to_string(), table::stamp(file));
    let fmu = CodePlace::ALL.iter().find_map(|place| table::lock().fmu(&file, stamp, *place))?;
    fmu.states.as_ref().err().cloned()
}
