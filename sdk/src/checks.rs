//! Checks of declarations while a plugin is compiled. The derive macro `Params` calls them; an error
//! points at the option that is wrong.

use simhost_abi::{
    KEY_RULE, Kind, Model, ParamDesc, ParamKind, ParamScaling, PortDesc, Slice, Str, Value,
    WORD_RULE, is_key, is_of_language, is_same, is_word, param_flag, value_tag,
};

use crate::message::Message;

/// Fails to compile if no value lies in the range of a parameter. `written` is the range as the author
/// wrote it.
#[track_caller]
pub const fn range(desc: &ParamDesc, written: &str) {
    let is_open = desc.flags & (param_flag::ABOVE_MIN | param_flag::BELOW_MAX) != 0;
    let is_empty = if is_open { desc.min >= desc.max } else { desc.min > desc.max };
    if is_empty || desc.min.is_nan() || desc.max.is_nan() {
        let parts = ["the range of `", key(desc), "` is empty: ", written];
        fail(&Message::of(&parts).and("; expected the smallest value first, such as 0.0..=1.0"));
    }
    if !takes_numbers(desc.kind) {
        let message = Message::of(&["`", key(desc), "` is not a number, so it has no range"]);
        fail(&message.and("; remove the range"));
    }
}

/// Fails to compile if the default of a parameter is not a valid value. `written` and `range` are as
/// the author wrote them.
#[track_caller]
pub const fn default(desc: &ParamDesc, written: &str, range: &str) {
    let start = Message::of(&["the default of `", key(desc), "` is ", written, "; expected "]);
    let expected = match ParamKind::from_u32(desc.kind) {
        Some(ParamKind::Number | ParamKind::Integer) => value_tag::NUMBER,
        Some(ParamKind::Bool) => value_tag::BOOL,
        Some(ParamKind::Text | ParamKind::Choice | ParamKind::Path) => value_tag::TEXT,
        Some(ParamKind::List) if desc.children.len == 0 => value_tag::ITEMS,
        _ => fail(&start.and("none: the value of this type consists of parameters")),
    };
    if desc.default.tag != expected {
        fail(&start.and(match expected {
            value_tag::NUMBER => "a number",
            value_tag::BOOL => "true or false",
            value_tag::TEXT => "a text, such as \"a\"",
            _ => "a list of numbers, such as [1.0, 2.0]",
        }));
    }
    if desc.kind == ParamKind::Choice as u32 {
        return choice(desc, start);
    }
    // SAFETY: declarations are static.
    let items = unsafe { desc.default.items.as_slice() };
    if desc.count != 0 && items.len() != desc.count as usize {
        fail(&start.and("one number per element of the array"));
    }
    let is_fine = match expected {
        value_tag::NUMBER => accepts(desc, desc.default.number),
        value_tag::ITEMS => accepts_all(desc, items),
        _ => true,
    };
    if !is_fine {
        let start =
            start.and("a ").and(if range.is_empty() { "number" } else { "value in the range " });
        fail(&start.and(range));
    }
    let number = desc.default.number;
    if desc.kind == ParamKind::Integer as u32 && number != number.trunc() {
        fail(&start.and("an integer"));
    }
}

/// Fails to compile if the value 0, which a parameter without a default and without a given value has,
/// is not in its range. `range` is as the author wrote it.
#[track_caller]
pub const fn implicit_zero(desc: &ParamDesc, range: &str) {
    if desc.flags & param_flag::REQUIRED == 0 && !accepts(desc, 0.0) {
        let start = ["`", key(desc), "` has no default, so it is 0 in a world file that does not "];
        let message = Message::of(&start).and("give it, which is not in the range ").and(range);
        fail(&message.and("; add `default = …` or `required`"));
    }
}

#[track_caller]
const fn choice(desc: &ParamDesc, mut message: Message) {
    // SAFETY: declarations are static, here and below.
    let (choices, word) = unsafe { (desc.choices.as_slice(), desc.default.text.as_str()) };
    message = message.and("one of");
    let mut i = 0;
    while i < choices.len() {
        let choice = text(choices[i]);
        if is_same(choice, word) {
            return;
        }
        message = message.and(" \"").and(choice).and("\"");
        i += 1;
    }
    fail(&message);
}

/// Fails to compile if a parameter has a name that a world file cannot contain, or that the host reads
/// itself in the element of a model.
#[track_caller]
pub const fn host_keys(kind: Kind, params: &[ParamDesc]) {
    let mut param = 0;
    while param < params.len() {
        let key = key(&params[param]);
        if !is_key(key) {
            fail(&Message::of(&["the name of a parameter is `", key, "`; ", KEY_RULE]));
        }
        if is_of_language(key) {
            let start = ["`", key, "` is an element of the world language"];
            fail(&Message::of(&start).and("; expected another name"));
        }
        let mut taken = 0;
        while taken < kind.host_keys().len() {
            if is_same(kind.host_keys()[taken], key) {
                let start = ["the host reads `", key, "` of ", kind.with_article(), " itself"];
                fail(&Message::of(&start).and("; expected another name"));
            }
            taken += 1;
        }
        param += 1;
    }
}

/// Fails to compile if a name in a plugin is not a word, or if two models of a kind have the same class and
/// ports.
///
/// # Safety
///
/// The pointers refer to static descriptors.
#[track_caller]
pub const unsafe fn plugin(vendor: &str, models: &[*const Model]) {
    word("the vendor", vendor);
    let mut i = 0;
    while i < models.len() {
        // SAFETY: promised by the caller.
        let one = unsafe { &*models[i] };
        word("the name of a class", text(one.id));
        let mut before = 0;
        while before < i {
            // SAFETY: promised by the caller.
            let other = unsafe { &*models[before] };
            if one.kind == other.kind
                && is_same(text(one.id), text(other.id))
                && have_same_ports(one, other)
            {
                let start =
                    ["duplicate class `", text(one.id), "`; expected other ports or another name"];
                fail(&Message::of(&start));
            }
            before += 1;
        }
        i += 1;
    }
}

/// Fails to compile if a text cannot be part of a full class name.
#[track_caller]
const fn word(what: &str, word: &str) {
    if !is_word(word) {
        fail(&Message::of(&[what, " is \"", word, "\"; ", WORD_RULE]));
    }
}

/// Returns whether the phases of two models have the same ports.
const fn have_same_ports(one: &Model, other: &Model) -> bool {
    // SAFETY: declarations are static.
    let (one, other) = unsafe { (one.phases.as_slice(), other.phases.as_slice()) };
    let (mut phase, mut are_same) = (0, one.len() == other.len());
    while are_same && phase < one.len() {
        are_same = is_same(text(one[phase].id), text(other[phase].id))
            && are_same_ports(one[phase].inputs, other[phase].inputs)
            && are_same_ports(one[phase].outputs, other[phase].outputs);
        phase += 1;
    }
    are_same
}

const fn are_same_ports(one: Slice<PortDesc>, other: Slice<PortDesc>) -> bool {
    // SAFETY: declarations are static.
    let (one, other) = unsafe { (one.as_slice(), other.as_slice()) };
    let (mut port, mut are_same) = (0, one.len() == other.len());
    while are_same && port < one.len() {
        are_same = is_same(text(one[port].name), text(other[port].name))
            && is_same(text(one[port].unit), text(other[port].unit))
            && one[port].scope == other[port].scope;
        port += 1;
    }
    are_same
}

const fn takes_numbers(kind: u32) -> bool {
    match ParamKind::from_u32(kind) {
        Some(ParamKind::Number | ParamKind::Integer | ParamKind::List) => true,
        Some(_) | None => false,
    }
}

const fn accepts_all(desc: &ParamDesc, items: &[Value]) -> bool {
    let mut i = 0;
    while i < items.len() {
        if items[i].tag != value_tag::NUMBER || !accepts(desc, items[i].number) {
            return false;
        }
        i += 1;
    }
    true
}

/// Returns whether a value lies in the range of a parameter.
const fn accepts(desc: &ParamDesc, value: f64) -> bool {
    let above = desc.flags & param_flag::ABOVE_MIN != 0;
    let below = desc.flags & param_flag::BELOW_MAX != 0;
    let from_min = if above { value > desc.min } else { value >= desc.min };
    let to_max = if below { value < desc.max } else { value <= desc.max };
    from_min && to_max
}

/// Returns the declarations of all parts, one after the other. Fails to compile if two of them share a
/// name.
#[track_caller]
pub const fn joined<const N: usize>(parts: &[&[ParamDesc]]) -> [ParamDesc; N] {
    let all: [ParamDesc; N] = all_parts(parts);
    let mut i = 0;
    while i < N {
        let mut before = 0;
        while before < i {
            if is_same(key(&all[before]), key(&all[i])) {
                fail(&Message::of(&["duplicate parameter name `", key(&all[i]), "`"]));
            }
            before += 1;
        }
        i += 1;
    }
    all
}

/// Returns the exponents of all parts, one after the other.
pub const fn joined_scalings<const N: usize>(parts: &[&[ParamScaling]]) -> [ParamScaling; N] {
    all_parts(parts)
}

/// Returns the ports of all parts, one after the other.
pub const fn joined_ports<const N: usize>(parts: &[&[PortDesc]]) -> [PortDesc; N] {
    all_parts(parts)
}

/// Returns the items of all parts, one after the other.
const fn all_parts<T: Copy, const N: usize>(parts: &[&[T]]) -> [T; N] {
    let mut part = 0;
    while parts[part].is_empty() {
        part += 1;
    }
    let mut all = [parts[part][0]; N];
    let (mut part, mut from) = (0, 0);
    while part < parts.len() {
        let mut i = 0;
        while i < parts[part].len() {
            all[from] = parts[part][i];
            (i, from) = (i + 1, from + 1);
        }
        part += 1;
    }
    all
}

const fn key(desc: &ParamDesc) -> &'static str {
    text(desc.key)
}

const fn text(text: Str) -> &'static str {
    // SAFETY: declarations are static.
    unsafe { text.as_str() }
}

#[track_caller]
const fn fail(message: &Message) -> ! {
    panic!("{}", message.as_str())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::panic::catch_unwind;

    use super::*;
    use crate::prelude::*;

    /// No friction.
    #[derive(Params)]
    struct Ice {}

    #[model]
    impl Friction for Ice {
        fn force(&self, _: &Wheel, _: &Step, _: &mut ()) -> Force {
            Force::default()
        }
    }

    /// A parameter with a name of the host.
    #[derive(Params)]
    struct Late {
        /// Latency.
        #[param(default = 0.0, unit = "s")]
        latency: f64,
    }

    fn message(check: impl FnOnce() + std::panic::UnwindSafe) -> Option<String> {
        catch_unwind(check).err().map(|panic| panic.downcast_ref::<String>().unwrap().clone())
    }

    #[test]
    fn names_and_classes_of_plugins_are_checked() {
        const ICE: &Model = &crate::FrictionModel::<Ice>::model("ice", "1");
        const SPACED: &Model = &crate::FrictionModel::<Ice>::model("i ce", "1");
        let check = |vendor: &'static str, models: &'static [*const Model]| {
            // SAFETY: the descriptors are static.
            message(move || unsafe { plugin(vendor, models) })
        };
        assert_eq!(check("acme", &const { [std::ptr::from_ref(ICE)] }), None);
        let twice = check("acme", &const { [std::ptr::from_ref(ICE); 2] }).unwrap();
        assert_eq!(twice, "duplicate class `ice`; expected other ports or another name");
        assert!(check("", &[]).unwrap().starts_with("the vendor is \"\"; expected a word"));
        assert!(check("a me", &[]).is_some());
        assert!(check("acme", &const { [std::ptr::from_ref(SPACED)] }).is_some());
    }

    /// A latency of a friction model collides with nothing.
    #[test]
    fn a_parameter_cannot_have_a_name_of_the_host() {
        let taken = message(|| host_keys(Kind::Sensor, Late::PARAMS)).unwrap();
        assert_eq!(taken, "the host reads `latency` of a sensor itself; expected another name");
        assert_eq!(message(|| host_keys(Kind::Friction, Late::PARAMS)), None);
        assert_eq!(Late { latency: 0.0 }.latency, 0.0);
    }
}
