//! Descriptors in the memory of a module, as descriptors of this process.
//!
//! A descriptor is copied once, when the module is loaded, and is never freed if the module is accepted. The layouts of [`shapes`](crate::shapes) drive
//! the copy: numbers stay, texts and lists are copied, and functions are null until the host sets them. The rules beyond the layout
//! are checked afterwards, as for any plugin.

use std::ptr;

use simhost_abi::{Plugin, Slice, Str};

use crate::engine::{Guest, OutOfBounds, read_items, read_u32};
use crate::model::ModelAddresses;
use crate::shapes::{Field, FieldType, Shape, shapes};

/// Deepest nesting of structs in a descriptor.
const MAX_DEPTH: usize = 16;
/// Largest descriptor, bytes in this process.
const MAX_BYTES: usize = 1 << 24;

/// Memory of copied descriptors, which is freed unless it is [kept](Self::keep).
#[derive(Default)]
pub(crate) struct Arena(Vec<Box<[u64]>>);

impl Arena {
    /// Keeps the descriptors until the program ends.
    pub fn keep(self) {
        std::mem::forget(self);
    }
}

/// Copies a descriptor.
pub(crate) struct Translator<'g> {
    guest: &'g mut dyn Guest,
    arena: &'g mut Arena,
    /// Bytes that can still be copied.
    left: usize,
    models: Vec<ModelAddresses>,
}

/// A struct that is being copied, whose numbers are the parts of it in this process.
struct Copy {
    /// Memory of the arena, with the alignment of all structs.
    words: *mut u64,
}

impl<'g> Translator<'g> {
    /// Begins without models.
    pub fn new(guest: &'g mut dyn Guest, arena: &'g mut Arena) -> Self {
        Self { guest, arena, left: MAX_BYTES, models: Vec::new() }
    }

    /// Copies the descriptor of a plugin whose head has been checked.
    ///
    /// # Errors
    /// The part that is not in the memory, or exceeds a limit.
    pub fn plugin(mut self, at: u32) -> Result<(&'static Plugin, Vec<ModelAddresses>), String> {
        let copy = self.copy("Plugin", at, 0)?;
        let head = simhost_sdk::plugin_descriptor("", "", "", &[]).head;
        let place = copy.words.cast::<Plugin>();
        // SAFETY: the words have the size of a plugin; the head comes first, and all other fields have been written.
        let plugin: &'static Plugin = unsafe {
            ptr::addr_of_mut!((*place).head).write(head);
            &*place
        };
        Ok((plugin, self.models))
    }

    /// Copies a table without functions.
    ///
    /// # Errors
    /// As [`Self::plugin`].
    ///
    /// # Safety
    /// `T` is the struct with this name.
    pub unsafe fn table<T>(&mut self, name: &'static str, at: u32) -> Result<&'static T, String> {
        let copy = self.copy(name, at, 0)?;
        // SAFETY: promised by the caller; every field has been written.
        Ok(unsafe { &*copy.words.cast::<T>() })
    }

    /// Copies a struct.
    fn copy(&mut self, name: &'static str, at: u32, depth: usize) -> Result<Copy, String> {
        let shape = shapes().get(name);
        let copy = self.room(shape.native_size)?;
        let to = copy.words.cast();
        // SAFETY: the words have the size of the struct.
        unsafe { self.fill(shape, name, at, to, depth)? };
        Ok(copy)
    }

    fn room(&mut self, bytes: usize) -> Result<Copy, String> {
        self.left = self
            .left
            .checked_sub(bytes)
            .ok_or_else(|| format!("it has more than {MAX_BYTES} bytes of texts and lists"))?;
        // a part of an array that is copied has its own memory, too
        self.arena.0.push(vec![0; bytes.div_ceil(8)].into());
        let block = self.arena.0.last_mut().ok_or_else(String::new)?;
        Ok(Copy { words: block.as_mut_ptr() })
    }

    /// Copies the fields of a struct.
    ///
    /// # Safety
    /// `to` can be written with the size of the struct.
    unsafe fn fill(
        &mut self,
        shape: &Shape,
        name: &'static str,
        at: u32,
        to: *mut u8,
        depth: usize,
    ) -> Result<(), String> {
        if depth > MAX_DEPTH {
            return Err(format!("its structs are nested more than {MAX_DEPTH} deep"));
        }
        let mut bytes = vec![0; shape.size];
        self.guest.read(at, &mut bytes).map_err(|_| outside(name))?;
        for field in &shape.fields {
            let own = &bytes[field.offset..field.offset + field.size];
            // SAFETY: the field is a part of the struct.
            let to = unsafe { to.add(field.native_offset) };
            let what = || format!("{name}.{}", field.name);
            // SAFETY: `to` has space for the field.
            unsafe {
                match (name, field.name, &field.ty) {
                    // a head is that of this process
                    ("Plugin", "head", _) => {}
                    (_, "size", FieldType::Plain) => sized(name, shape, number(own), to)?,
                    (.., ty) => self.part(ty, own, to, &what, depth)?,
                }
            }
        }
        match name {
            "Model" => self.model(shape, at, &bytes),
            _ => Ok(()),
        }
    }

    /// Copies a field or an item with these bytes.
    ///
    /// # Safety
    /// `to` has space for it.
    unsafe fn part(
        &mut self,
        ty: &FieldType,
        bytes: &[u8],
        to: *mut u8,
        what: &dyn Fn() -> String,
        depth: usize,
    ) -> Result<(), String> {
        // SAFETY: promised by the caller, in all branches.
        unsafe {
            match ty {
                FieldType::Plain => ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()),
                FieldType::Length => to.cast::<usize>().write(number(bytes) as usize),
                FieldType::Text => to.cast::<Str>().write(self.text(bytes, what)?),
                FieldType::List(item) => {
                    to.cast::<Slice<u8>>().write(self.list(item, bytes, what, depth)?);
                }
                FieldType::Struct(name) => {
                    let copy = self.copy_of_part(name, bytes, depth)?;
                    ptr::copy_nonoverlapping(copy.words.cast(), to, shapes().get(name).native_size);
                }
                FieldType::Pointer(name) => {
                    let copied: *const u8 = match number(bytes) {
                        0 => ptr::null(),
                        at => self.copy(name, at, depth + 1)?.words.cast(),
                    };
                    to.cast::<*const u8>().write(copied);
                }
                // functions are set afterwards; other pointers are null
                FieldType::Address => {}
            }
        }
        Ok(())
    }

    /// Copies a struct that is a part of another one, such as a value in a parameter.
    fn copy_of_part(
        &mut self,
        name: &'static str,
        bytes: &[u8],
        depth: usize,
    ) -> Result<Copy, String> {
        let shape = shapes().get(name);
        let copy = self.room(shape.native_size)?;
        let to = copy.words.cast::<u8>();
        for field in &shape.fields {
            let own = &bytes[field.offset..field.offset + field.size];
            let what = || format!("{name}.{}", field.name);
            // SAFETY: the words have the size of the struct.
            unsafe { self.part(&field.ty, own, to.add(field.native_offset), &what, depth + 1)? };
        }
        Ok(copy)
    }

    /// Copies a text.
    fn text(&mut self, bytes: &[u8], what: &dyn Fn() -> String) -> Result<Str, String> {
        let (at, len) = (number(bytes), number(&bytes[4..]) as usize);
        let outside = |_| outside(&what());
        // read before it is kept, because the length is not known to be sane
        let text: Vec<u8> = read_items(self.guest, at, len).map_err(outside)?;
        let data = self.room(len)?.words.cast::<u8>();
        // SAFETY: the memory has this length.
        unsafe { ptr::copy_nonoverlapping(text.as_ptr(), data, len) };
        Ok(Str { data, len })
    }

    /// Copies the items of a list, one after the other.
    fn list(
        &mut self,
        item: &FieldType,
        bytes: &[u8],
        what: &dyn Fn() -> String,
        depth: usize,
    ) -> Result<Slice<u8>, String> {
        let (at, count) = (number(bytes), number(&bytes[4..]) as usize);
        let native = match item {
            FieldType::Text => size_of::<Str>(),
            FieldType::Struct(name) => shapes().get(name).native_size,
            FieldType::Plain => size_of::<f64>(),
            _ => size_of::<usize>(),
        };
        let (narrow, _) = shapes().measure(item, native);
        let total = native.checked_mul(count).ok_or_else(|| outside(&what()))?;
        let copy = self.room(total)?;
        let to = copy.words.cast::<u8>();
        let size = narrow.checked_mul(count).ok_or_else(|| outside(&what()))?;
        let source: Vec<u8> = read_items(self.guest, at, size).map_err(|_| outside(&what()))?;
        for (index, own) in source.chunks_exact(narrow).enumerate() {
            // SAFETY: the copy has space for each item.
            let to = unsafe { to.add(index * native) };
            match item {
                FieldType::Struct(name) => {
                    let at = at + (index * narrow) as u32;
                    // SAFETY: as above.
                    unsafe { self.fill(shapes().get(name), name, at, to, depth + 1)? };
                }
                FieldType::Pointer(_) if number(own) == 0 => {
                    return Err(format!("item {} of `{}` is null", index + 1, what()));
                }
                // SAFETY: as above.
                _ => unsafe { self.part(item, own, to, what, depth + 1)? },
            }
        }
        Ok(Slice { data: to, len: count })
    }

    /// Records the addresses of a model.
    fn model(&mut self, shape: &Shape, at: u32, bytes: &[u8]) -> Result<(), String> {
        let given = |name: &str| number(&bytes[shape.field(name).offset..]) != 0;
        if !given("create") {
            return Err("`create` of a model is null, expected a function".into());
        }
        let list = &bytes[shape.field("phases").offset..];
        let (first, count) = (number(list), number(&list[4..]) as usize);
        let phase = shapes().get("Phase");
        let phases: Vec<u32> =
            (0..count).map(|index| first + (index * phase.size) as u32).collect();
        for at in &phases {
            let call = *at + phase.field("call").offset as u32;
            if read_u32(self.guest, call).map_err(|_| outside("Phase"))? == 0 {
                return Err("`call` of a phase is null, expected a function".into());
            }
        }
        self.models.push(ModelAddresses {
            model: at,
            phases,
            arranges: given("arrange"),
            has_capacity: given("capacity"),
        });
        Ok(())
    }
}

/// Checks the size that a struct states, and writes its size in this process.
///
/// # Safety
/// `to` is a number of 32 bits.
unsafe fn sized(name: &str, shape: &Shape, found: u32, to: *mut u8) -> Result<(), String> {
    if found as usize != shape.size {
        let expected = shape.size;
        return Err(format!(
            "`{name}` has a `size` of {found} bytes, expected {expected} (sizeof the struct)"
        ));
    }
    // SAFETY: promised by the caller.
    unsafe { to.cast::<u32>().write(shape.native_size as u32) };
    Ok(())
}

/// Reads a number of 32 bits from the start of these bytes.
fn number(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

fn outside(what: &str) -> String {
    format!("`{what}` is outside of the memory of the module")
}

/// Returns a number of the head of a descriptor.
pub(crate) fn head_number<const N: usize>(
    guest: &mut dyn Guest,
    at: u32,
    name: &str,
) -> Result<[u8; N], OutOfBounds> {
    let Field { offset, .. } = shapes().get("Head").field(name);
    let mut bytes = [0; N];
    guest.read(at.wrapping_add(*offset as u32), &mut bytes)?;
    Ok(bytes)
}
