//! Parameters as a world file would give them.

use simhost_abi::{ParamDesc, ParamKind, Slice, Value, param_flag, value_tag};

use crate::Params;
use crate::export::Described;

/// Lists and groups that values point to.
type Items = Vec<Box<[Value]>>;

/// A model with these parameters and the defaults of the others.
pub(super) fn make<D: Described>(given: &[(&str, f64)]) -> Result<D::Model, String> {
    let declared = D::Model::PARAMS;
    if let Some((key, _)) = given.iter().find(|(key, _)| !declared.iter().any(|one| is(one, key))) {
        let keys: Vec<&str> = declared.iter().map(key_of).collect();
        return Err(format!("no parameter `{key}`; there are: {}", keys.join(", ")));
    }
    let mut items = Items::new();
    let mut values = Vec::new();
    for desc in declared {
        let number = given.iter().find(|(key, _)| is(desc, key)).map(|(_, number)| *number);
        values.push(match number {
            Some(number) => from_number(desc, number)?,
            None => default(desc, &mut items)?,
        });
    }
    let mut model = D::Model::read(&values);
    D::prepare(&mut model).map(|()| model)
}

fn key_of(desc: &ParamDesc) -> &str {
    // SAFETY: descriptors are static.
    unsafe { desc.key.as_str() }
}

fn is(desc: &ParamDesc, key: &str) -> bool {
    key_of(desc) == key
}

fn from_number(desc: &ParamDesc, number: f64) -> Result<Value, String> {
    let key = key_of(desc);
    match ParamKind::from_u32(desc.kind) {
        Some(ParamKind::Number | ParamKind::Integer) => {}
        Some(ParamKind::Bool) => return Ok(Value::boolean(number != 0.0)),
        _ => return Err(format!("`{key}` is no number")),
    }
    let has = |flag| desc.flags & flag != 0;
    let too_small = number < desc.min || has(param_flag::ABOVE_MIN) && number == desc.min;
    let too_large = number > desc.max || has(param_flag::BELOW_MAX) && number == desc.max;
    if too_small || too_large {
        return Err(format!("`{key}` = {number} is not in {} … {}", desc.min, desc.max));
    }
    Ok(Value::number(number * desc.scale))
}

/// The default of a parameter; a group has those of its members.
fn default(desc: &ParamDesc, items: &mut Items) -> Result<Value, String> {
    if desc.flags & param_flag::REQUIRED != 0 {
        return Err(format!("`{}` has no default: give it", key_of(desc)));
    }
    let value = desc.default;
    Ok(match value.tag {
        value_tag::NUMBER => Value::number(value.number * desc.scale),
        value_tag::ITEMS => {
            // SAFETY: descriptors are static.
            let numbers = unsafe { value.items.as_slice() }.iter();
            kept(numbers.map(|item| Value::number(item.number * desc.scale)).collect(), items)
        }
        value_tag::NONE if desc.kind == ParamKind::Group as u32 => {
            // SAFETY: descriptors are static.
            let members = unsafe { desc.children.as_slice() }.iter();
            let members: Result<Vec<Value>, String> =
                members.map(|member| default(member, items)).collect();
            kept(members?, items)
        }
        _ => value,
    })
}

fn kept(values: Vec<Value>, items: &mut Items) -> Value {
    items.push(values.into_boxed_slice());
    Value::items(Slice::borrowed(&items[items.len() - 1]))
}
