//! An instance of a model: its handle, and the functions that do not belong to a phase.

use std::ffi::c_void;
use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Read};
use std::path::Path;

use simhost_abi::{Fault, Model, ParamDesc, ParamKind, Str, WheelGeometry, fault_code};

use crate::values::ParamValue;
use crate::view::View;

/// Largest text file that is handed to a model, bytes.
const MAX_FILE: u64 = 1 << 20;

/// An instance of a model.
///
/// Calls through the handle can come from any thread, and the model does not change it between
/// `create` and `destroy`.
pub struct Instance {
    model: &'static View<Model>,
    handle: *mut c_void,
}

// SAFETY: the boundary promises that calls may come from any thread.
unsafe impl Send for Instance {}
// SAFETY: as above; the handle is immutable between `create` and `destroy`.
unsafe impl Sync for Instance {}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: the handle came from `create` and is not used again.
        unsafe { (self.model.destroy)(self.handle) }
    }
}

impl Instance {
    /// Creates an instance from parameters in the order of their declaration. Reads the files that
    /// parameters of kind [`ParamKind::File`] name, and hands their texts to the model.
    ///
    /// # Errors
    /// The fault of the model with its code, or [`fault_code::REFUSED`] when a file cannot be read.
    pub fn new(model: &'static View<Model>, values: &[ParamValue]) -> Result<Self, Fault> {
        let values = with_files(model.params(), values)
            .map_err(|text| Fault::new(fault_code::REFUSED, &text))?;
        let mut handle = std::ptr::null_mut();
        let mut fault = Fault::NONE;
        let code = ParamValue::with_abi(&values, |values| {
            // SAFETY: the values live during the call; handle and fault are ours.
            unsafe { (model.create)(values, &raw mut handle, &raw mut fault) }
        });
        match code {
            fault_code::NONE => Ok(Self { model, handle }),
            code => Err(Fault { code, ..fault }),
        }
    }

    /// The descriptor of the model.
    pub const fn model(&self) -> &'static View<Model> {
        self.model
    }

    /// The handle that `create` returned.
    pub const fn handle(&self) -> *mut c_void {
        self.handle
    }

    /// Returns the table with this id, or null.
    pub fn ability(&self, id: &str) -> *const c_void {
        // SAFETY: the id lives during the call.
        self.model.ability.map_or(std::ptr::null(), |find| unsafe { find(Str::borrowed(id)) })
    }

    /// Lets a dynamics class place its wheels.
    ///
    /// # Errors
    /// The fault of the model, with its code.
    pub fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), Fault> {
        let Some(arrange) = self.model.arrange else { return Ok(()) };
        let mut fault = Fault::NONE;
        // SAFETY: the wheels are borrowed for the call.
        let code =
            unsafe { arrange(self.handle, wheels.as_mut_ptr(), wheels.len(), &raw mut fault) };
        if code == fault_code::NONE { Ok(()) } else { Err(Fault { code, ..fault }) }
    }

    /// Returns the number of rays that a sensor casts per sample.
    pub fn rays(&self) -> usize {
        // SAFETY: the handle is that of the model.
        self.model.capacity.map_or(0, |capacity| unsafe { capacity(self.handle) })
    }
}

impl std::fmt::Debug for Instance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "instance of {}", self.model.id())
    }
}

/// Replaces the path of each file by path and contents.
fn with_files(
    params: &'static [View<ParamDesc>],
    values: &[ParamValue],
) -> Result<Vec<ParamValue>, String> {
    // values beyond the declaration stay: a model has to refuse them
    let params = params.iter().map(Some).chain(std::iter::repeat(None));
    values
        .iter()
        .zip(params)
        .map(|(value, param)| param.map_or_else(|| Ok(value.clone()), |p| with_file(p, value)))
        .collect()
}

fn with_file(param: &'static View<ParamDesc>, value: &ParamValue) -> Result<ParamValue, String> {
    match (param.kind(), value) {
        (Some(ParamKind::File), ParamValue::Text(path)) => {
            let text = read(Path::new(path))
                .map_err(|error| format!("cannot read {path} for `{}`: {error}", param.key()))?;
            Ok(ParamValue::Items(vec![value.clone(), ParamValue::Text(text)]))
        }
        (Some(ParamKind::Group), ParamValue::Items(values)) => {
            with_files(param.children(), values).map(ParamValue::Items)
        }
        (Some(ParamKind::List), ParamValue::Items(groups)) if !param.children().is_empty() => {
            let group = |group: &ParamValue| match group {
                ParamValue::Items(values) => {
                    with_files(param.children(), values).map(ParamValue::Items)
                }
                other => Ok(other.clone()),
            };
            groups.iter().map(group).collect::<Result<_, _>>().map(ParamValue::Items)
        }
        _ => Ok(value.clone()),
    }
}

/// Reads a regular file of at most [`MAX_FILE`] bytes without blocking. Bytes that are not UTF-8
/// become U+FFFD, because comments may be in older encodings.
fn read(path: &Path) -> std::io::Result<String> {
    let not_regular = || Error::new(ErrorKind::InvalidInput, "it is not a regular file");
    // asked before opening, which would wait for the other end of a pipe
    if !std::fs::metadata(path)?.is_file() {
        return Err(not_regular());
    }
    let file = open(path)?;
    // another file may have taken its place
    if !file.metadata()?.is_file() {
        return Err(not_regular());
    }
    let mut bytes = Vec::new();
    file.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(Error::new(ErrorKind::FileTooLarge, "it has more than 1 MiB"));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn open(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    // some system files look regular but block until something happens
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    options.open(path)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn only_regular_files_of_a_limited_size_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        std::fs::write(&path, b"caf\xe9").unwrap();
        assert_eq!(read(&path).unwrap(), "caf\u{fffd}");
        std::fs::write(&path, vec![b'a'; MAX_FILE as usize + 1]).unwrap();
        assert_eq!(read(&path).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert_eq!(read(folder.path()).unwrap_err().kind(), ErrorKind::InvalidInput);
        assert_eq!(read(&folder.path().join("b")).unwrap_err().kind(), ErrorKind::NotFound);
    }
}
