//! Values of parameters in the memory of a module.

use simhost_abi::Value;

use crate::shapes::shapes;

/// Returns values as they lie in the memory of a module from an address on: the values, then what they refer to. Their
/// length does not depend on the address.
///
/// # Safety
/// The values are those that a host passes to `create`.
pub(crate) unsafe fn encode(values: &[Value], at: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    // SAFETY: promised by the caller.
    unsafe { append(&mut bytes, values, at) };
    bytes
}

/// Appends values and what they refer to, and returns the address of the first value.
///
/// # Safety
/// As for [`encode`].
unsafe fn append(bytes: &mut Vec<u8>, values: &[Value], base: u32) -> u32 {
    let shape = shapes().get("Value");
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let first = bytes.len();
    bytes.resize(first + values.len() * shape.size, 0);
    for (index, value) in values.iter().enumerate() {
        // SAFETY: promised by the caller.
        let (text, items) = unsafe { (value.text.as_bytes(), value.items.as_slice()) };
        let at_text = base + bytes.len() as u32;
        bytes.extend_from_slice(text);
        // SAFETY: promised by the caller.
        let at_items = unsafe { append(bytes, items, base) };
        let own = &mut bytes[first + index * shape.size..][..shape.size];
        shape.put(own, "tag", value.tag);
        shape.put_f64(own, "number", value.number);
        for (name, at, len) in [("text", at_text, text.len()), ("items", at_items, items.len())] {
            let offset = shape.field(name).offset;
            own[offset..offset + 4].copy_from_slice(&at.to_le_bytes());
            own[offset + 4..offset + 8].copy_from_slice(&(len as u32).to_le_bytes());
        }
    }
    base + first as u32
}
