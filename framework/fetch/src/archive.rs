//! Members of ZIP archives.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use zip::ZipArchive;

use crate::address::inside;
use crate::cache::{Cache, failed};
use crate::{FetchError, cache};

/// Maximum number of members of an archive.
const MAX_MEMBERS: usize = 10_000;

/// Ratio of the maximum unpacked size of an archive to the maximum size of one file.
const TOTAL_FACTOR: u64 = 4;

/// Returns the path of an unpacked member. The whole archive is unpacked on first use.
pub(crate) fn member(
    archive: &Path,
    member: &str,
    cache: &Cache,
    max_bytes: u64,
    stop: &AtomicBool,
) -> Result<PathBuf, FetchError> {
    if !archive.is_file() {
        return Err(FetchError::NotFound { path: archive.to_owned() });
    }
    if fs::metadata(archive).map_err(failed(archive))?.len() > max_bytes {
        return Err(too_large(archive.display().to_string(), max_bytes));
    }
    let mut source = Source::open(archive, max_bytes)?;
    let inner = inside(member).ok_or_else(|| source.no_member(member))?;
    let Some(expected) = source.find(&inner) else { return Err(source.no_member(member)) };
    let folder = cache.archive(&cache::of_file(archive).map_err(failed(archive))?);
    let path = folder.join(&inner);
    if matches(&path, expected) {
        return Ok(path);
    }
    let temporary = cache.temporary_archive()?;
    source.unpack(temporary.path(), stop)?;
    // another process may have unpacked it first: use its files, or replace them if they are
    // damaged
    if fs::rename(temporary.path(), &folder).is_err() && !matches(&path, expected) {
        let _ = fs::remove_dir_all(&folder);
        fs::rename(temporary.path(), &folder).map_err(failed(&folder))?;
    }
    if matches(&path, expected) {
        return Ok(path);
    }
    Err(source.defective(format!("the unpacked member `{member}` does not match its checksum")))
}

/// Returns the directory of the unpacked archive that contains the path of a member.
pub(crate) fn folder(path: &Path, member: &str) -> Option<PathBuf> {
    let depth = inside(member)?.components().count();
    path.ancestors().nth(depth).map(Path::to_owned)
}

/// Length in bytes and CRC-32 of a member.
type Content = (u64, u32);

/// Returns whether a file has the expected length and checksum.
fn matches(path: &Path, (length, sum): Content) -> bool {
    let as_long = fs::metadata(path).is_ok_and(|metadata| metadata.len() == length);
    let read = || {
        let mut crc = flate2::CrcReader::new(File::open(path)?);
        std::io::copy(&mut crc, &mut std::io::sink())?;
        Ok::<_, std::io::Error>(crc.crc().sum())
    };
    as_long && read().is_ok_and(|found| found == sum)
}

fn too_large(what: String, limit: u64) -> FetchError {
    FetchError::TooLarge { what, limit }
}

/// A reader that fails once it is to stop.
struct Stoppable<'s, R> {
    inner: R,
    stop: &'s AtomicBool,
}

impl<R: Read> Read for Stoppable<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self.stop.load(Ordering::Relaxed) {
            true => Err(std::io::Error::other("stopped")),
            false => self.inner.read(buffer),
        }
    }
}

/// An archive that is being unpacked.
struct Source {
    path: PathBuf,
    zip: ZipArchive<File>,
    members: Vec<(PathBuf, Content)>,
}

impl Source {
    /// Reads the list of members. Rejects the archive if a member leads out of it or is too large.
    fn open(path: &Path, max_bytes: u64) -> Result<Self, FetchError> {
        let file = File::open(path).map_err(failed(path))?;
        let defective = |error: zip::result::ZipError| FetchError::Archive {
            archive: path.to_owned(),
            detail: format!("{error}; check that it is a complete ZIP file"),
        };
        let zip = ZipArchive::new(file).map_err(defective)?;
        let mut source = Self { path: path.to_owned(), zip, members: Vec::new() };
        if source.zip.len() > MAX_MEMBERS {
            let count = source.zip.len();
            return Err(
                source.defective(format!("found {count} members, expected at most {MAX_MEMBERS}"))
            );
        }
        let mut total = 0u64;
        for index in 0..source.zip.len() {
            let entry = source.zip.by_index_raw(index).map_err(defective)?;
            let name = entry.name().map_err(defective)?.into_owned();
            let (size, sum) = (entry.size(), entry.crc32());
            let (folder, link) = (entry.is_dir(), entry.is_symlink());
            drop(entry);
            let Some(inner) = inside(&name).filter(|_| !link) else {
                return Err(
                    source.defective(format!("the member `{name}` leads out of the archive"))
                );
            };
            total = total.saturating_add(size);
            if size > max_bytes || total > max_bytes.saturating_mul(TOTAL_FACTOR) {
                return Err(too_large(format!("`{name}` in {}", path.display()), max_bytes));
            }
            // directories are created as files require
            let inner = if folder { PathBuf::new() } else { inner };
            source.members.push((inner, (size, sum)));
        }
        Ok(source)
    }

    fn find(&self, member: &Path) -> Option<Content> {
        let found = self.members.iter().rev().find(|(path, _)| path == member);
        found.map(|(_, content)| *content)
    }

    fn unpack(&mut self, folder: &Path, stop: &AtomicBool) -> Result<(), FetchError> {
        for index in 0..self.members.len() {
            let (inner, (size, _)) = self.members[index].clone();
            if inner == Path::new("") {
                continue;
            }
            let path = folder.join(inner);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(failed(parent))?;
            }
            let mut file = File::create(&path).map_err(failed(&path))?;
            let written = self.write(index, size, &mut file, stop);
            if stop.load(Ordering::Relaxed) {
                return Err(FetchError::Stopped { url: self.path.display().to_string() });
            }
            written?;
        }
        Ok(())
    }

    fn write(
        &mut self,
        index: usize,
        size: u64,
        file: &mut File,
        stop: &AtomicBool,
    ) -> Result<(), FetchError> {
        let written =
            self.zip.by_index(index).map_err(|error| error.to_string()).and_then(|entry| {
                // the listed size may be wrong
                let entry = entry.take(size.saturating_add(1));
                std::io::copy(&mut Stoppable { inner: entry, stop }, file)
                    .map_err(|error| error.to_string())
            });
        match written {
            Ok(written) if written == size => Ok(()),
            Ok(_) => Err(self.defective("a member does not have its listed size".to_owned())),
            Err(detail) => Err(self.defective(detail)),
        }
    }

    fn defective(&self, detail: String) -> FetchError {
        FetchError::Archive { archive: self.path.clone(), detail }
    }

    fn no_member(&self, member: &str) -> FetchError {
        let names = self.members.iter().map(|(path, _)| path.to_string_lossy());
        let some: Vec<_> = names.filter(|name| !name.is_empty()).take(5).collect();
        let found = if some.is_empty() { "none".to_owned() } else { some.join(", ") };
        FetchError::Member { archive: self.path.clone(), member: member.to_owned(), found }
    }
}
