//! Inspection of library files without running their code.

use std::path::Path;

use object::read::elf::FileHeader;
use object::read::{ReadCache, ReadRef};
use object::{BinaryFormat, FileKind, Object, ObjectSymbol, SymbolFlags, elf};
use simhost_abi::SYMBOL;
use simhost_files::open_without_waiting;

use crate::modules::{HEAD, loader};
use crate::refusal::Refusal;

/// Rejects files that are not libraries of this platform, are truncated, or lack the symbol of a
/// plugin. Returns the symbols that the loader would merge with symbols of other libraries.
pub(crate) fn check(path: &Path) -> Result<Vec<String>, Refusal> {
    let unreadable = |error: std::io::Error| Refusal::Unreadable(error.to_string());
    let file = open_without_waiting(path).map_err(unreadable)?;
    let metadata = file.metadata().map_err(unreadable)?;
    if let Some(kind) = irregular(&metadata) {
        return Err(Refusal::NotAFile(kind.into()));
    }
    let length = metadata.len();
    if length == 0 {
        return Err(Refusal::NotALibrary("the file is empty".into()));
    }
    // reads only the parts it inspects, because debug builds are large
    let bytes = ReadCache::new(file);
    if let Some(loader) = loader((&bytes).read_bytes_at(0, length.min(HEAD)).unwrap_or_default()) {
        return loader.map(|_| Vec::new());
    }
    let kind = FileKind::parse(&bytes).map_err(|_| unknown(&bytes, length))?;
    is_whole(kind, &bytes, length)?;
    let file = object::File::parse(&bytes).map_err(|error| match platform_of(kind) {
        Some(theirs) if !is_ours(kind) => other(theirs.to_owned()),
        _ => Refusal::NotALibrary(error.to_string()),
    })?;
    let (theirs, ours) = (platform(kind, &file), ours());
    if theirs != ours {
        return Err(other(theirs));
    }
    has_symbol(&file)?;
    Ok(merged(&file))
}

/// Returns the names of the symbols that glibc binds to the first library of the process that has
/// them, although every library is loaded with a separate scope. Symbols of the C++ standard
/// library are omitted: they are the same everywhere.
fn merged<'data>(file: &impl Object<'data>) -> Vec<String> {
    let unique = file.dynamic_symbols().filter(|symbol| {
        let binding = match symbol.flags() {
            SymbolFlags::Elf { st_info, .. } => st_info >> 4,
            _ => return false,
        };
        binding == elf::STB_GNU_UNIQUE && symbol.is_definition()
    });
    let names = unique.filter_map(|symbol| symbol.name().ok().map(str::to_owned));
    let mut names: Vec<String> = names.filter(|name| !is_of_standard_library(name)).collect();
    names.sort_unstable();
    names
}

/// Returns whether a mangled name belongs to the namespace of the C++ standard library or of its
/// implementation in GCC.
fn is_of_standard_library(name: &str) -> bool {
    let name = name.strip_prefix("_Z").unwrap_or_default();
    let name = name.trim_start_matches(['G', 'V', 'Z', 'N', 'K']);
    ["St", "Sa", "Sb", "Ss", "Si", "So", "Sd", "9__gnu_cxx", "10__cxxabiv1"]
        .iter()
        .any(|start| name.starts_with(start))
}

/// Returns what a file is if it is not a regular file, which alone can be read without blocking.
pub(crate) fn irregular(metadata: &std::fs::Metadata) -> Option<&'static str> {
    if metadata.is_file() {
        return None;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = metadata.file_type();
        if kind.is_fifo() {
            return Some("a named pipe");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
        if kind.is_block_device() || kind.is_char_device() {
            return Some("a device");
        }
    }
    Some(if metadata.is_dir() { "a directory" } else { "a special file" })
}

/// Describes why a file cannot be read, with the target of a link.
pub(crate) fn unreadable(file: &Path, error: &std::io::Error) -> String {
    match file.read_link() {
        Ok(target) => {
            format!(
                "it is a symbolic link to {}, which cannot be opened: {error}",
                target.display()
            )
        }
        Err(_) => error.to_string(),
    }
}

fn other(theirs: String) -> Refusal {
    Refusal::OtherPlatform { theirs, ours: ours() }
}

/// Returns the refusal of a file of unknown format. For a text it contains the first line.
fn unknown<'data>(bytes: impl ReadRef<'data>, length: u64) -> Refusal {
    let head = bytes.read_bytes_at(0, length.min(24)).unwrap_or_default();
    let text = std::str::from_utf8(head).ok().map(str::trim);
    Refusal::NotALibrary(match text {
        Some(text) if !text.is_empty() && !text.contains('\0') => {
            let line = text.lines().next().unwrap_or_default();
            format!("it is a text that starts with `{line}`")
        }
        _ => format!("its format is unknown ({length} bytes)"),
    })
}

/// Rejects a truncated file, which would end the process when a missing page is accessed.
fn is_whole<'data>(kind: FileKind, bytes: impl ReadRef<'data>, length: u64) -> Result<(), Refusal> {
    let needed = match kind {
        FileKind::Elf64 => end_of_elf::<elf::FileHeader64<object::Endianness>, _>(bytes),
        FileKind::Elf32 => end_of_elf::<elf::FileHeader32<object::Endianness>, _>(bytes),
        _ => Some(0),
    };
    match needed {
        Some(needed) if needed <= length => Ok(()),
        Some(needed) => Err(Refusal::NotALibrary(format!(
            "the file is cut short: it has {length} bytes, its header speaks of {needed}; copy or \
             build it again"
        ))),
        None => Err(Refusal::NotALibrary("the file is cut short within its header".into())),
    }
}

/// Returns the end of the last segment or of the section table.
fn end_of_elf<'data, Header, R>(bytes: R) -> Option<u64>
where
    Header: FileHeader<Endian = object::Endianness>,
    R: ReadRef<'data>,
{
    use object::read::elf::ProgramHeader;
    let header = Header::parse(bytes).ok()?;
    let endian = header.endian().ok()?;
    let sections = u64::from(header.e_shnum(endian)) * u64::from(header.e_shentsize(endian));
    let table = header.e_shoff(endian).into().saturating_add(sections);
    let segments = header.program_headers(endian, bytes).ok()?.iter().map(|segment| {
        let (offset, size): (u64, u64) =
            (segment.p_offset(endian).into(), segment.p_filesz(endian).into());
        offset.saturating_add(size)
    });
    segments.chain([table]).max()
}

const fn platform_of(kind: FileKind) -> Option<&'static str> {
    match kind {
        FileKind::Elf32 | FileKind::Elf64 => Some("an ELF file (Linux)"),
        FileKind::Pe32 | FileKind::Pe64 => Some("a PE file (Windows)"),
        FileKind::MachO32 | FileKind::MachO64 | FileKind::MachOFat32 | FileKind::MachOFat64 => {
            Some("a Mach-O file (macOS)")
        }
        _ => None,
    }
}

const fn is_ours(kind: FileKind) -> bool {
    match kind {
        FileKind::Elf32 | FileKind::Elf64 => !cfg!(any(windows, target_vendor = "apple")),
        FileKind::Pe32 | FileKind::Pe64 => cfg!(windows),
        _ => cfg!(target_vendor = "apple"),
    }
}

fn platform<'data, R: ReadRef<'data>>(kind: FileKind, file: &object::File<'data, R>) -> String {
    let architecture = format!("{:?}", file.architecture()).to_lowercase();
    let bits = if file.is_64() { 64 } else { 32 };
    describe(file.format(), &architecture, bits, file.is_little_endian())
        .unwrap_or_else(|| format!("{kind:?} for {architecture}"))
}

/// Returns the format of the libraries that this program loads, for messages and packages.
pub fn ours() -> String {
    let format = if cfg!(windows) {
        BinaryFormat::Pe
    } else if cfg!(target_vendor = "apple") {
        BinaryFormat::MachO
    } else {
        BinaryFormat::Elf
    };
    let little = cfg!(target_endian = "little");
    describe(format, std::env::consts::ARCH, usize::BITS, little).unwrap_or_default()
}

fn describe(format: BinaryFormat, architecture: &str, bits: u32, little: bool) -> Option<String> {
    let format = match format {
        BinaryFormat::Elf => "an ELF library (Linux)",
        BinaryFormat::Pe => "a PE library (Windows)",
        BinaryFormat::MachO => "a Mach-O library (macOS)",
        _ => return None,
    };
    let order = if little { "" } else { ", big-endian" };
    Some(format!("{format} for {architecture}, {bits} bits{order}"))
}

/// Looks for the symbol without the loader, so that libraries that are not plugins never run.
fn has_symbol<'data>(file: &impl Object<'data>) -> Result<(), Refusal> {
    let Ok(exports) = file.exports() else { return Ok(()) };
    // without a section table the loader has to decide
    if exports.is_empty() && file.sections().next().is_none() {
        return Ok(());
    }
    let is_ours = |name: &[u8]| {
        name == SYMBOL.as_bytes() || name.strip_prefix(b"_") == Some(SYMBOL.as_bytes())
    };
    if exports.iter().any(|export| is_ours(export.name())) {
        Ok(())
    } else {
        Err(Refusal::NoSymbol)
    }
}

#[cfg(test)]
mod tests {
    use super::is_of_standard_library;

    #[test]
    fn symbols_of_the_standard_library_are_known() {
        for name in [
            "_ZNSt6locale2idE",
            "_ZGVZNSt3_V216generic_categoryEvE",
            "_ZZNSt19_Sp_make_shared_tag5_S_tiEvE5__tag",
        ] {
            assert!(is_of_standard_library(name), "{name}");
        }
        for name in ["_ZN7simhost6detail8selftestE", "counter", "_ZN4Gain5countE", "_ZN5StateE"] {
            assert!(!is_of_standard_library(name), "{name}");
        }
    }
}
