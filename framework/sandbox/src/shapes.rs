//! Layouts of the structs of the boundary in the memory of a module, in which addresses and lengths have 32 bits.
//!
//! They follow from the types of the fields by the rules of C, so that a struct of the boundary is declared once, in
//! `simhost-abi`.

use std::collections::BTreeMap;
use std::mem::offset_of;
use std::sync::OnceLock;

use simhost_abi::{
    AliasesTable, Fault, FieldLayout, ImageDesc, LAYOUT, ParamScaling, Scaling, ScalingTable,
    Slice, Str, StructLayout, fingerprint_of,
};

/// The type of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FieldType {
    /// A number or bytes with this size, the same in both memories.
    Plain,
    /// A length.
    Length,
    /// A text.
    Text,
    /// A list of items of a type.
    List(Box<Self>),
    /// A struct of the boundary.
    Struct(&'static str),
    /// A pointer to a struct of the boundary.
    Pointer(&'static str),
    /// A function, or another pointer.
    Address,
}

/// A field of a struct.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub name: &'static str,
    pub ty: FieldType,
    /// Distance from the start of the struct in the memory of a module, bytes.
    pub offset: usize,
    /// Size in the memory of a module, bytes.
    pub size: usize,
    /// Distance from the start of the struct in this process, bytes.
    pub native_offset: usize,
}

/// A struct of the boundary.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub fields: Vec<Field>,
    /// Size and alignment in the memory of a module, bytes.
    pub size: usize,
    align: usize,
    /// Size in this process, bytes.
    pub native_size: usize,
}

/// All structs by their names.
pub(crate) struct Shapes {
    structs: BTreeMap<&'static str, Shape>,
    /// Hash of the layout of the boundary in a module.
    pub fingerprint: u64,
}

/// Describes a table of an ability, which is not part of the boundary's layout.
macro_rules! table {
    ($name:ident { $($field:ident: $ty:ty),* }) => {
        StructLayout {
            name: Str::new(stringify!($name)),
            size: size_of::<$name>(),
            fields: Slice::new(const { &[$( FieldLayout {
                name: Str::new(stringify!($field)),
                ty: Str::new(stringify!($ty)),
                offset: offset_of!($name, $field),
                size: size_of::<$ty>(),
            } ),*] }),
        }
    };
}

/// Tables without functions, and descriptions that models pass to the host.
const TABLES: [StructLayout; 5] = [
    table!(AliasesTable { size: u32, reserved: u32, names: Slice<Str> }),
    table!(Scaling { constant_density: f64, constant_mass: f64 }),
    table!(ParamScaling { size: u32, reserved: u32, exponents: Slice<Scaling>, children: Slice<ParamScaling> }),
    table!(ScalingTable { size: u32, reserved: u32, params: Slice<ParamScaling> }),
    table!(ImageDesc {
        size: u32,
        kind: u32,
        name: Str,
        width: u32,
        height: u32,
        first_ray: usize,
        fx: f64,
        fy: f64,
        cx: f64,
        cy: f64,
        distortion: u32,
        reserved: u32,
        coefficients: [f64; 8],
        pose: [f64; 6]
    }),
];

/// Bytes of the text in a fault, the only array of bytes.
const TEXT_BYTES: usize = Fault::NONE.text.len();

/// Returns all structs.
pub(crate) fn shapes() -> &'static Shapes {
    static SHAPES: OnceLock<Shapes> = OnceLock::new();
    SHAPES.get_or_init(Shapes::new)
}

impl Shapes {
    fn new() -> Self {
        let mut shapes = Self { structs: BTreeMap::new(), fingerprint: 0 };
        let narrow: Vec<StructLayout> = LAYOUT.iter().map(|native| shapes.add(native)).collect();
        for native in &TABLES {
            shapes.add(native);
        }
        Self { fingerprint: fingerprint_of(&narrow), ..shapes }
    }

    /// Returns a struct, which is one of the boundary.
    pub fn get(&self, name: &str) -> &Shape {
        self.structs
            .get(name)
            .unwrap_or_else(|| unreachable!("`{name}` is a struct of the boundary"))
    }

    /// Adds a struct whose parts are known, and returns its layout in a module.
    fn add(&mut self, native: &StructLayout) -> StructLayout {
        // SAFETY: the layout is static, here and below.
        let (name, layouts) = unsafe { (native.name.as_str(), native.fields.as_slice()) };
        let mut shape = Shape { fields: Vec::new(), size: 0, align: 1, native_size: native.size };
        let mut narrow = Vec::new();
        for layout in layouts {
            // SAFETY: as above.
            let (field, written) = unsafe { (layout.name.as_str(), layout.ty.as_str()) };
            let ty = field_type(&written.split_whitespace().collect::<String>());
            let (size, align) = self.measure(&ty, layout.size);
            let offset = shape.size.next_multiple_of(align);
            shape.size = offset + size;
            shape.align = shape.align.max(align);
            narrow.push(FieldLayout { offset, size, ..*layout });
            let native_offset = layout.offset;
            shape.fields.push(Field { name: field, ty, offset, size, native_offset });
        }
        shape.size = shape.size.next_multiple_of(shape.align);
        let narrow =
            StructLayout { size: shape.size, fields: Slice::new(narrow.leak()), ..*native };
        self.structs.insert(name, shape);
        narrow
    }

    /// Returns size and alignment of a type in a module. `native` is the size in this process.
    pub fn measure(&self, ty: &FieldType, native: usize) -> (usize, usize) {
        match ty {
            FieldType::Plain => match native {
                4 | 8 => (native, native),
                // arrays of numbers with 64 bits, and text
                bytes => (bytes, if bytes == TEXT_BYTES { 1 } else { 8 }),
            },
            FieldType::Length | FieldType::Pointer(_) | FieldType::Address => (4, 4),
            FieldType::Text | FieldType::List(_) => (8, 4),
            FieldType::Struct(name) => {
                let shape = self.get(name);
                (shape.size, shape.align)
            }
        }
    }
}

/// Returns a type as its declaration spells it, without white space.
fn field_type(written: &str) -> FieldType {
    let item = written.strip_prefix("Slice<").and_then(|rest| rest.strip_suffix('>'));
    match (written, item) {
        ("u32" | "u64" | "f64", _) => FieldType::Plain,
        ("usize", _) => FieldType::Length,
        ("Str", _) => FieldType::Text,
        (_, Some(item)) => FieldType::List(Box::new(field_type(item))),
        _ if written.contains("fn(") => FieldType::Address,
        _ if written.starts_with('[') => FieldType::Plain,
        _ => match written.strip_prefix("*const") {
            Some(to) => known(to).map_or(FieldType::Address, FieldType::Pointer),
            None => known(written).map_or(FieldType::Address, FieldType::Struct),
        },
    }
}

/// Returns the name of a struct whose contents are read.
fn known(name: &str) -> Option<&'static str> {
    let structs = LAYOUT.iter().chain(&TABLES);
    // SAFETY: the names are static.
    let mut names = structs.map(|known| unsafe { known.name.as_str() });
    names.find(|known| *known == name)
}

impl Shape {
    /// Returns a field, which is one of the struct.
    pub fn field(&self, name: &str) -> &Field {
        let field = self.fields.iter().find(|field| field.name == name);
        field.unwrap_or_else(|| unreachable!("`{name}` is a field of the struct"))
    }

    /// Reads a number of 32 bits from a field of a struct with these bytes.
    pub fn u32(&self, bytes: &[u8], name: &str) -> u32 {
        bytes[self.field(name).offset..].first_chunk().map_or(0, |four| u32::from_le_bytes(*four))
    }

    /// Reads numbers of 64 bits.
    pub fn f64s<const N: usize>(&self, bytes: &[u8], name: &str) -> [f64; N] {
        let eights = bytes[self.field(name).offset..].as_chunks().0;
        std::array::from_fn(|index| {
            eights.get(index).map_or(0.0, |eight| f64::from_le_bytes(*eight))
        })
    }

    /// Writes a number of 32 bits to a field of a struct with these bytes.
    pub fn put(&self, bytes: &mut [u8], name: &str, value: u32) {
        let at = self.field(name).offset;
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }

    /// Writes a number of 64 bits.
    pub fn put_f64(&self, bytes: &mut [u8], name: &str, value: f64) {
        let at = self.field(name).offset;
        bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_give_the_layout_of_this_process_for_its_own_widths() {
        // the structs without pointers have the same layout in a module
        for name in ["WheelGeometry", "Fault"] {
            let shape = shapes().get(name);
            assert_eq!(shape.size, shape.native_size, "{name}");
            for field in &shape.fields {
                assert_eq!(field.offset, field.native_offset, "{name}.{}", field.name);
            }
        }
    }

    #[test]
    fn the_header_for_c_has_the_fingerprint() {
        let header = include_str!("../../../sdk/c/simhost_plugin.h");
        let fingerprint = shapes().fingerprint;
        let line = format!("#define SIMHOST_FINGERPRINT_WASM UINT64_C({fingerprint:#018x})");
        assert!(header.contains(&line), "write this into the header: {line}");
    }

    #[test]
    fn structs_with_pointers_are_narrower() {
        let expected =
            [("Str", 8), ("Value", 32), ("Batch", 72), ("Services", 16), ("ArrayPort", 24)];
        for (name, size) in expected {
            assert_eq!(shapes().get(name).size, size, "{name}");
        }
    }
}
