//! `simhost plugin pack`: makes one file of a plugin.

use std::path::{Path, PathBuf};

use clap::Args;
use simhost_abi::FINGERPRINT;
use simhost_registry::page::PluginPage;
use simhost_registry::{Catalogue, Refusal, platform};

use super::{
    Description, ENDING, FORMAT, MODULE, MOST_BYTES, PackedFile, PackedLibrary, sha256, write,
};
use crate::plugin::doc;
use crate::process::{Code, Failure};
use crate::{catalogue, terminal};

/// Arguments of `simhost plugin pack`.
#[derive(Args, Clone, Debug)]
pub struct Pack {
    /// Libraries of the plugin: one per platform and release, and a WebAssembly module for all platforms. This program must be
    /// able to load one of them.
    #[arg(value_name = "LIBRARY", required = true)]
    pub libraries: Vec<PathBuf>,

    /// World that uses the plugin, with the files that it needs.
    #[arg(long, value_name = "FILE")]
    pub world: Vec<PathBuf>,

    /// Further documentation, such as a README.
    #[arg(long, value_name = "FILE")]
    pub doc: Vec<PathBuf>,

    /// Licence of the plugin.
    #[arg(long, value_name = "FILE")]
    pub licence: Vec<PathBuf>,

    /// Package to write [default: VENDOR.NAME-VERSION.simplugin].
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Makes one file of a plugin.
pub fn pack(arguments: &Pack) -> Result<Code, Failure> {
    let mut contents: Vec<(PackedFile, Vec<u8>)> = Vec::new();
    let mut libraries: Vec<PackedLibrary> = Vec::new();
    let mut own: Option<(Catalogue, PluginPage)> = None;
    for (number, path) in arguments.libraries.iter().enumerate() {
        let loaded = catalogue::of_file(path, false)?;
        let content = read(path)?;
        let (platform, fingerprint) = match simhost_registry::is_module(&content) {
            true => (module(path, &loaded)?, None),
            false => host_of(path, &loaded)?,
        };
        let same =
            |known: &PackedLibrary| known.platform == platform && known.fingerprint == fingerprint;
        if libraries.iter().any(same) {
            let text = format!("{}: another library is for {platform}, too", path.display());
            return Err(Failure::new(Code::BadInput, text));
        }
        let file = packed(&format!("lib/{number}"), path, &content)?;
        contents.push((file.clone(), content));
        libraries.push(PackedLibrary { platform, fingerprint, file });
        let library = loaded.libraries().iter().find(|library| library.file.is_some());
        if let Some(page) = library.filter(|one| one.refusal.is_none()).and_then(PluginPage::of) {
            own.get_or_insert((loaded, page));
        }
    }
    let Some((loaded, page)) = own else {
        let text = format!(
            "none of the libraries is for this program ({}), which reads name, version and documentation from it",
            platform()
        );
        return Err(Failure::new(Code::BadInput, text));
    };
    let mut files = Vec::new();
    for (folder, paths) in
        [("worlds", &arguments.world), ("docs", &arguments.doc), ("licences", &arguments.licence)]
    {
        for path in paths {
            let content = read(path)?;
            let file = packed(folder, path, &content)?;
            files.push(file.clone());
            contents.push((file, content));
        }
    }
    for entry in loaded.entries().iter().filter(|entry| entry.vendor == page.vendor) {
        let content = doc::markdown(&loaded, entry).into_bytes();
        let path = format!("docs/{}.{}.md", entry.kind.tag(), entry.class);
        let file = PackedFile { path, sha256: sha256(&content) };
        files.push(file.clone());
        contents.push((file, content));
    }
    if let Some((twice, _)) = contents.iter().enumerate().find_map(|(number, (file, _))| {
        contents[..number].iter().find(|(known, _)| known.path == file.path)
    }) {
        let text = format!("two files are `{}`; rename one of them", twice.path);
        return Err(Failure::new(Code::BadInput, text));
    }
    let [vendor, name, version] = [page.vendor, page.name, page.version].map(str::to_owned);
    let description = Description { format: FORMAT, vendor, name, version, libraries, files };
    super::check(&description).map_err(|error| Failure::new(Code::BadInput, error))?;
    let usual = || {
        let Description { vendor, name, version, .. } = &description;
        PathBuf::from(format!("{vendor}.{name}-{version}.{ENDING}"))
    };
    let to = arguments.out.clone().unwrap_or_else(usual);
    let contents: Vec<(&PackedFile, &[u8])> =
        contents.iter().map(|(file, content)| (file, content.as_slice())).collect();
    write(&to, &description, &contents)?;
    remind(arguments);
    terminal::document(&summary(&to, &description))?;
    Ok(Code::Done)
}

/// Returns the platform of a module. A program that runs no modules cannot check it.
fn module(path: &Path, loaded: &Catalogue) -> Result<String, Failure> {
    let library = loaded.libraries().iter().find(|library| library.file.is_some());
    match library.and_then(|library| library.refusal.as_ref()) {
        None | Some(Refusal::NoSandbox) => Ok(MODULE.to_owned()),
        Some(refusal) => {
            Err(Failure::new(Code::BadInput, format!("{}: it {refusal}", path.display())))
        }
    }
}

/// Returns platform and fingerprint of a library.
fn host_of(path: &Path, loaded: &Catalogue) -> Result<(String, Option<String>), Failure> {
    let library = loaded.libraries().iter().find(|library| library.file.is_some());
    let refusal = library.and_then(|library| library.refusal.as_ref());
    let hexadecimal = |fingerprint: u64| Some(format!("{fingerprint:016x}"));
    match refusal {
        None => Ok((platform(), hexadecimal(FINGERPRINT))),
        Some(Refusal::OtherPlatform { theirs, .. }) => Ok((theirs.clone(), None)),
        Some(Refusal::Layout { theirs, .. }) => Ok((platform(), hexadecimal(*theirs))),
        Some(refusal) => {
            Err(Failure::new(Code::BadInput, format!("{}: it {refusal}", path.display())))
        }
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    simhost_files::read(path, MOST_BYTES)
        .map_err(|error| Failure::new(Code::BadInput, format!("{}: {error}", path.display())))
}

fn packed(folder: &str, path: &Path, content: &[u8]) -> Result<PackedFile, Failure> {
    let name = path.file_name().and_then(|name| name.to_str()).ok_or_else(|| {
        Failure::new(Code::BadInput, format!("{}: its name is not UTF-8", path.display()))
    })?;
    Ok(PackedFile { path: format!("{folder}/{name}"), sha256: sha256(content) })
}

/// Names what users of a package will miss.
fn remind(arguments: &Pack) {
    if arguments.world.is_empty() {
        terminal::warning(
            "the package has no world; add one that shows the plugin with --world FILE",
        );
    }
    if arguments.licence.is_empty() {
        terminal::warning("the package has no licence; add it with --licence FILE");
    }
}

fn summary(to: &Path, description: &Description) -> String {
    let mut text =
        format!("wrote {} ({} {}):\n", to.display(), description.full_name(), description.version);
    for library in &description.libraries {
        text += &format!("  {}  {}\n", library.file.path, library.host());
    }
    for file in &description.files {
        text += &format!("  {}\n", file.path);
    }
    text + &format!("\ninstall it with: simhost plugin install {}\n", to.display())
}
