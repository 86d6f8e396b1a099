//! `simhost plugin install` and `simhost plugin remove`: packages in the folder of the user.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use simhost_registry::{platform, user_folder};

use super::{DESCRIPTION, Description, MODULE, Package, PackedFile, folder_of, sha256};
use crate::process::{Code, Failure};
use crate::{catalogue, terminal};

/// Arguments of `simhost plugin install`.
#[derive(Args, Clone, Debug)]
pub struct Install {
    /// Package that `simhost plugin pack` has written.
    #[arg(value_name = "PACKAGE")]
    pub package: PathBuf,

    /// Install the WebAssembly module, which cannot reach your files, even if there is a library for this platform.
    #[arg(long)]
    pub module: bool,
}

/// Arguments of `simhost plugin remove`.
#[derive(Args, Clone, Debug)]
pub struct Remove {
    /// Plugin: `vendor/name`.
    #[arg(value_name = "VENDOR/NAME")]
    pub plugin: String,
}

/// Installs a package for the user.
pub fn install(arguments: &Install) -> Result<Code, Failure> {
    let package = Package::read(&arguments.package)?;
    let description = &package.description;
    let library = match arguments.module {
        true => description.own_module(),
        false => description.own_library(),
    };
    let Some(library) = library else {
        return Err(no_library(arguments, description));
    };
    let (folder, plugins) = folders(&description.full_name())?;
    let to = plugins.join(library_name(description, &library.file));
    let present = installed(&folder);
    if let Some(present) = &present {
        let is_same = present.version == description.version
            && fs::read(&to).is_ok_and(|bytes| sha256(&bytes) == library.file.sha256);
        if is_same {
            let text =
                format!("{} {} is installed already\n", present.full_name(), present.version);
            terminal::document(&text)?;
            return Ok(Code::Done);
        }
    } else if to.exists() {
        let text = format!(
            "{} exists, and no package has installed it; nothing was changed\nhelp: move it away",
            to.display()
        );
        return Err(Failure::new(Code::Output, text));
    }
    // in a folder of its own first: a library that this program refuses is not installed
    let trial = tempfile::tempdir().map_err(|error| failed(&std::env::temp_dir(), &error))?;
    let tried = trial.path().join(library_name(description, &library.file));
    write(&tried, package.bytes(&library.file))?;
    let loaded = catalogue::of_file(&tried, false)?;
    let refused = loaded.libraries().iter().find_map(|library| library.refusal.as_ref());
    if let Some(refusal) = refused {
        let text = format!("{}: its library {refusal}", arguments.package.display());
        return Err(Failure::new(Code::BadInput, text));
    }
    if let Some(present) = &present {
        remove_libraries(present, &plugins)?;
    }
    clear(&folder)?;
    for file in &description.files {
        write(&folder.join(&file.path), package.bytes(file))?;
    }
    let text =
        serde_json::to_string_pretty(description).map_err(|error| failed(&folder, &error))?;
    write(&folder.join(DESCRIPTION), text.as_bytes())?;
    write(&to, package.bytes(&library.file))?;
    terminal::document(&summary(present.as_ref(), description, &folder, &to))?;
    Ok(Code::Done)
}

/// Removes a package of the user.
pub fn remove(arguments: &Remove) -> Result<Code, Failure> {
    let name = &arguments.plugin;
    let is_name = |part: &str| !part.is_empty() && !part.contains(['.', '/', '\\']);
    let is_full =
        name.split_once('/').is_some_and(|(vendor, name)| is_name(vendor) && is_name(name));
    let (folder, plugins) = folders(name)?;
    let Some(description) = is_full.then(|| installed(&folder)).flatten() else {
        return Err(unknown(name, &folder));
    };
    remove_libraries(&description, &plugins)?;
    clear(&folder)?;
    terminal::document(&format!("removed {} {}\n", description.full_name(), description.version))?;
    Ok(Code::Done)
}

/// Removes the library or the module of a package. It can be another one of the package than would be installed at present.
fn remove_libraries(description: &Description, plugins: &Path) -> Result<(), Failure> {
    for library in &description.libraries {
        let file = plugins.join(library_name(description, &library.file));
        let is_own = fs::read(&file).is_ok_and(|bytes| sha256(&bytes) == library.file.sha256);
        if is_own {
            fs::remove_file(&file).map_err(|error| failed(&file, &error))?;
        }
    }
    Ok(())
}

/// Returns the folder of a package, and the folder of the libraries.
fn folders(full_name: &str) -> Result<(PathBuf, PathBuf), Failure> {
    folder_of(full_name).zip(user_folder()).ok_or_else(|| {
        let text =
            "there is no folder for the plugins of the user: neither XDG_DATA_HOME nor HOME is set";
        Failure::new(Code::Output, text)
    })
}

/// Returns the description of an installed package.
fn installed(folder: &Path) -> Option<Description> {
    serde_json::from_slice(&fs::read(folder.join(DESCRIPTION)).ok()?).ok()
}

/// Returns the name of a library in the folder of the user, which no other plugin has.
fn library_name(description: &Description, library: &PackedFile) -> String {
    let ending = Path::new(&library.path).extension().unwrap_or_default().to_string_lossy();
    format!("{}.{}.{ending}", description.vendor, description.name)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let parent = path.parent().map_or(Ok(()), fs::create_dir_all);
    parent.and_then(|()| simhost_files::write(path, bytes)).map_err(|error| failed(path, &error))
}

/// Removes the folder of a package, if there is one.
fn clear(folder: &Path) -> Result<(), Failure> {
    match folder.symlink_metadata() {
        Ok(_) => fs::remove_dir_all(folder).map_err(|error| failed(folder, &error)),
        Err(_) => Ok(()),
    }
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::new(Code::Output, format!("{}: {error}", path.display()))
}

fn no_library(arguments: &Install, description: &Description) -> Failure {
    let path = &arguments.package;
    let has_module = description.libraries.iter().any(|library| library.platform == MODULE);
    if arguments.module && !has_module {
        let text = format!(
            "{}: {} has no WebAssembly module\nhelp: install its library without --module if you trust it",
            path.display(),
            description.full_name()
        );
        return Failure::new(Code::BadInput, text);
    }
    if arguments.module {
        let text = "this program is built without WebAssembly modules\nhelp: build it with \
                    `cargo build --release --features sandbox`";
        return Failure::new(Code::Usage, text);
    }
    let hosts: Vec<String> = description.libraries.iter().map(super::PackedLibrary::host).collect();
    let text = format!(
        "{}: {} has no library for this program, {} of simhost {}; it has: {}\nhelp: ask its author for one, or \
         build the plugin from its source",
        path.display(),
        description.full_name(),
        platform(),
        env!("CARGO_PKG_VERSION"),
        hosts.join("; ")
    );
    Failure::new(Code::BadInput, text)
}

fn unknown(name: &str, folder: &Path) -> Failure {
    let entries = folder.parent().and_then(|packages| fs::read_dir(packages).ok());
    let known = entries.into_iter().flatten().filter_map(|entry| installed(&entry.ok()?.path()));
    let mut known: Vec<String> = known.map(|package| package.full_name()).collect();
    known.sort();
    let text = match known.is_empty() {
        true => "no package is installed".to_owned(),
        false => format!("installed are: {}", known.join(", ")),
    };
    Failure::new(Code::BadInput, format!("`{name}` is not installed from a package; {text}"))
}

fn summary(
    before: Option<&Description>,
    description: &Description,
    folder: &Path,
    library: &Path,
) -> String {
    let (name, version) = (description.full_name(), &description.version);
    let mut text = match before {
        Some(before) => format!("installed {name} {version} in place of {}:\n", before.version),
        None => format!("installed {name} {version}:\n"),
    };
    text += &format!("  {}\n", library.display());
    for file in &description.files {
        text += &format!("  {}\n", folder.join(&file.path).display());
    }
    if let Some(world) = description.files.iter().find(|file| file.path.starts_with("worlds/")) {
        text += &format!("\ntry it with: simhost {}\n", folder.join(&world.path).display());
    }
    text
}
