//! The class `fmu`.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Once, PoisonError};

use simhost_abi::Plugin;
use simhost_model::{FileClassError, FileRequest};
use simhost_registry::Importer;

use crate::archive::FmuArchive;
use crate::description::{FmuDescription, Version};
use crate::instance::Fmu;
use crate::table::{self, Imported};
use crate::{descriptor, functions, ports, selftest};

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
        let fmu = match table.fmu(&file, stamp) {
            Some(fmu) => fmu,
            None => {
                let fmu = open(request.file).map_err(in_file)?;
                table.keep_fmu(&file, stamp, &fmu);
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
    let fmu = table::lock().fmu(&file.display().to_string(), table::stamp(file))?;
    fmu.states.as_ref().err().cloned()
}

/// Opens an FMU: reads its archive and description, unpacks and loads its library, and tests its state.
fn open(file: &Path) -> Result<Arc<Fmu>, FileClassError> {
    let mut archive = FmuArchive::open(file).map_err(FileClassError::new)?;
    let text = archive.description().map_err(FileClassError::new)?;
    let description = FmuDescription::read(&text).map_err(|error| {
        let place = error.line.map_or(String::new(), |line| format!(":{line}"));
        let text = format!("modelDescription.xml{place}: {}", error.problem);
        FileClassError::new(text).help(error.help.unwrap_or_default())
    })?;
    let platform = platform(description.version);
    let library = format!(
        "binaries/{platform}/{}.{}",
        description.identifier,
        std::env::consts::DLL_EXTENSION
    );
    if !archive.contains(&library) {
        let found = archive.platforms();
        let found = if found.is_empty() { "none".to_owned() } else { found.join(", ") };
        let text = format!(
            "it has no library for this platform; expected {library}, found platforms: {found}"
        );
        return Err(FileClassError::new(text));
    }
    let folder = folder().map_err(FileClassError::new)?;
    archive.unpack(&platform, &folder).map_err(FileClassError::new)?;
    let loaded = functions::load(&folder.join(library), description.version, description.has_state);
    let (functions, states) = loaded.map_err(FileClassError::new)?;
    let resources = folder.join("resources");
    let states = states.ok_or_else(|| {
        "its description says that it cannot save and serialise its state".to_owned()
    });
    let fmu = Fmu { file: file.to_owned(), description, resources, functions, states };
    checked(fmu).map(Arc::new).map_err(FileClassError::new)
}

/// Tests that an instance can be created, and that its state can be restored.
fn checked(fmu: Fmu) -> Result<Fmu, String> {
    let is_single = fmu.description.is_single;
    let shared = Arc::new(fmu);
    drop(crate::instance::FmuInstance::new(&shared, &[])?);
    let states = match (&shared.states, is_single) {
        (Err(reason), _) => Err(reason.clone()),
        (Ok(_), true) => Err("a process can have one instance of it only".to_owned()),
        (Ok(states), false) => {
            let states = *states;
            let failed = |reason| format!("the test of its state has failed: {reason}");
            selftest::check_state(&shared).map(|()| states).map_err(failed)
        }
    };
    let fmu = Arc::into_inner(shared).ok_or("an instance of the test still exists")?;
    Ok(Fmu { states, ..fmu })
}

/// Returns the name of the folder of libraries for this platform.
fn platform(version: Version) -> String {
    let (system, processor) = (std::env::consts::OS, std::env::consts::ARCH);
    let short = if system == "macos" { "darwin" } else { system };
    match version {
        Version::Two if system == "windows" => "win64".to_owned(),
        Version::Two if processor == "x86_64" => format!("{short}64"),
        Version::Two => format!("{short}{processor}"),
        Version::Three => format!("{processor}-{short}"),
    }
}

/// Folders of unpacked FMUs, which are removed when the process ends.
static FOLDERS: Mutex<Vec<tempfile::TempDir>> = Mutex::new(Vec::new());
static AT_EXIT: Once = Once::new();

/// Creates a folder that is removed when the process ends.
fn folder() -> Result<PathBuf, String> {
    let failed = |error: std::io::Error| format!("failed to create a folder: {error}");
    let folder = tempfile::Builder::new().prefix("simhost-fmu-").tempdir().map_err(failed)?;
    let path = folder.path().to_owned();
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).push(folder);
    AT_EXIT.call_once(|| {
        // SAFETY: the function may be called when the process ends.
        unsafe { libc::atexit(remove_folders) };
    });
    Ok(path)
}

extern "C" fn remove_folders() {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).clear();
}
