//! Loading an FMU into this process.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Once, PoisonError};

use simhost_model::FileClassError;

use crate::archive::FmuArchive;
use crate::description::{FmuDescription, Version};
use crate::instance::LoadedFmu;
use crate::{functions, selftest};

/// Reads the archive and the description of an FMU.
///
/// # Errors
/// The file is not an FMU that can be a model on this platform.
pub(crate) fn read(file: &Path) -> Result<(FmuArchive, FmuDescription), FileClassError> {
    let mut archive = FmuArchive::open(file).map_err(FileClassError::new)?;
    let text = archive.description().map_err(FileClassError::new)?;
    let description = FmuDescription::read(&text).map_err(|error| {
        let place = error.line.map_or(String::new(), |line| format!(":{line}"));
        let text = format!("modelDescription.xml{place}: {}", error.problem);
        FileClassError::new(text).help(error.help.unwrap_or_default())
    })?;
    let library = library(&description);
    if !archive.contains(&library) {
        let found = archive.platforms();
        let found = if found.is_empty() { "none".to_owned() } else { found.join(", ") };
        let text = format!(
            "it has no library for this platform; expected {library}, found platforms: {found}"
        );
        return Err(FileClassError::new(text));
    }
    Ok((archive, description))
}

/// Returns the path of the library in the archive.
fn library(description: &FmuDescription) -> String {
    let platform = platform(description.version);
    let extension = std::env::consts::DLL_EXTENSION;
    format!("binaries/{platform}/{}.{extension}", description.identifier)
}

/// Loads an FMU into this process: reads it, unpacks and loads its library, and tests its state.
///
/// # Errors
/// As of [`read`], a library that cannot be loaded, or an instance that cannot be created.
pub(crate) fn load(file: &Path) -> Result<Arc<LoadedFmu>, FileClassError> {
    let (mut archive, description) = read(file)?;
    let (library, platform) = (library(&description), platform(description.version));
    let folder = folder().map_err(FileClassError::new)?;
    archive.unpack(&platform, &folder).map_err(FileClassError::new)?;
    let loaded = functions::load(&folder.join(library), &description);
    let (functions, motion, states) = loaded.map_err(FileClassError::new)?;
    let resources = folder.join("resources");
    let states = states.ok_or_else(|| {
        "its description says that it cannot save and serialise its state".to_owned()
    });
    let (file, description) = (file.to_owned(), Arc::new(description));
    let fmu = LoadedFmu { file, description, resources, functions, motion, states };
    checked(fmu).map(Arc::new).map_err(FileClassError::new)
}

/// Tests that an instance can be created, and that its state can be restored.
fn checked(fmu: LoadedFmu) -> Result<LoadedFmu, String> {
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
    Ok(LoadedFmu { states, ..fmu })
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
pub(crate) fn folder() -> Result<PathBuf, String> {
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
