//! The descriptor of a friction model of simhost as it lies in the memory of a module.

use simhost_abi::{EPOCH, MAGIC, Plugin, Slice, Str};

use crate::shapes::{FieldType, Shape, shapes};

/// A copy of a descriptor with the layout of a module.
pub struct Image {
    bytes: Vec<u8>,
    plugin: u32,
}

impl Image {
    /// Address of the first byte.
    pub const BASE: u32 = 1024;

    /// Returns the image of the built-in friction models, whose first one is the model of most tests.
    pub fn new() -> Self {
        Self::of_plugin(&simhost_friction::PLUGIN)
    }

    /// Returns the image of a plugin.
    pub fn of_plugin(plugin: &'static Plugin) -> Self {
        let mut image = Self { bytes: vec![0; 8], plugin: 0 };
        // SAFETY: the plugin is static.
        image.plugin = unsafe { image.add("Plugin", std::ptr::from_ref(plugin).cast(), 1) };
        let head = shapes().get("Head");
        let at = (image.plugin - Self::BASE) as usize;
        let own = &mut image.bytes[at..at + head.size];
        own.fill(0);
        own[..8].copy_from_slice(&MAGIC.to_le_bytes());
        head.put(own, "epoch", EPOCH);
        head.put(own, "size", shapes().get("Plugin").size as u32);
        let fingerprint = head.field("fingerprint").offset;
        own[fingerprint..fingerprint + 8].copy_from_slice(&shapes().fingerprint.to_le_bytes());
        image
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the image with other bytes.
    pub fn with_bytes(self, bytes: Vec<u8>) -> Self {
        Self { bytes, ..self }
    }

    /// Address of the plugin.
    pub const fn plugin(&self) -> u32 {
        self.plugin
    }

    /// Address of the first model.
    pub fn model(&self) -> u32 {
        self.get(self.get(self.plugin + shapes().get("Plugin").field("models").offset as u32))
    }

    /// Returns a number of 32 bits.
    pub fn get(&self, at: u32) -> u32 {
        let at = (at - Self::BASE) as usize;
        u32::from_le_bytes(*self.bytes[at..].first_chunk().unwrap())
    }

    /// Sets the first four bytes of a field.
    pub fn put(&mut self, name: &str, at: u32, field: &str, value: u32) {
        let at = (at - Self::BASE) as usize;
        shapes().get(name).put(&mut self.bytes[at..], field, value);
    }

    /// Sets a number of 32 bits.
    pub fn set_at(&mut self, at: u32, value: u32) {
        self.set((at - Self::BASE) as usize, value);
    }

    /// Returns the address of new bytes.
    fn room(&mut self, bytes: usize) -> usize {
        let at = self.bytes.len().next_multiple_of(8);
        self.bytes.resize(at + bytes, 0);
        at
    }

    /// Copies an array of structs of this process.
    ///
    /// # Safety
    /// `from` points to static structs with this name.
    unsafe fn add(&mut self, name: &str, from: *const u8, count: usize) -> u32 {
        let Shape { size, native_size, fields, .. } = shapes().get(name);
        let at = self.room(size * count);
        for index in 0..count {
            for field in fields {
                let to = at + index * size + field.offset;
                // SAFETY: promised by the caller.
                unsafe {
                    let from = from.add(index * native_size + field.native_offset);
                    match field.name {
                        "size" => self.set(to, *size as u32),
                        _ => self.copy(&field.ty, from, to, field.size),
                    }
                }
            }
        }
        Self::BASE + at as u32
    }

    fn set(&mut self, to: usize, value: u32) {
        self.bytes[to..to + 4].copy_from_slice(&value.to_le_bytes());
    }

    /// Copies a field.
    ///
    /// # Safety
    /// `from` points to a static value of this type.
    unsafe fn copy(&mut self, ty: &FieldType, from: *const u8, to: usize, size: usize) {
        // SAFETY: promised by the caller, in all branches.
        unsafe {
            match ty {
                FieldType::Plain => {
                    let own = std::slice::from_raw_parts(from, size);
                    self.bytes[to..to + size].copy_from_slice(own);
                }
                FieldType::Text => self.text((*from.cast::<Str>()).as_str(), to),
                FieldType::List(item) => self.list(item, *from.cast::<Slice<u8>>(), to),
                FieldType::Struct("Head") => {}
                FieldType::Struct(name) => {
                    let at = (self.add(name, from, 1) - Self::BASE) as usize;
                    self.bytes.copy_within(at..at + size, to);
                }
                FieldType::Pointer(name) => {
                    let from = *from.cast::<*const u8>();
                    let at = if from.is_null() { 0 } else { self.add(name, from, 1) };
                    self.set(to, at);
                }
                FieldType::Length => self.set(to, *from.cast::<usize>() as u32),
                // functions are anything but null
                FieldType::Address => self.set(to, u32::from(*from.cast::<usize>() != 0)),
            }
        }
    }

    fn text(&mut self, text: &str, to: usize) {
        let at = self.room(text.len());
        self.bytes[at..at + text.len()].copy_from_slice(text.as_bytes());
        self.set(to, Self::BASE + at as u32);
        self.set(to + 4, text.len() as u32);
    }

    /// # Safety
    /// The list is static.
    unsafe fn list(&mut self, item: &FieldType, list: Slice<u8>, to: usize) {
        let count = list.len;
        // SAFETY: promised by the caller.
        let at = unsafe {
            match item {
                FieldType::Struct(name) => self.add(name, list.data, count),
                _ => {
                    let native = if *item == FieldType::Text { size_of::<Str>() } else { 8 };
                    let (size, _) = shapes().measure(item, native);
                    let at = self.room(size * count);
                    for index in 0..count {
                        self.copy(item, list.data.add(index * native), at + index * size, size);
                    }
                    Self::BASE + at as u32
                }
            }
        };
        self.set(to, at);
        self.set(to + 4, count as u32);
    }
}
