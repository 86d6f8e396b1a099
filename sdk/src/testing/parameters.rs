//! Parameters given as in a world file.

use simhost_abi::{ParamDesc, ParamKind, Slice, StateDesc, Str, Value, param_flag, value_tag};

use crate::{ModelCore, State};

/// Lists and groups that values point to.
pub(super) type Items = Vec<Box<[Value]>>;

/// The given value of a parameter.
#[derive(Clone, Copy)]
pub(super) enum Given<'t> {
    Number(f64),
    /// Text as written in a world file.
    Text(&'t str),
}

/// Creates a model from these parameters and the defaults of the others. `group.key` names a
/// parameter of a group.
pub(super) fn make<M: ModelCore>(given: &[(&str, Given)]) -> Result<M, String> {
    let mut items = Items::new();
    let values = read(M::PARAMS, given, &mut items)?;
    let mut model = M::read(&values);
    model.prepare().map(|()| model)
}

/// Returns the states at the start of a run with these parameters and the defaults of the others.
pub(super) fn initial_states<M: ModelCore>(given: &[(&str, Given)]) -> Result<Vec<f64>, String> {
    let mut items = Items::new();
    let values = read(M::PARAMS, given, &mut items)?;
    let number = |key: &str| {
        let place = M::PARAMS.iter().position(|param| key_of(param) == key)?;
        (values[place].tag == value_tag::NUMBER).then_some(values[place].number)
    };
    Ok(starts(M::State::STATES, number))
}

/// Returns a value for each of the `declared` parameters.
pub(super) fn read(
    declared: &[ParamDesc],
    given: &[(&str, Given)],
    items: &mut Items,
) -> Result<Vec<Value>, String> {
    let head = |path: &str| path.split('.').next().unwrap_or_default().to_owned();
    let known = |path: &str| declared.iter().any(|one| key_of(one) == head(path));
    if let Some((path, _)) = given.iter().find(|(path, _)| !known(path)) {
        let keys: Vec<&str> = declared.iter().map(key_of).collect();
        return Err(format!(
            "unknown parameter `{}`; expected one of: {}",
            head(path),
            keys.join(", ")
        ));
    }
    let value = |desc: &ParamDesc| {
        let mut mine = given.iter().filter(|(path, _)| head(path) == key_of(desc));
        if desc.kind == ParamKind::Group as u32 {
            let inner = mine.map(|(path, value)| {
                let rest = path.split_once('.').map(|(_, rest)| rest);
                rest.map(|rest| (rest, *value)).ok_or(format!("`{path}` is a group of parameters"))
            });
            let inner: Vec<_> = inner.collect::<Result<_, _>>()?;
            // SAFETY: descriptors are static.
            let children = unsafe { desc.children.as_slice() };
            let members = read(children, &inner, items)?;
            return Ok(kept(members, items));
        }
        match mine.next_back() {
            Some((path, _)) if path.contains('.') => {
                Err(format!("`{}` is not a group", key_of(desc)))
            }
            Some((_, Given::Number(number))) => from_number(desc, *number),
            Some((_, Given::Text(text))) => from_text(desc, text, items),
            None => default(desc, items),
        }
    };
    declared.iter().map(value).collect()
}

fn key_of(desc: &ParamDesc) -> &str {
    // SAFETY: descriptors are static.
    unsafe { desc.key.as_str() }
}

/// Parses a value as written in a world file.
fn from_text(desc: &ParamDesc, text: &str, items: &mut Items) -> Result<Value, String> {
    let key = key_of(desc);
    let number =
        |text: &str| text.parse().map_err(|_| format!("`{key}`: {text:?} is not a number"));
    match ParamKind::from_u32(desc.kind) {
        Some(ParamKind::Number | ParamKind::Integer) => from_number(desc, number(text)?),
        Some(ParamKind::Bool) => match text {
            "true" => Ok(Value::boolean(true)),
            "false" => Ok(Value::boolean(false)),
            _ => Err(format!("`{key}`: found {text:?}, expected true or false")),
        },
        Some(ParamKind::Choice) => {
            // SAFETY: descriptors are static, here and below.
            let choices = unsafe { desc.choices.as_slice() };
            // SAFETY: as above.
            let found = choices.iter().find(|choice| unsafe { choice.as_str() } == text);
            found.map(|choice| Value::text(*choice)).ok_or_else(|| {
                // SAFETY: as above.
                let names = choices.iter().map(|choice| unsafe { choice.as_str() });
                let names: Vec<&str> = names.collect();
                format!("`{key}`: found {text:?}, expected one of: {}", names.join(", "))
            })
        }
        Some(ParamKind::List) => {
            let numbers = text.split_whitespace().map(number);
            let numbers = numbers.map(|one| one.map(|one| Value::number(one * desc.scale)));
            Ok(kept(numbers.collect::<Result<_, String>>()?, items))
        }
        Some(ParamKind::Words) => {
            let words = text.split_whitespace().map(|word| Value::text(Str::borrowed(word)));
            Ok(kept(words.collect(), items))
        }
        Some(ParamKind::Text) => Ok(Value::text(Str::borrowed(text))),
        // the value is the contents of the file
        Some(ParamKind::File) => {
            Ok(kept(vec![Value::text(desc.key), Value::text(Str::borrowed(text))], items))
        }
        _ => Err(format!("`{key}` is not supported in a test")),
    }
}

fn from_number(desc: &ParamDesc, number: f64) -> Result<Value, String> {
    let key = key_of(desc);
    match ParamKind::from_u32(desc.kind) {
        Some(ParamKind::Number | ParamKind::Integer) => {}
        Some(ParamKind::Bool) => return Ok(Value::boolean(number != 0.0)),
        _ => return Err(format!("`{key}` is not a number")),
    }
    let has = |flag| desc.flags & flag != 0;
    let too_small = number < desc.min || has(param_flag::ABOVE_MIN) && number == desc.min;
    let too_large = number > desc.max || has(param_flag::BELOW_MAX) && number == desc.max;
    if too_small || too_large {
        return Err(format!("`{key}` = {number} is out of range {} … {}", desc.min, desc.max));
    }
    Ok(Value::number(number * desc.scale))
}

/// Returns the default of a parameter that is not a group.
fn default(desc: &ParamDesc, items: &mut Items) -> Result<Value, String> {
    if desc.flags & param_flag::REQUIRED != 0 {
        return Err(format!("missing value for `{}`, which has no default", key_of(desc)));
    }
    let value = desc.default;
    Ok(match value.tag {
        value_tag::NUMBER => Value::number(value.number * desc.scale),
        value_tag::ITEMS => {
            // SAFETY: descriptors are static.
            let numbers = unsafe { value.items.as_slice() }.iter();
            kept(numbers.map(|item| Value::number(item.number * desc.scale)).collect(), items)
        }
        _ => value,
    })
}

fn kept(values: Vec<Value>, items: &mut Items) -> Value {
    items.push(values.into_boxed_slice());
    Value::items(Slice::borrowed(&items[items.len() - 1]))
}

/// Returns the value of each slot at the start of a run, for parameters that `number` returns by
/// their key.
pub(super) fn starts(states: &[StateDesc], number: impl Fn(&str) -> Option<f64>) -> Vec<f64> {
    let start = |slot: &StateDesc| {
        // SAFETY: declarations are static.
        let key = unsafe { slot.initial_key.as_str() };
        Some(key).filter(|key| !key.is_empty()).and_then(&number).unwrap_or(slot.initial)
    };
    states.iter().map(start).collect()
}
