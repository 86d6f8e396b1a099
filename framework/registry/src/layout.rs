//! The difference between the layout of the boundary in a plugin and in this host.

use simhost_abi::{Head, LAYOUT, LAYOUT_KIND, Slice, StructLayout};

/// Largest number of structs whose difference is reported.
const REPORTED: usize = 3;

struct Struct {
    name: &'static str,
    size: usize,
    fields: Vec<Field>,
}

#[derive(PartialEq)]
struct Field {
    name: &'static str,
    /// Type without white space, because compilers differ in how they print a type.
    ty: String,
    offset: usize,
    size: usize,
}

/// Returns the difference, one line per struct, or an empty text if the plugin does not describe its
/// layout.
///
/// # Safety
/// A description of the kind that the head names is static and valid.
pub(crate) unsafe fn difference(head: &Head) -> String {
    // SAFETY: promised by the caller.
    if unsafe { head.layout_kind.as_str() } != LAYOUT_KIND || head.layout.is_null() {
        return String::new();
    }
    // SAFETY: promised by the caller; a description of this kind has this type.
    let theirs = unsafe { read((*head.layout.cast::<Slice<StructLayout>>()).as_slice()) };
    // SAFETY: the description of this host is static.
    compare(&theirs, &unsafe { read(LAYOUT) })
}

/// # Safety
/// The texts and slices of the description are static.
unsafe fn read(layout: &[StructLayout]) -> Vec<Struct> {
    let structs = layout.iter().map(|layout| {
        // SAFETY: promised by the caller, here and below.
        let fields = unsafe { layout.fields.as_slice() }.iter().map(|field| {
            // SAFETY: as above.
            let (name, ty) = unsafe { (field.name.as_str(), field.ty.as_str()) };
            let ty = ty.split_whitespace().collect();
            Field { name, ty, offset: field.offset, size: field.size }
        });
        // SAFETY: as above.
        let name = unsafe { layout.name.as_str() };
        Struct { name, size: layout.size, fields: fields.collect() }
    });
    structs.collect()
}

fn compare(theirs: &[Struct], ours: &[Struct]) -> String {
    let named = |name: &str, structs: &[Struct]| structs.iter().any(|other| other.name == name);
    let mut lines = Vec::new();
    for our in ours {
        match theirs.iter().find(|their| their.name == our.name) {
            None => lines.push(format!("the plugin has no struct `{}`", our.name)),
            Some(their) => lines.extend(compare_fields(their, our)),
        }
    }
    let unknown = theirs.iter().filter(|their| !named(their.name, ours));
    lines.extend(unknown.map(|their| format!("this host has no struct `{}`", their.name)));
    if lines.is_empty() {
        return "the structs are the same, but their order differs".to_owned();
    }
    let more = lines.len().saturating_sub(REPORTED);
    lines.truncate(REPORTED);
    if more > 0 {
        lines.push(format!("{more} more {} differ", if more == 1 { "struct" } else { "structs" }));
    }
    lines.join("\n  ")
}

/// Describes the first field that differs, in the order of the declaration.
fn compare_fields(their: &Struct, our: &Struct) -> Option<String> {
    let named = |name: &str, fields: &[Field]| fields.iter().any(|other| other.name == name);
    let words = |field: &Field| {
        let Field { name, ty, offset, size } = field;
        format!("`{}.{name}: {ty}` ({size} bytes at offset {offset})", our.name)
    };
    let count = their.fields.len().max(our.fields.len());
    let pairs = (0..count).map(|k| (their.fields.get(k), our.fields.get(k)));
    match pairs.into_iter().find(|(their, our)| their != our) {
        Some((Some(field), _)) if !named(field.name, &our.fields) => {
            Some(format!("the plugin has a field {}, which this host does not know", words(field)))
        }
        Some((_, Some(field))) if !named(field.name, &their.fields) => {
            Some(format!("the plugin has no field {}", words(field)))
        }
        Some((Some(their), Some(our))) => {
            Some(format!("the plugin has {}, expected {}", words(their), words(our)))
        }
        _ if their.size != our.size => Some(format!(
            "`{}` has {} bytes in the plugin, expected {}",
            our.name, their.size, our.size
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Field, Struct, compare};

    fn plugin(fields: &[(&'static str, &str)]) -> Vec<Struct> {
        let fields = fields.iter().enumerate();
        let fields = fields
            .map(|(k, (name, ty))| Field { name, ty: (*ty).into(), offset: 8 * k, size: 8 })
            .collect::<Vec<_>>();
        vec![Struct { name: "Batch", size: 8 * fields.len(), fields }]
    }

    fn reported(theirs: &[(&'static str, &str)]) -> String {
        compare(&plugin(theirs), &plugin(&[("time", "f64"), ("dt", "f64")]))
    }

    #[test]
    fn the_first_field_that_differs_is_reported() {
        assert_eq!(
            reported(&[("time", "f64"), ("rays", "usize"), ("dt", "f64")]),
            "the plugin has a field `Batch.rays: usize` (8 bytes at offset 8), which this host does not know"
        );
        assert_eq!(
            reported(&[("time", "f64")]),
            "the plugin has no field `Batch.dt: f64` (8 bytes at offset 8)"
        );
        assert_eq!(
            reported(&[("time", "f64"), ("dt", "u64")]),
            "the plugin has `Batch.dt: u64` (8 bytes at offset 8), expected `Batch.dt: f64` (8 bytes at offset 8)"
        );
        assert_eq!(
            reported(&[("dt", "f64"), ("time", "f64")]),
            "the plugin has `Batch.dt: f64` (8 bytes at offset 0), expected `Batch.time: f64` (8 bytes at offset 0)"
        );
    }

    #[test]
    fn structs_that_one_side_lacks_are_reported() {
        let mut theirs = plugin(&[("time", "f64")]);
        theirs[0].name = "Other";
        assert_eq!(
            compare(&theirs, &plugin(&[("time", "f64")])),
            "the plugin has no struct `Batch`\n  this host has no struct `Other`"
        );
    }
}
